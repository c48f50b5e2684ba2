"""Masks made from positions, compared with their rules key by key."""

import pytest
import torch

from attn import ShapeError, masks
from attn.lessons import spellings

L, S = 3, 5


def brute(rule, n=L, s=S):
    """The mask whose entry (i, j) is rule(position of query i, position of key j)."""
    return torch.tensor([[rule(s - n + i, j) for j in range(s)] for i in range(n)])


@pytest.mark.parametrize("n,s", [(3, 5), (5, 5), (5, 3), (1, 7)])
def test_causal_allows_keys_up_to_the_querys_own_position(n, s):
    assert torch.equal(masks.causal(n, s), brute(lambda q, k: k <= q, n, s))


def test_causal_of_one_size_is_the_lower_triangle():
    assert torch.equal(masks.causal(5), torch.ones(5, 5, dtype=torch.bool).tril())


def test_the_newest_query_may_attend_to_every_key_if_earlier_keys_come_from_a_cache():
    assert masks.causal(1, 7).all()


@pytest.mark.parametrize("width", [1, 2, 9])
def test_a_window_allows_keys_fewer_than_width_positions_away(width):
    assert torch.equal(masks.window(L, S, width=width), brute(lambda q, k: abs(q - k) < width))


def test_masks_combine_with_and_or_not():
    both = masks.window(L, S, width=2) & masks.causal(L, S)
    assert torch.equal(both, brute(lambda q, k: q - 2 < k <= q))
    either = masks.window(L, S, width=2) | ~masks.causal(L, S)
    assert torch.equal(either, brute(lambda q, k: abs(q - k) < 2 or k > q))


def test_padding_hides_the_keys_after_each_samples_length():
    mask = masks.padding([5, 2, 0])
    assert mask.shape == (3, 1, 1, 5)
    assert mask[:, 0, 0].long().tolist() == [[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0]]


def test_left_padding_hides_the_keys_before_the_last_ones():
    mask = masks.padding([5, 2, 0], front=True)
    assert mask[:, 0, 0].long().tolist() == [[1, 1, 1, 1, 1], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]
    assert masks.padding([3], 4, front=True)[0, 0, 0].tolist() == [False, True, True, True]


def test_padding_takes_lengths_as_a_tensor_and_a_longer_s():
    assert torch.equal(masks.padding(torch.tensor([3, 1]), 4), masks.padding([3, 1], 4))
    assert masks.padding([3, 1], 4).shape == (2, 1, 1, 4)


def test_padding_and_causal_broadcast_to_every_sample_and_query():
    mask = masks.padding([5, 3]) & masks.causal(L, S)
    assert mask.shape == (2, 1, L, S)
    assert not mask[1, 0, :, 3:].any() and mask[0, 0, -1].all()


def test_the_four_spellings_mean_the_same():
    keep = masks.causal(2, 3)
    spelled = spellings.describe(keep)
    assert torch.equal(spelled.keep, keep)
    assert torch.equal(spelled.drop, ~keep)
    assert spelled.additive.tolist() == [[0, 0, -torch.inf], [0, 0, 0]]
    assert spelled.zero_one.tolist() == [[1, 1, 0], [1, 1, 1]]


def test_the_libraries_accept_the_spellings():
    q, k, v = (torch.randn(1, 1, n, 4, dtype=torch.float64) for n in (2, 3, 3))
    spelled = spellings.describe(masks.causal(2, 3), dtype=torch.float64)
    sdpa = torch.nn.functional.scaled_dot_product_attention
    want = sdpa(q, k, v, attn_mask=spelled.keep)
    torch.testing.assert_close(sdpa(q, k, v, attn_mask=spelled.additive), want)
    module = torch.nn.MultiheadAttention(4, 1, batch_first=True, dtype=torch.float64).eval()
    weights = module(q[0], k[0], v[0], attn_mask=spelled.drop)[1]
    assert torch.equal(weights[0] == 0, spelled.drop)


def test_describe_prints_a_row_that_both_allows_and_forbids():
    text = repr(spellings.describe(masks.causal(2, 3)))
    assert "True True False" in text and "False False True" in text and "0.0 0.0 -inf" in text and "1 1 0" in text
    page = spellings.describe(masks.causal(2, 3))._repr_html_()
    assert page.count("<tr>") == 5 and "<td>additive</td><td>0.0 0.0 -inf</td><td>added to the scores</td>" in page


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: masks.window(3, 3, width=0), "width is 0"),
        (lambda: masks.padding([2, 6], 5), "run from 2 to 6; they must lie between 0 and S = 5"),
        (lambda: masks.padding([2, -1], 5), "run from -1 to 2"),
        (lambda: masks.causal(-1), "sizes cannot be negative"),
        (lambda: masks.padding(torch.ones(2, 3, dtype=torch.int64)), r"shape \(2, 3\); it needs one integer per sample"),
        (lambda: masks.padding(torch.ones(2)), "lengths is torch.float32"),
    ],
)
def test_invalid_masks_are_refused(call, message, as_users_run_it):
    with pytest.raises(ShapeError, match=message):
        call()


def test_describe_refuses_a_mask_that_is_not_boolean(as_users_run_it):
    with pytest.raises(TypeError, match=r"torch\.float32; describe takes a boolean mask"):
        spellings.describe(torch.zeros(2, 3))
