"""A tensor in memory: which element each position of the storage holds."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.offsetbox import OffsetBox
from matplotlib.patches import Rectangle
from torch import Tensor

from attn.plots.paper import BLACK, INDEX_COLOURS, MUTED, below, beside, blank, put, size_in_points, swatch, text
from attn.shapes import AXES, ShapeError

Index = tuple[int, ...]

_TALL = 0.84  # the height of a cell; the rest of the line is the gap to the next one


def draw_memory(
    tensor: Any,
    *,
    axes: str = "BHLD",
    colour_by: str = "H",
    per_line: int | None = None,
    lines: Sequence[str] | None = None,
    labels: Literal["index", "value"] = "index",
    limit: int = 160,
    ax: Axes | None = None,
) -> Axes:
    """Draw the storage of a tensor, a cell for each number, labelled with the index that the strides assign to it.

    A view changes the labels, never the order of the cells. To compare two views of one storage, draw one below the other with
    the same per_line. Numbers that the tensor skips (a slice) have an empty cell. The label of a number that is several elements
    (stride 0, after expand) has ":" for the index that does not matter, and its cell has the colours of all these elements.

    tensor: any shape, a tensor or an array. axes: a letter for each axis, such as "BHLD". colour_by: the letter whose
    index decides the colour. per_line: cells in a line; if None, a stride of the tensor or 12. lines: names for the lines, such
    as tokens, instead of positions in the storage. labels: what to write in the cells, "index" or "value". limit: the largest
    number of cells to draw; a note below says how many are left out.

    Raises ShapeError if axes does not fit the shape, colour_by is not one of them, or lines has too few names, ValueError for
    unknown labels and for a limit or per_line below 1.
    """
    letters = axes.replace(" ", "")
    shape, strides, start = _layout(tensor)
    if len(letters) != len(shape) or len(set(letters)) != len(letters) or not set(letters) <= set(AXES):
        known = " ".join(AXES)
        raise ShapeError(f'tensor has shape {shape}, axes is "{axes}": each axis needs its own letter, from {known}.')
    if colour_by not in letters:
        raise ShapeError(f'colour_by is "{colour_by}", which is not one of the axes {" ".join(letters)}.')
    if 0 in shape:
        raise ShapeError(f"tensor has shape {shape}: it has no elements, so there is nothing to draw.")
    if labels not in ("index", "value"):
        raise ValueError(f'labels is {labels!r}; it must be "index" or "value".')
    if limit < 1 or (per_line is not None and per_line < 1):
        raise ValueError(f"limit is {limit}, per_line is {per_line}: both count cells and must be at least 1.")

    total = 1 + sum((size - 1) * abs(stride) for size, stride in zip(shape, strides, strict=True))
    shown = min(total, limit)
    if per_line is None:
        per_line = shown if shown <= 16 else next((s for s in sorted(strides, reverse=True) if 8 <= s <= 16), 12)
    count = -(-shown // per_line)
    if lines is not None and len(lines) < count:
        raise ShapeError(f"lines has {len(lines)} names; {shown} cells, {per_line} in a line, need {count}.")

    cell = min(42.0, 430 / per_line)
    room = cell if ax is None else size_in_points(ax)[0] / per_line
    ax = blank(ax, cell * max(per_line, 6) + 50, 24.0 * count + 40)
    ax.set(xlim=(0, per_line), ylim=(count, 0), aspect="auto")
    positions = [str(start + line * per_line) for line in range(count)]
    ax.set_yticks([line + _TALL / 2 for line in range(count)], positions if lines is None else lines[:count])
    if lines is None:
        ax.tick_params(axis="y", labelcolor=MUTED)

    owners = _owners(shape, strides, limit)
    if labels == "value":
        written = {place: [f"{float(tensor[indices[0]]):g}"] for place, indices in owners.items()}
    else:
        written = {place: _label(indices, shape) for place, indices in owners.items()}
    first, fontsize = _fit(list(written.values()), room)
    by = letters.index(colour_by)
    cells: list[Rectangle] = []
    colours: list[str] = []
    for place in range(shown):
        line, column = divmod(place, per_line)
        if place not in owners:
            style: dict[str, Any] = {"facecolor": "none", "edgecolor": MUTED, "linestyle": (0, (2, 2)), "linewidth": 0.8}
            ax.add_patch(Rectangle((column + 0.06, line + 0.03), 0.88, _TALL - 0.06, **style))
            continue
        bands = [_colour(i) for i in sorted({index[by] for index in owners[place]})]
        for i, colour in enumerate(bands):
            cells.append(Rectangle((column + 0.03 + 0.94 * i / len(bands), line), 0.94 / len(bands), _TALL))
            colours.append(colour)
        label = ",".join(written[place][first:])
        style = {"color": BLACK, "ha": "center", "va": "center_baseline", "fontsize": fontsize}
        ax.text(column + 0.5, line + _TALL / 2, label, **style)
    ax.add_collection(PatchCollection(cells, facecolors=colours, linewidths=0))

    seen = sorted({index[by] for indices in owners.values() for index in indices})[: len(INDEX_COLOURS)]
    key = [beside(swatch(_colour(i)), text(f"{colour_by.lower()} = {i}", fontsize=9), gap=4) for i in seen]
    shared = any(len(indices) > 1 for indices in owners.values())
    index = "" if labels == "value" else letters[first:].lower()
    notes = _notes(index, lines is None, shared, total - shown)
    legend = below(beside(*key, gap=12), *notes, gap=4, align="left")
    put(ax, legend, (0.0, 0.0), (0.0, 1.0), xycoords="axes fraction", offset=(2, -4))
    return ax


def _layout(tensor: Any) -> tuple[Index, Index, int]:
    """Shape, strides in elements, and the position of the first element in its storage."""
    if isinstance(tensor, Tensor):
        return tuple(tensor.shape), tuple(tensor.stride()), int(tensor.storage_offset())
    array = np.asarray(tensor)
    return array.shape, tuple(stride // array.itemsize for stride in array.strides), 0


def _owners(shape: Index, strides: Index, limit: int) -> dict[int, list[Index]]:
    """For each place in memory, counted from the lowest, the elements stored there. Places from limit on are left out."""
    lowest = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True) if stride < 0)
    near = [min(n, -(-limit // stride)) if stride > 0 else n for n, stride in zip(shape, strides, strict=True)]
    owners: dict[int, list[Index]] = {}
    for index in product(*map(range, near)):
        place = sum(i * stride for i, stride in zip(index, strides, strict=True)) - lowest
        if place < limit:
            owners.setdefault(place, []).append(index)
    return owners


def _label(indices: list[Index], shape: Index) -> list[str]:
    """The index of a cell, axis by axis; ":" if the cell holds all indices of an axis, "0/1" if it holds some of them."""
    values = [sorted(set(along)) for along in zip(*indices, strict=True)]
    return [":" if len(v) == n > 1 else "/".join(map(str, v)) for v, n in zip(values, shape, strict=True)]


def _fit(labels: list[list[str]], room: float) -> tuple[int, float]:
    """How many leading axes to omit so that labels of at least 8 points fit, and the largest font size that fits then."""
    for first in range(len(labels[0])):
        widest = max(sum(0.64 if sign.isdigit() else 0.33 for sign in ",".join(label[first:])) for label in labels)
        if widest * 8 <= room - 3:
            return first, min(10.0, (room - 3) / widest)
    return len(labels[0]), 8.0


def _colour(index: int) -> str:
    return INDEX_COLOURS[index % len(INDEX_COLOURS)]


def _notes(index: str, positions: bool, shared: bool, more: int) -> Iterator[OffsetBox]:
    """A line of explanation for each kind of label."""
    what = [f"in the cells: index {','.join(index)}"] if index else []
    what += ["on the left: position in the storage"] if positions else []
    if what:
        yield text("; ".join(what), fontsize=9)
    if shared:
        yield text('":" stored once, read for every index of that axis', fontsize=9)
    if more > 0:
        yield text(f"… and {more:,} more in the storage", fontsize=9)
