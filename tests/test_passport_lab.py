"""PassportLab: its counts are those of torch, and its strided tensors behave like torch's, error messages included."""

import json
import math
import random
import re

import pytest
import torch
import traitlets
from lab_pages import settled
from node import assert_agree, javascript_constants, node

import attn
from attn.labs import PassportLab
from attn.labs.passport.lab import NEXT_CALLS, WAYS

TOO_FAR = (
    "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous "
    "subspaces). Use .reshape(...) instead."
)


def test_the_right_split_is_attn_split_heads():
    lab = PassportLab(B=2, way="right")
    x = torch.arange(120, device=attn.device()).view(2, 5, 12)
    assert torch.equal(lab.result, attn.split_heads(x, 3)) and torch.equal(lab.right, lab.result)
    assert lab.result.stride() == (60, 4, 12, 1)
    assert lab.counts == {"in place": 120, "another head": 0, "another token": 0, "another channel": 0}


def test_the_right_merge_is_attn_merge_heads():
    lab = PassportLab(operation="merge", way="right")
    heads = torch.arange(60, device=attn.device()).view(1, 3, 5, 4)
    assert torch.equal(lab.result, attn.merge_heads(heads)) and torch.equal(lab.right, lab.result)
    assert [step["memory"] for step in lab.steps] == ["", "view", "copy"]


def test_wrong_ways_give_the_right_shape_with_wrong_numbers():
    lab = PassportLab()
    for operation, ways in WAYS.items():
        lab.operation = operation
        for way in list(ways)[1:]:
            lab.way = way
            assert lab.result.shape == lab.right.shape
            assert lab.counts["in place"] == int((lab.result == lab.right).sum()) < 60


