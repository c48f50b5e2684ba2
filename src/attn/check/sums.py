"""Checkers for what is summed: einsum formulas, letter by letter, and the weighted sum of the values."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import conclude, examine, first_wrong, normal
from attn.check.verdict import Verdict
from attn.shapes import AXES
from attn.trace.table import as_shape

__all__ = ["einsum", "weighted_sum"]

_SIZES = {"b": 2, "h": 3, "l": 5, "s": 7, "d": 4, "e": 12}

# What can be asked for: the tensors by name, their axes and those of the result in the letters of the book.
_ASKED: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "scores": (("q", "k"), ("bhld", "bhsd"), "bhls"),
    "heads": (("weights", "v"), ("bhls", "bhsd"), "bhld"),
    "lengths": (("q", "q"), ("bhld", "bhld"), "bhl"),
    "output": (("heads", "W_O"), ("bhld", "hde"), "ble"),
}
_PLURAL = {"b": "samples", "h": "heads", "l": "queries", "s": "keys", "d": "numbers of a head", "e": "numbers of a token"}


def einsum(answer: Mapping[str, Any]) -> Verdict:
    """Check einsum formulas, ``{"scores": "bhld,bhsd->bhls", ...}``; any letters will do, in any case.

    What can be asked for: "scores" of q (B, H, L, D) and k (B, H, S, D); "heads" of weights (B, H, L, S) and v (B, H, S, D);
    "lengths", the squared length of each query, of q and q; "output", the sum over heads of heads (B, H, L, D) times its own
    part of W_O (H, D, E).

    The verdict names the first formula that is wrong, and for it the axis that is summed, kept, joined or left apart by mistake.
    """
    for name, formula in answer.items():
        if name not in _ASKED:
            return Verdict(False, f"There is no task called {name!r}; there are {', '.join(_ASKED)}.")
        if not isinstance(formula, str):
            return Verdict(False, f"{name}: a formula is a text, you gave {type(formula).__name__}.")
        wrong = _read(name, formula)
        if wrong:
            return Verdict(False, f'{name}: "{formula}" {wrong}')
    missing = [name for name in _ASKED if name not in answer]
    left = f" Not asked: {', '.join(missing)}." * bool(missing)
    return Verdict(True, f"{len(answer)} formulas, and each sums exactly the axes that it should.{left}")


def _read(name: str, formula: str) -> str:
    """What is wrong with a formula; empty if it is right."""
    names, axes, want = _ASKED[name]
    if "." in formula:
        return 'has "...", which stands for whatever axes there are. Write a letter for each of them here.'
    before, arrow, result = formula.replace(" ", "").partition("->")
    if not arrow:
        return 'has no "->": einsum then keeps the letters that stand once, and sums the others, b and h among them.'
    if strange := [sign for sign in before.replace(",", "") + result if not (sign.isascii() and sign.isalpha())]:
        return f'has a "{strange[0]}", which is no letter.'
    given = before.split(",")
    if len(given) != len(axes):
        return f"has {len(given)} tensors before the arrow; there are {len(axes)}, {' and '.join(names)}."
    means: dict[str, str] = {}  # their letter -> the axis of the book
    theirs: dict[str, list[str]] = {}  # the axis of the book -> the letters that it is given
    for tensor, letters, own in zip(names, given, axes, strict=True):
        if len(letters) != len(own):
            return f"gives {tensor} {_count(len(letters))}; it has the axes {as_shape(tuple(own.upper()))}."
        for letter, axis in zip(letters, own, strict=True):
            if means.setdefault(letter, axis) != axis:
                first, second = means[letter], axis
                return (
                    f'calls two axes "{letter}", {_size(first)} and {_size(second)}: one letter is one size. Were '
                    "the two equal it would run, and pair up what does not belong together."
                )
            if letter not in theirs.setdefault(axis, []):
                theirs[axis].append(letter)
    for axis, several in theirs.items():
        if len(several) > 1:
            by_itself = next((letter for letter in several if letter not in result), "")
            then = f'; "{by_itself}", which is not in the result, is added up by itself' if by_itself else ""
            return (
                f"has two letters for one axis, {' and '.join(several)} for the {_PLURAL[axis]}: they run independently of each "
                f"other{then}. What belongs together must have one letter."
            )
    if unknown := [letter for letter in result if letter not in means]:
        return f'asks for "{unknown[0]}" in the result, which is in no tensor.'
    if len(set(result)) < len(result):
        return "names a letter twice behind the arrow: a result has one axis for each letter."
    got = "".join(means[letter] for letter in result)
    if gone := [axis for axis in want if axis not in got]:
        return f"does not keep {gone[0].upper()}: the {_PLURAL[gone[0]]} are added up. Which letter is missing behind the arrow?"
    if kept := [axis for axis in got if axis not in want]:
        return f"keeps {kept[0].upper()}: it was to be summed. What does a letter behind the arrow do?"
    if got != want:
        return f"gives the axes in the order {as_shape(tuple(got.upper()))}; it is to be {as_shape(tuple(want.upper()))}."
    return ""


def _count(letters: int) -> str:
    return "1 letter" if letters == 1 else f"{letters} letters"


def _size(axis: str) -> str:
    return f"{AXES[axis.upper()].letter} of size {_SIZES[axis]}"


def weighted_sum(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for the second product of attention: answer(weights (B, H, L, S), v (B, H, S, D)) -> (B, H, L, D).

    The verdict recognises a sum over the wrong axis, over samples or heads as well, a mean instead of a sum, and samples or
    heads that leak into each other.
    """
    sizes = ((2, 3, 5, 7, 4), (3, 2, 4, 4, 5))  # the second with L = S, where a mix-up of the two runs
    return conclude(
        (_complaint(answer, *each) for each in sizes),
        "Every query gets the sum over the keys, and no sample and no head sees another one's values.",
    )


