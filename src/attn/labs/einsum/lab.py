"""EinsumLab: a formula, the loops that it stands for, and the tensors on which they run."""

from collections.abc import Iterable, Mapping
from html import escape
from itertools import product
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.einsum.formula import Formula, read_formula
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.trace.table import table

__all__ = ["EinsumLab"]

_SCORES = "bhld,bhsd->bhls"
_ONE_K = [1, 1, 2, 4, 0]  # k[1, 2, 4, 0]
_OPERANDS = ("left", "right")
_SHARED = 10  # what each row of weights sums to
_RADIX = 16  # no axis is longer, so an index has one digit for each axis
_MEANING = {
    "matched": "matched, index by index",
    "free": "free, each with each",
    "summed": "summed: products in pairs, added up",
    "alone": "summed alone, without a partner",
}


class EinsumLab(Lab):
    """Computes a formula such as "bhld,bhsd->bhls" for one or two tensors of small whole numbers, as loops that can be watched.

    formula: the axes of the tensors *left* and *right*, an arrow, the axes of the result; letters of the book in lower case, up to
    four for each tensor. B, L, S, E, H, G, D: the sizes of the axes. seed: chooses the numbers, from -3 to 3 without 0; weights,
    the first tensor of bhls,bhsd->bhld and its like, are 0 or more, and each row of them sums to 10.
    nudge: a number to which 1 is added: [0, i, j, ...] is left[i, j, ...], [1, i, j, ...] is right[i, j, ...], None is none. An
    index that is too large means the last one, and a tensor with another count of axes has no such number.

    step: how many times the line inside the loops has run, None for all; 1.5 is halfway through the second time. film: whether the
    loops and their player are shown; with a step they are. pin: the number that is explained: [0, n] is number n of left, [1, n] of
    right, [2, n] of the result. colour: "value", or where a number is from: "key" or "head".

    After any change, `lab.left`, `lab.right` (None if the formula has one tensor) and `lab.result` are the tensors, on
    `attn.device()`; `lab.changed` says which results the nudge changes (None without one); `lab.roles` is the role of each letter
    ("matched", "free", "summed" or "alone"); `lab.counts` is the number of results, of terms in each result, and of multiplications
    in the loops; `lab.loops` is the same computation as loops in Python, for a result that is full of zeros before.

    An invalid formula raises ShapeError with the reason, and a size outside LIMITS raises traitlets.TraitError. The lab shows the
    same message and keeps its settings.
    """

    QUESTION = "Add 1 to one element of k. Which scores change?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("k[1, 2, 4, 0] += 1", {"formula": _SCORES, "nudge": _ONE_K, "pin": None, "step": None, "film": False}),
        ("run the loops", {"formula": _SCORES, "nudge": None, "pin": None, "step": None, "film": True}),
        ("forget h", {"formula": "bhld,bhsd->bls", "nudge": None, "pin": None, "step": None, "film": True}),
        ("two letters for heads", {"formula": "bhld,bgsd->bhls", "nudge": _ONE_K, "pin": None, "step": None, "film": False}),
    )
    PARTS = ("loops", "tensors", "time")
    CONTROLS = ("H", "S", "formula", "others", "colour", "B", "L", "D", "E", "G", "seed")
    STATE = ("formula", "B", "L", "S", "E", "H", "G", "D", "seed", "nudge")
    VIEW = ("step", "film", "pin", "colour")
    LIMITS: ClassVar[Limits] = dict.fromkeys("BHG", (1, 8)) | dict.fromkeys("LSED", (1, 16))
    PAGE_LIMITS: ClassVar[Limits] = {"B": (1, 3)} | dict.fromkeys("HG", (1, 4)) | dict.fromkeys("LSD", (1, 8)) | {"E": (1, 12)}

    formula = traitlets.Unicode(_SCORES).tag(sync=True)
    B = Size(2).tag(sync=True)
    L = Size(5).tag(sync=True)
    S = Size(7).tag(sync=True)
    E = Size(12).tag(sync=True)
    H = Size(3).tag(sync=True)
    G = Size(3).tag(sync=True)
    D = Size(4).tag(sync=True)
    seed = traitlets.Int(0, min=0, max=9999).tag(sync=True)
    nudge = traitlets.List(traitlets.Int(min=0), None, minlen=2, maxlen=5, allow_none=True).tag(sync=True)
    step = traitlets.Float(None, min=0, allow_none=True).tag(sync=True)
    film = traitlets.Bool(False).tag(sync=True)
    colour = traitlets.Enum(("value", "key", "head"), "value").tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), None, minlen=2, maxlen=2, allow_none=True).tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        read_formula(state["formula"])  # raises ShapeError if it is invalid
        return state

    def compute(self) -> Mapping[str, Any]:
        formula, sizes = self._read()
        operands = [
            self._whole_numbers(name, formula.shape(axes, sizes)) for name, axes in zip(_OPERANDS, formula.tensors, strict=False)
        ]
        if formula.is_of_weights:
            operands[0] = _shared(operands[0])
        before = None
        if nudged := self._nudged(operands):
            before = torch.einsum(str(formula), *operands)
            side, index = nudged
            operands[side] = operands[side].clone()  # what einsum returned may be a view
            operands[side][index] += 1
        result = torch.einsum(str(formula), *operands)
        steps = formula.steps(sizes)
        return {
            "left": operands[0],
            "right": operands[1] if len(operands) > 1 else None,
            "result": result,
            "changed": None if before is None else result != before,
            "roles": {letter: formula.role(letter) for letter in formula.letters},
            "counts": {
                "results": result.numel(),
                "terms": steps // result.numel(),
                "multiplications": steps if len(operands) > 1 else 0,
            },
            "loops": formula.loops(sizes),
        }

    def send(self, results: Mapping[str, Any]) -> Iterable[str]:
        return [name for name in (*_OPERANDS, "result", "changed") if results[name] is not None]

    def _read(self) -> tuple[Formula, dict[str, int]]:
        return read_formula(self.formula), {letter.lower(): getattr(self, letter) for letter in self.LIMITS}

    def _nudged(self, operands: list[Tensor]) -> tuple[int, tuple[int, ...]] | None:
        """The side and the index of the number that is nudged."""
        side, *index = self.nudge or [0]
        if side >= len(operands) or len(index) != operands[side].dim():
            return None
        return side, tuple(min(at, size - 1) for at, size in zip(index, operands[side].shape, strict=True))

    def _whole_numbers(self, name: str, shape: tuple[int, ...]) -> Tensor:
        """Whole numbers from -3 to 3 without 0, each a function of its index: a longer axis changes no number that was there."""
        *outer, last = shape
        rows = [sum(at * _RADIX**n for n, at in enumerate(index)) for index in product(*map(range, outer))]
        numbers = normal(self.seed, name, rows, last).double()
        whole = numbers.abs().mul(1.5).ceil().clamp(1, 3).copysign(numbers)
        return whole.float().reshape(shape).to(device())

    def fallback(self) -> str:
        formula, sizes = self._read()
        columns = ["axis", "size", *(f"in {name}" for name in _OPERANDS[: len(formula.tensors)]), "in the result", "the axis is"]
        rows = [
            [
                letter.upper(),
                str(sizes[letter]),
                *("yes" if letter in axes else "–" for axes in (*formula.tensors, formula.result)),
                _MEANING[formula.role(letter)],
            ]
            for letter in formula.letters
        ]
        results, terms, count = self.counts.values()
        return (
            f"<p>torch.einsum(&quot;{formula}&quot;, {', '.join(_OPERANDS[: len(formula.tensors)])}) has the shape "
            f"{tuple(self.result.shape)}: {results:,} results of {terms:,} terms each, {count:,} multiplications.</p>"
            f"{table(columns, rows).html()}"
            f"<pre>{escape(self.loops)}</pre>"
        )


def _shared(numbers: Tensor) -> Tensor:
    """Weights in whole numbers: of _SHARED, each number of a row has the share of its square."""
    sums = numbers.long().square().cumsum(-1)
    total = sums[..., -1:]
    upto = (2 * _SHARED * sums + total) // (2 * total)  # rounded
    return upto.diff(dim=-1, prepend=torch.zeros_like(total)).float()
