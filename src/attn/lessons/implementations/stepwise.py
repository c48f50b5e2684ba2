"""Multi-head attention as pseudo-code writes it: project, split, attend, merge, project."""

from torch import Tensor

__all__ = ["five_steps"]


def five_steps(x: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor, W_O: Tensor, H: int) -> Tensor:
    """x (B, L, E) and matrices that are multiplied from the right: three (E, H·D), and W_O (H·D, E). No mask, no dropout."""
    B, L, _ = x.shape
    projected = (x @ W for W in (W_Q, W_K, W_V))
    q, k, v = (flat.reshape(B, L, H, -1).transpose(1, 2) for flat in projected)
    weights = (q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5).softmax(dim=-1)
    heads = weights @ v
    return heads.transpose(1, 2).reshape(B, L, -1) @ W_O
