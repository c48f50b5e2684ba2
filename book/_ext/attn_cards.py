"""Sphinx extension: ```{chapter-card} /chapters/05-why-k-transpose``` is a card that leads to a chapter, with a picture of it.

The directive is a card of sphinx-design and stands in its grid. Number and title come from the chapter, the text from the
directive, and the picture is drawn when the book is built. The pictures are kept until the package or a module that draws changes.
"""

import importlib.util
import os
import re
import shutil
from pathlib import Path
from typing import Any

import cards_devices  # noqa: F401 (importing a module registers its pictures)
import cards_engine  # noqa: F401
import cards_hardware  # noqa: F401
import cards_outputs  # noqa: F401
import cards_pages  # noqa: F401
import cards_positions  # noqa: F401
import cards_scores  # noqa: F401
import cards_shapes  # noqa: F401
import cards_versions  # noqa: F401
from attn_execution import digest_of_dependencies, digest_of_files
from card_canvas import PICTURES, as_svg
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx_design.grids import GridItemCardDirective

FOLDER = ".cards"


def digest_of_pictures() -> str:
    """A digest of everything that the pictures depend on: the package, and the modules that draw."""
    package = importlib.util.find_spec("attn")
    assert package is not None and package.origin is not None
    here = Path(__file__).parent
    return f"{digest_of_dependencies(Path(package.origin).parent)}-{digest_of_files(here.glob('card*.py'), here)[:16]}"


def draw_pictures(app: Sphinx) -> None:
    """Draw the pictures of the chapters that have not been drawn, and remove those of an earlier package."""
    current = folder_of(app)
    for path in current.parent.glob("*"):
        if path != current:
            shutil.rmtree(path, ignore_errors=True)
    current.mkdir(parents=True, exist_ok=True)
    for page in PICTURES:
        if not (path := current / f"{Path(page).name}.svg").exists():
            path.write_text(as_svg(page), "utf-8")


def folder_of(app: Sphinx) -> Path:
    """Where the pictures of this package are."""
    return Path(app.outdir).parent / FOLDER / digest_of_pictures()


def number_and_title(page: str, path: Path) -> tuple[int, str]:
    """The number of a chapter and its title, in Markdown."""
    return int(re.findall(r"\d+", page)[0]), re.findall(r"^# (.+)$", path.read_text("utf-8"), re.M)[0]


class ChapterCard(GridItemCardDirective):
    """A card that leads to the chapter that is its argument. Its content says in plain words what the chapter claims."""

    required_arguments = 1
    optional_arguments = 0

    def run_with_defaults(self) -> list[nodes.Node]:
        """Fill in what the card takes from the chapter, and make the card."""
        page = self.arguments[0].strip().lstrip("/")
        if page not in PICTURES:
            raise ExtensionError(f"{page} has no picture: draw one in book/_ext/cards_*.py, as for {next(iter(PICTURES))}.")
        path = Path(self.env.doc2path(page))
        self.env.note_dependency(str(path))
        number, title = number_and_title(page, path)
        svg = folder_of(self.env.app) / f"{path.stem}.svg"
        self.arguments = [f"{number}. {title.partition(':')[0]}"]
        self.options |= {
            "img-top": "/" + Path(os.path.relpath(svg, self.env.srcdir)).as_posix(),
            "img-alt": PICTURES[page].alt,
            "link": f"/{page}",
            "link-type": "doc",
            "link-alt": f"Chapter {number}: {title.replace('`', '')}",
            "class-card": ["chapter-card"],
        }
        return super().run_with_defaults()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive and the drawing of its pictures."""
    app.add_directive("chapter-card", ChapterCard)
    app.connect("builder-inited", draw_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
