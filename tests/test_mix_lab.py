"""MixLab: its outputs are the averages of the values that NumPy computes, and the browser computes the same."""

import itertools
import json
import math
import random
import re

import numpy as np
import pytest
import torch
import traitlets
from lab_pages import settled
from node import assert_agree, computed_by_node, javascript_constants
from torch.testing import assert_close

import attn
from attn import ShapeError
from attn.labs import MixLab
from attn.labs.mix.lab import _HAND, _VALUES, KEYS, LARGEST_HAND_WEIGHT, REACH, TEMPERATURES, WORDS


def random_settings(seed):
    choose = random.Random(seed)
    S = choose.randint(3, 6)
    points = [[choose.randint(-40, 40) / 10 for _ in range(2)] for _ in range(S + 2)]
    return {
        "values": points[:S],
        "queries": points[S:],
        "temperature": choose.choice((0.01, 0.1, 0.5, 1.0, 3.2, 100.0)),
        "by": choose.choice(("query", "hand", "free")),
        "hand": [[choose.randint(0, 9), *(choose.randint(1, 10) / 2 for _ in range(S - 1))] for _ in range(2)],
        "heads": choose.randint(1, 2),
        "target": choose.choice((None, [choose.randint(-40, 40) / 10 for _ in range(2)], points[0], [0.0, 0.0])),
    }


def weights_of(lab, head):
    """The weights, computed by NumPy one number at a time."""
    if lab.by != "query":
        return np.array(lab.hand[head]) / (sum(lab.hand[head]) if lab.by == "hand" else 1)
    keys = lab.k.cpu().numpy()
    scores = [sum(q * k for q, k in zip(lab.queries[head], key, strict=True)) / math.sqrt(2) / lab.temperature for key in keys]
    terms = np.exp(np.array(scores) - max(scores))
    return terms / terms.sum()


# The kernel ---------------------------------------------------------------------------------------------------------------


def test_weights_outputs_and_shares_equal_those_of_numpy(subtests):
    for seed in range(12):
        with subtests.test(seed=seed):
            lab = MixLab(**random_settings(seed))
            values = np.array(lab.values)
            for head in range(lab.heads):
                weights = weights_of(lab, head)
                assert_close(lab.weights[head].cpu().numpy(), weights)
                parts = weights[:, None] * values
                out = parts.sum(0)
                assert_close(lab.out[head].cpu().numpy(), out)
                length = math.hypot(*out)
                assert_close(lab.parts[head].cpu().numpy(), np.array([np.dot(part, out / length) / length for part in parts]))
            assert lab.weights.shape == (lab.heads, lab.S) and lab.weights.device.type == attn.device().type


def test_no_output_on_the_path_leaves_the_hull_of_the_values(subtests):
    for seed in range(6):
        with subtests.test(seed=seed):
            lab = MixLab(**random_settings(seed))
            angles = torch.linspace(0, 2 * math.pi, 73, dtype=torch.float64)
            directions = torch.stack([angles.cos(), angles.sin()])
            reach = (torch.tensor(lab.values, dtype=torch.float64) @ directions).amax(0)
            for points in (lab.path.cpu(), *([lab.out.cpu()] if lab.by != "free" else [])):
                assert (points @ directions <= reach + 1e-9).all()


def nearest_by_corners(values, target):
    """The point of the hull that is nearest to the target, by trying every triangle and every line between two values."""
    corners = [np.array(value) for value in values]
    for three in itertools.combinations(corners, 3):
        system = np.vstack([np.array(three).T, np.ones(3)])
        if abs(np.linalg.det(system)) > 1e-9 and (np.linalg.solve(system, [*target, 1]) >= -1e-9).all():
            return np.array(target)
    shares = np.linspace(0, 1, 100_001)[:, None]
    on_lines = np.concatenate([a + shares * (b - a) for a, b in itertools.combinations(corners, 2)])
    return on_lines[np.linalg.norm(on_lines - target, axis=1).argmin()]


