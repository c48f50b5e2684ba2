"""Attention one line of the formula at a time, with every tensor kept: the same numbers as `attn.core` and `attn.layer` give."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from attn.core import check_operands
from attn.masks import causal as causal_mask
from attn.masks import check_mask
from attn.positions import Rotary, turned
from attn.record import Record
from attn.shapes import merge_heads, split_heads

__all__ = ["AttentionSteps", "LayerSteps", "attention_steps", "layer_steps"]


@dataclass(frozen=True, repr=False, eq=False)
class AttentionSteps(Record):
    """Every tensor between q, k, v and the output. Before softmax they are scores, after it weights."""

    q: Float[Tensor, "B H L D"]
    k: Float[Tensor, "B G S D"]
    v: Float[Tensor, "B G S Dv"]
    scores: Float[Tensor, "B H L S"]
    scaled: Float[Tensor, "B H L S"]
    masked: Float[Tensor, "B H L S"]
    weights: Float[Tensor, "B H L S"]
    out: Float[Tensor, "B H L Dv"]


def attention_steps(
    q: Float[Tensor, "B H L D"],
    k: Float[Tensor, "B G S D"],
    v: Float[Tensor, "B G S Dv"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
) -> AttentionSteps:
    """The same as `attention`, one line of the formula at a time, with every intermediate tensor kept.

    Without a mask, `masked` is `scaled` itself. Arguments and errors: see `attention`.
    """
    H, G = check_operands(q, k, v)
    B, _, L, D = q.shape
    S, Dv = v.shape[2:]
    if mask is not None:
        mask = check_mask(mask, (B, H, L, S))
    may_see_nothing = mask is not None or L > S  # a causal mask alone leaves each query its own key
    if causal:
        bottom_right = causal_mask(L, S, device=q.device)
        mask = bottom_right if mask is None else mask & bottom_right

    # The H / G query heads of one key/value head are H / G · L rows of one product, so no key and no value is repeated.
    scores = (q.reshape(B, G, -1, D) @ k.transpose(-2, -1)).view(B, H, L, S)
    scaled = scores * (1 / math.sqrt(D) if scale is None else scale)
    masked = scaled if mask is None else scaled.masked_fill(~mask, -math.inf)
    weights = masked.softmax(-1)
    if mask is not None and may_see_nothing:
        # Softmax over nothing is 0/0. The zeros put there also keep its gradient out, as masked_fill does above.
        weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    out = (weights.view(B, G, -1, S) @ v).view(B, H, L, Dv)
    return AttentionSteps(q, k, v, scores, scaled, masked, weights, out)


@dataclass(frozen=True, repr=False, eq=False)
class LayerSteps(Record):
    """Every tensor of one pass through `MultiHeadAttention`, from x to y, in the order in which they arise."""

    x: Float[Tensor, "B L E"]
    context: Float[Tensor, "B S E"] | None
    q_flat: Float[Tensor, "B L HD"]
    k_flat: Float[Tensor, "B S GD"]
    v_flat: Float[Tensor, "B S GDv"]
    q: Float[Tensor, "B H L D"]
    k: Float[Tensor, "B G S D"]
    v: Float[Tensor, "B G S Dv"]
    scores: Float[Tensor, "B H L S"]
    scaled: Float[Tensor, "B H L S"]
    masked: Float[Tensor, "B H L S"]
    weights: Float[Tensor, "B H L S"]
    heads: Float[Tensor, "B H L Dv"]
    concat: Float[Tensor, "B L HDv"]
    y: Float[Tensor, "B L E"]


def layer_steps(
    x: Float[Tensor, "B L E"],
    context: Float[Tensor, "B S E"] | None,
    weights: Sequence[Tensor],
    biases: Sequence[Tensor | None] | None = None,
    *,
    H: int,
    G: int,
    mask: Bool[Tensor, "..."] | None = None,
    causal: bool = False,
    scale: float | None = None,
    rotary: Rotary | None = None,
) -> LayerSteps:
    """A whole multi-head attention layer, from x to y, with every tensor kept.

    context: where keys and values come from; x itself if None (self-attention).
    weights: W_Q, W_K, W_V and W_O as nn.Linear stores them, (out, in). biases: a vector or None for each of them.
    H: query heads. G: key/value heads. mask, causal, scale and errors: see `attn.attention`.
    rotary: turns q and k by their positions, see `MultiHeadAttention`; the record has them turned.
    """
    source = x if context is None else context
    (W_Q, W_K, W_V, W_O), (b_Q, b_K, b_V, b_O) = weights, biases or (None,) * 4
    q_flat, k_flat, v_flat = F.linear(x, W_Q, b_Q), F.linear(source, W_K, b_K), F.linear(source, W_V, b_V)
    q, k, v = split_heads(q_flat, H), split_heads(k_flat, G), split_heads(v_flat, G)
    if rotary is not None:
        q, k = turned(rotary, q, k)
    inner = attention_steps(q, k, v, mask, causal=causal, scale=scale)
    concat = merge_heads(inner.out)
    y = F.linear(concat, W_O, b_O)
    return LayerSteps(
        *(x, context, q_flat, k_flat, v_flat, q, k, v),
        *(inner.scores, inner.scaled, inner.masked, inner.weights, inner.out, concat, y),
    )
