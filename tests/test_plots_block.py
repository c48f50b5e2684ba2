"""draw_block: four framed parts with their numbers from below to above, two sums, and other numbers of parts are refused."""

import pytest
from matplotlib.patches import Rectangle

from attn import plots

COUNTS = {"norm 1": 24, "attention": 624, "norm 2": 26, "MLP": 1212}


def test_parts_stand_above_each_other_with_their_parameters_and_only_they_have_frames():
    ax = plots.draw_block(COUNTS, shape="(2, 7, 12)")
    heights = {text.get_text(): text.get_position()[1] for text in ax.texts}
    numbers = ["24 parameters", "624 parameters", "26 parameters", "1,212 parameters"]
    order = [heights[text] for text in ("x  (2, 7, 12)", *numbers, "y  (2, 7, 12)")]
    assert order == sorted(order)
    frames = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    assert [frame.get_y() + frame.get_height() / 2 for frame in frames] == [heights[number] for number in numbers]
    assert [text.get_text() for text in ax.texts].count("+") == 2


def test_other_numbers_of_parts_are_refused():
    with pytest.raises(ValueError, match="give four numbers"):
        plots.draw_block({"attention": 624})
