"""Positions that reach the scores: rotary ones turn q and k, ALiBi adds a bias. Both depend on the distance of two tokens only.

Su et al. 2021, "RoFormer", section 3.4. `MultiHeadAttention(..., rotary=rotary)` turns its queries and keys with it.
Press et al. 2022, "Train Short, Test Long" (ALiBi): a float mask for F.scaled_dot_product_attention.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attn.shapes import ShapeError

__all__ = ["Rotary", "alibi", "distances", "rotary", "turned"]

Rotary = Callable[[Tensor, Tensor], Tensor]  # heads (B, H, L, D) and their positions (L,) -> the heads, turned


def rotary(heads: Float[Tensor, "*B L D"], positions: Int[Tensor, " L"], base: float = 10000.0) -> Float[Tensor, "*B L D"]:
    """Turn each pair of channels (d, d + D/2) of a token at position p by the angle p · base^(-2d/D).

    Lengths stay as they are, and so do scores if all positions grow by the same number. For another base:
    functools.partial(rotary, base=500000.0). Angles are computed in float32, or in float64 for heads in float64.

    Raises ShapeError if D is odd or if there is not one position for each token.
    """
    L, D = heads.shape[-2:]
    if D % 2:
        raise ShapeError(f"D = {D} is odd: rotary positions turn pairs of channels.")
    if positions.shape != (L,):
        raise ShapeError(f"positions has shape {tuple(positions.shape)}; heads {tuple(heads.shape)} need L = {L} of them, (L,).")
    precise = torch.float64 if heads.dtype == torch.float64 else torch.float32
    speed = base ** (-torch.arange(0, D, 2, device=heads.device, dtype=precise) / D)
    angle = positions[:, None].to(precise) * speed
    cos, sin = angle.cos().to(heads.dtype), angle.sin().to(heads.dtype)
    a, b = heads.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def turned(
    turn: Rotary, q: Float[Tensor, "B H L D"], k: Float[Tensor, "B G N D"], before: int = 0
) -> tuple[Float[Tensor, "B H L D"], Float[Tensor, "B G N D"]]:
    """q and k, turned: the keys stand at the positions from `before` on, and the queries are the last of them.

    before: how many keys came earlier, as in a cache, which keeps keys that are turned already.
    Raises ShapeError if `turn` changes a shape.
    """
    end = before + k.shape[2]
    positions = torch.arange(min(before, end - q.shape[2]), end, device=q.device)
    both = turn(q, positions[len(positions) - q.shape[2] :]), turn(k, positions[len(positions) - k.shape[2] :])
    for name, heads, result in zip("qk", (q, k), both, strict=True):
        if result.shape != heads.shape:
            raise ShapeError(f"rotary made {tuple(result.shape)} of {name} {tuple(heads.shape)}: it must keep the shape.")
    return both


def distances(L: int, S: int | None = None, *, device: torch.device | str | None = None) -> Int[Tensor, "L S"]:
    """How many positions each key stands before each query; negative for later keys.

    The keys are at 0 to S - 1, and the L queries are the last of them, as in `attn.masks`. S is L if None.
    """
    S = L if S is None else S
    return torch.arange(S - L, S, device=device)[:, None] - torch.arange(S, device=device)


def alibi(H: int, L: int, S: int | None = None, *, device: torch.device | str | None = None) -> Float[Tensor, "H L S"]:
    """Minus slope · distance, to be added to the scaled scores: the slope of head h of H is 2^(-8(h + 1)/H) if H is a power of two.

    For another H the paper's code takes the slopes of the power of two below it, then every second one of the power above.
    The paper has causal attention; here a later key counts as far away as an earlier one. 4·H·L·S bytes.

    Raises ShapeError if H is not positive.
    """
    if H < 1:
        raise ShapeError(f"H = {H}: ALiBi has a slope for each head, so there must be at least one.")
    near = 2 ** (H.bit_length() - 1)
    powers = torch.cat([torch.arange(1, near + 1) / near, (2 * torch.arange(H - near) + 1) / (2 * near)])
    slopes = 2.0 ** (-8 * powers.to(device))
    return -slopes[:, None, None] * distances(L, S, device=device).abs()
