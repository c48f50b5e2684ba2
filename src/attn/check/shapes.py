"""Checkers for predicted shapes and for places in memory."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import ask, conclude
from attn.check.verdict import Verdict
from attn.record import Record
from attn.trace.table import as_shape

__all__ = ["offset", "shapes_of"]


def shapes_of(answer: Mapping[str, Sequence[int]], record: Record) -> Verdict:
    """Check a prediction of shapes, ``{"scores": (2, 3, 5, 5), ...}``, against tensors that were really computed.

    The verdict names the first tensor whose shape differs and the axes it has, and says what was mixed up: the order of the
    axes, how many there are, or which size stands where.
    """
    tensors = dict(record.items())
    for name, predicted in answer.items():
        if name not in tensors:
            return Verdict(False, f"There is no tensor called {name!r}; there are {', '.join(tensors)}.")
        have, want, axes = tuple(predicted), tuple(tensors[name].shape), record.axes(name)
        if have == want:
            continue
        said = f"{name} is not {as_shape(have)}."
        if len(have) != len(want):
            return Verdict(False, f"{said} It has {len(want)} axes, {as_shape(axes)}, and you gave {len(have)}.")
        if sorted(have) == sorted(want):
            return Verdict(False, f"{said} The sizes are right, their order is not: the axes come as {as_shape(axes)}.")
        wrong = [f"{letter} is {size}, not {given}" for letter, size, given in zip(axes, want, have, strict=True) if size != given]
        return Verdict(False, f"{said} Its axes are {as_shape(axes)}, and {'; '.join(wrong)}.")
    missing = [name for name in tensors if name not in answer]
    return Verdict(True, f"All {len(answer)} shapes are those of the run." + (f" Not asked: {', '.join(missing)}." * bool(missing)))


def offset(answer: Callable[[Tensor, tuple[int, ...]], Any]) -> Verdict:
    """Check an answer for "where in storage does element [b, h, i, d] of this tensor lie?": answer(tensor, index) -> int.

    It is asked about a contiguous tensor, a permuted view, a slice that starts later, and one axis that is expanded.
    """
    storage = torch.arange(240)
    tokens = storage[:120].view(2, 5, 3, 4)
    cases = {
        "a contiguous tensor": tokens,
        "a permuted view (its strides are no longer in falling order)": tokens.permute(0, 2, 1, 3),
        "a slice that does not begin where its storage begins": storage.view(2, 5, 6, 4)[1:, 1:, ::2].permute(0, 2, 1, 3),
        "an expanded axis (its stride is 0)": tokens[:, :, :1].permute(0, 2, 1, 3).expand(2, 3, 5, 4),
    }
    return conclude(
        (complaint for what, tensor in cases.items() for complaint in _places(answer, what, tensor)),
        "Right for contiguous, permuted, sliced and expanded tensors alike: offset and strides say it all.",
    )


def _places(answer: Callable[..., Any], what: str, tensor: Tensor) -> Iterator[str]:
    """Ask for the places of the first element and of 24 others; each element of `tensor` is its place in storage."""
    given = f"For {what}, shape {as_shape(tensor.shape)}, strides {as_shape(tensor.stride())}"
    every = [tuple(int(i) for i in index) for index in torch.cartesian_prod(*map(torch.arange, tensor.shape))]
    for index in [every[0], *random.Random(0).sample(every, 24)]:
        got, complaint = ask(partial(answer, tensor), {"index": index}, f"{given}, index {as_shape(index)},")
        yield complaint
        want = int(tensor[index])
        if not isinstance(got, int):
            yield f"{given}, your code returned {type(got).__name__}, not a whole number."
        elif got != want:
            yield f"{given}: element {list(index)} lies at {want}, you say {got}. {_offset_hint(tensor, index, got)}"


def _offset_hint(tensor: Tensor, index: tuple[int, ...], got: int) -> str:
    by_strides = sum(i * stride for i, stride in zip(index, tensor.stride(), strict=True))
    if tensor.storage_offset() and got == by_strides:
        return "The strides are right; the first element of this tensor is not the first of its storage: tensor.storage_offset()."
    row_major = 0
    for size, i in zip(tensor.shape, index, strict=True):
        row_major = row_major * size + i
    if got == row_major:
        return "You counted as if memory followed the order of the axes; a view keeps its old memory. Use tensor.stride()."
    return "One step along axis n moves tensor.stride(n) places."
