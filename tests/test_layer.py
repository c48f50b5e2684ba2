"""The layer compared with its definition and with PyTorch's own, and under everything that PyTorch does to modules."""

import itertools
import math

import pytest
import torch
from torch import nn

import attn
from attn import masks, reference

B, L, S, E, H, G, D = 2, 5, 7, 12, 4, 2, 3
WIDTHS = {"D = E / H": {}, "D and Dv of their own": {"D": 11, "Dv": 13}, "Dv of its own": {"Dv": 13}, "D of its own": {"D": 11}}
with_widths = pytest.mark.parametrize("widths", WIDTHS.values(), ids=WIDTHS.keys())


def layer_of(G=None, **options):
    layer = attn.MultiHeadAttention(E, H, G=G, dtype=torch.float64, **options)
    with torch.no_grad():
        for parameter in layer.parameters():  # biases too, which start at zero
            parameter.normal_()
    return layer


def tokens(n=L, b=B, dtype=torch.float64):
    return torch.randn(b, n, E, dtype=dtype)


def loops(layer, x, context=None, mask=None):
    weights = layer.W_Q, layer.W_K, layer.W_V, layer.W_O.weight
    if layer.W_O.bias is None:
        biases = tuple(torch.zeros(len(weight)) for weight in weights)
    else:
        biases = *layer.W_QKV.bias.split([len(weight) for weight in weights[:3]]), layer.W_O.bias
    out = reference.multi_head_attention(
        x.numpy(),
        (x if context is None else context).numpy(),
        [weight.detach().numpy() for weight in weights],
        [bias.detach().numpy() for bias in biases],
        layer.H,
        layer.G,
        None if mask is None else mask.numpy(),
    )
    return torch.from_numpy(out)


@pytest.mark.parametrize("cross", [False, True], ids=["self", "cross"])
@with_widths
def test_forward_and_steps_equal_the_loops(widths, cross):
    x, context = tokens(), tokens(S) if cross else None
    for groups, bias in itertools.product((1, 2, 4), (True, False)):
        layer = layer_of(groups, bias=bias, **widths)
        want = loops(layer, x, context)
        torch.testing.assert_close(layer(x, context), want)
        torch.testing.assert_close(layer.steps(x, context).y, want)


@pytest.mark.parametrize("cross", [False, True], ids=["self", "cross"])
def test_masks_and_causal_combine_as_in_the_loops(cross):
    layer, x, context = layer_of(G), tokens(), tokens(S) if cross else None
    keys = S if cross else L
    padding = masks.padding([keys, keys - 2], keys)
    want = loops(layer, x, context, padding & masks.causal(L, keys))
    torch.testing.assert_close(layer(x, context, mask=padding, causal=True), want)
    torch.testing.assert_close(layer.steps(x, context, mask=padding, causal=True).y, want)


def test_steps_name_every_tensor_from_x_to_y_with_its_axes():
    steps = layer_of(G, D=11, Dv=13).steps(tokens(), tokens(S))
    sizes = {"B": B, "L": L, "S": S, "E": E, "H": H, "G": G, "D": 11, "Dv": 13}
    assert [name for name, _ in steps.items()] == list(steps.annotated_axes())
    for name, tensor in steps.items():
        assert tensor.shape == tuple(math.prod(sizes[part] for part in axis.split("·")) for axis in steps.axes(name)), name
    assert steps.sizes() == sizes
    assert (steps.axes("v_flat"), steps.axes("concat")) == (("B", "S", "G·Dv"), ("B", "L", "H·Dv"))


def test_axes_name_d_for_dv_and_h_for_g_where_the_sizes_are_equal():
    steps = layer_of().steps(tokens())
    assert (steps.axes("v_flat"), steps.axes("v"), steps.axes("concat")) == (("B", "S", "H·D"), tuple("BHSD"), ("B", "L", "H·D"))
    assert steps.sizes() == {"B": B, "L": L, "E": E, "S": L, "H": H, "D": D}


def test_steps_print_as_a_table_in_a_terminal_and_in_a_notebook():
    steps = layer_of(G).steps(tokens())
    assert "weights  (B, H, L, S)  (2, 4, 5, 5)" in repr(steps)
    assert "context" not in repr(steps)
    assert ">(2, 4, 5, 5)</td>" in steps._repr_html_() and "var(--attn-H," in steps._repr_html_()


