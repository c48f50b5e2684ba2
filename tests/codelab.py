"""Programs that the page must run as Python and torch do, and what both make of them, in plain data.

A file of `tests/snippets/` holds many programs. Each begins with a head, such as `### no-scale | wrong: no division by the root`.
The head says whether it is right, wrong but running, or raises an error.
"""

import functools
import io
import json
import math
import re
import tempfile
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from node import node

from attn.labs import bundle

TESTS = Path(__file__).parent
LABS = TESTS.parent / "src" / "attn" / "labs"
_HEAD = re.compile(r"^### (\S+) \| (right|wrong: .+|raises \w+)\n", re.MULTILINE)


@dataclass(frozen=True)
class Snippet:
    name: str
    kind: str  # "right", "wrong: why" or "raises RuntimeError"
    code: str


@functools.cache
def snippets(pattern: str) -> tuple[Snippet, ...]:
    """The programs of the files of `tests/snippets/` that match."""
    found = []
    for path in sorted((TESTS / "snippets").glob(pattern)):
        text = path.read_text()
        _, *parts = _HEAD.split(text)
        assert len(parts) == 3 * text.count("\n### "), f"a head in {path.name} is not understood"
        found += [Snippet(*part) for part in zip(parts[::3], parts[1::3], parts[2::3], strict=True)]
    return tuple(found)


def run_in_page(programs: Sequence[str], labs: Path = LABS, scripts: int = 0) -> list[dict[str, Any]]:
    """What the page makes of each program: `run_in_torch` of the same, or {"crash": ...}. `labs`: where its modules are.

    scripts: instead of the modules, the first one or both of the scripts that the page loads. None for a program that asks for the
    second one.
    """
    with tempfile.TemporaryDirectory() as folder:
        run = node("tests/js/codelab.js", str(_scripts(folder, scripts) if scripts else labs), stdin=json.dumps(list(programs)))
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def _scripts(folder: str, count: int) -> Path:
    """The page's first script, or both, in a file. It gives tests/js/codelab.js what that uses."""
    used = "Float, Foreign, Tuple, execute, missing, modules, rest, session, Tensor, numbersOf, isContiguous"
    before, share, after = bundle.deferred_script("code", "more.js").partition("const share = () => globalThis.attnMore")
    path = Path(folder, "first.js")
    more = bundle.more_script("code") if count == 2 else ""
    path.write_text(f"{more}{before}globalThis.attnFirst = {{ {used} }};\n{share}{after}", encoding="utf-8")
    return path


def run_in_torch(code: str) -> dict[str, Any]:
    """What Python and torch make of a program: its variables, what it prints, and its error."""
    made: dict[str, Any] = {"__name__": "__main__"}
    printed, error = io.StringIO(), None
    torch.manual_seed(0)
    with _as_in_the_page(), redirect_stdout(printed):
        try:
            exec(compile(code, "<snippet>", "exec", dont_inherit=True), made)
        except Exception as raised:
            error = _described_error(raised)
        storages: dict[int, int] = {}
        variables = {name: described(value, storages) for name, value in made.items() if not name.startswith("__")}
    return {"variables": {name: value for name, value in variables.items() if value}, "printed": printed.getvalue(), "error": error}


@contextmanager
def _as_in_the_page() -> Iterator[None]:
    """Dropout is off, and warnings are not shown."""
    dropout, F.dropout = F.dropout, lambda input, p=0.5, training=True, inplace=False: input
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        F.dropout = dropout
        torch.set_printoptions(profile="default")
        torch.set_default_dtype(torch.float32)


def _described_error(error: Exception) -> dict[str, Any]:
    if isinstance(error, SyntaxError):
        return {"type": type(error).__name__, "message": error.msg, "line": error.lineno}
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<snippet>"]
    return {"type": type(error).__name__, "message": str(error).partition("\n")[0], "line": lines[-1]}


def described(value: Any, storages: dict[int, int], depth: int = 0) -> dict[str, Any] | None:
    """A value in plain data, None if it is not to be compared. `storages` numbers storages in the order in which they are met."""
    if isinstance(value, torch.Tensor):
        return _described_tensor(value, storages)
    if isinstance(value, float):
        return {"kind": "float", "value": _number(value)}
    if value is None or isinstance(value, (bool, int, str)):
        return {"kind": type(value).__name__, "value": value}
    if isinstance(value, (torch.dtype, torch.device)):
        return {"kind": type(value).__name__, "value": repr(value)}
    if depth == 3:
        return None
    if isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        return {"kind": kind, "items": [described(item, storages, depth + 1) for item in value]}
    if isinstance(value, dict):
        parts = ([described(part, storages, depth + 1) for part in some] for some in (value.keys(), value.values()))
        return dict(zip(("keys", "items"), parts, strict=True), kind="dict")
    return None


def _described_tensor(tensor: torch.Tensor, storages: dict[int, int]) -> dict[str, Any]:
    storage = tensor.untyped_storage().data_ptr()
    return {
        "kind": "tensor",
        "shape": list(tensor.shape),
        "strides": list(tensor.stride()),
        "offset": tensor.storage_offset(),
        "contiguous": tensor.is_contiguous(),
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "storage": storages.setdefault(storage, len(storages)) if tensor.numel() else -1,
        "values": tensor.detach().double().flatten().numpy(),
    }


def _number(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)
