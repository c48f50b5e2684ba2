"""Exercise checkers that explain the mistake.

A checker runs an answer on tensors with known elements. It can therefore say which element is wrong, what it should be and which
mistake produces it. A wrong answer never makes a checker raise: it returns a `Verdict`, which prints itself.
"""

from attn.check.attention import attention
from attn.check.circuits import ov_maps
from attn.check.contributions import contribution
from attn.check.convolutions import causal_convolution, tokens_read
from attn.check.costs import cache_bytes, tokens_per_second
from attn.check.decode import decode
from attn.check.devices import device_part, ring_merge
from attn.check.gradients import tile_gradients
from attn.check.heads import merge_heads, split_heads
from attn.check.keys import key_contributions
from attn.check.layers import attention_layer, distance_weights
from attn.check.loops import accumulated_step, training_loop
from attn.check.masked import masked_layer
from attn.check.masks import mask, masked_weights
from attn.check.outputs import output_projection
from attn.check.ported import packed_rows
from attn.check.positions import rope, rotary_step
from attn.check.roles import cross_scores, sees_order
from attn.check.rolling import rolling_step
from attn.check.scale import score_variance
from attn.check.scores import scaled_scores, scores
from attn.check.shapes import cross_shapes, indices_at, offset, shapes_of
from attn.check.sums import einsum, weighted_sum
from attn.check.tiles import fused
from attn.check.training import training_step
from attn.check.verdict import Verdict
from attn.check.weights import online_softmax, softmax

__all__ = [
    "Verdict",
    "accumulated_step",
    "attention",
    "attention_layer",
    "cache_bytes",
    "causal_convolution",
    "contribution",
    "cross_scores",
    "cross_shapes",
    "decode",
    "device_part",
    "distance_weights",
    "einsum",
    "fused",
    "indices_at",
    "key_contributions",
    "mask",
    "masked_layer",
    "masked_weights",
    "merge_heads",
    "offset",
    "online_softmax",
    "output_projection",
    "ov_maps",
    "packed_rows",
    "ring_merge",
    "rolling_step",
    "rope",
    "rotary_step",
    "scaled_scores",
    "score_variance",
    "scores",
    "sees_order",
    "shapes_of",
    "softmax",
    "split_heads",
    "tile_gradients",
    "tokens_per_second",
    "tokens_read",
    "training_loop",
    "training_step",
    "weighted_sum",
]
