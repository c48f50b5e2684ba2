"""Measurements as curves: against the size of an axis, over the steps of training, and as a histogram."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from attn.plots.paper import INK, MUTED, as_array, blank
from attn.shapes import AXES

_MARKS = ("o", "s", "^", "D", "v", "P")
_LINES = ("-", "--", "-.", ":")
_BARS = "#77aadd"  # visible on light and on dark pages
_TICKS = 7  # how many labelled powers of ten fit on the axis


def draw_curves(
    sizes: Sequence[int],
    curves: Mapping[str, Any],
    *,
    laws: Mapping[str, Any] | None = None,
    axis: str = "D",
    log: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw measurements against the size of an axis, on a logarithmic scale of sizes, with one curve for each name.

    curves: for each name, the number measured at each size, drawn as a marker. The name is written after the last marker.
    laws: for some of the names, the expected number at each size, drawn as a line. Without a law, a line joins the markers.
    axis: the letter of the axis that has these sizes. log: whether the numbers have a logarithmic scale too.

    Raises ValueError if a curve or a law does not have one number for each size, or if a law belongs to no curve.
    """
    laws = laws or {}
    if strangers := sorted(laws.keys() - curves.keys()):
        raise ValueError(f"laws has {', '.join(strangers)}; the curves are {', '.join(curves)}.")
    ax = blank(ax, 330.0, 230.0)
    for (name, numbers), mark in zip(curves.items(), _MARKS, strict=False):
        measured = _checked(name, numbers, sizes)
        ax.plot(sizes, measured, mark, color=INK, markersize=5, markerfacecolor="none", markeredgewidth=1.2)
        law = _checked(f"the law of {name}", laws.get(name, numbers), sizes)
        ax.plot(sizes, law, color=INK, linewidth=1.2 if name in laws else 0.7)
        _name(ax, name, (sizes[-1], measured[-1]))
    ax.set_xscale("log")
    ax.set_xticks(list(sizes), [str(size) for size in sizes], minor=False)
    ax.set_xticks([], minor=True)
    if log:
        ax.set_yscale("log")
        low, high = (math.log10(limit) for limit in ax.get_ylim())
        powers = range(math.ceil(low), math.floor(high) + 1, max(1, math.ceil((high - low) / _TICKS)))
        ax.set_yticks([10.0**power for power in powers], [f"$10^{{{power}}}$" for power in powers])
        ax.set_yticks([], minor=True)
    else:
        _from_zero(ax)
    ax.set_xlabel(axis, color=AXES[axis].light, fontsize=10, fontweight="bold", labelpad=2)
    _rule(ax)
    return ax


def draw_history(
    histories: Mapping[str, Any],
    *,
    steps: Sequence[int] | None = None,
    levels: Mapping[str, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw numbers over the steps of training, on a scale from 0: for each name a line of its own style, with the name at its end.

    histories: for each name, a number for each step, such as `Recording.losses`. steps: which steps; if None, all from 0.
    levels: for each name, a constant to compare with, drawn as a thin horizontal line.

    Raises ValueError if a history does not have one number for each step, or if there are more than four histories.
    """
    if len(histories) > len(_LINES):
        raise ValueError(f"there are {len(histories)} histories; only {len(_LINES)} can be drawn in different line styles.")
    ax = blank(ax, 330.0, 150.0)
    last = 0
    for (name, numbers), line in zip(histories.items(), _LINES, strict=False):
        at = list(steps) if steps is not None else range(as_array(numbers).size)
        values = _checked(name, numbers, at, "steps")
        ax.plot(at, values, line, color=INK, linewidth=1.4)
        _name(ax, name, (at[-1], values[-1]))
        last = max(last, at[-1])
    for name, level in (levels or {}).items():
        ax.axhline(level, color=MUTED, linewidth=0.8, linestyle=":")
        _name(ax, name, (last, float(level)))
    ax.set_xlim(0, last)
    ax.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
    ax.set_xlabel("step", color=INK, fontsize=10)
    _from_zero(ax)
    _rule(ax)
    return ax


def draw_histogram(
    numbers: Any,
    *,
    variance: float | None = None,
    within: Sequence[float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the distribution of numbers: a histogram of their density, in bins a quarter of a standard deviation wide.

    variance: of a normal curve around 0 to draw over the bars, or None. within: the ends of the axis.

    Raises ValueError if numbers is empty.
    """
    values = as_array(numbers).ravel()
    if not values.size:
        raise ValueError("numbers is empty: there is nothing to draw.")
    ax = blank(ax, 330.0, 150.0)
    spread = values.std() if variance is None else math.sqrt(variance)
    step = spread / 4 or 1.0
    reach = math.ceil(np.abs(values).max() / step) + 1
    edges = (np.arange(-reach, reach + 2) - 0.5) * step  # one bin is centred on 0
    density, _ = np.histogram(values, edges, density=True)
    kept = np.flatnonzero(density)
    first, last = kept[0], kept[-1] + 1
    ax.stairs(density[first:last], edges[first : last + 1], fill=True, color=_BARS)
    low, high = within or (edges[first], edges[last])
    if variance is not None:
        x = np.linspace(low, high, 241)
        ax.plot(x, np.exp(-(x**2) / (2 * variance)) / math.sqrt(2 * math.pi * variance), color=INK, linewidth=1.2)
    ax.set(xlim=(low, high), ylim=(0, None))
    ax.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
    _rule(ax)
    return ax


def _checked(name: str, numbers: Any, places: Sequence[int], kind: str = "sizes") -> Any:
    values = as_array(numbers).ravel()
    if len(values) != len(places):
        raise ValueError(f"{name} has {len(values)} numbers for {len(places)} {kind}.")
    return values


def _name(ax: Axes, name: str, end: tuple[int, float]) -> None:
    """Write a name after the end of its curve."""
    ax.annotate(name, end, (8, 0), textcoords="offset points", va="center", color=INK, fontsize=9, annotation_clip=False)


def _from_zero(ax: Axes) -> None:
    ax.set_ylim(0, None)
    ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))


def _rule(ax: Axes) -> None:
    """Draw the horizontal axis, with visible ticks."""
    ax.spines["bottom"].set(visible=True, color=MUTED, linewidth=0.8)
    ax.tick_params(length=3, color=MUTED)
