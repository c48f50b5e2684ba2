"""Sphinx extension: brings the labs of a page to life, without a kernel.

A module file cannot be loaded by a page that was opened from disk; a module inside the page can. So the page carries its labs'
script and style itself, once, however many labs it shows.
"""

import re
from typing import Any

from sphinx.application import Sphinx

from attn.labs.bundle import page_script, style

_LAB = re.compile(r'<div class="attn-lab" data-lab="([\w-]+)"')


def bring_to_life(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Put the script and the style of the labs on a page behind and before its text."""
    body = context.get("body", "")
    if labs := sorted(set(_LAB.findall(body))):
        look, script = lean(style(labs)), lean(page_script(labs))
        context["body"] = f'<style>{look}</style>\n{body}\n<script type="module">\n{script}</script>\n'


def lean(code: str) -> str:
    """Code as a page carries it: without the comments that have lines of their own, and without indentation."""
    code = re.sub(r"^\s*(?://.*|/\*[^*]*\*/\s*)$\n", "", code, flags=re.M)
    return re.sub(r"^\s+", "", code, flags=re.M)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the step above."""
    app.connect("html-page-context", bring_to_life)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
