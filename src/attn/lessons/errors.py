"""What PyTorch's errors in attention code mean, and how to mend them.

errors.json is the one source of these texts: for the page of decoded errors, for labs/code/explain.js, and for `explain`. An entry
has a `pattern` that the first line of a message matches, what it `means`, and the `fix`. In the texts, {1} is what the pattern's
first pair of parentheses found; {1:letter} the axis letters of that size, {1:product} the product of its numbers, {1:like} a
method with nearly this name, and {1:import} the line that imports it: that of the entry's `imports`, or `import` and the name.
"""

import functools
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attn.trace.table import coloured

__all__ = ["Explanation", "explain", "explain_cells"]

# Methods that attention code calls, for names that are misspelt.
METHODS = (
    *("transpose", "permute", "reshape", "view", "contiguous", "flatten", "unflatten", "squeeze", "unsqueeze", "expand"),
    *("softmax", "masked_fill", "masked_fill_", "matmul", "repeat_interleave", "repeat", "chunk", "split", "size", "shape"),
)


@dataclass(frozen=True)
class Explanation:
    """An error in plain words."""

    name: str
    means: str
    fix: str

    def _repr_html_(self) -> str:
        name = self.name[0].upper() + self.name[1:]
        return f'<div class="decoded"><p><b>{name}.</b> {coloured(self.means)}</p><p><b>Fix.</b> {coloured(self.fix)}</p></div>'


def explain(error: BaseException | str, sizes: Mapping[str, int] | None = None) -> Explanation | None:
    """What an error of PyTorch or Python means, and the likely fix; None for one that is not in the list.

    error: the exception, or its message. sizes: what each axis letter counts, such as {"H": 3, "D": 4}; a size in the message is
    then followed by its letter.
    """
    message = str(error).partition("\n")[0]
    for entry in _entries():
        if found := re.search(entry["pattern"], message):
            means, fix = (_filled(entry[part], found, sizes or {}, entry.get("imports", {})) for part in ("means", "fix"))
            return Explanation(entry["name"], means, fix)
    return None


_sizes: dict[str, int] = {}


def explain_cells(**sizes: int) -> None:
    """In a notebook, explain the error of each cell below it. sizes: as in `explain`."""
    from IPython.core.getipython import get_ipython

    if shell := get_ipython():
        _sizes.update(sizes)
        shell.events.register("post_run_cell", _explain_cell)


def _explain_cell(result: Any) -> None:
    from IPython.display import display

    if found := result.error_in_exec and explain(result.error_in_exec, _sizes):
        display(found)


@functools.cache
def _entries() -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(Path(__file__).with_name("errors.json").read_text(encoding="utf-8"))
    return entries


def _filled(text: str, found: re.Match[str], sizes: Mapping[str, int], imports: Mapping[str, str]) -> str:
    def value(place: re.Match[str]) -> str:
        group = found[int(place[1])]
        if place[2] == "letter":
            letters = [letter for letter, size in sizes.items() if size == int(group)]
            return f" ({' or '.join(letters)})" if letters else ""
        if place[2] == "product":
            numbers = [int(number) for number in group.split(",")]
            known = math.prod(number for number in numbers if number >= 0)
            return f"a multiple of {known}" if min(numbers) < 0 else str(known)
        if place[2] == "like":
            distance, nearest = min((_distance(group, name), name) for name in METHODS)
            return f" Did you mean {nearest}?" if distance <= len(group) / 3 else ""
        if place[2] == "import":
            return imports.get(group, f"import {group}")
        return group

    return re.sub(r"\{(\d)(?::(\w+))?\}", value, text)


def _distance(a: str, b: str) -> int:
    """How many letters must be put in, left out or replaced to make b of a."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (letter != other))
    return row[-1]
