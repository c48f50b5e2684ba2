"""A plain decoder of any published size: what `attn.lessons.costs` computes can be counted on it.

On the meta device its tensors have shapes and no numbers, so that 70 billion parameters take no memory:

    with torch.device("meta"):
        model = Decoder(MODELS["Llama 2 70B"])
    sum(parameter.numel() for parameter in model.parameters())
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn.layer import MultiHeadAttention
from attn.lessons.costs import Sizes
from attn.positions import rotary

__all__ = ["Decoder"]


class Decoder(nn.Module):
    """Token vectors, blocks of attention and MLP (pre-norm, causal), a last norm, and a logit for every word.

    With `places` it is built like GPT-2 (Radford et al. 2019), without them like LLaMA (Touvron et al. 2023): see Sizes.
    """

    def __init__(self, of: Sizes) -> None:
        super().__init__()
        self.tokens = nn.Embedding(of.words, of.E)
        self.places = nn.Embedding(of.places, of.E) if of.places else None
        self.blocks = nn.ModuleList(_Block(of) for _ in range(of.layers))
        self.last_norm = _norm(of)
        self.output = nn.Linear(of.E, of.words, bias=False)
        if of.places:
            self.output.weight = self.tokens.weight

    def forward(self, ids: Int[Tensor, "B L"]) -> Float[Tensor, "B L words"]:
        """A logit for every word at every position."""
        x = self.tokens(ids)
        if self.places is not None:
            x = x + self.places(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = block(x)
        return self.output(self.last_norm(x))


class _Block(nn.Module):
    def __init__(self, of: Sizes) -> None:
        super().__init__()
        bias = of.places > 0
        turn = None if of.places else rotary
        self.attention_norm, self.mlp_norm = _norm(of), _norm(of)
        self.attention = MultiHeadAttention(of.E, of.H, G=of.G, D=of.D, bias=bias, rotary=turn)
        self.gate = None if bias else nn.Linear(of.E, of.F, bias=False)
        self.up = nn.Linear(of.E, of.F, bias=bias)
        self.down = nn.Linear(of.F, of.E, bias=bias)

    def forward(self, x: Float[Tensor, "B L E"]) -> Float[Tensor, "B L E"]:
        x = x + self.attention(self.attention_norm(x), causal=True)
        h = self.mlp_norm(x)
        inner = F.gelu(self.up(h)) if self.gate is None else F.silu(self.gate(h)) * self.up(h)
        return x + self.down(inner)


def _norm(of: Sizes) -> nn.Module:
    return nn.LayerNorm(of.E) if of.places else nn.RMSNorm(of.E)
