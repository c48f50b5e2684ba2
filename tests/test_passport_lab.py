"""PassportLab: its counts are those of torch, and its strided tensors behave like torch's, error messages included."""

import json
import math
import random
import re
from itertools import groupby
from urllib.parse import urlencode

import pytest
import torch
import traitlets
from lab_pages import SHOWN, settled, shown
from node import assert_agree, javascript_constants, node
from test_labs_stage import MOVES

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
            assert lab.result.shape == lab.right.shape and not lab.error
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


@pytest.mark.parametrize("operation", WAYS)
def test_pieces_that_are_taken_in_turn_are_every_other_way_too(operation):
    lab = PassportLab(B=2, operation=operation)
    share = lab.L * lab.D if operation == "split" else lab.H * lab.D
    for way, piece in {"right": lab.D, list(WAYS[operation])[1]: share, "interleaved": 1}.items():
        if way not in WAYS[operation]:
            continue
        lab.way = way
        named = lab.result
        with lab.hold_trait_notifications():
            lab.way, lab.piece = "pieces", piece
        assert torch.equal(lab.result, named), (way, piece)


def test_pieces_that_no_view_can_cut_give_the_message_of_torch_and_an_empty_result():
    lab = PassportLab(way="pieces", piece=2)
    assert lab.error == "" and lab.counts["in place"] == 20
    assert [step["call"] for step in lab.steps[1:]] == ["view(B, -1, H, P)", "permute(0, 2, 1, 3)", "reshape(B, H, L, D)"]
    lab.piece = 7
    x = torch.arange(60).view(1, 5, 12)
    with pytest.raises(RuntimeError) as raised:
        x.view(1, -1, 3, 7)
    assert lab.error == str(raised.value) == "shape '[1, -1, 3, 7]' is invalid for input of size 60"
    assert lab.result.numel() == 0 and lab.next == [] and len(lab.steps) == 1
    lab.piece = 5
    assert lab.error == "" and lab.result.numel() == 60


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
    with pytest.raises(
        ValueError, match="way = \"no transpose\": the ways to split are 'right', 'view only', 'interleaved', 'pieces'"
    ):
        lab.way = "no transpose"
    assert lab.way == "view only" and lab.result is before and "no transpose" in lab._message
    with pytest.raises(traitlets.TraitError, match="H = 9: this lab takes H, query heads, from 1 to 8"):
        lab.H = 9
    with pytest.raises(traitlets.TraitError):
        lab.colour = "sample"


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
    return {**sizes, "operation": operation, "way": choose.choice(list(WAYS[operation])), "piece": choose.randint(1, 6)}


def test_browser_and_kernel_compute_the_same():
    labs = [PassportLab(**random_settings(seed)) for seed in range(90)]
    assert_agree(labs, lambda *_: {"share": 0})
    assert {bool(lab.error) for lab in labs if lab.way == "pieces"} == {True, False}
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

VERDICT = ".chosen .verdict"
STILL = {"reduced_motion": "reduce"}
# What a landing page writes.
GUESS = {"parts": ["guess", "memory", "heads"], "controls": [], "question": "Both lines give the same shape. One is wrong: which?"}
# A clock that the test moves by hand: `step(ms)` runs the frames that wait.
CLOCK = """{ let [now, waiting] = [0, []];
globalThis.requestAnimationFrame = (run) => waiting.push(run);
globalThis.cancelAnimationFrame = (n) => { if (n) waiting[n - 1] = () => {}; };
globalThis.step = (ms) => { now += ms; const run = waiting; waiting = []; for (const one of run) one(now); }; }"""
# The rectangles that are filled: [x, y, w, h] in pixels of the picture.
FILLED = """globalThis.filled = [];
{ const fill = CanvasRenderingContext2D.prototype.fillRect;
CanvasRenderingContext2D.prototype.fillRect = function (...box) { filled.push(box); return fill.apply(this, box); }; }"""
# The triangles that are painted: [colour, x, y].
FOLDED = """globalThis.folded = [];
{ const { moveTo, fill, roundRect } = CanvasRenderingContext2D.prototype;
let at = [0, 0];
Object.assign(CanvasRenderingContext2D.prototype, {
  roundRect(...box) { at = [0, 0]; return roundRect.apply(this, box); },
  moveTo(...to) { at = to; return moveTo.apply(this, to); },
  fill() { folded.push([this.fillStyle, ...at]); return fill.call(this); },
}); }"""
# The texts that a frame writes, with the middle of each.
WRITTEN = """globalThis.written = [];
{ const write = CanvasRenderingContext2D.prototype.fillText;
const clear = CanvasRenderingContext2D.prototype.clearRect;
Object.assign(CanvasRenderingContext2D.prototype, {
  fillText(...text) { written.push(text); return write.apply(this, text); },
  clearRect(...box) { written.length = 0; return clear.apply(this, box); },
}); }"""


