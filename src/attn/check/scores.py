"""Checkers for scaled scores. They recognise by value which product the answer computed and what it divided by."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import combined, conclude, examine, first_wrong, normal, same
from attn.check.verdict import Verdict

__all__ = ["scaled_scores", "scores"]


def scores(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for scaled scores: answer(q, k) turns (B, H, L, D) and (B, H, S, D) into q kᵀ / √D, (B, H, L, S).

    The verdict names the first rule that the answer breaks: it raised, changed its input, or returned the wrong shape, weights or
    cosines; it reshaped the keys instead of transposing them, or swapped queries and keys; it divided by the wrong number. The
    divisor is computed from the values and named: √E, D, √S, none at all, √D twice.
    """
    return conclude(
        (_complaint(answer, sizes) for sizes in _SIZES),
        "Element [i, j] is query i times key j, divided by √D, for every sequence and head.",
    )


def scaled_scores(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """The same check as `scores`, for an exercise about the division."""
    return conclude(
        (_complaint(answer, sizes) for sizes in _SIZES),
        "The scores are divided by √D for all sizes, so their variance is 1.",
    )


# The sizes and their square roots all differ, so a divisor shows which size it comes from.
_SIZES = (
    {"B": 2, "H": 3, "L": 5, "S": 7, "D": 6, "E": 18},
    {"B": 3, "H": 2, "L": 7, "S": 11, "D": 5, "E": 10},
)

_ABOUT = {
    "B": "B counts the sequences",
    "H": "H counts the heads",
    "L": "L counts the queries",
    "S": "S counts the keys. Is the last axis of a transposed k still D?",
    "E": "E = H·D is the width of a token vector. How many products does one head sum?",
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
        wrong_values=lambda got: _special(got, *exact) or _by_product(got, *exact, sizes) or first(got),
        wrong_shape=lambda got: _by_product(got, *exact, sizes),
        why=lambda error: _why_raised(answer),
    )


def _special(got: Tensor, q: Tensor, k: Tensor) -> str:
    """A hint for values that no single divisor explains."""
    if not got.isfinite().all():
        return "some values are not finite."
    if not got.any():
        return "all values are zero."
    sums = got.sum(-1)
    if (got >= 0).all() and same(sums, torch.ones_like(sums)):
        return "the rows sum to 1: these are weights. Scores are the input of softmax, so leave it out here."
    products, norms = q @ k.mT, q.norm(dim=-1, keepdim=True)
    if same(got, products / norms / k.norm(dim=-1)[..., None, :]):
        return "you divided by the norms of q and k: these are cosines. The divisor must be one number for all scores."
    if same(got, products / norms):
        return "you divided each row by the norm of its query. The divisor must be one number for all scores, √D."
    return ""


def _by_product(got: Tensor, q: Tensor, k: Tensor, sizes: dict[str, int]) -> str:
    """A hint for a product of q and k, right or wrong, that is divided by one number."""
    (B, H, L, D), S = q.shape, k.shape[2]
    products = (
        (q @ k.mT, ""),
        (
            q @ k.reshape(B, H, D, S),
            "k was reshaped, not transposed: memory was divided again every S elements, so a column holds components of several "
            "keys. Which call swaps two axes?",
        ),
        (
            q.reshape(B, H, D, L).mT @ k.mT,
            "q was reshaped: its rows hold components of several queries. Does q need to be transposed?",
        ),
        (
            k @ q.mT,
            "this is K Qᵀ, (B, H, S, L): the values are right, but rows and columns are swapped. Should a row belong to a query or "
            "to a key?",
        ),
    )
    for product, mistake in products:
        if got.shape != product.shape or not (overlap := float((product * got).sum())):
            continue
        divisor = float((product * product).sum()) / overlap
        if not same(got * divisor, product):
            continue
        if mistake:
            return combined(mistake, "" if math.isclose(divisor, math.sqrt(D), rel_tol=1e-4) else _named(divisor, sizes))
        return f"{_named(divisor, sizes)} These scores have variance {D / divisor**2:.3g} if q and k have variance 1."
    return ""


def _named(divisor: float, sizes: dict[str, int]) -> str:
    """A sentence that names the divisor and says what that size counts."""
    D = sizes["D"]
    special = {
        1.0: "you divided by nothing. How large does a sum of D products become?",
        float(
            D
        ): f"you divided by D = {D}, or by √D twice. A divisor reduces the variance by its square: which divisor turns D into 1?",
        1 / math.sqrt(D): f"you multiplied by √D = {math.sqrt(D):.3g}. Should large sums become larger?",
        D**0.25: "you divided by the square root of √D. Take the root only once.",
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
    return f"you divided by {divisor:.4g}, not by √D = {math.sqrt(D):.3g}. Over how many products does a score sum?"


def _why_raised(answer: Callable[..., Any]) -> str:
    """A hint for sizes that do not match. With equal sizes the answer runs, and its values show which axes it swapped."""
    q, k = normal((3, 3, 3, 3), (3, 3, 3, 3), seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of .T on four axes
        try:
            got = answer(q.clone(), k.clone())
        except Exception:
            return ""
        swaps = (
            (k, "(This is q @ k: column j of k holds component j of every key. Which two axes of k must be swapped?)"),
            (k.T, "(.T reverses all four axes, including sequences and heads. Which two axes form the matrix?)"),
            (k.transpose(0, -1), "(Axes 0 and -1 were swapped, sequences with components. Which two axes form the matrix?)"),
            (k.transpose(1, 2), "(Axes 1 and 2 were swapped, heads with keys. Which two axes form the matrix?)"),
            (k.transpose(1, -1), "(Axes 1 and -1 were swapped, heads with components. Which two axes form the matrix?)"),
        )
    for swapped, hint in swaps:
        if isinstance(got, Tensor) and any(same(got, q @ swapped * factor) for factor in (1.0, 3**-0.5, 1 / 3)):
            return hint
    return ""
