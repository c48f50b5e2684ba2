"""Named tensors of one computation, with the letters of their axes."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import ClassVar

from torch import Tensor

from attn.shapes import AXES

__all__ = ["Record"]

_USUALLY = {"G": "H", "Dv": "D"}


@dataclass(frozen=True, repr=False, eq=False)
class Record:
    """Named tensors of one computation, in the order in which they arise. Printing it gives their shape table.

    Subclasses are frozen dataclasses of tensors and name the axes of each in `AXES_OF`, for example
    ``{"scores": "B H L S"}``. A field may be None (a step that did not happen); it is left out of the table.
    """

    AXES_OF: ClassVar[dict[str, str]] = {}

    def items(self) -> Iterator[tuple[str, Tensor]]:
        """The tensors with their names."""
        for field in fields(self):
            tensor = getattr(self, field.name)
            if tensor is not None:
                yield field.name, tensor

    def axes(self, name: str) -> tuple[str, ...]:
        """The axis letters of one tensor: ``("B", "H", "L", "S")`` for the scores.

        A letter for what may differ, and does not, reads as the usual one: G as H where every query head has a key/value head
        of its own, Dv as D where values are as wide as keys.
        """
        letters = self.AXES_OF[name].split()
        sizes = {
            letter: size
            for other, tensor in self.items()
            for letter, size in zip(self.AXES_OF[other].split(), tensor.shape, strict=True)
        }
        usual = {rare: letter for rare, letter in _USUALLY.items() if sizes.get(rare) == sizes.get(letter)}
        return tuple("·".join(usual.get(part, part) for part in letter.split("·")) for letter in letters)

    def sizes(self) -> dict[str, int]:
        """The size of each letter: ``{"B": 2, "L": 5, ...}``."""
        return {
            letter: size
            for name, tensor in self.items()
            for letter, size in zip(self.axes(name), tensor.shape, strict=True)
            if letter in AXES
        }

    # Printing needs the tables of attn.trace, computing does not: they are loaded when somebody prints.
    def _table(self) -> tuple[list[str], list[list[str]]]:
        from attn.trace.table import as_bytes, as_shape

        rows = [
            [name, as_shape(self.axes(name)), as_shape(tensor.shape), f"{tensor.numel():,}", as_bytes(tensor.nbytes)]
            for name, tensor in self.items()
        ]
        return ["tensor", "axes", "shape", "elements", "memory"], rows

    def __repr__(self) -> str:
        from attn.trace.table import as_text

        return as_text(*self._table())

    def _repr_html_(self) -> str:
        from attn.trace.table import as_html

        return as_html(*self._table())
