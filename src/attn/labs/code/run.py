"""Run a reader's program and note what each line does: in the kernel, as analyse.js does in a page."""

import functools
import io
import linecache
import re
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import torch
from torch import Tensor

from attn.labs.code.hint import hint_of
from attn.lessons.errors import explain
from attn.shapes import AXES
from attn.trace import Row, trace
from attn.trace.letters import Letters
from attn.trace.memory import layout_of

__all__ = ["ALIASES", "MOST", "NAMES", "TooLong", "analyse", "limited", "too_long", "variables_of"]

MOST = 4096  # numbers of a tensor that are drawn
_FILE = "<code>"
_MOST_ROWS = 12  # of one line
_LONGEST_VALUE = 60
_OPERATORS = {
    "add",
    "sub",
    "mul",
    "div",
    "matmul",
    "pow",
    "neg",
    "getitem",
    "setitem",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "and",
    "or",
}
_SECONDS = 20.0  # that a program may take

# Names of variables that say what an axis letter counts. `dim` is none: it is often the number of an axis.
_MORE = {
    **{"B": ("b", "bs", "bsz"), "H": ("heads", "n_heads", "nhead", "num_attention_heads"), "S": ("src_len", "kv_len")},
    **{"D": ("dim_head", "head_size"), "E": ("n_embd", "emb_dim", "embed_size"), "G": ("n_kv_head", "num_kv_heads")},
}
NAMES = {letter: " ".join((*axis.aliases, *_MORE.get(letter, ()))) for letter, axis in AXES.items()}  # T is L before it is S
ALIASES = {name: letter for letter in reversed(NAMES) for name in (letter, *NAMES[letter].split())}


@dataclass
class _Made:
    """A tensor that a line gave a name."""

    name: str
    tensor: Tensor
    given: bool
    times: int = 1


@dataclass
class _Line:
    made: dict[str, _Made] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    printed: str = ""


class TooLong(BaseException):
    """The program has taken more than its time. No `except Exception` keeps it."""


