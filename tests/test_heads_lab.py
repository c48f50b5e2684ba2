"""HeadsLab: its heads equal NumPy's, its parts add up to y, its costs equal the counts of torch, and the browser agrees."""

import random
import re

import numpy as np
import pytest
import torch
import traitlets
from lab_pages import LINK, settled
from node import assert_agree, javascript_constants
from torch.testing import assert_close
from torch.utils.flop_counter import FlopCounterMode

import attn
from attn import reference
from attn.labs import HeadsLab
from attn.labs.heads.lab import WIDTHS
from attn.labs.inputs import normal
from attn.lessons import language, reader
from attn.shapes import ShapeError

CLOSE = {"rtol": 1e-4, "atol": 1e-5}


def parameters(lab):
    return [normal(lab.seed, name, range(lab.E), lab.E).numpy() / np.sqrt(lab.E) for name in ("W_Q", "W_K", "W_V", "W_O")]


def vectors(lab):
    return normal(lab.seed, "word", range(lab.L), lab.E)


def random_settings(seed):
    choose = random.Random(seed)
    E = choose.choice((12, 16))
    H = choose.choice([n for n in range(1, E + 1) if E % n == 0])
    if seed % 4 == 0:  # the recorded layer
        E, H = 12, 3
    return {
        "E": E,
        "H": H,
        "L": choose.randint(1, 7),
        "off": sorted(choose.sample(range(H), choose.choice((0, 0, H // 2)))),
        "project": choose.choice((True, True, False)),
        "merge": choose.choice(("right", "wrong")),
        "seed": 0 if seed % 4 == 0 else choose.randint(0, 9999),
    }


# The kernel ---------------------------------------------------------------------------------------------------------------


def test_at_its_sizes_the_layer_is_the_recorded_one_and_at_others_the_numbers_are_random():
    lab = HeadsLab()
    ids = torch.tensor([[language.NUMBER[word] for word in language.EXAMPLES[0].split()]])
    steps = reader.recorded().steps(ids)
    assert lab.trained and lab.words == language.EXAMPLES[0].split()
    assert_close(lab.y.cpu(), steps.y[0].detach(), **CLOSE)
    assert_close(lab.heads.cpu(), steps.heads[0].detach(), **CLOSE)
    assert_close(lab.logits.cpu(), reader.recorded().answers(steps.y[0]).detach(), **CLOSE)
    for other in ({"H": 4}, {"seed": 1}, {"E": 16, "H": 4}):
        assert not HeadsLab(**other).trained and HeadsLab(**other).logits is None
    assert HeadsLab(L=4).trained


def test_each_head_that_is_off_takes_its_own_answer_away_and_no_other():
    found = language.EXAMPLES[0].split().index("found")
    sizes = [len(language.CLASSES[question]) for question in reader.ASKED]

    def chances(lab):
        answers = [
            language.CLASSES[question].index(lab.words[place])
            for question, place in zip(reader.ASKED, (0, 5, 6), strict=True)  # girls, gold, today
        ]
        return [float(logits.softmax(-1)[n]) for logits, n in zip(lab.logits[found].split(sizes), answers, strict=True)]

    assert min(chances(HeadsLab())) > 0.98
    for h in range(3):
        left = chances(HeadsLab(off=[h]))
        assert left.pop(h) < 0.3 and min(left) > 0.98


@pytest.mark.parametrize("E,H", [(12, 1), (12, 4), (12, 12), (16, 4), (16, 8)])
def test_y_equals_the_result_of_loops_over_heads_with_the_same_parameters(E, H):
    lab = HeadsLab(E=E, H=H, L=5, seed=3)
    x = vectors(lab)[None].numpy()
    y = reference.multi_head_attention(x, x, parameters(lab), [np.zeros(E)] * 4, H, H, None)
    assert_close(lab.y.cpu(), torch.from_numpy(y[0]).float(), **CLOSE)
    assert lab.y.device.type == attn.device().type


def test_parts_add_up_to_y_and_shares_to_one(subtests):
    for seed in range(12):
        with subtests.test(seed=seed):
            lab = HeadsLab(**random_settings(seed))
            assert_close(lab.parts.sum(0), lab.y, **CLOSE)
            assert_close(lab.y, lab.concat @ lab.W_O, **CLOSE)
            alive = (lab.y.norm(dim=-1) > 0).float()
            assert_close(lab.shares.sum(0), alive, rtol=0, atol=1e-4)
            assert_close(lab.norms, lab.parts.square().sum(-1).sqrt(), **CLOSE)
            assert_close(lab.whole, HeadsLab(**random_settings(seed) | {"off": []}).parts)


def test_a_head_that_is_off_contributes_nothing_and_the_others_contribute_the_same_as_before():
    whole, lab = HeadsLab(H=4, seed=2), HeadsLab(H=4, seed=2, off=[1])
    assert (lab.parts[1] == 0).all() and (lab.shares[1] == 0).all()
    assert_close(lab.parts[[0, 2, 3]], whole.parts[[0, 2, 3]])
    assert (HeadsLab(off=[0, 1, 2]).shares == 0).all()


def test_without_w_o_each_head_writes_its_own_columns_and_no_share_is_negative():
    lab = HeadsLab(H=4, seed=20, project=False)
    own = torch.arange(12, device=lab.y.device) // 3 == torch.arange(4, device=lab.y.device)[:, None]
    assert (lab.parts[~own[:, None].expand(4, 7, 12)] == 0).all()
    assert (lab.shares >= 0).all() and (HeadsLab(H=4, seed=20).shares < 0).any()


def test_after_the_wrong_merge_a_row_has_numbers_of_other_words_unless_there_is_one_head_or_one_word():
    lab = HeadsLab(merge="wrong", H=4, L=5)
    assert lab.from_head[1].tolist() == [0] * 3 + [1] * 9
    assert lab.from_word[1].tolist() == [4] * 3 + [0] * 3 + [1] * 3 + [2] * 3
    assert torch.equal(lab.concat, lab.heads[lab.from_head, lab.from_word, torch.arange(12, device=lab.y.device) % 3])
    assert not torch.equal(lab.y, HeadsLab(H=4, L=5).y)
    for hiding in ({"H": 1}, {"L": 1}):
        assert_close(HeadsLab(merge="wrong", **hiding).y, HeadsLab(**hiding).y)


def test_the_costs_equal_the_counts_of_torch():
    for E, H, L in ((12, 3, 5), (16, 8, 6), (12, 1, 2)):
        lab, layer = HeadsLab(E=E, H=H, L=L), attn.MultiHeadAttention(E, H, bias=False)
        with FlopCounterMode(display=False) as counted:
            steps = layer.steps(torch.randn(1, L, E))
        assert lab.flops == counted.get_total_flops()
        assert lab.parameters == sum(parameter.numel() for parameter in layer.parameters())
        assert lab.stored == steps.scores.numel()


def test_a_lab_does_not_change_the_readers_random_numbers():
    torch.manual_seed(5)
    before = torch.get_rng_state()
    HeadsLab(H=6)
    assert torch.equal(torch.get_rng_state(), before)


def test_a_new_number_of_heads_switches_all_heads_on_and_a_new_width_adjusts_their_number():
    lab = HeadsLab(E=16, H=8, off=[1, 5])
    lab.H = 4
    assert lab.off == []
    lab.off = [3, 0, 3]
    assert lab.off == [0, 3]
    lab.E = 12
    assert (lab.H, lab.off) == (4, [0, 3])
    lab.set_trait("E", 16)
    lab.H = 16
    lab.E = 12
    assert (lab.H, lab.off) == (12, [])


@pytest.mark.parametrize(
    "settings,error,message",
    [
        ({"H": 5}, ShapeError, r"E = 12 is not a multiple of H = 5.*\[1, 2, 3, 4, 6, 12\]"),
        ({"off": [4]}, ShapeError, r"off = \[4\]: there is no head 4; H = 3 heads are numbered 0 to 2"),
        ({"E": 20}, traitlets.TraitError, "E"),
        ({"L": 8}, traitlets.TraitError, "1 to 7"),
        ({"merge": "sideways"}, traitlets.TraitError, "merge"),
        ({"off": [-1]}, traitlets.TraitError, "off"),
        ({"pin": [1]}, traitlets.TraitError, "pin"),
        ({"part": "both"}, traitlets.TraitError, "part"),
        ({"block": -1}, traitlets.TraitError, "block"),
    ],
)
def test_an_invalid_setting_is_refused(settings, error, message):
    with pytest.raises(error, match=message):
        HeadsLab(**settings)
    lab = HeadsLab()
    before = lab.state
    with pytest.raises(error):
        setattr(lab, *next(iter(settings.items())))
    assert lab.state == before and lab._message


def test_the_fallback_shows_what_the_heads_contribute_and_what_they_cost():
    lab = HeadsLab(pin=[2, 9])
    fallback = re.sub(r" style=\"[^\"]*\"", "", lab.fallback())  # numbers are aligned to the right
    assert "adds to y[old], column 9" in fallback and "576 parameters and 10,416 FLOPs of the products" in fallback
    assert "147 stored scores" in fallback
    for h, name in enumerate(("who", "what", "when")):
        assert f"<td>head {h} ({name})</td><td>{lab.parts[h, 2, 9]:+.3f}</td>" in fallback
    assert "<td>+100.0%</td>" in fallback
    assert f"<td>head 1</td><td>{HeadsLab(H=4, pin=[2, 9]).parts[1, 2, 9]:+.3f}</td>" in re.sub(
        r" style=\"[^\"]*\"", "", HeadsLab(H=4, pin=[2, 9]).fallback()
    )


# The browser --------------------------------------------------------------------------------------------------------------

STILL = {"reduced_motion": "reduce"}
# Collects what is written on canvases.
WRITTEN = """globalThis.written = []; const fillText = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
  written.push(text);
  fillText.call(this, text, ...at);
};"""


def test_browser_and_kernel_compute_the_same():
    labs = [HeadsLab(**random_settings(seed)) for seed in range(80)]
    assert_agree([lab for lab in labs if lab.trained])
    assert_agree([lab for lab in labs if not lab.trained])
    kinds = {(lab.merge, lab.project, bool(lab.off), lab.trained) for lab in labs}
    assert len(kinds) == 16, "the random settings do not include every kind"


def test_python_and_javascript_have_the_same_widths():
    assert javascript_constants("heads/model", "WIDTHS") == [list(WIDTHS)]


def spelled(value, digits=2):
    return f"{float(value):.{digits}f}".replace("-", "−")


def told(page):
    settled(page)
    return page.locator(".sentence").inner_text().replace("\u00a0", " ")


def answers(page):
    settled(page)
    return [box.replace("\n", " ") for box in page.locator(".heads-answers .boxes > div").all_inner_texts()]


def reading(lab, i, e):
    """What the lab says of number e of word i's y: the number, and what each head adds to it."""
    terms = " + ".join(map(spelled, lab.parts[:, i, e].tolist())).replace("+ −", "− ")
    return f"Number {e} of y is {spelled(lab.y[i, e])}: {terms}, one number from each head."


def cell_of(page, row, column):
    """Where a cell of the table is on a wide page: its columns begin after 138 pixels."""
    box = page.locator(".board canvas").bounding_box()
    assert box["width"] >= 860
    top = 22 + 39 * row + 18 if row < 3 else 22 + 39 * 3 + 7 + 27
    return box["x"] + 138 + (column + 0.5) * min(84, (box["width"] - 140) // 12), box["y"] + top


def test_keys_lead_to_the_next_number_word_and_head_and_space_switches_the_head(opened):
    lab = HeadsLab(pin=[2, 9])
    page = opened(lab, **STILL)
    canvas = page.locator(".board canvas")
    for key, (i, e) in (("ArrowRight", (2, 10)), ("PageDown", (3, 10)), ("ArrowLeft", (3, 9))):
        canvas.press(key)
        assert told(page) == reading(lab, i, e)
    page.locator("[role=status]").get_by_text("y of kings, number 9").wait_for(state="attached")
    canvas.press("ArrowUp")  # from y to the rows of W_O behind its last head
    assert "head 2 adds is its 4 numbers in concat times rows 8 to 11 of W_O" in told(page)
    assert page.locator(".front").is_hidden()
    canvas.press("Space")
    assert told(page).startswith("12 of 12 numbers of y change. Without head 2, the length of y of “kings” goes")
    canvas.press("Space")
    canvas.press("ArrowDown")
    assert "added tip to tail, are y of “kings”" in told(page)
    canvas.press("ArrowLeft")
    assert told(page) == reading(lab, 3, 8)
    page.get_by_role("button", name="reset").click()
    assert "added tip to tail, are y of “old”" in told(page)


@pytest.mark.parametrize("row", [0, 3])
def test_a_tap_on_a_bar_of_a_head_or_of_y_reads_it_and_a_second_one_closes_it(opened, row):
    lab = HeadsLab()
    page = opened(lab, script=WRITTEN, **STILL)
    start = told(page)
    page.mouse.click(*cell_of(page, row, 2))
    assert told(page) == reading(lab, 4, 2)
    page.evaluate("written.length = 0")
    page.mouse.move(5, 5)
    settled(page)
    written = page.evaluate("written")
    assert spelled(lab.y[4, 2]) in written, "what is read stays when the mouse leaves"
    assert [text for text in written if text.endswith("%")] == ["26 %", "17 %", "57 %"], "each share stands once"
    page.mouse.click(*cell_of(page, row, 3))
    assert told(page) == reading(lab, 4, 3)
    page.mouse.click(*cell_of(page, row, 3))
    assert told(page) == start
    page.mouse.click(*cell_of(page, row, 3))
    page.locator(".heads-text").get_by_text("old", exact=True).click()
    assert "are y of “old”" in told(page), "another word, another sentence"


def test_the_rows_of_w_o_take_the_place_of_the_arrows_and_their_numbers_add_up(opened):
    lab = HeadsLab()
    page = opened(lab, **STILL)
    settled(page)
    below = page.locator(".sentence").bounding_box()["y"]
    bottom = sum(page.locator(".board canvas").bounding_box()[side] for side in ("y", "height"))
    page.get_by_role("button", name="W_O's rows for head 0").click()
    settled(page)
    page.mouse.click(*cell_of(page, 0, 2))  # of the table as it was: there the header is now
    canvas = page.locator(".board canvas")
    for _ in range(5):
        canvas.press("ArrowLeft")
    products = told(page).split("Number 2: ")[1]
    terms = [spelled(factor * row) for factor, row in zip(lab.concat[4, :4].tolist(), lab.W_O[:4, 2].tolist(), strict=True)]
    assert products == f"{' + '.join(terms).replace('+ −', '− ')} ≈ {spelled(lab.parts[0, 4, 2])}."
    assert page.locator(".front").is_hidden() and page.locator(".sentence").bounding_box()["y"] == below
    assert sum(canvas.bounding_box()[side] for side in ("y", "height")) == pytest.approx(bottom, abs=2), "y stays where it is"


def test_a_tap_on_an_arrow_takes_its_head_away_and_brings_it_back_and_a_tap_on_a_word_shows_its_y(opened):
    lab = HeadsLab()
    page = opened(lab, **STILL)
    start = told(page)
    arrows = page.locator(".front canvas")
    box = arrows.bounding_box()
    places = """node => {
      const { left, top, width, height } = node.getBoundingClientRect();
      const found = [];
      for (let y = 8; y < height; y += 6)
        for (let x = 8; x < width; x += 6) {
          node.dispatchEvent(new PointerEvent('pointermove', { clientX: left + x, clientY: top + y }));
          if (node.style.cursor) found.push({ x, y });
        }
      return found;
    }"""
    found = arrows.evaluate(places)
    assert found and len(found) < box["width"] * box["height"] / 36 / 2, "arrows can be tapped, and what is beside them cannot"
    arrows.click(position=found[0])  # the highest: the second arrow or its name
    assert told(page).startswith("12 of 12 numbers of y change; 1 of 3 answers is lost. Without head 1,")
    arrows.click(position=arrows.evaluate(places)[-1])  # the lowest: the arrow that is missing, or its name
    assert told(page) == start
    page.locator(".heads-text").get_by_text("old", exact=True).click()
    assert "are y of “old”" in told(page)


def test_the_sentence_is_shown_with_the_word_whose_y_it_is(opened):
    page = opened(HeadsLab(), **STILL)
    settled(page)
    text = page.locator(".heads-text")
    assert text.inner_text() == language.EXAMPLES[0] and text.locator("mark").inner_text() == "found"
    page.get_by_label("whose y").press("Home")
    settled(page)
    assert text.locator("mark").all_inner_texts() == ["girls"]
    page.locator(".more summary").dispatch_event("click")
    page.get_by_role("radio", name="the merge").check()
    settled(page)
    assert text.is_visible()


def test_a_head_that_is_switched_off_takes_its_answer_and_the_sentence_says_how_often(opened):
    page = opened(HeadsLab(), **STILL)
    assert [box.split()[:2] for box in answers(page)] == [["who?", "girls"], ["what?", "gold"], ["when?", "today"]]
    assert all(box.endswith("✓") for box in answers(page))
    page.locator(".more summary").dispatch_event("click")
    off = page.get_by_label("switched off")
    without = [question["without"] for question in reader.record()["measured"]["questions"] if question["asks"] == "verb"]
    for h in range(3):
        off.press("ArrowRight")
        signs = [box[-1] for box in answers(page)]
        assert [sign == "✓" for sign in signs] == [n != h for n in range(3)]
        assert f"right in {100 * without[h][h]:.0f} %, instead of 100 %" in told(page)
        assert told(page).startswith("12 of 12 numbers of y change; 1 of 3 answers is lost.")


def test_the_answers_follow_the_sum_while_the_heads_are_added_up(opened):
    page = opened(HeadsLab(), reduced_motion="no-preference")
    page.evaluate(
        """() => { globalThis.seen = []; new MutationObserver(() => seen.push(
        [...document.querySelectorAll('.heads-answers b')].map(node => node.textContent).join(' ')))
        .observe(document.querySelector('.heads-answers'), { subtree: true, childList: true, characterData: true }) }"""
    )
    page.get_by_role("button", name="add the heads up").click()
    settled(page)
    seen = list(dict.fromkeys(page.evaluate("seen")))
    whole = HeadsLab()
    for n in range(1, 4):
        y = whole.parts[:n, 4].sum(0)
        logits = reader.recorded().answers(y.cpu()).split([len(language.CLASSES[question]) for question in reader.ASKED])
        best = [language.CLASSES[q][int(one.argmax())] for q, one in zip(reader.ASKED, logits, strict=True)]
        assert " ".join(best) in seen
    assert seen[-1] == "girls gold today"


def test_the_answers_change_while_the_arrow_leaves_and_the_sentence_comes_at_the_end(opened):
    page = opened(HeadsLab(), reduced_motion="no-preference")
    page.evaluate(
        """() => { globalThis.seen = []; new MutationObserver(() => seen.push(
        [document.querySelectorAll('.heads-answers .chance')[1].textContent, document.querySelector('.meanwhile').textContent]))
        .observe(document.querySelector('.heads-answers'), { subtree: true, childList: true, characterData: true }) }"""
    )
    page.get_by_role("button", name="without head 1").click()
    settled(page)
    chances = [int(chance.split()[0]) for chance, meanwhile in page.evaluate("seen") if meanwhile]
    assert chances == sorted(chances, reverse=True) and any(25 < chance < 95 for chance in chances)
    assert answers(page)[1] == "what? gold 20 %, a guess", "the word is right, and a guess"


def test_the_slider_of_heads_moves_through_the_divisors_and_the_costs_are_counted(opened):
    page = opened(HeadsLab(), **STILL)
    heads = page.get_by_label("H heads")
    page.locator(".more summary").dispatch_event("click")
    for H in (4, 6, 12):
        heads.press("ArrowRight")
        settled(page)
        assert heads.get_attribute("aria-valuetext") == str(H)
        lab = HeadsLab(H=H)
        costs = page.locator(".costs").inner_text().replace("\n", " ")
        for text in (f"D = {12 // H}", "parameters 576", f"{lab.flops:,}", f"stored scores {lab.stored}"):
            assert text in costs
        assert "the numbers are random" in told(page)
    assert "negative" in told(page) and (lab.shares[:, 4] < 0).any()


def test_all_further_controls_are_three_rows_below_the_lab(opened):
    page = opened(HeadsLab(), **STILL)
    closed = page.locator(".more").bounding_box()["height"]
    page.locator(".more summary").dispatch_event("click")
    assert page.locator(".more").bounding_box()["height"] - closed < 140


def test_the_wrong_merge_counts_the_pieces_in_the_wrong_place_and_spoils_the_answers(opened):
    page = opened(HeadsLab(), **STILL)
    page.locator(".more summary").dispatch_event("click")
    page.get_by_role("radio", name="the merge").check()
    page.get_by_role("radio", name="without transpose", exact=True).check()
    lab = HeadsLab(merge="wrong")
    at_home = (lab.from_word == torch.arange(7, device=lab.y.device)[:, None]) & (
        lab.from_head == torch.arange(12, device=lab.y.device) // 4
    )
    assert told(page).startswith(f"✗ {21 - int(at_home.sum()) // 4} of 21 pieces are in the wrong place.")
    assert "“gold” and “today” of head 1 and “girls” of head 2" in told(page)
    assert "After W_O, who? is answered “thieves” (61 %), not “girls”." in told(page)
    assert page.inner_text(".question") == lab.QUESTION
    pieces = page.locator(".picture > canvas")
    before = pieces.evaluate("node => node.toDataURL()")
    pieces.press("ArrowDown")
    settled(page)
    assert "The row of “gold” holds" in told(page) and pieces.evaluate("node => node.toDataURL()") != before
    pieces.press("ArrowUp")
    page.get_by_role("radio", name="the sum").check()
    assert "✗ No error, and a wrong y of “found”" in told(page)
    assert answers(page)[0].startswith("who? thieves") and answers(page)[0].endswith("✗")
    page.get_by_role("radio", name="with transpose", exact=True).check()
    assert all(box.endswith("✓") for box in answers(page))


def test_the_merge_alone_is_a_small_lab_and_at_one_head_it_says_that_the_mistake_cannot_be_seen(opened):
    chips = [("with transpose", {"merge": "right"}), ("without transpose", {"merge": "wrong"})]
    page = opened(HeadsLab(parts=["merge"], controls=["merge", "H"], chips=chips), **STILL)
    assert page.locator(".board").is_hidden() and page.locator(".tabs").is_hidden()
    assert told(page).startswith("✓ Every piece is in the row of its word.")
    page.locator(".chip").nth(1).dispatch_event("click")
    assert told(page).startswith("✗ 18 of 21 pieces")
    page.get_by_label("H heads").press("Home")
    assert told(page).startswith("⚠ At H = 1 the transpose changes nothing.")


# How wide the page is with each of these settings, and how far its canvases and the picture go to the right.
EDGES = f"""async all => {{
  const edges = [];
  for (const settings of all) {{
    await ({LINK})(settings);
    const [picture, ...canvases] = document.querySelectorAll('.stage .picture, .stage canvas');
    const right = node => node.getBoundingClientRect().right;
    const rights = canvases.filter(one => one.checkVisibility()).map(right);
    edges.push([document.documentElement.scrollWidth, right(picture), rights]);
  }}
  return edges;
}}"""


def test_on_a_phone_and_in_a_notebook_nothing_is_cut_off(opened):
    page = opened(HeadsLab(), **STILL)
    settings = ["", "H=12", "E=16&H=16", "H=12&part=merge&merge=wrong", "block=1"]
    for width in (360, 390, 600, 900, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        for which, (wide, edge, rights) in zip(settings, page.evaluate(EDGES, settings), strict=True):
            if width < 1000:  # on a wider page a lab is wider than the text, and the margins of this one are narrow
                assert wide <= width, which
            assert rights and max(rights) <= edge + 0.5, (which, width)


def test_a_link_that_is_invalid_says_why_and_reset_leads_back(opened):
    page = opened(HeadsLab(), fragment="#lab-1?H=5", **STILL)
    assert "E = 12 is not a multiple of H = 5" in page.get_by_role("alert").inner_text()
    page.get_by_role("button", name="reset").click()
    assert "Three vectors" in told(page)


def test_numbers_stand_in_the_chosen_column_alone_also_on_a_phone(opened):
    lab = HeadsLab(block=0)
    for width in (390, 1280):
        page = opened(lab, script=WRITTEN, width=width, **STILL)
        settled(page)
        numbers = [text for text in page.evaluate("written") if re.fullmatch(r"−?\d+\.\d\d", text)]
        products = map(spelled, (lab.concat[4, :4] * lab.W_O[:4, 7]).tolist())
        assert sorted({*numbers}) == sorted({*products, *map(spelled, lab.parts[:, 4, 7].tolist()), spelled(lab.y[4, 7])})
