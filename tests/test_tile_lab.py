"""TileLab: its tiles add up to attention, its counts are those of loops, and the browser agrees."""

import math
import random
import re

import numpy as np
import pytest
import torch
import traitlets
from lab_pages import DRAWN, settled
from node import assert_agree
from torch.testing import assert_close

import attn
from attn import ShapeError, reference
from attn.labs import TileLab
from attn.lessons import language, reader

EQUAL = 1e-5


def random_settings(seed):
    choose = random.Random(seed)
    S = choose.randint(1, 12)
    return {
        "L": choose.randint(1, S),
        "S": S,
        "D": choose.choice((4, choose.randint(1, 6))),
        "tile": choose.randint(1, 6),
        "method": choose.choice(("fused", "fused", "stored")),
        "causal": choose.random() < 0.5,
        "hidden": choose.choice((0, choose.randint(0, 6))),
        "rescale": choose.random() < 0.7,
        "seed": choose.choice((0, choose.randint(0, 9999))),
    }


def may_attend(lab):
    """Query i is word S - L + i."""
    return np.array([[j >= lab.hidden and (not lab.causal or j <= lab.S - lab.L + i) for j in range(lab.S)] for i in range(lab.L)])


# The kernel ---------------------------------------------------------------------------------------------------------------


def test_the_output_of_the_tiles_is_attention_and_the_running_numbers_are_those_of_the_row(subtests):
    for seed in range(16):
        lab = TileLab(**random_settings(seed) | {"rescale": True})
        with subtests.test(seed=seed):
            q, k, v = (one.cpu().double().numpy()[None, None] for one in (lab.q, lab.k, lab.v))
            keep = may_attend(lab)
            want = reference.attention(q, k, v, keep)[0][0, 0]
            assert_close(lab.out.cpu().double(), torch.from_numpy(want), rtol=1e-4, atol=EQUAL)
            assert lab.off.max() < EQUAL and lab.out.device.type == attn.device().type
            if lab.method == "fused":
                scores = np.where(keep, (q @ k.swapaxes(-2, -1))[0, 0] / math.sqrt(lab.D), -np.inf)
                top = scores.max(1)
                total = np.exp(scores - np.where(np.isinf(top), 0, top)[:, None]).sum(1)
                assert_close(lab.top.cpu().double(), torch.from_numpy(top), rtol=1e-4, atol=EQUAL)
                assert_close(lab.total.cpu().double(), torch.from_numpy(total), rtol=1e-4, atol=EQUAL)


def test_without_rescaling_a_row_is_wrong_exactly_if_its_maximum_rises_after_its_first_tile(subtests):
    seen = set()
    for seed in range(16):
        lab = TileLab(**random_settings(seed) | {"rescale": False, "method": "fused"})
        scores = np.where(may_attend(lab), (lab.q @ lab.k.T).cpu().numpy() / math.sqrt(lab.D), -np.inf)
        for i, row in enumerate(scores):
            tops = [row[n : n + lab.tile].max() for n in range(0, lab.S, lab.tile)]
            tops = [one for one in tops if one > -np.inf]
            rises = any(later > max(tops[:n]) + 1e-3 for n, later in enumerate(tops) if n)
            with subtests.test(seed=seed, row=i):
                assert (float(lab.off[i]) > EQUAL) == rises
            seen.add(rises)
    assert seen == {True, False}


def test_what_moves_is_counted_by_loops_over_tiles_and_storing_costs_four_numbers_a_score():
    for seed in range(12):
        lab = TileLab(**random_settings(seed))
        keep = may_attend(lab) | (np.arange(lab.S) < lab.hidden)  # padding is not known before the scores are
        rows, columns = range(0, lab.L, lab.tile), range(0, lab.S, lab.tile)
        fused = lab.method == "fused"
        needed = [
            (i, j) for i in rows for j in columns if not fused or not lab.causal or keep[i : i + lab.tile, j : j + lab.tile].any()
        ]
        if not lab.hidden or not lab.causal:
            assert lab.tiles == len(needed) and lab.grid == len(rows) * len(columns)
            wide = sum(min(lab.tile, lab.S - j) for _, j in needed)
            assert lab.moved == 2 * lab.L * lab.D + 2 * wide * lab.D + (0 if fused else 4 * lab.L * lab.S)
        assert lab.alive == (min(lab.tile, lab.L) * min(lab.tile, lab.S) if fused else lab.L * lab.S)
        other = TileLab(**random_settings(seed) | {"method": "stored" if fused else "fused"})
        assert (lab.otherwise, other.otherwise) == (other.moved, lab.moved)


def test_at_its_sizes_the_head_is_one_of_the_recorded_layer():
    ids = torch.tensor([[language.NUMBER[word] for word in language.EXAMPLES[0].split()]])
    steps = reader.recorded().steps(ids)
    lab = TileLab()
    assert lab.trained
    assert_close(lab.want.cpu(), steps.heads[0, 1, 1:].detach(), rtol=1e-4, atol=EQUAL)
    assert not TileLab(S=8).trained and not TileLab(D=3).trained and not TileLab(seed=1).trained


