"""One layer on several devices: processes that speak to each other, the four cuts of a layer, and what they cost."""

from attn.lessons.devices.costs import Message, Sizes, count_weights, held, messages
from attn.lessons.devices.cuts import CUTS, cut_batch, cut_heads, cut_length, cut_width, own_heads
from attn.lessons.devices.processes import RankError, ranks, sent
from attn.lessons.devices.ring import merge_parts, partial_attention, ring_attention

__all__ = [
    "CUTS",
    "Message",
    "RankError",
    "Sizes",
    "count_weights",
    "cut_batch",
    "cut_heads",
    "cut_length",
    "cut_width",
    "held",
    "merge_parts",
    "messages",
    "own_heads",
    "partial_attention",
    "ranks",
    "ring_attention",
    "sent",
]
