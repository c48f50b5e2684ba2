"""How to call an implementation: its arguments, the order of its axes, what its mask means."""

import inspect
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attn.check.own.definition import Case

__all__ = ["CAUSAL", "LAYOUTS", "MASKS", "Answer", "Exit", "Form", "answer_of", "seed", "undisturbed"]

_QUERY = ("q", "query", "queries")
_CONTEXT = (
    "context",
    "memory",
    "kv",
    "x_kv",
    "key_value_states",
    "encoder_hidden_states",
    "encoder_output",
    "source",
    "other",
    "cond",
)
_MASK = ("mask", "attn_mask", "attention_mask", "keep", "allowed", "src_mask", "key_padding_mask", "padding_mask")
CAUSAL = ("causal", "is_causal")
# Parts of the names of arguments that are not tokens, keys or values, though they may be tensors.
_OTHER = {
    *("pos", "position", "positions", "idx", "index", "layer", "freqs", "freq", "cis", "cos", "sin", "bias", "rope", "rotary"),
    *("id", "ids", "step", "start", "length", "lengths", "scale", "temperature"),
}
_CACHE = ("cache", "kv_cache", "past", "past_key_value", "past_key_values", "layer_past", "past_kv")

LAYOUTS = {"layer": ("BLE", "LBE"), "heads": ("BHLD", "BLHD", "LBHD", "BLD", "LD")}
MASKS = {
    "keep": "True where a query may attend",
    "hide": "True where a query may not attend",
    "add": "0 where a query may attend and -inf where not, added to the scores",
    "ones": "1.0 where a query may attend and 0.0 where not",
}


class Exit(Exception):
    """The implementation called sys.exit, which would end the check without a verdict."""


Exit.__name__ = SystemExit.__name__  # what messages call it


@dataclass(frozen=True)
class Form:
    """What a mask is handed over as: its meaning (a key of MASKS) and its shape."""

    meaning: str
    shape: str

    def __str__(self) -> str:
        return f"{MASKS[self.meaning]}, {_SHAPES[self.shape]}"


_SHAPES = {
    "B1LS": "(B, 1, L, S)",
    "BLS": "(B, L, S)",
    "LS": "(L, S)",
    "BHLS": "(B·H, L, S)",
    "B11S": "(B, 1, 1, S)",
    "BS": "(B, S)",
}


