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
        "nothing returned": (lambda layer, x, rank, N: None, ["For rank 0 of 2", "not a tensor"]),
        "the wrong axis": (part(columns=lambda W_O, rank, N: W_O.chunk(N, 1)[rank]), ["raised RuntimeError", "columns of W_O"]),
        "something else": (lambda layer, x, rank, N: x, ["which weights belong to the heads of a rank?"]),
    }
    assert_rejected(subtests, check.device_part, answers)
