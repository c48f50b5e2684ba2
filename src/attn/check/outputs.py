"""A checker for merging and projecting heads. It compares the values with the right ones and with those of known mistakes."""

from collections.abc import Callable, Iterator
from typing import Any

from torch import Tensor

from attn.check.answers import combined, conclude, examine, first_wrong, normal
from attn.check.verdict import Verdict
from attn.shapes import merge_heads

__all__ = ["output_projection"]

# B, H, L, D, E. First a square W_O, as in a layer: a weight that is not transposed fits there and is recognised by its values.
# Then a width that is not H·D, so that no answer passes by coincidence or with hard-coded sizes.
_SIZES = ((2, 3, 5, 4, 12), (3, 2, 4, 5, 7))


def output_projection(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for merging heads and projecting them: answer(heads, weight) turns (B, H, L, D) into y (B, L, E).

    weight is stored as nn.Linear stores it, (E, H·D). The verdict names the first rule that the answer breaks, and recognises by
    value what was computed instead: heads that were merged without a transpose, interleaved, averaged, or multiplied by another
    head's slice of the weight, and a weight that was not transposed.
    """
    return conclude(
        (_complaint(answer, *sizes) for sizes in _SIZES),
        "Every token's heads are side by side, each is multiplied by its own slice of W_O, and y is the sum "
        "of their contributions.",
    )


def _complaint(answer: Callable[..., Any], B: int, H: int, L: int, D: int, E: int) -> str:
    heads, weight = normal((B, H, L, D), (E, H * D), seed=B)
    want = merge_heads(heads) @ weight.T
    return examine(
        answer,
        {"heads": heads, "weight": weight},
        want,
        "(B, L, E)",
        _mistakes(heads, weight),
        wrong_values=first_wrong(want, lambda b, i, e: f"all heads of token {i}, side by side, times row {e} of weight"),
        why=_why_raised,
    )


def _mistakes(heads: Tensor, weight: Tensor) -> Iterator[tuple[Tensor, str]]:
    """The results of a wrong merge, a wrong product, and both."""
    B, H, L, D = heads.shape
    merges = (
        (merge_heads(heads), ""),
        (
            heads.reshape(B, L, H * D),
            f"the heads were merged without a transpose: row 0 holds tokens 0 to {H - 1} of head 0, not all heads of token 0. "
            "Which two axes must be next to each other before they are merged?",
        ),
        (
            heads.permute(0, 2, 3, 1).flatten(2),
            "the heads were interleaved: component 0 of every head comes first, then component 1. W_O expects all components of "
            "head 0 first. In which order must H and D be merged?",
        ),
        (
            merge_heads(heads.flip(1)),
            "the heads are multiplied by the slices of W_O in reverse order. Which columns of weight belong to head 0?",
        ),
    )
    for concat, merged in merges:
        products = [
            (concat @ weight.T, ""),
            (concat, "these are the heads side by side, and W_O is missing. Which product combines the heads?"),
            (concat @ weight.T / H, f"every element is 1/{H} of the right one: the heads were averaged. Does W_O add or average?"),
        ]
        if weight.shape[0] == weight.shape[1]:
            products.append(
                (
                    concat @ weight,
                    "weight was not transposed, or was sliced along its rows. This treats it as (H·D, E) and runs only because "
                    "weight is square here. nn.Linear stores (out, in). Which axis of weight holds the heads?",
                )
            )
        for value, multiplied in products:
            yield value, combined(merged, multiplied)
    pieces = weight.split(D, dim=1)
    mean = "Concatenation keeps the heads separate, so that each has its own D columns of weight. What does a mean lose?"
    for piece, which in ((pieces[0], "first"), (pieces[-1], "last")):
        yield (
            heads.mean(1) @ piece.T,
            f"the heads were averaged, and the mean was multiplied by the {which} {D} columns of weight. {mean}",
        )
        yield (
            heads.sum(1) @ piece.T,
            f"every head was multiplied by the {which} {D} columns of weight. Which columns belong to head h?",
        )
    tiled = heads.mean(1).repeat(1, 1, H)
    yield tiled @ weight.T, f"the heads were averaged, and the mean was repeated {H} times. {mean}"
    for h, which in ((0, "first"), (H - 1, "last")):
        yield (
            heads[:, h] @ pieces[h].T,
            f"this is the contribution of the {which} head alone. Does the loop overwrite the sum, or is the "
            "return inside the loop?",
        )


def _why_raised(error: Exception) -> str:
    if "view size is not compatible" in str(error):
        return "(After the transpose, memory is in another order, and view never copies. Which call copies if it needs to?)"
    if "cannot be multiplied" in str(error):
        return "(weight has the shape (out, in), as in nn.Linear. Which of its axes has the size H·D of all heads together?)"
    return ""
