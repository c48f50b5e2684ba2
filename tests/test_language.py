"""The made-up language: its sentences, the questions that their words ask, and what is said of sentences that it does not have."""

import json
import random

import pytest
from node import node

from attn.lessons import language
from attn.lessons.language import CLASS, WORDS, Question, parse, read, sentences

EVERYTHING = list(sentences())


def asked(text):
    """What each asking word of a sentence asks, and the word that answers."""
    words = text.split()
    return [(words[one.asker], one.question, None if one.answer is None else words[one.answer]) for one in parse(words)]


def by_grammar(words):
    """The same for a grammatical sentence, read from left to right by its grammar."""
    rest, when = list(words), None
    for end in (0, -1):
        if CLASS[rest[end]] == "when":
            when = rest.pop(end)
    verb, what = rest[-2:]
    people, found, waiting = [], [], []
    for word in rest[:-2]:
        if CLASS[word] == "who":
            people.append(word)
            found += [(one, "who", word) for one in waiting]
            waiting = []
        else:
            waiting.append(word)
    return [*found, (verb, "who", people[0]), (verb, "what", what), (verb, "when", when)]


def test_the_words_of_the_example_ask_who_what_and_when():
    assert asked("girls near old kings found gold today") == [
        ("near", "who", "kings"),
        ("old", "who", "kings"),
        ("found", "who", "girls"),
        ("found", "what", "gold"),
        ("found", "when", "today"),
    ]


def test_every_sentence_is_parsed_as_its_grammar_says():
    chosen = random.Random(1).sample(EVERYTHING, 3000) + [text.split() for text in language.EXAMPLES]
    assert {len(words) for words in chosen} == {4, 5, 6, 7}
    for words in chosen:
        assert asked(" ".join(words)) == by_grammar(words)


def test_the_language_has_each_sentence_once_with_one_time_at_its_beginning_or_end():
    texts = {" ".join(words) for words in EVERYTHING}
    assert len(texts) == len(EVERYTHING) == 235008
    assert set(language.EXAMPLES) <= texts and {len(text.split()) for text in language.EXAMPLES} == {7}
    for words in EVERYTHING[::7]:
        times = [n for n, word in enumerate(words) if CLASS[word] == "when"]
        assert times in ([0], [len(words) - 1])


def test_the_number_of_sentences_follows_from_the_choices():
    """4 words: 8 persons, 4 verbs, 6 things, 6 times, the time first or last."""
    rest = 4 * 6 * 6 * 2
    assert sum(len(words) == 4 for words in EVERYTHING) == 8 * rest
    assert sum(len(words) == 5 for words in EVERYTHING) == 8 * 3 * rest
    assert sum(len(words) == 6 for words in EVERYTHING) == 8 * 2 * 7 * rest
    assert sum(len(words) == 7 for words in EVERYTHING) == 8 * 2 * 7 * (3 + 3) * rest
    assert len(list(sentences(4, 5))) == 8 * (1 + 3) * rest


def test_what_can_be_parsed_of_an_ungrammatical_sentence_is_parsed():
    assert asked("kings found gold") == [("found", "who", "kings"), ("found", "what", "gold"), ("found", "when", None)]
    assert asked("gold found kings today") == [("found", "who", "kings"), ("found", "what", "gold"), ("found", "when", "today")]
    assert asked("girls near old") == [("near", "who", None), ("old", "who", None)]
    assert parse(["old"]) == [Question(0, "who", None)] and parse([]) == parse(["gold", "today"]) == []


def test_a_typed_sentence_may_have_capital_letters_and_punctuation():
    assert read("  Girls near old kings, found GOLD: today!? ") == ["girls", "near", "old", "kings", "found", "gold", "today"]
    assert read("") == read(" . ") == []


@pytest.mark.parametrize(
    "text,message",
    [
        (
            "kings find gold",
            r"^“find” is not one of the 29 words of this language\. The words are: old small happy; girls .* soon\.$",
        ),
        ("shoe", r"“shoe” is not .* Did you mean “shoes”\? The words are"),
        ("Thief stole gold", r"“thief” is not .* Did you mean “thieves”\?"),
        ("old " * 9, r"^“old .* old” has 9 words; a sentence of this language has 7 at most\. Leave out at least 2\.$"),
    ],
)
def test_an_error_names_the_word_or_the_length_and_what_the_language_has(text, message):
    with pytest.raises(ValueError, match=message) as error:
        read(text)
    assert "words are" not in str(error.value) or all(word in str(error.value) for word in WORDS)


def test_a_page_reads_and_parses_sentences_as_python_does():
    choose = random.Random(2)
    texts = [
        " ".join(choose.choices([*WORDS, "king", "xyz", "Old", "near,", "todays"], k=choose.randint(0, 8))) for _ in range(300)
    ]
    texts += [" ".join(words) for words in choose.sample(EVERYTHING, 50)]
    script = f"""import {{ classOf, parse, readSentence, WORDS }} from './src/attn/labs/kit/language.js';
    const said = (text) => {{ try {{ return parse(readSentence(text)); }} catch (error) {{ return error.message; }} }};
    console.log(JSON.stringify([WORDS.map((word) => [word, classOf(word)]), {json.dumps(texts)}.map(said)]))"""
    run = node("--input-type=module", "-e", script)
    assert run.returncode == 0, run.stderr
    classes, theirs = json.loads(run.stdout)
    assert classes == [[word, CLASS[word]] for word in WORDS]
    mine = []
    for text in texts:
        try:
            mine.append([vars(one) for one in parse(read(text))])
        except ValueError as error:
            mine.append(str(error))
    assert theirs == mine
    assert 100 < sum(isinstance(one, str) for one in mine) < 300
