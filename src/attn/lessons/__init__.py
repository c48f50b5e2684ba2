"""The props of the chapters: sentences, toy tasks, a small transformer, and recordings of its training."""

from attn.lessons import spellings, tasks, text, training
from attn.lessons.model import TinyTransformer

__all__ = ["TinyTransformer", "spellings", "tasks", "text", "training"]
