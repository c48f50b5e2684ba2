"""A mask as a picture: which keys each query may attend to."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from attn.plots.heatmaps import check_tokens, name_cells
from attn.plots.paper import INDEX_COLOURS, INK, MUTED, as_array, blank, size_in_points
from attn.shapes import ShapeError

__all__ = ["draw_mask"]


def draw_mask(
    mask: Any, *, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw one slice of a boolean mask: a filled cell where a query may attend to a key, a dot where it may not.

    mask: (L, S), True where a query may attend to a key. rows, columns: the tokens of the L queries and of the S keys. A fully
    masked row is labelled "sees nothing".

    Raises ShapeError if mask does not have two axes or the tokens do not fit its sizes, TypeError if mask is not boolean.
    """
    values = as_array(mask)
    if values.ndim != 2 or not values.size:
        raise ShapeError(f"mask has shape {values.shape}; draw_mask needs one slice (L, S), such as mask[0, 0].")
    dtype = str(getattr(mask, "dtype", np.asarray(mask).dtype))
    if not dtype.endswith("bool"):
        raise TypeError(f"mask is {dtype}; draw_mask takes a boolean mask, True where a query may attend to a key.")
    keep = values.astype(bool)
    L, S = keep.shape
    check_tokens((L, S), rows, columns)
    cell = max(6.0, min(24.0, 300 / max(L, S)))
    room = cell if ax is None else min(size_in_points(ax)[0] / S, size_in_points(ax)[1] / L)
    ax = blank(ax, cell * S + 90, cell * L + 70)
    shown = np.ma.masked_where(~keep, values)
    colours = ListedColormap([INDEX_COLOURS[0]]).with_extremes(bad=(0, 0, 0, 0))
    ax.imshow(shown, cmap=colours, extent=(0, S, L, 0), aspect="equal", interpolation="none")
    for n in range(L + 1):
        ax.plot([0, S], [n, n], color=MUTED, lw=0.8 if n in (0, L) else 0.3, clip_on=False)
    for n in range(S + 1):
        ax.plot([n, n], [0, L], color=MUTED, lw=0.8 if n in (0, S) else 0.3, clip_on=False)
    seen = keep.any(-1, keepdims=True)
    queries, keys = np.nonzero(~keep & seen)
    ax.plot(keys + 0.5, queries + 0.5, ls="none", marker=".", ms=0.2 * min(room, 20.0), mew=0, color=MUTED)
    for query in np.flatnonzero(~seen):
        ax.text(S / 2, query + 0.5, "sees nothing", color=INK, ha="center", va="center_baseline", fontsize=8.5)
    name_cells(ax, (L, S), rows, columns, room)
    return ax
