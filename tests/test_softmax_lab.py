"""SoftmaxLab: its weights equal NumPy's, its three programs differ only by rounding, and the browser agrees and draws them."""

import itertools
import math
import random
import re

import numpy as np
import pytest
import torch
import traitlets
from lab_pages import DRAWN, settled, shown
from node import assert_agree, javascript_constants
from torch.testing import assert_close

import attn
from attn.labs import HeadsLab, ShapeLab, SoftmaxLab
from attn.labs.softmax.lab import HIGHEST
from attn.lessons import language, reader

CHAPTER = [[2.3, 9.1, 0.5], [5.0, 5.0, 5.0], [5.0, 0.0, 0.0], [-6.8, 0.0, -8.6]]
TRIPLE = [0.00111233, 0.99870380, 0.00018387]
GIRLS, NEAR, OLD, FOUND, GOLD = 0, 1, 2, 4, 5  # places of these words in the sentence


def chapter_lab(**settings):
    """The lab with the scores of the chapter instead of those of the recorded layer."""
    return SoftmaxLab(scores=CHAPTER, **settings)


def exact(lab):
    """Softmax in NumPy's float64, from the scores as the lab rounds them."""
    scaled = lab.scaled.cpu().double().numpy()
    along = 1 if lab.axis == "keys" else 0
    powers = np.exp(scaled - scaled.max(along, keepdims=True))
    return torch.from_numpy(powers / powers.sum(along, keepdims=True)).float()


def random_settings(seed):
    choose = random.Random(seed)
    L, S = choose.randint(1, 7), choose.randint(1, 7)
    own = [[choose.randint(-120, 120) / 10 for _ in range(S)] for _ in range(L)]
    raised = [
        [choose.randrange(7), choose.randrange(7), choose.randint(-240, 240) / 10] for _ in range(choose.choice((0, 0, 1, 3)))
    ]
    return {
        **({"scores": own} if choose.random() < 0.7 else {"head": choose.randrange(3), "L": L, "S": S}),
        "raised": raised,
        "masked": choose.random() < 0.2,
        "temperature": choose.choice((0.1, 0.5, 1.0, 1.0, 3.2, 10.0)),
        "axis": choose.choice(("keys", "queries")),
        "shift": choose.choice((0, 0, 5, -5, 80, -80, -110, 120, -120)),
        "precision": choose.choice(("float32", "float32", "float16", "mixed")),
    }


# The kernel ---------------------------------------------------------------------------------------------------------------


def test_the_scores_are_those_of_the_recorded_layer_and_found_looks_most_at_the_answers():
    words = language.EXAMPLES[0].split()
    ids = torch.tensor([[language.NUMBER[word] for word in words]])
    steps = reader.recorded().steps(ids)
    answers = {question.question: question.answer for question in language.parse(words) if question.asker == FOUND}
    for head, question in enumerate(reader.HEADS):
        lab = SoftmaxLab(head=head)
        assert_close(lab.scaled.cpu(), steps.scaled[0, head].detach(), rtol=0, atol=0.00501)
        assert_close(lab.weights.cpu(), steps.weights[0, head].detach(), rtol=0, atol=0.005)
        assert int(lab.weights[FOUND].argmax()) == answers[question]
    assert [words[n] for n in (GIRLS, NEAR, OLD, FOUND, GOLD)] == ["girls", "near", "old", "found", "gold"]


def test_the_scores_of_the_chapter_have_their_weights():
    lab = chapter_lab()
    assert_close(lab.weights[0].cpu(), torch.tensor(TRIPLE), rtol=1e-4, atol=0)
    assert_close(lab.weights[1].cpu(), torch.full((3,), 1 / 3))
    assert_close(lab.weights[3], lab.weights[0], rtol=1e-5, atol=0)  # the same differences
    assert lab.weights.device.type == attn.device().type


