"""An hour's worth of moves: 10,000 random ones in each lab, in a browser and in node.

    python benchmarks/moves.py                     # all labs
    python benchmarks/moves.py --moves 500 HeadsLab  # these labs, fewer moves

In the browser, sliders, choices, texts, buttons, keys and drags follow each other at random, one for each frame, and every hundred
moves a few with the real mouse and keyboard; the size of the window and the theme change, too. A move may interrupt the motion of
the one before it. The table has, for each lab: the moves; how many errors of the page and texts such as undefined there were (the
script prints them, and ends with exit code 1); what is on the page after each quarter, when the lab has been reset and the garbage
collected. In node, each model computes 10,000 random settings. CodeLab has no model: the code of its worker answers 10,000 random
programs. `--node` leaves the browser out.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import traitlets
from browser import TIME, open_browser, watch
from codelab import snippets
from lab_pages import settled, write_page
from node import node
from one_liners import GIVEN, lines
from random_moves import PREPARED, WITH_NAN, move_at_random

from attn import labs, table
from attn.labs.lab import Lab, Size

# Frames follow each other at once, each told that it is a quarter of a second later.
HURRY = """globalThis.hurry = true;
setInterval(() => { globalThis.ahead += 100; }, 4);"""
CHUNK = 100
EXTRA = [
    "for i in range(3): x = x + i",
    "print(y.shape, y)",
    "def f(a):\n    return a @ a.mT\nz = f(q)",
    "x.view(7)",
    "z = [t for t in v]",
]
NO_ANSWER = {"MixLab"}  # its results say with NaN that there is no target
LABS = Path(labs.__file__).parent


def in_browser(browser, folder: Path, name: str, moves: int, seed: int) -> dict[str, Any]:
    """Moves in a browser: how many, how long they took, what went wrong, and what is on the page after each quarter of them."""
    context = browser.new_context(viewport={"width": 1280, "height": 1400}, reduced_motion="no-preference")
    page = context.new_page()
    page.add_init_script(TIME + HURRY + PREPARED)
    address = write_page(folder / "labs.html", [getattr(labs, name)()])
    troubles = watch(page, address, folder.as_uri())
    page.goto(address)
    lab = page.locator(".attn-lab-root").first
    lab.wait_for()
    session = context.new_cdp_session(page)
    chance = random.Random(seed)
    sizes, faults, done, started = [], [], 0, time.monotonic()
    for n in range(0, moves, CHUNK):
        if n % (10 * CHUNK) == 0:
            page.emulate_media(color_scheme=chance.choice(["light", "dark"]))
            page.set_viewport_size({"width": chance.choice([1280, 800, 390]), "height": 1400})
        real = really_move(page, lab, chance, CHUNK // 20)
        made, seen = move_at_random(lab, seed + n, min(CHUNK, moves - n) - real)
        done += sum(made.values()) + real
        faults += seen
        if n + CHUNK in {moves // 4, moves // 2, 3 * moves // 4, moves}:
            sizes.append(measure(page, lab, session))
    result = {"moves": done, "seconds": time.monotonic() - started, "faults": [*dict.fromkeys(faults + troubles)], "sizes": sizes}
    context.close()
    return result


def really_move(page, lab, chance: random.Random, count: int) -> int:
    """A few moves of the real mouse and the real keyboard."""
    box = lab.locator(".picture, canvas, svg").first.bounding_box() or lab.bounding_box()
    for _ in range(count):
        x, y, to_x, to_y = (chance.random() for _ in range(4))
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
        page.mouse.down()
        page.mouse.move(box["x"] + to_x * box["width"], box["y"] + to_y * box["height"], steps=3)
        page.mouse.up()
        page.keyboard.press(chance.choice(["Tab", "ArrowRight", "ArrowDown", "Home", "End", "Escape"]))
    return count


def measure(page, lab, session) -> tuple[int, float, int]:
    """Nodes, megabytes of the heap and listeners, after a reset."""
    lab.get_by_role("button", name="reset").evaluate("node => node.click()")
    page.set_viewport_size({"width": 1280, "height": 1400})
    settled(page)
    page.evaluate("globalThis.hurry = true")
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    counted = session.send("Memory.getDOMCounters")
    heap = session.send("Runtime.getHeapUsage")["usedSize"]
    return counted["nodes"], heap / 2**20, counted["jsEventListeners"]


# Computes the settings that it is given. An Error of a model is a sentence for the reader; any other is a fault.
COMPUTE = """import { readFileSync } from "node:fs";
const { lab, nan, cases } = JSON.parse(readFileSync(0, "utf8"));
const { compute } = await import(`${process.cwd()}/src/attn/labs/${lab}/model.js`);
const faults = new Set();
const wrong = (value) =>
  value === undefined || (typeof value === "number" && Number.isNaN(value) && !nan) ||
  (ArrayBuffer.isView(value) && !nan && value.some?.(Number.isNaN)) ||
  (value && typeof value === "object" && !ArrayBuffer.isView(value) && Object.values(value).some(wrong));
