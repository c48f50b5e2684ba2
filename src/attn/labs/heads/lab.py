"""HeadsLab: E numbers per word, cut into H heads, merged again, and mixed by W_O; what each head adds to y."""

from collections.abc import Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal, texts, words
from attn.labs.lab import Lab, Limits, Size
from attn.layer import MultiHeadAttention
from attn.shapes import ShapeError, divisors
from attn.trace.table import table

__all__ = ["HeadsLab"]

WIDTHS = (12, 16)


class HeadsLab(Lab):
    """A sentence passes through the heads of one layer; their outputs are merged and projected, and y is split into their parts.

    E: width of a word's vector, 12 or 16. H: heads, a divisor of E; another H cuts the same parameters into other heads. L: words.
    off: heads whose outputs are set to zero. project: whether W_O mixes the heads; without it y is the merged heads. merge: "right"
    exchanges the axes of heads and words before merging them, "wrong" merges without exchanging. pin: the number of y that is
    written out, (word, column). seed: chooses all parameters and word vectors.

    After any change, the results are tensors on `attn.device()`: `lab.heads` (H, L, D), `lab.concat` (L, E), `lab.W_O` (E, E) as
    y = concat @ W_O uses it, `lab.parts` (H, L, E), what each head adds to y through its rows of W_O, and `lab.y` (L, E), their
    sum; `lab.norms` and `lab.shares` (H, L): the length of each head's part, and its share of y; shares sum to 1. `lab.from_head`
    and `lab.from_word` (L, E) are the head and the word that each number of concat comes from. `lab.parameters`, `lab.flops` and
    `lab.stored` (scores) are the costs.

    A value outside LIMITS raises traitlets.TraitError; an H that does not divide E, or a head in `off` that does not exist, raises
    ShapeError.
    """

    STATE = ("E", "H", "L", "off", "project", "merge", "seed")
    VIEW = ("pin",)
    CONSTANTS = ("_texts",)
    LIMITS: ClassVar[Limits] = {"H": (1, 16), "L": (1, 6)}
    PAGE_LIMITS: ClassVar[Limits] = LIMITS

    E = traitlets.Enum(WIDTHS, 12).tag(sync=True)
    H = Size(4).tag(sync=True)
    L = Size(5).tag(sync=True)
    off: traitlets.List[int] = traitlets.List(traitlets.Int(min=0)).tag(sync=True)
    project = traitlets.Bool(True).tag(sync=True)
    merge = traitlets.Enum(("right", "wrong"), "right").tag(sync=True)
    seed = traitlets.Int(0, min=0, max=9999).tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), [2, 7], minlen=2, maxlen=2).tag(sync=True)
    _texts: traitlets.List[str] = traitlets.List().tag(sync=True)

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

    @torch.no_grad()
    def compute(self) -> Mapping[str, Any]:
        E, H, L = self.E, self.H, self.L
        layer = MultiHeadAttention(E, H, bias=False, device="meta").to_empty(device=device())
        for name, weight in (("W_Q", layer.W_Q), ("W_K", layer.W_K), ("W_V", layer.W_V), ("W_O", layer.W_O.weight)):
            weight.copy_(normal(self.seed, name, range(E), E) / E**0.5)
        if not self.project:
            layer.W_O.weight.copy_(torch.eye(E))
        x = normal(self.seed, "word", [words()[word] for word in texts()[0][:L]], E).to(device())
        heads = layer.steps(x[None]).heads[0].clone()
        heads[self.off] = 0
        concat = self._merged(heads)
        sources = torch.arange(H * L, device=device()).view(H, L, 1).expand(H, L, E // H)
        sources = self._merged(sources)
        parts = concat.view(L, H, E // H).transpose(0, 1) @ layer.W_O_heads
        y = parts.sum(0)
        length = y.square().sum(-1)
        shares = (parts * y).sum(-1) / torch.where(length > 0, length, 1)
        trained = sum(parameter.numel() for parameter in layer.parameters()) - (not self.project) * E * E
        return {
            **{"heads": heads, "concat": concat, "from_head": sources // L, "from_word": sources % L},
            **{"W_O": layer.W_O.weight.T, "parts": parts, "y": y, "norms": parts.norm(dim=-1), "shares": shares},
            **{"parameters": trained, "flops": 2 * L * trained + 4 * L * L * E, "stored": H * L * L},
        }

    def _merged(self, heads: Tensor) -> Tensor:
        """(H, L, D) -> (L, E)"""
        return (heads.transpose(0, 1) if self.merge == "right" else heads).reshape(self.L, self.E)

    def fallback(self) -> str:
        i, e = min(self.pin[0], self.L - 1), min(self.pin[1], self.E - 1)
        word = f"y[{texts()[0][i]}]"
        rows = [
            [f"head {h}", f"{part[e]:+.3f}", f"{norm:.3f}", f"{share:+.1%}"]
            for h, (part, norm, share) in enumerate(
                zip(self.parts[:, i].tolist(), self.norms[:, i].tolist(), self.shares[:, i].tolist(), strict=True)
            )
        ]
        rows.append(["sum", f"{float(self.y[i, e]):+.3f}", "", f"{float(self.shares[:, i].sum()):+.1%}"])
        columns = ["", f"adds to {word}, column {e}", "length", f"share of {word}"]
        return (
            f"<p>What {self.H} heads of {self.E // self.H} numbers add to y{'' if self.project else ', without W_O'}:</p>"
            f"{table(columns, rows).html()}"
            f"<p>{self.parameters:,} parameters and {self.flops:,} FLOPs of the products, as with any other number of heads, and "
            f"{self.stored:,} stored scores.</p>"
        )

    @traitlets.default("_texts")
    def _default_texts(self) -> list[str]:
        return [" ".join(texts()[0][: self.LIMITS["L"][1]])]
