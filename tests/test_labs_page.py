"""The labs in a real browser, on a page opened from disk: every control is moved, and what is drawn changes."""

import importlib
import re

import pytest
from lab_pages import FIRST, SHOWN, controls, hush, move, move_controls, settled, shown

from attn import labs
from attn.labs import ShapeLab

NAMES = labs.__all__
# These tests compare what labs show, so nothing moves or plays by itself in them. Other tests are about moves.
STILL = {"reduced_motion": "reduce"}


def made(name):
    return getattr(importlib.import_module("attn.labs"), name)()


@pytest.mark.parametrize("name", NAMES)
def test_every_control_changes_what_is_drawn_and_reset_undoes_it(opened, name):
    """With the keyboard; on the pages of the book each control is moved with the mouse."""
    page = opened(made(name), **STILL)
    page.locator(".stage .more").evaluate_all("nodes => nodes.forEach(node => { node.open = true })")
    move_controls(page, FIRST, "keyboard")
    if name == "ShapeLab":  # controls that only appear when another one is set
        for text, axis in (("attend to another sentence", "S"), ("share key/value heads", "G")):
            page.get_by_label(text).check()
            for how in ("mouse", "keyboard"):
                before = shown(page)
                move(page, page.locator(f".slider[data-axis={axis}] input"), how)
                assert shown(page) != before


@pytest.mark.parametrize("name", NAMES)
def test_focus_visits_the_controls_in_document_order(opened, name):
    page = opened(made(name), **STILL)
    page.evaluate(
        """() => { globalThis.passed = []; addEventListener('focusin', ({ target: node }) => {
        if (!node.closest('.attn-lab-root')) return;
        const all = [...document.querySelectorAll('*')];
        passed.push([all.indexOf(node), getComputedStyle(node).outlineStyle]); }) }"""
    )
    for _ in range(len(controls(page)) + 12):
        page.keyboard.press("Tab")
    passed = page.evaluate("passed")
    places = [place for place, _ in passed]
    assert len(places) >= 5
    assert places[: places.index(max(places)) + 1] == sorted(set(places))
    assert all(outline != "none" for _, outline in passed), "focus cannot be seen"


# Record the nodes that listen to keys.
KEYED = """const listen = EventTarget.prototype.addEventListener;
globalThis.keyed = new Set();
EventTarget.prototype.addEventListener = function (type, ...more) {
  if (type === 'keydown') keyed.add(this);
  return listen.call(this, type, ...more);
};"""
# Everything in the lab at `root` that arrow keys move: a node that listens, or the cell in it that can have the focus. (In a text
# area it is the browser that moves the cursor.)
WALKED = """root => [...keyed].filter(node => root.contains(node) && node.getClientRects().length && !node.matches('textarea'))
  .map(node => node.matches('[tabindex]') ? node : node.querySelector('[tabindex="0"]'))"""
PAIRS = [["ArrowDown", "ArrowRight"], ["ArrowRight", "ArrowRight"], ["ArrowRight", "ArrowLeft"], ["End", "ArrowLeft"]]
PAIRS += [["PageDown", "ArrowDown"], [" ", "ArrowRight"], ["Enter", "ArrowUp"], ["Escape", "ArrowDown"]]
# Of two equal labs, the first gets both keys of a pair in one task, and the second gets each key after the previous one is drawn.
# For the nth node of WALKED: the pairs after which the two labs look different, and how many different looks there were.
TWICE = f"""async ([pairs, nth]) => {{
  const [walked, shown] = [{WALKED}, {SHOWN}];
  hurry = true; // nothing is painted
  const drawn = async () => {{ while (passTime(16)) await null; }};
  const [hasty, calm] = document.querySelectorAll('.attn-lab-root');
  const press = (root, key) => {{
    if (!root.contains(document.activeElement)) walked(root)[nth].focus();
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }}));
  }};
  const cursor = node => node.getAttribute('aria-activedescendant')?.replace(/^[a-z]+-[0-9]+/, '');
  const marks = node => `${{node.getAttribute('class') ?? ''}} ${{cursor(node)}}`;
  const look = root => [shown(root), ...[...root.querySelectorAll('*')].map(marks)].join();
  walked(calm)[nth].focus(); // which alone is no effect of a key
  await drawn();
  const [different, looks] = [[], new Set([look(calm)])];
  for (const pair of pairs) {{
    walked(hasty)[nth].focus();
    pair.forEach(key => press(hasty, key));
    await drawn();
    walked(calm)[nth].focus();
    for (const key of pair) {{
      press(calm, key);
      await drawn();
    }}
    looks.add(look(calm));
    if (look(hasty) !== look(calm)) different.push(pair.join(', '));
  }}
  hurry = false;
  return [different, looks.size];
}}"""
WITHOUT_CELLS = {"CostLab", "VarianceLab"}  # nothing to walk through with arrow keys


