"""The definition as loops over single numbers in float64: slow, obvious, and without any operation that `attn.core` uses."""

import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float
from numpy.typing import ArrayLike

__all__ = ["attention", "multi_head_attention"]


def attention(
    q: Float[np.ndarray, "B H L D"],
    k: Float[np.ndarray, "B G S D"],
    v: Float[np.ndarray, "B G S Dv"],
    mask: Bool[np.ndarray, "..."] | None = None,
    *,
    scale: float | None = None,
) -> tuple[Float[np.ndarray, "B H L Dv"], Float[np.ndarray, "B H L S"]]:
    """Return (out, weights): for each sample, head and query, the average of the values under softmax of its scores.

    mask: True where a query may attend, broadcastable to (B, H, L, S). A query that may see no key gets zeros.
    Vaswani et al. 2017, equation 1.
    """
    q, k, v = (np.asarray(array, dtype=np.float64) for array in (q, k, v))
    (B, H, L, D), (_, G, S, Dv) = q.shape, v.shape
    allowed = np.broadcast_to(np.asarray(True if mask is None else mask), (B, H, L, S))
    scale = 1 / math.sqrt(D) if scale is None else scale
    out, weights = np.zeros((B, H, L, Dv)), np.zeros((B, H, L, S))
    for b in range(B):
        for h in range(H):
            g = h // (H // G)  # the key/value head that query head h reads
            for i in range(L):
                seen = [j for j in range(S) if allowed[b, h, i, j]]
                scores = [scale * sum(q[b, h, i, d] * k[b, g, j, d] for d in range(D)) for j in seen]
                highest = max(scores, default=0.0)
                powers = [math.exp(score - highest) for score in scores]
                for j, power in zip(seen, powers, strict=True):
                    weights[b, h, i, j] = power / sum(powers)
                    for d in range(Dv):
                        out[b, h, i, d] += weights[b, h, i, j] * v[b, g, j, d]
    return out, weights


def multi_head_attention(
    x: Float[np.ndarray, "B L E"],
    context: Float[np.ndarray, "B S E"],
    weights: Sequence[ArrayLike],
    biases: Sequence[ArrayLike],
    H: int,
    G: int,
    mask: Bool[np.ndarray, "..."] | None = None,
) -> Float[np.ndarray, "B L E"]:
    """The whole layer. weights: W_Q, W_K, W_V, W_O as nn.Linear stores them (out, in); biases: one vector for each."""
    w_q, w_k, w_v, w_o = (np.asarray(weight, dtype=np.float64) for weight in weights)
    b_q, b_k, b_v, b_o = (np.asarray(bias, dtype=np.float64) for bias in biases)
    q = _heads(_linear(x, w_q, b_q), H)
    k, v = _heads(_linear(context, w_k, b_k), G), _heads(_linear(context, w_v, b_v), G)
    out, _ = attention(q, k, v, mask)
    B, _, L, D = out.shape
    concat = np.zeros((B, L, H * D))
    for b, h, i, d in np.ndindex(B, H, L, D):
        concat[b, i, h * D + d] = out[b, h, i, d]
    return _linear(concat, w_o, b_o)


def _linear(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """y[b, i, o] = sum over e of x[b, i, e] · weight[o, e], plus bias[o]."""
    y = np.zeros((*x.shape[:2], len(weight)))
    for b, i, o in np.ndindex(*y.shape):
        y[b, i, o] = bias[o] + sum(x[b, i, e] * weight[o, e] for e in range(x.shape[2]))
    return y


def _heads(x: np.ndarray, heads: int) -> np.ndarray:
    """heads[b, h, i, d] = x[b, i, h·D + d]."""
    B, L, width = x.shape
    D = width // heads
    split = np.zeros((B, heads, L, D))
    for b, h, i, d in np.ndindex(*split.shape):
        split[b, h, i, d] = x[b, i, h * D + d]
    return split
