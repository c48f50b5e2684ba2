"""RopeLab: terms and scores are those of rotary positions, and the picture says what moves change."""

import cmath
import json
import random
import re

import pytest
import torch
import traitlets
from lab_pages import settled, shown
from node import assert_agree, javascript_constants, node
from playwright.sync_api import expect

import attn
from attn.labs import RopeLab
from attn.labs.rope.lab import BASES, TURNS


def random_settings(seed):
    chosen = random.Random(seed)
    return {
        "query": chosen.randint(0, 4096),
        "key": chosen.randint(0, 4096),
        "D": 2 * chosen.randint(1, 8),
        "base": chosen.choice(BASES),
        "turn": chosen.choice(TURNS),
        "equal": chosen.random() < 0.3,
        "seed": chosen.randint(0, 99),
    }


@pytest.mark.parametrize("seed", range(6))
def test_a_term_is_the_product_of_two_complex_numbers_that_are_turned(seed):
    lab = RopeLab(**random_settings(seed))
    half = lab.D // 2
    want = []
    for d in range(half):
        q, k = (complex(of[d], of[d + half]) for of in (lab.q, lab.k))
        speed = lab.base ** (-d / half)
        q *= cmath.exp(1j * lab.query * speed) if lab.turn != "none" else 1
        k *= cmath.exp(1j * lab.key * speed) if lab.turn == "both" else 1
        want.append((q * k.conjugate()).real)
    torch.testing.assert_close(lab.terms.cpu(), torch.tensor(want, dtype=torch.float64))
    assert lab.score == pytest.approx(sum(want))
    assert lab.equal == torch.equal(lab.q, lab.k)


def test_the_score_is_that_of_the_packages_function_before_the_division():
    lab = RopeLab(query=9, key=4, D=12)
    q, k = (attn.rotary(of[None], torch.tensor([at], device=of.device)) for of, at in ((lab.q, 9), (lab.k, 4)))
    assert lab.score == pytest.approx(float((q * k).sum()))
    torch.testing.assert_close(lab.turned_q, q[0])
    torch.testing.assert_close(lab.turned_k, k[0])


@pytest.mark.parametrize("by", [1, 100, 4000])
def test_if_both_tokens_move_the_terms_stay_and_with_q_alone_they_do_not(by):
    for turn in TURNS:
        here, there = (RopeLab(query=5 + add, key=2 + add, turn=turn) for add in (0, by))
        apart = (here.terms - there.terms).abs().max()
        assert (apart > 0.1) == (turn == "q") and (apart < 1e-9) == (turn != "q")


def test_settings_that_do_not_fit_are_refused_with_the_same_message_on_both_sides():
    with pytest.raises(attn.ShapeError, match="D = 7 is odd: rotary positions turn pairs") as error:
        RopeLab(D=7)
    for wrong in ({"query": -1}, {"key": 5000}, {"D": 18}, {"base": 7}, {"turn": "k"}, {"clock": 8}):
        with pytest.raises(traitlets.TraitError):
            RopeLab(**wrong)
    script = f"""import {{ compute }} from './src/attn/labs/rope/model.js';
    try {{ compute({json.dumps(RopeLab().state | {"D": 7})}); }} catch (error) {{ console.log(error.message); }}"""
    assert node("--input-type=module", "-e", script).stdout.strip() == str(error.value)


def test_browser_and_kernel_compute_the_same():
    assert_agree([RopeLab(**random_settings(seed)) for seed in range(20)])


def test_the_sliders_reach_every_position_of_the_experiments():
    (marks,) = javascript_constants("rope/marks", "MARKS")
    assert marks == sorted(set(marks)) and (marks[0], marks[-1]) == RopeLab.LIMITS["query"]


def test_without_a_browser_it_lists_the_terms_at_two_places():
    page = RopeLab().fallback()
    assert page.count("<tr>") == 1 + 4 + 1 and "channels" in page and "q at 105, k at 102" in page
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", page)
    assert cells[2::4] == cells[3::4]
    assert "computed again" in RopeLab(turn="q").fallback()


def test_the_sentence_and_the_slider_of_both_tell_that_nothing_changes(opened):
    page = opened(RopeLab(), reduced_motion="reduce")
    sentence, score = page.locator(".sentence"), f"{RopeLab().score:.2f}"
    expect(sentence).to_contain_text(f"a score of {score}. What if both move?")
    page.get_by_role("button", name="move both by 100").click()
    expect(sentence).to_contain_text("Both moved by 100 positions. On each clock both hands turned by the same angle")
    expect(sentence).to_contain_text(f"The score was {score} and is {score}.")
    both = page.get_by_label("move both")
    expect(both).to_have_attribute("aria-valuetext", "+100")
    both.press("Home")
    expect(both).to_have_attribute("aria-valuetext", "−2")
    expect(sentence).to_contain_text("Both moved back by 2 positions.")
    expect(page.get_by_label("query at")).to_have_attribute("aria-valuetext", "3")
    both.press("End")
    expect(page.get_by_label("query at")).to_have_attribute("aria-valuetext", "4,003")
    page.get_by_role("button", name="reset").click()
    expect(both).to_have_attribute("aria-valuetext", "0")
    page.get_by_role("button", name="move the query alone").click()
    expect(both).to_have_attribute("aria-valuetext", "0")  # one of them stayed
    expect(sentence).to_contain_text(f"The score went from {score} to {RopeLab(query=12).score:.2f}.")


def test_a_clock_is_chosen_by_a_click_and_by_keys_and_explained(opened):
    page = opened(RopeLab(), reduced_motion="reduce")
    about, start = page.locator(".about"), shown(page)
    page.locator(".clocks canvas").focus()
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    settled(page)
    lab = RopeLab(clock=1)
    expect(about).to_contain_text("Channels 1 and 5 turn by 0.1 a position.")
    expect(about).to_contain_text(f"= {lab.terms[1]:.2f}.".replace("-", "−"))
    page.keyboard.press("Escape")
    settled(page)
    assert shown(page) == start
    box = page.locator(".clocks canvas").bounding_box()
    page.mouse.click(box["x"] + 60, box["y"] + box["height"] - 90)
    settled(page)
    expect(about).to_contain_text("Channels 0 and 4 turn by 1 a position.")
