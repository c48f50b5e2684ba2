"""ProductLab: what is summed when q meets kᵀ, and what happens when it meets something else."""

import warnings
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits, Size
from attn.trace.table import as_shape, table

__all__ = ["PRODUCTS", "ProductLab"]

_HEADS, _ROWS = 8, 16  # the numbers are drawn for this many heads and rows, of which the lab uses the first

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
    """A matrix product of q and k, of which sample 0, head 0 is drawn, cell by cell and product by product.

    B, H: samples and heads. L: queries, S: keys, D: numbers of each. product: one of PRODUCTS. pin: the cell of the result that
    is written out, (row, column); if the result is smaller, its last row or column is used. summed: how many products of the cell
    are added so far, None for all. seed: chooses the numbers, which are whole numbers from -3 to 3.

    After any change `lab.q` (B, H, L, D) and `lab.k` (B, H, S, D) are the operands and `lab.out` is torch's result (None if it
    raises an error). `lab.message` is torch's error message or "", and `lab.alone` the same for the product of one head alone.
    `lab.means` is "scores" if every cell compares the query of its row with the key of its column, "turned" if it is the other way
    round, else "nothing".

    Raises traitlets.TraitError if a value is outside LIMITS or the product is not in PRODUCTS.
    """

    STATE = ("L", "S", "D", "B", "H", "product", "seed")
    VIEW = ("pin", "summed")
    LIMITS: ClassVar[Limits] = {"L": (1, 12), "S": (1, 12), "D": (1, 12), "B": (1, 4), "H": (1, 4)}
    PAGE_LIMITS: ClassVar[Limits] = {"L": (1, 8), "S": (1, 8), "D": (1, 8), "B": (1, 4), "H": (1, 4)}

    L = Size(5).tag(sync=True)
    S = Size(7).tag(sync=True)
    D = Size(4).tag(sync=True)
    B = Size(2).tag(sync=True)
    H = Size(3).tag(sync=True)
    product = traitlets.Enum(tuple(PRODUCTS), "q @ k.transpose(-2, -1)").tag(sync=True)
    seed = traitlets.Int(0, min=0, max=9999).tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), [1, 2], minlen=2, maxlen=2, allow_none=True).tag(sync=True)
    summed = traitlets.Int(None, min=0, allow_none=True).tag(sync=True)

    def compute(self) -> Mapping[str, Any]:
        q, k = self._whole_numbers("q", self.L), self._whole_numbers("k", self.S)
        results = _multiply(self.product, q, k)
        (left, right), places, out = results.pop("factors"), results.pop("places"), results["out"]
        return results | {
            "q": q,
            "k": k,
            "left": left[0, 0],
            "right": right[0, 0],
            "right_at": places[0, 0],
            "result": None if out is None else out[0, 0],
        }

    def send(self, results: Mapping[str, Any]) -> list[str]:
        return ["left", "right", "right_at", "result", "message", "alone", "means", "shapes"]

    def _whole_numbers(self, name: str, rows: int) -> Tensor:
        """Whole numbers from -3 to 3, (B, H, rows, D). A number stays the same when a size changes."""
        row_numbers = [(b * _HEADS + h) * _ROWS + row for b in range(self.B) for h in range(self.H) for row in range(rows)]
        numbers = normal(self.seed, name, row_numbers, self.D).double()
        return (1.5 * numbers + 0.5).floor().clamp(-3, 3).float().view(self.B, self.H, rows, self.D).to(device())

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
