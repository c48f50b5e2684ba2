"""GridLab: its tensors equal torch's, the browser computes the same, and every way to select a number leads to that number."""

import json
import random

import pytest
import torch
import traitlets
from lab_pages import settled
from node import assert_agree
from playwright.sync_api import expect

from attn.labs import GridLab
from attn.labs.bundle import SOURCE
from attn.plots.paper import INDEX_COLOURS
from attn.shapes import ShapeError


def test_both_orders_share_the_same_memory():
    lab = GridLab()
    assert torch.equal(lab.x.flatten().cpu(), torch.arange(120))
    assert torch.equal(lab.y, lab.x.transpose(1, 2))
    assert lab.x.data_ptr() == lab.y.data_ptr()
    assert (lab.x.stride(), lab.y.stride()) == ((60, 12, 4, 1), (60, 4, 12, 1))
    assert lab.y[1, 2, 1, 3] == lab.offset1 == lab.offset2 == 83


def test_a_copy_moves_the_numbers_in_memory_but_not_in_the_table():
    lab = GridLab()
    before = lab.y
    lab.copied = True
    assert torch.equal(lab.y, before)
    assert lab.y.stride() == (60, 20, 4, 1)
    assert (lab.offset1, lab.offset2) == (83, 107)
    assert lab.storage[107] == 83
    assert not lab.shared


@pytest.mark.parametrize("sizes", [{"H": 1}, {"L": 1}])
def test_a_contiguous_tensor_is_not_copied(sizes):
    lab = GridLab(**sizes, copied=True)
    assert lab.shared
    assert lab.contiguous2


def test_the_index_stays_inside_a_size_that_shrinks():
    lab = GridLab()
    lab.H = 2
    assert lab.index == [1, 1, 1, 3]
    lab.L = 1
    assert lab.index == [1, 1, 0, 3]
    assert GridLab(B=1, D=2).index == [0, 2, 1, 1]


def test_the_error_for_an_index_outside_the_sizes_names_the_wrong_letter():
    lab = GridLab()
    with pytest.raises(ShapeError, match=r"index = \[1, 3, 1, 3\] is \[b, h, l, d\], but H = 3: h goes from 0 to 2"):
        lab.index = [1, 3, 1, 3]
    assert lab.index == [1, 2, 1, 3]
    with pytest.raises(traitlets.TraitError, match="this lab takes D, width of one head, from 1 to 8"):
        lab.D = 9
    with pytest.raises(traitlets.TraitError):
        lab.index = [0, 0, 0]


def test_without_javascript_both_ways_to_the_number_are_worked_out():
    shown = GridLab().fallback()
    assert "(60, 12, 4, 1)" in shown and "(60, 4, 12, 1)" in shown
    assert "1·60 + 1·12 + 2·4 + 3·1 = 83" in shown
    assert "1·60 + 2·4 + 1·12 + 3·1 = 83" in shown
    assert "x[1, 1, 2, 3]" in shown and "y[1, 2, 1, 3]" in shown
    assert "1·60 + 2·20 + 1·4 + 3·1 = 107" in GridLab(copied=True).fallback()


def test_the_heads_have_the_colours_of_the_figures():
    assert json.dumps(list(INDEX_COLOURS)) in (SOURCE / "kit" / "colours.js").read_text(encoding="utf-8")


def random_settings(seed):
    choose = random.Random(seed)
    sizes = {axis: choose.randint(1, 8 if choose.random() < 0.2 else 4) for axis in "BHLD"}
    return sizes | {"copied": choose.random() < 0.5, "index": [choose.randrange(n) for n in sizes.values()]}


def test_browser_and_kernel_compute_the_same():
    labs = [GridLab(**random_settings(seed)) for seed in range(40)]
    for results in assert_agree(labs, lambda *_: {"share": 0}):
        assert set(results) == {"values", "strides1", "strides2", "offset1", "offset2", "contiguous2", "shared", "storage"}
    kinds = {(False, True, False), (False, True, True), (True, True, True), (True, False, True)}
    assert {(lab.copied, lab.shared, lab.contiguous2) for lab in labs} == kinds, "the random settings do not include every kind"
    assert {1, 5, 8} <= {size for lab in labs for size in (lab.H, lab.L)}, "the random settings do not include every kind of size"


# In a browser --------------------------------------------------------------------------------------------------------


@pytest.fixture
def page(opened):
    return opened(GridLab())


def panels(page):
    """The tables of both orders, row by row: shape, strides, index and position."""
    settled(page)
    return [panel.locator(".grid-facts tr").all_inner_texts() for panel in page.locator(".grid-order").all()]


def words(row):
    return row.replace("+", " ").split()


def cell(page, order, value):
    return page.locator(f".grid-order-{order} [role=gridcell]", has_text=str(value)).first


def found(page):
    settled(page)
    return page.locator(".grid-found").inner_text()


