"""Layers copied from `transformers` compute what the originals compute. These have random weights: nothing is downloaded."""

import functools
import math

import pytest
import torch
from late import Late
from torch import nn

import attn
from attn import check

B, L, S, E, H, G, D = 2, 7, 9, 24, 6, 3, 4
KINDS = pytest.mark.parametrize("kind", ["eager", "sdpa"])
LOWEST = torch.finfo(torch.float32).min
hf = Late("transformers")
hf_bert = Late("transformers.models.bert.modeling_bert")
hf_gpt2 = Late("transformers.models.gpt2.modeling_gpt2")
hf_llama = Late("transformers.models.llama.modeling_llama")


def randomised(module, kind=None):
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.3)
    for part in module.modules():
        if kind and hasattr(part, "config"):
            part.config._attn_implementation = kind
    return module.eval()


def added(keep):
    """A mask as these layers take it: 0 where a query may attend, the lowest number elsewhere."""
    return torch.zeros(keep.shape).masked_fill(~keep, LOWEST)


def llama(kind="sdpa", **options):
    config = hf.LlamaConfig(hidden_size=E, num_attention_heads=H, num_key_value_heads=G, **options)
    return randomised(hf_llama.LlamaAttention(config, 0), kind), hf_llama.LlamaRotaryEmbedding(config)


@torch.no_grad()
@KINDS
def test_bert_is_its_attention_with_a_residual_and_a_layer_norm_around(kind):
    original = randomised(hf_bert.BertAttention(hf.BertConfig(hidden_size=E, num_attention_heads=H)), kind)
    layer, x = attn.MultiHeadAttention.from_hf(original), torch.randn(B, L, E)
    torch.testing.assert_close(original.output.LayerNorm(layer(x) + x), original(x)[0])
    keep = attn.masks.padding([L, L - 3])
    torch.testing.assert_close(layer.steps(x, mask=keep).concat, original.self(x, attention_mask=added(keep))[0])


@torch.no_grad()
@KINDS
@pytest.mark.parametrize("options", [{}, {"scale_attn_weights": False}, {"scale_attn_by_inverse_layer_idx": True}], ids=str)
def test_gpt2_is_causal_attention_with_its_own_scale(kind, options):
    original = randomised(hf_gpt2.GPT2Attention(hf.GPT2Config(n_embd=E, n_head=H, **options), layer_idx=2), kind)
    layer, x = attn.MultiHeadAttention.from_hf(original), torch.randn(B, L, E)
    mask = added(attn.masks.causal(L)[None, None])
    torch.testing.assert_close(layer(x, causal=True), original(x, attention_mask=mask)[0], rtol=1e-4, atol=1e-4)


@torch.no_grad()
def test_gpt2_cross_attention_has_its_queries_in_a_matrix_of_their_own():
    original = randomised(hf_gpt2.GPT2Attention(hf.GPT2Config(n_embd=E, n_head=H), is_cross_attention=True, layer_idx=0))
    layer, x, context = attn.MultiHeadAttention.from_hf(original), torch.randn(B, L, E), torch.randn(B, S, E)
    torch.testing.assert_close(layer(x, context), original(x, encoder_hidden_states=context)[0])


