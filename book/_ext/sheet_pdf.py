"""The cheat sheet on one page of A4, drawn with matplotlib, which the book needs anyway. It needs no browser and no TeX."""

import io
import re
from collections.abc import Iterable, Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from attn.plots.paper import INK, MUTED, PAPER, blank
from attn.shapes import AXES
from attn.trace.table import Table

A4 = (595, 842)  # points
_MARGIN, _GAP = 32, 16  # around the page, between two tables side by side
_SIZE, _LINE, _HEAD, _TITLE = 6.9, 12.3, 10.0, 17.0
_MONO, _SANS = "DejaVu Sans Mono", "DejaVu Sans"
_COLUMN_GAP = 8
# Which columns are code, and which titles stand side by side.
_CODE = {"letter", "tensor", "right line", "shape", "here", "FLOPs", "call", "formula", "large", "dtype"}
_ROWS = (("Letters",), ("Steps",), ("Masks",), ("Cache", "Number formats"), ("Costs of a layer",))


def draw_sheet(title: str, tables: dict[str, Table]) -> bytes:
    """A PDF of one page with all tables. Raises ValueError if one of them is not placed, too wide or too long for the page."""
    if sorted(tables) != sorted(name for row in _ROWS for name in row):
        raise ValueError(f"The sheet has the tables {list(tables)}; sheet_pdf.py places {_ROWS}.")
    figure = Figure(figsize=(A4[0] / 72, A4[1] / 72), facecolor=PAPER)
    FigureCanvasPdf(figure)
    ax = blank(figure.add_axes((0, 0, 1, 1)))
    ax.set(xlim=(0, A4[0]), ylim=(A4[1], 0))
    ax.text(_MARGIN, _MARGIN + 10, title, size=_TITLE, weight="bold", color=INK, family=_SANS)
    y = _MARGIN + 24.0
    for row in _ROWS:
        x, ends = float(_MARGIN), list[float]()
        for name in row:
            width, end = _draw_table(ax, name, tables[name], x, y)
            x, ends = x + width + _GAP, [*ends, end]
        if x - _GAP > A4[0] - _MARGIN or max(ends) > A4[1] - _MARGIN + _LINE:
            raise ValueError(f"{' and '.join(row)}: the cheat sheet does not fit its page ({x - _GAP:.0f}, {max(ends):.0f}).")
        y = max(ends) + 12
    file = io.BytesIO()
    with mpl.rc_context({"pdf.fonttype": 42}):  # text that can be searched and copied
        figure.savefig(file, format="pdf", facecolor=PAPER, metadata={"Title": title, "CreationDate": None})
    return file.getvalue()


def _draw_table(ax: Axes, title: str, of: Table, x: float, y: float) -> tuple[float, float]:
    """Draw a table with its upper left corner at (x, y); return its width and the y of its end."""
    families = [_MONO if column in _CODE else _SANS for column in of.columns]
    columns = list(zip(of.columns, *of.rows, strict=True))
    widths = [
        max(_width(head, _SANS), *(_width(cell, family) for cell in cells))
        for (head, *cells), family in zip(columns, families, strict=True)
    ]
    width = sum(widths) + _COLUMN_GAP * (len(widths) - 1)
    y += _HEAD
    ax.text(x, y, title, size=_HEAD, weight="bold", color=INK, family=_SANS)
    y += _LINE + 2
    _write(ax, of.columns, widths, [_SANS] * len(widths), x, y, MUTED)
    for row in of.rows:
        ax.plot([x, x + width], [y + 3, y + 3], color=MUTED, linewidth=0.25, solid_capstyle="butt")
        y += _LINE
        _write(ax, row, widths, families, x, y, INK)
    for note in of.notes:
        y += _LINE
        ax.text(x, y, note, size=_SIZE, color=INK, family=_SANS)
        width = max(width, _width(note, _SANS))
    return width, y


def _write(ax: Axes, cells: Iterable[str], widths: Iterable[float], families: Sequence[str], x: float, y: float, ink: str) -> None:
    """One line of a table. In code, letters of axes have their colours."""
    for cell, width, family in zip(cells, widths, families, strict=True):
        ax.text(x, y, cell, size=_SIZE, color=ink, family=family)
        for letter in re.finditer(rf"(?<![\w.])[{''.join(AXES)}](?!\w)", cell) if family == _MONO else ():
            ax.text(x + _width(cell[: letter.start()], _MONO), y, letter[0], size=_SIZE, family=_MONO, color=AXES[letter[0]].light)
        x += width + _COLUMN_GAP


def _width(text: str, family: str) -> float:
    if family == _MONO:
        return len(text) * 0.602 * _SIZE
    return float(TextPath((0, 0), text, size=_SIZE, prop=FontProperties(family=family)).get_extents().x1) if text else 0.0
