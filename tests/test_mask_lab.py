"""MaskLab: its masks equal the package's, its weights PyTorch's, and what is hidden gives its weight to the others."""

import random
import re

import pytest
import torch
import torch.nn.functional as F
import traitlets
from lab_pages import settled
from node import assert_agree, javascript_constants
from torch.testing import assert_close

import attn
from attn.labs import MaskLab
from attn.labs.mask.lab import FILLS, SHAPES, TEXTS
from attn.lessons import language, reader
from attn.lessons.text import PADDING

LENGTHS = [7, 5, 4]
B, S, D = 3, 7, 4
FOUND, GOLD = 4, 5  # places of these words in sentence 0


def by_loops(lab):
    """The intended mask, computed entry by entry from the rules."""
    keep = torch.zeros(B, lab.L, S, dtype=torch.bool)
    for b, length in enumerate(LENGTHS):
        for i in range(lab.L):
            at = S - lab.L + i if lab.corner == "bottom right" else i
            for j in range(S):
                word = j >= S - length if lab.pads == "in front" else j < length
                keep[b, i, j] = not (
                    (lab.causal and j > at)
                    or (lab.window is not None and not at - lab.window < j < at + lab.window)
                    or (lab.padding and not word)
                )
    for b, query, key, may in lab.painted:
        if query >= S - lab.L:
            keep[b, query - S + lab.L, key] = may == 1
    return keep.to(attn.device())


def random_settings(seed):
    choose = random.Random(seed)
    return {
        **{"L": choose.randint(1, 7), "H": choose.randint(2, 4), "causal": choose.random() < 0.7, "padding": choose.random() < 0.7},
        **{"window": choose.choice([None, choose.randint(1, 7)]), "pads": choose.choice(["behind", "in front"])},
        "corner": choose.choice(["bottom right", "top left"]),
        "painted": [[choose.randrange(n) for n in (B, S, S, 2)] for _ in range(choose.choice((0, 1, 9)))],
        "late": choose.random() < 0.3,
        **{"stored": choose.choice(SHAPES), "fill": choose.choice(FILLS), "dtype": choose.choice(["float32", "float16"])},
    }


def test_the_intended_mask_follows_the_rules():
    for seed in range(30):
        lab = MaskLab(**random_settings(seed))
        assert torch.equal(lab.keep, by_loops(lab)), lab


def test_the_weights_equal_those_of_the_package_for_the_scores_of_the_layer():
    lab = MaskLab(H=3, pads="in front", L=4, window=3)
    q = torch.linalg.cholesky(lab.scaled @ lab.scaled.mT + 9 * torch.eye(4, device=lab.scaled.device))  # any q, k with these scores
    k = torch.linalg.solve(q, lab.scaled).mT
    weights = attn.attention_steps(q, k, torch.zeros(B, 3, S, 2, device=q.device), lab.keep[:, None], scale=1.0).weights
    assert_close(lab.weights, weights, rtol=1e-4, atol=1e-5)


def test_the_scores_are_those_of_the_recorded_layer_and_its_heads_find_the_answers():
    lab = MaskLab()
    for b, text in enumerate(TEXTS):
        words = text.split()
        assert words in list(language.sentences(len(words), len(words)))
        ids = torch.tensor([[language.NUMBER[word] for word in words]])
        steps = reader.recorded().steps(ids)
        n = len(words)
        assert_close(lab.scaled[b, :, :n, :n].cpu(), steps.scaled[0].detach())
        assert_close(lab.weights[b, :, :n, :n].cpu(), steps.weights[0].detach(), rtol=1e-4, atol=1e-5)
        for asked in language.parse(words):
            if asked.answer is not None:
                assert int(lab.weights[b, reader.ASKED.index(asked.question), asked.asker].argmax()) == asked.answer


