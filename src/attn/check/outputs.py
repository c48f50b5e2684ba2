"""A checker for merging and projecting heads: the result is compared by value with the right one and with known mistakes."""

from collections.abc import Callable, Iterator
from typing import Any

from torch import Tensor

from attn.check.answers import conclude, examine, first_wrong, normal
from attn.check.verdict import Verdict
from attn.shapes import merge_heads

__all__ = ["output_projection"]

# B, H, L, D, E. First a square W_O, as in a layer: there a weight that is not transposed fits, and is recognised by its value. Then
# a width that is not H·D, so that no coincidence and no size typed in by hand can pass.
_SIZES = ((2, 3, 5, 4, 12), (3, 2, 4, 5, 7))


def output_projection(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for merging heads and projecting them: answer(heads, weight) turns (B, H, L, D) into y (B, L, E).

    weight is stored as nn.Linear stores it, (E, H·D). The verdict names the first rule that is broken, and recognises by value what
    was computed instead: heads merged before they were exchanged, dealt out in turn, averaged, or met by another head's part of
    the weight, and a weight that was not transposed.
    """
    return conclude(
        (_complaint(answer, *sizes) for sizes in _SIZES),
        "Every token's heads lie side by side, and each meets its own part of W_O; y is the sum of what they add.",
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
        otherwise=first_wrong(want, lambda b, i, e: f"all heads of token {i}, side by side, times row {e} of weight"),
        why=_why_raised,
    )


def _mistakes(heads: Tensor, weight: Tensor) -> Iterator[tuple[Tensor, str]]:
    """The results of a wrong merge, a wrong product, and both."""
    B, H, L, D = heads.shape
    merges = (
        (merge_heads(heads), ""),
        (
            heads.reshape(B, L, H * D),
            f"the heads were merged before they were exchanged: row 0 holds tokens 0 to {H - 1} of head 0, not all heads of "
            "token 0. Which two axes must be neighbours before they can become one?",
        ),
        (
            heads.permute(0, 2, 3, 1).flatten(2),
            "the numbers of the heads were dealt out in turn, first number of every head, then the second ones. W_O expects all "
            "numbers of head 0 first. In which order must H and D stand when they merge?",
        ),
        (
            merge_heads(heads.flip(1)),
            "the heads meet the parts of W_O in reverse order. Which columns of weight belong to head 0?",
        ),
    )
    for concat, merged in merges:
        products = [
            (concat @ weight.T, ""),
            (concat, "these are the heads side by side, and W_O is missing. What lets heads mix?"),
            (concat @ weight.T / H, f"every number is 1/{H} of the right one: the heads were averaged. Does W_O add or average?"),
        ]
        if weight.shape[0] == weight.shape[1]:
            products.append(
                (
                    concat @ weight,
                    "weight was not transposed, or cut along its rows: taken for (H·D, E), which it is only because it is square "
                    "here. nn.Linear stores (out, in). Along which axis do the heads lie?",
                )
            )
        for value, multiplied in products:
            yield value, " Besides, ".join(filter(None, (merged, multiplied)))
    pieces = weight.split(D, dim=1)
    whole = (
        "concat keeps them apart, so that each meets its own D columns of weight. What does a mean keep of two heads that differ?"
    )
    for piece, which in ((pieces[0], "first"), (pieces[-1], "last")):
        yield heads.mean(1) @ piece.T, f"the heads were averaged before W_O, with its {which} {D} columns. {whole}"
        yield heads.sum(1) @ piece.T, f"every head met the {which} {D} columns of weight. Which columns belong to head h?"
    tiled = heads.mean(1).repeat(1, 1, H)
    yield tiled @ weight.T, f"the heads were averaged, and the mean repeated {H} times. {whole}"
    for h, which in ((0, "first"), (H - 1, "last")):
        yield heads[:, h] @ pieces[h].T, f"this is the {which} head alone. Is the sum lost in the loop, or the return inside it?"


def _why_raised(error: Exception) -> str:
    if "view size is not compatible" in str(error):
        return "(After the exchange memory is in another order, and view never copies. Which call copies if it must?)"
    if "cannot be multiplied" in str(error):
        return "(weight is stored (out, in), as nn.Linear stores it. Which of its axes is as long as all heads together?)"
    return ""
