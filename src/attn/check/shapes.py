"""Checkers for predicted shapes and for positions in memory, there and back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import conclude, kind, run
from attn.check.verdict import Verdict
from attn.record import Record
from attn.trace.table import as_shape

__all__ = ["cross_shapes", "indices_at", "offset", "shapes_of"]

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
    return conclude(
        (complaint for what, tensor in _layouts().items() for complaint in _positions(answer, what, tensor)),
        "Right for contiguous, permuted, sliced and expanded tensors: the offset and the strides determine every position.",
    )


def indices_at(answer: Callable[[Tensor, int], Any]) -> Verdict:
    """Check an answer for "which elements lie at this place of a tensor's storage?": answer(tensor, place) -> list of indices.

    An index is a tuple of whole numbers; the order of the list is free. A slice skips places: no index leads there. An expanded
    axis visits a place several times.
    """
    return conclude(
        (complaint for what, tensor in _layouts().items() for complaint in _visits(answer, what, tensor)),
        "Right for contiguous, permuted, sliced and expanded tensors: a place can have one index, none, or several.",
    )


_ABOVE = 1000


def _layouts() -> dict[str, Tensor]:
    """Tensors whose elements lie in memory in every way; an element is its position in storage, plus _ABOVE."""
    storage = torch.arange(240) + _ABOVE  # no element is its own position
    tokens = storage[:120].view(2, 5, 3, 4)
    return {
        "a contiguous tensor": tokens,
        "a permuted view (its strides are no longer in decreasing order)": tokens.permute(0, 2, 1, 3),
        "a slice that does not start where its storage starts": storage.view(2, 5, 6, 4)[1:, 1:, ::2].permute(0, 2, 1, 3),
        "an expanded axis (its stride is 0)": tokens[:, :, :1].permute(0, 2, 1, 3).expand(2, 3, 5, 4),
    }


def _every_index(tensor: Tensor) -> list[tuple[int, ...]]:
    return [tuple(int(i) for i in index) for index in torch.cartesian_prod(*map(torch.arange, tensor.shape))]


def _positions(answer: Callable[..., Any], what: str, tensor: Tensor) -> Iterator[str]:
    """Check 25 elements from all parts, the first one first; an element of `tensor` is its position in storage, plus _ABOVE."""
    given = f"For {what}, shape {as_shape(tensor.shape)}, strides {as_shape(tensor.stride())}"
    every = _every_index(tensor)
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
    by_strides = _jumps(tensor, index)
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


def _jumps(tensor: Tensor, index: tuple[int, ...]) -> int:
    return sum(i * stride for i, stride in zip(index, tensor.stride(), strict=True))


def _visits(answer: Callable[..., Any], what: str, tensor: Tensor) -> Iterator[str]:
    """Check 12 places from all parts: some that an element of `tensor` has, and some between them."""
    given = f"For {what}, shape {as_shape(tensor.shape)}, strides {as_shape(tensor.stride())}"
    every = _every_index(tensor)
    start = tensor.storage_offset()
    held = sorted({int(tensor[index]) - _ABOVE for index in every})
    skipped = [place for place in range(held[0], held[-1]) if place not in held]
    for n in range(12):
        places = skipped if skipped and n % 4 == 3 else held
        place = places[(1 + 7 * n) % len(places)]
        got, complaint = run(partial(answer, tensor), {"place": place}, f"{given}, place {place}")
        yield complaint
        if not isinstance(got, (list, tuple, set)) or not all(isinstance(index, tuple) for index in got):
            yield f"{given}, place {place}, your code returned {kind(got)}, not a list of tuples such as [(0, 1, 2, 3)]."
            continue
        have = sorted(got)
        want = [index for index in every if int(tensor[index]) - _ABOVE == place]
        if have == want:
            continue
        if not want:
            hint = "No element lies there: this slice skips the place. Return an empty list."
        elif start and have == [index for index in every if _jumps(tensor, index) == place]:
            hint = f"Your strides are right, but this tensor starts at place {start}. Use tensor.storage_offset()."
        elif have and all(index in want for index in have):
            hint = f"{len(want)} elements lie there, because a step along an axis of stride 0 does not move."
        elif have == _row_major(tensor, place):
            hint = "Memory does not follow the order of the axes here: a view does not move its elements. Use tensor.stride()."
        else:
            hint = f"An index lies there if {start} plus the sum of index times stride is {place}."
        yield f"{given}, place {place} holds {_listed_indices(want)}, not {_listed_indices(have)}. {hint}"


def _row_major(tensor: Tensor, place: int) -> list[tuple[int, ...]]:
    """The index that a contiguous tensor of this shape would have there."""
    index: list[int] = []
    for size in reversed(tensor.shape):
        index.insert(0, place % size)
        place = place // size
    return [] if place else [tuple(index)]


def _listed_indices(indices: Sequence[tuple[int, ...]]) -> str:
    return ", ".join(str(list(index)) for index in indices[:3]) + ", …" * (len(indices) > 3) or "no element"
