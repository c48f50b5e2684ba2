"""The checker of contributions passes right answers in any spelling, and names each mistake."""

import torch
from verdicts import assert_passed, assert_rejected

from attn import check


def share(weights, v):
    out = weights @ v
    return weights * (out @ v.transpose(-2, -1)) / out.square().sum(-1, keepdim=True)


def by_parts(weights, v):
    parts = weights[..., None] * v[:, :, None]  # (B, H, L, S, D)
    out = parts.sum(-2, keepdim=True)
    return (parts * out).sum(-1) / (out * out).sum(-1)


def by_length_and_direction(weights, v):
    parts = weights[..., None] * v[:, :, None]
    out = parts.sum(-2, keepdim=True)
    length = out.norm(dim=-1)
    return torch.nn.functional.cosine_similarity(parts, out, dim=-1) * parts.norm(dim=-1) / length


def by_einsum(weights, v):
    out = torch.einsum("bhls,bhsd->bhld", weights, v)
    along = torch.einsum("bhls,bhsd,bhld->bhls", weights, v, out)
    return along / along.sum(-1, keepdim=True)


def lengths(v):
    return v.norm(dim=-1)[:, :, None]


def in_place(weights, v):
    weights *= 2
    return share(weights, v)


def normalised(shares, dim=-1):
    return shares / shares.sum(dim, keepdim=True)


def along(weights, v):
    return weights @ v @ v.transpose(-2, -1)


WRONG = {
    "weights": (lambda w, v: w, ["these are the weights", "a hundred times"]),
    "lengths of values": (lambda w, v: lengths(v).expand_as(w), ["norms of the values", "Where does the attention weight"]),
    "shares of lengths": (lambda w, v: normalised(lengths(v).expand_as(w)), ["norms of the values, divided by their sum"]),
    "lengths of parts": (lambda w, v: w * lengths(v), ["norms of the contributions. Do they sum to 1"]),
    "the exercise": (lambda w, v: normalised(w * lengths(v)), ["divided by their sum", "opposite directions"]),
    "not divided": (lambda w, v: w * along(w, v), ["sums to o · o", "By what must a row be divided"]),
    "divided by the length": (lambda w, v: w * along(w, v) / (w @ v).norm(dim=-1, keepdim=True), ["sums to the norm of o"]),
    "no weight": (lambda w, v: share(w, v) / w, ["the weight is missing"]),
    "cosine": (
        lambda w, v: w * torch.nn.functional.cosine_similarity((w @ v)[:, :, :, None], v[:, :, None], dim=-1),
        ["times a cosine", "not its norm"],
    ),
    "no sign": (lambda w, v: share(w, v).abs(), ["the sign is missing", "lengthen or shorten"]),
    "no sign, divided": (lambda w, v: normalised(share(w, v).abs()), ["the sign is missing"]),
    "cut off": (lambda w, v: share(w, v).clamp(min=0), ["negative shares were set to 0", "shorten the output"]),
    "softmax": (lambda w, v: share(w, v).softmax(-1), ["you applied a softmax"]),
    "over the queries": (lambda w, v: normalised(w * along(w, v), -2), ["over the queries", "Which axis counts the contributions"]),
    "doubled": (lambda w, v: 2 * share(w, v), ["a query sum to 2.0000", "shares must sum to 1"]),
    "one sequence for all": (lambda w, v: share(w, v) * 0.5 ** torch.arange(len(w)).view(-1, 1, 1, 1), ["sum to 0.5000"]),
    "rolled": (
        lambda w, v: share(w, v).roll(1, -1),
        ["result[0, 0, 0, 0] must be ", "(the share of key 0 in the output of query 0)"],
    ),
    "NaN": (lambda w, v: share(w, v) * float("nan"), ["sum to nan"]),
    "the output": (lambda w, v: w @ v, ["has shape (2, 3, 5, 4)", "summed over the keys"]),
    "the parts": (lambda w, v: w[..., None] * v[:, :, None], ["the contributions themselves, vectors of D components"]),
    "no queries": (lambda w, v: v.norm(dim=-1), ["has shape (2, 3, 7)", "the axis of queries is missing"]),
    "an axis is missing": (lambda w, v: w * v.norm(dim=-1), ["raised RuntimeError", "v has no axis of queries"]),
    "no transpose": (lambda w, v: w * (w @ v @ v), ["raised RuntimeError", "which two axes must be swapped"]),
    "nothing": (lambda w, v: None, ["returned None", "Is the return statement missing?"]),
    "in place": (in_place, ["changed its input weights. Do not write into weights and v"]),
}


def test_right_shares_pass(subtests):
    def with_gradients(answer):
        return lambda w, v: answer(w.double(), v.double().requires_grad_())

    answers = {answer.__name__: answer for answer in (share, by_parts, by_length_and_direction, by_einsum)}
    assert_passed(subtests, check.contribution, answers)
    assert_passed(subtests, check.contribution, {f"{name}, float64": with_gradients(one) for name, one in answers.items()})


def test_wrong_shares_are_explained(subtests):
    assert_rejected(subtests, check.contribution, WRONG)


def test_swapped_queries_and_keys_are_rejected_even_if_they_run_for_L_equal_to_S():
    def transposed(weights, v):
        if weights.shape[-1] == weights.shape[-2]:
            weights = weights.mT
        return share(weights, v)

    verdict = check.contribution(transposed)
    assert not verdict.passed and "weights (3, 2, 4, 4)" in verdict.message


def test_the_cases_of_the_checker_have_negative_shares():
    """Otherwise an answer without signs would pass."""
    seen = []
    check.contribution(lambda w, v: seen.append(share(w, v)) or seen[-1])
    assert all((shares < -0.001).any() and shares.abs().max() < 50 for shares in seen) and len(seen) == 2
