"""The checkers of contributions pass right answers in any spelling, and name each mistake."""

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


def by_key(weights, v, W_O):
    return (weights[..., None] * (v @ W_O)[:, :, None]).sum(1)


def by_key_in_loops(weights, v, W_O):
    H, S = v.shape[1:3]
    keys = [sum(weights[:, h, :, s, None] * (v[:, h, s] @ W_O[h])[:, None] for h in range(H)) for s in range(S)]
    return torch.stack(keys, dim=2)


def by_key_with_one_key_at_a_time(weights, v, W_O):
    alone = [(weights[..., s : s + 1] @ v[:, :, s : s + 1] @ W_O).sum(1) for s in range(v.shape[2])]
    return torch.stack(alone, -2)


def by_key_before_W_O(weights, v, W_O):
    parts = weights[..., None] * v[:, :, None]  # (B, H, L, S, D)
    return torch.tensordot(parts.permute(0, 2, 3, 1, 4), W_O, dims=2)


def by_key_with_einsum(weights, v, W_O):
    return torch.einsum("bhls,bhsd,hde->blse", weights, v, W_O)


def mean_of_weights(weights, v, W_O):
    return weights.mean(1)[..., None] * (v @ W_O).sum(1)[:, None]


def last_head(weights, v, W_O):
    for h in range(len(W_O)):
        parts = weights[:, h, :, :, None] * (v[:, h] @ W_O[h])[:, None]
    return parts


def scaled_in_place(weights, v, W_O):
    weights *= 2
    return by_key(weights, v, W_O) / 2


WRONG_BY_KEY = {
    "the exercise": (
        mean_of_weights,
        ["the shape (2, 5, 7, 12) is right, but the weights were averaged", "before or after the product"],
    ),
    "sum of weights": (
        lambda w, v, W: w.sum(1)[..., None] * (v @ W).sum(1)[:, None],
        ["the weights were added up over the heads", "Each head has weights of its own"],
    ),
    "both averaged": (
        lambda w, v, W: w.mean(1)[..., None] * (v @ W).mean(1)[:, None],
        ["the weights and the values were each averaged"],
    ),
    "mean over heads": (lambda w, v, W: by_key(w, v, W) / w.shape[1], ["every element is 1/3 of the right one", "average or add"]),
    "slices in reverse": (
        lambda w, v, W: by_key(w, v, W.flip(0)),
        ["slices of W_O in reverse order", "Which slice belongs to head 0"],
    ),
    "first slice for all": (lambda w, v, W: by_key(w, v, W[0]), ["multiplied by the first slice", "Which slice belongs to head h"]),
    "last slice for all": (lambda w, v, W: by_key(w, v, W[-1]), ["multiplied by the last slice"]),
    "two mistakes": (
        lambda w, v, W: mean_of_weights(w, v, W.flip(0)),
        ["in reverse order", "Also, the weights were averaged"],
    ),
    "no weights": (
        lambda w, v, W: (v @ W).sum(1)[:, None].expand(-1, w.shape[2], -1, -1),
        ["the weights are missing", "almost 0 counts like any other"],
    ),
    "weights twice": (lambda w, v, W: by_key(w * w, v, W), ["multiplied by its weight twice"]),
    "first head": (lambda w, v, W: by_key(w[:, :1], v[:, :1], W[:1]), ["what the first head adds alone", "return inside the loop"]),
    "last head": (last_head, ["what the last head adds alone", "overwrite the sum"]),
    "y, spread over the keys": (
        lambda w, v, W: (w @ v @ W).sum(1)[:, :, None].expand(-1, -1, v.shape[2], -1),
        ["the contributions do not add up to y: those to y[0, 0, 0] sum to "],
    ),
    "shares of y": (
        lambda w, v, W: (w @ v @ W).sum(1)[:, :, None] * w.mean(1)[..., None],
        ["result[0, 0, 0, 0] must be ", "what key 0 adds to component 0 of query 0, over all heads"],
    ),
    "queries and keys swapped": (
        lambda w, v, W: by_key(w, v, W).transpose(1, 2),
        ["(2, 7, 5, 12); it must be", "keys are swapped"],
    ),
    "swapped if it runs": (
        lambda w, v, W: by_key(w.mT if w.shape[2] == w.shape[3] else w, v, W),
        ["For weights (3, 2, 4, 4)", "do not add up to y"],
    ),
    "heads apart": (lambda w, v, W: w[..., None] * (v @ W)[:, :, None], ["(2, 3, 5, 7, 12)", "the heads are still apart"]),
    "before W_O": (lambda w, v, W: w[..., None] * v[:, :, None], ["the contributions to each head", "turns D components into E"]),
    "y": (lambda w, v, W: (w @ v @ W).sum(1), ["(2, 5, 12)", "summed over the keys"]),
    "no queries": (lambda w, v, W: (v @ W).sum(1), ["(2, 7, 12)", "the axis of queries is missing"]),
    "an axis is missing": (lambda w, v, W: w * (v @ W), ["raised RuntimeError", "Which axis must be inserted"]),
    "NaN": (lambda w, v, W: by_key(w, v, W) * torch.nan, ["do not add up to y", "sum to nan"]),
    "hard-coded sizes": (lambda w, v, W: by_key(w, v, W).view(2, 5, 7, 12), ["For weights (3, 2, 4, 4)", "raised RuntimeError"]),
    "nothing": (lambda w, v, W: None, ["returned None", "Is the return statement missing?"]),
    "in place": (scaled_in_place, ["changed its input weights. Do not write into weights, v and W_O"]),
}


def test_right_contributions_of_keys_pass(subtests):
    ways = (by_key, by_key_in_loops, by_key_with_one_key_at_a_time, by_key_before_W_O, by_key_with_einsum)
    assert_passed(subtests, check.key_contributions, {answer.__name__: answer for answer in ways})


def test_wrong_contributions_of_keys_are_explained(subtests):
    assert_rejected(subtests, check.key_contributions, WRONG_BY_KEY)
