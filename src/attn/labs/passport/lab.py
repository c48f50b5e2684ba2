"""PassportLab: whose numbers does this head hold? Ways to split into heads and to merge them, element by element."""

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

# What might be called next: on what a split gives, or in place of the last step of a merge.
NEXT = {
    "split": ("view(B, H, L*D)", "reshape(B, H, L*D)", "contiguous()", "transpose(1, 2).view(B, L, H*D)"),
    "merge": ("view(B, L, H*D)", "reshape(B, L, H*D)", "contiguous().view(B, L, H*D)"),
}


class PassportLab(Lab):
    """Every element carries its passport (sample, token, head, channel); a way to split or merge puts each of them somewhere.

    B, L, H, D: samples, tokens, heads, width of a head. operation: "split", (B, L, H·D) into (B, H, L, D), or "merge", back
    again. way: "right", or the bug; for a split "view only" or "interleaved", for a merge "no transpose". colour_by: "head" or
    "token". pin: the element that is lit up, as its place in the storage of what is split or merged.

    After any change `lab.result` and `lab.right` are the chosen and the right result of torch for torch.arange(B * L * H * D),
    so their numbers are those places. `lab.counts` says how many elements are in place, in another head, ...; `lab.steps` is what
    each call makes (shape, strides, contiguous, view or copy); `lab.next` is what view, reshape and contiguous would do.

    A value outside LIMITS raises traitlets.TraitError, a way that the operation does not have ValueError.
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
            raise ValueError(f'way = "{way}": a {operation} has the ways {", ".join(map(repr, ways))}.')
        return state | {"way": ways[1]}  # the other operation's bug becomes this one's

    def compute(self) -> Mapping[str, Any]:
        return self._follow(self.way)

    def _follow(self, way: str) -> dict[str, Any]:
        """What this way does with the numbers 0, 1, 2, ... in the shape of what is split or merged."""
        ways = WAYS[self.operation]
        count = math.prod(self._sizes.values())
        B, L, H, D = self._sizes.values()
        given = torch.arange(count, device=device()).view((B, L, H * D) if self.operation == "split" else (B, H, L, D))
        tensors = self._walk(given, ways[way])
        result, right = tensors[-1], self._walk(given, ways["right"])[-1]
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
                    "memory": _made(tensor, before) if call else "",
                }
                for call, tensor, before in zip(calls, tensors, [given, *tensors], strict=False)
            ],
            "next": [self._tried(code, source) for code in NEXT[self.operation]],
        }

    @property
    def _sizes(self) -> dict[str, int]:
        return {"B": self.B, "L": self.L, "H": self.H, "D": self.D}

    def _walk(self, given: Tensor, code: str) -> list[Tensor]:
        """The tensors that a chain of calls makes, such as "transpose(1, 2).view(B, L, H*D)", the one given first."""
        tensors = [given]
        for call in _calls(code):
            name, _, products = call.rstrip(")").partition("(")
            sizes = [self._product(product) for product in products.split(", ") if product]
            tensors.append(getattr(tensors[-1], name)(*sizes))
        return tensors

    def _product(self, text: str) -> int:
        return math.prod(self._sizes[factor] if factor in self._sizes else int(factor) for factor in text.split("*"))

    def _tried(self, code: str, source: Tensor) -> dict[str, str]:
        try:
            return {"call": code, "does": _made(self._walk(source, code)[-1], source), "message": ""}
        except RuntimeError as error:
            return {"call": code, "does": "error", "message": str(error)}

    def _count(self, result: Tensor, right: Tensor) -> dict[str, int]:
        B, L, H, D = self._sizes.values()
        stored, order = ((B, L, H, D), "BLHD") if self.operation == "split" else ((B, H, L, D), "BHLD")
        stands, belongs = torch.unravel_index(result, stored), torch.unravel_index(right, stored)
        differ = {axis: int((a != b).sum()) for axis, a, b in zip(order, stands, belongs, strict=True)}
        return {
            "in place": int((result == right).sum()),
            "another head": differ["H"],
            "another token": differ["L"],
            "another channel": differ["D"],
        }

    def fallback(self) -> str:
        B, L, H, D = self._sizes.values()
        given = f"x (B, L, H*D) = {(B, L, H * D)}" if self.operation == "split" else f"heads (B, H, L, D) = {(B, H, L, D)}"
        followed = {way: self._follow(way) for way in WAYS[self.operation]}
        calls = [f".{code}" for code in NEXT[self.operation]]
        rows = [["way", "in place", "in another head", "at another token", "strides of the result", *calls]]
        for way, made in followed.items():
            counts = [made["counts"][name] for name in ("in place", "another head", "another token")]
            does = [one["does"] for one in made["next"]]
            strides = str(tuple(made["steps"][-1]["strides"]))
            rows.append([f"{way}: {WAYS[self.operation][way]}", *counts, strides, *does])
        head, *body = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows)
        errors = {one["message"] for made in followed.values() for one in made["next"]} - {""}
        said = "".join(f"<p>The error: {escape(message)}</p>" for message in sorted(errors))
        return (
            f"<p>Where the {B * L * H * D} elements of {given} get to, and what view, reshape and contiguous do then:</p>"
            f'<div class="attn-table"><table><thead><tr>{head.replace("td>", "th>")}</tr></thead>'
            f"<tbody>{''.join(f'<tr>{row}</tr>' for row in body)}</tbody></table></div>{said}"
        )


def _calls(code: str) -> list[str]:
    return re.findall(r"\w+\([^)]*\)", code)


def _made(result: Tensor, source: Tensor) -> str:
    """Does the result look at the source's numbers, or at a copy of them?"""
    return "view" if result.untyped_storage().data_ptr() == source.untyped_storage().data_ptr() else "copy"
