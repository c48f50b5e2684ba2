"""Checkers for building a mask and for applying one.

Both use scores or lengths whose sizes all differ, check the rules of a mask one by one, and recognise the usual mistakes by
the keys that they leave visible.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import conclude, examine, normal, not_a_tensor, run, same
from attn.check.verdict import Verdict
from attn.masks import causal, padding

__all__ = ["mask", "masked_weights"]

# The lengths of the sequences, L, S and H. The first two cases have more keys than queries, as with a cache; the last has as many,
# and no sequence without padding.
_CASES = (((7, 3), 5, 7, 3), ((6, 1, 4), 2, 6, 4), ((2, 4, 3), 5, 5, 2))


def mask(answer: Callable[[Tensor, int, int], Any]) -> Verdict:
    """Check an answer for the mask of a batch in decoding: answer(lengths, L, S) -> boolean, True = may attend.

    Sequence b has left padding, then lengths[b] real keys that end at S; the L queries are the last of the S positions. No query
    may attend to padding or to later keys. The result must broadcast to (B, H, L, S) for any H. The verdict names the first wrong
    entry, the rule that it breaks, and the mistake that produces exactly this mask.
    """
    return conclude(
        (_about_mask(answer, *case) for case in _CASES),
        "Every query attends to the real keys up to its own position and to no others, in every head.",
    )


def _about_mask(answer: Callable[..., Any], each: tuple[int, ...], L: int, S: int, H: int) -> str:
    lengths = torch.tensor(each)
    call = f"For lengths {list(each)}, L = {L} and S = {S}"
    got, complaint = run(answer, {"lengths": lengths, "L": L, "S": S}, call)
    if complaint:
        return complaint
    if problem := not_a_tensor(got) or _not_a_mask(got, (len(each), H, L, S)):
        return f"{call}, {problem}"
    want = (causal(L, S) & padding(lengths, S, front=True))[:, 0]
    have = got.to(want.device).expand(len(each), H, L, S)
    if torch.equal(have, want[:, None].expand_as(have)):
        return ""
    return f"{call}, {_wrong_mask(have, want, lengths, L, S)}"


def _not_a_mask(got: Tensor, shape: tuple[int, int, int, int]) -> str:
    """Why this is not a mask for (B, H, L, S); empty if it is one."""
    if got.is_floating_point() and got.isneginf().any():
        return (
            f"your mask is {got.dtype} and contains −∞: an additive mask. The result must be a boolean mask. Which comparison "
            "makes it boolean?"
        )
    if got.dtype != torch.bool:
        return (
            f"your mask is {got.dtype}, not torch.bool. A float mask of 1 and 0 is added to the scores and masks nothing. "
            "Which operation makes it boolean, True where a query may attend?"
        )
    _, _, L, S = shape
    have = tuple(got.shape)
    if len(have) == 3:
        return (
            f"your mask has three axes, {have}. When it broadcasts to (B, H, L, S) = {shape}, its first axis lines up with H, not "
            "B: an error here, and wrong values without an error if B = H. Where is an axis of size 1 missing?"
        )
    if have[-2:] == (S, L) and L != S:
        return f"your mask is {have}: its rows are keys and its columns are queries. The last two axes must be (L, S) = ({L}, {S})."
    if len(have) > 4 or any(size not in (1, full) for size, full in zip(have[::-1], shape[::-1], strict=False)):
        return (
            f"your mask is {have}, which does not broadcast to (B, H, L, S) = {shape}. Each axis must have the same size or size 1."
        )
    return ""


def _wrong_mask(have: Tensor, want: Tensor, lengths: Tensor, L: int, S: int) -> str:
    """The number of wrong entries, the first of them, and the mistake that produces exactly this mask."""
    wrong = have != want[:, None]
    b, h, i, j = (int(at) for at in wrong.nonzero()[0])
    verb = "may" if have[b, h, i, j] else "may not"
    count = f"your mask is wrong in {int(wrong[:, h].sum())} of {wrong[:, h].numel()} entries of a head."
    first = f"The first: in sequence {b}, the query at position {S - L + i} {verb} attend to key {j}, which is"
    kind = "padding" if j < S - lengths[b] else "a real key"
    order = "later than" if j > S - L + i else "not later than"
    mistakes = _mistakes(want, lengths, L, S)
    hint = next((text for mask, text in mistakes if torch.equal(have, mask[:, None].expand_as(have))), "")
    if not hint and (have != have[:, :1]).any():
        hint = "The heads differ, although neither rule depends on the head."
    return f"{count} {first} {kind} and {order} the query. {hint}".rstrip()


def _mistakes(want: Tensor, lengths: Tensor, L: int, S: int) -> list[tuple[Tensor, str]]:
    """The masks (B, L, S) of common mistakes, each with a hint."""
    B = len(lengths)
    key, query = torch.arange(S), torch.arange(S - L, S)[:, None]
    real = (key >= S - lengths[:, None])[:, None, :].expand(B, L, S)
    real_query = (query.T >= S - lengths[:, None])[:, :, None].expand(B, L, S)
    past = (key <= query).expand(B, L, S)
    corner = torch.ones(L, S, dtype=torch.bool).tril().expand(B, L, S)
    first = (key < lengths[:, None])[:, None, :].expand(B, L, S)
    return [
        (~want, "The mask is inverted: True means that a query may attend, as in F.scaled_dot_product_attention."),
        (past, "The mask ignores padding: which keys of a sequence are real?"),
        (real, "The mask does not hide later keys: it only hides padding."),
        (
            real & corner,
            "tril() aligns the first query with the first key, but the queries are the last L positions. What is the position of "
            "query 0?",
        ),
        (corner, "The mask ignores padding, and tril() aligns the first query with the first key."),
        (real & (key < query), "Off by one: a query may attend to its own position. Is the diagonal included?"),
        (real & (key <= query + 1), "Off by one: every query attends to one later key."),
        (real & (key >= query), "The triangle is upside down: queries attend to later keys and not to earlier ones."),
        (
            past & real_query,
            "Padding is on the query axis: it masks the queries that are padding and hides no key. Along which axis of "
            "(B, 1, L, S) must the lengths be compared?",
        ),
        (past | real, "The two rules are combined with `or`, but a key must be real and not later."),
        (past & ~real, "The padding rule is inverted: queries attend only to padding."),
        (past & first, "The mask hides the wrong end: this batch has left padding, and the real keys end at S."),
        (
            corner & first,
            "The mask hides the wrong end: this batch has left padding. Also, tril() aligns the first query with the first key, "
            "but the queries are the last L positions.",
        ),
    ]


def masked_weights(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for attention weights with a mask: answer(scores, keep) -> weights (B, H, L, S), keep True = may attend.

    The cases are scores of ordinary size, masked scores far above the others, scores far below 0, a fully masked row, whose weights
    must be zero, and scores in float16.
    """
    (scores,) = normal((2, 3, 4, 5), seed=0, dtype=torch.float64)
    keep = (causal(4, 5) & padding([5, 3], 5)).clone()
    masked_row = keep.clone()
    masked_row[1, 0, 2] = False
    cases = (
        ("For scores of ordinary size", scores, keep),
        ("For masked scores 2000 above the others", scores + 2000.0 * ~keep, keep),
        ("For scores around −20,000", scores - 20_000, keep),
        ("For a fully masked row", scores, masked_row),
        ("For a fully masked row, in float16", scores.half(), masked_row),
    )
    return conclude(
        (_about_weights(answer, *case) for case in cases),
        "Masked keys get exactly 0, the weights of the others sum to 1, and a fully masked row gets zeros.",
    )


