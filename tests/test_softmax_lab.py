"""SoftmaxLab: its weights equal NumPy's, its three programs differ only by rounding, and the browser agrees."""

import math
import random
import re

import numpy as np
import pytest
import torch
import traitlets
from lab_pages import settled
from node import assert_agree, javascript_constants, node
from torch.testing import assert_close

import attn
from attn.labs import SoftmaxLab
from attn.labs.softmax.lab import HIGHEST

TRIPLE = [0.00111233, 0.99870380, 0.00018387]


def exact(lab):
    """Softmax in NumPy's float64, from the scores as the lab rounds them."""
    scaled = lab.scaled.cpu().double().numpy()
    along = 1 if lab.axis == "keys" else 0
    powers = np.exp(scaled - scaled.max(along, keepdims=True))
    return torch.from_numpy(powers / powers.sum(along, keepdims=True)).float()


def random_settings(seed):
    choose = random.Random(seed)
    L, S = choose.randint(1, 6), choose.randint(1, 8)
    return {
        "scores": [[choose.randint(-120, 120) / 10 for _ in range(S)] for _ in range(L)],
        "temperature": choose.choice((0.1, 0.5, 1.0, 1.0, 3.2, 10.0)),
        "axis": choose.choice(("keys", "queries")),
        "shift": choose.choice((0, 0, 5, -5, 80, -80, -110, 120, -120)),
        "precision": choose.choice(("float32", "float32", "float16")),
    }


# The kernel ---------------------------------------------------------------------------------------------------------------


def test_the_scores_of_the_chapter_have_their_weights():
    lab = SoftmaxLab()
    assert_close(lab.weights[0].cpu(), torch.tensor(TRIPLE), rtol=1e-4, atol=0)
    assert_close(lab.weights[1].cpu(), torch.full((3,), 1 / 3))
    assert_close(lab.weights[3], lab.weights[0], rtol=1e-5, atol=0)  # the same differences
    assert lab.weights.device.type == attn.device().type


def test_weights_equal_those_of_numpy_in_every_program_that_does_not_overflow(subtests):
    for seed in range(12):
        with subtests.test(seed=seed):
            lab = SoftmaxLab(**random_settings(seed))
            close = {"rtol": 1e-4, "atol": 1e-6} if lab.precision == "float32" else {"rtol": 1e-2, "atol": 1e-3}
            assert_close(lab.weights.cpu().float(), exact(lab), **close)
            assert_close(lab.online.cpu().float(), exact(lab), **close)
            assert_close(lab.row_sums.cpu(), exact(lab).sum(1), **close)
            assert_close(lab.column_sums.cpu(), exact(lab).sum(0), **close)


def test_the_running_maximum_and_sum_are_right_after_every_score():
    lab = SoftmaxLab(scores=[[2.3, 9.1, 0.5, 9.1, 11.0], [-1.0, -2.0, 3.0, 3.0, 3.5]])
    assert_close(lab.highest, lab.scaled.cummax(1).values)
    assert_close(lab.highest + lab.totals.log(), lab.scaled.logcumsumexp(1))
    assert (lab.factors[:, 0] == 0).all() and lab.factors[0, 1:].tolist() == [
        pytest.approx(math.exp(-6.8)),
        1,
        1,
        pytest.approx(math.exp(-1.9)),
    ]


def test_only_the_naive_program_overflows():
    ends = {"float32": (79, 80), "float16": (1, 2)}  # 9.1 + shift against ln of the largest number, 88.72 and 11.09
    for precision, (last, first) in ends.items():
        fine, lost = (SoftmaxLab(shift=shift, precision=precision) for shift in (last, first))
        assert fine.naive[0].isfinite().all() and lost.naive[0].isnan().any()
        assert lost.weights.isfinite().all() and lost.online.isfinite().all()
    assert SoftmaxLab(shift=-120).naive[0].isnan().all()
    assert (SoftmaxLab(scores=[[8.0, 8.0, 8.0]], shift=80).naive == 0).all()  # each term is finite, their sum is not


def test_a_shift_changes_no_weight_and_a_temperature_changes_only_the_ratios():
    lab = SoftmaxLab()
    assert_close(SoftmaxLab(shift=100).weights, lab.weights, rtol=1e-3, atol=1e-6)
    cold, hot = SoftmaxLab(temperature=0.1).weights[0], SoftmaxLab(temperature=8.0).weights[0]
    assert cold.tolist() == [pytest.approx(0), pytest.approx(1), pytest.approx(0)]
    assert_close(hot.cpu(), torch.tensor([0.2417, 0.5654, 0.1930]), rtol=0, atol=5e-5)


