"""A recording of a training as TrainingLab carries it: few bytes, and the results of one frame."""

import base64
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attn.core import device
from attn.lessons import language, tasks
from attn.lessons.reader import ASKED
from attn.lessons.training import Recording

__all__ = ["MOMENTS", "Run", "steepest"]

MOMENTS = ("first", "fall", "last", "learned")  # names of frames
LEARNED = 0.98  # of the answers to each question are right, from the frame "learned" on

STORED = 256  # numbers of W_Q in a model, at most: more of them would be cells too small to see

# What a word is asked, and where the answer stands: the place that asks, which of the questions, the number of the right word, and
# its place in the sequence; -1 if it has none.
Ask = tuple[int, int, int, int]


class Run:
    """A recording in few bytes, from which the page and the kernel both compute."""

    def __init__(self, recording: Recording) -> None:
        weights, table = recording.weights, recording.table
        self.recording, self.L = recording, weights.shape[-1]
        self.counts = {"frame": len(weights), "sequence": len(recording.ids), "word": len(recording.words)}
        self.shape = tuple(weights.shape[2:4])
        self.questions = list(ASKED) if recording.chances.dim() == 4 else []
        self.asks = [self._asks(ids) for ids in recording.ids.tolist()]
        self.causal = bool((weights.triu(1) == 0).all())
        kept = torch.tril_indices(self.L, self.L) if self.causal else torch.ones(self.L, self.L).nonzero().T
        self.kept: tuple[Tensor, Tensor] = (kept[0], kept[1])
        self.weights = _bytes(weights[..., kept[0], kept[1]])
        self.chances = [_bytes(some) for some in self._of_asks(recording.chances)]
        self.guesses = [some.to(torch.uint8) for some in self._of_asks(recording.guesses)]
        moves = table - table[0]
        directions = torch.linalg.svd(moves.flatten(0, 1), full_matrices=False).Vh[:2]
        strides = (table - torch.cat([table[:1], table[:-1]])).norm(dim=-1, keepdim=True)
        places = torch.cat([table @ directions.T, strides], -1)
        farthest = places.abs().amax((0, 1)).clamp(min=1e-9)
        self.reach = [float(farthest[:2].max()), float(farthest[2])]  # the largest coordinate and the largest stride
        self.places = (places / self._scale * 32767).round().to(torch.int16)
        self.losses = [round(loss, 3) for loss in recording.losses]
        queries = recording.queries
        changes = queries.diff(dim=0).flatten(1).norm(dim=-1).cumsum(0)
        self.changed = [0.0, *(round(change, 3) for change in changes.tolist())]
        self.queries = queries if queries[0].numel() <= STORED else queries[..., :0]
        self.most = float(self.queries.abs().amax()) if self.queries.numel() else 1.0
        self.queries = (self.queries / self.most * 127).round().to(torch.int8)
        self.fall = round(steepest(self.losses) / recording.every)
        self.fall = min(self.fall, self.counts["frame"] - 1)
        self.measured = {name: [round(share, 3) for share in shares] for name, shares in recording.measured.items()}
        self.learned = self._learned()
        self.goals = self._goals()
        self.counted = recording.known[:, 1:].int().tolist()

    @property
    def _scale(self) -> Tensor:
        picture, stride = self.reach
        return torch.tensor([picture, picture, stride])

    def _goals(self) -> Tensor:
        """(B, L, L): where each word should look: as far back as the task says or, without that, after the same word."""
        ids, back = self.recording.ids.cpu(), self.recording.back
        if back is None:
            goals = tasks.follows(ids)
        else:
            goals = torch.eye(self.L, dtype=torch.bool).roll(-back, 1).tril().expand(len(ids), -1, -1).clone()
        goals[:, -1] = False  # nothing is predicted from the last token
        return goals

    def _asks(self, ids: list[int]) -> list[Ask]:
        """What the words of a sequence ask: the questions of the language or, without questions, which word comes next."""
        if not self.questions:
            return [(i, 0, word, -1) for i, word in enumerate(ids[1:])]
        asked = language.parse([self.recording.words[number] for number in ids])
        return [(one.asker, ASKED.index(one.question), ids[one.answer], one.answer) for one in asked if one.answer is not None]

    def _of_asks(self, numbers: Tensor) -> list[Tensor]:
        """Of (frames, B, L) or (frames, B, L, questions) those that somebody asks for: (frames, asks) for each sequence."""
        if not self.questions:
            return list(numbers.unbind(1))
        return [
            torch.stack([some[:, i, n] for i, n, *_ in asks], 1) for some, asks in zip(numbers.unbind(1), self.asks, strict=True)
        ]

    @property
    def goal(self) -> str:
        """What the shares measure, in words."""
        if self.questions:
            return "to the answers of the questions who / what / when"
        if self.recording.back is None:
            return "to what came right after an earlier occurrence of the same word"
        return f"to the place {self.recording.back} back"

    def packed(self) -> dict[str, Any]:
        """What the page gets, for JSON."""
        recording = self.recording
        return {
            "name": recording.name,
            "titles": recording.titles,
            "words": recording.words,
            "ids": recording.ids.tolist(),
            "shape": [*self.shape, self.L],
            "causal": self.causal,
            "questions": self.questions,
            "asks": self.asks,
            "back": recording.back,
            "counted": self.counted,
            "steps": recording.steps,
            "losses": [round(1000 * loss) for loss in self.losses],
            "fall": self.fall,
            "guess": recording.guess,
            "tests": recording.tests,
            "measured": self.measured,
            "reach": self.reach,
            "weights": _base64(self.weights, "u1"),
            "chances": [_base64(some, "u1") for some in self.chances],
            "guesses": [_base64(some, "u1") for some in self.guesses],
            "places": _base64(self.places, "<i2"),
            "D": self.queries.shape[3],
            "most": self.most,
            "queries": _base64(self.queries, "i1"),
            "changed": self.changed,
        }

    def frame(self, name: str) -> int:
        """The number of the frame with this name, or whose number is written in it."""
        named = dict(zip(MOMENTS, (0, self.fall, self.counts["frame"] - 1, self.learned), strict=True))
        return named[name] if name in named else int(name)

    def _learned(self) -> int:
        """The first frame from which on the answers stay right; the last one if there is none, or if nothing is asked."""
        last = self.counts["frame"] - 1
        if not self.questions or not self.measured:
            return last
        lowest = [min(shares) for shares in zip(*self.measured.values(), strict=True)]
        wrong = [n for n, share in enumerate(lowest) if share < LEARNED]
        return min(wrong[-1] + 1, last) if wrong else 0

    def at(self, frame: int, sequence: int, word: int) -> dict[str, Any]:
        """What the lab shows of one frame."""
        weights = torch.zeros(*self.shape, self.L, self.L)
        weights[..., self.kept[0], self.kept[1]] = self.weights[frame, sequence] / 255
        places = self.places * (self._scale / 32767)
        step = self.recording.steps[frame]
        results: dict[str, Any] = {
            "weights": weights,
            **self._shares(weights, sequence),
            "chances": self.chances[sequence][frame] / 255,
            "guesses": self.guesses[sequence][frame].float(),
            "dots": places[frame, :, :2],
            "path": places[:, word, :2],
            "strides": places[:, word, 2],
            "queries": self.queries[frame] * (self.most / 127),
        }
        on_device = {name: tensor.to(device()) for name, tensor in results.items()}
        moved = float(places[: frame + 1, word, 2].sum())
        return on_device | {"step": step, "loss": self.losses[step], "moved": moved}

    def _shares(self, weights: Tensor, sequence: int) -> dict[str, Tensor]:
        """How much of their weight the heads give to what they should look at, on average."""
        if self.questions:
            shares = torch.zeros(*self.shape, len(self.questions))
            for n in range(len(self.questions)):
                cells = [(i, j) for i, question, _, j in self.asks[sequence] if question == n]
                if cells:
                    shares[..., n] = torch.stack([weights[..., i, j] for i, j in cells]).mean(0)
            return {"shares": shares}
        goals = self.goals[sequence]
        looking, targets = goals.any(-1), goals.any(-2)  # the words that look, and where they should
        helping = (targets if self.recording.back is None else looking)[1:]  # nothing stands before the first word
        shares = before = torch.zeros(self.shape)
        if looking.any():
            shares = (weights * goals).sum(-1)[..., looking].mean(-1)
            before = weights.diagonal(-1, -2, -1)[..., helping].mean(-1)
        return {"shares": shares, "before": before}


def steepest(losses: list[float]) -> int:
    """The step around which the loss falls fastest.

    The mean of the steps before it is the furthest above that of the steps after it: a twentieth of the training on each side, so
    that the chance of single batches does not count.
    """
    width = max(1, len(losses) // 20)
    sums = np.concatenate([[0.0], np.cumsum(losses)])
    ends = np.arange(width, len(losses) - width + 1)
    drops = 2 * sums[ends] - sums[ends - width] - sums[ends + width]
    return int(ends[drops.argmax()]) if len(drops) else 0


def _bytes(shares: Tensor) -> Tensor:
    """Numbers from 0 to 1 as whole numbers from 0 to 255."""
    return (shares * 255).round().to(torch.uint8)


def _base64(numbers: Tensor, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers.numpy(), dtype=kind).tobytes()).decode()
