"""DeviceLab: its shapes and bytes are those of real tensors and of the formulas, and its picture shows who holds what."""

import random
from itertools import pairwise

import pytest
import torch
import traitlets
from lab_pages import DRAWN, settled, shown
from node import assert_agree

import attn
from attn.labs import DeviceLab
from attn.lessons import devices
from attn.shapes import divisors


def sent(page):
    """What the chips say that each cut sends."""
    return [text.strip() for text in page.locator(".chip .sent").all_inner_texts()]


WRITTEN = """globalThis.written = [];
const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.clearRect = function (...box) {
  written.length = 0;
  return clearRect.call(this, ...box);
};
CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
  written.push(text);
  return fillText.call(this, text, ...more);
};"""
# The text of each word on the canvas that was drawn last, and its left, middle and right.
PLACED = """globalThis.placed = [];
const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.clearRect = function (...box) {
  placed.length = 0;
  return clearRect.call(this, ...box);
};
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const { width } = this.measureText(text);
  const left = x - { left: 0, center: width / 2, right: width }[this.textAlign];
  if (text) placed.push([text, left, y, left + width]);
  return fillText.call(this, text, x, y);
};"""
KNOWN = ["4,608 bytes of y", "2,304 bytes of k, v", "9,216 bytes of q, k, v"]  # of the cuts of heads, tokens and width


def last_written(page):
    """The texts of the picture that was drawn last."""
    return page.evaluate("written")


def after_each(page, states, look):
    """What the function `look` returns in each of these states: the nth chip is pressed, and the slider of steps moved or not."""
    return page.evaluate(
        f"""async states => {{
          const step = document.querySelector('[aria-label=step]');
          const looks = [];
          for (const [nth, to] of states) {{
            document.querySelectorAll('.chip')[nth].click();
            await {DRAWN};
            if (to !== null) {{
              step.value = to === 'end' ? step.max : to;
              step.dispatchEvent(new Event('input', {{ bubbles: true }}));
              await {DRAWN};
            }}
            looks.push(({look})());
          }}
          return looks;
        }}""",
        states,
    )


def random_settings(seed):
    choose = random.Random(seed)
    H = choose.choice([1, 2, 4, 8])
    return {
        **{"cut": choose.choice("BHLE"), "N": choose.randint(1, 4), "B": choose.randint(1, 4), "L": choose.randint(1, 12)},
        **{"H": H, "G": choose.choice(divisors(H)), "training": choose.random() < 0.5},
    }


@pytest.mark.parametrize("cut", "BHLE")
def test_a_device_holds_tensors_of_these_shapes(cut):
    labs = [DeviceLab(cut=cut, G=G) for G in (8, 4, 2)]
    layers = [attn.MultiHeadAttention(16, 8, G=lab.G, bias=False) for lab in labs]
    x = torch.randn(labs[0].B, labs[0].L, 16)
    for own in devices.ranks(4, lambda rank, N: [devices.CUTS[cut](layer, x, rank, N) for layer in layers], 120.0):
        for lab, held in zip(labs, own, strict=True):
            assert {name: list(tensor.shape) for name, tensor in held.items()} == lab.local, lab.G
            assert sum(tensor.numel() for tensor in held.values()) == lab.held, lab.G


