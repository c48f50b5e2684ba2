"""CacheLab: a run with a cache equals a full pass exactly where it should, and overwriting changes the right rows."""

import random
import re

import pytest
import torch
import torch.nn.functional as F
import traitlets
from lab_pages import settled, shown
from node import assert_agree
from torch.utils.flop_counter import FlopCounterMode

import attn
from attn.labs import CacheLab
from attn.lessons import language, reader

EQUAL = 1e-5


def test_each_row_of_a_causal_run_equals_the_same_row_of_a_full_pass():
    for layer in (1, 2):
        lab = CacheLab(layer=layer, overwrite="nothing", S=7, P=4, G=2, D=5)
        q, k, v = (tensor[None].cpu() for tensor in (lab.q, lab.k, lab.v))
        k, v = (tensor.repeat_interleave(2, 1) for tensor in (k, v))
        want = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        torch.testing.assert_close(lab.heads[None].cpu(), want)
        torch.testing.assert_close(lab.weights.cpu() @ v[0], want[0])
        assert (lab.weights.sum(-1) - 1).abs().max() < EQUAL
        assert max(lab.gap.max(), lab.stale.max(), lab.stale_q.max(), lab.stale_weights.max()) < EQUAL and lab.moved.max() == 0


@pytest.mark.parametrize("P", [1, 4, 6])
def test_without_a_mask_only_the_newest_row_of_layer_1_equals_the_full_pass(P):
    first, second = (CacheLab(causal=False, layer=layer, S=7, P=P) for layer in (1, 2))
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
    rows = {what: CacheLab(S=7, overwrite=what, at=at, causal=causal).moved > EQUAL for what in "qkv"}
    everyone = torch.arange(7, device=attn.device()) >= at if causal else torch.ones(7, dtype=torch.bool, device=attn.device())
    assert rows["q"].nonzero().flatten().tolist() == [at]
    assert torch.equal(rows["k"], everyone) and torch.equal(rows["v"], everyone)


def test_overwriting_changes_no_row_of_an_earlier_call():
    clean = CacheLab(S=6, overwrite="nothing")
    for what in "qkv":
        lab = CacheLab(S=6, overwrite=what)
        assert torch.equal(lab.weights[:, :-1], clean.weights[:, :-1]) and torch.equal(lab.heads[:, :-1], clean.heads[:, :-1])
        assert torch.equal(lab.heads[:, -1], clean.heads[:, -1]) == (what == "q")
        assert all(torch.equal(getattr(lab, name), getattr(clean, name)) for name in ("gap", "stale", "stale_q", "stale_weights"))
        changed = (getattr(lab, what) != getattr(clean, what)).any(0).any(-1)
        assert changed.nonzero().flatten().tolist() == [2]


def test_a_new_word_changes_no_number_of_the_words_before_it():
    short, long = (CacheLab(S=S) for S in (5, 7))
    torch.testing.assert_close(long.k[:, :5], short.k)
    torch.testing.assert_close(long.heads[:, :5], short.heads)


@pytest.mark.parametrize("G,same", [(4, [0, 1, 2, 3]), (2, [0]), (1, [0])])
def test_with_shared_keys_and_values_only_the_first_head_of_layer_1_stays_as_it_was(G, same):
    """Key/value head 0 has the same parameters for each G."""
    separate, lab = (CacheLab(S=7, G=n) for n in (4, G))
    off = (lab.heads - separate.heads)[:, -1].abs().amax(-1)
    torch.testing.assert_close(lab.shared, off, atol=1e-6, rtol=0)
    assert (off < EQUAL).nonzero().flatten().tolist() == same
    assert G == 4 or (CacheLab(S=7, G=G, layer=2).shared > 0.01).all()


def counted(L, S, H, G, D):
    """The multiplications of a layer, counted by PyTorch."""
    layer, x = attn.MultiHeadAttention(H * D, H, G=G, bias=False, device="meta"), torch.empty(1, L, H * D, device="meta")
    kept = torch.empty(1, G, S, D, device="meta")
    with FlopCounterMode(display=False) as counter:
        q = attn.split_heads(layer.W_QKV(x)[..., : H * D], H)
        layer.W_O(attn.merge_heads(attn.attention_steps(q, kept, kept).out))
    return counter.get_total_flops() // 2


