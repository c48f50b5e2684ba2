"""How shapes are printed: one table, as text in a terminal and as HTML in a notebook or on a page."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from torch import Tensor

from attn.shapes import AXES

__all__ = ["Record", "as_bytes", "as_html", "as_shape", "as_text"]


def as_text(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The table in plain text, columns lined up."""
    widths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]
    lines = [columns, ["-" * width for width in widths], *rows]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


def as_html(columns: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()) -> str:
    """The table in HTML, axis letters in their colours. It brings no style sheet; a page may set --attn-B and so on."""
    head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in columns)
    body = "".join("<tr>" + "".join(f"<td>{_coloured(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    below = "".join(f"<p>{_coloured(note)}</p>" for note in notes)
    return f'<div class="attn-table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}</div>'


def as_shape(shape: Sequence[Any]) -> str:
    """A shape or strides as the reader writes it: (2, 3, 5, 4)."""
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def as_bytes(count: int) -> str:
    """A size in bytes, readable: 480 bytes, 7.5 KiB, 2.0 GiB. (Never "480 B": B is the batch.)"""
    if count < 1024:
        return f"{count} bytes"
    power = min((count.bit_length() - 1) // 10, 4)
    return f"{count / 1024**power:.1f} {' KMGT'[power]}iB"


# A letter that stands for an axis: alone, or in a product or a sum such as 3·E, H·D, (H+2G)·D.
_LETTER = re.compile(rf"(?<![A-Za-z_])[{''.join(AXES)}](?![A-Za-z_0-9])")


def _coloured(cell: str) -> str:
    def colour(match: re.Match[str]) -> str:
        axis = AXES[match[0]]
        return f'<b class="ax" style="color:var(--attn-{axis.letter},{axis.light})">{axis.letter}</b>'

    return _LETTER.sub(colour, html.escape(cell))


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

    def _table(self) -> tuple[list[str], list[list[str]]]:
        rows = [
            [name, as_shape(self.axes(name)), as_shape(tensor.shape), f"{tensor.numel():,}", as_bytes(tensor.nbytes)]
            for name, tensor in self.items()
        ]
        return ["tensor", "axes", "shape", "elements", "memory"], rows

    def __repr__(self) -> str:
        return as_text(*self._table())

    def _repr_html_(self) -> str:
        return as_html(*self._table())
