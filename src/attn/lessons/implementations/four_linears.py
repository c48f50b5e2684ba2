"""The class that most tutorials write: four linear layers, a split by view, and a mask of 0 and 1."""

import math

import torch
from torch import Tensor, nn

__all__ = ["FourLinears"]


class FourLinears(nn.Module):
    """Multi-head attention with a layer for each of q, k, v and the output. E need not be a multiple of H: nothing looks."""

    def __init__(self, H: int, E: int, dropout: float = 0.1, bias: bool = True) -> None:
        super().__init__()
        self.H, self.D, self.E = H, E // H, E
        self.to_q, self.to_k, self.to_v, self.out = (nn.Linear(E, E, bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        """(B, L, E) from query (B, L, E), key and value (B, S, E). mask: 0 hides; it must broadcast to (B, H, L, S)."""
        B = query.size(0)
        flat = (layer(x) for layer, x in ((self.to_q, query), (self.to_k, key), (self.to_v, value)))
        q, k, v = (one.view(B, -1, self.H, self.D).transpose(1, 2) for one in flat)
        heads = self.attend(q, k, v, mask)
        return self.out(heads.transpose(1, 2).contiguous().view(B, -1, self.E))

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """The heads. "Minus infinity" is -1e9 here."""
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.D)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        return torch.matmul(self.drop(scores.softmax(dim=-1)), v)
