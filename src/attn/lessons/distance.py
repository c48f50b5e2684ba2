"""A task over a distance, and networks that reach more or less far: which word was marked? (see `tasks.marked`)

The results of several trainings of each are recorded: see `trainings()`. tools/train_distance.py trains and records them.
"""

import functools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from attn.layer import MultiHeadAttention
from attn.lessons.tasks import marked
from attn.lessons.training import progress

__all__ = ["BACKS", "NETWORKS", "TRAININGS", "Convolutions", "LastWord", "accuracy_by_distance", "train_network", "trainings"]

TRAININGS = Path(__file__).with_name("distance.json")
BACKS = (0, 1, 2, 4, 6, 8, 9, 12, 14, 15, 20, 25, 31)  # at which answers are counted, of 32 words
_WORDS, _E, _KERNEL = 8, 32, 3


class _Attention(nn.Module):
    """One causal layer with two heads and a residual connection; positions are not added."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = MultiHeadAttention(_E, H=2)

    def forward(self, x: Float[Tensor, "B L E"]) -> Float[Tensor, "B L E"]:
        return x + self.layer(x, causal=True)


class _Recurrent(nn.Module):
    """One layer of nn.RNN, nn.LSTM or nn.GRU."""

    def __init__(self, kind: Callable[..., nn.RNNBase]) -> None:
        super().__init__()
        self.layer = kind(_E, _E, batch_first=True)

    def forward(self, x: Float[Tensor, "B L E"]) -> Float[Tensor, "B L E"]:
        return self.layer(x)[0]


class Convolutions(nn.Module):
    """Causal convolutions of kernel size 3, one for each of these dilations, with residual connections."""

    def __init__(self, *dilations: int, E: int = _E) -> None:
        super().__init__()
        self.dilations = dilations
        self.layers = nn.ModuleList(nn.Conv1d(E, E, _KERNEL, dilation=n) for n in dilations)

    def forward(self, x: Float[Tensor, "B L E"]) -> Float[Tensor, "B L E"]:
        """Zeros stand before the first position, as many as a convolution reaches back, so that none reads a later one."""
        x = x.mT
        for layer, dilation in zip(self.layers, self.dilations, strict=True):
            x = x + F.relu(layer(F.pad(x, ((_KERNEL - 1) * dilation, 0))))
        return x.mT


NETWORKS: dict[str, Callable[[], nn.Module]] = {
    "attention": _Attention,
    "LSTM": lambda: _Recurrent(nn.LSTM),
    "RNN": lambda: _Recurrent(nn.RNN),
    "4 convolutions": lambda: Convolutions(1, 1, 1, 1),
    "3 dilated": lambda: Convolutions(1, 2, 4),
}


class LastWord(nn.Module):
    """Says at the last word which of them was marked: an embedding, a network of NETWORKS, and a matrix for the logits."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.tokens = nn.Embedding(2 * _WORDS, _E)
        self.network = NETWORKS[name]()
        self.logits = nn.Linear(_E, _WORDS)

    def forward(self, ids: Int[Tensor, "B L"]) -> Float[Tensor, "B words"]:
        return self.logits(self.network(self.tokens(ids))[:, -1])


def train_network(
    name: str, seed: int, *, steps: int = 250, L: int = 32, lr: float = 5e-3, watch: Callable[[LastWord, int], object] | None = None
) -> LastWord:
    """Train with Adam, each step on 64 new sequences of L words. watch: is called with the model and how many steps it has had."""
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = LastWord(name)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for step in progress(steps):
        ids, word = marked(64, L, _WORDS, generator=generator)
        optimizer.zero_grad()
        F.cross_entropy(model(ids), word).backward()
        optimizer.step()
        if watch is not None:
            watch(model, step + 1)
    return model


@torch.no_grad()
def accuracy_by_distance(model: LastWord, backs: Sequence[int] = BACKS, *, L: int = 32, B: int = 500) -> list[float]:
    """For each distance, the share of right answers in B new sequences of L words. A guess is right in 1 of 8."""
    generator = torch.Generator().manual_seed(1000)
    shares = []
    for back in backs:
        ids, word = marked(B, L, _WORDS, back=back, generator=generator)
        shares.append(float((model(ids).argmax(-1) == word).float().mean()))
    return shares


@functools.cache
def trainings() -> dict[str, Any]:
    """What distance.json holds: "short", 250 steps on 32 words, and "long", up to 1,500 steps on 64, a list of trainings each."""
    return json.loads(TRAININGS.read_text(encoding="utf-8"))
