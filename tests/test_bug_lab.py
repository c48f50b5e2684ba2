"""BugLab plants the bugs of the book in the recorded layer: page and kernel compute the same; what the probes say is recorded."""

import inspect
import json
import re

import pytest
import torch
import traitlets
from bugs_found import FOUND
from lab_pages import DRAWN, settled, shown
from node import assert_agree, javascript_constants
from torch.testing import assert_close

from attn import KVCache, MultiHeadAttention, masks
from attn.labs import BugLab
from attn.labs.bug.lab import RECORD
from attn.labs.bug.planting import CONTEXT, DROPPED, FAR, FAR_SUM, GIVEN, GROUPED, PADDING, SHOWN, line_of
from attn.labs.inputs import normal
from attn.lessons import language, reader
from attn.lessons.bugs import BUGS, PROBES, examined, layer
from attn.lessons.bugs.probes import RAISED

WORDS = language.EXAMPLES[0].split()
LATER = {"bug": "later keys visible", "given": "causal"}  # of a chip


class Moment:
    """What a lab shows with these settings: as a lab of its own, which takes longer to make than to compute."""

    NAME, STATE, CONSTANTS = BugLab.NAME, BugLab.STATE, BugLab.CONSTANTS

    def __init__(self, lab, **settings):
        with lab.hold_trait_notifications():
            for name, value in settings.items():
                setattr(lab, name, value)
        self.text = repr(lab)
        vars(self).update({name: getattr(lab, name) for name in (*lab.STATE, *lab.CONSTANTS, *lab._answer["tensors"])})

    def __repr__(self):
        return self.text


def test_browser_and_kernel_compute_the_same_for_every_bug_and_everything_that_is_given():
    """Of the lengths, 4 is as large as a head is wide, and 5 as long as the other sentence."""
    lab = BugLab()
    moments = [Moment(lab, bug=bug, given=given, L=L) for bug in ("none", *SHOWN) for given in GIVEN for L in (4, 7)]
    moments += [Moment(lab, bug=bug, given=given, L=L) for bug in [*SHOWN][::3] for given in GIVEN for L in (2, 5)]
    assert_agree(moments, lambda one, name: {"share": 2e-3} if one.given == "half" else {})


def test_in_float16_browser_and_kernel_differ_in_no_digit_of_what_it_is_there_for():
    """The other bugs may round within a step in another order."""
    bugs = ("none", "a finite number for −∞", "no maximum subtracted", "one maximum for all rows")
    assert_agree([BugLab(bug=bug, given="half", L=L) for bug in bugs for L in range(2, 8)])


def test_the_lab_has_bugs_of_every_step_that_it_runs_and_its_front_end_knows_them_all():
    assert {bug.step for bug in SHOWN.values()} == {bug.step for bug in BUGS} - {"training"}
    assert list(SHOWN) == javascript_constants("bug/wrong", "NAMES")[0]
    names = ("GIVEN", "PADDING", "FAR", "FAR_SUM", "GROUPED")
    assert javascript_constants("bug/model", *names) == [[*GIVEN], PADDING, FAR, FAR_SUM, GROUPED]
    assert javascript_constants("bug/wrong", "DROPPED") == [DROPPED]


def test_the_lab_has_every_bug_by_which_the_tests_of_attention_are_judged():
    """The classic ones in which no shape changes, or only that of a step, and three that need grouping, padding or a batch."""
    classic = """split by view only; interleaved split; .T on four axes; K reshaped instead of transposed; no scale; scale by D
    scale by the root of E; inverted mask; top-left causal mask; mask after softmax; softmax over queries; softmax over heads
    merge without the transpose; weight not transposed; no W_O
    grouped heads tiled; an empty mask row not zeroed; batch and length swapped"""
    names = [name.strip() for name in classic.replace("\n", ";").split(";")]
    assert len(names) == 18 and set(names) <= set(SHOWN)


def ids(words):
    return torch.tensor([[language.NUMBER[word] for word in words]])


@torch.no_grad()
@pytest.mark.parametrize("L", [2, 3, 7])
def test_the_right_lines_compute_what_the_recorded_layer_of_the_package_does(L):
    model = reader.recorded()
    x, other = model.embed(ids(WORDS[:L])), model.embed(ids(CONTEXT))
    pad = min(PADDING, L - 1)
    hidden = masks.padding([L - pad, L], front=True)[:1] if pad else None
    cache = KVCache(1, 3, 7, 4)
    if L > 1:
        model.layer(x[:, :-1], causal=True, cache=cache)
    wanted = {
        "self": model.layer.steps(x),
        "causal": model.layer.steps(x, causal=True),
        "prompt": model.layer.steps(x, mask=hidden, causal=True),
        "other": model.layer.steps(x, other),
        "new": model.layer.steps(x, causal=True),
    }
    for given, steps in wanted.items():
        lab = BugLab(bug="none", given=given, L=L)
        weights, y = (steps.weights[0], steps.y[0]) if given != "new" else (steps.weights[0, :, -1:], steps.y[0, -1:])
        assert_close(lab.right_weights, weights, rtol=1e-5, atol=1e-5)
        assert_close(lab.right_y, y, rtol=1e-5, atol=1e-5)
        assert lab.moved == {"weights": 0, "y": 0} and lab.sums and set(lab.elsewhere.values()) == {"hidden"}