def drawn(page):
    settled(page)
    return page


def highlights(page):
    """The position of the frame, or None: in the row of memory, in the right and in the chosen result."""
    frames = drawn(page).locator(".marks span")
    return frames.evaluate_all("all => all.map(one => one.hidden ? null : one.style.left + one.style.top)")


def link(page, **settings):
    """Follow a link with these settings."""
    address = f"lab-1?{urlencode(settings)}"
    page.evaluate(
        "to => new Promise(done => { addEventListener('hashchange', done, { once: true }); location.hash = to; })", address
    )


def press(page, where, *keys):
    page.locator(where).focus()
    for key in keys:
        page.keyboard.press(key)
        drawn(page)


def test_the_lab_counts_the_numbers_that_a_wrong_split_misplaces(opened):
    page = opened(PassportLab(), **STILL)
    assert page.inner_text(".right .verdict") == "✓ all 60 numbers are in place"
    assert page.inner_text(VERDICT) == "✗ 12 of 60 numbers are in place"
    said = page.inner_text(".sentence")
    assert "12 are in place, 8 in the right head but in another cell, and 40 belong to another head" in said
    assert "Head 0 gets numbers of all heads from words 0 and 1, and nothing of words 2 to 4." in said
    press(page, ".slider[data-axis=H] input", "Home")
    assert page.inner_text(VERDICT) == "⚠ no difference with one head"
    assert "H = 1: a test at this size cannot see the bug." in page.inner_text(".sentence")
    page.locator("[role=status]").get_by_text("H = 1: a test", exact=False).wait_for(state="attached")


def labels(page, kind):
    """What the tables of a line say, line by line: (x, text) of each label."""
    tables = drawn(page).locator(f".{kind} .tables")
    left, top, width, height = tables.evaluate("node => [node.offsetLeft, node.offsetTop, node.offsetWidth, node.offsetHeight]")
    texts = [(y, x - left, text) for text, x, y in page.evaluate("written") if re.fullmatch(r"(w\d )?h\d", text)]
    inside = [one for one in texts if top + 18 < one[0] < top + height and 0 < one[1] < width]
    return {y: sorted((x, text) for other, x, text in inside if other == y) for y, _, _ in sorted(inside)}


@pytest.mark.parametrize("operation", WAYS)
def test_the_numbers_that_arrive_in_the_cells_are_those_that_torch_puts_there(opened, operation):
    """Numbers of one word and head side by side have one label: the labels are compared with the chosen result of torch. A single
    number out of place has a corner instead."""
    given = {"operation": operation, "L": 4, "H": 3, "D": 2, "piece": {"split": 4, "merge": 3}[operation]}
    page = opened(PassportLab(**given, way="right"), script=WRITTEN, width=1440, **STILL)
    for way in WAYS[operation]:
        lab = PassportLab(**given, way=way)
        if way != "right":
            link(page, way=way)
        first, second, _ = torch.unravel_index(lab.result.cpu(), (4, 3, 2) if operation == "split" else (3, 4, 2))
        words, heads = (first, second) if operation == "split" else (second, first)
        owners = torch.stack([words, heads, (lab.result == lab.right).cpu()], dim=-1)  # in the shape of the result
        rows = owners.permute(0, 2, 1, 3, 4).reshape(4, 3, 2, 3) if operation == "split" else owners.reshape(4, 3, 2, 3)
        wanted = [  # a line of the page has a word of each head
            [
                f"w{word} h{head}"
                for group in row.tolist()
                for (word, head), run in ((owner, list(run)) for owner, run in groupby(group, key=lambda one: one[:2]))
                if len(run) > 1 or run[0][2]
            ]
            for row in rows
        ]
        kind = "right" if way == "right" else "chosen"  # nothing is compared with the right line yet
        assert [[text for _, text in row] for row in labels(page, kind).values()] == [row for row in wanted if row], way
        assert bool(labels(page, "chosen")) == (way != "right") == (page.inner_text(VERDICT) != "press a button above")