def test_the_nearest_point_of_the_hull_is_the_one_that_triangles_and_lines_give(subtests):
    seen = set()
    for seed in range(40):
        lab = MixLab(**random_settings(seed))
        if lab.target is None:
            assert lab.reach == "" and lab.nearest.isnan().all() and lab.needed.isnan().all()
            continue
        with subtests.test(seed=seed):
            assert_close(lab.nearest.cpu().numpy(), nearest_by_corners(lab.values, lab.target), rtol=0, atol=2e-4)
            is_there = bool((lab.nearest.cpu() - torch.tensor(lab.target, dtype=torch.float64)).norm() < 1e-9)
            assert (lab.reach == "outside") != is_there
            seen.add(lab.reach)
    assert seen == {"inside", "edge", "outside"}


def test_the_needed_weights_lead_to_the_target_and_one_is_below_zero_exactly_outside():
    values = [[0.0, 0], [4, 0], [0, 3]]
    for target, reach in (((3, 2), "outside"), ((4, 0), "edge"), ((1, 1), "inside"), ((-1, 1), "outside"), ((2, 0), "edge")):
        lab = MixLab(values=values, target=list(map(float, target)))
        assert lab.reach == reach
        assert_close(
            lab.needed @ torch.tensor(values, dtype=torch.float64, device=lab.needed.device), lab.needed.new_tensor(target)
        )
        assert_close(float(lab.needed.sum()), 1.0)
        assert (lab.needed.min() < -1e-9) == (reach == "outside") and (lab.needed.min() > 1e-9) == (reach == "inside")
        taken = MixLab(values=values, target=lab.target, by="free", hand=[lab.needed.tolist(), [1, 1, 1]])
        assert_close(taken.out[0], lab.needed.new_tensor(target))


def test_values_on_one_line_have_a_hull_without_an_inside():
    for target, reach, nearest in (((1, 1), "edge", (1, 1)), ((3, 3), "outside", (2, 2)), ((0, 1), "outside", (0.5, 0.5))):
        lab = MixLab(values=[[0.0, 0], [2, 2], [1, 1]], target=list(map(float, target)))
        assert lab.reach == reach and lab.needed.isnan().all()
        assert_close(lab.nearest, lab.nearest.new_tensor(nearest))


HARD = {"values": [[-3, 2], [3, 2], [-1, -0.5]], "by": "hand", "hand": [[1, 3, 5], [1, 1, 1]], "shares": True}
BETWEEN = [[3, -0.4], [2, 1]]  # queries of which the first finds two words


def test_the_lab_opens_inside_the_hull_and_a_long_query_leads_to_the_line_between_two_values():
    lab = MixLab()
    assert lab.words == ("kings", "girls", "others") and float(lab.weights.min()) > 0.1
    assert lab.state == MixLab(**MixLab.CHIPS[0][1]).state
    assert MixLab(target=[round(one, 3) for one in lab.out[0].tolist()]).reach == "inside"
    between = MixLab(queries=BETWEEN)
    assert float(between.weights[0, 2]) < 0.001
    assert_close(float(between.out[0, 1]), 1.0, rtol=0, atol=0.005)
    sharp = MixLab(**MixLab.CHIPS[1][1])
    away = math.dist(sharp.out[0].tolist(), lab.values[1])
    assert 0.05 < away < 0.2, "near enough to the corner, and far enough to see that it is not there"


def test_the_weights_that_the_lab_opens_with_sum_to_1_as_they_are_printed_and_their_query_can_be_seen():
    lab = MixLab()
    assert sum(round(100 * weight) for weight in lab.weights[0].tolist()) == 100
    assert math.hypot(*lab.queries[0]) > 0.7


def test_no_key_lies_where_its_value_lies_so_a_query_does_not_point_at_the_output():
    for key, value in zip(KEYS[:4], _VALUES[:4], strict=True):
        cosine = np.dot(key, value) / np.linalg.norm(key) / np.linalg.norm(value)
        assert cosine < 0.5


