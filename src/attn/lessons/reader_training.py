"""The training of `attn.lessons.reader`, and measurements of its heads."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Int
from torch import Tensor

from attn.lessons import language
from attn.lessons.language import CLASSES, EXAMPLES, LONGEST, NUMBER, QUESTIONS, WORDS
from attn.lessons.reader import ASKED, Reader, rounded
from attn.lessons.training import Recording, progress

__all__ = [
    "Batch",
    "Measured",
    "accuracies",
    "closest",
    "encode",
    "fresh",
    "guessing",
    "highest",
    "in_order",
    "measure",
    "record_training",
    "split",
    "train_reader",
    "two_heads",
]

_UNASKED = -100  # F.cross_entropy ignores it


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


def fresh(seed: int = 5) -> Reader:
    """A reader that has learned nothing yet. The same seed gives the same one."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Reader()


def train_reader(
    seed: int = 5,
    *,
    reader: Reader | None = None,
    weight_decay: float = 1.0,
    steps: int = 1000,
    sentences: Sequence[Sequence[str]] | None = None,
    watch: Callable[[Tensor], object] = lambda loss: None,
) -> Reader:
    """Train a reader: `steps` batches of 64 sentences, with AdamW. The same seed gives the same reader on the same machine.

    reader: the one to train; fresh(seed) if None. weight_decay: what makes the heads readable. With 0 as many answers are right,
    but the heads share the questions. sentences: those of split() if None. watch: is called with the loss in every step, before the
    parameters change, as `Recording.keep` of a recording of this reader must be.
    """
    reader = fresh(seed) if reader is None else reader
    data = encode(split()[0] if sentences is None else sentences)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(reader.parameters(), lr=(most := 0.01), weight_decay=weight_decay, betas=(0.9, 0.99))
    for step in progress(steps):
        for group in optimizer.param_groups:  # 50 steps of warm-up, then half a cosine down to 0
            group["lr"] = most * min(1, (step + 1) / 50) * (0.5 + 0.5 * math.cos(math.pi * step / steps))
        pick = torch.randint(len(data.ids), (64,), generator=generator)
        loss = _loss(reader(data.ids[pick], data.real[pick]), data.answers[pick])
        watch(loss.detach())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return reader.eval()


def _loss(logits: tuple[Tensor, ...], answers: Int[Tensor, "B L 3"]) -> Tensor:
    """Cross-entropy in nats, averaged over all questions that the batch asks."""
    sums = (
        F.cross_entropy(some.flatten(0, 1), answers[..., n].flatten(), ignore_index=_UNASKED, reduction="sum")
        for n, some in enumerate(logits)
    )
    return torch.stack(list(sums)).sum() / (answers != _UNASKED).sum()


def record_training(
    name: str,
    seed: int = 5,
    *,
    weight_decay: float = 1.0,
    steps: int = 1001,
    every: int = 25,
    watched: Sequence[str] = EXAMPLES[:3],
    data: tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]] | None = None,
) -> Recording:
    """Train a reader as `train_reader` does, and record it: at each frame also how many answers are right.

    name: of the recording. watched: the sentences whose weights are kept, all of the same length. data: the sentences to train on
    and those to measure with; all of the first and a tenth of the second part of split() if None.
    """
    sentences, held_out = split(held_out=200) if data is None else data
    reader, test = fresh(seed), encode(held_out)
    recording = Recording(
        reader,
        torch.tensor([[NUMBER[word] for word in text.split()] for text in watched]),
        name=name,
        titles=watched,
        words=WORDS,
        every=every,
        guess=guessing(test),
        measure=lambda: accuracies(reader, test),
        tests=len(held_out),
    )
    train_reader(seed, reader=reader, weight_decay=weight_decay, steps=steps, sentences=sentences, watch=recording.keep)
    return recording


def guessing(data: Batch) -> float:
    """The loss of a reader that finds all words of a class equally likely."""
    counts = (data.answers != _UNASKED).sum((0, 1))
    costs = torch.tensor([math.log(len(CLASSES[question])) for question in ASKED])
    return float((counts * costs).sum() / counts.sum())


@torch.no_grad()
def accuracies(reader: Reader, data: Batch) -> dict[str, float]:
    """The share of right answers to each question of ASKED."""
    right = _right(reader, reader.layer(reader.embed(data.ids), mask=data.real[:, None, None, :]), data)
    asked = [data.answers[..., n] != _UNASKED for n in range(len(ASKED))]
    return {name: float(some[there].float().mean()) for name, some, there in zip(ASKED, right, asked, strict=True)}


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
                shares=rounded(weights.mean(0)),
                accuracy=rounded(right[n][asked].float().mean()),
                without=[rounded(some[n][asked].float().mean()) for some in without],
            )
        )
    return rows


def two_heads(reader: Reader, sentences: Sequence[Sequence[str]]) -> tuple[float, float]:
    """The weight on the answers to a question of the head that gives most, and of the next one; the average over the questions."""
    rows = measure(reader, sentences)
    found = torch.stack([torch.tensor([row.shares for row in rows if row.question == question]).mean(0) for question in ASKED])
    first, second, *_ = found.sort(descending=True).values.mean(0).tolist()
    return first, second


@torch.no_grad()
def closest(reader: Reader, name: str) -> tuple[float, float]:
    """The smallest and the largest cosine of the vectors of two words of a class."""
    vectors = F.normalize(reader.tokens.weight[[NUMBER[word] for word in CLASSES[name]]], dim=-1)
    cosines = (vectors @ vectors.T)[~torch.eye(len(vectors), dtype=torch.bool)]
    return float(cosines.min()), float(cosines.max())


@torch.no_grad()
def highest(reader: Reader, sentences: Sequence[Sequence[str]]) -> list[str]:
    """For each kind of question in QUESTIONS the class whose keys the words that ask it score highest.

    Scores are averages without positions, of the head that looks most at the answers to this question in the sentences.
    """
    rows, D = measure(reader, sentences), reader.layer.D
    means = torch.stack([reader.tokens.weight[[NUMBER[word] for word in CLASSES[name]]].mean(0) for name in CLASSES])
    found = []
    for asks, question in QUESTIONS:
        shares = torch.tensor([row.shares for row in rows if row.question == question]).mean(0)
        head = slice(int(shares.argmax()) * D, (int(shares.argmax()) + 1) * D)
        query = means[list(CLASSES).index(asks)] @ reader.layer.W_Q[head].T
        scores = means @ reader.layer.W_K[head].T @ query
        found.append(list(CLASSES)[int(scores.argmax())])
    return found


def _right(reader: Reader, y: Tensor, data: Batch) -> list[Bool[Tensor, "B L"]]:
    """For each question of ASKED: where the likeliest word is the answer."""
    return [logits.argmax(-1) == data.answers[..., n] for n, logits in enumerate(reader.logits(y))]


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
