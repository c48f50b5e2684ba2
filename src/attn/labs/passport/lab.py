"""PassportLab: whose numbers does this head hold? Splitting into heads and merging them again, number by number."""

import math
import re
from collections.abc import Mapping
from html import escape
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.lab import Lab, Limits, Size
from attn.trace.table import table

__all__ = ["PassportLab"]

WAYS = {
    "split": {
        "right": "view(B, L, H, D).permute(0, 2, 1, 3)",
        "view only": "view(B, H, L, D)",
        "interleaved": "view(B, L, D, H).permute(0, 3, 1, 2)",
        "pieces": "view(B, -1, H, P).permute(0, 2, 1, 3).reshape(B, H, L, D)",
    },
    "merge": {
        "right": "transpose(1, 2).reshape(B, L, H*D)",
        "no transpose": "reshape(B, L, H*D)",
        "pieces": "view(B, -1, L, P).permute(0, 2, 1, 3).reshape(B, L, H*D)",
    },
}

# Calls to try on the result of a split, or instead of the last call of a merge.
NEXT_CALLS = {
    "split": ("view(B, H, L*D)", "reshape(B, H, L*D)", "contiguous()", "transpose(1, 2).view(B, L, H*D)"),
    "merge": ("view(B, L, H*D)", "reshape(B, L, H*D)", "contiguous().view(B, L, H*D)"),
}

COUNTS = ("in place", "another head", "another token", "another channel")


