"""CubeLab: the products of all queries with all keys as a block of L x S x D numbers, of which D is added up."""

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from attn.labs.lab import Lab, Limits, Size
from attn.labs.operands import operands, sentences
from attn.labs.stage import Chip
from attn.trace.table import as_shape

__all__ = ["CubeLab"]

_ASIDE = (-32, 24)


class CubeLab(Lab):
    """The scores of one head, and the L x S x D products that they are sums of: those along D are added up.

    The queries are the first L words of *girls near old kings found gold today*, the keys its first S words. At D = 4 and seed 0, q
    and k are those of head `head` of the recorded layer of `attn.lessons.reader`: `lab.trained` is True. At other sizes they are
    random whole numbers from -3 to 3 without 0.

    L: queries, S: keys, D: numbers per head. head: 0, 1 or 2. seed: chooses random numbers.
    added: how many of the D products of each pair are added up, None for all. turn: degrees by which the block is turned, to the
    side (-55 to 0) and upwards (0 to 50); at [0, 0] the reader looks along D. pin: the pair whose products are written out,
    [query, key]; an index that is too large for the sizes stands for the last one.

    After any change `lab.q` (L, D) and `lab.k` (S, D) are the factors, `lab.products` (L, S, D) has the product of each number of
    each query with that of each key, and `lab.scores` (L, S) is its sum over D.

    Raises traitlets.TraitError if a value is outside LIMITS.
    """

    QUESTION = "Where does D go when q meets kᵀ?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("all products", {"D": 4, "added": 0, "turn": [*_ASIDE]}),
        ("add up over D", {"added": None, "turn": [*_ASIDE]}),
        ("look along D", {"added": 0, "turn": [0, 0]}),
        ("D from 4 to 8", {"D": 8, "added": None, "turn": [*_ASIDE]}),
    )
    CONTROLS = ("added", "D", "S", "L", "head", "seed")
    STATE = ("L", "S", "D", "head", "seed")
    VIEW = ("added", "turn", "pin")
    CONSTANTS = ("_texts",)
    LIMITS: ClassVar[Limits] = {"L": (1, 7), "S": (1, 7), "D": (1, 12)}
    PAGE_LIMITS: ClassVar[Limits] = {"L": (1, 7), "S": (1, 7), "D": (1, 8)}

    L = Size(5).tag(sync=True)
    S = Size(7).tag(sync=True)
    D = Size(4).tag(sync=True)
    head = traitlets.Enum((0, 1, 2), 0).tag(sync=True)
    seed = traitlets.Int(0, min=0, max=9999).tag(sync=True)
    added = traitlets.Int(0, min=0, allow_none=True).tag(sync=True)
    turn = traitlets.List(traitlets.Int(min=-55, max=50), [*_ASIDE], minlen=2, maxlen=2).tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), [4, 3], minlen=2, maxlen=2).tag(sync=True)
    _texts: traitlets.List[str] = traitlets.List().tag(sync=True)

    def compute(self) -> Mapping[str, Any]:
        trained, q, k = operands(self._texts, B=1, H=3, L=self.L, S=self.S, D=self.D, seed=self.seed)
        q, k = q[0, self.head], k[0, self.head]
        products = q[:, None] * k[None]
        return {"q": q, "k": k, "products": products, "scores": products.sum(-1), "trained": trained}

    def send(self, results: Mapping[str, Any]) -> list[str]:
        return ["q", "k", "products", "scores", "trained"]

    def fallback(self) -> str:
        return (
            f"<p>The products of q (L, D) = {as_shape(self.q.shape)} with k (S, D) = {as_shape(self.k.shape)} are a block "
            f"(L, S, D) = {as_shape(self.products.shape)} of {self.products.numel()} numbers. Their sum over D is the matrix "
            f"of scores (L, S) = {as_shape(self.scores.shape)}.</p>"
        )

    @traitlets.default("_texts")
    def _default_texts(self) -> list[str]:
        return sentences(1)
