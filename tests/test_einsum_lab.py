"""Einsum formulas and EinsumLab: which axes are summed, the loops while they run, and why a formula is invalid."""

import json
import math
import random
import re

import pytest
import torch
import traitlets
from lab_pages import DRAWN, settled
from node import assert_agree, node
from pixels import PIXELS

import attn
from attn.labs import EinsumLab
from attn.labs.einsum.formula import Formula, read_formula
from attn.labs.inputs import normal

SCORES = "bhld,bhsd->bhls"


# Formulas -----------------------------------------------------------------------------------------------------------------------


def test_a_formula_can_have_spaces():
    assert read_formula(SCORES) == read_formula(" bhld , bhsd -> bhls ") == Formula(("bhld", "bhsd"), "bhls")
    assert str(read_formula("d, d ->")) == "d,d->"


@pytest.mark.parametrize(
    "formula,roles",
    [
        (SCORES, {"b": "matched", "h": "matched", "l": "free", "s": "free", "d": "summed"}),
        ("bhls,bhsd->bhld", {"b": "matched", "h": "matched", "l": "free", "d": "free", "s": "summed"}),
        ("bhls,bgsd->bhld", {"b": "matched", "h": "free", "l": "free", "d": "free", "s": "summed", "g": "alone"}),
        ("d,d->", {"d": "summed"}),
        ("l,s->ls", {"l": "free", "s": "free"}),
        ("bhls->bhl", {"b": "free", "h": "free", "l": "free", "s": "alone"}),
    ],
)
def test_each_letter_has_its_role_and_the_loops_of_the_result_are_outside(formula, roles):
    read = read_formula(formula)
    assert {letter: read.role(letter) for letter in read.letters} == roles
    assert list(read.letters) == list(roles)


@pytest.mark.parametrize(
    "formula,reason",
    [
        ("bhld,bhsd", 'has one "->"'),
        ("bhld->bhsd->bhls", 'has one "->"'),
        ("bhld,bhsd-bhls", '"-" alone is not an arrow'),
        ("bhld,bhsd->bhle", '"e" is in the result, but in no tensor before the arrow'),
        ("bhld,bhsd->bhll", '"l" appears twice after the arrow'),
        ("bhld,bhsd->bhlt", '"t" is not an axis of this book: they are b, h, l, s, d, e, g.'),
        ("Bhld,bhsd->bhls", '"B" and "b" would be two axes'),
        ("bl,ls,sd->bd", "3 tensors, separated by commas"),
        ("bhlsd->b", '"bhlsd" has 5 axes'),
        ("bhl,esd->bhles", '"bhles" has 5 axes'),
        ("...ld,...sd->...ls", '"..." stands for axes without letters'),
        ("bhld,->bhld", "One of the tensors has no letters"),
        ("bhld->bh,ld", "a comma after the arrow"),
        ("", 'has one "->"'),
    ],
)
def test_an_invalid_formula_is_refused_with_the_reason(formula, reason):
    with pytest.raises(attn.ShapeError) as error:
        read_formula(formula)
    assert reason in str(error.value)


def texts(count):
    """Formulas, and the incomplete texts that occur while one is typed."""
    choose = random.Random(0)
    for _ in range(count):
        text = list(random_formula(choose))
        for _ in range(choose.randint(0, 3)):
            at = choose.randrange(len(text) + 1)
            if choose.random() < 0.5 and at < len(text):
                del text[at]
            else:
                text.insert(at, choose.choice("bhlsd,-> .Bx"))
        yield "".join(text)


def random_formula(choose):
    tensors = ["".join(choose.choices("blsehgd", k=choose.randint(1, 4))) for _ in range(choose.randint(1, 2))]
    letters = sorted(set("".join(tensors)))
    result = choose.sample(letters, choose.randint(0, min(4, len(letters))))
    return f"{','.join(tensors)}->{''.join(result)}"


