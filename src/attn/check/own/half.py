"""What float16 shows: products of queries and keys that overflow although the scaled scores do not."""

import copy
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from attn.check.own.calling import Answer
from attn.check.own.definition import Case, Definition, Sizes, Weights

__all__ = ["Half", "in_half"]

_LARGEST = 65504.0  # in float16
_STEP = 2.0**-10  # between neighbours in float16, relative


@dataclass(frozen=True)
class Half:
    """What a call in float16 has shown.

    wrong: the evidence against it, or "". overflow: whether only rows with a product above 65,504 are wrong. untested: why nothing
    was shown, or "".
    """

    wrong: str = ""
    overflow: bool = False
    untested: str = ""


def in_half(
    answer: Answer,
    module: nn.Module | None,
    cases: Iterable[Case],
    weights: Weights | None,
    sizes: Sizes,
    define: Callable[..., Definition],
    seen: Callable[[Case], Case],
) -> Half:
    """Ask in float16 with inputs whose products overflow and whose scaled scores do not, and compare with the definition.

    The scores are in the ten thousands, so the best key of a row has all the weight. Rows whose two best scores rounding may
    exchange must only be finite. The cases are tried until one has an overflow in a row that can be compared.
    """
    if sizes.D < 2 or answer.layout == "LD" or (module is None and weights):
        return Half(untested="it needs a module or a function of batches, with D above 1")
    rounded = {role: tuple(None if one is None else one.half().double() for one in pair) for role, pair in (weights or {}).items()}
    own: Any = copy.deepcopy(module).half() if module is not None else answer.call
    for plain in cases:
        low, high = 1.0, 3000.0
        for _ in range(12):
            middle = math.sqrt(low * high)
            largest = float(_products(seen(_times(plain, middle)), rounded, define)[0].amax())
            low, high = (middle, high) if largest < _LARGEST * sizes.D**0.25 else (low, middle)
        case = _times(plain, low)
        products, slack, want = _products(seen(case), rounded, define)
        sure, over = _sure(products, slack, sizes.D), (products > _LARGEST).any(-1)
        if weights:  # a row of y has all heads
            sure, over = sure.all(1), over.any(1)
        if (sure & over).any():
            break
    else:
        return Half(untested="no product overflowed in a row that can be compared")
    try:
        got = replace(answer, call=own).ask(case)
    except Exception as error:  # no kernel for float16, or a constant in another precision
        return Half(untested=f"the call raised {type(error).__name__}: {str(error).partition(chr(10))[0]}")
    if got.shape != want.shape:
        return Half(untested=f"the result has shape {tuple(got.shape)}")
    return _judged(got.double(), want, sure, over, float(products.amax()))


def _judged(got: Tensor, want: Tensor, sure: Tensor, over: Tensor, largest: float) -> Half:
    about = f"Products of up to {largest:,.0f} gave"
    finite = got.isfinite().all(-1)
    if not finite.all():
        return Half(f"{about} a result that is not finite.", overflow=not (~finite & ~over).any())
    off, allowed = (got - want).abs().amax(-1), 16 * _STEP * float(want.abs().amax())
    wrong = sure & (off > allowed)
    if not wrong.any():
        return Half()
    evidence = f"{about} a result that is off by up to {float(off[wrong].amax()):,.3g}, where rounding explains {allowed:,.2g}."
    return Half(evidence, overflow=not (wrong & ~over).any())


def _times(case: Case, factor: float) -> Case:
    """A case with inputs that are `factor` times as large, in float16. An input that is given twice stays one."""
    made = {id(tensor): (tensor * factor).half() for tensor in case.inputs}
    return replace(case, inputs=tuple(made[id(tensor)] for tensor in case.inputs))


def _products(case: Case, weights: Any, define: Callable[..., Definition]) -> tuple[Tensor, Tensor, Tensor]:
    """The products of queries and keys, −∞ where hidden; by how much the rounding of q and k may change each row; the result."""
    kept: list[Tensor] = []
    want = define(weights or None, scores=partial(_noted, kept), fill=partial(_hidden, kept))(case)
    return kept[0], kept[1], want


def _noted(kept: list[Tensor], d: Definition, q: Tensor, k: Tensor) -> Tensor:
    kept[:] = [q @ k.mT, (q.abs() @ k.abs().mT).amax(-1)]
    return Definition.scores(d, q, k)


def _hidden(kept: list[Tensor], d: Definition, scores: Tensor, keep: Tensor) -> Tensor:
    kept[0] = kept[0].masked_fill(~keep, -math.inf)
    return Definition.fill(d, scores, keep)


def _sure(products: Tensor, slack: Tensor, D: int) -> Tensor:
    """The rows whose best key has all the weight, however the scores are rounded."""
    if products.shape[-1] == 1:
        return torch.ones_like(slack, dtype=torch.bool)
    best = products.topk(2).values
    return (best[..., 0] - best[..., 1] > 8 * _STEP * slack) & ((best[..., 0] - best[..., 1]) / math.sqrt(D) > 20)