def test_a_weight_that_would_be_rounded_to_1_is_said_to_be_less(opened):
    page = opened(MixLab(temperature=0.1), **STILL)
    assert "“girls” has > 0.999 of 1" in sentence(page) and "1.00 ·" not in page.locator(".values").inner_text()


def test_the_sentence_is_seen_when_the_move_has_ended(opened):
    page = opened(MixLab(), reduced_motion="no-preference")
    page.get_by_role("button", name="sharpen").click()
    page.wait_for_selector(".attn-lab-root[data-moving]")
    assert not page.locator(".sentence").is_visible()
    assert page.inner_text(".meanwhile") == "The temperature changes; keys, query and values stay."
    assert "almost at this corner" in sentence(page) and page.locator(".sentence").is_visible()
    assert not page.locator(".meanwhile").is_visible()


def test_the_bar_names_every_weight_and_a_long_arrow_has_its_label(opened):
    hands = [[0.28, 0.58, 0.14], [0.1, 0.8, 0.1], [0.5, 0.39, 0.11]]
    page = opened(*[MixLab(by="hand", hand=[hand, [1, 1, 1]]) for hand in hands], **STILL)
    settled(page)
    for hand, lab in zip(hands, page.locator(".attn-lab-root").all(), strict=True):
        for word, weight, value in zip(WORDS, hand, _VALUES, strict=False):
            assert lab.locator(".mix-bar text", has_text=f"{word} {weight:.2f}").count() == 1
            is_long = weight * math.hypot(*value) > 1  # beside a shorter one, a label would stand near another
            assert lab.locator(".values text", has_text=f"{weight:.2f} · {word}").count() == int(is_long)


def test_a_word_has_one_colour_however_many_words_there_are(opened):
    page = opened(*[MixLab(values=[list(value) for value in _VALUES[:size]]) for size in (3, 4, 6)], **STILL)
    settled(page)
    colours = page.evaluate(
        """[...document.querySelectorAll('.attn-lab-root')].map(lab =>
          [...lab.querySelectorAll('.queries .point')].slice(0, 3).map(one => one.getAttribute('fill')))"""
    )
    assert colours[0] == colours[1] == colours[2] and len(set(colours[0])) == 3


def test_the_chip_that_tries_to_reach_outside_comes_as_near_as_a_head_can():
    outside = MixLab(**MixLab.CHIPS[2][1])
    assert outside.reach == "outside" and [round(one, 9) for one in outside.needed.tolist()] == [-0.3, 0.8, 0.5]
    assert 0 < math.dist(outside.out[0].tolist(), outside.target) - math.dist(outside.nearest.tolist(), outside.target) < 0.01


def test_the_path_passes_through_the_output_from_one_value_to_the_mean():
    lab = MixLab(queries=BETWEEN)
    assert_close(lab.path[0, 20], lab.out[0])  # temperature 1
    assert_close(lab.path[0, 0].cpu(), torch.tensor(lab.values[1], dtype=torch.float64), rtol=0, atol=1e-6)
    mean = torch.tensor(lab.values, dtype=torch.float64).mean(0)
    assert (lab.path[0, -1].cpu() - mean).norm() < 0.1


def test_the_word_with_the_largest_weight_can_have_a_negative_share():
    lab = MixLab(by="hand", values=[[-3.0, 2], [3, 2], [-1, -0.5]], hand=[[1, 3, 5], [1, 1, 1]])
    at = int(lab.weights[0].argmax())
    assert lab.words[at] == "others" and lab.parts[0, at] < 0
    assert_close(float(lab.parts.sum()), 1.0)


