"""The checkers of softmax pass right answers in any spelling and explain wrong ones."""

import math

import torch
from verdicts import assert_passed, assert_rejected

from attn import check


def spelled_out(scores):
    terms = (scores - scores.amax(-1, keepdim=True)).exp()
    return terms / terms.sum(-1, keepdim=True)


def online(scores):
    highest = torch.full_like(scores[..., :1], -math.inf)
    total = torch.zeros_like(highest)
    for score in scores.split(1, -1):
        new = torch.maximum(highest, score)
        total = total * (highest - new).exp() + (score - new).exp()
        highest = new
    return (scores - highest).exp() / total


SOFTMAX_THAT_PASSES = {
    "torch": lambda scores: scores.softmax(-1),
    "torch, by axis number": lambda scores: torch.nn.functional.softmax(scores, dim=3),
    "spelled out": spelled_out,
    "in one pass": online,
    "by its logarithm": lambda scores: scores.log_softmax(-1).exp(),
    "by logsumexp": lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp(),
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
    "hotter": (lambda s: (s / 2).softmax(-1), ["In the first row the highest score exceeds", "its weight must be e^"]),
    "mean": (lambda s: s.exp() / s.exp().mean(-1, keepdim=True), ["the first row sums to 7.0000"]),
    "clamped": (lambda s: s.clamp(-80, 80).softmax(-1), ["the weights are wrong in", "within a row may matter"]),
    "-inf made finite": (lambda s: s.nan_to_num(neginf=0.0).softmax(-1), ["some scores are -inf", "must have weight 0"]),
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


def step(highest, total, score):
    new = max(highest, score)
    return new, total * math.exp(highest - new) + math.exp(score - new)


def by_cases(highest, total, score):
    if score <= highest:
        return highest, total + math.exp(score - highest)
    return score, total * math.exp(highest - score) + 1


def in_tensors(highest, total, score):
    highest, total, score = (torch.tensor(one, dtype=torch.float64) for one in (highest, total, score))
    new = torch.maximum(highest, score)
    return [new, total * (highest - new).exp() + (score - new).exp()]


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
