"""A chapter as a notebook file that runs on its own, wherever a reader puts it."""

import html
import re
from pathlib import Path

import jupytext
import nbformat

NEEDED = ("attn", "anywidget", "matplotlib")
# The version of PyTorch that made the book. With another one, a check of a number or of a message may fail.
TORCH = re.search(r"^torch==(\S+)", (Path(__file__).parents[2] / "requirements.txt").read_text("utf-8"), re.M)[1]  # type: ignore[index]
# Chapters are .ipynb in this branch of the repository, where the workflow puts them: Colab opens no other format.
BRANCH = "notebooks"

INSTALLS = """\
# Run this cell first. It installs the package `attn`, with its labs and figures, if they are missing here.
import importlib.util

if not all(map(importlib.util.find_spec, {needed})):
    %pip install --quiet "attn[labs] @ git+{repository}"
"""
EXPLAINS = """\
# Run this cell first. It says what to do if the package `attn`, with its labs and figures, is missing here.
import importlib.util
import sys

if missing := [name for name in {needed} if not importlib.util.find_spec(name)]:
    raise ModuleNotFoundError(
        f"This notebook needs {{', '.join(missing)}}. In a terminal, in the folder of the project (with pyproject.toml), run\\n\\n"
        f'    "{{sys.executable}}" -m pip install ".[labs]" torch=={torch}\\n\\n'
        "and then this cell again."
    )
"""
COMPARES = """
import torch

if not torch.__version__.startswith("{torch}"):
    print("The book was made with torch {torch}, this is torch", torch.__version__ + ". A cell that checks the text may fail here.")
"""
_CHAPTER = re.compile(r"(?<=\]\()(\d\d-[\w-]+)\.md(?:#[\w-]+)?(?=\))")
TRY = re.compile(r"""\[((?:[^][]|\[[^][]*\])+)\]\(#try\s+(?:"([^"]*)"|'([^']*)')\)""")
_PAGE = re.compile(r"\[((?:[^][]|\[[^][]*\])*)\]\(\.\./(book/[\w-]+)\.md(#[\w-]+)?\)")


def standalone(path: Path, repository: str, site: str) -> nbformat.NotebookNode:
    """The chapter with a first cell that says and does what it needs, captions under its figures, and links that lead somewhere.

    A cell that only checks the text does not stop the cells below it: with another version of PyTorch it may fail.

    repository: the address of the repository; empty if it is unknown, and then the cell installs nothing.
    site: the address of the published book; empty if it is unknown.
    """
    notebook = jupytext.read(path)
    cell = (INSTALLS if repository else EXPLAINS) + COMPARES
    cell = cell.format(needed=NEEDED, repository=repository, torch=TORCH)
    cells = [nbformat.v4.new_code_cell(cell.rstrip(), id="what-it-needs")]
    for each in notebook.cells:
        cells.append(each)
        if "check" in each.metadata.get("tags", []):
            each.metadata["tags"] = [*each.metadata["tags"], "raises-exception"]
        if each.cell_type == "markdown":
            each.source = sentences(outside(each.source, repository, site))
        elif figure := each.metadata.get("mystnb", {}).get("figure"):
            cells.append(nbformat.v4.new_markdown_cell(f"**Figure.** {figure['caption']}", id=figure["name"]))
    notebook.cells = cells
    return notebook


def sentences(text: str) -> str:
    """The text of a cell with sentences that act as text: outside JupyterLab no script makes buttons of them.

    The settings are what a pointer on the words shows, and what the labs' script reads in JupyterLab (kit/tries.js).
    """

    def sentence(link: re.Match[str]) -> str:
        return f'<span class="attn-try" title="{html.escape(link[2] or link[3])}">{link[1]}</span>'

    return TRY.sub(sentence, text)


def outside(text: str, repository: str, site: str) -> str:
    """The text of a cell without links that only the book can follow.

    Links to chapters lead to their notebooks, links to other pages to the published book or else to the repository's file. If both
    addresses are unknown, the words of such a link stay and the link does not.
    """

    def page(link: re.Match[str]) -> str:
        words, name, place = link[1], link[2], link[3] or ""
        if site:
            return f"[{words}]({site.rstrip('/')}/{name}.html{place})"
        return f"[{words}]({repository}/blob/HEAD/{name}.md)" if repository else words

    return _PAGE.sub(page, _CHAPTER.sub(r"\1.ipynb", text))


def write(path: Path, target: Path, repository: str, site: str) -> None:
    """Write the chapter as a notebook file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    jupytext.write(standalone(path, repository, site), target, fmt="ipynb")