def test_over_the_queries_columns_sum_to_one_and_rows_do_not():
    lab = SoftmaxLab(axis="queries")
    assert_close(lab.column_sums.cpu(), torch.ones(3))
    assert_close(lab.row_sums.cpu(), torch.tensor([1.0269, 1.4825, 0.4905, 0.0001]), rtol=0, atol=5e-5)
    assert_close(SoftmaxLab().row_sums.cpu(), torch.ones(4))


def test_sizes_follow_the_scores_and_a_new_size_keeps_the_scores_that_still_fit():
    lab = SoftmaxLab()
    lab.L, lab.S = 6, 5
    assert (lab.L, lab.S) == (6, 5) == tuple(lab.weights.shape)
    assert [row[:3] for row in lab.scores[:4]] == SoftmaxLab().scores
    grown = lab.scores
    lab.S = 3
    lab.S = 5
    assert lab.scores == grown
    run = node(
        "--input-type=module",
        "-e",
        "const { resized } = await import('./src/attn/labs/softmax/model.js');"
        f"process.stdout.write(JSON.stringify(resized({SoftmaxLab().scores}, 6, 5)))",
    )
    assert re.sub(r"\.0\b", "", str(grown)).replace(" ", "") == run.stdout


@pytest.mark.parametrize(
    "settings,message",
    [
        ({"scores": [[1.0], [1.0, 2.0]]}, "2 rows of 1 or 2 numbers: this lab takes 1 to 6 rows, one for each query, of 1 to 8"),
        ({"scores": []}, "0 rows of no numbers"),
        ({"scores": [[0.0] * 9]}, "1 rows of 9 numbers"),
        ({"scores": [[0.0, 12.5]]}, r"scores\[0\]\[1\] = 12.5: a score lies between -12 and 12; shift moves all of them"),
        ({"scores": [[float("nan")]]}, r"scores\[0\]\[0\] = nan"),
        ({"temperature": 0.0}, "temperature"),
        ({"shift": 121}, "shift"),
        ({"axis": "heads"}, "axis"),
        ({"precision": "bfloat16"}, "precision"),
        ({"pin": [1, 2, 3]}, "pin"),
    ],
)
def test_an_invalid_setting_is_refused(settings, message):
    with pytest.raises(traitlets.TraitError, match=message):
        SoftmaxLab(**settings)
    lab = SoftmaxLab()
    before = lab.state
    with pytest.raises(traitlets.TraitError):
        setattr(lab, *next(iter(settings.items())))
    assert lab.state == before and lab._message


def test_an_invalid_size_is_refused():
    lab = SoftmaxLab()
    with pytest.raises(traitlets.TraitError, match="1 to 8"):
        lab.S = 9
    with pytest.raises(traitlets.TraitError, match="1 to 6"):
        lab.L = 7
    assert (lab.L, lab.S) == (4, 3)


def test_the_fallback_has_the_weights_both_sums_and_the_overflow():
    cells = re.findall(r"<td[^>]*>(.*?)</td>", SoftmaxLab().fallback())
    assert cells[:6] == ["query 0", "2.3, 9.1, 0.5", "0.0011", "0.9987", "0.0002", "1.0000"]
    assert cells[-6:] == ["", "sum of the column", "1.3223", "2.3374", "0.3403", ""]
    assert "none of 4 rows would hold NaN" in SoftmaxLab().fallback()
    shifted = SoftmaxLab(shift=80, axis="queries", temperature=1.0).fallback()
    assert "each column in float32 after +80 to all scores" in shifted and "1 of 3 columns would hold NaN" in shifted


# The browser --------------------------------------------------------------------------------------------------------------


def test_browser_and_kernel_compute_the_same():
    """Both sum in the same order. exp may differ in its last digit, and in float16, which has 3 digits, by one step."""
    labs = [SoftmaxLab(**random_settings(seed)) for seed in range(120)]

    def tolerances(lab, name):
        if name.startswith("naive") and lab.shift <= -80:  # numbers of one or two digits
            return {"share": 0, "rtol": 0.7, "atol": 1e-43}
        return {"share": 0} | ({"rtol": 1e-6, "atol": 1e-43} if lab.precision == "float32" else {"rtol": 4e-3, "atol": 2e-7})

    assert_agree(labs, tolerances)
    assert len({(lab.precision, lab.axis, bool(lab.naive.isnan().any())) for lab in labs}) == 8, (
        "the random settings do not include every kind"
    )


def test_python_and_javascript_have_the_same_limits():
    (limits,) = javascript_constants("softmax/model", "LIMITS")
    shift = SoftmaxLab.shift
    assert (-limits["shift"], limits["shift"]) == (shift.min, shift.max) and limits["score"] == HIGHEST
    assert {name: tuple(limits[name]) for name in "LS"} == SoftmaxLab.LIMITS


