"""Checkers for causal convolutions, which read a few earlier tokens at fixed distances: one layer, and what a stack reads."""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import Mistakes, combined, conclude, examine, first_wrong, normal
from attn.check.verdict import Verdict

__all__ = ["causal_convolution", "tokens_read"]

# B, L, E, kernel, D, dilation of a layer. In the last one some of what is read lies before the first token for every output.
_LAYERS = ((2, 7, 4, 3, 6, 2), (3, 5, 2, 2, 3, 1), (2, 3, 4, 3, 5, 2))
# L, kernel, dilations of a stack. The last one leaves gaps.
_STACKS = ((11, 2, (1, 2, 4)), (9, 3, (1, 1)), (13, 2, (1, 3)))


@torch.no_grad()
def causal_convolution(answer: Callable[[Tensor, Tensor, int], Any]) -> Verdict:
    """Check answer(x, W, dilation) -> (B, L, D), for x (B, L, E) and W (kernel, E, D).

    Output t is the sum over n of token t - n·dilation times W[n]; before the first token there are zeros. The verdict recognises by
    value which tokens were read instead.
    """
    return conclude(
        (_complaint(answer, *run) for run in _LAYERS),
        "Output t reads token t and earlier ones at the right distances, and zeros before the first token.",
    )


def _complaint(answer: Callable[..., Any], B: int, L: int, E: int, kernel: int, D: int, dilation: int) -> str:
    x, W = normal((B, L, E), (kernel, E, D), seed=L)
    gaps = [n * dilation for n in range(kernel)]

    def wrong_shape(got: Tensor) -> str:
        if got.ndim == 3 and got.shape[1] < L:
            return "the first outputs are missing. They read zeros where there is no token yet: put zeros in front of x."
        if got.ndim == 3 and got.shape[1] > L:
            return "there are outputs after the last token. Put zeros in front of x only, as many as the convolution reaches back."
        return ""

    def why(error: Exception) -> str:
        if "(0)" in str(error):
            return "(If gap is 0, x[:, :-gap] is empty.)"
        return ""

    def meaning(b: int, t: int, d: int) -> str:
        read = [str(t - gap) for gap in gaps if t >= gap]
        return f"output {t} reads {'token' if len(read) == 1 else 'tokens'} {', '.join(read)}"

    want = _sum([_before(x, gap) for gap in gaps], W)
    return examine(
        answer,
        {"x": x, "W": W, "dilation": dilation},
        want,
        "(B, L, D)",
        _mistakes(x, W, gaps, dilation),
        wrong_values=first_wrong(want, meaning),
        wrong_shape=wrong_shape,
        why=why,
    )


def _sum(read: Iterable[Tensor], W: Tensor) -> Tensor:
    """Each (B, L, E) that is read, times its matrix; the sum of these."""
    return torch.stack([tokens @ matrix for tokens, matrix in zip(read, W, strict=True)]).sum(0)


def _at(x: Tensor, gap: int) -> Tensor:
    """The positions t - gap of x."""
    return torch.arange(x.shape[1], device=x.device) - gap


def _before(x: Tensor, gap: int) -> Tensor:
    """At position t the token of position t - gap; zeros where there is none."""
    at = _at(x, gap)
    inside = (at >= 0) & (at < x.shape[1])
    return x[:, at.clamp(0, x.shape[1] - 1)] * inside[:, None]


def _around(x: Tensor, gap: int) -> Tensor:
    """The same in a circle."""
    return x[:, _at(x, gap) % x.shape[1]]


def _repeated(x: Tensor, gap: int) -> Tensor:
    """The same, with the first token in place of zeros."""
    return x[:, _at(x, gap).clamp(0, x.shape[1] - 1)]


_CIRCLE = (
    "tokens move in a circle, as with x.roll: the last ones come in at the front, so the first outputs read later tokens. What "
    "should stand before the first token?"
)
_FIRST = "the first token is repeated in front. What should stand before the first token?"


