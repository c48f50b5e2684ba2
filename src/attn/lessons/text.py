"""The sentences of the book: split into words, numbered, and padded to one length."""

from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

__all__ = ["PADDING", "SENTENCES", "Batch", "read"]

SENTENCES = ("The cat sat on the mat", "Dogs chase the red ball", "She reads books")
PADDING = "·"


@dataclass(frozen=True)
class Batch:
    """Sentences as a batch: words[b] are the words of sentence b, ids[b] their numbers, padded with 0 to the longest sentence."""

    words: list[list[str]]
    vocabulary: list[str]
    ids: Int[Tensor, "B L"]
    lengths: Int[Tensor, " B"]


def read(*sentences: str) -> Batch:
    """Split each sentence at spaces, in lower case, and number the words in the order in which they first appear.

    Word 0 of the vocabulary is the padding "·". A real tokenizer splits words into pieces; the shapes stay the same.
    Raises ValueError unless at least one sentence has a word.
    """
    words = [sentence.lower().split() for sentence in sentences]
    longest = max(map(len, words), default=0)
    if not longest:
        raise ValueError(f"read() was given {sentences!r}; it needs at least one sentence with a word in it.")
    vocabulary = list(dict.fromkeys([PADDING, *(word for sentence in words for word in sentence)]))
    ids = [[vocabulary.index(word) for word in sentence] + [0] * (longest - len(sentence)) for sentence in words]
    return Batch(words, vocabulary, torch.tensor(ids), torch.tensor([len(sentence) for sentence in words]))
