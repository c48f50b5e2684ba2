"""The recorded layer: each head answers one question, for sentences of every length, and training finds this again."""

import dataclasses
import json
import random

import pytest
import torch
import train_reader
from node import node
from torch.testing import assert_close

from attn.lessons import language, reader
from attn.lessons import reader_training as training
from attn.lessons.language import CLASS, CLASSES, NUMBER, QUESTIONS
from attn.lessons.reader import ASKED, HEADS
from attn.lessons.training import Recording


@pytest.fixture(scope="module")
def held_out():
    return training.split()[1]


@pytest.fixture(scope="module")
def recorded():
    return reader.recorded()


def test_head_0_answers_who_head_1_what_and_head_2_when_at_every_length(recorded, held_out):
    assert HEADS == ("who", "what", "when")
    kinds = {4: {"verb"}, 5: {"verb", "adjective"}, 6: {"verb", "preposition"}, 7: {"verb", "adjective", "preposition"}}
    for L, asking in kinds.items():
        rows = [row for row in training.measure(recorded, [words for words in held_out if len(words) == L]) if row.asks in asking]
        assert {row.asks for row in rows} == asking
        for row in rows:
            head = HEADS.index(row.question)
            others = [share for h, share in enumerate(row.shares) if h != head]
            assert row.shares[head] > 0.85 and max(others) < 0.2, (L, row)
            assert row.accuracy > 0.995, (L, row)


def test_without_a_head_its_questions_are_answered_by_chance_and_the_others_as_before(recorded, held_out):
    for row in training.measure(recorded, held_out):
        chance = 1 / len(CLASSES[row.question])
        for head, accuracy in zip(HEADS, row.without, strict=True):
            if head == row.question:
                assert abs(accuracy - chance) < 0.05
            else:
                assert accuracy > 0.995


def test_the_recorded_measurements_are_those_of_the_recorded_weights(recorded, held_out):
    """Close, not equal: another processor may round otherwise, and a share is an average of thousands."""
    stored = reader.record()["measured"]
    assert stored["sentences"] == len(held_out) == 2000
    rows = training.measure(recorded, held_out)
    assert [(row["asks"], row["question"]) for row in stored["questions"]] == list(QUESTIONS)
    for row, told in zip(rows, stored["questions"], strict=True):
        mine = dataclasses.asdict(row)
        for name in ("shares", "without", "accuracy"):
            assert told[name] == pytest.approx(mine[name], abs=2e-3), (row.asks, row.question, name)


def test_a_measured_share_is_the_average_weight_of_the_head_on_the_answer(recorded, held_out):
    """Computed once more, sentence by sentence, without padding."""
    some = random.Random(3).sample(held_out, 60)
    weights_of = {kind: [] for kind in QUESTIONS}
    right = 0
    for words in some:
        weights = recorded.steps(torch.tensor([[NUMBER[word] for word in words]])).weights[0]
        replies = recorded.reply(words)
        for asked, reply in zip(language.parse(words), replies, strict=True):
            weights_of[CLASS[words[asked.asker]], asked.question].append(weights[:, asked.asker, asked.answer].detach())
            assert (reply.asker, reply.question) == (asked.asker, asked.question)
            right += reply.word == words[asked.answer]
    for row in training.measure(recorded, some):
        found = weights_of[row.asks, row.question]
        assert len(found) > 20
        assert_close(torch.tensor(row.shares), torch.stack(found).mean(0), atol=1e-4, rtol=0)
    assert right == sum(map(len, weights_of.values()))


def test_training_gives_heads_with_separate_jobs_again():
    """The recorded seed in 800 steps instead of 1000: the jobs are the same, and not yet as separate."""
    sentences, held_out = training.split()
    some = held_out[::4]
    rows = training.measure(training.in_order(training.train_reader(train_reader.SEED, steps=800, sentences=sentences), some), some)
    for row in rows:
        head = HEADS.index(row.question)
        assert row.shares[head] > 0.8 and row.accuracy > 0.98 and row.without[head] < 0.4, row
        assert sum(row.without) > 2.1, row
    assert train_reader.separate(rows)


