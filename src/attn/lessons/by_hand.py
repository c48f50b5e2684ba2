"""A model so small that its gradients are written out: a training loop runs wherever there is no automatic differentiation.

Its names and what they do are those of PyTorch: `loss.backward()` adds to `.grad`, `zero_grad()` empties it, `step()` moves.
"""

from collections.abc import Iterable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

__all__ = ["SGD", "Bigrams", "Loss", "Parameter"]


class Parameter:
    """Numbers that training adjusts, and their gradient."""

    def __init__(self, value: Tensor) -> None:
        self.value = value
        self.grad: Tensor | None = None


class Loss:
    """A number, and its gradient with respect to each parameter."""

    def __init__(self, value: Tensor, gradients: Sequence[tuple[Parameter, Tensor]], calls: list[str]) -> None:
        self.value = value
        self.gradients = gradients
        self.calls = calls

    def backward(self) -> None:
        """Add the gradients to those that the parameters have."""
        self.calls.append("backward")
        for parameter, gradient in self.gradients:
            parameter.grad = gradient.clone() if parameter.grad is None else parameter.grad + gradient

    def item(self) -> float:
        return float(self.value)

    def __mul__(self, factor: float | int) -> "Loss":
        return Loss(self.value * factor, [(of, gradient * factor) for of, gradient in self.gradients], self.calls)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float | int) -> "Loss":
        return self * (1 / divisor)

    def __neg__(self) -> "Loss":
        return self * -1

    def __add__(self, other: "Loss | int") -> "Loss":
        if not isinstance(other, Loss):  # sum() begins with 0
            return self
        return Loss(self.value + other.value, [*self.gradients, *other.gradients], self.calls)

    __radd__ = __add__


class Bigrams:
    """Predicts each token from the one before it: the logits after token i are W[i] + b.

    calls: where backward() and the optimizer note that they were called.
    """

    def __init__(self, words: int, calls: list[str] | None = None) -> None:
        generator = torch.Generator().manual_seed(0)
        self.words = words
        self.W = Parameter(torch.randn(words, words, generator=generator))
        self.b = Parameter(torch.randn(words, generator=generator))
        self.calls: list[str] = [] if calls is None else calls

    def parameters(self) -> list[Parameter]:
        return [self.W, self.b]

    def zero_grad(self) -> None:
        for parameter in self.parameters():
            parameter.grad = None

    def loss(self, ids: Tensor) -> Loss:
        """The mean loss of the tokens ids[1:], each predicted from the token before it. ids: (L,)."""
        before = F.one_hot(ids[:-1], self.words).float()
        logits = before @ self.W.value + self.b.value
        value = F.cross_entropy(logits, ids[1:])
        off = (logits.softmax(-1) - F.one_hot(ids[1:], self.words).float()) / len(ids[1:])
        return Loss(value, [(self.W, before.mT @ off), (self.b, off.sum(0))], self.calls)


class SGD:
    """Gradient descent: each step subtracts lr times its gradient from every parameter that has one."""

    def __init__(self, parameters: Iterable[Parameter], lr: float, calls: list[str] | None = None) -> None:
        self.parameters = list(parameters)
        self.lr = lr
        self.calls: list[str] = [] if calls is None else calls

    def zero_grad(self, set_to_none: bool = True) -> None:
        for parameter in self.parameters:
            parameter.grad = None if set_to_none or parameter.grad is None else torch.zeros_like(parameter.grad)

    def step(self) -> None:
        self.calls.append("step")
        for parameter in self.parameters:
            if parameter.grad is not None:
                parameter.value = parameter.value - self.lr * parameter.grad
