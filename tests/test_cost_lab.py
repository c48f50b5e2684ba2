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


def sides(page):
    """Of the squares of memory and arithmetic: their sides as shares of their frames, and the shares of their parts from above."""
    settled(page)
    return page.locator(".frame").evaluate_all(
        """frames => frames.map(frame => {
          const high = node => node.getBoundingClientRect().height;
          const square = frame.querySelector('.square');
          const heights = [...square.children].map(part => high(part) / high(square));
          return [square.offsetWidth / frame.clientWidth, square.offsetHeight / frame.clientHeight, heights];
        })"""
    )


def test_the_squares_have_the_areas_of_the_times_and_the_parts_of_the_kernel(opened):
    lab = CostLab(B=64)
    page = opened(lab, reduced_motion="reduce")
    longer = max(lab.seconds.values())
    for (wide, high, shown), of, seconds in zip(
        sides(page), (lab.moved, lab.flops), (lab.seconds["memory"], lab.seconds["arithmetic"]), strict=True
    ):
        assert wide == high == pytest.approx((seconds / longer) ** 0.5, abs=0.004)
        mlp, words = of["mlp"] + of.get("norms", 0), of.get("embeddings", 0) + of["output"]
        want = [of.get("cache", 0), of.get("scores", 0), of["attention"], mlp, words]
        assert shown == pytest.approx([one / sum(of.values()) for one in want], abs=0.02)
    dashed = page.locator(".once").evaluate_all("nodes => nodes.map(node => node.offsetWidth / node.parentNode.clientWidth)")
    alone = CostLab().seconds
    assert dashed == pytest.approx([(alone[one] / longer) ** 0.5 for one in ("memory", "arithmetic")], abs=0.01)
    length = page.locator(".gauge").evaluate(
        "node => [...node.children].reduce((sum, part) => sum + part.getBoundingClientRect().width, 0) / node.clientWidth"
    )
    assert length == pytest.approx(sum(lab.needed.values()) / 1e9 / 141 / 1.12, abs=0.004)


def test_the_dashed_square_keeps_its_name_and_the_legend_says_what_areas_are(opened):
    page = opened(CostLab(), reduced_motion="reduce")
    assert page.locator(".legend b").inner_text() == "area = time"
    for B in (64, 256, 512, 1024):
        set_batch(page, B)
        assert page.locator(".once-name").evaluate_all("nodes => nodes.map(node => node.hidden)") == [False, False], B


def set_batch(page, B):
    slider = page.locator(".slider[data-axis=B] input")
    slider.press("Home")
    for _ in range(B.bit_length() - 1):
        slider.press("ArrowRight")
    settled(page)


def test_the_words_say_what_fits_and_how_many_tokens_per_second_are_possible(opened):
    page = opened(CostLab(), reduced_motion="reduce")
    assert [re.sub(r"\s+", " ", text) for text in read(page, ".memory")] == ["24 GB ✓", "80 GB ✓", "141 GB ✓"]
    assert read(page, ".cost-rate b") == ["memory", "4.64 ms", "215"]
    page.get_by_role("button", name="64 sequences at once").click()
    assert read(page, ".cost-rate b") == ["memory", "14.7 ms", "4,343"]
    page.get_by_role("button", name="read a prompt").click()
    assert read(page, ".cost-rate b")[:2] == ["arithmetic", "66.6 ms"]
    assert read(page, ".grown") == ["", "3,840 × one token"]
    page.get_by_role("button", name="64 sequences at once").click()
    (said,) = read(page, ".sentence")
    assert "64 sequences share 15.0 GB of parameters; each adds 537 MB of cache." in said
    assert "More sequences would wait for memory too." in said
    page.locator(".cost-choice select").first.select_option("Llama 2 70B")
    assert read(page, ".sentence")[0].endswith("But it needs 224 GB, and one H100 SXM has 80 GB.")


def test_another_model_brings_its_own_sizes(opened):
    page = opened(CostLab(E=1024, H=8), reduced_motion="reduce")
    assert read(page, ".whose")[0].startswith("Llama 3 8B with E = 1024, H = 8 has ")
    page.locator(".cost-choice select").first.select_option("GPT-2 XL")
    assert read(page, ".whose") == ["GPT-2 XL has 1.56 billion parameters"]
    assert read(page, ".sentence") == ["GPT-2 XL has 1,024 position vectors: it cannot take 4,096 tokens."]
