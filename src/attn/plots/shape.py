"""What each number of a shape counts."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from attn.plots.paper import INK, blank
from attn.shapes import AXES, ShapeError

_FONT, _NUMBER, _LINE = 20, 34.0, 24.0  # points: the numbers' font, their distance, the distance of the lines of text


def draw_shape(sizes: Mapping[str, int], *, meanings: Mapping[str, str] | None = None, ax: Axes | None = None) -> Axes:
    """Draw a shape with a line from each number to the letter of its axis and what it counts.

    sizes: the size of each axis, in order, by the letter of AXES: {"B": 2, "L": 7, "E": 12}. meanings: what an axis counts here, by
    its letter; for the others it is the meaning that AXES gives.

    Raises ShapeError if there are no sizes or a letter is not one of AXES.
    """
    unknown = [letter for letter in sizes if letter not in AXES]
    if unknown or not sizes:
        raise ShapeError(f"sizes = {dict(sizes)}: give a size for each axis by its letter, one of {', '.join(AXES)}.")
    words = {letter: (meanings or {}).get(letter, AXES[letter].meaning) for letter in sizes}
    width = len(sizes) * _NUMBER
    right = width + 12 + max(len(word) for word in words.values()) * 6.2 + 30
    bottom = -len(sizes) * _LINE - 8
    ax = blank(ax, right, 30 - bottom)
    ax.set(xlim=(0, right), ylim=(bottom, 30))
    ax.text(2, 0, "(", color=INK, fontsize=_FONT, va="baseline")
    for n, (letter, size) in enumerate(sizes.items()):
        x, y, colour = 24 + n * _NUMBER, -_LINE * (len(sizes) - n) + 8, AXES[letter].light
        comma = "" if n + 1 == len(sizes) else ","
        ax.text(x, 0, str(size), color=colour, fontsize=_FONT, weight="bold", ha="center", va="baseline")
        ax.text(x + _NUMBER / 2, 0, comma or ")", color=INK, fontsize=_FONT, ha="center", va="baseline")
        ax.add_line(Line2D([x, x, width + 10], [-6, y, y], color=colour, linewidth=1.2, label=letter))
        ax.text(width + 16, y, letter, color=colour, fontsize=11, weight="bold", va="center")
        ax.text(width + 32, y, words[letter], color=INK, fontsize=10, va="center")
    return ax