def test_browser_and_kernel_refuse_the_same_formulas_in_the_same_words():
    formulas = [*texts(600), "bhld,bhsd", "...d->d", "a->b->c", "-", ">", ",->,"]

    def read(text):
        try:
            formula = read_formula(text)
        except attn.ShapeError as error:
            return str(error)
        return [list(formula.tensors), formula.result]

    script = """
import { readFormula } from "./src/attn/labs/einsum/formula.js";
import { readFileSync } from "node:fs";
function read(text) {
  try {
    return Object.values(readFormula(text));
  } catch (error) {
    return error.message;
  }
}
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(read)));"""
    run = node("--input-type=module", "-e", script, stdin=json.dumps(formulas))
    assert run.returncode == 0, run.stderr
    mine = [read(text) for text in formulas]
    assert json.loads(run.stdout) == mine
    assert sum(isinstance(one, str) for one in mine) > 100 < sum(isinstance(one, list) for one in mine)


# The lab ------------------------------------------------------------------------------------------------------------------------


def by_hand(lab):
    """The result of the loops that the lab displays."""
    named = {"left": lab.left.cpu().numpy(), "result": torch.zeros(lab.result.shape).numpy()}
    if lab.right is not None:
        named["right"] = lab.right.cpu().numpy()
    exec(lab.loops, named)
    return named["result"]


@pytest.mark.parametrize(
    "formula", [SCORES, "bhls,bhsd->bhld", "d,d->", "l,s->ls", "bhls->bhl", "bhll->bhl", "ll->", "bhld,hde->ble", "bhls,bgsd->bhld"]
)
def test_the_displayed_loops_compute_the_result(formula):
    lab = EinsumLab(formula=formula, B=2, H=3, L=4, S=5, D=3, E=6, G=2)
    assert by_hand(lab).tolist() == lab.result.tolist()
    assert lab.result.shape == tuple(getattr(lab, letter.upper()) for letter in formula.split("->")[1])
    assert lab.counts["results"] * lab.counts["terms"] == math.prod(int(size) for size in re.findall(r"range\((\d+)\)", lab.loops))


def test_a_longer_axis_does_not_change_the_numbers_that_were_there():
    short, long = EinsumLab(), EinsumLab(S=9, D=6)
    assert torch.equal(long.right[:, :, :7, :4], short.right)
    assert torch.equal(long.left[..., :4], short.left)
    drawn = normal(0, "left", [0], 6)[0]
    expected = (drawn.double().abs() * 1.5).ceil().clamp(1, 3) * drawn.sign()
    assert long.left[0, 0, 0].tolist() == expected.tolist()
    assert 0 not in long.left and int(long.left.abs().max()) == 3


@pytest.mark.parametrize("S", [1, 2, 7, 16])
def test_weights_are_not_negative_and_each_row_sums_to_10(S):
    lab = EinsumLab(formula="bhls,bhsd->bhld", S=S)
    assert lab.left.min() >= 0 and torch.equal(lab.left.sum(-1), torch.full((2, 3, 5), 10.0))
    assert torch.equal(lab.left, lab.left.round()) and lab.right.min() == -3
    raw = EinsumLab(formula="bhls->bhl", S=S).left
    assert raw.min() == -3, "without v they are no weights"
    share = raw**2 / (raw**2).sum(-1, keepdim=True)
    assert (lab.left - 10 * share).abs().max() < 1


def test_no_two_rows_of_numbers_are_equal():
    lab = EinsumLab(formula="bhld,bhsd->bhls", B=8, H=8, L=16, D=16)
    rows = {tuple(row.tolist()) for row in lab.left.flatten(0, 2)}
    assert len(rows) == 8 * 8 * 16


def test_an_invalid_formula_shows_its_message_and_changes_nothing():
    lab = EinsumLab()
    before, result = repr(lab), lab.result
    with pytest.raises(attn.ShapeError, match='"t" is not an axis') as error:
        lab.formula = "bhld,bhsd->bhlt"
    assert lab._message == str(error.value)
    assert repr(lab) == before and lab.result is result
    with pytest.raises(traitlets.TraitError, match="H = 9: this lab takes H"):
        lab.H = 9
    lab.formula = "bhls->bhl"
    assert lab._message == "" and lab.right is None and lab.result.shape == (2, 3, 5)
    assert set(lab._answer["tensors"]) == {"left", "result"}


