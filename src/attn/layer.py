"""Multi-head attention as a module: it holds the weights, `attn.core` does the mathematics."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn.cache import KVCache
from attn.core import attention
from attn.masks import check_mask
from attn.shapes import ShapeError, check_groups, merge_heads, split_heads
from attn.steps import LayerSteps, layer_steps

__all__ = ["MultiHeadAttention"]


class MultiHeadAttention(nn.Module):
    """H heads that each attend with their own slice of the projections, joined again by W_O.

    Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2; grouped heads: Ainslie et al. 2023, "GQA".

    E: width of a token vector, a multiple of H; each head is D = E / H wide.
    H: query heads. G: key/value heads, a divisor of H; H if None. G = 1 is multi-query attention.
    bias: whether the four projections add one. dropout: probability that a weight is dropped, in training only.

    The query, key and value projections are stored as one matrix, `W_QKV.weight` of shape ((H + 2G)·D, E): first the rows of
    all query heads, then of all key heads, then of all value heads. `W_Q`, `W_K` and `W_V` are views of their rows. Like every
    nn.Linear it is stored (out, in), and computes x @ W.T.

    Raises ShapeError if H does not divide E or G does not divide H, ValueError for a dropout outside [0, 1).
    """

    def __init__(
        self,
        E: int,
        H: int,
        *,
        G: int | None = None,
        bias: bool = True,
        dropout: float = 0.0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        G = H if G is None else G
        if H < 1 or E < 1 or E % H:
            raise ShapeError(f"E = {E} is not a multiple of H = {H}: every head needs the same whole number of channels.")
        check_groups(H, G)
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout is {dropout}; a probability in [0, 1) is expected.")
        self.E, self.H, self.G, self.D = E, H, G, E // H
        self.dropout = dropout
        self.W_QKV = nn.Linear(E, (H + 2 * G) * self.D, bias=bias, device=device, dtype=dtype)
        self.W_O = nn.Linear(H * self.D, E, bias=bias, device=device, dtype=dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new weights: Xavier-uniform for each projection by itself, biases zero."""
        for weight in (self.W_Q, self.W_K, self.W_V, self.W_O.weight):
            nn.init.xavier_uniform_(weight)
        for linear in (self.W_QKV, self.W_O):
            if linear.bias is not None:
                nn.init.zeros_(linear.bias)

    @property
    def W_Q(self) -> Float[Tensor, "HD E"]:
        """The rows of W_QKV that make queries, a view; rows h·D to (h+1)·D belong to head h."""
        return self.W_QKV.weight[: self.E]

    @property
    def W_K(self) -> Float[Tensor, "GD E"]:
        """The rows of W_QKV that make keys, a view."""
        return self.W_QKV.weight[self.E : self.E + self.G * self.D]

    @property
    def W_V(self) -> Float[Tensor, "GD E"]:
        """The rows of W_QKV that make values, a view."""
        return self.W_QKV.weight[self.E + self.G * self.D :]

    @property
    def W_O_heads(self) -> Float[Tensor, "H D E"]:
        """The part of W_O that each head is multiplied by, a view: `heads @ W_O_heads` is what each head adds to y, (B, H, L, E).

        Their sum over H, and the bias, is y. Head h owns the columns h·D to (h+1)·D of W_O.weight, which is stored (out, in).
        """
        return self.W_O.weight.unflatten(1, (self.H, self.D)).permute(1, 2, 0)

    def forward(
        self,
        x: Float[Tensor, "B L E"],
        context: Float[Tensor, "B S E"] | None = None,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        causal: bool = False,
        cache: KVCache | None = None,
    ) -> Float[Tensor, "B L E"]:
        """Let every token of x gather from the tokens it may see; the shape stays (B, L, E).

        context: where keys and values come from; x itself if None (self-attention).
        mask: True where a query may look, broadcastable to (B, H, L, S). causal: see `attn.attention`.
        cache: holds the keys and values of earlier tokens. Those of x are appended, and S counts them all.

        Raises ShapeError or TypeError, naming both sides, if something does not fit. The cache is then as it was.
        """
        q, k, v = self._project(x, context, cache)
        if cache is not None:
            k, v = self._extend(cache, k, v, mask)
        heads = attention(q, k, v, mask, causal=causal, dropout=self.dropout if self.training else 0.0)
        return self.W_O(merge_heads(heads))

    def steps(
        self,
        x: Float[Tensor, "B L E"],
        context: Float[Tensor, "B S E"] | None = None,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        causal: bool = False,
    ) -> LayerSteps:
        """The same computation with every tensor kept, from x to y. Weights are shown whole: dropout is not applied."""
        self._check_input("x", x)
        if context is not None:
            self._check_context(x, context)
        biases = *self._biases(self.E, self.G * self.D, self.G * self.D), self.W_O.bias
        weights = self.W_Q, self.W_K, self.W_V, self.W_O.weight
        return layer_steps(x, context, weights, biases, H=self.H, G=self.G, mask=mask, causal=causal)

    @classmethod
    def from_torch(cls, module: nn.MultiheadAttention) -> "MultiHeadAttention":
        """A layer with the weights of `module`, copied; the same numbers come out, for (B, L, E) input.

        Takes batch_first either way: it says how the input is laid out, not what the weights are.
        Raises ShapeError for separate kdim or vdim, NotImplementedError for bias_k/bias_v and add_zero_attn.
        """
        if module.in_proj_weight is None:
            raise ShapeError(
                f"this nn.MultiheadAttention has embed_dim {module.embed_dim}, kdim {module.kdim}, vdim {module.vdim}; "
                "MultiHeadAttention needs all three equal, since one packed matrix makes q, k and v."
            )
        if module.bias_k is not None or module.bias_v is not None or module.add_zero_attn:
            raise NotImplementedError("add_bias_kv and add_zero_attn add a key that belongs to no token; there is none here.")
        weight = module.in_proj_weight
        layer = cls(
            module.embed_dim,
            module.num_heads,
            bias=module.in_proj_bias is not None,
            dropout=module.dropout,
            device=weight.device,
            dtype=weight.dtype,
        ).train(module.training)
        with torch.no_grad():
            layer.W_QKV.weight.copy_(weight)
            layer.W_O.weight.copy_(module.out_proj.weight)
            if module.in_proj_bias is not None:
                layer.W_QKV.bias.copy_(module.in_proj_bias)
                layer.W_O.bias.copy_(module.out_proj.bias)
        return layer

    def extra_repr(self) -> str:
        return f"E={self.E}, H={self.H}, G={self.G}, D={self.D}, dropout={self.dropout}"

    def _project(self, x: Tensor, context: Tensor | None, cache: KVCache | None) -> tuple[Tensor, ...]:
        """q (B, H, L, D), k and v (B, G, S, D), in one product where both come from x."""
        self._check_input("x", x)
        H, G = self.H, self.G
        if context is None:
            # The packed result is H + 2G heads in a row: one view and one transpose split them all.
            B, L, _ = x.shape
            return self.W_QKV(x).view(B, L, H + 2 * G, self.D).transpose(1, 2).split_with_sizes((H, G, G), 1)
        if cache is not None:
            raise TypeError(
                "context and cache were both given: the keys of a context do not grow from step to step. "
                "Use a cache for self-attention, a context for cross-attention."
            )
        self._check_context(x, context)
        weight, (b_q, b_kv) = self.W_QKV.weight, self._biases(self.E, 2 * G * self.D)
        k, v = split_heads(F.linear(context, weight[self.E :], b_kv), 2 * G).chunk(2, 1)
        return split_heads(F.linear(x, weight[: self.E], b_q), H), k, v

    def _biases(self, *sizes: int) -> tuple[Tensor | None, ...]:
        """The packed bias cut into pieces of these sizes; None for each if there is no bias."""
        bias = self.W_QKV.bias
        return (None,) * len(sizes) if bias is None else bias.split(sizes)

    def _extend(self, cache: KVCache, k: Tensor, v: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """Append to the cache. A mask that will not fit is found first, so that a refused call leaves the cache as it was."""
        if mask is not None:
            check_mask(mask, (k.shape[0], self.H, k.shape[2], len(cache) + k.shape[2]))
        return cache.append(k, v)

    def _check_input(self, name: str, x: Tensor) -> None:
        if x.dim() != 3 or x.shape[2] != self.E:
            hint = " Add the batch axis: x[None]." if x.dim() == 2 and x.shape[1] == self.E else ""
            raise ShapeError(f"{name} has shape {tuple(x.shape)}; this layer takes (B, L, E) with E = {self.E}.{hint}")

    def _check_context(self, x: Tensor, context: Tensor) -> None:
        self._check_input("context", context)
        if context.shape[0] != x.shape[0]:
            raise ShapeError(f"x has B = {x.shape[0]} samples, context has {context.shape[0]}: each x needs its own context.")