@torch.no_grad()
def test_the_layers_with_random_numbers_compute_what_the_package_does():
    """The grouped one to rounding of float32; that of float16 to its own rounding."""
    words = reader.recorded().embed(ids(WORDS)).cpu()
    H, G, D = GROUPED.values()
    for given, sizes, change, x in (
        ("grouped", {"H": H, "G": G, "D": D}, lambda one: one / 2, words),
        ("half", {"H": 3, "G": 3, "D": 4}, torch.round, (2 * words).round()),
    ):
        one = MultiHeadAttention(12, bias=False, **sizes)
        rows = {"W_Q": 12, "W_K": sizes["G"] * sizes["D"], "W_V": sizes["G"] * sizes["D"]}
        one.W_QKV.weight.copy_(torch.cat([change(normal(0, name, range(count), 12)) for name, count in rows.items()]))
        one.W_O.weight.copy_(change(normal(0, "W_O", range(12), 12)))
        steps, lab = one.steps(x, causal=given == "half"), BugLab(bug="none", given=given)
        close = {"rtol": 2e-3, "atol": 2e-2} if given == "half" else {"rtol": 1e-5, "atol": 1e-5}
        assert_close(lab.right_weights.cpu(), steps.weights[0], **close)
        assert_close(lab.right_y.cpu(), steps.y[0], **close)
        assert (steps.scaled.exp().half().isinf().any()) == (given == "half"), "some scores are too large for float16"


@torch.no_grad()
def test_in_training_a_fixed_half_of_the_weights_reaches_y_twofold():
    steps = reader.recorded().layer.steps(reader.recorded().embed(ids(WORDS)))
    lab = BugLab(bug="none", given="train")
    assert_close(lab.right_weights, steps.weights[0], rtol=1e-5, atol=1e-5)
    rows = [8 * h + i - h for h in range(3) for i in range(7)]  # 7 words at most
    kept = (normal(0, "dropout", rows, 7) > 0).view(3, 7, 7).to(steps.weights)
    assert 0.4 < kept.mean() < 0.6
    heads = (lab.right_weights * kept * 2) @ steps.v[0]
    y = heads.transpose(0, 1).flatten(1) @ reader.recorded().layer.W_O.weight.T
    assert_close(lab.right_y, y, rtol=1e-4, atol=1e-5)
    mean = BugLab(bug="dropout never on", given="train")
    assert_close(mean.y, steps.y[0], rtol=1e-4, atol=1e-5)
    assert_close(BugLab(bug="dropout not rescaled", given="train").y * 2, lab.right_y, rtol=1e-4, atol=1e-5)


def where(bug, L=7):
    """The inputs with which a bug changes numbers."""
    return {given for given, what in BugLab(bug=bug, L=L).elsewhere.items() if what == "shows"}


def test_a_bug_in_grouping_in_dropout_or_in_rounding_shows_with_the_input_that_is_there_for_it():
    assert where("grouped heads tiled") == {"grouped"}
    tiled = BugLab(bug="grouped heads tiled", given="grouped")
    others = (tiled.weights - tiled.right_weights).abs().amax((1, 2)) > FAR
    assert others.tolist() == [False, True, True, False], "heads 0 and 3 keep their keys"
    assert where("dropout never on") == where("dropout not rescaled") == {"train"}
    assert where("dropout always on") == set(GIVEN) - {"train"}
    assert BugLab(bug="dropout always on", given="self").moved == {"weights": 0, "y": 84}
    finite = BugLab(bug="a finite number for −∞", given="half")
    assert finite.message == "value cannot be converted to type c10::Half without overflow" and finite.runs_at == []
    assert set(finite.elsewhere.values()) == {"stops", "hidden"} and finite.elsewhere["prompt"] == "hidden"
    for bug in ("no maximum subtracted", "one maximum for all rows"):
        assert where(bug) == {"half"} and BugLab(bug=bug, given="half").weights.isnan().any()
    swapped = BugLab(bug="batch and length swapped", given="self")
    assert swapped.shapes == {"weights": [3, 7, 1], "y": [7, 12]} and swapped.moved == {"weights": None, "y": 84}
    assert set(BugLab(bug=".T on four axes").elsewhere.values()) == {"stops"}


