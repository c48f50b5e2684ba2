"""The weights of one head at several moments, side by side."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from attn.plots.cells import draw_key, paint, scale_of
from attn.plots.paper import INK, as_array, blank
from attn.shapes import AXES, ShapeError


def draw_frames(weights: Any, *, titles: Sequence[str], ax: Axes | None = None) -> Axes:
    """Draw a heatmap (L, S) for each moment, from left to right, all on the same scale from 0 to 1.

    A weight of exactly 0 has no colour. Every fifth row and column is numbered, from 0.

    weights: (frames, L, S), a tensor or an array. titles: what to write above each frame.

    Raises ShapeError if weights does not have three axes or there is not one title for each frame, ValueError for weights
    outside 0 to 1.
    """
    values = as_array(weights)
    if values.ndim != 3 or not values.size:
        raise ShapeError(f"weights has shape {values.shape}; draw_frames needs one heatmap for each frame, (frames, L, S).")
    count, L, S = values.shape
    if len(titles) != count:
        raise ShapeError(f"titles has {len(titles)} titles, weights has {count} frames: each frame needs its own title.")
    scale = scale_of(values, "weights")
    step = S * 1.1
    width = count * step - 0.1 * S
    cell = 300 / width
    ax = blank(ax, cell * width + 40, cell * L + 84)
    for n, frame in enumerate(values):
        paint(ax, frame, "weights", scale, left=n * step)
        for column in range(0, S, 5):
            ax.text(n * step + column + 0.5, L + 2 / cell, str(column), color=INK, fontsize=8, ha="center", va="top")
    ax.xaxis.tick_top()
    ax.set_xticks([n * step + S / 2 for n in range(count)], list(titles), fontsize=10, color=INK)
    ax.set_yticks([row + 0.5 for row in range(0, L, 5)], [str(row) for row in range(0, L, 5)], fontsize=8)
    ax.set(xlim=(0, width), ylim=(L, 0))
    ax.set_ylabel("L: queries", color=AXES["L"].light, fontsize=10, labelpad=6)
    ax.set_xlabel("S: keys", color=AXES["S"].light, fontsize=10, labelpad=14)
    draw_key(ax, "weights", scale, gap=8)
    return ax
