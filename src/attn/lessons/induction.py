"""Models that learn to continue a repetition, and measurements of their heads (see `tasks.repeating`).

The results of many trainings of one layer and of two are recorded: see `record()`. tools/train_seeds.py trains and records them.
"""

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn.core import attention
from attn.lessons.model import TinyTransformer
from attn.lessons.tasks import follows, repeating
from attn.lessons.training import Recording, progress
from attn.shapes import merge_heads, split_heads

__all__ = ["RECORD", "WORDS", "L", "batch", "continued", "heads", "learner", "patched", "record", "rises", "train", "watched"]

RECORD = Path(__file__).with_name("seeds.json")
WORDS, L = 16, 24
_PERIODS = (7, 11)  # of the sequences that are watched


def batch(generator: torch.Generator | None = None, B: int = 64) -> tuple[Int[Tensor, "B L"], Bool[Tensor, "B L"]]:
    """Sequences of 24 tokens out of 16, each with a period of its own, from 4 to 12; and which tokens can be predicted."""
    return repeating(B, L, WORDS, generator=generator)


def watched() -> tuple[Int[Tensor, "3 L"], Bool[Tensor, "3 L"]]:
    """Three sequences: of period 7, of period 11, without a rule; and which tokens can be predicted."""
    generator = torch.Generator().manual_seed(0)
    repeated = [torch.randperm(WORDS, generator=generator)[:period][torch.arange(L) % period] for period in _PERIODS]
    random = torch.randint(WORDS, (L,), generator=generator)
    return torch.stack([*repeated, random]), torch.arange(L) >= torch.tensor([[*_PERIODS, L]]).mT


def learner(layers: int, seed: int = 0) -> TinyTransformer:
    """A model that has learned nothing yet: E = 32 and two heads in each layer."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return TinyTransformer(WORDS, S_max=L, E=32, H=2, layers=layers)


def train(
    model: TinyTransformer, steps: int, *, seed: int = 0, watch: Callable[[Tensor], object] = lambda loss: None
) -> TinyTransformer:
    """Train with AdamW, each step on a new batch. watch: is called with the loss in every step, before the parameters change."""
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for _ in progress(steps):
        loss = model.loss(*batch(generator))
        watch(loss.detach())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


def heads(weights: Float[Tensor, "*runs 3 2 2 L L"]) -> dict[str, Float[Tensor, "*runs 2"]]:
    """What the two heads of each layer do in the watched sequences, from the weights of both layers.

    induction: the share of its weight that each head of layer 1 gives to the tokens after earlier occurrences of the current one,
    in the sequence of period 11. previous: the share that each head of layer 0 gives to the token before, where layer 1 needs it.
    """
    after = follows(watched()[0])[1]
    before = torch.zeros(L, L, dtype=torch.bool)
    before[range(1, L // 2 + 1), range(L // 2)] = True
    second = weights[..., 1, :, :, :, :]
    return {"induction": _share(second[..., 1, :, :, :], after), "previous": _share(second[..., 0, :, :, :], before)}


def _share(weights: Float[Tensor, "*heads L L"], where: Bool[Tensor, "L L"]) -> Float[Tensor, "*heads"]:
    """How much of the weight of a row is where it is True, on average over the rows that have such a place."""
    return (weights * where).sum(-1)[..., where.any(-1)].mean(-1)


def rises(recording: Recording, of: Float[Tensor, "frames 2"]) -> int:
    """The first recorded step at which the best head has come halfway from its share at the start to that at the end."""
    best = of.max(-1).values
    return recording.steps[int((best > (best[0] + best[-1]) / 2).nonzero()[0])]


@torch.no_grad()
def patched(model: TinyTransformer, ids: Int[Tensor, "B L"], known: Bool[Tensor, "B L"], what: str = "") -> float:
    """The loss of two layers if the queries, keys or values of layer 1 are made without what layer 0 adds: what is Q, K or V."""
    (first_norm, first), (norm, layer) = model._blocks()
    x = model.tokens(ids) + model.positions.weight[: ids.shape[1]]
    stream = x + first(first_norm(x), causal=True)
    made = [norm(x if name == what else stream) @ getattr(layer, f"W_{name}").T for name in "QKV"]
    q, k, v = (split_heads(tensor, n) for tensor, n in zip(made, (layer.H, layer.G, layer.G), strict=True))
    y = stream + layer.W_O(merge_heads(attention(q, k, v, causal=True)))
    logits, counted = model.logits(model.last_norm(y))[:, :-1], known[:, 1:]
    return float(F.cross_entropy(logits[counted], ids[:, 1:][counted]))


@torch.no_grad()
def continued(model: TinyTransformer, *, B: int = 500) -> float:
    """The share of right answers in sequences unlike those of the training: 12 different tokens, then 5 of them again, from the
    second to the sixth on. What comes next is the token after an earlier occurrence of the last one."""
    generator = torch.Generator().manual_seed(7)
    first = torch.rand(B, WORDS, generator=generator).argsort(1)[:, :12]
    start = torch.randint(1, 6, (B, 1), generator=generator)
    ids = torch.cat([first, first.gather(1, start + torch.arange(5))], 1)
    right = first.gather(1, start + 5)[:, 0]
    return float((model(ids)[:, -1].argmax(-1) == right).float().mean())


@functools.cache
def record() -> dict[str, Any]:
    """What seeds.json holds: "one layer", "two layers" and "readers", a list of trainings each."""
    return json.loads(RECORD.read_text(encoding="utf-8"))
