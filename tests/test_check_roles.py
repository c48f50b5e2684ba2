"""The checkers of roles and order pass right answers and recognise each mistake."""

import itertools
import math

import torch
from verdicts import assert_passed, assert_rejected

import attn
from attn import check


def scores_of_the_package(x, context, W_Q, W_K):
    """The scores of a layer with one head that has these matrices."""
    q, k = (x @ W_Q)[:, None], (context @ W_K)[:, None]
    return attn.attention_steps(q, k, k).scores[:, 0]


SCORES_THAT_PASS = {
    "as in the formula": lambda x, context, W_Q, W_K: (x @ W_Q) @ (context @ W_K).mT,
    "transpose": lambda x, context, W_Q, W_K: (x @ W_Q) @ (context @ W_K).transpose(1, 2),
    "the product first": lambda x, context, W_Q, W_K: x @ (W_Q @ W_K.T) @ context.mT,
    "einsum": lambda x, context, W_Q, W_K: torch.einsum("ble,ed,fd,bsf->bls", x, W_Q, W_K, context),
    "single precision": lambda x, context, W_Q, W_K: (x @ W_Q).float() @ (context @ W_K).float().mT,
    "the package": scores_of_the_package,
}

SCORES_THAT_FAIL = {
    "keys from x": (
        lambda x, context, W_Q, W_K: (x @ W_Q) @ (x @ W_K).mT,
        ["your result has shape (2, 5, 5); it must be (B, L, S) = (2, 5, 7)", "scores of x with itself"],
    ),
    "queries from context": (
        lambda x, context, W_Q, W_K: (context @ W_Q) @ (context @ W_K).mT,
        ["(2, 7, 7)", "provides the queries?"],
    ),
    "swapped sequences": (
        lambda x, context, W_Q, W_K: (context @ W_Q) @ (x @ W_K).mT,
        ["(2, 7, 5)", "context provides the queries and x the keys."],
    ),
    "swapped and transposed": (
        lambda x, context, W_Q, W_K: (x @ W_K) @ (context @ W_Q).mT,
        ["the shape (2, 5, 7) is right", "and then the matrix is transposed"],
    ),
    "keys with W_Q": (
        lambda x, context, W_Q, W_K: (x @ W_Q) @ (context @ W_Q).mT,
        ["the shape (2, 5, 7) is right", "W_Q is used twice"],
    ),
    "queries with W_K": (lambda x, context, W_Q, W_K: (x @ W_K) @ (context @ W_K).mT, ["W_K is used twice"]),
    "transposed": (lambda x, context, W_Q, W_K: (context @ W_K) @ (x @ W_Q).mT, ["Rows must be queries and columns keys"]),
    "scaled": (lambda x, context, W_Q, W_K: (x @ W_Q) @ (context @ W_K).mT / math.sqrt(W_Q.shape[1]), ["the division by √D"]),
    "scaled by E": (lambda x, context, W_Q, W_K: (x @ W_Q) @ (context @ W_K).mT / math.sqrt(W_Q.shape[0]), ["divided by √E"]),
    "weights": (lambda x, context, W_Q, W_K: ((x @ W_Q) @ (context @ W_K).mT).softmax(-1), ["these are weights"]),
    "scaled weights": (
        lambda x, context, W_Q, W_K: ((x @ W_Q) @ (context @ W_K).mT / math.sqrt(W_Q.shape[1])).softmax(-1),
        ["these are weights"],
    ),
    "all axes transposed": (
        lambda x, context, W_Q, W_K: (x @ W_Q) @ (context @ W_K).permute(2, 1, 0),
        ["raised RuntimeError", "transposes only the last two"],
    ),
    "hard-coded sizes": (
        lambda x, context, W_Q, W_K: ((x @ W_Q) @ (context @ W_K).mT)[:2, :5, :7],
        ["For x (3, 6, 10)", "(2, 5, 4)"],
    ),
    "changed": (lambda x, context, W_Q, W_K: x.mul_(2) @ W_Q @ (context @ W_K).mT, ["changed its input"]),
    "nothing": (lambda x, context, W_Q, W_K: None, ["returned None", "Is the return statement missing?"]),
}

NOT_RECOGNISED_BY_VALUE = {"all axes transposed", "hard-coded sizes", "changed", "nothing"}


def differ(one, other):
    return bool((one - other).abs().max() > 1e-4)


def by_swap(layer, x):
    order = torch.tensor([1, 0, *range(2, x.shape[1])])
    return differ(layer(x[:, order]), layer(x)[:, order])


