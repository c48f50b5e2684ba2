"""Sphinx extension: what pages need beside their text. Axis colours, figures for dark mode, notebooks, offline formulas."""

import importlib.util
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jupytext
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from attn.plots import INK, MUTED, PAPER
from attn.shapes import AXES

MATHJAX = "mathjax"
DARK = "#121212"  # the theme's dark page

# What the theme and its extensions write, and what stands on our pages instead.
AMENDED = {
    # Icon fonts are preloaded, but icons are drawn by script, and a browser refuses to load fonts for a page opened from disk.
    r'<link rel="preload" as="font"[^>]*>': "",
    # The state of widgets, for a widget manager that is not there: labs carry their own.
    r'(?s)<script type="application/vnd\.jupyter\.widget-state\+json">.*?</script>': "",
    # On a page the style sheet knows the letters' colours; the tables of the package bring them along for other places.
    r'<b class="ax" style="color:var\(--attn-(\w),#\w+\)">': r'<b class="ax \1">',
    # Marks of the highlighter that a reader does not miss: names, operators, punctuation, spaces. They weigh as much as the code.
    r'<span class="[npow]">([^<]*)</span>': r"\1",
    # A figure is a link to itself: on a phone that is how to enlarge it. Once: the last build may have done it.
    r'(?<!\.svg">)(<img alt="[^"]*" src="([^"]*_images/[^"]*\.svg)" ?/>)': r'<a href="\2">\1</a>',
    # Names for screen readers that contradict the text that everybody else reads.
    r'(<summary) aria-label="Toggle hidden content"': r"\1",
    r'(<button class="btn search-button-field[^>]*?) aria-label="Search"': r"\1",
}


def axis_css(attribute: str) -> str:
    """The axis colours as CSS variables, --attn-B and so on: "light" or "dark"."""
    return " ".join(f"--attn-{axis.letter}: {getattr(axis, attribute)};" for axis in AXES.values())


def dark_figure_css() -> str:
    """The rules by which a matplotlib SVG follows the page into dark mode: every ink that attn.plots draws with has a dark
    twin, and paper becomes transparent. A figure in an <img> sees the colour scheme of the page around it."""
    inks = {INK: "#e6e8ea", MUTED: "#9aa4ae"} | {axis.light: axis.dark for axis in AXES.values()}
    rules = [f'[style*="fill: {PAPER}"] {{ fill: none !important }}', f"svg {{ background: {DARK} }}"]
    for light, dark in inks.items():
        rules += [f'[style*="{name}: {light}"] {{ {name}: {dark} !important }}' for name in ("fill", "stroke")]
    return f"<style>@media (prefers-color-scheme: dark) {{ {' '.join(rules)} }}</style>"


def write_axis_colours(app: Sphinx) -> None:
    """Write the style sheet of the axis colours, for light and for dark pages."""
    css = f'html {{ {axis_css("light")} }}\nhtml[data-theme="dark"] {{ {axis_css("dark")} }}\n'
    css += "".join(f"b.ax.{letter} {{ color: var(--attn-{letter}); }}\n" for letter in AXES)
    path = Path(app.outdir, "_static", "attn-axes.css")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(css)


def offer_notebook(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Put a chapter's .ipynb into its download menu (the theme knows a notebook by `ipynb_source`)."""
    if page in notebooks(app):
        context["ipynb_source"] = f"{page}.ipynb"


def notebooks(app: Sphinx) -> Iterable[str]:
    """The pages that are notebooks to work with: the chapters."""
    return [page for page in sorted(app.env.found_docs) if page.startswith("chapters/")]


def finish(app: Sphinx, error: Exception | None) -> None:
    """Add to the built pages what Sphinx has not: notebooks, MathJax, dark figures."""
    if error or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for page in notebooks(app):
        jupytext.write(jupytext.read(app.env.doc2path(page)), out / "_sources" / f"{page}.ipynb", fmt="ipynb")
    for path in (out / "_images").glob("*.svg"):
        svg = path.read_text(encoding="utf-8")
        if "Matplotlib" in svg and "prefers-color-scheme" not in svg:
            path.write_text(svg.replace("</svg>", dark_figure_css() + "</svg>"), encoding="utf-8")
    for path in out.rglob("*.html"):
        text = path.read_text("utf-8")
        for pattern, replacement in AMENDED.items():
            text = re.sub(pattern, replacement, text)
        path.write_text(text, "utf-8")
    copy_mathjax(out / "_static" / MATHJAX)


def copy_mathjax(target: Path) -> None:
    """Copy what a page loads of MathJax: 2 MB of the 25 that sphinx-mathjax-offline, as an extension, would copy."""
    package = importlib.util.find_spec("sphinx-mathjax-offline")
    if package is None or package.origin is None:
        raise ExtensionError("sphinx-mathjax-offline is not installed; requirements.txt lists it.")
    source = Path(package.origin).parent / "static" / "mathjax"
    for name in ("tex-chtml.js", "input/tex/extensions", "output/chtml/fonts/woff-v2"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name, dirs_exist_ok=True)
        else:
            shutil.copy(source / name, target / name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above."""
    app.config.mathjax_path = f"{MATHJAX}/tex-chtml.js"
    app.add_css_file("attn-axes.css")
    app.connect("builder-inited", write_axis_colours)
    app.connect("html-page-context", offer_notebook)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
