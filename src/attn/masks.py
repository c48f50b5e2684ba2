"""Which keys each query may attend to: boolean masks, True where it may.

Every mask here compares integer positions; masks combine with ``&``, ``|`` and ``~``. Keys are at the positions 0 to S - 1.
The L queries are the last of them, at S - L to S - 1: all of them in a full pass (S = L), the newest ones when earlier keys come
from a cache (S > L). A mask that aligns both at zero instead lets the newest token see only the oldest key.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from attn.shapes import ShapeError

__all__ = ["causal", "check_mask", "padding", "window"]

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
        raise ShapeError(f"width is {width}; a window needs at least 1 position, with which a token sees itself.")
    q, k = _positions(L, S, device)
    return (q - k).abs() < width


def padding(
    lengths: Int[Tensor, " B"] | Sequence[int], S: int | None = None, *, front: bool = False, device: Device = None
) -> Bool[Tensor, "B 1 1 S"]:
    """Every query of sample b sees the first lengths[b] keys; the rest is padding. S is the longest length if None.

    front: the padding comes first, as in batches for generation; then the last lengths[b] keys are seen.
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


def check_mask(mask: Bool[Tensor, "..."], shape: tuple[int, int, int, int]) -> Bool[Tensor, "..."]:
    """Return the mask, with at least two axes, if it broadcasts to shape = (B, H, L, S) unambiguously.

    Raises TypeError if it is not boolean; ShapeError if it does not broadcast or has three axes: the first would be aligned with
    the heads, although most people who pass three axes have a (B, L, S) mask.
    """
    if mask.dtype != torch.bool:
        raise TypeError(
            f"mask is {mask.dtype}; a mask is boolean, True where a query may attend. From 1/0: mask.bool(). From an additive "
            "mask of 0 and -inf: mask == 0."
        )
    B, S = shape[0], shape[-1]
    given = tuple(mask.shape)
    if len(given) == 3:
        raise ShapeError(
            f"mask has three axes {given}; against (B, H, L, S) = {shape} the first of them would be aligned with the heads, "
            "silently so if B = H. Give all four: mask[:, None] for a mask per sample (B, 1, L, S), mask[None] for one per head."
        )
    wrong = len(given) > 4 or any(have not in (1, want) for have, want in zip(given[::-1], shape[::-1], strict=False))
    if wrong:
        hint = " For keys padded per sample use (B, 1, 1, S): mask[:, None, None, :]." if given == (B, S) else ""
        raise ShapeError(f"mask {given} does not broadcast to (B, H, L, S) = {shape}: an axis is 1 or agrees.{hint}")
    return mask if len(given) >= 2 else mask.expand(1, S)
