"""Checkers for softmax: over which axis, how far it reaches, and one score at a time."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import Mistakes, ask, conclude, examine, normal, same
from attn.check.verdict import Verdict

__all__ = ["online_softmax", "softmax"]


def softmax(answer: Callable[[Tensor], Tensor]) -> Verdict:
    """Check an answer for softmax over the keys: answer(scores) turns scores (B, H, L, S) into weights of the same shape.

    It is asked about scores of ordinary size, about rows that lie hundreds of points apart, as far as float32 can tell them
    from each other, and about rows in which some scores are -inf. The verdict says which axis was normalised instead, which
    maximum was subtracted or forgotten, or what was returned in place of weights.
    """
    ordinary = 2 * normal((2, 3, 5, 7), seed=0)[0]
    apart = ordinary + torch.linspace(-1000, 1000, 30).view(2, 3, 5, 1)
    hidden = ordinary.masked_fill(torch.ones(5, 7, dtype=torch.bool).triu(3), -math.inf)
    cases = (
        ("ordinary scores", ordinary, _wrong_formulas(ordinary.double()), partial(_first_row, scores=ordinary)),
        ("rows that lie hundreds of points apart", apart, (), partial(_out_of_range, scores=apart)),
        ("rows in which some scores are -inf", hidden, (), lambda got: "a score of -inf has the weight 0, since exp(-inf) is 0."),
    )
    return conclude(
        (_complaint(answer, *case) for case in cases),
        "Every query's row sums to 1, however large its scores are and however far the rows lie apart.",
    )


def online_softmax(answer: Callable[[float, float, float], tuple[float, float]]) -> Verdict:
    """Check an answer for one step of online softmax: answer(highest, total, score) gives the new highest and total.

    It starts from (-inf, 0.0) and is given falling, rising, mixed, very high and very low scores, one by one. After each step
    `highest` must be the largest score so far and `total` the sum of exp(score - highest) over all scores so far.
    """
    return conclude(
        (complaint for scores in _STREAMS for complaint in _steps(answer, scores)),
        "Maximum and sum are right after every score, whether a new maximum comes first, last or in between.",
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
        otherwise=otherwise,
        misshapen=lambda got: "a weight for every score.",
        call=f"For {what}",
        why=_why_raised,
        atol=1e-3 if scores.max() > 100 else 1e-5,  # float32 ends at seven digits
    )


def _wrong_formulas(s: Tensor) -> Mistakes:
    return (
        (
            s.softmax(-2),
            "every column sums to 1: you normalised over the queries. Among whom does a query divide its whole?",
        ),
        (
            s.softmax(1),
            "the heads share each pair of words: you normalised over the heads. Which axis is that of the keys?",
        ),
        (
            s.softmax(0),
            "the samples share each pair of words: you normalised over axis 0. Which axis is that of the keys?",
        ),
        (s.flatten(-2).softmax(-1).view_as(s), "a whole table sums to 1: you normalised over queries and keys together."),
        (s.flatten().softmax(0).view_as(s), "all numbers together sum to 1: a sum without dim runs over everything."),
        (s.log_softmax(-1), "these are the logarithms of the weights. Which function gives the weights themselves?"),
        (
            (s - s.amax(-1, keepdim=True)).exp(),
            "the largest number of each row is 1: these are terms, divided by the largest of them. By what must a row be divided "
            "so that it sums to 1?",
        ),
        (s.exp(), "these are the terms exp(score). By what must a row be divided to sum to 1?"),
        (
            (s - s.amax(-2, keepdim=True)).softmax(-1),
            "you subtracted the maximum of each column: every row sums to 1, and inside it the scores moved by different amounts. "
            "Which shift leaves all differences in a row alone?",
        ),
        (s / s.sum(-1, keepdim=True), "you divided the scores by their sum, so there are negative weights. Where is exp?"),
        (s.sigmoid(), "each weight looks at its own score alone (a sigmoid). In softmax the keys of a row share one whole."),
        ((-s).softmax(-1), "the lowest score has the largest weight. Which sign has the exponent?"),
        ((s * math.log(2)).softmax(-1), "these are powers of 2, not of e."),
    )


def _first_row(got: Tensor, scores: Tensor) -> str:
    row, s = got[0, 0, 0], scores[0, 0, 0]
    if not same(got.sum(-1), torch.ones(got.shape[:-1]), 1e-5):
        return f"the first row sums to {row.sum():.4f}; every row (the last axis) must sum to 1."
    i, j = int(s.argmax()), int(s.argmin())
    ratio, lead = float(row[i] / row[j]), float(s[i] - s[j])
    return (
        f"not the numbers: every row sums to 1, and in the first the highest score leads the lowest by {lead:.2f} and has "
        f"{ratio:.1f} times its weight; it must be e^{lead:.2f} = {math.exp(lead):.1f} times."
    )


def _out_of_range(got: Tensor, scores: Tensor) -> str:
    rows, terms = scores.flatten(0, -2), scores.exp()
    shifted = (scores - scores.max()).exp()
    bad = ~got.isfinite().flatten(0, -2).all(-1)
    if not bad.any():
        wrong = ~torch.isclose(got, scores.double().softmax(-1), rtol=0, atol=1e-3).flatten(0, -2).all(-1)
        row = rows[int(wrong.int().argmax())]
        return (
            f"{int(wrong.sum())} of {len(rows)} rows have other weights than they should; the first of them has scores from "
            f"{float(row.min()):.0f} to {float(row.max()):.0f}. Only the differences inside a row may count."
        )
    row = rows[int(bad.int().argmax())]
    said = (
        f"{int(bad.sum())} of {len(rows)} rows hold NaN or ∞; the first of them has scores from {float(row.min()):.0f} to "
        f"{float(row.max()):.0f}."
    )
    if same(got, (terms / terms.sum(-1, keepdim=True)).double()):
        return f"{said} In float32 exp(89) is ∞ and exp(-104) is 0. What may be subtracted from a row so that no weight changes?"
    if same(got, (shifted / shifted.sum(-1, keepdim=True)).double()):
        return f"{said} You subtracted one maximum from all rows: here every term becomes 0, and 0 / 0 is NaN. Whose belongs here?"
    return f"{said} What is the largest exponent that you take in this row?"


def _why_raised(error: Exception) -> str:
    if "must match the size" in str(error):
        return "(A maximum or a sum over the keys has lost their axis. keepdim=True leaves it there, with size 1.)"
    if "return_types.max" in str(error):
        return "(max with a dim returns values and indices; amax returns the values alone.)"
    return ""


# One step of online softmax -------------------------------------------------------------------------------------------------

_STREAMS = (
    (9.1, 2.3, 0.5),  # without a new maximum: nothing has to be rescaled
    (0.5, 2.3, 9.1),
    (1.0, -2.0, 3.0, 2.5, 4.0, 4.0),
    (1000.0, 998.0, 1003.0, 1001.0),
    (-1000.0, -1002.0, -997.0),
)


def _steps(answer: Callable[..., Any], scores: tuple[float, ...]) -> Iterator[str]:
    """For each score, the complaint about the step that takes it in; every step starts from the right numbers."""
    highest, total = -math.inf, 0.0
    for n, score in enumerate(scores):
        so_far = f"After the score{'s' * (n > 0)} {', '.join(map(str, scores[: n + 1]))}"
        got, complaint = ask(answer, {"highest": highest, "total": total, "score": score}, so_far, _why_overflow)
        yield complaint
        pair = _pair(got)
        if pair is None:
            yield f"{so_far} your code returned {got!r}; it must return two numbers, (highest, total)."
            return
        want = max(scores[: n + 1])
        if pair[0] != want:
            yield f"{so_far} your highest is {pair[0]:g}; the largest score so far is {want:g}."
        whole = math.fsum(math.exp(one - want) for one in scores[: n + 1])
        if not math.isclose(pair[1], whole, rel_tol=1e-6):
            hint = _step_hint(highest, total, score, pair[1])
            yield f"{so_far} your total is {pair[1]:.4f}; it must be {whole:.4f}. {hint}"
        highest, total = want, whole


def _why_overflow(error: Exception) -> str:
    if isinstance(error, OverflowError):
        return "(e to the power of a score as it stands leaves the range. What is subtracted from it first?)"
    return ""


def _pair(got: Any) -> tuple[float, float] | None:
    try:
        highest, total = got
        return float(highest), float(total)
    except (TypeError, ValueError):
        return None


def _step_hint(highest: float, total: float, score: float, got: float) -> str:
    """What the step did to the old sum or to the new term, if it can be told from its value."""
    new = max(highest, score)
    grown, term = _exp(new - highest), _exp(score - new)
    first = highest == -math.inf

    def is_(made: float) -> bool:
        return math.isclose(made, got, rel_tol=1e-6) or (math.isnan(made) and math.isnan(got))

    if not first and score > highest and is_(total + term):
        return (
            f"The old sum was counted from the old maximum, {highest:g}; the new one is {new:g}. By which factor is every old term "
            "too large now? (While no new maximum comes, that factor is 1, and nothing seems to be missing.)"
        )
    if is_(total * grown + term):
        return (
            "The old sum was multiplied by e^(new - old), more than 1. Seen from a higher maximum, are old terms larger or smaller?"
        )
    if is_(total * _exp(highest - new) + _exp(score - highest)):
        return "The new term was counted from the old maximum. From which one does the total count?"
    if is_((total + term) * _exp(highest - new)) and not is_(term):
        return "The new term was rescaled together with the old sum. From which maximum does each of the two count?"
    if not first and is_(term):
        return "That is the new term alone: the old sum is gone."
    if is_(total + _exp(score)) or is_(total * _exp(highest - new) + _exp(score)):
        return "The new term is e to the power of the score itself. What is subtracted from it first?"
    return "The total is the sum of e^(score - highest) over all scores so far."


def _exp(x: float) -> float:
    """e to the power of x, and infinity where that is too large."""
    return math.exp(x) if x < 700 else math.inf
