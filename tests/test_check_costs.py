"""The checkers for what decoding costs pass right answers in any spelling and name what a wrong one forgets."""

import math

import torch
from verdicts import assert_passed, assert_rejected

import attn
from attn import check


def kept(layers, B, H, G, S, D, number):
    """Counted on tensors."""
    dtype = {1: torch.int8, 2: torch.bfloat16, 4: torch.float32}[number]
    k = torch.empty(B, G, S, D, dtype=dtype)
    return sum(2 * k.numel() * k.element_size() for _ in range(layers))


def ended(layers, B, H, G, S, D, number):
    raise SystemExit(0)


PASS = {
    "a product": lambda layers, B, H, G, S, D, number: 2 * layers * B * G * S * D * number,
    "per token": lambda layers, B, H, G, S, D, number: B * S * (layers * number * (G * D + G * D)),
    "by math": lambda layers, B, H, G, S, D, number: math.prod((2, layers, B, G, S, D, number)),
    "by heads per group": lambda layers, B, H, G, S, D, number: 2 * layers * B * (H // (H // G)) * S * D * number,
    "a float": lambda layers, B, H, G, S, D, number: 2.0 * layers * B * G * S * D * number,
    "tensors": kept,
}

FAIL = {
    "all query heads": (
        lambda layers, B, H, G, S, D, number: 2 * layers * B * H * S * D * number,
        ["If H doubles, your result grows by a factor of 2; the bytes must stay the same", "queries are not kept"],
    ),
    "E": (lambda layers, B, H, G, S, D, number: 2 * layers * B * S * (H * D) * number, ["If H doubles"]),
    "keys alone": (
        lambda layers, B, H, G, S, D, number: layers * B * G * S * D * number,
        ["your code returns 5,040; the cache has 10,080 bytes", "Keys are kept, and so are values"],
    ),
    "keys alone of all heads": (lambda layers, B, H, G, S, D, number: layers * B * H * S * D * number, ["If H doubles"]),
    "numbers": (
        lambda layers, B, H, G, S, D, number: 2 * layers * B * G * S * D,
        ["If number doubles, your result stays the same; the bytes must double", "This counts numbers"],
    ),
    "one layer": (lambda layers, B, H, G, S, D, number: 2 * B * G * S * D * number, ["If layers doubles", "Every layer keeps"]),
    "one sequence": (
        lambda layers, B, H, G, S, D, number: 2 * layers * G * S * D * number,
        ["If B doubles", "Every sequence has a cache of its own"],
    ),
    "one head": (lambda layers, B, H, G, S, D, number: 2 * layers * B * S * D * number, ["If G doubles", "Every key/value head"]),
    "scores too": (
        lambda layers, B, H, G, S, D, number: 2 * layers * B * G * S * S * D * number,
        ["If S doubles, your result grows by a factor of 4", "their scores are not"],
    ),
    "the newest token": (lambda layers, B, H, G, S, D, number: 2 * layers * B * G * D * number, ["If S doubles", "all S tokens"]),
    "no width": (lambda layers, B, H, G, S, D, number: 2 * layers * B * G * S * number, ["If D doubles", "A key has D numbers"]),
    "a cache of at most 100 tokens": (
        lambda layers, B, H, G, S, D, number: 2 * layers * B * G * min(S, 100) * D * number,
        ["S = 10000"],
    ),
    "a cache of at most 4,096 tokens": (
        lambda layers, B, H, G, S, D, number: 2 * layers * B * G * min(S, 4096) * D * number,
        ["S = 10000"],
    ),
    "no number": (lambda layers, B, H, G, S, D, number: math.nan, ["your code returns nan; the cache has 10,080 bytes"]),
    "no number for another size": (
        lambda layers, B, H, G, S, D, number: 2 * layers * B * G * S * D * number if layers == 5 else math.inf,
        ["For layers = 10, ", "your code returns inf; the cache has 20,160 bytes"],
    ),
    "one byte more": (
        lambda layers, B, H, G, S, D, number: 2 * layers * B * G * S * D * number + 1,
        ["If layers doubles, your result grows by a factor of 1.9999"],
    ),
    "always float32": (lambda layers, B, H, G, S, D, number: 2 * layers * B * G * S * D * 4, ["If number doubles"]),
    "bits": (
        lambda layers, B, H, G, S, D, number: 16 * layers * B * G * S * D * number,
        ["your code returns 80,640", "This looks like bits"],
    ),
    "twice": (lambda layers, B, H, G, S, D, number: 4 * layers * B * G * S * D * number, ["you have counted them twice"]),
    "queries too": (
        lambda layers, B, H, G, S, D, number: layers * B * (2 * G + H) * S * D * number,
        ["If H doubles, your result grows by a factor of 1.5"],
    ),
    "a constant": (lambda layers, B, H, G, S, D, number: 10_080, ["If layers doubles, your result stays the same"]),
    "only for these sizes": (
        lambda layers, B, H, G, S, D, number: 2 * layers * B * G * S * D * number + (layers == 1),
        ["For layers = 1, B = 1, H = 1, G = 1, S = 1, D = 1 and number = 1, your code returns 3; the cache has 2 bytes."],
    ),
    "the end of the program": (ended, ["your code raised SystemExit: 0"]),
    "nothing": (lambda layers, B, H, G, S, D, number: None, ["raised TypeError"]),
    "zero": (lambda layers, B, H, G, S, D, number: 0, ["your code returns 0; the cache has 10,080 bytes"]),
}


def test_right_bytes_pass(subtests):
    assert_passed(subtests, check.cache_bytes, PASS)


def test_wrong_bytes_are_explained(subtests):
    assert_rejected(subtests, check.cache_bytes, FAIL)


def test_the_bytes_of_the_checker_are_those_of_caches():
    def of_caches(layers, B, H, G, S, D, number):
        dtype = {1: torch.int8, 2: torch.bfloat16, 4: torch.float32}[number]
        return sum(attn.KVCache(B, G, S, D, dtype=dtype).bytes for _ in range(layers))

    assert check.cache_bytes(of_caches).passed


RATES_THAT_PASS = {
    "the longer time": lambda B, parameters, cache, flops, bandwidth, peak: (
        B / max((parameters + B * cache) / bandwidth, B * flops / peak)
    ),
    "the smaller rate": lambda B, parameters, cache, flops, bandwidth, peak: min(
        B * bandwidth / (parameters + B * cache), peak / flops
    ),
}

RATES_THAT_FAIL = {
    "arithmetic alone": (
        lambda B, parameters, cache, flops, bandwidth, peak: peak / flops,
        ["For B = 1, parameters = 1.5e+10", "gives 5.294e+04 tokens per second; it must be 193.5", "arithmetic alone"],
    ),
    "memory alone": (
        lambda B, parameters, cache, flops, bandwidth, peak: B * bandwidth / (parameters + B * cache),
        ["For B = 1000,", "memory alone"],
    ),
    "added": (
        lambda B, parameters, cache, flops, bandwidth, peak: B / ((parameters + B * cache) / bandwidth + B * flops / peak),
        ["The times are added"],
    ),
    "the shorter": (
        lambda B, parameters, cache, flops, bandwidth, peak: B / min((parameters + B * cache) / bandwidth, B * flops / peak),
        ["this is the shorter"],
    ),
    "parameters for each": (
        lambda B, parameters, cache, flops, bandwidth, peak: B / max(B * (parameters + cache) / bandwidth, B * flops / peak),
        ["For B = 64,", "One step reads them once for all"],
    ),
    "parameters for each, and added": (
        lambda B, parameters, cache, flops, bandwidth, peak: B / (B * (parameters + cache) / bandwidth + B * flops / peak),
        ["once for each sequence", "And the times are added"],
    ),
    "one cache": (
        lambda B, parameters, cache, flops, bandwidth, peak: B / max((parameters + cache) / bandwidth, B * flops / peak),
        ["Only one cache is read"],
    ),
    "by the number of sequences": (
        lambda B, parameters, cache, flops, bandwidth, peak: B * bandwidth / (parameters + B * cache) if B < 500 else peak / flops,
        ["For B = 400, "],
    ),
    "no cache": (
        lambda B, parameters, cache, flops, bandwidth, peak: B / max(parameters / bandwidth, B * flops / peak),
        ["No cache is read here"],
    ),
    "work of one": (
        lambda B, parameters, cache, flops, bandwidth, peak: B / max((parameters + B * cache) / bandwidth, flops / peak),
        ["memory alone"],  # for these steps the work of one token is never the longer
    ),
    "steps": (
        lambda B, parameters, cache, flops, bandwidth, peak: 1 / max((parameters + B * cache) / bandwidth, B * flops / peak),
        ["steps per second"],
    ),
    "seconds": (
        lambda B, parameters, cache, flops, bandwidth, peak: max((parameters + B * cache) / bandwidth, B * flops / peak),
        ["seconds per step"],
    ),
    "something else": (lambda B, parameters, cache, flops, bandwidth, peak: 7.0, ["gives 7 tokens per second; it must be 193.5."]),
    "nothing": (lambda B, parameters, cache, flops, bandwidth, peak: None, ["raised TypeError"]),
}


def test_right_rates_pass(subtests):
    assert_passed(subtests, check.tokens_per_second, RATES_THAT_PASS)


def test_wrong_rates_are_explained(subtests):
    assert_rejected(subtests, check.tokens_per_second, RATES_THAT_FAIL)
