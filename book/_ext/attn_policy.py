"""Sphinx extension: each page says which scripts it runs and what it loads, and a browser refuses everything else.

The policy is in the page, not in a header: it also holds for a page that is opened from disk, and on hosts whose headers nobody can
set. Scripts are files of the book, or stand in the page and have their digest in its policy. Nothing else runs: no handler in an
attribute, no eval, no script of another host.
"""

import base64
import hashlib
import re
from pathlib import Path
from typing import Any, cast

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import ExtensionError

# The book itself. A page from disk has no origin: 'self' need not mean its folder, but file: does.
OWN = "'self' file:"
POLICY = {
    "default-src": "'none'",
    "script-src": OWN,  # and the digests of the scripts in the page
    "worker-src": "blob:",  # CodeLab runs programs beside the page, in a worker that the page writes
    "style-src": f"{OWN} 'unsafe-inline'",  # formulas, figures and labs set styles of single elements; a style runs nothing
    "font-src": OWN,
    "img-src": f"{OWN} data: blob:",  # the pictures that labs save are drawn from their SVG
    "form-action": OWN,  # the search
    "base-uri": "'none'",
}

_SCRIPT = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.S)
_HANDLER = re.compile(r"<\w[^>]*\son\w+\s*=")
_PRINT = ' onclick="window.print()"'  # of the theme's button; paper.js does it
CHARSET = re.compile(r'<meta charset="utf-8"(?: /)?>')


def with_policy(page: str) -> str:
    """The page, without the theme's inline handler and with its policy, before anything that it loads."""
    page = page.replace(_PRINT, "", 1)
    charset = CHARSET.search(page)
    if charset is None:
        return page
    if handler := _HANDLER.search(_SCRIPT.sub("", page)):
        raise ExtensionError(f"A browser would refuse the handler in this element: {handler[0]}")
    digests = sorted({f"'sha256-{digest(script)}'" for script in _SCRIPT.findall(page)})
    policy = {**POLICY, "script-src": " ".join([POLICY["script-src"], *digests])}
    content = "; ".join(f"{name} {sources}" for name, sources in policy.items())
    end = charset.end()
    return f'{page[:end]}\n<meta http-equiv="Content-Security-Policy" content="{content}">{page[end:]}'


def digest(script: str) -> str:
    """SHA-256 of a script, as a policy names it."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def guard_pages(app: Sphinx) -> None:
    """Give every page its policy when it is written."""
    if app.builder.format != "html":
        return
    templates = cast(StandaloneHTMLBuilder, app.builder).templates
    render = templates.render
    templates.render = lambda template, context: with_policy(render(template, context))


def guard_copied_pages(app: Sphinx, error: Exception | None) -> None:
    """Give the pages that are copied as they are, such as 404.html, their policy."""
    if error or app.builder.format != "html":
        return
    for folder in app.config.html_extra_path:
        for source in Path(app.confdir, folder).glob("*.html"):
            Path(app.outdir, source.name).write_text(with_policy(source.read_text("utf-8")), "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above, the first after every other change of a page."""
    app.connect("builder-inited", guard_pages, priority=900)
    app.connect("build-finished", guard_copied_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