def test_a_sentence_without_a_time_is_answered_with_one_all_the_same(recorded, held_out):
    """The weights of the head that answers when sum to 1, so they must go to words that are not an answer."""
    timeless = [[word for word in words if CLASS[word] != "when"] for words in held_out[::20]]
    chances, largest = [], []
    for words in timeless:
        verb = next(n for n, word in enumerate(words) if CLASS[word] == "verb")
        weights = recorded.steps(torch.tensor([[NUMBER[word] for word in words]])).weights[0, HEADS.index("when"), verb].detach()
        assert_close(weights.sum(), torch.tensor(1.0))
        largest.append(float(weights.max()))
        reply = next(reply for reply in recorded.reply(words) if reply.question == "when")
        assert reply.word in CLASSES["when"] and reply.word not in words
        chances.append(reply.chance)
    assert len(chances) == 100
    # A time that is there has .96 of the weight, and a guess among six would have a chance of .17.
    assert sum(largest) / 100 > 0.5 and sum(chances) / 100 > 0.5


def test_the_heads_are_put_in_order_without_changing_what_the_layer_computes(recorded, held_out):
    shuffled = reader.Reader()
    shuffled.load_state_dict(recorded.state_dict())
    D, order = recorded.layer.D, (2, 0, 1)
    rows = torch.cat([torch.arange(h * D, (h + 1) * D) for h in order])
    with torch.no_grad():
        for name in ("W_Q", "W_K", "W_V"):
            getattr(shuffled.layer, name).copy_(getattr(recorded.layer, name)[rows])
        shuffled.layer.W_O.weight.copy_(recorded.layer.W_O.weight[:, rows])
    assert training.measure(shuffled, held_out)[3].shares[2] > 0.9  # what
    again = training.in_order(shuffled, held_out)
    assert reader.matrices(again) == reader.matrices(recorded)


def test_heads_without_a_question_of_their_own_are_not_put_in_order(held_out):
    with pytest.raises(ValueError, match=r"the heads do not share the questions: .*Train with another seed"):
        training.in_order(training.train_reader(0, steps=1, sentences=held_out), held_out)


def test_the_record_holds_all_weights_of_a_reader(recorded):
    record = reader.record()
    assert reader.matrices(reader.loaded(record)) == {name: record[name] for name in reader.matrices(recorded)}
    assert sum(len(row) * len(record[name]) for name in reader.matrices(recorded) for row in record[name][:1]) == sum(
        parameter.numel() for parameter in recorded.parameters()
    )
    assert {name: tuple(words) for name, words in record["classes"].items()} == CLASSES and tuple(record["heads"]) == ASKED
    assert tuple(record["examples"]) == language.EXAMPLES[:4]
    assert reader.RECORD.stat().st_size < 12_000


def test_the_answers_of_padded_sentences_do_not_depend_on_the_padding(recorded, held_out):
    batch = training.encode(held_out[:5])
    padded = recorded(batch.ids, batch.real)
    for b, words in enumerate(held_out[:5]):
        alone = recorded(batch.ids[b : b + 1, : len(words)])
        for mine, theirs in zip(alone, padded, strict=True):
            assert_close(mine[0], theirs[b, : len(words)])


def test_without_weight_decay_the_answers_are_right_and_the_heads_share_the_questions(held_out):
    """Seed 5 again, after 400 steps: no question has a head that holds .8 of its weight, and most questions need two heads."""
    rows = training.measure(training.train_reader(5, weight_decay=0.0, steps=400), held_out[::4])
    assert min(row.accuracy for row in rows) > 0.995
    assert max(max(row.shares) for row in rows) < 0.8
    assert sum(sum(without < 0.9 for without in row.without) > 1 for row in rows) > 2
    assert not train_reader.separate(rows)


def test_the_training_can_be_recorded_step_by_step():
    sentences = [text.split() for text in language.EXAMPLES]
    ids = training.encode(sentences[:2]).ids
    learning = training.fresh(3)
    start = learning.tokens.weight.detach().clone()
    recording = Recording(learning, ids, name="who, what, when", words=language.WORDS, every=2)
    trained = training.train_reader(3, reader=learning, steps=5, sentences=sentences, watch=recording.keep)
    assert trained is learning and recording.steps == [0, 2, 4] and len(recording.losses) == 5
    assert recording.weights.shape == (3, 2, 1, 3, 7, 7) and recording.chances.shape == (3, 2, 7, 3)
    assert_close(recording.table[0], start, atol=0, rtol=0)  # the first frame is the reader before it learned
    again = training.train_reader(3, steps=5, sentences=sentences)
    assert_close(again.tokens.weight, trained.tokens.weight, atol=0, rtol=0)


