"""Sentences become token ids, and the id of padding differs from that of every word."""

import pytest
import torch

from attn.lessons import text


def test_words_are_numbered_as_they_first_appear_and_short_sentences_are_padded():
    batch = text.read("The cat saw the dog", "A cat")
    assert batch.vocabulary == ["·", "the", "cat", "saw", "dog", "a"]
    assert batch.ids.tolist() == [[1, 2, 3, 1, 4], [5, 2, 0, 0, 0]]
    assert batch.lengths.tolist() == [5, 2]


def test_the_sentences_of_the_book_differ_in_length_and_read_back():
    batch = text.read(*text.SENTENCES)
    assert len(set(batch.lengths.tolist())) == len(text.SENTENCES) == 3
    for words, ids, length in zip(batch.words, batch.ids, batch.lengths, strict=True):
        assert [batch.vocabulary[i] for i in ids[:length]] == words
        assert torch.equal(ids[length:], torch.zeros_like(ids[length:]))


@pytest.mark.parametrize("sentences", [(), ("",), ("  ", "")])
def test_sentences_without_words_are_refused(sentences):
    with pytest.raises(ValueError, match="at least one sentence with a word"):
        text.read(*sentences)