def test_a_word_has_the_same_scores_wherever_its_padding_stands():
    for H in (3, 4):
        behind, front = MaskLab(H=H), MaskLab(H=H, pads="in front")
        for b, n in enumerate(LENGTHS):
            assert_close(front.scaled[b, :, S - n :, S - n :], behind.scaled[b, :, :n, :n])
        assert behind.scaled.shape == (B, H, S, S) and behind.scaled.std() > 0.3


def test_what_is_hidden_gives_its_weight_to_the_others_in_proportion(subtests):
    plain = MaskLab(padding=False).weights.double()
    for rules in ({"causal": True}, {"causal": True, "padding": True}, {"window": 3}, {"painted": [[0, FOUND, GOLD, 0]]}):
        lab = MaskLab(**{"padding": False} | rules)
        with subtests.test(rules=rules):
            kept = plain * lab.expanded
            assert_close(lab.weights.double(), kept / kept.sum(-1, keepdim=True), rtol=1e-4, atol=1e-6)


def test_a_mask_after_softmax_hides_the_same_keys_and_gives_their_weight_to_nobody():
    early, late = MaskLab(causal=True), MaskLab(causal=True, late=True)
    assert torch.equal(early.weights == 0, late.weights == 0)
    assert_close(late.weights, MaskLab(padding=False).weights * late.expanded)
    sums = late.weights.sum(-1)
    assert_close(early.weights.sum(-1), torch.ones_like(sums))
    assert float(sums[0, 1, FOUND]) == pytest.approx(0.0195, abs=5e-4) and (sums <= 1.00001).all()


def test_each_fill_value_has_the_same_effect_on_a_fully_masked_row_as_in_torch():
    lab = MaskLab(pads="in front", causal=True)
    row = dict(zip(FILLS, lab.weights_by_fill[:, 1, 0, 0], strict=True))
    assert (row["zero"] == 0).all() and row["-inf"].isnan().all()
    for fill in ("-1e9", "finfo.min"):
        assert_close(row[fill], torch.full_like(row[fill], 1 / 7))
    assert_close(row["-1e4"], lab.scaled[1, 0, 0].softmax(0), rtol=1e-2, atol=1e-3)
    lab.dtype = "float16"
    row = dict(zip(FILLS, lab.weights_by_fill[:, 1, 0, 0], strict=True))
    assert row["-1e9"].isnan().all() and row["-1e9"].dtype == torch.float16
    assert_close(row["-1e4"], torch.full_like(row["-1e4"], 1 / 7))


def test_all_fill_values_agree_where_a_key_is_allowed():
    lab = MaskLab(causal=True)
    for weights in lab.weights_by_fill:
        assert_close(weights, lab.weights)
    assert (lab.weights[~lab.expanded] == 0).all()


@pytest.mark.parametrize("H", [2, 3, 4])
@pytest.mark.parametrize("stored", SHAPES)
def test_a_mask_is_expanded_as_torch_expands_it(H, stored):
    lab = MaskLab(H=H, stored=stored, window=2, painted=[[1, 4, 0, 1]])
    q, k, v = torch.randn(3, B, H, S, D, device=attn.device())
    if lab.error:
        with pytest.raises(RuntimeError, match=re.escape(lab.error)):
            F.scaled_dot_product_attention(q, k, v, attn_mask=lab.mask)
        assert (stored, lab.weights, lab.expanded) == ("B, L, S", None, None) and H != B
    else:
        assert (
            list(lab.mask.shape) == lab.shape and lab.expanded.untyped_storage().data_ptr() == lab.mask.untyped_storage().data_ptr()
        )
        one, other = (F.scaled_dot_product_attention(q, k, v, attn_mask=mask) for mask in (lab.mask, lab.expanded))
        assert_close(one, other)


