"""The rules of a lab on a stage: everything on one screen, at one height, moves that end where a jump ends,
readable text, few tab stops."""

from itertools import pairwise

import numpy as np
import pytest
from lab_pages import AIM, DRAWN, FIRST, PRESS, settled, shown
from PIL import Image

from attn import labs

pytestmark = pytest.mark.slow

# Labs whose question, picture and controls do not share a screen yet.
WITHOUT_A_STAGE = {
    "FilmLab",
}
# Their pictures are as high as what a reader's program prints.
AS_HIGH_AS_ITS_PROGRAM = {"CodeLab"}
STAGED = [name for name in labs.__all__ if getattr(labs, name).QUESTION]

# The boxes of the parts of a stage: from top to bottom, in pixels of the page.
BOXES = """names => Object.fromEntries(names.map(name => {
  const boxes = [...document.querySelectorAll(`.attn-lab-root .stage ${name}`)].map(node => node.getBoundingClientRect());
  const seen = boxes.filter(box => box.width * box.height);
  return [name, [Math.min(...seen.map(box => box.top)), Math.max(...seen.map(box => box.bottom))]];
}))"""
TAB_STOPS = """() => {
  const focusable = '.attn-lab-root :is(a[href], button, input, select, summary, [tabindex="0"])';
  const seen = node => !node.disabled && node.tabIndex >= 0 && node.checkVisibility({ visibilityProperty: true });
  const all = [...document.querySelectorAll(focusable)].filter(node => seen(node) && !node.closest('footer'));
  return new Set(all.map((node, n) => node.type === 'radio' ? node.name : n)).size;
}"""
# Records each text that is drawn on a canvas, and how small it was seen at the smallest. (A move draws a text some hundred times.)
DRAWN_TEXTS = """globalThis.drawnTexts = new Map();
for (const method of ['fillText', 'strokeText']) {
  const draw = CanvasRenderingContext2D.prototype[method];
  CanvasRenderingContext2D.prototype[method] = function (text, ...more) {
    const { a, b } = this.getTransform();
    const size = Number.parseFloat(this.font.match(/([\\d.]+)px/)?.[1]) * Math.hypot(a, b);
    const { width, clientWidth } = this.canvas;
    const seen = Math.min(size * clientWidth / width, drawnTexts.get(String(text)) ?? Infinity);
    if (String(text).trim() && clientWidth) drawnTexts.set(String(text), seen);
    return draw.call(this, text, ...more);
  };
}"""
WRITTEN_TEXTS = """() => [...document.querySelectorAll('.attn-lab-root *')].flatMap(node => {
  const own = [...node.childNodes].filter(one => one.nodeType === 3).map(one => one.data.trim()).join('');
  const seen = own && node.checkVisibility() && node.getBoundingClientRect().width > 1;
  const matrix = node.ownerSVGElement ? node.getScreenCTM() : null;
  return seen ? [[own, Number.parseFloat(getComputedStyle(node).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1)]] : [];
})"""
# Resets the lab and presses each chip, where a reader can. For each: its text, how much higher the lab is now, and how many chips
# are marked.
CHIPS = f"""async root => {{
  const drawn = () => {DRAWN};
  const height = () => root.getBoundingClientRect().height;
  [...root.querySelectorAll('button')].find(node => node.textContent === 'reset').click();
  await drawn();
  const before = height();
  const found = [];
  for (const n of root.querySelectorAll('.chip').keys()) {{
    const chip = root.querySelectorAll('.chip')[n];
    ({AIM})(chip);
    chip.click();
    await drawn();
    found.push([chip.textContent, height() - before, root.querySelectorAll('.chip[aria-pressed=true]').length]);
  }}
  return found;
}}"""
# Counts how often a lab begins to move.
MOVES = """globalThis.moves = 0;
new MutationObserver(list => { for (const { target } of list) if (target.hasAttribute('data-moving')) moves += 1; })
  .observe(document, { subtree: true, attributeFilter: ['data-moving'] });"""