@pytest.mark.parametrize(
    ("formula", "nudge", "changed"),
    [
        (SCORES, [1, 1, 2, 4, 0], 5),
        (SCORES, [0, 1, 2, 4, 0], 7),
        ("bhls,bhsd->bhld", [0, 1, 2, 4, 0], 4),
        ("bhld,bhsd->bls", [1, 1, 2, 4, 0], 5),
        ("bhld,bgsd->bhls", [1, 1, 2, 4, 0], 15),
    ],
)
def test_a_nudged_number_changes_the_results_along_the_letters_that_its_tensor_lacks(formula, nudge, changed):
    lab, before = EinsumLab(formula=formula, nudge=nudge), EinsumLab(formula=formula)
    side, *index = nudge
    tensor = ("left", "right")[side]
    assert getattr(lab, tensor)[tuple(index)] == getattr(before, tensor)[tuple(index)] + 1
    assert torch.equal(lab.changed, lab.result != before.result)
    assert int(lab.changed.sum()) == changed and before.changed is None


def test_an_index_that_is_too_large_nudges_the_last_number_and_one_of_another_tensor_nudges_nothing():
    assert torch.equal(EinsumLab(nudge=[1, 9, 9, 9, 9]).result, EinsumLab(nudge=[1, 1, 2, 6, 3]).result)
    for nudge in ([1, 0, 0], [2, 0, 0, 0, 0]):
        lab = EinsumLab(nudge=nudge)
        assert lab.changed is None and torch.equal(lab.result, EinsumLab().result)


def test_the_fallback_shows_which_axis_is_summed():
    fallback = re.sub(r"</?b\b[^>]*>| style=\"[^\"]*\"", "", EinsumLab().fallback())  # without colours and alignment
    assert "(2, 3, 5, 7): 210 results of 4 terms each, 840 multiplications" in fallback
    assert "<td>D</td><td>4</td><td>yes</td><td>yes</td><td>–</td><td>summed: products in pairs, added up</td>" in fallback
    assert "for l in range(5):" in fallback


def random_settings(seed):
    choose = random.Random(seed)
    sizes = {"B": 3, "H": 4, "G": 4, "L": 6, "S": 6, "D": 5, "E": 6}
    formula = random_formula(choose)
    nudged = formula.split("->")[0].split(",")[-1]
    nudge = [formula.count(","), *(choose.randint(0, 9) for _ in nudged)] if seed % 2 else None
    settings = {axis: choose.randint(1, most) for axis, most in sizes.items()}
    return {"formula": formula, **settings, "seed": choose.randint(0, 9), "nudge": nudge}


def test_browser_and_kernel_compute_the_same():
    labs = [EinsumLab(**random_settings(seed)) for seed in range(40)]
    labs += [EinsumLab(formula="bhls,bgsd->bhld", S=S, seed=S, nudge=[0, 1, 2, 4, 0]) for S in (1, 2, 3, 7, 8, 16)]
    for lab, results in zip(labs, assert_agree(labs, lambda *_: {"share": 0}), strict=True):
        assert ("right" in results) == (lab.right is not None)
        assert (results["changed"] is None) == (lab.nudge is None)


# On a page ----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def page(opened):
    return opened(EinsumLab(), reduced_motion="reduce")


@pytest.fixture
def film(opened):
    """The loops and their player are shown."""
    return opened(EinsumLab(film=True), reduced_motion="reduce")


def open_more(page):
    page.locator(".more:not([open]) summary").evaluate_all("all => all.forEach(one => one.click())")


def formula_field(page):
    open_more(page)
    return page.get_by_label("your formula")


def type_formula(page, text):
    field = formula_field(page)
    field.press("ControlOrMeta+A")
    field.press_sequentially(text)
    settled(page)


def sentence(page):
    told = page.evaluate(f"{DRAWN}.then(() => document.querySelector('.sentence').innerText)")
    return told.replace("\u00a0", " ")


def indices(page):
    """Where the loops are, by letter: h=2, or h<3 where the loop runs through all."""
    rows = page.locator(".loop[data-axis]").all_inner_texts()
    return {letter: index if sign == "=" else "all" for letter, sign, index in rows}


def pixels(page):
    """The picture of the tensors."""
    return page.locator(".board canvas").evaluate(f"canvas => {DRAWN}.then(() => {PIXELS}(canvas))")


CHANGE = "k[1, 2, 4, 0] += 1"
GUESS = "How many of 210 scores will change? Guess, then tap +1, or any number of k."
SCORED = "✓ The scores. B, H, L, S are kept, D is added up: 210 scores of 4 terms each."


