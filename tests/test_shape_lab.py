"""ShapeLab in a browser: it opens on the whole map, which stands over the tracks, column over column.

Its settings and numbers are tested in test_labs.py and test_labs_page.py, its plans in js/shape.test.js."""

import pytest
from lab_pages import DRAWN, LINK, settled

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
        assert not act or page.locator(".parts [aria-current=true]").inner_text().split("\n")[0] == act


SIGNS = ["E→H·D", "+H", "", "−D +S", "", "", "", "−S +D", "−H", "H·D→E"]
OPACITY = "nodes => nodes.map(node => Number(getComputedStyle(node).opacity))"


def test_each_step_stands_above_its_column_with_the_axes_that_go_and_come_and_what_is_to_come_is_pale(opened):
    page = opened(ShapeLab(step="scores"))
    assert page.locator(".parts span").all_inner_texts() == SIGNS
    assert page.locator(".parts button").evaluate_all(OPACITY) == [1] * 4 + [0.6] * 6
    tracks = page.locator(".tracks").bounding_box()
    for n, step in enumerate(page.locator(".parts button").all()):
        box = step.bounding_box()
        assert box["x"] + box["width"] / 2 == pytest.approx(tracks["x"] + tracks["width"] * (n + 1.5) / 11, abs=2)
    page.locator(".player input").press("Home")
    settled(page)
    assert page.locator(".parts span").all_inner_texts() == [""] * 10, "nothing has been done to x"


def test_where_heads_are_shared_the_first_steps_name_those_of_k_and_v_too(opened):
    page = opened(ShapeLab(G=1))
    assert page.locator(".parts span").all_inner_texts() == ["E→H/G·D", "+H/G", *SIGNS[2:]]


def test_on_a_phone_only_the_step_of_now_has_its_name(opened):
    page = opened(ShapeLab(step="scores"), width=390, height=844)
    assert page.locator(".parts button").evaluate_all(OPACITY) == [0] * 3 + [1] + [0] * 6
    page.locator(".player input").press("Home")
    settled(page)
    assert page.locator(".parts button").evaluate_all(OPACITY) == [0] * 10


