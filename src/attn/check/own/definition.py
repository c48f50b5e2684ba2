"""Attention as small steps, each of which can be replaced: the right result, and the result of each known mistake."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from attn.core import attention
from attn.masks import causal as causal_mask

__all__ = ["Case", "Definition", "Sizes", "Turn", "Weights", "right", "same"]

Weights = Mapping[str, tuple[Tensor, Tensor | None]]  # of q, k, v and o: a matrix (out, in) as nn.Linear stores it, and a bias
Turn = Callable[[Tensor, Tensor], Tensor]  # rotary positions: (heads (B, H, L, D), positions (L,)) -> heads, turned


@dataclass(frozen=True)
class Sizes:
    """The sizes of one layer."""

    E: int
    H: int
    G: int
    D: int
    Dv: int


@dataclass(frozen=True)
class Case:
    """One question to an implementation. All tensors are float32, and heads come before positions.

    inputs: (x, context) of a layer, or (q, k, v) of a function. keep: True where a query may attend, (B, 1, L, S), or None.
    what: the case in words, as a sentence begins: "For x (2, 5, 24) and a mask".
    """

    what: str
    inputs: tuple[Tensor, ...]
    keep: Tensor | None = None
    causal: bool = False
    empty: bool = False  # a row of the mask allows no key

    @property
    def lengths(self) -> tuple[int, int]:
        """L and S."""
        return self.inputs[0].shape[-2], self.inputs[-1].shape[-2]


class Definition:
    """Attention in float64, step by step. A mistake replaces steps: each is called with the definition as its first argument."""

    def __init__(self, sizes: Sizes, weights: Weights | None, rotary: Turn | None = None, **steps: Callable[..., Any]) -> None:
        self.sizes = sizes
        self.weights = {role: (w.double(), None if b is None else b.double()) for role, (w, b) in (weights or {}).items()}
        self._turn = rotary
        for step, function in steps.items():
            if not hasattr(self, step):
                raise ValueError(f"{step} is not a step of the definition.")
            setattr(self, step, partial(function, self))

    def __call__(self, case: Case) -> Tensor:
        """The result for a case: y (B, L, E) of a layer, the heads (B, H, L, Dv) of a function."""
        first, *others = (tensor.double() for tensor in case.inputs)
        if self.weights:
            return self.layer(first, others[0], case.keep, case.causal)
        q, k = self.turn(first, others[0])
        return self.heads(q, k, others[1], case.keep, case.causal)

    def layer(self, x: Tensor, context: Tensor, keep: Tensor | None, causal: bool) -> Tensor:
        q_flat, k_flat, v_flat = self.project(x, context)
        q, k, v = self.split(q_flat, self.sizes.H), self.split(k_flat, self.sizes.G), self.split(v_flat, self.sizes.G)
        q, k = self.turn(q, k)
        return self.out(self.merge(self.heads(q, k, v, keep, causal)), x)

    def linear(self, role: str, x: Tensor) -> Tensor:
        return F.linear(x, *self.weights[role])

    def project(self, x: Tensor, context: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.linear("q", x), self.linear("k", context), self.linear("v", context)

    def split(self, flat: Tensor, heads: int) -> Tensor:
        return flat.unflatten(-1, (heads, -1)).transpose(1, 2)

    def turn(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        if self._turn is None:
            return q, k
        L, S = q.shape[2], k.shape[2]
        return self._turn(q, torch.arange(S - L, S)), self._turn(k, torch.arange(S))

    def heads(self, q: Tensor, k: Tensor, v: Tensor, keep: Tensor | None, causal: bool) -> Tensor:
        k, v = self.group(k, q.shape[1]), self.group(v, q.shape[1])
        if causal:
            keep = self.both(keep, self.visible(q.shape[2], k.shape[2]))
        return self.mix(self.weigh(self.scores(q, k), keep), v)

    def group(self, kv: Tensor, heads: int) -> Tensor:
        return kv.repeat_interleave(heads // kv.shape[1], 1)

    def visible(self, L: int, S: int) -> Tensor:
        return causal_mask(L, S)

    def both(self, keep: Tensor | None, visible: Tensor) -> Tensor:
        return visible if keep is None else keep & visible

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.mT / math.sqrt(q.shape[-1])

    def weigh(self, scores: Tensor, keep: Tensor | None) -> Tensor:
        if keep is None:
            return self.softmax(scores)
        return self.softmax(self.fill(scores, keep)).masked_fill(~keep.any(-1, keepdim=True), 0.0)

    def fill(self, scores: Tensor, keep: Tensor) -> Tensor:
        return scores.masked_fill(~keep, -math.inf)

    def softmax(self, scores: Tensor) -> Tensor:
        return scores.softmax(-1)

    def mix(self, weights: Tensor, v: Tensor) -> Tensor:
        return weights @ v

    def merge(self, heads: Tensor) -> Tensor:
        return heads.transpose(1, 2).flatten(2)

    def out(self, concat: Tensor, x: Tensor) -> Tensor:
        return self.linear("o", concat)


def right(sizes: Sizes, weights: Weights | None, case: Case, turn: Turn | None = None) -> Tensor:
    """What the case must give: the projections of `Definition` around `attn.attention`."""

    return Definition(sizes, weights, turn, heads=_attention)(case)


def _attention(_: Definition, q: Tensor, k: Tensor, v: Tensor, keep: Tensor | None, causal: bool) -> Tensor:
    return attention(q, k, v, keep, causal=causal)


def same(got: Tensor, want: Tensor, tolerance: float = 2e-4) -> bool:
    """Equal up to rounding in float32, relative to the largest number of the right result."""
    if got.shape != want.shape:
        return False
    scale = max(float(want.abs().nan_to_num(0, 0, 0).amax()), 1.0) if want.numel() else 1.0
    return bool(torch.isclose(got.to(want), want, rtol=0, atol=tolerance * scale, equal_nan=True).all())
