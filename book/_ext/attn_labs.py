"""Sphinx extension: gives a page the script and the style of its labs, which then work without a kernel.

A page that is opened from disk cannot load a module from a file, but a module inside the page works. The page therefore
contains the script and the style of its labs, once, however many labs it shows. The script of a lab that is too large for that
is a file, without modules, which a page loads when the lab comes near. So are the checkers of the programs on a page.
"""

import functools
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

import minify
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from attn.labs.bundle import deferred_script, deferred_style, is_deferred, more_script, page_script, page_style
from attn.labs.code.tasks import tasks_script
from attn.labs.join import SOURCE

_JSON = re.compile(r' with \{ type: "json" \}')  # the minifier does not know it
_PLACE = re.compile(r"(.*) on line (\d+) and column \d+\n(.*)", re.S)
_LAB = re.compile(r'<div class="attn-lab[^"]*" data-lab="([\w-]+)"')
PROGRAMS = "book/bring-your-code"  # the page where programs run; its one lab is there at first

logger = logging.getLogger(__name__)
broken: list[Path] = []  # modules that are not JavaScript

_CODE = re.compile(r"""data-lab="code" data-state='([^']*)'""")


def add_script_and_style(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Put the style of the labs on a page before its text, and their script after it."""
    body = context.get("body", "")
    if labs := labs_in(body):
        look, script = style_and_script(app, page, labs, body)
        context["body"] = f"{look}\n{body}\n{script}\n"


def pages_to_rewrite(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages whose labs had another script or style when they were written. They are written again, but no cell runs."""
    if app.builder.format != "html":
        return []
    written = {page: Path(app.builder.get_outfilename(page)) for page in sorted(env.found_docs)}  # type: ignore[attr-defined]
    texts = {page: path.read_text("utf-8") for page, path in written.items() if path.exists()}
    labs = {page: found for page, text in texts.items() if (found := labs_in(text))}
    return [
        page
        for page, found in labs.items()
        if any(part not in texts[page] for part in style_and_script(app, page, found, texts[page]))
    ]


def labs_in(page: str) -> list[str]:
    """The names of the labs that the HTML of a page shows."""
    return sorted(set(_LAB.findall(page)))


def checked_in(page: str) -> list[tuple[str, str]]:
    """The programs that a page checks: the check, and the code that they begin with."""
    states = (json.loads(html.unescape(state)) for state in _CODE.findall(page))
    return [(state["check"], state["code"]) for state in states if state["check"]]


def style_and_script(app: Sphinx, page: str, labs: list[str], body: str) -> tuple[str, str]:
    """The <style> and <script> elements that these labs need on a page with this HTML, minified."""
    look = short_style(page_style(labs))
    script = page_script(labs, {lab: deferred_files(app, lab, page, body) for lab in labs if is_deferred(lab)})
    if "attnPrograms" in script and PROGRAMS in app.env.found_docs:
        script = f'globalThis.attnPrograms = {json.dumps(up_from(page) + PROGRAMS)} + ".html#lab-1";\n{script}'
    script = minified(f"(() => {{\n{script}}})();")  # in a function the names of the modules are shortened, too
    if "</script" in script:
        raise ValueError("The labs' script contains </script, which would end it.")
    return f"<style>{look}</style>", f'<script type="module">{script}</script>'


def deferred_files(app: Sphinx, lab: str, page: str, body: str) -> list[str]:
    """The addresses of what a page loads later for a lab: its script, after the checkers that its programs need."""
    programs = checked_in(body) if lab == "code" else []
    tasks = [written(app, "tasks", tasks_script(programs))] if programs else []
    more = written(app, f"{lab}-more", minified(more_script(lab)))
    script = written(app, lab, deferred_style(lab, short_style) + minified(deferred_script(lab, Path(more).name)))
    return [up_from(page) + file for file in (*tasks, script)]


def up_from(page: str) -> str:
    """The way from a page to the folder of the book."""
    return "../" * page.count("/")


def written(app: Sphinx, name: str, script: str) -> str:
    """Write a script that pages load later, and return where it is. Its name changes with it."""
    file = f"_static/labs/{name}-{hashlib.sha256(script.encode()).hexdigest()[:8]}.js"
    path = Path(app.outdir, file)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script, "utf-8")
    return file


def short_style(sheet: str) -> str:
    """The style sheet without what only its readers need."""
    return minify.string("text/css", sheet)


@functools.cache
def minified(script: str) -> str:
    """The script without what only its readers need. If it is not JavaScript, say where, and go on without it: the build fails."""
    try:
        return minify.string("application/javascript", script)
    except minify.MinifyError:
        if not broken and not report_broken_modules():
            raise
        return ""


def report_broken_modules() -> bool:
    """Name the modules of the labs that are not JavaScript, and the line. True if there is one."""
    for path in sorted(SOURCE.rglob("*.js")):
        try:
            minify.string("application/javascript", _JSON.sub("", path.read_text("utf-8")))
        except minify.MinifyError as error:
            what, line, rest = _PLACE.match(str(error)).groups()  # type: ignore[union-attr]
            logger.error("This is not JavaScript: %s\n%s", what, rest, location=f"{path}:{line}")
            broken.append(path)
    return bool(broken)


def fail(app: Sphinx, error: Exception | None) -> None:
    """A build without the script of a lab has failed."""
    if broken:
        app.statuscode = 1


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above."""
    app.connect("html-page-context", add_script_and_style)
    app.connect("env-updated", pages_to_rewrite)
    app.connect("build-finished", fail)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
