"""CacheLab: what a step of generation keeps, and what nothing will read again."""

import functools
import math
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.cache import KVCache
from attn.core import attention, device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.layer import MultiHeadAttention
from attn.lessons import language, reader
from attn.shapes import ShapeError, check_groups, divisors, merge_heads, split_heads
from attn.steps import LayerSteps, attention_steps
from attn.trace.table import table

__all__ = ["CacheLab"]

LAYERS = 2


@functools.cache
def _recorded(on: torch.device) -> reader.Reader:
    return reader.recorded().to(on)


class CacheLab(Lab):
    """Words pass through two attention layers with caches: the prompt in one call, then one word per call.

    The words are those of a sentence of `attn.lessons.language`. At H = 3 and D = 4 both layers are the recorded one of
    `attn.lessons.reader`, which was trained alone and without a mask: `lab.trained` is True. With fewer key/value heads the first
    ones of it are shared. At other sizes all numbers are random.

    S: the number of words so far. P: how many of them are the prompt; S = P is prefill, and each word after it is one step of
    decoding. H, G, D: query heads, key/value heads (a divisor of H), width of a head. causal: whether later words are hidden.
    layer: the layer that is shown, 1 or 2. overwrite: "q", "k" or "v" to replace the numbers at position `at` by random ones, or
    "nothing". head: the head that is drawn.

    After any change, these are the results for the layer that is shown:

    - `lab.q` (H, S, D), `lab.k` and `lab.v` (G, S, D): queries as the calls computed them, keys and values as the cache keeps
      them, with what was overwritten.
    - `lab.weights` (H, S, S) and `lab.heads` (H, S, D): each row from the call that computed it.
    - `lab.moved` (S,): by how much each row of this layer would change if all were computed again with what was overwritten.
    - `lab.gap` (S,): by how much each row of the output differs from a full pass over all words, without the overwriting.
    - `lab.stale`, `lab.stale_q` and `lab.stale_weights` (S,): by how much the keys and values of a position, its query and its
      row of weights differ from those of the full pass, without the overwriting.
    - `lab.shared` (H,): by how much each head's newest row differs from that of layers with a key/value head for each query head,
      without the overwriting.
    - `lab.costs`: multiplications and bytes. `lab.trained`: whether the layers are the recorded one.

    A value outside LIMITS raises traitlets.TraitError; sizes that do not fit together raise ShapeError.
    """

    QUESTION = "Why are keys and values kept, and queries not?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("change a past query", {"S": 7, "overwrite": "q", "at": 2}),
        ("change a past key", {"S": 7, "overwrite": "k", "at": 2}),
        ("next word", {"S": 7, "overwrite": "nothing"}),
        ("share k and v", {"G": 1, "head": 1, "overwrite": "nothing"}),
    )
    PARTS = ("heads", "bytes")
    CONTROLS = ("S", "G", "overwrite", "at", "P", "H", "D", "causal", "layer", "costs")
    STATE = ("S", "P", "H", "G", "D", "causal", "layer", "overwrite", "at")
    VIEW = ("head",)
    CONSTANTS = ("_texts",)
    LIMITS: ClassVar[Limits] = {
        **{"S": (1, language.LONGEST), "P": (1, 6), "H": (1, 4), "G": (1, 4), "D": (1, 5)},
        **{"layer": (1, LAYERS), "at": (0, language.LONGEST - 1), "head": (0, 3)},
    }
    PAGE_LIMITS = LIMITS

    S = Size(4).tag(sync=True)
    P = Size(4).tag(sync=True)
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
        if "G" in changed:
            check_groups(H, G)
        if P > S and "P" not in changed:
            raise ShapeError(f"P = {P} words of prompt and S = {S} words so far: the prompt is part of them.")
        S = max(S, P)
        if state["at"] >= S and "at" in changed:
            raise ShapeError(f"at = {state['at']}: the last of S = {S} words is number {S - 1}.")
        return state | {"G": max(n for n in divisors(H) if n <= G), "S": S, "at": min(state["at"], S - 1)}

    @torch.no_grad()
    def compute(self) -> Mapping[str, Any]:
        x = self._inputs()
        layers = [self._make_layer(n + 1, self.G) for n in range(LAYERS)]
        original, y, cache = self._run_calls(layers, x)
        full = self._run_full_pass(layers, x)[self.layer - 1]
        used = dict(original)
        if self.overwrite != "nothing":
            used[self.overwrite] = self._overwritten(original[self.overwrite])
        before, after = (attention(each["q"], each["k"], each["v"], causal=self.causal) for each in (original, used))
        weights, heads = self._rows_of_calls(original)
        stale_weights = (weights - full.weights[0]).abs().amax((0, 2))
        separate, _, _ = self._run_calls([self._make_layer(n + 1, self.H) for n in range(LAYERS)], x)
        shared = (heads - self._rows_of_calls(separate)[1])[:, -1].abs().amax(-1)
        start = self._calls[-1][0]
        last = attention_steps(used["q"][:, :, start:], used["k"], used["v"], causal=self.causal)
        weights[:, start:], heads[:, start:] = last.weights[0], last.out[0]
        return {
            **{name: tensor[0] for name, tensor in used.items()},
            "weights": weights,
            "heads": heads,
            "moved": (merge_heads(after) - merge_heads(before))[0].abs().amax(-1),
            "gap": (y - full.y)[0].abs().amax(-1),
            "stale": torch.stack([original["k"] - full.k, original["v"] - full.v]).abs().amax((0, 1, 2, 4)),
            "stale_q": (original["q"] - full.q).abs().amax((0, 1, 3)),
            "stale_weights": stale_weights,
            "shared": shared,
            "costs": self._costs(layers[self.layer - 1], cache),
            "trained": self._is_trained,
        }

    @property
    def _is_trained(self) -> bool:
        return (self.H, self.H * self.D) == (reader.Reader.H, reader.Reader.E)

    def _inputs(self) -> Tensor:
        """x (1, S, E): vectors of words plus vectors of positions."""
        if self._is_trained:
            words = self._texts[0].split()[: self.S]
            return _recorded(device()).embed(torch.tensor([[language.NUMBER[word] for word in words]], device=device()))
        x = self._normal("word", range(self.S))  # the words of the sentence are all different
        return (x + self._normal("position", range(self.S)))[None] * math.sqrt(0.5)

    @property
    def _calls(self) -> list[tuple[int, int]]:
        """The first and the end of the positions of each call: the prompt, then one word at a time."""
        return [(0, self.P), *((n, n + 1) for n in range(self.P, self.S))]

    def _run_calls(self, layers: list[MultiHeadAttention], x: Tensor) -> tuple[dict[str, Tensor], Tensor, KVCache]:
        """All calls, with a cache in every layer: of the layer shown q, k and v (1, heads, S, D), y (1, S, E) and the cache."""
        caches = [KVCache(1, layer.G, self.S, self.D, device=device()) for layer in layers]
        outputs = [self._run_call(layers, caches, x[:, start:end])[self.layer - 1] for start, end in self._calls]
        cache = caches[self.layer - 1]
        tensors = {"q": torch.cat([q for q, _ in outputs], 2), "k": cache.k.clone(), "v": cache.v.clone()}
        return tensors, torch.cat([y for _, y in outputs], 1), cache

    def _run_call(self, layers: list[MultiHeadAttention], caches: list[KVCache], x: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Let the words x (1, L, E) arrive; for each layer, their queries (1, H, L, D) and its output (1, L, E)."""
        outputs = []
        for layer, cache in zip(layers, caches, strict=True):
            y = layer(x, causal=self.causal, cache=cache)
            outputs.append((split_heads(x @ layer.W_Q.T, self.H), y))
            x = x + y
        return outputs

    def _run_full_pass(self, layers: list[MultiHeadAttention], x: Tensor) -> list[LayerSteps]:
        """All words in one pass, without a cache."""
        passes = []
        for layer in layers:
            passes.append(layer.steps(x, causal=self.causal))
            x = x + passes[-1].y
        return passes

    def _rows_of_calls(self, tensors: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Weights (H, S, S) and heads (H, S, D), each row from the call that computed it; 0 for words that were not there."""
        weights = torch.zeros(self.H, self.S, self.S, device=device())
        heads = torch.empty(self.H, self.S, self.D, device=device())
        for start, end in self._calls:
            q, k, v = tensors["q"][:, :, start:end], tensors["k"][:, :, :end], tensors["v"][:, :, :end]
            steps = attention_steps(q, k, v, causal=self.causal)
            weights[:, start:end, :end], heads[:, start:end] = steps.weights[0], steps.out[0]
        return weights, heads

    def _make_layer(self, n: int, G: int) -> MultiHeadAttention:
        layer = MultiHeadAttention(self.H * self.D, self.H, G=G, bias=False, device=device())
        parameters = {"W_Q": layer.W_Q, "W_K": layer.W_K, "W_V": layer.W_V, "W_O": layer.W_O.weight}
        if self._is_trained:
            made = _recorded(device()).layer
            recorded = {"W_Q": made.W_Q, "W_K": made.W_K, "W_V": made.W_V, "W_O": made.W_O.weight}
            for name, weight in parameters.items():
                weight.copy_(recorded[name][: len(weight)])
            return layer
        for name, weight in parameters.items():
            weight.copy_(self._normal(f"{name}{n}", range(len(weight))) / math.sqrt(layer.E))
        return layer

    def _normal(self, name: str, rows: Iterable[int]) -> Tensor:
        return normal(0, name, rows, self.H * self.D).to(device())

    def _overwritten(self, tensor: Tensor) -> Tensor:
        """(1, heads, S, D) with random numbers at one position, in every head."""
        tensor = tensor.clone()
        tensor[0, :, self.at] = 2 * normal(0, f"{self.overwrite} noise", range(tensor.shape[1]), self.D).to(device())
        return tensor

    def _costs(self, layer: MultiHeadAttention, cache: KVCache) -> dict[str, Any]:
        """The counters of this layer; pairs are with the cache and without it.

        computed: words that the last call computes. step, text: multiplications of the last call and of all calls. read, kept:
        bytes that the last call reads from the cache, and bytes in the cache after it. queries: bytes that a cache of queries
        would take.
        """
        P, S = self.P, self.S
        ends = range(P, S + 1)
        new = {end: P if end == P else 1 for end in ends}
        bytes_per_position = (cache.k.nbytes + cache.v.nbytes) // len(cache)
        return {
            "computed": [new[S], S],
            "step": [self._multiplications(layer, new[S], S), self._multiplications(layer, S, S)],
            "text": [
                sum(self._multiplications(layer, new[end], end) for end in ends),
                sum(self._multiplications(layer, end, end) for end in ends),
            ],
            "read": 0 if S == P else bytes_per_position * (S - 1),
            "kept": bytes_per_position * S,
            "queries": bytes_per_position * S * self.H // (2 * self.G),
        }

    @staticmethod
    def _multiplications(layer: MultiHeadAttention, L: int, S: int) -> int:
        """The multiplications of a layer for L new words of S: projections, scores and weighted sum."""
        projections = layer.W_QKV.weight.numel() + layer.W_O.weight.numel()
        return L * projections + 2 * layer.H * L * S * layer.D

    def fallback(self) -> str:
        start = self._calls[-1][0]
        columns = ["word", "its query", "its key and value"]
        rows = [
            [f"{n}: {word}", *(["computed now"] * 2 if n >= start else ["not kept", "from the cache"])]
            for n, word in enumerate(self._texts[0].split()[: self.S])
        ]
        if self.overwrite != "nothing":
            columns.append(f"its row here would move, if computed again, by ({self.overwrite} of word {self.at} overwritten)")
            rows = [[*row, f"{float(moved):.2f}"] for row, moved in zip(rows, self.moved, strict=True)]
        cached, full = self.costs["step"]
        unread = ", and no step would read them" if self.causal else ""
        both = ", both the trained one" if self.trained else ""
        return (
            f"<p>Layer {self.layer} of two{both}, {self.S} words so far, of which {self.P} are the prompt:</p>"
            f"{table(columns, rows).html()}"
            f"<p>This step needs {cached:,} multiplications with the cache and {full:,} without; it reads {self.costs['read']:,} "
            f"bytes of the cache, which then holds {self.costs['kept']:,}. Queries would add {self.costs['queries']:,}{unread}.</p>"
        )

    @traitlets.default("_texts")
    def _default_texts(self) -> list[str]:
        return [language.EXAMPLES[0]]
