"""HeadsLab: what each head adds to y through its rows of W_O, and whose numbers a merge puts beside each other."""

import functools
from collections.abc import Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.layer import MultiHeadAttention
from attn.lessons import language, reader
from attn.shapes import ShapeError, divisors
from attn.trace.table import table

__all__ = ["HeadsLab"]

WIDTHS = (12, 16)
_SENTENCE = language.EXAMPLES[0].split()
_FOUND = _SENTENCE.index("found")
_SUM = {"part": "sum", "merge": "right", "project": True, "block": None}


@functools.lru_cache(maxsize=2)
def _recorded(on: torch.device) -> reader.Reader:
    return reader.recorded().to(on)


class HeadsLab(Lab):
    """A sentence passes through the heads of one layer; their outputs are merged and projected, and y is split into their parts.

    At E = 12, H = 3 and seed 0 the layer is the recorded one of `attn.lessons.reader`, whose heads answer who, what and when:
    `lab.trained` is True. At other sizes its numbers are random.

    E: width of a word's vector, 12 or 16. H: heads, a divisor of E. L: words. off: heads whose outputs are set to zero. project:
    whether W_O mixes the heads; without it y is the merged heads. merge: "right" exchanges the axes of heads and words before
    merging them, "wrong" merges without exchanging. seed: chooses random numbers. part: "sum" or "merge", what is drawn. pin: the
    number of y that is written out, (word, column). block: the head whose rows of W_O are drawn, or None. An index that is too
    large for the sizes stands for the last one.

    After any change, the results are tensors on `attn.device()`: `lab.heads` (H, L, D), `lab.concat` (L, E), `lab.W_O` (E, E) as
    y = concat @ W_O uses it, `lab.parts` (H, L, E), what each head adds to y through its rows of W_O, and `lab.y` (L, E), their
    sum; `lab.norms` and `lab.shares` (H, L): the length of each head's part, and its share of y; shares sum to 1. `lab.whole` is
    `parts` with all heads on. `lab.from_head` and `lab.from_word` (L, E) are the head and the word that each number of concat comes
    from. `lab.logits` (L, 20) are the answers that the recorded layer's reader takes from y, None for random numbers.
    `lab.parameters`, `lab.flops` and `lab.stored` (scores) are the costs.

    A value outside LIMITS raises traitlets.TraitError; an H that does not divide E, or a head in `off` that does not exist, raises
    ShapeError.
    """

    QUESTION = "What did each head add to y?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("add the heads up", _SUM | {"off": []}),
        ("without head 0", _SUM | {"off": [0]}),
        ("without head 1", _SUM | {"off": [1]}),
        ("W_O's rows for head 0", _SUM | {"off": [], "block": 0}),
    )
    PARTS = ("sum", "arrows", "answers", "merge")
    CONTROLS = ("off", "word", "H", "merge", "L", "E", "block", "project", "seed", "costs")
    STATE = ("E", "H", "L", "off", "project", "merge", "seed")
    VIEW = ("part", "pin", "block")
    CONSTANTS = ("_texts",)
    LIMITS: ClassVar[Limits] = {"H": (1, 16), "L": (1, language.LONGEST)}
    PAGE_LIMITS: ClassVar[Limits] = LIMITS

    E = traitlets.Enum(WIDTHS, 12).tag(sync=True)
    H = Size(3).tag(sync=True)
    L = Size(7).tag(sync=True)
    off: traitlets.List[int] = traitlets.List(traitlets.Int(min=0)).tag(sync=True)
    project = traitlets.Bool(True).tag(sync=True)
    merge = traitlets.Enum(("right", "wrong"), "right").tag(sync=True)
    seed = traitlets.Int(0, min=0, max=9999).tag(sync=True)
    part = traitlets.Enum(("sum", "merge"), "sum").tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), [_FOUND, 7], minlen=2, maxlen=2).tag(sync=True)
    block = traitlets.Int(None, min=0, allow_none=True).tag(sync=True)
    _texts: traitlets.List[str] = traitlets.List(default_value=[language.EXAMPLES[0]]).tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        E, H = state["E"], state["H"]
        if E % H:
            if "H" in changed:
                raise ShapeError(f"E = {E} is not a multiple of H = {H}. Heads have equal width, so H can be {divisors(E)}.")
            return self.normalize(state | {"H": max(n for n in divisors(E) if n <= H)}, changed | {"H"})
        if "H" in changed and "off" not in changed:
            return state | {"off": []}  # head 2 of 4 is not head 2 of 6
        if missing := [h for h in state["off"] if h >= H]:
            raise ShapeError(f"off = {state['off']}: there is no head {missing[0]}; H = {H} heads are numbered 0 to {H - 1}.")
        return state | {"off": sorted(set(state["off"]))}

    @property
    def words(self) -> list[str]:
        """The words of the sentence."""
        return _SENTENCE[: self.L]

    @torch.no_grad()
    def compute(self) -> Mapping[str, Any]:
        E, H, L = self.E, self.H, self.L
        trained = (E, H, self.seed) == (reader.Reader.E, reader.Reader.H, 0)
        layer, x = self._recorded() if trained else self._random()
        whole = layer.steps(x[None]).heads[0]
        heads = whole.clone()
        heads[self.off] = 0
        sources = self._merged(torch.arange(H * L, device=device()).view(H, L, 1).expand(H, L, E // H))
        W_O = layer.W_O.weight.T if self.project else torch.eye(E, device=device())

        def parts_of(heads: Tensor) -> Tensor:
            return self._merged(heads).view(L, H, E // H).transpose(0, 1) @ W_O.view(H, E // H, E)

        parts = parts_of(heads)
        y = parts.sum(0)
        length = y.square().sum(-1)
        shares = (parts * y).sum(-1) / torch.where(length > 0, length, 1)
        parameters = sum(parameter.numel() for parameter in layer.parameters()) - (not self.project) * E * E
        return {
            **{"trained": trained, "heads": heads, "concat": self._merged(heads)},
            **{"from_head": sources // L, "from_word": sources % L, "W_O": W_O, "whole": parts_of(whole), "parts": parts, "y": y},
            **{"norms": parts.norm(dim=-1), "shares": shares},
            "logits": _recorded(device()).answers(y) if trained else None,
            **{"parameters": parameters, "flops": 2 * L * parameters + 4 * L * L * E, "stored": H * L * L},
        }

    def _recorded(self) -> tuple[MultiHeadAttention, Tensor]:
        """The recorded layer, and x (L, E)."""
        made = _recorded(device())
        return made.layer, made.embed(torch.tensor([[language.NUMBER[word] for word in self.words]], device=device()))[0]

    def _random(self) -> tuple[MultiHeadAttention, Tensor]:
        """A layer of random numbers, and x (L, E)."""
        E = self.E
        layer = MultiHeadAttention(E, self.H, bias=False, device="meta").to_empty(device=device())
        for name, weight in (("W_Q", layer.W_Q), ("W_K", layer.W_K), ("W_V", layer.W_V), ("W_O", layer.W_O.weight)):
            weight.copy_(normal(self.seed, name, range(E), E) / E**0.5)
        return layer, normal(self.seed, "word", range(self.L), E).to(device())

    def _merged(self, heads: Tensor) -> Tensor:
        """(H, L, D) -> (L, E)"""
        return (heads.transpose(0, 1) if self.merge == "right" else heads).reshape(self.L, self.E)

    def fallback(self) -> str:
        i, e = min(self.pin[0], self.L - 1), min(self.pin[1], self.E - 1)
        word = f"y[{self.words[i]}]"
        columns = zip(self.parts[:, i].tolist(), self.norms[:, i].tolist(), self.shares[:, i].tolist(), strict=True)
        names = [f" ({asked})" if self.trained else "" for asked in (*reader.HEADS, *[""] * self.H)]
        rows = [
            [f"head {h}{names[h]}", f"{part[e]:+.3f}", f"{norm:.3f}", f"{share:+.1%}"]
            for h, (part, norm, share) in enumerate(columns)
        ]
        rows.append(["sum", f"{float(self.y[i, e]):+.3f}", "", f"{float(self.shares[:, i].sum()):+.1%}"])
        titles = ["", f"adds to {word}, column {e}", "length", f"share of {word}"]
        return (
            f"<p>What {self.H} heads of {self.E // self.H} numbers add to y{'' if self.project else ', without W_O'}:</p>"
            f"{table(titles, rows).html()}"
            f"<p>{self.parameters:,} parameters and {self.flops:,} FLOPs of the products, as with any other number of heads, and "
            f"{self.stored:,} stored scores.</p>"
        )
