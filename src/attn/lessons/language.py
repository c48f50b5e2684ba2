"""A made-up language of 29 words. Every sentence says who did what, and when.

    [when] [adjective] WHO [near|behind [adjective] WHO] VERB WHAT [when]      4 to 7 words; the time once, first or last

Some words ask questions, and the answer is always another word of the sentence. In "girls near old kings found gold today"

    an adjective and a preposition ask who:     "old" asks who is old: kings       "near" asks who is near: kings
    a verb asks who, what and when:             "found" asks who found (girls), what was found (gold), and when (today)
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["CLASS", "CLASSES", "EXAMPLES", "LONGEST", "NUMBER", "QUESTIONS", "WORDS", "Question", "parse", "read", "sentences"]

# The class of an answer has the name of its question.
CLASSES = {
    "adjective": ("old", "small", "happy"),
    "who": ("girls", "boys", "kings", "queens", "cooks", "thieves", "nurses", "clowns"),
    "preposition": ("near", "behind"),
    "verb": ("found", "stole", "painted", "sold"),
    "what": ("gold", "bread", "soup", "cake", "eggs", "shoes"),
    "when": ("today", "yesterday", "once", "often", "later", "soon"),
}
WORDS = tuple(itertools.chain(*CLASSES.values()))
NUMBER = {word: number for number, word in enumerate(WORDS)}
CLASS = {word: name for name, words in CLASSES.items() for word in words}
QUESTIONS = (("adjective", "who"), ("preposition", "who"), ("verb", "who"), ("verb", "what"), ("verb", "when"))
LONGEST = 7

EXAMPLES = (
    "girls near old kings found gold today",
    "yesterday happy cooks behind boys sold soup",
    "small thieves near queens stole cake often",
    "later nurses behind old clowns painted eggs",
    "boys near happy girls sold bread once",
    "soon old kings behind thieves found shoes",
    "queens near small nurses painted gold yesterday",
    "once happy clowns near cooks stole bread",
    "cooks behind old boys found eggs later",
    "today small nurses near queens sold cake",
)


@dataclass(frozen=True)
class Question:
    """A question that a word of a sentence asks.

    asker: the place of the word that asks. question: "who", "what" or "when". answer: the place of the word that answers, or None
    if the sentence has no such word.
    """

    asker: int
    question: str
    answer: int | None


def parse(words: Sequence[str]) -> list[Question]:
    """The questions that the words of a sentence ask, in the order of the asking words.

    An adjective and a preposition ask for the first person after them, a verb for the first person, thing and time of the sentence.
    The sentence need not be grammatical: a question without an answer has the answer None.
    """
    asked = []
    for place, word in enumerate(words):
        for asks, question in QUESTIONS:
            if CLASS[word] == asks:
                first = 0 if asks == "verb" else place + 1
                answers = (n for n in range(first, len(words)) if CLASS[words[n]] == question)
                asked.append(Question(place, question, next(answers, None)))
    return asked


def read(text: str) -> list[str]:
    """The words of a sentence that somebody has typed. Capital letters and punctuation do not matter.

    Raises ValueError if a word is not one of the language, or if there are more than LONGEST words.
    """
    words = [word for word in re.split(r"[\s.,;:!?]+", text.lower()) if word]
    for word in words:
        if word not in NUMBER:
            close = max(WORDS, key=lambda known: _same_letters(word, known))
            same = _same_letters(word, close)
            guess = f" Did you mean “{close}”?" if same > 2 and len(close) < same + 4 else ""
            known = "; ".join(" ".join(group) for group in CLASSES.values())
            raise ValueError(f"“{word}” is not one of the {len(WORDS)} words of this language.{guess} The words are: {known}.")
    if len(words) > LONGEST:
        raise ValueError(
            f"“{' '.join(words)}” has {len(words)} words; a sentence of this language has {LONGEST} at most. "
            f"Leave out at least {len(words) - LONGEST}."
        )
    return words


def _same_letters(a: str, b: str) -> int:
    """How many letters two words have in common before they differ."""
    return sum(itertools.takewhile(bool, map(str.__eq__, a, b)))


def sentences(shortest: int = 4, longest: int = LONGEST) -> Iterator[list[str]]:
    """All sentences of the language with so many words. Nobody is near or behind people of the same kind."""
    of = CLASSES
    people = [[*adjective, who] for who in of["who"] for adjective in ([], *([one] for one in of["adjective"]))]
    for first in people:
        others = ([near, *other] for near in of["preposition"] for other in people if other[-1] != first[-1])
        for subject in ([*first], *([*first, *other] for other in others)):
            if shortest <= len(subject) + 3 <= longest:
                for verb, what, when in itertools.product(of["verb"], of["what"], of["when"]):
                    yield [*subject, verb, what, when]
                    yield [when, *subject, verb, what]