def test_a_mask_is_kept_only_in_a_shape_with_all_the_axes_along_which_it_differs():
    def faithful(stored, **rules):
        lab = MaskLab(stored=stored, H=3, **rules)
        return torch.equal(lab.expanded, lab.keep[:, None].expand_as(lab.expanded))

    assert faithful("L, S", causal=True, padding=False) and faithful("B, 1, 1, S") and faithful("B, 1, L, S", causal=True)
    assert not faithful("L, S") and not faithful("B, 1, 1, S", causal=True) and not faithful("B, L, S")


def test_the_broadcast_costs_no_memory():
    assert MaskLab().strides == [49, 0, 7, 1] and MaskLab(stored="B, L, S", H=3).strides == [0, 49, 7, 1]


@pytest.mark.parametrize(
    "setting,error,message",
    [
        (
            {"painted": [[0, 1, 2, 1], [3, 0, 0, 1]]},
            ValueError,
            r"painted\[1\] = \[3, 0, 0, 1\]: an exception is \[sentence 0 to 2",
        ),
        ({"painted": [[0, 7, 2, 1]]}, ValueError, r"query 0 to 6"),
        ({"painted": [[0, 1, 2, 2]]}, ValueError, r"1 may attend or 0 may not"),
        ({"painted": [[0, 1, 2]]}, traitlets.TraitError, "painted"),
        ({"window": 0}, traitlets.TraitError, "window = 0: this lab takes window from 1 to 7"),
        ({"L": 8}, traitlets.TraitError, "L = 8"),
        ({"stored": "B, S"}, traitlets.TraitError, "stored"),
        ({"pin": [7, 0]}, traitlets.TraitError, "pin"),
    ],
)
def test_an_invalid_setting_is_refused_and_changes_nothing(setting, error, message):
    lab = MaskLab()
    before = lab.keep
    ((name, value),) = setting.items()
    with pytest.raises(error, match=message):
        setattr(lab, name, value)
    assert lab.keep is before and lab._message


def test_the_fallback_lists_the_words_that_each_word_may_attend_to():
    lab = MaskLab(pads="in front", causal=True, sentence=1)
    fallback = lab.fallback()
    rows = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", fallback)]
    assert rows[1][:2] == ["·", "nothing"] and rows[4][:2] == ["cooks", "old, cooks"]
    assert rows[4][2:] == [f"{weight:.2f}" for weight in lab.weights[1, 1, 3].tolist()]
    assert len(fallback) > 200 and "must match" in MaskLab(stored="B, L, S", H=2).fallback()


def test_python_and_javascript_have_the_same_constants():
    assert javascript_constants("mask/model", "SHAPES", "FILLS") == [list(SHAPES), list(FILLS)]
    assert javascript_constants("mask/rules", "PADDING") == [PADDING] and javascript_constants("mask/scores", "D") == [D]


def test_browser_and_kernel_compute_the_same():
    def tolerances(lab, name):
        return {"share": 2e-3} if lab.dtype == "float16" and name in ("weights_by_fill", "weights") else {}

    labs = [MaskLab(**random_settings(seed)) for seed in range(100, 140)]
    for results in assert_agree(labs, tolerances):
        assert set(results) == {"keep", "mask", "shape", "scaled", "expanded", "strides", "weights_by_fill", "weights", "error"}


# On a page ------------------------------------------------------------------------------------------------------------------------


GRID = ".mask-picture > .matrix"


def cell(page, i, j):
    return page.locator(f"{GRID} [role=gridcell]").nth(i * S + j)


def texts(page, i=None):
    """The texts of the cells, or those of row i."""
    settled(page)
    all_cells = page.locator(f"{GRID} [role=gridcell]").all_inner_texts()
    return all_cells if i is None else all_cells[i * S : (i + 1) * S]


def spelled(weights):
    """The weights of the chosen row."""
    return [f"{weight:.3f}" if weight else "0" for weight in weights]


def sentence(page):
    settled(page)
    return page.inner_text(".sentence")