def by_random_orders(layer, x):
    orders = [torch.randperm(x.shape[1]) for _ in range(10)]
    return any(differ(layer(x[:, order]), layer(x)[:, order]) for order in orders)


def by_every_swap(layer, x):
    for i in range(1, x.shape[1]):
        order = [*range(i - 1), i, i - 1, *range(i + 1, x.shape[1])]
        if differ(layer(x[:, order]), layer(x)[:, order]):
            return True
    return False


TESTS_OF_ORDER_THAT_PASS = {
    "random orders": by_random_orders,
    "any two neighbours swapped": by_every_swap,
    "a tensor": lambda layer, x: torch.tensor(by_random_orders(layer, x)),
    "one of several": lambda layer, x: by_swap(layer, x) or differ(layer(x.roll(1, 1)).roll(-1, 1), layer(x)),
}

TESTS_OF_ORDER_THAT_FAIL = {
    "not put back": (
        lambda layer, x: differ(layer(x.flip(1)), layer(x)),
        ["returns every token unchanged", "returned True", "only move with the tokens"],
    ),
    "rounding counts": (
        lambda layer, x: not torch.equal(layer(x.roll(1, 1)).roll(-1, 1), layer(x)),
        ["attention without positions", "only by rounding"],
    ),
    "one reversal": (
        lambda layer, x: differ(layer(x.flip(1)).flip(1), layer(x)),
        ["its two neighbours", "returned False", "reversed, neighbours stay neighbours."],
    ),
    "rotated by one": (
        lambda layer, x: differ(layer(x.roll(1, 1)).roll(-1, 1), layer(x)),
        ["form a circle", "returned False", "keeps all neighbours together."],
    ),
    "one token moved to the end": (
        lambda layer, x: differ(layer(torch.cat([x[:, 1:], x[:, :1]], 1))[:, :-1], layer(x)[:, 1:]),
        ["form a circle", "returned False"],
    ),
    "the first two tokens swapped": (by_swap, ["within blocks of three tokens", "returned False", "keeps every block together."]),
    "sequences instead of tokens": (
        lambda layer, x: differ(layer(x.flip(0)).flip(0), layer(x)),
        ["positional embeddings", "returned False", "which are axis 1"],
    ),
    "always no": (lambda layer, x: False, ["positional embeddings", "returned False"]),
    "the difference itself": (
        lambda layer, x: layer(x.roll(1, 1)).roll(-1, 1) - layer(x),
        ["returned a value of type Tensor, not True or False"],
    ),
    "a number": (lambda layer, x: float((layer(x) - layer(x)).abs().max()), ["returned a value of type float, not True or False"]),
    "raises": (lambda layer, x: layer(x)[0, 99], ["raised IndexError"]),
    "changed": (lambda layer, x: differ(layer(x.neg_()), layer(x)), ["changed its input"]),
}


def test_right_scores_pass(subtests):
    assert_passed(subtests, check.cross_scores, SCORES_THAT_PASS)


def test_wrong_scores_are_explained(subtests):
    assert_rejected(subtests, check.cross_scores, SCORES_THAT_FAIL)


def test_right_tests_of_order_pass(subtests):
    assert_passed(subtests, check.sees_order, TESTS_OF_ORDER_THAT_PASS)


def test_wrong_tests_of_order_are_explained(subtests):
    assert_rejected(subtests, check.sees_order, TESTS_OF_ORDER_THAT_FAIL)


def test_two_different_mistakes_never_give_the_same_scores():
    """Otherwise a verdict could name the wrong mistake."""
    x, context, W_Q, W_K = (torch.randn(size, dtype=torch.float64) for size in ((2, 5, 12), (2, 7, 12), (12, 4), (12, 4)))
    recognised = [answer for name, (answer, _) in SCORES_THAT_FAIL.items() if name not in NOT_RECOGNISED_BY_VALUE]
    scores = [answer(x, context, W_Q, W_K) for answer in [scores_of_the_package, *recognised]]
    for one, other in itertools.combinations(scores, 2):
        assert one.shape != other.shape or (one - other).abs().max() > 1e-2


def test_an_answer_that_changes_its_input_does_not_affect_the_next_check():
    check.cross_scores(lambda x, context, W_Q, W_K: W_K.zero_())
    check.sees_order(lambda layer, x: bool(layer(x.zero_()).any()))
    assert check.cross_scores(SCORES_THAT_PASS["as in the formula"])
    assert check.sees_order(TESTS_OF_ORDER_THAT_PASS["random orders"])
