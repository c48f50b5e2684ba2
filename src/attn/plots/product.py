"""A matrix product as it is drawn on paper: rows of one factor and columns of the other meet in the result."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from attn.plots.cells import paint, scale_of, write_numbers
from attn.plots.paper import INK, as_array, blank, put, size_in_points, text
from attn.shapes import AXES, ShapeError

_GAP = 0.75  # between the factors and the result, in cells


def draw_product(
    left: Any,
    right: Any,
    *,
    axes: str = "LDS",
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    cell: tuple[int, int] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw left @ right: left at the lower left, right at the upper right, and each result where its row and column cross.

    In the empty corner, lines join column d of left to row d of right: these pairs are multiplied and summed.

    left: (R, N), right: (N, C), tensors or arrays. axes: the letters of R, N and C. rows, columns: names for the rows of left
    and the columns of right. cell: the (row, column) of the result to frame, with the row and the column that it is computed from.

    Raises ShapeError if the matrices cannot be multiplied, axes is not three letters, or the names or the cell do not fit.
    """
    first, second = as_array(left), as_array(right)
    if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[0] or not first.size or not second.size:
        raise ShapeError(
            f"left has shape {first.shape}, right {second.shape}: draw_product needs (R, N) and (N, C), such as q[0, 0] and "
            "k[0, 0].mT."
        )
    R, N, C = *first.shape, second.shape[1]
    letters = axes.replace(" ", "")
    if len(letters) != 3 or not set(letters) <= set(AXES):
        raise ShapeError(f'axes is "{axes}": it must be three letters from {" ".join(AXES)}: the rows, the sum and the columns.')
    for name, names, size in (("rows", rows, R), ("columns", columns, C)):
        if names is not None and len(names) != size:
            raise ShapeError(f"{name} has {len(names)} names for {size} {name}.")
    if cell is not None and not (0 <= cell[0] < R and 0 <= cell[1] < C):
        raise ShapeError(f"cell is {cell}, the result has {R} rows and {C} columns.")

    x, y = N + _GAP, N + _GAP  # where the result begins
    unit = min(30.0, 300 / (x + C))
    ax = blank(ax, unit * (x + C) + 60, unit * (y + R) + 50)
    ax.set(xlim=(0, x + C), ylim=(y + R, 0), aspect="equal")
    factors, result = scale_of(np.concatenate([first.ravel(), second.ravel()]), "scores"), first @ second
    room = size_in_points(ax)[0] / (x + C)
    for values, scale, corner in ((first, factors, (0.0, y)), (second, factors, (x, 0.0)), (result, None, (x, y))):
        image = paint(ax, values, "scores", scale or scale_of(values, "scores"), *corner)
        write_numbers(ax, values, image, "scores", room, *corner)

    shared = AXES[letters[1]].light
    for d in range(N):  # column d of left: up, then along to row d of right
        ax.plot([d + 0.5, d + 0.5, x - 0.12], [y - 0.12, d + 0.5, d + 0.5], color=shared, lw=1.2, solid_joinstyle="round")
    if cell is not None:
        i, j = cell
        for (px, py), wide, tall in (((0, y + i), N, 1), ((x + j, 0), 1, N), ((x + j, y + i), 1, 1)):
            ax.add_patch(Rectangle((px, py), wide, tall, fill=False, edgecolor=INK, lw=2.2, clip_on=False))

    _name(ax, rows, R, y, "y")
    _name(ax, columns, C, x, "x")
    style = {"fontsize": 10, "fontweight": "bold"}
    put(ax, text(letters[1], **style), (0.0, 0.0), (0.0, 1.0))
    if rows is None:
        put(ax, text(letters[0], **style), (0.0, y + R / 2), (1.0, 0.5), offset=(-8, 0))
    if columns is None:
        put(ax, text(letters[2], **style), (x + C / 2, 0.0), (0.5, 0.0), offset=(0, 6))
    return ax


def _name(ax: Axes, names: Sequence[str] | None, count: int, start: float, which: str) -> None:
    """Write the names beside the rows, or above the columns, vertically if they are long."""
    places = [start + n + 0.5 for n in range(count)]
    if names is None:
        return
    if which == "y":
        ax.set_yticks(places, names)
        return
    ax.xaxis.tick_top()
    ax.set_xticks(places, names)
    if max(map(len, names)) > 3:
        for label in ax.get_xticklabels():
            label.set(rotation=90)
