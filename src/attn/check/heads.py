"""Checkers for splitting and merging heads, by element identity.

Every element of the input is a unique number, from which the checker can read the sequence, token, head and channel it came from.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn import shapes
from attn.check.answers import Mistakes, conclude, describe, examine, recognise
from attn.check.verdict import Verdict

__all__ = ["merge_heads", "split_heads"]


def split_heads(answer: Callable[[Tensor, int], Tensor]) -> Verdict:
    """Check an answer for `attn.split_heads`: answer(x, H) turns (B, L, E) into (B, H, L, D) without copying.

    The verdict names the first rule that the answer breaks: it raised, changed its input, returned the wrong shape, moved elements
    to the wrong place (how many, and the first of them), or copied the data although a view is possible.
    """
    return conclude(
        (_split(answer, passports) for passports in _SIZES),
        "Every head holds its own channels of every token, and no data was copied.",
    )


def merge_heads(answer: Callable[[Tensor], Tensor]) -> Verdict:
    """Check an answer for `attn.merge_heads`: answer(heads) turns (B, H, L, D) into (B, L, E), heads side by side.

    The answer is run on heads that are stored head by head (merging must copy) and token by token (it does not need to).
    """
    return conclude(
        (_merge(answer, passports, by_token) for passports in _SIZES for by_token in (False, True)),
        "The heads of every token are side by side, and the data was copied only where the order in memory required it.",
    )


class _Passports:
    """A tensor (B, L, H, D) of unique numbers, and the position that each number stands for."""

    def __init__(self, B: int, L: int, H: int, D: int) -> None:
        self.shape = (B, L, H, D)
        self.H = H
        self.tokens = torch.arange(float(B * L * H * D)).view(self.shape)

    def read(self, numbers: Tensor) -> Tensor:
        """(..., 4): sequence, token, head and channel of each element; -1 for a number that is not in the input."""
        count = self.tokens.numel()
        known = (numbers >= 0) & (numbers < count) & (numbers == numbers.round())
        ids = torch.where(known, numbers, 0).long()
        return torch.where(known[..., None], torch.stack(torch.unravel_index(ids, self.shape), -1), -1)

    def spell(self, passport: Tensor) -> str:
        sequence, token, head, channel = passport.tolist()
        if sequence < 0:
            return "a number that is not in the input"
        return f"sequence {sequence}, token {token}, head {head}, channel {channel}"


# Two sets of sizes, all different, so that no answer passes by coincidence or with hard-coded sizes.
_SIZES = (_Passports(B=2, L=5, H=3, D=4), _Passports(B=3, L=4, H=2, D=5))


def _split(answer: Callable[..., Any], passports: _Passports) -> str:
    B, L, H, D = passports.shape
    x = passports.tokens.flatten(2)
    mistakes = (
        (
            x.reshape(B, H, L, D),
            "view(B, H, L, D) divides memory in the order in which it is stored, token by token. Which axis holds the heads and "
            "must be split? Which two axes must then be swapped?",
        ),
        (
            x.reshape(B, L, D, H).permute(0, 3, 1, 2),
            "The channels were dealt to the heads in turn. Each head needs D consecutive channels: view(B, L, H, "
            "D), not (B, L, D, H).",
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
            "The axes were merged in the order (H, L, D). Which two axes must be next to each other before they are merged?",
        ),
        (
            heads.permute(0, 2, 3, 1).reshape(B, L, H * D),
            "The heads were interleaved, channel by channel. Merge the axes in the order (H, D), not (D, H).",
        ),
    )
    return _complaint(answer, {"heads": heads}, shapes.merge_heads(heads), "(B, L, E)", passports, mistakes)


def _complaint(
    answer: Callable[..., Any], operands: dict[str, Any], want: Tensor, axes: str, passports: _Passports, mistakes: Mistakes
) -> str:
    def wrong_values(got: Tensor) -> str:
        return f"{_misplaced(got, want, passports)} {recognise(got, mistakes)}".rstrip()

    source, *rest = operands.values()
    complaint = examine(answer, operands, want, axes, wrong_values=wrong_values, why=_why_raised)
    if complaint or not _shares(want, source):
        return complaint
    given = source.clone()
    if _shares(answer(given, *rest), given):
        return ""
    return (
        f"{describe(operands)}, stored with strides {source.stride()}, every element is in the right place, but your code copied "
        "the data. With these strides the result can be a view of the input: leave out .contiguous(), .clone(), torch.cat and "
        "torch.stack."
    )


def _misplaced(got: Tensor, want: Tensor, passports: _Passports) -> str:
    """How many elements are in the wrong place, where they belong, and the first of them in full."""
    have, need = passports.read(got), passports.read(want)
    wrong = (have != need).any(-1)
    foreign = (have < 0).all(-1)
    first = tuple(wrong.nonzero()[0])
    counts = [(int(((have != need)[..., axis] & ~foreign).sum()), f"belong to another {name}") for axis, name in _AXES]
    counts.append((int(foreign.sum()), "are not from the input"))
    return (
        f"{int(wrong.sum())} of {wrong.numel()} elements are wrong: "
        f"{', '.join(f'{count} {what}' for count, what in counts if count)}. The first is "
        f"result[{', '.join(str(int(index)) for index in first)}]: expected {passports.spell(need[first])}; "
        f"found {passports.spell(have[first])}."
    )


_AXES = ((2, "head"), (1, "token"), (0, "sequence"), (3, "channel"))


def _why_raised(error: Exception) -> str:
    if "view size is not compatible" in str(error):
        return "(view cannot merge axes that are not contiguous in memory. reshape and flatten copy the data if they need to.)"
    if "is invalid for input of size" in str(error):
        return "(The product of the sizes you gave is not the number of elements. Is D equal to E // H?)"
    return ""


def _shares(a: Tensor, b: Tensor) -> bool:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
