"""ProductLab: its products and messages equal those of torch, and the browser computes the same."""

import random
import re
import warnings

import pytest
import torch
import traitlets
from lab_pages import settled, shown
from node import assert_agree, javascript_constants
from playwright.sync_api import expect
from torch.testing import assert_close

import attn
from attn.labs import ProductLab
from attn.labs.product.lab import PRODUCTS
from attn.lessons import language, reader


def torch_on(lab):
    """The result of running the code in torch, or torch's error message."""
    try:
        return torch_on_operands(lab.product, lab.q, lab.k)
    except RuntimeError as error:
        return str(error)


def torch_on_operands(product, q, k):
    (B, H, L, D), S = q.shape, k.shape[2]
    names = {"q": q, "k": k, "B": B, "H": H, "L": L, "S": S, "D": D}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # k.T is deprecated
        return eval(product, names)


def random_settings(seed):
    choose = random.Random(seed)
    most = choose.choice((2, 4, 8))  # small sizes coincide often
    sizes = {**{axis: choose.randint(1, most) for axis in "LSD"}, **{axis: choose.randint(1, min(most, 4)) for axis in "BH"}}
    chosen = {**sizes, "product": choose.choice(list(PRODUCTS)), "seed": choose.randint(0, 9999)}
    if seed % 4 == 0:  # the recorded layer
        chosen |= {"H": 3, "D": 4, "L": min(sizes["L"], 7), "S": min(sizes["S"], 7), "seed": 0}
    return {**chosen, "front": [choose.randint(0, 3), choose.randint(0, 3)], "nudge": choose.choice([None, 0, 2, 9])}


def in_front(lab, tensor):
    """The sheet of a (B, H, ...) that is drawn."""
    return tensor[min(lab.front[0], lab.B - 1), min(lab.front[1], lab.H - 1)]


def test_every_product_equals_the_result_of_its_code_in_torch():
    seen = set()
    for seed in range(200):
        lab = ProductLab(**random_settings(seed))
        want = torch_on(lab)
        if isinstance(want, str):
            assert (lab.out, lab.result, lab.message) == (None, None, want)
        else:
            assert lab.message == ""
            assert_close(lab.out, want, rtol=0, atol=0)
            assert_close(lab.result, in_front(lab, want), rtol=0, atol=0)
        seen.add(lab.means if lab.out is not None else re.sub(r"\d+", "N", lab.message))
    assert {"scores", "turned", "nothing"} < seen and len(seen) == 5  # and torch's two error messages about four axes


def test_browser_and_kernel_compute_the_same():
    labs = [ProductLab(**random_settings(seed)) for seed in range(100)]
    assert_agree(labs)
    assert {lab.trained for lab in labs} == {lab.changed is None for lab in labs} == {True, False}
    alone = {re.sub(r"\d+x\d+", "NxN", lab.alone) for lab in labs}
    assert alone == {"", "mat1 and mat2 shapes cannot be multiplied (NxN and NxN)"}


def test_python_and_javascript_have_the_same_products():
    (products,) = javascript_constants("product/model", "PRODUCTS")
    assert [(code, product["turned"]) for code, product in products.items()] == [
        (code, turned) for code, (turned, _) in PRODUCTS.items()
    ]


def test_random_numbers_are_small_whole_numbers_without_0_and_do_not_change_with_the_sizes():
    lab = ProductLab(L=4, S=5, D=3)
    q, k = lab.q.clone(), lab.k.clone()
    assert lab.k.unique().tolist() == [-3, -2, -1, 1, 2, 3] and not lab.trained
    lab.B, lab.H, lab.L, lab.S, lab.D = 3, 4, 8, 8, 8
    assert_close(lab.q[:2, :3, :4, :3], q)
    assert_close(lab.k[:2, :3, :5, :3], k)
    lab.seed = 1
    assert not torch.equal(lab.k[:2, :3, :5, :3], k)


