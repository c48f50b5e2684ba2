"""Sphinx extension: a build that fails changes nothing that readers see.

Pages are written into a folder beside the book, `_build/.html`, and take the place of the book, `_build/html`, when everything went
well. A build that fails says which cell of which page failed, and why, and forgets what it has read: Sphinx would not repeat the
warnings about a page, nor run its cells again.
"""

import ast
import re
import shutil
import sys
from pathlib import Path
from typing import IO, Any

import jupytext
from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

logger = logging.getLogger(__name__)
held: list[IO[str]] = []  # the lock of this build
failed: list[str] = []  # the cells that failed in this build, each with the last line of its error

_FAILED = re.compile(r"following cell:\n-+\n(.*?)\n-{5,}\n(.*)|timed out.*?after (\d+) seconds.*?contents:\n-+\n(.*?)\n-{5,}", re.S)
_COLOUR = re.compile(r"\x1b\[[\d;]*m")


def build_beside(app: Sphinx, config: Config) -> None:
    """Write everything into the folder beside the book, when no other build does."""
    app.outdir = type(app.outdir)(beside(Path(app.outdir)))
    wait_for_other_builds(Path(app.outdir))


def wait_for_other_builds(folder: Path) -> None:
    """Return when no other process builds in this folder. The lock ends with the build, or with its process."""
    release()
    if sys.platform == "win32":  # it has no such locks
        return
    import fcntl

    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = folder.with_name(f"{folder.name}-lock").open("w")
    held.append(lock)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        logger.info("Another build of this book is running. This one waits for it.")
        fcntl.flock(lock, fcntl.LOCK_EX)


def release() -> None:
    while held:
        held.pop().close()


def beside(book: Path) -> Path:
    """The folder in which the book of this folder is built."""
    return book.with_name(f".{book.name}")


def report_cell(app: Sphinx, doctree: nodes.document) -> None:
    """If a cell of the page that was read failed, say which one and why."""
    page = app.env.docname
    executed = NbMetadataCollector.get_exec_data(app.env, page)
    if not executed or executed["succeeded"]:
        return
    cell, error = cell_and_error(executed["traceback"] or "")
    path = app.env.doc2path(page)
    where, line = place_of(cell, Path(path).read_text("utf-8"), path)
    logger.error(
        "%s fails, and no cell after it has run:\n\n%s\n\n%s", where, indented(first_lines(cell)), error, location=(page, line)
    )
    last = (error.strip().splitlines() or [""])[-1]
    failed.append(f"{app.env.doc2path(page, base=False)}{f', line {line}' if line else ''}, {where[0].lower()}{where[1:]}: {last}")
    app.statuscode = 1


def cell_and_error(traceback: str) -> tuple[str, str]:
    """The code of the cell that failed, and the last lines of its error."""
    found = _FAILED.search(_COLOUR.sub("", traceback))
    if found is None:
        return "", traceback.strip()
    cell, error, seconds, start = found.groups()
    if seconds:
        return start, f"It took more than {seconds} seconds."
    return cell, error.strip().rpartition("\n\n")[2] or error.strip()


def place_of(cell: str, text: str, path: str) -> tuple[str, int | None]:
    """Which cell of a page this is, in words, and its line. (A cell that runs too long is known by its first lines alone.)"""
    code = [one.source.strip() for one in jupytext.read(path, fmt="md:myst").cells if one.cell_type == "code"]
    start = first_lines(cell)
    numbers = [n for n, source in enumerate(code) if source.startswith(start)] if start else []
    if not numbers:
        return "A cell", None
    before = text.find(start)
    return f"Cell {numbers[0] + 1} of {len(code)}", text.count("\n", 0, before) + 1 if before >= 0 else None


def first_lines(cell: str) -> str:
    """The code of a cell, or what its error says of it: if it ran too long and is long, a list of its first lines."""
    code = cell.strip()
    return "\n".join(ast.literal_eval(code.partition("\n")[0])) if code.startswith("['") else code


def indented(code: str) -> str:
    return "\n".join(f"    {line}" for line in code.splitlines())


def publish(app: Sphinx, error: Exception | None) -> None:
    """Put the new pages in the place of the book, or keep the book and say why. Another build may begin then."""
    try:
        put_in_place(app, error)
    finally:
        release()


def put_in_place(app: Sphinx, error: Exception | None) -> None:
    built, book = Path(app.outdir), Path(app.outdir).with_name(Path(app.outdir).name[1:])
    app.outdir = type(app.outdir)(book)
    if error or app.statuscode or (app.keep_going and app._warncount):
        Path(app.doctreedir, "environment.pickle").unlink(missing_ok=True)
        if failed:
            logger.info("\nThese cells failed; what they say is above.\n%s", indented("\n".join(failed)))
        kept = (book / f"{app.config.root_doc}.html").exists()
        still = "The book is still that of the last build that went well." if kept else "No book was built before."
        logger.info("%s The pages of this build are in %s.", still, built)
        return
    fresh, old = book.with_name(f".{book.name}-new"), book.with_name(f".{book.name}-old")
    for left in (fresh, old):
        shutil.rmtree(left, ignore_errors=True)
    shutil.copytree(built, fresh, ignore=shutil.ignore_patterns("reports"))
    if book.exists():
        book.rename(old)
    fresh.rename(book)
    shutil.rmtree(old, ignore_errors=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above: the first before what uses the folder, the last after everything that writes into it."""
    logging.getLogger("sphinx.util.osutil").setLevel("WARNING")  # it names each picture that it writes again, below the errors
    app.connect("config-inited", build_beside, priority=100)
    app.connect("doctree-read", report_cell)
    app.connect("build-finished", publish, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
