"""TrainingLab: it shows the contents of a recording, in the kernel and in the browser, and it stays small."""

import json
import math
import random
import re
import sys
from copy import copy
from itertools import pairwise

import numpy as np
import pytest
import torch
from lab_pages import DRAWN as SETTLED
from lab_pages import settled
from node import assert_agree, copied_code
from torch.testing import assert_close
from traitlets import TraitError

import attn
from attn.labs import TrainingLab
from attn.labs.bundle import widget_script
from attn.labs.training.lab import _short_run
from attn.labs.training.run import steepest
from attn.lessons import language, reader_training
from attn.lessons.reader import ASKED
from attn.lessons.training import Recording

ROUNDED = 0.5 / 255 + 1e-6


def recording(name="copy", layers=1, frames=4, seed=0):
    """A recording of a model that changes at random: its numbers do not matter here."""
    torch.manual_seed(seed)
    with torch.device("cpu"):
        model = attn.lessons.TinyTransformer(words=7, S_max=10, E=12, H=3, layers=layers)
        kept = Recording(model, attn.lessons.tasks.copying(3, 5, 7)[0], name=name, words=list("tuvwxyz"), every=2)
    for step in range(2 * frames - 1):
        kept.keep(2.5 / (step + 1))
        with torch.no_grad():
            for parameter in model.parameters():
                parameter += 0.1 * torch.randn(parameter.shape, device="cpu")
    return kept


@pytest.fixture(scope="module")
def recordings():
    return recording(), recording("go on", layers=2, frames=6, seed=1)


@pytest.fixture(scope="module")
def read():
    """A reader at the beginning of its training."""
    some = [text.split() for text in language.EXAMPLES]
    return reader_training.record_training("read", steps=9, every=4, data=(some, some[:6]))


@pytest.fixture
def lab(recordings):
    return TrainingLab(*recordings)


def test_a_frame_has_the_numbers_of_the_recording(recordings, lab):
    _, kept = recordings
    lab.set_state({"task": "go on", "frame": 5, "sequence": 2, "word": 3})
    assert lab.step == 10 and lab.loss == pytest.approx(2.5 / 11, abs=6e-4)
    assert lab.weights.shape == (2, 3, 10, 10) and lab.weights.device.type == attn.device().type
    assert_close(lab.weights.cpu(), kept.weights[5, 2], atol=ROUNDED, rtol=0)
    assert_close(lab.chances.cpu(), kept.chances[5, 2], atol=ROUNDED, rtol=0)


def test_shares_are_the_weight_on_words_that_followed_the_same_word(recordings, lab):
    kept, _ = recordings
    lab.frame = 3
    ids, weights = kept.ids[0].tolist(), kept.weights[3, 0, 0].double().numpy()
    for head in range(3):
        rows = []
        for i in range(len(ids) - 1):
            cells = [j + 1 for j in range(i) if ids[j] == ids[i]]
            if cells:
                rows.append(sum(weights[head, i, j] for j in cells))
        assert float(lab.shares[0, head]) == pytest.approx(np.mean(rows), abs=0.01)


def test_the_share_on_the_previous_word_counts_only_words_that_a_later_word_should_attend_to(recordings, lab):
    kept, _ = recordings
    lab.frame = 3
    ids, weights = kept.ids[0].tolist(), kept.weights[3, 0, 0].double().numpy()
    last = len(ids) - 1  # nothing is predicted from it
    wanted = [j for j in range(1, last + 1) if ids[j - 1] in ids[j:last]]
    assert 0 < len(wanted) < last
    for head in range(3):
        assert float(lab.before[0, head]) == pytest.approx(np.mean([weights[head, j, j - 1] for j in wanted]), abs=0.01)


def test_in_a_task_with_a_fixed_distance_both_shares_count_the_same_rows_and_the_page_agrees():
    lab = TrainingLab(frame="last", sequence=1)
    weights = lab.weights[0].cpu()
    rows = torch.arange(3, 7)
    assert_close(lab.shares[0].cpu(), weights[:, rows, rows - 3].mean(-1))
    assert_close(lab.before[0].cpu(), weights[:, rows, rows - 1].mean(-1))
    assert lab.shares.min() > 0.9, "it looks three back, whatever stands there"
    (results,) = assert_agree([lab])
    assert "before" in results
    assert lab._runs[0]["counted"][1] == [0, 0, 0, 1, 1, 1, 1]


