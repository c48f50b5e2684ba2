"""RolesLab: one word asks, the others answer. Where do q, k and v come from, and what if a stored matrix replaces them?"""

import functools
from collections.abc import Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.lab import Lab
from attn.labs.roles.contest import COMPUTED, DRAWN, SHORTEST, best_tables, points_at, roles, scores_of, shares
from attn.labs.stage import Chip
from attn.lessons import language, reader
from attn.trace.table import table

__all__ = ["SOURCES", "RolesLab"]

SOURCES = (*COMPUTED, "table")
_SENTENCES = language.EXAMPLES[:4]
_FOUND = _SENTENCES[0].split().index("found")
_GIRLS = _SENTENCES[0].split().index("girls")
_PLAIN: dict[str, Any] = {"sentence": 0, "replaced": None, "swap": [], "asker": _FOUND, "asked": None}  # before an experiment
_NAMES = {"x": "x itself", "one": "one matrix: W_Q", "three": "three matrices", "table": "stored matrix"}


@functools.lru_cache(maxsize=2)
def _recorded(on: torch.device) -> reader.Reader:
    return reader.recorded().to(on)


class RolesLab(Lab):
    """One word of a sentence asks all words: its scores, its weights and the sum of the values, in one head of the recorded layer.

    source: where queries, keys and values come from. "x": they are x, the vectors of the words and their places. "one": all
    three are x times W_Q. "three": x times W_Q, W_K and W_V, as the layer was trained. "table": the weights are not computed but
    read from a stored matrix with a row and a column for each place, the best of its kind (`contest.best_tables`); values
    are those of "three". head: 0, 1 or 2, which answer who, what and when. sentence: 0 to 3. replaced: the place of a word
    that another one of its class replaces, or None. swap: the places of two words that are exchanged, or none. rows: of the table,
    4 to 7.

    asker: the word that asks, by its place before the exchange. asked: the word that is compared with it in both directions, or
    None for the one with the largest weight among the others.

    After any change the results are tensors on `attn.device()`: `lab.weights` (L, S), `lab.scaled` (L, S), the scores after √D,
    `lab.q`, `lab.k`, `lab.v` and `lab.out`, (L, D) with D = 12 for "x" and 4 otherwise. With a stored matrix `lab.q`, `lab.k` and
    `lab.scaled` are None; if it is smaller than the sentence, so is `lab.out`, and `lab.message` is torch's error. `lab.answers`
    and `lab.points_at` say for each place which place answers it and where its largest weight is, or None; `lab.symmetric` says
    whether any two words score each other equally. `lab.shares` is how often the largest weight is on the right word.

    Raises traitlets.TraitError for an invalid setting.
    """

    STATE = ("source", "head", "sentence", "replaced", "swap", "rows")
    VIEW = ("asker", "asked")
    CONSTANTS = ("_sentences", "_tables", "_shares", "_drawn")
    QUESTION = "Why does a word need a query, a key and a value?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("share one matrix", _PLAIN | {"source": "one", "head": 0}),
        ("give q, k and v", _PLAIN | {"source": "three", "head": 0}),
        ("replace girls by boys", _PLAIN | {"source": "three", "head": 0, "replaced": _GIRLS}),
        ("store the weights", _PLAIN | {"source": "table", "head": 0, "rows": 7}),
    )
    PARTS = ("pair", "shares")
    CONTROLS = ("asker", "source", "head", "sentence", "swap", "rows")

    source = traitlets.Enum(SOURCES, "three").tag(sync=True)
    head = traitlets.Enum((0, 1, 2), 0).tag(sync=True)
    sentence = traitlets.Int(0, min=0, max=len(_SENTENCES) - 1).tag(sync=True)
    replaced = traitlets.Int(None, min=0, max=language.LONGEST - 1, allow_none=True).tag(sync=True)
    swap: traitlets.List[int] = traitlets.List(traitlets.Int(min=0, max=language.LONGEST - 1), maxlen=2).tag(sync=True)
    rows = traitlets.Int(language.LONGEST, min=SHORTEST, max=language.LONGEST).tag(sync=True)
    asker = traitlets.Int(_FOUND, min=0, max=language.LONGEST - 1).tag(sync=True)
    asked = traitlets.Int(None, min=0, max=language.LONGEST - 1, allow_none=True).tag(sync=True)
    _sentences: traitlets.List[str] = traitlets.List(default_value=list(_SENTENCES)).tag(sync=True)
    _tables: traitlets.List[Any] = traitlets.List().tag(sync=True)  # from SHORTEST to LONGEST rows
    _shares = traitlets.Dict().tag(sync=True)
    _drawn = traitlets.Int(DRAWN).tag(sync=True)

    @traitlets.validate("swap")
    def _valid_swap(self, proposal: dict[str, Any]) -> list[int]:
        swap: list[int] = proposal["value"]
        if len(swap) == 1 or (swap and swap[0] == swap[1]):
            raise traitlets.TraitError(f"swap = {swap}: it takes the places of two different words, or none.")
        return swap

    def order(self) -> list[int]:
        """The place, before the exchange, of the word that stands at each place."""
        order = list(range(len(_SENTENCES[self.sentence].split())))
        if self.swap:
            a, b = self.swap
            order[a], order[b] = order[b], order[a]
        return order

    def words(self) -> list[str]:
        """The words of the sentence, after one is replaced and two are exchanged."""
        words = _SENTENCES[self.sentence].split()
        if self.replaced is not None:
            alike = language.CLASSES[language.CLASS[words[self.replaced]]]
            words[self.replaced] = next(word for word in alike if word not in words)
        return [words[place] for place in self.order()]

    @torch.no_grad()
    def compute(self) -> Mapping[str, Any]:
        words = self.words()
        ids = torch.tensor([[language.NUMBER[word] for word in words]], device=device())
        q, k, v = roles(_recorded(device()).steps(ids), "three" if self.source == "table" else self.source, self.head)
        results: dict[str, Any] = {"q": None, "k": None, "scaled": None, "symmetric": None, "message": ""}
        if self.source == "table":
            weights = torch.tensor(best_tables(self.rows)[self.head], device=device())
        else:
            scores = scores_of(q, k)[0]
            symmetric = bool((scores - scores.mT).abs().max() < 1e-4)
            results |= {"q": q[0], "k": k[0], "scaled": scores, "symmetric": symmetric}
            weights = scores.softmax(-1)
        out, message = _multiply(weights, v[0])
        answers: list[int | None] = [None] * len(words)
        for one in language.parse(words):
            if one.question == reader.HEADS[self.head]:
                answers[one.asker] = one.answer
        return results | {
            "v": v[0],
            "weights": weights,
            "out": out,
            "message": message,
            "answers": answers,
            "points_at": [points_at(row) for row in weights.tolist()],
            "shares": {source: (rows[self.rows - SHORTEST] if source == "table" else rows[0]) for source, rows in shares().items()},
        }

    def fallback(self) -> str:
        asker = self.order().index(self.asker)
        words = self.words()
        rows = []
        for source in SOURCES:
            lab = RolesLab(
                source=source, **{name: getattr(self, name) for name in ("head", "sentence", "replaced", "swap", "rows", "asker")}
            )
            there = asker < len(lab.weights)
            weights = [f"{weight:.2f}" for weight in lab.weights[asker].tolist()] if there else []
            weights += ["none"] * (len(words) - len(weights))
            rows.append([_NAMES[source], *weights, f"{lab.shares[source][self.head]:.0%}"])
        question = reader.HEADS[self.head]
        return (
            f"<p>“{words[asker]}” asks all words of the sentence, in the head that answers <em>{question}</em>. Its weights, and "
            f"how often the largest weight is on the right word in {DRAWN:,} sentences, if queries, keys and values come from</p>"
            f"{table(('', *words, 'right'), rows).html()}"
        )

    @traitlets.default("_tables")
    def _default_tables(self) -> list[Any]:
        return [best_tables(rows) for rows in range(SHORTEST, language.LONGEST + 1)]

    @traitlets.default("_shares")
    def _default_shares(self) -> dict[str, list[list[float]]]:
        return shares()


def _multiply(weights: Tensor, v: Tensor) -> tuple[Tensor | None, str]:
    """The weighted sums and no message, or none and torch's message."""
    try:
        return weights @ v, ""
    except RuntimeError as error:
        return None, str(error)
