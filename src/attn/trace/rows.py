"""What a trace holds: a row for each tensor that an operation returned, and the columns that show it."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from attn.trace.table import as_bytes, as_shape

__all__ = ["COLUMNS", "Row"]


@dataclass(frozen=True)
class Row:
    """One tensor that one operation returned.

    op: the operation as written (matmul), or the kernel's name for a step inside a call that is shown step by step.
    axes: a name for each axis, ("B", "H", "L|S", "7"): the third is L or S, which are equal; no letter counts 7.
    memory: "view" (shares the memory of an input), "same" (an input as it was), "in place" (an input, written to),
        "copy" (the numbers of an input, moved unchanged to memory of its own), "new" (computed) or "unknown" (sparse, or
        inside torch.func).
    hidden_copies: copies that the operation made for itself, as matmul does of permuted operands.
    nbytes: bytes of the elements. new_bytes: bytes allocated for them and for steps on the way (0 for a view, and for a call
        that is shown step by step, whose steps count their own).
    code: the line of source. line: its number in its file or cell; 0 if there is none.
    names: the variables that held the tensor when that line was done.
    inside: the call that this is a step of, or "". parts: the kernels that ran.
    """

    op: str
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    strides: tuple[int, ...]
    memory: str
    contiguous: bool
    nbytes: int
    new_bytes: int
    dtype: torch.dtype
    code: str = ""
    line: int = 0
    names: tuple[str, ...] = ()
    hidden_copies: int = 0
    inside: str = ""
    parts: tuple["Row", ...] = field(default=(), repr=False)

    @property
    def name(self) -> str:
        """The variable that the result was assigned to, or ""."""
        return self.names[0] if self.names else ""

    @property
    def letters(self) -> str:
        """The axes as you write them: "(B, H, L, S)"."""
        return as_shape(self.axes)

    @property
    def ambiguous(self) -> bool:
        """Whether an axis could be more than one thing."""
        return any("|" in axis for axis in self.axes)


COLUMNS: dict[str, Callable[[int, Row], str]] = {
    "#": lambda number, row: str(number),
    "result": lambda number, row: "" if row.inside else row.name or row.code,
    "name": lambda number, row: row.name,
    "code": lambda number, row: row.code,
    "op": lambda number, row: f"· {row.op}" if row.inside else row.op,
    "axes": lambda number, row: row.letters,
    "shape": lambda number, row: as_shape(row.shape),
    "strides": lambda number, row: as_shape(row.strides),
    "memory": lambda number, row: row.memory + _counted(row.hidden_copies),
    "contig.": lambda number, row: "yes" if row.contiguous else "no",
    "bytes": lambda number, row: as_bytes(row.nbytes),
    "new bytes": lambda number, row: as_bytes(row.new_bytes),
    "dtype": lambda number, row: str(row.dtype).removeprefix("torch."),
}


def _counted(copies: int) -> str:
    return f" + {copies} {'copy' if copies == 1 else 'copies'}" if copies else ""
