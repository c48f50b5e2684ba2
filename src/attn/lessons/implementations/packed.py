"""The class of PyTorch's tutorial on building blocks: packed projections, then one fused call."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attn.shapes import ShapeError

__all__ = ["PackedAttention"]


class PackedAttention(nn.Module):
    """Multi-head attention whose inputs may have different widths. If they are equal, one matrix makes q, k and v.

    Two defects of the original are kept: `attn_mask` is taken and never used, and dropout is applied in eval mode, too.
    """

    def __init__(self, E_q: int, E_k: int, E_v: int, E_total: int, H: int, dropout: float = 0.0, bias: bool = True) -> None:
        super().__init__()
        if E_total % H:
            raise ShapeError(f"E_total = {E_total} is not a multiple of H = {H}.")
        self.H, self.dropout = H, dropout
        self.is_packed = E_q == E_k == E_v
        if self.is_packed:
            self.packed = nn.Linear(E_q, 3 * E_total, bias)
        else:
            self.to_q, self.to_k, self.to_v = (nn.Linear(E, E_total, bias) for E in (E_q, E_k, E_v))
        self.out = nn.Linear(E_total, E_q, bias)

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, is_causal: bool = False
    ) -> Tensor:
        """(B, L, E_q) from query (B, L, E_q), key (B, S, E_k) and value (B, S, E_v)."""
        q, k, v = (flat.unflatten(-1, (self.H, -1)).transpose(1, 2) for flat in self.project(query, key, value))
        heads = F.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout, is_causal=is_causal)
        return self.out(heads.transpose(1, 2).flatten(-2))

    def project(self, query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
        """One product if the three are one object, else three: with rows of the packed matrix, or with matrices of their own."""
        if not self.is_packed:
            return self.to_q(query), self.to_k(key), self.to_v(value)
        if query is key is value:
            return self.packed(query).chunk(3, dim=-1)
        biases = [None] * 3 if self.packed.bias is None else self.packed.bias.chunk(3)
        parts = zip((query, key, value), torch.chunk(self.packed.weight, 3), biases, strict=True)
        return tuple(F.linear(x, W, b) for x, W, b in parts)
