"""draw_shape: a line from each number to its letter and meaning, none crossing another, and invalid letters are refused."""

import pytest

from attn import AXES, ShapeError, plots

SIZES = {"B": 2, "H": 3, "L": 7, "D": 4}


def texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_the_numbers_stand_in_order_with_their_letters_and_meanings():
    found = texts(plots.draw_shape(SIZES, meanings={"D": "numbers per head"}))
    assert [text for text in found if text.isdigit()] == ["2", "3", "7", "4"]
    assert [text for text in found if text in SIZES] == list(SIZES)
    assert AXES["B"].meaning in found and "numbers per head" in found and AXES["D"].meaning not in found


def test_a_line_starts_at_its_number_and_ends_at_its_letter_and_crosses_no_other():
    ax = plots.draw_shape(SIZES)
    places = {text.get_text(): text.get_position() for text in ax.texts}
    lines = {line.get_label(): list(zip(*line.get_data(), strict=True)) for line in ax.lines}
    for letter, size in SIZES.items():
        (start, _, end) = lines[letter]
        assert start[0] == places[str(size)][0] and end[1] == places[letter][1]
        assert next(line for line in ax.lines if line.get_label() == letter).get_color() == AXES[letter].light
    starts, heights = [line[0][0] for line in lines.values()], [line[-1][1] for line in lines.values()]
    assert starts == sorted(starts) and heights == sorted(heights), "the first number has the lowest line"


@pytest.mark.parametrize("sizes", [{}, {"B": 2, "X": 3}])
def test_invalid_letters_are_refused(sizes):
    with pytest.raises(ShapeError, match="one of B, H, L"):
        plots.draw_shape(sizes)
