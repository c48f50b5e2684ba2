"""The checkers of a whole layer and of weights from distances pass right answers, and name the step that is wrong."""

import torch
from verdicts import assert_passed, assert_rejected

from attn import check


def cut(x, H):
    return x.unflatten(-1, (H, -1)).transpose(1, 2)


def joined(heads):
    return heads.transpose(1, 2).flatten(2)


def layer(split=cut, scale=lambda H, E: (E // H) ** 0.5, dim=-1, merge=joined):
    def answer(x, W_Q, W_K, W_V, W_O, H):
        q, k, v = split(x @ W_Q, H), split(x @ W_K, H), split(x @ W_V, H)
        return merge((q @ k.mT / scale(H, x.shape[-1])).softmax(dim) @ v) @ W_O

    return answer


def by_view(x, H):
    B, L, E = x.shape
    return x.view(B, H, L, E // H)


def by_loop(x, W_Q, W_K, W_V, W_O, H):
    y, D = torch.zeros_like(x), x.shape[-1] // H
    for h in range(H):
        part = slice(h * D, (h + 1) * D)
        weights = (x @ W_Q[:, part] @ (x @ W_K[:, part]).mT / D**0.5).softmax(-1)
        y = y + weights @ (x @ W_V[:, part]) @ W_O[part]
    return y


def without_split(x, W_Q, W_K, W_V, W_O, H):
    return (x @ W_Q @ (x @ W_K).mT / x.shape[-1] ** 0.5).softmax(-1) @ (x @ W_V) @ W_O


def plain_merge(heads):
    B, H, L, D = heads.shape
    return heads.reshape(B, L, H * D)


def half(x, W_Q, W_K, W_V, W_O, H):
    given = [one.half() for one in (x, W_Q, W_K, W_V, W_O)]
    return layer()(*given, H).float()


LAYERS_THAT_PASS = {"split and merge": layer(), "a loop over heads": by_loop}
LAYERS_THAT_FAIL = {
    "no scale": (layer(scale=lambda H, E: 1), ["not divided by √D"]),
    "the root of E": (layer(scale=lambda H, E: E**0.5), ["divided by √E"]),
    "D": (layer(scale=lambda H, E: E // H), ["divided by D, not by √D"]),
    "over queries": (layer(dim=-2), ["softmax runs over the queries"]),
    "over heads": (layer(dim=1), ["softmax runs over the heads"]),
    "split by view": (layer(split=by_view), ["x is split by a view to (B, H, L, D)"]),
    "both by view": (layer(split=by_view, merge=plain_merge), ["x is split by a view", "undoes it for the values only"]),
    "merge without exchange": (layer(merge=plain_merge), ["in the order (H, L, D)"]),
    "no split": (without_split, ["one head of E numbers"]),
    "no W_O": (lambda x, W_Q, W_K, W_V, W_O, H: layer()(x, W_Q, W_K, W_V, torch.eye(len(W_O)), H), ["W_O is missing"]),
    "three at once": (
        layer(scale=lambda H, E: E**0.5, dim=-2, merge=plain_merge),
        ["divided by √E", "Also, softmax runs over the queries", "Also, the heads are merged in the order"],
    ),
    "half precision": (half, ["the values are wrong"]),
    "constants": (
        lambda x, W_Q, W_K, W_V, W_O, H: layer()(x, W_Q, W_K, W_V, W_O, 3),
        ["H = 2, the shape (3, 7, 12) is right, but the values are wrong"],
    ),
    "nothing": (lambda x, W_Q, W_K, W_V, W_O, H: None, ["Is the return statement missing?"]),
}


def test_right_layers_pass(subtests):
    assert_passed(subtests, check.attention_layer, LAYERS_THAT_PASS)


def test_the_wrong_step_of_a_layer_is_named(subtests):
    assert_rejected(subtests, check.attention_layer, LAYERS_THAT_FAIL)


def squares(q, k):
    return (q[:, :, :, None] - k[:, :, None]).square().sum(-1)


def penalised(penalty):
    return lambda q, k: (q @ k.mT - penalty(k)).softmax(-1)


DISTANCES_THAT_PASS = {
    "by subtraction": lambda q, k: (-squares(q, k) / 2).softmax(-1),
    "by a product": penalised(lambda k: k.square().sum(-1, keepdim=True).mT / 2),
}
DISTANCES_THAT_FAIL = {
    "no penalty": (penalised(lambda k: 0), ["weights of dot products", "along the last axis"]),
    "wrong axis": (penalised(lambda k: k.square().sum(-1, keepdim=True) / 2), ["raised RuntimeError"]),
    "no half": (penalised(lambda k: k.square().sum(-1)[:, :, None]), ["twice the right one"]),
    "wrong sign": (penalised(lambda k: -k.square().sum(-1)[:, :, None] / 2), ["long keys are rewarded"]),
    "d squared": (lambda q, k: (-squares(q, k)).softmax(-1), ["The half is missing"]),
    "farthest first": (lambda q, k: (squares(q, k) / 2).softmax(-1), ["the farthest key"]),
    "d": (lambda q, k: (-squares(q, k).sqrt()).softmax(-1), ["softmax(-d)"]),
    "over queries": (lambda q, k: (-squares(q, k) / 2).softmax(-2), ["softmax runs over the queries"]),
    "scores": (lambda q, k: -squares(q, k) / 2, ["Softmax is missing"]),
    "scaled": (lambda q, k: (-squares(q, k) / 2 / q.shape[-1] ** 0.5).softmax(-1), ["Leave out the division"]),
}


def test_right_weights_from_distances_pass(subtests):
    assert_passed(subtests, check.distance_weights, DISTANCES_THAT_PASS)


def test_wrong_weights_from_distances_are_explained(subtests):
    assert_rejected(subtests, check.distance_weights, DISTANCES_THAT_FAIL)
