"""Checkers for splitting and merging heads, by element identity.

Every element of the input carries its own passport (sample, token, head, channel): a number from which it can be read.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn import shapes
from attn.check.answers import Mistakes, conclude, examine, recognised, spelled
from attn.check.verdict import Verdict

__all__ = ["merge_heads", "split_heads"]


def split_heads(answer: Callable[[Tensor, int], Tensor]) -> Verdict:
    """Check an answer for `attn.split_heads`: answer(x, H) turns (B, L, E) into (B, H, L, D) without copying.

    The verdict names the first rule that is broken: it raised, changed its input, returned another shape, put elements into
    another head (how many, and the first of them), or copied what could have been a view.
    """
    return conclude(
        (_split(answer, passports) for passports in _SIZES),
        "Every head holds its own channels of every token, and nothing was copied.",
    )


def merge_heads(answer: Callable[[Tensor], Tensor]) -> Verdict:
    """Check an answer for `attn.merge_heads`: answer(heads) turns (B, H, L, D) into (B, L, E), heads side by side.

    The answer is run on heads that lie in memory head by head (merging must copy) and token by token (it need not).
    """
    return conclude(
        (_merge(answer, passports, by_token) for passports in _SIZES for by_token in (False, True)),
        "Every token has its heads side by side, copied only where memory is in another order.",
    )


class _Passports:
    """A tensor (B, L, H, D) of numbered elements, and the place to which each number belongs."""

    def __init__(self, B: int, L: int, H: int, D: int) -> None:
        self.shape = (B, L, H, D)
        self.H = H
        self.tokens = torch.arange(float(B * L * H * D)).view(self.shape)

    def read(self, numbers: Tensor) -> Tensor:
        """(..., 4): sample, token, head and channel of each element; -1 for a number that is not an element of the input."""
        count = self.tokens.numel()
        known = (numbers >= 0) & (numbers < count) & (numbers == numbers.round())
        ids = torch.where(known, numbers, 0).long()
        return torch.where(known[..., None], torch.stack(torch.unravel_index(ids, self.shape), -1), -1)

    def spell(self, passport: Tensor) -> str:
        sample, token, head, channel = passport.tolist()
        return f"sample {sample}, token {token}, head {head}, channel {channel}" if sample >= 0 else "no number of the input"


# Two sets of sizes, all different, so that no coincidence and no number typed in by hand can pass.
_SIZES = (_Passports(B=2, L=5, H=3, D=4), _Passports(B=3, L=4, H=2, D=5))


def _split(answer: Callable[..., Any], passports: _Passports) -> str:
    B, L, H, D = passports.shape
    x = passports.tokens.flatten(2)
    mistakes = (
        (
            x.reshape(B, H, L, D),
            "view(B, H, L, D) cuts memory as it lies, and it lies token by token. Which axis holds the heads, and only that one, "
            "may be cut? And which two axes must then change places?",
        ),
        (
            x.reshape(B, L, D, H).permute(0, 3, 1, 2),
            "The channels were dealt out in turn, one to each head. A head takes D neighbours: view(B, L, H, D), not (B, L, D, H).",
        ),
    )
    return _complaint(answer, {"x": x, "H": H}, shapes.split_heads(x, H), "(B, H, L, D)", passports, mistakes)


def _merge(answer: Callable[..., Any], passports: _Passports, by_token: bool) -> str:
    B, L, H, D = passports.shape
    heads = passports.tokens.transpose(1, 2)
    heads = heads if by_token else heads.contiguous()
    mistakes = (
        (
            heads.reshape(B, L, H * D),
            "The axes were merged in the order (H, L, D). Which two axes must lie next to each other before they are merged?",
        ),
        (
            heads.permute(0, 2, 3, 1).reshape(B, L, H * D),
            "The heads were interleaved, channel by channel. The order of the axes to merge is (H, D), not (D, H).",
        ),
    )
    return _complaint(answer, {"heads": heads}, shapes.merge_heads(heads), "(B, L, E)", passports, mistakes)


def _complaint(
    answer: Callable[..., Any], operands: dict[str, Any], want: Tensor, axes: str, passports: _Passports, mistakes: Mistakes
) -> str:
    def otherwise(got: Tensor) -> str:
        return f"{_misplaced(got, want, passports)} {recognised(got, mistakes)}".rstrip()

    source, *rest = operands.values()
    complaint = examine(answer, operands, want, axes, otherwise=otherwise, why=_why_raised)
    if complaint or not _shares(want, source):
        return complaint
    given = source.clone()
    if _shares(answer(given, *rest), given):
        return ""
    return (
        f"{spelled(operands)} every number is in its place, but they were all copied. Here the result can be a view of the input: "
        "leave out .contiguous(), .clone() and torch.cat."
    )


def _misplaced(got: Tensor, want: Tensor, passports: _Passports) -> str:
    """How many elements are in the wrong place, where they belong, and the first of them in full."""
    have, need = passports.read(got), passports.read(want)
    wrong = (have != need).any(-1)
    foreign = (have < 0).all(-1)
    first = tuple(wrong.nonzero()[0])
    counts = [(int(((have != need)[..., axis] & ~foreign).sum()), f"belong to another {thing}") for axis, thing in _THINGS]
    counts.append((int(foreign.sum()), "are no numbers of the input"))
    return (
        f"{int(wrong.sum())} of {wrong.numel()} elements are in the wrong place: "
        f"{', '.join(f'{count} {what}' for count, what in counts if count)}. The first is "
        f"result[{', '.join(str(int(index)) for index in first)}]: expected {passports.spell(need[first])}; "
        f"found {passports.spell(have[first])}."
    )


_THINGS = ((2, "head"), (1, "token"), (0, "sample"), (3, "channel"))


def _why_raised(error: Exception) -> str:
    if "view size is not compatible" in str(error):
        return "(view cannot merge axes that do not lie next to each other in memory: reshape or flatten copy where they must.)"
    if "is invalid for input of size" in str(error):
        return "(The sizes you asked for do not multiply to the number of elements: is D equal to E // H?)"
    return ""


def _shares(a: Tensor, b: Tensor) -> bool:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
