"""SoftmaxLab: scores become weights, along one axis, at a temperature, in float32 or float16; three programs side by side."""

import functools
import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits

__all__ = ["SoftmaxLab"]

_HIGHEST = 12.0  # a score lies between minus this and this
_START = ((2.3, 9.1, 0.5), (5.0, 5.0, 5.0), (5.0, 0.0, 0.0), (-6.8, 0.0, -8.6))


class SoftmaxLab(Lab):
    """A table of scores, a row for each query and a column for each key, and what softmax makes of it.

    scores: L rows of S numbers from -12 to 12. temperature: what all of them are divided by, 0.1 to 10. axis: "keys", each row
    becomes weights, or "queries", each column does (the common mistake). shift: added to all scores first, -120 to 120.
    precision: "float32" or "float16". pin: the (query, key) whose row, or column, is shown step by step. `lab.L` and `lab.S` are
    the sizes; setting one keeps the scores that there are.

    After any change the results are tensors on `attn.device()`: `lab.weights`, `lab.naive` and `lab.online`, (L, S), are the
    weights with the maximum subtracted, without, and online; `lab.row_sums` (L,) and `lab.column_sums` (S,) are the sums
    of `lab.weights`. `lab.naive_terms`, `lab.terms`, `lab.highest`, `lab.factors`, `lab.totals` are the steps on the way.

    A score, temperature or shift that cannot be raises traitlets.TraitError.
    """

    STATE = ("scores", "temperature", "axis", "shift", "precision")
    VIEW = ("pin",)
    LIMITS: ClassVar[Limits] = {"L": (1, 6), "S": (1, 8)}
    PAGE_LIMITS: ClassVar[Limits] = LIMITS

    scores: traitlets.List[list[float]] = traitlets.List(traitlets.List(traitlets.Float()), [list(row) for row in _START]).tag(
        sync=True
    )
    temperature = traitlets.Float(1.0, min=0.1, max=10.0).tag(sync=True)
    axis = traitlets.Enum(("keys", "queries"), "keys").tag(sync=True)
    shift = traitlets.Int(0, min=-120, max=120).tag(sync=True)
    precision = traitlets.Enum(("float32", "float16"), "float32").tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), [0, 1], minlen=2, maxlen=2).tag(sync=True)

    @traitlets.validate("scores")
    def _valid(self, proposal: dict[str, Any]) -> list[list[float]]:
        scores: list[list[float]] = proposal["value"]
        sizes = sorted({len(row) for row in scores})
        (fewest, most), (narrow, wide) = self.LIMITS["L"], self.LIMITS["S"]
        if not (fewest <= len(scores) <= most and len(sizes) == 1 and narrow <= sizes[0] <= wide):
            raise traitlets.TraitError(
                f"scores has {len(scores)} rows of {' or '.join(map(str, sizes)) or 'no'} numbers: this lab takes {fewest} to "
                f"{most} rows, one for each query, of {narrow} to {wide} numbers each, as many in every row."
            )
        for i, row in enumerate(scores):
            for j, score in enumerate(row):
                if not abs(score) <= _HIGHEST:
                    raise traitlets.TraitError(
                        f"scores[{i}][{j}] = {score}: a score lies between -12 and 12; shift moves all of them."
                    )
        return scores

    @property
    def L(self) -> int:
        """The number of queries. Setting it adds rows of other scores, or drops the last."""
        return len(self.scores)

    @L.setter
    def L(self, size: int) -> None:
        self.scores = self._resized(size, self.S)

    @property
    def S(self) -> int:
        """The number of keys. Setting it adds columns of other scores, or drops the last."""
        return len(self.scores[0])

    @S.setter
    def S(self, size: int) -> None:
        self.scores = self._resized(self.L, size)

    def _resized(self, L: int, S: int) -> list[list[float]]:
        def fresh(drawn: float) -> float:
            return max(-_HIGHEST, min(_HIGHEST, math.floor(30 * drawn + 0.5) / 10))

        rows = [[fresh(drawn) for drawn in row] for row in normal(0, "scores", range(L), S).tolist()]
        for row, kept in zip(rows, self.scores, strict=False):
            row[: len(kept)] = kept[:S]
        return rows

    def compute(self) -> Mapping[str, Any]:
        exact = torch.tensor(self.scores, dtype=torch.float64, device=device())
        scaled = ((exact + self.shift) / self.temperature).to(getattr(torch, self.precision))
        dim = 1 if self.axis == "keys" else 0
        scores = scaled.unbind(dim)

        def line_by_line(tensors: Sequence[Tensor]) -> Tensor:
            return torch.stack(list(tensors), dim)

        plain = [score.exp() for score in scores]
        naive_sum = _added(plain)
        maximum = scaled.amax(dim)
        terms = [(score - maximum).exp() for score in scores]
        total = _added(terms)
        weights = line_by_line([term / total for term in terms])

        seen: dict[str, list[Tensor]] = {"highest": [], "factors": [], "totals": []}
        highest, running = torch.full_like(maximum, -math.inf), torch.zeros_like(maximum)
        for score in scores:
            new = torch.maximum(highest, score)
            factor = (highest - new).exp()
            highest, running = new, running * factor + (score - new).exp()
            for name, value in zip(seen, (highest, factor, running), strict=True):
                seen[name].append(value)
        return {
            "scaled": scaled,
            "naive_terms": line_by_line(plain),
            "naive": line_by_line([term / naive_sum for term in plain]),
            "naive_sums": naive_sum,
            "terms": line_by_line(terms),
            "maxima": maximum,
            "sums": total,
            "weights": weights,
            **{name: line_by_line(values) for name, values in seen.items()},
            "online": line_by_line([(score - highest).exp() / running for score in scores]),
            "row_sums": weights.double().sum(1).float(),
            "column_sums": weights.double().sum(0).float(),
        }

    def fallback(self) -> str:
        along = "row" if self.axis == "keys" else "column"
        keys = [f"key {j}" for j in range(self.S)]
        rows = [
            [
                f"query {i}",
                ", ".join(f"{score:g}" for score in self.scores[i]),
                *(f"{weight:.4f}" for weight in row),
                f"{total:.4f}",
            ]
            for i, (row, total) in enumerate(zip(self.weights.tolist(), self.row_sums.tolist(), strict=True))
        ]
        rows.append(["", "sum of the column", *(f"{total:.4f}" for total in self.column_sums.tolist()), ""])
        head = "".join(f"<th>{escape(name)}</th>" for name in ("", "scores", *keys, "sum of the row"))
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        at = f" at temperature {self.temperature:g}" * (self.temperature != 1)
        moved = f" after {self.shift:+d} to all scores" * (self.shift != 0)
        bad = int((~self.naive.isfinite()).any(1 if self.axis == "keys" else 0).sum())
        return (
            f"<p>Softmax of each {along} in {self.precision}{at}{moved}; every {along} of weights sums to 1:</p>"
            f'<div class="attn-table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
            f"<p>Without subtracting the maximum, {bad or 'none'} of {len(self.maxima)} {along}s would hold NaN.</p>"
        )


def _added(terms: Sequence[Tensor]) -> Tensor:
    """The sum, one term after the other, each rounded to the precision of the terms."""
    return functools.reduce(torch.add, terms)