@pytest.mark.parametrize("width", [1280, 390])
def test_labels_are_written_in_one_way_and_never_look_like_a_decimal(opened, width):
    page = opened(PassportLab(), script=WRITTEN, width=width, height=844, **STILL)
    for H in (1, 2, 3, 4):
        link(page, H=H)
        found = [text for row in labels(page, "right").values() for _, text in row]
        assert found == [f"w{word} h{head}" for word in range(5) for head in range(H)]
        texts = {text for text, *_ in page.evaluate("written")}
        assert not [text for text in texts if "." in text]
        last = min(H, 2) - 1
        assert page.inner_text(".number").startswith(f"w0 h{last} word 0, head {last}"), "a head that exists"


def test_a_line_lets_its_numbers_fly_from_the_row_of_memory_to_their_heads(opened):
    page = opened(PassportLab(), script=CLOCK + FILLED, reduced_motion="no-preference")
    page.evaluate("step(16)")
    left, top = page.locator(".chosen .tables").evaluate("node => [node.offsetLeft, node.offsetTop]")
    page.locator(".chip").first.dispatch_event("click")
    page.evaluate("step(16)")
    frames = page.evaluate(
        """([left, top, verdict]) => Array.from({ length: 210 }, () => {
          filled.length = 0;
          step(16);
          const inTables = filled.filter(([x, y]) => x > left && y > top);
          const there = inTables.filter(box => box.every(Number.isInteger)); // on its way, a cell is between pixels
          return [there.length, document.querySelector(verdict).checkVisibility({ visibilityProperty: true })];
        })""",
        [left + 30, top + 8, VERDICT],
    )
    counts, told = map(list, zip(*frames, strict=True))
    assert page.locator("[data-moving]").count() == 0
    moving = counts[: counts.index(60)]
    assert moving == sorted(moving) and {*moving} == {*range(0, 60, 4)}, "one block of a word and a head after the other arrives"
    assert not any(told[: len(moving)]) and told[-1], "the verdict comes last"


def corners(page):
    """The corners in the tables of the chosen line: how many are black and how many white."""
    left, top = drawn(page).locator(".chosen .tables").evaluate("node => [node.offsetLeft, node.offsetTop]")
    page.locator(".slider[data-axis=H] input").press("ArrowLeft")
    drawn(page)
    page.evaluate("folded.length = 0")
    page.locator(".slider[data-axis=H] input").press("ArrowRight")
    drawn(page)
    found = [kind for kind, x, y in page.evaluate("folded") if x > left and y > top]
    return found.count("#000000"), found.count("#ffffff")


