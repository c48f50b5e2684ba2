"""Sphinx extension: draws the PDF of the cheat sheet, from the tables that its page shows."""

from pathlib import Path
from typing import Any

from sheet_pdf import draw_sheet
from sphinx.application import Sphinx

from attn.lessons.sheet import sheet

PDF = "_static/cheat-sheet.pdf"


def write_sheet(app: Sphinx, error: Exception | None) -> None:
    """Write the PDF of the cheat sheet."""
    if not error and app.builder.format == "html":
        Path(app.outdir, PDF).write_bytes(draw_sheet("Attention: cheat sheet", sheet()))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the step above."""
    app.connect("build-finished", write_sheet)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
