"""Books of a few pages, built with the extensions of the real one, each time in a fresh process."""

import io
import logging
import os
import socket
import sys
from concurrent.futures import Executor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

EXTENSIONS = Path(__file__).parents[1] / "book" / "_ext"
PRELOADED = ("sphinx.cmd.build", "myst_nb.sphinx_ext")  # of what every build imports, this takes most of the time


class SmallBook:
    """The sources of a book in a folder. Where there is a copy of the package in src/, the book is built with it."""

    def __init__(self, path: Path, processes: Executor, settings: str):
        self.path, self.processes, self.html = path, processes, path / "out" / "html"
        (path / "conf.py").write_text(settings)

    def write(self, page: str, text: str) -> Path:
        path = self.path / f"{page}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def read(self, page: str) -> str:
        """The HTML of a page."""
        return (self.html / f"{page}.html").read_text("utf-8")

    def build(self) -> str:
        """Bring the pages up to date, and return what Sphinx prints."""
        code, output = self.processes.submit(run_sphinx, self.path).result(timeout=300)
        assert code == 0, output
        return output


def run_sphinx(book: Path) -> tuple[int, str]:
    """The exit code of Sphinx, and what it printed."""
    from sphinx.cmd.build import main

    package = str(book / "src")
    sys.path[:0] = [package, str(EXTENSIONS)]
    os.environ["PYTHONPATH"] = os.pathsep.join([package, os.environ.get("PYTHONPATH", "")])  # for the kernels
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        code = main(["-W", "--keep-going", "-n", "-N", "-d", str(book / "out" / "doctrees"), str(book), str(book / "out" / "html")])
    return code, output.getvalue()


def wait_for_other_builds(folder: Path, listener: tuple[str, int], ended: Path) -> None:
    """Wait as a build does whose pages go into this folder. Tell a listener what it says, and whether `ended` exists afterwards."""
    sys.path.insert(0, str(EXTENSIONS))
    import attn_publish

    with socket.create_connection(listener) as connection, connection.makefile("w", buffering=1) as said:
        logging.basicConfig(stream=said, level="INFO", format="%(message)s")
        attn_publish.wait_for_other_builds(folder)
        print(f"the other build has ended: {ended.exists()}", file=said)
