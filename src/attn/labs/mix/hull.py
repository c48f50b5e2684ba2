"""Whether an average of points of the plane can be a given point."""

import itertools
import math

import torch
from torch import Tensor

__all__ = ["reached"]

_SMALL = 1e-9


def reached(values: Tensor, target: Tensor | None) -> tuple[str, Tensor, Tensor]:
    """Where a target lies, the nearest point of the hull of the values, and the weights that lead to the target.

    values: (S, 2). The place is "inside" the hull, on its "edge" or "outside", "" without a target. The weights (S,) sum to 1; they
    are NaN unless there are three values that do not lie on one line, since otherwise they are not the only ones.
    """
    nearest, needed = values.new_full((2,), math.nan), values.new_full((len(values),), math.nan)
    if target is None:
        return "", nearest, needed
    if len(values) == 3 and abs(_cross(values[1] - values[0], values[2] - values[0])) > _SMALL:
        system = torch.cat([values.T, values.new_ones(1, 3)])
        needed = torch.linalg.solve(system, torch.cat([target, target.new_ones(1)]))
    lines = [(start, end - start) for start, end in itertools.combinations(values, 2)]
    place = _place(values, target, lines)
    if place in ("inside", "edge"):
        return place, target, needed
    ends = [start + along * _share(along, target - start) for start, along in lines]
    nearest = min(ends, key=lambda end: float((end - target).norm()))
    if place == "line":
        place = "edge" if (nearest - target).norm() <= _SMALL else "outside"
    return place, nearest, needed


def _place(values: Tensor, target: Tensor, lines: list[tuple[Tensor, Tensor]]) -> str:
    """As `reached` says, or "line" if all values and the target lie on one line."""
    place = "line"
    for start, along in lines:
        sides = torch.stack([_cross(along, value - start) for value in values])
        side = _cross(along, target - start)
        if abs(side) > _SMALL and bool((sides * side <= _SMALL).all()):
            return "outside"  # all values are on the line, or beyond it
        if bool((sides.abs() <= _SMALL).all()):
            continue
        is_border = bool((sides >= -_SMALL).all() or (sides <= _SMALL).all())
        place = "edge" if place == "edge" or (is_border and abs(side) <= _SMALL) else "inside"
    return place


def _cross(a: Tensor, b: Tensor) -> Tensor:
    """Above 0 if b points to the left of a, 0 if both lie on one line."""
    return a[0] * b[1] - a[1] * b[0]


def _share(along: Tensor, to: Tensor) -> Tensor:
    """How far along a line, from 0 to 1, the point lies that is nearest to another point."""
    squared = along @ along
    return (along @ to / squared).clamp(0, 1) if squared > 0 else squared
