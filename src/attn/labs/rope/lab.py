"""RopeLab: each pair of channels is a clock with a hand of q and a hand of k, and their score depends on the distance alone."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.positions import rotary
from attn.shapes import ShapeError
from attn.trace.table import table

__all__ = ["RopeLab"]

BASES = (100, 10_000, 500_000)
TURNS = ("both", "q", "none")


class RopeLab(Lab):
    """A query and a key of one head with rotary positions: what each pair of channels adds to their score.

    query, key: the positions of the two tokens. D: width of the head, so there are D/2 pairs. base: pair d turns by base^(-2d/D)
    for each position. turn: what is turned, "both", "q" alone (a bug) or "none" (no positions). equal: whether the key is the
    query. seed: chooses the random numbers. clock: the pair that is explained, or None.

    After any change `lab.q` and `lab.k` are the vectors (D,) before they are turned, `lab.turned_q` and `lab.turned_k` after it,
    `lab.speeds` (D/2,) the angles per position, `lab.terms` (D/2,) what each pair adds to the score, and `lab.score` their sum,
    before the division by √D: all in float64, on `attn.device()`.

    Raises traitlets.TraitError if a value is outside its limits, ShapeError if D is odd.
    """

    QUESTION = "Two words move along the text: when does their score stay the same?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("move both by 100", {"query": 105, "key": 102}),
        ("move the query alone", {"query": 12, "key": 2}),
        ("a long distance", {"query": 1002, "key": 2}),
        ("eight clocks", {"query": 5, "key": 2, "D": 16, "seed": 8}),
    )
    PARTS = ("positions", "curve")
    CONTROLS = ("query", "key", "both", "D", "turn", "base", "equal", "seed")
    STATE = ("query", "key", "D", "base", "turn", "equal", "seed")
    VIEW = ("clock",)
    LIMITS: ClassVar[Limits] = {"query": (0, 4096), "key": (0, 4096), "D": (2, 16), "clock": (0, 7)}
    PAGE_LIMITS: ClassVar[Limits] = LIMITS

    query = Size(5).tag(sync=True)
    key = Size(2).tag(sync=True)
    D = Size(8).tag(sync=True)
    base = traitlets.Enum(BASES, 10_000).tag(sync=True)
    turn = traitlets.Enum(TURNS, "both").tag(sync=True)
    equal = traitlets.Bool(False).tag(sync=True)
    seed = traitlets.Int(0, min=0, max=9999).tag(sync=True)
    clock = Size(None, allow_none=True).tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        if state["D"] % 2:
            raise ShapeError(f"D = {state['D']} is odd: rotary positions turn pairs of channels.")
        return state

    def compute(self) -> Mapping[str, Any]:
        q, k = (normal(self.seed, name, [0], self.D)[0].double().to(device()) for name in "qk")
        k = q.clone() if self.equal else k
        speeds = float(self.base) ** (-torch.arange(0, self.D, 2, dtype=torch.float64, device=device()) / self.D)
        turned_q, turned_k = (self._turned(name, heads, at) for name, heads, at in (("q", q, self.query), ("k", k, self.key)))
        terms = (turned_q * turned_k).unflatten(0, (2, -1)).sum(0)  # channels d and d + D/2
        return {
            "q": q,
            "k": k,
            "turned_q": turned_q,
            "turned_k": turned_k,
            "speeds": speeds,
            "terms": terms,
            "score": float(terms.sum()),
        }

    def _turned(self, name: str, vector: Tensor, at: int) -> Tensor:
        """A query or key at this position, if it is among what is turned."""
        if self.turn == "none" or (self.turn == "q" and name == "k"):
            return vector.clone()
        return partial(rotary, base=float(self.base))(vector[None], torch.tensor([at], device=vector.device))[0]

    def send(self, results: Mapping[str, Any]) -> list[str]:
        return ["q", "k", "speeds", "terms", "score"]

    def fallback(self) -> str:
        moved = type(self)(**self.state | {"query": self.query + 100, "key": self.key + 100}) if self._can_move() else self
        rows = [
            [f"{d} and {d + self.D // 2}", f"{speed:.4g}", f"{term:.2f}", f"{other:.2f}"]
            for d, (speed, term, other) in enumerate(
                zip(self.speeds.tolist(), self.terms.tolist(), moved.terms.tolist(), strict=True)
            )
        ]
        rows.append(["all: the score", "", f"{self.score:.2f}", f"{moved.score:.2f}"])
        columns = ("channels", "angle per position", *(f"term, q at {of.query}, k at {of.key}" for of in (self, moved)))
        same = "the same, because both hands of a clock turn by the same angle" if self.turn == "both" else "computed again"
        return (
            f"<p>A query at position {self.query} and a key at position {self.key}, with D = {self.D}: each pair of channels adds "
            f"a term to their score. With both tokens at other positions and the same distance the terms are {same}:</p>"
            f"{table(columns, rows).html()}"
        )

    def _can_move(self) -> bool:
        return max(self.query, self.key) + 100 <= self.LIMITS["query"][1]
