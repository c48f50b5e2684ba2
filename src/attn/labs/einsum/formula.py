"""Einsum formulas: reading one, the role of each letter, and the loops that it stands for. formula.js is the same in JavaScript.

    scores = torch.einsum("bhld,bhsd->bhls", q, k)

Each letter is an axis. After the arrow are the axes of the result; a letter that is not there is summed.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from attn.shapes import AXES, ShapeError

__all__ = ["Formula", "read_formula"]

LETTERS = "".join(AXES).lower()
_MOST_AXES = 4
_MOST_TENSORS = 2


@dataclass(frozen=True)
class Formula:
    """A valid formula: the letters of its one or two tensors, and of its result."""

    tensors: tuple[str, ...]
    result: str

    def __str__(self) -> str:
        return f"{','.join(self.tensors)}->{self.result}"

    @property
    def summed(self) -> str:
        """The letters that are not in the result."""
        return "".join(dict.fromkeys(letter for letter in "".join(self.tensors) if letter not in self.result))

    @property
    def letters(self) -> str:
        """Every letter once, those of the result first: the order of the loops."""
        return self.result + self.summed

    @property
    def is_of_weights(self) -> bool:
        """Whether the first tensor is weights: no number of it is negative, and each row sums to the same."""
        return self.tensors[0] == "bhls" and bool(re.fullmatch(r"b?[hg]?sd", self.tensors[-1]))

    def role(self, letter: str) -> str:
        """The role of an axis.

        "matched": in all tensors and in the result, index by index. "free": in one tensor and in the result.
        "summed": in both tensors, multiplied in pairs and added up. "alone": in one tensor, added up without a partner.
        """
        shared = len(self.tensors) > 1 and all(letter in tensor for tensor in self.tensors)
        if letter in self.result:
            return "matched" if shared else "free"
        return "summed" if shared else "alone"

    def shape(self, axes: str, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """The sizes of these letters."""
        return tuple(sizes[letter] for letter in axes)

    def steps(self, sizes: Mapping[str, int]) -> int:
        """How often the innermost line of the loops runs."""
        return math.prod(self.shape(self.letters, sizes))

    def loops(self, sizes: Mapping[str, int], names: tuple[str, ...] = ("left", "right")) -> str:
        """The loops that the formula stands for, as Python: those of the result outside, those that are summed inside.

        The result is full of zeros before they run.
        """
        lines = [f"{'  ' * depth}for {letter} in range({sizes[letter]}):" for depth, letter in enumerate(self.letters)]
        product = " * ".join(f"{name}[{','.join(axes)}]" for name, axes in zip(names, self.tensors, strict=False))
        place = f"result[{','.join(self.result) or '()'}]"
        return "\n".join([*lines, f"{'  ' * len(lines)}{place} {'+=' if self.summed else '='} {product}"])


def read_formula(text: str) -> Formula:
    """Read a formula such as "bhld,bhsd->bhls", in the letters of this book, for one or two tensors of up to four axes.

    Raises ShapeError, with a message that explains why, if the formula is invalid.
    """
    text = text.replace(" ", "")
    if "." in text:
        raise ShapeError('"..." stands for axes without letters; here every axis has its own letter.')
    for sign in text.replace("->", "").replace(",", ""):
        if sign not in LETTERS:
            raise ShapeError(_unknown_sign(sign))
    before, arrow, result = text.partition("->")
    if not arrow or "->" in result:
        raise ShapeError('A formula has one "->": before it the letters of the tensors, after it those of the result.')
    tensors = tuple(before.split(","))
    if len(tensors) > _MOST_TENSORS:
        raise ShapeError(f"{len(tensors)} tensors, separated by commas: only two can be multiplied here.")
    if "," in result:
        raise ShapeError("There is a comma after the arrow: a formula has one result.")
    if not all(tensors):
        raise ShapeError("One of the tensors has no letters: give it a letter for each of its axes.")
    for axes in (*tensors, result):
        if len(axes) > _MOST_AXES:
            raise ShapeError(f'"{axes}" has {len(axes)} axes: at most {_MOST_AXES} can be drawn.')
    for at, letter in enumerate(result):
        if letter not in before:
            raise ShapeError(f'"{letter}" is in the result, but in no tensor before the arrow: nothing says what it counts.')
        if letter in result[:at]:
            raise ShapeError(f'"{letter}" appears twice after the arrow: a result has one axis for each letter.')
    return Formula(tensors, result)


def _unknown_sign(sign: str) -> str:
    known = ", ".join(LETTERS)
    if sign.lower() in LETTERS:
        return f'"{sign}" and "{sign.lower()}" would be two axes: write all letters in lower case, {known}.'
    if sign in "->":
        return f'"{sign}" alone is not an arrow: write "->".'
    return f'"{sign}" is not an axis of this book: they are {known}.'
