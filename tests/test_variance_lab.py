"""VarianceLab: its scores belong to the numbers that it shows, its law agrees with many random draws, and the browser agrees."""

import json
import random
import re

import numpy as np
import pytest
import torch
import traitlets
from lab_pages import settled
from node import assert_agree, node
from torch.testing import assert_close

import attn
from attn.labs import VarianceLab
from attn.labs.inputs import pick
from attn.labs.variance.lab import DIVISORS, KEYS, MOMENTS, NUMBERS, QUERIES, values

KINDS = pytest.mark.parametrize("numbers", NUMBERS)


@KINDS
def test_the_numbers_have_mean_0_and_variance_1_exactly(numbers):
    one = values(numbers)
    assert_close(torch.stack([one.mean(), one.var(correction=0)]), torch.tensor([0.0, 1.0], dtype=torch.float64))
    assert len(one) & (len(one) - 1) == 0


def test_the_normal_numbers_are_normal():
    quantiles = torch.linspace(0.02, 0.98, 49, dtype=torch.float64)
    assert_close(values("normal").quantile(quantiles), torch.special.ndtri(quantiles), atol=0.01, rtol=0)
    assert abs(float((values("normal") ** 4).mean()) - 3) < 0.03


def test_picked_numbers_have_every_value_equally_often_and_rows_differ():
    picked = pick(7, "q", range(400), 1024, torch.arange(8.0))
    counts = torch.bincount(picked.long().flatten(), minlength=8)
    assert (counts / counts.sum() - 1 / 8).abs().max() < 0.003
    assert not torch.equal(picked[0], picked[1])
    assert torch.equal(pick(7, "q", [3], 20, torch.arange(8.0))[0], picked[3, :20]), "a number depends only on its position"


