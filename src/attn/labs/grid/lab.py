"""GridLab: the same numbers in the two orders of axes, and where each of them lies in memory."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.lab import Lab, Limits, Size
from attn.shapes import ShapeError
from attn.trace.table import table

__all__ = ["GridLab"]

_AXES = "BHLD"  # of the index and of order 2


class GridLab(Lab):
    """The numbers 0, 1, 2, ... as (B, L, H, D), the result of a view, and as (B, H, L, D), the input of attention.

    B, H, L, D: the sizes. copied: whether order 2 gets a memory of its own (`contiguous`). index: [b, h, l, d] of the number
    that is looked at; a size that shrinks moves it inside. depth: how many indices the reader has chosen, from 0, the whole
    drawer, to 4, one number. order: in which of the two orders, 1 or 2.

    After any change `lab.x` and `lab.y` are the two tensors, on `attn.device()`, `lab.strides1` and `lab.strides2` their
    strides, and `lab.offset1` and `lab.offset2` the places of the number in their memories.

    Setting a size outside LIMITS raises traitlets.TraitError, an index outside the sizes ShapeError.
    """

    STATE = ("B", "H", "L", "D", "copied", "index")
    VIEW = ("depth", "order")
    LIMITS: ClassVar[Limits] = {"B": (1, 8), "H": (1, 8), "L": (1, 8), "D": (1, 8), "depth": (0, 4), "order": (1, 2)}
    PAGE_LIMITS: ClassVar[Limits] = {"B": (1, 4), "H": (1, 4), "L": (1, 6), "D": (1, 6), "depth": (0, 4), "order": (1, 2)}

    B = Size(2).tag(sync=True)
    H = Size(3).tag(sync=True)
    L = Size(5).tag(sync=True)
    D = Size(4).tag(sync=True)
    copied = traitlets.Bool(False).tag(sync=True)
    index = traitlets.List(traitlets.Int(min=0), minlen=4, maxlen=4).tag(sync=True)
    depth = Size(2).tag(sync=True)
    order = Size(2).tag(sync=True)

    @traitlets.default("index")
    def _default_index(self) -> list[int]:
        return self._inside([1, 2, 1, 3], {axis: getattr(self, axis) for axis in _AXES})

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        inside = self._inside(state["index"], state)
        if "index" in changed:
            for axis, i, valid in zip(_AXES, state["index"], inside, strict=True):
                if i != valid:
                    size = state[axis]
                    raise ShapeError(
                        f"index = {state['index']} is [b, h, l, d], but {axis} = {size}: {axis.lower()} goes from 0 to {size - 1}."
                    )
        return state | {"index": inside}

    @staticmethod
    def _inside(index: Iterable[int], sizes: Mapping[str, int]) -> list[int]:
        return [min(i, sizes[axis] - 1) for axis, i in zip(_AXES, index, strict=True)]

    def compute(self) -> Mapping[str, Any]:
        B, H, L, D = self.B, self.H, self.L, self.D
        b, h, i, d = self.index
        x = torch.arange(B * L * H * D, device=device()).view(B, L, H, D)
        y = x.permute(0, 2, 1, 3)
        if self.copied:
            y = y.contiguous()
        return {
            "x": x,
            "y": y,
            "values": y.flatten(),
            "strides1": x.stride(),
            "strides2": y.stride(),
            "offset1": _place(x, b, i, h, d),
            "offset2": _place(y, b, h, i, d),
            "contiguous2": y.is_contiguous(),
            "shared": x.data_ptr() == y.data_ptr(),
            "storage": y.as_strided((y.numel(),), (1,), 0),
        }

    def send(self, results: Mapping[str, Any]) -> Iterable[str]:
        return [name for name in results if name not in ("x", "y")]

    def fallback(self) -> str:
        b, h, i, d = self.index
        rows = [
            ("1", "(B, L, H, D)", self.x, f"x[{b}, {i}, {h}, {d}]", (b, i, h, d), self.offset1),
            ("2", "(B, H, L, D)", self.y, f"y[{b}, {h}, {i}, {d}]", (b, h, i, d), self.offset2),
        ]
        places = table(
            ("order", "axes", "shape", "strides", "index", "place in memory"),
            [
                (order, axes, tuple(tensor.shape), tensor.stride(), name, _dot_product(index, tensor.stride(), place))
                for order, axes, tensor, name, index, place in rows
            ],
        )
        memory = "one memory for both" if self.shared else "order 2 is a copy, with a memory of its own"
        return f"{places.html()}<p>Both are the number {int(self.y[b, h, i, d])}; {memory}.</p>"


def _dot_product(index: tuple[int, ...], strides: tuple[int, ...], place: int) -> str:
    """1·60 + 1·12 + 2·4 + 3·1 = 83"""
    return f"{' + '.join(f'{i}·{stride}' for i, stride in zip(index, strides, strict=True))} = {place}"


def _place(tensor: Tensor, *index: int) -> int:
    """Where tensor[index] lies in the tensor's storage."""
    return int(tensor.storage_offset() + sum(i * stride for i, stride in zip(index, tensor.stride(), strict=True)))
