"""Multi-head attention as a module: it holds the weights, `attn.core` does the mathematics."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attn.cache import KVCache
from attn.core import attention_unchecked
from attn.masks import check_mask
from attn.positions import Rotary, turned
from attn.shapes import ShapeError, check_groups, merge_heads, split_heads
from attn.steps import LayerSteps, layer_steps

__all__ = ["MultiHeadAttention"]


class MultiHeadAttention(nn.Module):
    """H heads that each attend with their own slice of the projections, joined again by W_O.

    Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2; grouped heads: Ainslie et al. 2023, "GQA".

    E: width of a token vector. H: query heads. G: key/value heads, a divisor of H; H if None. G = 1 is multi-query attention.
    D: width of each head's queries and keys (d_k in the paper); E / H if None. Dv: width of its values (d_v); D if None.
    bias: whether the four projections add one. dropout: probability that a weight is dropped, in training only.
    rotary: turns queries and keys by their positions, (heads (B, H, L, D), positions (L,)) -> heads; `attn.rotary` is one. Keys
        stand at 0 to S - 1 and the queries are the last of them; a cache keeps turned keys.

    The query, key and value projections are stored as one matrix, `W_QKV.weight` of shape (H·D + G·D + G·Dv, E): first the rows
    of all query heads, then of all key heads, then of all value heads. `W_Q`, `W_K` and `W_V` are views of their rows. Like
    every nn.Linear it is stored (out, in), and computes x @ W.T.

    Raises ShapeError if G does not divide H, if D is None and H does not divide E, or if a size is not positive; ValueError for
    a dropout outside [0, 1).
    """

    def __init__(
        self,
        E: int,
        H: int,
        *,
        D: int | None = None,
        Dv: int | None = None,
        G: int | None = None,
        bias: bool = True,
        dropout: float = 0.0,
        rotary: Rotary | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        D = _width_of_a_head(E, H) if D is None else D
        Dv = D if Dv is None else Dv
        G = H if G is None else G
        if min(E, H, D, Dv) < 1:
            raise ShapeError(f"MultiHeadAttention(E={E}, H={H}, D={D}, Dv={Dv}): every size must be at least 1.")
        check_groups(H, G)
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout is {dropout}; a probability in [0, 1) is expected.")
        self.E, self.H, self.G, self.D, self.Dv = E, H, G, D, Dv
        self.dropout = dropout
        self.rotary = rotary
        self._rows = H * D, G * D, G * Dv  # of W_QKV: queries, keys, values
        self.W_QKV = nn.Linear(E, sum(self._rows), bias=bias, device=device, dtype=dtype)
        self.W_O = nn.Linear(H * Dv, E, bias=bias, device=device, dtype=dtype)
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
        return self.W_QKV.weight[: self._rows[0]]

    @property
    def W_K(self) -> Float[Tensor, "GD E"]:
        """The rows of W_QKV that make keys, a view."""
        return self.W_QKV.weight[self._rows[0] : -self._rows[2]]

    @property
    def W_V(self) -> Float[Tensor, "GDv E"]:
        """The rows of W_QKV that make values, a view."""
        return self.W_QKV.weight[-self._rows[2] :]

    @property
    def W_O_heads(self) -> Float[Tensor, "H Dv E"]:
        """The part of W_O that each head is multiplied by, a view: `heads @ W_O_heads` is what each head adds to y, (B, H, L, E).

        Their sum over H, plus the bias, is y. Head h owns the columns h·Dv to (h+1)·Dv of W_O.weight, which is stored (out, in).
        """
        return self.W_O.weight.unflatten(1, (self.H, self.Dv)).permute(1, 2, 0)

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
        mask: True where a query may attend, broadcastable to (B, H, L, S). causal: see `attn.attention`.
        cache: holds the keys and values of earlier tokens. Those of x are appended, and S counts them all.

        Raises ShapeError or TypeError, naming both sides, if something does not fit. The cache is then as it was.
        """
        if x.dim() != 3 or x.shape[2] != self.E:
            raise self._input_error("x", x)
        if context is None:
            q, k, v = self._project(x)
        elif cache is None:
            self._check_context(x, context)
            q, k, v = self._project_both(x, context)
        else:
            raise TypeError(
                "context and cache were both given: the keys of a context do not grow from step to step. "
                "Use a cache for self-attention, a context for cross-attention."
            )
        if mask is not None:  # checked before the cache grows: a refused call leaves it as it was
            S = k.shape[2] + (0 if cache is None else len(cache))
            mask = check_mask(mask, (x.shape[0], self.H, x.shape[1], S))
        if self.rotary is not None:
            q, k = turned(self.rotary, q, k, 0 if cache is None else len(cache))
        if cache is not None:
            k, v = cache.append(k, v)
        dropout = self.dropout if self.training else 0.0
        heads = attention_unchecked(q, k, v, mask, causal=causal, dropout=dropout)  # the projections made what fits
        return self.W_O(merge_heads(heads))

    def steps(
        self,
        x: Float[Tensor, "B L E"],
        context: Float[Tensor, "B S E"] | None = None,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        causal: bool = False,
    ) -> LayerSteps:
        """The same computation with every tensor kept, from x to y. Weights are shown whole: dropout is not applied.

        With rotary positions, q and k are as they are scored: turned.
        """
        if x.dim() != 3 or x.shape[2] != self.E:
            raise self._input_error("x", x)
        if context is not None:
            self._check_context(x, context)
        weights = self.W_Q, self.W_K, self.W_V, self.W_O.weight
        biases = None if self.W_O.bias is None else (*self.W_QKV.bias.split(self._rows), self.W_O.bias)
        return layer_steps(x, context, weights, biases, H=self.H, G=self.G, mask=mask, causal=causal, rotary=self.rotary)

    @classmethod
    def from_torch(cls, module: nn.MultiheadAttention) -> "MultiHeadAttention":
        """A layer with the weights of `module`, copied; it computes the same numbers, for (B, L, E) input.

        batch_first may be either: it says how the input is laid out, not what the weights are.
        Raises ShapeError for separate kdim or vdim, NotImplementedError for bias_k/bias_v and add_zero_attn.
        """
        if module.in_proj_weight is None:
            raise ShapeError(
                f"this nn.MultiheadAttention has embed_dim {module.embed_dim}, kdim {module.kdim}, vdim {module.vdim}; "
                "MultiHeadAttention needs all three equal, since one packed matrix makes q, k and v."
            )
        if module.bias_k is not None or module.bias_v is not None or module.add_zero_attn:
            raise NotImplementedError(
                "add_bias_kv and add_zero_attn add a key that belongs to no token; MultiHeadAttention does not have one."
            )
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

    @classmethod
    def from_hf(cls, layer: nn.Module, *, rotary: Rotary | None = None) -> "MultiHeadAttention":
        """A layer with the weights of a BertAttention, GPT2Attention or LlamaAttention of `transformers`, copied.

        It computes their attention: of BertAttention without the residual and the LayerNorm, of GPT2Attention without the dropout
        after W_O. Whether it is causal is said at each call: layer(x, causal=True) for GPT-2 and LLaMA. LLaMA's rotary positions
        come along; rotary: what turns q and k instead.

        Raises TypeError for another layer; NotImplementedError for positions of another kind.
        """
        from attn.pretrained import parts_of  # needed by nobody else

        parts = parts_of(layer, rotary)
        W, biased = parts.W_QKV, parts.b_QKV is not None
        made = cls(**parts.sizes, bias=biased, dropout=parts.dropout, rotary=parts.rotary, device=W.device, dtype=W.dtype)
        with torch.no_grad():
            made.W_QKV.weight.copy_(W)
            made.W_O.weight.copy_(parts.W_O)
            if parts.b_QKV is not None and parts.b_O is not None:
                made.W_QKV.bias.copy_(parts.b_QKV)
                made.W_O.bias.copy_(parts.b_O)
        return made.train(layer.training)

    def extra_repr(self) -> str:
        Dv = "" if self.Dv == self.D else f", Dv={self.Dv}"
        rotary = "" if self.rotary is None else f", rotary={getattr(self.rotary, '__name__', type(self.rotary).__name__)}"
        return f"E={self.E}, H={self.H}, G={self.G}, D={self.D}{Dv}, dropout={self.dropout}{rotary}"

    def _project(self, x: Tensor) -> tuple[Tensor, ...]:
        """q (B, H, L, D), k (B, G, L, D) and v (B, G, L, Dv) in one product."""
        packed, H, G = self.W_QKV(x), self.H, self.G
        if self.D == self.Dv:
            # The packed result is H + 2G heads in a row: one view and one transpose split them all.
            B, L, _ = x.shape
            return packed.view(B, L, H + 2 * G, self.D).transpose(1, 2).split_with_sizes((H, G, G), 1)
        q, k, v = packed.split(self._rows, -1)
        return split_heads(q, H), split_heads(k, G), split_heads(v, G)

    def _project_both(self, x: Tensor, context: Tensor) -> tuple[Tensor, ...]:
        """q (B, H, L, D) from x, k (B, G, S, D) and v (B, G, S, Dv) from the context."""
        (HD, GD, GDv), weight, bias = self._rows, self.W_QKV.weight, self.W_QKV.bias
        b_q, b_kv = (None, None) if bias is None else bias.split((HD, GD + GDv))
        k, v = F.linear(context, weight[HD:], b_kv).split((GD, GDv), -1)
        return split_heads(F.linear(x, weight[:HD], b_q), self.H), split_heads(k, self.G), split_heads(v, self.G)

    def _check_context(self, x: Tensor, context: Tensor) -> None:
        if context.dim() != 3 or context.shape[2] != self.E:
            raise self._input_error("context", context)
        if context.shape[0] != x.shape[0]:
            raise ShapeError(f"x has B = {x.shape[0]} samples, context has {context.shape[0]}: each x needs its own context.")

    def _input_error(self, name: str, x: Tensor) -> ShapeError:
        hint = " Add the batch axis: x[None]." if x.dim() == 2 and x.shape[1] == self.E else ""
        return ShapeError(f"{name} has shape {tuple(x.shape)}; this layer takes (B, L, E) with E = {self.E}.{hint}")


def _width_of_a_head(E: int, H: int) -> int:
    """D = E / H, the usual choice."""
    if H < 1 or E % H:
        raise ShapeError(
            f"E = {E} is not a multiple of H = {H}: every head needs the same whole number of channels. "
            "Choose another H, or give the width of a head: MultiHeadAttention(E, H, D=...)."
        )
    return E // H
