"""What all checkers share: they run an answer on operands of their own and recognise mistakes by the values that they give.

A complaint is a sentence that says what is wrong; it is empty if nothing is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from attn.check.verdict import Verdict
from attn.trace.table import as_shape

__all__ = ["Mistakes", "ask", "conclude", "examine", "first_wrong", "no_tensor", "normal", "recognised", "same", "spelled"]

Mistakes = Iterable[tuple[Tensor, str]]  # the result of each known mistake, and a hint


def conclude(complaints: Iterable[str], praise: str) -> Verdict:
    """The first complaint as a verdict. Without any complaint the answer passes."""
    complaint = next(filter(None, complaints), "")
    return Verdict(not complaint, complaint or praise)


def normal(*shapes: Sequence[int], seed: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, ...]:
    """Random tensors, the same in every run and on every device."""
    generator = torch.Generator("cpu").manual_seed(seed)
    drawn = [torch.randn(tuple(shape), generator=generator, dtype=dtype, device="cpu") for shape in shapes]
    return tuple(tensor.to(torch.get_default_device()) for tensor in drawn)


def ask(
    answer: Callable[..., Any],
    operands: Mapping[str, Any],
    call: str = "",
    why: Callable[[Exception], str] = lambda error: "",
) -> tuple[Any, str]:
    """The result of the answer for copies of the operands, and a complaint if it raises or changes a tensor.

    call: the beginning of a complaint; by default it lists the operands. why(error): the cause of an error, in parentheses.
    """
    call = call or spelled(operands)
    given = {name: value.clone() if isinstance(value, Tensor) else value for name, value in operands.items()}
    try:
        got = answer(*given.values())
    except Exception as error:
        reason = str(error).partition("\n")[0]
        return None, f"{call} your code raised {type(error).__name__}: {reason} {why(error)}".rstrip()
    tensors = [name for name, value in operands.items() if isinstance(value, Tensor)]
    for name in tensors:
        if not torch.equal(given[name], operands[name]):
            return None, (
                f"{call} your code changed its input {name}. Leave {_listed(tensors)} alone: x + y is a new tensor, but x += y and "
                "calls whose names end in _ write into the old one."
            )
    return got, ""


def examine(
    answer: Callable[..., Any],
    operands: Mapping[str, Any],
    want: Tensor,
    axes: str,
    mistakes: Mistakes = (),
    *,
    otherwise: Callable[[Tensor], str],
    misshapen: Callable[[Tensor], str] = lambda got: "",
    call: str = "",
    why: Callable[[Exception], str] = lambda error: "",
    atol: float = 1e-4,
) -> str:
    """The complaint about an answer that should return `want` for these operands.

    axes: the letters of the axes of `want`. The hint, which ends a sentence and begins with a small letter, is that of the first of
    the `mistakes` with the same values; else misshapen(got) for a wrong shape, or otherwise(got) for wrong numbers.
    """
    call = call or spelled(operands)
    got, complaint = ask(answer, operands, call, why)
    if complaint:
        return complaint
    if complaint := no_tensor(got):
        return f"{call} {complaint}"
    got = got.detach().to(want)
    if same(got, want, atol):
        return ""
    hint = recognised(got, mistakes, atol)
    if got.shape == want.shape:
        return f"{call} the shape {as_shape(got.shape)} is right, but {hint or otherwise(got)}"
    hint = hint or misshapen(got)
    must = f"it must be {axes} = {as_shape(want.shape)}"
    return f"{call} your result has shape {as_shape(got.shape)}; {must}{f': {hint}' if hint else '.'}"


def no_tensor(got: Any) -> str:
    """The complaint about a result that is not a tensor."""
    return "" if isinstance(got, Tensor) else f"your code returned {type(got).__name__}, not a tensor. Is there a return?"


def same(got: Tensor, want: Tensor, atol: float = 1e-4) -> bool:
    """Equal up to rounding, in single precision too."""
    return got.shape == want.shape and bool(torch.isclose(got.to(want), want, rtol=1e-4, atol=atol, equal_nan=True).all())


def recognised(got: Tensor, mistakes: Mistakes, atol: float = 1e-4) -> str:
    """The hint of the first mistake that gives these numbers; empty if none does."""
    return next((hint for value, hint in mistakes if same(got, value, atol)), "")


def first_wrong(want: Tensor, meaning: Callable[..., str]) -> Callable[[Tensor], str]:
    """A hint for `examine`: the first wrong number. meaning(*place) says what belongs in its place."""

    def hint(got: Tensor) -> str:
        place = tuple(int(n) for n in (~torch.isclose(got, want, rtol=1e-4, atol=1e-4)).nonzero()[0])
        there = f"result{list(place)} must be {meaning(*place)}: {want[place]:.4f}"
        return f"not the numbers: {there}; yours is {got[place]:.4f}."

    return hint


def spelled(operands: Mapping[str, Any]) -> str:
    """The operands at the beginning of a complaint: "For x (2, 5, 12) and H = 3"."""
    return "For " + _listed(
        [f"{name} {as_shape(one.shape)}" if isinstance(one, Tensor) else f"{name} = {one}" for name, one in operands.items()]
    )


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
