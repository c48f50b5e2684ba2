"""One layer on several devices: what each rank holds, computes and sends when an axis is cut.

Each function runs on every rank. It takes the whole layer and the whole x, keeps what is this rank's alone, and returns the tensors
that the rank has; "y" is its part of the output. Gradients flow back through what is sent. The layer has no dropout and no rotary
positions.
"""

from collections.abc import Callable
from typing import Any

import torch.distributed as dist
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor
from torch.autograd import Function

from attn.core import attention
from attn.layer import MultiHeadAttention
from attn.lessons.devices.ring import ring_attention
from attn.shapes import ShapeError, merge_heads, split_heads

__all__ = ["CUTS", "cut_batch", "cut_heads", "cut_length", "cut_width", "own_heads"]

Held = dict[str, Tensor]


def cut_batch(layer: MultiHeadAttention, x: Float[Tensor, "B L E"], rank: int, N: int, causal: bool = True) -> Held:
    """Cut B: each rank has some sequences and the whole layer. Nothing is sent, until gradients are added up."""
    x = _share(x, 0, rank, N, "B")
    return _held(layer, x, layer(x, causal=causal))


def cut_heads(layer: MultiHeadAttention, x: Float[Tensor, "B L E"], rank: int, N: int, causal: bool = True) -> Held:
    """Cut H: each rank has all tokens and a layer of some heads. What the heads add to y is summed over the ranks."""
    mine = own_heads(layer, rank, N)
    y = _Summed.apply(mine(_Copied.apply(x), causal=causal))
    return _held(mine, x, y if layer.W_O.bias is None else y + layer.W_O.bias)  # the bias is added once, after the sum


def cut_length(layer: MultiHeadAttention, x: Float[Tensor, "B L E"], rank: int, N: int, causal: bool = True) -> Held:
    """Cut L: each rank has some tokens and the whole layer. Keys and values go once around the ranks."""
    x = _share(x, 1, rank, N, "L")
    q, k, v = _projected(layer, F.linear(x, layer.W_QKV.weight, layer.W_QKV.bias))
    heads = ring_attention(q, k, v, causal=causal)
    return _held(layer, x, layer.W_O(merge_heads(heads)), (q, k, v))


def cut_width(layer: MultiHeadAttention, x: Float[Tensor, "B L E"], rank: int, N: int, causal: bool = True) -> Held:
    """Cut E: each rank has some components of every token. The projections sum over E, so their results are summed over the ranks.

    Then every rank has all of q, k and v, computes all of the attention, and makes its own components of y.
    """
    x = _share(x, 2, rank, N, "E")
    columns, rows = _share(layer.W_QKV.weight, 1, rank, N, "E"), _share(layer.W_O.weight, 0, rank, N, "E")
    qkv = _Summed.apply(x @ columns.T)
    q, k, v = _projected(layer, qkv if layer.W_QKV.bias is None else qkv + layer.W_QKV.bias)
    heads = _Copied.apply(merge_heads(attention(q, k, v, causal=causal)))
    y = F.linear(heads, rows, None if layer.W_O.bias is None else _share(layer.W_O.bias, 0, rank, N, "E"))
    return {"x": x, "W_QKV": columns, "W_O": rows, "q": q, "k": k, "v": v, "y": y}


CUTS: dict[str, Callable[..., Held]] = {"B": cut_batch, "H": cut_heads, "L": cut_length, "E": cut_width}


def own_heads(layer: MultiHeadAttention, rank: int, N: int) -> MultiHeadAttention:
    """The layer of this rank's heads: their rows of W_QKV and their columns of W_O, without the bias of W_O.

    Added up over the ranks, these layers' outputs are the layer's, but for that bias. If G is below N, several ranks have a copy of
    the same key/value head. Raises ShapeError if heads would have to be cut.
    """
    H, G, D, Dv = layer.H, layer.G, layer.D, layer.Dv
    if H % N:
        raise ShapeError(f"H = {H} heads cannot be shared by {N} ranks: {H}/{N} is not a whole number, and a head is not cut.")
    if G % N and N % G:
        raise ShapeError(f"G = {G} key/value heads cannot be shared by {N} ranks: one of {G} and {N} must divide the other.")
    mine = range(rank * H // N, (rank + 1) * H // N)
    read = sorted({h // (H // G) for h in mine})  # the key/value heads that these query heads read
    starts = ((0, D, mine), (H * D, D, read), ((H + G) * D, Dv, read))  # of queries, keys and values in W_QKV
    rows = [start + one * width + n for start, width, of in starts for one in of for n in range(width)]
    columns = [h * Dv + n for h in mine for n in range(Dv)]
    like: dict[str, Any] = {"device": layer.W_O.weight.device, "dtype": layer.W_O.weight.dtype}
    own = MultiHeadAttention(layer.E, len(mine), D=D, Dv=Dv, G=len(read), bias=layer.W_QKV.bias is not None, **like)
    own.W_O.register_parameter("bias", None)
    # In place of the parameters stand slices of the layer's: gradients reach the layer.
    del own.W_QKV.weight, own.W_O.weight
    own.W_QKV.weight, own.W_O.weight = layer.W_QKV.weight[rows], layer.W_O.weight[:, columns]
    if layer.W_QKV.bias is not None:
        del own.W_QKV.bias
        own.W_QKV.bias = layer.W_QKV.bias[rows]  # type: ignore[assignment]
    return own


def _share(one: Tensor, axis: int, rank: int, N: int, letter: str) -> Tensor:
    """The rank's share of this axis. Raises ShapeError if the ranks cannot have equal shares."""
    if one.shape[axis] % N:
        raise ShapeError(
            f"{letter} = {one.shape[axis]} cannot be cut into {N} equal parts. torch.chunk would give "
            f"{[part.shape[axis] for part in one.chunk(N, axis)]}: use a number of ranks that divides it, or pad."
        )
    return one.chunk(N, axis)[rank]


def _projected(layer: MultiHeadAttention, qkv: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """(B, L, (H + G)·D + G·Dv) -> q, k, v of heads"""
    H, G, D, Dv = layer.H, layer.G, layer.D, layer.Dv
    q, k, v = qkv.split((H * D, G * D, G * Dv), -1)
    return split_heads(q, H), split_heads(k, G), split_heads(v, G)


def _held(layer: MultiHeadAttention, x: Tensor, y: Tensor, qkv: tuple[Tensor, ...] = ()) -> Held:
    q, k, v = qkv or _projected(layer, F.linear(x, layer.W_QKV.weight, layer.W_QKV.bias))
    return {"x": x, "W_QKV": layer.W_QKV.weight, "W_O": layer.W_O.weight, "q": q, "k": k, "v": v, "y": y}


class _Summed(Function):
    """Forward: the sum over all ranks. Backward: every rank's part has the gradient of the sum."""

    @staticmethod
    def forward(ctx: Any, one: Tensor) -> Tensor:
        total = one.contiguous().clone()
        dist.all_reduce(total)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Tensor:
        return grads[0]


class _Copied(Function):
    """Forward: what every rank has. Backward: the gradients that the ranks have for it are summed."""

    @staticmethod
    def forward(ctx: Any, one: Tensor) -> Tensor:
        return one.view_as(one)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Tensor:
        total = grads[0].contiguous().clone()
        dist.all_reduce(total)
        return total
