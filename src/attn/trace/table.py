"""Tables with headed columns: aligned text in a terminal, HTML in a notebook or on a page."""

import html
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from attn.shapes import AXES

__all__ = ["Table", "as_bytes", "as_shape", "coloured", "table"]

_TEXT_WIDTH = 120  # characters of a whole line in a terminal
_CODE_WIDTH = 48  # characters of a shortened cell in HTML


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], notes: Sequence[str] = ()) -> "Table":
    """A table with headed columns, to print or to leave as the last line of a cell; the notes are sentences below it.

    Cells are converted with str, and a shape reads (2, 3). Columns of numbers are aligned to the right.

    Raises ValueError if a row does not have one cell per column.
    """
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"a row has {len(row)} cells, the table has {len(columns)} columns: {row!r}")
    return Table(tuple(columns), tuple(tuple(map(_as_cell, row)) for row in rows), tuple(notes))


@dataclass(frozen=True, repr=False)
class Table:
    """Headed columns of text; `table` makes one. The cells of the columns named in `shorten` may be cut to fit."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    shorten: Collection[str] = ()

    def __repr__(self) -> str:
        others = [max(map(len, cells)) for cells in self._cells() if cells[0] not in self.shorten]
        room = max(_TEXT_WIDTH - sum(others) - 2 * len(self.columns), 12)
        lines = zip(*(_aligned(cells) for cells in self._cells(room)), strict=True)
        return "\n".join(["  ".join(line).rstrip() for line in lines] + list(self.notes))

    def html(self) -> str:
        """The table in HTML, axis letters in their colours. It brings no style sheet; a page may set --attn-B and so on."""
        head, *rows = zip(*(_marked_up(cells) for cells in self._cells(_CODE_WIDTH)), strict=True)
        body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
        below = "".join(f"<p>{coloured(note)}</p>" for note in self.notes)
        label = html.escape(f"Table: {', '.join(filter(None, self.columns))}")
        # A wide table scrolls inside this box, so the keyboard must be able to reach it.
        box = f'<div class="attn-table" tabindex="0" role="group" aria-label="{label}">'
        return f"{box}<table><thead><tr>{''.join(head)}</tr></thead><tbody>{body}</tbody></table>{below}</div>"

    def _repr_html_(self) -> str:
        return self.html()

    def _cells(self, room: int | None = None) -> list[tuple[str, ...]]:
        """The columns, each with its head first, shortened to `room` characters where they may be."""
        columns = zip(self.columns, *self.rows, strict=True)
        if room is None:
            return list(columns)
        return [tuple(_shortened(cell, room) for cell in cells) if cells[0] in self.shorten else cells for cells in columns]


def as_shape(shape: Sequence[Any]) -> str:
    """A shape or strides as the reader writes it: (2, 3, 5, 4)."""
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def as_bytes(count: int) -> str:
    """A size in bytes, readable: 480 bytes, 7.5 KiB, 2.0 GiB. (Never "480 B": B is the batch.)"""
    if count < 1024:
        return f"{count} bytes"
    power = min((count.bit_length() - 1) // 10, 4)
    return f"{count / 1024**power:.1f} {' KMGT'[power]}iB"


def _as_cell(value: Any) -> str:
    return as_shape(value) if isinstance(value, tuple) else str(value)


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


_NUMBER = re.compile(r"[-+−]?\d[\d,]*(\.\d+)?(e[-+]?\d+)?%?")
_NO_NUMBER = {"", "–", "-"}  # in a column of numbers


def _is_numeric(cells: Sequence[str]) -> bool:
    """Whether a column, with its head first, holds numbers."""
    values = [cell for cell in cells[1:] if cell not in _NO_NUMBER]
    return bool(values) and all(_NUMBER.fullmatch(value) for value in values)


def _aligned(cells: Sequence[str]) -> list[str]:
    """The lines of one column: its head, a rule and its cells."""
    width = max(map(len, cells))
    pad = str.rjust if _is_numeric(cells) else str.ljust
    return [pad(cell, width) for cell in (cells[0], "-" * width, *cells[1:])]


def _marked_up(cells: Sequence[str]) -> list[str]:
    """The th and td elements of one column."""
    style = ' style="text-align:right"' if _is_numeric(cells) else ""
    head = f'<th scope="col"{style}>{html.escape(cells[0])}</th>'
    return [head, *(f"<td{style}>{coloured(cell)}</td>" for cell in cells[1:])]


# A letter that stands for an axis: alone, or in a product or a sum such as 3·E, H·D, (H+2G)·D. The B of 8B stands for billions.
_LETTER = re.compile(rf"(?<![A-Za-z_])[{''.join(AXES)}](?<!\dB)(?![A-Za-z_0-9])")


def coloured(text: str) -> str:
    """A text as HTML, with its axis letters in their colours."""

    def colour(match: re.Match[str]) -> str:
        axis = AXES[match[0]]
        return f'<b class="ax" style="color:var(--attn-{axis.letter},{axis.light})">{axis.letter}</b>'

    return _LETTER.sub(colour, html.escape(text))
