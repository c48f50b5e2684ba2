"""Sphinx extension: ```{slides}``` makes a slide of each chapter's opening: its question without the answers, and its lab.

The lab is linked in the state of each of its actions: those of the lab's class, or those that the chapter gives it. The option
`:ten:` names the chapters whose slides make one class; these are linked first and marked.
"""

import ast
import html
import importlib
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

_QUESTION = re.compile(r'^## The question\n(.*?)<div class="predict">\n(.*?)</div>\n(.*?)^## ', re.M | re.S)
_CHOICE = re.compile(r"<summary>(.*?)</summary>", re.S)
_CELL = re.compile(r"^```\{code-cell\}.*\n(?:---\n[\s\S]*?^---\n|:.*\n)*([\s\S]*?)^```", re.M)


def ten_numbers(argument: str) -> list[int]:
    """The numbers of ten chapters."""
    numbers = [int(word) for word in argument.split()]
    if len(set(numbers)) != 10 or numbers != sorted(numbers):
        raise ValueError("ten different numbers of chapters, in order, are needed.")
    return numbers


class Slides(SphinxDirective):
    """A section for each chapter that opens with a question, in the order of the book."""

    option_spec = {"ten": ten_numbers}

    def run(self) -> list[nodes.Node]:
        """Read the chapters; the page is read again when one of them is changed, added or removed."""
        self.env.note_dependency(self.env.config.external_toc_path)
        slides = []
        for page in sorted(page for page in self.env.found_docs if page.startswith("chapters/")):
            path = Path(self.env.doc2path(page))
            self.env.note_dependency(str(path))
            text = path.read_text("utf-8")
            if found := _QUESTION.search(text):
                slides.append(self.slide(page, re.findall(r"^# (.+)$", text, re.M)[0], *found.groups()))
        return [*self.choice(), *slides]

    def choice(self) -> list[nodes.Node]:
        """Links to the ten slides, if ten are chosen."""
        if not (ten := self.options.get("ten")):
            return []
        paragraph = nodes.paragraph("", "The ten: ", classes=["slide-links"])
        for n in ten:
            paragraph += [*([nodes.Text(" · ")] if n != ten[0] else []), nodes.reference("", str(n), refid=f"slide-{n}")]
        return [paragraph]

    def slide(self, page: str, title: str, story: str, predict: str, below: str) -> nodes.section:
        """The story, the question with its choices, and the lab in the state of each action."""
        number = int(re.findall(r"\d+", page)[0])
        section = nodes.section(ids=[f"slide-{number}"], names=[])
        section += nodes.title("", "", nodes.Text(f"{number}. "), *self.state.inline_text(title, self.lineno)[0])
        question = predict.split("<details", 1)[0].strip()
        choices = "\n".join(f"- {markdown(choice)}" for choice in _CHOICE.findall(predict))
        section += self.parse_text_to_nodes(f"{without_links(story)}\n\n**{question}**\n\n{choices}")
        here = self.env.app.builder.get_target_uri(self.env.docname) if self.env.app.builder.format == "html" else ""
        address = relative_uri(here, f"{page}.html")
        links = [("open the lab", f"{address}#lab-1")]
        links += [(name, f"{address}#lab-1?{query(settings)}") for name, settings in actions(below)]
        paragraph = nodes.paragraph(classes=["slide-links"])
        for n, (name, target) in enumerate(links):
            paragraph += [*([nodes.Text(" · ")] if n else []), nodes.reference("", name, refuri=target, internal=True)]
        if number in self.options.get("ten", ()):
            paragraph += nodes.Text(" · one of the ten")
        section += paragraph
        return section


def markdown(summary: str) -> str:
    """A choice, which is HTML, as Markdown."""
    text = re.sub(r"</?(?:em|i)>", "*", re.sub(r"</?code>", "`", summary))
    return html.unescape(re.sub(r"<[^>]+>", "", text)).strip()


def without_links(text: str) -> str:
    """The text of a chapter without what belongs to its page: cells, sentences that act, links to other chapters."""
    text = _CELL.sub("", text)
    return re.sub(r"\[((?:[^][]|\[[^][]*\])+)\]\([^)]*\)", r"\1", text).strip()


def actions(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The actions of the first lab in this part of a chapter, with their settings."""
    for cell in _CELL.findall(text):
        for node in ast.walk(ast.parse(cell)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("Lab"):
                given = {one.arg: one.value for one in node.keywords}
                lab = getattr(importlib.import_module("attn.labs"), node.func.id)
                return list(ast.literal_eval(given["chips"]) if "chips" in given else lab.CHIPS)
    return []


def query(settings: dict[str, Any]) -> str:
    """Settings as in a link that a lab copies."""
    shown = {
        name: value if isinstance(value, str) else json.dumps(value, separators=(",", ":")) for name, value in settings.items()
    }
    return "&".join(f"{name}={quote(value)}" for name, value in shown.items())


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("slides", Slides)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
