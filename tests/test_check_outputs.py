"""The checkers of the output projection and of the OV circuits pass any spelling, and say what a wrong one computes instead."""

import torch
import torch.nn.functional as F
from verdicts import assert_passed, assert_rejected

import attn
from attn import check


def by_loops(heads, weight):
    B, H, L, D = heads.shape
    y = torch.zeros(B, L, len(weight))
    for h in range(H):
        for d in range(D):
            y += heads[:, h, :, d, None] * weight[:, h * D + d]
    return y


def by_slices(pick):
    def project(heads, weight):
        H, D = heads.shape[1], heads.shape[3]
        return sum(heads[:, h] @ pick(weight, h, H, D) for h in range(H))

    return project


def merged(merge, transposed=True, factor=1.0):
    return lambda heads, weight: merge(heads) @ (weight.T if transposed else weight) * factor


def side_by_side(heads):
    return torch.cat([heads[:, h] for h in range(heads.shape[1])], dim=-1)


def naive(heads):
    B, H, L, D = heads.shape
    return heads.reshape(B, L, H * D)


def interleaved(heads):
    return heads.permute(0, 2, 3, 1).flatten(2)


def last_one(heads, weight):
    D = heads.shape[3]
    for h in range(heads.shape[1]):
        y = heads[:, h] @ weight[:, h * D : (h + 1) * D].T
    return y


RIGHT = {
    "transpose, reshape": merged(lambda heads: heads.transpose(1, 2).reshape(heads.shape[0], heads.shape[2], -1)),
    "contiguous, view": merged(lambda heads: heads.permute(0, 2, 1, 3).contiguous().view(heads.shape[0], heads.shape[2], -1)),
    "cat": merged(side_by_side),
    "linear": lambda heads, weight: F.linear(attn.merge_heads(heads), weight),
    "slices": by_slices(lambda weight, h, H, D: weight[:, h * D : (h + 1) * D].T),
    "blocks": lambda heads, weight: (heads @ weight.T.view(*heads.shape[1::2], -1)).sum(1),
    "einsum": lambda heads, weight: torch.einsum("bhld,ehd->ble", heads, weight.unflatten(1, heads.shape[1::2])),
    "loops": by_loops,
    "interleaved twice": lambda heads, weight: (
        interleaved(heads) @ weight.unflatten(1, (heads.shape[1], heads.shape[3])).transpose(1, 2).flatten(1).T
    ),
}