def test_every_block_out_of_place_has_a_corner_black_or_white_and_the_legend_says_what_they_mean(opened):
    page = opened(PassportLab(), script=FOLDED, **STILL)
    assert corners(page) == (10, 2), "12 of 15 blocks"
    assert "belongs to another head" in page.inner_text(".number") and "right head, wrong cell" in page.inner_text(".number")
    page = opened(PassportLab(operation="merge", way="no transpose"), script=FOLDED, **STILL)
    assert corners(page) == (12, 0)
    assert "belongs to another word" in page.inner_text(".number") and "wrong cell" not in page.inner_text(".number")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_whole_line_of_ones_own_cut_is_shown_and_the_wrong_tables_come_first_on_a_phone(opened, width):
    page = opened(PassportLab(way="pieces", piece=5), width=width, height=844, **STILL)
    line = drawn(page).locator(".chosen .line code")
    assert line.evaluate("node => node.getBoundingClientRect().right <= node.closest('section').getBoundingClientRect().right")
    assert line.inner_text().endswith(".reshape(B, H, L, D)")
    right, chosen = (page.locator(f"section.{kind}").bounding_box() for kind in ("right", "chosen"))
    assert chosen["x"] > right["x"] if width == 1280 else chosen["y"] < right["y"]


def test_the_same_line_again_flies_again_and_a_size_that_changes_meanwhile_ends_the_move(opened):
    page = opened(PassportLab(), script=CLOCK, reduced_motion="no-preference")
    still = opened(PassportLab(H=2), **STILL)
    page.evaluate("step(16)")
    for _ in range(2):
        page.locator(".chip").first.dispatch_event("click")
        page.evaluate("step(500)")
        page.evaluate("step(500)")
        assert page.locator("[data-moving]").count() == 1
    page.locator(".slider[data-axis=H] input").press("ArrowLeft")
    page.evaluate("step(16)")
    assert page.locator("[data-moving]").count() == 0
    assert page.locator(".attn-lab-root").evaluate(SHOWN) == shown(still)


def test_the_fence_is_moved_with_keys_and_says_which_line_cuts_like_this(opened):
    page = opened(PassportLab(), **STILL)
    fence = page.get_by_role("slider", name="fence: numbers in a piece")
    steps = []
    press(page, ".grip", "Home")
    for key in ("PageUp", "PageUp", "ArrowRight", "ArrowRight", "End"):
        steps.append((fence.get_attribute("aria-valuenow"), page.inner_text(".chosen .line"), page.inner_text(VERDICT)))
        press(page, ".grip", key)
    assert steps == [
        ("1", "x.view(B, L, D, H).permute(0, 3, 1, 2)", "✗ 10 of 60 numbers are in place"),
        ("2", "x.view(B, -1, H, 2).permute(0, 2, 1, 3)\n  .reshape(B, H, L, D)", "✗ 20 of 60 numbers are in place"),
        ("4", "x.view(B, L, H, D).permute(0, 2, 1, 3)", "✓ the same line"),
        ("5", "x.view(B, -1, H, 5).permute(0, 2, 1, 3)\n  .reshape(B, H, L, D)", "✗ 8 of 60 numbers are in place"),
        ("10", "x.view(B, -1, H, 10).permute(0, 2, 1, 3)\n  .reshape(B, H, L, D)", steps[4][2]),
    ]
    assert "of 60 numbers are in place" in steps[4][2]
    assert fence.get_attribute("aria-valuenow") == fence.get_attribute("aria-valuemax") == "20"
    assert fence.get_attribute("aria-valuetext").startswith("view(B, H, L, D) cuts the row into 3 pieces")


def test_a_link_may_name_a_cut_that_no_view_makes_and_the_fence_leaves_it(opened):
    page = opened(PassportLab(way="pieces", piece=6), **STILL)
    fence = page.get_by_role("slider", name="fence: numbers in a piece")
    assert (fence.inner_text(), page.inner_text(VERDICT)) == ("6", "✗ no view cuts the row like this")
    press(page, ".grip", "ArrowRight")
    assert fence.inner_text() == "10"
    press(page, ".slider[data-axis=L] input", "ArrowLeft")
    assert fence.inner_text() == "8", "16 numbers for each head: 10 no longer fits"


