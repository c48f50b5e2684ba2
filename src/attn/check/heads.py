"""Checkers for splitting and merging heads, by element identity.

Every element of the input carries its own passport (sample, token, head, channel): a number from which it can be read.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn import shapes
from attn.check.verdict import Verdict

__all__ = ["merge_heads", "split_heads"]


def split_heads(answer: Callable[[Tensor, int], Tensor]) -> Verdict:
    """Check an answer for `attn.split_heads`: answer(x, H) turns (B, L, E) into (B, H, L, D) without copying.

    The verdict names the first rule that is broken: it raised, changed its input, returned another shape, put elements into
    another head (how many, and the first of them), or copied what could have been a view.
    """
    for passports in _SIZES:
        x = passports.tokens.clone().flatten(2)
        verdict = _examine(answer, (x, passports.H), shapes.split_heads(x, passports.H), passports, _split_hint)
        if verdict is not None:
            return verdict
    return Verdict(True, "Every head holds its own channels of every token, and nothing was copied.")


def merge_heads(answer: Callable[[Tensor], Tensor]) -> Verdict:
    """Check an answer for `attn.merge_heads`: answer(heads) turns (B, H, L, D) into (B, L, E), heads side by side.

    The answer is run on heads that lie in memory head by head (merging must copy) and token by token (it need not).
    """
    for passports in _SIZES:
        by_token = passports.tokens.clone().transpose(1, 2)
        for heads in (by_token.contiguous(), by_token):
            verdict = _examine(answer, (heads,), shapes.merge_heads(heads), passports, _merge_hint)
            if verdict is not None:
                return verdict
    return Verdict(True, "Every token has its heads side by side, copied only where memory is in another order.")


class _Passports:
    """A tensor (B, L, H, D) whose elements are numbered, and the way back from a number to where it belongs."""

    def __init__(self, B: int, L: int, H: int, D: int) -> None:
        self.shape = (B, L, H, D)
        self.H = H
        self.tokens = torch.arange(float(B * L * H * D)).view(self.shape)

    def read(self, numbers: Tensor) -> Tensor:
        """(..., 4): sample, token, head and channel of each element; -1 for a number that is no element of the input."""
        count = self.tokens.numel()
        known = (numbers >= 0) & (numbers < count) & (numbers == numbers.round())
        ids = torch.where(known, numbers, 0).long()
        return torch.where(known[..., None], torch.stack(torch.unravel_index(ids, self.shape), -1), -1)

    def spell(self, passport: Tensor) -> str:
        sample, token, head, channel = passport.tolist()
        return f"sample {sample}, token {token}, head {head}, channel {channel}" if sample >= 0 else "no number of the input"


# Two sets of sizes, all different, so that no coincidence and no number typed in by hand can pass.
_SIZES = (_Passports(B=2, L=5, H=3, D=4), _Passports(B=3, L=4, H=2, D=5))

Hint = Callable[[Tensor, Tensor, _Passports], str]


def _examine(answer: Callable[..., Any], given: tuple[Any, ...], want: Tensor, passports: _Passports, hint: Hint) -> Verdict | None:
    """Run the answer and return the verdict if it is wrong, None if it holds for this input."""
    source = given[0]
    before = source.clone()
    call = f"For an input of shape {tuple(source.shape)} and H = {passports.H}"
    try:
        got = answer(*given)
    except Exception as error:
        return Verdict(False, f"{call} your code raised {type(error).__name__}: {error} {_error_hint(str(error))}".rstrip())
    if not torch.equal(source, before):
        return Verdict(False, f"{call} your code changed its input. Return a new tensor or a view; leave the input alone.")
    if not isinstance(got, Tensor):
        return Verdict(False, f"{call} your code returned {type(got).__name__}, not a tensor. Is there a return?")
    if got.shape != want.shape:
        return Verdict(False, f"{call} your result has shape {tuple(got.shape)}; it must be {tuple(want.shape)}.")
    if not torch.equal(got.to(want.dtype), want):
        return Verdict(False, f"{call} {_misplaced(got.to(want.dtype), want, passports)} {hint(got, source, passports)}".rstrip())
    if _shares(want, source) and not _shares(got, source):
        return Verdict(
            False,
            f"{call} every number is in its place, but they were all copied. Here the result can be a view of the input: "
            "leave out .contiguous(), .clone() and torch.cat.",
        )
    return None


def _misplaced(got: Tensor, want: Tensor, passports: _Passports) -> str:
    """How many elements stand where another belongs, whose they are, and the first of them spelled out."""
    have, need = passports.read(got), passports.read(want)
    wrong = (have != need).any(-1)
    foreign = (have < 0).all(-1)
    first = tuple(wrong.nonzero()[0])
    counts = [(int(((have != need)[..., axis] & ~foreign).sum()), f"belong to another {thing}") for axis, thing in _THINGS]
    counts.append((int(foreign.sum()), "are no numbers of the input"))
    return (
        f"the shape {tuple(got.shape)} is right, but {int(wrong.sum())} of {wrong.numel()} elements are in the wrong place: "
        f"{', '.join(f'{count} {what}' for count, what in counts if count)}. The first is "
        f"result[{', '.join(str(int(index)) for index in first)}]: expected {passports.spell(need[first])}; "
        f"found {passports.spell(have[first])}."
    )


_THINGS = ((2, "head"), (1, "token"), (0, "sample"), (3, "channel"))


def _split_hint(got: Tensor, x: Tensor, passports: _Passports) -> str:
    B, L, H, D = passports.shape
    if torch.equal(got, x.reshape(B, H, L, D)):
        return (
            "view(B, H, L, D) cuts memory as it lies, and it lies token by token. Which axis holds the heads, and only that one, "
            "may be cut? And which two axes must then change places?"
        )
    if torch.equal(got, x.reshape(B, L, D, H).permute(0, 3, 1, 2)):
        return (
            "The channels were dealt out in turn, one to each head. A head takes D neighbours: view(B, L, H, D), not (B, L, D, H)."
        )
    return ""


def _merge_hint(got: Tensor, heads: Tensor, passports: _Passports) -> str:
    B, L, H, D = passports.shape
    if torch.equal(got, heads.reshape(B, L, H * D)):
        return "The axes were merged in the order (H, L, D). Which two axes must lie next to each other before they are merged?"
    if torch.equal(got, heads.permute(0, 2, 3, 1).reshape(B, L, H * D)):
        return "The heads were interleaved, channel by channel. The order of the axes to merge is (H, D), not (D, H)."
    return ""


def _error_hint(message: str) -> str:
    if "view size is not compatible" in message:
        return "(view cannot merge axes that do not lie next to each other in memory: reshape or flatten copy where they must.)"
    if "is invalid for input of size" in message:
        return "(The sizes you asked for do not multiply to the number of elements: is D equal to E // H?)"
    return ""


def _shares(a: Tensor, b: Tensor) -> bool:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
