"""GridLab: tensors equal torch's, the browser computes the same, and cells fly to where torch says over memory that stays."""

import functools
import itertools
import json
import random

import pytest
import torch
import traitlets
from lab_pages import DRAWN, SHOWN, settled
from node import assert_agree, node
from pixels import PIXELS
from playwright.sync_api import expect

from attn.labs import GridLab
from attn.labs.grid.lab import STEPS
from attn.labs.join import SOURCE
from attn.plots.paper import INDEX_COLOURS
from attn.shapes import ShapeError


def test_permute_keeps_the_memory_and_swaps_two_strides():
    lab = GridLab(step="heads")
    assert torch.equal(lab.x.flatten().cpu(), torch.arange(120))
    assert torch.equal(lab.shown, lab.x.transpose(1, 2))
    assert lab.shared and not lab.contiguous
    assert lab.x.data_ptr() == lab.shown.data_ptr()
    assert (lab.x.stride(), lab.strides) == ((60, 12, 4, 1), (60, 4, 12, 1))
    assert lab.at == [1, 2, 1, 3] and lab.shown[1, 2, 1, 3] == lab.place == 83


def test_a_copy_writes_a_new_memory_and_leaves_the_table_as_it_is():
    lab = GridLab(step="heads")
    before = lab.shown
    lab.step = "copied"
    assert torch.equal(lab.shown, before)
    assert lab.strides == (60, 20, 4, 1)
    assert lab.place == 107 and lab.storage[107] == 83
    assert lab.contiguous and not lab.shared


@pytest.mark.parametrize("sizes", [{"H": 1}, {"L": 1}])
def test_a_contiguous_tensor_is_not_copied(sizes):
    lab = GridLab(**sizes, step="copied")
    assert lab.shared
    assert lab.contiguous


def test_every_step_is_the_tensor_that_its_call_makes():
    """The calls are run as they are shown, one after the other."""
    lab = GridLab()
    sizes = {"B": 2, "H": 3, "L": 5, "D": 4, "E": 12, "N": 120}
    made = {"torch": torch}
    for step, (axes, call) in STEPS.items():
        exec(call.format(**sizes), made)  # the lab's own text, which a reader would run
        wanted = made[call[0]]
        lab.step = step
        assert torch.equal(lab.shown.cpu(), wanted), step
        assert lab.strides == wanted.stride() and lab.contiguous == wanted.is_contiguous()
        assert lab.shared == (wanted.data_ptr() == made["e"].data_ptr())
        assert tuple(lab.shape) == tuple(sizes[axis] for axis in axes)


def test_the_wrong_ways_have_the_right_shape_and_few_numbers_in_their_place():
    split, merge = GridLab(step="wrong split"), GridLab(step="wrong merge")
    assert split.shape == split.y.shape and merge.shape == merge.e.shape
    assert split.agree == int((split.shown == split.y).sum()) == 24
    assert merge.agree == int((merge.shown == merge.e).sum()) < 120
    assert GridLab(step="wrong split", H=1).agree == 40, "with one head the wrong way is right"


def test_the_index_stays_inside_a_size_that_shrinks():
    lab = GridLab()
    lab.H = 2
    assert lab.index == [1, 1, 1, 3]
    lab.L = 1
    assert lab.index == [1, 1, 0, 3]
    assert GridLab(B=1, D=2).index == [0, 2, 1, 1]


def test_the_error_for_an_index_outside_the_sizes_names_the_wrong_letter():
    lab = GridLab()
    with pytest.raises(ShapeError, match=r"index = \[1, 3, 1, 3\] is \[b, h, l, d\], but H = 3: h goes from 0 to 2"):
        lab.index = [1, 3, 1, 3]
    assert lab.index == [1, 2, 1, 3]
    with pytest.raises(traitlets.TraitError, match="this lab takes D, width of one head, from 1 to 8"):
        lab.D = 9
    with pytest.raises(traitlets.TraitError):
        lab.index = [0, 0, 0]
    with pytest.raises(traitlets.TraitError):
        lab.step = "transposed"


