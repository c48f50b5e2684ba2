"""Checkers for sums: einsum formulas, letter by letter, and the weighted sum of the values."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import conclude, examine, first_wrong, kind, normal
from attn.check.verdict import Verdict
from attn.shapes import AXES
from attn.trace.table import as_shape

__all__ = ["einsum", "weighted_sum"]

_SIZES = {"b": 2, "h": 3, "l": 5, "s": 7, "d": 4, "e": 12}

# For each task the names of the tensors, their axes and those of the result, in the letters of the book.
_TASKS: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "scores": (("q", "k"), ("bhld", "bhsd"), "bhls"),
    "heads": (("weights", "v"), ("bhls", "bhsd"), "bhld"),
    "lengths": (("q", "q"), ("bhld", "bhld"), "bhl"),
    "output": (("heads", "W_O"), ("bhld", "hde"), "ble"),
}
_PLURAL = {"b": "sequences", "h": "heads", "l": "queries", "s": "keys", "d": "components of a head", "e": "components of a token"}


def einsum(answer: Any) -> Verdict:
    """Check einsum formulas, ``{"scores": "bhld,bhsd->bhls", ...}``; any letters are allowed, in upper or lower case.

    The tasks: "scores" of q (B, H, L, D) and k (B, H, S, D); "heads" of weights (B, H, L, S) and v (B, H, S, D); "lengths",
    the squared norm of each query, of q and q; "output", the sum over the heads of heads (B, H, L, D) times the head's slice of
    W_O (H, D, E).

    The verdict names the first wrong formula and the axis that it sums or keeps by mistake, or whose letters are wrong.
    """
    if not isinstance(answer, dict) or not answer:
        return Verdict(
            False, f"Your answer is {kind(answer) if answer != {} else 'empty'}, not a dict with formulas for {', '.join(_TASKS)}."
        )
    missing = [name for name in _TASKS if name not in answer]
    left = f" Not checked: {', '.join(missing)}." * bool(missing)
    return conclude(
        (_about_formula(name, formula) for name, formula in answer.items()),
        f"{len(answer)} formulas, and each sums exactly the axes that it should.{left}",
    )


def _about_formula(name: str, formula: Any) -> str:
    if name not in _TASKS:
        return f"There is no task called {name!r}. The tasks are {', '.join(_TASKS)}."
    if not isinstance(formula, str):
        return f'{name}: a formula must be a string such as "ij,jk->ik"; you gave {kind(formula)}.'
    wrong = _read(name, formula)
    return wrong and f'{name}: "{formula}" {wrong}'


def _read(name: str, formula: str) -> str:
    """What is wrong with a formula; empty if it is right."""
    names, axes, want = _TASKS[name]
    if "." in formula:
        return 'contains "...", which stands for any number of axes. Write one letter for each axis here.'
    before, arrow, result = formula.replace(" ", "").partition("->")
    if not arrow:
        return 'has no "->". Without an arrow einsum keeps the letters that appear once and sums all others, b and h among them.'
    if strange := [sign for sign in before.replace(",", "") + result if not (sign.isascii() and sign.isalpha())]:
        return f'contains "{strange[0]}", which is not a letter.'
    given = before.split(",")
    if len(given) != len(axes):
        return f"has {_count(len(given), 'tensor')} before the arrow; there must be {len(axes)}, {' and '.join(names)}."
    means: dict[str, str] = {}  # the letter in the formula -> the axis of the book
    theirs: dict[str, list[str]] = {}  # the axis of the book -> its letters in the formula
    for tensor, letters, own in zip(names, given, axes, strict=True):
        if len(letters) != len(own):
            return f"gives {tensor} {_count(len(letters), 'letter')}; its axes are {as_shape(tuple(own.upper()))}."
        for letter, axis in zip(letters, own, strict=True):
            if means.setdefault(letter, axis) != axis:
                first, second = means[letter], axis
                return (
                    f'uses "{letter}" for two axes, {_size(first)} and {_size(second)}. One letter stands for one size. If the two '
                    "sizes were equal, the formula would run and pair elements that do not belong together."
                )
            if letter not in theirs.setdefault(axis, []):
                theirs[axis].append(letter)
    for axis, several in theirs.items():
        if len(several) > 1:
            alone = next((letter for letter in several if letter not in result), "")
            then = f', and "{alone}", which is not in the result, is summed separately' if alone else ""
            return (
                f"has two letters for one axis, {' and '.join(several)} for the {_PLURAL[axis]}. They run independently of each "
                f"other{then}. Use the same letter in both tensors."
            )
    if unknown := [letter for letter in result if letter not in means]:
        return f'has "{unknown[0]}" in the result, but no tensor has an axis with this letter.'
    if len(set(result)) < len(result):
        return "has the same letter twice after the arrow. Each letter can name only one axis of the result."
    got = "".join(means[letter] for letter in result)
    if gone := [axis for axis in want if axis not in got]:
        return f"does not keep {gone[0].upper()}: it sums over the {_PLURAL[gone[0]]}. Which letter is missing after the arrow?"
    if kept := [axis for axis in got if axis not in want]:
        return f"keeps {kept[0].upper()}, which must be summed. What does a letter after the arrow do?"
    if got != want:
        return f"returns the axes in the order {as_shape(tuple(got.upper()))}; it must be {as_shape(tuple(want.upper()))}."
    return ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _size(axis: str) -> str:
    return f"{AXES[axis.upper()].letter} of size {_SIZES[axis]}"


def weighted_sum(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for the second product of attention: answer(weights (B, H, L, S), v (B, H, S, D)) -> (B, H, L, D).

    One row of the weights is 0, that of a query that may attend to nothing.

    The verdict recognises a sum over the wrong axis or over too many axes, a mean instead of a sum, and sums that mix sequences
    or heads.
    """
    sizes = ((2, 3, 5, 7, 4), (3, 2, 4, 4, 5))  # the second has L = S, so that code that confuses the two runs
    return conclude(
        (_complaint(answer, *each) for each in sizes),
        "Every query gets the weighted sum over the keys, with the values of its own sequence and head only.",
    )


