"""A recording of a training as TrainingLab carries it: few bytes, and the results of one frame."""

import base64
import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attn.core import device
from attn.lessons import tasks
from attn.lessons.training import Recording

__all__ = ["Run"]


class Run:
    """A recording in few bytes, from which the page and the kernel both compute."""

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
        self.reach = [float(farthest[:2].max()), float(farthest[2])]  # the largest coordinate and the largest stride
        self.places = (places / self._scale * 32767).round().to(torch.int16)
        self.losses = [round(loss, 4) for loss in recording.losses]
        self.follows = tasks.follows(recording.ids).cpu()
        self.follows[:, -1] = False  # nothing is predicted from the last token

    @property
    def _scale(self) -> Tensor:
        picture, stride = self.reach
        return torch.tensor([picture, picture, stride])

    def packed(self) -> dict[str, Any]:
        """What the page gets, for JSON."""
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
            "weights": _base64(self.weights, "u1"),
            "chances": _base64(self.chances, "u1"),
            "places": _base64(self.places, "<i2"),
        }

    def at(self, frame: int, sequence: int, word: int) -> dict[str, Any]:
        """What the lab shows of one frame."""
        weights = torch.zeros(*self.shape, self.L, self.L)
        lower = torch.tril_indices(self.L, self.L)
        weights[..., lower[0], lower[1]] = self.weights[frame, sequence] / 255
        follows = self.follows[sequence]
        looking, targets = follows.any(-1), follows.any(-2)[1:]  # the words that look, and where (after the first word) they should
        shares = before = torch.zeros(self.shape)
        if looking.any():
            shares = (weights * follows).sum(-1)[..., looking].mean(-1)
            before = weights.diagonal(-1, -2, -1)[..., targets].mean(-1)
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


def _bytes(shares: Tensor) -> Tensor:
    """Numbers from 0 to 1 as whole numbers from 0 to 255."""
    return (shares * 255).round().to(torch.uint8)


def _base64(numbers: Tensor, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers.numpy(), dtype=kind).tobytes()).decode()
