"""Rotary positions as implementations write them: two ways to make pairs of channels, and any base."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from attn.check.own.definition import Turn
from attn.positions import rotary

__all__ = ["BASE", "PAIRS", "bases_near", "turning"]

BASE = 10000.0  # that of the paper
PAIRS = {
    "halves": "channel d with d + D/2, as in the LLaMA of transformers",
    "neighbours": "channel 2d with 2d + 1, as in the paper and in Meta's LLaMA",
}
_GOLDEN = (math.sqrt(5) - 1) / 2  # cuts an interval so that one of two measured places is measured in the next one, too
_USUAL = (500_000.0, 1_000_000.0, 5_000_000.0, 10_000_000.0, 1_000.0, 100.0)


def turning(pairs: str, base: float = BASE) -> Turn:
    """What turns heads (B, H, L, D) by their positions (L,)."""

    def turn(heads: Tensor, positions: Tensor) -> Tensor:
        if pairs == "halves":
            return rotary(heads, positions, base)
        halves = rotary(torch.cat([heads[..., ::2], heads[..., 1::2]], -1), positions, base)
        return torch.stack(halves.chunk(2, -1), -1).flatten(-2)

    return turn


def bases_near(distance: Callable[[float], float]) -> Iterator[float]:
    """Bases whose distance from a result is small: usual ones and round ones first. Between 1 and 10^9."""
    powers = [n / 5 for n in range(46)]
    away = {power: distance(10**power) for power in powers}
    middle = min(away, key=lambda power: away[power])
    low, high = middle - 0.2, middle + 0.2
    a, b = (high - _GOLDEN * (high - low), low + _GOLDEN * (high - low))
    at_a, at_b = distance(10**a), distance(10**b)
    for _ in range(25):  # as narrow as ten thousandths of a digit
        if at_a < at_b:
            high, b, at_b = b, a, at_a
            a = high - _GOLDEN * (high - low)
            at_a = distance(10**a)
        else:
            low, a, at_a = a, b, at_b
            b = low + _GOLDEN * (high - low)
            at_b = distance(10**b)
    best = 10 ** ((low + high) / 2)
    yield from sorted(_USUAL, key=lambda base: abs(math.log(base / best)))
    yield from (float(f"{best:.{digits}g}") for digits in (1, 2, 3, 4))