let refused = 0;
for (const settings of cases) {
  try {
    for (const [name, value] of Object.entries(compute(settings)))
      if (value !== undefined && wrong(value) && faults.size < 5)  // undefined: these settings have no such result
        faults.add(`${name} of ${JSON.stringify(settings).slice(0, 300)}`);
  } catch (error) {
    refused += 1;
    if (error.constructor !== Error) faults.add(`${error} for ${JSON.stringify(settings).slice(0, 300)}`);
  }
}
console.log(JSON.stringify({ refused, faults: [...faults] }));"""


def in_node(name: str, count: int, seed: int) -> dict[str, Any]:
    """How many of so many random settings the model refuses, and its faults; CodeLab's settings are programs."""
    if not (LABS / getattr(labs, name).NAME / "model.js").exists():
        return programs_in_node(count, seed)
    lab, chance = getattr(labs, name)(), random.Random(seed)
    base = {one: getattr(lab, one) for one in (*lab.STATE, *lab.CONSTANTS)}
    cases = [base | {one: drawn(lab, one, chance) for one in lab.STATE} for _ in range(count)]
    ran = node(
        "--input-type=module",
        "-e",
        COMPUTE,
        stdin=json.dumps({"lab": lab.NAME, "nan": name in WITH_NAN | NO_ANSWER, "cases": cases}),
    )
    return json.loads(ran.stdout) if ran.returncode == 0 else {"refused": 0, "faults": [ran.stderr[-2000:]]}


# Answers programs as CodeLab's worker does, with what more it loads. Any error is a fault: those of a program are in its answer.
ANSWER = r"""import { readFileSync } from "node:fs";
import { answer } from "./src/attn/labs/code/answer.js";
import "./src/attn/labs/code/more.js";
const { words, cases } = JSON.parse(readFileSync(0, "utf8"));
const faults = new Set();
let refused = 0;
for (const settings of cases)
  try {
    const found = structuredClone(answer({ ...settings, _words: words }));
    refused += found.failure || found.syntax.length ? 1 : 0;
    const wrong = /\bundefined\b|\[object /.exec(JSON.stringify(found));
    if (wrong && faults.size < 5) faults.add(`${wrong[0]} for ${JSON.stringify(settings).slice(-300)}`);
  } catch (error) {
    if (faults.size < 5) faults.add(`${error} for ${JSON.stringify(settings).slice(-300)}`);
  }
console.log(JSON.stringify({ refused, faults: [...faults] }));"""


def programs_in_node(count: int, seed: int) -> dict[str, Any]:
    """How many of so many random programs the worker's code answers with an error of theirs, and its faults."""
    chance, written = random.Random(seed), lines(4 * count, seed)
    found: dict[str, Any] = {"refused": 0, "faults": []}
    for start in range(0, count, 500):
        cases = []
        for _ in range(min(500, count - start)):
            code, other = (program(written, chance) for _ in range(2))
            cases.append({"code": code, "other": other, "compare": chance.random() < 0.2})
        ran = node("--input-type=module", "-e", ANSWER, stdin=json.dumps({"words": labs.CodeLab()._words, "cases": cases}))
        part = json.loads(ran.stdout) if ran.returncode == 0 else {"refused": 0, "faults": [ran.stderr[-2000:]]}
        found = {"refused": found["refused"] + part["refused"], "faults": found["faults"] + part["faults"]}
    return found


def program(written: Iterator[str], chance: random.Random) -> str:
    """A program of the tests, or a few random lines on the tensors of attention; a third of them damaged in one place or three."""
    code = chance.choice(snippets("*.*")).code
    if chance.random() < 0.4:
        made = [line.replace("y =", f"{name} =") for name, line in zip("yz"[: chance.randint(1, 2)], written, strict=False)]
        code = "\n".join([GIVEN.rstrip(), *made, *chance.sample(EXTRA, chance.randint(0, 2))])
    for _ in range(chance.choice([0, 0, 0, 0, 1, 3])):
        at = chance.randrange(len(code))
        code = code[:at] + chance.choice(["", "", " ", "(", "]", "\n", ":", "3", "x"]) + code[at + chance.randint(0, 2) :]
    return code


def drawn(lab: Lab, name: str, chance: random.Random) -> Any:
    """A random value of a setting, within what a page allows. What is neither a size, a choice nor a number stays as it is."""
    trait = lab.traits()[name]
    if trait.allow_none and chance.random() < 0.3:
        return None
    if isinstance(trait, Size):
        return chance.randint(*(lab.PAGE_LIMITS | {}).get(name, lab.LIMITS[name]))
    if isinstance(trait, traitlets.Enum):
        return chance.choice(list(trait.values))
    if isinstance(trait, traitlets.Bool):
        return chance.random() < 0.5
    if isinstance(trait, traitlets.Int) and trait.max is not None and trait.max < 10**6:
        return chance.randint(int(trait.min), int(trait.max))
    return getattr(lab, name)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("labs", nargs="*", default=labs.__all__)
    parser.add_argument("--moves", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--node", action="store_true", help="only the settings and programs in node")
    given = parser.parse_args()
    rows, faults = [], []
    for name in given.labs if given.node else ():
        found = in_node(name, given.moves, given.seed)
        print(name, found["refused"], "refused", *found["faults"], sep=" | ", flush=True)
        faults += found["faults"]
    if given.node:
        sys.exit(bool(faults))
    with open_browser() as browser, tempfile.TemporaryDirectory() as folder:
        for name in given.labs:
            page = in_browser(browser, Path(folder), name, given.moves, given.seed)
            found = page["faults"]
            found += [f"node: {fault}" for fault in in_node(name, given.moves, given.seed)["faults"]]
            sizes = [" · ".join(f"{size[n]:.{n % 2}f}" for size in page["sizes"]) for n in range(3)]
            rows.append([name, f"{page['moves']:,}", f"{page['seconds']:.0f}", len(found), *sizes, f"{given.moves:,}"])
            print(*rows[-1], *found, sep=" | ", flush=True)
            faults += found
    print(table(["lab", "moves", "s", "faults", "nodes", "heap MB", "listeners", "settings in node"], rows))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
