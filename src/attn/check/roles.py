"""Checkers for the roles of queries and keys, and for whether a layer depends on the order of the words."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn import masks
from attn.check.answers import Mistakes, ask, conclude, examine, first_wrong, normal
from attn.check.verdict import Verdict
from attn.core import attention
from attn.trace.table import as_shape

__all__ = ["cross_scores", "sees_order"]

Layer = Callable[[Tensor], Tensor]


def cross_scores(answer: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> Verdict:
    """Check an answer for the scores of one head in cross-attention: answer(x, context, W_Q, W_K) -> (B, L, S).

    x is (B, L, E), context (B, S, E), W_Q and W_K are (E, D) as in the formula; scores are neither scaled nor normalised.
    The verdict recognises scores in which the wrong sentence asks or answers, a matrix that serves twice, and scaled ones.
    """
    return conclude(
        (_complaint(answer, *sizes) for sizes in ((2, 5, 7, 12, 4), (3, 6, 4, 10, 5))),
        "The words of x ask, the words of context answer, each with the matrix of its role.",
    )


def _complaint(answer: Callable[..., Any], B: int, L: int, S: int, E: int, D: int) -> str:
    operands = normal((B, L, E), (B, S, E), (E, D), (E, D), seed=B, dtype=torch.float64)
    x, context, W_Q, W_K = operands
    want = x @ W_Q @ (context @ W_K).mT
    return examine(
        answer,
        {"x": x, "context": context, "W_Q": W_Q, "W_K": W_K},
        want,
        "(B, L, S)",
        _mistakes(*operands),
        otherwise=first_wrong(want, lambda b, i, j: f"query {i}, made from x, times key {j}, made from context"),
        why=_why_raised,
    )


def sees_order(answer: Callable[[Layer, Tensor], Any]) -> Verdict:
    """Check an answer for "does this layer know the order of the words?": answer(layer, x) -> bool.

    It is asked about layers (B, L, E) -> (B, L, E). Two do not know: one that hands every word through, and attention without
    positions. Four do: attention with positions, with a causal mask, to neighbours only, and to neighbours in a circle.
    """
    return conclude(
        _misjudged(answer), "It tells the layers that know the order from those whose outputs only move along with the words."
    )


def _misjudged(answer: Callable[[Layer, Tensor], Any]) -> Iterator[str]:
    for B, L, E in ((2, 7, 12), (3, 5, 8)):
        x, places, *matrices = normal((B, L, E), (L, E), (E, E), (E, E), (E, E), seed=B)
        for what, knows, layer, hint in _layers(places, matrices):
            call = f"For {what} and x of shape {as_shape(x.shape)}"
            got, complaint = ask(partial(answer, layer), {"x": x}, call)
            yield complaint
            if isinstance(got, Tensor) and got.numel() == 1:
                got = got.item()
            if not isinstance(got, bool):
                yield f"{call} your code returned {type(got).__name__}, not True or False."
            if got != knows:
                yield f"{call} your code says {got}. {hint}"


def _layers(places: Tensor, matrices: list[Tensor]) -> list[tuple[str, bool, Layer, str]]:
    """Layers, whether they depend on the order, and what an answer overlooks that is right until here and wrong for this one."""
    L, E = places.shape

    def attend(x: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = ((x @ matrix)[:, None] / E**0.5 for matrix in matrices)
        return attention(q, k, v, mask)[:, 0]

    causal, near = masks.causal(L, device=places.device), masks.window(L, width=2, device=places.device)
    circle = near.clone()
    circle[0, -1] = circle[-1, 0] = True
    return [
        (
            "a layer that hands every word through unchanged",
            False,
            lambda x: x.clone(),
            "Its outputs have only moved along with the words. What has to be done with them before they are compared?",
        ),
        (
            "attention without positions",
            False,
            attend,
            "Its outputs differ by rounding alone, since sums run in another order. How large may a difference be?",
        ),
        (
            "attention with a vector for each position added to x",
            True,
            lambda x: attend(x + places),
            "Do you change the order of the words, which are axis 1, and compare with what the layer makes of x?",
        ),
        (
            "attention with a causal mask",
            True,
            lambda x: attend(x, causal),
            "A word sees only itself and earlier words in it, so a word that comes earlier sees less.",
        ),
        (
            "attention in which a word sees itself and its two neighbours",
            True,
            lambda x: attend(x, near),
            "Backwards, neighbours stay neighbours. The order counts all the same: which other order parts some?",
        ),
        (
            "attention in which the words stand in a circle and see their two neighbours",
            True,
            lambda x: attend(x, circle),
            "Turned or mirrored, a circle keeps its neighbours. Which orders would no rule of this kind survive?",
        ),
    ]


def _mistakes(x: Tensor, context: Tensor, W_Q: Tensor, W_K: Tensor) -> Mistakes:
    right = x @ W_Q @ (context @ W_K).mT
    E, D = W_Q.shape
    return (
        (
            x @ W_Q @ (x @ W_K).mT,
            "these are the scores of x with itself, and nothing of context is in them. Whose words are to be found?",
        ),
        (context @ W_Q @ (context @ W_K).mT, "these are the scores of context with itself. Whose words ask?"),
        (context @ W_Q @ (x @ W_K).mT, "here context asks and x answers. Which of the two are the queries made from?"),
        (
            (context @ W_Q @ (x @ W_K).mT).mT,
            "here context asks and x answers, and then the table is turned. A turn changes no roles.",
        ),
        (x @ W_Q @ (context @ W_Q).mT, "the keys are made with the matrix of the queries: W_Q serves twice."),
        (x @ W_K @ (context @ W_K).mT, "the queries are made with the matrix of the keys: W_K serves twice."),
        (x @ W_K @ (context @ W_Q).mT, "the two matrices have changed places."),
        (right.mT, "the numbers are right and the axes are exchanged. Rows are queries, columns are keys."),
        (right / D**0.5, "these are the scaled scores; the division by √D comes after. Here leave it out."),
        (right / E**0.5, "these are divided by √E. Scores come before any division."),
        (right.softmax(-1), "each row sums to 1: these are weights. Scores are what softmax is given."),
        ((right / D**0.5).softmax(-1), "each row sums to 1: these are weights. Scores are what softmax is given."),
    )


def _why_raised(error: Exception) -> str:
    fits_not = "must match" in str(error) or "batch" in str(error)
    return "(On three axes, transpose the last two only: .mT.)" if fits_not else ""