def test_the_distances_of_a_row_from_frame_to_frame_add_up(recordings, lab):
    _, kept = recordings
    lab.set_state({"task": "go on", "frame": 3, "word": 5})
    strides = [0.0] + [float((kept.table[n, 5] - kept.table[n - 1, 5]).norm()) for n in range(1, 6)]
    assert lab.strides.tolist() == pytest.approx(strides, abs=1e-3)
    assert lab.moved == pytest.approx(sum(strides[:4]), abs=1e-3)
    assert lab.moved > float((kept.table[3, 5] - kept.table[0, 5]).norm()) + 0.1, "the path is longer than the distance of its ends"


def test_rows_are_projected_onto_the_directions_in_which_they_move_most(recordings, lab):
    kept, _ = recordings
    lab.set_state({"frame": 3, "word": 4})
    table = kept.table.double().numpy()
    moves = (table - table[0]).reshape(-1, 12)
    _, directions = np.linalg.eigh(moves.T @ moves)  # the last two belong to the largest eigenvalues
    first, second = directions[:, -1], directions[:, -2]
    for n, direction in enumerate((first, second)):
        wanted = table @ direction
        sign = np.sign((wanted[3] * lab.dots[:, n].cpu().numpy()).sum())
        np.testing.assert_allclose(lab.dots[:, n].cpu(), sign * wanted[3], atol=2e-4)
        np.testing.assert_allclose(lab.path[:, n].cpu(), sign * wanted[:, 4], atol=2e-4)


@pytest.mark.parametrize(
    "name,value,message",
    [
        ("frame", 4, "frame = 4: this recording has 4 frames, from 0 to 3."),
        ("sequence", 3, "sequence = 3: this recording has 3 sequences, from 0 to 2."),
        ("word", 7, "word = 7: this recording has 7 words, from 0 to 6."),
        ("task", "sing", "task = \"sing\": the recordings are 'copy', 'go on'."),
    ],
)
def test_a_setting_that_the_recording_does_not_have_is_refused(recordings, lab, name, value, message):
    before = lab.weights
    with pytest.raises(ValueError, match=re.escape(message)):
        setattr(lab, name, value)
    assert lab._message == message and lab.weights is before
    with pytest.raises(ValueError, match=re.escape(message)):
        TrainingLab(*recordings, **{name: value})


def test_another_task_clips_settings_that_it_does_not_have(lab):
    lab.task = "go on"
    lab.frame = 5
    lab.task = "copy"
    assert lab.frame == "last" and lab.step == 6 and lab.weights.shape == (1, 3, 10, 10)


def test_recordings_must_have_different_names(recordings):
    with pytest.raises(ValueError, match="two recordings are called 'copy'"):
        TrainingLab(recordings[0], recordings[0])


def test_without_a_recording_it_makes_a_short_one_that_learns_and_touches_no_random_numbers(gpus_keep_their_seed):
    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    gpus_keep_their_seed()
    _short_run.cache_clear()
    lab = TrainingLab(frame="last")
    assert torch.equal(torch.rand(3), wanted)
    assert lab.step == 100 and lab.loss < 0.1 * math.log(8)


def test_the_code_that_is_copied_names_the_variables_that_hold_the_recordings(recordings, monkeypatch):
    one, two = recordings
    notebook = sys.modules["__main__"]
    monkeypatch.setattr(notebook, "copied", one, raising=False)
    monkeypatch.setattr(notebook, "_2", two, raising=False)  # the name that IPython gives to the output of a cell
    assert TrainingLab(one, two)._positional is None, "a recording without a name"
    monkeypatch.setattr(notebook, "went_on", two, raising=False)
    lab = TrainingLab(one, two, task="go on", frame=5, word=3, head=[1, 0], pin=[4, 2])
    (code,) = copied_code(lab)
    assert code.startswith('TrainingLab(copied, went_on, task="go on", frame="5"')
    again = eval(code, {"TrainingLab": TrainingLab} | vars(notebook))
    assert repr(again) == repr(lab) and again._runs == lab._runs
    assert TrainingLab()._positional == []


def test_the_fallback_has_a_row_for_each_moment(lab):
    rows = re.findall(r"<tr>(.*?)</tr>", lab.fallback())
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows[1:]]
    assert [row[:3] for row in cells[:2]] == [["copy", "0", "2.50"], ["copy", "2", "0.83"]]
    assert {row[0] for row in cells} == {"copy", "go on"} and len(cells[-1][3].split(", ")) == 6


