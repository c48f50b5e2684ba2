"""Checkers for predicted shapes and for positions in memory."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import conclude, kind, run
from attn.check.verdict import Verdict
from attn.record import Record
from attn.trace.table import as_shape

__all__ = ["offset", "shapes_of"]


def shapes_of(answer: Mapping[str, Sequence[int]], record: Record) -> Verdict:
    """Check a prediction of shapes, ``{"scores": (2, 3, 5, 5), ...}``, against the tensors of a run.

    The verdict names the first tensor whose shape differs and the axes it has, and says what is wrong: the order of the axes,
    their number, or a size.
    """
    tensors = dict(record.items())
    missing = [name for name in tensors if name not in answer]
    left = f" Not checked: {', '.join(missing)}." * bool(missing)
    return conclude(
        (_about_shape(name, tuple(predicted), record) for name, predicted in answer.items()),
        f"All {len(answer)} shapes agree with the run.{left}",
    )


def _about_shape(name: str, have: tuple[int, ...], record: Record) -> str:
    tensors = dict(record.items())
    if name not in tensors:
        return f"There is no tensor called {name!r}. The tensors are {', '.join(tensors)}."
    want, axes = tuple(tensors[name].shape), record.axes(name)
    if have == want:
        return ""
    wrong = f"{name} does not have the shape {as_shape(have)}."
    if len(have) != len(want):
        return f"{wrong} It has {len(want)} axes, {as_shape(axes)}; you gave {len(have)}."
    if sorted(have) == sorted(want):
        return f"{wrong} The sizes are right, but the order is wrong: the axes are {as_shape(axes)}."
    sizes = [f"{letter} is {size}, not {given}" for letter, size, given in zip(axes, want, have, strict=True) if size != given]
    return f"{wrong} Its axes are {as_shape(axes)}, and {'; '.join(sizes)}."


def offset(answer: Callable[[Tensor, tuple[int, ...]], Any]) -> Verdict:
    """Check an answer for "where in storage is element [b, h, i, d] of this tensor?": answer(tensor, index) -> int.

    The answer is run on a contiguous tensor, a permuted view, a slice that starts later in storage, and an expanded axis.
    """
    storage = torch.arange(240)
    tokens = storage[:120].view(2, 5, 3, 4)
    cases = {
        "a contiguous tensor": tokens,
        "a permuted view (its strides are no longer in decreasing order)": tokens.permute(0, 2, 1, 3),
        "a slice that does not start where its storage starts": storage.view(2, 5, 6, 4)[1:, 1:, ::2].permute(0, 2, 1, 3),
        "an expanded axis (its stride is 0)": tokens[:, :, :1].permute(0, 2, 1, 3).expand(2, 3, 5, 4),
    }
    return conclude(
        (complaint for what, tensor in cases.items() for complaint in _positions(answer, what, tensor)),
        "Right for contiguous, permuted, sliced and expanded tensors: the offset and the strides determine every position.",
    )


def _positions(answer: Callable[..., Any], what: str, tensor: Tensor) -> Iterator[str]:
    """Check the first element and 24 others; the value of each element of `tensor` is its position in storage."""
    given = f"For {what}, shape {as_shape(tensor.shape)}, strides {as_shape(tensor.stride())}"
    every = [tuple(int(i) for i in index) for index in torch.cartesian_prod(*map(torch.arange, tensor.shape))]
    for index in [every[0], *random.Random(0).sample(every, 24)]:
        got, complaint = run(partial(answer, tensor), {"index": index}, f"{given}, index {as_shape(index)}")
        yield complaint
        want = int(tensor[index])
        if not isinstance(got, int):
            yield f"{given}, your code returned {kind(got)}, not an integer."
        elif got != want:
            yield f"{given}, element {list(index)} is at {want}, not at {got}. {_offset_hint(tensor, index, got)}"


def _offset_hint(tensor: Tensor, index: tuple[int, ...], got: int) -> str:
    by_strides = sum(i * stride for i, stride in zip(index, tensor.stride(), strict=True))
    if tensor.storage_offset() and got == by_strides:
        return (
            "The strides are right, but this tensor does not start at the first element of its storage. Use "
            "tensor.storage_offset()."
        )
    row_major = 0
    for size, i in zip(tensor.shape, index, strict=True):
        row_major = row_major * size + i
    if got == row_major:
        return "You assumed that memory follows the order of the axes, but a view does not move its elements. Use tensor.stride()."
    return "One step along axis n moves tensor.stride(n) positions."
