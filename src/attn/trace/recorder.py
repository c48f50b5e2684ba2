"""Write down what a piece of torch code does to its tensors: one row per operation.

    with trace(B=2, H=3, L=5, S=7, D=4) as t:
        scores = q @ k.transpose(-2, -1)
    t                                           # the table
    t.find("scores").axes                       # ("B", "H", "L", "S")

It works for any torch code. PyTorch itself reports each operation twice: a function mode sees the call as it was written
(matmul), a dispatch mode the kernels that really ran (clone, clone, bmm). So copies that nobody wrote become visible.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import FrameType

import torch
from torch import Tensor
from torch.utils.weak import TensorWeakRef

from attn.trace.frames import line_at, running_frames, variables_in
from attn.trace.letters import Letters
from attn.trace.memory import layout_of, memory_of, tensors_in
from attn.trace.modes import Calls, Kernels
from attn.trace.rows import COLUMNS, Row
from attn.trace.table import Table, as_shape

__all__ = ["Trace", "trace"]

_PRODUCTS = {"mm", "bmm", "addmm", "baddbmm", "addbmm", "mv", "addmv", "dot"}  # kernels that multiply matrices
_MOVES = {"clone", "to_copy", "copy", "repeat"}  # kernels that move numbers and compute none
_NO_OPERATION = {"grad", "data", "requires_grad_"}  # unless a kernel runs


def trace(**sizes: int) -> "Trace":
    """Record every tensor operation that runs inside `with trace(B=2, L=5, E=12, H=3, D=4) as t:`.

    sizes: what each letter (or any other name) counts. Axes are recognized by their sizes, so give every letter a different
    one; where two are equal the trace names both. Products such as H·D are found too.

    Results, gradients and errors are those of the code without the trace. One difference: in evaluation nn.MultiheadAttention
    and nn.TransformerEncoderLayer do not take their opaque fast path here, so their last digits may differ. Other threads are
    not recorded.

    Raises TypeError for a size that is not a whole number.
    """
    for letter, size in sizes.items():
        if not isinstance(size, int) or size < 0:
            raise TypeError(f"{letter} is {size!r}: the size of an axis is a whole number, 0 or more.")
    return Trace(sizes)


class Trace:
    """The rows of a run, in order; `trace` makes one. Printing it gives the table."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.rows: list[Row] = []
        self.errors: list[str] = []
        self._letters = Letters(sizes)
        self._block: FrameType | None = None  # the code that holds the `with`
        self._modes: ExitStack | None = None
        self._running: list[list[Row]] = []  # the kernels of each call that is running, outermost first
        # Results that may yet be assigned to a variable: their row, and the code that called for them, innermost first.
        self._unnamed: deque[tuple[int, TensorWeakRef, list[FrameType]]] = deque(maxlen=16)

    def __enter__(self) -> "Trace":
        if self._modes is not None:
            raise RuntimeError("This trace is recording already; call attn.trace(...) again for a second one inside it.")
        self._block = next(iter(running_frames(None)), None)
        self._modes = ExitStack()
        self._modes.enter_context(Calls(self))
        self._modes.enter_context(Kernels(self))
        return self

    def __exit__(self, *_: object) -> None:
        if self._modes is not None:
            self._modes.close()
        self._look_for_names()
        self._unnamed.clear()
        self._modes = self._block = None

    def find(self, what: str) -> Row:
        """The last row of a variable with that name, else of that operation. Raises KeyError, which lists what there is."""
        return self.find_all(what)[-1]

    def find_all(self, what: str) -> list[Row]:
        """All rows of a variable with that name, else of that operation. Raises KeyError, which lists what there is."""
        found = [row for row in self.rows if what in row.names] or [row for row in self.rows if what == row.op]
        if not found:
            names = ", ".join(dict.fromkeys(name for row in self.rows for name in row.names)) or "none"
            ops = ", ".join(dict.fromkeys(row.op for row in self.rows)) or "none"
            raise KeyError(f"nothing here is called {what!r}. Names: {names}. Operations: {ops}.")
        return found

    def show(self, *columns: str) -> Table:
        """The table with these columns only, for a narrow page: any of name, code, result (either), op, axes, shape ..."""
        columns = columns or ("#", "result", "op", "axes", "shape", "strides", "memory", "contig.", "bytes")
        if unknown := [column for column in columns if column not in COLUMNS]:
            raise ValueError(f"no column is called {', '.join(unknown)}. There are {', '.join(COLUMNS)}.")
        rows = tuple(tuple(COLUMNS[column](number, row) for column in columns) for number, row in enumerate(self.rows, 1))
        axes = [pair for row in self.rows for pair in zip(row.axes, row.shape, strict=True)]
        return Table(columns, rows, (*self._letters.notes(axes), *self.errors), shorten=("result", "code"))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __repr__(self) -> str:
        return repr(self.show())

    def _repr_html_(self) -> str:
        return self.show().html()

    def call_starts(self) -> None:
        """A torch function is called; its kernels are parts of it."""
        self._look_for_names()
        self._running.append([])

    def call_returned(self, op: str, given: object, result: object) -> None:
        """The call is done: a row for each tensor that it returned."""
        parts = self._running.pop()
        if parts or op not in _NO_OPERATION:
            self._add_call(op, tensors_in(given), tensors_in(result), parts)

    def call_failed(self, op: str, given: object, error: BaseException) -> None:
        """The call raised an error, which is noted with the shapes of its operands."""
        self._running.pop()
        shapes = [layout_of(tensor)[0] for tensor in tensors_in(given)]
        operands = " and ".join(f"{as_shape(self._letters.of(shape))} = {as_shape(shape)}" for shape in shapes)
        what = f"{op} of {operands}" if shapes else op
        self.errors.append(f"{what} raised {type(error).__name__}: {str(error).partition(chr(10))[0]}")

    def kernel_ran(self, op: str, given: object, result: object, *, writes: bool) -> None:
        """A kernel ran: it is a part of the call that is running, or a row of its own if none is."""
        inputs = tensors_in(given)
        rows = [
            self._row(op, tensor, memory_of(tensor, inputs, writes=writes, moves=op in _MOVES)) for tensor in tensors_in(result)
        ]
        if self._running:
            self._running[-1] += rows
        else:
            line, code = line_at(running_frames(self._block))
            self.rows += [replace(row, code=code, line=line) for row in rows]

    def _add_call(self, op: str, inputs: Sequence[Tensor], results: Sequence[Tensor], parts: list[Row]) -> None:
        frames = running_frames(self._block)
        line, code = line_at(frames)
        if op == "setitem":  # returns nothing; the last kernel has what it wrote
            written = [part for part in parts if part.memory == "in place"]
            self.rows += [replace(part, op=op, code=code, line=line, parts=tuple(parts)) for part in written[-1:]]
            return
        # Two matrix products in one call are worth seeing one by one; so is a backward pass.
        step_by_step = op in ("backward", "grad") or sum(part.op in _PRODUCTS for part in parts) > 1
        if step_by_step:
            self.rows += [replace(part, code=code, line=line, inside=op) for part in parts if part.memory != "same"]

        copies = sum(part.memory == "copy" for part in parts)
        moves = copies > 0 and all(part.memory != "new" for part in parts)
        writes = any(part.memory == "in place" for part in parts)
        rows = []
        for tensor in results:
            memory = memory_of(tensor, inputs, writes=writes and any(tensor is x for x in inputs), moves=moves)
            rows.append(self._row(op, tensor, memory))
        # The first result accounts for what was allocated on the way; steps that are shown account for themselves.
        on_the_way = sum(part.new_bytes for part in parts) - sum(row.new_bytes for row in rows)
        for tensor, row in zip(results, rows, strict=True):
            new_bytes, hidden = row.new_bytes + max(on_the_way, 0), copies - (row.memory == "copy")
            if step_by_step:
                new_bytes = hidden = 0
            self._unnamed.append((len(self.rows), TensorWeakRef(tensor), frames))
            self.rows.append(replace(row, new_bytes=new_bytes, hidden_copies=hidden, code=code, line=line, parts=tuple(parts)))
            on_the_way = 0

    def _row(self, op: str, tensor: Tensor, memory: str) -> Row:
        shape, strides, _ = layout_of(tensor)
        nbytes = tensor.numel() * tensor.element_size()
        contiguous = tensor.layout is torch.strided and tensor.is_contiguous()
        new_bytes = nbytes if memory in ("copy", "new") else 0
        return Row(op, shape, self._letters.of(shape), strides, memory, contiguous, nbytes, new_bytes, tensor.dtype)

    def _look_for_names(self) -> None:
        """Name the results that variables hold by now."""
        alive = [(index, tensor, frames) for index, result, frames in self._unnamed if (tensor := result()) is not None]
        variables = {frame: variables_in(frame) for frame in {frame for *_, frames in alive for frame in frames}}
        for index, tensor, frames in alive:
            row = self.rows[index]
            names = [name for frame in frames for name in variables[frame].get(id(tensor), ())]
            if row.memory == "same":  # in y = x.contiguous() it is the newer name that counts
                names.reverse()
            if not set(names) <= set(row.names):
                self.rows[index] = replace(row, names=tuple(dict.fromkeys((*row.names, *names))))
