"""Which weights point at the right word: those that a layer computes, and those of the best table that depends on places alone."""

import functools
import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from attn.lessons import language, reader
from attn.steps import LayerSteps

__all__ = ["COMPUTED", "DRAWN", "SHORTEST", "best_tables", "forms", "points_at", "roles", "scores_of", "shares"]

SHORTEST = 4  # words of the shortest sentence of the language
DRAWN = 2000  # sentences that the shares are measured on
COMPUTED = ("x", "one", "three")  # what weights are computed from

Form = tuple[str, ...]  # the class of each word of a sentence


@functools.cache
def forms() -> dict[Form, int]:
    """The forms that a sentence of the language can have, each with the number of its sentences."""
    people = [("who",), ("adjective", "who")]
    subjects = [*people, *((*one, "preposition", *other) for one, other in itertools.product(people, people))]
    orders = [form for subject in subjects for form in ((*subject, "verb", "what", "when"), ("when", *subject, "verb", "what"))]
    return {form: _count(form) for form in orders if len(form) <= language.LONGEST}


def _count(form: Form) -> int:
    """How many sentences have this form. Nobody is near or behind people of the same kind."""
    others = math.prod(len(language.CLASSES[name]) for name in form if name != "who")
    return others * math.perm(len(language.CLASSES["who"]), form.count("who"))


def _questions(form: Form) -> list[tuple[int, int, int]]:
    """What is asked in a sentence of this form: the head that answers it, the place that asks and the place that answers."""
    words = [language.CLASSES[name][0] for name in form]
    return [(reader.HEADS.index(one.question), one.asker, one.answer) for one in language.parse(words) if one.answer is not None]


@functools.cache
def best_tables(rows: int) -> list[list[list[float]]]:
    """A table of weights for each head, for sentences of up to so many words: row i, column j is how often, in the whole language,
    the answer to a question that place i asks stands at place j. No table of places has its largest weights on the right words
    more often, and none has a lower cross-entropy. Where nothing is ever asked from a place, its row is even.
    """
    counts = torch.zeros(len(reader.HEADS), rows, rows, dtype=torch.float64)
    for form, count in forms().items():
        if len(form) <= rows:
            for question in _questions(form):
                counts[question] += count
    asked = counts.sum(-1, keepdim=True)
    tables: list[list[list[float]]] = torch.where(asked > 0, counts / asked, 1 / rows).tolist()
    return tables


def points_at(row: Sequence[float]) -> int | None:
    """The place of the largest weight, the first of several; None if all are equal."""
    return None if min(row) == max(row) else list(row).index(max(row))


def roles(steps: LayerSteps, source: str, head: int) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of one head, (B, L, numbers): from x alone, from x and W_Q alone, or from three matrices."""
    if source == "x":
        return (steps.x,) * 3
    q = steps.q[:, head]
    return (q, q, q) if source == "one" else (q, steps.k[:, head], steps.v[:, head])


def scores_of(q: Float[Tensor, "B L D"], k: Float[Tensor, "B S D"]) -> Float[Tensor, "B L S"]:
    """The scores after √D, D being as many numbers as the vectors have."""
    return q @ k.mT / q.shape[-1] ** 0.5


@functools.cache
@torch.no_grad()
def shares() -> dict[str, list[list[float]]]:
    """How often the largest weight of an asking word is on the right word, for each head, in sentences drawn at random.

    For "x", "one" and "three" one row of shares; for "table" one for each table, of SHORTEST to LONGEST rows. A table points at
    nothing in a sentence that is longer than itself.
    """
    choose = random.Random(0)
    drawn = Counter(choose.choices(list(forms()), list(forms().values()), k=DRAWN))
    tables = [best_tables(rows) for rows in range(SHORTEST, language.LONGEST + 1)]
    model, heads = reader.recorded(), range(len(reader.HEADS))
    right: dict[str, list[list[int]]] = {
        **{source: [[0 for _ in heads]] for source in COMPUTED},
        "table": [[0 for _ in heads] for _ in tables],
    }
    asked = [0 for _ in heads]
    for form, count in drawn.items():
        steps = model.steps(torch.tensor([_sentence(form, choose) for _ in range(count)]))
        best = {
            (source, head): scores_of(*roles(steps, source, head)[:2]).argmax(-1).tolist() for source in COMPUTED for head in heads
        }
        for head, asker, answer in _questions(form):
            asked[head] += count
            for source in COMPUTED:
                right[source][0][head] += sum(row[asker] == answer for row in best[source, head])
            for n, table in enumerate(tables):
                if len(form) <= n + SHORTEST and points_at(table[head][asker]) == answer:
                    right["table"][n][head] += count
    return {source: [[hits / asked[head] for head, hits in enumerate(row)] for row in rows] for source, rows in right.items()}


def _sentence(form: Form, choose: random.Random) -> list[int]:
    """The numbers of the words of a sentence of this form, each as likely as any other."""
    people = iter(choose.sample(language.CLASSES["who"], form.count("who")))
    return [language.NUMBER[next(people) if name == "who" else choose.choice(language.CLASSES[name])] for name in form]
