"""Deterministic inputs: a number is a function of (seed, name of the tensor, row, column), the same here as in kit/inputs.js.

So a lab with the same settings shows the same numbers in Jupyter, where torch computes, and on a page, where the browser does; and
a slider that lengthens a sentence changes no number that was there before.
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

_ROW_STEP = 8192  # entry (row, column) has the number row * _ROW_STEP + column, so no tensor is wider than this


def normal(seed: int, name: str, rows: Iterable[int], columns: int) -> Float[Tensor, "rows columns"]:
    """Standard normal numbers, one for each (row, column): row r of the result is the row with number rows[r].

    Box and Muller 1958, on 32-bit integers hashed by "lowbias32" (Chris Wellons, public domain).
    """
    key = _key(seed, name)
    first = _hashed(key ^ _positions(rows, columns))
    second = _hashed(first ^ key)
    radius = np.sqrt(-2 * np.log((first + 0.5) / 2**32))
    return torch.from_numpy((radius * np.cos(2 * np.pi * second / 2**32)).astype(np.float32))


def pick(
    seed: int, name: str, rows: Iterable[int], columns: int, values: Float[Tensor, " values"]
) -> Float[Tensor, "rows columns"]:
    """Numbers chosen from equally likely values, whose count is a power of two. Like `normal`, but each costs only a look-up."""
    bits = len(values).bit_length() - 1
    return values[
        torch.from_numpy((_hashed(_key(seed, name) ^ _positions(rows, columns)) >> np.uint32(32 - bits)).astype(np.int64))
    ]


def _key(seed: int, name: str) -> Any:
    key = _hashed(np.uint32(seed + 1))
    for letter in name:
        key = _hashed(key ^ np.uint32(ord(letter)))
    return key


def _positions(rows: Iterable[int], columns: int) -> Any:
    return np.fromiter(rows, dtype=np.uint32)[:, None] * np.uint32(_ROW_STEP) + np.arange(columns, dtype=np.uint32)


def _hashed(x: Any) -> Any:
    """32-bit integers, hashed so that neighbours have nothing in common."""
    with np.errstate(over="ignore"):
        x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D)
        x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
        return x ^ (x >> np.uint32(16))


@functools.cache
def texts() -> list[list[str]]:
    """The four sentences of the labs as words. Each is longer than any lab shows."""
    sentences = json.loads((Path(__file__).parent / "texts.json").read_text(encoding="utf-8"))
    return [text.split() for text in sentences]


@functools.cache
def words() -> dict[str, int]:
    """The number of each word, in the order in which the words first appear."""
    return {word: number for number, word in enumerate(dict.fromkeys(word for text in texts() for word in text))}