def test_a_painted_cell_cuts_an_arc_and_the_others_get_its_weight(opened):
    page = opened(MaskLab())
    arcs = page.locator(".arcs > g:first-child path")
    assert sentence(page).startswith("“found” may attend to all 7 words.") and arcs.count() == 7
    cell(page, FOUND, GOLD).click()
    lab = MaskLab(painted=[[0, FOUND, GOLD, 0]])
    assert texts(page, FOUND) == spelled(lab.weights[0, 1, FOUND].tolist())
    assert arcs.count() == 6
    said = sentence(page)
    taken = float(MaskLab().weights[0, 1, FOUND, GOLD])
    factor = 1 / (1 - taken)
    assert said.startswith(
        f"“found” may attend to 6 of 7. You hid “gold”. The {taken:.3f} that this key had is shared by the others"
    )
    assert f"each is {factor:.1f} times as large" in said
    assert page.inner_text(".total") == "sum 1"
    cell(page, FOUND, GOLD).click()
    assert sentence(page).startswith("“found” may attend to all 7 words.") and arcs.count() == 7


def test_on_the_way_the_cut_arc_falls_and_the_weights_always_add_up_to_one(opened):
    page = opened(MaskLab(), reduced_motion="no-preference")
    settled(page)
    page.evaluate(
        """globalThis.sums = []; globalThis.falling = 0;
        new MutationObserver(() => {
          const parts = [...document.querySelectorAll('.mask-picture .portions > div')];
          sums.push(parts.reduce((sum, part) => sum + Number.parseFloat(part.style.width), 0));
          falling = Math.max(falling, document.querySelectorAll('.arcs > g:last-child path').length);
        }).observe(document.querySelector('.mask-picture'), { subtree: true, attributeFilter: ['style', 'transform'] });"""
    )
    page.get_by_label("what comes later").check()
    settled(page)
    sums = page.evaluate("sums")
    assert len(sums) > 3 and all(99.9 < total < 100.1 for total in sums)
    assert page.evaluate("falling") == 2, "gold and today fall"
    assert page.locator(".arcs > g:last-child path").count() == 0


def test_arcs_are_as_wide_as_their_weights_and_none_leads_to_a_hidden_key(opened):
    page = opened(MaskLab(causal=True))
    settled(page)
    paths = page.locator(".arcs > g:first-child path")
    widths = paths.evaluate_all("paths => paths.map(path => path.getBBox()).map(box => [box.x, box.x + box.width])")
    weights = MaskLab(causal=True).weights[0, 1, FOUND].tolist()
    columns = page.locator(".arcs").evaluate("node => node.clientWidth") / S
    band = float(page.locator(".arcs .base").get_attribute("width"))
    assert len(widths) == 5, "girls, near, old, kings and found itself"
    for j, (left, _) in enumerate(widths[:4]):
        assert left == pytest.approx((j + 0.5) * columns - max(2.4, band * weights[j]) / 2, abs=0.1)
    left, right = (float(re.search(end, paths.nth(FOUND).get_attribute("d"))[1]) for end in (r"^M([\d.]+) ", r"([\d.]+) 0Z"))
    assert right - left == pytest.approx(band * weights[FOUND], abs=0.1), "the foot of the loop from found to itself"
    assert max(right, *(right for _, right in widths[:4])) == pytest.approx((FOUND + 0.5) * columns + band / 2, abs=0.8)


def test_a_drag_paints_every_cell_like_the_first(opened):
    page = opened(MaskLab())
    start, end = (cell(page, 2, j).bounding_box() for j in (4, 1))
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 9, end["y"] + 9, steps=12)
    page.mouse.up()
    painted = [[0, 2, j, 0] for j in (4, 3, 2, 1)]
    assert texts(page, 2) == spelled(MaskLab(painted=painted).weights[0, 1, 2].tolist())
    assert sentence(page).startswith("“old” may attend to 3 of 7. You hid 4 places.")
    page.locator(".more summary").dispatch_event("click")
    page.get_by_role("button", name="clear what is painted").click()
    assert texts(page, 2) == spelled(MaskLab().weights[0, 1, 2].tolist())
    assert page.get_by_role("button", name="clear what is painted").is_disabled()


