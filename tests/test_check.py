"""The checkers pass right answers and explain wrong ones."""

import itertools

import pytest
import torch
from verdicts import assert_passed, assert_rejected

import attn
from attn import check

SPLITS_THAT_PASS = {
    "view and transpose": lambda x, H: x.view(x.shape[0], x.shape[1], H, -1).transpose(1, 2),
    "unflatten and permute": lambda x, H: x.unflatten(-1, (H, -1)).permute(0, 2, 1, 3),
    "reshape and swapaxes": lambda x, H: x.reshape(*x.shape[:2], H, x.shape[2] // H).swapaxes(1, 2),
    "the package": attn.split_heads,
}

SPLITS_THAT_FAIL = {
    "view only": (lambda x, H: x.view(x.shape[0], H, x.shape[1], -1), ["80 belong to another head", "Which axis holds the heads"]),
    "interleaved": (
        lambda x, H: x.view(*x.shape[:2], -1, H).permute(0, 3, 1, 2),
        [
            "60 belong to another head",
            "not (B, L, D, H)",
            "result[0, 0, 0, 1]",
            "found sequence 0, token 0, head 0, channel 3",
        ],
    ),
    "no transpose": (lambda x, H: x.view(*x.shape[:2], H, -1), ["shape (2, 5, 3, 4); it must be (B, H, L, D) = (2, 3, 5, 4)"]),
    "transposed too far": (
        lambda x, H: x.view(*x.shape[:2], H, -1).permute(0, 2, 3, 1),
        ["it must be (B, H, L, D) = (2, 3, 5, 4)"],
    ),
    "heads reversed": (
        lambda x, H: x.view(*x.shape[:2], H, -1).transpose(1, 2).flip(1),
        ["80 of 120 elements are wrong", "80 belong to another head."],
    ),
    "copied": (lambda x, H: attn.split_heads(x, H).contiguous(), ["every element is in the right place", ".contiguous()"]),
    "changed": (lambda x, H: attn.split_heads(x.mul_(2), H), ["changed its input x"]),
    "scaled": (lambda x, H: attn.split_heads(x, H) + 0.5, ["120 are not from the input"]),
    "nothing": (lambda x, H: None, ["returned None", "Is the return statement missing?"]),
    "raises": (lambda x, H: x.view(2, 5, 7), ["raised RuntimeError", "Is D equal to E // H?"]),
    "hard-coded sizes": (
        lambda x, H: x.view(2, 5, 3, 4).transpose(1, 2),
        ["For x (3, 4, 10) and H = 2", "it must be (B, H, L, D) = (3, 2, 4, 5)"],
    ),
}

MERGES_THAT_PASS = {
    "transpose and flatten": lambda x: x.transpose(1, 2).flatten(2),
    "contiguous and view": lambda x: x.transpose(1, 2).contiguous().view(x.shape[0], x.shape[2], -1),
    "permute and reshape": lambda x: x.permute(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1),
    "the package": attn.merge_heads,
}

MERGES_THAT_FAIL = {
    "no transpose": (
        lambda x: x.reshape(x.shape[0], x.shape[2], -1),
        ["96 of 120 elements", "80 belong to another head", "Which two axes must be next to each other", "result[0, 0, 4]"],
    ),
    "interleaved": (lambda x: x.permute(0, 2, 3, 1).flatten(2), ["interleaved", "(H, D), not (D, H)"]),
    "view after transpose": (
        lambda x: x.transpose(1, 2).view(x.shape[0], x.shape[2], -1),
        ["raised RuntimeError", "not contiguous in memory"],
    ),
    "cat copies": (lambda x: torch.cat(list(x.unbind(1)), -1), ["every element is in the right place", "torch.cat"]),
    "summed": (lambda x: x.sum(1), ["shape (2, 5, 4); it must be (B, L, E) = (2, 5, 12)"]),
    "changed": (lambda x: attn.merge_heads(x.neg_()), ["changed its input heads"]),
}


def test_right_splits_pass(subtests):
    assert_passed(subtests, check.split_heads, SPLITS_THAT_PASS)


def test_wrong_splits_are_explained(subtests):
    assert_rejected(subtests, check.split_heads, SPLITS_THAT_FAIL)


def test_right_merges_pass(subtests):
    assert_passed(subtests, check.merge_heads, MERGES_THAT_PASS)


def test_wrong_merges_are_explained(subtests):
    assert_rejected(subtests, check.merge_heads, MERGES_THAT_FAIL)


def test_an_answer_that_changes_its_input_does_not_affect_the_next_check():
    check.split_heads(lambda x, H: x.zero_())
    check.merge_heads(lambda x: x.zero_())
    assert check.split_heads(attn.split_heads) and check.merge_heads(attn.merge_heads)


def test_a_verdict_prints_itself_as_text_and_as_html():
    good, bad = check.split_heads(attn.split_heads), check.Verdict(False, "a < b")
    assert repr(good).startswith("✓ Passed.") and repr(bad) == "✗ Not yet. a < b"
    assert "✗ Not yet.</strong> a &lt; b" in bad._repr_html_()


def test_predicted_shapes_that_agree_with_the_run_pass():
    steps = attn.MultiHeadAttention(12, 3).steps(torch.randn(2, 5, 12), torch.randn(2, 7, 12))
    assert check.shapes_of({name: tensor.shape for name, tensor in steps.items()}, steps)
    assert "Not checked: x, context" in check.shapes_of({"q": (2, 3, 5, 4)}, steps).message


@pytest.mark.parametrize(
    "answer,parts",
    [
        (
            {"q": (2, 5, 3, 4)},
            ["q does not have the shape (2, 5, 3, 4)", "sizes are right, but the order is wrong", "(B, H, L, D)"],
        ),
        ({"scores": (2, 3, 5, 5)}, ["(B, H, L, S), and S is 7, not 5"]),
        ({"q": (2, 3, 5, 4), "heads": (2, 3, 7, 4)}, ["heads does not have", "L is 5, not 7"]),
        ({"weights": (2, 5, 7)}, ["It has 4 axes, (B, H, L, S); you gave 3"]),
        ({"attention": (1,)}, ["no tensor called 'attention'", "weights"]),
    ],
)
def test_wrong_shapes_are_explained(answer, parts):
    steps = attn.MultiHeadAttention(12, 3).steps(torch.randn(2, 5, 12), torch.randn(2, 7, 12))
    verdict = check.shapes_of(answer, steps)
    assert not verdict
    for part in parts:
        assert part in verdict.message


def strided(tensor, index):
    return sum(i * stride for i, stride in zip(index, tensor.stride(), strict=True))


def row_major(tensor, index):
    position = 0
    for size, i in zip(tensor.shape, index, strict=True):
        position = position * size + i
    return position


def from_the_start(tensor, index):
    return tensor.storage_offset() + strided(tensor, index)


POSITIONS_THAT_FAIL = {
    "in the order of the axes": (
        row_major,
        ["a permuted view", "assumed that memory follows the order of the axes", "tensor.stride()"],
    ),
    "strides alone": (strided, ["does not start where its storage starts", "tensor.storage_offset()"]),
    "one too far": (
        lambda tensor, index: strided(tensor, index) + 1,
        ["a contiguous tensor", "is at 0, not at 1", "One step along axis n"],
    ),
    "raises": (lambda tensor, index: 1 // 0, ["raised ZeroDivisionError"]),
    "nothing": (lambda tensor, index: None, ["returned None, not an integer"]),
}


def test_offset_and_strides_give_the_position_in_storage(subtests):
    assert_passed(subtests, check.offset, {"offset and strides": from_the_start})


def test_wrong_positions_in_storage_are_explained(subtests):
    assert_rejected(subtests, check.offset, POSITIONS_THAT_FAIL)


def by_trying(tensor, place, position=from_the_start):
    return [index for index in itertools.product(*map(range, tensor.shape)) if position(tensor, index) == place]


def by_dividing(tensor, place):
    """Axes by falling stride; along an axis of stride 0 every step stays at its place."""
    found, left = [()], place - tensor.storage_offset()
    order = sorted(range(tensor.dim()), key=lambda axis: -tensor.stride(axis))
    for axis in order:
        stride = tensor.stride(axis)
        steps = range(tensor.shape[axis]) if stride == 0 else [left // stride]
        left -= steps[0] * stride
        found = [(*index, step) for index in found for step in steps if 0 <= step < tensor.shape[axis]]
    return [tuple(index[order.index(axis)] for axis in range(tensor.dim())) for index in found] if left == 0 else []


INDICES_THAT_FAIL = {
    "in the order of the axes": (
        lambda tensor, place: by_trying(tensor, place, row_major),
        ["a permuted view", "holds [0, ", "Memory does not follow the order of the axes", "tensor.stride()"],
    ),
    "strides alone": (
        lambda tensor, place: by_trying(tensor, place, strided),
        ["does not start where its storage starts", "tensor starts at place 144"],
    ),
    "the first one alone": (lambda tensor, place: by_trying(tensor, place)[:1], ["stride is 0", "3 elements lie there"]),
    "never none": (
        lambda tensor, place: by_trying(tensor, place) or [(0,) * tensor.dim()],
        ["a slice", "holds no element, not [0, 0, 0, 0]", "skips the place"],
    ),
    "reversed": (
        lambda tensor, place: [index[::-1] for index in by_trying(tensor, place)],
        ["a contiguous tensor", "if 0 plus the sum of index times stride is"],
    ),
    "raises": (lambda tensor, place: 1 // 0, ["raised ZeroDivisionError"]),
    "nothing": (lambda tensor, place: None, ["returned None, not a list of tuples"]),
    "one index": (lambda tensor, place: (0, 0, 0, 0), ["returned a value of type tuple, not a list of tuples"]),
}


def test_every_index_of_a_place_in_storage_is_found(subtests):
    assert_passed(subtests, check.indices_at, {"trying every index": by_trying, "dividing by strides": by_dividing})


def test_wrong_indices_of_a_place_are_explained(subtests):
    assert_rejected(subtests, check.indices_at, INDICES_THAT_FAIL)


CROSS_SHAPES = {
    "q": (2, 3, 5, 4),
    "k": (2, 3, 7, 4),
    "v": (2, 3, 7, 4),
    "scores": (2, 3, 5, 7),
    "heads": (2, 3, 5, 4),
    "y": (2, 5, 12),
}
CROSS_SHAPES_THAT_FAIL = {
    "self-attention": (CROSS_SHAPES | {"k": (2, 3, 5, 4)}, ["k does not have", "(B, H, S, D), and S is 7, not 5"]),
    "swapped": (CROSS_SHAPES | {"q": (2, 5, 3, 4)}, ["sizes are right, but the order is wrong", "(B, H, L, D)"]),
    "three axes": (CROSS_SHAPES | {"scores": [2, 5, 7]}, ["It has 4 axes, (B, H, L, S); you gave 3"]),
    "an unknown name": ({"weights": (2, 3, 5, 7)}, ["no tensor called 'weights'", "q, k, v, scores, heads, y"]),
    "no name": ({}, ["There is no shape for q"]),
    "one name": ({"y": (2, 5, 12)}, ["There is no shape for q"]),
    "a number for a shape": (CROSS_SHAPES | {"k": 7}, ["k is not a shape", "one for each of (B, H, S, D)"]),
    "text for a shape": (CROSS_SHAPES | {"k": "2374"}, ["k is not a shape"]),
    "no dict": (None, ["Your answer is None, not a dict"]),
}


def test_right_shapes_of_cross_attention_pass(subtests):
    assert_passed(
        subtests, check.cross_shapes, {"all": CROSS_SHAPES, "without v": {n: s for n, s in CROSS_SHAPES.items() if n != "v"}}
    )


def test_a_layer_has_the_shapes_that_the_checker_of_cross_attention_wants():
    steps = attn.MultiHeadAttention(12, 3).steps(torch.randn(2, 5, 12), torch.randn(2, 7, 12))
    assert check.shapes_of(CROSS_SHAPES, steps)


def test_wrong_shapes_of_cross_attention_are_explained(subtests):
    assert_rejected(subtests, check.cross_shapes, CROSS_SHAPES_THAT_FAIL)