def test_at_its_sizes_q_and_k_are_those_of_the_recorded_layer():
    lab = ProductLab(B=3, L=5, S=7, seed=0)
    ids = torch.tensor([[language.NUMBER[word] for word in text.split()] for text in language.EXAMPLES[:3]])
    with torch.no_grad():
        steps = reader.recorded().steps(ids)
    assert lab.trained and [" ".join(words) for words in lab.words(7)] == list(language.EXAMPLES[:3])
    assert_close(lab.q.cpu(), steps.q[:, :, :5])
    assert_close(lab.k.cpu(), steps.k)
    assert_close(lab.out.cpu(), steps.scores[:, :, :5])
    for change in ({"D": 5}, {"H": 2}, {"L": 8}, {"S": 8}, {"seed": 1}):
        assert not ProductLab(**({"seed": 0} | change)).trained


@pytest.mark.parametrize("product", list(PRODUCTS))
@pytest.mark.parametrize("sizes", [{}, {"S": 4}, {"D": 5}, {"B": 3, "H": 3, "S": 3, "D": 3}])
def test_a_nudged_key_changes_exactly_the_cells_that_torch_says(product, sizes):
    """Torch says it with another key: random numbers in the place of key 2."""
    still = ProductLab(product=product, **sizes)
    lab = ProductLab(product=product, **sizes, nudge=2, front=[1, 1])
    assert_close(lab.k[:, :, [0, 1, *range(3, lab.S)]], still.k[:, :, [0, 1, *range(3, lab.S)]], rtol=0, atol=0)
    added = lab.k[:, :, 2] - still.k[:, :, 2]
    assert (added - 1).abs().max() < 0.5
    if lab.message:
        assert lab.changed is None
        return
    other = still.k.clone()
    other[:, :, 2] = torch.randn(other[:, :, 2].shape, generator=torch.Generator().manual_seed(0)).to(other)
    differs = torch_on_operands(product, still.q, other) != torch_on_operands(product, still.q, still.k)
    assert torch.equal(lab.changed, in_front(lab, differs))
    if lab.means == "scores" and lab.S > 1:
        assert lab.changed.any(0).nonzero().tolist() == [[2]] and lab.changed[:, 2].all()


def test_a_key_that_does_not_exist_any_more_stands_for_the_last_one():
    lab = ProductLab(nudge=6)
    lab.S = 4
    assert lab.changed.any(0).nonzero().tolist() == [[3]]


def test_the_scores_are_those_of_attention():
    lab = ProductLab()
    assert_close(lab.out, attn.attention_steps(lab.q, lab.k, lab.k).scores)
    assert lab.means == "scores" and lab.out.device.type == attn.device().type
    lab.product = "k @ q.transpose(-2, -1)"
    assert_close(lab.out, attn.attention_steps(lab.q, lab.k, lab.k).scores.mT)
    assert lab.means == "turned" and lab.shapes[2] == [2, 3, 7, 5]


def test_a_forgotten_transpose_mixes_keys_and_a_reshape_is_right_only_for_a_single_row_or_column():
    lab = ProductLab(product="q @ k", D=7)
    assert lab.means == "nothing" and lab.message == ""
    assert_close(lab.result[2], sum(lab.q[0, 0, 2, d] * lab.k[0, 0, d] for d in range(7)))
    for S in (1, 2, 5):
        for D in (1, 2, 4):
            assert (ProductLab(product="q @ k.reshape(B, H, D, S)", S=S, D=D).means == "scores") == (1 in (S, D))


def test_reversing_all_axes_is_right_only_for_a_single_head():
    lab = ProductLab(product="q @ k.T")
    assert (lab.message, lab.alone) == (
        "The size of tensor a (3) must match the size of tensor b (7) at non-singleton dimension 1",
        "",
    )
    lab = ProductLab(product="q @ k.T", B=3, H=3, S=3, D=3)
    assert (lab.message, lab.means) == ("", "nothing")


def test_an_invalid_setting_is_refused():
    lab = ProductLab()
    with pytest.raises(traitlets.TraitError, match=r"S = 13: this lab takes S, .* from 1 to 12"):
        lab.S = 13
    with pytest.raises(traitlets.TraitError):
        lab.product = "q * k"
    with pytest.raises(traitlets.TraitError):
        lab.pin = [1]
    with pytest.raises(traitlets.TraitError):
        lab.summed = -1
    with pytest.raises(traitlets.TraitError):
        lab.nudge = -1
    with pytest.raises(traitlets.TraitError):
        lab.colour = "head"
    assert lab.product == "q @ k.transpose(-2, -1)" and lab.out.shape == (2, 3, 5, 7)


