"""Sphinx extension: what is not the core of a chapter is folded, and minutes are counted.

Folded are each ### section under "Going deeper", and the sections "Common mistakes in texts about this" and "Shape table". Their
headings stay in sight and in the table of contents. The line in italics that says what a chapter needs begins with the minutes
that it takes: for what is not folded, without the exercise; for the exercise under "Your turn"; and for everything.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.writers.html5 import HTML5Translator

DEEPER = "going-deeper"
FOLDED = ("common-mistakes", "shape-table")  # how their names begin
TURN = "your-turn"
WORDS_A_MINUTE = {"prose": 150, "code": 75, "exercise": 25}  # an exercise is read, thought over and written
HIDDEN = {"check", "hide-input", "remove-input"}  # tags of cells whose code is not in sight
_LAB = 'data-lab="'
_EXERCISE = re.compile(r'data-lab="code" data-state=\'([^\']*)\'')


class PlainChecks(SphinxTransform):
    """Leave the colours out of cells that are tagged `check`: their markup is a twentieth of a page that hardly anybody opens."""

    default_priority = 900

    def apply(self, **kwargs: Any) -> None:
        for cell in self.document.findall(nodes.container):
            if "check" in cell.get("cell_metadata", {}).get("tags", []):
                for code in cell.findall(nodes.literal_block):
                    code["language"] = "none"


class Fold(SphinxTransform):
    """Mark the sections that are folded, and keep the minutes, rounded: another page adds them up."""

    default_priority = 900

    def apply(self, **kwargs: Any) -> None:
        if not self.env.docname.startswith("chapters/"):
            return
        for section in self.document.findall(nodes.section):
            parent = section.parent
            below = isinstance(parent, nodes.section) and DEEPER in parent["ids"]
            section["folded"] = below or any(name.startswith(FOLDED) for name in section["ids"])
        kept_minutes(self.env)[self.env.docname] = {part: round(time) for part, time in minutes(self.document).items()}


def part_of(node: nodes.Node | None) -> str:
    """Whether a node lies in what is folded, under "Your turn" or in the rest, the core."""
    while node is not None:
        if isinstance(node, nodes.section) and (node.get("folded") or TURN in node["ids"]):
            return "folded" if node["folded"] else "turn"
        node = node.parent
    return "core"


def minutes(doctree: nodes.document) -> dict[str, float]:
    """How long a reader needs for the core, for its exercise, and for all.

    A minute for 150 words of prose, for 75 of code and for 25 of an exercise, its text and its code; and a minute for each table,
    figure, lab and thing to try. Hidden code does not count.
    """
    of = {"core": 0.0, "turn": 0.0, "folded": 0.0}
    for node in doctree.findall():
        part = part_of(node)
        if isinstance(node, nodes.Text) and not _inside(node, (nodes.table, nodes.raw, nodes.comment)) and not _hidden(node):
            kind = "exercise" if part == "turn" else "code" if _inside(node, (nodes.literal_block,)) else "prose"
            of[part] += _words(node) / WORDS_A_MINUTE[kind]
        elif isinstance(node, nodes.raw):
            text = node.astext()  # a lab has a table that only a page without JavaScript shows
            exercises = [json.loads(html.unescape(state))["code"] for state in _EXERCISE.findall(text)]
            of[part] += sum(map(_words, exercises)) / WORDS_A_MINUTE["exercise"]
            of[part] += text.count(_LAB) - len(exercises) or (text.count("<table") if not exercises else 0)
        elif isinstance(node, nodes.table | nodes.image) or (isinstance(node, nodes.list_item) and _acts(node)):
            of[part] += 1
    return {"core": of["core"], "turn": of["turn"], "all": sum(of.values())}


def _words(text: str) -> int:
    return len(re.findall(r"\w+", text))


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


def merge_minutes(app: Sphinx, env: BuildEnvironment, pages: Iterable[str], other: BuildEnvironment) -> None:
    """Take over the minutes of pages that another process has read."""
    kept_minutes(env).update({page: of for page, of in kept_minutes(other).items() if page in pages})


def kept_minutes(env: BuildEnvironment) -> dict[str, dict[str, int]]:
    """The minutes of all chapters, which stay from one build to the next."""
    kept: dict[str, dict[str, int]] = env.__dict__.setdefault("attn_minutes", {})
    return kept


def write_minutes(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the minutes in front of the first paragraph of a chapter that is all in italics."""
    paragraphs = doctree.findall(nodes.paragraph) if page.startswith("chapters/") else ()
    if line := next((one for one in paragraphs if [*map(type, one)] == [nodes.emphasis]), None):
        of = kept_minutes(app.env)[page]
        told = f"{of['core']} minutes, and {of['turn']} for Your turn; {of['all']} with everything under Going deeper. "
        line[0].insert(0, nodes.Text(told))


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
    app.add_transform(PlainChecks)
    app.add_transform(Fold)
    app.add_node(nodes.section, override=True, html=(visit_section, depart_section))
    app.add_node(nodes.title, override=True, html=(visit_title, depart_title))
    app.connect("env-merge-info", merge_minutes)
    app.connect("doctree-resolved", write_minutes, priority=100)
    return {"env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}