@pytest.mark.parametrize("name", NAMES)
def test_two_keys_within_one_frame_have_the_same_effect_as_one_after_the_other(opened, name):
    page = opened(made(name), made(name), script=KEYED, **STILL)
    page.get_by_role("button", name="show the wrong line").evaluate_all("all => all.forEach(one => one.click())")
    page.locator(".picture details").evaluate_all("all => all.forEach(one => (one.open = true))")
    settled(page)
    count = page.locator(".attn-lab-root").first.evaluate(f"root => ({WALKED})(root).length")
    assert (count == 0) == (name in WITHOUT_CELLS), "which labs can be navigated with keys?"
    for nth in range(count):
        different, looks = page.evaluate(TWICE, [PAIRS, nth])
        assert different == []
        assert looks > 1, "keys have no effect"


@pytest.mark.parametrize("name", NAMES)
def test_on_a_phone_the_page_does_not_scroll_sideways_and_targets_are_large_enough(opened, name):
    page = opened(made(name), width=360, has_touch=True, is_mobile=True, **STILL)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, scheme
        small = page.evaluate(
            """() => [...document.querySelectorAll('.attn-lab-root :is(button, label, select, input[type=range])')]
            .filter(node => node.offsetParent && node.getBoundingClientRect().height < 24)
            .map(node => node.outerHTML.slice(0, 90))"""
        )
        assert small == [], scheme


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    "name, settings, axes",
    [
        ("GridLab", {"step": "heads"}, "HL"),
        ("PassportLab", {}, "HLD"),
        ("ProductLab", {"product": "q @ k.reshape(B, H, D, S)", "colour": "key"}, "DS"),
    ],
)
def test_a_slider_stays_where_it_is_while_it_is_moved(opened, name, settings, axes, width):
    page = opened(getattr(labs, name)(**settings), width=width, height=844, **STILL)
    for axis in axes:
        slider = page.locator(f".slider[data-axis={axis}] input")
        tops = set()
        for size in [*range(1, int(slider.get_attribute("max")) + 1), int(slider.input_value())]:
            slider.fill(str(size))
            settled(page)
            tops.add(slider.evaluate("node => node.getBoundingClientRect().top + scrollY"))
        assert max(tops) - min(tops) <= 2, axis


@pytest.mark.parametrize("name", NAMES)
def test_a_link_opens_the_page_at_the_same_setting(opened, name):
    page = opened(made(name), **STILL)
    start = shown(page)
    for slider in page.locator(".attn-lab-root input[type=range]:enabled:visible").all()[:2]:
        move(page, slider, "keyboard")
    hush(page)
    changed = shown(page)
    page.get_by_role("button", name="copy link").click()
    page.wait_for_function("location.hash.startsWith('#lab-1?')")
    fragment = page.evaluate("location.hash")
    page.wait_for_function("document.querySelector('[data-done]') || document.querySelector('.shared').value === location.href")
    other = opened(made(name), fragment=fragment, **STILL)
    hush(other)
    assert shown(other) == changed != start
    other.get_by_role("button", name="reset").click()
    assert shown(other) == start


@pytest.fixture(scope="module")
def looks():
    return {}


@pytest.fixture
def as_opened(opened, looks):
    """What a lab shows on a page that was opened without settings, when nothing has happened. It is opened once for all tests."""

    def look(name):
        if name not in looks:
            page = opened(made(name), **STILL)
            hush(page)
            looks[name] = shown(page)
        return looks[name]

    return look