def test_the_fallback_has_three_shares_for_each_head_of_a_reader(recordings, read):
    of_both = TrainingLab(recordings[0], read).fallback()
    last = re.findall(r"<td[^>]*>(.*?)</td>", of_both)[-1]
    assert [len(head.split(" / ")) for head in last.split(", ")] == [3, 3, 3]
    assert "same word (copy); to the answers of the questions who / what / when (read)" in of_both


def test_of_a_small_model_every_head_of_w_q_is_sent_and_of_a_large_one_none(recordings, lab):
    kept, large = recordings
    lab.frame = 3
    most = float(kept.queries.abs().max())
    assert lab.queries.shape == (1, 3, 4, 12) and large.queries[0].numel() > 256
    assert_close(lab.queries.cpu(), kept.queries[3], atol=most / 254 + 1e-6, rtol=0)
    assert (lab.queries.cpu() - kept.queries[0]).abs().max() > 0.1
    lab.task = "go on"
    assert lab.queries.numel() == 0


def test_all_changes_of_w_q_are_added_up_before_its_numbers_are_rounded(recordings, lab):
    for kept, run in zip(recordings, lab._runs, strict=True):
        numbers = kept.queries.double().numpy()
        steps = [np.linalg.norm(after - before) for before, after in pairwise(numbers)]
        assert run["changed"] == pytest.approx([0, *np.cumsum(steps)], abs=1e-3)
        assert run["changed"][-1] > 1


def test_a_recording_is_sent_in_few_bytes(recordings, lab):
    carried = len(json.dumps(lab._runs[1]))
    numbers = recordings[1].weights.numel()
    assert carried < numbers  # about half of the weights can differ from 0, and each takes 4/3 of a byte


def test_a_frame_has_a_number_or_a_name(lab):
    lab.frame = 2
    assert lab.frame == "2" and lab.step == 4
    for name, step in (("first", 0), ("last", 6)):
        lab.frame = name
        assert lab.frame == name and lab.step == step
    for wrong in ("middle", -1, 1.5, True):
        with pytest.raises(TraitError, match="a frame is a number from 0, or 'first', 'fall', 'last', 'learned'"):
            lab.frame = wrong


def test_the_fall_is_where_the_loss_falls_fastest():
    steps = np.arange(300)
    noise = 0.2 * np.random.default_rng(0).standard_normal(300)  # a single batch falls faster than the average ever does
    for middle in (60, 150, 240):
        losses = 2 - 1.5 / (1 + np.exp(-(steps - middle) / 8)) + noise
        assert abs(steepest(losses.tolist()) - middle) <= 6, middle
    assert steepest([3.0, 2.9, 1.0, 0.9]) == 2 and steepest([1.0]) == 0


def test_the_frame_of_the_fall_is_the_one_nearest_to_it():
    kept = recording(frames=20)
    kept.losses[:] = [2.0] * 23 + [0.5] * 16
    lab = TrainingLab(kept, frame="fall")
    assert lab.step in (22, 24) and abs(lab.step - 23) == 1


# A recording of the reader --------------------------------------------------------------------------------------------------------


def test_of_a_reader_the_answers_are_kept_in_the_order_in_which_they_are_asked(read):
    lab = TrainingLab(read, frame="last", sequence=1)
    words = read.titles[1].split()
    asked = [one for one in language.parse(words) if one.answer is not None]
    assert lab.step == 8 and len(asked) == 5 == len(lab.chances) == len(lab.guesses)
    for n, one in enumerate(asked):
        slot = read.chances[-1, 1, one.asker, ASKED.index(one.question)]
        assert float(lab.chances[n]) == pytest.approx(float(slot), abs=ROUNDED)
        assert int(lab.guesses[n]) == int(read.guesses[-1, 1, one.asker, ASKED.index(one.question)])
        assert language.CLASS[language.WORDS[int(lab.guesses[n])]] == one.question


def test_of_a_reader_the_shares_are_the_weight_on_the_answers(read):
    lab = TrainingLab(read, frame="last", sequence=2)
    assert lab.weights.shape == (1, 3, 7, 7) and lab.shares.shape == (1, 3, 3)
    assert_close(lab.weights.sum(-1).cpu(), torch.ones(1, 3, 7), atol=7 * ROUNDED, rtol=0)
    asked = [one for one in language.parse(read.titles[2].split()) if one.answer is not None]
    for head in range(3):
        for n, question in enumerate(ASKED):
            cells = [read.weights[-1, 2, 0, head, one.asker, one.answer] for one in asked if one.question == question]
            assert float(lab.shares[0, head, n]) == pytest.approx(float(sum(cells) / len(cells)), abs=0.01)


