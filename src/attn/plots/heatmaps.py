"""Scores and weights as heatmaps: one slice (L, S), or all of (B, H, L, S) as facets."""

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from attn.plots.cells import Kind, draw_key, mark_signs, paint, scale_of, write_numbers
from attn.plots.paper import INK, MUTED, as_array, blank, size_in_points
from attn.shapes import AXES, ShapeError


def draw_heatmap(
    matrix: Any,
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    kind: Kind = "weights",
    ax: Axes | None = None,
) -> Axes:
    """Draw one slice of scores or weights: a row per query, a column per key, and the numbers in the cells if there is room.

    matrix: (L, S), a tensor or an array. rows, columns: the tokens of the L queries and of the S keys.
    kind: "weights" are always coloured on a scale from 0 to 1, "scores" on a scale symmetric about 0.

    NaN and infinities have no colour. They are written in the cells, or in small cells marked: −∞ (a masked score) by a dot, ∞ by
    a plus, NaN by a cross. A weight of exactly 0 has no colour either, so it cannot be mistaken for a small weight.

    Raises ShapeError if matrix does not have two axes or the tokens do not fit its sizes, ValueError for weights outside 0 to 1.
    """
    values = as_array(matrix)
    if values.ndim != 2 or not values.size:
        raise ShapeError(f"matrix has shape {values.shape}; draw_heatmap needs one slice (L, S), such as weights[0, 0].")
    L, S = values.shape
    check_tokens((L, S), rows, columns)
    scale = scale_of(values, kind)

    cell = max(6.0, min(36.0, 380 / max(L, S)))
    room = cell if ax is None else min(size_in_points(ax)[0] / S, size_in_points(ax)[1] / L)
    ax = blank(ax, cell * S + 120, cell * L + 90)
    image = paint(ax, values, kind, scale)
    name_cells(ax, (L, S), rows, columns, room)
    if not write_numbers(ax, values, image, kind, room):
        mark_signs(ax, values, kind, room)
        draw_key(ax, kind, scale, gap=12)
    return ax


def name_cells(ax: Axes, shape: tuple[int, int], rows: Sequence[str] | None, columns: Sequence[str] | None, room: float) -> None:
    """Fit the Axes to one slice (L, S) with cells of `room` points, and label its rows and columns with tokens or indices."""
    L, S = shape
    ax.set(xlim=(0, S), ylim=(L, 0))
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.set_xticks(*_ticks(columns, S, room))
    ax.set_yticks(*_ticks(rows, L, room))
    if columns is not None and max(map(len, columns)) * 5.5 > room:
        for label in ax.get_xticklabels():
            label.set(rotation=45, ha="left", rotation_mode="anchor")
    _titles(ax)


def check_tokens(shape: tuple[int, int], rows: Sequence[str] | None, columns: Sequence[str] | None) -> None:
    """Raise ShapeError if the tokens do not fit the sizes of one slice (L, S)."""
    L, S = shape
    for name, tokens, letter, size in (("rows", rows, "L", L), ("columns", columns, "S", S)):
        if tokens is not None and len(tokens) != size:
            raise ShapeError(f"{name} has {len(tokens)} tokens, matrix has {letter} = {size}: there must be one token for each.")