def test_a_finger_paints(opened):
    page = opened(MaskLab(), width=390, has_touch=True, is_mobile=True)
    cell(page, FOUND, GOLD).tap()
    assert texts(page, FOUND)[GOLD] == "0"


def test_the_keyboard_moves_and_paints_and_a_link_keeps_the_painted_cells(opened):
    page = opened(MaskLab(causal=True, pin=[0, 0]))
    page.locator(f"{GRID} [role=grid]").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        settled(page)
    why = "“near” (position 1) may not attend to “old” (2): it comes later."
    page.wait_for_function("why => document.querySelector('[role=status]').textContent.startsWith(why)", arg=why)
    page.keyboard.press("Space")
    want = MaskLab(causal=True, painted=[[0, 1, 2, 1]]).weights[0, 1, 1].tolist()
    assert texts(page, 1) == spelled(want)
    page.get_by_role("button", name="copy link").click()
    link = page.evaluate("location.hash")
    again = opened(MaskLab(causal=True, pin=[0, 0]), fragment=link)
    assert texts(again) == texts(page)
    page.locator(f"{GRID} [role=grid]").focus()
    page.keyboard.press("Space")
    settled(page)
    page.locator(".more summary").dispatch_event("click")
    assert page.get_by_role("button", name="clear what is painted").is_disabled(), (
        "a cell that agrees with the rules is not an exception"
    )


def test_a_word_above_or_beside_the_table_becomes_the_query(opened):
    page = opened(MaskLab())
    page.locator(f"{GRID} [role=columnheader]").nth(2).click()
    assert sentence(page).startswith("“old” may attend")
    page.locator(f"{GRID} [role=rowheader]").nth(6).click()
    assert sentence(page).startswith("“today” may attend")
    page.locator(".chosen-query input").press("Home")
    assert sentence(page).startswith("“girls” may attend")


def test_a_row_that_sees_nothing_is_shown_beside_its_fix_under_every_fill(opened):
    page = opened(MaskLab())
    page.get_by_role("button", name="a row that sees nothing").click()
    assert sentence(page).startswith(
        "NaN. Padding in front and causal: the padding at position 0 may see nothing, like one more query"
    )
    assert "In the next layer 0 · NaN is NaN" in sentence(page)

    def fates():
        settled(page)
        rows = page.locator(".fates .cells")
        return rows.evaluate_all("rows => rows.map(row => [...row.children].map(one => one.textContent))")

    lab = MaskLab(causal=True, pads="in front", sentence=1)
    assert fates() == [["NaN"] * S, ["0"] * S]
    assert page.locator(".arcs .ghosts path").count() == S, "the arcs that are not there are drawn as broken lines"
    assert texts(page, 0) == ["NaN"] * S and page.inner_text(".total") == "sum NaN"
    page.locator(".more summary").dispatch_event("click")
    for label, row, said in (("−1e9", ["0.143"] * S, "An average over hidden keys."), ("−∞, empty rows → 0", ["0"] * S, "Zeros.")):
        page.get_by_label(label, exact=True).check()
        assert texts(page, 0) == row and sentence(page).startswith(said)
        assert fates() == [["0.14"] * S, ["0"] * S]
    page.get_by_label("−1e4", exact=True).check()
    assert sentence(page).startswith("The weights without a mask.")
    shifted = [f"{weight:.2f}" for weight in lab.weights_by_fill[FILLS.index("-1e4"), 1, 1, 0].tolist()]
    assert fates() == [shifted, ["0"] * S] and shifted != ["0.14"] * S
    page.locator(".fates .cells").nth(1).click()
    assert sentence(page).startswith("Zeros.") and page.get_by_label("−∞, empty rows → 0", exact=True).is_checked()
    page.locator(".fates .cells").nth(0).click()
    settled(page)
    assert page.get_by_label("−1e4", exact=True).is_checked()
    page.locator(".chosen-query input").press("End")
    assert "may see nothing" in sentence(page) and page.locator(".fates").is_hidden()


