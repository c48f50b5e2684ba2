"""Checkers for building a mask and for applying one.

Both ask with random scores or lengths whose sizes all differ, keep apart the rules that a mask is made of, and recognise the
usual mistakes by what they leave visible.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import ask, conclude, examine, no_tensor, normal, same
from attn.check.verdict import Verdict
from attn.masks import causal, padding

__all__ = ["mask", "masked_weights"]

# lengths of the samples, L, S, H: more keys than queries twice, as with a cache, and once as many; sizes that all differ.
_CASES = (((7, 3), 5, 7, 3), ((6, 1, 4), 2, 6, 4), ((2, 5, 4), 5, 5, 2))


def mask(answer: Callable[[Tensor, int, int], Any]) -> Verdict:
    """Check an answer for "the mask of a batch that generates": answer(lengths, L, S) -> boolean, True = may look.

    Sample b has padding, then lengths[b] real keys that end at S; the L queries are the last of the S positions. Nobody may
    see padding or later keys. The result must broadcast to (B, H, L, S) for any H. The verdict says which rule is broken, for
    whom, and which slip does exactly that.
    """
    return conclude(
        (_about_mask(answer, *case) for case in _CASES),
        "Every query sees the real keys up to its own position, and no others; every head the same.",
    )


def _about_mask(answer: Callable[..., Any], each: tuple[int, ...], L: int, S: int, H: int) -> str:
    lengths = torch.tensor(each)
    call = f"For lengths {list(each)}, L = {L}, S = {S}"
    got, complaint = ask(answer, {"lengths": lengths, "L": L, "S": S}, call)
    if complaint:
        return complaint
    if problem := no_tensor(got) or _no_mask(got, (len(each), H, L, S)):
        return f"{call} {problem}"
    want = (causal(L, S) & padding(lengths, S, front=True))[:, 0]
    have = got.to(want.device).expand(len(each), H, L, S)
    if torch.equal(have, want[:, None].expand_as(have)):
        return ""
    return f"{call} {_wrong_mask(have, want, lengths, L, S)}"


def _no_mask(got: Tensor, shape: tuple[int, int, int, int]) -> str:
    """Why this is not a mask for (B, H, L, S); empty if it is one."""
    if got.is_floating_point() and got.isneginf().any():
        return (
            f"your mask is {got.dtype} with −∞ in it: an additive mask. That is another spelling; asked for is the boolean one. "
            "Which comparison makes it boolean?"
        )
    if got.dtype != torch.bool:
        return (
            f"your mask is {got.dtype}. As a float, 1 and 0 would be added to the scores and forbid nothing. "
            "What makes it boolean, True where a query may look?"
        )
    _, _, L, S = shape
    have = tuple(got.shape)
    if len(have) == 3:
        return (
            f"your mask has three axes, {have}. Against (B, H, L, S) = {shape} its first axis meets H, not B: an error here, and "
            "other values without an error if B = H. Where is an axis of size 1 missing?"
        )
    if have[-2:] == (S, L) and L != S:
        return f"your mask is {have}: rows are keys and columns are queries. The last two axes are (L, S) = ({L}, {S})."
    if len(have) > 4 or any(size not in (1, full) for size, full in zip(have[::-1], shape[::-1], strict=False)):
        return f"your mask is {have}, which does not broadcast to (B, H, L, S) = {shape}: each axis is 1 or agrees."
    return ""


def _wrong_mask(have: Tensor, want: Tensor, lengths: Tensor, L: int, S: int) -> str:
    """The mistake that gives exactly this mask, and the first entry that differs, in full."""
    wrong = have != want[:, None]
    b, h, i, j = (int(at) for at in wrong.nonzero()[0])
    says = "may look" if have[b, h, i, j] else "may not look"
    counted = f"{int(wrong[:, h].sum())} of {wrong[:, h].numel()} entries of a head are wrong."
    first = f"The first: in sample {b}, the query at position {S - L + i} {says} at key {j}, which is"
    kind = "padding" if j < S - lengths[b] else "a real key"
    why = f"{kind} and {'later than' if j > S - L + i else 'not later than'} the query."
    slips = _slips(want, lengths, L, S)
    hint = next((text for slip, text in slips if torch.equal(have, slip[:, None].expand_as(have))), "")
    if not hint and (have != have[:, :1]).any():
        hint = "Heads differ, although a head plays no part in either rule."
    return f"{counted} {first} {why} {hint}".rstrip()


def _slips(want: Tensor, lengths: Tensor, L: int, S: int) -> list[tuple[Tensor, str]]:
    """The masks (B, L, S) of common mistakes, each with a question that helps."""
    B = len(lengths)
    key, query = torch.arange(S), torch.arange(S - L, S)[:, None]
    real = (key >= S - lengths[:, None])[:, None, :].expand(B, L, S)
    asks = (query.T >= S - lengths[:, None])[:, :, None].expand(B, L, S)
    past = (key <= query).expand(B, L, S)
    corner = torch.ones(L, S, dtype=torch.bool).tril().expand(B, L, S)
    first = (key < lengths[:, None])[:, None, :].expand(B, L, S)
    return [
        (~want, "It is the right mask the wrong way round: True means *may look* here, as in F.scaled_dot_product_attention."),
        (past, "Padding is forgotten: which keys of a sample are real?"),
        (real, "The later keys are not hidden: padding is the only rule here."),
        (
            real & corner,
            "tril() lines up the first query with the first key. The queries are the last L positions: at which position does "
            "query 0 stand?",
        ),
        (corner, "Padding is forgotten, and tril() lines up the first query with the first key."),
        (real & (key < query), "Off by one: a query may look at its own position. Does the diagonal belong to the past?"),
        (real & (key <= query + 1), "Off by one: every query sees one key of its future."),
        (real & (key >= query), "The triangle is upside down: queries see the later keys and not the earlier ones."),
        (
            past & asks,
            "Padding stands on the query axis: it silences the queries that are padding and hides no key. Which axis of "
            "(B, 1, L, S) must the lengths lie along?",
        ),
        (past | real, "The two rules are joined with `or`: a key must be real *and* not later."),
        (past & ~real, "Padding is the wrong way round: only padding may be seen."),
        (past & first, "The wrong end is hidden: here padding stands in front of the real keys, which end at S."),
        (
            corner & first,
            "The wrong end is hidden: padding stands in front. And tril() lines up the first query with the first key, but the "
            "queries are the last L positions.",
        ),
    ]


def masked_weights(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for "weights under a mask": answer(scores, keep) -> weights (B, H, L, S), keep True = may look.

    It is asked about scores of ordinary size, about forbidden scores far above the others, and about a query that may see
    nothing, whose weights must be zero.
    """
    (scores,) = normal((2, 3, 4, 5), seed=0, dtype=torch.float64)
    keep = (causal(4, 5) & padding([5, 3], 5)).clone()
    nothing = keep.clone()
    nothing[1, 0, 2] = False
    cases = (
        ("For scores of ordinary size", scores, keep),
        ("For forbidden scores 2000 above the others", scores + 2000.0 * ~keep, keep),
        ("For a query that may see nothing", scores, nothing),
    )
    return conclude(
        (_about_weights(answer, *case) for case in cases),
        "Forbidden keys get exactly 0, the others share 1, and a query that may see nothing gets zeros.",
    )