def test_an_output_of_zero_has_no_shares():
    opposite = MixLab(by="hand", values=[[0.1, 0.1], [0.2, 0.2], [-0.3, -0.3]], hand=[[1, 1, 1], [1, 1, 1]])
    assert opposite.parts.isnan().all() and len(re.findall(r"<td[^>]*>–</td>", opposite.fallback())) == 3
    (results,) = computed_by_node([opposite])
    assert results["parts"].isnan().all()


def test_two_heads_distinguish_what_their_average_cannot():
    values = MixLab.CHIPS[3][1]["values"]
    apart = MixLab(by="hand", heads=2, values=values, hand=[[1, 0, 0, 0], [0, 1, 0, 0]])
    same = MixLab(by="hand", heads=2, values=values, hand=[[0, 0, 0, 1], [0, 0, 0, 1]])
    assert_close(apart.out.mean(0), same.out.mean(0))
    assert (apart.out - same.out).norm(dim=-1).min() == 2
    single = MixLab(by="hand", values=values, hand=[[5, 5, 0, 0], [1, 1, 1, 1]])
    assert_close(single.out[0], same.out[0])


def test_a_new_number_of_keys_keeps_the_existing_values():
    lab = MixLab(values=[[1.0, 1], [2, 2], [3, -3]])
    assert lab.S == 3 == len(lab.hand[0]) == len(lab.hand[1]) and lab.words == ("kings", "girls", "others")
    lab.hand = [[4, 4, 4], [7, 7, 7]]
    lab.S = 6
    assert lab.values[:3] == [[1, 1], [2, 2], [3, -3]]
    assert lab.hand[0][:3] == [4, 4, 4] and lab.weights.shape == (1, 6)


@pytest.mark.parametrize(
    "settings,message",
    [
        ({"values": [[0.0, 0], [1, 1]]}, "values"),
        ({"values": [[0.0, 0]] * 7}, "values"),
        ({"values": [[0.0, 4.1], [0, 0], [0, 0]]}, "4.1"),
        ({"values": [[0.0], [0, 0], [0, 0]]}, "values"),
        ({"queries": [[0.0, 0]]}, "queries"),
        ({"temperature": 0.0}, "temperature"),
        ({"by": "eye"}, "by"),
        ({"heads": 3}, "heads"),
        ({"hand": [[11, 1, 1], [1, 1, 1]]}, "11"),
        ({"target": [5.0, 0]}, "5.0"),
        ({"target": [1.0]}, "target"),
        ({"S": 7}, "S = 7: this lab takes S, keys, from 3 to 6"),
    ],
)
def test_an_invalid_setting_is_refused(settings, message):
    lab = MixLab()
    before = lab.state
    with pytest.raises(traitlets.TraitError, match=message):
        setattr(lab, *next(iter(settings.items())))
    assert lab.state == before


def test_a_head_without_weights_and_one_with_a_weight_below_zero_are_refused_and_keep_their_weights():
    lab = MixLab(by="hand", hand=[[0, 0, 1], [0, 0, 0]])
    with pytest.raises(ShapeError, match="All hand weights of head 1 are 0"):
        lab.heads = 2
    assert lab.heads == 1 and lab._message.startswith("All hand weights of head 1")
    with pytest.raises(ShapeError, match=r"A hand weight of head 0 is -0.3. No weight of a softmax is below 0: by='free'"):
        lab.hand = [[0.6, 0.7, -0.3], [1, 1, 1]]
    assert lab.hand[0] == [0, 0, 1]
    lab.by = "free"
    lab.hand = [[0.6, 0.7, -0.3], [1, 1, 1]]
    assert_close(lab.weights[0].tolist(), [0.6, 0.7, -0.3])


def test_the_fallback_has_every_weight_and_share():
    cells = re.findall(r"<td[^>]*>(.*?)</td>", MixLab().fallback())
    lab = MixLab()
    assert (
        cells[:4] == ["kings", "(-2, 1)", f"{float(lab.weights[0, 0]):.4f}", f"{float(lab.parts[0, 0]):.4f}"] and len(cells) == 12
    )
    assert "head 1" in MixLab(heads=2).fallback() and "temperature 1," in MixLab().fallback()
    assert "set by hand" in MixLab(by="hand").fallback() and "never outside" in MixLab(by="hand").fallback()
    assert "anywhere" in MixLab(by="free").fallback()


