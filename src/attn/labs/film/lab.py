"""FilmLab: the numbers of one sentence on their way through multi-head attention, as a film."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.lab import Lab
from attn.lessons import language
from attn.lessons.reader import HEADS, recorded

__all__ = ["FilmLab"]


class FilmLab(Lab):
    """A film of the recorded layer of `attn.lessons.reader`: it can be played, scrubbed and stepped, and every cell pointed at.

    time: the moment that is shown, in seconds from 0 to END. At 0 the film plays by itself as soon as it is in sight, unless the
    reader prefers reduced motion.

    `lab.steps` is the whole computation (a `LayerSteps`), and each of its tensors an attribute: `lab.scores` (B, H, L, S),
    `lab.weights`, `lab.y`, ..., on `attn.device()`.
    """

    END: ClassVar[float] = 26.2
    STATE = ()
    VIEW = ("time",)
    CONSTANTS = ("_sentence",)

    time = traitlets.Float(0.0, min=0.0, max=END).tag(sync=True)
    _sentence = traitlets.Unicode(language.EXAMPLES[0]).tag(sync=True)

    @torch.no_grad()
    def compute(self) -> Mapping[str, Any]:
        ids = torch.tensor([[language.NUMBER[word] for word in self._sentence.split()]])
        steps = recorded().to(device()).steps(ids.to(device()))
        return {"steps": steps, "context": None, **dict(steps.items())}

    def send(self, results: Mapping[str, Any]) -> Iterable[str]:
        return [name for name, value in results.items() if isinstance(value, Tensor)]

    @property
    def _width(self) -> str:
        return "attn-lab full-width"

    def fallback(self) -> str:
        words = self._sentence.split()
        told = []
        for asked in language.parse(words):
            head = HEADS.index(asked.question)
            row = self.weights[0, head, asked.asker]
            most = int(row.argmax())
            gives = f"head {head} gives {row[most]:.2f} of its weight to “{words[most]}”."
            told.append(f"“{words[asked.asker]}” asks {asked.question}: {gives}")
        return f"{self.steps._repr_html_()}<p>{' '.join(told)}</p>"
