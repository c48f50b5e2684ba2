"""The box of a matrix product: its three faces have every number, and the front is the product."""

import pytest
import torch
from matplotlib import pyplot as plt
from matplotlib.patches import Polygon

from attn import ShapeError, plots
from attn.plots.paper import BLACK, INK, MUTED, WHITE

q = torch.tensor([[1.0, 2], [-1, 3], [2, 0]])
k = torch.tensor([[3.0, 1], [0, -2], [1, 1], [-2, 1]], requires_grad=True)


def numbers(ax):
    return [text.get_text() for text in ax.texts if text.get_text().replace("−", "").isdigit()]


def test_the_three_faces_hold_the_product_and_both_operands():
    spelled = [f"{value:.0f}".replace("-", "−") for face in (q @ k.T, k, q) for value in face.flatten().tolist()]
    assert numbers(plots.draw_box(q, k)) == spelled
    assert any("." in text.get_text() for text in plots.draw_box(q * 1.5, k).texts)


def test_a_picked_score_is_framed_with_its_query_and_its_key():
    plain, picked = plots.draw_box(q, k), plots.draw_box(q, k, pick=(1, 2))
    frames = [patch for patch in picked.patches if isinstance(patch, Polygon) and patch.get_facecolor()[3] == 0]
    assert len(picked.patches) - len(plain.patches) == len(frames) == 6  # black on white, three times
    front, *_ = (frame.get_xy() for frame in frames)
    assert (front.min(0).tolist(), front.max(0).tolist()) == ([2.0, 1.0], [3.0, 2.0])  # row 1 of 3, counted from above; column 2


def test_it_uses_the_colours_that_a_dark_page_replaces():
    ax = plots.draw_box(q, k, pick=(0, 0))
    inks = {text.get_color() for text in ax.texts}
    assert {BLACK, WHITE} <= inks
    assert {patch.get_edgecolor() for patch in ax.patches} <= {plt.matplotlib.colors.to_rgba(one) for one in (MUTED, BLACK, WHITE)}
    assert ax.figure.get_figwidth() < 6.5 and INK not in inks


def test_it_draws_on_the_axes_that_it_gets():
    _, ax = plt.subplots()
    assert plots.draw_box(q, k, ax=ax) is ax


@pytest.mark.parametrize("shapes", [((3, 2), (4, 3)), ((3, 2, 1), (4, 2)), ((3,), (4, 2)), ((0, 2), (4, 2))])
def test_operands_that_cannot_be_multiplied_are_refused(shapes):
    with pytest.raises(ShapeError, match="draw_box needs"):
        plots.draw_box(*(torch.ones(shape) for shape in shapes))