@pytest.mark.parametrize(
    "name, settings",
    [
        ("CacheLab", "overwrite=nonsense&G=null"),
        ("EinsumLab", "colour=nonsense&pin=7"),
        ("MaskLab", "dtype=float99&fill=nonsense&detail=null"),
        *(("EinsumLab", f"pin={pin}") for pin in ("[]", "[[1]]", "[1,2,3]", "[1,-1]")),
        *(("MaskLab", f"pin={pin}") for pin in ("[]", '["a"]', "[1.5,2]")),
        *(("ProductLab", f"front={front}") for front in ("[99]", "[[1]]", "[null]")),
        *(("ProductLab", f"{other}") for other in ("nudge=-7", "nudge=1.5", "pin=[]", "pin=[99]", "pin=[null]")),
        *(("ShapeLab", f"pin={pin}") for pin in ("[99]", "[0,99]", "[[1]]")),
        *(("TrainingLab", f"{one}") for one in ("frame=no", "frame=[99]", "sequence=1.5", "pin=[]", 'pin=["a"]')),
        ("CubeLab", "pin=[]"),  # a list, as it should be, but it cannot be drawn
    ],
)
def test_a_link_with_settings_that_a_lab_does_not_take_opens_it_as_the_page_has_it(opened, as_opened, name, settings):
    page = opened(made(name), fragment=f"#lab-1?{settings}", **STILL)
    hush(page)
    assert shown(page) == as_opened(name)


GRIDS = """root => [...root.querySelectorAll('[role=grid], [role=grid] *')].map(node => [node.role, node.id, node.className,
  node.ariaLabel, node.getAttribute('style') ?? '', node.children.length ? '' : node.textContent].join())"""


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("MaskLab", {"L": 2}),
    ],
)
def test_a_table_that_grew_and_shrank_equals_that_of_a_page_that_starts_with_these_sizes(opened, name, there):
    lab = made(name)
    page = opened(lab)
    start = page.locator(".attn-lab-root").evaluate(GRIDS)
    for size, value in there.items():
        setattr(lab, size, value)
    page.evaluate(f"location.hash = 'lab-1?{'&'.join(f'{size}={value}' for size, value in there.items())}'")
    settled(page)
    assert page.locator(".attn-lab-root").evaluate(GRIDS) == opened(lab).locator(".attn-lab-root").evaluate(GRIDS) != start
    page.evaluate("location.hash = 'lab-1?'")
    settled(page)
    assert page.locator(".attn-lab-root").evaluate(GRIDS) == start


def test_two_labs_on_a_page_are_independent(opened):
    page = opened(ShapeLab(), ShapeLab(L=5))
    second = shown(page, ".attn-lab-root >> nth=1")
    first = shown(page)
    page.locator(".slider[data-axis=L] input").first.press("ArrowRight")
    assert shown(page) != first
    assert shown(page, ".attn-lab-root >> nth=1") == second
    page.evaluate("location.hash = '#lab-2?L=9'")
    page.wait_for_function("document.querySelectorAll('.slider[data-axis=L] output')[1].textContent === '9'")
    assert page.locator(".slider[data-axis=L] output").first.text_content() == "8"


# ShapeLab -----------------------------------------------------------------------------------------------------------------


def spelled(value):
    number = float(value)
    return "−∞" if number == -float("inf") else f"{number:.4f}".replace("-", "−")


PAIRED = ("scores", "scaled", "masked", "weights")  # two decimals, as in the sums that lead to them