def test_without_javascript_the_ways_to_the_number_are_worked_out():
    text = GridLab().fallback()
    assert "(60, 12, 4, 1)" in text and "(60, 4, 12, 1)" in text
    assert "x[1, 1, 2, 3] at 1·60 + 1·12 + 2·4 + 3·1 = 83" in text
    assert "y[1, 2, 1, 3] at 1·60 + 2·4 + 1·12 + 3·1 = 83" in text
    assert "c[1, 2, 1, 3] at 1·60 + 2·20 + 1·4 + 3·1 = 107" in text
    assert "permute gives every head a matrix of its own" in text


def in_node(script, modules=("model", "scene", "memory")):
    """What a script with the lab's pure functions returns."""
    imports = "".join(f"import * as {name} from './src/attn/labs/grid/{name}.js';" for name in modules)
    ran = node("--input-type=module", "-e", f"{imports} console.log(JSON.stringify((() => {{ {script} }})()))")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_browser_and_kernel_show_the_same_calls():
    shown_calls = in_node("""return Object.entries(model.STEPS).map(([step, { name, axes, call }]) =>
      [step, axes.join(""), `${name} = ${call({ B: 2, H: 3, L: 5, D: 4 })}`]);""")
    sizes = {"B": 2, "H": 3, "L": 5, "D": 4, "E": 12, "N": 120}
    assert shown_calls == [[step, axes, call.format(**sizes)] for step, (axes, call) in STEPS.items()]


@pytest.mark.parametrize("width", [340, 640])
def test_the_cell_that_arrives_at_each_place_has_the_number_that_torch_has_there(width):
    arrived = in_node(f"""const sizes = {{ B: 2, H: 3, L: 5, D: 4 }};
      const plan = scene.planOf(sizes, {width});
      const boxes = step =>
        scene.boxesOf(plan.layouts[step], model.compute({{ ...sizes, index: [0, 0, 0, 0], step }}).values);
      return Object.fromEntries(Object.entries(model.STEPS).map(([step, {{ from }}]) => {{
        const numbers = [];
        scene.flying(boxes(from), boxes(step), 1, {{ ...sizes, chosen: [] }}).forEach(({{ x, y, w, h }}, number) => {{
          numbers[scene.nthAt(plan.layouts[step], x + w / 2, y + h / 2)] = number;
        }});
        return [step, numbers];
      }}));""")
    for step in STEPS:
        assert arrived[step] == GridLab(step=step).shown.flatten().tolist(), step


def test_the_colours_of_indices_are_those_of_the_figures():
    assert json.dumps(list(INDEX_COLOURS)) in (SOURCE / "kit" / "colours.js").read_text(encoding="utf-8")


def random_settings(seed):
    choose = random.Random(seed)
    sizes = {axis: choose.randint(1, 8 if choose.random() < 0.2 else 4) for axis in "BHLD"}
    return sizes | {"step": choose.choice(list(STEPS)), "index": [choose.randrange(n) for n in sizes.values()]}


def test_browser_and_kernel_compute_the_same():
    labs = [GridLab(**random_settings(seed)) for seed in range(80)]
    for results in assert_agree(labs, lambda *_: {"share": 0}):
        assert set(results) == {"values", "shape", "strides", "storage", "contiguous", "shared", "at", "place", "agree"}
    assert {lab.step for lab in labs} == set(STEPS), "the random settings do not include every step"
    assert {1, 5, 8} <= {size for lab in labs for size in (lab.H, lab.L)}, "the random settings do not include every kind of size"


# In a browser --------------------------------------------------------------------------------------------------------

CHIPS = [settings["step"] for _, settings in GridLab.CHIPS]


@pytest.fixture
def page(opened):
    return opened(GridLab(step="split"), reduced_motion="reduce")


def choose(page, step):
    """The tensor of this step, from the list behind "more"."""
    page.locator(".more:not([open]) summary").evaluate_all("nodes => nodes.forEach(node => node.click())")
    page.locator(".grid-program select").select_option(step)


TOLD = f"""() => {DRAWN}.then(() => {{
  const words = name => [...document.querySelectorAll(name)].map(node => node.innerText.split(/\\s+/).filter(Boolean));
  return [words('.grid-told > :not(.grid-from)').map(line => line.join(' ')), words('.grid-columns > *')];
}})"""


