"""How long CodeLab takes from a key to the painted rows, on a page that is opened from disk: python benchmarks/code.py.

A program of 25 lines is typed on at its end, a key at a time. The table has the time from the key until its rows are painted: the
worker runs the whole program, and the page draws its rows and its large tensor. On a screen of 60 Hz, a key comes at any time
between two frames, and what is ready waits for the next one. With frames that wait for no screen, the time is that of the work
alone. All times are medians in ms.
"""

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import open_browser
from lab_pages import write_page
from labs import LATER

from attn import table
from attn.labs import CodeLab
from attn.labs.code.examples import EXAMPLES

SIZES = ((2, 3, 5, 4), (4, 8, 24, 16))  # B, H, L, D
KEYS = 60
FRAMES = {"60 Hz": (), "no wait": ("--disable-frame-rate-limit", "--disable-gpu-vsync")}
TYPE = """async keys => {
  const root = document.querySelector('.attn-lab-root');
  const area = root.querySelector('textarea');
  const times = [];
  area.focus();
  for (let n = 0; n < keys; n++) {
    await new Promise(done => setTimeout(done, 60 + 17 * Math.random()));
    const start = performance.now();
    const drawn = new Promise(done => root.addEventListener('attn-drawn', function see() {
      if (root.getAttribute('aria-busy') !== 'false') return;
      root.removeEventListener('attn-drawn', see);
      requestAnimationFrame(() => later().then(done));  // the lab draws before this frame, which paints it
    }));
    area.setRangeText(String(n % 10), area.value.length, area.value.length, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
    times.push(await drawn - start);
  }
  return times;
}"""


def program(B: int, H: int, L: int, D: int) -> str:
    """The layer of the examples at these sizes, without blank lines: 25 lines, of which the last one is being typed."""
    text = EXAMPLES["a layer"].replace("B, L, E, H = 2, 5, 12, 3", f"B, L, E, H = {B}, {L}, {H * D}, {H}")
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join([*lines, *["z = y.transpose(1, 2)"] * (24 - len(lines)), "n = 1"])


def main() -> None:
    rows = []
    for frames, flags in FRAMES.items():
        with tempfile.TemporaryDirectory() as folder, open_browser(*flags) as browser:
            for sizes in SIZES:
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                code = program(*sizes)
                page.goto(write_page(Path(folder, "lab.html"), [CodeLab(code=code)]))
                page.locator(".attn-lab-root[aria-busy=false] .made").first.wait_for()
                page.evaluate(LATER)
                times = page.evaluate(TYPE, KEYS)[5:]
                rows.append((str(sizes), str(code.count("\n") + 1), frames, f"{statistics.median(times):.1f}", f"{max(times):.1f}"))
                page.close()
    print(table(("(B, H, L, D)", "lines", "frames", "key to painted rows", "worst"), rows))


if __name__ == "__main__":
    main()
