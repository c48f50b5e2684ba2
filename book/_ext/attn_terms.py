"""Sphinx extension: in the text of a chapter the first mention of a term is a link to the term's row in the glossary.

Only of terms that another chapter explains, and of a few on each page: links are there for a reader who has forgotten a word, and a
page full of them is hard to read. The opening, the question and what is no running text have none. A chapter needs no markup.
"""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from attn_index import GLOSSARY, terms
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.writers.html5 import HTML5Translator

MOST = 5  # on a page
# Words of every chapter, and words that mean other things, too.
PLAIN = {
    *("token", "sequence", "query", "key", "value", "mask", "softmax", "scaling", "parameter", "temperature", "einsum"),
    *("view", "copy", "split", "merge", "stride", "leak", "kernel", "buffer", "tile", "rank"),
}
NO_TEXT = (nodes.title, nodes.reference, nodes.literal, nodes.table, nodes.caption, nodes.emphasis, nodes.math)


class Term(nodes.inline):
    """A link to a row of the glossary; its attribute "term" is the id of the row."""


class Rows(SphinxTransform):
    """Give each term of the glossary an id."""

    default_priority = 845  # after the index, and before MyST resolves links

    def apply(self, **kwargs: Any) -> None:
        if self.env.docname != GLOSSARY:
            return
        for link in list(self.document.findall(nodes.reference)):
            if link.get("id_link") and link.astext() in terms(Path(self.env.doc2path(GLOSSARY))):
                link.replace_self(nodes.inline("", "", link.deepcopy(), ids=[place(link.astext())]))


class Mentions(SphinxTransform):
    """Link the first mentions in a chapter."""

    default_priority = 845

    def apply(self, **kwargs: Any) -> None:
        glossary = Path(self.env.doc2path(GLOSSARY))
        if not self.env.docname.startswith("chapters/") or not glossary.exists():
            return
        self.env.note_dependency(str(glossary))
        here = {name for node in self.document.findall(nodes.Element) for name in (*node["ids"], *node["names"])}
        names = [name for name, label in terms(glossary).items() if name not in PLAIN and label not in here]
        if not names:
            return
        pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?=s?(?![\w-]))", re.I)
        known = {name.lower(): name for name in names}
        for text, start, end, name in list(islice(first_mentions(self.document, pattern, known), MOST))[::-1]:
            words = str(text)
            link = Term("", words[start:end], term=place(name))
            text.parent.replace(text, [nodes.Text(words[:start]), link, nodes.Text(words[end:])])


def first_mentions(
    document: nodes.document, pattern: re.Pattern[str], known: dict[str, str]
) -> Iterator[tuple[nodes.Text, int, int, str]]:
    """Each first mention in running text: the text, where in it, and the term. At most one in each piece of text."""
    seen = set()
    for text in running_text(document):
        for found in pattern.finditer(str(text)):
            if (name := known[found[1].lower()]) not in seen:
                seen.add(name)
                yield text, *found.span(1), name
                break


def running_text(document: nodes.document) -> Iterator[nodes.Text]:
    """The text of paragraphs after the first section, which is the question, without what a reader has to open."""
    open_details = 0
    for section in list(document.findall(nodes.section))[2:]:
        for node in section.findall(lambda node: isinstance(node, nodes.Text | nodes.raw)):
            if isinstance(node, nodes.raw):
                open_details += node.astext().count("<details") - node.astext().count("</details>")
            elif not open_details and section is _section(node) and isinstance(node.parent, nodes.paragraph) and not _inside(node):
                yield node


def _inside(node: nodes.Node) -> bool:
    """Whether a node is part of something that is no running text."""
    while not isinstance(node, nodes.document):
        node = node.parent
        if isinstance(node, NO_TEXT):
            return True
    return False


def _section(node: nodes.Node) -> nodes.Node:
    """The section in which a node is."""
    while not isinstance(node, nodes.section):
        node = node.parent
    return node


def place(name: str) -> str:
    """The id of a term in the glossary."""
    return f"term-{nodes.make_id(name)}"


def visit_term(translator: HTML5Translator, node: Term) -> None:
    """Begin the link. Chapters and glossary are one folder below the first page."""
    translator.body.append(f'<a class="term" href="../{GLOSSARY}.html#{node["term"]}">')


def depart_term(translator: HTML5Translator, node: Term) -> None:
    """End the link."""
    translator.body.append("</a>")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above."""
    app.add_node(Term, html=(visit_term, depart_term))
    app.add_transform(Rows)
    app.add_transform(Mentions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
