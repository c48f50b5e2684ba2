"""What no single result shows: gradients and dropout; and how a module is made ready to be asked."""

import copy
import math
from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor, nn

from attn.check.own.calling import Answer, seed
from attn.check.own.definition import Case, Definition, Weights
from attn.check.own.roles import Roles, tensors_of

__all__ = ["gradients_missing", "prepare", "set_dropout", "training_complaint"]

_DROPOUT = (
    "p",
    "dropout",
    "dropout_p",
    "attn_dropout",
    "dropout_rate",
    "p_dropout",
    "attention_dropout",
    "drop",
    "pdrop",
    "attn_drop",
)
_DRAWS = 300


def prepare(module: nn.Module) -> nn.Module:
    """A copy in eval() and float32 whose weights are drawn so that its scores differ, with dropout ready to act."""
    if "_modules" not in vars(module):
        raise TypeError(f"{type(module).__name__} is not a module yet: its __init__ must call super().__init__() first.")
    try:
        own = copy.deepcopy(module)
    except Exception as error:
        raise TypeError(
            f"the module cannot be copied ({type(error).__name__}: {error}), and the check never runs the original. Make a new one."
        ) from None
    own = own.float().eval()
    generator = torch.Generator().manual_seed(11)
    with torch.no_grad():
        for tensor in tensors_of(own).values():
            if not tensor.is_floating_point() or (tensor.dim() > 1 and not tensor.is_leaf):
                continue
            drawn = torch.randn(tensor.shape, generator=generator)
            if tensor.dim() > 1 and isinstance(tensor, nn.Parameter):
                tensor.copy_(drawn * 1.6 / math.sqrt(min(tensor.shape[-2:]) if tensor.dim() == 2 else max(tensor.shape)))
        weights = dict(own.named_parameters())
        for name, tensor in weights.items():
            beside = weights.get(name.removesuffix("bias") + "weight", weights.get(name.replace("bias", "weight")))
            if tensor.dim() == 1 and "bias" in name and (beside is None or beside.dim() > 1):  # not that of a norm
                tensor.copy_(torch.randn(tensor.shape, generator=generator) / 2)
    for parameter in own.parameters():
        if parameter.is_floating_point():
            parameter.requires_grad_(True)
    set_dropout(own)
    return own


def set_dropout(module: nn.Module, p: float = 0.5) -> bool:
    """Set every probability of dropout in a module; False if it has none."""
    found = False
    for part in module.modules():
        for name in _DROPOUT:
            value = vars(part).get(name)
            if isinstance(value, float) and 0 <= value < 1:
                setattr(part, name, p)
                found = True
    return found


def gradients_missing(
    answer: Answer,
    case: Case,
    roles: Roles | None,
    module: nn.Module | None,
    weights: Weights | None,
    define: Callable[..., Definition],
    seen: Callable[[Case], Case],
) -> tuple[str, str] | None:
    """The roles whose gradient is not that of the definition, and the evidence; None if all are right."""
    watched = {role: pair for role, pair in (weights or {}).items() if role in (roles.matrices if roles else ())}
    leaves = {role: weight.double().requires_grad_() for role, (weight, _) in watched.items()}
    inputs = tuple(tensor.clone().requires_grad_(roles is None) for tensor in case.inputs)
    if roles is not None:
        inputs = (inputs[0], inputs[0])
    case = replace(case, inputs=inputs)
    with torch.enable_grad():
        given: Weights | None = None
        if weights is not None:
            given = {role: (leaves.get(role, pair[0]), pair[1]) for role, pair in weights.items()}
        want = define(given)(seen(case))
        direction = torch.randn(want.shape, generator=torch.Generator().manual_seed(2))
        sources = list(leaves.values()) if roles is not None else list(inputs)
        names = list(leaves) if roles is not None else ["q", "k", "v"]
        wanted = torch.autograd.grad((want * direction).sum(), sources)
        got_y = answer.ask(case)
        if not got_y.requires_grad:
            return "".join(names), "The result has no gradient function."
        if roles is not None and module is not None:
            module.zero_grad()
            (got_y * direction).sum().backward()
            tensors = {n: t.grad if t.grad is not None else torch.zeros_like(t) for n, t in tensors_of(module).items()}
            got = [roles.matrices[role].read(tensors).cpu() for role in names]
            module.zero_grad()
        else:
            got = [
                torch.zeros_like(tensor) if g is None else g
                for g, tensor in zip(torch.autograd.grad((got_y * direction).sum(), inputs, allow_unused=True), inputs, strict=True)
            ]
    wrong = [
        (role, ours, theirs)
        for role, ours, theirs in zip(names, got, wanted, strict=True)
        if not torch.isclose(ours.to(theirs), theirs, rtol=0, atol=1e-3 * max(float(theirs.abs().amax()), 1e-3)).all()
    ]
    if not wrong:
        return None
    zero = [role for role, ours, _ in wrong if not ours.any()]
    _, ours, theirs = wrong[0]
    evidence = f"Its largest entry is {float(ours.abs().amax()):.2g}, and must be {float(theirs.abs().amax()):.2g}."
    return "".join(zero or [role for role, _, _ in wrong]), evidence


def training_complaint(answer: Answer, module: nn.Module, case: Case, want: Tensor, smaller: Tensor) -> tuple[str, str]:
    """The name of what is wrong with dropout, or "", and the evidence, or ""."""
    module.train()
    x = case.inputs[0].expand(_DRAWS, -1, -1).contiguous()
    many = replace(case, inputs=(x, x))
    seed(3)
    y = answer.ask(many).double()
    if float(y.std(0).amax()) < 1e-6:
        return "dropout never", f"{_DRAWS} copies of one sample give the same row."
    mean, error = y.mean(0), y.std(0) / math.sqrt(_DRAWS) + 1e-6

    away, away_from_smaller = (float(((mean - target[0]) / error).abs().mean()) for target in (want, smaller))
    if away < 2:
        return "", ""
    evidence = f"The mean of {_DRAWS} draws is {away:.0f} standard errors from the result in eval()"
    if away_from_smaller < 2:
        return "dropout not rescaled", f"{evidence}, and {away_from_smaller:.1f} from the one with half of the heads."
    return "", f"dropout changes the mean of the result. {evidence}; it must act on the weights after softmax, and divide by 1 - p."