@pytest.mark.parametrize("S,P,H,G,D", [(7, 5, 4, 2, 3), (5, 5, 3, 1, 2), (6, 1, 4, 4, 5)])
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
    lab = CacheLab(S=7, H=4, G=4, at=6)
    lab.H = 3
    assert lab.G == 3 and lab.k.shape == (3, 7, 3)
    lab.S = 5
    assert (lab.at, lab.P) == (4, 4)
    lab.P = 6
    assert lab.S == 6


@pytest.mark.parametrize(
    "name,value,message",
    [
        ("S", 8, "S = 8: this lab takes S, .*, from 1 to 7"),
        ("S", 3, "P = 4 words of prompt and S = 3 words so far: the prompt is part of them"),
        ("G", 3, r"H = 4 is not a multiple of G = 3: .* G can be \[1, 2, 4\]"),
        ("at", 6, "at = 6: the last of S = 6 words is number 5"),
        ("layer", 3, "layer = 3"),
        ("overwrite", "w", "overwrite"),
    ],
)
def test_an_invalid_setting_raises_and_changes_nothing(name, value, message):
    lab = CacheLab(S=6)
    before, weights = repr(lab), lab.weights
    with pytest.raises((traitlets.TraitError, attn.ShapeError), match=message) as error:
        setattr(lab, name, value)
    assert lab._message == str(error.value)
    assert repr(lab) == before and lab.weights is weights


def test_the_fallback_lists_which_rows_change_and_what_is_kept():
    rows = [
        re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", CacheLab(S=7, overwrite="k").fallback())
    ]
    rows = [row for row in rows if row]
    assert [row[1] for row in rows] == ["not kept"] * 6 + ["computed now"]
    assert [row[2] for row in rows] == ["from the cache"] * 6 + ["computed now"]
    assert [row[3] != "0.00" for row in rows] == [False] * 2 + [True] * 5


def test_the_fallback_shows_the_counters_without_giving_the_answer_away():
    text = CacheLab(S=7).fallback()
    assert "needs 744 multiplications with the cache and 5,208 without" in text
    assert "reads 576 bytes of the cache, which then holds 672. Queries would add 336, and no step would read them." in text
    assert "would read them" not in CacheLab(causal=False).fallback() and "move" not in text


def random_settings(seed):
    choose = random.Random(seed)
    S, H = choose.randint(1, 7), choose.randint(1, 4)
    return {
        **{"S": S, "P": choose.randint(1, min(S, 6)), "H": H, "D": choose.randint(1, 5)},
        **{"G": choose.choice([n for n in range(1, H + 1) if H % n == 0]), "causal": choose.random() < 0.6},
        **{"layer": choose.randint(1, 2), "overwrite": choose.choice(("nothing", "q", "k", "v")), "at": choose.randint(0, S - 1)},
    }


def test_browser_and_kernel_compute_the_same():
    """Rows that changed only by rounding are excepted: in the browser other digits differ."""
    labs = [CacheLab(**random_settings(seed)) for seed in range(30)]
    labs += [CacheLab(**(random_settings(seed) | {"H": 3, "G": (1, 3)[seed % 2], "D": 4})) for seed in range(12)]
    assert [lab.trained for lab in labs[30:]] == [True] * 12 and not all(lab.trained for lab in labs[:30])
    rounding = {"moved", "shared", "gap", "stale", "stale_q", "stale_weights"}
    assert_agree(labs, lambda lab, name: {"atol": 1e-4 if lab.trained else 2e-6} if name in rounding else {})


@pytest.mark.parametrize("layer", [1, 2])
def test_with_three_heads_of_four_both_layers_are_the_recorded_one(layer):
    lab, model = CacheLab(S=7, P=3, H=3, G=3, D=4, layer=layer), reader.recorded().requires_grad_(False)
    x = model.embed(torch.tensor([[language.NUMBER[word] for word in language.EXAMPLES[0].split()]]))
    for _ in range(layer):
        steps = model.layer.steps(x, causal=True)
        x = x + steps.y
    assert lab.trained and not CacheLab(H=3, G=3, D=3).trained
    for name in ("q", "k", "v", "weights", "heads"):
        torch.testing.assert_close(getattr(lab, name).cpu(), getattr(steps, name)[0], atol=1e-5, rtol=1e-5)
    one = CacheLab(S=7, P=3, H=3, G=1, D=4, layer=1)  # the first key/value head, for all
    if layer == 1:
        torch.testing.assert_close(one.k.cpu(), steps.k[0, :1], atol=1e-5, rtol=1e-5)
    assert (lab.shared < EQUAL).all() and (one.shared > 0.01).tolist() == [False, True, True]


