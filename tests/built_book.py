"""The built book, once for all tests: `make book` in this checkout, opened from disk and over HTTP."""

import fcntl
import functools
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
import pytest
import yaml
from browser import watch
from late import Late

jupyter_cache = Late("jupyter_cache")
ROOT = Path(__file__).parents[1]
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text())
PAGES = [TOC["root"], *(entry["file"] for part in TOC["parts"] for entry in part["chapters"])]
CHAPTERS = [page for page in PAGES if page.startswith("chapters/")]
# A make that inherits the variables of another make prints more lines.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}

# Waits for fonts and labs, and then until the size of the page has stayed the same for two frames. A lab whose script is
# loaded only when it comes near may stay as it is while it is far away or folded.
SETTLED = """async () => {
  const { documentElement: root } = document;
  const away = ({ top, bottom }) => top > innerHeight + 700 || bottom < -700;
  const far = lab => lab.dataset.lab === "code" && (!lab.checkVisibility() || away(lab.getBoundingClientRect()));
  const drawn = lab => lab.querySelector(".attn-lab-root") || lab.matches(".attn-lab-root");
  let before = "";
  for (let still = 0, frames = 0; still < 2; still += 1, frames += 1) {
    if (frames > 1200) throw new Error("the page does not come to rest");
    await document.fonts.ready;
    await new Promise(requestAnimationFrame);
    const labs = [...document.querySelectorAll(".attn-lab")].every(lab => drawn(lab) || far(lab));
    const now = [root.scrollWidth, root.scrollHeight, innerWidth].join();
    if (!labs || now !== before) still = -1;
    before = now;
  }
}"""

# What is wrong with the formulas: they are MathML in the book's own font, which a browser loads when it draws the first of them.
FORMULAS = """async () => {
  const places = [...document.querySelectorAll(".math")];
  await new Promise(requestAnimationFrame);
  await document.fonts.ready;
  const isThere = [...document.fonts].some(font => font.family.includes("STIX Two Math") && font.status === "loaded");
  const faults = places.filter(place => place.firstElementChild?.localName !== "math").map(place => place.outerHTML);
  return places.length && !isThere ? [...faults, "their font is not there"] : faults;
}"""
OPEN_FOLDS = "document.querySelectorAll('details.deeper').forEach(e => { e.open = true; })"


@dataclass(frozen=True)
class Book:
    """The folder of the pages, and the notebooks that the build has executed."""

    html: Path
    seconds: float

    def read(self, page: str) -> str:
        """The HTML of a page."""
        return (self.html / f"{page}.html").read_text("utf-8")

    @functools.cache  # noqa: B019 (there is one book)
    def executed(self, page: str) -> nbformat.NotebookNode:
        """A page as a notebook, with the outputs of its cells, which are in the cache of the build."""
        notebook = nbformat.read(self.html.parent / "jupyter_execute" / f"{page}.ipynb", as_version=4)
        (outputs,) = (self.html.parent / ".jupyter_cache").iterdir()
        return jupyter_cache.get_cache(outputs).merge_match_into_notebook(notebook)[1]


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make in this checkout, with the environment that runs the tests."""
    command = ["make", *arguments, "--assume-old=.venv/ready", f"BIN={Path(sys.executable).parent}"]
    return subprocess.run(
        command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


@pytest.fixture(scope="session")
def book(tmp_path_factory):
    """The book of this checkout. The first process that needs it builds it, and the others wait."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with (shared / "book.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = shared / "book.txt"
        if not result.exists():
            started = time.monotonic()
            built = make("book")
            result.write_text(f"{built.returncode} {time.monotonic() - started:.0f}\n{built.stdout}")
    first, _, output = result.read_text().partition("\n")
    code, seconds = map(int, first.split())
    if code:
        pytest.fail(f"make book fails:\n{output[-8000:]}", pytrace=False)
    return Book(ROOT / "_build" / "html", seconds)


@pytest.fixture(scope="session")
def served(book):
    """The address of the built book over HTTP."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=book.html)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(params=["file", "http"])
def site(request, book):
    """The address of the book, from disk and over HTTP."""
    return book.html.as_uri() if request.param == "file" else request.getfixturevalue("served")


class Visit:
    """A page that is open and drawn in the browser, with a list of everything that went wrong on it."""

    def __init__(self, new_page, site: str, page: str, theme: str = "light", script: str = "", motion: str = "no-preference"):
        # The reader's choice of a theme must win over the system's, so the system prefers the other one.
        system = "dark" if theme == "light" else "light"
        self.tab = new_page(viewport={"width": 1280, "height": 900}, color_scheme=system, reduced_motion=motion)
        self.tab.add_init_script(f"localStorage.setItem('mode', '{theme}'); localStorage.setItem('theme', '{theme}')")
        self.tab.add_init_script(script)
        self.troubles = watch(self.tab, site)
        self.tab.goto(f"{site}/{page}.html", wait_until="load")
        self.settle()

    def settle(self) -> None:
        """Wait until the page is drawn."""
        self.tab.evaluate(SETTLED)

    def resize(self, width: int, height: int) -> None:
        self.tab.set_viewport_size({"width": width, "height": height})
        self.settle()
