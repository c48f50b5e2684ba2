"""Checkers for predicted shapes and for positions in memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import conclude, kind, run
from attn.check.verdict import Verdict
from attn.record import Record
from attn.trace.table import as_shape

__all__ = ["cross_shapes", "offset", "shapes_of"]

_Shapes = Mapping[str, tuple[tuple[int, ...], Sequence[str]]]  # by the names of tensors: their shapes and axes


def shapes_of(answer: Mapping[str, Sequence[int]], record: Record) -> Verdict:
    """Check a prediction of shapes, ``{"scores": (2, 3, 5, 5), ...}``, against the tensors of a run.

    The verdict names the first tensor whose shape differs and the axes it has, and says what is wrong: the order of the axes,
    their number, or a size.
    """
    run_shapes = {name: (tuple(tensor.shape), record.axes(name)) for name, tensor in record.items()}
    return _agree(answer, run_shapes, "the run")


def cross_shapes(answer: Any) -> Verdict:
    """Check a prediction, a dict of the shapes in cross-attention with H = 3 heads: x is (2, 5, 12), context (2, 7, 12).

    The names are q, k, v, scores, heads and y; only v may be left out. The verdict is that of `shapes_of` for a layer with these
    inputs.
    """
    wanted = {name: (tuple(_SIZES[axis] for axis in axes), axes) for name, axes in _CROSS.items()}
    return _agree(answer, wanted, "those of a layer", needed=("q", "k", "scores", "heads", "y"))


_SIZES = {"B": 2, "H": 3, "L": 5, "S": 7, "D": 4, "E": 12}
_CROSS = {"q": "BHLD", "k": "BHSD", "v": "BHSD", "scores": "BHLS", "heads": "BHLD", "y": "BLE"}


def _agree(answer: Any, wanted: _Shapes, whose: str, needed: Sequence[str] = ()) -> Verdict:
    if not isinstance(answer, dict):
        return Verdict(False, f'Your answer is {kind(answer)}, not a dict of shapes such as {{"q": (2, 3, 5, 4)}}.')
    missing = [name for name in wanted if name not in answer]
    left = f" Not checked: {', '.join(missing)}." * bool(missing)
    gaps = [f"There is no shape for {name}." for name in missing if name in (needed or missing * (not answer))]
    return conclude(
        [*(_about_shape(name, predicted, wanted) for name, predicted in answer.items()), *gaps],
        f"All {len(answer)} shapes agree with {whose}.{left}",
    )


def _about_shape(name: str, predicted: Any, wanted: _Shapes) -> str:
    if name not in wanted:
        return f"There is no tensor called {name!r}. The tensors are {', '.join(wanted)}."
    want, axes = wanted[name]
    if not isinstance(predicted, (tuple, list)) or not all(isinstance(size, int) for size in predicted):
        return f"{name} is not a shape: write a tuple of whole numbers, one for each of {as_shape(axes)}."
    have = tuple(predicted)
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
    storage = torch.arange(240) + _ABOVE  # no element is its own position
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


_ABOVE = 1000


def _positions(answer: Callable[..., Any], what: str, tensor: Tensor) -> Iterator[str]:
    """Check 25 elements from all parts, the first one first; an element of `tensor` is its position in storage, plus _ABOVE."""
    given = f"For {what}, shape {as_shape(tensor.shape)}, strides {as_shape(tensor.stride())}"
    every = [tuple(int(i) for i in index) for index in torch.cartesian_prod(*map(torch.arange, tensor.shape))]
    for n in range(25):
        index = every[37 * n % len(every)]
        got, complaint = run(partial(answer, tensor), {"index": index}, f"{given}, index {as_shape(index)}")
        yield complaint
        want = int(tensor[index]) - _ABOVE
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
