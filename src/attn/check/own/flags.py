"""A constructor's switch for causal attention, such as `causal=False`: one object shows one of its two settings."""

import inspect
import re
from dataclasses import dataclass
from typing import Any

from torch import nn

from attn.check.own.definition import Sizes

__all__ = ["PARAMETERS", "USUAL", "Flag", "flag_of", "is_flag"]

# What constructors call the sizes.
PARAMETERS = {
    "E": ("E", "embed_dim", "d_model", "dim", "hidden_size", "n_embd", "emb_dim", "embed_size", "model_dim", "d_in", "dim_model"),
    "H": ("H", "num_heads", "n_heads", "n_head", "nhead", "heads", "num_attention_heads", "nb_heads", "h", "head_num"),
    "G": ("G", "num_kv_heads", "n_kv_heads", "n_kv_head", "num_key_value_heads", "kv_heads"),
    "D": ("D", "head_dim", "d_head", "dim_head", "head_size", "d_k"),
    "L": ("L", "block_size", "max_len", "max_length", "seq_len", "context_length", "max_seq_len", "n_positions"),
}
USUAL = {  # what a layer is made with where the constructor asks for it
    **dict.fromkeys(("dropout", "dropout_p", "p"), 0.0),
    **dict.fromkeys(("bias", "qkv_bias"), True),
}
_SURE = {"causal", "autoregressive"}
_LIKELY = {"mask", "masked", "masking", "decoder", "unidirectional"}  # what may be causal attention, or padding, or a cache
_OTHER = {"padding", "pad", "key", "no", "not", "non"}


@dataclass(frozen=True)
class Flag:
    """A switch. sure: whether its name says causal. value: what it is in this object, or None if that cannot be told.

    make: for each of the two settings, the expression that makes such an object.
    """

    name: str
    sure: bool
    value: bool | None
    make: dict[bool, str]


def is_flag(parameter: inspect.Parameter, *, sure: bool = True) -> bool:
    """Whether a parameter of a constructor switches causal attention on; with sure=False also one that perhaps does."""
    words = {word.lower() for word in re.findall("[A-Z]?[a-z]+|[A-Z]+", parameter.name)}
    yes_or_no = isinstance(parameter.default, bool) or parameter.annotation in (bool, "bool")
    bare = parameter.default is parameter.empty and parameter.annotation is parameter.empty and "mask" not in words
    if words & _OTHER or not (yes_or_no or (bare and words & _SURE)):
        return False
    return bool(words & (_SURE if sure else _SURE | _LIKELY))


def flag_of(made: Any, sizes: Sizes, L: int) -> Flag | None:
    """The switch of the constructor of a module, if it has one. sizes, L: what the module was called with."""
    if not isinstance(made, nn.Module):
        return None
    try:
        parameters = list(inspect.signature(type(made)).parameters.values())
    except (TypeError, ValueError):
        return None
    found = sorted((one for one in parameters if is_flag(one, sure=False)), key=lambda one: not is_flag(one))
    if not found:
        return None
    flag, values = found[0], vars(made)
    value = values.get(flag.name)
    make = {setting: _expression(made, parameters, sizes, L, {flag.name: setting}) for setting in (True, False)}
    return Flag(flag.name, is_flag(flag), value if isinstance(value, bool) else None, make)


def _expression(made: nn.Module, parameters: list[inspect.Parameter], sizes: Sizes, L: int, given: dict[str, bool]) -> str:
    """The call of the constructor that makes this object, but for what is given. What nobody knows is `...`."""
    written = []
    for one in parameters:
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            continue
        value = given.get(one.name, vars(made).get(one.name, _size(one, sizes, L)))
        if not isinstance(value, bool | int | float | str):
            value = USUAL.get(one.name, ...) if one.default is one.empty else one.default
        if one.name in given or value is ... or value != one.default:
            shown = "..." if value is ... else repr(value)
            written.append(shown if one.kind is one.POSITIONAL_ONLY else f"{one.name}={shown}")
    return f"{type(made).__name__}({', '.join(written)})"


def _size(parameter: inspect.Parameter, sizes: Sizes, L: int) -> int | None:
    """The size that a parameter is, by its name; None if a default says enough."""
    letter = next((letter for letter, names in PARAMETERS.items() if parameter.name in names), "")
    known = {"E": sizes.E, "H": sizes.H, "G": sizes.G, "D": sizes.D, "L": L}
    usual = {"G": sizes.H, "D": sizes.E // sizes.H}
    if parameter.default is not parameter.empty and (letter == "L" or known.get(letter) == usual.get(letter)):
        return None
    return known.get(letter)
