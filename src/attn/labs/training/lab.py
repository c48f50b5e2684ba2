"""TrainingLab: a training that has happened, step by step: loss, weights, guesses in words, rows of the embedding."""

import functools
import sys
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import torch
import traitlets

from attn.labs.lab import Lab
from attn.labs.stage import Chip
from attn.labs.training.run import MOMENTS, Run
from attn.lessons import tasks
from attn.lessons.model import TinyTransformer
from attn.lessons.training import Recording
from attn.trace.table import table

__all__ = ["TrainingLab"]


class Frame(traitlets.TraitType[str, str | int]):
    """The number of a frame, as text, or the name of one: see MOMENTS. A whole number is turned into text."""

    info_text = f"a whole number, {', '.join(map(repr, MOMENTS))}"

    def validate(self, obj: Any, value: Any) -> str:
        if value not in MOMENTS and not (str(value).isdecimal() and not isinstance(value, bool)):
            raise traitlets.TraitError(f"frame = {value!r}: a frame is a number from 0, or {', '.join(map(repr, MOMENTS))}.")
        return str(value)


class TrainingLab(Lab):
    """The frames of one or several recordings of a training.

    recordings: of type `attn.lessons.training.Recording`, with different names; without any, the lab makes a short one. task: the
    name of the recording that is shown. frame: which of its frames, from 0, or "first", "last", "fall", the one where the loss
    falls fastest, or "learned", from which on at least 98 of 100 answers to each question are right; at "first" the recording plays
    once as soon as it is in sight, unless the reader prefers reduced motion, and pauses where the answers begin to be right.
    sequence: which of its sequences, from 0. head: (layer, head), whose weights are drawn; in a recording of
    `attn.lessons.reader` those of all heads are, and it is the one of the pin. pin: the weight that is described, (row,
    column). show: "weights", or "rows" for the rows of the embedding. word: the row whose path is drawn.

    After any change `lab.step` and `lab.loss` are those of the frame, and `lab.weights` (layers, H, L, L) are the weights on the
    sequence. `lab.chances` and `lab.guesses` have a number for each question that is asked: the probability of the right answer,
    and the number of the likeliest word. In a model that predicts the next word, each word but the last asks which one it is;
    `lab.shares` (layers, H) is the mean weight of each head on what came right after an earlier occurrence of the word that looks
    (without the last word, from which nothing is predicted), and `lab.before` (layers, H) is the mean weight on the word just
    before, over the words that such a word should look at. If the recording has a fixed distance `back`, `lab.shares` is the mean
    weight on the place so far back, and `lab.before` is the mean over the same rows.

    In a recording of `attn.lessons.reader`, `lab.shares` (layers, H, 3) is
    the mean weight on the answers of who, what and when. `lab.dots` (words, 2) are the rows of the embedding along the two
    directions in which all rows together have moved most; `lab.path` (frames, 2) is the path of the chosen row, `lab.strides`
    (frames,) the distance from the frame before in all E numbers, and `lab.moved` the sum of the strides up to this frame.

    *copy code* names the notebook's variables that hold the recordings. It is not offered if a recording has no variable.

    `lab.queries` (layers, H, D, E) is W_Q of each head, which training adjusts; of a large model it is left out: E is 0.

    A page carries the recordings, so they are kept small: weights and probabilities are rounded to 1/255, W_Q to 1/127 of its
    largest number, and losses to 1/1000, in the kernel too.

    Raises ValueError if there is no such task, or the recording has no such frame, sequence or word.
    """

    STATE = ("task", "frame", "sequence", "word")
    VIEW = ("head", "pin", "show")
    CONSTANTS = ("_runs",)
    LIMITS: ClassVar[Mapping[str, tuple[int, int]]] = {}
    QUESTION = "What does training change, and when?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("before training", {"frame": "first", "show": "weights"}),
        ("the loss falls fastest", {"frame": "fall", "show": "weights"}),
        ("trained", {"frame": "last", "show": "weights"}),
    )
    PARTS = ("board", "curves")
    CONTROLS = ("step", "head", "task", "sequence", "show", "word")

    task = traitlets.Unicode().tag(sync=True)
    frame = Frame("first").tag(sync=True)
    sequence = traitlets.Int(0, min=0).tag(sync=True)
    word = traitlets.Int(0, min=0).tag(sync=True)
    head = traitlets.List(traitlets.Int(min=0), [0, 0], minlen=2, maxlen=2).tag(sync=True)
    pin = traitlets.List(traitlets.Int(min=0), None, minlen=2, maxlen=2, allow_none=True).tag(sync=True)
    show = traitlets.Enum(("weights", "rows"), "weights").tag(sync=True)
    _runs: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)

    def __init__(self, *recordings: Recording, **settings: Any) -> None:
        kept = recordings or (_short_run(),)
        self._runs_by_name = {recording.name: Run(recording) for recording in kept}
        if len(self._runs_by_name) < len(kept):
            names = [recording.name for recording in kept]
            duplicate = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"two recordings are called {duplicate!r}: the lab tells them apart by their names.")
        runs = [run.packed() for run in self._runs_by_name.values()]
        super().__init__(**{"task": kept[0].name, **settings}, _runs=runs, _positional=_variables(recordings))

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        if state["task"] not in self._runs_by_name:
            raise ValueError(f'task = "{state["task"]}": the recordings are {", ".join(map(repr, self._runs_by_name))}.')
        run, normalized = self._runs_by_name[state["task"]], dict(state)
        for name, count in run.counts.items():
            value = run.frame(state[name]) if name == "frame" else state[name]
            if value >= count:
                if name in changed and ("task" not in changed or not self._computed_state):
                    raise ValueError(f"{name} = {value}: this recording has {count} {name}s, from 0 to {count - 1}.")
                normalized[name] = "last" if name == "frame" else count - 1
        return normalized

    def compute(self) -> Mapping[str, Any]:
        run = self._runs_by_name[self.task]
        return run.at(run.frame(self.frame), self.sequence, self.word)

    def fallback(self) -> str:
        rows = []
        for name, run in self._runs_by_name.items():
            for frame in sorted({n * (run.counts["frame"] - 1) // 4 for n in range(5)}):
                results = run.at(frame, 0, 0)
                shares = [_head(share) for share in results["shares"].flatten(0, 1)]
                rows.append((name, results["step"], f"{results['loss']:.2f}", ", ".join(shares)))
        columns = ("training", "step", "loss", "share of each head")
        goals: dict[str, list[str]] = {}
        for name, run in self._runs_by_name.items():
            goals.setdefault(run.goal, []).append(name)
        told = [goal if len(goals) == 1 else f"{goal} ({' and '.join(names)})" for goal, names in goals.items()]
        return (
            f"{table(columns, rows).html()}<p>The shares stand head by head; where a model has two layers, those of its first "
            f"layer come first. A share says how much of its weight a head gives, on average, {'; '.join(told)}.</p>"
        )


def _head(share: torch.Tensor) -> str:
    """The share of a head, or its three shares."""
    return " / ".join(f"{number:.2f}" for number in share.flatten().tolist())


def _variables(values: Sequence[object]) -> list[str] | None:
    """The names of the variables in the notebook or script that hold these values; None if one of them has no variable."""
    names = {id(value): name for name, value in vars(sys.modules["__main__"]).items() if not name.startswith("_")}
    return [names[id(value)] for value in values] if all(id(value) in names for value in values) else None


@functools.cache
def _short_run() -> Recording:
    """A model that learns to copy four words, in less than a second."""
    generator = torch.Generator().manual_seed(0)
    with torch.random.fork_rng(devices=[]), torch.device("cpu"):
        torch.default_generator.manual_seed(0)
        model = TinyTransformer(words=8, S_max=8, E=16, H=2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    letters = torch.randperm(8, generator=generator)
    four, other = letters.split(4)
    few = four[[0, 0, 0, 1]]
    watched = torch.cat([four, four, few, few, four, other]).view(3, 8)
    titles = ["four different words", "words that repeat", "not a copy"]
    known = tasks.copying(1, 4, 8, generator=generator)[1]
    look: dict[str, Any] = {"titles": titles, "words": list("stuvwxyz"), "known": known, "back": 3}
    recording = Recording(model, watched, name="copy 4 words", every=4, **look)
    for _ in range(101):
        loss = model.loss(*tasks.copying(32, 4, 8, generator=generator))
        recording.keep(loss)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return recording