# On a page ------------------------------------------------------------------------------------------------------------------------


# What is written on the canvas since it was last cleared.
WRITTEN = """globalThis.written = [];
const [write, clear] = ['fillText', 'clearRect'].map(name => CanvasRenderingContext2D.prototype[name]);
CanvasRenderingContext2D.prototype.clearRect = function (...box) { written = []; return clear.apply(this, box); };
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  if (this.globalAlpha > 0.3) written.push([text, x, y]);
  return write.call(this, text, x, y);
};"""


@pytest.fixture
def page(opened):
    return opened(CacheLab(S=6), script=WRITTEN, reduced_motion="reduce")


def written(page):
    settled(page)
    return [text for text, _, _ in page.evaluate("written")]


def sentence(page):
    settled(page)
    return page.inner_text(".sentence")


def tap(page, text, right=0):
    """Tap a text that is on the picture, or so many pixels to its right."""
    settled(page)
    x, y = next((x, y) for what, x, y in page.evaluate("written") if what == text)
    page.locator("canvas").click(position={"x": x + right, "y": y})


def test_the_next_word_adds_one_row_to_the_cache_and_its_query_is_not_kept(page):
    assert {"cache of this layer: 576 bytes", "weights of “gold”", "+ today", "not kept"} <= {*written(page)}
    page.get_by_role("button", name="next word", exact=True).click()
    now = written(page)
    assert {"cache of this layer: 672 bytes", "weights of “today”"} <= {*now} and not any(text.startswith("+ ") for text in now)
    assert sentence(page).startswith("The query of “today” met 7 keys; no later word reads it.")
    assert sentence(page).endswith(
        "✓ Same output as without a cache: this step takes 744 multiplications, not 5,208. Why? Change a query, then a key."
    )


def test_next_word_brings_one_word_with_each_press(opened):
    page = opened(CacheLab(), script=WRITTEN, reduced_motion="reduce")
    assert sentence(page).startswith("The 4 words of the prompt")
    for word in ("found", "gold", "today"):
        page.get_by_role("button", name="next word", exact=True).click()
        assert sentence(page).startswith(f"The query of “{word}” met")
        following = {"found": ["+ gold"], "gold": ["+ today"], "today": []}[word]
        assert [text for text in written(page) if text.startswith("+ ")] == following


def test_next_word_lets_the_last_word_arrive_again_when_all_are_there(opened):
    """The button keeps its name and its meaning, also after an experiment, which has all words."""
    page = opened(CacheLab(S=7, overwrite="v", at=6), script=WRITTEN)
    page.evaluate(
        """() => { const now = document.querySelector('.meanwhile'); globalThis.seen = [];
        new MutationObserver(() => seen.push(now.textContent)).observe(now, { childList: true }) }"""
    )
    for _ in range(2):
        page.get_by_role("button", name="next word", exact=True).click()
        assert sentence(page).startswith("The query of “today” met")
    assert sum(text.startswith("The key and value of “today” join the cache") for text in page.evaluate("seen")) == 2
    assert page.get_by_role("alert").count() == 0


def test_a_tap_on_the_place_of_the_next_word_lets_it_arrive(opened):
    page = opened(CacheLab(S=4), script=WRITTEN, reduced_motion="reduce")
    for word in ("found", "gold", "today"):
        tap(page, f"+ {word}", 20)
        assert sentence(page).startswith(f"The query of “{word}” met")
    assert page.locator(".slider[data-axis=S] output").inner_text() == "7"


