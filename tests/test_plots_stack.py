"""draw_sum: each bar starts where the previous one ends, the mark is the sum, and invalid arguments are refused."""

import numpy as np
import pytest
import torch

from attn import plots
from attn.shapes import ShapeError

PARTS = torch.tensor([[1.0, -2.0, 0.5], [2.0, 1.0, -0.25]])


def bars(ax):
    """(column, start, end) of every bar whose height is not 0."""
    found = [(round(bar.get_x() + 0.4), bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.patches]
    return sorted(one for one in found if one[1] != one[2])


def test_positive_parts_stack_upwards_and_negative_ones_downwards():
    ax = plots.draw_sum(PARTS)
    assert bars(ax) == [(0, 0, 1), (0, 1, 3), (1, 0, -2), (1, 0, 1), (2, 0, -0.25), (2, 0, 0.5)]


def test_the_marks_are_the_sums():
    ax = plots.draw_sum(PARTS.requires_grad_())
    for marks in ax.collections:
        assert [segment[0][1] for segment in marks.get_segments()] == [3, -1, 0.25]
    assert len(ax.collections) == 2


def test_every_part_has_its_own_name_and_colour():
    ax = plots.draw_sum(PARTS, names=["head 0", "head 1"])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["head 0", "head 1"]
    of_column = {bar.get_facecolor() for bar in ax.patches}
    assert len(of_column) == 2
    assert plots.draw_sum(PARTS).get_legend() is None


@pytest.mark.parametrize(
    "parts,names,error,message",
    [
        (torch.ones(3), None, ShapeError, r"shape \(3,\); draw_sum needs \(N, C\)"),
        (torch.ones(0, 3), None, ShapeError, "draw_sum needs"),
        (PARTS, ["one"], ShapeError, "names has 1 names, parts has 2 rows"),
        (np.array([[np.nan, 1.0]]), None, ValueError, "NaN or infinities"),
    ],
)
def test_parts_that_cannot_be_drawn_are_refused(parts, names, error, message):
    with pytest.raises(error, match=message):
        plots.draw_sum(parts, names=names)