@pytest.mark.parametrize(
    "settings,pin",
    [
        ({}, [0, 1, 2, 3]),
        ({"H": 6, "G": 2, "S": 11, "L": 4}, [1, 5, 3, 10]),
        ({"causal": True, "scale": False, "B": 4, "D": 7}, [3, 0, 1, 4]),
    ],
)
def test_the_numbers_of_the_pinned_cell_equal_those_of_torch(opened, settings, pin):
    lab = ShapeLab(**settings, pin=pin)
    page = opened(lab)
    b, h, i, j = pin
    for name in PAIRED:
        text = page.locator(f".pinned output[data-of={name}]").text_content()
        wanted = getattr(lab, name)[b, h, i, j]
        assert text == spelled(wanted) or abs(float(text.replace("−", "-")) - float(wanted)) < 0.00501
    cells = page.locator(".pinned tr").nth(1).locator("td").all_text_contents()
    kept = lab.k[b, h // (lab.H // (lab.G or lab.H)), j]
    assert [float(cell.replace("−", "-")) for cell in cells] == pytest.approx([float(value) for value in kept], abs=0.00501)


def test_every_step_is_drawn_and_its_cells_are_explained_with_the_numbers_of_torch(opened):
    lab = ShapeLab(S=6)
    page = opened(lab, **STILL)
    page.locator(".more summary").click()
    tensors = {**dict(lab.steps.items()), "kT": lab.k.mT}
    seen = set()
    for name, tensor in tensors.items():
        page.locator(".tensor select").select_option(name)
        settled(page)  # until then the keys would choose a cell of the tensor before
        page.locator(".large canvas").press("Home")
        page.locator(".large canvas").press("ArrowRight")
        seen.add(shown(page))
        text = page.locator(f".pinned output[data-of={name}]").text_content()
        assert float(text.replace("−", "-")) == pytest.approx(
            float(tensor.flatten()[1]), abs=0.00501 if name in PAIRED else 1.5e-4
        ), name
        assert f"({', '.join(map(str, tensor.shape))})" in page.locator(".about").inner_text()
        page.get_by_role("button", name="reset").click()
    assert len(seen) == 16


def test_pointing_explains_a_cell_and_a_click_keeps_it(opened):
    page = opened(ShapeLab())
    canvas = page.locator(".large canvas")
    box = canvas.bounding_box()
    hint = page.locator(".pinned").inner_text()
    start = shown(page)
    place = (box["x"] + 0.5 * box["width"], box["y"] + 0.7 * box["height"])
    page.mouse.move(*place)
    text = page.locator(".pinned").inner_text()
    assert "score and weight of “" in text and text != hint
    assert shown(page) != start, "what the cell is linked with is not marked"
    page.mouse.move(5, 5)
    assert page.locator(".pinned").inner_text() == hint
    page.mouse.click(*place)
    page.mouse.move(5, 5)
    settled(page)
    assert page.locator(".pinned").inner_text() == text
    page.wait_for_function("document.querySelector('[role=status]').textContent.includes(', weight ')")
    page.mouse.click(*place)
    page.mouse.move(5, 5)
    settled(page)
    assert page.locator(".pinned").inner_text() == hint


def test_a_tap_keeps_a_cell(opened):
    page = opened(ShapeLab(H=1, L=3, D=2), width=390, has_touch=True, is_mobile=True)
    canvas = page.locator(".large canvas")
    box = canvas.bounding_box()
    canvas.tap(position={"x": box["width"] * 0.5, "y": box["height"] - 20})
    settled(page)
    assert "score and weight of “" in page.locator(".pinned").inner_text()


def test_arrow_keys_walk_through_the_cells(opened):
    page = opened(ShapeLab())
    page.locator(".large canvas").focus()
    text = []
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "PageDown", "End", "ArrowUp", "ArrowLeft", "PageUp", "Home", "Home"):
        page.keyboard.press(key)
        settled(page)
        text.append(page.locator(".pinned th").first.inner_text())
    rows = ["0, 0, 0", "0, 0, 1", "0, 0, 1", "0, 1, 1", "1, 1, 1", "1, 1, 0", "1, 1, 0", "1, 0, 0", "0, 0, 0", "0, 0, 0"]
    assert text == [f"q[{row}]" for row in rows]


def test_a_pinned_cell_stays_pinned_while_steps_and_sizes_change(opened):
    lab = ShapeLab(pin=[1, 2, 4, 5])
    page = opened(lab, **STILL)
    words = page.locator(".pinned p").first
    pinned = words.inner_text()
    assert re.fullmatch("head 2: score and weight of “.+” for “.+”", pinned)
    looks = set()
    for _ in range(6):
        page.locator(".player input").press("ArrowRight")
        looks.add(shown(page))
        assert words.inner_text() == pinned, "another step explains another cell"
    assert len(looks) == 6
    page.locator(".slider[data-axis=H] input").press("Home")
    settled(page)
    assert words.inner_text() == pinned.replace("head 2", "head 0")
    page.locator(".slider[data-axis=H] input").press("ArrowRight")
    page.locator(".slider[data-axis=H] input").press("ArrowRight")
    settled(page)
    assert words.inner_text() == pinned, "the cell is forgotten as soon as there is no room for it"


