"""The checker of scores passes right answers in any spelling, and says what a wrong one computes instead."""

import pytest
import torch
import torch.nn.functional as F
from verdicts import assert_passed, assert_rejected

import attn
from attn import check


def by_loops(q, k):
    B, H, L, D = q.shape
    out = torch.empty(B, H, L, k.shape[2])
    for b, h, i, j in torch.cartesian_prod(*map(torch.arange, out.shape)).tolist():
        out[b, h, i, j] = (q[b, h, i] * k[b, h, j]).sum() / D**0.5
    return out


RIGHT = {
    "transpose": lambda q, k: q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5,
    "mT, scaled first": lambda q, k: (q * q.shape[-1] ** -0.5) @ k.mT,
    "einsum": lambda q, k: torch.einsum("bhld,bhsd->bhls", q, k) / k.shape[-1] ** 0.5,
    "both by the fourth root": lambda q, k: (q / q.shape[-1] ** 0.25) @ (k / k.shape[-1] ** 0.25).permute(0, 1, 3, 2),
    "transposed twice": lambda q, k: (k @ q.mT).mT / q.shape[-1] ** 0.5,
    "products, summed": lambda q, k: (q[..., :, None, :] * k[..., None, :, :]).sum(-1) / q.shape[-1] ** 0.5,
    "loops": by_loops,
    "the package": lambda q, k: attn.attention_steps(q, k, k).scaled,
}


def reshaped(q, k, scale=None):
    B, H, S, D = k.shape
    return q @ k.reshape(B, H, D, S) / (scale or D**0.5)


def times(swap, power=-0.5):
    return lambda q, k: q @ swap(k) * q.shape[-1] ** power


WRONG = {
    "no transpose": (times(lambda k: k), ["raised RuntimeError: Expected size", "This is q @ k", "component j of every key"]),
    "no transpose, no scale": (lambda q, k: q @ k, ["This is q @ k"]),
    ".T": (times(lambda k: k.T), ["must match the size", ".T reverses all four axes"]),
    "axes 0 and -1": (times(lambda k: k.transpose(0, -1)), ["sequences with components"]),
    "axes 1 and 2": (times(lambda k: k.transpose(1, 2)), ["heads with keys"]),
    "axes 1 and -1": (times(lambda k: k.transpose(1, -1)), ["heads with components"]),
    "reshaped": (reshaped, ["the shape (2, 3, 5, 7) is right, but k was reshaped, not transposed"]),
    "reshaped, no scale": (lambda q, k: reshaped(q, k, 1.0), ["k was reshaped", "Also, you divided by nothing"]),
    "q reshaped": (
        lambda q, k: q.reshape(*q.shape[:2], q.shape[3], q.shape[2]).mT @ k.mT / q.shape[-1] ** 0.5,
        ["q was reshaped: its rows"],
    ),
    "no scale": (times(lambda k: k.mT, 0), ["right, but you divided by nothing"]),
    "scaled twice": (times(lambda k: k.mT, -1), ["divided by D = 6, or by √D twice"]),
    "scaled by the whole width": (
        lambda q, k: q @ k.mT / (q.shape[1] * q.shape[3]) ** 0.5,
        ["divided by √E = 4.24", "the width of a token vector"],
    ),
    "scaled by the keys": (lambda q, k: q @ k.mT / k.shape[2] ** 0.5, ["divided by √S = 2.65", "S counts the keys"]),
    "multiplied": (times(lambda k: k.mT, 0.5), ["multiplied by √D"]),
    "K Qᵀ": (lambda q, k: k @ q.mT / q.shape[-1] ** 0.5, ["K Qᵀ, (B, H, S, L)", "Should a row belong to a query"]),
    "K Qᵀ, no scale": (lambda q, k: k @ q.mT, ["K Qᵀ", "Also, you divided by nothing"]),
    "softmax as well": (lambda q, k: attn.attention_steps(q, k, k).weights, ["these are weights"]),
    "cosines": (lambda q, k: F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT, ["these are cosines"]),
    "heads summed": (lambda q, k: (q @ k.mT).sum(1), ["shape (2, 5, 7); it must be (B, H, L, S) = (2, 3, 5, 7)"]),
    "one element wrong": (
        lambda q, k: (q @ k.mT / 6**0.5).index_fill(-1, torch.tensor([6], device=q.device), 0.0),
        ["result[0, 0, 0, 6] must be ", "(query 0 times key 6, divided by √6); yours is 0.0000"],
    ),
    "not a number": (lambda q, k: q @ k.mT * torch.nan, ["the shape (2, 3, 5, 7) is right, but some values are not finite"]),
    "hard-coded sizes": (lambda q, k: (q @ k.mT / 6**0.5).view(2, 3, 5, 7), ["For q (3, 2, 7, 5)", "raised RuntimeError"]),
    "hard-coded scale": (lambda q, k: q @ k.mT / 6**0.5, ["For q (3, 2, 7, 5)"]),
    "changed": (lambda q, k: q.mul_(q.shape[-1] ** -0.5) @ k.mT, ["changed its input q. Do not write into q and k"]),
    "nothing": (lambda q, k: None, ["returned None", "Is the return statement missing?"]),
}


def test_right_scores_pass(subtests):
    assert_passed(subtests, check.scores, RIGHT)


@pytest.mark.filterwarnings("ignore:The use of `x.T`")
def test_wrong_scores_are_explained(subtests):
    assert_rejected(subtests, check.scores, WRONG)


def test_an_answer_that_changes_its_operands_does_not_affect_the_next_check():
    check.scores(lambda q, k: q.zero_() @ k.zero_().mT)
    assert check.scores(RIGHT["transpose"])