def test_the_fallback_has_the_result_or_the_message_of_every_product():
    fallback = re.sub("<.*?>", "", ProductLab().fallback())  # without the colours of letters
    for product in PRODUCTS:
        assert product in fallback
    assert fallback.count("no error, and no cell is a query times a key") == 1
    assert "(2, 3, 5, 7): cell [i, j] is query i times key j" in fallback and "[6, 4] but got: [6, 7]." in fallback


# On a page ------------------------------------------------------------------------------------------------------------------------


def sentence(page):
    settled(page)
    return page.inner_text(".sentence")


def test_a_cell_is_summed_product_by_product(opened):
    lab = ProductLab(pin=[1, 2], seed=1)
    page = opened(lab)
    products = (lab.q[0, 0, 1] * lab.k[0, 0, 2]).int().tolist()
    slider = page.get_by_label("products summed")
    assert f"the sum is {sum(products)}.".replace("-", "−") in sentence(page)
    slider.focus()
    for done in (3, 2, 1, 0):
        before = shown(page)
        page.keyboard.press("ArrowLeft")
        assert f"the first {done} of 4 products add up to {sum(products[:done])}.".replace("-", "−") in sentence(page)
        assert shown(page) != before
    page.keyboard.press("End")
    assert "the sum is" in sentence(page)


def test_arrow_keys_walk_through_the_result(opened):
    page = opened(ProductLab(pin=[1, 2]))
    page.locator("canvas").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert "[2, 4]: query 2 (old) meets key 4 (found)" in sentence(page)
    assert "[2, 4]: query 2 (old)" in page.locator("canvas").get_attribute("aria-label")
    page.locator("[role=status]").get_by_text("query 2 (old) meets key 4", exact=False).wait_for(state="attached")
    page.keyboard.press("Escape")
    assert "[2, 4]" not in sentence(page) and page.get_by_label("products summed").is_hidden()
    page.keyboard.press("ArrowLeft")
    assert "[2, 3]: query 2 (old) meets key 3 (kings)" in sentence(page)
    page.keyboard.press("PageDown")
    settled(page)
    assert "In front: sentence 0, head 1." in page.locator(".hint").text_content()


def test_a_click_on_a_row_a_column_or_a_cell_chooses_the_cell(opened):
    page = opened(ProductLab(), reduced_motion="reduce")
    found = page.evaluate(
        """() => {
          const box = document.querySelector('canvas').getBoundingClientRect();
          const found = {};
          for (let x = Math.floor(box.width) - 20; x > 60; x -= 50) for (let y = 20; y < box.height; y += 30) {
            if (Object.keys(found).length === 35) break;
            const at = { clientX: box.left + x, clientY: box.top + y }; // the result is right
            const node = document.elementFromPoint(at.clientX, at.clientY);
            node?.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse', bubbles: true, ...at }));
            found[document.querySelector('.sentence').innerText.match(/\\[\\d, \\d\\]/)[0]] = [at.clientX, at.clientY];
          }
          return found;
        }"""
    )
    assert len(found) == 35, "each cell of the result can be pointed at"
    page.mouse.move(*found["[3, 5]"])
    assert "[3, 5]" in sentence(page)
    page.mouse.move(1, 1)
    assert "[2, 3]" in sentence(page)


def test_a_click_on_a_score_beside_a_wrong_result_chooses_its_cell(opened):
    page = opened(ProductLab(product="q @ k.reshape(B, H, D, S)", pin=[4, 0]), reduced_motion="reduce")
    canvas = page.locator("canvas")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] - 16, "y": box["height"] - 50})
    assert "[4, 6]: query 4 (found) meets numbers of keys" in sentence(page)


