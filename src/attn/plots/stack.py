"""A sum, term by term: stacked bars, with a mark at their sum."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from attn.plots.paper import BLACK, INDEX_COLOURS, INK, MUTED, WHITE, as_array, blank
from attn.shapes import ShapeError

__all__ = ["draw_sum"]


def draw_sum(parts: Any, *, names: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Draw N parts of a sum: in each column positive parts are stacked upwards, negative ones downwards, and a mark is at the sum.

    parts: (N, C), such as the contributions of N heads to the C numbers of one token's y. names: for the legend, one for each part.

    Raises ShapeError if parts does not have two axes or there is not one name for each part, ValueError for numbers that are not
    finite.
    """
    values = as_array(parts)
    if values.ndim != 2 or not values.size:
        raise ShapeError(f"parts has shape {values.shape}; draw_sum needs (N, C), such as parts[b, :, i] of (B, H, L, E).")
    if names is not None and len(names) != len(values):
        raise ShapeError(f"names has {len(names)} names, parts has {len(values)} rows: each row needs its own name.")
    if not np.isfinite(values).all():
        raise ValueError("parts has NaN or infinities, which a bar cannot show.")

    N, C = values.shape
    ax = blank(ax, 330.0, 200.0)
    places = np.arange(C)
    for sign in (1, -1):
        heights = np.where(values * sign > 0, values, 0)
        bases = np.cumsum(heights, axis=0) - heights
        for n in range(N):
            label = names[n] if names is not None and sign > 0 else "_"
            ax.bar(places, heights[n], 0.8, bases[n], color=INDEX_COLOURS[n % len(INDEX_COLOURS)], label=label)
    ax.axhline(0, color=MUTED, lw=0.8)
    for colour, width in ((WHITE, 5), (BLACK, 2.5)):  # visible on every bar, on light and on dark pages
        ax.hlines(values.sum(0), places - 0.46, places + 0.46, colour, lw=width)
    step = 5 if C > 12 else 1
    ax.set_xticks(range(0, C, step))
    low, high = ax.get_ylim()
    ax.set_yticks([tick for tick in np.arange(-10, 10.5, 0.5) if low < tick < high] if high - low < 5 else [0])
    if names is not None:
        ax.legend(
            ncols=min(N, 4),
            fontsize=9,
            frameon=False,
            labelcolor=INK,
            loc="lower center",
            bbox_to_anchor=(0.5, 1),
            columnspacing=1,
            handlelength=1,
        )
    return ax
