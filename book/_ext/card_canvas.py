"""What the pictures of the cards share: a canvas of 320 × 180 points, and the marks that are drawn on it.

A picture is a function that draws on a canvas, registered for one page together with a text for readers who cannot see it.
On a dark page attn_pages recolours a picture as it does the figures, so it must use the colours of attn.plots.paper, the axes'
colours, or colours that are visible on both. Cells of numbers become transparent near 0 and are then as dark as the page.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import BoxStyle, FancyArrowPatch, FancyBboxPatch, Polygon, Rectangle
from numpy.typing import NDArray

from attn.plots.cells import colours_of
from attn.plots.paper import INDEX_COLOURS, INK, MUTED, PAPER, as_array, blank
from attn.shapes import AXES

WIDTH, HEIGHT = 320, 180
Colour = Any
HEADS = np.array([to_rgb(colour) for colour in INDEX_COLOURS[:3]])  # a colour for each of three heads


@dataclass(frozen=True)
class Picture:
    """A picture of what a page shows, and its text."""

    draw: Callable[[Axes], None]
    alt: str


PICTURES: dict[str, Picture] = {}


def picture(page: str, alt: str) -> Callable[[Callable[[Axes], None]], Callable[[Axes], None]]:
    """Register a function as the picture of a page. `alt` says what is to be seen."""

    def register(draw: Callable[[Axes], None]) -> Callable[[Axes], None]:
        PICTURES[page] = Picture(draw, alt)
        return draw

    return register


def canvas() -> tuple[Figure, Axes]:
    """An empty canvas: one unit is one point, and y points down."""
    figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72), facecolor=PAPER)
    ax = blank(figure.add_axes((0, 0, 1, 1)))
    ax.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    return figure, ax


def as_svg(page: str) -> str:
    """The picture of a page as SVG, the same text every time."""
    figure, ax = canvas()
    file = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": page, "font.family": "DejaVu Sans"}):
        PICTURES[page].draw(ax)
        figure.savefig(file, format="svg", facecolor=PAPER, metadata={"Date": None})
    return file.getvalue()


def as_pixels(page: str, width: int) -> NDArray[np.uint8]:
    """The picture of a page as an array of pixels, this many wide."""
    figure, ax = canvas()
    agg = FigureCanvasAgg(figure)
    with mpl.rc_context({"font.family": "DejaVu Sans"}):
        PICTURES[page].draw(ax)
        figure.set_dpi(72 * width / WIDTH)
        agg.draw()
    return np.asarray(agg.buffer_rgba())


def hue(sign: Literal["less", "more"]) -> Colour:
    """The colour of the negative or of the positive numbers."""
    return to_rgb(colours_of("scores")(0.19 if sign == "less" else 0.79))


def signed(values: Any, most: float | None = None) -> Any:
    """A colour for each number: one hue for each sign, and the closer to 0 the more transparent."""
    numbers = as_array(values)
    strength = np.clip(np.abs(numbers) / (most or np.abs(numbers).max() or 1), 0, 1)
    return np.concatenate([np.where(numbers[..., None] < 0, hue("less"), hue("more")), 0.06 + 0.94 * strength[..., None]], -1)


def shares(values: Any) -> Any:
    """A colour for each attention weight, on the book's scale from 0 to 1. A weight of exactly 0 has none."""
    weights = as_array(values)
    return colours_of("weights")(weights) * (weights > 0)[..., None]


def tinted(hue: Colour, values: Any) -> Any:
    """A colour for each number between 0 and 1: this hue, more or less transparent."""
    numbers = as_array(values)
    return np.concatenate([np.broadcast_to(to_rgb(hue), (*numbers.shape, 3)), numbers[..., None]], -1)


