"""HeadsLab: its heads equal NumPy's, its parts add up to y, its costs equal the counts of torch, and the browser agrees."""

import random
import re

import numpy as np
import pytest
import torch
import traitlets
from lab_pages import settled
from node import assert_agree, javascript_constants
from torch.testing import assert_close
from torch.utils.flop_counter import FlopCounterMode

import attn
from attn import reference
from attn.labs import HeadsLab
from attn.labs.heads.lab import WIDTHS
from attn.labs.inputs import normal, texts, words
from attn.shapes import ShapeError

CLOSE = {"rtol": 1e-4, "atol": 1e-5}


def parameters(lab):
    return [normal(lab.seed, name, range(lab.E), lab.E).numpy() / np.sqrt(lab.E) for name in ("W_Q", "W_K", "W_V", "W_O")]


def vectors(lab):
    return normal(lab.seed, "word", [words()[word] for word in texts()[0][: lab.L]], lab.E)


def random_settings(seed):
    choose = random.Random(seed)
    E = choose.choice((12, 16))
    H = choose.choice([n for n in range(1, E + 1) if E % n == 0])
    return {
        "E": E,
        "H": H,
        "L": choose.randint(1, 6),
        "off": sorted(choose.sample(range(H), choose.choice((0, 0, H // 2)))),
        "project": choose.choice((True, True, False)),
        "merge": choose.choice(("right", "wrong")),
        "seed": choose.randint(0, 9999),
    }


# The kernel ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("E,H", [(12, 1), (12, 4), (12, 12), (16, 4), (16, 8)])
def test_y_equals_the_result_of_loops_over_heads_with_the_same_parameters(E, H):
    lab = HeadsLab(E=E, H=H, L=5, seed=3)
    x = vectors(lab)[None].numpy()
    y = reference.multi_head_attention(x, x, parameters(lab), [np.zeros(E)] * 4, H, H, None)
    assert_close(lab.y.cpu(), torch.from_numpy(y[0]).float(), **CLOSE)
    assert lab.y.device.type == attn.device().type


def test_parts_add_up_to_y_and_shares_to_one(subtests):
    for seed in range(12):
        with subtests.test(seed=seed):
            lab = HeadsLab(**random_settings(seed))
            assert_close(lab.parts.sum(0), lab.y, **CLOSE)
            assert_close(lab.y, lab.concat @ lab.W_O, **CLOSE)
            alive = (lab.y.norm(dim=-1) > 0).float()
            assert_close(lab.shares.sum(0), alive, rtol=0, atol=1e-4)
            assert_close(lab.norms, lab.parts.square().sum(-1).sqrt(), **CLOSE)


def test_a_head_that_is_off_contributes_nothing_and_the_others_contribute_the_same_as_before():
    whole, lab = HeadsLab(seed=2), HeadsLab(seed=2, off=[1])
    assert (lab.parts[1] == 0).all() and (lab.shares[1] == 0).all()
    assert_close(lab.parts[[0, 2, 3]], whole.parts[[0, 2, 3]])
    assert (HeadsLab(off=[0, 1, 2, 3]).shares == 0).all()


def test_without_w_o_each_head_writes_its_own_columns_and_no_share_is_negative():
    lab = HeadsLab(seed=20, project=False)
    own = torch.arange(12, device=lab.y.device) // 3 == torch.arange(4, device=lab.y.device)[:, None]
    assert (lab.parts[~own[:, None].expand(4, 5, 12)] == 0).all()
    assert (lab.shares >= 0).all() and (HeadsLab(seed=20).shares < 0).any()


def test_after_the_wrong_merge_a_row_has_numbers_of_other_words_unless_there_is_one_head_or_one_word():
    lab = HeadsLab(merge="wrong")
    assert lab.from_head[1].tolist() == [0] * 3 + [1] * 9
    assert lab.from_word[1].tolist() == [4] * 3 + [0] * 3 + [1] * 3 + [2] * 3
    assert torch.equal(lab.concat, lab.heads[lab.from_head, lab.from_word, torch.arange(12, device=lab.y.device) % 3])
    assert not torch.equal(lab.y, HeadsLab().y)
    for hiding in ({"H": 1}, {"L": 1}):
        assert_close(HeadsLab(merge="wrong", **hiding).y, HeadsLab(**hiding).y)


def test_the_costs_equal_the_counts_of_torch():
    for E, H, L in ((12, 3, 5), (16, 8, 6), (12, 1, 2)):
        lab, layer = HeadsLab(E=E, H=H, L=L), attn.MultiHeadAttention(E, H, bias=False)
        with FlopCounterMode(display=False) as counted:
            steps = layer.steps(torch.randn(1, L, E))
        assert lab.flops == counted.get_total_flops()
        assert lab.parameters == sum(parameter.numel() for parameter in layer.parameters())
        assert lab.stored == steps.scores.numel()


def test_a_lab_does_not_change_the_readers_random_numbers():
    torch.manual_seed(5)
    before = torch.get_rng_state()
    HeadsLab(H=6)
    assert torch.equal(torch.get_rng_state(), before)


def test_a_new_number_of_heads_switches_all_heads_on_and_a_new_width_adjusts_their_number():
    lab = HeadsLab(E=16, H=8, off=[1, 5])
    lab.H = 4
    assert lab.off == []
    lab.off = [3, 0, 3]
    assert lab.off == [0, 3]
    lab.E = 12
    assert (lab.H, lab.off) == (4, [0, 3])
    lab.set_trait("E", 16)
    lab.H = 16
    lab.E = 12
    assert (lab.H, lab.off) == (12, [])


@pytest.mark.parametrize(
    "settings,error,message",
    [
        ({"H": 5}, ShapeError, r"E = 12 is not a multiple of H = 5.*\[1, 2, 3, 4, 6, 12\]"),
        ({"off": [4]}, ShapeError, r"off = \[4\]: there is no head 4; H = 4 heads are numbered 0 to 3"),
        ({"E": 20}, traitlets.TraitError, "E"),
        ({"L": 7}, traitlets.TraitError, "1 to 6"),
        ({"merge": "sideways"}, traitlets.TraitError, "merge"),
        ({"off": [-1]}, traitlets.TraitError, "off"),
        ({"pin": [1]}, traitlets.TraitError, "pin"),
    ],
)
def test_an_invalid_setting_is_refused(settings, error, message):
    with pytest.raises(error, match=message):
        HeadsLab(**settings)
    lab = HeadsLab()
    before = lab.state
    with pytest.raises(error):
        setattr(lab, *next(iter(settings.items())))
    assert lab.state == before and lab._message


def test_the_fallback_shows_what_the_heads_contribute_and_what_they_cost():
    lab = HeadsLab(seed=20, pin=[2, 9])
    fallback = re.sub(r" style=\"[^\"]*\"", "", lab.fallback())  # numbers are aligned to the right
    assert (
        "adds to y[sat], column 9" in fallback
        and "576 parameters and 6,960 FLOPs of the products" in fallback
        and "100 stored scores" in fallback
    )
    for h in range(4):
        assert f"<td>head {h}</td><td>{lab.parts[h, 2, 9]:+.3f}</td>" in fallback
    assert "<td>+100.0%</td>" in fallback


# The browser --------------------------------------------------------------------------------------------------------------


def test_browser_and_kernel_compute_the_same():
    labs = [HeadsLab(**random_settings(seed)) for seed in range(80)]
    assert_agree(labs)
    kinds = {(lab.merge, lab.project, bool(lab.off), lab.E) for lab in labs}
    assert len(kinds) == 16, "the random settings do not include every kind"


def test_python_and_javascript_have_the_same_widths():
    assert javascript_constants("heads/model", "WIDTHS") == [list(WIDTHS)]


def written(page):
    settled(page)
    return page.locator(".sum").inner_text().replace("\n", " ")


def spelled(lab, i, e):
    parts = [f"{part:+.3f}".replace("-", "−") for part in lab.parts[:, i, e].tolist()]
    return [*parts, f"{lab.y[i, e]:.3f}".replace("-", "−")]


def test_the_parts_of_a_number_of_y_are_written_out_and_arrow_keys_lead_to_the_next_number(opened):
    lab = HeadsLab(seed=20, pin=[2, 9])
    page = opened(lab)
    for key, (i, e) in ((None, (2, 9)), ("ArrowRight", (2, 10)), ("ArrowDown", (3, 10))):
        if key:
            page.get_by_role("grid", name="y, a row for each word").press(key)
        text = written(page)
        assert text.startswith(f"y[{texts()[0][i]}, {e}]")
        at = [text.index(number) for number in spelled(lab, i, e)]
        assert at == sorted(at)
    w_o = page.get_by_role("grid", name="W_O")
    for key, column in (("ArrowDown", 10), ("ArrowLeft", 9), ("ArrowRight", 10)):  # from the column where the focus left y
        w_o.press(key)
        assert written(page).startswith(f"y[on, {column}]")
    at = w_o.get_attribute("aria-activedescendant")
    assert w_o.get_by_role("gridcell").nth(12 + 10).get_attribute("id") == at
    page.get_by_role("grid", name="what each head adds").get_by_role("gridcell").nth(4).hover()
    assert written(page).startswith("y[on, 4]")
    page.get_by_role("grid", name="what each head adds").press("ArrowRight")
    page.mouse.move(5, 5)
    assert written(page).startswith("y[on, 5]")
    page.locator("[role=status]").get_by_text("y of on, column 5").wait_for(state="attached")


def test_switching_a_head_off_updates_y_and_the_slider_of_heads_moves_through_the_divisors(opened):
    page = opened(HeadsLab(seed=20, pin=[2, 9]))
    page.get_by_label("head 1").uncheck()
    lab = HeadsLab(seed=20, off=[1])
    assert f"= {lab.y[2, 9]:.3f}".replace("-", "−") in written(page)
    shares = page.locator(".shares output").all_inner_texts()
    assert shares == [f"{100 * share:.0f} %".replace("-", "−") for share in lab.shares[:, 2].tolist()]
    heads = page.get_by_label("H heads")
    heads.press("ArrowRight")
    settled(page)
    assert heads.get_attribute("aria-valuetext") == "6" and page.locator(".switches input:checked").count() == 6
    costs = page.locator(".costs").inner_text()
    assert "576" in costs and "6,960" in costs and "stored scores 150" in costs.replace("\n", " ")


def test_every_head_has_its_number_beside_its_colour(opened):
    page = opened(HeadsLab(H=12))
    numbers = [str(head) for head in range(12)]
    chips = page.locator(".sum .chip")
    assert chips.all_inner_texts() == numbers
    colours = chips.evaluate_all("nodes => nodes.map(node => getComputedStyle(node).backgroundColor)")
    assert len(set(colours)) < 12, "numbers are needed, since colours repeat"
    strips = page.locator(".strips >> nth=0").locator(".chip")
    assert strips.all_inner_texts() == [head for head in numbers for _ in ("from", "meets")]
    page.get_by_label(".reshape(B, L, E)", exact=True).check()
    settled(page)
    texts = strips.all_inner_texts()
    assert texts[1::2] == numbers  # the heads of the rows of W_O: as before
    assert texts[::2] == ["4"] * 1 + ["5"] * 5 + ["6"] * 5 + ["7"] * 1  # slices 24 to 35, five words per head


def test_on_a_phone_numbers_are_large_enough_and_words_are_not_cut(opened):
    page = opened(HeadsLab(H=12, pin=[2, 9]), width=390)
    sizes = page.locator(".matrix [role=gridcell]:not(.long)").evaluate_all(
        "nodes => nodes.map(n => parseFloat(getComputedStyle(n).fontSize))"
    )
    assert min(sizes) > 11
    cut = page.locator(".strips .word").evaluate_all("nodes => nodes.filter(n => n.scrollWidth > n.clientWidth).length")
    assert cut == 0
    button = page.get_by_role("button", name="other parameters").bounding_box()
    merge = page.get_by_text("Merge", exact=True).bounding_box()
    assert merge["y"] > button["y"] + button["height"] + 5


def test_after_a_wrong_merge_bars_are_named_after_parts_of_concat_and_switches_after_heads(opened):
    page = opened(HeadsLab(seed=20, pin=[2, 9]))

    def shown():
        settled(page)
        return page.locator(".title").first.inner_text(), page.locator(".shares > div > span:first-of-type").all_inner_texts()

    heads = [f"head {h}" for h in range(4)]
    title, bars = shown()
    assert title.startswith("Each head's share of y[sat]") and bars == heads
    assert title.endswith("(rounded; longest bar: largest share)")
    widths = page.locator(".shares .bar").evaluate_all("nodes => nodes.map(node => parseFloat(node.style.width))")
    assert max(widths) == widths[2] == 50, "head 2 has the largest share, and half a track is the longest bar"
    page.get_by_label(".reshape(B, L, E)", exact=True).check()
    title, bars = shown()
    assert title.startswith("Share of these rows of W_O in y[sat]")
    assert bars == ["rows 0–2", "rows 3–5", "rows 6–8", "rows 9–11"]
    assert page.locator(".switches label").all_inner_texts() == heads
    page.get_by_label("mix with W_O").uncheck()
    title, bars = shown()
    assert title.startswith("Share of these numbers of concat in y[sat]") and bars == ["0–2", "3–5", "6–8", "9–11"]


def test_the_lab_explains_which_numbers_a_row_has_after_a_wrong_merge_and_why_a_link_is_invalid(opened):
    page = opened(HeadsLab(seed=20))
    page.get_by_label(".reshape(B, L, E)", exact=True).check()
    settled(page)
    text = page.locator(".row").inner_text()
    assert text == "Row sat of concat: on, the (head 1), the, cat (head 2). In place: 0 of 4 pieces."
    other = opened(HeadsLab(seed=20), fragment="#lab-1?H=5")
    assert "E = 12 is not a multiple of H = 5" in other.get_by_role("alert").inner_text()
    other.get_by_role("button", name="reset").click()
    assert written(other).startswith("y[sat, 7]")