def test_queries_and_keys_follow_each_other():
    lab = TileLab()
    lab.S = 4
    assert (lab.L, lab.S) == (4, 4)
    lab.L = 9
    assert (lab.L, lab.S) == (9, 9)


@pytest.mark.parametrize(
    "settings,error,message",
    [
        ({"L": 5, "S": 4}, ShapeError, "the queries are the last L of the S words"),
        ({"tile": 0}, traitlets.TraitError, "tile = 0: this lab takes tile from 1 to 6"),
        ({"S": 13}, traitlets.TraitError, "1 to 12"),
        ({"method": "flash"}, traitlets.TraitError, "method"),
        ({"step": -1}, traitlets.TraitError, "step"),
    ],
)
def test_an_invalid_setting_is_refused(settings, error, message):
    with pytest.raises(error, match=message):
        TileLab(**settings)


def test_the_fallback_compares_both_methods_and_says_whether_the_output_is_right():
    text = re.sub(r" style=\"[^\"]*\"", "", TileLab().fallback())
    assert "<td>fused</td><td>4 of 42</td><td>12 of 12</td><td>864</td>" in text
    assert "<td>stored</td><td>42 of 42</td><td>12 of 12</td><td>1536</td>" in text
    assert "equals attention with all scores" in text
    assert "differs from attention by up to 1.70" in TileLab(rescale=False).fallback()


# The browser --------------------------------------------------------------------------------------------------------------

STILL = {"reduced_motion": "reduce"}


def test_browser_and_kernel_compute_the_same():
    labs = [TileLab(**random_settings(seed)) for seed in range(30)]
    assert_agree(labs, lambda lab, name: {"atol": 3e-6})
    assert {lab.trained for lab in labs} == {True, False}


def test_a_click_on_a_score_leads_to_the_moment_at_which_it_exists_and_the_slider_leads_on(opened):
    page = opened(TileLab(step=0), **STILL)
    counts = page.locator(".alive, .bar b")  # scores at once; bytes moved: tile by tile, all stored
    assert counts.all_inner_texts() == ["? of 42\nscores at once, at most", "", ""]  # the answer comes with the steps
    canvas = page.locator(".board canvas")
    box = canvas.bounding_box()
    page.mouse.click(box["x"] + 0.4 * box["width"], box["y"] + 0.6 * box["height"])
    settled(page)
    told = page.locator(".sentence").inner_text()
    assert told.startswith("Scores: queries") and "4 scores appear" in told
    assert counts.all_inner_texts() == ["4 of 42\nscores at once, at most", "", ""]  # until the end there is one question
    slider = page.locator(".player input")
    slider.press("End")
    settled(page)
    assert page.locator(".sentence b.good").inner_text().startswith("✓ At most 4 of 42 scores")
    assert counts.all_inner_texts() == ["4 of 42\nscores at once, at most", "864 bytes moved", "1,536 bytes moved"]
    page.locator(".chip", has_text="store all scores").dispatch_event("click")
    settled(page)
    assert page.locator(".sentence").inner_text().startswith("All 42 scores existed at once.")
    assert counts.all_inner_texts() == ["42 of 42\nscores at once, at most", "864 bytes moved", "1,536 bytes moved"]
    page.locator(".chip", has_text="forget to rescale").dispatch_event("click")
    settled(page)
    assert page.locator(".sentence b.bad").inner_text() == "✗ 6 of 6 rows are wrong,"
    assert counts.all_inner_texts() == ["6 of 6\nrows are wrong so far", "", ""]


def test_the_bytes_of_both_ways_stand_one_under_the_other_on_one_scale(opened):
    page = opened(TileLab(step=None, method="stored"), **STILL)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        settled(page)
        rails = [one.bounding_box() for one in page.locator(".rail").all()]
        fills = [one.bounding_box() for one in page.locator(".rail i").all()]
        assert rails[0]["x"] == rails[1]["x"] == fills[0]["x"] == fills[1]["x"] and rails[0]["width"] == rails[1]["width"]
        assert rails[0]["y"] + rails[0]["height"] <= rails[1]["y"]
        assert all(one.bounding_box()["height"] < 22 for one in page.locator(".bar > :not(.rail)").all())  # one line each
        assert page.locator(".moved").evaluate("node => node.scrollWidth <= node.clientWidth")
        assert fills[0]["width"] / fills[1]["width"] == pytest.approx(216 / 384, abs=0.01)
        page.locator(".player input").press("Home")
        assert page.locator(".rail").first.bounding_box()["width"] == rails[0]["width"]  # whatever the number beside it
        page.locator(".player input").press("End")


