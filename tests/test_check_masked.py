"""The checker of a layer with a mask passes right answers and names the mistake in wrong ones."""

import torch
import torch.nn.functional as F
from verdicts import assert_passed, assert_rejected

import attn
from attn import check


def projected(layer, x):
    return [attn.split_heads(flat, layer.H) for flat in layer.W_QKV(x).chunk(3, -1)]


def fused(**given):
    """An answer with one call; `given` makes the arguments of the mask."""

    def answer(layer, x, mask):
        q, k, v = projected(layer, x)
        heads = F.scaled_dot_product_attention(q, k, v, **{name: make(mask) for name, make in given.items()})
        return layer.W_O(attn.merge_heads(heads))

    return answer


def by_hand(weigh, scale=True):
    """An answer that makes its own weights: weigh(scores, mask (B, 1, L, L))."""

    def answer(layer, x, mask):
        q, k, v = projected(layer, x)
        scores = q @ k.transpose(-2, -1)
        weights = weigh(scores / layer.D**0.5 if scale else scores, mask[:, None])
        return layer.W_O(attn.merge_heads(weights @ v))

    return answer


def filled(scores, keep):
    return scores.masked_fill(~keep, -torch.inf).softmax(-1)


def sequence_by_sequence(layer, x, mask):
    return torch.cat([layer(x[b : b + 1], mask=mask[b]) for b in range(x.shape[0])])


RIGHT = {
    "one call": fused(attn_mask=lambda mask: mask[:, None]),
    "a bias": fused(attn_mask=lambda mask: torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)[:, None]),
    "the layer itself": lambda layer, x, mask: layer(x, mask=mask[:, None]),
    "by hand": by_hand(filled),
    "a large number": by_hand(lambda scores, keep: scores.masked_fill(keep == 0, -1e9).softmax(-1)),
    "sequence by sequence": sequence_by_sequence,
}


def test_right_answers_pass(subtests):
    assert_passed(subtests, check.masked_layer, RIGHT)


def ordered(first, second, third):
    def answer(layer, x, mask):
        parts = projected(layer, x)
        return layer.W_O(attn.merge_heads(attn.attention(parts[first], parts[second], parts[third], mask[:, None])))

    return answer


def split_by_view(layer, x, mask):
    B, L, _ = x.shape
    q, k, v = (flat.reshape(B, layer.H, L, layer.D) for flat in layer.W_QKV(x).chunk(3, -1))
    return layer.W_O(attn.merge_heads(attn.attention(q, k, v, mask[:, None])))


def three_heads(layer, x, mask, n=3):
    q, k, v = (attn.split_heads(flat, n) for flat in layer.W_QKV(x).chunk(3, -1))
    return layer.W_O(attn.merge_heads(attn.attention(q, k, v, mask[:, None])))


def ended(end):
    def answer(layer, x, mask):
        q, k, v = projected(layer, x)
        return end(layer, attn.attention(q, k, v, mask[:, None]))

    return answer


WRONG = {
    "never used": (fused(), ["x (2, 5, 12)", "taken and never used", "Which argument"]),
    "only causal": (fused(is_causal=lambda mask: True), ["a causal mask is used instead of the mask that was passed"]),
    "causal, too": (
        fused(attn_mask=lambda mask: (mask & mask.new_ones(mask.shape).tril())[:, None]),
        ["later keys are hidden too"],
    ),
    "inverted": (fused(attn_mask=lambda mask: ~mask[:, None]), ["the mask is inverted", "True means: may attend"]),
    "one mask for all": (fused(attn_mask=lambda mask: mask[0]), ["every sequence uses the mask of sequence 0"]),
    "transposed": (fused(attn_mask=lambda mask: mask[:, None].mT), ["the mask is transposed"]),
    "as numbers": (fused(attn_mask=lambda mask: mask[:, None].float()), ["1 and 0 are added"]),
    "multiplied": (by_hand(lambda scores, keep: (scores * keep).softmax(-1)), ["multiplied by the mask"]),
    "after softmax": (by_hand(lambda scores, keep: scores.softmax(-1) * keep), ["after softmax"]),
    "no scale": (by_hand(filled, scale=False), ["not divided by √D"]),
    "q and k": (ordered(1, 0, 2), ["queries and keys are swapped"]),
    "k and v": (ordered(0, 2, 1), ["keys and values are swapped"]),
    "3 heads, always": (lambda layer, x, mask: three_heads(layer, x, mask), ["x is split into 3 heads. The layer has H = 4"]),
    "D heads": (lambda layer, x, mask: three_heads(layer, x, mask, layer.D), ["x is split into 3 heads", "layer.H"]),
    "split by view": (split_by_view, ["split by a view"]),
    "merged by reshape": (
        ended(lambda layer, heads: layer.W_O(heads.reshape(heads.shape[0], heads.shape[2], layer.E))),
        ["merged"],
    ),
    "no W_O": (ended(lambda layer, heads: attn.merge_heads(heads)), ["without W_O"]),
    "nothing": (lambda layer, x, mask: None, ["returned None"]),
    "another shape": (lambda layer, x, mask: x[:, :2], ["(2, 2, 12); it must be (B, L, E) = (2, 5, 12)"]),
    "something else": (lambda layer, x, mask: layer(x, mask=mask[:, None]) + 1, ["component 0 of token 0 of sequence 0"]),
}


def test_wrong_answers_are_explained(subtests):
    assert_rejected(subtests, check.masked_layer, WRONG)


def test_a_mask_without_an_axis_of_heads_is_an_error_or_the_mask_of_another_sequence():
    without = fused(attn_mask=lambda mask: mask)
    assert "raised RuntimeError" in (said := check.masked_layer(without).message)
    assert "Does the mask have an axis for the heads?" in said
    only_if_equal = lambda layer, x, mask: (without if len(x) == layer.H else RIGHT["one call"])(layer, x, mask)  # noqa: E731
    assert "head h uses the mask of sequence h" in check.masked_layer(only_if_equal).message
