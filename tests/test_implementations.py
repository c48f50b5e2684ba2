"""The implementations of chapter 14 compute what the package does, with the habits and defects of the code that they stand for."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

import attn
from attn.lessons import implementations
from attn.lessons.implementations import PackedAttention, composed_attention, versions

B, L, S, E, H, D = 2, 5, 7, 12, 3, 4
BLIND = "packed projections"


def layer_of(H=H, bias=False):
    layer = attn.MultiHeadAttention(E, H, bias=bias).eval().requires_grad_(False)
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return layer


@pytest.mark.parametrize("H,bias", [(3, False), (3, True), (1, False), (12, False)])
def test_all_of_them_return_the_same_numbers_with_the_same_weights(H, bias):
    layer, x = layer_of(H, bias), torch.randn(B, L, E)
    keep = torch.rand(L, L) > 0.5
    keep |= torch.eye(L, dtype=torch.bool)
    of = versions(layer)
    assert len(of) == {(3, False): 7, (3, True): 5, (1, False): 8, (12, False): 7}[H, bias]
    for version in of:
        assert_close(version.call(x, None), version.of(layer(x), x))
        if version.takes_mask:
            wanted = layer(x) if version.name == BLIND else layer(x, mask=keep)
            assert_close(version.call(x, keep), version.of(wanted, x))


def test_a_query_without_keys_gets_an_average_nan_or_zeros():
    layer, x, keep = layer_of(), torch.randn(B, L, E), torch.ones(L, L, dtype=torch.bool)
    keep[2] = False
    average = layer.W_O(layer.steps(x).v.mean(2).flatten(1))  # of all values
    for version in versions(layer):
        row = version.call(x, keep)[:, 2] if version.takes_mask else None
        if version.name in ("composed of calls", "nn.MultiheadAttention"):
            assert row.isnan().all()
        elif version.name == "PyTorch's SDPA":
            assert torch.equal(row, torch.zeros(B, E))
        elif version.name == "four linear layers":
            assert_close(row, average)
        elif version.name == "two classes, post-norm":
            assert_close(row, F.layer_norm(x[:, 2] + average, (E,), eps=1e-6))


def test_dropout_in_eval_mode_is_left_to_those_that_apply_it_themselves():
    layer, x = layer_of(), torch.randn(B, L, E)
    moved = {one.name for one in versions(layer, dropout=0.5) if not torch.equal(one.call(x, None), one.call(x, None))}
    assert moved == {"composed of calls", "PyTorch's SDPA", BLIND}


def test_the_composed_call_is_what_pytorch_computes():
    q, k, v = torch.randn(B, 6, L, D), torch.randn(B, 3, S, D), torch.randn(B, 3, S, D)
    keep = torch.ones(L, S, dtype=torch.bool).tril(S - L)
    for given in ({}, {"is_causal": True}, {"attn_mask": keep}, {"attn_mask": torch.randn(B, 6, L, S)}, {"scale": 0.3}):
        got = composed_attention(q, k, v, enable_gqa=True, **given)
        assert_close(got, F.scaled_dot_product_attention(q, k, v, enable_gqa=True, **given))
    with pytest.raises(ValueError, match="not both"):
        composed_attention(q, k, v, keep, is_causal=True, enable_gqa=True)
    with pytest.raises(RuntimeError, match="output with shape"):
        composed_attention(q, k, v, keep[None, None].expand(B, 1, L, S), enable_gqa=True)


def test_packed_projections_take_three_widths_and_one_product_equals_three():
    x, y = torch.randn(B, L, E), torch.randn(B, S, E)
    one = PackedAttention(E, E, E, E, H).eval()
    assert_close(one(x, x, x), one(x, x.clone(), x))
    several = PackedAttention(12, 10, 8, 24, H)
    assert several(x, torch.randn(B, S, 10), torch.randn(B, S, 8)).shape == (B, L, 12)
    assert one(x, y, y).shape == (B, L, E)
    with pytest.raises(attn.ShapeError, match="24 is not a multiple of H = 7"):
        PackedAttention(12, 10, 8, 24, 7)


@pytest.mark.filterwarnings("ignore:The use of `x.T`")
def test_one_plain_head_is_pytorchs_attention_and_refuses_a_batch():
    x = torch.tensor(implementations.TOY_INPUT)
    W = torch.randn(3, 3, 3)
    q, k, v = x @ W
    assert_close(implementations.plain_head(x, *W), F.scaled_dot_product_attention(q[None], k[None], v[None])[0])
    with pytest.raises(RuntimeError):
        implementations.plain_head(torch.randn(2, 4, 3), *W)


def test_differences_of_rounding_follow_the_type():
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        assert 0 < implementations.rounding(dtype, seed=7) < 20 * torch.finfo(dtype).eps


def test_the_tolerance_of_float32_shows_a_forgotten_key_and_that_of_bfloat16_may_hide_it():
    """The reason why chapter 14 compares in float32 first: 40 samples with 8 heads of 64 keys, of which one is forgotten."""
    q, k, v = (torch.randn(40, 8, n, 64) for n in (1, 64, 64))
    whole, without = attn.attention(q, k, v), attn.attention(q, k[:, :, 1:], v[:, :, 1:])
    change = (whole - without).abs().amax((1, 2, 3)) / whole.abs().amax((1, 2, 3))
    hidden = {dtype: int((change < 10 * torch.finfo(dtype).eps).sum()) for dtype in (torch.float32, torch.float16, torch.bfloat16)}
    assert hidden[torch.float32] == hidden[torch.float16] == 0
    assert 0 < hidden[torch.bfloat16] < 40