def test_the_fence_is_dragged_and_what_follows_the_pointer_does_not_fly(opened):
    page = opened(PassportLab(), script=MOVES, reduced_motion="no-preference")
    drawn(page)
    grip = page.locator(".grip")
    box = grip.bounding_box()
    pitch = (page.locator(".memory").bounding_box()["width"] - 2) / 60
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    seen = []
    for piece in (17, 13, 4, -30):
        page.mouse.move(x + (piece - 20) * pitch, y + 60)  # the pointer may leave the row
        drawn(page)
        seen.append((grip.inner_text(), page.inner_text(".sentence").partition(":")[0]))
    page.mouse.up()
    page.mouse.move(x, y)
    assert drawn(page).inner_text(".grip") == "1", "it follows only while it is held"
    assert [piece for piece, _ in seen] == ["20", "10", "4", "1"]
    assert seen[1][1] == "Your line cuts the row into 6 pieces of 10 numbers, which the 3 heads take in turn"
    assert seen[2][1] == "The correct line cuts the row into 15 pieces of D = 4 numbers, which the 3 heads take in turn"
    assert page.evaluate("moves") == 0


def test_the_number_reached_with_the_keys_is_highlighted_in_all_three_pictures(opened):
    page = opened(PassportLab(), **STILL)
    assert highlights(page) == [None] * 3
    press(page, ".board canvas", "ArrowDown", "PageDown", "ArrowDown", "ArrowUp", "ArrowRight")  # the first key: the first cell
    assert page.inner_text(".number").startswith("Word 1, head 2, number 1: belongs at [b, h, l, d] = [0, 2, 1, 1]")
    assert page.inner_text(".number").endswith("lies at [0, 1, 0, 1], a cell of word 0, head 1.")
    where = highlights(page)
    assert None not in where and len(set(where)) == 3
    page.locator("[role=status]").get_by_text("Word 1, head 2, number 1", exact=False).wait_for(state="attached")
    page.keyboard.press("Escape")
    assert highlights(page) == [None] * 3


def test_the_keys_go_from_sentence_to_sentence(opened):
    page = opened(PassportLab(B=2), **STILL)
    press(page, ".board canvas", "Home", "End")
    assert page.inner_text(".number").startswith("Sentence 1, word 0, head 0, number 0: ")
    press(page, ".board canvas", "End", "ArrowRight", "Home")
    assert page.inner_text(".number").startswith("Sentence 0, word 0, head 0, number 1: ")


def test_pointing_highlights_a_number_temporarily_and_a_click_pins_it(opened):
    page = opened(PassportLab(), **STILL)
    picture = page.locator(".board canvas")
    row = page.locator(".memory").bounding_box()
    at = {"x": row["width"] - 6, "y": 44}
    picture.hover(position=at)
    assert None not in highlights(page) and page.inner_text(".number").startswith("Word 4, head 2, number 3: ")
    page.mouse.move(2, 2)
    assert highlights(page) == [None] * 3
    picture.click(position=at)
    page.mouse.move(2, 2)
    assert None not in highlights(page)
    picture.click(position=at)
    page.mouse.move(2, 2)
    assert highlights(page) == [None] * 3


@pytest.mark.parametrize("width", [1280, 390])
def test_a_description_of_a_number_has_its_place_and_a_click_beside_the_picture_takes_it_away(opened, width):
    page = opened(PassportLab(), width=width, height=844, **STILL)
    line = drawn(page).locator(".sentence")
    above = page.locator(".number")
    where = line.evaluate("node => node.offsetTop")
    for place in (0, 27, 59):
        row, edge = page.locator(".memory").bounding_box(), 1 if width == 1280 else 12
        page.locator(".board canvas").click(position={"x": (place + 0.5) * (row["width"] - 2 * edge) / 60 + edge, "y": 44})
        page.mouse.move(1, 1)
        drawn(page)
        assert "belongs at" in above.inner_text() and line.evaluate("node => node.offsetTop") == where
    page.locator(".question").click()
    page.mouse.move(1, 1)
    assert highlights(page) == [None] * 3 and "belongs at" not in above.inner_text()


