"""CacheLab: one step of generation, with everything that it reads, computes and throws away."""

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.cache import KVCache
from attn.core import attention, device
from attn.labs.inputs import normal, texts, words
from attn.labs.lab import Lab, Limits, Size
from attn.layer import MultiHeadAttention
from attn.shapes import ShapeError, merge_heads, split_heads
from attn.steps import LayerSteps, attention_steps
from attn.trace.table import as_html

__all__ = ["CacheLab"]

LAYERS = 2


class CacheLab(Lab):
    """Words go through two attention layers with caches: a prompt at once, then one word at a time.

    S: words so far. P: how many of them are the prompt; S = P is prefill, each S after it one step of decoding. H, G, D: query
    heads, key/value heads (a divisor of H), width of a head. causal: whether words see no later ones. layer: 1 or 2, the one that
    is looked at. overwrite: "q", "k", "v" or "nothing", whose numbers at position `at` are replaced. head: the head that is drawn.

    After any change, of the layer that is looked at: `lab.q` (H, S, D), `lab.k`, `lab.v` (G, S, D), as the steps made and the
    cache kept them, with what was overwritten; `lab.weights` (H, S, S) and `lab.heads` (H, S, D), each row from the step that
    computed it; `lab.moved` (S,), by how much each row would move if all were computed with what was overwritten; `lab.gap` (S,),
    how far each row of the output, nothing overwritten, is from a full pass over all words; `lab.stale` and `lab.stale_q` (S,), how
    far the keys and values of a position, and its query, are from those of the full pass, and `lab.stale_weights` (S,) the same of
    its row of weights, nothing overwritten; `lab.costs`, multiplications and bytes.

    A value outside LIMITS raises traitlets.TraitError; sizes that cannot go together raise ShapeError.
    """

    STATE = ("S", "P", "H", "G", "D", "causal", "layer", "overwrite", "at")
    VIEW = ("head",)
    CONSTANTS = ("_texts",)
    LIMITS: ClassVar[Limits] = {
        **{"S": (1, 10), "P": (1, 6), "H": (1, 4), "G": (1, 4), "D": (1, 5)},
        **{"layer": (1, LAYERS), "at": (0, 9), "head": (0, 3)},
    }
    PAGE_LIMITS = LIMITS

    S = Size(7).tag(sync=True)
    P = Size(5).tag(sync=True)
    H = Size(4).tag(sync=True)
    G = Size(4).tag(sync=True)
    D = Size(3).tag(sync=True)
    causal = traitlets.Bool(True).tag(sync=True)
    layer = Size(1).tag(sync=True)
    overwrite = traitlets.Enum(("nothing", "q", "k", "v"), "nothing").tag(sync=True)
    at = Size(2).tag(sync=True)
    head = Size(0).tag(sync=True)
    _texts: traitlets.List[str] = traitlets.List().tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        H, G, S, P = (state[name] for name in ("H", "G", "S", "P"))
        divisors = [n for n in range(1, H + 1) if H % n == 0]
        if H % G and "G" in changed:
            raise ShapeError(
                f"H = {H} is not a multiple of G = {G}: every key/value head must serve as many query heads. G can be {divisors}."
            )
        if P > S and "P" not in changed:
            raise ShapeError(f"P = {P} words of prompt and S = {S} words so far: the prompt is part of them.")
        S = max(S, P)
        if state["at"] >= S and "at" in changed:
            raise ShapeError(f"at = {state['at']}: of S = {S} words the last is number {S - 1}.")
        return state | {"G": max(n for n in divisors if n <= G), "S": S, "at": min(state["at"], S - 1)}

    @torch.no_grad()
    def compute(self) -> Mapping[str, Any]:
        layers = [self._layer(n + 1) for n in range(LAYERS)]
        x = self._drawn("word", [words()[word] for word in texts()[0][: self.S]])
        x = (x + self._drawn("position", range(self.S)))[None] * math.sqrt(0.5)
        caches = [KVCache(1, self.G, self.S, self.D, device=device()) for _ in layers]
        calls = [self._call(layers, caches, x, start, end) for start, end in self._chunks]
        layer, cache = layers[self.layer - 1], caches[self.layer - 1]
        full = self._full(layers, x)[self.layer - 1]

        q = torch.cat([call[self.layer - 1]["q"] for call in calls], 2)
        clean = {"q": q, "k": cache.k.clone(), "v": cache.v.clone()}
        given = dict(clean)
        if self.overwrite != "nothing":
            given[self.overwrite] = self._overwritten(clean[self.overwrite])
        before, after = (attention(each["q"], each["k"], each["v"], causal=self.causal) for each in (clean, given))
        start = self._chunks[-1][0]
        weights = torch.zeros(self.H, self.S, self.S, device=device())
        heads = torch.empty(self.H, self.S, self.D, device=device())
        for first, last in self._chunks:
            seen = (clean["q"][:, :, first:last], clean["k"][:, :, :last], clean["v"][:, :, :last])
            steps = attention_steps(*seen, causal=self.causal)
            weights[:, first:last, :last], heads[:, first:last] = steps.weights[0], steps.out[0]
        stale_weights = (weights - full.weights[0]).abs().amax((0, 2))
        steps = attention_steps(given["q"][:, :, start:], given["k"], given["v"], causal=self.causal)
        weights[:, start:], heads[:, start:] = steps.weights[0], steps.out[0]
        y = torch.cat([call[self.layer - 1]["y"] for call in calls], 1)
        return {
            **{name: tensor[0] for name, tensor in given.items()},
            "weights": weights,
            "heads": heads,
            "moved": (merge_heads(after) - merge_heads(before))[0].abs().amax(-1),
            "gap": (y - full.y)[0].abs().amax(-1),
            "stale": torch.stack([clean["k"] - full.k, clean["v"] - full.v]).abs().amax((0, 1, 2, 4)),
            "stale_q": (clean["q"] - full.q).abs().amax((0, 1, 3)),
            "stale_weights": stale_weights,
            "costs": self._costs(layer, cache),
        }

    @property
    def _chunks(self) -> list[tuple[int, int]]:
        """From where to where the words of each call reach: the prompt, then one word at a time."""
        return [(0, self.P), *((n, n + 1) for n in range(self.P, self.S))]

    def _call(
        self, layers: list[MultiHeadAttention], caches: list[KVCache], x: Tensor, start: int, end: int
    ) -> list[dict[str, Tensor]]:
        """Let some words arrive: for each layer their queries, and what it gives for them."""
        made, new = [], x[:, start:end]
        for layer, cache in zip(layers, caches, strict=True):
            y = layer(new, causal=self.causal, cache=cache)
            made.append({"q": split_heads(new @ layer.W_Q.T, self.H), "y": y})
            new = new + y
        return made

    def _full(self, layers: list[MultiHeadAttention], x: Tensor) -> list[LayerSteps]:
        """All words in one pass, without a cache."""
        made = []
        for layer in layers:
            made.append(layer.steps(x, causal=self.causal))
            x = x + made[-1].y
        return made

    def _layer(self, n: int) -> MultiHeadAttention:
        layer = MultiHeadAttention(self.H * self.D, self.H, G=self.G, bias=False, device=device())
        own = {"W_Q": layer.W_Q, "W_K": layer.W_K, "W_V": layer.W_V, "W_O": layer.W_O.weight}
        for name, weight in own.items():
            weight.copy_(self._drawn(f"{name}{n}", range(len(weight))) / math.sqrt(layer.E))
        return layer

    def _drawn(self, name: str, rows: Any) -> Tensor:
        return normal(0, name, rows, self.H * self.D).to(device())

    def _overwritten(self, tensor: Tensor) -> Tensor:
        """(1, heads, S, D) with other numbers at one position, in every head."""
        tensor = tensor.clone()
        tensor[0, :, self.at] = 2 * normal(0, "noise", range(tensor.shape[1]), self.D).to(device())
        return tensor

    def _costs(self, layer: MultiHeadAttention, cache: KVCache) -> dict[str, Any]:
        """With the cache and without it, of this layer: words computed, multiplications of the step and of the text; bytes."""
        P, S = self.P, self.S
        ends = range(P, S + 1)
        new = {end: P if end == P else 1 for end in ends}
        position = (cache.k.nbytes + cache.v.nbytes) // len(cache)
        return {
            "computed": [new[S], S],
            "step": [self._multiplications(layer, new[S], S), self._multiplications(layer, S, S)],
            "text": [
                sum(self._multiplications(layer, new[end], end) for end in ends),
                sum(self._multiplications(layer, end, end) for end in ends),
            ],
            "read": 0 if S == P else position * (S - 1),
            "kept": position * S,
            "queries": position * S * self.H // (2 * self.G),
        }

    @staticmethod
    def _multiplications(layer: MultiHeadAttention, L: int, S: int) -> int:
        """Of a layer for L new words of S: projections, scores and weighted sum."""
        projections = layer.W_QKV.weight.numel() + layer.W_O.weight.numel()
        return L * projections + 2 * layer.H * L * S * layer.D

    def fallback(self) -> str:
        written = texts()[0][: self.S]
        start = self._chunks[-1][0]
        head = ["word", "its query", "its key and value"]
        rows = [
            [f"{n}: {word}", *(["computed now"] * 2 if n >= start else ["not kept", "from the cache"])]
            for n, word in enumerate(written)
        ]
        if self.overwrite != "nothing":
            head.append(f"its row would move, if computed again, by ({self.overwrite} of word {self.at} overwritten)")
            rows = [[*row, f"{float(moved):.2f}"] for row, moved in zip(rows, self.moved, strict=True)]
        cached, full = self.costs["step"]
        unread = ", and no step would read them" if self.causal else ""
        return (
            f"<p>Layer {self.layer} of two, {self.S} words so far, of which {self.P} are the prompt:</p>{as_html(head, rows)}"
            f"<p>This step needs {cached:,} multiplications with the cache and {full:,} without; it reads {self.costs['read']:,} "
            f"bytes of the cache and leaves {self.costs['kept']:,}. Queries would add {self.costs['queries']:,}{unread}.</p>"
        )

    @traitlets.default("_texts")
    def _default_texts(self) -> list[str]:
        return [" ".join(texts()[0][: self.LIMITS["S"][1]])]