def test_the_counts_agree_with_those_of_the_checker():
    lab = PassportLab(B=2)

    def view_only(x, H):
        B, L, E = x.shape
        return x.view(B, H, L, E // H)

    message = attn.check.split_heads(view_only).message  # its first sizes are the same
    assert f"{lab.counts['another head']} belong to another head" in message
    assert f"{lab.counts['another token']} belong to another token" in message


def test_a_view_only_split_hides_at_one_head_or_one_token():
    for sizes in ({"H": 1}, {"L": 1}):
        assert PassportLab(**sizes).counts["another head"] == 0
        assert PassportLab(operation="merge", **sizes).counts["another head"] == 0
    assert PassportLab(way="interleaved", L=1).counts["another head"] > 0
    assert PassportLab(way="interleaved", D=1).counts["another head"] == 0


def test_the_next_calls_have_the_same_effect_as_in_torch():
    assert PassportLab(way="right").next == [
        {"call": "view(B, H, L*D)", "does": "error", "message": TOO_FAR},
        {"call": "reshape(B, H, L*D)", "does": "copy", "message": ""},
        {"call": "contiguous()", "does": "copy", "message": ""},
        {"call": "transpose(1, 2).view(B, L, H*D)", "does": "view", "message": ""},
    ]
    assert [one["does"] for one in PassportLab().next] == ["view", "view", "view", "error"]


def test_changing_the_operation_replaces_its_bug_by_the_bug_of_the_other_one():
    lab = PassportLab(way="interleaved")
    lab.operation = "merge"
    assert lab.way == "no transpose"
    lab.way = "right"
    lab.operation = "split"
    assert lab.way == "right"


def test_a_way_that_the_operation_does_not_have_is_refused():
    lab = PassportLab()
    before = lab.result
    with pytest.raises(ValueError, match="way = \"no transpose\": the ways to split are 'right', 'view only', 'interleaved'"):
        lab.way = "no transpose"
    assert lab.way == "view only" and lab.result is before and "no transpose" in lab._message
    with pytest.raises(traitlets.TraitError, match="H = 9: this lab takes H, query heads, from 1 to 8"):
        lab.H = 9
    with pytest.raises(traitlets.TraitError):
        lab.colour_by = "sample"


def test_the_fallback_compares_every_way_at_this_setting():
    rows = re.findall(r"<tr>(.*?)</tr>", PassportLab().fallback())
    cells = [[re.sub("<.*?>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)] for row in rows]
    assert cells[1] == [f"right: {WAYS['split']['right']}", "60", "0", "0", "(60, 4, 12, 1)", "error", "copy", "copy", "view"]
    assert cells[2][:4] == ["view only: view(B, H, L, D)", "12", "40", "48"]
    assert "Use .reshape(...) instead." in PassportLab().fallback()
    assert len(re.findall("<tr>", PassportLab(operation="merge").fallback())) == 3


def random_settings(seed):
    choose = random.Random(seed)
    operation = choose.choice(list(WAYS))
    sizes = {axis: choose.randint(1, 8 if seed % 5 == 0 else 5) for axis in "BLHD"}
    return {**sizes, "operation": operation, "way": choose.choice(list(WAYS[operation]))}


def test_browser_and_kernel_compute_the_same():
    labs = [PassportLab(**random_settings(seed)) for seed in range(60)]
    assert_agree(labs, lambda *_: {"share": 0})
    assert {(lab.operation, lab.way) for lab in labs} == {(operation, way) for operation, ways in WAYS.items() for way in ways}


def test_python_and_javascript_have_the_same_ways_and_next_calls():
    ways, calls = javascript_constants("passport/model", "WAYS", "NEXT_CALLS")
    assert ways == WAYS and calls == {operation: list(of) for operation, of in NEXT_CALLS.items()}


# The strided tensors of the browser ---------------------------------------------------------------------------------------------


def factors(choose, count):
    """A random shape with this many elements, axes of size 1 among them."""
    shape = []
    while count > 1 or choose.random() < 0.4:
        size = choose.choice([n for n in range(1, count + 1) if count % n == 0])
        shape.append(size)
        count //= size
    choose.shuffle(shape)
    return shape


def random_chain(seed):
    choose = random.Random(seed)
    shape = [choose.choice((1, 2, 2, 3, 4, 5)) for _ in range(choose.randint(1, 5))]
    tensor, calls, wanted = torch.arange(math.prod(shape)).view(shape), [], []
    for _ in range(6):
        name = choose.choice(("view", "view", "reshape", "permute", "permute", "transpose", "contiguous"))
        axes = list(range(tensor.dim()))
        numbers = []
        if name in ("view", "reshape"):
            numbers = factors(choose, tensor.numel())
            if numbers and choose.random() < 0.3:
                numbers[choose.randrange(len(numbers))] = choose.choice((-1, 7))
        elif name == "permute":
            numbers = choose.sample(axes, len(axes))
        elif name == "transpose":
            if not axes:
                continue
            numbers = [choose.choice(axes), choose.choice(axes)]
        calls.append((name, numbers))
        try:
            arguments = {"transpose": numbers, "contiguous": []}.get(name, [numbers])
            result = getattr(tensor, name)(*arguments)
        except RuntimeError as error:
            wanted.append({"error": str(error)})
            continue
        wanted.append(
            {
                "shape": list(result.shape),
                "strides": list(result.stride()),
                "contiguous": result.is_contiguous(),
                "copied": result.untyped_storage().data_ptr() != tensor.untyped_storage().data_ptr(),
                "numbers": result.flatten().tolist(),
            }
        )
        tensor = result
    return {"shape": shape, "calls": calls}, wanted


def test_strided_tensors_behave_in_the_browser_as_in_torch():
    chains, wanted = zip(*(random_chain(seed) for seed in range(1500)), strict=True)
    run = node("tests/js/strided.js", stdin=json.dumps(chains))
    assert run.returncode == 0, run.stderr
    for chain, got, want in zip(chains, json.loads(run.stdout), wanted, strict=True):
        assert got == want, chain
    errors = {error for steps in wanted for step in steps if (error := step.get("error"))}
    assert TOO_FAR in errors and any("is invalid for input of size" in error for error in errors)
    assert {step["copied"] for steps in wanted for step in steps if "copied" in step} == {True, False}


# On a page ------------------------------------------------------------------------------------------------------------------------


def drawn(page):
    settled(page)
    return page


def highlights(page):
    """The position of the frame, or None, in each of the four pictures: right, its memory, chosen, its memory."""
    frames = drawn(page).locator(".marks span")
    return frames.evaluate_all("all => all.map(one => one.hidden ? null : one.style.left + one.style.top)")


def test_the_lab_counts_the_elements_that_a_wrong_split_misplaces(opened):
    page = opened(PassportLab())
    assert page.inner_text(".right .verdict") == "✓ all 60 elements are in place"
    assert page.inner_text(".chosen .verdict") == "✗ 40 of 60 elements in another head, 48 at another token; 12 in place (20%)"
    page.focus("[data-axis=H] input")
    page.keyboard.press("Home")
    assert drawn(page).inner_text(".chosen .verdict") == "⚠ H = 1: all 20 elements are in place; this test cannot see the bug."
    page.get_by_text("H = 1: all 20", exact=False).and_(page.locator("[role=status]")).wait_for(state="attached")


def test_the_element_reached_with_the_keys_is_highlighted_in_all_four_pictures(opened):
    page = opened(PassportLab())
    assert highlights(page) == [None] * 4
    chosen = page.locator(".chosen canvas").first
    chosen.focus()
    for key in ("ArrowDown", "PageDown", "ArrowDown", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)  # the first key focuses the first cell
        drawn(page)
    assert page.inner_text(".pinned").startswith("Place 21 in memory holds token 1, head 2, channel 1.")
    assert page.inner_text(".pinned").endswith("puts it at [0, 1, 0, 1], where it is taken for token 0, head 1, channel 1.")
    where = highlights(page)
    assert None not in where and where[1] == where[3] and where[0] != where[2]
    page.locator("[role=status]").get_by_text("Place 21 in memory", exact=False).wait_for(state="attached")
    page.keyboard.press("Escape")
    assert highlights(page) == [None] * 4


def test_pointing_highlights_an_element_temporarily_and_a_click_pins_it(opened):
    page = opened(PassportLab())
    strip = page.locator(".right canvas").nth(1)
    box = strip.bounding_box()
    at = {"x": box["width"] - 12, "y": box["height"] - 22}
    strip.hover(position=at)
    assert None not in highlights(page) and page.inner_text(".pinned").startswith("Place 59 in memory")
    page.mouse.move(2, 2)
    assert highlights(page) == [None] * 4
    strip.click(position=at)
    page.mouse.move(2, 2)
    assert None not in highlights(page)
    strip.click(position=at)
    page.mouse.move(2, 2)
    assert highlights(page) == [None] * 4


def test_the_element_pointed_at_may_disappear_when_a_size_shrinks(opened):
    page = opened(PassportLab(pin=3))
    strip = page.locator(".right canvas").nth(1)
    box = strip.bounding_box()
    strip.hover(position={"x": box["width"] - 12, "y": box["height"] - 22})
    assert page.inner_text(".pinned").startswith("Place 59 in memory")
    page.evaluate("document.activeElement.blur()")
    page.focus("[data-axis=L] input")
    page.keyboard.press("ArrowLeft")
    assert drawn(page).inner_text(".pinned").startswith("Place 3 in memory")


def test_a_link_may_change_the_operation_alone(opened):
    page = opened(PassportLab(), fragment="#lab-1?operation=merge")
    assert page.inner_text(".chosen .title") == "chosen heads.reshape(B, L, H*D)"
    assert page.locator("input[value='no transpose']").is_checked()


def test_an_impossible_view_shows_the_error_message_of_torch(opened):
    page = opened(PassportLab(way="right"))
    assert page.inner_text(".next .error") == f"RuntimeError: {TOO_FAR}"
    assert "a copy of 60 numbers" in page.inner_text(".next")
