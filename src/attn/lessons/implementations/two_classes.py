"""Attention in two classes, after the paper's own block: one for the heads, one that projects, adds the residual and normalises."""

import torch
from torch import Tensor, nn

__all__ = ["PostNormAttention", "TemperatureAttention"]


class TemperatureAttention(nn.Module):
    """The heads and the weights. The query is divided before the product; dropout is applied to the weights that come back."""

    def __init__(self, temperature: float, dropout: float = 0.1) -> None:
        super().__init__()
        self.temperature = temperature
        self.drop = nn.Dropout(dropout)

    def forward(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """q (B, H, L, d_k), k (B, H, S, d_k), v (B, H, S, d_v); mask: 0 hides."""
        scores = torch.matmul(q / self.temperature, k.transpose(2, 3))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        weights = self.drop(scores.softmax(dim=-1))
        return torch.matmul(weights, v), weights


class PostNormAttention(nn.Module):
    """LayerNorm(x + attention): the sublayer of 2017. d_k and d_v are free; the projections have no bias."""

    def __init__(self, H: int, E: int, d_k: int, d_v: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.H, self.d_k, self.d_v = H, d_k, d_v
        self.to_q, self.to_k = (nn.Linear(E, H * d_k, bias=False) for _ in range(2))
        self.to_v, self.out = nn.Linear(E, H * d_v, bias=False), nn.Linear(H * d_v, E, bias=False)
        self.heads = TemperatureAttention(d_k**0.5, dropout)
        self.drop, self.norm = nn.Dropout(dropout), nn.LayerNorm(E, eps=1e-6)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The output (B, L, E) and the weights (B, H, L, S). mask: (B, L, S) or (B, 1, S), without an axis of heads."""
        residual = query
        q = self.to_q(query).view(*query.shape[:2], self.H, self.d_k).transpose(1, 2)
        k = self.to_k(key).view(*key.shape[:2], self.H, self.d_k).transpose(1, 2)
        v = self.to_v(value).view(*value.shape[:2], self.H, self.d_v).transpose(1, 2)
        heads, weights = self.heads(q, k, v, None if mask is None else mask.unsqueeze(1))
        y = self.drop(self.out(heads.transpose(1, 2).contiguous().view(*query.shape[:2], -1)))
        y += residual  # writes into the new tensor; the caller's x stays
        return self.norm(y), weights