def test_the_bytes_are_those_of_the_formulas_and_fewer_key_value_heads_make_the_ring_cheaper_alone():
    lab = DeviceLab()
    assert lab.bytes == {"B": 0, "H": 4608, "L": 2304, "E": 9216}
    lab.G = 8
    assert lab.bytes["L"] == lab.bytes["H"] == 4608  # k and v are then as large as two of y, and an all-reduce sends twice
    lab.training = True
    sizes = devices.Sizes(4, 12, 16, 8, 8, 2)
    for cut, sent in lab.bytes.items():
        assert sent == 4 * sum(one.sent for one in devices.messages(cut, sizes, 4, training=True)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("act", ["chip", "devices", "train"])
def test_what_a_cut_sends_is_left_to_guess_until_it_is_tried_or_the_layer_is_another_one(opened, act):
    lab = DeviceLab(cut="B", covered=True)
    assert "9,216" not in lab.fallback() and "4,608" not in lab.fallback()
    page = opened(lab, reduced_motion="reduce")
    start = shown(page)
    assert sent(page) == ["nothing", "?", "?", "?"]
    assert all(text.strip() for text in page.locator(".chip .what").all_inner_texts())  # no chip has an empty line
    assert page.locator(".sentence").inner_text().endswith("What do the other cuts send?")
    if act == "devices":
        page.get_by_role("slider", name="devices").press("ArrowLeft")
        settled(page)  # two keys within one frame would change nothing
        assert sent(page) == ["uneven", "uneven", "?", "uneven"]
        page.get_by_role("slider", name="devices").press("ArrowRight")
    elif act == "train":
        page.get_by_label("train").check()
        settled(page)
        assert sent(page) == ["4,608 bytes", "?", "?", "?"]
        page.get_by_label("train").uncheck()
    else:
        page.locator(".chip", has_text="heads").dispatch_event("click")
    settled(page)
    known = {
        "chip": ["nothing", "4,608 bytes of y", "?", "?"],
        "train": ["nothing", "?", "?", "?"],
        "devices": ["nothing", "?", "?", "?"],
    }
    assert sent(page) == known[act]
    page.locator(".chip", has_text="batch").dispatch_event("click")
    settled(page)
    assert sent(page) == known[act]  # what was in sight stays in sight
    assert page.locator(".sentence").inner_text().endswith("?") == (act != "chip")
    for cut in ("heads", "tokens", "width"):
        page.locator(".chip", has_text=cut).dispatch_event("click")
        settled(page)
    assert sent(page) == ["nothing", *KNOWN]
    ranking = "B sends nothing, L least, E most. No product sums over B. Keys and values go around once. Sums go around twice, "
    assert page.locator(".sentence").inner_text().startswith(ranking)
    page.locator(".chip", has_text="tokens").dispatch_event("click")
    settled(page)
    assert page.locator(".sentence").inner_text().startswith("Each device sends 2,304 bytes")  # each cut keeps its own sentence
    page.get_by_role("button", name="reset").click()
    assert shown(page) == start


@pytest.mark.slow
def test_training_reveals_only_the_cuts_that_were_played(opened):
    page = opened(DeviceLab(covered=True, step=1), reduced_motion="reduce")
    step = page.get_by_role("slider", name="step")
    page.get_by_label("train").check()
    settled(page)
    assert (sent(page), step.get_attribute("aria-valuetext")) == (["?"] * 4, "compute")  # it waits for the guess
    step.press("End")
    settled(page)
    assert sent(page) == ["?", "9,216 bytes", "?", "?"]
    page.locator(".chip", has_text="tokens").dispatch_event("click")
    settled(page)
    page.get_by_label("train").uncheck()
    settled(page)
    assert sent(page) == ["?", KNOWN[0], KNOWN[1], "?"]
    assert step.evaluate("node => node.value === node.max")


@pytest.mark.slow
def test_a_chip_shows_which_part_of_y_each_device_has_once_its_cut_is_played(opened):
    page = opened(DeviceLab(covered=True, step=1), reduced_motion="reduce")
    looks = lambda: page.locator(".chip").evaluate_all(  # noqa: E731
        "all => all.map(chip => [...chip.querySelectorAll('.y i')].map(one => one.style.background))"
    )
    assert looks() == [[]] * 4
    for n, cut in enumerate(("batch", "heads", "tokens", "width"), 1):
        page.locator(".chip", has_text=cut).dispatch_event("click")
        settled(page)
        assert [len(of) for of in looks()] == [4] * n + [0] * (4 - n)
    batch, heads, tokens, width = looks()
    assert len(set(heads)) == 1  # all devices have all of y
    assert len({*batch, *tokens, *width}) == 12  # their own rows, or columns
    page.get_by_label("train").check()
    settled(page)
    assert looks() == [[]] * 4
    page.get_by_label("train").uncheck()
    page.get_by_role("slider", name="devices").press("ArrowLeft")
    settled(page)
    assert [len(of) for of in looks()] == [0, 0, 3, 0]


def test_parts_that_are_not_equal_are_announced():
    lab = DeviceLab(N=3)
    assert lab.fits == {"B": False, "H": False, "L": True, "E": False}
    assert (lab.bytes["H"], lab.local, lab.messages, lab.held) == (None, {}, [], 0)
    assert DeviceLab(N=4, H=4, G=2).fits["H"] and DeviceLab(N=2, H=2, G=1).fits["H"]


def test_browser_and_kernel_compute_the_same():
    assert_agree([DeviceLab(**random_settings(seed)) for seed in range(60)])


@pytest.mark.parametrize(
    "wrong,error",
    [
        ({"N": 5}, traitlets.TraitError),
        ({"H": 3}, attn.ShapeError),
        ({"G": 3}, attn.ShapeError),
        ({"cut": "D"}, traitlets.TraitError),
    ],
)
def test_an_invalid_setting_is_refused(wrong, error):
    with pytest.raises(error):
        DeviceLab(**wrong)


def test_fewer_heads_reduce_the_number_of_key_value_heads():
    lab = DeviceLab()
    lab.H = 2
    assert (lab.H, lab.G) == (2, 2)


def test_the_fallback_has_the_bytes_of_every_cut_and_the_shapes():
    text = DeviceLab().fallback()
    assert "4,608" in text and "9,216" in text and "q (4, 2, 12, 2)" in text
    assert "the devices cannot have equal parts" in DeviceLab(N=3).fallback()


@pytest.mark.slow
def test_the_sentence_the_chips_and_the_chosen_device_follow_the_settings(opened):
    page = opened(DeviceLab(), reduced_motion="reduce")
    said = lambda: page.locator(".sentence").inner_text()  # noqa: E731
    what = lambda: [text.strip() for text in page.locator(".chip .what").all_inner_texts()]  # noqa: E731
    assert said().startswith(
        "Each device sends 4,608 bytes in every layer. W_O sums over heads: y is added up and passed on, because every head "
    )
    assert sent(page) == ["nothing", *KNOWN]
    assert what() == ["own part of y", "all of y", "own part of y", "own part of y"]
    page.locator(".chip", has_text="batch").dispatch_event("click")
    settled(page)
    assert said() == (
        "Nothing is sent. Each device computes its own sequences, and no step of the forward pass mixes them. "
        "A device's own part of y is enough for the next layer."
    )
    page.get_by_label("train").check()
    settled(page)
    assert "gradients of the weights" in said().lower()
    assert sent(page) == ["4,608 bytes", "9,216 bytes", "9,216 bytes", "13,824 bytes"]
    assert what()[0] == "of gradients"
    page.get_by_label("train").uncheck()
    page.locator(".chip", has_text="heads").dispatch_event("click")
    canvas = page.locator(".picture canvas")
    before = shown(page)
    assert page.locator(".held").is_hidden()  # until a device is chosen
    canvas.press("ArrowRight")
    canvas.press("ArrowRight")
    settled(page)
    assert shown(page) != before
    q, kv = "q (B, H, L, D) = (4, 2, 12, 2)", "k, v (B, G, S, D) = (4, 1, 12, 2)"
    held = page.locator(".held").inner_text().replace("\u00a0", " ")
    assert held == f"Device 1: x, y (B, L, E) = (4, 12, 16) · W_QKV (8, 16) · W_O (16, 4) · {q} · {kv}"
    axes = page.locator(".held .ax").evaluate_all("all => all.map(one => [one.dataset.axis, one.textContent])")
    assert axes[-8:] == [["B", "B"], ["G", "G"], ["S", "S"], ["D", "D"], ["B", "4"], ["G", "1"], ["S", "12"], ["D", "2"]]
    page.get_by_role("slider", name="devices").press("ArrowLeft")
    settled(page)
    assert said().startswith(
        "3 devices cannot share 8 heads equally. They get 3, 3 and 2. The cut goes through a key/value head, and devices 0 and 1 "
    )
    assert sent(page) == [
        "uneven",
        "uneven",
        "2,048 bytes of k, v",
        "uneven",
    ]  # only 12 tokens can be cut into 3
    assert what() == ["4 sequences, 3 devices", "8 heads, 3 devices", "own part of y", "16 numbers, 3 devices"]
    page.get_by_role("slider", name="devices").press("Home")
    settled(page)
    assert sent(page) == ["nothing"] * 4
    assert said() == "One device sends nothing. It holds the whole layer, and has all of y."


@pytest.mark.slow
def test_a_byte_is_as_long_on_every_chip_and_what_was_sent_is_named_if_one_thing_has_changed(opened):
    page = opened(DeviceLab(), reduced_motion="reduce")
    was = lambda: page.locator(".chip .was").evaluate_all("all => all.map(one => one.dataset.was ?? '')")  # noqa: E731
    assert was() == [""] * 4
    scales = {}
    steps = (
        ("tokens", ["", "", "", ""]),
        ("key/value heads", ["", "", "was 2,304", "was 9,216"]),
        ("heads", ["", "", "was 2,304", "was 9,216"]),  # another cut of the same layer
        ("train", ["was nothing", "was 4,608", "was 576", "was 5,760"]),
        ("reset", ["", "", "", ""]),  # as on a page that has just been opened
    )
    for act, wanted in steps:
        if act == "key/value heads":
            page.get_by_role("slider", name=act).press("Home")
        elif act == "train":
            page.get_by_label("train").check()
        else:
            page.get_by_role("button", name=act).click()
        settled(page)
        assert was() == wanted, act
        lengths = page.locator(".chip").evaluate_all(
            "all => all.map(one => parseFloat(one.querySelector('.bar').style.getPropertyValue('--sent')))"
        )
        counts = [int(text.partition(" bytes")[0].replace(",", "").replace("nothing", "0")) for text in sent(page)]
        assert [length == 0 for length in lengths] == [count == 0 for count in counts]
        each = {round(length / count, 4) for length, count in zip(lengths, counts, strict=True) if count}
        scales.setdefault(max(9216, *counts), set()).update(each)
    assert len(scales) == 2 and all(max(of) - min(of) <= 0.0001 for of in scales.values()), scales  # train sends more


# Of each chip: what it says, its height, and how far its texts and it go to the right.
CHIPS = """() => [...document.querySelectorAll('.chip')].map(chip => {
  const { right, height } = chip.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(chip);
  return [chip.innerText, Math.round(height), Math.max(...[...range.getClientRects()].map(box => box.right)), right];
})"""


@pytest.mark.slow
def test_the_texts_of_a_chip_stay_inside_it_and_all_chips_keep_their_height(opened):
    page = opened(DeviceLab(), reduced_motion="reduce")
    heights = {1280: set(), 935: set(), 390: set(), 360: set()}
    for act in ("", "devices", "train", "key/value heads"):
        if act == "train":
            page.get_by_label("train").check()
        elif act:
            page.get_by_role("slider", name=act).press("ArrowLeft")
        for width, seen in heights.items():
            page.set_viewport_size({"width": width, "height": 1400})
            settled(page)
            for text, height, right, edge in page.evaluate(CHIPS):
                seen.add(height)
                assert right <= edge - 2, (width, act, text)
    assert all(len(seen) == 1 for seen in heights.values()), heights


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 360])
def test_on_a_phone_what_is_said_below_the_devices_keeps_its_room(opened, width):
    page = opened(DeviceLab(), width=width, reduced_motion="reduce")
    for is_training in (False, True):
        page.get_by_label("train").set_checked(is_training)
        chips = [(n, None) for n in range(4)]
        room = after_each(page, chips, "() => document.querySelector('.aside').getBoundingClientRect().height")
        assert max(room) <= 132, (room, is_training)


