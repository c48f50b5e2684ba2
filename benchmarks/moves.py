"""An hour's worth of moves: 10,000 random ones in each lab, in a browser and in its model.

    python benchmarks/moves.py                     # all labs
    python benchmarks/moves.py --moves 500 HeadsLab  # these labs, fewer moves

In the browser, sliders, choices, texts, buttons, keys and drags follow each other at random, one for each frame, and every hundred
moves a few with the real mouse and keyboard; the size of the window and the theme change, too. A move may interrupt the motion of
the one before it. The table has, for each lab: the moves; how many errors of the page and texts such as undefined there were (the
script prints them, and ends with exit code 1); what is on the page after each quarter, when the lab has been reset and the garbage
collected. In node, each model computes 10,000 random settings.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import traitlets
from browser import TIME, open_browser, watch
from lab_pages import settled, write_page
from node import node
from random_moves import PREPARED, WITH_NAN, move_at_random

from attn import labs, table
from attn.labs.lab import Lab, Size

# Frames follow each other at once, each told that it is a quarter of a second later.
HURRY = """globalThis.hurry = true;
setInterval(() => { globalThis.ahead += 100; }, 4);"""
CHUNK = 100
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
    """How many of so many random settings the model refuses, and its faults."""
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
    given = parser.parse_args()
    rows, faults = [], []
    with open_browser() as browser, tempfile.TemporaryDirectory() as folder:
        for name in given.labs:
            page = in_browser(browser, Path(folder), name, given.moves, given.seed)
            found = page["faults"]
            settings = "–"  # CodeLab has no model: its programs are in the random moves
            if (LABS / getattr(labs, name).NAME / "model.js").exists():
                found += [f"model: {fault}" for fault in in_node(name, given.moves, given.seed)["faults"]]
                settings = f"{given.moves:,}"
            sizes = [" · ".join(f"{size[n]:.{n % 2}f}" for size in page["sizes"]) for n in range(3)]
            rows.append([name, f"{page['moves']:,}", f"{page['seconds']:.0f}", len(found), *sizes, settings])
            print(*rows[-1], *found, sep=" | ", flush=True)
            faults += found
    print(table(["lab", "moves", "s", "faults", "nodes", "heap MB", "listeners", "settings in node"], rows))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
