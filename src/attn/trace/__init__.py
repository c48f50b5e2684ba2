"""Run any torch code and write down what it does to its tensors: shapes with letters, strides, view or copy, bytes."""

from attn.trace.recorder import Trace, trace
from attn.trace.rows import Row

__all__ = ["Row", "Trace", "trace"]
