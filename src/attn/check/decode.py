"""A checker for one step of decoding with a cache. It compares the values with those of a full causal pass."""

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.cache import KVCache
from attn.check.answers import Mistakes, combined, conclude, examine, normal
from attn.check.verdict import Verdict
from attn.core import attention
from attn.layer import MultiHeadAttention
from attn.masks import causal
from attn.shapes import merge_heads, split_heads

__all__ = ["decode"]

# B, H, G, D, and the number of new tokens in each call: a prompt, single tokens, then several at once. All sizes differ.
_RUNS = ((2, 6, 3, 5, (4, 1, 1, 1, 3)), (3, 4, 1, 2, (5, 1, 2)))


@torch.no_grad()
def decode(answer: Callable[[MultiHeadAttention, Tensor, Tensor, KVCache], Any]) -> Verdict:
    """Check an answer for one step of decoding: answer(layer, new, positions, cache) -> the outputs (B, L, E) of L new tokens.

    layer: a MultiHeadAttention without bias. new: (B, L, E), the embeddings of the new tokens without their positions. positions:
    (S_max, E), the positional embeddings to be added. cache: a KVCache with the keys and values of the earlier tokens.

    The answer is called for a prompt, for single tokens and for several at once, and its results are compared with a full causal
    pass over all tokens. The verdict names the first wrong call, and recognises by value what was computed instead.
    """
    return conclude(
        (complaint for run in _RUNS for complaint in _calls(answer, *run)),
        "Every call agrees with a full causal pass: the prompt, single tokens, and several tokens at once.",
    )


def _calls(answer: Callable[..., Any], B: int, H: int, G: int, D: int, chunks: Sequence[int]) -> Iterator[str]:
    """Feed the tokens in chunks; yield the complaint about each call."""
    E = H * D
    *weights, tokens, positions = normal(((H + 2 * G) * D, E), (E, E), (B, sum(chunks), E), (sum(chunks) + 2, E), seed=B)
    layer = MultiHeadAttention(E, H, G=G, bias=False)
    for parameter, drawn in zip(layer.parameters(), weights, strict=True):
        parameter.copy_(drawn * E**-0.5)
    cache = KVCache(B, G, sum(chunks), D, device=tokens.device)
    for n, L in enumerate(chunks):
        before = sum(chunks[:n])
        S = before + L
        what = "the prompt" if n == 0 else "the next token" if L == 1 else "several tokens at once"
        call = f"For {what}, new {(B, L, E)} with {before} positions in the cache"
        want = layer(tokens[:, :S] + positions[:S], causal=True)[:, -L:]
        yield examine(
            answer,
            {"layer": copy.deepcopy(layer), "new": tokens[:, before:S], "positions": positions, "cache": cache},
            want,
            "(B, L, E)",
            _wrong_steps(layer, tokens[:, :S], positions, chunks[: n + 1]),
            wrong_values=partial(_how_far, want=want),
            call=call,
        )
        if len(cache) != S:
            yield (
                f"{call}, the result is right, but afterwards the cache holds {len(cache)} positions instead of {S}. The next call "
                "needs every token seen so far exactly once."
            )


def _how_far(got: Tensor, want: Tensor) -> str:
    if not got.isfinite().all():
        return "some values are not finite. A softmax over no keys is 0/0: do you append the new keys before you read the cache?"
    return f"the values differ by up to {(got - want).abs().amax():.2g} from a full causal pass over the same tokens."


def _wrong_steps(layer: MultiHeadAttention, tokens: Tensor, positions: Tensor, chunks: Sequence[int]) -> Mistakes:
    """The results of wrong steps for the last chunk, each with a hint: single mistakes first, then pairs."""
    S, L = tokens.shape[1], chunks[-1]
    restarted = torch.cat([torch.arange(length) for length in chunks])
    inputs = (
        (tokens + positions[:S], ""),
        (
            tokens + positions[restarted],
            "positions start at 0 again in every call, so the new tokens get the positions of the prompt. How many tokens came "
            "before them, and which argument knows this number?",
        ),
        (tokens, "no positions were added. Which of the positions belong to the new tokens?"),
        (
            tokens + positions[1 : S + 1],
            "positions are one too high. The first token has position 0: how many tokens are in the cache before it is appended?",
        ),
    )
    steps = [
        (bool(where and what), value, combined(what, where))
        for x, where in inputs
        for value, what in _attended(layer, x, L, S)
        if what or where
    ]
    yield from ((value, hint) for _, value, hint in sorted(steps, key=lambda step: step[0]))


def _attended(layer: MultiHeadAttention, x: Tensor, L: int, S: int) -> Iterator[tuple[Tensor, str]]:
    """The outputs of the last L of S tokens, with correct attention and with the usual mistakes."""
    H, G = layer.H, layer.G
    q = split_heads(x[:, -L:] @ layer.W_Q.T, H)
    k, v = (split_heads(x @ weight.T, G) for weight in (layer.W_K, layer.W_V))
    past_k, past_v = k[:, :, :-L], v[:, :, :-L]

    def out(heads: Tensor) -> Tensor:
        return layer.W_O(merge_heads(heads))

    yield out(attention(q, k, v, causal=True)), ""
    yield (
        out(attention(q, k, v, torch.ones(L, S, dtype=torch.bool, device=x.device).tril())),
        f"the mask is aligned at the top left, so {_sees(L)}. Where are the new tokens among the {S} tokens?",
    )
    yield (
        out(attention(q, past_k, past_v)) if S > L else torch.zeros_like(x[:, -L:]),
        "the keys do not include the new tokens: your code appended to the cache after reading it. May a token attend to itself?",
    )
    yield (
        out(attention(q, k, v)),
        "every new token attends to later ones too. A single new token needs no causal mask. Do several?",
    )
    yield (
        out(attention(q, k[:, :, -L:], v[:, :, -L:], causal=True)),
        "only the new keys and values were used, and none of those in the cache. What does append return?",
    )
    tiled = (tensor.repeat(1, H // G, 1, 1) for tensor in (k, v))
    yield (
        out(attention(q, *tiled, causal=True)),
        f"query head h uses key/value head h % {G}: the groups were tiled. The query heads of a group are consecutive. Which "
        "call repeats each head in place?",
    )
    yield out(attention(q, k, v, causal=True, scale=1.0)), "the scores were not divided by √D. How does this change softmax?"
    weights = (q @ k.repeat_interleave(H // G, 1).mT / layer.D**0.5).softmax(-1)
    late = weights * causal(L, S, device=x.device)
    yield out(late @ v.repeat_interleave(H // G, 1)), "the mask was applied after softmax. What do the rows of weights sum to?"
    yield (
        merge_heads(attention(q, k, v, causal=True)),
        "these are the heads side by side, without the output projection. Which matrix comes last?",
    )


def _sees(L: int) -> str:
    return f"the newest token attends to only the first {'key' if L == 1 else f'{L} keys'}"
