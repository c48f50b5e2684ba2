"""One attention layer that answers the questions of `attn.lessons.language`, and whose heads can be named by what they do.

The layer has E = 12, H = 3 and D = 4. Nothing tells it which word answers a question, or which head is to find it. Trained with
weight decay on all its weights, each head comes to answer one question. That is not so in every training, so the weights that the
book shows are recorded: see `recorded()`. tools/train_reader.py trains and records them.
"""

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn.layer import MultiHeadAttention
from attn.lessons import language
from attn.lessons.language import CLASSES, LONGEST, NUMBER, WORDS
from attn.steps import LayerSteps

__all__ = ["ASKED", "HEADS", "RECORD", "Reader", "Reply", "loaded", "matrices", "record", "recorded", "rounded"]

ASKED = ("who", "what", "when")
HEADS = ASKED  # what each head of the recorded layer answers
RECORD = Path(__file__).with_name("reader.json")
_DIGITS = 4  # of the recorded numbers, after the decimal point


@dataclass(frozen=True)
class Reply:
    """What the model answers to a question: a word, and the probability that it gives this word. asker: the place that asks."""

    asker: int
    question: str
    word: str
    chance: float


class Reader(nn.Module):
    """Word and place vectors, one attention layer, and a matrix of answers.

    There is no mask except for padding, no norm, no residual connection and no bias: y is what the heads add up to, and each
    question that a word asks is answered from the y of this word alone.
    """

    E, H = 12, 3

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(len(WORDS), self.E)
        self.places = nn.Embedding(LONGEST, self.E)
        self.layer = MultiHeadAttention(self.E, self.H, bias=False)
        self.answers = nn.Linear(self.E, sum(len(CLASSES[question]) for question in ASKED), bias=False)
        for embedding in (self.tokens, self.places):
            nn.init.normal_(embedding.weight, std=2 / self.E**0.5)

    def embed(self, ids: Int[Tensor, "B L"]) -> Float[Tensor, "B L E"]:
        """The input of the layer: the vector of each word plus that of its place."""
        return self.tokens(ids) + self.places.weight[: ids.shape[1]]

    def forward(self, ids: Int[Tensor, "B L"], real: Bool[Tensor, "B L"] | None = None) -> tuple[Tensor, ...]:
        """For each question of ASKED a logit for every word of its class, at every place: (B, L, words of the class)."""
        return self.logits(self.layer(self.embed(ids), mask=None if real is None else real[:, None, None, :]))

    def steps(self, ids: Int[Tensor, "B L"], real: Bool[Tensor, "B L"] | None = None) -> LayerSteps:
        """Every tensor inside the layer, from x to y."""
        return self.layer.steps(self.embed(ids), mask=None if real is None else real[:, None, None, :])

    def logits(self, y: Float[Tensor, "B L E"]) -> tuple[Tensor, ...]:
        """The answers that can be read from y: see `forward`."""
        return self.answers(y).split([len(CLASSES[question]) for question in ASKED], -1)

    @torch.no_grad()
    def reply(self, words: Sequence[str]) -> list[Reply]:
        """The answer to every question that the words of a sentence ask, also to those that the sentence does not answer."""
        chances = [logits[0].softmax(-1) for logits in self(torch.tensor([[NUMBER[word] for word in words]]))]
        replies = []
        for asked in language.parse(words):
            chance, best = chances[ASKED.index(asked.question)][asked.asker].max(0)
            replies.append(Reply(asked.asker, asked.question, CLASSES[asked.question][int(best)], float(chance)))
        return replies

    @torch.no_grad()
    def chances(self, ids: Int[Tensor, "B L"]) -> Float[Tensor, "B L 3"]:
        """The probability of the right answer to each question of ASKED, at every place; NaN where there is none."""
        given = [logits.softmax(-1) for logits in self(ids)]
        chances = torch.full((*ids.shape, len(ASKED)), torch.nan)
        for b, words in enumerate([WORDS[number] for number in row] for row in ids.tolist()):
            for asker, question, answer in (vars(asked).values() for asked in language.parse(words)):
                if answer is not None:
                    n = ASKED.index(question)
                    chances[b, asker, n] = given[n][b, asker, CLASSES[question].index(words[answer])]
        return chances

    @torch.no_grad()
    def guesses(self, ids: Int[Tensor, "B L"]) -> Int[Tensor, "B L 3"]:
        """The number of the likeliest answer to each question of ASKED, at every place, asked or not."""
        best = [logits.argmax(-1) + NUMBER[CLASSES[n][0]] for n, logits in zip(ASKED, self(ids), strict=True)]
        return torch.stack(best, -1)


_MATRICES: dict[str, Callable[[Reader], Tensor]] = {
    "tokens": lambda reader: reader.tokens.weight,
    "places": lambda reader: reader.places.weight,
    "W_Q": lambda reader: reader.layer.W_Q,
    "W_K": lambda reader: reader.layer.W_K,
    "W_V": lambda reader: reader.layer.W_V,
    "W_O": lambda reader: reader.layer.W_O.weight,
    "W_answers": lambda reader: reader.answers.weight,
}


def matrices(reader: Reader) -> dict[str, list[list[float]]]:
    """All weights of a reader by name, rounded; matrices as nn.Linear stores them, (out, in)."""
    return {name: [rounded(row) for row in of(reader).detach()] for name, of in _MATRICES.items()}


def rounded(numbers: Tensor) -> Any:
    """The numbers of a tensor as they are recorded: a number, or a list."""
    return [round(one, _DIGITS) for one in numbers.tolist()] if numbers.dim() else round(float(numbers), _DIGITS)


@functools.cache
def record() -> dict[str, Any]:
    """What reader.json holds: the classes of words, the weights, what was measured with them, and how they were trained."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def recorded() -> Reader:
    """The reader with the recorded weights. Its heads 0, 1 and 2 answer who, what and when."""
    return loaded(record())


def loaded(weights: dict[str, Any]) -> Reader:
    """The reader with these weights, named as in `matrices`."""
    reader = Reader()
    with torch.no_grad():
        for name, of in _MATRICES.items():
            of(reader).copy_(torch.tensor(weights[name]))
    return reader.eval()
