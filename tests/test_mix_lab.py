"""MixLab: its outputs are the averages of the values that NumPy computes, and the browser computes the same."""

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
from attn.labs.mix.lab import KEYS, LARGEST_HAND_WEIGHT, REACH, TEMPERATURES, WORDS


def random_settings(seed):
    choose = random.Random(seed)
    S = choose.randint(3, 6)
    points = [[choose.randint(-40, 40) / 10 for _ in range(2)] for _ in range(S + 2)]
    return {
        "values": points[:S],
        "queries": points[S:],
        "temperature": choose.choice((0.01, 0.1, 0.5, 1.0, 3.2, 100.0)),
        "by": choose.choice(("query", "hand")),
        "hand": [[choose.randint(0, 9), *(choose.randint(1, 10) for _ in range(S - 1))] for _ in range(2)],
        "heads": choose.randint(1, 2),
    }


def weights_of(lab, head):
    """The weights, computed by NumPy one number at a time."""
    if lab.by == "hand":
        return np.array(lab.hand[head]) / sum(lab.hand[head])
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
                assert_close(lab.shares[head].cpu().numpy(), np.array([np.dot(part, out / length) / length for part in parts]))
            assert lab.weights.shape == (lab.heads, lab.S) and lab.weights.device.type == attn.device().type


def test_no_output_on_the_path_leaves_the_hull_of_the_values(subtests):
    for seed in range(6):
        with subtests.test(seed=seed):
            lab = MixLab(**random_settings(seed))
            angles = torch.linspace(0, 2 * math.pi, 73, dtype=torch.float64)
            directions = torch.stack([angles.cos(), angles.sin()])
            reach = (torch.tensor(lab.values, dtype=torch.float64) @ directions).amax(0)
            for points in (lab.path.cpu(), lab.out.cpu()):
                assert (points @ directions <= reach + 1e-9).all()


def test_the_path_passes_through_the_output_from_one_value_to_the_mean():
    lab = MixLab()
    assert_close(lab.path[0, 20], lab.out[0])  # temperature 1
    assert_close(lab.path[0, 0].cpu(), torch.tensor(lab.values[3], dtype=torch.float64), rtol=0, atol=1e-6)
    mean = torch.tensor(lab.values, dtype=torch.float64).mean(0)
    assert (lab.path[0, -1].cpu() - mean).norm() < 0.05


def test_the_word_with_the_largest_weight_can_have_a_negative_share():
    lab = MixLab()
    at = int(lab.weights[0].argmax())
    assert lab.words[at] == "the" and lab.shares[0, at] < -0.3
    assert_close(float(lab.shares.sum()), 1.0)


def test_an_output_of_zero_has_no_shares():
    opposite = MixLab(by="hand", values=[[0.1, 0.1], [0.2, 0.2], [-0.3, -0.3]], hand=[[1, 1, 1], [1, 1, 1]])
    assert opposite.shares.isnan().all() and len(re.findall(r"<td[^>]*>–</td>", opposite.fallback())) == 3
    (results,) = computed_by_node([opposite])
    assert results["shares"].isnan().all()


def test_two_heads_distinguish_what_their_average_cannot():
    apart = MixLab(by="hand", heads=2, hand=[[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]])
    same = MixLab(by="hand", heads=2, hand=[[0, 0, 1, 0, 0], [0, 0, 1, 0, 0]])
    assert_close(apart.out.mean(0), same.out.mean(0))
    assert (apart.out - same.out).norm(dim=-1).min() == 3
    single = MixLab(by="hand", hand=[[5, 5, 0, 0, 0], [1, 1, 1, 1, 1]])
    assert_close(single.out[0], same.out[0])


def test_a_new_number_of_keys_keeps_the_existing_values():
    lab = MixLab(values=[[1.0, 1], [2, 2], [3, -3]])
    assert lab.S == 3 == len(lab.hand[0]) == len(lab.hand[1]) and lab.words == ("river", "money", "bank")
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
        ({"hand": [[11, 1, 1, 1, 1], [1, 1, 1, 1, 1]]}, "11"),
        ({"S": 7}, "S = 7: this lab takes S, keys, from 3 to 6"),
    ],
)
def test_an_invalid_setting_is_refused(settings, message):
    lab = MixLab()
    before = lab.state
    with pytest.raises(traitlets.TraitError, match=message):
        setattr(lab, *next(iter(settings.items())))
    assert lab.state == before


def test_a_head_without_weights_is_refused_and_keeps_its_weights():
    lab = MixLab(by="hand", hand=[[0, 0, 0, 0, 1], [0, 0, 0, 0, 0]])
    with pytest.raises(ShapeError, match="All hand weights of head 1 are 0"):
        lab.heads = 2
    assert lab.heads == 1 and lab._message.startswith("All hand weights of head 1")


def test_the_fallback_has_every_weight_and_share():
    cells = re.findall(r"<td[^>]*>(.*?)</td>", MixLab().fallback())
    assert cells[:4] == ["river", "(-3, 2)", "0.1780", "0.3937"] and len(cells) == 20
    assert "head 1" in MixLab(heads=2).fallback() and "temperature 1," in MixLab().fallback()
    assert "set by hand" in MixLab(by="hand").fallback()


# The browser --------------------------------------------------------------------------------------------------------------