def told(page):
    """The line of axes: the call, the number that is looked at, the sum of its place, and each axis with size and stride."""
    return page.evaluate(TOLD)


def sentence(page):
    settled(page)
    return page.locator(".sentence").inner_text().replace("\u00a0", " ")  # a tuple stays in one line


@functools.cache
def boxes_of(width):
    """For each step, where the numbers are drawn on a board of this width: in the tables, and in both rows of memory."""
    return in_node(f"""const sizes = {{ B: 2, H: 3, L: 5, D: 4 }};
      const {{ layouts }} = scene.planOf(sizes, {width});
      const numbers = Array.from({{ length: 120 }}, (_, number) => number);
      return Object.fromEntries(Object.keys(model.STEPS).map(step => {{
        const {{ values, storage, shared }} = model.compute({{ ...sizes, index: [0, 0, 0, 0], step }});
        const inRow = (number, row) => memory.placeBox({width}, 120, shared ? 1 : 2, row ? storage.indexOf(number) : number, row);
        const inTables = numbers.map(number => scene.boxOf(layouts[step], values.indexOf(number)));
        return [step, [inTables, ...[0, 1].map(row => numbers.map(number => inRow(number, row)))]];
      }}));""")


def point_at(page, step, number, memory=None):
    """Where a number is drawn in the window: in the tables, or in this row of memory."""
    canvas = page.locator(".grid-tables" if memory is None else ".grid-memory")
    canvas.scroll_into_view_if_needed()
    width = page.locator(".grid-board").evaluate("node => node.clientWidth")
    box = boxes_of(width)[step][0 if memory is None else memory + 1][number]
    corner = canvas.bounding_box()
    return corner["x"] + box["x"] + box["w"] / 2, corner["y"] + box["y"] + box["h"] / 2


def test_the_axes_the_strides_and_the_place_of_a_number_that_is_clicked_are_those_of_torch_in_every_step(page):
    for step, (number, index) in zip(STEPS, itertools.cycle([(83, [1, 2, 1, 3]), (17, [0, 1, 1, 1])])):
        lab = GridLab(step=step, index=index)
        choose(page, step)
        settled(page)
        page.mouse.click(*point_at(page, step, number))
        lines, columns = told(page)
        letters = STEPS[step][0]
        assert columns == [list(map(str, row)) for row in zip(letters, lab.shape, lab.strides, strict=True)], step
        assert lines[0] == STEPS[step][1].format(B=2, H=3, L=5, D=4, E=12, N=120)
        assert lines[1] == f"{lines[0][0]}{lab.at} = {number}", step
        assert lines[2].endswith(f"= {lab.place}"), step


def test_the_line_before_says_what_the_call_starts_from(page):
    page.locator(".chip").nth(CHIPS.index("heads")).dispatch_event("click")
    settled(page)
    assert page.locator(".grid-from").inner_text() == "x = e.view(2, 5, 3, 4)"
    choose(page, "split")
    settled(page)
    assert page.locator(".grid-from").inner_text() == "e = torch.arange(120).view(2, 5, 12)"
    choose(page, "rows")
    settled(page)
    assert page.locator(".grid-from").inner_text() == ""


@pytest.mark.parametrize("width", [1280, 390])
def test_the_opening_says_what_x_is_made_from(page, width):
    page.set_viewport_size({"width": width, "height": 844})
    settled(page)
    source = page.locator(".grid-from")
    assert source.inner_text() == "e = torch.arange(120).view(2, 5, 12)"
    told, sizes = source.bounding_box(), page.locator(".grid-line").bounding_box()
    assert told["height"] < 24, "the line is broken"
    assert told["x"] + told["width"] <= sizes["x"] or told["y"] + told["height"] <= sizes["y"]


# Moves a control, and looks at each moment of the move that follows.
MOMENTS = """([control, value], look) => {
  hurry = true;
  const node = document.querySelector(control);
  if (value === undefined) node.click();
  else {
    node.value = value;
    node.dispatchEvent(new Event('change', { bubbles: true }));
  }
  const moments = [];
  passTime(0); // the control takes effect
  for (passTime(0); document.querySelector('[data-moving]'); passTime(160)) moments.push(look());
  hurry = false;
  return moments;
}"""


