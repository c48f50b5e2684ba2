"""What a layer with a wrong line computes: the plain layer of `attn.lessons.bugs`, with the recorded weights."""

import functools
import inspect
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from attn.labs.inputs import normal
from attn.lessons import language, reader
from attn.lessons.bugs import BUGS, Bug, layer, planted

__all__ = ["CONTEXT", "GIVEN", "SHOWN", "Outcome", "line_of", "outcome"]

GIVEN = {
    "self": "a sentence, no mask",
    "causal": "a prompt, causal mask",
    "prompt": "causal mask, padding in front",
    "new": "one new word, with a cache",
    "other": "keys of another sentence",
    "train": "a sentence, in training with dropout",
    "grouped": "grouped heads, random numbers",
    "half": "float16 and a causal mask, random numbers",
}
CONTEXT = language.EXAMPLES[1].split()[:5]
PADDING = 2  # words in front
GROUPED = {"H": 4, "G": 2, "D": 3}  # the sizes of the grouped layer
DROPPED = 0.5  # the share of the weights that dropout drops
FAR = 1e-4  # numbers that are closer are the same up to rounding
FAR_SUM = 2e-3  # and sums of weights that are closer, in half precision too
_NAMES = """
split by view only; interleaved split; split and merge by view; keys from x; W_V unused; values are the keys
queries and keys swapped; batch and length swapped; grouped heads tiled
keys not transposed; .T on four axes; K reshaped instead of transposed; K times Q; cosine, not the product
no scale; scale by the root of E; scale by D; scale after softmax
top-left causal mask; diagonal hidden; triangle upside down; padding ignored; later keys visible; padding on the query axis
inverted mask; a finite number for −∞; scores times mask; mask of 1 and 0 added; mask ignored; mask after softmax
an empty mask row not zeroed; softmax over queries; softmax over heads; hard attention
no maximum subtracted; one maximum for all rows; weights transposed; the first head's weights for all; dropout never on
dropout not rescaled; scores used as weights; mean instead of sum; dropout always on
merge without the transpose; heads in reverse order; weight not transposed; heads averaged; no W_O
residual inside; residual and LayerNorm inside; cached keys returned as values; positions start at 0 again
"""
_CHOSEN = {name.strip() for name in _NAMES.replace("\n", ";").split(";")}
SHOWN: dict[str, Bug] = {bug.name: bug for bug in BUGS if bug.name in _CHOSEN}


@dataclass(frozen=True)
class Outcome:
    """Weights (H, L, S) and y (L, E), or the message of an error."""

    weights: Tensor | None
    y: Tensor | None
    message: str = ""

    def shape(self, name: str) -> list[int] | None:
        tensor = getattr(self, name)
        return None if tensor is None else list(tensor.shape)

    def moved(self, right: "Outcome", name: str) -> int | None:
        """How many numbers are others than those of the right lines; None if the shape is another, or there are none."""
        mine, theirs = getattr(self, name), getattr(right, name)
        if mine is None or mine.shape != theirs.shape:
            return None
        return int((~((mine - theirs).abs() <= FAR)).sum())

    def keeps_sums(self, right: "Outcome") -> bool | None:
        """Whether every row of weights sums to what it does with the right lines, where both have as many rows."""
        if self.weights is None or right.weights is None or self.weights.shape[:2] != right.weights.shape[:2]:
            return None
        return bool(((self.weights.sum(-1) - right.weights.sum(-1)).abs() <= FAR_SUM).all())