def test_every_bug_shows_somewhere_and_an_error_names_the_sizes_with_which_the_line_runs():
    """Two only ever stop: one of them at sizes that are not all equal, the other in float16."""
    hidden = {bug for bug in SHOWN if not any("shows" in BugLab(bug=bug, L=L).elsewhere.values() for L in (7, 5, 4))}
    assert hidden == {".T on four axes", "a finite number for −∞"}
    lab = BugLab(bug="keys not transposed", given="self")
    assert lab.weights is None and lab.message.startswith("Expected size") and lab.runs_at == [4]
    assert BugLab(bug="keys from x", given="other", L=3).runs_at == [5]


def test_the_line_of_a_bug_is_a_whole_line_of_the_layer_in_which_whole_words_are_exchanged():
    assert line_of("no scale") == ("scaled = scores * (", "D**-0.5", "1", " if scale is None else scale)")
    assert line_of("merge without the transpose") == ("return heads.", "transpose(1, 2).", "", "reshape(B, L, H * D)")
    assert line_of("no W_O") == ("y = concat", " @ self.W_O.weight.T", "", "")
    assert line_of("triangle upside down")[1:3] == ("tril", "triu")
    code = [line.strip() for line in inspect.getsource(layer).splitlines()]
    for name, bug in SHOWN.items():
        before, right, wrong, after = line_of(name)
        assert before + right + after in code and bug.right in before + right + after
        assert before + wrong + after == (before + right + after).replace(bug.right, bug.wrong)


def test_what_the_lab_says_of_the_probes_is_what_they_say():
    """The marks of all; the sentences of a few, whose numbers may differ in the last digit."""
    found = json.loads(RECORD.read_text(encoding="utf-8"))
    assert list(found) == list(SHOWN), "python tools/record_probes.py"
    for name, evidence in found.items():
        marks = ["·" if probe not in evidence else "○" if evidence[probe].startswith(RAISED) else "●" for probe in PROBES]
        assert "".join(marks) == FOUND[name]
    without_numbers = lambda text: re.sub(r"[\d.]+", "#", text)  # noqa: E731
    for name in ("split by view only", "keys not transposed", "padding ignored"):
        said = {probe: without_numbers(one) for probe, one in examined(SHOWN[name]).evidence.items()}
        assert said == {probe: without_numbers(one) for probe, one in found[name].items()}


def test_an_invalid_setting_is_refused():
    for wrong in (
        {"bug": "gradients not cleared"},
        {"given": "nothing"},
        {"L": 1},
        {"L": 8},
        {"probe": "a look"},
        {"line": "right"},
    ):
        with pytest.raises(traitlets.TraitError):
            BugLab(**wrong)


def test_the_code_in_sight_has_a_line_for_each_step_in_the_order_in_which_they_run():
    lab = BugLab()
    shown = [lab._lines[n] for n in lab._code]
    assert [step for step, _ in shown] == ["mask", "mask", "scores", "scale", "mask", "softmax", "mix", "merge", "W_O"]
    texts = [line.strip() for line in inspect.getsource(layer).splitlines()]
    assert all(text in texts for _, text in lab._lines) and lab._code == sorted(lab._code)
    inside = [texts.index(text) for _, text in lab._lines if text in inspect.getsource(layer.attend)]
    assert inside == sorted(inside), "as in the function"


def test_the_fallback_says_where_the_bug_shows_and_which_probes_find_it():
    text = BugLab(bug="top-left causal mask").fallback()
    assert "tril()" in text and text.count("changes nothing") == 7 and text.count("changes numbers") == 1
    assert "2 of 16 tests of this book notice it: S ≠ L, prompt + one." in text
    assert "The right lines" in BugLab(bug="none").fallback()


def test_the_lab_opens_on_weights_that_break_its_rule_and_its_last_chips_are_one_line_before_and_at_the_next_word():
    lab = BugLab()
    (_, opening), _, (_, before), (_, following) = lab.CHIPS
    assert lab.line == "unknown" and opening == {"bug": lab.bug, "given": lab.given, "L": lab.L}
    assert (lab.weights.triu(1) > FAR).any() and not lab.right_weights.triu(1).any()
    lab = BugLab(**before)
    assert before["given"] == opening["given"], "the same rule"
    assert lab.shapes == {"weights": [3, 7, 7], "y": [7, 12]} and lab.moved == {"weights": 0, "y": 0}
    after = BugLab(**following)
    assert {**following, "given": lab.given} == before, "the same words"
    assert after.moved == {"weights": 21, "y": 12} and after.weights[:, 0, 0].tolist() == [1, 1, 1]
    assert_close(after.right_weights[:, 0], lab.weights[:, -1], rtol=1e-5, atol=1e-6)


