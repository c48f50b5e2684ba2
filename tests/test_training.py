"""Recordings of training: each frame has the parameters for which its loss was computed, and it does not change later."""

import math
import sys
from types import SimpleNamespace

import pytest
import torch
from torch.testing import assert_close

import attn
from attn.lessons import tasks, training


def tiny(**sizes):
    torch.manual_seed(0)
    return attn.lessons.TinyTransformer(**{"words": 7, "S_max": 10, "E": 12, "H": 3, "layers": 2} | sizes)


def batch(seed):
    return tasks.copying(6, 5, 7, generator=torch.Generator().manual_seed(seed))


def trained(steps=6, every=2):
    model = tiny()
    recording = training.Recording(model, batch(99)[0][:2], name="copy", every=every)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    states = []
    for step in range(steps):
        states.append({name: tensor.clone() for name, tensor in model.state_dict().items()})
        loss = model.loss(*batch(step))
        recording.keep(loss)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model, recording, states


def test_each_frame_shows_the_model_before_its_step():
    model, recording, states = trained()
    tables = recording.table  # a frame that shared the model's memory would change with the model below
    assert recording.steps == [0, 2, 4] and len(recording) == 3 and len(recording.losses) == 6
    for n, step in enumerate(recording.steps):
        model.load_state_dict(states[step])
        with torch.no_grad():
            assert recording.losses[step] == pytest.approx(float(model.loss(*batch(step))))
            for layer, made in enumerate(model.steps(recording.ids)):
                assert_close(recording.weights[n, :, layer], made.weights)
            chances = model(recording.ids).softmax(-1)
        for b, ids in enumerate(recording.ids.tolist()):
            for i, word in enumerate(ids[1:]):
                assert_close(recording.chances[n, b, i], chances[b, i, word])
                assert int(recording.guesses[n, b, i]) == int(chances[b, i].argmax())
        assert_close(tables[n], states[step]["tokens.weight"])
        for layer, made in enumerate(model.layers):
            assert_close(recording.queries[n, layer].flatten(0, 1), made.W_Q.detach())


def test_its_tensors_have_the_documented_shapes():
    _, recording, _ = trained()
    assert recording.weights.shape == (3, 2, 2, 3, 10, 10) and recording.queries.shape == (3, 2, 3, 4, 12)
    assert recording.chances.shape == (3, 2, 9)
    assert recording.table.shape == (3, 7, 12)
    assert not recording.weights.requires_grad and not recording.table.requires_grad
    assert repr(recording) == "Recording('copy', 6 steps, 3 frames of 2 sequences)"


def test_what_is_measured_is_kept_at_each_frame_and_the_loss_of_guessing_is_that_of_its_words():
    shares = iter((0.25, 0.5, 0.75))
    model = tiny()
    recording = training.Recording(model, batch(0)[0], name="copy", every=3, measure=lambda: {"right": next(shares)})
    for loss in torch.rand(9):
        recording.keep(loss)
    assert recording.measured == {"right": [0.25, 0.5, 0.75]}
    assert recording.guess == pytest.approx(math.log(7))
    assert training.Recording(model, batch(0)[0], name="copy", guess=1.5).guess == 1.5


def test_keeping_a_frame_does_not_change_the_gradients():
    model = tiny()
    ids, known = batch(0)
    loss = model.loss(ids, known)
    loss.backward()
    wanted = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    recording = training.Recording(model, ids[:2], name="copy")
    loss = model.loss(ids, known)
    recording.keep(loss)
    loss.backward()
    for parameter, gradient in zip(model.parameters(), wanted, strict=True):
        assert_close(parameter.grad, gradient)


def test_words_and_sequences_have_names_or_else_numbers():
    model, ids = tiny(), batch(0)[0][:2]
    recording = training.Recording(model, ids, name="copy")
    assert recording.titles == ["1", "2"] and recording.words == list("0123456")
    with pytest.raises(attn.ShapeError, match="words has 2 names, and there are 7 words in the model's vocabulary"):
        training.Recording(model, ids, name="copy", words=["a", "b"])
    with pytest.raises(attn.ShapeError, match="titles has 1 names, and there are 2 sequences"):
        training.Recording(model, ids, name="copy", titles=["one"])
    with pytest.raises(ValueError, match="every = 0"):
        training.Recording(model, ids, name="copy", every=0)
    with pytest.raises(ValueError, match="has no frames: call keep"):
        recording.weights  # noqa: B018


def test_follows_marks_the_words_right_after_an_earlier_occurrence():
    ids = torch.tensor([[0, 1, 2, 0, 0, 1]])
    pairs = set(map(tuple, tasks.follows(ids)[0].nonzero().tolist()))
    wanted = set()
    row = ids[0].tolist()
    for i, word in enumerate(row):
        wanted |= {(i, earlier + 1) for earlier in range(i) if row[earlier] == word}
    assert pairs == wanted == {(3, 1), (4, 1), (4, 4), (5, 2)}


def test_progress_counts_every_step_with_a_bar_of_tqdm(monkeypatch):
    shown = []

    def tqdm(steps, **settings):
        shown.append((steps, settings))
        return iter(steps)

    monkeypatch.setitem(sys.modules, "tqdm.auto", SimpleNamespace(tqdm=tqdm))
    for variable, hidden in (("1", True), ("", False)):
        monkeypatch.setenv("TQDM_DISABLE", variable)
        assert list(training.progress(7)) == list(range(7))
        assert shown.pop() == (range(7), {"unit": " steps", "disable": hidden})
    with pytest.raises(ValueError, match="steps = 0"):
        training.progress(0)


def test_without_tqdm_a_training_runs_all_the_same(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert list(training.progress(7)) == list(range(7))