def test_the_picture_opens_on_a_guess_and_nothing_runs_by_itself(opened):
    page = opened(EinsumLab(), reduced_motion="no-preference")
    assert sentence(page) == GUESS
    assert page.locator(".chip[aria-pressed=true]").count() == 0, "no experiment has been made"
    assert page.evaluate("""() => new Promise(done => {
        let frames = 0;
        const look = () => document.querySelector('.attn-lab-root[data-moving]') ? done(false) : ++frames > 30 ? done(true)
            : requestAnimationFrame(look);
        look();
    })"""), "nothing runs by itself"


@pytest.mark.parametrize("width", [1280, 390])
def test_the_loops_and_their_player_are_there_only_when_loops_run(opened, width):
    page = opened(EinsumLab(), width=width, reduced_motion="reduce")
    parts = [page.locator(one) for one in (".player input", ".loop[data-axis] >> nth=0", ".hint")]
    for chip, is_seen in (("", False), ("run the loops", True), (CHANGE, False), ("forget h", True), ("two letters", False)):
        if chip:
            page.get_by_role("button", name=chip).click()
        settled(page)
        assert [part.is_visible() for part in parts] == [is_seen] * 3, chip
    page.get_by_role("button", name="run the loops").click()
    assert sentence(page) == SCORED
    assert page.locator(".loop[data-axis]").all_inner_texts() == ["b<2", "h<3", "l<5", "s<7", "d<4"]
    page.get_by_role("button", name="reset").click()
    assert sentence(page) == GUESS and not parts[0].is_visible()


def test_a_verdict_is_said_when_the_loops_have_run(opened):
    page = opened(EinsumLab(), reduced_motion="no-preference")
    page.get_by_role("button", name="forget h").click()
    page.wait_for_selector(".attn-lab-root[data-moving]")
    assert page.inner_text(".sentence").strip() == "The loops over H and D run: 12 terms become one result."
    assert sentence(page).startswith("✗ No error, and not the scores")


def test_stepping_runs_every_term_of_the_first_result_and_every_result_of_the_first_row(film):
    page = film
    bar = page.locator(".player input")
    bar.press("Home")
    assert "Nothing has run yet" in sentence(page)
    assert page.locator(".loop.runs").inner_text() == "b=0"
    seen, looks = [], set()
    bar.focus()
    for _ in range(4 + 6 + 4 + 5):
        page.keyboard.press("ArrowRight")
        settled(page)
        seen.append(tuple(indices(page).values()))
        looks.add(pixels(page))
    terms = [(0, 0, 0, 0, d) for d in range(3)]
    row = [(0, 0, 0, s, "all") for s in range(7)]  # a complete score is shown as the sum of all its products
    table = [(0, 0, i, 6, "all") for i in range(1, 5)]
    tables = [(b, h, 4, 6, "all") for b in range(2) for h in range(3)][1:]
    tables[-1] = ("all",) * 5  # at the end nothing is marked any more
    assert seen == [tuple(map(str, at)) for at in terms + row + table + tables]
    assert len(looks) == len(seen)


def test_the_film_of_the_loops_runs_to_the_end_and_looks_there_as_after_a_jump(opened):
    moving, jumping = (opened(EinsumLab(), reduced_motion=how) for how in ("no-preference", "reduce"))
    for page in (moving, jumping):
        page.get_by_role("button", name="run the loops").click()
    assert sentence(moving) == sentence(jumping)
    assert pixels(moving) == pixels(jumping)
    assert indices(moving) == dict.fromkeys("bhlsd", "all")


def test_playing_is_slow_for_one_result_and_hurries_through_the_tables(opened):
    """Half of the time is for the first row, which is a thirtieth of the work."""
    page = opened(EinsumLab(film=True), reduced_motion="no-preference")
    film = page.locator(".player input")
    film.evaluate("""node => { node.value = node.max / 2; node.dispatchEvent(new Event('input', { bubbles: true })); }""")
    settled(page)
    run = int(re.search(r"run (\d+) of 840", film.get_attribute("aria-valuetext"))[1])
    assert 0 < run < 840 / 6


def test_a_formula_takes_effect_while_it_is_typed(page):
    formula_field(page).press("End")
    page.get_by_label("your formula").press("Backspace")
    assert "D, S are added up: 30 results of 28 terms each." in sentence(page)
    open_more(page)
    assert page.inner_text(".work") == "The loops: 30 results of 28 terms each, 840 multiplications; torch adds up s first: 120."
    assert page.locator(".loop.alone").inner_text() == "s<7"
    assert page.locator(".formula .summed").all_inner_texts() == ["d", "s", "d"]
    assert page.locator(".slider[data-axis=G]").is_hidden()