def test_what_was_measured_is_carried_and_the_loss_of_guessing_is_that_of_the_language(read):
    (run,) = TrainingLab(read)._runs
    assert run["measured"].keys() == {"who", "what", "when"} and all(len(shares) == 3 for shares in run["measured"].values())
    assert run["guess"] == pytest.approx((3 * math.log(8) + 2 * math.log(6)) / 5)  # sentences of 7 words ask who three times


@pytest.mark.parametrize("lowest,step", [((0.5, 0.98, 1), 4), ((1, 0.9, 1), 8), ((1, 1, 1), 0), ((1, 1, 0.9), 8)])
def test_the_answers_are_learned_where_they_begin_to_stay_right(read, monkeypatch, lowest, step):
    monkeypatch.setattr(read, "measured", {"who": [1.0] * 3, "what": [*lowest], "when": [1.0] * 3})
    lab = TrainingLab(read, frame="learned")
    assert lab.step == step
    assert_agree([lab, TrainingLab(read, frame="last")])


def random_settings(seed):
    choose = random.Random(seed)
    task = choose.choice(["copy", "go on"])
    frame = choose.randrange(4 if task == "copy" else 6)
    return {"task": task, "frame": frame, "sequence": choose.randrange(3), "word": choose.randrange(7)}


def test_browser_and_kernel_show_the_same(recordings):
    labs = [TrainingLab(*recordings, **random_settings(seed)) for seed in range(40)]
    for results in assert_agree(labs):
        both = {"weights", "shares", "chances", "guesses", "dots", "path", "strides", "queries", "step", "loss", "moved"}
        assert set(results) == both | {"before"}


def test_browser_and_kernel_show_the_same_of_a_reader(read):
    chosen = [{"frame": frame, "sequence": n, "word": 9 * n} for frame in ("first", "fall", "last", "learned", 1) for n in range(3)]
    for results in assert_agree([TrainingLab(read, **settings) for settings in chosen]):
        assert "before" not in results and len(results["shares"]) == 9


# On a page ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("positional", [["copied", "two"], None])
def test_in_jupyter_code_can_be_copied_if_the_recordings_have_names(recordings, new_context, tmp_path, positional):
    lab = TrainingLab(*recordings)
    traits = {
        name: getattr(lab, name)
        for name in (*lab.STATE, *lab.VIEW, *lab.CONSTANTS, "_schema", "_stage", "_backend", "_limits", "_message")
    }
    traits |= {"_positional": positional, "_answer": {}}  # a kernel that has not answered yet
    script = widget_script(lab.NAME).replace("export default ", "const lab = ")
    (tmp_path / "kernel.html").write_text(
        f"""<!doctype html><meta charset="utf-8"><body><script type="module">{script}
        const traits = {json.dumps(traits)};
        lab.render({{ model: {{ get: (name) => traits[name], on() {{}} }}, el: document.body }});
        Object.defineProperty(navigator, "clipboard", {{ value: {{ writeText: async (text) => (document.title = text) }} }});
        </script>""",
        encoding="utf-8",
    )
    page = new_context().new_page()
    page.goto((tmp_path / "kernel.html").as_uri())
    page.locator("footer").wait_for()
    button = page.get_by_text("copy code")
    assert button.is_visible() == (positional is not None)
    if positional:
        button.click()
        assert page.title().startswith('TrainingLab(copied, two, task="copy", frame="first"')


SENTENCE = ".stage .sentence"
SLIDER = ".stage .controls input[type=range]"


def sentence_of(page):
    settled(page)
    return page.inner_text(SENTENCE)


def choose_training(page, name):
    page.get_by_text("more", exact=True).click()
    page.get_by_label(name).check()


