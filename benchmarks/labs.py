"""How long a lab takes from a slider's event to the painted frame: on a built page, in the kernel, and through JupyterLab.

    python benchmarks/labs.py

A page is opened from disk in the system's Chromium, and the sliders of ShapeLab are moved 40 times around
(B, H, L, D) = (4, 8, 24, 16). Drawn: from the event to the end of drawing, projections included. Painted: to the moment after
the browser has laid out and painted the frame. Both for an event at the start of a frame, which is when browsers hand out the
movements of a mouse. Anytime: the same for an event at any moment, waiting for the next frame included (8 ms on average).
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import open_browser
from jupyter import open_notebook, run_cell, running_jupyterlab, write_notebook
from lab_pages import write_page

from attn.labs import ShapeLab

MOVES = """async (moves) => {
  const later = () => new Promise(done => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    port2.postMessage(0);
  });
  const times = [];
  for (const [axis, size] of moves) {
    const slider = document.querySelector(`.slider[data-axis=${axis}] input`);
    const root = slider.closest('.attn-lab-root');
    await new Promise(done => setTimeout(done, 20 + 30 * Math.random()));
    const frame = new Promise(done => requestAnimationFrame(() => done(performance.now())));
    const end = new Promise(done => {
      root.addEventListener('attn-drawn', () => done([performance.now(), later()]), { once: true });
    });
    const start = performance.now();
    slider.value = size;
    slider.dispatchEvent(new Event('input'));
    const handled = performance.now() - start;
    const [began, [drawn, painting]] = [await frame, await end];
    const painted = await painting;
    times.push([handled + drawn - began, handled + painted - began, painted - start]);
  }
  return times;
}"""


def in_the_browser() -> None:
    moves = [(axis, size) for n in range(10) for axis, size in (("L", 23 - n % 3), ("D", 15 - n % 2), ("L", 24), ("D", 16))]
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(write_page(Path(folder, "lab.html"), [ShapeLab(B=4, H=8, L=24, D=16, step="weights")]))
        page.locator(".attn-lab-root").wait_for()
        for n in range(4):
            times = page.evaluate(MOVES, moves)
            for what, column in zip(("drawn", "painted", "anytime"), zip(*times, strict=True), strict=True):
                print(f"page, round {n}, {what:7}: median {statistics.median(column):5.1f} ms, worst {max(column):5.1f} ms")


def in_the_kernel() -> None:
    lab = ShapeLab(B=4, H=8, L=64, D=64)
    times = []
    for n in range(40):
        start = time.perf_counter()
        lab.L = 63 + n % 2
        times.append(1000 * (time.perf_counter() - start))
    sent = sum(map(len, lab._answer["tensors"].values())) / 2**20
    took = f"median {statistics.median(times):5.1f} ms, worst {max(times):5.1f} ms"
    print(f"kernel, (4, 8, 64, 64), compute and answer: {took}, {sent:.1f} MiB to send")


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
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    }));
    slider.value = L;
    slider.dispatchEvent(new Event('input'));
    times.push(await drawn);
  }
  return times;
}"""


def in_jupyterlab() -> None:
    """From the slider's event through the kernel to the painted frame, in a real JupyterLab."""
    with tempfile.TemporaryDirectory() as folder, running_jupyterlab(Path(folder)) as address, open_browser() as browser:
        cell = (
            "import torch; torch.set_num_threads(2)\nfrom attn.labs import ShapeLab\nShapeLab(B=4, H=8, L=64, D=64, step='weights')"
        )
        write_notebook(Path(folder, "lab.ipynb"), cell)
        page = browser.new_page(viewport={"width": 1280, "height": 1400})
        open_notebook(page, address, "lab.ipynb")
        run_cell(page, 0)
        page.locator(".attn-lab-root .side").wait_for()
        times = page.evaluate(ROUND_TRIP, [63 + n % 2 for n in range(41)])[1:]
    took = f"median {statistics.median(times):5.1f} ms, worst {max(times):5.1f} ms"
    print(f"JupyterLab, (4, 8, 64, 64), event to painted frame: {took}")


if __name__ == "__main__":
    torch.set_num_threads(2)
    in_the_browser()
    in_the_kernel()
    in_jupyterlab()
