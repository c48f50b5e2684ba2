"""Checkers for softmax: its axis, its numerical range, and online softmax."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import Mistakes, conclude, examine, normal, run, same
from attn.check.verdict import Verdict

__all__ = ["online_softmax", "softmax"]


def softmax(answer: Callable[[Tensor], Tensor]) -> Verdict:
    """Check an answer for softmax over the keys: answer(scores) turns scores (B, H, L, S) into weights of the same shape.

    The cases are scores of ordinary size, rows that differ from each other by hundreds, rows whose own scores do, rows in which
    some scores are -inf, and a row in float16 whose terms have a larger sum than float16 can hold. The verdict says which axis was
    normalised instead, which maximum was subtracted or is missing, or what was returned instead of weights.
    """
    ordinary = 2 * normal((2, 3, 5, 7), seed=0)[0]
    apart = ordinary + torch.linspace(-1000, 1000, 30).view(2, 3, 5, 1)
    wide = 100 * ordinary
    hidden = ordinary.masked_fill(torch.ones(5, 7, dtype=torch.bool).triu(3), -math.inf)
    half = torch.zeros(1, 1, 1, 100_000, dtype=torch.float16)
    cases = (
        ("ordinary scores", ordinary, _wrong_formulas(ordinary.double()), partial(_first_row, scores=ordinary)),
        ("rows that differ from each other by hundreds", apart, (), partial(_out_of_range, scores=apart)),
        ("rows whose own scores differ by hundreds", wide, (), partial(_out_of_range, scores=wide)),
        (
            "rows in which some scores are -inf",
            hidden,
            (),
            lambda got: "the values are wrong: a score of -inf must have a weight of exactly 0, since exp(-inf) is 0.",
        ),
        ("100,000 equal scores in float16", half, (), _in_half),
    )
    return conclude(
        (_complaint(answer, *case) for case in cases),
        "Every query's row sums to 1, however large its scores are, however much the rows differ, and in float16 too.",
    )


def online_softmax(answer: Callable[[float, float, float], tuple[float, float]]) -> Verdict:
    """Check an answer for one step of online softmax: answer(highest, total, score) gives the new highest and total.

    The answer starts from (-inf, 0.0) and takes decreasing, increasing, mixed, very high and very low scores, one by one. After
    each step `highest` must be the largest score so far and `total` the sum of exp(score - highest) over all scores so far. A
    score of -inf, that of a masked key, adds nothing, also where it comes first.
    """
    return conclude(
        (complaint for scores in _STREAMS for complaint in _steps(answer, scores)),
        "The maximum and the sum are right after every score, wherever the maximum comes and wherever a key is masked.",
    )


# Softmax ------------------------------------------------------------------------------------------------------------------


def _complaint(
    answer: Callable[[Tensor], Any], what: str, scores: Tensor, mistakes: Mistakes, otherwise: Callable[[Tensor], str]
) -> str:
    return examine(
        answer,
        {"scores": scores},
        scores.double().softmax(-1),
        "(B, H, L, S)",
        mistakes,
        wrong_values=otherwise,
        wrong_shape=lambda got: "one weight for every score.",
        call=f"For {what}",
        why=_why_raised,
        atol=_tolerance(scores),
    )


def _tolerance(scores: Tensor) -> float:
    if scores.dtype == torch.float16:
        return 1e-7  # a hundredth of a weight, which float16 rounds
    if scores.min() == -math.inf:
        return 0.0  # a masked key has a weight of exactly 0
    return 1e-3 if scores.max() > 100 else 1e-5  # float32 has seven digits


def _wrong_formulas(s: Tensor) -> Mistakes:
    return (
        (
            s.softmax(-2),
            "every column sums to 1: you normalised over the queries. Over which axis must the weights of one query sum to 1?",
        ),
        (
            s.softmax(1),
            "the weights sum to 1 over the heads: you normalised over axis 1. Which axis counts the keys?",
        ),
        (
            s.softmax(0),
            "the weights sum to 1 over the sequences: you normalised over axis 0. Which axis counts the keys?",
        ),
        (s.flatten(-2).softmax(-1).view_as(s), "each whole matrix sums to 1: you normalised over queries and keys together."),
        (s.flatten().softmax(0).view_as(s), "all elements together sum to 1: a sum without dim runs over all axes."),
        (s.log_softmax(-1), "these are the logarithms of the weights. Which function gives the weights themselves?"),
        (
            (s - s.amax(-1, keepdim=True)).exp(),
            "the largest element of each row is 1: these are the terms exp(score - maximum). By what must a row be divided to sum "
            "to 1?",
        ),
        (s.exp(), "these are the terms exp(score). By what must a row be divided to sum to 1?"),
        (
            (s - s.amax(-2, keepdim=True)).softmax(-1),
            "you subtracted the maximum of each column, which shifts the scores of a row by different amounts. Which shift keeps "
            "all differences in a row?",
        ),
        (s / s.sum(-1, keepdim=True), "you divided the scores by their sum, so some weights are negative. Where is exp?"),
        (s.sigmoid(), "each weight depends only on its own score (a sigmoid). The softmax weights of a row must sum to 1."),
        ((-s).softmax(-1), "the lowest score has the largest weight. What is the sign of the exponent?"),
        ((s * math.log(2)).softmax(-1), "these are powers of 2, not of e."),
    )


def _first_row(got: Tensor, scores: Tensor) -> str:
    row, s = got[0, 0, 0], scores[0, 0, 0]
    sums = got.sum(-1)
    off = (sums - 1).abs().nan_to_num(math.inf)
    if not same(sums, torch.ones_like(sums), 1e-5):
        return f"a row sums to {sums.flatten()[off.argmax()]:.4f}; every row (the last axis) must sum to 1."
    i, j = int(s.argmax()), int(s.argmin())
    ratio, lead = float(row[i] / row[j]), float(s[i] - s[j])
    return (
        f"the values are wrong. In the first row the highest score exceeds the lowest by {lead:.2f}, so its weight must be "
        f"e^{lead:.2f} = {math.exp(lead):.1f} times as large; yours is {ratio:.1f} times as large."
    )


def _out_of_range(got: Tensor, scores: Tensor) -> str:
    rows, terms = scores.flatten(0, -2), scores.exp()
    shifted = (scores - scores.max()).exp()
    bad = ~got.isfinite().flatten(0, -2).all(-1)
    if not bad.any():
        wrong = ~torch.isclose(got, scores.double().softmax(-1), rtol=0, atol=1e-3).flatten(0, -2).all(-1)
        row = rows[int(wrong.int().argmax())]
        return (
            f"the weights are wrong in {int(wrong.sum())} of {len(rows)} rows; the first of them has scores from "
            f"{float(row.min()):.0f} to {float(row.max()):.0f}. Only the differences within a row may matter."
        )
    row = rows[int(bad.int().argmax())]
    problem = (
        f"{int(bad.sum())} of {len(rows)} rows contain NaN or ∞; the first of them has scores from {float(row.min()):.0f} to "
        f"{float(row.max()):.0f}."
    )
    if same(got, (terms / terms.sum(-1, keepdim=True)).double()):
        return (
            f"{problem} In float32 exp(89) is ∞ and exp(-104) is 0. What can you subtract from a row without changing its weights?"
        )
    if same(got, (shifted / shifted.sum(-1, keepdim=True)).double()):
        return (
            f"{problem} You subtracted one maximum from all rows, so every term here is 0, and 0 / 0 is NaN. "
            "Which maximum is right?"
        )
    return f"{problem} What is the largest exponent in this row after your subtraction?"


def _in_half(got: Tensor) -> str:
    if got.eq(0).all():
        return (
            "every weight is 0 instead of 0.00001: each term is 1, and their sum, 100,000, is ∞ in float16, which ends at 65,504. "
            "In which type must the terms be added up?"
        )
    return f"the row sums to {got.sum():.4f} instead of 1. In which type must everything between scores and weights be computed?"


def _why_raised(error: Exception) -> str:
    if "must match the size" in str(error):
        return "(A maximum or a sum over the keys removes their axis. keepdim=True keeps it with size 1.)"
    if "return_types.max" in str(error):
        return "(max with a dim returns values and indices; amax returns only the values.)"
    return ""


# One step of online softmax -------------------------------------------------------------------------------------------------

_STREAMS = (
    (9.1, 2.3, 0.5),  # no new maximum, so nothing needs rescaling
    (0.5, 2.3, 9.1),
    (1.0, -2.0, 3.0, 2.5, 4.0, 4.0),
    (1000.0, 998.0, 1003.0, 1001.0),
    (-1000.0, -1002.0, -997.0),
    (0.5, -math.inf, 2.3),
    (-math.inf, -math.inf, 0.3, 1.2),
)


def _steps(answer: Callable[..., Any], scores: tuple[float, ...]) -> Iterator[str]:
    """The complaint about the step for each score; every step starts from the right maximum and sum."""
    highest, total = -math.inf, 0.0
    for n, score in enumerate(scores):
        so_far = f"After the score{'s' * (n > 0)} {', '.join(map(str, scores[: n + 1]))}"
        got, complaint = run(answer, {"highest": highest, "total": total, "score": score}, so_far, _why_overflow)
        yield complaint
        pair = _pair(got)
        if pair is None:
            yield f"{so_far}, your code returned {got!r}; it must return two numbers, (highest, total)."
            return
        want = max(scores[: n + 1])
        if pair[0] != want:
            yield f"{so_far}, your highest is {pair[0]:g}; the largest score so far is {want:g}."
        want_total = math.fsum(math.exp(one - want) for one in scores[: n + 1] if one > -math.inf)
        if not math.isclose(pair[1], want_total, rel_tol=1e-6):
            hint = _step_hint(highest, total, score, pair[1])
            yield f"{so_far}, your total is {pair[1]:.4f}; it must be {want_total:.4f}. {hint}"
        highest, total = want, want_total


def _why_overflow(error: Exception) -> str:
    if isinstance(error, OverflowError):
        return "(exp of the score itself overflows. What must be subtracted from the score first?)"
    return ""


def _pair(got: Any) -> tuple[float, float] | None:
    try:
        highest, total = got
        return float(highest), float(total)
    except (TypeError, ValueError):
        return None


def _step_hint(highest: float, total: float, score: float, got: float) -> str:
    """What the step did to the old sum or to the new term, recognised from the new total."""
    new = max(highest, score)
    grown, term = _exp(new - highest), _exp(score - new)
    first = highest == -math.inf

    if score == -math.inf:
        return "A score of -inf is that of a masked key: it adds nothing, and -inf - (-inf) is NaN. What must the step return then?"

    def equals(value: float) -> bool:
        return math.isclose(value, got, rel_tol=1e-6) or (math.isnan(value) and math.isnan(got))

    if not first and score > highest and equals(total + term):
        return (
            f"The old sum is relative to the old maximum, {highest:g}, but the new maximum is {new:g}. By which factor is every "
            "old term too large now? (As long as the maximum stays the same, this factor is 1 and the mistake does not show.)"
        )
    if equals(total * grown + term):
        return (
            "The old sum was multiplied by e^(new - old), which is more than 1. Relative to a higher maximum, are old terms larger "
            "or smaller?"
        )
    if equals(total * _exp(highest - new) + _exp(score - highest)):
        return "The new term is relative to the old maximum. To which maximum must all terms of the total be relative?"
    if equals((total + term) * _exp(highest - new)) and not equals(term):
        return "The new term was rescaled together with the old sum. To which maximum is each of the two relative?"
    if not first and equals(term):
        return "This is the new term alone: the old sum is missing."
    if equals(total + _exp(score)) or equals(total * _exp(highest - new) + _exp(score)):
        return "The new term is exp of the score itself. What must be subtracted from the score first?"
    return "The total is the sum of e^(score - highest) over all scores so far."


def _exp(x: float) -> float:
    """e to the power of x, and infinity where that is too large."""
    return math.exp(x) if x < 700 else math.inf
