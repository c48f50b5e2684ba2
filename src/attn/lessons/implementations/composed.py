"""What PyTorch's scaled_dot_product_attention computes, composed of other calls, after the listing in its documentation."""

import math

import torch
from torch import Tensor

__all__ = ["composed_attention"]


def composed_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Heads from q (..., H, L, D), k and v (..., G, S, D). A boolean mask is (L, S), True where a query may attend.

    A description, not what runs: the real call chooses a fused kernel. The bias has two axes, so a boolean mask with more does not
    fit; the causal mask begins at the top left; dropout_p is applied whenever it is given.
    """
    L, S = query.size(-2), key.size(-2)
    factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    bias = torch.zeros(L, S, dtype=query.dtype, device=query.device)
    if is_causal:
        if attn_mask is not None:
            raise ValueError("give attn_mask or is_causal, not both")
        triangle = torch.ones(L, S, dtype=torch.bool, device=query.device).tril()
        bias.masked_fill_(~triangle, -math.inf)
        bias.to(query.dtype)  # without effect: the result is not kept, and the type was right
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            bias.masked_fill_(~attn_mask, -math.inf)
        else:
            bias = attn_mask + bias
    if enable_gqa:
        key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
    weights = (query @ key.transpose(-2, -1) * factor + bias).softmax(dim=-1)
    weights = torch.dropout(weights, dropout_p, train=True)
    return weights @ value
