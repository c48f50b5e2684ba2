"""Attention layers of `transformers` with random weights, beside ours with the same. The library is imported when they are made."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from attn.layer import MultiHeadAttention

__all__ = ["random_gpt2", "transformers_layers"]


@torch.no_grad()
def transformers_layers(x: Tensor, H: int) -> Iterator[tuple[str, str, Tensor, Tensor]]:
    """For BERT, GPT-2 and LLaMA: the name, how the weights are stored, what the layer makes of x (B, L, E), and what ours does.

    Raises ImportError if `transformers` is missing.
    """
    from transformers import BertConfig, LlamaConfig
    from transformers.models.bert.modeling_bert import BertAttention
    from transformers.models.llama.modeling_llama import LlamaAttention, LlamaRotaryEmbedding

    L, E = x.shape[1:]
    sizes: dict[str, Any] = {"hidden_size": E, "num_attention_heads": H}
    mask = torch.full((1, 1, L, L), torch.finfo(x.dtype).min).triu(1)
    bert, ours = _randomised(BertAttention(BertConfig(**sizes)))
    yield "Hugging Face: BERT", "4 × (out, in)", bert(x)[0], bert.output.LayerNorm(ours(x) + x)
    gpt2, ours = random_gpt2(E, H)
    yield "Hugging Face: GPT-2", "(in, 3·out), (in, out)", gpt2(x, attention_mask=mask)[0], ours(x, causal=True)
    config = LlamaConfig(**sizes, num_key_value_heads=1)
    llama, ours = _randomised(LlamaAttention(config, 0))
    positions = LlamaRotaryEmbedding(config)(x, torch.arange(L)[None])
    yield "Hugging Face: LLaMA, G = 1", "4 × (out, in)", llama(x, positions, mask)[0], ours(x, causal=True)


def random_gpt2(E: int, H: int) -> tuple[Any, MultiHeadAttention]:
    """A GPT2Attention with random weights, and ours with the same. Raises ImportError if `transformers` is missing."""
    from transformers import GPT2Config
    from transformers.models.gpt2.modeling_gpt2 import GPT2Attention

    return _randomised(GPT2Attention(GPT2Config(n_embd=E, n_head=H), layer_idx=0))


def _randomised(original: Any) -> tuple[Any, MultiHeadAttention]:
    """The layer with random weights, in eval mode, on PyTorch's fused call; and ours."""
    for W in original.eval().requires_grad_(False).parameters():
        nn.init.normal_(W, std=0.3)
    for part in original.modules():
        if hasattr(part, "config"):
            part.config._attn_implementation = "sdpa"
    return original, MultiHeadAttention.from_hf(original)