MEANWHILE = """() => {
  globalThis.said = [];
  const node = document.querySelector('.meanwhile');
  new MutationObserver(() => said.push(node.textContent)).observe(node, { childList: true, subtree: true, characterData: true });
}"""


@pytest.mark.slow
def test_where_no_line_is_wrong_nothing_is_put_right(opened):
    page = opened(BugLab(), reduced_motion="no-preference")
    page.evaluate(MEANWHILE)
    page.get_by_role("button", name="show the wrong line of code").click()
    settled(page)
    assert "Each wrong cell is put right." in page.evaluate("said.splice(0)")
    for choice in ("none", "unknown"):
        page.get_by_label("wrong line of code", exact=True).select_option(choice)
        settled(page)
    assert page.locator(".sentence").inner_text().startswith("✓ Right.")
    for hidden in ("padding ignored", "positions start at 0 again"):
        page.get_by_label("wrong line of code", exact=True).select_option(hidden)
        settled(page)
        assert page.locator(".sentence").inner_text().startswith("No number here gives it away.")
    assert not any(page.evaluate("said"))


@pytest.mark.slow
def test_the_reader_exchanges_the_line_finds_where_a_bug_shows_and_what_a_probe_saw(opened):
    page = opened(BugLab(**LATER, line="wrong"), reduced_motion="reduce")
    sentence, evidence, probes = page.locator(".sentence"), page.locator(".evidence"), page.locator("[role=option]")
    wrong = shown(page)
    page.get_by_label("wrong line of code", exact=True).select_option("none")
    settled(page)
    assert sentence.inner_text().startswith("✓ Right.") and shown(page) != wrong
    page.get_by_label("wrong line of code", exact=True).select_option("later keys visible")
    settled(page)
    assert shown(page) == wrong
    page.get_by_role("button", name="a prompt hides it").click()
    page.get_by_role("button", name="show the wrong line of code").click()
    settled(page)
    assert sentence.inner_text().startswith("No number here gives it away.")
    assert page.locator(".hint").inner_text() == "S - L = 7 keys - 7 queries = 0: the masks agree."  # nothing is framed
    assert page.locator(".probes summary").inner_text() == "2 of this book’s 16 tests notice it"
    assert not probes.first.is_visible()
    page.locator(".probes summary").dispatch_event("click")
    assert probes.all_inner_texts() == ["S ≠ L", "prompt + one"]
    page.get_by_label("input").select_option("new")
    settled(page)
    assert "21 of 21 weights and 12 of 12 numbers of y change" in sentence.inner_text()
    assert (
        page.locator(".hint").inner_text()
        == "S - L = 7 keys - 1 query = 6: the masks differ. Red frame: wrong numbers. Pale: the prompt."
    )
    page.locator("[role=listbox]").press("End")
    settled(page)
    assert evidence.inner_text().startswith("prompt + one, on its own tensors: token 4 is off by")
    page.get_by_label("wrong line of code", exact=True).select_option("K times Q")
    settled(page)
    assert "The weights are (3, 7, 7)" in sentence.inner_text()
    page.get_by_label("wrong line of code", exact=True).select_option("keys not transposed")
    settled(page)
    assert "An error. PyTorch says: Expected size" in sentence.inner_text()
    before = shown(page)
    for key in ("Home", "PageDown", "ArrowRight"):
        page.locator(".board canvas").press(key)
    assert shown(page) != before
    assert page.locator(".hint").inner_text().startswith("weight in head “what”, “today” → “near”")


AXES = "L = 7 queries (rows), S = 7 keys (columns)."
ASKED = "Press two cells that break the rule, or the wrong line of code."
LOOK = "Does a number here give it away? Press it, or the wrong line of code."
RULE = "Words attend to no later word."
NONE = "Rule None for y: only a right layer tells."
SPOILED = (
    "lab => [...lab.querySelectorAll('ins, .bug-tabs span:not(:empty), .probes')]"
    ".some(n => n.checkVisibility({ visibilityProperty: true }))"
)


MARKS = "nodes => nodes.map(node => getComputedStyle(node, '::after').content)"


