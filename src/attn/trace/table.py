"""Tables with headed columns: lined up as text in a terminal, HTML in a notebook or on a page."""

import html
import re
from collections.abc import Sequence
from typing import Any

from attn.shapes import AXES

__all__ = ["as_bytes", "as_html", "as_shape", "as_text"]


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
