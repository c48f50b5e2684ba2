"""A checker for decoding with a cache: a step, by value against the full causal pass."""

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from attn.cache import KVCache
from attn.check.verdict import Verdict
from attn.core import attention
from attn.layer import MultiHeadAttention
from attn.masks import causal
from attn.shapes import merge_heads, split_heads

__all__ = ["decode"]

# B, H, G, D, and how many words arrive at each call: a prompt, single words, then several at once. All different.
_RUNS = ((2, 6, 3, 5, (4, 1, 1, 1, 3)), (3, 4, 1, 2, (5, 1, 2)))


def decode(answer: Callable[[MultiHeadAttention, Tensor, Tensor, KVCache], Any]) -> Verdict:
    """Check an answer for one step of generation: answer(layer, new, positions, cache) -> the outputs (B, L, E) of L new words.

    layer: a MultiHeadAttention without bias. new: (B, L, E), the vectors of the new words without their positions. positions:
    (S_max, E), one vector for each position, to be added. cache: a KVCache with the keys and values of the words before them.

    The answer is called for a prompt, for single words and for several at once, and what it gives is compared with a full causal
    pass over all words. The verdict names the first call that is wrong, and recognises by value what was computed instead.
    """
    for n, (B, H, G, D, chunks) in enumerate(_RUNS):
        generator = torch.Generator().manual_seed(n)
        layer = MultiHeadAttention(H * D, H, G=G, bias=False, device="cpu")
        with torch.no_grad():
            for weight in layer.parameters():
                weight.normal_(std=(H * D) ** -0.5, generator=generator)
        words = torch.randn(B, sum(chunks), H * D, generator=generator, device="cpu")
        positions = torch.randn(sum(chunks) + 2, H * D, generator=generator, device="cpu")
        here = torch.get_default_device()
        verdict = _run(answer, layer.to(here), words.to(here), positions.to(here), chunks)
        if verdict is not None:
            return verdict
    return Verdict(True, "Every call gives what a full causal pass gives: the prompt, single words, and several at once.")


@torch.no_grad()
def _run(
    answer: Callable[..., Any], layer: MultiHeadAttention, words: Tensor, positions: Tensor, chunks: Sequence[int]
) -> Verdict | None:
    """Let words arrive in chunks; the verdict if a call is wrong, None if all are right."""
    B, _, E = words.shape
    cache = KVCache(B, layer.G, sum(chunks), layer.D, device=words.device)
    for n, L in enumerate(chunks):
        before = sum(chunks[:n])
        S = before + L
        what = "the prompt" if n == 0 else "the next word" if L == 1 else "several words at once"
        call = f"For {what}, new {(B, L, E)} with {before} positions in the cache,"
        mine = copy.deepcopy(layer), words[:, before:S].clone(), positions.clone()
        try:
            got = answer(*mine, cache)
        except Exception as error:
            return Verdict(False, f"{call} your code raised {type(error).__name__}: {error}")
        if not (torch.equal(mine[1], words[:, before:S]) and torch.equal(mine[2], positions)):
            return Verdict(False, f"{call} your code changed new or positions. Add with x + y, not in place.")
        if not isinstance(got, Tensor):
            return Verdict(False, f"{call} your code returned {type(got).__name__}, not a tensor. Is there a return?")
        if got.shape != (B, L, E):
            return Verdict(False, f"{call} your result has shape {tuple(got.shape)}; it must be (B, L, E) = {(B, L, E)}.")
        want = layer(words[:, :S] + positions[:S], causal=True)[:, -L:]
        if not _same(got, want):
            return Verdict(False, f"{call} {_what_instead(got, want, layer, words[:, :S], positions, chunks[: n + 1])}")
        if len(cache) != S:
            return Verdict(
                False,
                f"{call} the result is right, but afterwards the cache holds {len(cache)} positions; {S} words have been "
                f"seen. Who will look at the new ones at the next call, and how often?",
            )
    return None


def _what_instead(
    got: Tensor, want: Tensor, layer: MultiHeadAttention, words: Tensor, positions: Tensor, chunks: Sequence[int]
) -> str:
    """Which slip, or which two, give exactly these numbers."""
    if not got.isfinite().all():
        return "the result is not finite. Softmax over no key at all is 0/0: are the new keys in the cache before they are read?"
    for value, hint in _slips(layer, words, positions, chunks):
        if _same(got, value):
            return hint
    off = float((got - want).abs().amax())
    return f"the shape is right and the numbers are off by up to {off:.2g} from the full causal pass over the same words."


def _slips(layer: MultiHeadAttention, words: Tensor, positions: Tensor, chunks: Sequence[int]) -> Iterator[tuple[Tensor, str]]:
    """What wrong steps give for the last chunk, each with what is wrong about it: one slip first, then two."""
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
    """The outputs of the last L of S words, attended to rightly and in the usual wrong ways."""
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
    yield merge_heads(attention(q, k, v, causal=True)), "this is the heads side by side. Which matrix comes last?"


def _sees(L: int) -> str:
    return "the new word saw the very first key alone" if L == 1 else f"the newest word saw the first {L} keys alone"


def _same(got: Tensor, want: Tensor) -> bool:
    return got.shape == want.shape and bool(((got.to(want.dtype) - want).abs() <= 1e-4).all())
