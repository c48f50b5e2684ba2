"""CubeLab: its block holds torch's products, whose sums over D are the scores, and it can be turned, added up and pointed at."""

import random
import re

import pytest
import torch
import traitlets
from lab_pages import settled, shown
from node import assert_agree
from torch.testing import assert_close

from attn.labs import CubeLab, ProductLab


def random_settings(seed):
    choose = random.Random(seed)
    sizes = {"L": choose.randint(1, 7), "S": choose.randint(1, 7), "D": choose.choice((1, 2, 4, 4, 8))}
    return {**sizes, "head": choose.randrange(3), "seed": choose.choice((0, 0, 5))}


def test_the_block_holds_every_product_and_its_sum_over_d_is_the_table_of_scores():
    for seed in range(40):
        lab = CubeLab(**random_settings(seed))
        assert lab.products.shape == (lab.L, lab.S, lab.D)
        assert_close(lab.products, torch.einsum("ld,sd->lsd", lab.q, lab.k), rtol=0, atol=0)
        assert_close(lab.scores, lab.q @ lab.k.mT, rtol=1e-5, atol=1e-5)
        assert lab.trained == (lab.D == 4 and lab.seed == 0)


def test_its_scores_are_those_of_product_lab():
    for head in range(3):
        cube = CubeLab(head=head)
        product = ProductLab(L=cube.L, S=cube.S, D=cube.D, front=[0, head], seed=0)
        assert_close(cube.scores, product.result, rtol=1e-5, atol=1e-5)


def test_browser_and_kernel_compute_the_same():
    assert_agree([CubeLab(**random_settings(seed)) for seed in range(60)])


def test_an_invalid_setting_is_refused():
    for wrong in ({"L": 0}, {"D": 13}, {"head": 3}, {"turn": [-80, 0]}, {"turn": [0]}, {"added": -1}):
        with pytest.raises(traitlets.TraitError):
            CubeLab(**wrong)


def test_the_fallback_has_the_shapes_before_and_after_the_sum():
    text = CubeLab(L=3, S=2, D=4).fallback()
    assert "(3, 2, 4) of 24 numbers" in text and "(L, S) = (3, 2)" in text


def sentence(page):
    settled(page)
    return page.locator(".sentence").inner_text().replace("\xa0", " ")  # a sign does not end a line


@pytest.mark.slow
def test_adding_up_leaves_one_score_for_each_pair_and_its_products_are_written_out(opened):
    page = opened(CubeLab(), reduced_motion="reduce")
    assert "140 numbers in all" in sentence(page)
    slider = page.get_by_label(re.compile("products added up"))
    for n, text in ((1, "the first of the 4"), (2, "the first 2 of the 4"), (4, "D is gone: of 140 products, 35 sums are left")):
        slider.fill(str(n))
        assert text in sentence(page)
    lab = CubeLab()
    said = re.search(r"“found” · “kings”: (.*) = (\S+)\.$", sentence(page))
    terms = [float(one) for one in re.split(r" \+ ", said[1].replace(" − ", " + −").replace("−", "-"))]
    assert_close(torch.tensor(terms), lab.products[4, 3], rtol=0, atol=0.0051)
    assert float(said[2].replace("−", "-")) == pytest.approx(lab.scores[4, 3].item(), abs=0.0051)


@pytest.mark.slow
def test_dragging_turns_the_block_and_a_tap_chooses_the_pair_under_the_finger(opened):
    page = opened(CubeLab(turn=[0, 0], added=None), reduced_motion="reduce")
    start = shown(page)
    box = page.locator("canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(x, y)  # seen from the front, the middle of the picture is a pair
    tapped = sentence(page)
    assert "“found” · “kings”" not in tapped and shown(page) != start
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y + 60, steps=4)
    page.mouse.up()
    assert sentence(page) == tapped, "turning the block chooses no other pair"
    turned = shown(page)
    page.locator("canvas").press("Home")
    settled(page)
    assert shown(page) != turned
    page.locator("canvas").press("ArrowUp")
    assert sentence(page) != tapped
    page.locator("canvas").press("-")
    assert "the first 3 of the 4" in sentence(page)
