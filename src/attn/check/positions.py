"""Checkers for rotary positions, and for a step of decoding with them: what is turned, when, and by which positions."""

import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.cache import KVCache
from attn.check.answers import combined, conclude, examine, normal
from attn.check.verdict import Verdict
from attn.core import attention
from attn.layer import MultiHeadAttention
from attn.shapes import merge_heads, split_heads

__all__ = ["rope", "rotary_step"]

_BASE = 10000.0
# B, H, L, D and the positions: those of a prompt in the middle of a text, then any. bfloat16 has no 1001.
_RUNS = ((2, 3, 5, 8, (3, 4, 5, 6, 7)), (1, 4, 3, 6, (40, 7, 0)), (2, 1, 1, 10, (1001,)))


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
        (
            positions.bfloat16().float(),
            "the positions were rounded to bfloat16, which has steps of 4 above 512. Positions and angles belong in float32.",
        ),
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


@torch.no_grad()
def rotary_step(answer: Callable[[MultiHeadAttention, Tensor, KVCache], Any]) -> Verdict:
    """Check an answer for a step with rotary positions and a cache: answer(layer, new, cache) -> the outputs (B, L, E).

    layer: a MultiHeadAttention without bias and without positions. new: (B, L, E), the next L tokens. cache: a KVCache, in which
    keys are kept turned. The answer is called for a prompt, for a single token and for several at once, and compared with a full
    causal pass. The verdict names the first wrong call, and recognises by value what was turned, when and by which position.
    """
    return conclude(
        (complaint for run in _STEPS for complaint in _calls(answer, *run)),
        "Every call agrees with a full causal pass: q and k are turned after the split, by their own positions, and v is not.",
    )


_STEPS = ((2, 6, 3, 4, (4, 1, 2)), (1, 2, 2, 6, (1, 3)))  # B, H, G, D, and the number of new tokens in each call


def _calls(answer: Callable[..., Any], B: int, H: int, G: int, D: int, chunks: tuple[int, ...]) -> Iterator[str]:
    """Feed the tokens in chunks; yield the complaint about each call."""
    E, S_max = H * D, sum(chunks)
    *weights, tokens = normal(((H + 2 * G) * D, E), (E, E), (B, S_max, E), seed=D)
    layer = MultiHeadAttention(E, H, G=G, bias=False)
    for parameter, drawn in zip(layer.parameters(), weights, strict=True):
        parameter.copy_(drawn * E**-0.5)
    cache = KVCache(B, G, S_max, D, device=tokens.device)
    for n, L in enumerate(chunks):
        before = sum(chunks[:n])
        what = "the first call" if n == 0 else "the next token" if L == 1 else "several tokens at once"
        x = tokens[:, : before + L]
        call = f"For {what}, new {(B, L, E)} with {before} positions in the cache"
        want = _stepped(layer, x, chunks[: n + 1])
        mistakes = _wrong_steps(layer, x, chunks[: n + 1])
        given = {"layer": copy.deepcopy(layer), "new": tokens[:, before : before + L], "cache": cache}
        yield examine(answer, given, want, "(B, L, E)", mistakes, wrong_values=partial(_how_far, want=want), call=call)
        if len(cache) != before + L:
            yield f"{call}, the result is right, but afterwards the cache holds {len(cache)} positions instead of {before + L}."


def _how_far(got: Tensor, want: Tensor) -> str:
    return f"the values differ by up to {(got - want).abs().max():.2g} from a full causal pass with rotary positions."


def _stepped(
    layer: MultiHeadAttention,
    x: Tensor,
    chunks: tuple[int, ...],
    when: str = "split",
    what: str = "qk",
    where: str = "own",
    mask: str = "last",
) -> Tensor:
    """The outputs of the last chunk. what: which of q, k and v are turned, when ("split": after it), and by which positions."""
    S, L = x.shape[1], chunks[-1]
    own = torch.arange(S)
    at = own if where == "own" else torch.cat([torch.arange(length) for length in chunks])
    made = []
    for name, weight, heads in (("q", layer.W_Q, layer.H), ("k", layer.W_K, layer.G), ("v", layer.W_V, layer.G)):
        rows = x @ weight.T
        if name not in what:
            made.append(split_heads(rows, heads))
        elif when == "rows":
            made.append(split_heads(_turned(rows, at), heads))
        else:
            made.append(_turned(split_heads(rows, heads), at))
    q, k, v = made
    k = _turned(k, own) if when == "twice" else k
    seen = torch.ones(L, S, dtype=torch.bool).tril(S - L if mask == "last" else 0)
    return layer.W_O(merge_heads(attention(q[:, :, S - L :], k, v, seen)))


_PLACES: tuple[tuple[dict[str, str], str], ...] = (
    ({}, ""),
    (
        {"where": "anew"},
        "positions start at 0 again in every call, so a new token is turned like one of the prompt. How many tokens came before "
        "it, and which argument knows this number?",
    ),
)
_TURNS: tuple[tuple[dict[str, str], str], ...] = (
    ({}, ""),
    ({"when": "rows"}, "the rows (B, L, E) are turned before the split, so the two parts of a pair belong to two heads."),
    ({"when": "twice"}, "keys are turned before the cache and once more after it. A cache keeps what it gets."),
    ({"what": "qkv"}, "the values are turned, too. Only scores may know the positions."),
    ({"what": "q"}, "only the queries are turned, so scores depend on the position of the query and not on the distance."),
    ({"what": "k"}, "only the keys are turned, so scores depend on the position of the key and not on the distance."),
    ({"what": ""}, "nothing is turned, so the positions reach no score."),
    ({"mask": "first"}, "the mask is aligned at the top left. Where are the new tokens among all tokens?"),
)


def _wrong_steps(layer: MultiHeadAttention, x: Tensor, chunks: tuple[int, ...]) -> Iterator[tuple[Tensor, str]]:
    """The results of wrong steps for the last chunk, each with a hint: single mistakes first."""
    found = [(where, what, place | turn) for place, where in _PLACES for turn, what in _TURNS if where or what]
    for where, what, changes in sorted(found, key=lambda one: bool(one[0] and one[1])):
        yield _stepped(layer, x, chunks, **changes), combined(what, where)