def test_the_numbers_travel_from_each_tensor_to_the_next_and_arrive_where_a_jump_does(opened):
    """Every moment between two stages looks different from both, and scrubbing back leads to the same pictures."""
    page = opened(ShapeLab(causal=True))
    seek = """t => { const bar = document.querySelector('.player input'); bar.value = t;
      bar.dispatchEvent(new Event('input', { bubbles: true })); }"""

    def at(t):
        page.evaluate(seek, t)
        return shown(page)

    stages = [at(n) for n in range(11)]
    assert len(set(stages)) == 11
    for n in range(10):
        for share in (0.3, 0.55):
            assert at(n + share) not in stages, f"{n + share}: nothing moves"
    assert [at(n) for n in reversed(range(11))] == stages[::-1]
    for n in range(10, 0, -1):
        page.evaluate(seek, n - 1)
        page.locator(".player input").press("ArrowRight")  # plays one step
        assert shown(page) == stages[n]


def test_a_click_on_the_map_shows_that_tensor(opened):
    page = opened(ShapeLab(), **STILL)
    box = page.locator(".map canvas").bounding_box()
    seen = set()
    for x in range(11):
        for y in range(6):
            page.mouse.click(box["x"] + (x + 0.5) / 11 * box["width"], box["y"] + (y + 0.5) / 6 * box["height"])
            settled(page)
            seen.add(page.locator(".about strong").inner_text())
    assert len(seen) == 15


def test_a_sentence_of_the_reader_is_drawn_and_a_bad_one_is_refused_and_loses_nothing(opened):
    page = opened(ShapeLab(step="weights", pin=[0, 1, 1, 2]), **STILL)
    page.locator(".more summary").click()
    field = page.get_by_label("your sentence")
    assert field.input_value() == "girls near old kings found gold today"
    field.fill("kings found gold today")
    settled(page)
    assert page.locator(".about").inner_text().startswith("weights (B, H, L, S) = (2, 3, 4, 4)")
    assert "“found” asks “what?”. Head 1 puts" in page.locator(".notes").inner_text()
    drawn = page.locator(".large canvas").evaluate("node => node.toDataURL()")
    field.fill("kings found gold tomorrow")
    settled(page)
    assert page.locator(".refused").inner_text().startswith("“tomorrow” is not one of the 29 words")
    assert page.locator(".large canvas").evaluate("node => node.toDataURL()") == drawn
    field.fill("kings found gold soon")
    settled(page)
    assert page.locator(".refused").inner_text() == ""
    assert page.locator(".large canvas").evaluate("node => node.toDataURL()") != drawn


def test_numbers_that_are_not_trained_are_called_random(opened):
    page = opened(ShapeLab(), **STILL)
    assert "random" not in page.locator(".sentence").inner_text()
    page.locator(".chip", has_text="one wide head").click()
    settled(page)
    assert "Random numbers; the trained layer has H = 3, D = 4." in page.locator(".sentence").inner_text()
    assert "x and y keep their shape, (2, 7, 12)" in page.locator(".sentence").inner_text()


def test_the_map_alone_is_a_small_lab(opened):
    page = opened(ShapeLab(parts=["map", "time"], controls=["H"]), **STILL)
    assert page.locator(".map canvas").is_visible() and page.locator(".player").is_visible()
    assert not page.locator(".large canvas").is_visible() and not page.locator(".pinned").is_visible()
    assert page.locator(".stage .controls > *").count() == 1
    start = shown(page)
    page.locator(".slider[data-axis=H] input").press("ArrowRight")
    assert shown(page) != start
    before = page.locator(".map canvas").evaluate("node => node.toDataURL()")
    page.locator(".player input").press("ArrowRight")
    settled(page)
    assert page.locator(".map canvas").evaluate("node => node.toDataURL()") != before


