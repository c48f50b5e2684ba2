"""The colours of the axes and of the heads: readable on the page in both themes, and distinct with any kind of colour vision."""

from itertools import combinations

import pytest
from coloraide import Color
from node import javascript_constants

from attn.plots.cells import SIGNED
from attn.plots.paper import BLACK, DARK_INKS, DARK_PAPER, INDEX_COLOURS, INK, MUTED, PAPER, WHITE
from attn.shapes import AXES

PAGES = {"light": PAPER, "dark": DARK_PAPER}
TEXTS = {"light": INK, "dark": DARK_INKS[INK]}
SIGHTS = ("normal", "deutan", "protan", "tritan")


def contrast(one, other):
    """WCAG 2: from 1 (equal) to 21 (black on white)."""
    return Color(one).contrast(other, method="wcag21")


def as_seen(colour, sight):
    """How a colour looks to an eye without one kind of cone (Machado, Oliveira and Fernandes 2009)."""
    return Color(colour) if sight == "normal" else Color(colour).filter(sight, method="machado").clip("srgb")


def nearest(colours, sight):
    """The smallest distance in CIE 1976 L*a*b* between two of the colours."""
    seen = [as_seen(colour, sight) for colour in colours]
    return min(one.delta_e(other, method="76", space="lab-d65") for one, other in combinations(seen, 2))


def test_the_measures_agree_with_their_published_values():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert Color("#ff0000").convert("lab-d65").coords() == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    assert nearest(("#ff0000", "#00ff00"), "deutan") < nearest(("#ff0000", "#00ff00"), "normal") / 2


def test_every_axis_letter_is_readable_on_the_page(subtests):
    for theme, page in PAGES.items():
        for letter, axis in AXES.items():
            with subtests.test(letter=letter, theme=theme):
                assert contrast(getattr(axis, theme), page) >= 4.5


def test_any_two_axis_colours_are_distinct(subtests):
    for theme, text in TEXTS.items():
        for sight in SIGHTS:
            with subtests.test(theme=theme, sight=sight):
                assert nearest([text, *(getattr(axis, theme) for axis in AXES.values())], sight) >= 20


def test_the_first_four_heads_are_distinct(subtests):
    for sight in SIGHTS:
        with subtests.test(sight=sight):
            assert nearest(INDEX_COLOURS[:4], sight) >= 10


def test_signed_numbers_have_two_hues_that_every_eye_tells_apart_and_that_are_no_verdict(subtests):
    assert javascript_constants("kit/scale", "NEGATIVE", "POSITIVE") == [SIGNED[1], SIGNED[7]]
    assert len(SIGNED) == 9
    for sight in SIGHTS:
        for n in range(3):
            with subtests.test(sight=sight, n=n):
                assert nearest((SIGNED[n], SIGNED[-1 - n]), sight) >= 40
    verdicts = ("#159447", "#d6304a")
    assert all(nearest((verdict, end), "normal") >= 30 for verdict in verdicts for end in SIGNED[-3:] + SIGNED[:3])


def test_the_inks_of_plots_are_readable_on_their_paper():
    assert all(contrast(ink, PAPER) >= 4.5 for ink in (INK, MUTED))


def test_black_labels_are_readable_on_the_colours_of_an_index():
    assert [colour for colour in INDEX_COLOURS if contrast(colour, BLACK) < 4.5] == []


def test_no_colour_of_data_is_replaced_on_the_dark_page():
    replaced = {INK, MUTED, PAPER, *(axis.light for axis in AXES.values())}
    assert len(replaced) == 3 + len(AXES)
    assert not replaced & {BLACK, WHITE, *INDEX_COLOURS}
