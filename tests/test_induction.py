"""Models that continue a repetition: what is measured of their heads, and that the recorded trainings are what training gives."""

import math

import pytest
import torch
import train_seeds
from torch.testing import assert_close

from attn.lessons import induction, language, reader, reader_training
from attn.lessons.training import Recording


@pytest.fixture(scope="module")
def two():
    """Two layers, trained half as long as the recorded ones."""
    model = induction.learner(2)
    recording = Recording(model, induction.watched()[0], name="go on", every=5)
    induction.train(model, 151, watch=recording.keep)
    return recording


def test_the_record_has_all_trainings_and_their_numbers_are_possible():
    record = induction.record()
    assert [run["seed"] for run in record["one layer"]] == [0, 1, 2]
    assert [run["seed"] for run in record["two layers"]] == list(train_seeds.SEEDS)
    assert [(run["weight decay"], run["seed"]) for run in record["readers"]] == [(d, n) for d in (1.0, 0.0) for n in range(10)]
    for run in record["one layer"]:
        assert run["steps"] == list(train_seeds.MARKS) and len(run["losses"]) == len(run["steps"])
        assert math.log(induction.WORDS) > run["losses"][0] > run["losses"][-1] > 0
    for run in record["readers"]:
        assert len(run["highest"]) == len(language.QUESTIONS) and set(run["highest"]) <= set(language.CLASSES)
    for run in record["two layers"]:
        assert set(run["patched"]) == {"", "Q", "K", "V"} and min(run["patched"].values()) == run["patched"][""]
    assert induction.RECORD.stat().st_size < 12_000


def test_what_the_words_that_ask_score_highest_is_read_from_the_head_that_answers():
    trained, (_, sentences) = reader.recorded().requires_grad_(False), reader_training.split(held_out=50)
    asked = [question for _, question in language.QUESTIONS]
    assert reader_training.highest(trained, sentences) == asked
    classes, D = list(language.CLASSES), trained.layer.D
    means = torch.stack([trained.tokens.weight[[language.NUMBER[word] for word in of]].mean(0) for of in language.CLASSES.values()])
    for h, question in enumerate(reader.HEADS):
        scores = trained.layer.W_K[h * D : (h + 1) * D] @ means.T
        scores = (trained.layer.W_Q[h * D : (h + 1) * D] @ means[classes.index("verb")]) @ scores
        assert classes[int(scores.argmax())] == question
    trained.layer.W_K[:D] *= -1  # head 0 now gives its least scores most
    assert reader_training.highest(trained, sentences)[2] != "who" and reader_training.highest(trained, sentences)[3:] == asked[3:]


def test_training_again_gives_what_is_recorded():
    """One layer, up to its first mark. Another processor may round otherwise, and 300 steps make that larger."""
    record = induction.record()
    again = train_seeds.one_layer(0, marks=(300,))
    assert again["losses"][0] == pytest.approx(record["one layer"][0]["losses"][0], abs=0.15)


def test_two_layers_learn_to_continue_with_a_head_that_looks_after_earlier_occurrences(two):
    heads = induction.heads(two.weights)
    assert two.losses[0] > 2.5 > 0.4 > two.losses[-1]
    assert heads["induction"][0].max() < 0.3 < 0.7 < heads["induction"][-1].max()
    assert induction.continued(induction.learner(2)) < 0.2 < 0.7 < induction.continued(two.model)
    assert 50 < induction.rises(two, heads["induction"]) < 150


def test_heads_are_measured_where_they_are_defined():
    ids = induction.watched()[0]
    weights = torch.zeros(3, 2, 2, induction.L, induction.L)
    weights[1, 1, 0] = torch.eye(induction.L).roll(-10, 1)  # ten back: after the last occurrence, with a period of eleven
    weights[1, 0, 1] = torch.eye(induction.L).roll(-1, 1)  # one back
    found = induction.heads(weights)
    assert ids[1, :11].equal(ids[1, 11:22])
    assert_close(found["induction"], torch.tensor([1.0, 0.0]))
    assert_close(found["previous"], torch.tensor([0.0, 1.0]))


def test_patching_nothing_changes_nothing_and_patching_keys_costs_most(two):
    given = induction.batch(torch.Generator().manual_seed(3))
    assert induction.patched(two.model, *given) == pytest.approx(two.model.loss(*given).item(), abs=1e-5)
    costs = {what: induction.patched(two.model, *given, what) for what in "QKV"}
    assert costs["K"] > 3 and costs["K"] > 2 * costs["Q"]


def test_the_two_heads_of_a_question_and_the_cosines_of_a_class():
    reader = reader_training.fresh(2)
    first, second = reader_training.two_heads(reader, [text.split() for text in language.EXAMPLES])
    assert 1 > first > second > 0
    vectors = reader.tokens.weight.detach()[[language.NUMBER[word] for word in language.CLASSES["when"]]]
    cosines = [float(torch.cosine_similarity(a, b, 0)) for n, a in enumerate(vectors) for b in vectors[:n]]
    assert reader_training.closest(reader, "when") == pytest.approx((min(cosines), max(cosines)), abs=1e-5)
