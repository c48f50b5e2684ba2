"""The checkers for masks pass right answers in any spelling, and name the mistake in wrong ones."""

import math

import torch
from verdicts import assert_passed, assert_rejected

import attn
from attn import check
from attn.lessons.spellings import describe


def positions(L, S):
    return torch.arange(S - L, S)[:, None], torch.arange(S)


def real(lengths, S):
    return (torch.arange(S) >= S - lengths[:, None])[:, None, None, :]


def by_hand(lengths, L, S):
    query, key = positions(L, S)
    return (key <= query) & real(lengths, S)


def by_loops(lengths, L, S):
    return torch.tensor([[[[S - n <= j <= S - L + i for j in range(S)] for i in range(L)]] for n in lengths.tolist()])


def real_query(lengths, L, S):
    return (positions(L, S)[0].T >= S - lengths[:, None])[:, None, :, None]


MASKS_THAT_PASS = {
    "positions": by_hand,
    "loops": by_loops,
    "the package": lambda lengths, L, S: attn.masks.causal(L, S) & attn.masks.padding(lengths, S, front=True),
    "tril with an offset": lambda lengths, L, S: torch.ones(L, S, dtype=torch.bool).tril(S - L) & real(lengths, S),
    "the last rows of a square": lambda lengths, L, S: torch.ones(S, S, dtype=torch.bool).tril()[-L:] & real(lengths, S),
    "all four axes": lambda lengths, L, S: by_hand(lengths, L, S).expand(-1, 1, L, S).clone(),
    "queries that are padding, twice": lambda lengths, L, S: by_hand(lengths, L, S) & real_query(lengths, L, S),
    "from an additive one": lambda lengths, L, S: torch.zeros(()).masked_fill(~by_hand(lengths, L, S), -math.inf) == 0,
}

