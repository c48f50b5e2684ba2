"""ShapeLab in a browser: a map that is large enough to read, a sentence that covers nothing, and a slider that rests at steps.

Its settings and numbers are tested in test_labs.py and test_labs_page.py, its plans in js/shape.test.js."""

import pytest
from lab_pages import settled

from attn.labs import ShapeLab

pytestmark = pytest.mark.slow

# Drags the slider to a time, and lets it go.
DRAG = """time => {
  const slider = document.querySelector('.player input');
  slider.value = time;
  for (const kind of ['input', 'change']) slider.dispatchEvent(new Event(kind, { bubbles: true }));
}"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_slider_that_is_let_go_between_two_steps_goes_to_the_nearer(opened, motion):
    page = opened(ShapeLab(step="x"), reduced_motion=motion)
    for time, step, name, act in (
        (7.4, 7, "weights", "softmax"),
        (7.6, 8, "heads", "· v"),
        (0.3, 0, "x", ""),
        (9.7, 10, "y", "W_O"),
    ):
        page.evaluate(DRAG, time)
        settled(page)
        assert page.locator(".player input").evaluate("node => node.valueAsNumber") == step
        assert page.locator(".about strong").inner_text() == name
        assert not act or page.locator(".parts [aria-current=true]").inner_text() == act


def test_only_the_step_of_now_has_its_name_above_the_tracks(opened):
    page = opened(ShapeLab(step="scores"))
    seen = "nodes => nodes.filter(node => getComputedStyle(node).opacity !== '0').map(node => node.textContent)"
    assert page.locator(".parts button").evaluate_all(seen) == ["q · kᵀ"]
    page.locator(".player input").press("Home")
    settled(page)
    assert page.locator(".parts button").evaluate_all(seen) == [], "nothing has been done to x"


def test_in_the_book_the_map_is_as_wide_as_the_lab_and_larger_than_the_chosen_tensor(opened):
    page = opened(ShapeLab(), height=800)
    page.add_style_tag(content=".attn-lab.full-width { width: 58.5rem !important }")
    settled(page)
    picture, the_map, side = (page.locator(f".stage {part}").bounding_box() for part in (".picture", ".map canvas", ".side"))
    assert the_map["width"] == pytest.approx(picture["width"], abs=2) and the_map["height"] >= 270
    assert the_map["width"] * the_map["height"] > 3 * side["width"] * side["height"]


@pytest.mark.parametrize("step", ["x", "scores", "heads", "y"])
def test_on_a_phone_the_sentence_covers_no_row_of_the_chosen_tensor(opened, step):
    page = opened(ShapeLab(step=step), width=390, height=844)
    bottom, top = "node => node.getBoundingClientRect().bottom", "node => node.getBoundingClientRect().top"
    for bar in (0, 56):  # a bar of the page may cover its upper edge: then the lab begins below it
        page.locator(".attn-lab-root").evaluate(f"(node, bar) => scrollBy(0, ({top})(node) - bar)", bar)
        settled(page)
        assert page.locator(".large canvas").evaluate(bottom) <= page.locator(".sentence").evaluate(top)
