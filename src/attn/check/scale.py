"""A checker for the variance of scaled scores, where q and k may have any mean and standard deviation."""

import math
from collections.abc import Callable, Iterator

from attn.check.answers import conclude, run
from attn.check.verdict import Verdict

__all__ = ["score_variance"]


def score_variance(answer: Callable[[float, float], float]) -> Verdict:
    """Check a formula for the variance of q·k / √D: answer(mean, std), for independent components with this mean and deviation.

    The verdict names the first setting with a wrong result, and the mistake if one formula explains all the results.
    """
    return conclude(_wrong(answer), "σ⁴ + 2μ²σ² is 1 only if the mean is 0 and the standard deviation is 1. D does not appear.")


def _wrong(answer: Callable[[float, float], float]) -> Iterator[str]:
    results = []
    setting = "For mean {:g} and standard deviation {:g}".format
    for mean, std in _SETTINGS:
        got, complaint = run(lambda *given: float(answer(*given)), {"mean": mean, "std": std}, setting(mean, std))
        yield complaint
        results.append(got)
    for (mean, std), got in zip(_SETTINGS, results, strict=True):
        want = _variance(mean, std)
        if not math.isclose(got, want, rel_tol=0.02):
            hint = next((hint for formula, hint in _FORMULAS if _explains(formula, results)), _MEAN if mean else _SPREAD)
            yield f"{setting(mean, std)}, your formula gives {got:.4g}; an experiment gives {want:.4g}. {hint}"


_SETTINGS = ((0.0, 1.0), (0.0, 2.0), (1.0, 1.0), (0.5, 1.5), (-2.0, 3.0))


def _variance(mean: float, std: float) -> float:
    """The variance of a product of two independent numbers. A sum of D such products, divided by √D, has the same variance."""
    return (mean**2 + std**2) ** 2 - mean**4


_SPREAD = "If both factors double, by how much does their product grow, and by how much its variance?"
_MEAN = (
    "If the mean is not 0, a change in either factor changes the product. What is the mean of the product's square, and what is "
    "the square of its mean?"
)

_FORMULAS: tuple[tuple[Callable[[float, float], float], str], ...] = (
    (lambda mean, std: std**2, "This is the variance of one factor. A product has two."),
    (lambda mean, std: 1.0, "This is right only for mean 0 and standard deviation 1."),
    (
        lambda mean, std: std**4,
        "The term in σ is right. If the mean is not 0, a change in one factor is also multiplied by the mean of the other.",
    ),
    (
        lambda mean, std: (mean**2 + std**2) ** 2,
        "This is the mean of the squared product. What must be subtracted to get a variance?",
    ),
    (
        lambda mean, std: std**4 + mean**2 * std**2,
        "The term μ²σ² comes from one factor that varies while the other is at its mean. Which of the two factors can vary?",
    ),
    (
        lambda mean, std: math.sqrt(_variance(mean, std)),
        "This is the standard deviation of the scaled score. The variance is its square.",
    ),
)


def _explains(formula: Callable[[float, float], float], results: list[float]) -> bool:
    return all(math.isclose(got, formula(mean, std), rel_tol=0.02) for got, (mean, std) in zip(results, _SETTINGS, strict=True))
