"""ShapeLab: every tensor of multi-head attention, from x to y, for sizes that the reader moves."""

import functools
import math
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits, Size
from attn.lessons import language, reader
from attn.shapes import check_groups, divisors, split_heads
from attn.steps import LayerSteps, layer_steps

__all__ = ["ShapeLab"]

TENSORS = [*LayerSteps.annotated_axes(), "kT"]  # kT is k, its rows and columns exchanged
MOST_SENT = 30_000  # numbers: the map shows those of all tensors, or for larger layers of the chosen one alone


@functools.lru_cache(maxsize=64)
def _random(seed: int, name: str, rows: int, columns: int) -> Tensor:
    return normal(seed, name, range(rows), columns)


def _numbers(seed: int, name: str, rows: int, columns: int) -> Tensor:
    """Random numbers (rows, columns), cut from a larger tensor that is drawn once: drawing takes longer than multiplying."""
    step = 64
    return _random(seed, name, step * math.ceil(rows / step), step * math.ceil(columns / step))[:rows, :columns]


@functools.lru_cache(maxsize=8)  # the four of the present sizes and of those before; moving B or L needs no others
def _weight(seed: int, name: str, rows: int, E: int, on: torch.device) -> Tensor:
    """A projection as nn.Linear stores it, (rows, E), scaled so that its output varies as much as its input."""
    return _numbers(seed, name, rows, E).mul(1 / math.sqrt(E)).to(on)


@functools.cache
def _texts() -> list[list[str]]:
    """The words of a text for each sentence of the batch: its example, and further sentences for a larger L."""
    examples = language.EXAMPLES
    most = ShapeLab.LIMITS["B"][1]
    return [" ".join(examples[b:] + examples[:b]).split() for b in range(most)]


@functools.lru_cache(maxsize=2)
def _recorded(on: torch.device) -> reader.Reader:
    return reader.recorded().to(on)


