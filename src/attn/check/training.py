"""A checker for one training step. It recognises a bug by the parameters after the step."""

import copy
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attn.check.answers import conclude, run
from attn.check.verdict import Verdict
from attn.lessons import tasks
from attn.lessons.model import TinyTransformer

__all__ = ["training_step"]

Step = Callable[[TinyTransformer, torch.optim.Optimizer, Tensor, Tensor], Any]
State = dict[str, Tensor]

_LR = 0.1


def training_step(answer: Step) -> Verdict:
    """Check answer(model, optimizer, ids, known): one step of gradient descent on the predictable tokens of these sequences.

    The answer is run twice on a tiny model, each time with other sequences. The new parameters are compared with those after a
    right step and with those after each of the usual bugs: no step, gradients of the last step not cleared, gradients cleared too
    early, a loss on unshifted targets or on unpredictable tokens, a step uphill, two steps, a second optimizer.
    """
    model = _tiny()
    optimizer = torch.optim.SGD(model.parameters(), lr=_LR)
    events: list[str] = []
    model.logits.weight.register_hook(lambda _: events.append("backward"))
    optimizer.register_step_pre_hook(lambda *_: events.append("step"))
    complaints = (_complaint(answer, model, optimizer, events, n) for n in range(2))
    return conclude(complaints, "Every parameter moves against its own gradient, and each step starts without old gradients.")


def _complaint(answer: Step, model: TinyTransformer, optimizer: torch.optim.Optimizer, events: list[str], n: int) -> str:
    events.clear()
    ids, known = _sequences(n)
    before = _state(model)
    left = {name: None if p.grad is None else p.grad.detach().clone() for name, p in model.named_parameters()}
    operands = {"model": model, "optimizer": optimizer, "ids": ids, "known": known}
    with torch.enable_grad():
        _, complaint = run(answer, operands, f"In step {n + 1}", _why_raised)
    after = _state(model)
    if complaint or _same(after, _stepped(model, before, ids, known)):
        return complaint
    return _found(model, before, after, left, (ids, known), events)


def _tiny() -> TinyTransformer:
    with torch.random.fork_rng(devices=[]), torch.device("cpu"):
        torch.default_generator.manual_seed(0)
        return TinyTransformer(words=7, S_max=10, E=12, H=3, layers=2)


def _sequences(n: int) -> tuple[Tensor, Tensor]:
    return tasks.copying(4, 5, 7, generator=torch.Generator().manual_seed(n))


def _state(model: nn.Module) -> State:
    return {name: parameter.detach().clone() for name, parameter in model.named_parameters()}


def _same(a: State, b: State) -> bool:
    return all(torch.isclose(a[name], b[name], rtol=1e-4, atol=1e-6).all() for name in a)


Loss = Callable[[TinyTransformer, Tensor, Tensor], Tensor]


def _right(model: TinyTransformer, ids: Tensor, known: Tensor) -> Tensor:
    return model.loss(ids, known)


def _unshifted(model: TinyTransformer, ids: Tensor, known: Tensor) -> Tensor:
    return F.cross_entropy(model(ids).flatten(0, 1), ids.flatten())


def _unshifted_known(model: TinyTransformer, ids: Tensor, known: Tensor) -> Tensor:
    return F.cross_entropy(model(ids)[:, known].flatten(0, 1), ids[:, known].flatten())


def _backwards(model: TinyTransformer, ids: Tensor, known: Tensor) -> Tensor:
    return F.cross_entropy(model(ids)[:, 1:].flatten(0, 1), ids[:, :-1].flatten())


def _everything(model: TinyTransformer, ids: Tensor, known: Tensor) -> Tensor:
    return model.loss(ids)


def _gradients(model: TinyTransformer, state: State, loss: Loss, ids: Tensor, known: Tensor) -> State:
    """The gradient of every parameter at `state`."""
    twin = copy.deepcopy(model).requires_grad_(True)
    twin.load_state_dict(state)
    twin.zero_grad()
    with torch.enable_grad():
        loss(twin, ids, known).backward()
    return {name: torch.zeros_like(p) if p.grad is None else p.grad.detach() for name, p in twin.named_parameters()}


def _moved(state: State, gradients: State, rate: float = _LR) -> State:
    return {name: state[name] - rate * gradients[name] for name in state}


def _stepped(model: TinyTransformer, state: State, ids: Tensor, known: Tensor, loss: Loss = _right) -> State:
    return _moved(state, _gradients(model, state, loss, ids, known))


def _found(
    model: TinyTransformer,
    before: State,
    after: State,
    left: dict[str, Tensor | None],
    batch: tuple[Tensor, Tensor],
    events: list[str],
) -> str:
    """The known bug that explains the step; if there is none, which parameters it moved.

    left: the gradients that the previous step left. events: the calls of "backward" and "step", in order.
    """
    if _same(after, before):
        return _nothing(events)
    right = _gradients(model, before, _right, *batch)
    last = {name: torch.zeros_like(before[name]) if gradient is None else gradient for name, gradient in left.items()}
    first = all(gradient is None for gradient in left.values())
    if not first and _same(after, _moved(before, {name: right[name] + last[name] for name in right})):
        return (
            "The first step is right. In the second, every parameter moved by the sum of the gradients of both steps, because "
            "backward() adds to .grad. Which call clears .grad, and when?"
        )
    if _same(after, _moved(before, right, -_LR)):
        return "Every parameter moved along its gradient, so the loss grows. What is the sign of the loss before backward()?"
    losses = ((_unshifted, _REPEATS), (_unshifted_known, _REPEATS), (_backwards, _PAST), (_everything, _UNKNOWABLE))
    for loss, message in losses:
        if _same(after, _stepped(model, before, *batch, loss)):
            return message
    if events.count("step") > 1:
        return f"Your code takes {events.count('step')} steps instead of one. How often does it call optimizer.step()?"
    still = [name for name in before if torch.equal(after[name], before[name])]
    if still:
        return (
            f"{len(still)} of {len(before)} parameters did not move, for example {still[0]}. Does the optimizer update all of them?"
        )
    return (
        f"All parameters moved, but not by {_LR} times the gradient of model.loss(ids, known). Do you use this loss and the "
        "optimizer that is passed in?"
    )


_REPEATS = (
    "The model learns to repeat its input: the logits at position i were compared with the token at position i. Which token should "
    "they predict?"
)
_PAST = "The model learns to predict the previous token: logits and targets are shifted in the wrong direction."
_UNKNOWABLE = (
    "The loss also counts tokens that cannot be predicted (the first half is random). The last argument says which tokens count: "
    "does your loss use it?"
)


def _nothing(events: list[str]) -> str:
    """Why no parameter has changed, according to the calls."""
    if "backward" not in events:
        return (
            "No parameter has changed, and none has a new gradient. Computing the loss is a forward pass, which changes nothing. "
            "Which call computes the gradients?"
        )
    if "step" not in events:
        return (
            "No parameter has changed, although every one has a gradient. A gradient is only a direction. Which call of the "
            "optimizer takes the step?"
        )
    if events.index("step") < events.index("backward"):
        return "No parameter has changed: the optimizer took its step before there was a gradient. Call backward() before step()."
    return (
        "No parameter has changed: the gradients were cleared before the optimizer took its step. What do you call between "
        "backward() and step()?"
    )


def _why_raised(error: Exception) -> str:
    if "does not require grad" in str(error):
        return "(The loss has no computation graph. Was it computed under torch.no_grad(), or detached?)"
    if "backward through the graph a second time" in str(error):
        return "(backward() was called twice on the same loss. One forward pass allows one backward pass.)"
    return ""
