"""The checkers of softmax pass right answers in any spelling and explain wrong ones."""

import math

import torch
from verdicts import assert_passed, assert_rejected

from attn import check


def spelled_out(scores):
    terms = (scores.float() - scores.amax(-1, keepdim=True)).exp()
    return terms / terms.sum(-1, keepdim=True)


def only_the_sum_in_float32(scores):
    terms = (scores - scores.amax(-1, keepdim=True)).exp()
    return terms / terms.float().sum(-1, keepdim=True)


def online(scores):
    """In one pass over the keys, two to a block."""
    highest = torch.full_like(scores[..., :1], -math.inf).float()
    total = torch.zeros_like(highest)
    for block in scores.float().chunk(4, -1):
        new = torch.maximum(highest, block.amax(-1, keepdim=True))
        total = total * (highest - new).exp() + (block - new).exp().sum(-1, keepdim=True)
        highest = new
    return (scores - highest).exp() / total


SOFTMAX_THAT_PASSES = {
    "torch": lambda scores: scores.softmax(-1),
    "torch, by axis number": lambda scores: torch.nn.functional.softmax(scores, dim=3),
    "spelled out": spelled_out,
    "only the sum in float32": only_the_sum_in_float32,
    "in one pass": online,
    "by its logarithm": lambda scores: scores.float().log_softmax(-1).exp(),
    "by logsumexp": lambda scores: (scores - scores.float().logsumexp(-1, keepdim=True)).exp(),
    "in float64": lambda scores: scores.double().softmax(-1),
    "with gradients": lambda scores: scores.clone().requires_grad_().softmax(-1),
}


def divided(scores, highest, dim=-1):
    terms = (scores - highest).exp()
    return terms / terms.sum(dim, keepdim=True)


SOFTMAX_THAT_FAILS = {
    "over the queries": (lambda s: s.softmax(-2), ["you normalised over the queries", "Over which axis"]),
    "the exercise": (lambda s: divided(s, s.max(), -2), ["every column sums to 1", "over the queries"]),
    "over the heads": (lambda s: s.softmax(1), ["over the heads", "over axis 1"]),
    "over the batch": (lambda s: s.softmax(0), ["over axis 0"]),
    "over queries and keys": (lambda s: s.flatten(-2).softmax(-1).view_as(s), ["over queries and keys together"]),
    "over everything": (lambda s: (s - s.max()).exp() / (s - s.max()).exp().sum(), ["without dim runs over all axes"]),
    "without a maximum": (
        lambda s: divided(s, 0),
        ["differ from each other by hundreds", "of 30 rows contain NaN", "exp(89) is ∞", "What can you subtract"],
    ),
    "one maximum for all": (
        lambda s: divided(s, s.max()),
        ["one maximum from all rows", "0 / 0 is NaN", "Which maximum is right?"],
    ),
    "one maximum per matrix": (
        lambda s: divided(s, s.amax((-2, -1), keepdim=True)),
        ["rows contain NaN", "What is the largest exponent"],
    ),
    "maximum of the column": (lambda s: divided(s, s.amax(-2, keepdim=True)), ["the maximum of each column"]),
    "maximum of the heads": (lambda s: divided(s, s.amax(1, keepdim=True)), ["highest score exceeds the lowest by", "must be e^"]),
    "divided by the maximum": (
        lambda s: s.exp() / s.exp().amax(-1, keepdim=True),
        ["largest element of each row is 1", "By what must a row be divided"],
    ),
    "logarithms": (lambda s: s.log_softmax(-1), ["these are the logarithms"]),
    "not divided": (lambda s: s.exp(), ["these are the terms exp(score)"]),
    "scores by their sum": (lambda s: s / s.sum(-1, keepdim=True), ["Where is exp?"]),
    "sigmoid": (lambda s: s.sigmoid(), ["a sigmoid"]),
    "minus": (lambda s: (-s).softmax(-1), ["lowest score has the largest weight"]),
    "powers of two": (lambda s: (s - s.amax(-1, keepdim=True)).mul(math.log(2)).softmax(-1), ["powers of 2"]),
    "in float16": (lambda s: s.half().softmax(-1), ["a row sums to 1.0003", "must sum to 1"]),
    "hotter": (lambda s: (s / 2).softmax(-1), ["In the first row the highest score exceeds", "its weight must be e^"]),
    "mean": (lambda s: s.exp() / s.exp().mean(-1, keepdim=True), ["a row sums to 7.0000"]),
    "clamped": (lambda s: s.clamp(-80, 80).softmax(-1), ["the weights are wrong in", "within a row may matter"]),
    "-inf made finite": (lambda s: s.nan_to_num(neginf=0.0).softmax(-1), ["some scores are -inf", "a weight of exactly 0"]),
    "minus the first score": (lambda s: divided(s, s[..., :1]), ["whose own scores differ by hundreds", "the largest exponent"]),
    "minus the mean": (lambda s: divided(s, s.mean(-1, keepdim=True)), ["rows contain NaN", "the largest exponent"]),
    "no term below e^-20": (
        lambda s: (s - s.amax(-1, keepdim=True)).clamp(min=-20).softmax(-1),
        ["some scores are -inf", "a weight of exactly 0"],
    ),
    "the sum in float16": (
        lambda s: divided(s, s.amax(-1, keepdim=True)),
        ["For 100,000 equal scores in float16", "every weight is 0", "ends at 65,504", "In which type"],
    ),
    "NaN in float16": (lambda s: divided(s, s.amax(-1, keepdim=True)) / (s.dtype != torch.float16), ["the row sums to nan"]),
    "without keepdim": (lambda s: (s - s.amax(-1)).exp(), ["raised RuntimeError", "keepdim=True keeps it"]),
    "max gives two": (lambda s: s - s.max(-1, keepdim=True), ["raised TypeError", "amax returns only the values"]),
    "changed": (lambda s: s.sub_(s.amax(-1, keepdim=True)).softmax(-1), ["changed its input scores"]),
    "nothing": (lambda s: None, ["returned None", "Is the return statement missing?"]),
    "sums": (lambda s: s.exp().sum(-1), ["shape (2, 3, 5)", "one weight for every score"]),
}