@functools.cache
def line_of(name: str) -> tuple[str, str, str, str]:
    """The line of a bug: what stands before it, what is right there, what is wrong, and what stands after it; in whole words."""
    bug = SHOWN[name]
    (right,) = (one.strip() for one in inspect.getsource(layer).splitlines() if bug.right in one)
    wrong = right.replace(bug.right, bug.wrong)
    start = _alike(right, wrong)
    end = _alike(right[start:][::-1], wrong[start:][::-1])
    return right[:start], right[start : len(right) - end], wrong[start : len(wrong) - end], right[len(right) - end :]


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike, without a word of which only a part is."""
    n = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    is_within = re.match(r"\w", one[n:]) or re.match(r"\w", other[n:])
    return len(re.sub(r"\w+$", "", one[:n])) if is_within else n


@functools.cache
def _planted(name: str) -> ModuleType:
    """The code of the layer with this bug, or with none, in which dropout always drops the same."""
    code = planted(SHOWN.get(name))
    vars(code).update(F=_Instead(F, dropout=_dropout), torch=_Instead(torch, rand_like=_uniform))
    return code


@functools.lru_cache(maxsize=4096)
@torch.no_grad()
def outcome(name: str, given: str, L: int) -> Outcome:
    """What the layer computes for the first L words of the sentence, with this bug, or with none."""
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings(), torch.device("cpu"):
        warnings.simplefilter("ignore")  # of F.softmax without an axis
        try:
            weights, y = _run(_planted(name), given, L)
        except (RuntimeError, IndexError) as error:
            return Outcome(None, None, str(error).partition("\n")[0])
    return Outcome(weights[0].float(), y[0].float())


@functools.cache
def _recorded() -> Any:
    return reader.recorded().cpu()


def _run(code: ModuleType, given: str, L: int) -> tuple[Tensor, Tensor]:
    recorded = _recorded()
    model = code.Model(len(language.WORDS), language.LONGEST, recorded.E, recorded.H, recorded.layer.D)
    model.tokens.weight.copy_(recorded.tokens.weight)
    model.positions.copy_(recorded.places.weight)
    one = model.layers[0]
    one.W_QKV.copy_(recorded.layer.W_QKV.weight)
    one.W_O.weight.copy_(recorded.layer.W_O.weight)
    ids = _ids(language.EXAMPLES[0].split()[:L])
    x = recorded.embed(ids)
    if given == "grouped":
        H, G, D = GROUPED.values()
        one = code.Layer(recorded.E, H, G, D, D)
        _fill(one, lambda drawn: drawn / 2)
    if given == "half":
        _fill(one, torch.round)
        one.half()
        x = (2 * x).round().half()
    one.train(given == "train").dropout = DROPPED
    if given not in ("causal", "prompt", "new"):
        keep = code.may_attend(L, torch.ones(1, L, dtype=torch.bool)) if given == "half" else None
        result: tuple[Tensor, Tensor] = one(x, recorded.embed(_ids(CONTEXT)) if given == "other" else None, keep)
        return result[::-1]
    seen: list[tuple[Tensor, Tensor]] = []
    one.register_forward_hook(lambda module, inputs, output: seen.append(output))
    if given != "new":
        hidden = min(PADDING, L - 1) if given == "prompt" else 0  # the last word is never padding
        model(ids, torch.arange(L)[None] >= hidden)
    else:
        real = torch.ones(1, L, dtype=torch.bool)
        cache = code.Cache(1, recorded.H, language.LONGEST, recorded.layer.D, recorded.layer.D)
        if L > 1:
            model(ids[:, :-1], real[:, :-1], cache)
        model(ids[:, -1:], real, cache)
    return seen[-1][::-1]


def _fill(one: Any, change: Callable[[Tensor], Tensor]) -> None:
    """Random weights, the same as in model.js. For half precision they are whole numbers, so that rounding begins with softmax."""
    H, G, D, Dv = one.sizes
    rows = {"W_Q": H * D, "W_K": G * D, "W_V": G * Dv, "W_O": H * Dv}
    drawn = {name: change(normal(0, name, range(count), H * D)) for name, count in rows.items()}
    one.W_O.weight.copy_(drawn.pop("W_O"))
    one.W_QKV.copy_(torch.cat([*drawn.values()]))


class _Instead:
    """A module of which some functions are others."""

    def __init__(self, module: ModuleType, **others: Callable[..., Tensor]) -> None:
        self._module = module
        self.__dict__.update(others)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def _uniform(weights: Tensor) -> Tensor:
    """For each weight one of two numbers, below and above the share that is dropped: always the same, as in wrong.js."""
    _, H, R, C = weights.shape
    rows = [h * language.LONGEST + row for h in range(H) for row in range(R)]
    return (normal(0, "dropout", rows, C) > 0).view(1, H, R, C).to(weights) * 0.5 + 0.25


def _dropout(weights: Tensor, share: float) -> Tensor:
    return weights * (_uniform(weights) > share) / (1 - share) if share else weights


def _ids(words: list[str]) -> Any:
    return torch.tensor([[language.NUMBER[word] for word in words]])