def _complaint(answer: Callable[..., Any], B: int, H: int, L: int, S: int, D: int) -> str:
    scores, v = normal((B, H, L, S), (B, H, S, D), seed=B)
    weights = scores.softmax(-1) * (torch.arange(L)[:, None] != 1)  # query 1 may attend to nothing
    want = (weights[..., None] * v[:, :, None]).sum(3)
    return examine(
        answer,
        {"weights": weights, "v": v},
        want,
        "(B, H, L, D)",
        _mistakes(weights, v),
        wrong_values=first_wrong(want, lambda b, h, i, d: f"component {d} of every value, times the weights of query {i}, summed"),
        why=_why_raised,
    )


def _mistakes(weights: Tensor, v: Tensor) -> Iterator[tuple[Tensor, str]]:
    for formula, hint in {
        "bhls,bgsd->bhld": "each query got the values of all heads. The heads have two letters, and the one that is not in the "
        "result was summed.",
        "bhls,ahsd->bhld": "each query got the values of all sequences. The sequences have two letters, and the one that is not in "
        "the result was summed.",
        "bhls,bhsd->bld": "your code sums over the heads. Which letter is missing after the arrow?",
        "bhls,bhsd->hld": "your code sums over the sequences. Which letter is missing after the arrow?",
        "bhls,bhsd->bhd": "your code sums over the queries. Which letter is missing after the arrow?",
        "bhls,bhsd->bhdl": "the last two axes are swapped. In which order must the letters be after the arrow?",
        "bhls,bhsd->bhsd": "your code sums over the queries, not over the keys.",
        "bhls,bhtd->bhld": "every value got the same weight, the sum of the row. Two letters for the keys make two separate sums.",
    }.items():
        yield torch.einsum(formula, weights, v), hint
    L, S = weights.shape[-2:]
    if L == S:
        yield weights.mT @ v, "your code sums over the queries instead of the keys. It runs only because L = S here."
    yield (
        weights @ v / weights.sum(-1, keepdim=True),
        ("you divided by the sums of the rows. The weights of a row sum to 1, or to 0 where a query may attend to nothing."),
    )
    yield weights @ v / S, f"these are means: the sums were divided by {S}. The weights of a row already sum to 1."


def _why_raised(error: Exception) -> str:
    message = str(error)
    if message.startswith("einsum(): subscript") and "previously seen size" in message:
        return "(One letter stands for two axes of different sizes. v has no axis of queries: which of its axes counts the keys?)"
    if any(text in message for text in ("Expected size", "must match the size", "cannot be multiplied")):
        return "(The last axis of weights counts the keys. Which axis of v counts them, and where does a matrix product need it?)"
    return ""
