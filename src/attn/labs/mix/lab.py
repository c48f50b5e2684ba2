"""MixLab: values as points in the plane, and the output of one or two heads as a blend of them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import attention, device
from attn.labs.lab import Lab, Limits
from attn.shapes import ShapeError
from attn.steps import attention_steps
from attn.trace.table import table

__all__ = ["MixLab"]

WORDS = ("river", "money", "bank", "the", "old", "loan")
KEYS = ((-1.7, 1.0), (1.7, 1.0), (1.7, -1.0), (-1.7, -1.0), (0.0, -2.0), (2.0, 0.0))
_VALUES = ((-3.0, 2.0), (3.0, 2.0), (0.0, 2.0), (0.6, -0.2), (-2.0, -3.0), (3.0, -2.0))
_HAND = ((2, 1, 2, 5, 1, 1), (5, 2, 2, 1, 1, 1))
REACH = 4.0  # a coordinate is at least -REACH and at most REACH
TEMPERATURES = [10.0 ** (step / 10) for step in range(-20, 21)]  # of the path, 0.01 to 100
LARGEST_HAND_WEIGHT = 10  # before hand weights are divided by their sum


class MixLab(Lab):
    """S words, each with a key and a value of two numbers (D = 2), and the blends of the values that H = 1 or 2 heads make.

    values: S points, 3 to 6 of them, coordinates from -4 to 4. queries: the query of each head, a point. temperature: scores are
    divided by it and by √D, 0.01 to 100. by: "query" computes the weights as the softmax of the scores, "hand" divides `hand`, S
    whole numbers from 0 to 10 for each head, by their sum. heads: 1 or 2; they share keys and values, as grouped heads do, and each
    has its own query and hand weights. pick: what the two sliders move, 0 or 1 for a query, 2 for value 0, and so on. `lab.S` is
    the number of keys; setting it keeps the values that are there.

    After any change, the results are tensors on `attn.device()`: `lab.weights` (H, S); `lab.out` (H, 2), the output of each head;
    `lab.shares` (H, S), how much of the output each weighted value is, measured along the output, NaN if the output is 0;
    `lab.path` (H, 41, 2), the outputs at temperatures from 0.01 to 100. `lab.words` and `lab.k` (S, 2) belong to the values.

    A number outside its limits raises traitlets.TraitError; a head whose hand weights are all zero raises ShapeError.
    """

    STATE = ("values", "queries", "temperature", "by", "hand", "heads")
    VIEW = ("pick",)
    LIMITS: ClassVar[Limits] = {"S": (3, 6)}
    PAGE_LIMITS: ClassVar[Limits] = LIMITS

    values: traitlets.List[list[float]] = traitlets.List(
        traitlets.List(traitlets.Float(min=-REACH, max=REACH), minlen=2, maxlen=2),
        [list(point) for point in _VALUES[:5]],
        minlen=3,
        maxlen=6,
    ).tag(sync=True)
    queries: traitlets.List[list[float]] = traitlets.List(
        traitlets.List(traitlets.Float(min=-REACH, max=REACH), minlen=2, maxlen=2), [[-1.2, -0.8], [1.2, 0.9]], minlen=2, maxlen=2
    ).tag(sync=True)
    temperature = traitlets.Float(1.0, min=0.01, max=100.0).tag(sync=True)
    by = traitlets.Enum(("query", "hand"), "query").tag(sync=True)
    hand: traitlets.List[list[int]] = traitlets.List(
        traitlets.List(traitlets.Int(min=0, max=LARGEST_HAND_WEIGHT), minlen=3, maxlen=6),
        [list(row[:5]) for row in _HAND],
        minlen=2,
        maxlen=2,
    ).tag(sync=True)
    heads = traitlets.Int(1, min=1, max=2).tag(sync=True)
    pick = traitlets.Int(0, min=0, max=7).tag(sync=True)

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
            if state["by"] == "hand" and not any(row):
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
            weights = hand / hand.sum(-1, keepdim=True)
            out = weights @ v[0, 0]
        squared = out.square().sum(-1, keepdim=True)
        return {
            "k": k[0, 0],
            "weights": weights,
            "out": out,
            "shares": torch.where(squared > 1e-12, weights * (out @ v[0, 0].T) / squared, math.nan),
            "path": attention(q / _float64(TEMPERATURES)[:, None], k, v)[0],  # a query for each temperature
        }

    def send(self, results: Mapping[str, Any]) -> Sequence[str]:
        return ("weights", "out", "shares", "path")

    def fallback(self) -> str:
        names = [f"head {head}" for head in range(self.heads)] if self.heads > 1 else [""]
        titles = [f"{title}, {name}".strip(", ") for name in names for title in ("weight", "share of the output")]
        rows = []
        for s, (word, (x, y)) in enumerate(zip(self.words, self.values, strict=True)):
            numbers = [float(tensor[h, s]) for h in range(self.heads) for tensor in (self.weights, self.shares)]
            rows.append([word, f"({x:g}, {y:g})", *map(_as_text, numbers)])
        outputs = " and ".join(f"({x:.2f}, {y:.2f})" for x, y in self.out.tolist())
        source = f"a query at temperature {self.temperature:g}" if self.by == "query" else "hand"
        return (
            f"<p>{self.S} values in the plane, weights set by {source}, and the blend of the values under these weights: "
            f"{outputs}. It lies among the values, never outside of them.</p>{table(['word', 'value', *titles], rows).html()}"
        )


def _as_text(number: float) -> str:
    return "–" if math.isnan(number) else f"{number:.4f}"


def _float64(numbers: Sequence[Any]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64, device=device())