def test_the_lab_warns_of_equal_sizes_and_names_the_bug_that_they_hide(opened):
    page = opened(ShapeLab())
    assert page.locator(".notes").inner_text() == ""
    page.locator(".slider[data-axis=H] input").press("ArrowRight")
    settled(page)
    assert page.locator(".notes").inner_text().startswith("These sizes hide a bug. H = D = 4: cutting E as (D, H)")
    page.wait_for_function("document.querySelector('[role=status]').textContent.includes('H = D = 4')")
    for chip in page.locator(".chip").all()[1:]:  # an experiment has one subject
        chip.click()
        settled(page)
        assert page.locator(".notes").inner_text() == ""


def test_an_axis_is_highlighted_everywhere(opened):
    page = opened(ShapeLab())
    lit = """axis => [...document.querySelectorAll(`b[data-axis=${axis}]`)]
        .filter(node => getComputedStyle(node).backgroundColor !== 'rgba(0, 0, 0, 0)').length"""
    assert page.evaluate(lit, "D") == 0
    page.locator(".about b[data-axis=H]").hover()
    count = page.locator("b[data-axis=H]").count()
    assert count >= 2
    page.wait_for_function(f"count => ({lit})('H') === count", arg=count)
    assert page.evaluate(lit, "L") == 0


def test_a_link_with_heads_that_cannot_be_shared_shows_an_error_message(opened):
    page = opened(ShapeLab(), fragment="#lab-1?H=4&G=3")
    assert page.get_by_role("alert").inner_text().startswith("H = 4 is not a multiple of G = 3")
    page.get_by_role("button", name="reset").click()
    settled(page)
    assert page.get_by_role("alert").count() == 0


def test_a_tensor_that_is_chosen_while_the_map_of_shapelab_moves_stays_chosen(opened):
    """Each frame of a move draws the tensor of its time; a choice from elsewhere, as of a kernel, must not be overwritten by it."""
    page = opened(ShapeLab(), reduced_motion="no-preference")
    page.evaluate(
        """() => {
          const root = document.querySelector('.attn-lab-root');
          globalThis.gaps = 0; // how often the lab seems to rest while the time from x to y plays
          const isPlaying = () => root.querySelector('.player button').getAttribute('aria-label') === 'pause';
          new MutationObserver(() => { gaps += isPlaying() && !root.hasAttribute('data-moving') ? 1 : 0; })
            .observe(root, { attributeFilter: ['data-moving'] });
        }"""
    )
    for step in ("y", "q", "weights"):
        page.evaluate(
            """step => new Promise(done => {
              const root = document.querySelector('.attn-lab-root');
              const set = detail => root.dispatchEvent(new CustomEvent('attn-try', { detail }));
              set({ H: root.querySelector('.slider[data-axis=H] input').value === '2' ? 4 : 2 });
              requestAnimationFrame(() => requestAnimationFrame(() => { set({ step }); requestAnimationFrame(done); }));
            })""",
            step,
        )
        settled(page)
        assert page.locator(".about strong").inner_text() == step
    assert page.evaluate("gaps") == 0


def test_playing_keeps_the_score_that_is_explained_and_ends_with_what_came_and_went(opened):
    page = opened(ShapeLab(pin=[0, 1, 4, 5]), **STILL)
    explained = page.locator(".pinned").text_content()
    assert "score and weight of “" in explained and page.locator(".pinned").is_visible()
    page.locator(".chip", has_text="play x to y").click()
    settled(page)
    assert page.locator(".about strong").inner_text() == "y"
    assert page.locator(".pinned").text_content() == explained
    assert not page.locator(".pinned").is_visible(), "the sentence of the end is covered"
    assert "S takes the place of D from scores to weights" in page.locator(".sentence").inner_text()


def test_only_the_last_experiment_is_marked_and_opens_the_scores(opened):
    page = opened(ShapeLab(step="v"), **STILL)
    for chip in page.locator(".chip").all():
        chip.click()
        settled(page)
        assert page.locator(".chip[aria-pressed=true]").all_inner_texts() == [chip.inner_text()]
        assert page.locator(".about strong").inner_text() == ("y" if chip.inner_text() == "play x to y" else "scores")


