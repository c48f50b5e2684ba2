"""FilmLab: its numbers, its still pictures, and that what it draws depends on the time alone."""

import io
import re
from itertools import pairwise

import minify
import numpy as np
import pixels
import pytest
from built_book import ROOT
from lab_pages import settled, shown
from node import assert_agree, javascript_constants
from PIL import Image
from torch.testing import assert_close

import attn
from attn.labs import FilmLab, join
from attn.lessons.reader import recorded

PIXELS = f"{pixels.PIXELS}(document.querySelector('.film canvas'))"
SEEK = """t => {
  const slider = document.querySelector('.film input[type=range]');
  slider.value = t;
  slider.dispatchEvent(new Event('input', { bubbles: true }));
}"""
# Records every picture that is drawn: the film clears the canvas before each.
PICTURES = f"""globalThis.drawn = new Set();
const clear = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (...area) {{
  if (document.querySelector('.film canvas')) drawn.add({PIXELS});
  return clear.apply(this, area);
}}"""


@pytest.fixture(scope="module")
def stops():
    return javascript_constants("film/timeline", "STOPS")[0]


def pixels_at(page, *times):
    """The pixels at each of these times, which are drawn in this order."""
    return page.evaluate(f"times => times.map(time => {{ ({SEEK})(time); return {PIXELS}; }})", times)


# Numbers ------------------------------------------------------------------------------------------------------------------


def test_page_and_kernel_compute_the_same():
    (results,) = assert_agree([FilmLab()])
    assert {"x", "q", "k", "v", "scores", "scaled", "weights", "heads", "concat", "y"} <= set(results)


def test_the_numbers_are_those_of_the_definition_of_attention():
    lab = FilmLab()
    layer = recorded().layer
    x = lab.x[0].double().cpu().numpy()
    W_Q, W_K, W_V, W_O = (W.detach().double().numpy() for W in (layer.W_Q, layer.W_K, layer.W_V, layer.W_O.weight))
    joined = np.empty((7, 12))
    for h in range(3):
        rows = slice(4 * h, 4 * h + 4)
        q, k, v = x @ W_Q[rows].T, x @ W_K[rows].T, x @ W_V[rows].T
        powers = np.exp(q @ k.T / 2)
        weights = powers / powers.sum(1, keepdims=True)
        np.testing.assert_allclose(lab.weights[0, h].cpu(), weights, atol=1e-6)
        joined[:, rows] = weights @ v
    np.testing.assert_allclose(lab.y[0].cpu(), joined @ W_O.T, atol=1e-5)


def test_the_steps_of_the_lab_are_those_of_the_recorded_layer():
    lab = FilmLab()
    for name, tensor in lab.steps.items():
        if tensor is not None:
            assert_close(getattr(lab, name), tensor, msg=name)
    assert lab.weights.device.type == attn.device().type
    assert float(lab.weights[0, 1, 4, 5]) > 0.9, "found gives most of its weight in the head 'what' to gold"


def test_the_film_ends_at_the_same_time_on_both_sides(stops):
    assert javascript_constants("film/timeline", "END") == [FilmLab.END] == [stops[-1]]


def test_the_film_adds_at_most_60_kilobytes_to_a_page():
    """Its modules and those that only players use, as the book carries them: minified, with their style."""
    modules = [item for item in join.modules(["film/view"]).items() if item[0].startswith(("film/", "kit/player", "kit/time"))]
    own = "".join(join.wrapped(*join.without_imports(name, code, set())) for name, code in modules)
    looks = "".join((join.SOURCE / name).read_text("utf-8") for name in ("film/style.css", "kit/player-bar.css"))
    minified = minify.string("application/javascript", own) + minify.string("text/css", looks)
    assert 20_000 < len(minified.encode()) < 60_000


# The picture --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_drawn_depends_on_the_time_alone(opened, width):
    page = opened(FilmLab(time=0.01), width=width)
    times = [round(26.2 * n / 40, 2) for n in range(41)]
    forth = dict(zip(times, pixels_at(page, *times), strict=True))
    scattered = [times[n * 17 % 41] for n in range(41)]
    assert dict(zip(scattered, pixels_at(page, *scattered), strict=True)) == forth
    assert len(set(forth.values())) > 35


def test_playing_to_the_end_draws_exactly_the_last_still(opened):
    page = opened(FilmLab())
    assert page.locator(".attn-lab-root[data-moving]").count() == 1, "it does not play by itself"
    page.evaluate(SEEK, 24)
    page.get_by_role("button", name="play").click()
    settled(page)
    played = page.evaluate(PIXELS)
    still = opened(FilmLab(time=FilmLab.END), reduced_motion="reduce")
    assert still.evaluate(PIXELS) == played == pixels_at(page, FilmLab.END)[0]
    assert page.get_by_role("button", name="play again").is_visible()


