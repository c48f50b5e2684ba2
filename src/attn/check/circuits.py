"""A checker for OV circuits: for each head the one matrix that its values and its slice of W_O amount to."""

from collections.abc import Callable, Iterator
from typing import Any

from torch import Tensor

from attn.check.answers import combined, conclude, examine, first_wrong, normal
from attn.check.verdict import Verdict

__all__ = ["ov_maps"]

# H, D, E. First square matrices, as in a layer: a wrong cut fits there and is recognised by its values. Then E is not H·D.
_SIZES = ((3, 4, 12), (2, 5, 7))


def ov_maps(answer: Callable[[Tensor, Tensor, int], Any]) -> Verdict:
    """Check an answer for the OV circuits: answer(W_V (H·D, E), W_O (E, H·D), H) -> (H, E, E).

    Both matrices are stored as nn.Linear stores them, (out, in). With the attention weights A of a head, A @ x @ map is what the
    head adds to y. The verdict recognises heads that were cut from the wrong axis of a matrix, interleaved or in another order,
    maps that were transposed, and one map for all heads.
    """
    return conclude(
        (_complaint(answer, *sizes) for sizes in _SIZES),
        "Each map takes a head's rows of W_V and the same head's columns of W_O, and has rank D at most.",
    )


def _complaint(answer: Callable[..., Any], H: int, D: int, E: int) -> str:
    W_V, W_O = normal((H * D, E), (E, H * D), seed=H)
    want = W_V.view(H, D, E).mT @ W_O.T.view(H, D, E)
    return examine(
        answer,
        {"W_V": W_V, "W_O": W_O, "H": H},
        want,
        "(H, E, E)",
        _mistakes(W_V, W_O, H),
        wrong_values=first_wrong(
            want, lambda h, i, o: f"how much component {i} of a token changes component {o} of what head {h} adds to y"
        ),
        wrong_shape=lambda got: _by_shape(got, H, D, E),
        why=_why_raised,
    )


def _mistakes(W_V: Tensor, W_O: Tensor, H: int) -> Iterator[tuple[Tensor, str]]:
    """The results of a wrong cut of each matrix, of a wrong product, and of both."""
    E = len(W_O)
    D = len(W_V) // H
    apart = (
        "component 0 of every head comes first, then component 1. All components of head 0 come first. Which size is outer, H or D?"
    )
    reads = [  # (H, D, E)
        (W_V.view(H, D, E), ""),
        (W_V.view(D, H, E).transpose(0, 1), f"the heads of W_V were interleaved: {apart}"),
    ]
    writes = [  # (H, D, E)
        (W_O.T.view(H, D, E), ""),
        (W_O.T.view(D, H, E).transpose(0, 1), f"the heads of W_O were interleaved: {apart}"),
        (
            W_O.reshape(H, D, E),
            "the slices of W_O were cut from its rows. W_O is stored as (out, in). Which of its axes holds the heads?",
        ),
        (W_O.T.view(H, D, E).flip(0), "the slices of W_O are in reverse order. Which columns of W_O belong to head 0?"),
    ]
    if W_V.shape == W_O.shape:
        reads.append(
            (
                W_V.T.view(H, D, E),
                "the heads of W_V were cut from its columns. W_V is stored as (out, in). Which of its axes holds the heads?",
            )
        )
    for read, from_V in reads:
        for write, from_O in writes:
            maps = read.mT @ write
            for value, product in (
                (maps, ""),
                (
                    maps.mT,
                    "every map is transposed. It acts on a column from the left, as W_O W_V does. The tokens of x are rows. "
                    "Which matrix comes first in x @ map?",
                ),
                (maps / D**0.5, "the maps were divided by √D. Which of the two circuits has this factor?"),
                (
                    maps.sum(0).expand_as(maps),
                    "every map is the sum of all heads' maps. The heads have weights of their own. Where are the matrices cut?",
                ),
                (maps / H, f"every element is 1/{H} of the right one. Are the heads averaged or added up?"),
            ):
                yield value, combined(from_V, from_O, product)


def _by_shape(got: Tensor, H: int, D: int, E: int) -> str:
    return {
        (E, E): "one map for all heads together. That would do only if all heads had the same weights.",
        (H, D, D): "the product sums over E. A map takes E components to E components, so which size must vanish?",
        (E, H, E): "the axis of heads must come first.",
        (H, D, E): "this is one of the two factors. A map is the product of both.",
        (H, E, D): "this is one of the two factors. A map is the product of both.",
    }.get(tuple(got.shape), "one matrix for each head, from E components of a token to E components of y.")


def _why_raised(error: Exception) -> str:
    if any(
        text in str(error) for text in ("cannot be multiplied", "must match the size", "Expected size", "equal size", "is invalid")
    ):
        return "(Both are stored as (out, in): W_V is (H·D, E) and W_O is (E, H·D). Which axis of each holds the heads?)"
    return ""