def draw_facets(
    tensor: Any,
    *,
    tokens: Sequence[Sequence[str]] | None = None,
    key_tokens: Sequence[Sequence[str]] | None = None,
    kind: Kind = "weights",
    ax: Axes | None = None,
) -> Axes:
    """Draw all slices of scores or weights: a row of facets per sample, a column per head, with wider gaps between samples.

    tensor: (B, H, L, S). tokens: a list of tokens for each of the B samples; they label the queries, and also the keys
    if there are no key_tokens. A sample with fewer tokens than L is padded: its last positions are labelled "pad".
    kind: as for `draw_heatmap`.

    Raises ShapeError if tensor does not have four axes or the tokens do not fit its sizes, ValueError for weights outside 0 to 1.
    """
    values = as_array(tensor)
    if values.ndim != 4 or not values.size:
        raise ShapeError(f"tensor has shape {values.shape}; draw_facets needs the four axes (B, H, L, S).")
    B, H, L, S = values.shape
    if key_tokens is None and tokens is not None:
        if L != S:
            raise ShapeError(f"L = {L} queries and S = {S} keys cannot share their tokens: pass key_tokens too.")
        key_tokens = tokens
    queries = _padded("tokens", tokens, B, "L", L)
    keys = _padded("key_tokens", key_tokens, B, "S", S)
    scale = scale_of(values, kind)

    # One unit is one cell. The gap between samples also holds the tokens of the keys, written vertically.
    between_heads = max(0.5, 0.06 * S)
    width = H * S + (H - 1) * between_heads
    cell = min(22.0, 380 / width)
    room = cell if ax is None else size_in_points(ax)[0] / width
    headroom = max((6.0 * len(token) + 4 for sample in keys for token in sample), default=0.0)
    between_samples = 2.5 * between_heads + headroom / room
    tops = [b * (L + between_samples) for b in range(B)]
    lefts = [h * (S + between_heads) for h in range(H)]
    ax = blank(ax, cell * width + 120, cell * (tops[-1] + L) + 60 + headroom)

    for b, top in enumerate(tops):
        for h, left in enumerate(lefts):
            paint(ax, values[b, h], kind, scale, left, top)
            mark_signs(ax, values[b, h], kind, room, left, top)
            for s, token in enumerate(keys[b] if keys else []):
                upright: dict[str, Any] = {"rotation": 90, "ha": "center", "va": "bottom", "fontsize": 8}
                _write(ax, token, (left + s + 0.5, top), (0.0, 3.0), color=_token_colour(token), **upright)
        bold = {"color": AXES["B"].light, "fontweight": "bold", "fontsize": 10, "va": "center"}
        _write(ax, f"b = {b}", (width, top + L / 2), (6.0, 0.0), **bold)
    ax.xaxis.tick_top()
    ax.set_xticks([left + S / 2 for left in lefts], [f"h = {h}" for h in range(H)])
    ax.tick_params(axis="x", pad=4 + headroom)
    for label in ax.get_xticklabels():
        label.set(color=AXES["H"].light, fontweight="bold", fontsize=10)
    if queries:
        ax.set_yticks([top + i + 0.5 for top in tops for i in range(L)], [token for row in queries for token in row])
        for label in ax.get_yticklabels():
            label.set(color=_token_colour(label.get_text()), fontsize=8)
    ax.set(xlim=(0, width), ylim=(tops[-1] + L, 0))
    _titles(ax)
    draw_key(ax, kind, scale, gap=50)
    return ax


def _write(ax: Axes, word: str, at: tuple[float, float], offset: tuple[float, float], **style: Any) -> None:
    """Write a word at an offset, in points, from a position."""
    ax.annotate(word, at, offset, textcoords="offset points", annotation_clip=False, **style)


def _titles(ax: Axes) -> None:
    """Name the two axes, in their colours."""
    ax.set_xlabel("S: keys", color=AXES["S"].light, fontsize=10, labelpad=6)
    ax.set_ylabel("L: queries", color=AXES["L"].light, fontsize=10, labelpad=6)


def _ticks(tokens: Sequence[str] | None, size: int, room: float) -> tuple[list[float], list[str]]:
    """The positions and labels of the ticks: every token, or as many indices as fit."""
    step = 1 if tokens is not None else 2 ** max(0, math.ceil(math.log2(15 / room)))
    places = range(0, size, step)
    return [i + 0.5 for i in places], list(tokens) if tokens is not None else [str(i) for i in places]


def _token_colour(token: str) -> str:
    return MUTED if token == "pad" else INK


def _padded(name: str, tokens: Sequence[Sequence[str]] | None, B: int, letter: str, size: int) -> list[list[str]]:
    """The tokens of all samples, each list padded with "pad"; an empty list if tokens is None."""
    if tokens is None:
        return []
    if len(tokens) != B:
        raise ShapeError(f"{name} holds {len(tokens)} lists, tensor has B = {B} samples: each sample needs its own list.")
    for b, sample in enumerate(tokens):
        if len(sample) > size:
            raise ShapeError(f"{name}[{b}] has {len(sample)} tokens, tensor has room for {letter} = {size}.")
    return [[*sample, *["pad"] * (size - len(sample))] for sample in tokens]
