"""TrainingLab: a training that has happened, step by step: loss, weights, the words foretold, the rows of the embedding."""

import base64
import functools
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.lab import Lab
from attn.lessons import tasks
from attn.lessons.model import TinyTransformer
from attn.lessons.training import Recording
from attn.trace.table import table

__all__ = ["TrainingLab"]


class TrainingLab(Lab):
    """Move through the frames of one or several recordings of a training.

    recordings: of `attn.lessons.training.Recording`, each with a name of its own; a short one is made if there is none.
    task: the name of the recording that is shown. frame: which of its frames, from 0. sequence: which of the sequences that it
    watched, from 0. word: the row of the embedding whose path is drawn. pin: the weight that is explained, (layer, head, row,
    column).

    After any change `lab.step` and `lab.loss` are those of the frame, and `lab.weights` (layers, H, L, L) the weights on the
    sequence. `lab.shares` (layers, H) is the mean share that each head gives to what came right after an earlier occurrence of the
    word that looks (the last word, from which nothing is foretold, left out); `lab.before` (layers, H) the share given to the word
    just before, where a word stands that should be looked at so. `lab.chances` (L - 1,) is the probability given to each word after
    the first before it came. `lab.dots` (words, 2) are the rows of the embedding, seen along the two directions in which all rows
    together have moved most; `lab.path` (frames, 2) is the way of the chosen row, `lab.strides` (frames,) how far it has moved
    since the frame before, in all E numbers, and `lab.moved` the sum of these up to now.

    *copy code* names the variables of the notebook that hold the recordings; where there are none, it is not offered.

    A page carries the recording, so it is kept small: weights and probabilities are rounded to 1/255, in the kernel too.

    A frame, sequence or word that the recording does not have, and a task that there is not, raises ValueError.
    """

    STATE = ("task", "frame", "sequence", "word")
    VIEW = ("pin",)
    CONSTANTS = ("_runs",)
    LIMITS: ClassVar[Mapping[str, tuple[int, int]]] = {}

    task = traitlets.Unicode().tag(sync=True)
    frame = traitlets.Int(0, min=0).tag(sync=True)
    sequence = traitlets.Int(0, min=0).tag(sync=True)
    word = traitlets.Int(0, min=0).tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), None, minlen=4, maxlen=4, allow_none=True).tag(sync=True)
    _runs: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)

    def __init__(self, *recordings: Recording, **settings: Any) -> None:
        kept = recordings or (_short_run(),)
        self._kept = {recording.name: _Run(recording) for recording in kept}
        if len(self._kept) < len(kept):
            raise ValueError(f"two recordings are called {kept[0].name!r}: the lab tells them apart by their names.")
        runs = [run.packed() for run in self._kept.values()]
        super().__init__(**{"task": kept[0].name, **settings}, _runs=runs, _positional=_variables(recordings))

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        if state["task"] not in self._kept:
            raise ValueError(f'task = "{state["task"]}": the recordings are {", ".join(map(repr, self._kept))}.')
        normalized = dict(state)
        for name, count in self._kept[state["task"]].counts.items():
            if state[name] >= count:
                if name in changed and ("task" not in changed or not self._computed_state):
                    raise ValueError(f"{name} = {state[name]}: this recording has {count} {name}s, from 0 to {count - 1}.")
                normalized[name] = count - 1
        return normalized

    def compute(self) -> Mapping[str, Any]:
        run = self._kept[self.task]
        return run.at(self.frame, self.sequence, self.word)

    def fallback(self) -> str:
        rows = []
        for name, run in self._kept.items():
            for frame in sorted({n * (run.counts["frame"] - 1) // 4 for n in range(5)}):
                shown = run.at(frame, 0, 0)
                shares = [f"{share:.2f}" for share in shown["shares"].flatten().tolist()]
                rows.append((name, str(shown["step"]), f"{shown['loss']:.2f}", ", ".join(shares)))
        losses = table(("training", "step", "loss", "share of each head, layer by layer"), rows)
        share = "how much of its weight a head gives to what came right after an earlier occurrence of the same word"
        return f"{losses.html()}<p>Share: {share}.</p>"


class _Run:
    """A recording in few bytes: what the page gets, and what the kernel answers from."""

    def __init__(self, recording: Recording) -> None:
        weights, table = recording.weights, recording.table
        self.recording, self.L = recording, weights.shape[-1]
        self.counts = {"frame": len(weights), "sequence": len(recording.ids), "word": len(recording.words)}
        self.shape = tuple(weights.shape[2:4])
        lower = torch.tril_indices(self.L, self.L)
        self.weights = _bytes(weights[..., lower[0], lower[1]])
        self.chances = _bytes(recording.chances)
        moves = table - table[0]
        directions = torch.linalg.svd(moves.flatten(0, 1), full_matrices=False).Vh[:2]
        strides = (table - torch.cat([table[:1], table[:-1]])).norm(dim=-1, keepdim=True)
        places = torch.cat([table @ directions.T, strides], -1)
        farthest = places.abs().amax((0, 1)).clamp(min=1e-9)
        self.reach = [float(farthest[:2].max()), float(farthest[2])]  # of the picture, and of the strides
        self.places = (places / self._scale * 32767).round().to(torch.int16)
        self.losses = [round(loss, 4) for loss in recording.losses]
        self.looks = tasks.follows(recording.ids).cpu()
        self.looks[:, -1] = False  # nothing is foretold from the last place

    @property
    def _scale(self) -> Tensor:
        picture, stride = self.reach
        return torch.tensor([picture, picture, stride])

    def packed(self) -> dict[str, Any]:
        """The same for JSON."""
        recording = self.recording
        return {
            "name": recording.name,
            "titles": recording.titles,
            "words": recording.words,
            "ids": recording.ids.tolist(),
            "shape": [*self.shape, self.L],
            "steps": recording.steps,
            "losses": self.losses,
            "guess": math.log(len(recording.words)),
            "reach": self.reach,
            "weights": _coded(self.weights, "u1"),
            "chances": _coded(self.chances, "u1"),
            "places": _coded(self.places, "<i2"),
        }

    def at(self, frame: int, sequence: int, word: int) -> dict[str, Any]:
        """What the lab shows of one frame."""
        weights = torch.zeros(*self.shape, self.L, self.L)
        lower = torch.tril_indices(self.L, self.L)
        weights[..., lower[0], lower[1]] = self.weights[frame, sequence] / 255
        look = self.looks[sequence]
        asked, wanted = look.any(-1), look.any(-2)[1:]  # the words that look, and those (after the first) that should be looked at
        shares = before = torch.zeros(self.shape)
        if asked.any():
            shares = (weights * look).sum(-1)[..., asked].mean(-1)
            before = weights.diagonal(-1, -2, -1)[..., wanted].mean(-1)
        places = self.places * (self._scale / 32767)
        step = self.recording.steps[frame]
        results: dict[str, Any] = {
            "weights": weights,
            "shares": shares,
            "before": before,
            "chances": self.chances[frame, sequence] / 255,
            "dots": places[frame, :, :2],
            "path": places[:, word, :2],
            "strides": places[:, word, 2],
        }
        on_device = {name: tensor.to(device()) for name, tensor in results.items()}
        moved = float(places[: frame + 1, word, 2].sum())
        return on_device | {"step": step, "loss": self.losses[step], "moved": moved}


def _variables(values: Sequence[object]) -> list[str] | None:
    """The variables of the notebook, or of the script, that hold these values; None if one of them has no name there."""
    names = {id(value): name for name, value in vars(sys.modules["__main__"]).items() if not name.startswith("_")}
    return [names[id(value)] for value in values] if all(id(value) in names for value in values) else None


def _bytes(shares: Tensor) -> Tensor:
    """Numbers from 0 to 1 as whole numbers from 0 to 255."""
    return (shares * 255).round().to(torch.uint8)


def _coded(numbers: Tensor, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers.numpy(), dtype=kind).tobytes()).decode()


@functools.cache
def _short_run() -> Recording:
    """A model learns to copy four words, which takes less than a second."""
    generator = torch.Generator().manual_seed(0)
    with torch.random.fork_rng(devices=[]), torch.device("cpu"):
        torch.manual_seed(0)
        model = TinyTransformer(words=8, S_max=8, E=16, H=2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    watched, _ = tasks.copying(3, 4, 8, generator=generator)
    recording = Recording(model, watched, name="copy 4 words", words=list("stuvwxyz"))
    for _ in range(101):
        loss = model.loss(*tasks.copying(32, 4, 8, generator=generator))
        recording.keep(loss)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return recording