INK = """(canvas, { x, y, width, height }) => {
  const ratio = canvas.width / canvas.clientWidth;
  const { data } = canvas.getContext("2d").getImageData(...[x, y, width, height].map(n => Math.round(n * ratio)));
  return data.some(one => one);
}"""
# Of each lab the size of its canvas, and the place on it of each count, with whether something is drawn there.
COUNTS = f"""() => [...document.querySelectorAll('.attn-lab-root')].map(lab => {{
  const canvas = lab.querySelector('.board canvas');
  const around = canvas.getBoundingClientRect();
  const places = [...lab.querySelectorAll('.alive, .moved')].map(count => {{
    const {{ x, y, width, height }} = count.getBoundingClientRect();
    const box = {{ x: x - around.x, y: y - around.y, width, height }};
    return [box, ({INK})(canvas, box)];
  }});
  return [around.width, around.height, places];
}})"""


def test_the_counts_cover_nothing_that_is_drawn(opened):
    kinds = [{}, {"method": "stored"}, {"S": 12, "L": 12}, {"L": 1, "S": 3, "D": 2}]
    page = opened(*[TileLab(step=None, **settings) for settings in kinds], **STILL)
    for width in (1280, 700, 390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        settled(page)
        for settings, (wide, high, places) in zip(kinds, page.evaluate(COUNTS), strict=True):
            assert len(places) == 2
            for box, is_covered in places:
                assert -1 <= box["x"] and box["x"] + box["width"] <= wide + 1, (settings, width, box)
                assert -1 <= box["y"] and box["y"] + box["height"] <= high + 1, (settings, width, box)
                assert not is_covered, (settings, width, box)


def test_the_sum_of_a_row_has_left_when_the_bytes_come(opened):
    page = opened(TileLab(step=None))
    settled(page)
    page.locator(".player input").evaluate(
        "(slider) => { slider.value = slider.max - 0.3; slider.dispatchEvent(new Event('input')) }"
    )
    moved, canvas = page.locator(".moved"), page.locator(".board canvas")
    assert moved.is_visible()
    box, around = moved.bounding_box(), canvas.bounding_box()
    assert not canvas.evaluate(INK, box | {"x": box["x"] - around["x"], "y": box["y"] - around["y"]})


# The height of the lab as it opens, and after each chip.
HEIGHTS = f"""async () => {{
  const height = () => document.querySelector('.attn-lab-root').getBoundingClientRect().height;
  const heights = [height()];
  for (const chip of document.querySelectorAll('.chip')) {{
    chip.click();
    await {DRAWN};
    heights.push(height());
  }}
  [...document.querySelectorAll('button')].find(node => node.textContent === 'reset').click();
  return heights;
}}"""


def test_the_page_below_stays_where_it_is_while_experiments_follow_each_other(opened):
    page = opened(TileLab(), **STILL)
    for width in (1280, 700, 390):
        page.set_viewport_size({"width": width, "height": 1400})
        settled(page)
        heights = page.evaluate(HEIGHTS)
        assert len(heights) == 5 and max(heights) - min(heights) <= 12, (width, heights)


def test_the_question_is_that_of_the_chip_and_about_tiles_of_the_chosen_size(opened):
    page = opened(TileLab(), **STILL)
    question = page.locator(".question")
    assert question.inner_text() == TileLab.QUESTION == "How many scores exist at once with 2 × 2 tiles?"
    page.get_by_role("slider", name="tile size").press("ArrowRight")
    settled(page)
    assert question.inner_text() == "How many scores exist at once with 3 × 3 tiles?"
    questions = []
    for chip in page.locator(".chip").all():
        chip.click()
        settled(page)
        questions.append(question.inner_text())
    assert "3 × 3 tiles" in questions[0] and len({*questions}) == 4


def test_while_tiles_pass_no_row_is_called_wrong_before_a_second_tile_is_added(opened):
    page = opened(TileLab(step=0, rescale=False), **STILL)
    for _ in range(7):  # read; scores, softmax and sum of two tiles
        assert page.locator(".alive").inner_text().endswith(" of 6\nrows are wrong so far")
        assert page.locator(".alive b").inner_text() in "?0" and page.locator(".alive.bad").count() == 0
        page.locator(".player input").press("ArrowRight")
        settled(page)
    assert page.locator(".alive.bad b").inner_text() == "2"


def test_on_a_phone_question_and_tile_size_are_on_one_screen_below_the_head_of_a_page(opened):
    page = opened(TileLab(), width=390, height=844, **STILL)
    for chip in page.locator(".chip").all():
        chip.click()
        settled(page)
        top = page.locator(".question").bounding_box()["y"]
        slider = page.get_by_role("slider", name="tile size").bounding_box()
        assert slider["y"] + slider["height"] - top <= 844 - 56


def test_on_a_phone_nothing_fades_over_the_play_button(opened):
    page = opened(TileLab(), width=390, height=844, **STILL)
    settled(page)
    page.locator(".controls").scroll_into_view_if_needed()
    play, telling = (page.locator(one).bounding_box() for one in (".play", ".telling"))
    assert play["y"] + play["height"] <= telling["y"]
