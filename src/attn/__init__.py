"""attn: the shapes inside transformer attention, with every number real and every mistake explained."""

from typing import Any

from attn import check, lessons, masks, reference
from attn.cache import KVCache
from attn.core import attention, device
from attn.layer import MultiHeadAttention
from attn.positions import rotary
from attn.shapes import AXES, Axis, ShapeError, merge_heads, split_heads
from attn.steps import AttentionSteps, LayerSteps, attention_steps
from attn.trace import trace
from attn.trace.table import table

__all__ = [
    "AXES",
    "AttentionSteps",
    "Axis",
    "KVCache",
    "LayerSteps",
    "MultiHeadAttention",
    "ShapeError",
    "attention",
    "attention_steps",
    "check",
    "device",
    "labs",
    "lessons",
    "masks",
    "merge_heads",
    "plots",
    "reference",
    "rotary",
    "split_heads",
    "table",
    "trace",
]


def __getattr__(name: str) -> Any:
    # matplotlib is loaded when somebody plots, ipywidgets when somebody opens a lab: everything else works without them.
    if name in ("labs", "plots"):
        import importlib

        return importlib.import_module(f"attn.{name}")
    raise AttributeError(f"module 'attn' has no attribute {name!r}")