def made(name, **arguments):
    return getattr(labs, name)(**arguments)


def test_every_lab_has_a_stage_except_those_that_are_listed():
    assert {*labs.__all__} - {*STAGED} == WITHOUT_A_STAGE


@pytest.mark.parametrize("name", STAGED)
def test_a_lab_is_on_one_screen_at_one_height_and_readable(opened, name, subtests):
    page = opened(made(name), height=800, script=DRAWN_TEXTS)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        settled(page)
        boxes = page.evaluate(BOXES, [".question", ".chips", ".picture", ".controls", ".sentence"])
        with subtests.test("at most 620 pixels high", scheme=scheme):
            assert max(bottom for _, bottom in boxes.values()) - min(top for top, _ in boxes.values()) <= 620, boxes
    with subtests.test("few tab stops, and few controls before `more`"):
        assert 1 <= page.evaluate(TAB_STOPS) <= 12
        assert page.locator(".stage .controls > :not(.more)").count() <= 4
        assert 2 <= page.locator(".chip").count() <= 4
    page.set_viewport_size({"width": 390, "height": 844})
    settled(page)
    page.locator(".stage .picture").evaluate("node => window.scrollBy(0, node.getBoundingClientRect().top)")
    settled(page)
    boxes = page.evaluate(BOXES, [".picture", ".sentence", ".controls"])
    parts = sorted(boxes.values())
    with subtests.test("on a phone, picture, controls and sentence are on one screen and do not cover each other"):
        assert parts[0][0] >= -1 and parts[-1][1] <= 845, boxes
        assert all(above[1] <= below[0] + 1 for above, below in pairwise(parts)), boxes
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for chip, height, marked in page.locator(FIRST).evaluate(CHIPS):
            with subtests.test("no chip moves what stands below, and only one is marked", width=width, chip=chip):
                assert name in AS_HIGH_AS_ITS_PROGRAM or abs(height) <= 12
                assert marked <= 1
        texts = page.evaluate(WRITTEN_TEXTS) + page.evaluate("[...drawnTexts]")
        page.evaluate("drawnTexts.clear()")
        with subtests.test("no text is smaller than 11 pixels", width=width):
            assert texts and not [text for text in texts if text[1] < 10.99]


@pytest.mark.parametrize("name", STAGED)
def test_a_move_ends_where_a_jump_ends_and_can_be_repeated_and_interrupted(opened, name, subtests):
    """Of two equal labs, one is shown to a reader who wants no motion."""
    moving = opened(made(name), script=MOVES, reduced_motion="no-preference")
    jumping = opened(made(name), script=MOVES, reduced_motion="reduce")
    for n, chip in enumerate(moving.locator(".chip").all_inner_texts()):
        with subtests.test("the same picture", chip=chip):
            assert moving.locator(FIRST).evaluate(PRESS, n) == jumping.locator(FIRST).evaluate(PRESS, n)
        before = moving.evaluate("moves")
        again = moving.locator(FIRST).evaluate(PRESS, n)
        with subtests.test("an action that is repeated acts again", chip=chip):
            assert moving.evaluate("moves") > before
            assert again == jumping.locator(FIRST).evaluate(PRESS, n)
    for page in (moving, jumping):
        page.evaluate("document.querySelector('.chip').click()")
        page.locator(".stage .controls input[type=range]").first.focus()
        for key in ("End", "ArrowLeft", "Home", "ArrowRight"):
            page.keyboard.press(key)
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    with subtests.test("a slider that is dragged ends the move"):
        assert shown(moving) == shown(jumping)
    assert jumping.evaluate("moves") == 0


