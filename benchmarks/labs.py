"""How long a lab takes from a slider's event to the painted frame: on a built page, in the kernel, and through JupyterLab.

    python benchmarks/labs.py            # all of it
    python benchmarks/labs.py HeadsLab   # these labs on a page

Pages are opened from disk in the system's Chromium. Every lab is set to the largest sizes of a page, and each of its sliders is
moved back and forth; the table shows the slowest slider. All times are medians in ms. Drawn: from the event to the end of drawing.
Painted: from the event until the browser has laid out and painted the frame. Both are for an event at the start of a frame, when
browsers deliver mouse movements. Anytime: as painted, for an event at any moment, with the wait for the next frame (8 ms on
average). A second table has the frames of moves: each action of a lab is pressed, and while the lab moves, the time from the
beginning of each frame until it is painted is taken. A third table has the times of ShapeLab in the kernel, and from its slider to
the painted frame in a real JupyterLab.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import torch
import traitlets

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import open_browser
from jupyter import open_notebook, run_cell, running_jupyterlab, write_notebook
from lab_pages import write_page

from attn import labs, table
from attn.labs import ShapeLab
from attn.labs.lab import Lab
from attn.shapes import AXES, ShapeError

# A message that is posted while a frame is being drawn arrives after that frame has been painted.
LATER = """window.later = () => new Promise(done => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => done(performance.now());
  port2.postMessage(0);
})"""
MOVES = """async ([n, values]) => {
  const slider = document.querySelectorAll('.attn-lab-root input[type=range]')[n];
  const root = slider.closest('.attn-lab-root');
  const times = [];
  for (const value of values) {
    await new Promise(done => setTimeout(done, 20 + 30 * Math.random()));
    const frame = new Promise(done => requestAnimationFrame(() => done(performance.now())));
    const end = new Promise(done => {
      root.addEventListener('attn-drawn', () => done([performance.now(), later()]), { once: true });
      setTimeout(done, 5000, null);
    });
    const start = performance.now();
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    const handled = performance.now() - start;
    const [began, ended] = [await frame, await end];
    if (!ended) return null;
    const painted = await ended[1];
    times.push([handled + ended[0] - began, handled + painted - began, painted - start]);
  }
  return times;
}"""
# While the lab moves: the time from the beginning of each frame until it is painted.
FRAMES = """async n => {
  const chip = document.querySelectorAll('.attn-lab-root .chip')[n];
  const root = chip.closest('.attn-lab-root');
  const times = [];
  chip.click();
  for (let waited = 0; waited < 5 || root.hasAttribute('data-moving'); waited += 1)
    times.push(await new Promise(done => requestAnimationFrame(begun => later().then(painted => done(painted - begun)))));
  return times;
}"""
SLIDERS = """root => [...root.querySelectorAll('input[type=range]')].map(node => ({
  label: node.labels[0]?.querySelector('span').textContent ?? node.ariaLabel,
  working: !node.disabled && node.checkVisibility(),
  least: +node.min, most: +node.max, step: +node.step || 1, value: node.valueAsNumber }))"""


def sizes_of(lab: Lab) -> list[str]:
    return [name for name in lab.STATE if name in AXES]


def largest(name: str) -> Lab:
    """A lab at the largest sizes that a page allows: each size in turn is as large as the others permit."""
    lab: Lab = getattr(labs, name)()
    for size in sizes_of(lab):
        trait = lab.traits()[size]
        least, most = lab.PAGE_LIMITS.get(size, (0, -1))
        for value in sorted(trait.values if isinstance(trait, traitlets.Enum) else range(least, most + 1), reverse=True):
            with suppress(ShapeError, traitlets.TraitError):
                setattr(lab, size, value)
                break
    return lab


def in_the_browser(names: Sequence[str], moves: int = 24) -> None:
    measured, moved = [], []
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        for name in names:
            lab = largest(name)
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(write_page(Path(folder, "lab.html"), [lab]))
            root = page.locator(".attn-lab-root")
            root.wait_for()
            page.evaluate(LATER)
            rows = []
            for n, slider in enumerate(root.evaluate(SLIDERS)):
                back = slider["value"] - slider["step"] if slider["value"] > slider["least"] else slider["value"] + slider["step"]
                values = [back, slider["value"]] * (moves // 2)
                if slider["working"] and (times := page.evaluate(MOVES, [n, values])):
                    columns = list(zip(*times, strict=True))
                    rows.append(([statistics.median(column) for column in columns], max(columns[1]), slider["label"]))
            for n, chip in enumerate(root.locator(".chip").all_inner_texts()):
                times = page.evaluate(FRAMES, n)
                moved.append((name, chip, len(times), f"{statistics.median(times):.1f}", f"{max(times):.1f}"))
            page.close()
            if not rows:  # a lab whose sliders all rest at the largest sizes
                continue
            medians, worst, label = max(rows, key=lambda row: row[0][1])
            sizes = ", ".join(f"{size} = {getattr(lab, size)}" for size in sizes_of(lab))
            measured.append((name, sizes, label, *(f"{ms:.1f}" for ms in (*medians, worst))))
    print(table(("lab", "sizes", "slider", "drawn", "painted", "anytime", "worst painted"), measured))
    if moved:
        print("", table(("lab", "action", "frames", "median ms", "worst ms"), moved), sep="\n")


def in_the_kernel() -> tuple[str, ...]:
    """The time from a new setting until the kernel's answer is ready to send."""
    lab = ShapeLab(B=4, H=8, L=64, D=64)
    times = []
    for n in range(40):
        start = time.perf_counter()
        lab.L = 63 + n % 2
        times.append(1000 * (time.perf_counter() - start))
    sent = sum(len(sent) for sent in lab._answer["tensors"].values() if isinstance(sent, bytes)) / 2**20
    return "kernel: compute and answer", f"{statistics.median(times):.1f}", f"{max(times):.1f}", f"{sent:.2f}"


