"""The checker of reordered rows passes right answers and names the mistake in wrong ones."""

import torch
from verdicts import assert_passed, assert_rejected

from attn import check


def by_axes(cut, order):
    """An answer that cuts the rows into axes, and exchanges them. cut: sizes, with H and D by name."""

    def answer(packed, H):
        sizes = {"H": H, "D": packed.shape[0] // (3 * H), "3": 3}
        return packed.reshape(*(sizes[name] for name in cut), packed.shape[1]).permute(*order, 3).reshape(packed.shape)

    return answer


def by_strides(packed, H):
    parts = packed.unflatten(0, (H, 3, -1))
    return torch.cat([part.flatten(0, 1) for part in parts.unbind(1)])


def by_index(packed, H):
    D = packed.shape[0] // (3 * H)
    rows = [(h * 3 + part) * D + d for part in range(3) for h in range(H) for d in range(D)]
    return packed[rows]


def by_pieces(packed, H):
    pieces = packed.chunk(3 * H)
    return torch.cat([pieces[3 * h + part] for part in range(3) for h in range(H)])


RIGHT = {"axes": by_axes("H3D", (1, 0, 2)), "strides": by_strides, "index": by_index, "pieces": by_pieces}


def test_right_answers_pass(subtests):
    assert_passed(subtests, check.packed_rows, RIGHT)


def pieces(order, heads=1):
    def answer(packed, H):
        parts = (
            packed.reshape(H, 3, -1, packed.shape[1])[::heads] if heads > 0 else packed.reshape(H, 3, -1, packed.shape[1]).flip(0)
        )
        return parts[:, list(order)].transpose(0, 1).reshape(-1, packed.shape[1])

    return answer


WRONG = {
    "unchanged": (lambda packed, H: packed, ["packed (36, 10) and H = 3", "as they were, head by head"]),
    "the other way": (by_axes("3HD", (1, 0, 2)), ["cut as (3, H, D)"]),
    "in turns": (by_axes("HD3", (2, 0, 1)), ["as if q, k and v took turns"]),
    "3 and D": (by_axes("H3D", (0, 2, 1)), ["axes 3 and D are swapped"]),
    "heads inside": (by_axes("H3D", (1, 2, 0)), ["The rows of one head must stay together"]),
    "heads backwards": (pieces((0, 1, 2), heads=-1), ["reverse order"]),
    "k first": (pieces((1, 0, 2)), ["the order is k, q, v"]),
    "v second": (pieces((0, 2, 1)), ["the order is q, v, k"]),
    "backwards": (pieces((2, 1, 0)), ["the order is v, k, q"]),
    "queries alone": (pieces((0,)), ["(12, 10); it must be (3·H·D, E) = (36, 10): these are the queries alone"]),
    "transposed": (lambda packed, H: by_strides(packed, H).T, ["the result is transposed"]),
    "a view": (
        lambda packed, H: packed.view(H, 3, -1, packed.shape[1]).transpose(0, 1).view(packed.shape),
        ["raised RuntimeError", "reshape copies"],
    ),
    "a roll": (lambda packed, H: packed.roll(1, 0), ["row 0 must be row 0 of the query of head 0, which is row 0 of packed"]),
    "nothing": (lambda packed, H: None, ["returned None"]),
}


def test_wrong_answers_are_explained(subtests):
    assert_rejected(subtests, check.packed_rows, WRONG)


def test_the_checkers_own_order_is_that_of_a_layer_of_gpt_neox():
    """Its packed product, cut as it cuts it, has the queries that the reordered rows make."""
    packed, x, H, D = torch.randn(36, 10), torch.randn(5, 10), 3, 4
    q, k, v = (x @ packed.T).view(5, H, 3 * D).transpose(0, 1).chunk(3, -1)  # (H, L, D) each, as in transformers
    ours = (x @ by_index(packed, H).T).view(5, 3, H, D).permute(1, 2, 0, 3)
    for mine, theirs in zip(ours, (q, k, v), strict=True):
        torch.testing.assert_close(mine, theirs)
