"""A checker for one step of decoding with a cache, compared by value with the full causal pass."""

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.cache import KVCache
from attn.check.answers import Mistakes, conclude, examine, normal
from attn.check.verdict import Verdict
from attn.core import attention
from attn.layer import MultiHeadAttention
from attn.masks import causal
from attn.shapes import merge_heads, split_heads

__all__ = ["decode"]

# B, H, G, D, and how many words arrive at each call: a prompt, single words, then several at once. All different.
_RUNS = ((2, 6, 3, 5, (4, 1, 1, 1, 3)), (3, 4, 1, 2, (5, 1, 2)))


@torch.no_grad()
def decode(answer: Callable[[MultiHeadAttention, Tensor, Tensor, KVCache], Any]) -> Verdict:
    """Check an answer for one step of generation: answer(layer, new, positions, cache) -> the outputs (B, L, E) of L new words.

    layer: a MultiHeadAttention without bias. new: (B, L, E), the vectors of the new words without their positions. positions:
    (S_max, E), one vector for each position, to be added. cache: a KVCache with the keys and values of the words before them.

    The answer is called for a prompt, for single words and for several at once, and what it gives is compared with a full causal
    pass over all words. The verdict names the first call that is wrong, and recognises by value what was computed instead.
    """
    return conclude(
        (complaint for run in _RUNS for complaint in _calls(answer, *run)),
        "Every call gives what a full causal pass gives: the prompt, single words, and several at once.",
    )


def _calls(answer: Callable[..., Any], B: int, H: int, G: int, D: int, chunks: Sequence[int]) -> Iterator[str]:
    """Feed the words in chunks; yield the complaint about each call."""
    E = H * D
    *weights, words, positions = normal(((H + 2 * G) * D, E), (E, E), (B, sum(chunks), E), (sum(chunks) + 2, E), seed=B)
    layer = MultiHeadAttention(E, H, G=G, bias=False)
    for parameter, drawn in zip(layer.parameters(), weights, strict=True):
        parameter.copy_(drawn * E**-0.5)
    cache = KVCache(B, G, sum(chunks), D, device=words.device)
    for n, L in enumerate(chunks):
        before = sum(chunks[:n])
        S = before + L
        what = "the prompt" if n == 0 else "the next word" if L == 1 else "several words at once"
        call = f"For {what}, new {(B, L, E)} with {before} positions in the cache,"
        want = layer(words[:, :S] + positions[:S], causal=True)[:, -L:]
        yield examine(
            answer,
            {"layer": copy.deepcopy(layer), "new": words[:, before:S], "positions": positions, "cache": cache},
            want,
            "(B, L, E)",
            _slips(layer, words[:, :S], positions, chunks[: n + 1]),
            otherwise=partial(_how_far, want=want),
            call=call,
        )
        if len(cache) != S:
            yield (
                f"{call} the result is right, but afterwards the cache holds {len(cache)} positions; {S} words have been "
                f"seen. Who will look at the new ones at the next call, and how often?"
            )


def _how_far(got: Tensor, want: Tensor) -> str:
    if not got.isfinite().all():
        return "the numbers are not finite. Softmax over no key at all is 0/0: are the new keys in the cache before they are read?"
    return f"the numbers are off by up to {(got - want).abs().amax():.2g} from the full causal pass over the same words."


def _slips(layer: MultiHeadAttention, words: Tensor, positions: Tensor, chunks: Sequence[int]) -> Mistakes:
    """The results of wrong steps for the last chunk, each with a hint: single mistakes first, then pairs."""
    S, L = words.shape[1], chunks[-1]
    restarted = torch.cat([torch.arange(length) for length in chunks])
    places = (
        (words + positions[:S], ""),
        (
            words + positions[restarted],
            "positions begin at 0 again at every call, so the new words stand where the prompt stands. How many words came before "
            "them, and who knows?",
        ),
        (words, "no positions were added: every word stands nowhere. Which of them belong to the new words?"),
        (
            words + positions[1 : S + 1],
            "positions are one too far. The first word stands at 0: how many are in the cache before it is appended?",
        ),
    )
    slips = [
        (value, " Besides, ".join(filter(None, (what, where))))
        for x, where in places
        for value, what in _attended(layer, x, L, S)
        if what or where
    ]
    yield from sorted(slips, key=lambda slip: " Besides, " in slip[1])


def _attended(layer: MultiHeadAttention, x: Tensor, L: int, S: int) -> Iterator[tuple[Tensor, str]]:
    """The outputs of the last L of S words, with right attention and with the usual mistakes."""
    H, G = layer.H, layer.G
    q = split_heads(x[:, -L:] @ layer.W_Q.T, H)
    k, v = (split_heads(x @ weight.T, G) for weight in (layer.W_K, layer.W_V))
    past_k, past_v = k[:, :, :-L], v[:, :, :-L]

    def out(heads: Tensor) -> Tensor:
        return layer.W_O(merge_heads(heads))

    yield out(attention(q, k, v, causal=True)), ""
    yield (
        out(attention(q, k, v, torch.ones(L, S, dtype=torch.bool, device=x.device).tril())),
        f"the mask was aligned at the top left, so {_sees(L)}. Where among the {S} words do the new ones stand?",
    )
    yield (
        out(attention(q, past_k, past_v)) if S > L else torch.zeros_like(x[:, -L:]),
        "the new words were not among the keys: the cache was read first and appended to afterwards. May a word look at itself?",
    )
    yield (
        out(attention(q, k, v)),
        "every new word saw the later ones too. A single new word needs no mask. And several?",
    )
    yield (
        out(attention(q, k[:, :, -L:], v[:, :, -L:], causal=True)),
        "only the new keys and values were used, none of those in the cache. What does append return?",
    )
    tiled = (tensor.repeat(1, H // G, 1, 1) for tensor in (k, v))
    yield (
        out(attention(q, *tiled, causal=True)),
        f"head h read key/value head h % {G}: the groups were tiled. Query heads of a group are neighbours. Which call repeats "
        "each head in place?",
    )
    yield out(attention(q, k, v, causal=True, scale=1.0)), "the scores were not divided by √D. Does softmax care?"
    weights = (q @ k.repeat_interleave(H // G, 1).mT / layer.D**0.5).softmax(-1)
    late = weights * causal(L, S, device=x.device)
    yield out(late @ v.repeat_interleave(H // G, 1)), "the mask came after softmax. What do the rows of weights sum to?"
    yield merge_heads(attention(q, k, v, causal=True)), "these are the heads side by side. Which matrix comes last?"


def _sees(L: int) -> str:
    return "the new word saw the very first key alone" if L == 1 else f"the newest word saw the first {L} keys alone"
