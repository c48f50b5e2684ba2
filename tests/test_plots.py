"""Plots show their numbers, in colours that a page can adapt to dark mode, and do not change the state of matplotlib."""

import io
import re
from collections import defaultdict
from dataclasses import dataclass, fields

import matplotlib as mpl
import numpy as np
import pytest
import torch
from coloraide import Color
from jaxtyping import Float
from matplotlib import pyplot as plt
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Polygon, Rectangle
from matplotlib.text import Text
from torch import Tensor

from attn import AXES, MultiHeadAttention, ShapeError, plots, split_heads
from attn.plots.cells import number_text
from attn.plots.paper import BLACK, INDEX_COLOURS, INK, MUTED, PAPER, WHITE
from attn.record import Record

B, H, L, S, D = 2, 3, 5, 7, 4
WORDS = ["the", "cat", "sat", "on", "mats"]


def random(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def steps(*, cross=True):
    torch.manual_seed(0)
    layer = MultiHeadAttention(H * D, H)
    return layer.steps(random(B, L, H * D), random(B, S, H * D, seed=1) if cross else None)


# For each function of attn.plots, calls of it with an optional Axes.
CASES = {
    "draw_block": [lambda ax=None: plots.draw_block({"norm 1": 8, "attention": 80, "norm 2": 8, "MLP": 150}, ax=ax)],
    "draw_box": [lambda ax=None: plots.draw_box(whole(L, D), whole(S, D), pick=(1, 2), ax=ax)],
    "draw_curves": [
        lambda ax=None: plots.draw_curves([4, 16, 64], {"seen": [1.1, 3.9, 16.5]}, laws={"seen": [1, 4, 16]}, ax=ax),
        lambda ax=None: plots.draw_curves([4, 16, 64], {"seen": [0.2, 0.5, 0.9], "other": [1, 2, 3]}, log=False, ax=ax),
    ],
    "draw_facets": [lambda ax=None: plots.draw_facets(random(B, H, L, L).softmax(-1), tokens=[WORDS, WORDS[:3]], ax=ax)],
    "draw_frames": [lambda ax=None: plots.draw_frames(random(3, L, L).softmax(-1), titles=["before", "during", "after"], ax=ax)],
    "draw_heatmap": [
        lambda ax=None: plots.draw_heatmap(random(L, S).softmax(-1), ax=ax),
        lambda ax=None: plots.draw_heatmap(causal(29), kind="scores", ax=ax),  # cells without room for numbers
    ],
    "draw_histogram": [lambda ax=None: plots.draw_histogram(random(500), variance=1.0, ax=ax)],
    "draw_history": [lambda ax=None: plots.draw_history({"loss": [2.0, 1.0, 0.5]}, levels={"guessing": 1.5}, ax=ax)],
    "draw_map": [lambda ax=None: plots.draw_map(steps(), ax=ax)],
    "draw_mask": [lambda ax=None: plots.draw_mask(torch.ones(L, S, dtype=torch.bool).tril(-1), ax=ax)],
    "draw_measure": [lambda ax=None: plots.draw_measure((2, 1), {"a": (4, 0), "b": (1, 0.5)}, by="cosine", ax=ax)],
    "draw_memory": [
        lambda ax=None: plots.draw_memory(random(B, H, L, D)[:, :, 1:3], ax=ax),
        lambda ax=None: plots.draw_memory(random(B, 1, L, D).expand(B, H, L, D), ax=ax),
    ],
    "draw_product": [lambda ax=None: plots.draw_product(random(L, D), random(D, S), cell=(1, 2), ax=ax)],
    "draw_shape": [lambda ax=None: plots.draw_shape({"B": 2, "H": 3, "L": 5, "D": 4}, ax=ax)],
    "draw_sum": [lambda ax=None: plots.draw_sum(random(H, 12), names=["one", "two", "three"], ax=ax)],
}


def whole(*shape):
    return random(*shape).mul(2).round()


def causal(size):
    scores = random(size, size).masked_fill(torch.ones(size, size, dtype=torch.bool).triu(1), float("-inf"))
    scores[size - 2, 1] = float("nan")
    return scores


def words_of(ax):
    return [text.get_text() for text in ax.findobj(Text) if text.get_text()]


def cells(ax):
    """The text in each cell of a heatmap or strip, by (row, column)."""
    return {(int(t.get_position()[1]), int(t.get_position()[0])): t for t in ax.texts}


def svg_of(ax):
    stream = io.StringIO()
    ax.get_figure().savefig(stream, format="svg")
    return stream.getvalue()


# Every plot


def test_every_function_has_a_case():
    assert list(CASES) == [name for name in plots.__all__ if name.startswith("draw_")]


def over_every_plot(claim):
    """Turn claim(draw) into a test that runs it for each call of CASES. A failure names the plot."""

    def test(subtests):
        for name, calls in CASES.items():
            for n, draw in enumerate(calls):
                with subtests.test(plot=name, call=n):
                    claim(draw)
                plt.close("all")

    test.claim = claim
    return test


@over_every_plot
def test_a_plot_draws_on_the_axes_that_it_gets_and_returns_it(draw):
    figure, ax = plt.subplots()
    assert draw(ax) is ax
    assert plt.get_fignums() == [figure.number]
    figure.canvas.draw()


@over_every_plot
def test_without_an_axes_a_plot_makes_one_new_figure_that_a_notebook_shows(draw):
    ax = draw()
    assert plt.get_fignums() == [ax.get_figure().number]
    assert ax.get_figure().get_axes()[0] is ax
    assert ax.get_figure().get_size_inches()[0] <= 7


def state_of_matplotlib():
    return dict(mpl.rcParams), plt.isinteractive(), plt.get_fignums(), mpl.get_backend(), sorted(mpl.colormaps)


@over_every_plot
def test_no_setting_of_matplotlib_changes(draw):
    _, ax = plt.subplots()
    other = plt.figure()  # the current figure, on which a plot must not draw by accident
    before = state_of_matplotlib()
    draw(ax)
    assert state_of_matplotlib() == before
    assert plt.gcf() is other and not other.get_children()[1:]


MISCHIEFS = {
    "changes a setting": lambda: mpl.rcParams.update({"lines.linewidth": 9.0}),
    "leaves a figure": plt.figure,
    "draws on the current figure": lambda: plt.plot([1, 2]),
    "goes interactive": plt.ion,
}


def test_side_effects_of_any_plot_are_noticed(monkeypatch, subtests):
    """Every side effect of one plot, and one side effect of every plot."""
    one, *others = CASES
    for name, what in [*((one, what) for what in MISCHIEFS), *((name, "changes a setting") for name in others)]:
        with subtests.test(plot=name, what=what), monkeypatch.context() as patch, mpl.rc_context(), plt.ioff():
            draw, mischief = getattr(plots, name), MISCHIEFS[what]
            patch.setattr(plots, name, lambda *args, draw=draw, do=mischief, **options: (do(), draw(*args, **options))[1])
            with pytest.raises(AssertionError):
                test_no_setting_of_matplotlib_changes.claim(CASES[name][0])
        plt.close("all")


@over_every_plot
def test_text_and_lines_have_colours_that_a_dark_page_replaces_and_the_svg_is_small_and_has_no_others(draw):
    ax = draw()
    ax.set_title("a title that the caller adds")
    svg = svg_of(ax)
    replaced = {INK, MUTED, *(axis.light for axis in AXES.values())}
    for text in ax.findobj(Text):
        if text.get_text():
            assert to_hex(text.get_color()) in replaced | {BLACK, WHITE}, text
            assert text.get_fontsize() >= 8, text
    for line in ax.findobj(Line2D):
        if line.get_visible():
            assert to_hex(line.get_color()) in replaced, line
    for patch in ax.findobj(Patch):
        if patch.get_visible() and patch.get_edgecolor()[3] and patch.get_linewidth() and patch is not ax.patch:
            assert to_hex(patch.get_edgecolor()) in replaced | {PAPER, BLACK, WHITE}, patch
    numbers = {to_hex(cell.get_facecolor()) for cell in ax.findobj(Polygon)}  # the slanted cells of a box are not an image
    allowed = replaced | {PAPER, BLACK, WHITE, *INDEX_COLOURS} | numbers
    assert set(re.findall(r"#[0-9a-f]{6}\b", svg)) <= allowed
    assert len(svg) < 200_000


@over_every_plot
def test_the_callers_matplotlib_settings_do_not_change_a_plot(draw):
    names = [name for name, value in mpl.rcParams.items() if name.endswith("color") and mpl.colors.is_color_like(value)]
    assert {"text.color", "axes.edgecolor", "figure.facecolor", "patch.edgecolor"} <= set(names)
    with mpl.rc_context({**dict.fromkeys(names, "#ff0000"), "savefig.facecolor": "auto", "axes.grid": True}):
        svg = svg_of(draw())
    assert "#ff0000" not in svg


def test_a_hundred_facets_make_a_small_svg_of_sharp_images():
    svg = svg_of(plots.draw_facets(random(4, 24, 24, 24).softmax(-1)))
    assert svg.count("image-rendering:pixelated") == 4 * 24 + 1  # and the colour scale
    assert len(svg) < 500_000


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_every_dtype_is_drawn_with_or_without_gradient(dtype):
    weights = random(B, H, L, S).softmax(-1).to(dtype).requires_grad_()
    drawn = plots.draw_heatmap(weights[0, 0]).images[0].get_array()
    np.testing.assert_array_equal(drawn, weights[0, 0].detach().double().numpy())
    plots.draw_facets(weights)
    plots.draw_memory(weights, axes="BHLS")


def test_arrays_are_drawn_like_tensors():
    matrix = random(L, S)
    from_tensor, from_array = (plots.draw_heatmap(data, kind="scores") for data in (matrix, matrix.numpy()))
    assert words_of(from_tensor) == words_of(from_array)
    four = random(B, H, L, D).transpose(1, 2)
    assert words_of(plots.draw_memory(four)) == words_of(plots.draw_memory(four.numpy()))


# draw_heatmap


def test_a_heatmap_shows_every_value_in_its_place():
    weights = random(L, S).softmax(-1)
    ax = plots.draw_heatmap(weights)
    np.testing.assert_array_equal(ax.images[0].get_array(), weights.double().numpy())
    assert ax.images[0].get_extent() == [0, S, L, 0]  # row 0 on top
    for (row, column), text in cells(ax).items():
        assert text.get_text() == f"{weights[row, column]:.2f}"
    assert len(cells(ax)) == L * S


def test_each_cell_has_the_colour_of_its_value():
    weights = random(29, 31).softmax(-1)
    ax = plots.draw_heatmap(weights)
    picture = drawn_pixels(ax)
    for row, column in np.ndindex(29, 31):
        x, y = ax.transData.transform((column + 0.5, row + 0.5))
        expected = ax.images[0].to_rgba(float(weights[row, column]), bytes=True)
        np.testing.assert_array_equal(picture[-1 - int(y), int(x)], expected)


def drawn_pixels(ax):
    ax.get_figure().canvas.draw()
    return np.asarray(ax.get_figure().canvas.buffer_rgba())


def test_weights_are_always_coloured_on_a_scale_from_0_to_1():
    assert plots.draw_heatmap(torch.full((L, S), 1 / S)).images[0].get_clim() == (0, 1)
    assert plots.draw_facets(torch.full((B, H, L, S), 1 / S)).images[0].get_clim() == (0, 1)


def test_scores_are_coloured_symmetrically_about_0():
    scores = random(B, H, L, S) + 3
    most = scores.abs().max().item()
    assert plots.draw_facets(scores, kind="scores").images[0].get_clim() == (-most, most)
    assert plots.draw_heatmap(torch.zeros(L, S), kind="scores").images[0].get_clim() == (-1, 1)


def test_numbers_distinguish_exactly_zero_from_nearly_zero():
    ax = plots.draw_heatmap([[0.0, 1e-9], [1.0, 0.25]])
    assert {place: text.get_text() for place, text in cells(ax).items()} == {
        (0, 0): "0",
        (0, 1): "0.00",
        (1, 0): "1.00",
        (1, 1): "0.25",
    }


def test_nan_and_infinities_are_written_and_have_no_colour():
    scores = causal(L)
    ax = plots.draw_heatmap(scores, kind="scores")
    shown = {place: text.get_text() for place, text in cells(ax).items()}
    assert {place for place, word in shown.items() if word == "−∞"} == {(i, j) for i in range(L) for j in range(i + 1, L)}
    assert {place for place, word in shown.items() if word == "NaN"} == {(L - 2, 1)}
    np.testing.assert_array_equal(ax.images[0].get_array().mask, ~torch.isfinite(scores).numpy())
    assert ax.images[0].to_rgba(ax.images[0].get_array())[0, 1, 3] == 0


@pytest.mark.parametrize("value", ["−∞", "∞", "NaN"])
def test_in_small_cells_nan_and_infinities_are_marked(value):
    number = {"−∞": float("-inf"), "∞": float("inf"), "NaN": float("nan")}[value]
    scores = random(29, 31)
    places = [(0, 0), (3, 30), (28, 7)]
    for place in places:
        scores[place] = number
    ax = plots.draw_heatmap(scores, kind="scores")
    (signs,) = (line for line in ax.lines if line.get_label() == value)
    assert {(int(y), int(x)) for x, y in signs.get_xydata()} == set(places)
    assert not ax.texts


def test_a_weight_of_exactly_zero_has_a_marker_instead_of_a_colour():
    weights = torch.full((29, 31), 0.01)
    weights[4, 5] = 0
    ax = plots.draw_heatmap(weights)
    (signs,) = (line for line in ax.lines if line.get_label() == "0")
    assert {(int(y), int(x)) for x, y in signs.get_xydata()} == {(4, 5)}
    assert ax.images[0].get_array().mask.sum() == 1
    assert not [line for line in plots.draw_heatmap(weights - 0.01, kind="scores").lines if line.get_label() == "0"]


def test_the_three_markers_have_different_shapes():
    scores = random(29, 29)
    scores[0, :3] = torch.tensor([float("-inf"), float("inf"), float("nan")])
    markers = {line.get_label(): line.get_marker() for line in plots.draw_heatmap(scores, kind="scores").lines}
    assert len({markers[sign] for sign in ("−∞", "∞", "NaN")}) == 3


def test_numbers_are_readable_on_every_colour():
    ramp = torch.linspace(0, 1, 64).reshape(8, 8)
    for kind, values in (("weights", ramp), ("scores", 2 * ramp - 1)):
        ax = plots.draw_heatmap(values, kind=kind)
        assert len(ax.texts) == 64
        for (row, column), text in cells(ax).items():
            paper = Color(to_hex(ax.images[0].to_rgba(float(values[row, column]))))
            if kind == "weights" and values[row, column] == 0:  # on paper, not on a colour
                assert text.get_color() == plots.MUTED
                continue
            assert paper.contrast(text.get_color(), method="wcag21") >= 4.4


def test_tokens_label_their_rows_and_columns():
    keys = [f"key{s}" for s in range(S)]
    ax = plots.draw_heatmap(random(L, S).softmax(-1), rows=WORDS, columns=keys)
    assert [label.get_text() for label in ax.get_yticklabels()] == WORDS
    assert [label.get_text() for label in ax.get_xticklabels()] == keys
    assert (ax.get_ylabel(), ax.yaxis.label.get_color()) == ("L: queries", AXES["L"].light)
    assert (ax.get_xlabel(), ax.xaxis.label.get_color()) == ("S: keys", AXES["S"].light)


def test_heatmaps_refuse_invalid_arguments(as_users_run_it):
    with pytest.raises(ShapeError, match=re.escape("shape (2, 3, 5, 7); draw_heatmap needs one slice (L, S)")):
        plots.draw_heatmap(random(B, H, L, S))
    with pytest.raises(ShapeError, match="rows has 4 tokens, matrix has L = 5"):
        plots.draw_heatmap(random(L, S), rows=WORDS[:4])
    with pytest.raises(ShapeError, match="columns has 5 tokens, matrix has S = 7"):
        plots.draw_heatmap(random(L, S), columns=WORDS)
    with pytest.raises(ValueError, match=r'weights must lie between 0 and 1; these range from -.* For scores, pass kind="scores"'):
        plots.draw_heatmap(random(L, S))
    with pytest.raises(ValueError, match="kind is 'logits'"):
        plots.draw_heatmap(random(L, S), kind="logits")


# draw_facets


def test_facets_show_every_slice_with_samples_down_and_heads_across():
    weights = random(B, H, L, S).softmax(-1)
    images = plots.draw_facets(weights).images
    assert len(images) == B * H
    by_place = sorted(images, key=lambda image: (image.get_extent()[3], image.get_extent()[0]))
    shown = np.stack([image.get_array() for image in by_place]).reshape(B, H, L, S)
    np.testing.assert_array_equal(shown, weights.double().numpy())


@pytest.mark.parametrize("tokens", [None, [WORDS, WORDS]])
def test_the_gap_between_samples_is_wider_than_that_between_heads(tokens):
    extents = [image.get_extent() for image in plots.draw_facets(random(B, H, L, L).softmax(-1), tokens=tokens).images]
    lefts, tops = sorted({e[0] for e in extents}), sorted({e[3] for e in extents})
    between_heads, between_samples = np.diff(lefts) - L, np.diff(tops) - L
    assert between_heads.min() > 0
    assert between_samples.min() > 1.5 * between_heads.max()


def test_facets_are_labelled_by_sample_and_head_in_the_axis_colours():
    ax = plots.draw_facets(random(B, H, L, S).softmax(-1))
    colour = {text.get_text(): text.get_color() for text in ax.findobj(Text)}
    assert all(colour[f"h = {h}"] == AXES["H"].light for h in range(H))
    assert all(colour[f"b = {b}"] == AXES["B"].light for b in range(B))


def test_each_sample_has_its_own_tokens_and_padding_is_labelled_pad():
    ax = plots.draw_facets(random(B, H, L, L).softmax(-1), tokens=[WORDS, WORDS[:3]])
    padded = [*WORDS[:3], "pad", "pad"]
    assert [label.get_text() for label in ax.get_yticklabels()] == WORDS + padded
    keys = [text.get_text() for text in ax.texts if "=" not in text.get_text()]
    assert keys == WORDS * H + padded * H


def test_keys_of_another_sequence_have_their_own_tokens():
    others = [[f"key{b}{s}" for s in range(S)] for b in range(B)]
    ax = plots.draw_facets(random(B, H, L, S).softmax(-1), tokens=[WORDS] * B, key_tokens=others)
    assert [text.get_text() for text in ax.texts if text.get_text().startswith("key")] == others[0] * H + others[1] * H


def test_facets_mark_nan_and_infinities_in_the_right_facet():
    scores = random(B, H, L, S)
    scores[1, 2, 3, 4] = float("nan")
    ax = plots.draw_facets(scores, kind="scores")
    (signs,) = (line for line in ax.lines if line.get_label() == "NaN")
    left, _, _, top = ax.images[-1].get_extent()
    np.testing.assert_array_equal(signs.get_xydata(), [[left + 4.5, top + 3.5]])


def test_facets_refuse_invalid_arguments():
    weights = random(B, H, L, S).softmax(-1)
    with pytest.raises(ShapeError, match=re.escape("shape (5, 7); draw_facets needs the four axes (B, H, L, S)")):
        plots.draw_facets(weights[0, 0])
    with pytest.raises(ShapeError, match="L = 5 queries and S = 7 keys cannot share their tokens: pass key_tokens"):
        plots.draw_facets(weights, tokens=[WORDS, WORDS])
    with pytest.raises(ShapeError, match="tokens holds 1 lists, tensor has B = 2 samples"):
        plots.draw_facets(weights[..., :L], tokens=[WORDS])
    with pytest.raises(ShapeError, match=re.escape("tokens[1] has 6 tokens, tensor has room for L = 5")):
        plots.draw_facets(weights[..., :L], tokens=[WORDS, [*WORDS, "."]])


# draw_memory: the values of an arange are positions in the storage, so every view shows where its elements are stored.


def positions(*shape):
    return torch.arange(int(np.prod(shape))).view(*shape)


def expected_labels(view, start=0):
    labels = defaultdict(list)
    for index in np.ndindex(*view.shape):
        labels[int(view[index]) - start].append(",".join(map(str, index)))
    return labels


def strip(ax, per_line):
    return {row * per_line + column: text.get_text() for (row, column), text in cells(ax).items()}


VIEWS = {
    "contiguous": positions(B, H, L, D),
    "split heads": split_heads(positions(B, L, H * D), H),
    "split by view only": positions(B, L, H * D).view(B, H, L, D),
    "all axes permuted": positions(D, L, B, H).permute(2, 3, 1, 0),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_each_cell_names_the_element_that_is_stored_there(view):
    expected = {place: labels[0] for place, labels in expected_labels(view).items()}
    assert strip(plots.draw_memory(view, per_line=10), 10) == expected


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_each_cell_has_the_colour_of_its_head(view):
    (collection,) = plots.draw_memory(view).collections
    colours = [to_hex(colour) for colour in collection.get_facecolor()]
    assert colours == [INDEX_COLOURS[int(labels[0].split(",")[1])] for _, labels in sorted(expected_labels(view).items())]


def test_the_wrong_split_has_the_same_cells_in_other_colours():
    right, wrong = (plots.draw_memory(VIEWS[name], per_line=12) for name in ("split heads", "split by view only"))
    colours = [np.array(ax.collections[0].get_facecolor()).reshape(B * L, H, D, 4) for ax in (right, wrong)]
    assert all(len({to_hex(c) for c in line.reshape(-1, 4)}) == 3 for line in colours[0])  # each token is in every head
    assert all(len({to_hex(c) for c in line.reshape(-1, 4)}) < 3 for line in colours[1])
    assert all(len({to_hex(c) for c in part}) == 1 for line in colours[0] for part in line)  # and each head has a slice of it


def test_cells_that_a_slice_skips_are_empty():
    view = positions(B, H, L, D)[:, :, 1:3, ::2]
    ax = plots.draw_memory(view, per_line=10)
    start = view.storage_offset()
    expected = {place: labels[0] for place, labels in expected_labels(view, start).items()}
    assert strip(ax, 10) == expected
    empty = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    last = max(expected)
    assert {int(p.get_y()) * 10 + int(p.get_x()) for p in empty} == set(range(last + 1)) - set(expected)
    assert all(not patch.get_fill() or patch.get_facecolor()[3] == 0 for patch in empty)
    assert ax.get_yticklabels()[0].get_text() == str(start) == "4"


def test_a_number_that_is_several_elements_is_labelled_so_and_has_all_their_colours():
    ax = plots.draw_memory(positions(B, 1, L, D).expand(B, H, L, D), per_line=10)
    assert strip(ax, 10) == {(b * L + i) * D + d: f"{b},:,{i},{d}" for b in range(B) for i in range(L) for d in range(D)}
    colours = [to_hex(colour) for colour in ax.collections[0].get_facecolor()]
    assert colours == list(INDEX_COLOURS[:H]) * (B * L * D)
    assert any("stored once" in word for word in words_of(ax))


def test_a_number_in_two_windows_names_both():
    windows = positions(4).unfold(0, 2, 1)  # 0 1, 1 2, 2 3
    assert strip(plots.draw_memory(windows, axes="LD", colour_by="L"), 4) == {0: "0,0", 1: "0/1,:", 2: "1/2,:", 3: "2,1"}


def test_a_reversed_array_is_drawn_from_its_lowest_address():
    assert strip(plots.draw_memory(np.arange(3)[::-1], axes="L", colour_by="L"), 3) == {0: "2", 1: "1", 2: "0"}


def test_narrow_cells_show_the_last_axes_and_say_which():
    _, ax = plt.subplots(figsize=(4, 3))
    plots.draw_memory(VIEWS["contiguous"], per_line=12, ax=ax)
    assert strip(ax, 12)[B * H * L * D - 1] == f"{L - 1},{D - 1}"
    assert "in the cells: index l,d; on the left: position in the storage" in "".join(words_of(ax))


def test_the_key_names_each_colour():
    ax = plots.draw_memory(VIEWS["contiguous"], colour_by="L")
    (collection,) = ax.collections
    assert isinstance(collection, PatchCollection)
    assert {to_hex(colour) for colour in collection.get_facecolor()} == set(INDEX_COLOURS[:L])
    assert all(f"l = {i}" in "".join(words_of(ax)) for i in range(L))


def test_lines_can_be_named():
    ax = plots.draw_memory(VIEWS["split heads"][:1], per_line=H * D, lines=WORDS)
    assert [label.get_text() for label in ax.get_yticklabels()] == WORDS


def test_a_large_tensor_is_cut_and_the_missing_cells_are_counted():
    ax = plots.draw_memory(torch.empty(3, 11, 1009, 64), limit=50)
    assert len(ax.texts) == 50
    assert f"… and {3 * 11 * 1009 * 64 - 50:,} more in the storage" in words_of(ax)


def test_memory_refuses_invalid_arguments():
    tensor = VIEWS["contiguous"]
    for axes in ("BLE", "BHLDE", "BHHD", "BHLX"):
        with pytest.raises(ShapeError, match=re.escape(f'shape (2, 3, 5, 4), axes is "{axes}"')):
            plots.draw_memory(tensor, axes=axes)
    with pytest.raises(ShapeError, match='colour_by is "S", which is not one of the axes B H L D'):
        plots.draw_memory(tensor, colour_by="S")
    with pytest.raises(ShapeError, match="lines has 5 names; 120 cells, 12 in a line, need 10"):
        plots.draw_memory(tensor, lines=WORDS, per_line=12)
    with pytest.raises(ShapeError, match="no elements"):
        plots.draw_memory(tensor[:0])
    with pytest.raises(ValueError, match="limit is 0"):
        plots.draw_memory(tensor, limit=0)


# draw_map


def test_boxes_are_drawn_to_scale():
    record = steps()
    sheets = [patch for patch in plots.draw_map(record).patches if isinstance(patch, Rectangle)]  # the front ones
    unit = max(sheet.get_width() for sheet in sheets) / (H * D)
    drawn = sorted((sheet.get_height() / unit, sheet.get_width() / unit) for sheet in sheets)
    assert np.array(drawn) == pytest.approx(np.array(sorted(tuple(tensor.shape[-2:]) for _, tensor in record.items())))


@pytest.mark.parametrize(("batch", "heads", "behind"), [(1, 1, 0), (2, 3, 5), (3, 4, 11), (5, 12, 11)])
def test_the_leading_axes_are_at_most_twelve_sheets_in_all(batch, heads, behind):
    layer = MultiHeadAttention(12 * heads, heads)
    ax = plots.draw_map(layer.steps(random(batch, L, 12 * heads)))
    count = sum(isinstance(patch, Polygon) for patch in ax.patches)
    with_heads, without = 8, 6  # tensors (B, H, ...) and (B, ...) in self-attention
    assert count == with_heads * behind + without * (min(batch, 12) - 1)


def test_the_map_names_every_tensor_with_its_letters_and_sizes():
    record = steps()
    words = words_of(plots.draw_map(record))
    for name, tensor in record.items():
        start = words.index(name)
        table = words[start + 1 :]
        letters = [piece for axis in record.axes(name) for piece in re.split("(·)", axis)]
        size_texts = [str(size) for size in tensor.shape]
        count = len(letters) + len(size_texts)
        assert [w for w in table[:count] if not w.isdigit()] == letters
        assert [w for w in table[:count] if w.isdigit()] == size_texts


def test_the_map_draws_every_operation():
    words = words_of(plots.draw_map(steps()))
    for operation in ("$W_Q$", "$W_K$", "$W_V$", "q @ kᵀ", "mask", "@ v", "merge", "$W_O$"):
        assert words.count(operation) == 1
    assert words.count("split") == 3


def test_letters_in_the_map_have_their_colours():
    ax = plots.draw_map(steps())
    for text in ax.findobj(Text):
        if text.get_text() in AXES:
            assert text.get_color() == AXES[text.get_text()].light


def test_in_self_attention_all_three_projections_come_from_x():
    ax = plots.draw_map(steps(cross=False))
    assert "context" not in words_of(ax)
    starts = [tuple(np.round(arrow.get_path().vertices[0])) for arrow in ax.patches if isinstance(arrow, FancyArrowPatch)]
    assert len(starts) == 15
    assert max(map(starts.count, starts)) == 3


@dataclass(frozen=True, repr=False, eq=False)
class Unmasked(Record):
    """A record of another layer, without the step that masks."""

    x: Float[Tensor, "B L E"]
    q_flat: Float[Tensor, "B L HD"]
    k_flat: Float[Tensor, "B S GD"]
    v_flat: Float[Tensor, "B S GDv"]
    q: Float[Tensor, "B H L D"]
    k: Float[Tensor, "B G S D"]
    v: Float[Tensor, "B G S Dv"]
    scores: Float[Tensor, "B H L S"]
    scaled: Float[Tensor, "B H L S"]
    weights: Float[Tensor, "B H L S"]
    heads: Float[Tensor, "B H L Dv"]
    concat: Float[Tensor, "B L HDv"]
    y: Float[Tensor, "B L E"]


def test_the_map_leaves_out_a_step_that_did_not_happen():
    record = steps(cross=False)
    ax = plots.draw_map(Unmasked(**{field.name: getattr(record, field.name) for field in fields(Unmasked)}))
    assert not {"mask", "masked"} & set(words_of(ax))
    assert "softmax" in words_of(ax)


def test_the_map_refuses_a_record_of_something_else():
    @dataclass(frozen=True, repr=False, eq=False)
    class Half(Record):
        x: Float[Tensor, "B L E"]

    with pytest.raises(ShapeError, match=r"Half has no y, q_flat.*; draw_map needs every tensor from x to y"):
        plots.draw_map(Half(random(B, L, H * D)))


def test_memory_cells_can_show_values_instead_of_indices(as_users_run_it):
    x = torch.arange(24).view(2, 3, 4).permute(1, 0, 2)
    texts = [text.get_text() for text in plots.draw_memory(x, axes="LHD", labels="value").texts]
    assert texts == [str(n) for n in range(24)]
    with pytest.raises(ValueError, match="labels is 'name'"):
        plots.draw_memory(x, axes="LHD", labels="name")


def test_a_number_that_rounds_to_zero_has_no_sign():
    texts = {(-0.36, 0): "0", (-0.04, 1): "0.0", (-0.06, 1): "−0.1", (-7.2, 0): "−7", (0.0, 2): "0", (-float("inf"), 1): "−∞"}
    assert {case: number_text(*case) for case in texts} == texts