WRITTEN = """globalThis.written = new Set();
globalThis.heights = {};
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
  written.add(text);
  heights[text] = more[1];
  return write.call(this, text, ...more);
};"""
# How many of the pixels in the columns of the map beyond that of x, and of its names, have a strong colour.
COLOURED = """canvas => {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(width / 5, 0, width - width / 5, height);
  let found = 0;
  for (let n = 0; n < data.length; n += 4) {
    const [r, g, b] = [data[n], data[n + 1], data[n + 2]];
    if (Math.max(r, g, b) - Math.min(r, g, b) > 100) found += 1;
  }
  return found / (data.length / 4);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_map_opens_in_all_its_colours_without_the_axes_and_ends_so_with_them(opened, scheme):
    page = opened(ShapeLab(step="x"), script=WRITTEN, reduced_motion="no-preference", color_scheme=scheme)
    settled(page)
    coloured = page.locator(".map canvas").evaluate(COLOURED)
    assert {"B", "L", "E", "scores", "y"} <= {*page.evaluate("[...written]")} and not {"H", "S", "D"} & {
        *page.evaluate("[...written]")
    }
    assert "−D" not in page.locator(".attn-lab-root").inner_text() and page.locator(".chip[aria-pressed=true]").count() == 0
    alone = page.evaluate("({ ...heights })")
    page.locator(".player input").press("ArrowRight")
    settled(page)
    lower = {name: alone[name] - foot for name, foot in page.evaluate("heights").items() if name in ("x", "k_flat", "v", "y")}
    assert lower == {"x": 0, "k_flat": 13, "v": 13, "y": 0}, "a name without its axes stands at its own matrix"
    assert page.locator(".map canvas").evaluate(COLOURED) < 0.7 * coloured, "what is to come is not pale"
    page.get_by_role("button", name="play", exact=True).click()
    settled(page)
    assert page.locator(".map canvas").evaluate(COLOURED) >= coloured
    assert {"H", "S", "D"} <= {*page.evaluate("[...written]")} and "−D +S" in page.locator(".parts").inner_text()
    assert page.locator(".sentence").inner_text().startswith("B and L stay from x to y, (2, 7, 12). E turns into H")


def test_before_the_first_step_the_tracks_show_the_axes_of_both_ends_alone(opened):
    page = opened(ShapeLab(step="x"))
    mask = (
        "node => [getComputedStyle(node.querySelector('.ahead')).maskImage, getComputedStyle(node.querySelector('.past')).clipPath]"
    )
    ahead, past = page.locator(".tracks").evaluate(mask)
    assert (
        ahead == "linear-gradient(90deg, rgba(0, 0, 0, 0) 90.9091%, rgb(0, 0, 0) 0px)"
        and past == "inset(0px calc(90.9091% + 1px) 0px 0px)"
    )
    button, tracks = (page.locator(part).bounding_box() for part in (".play", ".tracks"))
    assert button["width"] >= 60 and button["x"] + button["width"] / 2 == pytest.approx(tracks["x"] + tracks["width"] / 2, abs=2)
    page.locator(".player input").press("ArrowRight")
    settled(page)
    assert page.locator(".tracks").evaluate(mask)[0].startswith("linear-gradient(90deg, rgb(0, 0, 0) 90")
    assert page.locator(".play").bounding_box()["width"] < 40


@pytest.mark.parametrize("width", [1280, 390])
def test_before_the_first_step_the_track_of_another_sentence_has_its_size_and_no_name_that_is_cut(opened, width):
    page = opened(ShapeLab(step="x", S=9), width=width, height=844)
    name, what = page.locator(".past .beside > span").first, page.locator(".past .beside .what")
    assert name.inner_text().strip() == "S 9" and not what.is_visible()
    size = what.bounding_box()["x"]  # where the name would go on
    tracks = page.locator(".tracks").bounding_box()
    assert size <= tracks["x"] + tracks["width"] / 11
    page.locator(".player input").press("End")
    settled(page)
    assert name.inner_text() == "S 9 context, k, v, kᵀ"
    line = page.locator(".past .beside i").last.bounding_box()  # an element: a picture that is saved has it too
    assert line["width"] > 20 and line["height"] == 1


@pytest.mark.parametrize("width, told", [(1280, True), (390, False)])
def test_the_track_of_s_says_that_its_words_are_those_of_l_where_there_is_room_for_all_of_it(opened, width, told):
    page = opened(ShapeLab(), width=width, height=844)
    if width > 1000:
        page.add_style_tag(content=".attn-lab.full-width { width: 58.5rem !important }")
        settled(page)
    name = page.locator(".past .stretch.beside > span").first
    assert "(the\xa0words\xa0of\xa0L)" in name.inner_text()
    lines = """node => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
    }"""
    assert name.evaluate(lines) == (1 if told else 2), "a part of it is in the line, or all of it is below, where it is not seen"


def test_cells_are_outlined_only_while_the_sentence_explains_them(opened):
    pictures = []
    for pin in (None, [0, 1, 4, 5]):
        page = opened(ShapeLab(pin=pin), reduced_motion="reduce")
        look = page.locator(".map canvas").evaluate_handle("node => () => node.toDataURL()")
        pictures.append(look.evaluate("look => look()"))
        page.locator(".chip", has_text="play x to y").dispatch_event("click")
        settled(page)
        pictures.append(look.evaluate("look => look()"))
    assert pictures[0] != pictures[2] and pictures[1] == pictures[3]


def test_the_frame_of_a_control_that_has_the_focus_meets_no_text(opened):
    page = opened(ShapeLab(H=1, L=1))
    page.locator(".slider[data-axis=D] input").press("ArrowLeft")
    settled(page)
    slider, notes = (page.locator(part).bounding_box() for part in (".slider[data-axis=D] input", ".notes"))
    assert page.locator(".notes").inner_text() and notes["y"] >= slider["y"] + slider["height"] + 4
    page.locator(".more summary").dispatch_event("click")
    field = page.get_by_label("your sentence")
    field.fill("the cat sat")
    settled(page)
    box, refused = field.bounding_box(), page.locator(".refused").bounding_box()
    assert refused["y"] >= box["y"] + box["height"] + 6


def test_a_pointer_that_rests_where_the_large_button_was_highlights_no_axis(opened):
    """The button stands on the track of L, which comes below the pointer when the button goes."""
    page = opened(ShapeLab(step="x"), reduced_motion="no-preference")
    lit = "document.documentElement.dataset.lit"
    box = page.locator(".play").bounding_box()
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    page.mouse.click(*middle)
    settled(page)
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('[data-axis]').dataset.axis", middle) == "L"
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")  # the browser looks again what is there
    assert page.evaluate(lit) == ""
    page.mouse.move(5, 5)
    page.mouse.move(*middle)
    assert page.evaluate(lit) == "L"


def test_while_numbers_travel_the_column_of_now_is_that_of_the_step_and_no_name_has_two_inks(opened):
    page = opened(ShapeLab(step="x"), reduced_motion="no-preference")
    tracks = page.locator(".tracks").bounding_box()
    for time in (3.02, 3.5, 4):
        page.evaluate(DRAG.replace("'input', 'change'", "'input'"), time)
        settled(page)
        assert page.locator(".now").bounding_box()["x"] == pytest.approx(tracks["x"] + tracks["width"] * 4 / 11, abs=1)
        assert page.locator(".about strong").inner_text() == "scores"
        pale, full = (page.locator(f".{part} .stretch[data-axis=S]:not(.beside) > span") for part in ("ahead", "past"))
        assert pale.evaluate("node => getComputedStyle(node).opacity") == "0"
        box = full.bounding_box()
        assert box["x"] + box["width"] == pytest.approx(tracks["x"] + tracks["width"] * (time + 1) / 11, abs=1), (
            "it ends with the ink"
        )
    assert page.locator(".ahead .stretch[data-axis=D] > span").last.evaluate("node => getComputedStyle(node).opacity") == "1"


def test_a_moment_on_the_way_gives_a_new_style_only_to_the_tracks_that_grow(opened):
    """The tracks are many: to style all of them in every frame leaves so much to collect that a frame waits for it."""
    page = opened(ShapeLab(step="x"), reduced_motion="no-preference")
    drag = DRAG.replace("'input', 'change'", "'input'")
    page.evaluate(drag, 3.2)
    settled(page)
    changed = page.evaluate(f"""async () => {{
      const watch = new MutationObserver(() => {{}});
      watch.observe(document.querySelector('.tracks'), {{ attributeFilter: ['style'], subtree: true }});
      ({drag})(3.4);
      const nodes = new Set(watch.takeRecords().map(record => record.target));
      return [...nodes].map(node => node.closest('.stretch')?.dataset.axis ?? node.className);
    }}""")
    assert {*changed} - {"ahead", "past", "now"} == {"B", "H", "L", "S"}
    assert len(changed) <= 7, "a track has a new style that looks as the one before"


def test_the_tracks_of_an_axis_that_is_pointed_at_stand_out_and_the_others_are_pale_with_a_dark_name(opened):
    page = opened(ShapeLab())
    looks = """nodes => nodes.map(node => {
      const { color, boxShadow } = getComputedStyle(node);
      return [node.classList.contains('joined') ? 'HD' : node.dataset.axis, color, boxShadow !== 'none'];
    })"""
    bars, ink = (
        page.locator(".past .stretch:not(.beside)"),
        page.locator(".sentence").evaluate("node => getComputedStyle(node).color"),
    )
    assert not any(color == ink or pale for _, color, pale in bars.evaluate_all(looks))
    page.locator(".slider[data-axis=D]").hover()
    found = bars.evaluate_all(looks)
    assert {axis for axis, _, pale in found if not pale} == {"D", "HD"} and {axis for axis, *_ in found} == {*"BHLSDE", "HD"}
    assert all((color == ink) == pale for _, color, pale in found)
    ground = page.locator(".past [data-axis=D]").evaluate_all("nodes => nodes.map(node => getComputedStyle(node).backgroundColor)")
    assert [colour.endswith("/ 0)") or colour == "rgba(0, 0, 0, 0)" for colour in ground] == [False, True, False]


def test_e_and_h_times_d_are_on_the_track_of_d_because_all_are_the_last_axis_of_the_way(opened):
    page = opened(ShapeLab())
    tops = page.locator(".past .stretch").evaluate_all("nodes => nodes.map(node => [node.dataset.axis, node.offsetTop])")
    rows = {axis: {top for one, top in tops if one == axis} for axis in "BHLSDE"}
    assert rows["E"] == rows["D"] and len(rows["D"]) == 1 and len(set.union(*rows.values())) == 5


@pytest.mark.parametrize("width", [1280, 390])
def test_what_other_sizes_change_is_told_with_the_sizes_before(opened, width):
    page = opened(ShapeLab(), width=width, height=844, reduced_motion="reduce")
    track = ".past .stretch:not(.beside):not(.joined)"
    for chip, told in (
        ("one wide head", {"H": "H 3 → 1", "D": "D 4 → 12"}),
        ("six narrow heads", {"H": "H 3 → 6", "D": "D 4 → 2"}),
        ("twice the words", {"L": "L 7 → 14"}),
    ):
        page.locator(".chip", has_text=chip).dispatch_event("click")
        settled(page)
        for axis in "BHLD":
            text = page.locator(f"{track}[data-axis={axis}]").first.inner_text()
            assert text == told.get(axis, text) and ("→" in text) == (axis in told), chip
    page.get_by_role("button", name="reset").click()
    settled(page)
    assert page.locator(".was").count() == 0


# What the map has drawn last: its texts, the lines that join its tensors, and its frames, as [text, left, top, right, bottom].
ON_THE_MAP = """globalThis.drawn = [];
const pen = CanvasRenderingContext2D.prototype;
const { clearRect, fillText, moveTo, lineTo, strokeRect } = pen;
let at = [0, 0];
const keep = (pen, text, x, y, right, bottom) => {
  if (pen.canvas.parentElement?.className === 'map') drawn.push([text, x, y, right, bottom]);
};
Object.assign(pen, {
  clearRect(...box) {
    if (this.canvas.parentElement?.className === 'map') drawn.length = 0;
    clearRect.apply(this, box);
  },
  fillText(text, x, y) {
    const size = this.measureText(text);
    const [top, foot] = [size.actualBoundingBoxAscent, size.actualBoundingBoxDescent];
    if (text) keep(this, text, x - size.actualBoundingBoxLeft, y - top, x + size.actualBoundingBoxRight, y + foot);
    fillText.call(this, text, x, y);
  },
  moveTo(...to) {
    at = to;
    moveTo.apply(this, to);
  },
  lineTo(x, y) {
    keep(this, '', Math.min(x, at[0]), Math.min(y, at[1]), Math.max(x, at[0]), Math.max(y, at[1]));
    at = [x, y];
    lineTo.call(this, x, y);
  },
  strokeRect(x, y, w, h) {
    const edge = this.lineWidth / 2;
    keep(this, '', x - edge, y - edge, x + w + edge, y + h + edge);
    strokeRect.call(this, x, y, w, h);
  },
});"""


# What is on the map with each of these settings, and how wide the map is.
MAPS = f"""async all => {{
  const maps = [];
  for (const settings of all) {{
    await ({LINK})(settings);
    maps.push([[...drawn], document.querySelector('.map canvas').getBoundingClientRect().width]);
  }}
  return maps;
}}"""


@pytest.mark.parametrize("width", [1280, 800])
def test_no_label_of_the_map_is_nearer_than_four_pixels_to_a_line_a_frame_or_the_label_beside_it(opened, width):
    page = opened(ShapeLab(step="x"), script=ON_THE_MAP, width=width)
    settings = [
        *("", "step=y", "S=9", "S=9&G=1&causal=true&step=scores", "H=1&L=1&D=1&step=scores", "H=8&L=24&D=16&step=scores"),
        *("H=1&D=12&step=scores", "H=6&D=2&step=scores", "L=14&step=scores", "B=4&H=8&L=24&D=16&S=24&step=k"),
    ]
    for which, (drawn, wide) in zip(settings, page.evaluate(MAPS, settings), strict=True):
        assert wide >= 700, "it is the map of a phone"
        column = {n: int((left + right) / 2 / wide * 11) for n, (text, left, _, right, _) in enumerate(drawn) if text}
        assert len(column) > 10
        for n, at in column.items():
            text, left, top, right, bottom = drawn[n]
            for m, (other, x, y, end, foot) in enumerate(drawn):
                if column.get(m) != at:
                    gap = max(x - right, left - end, y - bottom, top - foot)
                    assert gap >= 3.9, f"{which}: {text} is {gap:.1f} pixels from {other or drawn[m]}"


def test_what_a_step_changes_is_told_in_large_letters_while_it_plays(opened):
    page = opened(ShapeLab(), reduced_motion="no-preference")
    size = "node => Number.parseFloat(getComputedStyle(node).fontSize)"
    page.get_by_role("button", name="play x to y", exact=True).click()
    playing = page.locator(".sentence").evaluate(size)
    settled(page)
    assert playing > 1.2 * page.locator(".sentence").evaluate(size)


def test_the_heading_says_which_sentence_is_drawn(opened):
    page = opened(ShapeLab(pin=[1, 0, 0, 0]), ShapeLab(B=1))
    assert page.locator(".which").all_inner_texts() == ["sentence 1", ""]


@pytest.mark.parametrize("width", [1280, 390])
def test_the_map_and_the_tracks_have_the_same_columns_and_nothing_is_cut(opened, width):
    page = opened(ShapeLab(), width=width, height=844)
    the_map, tracks, now = (page.locator(part).bounding_box() for part in (".map canvas", ".tracks", ".now"))
    assert (the_map["x"], the_map["width"]) == pytest.approx((tracks["x"], tracks["width"]), abs=1)
    assert now["x"] == pytest.approx(tracks["x"] + tracks["width"] * 4 / 11, abs=1)
    assert now["y"] == pytest.approx(the_map["y"] + the_map["height"], abs=1), "the column of now goes on below the map"
    cut = "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth).map(node => node.textContent)"
    assert page.locator(".stretch").evaluate_all(cut) == []


def test_the_scale_of_the_colours_is_that_of_the_chosen_tensor(opened):
    lab = ShapeLab()
    page = opened(lab, ShapeLab(step="weights"), ShapeLab(colour="origin"))
    first, second, third = page.locator(".attn-lab-root").all()
    assert first.locator(".scale").inner_text() == f"±{float(lab.scores.abs().max()):.1f}"
    first.locator(".player input").press("End")
    settled(page)
    assert first.locator(".scale").inner_text() == f"±{float(lab.y.abs().max()):.1f}"
    assert second.locator(".scale.weights").inner_text() == "0 to 1"
    assert third.locator(".scale").count() == 0


def test_in_the_book_the_map_is_as_wide_as_the_lab_and_larger_than_the_chosen_tensor(opened):
    page = opened(ShapeLab(), height=800)
    page.add_style_tag(content=".attn-lab.full-width { width: 58.5rem !important }")
    settled(page)
    picture, the_map, side = (page.locator(f".stage {part}").bounding_box() for part in (".picture", ".map canvas", ".side"))
    assert the_map["width"] == pytest.approx(picture["width"], abs=2) and the_map["height"] == 283
    assert the_map["width"] * the_map["height"] > 3 * side["width"] * side["height"]
    question, notes = (page.locator(f".stage {part}").bounding_box() for part in (".question", ".notes"))
    assert max(side["y"] + side["height"], notes["y"]) - question["y"] <= 630, "all of it is on one screen"
    overlapping = page.locator(".controls > .slider").evaluate_all(
        "nodes => nodes.filter(node => node.querySelector('span').getBoundingClientRect().right"
        " > node.querySelector('output').getBoundingClientRect().left).length"
    )
    assert overlapping == 0


def test_on_a_phone_the_sentence_covers_no_row_of_the_chosen_tensor(opened):
    steps = ["x", "scores", "heads", "y"]
    page = opened(*[ShapeLab(step=step) for step in steps], width=390, height=844)
    room = f"""async lab => {{
      const box = name => lab.querySelector(name).getBoundingClientRect();
      const rooms = [];
      for (const bar of [0, 56]) {{ // a bar of the page may cover its upper edge: then the lab begins below it
        scrollBy(0, lab.getBoundingClientRect().top - bar);
        await {DRAWN};
        rooms.push(box('.sentence').top - box('.large canvas').bottom);
      }}
      return rooms;
    }}"""
    settled(page)
    for step, lab in zip(steps, page.locator(".attn-lab-root").all(), strict=True):
        assert min(lab.evaluate(room)) >= 0, step


@pytest.mark.parametrize("width", [1280, 390])
def test_a_cell_that_is_explained_covers_no_track_and_gives_way_to_what_happens_next(opened, width):
    page = opened(ShapeLab(), width=width, height=844, reduced_motion="reduce")
    panel, tracks = page.locator(".pinned"), page.locator(".tracks").bounding_box()

    def tap():
        box = page.locator(".large canvas").bounding_box()
        page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.6 * box["height"])
        page.mouse.move(5, 5)
        settled(page)

    tap()
    assert panel.is_visible() and panel.bounding_box()["y"] > tracks["y"] + tracks["height"]
    assert panel.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    page.locator(".player input").press("ArrowRight")
    settled(page)
    assert not panel.is_visible() and "No axis comes" not in page.locator(".sentence").inner_text()
    page.locator(".player input").press("ArrowLeft")
    settled(page)
    tap()
    assert panel.is_visible(), "the first tap explains the cell again"
    page.locator(".slider[data-axis=D] input").press("ArrowRight")
    settled(page)
    assert not panel.is_visible() and page.locator(".sentence").inner_text().startswith("D 4 → 5: ")


def test_the_steps_that_change_no_axis_play_with_one_sentence(opened):
    page = opened(ShapeLab(), reduced_motion="no-preference")
    page.evaluate(
        """() => {
          globalThis.told = [];
          const sentence = document.querySelector('.sentence');
          new MutationObserver(() => told.push(sentence.textContent.trim())).observe(sentence, { childList: true });
        }"""
    )
    page.get_by_role("button", name="play x to y", exact=True).click()
    settled(page)
    told = list(dict.fromkeys(page.evaluate("told")))
    assert told[4:7] == [
        "D goes and S comes: (2, 3, 7, 7).",
        "No axis comes or goes: (2, 3, 7, 7).",
        "S goes and D comes: (2, 3, 7, 4).",
    ]
    assert len(told) == 10 and told[-1].startswith("B and L stay")
    page.locator(".player input").press("ArrowLeft")
    page.locator(".parts button", has_text="softmax").click()
    settled(page)
    assert page.locator(".sentence").inner_text().startswith("Softmax along S: every row becomes weights that add up to 1")