@pytest.mark.slow
def test_on_a_phone_the_sentence_covers_nothing_between_the_header_of_a_page_and_the_foot_of_the_screen(opened):
    page = opened(DeviceLab(cut="L", covered=True), width=390, height=844, reduced_motion="reduce")
    for chip in page.locator(".chip").all():
        chip.click()
        settled(page)
        page.locator(".attn-lab-root").evaluate("node => window.scrollBy(0, node.getBoundingClientRect().top - 56)")
        film, sentence = page.locator(".film").bounding_box(), page.locator(".sentence").bounding_box()
        assert film["y"] + film["height"] <= sentence["y"] and sentence["y"] + sentence["height"] <= 844, chip.inner_text()


@pytest.mark.slow
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_cut_that_rests_before_the_sending_is_left_to_guess_until_its_first_packet_arrives(opened, motion):
    lab = DeviceLab(covered=True, step=1)
    page = opened(lab, script=WRITTEN, reduced_motion=motion)
    start = shown(page)
    what = lambda: page.locator(".chip .what").all_inner_texts()  # noqa: E731
    parts = ["1 sequence per device", "2 heads per device", "3 tokens per device", "4 numbers per device"]
    assert (sent(page), what()) == (["?"] * 4, parts)
    assert page.locator(".sentence").inner_text().endswith("What must it send, so that all devices have y? Press ▶.")
    assert "What must it send" in (named := page.locator(".picture canvas").get_attribute("aria-label")) and "4,608" not in named
    written = last_written(page)
    assert written.count("has a part of every y") == 4 and "What must be sent?" in written
    assert not any("bytes" in text for text in written)
    train = page.get_by_label("train: add the backward pass")
    train.check()
    settled(page)
    assert page.locator(".sentence").inner_text().endswith("What must it send, forward and backward? Press ▶.")
    train.uncheck()
    settled(page)
    assert shown(page) == start
    if motion == "reduce":
        page.get_by_role("button", name="next picture").click()
        settled(page)
        assert (sent(page), what()) == (["?", "768 of 4,608 bytes", "?", "?"], parts)  # all of y is not there yet
        page.get_by_role("slider", name="step").press("End")
    else:
        page.get_by_role("button", name="play", exact=True).click()
    settled(page)
    assert (sent(page), what()) == (["?", "4,608 bytes of y", "?", "?"], [parts[0], "all of y", *parts[2:]])
    assert page.locator(".sentence").inner_text().endswith("reads all of it. What do the other cuts send?")
    written = last_written(page)
    assert written.count("has all of y") == 4 and "each device sends 6 × 768 bytes of y" in written
    page.get_by_role("button", name="reset").click()
    assert shown(page) == start


