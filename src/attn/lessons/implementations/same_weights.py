"""All implementations with the weights of one layer, to be called in one way."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attn.layer import MultiHeadAttention
from attn.lessons.implementations.composed import composed_attention
from attn.lessons.implementations.four_linears import FourLinears
from attn.lessons.implementations.packed import PackedAttention
from attn.lessons.implementations.plain import plain_head
from attn.lessons.implementations.stepwise import five_steps
from attn.lessons.implementations.two_classes import PostNormAttention
from attn.shapes import merge_heads, split_heads

__all__ = ["Version", "versions"]


@dataclass(frozen=True)
class Version:
    """An implementation with given weights.

    call(x, keep): what it makes of x (B, L, E); keep (L, L) is True where a query may attend, and is given in the form that the
    implementation takes; None for no mask. takes_mask: whether it takes one. stored: how its weights are stored. of(y, x): what it
    should return where the layer returns y.
    """

    name: str
    stored: str
    call: Callable[[Tensor, Tensor | None], Tensor]
    takes_mask: bool = True
    of: Callable[[Tensor, Tensor], Tensor] = lambda y, x: y


@torch.no_grad()
def versions(layer: MultiHeadAttention, dropout: float = 0.0) -> list[Version]:
    """Every implementation with the weights of this layer, in eval mode, and with this dropout where it has one.

    The layer needs G = H and H·D = E. `plain_head` has one head and no batch: it takes part if H = 1, and computes a sequence after
    the other. `PostNormAttention` has no biases: it takes part if the layer has none.
    """
    E, H, D = layer.E, layer.H, layer.D
    W_Q, W_K, W_V, W_O = (W.T for W in (layer.W_Q, layer.W_K, layer.W_V, layer.W_O.weight))
    has_bias = layer.W_QKV.bias is not None
    all_of = []
    if not has_bias and H == 1:
        plain = lambda x, keep: torch.stack([plain_head(one, W_Q, W_K, W_V) @ W_O for one in x])  # noqa: E731
        all_of.append(Version("one head, plain", "W (in, out)", plain, takes_mask=False))
    if not has_bias:
        steps = lambda x, keep: five_steps(x, W_Q, W_K, W_V, W_O, H)  # noqa: E731
        all_of.append(Version("pseudo-code, five steps", "W (in, out)", steps, takes_mask=False))
        all_of.append(_two_classes(layer, dropout))
    for name, function in (
        ("composed of calls", composed_attention),
        ("PyTorch's SDPA", F.scaled_dot_product_attention),
    ):
        all_of.append(Version(name, "none: takes q, k, v", _projected(layer, function, dropout)))

    plain_class = FourLinears(H, E, dropout, bias=has_bias).eval()
    for n, linear in enumerate((plain_class.to_q, plain_class.to_k, plain_class.to_v)):
        linear.weight.copy_(layer.W_QKV.weight[n * H * D : (n + 1) * H * D])
        if has_bias:
            linear.bias.copy_(layer.W_QKV.bias[n * H * D : (n + 1) * H * D])
    plain_class.out.load_state_dict(layer.W_O.state_dict())
    all_of.append(Version("four linear layers", "4 × (out, in)", lambda x, keep: plain_class(x, x, x, keep)))

    packed = PackedAttention(E, E, E, E, H, dropout, bias=has_bias).eval()
    packed.packed.load_state_dict(layer.W_QKV.state_dict())
    packed.out.load_state_dict(layer.W_O.state_dict())
    all_of.append(Version("packed projections", "(3·out, in), (out, in)", lambda x, keep: packed(x, x, x, keep)))

    module = nn.MultiheadAttention(E, H, dropout, bias=has_bias, batch_first=True).eval()
    module.in_proj_weight.copy_(layer.W_QKV.weight)
    module.out_proj.load_state_dict(layer.W_O.state_dict())
    if has_bias:
        module.in_proj_bias.copy_(layer.W_QKV.bias)
    masked = lambda x, keep: module(x, x, x, attn_mask=None if keep is None else ~keep)[0]  # noqa: E731
    all_of.append(Version("nn.MultiheadAttention", "(3·out, in), (out, in)", masked))
    return all_of


def _two_classes(layer: MultiHeadAttention, dropout: float) -> Version:
    two = PostNormAttention(layer.H, layer.E, layer.D, layer.D, dropout).eval()
    for linear, W in ((two.to_q, layer.W_Q), (two.to_k, layer.W_K), (two.to_v, layer.W_V), (two.out, layer.W_O.weight)):
        linear.weight.copy_(W)

    def call(x: Tensor, keep: Tensor | None) -> Tensor:
        y: Tensor = two(x, x, x, None if keep is None else keep[None])[0]
        return y

    normal = lambda y, x: F.layer_norm(x + y, (layer.E,), eps=1e-6)  # noqa: E731
    return Version("two classes, post-norm", "4 × (out, in)", call, of=normal)


def _projected(
    layer: MultiHeadAttention, function: Callable[..., Tensor], dropout: float
) -> Callable[[Tensor, Tensor | None], Tensor]:
    """A function of q, k and v between the projections of the layer."""

    def call(x: Tensor, keep: Tensor | None) -> Tensor:
        q, k, v = (split_heads(flat, layer.H) for flat in layer.W_QKV(x).chunk(3, -1))
        y: Tensor = layer.W_O(merge_heads(function(q, k, v, attn_mask=keep, dropout_p=dropout)))
        return y

    return call