def test_an_invalid_formula_is_explained_and_the_text_and_the_picture_remain(page):
    before, sentence_before = pixels(page), sentence(page)
    type_formula(page, "bhld,bhsd->bhlt")
    field = page.get_by_label("your formula")
    assert page.inner_text(".field .problem").startswith('"t" is not an axis of this book')
    assert field.input_value() == "bhld,bhsd->bhlt"
    assert field.get_attribute("aria-invalid") == "true"
    assert page.locator(".board.old").count() == 1 and page.locator(".program.old").count() == 1
    assert sentence(page).startswith("This is no formula yet.")
    page.locator(".slider[data-axis=H] input").press("ArrowRight")  # bhld,bhsd->bhl still works
    settled(page)
    assert field.input_value() == "bhld,bhsd->bhlt"
    assert "h<4" in page.inner_text(".loops")
    page.get_by_role("button", name="reset").click()
    assert sentence(page) == sentence_before and pixels(page) == before
    assert page.locator(".field .problem").is_hidden() and field.input_value() == SCORES


@pytest.mark.parametrize(
    ("chip", "kind", "said"),
    [
        ("run the loops", "good", "✓ The scores."),
        ("forget h", "bad", "✗ No error, and not the scores: the heads are added up."),
        ("two letters for heads", "bad", "✗ The right shape, wrong numbers: every head of q meets all 3 heads of k."),
    ],
)
def test_a_formula_of_q_and_k_gets_a_verdict(page, chip, kind, said):
    page.get_by_role("button", name=chip).click()
    settled(page)
    assert page.locator(f".sentence .{kind}").inner_text() == said


def test_the_sentence_says_what_a_row_of_weights_sums_to(page):
    open_more(page)
    page.get_by_role("button", name="the output").click()
    said = "✓ The output. B, H, L, D are kept, S is added up: 120 outputs of 7 terms each. Each row of weights sums to 10."
    assert sentence(page).startswith(said)


def test_every_formula_of_an_experiment_runs_from_its_start_a_mistake_too(opened):
    """The first part adds up one result term by term: there one sees that heads are added, too."""
    page = opened(EinsumLab(), reduced_motion="no-preference")
    film = page.locator(".player input")
    for chip in ("forget h", "run the loops"):
        page.get_by_role("button", name=chip).click()
        page.wait_for_selector(".attn-lab-root[data-moving]")
        assert film.evaluate("node => node.max - node.value > node.max / 2"), chip


def test_an_experiment_draws_its_first_picture_once_and_not_the_end_before_it(opened):
    """A picture of many numbers takes a good part of a frame, and the first frame has the most else to do."""
    page = opened(EinsumLab(), reduced_motion="no-preference")
    drawings = """n => new Promise(done => {
      const pen = CanvasRenderingContext2D.prototype;
      const { clearRect } = pen;
      let count = 0;
      pen.clearRect = function (...box) {
        count += 1;
        clearRect.apply(this, box);
      };
      document.querySelector('.attn-lab-root').addEventListener('attn-drawn', () => {
        pen.clearRect = clearRect;
        done(count);
      }, { once: true });
      document.querySelectorAll('.chip')[n].click();
    })"""
    for n in range(page.locator(".chip").count()):
        assert page.evaluate(drawings, n) == 1
        settled(page)


def test_a_nudged_number_is_followed_to_the_results_that_change(page):
    start = pixels(page)
    page.get_by_role("button", name=CHANGE).click()
    assert sentence(page) == "5 of 210 scores change: those with b = 1, h = 2 and s = 4, for every l, because k has no l."
    assert indices(page) == {"b": "1", "h": "2", "l": "all", "s": "4", "d": "0"}
    assert pixels(page) != start
    page.get_by_role("button", name="two letters for heads").click()
    assert sentence(page).startswith(
        "15 of 210 scores change: those with b = 1 and s = 4, for every h and l, because k has neither. ✗ The right shape"
    )


