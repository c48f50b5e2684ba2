"""CostLab: the kernel's numbers are those of `attn.lessons.costs`, and the browser's are the kernel's."""

import random
import re

import pytest
import traitlets
from lab_pages import settled
from node import assert_agree

import attn
from attn.labs import CostLab
from attn.lessons import costs


def test_decoding_is_one_token_of_each_sequence_and_prefill_is_all_of_them():
    of, device = costs.MODELS["Llama 3 8B"], costs.DEVICES["H100 SXM"]
    for phase, L in (("decoding", 1), ("prefill", 300)):
        lab = CostLab(B=3, S=300, phase=phase)
        assert lab.flops == costs.flops_of(of, L, 300, 3)
        assert lab.moved == costs.moved_bytes(of, 300, 3)
        assert lab.seconds == costs.least_seconds(device, sum(lab.flops.values()), sum(lab.moved.values()))
        assert lab.rate == 3 * L / max(lab.seconds.values())


def test_sizes_that_are_not_chosen_are_those_of_the_model():
    assert CostLab(model="GPT-2 XL").sizes == vars(costs.MODELS["GPT-2 XL"])
    wide = CostLab(E=8192, layers=3)
    assert (wide.sizes["F"], wide.sizes["layers"], wide.sizes["H"]) == (2 * 14336, 3, 32)


@pytest.mark.parametrize("H,G", [(64, 16), (12, 3), (10, 2), (7, 1), (2, 1)])
def test_as_many_query_heads_share_a_key_value_head_as_before_if_that_is_possible(H, G):
    assert CostLab(H=H).sizes["G"] == G


def test_the_bytes_of_numbers_count_for_parameters_and_cache():
    sizes = {dtype: CostLab(dtype=dtype, B=5) for dtype in costs.BYTES}
    for dtype, number in costs.BYTES.items():
        assert sizes[dtype].needed["parameters"] == number * 8_030_261_248
        assert sizes[dtype].needed["cache"] == number * 2 * 32 * 5 * 8 * 4096 * 128
    assert sizes["int8"].seconds["arithmetic"] == sizes["bfloat16"].seconds["arithmetic"]
    assert sizes["float32"].seconds["arithmetic"] > 10 * sizes["bfloat16"].seconds["arithmetic"]


@pytest.mark.parametrize(
    "name,value,message",
    [
        ("G", 3, r"H = 32 is not a multiple of G = 3"),
        ("B", 0, "B = 0: this lab takes B"),
        ("model", "GPT-9", "model"),
        ("device", "abacus", "device"),
        ("layers", 0, "layers = 0"),
    ],
)
def test_an_invalid_setting_raises_and_changes_nothing(name, value, message):
    lab = CostLab()
    before = repr(lab), lab.rate
    with pytest.raises((traitlets.TraitError, attn.ShapeError), match=message):
        setattr(lab, name, value)
    assert (repr(lab), lab.rate) == before


def test_the_fallback_says_what_a_step_waits_for():
    assert "So a step waits for memory: at best 215 tokens per second." in CostLab().fallback()
    assert "So a step waits for arithmetic" in CostLab(phase="prefill").fallback()


def random_settings(seed):
    choose = random.Random(seed)
    H = choose.choice([None, 12, 32, 40])
    return {
        **{"model": choose.choice([*costs.MODELS]), "device": choose.choice([*costs.DEVICES])},
        **{"dtype": choose.choice([*costs.BYTES]), "phase": choose.choice(["decoding", "prefill"])},
        **{"B": choose.randint(1, 300), "S": choose.randint(1, 3000), "H": H, "G": choose.choice([None, 1, 2]) if H else None},
        **{name: choose.choice([None, choose.randint(8, 600)]) for name in ("layers", "E", "D")},
    }


def test_browser_and_kernel_compute_the_same():
    labs = [CostLab(**random_settings(seed)) for seed in range(40)]
    labs += [CostLab(H=H) for H in (1, 2, 7, 10, 12, 25)]
    pages = assert_agree(labs)
    turning = [page["turning"] for page in pages]
    assert None in turning and any(turning), "both kinds of steps are compared"


# On a page ------------------------------------------------------------------------------------------------------------------


def read(page, selector):
    settled(page)
    return page.locator(selector).all_inner_texts()


def widths(page):
    """Of the parts of all bars: their share of their bar."""
    settled(page)
    return page.locator(".cost-bar").evaluate_all(
        "bars => bars.map(bar => [...bar.children].map(part => part.getBoundingClientRect().width / bar.clientWidth))"
    )


def test_the_bars_are_as_long_as_the_numbers_of_the_kernel(opened):
    lab = CostLab(B=64)
    page = opened(lab, reduced_motion="reduce")
    parameters, flops, moved, *gauges, memory, arithmetic = widths(page)
    for shown, of in ((parameters, lab.parameters), (flops, lab.flops), (moved, lab.moved)):
        whole = sum(of.values())
        mlp, words = of["mlp"] + of.get("norms", 0), of.get("embeddings", 0) + of["output"]
        want = [of["attention"], of.get("scores", 0), mlp, words, of.get("cache", 0)]
        assert shown == pytest.approx([one / whole for one in want], abs=0.004)
    for shown, size in zip(gauges, (8, 24, 80, 141), strict=True):
        filled = min(1, lab.needed["parameters"] / size / 1e9)
        assert shown == pytest.approx([filled, min(1 - filled, lab.needed["cache"] / size / 1e9)], abs=0.01)
    assert memory == [pytest.approx(1, abs=0.004)]
    assert arithmetic == [pytest.approx(lab.seconds["arithmetic"] / lab.seconds["memory"], abs=0.004)]


def test_the_words_say_what_fits_and_how_many_tokens_per_second_are_possible(opened):
    page = opened(CostLab(), reduced_motion="reduce")
    assert [re.sub(r"\s+", " ", text) for text in read(page, ".gauges .said")] == [
        *("8 GB ✗ 208 %", "24 GB ✓ 70 %", "80 GB ✓ 21 %", "141 GB ✓ 12 %"),
    ]
    assert read(page, ".cost-time > .cost-title")[0].endswith("215 tokens/s")
    page.get_by_role("button", name="64 sequences at once").click()
    assert read(page, ".cost-time > .cost-title")[0].endswith("4,343 tokens/s")
    (said,) = read(page, ".sentence")
    assert "64 sequences share the 15.0 GB of parameters, and each brings 537 MB of cache." in said
    assert "With caches this long, no batch changes that." in said
    page.locator(".cost-choice select").first.select_option("Llama 2 70B")
    assert read(page, ".sentence")[0].endswith("But it needs 224 GB, and one H100 SXM has 80 GB.")


def test_another_model_brings_its_own_sizes(opened):
    page = opened(CostLab(E=1024, H=8), reduced_motion="reduce")
    assert read(page, ".cost-shares .cost-title")[0].startswith("parameters of Llama 3 8B with E = 1024, H = 8")
    page.locator(".cost-choice select").first.select_option("GPT-2 XL")
    assert read(page, ".cost-shares .cost-title")[0].startswith("parameters of GPT-2 XL\n")
    assert read(page, ".sentence") == ["GPT-2 XL has 1,024 position vectors: it cannot take 4,096 tokens."]