# The browser --------------------------------------------------------------------------------------------------------------


def test_python_and_javascript_have_the_same_constants():
    names = ("WORDS", "KEYS", "VALUES", "HAND", "REACH", "LARGEST_HAND_WEIGHT", "TEMPERATURES")
    *written, temperatures = javascript_constants("mix/model", *names)
    mine = [list(WORDS), *([list(row) for row in table] for table in (KEYS, _VALUES, _HAND)), REACH, LARGEST_HAND_WEIGHT]
    assert written == mine
    assert temperatures == pytest.approx(TEMPERATURES)


def test_browser_and_kernel_compute_the_same():
    labs = [MixLab(**random_settings(seed)) for seed in range(200)]
    for results in assert_agree(labs):
        assert set(results) == {"weights", "out", "parts", "path", "reach", "nearest", "needed"}
    assert len({(lab.by, lab.heads, len(lab.values)) for lab in labs}) == 24, "the random settings do not include every kind"
    assert {lab.reach for lab in labs} == {"", "inside", "edge", "outside"}


STILL = {"reduced_motion": "reduce"}


def sentence(page):
    settled(page)
    return page.locator(".sentence").inner_text()


NEAR, WIDE = javascript_constants(
    "mix/sheet", "NEAR", "WIDE"
)  # what the sheet of the values can show; that of the queries shows WIDE


def drag(page, sheet, start, end, *, room=WIDE):
    """Drag from one point of a plane to another, in units of the plane."""
    box = page.locator(f".{sheet} svg").bounding_box()
    (x, y), (wide, high) = room["centre"], room["size"]
    unit = min(box["width"] / wide, box["height"] / high)

    def place(point):
        return box["x"] + box["width"] / 2 + (point[0] - x) * unit, box["y"] + box["height"] / 2 - (point[1] - y) * unit

    page.mouse.move(*place(start))
    page.mouse.down()
    page.mouse.move(*place(end), steps=4)
    page.mouse.up()


def setting(page, name):
    """A setting as the link of the page has it."""
    page.get_by_role("button", name="copy link").click()
    found = re.search(rf"[?&]{name}=([^&]*)", page.evaluate("decodeURIComponent(location.hash)"))
    return found and found[1]


def test_a_query_that_is_dragged_moves_the_output_along_the_line_between_two_values(opened):
    page = opened(MixLab(queries=BETWEEN), **STILL)
    assert sentence(page).startswith("“girls” has 0.72 of 1, “kings” 0.28: the output (0.89, 1.00) is almost exactly on the line")
    drag(page, "queries", (3, -0.4), (3, 0.4))
    assert sentence(page).startswith("“kings” has 0.72 of 1, “girls” 0.28: the output (−0.89, 1.00) is almost exactly on the line")
    drag(page, "queries", (3, 0.4), (3, -9))
    assert setting(page, "queries") == "[[3,-4],[2,1]]", "a query cannot leave the plane"


def test_a_value_that_is_dragged_moves_the_output_in_proportion_to_its_weight(opened):
    page = opened(MixLab(by="hand", hand=[[1, 0, 1], [1, 1, 1]]), **STILL)
    assert "the output (−1.00, −0.80)" in sentence(page)
    drag(page, "values", (-2, 1), (0, 1.4), room=NEAR)
    assert "the output (0.00, −0.60)" in sentence(page)


def test_the_hull_fills_its_panel(opened):
    page = opened(MixLab(), **STILL)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 1400})
        settled(page)
        panel, hull = (page.locator(f".values {one}").bounding_box() for one in ("svg", ".hull"))
        assert hull["width"] > 0.5 * panel["width"] and hull["height"] > 0.7 * panel["height"], width


