"""Checkers for a layer on several devices: what one adds to the output, and the merge of parts over different keys."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import Mistakes, combined, conclude, examine, first_wrong, normal, not_a_tensor, recognise, run, same
from attn.check.verdict import Verdict
from attn.core import attention
from attn.layer import MultiHeadAttention
from attn.shapes import merge_heads, split_heads
from attn.trace.table import as_shape

__all__ = ["device_part", "ring_merge"]

# N, B, L, H, G, D, E. In the first E is H·D, so that a cut of the wrong axis runs. G = H comes last: right by chance in no case.
_RUNS = ((2, 3, 5, 6, 2, 3, 18), (3, 2, 4, 6, 3, 2, 10), (2, 1, 3, 4, 4, 2, 8))


@torch.no_grad()
def device_part(answer: Callable[[MultiHeadAttention, Tensor, int, int], Any]) -> Verdict:
    """Check an answer for one rank's part of y: answer(layer, x, rank, N) -> (B, L, E).

    layer: a MultiHeadAttention, whose heads are shared by N ranks, H / N query heads and G / N key/value heads for each, in order;
    its attention is causal. Its projections of q, k and v have no bias (it is 0), W_O has one. x: (B, L, E), whole on every rank.

    The answer is called for every rank, and the sum of its results is compared with the layer's output. The verdict recognises a
    packed W_QKV that was cut as it lies, heads that do not belong together, a cut of the wrong axis of W_O, a bias that was added
    by every rank or by none, a mean in place of a sum, and ranks that return all of y. If the sum is right, each head must be in
    the part of one rank.
    """
    return conclude(
        (_complaint(answer, *run) for run in _RUNS), "Added up over the ranks, the parts are the output of one process."
    )


def _complaint(answer: Callable[..., Any], N: int, B: int, L: int, H: int, G: int, D: int, E: int) -> str:
    W_QKV, W_O, bias, x = normal(((H + 2 * G) * D, E), (E, H * D), (E,), (B, L, E), seed=N + H)
    layer = MultiHeadAttention(E, H, G=G, D=D)
    layer.W_QKV.weight.copy_(W_QKV * E**-0.5)
    layer.W_O.weight.copy_(W_O * E**-0.5)
    layer.W_O.bias.copy_(bias)
    want, parts = layer(x, causal=True), []
    sizes = f"with x {as_shape(x.shape)}, H = {H} and G = {G}"
    for rank in range(N):
        call = f"For rank {rank} of {N}, {sizes}"
        given = {"layer": copy.deepcopy(layer), "x": x, "rank": rank, "N": N}
        got, complaint = run(answer, given, call, _why_raised)
        if complaint:
            return complaint
        if complaint := not_a_tensor(got):
            return f"{call}, {complaint}"
        if got.shape != want.shape:
            expected = f"Each rank adds to every number of y, (B, L, E) = {as_shape(x.shape)}."
            return f"{call}, your result has shape {as_shape(got.shape)}. {expected}"
        parts.append(got.detach().to(want))
    total = _added(iter(parts))
    if same(total, want):
        return _not_cut(answer, layer, x, N, parts, sizes)
    off = float((total - want).abs().max())
    hint = recognise(total, _mistakes(layer, x, N)) or "which weights belong to the heads of a rank?"
    return f"For N = {N} ranks, {sizes}, every shape is right, but the sum of the parts is off by up to {off:.2g}: {hint}"


def _not_cut(answer: Callable[..., Any], layer: MultiHeadAttention, x: Tensor, N: int, parts: list[Tensor], sizes: str) -> str:
    """The complaint about parts whose sum is right, but that do not share out the heads: the slices of W_O are set to 0 in turn."""
    count = [0] * N
    for h in range(layer.H):
        others = copy.deepcopy(layer)
        others.W_O.weight.copy_(layer.W_O.weight * (torch.arange(layer.H * layer.D) // layer.D != h))
        made = [run(answer, {"layer": copy.deepcopy(others), "x": x, "rank": rank, "N": N})[0] for rank in range(N)]
        owners = [rank for rank in range(N) if not same(made[rank].detach(), parts[rank])]
        if len(owners) != 1:
            ranks = ", ".join(map(str, owners))
            return f"For N = {N} ranks, {sizes}, the sum is right, but head {h} is in the parts of ranks {ranks}: nothing was cut."
        count[owners[0]] += 1
    if len({*count}) > 1:
        shares = ", ".join(map(str, count))
        return f"For N = {N} ranks, {sizes}, the sum is right, but the ranks have {shares} heads. Each has H / N = {layer.H // N}."
    return ""


def _mistakes(layer: MultiHeadAttention, x: Tensor, N: int) -> Mistakes:
    """The sums over ranks with wrong parts, each with a hint: single mistakes first, then several."""
    bias = layer.W_O.bias
    biases = (
        (bias, ""),
        (N * bias, f"every rank added the bias of W_O, so the sum has it {N} times. How often must the sum have it?"),
        (torch.zeros_like(bias), "no rank added the bias of W_O. How often must the sum have it?"),
    )
    found = [
        (bool(which) + bool(cut) + bool(added), value + constant, combined(which, cut, added))
        for value, which, cut in _sums(layer, x, N)
        for constant, added in biases
    ]
    right = layer(x, causal=True)
    yield N * right, f"the sum is {N} times y. Each rank returned all of y: whose heads belong in the part of one rank?"
    yield right / N, "the sum is divided by the number of ranks. W_O adds the heads up. Is that a mean?"
    yield from ((value, hint) for _, value, hint in sorted(found, key=lambda one: one[0]))


def _sums(layer: MultiHeadAttention, x: Tensor, N: int) -> Iterator[tuple[Tensor, str, str]]:
    """The sum over ranks without the bias, for right and wrong rows of W_QKV, masks, and slices of W_O."""
    H, G, D = layer.H, layer.G, layer.D
    flat = (H // N * D, G // N * D, G // N * D)
    own = [[W.chunk(N)[rank] for W in (layer.W_Q, layer.W_K, layer.W_V)] for rank in range(N)]
    rows = (
        (own, ""),
        (
            [layer.W_QKV.weight.chunk(N)[rank].split(flat) for rank in range(N)],
            "W_QKV was cut as it lies. Its first rows are those of all queries, so rank 0 took rows of queries for its keys. Which "
            "rows of W_Q, of W_K and of W_V belong to the heads of a rank?",
        ),
        (
            [[_dealt(W, D, rank, N) for W in (layer.W_Q, layer.W_K, layer.W_V)] for rank in range(N)],
            "the heads were dealt to the ranks in turn, and the slices of W_O were not. Which heads does the slice of a rank read?",
        ),
        (
            [[own[rank][0], own[0][1], own[0][2]] for rank in range(N)],
            "every rank read the key/value heads of rank 0. Which of them do the query heads of this rank read?",
        ),
    )
    for parts, which in rows:
        for causal, mask in ((True, ""), (False, "later tokens are attended to: the causal mask is missing.")):
            heads = [
                merge_heads(
                    attention(
                        split_heads(x @ W_Q.T, H // N),
                        split_heads(x @ W_K.T, G // N),
                        split_heads(x @ W_V.T, G // N),
                        causal=causal,
                    )
                )
                for W_Q, W_K, W_V in parts
            ]
            columns, pieces = layer.W_O.weight.chunk(N, 1), layer.W_O.weight.chunk(N)
            yield _added(one @ slice_.T for one, slice_ in zip(heads, columns, strict=True)), combined(which, mask), ""
            if layer.E == H * D:
                yield (
                    _added(one @ slice_ for one, slice_ in zip(heads, pieces, strict=True)),
                    combined(which, mask),
                    "the rows of W_O were cut. It is stored as (out, in): which of its axes holds the heads?",
                )


def _dealt(W: Tensor, D: int, rank: int, N: int) -> Tensor:
    """The rows of heads rank, rank + N, and so on."""
    return torch.cat([W[h * D : (h + 1) * D] for h in range(rank, len(W) // D, N)])


def _added(parts: Iterator[Tensor]) -> Tensor:
    first, *others = parts
    return sum(others, first)


def _why_raised(error: Exception) -> str:
    if any(text in str(error) for text in ("cannot be multiplied", "must match the size", "Expected size")):
        return "(Weights are stored as (out, in): heads are rows of W_Q, W_K and W_V, and columns of W_O.)"
    return ""


def ring_merge(answer: Callable[[Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for the merge of a ring: answer(outs (N, B, H, L, D), totals (N, B, H, L)) -> (B, H, L, D).

    outs: the outputs of N parts, each attention over some of the keys. totals: the logarithm of the sum of exp(score) of each part;
    −∞ where a query may see none of its keys, and the output is 0 there. The result is attention over all keys, 0 for a query that
    may see none. The verdict recognises a mean or a sum of the parts, shares over the wrong axis, shares of the logarithms, shares
    in reverse order, an exp that overflows, and totals that are raised to a smallest number.
    """
    cases = (
        ("three parts", 1.0, False, (3, 2, 2)),
        ("large scores", 300.0, False, (3, 2, 2)),
        ("two parts", 1.0, False, (4, 3)),
        ("hidden keys", 1.0, True, (3, 2, 2)),
    )
    return conclude((_merge_complaint(answer, *case) for case in cases), "The merged parts are attention over all keys.")