def test_the_same_sizes_have_the_same_sentence_whatever_was_drawn_before(opened):
    page = opened(ShapeLab(), **STILL)
    for chip, told in (
        ("six narrow heads", "H 3 → 6 and D 4 → 2: "),
        ("one wide head", "H 3 → 1 and D 4 → 12: "),
        ("twice the words", "L 7 → 14: q has 168 → 336 numbers, "),
    ):
        page.locator(".chip", has_text=chip).click()
        settled(page)
        assert page.locator(".sentence").inner_text().startswith(told)
    page.locator(".slider[data-axis=L] input").press("ArrowLeft")
    settled(page)
    assert page.locator(".sentence").inner_text().startswith("L 7 → 13: q has 168 → 312 numbers, ")


def test_the_products_of_one_wide_head_are_all_in_view_as_wide_as_a_lab_is_in_the_book(opened):
    page = opened(ShapeLab(H=1, D=12, pin=[0, 0, 4, 5]), **STILL)
    page.add_style_tag(content=".attn-lab.full-width { width: 58.5rem !important }")
    settled(page)
    assert page.locator(".pinned td").count() == 36 and page.locator(".attn-lab-root").bounding_box()["width"] == 936
    assert page.locator(".pinned .scroll").evaluate("node => node.scrollWidth <= node.clientWidth")
    assert page.locator(".chain").evaluate("node => node.offsetHeight < 30"), "from product to weight in one line"


TRACKS = """nodes => nodes.filter(node => !node.matches('.beside')).map(node => {
  const { left, width } = node.getBoundingClientRect();
  const all = node.parentElement.getBoundingClientRect();
  return [node.dataset.axis, ...[left - all.left, left + width - all.left].map(x => Math.round(22 * x / all.width) / 2)];
})"""


def test_a_track_for_each_axis_says_where_it_comes_and_goes(opened):
    page = opened(ShapeLab())
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        settled(page)
        tracks = [tuple(track) for track in page.locator(".past .stretch").evaluate_all(TRACKS)]
        steps = [("B", 0, 11), ("H", 2, 9), ("L", 0, 11), ("S", 4, 8), ("D", 2, 4), ("D", 8, 9)]
        assert tracks == [*steps, ("E", 0, 1), ("E", 1, 2), ("E", 9, 10), ("E", 10, 11)]
    assert page.locator(".parts").bounding_box()["width"] <= 360
    assert page.locator(".past .stretch.beside").all_inner_texts() == ["S in k, v, kᵀ (the\xa0words\xa0of\xa0L)", "D in v"]
    page = opened(ShapeLab(S=9))
    page.set_viewport_size({"width": 390, "height": 844})
    settled(page)
    assert page.locator(".past .stretch.beside").all_inner_texts() == ["S 9 context, k, v, kᵀ", "D in v"]
    assert page.locator(".past .stretch.beside").first.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_press_on_a_track_goes_to_the_step_of_its_column(opened):
    page = opened(ShapeLab(step="x"))
    tracks = page.locator(".tracks").bounding_box()
    for column, name in ((4, "scores"), (10, "y"), (0, "x")):
        page.mouse.click(tracks["x"] + tracks["width"] * (column + 0.5) / 11, tracks["y"] + tracks["height"] / 2)
        settled(page)
        assert page.locator(".player input").evaluate("node => node.valueAsNumber") == column
        assert page.locator(".about strong").inner_text() == name


def test_playing_shows_every_tensor_from_x_to_y_in_turn(opened):
    page = opened(ShapeLab(), reduced_motion="no-preference")
    page.evaluate(
        """() => {
          globalThis.titles = [];
          const about = document.querySelector('.about');
          const keep = () => titles.push(about.querySelector('strong')?.textContent);
          new MutationObserver(keep).observe(about, { childList: true, subtree: true });
        }"""
    )
    for _ in range(2):  # once more from the end
        page.get_by_role("button", name="play x to y", exact=True).click()
        settled(page)
        seen = list(dict.fromkeys(page.evaluate("titles.splice(0)")))
        assert len(seen) >= 10 and seen[-1] == "y", seen
        assert {"x", "q", "scores", "weights", "concat"} <= {*seen}
