"""MaskLab: its masks equal the package's, its weights PyTorch's, and every change of a mask is drawn at once."""

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
from attn.labs.mask.lab import FILLS, SHAPES
from attn.labs.mask.lab import D as WIDTH
from attn.lessons.text import PADDING

LENGTHS = [6, 5, 3]
B, S, D = 3, 6, 4


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
        **{"L": choose.randint(1, 6), "H": choose.randint(2, 4), "causal": choose.random() < 0.7, "padding": choose.random() < 0.7},
        **{"window": choose.choice([None, choose.randint(1, 6)]), "pads": choose.choice(["behind", "in front"])},
        "corner": choose.choice(["bottom right", "top left"]),
        "painted": [[choose.randrange(n) for n in (B, S, S, 2)] for _ in range(choose.choice((0, 1, 9)))],
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


def test_the_scores_are_those_of_projected_words():
    """In a sentence that is shifted by its padding, the scores are the same, shifted."""
    behind, front = MaskLab(padding=False, causal=False), MaskLab(padding=False, causal=False, pads="in front")
    assert_close(front.scaled[1], behind.scaled[1].roll((1, 1), (-2, -1)))
    words = behind.scaled[0]
    assert_close(words[:, 0], words[:, 4])  # "the" occurs twice, so two queries are equal
    assert MaskLab(H=4).scaled.shape == (B, 4, 6, 6) and behind.scaled.std() > 0.3


def test_each_fill_value_has_the_same_effect_on_a_fully_masked_row_as_in_torch():
    lab = MaskLab(pads="in front")
    row = dict(zip(FILLS, lab.weights_by_fill[:, 1, 0, 0], strict=True))
    assert (row["zero"] == 0).all() and row["-inf"].isnan().all()
    for fill in ("-1e9", "finfo.min"):
        assert_close(row[fill], torch.full_like(row[fill], 1 / 6))
    assert_close(row["-1e4"], lab.scaled[1, 0, 0].softmax(0), rtol=1e-2, atol=1e-3)
    lab.dtype = "float16"
    row = dict(zip(FILLS, lab.weights_by_fill[:, 1, 0, 0], strict=True))
    assert row["-1e9"].isnan().all() and row["-1e9"].dtype == torch.float16
    assert_close(row["-1e4"], torch.full_like(row["-1e4"], 1 / 6))


def test_all_fill_values_agree_where_a_key_is_allowed():
    lab = MaskLab()
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

    assert faithful("L, S", padding=False) and faithful("B, 1, 1, S", causal=False) and faithful("B, 1, L, S")
    assert not faithful("L, S") and not faithful("B, 1, 1, S") and not faithful("B, L, S")


def test_the_broadcast_costs_no_memory():
    assert MaskLab().strides == [36, 0, 6, 1] and MaskLab(stored="B, L, S", H=3).strides == [0, 36, 6, 1]


