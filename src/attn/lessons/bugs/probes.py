"""Probes: what a right layer must do, each without knowing the right numbers.

A probe takes the code of a layer, as `planted` returns it, and returns the evidence that something is wrong: one sentence, which is
empty if the probe finds nothing. No probe compares with another implementation. Where a probe says nothing else, B = 2, H = G = 3,
L = S = 5, D = Dv = 4 and E = 12. The text of a probe is what the page shows: what to do, and what must hold.
"""

import copy
import math
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

__all__ = ["PROBES", "RAISED", "equal_sizes", "equal_sums", "keeps_shapes", "run_probe", "runs"]

Probe = Callable[[ModuleType], str]
PROBES: dict[str, Probe] = {}
RAISED = "raises "  # how evidence begins if the code raised an error

B, H, L, D, E = 2, 3, 5, 4, 12


def run_probe(name: str | Probe, code: ModuleType) -> str:
    """The evidence that this probe finds in the code; empty if it finds nothing. An error that the code raises is evidence, too."""
    on_the_cpu = nullcontext() if torch.get_default_device().type == "cpu" else torch.device("cpu")  # which is asked at every call
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings(), on_the_cpu:
        torch.default_generator.manual_seed(0)
        warnings.simplefilter("ignore")
        try:
            return (PROBES[name] if isinstance(name, str) else name)(code)
        except Exception as error:
            return RAISED + f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


def probe(name: str) -> Callable[[Probe], Probe]:
    """Register a probe under the name that the page shows."""

    def register(function: Probe) -> Probe:
        PROBES[name] = function
        return function

    return register


def layer_of(code: ModuleType, E: int = E, H: int = H, G: int = H, D: int = D, Dv: int = D, dropout: float = 0.0) -> Any:
    """A layer in eval mode, with random weights that no loss has to move."""
    return code.Layer(E, H, G, D, Dv, dropout).eval().requires_grad_(False)


def shown(number: Tensor | float) -> str:
    """A number with two digits."""
    return f"{float(number):.2g}"