ROUND_TRIP = """async (moves) => {
  const root = document.querySelector('.attn-lab-root');
  const slider = root.querySelector('.slider[data-axis=L] input');
  const times = [];
  for (const L of moves) {
    await new Promise(done => setTimeout(done, 300));
    const start = performance.now();
    const drawn = new Promise(done => root.addEventListener('attn-drawn', function see() {
      const busy = root.getAttribute('aria-busy') !== 'false';
      if (busy || !root.querySelector('.about').textContent.includes(`8, ${L}, ${L})`)) return;
      root.removeEventListener('attn-drawn', see);
      later().then(painted => done(painted - start));
    }));
    slider.value = L;
    slider.dispatchEvent(new Event('input'));
    times.push(await drawn);
  }
  return times;
}"""


def in_jupyterlab() -> tuple[str, ...]:
    """The time from a slider's event, through the kernel, to the painted frame in a real JupyterLab."""
    with tempfile.TemporaryDirectory() as folder, running_jupyterlab(Path(folder)) as address, open_browser() as browser:
        cell = (
            "import torch; torch.set_num_threads(2)\nfrom attn.labs import ShapeLab\nShapeLab(B=4, H=8, L=64, D=64, step='weights')"
        )
        write_notebook(Path(folder, "lab.ipynb"), cell)
        page = browser.new_page(viewport={"width": 1280, "height": 1400})
        open_notebook(page, address, "lab.ipynb")
        run_cell(page, 0)
        page.locator(".attn-lab-root .backend").wait_for()
        page.evaluate(LATER)
        times = page.evaluate(ROUND_TRIP, [63 + n % 2 for n in range(41)])[1:]
    return "JupyterLab: event to painted frame", f"{statistics.median(times):.1f}", f"{max(times):.1f}", "–"


if __name__ == "__main__":
    torch.set_num_threads(2)
    in_the_browser(sys.argv[1:] or labs.__all__)
    if not sys.argv[1:]:
        columns = ("ShapeLab at (4, 8, 64, 64)", "median ms", "worst ms", "MiB sent")
        print("", table(columns, [in_the_kernel(), in_jupyterlab()]), sep="\n")