def test_what_flies_passes_above_the_titles_and_its_outcome_is_told_when_it_has_arrived(opened):
    page = opened(PassportLab(), script=CLOCK, reduced_motion="no-preference")
    page.evaluate("step(16)")
    above = """() => {
      const order = node => Number(getComputedStyle(node).zIndex) || 0;
      const titles = [...document.querySelectorAll('.panels :is(p.line, .head)')];
      const [canvas, memory] = [document.querySelector('.board > canvas'), document.querySelector('.memory')].map(order);
      if (memory <= canvas) throw new Error('the ring of the fence is covered');
      // The canvas has a place of its own, so it is painted above what has none.
      return titles.every(node => getComputedStyle(node).position === 'static');
    }"""
    outcome = page.locator(".sentence .outcome")
    cut = "Without permute, the line cuts the row into 3 pieces of L·D = 20 numbers, one for each head"
    assert page.evaluate(above) and outcome.is_visible()
    page.locator(".chip").first.dispatch_event("click")
    page.evaluate("step(16)")
    page.evaluate("step(500)")
    assert page.evaluate(above) and not outcome.is_visible() and page.inner_text(".sentence").strip() == cut
    page.evaluate("step(3000)")
    assert page.evaluate(above) and outcome.is_visible()
    assert page.inner_text(".sentence").startswith(f"{cut}: 12 are in place")


def test_the_row_says_each_thing_once_and_whose_cut_it_is(opened):
    """The strip above the row names the words of a split, and the heads of a merge; the cells name the others."""
    page = opened(PassportLab(), script=WRITTEN, **STILL)
    for operation, way, labels_of_cells in (
        ("split", "view only", {"h0", "h1", "h2"}),
        ("merge", "no transpose", {"w0", "w1", "w2", "w3", "w4"}),
        ("split", "right", set()),  # who gets a piece is whose it is
        ("merge", "right", set()),
    ):
        link(page, operation=operation, way=way)
        texts = drawn(page).evaluate("written")
        (y,) = {y for text, _, y in texts if text == ("head 1" if operation == "split" else "word 1") and y < 100}
        above = [text for text, _, top in texts if top < y]
        assert {text for text in above if re.fullmatch(r"[hw]\d", text)} == labels_of_cells
        assert not [text for text in above if re.fullmatch(r"w\d h\d", text)]


@pytest.mark.parametrize("operation", WAYS)
def test_a_line_of_code_is_one_line_as_wide_as_a_lab_is_in_the_book(opened, operation):
    page = opened(PassportLab(operation=operation), **STILL)
    page.add_style_tag(content=".attn-lab.full-width { width: 58.5rem !important }")
    assert drawn(page).locator(".attn-lab-root").bounding_box()["width"] == 936
    for line in page.locator("p.line code").all():
        assert line.evaluate("node => node.getBoundingClientRect().height") < 24


def test_on_a_phone_the_correct_tables_are_above_the_sentence_that_stays(opened):
    page = opened(PassportLab(), width=390, height=844, **STILL)
    drawn(page).locator(".attn-lab-root").evaluate("node => node.scrollIntoView()")
    tables = page.locator(".right .tables").bounding_box()
    assert tables["y"] + tables["height"] <= page.locator(".telling").bounding_box()["y"]


def test_the_number_pointed_at_may_disappear_when_a_size_shrinks(opened):
    page = opened(PassportLab(pin=3), **STILL)
    row = page.locator(".memory").bounding_box()
    page.locator(".board canvas").hover(position={"x": row["width"] - 6, "y": 44})
    assert page.inner_text(".number").startswith("Word 4, head 2, number 3: ")
    press(page, ".slider[data-axis=L] input", "ArrowLeft")
    assert drawn(page).inner_text(".number").startswith("Word 0, head 0, number 3: ")


def test_a_piece_shrinks_with_what_a_head_gets(opened):
    page = opened(PassportLab(way="pieces", piece=10), **STILL)
    press(page, ".slider[data-axis=L] input", "Home", "ArrowRight")
    assert page.inner_text(".grip") == "4" and page.get_attribute(".grip", "aria-valuemax") == "8"


