"""Checker for the scores of queries with keys, by value: an answer is compared with the right scores and with known mistakes."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import conclude, examine, first_wrong, normal, same
from attn.check.verdict import Verdict

__all__ = ["scores"]

# B, H, L, S, D. All different, twice, so that no coincidence and no size typed in by hand can pass.
_SIZES = ((2, 3, 5, 7, 4), (3, 2, 4, 6, 5))


def scores(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for scaled scores: answer(q, k) turns (B, H, L, D) and (B, H, S, D) into q kᵀ / √D, (B, H, L, S).

    The verdict names the first rule that is broken, and recognises by value what was computed instead: keys that were reshaped
    and not transposed, columns of k taken for keys, K Qᵀ, a scale that is missing, doubled or of another axis.
    """
    return conclude(
        (_complaint(answer, *sizes) for sizes in _SIZES),
        "Cell [i, j] is query i times key j, divided by √D, for every sample and head.",
    )


def _complaint(answer: Callable[..., Any], B: int, H: int, L: int, S: int, D: int) -> str:
    q, k = normal((B, H, L, D), (B, H, S, D), seed=B)
    want = q @ k.mT / D**0.5
    return examine(
        answer,
        {"q": q, "k": k},
        want,
        "(B, H, L, S)",
        _mistakes(q, k),
        otherwise=first_wrong(want, lambda b, h, i, j: f"query {i} times key {j}, divided by √{D}"),
        why=lambda error: _why_raised(answer),
    )


def _mistakes(q: Tensor, k: Tensor) -> Iterator[tuple[Tensor, str]]:
    """A factor may be wrong, or what is multiplied, or both."""
    (B, H, L, D), S = q.shape, k.shape[2]
    scaled = (
        (D**-0.5, ""),
        (1.0, "Nothing is divided. A dot product of D numbers grows like √D: by what does that tell you to divide?"),
        (1 / D, f"The scores are divided by D = {D}, not by √D. Was the scale applied twice?"),
        (
            (H * D) ** -0.5,
            f"The scores are divided by √{H * D}, the width of all heads. How many numbers does one sum have?",
        ),
        (D**0.5, "The scores are multiplied by √D. Which way makes large sums smaller?"),
        (S**-0.5, f"The scores are divided by √{S}, and S = {S} counts keys. How many numbers does one sum have?"),
    )
    products = (
        (q @ k.mT, ""),
        (
            q @ k.reshape(B, H, D, S),
            "k was reshaped, not transposed: memory was cut again every S numbers, so that a column holds numbers of several "
            "keys. Which call exchanges two axes?",
        ),
        (
            q.reshape(B, H, D, L).mT @ k.mT,
            "q was reshaped on its way: its rows hold numbers of several queries. Does q need to turn?",
        ),
        (
            k @ q.mT,
            "this is K Qᵀ, (B, H, S, L), the right numbers with rows and columns exchanged. Whose row should it be: of the one "
            "that asks, or of the one that is asked?",
        ),
    )
    for product, what in products:
        for factor, scale in scaled:
            if what or scale:
                yield product * factor, " ".join(filter(None, (what or "every score is off by the same factor.", scale)))
    weights = (q @ k.mT / D**0.5).softmax(-1)
    yield weights, "these are weights already: each row is positive and sums to 1. Scores are what softmax is given."
    cosines = torch.nn.functional.normalize(q, dim=-1) @ torch.nn.functional.normalize(k, dim=-1).mT
    yield cosines, "these are cosines: every query and key was divided by its own length. √D is one number for all of them."


def _why_raised(answer: Callable[..., Any]) -> str:
    """Which product that does not fit is meant? Where all sizes are equal everything fits: run it there, look at the numbers."""
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
