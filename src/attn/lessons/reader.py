"""One attention layer that answers the questions of `attn.lessons.language`, and whose heads can be named by what they do.

The layer has E = 12, H = 3 and D = 4. Nothing tells it which word answers a question, or which head is to find it. With weight
decay on all its weights, each head comes to answer one question: head 0 who, head 1 what, head 2 when. In about one of five
trainings two heads share the work, so the weights that the book shows are recorded: `recorded()`. tools/train_reader.py trains and
records them.
"""

import functools
import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn.layer import MultiHeadAttention
from attn.lessons import language
from attn.lessons.language import CLASSES, LONGEST, NUMBER, QUESTIONS, WORDS
from attn.steps import LayerSteps

__all__ = ["ASKED", "HEADS", "RECORD", "Measured", "Reader", "Reply", "encode", "measure", "record", "recorded", "split", "train"]

ASKED = ("who", "what", "when")
HEADS = ASKED  # what each head of the recorded layer answers
RECORD = Path(__file__).with_name("reader.json")
_DIGITS = 4  # of the recorded numbers, after the decimal point
_UNASKED = -100  # F.cross_entropy ignores it


@dataclass(frozen=True)
class Reply:
    """What the model answers to a question: a word, and the probability that it gives this word. asker: the place that asks."""

    asker: int
    question: str
    word: str
    chance: float


@dataclass(frozen=True)
class Batch:
    """Sentences as numbers, padded to LONGEST words.

    ids: the numbers of the words. real: True where a word is, False where padding is. answers: for each word and each question of
    ASKED the answer's number in its class. places: for each kind of question in QUESTIONS and each word, where its answer is;
    -1 if the word does not ask it.
    """

    ids: Int[Tensor, "B L"]
    real: Bool[Tensor, "B L"]
    answers: Int[Tensor, "B L 3"]
    places: Int[Tensor, "kinds B L"]


@dataclass(frozen=True)
class Measured:
    """How one kind of question is answered: by all heads, and without each of them.

    asks, question: the kind, such as ("verb", "what"). shares: the weight that each head gives to the answer, on average.
    accuracy: the share of right answers. without: the accuracy without head 0, 1 and 2; what a head adds is replaced by its mean.
    """

    asks: str
    question: str
    shares: list[float]
    accuracy: float
    without: list[float]


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