def test_another_layer_is_shown_at_its_end_where_its_bytes_are_compared(opened):
    page = opened(DeviceLab(covered=True, step=1), script=WRITTEN)
    page.get_by_role("slider", name="key/value heads").press("Home")
    settled(page)
    assert sent(page) == ["nothing", "4,608 bytes of y", "576 bytes of k, v", "5,760 bytes of q, k, v"]
    assert "each device sends 6 × 768 bytes of y" in last_written(page)
    assert page.get_by_role("slider", name="step").evaluate("node => node.value === node.max")


@pytest.mark.slow
def test_a_link_to_the_end_has_no_null_and_a_link_that_has_opens_it_too(opened):
    lab = DeviceLab(covered=True, step=1)
    page = opened(lab, reduced_motion="reduce")
    page.locator(".chip", has_text="tokens").dispatch_event("click")
    settled(page)
    page.get_by_role("button", name="copy link").click()
    page.wait_for_function("location.hash.includes('step')")
    fragment = page.evaluate("location.hash")
    assert fragment.endswith("?cut=L&step=")
    for written in (fragment, f"{fragment}null"):
        other = opened(lab, fragment=written, reduced_motion="reduce")
        assert other.get_by_role("slider", name="step").get_attribute("aria-valuetext") == "send 3"


