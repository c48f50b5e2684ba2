"""Sphinx extension: the texts of the licenses of everything that built pages bring along, as one file, linked on the page *About*.

The texts are those that the installed packages have. Parts that a package contains without a text are under a license whose text is
here: MIT as in this project's own LICENSE. The font of the formulas has its text in licenses/.
"""

from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

FILE = "_static/licenses.txt"
ROOT = Path(__file__).parents[2]
FONT = Path(__file__).parent / "licenses" / "stix-two-math.txt"
# The part, the installed package that has it, and how the name of the file with its license ends.
INSTALLED = [
    ("Sphinx", "sphinx", "LICENSE.rst"),
    ("Sphinx Book Theme", "sphinx-book-theme", "info/LICENSE"),
    ("PyData Sphinx Theme", "pydata-sphinx-theme", "info/LICENSE"),
    ("Font Awesome Free", "pydata-sphinx-theme", "fontawesome/6.5.2/LICENSE.txt"),
    ("MyST-NB", "myst-nb", "LICENSE"),
    ("Pygments", "pygments", "LICENSE"),
    ("sphinx-copybutton", "sphinx-copybutton", "LICENSE"),
    ("sphinx-design", "sphinx-design", "licenses/LICENSE"),
    ("Octicons", "sphinx-design", "octicon_LICENSE"),
]
# Parts whose package has no text: their copyright.
MIT = {
    "Bootstrap": "Copyright (c) 2011-2024 The Bootstrap Authors",
    "clipboard.js": "Copyright (c) Zeno Rocha",
}


def texts() -> dict[str, str]:
    """Each part with the text of its license."""
    found = {part: installed(package, end) for part, package, end in INSTALLED}
    terms = (ROOT / "LICENSE").read_text("utf-8").partition("Permission is hereby granted")
    found |= {part: f"MIT License\n\n{copyright}\n\n{terms[1]}{terms[2]}" for part, copyright in MIT.items()}
    return found | {"STIX Two Math": FONT.read_text("utf-8")}


def installed(package: str, end: str) -> str:
    """The one file of an installed package whose name ends so."""
    (path,) = (path for path in distribution(package).files or () if str(path).endswith(end))
    return Path(str(path.locate())).read_text("utf-8")


def write_licenses(app: Sphinx, error: Exception | None) -> None:
    """Write all of them into one file of the book."""
    if not error and app.builder.format == "html":
        line = "=" * 78
        parts = [
            f"{line}\n{part}\n{line}\n\n{text.strip()}\n" for part, text in sorted(texts().items(), key=lambda of: of[0].lower())
        ]
        Path(app.outdir, FILE).write_text("\n".join(parts), "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the step above."""
    app.connect("build-finished", write_licenses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
