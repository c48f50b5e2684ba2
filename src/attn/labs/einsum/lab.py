"""EinsumLab: write a formula, and see which axes are matched, free and summed, its loops, and its result."""

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
from attn.trace.table import table

__all__ = ["EinsumLab"]

_OPERANDS = ("left", "right")
_RADIX = 16  # no axis is longer, so an index has one digit for each axis
_MEANING = {
    "matched": "matched, index by index",
    "free": "free, each with each",
    "summed": "summed: products in pairs, added up",
    "alone": "summed alone, without a partner",
}


class EinsumLab(Lab):
    """Computes a formula such as "bhld,bhsd->bhls" for one or two tensors of small whole numbers.

    formula: the axes of the tensors *left* and *right*, an arrow, the axes of the result; letters of the book in lower case, up to
    four for each tensor. B, L, S, E, H, G, D: the sizes of the axes. pin: the number that is explained: (0, n) is number n of left,
    (1, n) of right, (2, n) of the result.

    After any change, `lab.left`, `lab.right` (None if the formula has one tensor) and `lab.result` are the tensors, on
    `attn.device()`; `lab.roles` is the role of each letter ("matched", "free", "summed" or "alone"); `lab.counts` is the number of
    results, of terms in each result, and of multiplications in the loops; `lab.loops` is the same computation as loops in Python.

    An invalid formula raises ShapeError with the reason, and a size outside LIMITS raises traitlets.TraitError. The lab shows the
    same message and keeps its settings.
    """

    STATE = ("formula", "B", "L", "S", "E", "H", "G", "D")
    VIEW = ("pin",)
    LIMITS: ClassVar[Limits] = dict.fromkeys("BHG", (1, 8)) | dict.fromkeys("LSED", (1, 16))
    PAGE_LIMITS: ClassVar[Limits] = {"B": (1, 3)} | dict.fromkeys("HG", (1, 4)) | dict.fromkeys("LSD", (1, 8)) | {"E": (1, 12)}

    formula = traitlets.Unicode("bhld,bhsd->bhls").tag(sync=True)
    B = Size(2).tag(sync=True)
    L = Size(5).tag(sync=True)
    S = Size(7).tag(sync=True)
    E = Size(12).tag(sync=True)
    H = Size(3).tag(sync=True)
    G = Size(3).tag(sync=True)
    D = Size(4).tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), None, minlen=2, maxlen=2, allow_none=True).tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        read_formula(state["formula"])  # raises ShapeError if it is invalid
        return state

    def compute(self) -> Mapping[str, Any]:
        formula, sizes = self._read()
        operands = [
            self._whole_numbers(name, formula.shape(axes, sizes)) for name, axes in zip(_OPERANDS, formula.tensors, strict=False)
        ]
        result = torch.einsum(str(formula), *operands)
        steps = formula.steps(sizes)
        return {
            "left": operands[0],
            "right": operands[1] if len(operands) > 1 else None,
            "result": result,
            "roles": {letter: formula.role(letter) for letter in formula.letters},
            "counts": {
                "results": result.numel(),
                "terms": steps // result.numel(),
                "multiplications": steps if len(operands) > 1 else 0,
            },
            "loops": formula.loops(sizes),
        }

    def send(self, results: Mapping[str, Any]) -> Iterable[str]:
        return [name for name in (*_OPERANDS, "result") if results[name] is not None]

    def _read(self) -> tuple[Formula, dict[str, int]]:
        return read_formula(self.formula), {letter.lower(): getattr(self, letter) for letter in self.LIMITS}

    @staticmethod
    def _whole_numbers(name: str, shape: tuple[int, ...]) -> Tensor:
        """Small whole numbers, each a function of its index: a longer axis changes no number that was there."""
        *outer, last = shape
        rows = [sum(at * _RADIX**n for n, at in enumerate(index)) for index in product(*map(range, outer))]
        return normal(0, name, rows, last).mul(2).round().reshape(shape).to(device())

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