def analyse(code: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a program does line by line, and its variables. The first is what CodeLab draws: see the type Analysis of analyse.js.

    The program runs in a namespace of its own and with random numbers of its own, seeded with 0; it is ended after 20 seconds.
    """
    _load_what_a_trace_needs()
    notes = _Notes(code)
    variables: dict[str, Any] = {"__name__": "__main__"}
    failure: dict[str, Any] | None = None
    try:
        program = compile(code, _FILE, "exec")
    except SyntaxError as error:
        failure = _failure(type(error).__name__, error.msg, [error.lineno or 1], {}, column=(error.offset or 1) - 1)
        return notes.result({}, [], failure) | {"hint": ""}, variables
    linecache.cache[_FILE] = (len(code), None, code.splitlines(keepends=True), _FILE)
    rows: list[Row] = []
    with torch.random.fork_rng(), trace() as record, redirect_stdout(notes), _tracing(notes.watch):
        torch.manual_seed(0)
        try:
            exec(program, variables)
        except TooLong as error:
            failure = too_long(error)
        except (Exception, SystemExit) as error:
            failure = _failure(type(error).__name__, str(error), _lines_of(error), notes.sizes)
        rows = record.rows
    result = notes.result(notes.sizes, rows, failure)
    is_idle = not failure and not any(line["rows"] for line in result["lines"])
    return result | {"hint": hint_of(code, ALIASES, notes.sizes) if is_idle else ""}, variables


@functools.cache
def _load_what_a_trace_needs() -> None:
    """The first operation under a trace imports parts of torch, for seconds. That is not the program's time."""
    with trace():
        torch.randn(1, generator=torch.Generator())


class _Notes(io.TextIOBase):
    """Watches the program: what its variables are after each line, and what it prints."""

    def __init__(self, code: str) -> None:
        self.lines: dict[int, _Line] = {}
        self.sizes: dict[str, int] = {}
        # What `for h in range(H)` counts with is no size.
        targets = re.findall(r"\bfor\s([\w\s,()*]+?)\sin\b", re.sub("#.*", "", code), re.ASCII)
        self._counters = {name for names in targets for name in re.findall(r"\w+", names, re.ASCII)}
        self._known: dict[FrameType, dict[str, Any]] = {}
        self._at: dict[FrameType, int] = {}
        self._until = time.monotonic() + _SECONDS

    def line(self, number: int) -> _Line:
        return self.lines.setdefault(number, _Line())

    def write(self, text: str) -> int:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != _FILE:
            frame = frame.f_back
        self.line(frame.f_lineno if frame else 0).printed += text
        return len(text)

    def watch(self, frame: FrameType, event: str, value: Any) -> Any:
        """A tracer for sys.settrace: follows the lines of the program, and of nothing that it calls."""
        if frame.f_code.co_filename != _FILE:
            return None
        _end(self._until)
        if event == "call":
            self._at[frame] = frame.f_lineno
            self._known[frame] = {}
            if frame.f_code.co_name != "<module>":
                self._look(frame, given=True)
        elif event in ("line", "return"):
            self._look(frame)
            self._at[frame] = frame.f_lineno
            if event == "return":
                if isinstance(value, Tensor):
                    self._add(frame.f_lineno, "return", value)
                self._known.pop(frame, None)
        return self.watch

    def _look(self, frame: FrameType, given: bool = False) -> None:
        """Note the variables that are new since the last look: the line before made them."""
        known, line = self._known.get(frame, {}), self._at.get(frame, frame.f_lineno)
        for name, value in dict(frame.f_locals).items():
            if name.startswith("_") or (name in known and known[name] is value):
                continue
            known[name] = value
            self._note(line, name, value, given)

    def _note(self, line: int, name: str, value: Any, given: bool) -> None:
        if isinstance(value, Tensor):
            self._add(line, name, value, given)
        elif isinstance(value, list | tuple):
            for n, one in enumerate(value[:_MOST_ROWS]):
                if isinstance(one, Tensor):
                    self._add(line, f"{name}[{n}]", one, given)
        elif isinstance(value, int | float | str) and not isinstance(value, bool):
            text = repr(value)
            self.line(line).values[name] = f"{name} = {text[:_LONGEST_VALUE]}{'…' * (len(text) > _LONGEST_VALUE)}"
            if isinstance(value, int) and value > 0 and name in ALIASES and name not in self._counters:
                self.sizes[ALIASES[name]] = value

    def _add(self, line: int, name: str, tensor: Tensor, given: bool = False) -> None:
        made = self.line(line).made
        if name in made or len(made) < _MOST_ROWS:
            made[name] = _Made(name, tensor, given, made[name].times + 1 if name in made else 1)

    def result(self, sizes: Mapping[str, int], rows: list[Row], failure: dict[str, Any] | None) -> dict[str, Any]:
        letters = Letters(sizes)
        unnamed = {row.line: row for row in rows if _is_in_program(row) and not row.inside and _is_written(row)}
        for number in unnamed:
            self.line(number)
        ids: dict[int, int] = {}
        details: dict[int, dict[str, Any]] = {}
        tensors: dict[int, Tensor] = {}
        lines = []
        for number, line in sorted(self.lines.items()):
            found = []
            for made in line.made.values():
                n = ids.setdefault(id(made.tensor), len(ids))
                found.append(_shown(made, n, None if made.given else _row_of(rows, number, made), letters))
                details[n] = _detail(n, made.name, made.tensor, letters)
                tensors[n] = made.tensor
            if not found and not line.printed and number in unnamed:
                found.append(_shown_unnamed(unnamed[number], letters))
            lines.append({"line": number, "rows": found, "values": list(line.values.values()), "printed": line.printed})
        printed = "".join(line.printed for line in self.lines.values())
        syntax = [failure] if failure and failure["column"] is not None else []
        result = {"lines": lines, "failure": failure, "syntax": syntax, "printed": printed, "sizes": dict(sizes)}
        return result | {"details": details, "tensors": tensors}


def _shown(made: _Made, n: int, row: Row | None, letters: Letters) -> dict[str, Any]:
    """A tensor with a name, as it is drawn beside its line."""
    shape, strides, _ = layout_of(made.tensor)
    return {
        **{"name": made.name, "shape": shape, "axes": letters.of(shape), "strides": strides, "id": n, "times": made.times},
        "dtype": str(made.tensor.dtype).removeprefix("torch."),
        "memory": row.memory if row else "given" if made.given else "new",
        "op": row.op if row else "",
        "copies": row.hidden_copies if row else 0,
        "contiguous": made.tensor.is_contiguous(),
        "bytes": made.tensor.numel() * made.tensor.element_size(),
    }


def _shown_unnamed(row: Row, letters: Letters) -> dict[str, Any]:
    """What a line computed and gave no name. Its numbers are not kept."""
    return {
        **{"name": "", "shape": row.shape, "axes": letters.of(row.shape), "strides": row.strides, "id": -1, "times": 1},
        **{"dtype": str(row.dtype).removeprefix("torch."), "memory": row.memory, "op": row.op, "copies": row.hidden_copies},
        **{"contiguous": row.contiguous, "bytes": row.nbytes},
    }


def _is_in_program(row: Row) -> bool:
    """Whether the program's own line called the operation, and not the line of a library with the same number."""
    return bool(row.line) and row.code == linecache.getline(_FILE, row.line).strip()


def _is_written(row: Row) -> bool:
    """Whether the line calls the operation itself. (A layer that is made also makes its first weights.)"""
    return row.op in row.code or row.op in _OPERATORS


def _row_of(rows: list[Row], line: int, made: _Made) -> Row | None:
    """The row of the trace for a tensor that a line made, or that another line made for it."""
    name, shape = made.name.partition("[")[0], tuple(made.tensor.shape)
    alike = [row for row in rows if not row.inside and row.shape == shape]
    here = [row for row in alike if row.line == line and _is_in_program(row)]
    found = [row for row in here if name in row.names] or here or [row for row in alike if name in row.names]
    return found[-1] if found else None


def _detail(n: int, name: str, tensor: Tensor, letters: Letters) -> dict[str, Any]:
    """The first numbers of a tensor, and where they are in memory, as bytes."""
    part = tensor.detach()
    for axis in range(part.dim()):
        if part.numel() > MOST:
            part = part.narrow(axis, 0, max(1, part.shape[axis] * MOST // part.numel()))
    places = sum(
        (
            torch.arange(size).view(-1, *[1] * (part.dim() - axis - 1)) * stride
            for axis, (size, stride) in enumerate(zip(part.shape, part.stride(), strict=True))
        ),
        torch.tensor(part.storage_offset()),
    ).expand(part.shape)
    return {
        **{"id": n, "name": name, "shape": tuple(part.shape), "axes": letters.of(tensor.shape)},
        "storage": str(tensor.untyped_storage().data_ptr()),
        "numbers": part.to("cpu", torch.float32).contiguous().numpy().tobytes(),
        "places": places.to(torch.int32).contiguous().numpy().tobytes(),
    }


def _failure(
    name: str, message: str, lines: list[int], sizes: Mapping[str, int], column: int | None = None, fault: str = "reader"
) -> dict[str, Any]:
    found = explain(message, sizes) if fault == "reader" else None
    return {
        **{"kind": fault, "type": name, "message": message, "line": lines[0], "lines": lines, "column": column},
        **{"means": found.means if found else "", "fix": found.fix if found else ""},
    }


def _lines_of(error: BaseException) -> list[int]:
    """The lines of the program on the way to an error, innermost first."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == _FILE]
    return [frame.lineno or 0 for frame in reversed(frames)] or [0]


def too_long(error: TooLong) -> dict[str, Any]:
    """The failure of a program that was ended."""
    return _failure("Limit", str(error), _lines_of(error), {}, fault="limit")


def _end(until: float) -> None:
    """Raise TooLong after this time."""
    if time.monotonic() > until:
        raise TooLong(f"the program took more than {_SECONDS:.0f} seconds, so it was stopped: does a loop never end?")


def variables_of(code: str) -> dict[str, Any]:
    """The variables of a program after it has run, unseen. Raises its error, or TooLong."""
    variables: dict[str, Any] = {"__name__": "__main__"}
    with torch.random.fork_rng(), redirect_stdout(io.StringIO()), limited():
        torch.manual_seed(0)
        exec(compile(code, _FILE, "exec"), variables)
    return variables


@contextmanager
def limited() -> Iterator[None]:
    """Ends what the program's own functions do in this block after 20 seconds, with TooLong."""
    until = time.monotonic() + _SECONDS

    def watch(frame: FrameType, event: str, value: Any) -> Any:
        if frame.f_code.co_filename != _FILE:
            return None
        _end(until)
        return watch

    with _tracing(watch):
        yield


@contextmanager
def _tracing(watch: Any) -> Iterator[None]:
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        yield
    finally:
        sys.settrace(before)
