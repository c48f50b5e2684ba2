"""Einsum formulas and EinsumLab: which axes are summed, the equivalent loops, and why a formula is invalid."""

import json
import math
import random
import re

import pytest
import torch
import traitlets
from lab_pages import settled
from node import assert_agree, node

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
    expected = normal(0, "left", [0], 6).mul(2).round()[0].to(attn.device())
    assert torch.equal(long.left[0, 0, 0], expected)


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


def test_the_fallback_shows_which_axis_is_summed():
    fallback = re.sub(r"</?b\b[^>]*>| style=\"[^\"]*\"", "", EinsumLab().fallback())  # without colours and alignment
    assert "(2, 3, 5, 7): 210 results of 4 terms each, 840 multiplications" in fallback
    assert "<td>D</td><td>4</td><td>yes</td><td>yes</td><td>–</td><td>summed: products in pairs, added up</td>" in fallback
    assert "for l in range(5):" in fallback


def random_settings(seed):
    choose = random.Random(seed)
    sizes = {"B": 3, "H": 4, "G": 4, "L": 6, "S": 6, "D": 5, "E": 6}
    return {"formula": random_formula(choose), **{axis: choose.randint(1, most) for axis, most in sizes.items()}}


def test_browser_and_kernel_compute_the_same():
    labs = [EinsumLab(**random_settings(seed)) for seed in range(40)]
    for lab, results in zip(labs, assert_agree(labs, lambda *_: {"share": 0}), strict=True):
        assert ("right" in results) == (lab.right is not None)


# On a page ----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def page(opened):
    return opened(EinsumLab())


def type_formula(page, text):
    field = page.get_by_label("Formula")
    field.press("ControlOrMeta+A")
    field.press_sequentially(text)
    settled(page)


def test_a_formula_takes_effect_while_it_is_typed(page):
    page.get_by_label("Formula").press("End")
    page.get_by_label("Formula").press("Backspace")
    settled(page)
    assert page.inner_text(".about") == "30 results, 28 terms each: 840 multiplications as loops. Torch adds up s first: 120."
    summed = page.locator("tbody tr").filter(has_text="summed alone")
    assert "for s in range(7)" in summed.inner_text()
    assert page.locator(".slider[data-axis=G]").is_hidden()


def test_an_invalid_formula_is_explained_and_the_text_and_the_picture_remain(page):
    before = page.inner_text(".meaning")
    type_formula(page, "bhld,bhsd->bhlt")
    assert page.inner_text(".einsum > .problem").startswith('"t" is not an axis of this book')
    assert page.get_by_label("Formula").input_value() == "bhld,bhsd->bhlt"
    assert page.get_by_label("Formula").get_attribute("aria-invalid") == "true"
    assert page.locator(".meaning.old").count() == 1
    page.locator(".slider[data-axis=L] input").press("ArrowRight")  # bhld,bhsd->bhl still works
    settled(page)
    assert page.get_by_label("Formula").input_value() == "bhld,bhsd->bhlt"
    assert "result (B, H, L) = (2, 3, 6)" in page.inner_text(".result p")
    page.get_by_role("button", name="reset").click()
    settled(page)
    assert page.inner_text(".meaning") == before
    assert page.inner_text(".einsum > .problem") == "" and page.get_by_label("Formula").input_value() == SCORES


def faded(page):
    """For each tensor, the number of pixels that are marked."""
    count = """all => all.map(one => {
      const points = one.getContext("2d").getImageData(0, 0, one.width, one.height).data;
      return points.filter((value, n) => n % 4 === 3 && value > 0).length;
    })"""
    return page.locator(".marks").evaluate_all(count)


