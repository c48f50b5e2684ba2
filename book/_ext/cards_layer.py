"""The layer whose numbers the pictures show, and the sentence that it reads."""

import functools

import torch

from attn.lessons import reader
from attn.lessons.language import NUMBER
from attn.lessons.reader import HEADS
from attn.steps import LayerSteps

WORDS = ("old", "kings", "found", "gold", "today")
ASKS, ANSWER = WORDS.index("found"), WORDS.index("gold")  # the verb asks what was found
WHAT = HEADS.index("what")  # the head that answers it


@functools.cache
def steps() -> LayerSteps:
    """Every tensor of the recorded layer while it reads the sentence: B = 1, L = S = 5, E = 12, H = 3, D = 4."""
    with torch.no_grad():
        return reader.recorded().steps(torch.tensor([[NUMBER[word] for word in WORDS]]))
