"""Sphinx extension: gives a page the script and the style of its labs, which then work without a kernel.

A page that is opened from disk cannot load a module from a file, but a module inside the page works. The page therefore
contains the script and the style of its labs, once, however many labs it shows. The script of a lab that is too large for that
is a file, without modules, which a page loads when the lab comes near.
"""

import functools
import hashlib
import re
from pathlib import Path
from typing import Any

import minify
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from attn.labs.bundle import deferred_script, is_deferred, page_script, style

_LAB = re.compile(r'<div class="attn-lab[^"]*" data-lab="([\w-]+)"')


def add_script_and_style(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Put the style of the labs on a page before its text, and their script after it."""
    body = context.get("body", "")
    if labs := labs_in(body):
        look, script = style_and_script(app, page, labs)
        context["body"] = f"{look}\n{body}\n{script}\n"


def pages_to_rewrite(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages whose labs had another script or style when they were written. They are written again, but no cell runs."""
    if app.builder.format != "html":
        return []
    written = {page: Path(app.builder.get_outfilename(page)) for page in sorted(env.found_docs)}  # type: ignore[attr-defined]
    texts = {page: path.read_text("utf-8") for page, path in written.items() if path.exists()}
    labs = {page: found for page, text in texts.items() if (found := labs_in(text))}
    return [page for page, found in labs.items() if any(part not in texts[page] for part in style_and_script(app, page, found))]


def labs_in(page: str) -> list[str]:
    """The names of the labs that the HTML of a page shows."""
    return sorted(set(_LAB.findall(page)))


def style_and_script(app: Sphinx, page: str, labs: list[str]) -> tuple[str, str]:
    """The <style> and <script> elements that these labs need on a page, minified."""
    look = minify.string("text/css", style(labs))
    up = "../" * page.count("/")
    script = page_script(labs, {lab: up + deferred_file(app, lab) for lab in labs if is_deferred(lab)})
    script = minified(f"(() => {{\n{script}}})();")  # in a function the names of the modules are shortened, too
    if "</script" in script:
        raise ValueError("The labs' script contains </script, which would end it.")
    return f"<style>{look}</style>", f'<script type="module">{script}</script>'


def deferred_file(app: Sphinx, lab: str) -> str:
    """Write the script of a lab that a page loads later, and return where it is. Its name changes with it."""
    script = minified(deferred_script(lab))
    file = f"_static/labs/{lab}-{hashlib.sha256(script.encode()).hexdigest()[:8]}.js"
    path = Path(app.outdir, file)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script, "utf-8")
    return file


@functools.cache
def minified(script: str) -> str:
    """The script without what only its readers need."""
    return minify.string("application/javascript", script)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above."""
    app.connect("html-page-context", add_script_and_style)
    app.connect("env-updated", pages_to_rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