@dataclass(frozen=True)
class Answer:
    """An implementation, and how it is called.

    kind: "layer" for (x) or (x, context), "triple" for a layer of (query, key, value), "heads" for a function of q, k and v.
    names: what its arguments for context, mask, causal and cache are called; those it does not have are missing.
    """

    call: Callable[..., Any]
    kind: str
    names: Mapping[str, str]
    layout: str
    optional_context: bool = False
    form: Form | None = None
    H: int = 1
    device: torch.device | None = None

    def ask(self, case: Case, **more: Any) -> Tensor:
        """The result for a case, in the layout of `Case`. Raises whatever the implementation raises."""
        if self.layout == "LD":
            return self._one_by_one(case)
        given, named = self.arguments(case)
        return self.from_own(_tensor(self.returned(*given, **named, **more)), case)

    def returned(self, *given: Any, **named: Any) -> Any:
        """What a call returns. Raises `Exit` where the implementation ends the program."""
        try:
            return self.call(*given, **named)
        except SystemExit as end:
            raise Exit(end.code).with_traceback(end.__traceback__) from None

    def arguments(self, case: Case) -> tuple[tuple[Tensor, ...], dict[str, Any]]:
        """What the implementation is called with."""
        inputs = [self.to_own(tensor).to(self.device) for tensor in case.inputs]
        named: dict[str, Any] = {}
        if self.kind == "layer" and case.inputs[0] is case.inputs[1]:
            given = tuple(inputs[:1]) if self.optional_context or "context" not in self.names else (inputs[0], inputs[0])
        elif self.kind == "layer":
            given = tuple(inputs[:1]) if self.optional_context else tuple(inputs)
            if self.optional_context:
                named[self.names["context"]] = inputs[1]
        elif self.kind == "triple":
            q = inputs[0]
            kv = q if case.inputs[0] is case.inputs[1] else inputs[1]
            given = (q, kv, kv)
        else:
            given = tuple(inputs)
        if case.keep is not None and self.form is not None:
            named[self.names["mask"]] = self.mask(case.keep, *case.lengths).to(self.device)
        elif "mask" in self.names:
            named[self.names["mask"]] = None
        if "causal" in self.names:
            named[self.names["causal"]] = case.causal
        return given, named

    def mask(self, keep: Tensor, L: int, S: int) -> Tensor:
        """A mask (B, 1, L, S) in the form that the implementation takes."""
        assert self.form is not None
        keep = keep.expand(-1, 1, L, S)
        match self.form.shape:
            case "BLS":
                keep = keep[:, 0]
            case "LS":
                keep = keep[0, 0]
            case "BHLS":
                keep = keep.expand(-1, self.H, L, S).flatten(0, 1)
            case "B11S":
                keep = keep[:, :, :1]
            case "BS":
                keep = keep[:, 0, 0]
        if self.layout == "BLD" and self.kind == "heads" and keep.dim() == 4:
            keep = keep.expand(-1, self.H, L, S).flatten(0, 1)
        match self.form.meaning:
            case "hide":
                return ~keep
            case "add":
                return torch.zeros(keep.shape).masked_fill(~keep, -torch.inf)
            case "ones":
                return keep.float()
        return keep

    def to_own(self, tensor: Tensor) -> Tensor:
        """A tensor in the implementation's layout."""
        match self.layout:
            case "LBE":
                return tensor.transpose(0, 1)
            case "BLHD":
                return tensor.transpose(1, 2)
            case "LBHD":
                return tensor.permute(2, 0, 1, 3)
            case "BLD":
                return tensor.flatten(0, 1)
        return tensor.clone()

    def from_own(self, result: Tensor, case: Case) -> Tensor:
        """A result in the layout of the case."""
        match self.layout:
            case "LBE" if result.dim() == 3:
                result = result.transpose(0, 1)
            case "BLHD" if result.dim() == 4:
                result = result.transpose(1, 2)
            case "LBHD" if result.dim() == 4:
                result = result.permute(1, 2, 0, 3)
            case "BLD" if len(result) == len(case.inputs[0]) * case.inputs[0].shape[1]:
                result = result.unflatten(0, case.inputs[0].shape[:2])
        return result.cpu()

    def _one_by_one(self, case: Case) -> Tensor:
        """A function of single matrices (L, D), called for each sample and head."""
        B, H = case.inputs[0].shape[:2]
        single = replace(self, layout="")
        rows = []
        for b in range(B):
            keep = None if case.keep is None else case.keep[b : b + 1]
            for h in range(H):
                inputs = tuple(tensor[b, h * tensor.shape[1] // H] for tensor in case.inputs)
                rows.append(single.ask(replace(case, inputs=inputs, keep=keep)))
        return torch.stack(rows).unflatten(0, (B, H))


def answer_of(target: Callable[..., Any], *, has_matrices: bool, layout: str, H: int, device: torch.device | None) -> Answer:
    """How the signature of an implementation says that it is called.

    Raises TypeError if it needs arguments that attention does not have.
    """
    function = target.forward if isinstance(target, nn.Module) else target
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin, such as F.scaled_dot_product_attention
        names = {"mask": "attn_mask", "causal": "is_causal"} if "scaled_dot_product" in str(function) else {}
        return Answer(target, "layer" if isinstance(target, nn.Module) else "heads", names, layout, H=H, device=device)
    known: dict[str, str] = {}
    for what, aliases in (("context", _CONTEXT), ("mask", _MASK), ("causal", CAUSAL), ("cache", _CACHE)):
        found = [name for name in aliases if any(p.name == name for p in parameters)]
        if found:
            known[what] = found[0]
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [
        p for p in plain if p.default is p.empty and p.name not in {known.get("mask"), known.get("causal"), known.get("cache")}
    ]
    first = plain[0].name.lower() if plain else ""
    if _OTHER.isdisjoint(part for p in needed[1:] for part in p.name.lower().split("_")):
        if len(needed) == 3 or (first in _QUERY and len(plain) >= 3):
            return Answer(target, "triple" if has_matrices else "heads", known, layout, H=H, device=device)
        if len(needed) == 2:
            return Answer(target, "layer", known | {"context": needed[1].name}, layout, H=H, device=device)
        if len(needed) == 1:
            return Answer(target, "layer", known, layout, optional_context="context" in known, H=H, device=device)
    given = str(inspect.Signature(parameters))  # all of them: "(*a, **k)" needs none by name
    raise TypeError(
        f"the call takes {given}; attention takes (x), (x, context) or (q, k, v), by position, and may have arguments for a mask "
        "and for causal. Wrap it in a function that fills in the others: lambda x, mask=None: module(x, mask, other=...)."
    )


def _tensor(result: Any) -> Tensor:
    """The output among what a call returned."""
    if isinstance(result, tuple | list) and result:
        return _tensor(result[0])
    if isinstance(result, dict):
        return _tensor(next(iter(result.values())))
    if not isinstance(result, Tensor):
        lacking = " (is the return statement missing?)" if result is None else ""
        raise TypeError(f"the call returned {'None' if result is None else f'a {type(result).__name__}'}, not a tensor{lacking}")
    return result


def seed(number: int) -> None:
    """torch.manual_seed, which notes the whole stack where CUDA has not been used yet, without that."""
    if torch.cuda.is_initialized():
        torch.manual_seed(number)
    else:
        torch.default_generator.manual_seed(number)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Leave every random generator as it was: torch's, NumPy's and Python's. Gradients can be computed inside."""
    python, numpy = random.getstate(), np.random.get_state()
    devices = list(range(torch.cuda.device_count())) if torch.cuda.is_initialized() else []
    with torch.random.fork_rng(devices), torch.inference_mode(False):
        seed(0)
        try:
            yield
        finally:
            random.setstate(python)
            np.random.set_state(numpy)