def test_how_many_results_change_is_said_when_it_has_been_seen(opened):
    page = opened(EinsumLab(), script="globalThis.said = new Set();", reduced_motion="no-preference")
    page.evaluate("""() => new MutationObserver(() => {
        const [sentence, now] = [...document.querySelectorAll('.saying > *')];
        const isMoving = document.querySelector('.attn-lab-root[data-moving]');
        if (isMoving) said.add(getComputedStyle(sentence).visibility === 'hidden' && now.textContent);
    }).observe(document.querySelector('.saying'), { childList: true, subtree: true, characterData: true })""")
    page.get_by_role("button", name=CHANGE).click()
    settled(page)
    assert page.evaluate("[...said]") == ["k[1, 2, 4, 0] grows from 1 to 2. How many scores change?"]
    assert "5 of 210 scores change" in sentence(page) and page.locator(".meanwhile").inner_text() == ""


def test_a_weight_of_0_is_no_change_and_the_sentence_says_so(opened):
    lab = EinsumLab(formula="bhls,bhsd->bhld", nudge=[1, 1, 2, 6, 0])
    page = opened(lab, reduced_motion="reduce")
    zeros = int((lab.left[1, 2, :, 6] == 0).sum())
    assert zeros > 0 and int(lab.changed.sum()) == 5 - zeros
    assert "because v has no l (unless it adds 0)." in sentence(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_tap_adds_1_to_a_number_and_a_second_tap_takes_it_back(opened, width):
    page = opened(EinsumLab(), width=width, reduced_motion="reduce")
    before = pixels(page)
    offer = page.get_by_role("button", name="add 1 to k[1, 2, 4, 0]")
    box = offer.bounding_box()
    wide, high = (offer.evaluate(f"node => parseFloat(node.style.getPropertyValue('--{name}'))") for name in ("wide", "high"))
    right, middle = box["x"] + box["width"] + wide / 2, box["y"] + box["height"] / 2  # k[1, 2, 4, 1]
    offer.click()
    assert sentence(page).startswith("5 of 210 scores change: those with b = 1, h = 2 and s = 4")
    assert not offer.is_visible() and page.get_by_role("button", name=CHANGE).get_attribute("aria-pressed") == "true"
    for row, said in ((5, "5 of 210 scores change: those with b = 1, h = 2 and s = 5"), (5, GUESS)):
        page.mouse.click(right, middle + (row - 4) * high)
        page.mouse.move(1, 1)
        assert sentence(page).startswith(said)
    assert pixels(page) == before and offer.is_visible()


def test_a_letter_behind_the_arrow_is_crossed_out_by_a_click_and_kept_by_another(film):
    page = film
    letters = page.locator(".formula button")
    assert letters.all_inner_texts() == [*"bhls"]
    before = pixels(page)
    letters.nth(1).click()
    assert "the heads are added up" in sentence(page)
    assert formula_field(page).input_value() == "bhld,bhsd->bls"
    assert page.get_by_role("button", name="forget h").get_attribute("aria-pressed") == "true"
    hint, last = page.locator(".hint"), letters.last.bounding_box()
    assert hint.inner_text() == "← tap to keep" and hint.bounding_box()["x"] - last["x"] - last["width"] < 12, "beside the letters"
    assert letters.all_inner_texts() == [*"bhlsd"] and letters.nth(1).get_attribute("class") == "lost", "each stays where it was"
    letters.nth(1).click()
    assert sentence(page).startswith("✓ The scores.") and pixels(page) == before
    for _ in range(4):
        page.locator(".formula button.kept").first.click()
    assert "B, H, L, D, S are added up: 1 result of 840 terms." in sentence(page)
    assert page.locator(".formula button.kept").count() == 0


WRITTEN = """globalThis.written = [];
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
  written.push(text);
  return write.call(this, text, ...more);
};"""


def test_a_number_that_grew_shows_both_values_and_the_scores_have_a_legend(opened):
    plain = EinsumLab()
    for value, text in ((-1, "−1→0"), (-3, "−3→−2")):
        index = (plain.right == value).nonzero()[0].tolist()
        lab = EinsumLab(nudge=[1, *index])
        page = opened(lab, script=WRITTEN, reduced_motion="reduce")
        most = f"{int(lab.result.abs().max())}"
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 1400})
            settled(page)
            assert {text, most, f"−{most}"} <= set(page.evaluate("written.splice(0)")), width


