"""Deterministic inputs: a number is a function of (seed, name of the tensor, row, column), the same here as in js/inputs.js.

So the same setting of a lab shows the same numbers in Jupyter, where torch computes, and on a built page, where the browser does;
and a slider that lengthens a sentence changes no number that was there before.
"""

import functools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["normal", "pick", "texts", "words"]

_ROWS = 8192  # a row of a tensor is numbered row * _ROWS + column, so no tensor is wider than this


def normal(seed: int, name: str, rows: Iterable[int], columns: int) -> Float[Tensor, "rows columns"]:
    """Standard normal numbers, one for each (row, column): row r of the result is that of number rows[r].

    Box and Muller 1958, on 32-bit integers scrambled by "lowbias32" (Chris Wellons, public domain).
    """
    key = _key(seed, name)
    first = _scrambled(key ^ _places(rows, columns))
    second = _scrambled(first ^ key)
    radius = np.sqrt(-2 * np.log((first + 0.5) / 2**32))
    return torch.from_numpy((radius * np.cos(2 * np.pi * second / 2**32)).astype(np.float32))


def pick(
    seed: int, name: str, rows: Iterable[int], columns: int, values: Float[Tensor, " values"]
) -> Float[Tensor, "rows columns"]:
    """Numbers picked from a list of equally likely values, whose length is a power of two: as `normal`, but a lookup each."""
    bits = len(values).bit_length() - 1
    return values[
        torch.from_numpy((_scrambled(_key(seed, name) ^ _places(rows, columns)) >> np.uint32(32 - bits)).astype(np.int64))
    ]


def _key(seed: int, name: str) -> Any:
    key = _scrambled(np.uint32(seed + 1))
    for letter in name:
        key = _scrambled(key ^ np.uint32(ord(letter)))
    return key


def _places(rows: Iterable[int], columns: int) -> Any:
    return np.fromiter(rows, dtype=np.uint32)[:, None] * np.uint32(_ROWS) + np.arange(columns, dtype=np.uint32)


def _scrambled(x: Any) -> Any:
    """32-bit integers scrambled so that neighbours have nothing in common."""
    with np.errstate(over="ignore"):
        x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D)
        x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
        return x ^ (x >> np.uint32(16))


@functools.cache
def texts() -> list[list[str]]:
    """The four sentences that the labs read, as words; they are longer than any lab shows."""
    read = json.loads((Path(__file__).parent / "texts.json").read_text(encoding="utf-8"))
    return [text.split() for text in read]


@functools.cache
def words() -> dict[str, int]:
    """The number of each word: the order in which it first appears."""
    return {word: number for number, word in enumerate(dict.fromkeys(word for text in texts() for word in text))}