@pytest.mark.parametrize("name", STAGED)
def test_the_picture_that_is_saved_is_the_one_that_is_drawn(opened, name):
    page = opened(made(name), reduced_motion="reduce")
    pictures = []
    for press in (False, True):
        if press:
            page.locator(".chip[aria-pressed=false]").first.click()
        settled(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="save picture").click()
        assert download.value.suggested_filename == f"{name}.png"
        picture = np.asarray(Image.open(download.value.path()).convert("RGB"))
        drawn = page.locator(".stage .picture").bounding_box()
        assert picture.shape[0] > 2 * drawn["height"] and picture.shape[1] > 2 * drawn["width"]
        assert len(np.unique(picture[::3, ::3] @ (1 << 16, 1 << 8, 1))) > 8, "only text"
        pictures.append(picture)
    assert not np.array_equal(*pictures), "the picture does not follow the lab"


# How many pixels of each canvas there are for a CSS pixel: whenever one is copied into a picture, and now.
COPIED = """() => {
  globalThis.copied = [];
  const copy = HTMLCanvasElement.prototype.toDataURL;
  HTMLCanvasElement.prototype.toDataURL = function (...how) {
    globalThis.copied.push(this.width / this.clientWidth);
    return copy.apply(this, how);
  };
}"""
NOW = """[...document.querySelectorAll('.stage .picture canvas')].filter(one => one.clientWidth)
  .map(one => one.width / one.clientWidth)"""


@pytest.mark.parametrize("name", ["CacheLab", "FilmLab", "ShapeLab"])
def test_a_picture_that_is_saved_is_sharper_than_the_screen_and_the_lab_stays_as_it_was(opened, name):
    page = opened(made(name), reduced_motion="reduce")
    settled(page)
    page.evaluate(COPIED)
    before = page.evaluate(NOW)
    with page.expect_download():
        page.get_by_role("button", name="save picture").click()
    settled(page)
    assert before == pytest.approx([1] * len(before), abs=0.02) and page.evaluate(NOW) == before
    copied = page.evaluate("copied")
    assert len(copied) >= 1 and copied == pytest.approx([2] * len(copied), abs=0.02)


def test_in_a_picture_that_is_saved_a_slider_stands_where_the_reader_has_put_it(opened):
    page = opened(labs.ShapeLab(), reduced_motion="reduce")
    slider = page.locator(".picture input[type=range]")
    seen = []
    for key in ("Home", "End"):
        slider.press(key)
        settled(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="save picture").click()
        around, box = page.locator(".stage .picture").bounding_box(), slider.bounding_box()
        x = 24 + box["x"] + box["width"] - 9 - around["x"]  # the middle of the thumb at the right end
        y = 76 + box["y"] + box["height"] / 2 - 6 - around["y"]  # in the thumb, above the bar
        seen.append(Image.open(download.value.path()).convert("RGB").getpixel((2 * x, 2 * y)))
    assert seen[0] == (255, 255, 255) and seen[1][2] > 2 * seen[1][0], seen


BACKGROUNDS = """() => [...document.querySelectorAll('[data-axis=H]')].filter(node => node.checkVisibility())
  .map(node => getComputedStyle(node).backgroundColor)"""


def test_a_letter_lights_up_on_the_whole_page(opened):
    page = opened(labs.ShapeLab(), labs.MaskLab(), reduced_motion="reduce")
    page.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<p><b class=ax data-axis=H>H</b></p>')")
    dark = page.evaluate(BACKGROUNDS)
    assert len(dark) >= 3
    for point in (
        page.locator("main > p b").hover,
        page.locator(".attn-lab-root").nth(1).locator("b[data-axis=H]:visible").first.hover,
        page.locator(".slider[data-axis=H] input").first.focus,
    ):
        point()
        lit = page.evaluate(BACKGROUNDS)
        assert all(new != old for new, old in zip(lit, dark, strict=True))
        page.evaluate("document.activeElement.blur()")
        page.mouse.move(1, 1)
        page.locator("h1").hover()
        assert page.evaluate(BACKGROUNDS) == dark