def moments(page, look, step):
    """What the function `look` returns at each moment of the move to this step, from its chip or from the list."""
    control = [f".chip:nth-child({CHIPS.index(step) + 1})"] if step in CHIPS else [".grid-program select", step]
    return page.evaluate(f"control => ({MOMENTS})(control, {look})", control)


def test_while_numbers_fly_no_index_or_stride_of_the_tensor_before_is_told(opened):
    page = opened(GridLab(), reduced_motion="no-preference")
    settled(page)
    strides = {
        "heads": [["60", "12", "4", "1"]],
        "copied": [["60", "20", "4", "1"]],
        "wrong split": [["60", "4"], ["60", "20", "4", "1"]],
    }
    look = """() => {
      const texts = name => [...document.querySelectorAll(name)].map(node => node.innerText);
      const columns = [...document.querySelectorAll('.grid-columns > *')].filter(node => !node.innerText.startsWith('E'));
      return [texts('.grid-call')[0], texts('.grid-from ~ *'), columns.map(node => node.children[1].textContent)];
    }"""
    for step, wanted in strides.items():
        told = moments(page, look, step)
        assert len(told) > 20
        for call, lines, columns in told:
            assert call == STEPS[step][1].format(B=2, H=3, L=5, D=4, E=12, N=120)
            assert lines == ["", ""], step
            assert sorted(columns) in [sorted(one) for one in wanted] or len(columns) > 4, step
        settled(page)
        assert page.locator(".grid-from ~ *").first.inner_text().startswith(f"{STEPS[step][1][0]}[")


@pytest.mark.parametrize("width", [1280, 390])
def test_strides_and_place_come_in_when_a_number_is_tapped_and_move_nothing(page, width):
    page.set_viewport_size({"width": width, "height": 844})
    settled(page)
    lines, columns = told(page)
    assert lines == ["x = e.view(2, 5, 3, 4)", "", ""]
    assert columns == [["B", "2"], ["L", "5"], ["H", "3"], ["D", "4"]]
    quiet, tables, where = memory_pixels(page), table_pixels(page), page.locator(".grid-board").bounding_box()
    page.mouse.click(*point_at(page, "split", 83))
    page.mouse.move(2, 2)
    lines, columns = told(page)
    assert lines[2] == "place 1·60 + 1·12 + 2·4 + 3·1 = 83" and columns[0] == ["B", "2", "60"]
    assert memory_pixels(page) == quiet and table_pixels(page) == tables
    assert page.locator(".grid-board").bounding_box()["height"] == where["height"]
    page.get_by_role("button", name="reset").click()
    assert told(page)[0][1:] == ["", ""] and memory_pixels(page) == quiet
    assert page.locator(".grid-board").bounding_box()["height"] == where["height"]


def test_on_a_phone_the_question_and_the_last_row_of_every_picture_are_on_one_screen(opened):
    page = opened(GridLab(), reduced_motion="reduce", width=390, height=844)
    for n in range(len(CHIPS)):
        page.locator(".chip").nth(n).dispatch_event("click")
        settled(page)
        high = """() => { const box = name => document.querySelector(name).getBoundingClientRect();
          const [board, saying] = [box('.grid-board'), box('.sentence')];
          return [board.bottom + 4 - saying.top, saying.bottom - box('.question').top]; }"""
        page.evaluate("document.querySelector('.question').scrollIntoView()")
        covered, height = page.evaluate(high)
        assert covered <= 0 and height <= 844 - 70, CHIPS[n]


def test_each_experiment_shows_its_tensor_and_says_what_happened(page):
    start, found = sentence(page), {}
    assert "20 numbers in 5 pieces of 4, each 12 places after the one before" in start
    for n, step in enumerate(CHIPS):
        page.locator(".chip").nth(n).dispatch_event("click")
        found[step] = sentence(page)
        assert page.locator(".grid-program select").input_value() == step
    assert "permute moved no number" in found["heads"] and "(60, 4, 12, 1), so y is not contiguous" in found["heads"]
    assert "wrote a new row of memory" in found["copied"] and "20 numbers in one piece" in found["copied"]
    assert "pieces" in start and not [step for step in ("heads", "wrong split") if "pieces" in found[step]], "told once"
    assert "head 2 now holds 100–119: strips of 3 heads from 2 tokens, not from all 5." in found["wrong split"]