def marked(page, order):
    return [int(text) for text in page.locator(f".grid-order-{order} .chosen").all_inner_texts()]


def picture(page):
    """The drawing of memory: the strip, and the numbers in the window onto it."""
    return page.locator(".grid-memory").first.evaluate("node => node.querySelector('canvas').toDataURL() + node.innerText")


def test_a_table_in_one_order_is_a_strip_of_every_row_in_the_other(page):
    lab = GridLab()
    assert sorted(marked(page, 1)) == marked(page, 2) == lab.y[1, 2].flatten().tolist()
    assert "y[1, 2] = x[1, :, 2]" in found(page)
    assert "20 numbers in 5 pieces of 4, each 12 places after the one before" in found(page)


def test_clicks_lead_down_to_one_number_and_the_breadcrumbs_back_up(page):
    lab = GridLab()
    for level, chosen in (("row 1", lab.y[1, 2, 1]), ("cell 3", lab.y[1, 2, 1, 3])):
        cell(page, 2, 83).click()
        settled(page)
        assert page.locator(".grid-order-2 [aria-current=true]").inner_text() == level
        assert marked(page, 1) == marked(page, 2) == chosen.flatten().tolist()
    assert "y[1, 2, 1, 3] = x[1, 1, 2, 3] = 83" in found(page)
    assert [words(panel[-1]) for panel in panels(page)] == [
        ["place", "1·60", "1·12", "2·4", "3·1", "=", "83"],
        ["place", "1·60", "2·4", "1·12", "3·1", "=", "83"],
    ]
    page.locator(".grid-order-1 .grid-crumb").nth(2).click()
    assert "x[1, 1] = y[1, :, 1]\na row: 12 numbers in one piece" in found(page)
    assert marked(page, 1) == lab.x[1, 1].flatten().tolist()
    page.locator(".grid-tab").first.click()
    assert "a folder: 60 numbers in one piece" in found(page)
    page.locator(".grid-order-2 .grid-crumb").first.click()
    assert "y = x.transpose(1, 2)\na drawer: 120 numbers in one piece" in found(page)


def test_the_keyboard_reaches_every_number(page):
    lab = GridLab()
    page.locator(".grid-order-2 [role=gridcell][tabindex='0']").focus()
    for key in ("Enter", "Enter", "Home", "PageUp", "ArrowUp"):
        page.keyboard.press(key)
    assert "y[0, 0, 0, 0] = x[0, 0, 0, 0] = 0" in found(page)
    seen = []
    for _ in range(5):
        for _ in range(12):
            settled(page)
            seen.append(int(page.locator(".grid-order-2 .only").inner_text()))
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowDown")
    assert seen == lab.x[0].flatten().tolist()
    expect(page.locator(".live-region")).to_have_text("sample 0, head 0, token 4, number 0: value 48 at place 48 of memory")
    page.keyboard.press("Escape")
    assert "y[0, 0, 4]" in found(page)


def test_a_walk_through_memory_visits_the_numbers_in_memory_order(page):
    page.locator(".switch input").check()
    settled(page)
    lab = GridLab(copied=True)
    walk = page.locator(".grid-memory input").nth(1)
    walk.focus()
    page.keyboard.press("Home")
    for place in range(30):
        index = tuple(lab.y.view(-1).eq(lab.storage[place]).nonzero().flatten().tolist())
        assert index == (place,)
        assert f"= {int(lab.storage[place])}\n" in found(page)
        assert f"at place {place} of the copy" in found(page)
        page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
@pytest.mark.parametrize("at,axis", list(enumerate("BLHD")))
def test_a_slider_changes_shape_strides_and_memory(page, at, axis, how):
    before, old = panels(page), picture(page)
    slider = page.locator(".slider input").nth(at)
    if how == "mouse":
        slider.click(position={"x": 3, "y": 12})
    else:
        slider.focus()
        page.keyboard.press("Home")
    lab = GridLab(**{axis: 1})
    after = panels(page)
    assert after != before
    assert picture(page) != old
    for panel, tensor in zip(after, (lab.x, lab.y), strict=True):
        assert words(panel[1]) == ["shape", *map(str, tensor.shape)]
        assert words(panel[2]) == ["strides", *map(str, tensor.stride())]
    assert (page.locator(".notes").inner_text().startswith(f"{axis} = 1")) == (axis in "HL")


def test_a_copy_has_its_own_memory(page):
    memories = page.locator(".grid-memory:visible")
    assert memories.count() == 1
    page.locator(".switch input").press("Space")
    settled(page)
    assert memories.count() == 2
    assert words(panels(page)[1][2]) == ["strides", "60", "20", "4", "1"]
    assert "5 pieces of 4, each 12 places after the one before; in the copy in one piece" in found(page)
    page.get_by_role("button", name="reset").click()
    settled(page)
    assert memories.count() == 1


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_the_page_never_scrolls_sideways(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    for at in range(4):
        page.locator(".slider input").nth(at).press("End")
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