def press(canvas, i, j, *, rows=7, columns=7):
    """Press a cell of the wrong line's table while it is alone."""
    width = canvas.bounding_box()["width"]
    left, tall = (56, 314) if width >= 420 else (50, 250)
    column = min(160, (width - 3 - left) / columns)
    canvas.click(position={"x": left + column * (j + 0.5), "y": 22 + tall // rows * (i + 0.5)})


@pytest.mark.slow
@pytest.mark.parametrize("how", ["the button", "the keyboard", "right guesses", "the line"])
def test_the_reader_looks_first_and_then_the_lab_says_which_line_is_wrong(opened, how):
    page = opened(BugLab(**LATER), reduced_motion="reduce")
    lab, sentence, button = (
        page.locator(".stage.bug"),
        page.locator(".sentence"),
        page.get_by_role("button", name="show the wrong line of code"),
    )
    menu, canvas = page.get_by_label("wrong line of code", exact=True), page.locator(".board canvas")
    rule, lines = lab.get_by_text(RULE), lab.locator(".line")
    assert rule.is_visible() and sentence.inner_text() == ASKED and not lab.evaluate(SPOILED)
    assert page.locator(".hint b[data-axis]").all_inner_texts() == ["L", "S"], "in the colours of their axes"
    code = lines.locator("code").all_inner_texts()
    assert len(code) == 9 and code[1:3] == ["keep = real[:, None].expand(-1, L, -1)", "scores = q @ k.mT"], (
        "the wrong line is there"
    )
    assert page.locator(".hint").inner_text() == AXES and menu.input_value() == "unknown"
    assert page.locator(
        ".chip[aria-pressed=true]"
    ).inner_text() == "weights break a rule" and "later keys" not in canvas.get_attribute("aria-label")
    canvas.hover(position={"x": canvas.bounding_box()["width"] - 120, "y": 120})
    assert re.fullmatch(r"weight in head “who”, “\w+” → “\w+”: 0\.\d{3}\.", page.locator(".hint").inner_text())
    unknown = shown(page)
    if how == "the button":
        button.click()
    elif how == "the keyboard":
        button.press("Enter")
    elif how == "the line":
        lines.nth(0).press("ArrowDown")
        lines.nth(1).press("ArrowDown")
        lines.nth(2).press("Enter")
        settled(page)
        assert sentence.inner_text() == f"✗ The line “scores…” is right. {ASKED}" and not lab.evaluate(SPOILED)
        assert lines.nth(2).evaluate("line => line === document.activeElement")
        lines.nth(7).click()
        settled(page)
        assert sentence.inner_text() == f"✗ The line “return heads…” is right. {ASKED}"
        assert lines.evaluate_all(MARKS) == ["none", "none", '"✗"', "none", "none", "none", "none", '"✗"', "none"]
        page.get_by_role("button", name="reset").click()
        settled(page)
        assert set(lines.evaluate_all(MARKS)) == {"none"}
        lines.nth(1).click()
    else:
        press(canvas, 1, 3)
        press(canvas, 0, 6)
    settled(page)
    is_found = how in ("right guesses", "the line")
    start = "✓ Right: queries" if is_found else "✗ Queries"
    lesson = "No error, and every shape stays. 123 of 147 weights and 72 of 84 numbers of y change."
    assert sentence.inner_text() == f"{start} give weight to later keys. {lesson}" and lab.evaluate(SPOILED)
    marks = page.locator(".chip").evaluate_all(MARKS)
    assert marks == ['"✓"' if is_found else "none", "none", "none", "none"], "a chip shows that its line has been found"
    told = ["keep = real[:, None].expand(-1, L, -1)", "keep = causal & real[:, None]"]
    assert lines.locator("code").all_inner_texts() == told and lines.count() == 1
    assert lab.locator("del, ins").all_inner_texts() == [line.removeprefix("keep = ") for line in told]
    assert lab.locator(".rule.dotted").count() == 1, "the dots stay around what the rule allows"
    assert shown(page) != unknown and not button.is_visible() and menu.input_value() == "later keys visible"
    assert page.evaluate("document.activeElement.localName") == "canvas"
    if how == "the button":
        assert page.locator(".hint").inner_text() == "Red frame: breaks the rule."
    menu.select_option("unknown")
    settled(page)
    assert rule.is_visible() and sentence.inner_text() == ASKED and not lab.evaluate(SPOILED)
    assert page.locator(".chip[aria-pressed=true]").count() == 1


@pytest.mark.slow
def test_where_no_number_gives_the_line_away_the_lab_asks_first_and_says_so_after_a_try(opened):
    page = opened(BugLab(bug="top-left causal mask", given="prompt"), reduced_motion="reduce")
    told = "No number here gives it away. Try the next word, or press the wrong line of code."
    settled(page)
    assert page.locator(".sentence").inner_text() == LOOK
    page.locator(".board canvas").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    settled(page)
    assert page.locator(".sentence").inner_text() == f"✗ 0 is right: “today” must not attend to “pad”. {told}"
    page.locator(".line").first.click()
    settled(page)
    said = page.locator(".sentence").inner_text()
    assert said == "✓ Right: no number here gives it away. The bug shows with the next word and a cache."


@pytest.mark.parametrize("width", [1280, 390])
def test_a_guess_gets_a_verdict_and_two_right_ones_show_the_line(opened, width):
    page = opened(BugLab(**LATER), width=width, reduced_motion="reduce")
    lab, sentence, canvas = page.locator(".stage.bug"), page.locator(".sentence"), page.locator(".board canvas")
    blank = shown(page)
    height = page.locator(".attn-lab-root").bounding_box()["height"]
    canvas.focus()
    canvas.press("ArrowDown")  # leads to the first cell of the last row
    canvas.press("Enter")
    settled(page)
    assert sentence.inner_text() == f"✗ 0.643 is right. {ASKED}"
    assert page.locator(".sentence .bad").count() == 1 and shown(page) != blank and not lab.evaluate(SPOILED)
    press(canvas, 2, 2)
    settled(page)
    assert sentence.inner_text() == f"✗ 0.006 should be 0.052, but it breaks no rule. {ASKED}"
    for _ in range(2):  # a cell that is pressed again counts once
        press(canvas, 0, 6)
        settled(page)
        first = "✓ 0.093 should be 0: “girls” must not attend to “today”. One may be luck: press another."
        assert sentence.inner_text() == first and not lab.evaluate(SPOILED)
    press(canvas, 0, 5)
    settled(page)
    assert sentence.inner_text().startswith("✓ Right: queries give weight to later keys. No error")
    assert page.locator(".sentence .good").count() == 1 and lab.evaluate(SPOILED)
    assert page.locator(".attn-lab-root").bounding_box()["height"] == pytest.approx(height, abs=0.1)
    page.get_by_role("button", name="reset").click()
    page.mouse.move(1, 1)
    assert shown(page) == blank
    canvas.press("Enter")  # no cell is pointed at
    assert shown(page) == blank
    page.get_by_role("button", name="show the wrong line of code").click()
    settled(page)
    assert sentence.inner_text().startswith("✗ Queries give weight to later keys.")
    canvas.press("Enter")
    assert sentence.inner_text().startswith("✗ Queries give weight to later keys.")


@pytest.mark.slow
def test_where_only_the_merge_is_wrong_the_reader_looks_at_the_parts_of_each_row(opened):
    page = opened(BugLab(**LATER), reduced_motion="reduce")
    lab, sentence, canvas = page.locator(".stage.bug"), page.locator(".sentence"), page.locator(".board canvas")
    page.get_by_role("button", name="every weight is right").click()
    settled(page)
    assert page.locator(".rule").inner_text() == "Rule A row has its colour, a column its head."
    assert page.locator(".bug-tabs button:not([hidden])").last.inner_text() == "into W_O"
    assert not lab.evaluate(SPOILED)
    press(canvas, 0, 0, columns=3)  # the only part of its row that stays
    settled(page)
    assert sentence.inner_text().startswith("✗ head who of “girls” is right here.") and not lab.evaluate(SPOILED)
    press(canvas, 0, 2, columns=3)
    press(canvas, 0, 1, columns=3)
    settled(page)
    same = "No error, and every shape stays. All 147 weights are right; 84 of 84 numbers of y change."
    wanted = f"✓ Right: rows of y mix words. {same}"
    assert sentence.inner_text() == wanted and lab.evaluate(SPOILED)
    page.get_by_role("button", name="every weight is right").click()
    press(canvas, 0, 0, columns=3)
    settled(page)
    assert sentence.inner_text().startswith("✗ head who of “girls” is right here.")
    page.locator(".bug-tabs button").first.click()
    other = "No number here gives it away. Choose another table, or press the wrong line of code."
    assert sentence.inner_text() == LOOK, "a verdict on a cell that is no longer drawn is not said"
    press(canvas, 0, 0)
    settled(page)
    assert sentence.inner_text().endswith(f"is right. {other}")
    page.get_by_label("wrong line of code", exact=True).select_option("no W_O")
    settled(page)
    assert page.locator(".rule").inner_text() == NONE, "that of weights, which are right, says nothing of y"


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_the_lab_draws_the_table_that_gives_the_line_away_and_a_tab_draws_another(opened, width):
    page = opened(BugLab(**LATER), width=width, reduced_motion="reduce")
    tabs = page.locator(".bug-tabs button:not([hidden])")
    for chip, first, marks in (("weights break a rule", 0, "✗✗✗✗"), ("every weight is right", 3, "✓✓✓✗")):
        page.get_by_role("button", name=chip).click()
        page.get_by_role("button", name="show the wrong line of code").click()
        settled(page)
        assert "".join(tabs.locator("span").all_inner_texts()) == marks
        assert [tab.get_attribute("aria-pressed") for tab in tabs.all()].index("true") == first
    before = shown(page)
    tabs.first.click()
    assert shown(page) != before and tabs.first.get_attribute("aria-pressed") == "true"
    tabs.first.press("ArrowLeft")
    assert shown(page) == before and tabs.last.evaluate("tab => tab === document.activeElement")
    tabs.last.press("ArrowRight")
    page.get_by_role("button", name="a prompt hides it").click()
    settled(page)
    assert "".join(tabs.locator("span").all_inner_texts()).strip() == "", "before a guess nothing is told"


# The height of the lab as it opens, after each chip, and when the wrong line of each is shown.
HEIGHTS = f"""async () => {{
  const named = name => [...document.querySelectorAll('button')].find(node => node.textContent === name);
  const height = () => document.querySelector('.attn-lab-root').getBoundingClientRect().height;
  const heights = [height()];
  for (const chip of document.querySelectorAll('.chip')) for (const show of [chip, null]) {{
    (show ?? named('show the wrong line of code')).click();
    await {DRAWN};
    heights.push(height());
  }}
  named('reset').click();
  return heights;
}}"""


@pytest.mark.slow
def test_the_page_below_stays_where_it_is_while_experiments_follow_each_other(opened):
    page = opened(BugLab(**LATER), reduced_motion="reduce")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 1400})
        settled(page)
        heights = page.evaluate(HEIGHTS)
        assert len(heights) == 9 and max(heights) - min(heights) <= 12, (width, heights)


