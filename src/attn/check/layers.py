"""Checkers for a whole attention layer, and for weights that are made from distances."""

from collections.abc import Callable, Iterator
from typing import Any

from torch import Tensor

from attn.check.answers import combined, conclude, examine, first_wrong, normal
from attn.check.verdict import Verdict
from attn.shapes import merge_heads, split_heads

__all__ = ["attention_layer", "distance_weights"]

_SIZES = ((2, 5, 3, 4), (3, 7, 2, 6))  # B, L, H, D


def attention_layer(answer: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, int], Any]) -> Verdict:
    """Check an answer for self-attention: answer(x, W_Q, W_K, W_V, W_O, H) turns (B, L, E) into (B, L, E).

    The four matrices are (E, E), to be multiplied from the right, without biases. There is no mask.
    """
    return conclude(
        (_about_layer(answer, *sizes) for sizes in _SIZES),
        "Every step is there and in its place: split, scores, √D, softmax over the keys, weighted sum, merge, W_O.",
    )


def _about_layer(answer: Callable[..., Any], B: int, L: int, H: int, D: int) -> str:
    E = H * D
    x, *matrices = normal((B, L, E), (E, E), (E, E), (E, E), (E, E), seed=L)
    W_Q, W_K, W_V, W_O = (matrix / E**0.5 for matrix in matrices)
    q, k, v = (split_heads(x @ matrix, H) for matrix in (W_Q, W_K, W_V))
    want = merge_heads((q @ k.mT / D**0.5).softmax(-1) @ v) @ W_O
    return examine(
        answer,
        {"x": x, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O, "H": H},
        want,
        "(B, L, E)",
        _wrong_layers(x, (W_Q, W_K, W_V), W_O, H),
        wrong_values=first_wrong(want, lambda b, i, e: f"component {e} of token {i}"),
        why=_why_raised,
    )


def _wrong_layers(x: Tensor, matrices: tuple[Tensor, Tensor, Tensor], W_O: Tensor, H: int) -> Iterator[tuple[Tensor, str]]:
    B, L, E = x.shape
    D = E // H
    flat = [x @ matrix for matrix in matrices]
    q, k, v = (split_heads(one, H) for one in flat)
    scores = q @ k.mT
    for divisor, about_scale in (
        (D**0.5, ""),
        (1, "the scores are not divided by √D."),
        (E**0.5, "the scores are divided by √E, not by √D. How many products does one head add up?"),
        (D, "the scores are divided by D, not by √D."),
    ):
        scaled = scores / divisor
        for weights, about_softmax in (
            (scaled.softmax(-1), ""),
            (scaled.softmax(-2), "softmax runs over the queries. The weights of a query must sum to 1 over the keys."),
            (scaled.softmax(1), "softmax runs over the heads. The weights of a query must sum to 1 over the keys."),
            (scaled, "the values are summed with scores. Softmax is missing."),
        ):
            heads = weights @ v
            merge = "the heads are merged in the order (H, L, D). Which two axes must be swapped before they are merged?"
            for merged, about_merge in ((merge_heads(heads), ""), (heads.reshape(B, L, E), merge)):
                hint = combined(about_scale, about_softmax, about_merge)
                yield merged @ W_O, hint
                yield merged, combined(hint, "W_O is missing.")
    a, b, c = (one.reshape(B, H, L, D) for one in flat)
    cut = (a @ b.mT / D**0.5).softmax(-1) @ c
    split = (
        "x is split by a view to (B, H, L, D), which gives each head numbers of other tokens. Split the last axis, then swap L and "
        "H"
    )
    yield merge_heads(cut) @ W_O, f"{split}."
    yield cut.reshape(B, L, E) @ W_O, f"{split}. The merge undoes it for the values only."
    one = (flat[0] @ flat[1].mT / D**0.5).softmax(-1) @ flat[2]
    yield one @ W_O, "all channels are in one head. Where is the split into H heads?"
    yield (
        (flat[0] @ flat[1].mT / E**0.5).softmax(-1) @ flat[2] @ W_O,
        "this is one head of E numbers. Where is the split into H heads?",
    )


def distance_weights(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for weights from distances: answer(q (B, H, L, D), k (B, H, S, D)) -> softmax(-d²/2), (B, H, L, S)."""
    sizes = ((2, 3, 5, 7, 4), (3, 2, 4, 4, 5))  # the second has L = S, so that code that confuses the two runs
    return conclude(
        (_about_distances(answer, *each) for each in sizes),
        "The nearest key gets the largest weight, for every query, sequence and head.",
    )


def _about_distances(answer: Callable[..., Any], B: int, H: int, L: int, S: int, D: int) -> str:
    q, k = normal((B, H, L, D), (B, H, S, D), seed=B)
    squares = (q[:, :, :, None] - k[:, :, None]).square().sum(-1)
    want = (-squares / 2).softmax(-1)
    return examine(
        answer,
        {"q": q, "k": k},
        want,
        "(B, H, L, S)",
        _wrong_distances(q, k, squares),
        wrong_values=first_wrong(want, lambda b, h, i, j: f"the weight of key {j} for query {i}"),
        why=_why_raised,
    )


def _wrong_distances(q: Tensor, k: Tensor, squares: Tensor) -> Iterator[tuple[Tensor, str]]:
    dots, norms = q @ k.mT, k.square().sum(-1)[:, :, None]
    same = "it must differ from key to key, so along the last axis of the scores."
    yield (
        dots.softmax(-1),
        f"these are the weights of dot products. Softmax ignores a penalty that is the same for a whole row: {same}",
    )
    yield (dots + norms / 2).softmax(-1), "long keys are rewarded. Which sign has the penalty?"
    yield (dots - norms).softmax(-1), "the penalty is |k|², twice the right one."
    yield (-squares).softmax(-1), "this is softmax(-d²). The half is missing."
    yield (squares / 2).softmax(-1), "the farthest key gets the largest weight. Which sign must d² have?"
    yield (-squares.sqrt()).softmax(-1), "this is softmax(-d). Take the square of the distance, and half of it."
    yield (-squares / 2).softmax(-2), "softmax runs over the queries. The weights of a query must sum to 1 over the keys."
    yield -squares / 2, "these are the scores. Softmax is missing."
    yield (dots - norms / 2), "these are the scores. Softmax is missing."
    D = q.shape[-1]
    yield (-squares / 2 / D**0.5).softmax(-1), "the scores are divided by √D. Leave out the division here."


def _why_raised(error: Exception) -> str:
    message = str(error)
    if "view size is not compatible" in message:
        return "(After two axes are swapped, memory is in another order, and view never copies. reshape copies if it needs to.)"
    if any(text in message for text in ("Expected size", "must match the size", "cannot be multiplied")):
        return "(Two sizes do not fit. Write the axes of both operands beside the line.)"
    return ""
