"""A language model small enough to train on a page: embeddings, attention layers with residual connections, and little else."""

from collections.abc import Iterator, Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn.cache import KVCache
from attn.layer import MultiHeadAttention
from attn.shapes import ShapeError
from attn.steps import LayerSteps

__all__ = ["TinyTransformer"]


class TinyTransformer(nn.Module):
    """Predicts the next token of a sequence from those before it, with attention alone: there is no feed-forward network.

    Token and position vectors are added; each layer adds to them what its heads gather (pre-norm: Xiong et al. 2020, "On Layer
    Normalization in the Transformer Architecture"); a last norm and a matrix compute a logit for every word. All layers are causal.

    words: size of the vocabulary. S_max: number of position vectors. E, H, G: as in MultiHeadAttention. layers: number of layers.
    """

    def __init__(self, words: int, S_max: int, E: int, H: int, *, layers: int = 1, G: int | None = None) -> None:
        super().__init__()
        self.S_max = S_max
        self.tokens = nn.Embedding(words, E)
        self.positions = nn.Embedding(S_max, E)
        self.norms = nn.ModuleList(nn.LayerNorm(E) for _ in range(layers))
        self.layers = nn.ModuleList(MultiHeadAttention(E, H, G=G, bias=False) for _ in range(layers))
        self.last_norm = nn.LayerNorm(E)
        self.logits = nn.Linear(E, words, bias=False)
        for embedding in (self.tokens, self.positions):
            nn.init.normal_(embedding.weight, std=2 / E**0.5)

    def forward(self, ids: Int[Tensor, "B L"], caches: Sequence[KVCache] | None = None) -> Float[Tensor, "B L words"]:
        """A logit for every word at every position: what comes next?

        caches: one for each layer (see `caches`), with the keys and values of the tokens before these; those of `ids` are appended.
        Raises ShapeError if there are more positions than S_max.
        """
        x = self._embed(ids, 0 if caches is None else len(caches[0]))
        for n, (norm, layer) in enumerate(self._blocks()):
            x = x + layer(norm(x), causal=True, cache=None if caches is None else caches[n])
        return self.logits(self.last_norm(x))

    def steps(self, ids: Int[Tensor, "B L"]) -> list[LayerSteps]:
        """Every tensor inside each layer, from its (normalized) x to its y, for one pass."""
        x, records = self._embed(ids, 0), []
        for norm, layer in self._blocks():
            records.append(layer.steps(norm(x), causal=True))
            x = x + records[-1].y
        return records

    @torch.no_grad()
    def chances(self, ids: Int[Tensor, "B L"]) -> Float[Tensor, "B after"]:
        """The probability that is given to each token after the first, before the token comes."""
        return self(ids)[:, :-1].softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]

    @torch.no_grad()
    def guesses(self, ids: Int[Tensor, "B L"]) -> Int[Tensor, "B after"]:
        """The likeliest word at the place of each token after the first, before the token comes."""
        return self(ids)[:, :-1].argmax(-1)

    def caches(self, B: int) -> list[KVCache]:
        """An empty cache for each layer, with room for S_max positions of B samples."""
        weight = self.logits.weight
        return [
            KVCache(B, layer.G, self.S_max, layer.D, Dv=layer.Dv, dtype=weight.dtype, device=weight.device)
            for _, layer in self._blocks()
        ]

    @torch.no_grad()
    def generate(self, ids: Int[Tensor, "B L"], count: int, *, cached: bool = True) -> Int[Tensor, "B N"]:
        """The given ids and `count` more, each the most likely one after those before it.

        cached: compute each new token alone, with a cache of the keys and values before it; otherwise the whole sequence again.
        """
        caches = self.caches(len(ids)) if cached else None
        new = ids
        for _ in range(count):
            following = self(new if cached else ids, caches)[:, -1:].argmax(-1)
            ids, new = torch.cat([ids, following], 1), following
        return ids

    def loss(self, ids: Int[Tensor, "B L"], known: Tensor | None = None) -> Float[Tensor, ""]:
        """Cross-entropy, in nats, of each token after the first given those before it.

        known: (B, L) or (L,), True for the tokens that can be predicted from those before them; the others are not counted.
        """
        logits, targets = self(ids)[:, :-1], ids[:, 1:]
        if known is None:
            return F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        counted = known.expand_as(ids)[:, 1:]
        return F.cross_entropy(logits[counted], targets[counted])

    def _blocks(self) -> Iterator[tuple[nn.LayerNorm, MultiHeadAttention]]:
        yield from zip(self.norms, self.layers, strict=True)

    def _embed(self, ids: Tensor, start: int) -> Tensor:
        end = start + ids.shape[1]
        if end > self.S_max:
            raise ShapeError(f"{end} positions: this model has vectors for S_max = {self.S_max}. Make a larger one.")
        return self.tokens(ids) + self.positions.weight[start:end]
