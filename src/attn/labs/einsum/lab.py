"""EinsumLab: write a formula, and see which axes are matched, free and summed, the loops that it means, and its result."""

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

__all__ = ["EinsumLab"]

_SIDES = ("left", "right")
_RADIX = 16  # no axis is longer, so an index has one digit for each axis
_MEANING = {
    "matched": "matched, index by index",
    "free": "free, each with each",
    "summed": "summed: products in pairs, added up",
    "alone": "summed alone, without a partner",
}


class EinsumLab(Lab):
    """A formula such as "bhld,bhsd->bhls" is computed for two tensors of small whole numbers, or for one.

    formula: the axes of the tensors *left* and *right*, an arrow, the axes of the result; letters of the book in lower case, up to
    four for each tensor. B, L, S, E, H, G, D: the sizes of the axes. pin: what is explained, (0, n) the n-th number of left, (1, n)
    of right, (2, n) of the result.

    After any change `lab.left`, `lab.right` (None if there is one tensor) and `lab.result` are the tensors, on `attn.device()`;
    `lab.roles` says for each letter what becomes of it ("matched", "free", "summed", "alone"), `lab.counts` how many results,
    terms of each and multiplications the loops have, and `lab.loops` is the same computation as loops in Python.

    A formula that cannot be raises ShapeError with the reason, a size outside LIMITS traitlets.TraitError. The lab shows the same
    message and stays as it was.
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
        read_formula(state["formula"])  # or an error that says why not
        return state

    def compute(self) -> Mapping[str, Any]:
        formula, sizes = self._read()
        given = [self._numbers(side, formula.shape(axes, sizes)) for side, axes in zip(_SIDES, formula.tensors, strict=False)]
        result = torch.einsum(str(formula), *given)
        steps = formula.steps(sizes)
        return {
            "left": given[0],
            "right": given[1] if len(given) > 1 else None,
            "result": result,
            "roles": {letter: formula.role(letter) for letter in formula.letters},
            "counts": {
                "results": result.numel(),
                "terms": steps // result.numel(),
                "multiplications": steps if len(given) > 1 else 0,
            },
            "loops": formula.loops(sizes),
        }

    def send(self, results: Mapping[str, Any]) -> Iterable[str]:
        return [name for name in (*_SIDES, "result") if results[name] is not None]

    def _read(self) -> tuple[Formula, dict[str, int]]:
        return read_formula(self.formula), {letter.lower(): getattr(self, letter) for letter in self.LIMITS}

    @staticmethod
    def _numbers(name: str, shape: tuple[int, ...]) -> Tensor:
        """Small whole numbers, each a function of its index: a longer axis changes none that was there."""
        *outer, last = shape
        rows = [sum(at * _RADIX**n for n, at in enumerate(index)) for index in product(*map(range, outer))]
        return normal(0, name, rows, last).mul(2).round().reshape(shape).to(device())

    def fallback(self) -> str:
        formula, sizes = self._read()
        columns = ["axis", "size", *(f"in {side}" for side in _SIDES[: len(formula.tensors)]), "in the result", "it is"]
        rows = [
            [
                letter.upper(),
                str(sizes[letter]),
                *("yes" if letter in axes else "–" for axes in (*formula.tensors, formula.result)),
                _MEANING[formula.role(letter)],
            ]
            for letter in formula.letters
        ]
        head = "".join(f"<th>{name}</th>" for name in columns)
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        results, terms, count = self.counts.values()
        return (
            f"<p>torch.einsum(&quot;{formula}&quot;, {', '.join(_SIDES[: len(formula.tensors)])}) has the shape "
            f"{tuple(self.result.shape)}: {results:,} results of {terms:,} terms each, {count:,} multiplications.</p>"
            f'<div class="attn-table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
            f"<pre>{escape(self.loops)}</pre>"
        )
