"""Scaled dot-product attention, as fast as PyTorch computes it. `attn.steps` computes the same step by step.

    attention(q, k, v) = softmax(q kᵀ / √D) v        Vaswani et al. 2017, "Attention Is All You Need", equation 1

It takes q (B, H, L, D), k (B, G, S, D) and v (B, G, S, Dv) and returns (B, H, L, Dv). G divides H: query head h reads key/value
head h // (H / G), so each key/value head serves H / G adjacent query heads.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from attn.masks import causal as causal_mask
from attn.masks import check_mask
from attn.shapes import ShapeError, group_error

__all__ = ["attention", "attention_unchecked", "check_operands", "device"]


def device() -> torch.device:
    """The device to compute on: CUDA if there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def attention(
    q: Float[Tensor, "B H L D"],
    k: Float[Tensor, "B G S D"],
    v: Float[Tensor, "B G S Dv"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
    dropout: float = 0.0,
) -> Float[Tensor, "B H L Dv"]:
    """Mix the values of the keys that each query may see, weighted by how well query and key match.

    mask: True where a query may attend to a key; anything that broadcasts to (B, H, L, S). `attn.masks` builds them.
    causal: query i of L is at position S - L + i and sees the keys up to its own position. No mask is stored for it where L = S
        and `mask` is None. Combines with `mask`.
    scale: the factor of the scores; 1/√D if None.
    dropout: probability that a weight is set to zero (the others grow by 1 / (1 - dropout)). The caller passes 0 outside of
        training.

    A query that may see no key returns zeros, and its gradients are zero. NaN in the input stays visible in the output.

    The (L, S) scores are never stored where PyTorch's fused kernels take the input (on a CPU: D = Dv, no dropout).

    Raises ShapeError or TypeError, naming both sides, if the operands or the mask do not fit.
    """
    H, _ = check_operands(q, k, v)
    if mask is not None:
        mask = check_mask(mask, (q.shape[0], H, q.shape[2], k.shape[2]))
    return attention_unchecked(q, k, v, mask, causal=causal, scale=scale, dropout=dropout)


def attention_unchecked(
    q: Float[Tensor, "B H L D"],
    k: Float[Tensor, "B G S D"],
    v: Float[Tensor, "B G S Dv"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
    dropout: float = 0.0,
) -> Float[Tensor, "B H L Dv"]:
    """`attention` for callers that know that q, k, v fit together and have passed the mask through `check_mask`."""
    _, H, L, _ = q.shape
    _, G, S, _ = k.shape
    if L == 1:
        causal = False  # the newest query sees every key
        if q.dtype in _HALF and q.device.type == "cpu" and not dropout:
            # PyTorch's fused CPU kernel takes one half-precision query several times slower than a float32 one; explicit
            # products would compile a new kernel for every S. So: convert, which is included in "several times".
            q32, k32, v32 = q.float(), k.float(), v.float()
            return F.scaled_dot_product_attention(q32, k32, v32, mask, scale=scale, enable_gqa=G != H).to(q.dtype)
    elif causal and (mask is not None or L != S):
        bottom_right = causal_mask(L, S, device=q.device)
        mask = bottom_right if mask is None else mask & bottom_right
        causal = False
    return F.scaled_dot_product_attention(q, k, v, mask, dropout, causal, scale=scale, enable_gqa=G != H)


_HALF = (torch.bfloat16, torch.float16)


def check_operands(q: Tensor, k: Tensor, v: Tensor) -> tuple[int, int]:
    """Return (H, G), or raise an error that says which of q, k, v does not fit. Costs about a microsecond if all of them fit."""
    if q.dim() == k.dim() == v.dim() == 4:
        B, H, _, D = q.shape
        Bk, G, S, Dk = k.shape
        Bv, Gv, Sv, _ = v.shape
        if B == Bk == Bv and G == Gv and S == Sv and D == Dk and G and not H % G:
            if q.dtype == k.dtype == v.dtype and q.device == k.device == v.device and q.is_floating_point():
                return H, G
    raise _operand_error(q, k, v)


def _operand_error(q: Tensor, k: Tensor, v: Tensor) -> ShapeError | TypeError:
    """The first rule that q, k, v break, with a likely fix."""
    for name, tensor, axes in (("q", q, "(B, H, L, D)"), ("k", k, "(B, G, S, D)"), ("v", v, "(B, G, S, Dv)")):
        if tensor.dim() != 4:
            fix = " Split the heads first: attn.split_heads(x, H)." if tensor.dim() == 3 else ""
            return ShapeError(f"{name} has shape {tuple(tensor.shape)}; attention needs the four axes {axes}.{fix}")
    if not (q.dtype == k.dtype == v.dtype and q.is_floating_point()):
        return TypeError(
            f"q is {q.dtype}, k is {k.dtype}, v is {v.dtype}: all three must have the same floating-point dtype. "
            f"Convert with .to({q.dtype if q.is_floating_point() else torch.float32})."
        )
    if not q.device == k.device == v.device:
        return TypeError(f"q is on {q.device}, k on {k.device}, v on {v.device}: move them to one device with .to(device).")
    (B, H, L, D), (Bk, G, S, Dk), (Bv, Gv, Sv, _) = q.shape, k.shape, v.shape
    shapes = f"q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)}"
    if not B == Bk == Bv:
        return ShapeError(f"q, k, v have B = {B}, {Bk}, {Bv} samples: the batch sizes must be equal ({shapes}).")
    if G != Gv:
        return ShapeError(f"k has {G} heads, v has {Gv}: every key head needs its value head ({shapes}).")
    if S != Sv:
        return ShapeError(f"k has S = {S} positions, v has {Sv}: every key needs its value ({shapes}).")
    if D != Dk:
        hint = " Is k already transposed? Pass k itself: (B, G, S, D)." if D == S else ""
        return ShapeError(f"q has D = {D} channels per head, k has {Dk}: they are multiplied pair by pair ({shapes}).{hint}")
    swapped = " Are L and H swapped? attention takes (B, H, L, D), what split_heads returns." if H == S or L == G else ""
    return group_error(H, G, f" Here {shapes}.{swapped}")
