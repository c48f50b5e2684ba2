"""Sphinx extension: what pages need besides their text: axis colours, and figures for dark mode."""

from pathlib import Path
from typing import Any

from attn_execution import digest_of_files
from sphinx.application import Sphinx
from sphinx.config import Config

from attn.plots.paper import DARK_INKS, DARK_PAPER, PAPER
from attn.shapes import AXES


def axis_css(attribute: str) -> str:
    """The axis colours as CSS variables, --attn-B and so on: "light" or "dark"."""
    return " ".join(f"--attn-{axis.letter}: {getattr(axis, attribute)};" for axis in AXES.values())


def dark_figure_css() -> str:
    """The rules that adapt a matplotlib SVG to dark mode: every ink of attn.plots has a dark counterpart, and the paper
    becomes transparent. A figure in an <img> has the colour scheme of the page around it."""
    inks = DARK_INKS | {axis.light: axis.dark for axis in AXES.values()}
    rules = [f'[style*="fill: {PAPER}"] {{ fill: none !important }}', f"svg {{ background: {DARK_PAPER} }}"]
    for light, dark in inks.items():
        rules += [f'[style*="{name}: {light}"] {{ {name}: {dark} !important }}' for name in ("fill", "stroke")]
    return f"<style>@media (prefers-color-scheme: dark) {{ {' '.join(rules)} }}</style>"


def write_axis_colours(app: Sphinx) -> None:
    """Write the style sheet of the axis colours, for light and for dark pages."""
    css = f'html {{ {axis_css("light")} }}\nhtml[data-theme="dark"] {{ {axis_css("dark")} }}\n'
    css += "".join(f'b[data-axis="{letter}"]:not(.attn-lab-root *) {{ color: var(--attn-{letter}); }}\n' for letter in AXES)
    path = Path(app.outdir, "_static", "attn-axes.css")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(css)


def finish(app: Sphinx, error: Exception | None) -> None:
    """Give every figure the colours of the dark page."""
    if error or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for path in (out / "_images").glob("*.svg"):
        svg = path.read_text(encoding="utf-8")
        if "Matplotlib" in svg and "prefers-color-scheme" not in svg:
            path.write_text(svg.replace("</svg>", dark_figure_css() + "</svg>"), encoding="utf-8")


def watch_static_files(app: Sphinx, config: Config) -> None:
    """Write every page again when a style sheet of the book has changed: Sphinx copies it only when it writes pages."""
    folders = [Path(app.confdir, name) for name in config.html_static_path]
    digests = [digest_of_files((path for path in folder.rglob("*") if path.is_file()), folder) for folder in folders]
    config.attn_static_files = " ".join(digests)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above."""
    app.add_config_value("attn_static_files", "", "html")
    app.connect("config-inited", watch_static_files)
    app.add_css_file("attn-axes.css")
    app.connect("builder-inited", write_axis_colours)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
