"""VarianceLab: how far scores spread when D grows, what brings them back to variance 1, and what softmax makes of both."""

import functools
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import pick
from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.lessons import language, reader
from attn.trace.table import table

__all__ = ["VarianceLab"]

QUERIES, KEYS = 125, 16  # 16 keys for each of the 125 queries
HEADS = 8  # of the layer whose √E is one of the divisors: E = 8·D
NUMBERS = ("normal", "uniform", "coin", "exponential", "trained")
DIVISORS = ("1", "√D", "√E", "D")
MOMENTS = {"normal": (0, 3), "uniform": (0, 1.8), "coin": (0, 1), "exponential": (2, 9)}  # means of the third and fourth powers
STUCK = 0.01  # below this norm of the Jacobian, a fiftieth of the largest possible one, a query's weights hardly react
SENTENCES = 4  # whose words are the queries and keys of the trained layer
WIDTH = reader.Reader.E // reader.Reader.H  # of its heads


@functools.cache
def values(numbers: str) -> Tensor:
    """Equally likely values with mean 0 and variance 1, exactly.

    Normal values are made with Box and Muller's formula on a grid of 256 radii and 64 angles.
    """
    shares, radii, angles = ((torch.arange(n, dtype=torch.float64, device="cpu") + 0.5) / n for n in (4096, 256, 64))
    raw = {
        "normal": lambda: torch.outer((-2 * radii.log()).sqrt(), (2 * math.pi * angles).cos()).flatten(),
        "uniform": lambda: shares,
        "coin": lambda: torch.tensor([-1.0, 1.0], dtype=torch.float64, device="cpu"),
        "exponential": lambda: -shares.log(),
    }[numbers]()
    return (raw - raw.mean()) / raw.std(correction=0)


@functools.lru_cache(maxsize=2)
def _drawn(numbers: str, seed: int, D: int) -> tuple[Tensor, Tensor]:
    """u (queries, D) and w (queries, keys, D), independent."""
    u = pick(seed, "q", range(QUERIES), D, values(numbers))
    w = pick(seed, "k", range(QUERIES * KEYS), D, values(numbers)).view(QUERIES, KEYS, D)
    return u.to(device()), w.to(device())


@functools.cache
def _recorded() -> Tensor:
    """The scores of the recorded layer before the division: a row for each sentence, head and word, (84, 7)."""
    ids = torch.tensor([[language.NUMBER[word] for word in text.split()] for text in language.EXAMPLES[:SENTENCES]])
    with torch.no_grad():
        return reader.recorded().steps(ids).scores.flatten(0, 2).double()


