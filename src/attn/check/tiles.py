"""A checker for attention over tiles of keys: online softmax with a running output, and no scores but those of the current tile."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import Mistakes, conclude, examine, normal
from attn.check.verdict import Verdict
from attn.core import attention

__all__ = ["fused"]

_SIZES = (2, 3, 5, 11, 4)  # B, H, L, S and D
_TILES = (4, 3, 1, 11)  # of keys; 4 and 3 leave a smaller one at the end
_Tile = tuple[Tensor, Tensor, Tensor]


@torch.no_grad()
def fused(answer: Callable[[Tensor, Iterator[_Tile]], Any]) -> Verdict:
    """Check an answer for attention over tiles: answer(q, tiles) -> the output (B, H, L, D).

    q: (B, H, L, D). tiles: an iterator over (k, v, keep), tiles of keys and values (B, H, t, D) and of the mask (L, t), which is
    True where a query may attend. Every tile lies in the same memory, as in a cache: the next one overwrites it.

    The cases are tiles of four sizes, scores that fall or rise by hundreds from tile to tile, masked keys in front, which fill the
    first tile, and scores that are all far below 0. The verdict recognises by value what was not rescaled, what was divided too
    early, and tiles that are read after the next has overwritten them.
    """
    B, H, L, S, D = _SIZES
    q, k, v = normal((B, H, L, D), (B, H, S, D), (B, H, S, D), seed=16)
    everything = torch.ones(L, S, dtype=torch.bool)
    first = q[:, :, :1] / q[:, :, :1].norm(dim=-1, keepdim=True)
    falling = first * torch.linspace(1200.0, 0.0, S).view(S, 1)  # keys along a query: its scores fall
    rows = first.expand(B, H, L, D) * torch.tensor([1.0, 0.9, 0.8, 0.7, 0.6]).view(L, 1)
    padded = everything & (torch.arange(S) >= 5) & torch.ones(L, S, dtype=torch.bool).tril(S - L)
    cases: list[tuple[Any, ...]] = [(f"tiles of {tile} keys", q, k, v, everything, tile) for tile in _TILES]
    cases += [
        ("scores that fall by hundreds from tile to tile", rows, falling, v, everything, 4),
        ("scores that rise by hundreds from tile to tile", rows, falling.flip(2), v, everything, 4),
        ("a causal mask and 5 masked keys in front, in tiles of 4 keys", q, k, v, padded, 4),
        ("scores of −12,000 and less, and D = 16", *_below_0(B, H, L, S), everything, 4, 0.02),
    ]
    return conclude(
        (_complaint(answer, *case) for case in cases),
        "The output is attention for every size of tile, wherever the maximum comes and wherever keys are masked.",
    )


def _below_0(B: int, H: int, L: int, S: int) -> tuple[Tensor, ...]:
    """q, k and v of 16 channels whose scores lie between −25,000 and −12,000. All products are exact in float32."""
    q, k = torch.zeros(B, H, L, 16), torch.zeros(B, H, S, 16)
    q[..., 0] = 4 + torch.arange(L)
    k[..., 0] = -12_000 - torch.arange(S) * 5 % S / 4
    return q, k, *normal((B, H, S, 16), seed=18)


def _complaint(
    answer: Callable[..., Any], what: str, q: Tensor, k: Tensor, v: Tensor, keep: Tensor, tile: int, atol: float = 1e-4
) -> str:
    return examine(
        lambda q: answer(q, _arriving(k, v, keep, tile)),
        {"q": q},
        attention(q, k, v, keep),
        "(B, H, L, D)",
        [(value, hint) for value, hint in _mistakes(q, k, v, keep, tile) if value.isfinite().all()],
        wrong_values=partial(_how_far, want=attention(q, k, v, keep), keep=keep, highest=float((q @ k.mT).max())),
        wrong_shape=lambda got: "one row for every query.",
        call=f"For {what}",
        why=_why_raised,
        atol=atol,
    )


def _arriving(k: Tensor, v: Tensor, keep: Tensor, tile: int) -> Iterator[_Tile]:
    """The tiles, each in the memory of the one before it."""
    memory = [torch.zeros_like(one[..., :tile, :]) for one in (k, v)]
    for j in range(0, k.shape[2], tile):
        n = min(tile, k.shape[2] - j)
        for place, one in zip(memory, (k, v), strict=True):
            place[..., :n, :] = one[..., j : j + n, :]
        yield memory[0][..., :n, :], memory[1][..., :n, :], keep[:, j : j + n]


def _run(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    keep: Tensor,
    tile: int,
    *,
    total: Callable[[Tensor], Tensor] = lambda shrink: shrink,
    out: Callable[[Tensor], Tensor] = lambda shrink: shrink,
    own: bool = False,
    early: bool = False,
    divide: bool = True,
) -> Tensor:
    """Attention over tiles with a mistake: other factors for the old total and output, terms relative to the maximum of their own
    tile, a division in every tile, or none."""
    top = torch.full_like(q[..., :1], -1e30)
    sums, mixed = torch.zeros_like(top), torch.zeros_like(q)
    for j in range(0, k.shape[2], tile):
        scores = q @ k[:, :, j : j + tile].mT / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~keep[:, j : j + tile], -math.inf)
        here = scores.amax(-1, keepdim=True).clamp(min=-1e30)
        new = torch.maximum(top, here)
        terms, shrink = (scores - (here if own else new)).exp(), (top - new).exp()
        sums = sums * total(shrink) + terms.sum(-1, keepdim=True)
        part = terms @ v[:, :, j : j + tile]
        mixed = mixed * out(shrink) + (part / sums if early else part)
        top = new
    return mixed / sums if divide and not early else mixed


def _inverse(factor: Tensor) -> Tensor:
    return 1 / factor.clamp(min=1e-30)


def _mistakes(q: Tensor, k: Tensor, v: Tensor, keep: Tensor, tile: int) -> Mistakes:
    """The outputs of the known mistakes, each with a hint."""
    given, S = (q, k, v, keep, tile), k.shape[2]
    one = torch.ones_like
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    masked = scores.masked_fill(~keep, -math.inf)
    cuts = [(j, min(j + tile, S)) for j in range(0, S, tile)]
    parts = [masked[..., j:end].softmax(-1).nan_to_num() @ v[:, :, j:end] for j, end in cuts]
    yield (
        _run(*given, total=one, out=one),
        "neither the total nor the output is rescaled. When a later tile has a higher score, by which factor is everything that "
        "was added before too large? (Each row is still a weighted mean of the values, so nothing looks odd.)",
    )
    yield (
        _run(*given, out=one),
        "the total was rescaled and the output was not. Both are sums of terms relative to the same maximum. Which factor do both "
        "need?",
    )
    yield (
        _run(*given, total=one),
        "the output was rescaled and the total was not. Both are sums of terms relative to the same maximum. Which factor do both "
        "need?",
    )
    yield (
        _run(*given, early=True),
        "each tile was divided by the total of its time, which does not know the later tiles. When is the total complete?",
    )
    yield (
        _run(*given, divide=False),
        "this is the sum of terms times values, before the division. By what is it divided at the end, once?",
    )
    yield (
        _run(*given, total=_inverse, out=_inverse),
        "what was added before was multiplied by e^(new − old), which is more than 1. Relative to a higher maximum, are old terms "
        "larger or smaller?",
    )
    yield (
        _run(*given, own=True),
        "the terms of a tile are relative to the maximum of that tile alone. To which maximum must all terms of a row be relative?",
    )
    yield (
        torch.stack(parts).sum(0),
        "softmax ran in each tile by itself, and the results were added: the weights of a row sum to the number of tiles.",
    )
    yield torch.stack(parts).mean(0), "softmax ran in each tile by itself, and the results were averaged. Which tiles deserve more?"
    yield parts[-1], "this is the last tile alone: what was added before is lost. Do the total and the output go on?"
    if len(cuts) > 1:
        ends = cuts[-1][0]
        yield (
            attention(q, k[:, :, :ends], v[:, :, :ends], keep[:, :ends]),
            "the last tile, which may be smaller than the others, is missing.",
        )
        left = [max(range(place, S, tile)) for place in range(tile)]  # what is in memory at the end
        order = [key for j, end in cuts for key in left[: end - j]]
        yield (
            attention(q, k[:, :, order], v[:, :, order], keep),
            "the tiles were kept for later, and each one is overwritten when the next arrives. Use a tile while it is there.",
        )
    yield scores.softmax(-1) @ v, "the mask is ignored. Where must the scores be −∞?"
    yield (q @ k.mT).masked_fill(~keep, -math.inf).softmax(-1) @ v, "the scores were not divided by √D."
    root = math.sqrt(_SIZES[-1])
    if q.shape[-1] != _SIZES[-1]:
        yield (
            (q @ k.mT / root).masked_fill(~keep, -math.inf).softmax(-1) @ v,
            f"the scores were divided by {root:g}. √D is {math.sqrt(q.shape[-1]):g} here: read D from the shape of q.",
        )


def _how_far(got: Tensor, want: Tensor, keep: Tensor, highest: float) -> str:
    empty = ~got.isfinite() | (got == 0)
    if highest < -1000 and empty.all(-1).any():
        return (
            f"{int(empty.all(-1).sum())} of {got[..., 0].numel()} rows are 0, NaN or ∞. A maximum that starts above all scores "
            "stays there: each term e^(score − maximum) is 0, and so is the total. From which number is every first score higher?"
        )
    if got.isfinite().all():
        return f"the values differ by up to {(got - want).abs().amax():.2g} from attention over all keys at once."
    rows = f"{int((~got.isfinite()).any(-1).sum())} of {got[..., 0].numel()} rows contain NaN or ∞."
    if keep.all():
        return (
            f"{rows} e^score is ∞ for a score above 88, and so is the factor for what was added before if it is e^(new − old), or "
            "if the maximum falls. What is subtracted from each score: can the largest score so far fall? Does it rise when a "
            "higher score comes?"
        )
    return (
        f"{rows} While all keys so far are masked, a maximum that starts at −∞ stays there, and −∞ − (−∞) is NaN. From which "
        "finite number can it start?"
    )


def _why_raised(error: Exception) -> str:
    if "must match the size" in str(error):
        return "(A maximum or a sum over the keys removes their axis. keepdim=True keeps it with size 1.)"
    if "return_types.max" in str(error):
        return "(max with a dim returns values and indices; amax returns only the values.)"
    return ""