def test_with_another_key_all_later_rows_change_and_with_another_query_only_its_own(page):
    """Each count stands below the output once its experiment was made, and the sentence says what is kept."""
    lines = []
    for kind, readers, rows, count, last in (
        ("query", "it reads 3 keys", 1, "1 of 7 rows changes: row 2.", "no later word will: so it is not kept."),
        ("key", "5 queries read it", 5, "5 of 7 rows change: rows 2 to 6.", "every later word will: so it is kept."),
    ):
        lines += [f"{rows} of 7 rows", f"another {kind} of “old” changes"]
        page.get_by_role("button", name=f"change a past {kind}").click()
        now = written(page)
        assert {"computed again", readers} <= {*now}
        assert [text for text in now if text.endswith(("of 7 rows", "changes"))] == lines
        assert len({x for text, x, _ in page.evaluate("written") if re.match(r"same|\d of 7", text)}) == 1, (
            "they end below the changes"
        )
        assert sentence(page).startswith(f"With another {kind} of “old”, {count}") and sentence(page).endswith(last)


def test_another_query_key_or_value_has_its_own_random_numbers():
    q, k, v = (getattr(CacheLab(S=7, overwrite=what), what)[:, 2] for what in "qkv")
    assert not any(torch.equal(one, other) for one, other in ((q, k), (q, v), (k, v)))


def output(page):
    """Where the column of the output begins."""
    return next(x for text, x, _ in page.evaluate("written") if text in ("output", "output: change"))


def test_the_numbers_of_a_row_appear_when_it_is_pointed_at(page):
    def numbers():
        return [text for text in written(page) if re.fullmatch(r"−?\d\.\d", text)]

    page.get_by_role("button", name="change a past key").click()
    page.mouse.move(1, 1)
    lab = CacheLab(S=7, overwrite="k")
    query, key = (
        [f"{value:.1f}".replace("-", "−").replace("−0.0", "0.0") for value in row.tolist()] for row in (lab.q[0, 6], lab.k[0, 2])
    )
    assert numbers() == key, "those of the row under test"
    page.locator("canvas").focus()
    page.keyboard.press("ArrowUp")
    assert numbers() == key + query


def test_the_result_of_an_arrival_is_told_when_it_has_arrived(opened):
    page = opened(CacheLab(), script=WRITTEN, reduced_motion="no-preference")
    settled(page)
    page.evaluate(
        """() => { globalThis.told = []; new MutationObserver(() => told.push([
        document.querySelector('.attn-lab-root').hasAttribute('data-moving'), document.querySelector('.sentence').innerText]))
        .observe(document.querySelector('.attn-lab-root'), { attributes: true }) }"""
    )
    page.get_by_role("button", name="next word", exact=True).click()
    assert sentence(page).startswith("The query of “found” met")
    assert {text for moves, text in page.evaluate("told") if moves} == {""}


def test_the_wires_of_the_heads_are_drawn_once_they_share_keys_and_values_and_the_picture_is_as_high(page):
    assert not {" = 4 query heads", " = 4 key/value heads"} & {*written(page)}
    height = page.locator("canvas").bounding_box()["height"]
    page.get_by_role("button", name="share k and v").click()
    assert {" = 4 query heads", " = 1 key/value head"} <= {*written(page)}
    assert page.locator("canvas").bounding_box()["height"] == height
    assert page.locator(".chip[aria-pressed=true]").count() == 1
    assert written(page).count("before sharing") == 2, "below the weights and below the output"
    assert "heads share 1 key/value head: 144 bytes, not 576 bytes." in page.locator(".sentence b").first.inner_text()


def test_the_experiments_that_answer_the_question_come_first():
    assert [text for text, _ in CacheLab.CHIPS[:2]] == ["change a past query", "change a past key"]


MOMENTS = """async chip => {
  const moves = () => document.querySelector('.attn-lab-root[data-moving]');
  const moments = [];
  hurry = true;
  document.querySelectorAll('.chip')[chip].click();
  while (!moves()) await new Promise(setTimeout);
  for (; moves(); passTime(100)) moments.push(written.map(([text]) => text));
  return moments;
}"""


def moments_of(page, chip):
    """What is written at each moment of the move of a chip."""
    settled(page)
    return page.evaluate(MOMENTS, [text for text, _ in CacheLab.CHIPS].index(chip))


