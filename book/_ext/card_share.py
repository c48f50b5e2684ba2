"""The picture that a messenger shows beside a link to a page: the page's title above the picture of its card."""

import io
import textwrap
from typing import Any

import matplotlib as mpl
from card_canvas import HEIGHT, PICTURES, WIDTH, as_pixels
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from attn.plots.paper import INK, MUTED, PAPER

SIZE = (1200, 630)  # pixels, as messengers want it
FIRST = "book/index"  # whose picture pages without one of their own have
_MARGIN, _PICTURE, _LARGE, _SMALL = 52, 704, 43, 24


def draw_share(page: str, title: str, book: str) -> bytes:
    """The picture as a PNG: the name of the book, the title, and below them the picture of the page."""
    figure = Figure(figsize=(SIZE[0] / 72, SIZE[1] / 72), dpi=72, facecolor=PAPER)
    FigureCanvasAgg(figure)
    lines = textwrap.wrap(title, 42, max_lines=2, placeholder=" …")
    high = _PICTURE * HEIGHT // WIDTH
    down = _MARGIN + (_SMALL + 22 if book else 0)
    with mpl.rc_context({"font.family": "DejaVu Sans"}):
        rows: list[tuple[str, float, float, dict[str, Any]]] = [
            (book, _MARGIN, _SMALL, {"color": MUTED}),
            *((line, down + n * 1.25 * _LARGE, _LARGE, {"color": INK, "fontweight": "bold"}) for n, line in enumerate(lines)),
        ]
        for words, top, size, look in rows:
            figure.text(_MARGIN / SIZE[0], 1 - top / SIZE[1], words, fontsize=size, va="top", **look)
        below = SIZE[1] - down - 1.25 * _LARGE * len(lines)
        pixels = as_pixels(page if page in PICTURES else FIRST, _PICTURE)
        figure.figimage(pixels, (SIZE[0] - _PICTURE) // 2, int(below - high) // 2)
        file = io.BytesIO()
        figure.savefig(file, format="png", facecolor=PAPER, metadata={"Software": None})
    return file.getvalue()
