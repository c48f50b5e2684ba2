"""CacheLab: a run with a cache equals a full pass exactly where it should, and overwriting changes the right rows."""

import random
import re

import pytest
import torch
import torch.nn.functional as F
import traitlets
from lab_pages import controls, settled
from node import assert_agree
from torch.utils.flop_counter import FlopCounterMode

import attn
from attn.labs import CacheLab

EQUAL = 1e-5


def test_each_row_of_a_causal_run_equals_the_same_row_of_a_full_pass():
    for layer in (1, 2):
        lab = CacheLab(layer=layer, overwrite="nothing", S=9, P=4, G=2, D=5)
        q, k, v = (tensor[None].cpu() for tensor in (lab.q, lab.k, lab.v))
        k, v = (tensor.repeat_interleave(2, 1) for tensor in (k, v))
        want = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        torch.testing.assert_close(lab.heads[None].cpu(), want)
        torch.testing.assert_close(lab.weights.cpu() @ v[0], want[0])
        assert (lab.weights.sum(-1) - 1).abs().max() < EQUAL
        assert max(lab.gap.max(), lab.stale.max(), lab.stale_q.max(), lab.stale_weights.max()) < EQUAL and lab.moved.max() == 0


@pytest.mark.parametrize("P", [1, 4, 6])
def test_without_a_mask_only_the_newest_row_of_layer_1_equals_the_full_pass(P):
    first, second = (CacheLab(causal=False, layer=layer, S=8, P=P) for layer in (1, 2))
    assert first.gap[-1] < EQUAL and first.stale.max() < EQUAL and first.stale_q.max() < EQUAL
    assert (first.gap[:-1] > 0.01).all()
    assert (second.gap > 0.001).all() and (second.stale[:-1] > 0.001).all() and second.stale[-1] < EQUAL
    assert (second.stale_q[:-1] > 0.001).all() and second.stale_q[-1] < EQUAL


@pytest.mark.parametrize("what", ["nothing", "q", "k", "v"])
@pytest.mark.parametrize("layer", [1, 2])
def test_stale_rows_are_the_rows_that_a_prefill_of_all_words_computes_differently(layer, what):
    """Overwriting does not count as a difference."""
    settings = {"causal": False, "layer": layer, "S": 6, "G": 2}
    drawn, full = (CacheLab(P=P, overwrite="nothing", **settings) for P in (4, 6))
    lab = CacheLab(P=4, overwrite=what, **settings)
    of = {"q": lab.stale_q, "k": lab.stale, "v": lab.stale, "weights": lab.stale_weights, "heads": lab.gap}
    for name, stale in of.items():
        off = (getattr(drawn, name) - getattr(full, name)).abs().amax((0, 2))
        assert torch.equal(off > EQUAL, stale > EQUAL), name
        if name in ("q", "weights"):
            torch.testing.assert_close(stale, off)


def test_nothing_is_stale_in_a_prefill_with_or_without_a_mask():
    for causal in (True, False):
        lab = CacheLab(causal=causal, layer=2, S=5, P=5)
        assert max(lab.gap.max(), lab.stale.max(), lab.stale_q.max(), lab.stale_weights.max()) < EQUAL


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("at", [1, 4, 6])
def test_an_overwritten_query_changes_its_own_row_and_a_key_or_value_every_row_that_attends_to_it(causal, at):
    rows = {what: CacheLab(overwrite=what, at=at, causal=causal).moved > EQUAL for what in "qkv"}
    everyone = torch.arange(7, device=attn.device()) >= at if causal else torch.ones(7, dtype=torch.bool, device=attn.device())
    assert rows["q"].nonzero().flatten().tolist() == [at]
    assert torch.equal(rows["k"], everyone) and torch.equal(rows["v"], everyone)


def test_overwriting_changes_no_row_of_an_earlier_call():
    clean = CacheLab(overwrite="nothing")
    for what in "qkv":
        lab = CacheLab(overwrite=what)
        assert torch.equal(lab.weights[:, :-1], clean.weights[:, :-1]) and torch.equal(lab.heads[:, :-1], clean.heads[:, :-1])
        assert torch.equal(lab.heads[:, -1], clean.heads[:, -1]) == (what == "q")
        assert all(torch.equal(getattr(lab, name), getattr(clean, name)) for name in ("gap", "stale", "stale_q", "stale_weights"))
        changed = (getattr(lab, what) != getattr(clean, what)).any(0).any(-1)
        assert changed.nonzero().flatten().tolist() == [2]


def test_a_new_word_changes_no_number_of_the_words_before_it():
    short, long = (CacheLab(S=S, overwrite="nothing") for S in (6, 9))
    torch.testing.assert_close(long.k[:, :6], short.k)
    torch.testing.assert_close(long.heads[:, :6], short.heads)


