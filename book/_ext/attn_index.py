"""Sphinx extension: the index is made from the glossary, so that chapters need no directives.

A linked term in the first column of a table of the glossary is an entry of the index. The entry leads to the section that the link
leads to or into. What code and papers call the term leads there, too. The search knows the entries of the index.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.index_entries import split_index_msg

GLOSSARY = "book/glossary"
_TERM = re.compile(r"\[([^\]]+)\]\(#([\w-]+)\)")
_NAMES = re.compile(r"`[^`]+`(?:, `[^`]+`)*")  # and no other words, which would restrict the names
_LONG_ENOUGH = re.compile(r"\w[\w.^-]")


def terms(glossary: Path) -> dict[str, str]:
    """The terms of the glossary, each with the label that explains it."""
    return {
        name: label
        for cell in re.findall(r"^\| (\[.+?) \| ", glossary.read_text("utf-8"), re.M)
        for name, label in _TERM.findall(cell)
    }


def entries(glossary: Path) -> Iterator[tuple[str, str]]:
    """The terms of the glossary and their other names, each with the label that explains it."""
    for row in re.findall(r"^\| (\[.+) \|$", glossary.read_text("utf-8"), re.M):
        term, _, torch, library, papers, _ = row.split(" | ")
        code = [name for cell in (torch, library) if _NAMES.fullmatch(cell) for name in re.findall("`([^`]+)`", cell)]
        names = [name for name in (*code, *papers.split(", ")) if _LONG_ENOUGH.match(name)]
        terms = dict(_TERM.findall(term))
        yield from terms.items()
        yield from ((name, next(iter(terms.values()))) for name in names if name not in terms)


class Index(SphinxTransform):
    """Put the entries that lead to this page into it."""

    default_priority = 840  # the labels of cells are known, and Sphinx has not collected the entries

    def apply(self, **kwargs: Any) -> None:
        glossary = Path(self.env.doc2path(GLOSSARY))
        if self.env.docname == GLOSSARY or not glossary.exists():
            return
        self.env.note_dependency(str(glossary))
        places = {name: node for node in self.document.findall(nodes.Element) for name in (*node["ids"], *node["names"])}
        for name, label in dict.fromkeys(entries(glossary)):
            if label in places:
                section = section_of(places[label])
                section.append(addnodes.index(entries=[("single", name, section["ids"][0], "main", None)]))


def section_of(node: nodes.Element) -> nodes.Element:
    """The section that a node is or lies in."""
    while not isinstance(node, nodes.section):
        node = node.parent
    return node


def keep_entries(app: Sphinx) -> list[Any]:
    """Give the search the entries of pages that are not written again. From its last index Sphinx takes only words and titles."""
    indexer: Any = getattr(app.builder, "indexer", None)
    for page, entries_of_page in app.env.domaindata["index"]["entries"].items() if indexer else ():
        found = {(name, place, main) for kind, text, place, main, _ in entries_of_page for name in split_index_msg(kind, text)}
        indexer._index_entries.setdefault(page, sorted(found))
    return []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above."""
    app.add_transform(Index)
    app.connect("html-collect-pages", keep_entries)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
