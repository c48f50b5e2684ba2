"""One layer on several devices: processes that speak to each other, the four cuts of a layer, and what they cost."""

from attn.lessons.devices.costs import Message, Sizes, held, messages, parameters
from attn.lessons.devices.cuts import CUTS, by_batch, by_heads, by_length, by_width, own_heads
from attn.lessons.devices.processes import RankError, ranks, sent
from attn.lessons.devices.ring import merge_parts, partial_attention, ring_attention

__all__ = [
    "CUTS",
    "Message",
    "RankError",
    "Sizes",
    "by_batch",
    "by_heads",
    "by_length",
    "by_width",
    "held",
    "merge_parts",
    "messages",
    "own_heads",
    "parameters",
    "partial_attention",
    "ranks",
    "ring_attention",
    "sent",
]
