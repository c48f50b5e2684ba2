"""How dot product, cosine and distance rank keys: one query, some keys, and lines along which the measure is constant."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from attn.plots.paper import INK, MUTED, PAPER, as_array, blank
from attn.shapes import ShapeError


def draw_measure(query: Any, keys: Mapping[str, Any], *, by: str, ax: Axes | None = None) -> Axes:
    """Draw a query (arrow) and keys (points) in the plane, with lines of equal dot product, cosine or distance.

    The best key is filled, and each key has its value beside it.

    query: two numbers. keys: two numbers for each name. by: "dot product" or "cosine", for which the largest value is best,
    or "distance", for which the smallest is.

    Raises ShapeError if query or a key does not have two numbers, ValueError for an unknown measure or a
    zero vector with "cosine".
    """
    tip = as_array(query)
    points = {name: as_array(key) for name, key in keys.items()}
    for name, point in {"query": tip, **points}.items():
        if point.shape != (2,):
            raise ShapeError(f"{name} has shape {point.shape}; draw_measure takes vectors of two numbers.")
    if by not in ("dot product", "cosine", "distance"):
        raise ValueError(f'by is {by!r}; it must be "dot product", "cosine" or "distance".')
    if by == "cosine" and any(not point.any() for point in (tip, *points.values())):
        raise ValueError("a vector of zeros has no direction, so its cosine is undefined.")

    every = np.stack([np.zeros(2), tip, *points.values()])
    low, high = every.min(0) - 0.9, every.max(0) + 0.9
    x, y = np.meshgrid(*(np.linspace(start, stop, 121) for start, stop in zip(low, high, strict=True)))
    plane = np.stack([x, y], -1)

    ax = blank(ax, *(34 * (high - low)))
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    ax.set_title(by, fontsize=9, color=INK)
    levels = [-math.pi * n / 12 for n in range(12, 0, -1)] if by == "cosine" else 9  # a line every 15 degrees
    ax.contour(x, y, _value(plane, tip, by), levels=levels, colors=MUTED, linewidths=0.8, linestyles="solid")
    arrow = {"arrowstyle": "-|>", "color": INK, "lw": 1.5, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", tuple(tip), (0, 0), arrowprops=arrow)
    best = max(points, key=lambda name: float(_value(points[name], tip, by)), default=None)
    for name, point in points.items():
        ax.plot(*point, "o", color=INK, ms=7, mfc=INK if name == best else PAPER, label=name)
        value = abs(float(_value(point, tip, by)))
        label = f"{name} {math.cos(value) if by == 'cosine' else float(point @ tip) if by == 'dot product' else value:.2f}"
        box = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6}  # the lines stop at the label
        ax.annotate(label, tuple(point), (0, 7), textcoords="offset points", ha="center", color=INK, fontsize=9, bbox=box)
    return ax


def _value(at: Any, tip: Any, by: str) -> Any:
    """A value that is largest for the best key. For the cosine it is minus the angle, which has the same order."""
    if by == "distance":
        return -np.linalg.norm(at - tip, axis=-1)
    dot = at @ tip
    if by == "dot product":
        return dot
    lengths = np.linalg.norm(at, axis=-1) * np.linalg.norm(tip)
    return -np.arccos(np.clip(dot / np.where(lengths == 0, 1, lengths), -1, 1))
