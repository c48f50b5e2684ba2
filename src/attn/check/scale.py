"""A checker for the variance of scaled scores without the assumptions of mean 0 and standard deviation 1."""

import math
from collections.abc import Callable

from attn.check.answers import ask
from attn.check.verdict import Verdict

__all__ = ["score_variance"]


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


_SETTINGS = ((0.0, 1.0), (0.0, 2.0), (1.0, 1.0), (0.5, 1.5), (-2.0, 3.0))


def _variance(mean: float, std: float) -> float:
    """The variance of a product of two independent numbers; a sum of D such products, divided by √D, has the same."""
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
