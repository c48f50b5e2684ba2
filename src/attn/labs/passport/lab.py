"""PassportLab: whose numbers does this head hold? Splitting into heads and merging them again, element by element."""

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
    },
    "merge": {
        "right": "transpose(1, 2).reshape(B, L, H*D)",
        "no transpose": "reshape(B, L, H*D)",
    },
}

# Calls to try on the result of a split, or instead of the last call of a merge.
NEXT_CALLS = {
    "split": ("view(B, H, L*D)", "reshape(B, H, L*D)", "contiguous()", "transpose(1, 2).view(B, L, H*D)"),
    "merge": ("view(B, L, H*D)", "reshape(B, L, H*D)", "contiguous().view(B, L, H*D)"),
}


class PassportLab(Lab):
    """Every element has a passport (sample, token, head, channel); a way to split or merge heads moves each element somewhere.

    B, L, H, D: samples, tokens, heads, width of a head. operation: "split", from (B, L, H·D) to (B, H, L, D), or "merge", the
    reverse. way: "right" or the name of a bug: "view only" or "interleaved" for a split, "no transpose" for a merge. colour_by:
    "head" or "token". pin: the element that is highlighted, as its place in the storage of the tensor that is split or merged.

    After any change `lab.result` and `lab.right` are what torch makes of torch.arange(B * L * H * D) in the chosen and in the right
    way, so each number is the place where the element was stored. `lab.counts` says how many elements are in place, in another
    head and so on. `lab.steps` describes what each call makes (shape, strides, contiguous, view or copy), and `lab.next` what
    view, reshape and contiguous would do with it.

    Raises traitlets.TraitError if a value is outside LIMITS, and ValueError if the operation does not have this way.
    """

    STATE = ("B", "L", "H", "D", "operation", "way")
    VIEW = ("colour_by", "pin")
    LIMITS: ClassVar[Limits] = dict.fromkeys("BLHD", (1, 8))
    PAGE_LIMITS: ClassVar[Limits] = {"B": (1, 3), "L": (1, 6), "H": (1, 4), "D": (1, 5)}

    B = Size(1).tag(sync=True)
    L = Size(5).tag(sync=True)
    H = Size(3).tag(sync=True)
    D = Size(4).tag(sync=True)
    operation = traitlets.Enum(tuple(WAYS), "split").tag(sync=True)
    way = traitlets.Enum(tuple(dict.fromkeys(way for ways in WAYS.values() for way in ways)), "view only").tag(sync=True)
    colour_by = traitlets.Enum(("head", "token"), "head").tag(sync=True)
    pin = traitlets.Int(None, min=0, allow_none=True).tag(sync=True)

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
        ways = WAYS[self.operation]
        B, L, H, D = self._sizes.values()
        places = torch.arange(B * L * H * D, device=device())
        given = places.view((B, L, H * D) if self.operation == "split" else (B, H, L, D))
        tensors = self._run(given, ways[way])
        result, right = tensors[-1], self._run(given, ways["right"])[-1]
        source = tensors[-1] if self.operation == "split" else tensors[-2]
        calls = ["", *_calls(ways[way])]
        return {
            "result": result,
            "right": right,
            "counts": self._count(result, right),
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
            "next": [self._try(call, source) for call in NEXT_CALLS[self.operation]],
        }

    @property
    def _sizes(self) -> dict[str, int]:
        return {"B": self.B, "L": self.L, "H": self.H, "D": self.D}

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
        B, L, H, D = self._sizes.values()
        stored, axes = ((B, L, H, D), "BLHD") if self.operation == "split" else ((B, H, L, D), "BHLD")
        actual, expected = torch.unravel_index(result, stored), torch.unravel_index(right, stored)
        differing = {axis: int((a != b).sum()) for axis, a, b in zip(axes, actual, expected, strict=True)}
        return {
            "in place": int((result == right).sum()),
            "another head": differing["H"],
            "another token": differing["L"],
            "another channel": differing["D"],
        }

    def fallback(self) -> str:
        B, L, H, D = self._sizes.values()
        given = f"x (B, L, H*D) = {(B, L, H * D)}" if self.operation == "split" else f"heads (B, H, L, D) = {(B, H, L, D)}"
        results = {way: self._results_of(way) for way in WAYS[self.operation]}
        calls = [f".{code}" for code in NEXT_CALLS[self.operation]]
        rows = []
        for way, of_way in results.items():
            counts = [of_way["counts"][name] for name in ("in place", "another head", "another token")]
            strides = tuple(of_way["steps"][-1]["strides"])
            rows.append([f"{way}: {WAYS[self.operation][way]}", *counts, strides, *(call["does"] for call in of_way["next"])])
        columns = ("way", "in place", "in another head", "at another token", "strides of the result", *calls)
        messages = {call["message"] for of_way in results.values() for call in of_way["next"]} - {""}
        errors = "".join(f"<p>The error: {escape(message)}</p>" for message in sorted(messages))
        return (
            f"<p>Where each way puts the {B * L * H * D} elements of {given}, and what view, reshape and contiguous do with the "
            f"result:</p>{table(columns, rows).html()}{errors}"
        )


def _calls(code: str) -> list[str]:
    return re.findall(r"\w+\([^)]*\)", code)


def _view_or_copy(result: Tensor, source: Tensor) -> str:
    """Does `result` share the memory of `source`?"""
    return "view" if result.untyped_storage().data_ptr() == source.untyped_storage().data_ptr() else "copy"
