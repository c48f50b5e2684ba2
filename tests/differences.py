"""Where the page differs from Python and torch: `differences` of what `codelab` notes of one program."""

import base64
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

# Different sums of the same float32 numbers differ by this share of the largest; two roundings to fewer bits, by one of those bits.
_CLOSE = {"float64": 1e-5, "float32": 1e-5, "bfloat16": 2**-7, "float16": 2**-10}
_NUMBER = re.compile(r"-?\b\d+\.?\d*(?:e[+-]?\d+)?|-?\b(?:inf|nan)\b")
_AUTOGRAD = re.compile(r",\s+grad_fn=<\w+>|,\s+requires_grad=True")


def differences(torchs: dict[str, Any], pages: dict[str, Any]) -> list[str]:
    """Sentences, none if the page agrees: values, shapes, strides, offsets, contiguity, dtypes, shared storage, text, error."""
    if "crash" in pages:
        return [f"crash: {pages['crash']}"]
    return [
        *_errors(torchs["error"], pages["error"]),
        *_all_variables(torchs, pages),
        *_printed(torchs["printed"], pages["printed"]),
    ]


def _errors(torchs: Any, pages: Any) -> Iterator[str]:
    for one in (torchs, pages):
        if one and one["type"] == "ImportError":  # it ends with the path of a file
            one["message"] = one["message"].partition(" (")[0]
    if torchs != pages:
        yield f"error: torch {_told(torchs)}, page {_told(pages)}"


def _told(error: Any) -> str:
    return f"{error['type']} at line {error['line']}: {error['message']}" if error else "none"


def _all_variables(torchs: dict[str, Any], pages: dict[str, Any]) -> Iterator[str]:
    mine, theirs = torchs["variables"], pages["variables"]
    storages: list[tuple[str, int, int]] = []
    for name in dict.fromkeys([*mine, *theirs]):
        yield from _values(name, mine.get(name), theirs.get(name), storages)
    pairs: dict[tuple[str, int], tuple[str, int]] = {}
    for name, here, there in storages:
        for key, other in ((("torch", here), there), (("page", there), here)):
            first, partner = pairs.setdefault(key, (name, other))
            if partner != other:
                yield f"{name}: {key[0]} shares its storage with {first}, the other does not"


def _values(name: str, mine: Any, theirs: Any, storages: list[tuple[str, int, int]], largest: float = 0.0) -> Iterator[str]:
    """`largest`: the largest number beside it, if the value is in a list."""
    kinds = mine and mine["kind"], theirs and theirs["kind"]
    if kinds[0] != kinds[1]:
        yield f"{name}: torch has {kinds[0]}, page {kinds[1]}"
    elif mine and kinds[0] == "tensor":
        yield from _tensors(name, mine, theirs)
        storages.append((name, mine["storage"], theirs["storage"]))
    elif mine and kinds[0] == "float":
        if not _close(mine["value"], theirs["value"], 1e-5 * max(largest, _size(mine))):
            yield f"{name}: torch {mine['value']}, page {theirs['value']}"
    elif mine and "items" in mine:
        largest = max([largest, *map(_size, mine["items"])])
        for part in ("keys", "items"):
            some, others = mine.get(part, []), theirs.get(part, [])
            if len(some) != len(others):
                yield f"{name}: torch has {len(some)} {part}, page {len(others)}"
            for number, pair in enumerate(zip(some, others, strict=False)):
                yield from _values(f"{name}.{part}[{number}]", *pair, storages, largest)
    elif mine and mine["value"] != theirs["value"]:
        yield f"{name}: torch {mine['value']!r}, page {theirs['value']!r}"


def _size(described: Any) -> float:
    value = described.get("value") if described else None
    return abs(value) if isinstance(value, float) else 0.0


def _tensors(name: str, mine: dict[str, Any], theirs: dict[str, Any]) -> Iterator[str]:
    for what in ("shape", "strides", "offset", "contiguous", "dtype"):
        if mine[what] != theirs[what]:
            yield f"{name}.{what}: torch {mine[what]}, page {theirs[what]}"
    if mine["shape"] == theirs["shape"]:
        here, there = (_numbers(one["values"]) for one in (mine, theirs))
        largest = np.abs(here[np.isfinite(here)]).max(initial=0.0)
        close = np.isclose(here, there, rtol=0.0, atol=_CLOSE.get(mine["dtype"], 0.0) * largest, equal_nan=True)
        if not close.all():
            first = close.argmin()
            pair = f"torch {here[first]}, page {there[first]}"
            yield f"{name}: {(~close).sum()} of {close.size} values differ, the first at {first}: {pair}"


def _numbers(values: Any) -> np.ndarray:
    return np.frombuffer(base64.b64decode(values)) if isinstance(values, str) else np.asarray(values, float)


def _close(mine: float | str, theirs: float | str, room: float) -> bool:
    if isinstance(mine, str) or isinstance(theirs, str):
        return mine == theirs
    return abs(mine - theirs) <= room


def _printed(mine: str, theirs: str) -> Iterator[str]:
    mine, theirs = (_AUTOGRAD.sub("", text) for text in (mine, theirs))
    if mine != theirs and not same_text(mine, theirs):
        lines = zip([*mine.split("\n"), "(end)"], [*theirs.split("\n"), "(end)"], strict=False)
        yield "printed: torch {!r}, page {!r}".format(*next(pair for pair in lines if not same_text(*pair)))


def same_text(mine: str, theirs: str) -> bool:
    """Equal but for rounding: a number may be one off in its last digit, and 1.0000 is printed as 1. if it is exact."""
    blanks = r"\s+" if [*map(_whole, _NUMBER.findall(mine))] != [*map(_whole, _NUMBER.findall(theirs))] else "(?!)"
    words = [re.sub(blanks, " ", text) for text in _NUMBER.split(mine)]
    others = [re.sub(blanks, " ", text) for text in _NUMBER.split(theirs)]
    numbers = zip(_NUMBER.findall(mine), _NUMBER.findall(theirs), strict=False)
    return words == others and all(_same_number(*pair) for pair in numbers)


def _whole(number: str) -> bool:
    return number.endswith(".")


def _same_number(mine: str, theirs: str) -> bool:
    if mine == theirs or not ("." in mine and "." in theirs):
        return mine == theirs
    decimals = [len(re.sub(r"e.*", "", number).partition(".")[2]) for number in (mine, theirs)]
    if len(set(decimals)) == 2 and all(0 < count < 9 for count in decimals):  # more digits are those of repr(float)
        return False
    exponent = int(mine.partition("e")[2] or 0)
    room = max(1.01 * 10.0 ** (exponent - min(decimals)) if all(decimals) else 0.0, 1e-5 * abs(float(mine)))
    return abs(float(mine) - float(theirs)) <= room