def test_the_scale_is_still_while_a_value_is_dragged_and_all_of_it_is_shown_afterwards(opened):
    page = opened(MixLab(), **STILL)
    others = page.locator(".values .point").nth(2)
    before = others.bounding_box()
    box = page.locator(".values svg").bounding_box()
    page.locator(".values .point").nth(1).hover()
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 60, box["y"] + 60, steps=4)
    settled(page)
    assert others.bounding_box() == before
    page.mouse.up()
    settled(page)
    dragged = page.locator(".values .point").nth(1).bounding_box()
    assert dragged["x"] + dragged["width"] < box["x"] + box["width"] and others.bounding_box() != before
    page.get_by_role("button", name="reset").click()
    settled(page)
    assert others.bounding_box() == before


def test_the_line_to_the_target_is_as_long_as_the_sentence_says(opened):
    page = opened(MixLab(**MixLab.CHIPS[2][1]), **STILL)
    drag(page, "queries", (-1.98, -3.98), (1, -3))
    (far,) = re.findall(r"is ([\d.]+) away, and comes no nearer than 1.05", sentence(page))
    unit = page.locator(".values .hull").bounding_box()["width"] / 4
    assert page.locator(".values .missing").evaluate("line => line.getTotalLength()") == pytest.approx(float(far) * unit, abs=1)


PERFORM = "detail => document.querySelector('.attn-lab-root').dispatchEvent(new CustomEvent('attn-try', { detail }))"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_query_solves_the_task_of_an_experiment_as_far_as_it_can(opened, motion):
    page = opened(MixLab(), reduced_motion=motion)
    asked = {"values": [list(value) for value in _VALUES[:3]], "queries": [[1.5, -0.4], [2, 1]], "temperature": 1, "by": "query"}
    for target, query, told in (
        ([0, -0.2], "[0,0]", "✓ (0.0, −0.2) is inside"),
        ([2, 1], "[2.35,-4]", "✗ (2.0, 1.0) is on the edge of the hull: the output comes ever nearer and never arrives"),
        ([4, 2], "[2.35,-4]", "✗ (4.0, 2.0) is outside of the shaded hull: the output stays 2.24 away"),
        ([4, 0], "[2.35,-4]", "✗ (4.0, 0.0) is outside of the shaded hull: the output stays 2.24 away"),
    ):
        page.evaluate(PERFORM, asked | {"target": target, "heads": 1, "shares": False})
        assert sentence(page).startswith(told) and setting(page, "queries") == f"[{query},[2,1]]"
        assert page.locator(".trail").count() == 0, "nothing moves any more"
    assert page.locator(".values text", has_text="2.24 away").is_visible()


def test_an_experiment_is_marked_although_its_query_is_aimed_and_shares_end_with_it(opened):
    page = opened(MixLab(**HARD), **STILL)
    for name in ("reach outside", "mix three values"):
        page.get_by_role("button", name=name).click()
        assert "Measured along" not in sentence(page)
        assert page.locator(".chip[aria-pressed=true]").all_inner_texts() == [name]
    assert setting(page, "shares") in (None, "false")


def test_whoever_drags_a_border_of_the_bar_takes_the_weights_in_hand_and_the_query_takes_them_back(opened):
    page = opened(MixLab(queries=[[0, 0], [0, 0]]), **STILL)
    assert sentence(page).startswith("All weights are nearly equal: the output (0.00, −0.20)")
    box = page.locator(".mix-bar").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + box["height"] / 3)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] + box["height"] * 0.6, steps=5)
    page.mouse.up()
    settled(page)
    assert page.get_by_label("by hand").is_checked()
    kings, girls, the = json.loads(setting(page, "hand"))[0]
    assert kings == pytest.approx(0.6, abs=0.01) and kings + girls == pytest.approx(2 / 3, abs=0.001) and the == 0.3333
    drag(page, "queries", (0, 0), (3, -0.4))
    assert page.get_by_label("softmax").is_checked() and "the output (0.89, 1.00)" in sentence(page)