def _about_weights(answer: Callable[..., Any], call: str, scores: Tensor, keep: Tensor) -> str:
    exact = scores.double()
    want = exact.masked_fill(~keep, -math.inf).softmax(-1).masked_fill(~keep.any(-1, keepdim=True), 0.0)
    atol = 2e-3 if scores.dtype == torch.float16 else 1e-5
    return examine(
        answer,
        {"scores": scores, "keep": keep},
        want,
        "(B, H, L, S)",
        wrong_values=lambda got: _wrong_weights(got, exact, keep, want, atol),
        call=call,
        why=_why_raised,
        atol=atol,
    )


def _why_raised(error: Exception) -> str:
    if "without overflow" in str(error):
        return "(float16 ends at −65,504. Which number does every floating type have, below all scores?)"
    return ""


def _wrong_weights(got: Tensor, scores: Tensor, keep: Tensor, want: Tensor, atol: float) -> str:
    """A hint for wrong weights, found from their values."""
    close = partial(same, atol=atol)
    hidden = ~keep.expand_as(scores)
    empty = ~keep.any(-1, keepdim=True).expand_as(scores)
    plain = scores.softmax(-1)
    if close(got, plain):
        return "these are the weights without a mask."
    if close(got, plain * keep):
        return (
            f"the weights of a row sum to as little as {got.sum(-1).min():.2f}: they were masked after softmax, when the masked "
            "keys had already received weight. At which step must a key be masked?"
        )
    if close(got, (scores * keep).softmax(-1)):
        return "masked scores were multiplied by 0, and softmax gives a score of 0 a weight like any other: exp(0) = 1."
    if close(got.nan_to_num(), scores.masked_fill(keep, -math.inf).softmax(-1).nan_to_num()):
        return "the mask is inverted: exactly the masked keys have weights."
    for axis, name in ((-2, "queries"), (-3, "heads")):
        if close(got.nan_to_num(), scores.masked_fill(hidden, -math.inf).softmax(axis).nan_to_num()):
            return f"softmax ran over the {name}; the weights of one query over its keys must sum to 1."
    if close(got.masked_fill(empty, 0.0), want):
        row = got[empty]
        if row.isnan().all():
            return (
                "the weights are NaN. A softmax over no keys is 0/0, and a NaN spreads to every token that is computed from it. "
                "What should such a row contain?"
            )
        if close(row, torch.full_like(row, 1 / scores.shape[-1])):
            return (
                f"every masked key gets {float(row[0]):.2f}. After the fill all scores of the row are equal, so the output is an "
                "average over masked keys. What should such a row contain?"
            )
        return "the weights of this row are not zero, although all its keys are masked."
    if got.isnan().any():
        return (
            "some values are NaN. Next to such large scores the weights of the other keys underflow to 0, and dividing by their "
            "sum is 0/0. Mask the scores, not the weights."
        )
    leak = float(got[hidden].abs().max())
    if leak > 1e-5:
        return f"a masked key gets a weight of up to {leak:.2f}; it must be exactly 0."
    fixed = " A masked score must lie below all others. Which number does?" if scores.max() < -10_000 else ""
    return (
        f"the weights of the unmasked keys are wrong: the rows sum to between {got.sum(-1).min():.2f} and {got.sum(-1).max():.2f}."
        + fixed
    )
