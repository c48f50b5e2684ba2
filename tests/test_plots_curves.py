"""Curves and histograms show their numbers, and the law that the numbers should follow."""

import math

import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.patches import StepPatch

from attn import AXES, plots
from attn.plots.paper import INK, MUTED, PAPER

SIZES = (1, 4, 16)
MEASURED = {"raw": [1.1, 3.9, 16.2], "divided": torch.tensor([1.1, 0.9, 1.0], requires_grad=True)}


def lines_of(ax):
    return [(np.asarray(line.get_xdata()), np.asarray(line.get_ydata()), line.get_marker()) for line in ax.lines]


def test_measured_numbers_are_marks_and_the_law_is_a_line():
    ax = plots.draw_curves(SIZES, MEASURED, laws={"raw": SIZES})
    (x, marks, marker), (_, law, none), (_, other, _), (_, joined, _) = lines_of(ax)
    assert x.tolist() == list(SIZES) and marks.tolist() == MEASURED["raw"] and law.tolist() == list(SIZES)
    assert marker == "o" and none == "None"
    assert other == pytest.approx([1.1, 0.9, 1.0]) and joined == pytest.approx(other)
    assert [text.get_text() for text in ax.texts] == ["raw", "divided"]
    assert ax.texts[0].xy == (16, 16.2)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "4", "16"]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert ax.get_xlabel() == "D" and ax.xaxis.label.get_color() == AXES["D"].light


def test_a_linear_scale_starts_at_0_and_has_ticks():
    ax = plots.draw_curves(SIZES, {"share": [0.2, 0.7, 1.0]}, axis="S", log=False)
    assert ax.get_ylim()[0] == 0 and ax.get_xlabel() == "S"
    assert len([tick for tick in ax.get_yticks() if 0 <= tick <= 1]) >= 3


def test_curves_and_laws_must_fit_the_sizes():
    with pytest.raises(ValueError, match="raw has 2 numbers for 3 sizes"):
        plots.draw_curves(SIZES, {"raw": [1, 2]})
    with pytest.raises(ValueError, match="the law of raw has 1 numbers for 3 sizes"):
        plots.draw_curves(SIZES, {"raw": [1, 2, 3]}, laws={"raw": [1]})
    with pytest.raises(ValueError, match="laws has scaled; the curves are raw"):
        plots.draw_curves(SIZES, {"raw": [1, 2, 3]}, laws={"scaled": [1, 2, 3]})


def test_a_history_is_a_line_over_its_steps_and_a_level_is_a_horizontal_line():
    ax = plots.draw_history({"two layers": [2.0, 1.0, 0.5], "one": torch.tensor([2.0, 1.5, 1.25])}, levels={"guessing": 2.25})
    (x, two, _), (_, one, _), (_, level, _) = lines_of(ax)
    assert x.tolist() == [0, 1, 2] and two.tolist() == [2, 1, 0.5] and one.tolist() == [2, 1.5, 1.25] and list(level) == [2.25] * 2
    assert len({line.get_linestyle() for line in ax.lines}) == 3
    names = {text.get_text(): text.xy for text in ax.texts}
    assert names == {"two layers": (2, 0.5), "one": (2, 1.25), "guessing": (2, 2.25)}
    assert ax.get_xlim() == (0, 2) and ax.get_ylim()[0] == 0 and ax.get_xlabel() == "step"


def test_a_history_is_drawn_at_the_steps_of_its_numbers():
    ax = plots.draw_history({"share": [0.1, 0.9]}, steps=[0, 50])
    assert lines_of(ax)[0][0].tolist() == [0, 50] and ax.get_xlim() == (0, 50)
    with pytest.raises(ValueError, match="share has 3 numbers for 2 steps"):
        plots.draw_history({"share": [1, 2, 3]}, steps=[0, 50])
    with pytest.raises(ValueError, match="5 histories; only 4"):
        plots.draw_history({str(n): [1, 2] for n in range(5)})


def test_a_histogram_has_area_1_and_its_curve_is_that_of_the_normal_distribution():
    numbers = 3 * torch.randn(20_000, generator=torch.Generator().manual_seed(0))
    ax = plots.draw_histogram(numbers, variance=9.0, within=(-12.0, 12.0))
    (bars,) = [patch for patch in ax.patches if isinstance(patch, StepPatch)]
    density, edges, _ = bars.get_data()
    assert (density * np.diff(edges)).sum() == pytest.approx(1)
    assert np.diff(edges) == pytest.approx(0.75), "a quarter of the deviation"
    inside = ((edges[5] <= numbers.numpy()) & (numbers.numpy() < edges[6])).mean()
    assert density[5] * 0.75 == pytest.approx(inside)
    x, y = ax.lines[0].get_xdata(), ax.lines[0].get_ydata()
    assert y == pytest.approx(np.exp(-(x**2) / 18) / math.sqrt(18 * math.pi)) and ax.get_xlim() == (-12, 12)
    middle = np.abs(edges[:-1] + 0.375) < 3
    assert np.abs(density[middle] - np.interp(edges[:-1] + 0.375, x, y)[middle]).max() < 0.01


def test_a_histogram_without_a_variance_has_no_curve_and_equal_numbers_make_one_bar():
    ax = plots.draw_histogram(np.zeros(5))
    assert not len(ax.lines)
    with pytest.raises(ValueError, match="numbers is empty"):
        plots.draw_histogram([])


def test_they_use_the_colours_that_a_dark_page_replaces():
    for ax in (
        plots.draw_curves(SIZES, MEASURED),
        plots.draw_history({"loss": [2.0, 1.0]}),
        plots.draw_histogram([1.0, 2.0, 4.0], variance=2.0),
    ):
        assert {to_hex(line.get_color()) for line in ax.lines} == {INK}
        assert {to_hex(text.get_color()) for text in ax.texts} <= {INK}
        assert to_hex(ax.spines["bottom"].get_edgecolor()) == MUTED and to_hex(ax.get_facecolor()) == PAPER
