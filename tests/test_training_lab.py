"""TrainingLab: it shows the contents of a recording, in the kernel and in the browser, and it stays small."""

import json
import math
import random
import re
import sys

import numpy as np
import pytest
import torch
from lab_pages import settled
from node import assert_agree, copied_code
from torch.testing import assert_close

import attn
from attn.labs import TrainingLab
from attn.labs.bundle import widget_script
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


@pytest.fixture
def lab(recordings):
    return TrainingLab(*recordings)


def test_a_frame_has_the_numbers_of_the_recording(recordings, lab):
    _, kept = recordings
    lab.set_state({"task": "go on", "frame": 5, "sequence": 2, "word": 3})
    assert lab.step == 10 and lab.loss == pytest.approx(2.5 / 11, abs=1e-4)
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
    assert lab.frame == 3 and lab.weights.shape == (1, 3, 10, 10)


def test_recordings_must_have_different_names(recordings):
    with pytest.raises(ValueError, match="two recordings are called 'copy'"):
        TrainingLab(recordings[0], recordings[0])


def test_without_a_recording_it_makes_a_short_one_that_learns_and_touches_no_random_numbers():
    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    lab = TrainingLab(frame=10)
    assert torch.equal(torch.rand(3), wanted)
    assert lab.step == 100 and lab.loss < 0.1 * math.log(8)


def test_the_code_that_is_copied_names_the_variables_that_hold_the_recordings(recordings, monkeypatch):
    one, two = recordings
    notebook = sys.modules["__main__"]
    monkeypatch.setattr(notebook, "copied", one, raising=False)
    monkeypatch.setattr(notebook, "_2", two, raising=False)  # the name that IPython gives to the output of a cell
    assert TrainingLab(one, two)._positional is None, "a recording without a name"
    monkeypatch.setattr(notebook, "went_on", two, raising=False)
    lab = TrainingLab(one, two, task="go on", frame=5, word=3, pin=[1, 0, 4, 2])
    (code,) = copied_code(lab)
    assert code.startswith('TrainingLab(copied, went_on, task="go on", frame=5')
    again = eval(code, {"TrainingLab": TrainingLab} | vars(notebook))
    assert repr(again) == repr(lab) and again._runs == lab._runs
    assert TrainingLab()._positional == []


def test_the_fallback_has_a_row_for_each_moment(lab):
    rows = re.findall(r"<tr>(.*?)</tr>", lab.fallback())
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows[1:]]
    assert [row[:3] for row in cells[:2]] == [["copy", "0", "2.50"], ["copy", "2", "0.83"]]
    assert {row[0] for row in cells} == {"copy", "go on"} and len(cells[-1][3].split(", ")) == 6


def test_a_recording_is_sent_in_few_bytes(recordings, lab):
    carried = len(json.dumps(lab._runs[1]))
    numbers = recordings[1].weights.numel()
    assert carried < numbers  # about half of the weights can differ from 0, and each takes 4/3 of a byte


def random_settings(seed):
    choose = random.Random(seed)
    task = choose.choice(["copy", "go on"])
    frame = choose.randrange(4 if task == "copy" else 6)
    return {"task": task, "frame": frame, "sequence": choose.randrange(3), "word": choose.randrange(7)}


def test_browser_and_kernel_show_the_same(recordings):
    labs = [TrainingLab(*recordings, **random_settings(seed)) for seed in range(40)]
    for results in assert_agree(labs):
        assert set(results) == {"weights", "shares", "before", "chances", "dots", "path", "strides", "step", "loss", "moved"}