def test_a_product_that_does_not_fit_shows_the_message_of_torch_and_no_result(opened):
    lab = ProductLab(product="q @ k")
    page = opened(lab)
    assert page.locator(".refusal").is_hidden()
    page.locator("summary").dispatch_event("click")
    assert page.inner_text(".refusal") == f"RuntimeError: {lab.message}"
    assert page.inner_text(".alone") == "Here 6 is B·H, the number of heads in all sentences."
    page.get_by_label("q @ k.T", exact=True).check()
    settled(page)
    assert page.inner_text(".alone") == "One head alone, q[0, 0] @ k[0, 0].T, fits: two axes reversed are two axes exchanged."
    page.get_by_label("q @ k", exact=True).check()
    assert "They do not fit: q has 4 columns, k has 7 rows. No column of q meets “found”, “gold” or “today”." in sentence(page)
    assert "6" not in sentence(page)
    expect(page.locator(".tap")).to_have_text("Tap the picture or press Enter to flip k.")
    assert page.get_by_label("products summed").is_hidden()
    page.focus("[data-axis=D] input")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert sentence(page).startswith("✗ Wrong without an error, because S = D = 7.")
    assert page.locator(".refusal").is_hidden()


def test_a_pinned_cell_stays_inside_the_result_and_returns_with_the_old_sizes(opened):
    page = opened(ProductLab(pin=[4, 6]))
    page.locator("summary").dispatch_event("click")
    for axis, key, title in (
        ("S", "ArrowLeft", "[4, 5]: query 4 (found) meets key 5"),
        ("L", "Home", "[0, 5]: query 0 (girls) meets key 5"),
        ("L", "End", "[4, 5]: query 4 (found) meets key 5"),
        ("S", "ArrowRight", "[4, 6]: query 4 (found) meets key 6"),
    ):
        page.locator(f".slider[data-axis={axis}] input").press(key)
        assert title in sentence(page)


def test_a_pinned_cell_keeps_its_query_and_key_when_the_product_is_exchanged(opened):
    page = opened(ProductLab(pin=[2, 4]))
    page.locator("summary").dispatch_event("click")
    total = re.search(r"the sum is .*", sentence(page))[0]
    for product, title in (
        ("k @ q.transpose(-2, -1)", "[4, 2]: key 4 (found) meets query 2 (old)"),
        ("q @ k.transpose(-2, -1)", "[2, 4]: query 2 (old) meets key 4 (found)"),
        ("q @ k.reshape(B, H, D, S)", "[2, 4]: query 2 (old) meets numbers of"),
    ):
        page.get_by_label(product, exact=True).check()
        assert title in sentence(page)
        assert (total in sentence(page)) == ("reshape" not in product)


def test_a_nudged_key_is_told_and_drawn_for_the_product_that_is_chosen(opened):
    page = opened(ProductLab(), reduced_motion="reduce")
    page.locator("summary").dispatch_event("click")
    page.get_by_label("changed key").fill("3")
    assert "Key 3 (kings) was changed: only column 3 changes" in sentence(page)
    expect(page.get_by_label("changed key")).to_have_attribute("aria-valuetext", "kings")
    before = shown(page)
    page.get_by_label("q @ k.reshape(B, H, D, S)").check()
    assert "Key 3 (kings) was changed: columns 0, 1, 5 and 6 change." in sentence(page)
    assert shown(page) != before


def test_with_a_changed_key_scores_are_whole_sums(opened):
    part, whole = (shown(opened(ProductLab(pin=[2, 0], nudge=3, summed=n), reduced_motion="reduce")) for n in (2, None))
    assert part == whole
    page = opened(ProductLab(pin=[2, 0], summed=2), reduced_motion="reduce")
    summed = page.get_by_label("products summed")
    expect(summed).to_have_value("2")
    page.locator("summary").dispatch_event("click")
    page.get_by_label("changed key").fill("3")
    expect(summed).to_be_hidden()
    expect(page.locator(".tap")).to_contain_text("With a changed key, only whole sums are compared.")


def test_a_key_stays_changed_when_another_product_is_tried(opened):
    page = opened(ProductLab(product="q @ k"), reduced_motion="reduce")
    page.get_by_label("changed key").fill("3")
    for chip, told in (
        ("flip k", "Key 3 (kings) was changed: only column 3 changes"),
        ("reshape instead", "Key 3 (kings) was changed: columns 0, 1, 5 and 6 change."),
    ):
        page.get_by_role("button", name=chip).click()
        assert told in sentence(page)


