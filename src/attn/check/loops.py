"""Checkers for training loops. They run on a model whose gradients are written out, so a page can run them, and recognise a
mistake by the parameters at the end.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import conclude, run, same
from attn.check.verdict import Verdict
from attn.lessons.by_hand import SGD, Bigrams

__all__ = ["accumulated_step", "training_loop"]

Answer = Callable[[Bigrams, SGD, list[Tensor]], Any]
State = tuple[Tensor, Tensor]  # W and b

_LR = 0.5
_WORDS = 5
# Lengths of the sequences. A mean over all predictions differs from the mean of the sequences' means.
_BATCHES = ((4, 6, 3), (5, 2))
_PARTS = ((3, 7, 4), (2, 6))


def training_loop(answer: Answer) -> Verdict:
    """Check answer(model, optimizer, batches): one step of gradient descent on each batch.

    model: a `Bigrams`, optimizer: an `SGD` (both of `attn.lessons.by_hand`), batches: a list of sequences (L,). The answer trains
    fresh models. Their parameters are compared with those after a right loop and after each of the usual bugs: gradients never
    cleared or cleared too early, a step before the gradients, no step, one step for all batches, only one of the batches.
    """
    return conclude(
        (_loop(answer, lengths) for lengths in _BATCHES),
        "Each step moves W and b against the gradients of its own batch, and starts without old gradients.",
    )


def accumulated_step(answer: Answer) -> Verdict:
    """Check answer(model, optimizer, parts): one step whose gradient is that of the mean loss of all predictions in all parts.

    model: a `Bigrams`, optimizer: an `SGD` (both of `attn.lessons.by_hand`), parts: a list of sequences (L,) of unequal lengths,
    each with L - 1 predictions. The verdict recognises by the parameters afterwards how the parts were weighted instead.
    """
    return conclude(
        (_accumulation(answer, lengths) for lengths in _PARTS),
        "The step is that of one batch with all predictions: each has the same weight, in a long part and in a short one.",
    )


def _loop(answer: Answer, lengths: Sequence[int]) -> str:
    ids = _sequences(lengths)
    got, calls, complaint = _trained(answer, ids, "batches")
    want = _replayed(ids, "zbs")
    if complaint or _equal(got, want):
        return complaint
    start = f"With {len(ids)} batches, "
    if _equal(got, _replayed(ids, "")):
        return start + _nothing(calls)
    for state, message in _known_loops(ids):
        if _equal(got, state):
            return start + message
    if calls.count("step") > len(ids):
        return f"{start}your code takes {calls.count('step')} steps. Each batch needs one: how often does it call optimizer.step()?"
    return start + _fallback(got, _replayed(ids, ""))


def _known_loops(ids: list[Tensor]) -> Iterator[tuple[State, str]]:
    yield (
        _replayed(ids, "bs"),
        "the first step is right. In the second, W and b moved by the sum of the gradients of two batches, because backward() adds "
        "to .grad. Which call empties .grad, and when?",
    )
    for orders in ("sb", "szb"):
        yield (
            _replayed(ids, orders),
            "each step comes before the gradients of its batch, so it uses older ones. Call backward() before step().",
        )
    yield (
        _replayed(ids, "b", "s"),
        "W and b moved once, by the sum of all gradients. Does optimizer.step() stand inside the loop?",
    )
    yield (
        _replayed(ids, "zb", "s"),
        "W and b moved once, by the gradient of the last batch. Does optimizer.step() stand inside the loop?",
    )
    yield _replayed(ids[:1], "zbs"), "only the first one was used. Does your code return inside the loop?"
    yield _replayed(ids[:1] * len(ids), "zbs"), "the first one was used in every step. Which variable does the loop count with?"
    yield _replayed(ids, "zbs", lr=-_LR), "W and b moved along their gradients, so the loss grows. What is the sign of the loss?"


def _accumulation(answer: Answer, lengths: Sequence[int]) -> str:
    ids = _sequences(lengths)
    got, calls, complaint = _trained(answer, ids, "parts")
    counts = [len(part) - 1 for part in ids]
    if complaint or _equal(got, _weighted(ids, [n / sum(counts) for n in counts])):
        return complaint
    start = f"With parts of {', '.join(map(str, counts[:-1]))} and {counts[-1]} predictions, "
    if _equal(got, _replayed(ids, "")):
        return start + _nothing(calls)
    for state, message in _known_accumulations(ids, counts):
        if _equal(got, state):
            return start + message
    return start + _fallback(got, _replayed(ids, ""))


def _known_accumulations(ids: list[Tensor], counts: Sequence[int]) -> Iterator[tuple[State, str]]:
    parts, total = len(ids), sum(counts)
    yield (
        _weighted(ids, [1 / parts for _ in ids]),
        f"W and b moved by the mean of the parts' gradients. Each part counts alike, so a prediction of the shortest part counts "
        f"{max(counts) / min(counts):g} times as much as one of the longest. How much should a part count?",
    )
    yield (
        _weighted(ids, [1.0 for _ in ids]),
        f"W and b moved by the sum of the parts' gradients. The mean of {total} predictions is wanted: how much does a part count?",
    )
    yield (
        _weighted(ids, [float(n) for n in counts]),
        f"each part has the right share, but the step is {total} times too long: the mean of {total} predictions is wanted, not "
        "their sum.",
    )
    tokens = [n + 1 for n in counts]
    yield (
        _weighted(ids, [n / sum(tokens) for n in tokens]),
        "each part is weighted by its number of tokens. Its first token is not predicted. How many predictions are in it?",
    )
    weighted = [n / total for n in counts]
    yield (
        _weighted(ids[-1:], weighted[-1:]),
        "the step uses the last part alone: the gradients of the others were emptied. When does .grad have to be empty?",
    )
    yield _weighted(ids[-1:], [1 / parts]), "the step uses the last part alone. When does .grad have to be empty?"
    for factors in ([1 / parts for _ in ids], weighted, [1.0 for _ in ids]):
        for order in ("zbs", "bs"):
            yield (
                _replayed(ids, order, factors=factors),
                f"your code takes {parts} steps. Then a later part is computed with other parameters than the first. One step is "
                "wanted: where does optimizer.step() stand?",
            )


def _sequences(lengths: Sequence[int]) -> list[Tensor]:
    generator = torch.Generator().manual_seed(sum(lengths))
    return [torch.randint(_WORDS, (length,), generator=generator) for length in lengths]


def _trained(answer: Answer, ids: list[Tensor], name: str) -> tuple[State, list[str], str]:
    """The parameters after the answer, the calls of "backward" and "step", and a complaint if it raises."""
    calls: list[str] = []
    model = Bigrams(_WORDS, calls)
    optimizer = SGD(model.parameters(), _LR, calls)
    _, complaint = run(
        answer, {"model": model, "optimizer": optimizer, name: [one.clone() for one in ids]}, f"With {len(ids)} {name}"
    )
    return _state(model), calls, complaint


def _replayed(ids: Iterable[Tensor], order: str, after: str = "", lr: float = _LR, factors: Sequence[float] | None = None) -> State:
    """The parameters after these calls for each sequence, and those after the loop: z empties .grad, b is backward(), s is step().

    Before the calls for a sequence its loss is computed. factors: what the losses are multiplied by.
    """
    model = Bigrams(_WORDS)
    optimizer = SGD(model.parameters(), lr)
    for n, one in enumerate(ids):
        loss = model.loss(one) * (factors[n] if factors else 1.0)
        for call in order:
            {"z": optimizer.zero_grad, "b": loss.backward, "s": optimizer.step}[call]()
    if after:
        optimizer.step()
    return _state(model)


def _weighted(ids: Iterable[Tensor], factors: Sequence[float]) -> State:
    """The parameters after one step with the weighted sum of the losses."""
    return _replayed(ids, "b", "s", factors=factors)


def _state(model: Bigrams) -> State:
    return model.W.value, model.b.value


def _equal(one: State, other: State) -> bool:
    return all(same(a, b, 1e-5) for a, b in zip(one, other, strict=True))


def _fallback(got: State, before: State) -> str:
    still = [name for name, a, b in zip("Wb", got, before, strict=True) if same(a, b, 1e-5)]
    if still:
        return f"{still[0]} did not move. Does the optimizer update all of model.parameters()?"
    return "W and b moved, but not by the right gradients. Do you use model.loss and the optimizer that is passed in?"


def _nothing(calls: list[str]) -> str:
    """Why no parameter has changed, according to the calls."""
    if "backward" not in calls:
        return "neither W nor b has changed, and neither has a gradient. Which call computes the gradients?"
    if "step" not in calls:
        return "neither W nor b has changed, although both have gradients. Which call of the optimizer takes the step?"
    if calls.index("step") < calls.index("backward"):
        return "neither W nor b has changed: each step comes before there is a gradient. Call backward() before step()."
    return "neither W nor b has changed: .grad was emptied before the step. What do you call between backward() and step()?"