def _complaint(answer: Callable[..., Any], B: int, H: int, L: int, S: int, D: int) -> str:
    scores, v = normal((B, H, L, S), (B, H, S, D), seed=B)
    weights = scores.softmax(-1)
    want = (weights[..., None] * v[:, :, None]).sum(3)
    return examine(
        answer,
        {"weights": weights, "v": v},
        want,
        "(B, H, L, D)",
        _mistakes(weights, v),
        otherwise=first_wrong(want, lambda b, h, i, d: f"number {d} of every value, times the weights of query {i}, summed"),
        why=_why_raised,
    )


def _mistakes(weights: Tensor, v: Tensor) -> Iterator[tuple[Tensor, str]]:
    for formula, hint in {
        "bhls,bgsd->bhld": "each query got the values of all heads: two letters for the heads, and the one that is not in the "
        "result was added up.",
        "bhls,ahsd->bhld": "each query got the values of all samples: two letters for the samples, and the one that is not in "
        "the result was added up.",
        "bhls,bhsd->bld": "the heads were added up. Which letter is missing behind the arrow?",
        "bhls,bhsd->hld": "the samples were added up. Which letter is missing behind the arrow?",
        "bhls,bhsd->bhd": "the queries were added up. Which letter is missing behind the arrow?",
        "bhls,bhsd->bhdl": "the last two axes are exchanged. In which order do the letters stand behind the arrow?",
        "bhls,bhsd->bhsd": "the queries were added up, and nothing was summed over the keys.",
        "bhls,bhtd->bhld": "every value got the same weight, the sum of the row: two letters for the keys are two sums.",
    }.items():
        yield torch.einsum(formula, weights, v), hint
    L, S = weights.shape[-2:]
    if L == S:
        yield weights.mT @ v, "the queries were summed instead of the keys. It only runs because L = S here."
    yield weights @ v / S, f"these are means: everything is divided by {S}. The weights of a row add up to 1 already."


def _why_raised(error: Exception) -> str:
    message = str(error)
    if message.startswith("einsum(): subscript") and "previously seen size" in message:
        return "(One letter for two axes of different size. v has no queries: which of its axes counts the keys?)"
    if any(said in message for said in ("Expected size", "must match the size", "cannot be multiplied")):
        return "(The last axis of weights counts the keys. Which axis of v does, and where does a matrix product want it?)"
    return ""