def split(count: int = 6000, held_out: int = 2000) -> tuple[list[list[str]], list[list[str]]]:
    """Sentences to train on and others to measure with, equally many of each length, as far as the language has so many."""
    everything = list(language.sentences())
    random.Random(0).shuffle(everything)
    half = len(everything) // 2
    lengths = range(4, LONGEST + 1)

    def chosen(part: list[list[str]], number: int) -> list[list[str]]:
        return [words for L in lengths for words in [words for words in part if len(words) == L][: number // len(lengths)]]

    return chosen(everything[:half], count), chosen(everything[half:], held_out)


def encode(sentences: Sequence[Sequence[str]]) -> Batch:
    """The sentences as numbers, with their questions and answers."""
    B, L = len(sentences), LONGEST
    ids, real = torch.zeros(B, L, dtype=torch.long), torch.zeros(B, L, dtype=torch.bool)
    answers = torch.full((B, L, len(ASKED)), _UNASKED)
    places = torch.full((len(QUESTIONS), B, L), -1)
    for b, words in enumerate(sentences):
        ids[b, : len(words)] = torch.tensor([NUMBER[word] for word in words])
        real[b, : len(words)] = True
        for asked in language.parse(words):
            if asked.answer is not None:
                kind = QUESTIONS.index((language.CLASS[words[asked.asker]], asked.question))
                answer = CLASSES[asked.question].index(words[asked.answer])
                answers[b, asked.asker, ASKED.index(asked.question)] = answer
                places[kind, b, asked.asker] = asked.answer
    return Batch(ids, real, answers, places)


def train(
    seed: int = 5,
    *,
    weight_decay: float = 1.0,
    steps: int = 1000,
    sentences: Sequence[Sequence[str]] | None = None,
    watch: Callable[[int, float], object] = lambda step, loss: None,
) -> Reader:
    """Train a reader: `steps` batches of 64 sentences, with AdamW. The same seed gives the same reader on the same machine.

    weight_decay: what makes the heads readable. With 0 the answers are as right, but every question is spread over several heads.
    watch: is called in each step, with the step's number and loss.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        reader = Reader()
    data = encode(split()[0] if sentences is None else sentences)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(reader.parameters(), lr=(most := 0.01), weight_decay=weight_decay, betas=(0.9, 0.99))
    for step in range(steps):
        for group in optimizer.param_groups:  # 50 steps of warm-up, then half a cosine down to 0
            group["lr"] = most * min(1, (step + 1) / 50) * (0.5 + 0.5 * math.cos(math.pi * step / steps))
        pick = torch.randint(len(data.ids), (64,), generator=generator)
        loss = _loss(reader(data.ids[pick], data.real[pick]), data.answers[pick])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        watch(step, loss.item())
    return reader.eval()


def _loss(logits: tuple[Tensor, ...], answers: Int[Tensor, "B L 3"]) -> Tensor:
    """Cross-entropy in nats, averaged over all questions that the batch asks."""
    sums = (
        F.cross_entropy(some.flatten(0, 1), answers[..., n].flatten(), ignore_index=_UNASKED, reduction="sum")
        for n, some in enumerate(logits)
    )
    return torch.stack(list(sums)).sum() / (answers != _UNASKED).sum()


@torch.no_grad()
def measure(reader: Reader, sentences: Sequence[Sequence[str]]) -> list[Measured]:
    """For each kind of question in QUESTIONS: where the heads look, how many answers are right, and how many without each head."""
    data = encode(sentences)
    steps = reader.steps(data.ids, data.real)
    added = steps.heads @ reader.layer.W_O_heads  # (B, H, L, E)
    mean = (added * data.real[:, None, :, None]).sum((0, 2)) / data.real.sum()
    right = _right(reader, steps.y, data)
    without = [_right(reader, steps.y - added[:, h] + mean[h], data) for h in range(reader.H)]
    rows = []
    for (asks, question), places in zip(QUESTIONS, data.places, strict=True):
        asked, n = places >= 0, ASKED.index(question)
        index = places.clamp_min(0)[:, None, :, None].expand(-1, reader.H, -1, 1)
        weights = steps.weights.gather(-1, index)[..., 0].movedim(1, -1)[asked]  # (questions, H)
        rows.append(
            Measured(
                asks,
                question,
                shares=_rounded(weights.mean(0)),
                accuracy=_rounded(right[n][asked].float().mean()),
                without=[_rounded(some[n][asked].float().mean()) for some in without],
            )
        )
    return rows


def _right(reader: Reader, y: Tensor, data: Batch) -> list[Bool[Tensor, "B L"]]:
    """For each question of ASKED: where the likeliest word is the answer."""
    return [logits.argmax(-1) == data.answers[..., n] for n, logits in enumerate(reader.logits(y))]


def _rounded(numbers: Tensor) -> Any:
    return [round(one, _DIGITS) for one in numbers.tolist()] if numbers.dim() else round(float(numbers), _DIGITS)


def in_order(reader: Reader, sentences: Sequence[Sequence[str]]) -> Reader:
    """The same reader with its heads in the order of ASKED: each is the head that looks most at this question's answers.

    sentences: to measure with. Raises ValueError if one head looks most at the answers of two questions: these heads have no names.
    """
    rows = measure(reader, sentences)
    best = {
        question: [max(range(reader.H), key=row.shares.__getitem__) for row in rows if row.question == question]
        for question in ASKED
    }
    order = [heads[0] for heads in best.values()]
    if len(set(order)) < reader.H or any(len(set(heads)) > 1 for heads in best.values()):
        raise ValueError(f"the heads do not share the questions: {best} (question: heads that look most). Train with another seed.")
    ordered = Reader()
    ordered.load_state_dict(reader.state_dict())
    D = reader.layer.D
    rows_of = torch.cat([torch.arange(h * D, (h + 1) * D) for h in order])
    with torch.no_grad():
        for name in ("W_Q", "W_K", "W_V"):
            getattr(ordered.layer, name).copy_(getattr(reader.layer, name)[rows_of])
        ordered.layer.W_O.weight.copy_(reader.layer.W_O.weight[:, rows_of])
    return ordered.eval()


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
    return {name: [_rounded(row) for row in of(reader).detach()] for name, of in _MATRICES.items()}


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
