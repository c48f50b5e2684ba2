"""A checker for what each key adds to y: all heads that attend to it, each with its own weight and its own slice of W_O."""

from collections.abc import Callable, Iterator
from typing import Any

from torch import Tensor

from attn.check.answers import combined, conclude, examine, first_wrong, normal, same
from attn.check.verdict import Verdict

__all__ = ["key_contributions"]

# B, H, L, S, D, E. The second has L = S, so that code that confuses the two runs, and a width that is not H·D.
_SIZES = ((2, 3, 5, 7, 4, 12), (3, 2, 4, 4, 5, 7))


def key_contributions(answer: Callable[[Tensor, Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for what each key adds to y: answer(weights (B, H, L, S), v (B, H, S, D), W_O (H, D, E)) -> (B, L, S, E).

    W_O is cut into the heads' slices, as `MultiHeadAttention.W_O_heads` is. Summed over the keys, the result is y without its
    bias. The verdict recognises weights that were averaged or added over the heads before they were multiplied by the values,
    heads that were averaged, another head's slice of W_O, and missing weights.
    """
    return conclude(
        (_complaint(answer, *sizes) for sizes in _SIZES),
        "Every head multiplies its own weight by its own value after W_O, and the contributions of all keys sum to y.",
    )


def _complaint(answer: Callable[..., Any], B: int, H: int, L: int, S: int, D: int, E: int) -> str:
    scores, v, W_O = normal((B, H, L, S), (B, H, S, D), (H, D, E), seed=B)
    weights = (2 * scores).softmax(-1)
    want = _by_key(weights, v @ W_O)
    return examine(
        answer,
        {"weights": weights, "v": v, "W_O": W_O},
        want,
        "(B, L, S, E)",
        _mistakes(weights, v, W_O),
        wrong_values=lambda got: _by_sums(got, want),
        wrong_shape=lambda got: _by_shape(got, weights, v, W_O),
        why=_why_raised,
    )


def _by_key(weights: Tensor, added: Tensor) -> Tensor:
    return (weights[..., None] * added[:, :, None]).sum(1)


def _mistakes(weights: Tensor, v: Tensor, W_O: Tensor) -> Iterator[tuple[Tensor, str]]:
    """The results of a wrong slice of W_O, of a wrong sum over the heads, and of both."""
    H = len(W_O)
    slices = (
        (W_O, ""),
        (W_O.flip(0), "the heads are multiplied by the slices of W_O in reverse order. Which slice belongs to head 0?"),
        (W_O[:1].expand_as(W_O), "every head is multiplied by the first slice of W_O. Which slice belongs to head h?"),
        (W_O[-1:].expand_as(W_O), "every head is multiplied by the last slice of W_O. Which slice belongs to head h?"),
    )
    own = "Each head has weights of its own. Must the sum over the heads come before or after the product with the weights?"
    for cut, sliced in slices:
        added = v @ cut  # (B, H, S, E)
        right, together = _by_key(weights, added), added.sum(1)[:, None]
        mean = weights.mean(1)[..., None]
        for value, summed in (
            (right, ""),
            (
                right / H,
                f"every element is 1/{H} of the right one: the heads were averaged. Does y average or add what they contribute?",
            ),
            (mean * together, f"the weights were averaged over the heads before they met the values. {own}"),
            (mean * together / H, f"the weights and the values were each averaged over the heads. {own}"),
            (mean * together * H, f"the weights were added up over the heads before they met the values. {own}"),
            (
                together.expand_as(right),
                "the weights are missing: a key with an attention weight of almost 0 counts like any other.",
            ),
            (_by_key(weights**2, added), "every value was multiplied by its weight twice. Where does the second weight come in?"),
        ):
            yield value, combined(sliced, summed)
    for h, which in ((0, "first"), (H - 1, "last")):
        alone = weights[:, h, :, :, None] * (v[:, h] @ W_O[h])[:, None]
        yield alone, f"this is what the {which} head adds alone. Does the loop overwrite the sum, or is the return inside the loop?"


def _by_sums(got: Tensor, want: Tensor) -> str:
    y, sums = want.sum(2), got.sum(2)
    if not same(sums, y):
        off = (sums - y).abs().nan_to_num(float("inf")) > 1e-4
        at = tuple(int(n) for n in off.nonzero()[0])
        return f"the contributions do not add up to y: those to y{list(at)} sum to {sums[at]:.4f}, and it is {y[at]:.4f}."
    return first_wrong(want, lambda b, i, s, e: f"what key {s} adds to component {e} of query {i}, over all heads")(got)


def _by_shape(got: Tensor, weights: Tensor, v: Tensor, W_O: Tensor) -> str:
    (B, H, L, S), D, E = weights.shape, v.shape[-1], W_O.shape[-1]
    shape = tuple(got.shape)
    return {
        (B, H, L, S, D): "these are the contributions to each head. Which product turns D components into E?",
        (B, H, L, S, E): "the heads are still apart. What does y do with their contributions?",
        (B, S, L, E): "the axes of queries and keys are swapped.",
        (B, L, E): "this is the shape of y, summed over the keys. The result needs one vector for each key.",
        (B, S, E): "the axis of queries is missing. Every query has weights of its own.",
    }.get(shape, "one vector of E components for each pair of query and key.")


def _why_raised(error: Exception) -> str:
    if any(text in str(error) for text in ("must match the size", "cannot be multiplied", "Expected size")):
        return (
            "(weights has the axes (B, H, L, S), and v @ W_O has (B, H, S, E). Which axis must be inserted into each before you "
            "multiply them?)"
        )
    return ""
