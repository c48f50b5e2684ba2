"""Where the numbers of a tensor are: its layout, and whether it shares the memory of another tensor."""

from collections.abc import Sequence

import torch
from torch import Tensor

__all__ = ["layout_of", "memory_of", "tensors_in"]


def tensors_in(value: object) -> list[Tensor]:
    """The tensors in a value, also those in tuples, lists and dicts."""
    if isinstance(value, Tensor):
        return [] if value.is_nested else [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [tensor for item in inner for tensor in tensors_in(item)]


def layout_of(tensor: Tensor) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Shape, strides and offset. A sparse tensor has no strides."""
    dense = tensor.layout is torch.strided
    return tuple(tensor.shape), tensor.stride() if dense else (), int(tensor.storage_offset()) if dense else 0


def memory_of(result: Tensor, inputs: Sequence[Tensor], *, writes: bool, moves: bool) -> str:
    """What `Row.memory` says of an operation's result.

    writes: the operation writes to its input. moves: it moves numbers and computes none.
    """
    storage = _storage(result)
    if storage is None:
        return "unknown"
    shared = [x for x in inputs if _storage(x) is storage]
    if not shared:
        return "copy" if moves else "new"
    if writes:
        return "in place"
    return "same" if any(layout_of(x) == layout_of(result) for x in shared) else "view"


def _storage(tensor: Tensor) -> object:
    """The memory behind a tensor: one object for all tensors that share it, even if it is empty. None if torch does not say."""
    try:
        return tensor.untyped_storage()
    except RuntimeError:  # sparse, or wrapped by torch.func
        return None
