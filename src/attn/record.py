"""Named tensors of one computation, with the letters of their axes."""

import functools
import re
import typing
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from torch import Tensor

if TYPE_CHECKING:
    from attn.trace.table import Table

__all__ = ["Record"]

_USUALLY = {"G": "H", "Dv": "D"}


@dataclass(frozen=True, repr=False, eq=False)
class Record:
    """Named tensors of one computation, in the order in which they arise. Printing it gives their shape table.

    Subclasses are frozen dataclasses whose fields have jaxtyping's annotations, from which the axes are read:
    ``scores: Float[Tensor, "B H L S"]``. A field may be None (a step that did not happen); the table leaves it out.
    """

    @classmethod
    @functools.cache
    def annotated_axes(cls) -> dict[str, tuple[str, ...]]:
        """The axes of each field as its annotation names them: ``{"q_flat": ("B", "L", "H·D"), ...}``."""
        return {field.name: _axes_in(field.type) for field in fields(cls)}

    def items(self) -> Iterator[tuple[str, Tensor]]:
        """The tensors with their names."""
        for field in fields(self):
            tensor = getattr(self, field.name)
            if tensor is not None:
                yield field.name, tensor

    def axes(self, name: str) -> tuple[str, ...]:
        """The axis letters of one tensor: ``("B", "H", "L", "S")`` for the scores.

        Two letters are replaced by the usual ones where the sizes agree: G by H if every query head has its own key/value head,
        Dv by D if values are as wide as keys.
        """
        annotated = self.annotated_axes()
        sizes = {
            letter: size for other, tensor in self.items() for letter, size in zip(annotated[other], tensor.shape, strict=True)
        }
        usual = {rare: letter for rare, letter in _USUALLY.items() if sizes.get(rare) == sizes.get(letter)}
        return tuple("·".join(usual.get(part, part) for part in letter.split("·")) for letter in annotated[name])

    def sizes(self) -> dict[str, int]:
        """The size of each letter: ``{"B": 2, "L": 5, ...}``."""
        return {
            letter: size
            for name, tensor in self.items()
            for letter, size in zip(self.axes(name), tensor.shape, strict=True)
            if "·" not in letter
        }

    # Printing needs attn.trace, computing does not: it is loaded when somebody prints.
    def _table(self) -> "Table":
        from attn.trace.table import as_bytes, as_shape, table

        return table(
            ["tensor", "axes", "shape", "elements", "size"],
            [
                [name, as_shape(self.axes(name)), as_shape(tensor.shape), f"{tensor.numel():,}", as_bytes(tensor.nbytes)]
                for name, tensor in self.items()
            ],
        )

    def __repr__(self) -> str:
        return repr(self._table())

    def _repr_html_(self) -> str:
        return self._table().html()


def _axes_in(annotation: object) -> tuple[str, ...]:
    """The axes in ``Float[Tensor, "B L HD"]``, which may be in a union with None; "HD" reads H·D, "Dv" is one letter."""
    array = next((option for option in (annotation, *typing.get_args(annotation)) if hasattr(option, "dim_str")), None)
    if array is None:
        raise TypeError(f'{annotation} does not name its axes: annotate the field like Float[Tensor, "B L E"].')
    return tuple("·".join(re.findall("[A-Z][a-z]*", axis)) for axis in array.dim_str.split())