@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
@pytest.mark.parametrize("batch_first", [True, False])
def test_weights_copied_from_pytorchs_module_compute_the_same_numbers(batch_first, bias):
    module = nn.MultiheadAttention(E, H, bias=bias, batch_first=batch_first, dtype=torch.float64).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_()
    layer, x, context = attn.MultiHeadAttention.from_torch(module), tokens(), tokens(S)
    turn = (lambda t: t) if batch_first else (lambda t: t.transpose(0, 1))
    causal = masks.causal(L, S)
    want, weights = module(turn(x), turn(context), turn(context), attn_mask=~causal, average_attn_weights=False)
    steps = layer.steps(x, context, mask=causal)
    torch.testing.assert_close(layer(x, context, mask=causal), turn(want))
    torch.testing.assert_close(steps.weights, weights)
    assert not layer.training


def test_copied_weights_are_copies():
    module = nn.MultiheadAttention(E, H)
    layer = attn.MultiHeadAttention.from_torch(module)
    with torch.no_grad():
        module.in_proj_weight.zero_()
    assert (layer.W_QKV.weight != 0).any()


@pytest.mark.parametrize(
    "options,error,message",
    [
        ({"kdim": 8}, attn.ShapeError, "embed_dim 12, kdim 8, vdim 12"),
        ({"vdim": 6}, attn.ShapeError, "embed_dim 12, kdim 12, vdim 6"),
        ({"add_bias_kv": True}, NotImplementedError, "add_bias_kv"),
        ({"add_zero_attn": True}, NotImplementedError, "add_zero_attn"),
    ],
)
def test_modules_that_do_not_fit_one_packed_matrix_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        attn.MultiHeadAttention.from_torch(nn.MultiheadAttention(E, H, **options))


@with_widths
def test_the_packed_matrix_is_w_q_then_w_k_then_w_v_and_shares_its_memory(widths):
    layer = layer_of(G, **widths)
    D, Dv = layer.D, layer.Dv
    assert layer.W_QKV.weight.shape == (H * D + G * D + G * Dv, E)
    assert (layer.W_Q.shape, layer.W_K.shape, layer.W_V.shape) == ((H * D, E), (G * D, E), (G * Dv, E))
    torch.testing.assert_close(torch.cat([layer.W_Q, layer.W_K, layer.W_V]), layer.W_QKV.weight, rtol=0, atol=0)
    x = tokens()
    torch.testing.assert_close(layer.steps(x).k_flat - layer.W_QKV.bias[H * D : H * D + G * D], x @ layer.W_K.T)
    with torch.no_grad():
        layer.W_V.zero_()
    assert (layer.W_QKV.weight[-G * Dv :] == 0).all() and layer.W_K.all()


@with_widths
def test_decoding_one_token_at_a_time_equals_the_full_pass(widths):
    x = tokens()
    for groups in (1, 2, 4):
        layer = layer_of(groups, **widths)
        cache = attn.KVCache(B, groups, L, layer.D, Dv=layer.Dv, dtype=torch.float64)
        with torch.no_grad():
            pieces = [layer(x[:, i : i + 1], causal=True, cache=cache) for i in range(L)]
        torch.testing.assert_close(torch.cat(pieces, 1), layer(x, causal=True))
        assert len(cache) == L


@pytest.mark.parametrize("chunks", [(5,), (3, 2), (1, 4), (2, 1, 2)], ids=str)
def test_a_cache_filled_in_chunks_of_any_size_equals_the_full_pass(chunks):
    layer, x, padding = layer_of(G), tokens(), masks.padding([L, 3])
    cache = attn.KVCache(B, G, L, D, dtype=torch.float64)
    pieces, start = [], 0
    with torch.no_grad():
        for size in chunks:
            end = start + size
            pieces.append(layer(x[:, start:end], causal=True, cache=cache, mask=padding[..., :end]))
            start = end
    torch.testing.assert_close(torch.cat(pieces, 1), layer(x, causal=True, mask=padding))


def test_a_refused_call_leaves_the_cache_as_it_was(as_users_run_it):
    layer, cache = layer_of(G), attn.KVCache(B, G, L, D, dtype=torch.float64)
    layer(tokens(3), causal=True, cache=cache)
    kept = cache.k.clone()
    for call in (
        lambda: layer(tokens(3), causal=True, cache=cache),
        lambda: layer(tokens(1), mask=masks.padding([2, 2], 3), cache=cache),
        lambda: layer(tokens(1), tokens(S), cache=cache),
        lambda: layer(tokens(1, b=3), cache=cache),
    ):
        with pytest.raises((attn.ShapeError, TypeError)):
            call()
        assert len(cache) == 3 and torch.equal(cache.k, kept)


