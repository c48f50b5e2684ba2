"""MaskLab: which keys each query may attend to in a batch of three sentences, and where the weight of hidden keys goes."""

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
from attn.labs.stage import Chip
from attn.lessons import language, reader
from attn.lessons.text import PADDING, Batch, read
from attn.masks import causal, padding, window
from attn.shapes import split_heads
from attn.trace.table import table

__all__ = ["MaskLab"]

D = 4
TEXTS = (language.EXAMPLES[0], "old cooks stole bread once", "boys sold soup often")
SHAPES = ("L, S", "B, 1, 1, S", "B, 1, L, S", "B, L, S")
FILLS = ("zero", "-inf", "-1e9", "finfo.min", "-1e4")
_FOUND, _GOLD, _BREAD = 4, 5, 3  # places of these words
_PLAIN: Mapping[str, Any] = {
    **{"causal": False, "window": None, "padding": True, "pads": "behind", "painted": [], "late": False},
    **{"L": 7, "H": 3, "fill": "zero", "stored": "B, 1, L, S", "sentence": 0, "head": 1, "pin": [_FOUND, _GOLD], "detail": "none"},
}


class MaskLab(Lab):
    """A batch of 3 sentences, padded to S = 7 words, with a mask that the reader makes; each head has D = 4.

    With H = 3 the scores are those of the recorded layer of `attn.lessons.reader`, whose heads 0, 1 and 2 answer who, what and
    when. It was trained without a causal mask. With another H, word vectors and matrices are random. The vector of padding is
    that of its place alone.

    L: the number of queries, the newest words (7: all of them; fewer: the keys of the others come from a cache). H: heads. causal,
    window, padding: the rules; window is its width, or None. pads: where the padding is, "behind" the words or "in front". corner:
    "bottom right" gives each query its own position, "top left" wrongly takes query i for position i. painted: exceptions to the
    rules, each [sentence, position of the query, key, 1 may attend or 0 may not].
    stored: the axes of the mask as it is passed, such as "B, 1, L, S". late: the mask is multiplied with the weights after softmax,
    a mistake. Else fill is added to forbidden scores before softmax: "-inf", "-1e9", "finfo.min", "-1e4", or "zero" for −∞ and then
    zeros where a query may see nothing, as `attn` does. dtype: "float32" or "float16". sentence, head: what is drawn. pin: the
    query whose row is drawn, and a key: [position of the query, key]. detail: the panel below, "spellings", "broadcast" or "none".

    After any change, `lab.keep` is the intended mask, (B, L, S); `lab.mask` the mask as it is passed; `lab.expanded` what
    broadcasting makes of it, (B, H, L, S); `lab.weights` the weights under it, and `lab.weights_by_fill` those for each of FILLS.
    `lab.scaled` are the scores after √D. Where the shapes cannot be broadcast, `lab.expanded` and the weights are None, and
    `lab.error` is PyTorch's message.

    A value outside LIMITS raises traitlets.TraitError; an exception outside the batch raises ValueError.
    """

    STATE = ("L", "H", "causal", "window", "padding", "pads", "corner", "painted", "stored", "late", "fill", "dtype")
    VIEW = ("sentence", "head", "pin", "detail")
    CONSTANTS = ("_texts",)
    LIMITS: ClassVar[Limits] = {"L": (1, 7), "H": (2, 4), "window": (1, 7), "sentence": (0, 2), "head": (0, 3)}
    PAGE_LIMITS = LIMITS
    QUESTION = "Where does the weight of hidden keys go?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("hide the future", {**_PLAIN, "causal": True}),
        ("hide padding", {**_PLAIN, "sentence": 1, "pin": [2, _BREAD]}),
        (
            "a row that sees nothing",
            {**_PLAIN, "causal": True, "pads": "in front", "fill": "-inf", "sentence": 1, "pin": [0, 0]},
        ),
        ("mask too late", {**_PLAIN, "causal": True, "late": True}),
    )
    PARTS = ("arcs", "mask", "bar", "sentences", "spellings", "broadcast")
    CONTROLS = (
        *("query", "head", "rules", "fill", "pads", "window", "L", "corner", "H", "dtype", "detail"),
        "clear",
    )

    L = Size(7).tag(sync=True)
    H = Size(3).tag(sync=True)
    causal = traitlets.Bool(False).tag(sync=True)
    window = Size(None, allow_none=True).tag(sync=True)
    padding = traitlets.Bool(True).tag(sync=True)
    pads = traitlets.Enum(("behind", "in front"), "behind").tag(sync=True)
    corner = traitlets.Enum(("bottom right", "top left"), "bottom right").tag(sync=True)
    painted = traitlets.List(traitlets.List(traitlets.Int(min=0), minlen=4, maxlen=4)).tag(sync=True)
    stored = traitlets.Enum(SHAPES, "B, 1, L, S").tag(sync=True)
    late = traitlets.Bool(False).tag(sync=True)
    fill = traitlets.Enum(FILLS, "zero").tag(sync=True)
    dtype = traitlets.Enum(("float32", "float16"), "float32").tag(sync=True)
    sentence = Size(0).tag(sync=True)
    head = Size(1).tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0, max=6), [_FOUND, _GOLD], minlen=2, maxlen=2).tag(sync=True)
    detail = traitlets.Enum(("none", "spellings", "broadcast"), "none").tag(sync=True)
    _texts: traitlets.List[str] = traitlets.List(default_value=list(TEXTS)).tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        B, S = len(TEXTS), self._S
        for n, (b, query, key, may) in enumerate(state["painted"]):
            if b >= B or query >= S or key >= S or may > 1:
                raise ValueError(
                    f"painted[{n}] = {[b, query, key, may]}: an exception is [sentence 0 to {B - 1}, query 0 to {S - 1}, "
                    f"key 0 to {S - 1}, 1 may attend or 0 may not]."
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
        too_late = scaled.to(biases.dtype).softmax(-1) * expanded
        return results | {
            "expanded": expanded,
            "strides": list(expanded.stride()),
            "weights_by_fill": weights_by_fill,
            "weights": too_late if self.late else weights_by_fill[FILLS.index(self.fill)],
            "error": "",
        }

    @property
    def _batch(self) -> Batch:
        return read(*TEXTS)

    @property
    def _S(self) -> int:
        return int(self._batch.ids.shape[1])

    def _rows(self, rule: Tensor) -> Tensor:
        """The rows of the L queries in a rule (..., S, S) for all positions: the last rows, or wrongly the first."""
        return rule[..., -self.L :, :] if self.corner == "bottom right" else rule[..., : self.L, :]

    def _keep(self) -> Tensor:
        """The intended mask (B, L, S): the rules that are ticked, and the exceptions."""
        batch, S, on = self._batch, self._S, device()
        keep = torch.ones(len(TEXTS), self.L, S, dtype=torch.bool, device=on)
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
        """The scores (B, H, L, S) after √D."""
        if self.H == reader.Reader.H:
            steps = reader.recorded().layer.steps(self._vectors())
            q, k = steps.q, steps.k
        else:
            E = self.H * D
            known = self._batch.vocabulary
            numbers = self._padded([[known.index(word) for word in words] for words in self._batch.words], 0)  # 0 is padding
            x = normal(0, "word", range(len(known)), E)[torch.tensor(numbers)]
            q, k = (split_heads(x @ normal(0, name, range(E), E).T / math.sqrt(E), self.H) for name in ("W_Q", "W_K"))
        return (q[:, :, -self.L :] @ k.mT / math.sqrt(D)).to(device())

    def _vectors(self) -> Tensor:
        """The input (B, S, E) of the recorded layer.

        A word keeps the vector of its place in the sentence wherever its padding is. The vector of padding is that of its place
        alone, or of place 0 in front of a sentence.
        """
        recorded, S = reader.recorded(), self._S
        x = torch.zeros(len(TEXTS), S, reader.Reader.E)
        for b, words in enumerate(self._batch.words):
            shift = S - len(words) if self.pads == "in front" else 0
            ids = torch.tensor([language.NUMBER[word] for word in words])
            x[b] = recorded.places.weight[(torch.arange(S) - shift).clamp(min=0)]
            x[b, shift : shift + len(words)] += recorded.tokens.weight[ids]
        return x

    def _padded(self, rows: list[list[Any]], filling: Any) -> list[list[Any]]:
        """Rows, one for each sentence, filled up to S items behind or in front."""
        fillings = [[filling] * (self._S - len(row)) for row in rows]
        pairs = zip(rows, fillings, strict=True)
        return [more + row if self.pads == "in front" else row + more for row, more in pairs]

    def _bias(self, mask: Tensor, fill: str) -> Tensor:
        """The additive mask: 0 where a query may attend, elsewhere the fill as a number of the dtype."""
        dtype = getattr(torch, self.dtype)
        low = {"-1e9": -1e9, "-1e4": -1e4, "finfo.min": torch.finfo(dtype).min}.get(fill, -math.inf)
        return torch.zeros(mask.shape, dtype=torch.float64, device=mask.device).masked_fill(~mask, low).to(dtype)

    def fallback(self) -> str:
        words, b = self._padded(self._batch.words, PADDING)[self.sentence], self.sentence
        head = min(self.head, self.H - 1)
        columns = ["query", "may attend to", *(f"weight of {word}" for word in words)]
        rows = []
        for i, query in enumerate(words[-self.L :]):
            seen = [word for word, may in zip(words, self.keep[b, i].tolist(), strict=True) if may]
            weights = (
                ["–"] * len(words) if self.weights is None else [f"{weight:.2f}" for weight in self.weights[b, head, i].tolist()]
            )
            rows.append([query, ", ".join(seen) or "nothing", *weights])
        before = "Each row of weights sums to 1, or holds only zeros where nothing may be seen."
        note = self.error or ("The mask comes after softmax: rows with hidden keys sum to less than 1." if self.late else before)
        return (
            f"<p>The mask of the sentence “{escape(' '.join(words))}”, and the weights of head {head} under it:</p>"
            f"{table(columns, rows).html()}<p>{escape(note)}</p>"
        )