def test_weights_equal_those_of_numpy_in_every_program_that_does_not_overflow(subtests):
    for seed in range(16):
        with subtests.test(seed=seed):
            lab = SoftmaxLab(**random_settings(seed) | {"masked": False})
            close = {"rtol": 1e-4, "atol": 1e-6} if lab.precision == "float32" else {"rtol": 1e-2, "atol": 1e-3}
            assert_close(lab.weights.cpu().float(), exact(lab), **close)
            assert_close(lab.online.cpu().float(), exact(lab), **close)
            assert_close(lab.row_sums.cpu(), exact(lab).sum(1), **close)
            assert_close(lab.column_sums.cpu(), exact(lab).sum(0), **close)


def test_a_score_that_is_raised_multiplies_its_ratio_to_every_other_weight(subtests):
    for seed in range(6):
        with subtests.test(seed=seed):
            choose = random.Random(seed)
            scores = [[choose.randint(-60, 60) / 10 for _ in range(5)] for _ in range(3)]
            i, j = choose.randrange(3), choose.randrange(5)
            before, after = (SoftmaxLab(scores=scores, raised=raised).weights.double() for raised in ([], [[i, j, math.log(10)]]))
            others = [n for n in range(5) if n != j]
            old, new = (weights[i, j] / weights[i, others] for weights in (before, after))
            assert_close(new / old, torch.full_like(old, 10), rtol=1e-4, atol=0)
            rest = [n for n in range(3) if n != i]
            assert_close(after[rest], before[rest])
    ((_, settings), *_) = SoftmaxLab.CHIPS
    before, after = SoftmaxLab().weights[GIRLS], SoftmaxLab(**settings).weights[GIRLS]
    changed = (after[GOLD] / after[0]) / (before[GOLD] / before[0])
    assert float(changed) == pytest.approx(math.exp(2.3), rel=1e-4) and 9.9 < changed < 10.1


def test_a_score_that_is_raised_stays_in_range_and_outside_the_table_nothing_is_raised():
    lab = chapter_lab(raised=[[0, 1, 5.0], [0, 1, -1.0], [3, 2, -20.0], [5, 0, 1.0], [0, 6, 1.0]])
    assert [row.tolist() for row in lab.scaled] == [pytest.approx([2.3, 11, 0.5]), *CHAPTER[1:3], pytest.approx([-6.8, 0, -12])]


def test_without_the_division_by_sqrt_d_ratios_are_squared():
    divided, whole = SoftmaxLab().weights.double(), SoftmaxLab(temperature=0.5).weights.double()
    assert_close(whole[:, :1] / whole, (divided[:, :1] / divided) ** 2, rtol=1e-4, atol=0)


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
    ends = {"float32": (79, 80), "float16": (1, 2), "mixed": (79, 80)}  # 9.1 + shift against ln of the largest: 88.72 and 11.09
    for precision, (last, first) in ends.items():
        fine, lost = (chapter_lab(shift=shift, precision=precision) for shift in (last, first))
        assert fine.naive[0].isfinite().all() and lost.naive[0].isnan().any()
        assert lost.weights.isfinite().all() and lost.online.isfinite().all()
    assert chapter_lab(shift=-120).naive[0].isnan().all()
    assert (SoftmaxLab(scores=[[8.0, 8.0, 8.0]], shift=80).naive == 0).all()  # each term is finite, their sum is not


def test_float16_computed_in_float32_is_what_torch_computes_for_float16():
    for head in range(3):
        lab = SoftmaxLab(head=head, precision="mixed")
        assert lab.weights.dtype == torch.float16
        assert_close(lab.weights, lab.scaled.half().softmax(1), rtol=1e-3, atol=1e-7)  # one step of float16
        assert not torch.equal(lab.weights, SoftmaxLab(head=head, precision="float16").weights)


