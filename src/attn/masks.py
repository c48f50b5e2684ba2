"""Who may look where: boolean masks, True where a query may see a key.

Every mask here compares integer positions, and they combine with ``&``, ``|`` and ``~``. Keys stand at the positions 0 to
S - 1. The L queries are the last of them, at S - L to S - 1: all of them in a full pass (S = L), the newest when earlier keys
come from a cache (S > L). A mask that forgets this and lines up both at zero lets the newest token see only the oldest key.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn.record import as_html, as_text
from attn.shapes import ShapeError

__all__ = ["Spellings", "causal", "check_mask", "describe", "padding", "window"]

Device = torch.device | str | None


def causal(L: int, S: int | None = None, *, device: Device = None) -> Bool[Tensor, "L S"]:
    """A query sees the keys up to its own position."""
    q, k = _positions(L, S, device)
    return k <= q


def window(L: int, S: int | None = None, *, width: int, device: Device = None) -> Bool[Tensor, "L S"]:
    """A query sees the keys fewer than `width` positions away, on both sides; ``& causal(L, S)`` keeps the past only.

    Beltagy et al. 2020, "Longformer", section 3.1.
    """
    if width < 1:
        raise ShapeError(f"width is {width}; a window of at least 1 position lets a token see itself.")
    q, k = _positions(L, S, device)
    return (q - k).abs() < width


def padding(
    lengths: Int[Tensor, " B"] | Sequence[int], S: int | None = None, *, front: bool = False, device: Device = None
) -> Bool[Tensor, "B 1 1 S"]:
    """Every query of sample b sees the first lengths[b] keys; the rest is padding. S is the longest length if None.

    front: the padding stands in front, as batches that generate have it; then the last lengths[b] keys are seen.
    """
    count = torch.as_tensor(lengths, device=device)
    if count.dim() != 1 or count.is_floating_point() or count.dtype == torch.bool:
        raise ShapeError(f"lengths is {count.dtype} of shape {tuple(count.shape)}; it needs one integer per sample, (B,).")
    longest = int(count.max())
    S = longest if S is None else S
    if int(count.min()) < 0 or longest > S:
        raise ShapeError(f"lengths run from {int(count.min())} to {longest}; they must lie between 0 and S = {S}.")
    real = torch.arange(S, device=count.device) < count[:, None]
    return (real.flip(-1) if front else real)[:, None, None, :]


def _positions(L: int, S: int | None, device: Device) -> tuple[Int[Tensor, "L 1"], Int[Tensor, " S"]]:
    S = L if S is None else S
    if L < 0 or S < 0:
        raise ShapeError(f"L = {L} queries and S = {S} keys: sizes cannot be negative.")
    return torch.arange(S - L, S, device=device)[:, None], torch.arange(S, device=device)


@dataclass(frozen=True, repr=False, eq=False)
class Spellings:
    """One mask as four kinds of library write it; all four have the shape of the mask."""

    keep: Bool[Tensor, "..."]
    drop: Bool[Tensor, "..."]
    additive: Float[Tensor, "..."]
    zero_one: Int[Tensor, "..."]

    def __repr__(self) -> str:
        return as_text(*self._table())

    def _repr_html_(self) -> str:
        return as_html(*self._table())

    def _table(self) -> tuple[list[str], list[list[str]]]:
        # One row says it all, if it is one that both allows and forbids.
        keys = self.keep.shape[-1] if self.keep.dim() else 1
        keep = self.keep.reshape(-1, keys)
        row = int((keep.any(-1) & ~keep.all(-1)).int().argmax())

        def example(tensor: Tensor) -> str:
            return " ".join(str(value) for value in tensor.reshape(-1, keys)[row].tolist())

        rows = [
            ["keep", example(self.keep), "True may look", "attn, F.scaled_dot_product_attention"],
            ["drop", example(self.drop), "True is blocked", "nn.MultiheadAttention, nn.Transformer"],
            ["additive", example(self.additive), "added to the scores", "both PyTorch functions; Hugging Face inside"],
            ["zero_one", example(self.zero_one), "1 may look", "attention_mask of Hugging Face's tokenizers"],
        ]
        return ["spelling", f"row {row} of {tuple(self.keep.shape)}", "meaning", "who takes it so"], rows


def describe(mask: Bool[Tensor, "..."], *, dtype: torch.dtype = torch.float32) -> Spellings:
    """Spell one boolean keep-mask in the four ways that libraries use; `dtype` is that of the additive one.

    Raises TypeError if the mask is not boolean: 0/1 and additive masks do not say which way round they are.
    """
    if mask.dtype != torch.bool:
        raise TypeError(f"mask is {mask.dtype}; describe takes a boolean mask, True where a query may look.")
    additive = torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, -math.inf)
    return Spellings(keep=mask, drop=~mask, additive=additive, zero_one=mask.long())


def check_mask(mask: Bool[Tensor, "..."], shape: tuple[int, int, int, int]) -> Bool[Tensor, "..."]:
    """Return the mask, with two axes at least, if it broadcasts to shape = (B, H, L, S) and means what it seems to.

    Raises TypeError if it is not boolean; ShapeError if it does not broadcast or has three axes, of which the first would meet
    the heads although a (B, L, S) mask is what most people have.
    """
    if mask.dtype != torch.bool:
        raise TypeError(
            f"mask is {mask.dtype}; a mask is boolean, True where a query may look. From 1/0: mask.bool(). From an additive "
            "mask of 0 and -inf: mask == 0."
        )
    B, S = shape[0], shape[-1]
    given = tuple(mask.shape)
    if len(given) == 3:
        raise ShapeError(
            f"mask has three axes {given}; against (B, H, L, S) = {shape} the first of them would meet the heads, and silently "
            "so if B = H. Name all four: mask[:, None] for a mask per sample (B, 1, L, S), mask[None] for one per head."
        )
    wrong = len(given) > 4 or any(have not in (1, want) for have, want in zip(given[::-1], shape[::-1], strict=False))
    if wrong:
        hint = " For keys padded per sample use (B, 1, 1, S): mask[:, None, None, :]." if given == (B, S) else ""
        raise ShapeError(f"mask {given} does not broadcast to (B, H, L, S) = {shape}: an axis is 1 or agrees.{hint}")
    return mask if len(given) >= 2 else mask.expand(1, S)
