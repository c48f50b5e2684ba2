"""The picture of a matrix product and that of three measures show their numbers, and refuse invalid arguments."""

import math

import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from attn import AXES, ShapeError, plots
from attn.plots.paper import INK, PAPER


def factors(L=5, D=4, S=7):
    torch.manual_seed(0)
    return torch.randn(L, D), torch.randn(D, S)


def test_the_factors_meet_in_the_result():
    left, right = factors()
    ax = plots.draw_product(left, right)
    shown = {image.get_array().shape: image for image in ax.images}
    for values, corner in ((left, (0, 4.75)), (right, (4.75, 0)), (left @ right, (4.75, 4.75))):
        image = shown[tuple(values.shape)]
        np.testing.assert_allclose(image.get_array(), values.numpy(), rtol=1e-5)
        x0, x1, bottom, top = image.get_extent()
        assert (x0, top) == corner and (x1 - x0, bottom - top) == (values.shape[1], values.shape[0])


def test_a_line_joins_each_column_of_the_left_factor_to_the_same_row_of_the_right_one():
    ax = plots.draw_product(*factors())
    colour = AXES["D"].light
    lines = [line.get_xydata().tolist() for line in ax.lines if to_hex(line.get_color()) == colour]
    assert len(lines) == 4
    for d, (start, corner, end) in enumerate(lines):
        assert start[0] == corner[0] == d + 0.5 and corner[1] == end[1] == d + 0.5
    ax = plots.draw_product(*factors(), axes="LSD")
    assert sum(to_hex(line.get_color()) == AXES["S"].light for line in ax.lines) == 4


def test_a_cell_is_framed_with_the_row_and_the_column_that_it_is_computed_from():
    ax = plots.draw_product(*factors(), cell=(1, 6))
    frames = [patch for patch in ax.patches if isinstance(patch, Rectangle) and to_hex(patch.get_edgecolor()) == INK]
    assert [(frame.get_xy(), frame.get_width(), frame.get_height()) for frame in frames] == [
        ((0, 5.75), 4, 1),
        ((10.75, 0), 1, 4),
        ((10.75, 5.75), 1, 1),
    ]


def test_names_are_beside_the_rows_and_above_the_columns():
    ax = plots.draw_product(*factors(S=3), rows=list("abcde"), columns=["x", "y", "long"])
    assert [label.get_text() for label in ax.get_yticklabels()] == list("abcde")
    assert ax.get_xticks().tolist() == [5.25, 6.25, 7.25]
    assert {label.get_rotation() for label in ax.get_xticklabels()} == {90}


@pytest.mark.parametrize(
    "arguments,message",
    [
        ({"left": torch.ones(5, 4), "right": torch.ones(7, 4)}, r"left has shape \(5, 4\), right \(7, 4\)"),
        ({"left": torch.ones(2, 5, 4), "right": torch.ones(4, 7)}, r"left has shape \(2, 5, 4\)"),
        ({"axes": "LQS"}, 'axes is "LQS"'),
        ({"axes": "LS"}, "three letters"),
        ({"rows": ["a"]}, "rows has 1 names for 5 rows"),
        ({"columns": ["a"]}, "columns has 1 names for 7 columns"),
        ({"cell": (5, 0)}, r"cell is \(5, 0\), the result has 5 rows and 7 columns"),
    ],
)
def test_invalid_arguments_are_refused(arguments, message):
    left, right = factors()
    with pytest.raises(ShapeError, match=message):
        plots.draw_product(**({"left": left, "right": right} | arguments))


MEASURES = ("dot product", "cosine", "distance")
KEYS = {"a": (4, 0), "b": (1, 0.5), "c": (2, 2)}


def filled(ax):
    return [line.get_label() for line in ax.lines if to_hex(line.get_markerfacecolor()) == INK]


@pytest.mark.parametrize("by,best", [("dot product", "a"), ("cosine", "b"), ("distance", "c")])
def test_each_measure_has_a_different_best_key(by, best):
    ax = plots.draw_measure((2, 1), KEYS, by=by)
    assert filled(ax) == [best]
    assert len(ax.lines) == 3 and sum(to_hex(line.get_markerfacecolor()) == PAPER for line in ax.lines) == 2
    assert ax.get_title() == by


def test_each_key_has_its_value_beside_it():
    written = {by: [one.get_text() for one in plots.draw_measure((2, 1), KEYS, by=by).texts if one.get_text()] for by in MEASURES}
    assert written == {
        "dot product": ["a 8.00", "b 2.50", "c 6.00"],
        "cosine": ["a 0.89", "b 1.00", "c 0.95"],
        "distance": ["a 2.24", "b 1.12", "c 1.00"],
    }
    assert "d -2.00" in {one.get_text() for one in plots.draw_measure((2, 1), {"d": (-1, 0)}, by="dot product").texts}
    assert "d -0.89" in {one.get_text() for one in plots.draw_measure((2, 1), {"d": (-1, 0)}, by="cosine").texts}


def test_the_measure_is_constant_along_a_line():
    query = np.array([2.0, 1.0])
    value = {
        "dot product": lambda at: at @ query,
        "cosine": lambda at: at @ query / np.linalg.norm(at, axis=-1) / math.sqrt(5),
        "distance": lambda at: np.linalg.norm(at - query, axis=-1),
    }
    for by, measure in value.items():
        (contour,) = plots.draw_measure(query, KEYS, by=by).collections
        pieces = [piece for path in contour.get_paths() for piece in path.to_polygons(closed_only=False)]
        far = [piece[np.linalg.norm(piece, axis=-1) > 0.5] for piece in pieces]  # at 0 there is no direction
        spreads = [np.ptp(measure(piece)) for piece in far if len(piece) > 1]
        assert len(spreads) >= 6 and max(spreads) < 0.05 * np.ptp(np.concatenate([measure(piece) for piece in far]))


def test_a_measure_needs_two_numbers_and_a_name():
    with pytest.raises(ShapeError, match=r"b has shape \(3,\)"):
        plots.draw_measure((1, 2), {"b": (1, 2, 3)}, by="cosine")
    with pytest.raises(ValueError, match="by is 'euclid'"):
        plots.draw_measure((1, 2), {}, by="euclid")
    with pytest.raises(ValueError, match="zeros has no direction"):
        plots.draw_measure((1, 2), {"b": (0, 0)}, by="cosine")
    assert not plots.draw_measure((1, 2), {}, by="distance").lines
