"""Sphinx extension: the icons that pages show, as a style sheet of 9 KB.

The theme draws its 15 icons with a script of all 2,000, which has 1.5 MB: two thirds of what most pages loaded. Here the same
pictures are masks, filled with the colour of the text around them. They need neither a script nor a font.
"""

import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote

from attn_licenses import installed
from sphinx.application import Sphinx

FILE = "icons.css"
ICONS = [
    *("angle-down", "angle-left", "angle-right", "arrow-up", "bars", "circle-half-stroke", "code", "download", "file", "file-pdf"),
    *("list", "magnifying-glass", "moon", "rocket", "sun"),
]
SCRIPT = "fontawesome/6.5.2/js/all.min.js"  # of Font Awesome Free, which the theme brings along
# Sizes and places are those that the script gives an icon. A page in forced colours fills with those of the system.
RULES = """\
.fa-solid, .fas, .onthispage::after {
  display: inline-block; flex: none; height: 1em; vertical-align: -.125em; background: currentColor; print-color-adjust: exact;
  -webkit-mask: var(--icon) center / contain no-repeat; mask: var(--icon) center / contain no-repeat;
}
.fa-lg { font-size: 1.25em; vertical-align: -.2em }
.bd-header-article .btn :is(.fa-solid, .fas) { width: 1.3rem }
.search-button-field > .fa-magnifying-glass { display: block }
html .bd-search .fa-solid.fa-magnifying-glass { position: static; color: inherit }
html .search-button__wrapper.show .fa-magnifying-glass { font-size: var(--pst-font-size-icon) }
html .bd-sidebar-secondary.hide:not(:hover) .onthispage::after { content: ""; padding: 0 }
.bd-header-article .theme-switch-button i { transition: none }
@media (forced-colors: active) { .fa-solid, .fas, .onthispage::after { background: CanvasText } }
"""


def shown(mode: str) -> str:
    """The rule for the icon of the theme that is chosen."""
    return f"html[data-mode={mode}] .theme-switch-button .theme-switch[data-mode={mode}] {{ display: inline-block }}\n"


def icon_css(name: str, script: str) -> str:
    """The rule for an icon: its picture and its width, with the shape that Font Awesome's script has for it."""
    start, end = script.index('("far",'), script.index('("fas",')  # between them are the filled ones
    found = re.compile(rf'[{{,]"?{name}"?:\[(\d+),(\d+),\[[^]]*\],"\w*","([^"]+)"').search(script, start, end)
    if found is None:
        raise ValueError(f"Font Awesome has no filled icon {name}; attn_icons.ICONS lists those that pages show.")
    width, height, path = found.groups()
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"><path d="{path}"/></svg>'
    classes = f".fa-{name}" + (", .onthispage::after" if name == "angle-down" else "")
    return f'{classes} {{ --icon: url("data:image/svg+xml,{quote(svg, safe="/ =:")}"); width: {int(width) / int(height):g}em }}\n'


def write_icons(app: Sphinx) -> None:
    """Write the style sheet."""
    if app.builder.format == "html":
        script = installed("pydata-sphinx-theme", SCRIPT)
        path = Path(app.outdir, "_static", FILE)
        path.parent.mkdir(parents=True, exist_ok=True)
        modes = "".join(map(shown, ("auto", "dark", "light")))
        path.write_text(RULES + modes + "".join(icon_css(name, script) for name in ICONS), "utf-8")


def drop_fonts(app: Sphinx, error: Exception | None) -> None:
    """Leave out the theme's files of icons, which no page loads."""
    if not error and app.builder.format == "html":
        shutil.rmtree(Path(app.outdir, "_static", "vendor", "fontawesome"), ignore_errors=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above. The template static/webpack-macros.html links the style sheet."""
    app.connect("builder-inited", write_icons)
    app.connect("build-finished", drop_fonts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