def test_every_still_can_be_reached_with_keys_and_without_motion_nothing_else_is_drawn(opened, stops):
    page = opened(FilmLab(), script=PICTURES, reduced_motion="reduce")
    page.locator(".film input").focus()
    forth = []
    for stop in stops:
        assert float(page.locator(".film input").evaluate("node => node.ariaValueNow ?? node.value")) in (0, stop)
        forth.append(page.evaluate(PIXELS))
        page.keyboard.press("ArrowRight")
    assert len(set(forth)) == len(stops)
    page.keyboard.press("End")
    page.evaluate(SEEK, 8.1)
    page.evaluate(SEEK, 13.3)
    page.keyboard.press("Space")
    for _ in stops:
        page.keyboard.press("ArrowLeft")
    assert page.evaluate(PIXELS) == forth[0]
    empty = page.evaluate("[...drawn]")
    assert len({*empty} - {*forth}) <= 1, "only the empty canvas and the stills"


def test_arrow_keys_play_from_still_to_still_and_space_pauses(opened, stops):
    page = opened(FilmLab(time=stops[0]))
    page.locator(".film input").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".attn-lab-root[data-moving]").count() == 1
    settled(page)
    assert float(page.locator(".film input").input_value()) == stops[1]
    page.keyboard.press("Space")
    assert page.get_by_role("button", name="pause").is_visible()
    page.keyboard.press("Space")
    assert page.get_by_role("button", name="play").is_visible()
    assert stops[1] <= float(page.locator(".film input").input_value()) < stops[2]


def test_a_link_opens_the_film_at_its_moment_and_does_not_play(opened):
    page = opened(FilmLab(), fragment="#lab-1?time=19.5")
    settled(page)
    assert float(page.locator(".film input").input_value()) == 19.5
    assert "gold" in page.locator(".film-caption").inner_text()
    assert page.evaluate(PIXELS) == opened(FilmLab(time=19.5)).evaluate(PIXELS)


def test_a_part_plays_to_its_last_still(opened, stops):
    parts = javascript_constants("film/timeline", "PARTS")[0]
    page = opened(FilmLab(time=1))
    for (name, start), (_, end) in pairwise(parts[2:5]):
        page.get_by_role("button", name=name).click()
        settled(page)
        assert float(page.locator(".film input").input_value()) == max(stop for stop in stops if start < stop < end)


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves_while_there_is_something_to_read(opened, width):
    page = opened(FilmLab(time=0.01), width=width)
    holds = [(start, end) for start, end, _ in javascript_constants("film/timeline", "HOLDS")[0]]
    looks = pixels_at(page, *[time for start, end in holds for time in (start, (start + end) / 2, end)])
    assert [hold for n, hold in enumerate(holds) if len({*looks[3 * n : 3 * n + 3]}) > 1] == []


# Pointing -----------------------------------------------------------------------------------------------------------------

TIPS = """globalThis.texts = [];
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
  if (/\\] = /.test(text)) texts.push(text);
  return write.call(this, text, ...more);
}"""


@pytest.mark.parametrize("width", [390, 1280])
def test_every_tip_says_a_number_of_the_layer(opened, stops, width):
    """A grid of places on every still picture, shifted from one to the next."""
    lab = FilmLab(time=0.01)
    page = opened(lab, width=width, script=TIPS)
    layer = recorded().layer
    kept = {name: getattr(lab, name).cpu() for name in lab._answer["tensors"]}
    kept |= {"kᵀ": kept["k"].mT, "exp(scaled)": kept["scaled"].exp(), "weights @ v": kept["heads"]}
    kept["q · k"] = kept["q"][:, :, :, None] * kept["k"][:, :, None]
    kept |= {name: W.detach().T for name, W in zip(("W_Q", "W_K", "W_V"), (layer.W_Q, layer.W_K, layer.W_V), strict=True)}
    kept["W_O"] = layer.W_O.weight.detach().T
    seen = set()
    for n, stop in enumerate([*stops, 13.3, 18.3]):
        page.evaluate(SEEK, stop)
        page.evaluate(
            """([right, down]) => {
          const canvas = document.querySelector('.film canvas');
          const { left, top, width, height } = canvas.getBoundingClientRect();
          for (let x = right; x < width; x += 61) for (let y = down; y < height; y += 29) canvas.dispatchEvent(
            new PointerEvent('pointermove', { pointerType: 'mouse', clientX: left + x, clientY: top + y }));
          canvas.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' }));
        }""",
            [5 + 17 * n % 61, 5 + 11 * n % 29],
        )
    for text in page.evaluate("[...new Set(texts)]"):
        name, index, value = re.fullmatch(r"(.+)\[([\d, ]+)\] = (\S+)", text).groups()
        wanted = float(kept[name][tuple(map(int, index.split(", ")))])
        assert float(value.replace("−", "-")) == pytest.approx(wanted, abs=0.0051 if abs(wanted) > 9.99 else 0.00051), text
        seen.add(name)
    assert seen >= {"x", "W_Q", "W_V", "W_O", "q_flat", "q", "k", "v", "kᵀ", "concat", "y"}
    assert seen >= {"scores", "scaled", "exp(scaled)", "weights", "weights @ v"}


