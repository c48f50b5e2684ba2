"""VarianceLab: its scores belong to the numbers that it shows, its law agrees with many random draws, and the browser agrees."""

import json
import random
import re

import numpy as np
import pytest
import torch
import traitlets
from lab_pages import DRAWN, settled
from node import assert_agree, node
from torch.testing import assert_close

import attn
from attn.labs import VarianceLab
from attn.labs.inputs import pick
from attn.labs.variance.lab import DIVISORS, KEYS, MOMENTS, NUMBERS, QUERIES, values
from attn.lessons import language, reader

RANDOM = [kind for kind in NUMBERS if kind != "trained"]
KINDS = pytest.mark.parametrize("numbers", RANDOM)


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
        of_queries = {"variance": ((s - s.mean()) ** 2).mean(1), "largest": p.max(1), "norm": np.array(norms)}
        for name, ones in of_queries.items():
            assert facts[name] == pytest.approx(ones.mean())
            assert facts[f"{name}_error"] == pytest.approx(ones.std(ddof=1) / 125**0.5)
        assert facts["stuck"] == np.mean(of_queries["norm"] < 0.01)


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
        measured.append((lab.scaled_facts["variance"], lab.scaled_facts["variance_error"]))
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


def test_the_trained_scores_are_those_of_the_recorded_layer_and_only_at_its_own_width():
    lab = VarianceLab(D=4, numbers="trained", mean=1.0, seed=3)
    rows = []
    for text in language.EXAMPLES[:4]:
        steps = reader.recorded().steps(torch.tensor([[language.NUMBER[word] for word in text.split()]]))
        rows += [query @ steps.k[0, h].mT for h in range(3) for query in steps.q[0, h]]
    assert lab.trained and lab.law is None
    assert_close(lab.scores.cpu(), torch.stack(rows).detach().double(), atol=1e-5, rtol=0)
    wider = VarianceLab(D=5, numbers="trained")
    assert not wider.trained and torch.equal(wider.scores, VarianceLab(D=5).scores)


def test_without_the_division_more_and_more_queries_are_stuck_and_with_it_none():
    stuck = [VarianceLab(D=D).facts["stuck"] for D in (4, 16, 64, 256, 1024)]
    assert stuck == sorted(stuck) and stuck[0] == 0 and stuck[-1] > 0.7
    assert not any(VarianceLab(D=D).scaled_facts["stuck"] for D in (4, 16, 64, 256, 1024))


