"""Rotary positions compared with products of complex numbers, in the layer and with its cache; ALiBi; other libraries' own."""

import cmath
import functools
import math

import pytest
import torch
from late import Late

import attn
from attn import check

B, L, S, E, H, D = 2, 5, 7, 24, 6, 4
hf = Late("transformers")
hf_bloom = Late("transformers.models.bloom.modeling_bloom")
hf_llama = Late("transformers.models.llama.modeling_llama")


def as_complex(heads, positions, base=10000.0):
    """Each pair (d, d + D/2) of a token as one complex number, times e^(i p base^(-2d/D))."""
    out = heads.clone()
    half = heads.shape[-1] // 2
    for *rest, d in torch.cartesian_prod(*(torch.arange(n) for n in (*heads.shape[:-1], half))).tolist():
        token = heads[tuple(rest)]
        number = complex(token[d], token[d + half]) * cmath.exp(1j * float(positions[rest[-1]]) * base ** (-d / half))
        out[(*rest, d)], out[(*rest, d + half)] = number.real, number.imag
    return out


def by_hand(layer, x, context=None):
    """The layer with rotary positions in plain sums; the queries are the last of the positions."""
    context = x if context is None else context
    n, S = x.shape[1], context.shape[1]
    q = as_complex((x @ layer.W_Q.T).unflatten(-1, (layer.H, -1)).transpose(1, 2), torch.arange(S - n, S))
    k = as_complex((context @ layer.W_K.T).unflatten(-1, (layer.G, -1)).transpose(1, 2), torch.arange(S))
    v = (context @ layer.W_V.T).unflatten(-1, (layer.G, -1)).transpose(1, 2)
    seen = torch.arange(S) <= torch.arange(S - n, S)[:, None]
    heads = []
    for h in range(layer.H):
        g = h * layer.G // layer.H
        scores = torch.einsum("bld,bsd->bls", q[:, h], k[:, g]) / math.sqrt(layer.D)
        powers = scores.exp() * seen
        heads.append(torch.einsum("bls,bsd->bld", powers / powers.sum(-1, keepdim=True), v[:, g]))
    return torch.cat(heads, -1) @ layer.W_O.weight.T


@pytest.fixture(params=[6, 3, 1], ids=lambda G: f"G={G}")
def layer(request):
    return attn.MultiHeadAttention(E, H, G=request.param, bias=False, rotary=attn.rotary, dtype=torch.float64)


def test_turning_is_multiplying_by_a_complex_number():
    heads, positions = torch.randn(B, 3, L, 10, dtype=torch.float64), torch.tensor([0, 7, 2, 4000, 3])
    torch.testing.assert_close(attn.rotary(heads, positions), as_complex(heads, positions))
    other = functools.partial(attn.rotary, base=500.0)
    torch.testing.assert_close(other(heads, positions), as_complex(heads, positions, 500.0))


def test_scores_depend_on_distances_only():
    q, k, at = torch.randn(H, L, D, dtype=torch.float64), torch.randn(H, S, D, dtype=torch.float64), torch.arange(S)
    near = attn.rotary(q, at[-L:]) @ attn.rotary(k, at).mT
    far = attn.rotary(q, at[-L:] + 1000) @ attn.rotary(k, at + 1000).mT
    torch.testing.assert_close(near, far)
    assert (near - attn.rotary(q, at[:L]) @ attn.rotary(k, at).mT).abs().amax() > 0.1
    torch.testing.assert_close(attn.rotary(q, at[:L]).norm(dim=-1), q.norm(dim=-1))


@torch.no_grad()
def test_the_layer_and_its_steps_turn_queries_and_keys_as_by_hand(layer):
    x, context = torch.randn(B, L, E, dtype=torch.float64), torch.randn(B, S, E, dtype=torch.float64)
    for given in (None, context):
        torch.testing.assert_close(layer(x, given, causal=True), by_hand(layer, x, given))
        torch.testing.assert_close(layer.steps(x, given, causal=True).y, by_hand(layer, x, given))
    steps = layer.steps(x)
    torch.testing.assert_close(steps.q, as_complex(attn.split_heads(steps.q_flat, H), torch.arange(L)))
    assert check.attention(layer, rotary=attn.rotary)
    assert not check.attention(layer)


@torch.no_grad()
@pytest.mark.parametrize("chunks", [(1,) * 7, (4, 1, 2), (7,)])
def test_decoding_with_a_cache_equals_the_full_pass(layer, chunks):
    x, cache = torch.randn(B, 7, E, dtype=torch.float64), attn.KVCache(B, layer.G, 9, D, dtype=torch.float64)
    got = [layer(part, causal=True, cache=cache) for part in x.split(list(chunks), 1)]
    torch.testing.assert_close(torch.cat(got, 1), by_hand(layer, x))
    torch.testing.assert_close(layer(x, causal=True), by_hand(layer, x))