@pytest.mark.slow
def test_it_is_played_paused_and_stepped_and_a_link_keeps_the_step(opened):
    page = opened(DeviceLab(cut="L"), reduced_motion="reduce")
    end = shown(page)
    step, counted = page.get_by_role("slider", name="step"), page.locator(".chip[aria-pressed=true] .sent")
    assert page.locator(".ticks span").all_inner_texts() == ["parts", "compute", "send, 3 steps"]
    seen = []
    for _ in range(5):  # without motion a press shows the next picture, and after the last one the first
        page.get_by_role("button", name="next picture").click()
        settled(page)
        seen.append((step.get_attribute("aria-valuetext"), counted.inner_text().strip()))
    of = " of 2,304 bytes"
    counts = [("parts", f"0{of}"), ("compute", f"0{of}"), ("send 1", f"768{of}"), ("send 2", f"1,536{of}")]
    assert seen == [*counts, ("send 3", "2,304 bytes of k, v")]
    assert shown(page) == end
    step.press("ArrowLeft")
    settled(page)
    assert page.locator(".sentence").inner_text().endswith("2 of 3: each device sends 768 bytes of k and v to the next one.")
    page.get_by_role("button", name="copy link").click()
    page.wait_for_function("location.hash.includes('step')")
    before = shown(page)
    other = opened(DeviceLab(cut="L"), fragment=page.evaluate("location.hash"), reduced_motion="reduce")
    assert shown(other) == before != end
    moving = opened(DeviceLab(cut="L"), reduced_motion="no-preference")
    moving.get_by_role("button", name="play", exact=True).click()
    moving.get_by_role("button", name="pause").click()
    assert moving.locator("[data-moving]").count() == 0
    paused = shown(moving)
    assert paused != end
    moving.get_by_role("button", name="play", exact=True).click()
    assert shown(moving) == end


