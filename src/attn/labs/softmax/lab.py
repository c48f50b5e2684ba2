"""SoftmaxLab: a row of scores becomes weights that sum to 1; along which axis; and three programs, of which one overflows."""

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.lessons import language, reader
from attn.trace.table import table

__all__ = ["SoftmaxLab"]

HIGHEST = 12.0  # scores lie between minus this and this
_FURTHEST = 24.0  # from the lowest score to the highest
# The row of "girls" has several large weights, and none of them is on "girls".
_GIRLS, _NEAR, _GOLD = (language.EXAMPLES[0].split().index(word) for word in ("girls", "near", "gold"))
_PLAIN = {"part": "row", "raised": [], "shift": 0, "temperature": 1.0, "axis": "keys", "pin": [_GIRLS, _NEAR]}


@functools.cache
def _recorded() -> list[list[list[float]]]:
    """The scores of the recorded layer after √D, (H, L, S), for the first example of the language, to two decimals."""
    ids = torch.tensor([[language.NUMBER[word] for word in language.EXAMPLES[0].split()]])
    with torch.no_grad():
        scaled = reader.recorded().steps(ids).scaled[0]
    heads: list[list[list[float]]] = (torch.floor(scaled.double() * 100 + 0.5) / 100).tolist()
    return heads


