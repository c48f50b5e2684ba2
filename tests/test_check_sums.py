"""The checkers of sums pass right answers in any letters, and name the wrong axis in all others."""

import torch
from verdicts import assert_passed, assert_rejected

from attn import check

RIGHT = {
    "scores": "bhld,bhsd->bhls",
    "heads": "bhls,bhsd->bhld",
    "lengths": "bhld,bhld->bhl",
    "output": "bhld,hde->ble",
}


FORMULAS_THAT_PASS = {
    "the letters of the book": RIGHT,
    "upper case and blanks": {"scores": "BHQD, BHKD -> BHQK"},
    "others": {"scores": "n h i c, n h j c -> n h i j", "output": "xyzw,ywv->xzv"},
    "one task": {"lengths": "abcd,abcd->abc"},
}


def test_right_formulas_pass_in_any_letters(subtests):
    assert_passed(subtests, check.einsum, FORMULAS_THAT_PASS)
    for formulas in FORMULAS_THAT_PASS.values():
        verdict = check.einsum(formulas)
        assert f"{len(formulas)} formulas" in verdict.message
        assert ("Not checked" in verdict.message) == (len(formulas) < 4)


def test_the_formulas_that_pass_compute_what_the_loops_compute():
    q, k = torch.randn(2, 3, 5, 4), torch.randn(2, 3, 7, 4)
    heads, W_O = torch.randn(2, 3, 5, 4), torch.randn(3, 4, 12)
    weights, v = torch.rand(2, 3, 5, 7), torch.randn(2, 3, 7, 4)
    close = torch.testing.assert_close
    close(torch.einsum(RIGHT["scores"], q, k), (q[:, :, :, None] * k[:, :, None]).sum(-1))
    close(torch.einsum(RIGHT["heads"], weights, v), (weights[..., None] * v[:, :, None]).sum(3))
    close(torch.einsum(RIGHT["lengths"], q, q), q.square().sum(-1))
    close(torch.einsum(RIGHT["output"], heads, W_O), sum(heads[:, h] @ W_O[h] for h in range(3)))


WRONG_FORMULAS = [
    ("scores", "bhld,bhsd->bhsl", ["in the order (B, H, S, L); it must be (B, H, L, S)"]),
    ("scores", "bhld,bhsd->bls", ["does not keep H", "it sums over the heads"]),
    ("scores", "bhld,bhsd->hls", ["does not keep B", "it sums over the sequences"]),
    ("scores", "bhld,bhsd->bhlsd", ["keeps D, which must be summed"]),
    ("scores", "bhld,bhds->bhls", ['uses "d" for two axes, D of size 4 and S of size 7']),
    ("scores", "bhld,bhsd", ['has no "->"', "b and h among them"]),
    ("scores", "bhld,ahsd->bhls", ["two letters for one axis, b and a for the sequences", '"a", which is not in the result']),
    ("scores", "bhld,bhse->bhls", ["two letters for one axis, d and e for the components of a head"]),
    ("scores", "bld,bsd->bls", ["gives q 3 letters; its axes are (B, H, L, D)"]),
    ("scores", "bhld,bhsd,d->bhls", ["has 3 tensors", "must be 2, q and k"]),
    ("scores", "bhld,bhsd->bhlx", ['has "x" in the result']),
    ("scores", "bhld,bhsd->bhll", ["has the same letter twice"]),
    ("scores", "...ld,...sd->...ls", ['contains "..."']),
    ("scores", "b1ld,b1sd->b1ls", ['contains "1", which is not a letter']),
    ("heads", "bhls,bhld->bhsd", ['uses "l" for two axes, L of size 5 and S of size 7', "the formula would run"]),
    ("heads", "bhls,bgsd->bhld", ["h and g for the heads", '"g", which is not in the result, is summed separately']),
    ("lengths", "bhld,bhld->bhld", ["keeps D"]),
    ("lengths", "bhld,bhsd->bhl", ["l and s for the queries"]),
    ("output", "bhld,hde->bhle", ["keeps H"]),
    ("output", "bhld,gde->ble", ["h and g for the heads"]),
]
FORMULAS_THAT_FAIL = {
    f"{task}: {formula}": (RIGHT | {task: formula}, [f'{task}: "{formula}"', *parts]) for task, formula, parts in WRONG_FORMULAS
} | {
    "an unknown task": ({"score": "d,d->"}, ["There is no task called 'score'"]),
    "no string": ({"scores": None}, ["a formula must be a string"]),
    "no formula": ({}, ["Your answer is empty, not a dict with formulas for scores, heads"]),
    "no dict": ("bhld,bhsd->bhls", ["Your answer is a value of type str, not a dict"]),
}


