"""Sphinx extension: what is not the core of a chapter is folded, and minutes are counted.

Folded are each ### section under "Going deeper", and the sections "Common mistakes in texts about this" and "Shape table". Their
headings stay in sight and in the table of contents. The role {minutes}`core` is the time that a reader needs for what is not
folded, {minutes}`all` for everything.
"""

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxRole
from sphinx.writers.html5 import HTML5Translator

DEEPER = "going-deeper"
FOLDED = ("common-mistakes", "shape-table")  # how their names begin
WORDS_A_MINUTE = 150
MINUTES_OF_AN_EXERCISE = 2
HIDDEN = {"check", "hide-input", "remove-input"}  # tags of cells whose code is not in sight
_LAB = 'data-lab="'
_EXERCISE = 'data-lab="code"'


class Minutes(nodes.inline):
    """The place of a number of minutes; its attribute "part" is "core" or "all"."""


class MinutesRole(SphinxRole):
    """Makes a Minutes of its text."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        if self.text not in ("core", "all"):
            message = f"{{minutes}}`{self.text}`: it is core or all."
            return [], [self.inliner.reporter.warning(message, line=self.lineno)]
        return [Minutes(part=self.text)], []


class PlainChecks(SphinxTransform):
    """Leave the colours out of cells that are tagged `check`: their markup is a twentieth of a page that hardly anybody opens."""

    default_priority = 900

    def apply(self, **kwargs: Any) -> None:
        for cell in self.document.findall(nodes.container):
            if "check" in cell.get("cell_metadata", {}).get("tags", []):
                for code in cell.findall(nodes.literal_block):
                    code["language"] = "none"


class Fold(SphinxTransform):
    """Mark the sections that are folded."""

    default_priority = 900

    def apply(self, **kwargs: Any) -> None:
        if not self.env.docname.startswith("chapters/"):
            return
        for section in self.document.findall(nodes.section):
            parent = section.parent
            below = isinstance(parent, nodes.section) and DEEPER in parent["ids"]
            section["folded"] = below or any(name.startswith(FOLDED) for name in section["ids"])


def is_folded(node: nodes.Node | None) -> bool:
    """Whether a node is a folded section or lies in one."""
    while node is not None:
        if isinstance(node, nodes.section) and node.get("folded"):
            return True
        node = node.parent
    return False


def minutes(doctree: nodes.document, *, folded: bool) -> int:
    """How long a reader needs: words at 150 a minute, a minute for each table, figure, lab and thing to try, two for an exercise.

    folded: whether what is folded counts. Code counts as its words do, and hidden code does not.
    """
    words, extra = 0, 0
    for node in doctree.findall():
        if not folded and is_folded(node):
            continue
        if isinstance(node, nodes.Text) and not _inside(node, (nodes.table, nodes.raw, nodes.comment)):
            words += len(re.findall(r"\w+", node)) if not _hidden(node) else 0
        elif isinstance(node, nodes.raw):
            text = node.astext()  # a lab has a table that only a page without JavaScript shows
            exercises = text.count(_EXERCISE)
            extra += MINUTES_OF_AN_EXERCISE * exercises + text.count(_LAB) - exercises or text.count("<table")
        elif isinstance(node, nodes.table | nodes.image) or (isinstance(node, nodes.list_item) and _acts(node)):
            extra += 1
    return round(words / WORDS_A_MINUTE + extra)


def _acts(node: nodes.Element) -> bool:
    return any("try" in inline for inline in node.findall(nodes.inline))


def _inside(node: nodes.Node, kinds: tuple[type[nodes.Node], ...]) -> bool:
    return any(isinstance(above, kinds) for above in _above(node))


def _hidden(node: nodes.Node) -> bool:
    """Whether a text is the code of a cell that a reader has to open."""
    return _inside(node, (nodes.literal_block,)) and any(
        HIDDEN & set(above.get("cell_metadata", {}).get("tags", [])) for above in _above(node) if isinstance(above, nodes.container)
    )


def _above(node: nodes.Node) -> Iterator[nodes.Element]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def write_minutes(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the numbers in."""
    for node in list(doctree.findall(Minutes)):
        node.replace_self(nodes.Text(str(minutes(doctree, folded=node["part"] == "all"))))


def visit_section(translator: HTML5Translator, node: nodes.section) -> None:
    """Begin a section; what follows its heading is folded."""
    type(translator).visit_section(translator, node)
    if node.get("folded"):
        translator.body.append('<details class="deeper">')


def depart_section(translator: HTML5Translator, node: nodes.section) -> None:
    """End it."""
    if node.get("folded"):
        translator.body.append("</details>\n")
    type(translator).depart_section(translator, node)


def visit_title(translator: HTML5Translator, node: nodes.title) -> None:
    """The heading of a folded section opens it."""
    if node.parent.get("folded"):
        translator.body.append("<summary>")
    type(translator).visit_title(translator, node)


def depart_title(translator: HTML5Translator, node: nodes.title) -> None:
    """End the heading."""
    type(translator).depart_title(translator, node)
    if node.parent.get("folded"):
        translator.body.append("</summary>\n")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register all of it."""
    app.add_role("minutes", MinutesRole())
    app.add_transform(PlainChecks)
    app.add_transform(Fold)
    app.add_node(nodes.section, override=True, html=(visit_section, depart_section))
    app.add_node(nodes.title, override=True, html=(visit_title, depart_title))
    app.connect("doctree-resolved", write_minutes, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