def test_right_softmaxes_pass(subtests):
    assert_passed(subtests, check.softmax, SOFTMAX_THAT_PASSES)


def test_wrong_softmaxes_are_explained(subtests):
    assert_rejected(subtests, check.softmax, SOFTMAX_THAT_FAILS)


def without_a_masked_key(highest, total, score):
    new = max(highest, score)
    return new, total * math.exp(highest - new) + math.exp(score - new)


def step(highest, total, score):
    return without_a_masked_key(highest, total, score) if score > -math.inf else (highest, total)


def by_cases(highest, total, score):
    if score > highest:
        return score, total * math.exp(highest - score) + 1
    return highest, total + (math.exp(score - highest) if score > -math.inf else 0)


def in_tensors(highest, total, score):
    highest, total, score = (torch.tensor(one, dtype=torch.float64) for one in (highest, total, score))
    new = torch.maximum(highest, score)
    shift = new.nan_to_num(neginf=0.0)
    return [new, total * (highest - shift).exp() + (score - shift).exp()]


def rescaled_the_wrong_way(highest, total, score):
    new = max(highest, score)
    return new, total * math.exp(min(new - highest, 700)) + math.exp(score - new)


def relative_to_the_old_maximum(highest, total, score):
    new = max(highest, score)
    return new, total * math.exp(highest - new) + math.exp(score - (highest if total else new))


def rescaled_with_the_new_term(highest, total, score):
    new = max(highest, score)
    return new, (total + math.exp(score - new)) * (math.exp(highest - new) if total else 1)


STEPS_THAT_FAIL = {
    "not rescaled": (
        lambda m, d, s: (max(m, s), d + math.exp(s - max(m, s))),
        [
            "After the scores 0.5, 2.3, your total is 2.0000; it must be 1.1653",
            "relative to the old maximum, 0.5",
            "this factor is 1",
        ],
    ),
    "rescaled the wrong way": (rescaled_the_wrong_way, ["more than 1", "larger or smaller?"]),
    "new term from the old maximum": (relative_to_the_old_maximum, ["The new term is relative to the old maximum"]),
    "new term rescaled too": (rescaled_with_the_new_term, ["The new term was rescaled together with the old sum"]),
    "old sum dropped": (lambda m, d, s: (max(m, s), math.exp(s - max(m, s))), ["the old sum is missing"]),
    "no maximum": (
        lambda m, d, s: (max(m, s), d + math.exp(s)),
        ["After the score 9.1, your total is 8955.2927", "What must be subtracted from the score first?"],
    ),
    "the maximum stays": (lambda m, d, s: (m, d), ["After the score 9.1, your highest is -inf; the largest score so far is 9.1"]),
    "the last is the highest": (lambda m, d, s: (s, d * math.exp(min(m - s, 9)) + 1), ["your highest is 2.3"]),
    "a masked first key": (without_a_masked_key, ["After the score -inf, your total is nan; it must be 0.0000", "is NaN"]),
    "a masked key counted": (
        lambda m, d, s: without_a_masked_key(m, d, s) if s > -math.inf else (m, d + 1),
        ["After the scores 0.5, -inf, your total is 2.0000; it must be 1.0000", "adds nothing"],
    ),
    "starts at the first key": (
        lambda m, d, s: without_a_masked_key(m, d, s) if m > -math.inf else (s, 1.0),
        ["After the score -inf, your total is 1.0000"],
    ),
    "nothing": (lambda m, d, s: None, ["returned None; it must return two numbers"]),
    "one number": (lambda m, d, s: d + 1, ["it must return two numbers"]),
    "three numbers": (lambda m, d, s: (m, d, s), ["it must return two numbers"]),
    "raises": (lambda m, d, s: d.item(), ["raised AttributeError"]),
    "overflows": (lambda m, d, s: (max(m, s), d + math.exp(500 * s)), ["raised OverflowError", "overflows"]),
}


def test_right_steps_of_online_softmax_pass(subtests):
    answers = (step, by_cases, in_tensors)
    assert_passed(subtests, check.online_softmax, {answer.__name__: answer for answer in answers})


def test_wrong_steps_of_online_softmax_are_explained(subtests):
    assert_rejected(subtests, check.online_softmax, STEPS_THAT_FAIL)


def test_decreasing_scores_cannot_reveal_a_missing_rescale(monkeypatch):
    """The checker therefore has increasing scores too."""
    monkeypatch.setattr("attn.check.weights._STREAMS", ((9.1, 2.3, 0.5), (4.0, 4.0, 1.0)))
    assert check.online_softmax(STEPS_THAT_FAIL["not rescaled"][0]).passed