def test_the_weight_reached_with_the_keys_is_described_with_the_guess(recordings, opened):
    kept, _ = recordings
    page = opened(TrainingLab(*recordings, frame=2, pin=[8, 4]), reduced_motion="reduce")
    words = [kept.words[number] for number in kept.ids[0].tolist()]
    page.locator(".training-board").focus()
    page.keyboard.press("PageDown")
    text = sentence_of(page)
    weight = float(kept.weights[2, 0, 0, 1, 8, 4])
    assert f"In head 1, “{words[8]}” at place 8 gives {weight:.2f} of its weight to “{words[4]}” at place 4." in text
    guess = kept.words[int(kept.guesses[2, 0, 8])]
    verdict = "✓." if guess == words[9] else f"✗, but “{words[9]}” comes next."
    assert text.endswith(f"The model guesses “{guess}” {verdict}")
    page.keyboard.press("ArrowRight")
    assert "at place 5." in sentence_of(page)
    for _ in range(9):
        page.keyboard.press("ArrowRight")  # to the diagonal, and no further
    assert sentence_of(page).count("at place 8") == 2


def test_a_weight_that_is_clicked_is_described_until_it_is_clicked_again(read, opened):
    page = opened(TrainingLab(read, frame="last"), reduced_motion="reduce")
    board = page.locator(".training-board")
    before = sentence_of(page)
    assert "of 100 answers are right" in before
    box = board.bounding_box()
    spot = {"x": 0.45 * box["width"], "y": 0.5 * box["height"]}
    board.click(position=spot)
    assert "of its weight to" in sentence_of(page)
    board.click(position=spot)
    page.locator("h1").hover()
    assert sentence_of(page) == before


def test_the_keys_lead_to_all_heads_and_another_training_brings_back_what_is_said_of_the_whole(read, recordings, opened):
    page = opened(TrainingLab(read, recordings[0], frame="last", pin=[2, 3]), reduced_motion="reduce")
    assert not page.locator(".head").is_visible(), "all heads are drawn"
    page.locator(".training-board").focus()
    page.keyboard.press("PageDown")
    assert "in head 1, “" in sentence_of(page) and "of its weight to" in sentence_of(page)
    choose_training(page, "copy")
    assert "gives most weight" in sentence_of(page) or "went from" in sentence_of(page)


def test_it_plays_once_when_it_comes_into_sight_and_rests_at_the_end(recordings, opened):
    page = opened(TrainingLab(*recordings, task="go on"), reduced_motion="no-preference")
    assert sentence_of(page).startswith("Step 10: loss 0.23.")
    assert page.get_by_role("button", name="trained").get_attribute("aria-pressed") == "true"
    page.locator(SLIDER).press("Home")
    assert sentence_of(page).startswith("Before training: loss 2.50.")
    assert page.locator(SLIDER).input_value() == "0", "it does not begin again"


@pytest.mark.parametrize("height", [1400, 300])
def test_it_waits_until_most_of_the_stage_is_in_sight_or_as_much_as_a_low_window_can_show(recordings, opened, height):
    note = """globalThis.IntersectionObserver = class {
      constructor(_, { threshold }) { this.threshold = threshold; }
      observe(node) { globalThis.waits = [node.className, ...this.threshold]; }
    };"""
    page = opened(TrainingLab(*recordings), height=height, script=note, alone=True, reduced_motion="no-preference")
    stage = page.locator(".stage").bounding_box()["height"]
    name, low, share = page.evaluate("waits")
    assert name.startswith("stage") and low == 0.5
    assert share == pytest.approx(0.8 * min(1, height / stage), abs=0.01)


def test_a_press_on_play_just_after_it_has_begun_does_not_stop_it(recordings, opened):
    page = opened(TrainingLab(*recordings, frame=2), reduced_motion="no-preference")
    settled(page)
    page.locator(SLIDER).press("Home")
    assert page.locator("button.play").evaluate("button => [1, 2].map(() => (button.click(), button.title))") == ["pause", "pause"]
    assert sentence_of(page).startswith("Step 6")


def test_readers_who_prefer_reduced_motion_see_its_beginning_and_go_on_frame_by_frame(recordings, opened):
    page = opened(TrainingLab(*recordings), reduced_motion="reduce")
    assert sentence_of(page).startswith("Before training")
    assert page.inner_text(".backend") == "replayed by your browser"
    page.get_by_role("button", name="next picture").click()
    assert "tep 2" in sentence_of(page)
    page.locator(SLIDER).press("End")
    assert sentence_of(page).startswith("Step 6")


def test_the_slider_and_the_curve_lead_to_the_same_steps(recordings, opened):
    page = opened(TrainingLab(*recordings, frame="last"), reduced_motion="reduce")
    box = page.locator(".training-curves").bounding_box()
    page.mouse.click(
        box["x"] + 54 + (box["width"] - 64) * 0.66, box["y"] + 60
    )  # the scale lies between 54 and 10 pixels from its ends
    text = sentence_of(page)
    assert "tep 4" in text and "0.50." in text
    assert page.locator(SLIDER).input_value() == "2"
    page.locator(SLIDER).press("ArrowLeft")
    assert "tep 2" in sentence_of(page)