def test_the_keys_move_queries_values_and_weights(opened):
    page = opened(MixLab(heads=2), **STILL)
    keys, values = page.locator(".queries svg"), page.locator(".values svg")
    for key in ("ArrowRight", "PageDown", "Shift+ArrowUp"):
        keys.press(key)
    assert setting(page, "queries") == "[[0.3,-0.7],[2,1.5]]" and setting(page, "head") == "1"
    for key in ("PageDown", "ArrowUp", "Shift+ArrowLeft"):
        values.press(key)
    assert setting(page, "values") == "[[-2,1],[1.5,1.1],[0,-2.6]]" and setting(page, "pick") == "1"
    page.get_by_label("also negative").check()
    settled(page)
    before = json.loads(setting(page, "hand"))
    for key in ("ArrowLeft", "ArrowDown"):
        page.locator(".mix-bar").press(key)
        settled(page)
    after = json.loads(setting(page, "hand"))
    assert after[0] == before[0] and after[1][1:] == before[1][1:]
    assert after[1][0] == pytest.approx(before[1][0] - 0.05, abs=0.006)
    assert "Up and down change the weight of kings" in page.locator(".mix-bar").get_attribute("aria-label")


def test_no_softmax_reaches_a_point_outside_and_a_weight_below_zero_does(opened):
    page = opened(MixLab(), **STILL)
    page.get_by_role("button", name="reach outside").click()
    text = sentence(page)
    assert text.startswith("✗ (2.2, −0.8) is outside of the shaded hull: the output stays 1.05 away.")
    assert "“kings” would need the weight −0.30; softmax gives none below 0" in text
    page.get_by_role("button", name="take these weights").click()
    assert sentence(page) == "✗ (2.2, −0.8) is reached, but not by a head. “kings” has a weight below 0, which no softmax makes."
    assert page.get_by_label("also negative").is_checked()
    page.get_by_label("by hand").check()
    assert "is outside of the shaded hull" in sentence(page)
    weights = [float(weight) for weight in json.loads(setting(page, "hand"))[0]]
    assert min(weights) == 0 and sum(weights) == pytest.approx(1, abs=0.001)
    drag(page, "values", (2.2, -0.8), (0.5, 0.5), room=NEAR)
    assert sentence(page).startswith("(0.5, 0.5) is inside the hull"), "no verdict yet"
    page.get_by_role("button", name="take these weights").click()
    assert sentence(page).startswith("✓ (0.5, 0.5) is inside the hull") and "The output is there." in sentence(page)
    assert page.get_by_label("by hand").is_checked()


def test_of_the_points_of_the_question_only_one_is_inside(opened):
    targets = [[3, 2], [4, 0], [1, 1], [-1, 1]]
    page = opened(*[MixLab(values=[[0, 0], [4, 0], [0, 3]], target=target) for target in targets], **STILL)
    settled(page)
    told = page.locator(".sentence").all_inner_texts()
    assert [text[0] for text in told] == ["✗", "✗", "(", "✗"]
    assert ["as near as you like" in text for text in told] == [target == [4, 0] for target in targets]


def test_one_head_and_two_heads_at_the_same_average(opened):
    values = MixLab.CHIPS[3][1]["values"]
    rows = [[0.5, 0.5, 0, 0], [0, 1, 0, 0]]
    two, alike = ([[1, 0, 0, 0], [0, 1, 0, 0]], [[0, 0, 0, 1], [0, 0, 0, 1]])
    kinds = [{"hand": rows}, {"heads": 2, "hand": two}, {"heads": 2, "hand": alike}]
    page = opened(*[MixLab(by="hand", values=values, **kind) for kind in kinds], **STILL)
    settled(page)
    one, other, same = page.locator(".sentence").all_inner_texts()
    assert "cannot be distinguished from the value of “gold”, which has the weight 0.00" in one
    assert other.startswith("The layer passes on both points, (−2.00, 1.00) and (2.00, 1.00).")
    assert "One head, half and half, would give (0.00, 1.00), the value of the fourth word, “gold”" in other
    named = page.locator(".attn-lab-root").nth(1).locator(".values text", has_text="one head, half and half")
    assert named.is_visible()
    assert "two heads that look alike say no more than one" in same
    assert page.locator(".attn-lab-root").nth(2).locator(".values text", has_text="one head").count() == 0