def test_no_title_is_ahead_of_an_experiment(opened):
    """The weights of a word have their title as long as they are there; changes are titled once there is one."""
    moments = moments_of(opened(CacheLab(), script=WRITTEN), "change a past key")
    titles = ("weights of “kings”", "who reads it?", "output: change")
    starts = [next(n for n, texts in enumerate(moments) if title in texts) for title in titles]
    assert starts[0] == 0 < starts[1] < starts[2] and all(titles[0] not in texts for texts in moments[starts[1] :])
    for texts in moments:
        weighs = titles[0] in texts  # the numbers are weights
        assert ("output: change" in texts) == (not weighs and any(re.fullmatch(r"same|\d\.\d\d", text) for text in texts))
        assert not any(text.startswith("weights") for text in texts) or titles[0] in texts


def test_scores_and_weights_have_their_title_when_they_are_there(opened):
    moments = moments_of(opened(CacheLab(), script=WRITTEN), "next word")
    titled = [next((text for text in texts if re.match("scores|weights", text)), "") for texts in moments]
    kinds = [text for n, text in enumerate(titled) if text and text not in titled[:n]]
    assert kinds == ["scores of “found”", "weights of “found”"] and not titled[0]
    for text, texts in zip(titled, moments, strict=True):
        assert not text or any(re.fullmatch(r"−?\d+\.\d\d", one) for one in texts)


def test_while_heads_merge_the_picture_tells_no_count_of_them(opened):
    moments = moments_of(opened(CacheLab(), script=WRITTEN), "share k and v")
    counts = [next((text for text in texts if "key/value" in text), "") for texts in moments]
    assert [text for n, text in enumerate(counts) if n and text != counts[n - 1]] == [
        " = 4 key/value heads",
        "",
        " = 1 key/value head",
    ]


def test_a_changed_row_shows_by_how_much_it_changes(page):
    page.get_by_role("button", name="change a past key").click()
    moved = CacheLab(S=7, overwrite="k").moved
    texts = [text for text, x, _ in page.evaluate("written") if x > output(page)]
    changes = [text for text in texts if re.fullmatch(r"same|\d\.\d\d", text)]
    assert changes == ["same", "same", *[f"{float(by):.2f}" for by in moved[2:]]], "one quantity in all rows"


def test_a_tap_on_a_row_overwrites_it_and_a_second_one_restores_it(opened):
    page = opened(CacheLab(S=7), script=WRITTEN, reduced_motion="reduce")
    page.locator("summary", has_text="more").click()
    start = shown(page)
    tap(page, "v", 30)  # the title of the column: nothing
    assert shown(page) == start
    x = next(x for what, x, _ in page.evaluate("written") if what == "v")
    y = next(y for what, _, y in page.evaluate("written") if what == "found")
    for _ in range(2):
        page.locator("canvas").click(position={"x": x + 30, "y": y})
        page.mouse.move(1, 1)
        now = shown(page)
        if now != start:
            assert sentence(page).startswith("With another value of “found”, 3 of 7 rows")
            assert page.get_by_role("radio", name="value").is_checked() and page.get_by_label("of word").input_value() == "4"
    assert shown(page) == start


def test_every_experiment_has_all_words_and_says_that_they_come(opened):
    page = opened(CacheLab(), script=WRITTEN)
    page.evaluate(
        """() => { const now = document.querySelector('.meanwhile'); globalThis.seen = [];
        new MutationObserver(() => seen.push(now.textContent)).observe(now, { childList: true }) }"""
    )
    page.locator("summary", has_text="more").click()
    page.get_by_role("radio", name="key").check()
    assert sentence(page).startswith("With another key of “old”, 5 of 7 rows")
    page.get_by_role("radio", name="query").check()
    settled(page)
    first, second = (text for text in page.evaluate("seen") if text)
    assert first.startswith("First the other words come: 7 are there. “old” gets a random key.")
    assert second.startswith("“old” gets a random query.")
    page.get_by_role("radio", name="none").check()
    settled(page)
    assert page.locator(".slider[data-axis=S] output").inner_text() == "7"


def test_a_word_arrives_faster_when_the_reader_has_seen_one_arrive(opened):
    page = opened(CacheLab(), script=WRITTEN)
    settled(page)
    times = []
    for _ in range(2):
        times.append(
            page.evaluate(
                """async () => { let time = 0;
                const moves = () => document.querySelector('.attn-lab-root[data-moving]');
                hurry = true;
                document.querySelectorAll('.chip')[2].click();
                while (!moves()) await new Promise(setTimeout);
                for (; moves(); time += 100) passTime(100);
                return time; }"""
            )
        )
    assert times[0] > 1.5 * times[1] > 3000, times


