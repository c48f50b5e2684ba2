"""SoftmaxLab: scores become weights, along one axis, at a temperature, in float32 or float16; three programs side by side."""

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits
from attn.trace.table import table

__all__ = ["SoftmaxLab"]

HIGHEST = 12.0  # scores lie between minus this and this
_START = ((2.3, 9.1, 0.5), (5.0, 5.0, 5.0), (5.0, 0.0, 0.0), (-6.8, 0.0, -8.6))


class SoftmaxLab(Lab):
    """A table of scores with a row for each query and a column for each key, and their softmax.

    scores: L rows of S numbers from -12 to 12. temperature: all scores are divided by it, 0.1 to 10. axis: "keys", where each row
    becomes weights, or "queries", where each column does (the common mistake). shift: added to all scores first, -120 to 120.
    precision: "float32" or "float16". pin: the (query, key) whose row or column is shown step by step. `lab.L` and `lab.S` are
    the sizes; setting one keeps the scores that remain in the table.

    After any change the results are tensors on `attn.device()`: `lab.weights`, `lab.naive` and `lab.online`, (L, S), are the
    weights of the programs that subtract the maximum, that do not, and that read the scores only once; `lab.row_sums` (L,) and
    `lab.column_sums` (S,) are the sums of `lab.weights`. The intermediate results are `lab.naive_terms`, `lab.terms`,
    `lab.highest`, `lab.factors` and `lab.totals`.

    Raises traitlets.TraitError for an invalid score, temperature or shift.
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
                if not abs(score) <= HIGHEST:
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
        """The table with L rows of S scores. Scores that are new depend only on their row and column."""

        def new_score(drawn: float) -> float:
            return max(-HIGHEST, min(HIGHEST, math.floor(30 * drawn + 0.5) / 10))

        rows = [[new_score(drawn) for drawn in row] for row in normal(0, "scores", range(L), S).tolist()]
        for row, kept in zip(rows, self.scores, strict=False):
            row[: len(kept)] = kept[:S]
        return rows

    def compute(self) -> Mapping[str, Any]:
        exact = torch.tensor(self.scores, dtype=torch.float64, device=device())
        scaled = ((exact + self.shift) / self.temperature).to(getattr(torch, self.precision))
        dim = 1 if self.axis == "keys" else 0
        scores = scaled.unbind(dim)  # the first score of every line, the second of every line, ...

        def stack(tensors: Sequence[Tensor]) -> Tensor:
            return torch.stack(list(tensors), dim)

        naive_terms = [score.exp() for score in scores]
        naive_sums = _sum(naive_terms)

        maxima = scaled.amax(dim)
        terms = [(score - maxima).exp() for score in scores]
        sums = _sum(terms)
        weights = stack([term / sums for term in terms])

        highest, factors, totals = _run_online(scores)
        return {
            "scaled": scaled,
            "naive_terms": stack(naive_terms),
            "naive": stack([term / naive_sums for term in naive_terms]),
            "naive_sums": naive_sums,
            "terms": stack(terms),
            "maxima": maxima,
            "sums": sums,
            "weights": weights,
            "highest": stack(highest),
            "factors": stack(factors),
            "totals": stack(totals),
            "online": stack([(score - highest[-1]).exp() / totals[-1] for score in scores]),
            "row_sums": weights.double().sum(1).float(),
            "column_sums": weights.double().sum(0).float(),
        }

    def fallback(self) -> str:
        line = "row" if self.axis == "keys" else "column"
        columns = ("", "scores", *(f"key {j}" for j in range(self.S)), "sum of the row")
        rows = [
            [f"query {i}", ", ".join(f"{score:g}" for score in scores), *(f"{weight:.4f}" for weight in weights), f"{total:.4f}"]
            for i, (scores, weights, total) in enumerate(
                zip(self.scores, self.weights.tolist(), self.row_sums.tolist(), strict=True)
            )
        ]
        rows.append(["", "sum of the column", *(f"{total:.4f}" for total in self.column_sums.tolist()), ""])
        at_temperature = f" at temperature {self.temperature:g}" * (self.temperature != 1)
        after_shift = f" after {self.shift:+d} to all scores" * (self.shift != 0)
        with_nan = int((~self.naive.isfinite()).any(1 if self.axis == "keys" else 0).sum())
        return (
            f"<p>Softmax of each {line} in {self.precision}{at_temperature}{after_shift}; every {line} of weights sums to 1:</p>"
            f"{table(columns, rows).html()}"
            f"<p>Without subtracting the maximum, {with_nan or 'none'} of {len(self.maxima)} {line}s would hold NaN.</p>"
        )


def _sum(terms: Sequence[Tensor]) -> Tensor:
    """The sum, one term after the other, each rounded to the precision of the terms."""
    return functools.reduce(torch.add, terms)


def _run_online(scores: Sequence[Tensor]) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """After each score: the highest score so far, the factor that the old total is multiplied by, and the new total."""
    highest, total = torch.full_like(scores[0], -math.inf), torch.zeros_like(scores[0])
    steps = []
    for score in scores:
        higher = torch.maximum(highest, score)
        factor = (highest - higher).exp()
        highest, total = higher, total * factor + (score - higher).exp()
        steps.append((highest, factor, total))
    all_highest, factors, totals = zip(*steps, strict=True)
    return list(all_highest), list(factors), list(totals)
