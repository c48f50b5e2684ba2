"""The cut of the heads by PyTorch's own tools: `parallelize_module` with a plan for four nn.Linear."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

from attn.layer import MultiHeadAttention

__all__ = ["Separate", "copy_groups", "parallelized"]


class Separate(nn.Module):
    """A copy of the layer with W_QKV as three modules, so that a plan can name each. Its attention is causal.

    split(flat, D) makes heads of what a projection returns; by default it reads their number off the width, which is smaller on a
    rank. `seen` has the shapes of q, k and v in the last forward pass.
    """

    def __init__(self, layer: MultiHeadAttention, split: Callable[[Tensor, int], Tensor] | None = None) -> None:
        super().__init__()
        self.D, self.seen = layer.D, dict[str, tuple[int, ...]]()
        self.split = split or (lambda flat, D: flat.unflatten(-1, (-1, D)).transpose(1, 2))
        weights = {"q": layer.W_Q, "k": layer.W_K, "v": layer.W_V, "o": layer.W_O.weight}
        biases: list[Tensor | None] = [None] * 4
        if layer.W_QKV.bias is not None:
            biases = [*layer.W_QKV.bias.split([len(weights[name]) for name in "qkv"]), layer.W_O.bias]
        with torch.no_grad():
            for (name, weight), bias in zip(weights.items(), biases, strict=True):
                linear = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
                linear.weight.copy_(weight)
                if bias is not None:
                    linear.bias.copy_(bias)
                self.add_module(name, linear)

    def forward(self, x: Float[Tensor, "B L E"]) -> Float[Tensor, "B L E"]:
        q, k, v = (self.split(self.get_submodule(name)(x), self.D) for name in "qkv")
        self.seen = {"q": tuple(q.shape), "k": tuple(k.shape), "v": tuple(v.shape)}
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=q.shape[1] != k.shape[1])
        return self.get_submodule("o")(heads.transpose(1, 2).flatten(2))


def parallelized(layer: nn.Module, N: int) -> nn.Module:
    """The layer with the rows of W_Q, W_K and W_V, and the columns of W_O, shared by N ranks. Called on every rank."""
    columns, rows = ColwiseParallel(), RowwiseParallel()  # of x @ W.T: "columns" are rows of the stored weight
    plan = {"q": columns, "k": columns, "v": columns, "o": rows}
    return parallelize_module(layer, init_device_mesh("cpu", (N,)), plan)


@torch.no_grad()
def copy_groups(layer: Separate, N: int) -> Separate:
    """Copy each key/value head for every rank that reads it, so that N ranks have one each, though G is below N."""
    for name in "kv":
        linear = layer.get_submodule(name)
        for kind in ("weight", "bias"):
            if (one := getattr(linear, kind)) is not None:
                copied = one.unflatten(0, (-1, layer.D)).repeat_interleave(N * layer.D // len(one), 0).flatten(0, 1)
                setattr(linear, kind, nn.Parameter(copied))
    return layer
