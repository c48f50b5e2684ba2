"""A matrix product drawn as a box: q on its right side, k on top, and the scores, which are sums over D, on its front."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from attn.plots.cells import colours_of, ink_on, number_text, scale_of
from attn.plots.paper import BLACK, MUTED, WHITE, as_array, blank, put, text
from attn.shapes import AXES, ShapeError

_BACK = np.array((0.62, 0.42))  # one step along D, away from the reader


def draw_box(q: Any, k: Any, *, pick: tuple[int, int] | None = None, ax: Axes | None = None) -> Axes:
    """Draw the L·S·D products q[l, d] · k[s, d] as a box, with their sums over D, the scores, on its front.

    q: (L, D), a tensor or an array. k: (S, D). pick: the indices of a query and a key. Their score and
    the 2·D numbers that it is computed from are framed. On each of the three faces the colours are symmetric about 0.

    Raises ShapeError if q or k does not have two axes, or if they differ in D.
    """
    side, top = as_array(q), as_array(k)
    if side.ndim != 2 or top.ndim != 2 or side.shape[1] != top.shape[1] or not side.size * top.size:
        raise ShapeError(f"q has shape {side.shape}, k has shape {top.shape}; draw_box needs (L, D) and (S, D), with the same D.")
    front = (side[:, None] * top[None]).sum(-1)
    (L, S), D = front.shape, side.shape[1]
    right, down, back = np.array((1.0, 0.0)), np.array((0.0, -1.0)), _BACK
    above, beside = np.array((0.0, L)), np.array((S, L))
    wide, tall = np.array((S, L)) + D * _BACK
    ax = blank(ax, 34 * wide + 130, 34 * tall + 80)
    _paint(ax, front, above, down, right)
    _paint(ax, top, above, right, back)
    _paint(ax, side, beside, down, back)
    if pick is not None:
        i, s = pick
        for corner, one, other, length in (
            (above + i * down + s * right, down, right, 1),
            (above + s * right, right, back, D),
            (beside + i * down, down, back, D),
        ):
            for colour, thickness in ((WHITE, 4.5), (BLACK, 2.0)):  # on data colours, which stay the same on a dark page
                ax.add_patch(_cell(corner, one, length * other, facecolor="none", edgecolor=colour, lw=thickness, zorder=3))
    ax.set(xlim=(-0.1, wide + 0.1), ylim=(-0.1, tall + 0.1), aspect="equal")
    for words, at, align in (
        ("scores (L, S)", (S / 2, -0.62), (0.5, 1.0)),
        ("k (S, D)", (S / 2 + D * back[0] * 0.9, tall + 0.2), (0.5, 0.0)),
        ("q (L, D)", (wide + 0.2, L / 2 + D * back[1]), (0.0, 0.5)),
    ):
        put(ax, text(words, fontsize=10.5), at, align)
    slope = float(np.degrees(np.arctan2(back[1], back[0])))
    for axis, words, at, turn in (
        ("L", "L: queries", (-0.3, L / 2), 90.0),
        ("S", "S: keys", (S / 2, -0.3), 0.0),
        ("D", "D: summed", (S + D * back[0] / 2 + 0.2, D * back[1] / 2 - 0.3), slope),
    ):
        style: dict[str, Any] = {"color": AXES[axis].light, "fontsize": 10, "fontweight": "bold"}
        ax.text(at[0], at[1], words, rotation=turn, rotation_mode="anchor", ha="center", va="center", clip_on=False, **style)
    return ax


def _cell(corner: NDArray[Any], one: NDArray[Any], other: NDArray[Any], **look: Any) -> Polygon:
    return Polygon([corner, corner + one, corner + one + other, corner + other], closed=True, clip_on=False, **look)


def _paint(ax: Axes, values: NDArray[Any], corner: NDArray[Any], one: NDArray[Any], other: NDArray[Any]) -> None:
    """Draw one face, a slanted cell for each number; `one` and `other` are the steps along its first and second axis."""
    scale, colours = scale_of(values, "scores"), colours_of("scores")
    digits = 0 if (values == values.round()).all() else 1
    for (row, column), value in np.ndenumerate(values):
        paper = colours(scale(value))
        start = corner + row * one + column * other
        ax.add_patch(_cell(start, one, other, facecolor=paper, edgecolor=MUTED, lw=0.8))
        look: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 9}
        x, y = start + (one + other) / 2
        ax.text(x, y, number_text(value, digits), color=ink_on(paper), **look)
