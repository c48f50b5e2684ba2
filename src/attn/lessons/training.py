"""Watching a model while it trains: the progress of the loop, and what the model does at some of its steps."""

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attn.layer import MultiHeadAttention
from attn.shapes import ShapeError
from attn.steps import LayerSteps

__all__ = ["Recording", "Watched", "progress"]


@runtime_checkable
class Watched(Protocol):
    """What a model must have so that its training can be recorded: TinyTransformer and Reader have it."""

    def get_parameter(self, target: str, /) -> nn.Parameter:
        """The parameter with this name, as of any nn.Module; "tokens.weight" is the embedding matrix."""

    def modules(self) -> Iterator[nn.Module]:
        """All its modules, as of any nn.Module; W_Q is recorded for those that are attention."""

    def steps(self, ids: Int[Tensor, "B L"]) -> list[LayerSteps] | LayerSteps:
        """Every tensor inside each layer, or inside the only one."""

    def chances(self, ids: Int[Tensor, "B L"]) -> Float[Tensor, "B ..."]:
        """The probability that the model gives to what is right."""

    def guesses(self, ids: Int[Tensor, "B L"]) -> Int[Tensor, "B ..."]:
        """The numbers of the words that the model finds likeliest, in the shape of `chances`."""


class Recording:
    """Frames of one training run: what a model computes for a few sequences that it is not trained on, every tenth step or so.

    model: the model being trained. ids: (B, L), the sequences to watch. name: what it learns, in a few words. titles: the titles
    of the sequences. words: the words of its vocabulary; their numbers if None. every: how many steps from one frame to the next.
    guess: the loss of a model that guesses; log(words) if None. known: (L,) or (B, L), the words that the loss counts, as tasks
    give them; all if None. back: how many places back each word should look, if that is the same in all sequences: seven where
    eight words are copied. measure: is called at each frame and gives shares from 0 to 1 by name, such as
    {"right answers": 0.5}. tests: the number of sequences that these are measured on.

    Call `keep(loss)` once in every step, before the optimizer's step: the frame then shows the parameters that the loss belongs
    to. All tensors are copies on the CPU, so nothing here changes when the model does.
    """

    def __init__(
        self,
        model: Watched,
        ids: Int[Tensor, "B L"],
        *,
        name: str,
        titles: Sequence[str] | None = None,
        words: Sequence[str] | None = None,
        every: int = 10,
        guess: float | None = None,
        known: Bool[Tensor, "*B L"] | None = None,
        back: int | None = None,
        measure: Callable[[], Mapping[str, float]] = dict,
        tests: int | None = None,
    ) -> None:
        self.model, self.ids, self.name, self.every = model, ids, name, every
        vocabulary = len(model.get_parameter("tokens.weight"))
        self.guess = math.log(vocabulary) if guess is None else guess
        self.titles = _named("titles", titles, len(ids), "sequences", start=1)
        self.words = _named("words", words, vocabulary, "words in the model's vocabulary")
        self.known = torch.ones_like(ids, dtype=torch.bool) if known is None else known.expand(ids.shape).clone()
        self.back, self.tests = back, tests
        if every < 1:
            raise ValueError(f"every = {every}: a frame can be kept every 1, 2, 3 ... steps.")
        if back is not None and not 0 <= back < ids.shape[1]:
            raise ValueError(f"back = {back}: in a sequence of {ids.shape[1]} words a place is 0 to {ids.shape[1] - 1} back.")
        self.losses: list[float] = []
        self.measured: dict[str, list[float]] = {}
        self._measure = measure
        self._frames: list[tuple[Tensor, ...]] = []

    @torch.no_grad()
    def keep(self, loss: Tensor | float) -> None:
        """Keep the loss of this step, and a frame every `every` steps."""
        if len(self.losses) % self.every == 0:
            steps = self.model.steps(self.ids)
            layers = [steps] if isinstance(steps, LayerSteps) else steps
            weights, table = torch.stack([layer.weights for layer in layers], 1), self.model.get_parameter("tokens.weight").detach()
            chances, guesses = self.model.chances(self.ids), self.model.guesses(self.ids)
            found = [one.W_Q.detach() for one in self.model.modules() if isinstance(one, MultiHeadAttention)]
            H = weights.shape[2]
            queries = torch.stack([W_Q.unflatten(0, (H, -1)) for W_Q in found or [torch.empty(H, 0)]])
            self._frames.append((weights.cpu(), chances.cpu(), guesses.cpu(), table.cpu().clone(), queries.cpu()))
            for name, share in self._measure().items():
                self.measured.setdefault(name, []).append(share)
        self.losses.append(float(loss))

    def __len__(self) -> int:
        """The number of frames."""
        return len(self._frames)

    @property
    def steps(self) -> list[int]:
        """The step before which each frame was kept: 0, 10, 20, ..."""
        return [frame * self.every for frame in range(len(self))]

    @property
    def weights(self) -> Float[Tensor, "frames B layers H L L"]:
        """The attention weights of every layer, frame by frame."""
        return self._stacked(0)

    @property
    def chances(self) -> Float[Tensor, "frames B ..."]:
        """The probability that the model gave to what is right: for TinyTransformer (frames, B, after), to each later word."""
        return self._stacked(1)

    @property
    def guesses(self) -> Int[Tensor, "frames B ..."]:
        """The words that the model found likeliest, in the shape of `chances`."""
        return self._stacked(2)

    @property
    def table(self) -> Float[Tensor, "frames words E"]:
        """The token embedding, frame by frame."""
        return self._stacked(3)

    @property
    def queries(self) -> Float[Tensor, "frames layers H D E"]:
        """W_Q of every head, frame by frame."""
        return self._stacked(4)

    def __repr__(self) -> str:
        return f"Recording({self.name!r}, {len(self.losses)} steps, {len(self)} frames of {len(self.ids)} sequences)"

    def _stacked(self, n: int) -> Tensor:
        if not self._frames:
            raise ValueError(f"the recording {self.name!r} has no frames: call keep(loss) in every step of the training.")
        return torch.stack([frame[n] for frame in self._frames])


def _named(name: str, given: Sequence[str] | None, count: int, what: str, start: int = 0) -> list[str]:
    """The given names, one for each of `count` things; their numbers if None."""
    if given is None:
        return [str(n) for n in range(start, start + count)]
    if len(given) != count:
        raise ShapeError(f"{name} has {len(given)} names, and there are {count} {what}: each needs its own.")
    return list(given)


def progress(steps: int) -> Iterable[int]:
    """0, 1, ..., steps - 1, with a bar of tqdm that shows how many are done: in a notebook, or in a terminal.

    There is no bar without tqdm, or where the environment sets TQDM_DISABLE, as it does when the book is built.
    """
    if steps < 1:
        raise ValueError(f"steps = {steps}: there must be at least one.")
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped]
    except ImportError:  # attn computes without it
        return range(steps)
    hidden = bool(os.environ.get("TQDM_DISABLE"))  # the bar of a notebook does not look at it
    return tqdm(range(steps), unit=" steps", disable=hidden)
