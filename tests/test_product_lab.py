"""ProductLab: its products and messages equal those of torch, and the browser computes the same."""

import random
import re
import warnings

import pytest
import torch
import traitlets
from lab_pages import settled
from node import assert_agree, javascript_constants
from torch.testing import assert_close

import attn
from attn.labs import ProductLab
from attn.labs.product.lab import PRODUCTS


def torch_on(lab):
    """The result of running the code in torch, or torch's error message."""
    names = {"q": lab.q, "k": lab.k, **{axis: getattr(lab, axis) for axis in "BHLSD"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return eval(lab.product, names)
        except RuntimeError as error:
            return str(error)


def random_settings(seed):
    choose = random.Random(seed)
    most = choose.choice((2, 4, 8))  # small sizes coincide often
    sizes = {**{axis: choose.randint(1, most) for axis in "LSD"}, **{axis: choose.randint(1, min(most, 4)) for axis in "BH"}}
    return {**sizes, "product": choose.choice(list(PRODUCTS)), "seed": choose.randint(0, 9999)}


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
            assert_close(lab.result, want[0, 0], rtol=0, atol=0)
        seen.add(lab.means if lab.out is not None else re.sub(r"\d+", "N", lab.message))
    assert {"scores", "turned", "nothing"} < seen and len(seen) == 5  # and torch's two error messages about four axes


def test_browser_and_kernel_compute_the_same():
    labs = [ProductLab(**random_settings(seed)) for seed in range(100)]
    assert_agree(labs, lambda *_: {"share": 0})
    alone = {re.sub(r"\d+x\d+", "NxN", lab.alone) for lab in labs}
    assert alone == {"", "mat1 and mat2 shapes cannot be multiplied (NxN and NxN)"}


def test_python_and_javascript_have_the_same_products():
    (products,) = javascript_constants("product/model", "PRODUCTS")
    assert [(code, product["turned"]) for code, product in products.items()] == [
        (code, turned) for code, (turned, _) in PRODUCTS.items()
    ]


def test_the_numbers_are_small_integers_and_do_not_change_with_the_sizes():
    lab = ProductLab(L=4, S=5, D=3)
    q, k = lab.q.clone(), lab.k.clone()
    assert set(lab.k.unique().tolist()) <= {-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0} and len(lab.k.unique()) > 4
    lab.B, lab.H, lab.L, lab.S, lab.D = 3, 4, 8, 8, 8
    assert_close(lab.q[:2, :3, :4, :3], q)
    assert_close(lab.k[:2, :3, :5, :3], k)
    lab.seed = 1
    assert not torch.equal(lab.k[:2, :3, :5, :3], k)


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
    assert lab.product == "q @ k.transpose(-2, -1)" and lab.out.shape == (2, 3, 5, 7)


def test_the_fallback_has_the_result_or_the_message_of_every_product():
    fallback = re.sub("<.*?>", "", ProductLab().fallback())  # without the colours of letters
    for product in PRODUCTS:
        assert product in fallback
    assert fallback.count("no error, and no cell is a query times a key") == 1
    assert "(2, 3, 5, 7): cell [i, j] is query i times key j" in fallback and "[6, 4] but got: [6, 7]." in fallback


# On a page ------------------------------------------------------------------------------------------------------------------------


def whole(text):
    return int(text.replace("−", "-"))


def test_a_cell_is_summed_product_by_product(opened):
    lab = ProductLab(pin=[1, 2])
    page = opened(lab)
    grid = page.get_by_role("grid", name="the result")
    cells = grid.get_by_role("gridcell")
    assert [whole(text) for text in cells.all_inner_texts()] == lab.result.flatten().int().tolist()
    products = (lab.q[0, 0, 1] * lab.k[0, 0, 2]).int().tolist()
    slider = page.get_by_label("products summed")
    slider.focus()
    for done in (3, 2, 1, 0):
        page.keyboard.press("ArrowLeft")
        settled(page)
        assert whole(cells.nth(9).inner_text()) == sum(products[:done])
        assert page.inner_text(".total") == f"sum of {done} of 4 products: {sum(products[:done])}".replace("-", "−")
    page.keyboard.press("End")
    settled(page)
    assert page.inner_text(".total") == f"sum: {sum(products)}".replace("-", "−")


def test_arrow_keys_walk_through_the_result_and_highlight_a_row_and_a_column(opened):
    page = opened(ProductLab(pin=[1, 2]))
    page.get_by_role("grid", name="the result").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    settled(page)
    assert page.inner_text(".pinned .title") == "[2, 4]: query 2 meets key 4"
    lit = page.evaluate(
        "name => [...document.querySelectorAll(`[aria-label='${name}'] [role=gridcell]`)].map(one => one.className === 'lit')",
        "q, the left factor",
    )
    assert lit == [n // 4 == 2 for n in range(20)]
    page.locator("[role=status]").get_by_text("query 2 meets key 4", exact=False).wait_for(state="attached")
    page.keyboard.press("Escape")
    settled(page)
    assert page.inner_text(".pinned .title") == "Point at a cell of the result, or tap it."
    assert page.get_by_label("products summed").is_disabled()


def test_a_product_that_does_not_fit_shows_the_message_of_torch_and_no_result(opened):
    lab = ProductLab(product="q @ k")
    page = opened(lab)
    assert page.inner_text(".refusal") == f"RuntimeError: {lab.message}"
    assert page.inner_text(".alone") == f"One head alone, q[0, 0] @ k[0, 0]: {lab.alone}"
    assert page.get_by_role("grid", name="the result").count() == 0 and page.inner_text(".hole") == "no result"
    assert page.locator(".corner .unpaired").count() == 3
    page.focus("[data-axis=D] input")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    settled(page)
    assert page.inner_text(".verdict").startswith("✗ Silent nonsense: no error, because S = D = 7.")
    assert page.locator(".corner .unpaired").count() == 0 and page.locator(".refusal").is_hidden()
    assert page.get_by_role("grid", name="the result").is_visible()


def title_after(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    settled(page)
    return page.inner_text(".pinned .title")


def test_a_pinned_cell_stays_inside_the_result_and_returns_with_the_old_sizes(opened):
    page = opened(ProductLab(pin=[4, 6]))
    page.focus("[data-axis=S] input")
    assert title_after(page, "ArrowLeft") == "[4, 5]: query 4 meets key 5"
    page.focus("[data-axis=L] input")
    assert title_after(page, "Home") == "[0, 5]: query 0 meets key 5"
    assert title_after(page, "End") == "[4, 5]: query 4 meets key 5"
    page.focus("[data-axis=S] input")
    assert title_after(page, "ArrowRight") == "[4, 6]: query 4 meets key 6"


def test_a_pinned_cell_keeps_its_query_and_key_when_the_table_is_transposed(opened):
    page = opened(ProductLab(pin=[2, 4]))
    total = page.inner_text(".total")
    for product, title in (
        ("k @ q.transpose(-2, -1)", "[4, 2]: key 4 meets query 2"),
        ("q @ k.transpose(-2, -1)", "[2, 4]: query 2 meets key 4"),
        ("q @ k.reshape(B, H, D, S)", "[2, 4]: query 2 meets numbers of"),
    ):
        page.get_by_label(product, exact=True).check()
        settled(page)
        assert page.inner_text(".pinned .title").startswith(title)
        assert (page.inner_text(".total") == total) == ("reshape" not in product)


def test_nothing_above_the_picture_moves_while_a_slider_moves(opened):
    page = opened(ProductLab(product="q @ k", D=7))
    top = "() => document.querySelector('.board').getBoundingClientRect().top"
    page.focus("[data-axis=S] input")
    before = page.evaluate(top)
    for _ in range(4):  # with and without a result, with and without a note on the sizes
        page.keyboard.press("ArrowLeft")
        settled(page)
        assert page.evaluate(top) == before