def _mistakes(x: Tensor, W: Tensor, gaps: list[int], dilation: int) -> Mistakes:
    """The results of known mistakes, each with a hint: single ones first, then those in which two meet."""
    kernel = len(gaps)
    order = (
        (gaps, W, ""),
        ([-gap for gap in gaps], W, "output t reads token t and later ones: tokens that do not exist yet when a model generates."),
        (gaps, W.flip(0), "W[0] belongs to token t itself. You apply the matrices in the opposite order, the first to the oldest."),
        (
            [gap - kernel // 2 * dilation for gap in gaps],
            W,
            "output t reads tokens on both sides of t, as padding on both sides does. Half of what it reads does not exist yet.",
        ),
        ([gap + dilation for gap in gaps], W, "output t does not read token t. The first distance is 0."),
        (list(range(kernel)), W, "the tokens read are neighbours. Where does the dilation come in?"),
        (
            [dilation**n for n in range(kernel)],
            W,
            "the distances are dilation ** n. Within a layer they are n * dilation; powers are for the dilations of a stack.",
        ),
    )
    for read, first in ((_before, ""), (_around, _CIRCLE), (_repeated, _FIRST)):
        for distances, matrices, second in order:
            if first or second:
                yield _sum([read(x, gap) for gap in distances], matrices), combined(first, second)
    yield (
        _sum([_before(x, gap) for gap in gaps], W) / kernel,
        "it is the mean of what is read, and should be the sum.",
    )


@torch.no_grad()
def tokens_read(answer: Callable[[int, int, tuple[int, ...]], Any]) -> Verdict:
    """Check answer(L, kernel, dilations) -> (L, L): True where output t, down, depends on token s, across, in a stack of causal
    convolutions with these dilations, the first layer first.

    The verdict recognises by value what was computed instead of the product of the layers' masks.
    """
    return conclude(
        (_about_stack(answer, *run) for run in _STACKS),
        "Output t depends on token s if some path leads from one to the other: the masks of the layers are multiplied.",
    )


def _about_stack(answer: Callable[..., Any], L: int, kernel: int, dilations: tuple[int, ...]) -> str:
    distance = torch.arange(L)[:, None] - torch.arange(L)

    def meaning(t: int, s: int) -> str:
        return f"whether output {t} depends on token {s}, which is {abs(t - s)} {'back' if s <= t else 'ahead'}"

    def wrong_values(got: Tensor) -> str:
        return first_wrong(want, meaning)(got)

    want = _paths(distance, kernel, dilations).gt(0).float()
    operands = {"L": L, "kernel": kernel, "dilations": dilations}
    return examine(answer, operands, want, "(L, L)", _wrong_stacks(distance, kernel, dilations), wrong_values=wrong_values)


def _reads(distance: Tensor, gaps: Iterable[int]) -> Tensor:
    """The mask of a layer, as 0 and 1: which positions have one of these distances."""
    return torch.stack([distance == gap for gap in gaps]).any(0).float()


def _paths(distance: Tensor, kernel: int, dilations: Iterable[int], first: int = 0) -> Tensor:
    """How many paths lead from each token, across, to each output, down. first: 1 if no layer reads its own position."""
    paths = (distance == 0).float()
    for dilation in dilations:
        paths = _reads(distance, [n * dilation for n in range(first, kernel)]) @ paths
    return paths


_JOINED = (
    "it joins the masks of the layers. A later layer reads outputs of the one below, which depend on more than themselves: which "
    "operation combines two steps of a path?"
)


def _wrong_stacks(distance: Tensor, kernel: int, dilations: tuple[int, ...]) -> Mistakes:
    """The results of known mistakes, each with a hint."""
    layers = [_reads(distance, [n * dilation for n in range(kernel)]) for dilation in dilations]
    right, reach = _paths(distance, kernel, dilations), sum((kernel - 1) * dilation for dilation in dilations)
    around = _paths(distance.abs(), kernel, dilations)
    behind, near = distance >= 0, distance <= reach
    whole, neighbours = kernel * sum(dilations), _paths(distance, kernel, [1] * len(dilations))
    yield torch.stack(layers).sum(0).gt(0).float(), _JOINED
    yield layers[-1], "it is the mask of the last layer alone. What do the positions that it reads depend on?"
    yield right.mT.gt(0).float(), "rows and columns are swapped: a row belongs to an output, a column to a token."
    yield right, "it counts paths. Compare with 0 to know whether there is one."
    yield (behind & near).float(), "the layers leave gaps: with these dilations not every token within reach is read."
    yield (distance.abs() <= reach).float(), "it contains later tokens."
    yield around.gt(0).float(), "it contains later tokens."
    yield (behind & (distance < kernel ** len(dilations))).float(), "each layer adds (kernel - 1) * dilation; it does not multiply."
    yield (behind & (distance <= whole)).float(), "a kernel of size 3 reaches 2 tokens back, not 3."
    yield _paths(distance, kernel, dilations, first=1).gt(0).float(), "no layer reads its own position. The first distance is 0."
    yield neighbours.gt(0).float(), "each layer reads neighbours. Where do the dilations come in?"