WRONG = {
    "naive merge": (merged(naive), ["merged without a transpose", "tokens 0 to 2 of head 0", "Which two axes"]),
    "naive merge, not transposed": (merged(naive, False), ["merged without a transpose", "Also, weight was not transposed"]),
    "interleaved": (merged(interleaved), ["interleaved", "In which order must H and D"]),
    "strided slices": (by_slices(lambda weight, h, H, D: weight[:, h::H].T), ["interleaved"]),
    "not transposed": (merged(attn.merge_heads, False), ["weight was not transposed", "only because weight is square"]),
    "slices of rows": (by_slices(lambda weight, h, H, D: weight[h * D : (h + 1) * D]), ["sliced along its rows"]),
    "blocks of rows": (
        lambda heads, weight: (heads @ weight.view(*heads.shape[1::2], -1)).sum(1),
        ["sliced along its rows", "treats it as (H·D, E)"],
    ),
    "blocks of every H-th column": (
        lambda heads, weight: (heads @ weight.T.view(*heads.shape[:0:-2], -1).transpose(0, 1)).sum(1),
        ["interleaved"],
    ),
    "blocks as they are stored": (
        lambda heads, weight: (heads @ weight.unflatten(1, heads.shape[1::2]).transpose(0, 1)).sum(1),
        ["raised RuntimeError"],
    ),
    "reverse order": (by_slices(lambda weight, h, H, D: weight[:, (H - 1 - h) * D :][:, :D].T), ["in reverse order"]),
    "first slice for all": (
        by_slices(lambda weight, h, H, D: weight[:, :D].T),
        ["every head was multiplied by the first 4 columns"],
    ),
    "mean of the contributions": (merged(side_by_side, factor=1 / 3), ["the heads were averaged", "add or average"]),
    "mean, first columns": (
        lambda heads, weight: heads.mean(1) @ weight[:, : heads.shape[3]].T,
        ["the heads were averaged", "first 4 columns"],
    ),
    "mean, repeated": (merged(lambda heads: heads.mean(1).repeat(1, 1, heads.shape[1])), ["the mean was repeated 3 times"]),
    "no W_O": (lambda heads, weight: side_by_side(heads), ["W_O is missing", "Which product combines the heads"]),
    "no W_O, naive": (
        lambda heads, weight: naive(heads),
        ["merged without a transpose", "Also, these are the heads side by side, and W_O is missing"],
    ),
    "last head": (last_one, ["the last head alone"]),
    "first head": (
        lambda heads, weight: heads[:, 0] @ weight[:, : heads.shape[3]].T,
        ["the first head alone", "return inside the loop"],
    ),
    "view": (
        merged(lambda heads: heads.transpose(1, 2).view(heads.shape[0], heads.shape[2], -1)),
        ["raised RuntimeError: view size", "Which call copies"],
    ),
    "mean, whole weight": (
        lambda heads, weight: heads.mean(1) @ weight.T,
        ["cannot be multiplied", "of all heads together"],
    ),
    "heads not merged": (lambda heads, weight: heads, ["shape (2, 3, 5, 4); it must be (B, L, E) = (2, 5, 12)"]),
    "one element wrong": (
        lambda heads, weight: (side_by_side(heads) @ weight.T).index_fill(-1, torch.tensor([8], device=heads.device), 0.0),
        ["result[0, 0, 8] must be ", "(all heads of token 0, side by side, times row 8 of weight); yours is 0.0000"],
    ),
    "not a number": (
        merged(side_by_side, factor=torch.nan),
        ["the shape (2, 5, 12) is right, but the values are wrong", "yours is nan"],
    ),
    "hard-coded sizes": (merged(lambda heads: heads.transpose(1, 2).reshape(2, 5, 12)), ["For heads (3, 2, 4, 5)"]),
    "changed": (
        lambda heads, weight: side_by_side(heads.mul_(2)) @ weight.T / 2,
        ["changed its input heads. Do not write into heads and weight"],
    ),
    "nothing": (lambda heads, weight: None, ["returned None", "Is the return statement missing?"]),
    "raises": (lambda heads, weight: heads[99], ["raised IndexError"]),
}


def test_right_projections_pass(subtests):
    assert_passed(subtests, check.output_projection, RIGHT)


def test_wrong_projections_are_explained(subtests):
    assert_rejected(subtests, check.output_projection, WRONG)


def test_an_answer_that_changes_its_operands_does_not_affect_the_next_check():
    check.output_projection(lambda heads, weight: heads.zero_() @ weight.zero_())
    assert check.output_projection(RIGHT["cat"])


def cut_in_loops(W_V, W_O, H):
    D = len(W_V) // H
    heads = [slice(h * D, h * D + D) for h in range(H)]
    return torch.stack([sum(torch.outer(W_V[d], W_O[:, d]) for d in range(len(W_V))[head]) for head in heads])


def by_identity(W_V, W_O, H):
    """What each head adds for the rows of the identity, with all the weight of each token on itself."""
    v = attn.split_heads(torch.eye(len(W_O))[None] @ W_V.T, H)
    return torch.cat([head @ cut.T for head, cut in zip(v.transpose(0, 1), W_O.chunk(H, dim=1), strict=True)])


def ov(read, write, product=torch.matmul):
    return lambda W_V, W_O, H: product(read(W_V, H), write(W_O, H))


def rows_of(W, H):
    return W.unflatten(0, (H, -1))


def columns_of(W, H):
    return torch.stack(W.chunk(H, dim=1))


