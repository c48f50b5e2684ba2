"""Sphinx extension: gives a page the script and the style of its labs, which then work without a kernel.

A page that is opened from disk cannot load a module from a file, but a module inside the page works. The page therefore
contains the script and the style of its labs, once, however many labs it shows.
"""

import re
from pathlib import Path
from typing import Any

import minify
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from attn.labs.bundle import page_script, style

_LAB = re.compile(r'<div class="attn-lab[^"]*" data-lab="([\w-]+)"')


def add_script_and_style(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Put the style of the labs on a page before its text, and their script after it."""
    body = context.get("body", "")
    if labs := labs_in(body):
        look, script = style_and_script(labs)
        context["body"] = f"{look}\n{body}\n{script}\n"


def pages_to_rewrite(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages whose labs had another script or style when they were written. They are written again, but no cell runs."""
    if app.builder.format != "html":
        return []
    written = {page: Path(app.builder.get_outfilename(page)) for page in sorted(env.found_docs)}  # type: ignore[attr-defined]
    texts = {page: path.read_text("utf-8") for page, path in written.items() if path.exists()}
    return [page for page, text in texts.items() if (labs := labs_in(text)) and any(p not in text for p in style_and_script(labs))]


def labs_in(page: str) -> list[str]:
    """The names of the labs that the HTML of a page shows."""
    return sorted(set(_LAB.findall(page)))


def style_and_script(labs: list[str]) -> tuple[str, str]:
    """The <style> and <script> elements that these labs need on a page, minified."""
    look = minify.string("text/css", style(labs))
    # In a function the names of the modules are shortened, too.
    script = minify.string("application/javascript", f"(() => {{\n{page_script(labs)}}})();")
    if "</script" in script:
        raise ValueError("The labs' script contains </script, which would end it.")
    return f"<style>{look}</style>", f'<script type="module">{script}</script>'


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above."""
    app.connect("html-page-context", add_script_and_style)
    app.connect("env-updated", pages_to_rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
