"""Checkers for the roles of queries and keys, and for whether a layer depends on the order of the tokens."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn import masks
from attn.check.answers import Mistakes, conclude, examine, first_wrong, kind, normal, run
from attn.check.verdict import Verdict
from attn.core import attention
from attn.trace.table import as_shape

__all__ = ["cross_scores", "sees_order"]

Layer = Callable[[Tensor], Tensor]


def cross_scores(answer: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> Verdict:
    """Check an answer for the scores of one head in cross-attention: answer(x, context, W_Q, W_K) -> (B, L, S).

    x is (B, L, E), context (B, S, E), W_Q and W_K are (E, D) as in the formula; scores are neither scaled nor normalised.
    The verdict recognises queries or keys from the wrong sequence, a matrix that is used twice, and scaled scores.
    """
    return conclude(
        (_complaint(answer, *sizes) for sizes in ((2, 5, 7, 12, 4), (3, 6, 4, 10, 5))),
        "x provides the queries and context provides the keys, each with its own matrix.",
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
        wrong_values=first_wrong(want, lambda b, i, j: f"query {i}, from x, times key {j}, from context"),
        why=_why_raised,
    )


def sees_order(answer: Callable[[Layer, Tensor], Any]) -> Verdict:
    """Check an answer for "does this layer depend on the order of the tokens?": answer(layer, x) -> bool.

    The answer is run on layers (B, L, E) -> (B, L, E). Two do not depend on the order: the identity, and attention without
    positions. Five do: attention with positions, with a causal mask, to neighbours only, to neighbours in a circle, and within
    blocks.
    """
    return conclude(
        _misjudged(answer), "It separates the layers that depend on the order from those whose outputs only move with the tokens."
    )


def _misjudged(answer: Callable[[Layer, Tensor], Any]) -> Iterator[str]:
    for B, L, E in ((2, 7, 12), (3, 5, 8)):
        x, positions, *matrices = normal((B, L, E), (L, E), (E, E), (E, E), (E, E), seed=B)
        for what, depends, layer, hint in _layers(positions, matrices):
            call = f"For {what}, with x of shape {as_shape(x.shape)}"
            got, complaint = run(partial(answer, layer), {"x": x}, call)
            yield complaint
            if isinstance(got, Tensor) and got.numel() == 1:
                got = got.item()
            if not isinstance(got, bool):
                yield f"{call}, your code returned {kind(got)}, not True or False."
            if got != depends:
                yield f"{call}, your code returned {got}. {hint}"


def _layers(positions: Tensor, matrices: list[Tensor]) -> list[tuple[str, bool, Layer, str]]:
    """Layers, whether they depend on the order, and a hint for an answer that is right for all earlier ones and wrong here."""
    L, E = positions.shape

    def attend(x: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = ((x @ matrix)[:, None] / E**0.5 for matrix in matrices)
        return attention(q, k, v, mask)[:, 0]

    def attend_one_by_one(x: Tensor) -> Tensor:
        """The same without a mask. It adds the values in their order, so that rounding depends on the order on every machine."""
        q, k, v = (x @ matrix / E**0.5 for matrix in matrices)
        weights = (q @ k.mT / E**0.5).softmax(-1)
        total = torch.zeros_like(v)
        for j in range(L):
            total = total + weights[..., j, None] * v[:, j, None]
        return total

    causal, near = masks.causal(L, device=positions.device), masks.window(L, width=2, device=positions.device)
    blocks = torch.arange(L, device=positions.device) // 3
    circle = near.clone()
    circle[0, -1] = circle[-1, 0] = True
    return [
        (
            "a layer that returns every token unchanged",
            False,
            lambda x: x.clone(),
            "Its outputs only move with the tokens. What must be done with the outputs before you compare them?",
        ),
        (
            "attention without positions",
            False,
            attend_one_by_one,
            "Its outputs differ only by rounding, because the sums run in another order. How large may a difference be?",
        ),
        (
            "attention with positional embeddings added to x",
            True,
            lambda x: attend(x + positions),
            "Do you reorder the tokens, which are axis 1, and compare with the layer's output for x?",
        ),
        (
            "attention with a causal mask",
            True,
            lambda x: attend(x, causal),
            "Each token attends only to itself and to earlier tokens, so its output depends on its position.",
        ),
        (
            "attention in which a token attends to itself and its two neighbours",
            True,
            lambda x: attend(x, near),
            "When the order is reversed, neighbours stay neighbours. Which other order separates some of them?",
        ),
        (
            "attention in which the tokens form a circle and attend to their two neighbours",
            True,
            lambda x: attend(x, circle),
            "A rotation or a reversal of a circle keeps all neighbours together. Which kind of order reveals every such layer?",
        ),
        (
            "attention within blocks of three tokens",
            True,
            lambda x: attend(x, blocks[:, None] == blocks),
            "A swap inside a block keeps every block together. Which kind of order reveals every such layer?",
        ),
    ]


def _mistakes(x: Tensor, context: Tensor, W_Q: Tensor, W_K: Tensor) -> Mistakes:
    right = x @ W_Q @ (context @ W_K).mT
    E, D = W_Q.shape
    weights = "each row sums to 1: these are weights. Scores are the input of softmax."
    return (
        (
            x @ W_Q @ (x @ W_K).mT,
            "these are the scores of x with itself. Which of the two inputs provides the keys?",
        ),
        (
            context @ W_Q @ (context @ W_K).mT,
            "these are the scores of context with itself. Which of the two inputs provides the queries?",
        ),
        (context @ W_Q @ (x @ W_K).mT, "context provides the queries and x the keys. Which of the two must provide the queries?"),
        (
            (context @ W_Q @ (x @ W_K).mT).mT,
            "context provides the queries and x the keys, and then the matrix is transposed. A transpose does "
            "not change the roles.",
        ),
        (x @ W_Q @ (context @ W_Q).mT, "the keys are computed with the matrix of the queries: W_Q is used twice."),
        (x @ W_K @ (context @ W_K).mT, "the queries are computed with the matrix of the keys: W_K is used twice."),
        (x @ W_K @ (context @ W_Q).mT, "W_Q and W_K are swapped."),
        (right.mT, "the values are right but the axes are swapped. Rows must be queries and columns keys."),
        (right / D**0.5, "these are the scaled scores. Leave out the division by √D here."),
        (right / E**0.5, "these are divided by √E. Leave out the division here."),
        (right.softmax(-1), weights),
        ((right / D**0.5).softmax(-1), weights),
    )


def _why_raised(error: Exception) -> str:
    misfit = "must match" in str(error) or "batch" in str(error)
    return "(A tensor with three axes needs .mT, which transposes only the last two.)" if misfit else ""