class VarianceLab(Lab):
    """Scores q·k before and after a division, and what softmax makes of both: 125 random queries with 16 random keys each.

    D: width of a head. divide_by: "1", "√D", "√E" (of a layer with 8 heads, so E = 8·D) or "D". numbers: the distribution of the
    numbers in q and k, "normal", "uniform", "coin" (1 or -1) or "exponential", each with mean 0 and variance 1. mean, std: what
    these numbers are then shifted and scaled to. correlation: between each number of a query and the same number of its keys.
    seed: chooses the random numbers. numbers = "trained": at D = 4 the scores of the recorded layer of `attn.lessons.reader`, with
    7 keys for each of 84 queries; mean, std, correlation and seed do not matter then. At any other D the numbers are normal.

    After any change `lab.scores` and `lab.scaled` are the scores (queries, keys) before and after the division, and
    `lab.raw_weights` and `lab.weights` their softmax over the keys, on `attn.device()` in float64. `lab.facts` and
    `lab.scaled_facts` describe both: "mean" and "variance" of the scores, the means over the queries of the "largest" weight and of
    the "norm" of the Jacobian of softmax, for each of the last three its standard error over the queries ("variance_error" and so
    on), and "stuck", the share of the queries whose norm is below 0.01. `lab.law` is the mean and the variance that random scores
    should have (None for trained ones), `lab.divisor` the divisor. `lab.trained` says whether the recorded layer made the scores.

    Raises traitlets.TraitError if a value is outside its limits.
    """

    QUESTION = "Why divide the scores by √D?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("divide by √D", {"D": 512, "divide_by": "√D"}),
        ("do not divide", {"divide_by": "1"}),
        ("divide by D instead", {"divide_by": "D"}),
        ("narrow: D = 4", {"D": 4, "divide_by": "√D"}),
    )
    PARTS = ("scores", "weights")
    CONTROLS = ("D", "divide_by", "seed", "numbers", "mean", "std", "correlation")
    STATE = ("D", "divide_by", "numbers", "mean", "std", "correlation", "seed")
    LIMITS: ClassVar[Limits] = {"D": (1, 1024)}
    PAGE_LIMITS: ClassVar[Limits] = {"D": (1, 512)}

    D = Size(512).tag(sync=True)
    divide_by = traitlets.Enum(DIVISORS, "√D").tag(sync=True)
    numbers = traitlets.Enum(NUMBERS, "normal").tag(sync=True)
    mean = traitlets.Float(0.0, min=-2.0, max=2.0).tag(sync=True)
    std = traitlets.Float(1.0, min=0.25, max=2.0).tag(sync=True)
    correlation = traitlets.Float(0.0, min=-1.0, max=1.0).tag(sync=True)
    seed = traitlets.Int(0, min=0, max=9999).tag(sync=True)

    def compute(self) -> Mapping[str, Any]:
        trained = self.numbers == "trained" and self.D == WIDTH
        scores = _recorded().to(device()) if trained else self._random_scores()
        divisor = self._divisor(self.divide_by)
        scaled = scores / divisor
        raw_weights, weights = scores.softmax(-1), scaled.softmax(-1)
        return {
            "scores": scores,
            "scaled": scaled,
            "raw_weights": raw_weights,
            "weights": weights,
            "facts": _facts(scores, raw_weights),
            "scaled_facts": _facts(scaled, weights),
            "law": None if trained else self._law(),
            "divisor": divisor,
            "trained": trained,
        }

    def send(self, results: Mapping[str, Any]) -> list[str]:
        return ["scores", "facts", "scaled_facts", "law", "divisor", "trained"]

    @property
    def _distribution(self) -> str:
        return "normal" if self.numbers == "trained" else self.numbers

    def _random_scores(self) -> Tensor:
        u, w = _drawn(self._distribution, self.seed, self.D)
        independent = math.sqrt(1 - self.correlation**2)
        q = self.mean + self.std * u
        k = self.mean + self.std * (self.correlation * u[:, None] + independent * w)
        return (k @ q[..., None])[..., 0]

    def _divisor(self, divide_by: str) -> float:
        return {"1": 1.0, "√D": math.sqrt(self.D), "√E": math.sqrt(HEADS * self.D), "D": float(self.D)}[divide_by]

    def _law(self) -> dict[str, float]:
        """The mean and the variance of a score. q is μ + σu, k is μ + σv with v = ρu + √(1 - ρ²)·w, and u and w are independent."""
        mean, std, rho = self.mean, self.std, self.correlation
        third, fourth = MOMENTS[self._distribution]
        product = (
            std**4 * (1 + rho**2 * (fourth - 2)) + 2 * mean**2 * std**2 * (1 + rho) + 2 * mean * std**3 * third * rho * (1 + rho)
        )
        return {"mean": self.D * (mean**2 + rho * std**2), "variance": self.D * product}

    def fallback(self) -> str:
        columns = ("divided by", "mean", "variance", "largest weight of a query", "spectral norm of the Jacobian", "stuck")
        rows = []
        for name in DIVISORS:
            divisor = self._divisor(name)
            scaled = self.scores / divisor
            facts = _facts(scaled, scaled.softmax(-1))
            measured = (f"{facts[one]:.3g} ± {_brief(facts[f'{one}_error'])}" for one in ("variance", "largest", "norm"))
            by = {"1": "nothing", "√E": f"√(H·D) = {divisor:.4g}, if H = {HEADS}"}.get(name, f"{name} = {divisor:.4g}")
            rows.append([by, f"{facts['mean']:.3g}", *measured, f"{facts['stuck']:.0%}"])
        queries, keys = self.scores.shape
        kind = "of a trained layer" if self.trained else "of random queries and keys"
        law = "" if self.law is None else f" Their distribution gives a variance of {self.law['variance']:.4g} before the division."
        return (
            f"<p>{self.scores.numel():,} scores {kind} with D = {self.D}, divided in four ways.{law} Largest weight and norm "
            f"are means over {queries} queries with {keys} keys each, and ± is the standard error over the queries. A query is "
            f"stuck if its norm is below {STUCK}: its weights hardly react to its scores.</p>"
            f"{table(columns, rows).html()}"
        )


def _brief(error: float) -> str:
    """An error with one digit that counts, without an exponent."""
    return f"{Decimal(f'{error:.1g}'):f}"


def _facts(scores: Tensor, weights: Tensor) -> dict[str, float]:
    """What is measured. The scores of a query have that query in common, so the standard errors count queries, not scores."""
    jacobian = weights.diag_embed() - weights[..., :, None] * weights[..., None, :]
    norms = torch.linalg.eigvalsh(jacobian)[:, -1]
    of_queries = {"variance": (scores - scores.mean()).square().mean(-1), "largest": weights.amax(-1), "norm": norms}
    facts = {"mean": float(scores.mean()), "stuck": float((norms < STUCK).double().mean())}
    for name, ones in of_queries.items():
        facts |= {name: float(ones.mean()), f"{name}_error": float(ones.std()) / math.sqrt(len(ones))}
    return facts
