"""The seven axis colours: readable on the page in both themes, and told apart by every kind of eye."""

from itertools import combinations

import numpy as np
import pytest

from attn.plots.paper import BLACK, INDEX_COLOURS, INK, MUTED, PAPER, WHITE
from attn.shapes import AXES

PAGES = {"light": "#ffffff", "dark": "#14181e"}

# Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency", severity
# 1.0, for linear RGB.
SIGHTS = {
    "normal": np.eye(3),
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(colour):
    """The three channels of "#rrggbb" as amounts of light."""
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """WCAG 2: from 1 (equal) to 21 (black on white)."""
    dim, bright = sorted(0.05 + linear(colour) @ [0.2126, 0.7152, 0.0722] for colour in (one, other))
    return bright / dim


def cielab(light):
    """CIE 1976 L*a*b* under D65, of linear RGB."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = (np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in to_xyz @ np.clip(light, 0, 1) / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def nearest(colours, sight):
    """The smallest distance between two of the colours, for one kind of sight."""
    seen = [cielab(np.array(SIGHTS[sight]) @ linear(colour)) for colour in colours]
    return min(np.linalg.norm(a - b) for a, b in combinations(seen, 2))


def test_the_measures_agree_with_their_published_values():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert cielab(linear("#ff0000")) == pytest.approx(np.array([53.24, 80.09, 67.20]), abs=0.05)
    assert nearest(("#ff0000", "#00ff00"), "deuteranopia") < nearest(("#ff0000", "#00ff00"), "normal") / 2


@pytest.mark.parametrize("theme", PAGES)
@pytest.mark.parametrize("letter", AXES)
def test_an_axis_letter_is_readable_on_the_page(letter, theme):
    assert contrast(getattr(AXES[letter], theme), PAGES[theme]) >= 4.5


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", PAGES)
def test_any_two_axis_colours_are_told_apart(theme, sight):
    text = {"light": INK, "dark": "#e6e8ea"}[theme]
    assert nearest([text, *(getattr(axis, theme) for axis in AXES.values())], sight) >= 20


@pytest.mark.parametrize("ink", [INK, MUTED])
def test_the_ink_of_plots_is_readable_on_their_paper(ink):
    assert contrast(ink, PAPER) >= 4.5


@pytest.mark.parametrize("colour", INDEX_COLOURS)
def test_black_labels_are_readable_on_the_colours_of_an_index(colour):
    assert contrast(colour, BLACK) >= 4.5


def test_what_is_recoloured_for_the_dark_page_is_no_colour_of_data():
    recoloured = {INK, MUTED, PAPER, *(axis.light for axis in AXES.values())}
    assert len(recoloured) == 3 + len(AXES)
    assert not recoloured & {BLACK, WHITE, *INDEX_COLOURS}


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_first_four_heads_are_told_apart(sight):
    assert nearest(INDEX_COLOURS[:4], sight) >= 10
