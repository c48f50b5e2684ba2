"""Attention compared with its definition, NumPy loops in float64, and with PyTorch's own kernels."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

import attn
from attn import masks, reference

# A different prime for every axis, so that swapping two is noticed. H = 4 heads, so that G = 2 distinguishes repeating from tiling.
B, H, L, S, D, DV = 2, 4, 3, 5, 7, 11


def operands(b=B, h=H, g=None, n=L, s=S, d=D, dv=DV, dtype=torch.float64, device="cpu", grad=False):
    shapes = ((b, h, n, d), (b, g or h, s, d), (b, g or h, s, dv))
    return tuple(torch.randn(shape, dtype=dtype, device=device, requires_grad=grad) for shape in shapes)


def loops(q, k, v, mask=None, scale=None):
    as_numpy = (t.detach().double().cpu().numpy() for t in (q, k, v))
    out, weights = reference.attention(*as_numpy, None if mask is None else mask.cpu().numpy(), scale=scale)
    return torch.from_numpy(out), torch.from_numpy(weights)


MASKS = {
    "none": None,
    "causal": masks.causal(L, S),
    "window": masks.window(L, S, width=2),
    "window and past": masks.window(L, S, width=3) & masks.causal(L, S),
    "padding": masks.padding([5, 2]),
    "padding and causal": masks.padding([4, 2], S) & masks.causal(L, S),
    "inverted": ~masks.causal(L, S),
    "per head": (torch.arange(H * L * S) % 3 > 0).view(1, H, L, S),
    "a fully masked row": torch.tensor([True, False, True])[:, None].expand(L, S),
    "a fully masked sample": masks.padding([3, 0], S),
    "one row of keys": torch.tensor([True, False, True, True, False]),
}
with_masks = pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS.keys())


@with_masks
@pytest.mark.parametrize("G", [1, 2, 4])
def test_the_fast_path_equals_the_loops(mask, G):
    q, k, v = operands(g=G)
    torch.testing.assert_close(attn.attention(q, k, v, mask), loops(q, k, v, mask)[0])


@with_masks
@pytest.mark.parametrize("G", [1, 2, 4])
def test_the_steps_equal_the_loops(mask, G):
    q, k, v = operands(g=G)
    steps = attn.attention_steps(q, k, v, mask)
    out, weights = loops(q, k, v, mask)
    torch.testing.assert_close(steps.weights, weights)
    torch.testing.assert_close(steps.out, out)


@pytest.mark.parametrize("n,s", [(3, 5), (5, 5), (5, 3), (1, 5)], ids=lambda size: str(size))
@pytest.mark.parametrize("also", [None, "padding"])
def test_causal_aligns_the_last_query_with_the_last_key(n, s, also):
    q, k, v = operands(n=n, s=s)
    padded = masks.padding([s, s - 1], s) if also else None
    mask = masks.causal(n, s) if padded is None else masks.causal(n, s) & padded
    want, weights = loops(q, k, v, mask)
    torch.testing.assert_close(attn.attention(q, k, v, padded, causal=True), want)
    torch.testing.assert_close(attn.attention_steps(q, k, v, padded, causal=True).weights, weights)


def test_a_single_decoded_token_attends_to_every_key():
    q, k, v = operands(n=1)
    torch.testing.assert_close(attn.attention(q, k, v, causal=True), loops(q, k, v)[0])


@pytest.mark.parametrize("scale", [0.0, 0.25, 1.0, 2.0])
def test_a_given_scale_replaces_one_over_the_square_root_of_d(scale):
    q, k, v = operands()
    want = loops(q, k, v, scale=scale)[0]
    torch.testing.assert_close(attn.attention(q, k, v, scale=scale), want)
    torch.testing.assert_close(attn.attention_steps(q, k, v, scale=scale).out, want)


@pytest.mark.parametrize("dtype,tolerance", [(torch.bfloat16, 6e-2), (torch.float16, 1e-2)])
@pytest.mark.parametrize("scale", [0.0, 2.0])
def test_a_single_half_precision_query_takes_the_scale_and_the_mask_too(scale, dtype, tolerance):
    q, k, v = operands(n=1, g=2, dtype=dtype)  # it has its own branch on a CPU
    mask = torch.tensor([[True, False, True, True, False]])
    want = loops(q, k, v, mask, scale=scale)[0]
    for out in (attn.attention(q, k, v, mask, scale=scale), attn.attention_steps(q, k, v, mask, scale=scale).out):
        torch.testing.assert_close(out.double(), want, rtol=tolerance, atol=tolerance)


def test_each_step_computes_what_its_name_promises():
    q, k, v = operands()
    mask = masks.causal(L, S)
    steps = attn.attention_steps(q, k, v, mask)
    torch.testing.assert_close(steps.scores, torch.einsum("bhld,bhsd->bhls", q, k))
    torch.testing.assert_close(steps.scaled, steps.scores / math.sqrt(D))
    assert torch.equal(steps.masked.isneginf(), ~mask.expand(B, H, L, S))
    torch.testing.assert_close(steps.weights.sum(-1), torch.ones(B, H, L, dtype=torch.float64))
    torch.testing.assert_close(steps.out, torch.einsum("bhls,bhse->bhle", steps.weights, v))


def test_the_steps_print_as_a_shape_table():
    text = repr(attn.attention_steps(*operands(g=2)))
    assert "scores   (B, H, L, S)   (2, 4, 3, 5)" in text
    assert "k        (B, G, S, D)   (2, 2, 5, 7)" in text


def test_the_steps_cannot_be_changed():
    with pytest.raises(AttributeError):
        attn.attention_steps(*operands()).out = None


@pytest.mark.parametrize("dtype,tolerance", [(torch.float32, 1e-5), (torch.bfloat16, 3e-2), (torch.float16, 4e-3)])
@pytest.mark.parametrize("n", [1, L])
@with_masks
def test_every_dtype_agrees_with_float64(dtype, tolerance, n, mask, device):
    if mask is not None and n == 1:
        mask = mask[..., -1:, :] if mask.dim() > 1 else mask
    mask = mask if mask is None else mask.to(device)
    q, k, v = operands(g=2, n=n, d=D, dv=D, dtype=dtype, device=device)
    want = loops(q, k, v, mask)[0].to(device)
    for out in (attn.attention(q, k, v, mask), attn.attention_steps(q, k, v, mask).out):
        assert out.dtype == dtype
        torch.testing.assert_close(out.double(), want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("path", ["fast", "steps"])
def test_a_fully_masked_row_gives_zeros_and_finite_gradients(dtype, path, device):
    q, k, v = operands(dtype=dtype, dv=D, device=device, grad=True)
    mask = masks.causal(L, S, device=device) & torch.tensor([True, False, True], device=device)[:, None]
    out = attn.attention(q, k, v, mask) if path == "fast" else attn.attention_steps(q, k, v, mask).out
    assert (out[:, :, 1] == 0).all() and (out[:, :, 0] != 0).any()
    out.square().sum().backward()
    for tensor in (q, k, v):
        assert tensor.grad.isfinite().all()
    assert (q.grad[:, :, 1] == 0).all() and (q.grad[:, :, 0] != 0).any()


@with_masks
@pytest.mark.parametrize("G", [1, 2])
def test_gradients_equal_finite_differences(mask, G):
    q, k, v = operands(b=2, g=G, d=3, dv=3, grad=True)
    assert torch.autograd.gradcheck(lambda *qkv: attn.attention(*qkv, mask), (q, k, v))
    assert torch.autograd.gradcheck(lambda *qkv: attn.attention_steps(*qkv, mask).out, (q, k, v))


@pytest.mark.parametrize("place", ["q", "k", "v"])
def test_nan_in_the_input_is_not_hidden(place):
    tensors = dict(zip("qkv", operands(), strict=True))
    tensors[place][1, 2, 0, 0] = math.nan
    for out in (attn.attention(**tensors), attn.attention_steps(**tensors).out):
        assert out[1, 2].isnan().any()
        assert not out[0].isnan().any() and not out[1, 3].isnan().any()


def test_grouped_heads_repeat_each_key_head_in_place():
    q, k, v = operands(g=2)
    want = F.scaled_dot_product_attention(q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1))
    torch.testing.assert_close(attn.attention(q, k, v), want)
    torch.testing.assert_close(attn.attention_steps(q, k, v).out, want)


@st.composite
def any_operands(draw):
    size = st.integers(1, 5)
    g, repeats = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    n, s, b = draw(size), draw(size), draw(st.integers(1, 3))
    torch.manual_seed(draw(st.integers(0, 2**20)))
    q, k, v = operands(b=b, h=g * repeats, g=g, n=n, s=s, d=draw(size), dv=draw(size))
    axes = [draw(st.sampled_from([1, full])) for full in (b, g * repeats, n, s)]
    mask = draw(st.sampled_from([None, torch.rand(axes) > 0.4]))
    return q, k, v, mask, draw(st.booleans())


@settings(max_examples=150, deadline=None)
@given(any_operands())
def test_any_sizes_and_any_mask_equal_the_loops(case):
    q, k, v, mask, causal = case
    full = masks.causal(q.shape[2], k.shape[2]) if causal else None
    both = full if mask is None else mask if full is None else mask & full
    want = loops(q, k, v, both)[0]
    torch.testing.assert_close(attn.attention(q, k, v, mask, causal=causal), want)
    torch.testing.assert_close(attn.attention_steps(q, k, v, mask, causal=causal).out, want)


def test_permuted_operands_are_not_copied():
    tokens = torch.randn(B, L, 3, H, D)
    q, k, v = tokens.permute(2, 0, 3, 1, 4).unbind()
    with attn.trace() as recorded:
        attn.attention(q, k, v, causal=True)
    assert not {"clone", "copy_", "contiguous"} & {part.op for row in recorded.rows for part in (row, *row.parts)}


@pytest.mark.parametrize("grad", [False, True])
def test_the_fast_path_stores_no_scores(grad):
    n, d = 389, 7
    q, k, v = operands(b=1, h=2, n=n, s=n, d=d, dv=d, dtype=torch.float32, grad=grad)
    with attn.trace() as recorded:
        attn.attention(q, k, v, causal=True)
    largest = max(part.nbytes for row in recorded.rows for part in (row, *row.parts))
    assert largest < n * n * 4


def test_dropout_drops_weights_and_keeps_their_expectation():
    q, k, v = operands(b=1, h=2, s=64, d=8, dv=8)
    v = torch.ones_like(v)
    out = torch.stack([attn.attention(q, k, v, dropout=0.5) for _ in range(400)])
    assert out.std() > 0.01
    torch.testing.assert_close(out.mean(), torch.tensor(1.0, dtype=torch.float64), rtol=0.03, atol=0)
