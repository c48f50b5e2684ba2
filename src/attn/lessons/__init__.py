"""The props of the chapters: sentences, a made-up language and its trained reader, toy tasks, a small transformer, recordings."""

from attn.lessons import errors, induction, language, reader, reader_training, spellings, tasks, text, training
from attn.lessons.model import TinyTransformer

__all__ = [
    "TinyTransformer",
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