def test_a_mask_after_softmax_leaves_rows_that_do_not_add_up_to_one(opened):
    page = opened(MaskLab())
    page.get_by_role("button", name="mask too late").click()
    assert sentence(page).startswith("The row of “found” adds up to 0.019, not 1.")
    assert page.inner_text(".total") == "sum 0.019" and page.inner_text(".message") == "0.981 is lost"
    assert page.inner_text("code.line") == "scores.softmax(-1) * mask" and page.get_by_label("after softmax: × 0").is_checked()
    page.locator(".more summary").dispatch_event("click")
    page.get_by_label("−1e9", exact=True).check()
    settled(page)
    assert page.inner_text(".total") == "sum 1" and page.inner_text("code.line").endswith(".softmax(-1)")


def test_a_query_that_does_not_see_itself_is_framed_and_named(opened):
    page = opened(MaskLab(L=2, causal=True, corner="top left", pin=[6, 0]))
    settled(page)
    framed = [cell(page, i, j).get_attribute("class") for i in range(2) for j in range(S)]
    assert [n for n, look in enumerate(framed) if "wrong" in look] == [5, 13]
    assert sentence(page).startswith("“today” does not see itself. The rules take query 1 for position 1")
    for j in (2, 3, 4, 5, 6):
        cell(page, 1, j).click()
    assert sentence(page).startswith("“today” may attend to all 7 words.")


def test_a_mask_of_three_axes_is_an_error_or_wrong_without_an_error(opened):
    page = opened(MaskLab(detail="broadcast", H=2, causal=True))
    page.get_by_label("(B, L, S) mask").check()
    assert "The size of tensor a (2) must match the size of tensor b (3)" in sentence(page)
    assert page.inner_text(".misfit") == "does not fit" and set(texts(page)) == {"✓", "·"}
    page.locator(".more summary").dispatch_event("click")
    page.locator("[data-axis=H] input").press("ArrowRight")
    lab = MaskLab(stored="B, L, S", causal=True)
    count = int((lab.expanded != lab.keep[:, None]).sum())
    assert sentence(page).startswith(f"{count} of 441 entries of the mask that arrives are not as intended, without an error.")
    assert page.locator(".facets .wrong").get_attribute("d").count("M") == count


@pytest.mark.parametrize(
    "fragment", ["#lab-1?painted=[[9,9,9,9],[0],%22x%22]", "#lab-1?pin=[9,9]&sentence=2", "#lab-1?L=1&corner=top left"]
)
def test_a_link_with_invalid_settings_still_shows_a_mask(opened, fragment):
    page = opened(MaskLab(), fragment=fragment)
    assert len(texts(page)) in (S, S * S) and page.locator(".problem").is_hidden()
    assert "may attend to" in sentence(page)


def test_an_experiment_shows_for_a_moment_what_was_there_before_its_mask(opened):
    page = opened(MaskLab(), reduced_motion="no-preference")
    settled(page)
    page.evaluate("""globalThis.firsts = []; new MutationObserver(() => {
      firsts.push(document.querySelectorAll('.mask-picture > .matrix [role=gridcell].no').length);
    }).observe(document.querySelector('.mask-picture'),
      { subtree: true, attributes: true, childList: true, characterData: true });""")
    page.get_by_role("button", name="hide padding").click()
    settled(page)
    hidden = page.evaluate("firsts")
    assert hidden[-1] == 2 * S and hidden.count(0) > 1, "first nothing is hidden, then both columns of padding"
    assert texts(page, 2) == spelled(MaskLab().weights[1, 1, 2].tolist())