def test_a_hidden_first_key_has_no_weight_and_spoils_the_online_program():
    lab = SoftmaxLab(masked=True)
    assert (lab.weights[:, 0] == 0).all() and (lab.naive[:, 0] == 0).all()
    assert_close(lab.weights[:, 1:], SoftmaxLab().scaled[:, 1:].softmax(1))
    assert lab.online.isnan().all() and lab.totals.isnan().all()
    columns = SoftmaxLab(masked=True, axis="queries")
    assert columns.weights[:, 0].isnan().all() and columns.weights[:, 1:].isfinite().all()


def test_a_shift_changes_no_weight_and_a_temperature_changes_only_the_ratios():
    lab = chapter_lab()
    assert_close(chapter_lab(shift=100).weights, lab.weights, rtol=1e-3, atol=1e-6)
    cold, hot = chapter_lab(temperature=0.1).weights[0], chapter_lab(temperature=8.0).weights[0]
    assert cold.tolist() == [pytest.approx(0), pytest.approx(1), pytest.approx(0)]
    assert_close(hot.cpu(), torch.tensor([0.2417, 0.5654, 0.1930]), rtol=0, atol=5e-5)


def test_over_the_queries_columns_sum_to_one_and_rows_do_not():
    lab = chapter_lab(axis="queries")
    assert_close(lab.column_sums.cpu(), torch.ones(3))
    assert_close(lab.row_sums.cpu(), torch.tensor([1.0269, 1.4825, 0.4905, 0.0001]), rtol=0, atol=5e-5)
    assert_close(chapter_lab().row_sums.cpu(), torch.ones(4))


def test_sizes_follow_the_scores_and_a_new_size_keeps_the_scores_that_still_fit():
    lab = chapter_lab()
    assert (lab.L, lab.S) == (4, 3)
    lab.L, lab.S = 6, 5
    assert (lab.L, lab.S) == (6, 5) == tuple(lab.weights.shape)
    assert [row[:3] for row in lab.table()[:4]] == CHAPTER
    grown = lab.table()
    lab.S = 3
    lab.S = 5
    assert lab.table() == grown
    lab.scores = [[1.0, 2.0]]
    assert (lab.L, lab.S) == (1, 2)
    lab.scores = None
    assert (lab.L, lab.S) == (1, 2) and lab.table() == [SoftmaxLab().table()[0][:2]]


