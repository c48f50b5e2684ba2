"""Serve a page with every lab, for authors of labs: python tools/playground.py 8000.

The page reloads when a .js or .css file of the labs is saved, and each lab keeps its settings. The browser loads the modules
one by one from src/attn/labs, so an error on the page names its file and line. After a change in Python, restart the server:
the page then reloads too.
"""

import functools
import html
import sys
import time
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from string import Template
from typing import Any

import torch
from serve import serve

from attn import AXES, labs
from attn.labs import bundle, join

TOOLS = Path(__file__).parent
INTERVAL = 0.3  # seconds between two checks of the files


class Handler(SimpleHTTPRequestHandler):
    """Answers with the page, its script, the version of the files whenever it changes, or a file of the labs."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, directory=str(join.SOURCE), **options)

    def translate_path(self, path: str) -> str:
        """The labs lie at the root; what they import from the lessons beside them has the path /lessons/."""
        self.directory = str(join.SOURCE.parent if path.startswith("/lessons/") else join.SOURCE)
        return super().translate_path(path)

    def do_GET(self) -> None:
        if self.path == "/":
            self.answer("text/html", page().encode())
        elif self.path == "/playground.js":
            self.answer("text/javascript", (TOOLS / "playground.js").read_bytes())
        elif self.path == "/changes":
            self.send_changes()
        else:
            super().do_GET()

    def answer(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.end_headers()
        self.wfile.write(content)

    def send_changes(self) -> None:
        """Send the version of the files repeatedly, until the page is closed."""
        self.answer("text/event-stream", b"retry: 500\n\n")
        try:
            while True:
                self.wfile.write(f"data: {version()}\n\n".encode())
                time.sleep(INTERVAL)
        except OSError:
            self.close_connection = True

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *arguments: Any) -> None:
        """Print nothing."""


def page() -> str:
    """The page, made from the files as they are now."""
    bundle.forget()
    names = bundle.lab_names()
    try:
        bundle.page_script(names)  # the book joins the modules, and accepts fewer forms of import and export than a browser
        style, problem = bundle.style(names), ""
    except (OSError, ValueError) as error:
        style, problem = "", str(error)
    light, dark = (
        " ".join(f"--attn-{axis.letter}: {getattr(axis, theme)};" for axis in AXES.values()) for theme in ("light", "dark")
    )
    return Template((TOOLS / "playground.html").read_text(encoding="utf-8")).substitute(
        version=version(),
        style=f'html {{ {light} }}\nhtml[data-theme="dark"] {{ {dark} }}\n{style}',
        links=" ".join(f'<a href="#{name}">{name}</a>' for name in names),
        problem=html.escape(problem),
        labs="\n".join(f'<section id="{name}"><h2>{class_name(name)}</h2>{lab_html(name)}</section>' for name in names),
        modules="\n".join(
            f'<script type="module">import {{ lab }} from "/{name}/{entry}.js"; views["{name}"] = lab;</script>'
            for name, entry in ((name, "page" if bundle.is_deferred(name) else "view") for name in names)
        ),
    )


def class_name(name: str) -> str:
    return f"{name.capitalize()}Lab"


@functools.cache
def lab_html(name: str) -> str:
    return getattr(labs, class_name(name))().html()


def version() -> str:
    """A string that changes when a file changes and when the server restarts."""
    files = (path for path in join.SOURCE.rglob("*") if path.suffix in (".js", ".css"))
    return str(hash(tuple(sorted((str(path), saved_at(path)) for path in files))))


def saved_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:  # an editor is replacing it at this moment
        return 0


if __name__ == "__main__":
    torch.set_num_threads(1)  # the tensors of the labs are so small that a second thread costs more than it saves
    page()  # the first page takes some seconds, because some labs train a model for it
    serve("Every lab is on the page", "labs", sys.argv[1], Handler)