def test_the_picture_says_that_nothing_is_sent_once_each_device_has_its_y(opened):
    page = opened(DeviceLab(cut="B"), script=WRITTEN, reduced_motion="reduce")
    assert "nothing is sent" in last_written(page)
    page.get_by_role("slider", name="step").press("Home")
    settled(page)
    assert "nothing is sent" not in last_written(page)
    page.get_by_role("slider", name="devices").press("ArrowLeft")
    settled(page)
    assert "nothing is sent" not in last_written(page)  # 3 devices have no equal parts


@pytest.mark.slow
@pytest.mark.parametrize(("width", "least"), [(1280, 8), (360, 4)])
def test_no_word_of_the_picture_touches_another(opened, width, least):
    page = opened(DeviceLab(training=True), width=width, script=PLACED, reduced_motion="reduce")
    page.add_style_tag(content=".attn-lab { max-width: 936px !important }")  # as in a chapter
    settled(page)
    states = [(n, to) for n in range(4) for to in (0, "end")]  # the parts, and all gradients
    look = "() => [[...placed], document.querySelector('.picture canvas').getBoundingClientRect().width]"
    for state, (words, room) in zip(states, after_each(page, states, look), strict=True):
        assert len(words) > 10
        for n, (one, left, y, right) in enumerate(words):
            assert left >= 0 and right <= room, one
            for other, start, line, end in words[:n]:
                assert abs(y - line) >= 14 or left >= end + least or start >= right + least, (state, one, other)


@pytest.mark.slow
def test_on_devices_that_cannot_compute_no_y_is_said_and_their_heads_are_named(opened):
    page = opened(DeviceLab(N=3), script=WRITTEN, reduced_motion="reduce")
    settled(page)
    step = page.get_by_role("slider", name="step")
    for key, count in (("Home", 0), ("End", 2)):  # first the devices get their parts
        step.press(key)
        settled(page)
        written = last_written(page)
        assert written.count("no y") == count
        assert [text for text in written if text.startswith("heads")] == ["heads 0–2", "heads 3–5", "heads 6–7"]


@pytest.mark.slow
def test_a_sum_that_has_the_terms_of_all_devices_has_a_look_of_its_own(opened):
    page = opened(DeviceLab(cut="L"), reduced_motion="reduce")
    shows = """() => [...document.querySelectorAll('.keys *')].some(
      node => node.textContent.trim() === 'complete sum' && node.checkVisibility())"""
    for cut, whole in ((1, [False] * 4 + [True] * 4), (2, [False] * 5), (0, [False] * 2)):
        # with four devices the third step of six completes the first sums
        assert after_each(page, [(cut, n) for n in range(len(whole))], shows) == whole, cut