@pytest.mark.parametrize(
    "settings,message",
    [
        ({"scores": [[1.0], [1.0, 2.0]]}, "2 rows of 1 or 2 numbers: this lab takes 1 to 7 rows, one for each query, of 1 to 7"),
        ({"scores": []}, "0 rows of no numbers"),
        ({"scores": [[0.0] * 8]}, "(1 rows of|S = 8)"),
        ({"scores": [[0.0, 12.5]]}, r"scores\[0\]\[1\] = 12.5: a score lies between -12 and 12; shift moves all of them"),
        ({"scores": [[float("nan")]]}, r"scores\[0\]\[0\] = nan"),
        ({"raised": [[0, 1]]}, "raised"),
        ({"raised": [[0, 7, 1.0]]}, r"raised contains \[0, 7, 1\]: it takes a query and a key from 0 to 6"),
        ({"raised": [[0.5, 1, 1.0]]}, r"raised contains \[0.5, 1, 1\]"),
        ({"raised": [[0, 1, 25.0]]}, "an amount from -24 to 24"),
        ({"head": 3}, "head"),
        ({"temperature": 0.0}, "temperature"),
        ({"shift": 121}, "shift"),
        ({"axis": "heads"}, "axis"),
        ({"precision": "bfloat16"}, "precision"),
        ({"pin": [1, 2, 3]}, "pin"),
        ({"part": "axis"}, "part"),
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
    lab = chapter_lab()
    with pytest.raises(traitlets.TraitError, match="from 1 to 7"):
        lab.S = 8
    with pytest.raises(traitlets.TraitError, match="from 1 to 7"):
        lab.L = 0
    assert (lab.L, lab.S) == (4, 3)


def test_the_fallback_has_the_weights_both_sums_and_the_overflow():
    cells = re.findall(r"<td[^>]*>(.*?)</td>", chapter_lab().fallback())
    assert cells[:6] == ["query 0", "2.3, 9.1, 0.5", "0.0011", "0.9987", "0.0002", "1.0000"]
    assert cells[-6:] == ["", "sum of the column", "1.3223", "2.3374", "0.3403", ""]
    assert "none of 4 rows would hold NaN" in chapter_lab().fallback()
    shifted = chapter_lab(shift=80, axis="queries", temperature=1.0).fallback()
    assert "each column in float32 after +80 to all scores" in shifted and "1 of 3 columns would hold NaN" in shifted
    assert "found" in SoftmaxLab().fallback()


# The browser --------------------------------------------------------------------------------------------------------------


def test_browser_and_kernel_compute_the_same():
    """Both sum in the same order. exp may differ in its last digit, and in float16, which has 3 digits, by one step."""
    labs = [SoftmaxLab(**random_settings(seed)) for seed in range(160)]

    def tolerances(lab, name):
        if name.startswith("naive") and lab.shift <= -80:  # numbers of one or two digits
            return {"share": 0, "rtol": 0.7, "atol": 1e-43}
        return {"share": 0} | ({"rtol": 1e-6, "atol": 1e-43} if lab.precision == "float32" else {"rtol": 4e-3, "atol": 2e-7})

    assert_agree(labs, tolerances)
    assert len({(lab.precision, lab.axis, lab.masked, bool(lab.naive.isnan().any())) for lab in labs}) >= 20, (
        "the random settings do not include every kind"
    )
    assert len({(lab.scores is None, bool(lab.raised)) for lab in labs}) == 4


def test_python_and_javascript_have_the_same_limits():
    (limits,) = javascript_constants("softmax/model", "LIMITS")
    shift = SoftmaxLab.shift
    assert (-limits["shift"], limits["shift"]) == (shift.min, shift.max) and limits["score"] == HIGHEST
    assert {name: tuple(limits[name]) for name in "LS"} == SoftmaxLab.LIMITS
    SoftmaxLab(raised=[[limits["L"][1] - 1, limits["S"][1] - 1, limits["raised"]]])


def shares_of(page):
    """The weights as they are written above the bar."""
    settled(page)
    return page.locator(".softmax-row .shares span").all_inner_texts()


def weights_of(page, name):
    settled(page)
    return page.locator(f"section[aria-label={name}] tbody td:last-child").all_inner_texts()


def score_bar(page, name):
    return page.get_by_role("slider", name=name, exact=True)


# Of each lab the width of the bar for 1, and where each part of its bar is and how wide.
WIDTHS = """() => [...document.querySelectorAll('.softmax-row')].map(row => {
  const box = row.querySelector('.one').getBoundingClientRect();
  const parts = [...row.querySelectorAll('.portions > div')].map(one => one.getBoundingClientRect());
  return [box.width, parts.map(one => [one.left - box.left, one.width])];
})"""


def test_the_parts_of_the_bar_are_exactly_the_weights(opened):
    several = [{}, {"head": 1, "temperature": 5.0}, {"axis": "queries", "pin": [0, 2]}, {"L": 3, "S": 4, "pin": [2, 0]}]
    labs = [SoftmaxLab(**settings) for settings in several]
    page = opened(*labs)
    for width in (390, 760, 1280):
        page.set_viewport_size({"width": width, "height": 1400})
        settled(page)
        for settings, lab, (unit, parts) in zip(several, labs, page.evaluate(WIDTHS), strict=True):
            weights, case = lab.weights[lab.pin[0]].tolist(), f"{settings} at {width}"
            assert [part for _, part in parts] == pytest.approx([unit * weight for weight in weights], abs=0.1), case
            starts = [unit * sum(weights[:n]) for n in range(len(weights))]
            assert [start for start, _ in parts] == pytest.approx(starts, abs=0.15), case


def test_bars_are_as_high_as_their_numbers_also_on_a_page_with_other_labs(opened):
    lab = SoftmaxLab()
    page = opened(lab, ShapeLab(), HeadsLab())
    settled(page)
    heights = page.locator(".softmax-row .terms > div").evaluate_all(
        "all => all.map(one => one.firstElementChild.getBoundingClientRect().height / one.clientHeight)"
    )
    scores = lab.scaled[GIRLS]
    assert heights == pytest.approx((scores.exp() / 6).tolist(), abs=0.003)
    lengths = page.locator(".softmax-row .scores > div").evaluate_all(
        "all => all.map(one => one.firstElementChild.getBoundingClientRect().height / one.clientHeight)"
    )
    assert lengths == pytest.approx((scores.abs() / 4).tolist(), abs=0.003)


def bars_of(page):
    settled(page)
    return page.locator(".softmax-row .terms").evaluate(
        "terms => [...terms.children].map(one => one.firstElementChild.getBoundingClientRect().height)"
    )


def test_a_tenfold_exponential_has_a_bar_that_is_ten_times_as_high_and_the_scale_says_when_it_changes(opened):
    page = opened(SoftmaxLab())
    end = page.locator(".softmax-row .before:has(sup) .end")
    before = bars_of(page)
    assert end.inner_text() == "6"
    page.locator(".chip").nth(0).dispatch_event("click")
    raised = bars_of(page)
    assert raised[GOLD] / before[GOLD] * 15 / 6 == pytest.approx(math.exp(2.3), rel=0.02) and end.inner_text() == "15"
    rest = [n for n in range(7) if n != GOLD]
    assert [raised[n] for n in rest] == pytest.approx([before[n] * 6 / 15 for n in rest], abs=0.1)
    assert page.locator(".softmax-row .terms b").all_inner_texts() == ["×10" if n == GOLD else "" for n in range(7)]
    # What was there before is drawn in the new scale.
    was = page.locator(".softmax-row .terms .was").nth(GOLD).evaluate("one => one.getBoundingClientRect().height")
    assert was == pytest.approx(before[GOLD] * 6 / 15, abs=0.1)
    # What is added to all scores multiplies the scale, too: the bars stay.
    page.locator(".chip").nth(1).dispatch_event("click")
    assert bars_of(page) == pytest.approx(before, abs=0.1) and end.inner_text() == f"6 × {math.exp(4):.1f}"


def test_the_thumb_of_a_slider_never_moves_backwards(opened):
    page = opened(SoftmaxLab(shift=-12))
    slider = page.get_by_label("add to all scores")
    slider.focus()
    thumb = """() => { const one = document.activeElement;
        const { left, width } = one.getBoundingClientRect();
        return left + width * (one.value - one.min) / (one.max - one.min); }"""
    places = [page.evaluate(thumb)]
    for _ in range(24):
        page.keyboard.press("ArrowRight")
        places.append(page.evaluate(f"{DRAWN}.then({thumb})"))
    assert slider.evaluate("one => one === document.activeElement")
    assert all(later > earlier for earlier, later in itertools.pairwise(places)), places


def test_dragging_a_score_or_moving_it_with_the_keys_changes_every_weight_of_its_row(opened):
    page = opened(chapter_lab(pin=[0, 2]))
    bar = score_bar(page, "key 2")
    assert shares_of(page) == ["0.001", "0.999", "0.000"]
    box = bar.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 300, steps=4)
    page.mouse.up()
    lab = chapter_lab(raised=[[0, 2, 11.5]])
    assert lab.scaled[0, 2] == 12
    assert shares_of(page) == [f"{weight:.3f}" for weight in lab.weights[0].tolist()] == ["0.000", "0.052", "0.948"]
    bar.press("ArrowDown")
    lab = chapter_lab(raised=[[0, 2, 11.4]])
    assert shares_of(page) == [f"{weight:.3f}" for weight in lab.weights[0].tolist()]
    assert bar.get_attribute("aria-valuetext") == f"score 11.90, weight {float(lab.weights[0, 2]):.3f}"
    bar.press("Home")
    bar.press("PageUp")
    settled(page)
    assert bar.get_attribute("aria-valuenow") == "-11"
    bar.press("ArrowLeft")
    assert score_bar(page, "key 1").evaluate("node => node === document.activeElement")


def test_a_row_whose_weights_are_all_0_has_bands_without_width(opened):
    lab = SoftmaxLab(scores=[[12.0, 12.0], [-12.0, -12.0]], axis="queries", temperature=0.1, pin=(1, 0))
    assert not lab.weights[1].any()
    paths = opened(lab).locator("svg path").evaluate_all("all => all.map(path => path.getAttribute('d') ?? '')")
    bands = [path for path in paths if " 0C" in path]
    assert len(bands) == 2 and not any("NaN" in band for band in bands)


def test_two_scores_can_move_within_one_frame(opened):
    page = opened(SoftmaxLab(scores=[[1.0, 1.0, 1.0]]))
    score_bar(page, "key 0").focus()
    page.evaluate(
        """() => ['PageUp', 'ArrowRight', 'PageUp', 'ArrowRight', 'PageUp'].forEach(key =>
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))"""
    )
    assert shares_of(page) == ["0.333"] * 3
    assert [bar.get_attribute("aria-valuenow") for bar in page.get_by_role("slider").all()[:3]] == ["2"] * 3


def test_the_sentence_of_each_action_has_the_numbers_of_the_kernel(opened):
    page = opened(SoftmaxLab())
    girls = SoftmaxLab().weights[GIRLS]
    texts = []
    for chip in page.locator(".chip").all():
        chip.click()
        settled(page)
        texts.append(page.locator(".sentence").text_content())
        assert "^" not in page.locator(".sentence").inner_text()  # powers are raised
    raised, shifted, wrong = texts
    new = SoftmaxLab(**SoftmaxLab.CHIPS[0][1]).weights[GIRLS]
    assert f"e^2.3 = {math.exp(2.3):.2f}" in raised and f"from {girls[GOLD]:.3f} to {new[GOLD]:.3f}" in raised
    assert f"to “near” {girls[GOLD] / girls[NEAR]:.2f}, now {new[GOLD] / new[NEAR]:.2f}" in raised
    assert f"e^4 = {math.exp(4):.1f}" in shifted and "no weight changes" in shifted
    sums = SoftmaxLab(axis="queries").row_sums
    assert f"the row of “girls” sums to {sums[GIRLS]:.2f}." in wrong
    assert "no error" in wrong


def test_the_wrong_axis_makes_columns_sum_to_one_and_marks_the_rows(opened):
    page = opened(SoftmaxLab())
    sums = page.locator(".softmax-axis .sum")

    def marked(look):
        settled(page)
        return sums.evaluate_all(f"all => all.flatMap((one, n) => one.classList.contains('{look}') ? [n] : [])")

    assert marked("right") == list(range(7)) and marked("wrong") == marked("one") == []
    page.get_by_role("button", name="the wrong axis").click()
    assert marked("wrong") == list(range(7)) and marked("one") == list(range(7, 14)) and marked("right") == []
    written = [text.removeprefix("✗ ") for text in sums.all_inner_texts()[:7]]
    lab = SoftmaxLab(axis="queries")
    assert written == [f"{total:.2f}" for total in lab.row_sums.tolist()]
    assert sums.all_inner_texts()[7:] == ["✓ 1"] * 7 + [""]
    assert shares_of(page) == [f"{weight:.3f}" for weight in lab.weights[GIRLS].tolist()]


def test_a_move_shows_scores_then_exponentials_then_weights(opened):
    page = opened(SoftmaxLab())
    settled(page)
    page.evaluate("hurry = true")
    read = """() => ['.scores span', '.terms span', '.shares span'].map(one =>
        Number(document.querySelectorAll('.softmax-row ' + one)[5].textContent))"""
    seen = [page.evaluate(read)]
    page.locator(".chip").nth(0).dispatch_event("click")
    for _ in range(100):
        if not page.evaluate("passTime(40)"):
            break
        seen.append(page.evaluate(read))
    moves = [[n for n, (a, b) in enumerate(itertools.pairwise(one)) if a != b] for one in zip(*seen, strict=True)]
    assert all(len(one) > 4 for one in moves), "each of the three is seen to move"
    scores, terms, shares = moves
    assert max(scores) < min(terms) and max(terms) <= min(shares)


def test_the_row_says_where_its_scales_end_and_what_a_raised_score_was(opened):
    page = opened(SoftmaxLab())
    ends = page.locator(".softmax-row .end")
    for raised in (0, 2.3, 7):
        lab = SoftmaxLab(raised=[[GIRLS, GOLD, raised]] if raised else [])
        scores = lab.scaled[GIRLS]
        settled(page)
        assert ends.all_inner_texts()[:2] == ["+3" if scores.max() < 3 else "+12", "−1"]
        olds = page.locator(".softmax-row .scores small").all_inner_texts()
        assert olds == [f"was {SoftmaxLab().scaled[GIRLS, GOLD]:.2f}" if raised and n == GOLD else "" for n in range(7)]
        score_bar(page, "gold").focus()
        for key in ["PageUp"] * (2 if not raised else 4) + ["ArrowUp"] * (3 if not raised else 7):
            page.keyboard.press(key)


def test_the_end_of_the_frame_of_length_1_crosses_no_text(opened):
    page = opened(*(SoftmaxLab(axis="queries", pin=[pin, 0]) for pin in range(7)))
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 1400})
        settled(page)
        shown = page.locator(".softmax-row .whole").evaluate_all(
            """all => all.map(node => [node.querySelector('.one').getBoundingClientRect().right,
            [...node.querySelectorAll('.portions :is(span, b)')].map(one => one.getBoundingClientRect())
            .filter(({ width }) => width > 0).map(({ left, right }) => [left, right])])"""
        )
        for pin, (end, texts) in enumerate(shown):
            assert all(right <= end - 2 or left >= end for left, right in texts), (width, pin, end, texts)
        assert len(shown) == 7 and sum(len(texts) for _, texts in shown) >= 12