def test_a_result_is_traced_to_its_terms_with_the_keyboard(page):
    lab = EinsumLab()
    blank = faded(page)
    page.locator("section.result canvas").first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "PageDown", "End"):  # the first key focuses the first cell
        page.keyboard.press(key)
        settled(page)
    at = (1, 1, 1, 1)
    pairs = zip(lab.left[1, 1, 1].int().tolist(), lab.right[1, 1, 1].int().tolist(), strict=True)
    spell = {n: f"(−{-n})" if n < 0 else str(n) for n in range(-20, 20)}
    terms = " + ".join(f"{spell[a]}·{spell[b]}" for a, b in pairs)
    value = f"{int(lab.result[at])}".replace("-", "−")
    assert page.inner_text(".pinned") == f"result[1, 1, 1, 1] = {terms} = {value}"
    assert page.locator("[data-loop=l]").inner_text().strip() == "# l = 1"
    assert page.locator("[data-loop=d]").inner_text().strip() == ""
    assert all(before == 0 < after for before, after in zip(blank, faded(page), strict=True))
    page.locator("section.result canvas").first.click(position={"x": 2, "y": 2})  # beside the tables: unpins
    settled(page)
    assert faded(page) == blank


def test_a_number_of_an_operand_is_traced_to_the_results_that_it_affects(page):
    page.locator("section.right canvas").first.focus()
    page.keyboard.press("ArrowDown")
    settled(page)
    assert "goes into 5 of 210 results, along L: right does not have it." in page.inner_text(".pinned")
    page.get_by_role("button", name="h under two names").click()
    settled(page)
    page.locator("section.right canvas").first.focus()
    page.keyboard.press("ArrowDown")
    settled(page)
    assert "goes into 15 of 120 results, along H and L: right does not have them." in page.inner_text(".pinned")


def test_a_pin_stays_where_its_tensor_keeps_its_shape(page):
    page.locator("section.right canvas").first.focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
        settled(page)
    number = page.inner_text(".pinned").split(" goes ")[0]
    assert number.startswith("right[0, 0, 1, 0] = ")
    type_formula(page, "bhld,bgsd->bhls")  # by way of "b", "b,", "b->" and so on
    assert page.inner_text(".pinned").startswith(f"{number} goes into 15 of 210 results")
    type_formula(page, "bhld,gsd->bhls")
    assert page.inner_text(".pinned").startswith("Point at a number")
    page.get_by_role("button", name="scores").click()
    settled(page)
    assert page.inner_text(".pinned").startswith(f"{number} goes into 5 of 210 results")
    page.locator("section.right canvas").first.click(position={"x": 2, "y": 2})  # unpins
    page.get_by_role("button", name="b forgotten").click()
    settled(page)
    assert page.inner_text(".pinned").startswith("Point at a number")


def test_on_a_phone_the_table_shows_which_tensors_have_each_letter(opened):
    page = opened(EinsumLab(), width=390)
    settled(page)
    heads = page.locator("thead .where").evaluate_all("all => all.map(one => getComputedStyle(one, '::before').content)")
    assert heads == ['"l"', '"r"', '"="']
    table, room = (page.locator(one).bounding_box() for one in (".einsum table", ".einsum .scroll"))
    assert table["width"] <= room["width"] + 1
    signs = page.locator("tbody .where")
    assert signs.count() == 15
    assert min(sign.bounding_box()["width"] for sign in signs.all()) > 10


def test_every_number_of_axes_can_be_drawn(page):
    for formula, shape in (("d,d->", "()"), ("ld,d->l", "(5)"), ("bhll->bhl", "(2, 3, 5)"), ("ll->", "()")):
        type_formula(page, formula)
        assert page.inner_text(".result p").split(" = ")[1].startswith(shape)
        assert page.locator("section.right").is_hidden() == ("," not in formula)
        page.locator("section.result canvas").first.focus()
        page.keyboard.press("ArrowDown")
        settled(page)
        assert page.inner_text(".pinned").startswith("result[")


def test_every_example_is_a_formula_that_differs_from_the_others(page):
    drawn = set()
    for button in page.get_by_role("group", name="examples").get_by_role("button").all():
        button.click()
        settled(page)
        assert button.get_attribute("aria-pressed") == "true"
        drawn.add(page.inner_text("tbody"))
    assert len(drawn) == 9