def test_cells_can_be_reached_with_the_keyboard_and_arrow_keys_step_on_the_picture_too(opened, stops):
    page = opened(FilmLab(time=2.4), reduced_motion="reduce")
    status = "document.querySelector('[role=status]').textContent"
    page.locator(".film canvas").focus()
    for key, text in (
        ("ArrowRight", "x[0, 0, 0]"),
        ("ArrowRight", "x[0, 0, 1]"),
        ("ArrowDown", "x[0, 1, 1]"),
        ("ArrowLeft", "x[0, 1, 0]"),
    ):
        page.keyboard.press(f"Shift+{key}")
        page.wait_for_function(f"{status}.startsWith('{text} = ')")
    page.keyboard.press("ArrowRight")
    assert float(page.locator(".film input").input_value()) == stops[2]


def test_a_tap_on_a_cell_shows_its_number(opened):
    page = opened(FilmLab(time=2.4), width=390, has_touch=True, is_mobile=True)
    before = page.evaluate(PIXELS)
    box = page.locator(".film canvas").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 330)
    assert page.evaluate(PIXELS) != before
    page.wait_for_function("/^x\\[0, \\d, \\d+\\] = /.test(document.querySelector('[role=status]').textContent)")


# On the page --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_film_is_on_one_screen_wide_and_on_a_phone(opened, scheme):
    for width, height, room in ((1280, 800, 620), (390, 844, 844)):
        page = opened(FilmLab(time=0.01), width=width, height=height, color_scheme=scheme)
        assert page.locator(".film").bounding_box()["height"] <= room
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_controls_are_large_enough_to_tap_on_a_phone(opened):
    page = opened(FilmLab(time=0.01), width=390, has_touch=True, is_mobile=True)
    sizes = page.locator(".film :is(button, input)").evaluate_all(
        "nodes => nodes.map(node => node.getBoundingClientRect()).map(({ width, height }) => [width, height])"
    )
    assert len(sizes) == 10 and min(min(size) for size in sizes) >= 24


def test_captions_lead_to_chapters_in_the_book_and_nowhere_else(opened, stops):
    page = opened(FilmLab(time=0.01))
    assert not page.locator(".film a").is_visible()
    page.evaluate("document.documentElement.dataset.content_root = '../'")
    chapters = set()
    for stop in stops:
        page.evaluate(SEEK, stop)
        chapters.add(page.locator(".film a").get_attribute("href").removeprefix("../chapters/").removesuffix(".html"))
    assert {chapter[:2] for chapter in chapters} == {"01", "03", "04", "05", "07", "08", "10", "11"}
    assert chapters <= {path.stem for path in (ROOT / "chapters").glob("*.md")}


def test_both_themes_have_their_own_colours(opened):
    looks = [opened(FilmLab(time=9.2), color_scheme=scheme).evaluate(PIXELS) for scheme in ("light", "dark")]
    assert looks[0] != looks[1]
    page = opened(FilmLab(time=9.2), color_scheme="light")
    start = shown(page)
    page.emulate_media(color_scheme="dark")
    settled(page)
    assert page.evaluate(PIXELS) == looks[1]
    assert shown(page) != start


def test_the_picture_that_is_saved_is_the_one_that_is_shown(opened):
    page = opened(FilmLab(time=9.2))
    drawn = page.locator(".film canvas").bounding_box()
    with page.expect_download() as download:
        page.get_by_role("button", name="save picture").click()
    assert download.value.suggested_filename == "FilmLab.png"
    picture = np.asarray(Image.open(io.BytesIO(download.value.path().read_bytes())).convert("RGB"))
    assert picture.shape[0] > 2 * drawn["height"] and picture.shape[1] > 2 * drawn["width"]
    assert len(np.unique(picture @ (1 << 16, 1 << 8, 1))) > 50