def test_a_link_may_change_the_operation_alone(opened):
    page = opened(PassportLab(), fragment="#lab-1?operation=merge")
    assert page.inner_text(".chosen .line") == "heads.reshape(B, L, H*D)"
    assert page.locator(".line-choice select").input_value() == "merge: no transpose"


def test_the_calls_with_their_strides_are_folded_until_asked_for_and_an_impossible_view_shows_the_message_of_torch(opened):
    page = opened(PassportLab(way="right"), **STILL)
    assert not page.locator(".strides").is_visible()
    page.locator(".more summary").dispatch_event("click")
    page.get_by_label("strides, and what can follow").check()
    assert drawn(page).locator(".strides td").nth(7).inner_text() == "(60, 12, 4, 1)"
    assert page.inner_text(".next .error") == f"RuntimeError: {TOO_FAR}"
    assert "a copy of 60 numbers" in page.inner_text(".next")


# The lab that asks first ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_lab_that_asks_fits_its_place_before_and_after_the_guess(opened, width, scheme):
    page = opened(PassportLab(**GUESS), width=width, height=844, color_scheme=scheme, **STILL)
    for line in (None, 0, 1):
        if line is not None:
            page.locator("button.line").nth(line).click()
        height = drawn(page).locator(".attn-lab-root").bounding_box()["height"]
        assert height <= (520 if width == 1280 else 844)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_lab_that_asks_does_not_give_the_answer_away(opened):
    page = opened(PassportLab(**GUESS), script=WRITTEN + FILLED, **STILL)
    drawn(page)
    assert page.locator(".verdict").all_inner_texts() == ["shape (1, 3, 5, 4)"] * 2
    assert page.inner_text(".sentence") == "Press the line that you think is wrong."
    assert page.inner_text(".number") == "w0 h1 word 0, head 1"
    assert not page.locator(".grip, .chip:visible, .strides:visible, .controls:visible").count()
    assert page.locator("section.bad, section.open, section.lucky").count() == 0
    below = page.locator(".tables").first.evaluate("node => node.offsetTop")
    texts = {text for text, _, y in page.evaluate("written") if y > below + 18}
    assert texts == {*"01234"}, "only the numbers of the rows stand in the tables"
    borders = page.locator("section").evaluate_all("all => all.map(one => getComputedStyle(one).borderTopColor)")
    assert len(set(borders)) == 1


def test_after_the_guess_the_numbers_fly_those_of_another_head_show_and_the_sentence_says_why(opened):
    page = opened(PassportLab(**GUESS), script=MOVES, reduced_motion="no-preference")
    start = shown(page)
    wrong, right = page.locator("button.line").all()
    assert wrong.inner_text() == "x.view(B, H, L, D)" and right.inner_text() == "x.view(B, L, H, D).permute(0, 2, 1, 3)"
    cut = "cuts the row into 3 pieces of L·D = 20 numbers, one for each head"
    why = f"{cut}: 12 are in place, 8 in the right head but in another cell, and 40 belong to another head"
    for button, judged in ((wrong, "Yes. This line"), (wrong, "Yes. This line"), (right, "No, this line is right. The other one")):
        moves = page.evaluate("moves")
        button.click()
        drawn(page)
        assert page.evaluate("moves") == moves + 1, "pressing again acts again"
        assert page.inner_text(".sentence").startswith(f"{judged} {why}")
    assert page.inner_text(VERDICT) == "✗ 12 of 60 numbers are in place"
    assert page.inner_text(".right .verdict") == "✓ all 60 numbers are in place"
    page.get_by_role("button", name="reset").click()
    assert shown(page) == start


def test_a_page_may_show_the_row_of_memory_and_its_fence_alone(opened):
    page = opened(PassportLab(parts=["memory"], controls=["fence"], chips=[]), **STILL)
    assert page.locator(".grip").is_visible() and not page.locator(".chosen").is_visible()
    press(page, ".grip", "ArrowLeft")
    assert page.inner_text(".sentence").startswith("Your line cuts the row into 6 pieces of 10 numbers")
