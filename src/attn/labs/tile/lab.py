"""TileLab: attention in tiles, what is read and written for it, and how many scores exist at once."""

import functools
import math
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import attention, device
from attn.labs.inputs import normal
from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.lessons import language, reader
from attn.masks import causal as causal_mask
from attn.shapes import ShapeError
from attn.trace.table import table

__all__ = ["TileLab"]

HEAD = 1  # of the recorded layer: the one that finds "what"
_FUSED = {"method": "fused", "rescale": True, "causal": False, "step": None}


@functools.lru_cache(maxsize=2)
def _recorded(on: torch.device) -> reader.Reader:
    return reader.recorded().to(on)


class TileLab(Lab):
    """One head of attention, computed in tiles. A slow memory holds whole tensors, a fast one what the current tile needs.

    The keys are the first S words of a sentence of `attn.lessons.language`, the queries the last L of them. At D = 4, S up to 7
    and seed 0 the numbers are those of a head of the recorded layer of `attn.lessons.reader`: `lab.trained` is True. At other sizes
    they are random.

    L: queries, at most S. S: keys. D: numbers per head. tile: queries and keys of a tile; the last ones have fewer. method: "fused"
    computes the output tile by tile with a running maximum and total, "stored" computes all scores, then all weights, then the
    output. causal: whether later keys are masked; "fused" then skips tiles that are masked as a whole. hidden: how many keys in
    front are masked, as in left padding. rescale: whether "fused" rescales total and output when the maximum rises. seed: chooses
    random numbers. step: how many steps are done, None for all.

    After any change, the results are tensors on `attn.device()`: `lab.q` (L, D), `lab.k` and `lab.v` (S, D), `lab.out` (L, D), what
    the tiles make, and `lab.want` (L, D), attention with all scores at once; `lab.off` (L,): by how much each row differs from it.
    `lab.top` and `lab.total` (L,) are the running maximum and total at the end ("fused" alone; else None). `lab.tiles` is how many
    tiles of scores are computed, of `lab.grid` in all. `lab.alive` is the largest number of scores that exist at once, `lab.fast`
    that of numbers in fast memory. `lab.moved` counts the numbers that are read from slow memory or written to it, `lab.otherwise`
    those of the other method; on the screen they are bytes, 4 for each.

    A value outside LIMITS raises traitlets.TraitError; more queries than keys raise ShapeError.
    """

    QUESTION = "How many scores exist at once with 2 × 2 tiles?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("tile by tile", _FUSED),
        ("store all scores", _FUSED | {"method": "stored"}),
        ("forget to rescale", _FUSED | {"rescale": False}),
        ("causal mask", _FUSED | {"causal": True}),
    )
    PARTS = ("time", "moved")
    CONTROLS = ("tile", "method", "causal", "rescale", "L", "S", "D", "hidden", "seed")
    STATE = ("L", "S", "D", "tile", "method", "causal", "hidden", "rescale", "seed")
    VIEW = ("step",)
    CONSTANTS = ("_text",)
    LIMITS: ClassVar[Limits] = {"L": (1, 12), "S": (1, 12), "D": (1, 6), "tile": (1, 6), "hidden": (0, 6)}
    PAGE_LIMITS: ClassVar[Limits] = LIMITS

    L = Size(6).tag(sync=True)
    S = Size(7).tag(sync=True)
    D = Size(4).tag(sync=True)
    tile = Size(2).tag(sync=True)
    method = traitlets.Enum(("fused", "stored"), "fused").tag(sync=True)
    causal = traitlets.Bool(False).tag(sync=True)
    hidden = Size(0).tag(sync=True)
    rescale = traitlets.Bool(True).tag(sync=True)
    seed = traitlets.Int(0, min=0, max=9999).tag(sync=True)
    step = traitlets.Int(8, min=0, allow_none=True).tag(sync=True)
    _text = traitlets.Unicode(language.EXAMPLES[0]).tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        L, S = state["L"], state["S"]
        if L > S and {"L", "S"} <= changed:
            raise ShapeError(f"L = {L} and S = {S}: the queries are the last L of the S words, so L is at most S.")
        return state | ({"S": max(L, S)} if "L" in changed else {"L": min(L, S)})

    @torch.no_grad()
    def compute(self) -> Mapping[str, Any]:
        trained, q, k, v = self._operands()
        keep = torch.arange(self.S, device=q.device) >= self.hidden
        if self.causal:
            keep = keep & causal_mask(self.L, self.S, device=q.device)
        keep = keep.expand(self.L, self.S)
        want = attention(q[None, None], k[None, None], v[None, None], keep)[0, 0]
        out, top, total, tiles = self._fused(q, k, v, keep) if self.method == "fused" else (want.clone(), None, None, None)
        rows, columns = len(self._cuts(self.L)), len(self._cuts(self.S))
        r, c = min(self.tile, self.L), min(self.tile, self.S)
        fused = self.method == "fused"
        fast = 2 * r * self.D + c * self.D + r * c + 2 * r  # q, output; k or v; a tile of scores; maximum and total
        whole = max((r + c) * self.D + r * c, r * self.S)
        return {
            **{"trained": trained, "q": q, "k": k, "v": v, "out": out, "want": want, "top": top, "total": total},
            "off": (out - want).abs().amax(-1),
            "tiles": rows * columns if tiles is None else tiles,
            "grid": rows * columns,
            "alive": r * c if fused else self.L * self.S,
            "fast": fast if fused else whole,
            "moved": self._moved(self.method),
            "otherwise": self._moved("stored" if fused else "fused"),
        }

    def _operands(self) -> tuple[bool, Tensor, Tensor, Tensor]:
        words = self._text.split()[: self.S]
        H = reader.Reader.H
        if (self.D, self.seed) == (reader.Reader.E // H, 0) and self.S <= language.LONGEST:
            ids = torch.tensor([[language.NUMBER[word] for word in words]], device=device())
            steps = _recorded(device()).steps(ids)
            q, k, v = (one[0, HEAD] for one in (steps.q, steps.k, steps.v))
            return True, q[self.S - self.L :], k, v
        q, k, v = (normal(self.seed, name, range(self.S), self.D).to(device()) for name in "qkv")
        return False, 2 * q[self.S - self.L :], k, v

    def _cuts(self, size: int) -> list[slice]:
        return [slice(n, min(n + self.tile, size)) for n in range(0, size, self.tile)]

    def _visits(self, rows: slice) -> Iterator[slice]:
        """The tiles of keys that these queries meet."""
        for columns in self._cuts(self.S):
            if not self.causal or columns.start <= rows.stop - 1 + self.S - self.L:
                yield columns

    def _fused(self, q: Tensor, k: Tensor, v: Tensor, keep: Tensor) -> tuple[Tensor, Tensor, Tensor, int]:
        """Online softmax over tiles: the output, the last maximum and total of each row, and how many tiles were computed."""
        out, tiles = torch.zeros_like(q), 0
        top, total = q.new_full((self.L, 1), -math.inf), q.new_zeros(self.L, 1)
        for rows in self._cuts(self.L):
            for columns in self._visits(rows):
                tiles += 1
                scores = (q[rows] @ k[columns].T / math.sqrt(self.D)).masked_fill(~keep[rows, columns], -math.inf)
                new = torch.maximum(top[rows], scores.amax(-1, keepdim=True))
                known = new.masked_fill(new.isneginf(), 0.0)  # -inf - (-inf) is NaN
                terms, shrink = (scores - known).exp(), (top[rows] - known).exp()
                if not self.rescale:
                    shrink = torch.ones_like(shrink)
                total[rows] = total[rows] * shrink + terms.sum(-1, keepdim=True)
                out[rows] = out[rows] * shrink + terms @ v[columns]
                top[rows] = new
        return out / total.masked_fill(total == 0, 1.0), top[:, 0], total[:, 0], tiles

    def _moved(self, method: str) -> int:
        moved = 0
        for rows in self._cuts(self.L):
            r = rows.stop - rows.start
            columns = self._cuts(self.S) if method == "stored" else self._visits(rows)
            moved += 2 * r * self.D + sum(2 * (one.stop - one.start) * self.D for one in columns)
            moved += 4 * r * self.S if method == "stored" else 0  # scores written and read, weights written and read
        return moved

    def fallback(self) -> str:
        rows = []
        for method in ("fused", "stored"):
            lab = self if method == self.method else type(self)(**self.state | {"method": method})
            rows.append([method, f"{lab.alive} of {self.L * self.S}", f"{lab.tiles} of {lab.grid}", 4 * lab.moved])
        columns = ["method", "scores at once", "tiles computed", "bytes moved, in float32"]
        off = float(self.off.max())
        told = "equals attention with all scores" if off < 1e-4 else f"differs from attention by up to {off:.2f}"
        return (
            f"<p>Attention of {self.L} queries over {self.S} keys of {self.D} numbers, in tiles of {self.tile} × {self.tile} "
            f"scores:</p>{table(columns, rows).html()}<p>The output {told}.</p>"
        )
