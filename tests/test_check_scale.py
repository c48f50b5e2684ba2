"""The checkers for the division by √D pass right answers and name the divisor of wrong ones."""

import math

import pytest
import torch
from verdicts import assert_passed, assert_rejected

import attn
from attn import check


def divided(by):
    """q kᵀ over a number of the sizes (B, H, L, S, D)."""
    return lambda q, k: q @ k.mT / by(*q.shape[:3], k.shape[2], q.shape[3])


SCORES_THAT_PASS = {
    "divided after": divided(lambda B, H, L, S, D: math.sqrt(D)),
    "queries divided before": lambda q, k: q / q.shape[-1] ** 0.5 @ k.transpose(2, 3),
    "both by the root of the root": lambda q, k: (q / q.shape[-1] ** 0.25) @ (k / k.shape[-1] ** 0.25).mT,
    "einsum": lambda q, k: torch.einsum("bhld,bhsd->bhls", q, k) * q.shape[-1] ** -0.5,
    "a tensor as divisor": lambda q, k: q @ k.mT / torch.tensor(k.size(-1)).sqrt(),
    "double precision": lambda q, k: q.double() @ k.double().mT / q.shape[-1] ** 0.5,
    "the package": lambda q, k: attn.attention_steps(q, k, k).scaled,
}

SCORES_THAT_FAIL = {
    "not at all": (divided(lambda *sizes: 1), ["divided by nothing", "variance 6 if"]),
    "by D": (divided(lambda B, H, L, S, D: D), ["divided by D = 6, or by √D twice", "variance 0.167"]),
    "twice": (lambda q, k: attn.attention_steps(q, k, k).scaled / q.shape[-1] ** 0.5, ["by D = 6, or by √D twice"]),
    "by √E": (
        divided(lambda B, H, L, S, D: math.sqrt(H * D)),
        ["by √E = 4.24, not by √D = 2.45", "How many products does one head sum"],
    ),
    "by E": (divided(lambda B, H, L, S, D: H * D), ["by E = 18"]),
    "by √S": (lambda q, k: q @ k.mT / k.mT.shape[-1] ** 0.5, ["by √S = 2.65", "last axis of a transposed k"]),
    "by √L": (divided(lambda B, H, L, S, D: math.sqrt(L)), ["by √L = 2.24", "L counts the queries"]),
    "by √H": (divided(lambda B, H, L, S, D: math.sqrt(H)), ["by √H = 1.73", "H counts the heads"]),
    "by √B": (divided(lambda B, H, L, S, D: math.sqrt(B)), ["by √B = 1.41", "B counts the sequences"]),
    "times √D": (divided(lambda B, H, L, S, D: 1 / math.sqrt(D)), ["multiplied by √D"]),
    "root of the root": (divided(lambda B, H, L, S, D: D**0.25), ["square root of √D"]),
    "by the paper's 8": (divided(lambda *sizes: 8), ["divided by 8, not by √D"]),
    "a hard-coded divisor": (divided(lambda *sizes: math.sqrt(6)), ["q (3, 2, 7, 5)", "divided by 2.449"]),
    "minus": (divided(lambda B, H, L, S, D: -math.sqrt(D)), ["divided by -2.449"]),
    "softmax too": (lambda q, k: attn.attention_steps(q, k, k).weights, ["these are weights"]),
    "cosine": (lambda q, k: torch.cosine_similarity(q[..., None, :], k[..., None, :, :], dim=-1), ["these are cosines"]),
    "by each query's norm": (lambda q, k: q / q.norm(dim=-1, keepdim=True) @ k.mT, ["norm of its query", "one number for all"]),
    "reshaped, not transposed": (lambda q, k: q @ k.reshape(*k.shape[:2], k.shape[3], -1), ["k was reshaped, not transposed"]),
    "zero": (lambda q, k: (q @ k.mT) * 0, ["all values are zero"]),
    "infinite": (lambda q, k: q @ k.mT / 0, ["not finite"]),
    "no transpose": (lambda q, k: q @ k, ["raised RuntimeError"]),
    "keys first": (lambda q, k: k @ q.mT, ["shape (2, 3, 7, 5); it must be (B, H, L, S) = (2, 3, 5, 7)"]),
    "changed": (lambda q, k: q.div_(q.shape[-1] ** 0.5) @ k.mT, ["changed its input"]),
    "nothing": (lambda q, k: None, ["returned None", "Is the return statement missing?"]),
}


def test_right_scores_pass(subtests):
    assert_passed(subtests, check.scaled_scores, SCORES_THAT_PASS)


def test_wrong_scores_are_explained(subtests):
    assert_rejected(subtests, check.scaled_scores, SCORES_THAT_FAIL)


def test_an_answer_that_changes_its_input_does_not_affect_the_next_check():
    check.scaled_scores(lambda q, k: q.zero_() @ k.zero_().mT)
    assert check.scaled_scores(SCORES_THAT_PASS["divided after"])


VARIANCES_THAT_PASS = {
    "by squares": lambda mean, std: (mean**2 + std**2) ** 2 - mean**4,
    "by parts": lambda mean, std: std**4 + 2 * mean**2 * std**2,
    "a tensor": lambda mean, std: torch.tensor(std**4 + 2 * mean**2 * std**2),
}

VARIANCES_THAT_FAIL = {
    "of one factor": (
        lambda mean, std: std**2,
        ["mean 0 and standard deviation 2, your formula gives 4; an experiment gives 16", "one factor"],
    ),
    "the book's 1": (lambda mean, std: 1, ["only for mean 0 and standard deviation 1"]),
    "no mean": (
        lambda mean, std: std**4,
        ["mean 1 and standard deviation 1, your formula gives 1; an experiment gives 3", "The term in σ is right"],
    ),
    "not centred": (lambda mean, std: (mean**2 + std**2) ** 2, ["your formula gives 4; an experiment gives 3", "subtracted"]),
    "one side": (lambda mean, std: std**4 + mean**2 * std**2, ["your formula gives 2", "Which of the two factors can vary?"]),
    "its root": (lambda mean, std: VARIANCES_THAT_PASS["by parts"](mean, std) ** 0.5, ["standard deviation of the scaled score"]),
    "times D": (lambda mean, std: 64 * std**4, ["mean 0 and standard deviation 1, your formula gives 64", "both factors double"]),
    "sign of the mean": (
        lambda mean, std: std**4 + 2 * mean * abs(mean) * std**2,
        ["mean -2 and standard deviation 3", "mean is not 0"],
    ),
    "nothing": (lambda mean, std: None, ["raised TypeError"]),
    "raises": (lambda mean, std: std / 0, ["raised ZeroDivisionError"]),
    "not a number": (lambda mean, std: float("nan"), ["your formula gives nan"]),
}


def test_right_variances_pass(subtests):
    assert_passed(subtests, check.score_variance, VARIANCES_THAT_PASS)


def test_wrong_variances_are_explained(subtests):
    assert_rejected(subtests, check.score_variance, VARIANCES_THAT_FAIL)


@pytest.mark.parametrize("mean,std", [(0.0, 1.0), (0.0, 2.0), (1.0, 1.0), (-2.0, 3.0)])
def test_the_formula_of_the_checker_agrees_with_an_experiment(mean, std):
    draw = torch.Generator().manual_seed(3)
    q, k = mean + std * torch.randn(2, 40_000, 16, generator=draw, dtype=torch.float64)
    measured = float(((q * k).sum(-1) / 4).var())
    assert check.score_variance(lambda m, s: measured if (m, s) == (mean, std) else s**4 + 2 * m**2 * s**2)