def test_a_wrong_cell_is_told_with_what_it_would_be_with_the_transpose(opened):
    page = opened(ProductLab(product="q @ k.reshape(B, H, D, S)", pin=[4, 0], seed=1), reduced_motion="reduce")
    score = int((ProductLab(seed=1).out[0, 0, 4, 0]).item())
    assert f"With kᵀ it is {score}.".replace("-", "−") in sentence(page)
    page.get_by_role("button", name="flip k").click()
    assert f"the sum is {score}.".replace("-", "−") in sentence(page) and "With kᵀ" not in sentence(page)


def test_the_numbers_are_whole_until_the_reader_wants_those_of_the_trained_layer(opened):
    lab = ProductLab(S=8, D=5)
    assert torch.equal(lab.k, lab.k.round()) and not lab.trained
    page = opened(lab, reduced_motion="reduce")
    expect(page.locator(".tap")).to_contain_text("Random numbers.")
    page.locator("summary").dispatch_event("click")
    page.get_by_role("button", name="the trained layer's").click()
    settled(page)
    expect(page.locator(".tap")).to_contain_text("Numbers of a trained layer.")
    score = ProductLab(seed=0).out[0, 0, 2, 3].item()
    assert f"the sum is {score:.2f}.".replace("-", "−") in sentence(page)
    page.get_by_role("button", name="new numbers").click()
    settled(page)
    expect(page.locator(".tap")).to_contain_text("Random numbers.")


def test_colours_by_value_are_another_picture_of_the_same_numbers(opened):
    page = opened(ProductLab())
    page.locator("summary").dispatch_event("click")
    told, drawn = sentence(page), shown(page)
    page.get_by_role("group", name="colour by").get_by_label("value").check()
    assert sentence(page) == told and shown(page) != drawn


def test_the_picture_shows_the_code(opened):
    page = opened(ProductLab(product="q @ k"), reduced_motion="reduce")
    for chip, code in (
        ("flip k", "k.transpose(-2, -1)"),
        ("reshape instead", "k.reshape(B, H, D, S)"),
        ("without the flip", "k"),
    ):
        page.get_by_role("button", name=chip).click()
        settled(page)
        assert page.inner_text(".shapes code") == code
        assert page.locator(".controls > :visible").count() == 4, "three sliders and what is behind *more*"


@pytest.mark.parametrize("how", ["click", "Enter"])
def test_where_nothing_fits_a_tap_or_enter_flips_k(opened, how):
    page = opened(ProductLab(product="q @ k"), reduced_motion="reduce")
    canvas = page.locator("canvas")
    assert "Enter to flip k" in canvas.get_attribute("aria-label")
    if how == "click":
        canvas.click(position={"x": 9, "y": 9})
    else:
        canvas.press(how)
    assert sentence(page).startswith("✓ It fits, 4 columns to 4 rows: each column of kᵀ is a key.")
    expect(page.get_by_role("button", name="flip k")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".tap")).to_have_text("Random numbers. Tap a cell.")


def test_a_table_that_grew_and_shrank_is_drawn_as_on_a_page_that_starts_with_these_sizes(opened):
    page = opened(ProductLab())
    page.evaluate("location.hash = 'lab-1?L=2&S=5&D=3'")
    grown = shown(page)
    assert grown == shown(opened(ProductLab(L=2, S=5, D=3)))
    page.evaluate("location.hash = 'lab-1?'")
    assert shown(page) == shown(opened(ProductLab())) != grown


def test_a_small_lab_has_the_parts_and_controls_that_the_page_chooses(opened):
    page = opened(ProductLab(parts=["product"], controls=["D"], chips=[]))
    assert page.locator(".slider:visible").count() == 1 and page.locator("canvas").is_visible()
    assert page.locator(".shapes").is_hidden() and page.locator("fieldset").count() == 0
    before = shown(page)
    page.locator("[data-axis=D] input").press("ArrowRight")
    assert shown(page) != before
