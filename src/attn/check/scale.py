"""Checkers for the division by √D: what was divided by, read from the values, and what the variance is without the assumptions."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import ask, conclude, examine, normal, same
from attn.check.verdict import Verdict

__all__ = ["scaled_scores", "score_variance"]


def scaled_scores(answer: Callable[[Tensor, Tensor], Tensor]) -> Verdict:
    """Check an answer for q kᵀ / √D: answer(q, k) turns (B, H, L, D) and (B, H, S, D) into (B, H, L, S).

    The verdict names the first rule that is broken: it raised, changed its input, returned another shape or weights, or divided
    by something else. A constant divisor is found from the values and named: √E, D, √S, nothing at all, √D twice.
    """
    return conclude(
        (_complaint(answer, sizes) for sizes in _SIZES),
        "The scores are divided by √D, whatever the other sizes are: their variance is 1.",
    )


def score_variance(answer: Callable[[float, float], float]) -> Verdict:
    """Check a formula for the variance of q·k / √D: answer(mean, std), for independent numbers of that mean and deviation.

    The verdict names the first setting at which it fails, and the mistake where one formula explains all that it said.
    """
    said = []
    setting = "For mean {:g} and standard deviation {:g}".format
    for mean, std in _SETTINGS:
        got, complaint = ask(lambda *given: float(answer(*given)), {"mean": mean, "std": std}, setting(mean, std))
        if complaint:
            return Verdict(False, complaint)
        said.append(got)
    law = [_variance(mean, std) for mean, std in _SETTINGS]
    for (mean, std), have, want in zip(_SETTINGS, said, law, strict=True):
        if not math.isclose(have, want, rel_tol=0.02):
            hint = next((hint for formula, hint in _FORMULAS if _explains(formula, said)), _MEAN if mean else _SPREAD)
            return Verdict(False, f"{setting(mean, std)} you say {have:.4g}; an experiment gives {want:.4g}. {hint}")
    return Verdict(True, "σ⁴ + 2μ²σ²: 1 only if the mean is 0 and the standard deviation 1. D does not appear.")


# Of the sizes, their roots and products no two are equal, so a divisor tells where it comes from.
_SIZES = (
    {"B": 2, "H": 3, "L": 5, "S": 7, "D": 6, "E": 18},
    {"B": 3, "H": 2, "L": 7, "S": 11, "D": 5, "E": 10},
)

_ABOUT = {
    "B": "B counts the samples",
    "H": "H counts the heads",
    "L": "L counts the queries",
    "S": "S counts the keys; is the last axis of a transposed k still D?",
    "E": "E is the width of the whole token, H·D; how many products does one head add?",
}


def _complaint(answer: Callable[..., Any], sizes: dict[str, int]) -> str:
    B, H, L, S, D = (sizes[letter] for letter in "BHLSD")
    q, k = normal((B, H, L, D), (B, H, S, D), seed=B)
    exact = q.double(), k.double()
    return examine(
        answer,
        {"q": q, "k": k},
        exact[0] @ exact[1].mT / math.sqrt(D),
        "(B, H, L, S)",
        otherwise=lambda got: _divided_by(got, *exact, sizes),
    )


def _divided_by(got: Tensor, q: Tensor, k: Tensor, sizes: dict[str, int]) -> str:
    """What the scores were divided by, or why they are none."""
    scores = q @ k.mT
    if not got.isfinite().all():
        return "some numbers are not finite."
    if not got.any():
        return "all numbers are zero."
    sums = got.sum(-1)
    if (got >= 0).all() and same(sums, torch.ones_like(sums)):
        return "the rows sum to 1: these are weights. Scores are what softmax is given; leave it out here."
    overlap = float((scores * got).sum())
    divisor = float((scores * scores).sum()) / overlap if overlap else math.inf
    if not overlap or not same(got * divisor, scores):
        lengths = q.norm(dim=-1)[..., :, None] * k.norm(dim=-1)[..., None, :]
        if same(got, scores / lengths):
            return "you divided by the lengths of q and k: that is the cosine. The divisor here is one number for all scores."
        if same(got, scores / q.norm(dim=-1, keepdim=True)):
            return "you divided each row by the length of its query. √D is only its typical length: one number for all scores."
        return "the numbers are not q kᵀ divided by one number. Does each score still add D products of one query and one key?"
    return f"{_named(divisor, sizes)} These scores have variance {sizes['D'] / divisor**2:.3g}, if those of q and k have 1."


def _named(divisor: float, sizes: dict[str, int]) -> str:
    """The divisor as a sentence: what it is, and what that size counts."""
    D = sizes["D"]
    special = {
        1.0: "you divided by nothing. How large does a sum of D products get?",
        float(D): f"you divided by D = {D}, or by √D twice. Variance goes with the square of a divisor: which one makes D into 1?",
        1 / math.sqrt(D): f"you multiplied by √D = {math.sqrt(D):.3g}. Should large sums become larger?",
        D**0.25: "you divided by the root of √D. It is enough to take the root once.",
    }
    for value, sentence in special.items():
        if math.isclose(divisor, value, rel_tol=1e-4):
            return sentence
    for letter, about in _ABOUT.items():
        for value, name in ((math.sqrt(sizes[letter]), f"√{letter}"), (sizes[letter], letter)):
            if math.isclose(divisor, value, rel_tol=1e-4):
                return (
                    f"you divided by {name} = {value:.3g}, not by √D = {math.sqrt(D):.3g}. {about}{'' if about[-1] == '?' else '.'}"
                )
    return f"you divided by {divisor:.4g}, not by √D = {math.sqrt(D):.3g}. Which axis is summed away?"


_SETTINGS = ((0.0, 1.0), (0.0, 2.0), (1.0, 1.0), (0.5, 1.5), (-2.0, 3.0))


def _variance(mean: float, std: float) -> float:
    """Of a product of two independent numbers; a sum of D of them, divided by √D, has the same."""
    return (mean**2 + std**2) ** 2 - mean**4


_SPREAD = "How large is a product if both of its factors become twice as large, and how does variance go with that?"
_MEAN = (
    "A product of two numbers around 1 moves when either of them moves. What is the mean of its square, and what that of itself?"
)

_FORMULAS: tuple[tuple[Callable[[float, float], float], str], ...] = (
    (lambda mean, std: std**2, "That is the variance of one factor. A product has two."),
    (lambda mean, std: 1.0, "That is right for mean 0 and standard deviation 1 alone."),
    (lambda mean, std: std**4, "The spread is right. But where the mean is not 0, a factor that moves is multiplied by it."),
    (
        lambda mean, std: (mean**2 + std**2) ** 2,
        "That is the mean of the squared product. What must be taken away from it to get a variance?",
    ),
    (
        lambda mean, std: std**4 + mean**2 * std**2,
        "One factor that moves, times the mean of the other: you have it once. Which factor can it be?",
    ),
    (
        lambda mean, std: math.sqrt(_variance(mean, std)),
        "That is the standard deviation of the scaled score; its square is asked for.",
    ),
)


def _explains(formula: Callable[[float, float], float], said: list[float]) -> bool:
    return all(math.isclose(have, formula(mean, std), rel_tol=0.02) for have, (mean, std) in zip(said, _SETTINGS, strict=True))