def test_at_first_no_step_is_made_and_what_it_will_move_is_not_counted(opened):
    page = opened(GridLab(), reduced_motion="reduce")
    settled(page)
    assert page.locator(".chip[aria-pressed=true]").count() == 0 and "moved" not in sentence(page)
    asked = memory_pixels(page)
    page.locator(".chip").first.dispatch_event("click")
    choose(page, "rows")
    settled(page)
    counted = memory_pixels(page)
    assert counted != asked
    page.get_by_role("button", name="reset").click()
    settled(page)
    assert memory_pixels(page) == asked


def memory_pixels(page):
    return page.locator(".grid-memory").evaluate(PIXELS)


def table_pixels(page):
    return page.locator(".grid-tables").evaluate(PIXELS)


# Of memory: the pixels, and its place on the page; and the pixels of the tables.
LOOK = f"""() => {{
  const [memory, tables] = ['.grid-memory', '.grid-tables'].map(name => document.querySelector(name));
  const {{ x, y, width, height }} = memory.getBoundingClientRect();
  return [({PIXELS})(memory), `${{x}} ${{y}} ${{width}} ${{height}}`, ({PIXELS})(tables)];
}}"""


def test_no_number_moves_in_memory_at_any_moment_of_a_move(opened):
    """The steps that make a view. While the cells fly, neither the picture of memory nor its place on the page changes."""
    page = opened(GridLab(step="heads"), reduced_motion="no-preference")
    settled(page)
    for step in ("rows", "split", "turned", "heads", "swapped", "merged", "wrong split"):
        memory, where, _ = page.evaluate(LOOK)
        seen = moments(page, LOOK, step)
        assert [one[0] for one in seen] == [memory] * len(seen), step
        assert [one[1] for one in seen] == [where] * len(seen), step
        settled(page)
        assert page.evaluate(LOOK)[:2] == [memory, where], step
        # Between the heads that fly one after the other, two moments may look the same.
        tables = [one[2] for one in seen]
        assert len(tables) > 20 and len(set(tables)) >= len(tables) - 1, f"the tables do not move: {step}"


def test_a_copy_is_written_below_the_memory_that_stands_still(opened):
    page = opened(GridLab(step="heads"), reduced_motion="no-preference")
    settled(page)
    # The upper part of the old row, which gets lower to make room for the new one.
    old_row = """canvas => { const ratio = canvas.height / canvas.clientHeight;
      return canvas.getContext('2d').getImageData(0, 16 * ratio, canvas.width, 25 * ratio).data.join(); }"""
    memory = page.locator(".grid-memory")
    before, top = memory.evaluate(old_row), page.evaluate(LOOK)[1].split()[:2]
    seen = moments(page, LOOK, "copied")
    assert [place.split()[:2] for _, place, _ in seen] == [top] * len(seen)
    written = [look for look, *_ in seen]
    assert len(written) > 20 and len(set(written)) == len(written), "nothing is written"
    settled(page)
    assert page.evaluate(LOOK)[1].split()[:2] == top
    assert memory.evaluate(old_row) == before
    assert {look for *_, look in seen} == {table_pixels(page)}, "only memory moves"


# Notes the texts of the last picture of memory.
TEXTS = """const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
Object.assign(CanvasRenderingContext2D.prototype, {
  clearRect(...box) { this.canvas.texts = []; clearRect.apply(this, box); },
  fillText(text, ...where) { this.canvas.texts?.push(text); fillText.call(this, text, ...where); },
});"""


