"""Sphinx extension: changes to the HTML that Sphinx and myst-nb write. (Templates are in ../_templates.)"""

import posixpath
import re
from typing import Any, cast

from docutils import nodes
from myst_nb.sphinx_ import (
    HideCodeCellNode,
    NbMetadataCollector,
    SphinxEnvType,
    depart_HideCellInput,
    visit_HideCellInput,
)
from pygments.formatters import HtmlFormatter
from pygments.token import Name, Operator, Punctuation, Whitespace
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.highlighting import PygmentsBridge
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxTranslator
from sphinx.util.osutil import relative_uri

_INDENT = re.compile(r"\s*\n\s*")
_BLANKS = re.compile(r"> {2,}<")
_COMMENT = re.compile(r"<!--.*?-->", re.S)
# What works with JavaScript only: book.css hides it from readers without.
_WRITTEN = re.compile(r"<script>\s*document\.write\(`([^`]*)`\);?\s*</script>")
_DIGEST = re.compile(r"(\?digest=\w{8})\w+")  # it changes with the file, and eight letters do so, too
_UNUSED = re.compile(r"<script>DOCUMENTATION_OPTIONS\.pagename = '[^']*';</script>")  # for a menu of versions
# The size of the window is there three times; docsearch is a service that the book does not use.
_REPEATED = re.compile(r'(?<=/>)<meta name="viewport"[^>]*>|<meta name="(?:viewport|docsearch:\w+)" content="[^"]*"/>')
_LETTER = re.compile(r'<b class="ax" style="color:var\(--attn-(\w),#\w+\)">')


class LeanFormatter(HtmlFormatter[str]):
    """Leaves out the markup that makes no visible difference. It takes as many bytes as the code itself."""

    def _get_css_class(self, ttype: Any) -> str:
        return "" if ttype in {Name, Operator, Punctuation, Whitespace} else super()._get_css_class(ttype)


class CodeHeadings(SphinxTransform):
    """Write a heading that is all code without a <span> for each word. (As code, it keeps its straight quotes.)"""

    default_priority = 900

    def apply(self, **kwargs: Any) -> None:
        for title in self.document.findall(nodes.title):
            if len(title) == 1 and isinstance(title[0], nodes.literal):
                title[:] = [nodes.inline("", title.astext(), classes=["message"])]


def trim_templates(app: Sphinx) -> None:
    """Leave out the blanks of templates: the line and the indent of every tag, and the indents around the article."""
    if app.builder.format != "html":
        return
    templates = cast(StandaloneHTMLBuilder, app.builder).templates
    templates.environment.trim_blocks = templates.environment.lstrip_blocks = True
    render = templates.render
    templates.render = lambda template, context: trim_frame(render(template, context))


def trim_frame(page: str) -> str:
    """A page without what templates leave before and after its article, where nobody sees it. In the article a blank may count."""
    before, article, rest = page.partition("<article")
    inside, end, after = rest.rpartition("</article>")
    return trimmed(_REPEATED.sub("", before)) + article + inside + end + trimmed(after) if article else page


def trimmed(frame: str) -> str:
    """Part of a page without indents, comments, more than one blank between elements, and scripts that only write an element."""
    frame = _WRITTEN.sub(r"\1", _UNUSED.sub("", _COMMENT.sub("", frame)))
    frame = (
        _DIGEST.sub(r"\1", frame)
        .replace(' defer="defer"', " defer")
        .replace(' rel="stylesheet" type="text/css"', ' rel="stylesheet"')
    )
    return _BLANKS.sub("> <", _INDENT.sub("\n", frame))


def link_figures(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Make every figure a link to itself, to be enlarged on a phone. (The picture of a card leads where the card does.)"""
    if app.builder.format != "html":
        return
    images = relative_uri(app.builder.get_target_uri(page), app.builder.imagedir)
    for image in list(doctree.findall(nodes.image)):
        uri = image["uri"]
        own = isinstance(image.parent, nodes.reference) or "sd-card-img-top" in image["classes"]
        if uri.endswith(".svg") and uri in app.env.images and not own:
            link = nodes.reference("", "", internal=True, refuri=posixpath.join(images, app.env.images[uri][1]))
            image.replace_self(link)
            link += image


def shorten_tables(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Leave the looks of tables to the page: colours of axis letters, numbers on the right. Elsewhere tables carry them."""
    for raw in list(doctree.findall(nodes.raw)):
        text = _LETTER.sub(r'<b data-axis="\1">', raw.astext())
        raw[:] = [nodes.Text(text.replace(' style="text-align:right"', ' class="number"'))]


def shorten_classes(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Leave out what changes nothing: classes of cards, of code in a text and of a cell's two parts, and the <span> of a link."""
    if "body" in context:
        body = re.sub(r'(<div class="(?:sd-[^"]*|cell_(?:in|out)put)) docutils(?: container)?"', r'\1"', context["body"])
        body = body.replace('<code class="docutils literal notranslate">', '<code class="literal notranslate">')
        context["body"] = re.sub(r'<span class="(?:std std-)?(?:doc|ref)">([^<]*)</span>', r"\1", body)


def drop_widget_state(app: Sphinx, doctree: nodes.document) -> None:
    """Leave out the state of widgets: it is for a widget manager, which pages do not have. Labs carry their own state."""
    NbMetadataCollector.get_js_files(cast(SphinxEnvType, app.env), app.env.docname).pop("ipywidgets_state", None)


def visit_hidden_cell(translator: SphinxTranslator, node: HideCodeCellNode) -> None:
    """Write a hidden cell as myst-nb does, but without its label for screen readers, which contradicts the visible text."""
    start = len(translator.body)
    visit_HideCellInput(translator, node)
    translator.body[start:] = [
        part.replace('<summary aria-label="Toggle hidden content">', "<summary>") for part in translator.body[start:]
    ]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above."""
    PygmentsBridge.html_formatter = LeanFormatter
    app.add_transform(CodeHeadings)
    app.add_node(HideCodeCellNode, override=True, html=(visit_hidden_cell, depart_HideCellInput))
    app.connect("builder-inited", trim_templates)
    app.connect("doctree-read", drop_widget_state)
    app.connect("doctree-resolved", link_figures)
    app.connect("doctree-resolved", shorten_tables)
    app.connect("html-page-context", shorten_classes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
