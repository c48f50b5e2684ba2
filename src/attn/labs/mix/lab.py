"""MixLab: values as points in the plane, and the outputs of one or two heads as weighted averages of them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import attention, device
from attn.labs.lab import Lab, Limits
from attn.labs.mix.hull import reached
from attn.labs.stage import Chip
from attn.shapes import ShapeError
from attn.steps import attention_steps
from attn.trace.table import table

__all__ = ["MixLab"]

WORDS = ("kings", "girls", "others", "gold", "today", "found")
KEYS = ((1.0, 1.7), (1.0, -1.7), (-2.0, 0.0), (-1.0, 0.0), (-1.0, 1.7), (-1.0, -1.7))  # not where their values are
_VALUES = ((-2.0, 1.0), (2.0, 1.0), (0.0, -2.6), (0.0, 1.0), (-2.0, -2.0), (3.0, -2.0))
_HAND = ((1.0, 2.0, 1.0, 0.0, 1.0, 1.0), (2.0, 1.0, 1.0, 0.0, 1.0, 1.0))
_INSIDE = [[0.2, -0.7], [2.0, 1.0]]  # queries; the first is so short that all three values count, and can be seen
REACH = 4.0  # a coordinate is at least -REACH and at most REACH
TEMPERATURES = [10.0 ** (step / 10) for step in range(-20, 21)]  # of the path, 0.01 to 100
LARGEST_HAND_WEIGHT = 10  # before hand weights are divided by their sum
_PLAIN = {
    "values": [list(point) for point in _VALUES[:3]],
    "queries": _INSIDE,
    "temperature": 1.0,
    "by": "query",
    "heads": 1,
    "target": None,
    "shares": False,
}


class MixLab(Lab):
    """S words, each with a key and a value of two numbers (D = 2), and the averages of the values that H = 1 or 2 heads make.

    values: S points, 3 to 6 of them, coordinates from -4 to 4. queries: the query of each head, a point. temperature: scores are
    divided by it and by √D, 0.01 to 100. by: "query" computes the weights as the softmax of the scores; "hand" divides `hand`, S
    numbers from 0 to 10 for each head, by their sum; "free" takes them as they are, from -10 to 10, although no softmax makes such
    weights. heads: 1 or 2; they share keys and values, as grouped heads do, and each has its own query and hand weights. target:
    a point that an output shall reach, or None. shares: whether it is drawn how much of the output each weighted value is. head,
    pick: whose query and weights, and which value the arrow keys move; pick = S is the target. `lab.S` is the number of keys;
    setting it keeps the values that are there.

    After any change, the results are on `attn.device()`: `lab.weights` (H, S); `lab.out` (H, 2), the output of each head;
    `lab.parts` (H, S), how much of the output each weighted value is, measured along the output, NaN if the output is 0;
    `lab.path` (H, 41, 2), the outputs at temperatures from 0.01 to 100; `lab.reach`, whether the target is "inside" the hull of the
    values, on its "edge" or "outside", "" without a target; `lab.nearest` (2,), the point of the hull that is nearest to the
    target; `lab.needed` (S,), for three values the weights of sum 1 that lead to the target, else NaN. `lab.words` and `lab.k`
    (S, 2) belong to the values.

    A number outside its limits raises traitlets.TraitError. Hand weights of a head that are all zero raise ShapeError, and so do
    those below zero, unless by is "free".
    """

    STATE = ("values", "queries", "temperature", "by", "hand", "heads", "target")
    VIEW = ("shares", "head", "pick")
    LIMITS: ClassVar[Limits] = {"S": (3, 6)}
    PAGE_LIMITS: ClassVar[Limits] = LIMITS
    QUESTION = "Which outputs can a head reach?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("mix three values", _PLAIN),
        ("sharpen", _PLAIN | {"temperature": 0.3}),
        ("reach outside", _PLAIN | {"queries": [[-1.98, -3.98], [2.0, 1.0]], "target": [2.2, -0.8]}),
        (
            "two heads: kings and girls",
            _PLAIN | {"values": [list(point) for point in _VALUES[:4]], "queries": [[1.0, 3.0], [1.0, -3.0]], "heads": 2},
        ),
    )
    PARTS = ("queries", "weights", "values")
    CONTROLS = ("by", "temperature", "heads", "S", "target", "shares")

    values: traitlets.List[list[float]] = traitlets.List(
        traitlets.List(traitlets.Float(min=-REACH, max=REACH), minlen=2, maxlen=2),
        [list(point) for point in _VALUES[:3]],
        minlen=3,
        maxlen=6,
    ).tag(sync=True)
    queries: traitlets.List[list[float]] = traitlets.List(
        traitlets.List(traitlets.Float(min=-REACH, max=REACH), minlen=2, maxlen=2), _INSIDE, minlen=2, maxlen=2
    ).tag(sync=True)
    temperature = traitlets.Float(1.0, min=0.01, max=100.0).tag(sync=True)
    by = traitlets.Enum(("query", "hand", "free"), "query").tag(sync=True)
    hand: traitlets.List[list[float]] = traitlets.List(
        traitlets.List(traitlets.Float(min=-LARGEST_HAND_WEIGHT, max=LARGEST_HAND_WEIGHT), minlen=3, maxlen=6),
        [list(row[:3]) for row in _HAND],
        minlen=2,
        maxlen=2,
    ).tag(sync=True)
    heads = traitlets.Int(1, min=1, max=2).tag(sync=True)
    target: Any = traitlets.List(  # a point, or None
        traitlets.Float(min=-REACH, max=REACH), default_value=None, allow_none=True, minlen=2, maxlen=2
    ).tag(sync=True)
    shares = traitlets.Bool(False).tag(sync=True)
    head = traitlets.Int(0, min=0, max=1).tag(sync=True)
    pick = traitlets.Int(0, min=0, max=6).tag(sync=True)

    @property
    def S(self) -> int:
        """The number of keys. Setting it adds words, or removes the last ones."""
        return len(self.values)

    @S.setter
    def S(self, size: int) -> None:
        least, most = self.LIMITS["S"]
        if not least <= size <= most:
            raise traitlets.TraitError(f"S = {size}: this lab takes S, keys, from {least} to {most}.")
        self.values = [*self.values[:size], *([list(point) for point in _VALUES[len(self.values) : size]])]

    @property
    def words(self) -> Sequence[str]:
        """The words that the values belong to."""
        return WORDS[: self.S]

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        """As many hand weights as there are values."""
        S = len(state["values"])
        hand = [[*row[:S], *more[len(row) : S]] for row, more in zip(state["hand"], _HAND, strict=True)]
        for head, row in enumerate(hand[: state["heads"]]):
            if state["by"] != "hand":
                continue
            if min(row) < 0:
                raise ShapeError(
                    f"A hand weight of head {head} is {min(row):g}. No weight of a softmax is below 0: by='free' takes any numbers."
                )
            if not any(row):
                raise ShapeError(
                    f"All hand weights of head {head} are 0. The weights of a head sum to 1, so some word must have a weight."
                )
        return state | {"hand": hand}

    def compute(self) -> Mapping[str, Any]:
        k = _float64(KEYS[: self.S])[None, None]  # (1, G, S, D) with G = 1: the heads share keys and values
        v = _float64(self.values)[None, None]
        q = _float64(self.queries[: self.heads])[None, :, None]  # (1, H, 1, D)
        if self.by == "query":
            steps = attention_steps(q, k, v, scale=1 / (math.sqrt(2) * self.temperature))
            weights, out = steps.weights[0, :, 0], steps.out[0, :, 0]
        else:
            hand = _float64(self.hand[: self.heads])
            weights = hand / hand.sum(-1, keepdim=True) if self.by == "hand" else hand
            out = weights @ v[0, 0]
        squared = out.square().sum(-1, keepdim=True)
        reach, nearest, needed = reached(v[0, 0], None if self.target is None else _float64(self.target))
        return {
            "k": k[0, 0],
            "weights": weights,
            "out": out,
            "parts": torch.where(squared > 1e-12, weights * (out @ v[0, 0].T) / squared, math.nan),
            "path": attention(q / _float64(TEMPERATURES)[:, None], k, v)[0],  # a query for each temperature
            "reach": reach,
            "nearest": nearest,
            "needed": needed,
        }

    def send(self, results: Mapping[str, Any]) -> Sequence[str]:
        return ("weights", "out", "parts", "path", "reach", "nearest", "needed")

    def fallback(self) -> str:
        names = [f"head {head}" for head in range(self.heads)] if self.heads > 1 else [""]
        titles = [f"{title}, {name}".strip(", ") for name in names for title in ("weight", "share of the output")]
        rows = []
        for s, (word, (x, y)) in enumerate(zip(self.words, self.values, strict=True)):
            numbers = [float(tensor[h, s]) for h in range(self.heads) for tensor in (self.weights, self.parts)]
            rows.append([word, f"({x:g}, {y:g})", *map(_as_text, numbers)])
        outputs = " and ".join(f"({x:.2f}, {y:.2f})" for x, y in self.out.tolist())
        source = f"a query at temperature {self.temperature:g}" if self.by == "query" else "hand"
        place = "It lies among the values, never outside of them." if self.by != "free" else "Such weights can lead anywhere."
        return (
            f"<p>{self.S} values in the plane, weights set by {source}, and the sum of the values, each times its weight: "
            f"{outputs}. {place}</p>{table(['word', 'value', *titles], rows).html()}"
        )


def _as_text(number: float) -> str:
    return "–" if math.isnan(number) else f"{number:.4f}"


def _float64(numbers: Sequence[Any]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64, device=device())
