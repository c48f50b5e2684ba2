"""A checker for rotary positions. It recognises other pairs, other angles and positions that are counted anew."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import combined, conclude, examine, normal
from attn.check.verdict import Verdict

__all__ = ["rope"]

_BASE = 10000.0
# B, H, L, D and the positions: those of a prompt in the middle of a text, then any.
_RUNS = ((2, 3, 5, 8, (3, 4, 5, 6, 7)), (1, 4, 3, 6, (40, 7, 0)), (2, 1, 1, 10, (1000,)))


@torch.no_grad()
def rope(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for rotary positions: answer(heads (B, H, L, D), positions (L,)) -> the heads, turned.

    Channels d and d + D/2 of a token at position p are a pair, which is turned by the angle p · 10000^(-2d/D).
    The verdict names the first wrong call, and recognises other pairs, angles and positions by the values that they give.
    """
    return conclude(
        (_about(answer, *run) for run in _RUNS),
        "Every pair is turned by its own angle, and every length stays. With these heads a score depends on the distance only.",
    )


def _about(answer: Callable[..., Any], B: int, H: int, L: int, D: int, at: tuple[int, ...]) -> str:
    (heads,) = normal((B, H, L, D), seed=D)
    positions = torch.tensor(at)
    want = _turned(heads, positions)

    def how_wrong(got: Tensor) -> str:
        if not torch.isclose(got.norm(dim=-1), heads.norm(dim=-1), rtol=1e-3, atol=1e-3).all():
            return "the length of a token changes. A turn keeps it: (a, b) becomes (a cos − b sin, b cos + a sin)."
        b, h, n, d = (int(i) for i in (~torch.isclose(got, want, rtol=1e-4, atol=1e-4)).nonzero()[0])
        pair = d % (D // 2)
        return (
            f"the values are wrong: result[{b}, {h}, {n}, {d}] must be {want[b, h, n, d]:.4f}; yours is {got[b, h, n, d]:.4f}. "
            f"Channels {pair} and {pair + D // 2} of the token at position {at[n]} are turned by {at[n]} · 10000^(−{2 * pair}/{D})."
        )

    call = f"For heads {(B, H, L, D)} and positions {list(at)}"
    mistakes = _mistakes(heads, positions)
    return examine(
        answer, {"heads": heads, "positions": positions}, want, "(B, H, L, D)", mistakes, wrong_values=how_wrong, call=call
    )


def _turned(
    heads: Tensor, positions: Tensor, read: str = "halves", write: str = "halves", power: float = -2.0, sign: float = 1.0
) -> Tensor:
    """The heads, turned. read, write: which channels are a pair, "halves" or "neighbours". The speeds are base^(power · d/D)."""
    D = heads.shape[-1]
    angle = sign * positions[:, None] * _BASE ** (power * torch.arange(D // 2) / D)
    cos, sin = angle.cos(), angle.sin()
    a, b = heads.chunk(2, -1) if read == "halves" else (heads[..., ::2], heads[..., 1::2])
    pair = a * cos - b * sin, b * cos + a * sin
    return torch.cat(pair, -1) if write == "halves" else torch.stack(pair, -1).flatten(-2)


_PAIRS = (
    ("halves", "halves", ""),
    (
        "neighbours",
        "neighbours",
        "channels 2d and 2d + 1 are turned together. Here channels d and d + D/2 are a pair, as the weights of LLaMA in "
        "transformers have them. Which two slices of the last axis are a and b?",
    ),
    (
        "neighbours",
        "halves",
        "a and b are neighbouring channels, but the result has them in halves: the pairs are taken from other channels than "
        "those to which they are written. Here channels d and d + D/2 are a pair.",
    ),
    (
        "halves",
        "neighbours",
        "the pairs d and d + D/2 are turned, and then written side by side. Each channel must stay where it was.",
    ),
)
_POWERS = (
    (-2.0, ""),
    (
        -1.0,
        "the exponent is −d/D instead of −2d/D for pair d, so all pairs but the first turn too fast. What is d for the last "
        "pair, and what is its exponent?",
    ),
    (2.0, "later pairs turn faster, because the exponent has no minus: pair 0 turns by 1 for each position, the others by less."),
    (0.0, "all pairs turn equally fast. Each pair d has its own speed, 10000^(−2d/D)."),
)


def _mistakes(heads: Tensor, positions: Tensor) -> Iterator[tuple[Tensor, str]]:
    """The results of known mistakes, each with a hint: single ones first, then pairs of them."""
    here = torch.arange(len(positions))
    places = (
        (positions, ""),
        (
            here,
            "every token is turned by its number in this call, not by its position. In a step of decoding the new token would be "
            "turned by 0. Which argument knows where the tokens stand?",
        ),
        (positions + 1, "every position is one too high. Position 0 is not turned at all."),
    )
    signs = ((1.0, ""), (-1.0, "every pair is turned the other way. Which of the two products has the minus?"))
    found = []
    for read, write, pair_hint in _PAIRS:
        for power, power_hint in _POWERS:
            for at, place_hint in places:
                for sign, sign_hint in signs:
                    hints = [hint for hint in (place_hint, pair_hint, power_hint, sign_hint) if hint]
                    if 1 <= len(hints) <= 2:
                        found.append((len(hints), _turned(heads, at, read, write, power, sign), combined(*hints)))
    yield heads, "nothing is turned: these are the heads as they were."
    yield from ((value, hint) for _, value, hint in sorted(found, key=lambda one: one[0]))
