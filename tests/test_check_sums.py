"""The checkers of sums pass what is right, in any letters, and name the axis that is wrong in everything else."""

import pytest
import torch
from verdicts import assert_passed, assert_refused

from attn import check

RIGHT = {
    "scores": "bhld,bhsd->bhls",
    "heads": "bhls,bhsd->bhld",
    "lengths": "bhld,bhld->bhl",
    "output": "bhld,hde->ble",
}


@pytest.mark.parametrize(
    "formulas",
    [
        RIGHT,
        {"scores": "BHQD, BHKD -> BHQK"},
        {"scores": "n h i c, n h j c -> n h i j", "output": "xyzw,ywv->xzv"},
        {"lengths": "abcd,abcd->abc"},
    ],
)
def test_right_formulas_pass_in_any_letters(formulas):
    verdict = check.einsum(formulas)
    assert verdict and f"{len(formulas)} formulas" in verdict.message
    assert ("Not asked" in verdict.message) == (len(formulas) < 4)


def test_the_formulas_that_pass_compute_what_the_loops_compute():
    q, k = torch.randn(2, 3, 5, 4), torch.randn(2, 3, 7, 4)
    heads, W_O = torch.randn(2, 3, 5, 4), torch.randn(3, 4, 12)
    weights, v = torch.rand(2, 3, 5, 7), torch.randn(2, 3, 7, 4)
    close = torch.testing.assert_close
    close(torch.einsum(RIGHT["scores"], q, k), (q[:, :, :, None] * k[:, :, None]).sum(-1))
    close(torch.einsum(RIGHT["heads"], weights, v), (weights[..., None] * v[:, :, None]).sum(3))
    close(torch.einsum(RIGHT["lengths"], q, q), q.square().sum(-1))
    close(torch.einsum(RIGHT["output"], heads, W_O), sum(heads[:, h] @ W_O[h] for h in range(3)))


@pytest.mark.parametrize(
    "task,formula,parts",
    [
        ("scores", "bhld,bhsd->bhsl", ["in the order (B, H, S, L); it is to be (B, H, L, S)"]),
        ("scores", "bhld,bhsd->bls", ["does not keep H", "the heads are added up"]),
        ("scores", "bhld,bhsd->hls", ["does not keep B", "the samples are added up"]),
        ("scores", "bhld,bhsd->bhlsd", ["keeps D: it was to be summed"]),
        ("scores", "bhld,bhds->bhls", ['calls two axes "d", D of size 4 and S of size 7']),
        ("scores", "bhld,bhsd", ['has no "->"', "b and h among them"]),
        ("scores", "bhld,ahsd->bhls", ["two letters for one axis, b and a for the samples", '"a", which is not in the result']),
        ("scores", "bhld,bhse->bhls", ["two letters for one axis, d and e for the numbers of a head"]),
        ("scores", "bld,bsd->bls", ["gives q 3 letters; it has the axes (B, H, L, D)"]),
        ("scores", "bhld,bhsd,d->bhls", ["has 3 tensors", "2, q and k"]),
        ("scores", "bhld,bhsd->bhlx", ['asks for "x" in the result']),
        ("scores", "bhld,bhsd->bhll", ["names a letter twice"]),
        ("scores", "...ld,...sd->...ls", ['has "..."']),
        ("scores", "b1ld,b1sd->b1ls", ['has a "1", which is no letter']),
        ("heads", "bhls,bhld->bhsd", ['calls two axes "l", L of size 5 and S of size 7', "Were the two equal it would run"]),
        ("heads", "bhls,bgsd->bhld", ["h and g for the heads", '"g", which is not in the result, is added up by itself']),
        ("lengths", "bhld,bhld->bhld", ["keeps D"]),
        ("lengths", "bhld,bhsd->bhl", ["l and s for the queries"]),
        ("output", "bhld,hde->bhle", ["keeps H"]),
        ("output", "bhld,gde->ble", ["h and g for the heads"]),
    ],
)
def test_a_wrong_formula_is_refused_and_its_axis_named(task, formula, parts):
    verdict = check.einsum(RIGHT | {task: formula})
    assert not verdict and verdict.message.startswith(f'{task}: "{formula}"')
    for part in parts:
        assert part in verdict.message


def test_what_is_no_task_or_no_text_is_said():
    assert "There is no task called 'score'" in check.einsum({"score": "d,d->"}).message
    assert "you gave NoneType" in check.einsum({"scores": None}).message


SUMS_THAT_PASS = {
    "einsum": lambda w, v: torch.einsum("bhls,bhsd->bhld", w, v),
    "matmul": lambda w, v: w @ v,
    "bmm": lambda w, v: torch.bmm(w.flatten(0, 1), v.flatten(0, 1)).unflatten(0, w.shape[:2]),
    "broadcast and sum": lambda w, v: (w.unsqueeze(-1) * v.unsqueeze(2)).sum(-2),
    "tables one by one": lambda w, v: torch.stack(
        [torch.stack([a @ b for a, b in zip(*both, strict=True)]) for both in zip(w, v, strict=True)]
    ),
    "in double": lambda w, v: w.double() @ v.double(),
}

SUMS_THAT_FAIL = {
    "l for s": (lambda w, v: torch.einsum("bhls,bhld->bhsd", w, v), ["raised RuntimeError", "v has no queries"]),
    "transposed v": (lambda w, v: w @ v.transpose(-2, -1), ["raised RuntimeError", "The last axis of weights counts the keys"]),
    "transposed weights": (
        lambda w, v: (w.transpose(-2, -1) if w.shape[-1] == w.shape[-2] else w) @ v,
        ["(3, 2, 4, 4)", "the queries were summed instead of the keys", "because L = S here"],
    ),
    "g for h": (lambda w, v: torch.einsum("bhls,bgsd->bhld", w, v), ["the values of all heads", "added up"]),
    "a for b": (lambda w, v: torch.einsum("bhls,ahsd->bhld", w, v), ["the values of all samples"]),
    "two letters for the keys": (lambda w, v: torch.einsum("bhls,bhed->bhld", w, v), ["every value got the same weight"]),
    "no h behind": (lambda w, v: torch.einsum("bhls,bhsd->bld", w, v), ["shape (2, 5, 4)", "the heads were added up"]),
    "no b behind": (lambda w, v: torch.einsum("bhls,bhsd->hld", w, v), ["the samples were added up"]),
    "queries summed": (
        lambda w, v: (w[..., None] * v[:, :, None]).sum(2),
        ["must be (B, H, L, D) = (2, 3, 5, 4)", "nothing was summed over the keys"],
    ),
    "turned": (lambda w, v: (w @ v).transpose(-2, -1), ["shape (2, 3, 4, 5)", "the last two axes are exchanged"]),
    "mean": (lambda w, v: (w[..., None] * v[:, :, None]).mean(3), ["these are means: everything is divided by 7"]),
    "changed": (lambda w, v: w.mul_(1.5) @ v, ["changed its input"]),
    "nothing": (lambda w, v: None, ["returned NoneType"]),
    "NaN": (lambda w, v: w @ v * float("nan"), ["not the numbers", "yours is nan"]),
    "a copy of v": (
        lambda w, v: v[:, :, : w.shape[2]],
        ["result[0, 0, 0, 0] must be number 0 of every value, times the weights of query 0, summed"],
    ),
}


def test_right_weighted_sums_pass(subtests):
    assert_passed(subtests, check.weighted_sum, SUMS_THAT_PASS)


def test_wrong_weighted_sums_are_recognised(subtests):
    assert_refused(subtests, check.weighted_sum, SUMS_THAT_FAIL)