@torch.no_grad()
@KINDS
@pytest.mark.parametrize("options", [{}, {"attention_bias": True}, {"head_dim": 10}], ids=str)
def test_llama_turns_its_queries_and_keys_by_their_positions(kind, options):
    original, rope = llama(kind, **options)
    layer, x = attn.MultiHeadAttention.from_hf(original), torch.randn(B, L, E)
    mask = added(attn.masks.causal(L)[None, None])
    want = original(x, rope(x, torch.arange(L)[None]), mask)[0]
    torch.testing.assert_close(layer(x, causal=True), want, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(layer.steps(x, causal=True).y, want, rtol=1e-4, atol=1e-5)
    cache = attn.KVCache(B, G, L, layer.D)
    decoded = [layer(part, causal=True, cache=cache) for part in x.split([3, 1, 1, 2], 1)]
    torch.testing.assert_close(torch.cat(decoded, 1), want, rtol=1e-4, atol=1e-5)
    apart = attn.MultiHeadAttention.from_hf(original, rotary=lambda heads, positions: heads)(x, causal=True) - want
    assert apart.abs().amax() > 0.01  # positions matter


@torch.no_grad()
def test_another_base_of_the_positions_comes_along():
    original, rope = llama(rope_parameters={"rope_type": "default", "rope_theta": 50.0})
    x = torch.randn(B, L, E)
    want = original(x, rope(x, torch.arange(L)[None]), None, is_causal=True)[0]
    torch.testing.assert_close(attn.MultiHeadAttention.from_hf(original)(x, causal=True), want, rtol=1e-4, atol=1e-5)


def noted(seen, module, given, named, out):
    seen.append((module, (*given, *named.values())[0], out[0]))


@torch.no_grad()
def test_each_layer_of_a_running_model_gives_what_its_copy_gives():
    sizes = {"vocab_size": 50, "hidden_size": E, "num_hidden_layers": 2, "num_attention_heads": H, "intermediate_size": 32}
    models = (
        (hf.BertModel(hf.BertConfig(**sizes)), hf_bert.BertAttention, False),
        (
            hf.GPT2LMHeadModel(hf.GPT2Config(n_embd=E, n_head=H, n_layer=2, vocab_size=50, n_positions=32)),
            hf_gpt2.GPT2Attention,
            True,
        ),
        (hf.LlamaForCausalLM(hf.LlamaConfig(**sizes, num_key_value_heads=G)), hf_llama.LlamaAttention, True),
    )
    for model, kind, causal in models:
        seen: list = []
        note = functools.partial(noted, seen)
        for part in randomised(model).modules():
            if isinstance(part, kind):
                part.register_forward_hook(note, with_kwargs=True)
        model(torch.randint(50, (B, L)))
        assert len(seen) == 2
        for module, x, want in seen:
            y = attn.MultiHeadAttention.from_hf(module)(x, causal=causal)
            y = module.output.LayerNorm(y + x) if kind is hf_bert.BertAttention else y
            torch.testing.assert_close(y, want, rtol=1e-4, atol=1e-4)


def test_weights_are_copies_and_mode_dtype_and_dropout_come_along():
    original = hf_gpt2.GPT2Attention(hf.GPT2Config(n_embd=E, n_head=H, attn_pdrop=0.25), layer_idx=0).to(torch.bfloat16).train()
    layer = attn.MultiHeadAttention.from_hf(original)
    assert (layer.training, layer.dropout, layer.W_O.weight.dtype) == (True, 0.25, torch.bfloat16)
    with torch.no_grad():
        original.c_attn.weight.zero_()
    assert layer.W_QKV.weight.any()


def test_what_cannot_be_copied_is_refused_with_what_can():
    config = hf.BertConfig(hidden_size=E, num_attention_heads=H, num_hidden_layers=1)
    bert = hf.BertModel(config)
    with pytest.raises(TypeError, match=r"Its attention is one: give layer\.attention"):
        attn.MultiHeadAttention.from_hf(bert.encoder.layer[0])
    with pytest.raises(TypeError, match="holds no W_O: give the BertAttention around it"):
        attn.MultiHeadAttention.from_hf(bert.encoder.layer[0].attention.self)
    with pytest.raises(TypeError, match="is a Linear; from_hf takes BertAttention, GPT2Attention, LlamaAttention"):
        attn.MultiHeadAttention.from_hf(nn.Linear(3, 3))
    long = {"rope_type": "linear", "rope_theta": 10000.0, "factor": 2.0}
    original, _ = llama(rope_parameters=long)
    with pytest.raises(NotImplementedError, match="rope_type 'linear'"):
        attn.MultiHeadAttention.from_hf(original)
    assert attn.MultiHeadAttention.from_hf(original, rotary=attn.rotary).rotary is attn.rotary


def test_the_checker_accuses_none_of_these_layers():
    bert = hf_bert.BertAttention(hf.BertConfig(hidden_size=E, num_attention_heads=H, attn_implementation="eager")).self
    assert check.attention(bert), check.attention(bert)
    original, rope = llama("eager")

    def on_x(x):
        mask = added(attn.masks.causal(x.shape[1])[None, None])
        return original(x, rope(x, torch.arange(x.shape[1])[None]), mask)[0]

    weights = {role: getattr(original, f"{role}_proj") for role in "qkvo"}
    verdict = check.attention(on_x, weights=weights, H=H, G=G, rotary=attn.rotary)
    assert verdict and verdict.found["causal"] == "always", verdict
    assert math.isclose(original.scaling, D**-0.5)
