"""Two versions of a program: the first tensor in which they differ. The twin of compare.js."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

__all__ = ["compare"]

_CLOSE = 1e-5  # of the largest number: less is rounding


def compare(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    """How two programs differ, of which these are the results: see the type Comparison of compare.js."""
    pairs = _pairs(mine, theirs)
    for pair in pairs:
        a, b = (run["tensors"][n].detach().cpu() for run, n in zip((mine, theirs), pair["ids"], strict=True))
        differ = _differing(a, b) if a.shape == b.shape else 0
        if differ or a.shape != b.shape:
            return {"pairs": len(pairs), "first": pair | {"differ": differ, "of": a.numel()}}
    return {"pairs": len(pairs), "first": None}


def _pairs(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Tensors of the same name: the last ones of both programs, and so on; the first ones, if one of the programs has failed."""
    step = 1 if mine["failure"] or theirs["failure"] else -1
    waiting: dict[str, list[tuple[int, Mapping[str, Any]]]] = defaultdict(list)
    for line, row in [*_rows(theirs)][::step]:
        waiting[row["name"]].append((line, row))
    pairs = []
    for line, row in [*_rows(mine)][::step]:
        if waiting[row["name"]]:
            other_line, other = waiting[row["name"]].pop(0)
            ids, shapes = [row["id"], other["id"]], [list(row["shape"]), list(other["shape"])]
            pairs.append({"name": row["name"], "lines": [line, other_line], "ids": ids, "shapes": shapes})
    return pairs[::step]


def _rows(results: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    return ((line["line"], row) for line in results["lines"] for row in line["rows"] if row["name"] and row["id"] >= 0)


def _differing(a: Tensor, b: Tensor) -> int:
    a, b = a.double(), b.double()
    finite = torch.cat([a[a.isfinite()], b[b.isfinite()]])
    largest = finite.abs().max().item() if len(finite) else 0.0
    return int((~torch.isclose(a, b, rtol=0, atol=_CLOSE * largest, equal_nan=True)).sum())
