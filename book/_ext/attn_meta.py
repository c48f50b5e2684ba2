"""Sphinx extension: what search engines and messengers show of a page: its title, its description and its picture.

The description is the page's first paragraph, or as many of its sentences as fit. The picture (Open Graph) shows the title of the
page and the picture of its card. Messengers need the whole address of a picture: a book that is published sets `baseurl` of `html`
in _config.yml. Without it the address is relative to the page.
"""

import hashlib
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from attn_cards import digest_of_pictures
from card_share import SIZE, draw_share
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

LONGEST = 200  # characters of a description; more would not be shown
FOLDER = "_static/og"


def describe(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Give a page its description and its Open Graph tags, and the first page the title of the book alone."""
    if doctree is None or app.builder.format != "html":
        return
    book = str(app.config.html_title or app.config.project)
    first = page == app.config.root_doc
    title = book if first else plain(app.env.titles[page])
    if first:
        context["title"], context["docstitle"] = book, ""
    about = description(doctree)
    picture = picture_of(app, page, title, "" if first else book)
    base = app.config.html_baseurl
    here = app.builder.get_target_uri(page)
    tags = {
        "og:type": "website" if first else "article",
        "og:title": title,
        "og:description": about,
        "og:site_name": book,
        "og:image": urljoin(base, picture) if base else relative_uri(here, picture),
        "og:image:width": str(SIZE[0]),
        "og:image:height": str(SIZE[1]),
    } | ({"og:url": urljoin(base, here)} if base else {})
    lines = [meta("name", "description", about), *(meta("property", name, content) for name, content in tags.items() if content)]
    lines.append(meta("name", "twitter:card", "summary_large_image"))
    context["metatags"] = context.get("metatags", "") + "\n    " + "\n    ".join(filter(None, lines))


def meta(kind: str, name: str, content: str) -> str:
    """A <meta> element; nothing if it has no content."""
    return f'<meta {kind}="{name}" content="{html.escape(content)}" />' if content else ""


def description(doctree: nodes.document) -> str:
    """The sentences of the page's first paragraph that fit. A list that ends a sentence belongs to it; a button does not."""
    for paragraph in doctree.findall(nodes.paragraph):
        if not isinstance(paragraph.parent, nodes.section):
            continue
        text, following = plain(paragraph), paragraph.next_node(descend=False, siblings=True)
        if re.search(r"[.!?…]$", text):
            return "".join(fitting(re.split(r"(?<=[.!?])(?= +[A-Z(“])", text)))
        if text and isinstance(following, nodes.bullet_list):
            return with_items(text, [plain(item).rstrip(".,;") for item in following.children])
    return ""


def with_items(start: str, items: list[str]) -> str:
    """A sentence that a list ends, with as many of the items as fit."""
    kept = list(fitting([f"{start.rstrip(':')} {items[0]}", *(f", {item}" for item in items[1:])]))
    if len(kept) > 1:
        kept[-1] = " and" + kept[-1].removeprefix(",")
    return "".join(kept) + "."


def fitting(parts: list[str]) -> Iterator[str]:
    """The first part, and those after it that fit."""
    length = 0
    for n, part in enumerate(parts):
        length += len(part)
        if n and length > LONGEST:
            return
        yield part


def plain(node: nodes.Node) -> str:
    """The text of a node without markup."""
    pieces = [text for text in node.findall(nodes.Text) if not isinstance(text.parent, nodes.raw)]
    return re.sub(r"\s+", " ", "".join(map(str, pieces))).strip()


def picture_of(app: Sphinx, page: str, title: str, book: str) -> str:
    """Draw the page's picture unless it is there already. Returns where it is, relative to the root of the book."""
    digest = hashlib.sha256(f"{digest_of_pictures()}\0{title}\0{book}".encode()).hexdigest()[:10]
    name = page.replace("/", "-")
    target = Path(app.outdir, FOLDER, f"{name}-{digest}.png")
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        for old in target.parent.glob(f"{name}-{'?' * 10}.png"):
            old.unlink()
        target.write_bytes(draw_share(page, title, book))
    return f"{FOLDER}/{target.name}"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the step above."""
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
