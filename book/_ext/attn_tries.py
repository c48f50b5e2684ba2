"""Sphinx extension: sentences that act.

The link [set H to 1](#try "H=1") sets the last lab above it, or else the first one on the page; [...](#try "MaskLab: L=3") sets the
last MaskLab. The script of the labs makes a button of it; without JavaScript it is text. A sentence that no lab of its page can
perform is a warning. It is a link, not a role, so that its words can be read wherever the chapter is: in JupyterLab, on GitHub.
"""

import html
import json
import re
from typing import Any, cast

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from attn import labs
from attn.labs.stage import check_settings

LINK = "#try"
_LAB = re.compile(r'<div class="attn-lab[^"]*" data-lab="([\w-]+)"')
_TARGET = re.compile(r"\s*(?:(\w+Lab):)?(.*)", re.S)
_PAIR = re.compile(r'(\w+)\s*=\s*((?:\[(?:[^\[\]]|\[[^\]]*\])*\]|"[^"]*"|[^,["])*)')
_logger = logging.getLogger(__name__)


class Try(nodes.inline):
    """A sentence that acts; its settings are its attribute "try"."""


class Tries(SphinxTransform):
    """Makes a Try of each such link, before MyST looks for the place that it seems to lead to."""

    default_priority = 500

    def apply(self, **kwargs: Any) -> None:
        for link in list(self.document.findall(nodes.reference)):
            if link.get("refuri") == LINK:
                node = Try("", "", *link.children)
                node["try"] = link.get("reftitle", "")
                node.source, node.line = link.source, link.line
                link.replace_self(node)


def parse_try(text: str) -> tuple[str, dict[str, Any]]:
    """The lab that a sentence names, or "", and the settings. kit/tries.js reads the same."""
    match = cast(re.Match[str], _TARGET.fullmatch(text))
    return match[1] or "", {name: _value(value.strip()) for name, value in _PAIR.findall(match[2])}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def check_tries(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Warn of sentences that no lab of their page can perform. Where a cell has failed, labs are missing because of that."""
    executed = NbMetadataCollector.get_exec_data(app.env, page)
    if executed and not executed["succeeded"]:
        return
    above: list[str] = []  # the labs before a sentence
    tries: list[tuple[Try, int]] = []
    for node in doctree.findall():
        if isinstance(node, Try):
            tries.append((node, len(above)))
        elif isinstance(node, nodes.raw):
            above += [f"{name.capitalize()}Lab" for name in _LAB.findall(node.astext())]
    for node, before in tries:
        name, settings = parse_try(node["try"])
        lab = next((lab for lab in [*reversed(above[:before]), *above[before:]] if lab == name or not name), None)
        try:
            if lab is None:
                raise ValueError(f"{name or 'a lab'} is not on this page")
            if not settings:
                raise ValueError("it names no settings")
            check_settings(getattr(labs, lab), settings, "The sentence")
        except ValueError as error:
            _logger.warning('[%s](#try "%s"): %s', node.astext(), node["try"], error, location=node)


def visit_try(translator: HTML5Translator, node: Try) -> None:
    """Write text that the labs' script turns into a button."""
    translator.body.append(f'<span class="attn-try" data-try="{html.escape(node["try"])}">')


def depart_try(translator: HTML5Translator, node: Try) -> None:
    """End that text."""
    translator.body.append("</span>")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the node and what makes it."""
    app.add_node(Try, html=(visit_try, depart_try))
    app.add_transform(Tries)
    app.connect("doctree-resolved", check_tries)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
