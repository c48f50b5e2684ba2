"""What a decoder costs by formula is what can be counted: on a decoder of the package and on those of `transformers`, where tensors
have shapes and no numbers. Nothing is downloaded."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from late import Late
from torch.utils.flop_counter import FlopCounterMode

import attn
from attn.lessons import costs
from attn.lessons.costs import DEVICES, MODELS, Sizes
from attn.lessons.decoder import Decoder

hf = Late("transformers")
EVERY_MODEL = pytest.mark.parametrize("name", MODELS)
# Unequal sizes, one model of each kind. H·D is not E.
SMALL = [Sizes(3, 24, 6, 6, 5, 40, 29, places=13), Sizes(2, 20, 6, 2, 4, 30, 31)]
PARTS = {"tokens": "embeddings", "places": "embeddings", "output": "output", "mlp_norm": "norms", "attention_norm": "norms"}
PARTS |= {"attention": "attention", "gate": "mlp", "up": "mlp", "down": "mlp", "last_norm": "norms"}


def of_transformers(of):
    if of.places:
        config = hf.GPT2Config(
            n_layer=of.layers, n_embd=of.E, n_head=of.H, n_inner=of.F, vocab_size=of.words, n_positions=of.places
        )
    else:
        config = hf.LlamaConfig(
            **{"hidden_size": of.E, "intermediate_size": of.F, "num_hidden_layers": of.layers, "num_attention_heads": of.H},
            **{"num_key_value_heads": of.G, "head_dim": of.D, "vocab_size": of.words},
        )
    with torch.device("meta"):
        return hf.AutoModelForCausalLM.from_config(config)


def counted(model):
    return sum(parameter.numel() for parameter in model.parameters())


@EVERY_MODEL
def test_the_formula_counts_the_parameters_of_a_model_of_transformers_to_the_last_one(name):
    assert counted(of_transformers(MODELS[name])) == sum(costs.parameters_of(MODELS[name]).values())


@pytest.mark.parametrize("of", [*MODELS.values(), *SMALL], ids=str)
def test_the_formula_counts_every_part_of_our_decoder(of):
    with torch.device("meta"):
        model = Decoder(of)
    found = dict.fromkeys(costs.parameters_of(of), 0)
    for name, parameter in model.named_parameters():
        first = name.split(".")
        found[PARTS[first[2] if first[0] == "blocks" else first[0]]] += parameter.numel()
    assert found == costs.parameters_of(of)


def test_the_numbers_that_the_book_corrects():
    total = {name: sum(costs.parameters_of(of).values()) for name, of in MODELS.items()}
    assert total["GPT-2 small"] == 124_439_808 and total["GPT-2 medium"] == 354_823_168 and total["GPT-2 large"] == 774_030_080
    assert total["LLaMA 7B"] == 6_738_415_616 and total["Llama 2 70B"] == 68_976_648_192
    with_all_heads = replace(MODELS["Llama 2 70B"], G=64)
    assert sum(costs.parameters_of(with_all_heads).values()) == 78_371_889_152


@pytest.mark.parametrize("of", [*SMALL, MODELS["GPT-2 small"]], ids=str)
@pytest.mark.parametrize("B,L", [(1, 7), (3, 11)])
def test_the_operations_are_those_that_pytorch_counts_where_it_sees_every_product(of, B, L):
    with torch.device("meta"):
        model, ids = Decoder(of), torch.zeros(B, L, dtype=torch.long)
    with FlopCounterMode(display=False) as counter:
        model(ids)
    assert counter.get_total_flops() == sum(costs.flops_of(of, L, L, B, causal=False).values())


@pytest.mark.parametrize("L,S", [(1, 9), (4, 9), (9, 9)])
def test_a_causal_mask_leaves_the_pairs_that_are_counted(L, S):
    of = SMALL[1]
    pairs = int(attn.masks.causal(L, S).sum())
    assert costs.flops_of(of, L, S)["scores"] == 2 * 2 * of.layers * of.H * of.D * pairs
    assert costs.flops_of(of, L, S, causal=False)["scores"] == 2 * 2 * of.layers * of.H * of.D * L * S


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_bytes_of_the_cache_are_those_of_caches(dtype):
    of, B, S = SMALL[1], 3, 7
    caches = [attn.KVCache(B, of.G, S, of.D, dtype=dtype) for _ in range(of.layers)]
    assert costs.cache_bytes(of, S, B, dtype.itemsize) == sum(cache.bytes for cache in caches)


@pytest.mark.parametrize("of", SMALL, ids=str)
def test_a_step_moves_all_parameters_but_those_of_which_it_reads_few_rows(of):
    moved = costs.moved_bytes(of, 7, 3, 4)
    assert moved["cache"] == costs.cache_bytes(of, 7, 3, 4)
    parameters = sum(costs.parameters_of(of).values())
    unread = of.places * of.E if of.places else of.words * of.E
    assert sum(moved.values()) - moved["cache"] == 4 * (parameters - unread)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", costs.BYTES)
def test_at_the_turning_batch_arithmetic_and_memory_take_equally_long(device, dtype):
    of, device = MODELS["Llama 3 8B"], DEVICES[device]
    B = costs.turning_batch(of, 32, device, dtype)
    moved = costs.moved_bytes(of, 32, 1, costs.BYTES[dtype])
    seconds = costs.least_seconds(
        device, B * sum(costs.flops_of(of, 1, 32).values()), sum(moved.values()) + (B - 1) * moved["cache"], dtype
    )
    assert seconds["arithmetic"] == pytest.approx(seconds["memory"])


def test_with_long_caches_no_batch_is_large_enough():
    of, device = MODELS["LLaMA 7B"], DEVICES["H100 SXM"]
    assert costs.turning_batch(of, 85, device) > 10_000
    assert costs.turning_batch(of, 86, device) is None
    flops, moved = sum(costs.flops_of(of, 1, 86, 10**9).values()), sum(costs.moved_bytes(of, 86, 10**9).values())
    assert flops / moved < device.ridge()


def test_every_model_and_device_has_a_source():
    def has_source(name):
        return any(name.startswith(start) for start in costs.SOURCES)

    assert [name for name in (*MODELS, *DEVICES) if not has_source(name)] == []
    recorded = json.loads(Path(costs.__file__).with_suffix(".json").read_text("utf-8"))
    assert set(recorded) == {"models", "devices"}