def test_the_scores_beside_the_keys_are_those_that_the_weights_are_made_of(opened):
    page = opened(MixLab(temperature=0.5), **STILL)
    settled(page)
    texts = page.locator(".queries text").all_text_contents()
    scores = np.array([float(text.split()[1].replace("−", "-")) for word in WORDS[:3] for text in texts if text.startswith(word)])
    assert_close(np.exp(scores) / np.exp(scores).sum(), MixLab(temperature=0.5).weights[0].cpu().numpy(), rtol=0, atol=0.01)
    page.get_by_label("by hand").check()
    settled(page)
    assert sorted(page.locator(".queries text").all_text_contents()) == ["girls", "kings", "others", "query"]
    assert page.locator(".queries p").all_text_contents()[0] == "query (not used), keys"


def test_a_link_with_invalid_values_is_explained_and_reset_restores_the_lab(opened):
    page = opened(MixLab(), fragment="#lab-1?values=[[1,2],[3,9],[0,0]]")
    assert page.get_by_role("alert").inner_text().startswith("values are 3 to 6 points")
    page.get_by_role("button", name="reset").click()
    assert "the output (" in sentence(page)


# Of each lab and each of its two pictures: the size, and the text and the place of each label.
LABELS = """() => [...document.querySelectorAll('.attn-lab-root')].map(lab => ['queries', 'values'].map(name => {
  const { width, height } = lab.querySelector(`.${name} svg`).getBoundingClientRect();
  const labels = [...lab.querySelectorAll(`.${name} text`)].map(one => {
    const box = one.getBBox();
    return [one.textContent, box.x, box.y, box.x + box.width, box.y + box.height];
  });
  return [name, width, height, labels];
}))"""


@pytest.mark.parametrize("width", [390, 1280])
def test_labels_cover_neither_each_other_nor_leave_the_picture(opened, width, subtests):
    chips = [dict(settings) for _, settings in MixLab.CHIPS]
    more = [{"S": 6}, {"heads": 2}, {"by": "free", "hand": [[0.5, 0.9, -0.4], [1, 1, 1]]}, {"shares": True, "target": [1.0, 1.0]}]
    labs = [MixLab() for _ in [*chips, *more]]
    for lab, settings in zip(labs, [*chips, *more], strict=True):
        for name, value in settings.items():
            setattr(lab, name, value)
    page = opened(*labs, width=width, **STILL)
    settled(page)
    for settings, pictures in zip([*chips, *more], page.evaluate(LABELS), strict=True):
        for sheet, wide, high, labels in pictures:
            with subtests.test(settings=settings, sheet=sheet):
                assert len(labels) >= 4
                for n, (text, left, top, right, bottom) in enumerate(labels):
                    assert left >= -2 and right <= wide + 2 and top >= -3 and bottom <= high + 3, text
                    for other, x, y, far, low in labels[n + 1 :]:
                        assert right <= x + 1 or far <= left + 1 or bottom <= y + 3 or low <= top + 3, (text, other)


def test_a_part_alone_is_a_small_lab(opened):
    page = opened(MixLab(parts=["weights", "values"], controls=["by"]), **STILL)
    assert page.locator(".values svg").is_visible() and not page.locator(".queries svg").is_visible()
    before = sentence(page)
    page.locator(".mix-bar").press("ArrowUp")
    assert sentence(page) != before