def test_the_written_exponentials_and_their_sum_give_the_written_weights(opened):
    page = opened(SoftmaxLab())
    weights = shares_of(page)
    terms = [float(text) for text in page.locator(".softmax-row .terms span").all_inner_texts()]
    total = float(page.locator(".softmax-row span.after").inner_text().removeprefix("sum"))
    assert [f"{term / total:.3f}" for term in terms] == weights


def test_the_cell_reached_with_the_keys_chooses_the_row_that_is_drawn(opened):
    page = opened(SoftmaxLab())
    query = page.locator(".softmax-row .query b")
    page.get_by_role("grid", name="weights").focus()
    for _ in range(GOLD):
        page.keyboard.press("ArrowDown")
    assert shares_of(page) == [f"{weight:.3f}" for weight in SoftmaxLab().weights[5].tolist()] and query.inner_text() == "gold"
    page.locator(".more summary").dispatch_event("click")
    page.get_by_label("L queries").press("Home")
    settled(page)
    assert query.inner_text() == "girls"  # the row that was drawn no longer exists


def test_a_shift_breaks_only_the_naive_program_and_the_sentence_explains_why(opened):
    page = opened(chapter_lab(shift=79, part="overflow", pin=[0, 0]))
    before = weights_of(page, "stable"), weights_of(page, "online")
    assert before[0] == ["0.0011", "0.9987", "0.0002"]
    page.get_by_label("add to all scores").press("ArrowRight")
    assert weights_of(page, "naive") == ["0.0000", "NaN", "0.0000"]
    assert page.locator("section[aria-label=naive] .verdict").inner_text() == "✗ A term is ∞, and ∞ / ∞ is not a number."
    assert (weights_of(page, "stable"), weights_of(page, "online")) == before
    page.locator("[role=status]").get_by_text("naive: a term is ∞").wait_for(state="attached")
    page.get_by_label("add to all scores").press("Home")
    assert weights_of(page, "naive") == ["NaN"] * 3