def test_screen_readers_hear_what_is_answered_and_what_the_curves_are(read, opened):
    page = opened(TrainingLab(read, frame="last"), reduced_motion="reduce")
    settled(page)
    told = page.locator(".training-board").get_attribute("aria-label")
    words = [language.WORDS[number] for number in TrainingLab(read, frame="last").guesses.int().tolist()]
    right = ["kings", "kings", "girls", "gold", "today"]
    asked = ["near whom?", "who is old?", "who found?", "found what?", "found when?"]
    answers = [f"{q} {a}, {'right' if a == b else 'wrong'}" for q, a, b in zip(asked, words, right, strict=True)]
    assert f"Answers: {'; '.join(answers)}." in told
    label = page.locator(".training-curves").get_attribute("aria-label")
    assert label == "Over the steps: the share of right answers, and all changes of W_Q so far, added up"


def test_the_keys_walk_from_one_word_that_asks_to_the_next(read, opened):
    page = opened(TrainingLab(read, frame="last", pin=[1, 3]), reduced_motion="reduce")
    page.locator(".training-board").focus()
    for word in ("old", "found", "found"):
        page.keyboard.press("ArrowDown")
        assert f"“{word}” gives" in sentence_of(page)


def test_a_number_of_w_q_is_reached_by_a_tap_and_with_the_keys(read, opened):
    page = opened(TrainingLab(read, frame="last", pin=[1, 3]), reduced_motion="reduce")
    board = page.locator(".training-board")
    board.focus()
    page.keyboard.press("Shift+ArrowRight")
    assert "this number of W_Q of head 0 is" in sentence_of(page)
    first = sentence_of(page)
    page.keyboard.press("Shift+ArrowRight")
    assert "this number of W_Q" in sentence_of(page) and sentence_of(page) != first
    page.keyboard.press("ArrowDown")
    assert "of its weight to" in sentence_of(page)
    first_number = {"x": 3, "y": 103}
    board.click(position=first_number)
    page.locator("h1").hover()
    assert sentence_of(page) == first
    board.click(position={"x": 3, "y": 103 + 50})
    assert "this number of W_Q of head 1 is" in sentence_of(page)
    for key, head in (("ArrowLeft", 0), ("ArrowRight", 1)):
        board.press(f"Shift+{key}")
        assert f"this number of W_Q of head {head} is" in sentence_of(page)
    board.click(position={"x": 3, "y": 103 + 50})
    assert "answers are right" in sentence_of(page)
    for elsewhere in (lambda: board.press("ArrowRight"), page.get_by_role("button", name="reset").click):
        board.click(position=first_number)
        assert "this number of W_Q" in sentence_of(page)
        elsewhere()
        assert "this number of W_Q" not in sentence_of(page)


@pytest.mark.parametrize("x,y", [(3, 103), (300, 103)])
def test_a_weight_and_a_number_of_w_q_are_described_while_they_are_pointed_at_and_until_the_reader_lets_go(read, opened, x, y):
    chips = [("start", {"frame": "first", "show": "weights"}), ("end", {"frame": "last", "show": "weights"})]
    page = opened(TrainingLab(read, frame="last", chips=chips), reduced_motion="no-preference")
    board = page.locator(".training-board")
    moment = sentence_of(page)
    assert "answers are right" in moment
    board.hover(position={"x": x, "y": y})
    described = sentence_of(page)
    assert "of head 0 is" in described or "of its weight to" in described
    page.locator("h1").hover()
    assert sentence_of(page) == moment
    for let_go in (
        lambda: board.click(position={"x": x, "y": y}),
        lambda: page.keyboard.press("Escape"),
        lambda: page.get_by_role("button", name="end").click(),
        lambda: page.get_by_role("button", name="play again").click(),
    ):
        board.click(position={"x": x, "y": y})
        page.locator("h1").hover()
        assert sentence_of(page) == described
        let_go()
        assert sentence_of(page) == moment


@pytest.fixture
def learned(read, monkeypatch):
    """The reader, as if its answers were right from the second frame on."""
    monkeypatch.setattr(read, "measured", {asked: [0.1, 1.0, 1.0] for asked in ASKED})
    return read