MASKS_THAT_FAIL = {
    "three axes": (
        lambda lengths, L, S: by_hand(lengths, L, S)[:, 0],
        ["three axes, (2, 5, 7)", "lines up with H, not B", "axis of size 1"],
    ),
    "top left": (
        lambda lengths, L, S: torch.ones(L, S, dtype=torch.bool).tril() & real(lengths, S),
        [
            "the query at position 2 may not attend to key 1",
            "real key and not later",
            "tril() aligns the first query with the first",
        ],
    ),
    "top left, right padding": (
        lambda lengths, L, S: torch.ones(L, S, dtype=torch.bool).tril() & real(lengths, S).flip(-1),
        ["hides the wrong end", "Also, tril()"],
    ),
    "top left, no padding": (lambda lengths, L, S: torch.ones(L, S, dtype=torch.bool).tril(), ["ignores padding, and tril()"]),
    "inverted": (
        lambda lengths, L, S: ~by_hand(lengths, L, S),
        ["70 of 70 entries", "position 2 may not attend to key 0", "inverted: True means that a query may attend"],
    ),
    "no padding": (
        lambda lengths, L, S: attn.masks.causal(L, S),
        ["in sequence 1, the query at position 2 may attend to key 0, which is padding", "ignores padding: which keys"],
    ),
    "no causal": (
        lambda lengths, L, S: real(lengths, S),
        ["may attend to key 3, which is a real key and later", "only hides padding"],
    ),
    "diagonal excluded": (
        lambda lengths, L, S: torch.ones(L, S, dtype=torch.bool).tril(S - L - 1) & real(lengths, S),
        ["position 2 may not attend to key 2", "Is the diagonal included?"],
    ),
    "one too many": (
        lambda lengths, L, S: torch.ones(L, S, dtype=torch.bool).tril(S - L + 1) & real(lengths, S),
        ["one later key"],
    ),
    "upside down": (lambda lengths, L, S: torch.ones(L, S).triu(S - L).bool() & real(lengths, S), ["upside down"]),
    "padding counted from the longest": (
        lambda lengths, L, S: attn.masks.causal(L, S) & (torch.arange(S) >= lengths.max() - lengths[:, None])[:, None, None, :],
        ["For lengths [2, 4, 3], L = 5 and S = 5", "may attend to key 2, which is padding"],
    ),
    "padding on the queries": (
        lambda lengths, L, S: attn.masks.causal(L, S) & real_query(lengths, L, S),
        ["on the query axis", "hides no key", "Along which axis of (B, 1, L, S)"],
    ),
    "or": (lambda lengths, L, S: attn.masks.causal(L, S) | real(lengths, S), ["combined with `or`"]),
    "padding inverted": (lambda lengths, L, S: attn.masks.causal(L, S) & ~real(lengths, S), ["attend only to padding"]),
    "right padding": (lambda lengths, L, S: attn.masks.causal(L, S) & real(lengths, S).flip(-1), ["hides the wrong end"]),
    "additive": (
        lambda lengths, L, S: describe(by_hand(lengths, L, S)).additive,
        ["torch.float32 and contains −∞: an additive mask", "Which comparison"],
    ),
    "0 and 1": (lambda lengths, L, S: by_hand(lengths, L, S).float(), ["your mask is torch.float32", "masks nothing"]),
    "whole numbers": (lambda lengths, L, S: by_hand(lengths, L, S).long(), ["your mask is torch.int64"]),
    "transposed": (
        lambda lengths, L, S: by_hand(lengths, L, S).mT,
        ["(2, 1, 7, 5): its rows are keys and its columns are queries"],
    ),
    "batch first": (
        lambda lengths, L, S: by_hand(lengths, L, S).transpose(0, 1),
        ["does not broadcast to (B, H, L, S) = (2, 3, 5, 7)"],
    ),
    "two axes": (lambda lengths, L, S: real(lengths, S)[:, 0, 0], ["(2, 7), which does not broadcast"]),
    "heads differ": (
        lambda lengths, L, S: by_hand(lengths, L, S) & (torch.arange(3) > 0)[:, None, None],
        ["The heads differ"],
    ),
    "something else": (
        lambda lengths, L, S: by_hand(lengths, L, S) & (torch.arange(S) != 1),
        ["position 2 may not attend to key 1"],
    ),
    "changed": (lambda lengths, L, S: by_hand(lengths.clamp_(max=3), L, S), ["changed its input"]),
    "nothing": (lambda lengths, L, S: None, ["returned None", "Is the return statement missing?"]),
    "raises": (lambda lengths, L, S: attn.masks.causal(L, S) & torch.ones(4, 3).bool(), ["raised RuntimeError"]),
    "hard-coded sizes": (
        lambda lengths, L, S: attn.masks.causal(5, 7) & real(lengths, 7),
        ["(3, 1, 5, 7), which does not broadcast"],
    ),
}


def masked(scores, keep, fill=-math.inf):
    return scores.masked_fill(~keep, fill).softmax(-1)


def renormalised(scores, keep):
    weights = scores.softmax(-1) * keep
    return weights / weights.sum(-1, keepdim=True)


WEIGHTS_THAT_PASS = {
    "filled twice": lambda scores, keep: masked(scores, keep).masked_fill(~keep.any(-1, keepdim=True), 0.0),
    "a large number, then zeros": lambda scores, keep: masked(scores, keep, torch.finfo(scores.dtype).min) * keep,
    "filled before and after": lambda scores, keep: masked(scores, keep).masked_fill(~keep, 0.0),
    "nan_to_num": lambda scores, keep: masked(scores, keep).nan_to_num(0.0),
    "where": lambda scores, keep: torch.where(keep, masked(scores, keep), 0.0),
    "added": lambda scores, keep: (scores + describe(keep, dtype=scores.dtype).additive).softmax(-1).nan_to_num(),
}

