"""Checkers for scaled scores. They recognise by value which product the answer computed and what it divided by."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import conclude, examine, first_wrong, normal, same
from attn.check.verdict import Verdict

__all__ = ["scaled_scores", "scores"]


def scores(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for scaled scores: answer(q, k) turns (B, H, L, D) and (B, H, S, D) into q kᵀ / √D, (B, H, L, S).

    The verdict names the first rule that is broken: the answer raised, changed its input or returned another shape, weights or
    cosines; it reshaped keys instead of transposing them, or exchanged queries and keys; it divided by another number. The divisor
    is computed from the values and named: √E, D, √S, none at all, √D twice.
    """
    return conclude(
        (_complaint(answer, sizes) for sizes in _SIZES),
        "Cell [i, j] is query i times key j, divided by √D, for every sample and head.",
    )


def scaled_scores(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check the same as `scores`, where the exercise is about the division."""
    return conclude(
        (_complaint(answer, sizes) for sizes in _SIZES),
        "The scores are divided by √D, whatever the other sizes are: their variance is 1.",
    )


# No two of the sizes, their roots and products are equal, so a divisor shows where it comes from.
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
    want = exact[0] @ exact[1].mT / math.sqrt(D)
    first = first_wrong(want, lambda b, h, i, j: f"query {i} times key {j}, divided by √{D}")
    return examine(
        answer,
        {"q": q, "k": k},
        want,
        "(B, H, L, S)",
        otherwise=lambda got: _special(got, *exact) or _by_product(got, *exact, sizes) or first(got),
        misshapen=lambda got: _by_product(got, *exact, sizes),
        why=lambda error: _why_raised(answer),
    )


def _special(got: Tensor, q: Tensor, k: Tensor) -> str:
    """A hint for numbers that no single divisor explains."""
    if not got.isfinite().all():
        return "some numbers are not finite."
    if not got.any():
        return "all numbers are zero."
    sums = got.sum(-1)
    if (got >= 0).all() and same(sums, torch.ones_like(sums)):
        return "the rows sum to 1: these are weights. Scores are what softmax is given; leave it out here."
    products, lengths = q @ k.mT, q.norm(dim=-1, keepdim=True)
    if same(got, products / lengths / k.norm(dim=-1)[..., None, :]):
        return "you divided by the lengths of q and k: these are cosines. The divisor here is one number for all scores."
    if same(got, products / lengths):
        return "you divided each row by the length of its query. √D is only its typical length: one number for all scores."
    return ""


def _by_product(got: Tensor, q: Tensor, k: Tensor, sizes: dict[str, int]) -> str:
    """A hint for a product of q and k, right or wrong, that is divided by one number."""
    (B, H, L, D), S = q.shape, k.shape[2]
    products = (
        (q @ k.mT, ""),
        (
            q @ k.reshape(B, H, D, S),
            "k was reshaped, not transposed: memory was cut again every S numbers, so that a column holds numbers of several "
            "keys. Which call exchanges two axes?",
        ),
        (
            q.reshape(B, H, D, L).mT @ k.mT,
            "q was reshaped: its rows hold numbers of several queries. Must q be transposed?",
        ),
        (
            k @ q.mT,
            "this is K Qᵀ, (B, H, S, L), the right numbers with rows and columns exchanged. Should a row belong to a query or "
            "to a key?",
        ),
    )
    for product, mistake in products:
        if got.shape != product.shape or not (overlap := float((product * got).sum())):
            continue
        divisor = float((product * product).sum()) / overlap
        if not same(got * divisor, product):
            continue
        if mistake and math.isclose(divisor, math.sqrt(D), rel_tol=1e-4):
            return mistake
        if mistake:
            return f"{mistake} Besides, {_named(divisor, sizes)}"
        return f"{_named(divisor, sizes)} These scores have variance {D / divisor**2:.3g}, if those of q and k have 1."
    return ""


def _named(divisor: float, sizes: dict[str, int]) -> str:
    """A sentence that names the divisor and says what that size counts."""
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
    return f"you divided by {divisor:.4g}, not by √D = {math.sqrt(D):.3g}. Over which axis does a score sum?"


def _why_raised(answer: Callable[..., Any]) -> str:
    """A hint for sizes that do not fit. Where all sizes are equal, everything fits, and the numbers show which axes moved."""
    q, k = normal((3, 3, 3, 3), (3, 3, 3, 3), seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of .T on four axes
        try:
            got = answer(q.clone(), k.clone())
        except Exception:
            return ""
        turns = (
            (
                k,
                "(This is q @ k: row i of q meets column j of k, number j of all keys. Which axes of k must change places?)",
            ),
            (k.T, "(.T reverses all four axes, samples and heads too. Which two axes are the table?)"),
            (k.transpose(0, -1), "(The axes 0 and -1 were exchanged, samples with numbers. Which two axes are the table?)"),
            (k.transpose(1, 2), "(The axes 1 and 2 were exchanged, heads with keys. Which two axes are the table?)"),
            (k.transpose(1, -1), "(The axes 1 and -1 were exchanged, heads with numbers. Which two axes are the table?)"),
        )
    for turned, hint in turns:
        if isinstance(got, Tensor) and any(same(got, q @ turned * factor) for factor in (1.0, 3**-0.5, 1 / 3)):
            return hint
    return ""