@pytest.mark.parametrize(
    "setting,error,message",
    [
        (
            {"painted": [[0, 1, 2, 1], [3, 0, 0, 1]]},
            ValueError,
            r"painted\[1\] = \[3, 0, 0, 1\]: an exception is \[sentence 0 to 2",
        ),
        ({"painted": [[0, 6, 2, 1]]}, ValueError, r"query 0 to 5"),
        ({"painted": [[0, 1, 2, 2]]}, ValueError, r"1 may look or 0 may not"),
        ({"painted": [[0, 1, 2]]}, traitlets.TraitError, "painted"),
        ({"window": 0}, traitlets.TraitError, "window = 0: this lab takes window from 1 to 6"),
        ({"L": 7}, traitlets.TraitError, "L = 7"),
        ({"stored": "B, S"}, traitlets.TraitError, "stored"),
        ({"pin": [6, 0]}, traitlets.TraitError, "pin"),
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
    fallback = MaskLab(pads="in front", head=1).fallback()
    rows = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", fallback)]
    assert rows[1][:2] == ["·", "nothing"] and rows[3][:2] == ["chase", "dogs, chase"]
    weights = MaskLab(pads="in front").weights[1, 1, 2].tolist()
    assert rows[3][2:] == [f"{weight:.2f}" for weight in weights]
    assert len(fallback) > 200 and "must match" in MaskLab(stored="B, L, S").fallback()


def test_python_and_javascript_have_the_same_constants():
    assert javascript_constants("mask/model", "D", "SHAPES", "FILLS") == [WIDTH, list(SHAPES), list(FILLS)]
    assert javascript_constants("mask/rules", "PADDING") == [PADDING]


def test_browser_and_kernel_compute_the_same():
    def tolerances(lab, name):
        return {"share": 2e-3} if lab.dtype == "float16" and name in ("weights_by_fill", "weights") else {}

    labs = [MaskLab(**random_settings(seed)) for seed in range(100, 140)]
    for results in assert_agree(labs, tolerances):
        assert set(results) == {"keep", "mask", "shape", "scaled", "expanded", "strides", "weights_by_fill", "weights", "error"}


# On a page ------------------------------------------------------------------------------------------------------------------------


def cell(page, i, j, table=0):
    return page.locator(".pair .matrix").nth(table).locator("[role=gridcell]").nth(i * S + j)


def texts(page, table=0):
    settled(page)
    return page.locator(".pair .matrix").nth(table).locator("[role=gridcell]").all_inner_texts()


def test_a_drag_paints_every_cell_like_the_first_and_updates_the_weights(opened):
    page = opened(MaskLab())
    start, end = (cell(page, 2, j).bounding_box() for j in (4, 1))  # across cells that are already allowed
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 9, end["y"] + 9, steps=12)
    page.mouse.up()
    assert texts(page)[12:18] == ["✓", "✓", "✓", "✓", "✓", "·"]
    want = MaskLab(painted=[[1, 2, 4, 1], [1, 2, 3, 1]]).weights[1, 0, 2].tolist()
    assert texts(page, 1)[12:18] == [f"{weight:.2f}" if weight else "0" for weight in want]
    cell(page, 2, 4).hover()
    settled(page)
    assert "you painted it so" in page.inner_text(".cell")
    page.get_by_role("button", name="clear what is painted").click()
    assert texts(page)[12:18] == ["✓", "✓", "✓", "·", "·", "·"]
    assert page.get_by_role("button", name="clear what is painted").is_disabled()


def test_the_keyboard_moves_and_paints_and_a_link_keeps_the_painted_cells(opened):
    page = opened(MaskLab(pin=[0, 0]))
    page.locator(".pair [role=grid]").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        settled(page)
    assert page.inner_text(".cell").startswith("“chase” (position 1) may not look at “the” (2): it comes later.")
    page.keyboard.press("Space")
    assert texts(page)[8] == "✓" and "may look at “the” (2): you painted it so" in page.inner_text(".cell")
    page.get_by_role("button", name="copy link").click()
    link = page.evaluate("location.hash")
    again = opened(MaskLab(pin=[0, 0]), fragment=link)
    assert texts(again)[8] == "✓" and texts(again, 1) == texts(page, 1)
    page.locator(".pair [role=grid]").first.focus()
    page.keyboard.press("Space")
    settled(page)
    assert page.get_by_role("button", name="clear what is painted").is_disabled(), (
        "a cell that agrees with the rules is not an exception"
    )


def test_a_fully_masked_row_is_named_and_shown_for_every_fill_value(opened):
    page = opened(MaskLab(pads="in front"))
    assert page.inner_text(".notes").startswith("⚠ The query at position 0 may see nothing.")
    page.get_by_label("the row that sees nothing").check()
    settled(page)
    table = page.locator(".matrix:has([role=rowheader]:text('finfo.min')) [role=gridcell]")
    rows = [table.all_inner_texts()[n : n + S] for n in range(0, 30, S)]
    assert rows[:4] == [["0"] * 6, ["NaN"] * 6, ["0.17"] * 6, ["0.17"] * 6] and rows[4] != rows[3]
    assert page.locator(".pair .empty").count() == 0, "such a row should be all zeros"
    page.get_by_text("after softmax, a row that sees nothing gets zeros; the row is all zeros.").wait_for()
    page.get_by_label("−1e9").check()
    assert texts(page, 1)[:6] == ["0.17"] * 6 and page.locator(".pair .empty").count() == 6
    page.get_by_label("float16").check()
    assert texts(page, 1)[:6] == ["NaN"] * 6
    page.get_by_text("a forbidden score gets −∞ added; the row is NaN.").wait_for()


def test_a_query_that_does_not_see_itself_is_framed_and_named(opened):
    page = opened(MaskLab(L=2, sentence=0, corner="top left"))
    settled(page)
    framed = [cell(page, i, j).get_attribute("class") or "" for i in range(2) for j in range(S)]
    assert [n for n, look in enumerate(framed) if "bad" in look] == [4, 11]
    assert "“mat” (position 5) do not see themselves." in page.inner_text(".pair ~ .notes")
    for j in (2, 3, 4, 5):
        cell(page, 1, j).click()
    assert texts(page)[6:12] == ["✓"] * 6 and page.inner_text(".pair ~ .notes").startswith("⚠ “the” (position 4) does not")


def test_a_mask_of_three_axes_is_an_error_or_wrong_without_an_error(opened):
    page = opened(MaskLab(detail="broadcast"))
    page.get_by_label("(B, L, S) mask").check()
    settled(page)
    assert "The size of tensor a (2) must match the size of tensor b (3)" in page.inner_text(".pair ~ .notes")
    assert page.inner_text(".misfit") == "does not fit" and set(texts(page, 1)) == {"–"}
    page.locator("[data-axis=H] input").press("ArrowRight")
    settled(page)
    assert page.inner_text(".pair ~ .notes") == "⚠ 24 of 324 entries of the expanded mask are not as intended."
    assert page.locator(".facets .wrong").get_attribute("d").count("M") == 24


@pytest.mark.parametrize(
    "fragment", ["#lab-1?painted=[[9,9,9,9],[0],%22x%22]", "#lab-1?pin=[9,9]&sentence=2", "#lab-1?L=1&corner=top left"]
)
def test_a_link_with_invalid_settings_still_shows_a_mask(opened, fragment):
    page = opened(MaskLab(), fragment=fragment)
    assert texts(page)[0] == "✓" and page.locator(".problem").is_hidden()


def test_all_panels_fit_on_a_phone(opened):
    page = opened(MaskLab(H=4), width=360)
    for panel in ("the broadcast", "the row that sees nothing", "four spellings"):
        page.get_by_label(panel).check()
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, panel