def cells(ax: Axes, colours: Any, left: float, top: float, size: float, *, high: float | None = None, gap: float = 1.0) -> None:
    """Draw a table: a cell of this size for each colour in an array (rows, columns, 3 or 4), unless it is transparent."""
    high = high or size
    places = [(row, column) for row, column in np.ndindex(*np.shape(colours)[:2]) if len(of := colours[row][column]) < 4 or of[3]]
    centres = [(left + (column + 0.5) * size - gap / 2, top + (row + 0.5) * high - gap / 2) for row, column in places]
    wide, tall = (size - gap) / 72, (high - gap) / 72  # the outline is in inches, and is written once for all cells
    outline = BoxStyle.Round(pad=0, rounding_size=min(1.6, size / 6) / 72)(-wide / 2, -tall / 2, wide, tall, 1)
    look: dict[str, Any] = {"facecolors": [colours[row][column] for row, column in places], "linewidths": 0}
    scale = ax.figure.dpi_scale_trans
    ax.add_collection(PathCollection([outline], offsets=centres, offset_transform=ax.transData, transform=scale, **look))


def box(
    ax: Axes, left: float, top: float, wide: float, high: float, *, face: Colour = "none", edge: Colour = "none", **look: Any
) -> None:
    """Draw a box with round corners."""
    radius, line = look.pop("radius", 2.0), look.pop("line", 1.2)
    style = f"round,pad=0,rounding_size={min(radius, wide / 2, high / 2)}"
    line = 0 if isinstance(edge, str) and edge == "none" else line
    ax.add_patch(FancyBboxPatch((left, top), wide, high, boxstyle=style, facecolor=face, edgecolor=edge, lw=line, **look))


def frame(ax: Axes, left: float, top: float, wide: float, high: float, colour: Colour = INK) -> None:
    """Frame some cells."""
    box(ax, left - 1.5, top - 1.5, wide + 2, high + 2, edge=colour, line=1.7, radius=3)


def stack(
    ax: Axes, sheets: int, left: float, top: float, wide: float, high: float, sides: tuple[str, str], *, cuts: int = 1
) -> None:
    """Draw a tensor as a stack of sheets. The left and the lower edge of the front sheet have the colours of its axes."""
    for n in range(1, sheets):  # of a sheet behind another one, the strip that can be seen: paper is transparent on a dark page
        x, y, near = left + 4 * n, top - 4 * n, 4 * (n - 1)
        outer = [(x, y), (x + wide, y), (x + wide, y + high)]
        inner = [(left + near + wide, y + high), (left + near + wide, top - near), (x, top - near)]
        ax.add_patch(Polygon(outer + inner, facecolor=(*to_rgb(MUTED), 0.1), edgecolor=MUTED, lw=0.7))
    ax.add_patch(Rectangle((left, top), wide, high, facecolor=(*to_rgb(MUTED), 0.16), edgecolor=MUTED, lw=0.7))
    for cut in range(1, cuts):
        x = left + wide * cut / cuts
        ax.plot([x, x], [top, top + high], color=MUTED, lw=0.8, ls=(0, (2, 2)))
    ax.plot([left, left], [top, top + high], color=AXES[sides[0]].light, lw=2.4, solid_capstyle="butt")
    ax.plot([left, left + wide], [top + high] * 2, color=AXES[sides[1]].light, lw=2.4, solid_capstyle="butt")


def say(ax: Axes, x: float, y: float, words: str, colour: Colour = INK, size: float = 11.0, **style: Any) -> None:
    """Write words centred at a point."""
    look = {"ha": "center", "va": "center_baseline"} | style
    ax.text(x, y, words, color=colour, fontsize=size, **look)


def letters(ax: Axes, x: float, y: float, names: str, size: float = 11.0, pitch: float = 11.0) -> None:
    """Write the letters of axes in their colours, centred at a point."""
    for n, letter in enumerate(names):
        say(ax, x + (n - (len(names) - 1) / 2) * pitch, y, letter, AXES[letter].light, size, fontweight="bold")


def arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], colour: Colour = MUTED, **look: Any) -> None:
    """Draw an arrow from point to point."""
    style: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 9, "lw": 1.2, "shrinkA": 0, "shrinkB": 0}
    ax.add_patch(FancyArrowPatch(start, end, color=colour, **style | look))


def line(ax: Axes, points: Sequence[tuple[float, float]], colour: Colour = MUTED, **look: Any) -> None:
    """Draw a line through points."""
    style: dict[str, Any] = {"lw": 1.2, "solid_capstyle": "round"}
    ax.plot(*zip(*points, strict=True), color=colour, **style | look)
