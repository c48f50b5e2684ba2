"""A checker for a whole implementation of attention, however it is written."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from attn.check.own.calling import MASKS, undisturbed
from attn.check.own.examine import Examination
from attn.check.own.turns import BASE, PAIRS, turning
from attn.check.own.verdicts import AttentionVerdict, Options

__all__ = ["attention"]


def attention(
    answer: Callable[..., Any],
    *,
    E: int | None = None,
    H: int | None = None,
    G: int | None = None,
    B: int = 2,
    L: int | None = None,
    S: int | None = None,
    weights: Mapping[str, Any] | None = None,
    layout: str | None = None,
    mask: str | None = None,
    causal: bool | None = None,
    cache: Callable[[], Any] | None = None,
    rotary: str | Callable[[Tensor, Tensor], Tensor] | None = None,
    base: int | float | None = None,
    empty_rows: bool = True,
    dtype: torch.dtype | None = None,
) -> AttentionVerdict:
    """Check an implementation of attention: a module on x, or on (query, key, value), or a function of q, k and v.

    It is compared with the definition at sizes that all differ: without and with a mask, causal, with more keys than queries,
    with a cache, in training, its gradients, large scores. The verdict names the first thing that is wrong, with the numbers that
    show it, and the line to look at. A mistake is named where exactly one gives the same numbers; otherwise `possible` lists what
    remains.

    What you do not declare is found by experiment, and the verdict says what was found:

    E, H, G: width, query heads, key/value heads. B, L, S: the sizes to test with.
    weights: which parameter is which, {"q": "q_proj", "k": ..., "v": ..., "o": ...} or {"qkv": ..., "o": ...}. For a function of x:
        the matrices themselves, as nn.Linear or tensors (out, in).
    layout: "BLE" or "LBE" for x; "BHLD", "BLHD", "LBHD", "BLD" (heads in the batch) or "LD" (one head) for q, k and v.
    mask: what a mask means: "keep" (True where a query may attend), "hide", "add" (0 and -inf) or "ones" (1.0 and 0.0).
    causal: True if it is causal even when no argument of the call asks for it. An object made with causal=False shows nothing of
        causal=True: where its constructor takes that, `unchecked` says how to check it.
    cache: makes an empty cache, which is passed as the argument `cache`. Without it, only a call that returns (y, cache) is tested.
    rotary: how the implementation turns q and k by their positions, if it does: "halves" or "neighbours" are a pair of channels,
        d and d + D/2 or 2d and 2d + 1; or a function, (heads (B, H, L, D), positions (L,)) -> heads. base: of their angles,
        10000 if None.
    empty_rows: False if every query always has a key; a query without one is then not tested.
    dtype: torch.float16 if it runs in half precision; then products that overflow are a mistake. Values are compared, not only
        whether they are finite.

    Nothing is changed: a module is copied, and the copy gets new weights; random generators are as before.

    Raises TypeError or ValueError for arguments that do not fit, never for what the implementation does.
    """
    if not callable(answer):
        raise TypeError(f"answer is of type {type(answer).__name__}; give a module, or a function of q, k and v.")
    if isinstance(answer, type):
        raise TypeError(f"answer is the class {answer.__name__}; give an object of it: {answer.__name__}(...).")
    if mask is not None and mask not in MASKS:
        raise ValueError(f"mask is {mask!r}; it is one of {', '.join(f'{name!r} ({what})' for name, what in MASKS.items())}.")
    for name, size in (("L", L), ("S", S)):
        if size is not None and size < 3:
            raise ValueError(f"{name} is {size}; give 3 or more: with fewer tokens many mistakes give the right numbers.")
    if isinstance(rotary, str):
        if rotary not in PAIRS:
            raise ValueError(
                f"rotary is {rotary!r}; give a function, or {' or '.join(f'{n!r} ({what})' for n, what in PAIRS.items())}."
            )
        rotary = turning(rotary, BASE if base is None else float(base))
    elif base is not None:
        raise ValueError("base= says how fast rotary='halves' or rotary='neighbours' turns: give one of them with it.")
    options = Options(B, L, S, E, H, G, weights or {}, layout, mask, causal, cache, rotary, empty_rows, dtype)
    with undisturbed():
        return Examination(answer, options).verdict()
