"""ProductLab: what is summed when q meets kᵀ, and what happens when it meets something else."""

import warnings
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.labs.lab import Lab, Limits, Size
from attn.labs.operands import operands, sentences
from attn.labs.stage import Chip
from attn.trace.table import as_shape, table

__all__ = ["PRODUCTS", "ProductLab"]

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
# What nudging adds to the numbers of a key: about 1 to each. No whole numbers but zeros combine these amounts to 0, so a cell that
# uses the key changes.
NUDGE = tuple(prime**0.5 % 1 + 0.5 for prime in _PRIMES)

Turn = Callable[[Tensor], Tensor]

# For each code the operand that becomes the right factor, and how: with four axes (B, H, rows, D), or with the two of one head.
PRODUCTS: dict[str, tuple[str, Turn]] = {
    "q @ k.transpose(-2, -1)": ("k", lambda k: k.transpose(-2, -1)),
    "q @ k": ("k", lambda k: k),
    "q @ k.T": ("k", lambda k: k.T),
    "q @ k.reshape(B, H, D, S)": ("k", lambda k: k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])),
    "k @ q.transpose(-2, -1)": ("q", lambda q: q.transpose(-2, -1)),
}


class ProductLab(Lab):
    """A matrix product of q and k, of which one head is drawn, cell by cell and product by product.

    The queries are the first L words of a sentence of `attn.lessons.language`, the keys its first S words. At H = 3, D = 4, L and S
    up to 7 and seed 0, q and k are those of the recorded layer of `attn.lessons.reader`: `lab.trained` is True. At other sizes they
    are random whole numbers from -3 to 3 without 0.

    B, H: sentences and heads. L: queries, S: keys, D: numbers per head. product: one of PRODUCTS. front: the sentence and the head
    that are drawn, [b, h]. nudge: the key, in all sentences and heads, that gets other numbers (about 1 is added to each), or None.
    seed: chooses random numbers; with the first ones, nearly all scores have one digit.
    pin: the cell of the result that is written out, [row, column]. summed: how many products of the cell are added so far, None for
    all. colour: "key" for the key that a number of k is from, or "value". If an index is too large for the sizes, the last one is
    meant.

    After any change `lab.q` (B, H, L, D) and `lab.k` (B, H, S, D) are the operands and `lab.out` is torch's result (None if it
    raises an error). `lab.message` is torch's error message or "", and `lab.alone` the same for the product of one head alone.
    `lab.means` is "scores" if every cell compares the query of its row with the key of its column, "turned" if it is the other way
    round, else "nothing". `lab.changed` says which cells of the drawn result changed with the nudged key (None without one).

    Raises traitlets.TraitError if a value is outside LIMITS or the product is not in PRODUCTS.
    """

    QUESTION = "Why kᵀ, and not k or a reshape?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("without the flip", {"product": "q @ k", "colour": "key"}),
        ("flip k", {"product": "q @ k.transpose(-2, -1)", "colour": "key"}),
        ("reshape instead", {"product": "q @ k.reshape(B, H, D, S)", "colour": "key"}),
    )
    PARTS = ("shapes", "product", "cell")
    CONTROLS = ("D", "S", "nudge", "product", "colour", "L", "B", "H", "front", "seed")
    STATE = ("L", "S", "D", "B", "H", "product", "front", "nudge", "seed")
    VIEW = ("pin", "summed", "colour")
    CONSTANTS = ("_texts",)
    LIMITS: ClassVar[Limits] = {"L": (1, 12), "S": (1, 12), "D": (1, 12), "B": (1, 4), "H": (1, 4)}
    PAGE_LIMITS: ClassVar[Limits] = {"L": (1, 8), "S": (1, 8), "D": (1, 8), "B": (1, 4), "H": (1, 4)}

    L = Size(5).tag(sync=True)
    S = Size(7).tag(sync=True)
    D = Size(4).tag(sync=True)
    B = Size(2).tag(sync=True)
    H = Size(3).tag(sync=True)
    product = traitlets.Enum(tuple(PRODUCTS), "q @ k.transpose(-2, -1)").tag(sync=True)
    front = traitlets.List(traitlets.Int(min=0), [0, 0], minlen=2, maxlen=2).tag(sync=True)
    nudge = traitlets.Int(None, min=0, allow_none=True).tag(sync=True)
    seed = traitlets.Int(963, min=0, max=9999).tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), [2, 3], minlen=2, maxlen=2, allow_none=True).tag(sync=True)
    summed = traitlets.Int(None, min=0, allow_none=True).tag(sync=True)
    colour = traitlets.Enum(("value", "key"), "key").tag(sync=True)
    _texts: traitlets.List[str] = traitlets.List().tag(sync=True)

    def compute(self) -> Mapping[str, Any]:
        sizes = {"B": self.B, "H": self.H, "L": self.L, "S": self.S, "D": self.D}
        trained, q, k = operands(self._texts, **sizes, seed=self.seed)
        before = None
        if self.nudge is not None:
            before = _multiply(self.product, q, k)["out"]
            k = k.clone()
            k[:, :, min(self.nudge, self.S - 1)] += torch.tensor(NUDGE[: self.D], device=k.device)
        results = _multiply(self.product, q, k)
        (left, right), places, out = results.pop("factors"), results.pop("places"), results["out"]
        b, h = min(self.front[0], self.B - 1), min(self.front[1], self.H - 1)
        there = min(b, right.shape[0] - 1), min(h, right.shape[1] - 1)  # an axis of size 1 is broadcast
        return results | {
            "q": q,
            "k": k,
            "left": left[b, h],
            "right": right[there],
            "right_at": places[there],
            "result": None if out is None else out[b, h],
            "changed": None if out is None or before is None else out[b, h] != before[b, h],
            "trained": trained,
        }

    def send(self, results: Mapping[str, Any]) -> list[str]:
        return ["left", "right", "right_at", "result", "message", "alone", "means", "shapes", "changed", "trained"]

    def words(self, rows: int) -> list[list[str]]:
        """The first words of each sentence."""
        return [text.split()[:rows] for text in self._texts[: self.B]]

    def fallback(self) -> str:
        rows = []
        for product in PRODUCTS:
            results = _multiply(product, self.q, self.k)
            shape = results["shapes"][2]
            rows.append((product, f"{as_shape(shape)}: {_MEANINGS[results['means']]}" if shape else results["message"]))
        return (
            f"<p>What torch makes of q (B, H, L, D) = {as_shape(self.q.shape)} and k (B, H, S, D) = {as_shape(self.k.shape)}:</p>"
            f"{table(('product', 'result'), rows).html()}"
        )

    @traitlets.default("_texts")
    def _default_texts(self) -> list[str]:
        return sentences(self.LIMITS["B"][1])


