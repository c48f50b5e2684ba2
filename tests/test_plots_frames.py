"""The weights of one head at several moments: every frame is drawn with its own numbers, on one scale."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from attn import plots
from attn.shapes import ShapeError


def frames(count=3, L=5):
    return torch.randn(count, L, L).masked_fill(~torch.ones(L, L).tril().bool(), -torch.inf).softmax(-1)


def test_every_frame_is_drawn_with_its_own_weights_from_left_to_right():
    weights = frames()
    ax = plots.draw_frames(weights, titles=["before", "during", "after"])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["before", "during", "after"]
    images = ax.get_images()
    lefts = [image.get_extent()[0] for image in images]
    assert lefts == sorted(lefts) and len(set(lefts)) == 3
    for image, frame in zip(images, weights, strict=True):
        assert (image.norm.vmin, image.norm.vmax) == (0, 1)
        drawn = image.get_array()
        assert np.array_equal(drawn.mask, ~np.tril(np.ones((5, 5), bool))), "masked cells have no colour"
        np.testing.assert_allclose(drawn.filled(0), frame.numpy(), atol=1e-7)


def test_every_fifth_row_and_column_of_every_frame_is_numbered():
    ax = plots.draw_frames(frames(2, L=12), titles=["before", "after"])
    assert [(label.get_text(), at) for label, at in zip(ax.get_yticklabels(), ax.get_yticks(), strict=True)] == [
        ("0", 0.5),
        ("5", 5.5),
        ("10", 10.5),
    ]
    lefts = [image.get_extent()[0] for image in ax.get_images()]
    columns = {text.get_position()[0]: text.get_text() for text in ax.texts if text.get_position()[1] > 12}
    assert columns == {left + n + 0.5: str(n) for left in lefts for n in (0, 5, 10)}


def test_it_draws_on_the_axes_that_it_gets():
    _, ax = plt.subplots(figsize=(4, 2))
    assert plots.draw_frames(frames(2), titles=["a", "b"], ax=ax) is ax


def test_invalid_arguments_are_refused():
    with pytest.raises(ShapeError, match=r"weights has shape \(5, 5\); draw_frames needs one heatmap for each frame"):
        plots.draw_frames(frames()[0], titles=["one"])
    with pytest.raises(ShapeError, match="titles has 2 titles, weights has 3 frames"):
        plots.draw_frames(frames(), titles=["one", "two"])
    with pytest.raises(ValueError, match="weights must lie between 0 and 1"):
        plots.draw_frames(frames() * 3, titles=["a", "b", "c"])