# Records the texts that are drawn, and the radii of circles without a filling.
DRAWN = """globalThis.drawn = { texts: [], rings: [] };
let radius = 0;
for (const [method, note] of Object.entries({
  beginPath: () => (radius = 0), arc: (x, y, r) => (radius = r), fill: () => (radius = 0),
  stroke: () => radius && drawn.rings.push(radius), fillText: text => drawn.texts.push(text),
})) {
  const draw = CanvasRenderingContext2D.prototype[method];
  CanvasRenderingContext2D.prototype[method] = function (...all) {
    note(...all);
    return draw.apply(this, all);
  };
}"""


def drawn_on(page, what, scheme="dark"):
    """What a frame that is drawn anew, in the other colours, consists of."""
    settled(page)
    page.evaluate("drawn.texts = []; drawn.rings = []")
    page.emulate_media(color_scheme=scheme)
    settled(page)
    return page.evaluate(f"drawn.{what}")


def test_rings_show_weights_that_were_clearly_larger_when_answers_began_to_be_right(learned, opened, monkeypatch):
    weights = learned.weights.clone()
    weights[1] = weights[1].softmax(-1).flip(-1).mul(40).softmax(-1)
    monkeypatch.setattr(Recording, "weights", property(lambda _: weights))
    page = opened(TrainingLab(learned, frame="last"), script=DRAWN, reduced_motion="reduce")
    rows = [1, 2, 4]  # near, old and found
    then, now = (weights[n, 0, 0][:, rows].transpose(0, 1).flatten() for n in (1, 2))  # a block for each word, a row for each head
    lost = then[then - now >= 0.1].sqrt()
    rings = torch.tensor(drawn_on(page, "rings"), device="cpu")
    assert 0 < len(rings) == len(lost) < then.numel()
    assert_close(rings / rings.sum(), (lost / lost.sum()).float(), atol=1e-3, rtol=0)
    assert "● weight   ○ at step 4   ▢ answer" in page.evaluate("drawn.texts")
    for frame in ("learned", "first"):
        page = opened(TrainingLab(learned, frame=frame), script=DRAWN, reduced_motion="reduce")
        assert not drawn_on(page, "rings")
        assert "● weight   ▢ answer, dashed while wrong" in page.evaluate("drawn.texts")


@pytest.mark.parametrize("width", [390, 1280])
def test_on_the_map_every_word_has_its_name(learned, opened, width):
    page = opened(TrainingLab(learned, frame="first", show="rows"), width=width, script=DRAWN, reduced_motion="reduce")
    for frame, scheme in (("first", "dark"), ("learned", "light"), ("last", "dark")):
        follow = "to => new Promise(done => { addEventListener('hashchange', done, { once: true }); location.hash = to; })"
        page.evaluate(follow, f"lab-1?frame={frame}")
        assert {*drawn_on(page, "texts", scheme)} >= {*language.WORDS}, frame


# In each state of a training: the height that the lab takes, and the places of parts on the screen.
STATES = f"""async top => {{
  const find = name => document.querySelector(name);
  const [board, chips] = [find('.training-board'), [...document.querySelectorAll('.chip')]];
  const pressed = (key, shiftKey) => new KeyboardEvent('keydown', {{ key, shiftKey, bubbles: true }});
  const press = (key, shiftKey = false) => () => board.dispatchEvent(pressed(key, shiftKey));
  const click = (name, text) => () => [...document.querySelectorAll(name)].find(one => one.textContent === text).click();
  const more = click('summary', 'more');
  const acts = [
    ...[() => board.focus(), press('ArrowRight', true), press('ArrowRight'), press('PageDown')],
    ...chips.map(chip => () => chip.click()),
    ...[more, click('label', 'rows of the embedding'), more],
  ];
  const states = [];
  for (const act of acts) {{
    act();
    await {SETTLED};
    if (find('.more[open]')) continue;
    const [root, first, controls, sentence] = ['.attn-lab-root', top, '.controls', '.sentence'].map(find);
    const [{{ height }}, {{ top: from }}] = [root, first].map(node => node.getBoundingClientRect());
    const ends = [controls, sentence].map(node => node.getBoundingClientRect().bottom);
    states.push([sentence.innerText, height, from, ...ends]);
  }}
  click('button', 'reset')();
  board.blur();
  return states;
}}"""


