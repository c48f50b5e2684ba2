"""A checker for the share of each key in an output, which is neither its weight nor the norm of its contribution."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import Mistakes, conclude, examine, first_wrong, normal, same
from attn.check.verdict import Verdict

__all__ = ["contribution"]


def contribution(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for the share of each key in the output: answer(weights (B, H, L, S), v (B, H, S, D)) -> (B, H, L, S).

    The key's contribution is the vector weight · v. Its share is the component of this vector along the output o = weights @ v,
    divided by the norm of o. The shares of a query sum to 1; a contribution that points away from the output has a negative
    share. The verdict recognises weights or norms instead of shares, a missing weight, sign or division, and sums over the wrong
    axis.
    """
    sizes = ((2, 3, 5, 7, 4), (3, 2, 4, 4, 5))  # the second has L = S, so that code that confuses the two runs
    return conclude(
        (_complaint(answer, *each) for each in sizes),
        "Each key's contribution is measured along the output, with its sign, and the shares of every query sum to 1.",
    )


def _complaint(answer: Callable[..., Any], B: int, H: int, L: int, S: int, D: int) -> str:
    scores, v = normal((B, H, L, S), (B, H, S, D), seed=B)
    weights = (2 * scores).softmax(-1)
    v = v * torch.linspace(0.5, 3, S)[:, None] + 1
    exact = weights.double(), v.double()
    want = _shares(*exact)
    return examine(
        answer,
        {"weights": weights, "v": v},
        want,
        "(B, H, L, S)",
        _mistakes(*exact),
        wrong_values=lambda got: _by_rows(got, want),
        wrong_shape=lambda got: _by_shape(got, v),
        why=_why_raised,
    )


def _shares(weights: Tensor, v: Tensor) -> Tensor:
    out = weights @ v
    return weights * (out @ v.mT) / (out * out).sum(-1, keepdim=True)


def _mistakes(weights: Tensor, v: Tensor) -> Mistakes:
    out = weights @ v
    along = out @ v.mT  # (B, H, L, S)
    squared = (out * out).sum(-1, keepdim=True)
    norms = v.norm(dim=-1)[:, :, None].expand_as(weights)
    no_sign = "the sign is missing. Does a contribution that points away from the output lengthen or shorten it?"
    parts, want = weights * norms, _shares(weights, v)
    return (
        (
            weights,
            "these are the weights. Two values have the same weight, and the norm of one is a hundred times that of the other: do "
            "they contribute the same?",
        ),
        (norms, "these are the norms of the values. Where does the attention weight come in?"),
        (
            norms / norms.sum(-1, keepdim=True),
            "these are the norms of the values, divided by their sum. Where does the attention weight come in?",
        ),
        (parts, "these are the norms of the contributions. Do they sum to 1, as shares of the output must?"),
        (
            parts / parts.sum(-1, keepdim=True),
            "these are the norms of the contributions, divided by their sum. What do two contributions of the same norm and "
            "opposite directions add to the output?",
        ),
        (
            weights * along,
            "a division is missing. You have the weight times v · o, so a row sums to o · o. By what must a row be divided to sum "
            "to 1?",
        ),
        (
            weights * along / squared.sqrt(),
            "these are components along the output, and a row sums to the norm of o. By what must a row be divided again to sum to "
            "1?",
        ),
        (along / squared, "the weight is missing: a value with an attention weight of almost 0 counts like any other."),
        (
            weights * along / (norms * squared.sqrt()),
            "these are the weights times a cosine: the direction of a value counts, but not its norm.",
        ),
        (want.abs(), no_sign),
        (want.abs() / want.abs().sum(-1, keepdim=True), no_sign),
        (want.clamp(min=0), "negative shares were set to 0. Can a key not shorten the output?"),
        (want.softmax(-1), "you applied a softmax to the shares. They sum to 1 without it, and some of them are negative."),
        (
            weights * along / (weights * along).sum(-2, keepdim=True),
            "every column sums to 1: you divided by a sum over the queries. Which axis counts the contributions to one output?",
        ),
    )


def _by_rows(got: Tensor, want: Tensor) -> str:
    sums = got.sum(-1)
    off = (sums - 1).abs().nan_to_num(torch.inf)
    if not same(sums, torch.ones_like(sums)):
        return (
            f"the shares of a query sum to {sums.flatten()[off.argmax()]:.4f}. The contributions sum to the output, so "
            "the shares must sum to 1."
        )
    return first_wrong(want, lambda b, h, i, j: f"the share of key {j} in the output of query {i}")(got)


def _by_shape(got: Tensor, v: Tensor) -> str:
    B, H, S, D = v.shape
    if got.dim() == 5:
        return "these are the contributions themselves, vectors of D components. Which single number measures one along the output?"
    if got.shape[-1] == D and got.dim() == 4:
        return "this is the shape of the output, summed over the keys. The result needs one share for each key."
    if tuple(got.shape) in ((B, H, S), (B, H, 1, S)):
        return "the axis of queries is missing. A key has a different share in the output of each query."
    return "one share for each pair of query and key."


def _why_raised(error: Exception) -> str:
    if any(text in str(error) for text in ("must match the size", "cannot be multiplied", "Expected size")):
        return "(v has no axis of queries. Which axis must be inserted, or which two axes must be swapped?)"
    return ""