class PassportLab(Lab):
    """Every number has a passport (sentence, word, head, channel); a line that splits or merges heads moves each number somewhere.

    B, L, H, D: sentences, words, heads, numbers per head. operation: "split", from (B, L, H·D) to (B, H, L, D), or "merge", the
    reverse. way: "right", or the name of a bug: "view only" or "interleaved" for a split, "no transpose" for a merge. way "pieces"
    cuts the row of memory into pieces of `piece` numbers, and the heads (in a merge: the words) take them in turn; the other ways
    are this one with pieces of D, L·D, 1 and H·D numbers. colour: "head" or "word". pin: the number that is highlighted, as its
    place in the storage of the tensor that is split or merged. strides: whether the calls are listed with their strides.

    After any change `lab.result` and `lab.right` are what torch makes of torch.arange(B * L * H * D) in the chosen and in the right
    way, so each number is the place where it was stored. `lab.counts` says how many numbers are in place, in another head and so
    on. `lab.steps` describes what each call makes (shape, strides, contiguous, view or copy), and `lab.next` what view, reshape and
    contiguous would do with it. If no view cuts the row into such pieces, `lab.error` is torch's message and `lab.result` is empty.

    A small lab that asks first: two lines as two buttons; when the reader has pressed the one that seems wrong, the numbers fly,
    and those that belong to another head show.

        question = "Both lines give the same shape. One is wrong: which?"
        PassportLab(parts=["guess", "memory", "heads"], controls=[], question=question)

    The part "guess" is there only where a page asks for it. "steps" and "next" are the calls with their strides and what can follow
    them, which a whole lab shows when `strides` is set. PassportLab(parts=["memory"], controls=["fence"]) is the row alone.

    Raises traitlets.TraitError if a value is outside LIMITS, and ValueError if the operation does not have this way.
    """

    STATE = ("B", "L", "H", "D", "operation", "way", "piece")
    VIEW = ("colour", "pin", "strides")
    LIMITS: ClassVar[Limits] = {**dict.fromkeys("BLHD", (1, 8)), "piece": (1, 64)}
    PAGE_LIMITS: ClassVar[Limits] = {"B": (1, 3), "L": (1, 6), "H": (1, 4), "D": (1, 5), "piece": (1, 30)}
    QUESTION = "Both lines give the same shape. Where does each line put the numbers?"
    CHIPS = (
        ("split without permute", {"operation": "split", "way": "view only", "H": 3}),
        ("merge without transpose", {"operation": "merge", "way": "no transpose", "H": 3}),
        ("one head hides the bug", {"operation": "split", "way": "view only", "H": 1}),
    )
    PARTS = ("guess", "memory", "heads", "steps", "next")
    CONTROLS = ("H", "L", "D", "fence", "way", "colour", "B", "strides")

    B = Size(1).tag(sync=True)
    L = Size(5).tag(sync=True)
    H = Size(3).tag(sync=True)
    D = Size(4).tag(sync=True)
    operation = traitlets.Enum(tuple(WAYS), "split").tag(sync=True)
    way = traitlets.Enum(tuple(dict.fromkeys(way for ways in WAYS.values() for way in ways)), "view only").tag(sync=True)
    piece = Size(2).tag(sync=True)
    colour = traitlets.Enum(("head", "word"), "head").tag(sync=True)
    pin = traitlets.Int(None, min=0, allow_none=True).tag(sync=True)
    strides = traitlets.Bool(False).tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        operation, way = state["operation"], state["way"]
        ways = list(WAYS[operation])
        if way in ways:
            return state
        if "operation" not in changed:
            raise ValueError(f'way = "{way}": the ways to {operation} are {", ".join(map(repr, ways))}.')
        return state | {"way": ways[1]}  # the bug of the other operation becomes the bug of this one

    def compute(self) -> Mapping[str, Any]:
        return self._results_of(self.way)

    def _results_of(self, way: str) -> dict[str, Any]:
        """The results for this way."""
        code = WAYS[self.operation][way]
        B, L, H, D = (getattr(self, axis) for axis in "BLHD")
        places = torch.arange(B * L * H * D, device=device())
        given = places.view((B, L, H * D) if self.operation == "split" else (B, H, L, D))
        right = self._run(given, WAYS[self.operation]["right"])[-1]
        try:
            tensors, error = self._run(given, code), ""
        except RuntimeError as problem:  # the row cannot be cut into such pieces
            tensors, error = [given], str(problem)
        result = places[:0] if error else tensors[-1]
        source = tensors[-1] if self.operation == "split" else tensors[-2:][0]
        calls = ["", *_calls(code)]
        return {
            "result": result,
            "right": right,
            "error": error,
            "counts": dict.fromkeys(COUNTS, 0) if error else self._count(result, right),
            "steps": [
                {
                    "call": call,
                    "shape": list(tensor.shape),
                    "strides": list(tensor.stride()),
                    "contiguous": tensor.is_contiguous(),
                    "memory": _view_or_copy(tensor, before) if call else "",
                }
                for call, tensor, before in zip(calls, tensors, [given, *tensors], strict=False)
            ],
            "next": [] if error else [self._try(call, source) for call in NEXT_CALLS[self.operation]],
        }

    @property
    def _sizes(self) -> dict[str, int]:
        return {"B": self.B, "L": self.L, "H": self.H, "D": self.D, "P": self.piece}

    def _run(self, given: Tensor, code: str) -> list[Tensor]:
        """The given tensor and the result of each call in a chain such as "transpose(1, 2).view(B, L, H*D)"."""
        tensors = [given]
        for call in _calls(code):
            name, _, arguments = call.rstrip(")").partition("(")
            sizes = [self._evaluate(argument) for argument in arguments.split(", ") if argument]
            tensors.append(getattr(tensors[-1], name)(*sizes))
        return tensors

    def _evaluate(self, product: str) -> int:
        """The value of a product of sizes, such as "H*D"."""
        return math.prod(self._sizes[factor] if factor in self._sizes else int(factor) for factor in product.split("*"))

    def _try(self, code: str, source: Tensor) -> dict[str, str]:
        try:
            return {"call": code, "does": _view_or_copy(self._run(source, code)[-1], source), "message": ""}
        except RuntimeError as error:
            return {"call": code, "does": "error", "message": str(error)}

    def _count(self, result: Tensor, right: Tensor) -> dict[str, int]:
        B, L, H, D = (getattr(self, axis) for axis in "BLHD")
        stored, axes = ((B, L, H, D), "BLHD") if self.operation == "split" else ((B, H, L, D), "BHLD")
        actual, expected = torch.unravel_index(result, stored), torch.unravel_index(right, stored)
        differing = {axis: int((a != b).sum()) for axis, a, b in zip(axes, actual, expected, strict=True)}
        return dict(zip(COUNTS, [int((result == right).sum()), *(differing[axis] for axis in "HLD")], strict=True))

    def fallback(self) -> str:
        B, L, H, D = (getattr(self, axis) for axis in "BLHD")
        given = f"x (B, L, H*D) = {(B, L, H * D)}" if self.operation == "split" else f"heads (B, H, L, D) = {(B, H, L, D)}"
        results = {way: self._results_of(way) for way in WAYS[self.operation] if way != "pieces"}
        calls = [f".{code}" for code in NEXT_CALLS[self.operation]]
        rows = []
        for way, of_way in results.items():
            counts = [of_way["counts"][name] for name in ("in place", "another head", "another token")]
            strides = tuple(of_way["steps"][-1]["strides"])
            rows.append([f"{way}: {WAYS[self.operation][way]}", *counts, strides, *(call["does"] for call in of_way["next"])])
        columns = ("way", "in place", "in another head", "at another word", "strides of the result", *calls)
        messages = {call["message"] for of_way in results.values() for call in of_way["next"]} - {""}
        errors = "".join(f"<p>The error: {escape(message)}</p>" for message in sorted(messages))
        return (
            f"<p>Where each way puts the {B * L * H * D} numbers of {given}, and what view, reshape and contiguous do with the "
            f"result. A number can be in another head and at another word at once:</p>{table(columns, rows).html()}{errors}"
        )


def _calls(code: str) -> list[str]:
    return re.findall(r"\w+\([^)]*\)", code)


def _view_or_copy(result: Tensor, source: Tensor) -> str:
    """Does `result` share the memory of `source`?"""
    return "view" if result.untyped_storage().data_ptr() == source.untyped_storage().data_ptr() else "copy"