def names(tabs):
    """Each name; a mark of it would be in its last line."""
    return tabs.evaluate_all("tabs => tabs.map(tab => [...tab.querySelectorAll('b')].map(one => one.innerText).join(' '))")


@pytest.mark.slow
def test_on_a_phone_a_mark_stands_beside_the_last_word_of_a_tab_and_what_is_left_out_of_the_code_leaves_no_trace(opened):
    page = opened(BugLab(bug="top-left causal mask", given="new", line="wrong"), width=390, reduced_motion="reduce")
    assert page.locator(".bug-tabs span:not(:empty)").count() == 4
    for tab in page.locator(".bug-tabs button:not([hidden])").all():
        name, mark = tab.locator("b").last.bounding_box(), tab.locator("span").bounding_box()
        assert abs(name["y"] - mark["y"]) < 4 and mark["x"] >= name["x"] + name["width"]
    assert page.locator("del").count() == 1 and not page.locator("del").is_visible()
    assert page.locator("ins").inner_text() == "S - L"


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_a_grouped_layer_has_a_tab_for_each_head_and_shows_one_with_the_keys_of_another(opened, width):
    page = opened(BugLab(bug="grouped heads tiled", given="grouped"), width=width, reduced_motion="reduce")
    tabs, hint = page.locator(".bug-tabs button:not([hidden])"), page.locator(".hint")
    assert hint.inner_text() == "A random layer: heads 0 and 1 share keys and values, 2 and 3 too."
    page.get_by_role("button", name="show the wrong line of code").click()
    settled(page)
    assert names(tabs) == ["head 0", "head 1", "head 2", "head 3", "output y"]
    assert "".join(tabs.locator("span").all_inner_texts()) == "✓✗✗✓✗"
    assert [tab.get_attribute("aria-pressed") for tab in tabs.all()].index("true") == 1, "the first with wrong numbers"
    assert page.locator(".stage").evaluate("stage => stage.scrollWidth <= stage.clientWidth")
    tabs.nth(1).press("ArrowLeft")
    tabs.nth(0).press("ArrowLeft")
    assert tabs.last.get_attribute("aria-pressed") == "true"
    page.get_by_label("input").select_option("self")
    settled(page)
    assert names(tabs) == ["head who", "head what", "head when", "output y"]
    assert (
        tabs.first.get_attribute("aria-pressed") == "true" and "with random grouped heads" in page.locator(".sentence").inner_text()
    )


