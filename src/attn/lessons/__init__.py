"""The props of the chapters: sentences, a made-up language and its trained reader, toy tasks, models, their costs, recordings."""

from attn.lessons import costs, distance, errors, induction, language, reader, reader_training, spellings, tasks, text, training
from attn.lessons.decoder import Decoder
from attn.lessons.model import TinyTransformer

__all__ = [
    "Decoder",
    "TinyTransformer",
    "costs",
    "distance",
    "errors",
    "induction",
    "language",
    "reader",
    "reader_training",
    "spellings",
    "tasks",
    "text",
    "training",
]
