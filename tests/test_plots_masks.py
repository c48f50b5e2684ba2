"""The picture of a mask shows which keys each query may attend to, and labels fully masked rows."""

import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from attn import ShapeError, masks, plots
from attn.plots.paper import INDEX_COLOURS


def filled(ax):
    """Which cells have a colour."""
    (image,) = ax.images
    colours = image.cmap(image.norm(image.get_array()))
    assert {to_hex(one) for one in colours[colours[..., 3] > 0]} <= {INDEX_COLOURS[0]}
    return colours[..., 3] > 0


def dots(ax):
    (line,) = [line for line in ax.lines if line.get_marker() == "."]
    return {(int(y), int(x)) for x, y in zip(*line.get_data(), strict=True)}


def test_allowed_cells_are_filled_and_forbidden_cells_have_a_dot():
    mask = masks.causal(3, 5) & masks.window(3, 5, width=2)
    ax = plots.draw_mask(mask)
    assert np.array_equal(filled(ax), mask.numpy())
    assert dots(ax) == {tuple(place) for place in (~mask).nonzero().tolist()}


def test_a_fully_masked_row_is_labelled():
    mask = masks.padding([5])[0, 0].flip(-1) & masks.causal(5)
    mask[2] = False
    ax = plots.draw_mask(mask)
    assert [(one.get_text(), one.get_position()) for one in ax.texts] == [("sees nothing", (2.5, 2.5))]
    assert all(row != 2 for row, _ in dots(ax))


def test_a_mask_that_allows_everything_or_nothing_can_be_drawn():
    assert filled(plots.draw_mask(torch.ones(2, 3, dtype=torch.bool))).all()
    assert not filled(plots.draw_mask(torch.zeros(2, 3, dtype=torch.bool))).any()


def test_tokens_label_the_edges():
    ax = plots.draw_mask(masks.causal(2, 3), rows=["on", "mats"], columns=["sat", "on", "mats"])
    assert [one.get_text() for one in ax.get_yticklabels()] == ["on", "mats"]
    assert [one.get_text() for one in ax.get_xticklabels()] == ["sat", "on", "mats"]


@pytest.mark.parametrize(
    "mask,tokens,error,message",
    [
        (masks.padding([3, 2]), {}, ShapeError, r"shape \(2, 1, 1, 3\); draw_mask needs one slice \(L, S\)"),
        (masks.causal(3).float(), {}, TypeError, "mask is torch.float32; draw_mask takes a boolean mask"),
        (np.ones((2, 3), dtype=int), {}, TypeError, "mask is int64"),
        (masks.causal(3), {"rows": ["a"]}, ShapeError, "rows has 1 tokens, matrix has L = 3"),
    ],
)
def test_an_invalid_mask_is_refused_and_leaves_no_figure(mask, tokens, error, message):
    with pytest.raises(error, match=message):
        plots.draw_mask(mask, **tokens)
    assert not plt.get_fignums()