@pytest.mark.slow
def test_the_looks_that_are_in_sight_are_explained_and_no_others(opened):
    page = opened(DeviceLab(training=True), script=WRITTEN, reduced_motion="reduce")
    kv, weights = "1/4 of k, v: 192 numbers × 4 bytes = 768", "1/4 of grad W: 192 numbers × 4 bytes = 768"
    cuts = ["batch", "heads", "tokens", "width"]
    wanted = {
        ("heads", 0): ["on all devices"],
        ("width", 1): ["partial sum"],
        ("tokens", 1): ["on all devices", "partial sum"],
        ("tokens", 2): ["on all devices", "received", "partial sum", kv],
        ("tokens", 8): ["partial sum", weights],  # gradients lie in the place of the weights
        ("tokens", 13): ["partial sum", "complete sum"],  # blocks of all messages
        ("heads", 7): ["on all devices", "partial sum", "complete sum"],
        ("heads", 13): ["partial sum", "complete sum"],
    }
    look = "() => [...['.chip[aria-pressed=true]', '.keys'].map(name => document.querySelector(name).innerText), [...written]]"
    seen = after_each(page, [(cuts.index(cut), n) for cut, n in wanted], look)
    for ((cut, n), keys), (chip, explained, written) in zip(wanted.items(), seen, strict=True):
        assert cut in chip
        assert explained.split("\n") == keys, (cut, n)
        gradients = 4 if (cut, n) in {("tokens", 8), ("tokens", 13)} else 0
        assert [written.count(name) for name in ("W_QKVᵀ", "W_Oᵀ", "grad")] == [4, 4, gradients], (cut, n)
        assert written.count("grad x") == (4 if (cut, n) == ("heads", 13) else 0)


@pytest.mark.slow
def test_the_names_below_the_slider_do_not_touch(opened):
    kinds = {("H", 2): 4, ("H", 3): 2, ("H", 4): 4, ("E", 4): 5, ("L", 3): 3}
    page = opened(*[DeviceLab(cut=cut, N=N, G=1) for cut, N in kinds], reduced_motion="reduce")
    ticks = """[...document.querySelectorAll('.attn-lab-root .ticks')].map(ticks => [...ticks.querySelectorAll('span')]
      .map(one => one.getBoundingClientRect()).map(({ left, right }) => [left, right]))"""
    for width in (1280, 390, 360):
        page.set_viewport_size({"width": width, "height": 1400})
        settled(page)
        for (kind, count), places in zip(kinds.items(), page.evaluate(ticks), strict=True):
            assert len(places) == count, (kind, width)
            for (_, end), (start, _) in pairwise(places):
                assert end < start, (kind, width)


@pytest.mark.slow
def test_reset_while_something_is_sent_stands_again_before_the_sending_with_nothing_known(opened):
    page = opened(DeviceLab(covered=True, step=1))
    start = shown(page)
    page.get_by_label("train").check()
    settled(page)
    page.locator(".chip", has_text="batch").dispatch_event("click")
    page.evaluate(
        """async () => {
          hurry = true;
          for (await null; document.querySelector('.chip .number').textContent !== '768'; await null)
            if (!passTime(100)) throw new Error('nothing is sent any more');
          hurry = false;
        }"""
    )
    page.get_by_role("button", name="reset").click()
    assert shown(page) == start
    assert sent(page) == ["?"] * 4


@pytest.mark.slow
def test_the_slider_comes_to_its_end_with_the_last_packet_and_a_bar_has_its_rounds(opened):
    page = opened(DeviceLab())
    step = page.get_by_role("slider", name="step")
    step.press("ArrowLeft")
    settled(page)
    before = step.input_value()
    page.get_by_role("button", name="play", exact=True).click()
    page.get_by_role("button", name="pause").click()
    assert step.input_value() == before  # the last packets are on their way
    page.get_by_role("button", name="play", exact=True).click()
    settled(page)
    assert step.evaluate("node => node.value === node.max")
    names = [
        bar.locator("i").evaluate_all("all => all.map(one => [one.className, one.style.width])")
        for bar in page.locator(".bar").all()
    ]
    half = "25%"  # of what the cut of width sends
    assert names == [[], [["sum", half], ["pass on", half]], [["send", half]], [["sum", "50%"], ["pass on", "50%"]]]
    assert page.locator(".block").inner_text() == "1/4 of y: 192 numbers × 4 bytes = 768"


def test_fewer_heads_take_the_key_value_heads_along(opened):
    page = opened(DeviceLab(), reduced_motion="reduce")
    page.locator(".more summary").dispatch_event("click")
    sizes = page.locator(".slider[data-axis=H] output, .slider[data-axis=G] output")
    seen = [sizes.all_inner_texts()]
    for _ in range(3):
        page.locator(".slider[data-axis=H] input").press("ArrowLeft")
        settled(page)
        seen.append(sizes.all_inner_texts())
    assert sorted(map(tuple, map(sorted, seen))) == [("1", "1"), ("2", "2"), ("4", "4"), ("4", "8")]
