"""Attention over keys that are on several devices: parts, their merge, and the ring.

Liu, Zaharia and Abbeel 2023, "Ring Attention with Blockwise Transformers"; the merge is that of online softmax, Milakov and
Gimelshein 2018.
"""

import math
from typing import Any

import torch
import torch.distributed as dist
from jaxtyping import Bool, Float
from torch import Tensor
from torch.autograd import Function

__all__ = ["merge_parts", "partial_attention", "ring_attention"]


def partial_attention(
    q: Float[Tensor, "B H L D"], k: Float[Tensor, "B H S D"], v: Float[Tensor, "B H S Dv"], keep: Bool[Tensor, "L S"]
) -> tuple[Float[Tensor, "B H L Dv"], Float[Tensor, "B H L"]]:
    """Attention over some of the keys, and for each query the logarithm of the sum of exp(score) over them.

    A query that may see none of these keys has zeros, and −∞. Heads in half precision give both in float32: a logarithm near 60 has
    steps of 0.25 in bfloat16, and parts that are rounded before they are merged are rounded again and again.
    """
    q, k, v = (one.to(_wide(one)) for one in (q, k, v))
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~keep, -math.inf)
    total = scores.logsumexp(-1)
    weights = torch.exp(scores - total.clamp(min=torch.finfo(q.dtype).min)[..., None])
    return weights @ v, total


def _wide(one: Tensor) -> torch.dtype:
    """The precision of scores, sums and merged parts: float32 at least."""
    return torch.promote_types(one.dtype, torch.float32)


def merge_parts(
    a: Float[Tensor, "B H L Dv"], total_a: Float[Tensor, "B H L"], b: Float[Tensor, "B H L Dv"], total_b: Float[Tensor, "B H L"]
) -> tuple[Float[Tensor, "B H L Dv"], Float[Tensor, "B H L"]]:
    """The attention over both sets of keys, from that over each: a weighted mean, whose weights are the two sums' shares."""
    total = torch.logaddexp(total_a, total_b)
    known = total.clamp(min=torch.finfo(a.dtype).min)  # −∞ − −∞ is NaN
    share_a, share_b = torch.exp(total_a - known), torch.exp(total_b - known)
    return share_a[..., None] * a + share_b[..., None] * b, total


def ring_attention(
    q: Float[Tensor, "B H l D"], k: Float[Tensor, "B G l D"], v: Float[Tensor, "B G l Dv"], *, causal: bool = False
) -> Float[Tensor, "B H l Dv"]:
    """The rows of the output for this rank's tokens. Every rank has equally many, in the order of the ranks.

    Queries stay. Keys and values travel once around: each rank hands on what it holds, N - 1 times, and merges what it gets.
    """
    rank, N, n = dist.get_rank(), dist.get_world_size(), q.shape[2]
    positions = torch.arange(n, device=q.device)
    out = torch.zeros_like(q[..., :1], dtype=_wide(q)).expand(*q.shape[:3], v.shape[-1])
    total = torch.full_like(out[..., 0], -math.inf)
    for step in range(N):
        owner = (rank - step) % N  # whose keys are here now
        places = positions[:, None] + rank * n, positions + owner * n
        keep = places[1] <= places[0] if causal else torch.ones(n, n, dtype=torch.bool, device=q.device)
        if keep.any() or k.requires_grad:  # gradients go back through every rank, so none of them may skip a part
            keys, values = (one.repeat_interleave(q.shape[1] // k.shape[1], 1) for one in (k, v))
            out, total = merge_parts(out, total, *partial_attention(q, keys, values, keep))
        if step < N - 1:
            k, v = _HandedOn.apply(k, v)
    return out.to(q.dtype)


class _HandedOn(Function):
    """Forward: what this rank holds goes to the next, and that of the previous comes. Backward: gradients go the other way."""

    @staticmethod
    def forward(ctx: Any, *held: Tensor) -> tuple[Tensor, ...]:
        return _exchanged(held, 1)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, ...]:
        return _exchanged(grads, -1)


def _exchanged(held: tuple[Tensor, ...], step: int) -> tuple[Tensor, ...]:
    """Send these to the rank that is `step` further, and return those of the rank that is `step` behind."""
    rank, N = dist.get_rank(), dist.get_world_size()
    got = tuple(torch.empty(one.shape, dtype=one.dtype, device=one.device) for one in held)
    there = [dist.P2POp(dist.isend, one.contiguous(), (rank + step) % N) for one in held]
    for request in dist.batch_isend_irecv([*there, *(dist.P2POp(dist.irecv, one, (rank - step) % N) for one in got)]):
        request.wait()
    return got