def _merge_complaint(answer: Callable[..., Any], what: str, scale: float, hidden: bool, lengths: tuple[int, ...]) -> str:
    B, H, L, D = 2, 3, 5, 4
    scores, v = normal((B, H, L, sum(lengths)), (B, H, sum(lengths), D), seed=7)
    keep = torch.ones(L, sum(lengths), dtype=torch.bool)
    if hidden:
        keep[0, :3], keep[1, 3:], keep[2] = False, False, False
    scores = (scale * scores).masked_fill(~keep, -torch.inf).double()
    if scale > 1:
        scores[:, :, 1] = -20_000.0 - 300 * ((3 * torch.arange(sum(lengths)) + 2) % 7)  # low in all parts, the least so in part 1
    parts = [_part(scores[..., of], v[:, :, of].double()) for of in _slices(lengths)]
    outs, totals = (torch.stack([part[n] for part in parts]).to(v.dtype) for n in (0, 1))
    want = _part(scores, v.double())[0].to(v.dtype)
    return examine(
        answer,
        {"outs": outs, "totals": totals},
        want,
        "(B, H, L, D)",
        _wrong_merges(outs, totals),
        wrong_values=lambda got: _by_values(got, want, totals),
        wrong_shape=lambda got: "the axis of the parts must be summed." if got.dim() == 5 else "",
        call=f"For {what}: outs {as_shape(outs.shape)} and totals {as_shape(totals.shape)}",
        why=_why_merge_raised,
    )