WEIGHTS_THAT_FAIL = {
    "after": (lambda scores, keep: scores.softmax(-1) * keep, ["ordinary size", "masked after softmax", "as little as 0."]),
    "multiplied": (lambda scores, keep: (scores * keep).softmax(-1), ["multiplied by 0", "exp(0) = 1"]),
    "inverted": (lambda scores, keep: masked(scores, ~keep), ["the mask is inverted"]),
    "over queries": (lambda scores, keep: scores.masked_fill(~keep, -math.inf).softmax(-2), ["ran over the queries"]),
    "over heads": (lambda scores, keep: scores.masked_fill(~keep, -math.inf).softmax(1), ["ran over the heads"]),
    "no mask": (lambda scores, keep: scores.softmax(-1), ["the weights without a mask"]),
    "renormalised": (renormalised, ["2000 above the others", "some values are NaN", "Mask the scores"]),
    "normalised without NaN": (
        lambda scores, keep: torch.nn.functional.normalize(scores.softmax(-1) * keep, p=1, dim=-1),
        ["2000 above the others", "the weights of a row sum to as little as 0.00: they were masked after softmax"],
    ),
    "too small a number": (lambda scores, keep: masked(scores, keep, -5.0), ["a masked key gets a weight of up to 0."]),
    "added, too small": (
        lambda scores, keep: (scores - 1000.0 * ~keep).softmax(-1),
        ["2000 above the others", "these are the weights without a mask"],
    ),
    "a number above some scores": (
        lambda scores, keep: masked(scores, keep, -1e4) * keep,
        ["For scores around −20,000", "the rows sum to between 0.00"],
    ),
    "no float16": (
        lambda scores, keep: masked(scores, keep, -1e9) * keep,
        ["in float16, your code raised RuntimeError: value cannot be converted", "ends at −65,504"],
    ),
    "without a maximum": (
        lambda scores, keep: torch.nn.functional.normalize(scores.exp() * keep, p=1, dim=-1),
        ["2000 above the others", "some values are NaN"],
    ),
    "minus infinity": (masked, ["fully masked row", "the weights are NaN", "0/0"]),
    "-1e9": (lambda scores, keep: masked(scores, keep, -1e9), ["every masked key gets 0.20", "an average"]),
    "-1e9 added, in float64": (
        lambda scores, keep: (scores - 1e9 * ~keep).softmax(-1),
        ["fully masked row", "the weights of this row are not zero"],
    ),
    "halved": (lambda scores, keep: masked(scores, keep) / 2, ["sum to between 0.50 and 0.50"]),
    "one head": (lambda scores, keep: masked(scores, keep)[:, 0], ["shape (2, 4, 5); it must be (B, H, L, S) = (2, 3, 4, 5)"]),
    "changed": (lambda scores, keep: scores.masked_fill_(~keep, -math.inf).softmax(-1), ["changed its input"]),
    "nothing": (lambda scores, keep: None, ["returned None"]),
    "raises": (lambda scores, keep: scores[keep], ["raised IndexError"]),
}


def test_right_masks_pass(subtests):
    assert_passed(subtests, check.mask, MASKS_THAT_PASS)


def test_wrong_masks_are_explained(subtests):
    assert_rejected(subtests, check.mask, MASKS_THAT_FAIL)


def test_right_weights_pass(subtests):
    assert_passed(subtests, check.masked_weights, WEIGHTS_THAT_PASS)


def test_wrong_weights_are_explained(subtests):
    assert_rejected(subtests, check.masked_weights, WEIGHTS_THAT_FAIL)


def test_a_mistake_that_shows_only_if_L_and_S_differ_is_found():
    """For L = S both alignments of the mask are the same."""
    answer, _ = MASKS_THAT_FAIL["top left"]
    lengths = torch.tensor([5, 2])
    assert torch.equal(answer(lengths, 5, 5), by_hand(lengths, 5, 5))
    assert not check.mask(answer)


def test_an_answer_that_changes_its_inputs_does_not_affect_the_next_check():
    check.mask(lambda lengths, L, S: lengths.zero_())
    check.masked_weights(lambda scores, keep: keep.fill_(False))
    assert check.mask(by_hand) and check.masked_weights(WEIGHTS_THAT_PASS["where"])
