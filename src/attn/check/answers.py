"""What all checkers share: they run an answer on operands of their own and recognise mistakes by the values that they produce.

A complaint is a sentence that says what is wrong; it is empty if nothing is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from attn.check.verdict import Verdict
from attn.trace.table import as_shape

__all__ = [
    "Mistakes",
    "combined",
    "conclude",
    "describe",
    "examine",
    "first_wrong",
    "kind",
    "normal",
    "not_a_tensor",
    "recognise",
    "run",
    "same",
]

Mistakes = Iterable[tuple[Tensor, str]]  # the result of each known mistake, and a hint


def conclude(complaints: Iterable[str], praise: str) -> Verdict:
    """A verdict with the first complaint. Without any complaint the answer passes."""
    complaint = next(filter(None, complaints), "")
    return Verdict(not complaint, complaint or praise)


def normal(*shapes: Sequence[int], seed: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, ...]:
    """Normally distributed tensors, the same in every run and on every device."""
    generator = torch.Generator("cpu").manual_seed(seed)
    drawn = [torch.randn(tuple(shape), generator=generator, dtype=dtype, device="cpu") for shape in shapes]
    return tuple(tensor.to(torch.get_default_device()) for tensor in drawn)


def run(
    answer: Callable[..., Any],
    operands: Mapping[str, Any],
    call: str = "",
    why: Callable[[Any], str] = lambda error: "",
) -> tuple[Any, str]:
    """The result of the answer for copies of the operands, and a complaint if it raises or changes a tensor.

    call: the beginning of a complaint; by default it lists the operands. why(error): the cause of an error, in parentheses.
    """
    call = call or describe(operands)
    given = {name: value.clone() if isinstance(value, Tensor) else value for name, value in operands.items()}
    try:
        got = answer(*given.values())
    except (Exception, SystemExit) as error:  # one that ends the program has no result either
        first_line = str(error).partition("\n")[0]
        return None, f"{call}, your code raised {type(error).__name__}: {first_line} {why(error)}".rstrip()
    tensors = [name for name, value in operands.items() if isinstance(value, Tensor)]
    for name in tensors:
        if not torch.equal(given[name], operands[name]):
            return None, (
                f"{call}, your code changed its input {name}. Do not write into {_listed(tensors)}: x + y creates a new tensor, "
                "but x += y and methods whose names end in _ change the existing one."
            )
    return got, ""


def examine(
    answer: Callable[..., Any],
    operands: Mapping[str, Any],
    want: Tensor,
    axes: str,
    mistakes: Mistakes = (),
    *,
    wrong_values: Callable[[Tensor], str],
    wrong_shape: Callable[[Tensor], str] = lambda got: "",
    call: str = "",
    why: Callable[[Exception], str] = lambda error: "",
    atol: float = 1e-4,
) -> str:
    """The complaint about an answer that should return `want` for these operands.

    axes: the letters of the axes of `want`. The complaint ends with a hint, which begins with a small letter: that of the first
    of the `mistakes` with the same values. If none has them, it is wrong_shape(got) or wrong_values(got).
    """
    call = call or describe(operands)
    got, complaint = run(answer, operands, call, why)
    if complaint:
        return complaint
    if complaint := not_a_tensor(got):
        return f"{call}, {complaint}"
    got = got.detach().to(want)
    if same(got, want, atol):
        return ""
    hint = recognise(got, mistakes, atol)
    if got.shape == want.shape:
        return f"{call}, the shape {as_shape(got.shape)} is right, but {hint or wrong_values(got)}"
    hint = hint or wrong_shape(got)
    expected = f"it must be {axes} = {as_shape(want.shape)}"
    return f"{call}, your result has shape {as_shape(got.shape)}; {expected}{f': {hint}' if hint else '.'}"


def kind(got: Any) -> str:
    """How a complaint names a result of the wrong type."""
    return "None" if got is None else f"a value of type {type(got).__name__}"


def not_a_tensor(got: Any) -> str:
    """The complaint about a result that is not a tensor."""
    if isinstance(got, Tensor):
        return ""
    return f"your code returned {kind(got)}, not a tensor.{' Is the return statement missing?' * (got is None)}"


def same(got: Tensor, want: Tensor, atol: float = 1e-4) -> bool:
    """Equal up to rounding, in single precision too."""
    return got.shape == want.shape and bool(torch.isclose(got.to(want), want, rtol=1e-4, atol=atol, equal_nan=True).all())


def recognise(got: Tensor, mistakes: Mistakes, atol: float = 1e-4) -> str:
    """The hint of the first mistake with these values; empty if there is none."""
    return next((hint for value, hint in mistakes if same(got, value, atol)), "")


def combined(*hints: str) -> str:
    """One hint for several mistakes in the same answer; an empty one is left out."""
    return " Also, ".join(filter(None, hints))


def first_wrong(want: Tensor, meaning: Callable[..., str]) -> Callable[[Tensor], str]:
    """A hint for `examine` about the first wrong element. meaning(*index) says how the right one is computed."""

    def hint(got: Tensor) -> str:
        index = tuple(int(n) for n in (~torch.isclose(got, want, rtol=1e-4, atol=1e-4)).nonzero()[0])
        expected = f"result{list(index)} must be {want[index]:.4f} ({meaning(*index)})"
        return f"the values are wrong: {expected}; yours is {got[index]:.4f}."

    return hint


def describe(operands: Mapping[str, Any]) -> str:
    """The operands at the beginning of a complaint: "For x (2, 5, 12) and H = 3"."""
    return "For " + _listed(
        [f"{name} {as_shape(one.shape)}" if isinstance(one, Tensor) else f"{name} = {one}" for name, one in operands.items()]
    )


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