# On a page ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("positional", [["copied", "two"], None])
def test_in_jupyter_code_can_be_copied_if_the_recordings_have_names(recordings, new_context, tmp_path, positional):
    lab = TrainingLab(*recordings)
    traits = {
        name: getattr(lab, name) for name in (*lab.STATE, *lab.VIEW, *lab.CONSTANTS, "_schema", "_backend", "_limits", "_message")
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
        assert page.title().startswith('TrainingLab(copied, two, task="copy", frame=0')


def step_of(page):
    settled(page)
    return page.locator(".training-steps output").inner_text()


def test_the_weight_reached_with_the_keys_is_described_with_the_next_word(recordings, opened):
    page = opened(TrainingLab(*recordings, frame=3, pin=[0, 0, 8, 4]))
    kept, _ = recordings
    ids = kept.ids[0].tolist()
    page.locator(".facets canvas").first.focus()
    page.keyboard.press("PageDown")
    settled(page)
    text = page.inner_text(".pinned")
    assert text.startswith(f"Layer 0, head 1: “{kept.words[ids[8]]}” at place 8 gives {float(kept.weights[3, 0, 0, 1, 8, 4]):.2f}")
    assert text.endswith(f"the model gave it {float(kept.chances[3, 0, 8]):.2f}.")
    chips = page.locator(".training-chips span")
    assert [chips.nth(n).get_attribute("class") for n in (4, 8)] == ["seen", "looks"]
    page.keyboard.press("ArrowRight")
    settled(page)
    assert "at place 5" in page.inner_text(".pinned")
    for _ in range(9):
        page.keyboard.press("ArrowRight")  # to the diagonal, and no further
    settled(page)
    assert "of its weight to" in page.inner_text(".pinned") and page.inner_text(".pinned").count("at place 8") == 2


def test_playing_goes_to_the_end_and_every_other_control_stops_it(recordings, opened):
    page = opened(TrainingLab(*recordings))
    button = page.locator(".training-steps button")
    page.clock.install()
    assert step_of(page) == "0" and button.inner_text() == "play"
    page.clock.run_for(2000)
    assert step_of(page) == "0", "nothing plays by itself"
    button.click()
    assert button.inner_text() == "pause"
    page.wait_for_function("document.querySelector('.training-steps output').textContent === '6'")
    page.wait_for_function("document.querySelector('.training-steps button').textContent === 'play'")
    button.click()  # back to the beginning
    assert step_of(page) == "0"
    page.get_by_role("button", name="reset").click()
    assert button.inner_text() == "play"
    page.clock.run_for(2000)
    assert step_of(page) == "0"
    button.click()
    page.locator(".training-steps input").press("End")
    assert button.inner_text() == "play" and step_of(page) == "6"


def test_readers_who_prefer_reduced_motion_get_one_frame_at_a_time(recordings, opened):
    page = opened(TrainingLab(*recordings), reduced_motion="reduce")
    page.clock.install()
    button = page.locator(".training-steps button")
    assert button.inner_text() == "next frame"
    button.click()
    page.clock.run_for(2000)
    assert step_of(page) == "2" and button.inner_text() == "next frame"
    button.evaluate("node => { node.click(); node.click(); }")
    assert step_of(page) == "6", "two presses advance two frames, even if only the second is drawn"


def test_the_reader_can_point_at_the_loss_and_another_task_keeps_the_relative_step(recordings, opened):
    page = opened(TrainingLab(*recordings))
    box = page.locator(".training-loss svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.66, box["y"] + 20)
    assert step_of(page) == "4" and page.inner_text(".training-loss p >> nth=0").startswith(
        "Loss of the batch at this step 0.50 (guessing, dashed: 1.95)"
    )
    page.get_by_label("go on").check()
    assert step_of(page) == "6"


def test_another_task_starts_at_the_largest_weight_on_a_word_that_followed_the_same_word(recordings, opened):
    _, kept = recordings
    page = opened(TrainingLab(*recordings, sequence=2, pin=[0, 0, 9, 2]))
    page.get_by_label("go on").check()
    settled(page)
    ids, weights = kept.ids[2].tolist(), kept.weights[-1, 2]
    cells = [(i, j) for i in range(len(ids) - 1) for j in range(1, i + 1) if ids[j - 1] == ids[i]]
    _, layer, head, i, j = max((float(weights[n, h, i, j]), n, h, i, j) for n in (0, 1) for h in range(3) for i, j in cells)
    text = page.inner_text(".pinned")
    assert text.startswith(f"Layer {layer}, head {head}:") and f"at place {i} gives" in text
    assert f"at place {j}, which came right after an earlier" in text


def test_the_shares_are_described_layer_by_layer(recordings, opened):
    lab = TrainingLab(*recordings, task="go on", frame=5, sequence=1)
    page = opened(lab)
    parts = [
        "; ".join(f"{', '.join(f'{share:.2f}' for share in layer)} in layer {n}" for n, layer in enumerate(of.tolist()))
        for of in (lab.before, lab.shares)
    ]
    before, after = parts
    text = f"Weight on the word just before: {before}. On what came right after an earlier occurrence of the same word: {after}."
    assert page.inner_text(".training-shares") == text
