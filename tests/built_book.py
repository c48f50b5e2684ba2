"""The book as a newcomer gets it, once for all tests: built by `make book` in a clean clone, opened from disk and over HTTP."""

import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml
from browser import watch

ROOT = Path(__file__).parents[1]
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text())
PAGES = [TOC["root"], *(entry["file"] for part in TOC["parts"] for entry in part["chapters"])]
CHAPTERS = [page for page in PAGES if page.startswith("chapters/")]
# Names that mean something inside the project mean nothing in the path that leads to it.
SOMEWHERE = Path("src", "attn", "check", "build", "dist", "_build", "_static", ".cache", "attention")
# A make inside a make would print what it inherits.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}


@dataclass
class Clone:
    path: Path
    output: str
    seconds: float

    @property
    def html(self) -> Path:
        return self.path / "_build" / "html"

    def make(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return run(["make", *arguments, f"PYTHON={sys.executable}"], self.path)


def run(command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=cwd, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


@pytest.fixture(scope="session")
def clone(tmp_path_factory):
    """What git would clone (uncommitted changes included), in an empty directory, after `make book`."""
    path = tmp_path_factory.mktemp("clone") / SOMEWHERE
    files = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], ROOT).stdout.split("\0")
    for name in filter(None, files):
        if (ROOT / name).exists():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, path / name)
    for command in ("init --quiet", "add --all"):
        run(["git", *command.split()], path)
    started = time.monotonic()
    built = run(["make", "book", f"PYTHON={sys.executable}"], path)
    seconds = time.monotonic() - started
    if built.returncode:
        pytest.fail(f"make book fails in a clean clone:\n{built.stdout[-8000:]}", pytrace=False)
    yield Clone(path, built.stdout, seconds)
    shutil.rmtree(path / ".venv")


@pytest.fixture(scope="session")
def served(clone):
    """The built book over HTTP."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=clone.html)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(params=["file", "http"])
def site(request, clone):
    """The address of the book, from disk and over HTTP."""
    return clone.html.as_uri() if request.param == "file" else request.getfixturevalue("served")


class Visit:
    """A page opened in the browser, with everything that went wrong on it."""

    def __init__(self, browser, site: str, page: str, width: int = 1280, theme: str = "light"):
        # The reader's choice of a theme must win over the system's, so the system prefers the other one.
        system = "dark" if theme == "light" else "light"
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=system)
        self.context.add_init_script(f"localStorage.setItem('mode', '{theme}'); localStorage.setItem('theme', '{theme}')")
        self.tab = self.context.new_page()
        self.troubles = watch(self.tab, site)
        self.tab.goto(f"{site}/{page}.html", wait_until="load")
        self.tab.evaluate("window.MathJax?.startup?.promise")
        self.tab.evaluate("document.fonts.ready.then(() => null)")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()
