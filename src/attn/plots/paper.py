"""What all plots share: the colours, an empty Axes, and text whose axis letters are coloured.

A page in dark mode replaces INK, MUTED, PAPER and the axis colours in the picture, so text and lines must use exactly these
values. Text and lines on a data colour are BLACK or WHITE instead, which stay the same.
"""

import re
from typing import Any, Literal

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.offsetbox import AnnotationBbox, DrawingArea, HPacker, OffsetBox, TextArea, VPacker
from matplotlib.patches import Rectangle
from numpy.typing import NDArray
from torch import Tensor

from attn.shapes import AXES

INK, MUTED, PAPER = "#1f2328", "#6e7781", "#ffffff"
# Their counterparts on the dark page of the book's theme.
DARK_PAPER = "#121212"
DARK_INKS = {INK: "#e6e8ea", MUTED: "#9aa4ae"}
BLACK, WHITE = "#000000", "#fefefe"

# Paul Tol's "light" scheme, made for filling labelled cells: black text is readable on every colour, and the colours are
# distinct with any kind of colour blindness. https://personal.sron.nl/~pault/
INDEX_COLOURS = ("#77aadd", "#ee8866", "#eedd88", "#44bb99", "#ffaabb", "#99ddff", "#bbcc33", "#dddddd", "#aaaa00")


def as_array(data: Any) -> NDArray[np.float64]:
    """A tensor (any device, any dtype, with or without gradient), or anything that NumPy can read, as an array."""
    return data.detach().cpu().double().numpy() if isinstance(data, Tensor) else np.asarray(data, dtype=np.float64)


def blank(ax: Axes | None, width: float = 0.0, height: float = 0.0) -> Axes:
    """`ax`, or the Axes of a new figure of this size in points, without matplotlib's ticks, frame and colours."""
    if ax is None:
        _, ax = plt.subplots(figsize=(width / 72, height / 72), facecolor=PAPER, layout="constrained")
    ax.set_facecolor(PAPER)
    ax.spines[:].set_visible(False)
    ax.grid(visible=False)
    ax.tick_params(colors=INK, labelcolor=INK, labelsize=9, length=0, pad=4)
    ax.set(xticks=[], yticks=[])
    for place in ("left", "center", "right"):
        ax.set_title(ax.get_title(place), loc=place, color=INK, fontsize=10)  # also for a title that the caller adds
    return ax


def size_in_points(ax: Axes) -> tuple[float, float]:
    """Width and height of the Axes in its figure, in points."""
    box = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
    return box.width * 72, box.height * 72


_LETTER = re.compile(rf"(?<![A-Za-z_$])([{''.join(AXES)}])(?![A-Za-z_0-9$])", re.IGNORECASE)


def text(line: str, **style: Any) -> OffsetBox:
    """One line of text in INK, with the letters B, H, L ... and the indices b, h, l ... in their own colours."""
    colours = {letter: axis.light for letter, axis in AXES.items()}
    pieces = [
        TextArea(piece, textprops={"color": colours.get(piece.upper(), INK), **style})
        for piece in filter(None, _LETTER.split(line))
    ]
    return beside(*pieces)


def swatch(colour: str) -> OffsetBox:
    """A small square of one colour."""
    box = DrawingArea(9, 9)
    box.add_artist(Rectangle((0, 0), 9, 9, facecolor=colour, edgecolor="none"))
    return box


def beside(*boxes: OffsetBox, gap: int = 0) -> OffsetBox:
    """Boxes in a row."""
    return HPacker(children=list(boxes), align="baseline", pad=0, sep=gap)


def below(*boxes: OffsetBox, gap: int = 0, align: Literal["left", "center"] = "center") -> OffsetBox:
    """Boxes in a column."""
    return VPacker(children=list(boxes), align=align, pad=0, sep=gap)


def put(ax: Axes, box: OffsetBox, xy: tuple[float, float], align: tuple[float, float], **place: Any) -> None:
    """Place a box so that its point `align`, (0, 0) lower left to (1, 1) upper right, is at xy."""
    style: dict[str, Any] = {"frameon": False, "pad": 0, "annotation_clip": False, "boxcoords": "offset points"}
    ax.add_artist(AnnotationBbox(box, xy, xybox=place.pop("offset", (0, 0)), box_alignment=align, **style, **place))