@pytest.mark.slow
def test_a_phone_shows_five_lines_of_code_with_the_wrong_one_among_them(opened):
    page = opened(BugLab(**LATER), width=390, reduced_motion="reduce")
    first = ["causal", "keep", "scores", "scaled", "masked"]
    chips = {"weights break a rule": first, "a prompt hides it": first, "every weight is right": None}
    for chip, lines in chips.items():
        page.get_by_role("button", name=chip).click()
        settled(page)
        shown_lines = [line.split()[0] for line in page.locator(".line:visible code").all_inner_texts()]
        assert shown_lines == (lines or ["masked", "weights", "return", "return", "y"])
        assert page.get_by_text("⋮ 4 right lines").is_visible()


@pytest.mark.slow
def test_when_the_line_is_said_the_right_table_stands_where_the_reader_looked_and_the_wrong_one_beside_it(opened):
    page = opened(BugLab(**LATER), reduced_motion="reduce")
    board, canvas, code = (page.locator(one) for one in (".board", ".board canvas", ".code"))
    alone, tall = board.bounding_box(), code.bounding_box()["height"]
    page.get_by_role("button", name="show the wrong line of code").click()
    settled(page)
    both = board.bounding_box()
    assert both["y"] == alone["y"] and both["height"] == alone["height"] and both["width"] > 2 * alone["width"]
    assert both["x"] + both["width"] == pytest.approx(alone["x"] + alone["width"], abs=1)
    assert code.bounding_box()["height"] < tall / 4 and canvas.bounding_box()["width"] > 2 * alone["width"]
    canvas.hover(position={"x": both["width"] - alone["width"] + 60, "y": 30})
    assert page.locator(".hint").inner_text().startswith("weight in head “who”, “girls” → “girls”")


