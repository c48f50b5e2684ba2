"""GridLab: what view, permute and contiguous do to matrices of numbers, and to the row of memory in which the numbers lie."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.shapes import ShapeError
from attn.trace.table import table

__all__ = ["GridLab"]

_AXES = "BHLD"  # of the index

# The tensors that the lab shows, each by the name of its step: the axes, and the call that makes it.
STEPS = {
    "rows": ("BLE", "e = torch.arange({N}).view({B}, {L}, {E})"),
    "split": ("BLHD", "x = e.view({B}, {L}, {H}, {D})"),
    "heads": ("BHLD", "y = x.permute(0, 2, 1, 3)"),
    "copied": ("BHLD", "c = y.contiguous()"),
    "merged": ("BLE", "m = y.transpose(1, 2).flatten(2)"),
    "turned": ("BHDL", "t = y.transpose(2, 3)"),
    "swapped": ("HBLD", "s = y.transpose(0, 1)"),
    "wrong split": ("BHLD", "w = e.view({B}, {H}, {L}, {D})"),
    "wrong merge": ("BLE", "r = y.reshape({B}, {L}, {E})"),
}


class GridLab(Lab):
    """The numbers 0, 1, 2, ... as rows (B, L, E), split into heads, permuted, copied and merged, above the memory that they lie in.

    B, H, L, D: the sizes; E = H·D. step: which tensor is shown, a key of STEPS; each is made from the one its call names. index:
    [b, h, l, d] of the number that is looked at, in x of (B, L, H, D); a size that shrinks moves it inside. mark: what is marked
    together with it, "head" (its head in its sentence), "token" or "number". colour: "head", "token" or "value".

    After any change `lab.e`, `lab.x` and `lab.y` are the rows, their split and its permutation, on `attn.device()`. `lab.shown` is
    the tensor of the step, `lab.strides` its strides, `lab.storage` its memory, `lab.at` the index of the number in it, and
    `lab.place` the place of the number in its memory. `lab.agree` counts the numbers that stand where the right call puts them.

    Setting a size outside LIMITS raises traitlets.TraitError, an index outside the sizes ShapeError.
    """

    STATE = ("B", "H", "L", "D", "step", "index")
    VIEW = ("mark", "colour")
    LIMITS: ClassVar[Limits] = dict.fromkeys("BHLD", (1, 8))
    PAGE_LIMITS: ClassVar[Limits] = {"B": (1, 4), "H": (1, 4), "L": (1, 6), "D": (1, 6)}
    QUESTION = "permute gives every head a matrix of its own. Which numbers does it move in memory?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("permute L and H", {"step": "heads"}),
        ("copy in the new order", {"step": "copied"}),
        ("view, not permute", {"step": "wrong split"}),
    )
    PARTS = ("axes", "tables", "memory")
    CONTROLS = ("H", "L", "mark", "step", "B", "D", "colour")

    B = Size(2).tag(sync=True)
    H = Size(3).tag(sync=True)
    L = Size(5).tag(sync=True)
    D = Size(4).tag(sync=True)
    step = traitlets.Enum(tuple(STEPS), "split").tag(sync=True)
    index = traitlets.List(traitlets.Int(min=0), minlen=4, maxlen=4).tag(sync=True)
    mark = traitlets.Enum(("head", "token", "number"), "head").tag(sync=True)
    colour = traitlets.Enum(("head", "token", "value"), "head").tag(sync=True)

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
        e = torch.arange(B * L * H * D, device=device()).view(B, L, H * D)
        x = e.view(B, L, H, D)
        y = x.permute(0, 2, 1, 3)
        shown, right = _shown(self.step, e, x, y)
        b, h, i, d = self.index
        at = (shown == x[b, i, h, d]).nonzero()[0].tolist()
        return {
            "e": e,
            "x": x,
            "y": y,
            "shown": shown,
            "values": shown.flatten(),
            "shape": shown.shape,
            "strides": shown.stride(),
            "storage": shown.as_strided((shown.numel(),), (1,), 0),
            "contiguous": shown.is_contiguous(),
            "shared": shown.data_ptr() == e.data_ptr(),
            "at": at,
            "place": _place(shown, *at),
            "agree": int((shown == right).sum()),
        }

    def send(self, results: Mapping[str, Any]) -> Iterable[str]:
        return [name for name in results if name not in ("e", "x", "y", "shown")]

    def fallback(self) -> str:
        e, x, y = self.e, self.x, self.y
        b, h, i, d = self.index
        E = self.H * self.D
        number = int(x[b, i, h, d])
        rows = []
        for name, (axes, code) in STEPS.items():
            tensor, _ = _shown(name, e, x, y)
            at = (tensor == number).nonzero()[0].tolist()
            call = code.format(**self._sizes, E=E, N=x.numel())
            memory = "the same" if tensor.data_ptr() == e.data_ptr() else "a new row"
            where = f"{call[0]}{at} at {_dot_product(at, tensor.stride(), _place(tensor, *at))}"
            rows.append((call, f"({', '.join(axes)})", tuple(tensor.shape), tensor.stride(), memory, where))
        places = table(("call", "axes", "shape", "strides", "memory", f"where {number} is, and its place in memory"), rows)
        return f"<p><b>{self.QUESTION}</b></p>{places.html()}<p>None: permute exchanges strides. Memory stays as it is.</p>"

    @property
    def _sizes(self) -> dict[str, int]:
        return {axis: getattr(self, axis) for axis in _AXES}


def _shown(step: str, e: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """The tensor of a step, and the one that it should be."""
    B, H, L, D = y.shape
    match step:
        case "rows":
            return e, e
        case "split":
            return x, x
        case "copied":
            return y.contiguous(), y
        case "merged":
            return y.transpose(1, 2).flatten(2), e
        case "turned":
            return y.transpose(2, 3), y.transpose(2, 3)
        case "swapped":
            return y.transpose(0, 1), y.transpose(0, 1)
        case "wrong split":
            return e.view(B, H, L, D), y
        case "wrong merge":
            return y.reshape(B, L, H * D), e
        case _:
            return y, y


def _dot_product(index: Iterable[int], strides: tuple[int, ...], place: int) -> str:
    """1·60 + 1·12 + 2·4 + 3·1 = 83"""
    return f"{' + '.join(f'{i}·{stride}' for i, stride in zip(index, strides, strict=True))} = {place}"


def _place(tensor: Tensor, *index: int) -> int:
    """Where tensor[index] lies in the tensor's storage."""
    return int(tensor.storage_offset() + sum(i * stride for i, stride in zip(index, tensor.stride(), strict=True)))
