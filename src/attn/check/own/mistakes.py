"""The known mistakes that change a result: for each the steps that go wrong, what it is in words, and the right line.

A mistake is recognised by its values: the definition with these steps computes what the mistake computes, number for number.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from attn.check.own.definition import Definition
from attn.check.own.turns import PAIRS, turning
from attn.positions import turned

__all__ = ["MISTAKES", "NOT_TURNED", "Mistake", "endless", "finite", "mistake", "turned_otherwise"]

D = Definition
Steps = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Mistake:
    """name: a few words. says: a sentence, without its capital letter. where: the step whose line is at fault. fix: the right line.

    steps: how the definition computes this mistake; empty if its results alone do not show it (`behaviour` finds these).
    """

    name: str
    where: str
    says: str
    fix: str
    steps: Steps


def _m(name: str, where: str, says: str, fix: str, **steps: Callable[..., Any]) -> Mistake:
    return Mistake(name, where, says, fix, steps)


def _cut(d: Definition, flat: Tensor, n: int) -> Tensor:
    """Heads cut out of memory as it lies."""
    return flat.reshape(flat.shape[0], n, flat.shape[1], -1)


def _glued(d: Definition, heads: Tensor) -> Tensor:
    """Heads glued together as they lie in memory."""
    return heads.reshape(heads.shape[0], heads.shape[2], -1)


def _neighbours_turned(d: Definition, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    """Rotary positions with channels 2d and 2d + 1 as pairs. With D = 2 there is one pair, and it is that of the halves."""
    if q.shape[-1] == 2:
        raise ValueError("With D = 2 neighbours are halves.")
    return turned(turning("neighbours"), q, k)


def _products(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT


def _other_way(d: Definition, q: Tensor, k: Tensor) -> Tensor:
    """k qᵀ where the shapes allow it."""
    return D.scores(d, k, q) if q.shape == k.shape else D.scores(d, q, k)


def _sideways(d: Definition, scores: Tensor, keep: Tensor) -> Tensor:
    """The mask transposed where the shapes allow it."""
    L, S = scores.shape[-2:]
    return D.fill(d, scores, keep.expand(*keep.shape[:-2], L, S).mT if L == S else keep)


def _wrong_matrix(d: Definition, x: Tensor, context: Tensor, roles: str) -> tuple[Tensor, ...]:
    """x @ W for these roles, x @ W.T for the others."""

    q, k, v = (
        F.linear(x if role == "q" else context, d.weights[role][0].mT if role in roles else d.weights[role][0], d.weights[role][1])
        for role in "qkv"
    )
    return q, k, v


def _raw(d: Definition, x: Tensor, context: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """v is the context itself, or its first channels."""
    return d.linear("q", x), d.linear("k", context), context[..., : d.sizes.G * d.sizes.Dv]


def _across(d: Definition, x: Tensor, context: Tensor, keep: Tensor | None, causal: bool) -> Tensor:
    """Attention along the first axis."""
    if x.shape[1] != context.shape[1]:
        raise RuntimeError("batches of different sizes")
    return D.layer(d, x.transpose(0, 1), context.transpose(0, 1), None, causal).transpose(0, 1)


def _normalised(x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:])


def _rows(L: int, S: int, diagonal: int) -> Tensor:
    return torch.ones(L, S, dtype=torch.bool).tril(diagonal)


def _uniform(d: Definition, scores: Tensor) -> Tensor:
    open_keys = (scores > -math.inf).to(scores)
    return open_keys / open_keys.sum(-1, keepdim=True).clamp(min=1)


def _filled(d: Definition, scores: Tensor, keep: Tensor | None) -> Tensor:
    """Softmax with -1e9, or the smallest number, at the keys that this mask hides: a row without any key averages all values."""
    if keep is None:
        return d.softmax(scores)
    masked = d.fill(scores, keep)
    return d.softmax(masked.masked_fill(masked == -math.inf, -1e9))


def _lowered(d: Definition, scores: Tensor, keep: Tensor | None) -> Tensor:
    """Softmax where the mask adds -1e4 in float32, which leaves scores some digits: a row without any key sees all keys."""
    if keep is None:
        return d.softmax(scores)
    masked = d.fill(scores, keep)
    return d.softmax(torch.where(masked == -math.inf, (scores.float() - 1e4).to(scores), masked))


MISTAKES: tuple[Mistake, ...] = (
    _m(
        "split by view alone",
        "split",
        "the heads are cut out of memory without a transpose, so a head gets pieces of several tokens",
        "q = q.view(B, L, H, D).transpose(1, 2)",
        split=_cut,
    ),
    _m(
        "split interleaved",
        "split",
        "head h gets the channels h, h + H, h + 2H … (a view to (…, D, H)) instead of the D neighbouring channels h·D to (h+1)·D",
        "q = q.view(B, L, H, D).transpose(1, 2)",
        split=lambda d, flat, n: flat.unflatten(-1, (-1, n)).permute(0, 3, 1, 2),
    ),
    _m(
        "merge without the transpose",
        "merge",
        "the heads are merged as they lie in memory: a row of y gets pieces of several tokens",
        "out = out.transpose(1, 2).flatten(2)",
        merge=_glued,
    ),
    _m(
        "split and merge without the transpose",
        "split",
        "heads are cut out and merged as memory lies, so a token attends to channels of itself and of its neighbours",
        "q = q.view(B, L, H, D).transpose(1, 2), and out.transpose(1, 2).flatten(2) at the end",
        split=_cut,
        merge=_glued,
    ),
    _m(
        "k reshaped, not transposed",
        "scores",
        "k is reshaped to (B, H, D, S), not transposed: its columns are not keys, but pieces of several keys",
        "scores = q @ k.transpose(-2, -1)",
        scores=lambda d, q, k: q @ k.reshape(*k.shape[:2], k.shape[3], k.shape[2]) / math.sqrt(q.shape[-1]),
    ),
    _m(
        "no scale",
        "scores",
        "the scores are not divided by √D",
        "scores = q @ k.transpose(-2, -1) / math.sqrt(D)",
        scores=lambda d, q, k: _products(q, k),
    ),
    _m(
        "scale by √E",
        "scores",
        "the scores are divided by √E, the root of the whole width, instead of √D, that of one head",
        "scores = q @ k.transpose(-2, -1) / math.sqrt(D)",
        scores=lambda d, q, k: _products(q, k) / math.sqrt(d.sizes.E),
    ),
    _m(
        "scale by D",
        "scores",
        "the scores are divided by D instead of √D, or by √D twice",
        "scores = q @ k.transpose(-2, -1) / math.sqrt(D)",
        scores=lambda d, q, k: _products(q, k) / q.shape[-1],
    ),
    _m(
        "scale by √S",
        "scores",
        "the scores are divided by the root of the number of keys instead of √D",
        "scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])",
        scores=lambda d, q, k: _products(q, k) / math.sqrt(k.shape[-2]),
    ),
    _m(
        "multiplied by √D",
        "scores",
        "the scores are multiplied by √D instead of divided",
        "scores = q @ k.transpose(-2, -1) / math.sqrt(D)",
        scores=lambda d, q, k: _products(q, k) * math.sqrt(q.shape[-1]),
    ),
    _m(
        "scale after softmax",
        "scores",
        "the weights are divided by √D after softmax, so a row of weights sums to 1/√D",
        "weights = (q @ k.transpose(-2, -1) / math.sqrt(D)).softmax(-1)",
        scores=lambda d, q, k: _products(q, k),
        softmax=lambda d, t: t.softmax(-1) / math.sqrt(d.sizes.D),
    ),
    _m(
        "softmax over the queries",
        "softmax",
        "softmax runs over the queries (dim=-2): the columns of the weights sum to 1, the rows do not",
        "weights = scores.softmax(-1)",
        softmax=lambda d, t: t.softmax(-2),
    ),
    _m(
        "softmax over the heads",
        "softmax",
        "softmax runs over the heads (dim=1): the weights of one head do not sum to 1",
        "weights = scores.softmax(-1)",
        softmax=lambda d, t: t.softmax(1),
    ),
    _m(
        "mask inverted",
        "mask",
        "the mask is inverted: the keys that a query may attend to are hidden, and the others are open",
        "scores = scores.masked_fill(~keep, -math.inf), where keep is True at keys that a query may attend to",
        fill=lambda d, t, keep: t.masked_fill(keep, -math.inf),
        weigh=lambda d, t, keep: D.weigh(d, t, keep).nan_to_num(),
    ),
    _m(
        "mask after softmax",
        "mask",
        "the mask is applied after softmax and the weights are not normalised again: hidden keys still take their share",
        "scores = scores.masked_fill(~keep, -math.inf) before softmax",
        weigh=lambda d, t, keep: t.softmax(-1) if keep is None else t.softmax(-1) * keep,
    ),
    _m(
        "0/1 mask added to the scores",
        "mask",
        "the mask is added to the scores as 1 and 0: a hidden key only loses a factor e against the others",
        "scores = scores.masked_fill(~keep, -math.inf)",
        fill=lambda d, t, keep: t + keep.to(t),
        weigh=lambda d, t, keep: d.softmax(t if keep is None else d.fill(t, keep)),
    ),
    _m(
        "mask ignored",
        "mask",
        "the mask has no effect: hidden keys get their weights all the same",
        "scores = scores.masked_fill(~keep, -math.inf) before softmax (masked_fill returns a new tensor)",
        fill=lambda d, t, keep: t,
        weigh=lambda d, t, keep: t.softmax(-1),
        both=lambda d, keep, c: c,
    ),
    _m(
        "causal lost when a mask is given",
        "both",
        "with a mask, causal=True has no effect: the mask takes the place of the causal mask instead of being combined with it",
        "keep = causal_mask if mask is None else mask & causal_mask",
        both=lambda d, keep, c: c if keep is None else keep,
    ),
    _m(
        "mask lost when causal",
        "both",
        "with causal=True, the mask has no effect: the causal mask takes its place instead of being combined with it",
        "keep = causal_mask if mask is None else mask & causal_mask",
        both=lambda d, keep, c: c,
    ),
    _m(
        "mask hides queries, not keys",
        "mask",
        "the mask is transposed: it hides the key i from the query j where it should hide the key j from the query i",
        "scores = scores.masked_fill(~keep, -math.inf), with keep (…, L, S): queries in rows, keys in columns",
        fill=_sideways,
        weigh=lambda d, t, keep: D.weigh(d, t, keep).nan_to_num(),
    ),
    _m(
        "filled with 0",
        "mask",
        "hidden scores are 0 instead of -inf (filled with 0, or multiplied by the mask): they still get the weight of a score of 0",
        "scores = scores.masked_fill(~keep, -math.inf)",
        fill=lambda d, t, keep: t.masked_fill(~keep, 0.0),
        weigh=lambda d, t, keep: d.softmax(t if keep is None else d.fill(t, keep)),
    ),
    _m(
        "-1e4 added, not -inf",
        "mask",
        "-1e4 is added to hidden scores in place of -inf: it does not hide a key whose score is thousands above the others, and a "
        "query without any key attends to all keys",
        "scores = scores.masked_fill(~keep, -math.inf)",
        weigh=_lowered,
    ),
    _m(
        "causal aligned top left",
        "causal",
        "the causal mask is aligned at the top left: the L queries are the last of the S positions, not the first",
        "visible = torch.ones(L, S, dtype=torch.bool).tril(S - L)",
        visible=lambda d, L, S: _rows(L, S, 0),
    ),
    _m(
        "causal: cannot see itself",
        "causal",
        "a query cannot see its own position: the diagonal of the causal mask is closed",
        "visible = torch.ones(L, S, dtype=torch.bool).tril(S - L)",
        visible=lambda d, L, S: _rows(L, S, S - L - 1),
    ),
    _m(
        "causal: sees the next token",
        "causal",
        "a query sees the next token, too: the causal mask opens one diagonal too many",
        "visible = torch.ones(L, S, dtype=torch.bool).tril(S - L)",
        visible=lambda d, L, S: _rows(L, S, S - L + 1),
    ),
    _m(
        "causal: sees the future only",
        "causal",
        "a query sees itself and what comes later: triu stands where tril belongs",
        "visible = torch.ones(L, S, dtype=torch.bool).tril(S - L)",
        visible=lambda d, L, S: _rows(L, S, S - L - 1).logical_not(),
    ),
    _m(
        "causal ignored",
        "causal",
        "the causal mask has no effect: later tokens change earlier rows",
        "visible = torch.ones(L, S, dtype=torch.bool).tril(S - L), and scores.masked_fill(~visible, -math.inf)",
        visible=lambda d, L, S: _rows(L, S, S),
    ),
    _m(
        "no W_O",
        "out",
        "the output projection is missing: the result is the heads side by side",
        "return self.W_O(out)",
        out=lambda d, concat, x: concat,
    ),
    *(
        _m(
            f"{'W_' + ', W_'.join(roles.upper())} not transposed",
            "project",
            f"{' and '.join('W_' + role.upper() for role in roles)} is multiplied as x @ W, but nn.Linear stores (out, in)",
            "self.q(x), or x @ self.q.weight.T + self.q.bias",
            project=lambda d, x, context, roles=roles: _wrong_matrix(d, x, context, roles),
        )
        for roles in ("q", "k", "v", "qk", "qkv")
    ),
    _m(
        "W_O not transposed",
        "out",
        "W_O is used as x @ W, but nn.Linear stores (out, in) and computes x @ W.T",
        "return self.W_O(out)",
        out=lambda d, concat, x: F.linear(concat, d.weights["o"][0].mT, d.weights["o"][1]),
    ),
    _m(
        "q and k swapped",
        "scores",
        "the scores are k qᵀ instead of q kᵀ where both have the same length, so softmax runs over the queries",
        "scores = q @ k.transpose(-2, -1)",
        scores=_other_way,
    ),
    _m(
        "k used as v",
        "project",
        "the keys are averaged: k stands where v belongs",
        "out = weights @ v",
        project=lambda d, x, context: (d.linear("q", x), d.linear("k", context), d.linear("k", context)),
    ),
    _m(
        "k and v swapped",
        "project",
        "the values are scored and the keys averaged: k and v are swapped",
        "scores = q @ k.transpose(-2, -1); out = weights @ v",
        project=lambda d, x, context: (d.linear("q", x), d.linear("v", context), d.linear("k", context)),
    ),
    _m(
        "v not projected",
        "project",
        "the values are the tokens themselves: W_V is not used",
        "v = self.W_V(context)",
        project=_raw,
    ),
    _m(
        "context ignored",
        "project",
        "keys and values come from x: the context is not used",
        "k, v = self.W_K(context), self.W_V(context)",
        project=lambda d, x, context: D.project(d, x, x),
    ),
    _m(
        "queries from the context",
        "project",
        "the queries come from the context, and keys and values from x: the two are swapped",
        "q, k, v = self.W_Q(x), self.W_K(context), self.W_V(context)",
        project=lambda d, x, context: D.project(d, context, x),
    ),
    _m(
        "batch and length swapped",
        "whole",
        "attention runs along the first axis: tokens attend to the same position of the other samples",
        "x is (B, L, E): attend along axis 1",
        layer=_across,
    ),
    _m(
        "heads share the first head's weights",
        "softmax",
        "all heads use the weights of head 0",
        "out = weights @ v, with weights (B, H, L, S)",
        weigh=lambda d, t, keep: D.weigh(d, t, keep)[:, :1].expand(t.shape),
    ),
    _m(
        "heads averaged",
        "merge",
        "the heads are averaged and repeated instead of laid side by side",
        "out = out.transpose(1, 2).flatten(2)",
        merge=lambda d, heads: heads.mean(1).repeat(1, 1, heads.shape[1]),
    ),
    _m(
        "heads merged in reverse order",
        "merge",
        "the heads are merged in reverse order: the last one comes first",
        "out = out.transpose(1, 2).flatten(2)",
        merge=lambda d, heads: D.merge(d, heads.flip(1)),
    ),
    _m(
        "merge interleaved",
        "merge",
        "the heads are merged channel by channel, (…, D, H), instead of head by head, (…, H, D)",
        "out = out.transpose(1, 2).flatten(2)",
        merge=lambda d, heads: heads.permute(0, 2, 3, 1).flatten(2),
    ),
    _m(
        "cosine instead of the dot product",
        "scores",
        "q and k are normalised to length 1 first: the score is a cosine, which does not know how long a query or a key is",
        "scores = q @ k.transpose(-2, -1) / math.sqrt(D)",
        scores=lambda d, q, k: F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT,
    ),
    _m(
        "scaled cosine",
        "scores",
        "q and k are normalised to length 1 first, so the scores lie between -1/√D and 1/√D",
        "scores = q @ k.transpose(-2, -1) / math.sqrt(D)",
        scores=lambda d, q, k: D.scores(d, F.normalize(q, dim=-1), F.normalize(k, dim=-1)),
    ),
    # More than attention: not wrong, but another thing.
    _m(
        "LayerNorm before",
        "project",
        "the module normalises first: it is attention(LayerNorm(x)), a part of a block",
        "q, k, v = self.W_Q(x), …, and LayerNorm where the block calls it",
        project=lambda d, x, context: D.project(d, _normalised(x), _normalised(context)),
    ),
    _m(
        "LayerNorm before and residual",
        "project",
        "the module normalises first and adds x: it is x + attention(LayerNorm(x)), a part of a block",
        "q, k, v = self.W_Q(x), …, and x + … and LayerNorm where the block calls it",
        project=lambda d, x, context: D.project(d, _normalised(x), _normalised(context)),
        out=lambda d, concat, x: D.out(d, concat, x) + x,
    ),
    _m(
        "q and k normalised",
        "scores",
        "LayerNorm acts on each head's queries and keys, which is not plain attention",
        "scores = q @ k.transpose(-2, -1) / math.sqrt(D), if that is not meant",
        scores=lambda d, q, k: D.scores(d, _normalised(q), _normalised(k)),
    ),
    _m(
        "rotary positions",
        "scores",
        f"q and k are turned by their positions, {PAIRS['halves']}",
        "attn.check.attention(..., rotary='halves'), if that is meant",
        turn=lambda d, q, k: turned(turning("halves"), q, k),
    ),
    _m(
        "rotary positions of neighbours",
        "scores",
        f"q and k are turned by their positions, {PAIRS['neighbours']}",
        "attn.check.attention(..., rotary='neighbours'), if that is meant",
        turn=_neighbours_turned,
    ),
    _m(
        "residual and LayerNorm inside",
        "out",
        "the module adds x and normalises: it is LayerNorm(x + attention(x)), a part of a block, not attention alone",
        "return self.W_O(out), and x + … and LayerNorm where the block calls it",
        out=lambda d, concat, x: F.layer_norm(D.out(d, concat, x) + x, x.shape[-1:], eps=1e-5),
    ),
    _m(
        "residual inside",
        "out",
        "the module adds x: it is x + attention(x), a part of a block, not attention alone",
        "return self.W_O(out), and x + … where the block calls it",
        out=lambda d, concat, x: D.out(d, concat, x) + x,
    ),
    _m(
        "uniform weights",
        "softmax",
        "every open key has the same weight: the scores do not matter",
        "weights = scores.softmax(-1)",
        softmax=_uniform,
    ),
    _m(
        "hard attention",
        "softmax",
        "each query takes only the key with the highest score (argmax), and the scores get no gradient",
        "weights = scores.softmax(-1)",
        softmax=lambda d, t: F.one_hot(t.argmax(-1), t.shape[-1]).to(t),
    ),
    _m(
        "no softmax",
        "softmax",
        "the scores themselves are used as weights: softmax is missing",
        "weights = scores.softmax(-1)",
        softmax=lambda d, t: t.masked_fill(t == -math.inf, 0.0),
    ),
    _m(
        "scores centred over the batch",
        "scores",
        "the mean over the batch is subtracted from the scores: the result for a sample depends on its neighbours in the batch",
        "scores = q @ k.transpose(-2, -1) / math.sqrt(D), and nothing that mixes samples",
        scores=lambda d, q, k: D.scores(d, q, k) - D.scores(d, q, k).mean(0, keepdim=True),
    ),
    _m(
        "groups tiled, not repeated",
        "group",
        "query head h reads key/value head h % G (for H = 6 and G = 3: 0 1 2 0 1 2), but neighbouring query heads share one "
        "(0 0 1 1 2 2)",
        "k = k.repeat_interleave(H // G, dim=1)",
        group=lambda d, kv, heads: kv.repeat(1, heads // kv.shape[1], 1, 1),
    ),
    # What an empty row of a mask shows.
    _m(
        "empty row averages",
        "mask",
        "a query that may see no key gets the average of the hidden values: a finite number such as -1e9 stands for -inf",
        "weights = scores.masked_fill(~keep, -math.inf).softmax(-1).masked_fill(~keep.any(-1, keepdim=True), 0.0)",
        weigh=lambda d, t, keep: t.softmax(-1) if keep is None else t.masked_fill(~keep, -1e9).softmax(-1),
    ),
    _m(
        "empty row gives NaN",
        "mask",
        "a query that may see no key gets NaN: softmax over no key is 0/0",
        "weights = weights.masked_fill(~keep.any(-1, keepdim=True), 0.0) after softmax",
        weigh=lambda d, t, keep: d.softmax(t if keep is None else d.fill(t, keep)),
    ),
    # What one result does not show.
    _m(
        "softmax without the maximum",
        "softmax",
        "large scores give NaN or infinity: exp overflows above 88 in float32, and softmax must subtract the row's maximum first",
        "weights = scores.softmax(-1)",
    ),
    _m(
        "dropout in eval",
        "dropout",
        "dropout acts in eval(): two calls with the same input differ",
        "weights = F.dropout(weights, p, self.training)",
    ),
    _m(
        "dropout never",
        "dropout",
        "dropout does not act in train(): two calls with the same input are equal at p = 0.5",
        "weights = F.dropout(weights, p, self.training)",
    ),
    _m(
        "dropout not rescaled",
        "dropout",
        "the weights that stay are not divided by 1 - p: in training the heads are smaller by this factor than in eval()",
        "weights = F.dropout(weights, p, self.training)",
        mix=lambda d, w, v: 0.5 * (w @ v),
    ),
    _m(
        "k detached",
        "project",
        "no gradient reaches W_K: k is detached",
        "k = self.W_K(context), without detach() or .data",
    ),
    _m(
        "weights detached",
        "dropout",
        "no gradient reaches W_Q and W_K: the weights or the scores are detached",
        "out = weights @ v, without detach(), .data or no_grad()",
    ),
    _m(
        "input changed in place",
        "in place",
        "the call changes its input",
        "x = x + y creates a new tensor; x += y and methods whose names end in _ write into x",
    ),
    _m(
        "state kept",
        "whole",
        "the module keeps something of the last call: the same input gives another result after a call with another one",
        "compute k and v from the arguments alone; what must last belongs in a cache that the caller hands over",
    ),
    _m(
        "cache not read",
        "project",
        "keys and values come from the new tokens alone: those in the cache are not used",
        "k, v = cache.append(k, v), or torch.cat([past_k, k], dim=2)",
    ),
    _m(
        "overflow in float16",
        "scores",
        "in float16 the product q kᵀ overflows before it is divided by √D: 65,504 is its largest number",
        "scores = (q / math.sqrt(D)) @ k.transpose(-2, -1)",
    ),
)


def endless(one: Mistake) -> Iterator[Mistake]:
    """A mistake in which keys are hidden, where softmax of a row that has no key is left as it is: NaN."""
    if one.steps.keys() & {"visible", "both", "fill"} and "weigh" not in one.steps:
        yield replace(one, steps={**one.steps, "weigh": lambda d, t, keep: d.softmax(t if keep is None else d.fill(t, keep))})


def finite(one: Mistake) -> Iterator[Mistake]:
    """A mistake in which keys are hidden, with a finite number in the place of -inf. It shows in rows that have no key."""
    if one.steps.keys() & {"visible", "both", "fill"} and one.steps.get("weigh") not in (_filled, _lowered):
        for weigh, says in (
            (_filled, "a finite number such as -1e9 stands for -inf, so a query without any key gets the mean of all values"),
            (_lowered, "-1e4 is added in place of -inf, so a query without any key attends to all keys"),
        ):
            yield replace(one, says=f"{one.says}; {says}", steps={**one.steps, "weigh": weigh})


def turned_otherwise(pairs: str, base: float) -> Mistake:
    """Rotary positions with another base than the paper's."""
    one = next(one for one in MISTAKES if one.name == {"halves": "rotary positions"}.get(pairs, "rotary positions of neighbours"))
    said = f"{base:,.0f}" if base >= 10 else f"{base:.4g}"
    return replace(
        one,
        says=f"{one.says}, with a base of {said}",
        fix=f"attn.check.attention(..., rotary={pairs!r}, base={base:.10g}), if that is meant",
        steps={"turn": lambda d, q, k: turned(turning(pairs, base), q, k)},
    )


NOT_TURNED = _m(
    "no rotary positions",
    "scores",
    "q and k are not turned by their positions, but rotary=.. says that they are",
    "q, k = rotary(q, positions), rotary(k, positions) before the scores, or no rotary=..",
    turn=lambda d, q, k: (q, k),
)


def mistake(name: str) -> Mistake:
    """The mistake of this name."""
    return next(one for one in MISTAKES if one.name == name)
