"""A checker for what each key contributes to an output: not its weight, and not the length of its part alone."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import Mistakes, conclude, examine, first_wrong, normal, same
from attn.check.verdict import Verdict

__all__ = ["contribution"]


def contribution(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for the share of each key in the output: answer(weights (B, H, L, S), v (B, H, S, D)) -> (B, H, L, S).

    The share is the part weight · v, measured along the output o = weights @ v, divided by the length of o; over the keys the
    shares of a query sum to 1, and a part that points away from the output has a share below 0. The verdict recognises weights
    or lengths given as shares, a missing weight, sign or division, and sums over the wrong axis.
    """
    sizes = ((2, 3, 5, 7, 4), (3, 2, 4, 4, 5))  # the second with L = S, where a mix-up of the two runs
    return conclude(
        (_complaint(answer, *each) for each in sizes),
        "Each key's part is measured along the output, with its sign, and the shares of every query sum to 1.",
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
        otherwise=lambda got: _by_rows(got, want),
        misshapen=lambda got: _by_shape(got, v),
        why=_why_raised,
    )


def _shares(weights: Tensor, v: Tensor) -> Tensor:
    out = weights @ v
    return weights * (out @ v.mT) / (out * out).sum(-1, keepdim=True)


def _mistakes(weights: Tensor, v: Tensor) -> Mistakes:
    out = weights @ v
    along = out @ v.mT  # (B, H, L, S)
    squared = (out * out).sum(-1, keepdim=True)
    lengths = (v * v).sum(-1).sqrt()[:, :, None].expand_as(weights)
    parts, want = weights * lengths, _shares(weights, v)
    return (
        (
            weights,
            "these are the weights. If one of two values of the same weight is a hundred times as long, do both contribute alike?",
        ),
        (lengths, "these are the lengths of the values. Where is how much the query looks at them?"),
        (lengths / lengths.sum(-1, keepdim=True), "these are lengths of values. Where is how much the query looks at them?"),
        (parts, "these are the lengths of the parts. A share of what are they, and do they sum to 1?"),
        (
            parts / parts.sum(-1, keepdim=True),
            "these are the lengths of the parts, divided by their sum. What do two parts of the same length that point in opposite "
            "directions add to the output?",
        ),
        (
            weights * along,
            "nothing is divided. The weight is there, and so is v · o; a row sums to o · o now: by what must it be divided to "
            "sum to 1?",
        ),
        (
            weights * along / squared.sqrt(),
            "these are lengths along the output: a row sums to the length of o. By what must it be divided once more to sum to 1?",
        ),
        (along / squared, "here the weight is missing: a value that nobody looks at counts like any other."),
        (
            weights * along / (lengths * squared.sqrt()),
            "these are the weights times a cosine: a long value counts no more than a short one with the same direction.",
        ),
        (want.abs(), "the sign is gone. If a part points away from the output, does it lengthen or shorten it?"),
        (
            want.abs() / want.abs().sum(-1, keepdim=True),
            "the sign is gone. If a part points away from the output, does it lengthen or shorten it?",
        ),
        (want.clamp(min=0), "shares below 0 were cut off. Is it wrong if a key pulls the output back?"),
        (want.softmax(-1), "a softmax was put on top. The shares sum to 1 without it, and some of them are negative."),
        (
            weights * along / (weights * along).sum(-2, keepdim=True),
            "every column sums to 1: you divided by a sum over the queries. Whose parts make up one output?",
        ),
    )


def _by_rows(got: Tensor, want: Tensor) -> str:
    sums = got.sum(-1)
    if not same(sums, torch.ones_like(sums)):
        return f"the shares of the first query sum to {sums[0, 0, 0]:.4f}; the parts sum to the output, so shares sum to 1."
    return first_wrong(want, lambda b, h, i, j: f"the part of key {j}, measured along the output of query {i}")(got)


def _by_shape(got: Tensor, v: Tensor) -> str:
    B, H, S, D = v.shape
    if got.dim() == 5:
        return "those are the parts themselves, D numbers each. Which one number says how far a part goes along the output?"
    if got.shape[-1] == D and got.dim() == 4:
        return "that is the output's shape, the keys are summed. A share is asked for before that."
    if tuple(got.shape) in ((B, H, S), (B, H, 1, S)):
        return "there is no axis of queries. One key contributes differently to different outputs."
    return "a share for each pair of query and key."


def _why_raised(error: Exception) -> str:
    if any(said in str(error) for said in ("must match the size", "cannot be multiplied", "Expected size")):
        return "(v has no queries: which axis has to be put in, or which two have to change places?)"
    return ""
