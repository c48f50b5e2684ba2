"""What can be said of attention without knowing its weights: what depends on what."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import torch
from torch import Tensor

from attn.check.own.calling import Answer
from attn.check.own.cases import Cases
from attn.check.own.definition import Case, Definition, Sizes, same
from attn.check.own.mistakes import MISTAKES, endless, finite

__all__ = ["signature", "unnamed"]


_ASK = (
    "Say which weight is which, weights={'q': 'name of a parameter', 'k': ..., 'v': ..., 'o': ...} and H=.., or hand over the "
    "function of q, k and v inside the module."
)


def unnamed(answer: Answer, cases: Cases, sizes: Sizes, always: Iterable[bool]) -> tuple[str, tuple[str, ...]]:
    """What can be said of a layer of which nobody knows which weight is which, and the mistakes that remain possible.

    always: whether it may be causal in every call: False, True or both.
    """
    theirs = signature(answer.ask, cases, answer)
    generator = torch.Generator().manual_seed(3)
    rows = {"q": sizes.H * sizes.D, "k": sizes.G * sizes.D, "v": sizes.G * sizes.Dv, "o": sizes.E}
    inner = {"q": sizes.E, "k": sizes.E, "v": sizes.E, "o": sizes.H * sizes.Dv}
    weights = {
        role: (torch.randn(n, inner[role], generator=generator) * 1.6 / math.sqrt(inner[role]), torch.randn(n, generator=generator))
        for role, n in rows.items()
    }

    def seen(causal: bool, steps: Mapping[str, Callable[..., Any]]) -> dict[str, str]:
        """What holds of the definition with these steps; of one that is causal in every call, if causal."""
        definition = Definition(sizes, weights, **steps)
        return signature(lambda case: definition(replace(case, causal=True) if causal else case), cases, answer)

    truths = {causal: seen(causal, {}) for causal in always}
    right = [causal for causal, truth in truths.items() if truth == theirs]
    alike = []
    for one in MISTAKES:
        for causal, steps in product(right or truths, [spelled.steps for spelled in (one, *endless(one), *finite(one))]):
            try:
                if steps and one.name not in alike and seen(causal, steps) == theirs:
                    alike.append(one.name)
            except Exception:  # a mistake that these sizes do not allow
                continue
    listed = ", ".join(alike) or "none of the known ones"
    if right:
        what = "it is always causal, samples do not mix" if right == [True] else "samples do not mix"
        return (
            f"Undecided: it could not be found out which weight is which. Seen from outside nothing is wrong: {what}, "
            f"and each row depends on the tokens that it may see. But these mistakes do not show from outside: {listed}. {_ASK}"
        ), tuple(alike)
    truth = min(truths.values(), key=lambda truth: sum(truth.get(law) != value for law, value in theirs.items()))
    broken = "; ".join(f"{law}: {value} (must be: {truth[law]})" for law, value in theirs.items() if value != truth[law])
    return (
        f"Something is wrong, and without the roles of the weights it cannot be named. Seen from outside: {broken}. Mistakes that "
        f"look the same: {listed}. {_ASK}"
    ), tuple(alike)


def signature(ask: Callable[[Case], Tensor], cases: Cases, answer: Answer) -> dict[str, str]:
    """For each law, what holds: "yes", "no", or what depends on what. Laws that the call does not allow are missing."""
    found = {}
    plain = cases.plain()
    y, x = ask(plain), plain.inputs[0]
    found["the result has the shape of x"] = _yes(y.shape == x.shape)
    if y.shape != x.shape:
        return found
    found["a sample alone gives its row of the batch"] = _yes(_same(ask(_layer(plain, x[1:2])), y[1:2]))
    order = torch.arange(x.shape[1]).flip(0)
    turned = ask(_layer(plain, x[:, order]))
    found["tokens in another order give their rows in that order"] = _yes(_same(turned, y[:, order]))
    found["rows that the last token changes"] = _changed(ask, plain, -1)
    if "context" in answer.names or answer.kind == "triple":
        c = cases.context
        crossed = ask(replace(plain, inputs=(x, c)))
        twice = ask(replace(plain, inputs=(x, torch.cat([c, c], 1))))
        found["a context given twice changes nothing"] = _yes(_same(twice, crossed))
        found["the context matters"] = _yes(not _same(ask(replace(plain, inputs=(x, c.flip(0)))), crossed))
    if "causal" in answer.names:
        causal = cases.causal()
        for token in (1, -1):
            found[f"with causal=True, rows that token {token % x.shape[1]} changes"] = _changed(ask, causal, token)
    single = _layer(plain, x[:, :1])
    alone, double = ask(single), ask(_layer(plain, 2 * x[:, :1]))
    nothing = ask(_layer(plain, 0 * x[:, :1]))
    found["one token alone goes through linear maps only"] = _yes(_same(double - nothing, 2 * (alone - nothing)))
    return found


def _layer(case: Case, x: Tensor) -> Case:
    return replace(case, inputs=(x, x))


def _changed(ask: Callable[[Case], Tensor], case: Case, token: int) -> str:
    """The rows of sample 0 that change when one token does, and whether another sample changes."""
    x = 0.1 * case.inputs[0]  # small scores: no token that a row sees has so little weight that its change is lost
    moved = x.clone()
    moved[0, token] += 1.5
    difference = (ask(_layer(case, moved)) - ask(_layer(case, x))).abs().amax(-1)
    rows = [str(n) for n in range(x.shape[1]) if not float(difference[0, n]) < 1e-4]
    others = ", and other samples" if bool((difference[1:] > 1e-4).any()) else ""
    return ", ".join(rows) + others if rows else f"none{others}"


def _same(one: Tensor, other: Tensor) -> bool:
    return same(one, other.double())


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
