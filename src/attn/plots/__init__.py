"""Plots of tensors: `draw_x(data, ..., ax=None) -> Axes`.

They use the colours of `attn.plots.paper` and none of matplotlib's settings, so they look the same everywhere. Tensors may
live on any device, be of any dtype and require gradients. Importing this module is what loads matplotlib.
"""

import importlib.util

if importlib.util.find_spec("matplotlib") is None:
    raise ModuleNotFoundError("attn.plots needs matplotlib: pip install 'attn[plots]'.", name="matplotlib")

from attn.plots.block import draw_block
from attn.plots.box import draw_box
from attn.plots.curves import draw_curves, draw_histogram, draw_history
from attn.plots.frames import draw_frames
from attn.plots.heatmaps import draw_facets, draw_heatmap
from attn.plots.map import draw_map
from attn.plots.masks import draw_mask
from attn.plots.measures import draw_measure
from attn.plots.memory import draw_memory
from attn.plots.paper import INK, MUTED, PAPER
from attn.plots.product import draw_product
from attn.plots.shape import draw_shape
from attn.plots.stack import draw_sum

__all__ = [
    "INK",
    "MUTED",
    "PAPER",
    "draw_block",
    "draw_box",
    "draw_curves",
    "draw_facets",
    "draw_frames",
    "draw_heatmap",
    "draw_histogram",
    "draw_history",
    "draw_map",
    "draw_mask",
    "draw_measure",
    "draw_memory",
    "draw_product",
    "draw_shape",
    "draw_sum",
]