def test_the_letters_in_a_sentence_are_those_of_the_formula_so_that_l_is_not_read_as_1(opened):
    page = opened(EinsumLab(nudge=[1, 1, 2, 4, 0]), reduced_motion="reduce")
    letters = page.locator(".sentence [data-axis]")
    assert letters.all_inner_texts() == [*"bhsll"]
    assert all("monospace" in one.evaluate("node => getComputedStyle(node).fontFamily") for one in letters.all())


@pytest.mark.parametrize(
    ("formula", "letter", "name"),
    [("bhld,bhsd->bls", "h", "head"), ("bhld,bgsd->bhls", "g", "k head"), ("bhld,bhsd->hls", "b", "sentence")],
)
def test_where_heads_are_added_together_each_has_its_part_of_the_result(opened, formula, letter, name):
    page = opened(EinsumLab(formula=formula, film=True), script=WRITTEN, reduced_motion="reduce")
    page.evaluate("written.length = 0")
    page.locator(".player input").press("End")
    settled(page)
    written = page.evaluate(f"written.slice(written.lastIndexOf('{name} 0'))")
    lab = EinsumLab(formula=formula)
    parts = torch.einsum(formula.replace("->", f"->{letter}"), lab.left, lab.right).flatten(1)[:, -1].tolist()
    told = [(text, written[n + 1]) for n, text in enumerate(written) if text.startswith(name)]
    assert told == [(f"{name} {n}", f"{part:.0f}".replace("-", "−")) for n, part in enumerate(parts)]
    assert sum(parts) == lab.result.flatten()[-1]


def test_on_a_phone_the_parts_of_the_heads_fit_the_picture(opened):
    for formula in ("bhld,bhsd->bls", "bhld,bgsd->bhls"):
        page = opened(EinsumLab(formula=formula, H=4, G=4, film=True), script=WRITTEN, width=390, reduced_motion="reduce")
        page.evaluate("written.length = 0")
        page.locator(".player input").press("End")
        settled(page)
        written = page.evaluate("written")
        assert any(f"{name} 3" in written for name in ("head", "h", "g")), formula


def test_a_result_is_traced_to_its_terms_with_the_keyboard(page):
    lab = EinsumLab()
    blank = pixels(page)
    page.locator(".board canvas").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "PageDown", "End"):  # the first key leads to the first result
        page.keyboard.press(key)
        settled(page)
    at = (1, 1, 1, 1)
    pairs = zip(lab.left[1, 1, 1].int().tolist(), lab.right[1, 1, 1].int().tolist(), strict=True)
    spell = {n: f"(−{-n})" if n < 0 else str(n) for n in range(-20, 20)}
    terms = " + ".join(f"{spell[a]}·{spell[b]}" for a, b in pairs)
    value = f"{int(lab.result[at])}".replace("-", "−")
    assert sentence(page) == f"scores[1, 1, 1, 1] = {terms} = {value}"
    assert indices(page) == {"b": "1", "h": "1", "l": "1", "s": "1", "d": "all"}
    assert pixels(page) != blank
    page.keyboard.press("Escape")
    assert sentence(page) == GUESS


def test_a_number_of_an_operand_is_traced_to_the_results_that_it_affects(page):
    canvas = page.locator(".board canvas")

    def in_right():
        canvas.focus()
        for key in ("Escape", "ArrowDown", "Enter", "Enter"):  # the first result, left, right
            page.keyboard.press(key)
        return sentence(page)

    assert "goes into 5 of 210 scores, one for every l, because k has no l." in in_right()
    open_more(page)
    page.get_by_role("button", name="h under two names").click()
    assert "goes into 15 of 120 outputs, one for every h and l, because v has no h and no l." in in_right()


def test_any_number_of_an_operand_can_be_nudged(page):
    canvas = page.locator(".board canvas")
    for key in ("ArrowDown", "Enter", "Enter", "PageDown", "ArrowRight"):  # the first result, left, right, head 1, d = 1
        canvas.press(key)
    number = sentence(page).split(" goes ")[0]
    page.get_by_role("button", name="add 1 to it").click()
    lab = EinsumLab(nudge=[1, 0, 1, 0, 1])
    assert number.startswith("k[0, 1, 0, 1] = ")
    assert sentence(page).startswith(f"{int(lab.changed.sum())} of 210 scores change: those with b = 0, h = 1 and s = 0")
    assert page.get_by_role("button", name="add 1 to it").count() == 0


