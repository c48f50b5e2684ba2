"""A checker for what each key contributes to an output: not its weight, and not the length of its part alone."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn.check.verdict import Verdict

__all__ = ["contribution"]


def contribution(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for the share of each key in the output: answer(weights (B, H, L, S), v (B, H, S, D)) -> (B, H, L, S).

    The share is the part weight · v, measured along the output o = weights @ v, divided by the length of o; over the keys the
    shares of a query sum to 1, and a part that points away from the output has a share below 0. The verdict recognises weights
    or lengths given as shares, a missing weight, sign or division, and sums over the wrong axis.
    """
    random = torch.Generator("cpu").manual_seed(0)
    for B, H, L, S, D in ((2, 3, 5, 7, 4), (3, 2, 4, 4, 5)):  # the second with L = S, where a mix-up of the two runs
        drawn = torch.randn(B, H, L, S, generator=random, device="cpu"), torch.randn(B, H, S, D, generator=random, device="cpu")
        weights, v = (one.to(torch.get_default_device()) for one in drawn)
        weights = (2 * weights).softmax(-1)
        v = v * torch.linspace(0.5, 3, S)[:, None] + 1
        given = (weights.clone(), v.clone())
        call = f"For weights {tuple(weights.shape)} and v {tuple(v.shape)}"
        try:
            got = answer(*given)
        except Exception as error:
            reason = str(error).partition("\n")[0]
            return Verdict(False, f"{call} your code raised {type(error).__name__}: {reason} {_error_hint(reason)}".rstrip())
        if not (torch.equal(given[0], weights) and torch.equal(given[1], v)):
            return Verdict(False, f"{call} your code changed its input. Return a new tensor; leave the inputs alone.")
        if not isinstance(got, Tensor):
            return Verdict(False, f"{call} your code returned {type(got).__name__}, not a tensor. Is there a return?")
        if got.shape != weights.shape:
            return Verdict(
                False,
                f"{call} your result has shape {tuple(got.shape)}; it must be {tuple(weights.shape)}: a share for each pair of "
                f"query and key. {_shape_hint(got, v)}".rstrip(),
            )
        hint = _hint(got.detach().to(weights.device, torch.float64), weights.double(), v.double())
        if hint:
            return Verdict(False, f"{call}: {hint}")
    return Verdict(True, "Each key's part is measured along the output, with its sign, and the shares of every query sum to 1.")


def _hint(got: Tensor, weights: Tensor, v: Tensor) -> str:
    """Nothing if the shares are right; else the mistake that gives these very numbers, or what the numbers show."""
    out = weights @ v
    along = (v[:, :, None] * out[:, :, :, None]).sum(-1)  # (B, H, L, S)
    squared = (out * out).sum(-1, keepdim=True)
    want = weights * along / squared
    if _same(got, want):
        return ""
    lengths = (v * v).sum(-1).sqrt()[:, :, None].expand_as(weights)
    parts = weights * lengths
    for made, said in (
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
            "the weight is there, and so is v · o. A row sums to o · o now: by what must it be divided to sum to 1?",
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
    ):
        if _same(got, made):
            return said
    sums = got.sum(-1)
    if not _same(sums, torch.ones_like(sums)):
        return f"the shares of the first query sum to {float(sums[0, 0, 0]):.4f}; the parts sum to the output, so shares sum to 1."
    s = int((got - want)[0, 0, 0].abs().argmax())
    return (
        f"every row sums to 1, but the share of key {s} in the first is {float(got[0, 0, 0, s]):.4f} and must be "
        f"{float(want[0, 0, 0, s]):.4f}. How long is its part, measured along the output?"
    )


def _shape_hint(got: Tensor, v: Tensor) -> str:
    B, H, S, D = v.shape
    if got.dim() == 5:
        return "Those are the parts themselves, D numbers each. Which one number says how far a part goes along the output?"
    if got.shape[-1] == D and got.dim() == 4:
        return "That is the output's shape: the keys are summed. A share is asked for before that."
    if tuple(got.shape) in ((B, H, S), (B, H, 1, S)):
        return "There is no axis of queries: one key contributes differently to different outputs."
    return ""


def _error_hint(message: str) -> str:
    if "must match the size" in message or "cannot be multiplied" in message or "Expected size" in message:
        return "(v has no queries: which axis has to be put in, or which two have to change places?)"
    return ""


def _same(a: Tensor, b: Tensor) -> bool:
    return a.shape == b.shape and bool(torch.isclose(a, b, rtol=1e-3, atol=1e-4).all())