def differ(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors differ by more than rounding. NaN differs from everything."""
    return one.shape != other.shape or not bool(torch.isclose(one, other, rtol=1e-4, atol=1e-5).all())


def first(*evidence: str) -> str:
    """The first evidence that is not empty."""
    return next(filter(None, evidence), "")


# Sizes ----------------------------------------------------------------------------------------------------------------------


def shapes(layer: Any, x: Tensor, context: Tensor | None = None, **given: Any) -> str:
    """The evidence in the shapes of y and of the weights; empty if both are right."""
    y, weights = layer(x, context, **given)
    S = (x if context is None else context).shape[1]
    want = (x.shape[0], layer.sizes[0], x.shape[1], S)
    if y.shape != x.shape:
        return f"y is {tuple(y.shape)} instead of {tuple(x.shape)}"
    return "" if weights.shape == want else f"the weights are {tuple(weights.shape)} instead of {want}"


def equal_sizes(code: ModuleType) -> str:
    """Not a probe, but the check that most tests make: the shape of y, with B = H = L = D = 4."""
    x = torch.randn(4, 4, 16)
    y = layer_of(code, 16, 4, 4, 4, 4)(x, keep=code.may_attend(4, torch.ones(4, 4, dtype=torch.bool)))[0]
    return "" if y.shape == x.shape else f"y is {tuple(y.shape)}"


def runs(code: ModuleType) -> str:
    """Whether the layer runs at all, at sizes that differ."""
    layer_of(code)(torch.randn(B, L, E))
    return ""


def keeps_shapes(code: ModuleType) -> str:
    """Whether all shapes are right, whatever the sizes."""
    return first(unequal_sizes(code), shapes(layer_of(code), torch.randn(B, L, E), torch.randn(B, 7, E)))


@probe("unequal sizes")
def unequal_sizes(code: ModuleType) -> str:
    """Let all sizes differ, also E from H·D, Dv from D and G from H: the code runs, and every shape is right."""
    x, real = torch.randn(2, 5, 10), torch.ones(2, 5, dtype=torch.bool)
    layer = layer_of(code, 10, 6, 3, 4, 7)
    cached = {"keep": code.may_attend(5, real), "cache": code.Cache(2, 3, 8, 4, 7)}
    return first(shapes(layer, x), shapes(layer, x, **cached))


@probe("S ≠ L")
def other_length(code: ModuleType) -> str:
    """Take 5 queries and 7 keys: the code runs, shapes are right, and under a causal mask the last query attends to all keys."""
    layer, x, context = layer_of(code), torch.randn(B, L, E), torch.randn(B, 7, E)
    keep = code.may_attend(L, torch.ones(B, 7, dtype=torch.bool))
    if evidence := first(shapes(layer, x, context), shapes(layer, x, context, keep=keep)):
        return evidence
    unseen = int((layer(x, context, keep)[1][..., -1, :] == 0).any(0).any(0).sum())
    return f"the last query attends to {7 - unseen} of 7 keys" if unseen else ""


@probe("L = 1")
def one_query(code: ModuleType) -> str:
    """Ask with each query alone: it gets what it gets among the others."""
    layer, x, context = layer_of(code), torch.randn(B, L, E), torch.randn(B, L, E)
    y = layer(x, context)[0]
    for i in range(L):
        alone = layer(x[:, i : i + 1], context)[0][:, 0]
        if differ(alone, y[:, i]):
            return f"query {i} alone gets another output, off by {shown((alone - y[:, i]).abs().max())}"
    return ""


# Weights --------------------------------------------------------------------------------------------------------------------


def unchanged_but(weights: Tensor, others: Tensor, column: int) -> bool:
    """Whether two matrices of weights have the same ratios outside of this column."""
    rest = [j for j in range(weights.shape[-1]) if j != column]
    one, other = (w[..., rest] / w[..., rest].sum(-1, keepdim=True) for w in (weights, others))
    return not differ(one, other)


@probe("change one key")
def change_one_key(code: ModuleType) -> str:
    """Change one key: only the heads that read it move, only its column, and the ratios of the others stay."""
    q, k, v = torch.randn(B, 6, L, D), torch.randn(B, 3, L, D), torch.randn(B, 3, L, D)
    other = k.clone()
    other[1, 2, 3] = torch.randn(D)
    before, after = code.attend(q, k, v)[1], code.attend(q, other, v)[1]
    moved = {(b, h) for b in range(B) for h in range(6) if differ(before[b, h], after[b, h])}
    if moved != {(1, 4), (1, 5)}:
        return f"a key of sequence 1 that heads 4 and 5 read changes {_pairs(moved)}"
    if not unchanged_but(before[1, 4:], after[1, 4:], 3):
        return "a new key 3 changes other columns of the weights"
    layer, x, context = layer_of(code), torch.randn(B, L, E), torch.randn(B, L, E)
    token = context.clone()
    token[:, 3] = torch.randn(E)
    before, after = layer(x, context)[1], layer(x, token)[1]
    if not differ(before, after):
        return "a new token 3 of the context changes no weight"
    return "" if unchanged_but(before, after, 3) else "a new token 3 of the context changes other columns of the weights"


def _pairs(pairs: set[tuple[int, int]]) -> str:
    if not pairs:
        return "nothing"
    return "those of (sequence, head) " + ", ".join(f"({b}, {h})" for b, h in sorted(pairs))


@probe("scale k by 2")
def scale_keys(code: ModuleType) -> str:
    """Fill each query with one number, a, and each key with one number, b: ln of a ratio of weights is √D · a · (b - b'), and twice
    that for 2k. With scale 0 all weights are equal."""
    a, b = torch.tensor([0.3, -0.7, 1.1, 0.5, -0.2]), torch.tensor([0.4, -0.6, 0.9, -0.1, 0.2])
    q, k, v = a[:, None].expand(B, H, L, D), b[:, None].expand(B, H, L, D), torch.randn(B, H, L, D + 2)
    layer, x, context = layer_of(code, E=10), torch.zeros(B, L, 10), torch.zeros(B, L, 10)
    x[..., 0], context[..., 0] = a, b  # all matrices are ones, so q and k are the same as above
    layer.W_QKV.fill_(1.0)
    tries = [(1, code.attend(q, k, v)[1]), (2, code.attend(q, 2 * k, v)[1]), (1, layer(x, context)[1])]
    for factor, weights in tries:
        got = (weights[..., 1] / weights[..., 0]).log()
        want = factor * math.sqrt(D) * a * (b[1] - b[0])
        if differ(got, want.expand_as(got)):
            return f"the weights imply a score difference of {shown(got.flatten()[0])} instead of {shown(want[0])}"
    even = layer(x, context, scale=0.0)[1]
    return "" if not differ(even, torch.full_like(even, 1 / L)) else "scale 0 does not give equal weights"


@probe("row sums")
def row_sums(code: ModuleType) -> str:
    """Sum each row of the weights, with and without a causal mask: all sums are 1, and no weight is negative."""
    return sums(code, layer_of(code), torch.randn(B, L, E))


def equal_sums(code: ModuleType) -> str:
    """The same for sizes that are all 4, where some lines run that stop elsewhere."""
    return sums(code, layer_of(code, 16, 4, 4, 4, 4), torch.randn(4, 4, 16))


def sums(code: ModuleType, layer: Any, x: Tensor) -> str:
    """The evidence in the sums of rows."""
    for keep in (None, code.may_attend(x.shape[1], torch.ones(x.shape[:2], dtype=torch.bool))):
        weights = layer(x, keep=keep)[1]
        rows = weights.sum(-1)
        if differ(rows, torch.ones_like(rows)):
            return f"rows sum to between {shown(rows.min())} and {shown(rows.max())}"
        if weights.min() < 0:
            return f"a weight is {shown(weights.min())}"
    return ""


# Values ---------------------------------------------------------------------------------------------------------------------


@probe("identity as V")
def identity(code: ModuleType) -> str:
    """Make the values the identity, and W_O: each head returns its weights, and y has those of all heads side by side."""
    q, k, eye = torch.randn(B, H, L, D), torch.randn(B, H, L, D), torch.eye(L).expand(B, H, L, L)
    heads, weights = code.attend(q, k, eye)
    if differ(heads, weights):
        return "the heads are not the weights"
    layer = layer_of(code, H * L, H, H, L, L)
    layer.W_QKV[-H * L :] = torch.eye(L, H * L).repeat(H, 1)  # every head takes the first L components
    layer.W_O.weight.copy_(torch.eye(H * L))
    context = torch.eye(L, H * L).expand(B, L, H * L)
    y, weights = layer(torch.randn(B, L, H * L), context)
    return "y is not the weights of the heads, side by side" if differ(y, torch.cat(list(weights.unbind(1)), -1)) else ""


@probe("change one value")
def change_one_value(code: ModuleType) -> str:
    """Change one value: the heads that read it move by weight times change, nothing else moves. Another W_V changes y alone."""
    q, k, v = torch.randn(B, 6, L, D), torch.randn(B, 3, L, D), torch.randn(B, 3, L, D)
    change = torch.randn(D)
    other = v.clone()
    other[1, 2, 3] += change
    (before, weights), (after, _) = code.attend(q, k, v), code.attend(q, k, other)
    moved = torch.zeros_like(before)
    moved[1, 4:] = weights[1, 4:, :, 3, None] * change
    if differ(after - before, moved):
        return "a new value 3 does not move the heads by weight times change"
    layer, x, context = layer_of(code), torch.randn(B, L, E), torch.randn(B, L, E)
    y, weights = layer(x, context)
    layer.W_QKV[-E:] = torch.randn(E, E)
    others = layer(x, context)
    if not differ(y, others[0]):
        return "another W_V does not change y"
    return "another W_V changes the weights" if differ(weights, others[1]) else ""


@probe("one head off")
def one_head_off(code: ModuleType) -> str:
    """Change the rows of W_Q or W_K of one head: only its weights move. Set its rows of W_V to 0, or its slice of W_O: either way
    y is the same."""
    layer, x, context = layer_of(code), torch.randn(B, L, E), torch.randn(B, L, E)
    rows, stored = slice(D, 2 * D), layer.W_QKV.clone()  # of head 1
    y, weights = layer(x, context)
    for name, part in (("W_Q", 0), ("W_K", E)):
        layer.W_QKV[part + D : part + 2 * D] = torch.randn(D, E)
        others = layer(x, context)[1]
        moved = [h for h in range(H) if differ(weights[:, h], others[:, h])]
        layer.W_QKV.copy_(stored)
        if moved != [1]:
            return f"the rows of {name} of head 1 change the weights of {'no head' if not moved else f'heads {moved}'}"
    layer.W_QKV[2 * E :][rows] = 0.0
    without_values = layer(x, context)[0]
    layer.W_QKV.copy_(stored)
    layer.W_O.weight[:, rows] = 0.0
    without_slice = layer(x, context)[0]
    if not differ(y, without_slice):
        return "the slice of W_O of head 1 does not change y"
    return "without W_V and without W_O of head 1 y is not the same" if differ(without_values, without_slice) else ""


# Masks ----------------------------------------------------------------------------------------------------------------------


@probe("change a later token")
def hidden_token(code: ModuleType) -> str:
    """Replace each token of the context in turn: outputs before it stay, and so do all if it is padding or in another sequence. The
    others move."""
    layer, x = layer_of(code), torch.randn(B, L, E)
    for padded in (0, 2):
        real = torch.ones(B, L, dtype=torch.bool)
        real[1, :padded] = False
        keep = code.may_attend(L, real)
        y = layer(x, x, keep)[0]
        for b in range(B):
            for j in range(L):
                other = x.clone()
                other[b, j] = torch.randn(E)
                now = layer(x, other, keep)[0]
                for c in range(B):
                    for i in range(padded if c else 0, L):
                        must = b == c and j <= i and bool(real[b, j])
                        if differ(now[c, i], y[c, i]) != must:
                            return f"token {j} {'does not reach' if must else 'reaches'} output {i}{_why(b, c, real[b, j])}"
    return ""


def _why(b: int, c: int, real: Tensor) -> str:
    return " of another sequence" if b != c else "" if real else ", although it is padding"


@probe("an empty row")
def empty_row(code: ModuleType) -> str:
    """Left padding and a causal mask leave the first queries no key: they get zeros, and the gradient of x is finite."""
    layer, x, real = layer_of(code), torch.randn(B, L, E), torch.ones(B, L, dtype=torch.bool)
    real[1, :2] = False
    x.requires_grad_()
    y = layer(x, keep=code.may_attend(L, real))[0]
    if differ(y[1, :2], torch.zeros(2, E)):
        return f"a query without keys gets {shown(y[1, 0, 0])}, …"
    (gradient,) = torch.autograd.grad(y.square().sum(), x)
    return "" if gradient.isfinite().all() else "the gradient of x is NaN"


# Numbers, modes -------------------------------------------------------------------------------------------------------------


@probe("half precision")
def half_precision(code: ModuleType) -> str:
    """Compute in float16, with large scores and a mask: the output is finite, and close to that of float32. 70,000 equal scores
    become weights that sum to 1."""
    layer, x = layer_of(code), torch.randn(B, L, E).half()
    layer.W_QKV[: 2 * E] *= 3
    layer.half()
    given = {"keep": code.may_attend(L, torch.ones(B, L, dtype=torch.bool))}
    got = layer(x, **given)[0].float()
    want = layer.float()(x.float(), **given)[0]
    if not got.isfinite().all():
        return "the output is not finite"
    if (got - want).abs().max() > 0.05 * want.abs().max():
        return f"the output is off by {shown((got - want).abs().max())} from that of float32"
    total = code.softmax(torch.zeros(70_000).half()).float().sum()
    return "" if (total - 1).abs() < 0.05 else f"70,000 equal scores get weights that sum to {shown(total)}"


@probe("eval and train")
def eval_and_train(code: ModuleType) -> str:
    """Build the layer with dropout. Two calls in eval mode give the same output, and leave the input as it was. In training mode
    they differ, and the mean of many is that output."""
    layer, x = layer_of(code, dropout=0.5), torch.randn(B, L, E)
    given = x.clone()
    one, two = layer(x)[0], layer(x)[0]
    if differ(x, given):
        return "the layer changes its input"
    if differ(one, two):
        return f"two calls differ by {shown((one - two).abs().max())}"
    many = layer.train()(x[:1].expand(3000, L, E))[0]
    error = many.std(0) / len(many) ** 0.5
    if not error.max() > 1e-6:
        return "in training mode two calls give the same output"
    off = (many.mean(0) - one[0]).abs()
    return f"in training mode the mean output is off by {shown(off.max())}" if (off > 6 * error + 1e-4).any() else ""


# Cache ----------------------------------------------------------------------------------------------------------------------


@probe("prompt + one")
def prompt_and_one(code: ModuleType) -> str:
    """Feed a prompt with left padding, then one token, then two: each gets what a full pass gives, with learned and with rotary
    positions. Rotary ones may all be 10 higher."""
    return first(step_by_step(code, rotary=False), step_by_step(code, rotary=True))


def step_by_step(code: ModuleType, rotary: bool) -> str:
    """The evidence in the logits of each call."""
    model = code.Model(7, 7, E, H, D, rotary).requires_grad_(False)
    ids, real = torch.randint(7, (B, 7)), torch.ones(B, 7, dtype=torch.bool)
    real[1, :2] = False
    want, cache = model(ids, real), code.Cache(B, H, 7, D, D)
    for start, end in ((0, 4), (4, 5), (5, 7)):
        got = model(ids[:, start:end], real[:, :end], cache)
        rows = slice(start, end) if start else slice(2, end)  # without those of padding
        if differ(got[:, -(end - rows.start) :], want[:, rows]):
            off = shown((got[:, -(end - rows.start) :] - want[:, rows]).abs().max())
            return f"{'the prompt' if not start else f'token {start}'} is off by {off} from the full pass"
    moved = model(ids, real, first=10) if rotary else want
    if differ(moved[:, 2:], want[:, 2:]):
        return f"with all positions 10 higher the logits are off by {shown((moved - want)[:, 2:].abs().max())}"
    return ""


# Training -------------------------------------------------------------------------------------------------------------------


@probe("two steps")
def two_steps(code: ModuleType) -> str:
    """Train for two steps: every parameter has moved, and holds the gradient of the second batch alone. It is not 0 in W_Q, in
    W_K or in W_V."""
    model = code.Model(7, 8, E, H, D)
    start, after_one = copy.deepcopy(model), copy.deepcopy(model)
    one, two = torch.randint(7, (2, B, 6))
    code.train(after_one, [one], 0.1)
    code.train(model, [one, two], 0.1)
    names = [name for name, _ in model.named_parameters()]
    still = [name for name, p, q in zip(names, model.parameters(), start.parameters(), strict=True) if torch.equal(p, q)]
    if still:
        return f"{len(still)} of {len(names)} parameters do not move"
    after_one.zero_grad()
    code.loss_of(after_one, two).backward()
    wrong = [
        name
        for name, p, q in zip(names, model.parameters(), after_one.parameters(), strict=True)
        if p.grad is None or q.grad is None or differ(p.grad, q.grad)
    ]
    if wrong:
        return f"{len(wrong)} of {len(names)} parameters do not hold the gradient of the second batch"
    parts = zip(("W_Q", "W_K", "W_V"), model.layers[0].W_QKV.grad.chunk(3), strict=True)
    without = [name for name, gradient in parts if gradient.abs().max() < 1e-7]
    return f"no gradient reaches {' and '.join(without)}" if without else ""


@probe("random tokens")
def random_tokens(code: ModuleType) -> str:
    """Train on random tokens: the loss on others does not fall below that of guessing."""
    model, guess = code.Model(7, 8, E, H, D), math.log(7)
    code.train(model, (torch.randint(7, (32, 6)) for _ in range(60)), 0.06)
    loss = float(code.loss_of(model, torch.randint(7, (512, 6))))
    return f"the loss is {loss:.2f}, below the {guess:.2f} of guessing" if loss < guess - 0.1 else ""
