"""Write down what a piece of torch code does to its tensors: one row per operation.

    with trace(B=2, H=3, L=5, S=7, D=4) as t:
        scores = q @ k.transpose(-2, -1)
    t                                           # the table
    t.find("scores").axes                       # ("B", "H", "L", "S")

It works for any torch code. PyTorch itself reports each operation twice: a function mode sees the call as it was written
(matmul), a dispatch mode the kernels that really ran (clone, clone, bmm). So copies that nobody wrote become visible.
"""

import linecache
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.weak import TensorWeakRef

from attn.trace.letters import Letters
from attn.trace.rows import COLUMNS, Row
from attn.trace.table import Table, as_shape

__all__ = ["Trace", "trace"]


def trace(**sizes: int) -> "Trace":
    """Record every tensor operation that runs inside `with trace(B=2, L=5, E=12, H=3, D=4) as t:`.

    sizes: what each letter (or any other name) counts. Axes are told by their sizes, so give every letter another one; where
    two are equal the trace names both. Products such as H·D are found too.

    Results, gradients and errors are those of the code without the trace. One difference: in evaluation nn.MultiheadAttention
    and nn.TransformerEncoderLayer do not take their opaque fast path here, so their last digits may differ. Other threads are
    not recorded.

    Raises TypeError for a size that is no whole number.
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
        self._parts: list[Row] | None = None  # kernels of the call that is running
        # Results that a variable may yet be given to: their row, and the code that asked for them, innermost first.
        self._unnamed: deque[tuple[int, TensorWeakRef, list[FrameType]]] = deque(maxlen=16)

    def __enter__(self) -> "Trace":
        if self._modes is not None:
            raise RuntimeError("This trace is recording already; call attn.trace(...) again for a second one inside it.")
        self._block = next(iter(self._frames()), None)
        self._modes = ExitStack()
        self._modes.enter_context(_Calls(self))
        self._modes.enter_context(_Kernels(self))
        return self

    def __exit__(self, *_: object) -> None:
        if self._modes is not None:
            self._modes.close()
        self._look_for_names()
        self._unnamed.clear()
        self._modes = self._block = None

    def find(self, what: str) -> Row:
        """The last row of a variable with that name, else of that operation. Raises KeyError, with what there is."""
        return self.find_all(what)[-1]

    def find_all(self, what: str) -> list[Row]:
        """All rows of a variable with that name, else of that operation. Raises KeyError, with what there is."""
        found = [row for row in self.rows if what in row.names] or [row for row in self.rows if what == row.op]
        if not found:
            names = ", ".join(dict.fromkeys(name for row in self.rows for name in row.names)) or "none"
            ops = ", ".join(dict.fromkeys(row.op for row in self.rows)) or "none"
            raise KeyError(f"nothing here is called {what!r}. Names: {names}. Operations: {ops}.")
        return found

    def show(self, *columns: str) -> "Table":
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
        return self.show()._repr_html_()

    def _call(self, op: str, given: object, result: object, parts: list[Row]) -> None:
        """A call as it was written: a row for each tensor that it gave."""
        frames = self._frames()
        line = _line(frames)
        if op == "setitem":  # gives nothing back; what it wrote is the last kernel's
            written = [part for part in parts if part.memory == "in place"]
            self.rows += [replace(part, op=op, code=line, parts=tuple(parts)) for part in written[-1:]]
            return
        # Two matrix products in one call are worth seeing one by one; so is a backward pass.
        step_by_step = op in ("backward", "grad") or sum(part.op in _PRODUCTS for part in parts) > 1
        if step_by_step:
            self.rows += [replace(part, code=line, inside=op) for part in parts if part.memory != "same"]

        inputs = _tensors(given)
        copies = sum(part.memory == "copy" for part in parts)
        moves = copies > 0 and all(part.memory != "new" for part in parts)
        writes = any(part.memory == "in place" for part in parts)
        results = _tensors(result)
        rows = [self._row(op, tensor, inputs, writes and any(tensor is x for x in inputs), moves) for tensor in results]
        # The first result answers for what was allocated on the way; steps that are shown answer for themselves.
        on_the_way = sum(part.new_bytes for part in parts) - sum(row.new_bytes for row in rows)
        for tensor, row in zip(results, rows, strict=True):
            new_bytes, hidden = row.new_bytes + max(on_the_way, 0), copies - (row.memory == "copy")
            if step_by_step:
                new_bytes = hidden = 0
            self._unnamed.append((len(self.rows), TensorWeakRef(tensor), frames))
            self.rows.append(replace(row, new_bytes=new_bytes, hidden_copies=hidden, code=line, parts=tuple(parts)))
            on_the_way = 0

    def _kernel(self, op: str, given: object, result: object, writes: bool) -> None:
        """A kernel that ran: a part of the call that is running, or a row if there is none."""
        inputs = _tensors(given)
        rows = [self._row(op, tensor, inputs, writes, op in _MOVES) for tensor in _tensors(result)]
        if self._parts is not None:
            self._parts += rows
        else:
            self.rows += [replace(row, code=_line(self._frames())) for row in rows]

    def _row(self, op: str, tensor: Tensor, inputs: Sequence[Tensor], writes: bool, moves: bool) -> Row:
        storage = _storage(tensor)
        shared = [x for x in inputs if _storage(x) is storage]
        shape, strides, _ = layout = _layout(tensor)
        if storage is None:
            memory = "unknown"
        elif not shared:
            memory = "copy" if moves else "new"
        elif writes:
            memory = "in place"
        else:
            memory = "same" if any(_layout(x) == layout for x in shared) else "view"
        nbytes = tensor.numel() * tensor.element_size()
        contiguous = tensor.layout is torch.strided and tensor.is_contiguous()
        axes = self._letters.of(shape)
        new_bytes = nbytes if memory in ("copy", "new") else 0
        return Row(op, shape, axes, strides, memory, contiguous, nbytes, new_bytes, tensor.dtype)

    def _failed(self, op: str, given: object, error: Exception) -> None:
        shapes = [_layout(tensor)[0] for tensor in _tensors(given)]
        operands = " and ".join(f"{as_shape(self._letters.of(shape))} = {as_shape(shape)}" for shape in shapes)
        what = f"{op} of {operands}" if shapes else op
        self.errors.append(f"{what} raised {type(error).__name__}: {str(error).partition(chr(10))[0]}")

    def _frames(self) -> list[FrameType]:
        """The code that is running, innermost first, up to the `with` block; without the frames of torch and the like."""
        found, frame = [], sys._getframe(1)
        while True:
            package = str(frame.f_globals.get("__name__")).partition(".")[0]
            if package not in _PLUMBING and frame.f_globals is not globals():
                found.append(frame)
            if frame is self._block or frame.f_back is None:
                return found
            frame = frame.f_back

    def _look_for_names(self) -> None:
        alive = [(index, tensor, frames) for index, result, frames in self._unnamed if (tensor := result()) is not None]
        variables = {frame: _variables(frame) for frame in {frame for *_, frames in alive for frame in frames}}
        for index, tensor, frames in alive:
            row = self.rows[index]
            names = [name for frame in frames for name in variables[frame].get(id(tensor), ())]
            if row.memory == "same":  # in y = x.contiguous() it is the newer name that counts
                names.reverse()
            if not set(names) <= set(row.names):
                self.rows[index] = replace(row, names=tuple(dict.fromkeys((*row.names, *names))))


class _Calls(TorchFunctionMode):
    """Sees each torch function as it was called. What that calls in turn is left to `_Kernels`."""

    def __init__(self, owner: Trace) -> None:
        super().__init__()
        self._owner = owner

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        owner, op, given = self._owner, _op(func), (args, kwargs or {})
        owner._look_for_names()
        outer, owner._parts = owner._parts, []
        try:
            result = func(*args, **(kwargs or {}))
        except Exception as error:
            owner._failed(op, given, error)
            raise
        finally:
            parts, owner._parts = owner._parts, outer
        if parts or op not in _NO_OPERATION:
            owner._call(op, given, result, parts)
        return result


class _Kernels(TorchDispatchMode):
    """Sees each kernel that runs, also those of the backward pass."""

    def __init__(self, owner: Trace) -> None:
        super().__init__()
        self._owner = owner

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if torch.is_inference_mode_enabled() and isinstance(func, torch._ops.OpOverload):
            # Here matmul arrives whole, where autograd would have taken it apart. Do that, with views that know what they
            # view, as they do outside: torch chooses kernels by it.
            whole = torch._C.DispatchKey.CompositeImplicitAutograd
            if torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), whole):
                with self, torch._C._SetExcludeDispatchKeyGuard(torch._C.DispatchKey.ADInplaceOrView, False):
                    return func._op_dk(whole, *args, **kwargs)
        result = func(*args, **kwargs)
        writes = isinstance(func, torch._ops.OpOverload) and func._schema.is_mutable
        self._owner._kernel(_op(func).lstrip("_"), (args, kwargs), result, writes)
        return result


_PRODUCTS = {"mm", "bmm", "addmm", "baddbmm", "addbmm", "mv", "addmv", "dot"}  # kernels that multiply matrices
_MOVES = {"clone", "to_copy", "copy", "repeat"}  # kernels that move numbers and compute none
_NO_OPERATION = {"grad", "data", "requires_grad_"}  # unless a kernel runs
_PLUMBING = {"torch", "jaxtyping", "beartype", "typeguard", "einops", "contextlib"}  # packages between the reader's code and torch
_REVERSED = {"__rsub__": "sub", "__rdiv__": "div", "__rpow__": "pow", "__rmatmul__": "matmul"}


def _op(func: Any) -> str:
    """The name of a torch function as one writes it: matmul, view, mT, getitem."""
    name = str(getattr(func, "__name__", type(func).__name__)).partition(".")[0]
    if name == "__get__":
        return str(func.__self__.__name__)
    return _REVERSED.get(name) or (name.strip("_") if name.startswith("__") else name)


def _line(frames: Sequence[FrameType]) -> str:
    """The line of source that the innermost frame is at."""
    return linecache.getline(frames[0].f_code.co_filename, frames[0].f_lineno).strip() if frames else ""


def _variables(frame: FrameType) -> dict[int, list[str]]:
    """The names of the tensors that a frame's variables hold, and the attributes of its `self`, by the tensor's id."""
    variables = dict(frame.f_locals)
    attributes = getattr(variables.get("self"), "__dict__", {})
    names: dict[int, list[str]] = {}
    for name, value in (*variables.items(), *attributes.items()):
        if isinstance(value, Tensor) and not name.startswith("_"):
            names.setdefault(id(value), []).append(name)
    return names


def _tensors(value: object) -> list[Tensor]:
    """The tensors in a value, also those in tuples, lists and dicts."""
    if isinstance(value, Tensor):
        return [] if value.is_nested else [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [tensor for item in inner for tensor in _tensors(item)]


def _storage(tensor: Tensor) -> object:
    """The memory behind a tensor: one object for all that share it, also where it is empty. None if it cannot be told."""
    try:
        return tensor.untyped_storage()
    except RuntimeError:  # sparse, or wrapped by torch.func
        return None


def _layout(tensor: Tensor) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Shape, strides and offset. A sparse tensor has no strides."""
    dense = tensor.layout is torch.strided
    return tuple(tensor.shape), tensor.stride() if dense else (), int(tensor.storage_offset()) if dense else 0