def test_without_a_mask_and_without_positions_order_is_unknown_and_with_them_known():
    x, order = torch.randn(B, L, E), torch.tensor([3, 1, 0, 4, 2])
    for turn, known in ((None, False), (attn.rotary, True)):
        layer = attn.MultiHeadAttention(E, H, rotary=turn)
        apart = (layer(x[:, order]) - layer(x)[:, order]).abs().amax()
        assert (apart > 1e-3) == known


def test_half_precision_keeps_its_dtype_and_gradients_reach_the_weights():
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        layer = attn.MultiHeadAttention(E, H, rotary=attn.rotary, dtype=dtype)
        y = layer(torch.randn(B, L, E, dtype=dtype), causal=True)
        y.float().square().sum().backward()
        assert y.dtype == dtype and layer.W_QKV.weight.grad.isfinite().all() and layer.W_QKV.weight.grad[:E].any()


def test_the_trace_shows_the_turned_queries():
    layer = attn.MultiHeadAttention(E, H, rotary=attn.rotary)
    with attn.trace(B=B, L=L, E=E, H=H, D=D) as t:
        layer(torch.randn(B, L, E))
    assert t.find("cat").axes == ("B", "H", "L", "D") and "rotary=rotary" in repr(layer)


@pytest.mark.usefixtures("as_users_run_it")
def test_what_cannot_be_turned_is_named():
    x = torch.randn(B, L, E)
    with pytest.raises(attn.ShapeError, match="D = 3 is odd: rotary positions turn pairs"):
        attn.MultiHeadAttention(E, 2, D=3, rotary=attn.rotary)(x)
    with pytest.raises(attn.ShapeError, match=r"positions has shape \(3,\); heads .* need L = 5"):
        attn.rotary(torch.randn(H, L, D), torch.arange(3))
    cut = attn.MultiHeadAttention(E, H, rotary=lambda heads, positions: heads[..., :2])
    with pytest.raises(attn.ShapeError, match=r"rotary made \(2, 6, 5, 2\) of q \(2, 6, 5, 4\): it must keep the shape"):
        cut(x)


# Distances ----------------------------------------------------------------------------------------------------------------


def test_a_distance_is_positive_for_earlier_keys_and_the_queries_are_the_last_of_the_positions():
    want = [[S - 2 + i - j for j in range(S)] for i in range(2)]
    assert attn.positions.distances(2, S).tolist() == want
    assert torch.equal(attn.positions.distances(S) >= 0, attn.masks.causal(S))


@pytest.mark.parametrize("heads", [1, 2, 3, 6, 8, 12])
def test_alibi_is_that_of_bloom_under_a_causal_mask(heads):
    """BLOOM adds slope · j to every row, which is a constant of the row apart."""
    theirs = hf_bloom.build_alibi_tensor(torch.ones(1, S), heads, torch.float32).view(heads, 1, S)
    scores, hidden = torch.randn(heads, S, S), ~attn.masks.causal(S)
    mine, want = ((scores + of).masked_fill(hidden, -torch.inf).softmax(-1) for of in (attn.positions.alibi(heads, S), theirs))
    torch.testing.assert_close(mine, want)
    torch.testing.assert_close(attn.positions.alibi(heads, 1, S)[:, 0], attn.positions.alibi(heads, S)[:, -1])


def test_alibi_falls_by_the_slope_of_the_head_on_both_sides():
    bias = attn.positions.alibi(4, S)
    for h in range(4):
        for i in range(S):
            for j in range(S):
                assert bias[h, i, j].item() == -(2.0 ** (-2 * (h + 1))) * abs(i - j)
    with pytest.raises(attn.ShapeError, match="H = 0: ALiBi has a slope for each head"):
        attn.positions.alibi(0, 3)


# Other libraries -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [0, 4000])
def test_rotary_is_the_function_of_transformers(start):
    q, k, at = torch.randn(B, H, L, D), torch.randn(B, 2, L, D), torch.arange(start, start + L)
    theirs = hf_llama.LlamaRotaryEmbedding(hf.LlamaConfig(hidden_size=H * D, num_attention_heads=H))
    want = hf_llama.apply_rotary_pos_emb(q, k, *theirs(q, at[None]))
    for heads, turned in zip((q, k), want, strict=True):
        torch.testing.assert_close(attn.rotary(heads, at), turned, rtol=0, atol=1e-6)
