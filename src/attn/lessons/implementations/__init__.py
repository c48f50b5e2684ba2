"""Attention as it is written in notes, tutorials and libraries, in short files: the same function, with its own habits and defects.

`versions` gives all of them the weights of one layer. The defects are those of the code that circulates: chapter 14 measures them.
"""

from attn.lessons.implementations.composed import composed_attention
from attn.lessons.implementations.conventions import conventions, rounding
from attn.lessons.implementations.four_linears import FourLinears
from attn.lessons.implementations.of_transformers import random_gpt2, transformers_layers
from attn.lessons.implementations.packed import PackedAttention
from attn.lessons.implementations.plain import TOY_INPUT, plain_head
from attn.lessons.implementations.same_weights import Version, versions
from attn.lessons.implementations.stepwise import five_steps
from attn.lessons.implementations.two_classes import PostNormAttention, TemperatureAttention

__all__ = [
    "TOY_INPUT",
    "FourLinears",
    "PackedAttention",
    "PostNormAttention",
    "TemperatureAttention",
    "Version",
    "composed_attention",
    "conventions",
    "five_steps",
    "plain_head",
    "random_gpt2",
    "rounding",
    "transformers_layers",
    "versions",
]
