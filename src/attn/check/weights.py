"""Checkers for softmax: over which axis, how far it reaches, and one score at a time."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn.check.verdict import Verdict

__all__ = ["online_softmax", "softmax"]


def softmax(answer: Callable[[Tensor], Tensor]) -> Verdict:
    """Check an answer for softmax over the keys: answer(scores) turns scores (B, H, L, S) into weights of the same shape.

    It is asked about scores of ordinary size, about rows that lie hundreds of points apart, as far as float32 can tell them
    from each other, and about rows in which some scores are -inf. The verdict says which axis was normalised instead, which
    maximum was subtracted or forgotten, or what was returned in place of weights.
    """
    ordinary = 2 * torch.randn(2, 3, 5, 7, generator=torch.Generator().manual_seed(0), device="cpu")
    ordinary = ordinary.to(torch.get_default_device())
    steps = torch.linspace(-1000, 1000, 30).view(2, 3, 5, 1)
    hidden = ordinary.masked_fill(torch.ones(5, 7, dtype=torch.bool).triu(3), -math.inf)
    cases: tuple[tuple[str, Tensor, Callable[[Tensor, Tensor], str]], ...] = (
        ("ordinary scores", ordinary, _wrong_formula),
        ("rows that lie hundreds of points apart", ordinary + steps, _out_of_range),
        (
            "rows in which some scores are -inf",
            hidden,
            lambda got, scores: "a score of -inf has the weight 0, since exp(-inf) is 0.",
        ),
    )
    for what, scores, hint in cases:
        verdict = _examine(answer, what, scores, hint)
        if verdict is not None:
            return verdict
    return Verdict(True, "Every query's row sums to 1, however large its scores are and however far the rows lie apart.")


def online_softmax(answer: Callable[[float, float, float], tuple[float, float]]) -> Verdict:
    """Check an answer for one step of online softmax: answer(highest, total, score) gives the new highest and total.

    It starts from (-inf, 0.0) and is given falling, rising, mixed, very high and very low scores, one by one. After each step
    `highest` must be the largest score so far and `total` the sum of exp(score - highest) over all scores so far.
    """
    for scores in _STREAMS:
        highest, total = -math.inf, 0.0
        for n, score in enumerate(scores):
            so_far = f"After the score{'s' * (n > 0)} {', '.join(map(str, scores[: n + 1]))}"
            try:
                got = answer(highest, total, score)
            except Exception as error:
                hint = " e to the power of a score as it stands leaves the range. What is subtracted from it first?"
                large = isinstance(error, OverflowError)
                return Verdict(False, f"{so_far} your code raised {type(error).__name__}: {error}.{hint if large else ''}")
            pair = _pair(got)
            if pair is None:
                return Verdict(False, f"{so_far} your code returned {got!r}; it must return two numbers, (highest, total).")
            want = max(scores[: n + 1])
            if pair[0] != want:
                return Verdict(False, f"{so_far} your highest is {pair[0]:g}; the largest score so far is {want:g}.")
            whole = math.fsum(math.exp(one - want) for one in scores[: n + 1])
            if not math.isclose(pair[1], whole, rel_tol=1e-6):
                hint = _step_hint(highest, total, score, pair[1])
                return Verdict(False, f"{so_far} your total is {pair[1]:.4f}; it must be {whole:.4f}. {hint}".rstrip())
            highest, total = want, whole
    return Verdict(True, "Maximum and sum are right after every score, whether a new maximum comes first, last or in between.")


# Softmax ------------------------------------------------------------------------------------------------------------------


def _examine(answer: Callable[[Tensor], Any], what: str, scores: Tensor, hint: Callable[[Tensor, Tensor], str]) -> Verdict | None:
    """Run the answer and return the verdict if it is wrong, None if it holds for these scores."""
    given = scores.clone()
    try:
        got = answer(given)
    except Exception as error:
        return Verdict(False, f"For {what} your code raised {type(error).__name__}: {error} {_error_hint(str(error))}".rstrip())
    if not torch.equal(given, scores):
        return Verdict(False, "Your code changed the scores it was given. Return new numbers; leave the scores alone.")
    if not isinstance(got, Tensor):
        return Verdict(False, f"Your code returned {type(got).__name__}, not a tensor. Is there a return?")
    if got.shape != scores.shape:
        return Verdict(
            False,
            f"For scores of shape {tuple(scores.shape)} your result has shape {tuple(got.shape)}. Softmax keeps the shape: a "
            "weight for every score.",
        )
    got = got.detach().to(scores.device, torch.float64)
    if _close(got, scores.double().softmax(-1), 1e-3 if scores.max() > 100 else 1e-5):  # float32 ends at seven digits
        return None
    return Verdict(False, f"For {what}: {hint(got, scores)}")


def _wrong_formula(got: Tensor, scores: Tensor) -> str:
    """What was computed in place of softmax over the keys, if it can be told from its value."""
    s = scores.double()
    for made, said in (
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
            "every row sums to 1, but you subtracted the maximum of each column, so inside a row the scores moved by different "
            "amounts. Which shift leaves all differences in a row alone?",
        ),
        (s / s.sum(-1, keepdim=True), "you divided the scores by their sum, so there are negative weights. Where is exp?"),
        (s.sigmoid(), "each weight looks at its own score alone (a sigmoid). In softmax the keys of a row share one whole."),
        ((-s).softmax(-1), "the lowest score has the largest weight. Which sign has the exponent?"),
        ((s * math.log(2)).softmax(-1), "these are powers of 2, not of e."),
    ):
        if _close(got, made):
            return said
    sums = got.sum(-1)
    if not _close(sums, torch.ones_like(sums)):
        return f"the first row sums to {float(sums[0, 0, 0]):.4f}; every row (the last axis) must sum to 1."
    i, j = int(s[0, 0, 0].argmax()), int(s[0, 0, 0].argmin())
    ratio, lead = float(got[0, 0, 0, i] / got[0, 0, 0, j]), float(s[0, 0, 0, i] - s[0, 0, 0, j])
    return (
        f"every row sums to 1, but in the first the highest score leads the lowest by {lead:.2f} and has {ratio:.1f} times its "
        f"weight; it must be e^{lead:.2f} = {math.exp(lead):.1f} times."
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
    if _close(got, (terms / terms.sum(-1, keepdim=True)).double()):
        return f"{said} In float32 exp(89) is ∞ and exp(-104) is 0. What may be subtracted from a row so that no weight changes?"
    if _close(got, (shifted / shifted.sum(-1, keepdim=True)).double()):
        return f"{said} You subtracted one maximum from all rows: here every term becomes 0, and 0 / 0 is NaN. Whose belongs here?"
    return f"{said} What is the largest exponent that you take in this row?"


def _error_hint(message: str) -> str:
    if "must match the size" in message:
        return "(A maximum or a sum over the keys has lost their axis. keepdim=True leaves it there, with size 1.)"
    if "return_types.max" in message:
        return "(max with a dim returns values and indices; amax returns the values alone.)"
    return ""


def _close(a: Tensor, b: Tensor, tolerance: float = 1e-5) -> bool:
    return bool(torch.isclose(a, b, rtol=1e-5, atol=tolerance, equal_nan=True).all())


# One step of online softmax -------------------------------------------------------------------------------------------------

_STREAMS = (
    (9.1, 2.3, 0.5),  # without a new maximum: nothing has to be rescaled
    (0.5, 2.3, 9.1),
    (1.0, -2.0, 3.0, 2.5, 4.0, 4.0),
    (1000.0, 998.0, 1003.0, 1001.0),
    (-1000.0, -1002.0, -997.0),
)


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