def test_overflow_has_its_own_settings_and_each_changes_what_is_drawn(opened):
    page = opened(SoftmaxLab(part="overflow", shift=10))
    looks = [shown(page)]
    for label in ("float16", "float16, sums in float32", "hide the first key"):
        page.get_by_label(label, exact=label == "float16").check()
        looks.append(shown(page))
    assert len({*looks}) == 4
    assert weights_of(page, "online") == ["NaN"] * 7
    assert "The first score is −∞" in page.locator("section[aria-label=online] .verdict").inner_text()
    assert page.locator(".softmax-row, .softmax-axis").first.is_hidden()


# The width of the lab, on a phone and in chapters, and whether the tables are side by side.
SIDE_BY_SIDE = {358: False, 700: True, 760: True, 936: True, 1074: True}


def test_the_tables_of_the_programs_do_not_overlap(opened):
    several = [{}, {"shift": 80, "masked": True}, {"shift": 86, "head": 2}, {"shift": -60}, {"axis": "queries", "pin": [0, 2]}]
    several.append({"shift": -120, "temperature": 0.1, "precision": "float16"})
    page = opened(*(SoftmaxLab(part="overflow", **settings) for settings in several))
    for width, beside in SIDE_BY_SIDE.items():
        page.add_style_tag(content=f".attn-lab {{ width: {width}px !important }}")
        settled(page)
        shown = page.locator(".softmax-programs").evaluate_all(
            """all => all.map(node => [node.getBoundingClientRect().right, [...node.querySelectorAll('section')].map(one => {
            const { left, top } = one.getBoundingClientRect(); return [left, left + one.scrollWidth, top, top + one.scrollHeight];
            })])"""
        )
        for (edge, boxes), settings in zip(shown, several, strict=True):
            assert len(boxes) == 3
            for (_, right, top, bottom), (next_left, _, next_top, _) in itertools.pairwise(boxes):
                assert right + 8 <= next_left if abs(top - next_top) < 1 else bottom <= next_top, (width, settings)
            assert len({top for _, _, top, _ in boxes}) == (1 if beside else 3)
            assert all(right <= edge + 1 for _, right, _, _ in boxes), (width, settings)