def test_the_fallback_compares_the_four_divisors():
    lab = VarianceLab(D=128)
    rows = re.findall(r"<tr>(.*?)</tr>", lab.fallback())
    cells = [[re.sub("<.*?>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)] for row in rows]
    assert [row[0] for row in cells[1:]] == ["nothing", "√D = 11.31", "√(H·D) = 32, if H = 8", "D = 128"]
    told, plain = lab.scaled_facts, lab.facts
    assert cells[2][2] == f"{told['variance']:.3g} ± {told['variance_error']:.1g}"
    assert cells[1][5] == f"{plain['stuck']:.0%}" and cells[4][5] == "0%"
    assert cells[1][3] == f"{plain['largest']:.3g} ± {plain['largest_error']:.1g}"


def random_settings(seed):
    choose = random.Random(seed)
    return {
        "D": choose.choice([1, 2, 4, 7, 64, 200]),
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
    labs += [VarianceLab(D=4, numbers="trained", divide_by=divide_by) for divide_by in DIVISORS]
    tiny = {"facts": {"atol": 1e-10}, "scaled_facts": {"atol": 1e-10}}
    for lab, results in zip(labs, assert_agree(labs, lambda lab, name: tiny.get(name, {})), strict=True):
        assert set(results) == set(lab._answer["tensors"])
    assert {lab.trained for lab in labs} == {True, False}


def test_python_and_javascript_have_the_same_divisors_and_numbers():
    script = (
        "import { DIVISORS, MOMENTS } from './src/attn/labs/variance/model.js';"
        "import { KEYS, QUERIES, VALUES } from './src/attn/labs/variance/draws.js';"
        "console.log(JSON.stringify([Object.keys(DIVISORS), MOMENTS, Object.keys(VALUES), QUERIES, KEYS]))"
    )
    divisors, moments, kinds, queries, keys = json.loads(node("--input-type=module", "-e", script).stdout)
    assert sorted(divisors) == sorted(DIVISORS) and sorted(kinds) == sorted(RANDOM) and (queries, keys) == (QUERIES, KEYS)
    assert moments == {kind: list(of) for kind, of in MOMENTS.items()}


# On a page ----------------------------------------------------------------------------------------------------------------

# For each of the three pictures of a lab: the shares of its width that are filled, right of its left quarter and in it, and the
# share of its area that is not empty.
INK = """root => [...root.querySelectorAll('canvas')].map(canvas => {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const below = Math.round(0.25 * height); // where there is no text
  const blue = new Uint8Array(width);
  let ink = 0;
  for (let y = 0, at = 0; y < height; y += 1) for (let x = 0; x < width; x += 1, at += 4) {
    if (data[at + 3] > 100) ink += 1;
    if (y >= below && data[at + 3] > 90 && data[at + 2] - data[at] > 40) blue[x] = 1;
  }
  const share = (from, to) => blue.slice(from * width, to * width).filter(Boolean).length / width;
  return { blue: share(0.25, 1), left: share(0, 0.25), ink: ink / width / height };
})"""
# The same after each of some changes: the names of controls, with the end of a slider, or null for a radio button.
INK_AFTER = f"""async changes => {{
  const root = document.querySelector('.attn-lab-root');
  const found = [];
  for (const change of changes) {{
    for (const [name, end] of change) {{
      const {{ control }} = [...root.querySelectorAll('label')].find(one => one.querySelector('span').textContent === name);
      if (!end) control.click();
      else {{
        control.value = control[end];
        control.dispatchEvent(new Event('input', {{ bubbles: true }}));
      }}
    }}
    await {DRAWN};
    found.push(({INK})(root));
  }}
  return found;
}}"""


def test_the_divided_scores_look_equally_wide_at_every_D_and_those_that_are_not_divided_spread(opened):
    kinds = [(divide_by, D) for divide_by in ("√D", "1") for D in (4, 16, 64)]
    page = opened(*[VarianceLab(D=D, divide_by=divide_by, parts=["scores"]) for divide_by, D in kinds])
    settled(page)
    widths, drawn = {}, page.evaluate(f"[...document.querySelectorAll('.attn-lab-root')].map({INK})")
    for (divide_by, D), pictures in zip(kinds, drawn, strict=True):
        widths[divide_by, D] = pictures[0]["blue"]
        assert (pictures[0]["left"] > 0.1) == (divide_by == "√D"), "scores that are too close together for the axis are magnified"
    divided = [widths["√D", D] for D in (4, 16, 64)]
    assert max(divided) < 1.35 * min(divided), widths
    assert widths["1", 64] > 1.5 * widths["1", 16] > 2.2 * widths["1", 4], widths


def test_no_picture_is_empty_at_any_setting(opened):
    page = opened(VarianceLab())
    sliders = ("mean", "standard deviation", "correlation of q and k")
    changes = [
        [("D numbers per head", D), (divide_by, None), *zip(sliders, keys, strict=True)]
        for D in ("min", "max")
        for divide_by in ("nothing", "√D", "D")
        for keys in (("min", "min", "min"), ("max", "max", "max"), ("max", "min", "max"))
    ]
    for change, pictures in zip(changes, page.evaluate(INK_AFTER, changes), strict=True):
        assert all(one["ink"] > 0.01 and one["blue"] + one["left"] > 0 for one in pictures), (change, pictures)


def test_the_words_follow_the_controls(opened):
    page = opened(VarianceLab())

    def words():
        settled(page)
        return page.locator(".key > span").all_inner_texts()

    assert [one.rpartition("(")[2] for one in words()] == ["expected 512)", "expected 1)"]
    page.get_by_role("button", name="narrow: D = 4").click()
    page.locator(".slider[data-axis=D] input").focus()
    for _ in range(20):  # to the end of the slider, and not beyond
        page.keyboard.press("ArrowRight")
    wide = VarianceLab(D=512)
    plain = f"scores, not divided: variance {wide.facts['variance']:.0f} (expected 512)"
    assert words()[0] == plain
    page.get_by_role("radio", name="nothing", exact=True).press("Space")
    assert words() == ["", plain], "the same, so one line"
    stuck = f"{100 * wide.facts['stuck']:.0f} % of the queries are stuck"
    assert stuck in page.locator(".sentence").inner_text()
    page.locator("[role=status]").get_by_text(stuck, exact=False).wait_for(state="attached")
    page.locator("summary").first.dispatch_event("click")
    page.get_by_role("slider", name="mean").press("ArrowRight")
    settled(page)
    assert "by the law the scores have mean 32 and variance 576 instead of 0 and 512." in page.locator(".sentence").inner_text()


def test_the_trained_layer_is_shown_at_its_own_width_and_elsewhere_the_lab_says_that_the_numbers_are_random(opened):
    page = opened(VarianceLab())
    page.locator("summary").first.dispatch_event("click")
    page.get_by_role("radio", name="of a trained layer (D = 4)").check()
    settled(page)
    slider = page.locator(".slider[data-axis=D]")
    assert slider.locator("output").inner_text() == "4" and page.get_by_role("slider", name="mean").is_disabled()
    assert page.locator(".sentence").inner_text().startswith("These are scores of a trained layer: variance 11.8, not 4")
    slider.locator("input").press("ArrowRight")
    settled(page)
    assert page.locator(".sentence").inner_text().startswith("The trained layer has D = 4; at D = 6 the numbers are random.")
    assert page.get_by_role("slider", name="mean").is_enabled()


def test_another_division_is_tried_at_the_width_that_is_there(opened):
    page = opened(VarianceLab(D=4, numbers="uniform"))
    for chip in ("divide by √D", "do not divide", "divide by D instead"):
        page.get_by_role("button", name=chip).click()
        settled(page)
        assert page.locator(".slider[data-axis=D] output").inner_text() == "512"
    page.locator("summary").first.dispatch_event("click")
    assert page.get_by_role("radio", name="uniform").is_checked(), "the numbers stay, too"
    assert "Divided by D, it is about 1/D" in page.locator(".sentence").inner_text()


def test_a_page_may_show_the_histograms_alone(opened):
    page = opened(VarianceLab(parts=["scores"], controls=["D"]))
    assert [canvas.is_visible() for canvas in page.locator("canvas").all()] == [True, False, False]


def test_the_slider_gets_a_mark_for_a_size_that_python_has_set(opened):
    page = opened(VarianceLab(D=50))
    slider = page.locator(".slider[data-axis=D]")
    assert slider.locator("output").inner_text() == "50"
    slider.locator("input").press("ArrowRight")
    settled(page)
    assert slider.locator("output").inner_text() == "64"
