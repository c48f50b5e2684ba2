"""What the attention layers of `transformers` consist of, read by their attributes: that library is not imported."""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from attn.positions import Rotary, rotary
from attn.shapes import ShapeError

__all__ = ["Parts", "parts_of"]


class Parts(NamedTuple):
    """What a layer consists of. Matrices are (out, in), W_QKV with the rows of q, k and v one below the other."""

    sizes: dict[str, int]
    W_QKV: Tensor
    b_QKV: Tensor | None
    W_O: Tensor
    b_O: Tensor | None
    dropout: float
    rotary: Rotary | None


def parts_of(layer: nn.Module, turn: Rotary | None = None) -> Parts:
    """The parts of a BertAttention, GPT2Attention or LlamaAttention. turn: its rotary positions, if they are not the usual ones.

    Raises TypeError for another layer, NotImplementedError for an option that changes what these compute.
    """
    read = _READERS.get(type(layer).__name__)
    if read is None:
        inner = next((name for name, part in layer.named_children() if type(part).__name__ in _READERS), "")
        hint = f" Its {inner} is one: give layer.{inner}." if inner else ""
        if type(layer).__name__ == "BertSelfAttention":
            hint = " It holds no W_O: give the BertAttention around it."
        raise TypeError(f"the layer is a {type(layer).__name__}; from_hf takes {', '.join(_READERS)}.{hint}")
    return read(layer, turn)


def _bert(layer: Any, turn: Rotary | None) -> Parts:
    """Three projections, and W_O in `output`. The residual and the LayerNorm of `output` are not attention."""
    inner, out = layer.self, layer.output.dense
    if getattr(inner, "position_embedding_type", "absolute") != "absolute":
        raise NotImplementedError(f"position_embedding_type {inner.position_embedding_type!r} adds terms to the scores.")
    H, D = inner.num_attention_heads, inner.attention_head_size
    weights, biases = _joined(inner.query, inner.key, inner.value)
    return Parts({"E": inner.query.in_features, "H": H, "D": D}, weights, biases, out.weight, out.bias, inner.dropout.p, turn)


def _gpt2(layer: Any, turn: Rotary | None) -> Parts:
    """Conv1D layers, which store (in, out): c_attn makes q, k and v, in cross-attention k and v, and q_attn makes q."""
    H, D = layer.num_heads, layer.head_dim
    packed = [layer.q_attn, layer.c_attn] if layer.is_cross_attention else [layer.c_attn]
    W = torch.cat([one.weight.T for one in packed])
    b = torch.cat([one.bias for one in packed])
    # Some models scale the scores by another factor than 1/√D: W_Q takes the rest of it.
    factor = torch.ones(len(W), 1, dtype=W.dtype, device=W.device)
    factor[: H * D] = layer.scaling * math.sqrt(D)
    sizes = {"E": layer.embed_dim, "H": H, "D": D}
    return Parts(sizes, W * factor, b * factor[:, 0], layer.c_proj.weight.T, layer.c_proj.bias, layer.attn_dropout.p, turn)


def _llama(layer: Any, turn: Rotary | None) -> Parts:
    """Four projections, grouped heads, and rotary positions, whose base the configuration has."""
    config = layer.config
    positions = dict(getattr(config, "rope_parameters", None) or {})
    kind, share = positions.get("rope_type", "default"), positions.get("partial_rotary_factor", 1.0)
    if not turn and (kind != "default" or share != 1.0):
        raise NotImplementedError(
            f"rope_type {kind!r} with partial_rotary_factor {share} turns q and k in another way than attn.rotary: say how, "
            "from_hf(layer, rotary=...)."
        )
    W, b = _joined(layer.q_proj, layer.k_proj, layer.v_proj)
    sizes = {"E": config.hidden_size, "H": config.num_attention_heads, "G": config.num_key_value_heads, "D": layer.head_dim}
    turn = turn or functools.partial(rotary, base=float(positions.get("rope_theta", 10000.0)))
    return Parts(sizes, W, b, layer.o_proj.weight, layer.o_proj.bias, layer.attention_dropout, turn)


def _joined(*linears: nn.Linear) -> tuple[Tensor, Tensor | None]:
    """The matrices one below the other, and their biases, if they have one."""
    biases: list[Tensor] = [linear.bias for linear in linears if linear.bias is not None]
    if biases and len(biases) < len(linears):
        raise ShapeError("some of the projections have a bias and some have none; all of them or none must have one.")
    return torch.cat([linear.weight for linear in linears]), torch.cat(biases) if biases else None


_READERS: dict[str, Callable[[Any, Rotary | None], Parts]] = {
    "BertAttention": _bert,
    "GPT2Attention": _gpt2,
    "LlamaAttention": _llama,
}