def weights_of(page, name):
    settled(page)
    return page.locator(f"section[aria-label={name}] tbody td:last-child").all_inner_texts()


def test_dragging_a_bar_or_moving_it_with_the_keys_changes_all_weights_of_its_row(opened):
    page = opened(SoftmaxLab())
    bar = page.get_by_label("key 2")
    assert weights_of(page, "stable") == ["0.0011", "0.9987", "0.0002"]
    box = bar.bounding_box()
    thumb = box["x"] + 6 + (box["width"] - 12) * (0.5 + 12) / 24  # 0.5 on a bar from -12 to 12
    page.mouse.move(thumb, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 6, box["y"] + 12, steps=4)
    page.mouse.up()
    assert bar.input_value() == "12"
    assert weights_of(page, "stable") == weights_of(page, "online") == ["0.0001", "0.0522", "0.9478"]
    bar.press("ArrowLeft")
    settled(page)
    assert bar.input_value() == "11.9" and bar.get_attribute("aria-valuetext") == "11.9, weight 0.9426"
    cells = page.get_by_role("grid", name="weights").get_by_role("gridcell").all_inner_texts()
    assert cells[2:4] == ["0.9426", "1.0000"]


def test_two_bars_can_move_within_one_frame(opened):
    page = opened(SoftmaxLab())
    bars = page.locator(".softmax-bars input")
    bars.evaluate_all("nodes => nodes.forEach(node => { node.value = 3; node.dispatchEvent(new Event('input')); })")
    assert set(weights_of(page, "stable")) == {f"{1 / bars.count():.4f}"}


def test_a_shift_breaks_only_the_naive_program_and_a_sentence_explains_why(opened):
    page = opened(SoftmaxLab(shift=79))
    before = weights_of(page, "stable"), weights_of(page, "online")
    page.get_by_label("add to all scores").press("ArrowRight")
    assert weights_of(page, "naive") == ["0.0000", "NaN", "0.0000"]
    assert page.locator("section[aria-label=naive] .verdict").inner_text() == "✗ A term is ∞, and ∞ / ∞ is not a number."
    assert (weights_of(page, "stable"), weights_of(page, "online")) == before
    page.locator("[role=status]").get_by_text("naive: A term is ∞").wait_for(state="attached")
    page.get_by_label("add to all scores").press("Home")
    assert weights_of(page, "naive") == ["NaN"] * 3


def test_the_table_shows_the_scores_after_the_sliders_and_the_sums_along_the_axis_in_bold(opened):
    page = opened(SoftmaxLab(temperature=0.1, shift=80))
    settled(page)
    cells = page.get_by_role("grid", name="scores").get_by_role("gridcell").all_inner_texts()
    assert cells[:3] == ["823.0", "891.0", "805.0"] and page.get_by_text("scores +80, ÷ 0.1", exact=True).is_visible()
    assert page.locator(".softmax-line strong").inner_text() == "query 0, before the sliders"
    grid = page.get_by_role("grid", name="weights").get_by_role("gridcell")
    looks = "all => all.map(one => one.className)"

    def bold():
        return [n for n, look in enumerate(grid.evaluate_all(looks)) if "one" in look.split()]

    assert bold() == [3, 7, 11, 15]  # the last column: a sum for each of 4 queries
    page.get_by_label("each column").check()
    settled(page)
    assert bold() == [16, 17, 18]


def test_the_cell_reached_with_the_keys_chooses_the_row_or_column_that_is_shown(opened):
    page = opened(SoftmaxLab())
    title = page.locator(".softmax-line strong")
    page.get_by_role("grid", name="scores").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert weights_of(page, "online") == ["0.9867", "0.0066", "0.0066"] and title.inner_text() == "query 2"
    page.get_by_label("each column").check()
    assert len(weights_of(page, "online")) == 4 and title.inner_text() == "key 1"
    page.get_by_label("query 3").press("ArrowRight")  # the bar of the last query in this column
    settled(page)
    assert page.get_by_role("grid", name="scores").get_by_role("gridcell").all_inner_texts()[10] == "0.1"
    page.get_by_label("S keys").press("Home")
    settled(page)
    assert title.inner_text() == "key 0"  # the column that was shown no longer exists


def test_a_link_with_scores_that_are_not_a_table_shows_an_error_and_reset_restores_the_start(opened):
    page = opened(SoftmaxLab(), fragment="#lab-1?scores=[[1,2],[3]]")
    assert page.get_by_role("alert").inner_text().startswith("scores is a table: 1 to 6 rows")
    page.get_by_role("button", name="reset").click()
    assert weights_of(page, "stable") == ["0.0011", "0.9987", "0.0002"]