def test_the_page_keeps_as_much_room_as_any_state_takes(learned, opened):
    """And a phone shows the picture, the slider and the sentence on one screen."""
    names = {"before training": "first", "answers right": "learned", "trained": "last"}
    chips = [(text, {"frame": frame, "show": "weights"}) for text, frame in names.items()]
    page = opened(TrainingLab(learned, frame="last", chips=chips), height=844, reduced_motion="reduce")
    for width in (360, 390, 480, 600, 700, 768, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        settled(page)
        room = page.evaluate(
            """() => {
              const lab = document.querySelector('.attn-lab').cloneNode(false);
              document.querySelector('main').append(lab);
              const { height } = lab.getBoundingClientRect();
              lab.remove();
              return height;
            }"""
        )
        states = page.evaluate(STATES, ".picture" if width < 1000 else ".question")
        assert len(states) == 8 and len({told for told, *_ in states}) == 7
        for told, height, top, controls, sentence in states:
            assert height <= room, (width, told)
            if width < 700:
                assert sentence <= top, (width, "the sentence stands above the picture")
            assert max(controls, sentence) - top <= (620 if width >= 1000 else 844), (width, told)


def test_an_experiment_that_plays_to_the_fall_says_where_it_stops(opened):
    kept = recording(frames=20)
    kept.losses[:] = [2.0] * 23 + [0.5] * 16
    page = opened(TrainingLab(kept, frame="last"), reduced_motion="no-preference")
    told = told_by(page, "the loss falls fastest")
    step = TrainingLab(kept, frame="fall").step
    assert step < 38 and f"The training plays to step {step}: attention weights change." in told


def told_by(page, chip):
    """The sentences between this chip and the end of its move."""
    settled(page)
    page.evaluate(
        """selector => {
          const sentence = document.querySelector(selector);
          globalThis.told = [];
          new MutationObserver(() => told.push(sentence.textContent)).observe(sentence, { childList: true });
        }""",
        SENTENCE,
    )
    page.get_by_role("button", name=chip, exact=True).click()
    settled(page)
    return page.evaluate("told")


def test_two_trainings_are_compared_at_the_same_step_without_playing_and_what_plays_pauses_where_answers_are_right(learned, opened):
    other = copy(learned)
    other.name = "other"
    chips = [(name, {"task": name, "frame": "last", "show": "weights"}) for name in ("read", "other")]
    page = opened(TrainingLab(learned, other, frame="last", chips=chips), reduced_motion="no-preference")
    told = told_by(page, "other")
    assert len(told) <= 1 and sentence_of(page).endswith("and W_Q went on changing."), "as much as in the other one"
    assert page.get_by_role("button", name="other").get_attribute("aria-pressed") == "true"
    page.locator(SLIDER).press("Home")
    page.evaluate(
        """() => {
          globalThis.times = [];
          const note = () => times.push(Number(document.querySelector('.player input').value));
          new MutationObserver(note).observe(document.querySelector('.controls'), { subtree: true, attributes: true });
        }"""
    )
    assert any("Does W_Q stay as it is from now on?" in text for text in told_by(page, "read"))
    assert sum(1 <= time <= 1.06 for time in page.evaluate("times")) > 5


def test_another_training_keeps_the_share_of_its_steps(recordings, opened):
    page = opened(TrainingLab(*recordings, frame=2), reduced_motion="reduce")
    choose_training(page, "go on")
    assert "tep 6" in sentence_of(page)


def test_another_training_of_another_shape_starts_with_the_head_that_looks_most_at_what_followed_the_same_word(recordings, opened):
    _, kept = recordings
    page = opened(TrainingLab(*recordings, sequence=2, frame="last", pin=[9, 2]), reduced_motion="reduce")
    choose_training(page, "go on")
    lab = TrainingLab(kept, sequence=2, frame="last")
    layer, head = divmod(int(lab.shares.argmax()), 3)
    assert f"In layer {layer}, head {head}," in sentence_of(page)


def test_the_row_of_a_word_is_described_by_how_far_it_moves(recordings, opened):
    _, kept = recordings
    lab = TrainingLab(*recordings, task="go on", frame=4, show="rows", word=2)
    page = opened(lab, reduced_motion="reduce")
    wanted = f"moved by {lab.moved:.2f} in all, half of that by step "
    assert f"“{kept.words[2]}”" in sentence_of(page) and wanted in sentence_of(page)
    page.locator(".training-board").focus()
    page.keyboard.press("ArrowRight")
    assert f"“{kept.words[3]}”" in sentence_of(page)
