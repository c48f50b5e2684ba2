"""A slice of scores or weights as coloured cells: the image, the numbers or markers in the cells, and the colour scale."""

import math
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize
from matplotlib.image import AxesImage
from numpy.typing import NDArray

from attn.plots.paper import BLACK, INK, MUTED, WHITE, blank, size_in_points

Kind = Literal["weights", "scores"]

# Blue through white to orange, in equal steps (ColorBrewer's RdBu and PuOr), as in kit/scale.js. Red and green are for verdicts.
SIGNED = ("#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fee0b6", "#fdb863", "#e08214", "#b35806")


def scale_of(values: NDArray[Any], kind: Kind) -> Normalize:
    """The colour scale: 0 to 1 for weights, symmetric about 0 for scores.

    Raises ValueError for any other kind, and for weights outside 0 to 1.
    """
    finite = values[np.isfinite(values)]
    if kind == "scores":
        most = np.abs(finite).max(initial=0.0) or 1.0
        return Normalize(-most, most)
    if kind != "weights":
        raise ValueError(f'kind is {kind!r}; it must be "weights" or "scores".')
    if finite.size and not (finite.min() >= 0 and finite.max() <= 1 + 1e-6):
        reach = f"{finite.min():.3g} to {finite.max():.3g}"
        raise ValueError(f'weights must lie between 0 and 1; these range from {reach}. For scores, pass kind="scores".')
    return Normalize(0.0, 1.0)


def paint(ax: Axes, values: NDArray[Any], kind: Kind, scale: Normalize, left: float = 0.0, top: float = 0.0) -> AxesImage:
    """Draw one slice as one image, a cell per unit. Cells with NaN, an infinity or a weight of exactly 0 stay empty."""
    L, S = values.shape
    right, bottom = left + S, top + L
    ax.plot([left, right, right, left, left], [top, top, bottom, bottom, top], color=MUTED, lw=0.8, clip_on=False)
    return ax.imshow(
        np.ma.masked_where(~np.isfinite(values) | _is_zero_weight(values, kind), values),
        cmap=colours_of(kind),
        norm=scale,
        extent=(left, right, bottom, top),
        origin="upper",
        aspect="equal",
        interpolation="none",  # not "nearest": an SVG then holds the L × S pixels themselves, sharp at every size
    )


def _is_zero_weight(values: NDArray[Any], kind: Kind) -> NDArray[np.bool_]:
    """Where a weight is exactly 0, and not only small."""
    return (values == 0) & (kind == "weights")


def write_numbers(
    ax: Axes, values: NDArray[Any], image: AxesImage, kind: Kind, room: float, left: float = 0.0, top: float = 0.0
) -> bool:
    """Write the number into every cell, with as many digits as fit. Returns False if the numbers do not fit."""
    most = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    for digits in (2, 1) if most < 10 else (2, 1, 0):
        texts = [number_text(value, digits) for value in values.flat]
        if max(map(len, texts)) * 5.3 <= room - 2:
            break
    else:
        return False
    for (row, column), value in np.ndenumerate(values):
        if kind == "weights" and value == 0:
            colour, size = MUTED, 8.5
        elif math.isfinite(value):
            colour, size = ink_on(image.to_rgba(value)), 8.5
        else:
            colour, size = MUTED if value < 0 else INK, 10.0
        at = (left + column + 0.5, top + row + 0.5)
        ax.text(*at, texts.pop(0), color=colour, ha="center", va="center_baseline", fontsize=size)
    return True


def ink_on(paper: Any) -> str:
    """Black or white, whichever has more contrast with this colour. At luminance 0.179 both have the same (WCAG 2)."""
    luminance = np.dot(np.power(paper[:3], 2.2), (0.2126, 0.7152, 0.0722))
    return BLACK if luminance > 0.179 else WHITE


def mark_signs(ax: Axes, values: NDArray[Any], kind: Kind, room: float, left: float = 0.0, top: float = 0.0) -> None:
    """Mark the cells that have no colour and are too small for text: a dot for −∞ and for a weight of exactly 0, a plus for ∞,
    a cross for NaN."""
    size = min(room, 20.0)
    for name, where, marker, part, edge, colour in (
        ("0", _is_zero_weight(values, kind), ".", 0.24, 0.0, MUTED),
        ("−∞", np.isneginf(values), ".", 0.24, 0.0, MUTED),
        ("∞", np.isposinf(values), "+", 0.5, 1.2, INK),
        ("NaN", np.isnan(values), "x", 0.45, 1.2, INK),
    ):
        rows, columns = np.nonzero(where)
        if rows.size:
            at = (left + columns + 0.5, top + rows + 0.5)
            ax.plot(*at, ls="none", marker=marker, ms=part * size, mew=edge, color=colour, label=name)


def draw_key(ax: Axes, kind: Kind, scale: Normalize, gap: int) -> None:
    """Draw the colour scale beside the picture, `gap` points away."""
    low, high = scale.vmin or 0.0, scale.vmax or 0.0
    width = size_in_points(ax)[0]
    key = blank(ax.inset_axes((1 + gap / width, 0, 8 / width, 1)))
    ramp = np.linspace(high, low, 128)[:, None]
    key.imshow(ramp, colours_of(kind), scale, extent=(0, 1, low, high), aspect="auto", interpolation="none")
    key.yaxis.tick_right()
    ticks = (low, (low + high) / 2, high)
    key.set_yticks(ticks, [number_text(tick, 1) for tick in ticks], fontsize=8)


def number_text(value: float, digits: int) -> str:
    """A number as text for a cell: 0.25, −1.3, 0 (only if it is exactly 0), −∞, NaN. What rounds to zero has no sign."""
    if math.isnan(value):
        return "NaN"
    size = "∞" if math.isinf(value) else f"{abs(value):.{digits}f}" if value else "0"
    return f"−{size}" if value < 0 and size.strip("0.") else size


def colours_of(kind: Kind) -> Colormap:
    """The colour map of this kind. Both maps are readable with any kind of colour blindness; infinities and NaN have no colour."""
    signed = LinearSegmentedColormap.from_list("signed", SIGNED)
    return (mpl.colormaps["viridis"] if kind == "weights" else signed).with_extremes(bad=(0, 0, 0, 0))