def test_while_a_copy_is_written_its_row_is_named_and_the_numbers_that_moved_are_counted(opened):
    page = opened(GridLab(step="heads"), script=TEXTS, reduced_motion="no-preference")
    settled(page)
    counts = []
    for texts in moments(page, "() => document.querySelector('.grid-memory').texts", "copied")[5:-1]:
        assert "numbers have another place in the new memory of c" in texts
        counts += [int(text.split()[0]) for text in texts if text.endswith(" of 120")]
    assert counts == sorted(counts) and len(set(counts)) > 6 and counts[0] < 10 and counts[-1] < 96
    settled(page)
    assert "96 of 120" in page.locator(".grid-memory").evaluate("canvas => canvas.texts")


def after_each(page, steps, look):
    """What the function `look` returns after each of these steps is chosen from the list."""
    return page.evaluate(
        f"""async steps => {{
          const select = document.querySelector('.grid-program select');
          const looks = [];
          for (const step of steps) {{
            select.value = step;
            select.dispatchEvent(new Event('change', {{ bubbles: true }}));
            await {DRAWN};
            looks.push(({look})());
          }}
          return looks;
        }}""",
        steps,
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_move_ends_as_a_jump_does(opened, scheme):
    moving = opened(GridLab(), reduced_motion="no-preference", color_scheme=scheme)
    jumping = opened(GridLab(), reduced_motion="reduce", color_scheme=scheme)
    steps = ["heads", "copied", "turned", "wrong merge", "rows", "swapped", "wrong split", "merged", "split"]
    looks = [after_each(one, steps, f"() => ({SHOWN})(document.querySelector('.attn-lab-root'))") for one in (moving, jumping)]
    for step, moved, jumped in zip(steps, *looks, strict=True):
        assert moved == jumped, step
    assert len(set(looks[0])) == 9


def test_a_number_and_its_place_in_memory_light_up_together(page):
    page.locator(".chip").nth(CHIPS.index("copied")).dispatch_event("click")
    settled(page)
    rest = (told(page), table_pixels(page), memory_pixels(page))
    seen = []
    for memory in (None, 0, 1):
        page.mouse.move(*point_at(page, "copied", 17, memory))
        seen.append((told(page), table_pixels(page), memory_pixels(page)))
    assert seen[0] == seen[1] == seen[2]
    assert all(new != old for new, old in zip(seen[0], rest, strict=True))
    lab = GridLab(step="copied", index=[0, 1, 1, 1])
    assert lab.x[0, 1, 1, 1] == 17
    assert seen[0][0][0][1:] == [f"c{lab.at} = 17", f"place 0·60 + 1·20 + 1·4 + 1·1 = {lab.place}"]
    page.mouse.move(2, 2)
    assert (told(page), table_pixels(page), memory_pixels(page)) == rest


def test_a_number_that_is_tapped_stays_pinned_from_step_to_step(page):
    page.mouse.click(*point_at(page, "split", 17))
    page.mouse.move(2, 2)
    for step in STEPS:
        choose(page, step)
        lines, _ = told(page)
        lab = GridLab(step=step, index=[0, 1, 1, 1])
        assert lines[1] == f"{lines[0][0]}{lab.at} = 17" and lines[2].endswith(f"= {lab.place}")
        if step in ("split", "copied"):
            assert "head 1 of sentence 0" in sentence(page).lower()
    page.mouse.click(*point_at(page, "wrong merge", 100, 0))
    page.mouse.move(2, 2)
    assert told(page)[0][1].endswith("= 100")


def test_the_keyboard_reaches_every_number_of_a_row_of_tables(page):
    page.locator(".chip").nth(CHIPS.index("heads")).dispatch_event("click")
    settled(page)
    lab = GridLab(step="heads")
    board = page.locator(".grid-board")
    board.focus()
    for key in ("PageUp", "Home", *["ArrowUp"] * 5):
        page.keyboard.press(key)
    seen = []
    for _ in range(12):
        seen.append(told(page)[0][1])
        page.keyboard.press("ArrowRight")
    wanted = [(0, h, 0, d) for h in range(3) for d in range(4)]
    assert seen == [f"y{list(at)} = {int(lab.shown[at])}" for at in wanted]
    for _ in range(5):
        page.keyboard.press("ArrowDown")
    assert told(page)[0][1] == f"y[1, 2, 0, 3] = {int(lab.shown[1, 2, 0, 3])}"
    expect(page.locator(".live-region")).to_have_text("y[1, 2, 0, 3] = 71, place 71")
    assert (board.get_attribute("aria-label") or "").startswith("y[1, 2, 0, 3] = 71, place 71.")


def test_what_is_marked_is_told_with_its_pieces_of_memory(page):
    before = table_pixels(page)
    for mark, count in (("token", 12), ("head", 20)):
        page.get_by_role("group", name="mark").get_by_label(mark).check()
        assert f"{count} numbers in" in sentence(page)
        assert (table_pixels(page) == before) == (mark == "head")
    page.get_by_role("group", name="mark").get_by_label("number").check()
    assert "x[1, 1, 2, 3] = 83 lies at place 83" in sentence(page)
    assert table_pixels(page) != before
    page.mouse.move(*point_at(page, "split", 26))
    assert "x[0, 2, 0, 2] = 26 lies at place 26" in sentence(page), "the sentence does not follow the pointer"
    page.mouse.move(2, 2)
    assert "x[1, 1, 2, 3] = 83 lies at place 83" in sentence(page)


def test_a_token_that_is_marked_is_told_in_every_step(page):
    page.get_by_role("group", name="mark").get_by_label("token").check()
    for step, pieces in (
        ("heads", "permute moved no number. Token 2 of sentence 1: 12 numbers in one piece."),
        ("copied", "another place in it. Token 2 of sentence 1: 12 numbers in 3 pieces of 4, each 20 places after the one before."),
        ("wrong split", "not from all 5. Token 2 of sentence 1: 12 numbers in one piece."),
    ):
        page.locator(".chip").nth(CHIPS.index(step)).dispatch_event("click")
        settled(page)
        page.mouse.click(*point_at(page, step, 85))
        assert sentence(page).strip().endswith(pieces), step


@pytest.mark.parametrize("axis", "BHLD")
def test_a_slider_changes_shape_strides_and_memory(page, axis):
    page.locator(".more summary").dispatch_event("click")
    page.mouse.click(*point_at(page, "split", 83))
    settled(page)
    memory = memory_pixels(page)
    page.locator(f".slider[data-axis={axis}] input").press("Home")
    lab = GridLab(step="split", **{axis: 1})
    _, columns = told(page)
    assert columns == [list(map(str, row)) for row in zip("BLHD", lab.shape, lab.strides, strict=True)]
    assert memory_pixels(page) != memory
    assert (f"{axis} = 1" in sentence(page)) == (axis in "HL")


def test_colours_show_where_numbers_come_from(page):
    page.locator(".more summary").dispatch_event("click")
    looks = {table_pixels(page)}
    for colour in ("token", "value"):
        page.get_by_role("group", name="colour by").get_by_label(colour).check()
        settled(page)
        looks.add(table_pixels(page))
    assert len(looks) == 3


def test_a_small_lab_shows_only_the_parts_and_controls_that_are_chosen(opened):
    page = opened(GridLab(parts=["tables", "memory"], controls=[], question=""), reduced_motion="reduce")
    settled(page)
    assert page.locator(".grid-tables").is_visible() and page.locator(".grid-memory").is_visible()
    assert not page.locator(".grid-axes").is_visible()
    assert not page.locator(".stage .controls").is_visible() and not page.locator(".question").is_visible()
    only = opened(GridLab(parts=["memory"], controls=["step"]), reduced_motion="reduce")
    settled(only)
    assert only.locator(".grid-tables").count() == 0 and only.locator(".grid-program").count() == 1
    before = memory_pixels(only)
    only.locator(".grid-board").focus()
    only.keyboard.press("ArrowLeft")
    settled(only)
    assert memory_pixels(only) != before


def test_the_page_never_scrolls_sideways(page):
    page.locator(".more summary").dispatch_event("click")
    for axis in "BHLD":
        page.locator(f".slider[data-axis={axis}] input").press("End")
    for width in (360, 390, 1000):
        page.set_viewport_size({"width": width, "height": 800})
        widths = after_each(page, [*STEPS], "() => document.documentElement.scrollWidth")
        assert {step: wide for step, wide in zip(STEPS, widths, strict=True) if wide > width} == {}, width
