"""Multi-head attention with its mask, its cache and its training in plain PyTorch: the code in which bugs are planted.

`attn` computes the same numbers, faster and with checks. Here each step is one line, as the chapters write it, and a bug is another
line in its place.
"""

from collections.abc import Iterable

import torch
import torch.nn.functional as F
from torch import Tensor, einsum, nn  # noqa: F401 (wrong lines use einsum)


def split_heads(x: Tensor, H: int) -> Tensor:
    """(B, L, H·D) to (B, H, L, D)."""
    B, L, width = x.shape
    D = width // H
    return x.view(B, L, H, D).transpose(1, 2)


def merge_heads(heads: Tensor) -> Tensor:
    """(B, H, L, D) to (B, L, H·D)."""
    B, H, L, D = heads.shape
    return heads.transpose(1, 2).reshape(B, L, H * D)


def may_attend(L: int, real: Tensor) -> Tensor:
    """(B, 1, L, S), True where a query may attend: to the real keys up to its own position. real: (B, S), False for padding."""
    S = real.shape[1]
    causal = torch.ones(L, S, dtype=torch.bool).tril(S - L)
    keep = causal & real[:, None]
    return keep[:, None]


def turn(heads: Tensor, at: Tensor) -> Tensor:
    """Rotary positions: channels d and d + D/2 of the token at position p are turned by p · 10000^(-2d/D). at: (L,)."""
    D = heads.shape[-1]
    angle = at[:, None] * 10000.0 ** (-torch.arange(0, D, 2) / D)
    cos, sin = angle.cos(), angle.sin()
    a, b = heads.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def softmax(scores: Tensor) -> Tensor:
    """Each row of scores as weights that sum to 1."""
    terms = (scores - scores.amax(-1, True)).exp()
    return (terms / terms.float().sum(-1, True)).to(scores.dtype)


def attend(
    q: Tensor, k: Tensor, v: Tensor, keep: Tensor | None = None, scale: float | None = None, dropout: float = 0.0
) -> tuple[Tensor, Tensor]:
    """The heads (B, H, L, Dv) and the weights (B, H, L, S) of q (B, H, L, D), k (B, G, S, D) and v (B, G, S, Dv)."""
    (B, H, L, D), (_, G, S, Dv) = q.shape, v.shape  # noqa: F841 (wrong lines use B and Dv)
    keep = torch.ones(L, S, dtype=torch.bool) if keep is None else keep
    k, v = (one.repeat_interleave(H // G, 1) for one in (k, v))
    scores = q @ k.mT
    scaled = scores * (D**-0.5 if scale is None else scale)
    masked = scaled.masked_fill(~keep, -torch.inf)
    weights = softmax(masked)
    weights = weights.masked_fill(~keep.any(-1, True), 0.0)
    return F.dropout(weights, dropout) @ v, weights


class Cache:
    """The keys and values of the tokens so far."""

    def __init__(self, B: int, G: int, S_max: int, D: int, Dv: int) -> None:
        self.keys = torch.zeros(B, G, S_max, D)
        self.values = torch.zeros(B, G, S_max, Dv)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """All keys and values, the new ones included."""
        start, end = self.length, self.length + k.shape[2]
        self.keys[:, :, start:end] = k
        self.values[:, :, start:end] = v
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]


class Layer(nn.Module):
    """One layer: the weights, and the way from x to y."""

    def __init__(self, E: int, H: int, G: int, D: int, Dv: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.sizes = H, G, D, Dv
        self.dropout = dropout
        self.W_QKV = nn.Parameter(torch.randn(H * D + G * D + G * Dv, E) / E**0.5)
        self.W_O = nn.Linear(H * Dv, E, bias=False)

    def forward(
        self,
        x: Tensor,
        context: Tensor | None = None,
        keep: Tensor | None = None,
        cache: Cache | None = None,
        scale: float | None = None,
        at: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """y (B, L, E) and the weights (B, H, L, S). at: the positions (L,) by which q and k are turned."""
        (H, G, D, Dv), E = self.sizes, x.shape[-1]  # noqa: F841 (wrong lines use E)
        context = x if context is None else context
        W_Q = self.W_QKV[: H * D]
        W_K = self.W_QKV[H * D : -G * Dv]
        W_V = self.W_QKV[-G * Dv :]
        q = split_heads(x @ W_Q.T, H)
        k = split_heads(context @ W_K.T, G)
        v = split_heads(context @ W_V.T, G)
        if at is not None:
            q, k = turn(q, at), turn(k, at)
        if cache is not None:
            k, v = cache.append(k, v)
        dropout = self.dropout if self.training else 0.0
        heads, weights = attend(q, k, v, keep, scale, dropout)
        concat = merge_heads(heads)
        y = concat @ self.W_O.weight.T
        return y, weights


class Model(nn.Module):
    """Token and positional embeddings, or rotary positions; a layer, and logits for the next token."""

    def __init__(self, words: int, S_max: int, E: int, H: int, D: int, rotary: bool = False) -> None:
        super().__init__()
        self.rotary = rotary
        self.tokens = nn.Embedding(words, E)
        self.positions = nn.Parameter(torch.randn(S_max, E))
        self.layers = nn.ModuleList([Layer(E, H, H, D, D)])

    def forward(self, ids: Tensor, real: Tensor, cache: Cache | None = None, first: int = 0) -> Tensor:
        """Logits (B, L, words). real: (B, S), False where a token so far is padding. first: the position of the first token."""
        L = ids.shape[1]
        start = first + (0 if cache is None else cache.length)
        at = torch.arange(start, start + L)
        x = self.tokens(ids)
        if not self.rotary:
            x = x + self.positions[start : start + L]
        keep = may_attend(L, real)
        y, _ = self.layers[0](x, keep=keep, cache=cache, at=at if self.rotary else None)
        return (x + y) @ self.tokens.weight.T


def loss_of(model: Model, ids: Tensor) -> Tensor:
    """The mean loss of the predictions of each next token."""
    logits = model(ids, torch.ones_like(ids, dtype=torch.bool))
    predicted, targets = logits[:, :-1], ids[:, 1:]
    return F.cross_entropy(predicted.flatten(0, 1), targets.flatten())


def train(model: Model, batches: Iterable[Tensor], lr: float) -> None:
    """One step of the optimizer for each batch of ids (B, L)."""
    optimizer = torch.optim.AdamW(model.parameters(), lr)
    for ids in batches:
        optimizer.zero_grad()
        loss = loss_of(model, ids)
        loss.backward()
        optimizer.step()