class ShapeLab(Lab):
    """Sentences go through multi-head attention; every tensor on the way can be looked at, cell by cell.

    The sentences are those of `attn.lessons.language`. At H = 3, D = 4, L and S up to 7, with as many key/value heads as heads and
    seed 0, the layer is the recorded one of `attn.lessons.reader`, whose heads answer who, what and when: `lab.trained` is True.
    At other sizes its numbers are random.

    B, H, L, D: sentences, heads, words per sentence, width of a head. S: the number of words of another sentence that are
    attended to (cross-attention), or None for self-attention. G: key/value heads, a divisor of H, or None for as many as query
    heads. scale: divide the scores by √D. causal: hide later words. step: the tensor that is drawn large; "kT" is k, its rows and
    columns exchanged. pin: the cell that is explained, [sentence, head, row, column] of the tensor `pinned`, or of `step` if that
    is None. colour: of the cells, by "value", or by "origin": the head, or the word. seed: determines all random weights and word
    vectors.
    sentence: the reader's own, of up to 7 words of the language, instead of sentence 0; its length sets L. "" for the lab's own.

    After any change `lab.steps` is the whole computation (a `LayerSteps`), and each of its tensors an attribute: `lab.scores`
    (B, H, L, S), `lab.weights`, `lab.y`, ..., on `attn.device()`.

    A size outside LIMITS raises traitlets.TraitError, sizes that do not fit together ShapeError, and a sentence with other words or
    more than 7 ValueError. The lab shows the same message and stays as it was.
    """

    STATE = ("B", "H", "L", "S", "D", "G", "scale", "causal", "seed", "sentence")
    VIEW = ("step", "pin", "pinned", "colour")
    CONSTANTS = ("_texts",)
    EXACT = ("step", "pin", "pinned", "_pointed")
    QUESTION = "Which axes come and go from x to y?"
    CHIPS = (
        ("play x to y", {"step": "y"}),
        ("one wide head", {"H": 1, "L": 7, "D": 12, "step": "scores"}),
        ("six narrow heads", {"H": 6, "L": 7, "D": 2, "step": "scores"}),
        ("twice the words", {"H": 3, "L": 14, "D": 4, "step": "scores"}),
    )
    PARTS = ("map", "tensor", "cell", "time")
    CONTROLS = ("H", "L", "D", "sentence", "B", "tensor", "cross", "S", "share", "G", "scale", "causal", "colour", "seed")
    PRECISION = torch.float16  # of the heatmap: it has 256 colours
    LIMITS: ClassVar[Limits] = {"B": (1, 4), "H": (1, 8), "L": (1, 64), "D": (1, 64), "S": (1, 64), "G": (1, 8)}
    PAGE_LIMITS: ClassVar[Limits] = {"B": (1, 4), "H": (1, 8), "L": (1, 24), "D": (1, 16), "S": (1, 24), "G": (1, 8)}

    B = Size(2).tag(sync=True)
    H = Size(3).tag(sync=True)
    L = Size(7).tag(sync=True)
    D = Size(4).tag(sync=True)
    S = Size(None, allow_none=True).tag(sync=True)
    G = Size(None, allow_none=True).tag(sync=True)
    scale = traitlets.Bool(True).tag(sync=True)
    causal = traitlets.Bool(False).tag(sync=True)
    seed = traitlets.Int(0, min=0, max=9999).tag(sync=True)
    sentence = traitlets.Unicode("").tag(sync=True)
    step = traitlets.Enum(TENSORS, "scores").tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), None, minlen=4, maxlen=4, allow_none=True).tag(sync=True)
    pinned = traitlets.Enum(TENSORS, None, allow_none=True).tag(sync=True)
    colour = traitlets.Enum(["value", "origin"], "value").tag(sync=True)
    _pointed = traitlets.List(traitlets.Int(min=0), None, minlen=4, maxlen=4, allow_none=True).tag(sync=True)
    _texts: traitlets.List[str] = traitlets.List().tag(sync=True)

    def __init__(self, **settings: Any) -> None:
        if "L" not in settings and (own := language.read(settings.get("sentence", ""))):
            settings["L"] = len(own)
        super().__init__(**settings)

    @property
    def E(self) -> int:
        """The width of a word's vector, H·D. Setting it sets D = E / H, or raises ShapeError if H does not divide it."""
        return self.H * self.D

    @E.setter
    def E(self, width: int) -> None:
        with self.showing_errors():
            self.D = split_heads(torch.empty(1, 1, width), self.H).shape[-1]

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        own = language.read(state["sentence"])
        if "sentence" in changed and "L" not in changed:
            state = state | {"L": len(own) or language.LONGEST}
        H, G = state["H"], state["G"]
        if G is None or H % G == 0:
            return state
        if "G" in changed:
            check_groups(H, G)
        return state | {"G": max(n for n in divisors(H) if n <= G)}

    @torch.no_grad()
    def compute(self) -> Mapping[str, Any]:
        H, G, D, E = self.H, self.G or self.H, self.D, self.E
        longest = max(self.L, self.S or 0)
        trained = (H, D, G, self.seed) == (
            reader.Reader.H,
            reader.Reader.E // reader.Reader.H,
            H,
            0,
        ) and longest <= language.LONGEST
        if trained:
            layer = _recorded(device()).layer
            weights = [layer.W_Q, layer.W_K, layer.W_V, layer.W_O.weight]
        else:
            rows = {"W_Q": H * D, "W_K": G * D, "W_V": G * D, "W_O": E}
            weights = [_weight(self.seed, name, count, E, device()) for name, count in rows.items()]
        x = self._vectors("L", trained)
        context = None if self.S is None else self._vectors("S", trained)
        steps = layer_steps(x, context, weights, H=H, G=G, causal=self.causal, scale=None if self.scale else 1.0)
        return {"steps": steps, "context": None, **dict(steps.items()), "trained": trained}

    def words(self, axis: str) -> list[list[str]]:
        """The words of each sentence: those of the queries (axis "L") or of the keys ("S"; with S set, of the next text)."""
        texts = [language.read(self.sentence) + _texts()[0], *_texts()[1:]]
        shift, length = (0, self.L) if axis == "L" or self.S is None else (1, self.S)
        return [texts[(b + shift) % len(texts)][:length] for b in range(self.B)]

    def _vectors(self, axis: str, trained: bool) -> Tensor:
        """The vectors of the words of B sentences, (B, L or S, E)."""
        ids = torch.tensor([[language.NUMBER[word] for word in words] for words in self.words(axis)])
        if trained:
            return _recorded(device()).embed(ids.to(device()))
        return _numbers(self.seed, "word", len(language.WORDS), self.E)[ids].to(device())

    @property
    def _drawn(self) -> str:
        """The tensor that is drawn large: step, but there is no context in self-attention."""
        return self.step if self.step == "kT" or self._results[self.step] is not None else "scores"

    def _tensor(self, name: str) -> Tensor:
        tensor: Tensor = self.k.mT if name == "kT" else self._results[name]
        return tensor

    def send(self, results: Mapping[str, Any]) -> Iterable[str]:
        steps = {name: tensor for name, tensor in results["steps"].items() if tensor is not None}
        if sum(tensor.numel() for tensor in steps.values()) <= MOST_SENT:
            return [*steps, "trained"]
        return ["k" if self._drawn == "kT" else self._drawn, "trained"]

    def exact(self) -> Mapping[str, Any]:
        """The numbers that explain the cell under the pointer, or else the pinned one: those of `numbersAt` in cell.js."""
        drawn = self._tensor(self._drawn)
        most = float(drawn.masked_fill(drawn.isinf(), 0).abs().max()) or 1.0
        found = {"step": self._drawn, "most": most}
        place: list[int] | None = self._pointed or self.pin
        if place is None:
            return found
        name = self._drawn if self._pointed else self.pinned or self._drawn
        if name == "context" and self.context is None:
            name = "x"
        tensor = self._tensor(name)
        tensor = tensor if tensor.ndim == 4 else tensor[:, None]
        place = [min(at, size - 1) for at, size in zip(place, tensor.shape, strict=True)]
        b, h, i, j = place
        found |= {"of": name, "place": place}
        if name not in ("scores", "scaled", "masked", "weights"):
            return found | {"value": float(tensor[b, h, i, j])}
        group = h * self.k.shape[1] // self.H
        return found | {
            "query": self.q[b, h, i].tolist(),
            "key": self.k[b, group, j].tolist(),
            "weight": float(self.weights[b, h, i, j]),
        }

    def fallback(self) -> str:
        words, keys = self.words("L")[0], self.words("S")[0]
        head, row, meaning = 0, self.L - 1, ""
        if self.trained and self.context is None and (asked := language.parse(words)):
            # A word that asks, and the head that answers: other rows mean nothing.
            head, row, meaning = (
                reader.HEADS.index(asked[0].question),
                asked[0].asker,
                f" This head answers “{asked[0].question}?”.",
            )
        weights = self.weights[0, head, row]
        most = int(weights.argmax())
        return (
            f"{self.steps._repr_html_()}<p>In head {head} of sentence 0 the word “{words[row]}” attends most to “{keys[most]}”: "
            f"of its weights, which add up to 1, that word has {float(weights[most]):.2f}.{meaning}</p>"
        )

    @traitlets.default("_texts")
    def _default_texts(self) -> list[str]:
        return [" ".join(text) for text in _texts()]