def test_a_wrong_formula_is_rejected_and_its_axis_named(subtests):
    assert_rejected(subtests, check.einsum, FORMULAS_THAT_FAIL)


SUMS_THAT_PASS = {
    "einsum": lambda w, v: torch.einsum("bhls,bhsd->bhld", w, v),
    "matmul": lambda w, v: w @ v,
    "bmm": lambda w, v: torch.bmm(w.flatten(0, 1), v.flatten(0, 1)).unflatten(0, w.shape[:2]),
    "broadcast and sum": lambda w, v: (w.unsqueeze(-1) * v.unsqueeze(2)).sum(-2),
    "matrices one by one": lambda w, v: torch.stack(
        [torch.stack([a @ b for a, b in zip(*both, strict=True)]) for both in zip(w, v, strict=True)]
    ),
    "in double": lambda w, v: w.double() @ v.double(),
}

SUMS_THAT_FAIL = {
    "l for s": (lambda w, v: torch.einsum("bhls,bhld->bhsd", w, v), ["raised RuntimeError", "v has no axis of queries"]),
    "transposed v": (lambda w, v: w @ v.transpose(-2, -1), ["raised RuntimeError", "The last axis of weights counts the keys"]),
    "transposed weights": (
        lambda w, v: (w.transpose(-2, -1) if w.shape[-1] == w.shape[-2] else w) @ v,
        ["(3, 2, 4, 4)", "sums over the queries instead of the keys", "because L = S here"],
    ),
    "divided by the sums": (lambda w, v: w @ v / w.sum(-1, keepdim=True), ["divided by the sums of the rows", "or to 0"]),
    "g for h": (lambda w, v: torch.einsum("bhls,bgsd->bhld", w, v), ["the values of all heads", "was summed"]),
    "a for b": (lambda w, v: torch.einsum("bhls,ahsd->bhld", w, v), ["the values of all sequences"]),
    "two letters for the keys": (lambda w, v: torch.einsum("bhls,bhed->bhld", w, v), ["every value got the same weight"]),
    "no h in the result": (lambda w, v: torch.einsum("bhls,bhsd->bld", w, v), ["shape (2, 5, 4)", "sums over the heads"]),
    "no b in the result": (lambda w, v: torch.einsum("bhls,bhsd->hld", w, v), ["sums over the sequences"]),
    "queries summed": (
        lambda w, v: (w[..., None] * v[:, :, None]).sum(2),
        ["must be (B, H, L, D) = (2, 3, 5, 4)", "not over the keys"],
    ),
    "transposed": (lambda w, v: (w @ v).transpose(-2, -1), ["shape (2, 3, 4, 5)", "the last two axes are swapped"]),
    "mean": (lambda w, v: (w[..., None] * v[:, :, None]).mean(3), ["these are means: the sums were divided by 7"]),
    "changed": (lambda w, v: w.mul_(1.5) @ v, ["changed its input"]),
    "nothing": (lambda w, v: None, ["returned None"]),
    "NaN": (lambda w, v: w @ v * float("nan"), ["the values are wrong", "yours is nan"]),
    "a copy of v": (
        lambda w, v: v[:, :, : w.shape[2]],
        ["result[0, 0, 0, 0] must be ", "(component 0 of every value, times the weights of query 0, summed)"],
    ),
}


def test_right_weighted_sums_pass(subtests):
    assert_passed(subtests, check.weighted_sum, SUMS_THAT_PASS)


def test_wrong_weighted_sums_are_recognised(subtests):
    assert_rejected(subtests, check.weighted_sum, SUMS_THAT_FAIL)