RIGHT_MAPS = {
    "chunks": ov(lambda W, H: torch.stack(W.chunk(H)).mT, lambda W, H: columns_of(W, H).mT),
    "views": ov(lambda W, H: W.view(H, len(W) // H, -1).mT, lambda W, H: W.T.view(H, -1, len(W))),
    "permuted": ov(lambda W, H: rows_of(W, H).permute(0, 2, 1), lambda W, H: W.unflatten(1, (H, -1)).permute(1, 2, 0)),
    "transposed in the end": lambda W_V, W_O, H: (columns_of(W_O, H) @ rows_of(W_V, H)).mT,
    "einsum": ov(rows_of, lambda W, H: W.unflatten(1, (H, -1)), lambda V, W: torch.einsum("hdi,ohd->hio", V, W)),
    "loops": cut_in_loops,
    "identity": by_identity,
    "float64": lambda W_V, W_O, H: cut_in_loops(W_V.double().requires_grad_(), W_O.double(), H),
}
WRONG_MAPS = {
    "the exercise": (
        ov(columns_of, lambda W, H: columns_of(W, H).mT),
        ["the shape (3, 12, 12) is right, but the heads of W_V were cut from its columns", "Which of its axes holds the heads"],
    ),
    "rows of W_O": (
        ov(lambda W, H: rows_of(W, H).mT, rows_of),
        ["slices of W_O were cut from its rows. W_O is stored as (out, in)"],
    ),
    "both": (ov(columns_of, rows_of), ["W_V were cut from its columns", "Also, the slices of W_O were cut from its rows"]),
    "transposed": (lambda W_V, W_O, H: columns_of(W_O, H) @ rows_of(W_V, H), ["every map is transposed", "comes first in x @ map"]),
    "interleaved": (
        ov(lambda W, H: W.unflatten(0, (-1, H)).permute(1, 2, 0), lambda W, H: W.unflatten(1, (-1, H)).permute(2, 1, 0)),
        ["heads of W_V were interleaved", "Also, the heads of W_O were interleaved", "Which size is outer"],
    ),
    "another head's slice": (
        ov(lambda W, H: rows_of(W, H).mT, lambda W, H: columns_of(W, H).mT.flip(0)),
        ["in reverse order", "Which columns of W_O belong to head 0"],
    ),
    "scaled": (lambda W_V, W_O, H: cut_in_loops(W_V, W_O, H) / (len(W_V) // H) ** 0.5, ["divided by √D", "has this factor"]),
    "averaged": (lambda W_V, W_O, H: cut_in_loops(W_V, W_O, H) / H, ["every element is 1/3 of the right one"]),
    "all heads in each": (lambda W_V, W_O, H: (W_O @ W_V).T.expand(H, -1, -1), ["every map is the sum of all heads' maps"]),
    "one map": (lambda W_V, W_O, H: W_V.T @ W_O.T, ["shape (12, 12); it must be (H, E, E)", "one map for all heads together"]),
    "summed over E": (lambda W_V, W_O, H: rows_of(W_V, H) @ columns_of(W_O, H), ["the product sums over E"]),
    "one factor": (lambda W_V, W_O, H: rows_of(W_V, H), ["one of the two factors"]),
    "heads in the middle": (lambda W_V, W_O, H: cut_in_loops(W_V, W_O, H).transpose(0, 1), ["heads must come first"]),
    "not transposed": (
        lambda W_V, W_O, H: rows_of(W_V, H) @ rows_of(W_O, H),
        ["raised RuntimeError", "(out, in): W_V is (H·D, E)"],
    ),
    "hard-coded sizes": (
        lambda W_V, W_O, H: W_V.view(3, 4, 12).mT @ W_O.T.view(3, 4, 12),
        ["For W_V (10, 7), W_O (7, 10) and H = 2"],
    ),
    "one element wrong": (
        lambda W_V, W_O, H: cut_in_loops(W_V, W_O, H).index_fill(2, torch.tensor([8], device=W_V.device), 0.0),
        ["result[0, 0, 8] must be ", "component 0 of a token changes component 8 of what head 0 adds"],
    ),
    "changed": (
        lambda W_V, W_O, H: cut_in_loops(W_V.mul_(2), W_O, H) / 2,
        ["changed its input W_V. Do not write into W_V and W_O"],
    ),
    "nothing": (lambda W_V, W_O, H: None, ["returned None", "Is the return statement missing?"]),
}


def test_right_maps_pass(subtests):
    assert_passed(subtests, check.ov_maps, RIGHT_MAPS)


def test_wrong_maps_are_explained(subtests):
    assert_rejected(subtests, check.ov_maps, WRONG_MAPS)