@pytest.mark.parametrize("divide_by,divisor", [("1", 1.0), ("√D", 6.0), ("√E", 288**0.5), ("D", 36.0)])
def test_scores_are_sums_of_products_divided_by_the_chosen_divisor(divide_by, divisor):
    lab = VarianceLab(D=36, divide_by=divide_by, seed=5)
    u = pick(5, "q", range(125), 36, values("normal")).numpy()
    w = pick(5, "k", range(2000), 36, values("normal")).numpy()
    scores = np.array([sum(u[j // 16] * w[j]) for j in range(2000)]).reshape(125, 16)
    assert lab.divisor == pytest.approx(divisor)
    assert np.abs(lab.scores.cpu().numpy() - scores).max() < 1e-9
    assert np.abs(lab.scaled.cpu().numpy() - scores / divisor).max() < 1e-9
    assert lab.scores.device.type == attn.device().type


def test_the_statistics_equal_those_of_numpy():
    lab = VarianceLab(D=24, numbers="uniform", mean=0.5)
    for scores, facts in ((lab.scores, lab.facts), (lab.scaled, lab.scaled_facts)):
        s = scores.cpu().numpy()
        p = np.exp(s - s.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        norms = [np.linalg.norm(np.diag(row) - np.outer(row, row), 2) for row in p]
        assert facts["mean"] == pytest.approx(s.mean()) and facts["variance"] == pytest.approx(s.var())
        assert facts["largest"] == pytest.approx(np.median(p.max(1))) and facts["norm"] == pytest.approx(np.median(norms))


@KINDS
@pytest.mark.parametrize(
    "mean,std,correlation",
    [(0.0, 1.0, 0.0), (1.0, 1.0, 0.0), (0.0, 2.0, 0.0), (0.0, 1.0, 0.5), (-0.75, 1.25, -0.4), (0.5, 0.5, 1.0)],
)
def test_the_law_agrees_with_many_random_draws(numbers, mean, std, correlation):
    """Independent of the lab's own draws: a fresh pair for every score."""
    law = VarianceLab(D=6, numbers=numbers, mean=mean, std=std, correlation=correlation).law
    draw = np.random.default_rng(11)
    list_of = values(numbers).numpy()
    u, w = draw.choice(list_of, (2, 200_000, 6))
    q, k = mean + std * u, mean + std * (correlation * u + (1 - correlation**2) ** 0.5 * w)
    scores = (q * k).sum(1)
    assert abs(scores.mean() - law["mean"]) < 5 * scores.std() / 200_000**0.5 + 1e-9
    spread = ((scores - scores.mean()) ** 2).std() / 200_000**0.5
    assert abs(scores.var() - law["variance"]) < 5 * spread + 1e-9


def test_if_keys_equal_their_query_the_law_is_that_of_squares():
    """q·q of D normal numbers is chi-square: mean D, variance 2D. Squares of exponential ones around their mean have variance 8."""
    assert VarianceLab(D=64, correlation=1.0).law == {"mean": 64.0, "variance": 128.0}
    assert VarianceLab(D=64, correlation=1.0, mean=1.0).law["variance"] == 64 * 6
    assert VarianceLab(D=64, correlation=1.0, numbers="exponential").law["variance"] == 64 * 8


def test_the_sampling_error_is_the_spread_over_seeds():
    lab, measured = VarianceLab(D=8), []
    for seed in range(150):
        lab.seed = seed
        measured.append((lab.scaled_facts["variance"], lab.scaled_facts["error"]))
    variances, errors = np.array(measured).T
    assert abs(variances.mean() - 1) < 0.02
    assert 0.8 < errors.mean() / variances.std(ddof=1) < 1.2


def test_only_division_by_the_root_of_D_keeps_the_variance_when_D_grows():
    for divide_by, expected in {"1": 16.0, "√D": 1.0, "√E": 1.0, "D": 1 / 16}.items():
        small, large = (VarianceLab(D=D, divide_by=divide_by).scaled_facts["variance"] for D in (32, 512))
        assert large / small == pytest.approx(expected, rel=0.2)


@pytest.mark.parametrize(
    "name,value,message",
    [
        ("D", 0, r"D = 0: this lab takes D, width of one head, from 1 to 1024"),
        ("D", 2.5, "D = 2.5"),
        ("divide_by", "√H", "divide_by"),
        ("numbers", "poisson", "numbers"),
        ("mean", 2.5, "mean"),
        ("std", 0.0, "std"),
        ("correlation", 1.1, "correlation"),
        ("seed", -1, "-1"),
    ],
)
def test_an_invalid_setting_is_refused_and_changes_nothing(name, value, message):
    lab = VarianceLab()
    before, scores = repr(lab), lab.scores
    with pytest.raises(traitlets.TraitError, match=message):
        setattr(lab, name, value)
    assert repr(lab) == before and lab.scores is scores and lab._message


def test_the_fallback_compares_the_four_divisors():
    lab = VarianceLab(D=16)
    rows = re.findall(r"<tr>(.*?)</tr>", lab.fallback())
    cells = [[re.sub("<.*?>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)] for row in rows]
    assert [row[0] for row in cells[1:]] == ["1 = 1", "√D = 4", "√E = 11.31", "D = 16"]
    assert cells[2][2] == f"{lab.scaled_facts['variance']:.3g}" and cells[1][4] == f"{lab.facts['largest']:.3g}"


def random_settings(seed):
    choose = random.Random(seed)
    return {
        "D": choose.choice([1, 2, 3, 7, 64, 200]),
        "divide_by": choose.choice(DIVISORS),
        "numbers": choose.choice(NUMBERS),
        "mean": choose.choice([0.0, choose.randint(-8, 8) / 4]),
        "std": choose.choice([1.0, choose.randint(1, 8) / 4]),
        "correlation": choose.choice([0.0, choose.randint(-10, 10) / 10]),
        "seed": choose.randint(0, 9999),
    }


def test_browser_and_kernel_compute_the_same():
    """A norm of nearly 0 agrees to ten decimals, because the two sides compute the largest eigenvalue in different ways."""
    labs = [VarianceLab(**random_settings(seed)) for seed in range(40)]
    tiny = {"facts": {"atol": 1e-10}, "scaled_facts": {"atol": 1e-10}}
    for lab, results in zip(labs, assert_agree(labs, lambda lab, name: tiny.get(name, {})), strict=True):
        assert set(results) == set(lab._answer["tensors"])


def test_python_and_javascript_have_the_same_divisors_and_numbers():
    script = (
        "import { DIVISORS, MOMENTS } from './src/attn/labs/variance/model.js';"
        "import { KEYS, QUERIES, VALUES } from './src/attn/labs/variance/draws.js';"
        "console.log(JSON.stringify([Object.keys(DIVISORS), MOMENTS, Object.keys(VALUES), QUERIES, KEYS]))"
    )
    divisors, moments, kinds, queries, keys = json.loads(node("--input-type=module", "-e", script).stdout)
    assert sorted(divisors) == sorted(DIVISORS) and sorted(kinds) == sorted(NUMBERS) and (queries, keys) == (QUERIES, KEYS)
    assert moments == {kind: list(of) for kind, of in MOMENTS.items()}


# On a page ----------------------------------------------------------------------------------------------------------------


def test_the_picture_and_the_table_follow_the_controls(opened):
    page = opened(VarianceLab())

    def facts():
        settled(page)
        return {
            row[0]: row[1:]
            for row in page.locator(".facts tbody tr").evaluate_all("all => all.map(r => [...r.cells].map(c => c.innerText))")
        }

    assert facts()["by the law"] == ["64", "1"]
    path = page.locator(".divided .bars").get_attribute("d")
    for _ in range(20):  # to the end of the slider, and not beyond
        page.locator(".slider[data-axis=D] input").press("ArrowRight")
    wide = VarianceLab(D=512)
    assert facts()["by the law"] == ["512", "1"]
    assert facts()["variance"][0].startswith(f"{wide.facts['variance']:.0f} ± ")
    assert page.locator(".divided .bars").get_attribute("d") != path
    assert page.locator(".divided .outside").first.text_content() == ""
    page.get_by_role("radio", name="1", exact=True).press("Space")
    settled(page)
    share = float((wide.scores.abs() > 6).double().mean())
    assert page.locator(".divided .outside").first.text_content() == f"{int(100 * share + 0.5)}% outside"
    page.locator("[role=status]").get_by_text("divided by 1: variance", exact=False).wait_for(state="attached")
    page.get_by_label("mean").press("ArrowRight")
    settled(page)
    assert "The mean is not 0: the law says mean 32, variance 576 instead of 0 and 512." in page.locator(".notes").inner_text()


def test_the_slider_gets_a_mark_for_a_size_that_python_has_set(opened):
    page = opened(VarianceLab(D=50))
    slider = page.locator(".slider[data-axis=D]")
    assert slider.locator("output").inner_text() == "50"
    slider.locator("input").press("ArrowRight")
    settled(page)
    assert slider.locator("output").inner_text() == "64"