def _slices(lengths: tuple[int, ...]) -> list[slice]:
    return [slice(sum(lengths[:n]), sum(lengths[: n + 1])) for n in range(len(lengths))]


def _part(scores: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over these keys, 0 for a query that may see none, and the logarithm of its sum."""
    weights = torch.where(scores.isneginf().all(-1, True), 0.0, scores.softmax(-1))
    return weights @ v, scores.logsumexp(-1)


def _wrong_merges(outs: Tensor, totals: Tensor) -> Mistakes:
    shares = totals.softmax(0)
    mean = "a part with few or low scores counts as much as the others. By what is each part's output to be weighted?"
    wrong_axis = "the shares of the parts do not sum to 1. Over which axis does softmax run?"
    for axis in (-1, 1, 2):
        over = totals.softmax(axis)[..., None] * outs
        yield over.sum(0), wrong_axis
        yield over.mean(0), combined(wrong_axis, "the parts are averaged after they were weighted.")
    yield outs.mean(0), f"this is the mean of the parts: {mean}"
    yield outs.sum(0), f"this is the sum of the parts: {mean}"
    yield (shares[..., None] * outs).mean(0), "the parts are averaged after they were weighted. Their shares sum to 1 already."
    yield (
        ((totals / totals.sum(0))[..., None] * outs).sum(0),
        "the shares are those of the logarithms. Each total is the logarithm of a sum: which function gives the sum?",
    )
    yield (shares.flip(0)[..., None] * outs).sum(0), "each part has the share of another one."
    for least in (-10_000, -1000, -100, -88, -50, -10, 0):
        yield (
            (totals.clamp(min=least).softmax(0)[..., None] * outs).sum(0),
            "low totals were raised to a smallest number, so where all parts of a query are lower, they count alike. A total of "
            "−20,000 is as good as one of 20: only −∞ in all parts needs care.",
        )


def _by_values(got: Tensor, want: Tensor, totals: Tensor) -> str:
    if not got.isfinite().all():
        if totals.isneginf().any():
            return (
                "some values are not finite. A query that may see no key at all has only totals of −∞, and a softmax over them is "
                "0/0: its result must be 0."
            )
        return "some values are not finite. exp of a large total overflows: softmax subtracts the maximum first."
    return first_wrong(want, lambda b, h, i, d: f"component {d} of the output of query {i}")(got)


def _why_merge_raised(error: Exception) -> str:
    if "must match the size" in str(error):
        return "(totals has no axis of components: a share multiplies all D components of an output.)"
    return ""