def counted(L, S, H, G, D):
    """The multiplications of a layer, counted by PyTorch."""
    layer, x = attn.MultiHeadAttention(H * D, H, G=G, bias=False, device="meta"), torch.empty(1, L, H * D, device="meta")
    kept = torch.empty(1, G, S, D, device="meta")
    with FlopCounterMode(display=False) as counter:
        q = attn.split_heads(layer.W_QKV(x)[..., : H * D], H)
        layer.W_O(attn.merge_heads(attn.attention_steps(q, kept, kept).out))
    return counter.get_total_flops() // 2


@pytest.mark.parametrize("S,P,H,G,D", [(7, 5, 4, 2, 3), (5, 5, 3, 1, 2), (10, 1, 4, 4, 5)])
def test_the_counters_count_what_pytorch_counts(S, P, H, G, D):
    costs = CacheLab(S=S, P=P, H=H, G=G, D=D).costs
    ends = range(P, S + 1)
    new = [P, *[1] * (S - P)]
    assert costs["computed"] == [new[-1], S]
    assert costs["step"] == [counted(new[-1], S, H, G, D), counted(S, S, H, G, D)]
    assert costs["text"] == [
        sum(counted(L, end, H, G, D) for L, end in zip(new, ends, strict=True)),
        sum(counted(end, end, H, G, D) for end in ends),
    ]
    cache = attn.KVCache(1, G, S, D)
    assert costs["kept"] == cache.bytes and costs["queries"] == 4 * H * S * D
    assert costs["read"] == (0 if S == P else cache.bytes * (S - 1) // S)


def test_settings_follow_when_heads_or_words_become_fewer():
    lab = CacheLab(H=4, G=4, at=6)
    lab.H = 3
    assert lab.G == 3 and lab.k.shape == (3, 7, 3)
    lab.S = 5
    assert (lab.at, lab.P) == (4, 5)
    lab.P = 6
    assert lab.S == 6


@pytest.mark.parametrize(
    "name,value,message",
    [
        ("S", 11, "S = 11: this lab takes S, .*, from 1 to 10"),
        ("S", 4, "P = 5 words of prompt and S = 4 words so far: the prompt is part of them"),
        ("G", 3, r"H = 4 is not a multiple of G = 3: .* G can be \[1, 2, 4\]"),
        ("at", 7, "at = 7: the last of S = 7 words is number 6"),
        ("layer", 3, "layer = 3"),
        ("overwrite", "w", "overwrite"),
    ],
)
def test_an_invalid_setting_raises_and_changes_nothing(name, value, message):
    lab = CacheLab()
    before, weights = repr(lab), lab.weights
    with pytest.raises((traitlets.TraitError, attn.ShapeError), match=message) as error:
        setattr(lab, name, value)
    assert lab._message == str(error.value)
    assert repr(lab) == before and lab.weights is weights


def test_the_fallback_lists_which_rows_change_and_what_is_kept():
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", CacheLab(overwrite="k").fallback())]
    rows = [row for row in rows if row]
    assert [row[1] for row in rows] == ["not kept"] * 6 + ["computed now"]
    assert [row[2] for row in rows] == ["from the cache"] * 6 + ["computed now"]
    assert [row[3] != "0.00" for row in rows] == [False] * 2 + [True] * 5


def test_the_fallback_shows_the_counters_without_giving_the_answer_away():
    text = CacheLab().fallback()
    assert "needs 744 multiplications with the cache and 5,208 without" in text
    assert "reads 576 bytes of the cache and leaves 672. Queries would add 336, and no step would read them." in text
    assert "would read them" not in CacheLab(causal=False).fallback() and "move" not in text


def random_settings(seed):
    choose = random.Random(seed)
    S, H = choose.randint(1, 10), choose.randint(1, 4)
    return {
        **{"S": S, "P": choose.randint(1, min(S, 6)), "H": H, "D": choose.randint(1, 5)},
        **{"G": choose.choice([n for n in range(1, H + 1) if H % n == 0]), "causal": choose.random() < 0.6},
        **{"layer": choose.randint(1, 2), "overwrite": choose.choice(("nothing", "q", "k", "v")), "at": choose.randint(0, S - 1)},
    }


def test_browser_and_kernel_compute_the_same():
    """Rows that changed only by rounding are excepted: in the browser other digits differ."""
    labs = [CacheLab(**random_settings(seed)) for seed in range(30)]
    rounding = {"moved", "gap", "stale", "stale_q", "stale_weights"}
    assert_agree(labs, lambda lab, name: {"atol": 2e-6} if name in rounding else {})


# On a page ------------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def page(opened):
    return opened(CacheLab())


def sentences(page):
    """The comparison with a full pass, and the effect of overwriting."""
    settled(page)
    return page.inner_text(".verdict"), page.inner_text(".effect")


def test_overwriting_an_old_query_leaves_the_new_row_unchanged_and_an_old_key_changes_it(page):
    assert page.locator(".output-rows .moves, .output-rows .would").count() == 0
    page.get_by_label("a query").check()
    verdict, effect = sentences(page)
    assert verdict.startswith("Without the overwriting, cached = full pass: the new row is the same and")
    assert [page.locator(f".output-rows .{look}").count() for look in ("would", "moves")] == [1, 0]
    assert effect.startswith("The query of “sat” is overwritten: the new row does not move. Nobody reads that query again.")
    page.get_by_label("a key").check()
    effect = sentences(page)[1]
    assert [page.locator(f".output-rows .{look}").count() for look in ("would", "moves")] == [4, 1]
    assert re.match(
        r"The key of “sat” is overwritten: the new row moves by up to \d\.\d\d, and so will the rows after it\.", effect
    )
    page.get_by_label("nothing").check()
    verdict, effect = sentences(page)
    assert verdict.startswith("Cached = full pass") and effect.startswith("Nothing is overwritten.")
    assert "of word" not in [one.evaluate("node => node.labels[0]?.textContent") for one in controls(page)]


def test_a_click_on_a_row_overwrites_it_and_a_second_one_undoes_it(page):
    cell = page.locator("[data-tensor=v] [role=gridcell]").nth(3 * 4 + 1)  # word 4, number 1
    cell.click()
    assert sentences(page)[1].startswith("The value of “the” is overwritten: the new row moves")
    assert page.locator("[data-tensor=v] .overwritten").count() == 3
    assert page.inner_text(".cell").startswith("v of “the”, number 1:")
    cell.click()
    assert sentences(page)[1].startswith("Nothing is overwritten.")


def test_without_a_mask_old_rows_differ_from_a_full_pass_and_in_layer_2_the_new_row_does_too(page):
    page.get_by_label("hide later words").uncheck()
    page.get_by_label("a query").check()
    verdict, effect = sentences(page)
    assert page.inner_text(".costs .hint").endswith("; to bring the older rows up to date a step would read it.")
    assert page.get_attribute(".verdict", "data-kind") == "new row only"
    assert "other outputs for 6 of 6 older words" in verdict and "need their queries again" in effect
    framed = {tensor: page.locator(f"[data-tensor={tensor}] .stale").count() for tensor in ("q", "k", "v", "weights", "heads")}
    assert framed == {"q": 0, "k": 0, "v": 0, "weights": 6 * 7, "heads": 6 * 3}
    assert page.locator("[data-tensor=weights] .now.stale, [data-tensor=heads] .now.stale").count() == 0
    page.locator("fieldset", has_text="Layer").get_by_label("2").check()
    verdict, effect = sentences(page)
    assert "here their queries do too" in effect
    framed = {tensor: page.locator(f"[data-tensor={tensor}] .stale").count() for tensor in ("q", "k", "v", "weights", "heads")}
    assert framed == {"q": 6 * 3, "k": 6 * 3, "v": 6 * 3, "weights": 7 * 7, "heads": 7 * 3}
    assert page.get_attribute(".verdict", "data-kind") == "different" and "keys and values of 6 words are stale" in verdict
    page.locator("[data-tensor=heads] .now").first.hover()
    assert page.inner_text(".cell").endswith("Stale: a full pass has other numbers in this row.")


def test_the_next_word_adds_one_row_to_the_cache_and_computes_one(page):
    assert page.locator("[data-tensor=k] .kept").count() == 6 * 3
    page.get_by_role("button", name="next word").click()
    settled(page)
    assert page.locator("[data-tensor=k] .kept").count() == 7 * 3
    for tensor in ("q", "k", "v", "heads"):
        assert page.locator(f"[data-tensor={tensor}] .now").count() == 3
    assert page.locator("[data-tensor=weights] .now").count() == 8
    assert page.inner_text("[data-tensor=weights] .title").endswith("(1, 4, 1, 8), last row")
    assert page.locator(".output-rows [role=rowheader]").all_inner_texts()[-2:] == ["6", "new 7"]
    words = page.locator("tbody tr").first.locator("td")
    assert [words.nth(0).inner_text(), words.nth(1).inner_text()] == ["1", "8"]
    assert page.locator("tbody tr").last.locator("td").all_inner_texts() == ["768 bytes", "0 bytes"]


def test_arrow_keys_walk_through_a_tensor_and_the_lab_explains_which_steps_read_a_cell(page):
    page.locator("[data-tensor=q] [role=grid]").focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    text = r"q of “cat”, number 1: −?\d\.\d\d\. Computed in the prefill, used for row 1, not kept\."
    assert re.match(text, page.inner_text(".cell"))
