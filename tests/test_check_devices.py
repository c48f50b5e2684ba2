"""The checker for one device's part of a layer passes right answers and names the mistake in wrong ones."""

import torch
from verdicts import assert_passed, assert_rejected

import attn
from attn import check


def rows_of(layer, rank, N):
    return [W.chunk(N)[rank] for W in (layer.W_Q, layer.W_K, layer.W_V)]


def heads_of(x, rows, H, G, causal=True):
    sizes = (H, G, G)
    q, k, v = (attn.split_heads(x @ W.T, n) for W, n in zip(rows, sizes, strict=True))
    return attn.merge_heads(attn.attention(q, k, v, causal=causal))


def part(rows=rows_of, columns=lambda W_O, rank, N: W_O.chunk(N, 1)[rank].T, bias=lambda rank, N: rank == 0, causal=True):
    """An answer with one thing replaced."""

    def answer(layer, x, rank, N):
        heads = heads_of(x, rows(layer, rank, N), layer.H // N, layer.G // N, causal)
        return heads @ columns(layer.W_O.weight, rank, N) + layer.W_O.bias * bias(rank, N)

    return answer


def one_head_at_a_time(layer, x, rank, N):
    steps = layer.steps(x, causal=True)
    n = layer.H // N
    mine = range(rank * n, rank * n + n)
    return sum(steps.heads[:, h] @ layer.W_O_heads[h] for h in mine) + layer.W_O.bias / N


def dealt_in_turn(layer, x, rank, N):
    """Which heads a rank has does not matter, as long as W_O's slice is theirs."""
    steps = layer.steps(x, causal=True)
    return sum(steps.heads[:, h] @ layer.W_O_heads[h] for h in range(rank, layer.H, N)) + layer.W_O.bias * (rank == N - 1)


def regrouped(layer, x, rank, N):
    rows = torch.cat(rows_of(layer, rank, N))
    H, G, D = layer.H // N, layer.G // N, layer.D
    q, k, v = (x @ rows.T).split((H * D, G * D, G * D), -1)
    q, k, v = attn.split_heads(q, H), attn.split_heads(k, G), attn.split_heads(v, G)
    heads = attn.merge_heads(attn.attention(q, k, v, causal=True))
    y = heads @ layer.W_O.weight.chunk(N, 1)[rank].T
    return y + layer.W_O.bias if rank == 0 else y


def test_right_parts_pass(subtests):
    answers = {"chunks": part(), "the bias at the end": part(bias=lambda rank, N: rank == N - 1)}
    answers |= {one.__name__: one for one in (one_head_at_a_time, dealt_in_turn, regrouped)}
    assert_passed(subtests, check.device_part, answers)


def as_it_lies(layer, rank, N):
    H, G, D = layer.H // N, layer.G // N, layer.D
    return layer.W_QKV.weight.chunk(N)[rank].split((H * D, G * D, G * D))


def in_turn(layer, rank, N):
    whole = (layer.W_Q, layer.W_K, layer.W_V)
    return [torch.cat([W[h * layer.D : (h + 1) * layer.D] for h in range(rank, len(W) // layer.D, N)]) for W in whole]


def test_each_mistake_is_named(subtests):
    answers = {
        "W_QKV cut as it lies": (part(as_it_lies), ["every shape is right", "cut as it lies"]),
        "heads dealt in turn": (part(in_turn), ["dealt to the ranks in turn"]),
        "keys of rank 0": (
            part(lambda layer, rank, N: [rows_of(layer, rank, N)[0], *rows_of(layer, 0, N)[1:]]),
            ["key/value heads of rank 0"],
        ),
        "rows of W_O": (part(columns=lambda W_O, rank, N: W_O.chunk(N)[rank]), ["rows of W_O were cut"]),
        "bias on every rank": (part(bias=lambda rank, N: 1), ["the sum has it 2 times"]),
        "no bias": (part(bias=lambda rank, N: 0), ["no rank added the bias"]),
        "no mask": (part(causal=False), ["the causal mask is missing"]),
        "two at once": (part(as_it_lies, bias=lambda rank, N: 1), ["cut as it lies", "Also, every rank added the bias"]),
        "all of y": (lambda layer, x, rank, N: layer(x, causal=True), ["2 times y", "whose heads"]),
        "a mean": (lambda layer, x, rank, N: layer(x, causal=True) / N / N, ["divided by the number of ranks"]),
        "a share of the columns of y": (
            lambda layer, x, rank, N: layer(x, causal=True).chunk(N, -1)[rank],
            ["has shape (3, 5, 9)"],
        ),
        "rank 0 alone": (
            lambda layer, x, rank, N: layer(x, causal=True) if rank == 0 else torch.zeros_like(x),
            ["the sum is right, but the ranks have 6, 0 heads. Each has H / N = 3"],
        ),
        "an N-th of everything": (
            lambda layer, x, rank, N: layer(x, causal=True) / N,
            ["the sum is right, but head 0 is in the parts of ranks 0, 1: nothing was cut"],
        ),
        "rows of y": (
            lambda layer, x, rank, N: layer(x, causal=True) * (torch.arange(x.shape[1]) % N == rank)[:, None],
            ["the sum is right, but head 0 is in the parts of ranks 0, 1"],
        ),
        "nothing returned": (lambda layer, x, rank, N: None, ["For rank 0 of 2", "not a tensor"]),
        "the wrong axis": (part(columns=lambda W_O, rank, N: W_O.chunk(N, 1)[rank]), ["raised RuntimeError", "columns of W_O"]),
        "something else": (lambda layer, x, rank, N: x, ["which weights belong to the heads of a rank?"]),
    }
    assert_rejected(subtests, check.device_part, answers)


def merge(shares=lambda totals: totals.softmax(0), join=lambda parts: parts.sum(0)):
    return lambda outs, totals: join(shares(totals).nan_to_num(0.0)[..., None] * outs)


def two_at_a_time(outs, totals):
    out, total = outs[0], totals[0]
    for n in range(1, len(outs)):
        both = torch.stack([total, totals[n]]).logsumexp(0)
        known = both.masked_fill(both.isneginf(), 0.0)
        first, second = (total - known).exp(), (totals[n] - known).exp()
        out, total = first[..., None] * out + second[..., None] * outs[n], both
    return out


def by_hand(outs, totals):
    highest = totals.amax(0).clamp(min=-1e30)
    terms = (totals - highest).exp()
    return torch.einsum("nbhl,nbhld->bhld", terms, outs) / terms.sum(0).clamp(min=1e-30)[..., None]


def test_right_merges_pass(subtests):
    answers = {"softmax over the parts": merge(), "at least −1e30": merge(lambda totals: totals.clamp(min=-1e30).softmax(0))} | {
        one.__name__: one for one in (two_at_a_time, by_hand)
    }
    assert_passed(subtests, check.ring_merge, answers)


def test_each_wrong_merge_is_named(subtests):
    plain = lambda totals: totals.exp() / totals.exp().sum(0)  # noqa: E731
    answers = {
        "a mean": (lambda outs, totals: outs.mean(0), ["this is the mean of the parts"]),
        "a sum": (lambda outs, totals: outs.sum(0), ["this is the sum of the parts"]),
        "over the queries": (merge(lambda totals: totals.softmax(-1)), ["do not sum to 1"]),
        "over the queries, averaged": (merge(lambda totals: totals.softmax(-1), lambda parts: parts.mean(0)), ["averaged after"]),
        "weighted, then averaged": (merge(join=lambda parts: parts.mean(0)), ["averaged after they were weighted"]),
        "logarithms as shares": (lambda outs, totals: ((totals / totals.sum(0))[..., None] * outs).sum(0), ["of the logarithms"]),
        "another part's share": (merge(lambda totals: totals.softmax(0).flip(0)), ["the share of another one"]),
        "overflow": (lambda outs, totals: (plain(totals)[..., None] * outs).sum(0), ["large scores", "exp of a large total"]),
        "no key at all": (lambda outs, totals: (totals.softmax(0)[..., None] * outs).sum(0), ["hidden keys", "0/0"]),
        "no sum": (lambda outs, totals: totals.softmax(0)[..., None] * outs, ["the axis of the parts must be summed"]),
        "no axis for D": (lambda outs, totals: (totals.softmax(0) * outs).sum(0), ["totals has no axis of components"]),
        "at least −100": (
            merge(lambda totals: totals.clamp(min=-100).softmax(0)),
            ["large scores", "low totals were raised to a smallest"],
        ),
        "at least −10,000": (merge(lambda totals: totals.clamp(min=-1e4).softmax(0)), ["large scores", "low totals were raised"]),
        "at least 0": (merge(lambda totals: totals.clamp(min=0).softmax(0)), ["low totals were raised"]),
        "three parts always": (lambda outs, totals: merge()(outs[:3], totals[:3]) if len(outs) == 3 else outs[1], ["two parts"]),
        "the first part": (lambda outs, totals: outs[0], ["result[0, 0, 0, 0] must be"]),
    }
    assert_rejected(subtests, check.ring_merge, answers)