def test_dropout_acts_in_training_only():
    layer, x = layer_of(dropout=0.5), tokens()
    assert not torch.equal(layer(x), layer(x))
    layer.eval()
    assert torch.equal(layer(x), layer(x))
    torch.testing.assert_close(layer(x), layer.steps(x).y)


def test_a_state_dict_restores_the_layer():
    layer, other, x = layer_of(G), layer_of(G), tokens()
    assert not torch.equal(layer(x), other(x))
    other.load_state_dict(layer.state_dict())
    assert torch.equal(layer(x), other(x))


def test_gradients_reach_every_parameter_and_equal_finite_differences():
    layer, x = layer_of(G), tokens(3).requires_grad_()
    names = [name for name, _ in layer.named_parameters()]
    parameters = tuple(parameter.detach().requires_grad_() for parameter in layer.parameters())

    def run(x, *values):
        return torch.func.functional_call(layer, dict(zip(names, values, strict=True)), (x,), {"causal": True})

    assert torch.autograd.gradcheck(run, (x, *parameters))


def test_a_padded_sample_of_length_zero_gives_the_bias_and_finite_gradients():
    layer, x = layer_of(G), tokens()
    y = layer(x, mask=masks.padding([L, 0]))
    torch.testing.assert_close(y[1], layer.W_O.bias.expand(L, E))
    y.sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in layer.parameters())


def test_inference_mode_gives_the_same_numbers():
    layer, x = layer_of(G), tokens()
    with torch.inference_mode():
        y = layer(x, causal=True)
    torch.testing.assert_close(y, layer(x, causal=True).detach())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_the_layer_runs_in_every_dtype(dtype, device):
    layer = layer_of(G).to(device)
    x = tokens().to(device)
    want = layer(x, causal=True)
    cast = layer.to(dtype)(x.to(dtype), causal=True)
    assert cast.dtype == dtype
    tolerance = 1e-5 if dtype == torch.float32 else 0.15 * want.abs().max().item()
    torch.testing.assert_close(cast.double(), want, rtol=0, atol=tolerance)


def test_new_weights_are_xavier_uniform_for_each_projection():
    layer = attn.MultiHeadAttention(96, 8, G=2, D=11, Dv=17)
    for weight in (layer.W_Q, layer.W_K, layer.W_V, layer.W_O.weight):
        bound = (6 / sum(weight.shape)) ** 0.5
        assert 0.9 * bound < weight.abs().max() <= bound
    assert (layer.W_QKV.bias == 0).all() and (layer.W_O.bias == 0).all()


def test_its_repr_names_the_sizes():
    assert "E=12, H=4, G=2, D=3, dropout=0.0" in repr(layer_of(G))
    assert "E=12, H=4, G=4, D=11, Dv=13, dropout=0.0" in repr(layer_of(D=11, Dv=13))


def test_a_head_may_be_wider_than_e_divided_by_h():
    layer = attn.MultiHeadAttention(3072, 16, D=256, device="meta")  # the sizes of Gemma 7B
    assert (layer.D, layer.Dv) == (256, 256)
    assert layer.W_Q.shape == (4096, 3072) and layer.W_O.weight.shape == (3072, 4096)
    assert layer(torch.empty(2, 5, 3072, device="meta")).shape == (2, 5, 3072)


@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
def test_y_is_the_sum_of_the_contributions_of_the_heads_through_their_slices_of_w_o(bias):
    layer = layer_of(G, bias=bias, D=11, Dv=13)
    steps = layer.steps(tokens())
    parts = steps.heads @ layer.W_O_heads
    assert parts.shape == (B, H, L, E)
    torch.testing.assert_close(parts.sum(1) + (layer.W_O.bias if bias else 0), steps.y)
    for h in range(H):  # the definition: everything but head h is zero
        alone = torch.zeros_like(steps.heads)
        alone[:, h] = steps.heads[:, h]
        torch.testing.assert_close(parts[:, h], attn.merge_heads(alone) @ layer.W_O.weight.T)


def test_the_slices_of_w_o_are_views_that_gradients_reach():
    layer = layer_of()
    assert layer.W_O_heads.shape == (H, D, E)
    assert layer.W_O_heads.untyped_storage().data_ptr() == layer.W_O.weight.untyped_storage().data_ptr()
    layer.W_O_heads[2].sum().backward()
    assert layer.W_O.weight.grad.any(0).nonzero().flatten().tolist() == [6, 7, 8]