def test_python_and_javascript_have_the_same_constants():
    written = javascript_constants("mix/model", "WORDS", "KEYS", "REACH", "LARGEST_HAND_WEIGHT", "TEMPERATURES")
    assert written[:4] == [list(WORDS), [list(key) for key in KEYS], REACH, LARGEST_HAND_WEIGHT]
    assert written[4] == pytest.approx(TEMPERATURES)


def test_browser_and_kernel_compute_the_same():
    labs = [MixLab(**random_settings(seed)) for seed in range(80)]
    for results in assert_agree(labs):
        assert set(results) == {"weights", "out", "shares", "path"}
    assert len({(lab.by, lab.heads, len(lab.values)) for lab in labs}) == 16, "the random settings do not include every kind"


def sentence(page):
    settled(page)
    return page.locator(".about").inner_text()


def drag(page, handle, across, up):
    """Drag a point of a plane, in units of the plane."""
    box = handle.bounding_box()
    unit = page.locator(".mix-plane").last.bounding_box()["width"] / 9.2
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across * unit, y - up * unit, steps=4)
    page.mouse.up()


def test_dragging_a_value_moves_the_output_in_proportion_to_its_weight(opened):
    lab = MixLab(by="hand", hand=[[5, 0, 0, 5, 0], [1, 1, 1, 1, 1]])
    page = opened(lab)
    assert sentence(page).startswith("output (−1.20, 0.90)")
    drag(page, page.locator(".mix-plane").last.locator("circle.handle").first, 2, -1)
    assert sentence(page).startswith("output (−0.20, 0.40)") and "value of river (−1.0, 1.0)" in sentence(page)


def test_a_dragged_query_cannot_leave_the_plane(opened):
    page = opened(MixLab())
    drag(page, page.locator(".mix-plane").first.locator("circle.handle"), 1.2, 2.8)
    assert "The sliders move: query (0.0, 2.0)." in sentence(page)
    assert sentence(page).startswith("output (0.00, 1.91)")
    drag(page, page.locator(".mix-plane").first.locator("circle.handle"), 9, 0)
    assert "query (4.0, 2.0)" in sentence(page)


def test_arrow_keys_move_the_selected_point_of_each_plane(opened):
    page = opened(MixLab(pick=4))
    page.locator(".mix-plane").last.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowLeft")
    assert "value of bank (−0.5, 2.1)" in sentence(page)
    page.locator(".mix-plane").first.focus()
    page.keyboard.press("ArrowRight")
    assert "query (−1.1, −0.8)" in sentence(page)
    page.get_by_label("up").press("End")
    assert "query (−1.1, 4.0)" in sentence(page)


def test_the_heading_names_the_dashed_line_only_where_it_is_drawn(opened):
    page = opened(MixLab(heads=2))
    heading = page.locator(".mix-planes small").last
    assert page.locator("path.path").count() == 2 and heading.inner_text().endswith("Dashed: temperature 0.01 to 100.")
    page.get_by_label("by hand").check()
    settled(page)
    assert page.locator("path.path").count() == 0 and heading.inner_text().endswith("weight · v, end to end.")


def test_the_examples_give_one_output_with_one_head_and_two_with_two(opened):
    page = opened(MixLab())
    outputs = {}
    for heads in ("one", "two"):
        page.get_by_label(heads, exact=True).check()
        for name in ("river and money", "bank alone"):
            page.get_by_role("button", name=name).click()
            outputs[heads, name] = sentence(page).split(". ")[0]
    assert outputs["one", "river and money"] == outputs["one", "bank alone"] == "output (0.00, 2.00)"
    assert outputs["two", "river and money"] == "outputs (−3.00, 2.00) and (3.00, 2.00)"
    assert outputs["two", "bank alone"] == "outputs (0.00, 2.00) and (0.00, 2.00)"
    first = page.get_by_role("group", name="head 0")
    first.get_by_label("bank").press("Home")
    assert page.get_by_role("alert").inner_text().startswith("All hand weights of head 0 are 0")
    first.get_by_label("river").press("ArrowRight")
    page.get_by_role("alert").wait_for(state="hidden")
    assert sentence(page).startswith("outputs (−3.00, 2.00)")


def test_a_link_with_invalid_values_is_explained_and_reset_restores_the_lab(opened):
    page = opened(MixLab(), fragment="#lab-1?values=[[1,2],[3,9],[0,0]]")
    assert page.get_by_role("alert").inner_text().startswith("values are 3 to 6 points")
    page.get_by_role("button", name="reset").click()
    assert sentence(page).startswith("output (")


def test_the_label_of_a_query_does_not_cover_that_of_a_key(opened):
    page = opened(MixLab(heads=2))
    boxes = (
        page.locator(".mix-plane")
        .first.locator("text")
        .evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect()).map(({ x, y, right, bottom }) => [x, y, right, bottom])"
        )
    )
    assert len(boxes) == 7
    for n, (left, top, right, bottom) in enumerate(boxes):
        for x, y, far, low in boxes[n + 1 :]:
            assert right <= x or far <= left or bottom <= y + 3 or low <= top + 3, boxes


def test_a_share_below_zero_is_a_bar_to_the_left_of_the_middle(opened):
    page = opened(MixLab())
    bars = page.locator(".mix-row .bar.share").evaluate_all(
        "all => all.map((one) => [one.textContent, (one.firstChild.offsetLeft + one.firstChild.offsetWidth / 2) / one.clientWidth])"
    )
    assert [text for text, _ in bars] == [f"{share:.4f}".replace("-", "−") for share in MixLab().shares[0].tolist()]
    assert all((at < 0.5) == text.startswith("−") for text, at in bars)