def test_with_the_keyboard_a_row_is_chosen_overwritten_and_restored(page):
    page.locator("canvas").focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
        settled(page)
    assert sentence(page).startswith("With another key of “found”, 3 of 7 rows"), "an experiment has all words"
    page.keyboard.press("Enter")
    assert sentence(page).startswith("The query of “today” met")
    page.keyboard.press("PageDown")
    settled(page)
    assert page.inner_text(".hint").startswith("Drawn: head 1 (of 0, 1, 2, 3)")


def test_a_tab_chooses_the_head(opened):
    page = opened(CacheLab(S=6, G=2), script=WRITTEN, reduced_motion="reduce")
    first = shown(page)
    x, y = next((x, y) for what, x, y in page.evaluate("written") if what == "2" and y < 20)
    page.locator("canvas").click(position={"x": x, "y": y})
    assert shown(page) != first
    assert page.inner_text(".hint").startswith("Drawn: head 2 (of 0, 1, 2, 3)")


def test_shared_keys_and_values_shrink_the_cache_and_the_picture_says_so(page):
    page.get_by_role("button", name="share k and v").click()
    now = written(page)
    assert {"cache of this layer: 144 bytes, not 576 bytes", " = 1 key/value head", " = 4 query heads"} <= {*now}
    assert (
        "4 query heads share 1 key/value head: 144 bytes, not 576 bytes. "
        "The price: heads 1 to 3 give other numbers (head 1 is drawn)."
    ) in sentence(page)
    page.locator("summary", has_text="more").click()
    page.locator(".slider[data-axis=G] input").press("ArrowRight")
    assert {"cache of this layer: 288 bytes, not 576 bytes", " = 2 key/value heads"} <= {*written(page)}


def test_without_a_mask_old_rows_differ_from_a_full_pass_and_in_layer_2_the_new_row_does_too(page):
    page.locator("summary", has_text="more").click()
    page.get_by_label("hide later words").uncheck()
    assert "⚠ The new row is right" in sentence(page) and "other outputs for 5 of 5 older words" in sentence(page)
    assert page.locator(".sentence b").get_attribute("class") == "luck"
    assert page.inner_text(".costs .hint").endswith("; to bring the older rows up to date a step would read it.")
    assert "no later word" not in sentence(page)
    page.locator("fieldset", has_text="layer").get_by_label("2").check()
    assert re.search(r"✗ The new row is off by \d\.\d\d\. .* of 5 words are stale", sentence(page))
    assert page.locator(".sentence b").get_attribute("class") == "bad"


def test_the_counters_are_behind_more(page):
    table = page.locator(".costs table")
    assert not table.is_visible()
    page.locator("summary", has_text="more").click()
    costs = CacheLab(S=6).costs
    pairs = [*([f"{n:,}" for n in costs[name]] for name in ("computed", "step", "text"))]
    pairs += [[f"{costs[name]} bytes", "0 bytes"] for name in ("read", "kept")]
    assert [row.split("\t")[1:] for row in table.inner_text().splitlines()[1:]] == pairs


def test_the_lab_says_whose_numbers_it_shows(opened):
    page = opened(CacheLab(S=6, H=3, G=3, D=4), script=WRITTEN, reduced_motion="reduce")
    assert page.inner_text(".hint").startswith("Drawn: head 0 (of 0, 1, 2), first of two layers, trained. Tap")
    page.get_by_role("button", name="share k and v").click()
    assert "3 query heads share 1 key/value head: 192 bytes, not 576 bytes. The price: heads 1 and 2 give" in sentence(page)
    page.locator("summary", has_text="more").click()
    page.locator(".slider[data-axis=D] input").press("ArrowLeft")
    settled(page)
    assert "first of two layers, random numbers. Tap" in page.inner_text(".hint")


def test_a_page_may_show_the_cache_without_its_heads(opened):
    page = opened(CacheLab(S=6, parts=["bytes"], controls=["S"]), script=WRITTEN)
    assert " = 4 query heads" not in written(page) and "cache of this layer: 576 bytes" in written(page)
    assert page.locator(".stage input").count() == 1
