"""ProductLab: its products are torch's, its messages torch's own words, and the browser's are the same."""

import random
import re
import warnings

import pytest
import torch
import traitlets
from browser import open_browser
from lab_pages import settled, write_page
from node import computed_by_node
from torch.testing import assert_close

import attn
from attn.labs import ProductLab
from attn.labs.product_lab import PRODUCTS


def torch_on(lab):
    """The product as torch runs the code itself, or its message."""
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


def test_every_product_is_what_torch_makes_of_its_code():
    seen = set()
    for seed in range(300):
        lab = ProductLab(**random_settings(seed))
        want = torch_on(lab)
        if isinstance(want, str):
            assert (lab.out, lab.result, lab.message) == (None, None, want)
        else:
            assert lab.message == ""
            assert_close(lab.out, want, rtol=0, atol=0)
            assert_close(lab.result, want[0, 0], rtol=0, atol=0)
        seen.add(lab.means if lab.out is not None else re.sub(r"\d+", "N", lab.message))
    assert {"scores", "turned", "nothing"} < seen and len(seen) == 5  # and torch's two complaints about four axes


def test_browser_and_kernel_compute_the_same():
    settings = [random_settings(seed) for seed in range(400)]
    alone = set()
    for setting, results in zip(settings, computed_by_node("product-lab", settings), strict=True):
        lab = ProductLab(**setting)
        for name, value in results.items():
            mine = getattr(lab, name)
            assert (mine.flatten().tolist() if isinstance(mine, torch.Tensor) else mine) == (
                value.tolist() if isinstance(value, torch.Tensor) else value
            ), f"{name} of {setting}"
        alone.add(re.sub(r"\d+x\d+", "NxN", lab.alone))
    assert alone == {"", "mat1 and mat2 shapes cannot be multiplied (NxN and NxN)"}
