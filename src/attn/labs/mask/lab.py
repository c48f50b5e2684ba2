"""MaskLab: who may look where in a batch of three sentences, and the weights of a real layer under that mask."""

import math
from collections.abc import Mapping
from html import escape
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits, Size
from attn.lessons.text import PADDING, SENTENCES, read
from attn.masks import causal, padding, window
from attn.shapes import split_heads
from attn.trace.table import table

__all__ = ["MaskLab"]

D = 4
SHAPES = ("L, S", "B, 1, 1, S", "B, 1, L, S", "B, L, S")
FILLS = ("zero", "-inf", "-1e9", "finfo.min", "-1e4")


class MaskLab(Lab):
    """A batch of 3 sentences, padded to S = 6 words, under a mask that the reader makes; heads are 4 wide.

    L: the number of queries, the newest words (6: all of them; fewer: the keys of the others come from a cache). H: heads. causal,
    window, padding: the rules; window is its width, or None. pads: where the padding is, "behind" the words or "in front". corner:
    "bottom right" gives each query its own position, "top left" wrongly takes query i for position i. painted: exceptions to the
    rules, each [sentence, position of the query, key, 1 may look or 0 may not].
    stored: the axes of the mask as it is passed, such as "B, 1, L, S". fill: what is added to forbidden scores: "-inf", "-1e9",
    "finfo.min", "-1e4", or "zero" for −∞ and then zeros where a query may see nothing, as `attn` does. dtype: "float32" or
    "float16". sentence, head: what is drawn. pin: the cell that is explained, [position of the query, key], or None. detail: the
    panel below, "spellings", "broadcast" or "empty rows".

    After any change, `lab.keep` is the intended mask, (B, L, S); `lab.mask` the mask as it is passed; `lab.expanded` what
    broadcasting makes of it, (B, H, L, S); `lab.weights` the weights under it, and `lab.weights_by_fill` those for each of FILLS.
    Where the shapes cannot be broadcast, these three are None and `lab.error` is PyTorch's message.

    A value outside LIMITS raises traitlets.TraitError; an exception outside the batch raises ValueError.
    """

    STATE = ("L", "H", "causal", "window", "padding", "pads", "corner", "painted", "stored", "fill", "dtype")
    VIEW = ("sentence", "head", "pin", "detail")
    CONSTANTS = ("_texts",)
    LIMITS: ClassVar[Limits] = {"L": (1, 6), "H": (2, 4), "window": (1, 6), "sentence": (0, 2), "head": (0, 3)}
    PAGE_LIMITS = LIMITS

    L = Size(6).tag(sync=True)
    H = Size(2).tag(sync=True)
    causal = traitlets.Bool(True).tag(sync=True)
    window = Size(None, allow_none=True).tag(sync=True)
    padding = traitlets.Bool(True).tag(sync=True)
    pads = traitlets.Enum(("behind", "in front"), "behind").tag(sync=True)
    corner = traitlets.Enum(("bottom right", "top left"), "bottom right").tag(sync=True)
    painted = traitlets.List(traitlets.List(traitlets.Int(min=0), minlen=4, maxlen=4)).tag(sync=True)
    stored = traitlets.Enum(SHAPES, "B, 1, L, S").tag(sync=True)
    fill = traitlets.Enum(FILLS, "zero").tag(sync=True)
    dtype = traitlets.Enum(("float32", "float16"), "float32").tag(sync=True)
    sentence = Size(1).tag(sync=True)
    head = Size(0).tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0, max=5), [3, 4], minlen=2, maxlen=2, allow_none=True).tag(sync=True)
    detail = traitlets.Enum(("spellings", "broadcast", "empty rows"), "spellings").tag(sync=True)
    _texts: traitlets.List[str] = traitlets.List().tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        B, S = len(SENTENCES), self._S
        for n, (b, query, key, may) in enumerate(state["painted"]):
            if b >= B or query >= S or key >= S or may > 1:
                raise ValueError(
                    f"painted[{n}] = {[b, query, key, may]}: an exception is [sentence 0 to {B - 1}, query 0 to {S - 1}, "
                    f"key 0 to {S - 1}, 1 may look or 0 may not]."
                )
        return state

    @torch.no_grad()
    def compute(self) -> Mapping[str, Any]:
        keep = self._keep()
        mask = {
            "L, S": keep[0],
            "B, 1, 1, S": keep[:, None, -1:],
            "B, 1, L, S": keep[:, None],
            "B, L, S": keep,
        }[self.stored].contiguous()
        scaled = self._scaled()
        results = {"keep": keep, "mask": mask, "shape": list(mask.shape), "scaled": scaled}
        try:
            biases = torch.stack([self._bias(mask, fill) for fill in FILLS])
            biased = torch.stack([scaled.to(biases.dtype) + bias for bias in biases])
        except RuntimeError as error:  # "B, L, S" with H != B: PyTorch says why
            return results | dict.fromkeys(("expanded", "strides", "weights_by_fill", "weights")) | {"error": str(error)}
        expanded = mask.expand(scaled.shape)
        weights_by_fill = biased.softmax(-1)
        weights_by_fill[0].masked_fill_(~expanded.any(-1, keepdim=True), 0.0)
        return results | {
            "expanded": expanded,
            "strides": list(expanded.stride()),
            "weights_by_fill": weights_by_fill,
            "weights": weights_by_fill[FILLS.index(self.fill)],
            "error": "",
        }

    @property
    def _S(self) -> int:
        return int(read(*SENTENCES).ids.shape[1])

    def _rows(self, rule: Tensor) -> Tensor:
        """The rows of the L queries in a rule (..., S, S) for all positions: the last rows, or wrongly the first."""
        return rule[..., -self.L :, :] if self.corner == "bottom right" else rule[..., : self.L, :]

    def _keep(self) -> Tensor:
        """The intended mask (B, L, S): the rules that are ticked, and the exceptions."""
        batch, S, on = read(*SENTENCES), self._S, device()
        keep = torch.ones(len(SENTENCES), self.L, S, dtype=torch.bool, device=on)
        if self.causal:
            keep = keep & self._rows(causal(S, device=on))
        if self.window is not None:
            keep = keep & self._rows(window(S, width=self.window, device=on))
        if self.padding:
            keep = keep & padding(batch.lengths.tolist(), S, front=self.pads == "in front", device=on)[:, 0]
        for b, query, key, may in self.painted:
            if query >= S - self.L:
                keep[b, query - (S - self.L), key] = bool(may)
        return keep

    def _scaled(self) -> Tensor:
        """The scaled scores (B, H, L, S) of a layer whose words and weights are drawn with seed 0."""
        E = self.H * D
        ids = read(*SENTENCES).ids
        if self.pads == "in front":
            lengths = read(*SENTENCES).lengths.tolist()
            ids = torch.stack([row.roll(len(row) - length) for row, length in zip(ids, lengths, strict=True)])
        x = normal(0, "word", range(int(ids.max()) + 1), E)[ids.cpu()]
        q, k = (split_heads(x @ normal(0, name, range(E), E).T / math.sqrt(E), self.H) for name in ("W_Q", "W_K"))
        return (q[:, :, -self.L :] @ k.mT / math.sqrt(D)).to(device())

    def _bias(self, mask: Tensor, fill: str) -> Tensor:
        """The additive mask: 0 where a query may look, elsewhere the fill as a number of the dtype."""
        dtype = getattr(torch, self.dtype)
        low = {"-1e9": -1e9, "-1e4": -1e4, "finfo.min": torch.finfo(dtype).min}.get(fill, -math.inf)
        return torch.zeros(mask.shape, dtype=torch.float64, device=mask.device).masked_fill(~mask, low).to(dtype)

    def _words(self) -> list[str]:
        """The words of the sentence that is drawn, with its padding."""
        words = read(*SENTENCES).words[self.sentence]
        pads = [PADDING] * (self._S - len(words))
        return pads + words if self.pads == "in front" else words + pads

    def fallback(self) -> str:
        words, b = self._words(), self.sentence
        head = min(self.head, self.H - 1)
        columns = ["query", "may look at", *(f"weight of {word}" for word in words)]
        rows = []
        for i, query in enumerate(words[-self.L :]):
            seen = [word for word, may in zip(words, self.keep[b, i].tolist(), strict=True) if may]
            weights = (
                ["–"] * len(words) if self.weights is None else [f"{weight:.2f}" for weight in self.weights[b, head, i].tolist()]
            )
            rows.append([query, ", ".join(seen) or "nothing", *weights])
        note = self.error or "Each row of weights sums to 1, or holds only zeros where nothing may be seen."
        return (
            f"<p>The mask of the sentence “{escape(' '.join(words))}”, and the weights of head {head} under it:</p>"
            f"{table(columns, rows).html()}<p>{escape(note)}</p>"
        )

    @traitlets.default("_texts")
    def _default_texts(self) -> list[str]:
        return [" ".join(words) for words in read(*SENTENCES).words]