def test_a_recorded_training_is_the_same_training_with_its_accuracy_at_each_frame(held_out):
    sentences = [text.split() for text in language.EXAMPLES]
    recording = training.record_training("read", 3, steps=5, every=2, data=(sentences, held_out[:50]))
    again = training.train_reader(3, steps=5, sentences=sentences)
    assert_close(recording.model.tokens.weight, again.tokens.weight, atol=0, rtol=0)
    assert recording.titles == list(language.EXAMPLES[:3]) and recording.steps == [0, 2, 4]
    assert all(len(shares) == 3 for shares in recording.measured.values())
    first = training.accuracies(training.fresh(3), training.encode(held_out[:50]))
    assert {question: shares[0] for question, shares in recording.measured.items()} == first


def test_the_accuracy_of_a_question_is_the_share_of_right_answers_of_all_who_ask_it(recorded, held_out):
    some = held_out[:200]
    half = training.train_reader(3, steps=60, sentences=some)
    found = training.accuracies(half, training.encode(some))
    for question in ASKED:
        right = asked = 0
        for words in some:
            answers = {reply.asker: reply.word for reply in half.reply(words) if reply.question == question}
            for one in language.parse(words):
                if one.question == question and one.answer is not None:
                    asked += 1
                    right += answers[one.asker] == words[one.answer]
        assert found[question] == pytest.approx(right / asked, abs=0.01) and 0.1 < found[question] < 0.99
    assert min(training.accuracies(recorded, training.encode(some)).values()) > 0.99


def test_the_likeliest_answers_are_words_of_the_class_that_is_asked_for(recorded, held_out):
    words = next(words for words in held_out if len(words) == 7)
    guesses = recorded.guesses(torch.tensor([[NUMBER[word] for word in words]]))[0]
    for reply in recorded.reply(words):
        assert language.WORDS[int(guesses[reply.asker, ASKED.index(reply.question)])] == reply.word


def test_the_chances_of_a_frame_are_those_of_the_right_answers(recorded, held_out):
    words = next(words for words in held_out if len(words) == 7)
    chances = recorded.chances(torch.tensor([[NUMBER[word] for word in words]]))[0]
    asked = {(reply.asker, ASKED.index(reply.question)): reply.chance for reply in recorded.reply(words)}
    for place in range(7):
        for n in range(3):
            assert float(chances[place, n]) == pytest.approx(asked.get((place, n), float("nan")), nan_ok=True)
    assert recorded.chances(torch.tensor([[NUMBER[word] for word in words if CLASS[word] != "when"]]))[..., 2].isnan().all()


def test_a_page_computes_every_tensor_of_the_layer_as_python_does(recorded):
    """readWith, for a sentence of each length; ShapeLab's own tests compare what the lab shows."""
    texts = ["once", "kings found gold", "old boys sold eggs soon", *language.EXAMPLES[:4]]
    script = f"""import {{ readWith }} from './src/attn/labs/kit/reader.js';
    const plain = (made) => Object.fromEntries(Object.entries(made).map(([name, tensor]) => [name, tensor && Array.from(tensor)]));
    console.log(JSON.stringify({json.dumps(texts)}.map((text) => plain(readWith(text.split(" "))))))"""
    run = node("--input-type=module", "-e", script)
    assert run.returncode == 0, run.stderr
    for text, theirs in zip(texts, json.loads(run.stdout), strict=True):
        steps = dict(recorded.steps(torch.tensor([[NUMBER[word] for word in text.split()]])).items())
        assert theirs.pop("context") is None and theirs.keys() == steps.keys()
        for name, tensor in steps.items():
            assert_close(
                torch.tensor(theirs[name], dtype=torch.float32),
                tensor.detach().flatten(),
                msg=lambda told, name=name: f"{name}: {told}",
            )