def _about_weights(answer: Callable[..., Any], call: str, scores: Tensor, keep: Tensor) -> str:
    want = scores.masked_fill(~keep, -math.inf).softmax(-1).masked_fill(~keep.any(-1, keepdim=True), 0.0)
    return examine(
        answer,
        {"scores": scores, "keep": keep},
        want,
        "(B, H, L, S)",
        otherwise=lambda got: _wrong_weights(got, scores, keep, want),
        call=call,
        atol=1e-5,
    )


def _wrong_weights(got: Tensor, scores: Tensor, keep: Tensor, want: Tensor) -> str:
    """What is wrong with these weights, judged by their values."""
    close = partial(same, atol=1e-5)
    hidden = ~keep.expand_as(scores)
    empty = ~keep.any(-1, keepdim=True).expand_as(scores)
    plain = scores.softmax(-1)
    if close(got, plain):
        return "the weights are those without a mask."
    if close(got, plain * keep):
        return (
            f"the weights of a row sum to as little as {got.sum(-1).min():.2f}: they were masked after softmax, so the forbidden "
            "keys had already taken their share. At which point do they not count yet?"
        )
    if close(got, (scores * keep).softmax(-1)):
        return "forbidden scores were multiplied to 0, and softmax gives a score of 0 a weight like any other: exp(0) = 1."
    if close(got.nan_to_num(), scores.masked_fill(keep, -math.inf).softmax(-1).nan_to_num()):
        return "the mask is the wrong way round: exactly the forbidden keys have weights."
    for axis, name in ((-2, "queries"), (-3, "heads")):
        if close(got.nan_to_num(), scores.masked_fill(hidden, -math.inf).softmax(axis).nan_to_num()):
            return f"softmax ran over the {name}; the weights of one query over its keys must sum to 1."
    if close(got.masked_fill(empty, 0.0), want):
        row = got[empty]
        if row.isnan().all():
            return (
                "the weights are NaN: softmax over nothing is 0/0, and a NaN reaches every token that is computed from it. "
                "What should such a row hold?"
            )
        if close(row, torch.full_like(row, 1 / scores.shape[-1])):
            return (
                f"every forbidden key gets {float(row[0]):.2f}: after the fill value all scores of the row are equal, so it is "
                "an average over what must not be seen. What should such a row hold?"
            )
        return "the weights of that query are not zero, although there is nothing that it may see."
    if got.isnan().any():
        return (
            "there are NaN: next to such scores the allowed ones vanish in softmax, and dividing by their sum is 0/0. "
            "Mask the scores, not the weights."
        )
    leak = float(got[hidden].abs().max())
    if leak > 1e-5:
        return f"a forbidden key gets a weight of up to {leak:.2f}; it must be exactly 0."
    return f"the allowed weights are wrong: those of a row sum to between {got.sum(-1).min():.2f} and {got.sum(-1).max():.2f}."
