"""A transformer block: where attention stands in it, and which of its parts are trained."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Rectangle

from attn.plots.paper import INK, MUTED, blank

PARTS = ("norm", "attention", "norm", "MLP")
_STEP, _HEIGHT, _LEFT, _WIDTH = 34.0, 20.0, 70.0, 96.0  # points
_SIDE = 34.0  # where what came in goes past
_SUMS = (2, 5)  # the places of the two sums, counted from the bottom


def draw_block(parameters: Mapping[str, int], *, shape: str = "(B, L, E)", ax: Axes | None = None) -> Axes:
    """Draw a transformer block from its input, below, to its output. A part with a solid frame has parameters; a sum has none.

    parameters: how many parameters the first norm, attention, the second norm and the MLP have, in this order, by any names.
    shape: of the tensor between the parts.

    Raises ValueError if there are not four numbers.
    """
    if len(parameters) != len(PARTS):
        raise ValueError(
            f"parameters = {dict(parameters)}: give four numbers, for the first norm, attention, the second norm, the MLP."
        )
    ax = blank(ax, 330.0, 8 * _STEP)
    ax.set(xlim=(0, 330), ylim=(0, 8 * _STEP))
    centre = _LEFT + _WIDTH / 2
    counts = iter(parameters.values())
    names = iter(PARTS)
    for place in range(6):
        y = (place + 1.5) * _STEP
        if place in _SUMS:
            ax.text(centre, y, "+", color=INK, fontsize=15, ha="center", va="center")
            ax.text(_LEFT + _WIDTH + 14, y, "adds what came in", color=MUTED, fontsize=9, va="center")
            start = y - 2.75 * _STEP
            ax.add_line(Line2D([centre, _SIDE, _SIDE], [start, start, y], color=MUTED, linewidth=1))
            ax.add_patch(_arrow((_SIDE, y), (centre - 9, y), MUTED))
        else:
            name, count = next(names), next(counts)
            ax.add_patch(Rectangle((_LEFT, y - _HEIGHT / 2), _WIDTH, _HEIGHT, fill=False, edgecolor=INK, linewidth=1.8))
            ax.text(centre, y, name, color=INK, fontsize=10, ha="center", va="center")
            ax.text(_LEFT + _WIDTH + 14, y, f"{count:,} parameters", color=INK, fontsize=9, va="center")
    for place in range(7):
        ax.add_patch(_arrow((centre, (place + 0.82) * _STEP), (centre, (place + 1.18) * _STEP), INK))
    for y, name in ((0.5, "x"), (7.5, "y")):
        ax.text(centre, y * _STEP, f"{name}  {shape}", color=INK, fontsize=10, ha="center", va="center")
    return ax


def _arrow(start: tuple[float, float], end: tuple[float, float], colour: str) -> FancyArrowPatch:
    return FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=8, color=colour, linewidth=1, shrinkA=0, shrinkB=0)
