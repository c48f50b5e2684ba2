"""The page of decoded errors: its sections, and what its cells raise."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
_CELL = re.compile(r"^```\{code-cell\}\n(?::tags: \[[^\]]*\]\n\n)?(.*?)^```$", re.M | re.S)


class Section(NamedTuple):
    """A message as its heading gives it, with … for what varies, and the cells that raise it."""

    message: str
    cells: list[str]


def sections() -> tuple[list[str], list[Section]]:
    """The cells that set up the page, and its sections."""
    text = (ROOT / "book" / "errors.md").read_text("utf-8")
    first, *others = re.split(r"^### ", text, flags=re.M)
    return _CELL.findall(first), [Section(part.split("\n")[0].strip("` "), _CELL.findall(part)) for part in others]


def raised(code: str, names: dict[str, object]) -> str:
    """The message of the error that a cell raises; the names that it assigns stay."""
    try:
        exec(code, names)
    except Exception as error:
        return str(error)
    pytest.fail(f"{code} raises nothing")
