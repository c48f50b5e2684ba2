"""What a layer with a wrong line computes: the plain layer of `attn.lessons.bugs`, with the recorded weights."""

import functools
import inspect
import re
import warnings
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from attn.lessons import language, reader
from attn.lessons.bugs import BUGS, Bug, layer, planted

__all__ = ["CONTEXT", "GIVEN", "SHOWN", "Outcome", "line_of", "outcome"]

GIVEN = {
    "self": "a sentence, no mask",
    "prompt": "causal mask, padding in front",
    "new": "one new word, with a cache",
    "other": "keys of another sentence",
}
CONTEXT = language.EXAMPLES[1].split()[:5]
PADDING = 2  # words in front
FAR = 1e-4  # numbers that are closer are the same up to rounding
_NAMES = """
split by view only; interleaved split; split and merge by view; keys from x; W_V unused; values are the keys
queries and keys swapped; keys not transposed; K reshaped instead of transposed; K times Q; cosine, not the product
no scale; scale by the root of E; scale by D; scale after softmax
top-left causal mask; diagonal hidden; triangle upside down; padding ignored; later keys visible; padding on the query axis
inverted mask; scores times mask; mask of 1 and 0 added; mask ignored; mask after softmax
an empty mask row not zeroed; softmax over queries; softmax over heads; hard attention
weights transposed; the first head's weights for all; scores used as weights; mean instead of sum
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
        return bool(((self.weights.sum(-1) - right.weights.sum(-1)).abs() <= FAR).all())


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


@functools.lru_cache(maxsize=1024)
@torch.no_grad()
def outcome(name: str, given: str, L: int) -> Outcome:
    """What the layer computes for the first L words of the sentence, with this bug, or with none."""
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings(), torch.device("cpu"):
        warnings.simplefilter("ignore")  # of F.softmax without an axis
        try:
            weights, y = _run(planted(SHOWN.get(name)), given, L)
        except (RuntimeError, IndexError) as error:
            return Outcome(None, None, str(error).partition("\n")[0])
    return Outcome(weights[0], y[0])


def _run(code: ModuleType, given: str, L: int) -> tuple[Tensor, Tensor]:
    recorded = reader.recorded().cpu()
    model = code.Model(len(language.WORDS), language.LONGEST, recorded.E, recorded.H, recorded.layer.D)
    model.tokens.weight.copy_(recorded.tokens.weight)
    model.positions.copy_(recorded.places.weight)
    one = model.layers[0].eval()
    one.W_QKV.copy_(recorded.layer.W_QKV.weight)
    one.W_O.weight.copy_(recorded.layer.W_O.weight)
    ids = _ids(language.EXAMPLES[0].split()[:L])
    if given in ("self", "other"):
        x = recorded.embed(ids)
        result: tuple[Tensor, Tensor] = one(x, None if given == "self" else recorded.embed(_ids(CONTEXT)))
        return result[::-1]
    seen: list[tuple[Tensor, Tensor]] = []
    one.register_forward_hook(lambda module, inputs, output: seen.append(output))
    if given == "prompt":
        model(ids, torch.arange(L)[None] >= min(PADDING, L - 1))  # the last word is never padding
    else:
        real = torch.ones(1, L, dtype=torch.bool)
        cache = code.Cache(1, recorded.H, language.LONGEST, recorded.layer.D, recorded.layer.D)
        if L > 1:
            model(ids[:, :-1], real[:, :-1], cache)
        model(ids[:, -1:], real, cache)
    return seen[-1][::-1]


def _ids(words: list[str]) -> Any:
    return torch.tensor([[language.NUMBER[word] for word in words]])