_MEANINGS = {
    "scores": "cell [i, j] is query i times key j",
    "turned": "cell [j, i] is key j times query i",
    "nothing": "no error, and no cell is a query times a key",
}


def _multiply(product: str, q: Tensor, k: Tensor) -> dict[str, Any]:
    """The factors of a product, where each number of the right one is in its operand, and the result or torch's message."""
    turned, turn = PRODUCTS[product]
    left, source = (q, k) if turned == "k" else (k, q)
    source_places = torch.arange(source.numel(), device=source.device).view(source.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # .T of four axes is deprecated, and a topic of the chapter
        right, places = turn(source), turn(source_places)
        out, message = _matmul(left, right)
        alone = _matmul(left[0, 0], turn(source[0, 0]))[1]
    expected = source_places.mT
    fits = out is not None and right.shape[-2:] == expected.shape[-2:] and out.shape[:2] == source.shape[:2]
    is_transposed = fits and torch.equal(places.expand_as(expected), expected)
    return {
        "factors": (left, right),
        "places": places,
        "out": out,
        "message": message,
        "alone": alone,
        "means": "nothing" if not is_transposed else "turned" if turned == "q" else "scores",
        "shapes": [list(left.shape), list(right.shape), None if out is None else list(out.shape)],
    }


def _matmul(left: Tensor, right: Tensor) -> tuple[Tensor | None, str]:
    """The product and no message, or no product and torch's message."""
    try:
        return left @ right, ""
    except RuntimeError as error:
        return None, str(error)