def test_the_sentence_says_what_was_there_until_the_mask_is_drawn(opened):
    page = opened(MaskLab(), reduced_motion="no-preference")
    settled(page)
    page.evaluate("""globalThis.seen = []; new MutationObserver(() => {
      const hidden = document.querySelectorAll('.mask-picture > .matrix [role=gridcell].drawn.no').length;
      seen.push([document.querySelector('.sentence').textContent.includes('may attend to 5 of 7'), hidden]);
    }).observe(document.querySelector('.stage'), { subtree: true, childList: true, attributes: true, characterData: true });""")
    page.get_by_role("button", name="hide the future").click()
    settled(page)
    seen = page.evaluate("seen")
    assert [False, 0] in seen and seen[-1] == [True, 2]
    assert all(hidden == 2 for told, hidden in seen if told), "no sentence is ahead of its picture"


@pytest.mark.parametrize("width", [390, 1280])
def test_the_numbers_of_a_row_that_sees_nothing_stand_above_the_columns_of_the_table(opened, width):
    page = opened(MaskLab(**MaskLab.CHIPS[2][1]), width=width)
    settled(page)
    middles = "all => all.slice(0, 7).map(one => one.getBoundingClientRect()).map(({ x, width }) => x + width / 2)"
    above = page.locator(".fates .cells span").evaluate_all(middles)
    assert above == pytest.approx(page.locator(f"{GRID} [role=gridcell]").evaluate_all(middles), abs=1)


def test_the_sentence_speaks_of_what_is_shown(opened):
    page = opened(MaskLab(sentence=1, pin=[2, 3]))
    assert "1.43 times as large" in sentence(page) and page.inner_text(".hint").endswith(
        "Rows of padding are computed and ignored."
    )
    page.locator(".more summary").dispatch_event("click")
    page.get_by_label("four spellings").check()
    assert sentence(page) == (
        "“stole” may attend to 5 of 7. Its row has T in 5 of 7 places of “keep” and in 2 of “drop”, −∞ in 2 of “additive”, "
        "and 1 in 5 of “0 and 1”."
    )
    marked = [page.locator(".spelled section").nth(n).locator(".drawn").all_inner_texts() for n in range(4)]
    assert [row.count(one) for row, one in zip(marked, ("T", "T", "−∞", "1"), strict=True)] == [5, 2, 2, 5]


def test_of_all_keys_the_one_with_the_most_weight_has_the_strongest_colour(opened):
    page = opened(MaskLab(padding=False))
    headers = page.locator(f"{GRID} [role=columnheader]")
    settled(page)

    def strength():
        rgb = headers.evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor.match(/\\d+/g).map(Number))")
        return [765 - sum(one) for one in rgb]  # on white paper

    for query in (FOUND, 0):
        headers.nth(query).click()
        settled(page)
        weights = MaskLab(padding=False).weights[0, 1, query].tolist()
        strengths = strength()
        assert strengths.index(max(strengths)) == weights.index(max(weights))
        assert sorted(range(S), key=strengths.__getitem__) == sorted(range(S), key=weights.__getitem__)


def test_small_labs_show_one_part_each(opened):
    page = opened(
        MaskLab(parts=["broadcast"], controls=["H"], chips=[], question=""),
        MaskLab(parts=["spellings"], controls=["rules"], chips=[], question=""),
    )
    settled(page)
    first, second = (page.locator(".attn-lab-root").nth(n) for n in range(2))
    assert first.locator(".broadcast").is_visible() and not first.locator(".mask-picture").is_visible()
    assert second.locator(".spelled").is_visible() and not second.locator(".broadcast").is_visible()
    before = second.locator(".spelled").inner_text()
    second.get_by_label("what comes later").check()
    settled(page)
    assert second.locator(".spelled").inner_text() != before


def test_all_panels_fit_on_a_phone(opened):
    for detail in ("spellings", "broadcast"):
        page = opened(MaskLab(H=4, detail=detail), width=360)
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, detail