class SoftmaxLab(Lab):
    """A table of scores with a row for each query and a column for each key, and their softmax.

    The scores are those of a head of the recorded layer of `attn.lessons.reader` for a sentence of seven words, after √D.
    head: 0, 1 or 2, which answer who, what and when. scores: other scores instead, L rows of S numbers from -12 to 12. L, S: the
    numbers of queries and keys; scores that `scores` lacks are random.

    raised: what is added to single scores, [query, key, amount] for each; a score stays between -12 and 12. shift: added to all
    scores, -120 to 120. temperature: all scores are divided by it, 0.1 to 10. masked: the first key is hidden, its scores are -inf.
    axis: "keys", where each row becomes weights, or "queries", where each column does (the common mistake). precision: "float32",
    "float16", or "mixed": scores and weights in float16, everything between them in float32, as PyTorch does it. pin: the
    (query, key) whose row is drawn. part: "row" or "overflow", what is drawn.

    After any change the results are tensors on `attn.device()`: `lab.weights`, `lab.naive` and `lab.online`, (L, S), are the
    weights of the programs that subtract the maximum, that do not, and that read the scores only once; `lab.row_sums` (L,) and
    `lab.column_sums` (S,) are the sums of `lab.weights`. The intermediate results are `lab.scaled`, `lab.naive_terms`, `lab.terms`,
    `lab.highest`, `lab.factors` and `lab.totals`.

    Raises traitlets.TraitError for an invalid size, score, temperature or shift.
    """

    STATE = ("head", "scores", "L", "S", "raised", "shift", "temperature", "masked", "axis", "precision")
    VIEW = ("pin", "part")
    CONSTANTS = ("_words",)
    LIMITS: ClassVar[Limits] = {"L": (1, 7), "S": (1, 7)}
    PAGE_LIMITS: ClassVar[Limits] = LIMITS
    QUESTION = "How do scores become weights?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("+2.3 on “gold”", _PLAIN | {"raised": [[_GIRLS, _GOLD, 2.3]], "pin": [_GIRLS, _GOLD]}),
        ("+4 on all scores", _PLAIN | {"shift": 4}),
        ("the wrong axis", _PLAIN | {"axis": "queries"}),
    )
    PARTS = ("row", "axis", "overflow")
    CONTROLS = ("head", "axis", "temperature", "shift", "L", "S", "precision", "masked")

    head = traitlets.Enum((0, 1, 2), 0).tag(sync=True)
    scores: Any = traitlets.List(  # a list of lists, or None
        traitlets.List(traitlets.Float()), default_value=None, allow_none=True
    ).tag(sync=True)
    L = Size(7).tag(sync=True)
    S = Size(7).tag(sync=True)
    raised: traitlets.List[list[float]] = traitlets.List(traitlets.List(traitlets.Float(), minlen=3, maxlen=3)).tag(sync=True)
    shift = traitlets.Int(0, min=-120, max=120).tag(sync=True)
    temperature = traitlets.Float(1.0, min=0.1, max=10.0).tag(sync=True)
    masked = traitlets.Bool(False).tag(sync=True)
    axis = traitlets.Enum(("keys", "queries"), "keys").tag(sync=True)
    precision = traitlets.Enum(("float32", "float16", "mixed"), "float32").tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), [_GIRLS, _NEAR], minlen=2, maxlen=2).tag(sync=True)
    part = traitlets.Enum(("row", "overflow"), "row").tag(sync=True)
    _words: traitlets.List[str] = traitlets.List(default_value=language.EXAMPLES[0].split()).tag(sync=True)

    def __init__(self, **settings: Any) -> None:
        scores = settings.get("scores")
        if scores and scores[0]:
            settings = {"L": len(scores), "S": len(scores[0])} | settings
        super().__init__(**settings)

    @traitlets.validate("scores")
    def _valid(self, proposal: dict[str, Any]) -> list[list[float]] | None:
        scores: list[list[float]] | None = proposal["value"]
        if scores is None:
            return None
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

    @traitlets.validate("raised")
    def _valid_raised(self, proposal: dict[str, Any]) -> list[list[float]]:
        raised: list[list[float]] = proposal["value"]
        for i, j, amount in raised:
            if not (i in range(self.LIMITS["L"][1]) and j in range(self.LIMITS["S"][1]) and abs(amount) <= _FURTHEST):
                raise traitlets.TraitError(
                    f"raised contains [{i:g}, {j:g}, {amount:g}]: it takes a query and a key from 0 to 6, "
                    "and an amount from -24 to 24."
                )
        return raised

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        scores = state["scores"]
        if scores is None or "scores" not in changed or {"L", "S"} & changed:
            return state
        return state | {"L": len(scores), "S": len(scores[0])}

    def words(self, axis: str) -> list[str]:
        """The words of the queries (axis "L") or of the keys ("S"); "query 0" or "key 0" for scores that are not the layer's."""
        size = self.L if axis == "L" else self.S
        if self.scores is None:
            return self._words[:size]
        return [f"{'query' if axis == 'L' else 'key'} {n}" for n in range(size)]

    def table(self) -> list[list[float]]:
        """The scores, L rows of S, before they are shifted and divided by the temperature."""
        if self.scores is None:
            rows = [row[: self.S] for row in _recorded()[self.head][: self.L]]
        else:
            rows = [[_within(math.floor(30 * drawn + 0.5) / 10) for drawn in row] for row in _drawn(self.L, self.S)]
            for row, given in zip(rows, self.scores, strict=False):
                row[: len(given)] = given[: self.S]
        for i, j, amount in self.raised:
            if i < self.L and j < self.S:
                rows[int(i)][int(j)] = _within(rows[int(i)][int(j)] + amount)
        return rows

    def compute(self) -> Mapping[str, Any]:
        outer = torch.float32 if self.precision == "float32" else torch.float16  # of scores and weights
        inner = torch.float16 if self.precision == "float16" else torch.float32  # of everything between them
        exact = torch.tensor(self.table(), dtype=torch.float64, device=device())
        scaled = ((exact + self.shift) / self.temperature).to(outer).to(inner)
        if self.masked:
            scaled[:, 0] = -math.inf
        dim = 1 if self.axis == "keys" else 0
        scores = scaled.unbind(dim)  # the first score of every line, the second of every line, ...

        def stack(tensors: Sequence[Tensor]) -> Tensor:
            return torch.stack(list(tensors), dim)

        naive_terms = [score.exp() for score in scores]
        naive_sums = _sum(naive_terms)

        maxima = scaled.amax(dim)
        terms = [(score - maxima).exp() for score in scores]
        sums = _sum(terms)
        weights = stack([term / sums for term in terms]).to(outer)

        highest, factors, totals = _run_online(scores)
        return {
            "scaled": scaled,
            "naive_terms": stack(naive_terms),
            "naive": stack([term / naive_sums for term in naive_terms]).to(outer),
            "naive_sums": naive_sums,
            "terms": stack(terms),
            "maxima": maxima,
            "sums": sums,
            "weights": weights,
            "highest": stack(highest),
            "factors": stack(factors),
            "totals": stack(totals),
            "online": stack([(score - highest[-1]).exp() / totals[-1] for score in scores]).to(outer),
            "row_sums": weights.double().sum(1).float(),
            "column_sums": weights.double().sum(0).float(),
        }

    def fallback(self) -> str:
        line = "row" if self.axis == "keys" else "column"
        columns = ("", "scores", *self.words("S"), "sum of the row")
        rows = [
            [word, ", ".join(f"{score:g}" for score in scores), *(f"{weight:.4f}" for weight in weights), f"{total:.4f}"]
            for word, scores, weights, total in zip(
                self.words("L"), self.table(), self.weights.tolist(), self.row_sums.tolist(), strict=True
            )
        ]
        rows.append(["", "sum of the column", *(f"{total:.4f}" for total in self.column_sums.tolist()), ""])
        at_temperature = f" at temperature {self.temperature:g}" * (self.temperature != 1)
        after_shift = f" after {self.shift:+d} to all scores" * (self.shift != 0)
        precision = "float16, computed in float32" if self.precision == "mixed" else self.precision
        with_nan = int((~self.naive.isfinite()).any(1 if self.axis == "keys" else 0).sum())
        return (
            f"<p>Softmax of each {line} in {precision}{at_temperature}{after_shift}; every {line} of weights sums to 1:</p>"
            f"{table(columns, rows).html()}"
            f"<p>Without subtracting the maximum, {with_nan or 'none'} of {len(self.maxima)} {line}s would hold NaN.</p>"
        )


def _within(score: float) -> float:
    return max(-HIGHEST, min(HIGHEST, score))


def _drawn(L: int, S: int) -> list[list[float]]:
    """Random numbers, L rows of S. Each depends only on its row and column."""
    numbers: list[list[float]] = normal(0, "scores", range(L), S).tolist()
    return numbers


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