def test_a_click_explains_a_number_and_a_second_click_lets_the_loops_run_again(opened):
    page = opened(EinsumLab(step=216), reduced_motion="reduce")  # in the middle of the second table
    canvas = page.locator(".board canvas")
    box = canvas.bounding_box()
    place = {"x": box["width"] - 40, "y": 80}  # in the first row of the scores of head 2
    canvas.click(position=place)
    page.mouse.move(1, 1)
    assert re.match(r"scores\[0, 2, 0, \d\] = ", sentence(page))
    canvas.click(position=place)
    page.mouse.move(1, 1)
    assert sentence(page) == GUESS


def test_playing_lets_go_of_a_pinned_number(film):
    page = film
    page.locator(".board canvas").press("ArrowDown")
    assert sentence(page).startswith("scores[0, 0, 0, 0] = ")
    page.locator(".player input").press("Home")
    assert "Nothing has run yet" in sentence(page)


def test_a_pin_stays_where_its_tensor_keeps_its_shape(page):
    canvas = page.locator(".board canvas")
    canvas.focus()
    for key in ("ArrowDown", "Enter", "Enter", "ArrowDown"):
        page.keyboard.press(key)
    number = sentence(page).split(" goes ")[0]
    assert number.startswith("k[0, 0, 1, 0] = ")
    type_formula(page, "bhld,bgsd->bhls")  # by way of "b", "b,", "b->" and so on
    assert sentence(page).startswith(f"{number} goes into 15 of 210 scores")
    type_formula(page, "bhld,gsd->bhls")
    assert "goes into" not in sentence(page)
    type_formula(page, SCORES)
    assert sentence(page).startswith(f"{number} goes into 5 of 210 scores")


LIT = """axis => [...document.querySelectorAll(`[data-axis=${axis}]`)].filter(node => node.checkVisibility())
  .map(node => getComputedStyle(node).backgroundColor)"""


def test_a_letter_lights_up_in_the_formula_in_its_loop_and_along_its_edges(film):
    page = film
    strips = page.locator(".board .edges i[data-axis=D]")
    assert strips.count() == 2, "d is an edge of q and of k, and of no score"
    assert page.locator(".board .edges i[data-axis=H]").count() == 1, "h is an edge of all matrices of the scores"
    dark = page.evaluate(LIT, "D")
    for point in (strips.first.hover, page.locator(".loop[data-axis=D]").hover):
        point()
        lit = page.evaluate(LIT, "D")
        assert len(lit) > 6 and all(new != old for new, old in zip(lit, dark, strict=True))
        page.mouse.move(1, 1)
        page.locator("h1").hover()
        assert page.evaluate(LIT, "D") == dark


def test_every_number_of_axes_can_be_drawn(page):
    for formula, shape in (("d,d->", ""), ("ld,d->l", "0"), ("bhll->bhl", "0, 0, 0"), ("ll->", "")):
        type_formula(page, formula)
        canvas = page.locator(".board canvas")
        for key in ("Escape", "ArrowDown"):
            canvas.press(key)
        assert sentence(page).startswith(f"result[{shape}] = ")
        canvas.press("Enter")
        assert sentence(page).startswith("left[")


def test_every_other_formula_differs_from_the_rest(page):
    drawn = set()
    open_more(page)
    buttons = page.get_by_role("group", name="other formulas").get_by_role("button").all()
    for button in buttons:
        button.click()
        settled(page)
        assert button.get_attribute("aria-pressed") == "true"
        drawn.add(page.inner_text(".loops"))
    assert len(drawn) == len(buttons) == 8


def test_colours_by_origin_show_which_keys_and_heads_a_result_is_made_of(page):
    looks = {pixels(page)}
    open_more(page)
    for by in ("key", "head"):
        page.locator(f"input[value={by}]").check()
        settled(page)
        looks.add(pixels(page))
    assert len(looks) == 3


def test_without_program_and_time_the_tensors_are_a_small_lab(opened):
    page = opened(EinsumLab(parts=["tensors"], controls=["H"], chips=[]), reduced_motion="reduce")
    assert page.locator(".board canvas").is_visible()
    assert not page.locator(".program").is_visible() and not page.locator(".player").is_visible()
    assert page.locator(".stage .controls > *").count() == 1