def test_a_page_may_show_the_row_alone_without_controls(opened):
    page = opened(SoftmaxLab(parts=["row"], controls=[], chips=[]))
    settled(page)
    assert page.locator(".softmax-row").is_visible()
    for hidden in (".softmax-axis", ".softmax-overflow", ".tabs", ".controls", ".chips"):
        assert page.locator(hidden).is_hidden()
    score_bar(page, "girls").press("PageUp")
    assert shares_of(page)[0] == f"{float(SoftmaxLab(raised=[[GIRLS, 0, 1.0]]).weights[GIRLS, 0]):.3f}"
    alone = opened(SoftmaxLab(parts=["overflow"], controls=["precision"]))
    assert alone.locator(".softmax-overflow").is_visible() and alone.get_by_label("float16", exact=True).is_visible()
    assert alone.locator(".softmax-row").is_hidden() and alone.get_by_label("hide the first key").count() == 0


def test_a_link_with_scores_that_are_not_a_table_shows_an_error_and_reset_restores_the_start(opened):
    page = opened(chapter_lab(pin=[0, 0]), fragment="#lab-1?scores=[[1,2],[3]]")
    assert page.get_by_role("alert").inner_text().startswith("scores is a matrix: 1 to 7 rows")
    page.get_by_role("button", name="reset").click()
    assert shares_of(page) == ["0.001", "0.999", "0.000"]
