"""Splitting and merging heads: every element is in its place, and nothing is copied unnecessarily."""

import jaxtyping
import pytest
import torch
import torch.nn.functional as F

import attn
from attn.shapes import AXES

B, L, H, D = 2, 5, 3, 7


def passports():
    """x[b, l, h·D + d] = a number that names (b, l, h, d)."""
    return torch.arange(B * L * H * D).view(B, L, H * D)


def test_head_h_holds_channels_h_times_d_onwards_of_every_token():
    x = passports()
    heads = attn.split_heads(x, H)
    for b, h, i, d in ((b, h, i, d) for b in range(B) for h in range(H) for i in range(L) for d in range(D)):
        assert heads[b, h, i, d] == x[b, i, h * D + d]


def test_splitting_copies_nothing():
    x = passports()
    assert attn.split_heads(x, H).data_ptr() == x.data_ptr()


def test_splitting_a_tensor_that_no_view_can_split_still_gives_the_right_elements():
    x = passports()
    strided = x.transpose(1, 2).contiguous().transpose(1, 2)
    torch.testing.assert_close(attn.split_heads(strided, H), attn.split_heads(x, H), rtol=0, atol=0)


def test_merging_undoes_splitting_without_a_copy():
    x = passports()
    merged = attn.merge_heads(attn.split_heads(x, H))
    assert torch.equal(merged, x)
    assert merged.data_ptr() == x.data_ptr()


def test_merging_contiguous_heads_lays_the_heads_of_a_token_side_by_side():
    heads = torch.arange(B * H * L * D).view(B, H, L, D)
    merged = attn.merge_heads(heads)
    for h in range(H):
        assert torch.equal(merged[:, :, h * D : (h + 1) * D], heads[:, h])


@pytest.mark.parametrize("E,H", [(12, 5), (12, 0), (7, 2), (3, 4)])
def test_a_width_that_h_does_not_divide_is_refused_with_both_numbers(E, H, as_users_run_it):
    with pytest.raises(attn.ShapeError, match=rf"E = {E} cannot be split into H = {H} heads"):
        attn.split_heads(torch.zeros(2, 3, E), H)


def test_the_error_lists_head_counts_that_divide_the_width(as_users_run_it):
    with pytest.raises(attn.ShapeError, match=r"10 or 15; head counts that divide 12: \[1, 2, 3, 4, 6, 12\]"):
        attn.split_heads(torch.zeros(2, 3, 12), 5)


@pytest.mark.parametrize(
    "call,axes", [(lambda x: attn.split_heads(x, 1), "(B, L, E)"), (attn.merge_heads, "(B, H, L, D)")], ids=["split", "merge"]
)
def test_a_wrong_number_of_axes_is_refused_with_the_expected_axes(call, axes, as_users_run_it):
    with pytest.raises(attn.ShapeError) as caught:
        call(torch.zeros(2, 3))
    assert "(2, 3)" in str(caught.value) and axes in str(caught.value)


def test_the_book_has_seven_letters_each_with_one_meaning_and_one_colour_per_theme():
    assert list(AXES) == ["B", "H", "L", "S", "D", "E", "G"]
    for colours in ([axis.light for axis in AXES.values()], [axis.dark for axis in AXES.values()]):
        assert len(set(colours)) == 7


def test_the_result_of_fused_attention_is_merged_without_a_copy_where_q_was_split(subtests):
    """As the docstring of merge_heads says: the result has the order of q."""
    for dtype in (torch.float32, torch.bfloat16):
        for B, H, L, D in ((2, 3, 5, 4), (1, 12, 64, 64)):
            q = attn.split_heads(torch.randn(B, L, H * D, dtype=dtype), H)
            for given, is_view in ((q, True), (q.contiguous(), False)):
                heads = F.scaled_dot_product_attention(given, given, given)
                with subtests.test(dtype=dtype, H=H, is_view=is_view):
                    assert (attn.merge_heads(heads).data_ptr() == heads.data_ptr()) == is_view


def test_annotated_shapes_are_checked_while_the_tests_run():
    """For users, merge_heads raises its own ShapeError."""
    with pytest.raises(jaxtyping.TypeCheckError, match="merge_heads"):
        attn.merge_heads(torch.ones(2, 3, 5))