@pytest.mark.slow
def test_with_other_words_the_reader_stays_at_a_table_and_another_bug_takes_the_mark_of_a_cell_away(opened):
    page = opened(BugLab(**LATER), reduced_motion="reduce")
    tabs, hint = page.locator(".bug-tabs button:not([hidden])"), page.locator(".hint")
    tabs.last.click()
    assert page.locator(".rule:not(.dotted)").inner_text() == NONE
    page.get_by_label("words").fill("5")
    settled(page)
    assert tabs.last.get_attribute("aria-pressed") == "true"
    page.locator(".board canvas").press("ArrowDown")
    assert hint.inner_text().startswith("y of “found”")
    page.get_by_label("wrong line of code", exact=True).select_option("keys not transposed")
    settled(page)
    assert not hint.inner_text().startswith("y of") and tabs.first.get_attribute("aria-pressed") == "true"
    for tab in tabs.all():
        assert tab.evaluate("tab => tab.scrollWidth <= tab.clientWidth"), "no name covers another"


@pytest.mark.slow
def test_the_line_of_a_rare_bug_stands_in_its_place_in_the_code(opened):
    page = opened(BugLab(bug="keys from x", given="other", line="wrong"), reduced_motion="reduce")
    assert page.locator(".line").count() == 1 and page.locator("ins").inner_text() == "context"
    assert page.locator("button.line").count() == 0, "there is nothing to look for"
    page.get_by_label("wrong line of code", exact=True).select_option("unknown")
    settled(page)
    code = page.locator("button.line code").all_inner_texts()
    assert len(code) == 10 and code[3] == "scores = q @ k.mT"


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_axes_and_calls_in_the_code_have_a_colour_also_where_it_is_wrong(opened, width):
    """Else the wrong part, which is put into a line, would be the only one without."""
    page = opened(BugLab(**LATER), width=width, reduced_motion="reduce")
    lines = page.locator(".line:visible code")
    keep = lines.nth(1)
    assert keep.locator("i").all_inner_texts() == ["expand"] and keep.locator("b[data-axis]").all_inner_texts() == ["L"]
    assert lines.nth(0).locator("i").all_inner_texts() == ["ones", "tril"]
    assert lines.nth(0).locator("b").all_inner_texts() == ["L", "S", "S", "L"]
    colours = keep.evaluate("code => [code, ...code.children].map(node => getComputedStyle(node).color)")
    assert len(set(colours)) == 3
    size = float(keep.evaluate("code => parseFloat(getComputedStyle(code).fontSize)"))
    assert size > 12, "and is as large as other text"


@pytest.mark.slow
def test_on_a_phone_the_sentence_that_stays_in_view_leaves_the_line_of_the_probes_whole(opened):
    page = opened(BugLab(**LATER), width=390, reduced_motion="reduce")
    page.set_viewport_size({"width": 390, "height": 844})
    for chip in page.locator(".chip").all():
        chip.click()
        page.get_by_role("button", name="show the wrong line of code").click()
        settled(page)
        page.locator(".attn-lab-root").evaluate("lab => scrollTo(0, lab.getBoundingClientRect().top + scrollY - 60)")
        end = page.locator(".probes summary span").evaluate("text => text.getBoundingClientRect().bottom")
        assert end <= page.locator(".telling").bounding_box()["y"] + 1


@pytest.mark.slow
def test_on_a_phone_the_button_stands_with_the_code_where_no_sentence_covers_it(opened):
    page = opened(BugLab(**LATER), width=390, reduced_motion="reduce")
    button, code, more = (page.locator(one).bounding_box() for one in (".show", ".code", ".more"))
    assert code["y"] < button["y"] and button["y"] + button["height"] < code["y"] + code["height"]
    for line in page.locator(".line:visible code").all():
        box = line.bounding_box()
        assert box["y"] + box["height"] <= button["y"] + 1
    text = page.locator(".more").evaluate("""node => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect().right;
    }""")
    assert text <= button["x"] and more["height"] >= button["height"]
