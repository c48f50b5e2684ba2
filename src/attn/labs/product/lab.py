"""ProductLab: what is summed when q meets kᵀ, and what happens when it meets something else."""

import warnings
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits, Size
from attn.trace.table import as_shape

__all__ = ["PRODUCTS", "ProductLab"]

_HEADS, _ROWS = 8, 16  # a head has this many rows of numbers, of which the lab shows the first

Turn = Callable[[Tensor], Tensor]

# The code, which of q and k is turned, and how. Each works on four axes (B, H, rows, D) and on the two of one head.
PRODUCTS: dict[str, tuple[str, Turn]] = {
    "q @ k.transpose(-2, -1)": ("k", lambda k: k.transpose(-2, -1)),
    "q @ k": ("k", lambda k: k),
    "q @ k.T": ("k", lambda k: k.T),
    "q @ k.reshape(B, H, D, S)": ("k", lambda k: k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])),
    "k @ q.transpose(-2, -1)": ("q", lambda q: q.transpose(-2, -1)),
}


class ProductLab(Lab):
    """q and k meet in a matrix product; sample 0, head 0 of it is drawn, cell by cell and product by product.

    B, H: samples and heads. L: queries, S: keys, D: numbers of each. product: one of PRODUCTS. pin: the cell of the result that
    is written out, (row, column); if the result is smaller, its last row or column is taken. summed: how many of its products
    are added so far; None: all. seed: chooses the numbers, which are whole numbers from -3 to 3.

    After any change `lab.q` (B, H, L, D) and `lab.k` (B, H, S, D) are the operands, `lab.out` is what torch makes of them (None if
    it cannot), `lab.message` what torch says then, `lab.alone` what it says of one head alone; `lab.means` is "scores" if every
    cell compares the query of its row with the key of its column, "turned" if it is the other way round, else "nothing".

    A value outside LIMITS, or a product that is not in PRODUCTS, raises traitlets.TraitError.
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
        q, k = self._whole("q", self.L), self._whole("k", self.S)
        made = self._follow(self.product, q, k)
        left, right = made.pop("factors")
        out, message = made["out"], made["message"]
        return {
            **{"q": q, "k": k, "left": left[0, 0], "right": right[0, 0], "out": out, "message": message},
            **{name: made[name] for name in ("alone", "means", "shapes")},
            "right_at": made["places"][0, 0],
            "result": None if out is None else out[0, 0],
        }

    def send(self, results: Mapping[str, Any]) -> list[str]:
        return ["left", "right", "right_at", "result", "message", "alone", "means", "shapes"]

    def _whole(self, name: str, rows: int) -> Tensor:
        """Whole numbers from -3 to 3, (B, H, rows, D); a number stays what it is when a size changes."""
        numbered = [(b * _HEADS + h) * _ROWS + row for b in range(self.B) for h in range(self.H) for row in range(rows)]
        numbers = normal(self.seed, name, numbered, self.D).double()
        return (1.5 * numbers + 0.5).floor().clamp(-3, 3).float().view(self.B, self.H, rows, self.D).to(device())

    def _follow(self, product: str, q: Tensor, k: Tensor) -> dict[str, Any]:
        """The factors of a product, where each number of the right one comes from, and what torch makes or says of them."""
        turned, turn = PRODUCTS[product]
        left, source = (q, k) if turned == "k" else (k, q)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # .T on four axes is deprecated, which is the chapter's story
            right, places = turn(source), turn(torch.arange(source.numel(), device=source.device).view(source.shape))
            out, message = _tried(left, right)
            alone = _tried(left[0, 0], turn(source[0, 0]))[1]
        shapes = [list(left.shape), list(right.shape), None if out is None else list(out.shape)]
        should_be = torch.arange(source.numel(), device=source.device).view(source.shape).mT
        fits = out is not None and right.shape[-2:] == should_be.shape[-2:] and out.shape[:2] == source.shape[:2]
        means = "turned" if turned == "q" else "scores"
        if not (fits and torch.equal(places.expand_as(should_be), should_be)):
            means = "nothing"
        return {
            **{"factors": (left, right), "places": places, "out": out, "message": message, "alone": alone},
            **{"means": means, "shapes": shapes},
        }

    def fallback(self) -> str:
        rows = ""
        for product in PRODUCTS:
            made = self._follow(product, self.q, self.k)
            said = f"{as_shape(made['shapes'][2])}: {_MEANING[made['means']]}" if made["shapes"][2] else made["message"]
            rows += f"<tr><td><code>{escape(product)}</code></td><td>{escape(said)}</td></tr>"
        return (
            f"<p>What torch makes of q (B, H, L, D) = {as_shape(self.q.shape)} and k (B, H, S, D) = {as_shape(self.k.shape)}:</p>"
            '<div class="attn-table"><table><thead><tr><th>product</th><th>gives</th></tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )


_MEANING = {
    "scores": "cell [i, j] is query i times key j",
    "turned": "cell [j, i] is key j times query i",
    "nothing": "no error, and no cell is a query times a key",
}


def _tried(left: Tensor, right: Tensor) -> tuple[Tensor | None, str]:
    """The product and no message, or no product and torch's message."""
    try:
        return left @ right, ""
    except RuntimeError as error:
        return None, str(error)
