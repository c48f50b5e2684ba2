"""MixLab: values as points in the plane, and the output of one or two heads as a blend of them."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import attention, device
from attn.labs.lab import Lab, Limits
from attn.shapes import ShapeError
from attn.steps import attention_steps

__all__ = ["MixLab"]

_WORDS = ("river", "money", "bank", "the", "old", "loan")
_KEYS = ((-1.7, 1.0), (1.7, 1.0), (1.7, -1.0), (-1.7, -1.0), (0.0, -2.0), (2.0, 0.0))
_VALUES = ((-3.0, 2.0), (3.0, 2.0), (0.0, 2.0), (0.6, -0.2), (-2.0, -3.0), (3.0, -2.0))
_HAND = ((2, 1, 2, 5, 1, 1), (5, 2, 2, 1, 1, 1))
_REACH = 4.0  # a coordinate lies between minus this and this
_PATH = [10.0 ** (step / 10) for step in range(-20, 21)]  # temperatures, 0.01 to 100


class MixLab(Lab):
    """S words with a key and a value each, two numbers both (D = 2), and what H = 1 or 2 heads mix of the values.

    values: S points, 3 to 6 of them, coordinates from -4 to 4. queries: the query of each head, a point. temperature: what scores
    are divided by beside √D, 0.01 to 100. by: "query", weights are softmax of the scores, or "hand", weights are `hand`, S whole
    numbers from 0 to 10 for each head, divided by their sum. heads: 1 or 2; they share keys and values, as grouped heads
    do, and each has its own query and hand weights. pick: what the two sliders move, 0 or 1 for a query, 2 for value 0, and so on.
    `lab.S` is the number of keys; setting it keeps what there is.

    After any change the results are tensors on `attn.device()`: `lab.weights` (H, S); `lab.out` (H, 2), the output of each head;
    `lab.shares` (H, S), how much of the output each value times its weight is, measured along the output, NaN if the output is
    0; `lab.path` (H, 41, 2), the outputs at temperatures from 0.01 to 100. `lab.words` and `lab.k` (S, 2) go with the values.

    A number outside its limits raises traitlets.TraitError; a head whose hand weights are all zero, ShapeError.
    """

    STATE = ("values", "queries", "temperature", "by", "hand", "heads")
    VIEW = ("pick",)
    LIMITS: ClassVar[Limits] = {"S": (3, 6)}
    PAGE_LIMITS: ClassVar[Limits] = LIMITS

    values: traitlets.List[list[float]] = traitlets.List(
        traitlets.List(traitlets.Float(min=-_REACH, max=_REACH), minlen=2, maxlen=2),
        [list(point) for point in _VALUES[:5]],
        minlen=3,
        maxlen=6,
    ).tag(sync=True)
    queries: traitlets.List[list[float]] = traitlets.List(
        traitlets.List(traitlets.Float(min=-_REACH, max=_REACH), minlen=2, maxlen=2), [[-1.2, -0.8], [1.2, 0.9]], minlen=2, maxlen=2
    ).tag(sync=True)
    temperature = traitlets.Float(1.0, min=0.01, max=100.0).tag(sync=True)
    by = traitlets.Enum(("query", "hand"), "query").tag(sync=True)
    hand: traitlets.List[list[int]] = traitlets.List(
        traitlets.List(traitlets.Int(min=0, max=10), minlen=3, maxlen=6), [list(row[:5]) for row in _HAND], minlen=2, maxlen=2
    ).tag(sync=True)
    heads = traitlets.Int(1, min=1, max=2).tag(sync=True)
    pick = traitlets.Int(0, min=0, max=7).tag(sync=True)

    @property
    def S(self) -> int:
        """The number of keys. Setting it adds words, or drops the last."""
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
        return _WORDS[: self.S]

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        """As many hand weights as there are values."""
        S = len(state["values"])
        hand = [[*row[:S], *more[len(row) : S]] for row, more in zip(state["hand"], _HAND, strict=True)]
        for head, row in enumerate(hand[: state["heads"]]):
            if state["by"] == "hand" and not any(row):
                zero = f"All hand weights of head {head} are 0."
                raise ShapeError(f"{zero} A head gives away one whole: some word must have a weight.")
        return state | {"hand": hand}

    def compute(self) -> Mapping[str, Any]:
        k = _exact(_KEYS[: self.S])[None, None]  # (1, G, S, D) with G = 1: the heads share keys and values
        v = _exact(self.values)[None, None]
        q = _exact(self.queries[: self.heads])[None, :, None]  # (1, H, 1, D)
        if self.by == "query":
            steps = attention_steps(q, k, v, scale=1 / (math.sqrt(2) * self.temperature))
            weights, out = steps.weights[0, :, 0], steps.out[0, :, 0]
        else:
            hand = _exact(self.hand[: self.heads])
            weights = hand / hand.sum(-1, keepdim=True)
            out = weights @ v[0, 0]
        squared = out.square().sum(-1, keepdim=True)
        return {
            "k": k[0, 0],
            "weights": weights,
            "out": out,
            "shares": torch.where(squared > 1e-12, weights * (out @ v[0, 0].T) / squared, math.nan),
            "path": attention(q / _exact(_PATH)[:, None], k, v)[0],  # a query for each temperature
        }

    def send(self, results: Mapping[str, Any]) -> Sequence[str]:
        return ("weights", "out", "shares", "path")

    def fallback(self) -> str:
        names = [f"head {head}" for head in range(self.heads)] if self.heads > 1 else [""]
        head = ["word", "value", *(f"{what} {name}".strip() for name in names for what in ("weight", "share of the output"))]
        rows = [
            [
                word,
                f"({x:g}, {y:g})",
                *(_told(float(kind[h, at])) for h in range(self.heads) for kind in (self.weights, self.shares)),
            ]
            for at, (word, (x, y)) in enumerate(zip(self.words, self.values, strict=True))
        ]
        outs = " and ".join(f"({x:.2f}, {y:.2f})" for x, y in self.out.tolist())
        table = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        heads = "".join(f"<th>{escape(name)}</th>" for name in head)
        how = f"a query at temperature {self.temperature:g}" if self.by == "query" else "hand"
        return (
            f"<p>{self.S} values in the plane, weights set by {how}, and the blend of the values under these weights: "
            f"{outs}. It lies among the values, never outside of them.</p>"
            f'<div class="attn-table"><table><thead><tr>{heads}</tr></thead><tbody>{table}</tbody></table></div>'
        )


def _told(number: float) -> str:
    return "–" if math.isnan(number) else f"{number:.4f}"


def _exact(numbers: Sequence[Any]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64, device=device())
