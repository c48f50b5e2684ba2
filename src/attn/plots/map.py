"""A diagram of multi-head attention: its tensors as boxes drawn to scale."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.offsetbox import OffsetBox
from matplotlib.patches import FancyArrowPatch, Polygon, Rectangle
from matplotlib.path import Path

from attn.plots.paper import INK, MUTED, below, beside, blank, put, text
from attn.record import Record
from attn.shapes import AXES, ShapeError

# The row and the column of each tensor. Each column has one kind of shape: tokens, projections, heads, pairs of tokens.
# The path goes right, down the last column and back along the bottom row, so that y ends up under x.
_PLACES = {
    **{"x": (0, 0), "context": (1, 0), "y": (3, 0)},
    **{"q_flat": (0, 1), "k_flat": (1, 1), "v_flat": (2, 1), "concat": (3, 1)},
    **{"q": (0, 2), "k": (1, 2), "v": (2, 2), "heads": (3, 2)},
    **{"scores": (0, 3), "scaled": (1, 3), "masked": (2, 3), "weights": (3, 3)},
}
_OPTIONAL = {"context", "masked"}
_WIDEST, _TALLEST, _DEEPEST = 76.0, 42.0, 16.0  # the largest size of a box, in points
_ACROSS, _DOWN, _LABEL = 46.0, 28.0, 46.0  # gaps between columns and rows; the three lines of text under a box


class _Box:
    """One tensor: its last two axes are a sheet drawn to scale, and the axes before them are sheets behind it."""

    def __init__(self, name: str, letters: Sequence[str], shape: Sequence[int]) -> None:
        self.name, self.letters, self.shape = name, letters, shape
        heads = min(shape[1], 6) if len(shape) == 4 else 1
        samples = min(shape[0], 12 // heads)  # more sheets would blur
        self.sheets = [b * (heads + 1.0) + h for b in range(samples) for h in range(heads)]  # a gap after each sample
        self.wide = self.high = self.deep = self.x = self.y = 0.0  # x, y: the middle of the stack; y points down

    def scale(self, unit: float, step: float) -> None:
        """Set the scale: an element is `unit` points wide, and each sheet is `step` points behind the previous one."""
        self.high, self.wide = (max(4.0, size * unit) for size in self.shape[-2:])
        self.sheets = [sheet * step for sheet in self.sheets]
        self.deep = self.sheets[-1]

    def draw(self, ax: Axes, parts: int) -> None:
        """Draw the stack, with its front sheet divided into `parts` side by side."""
        left, bottom = self.x - (self.wide + self.deep) / 2, self.y + (self.high + self.deep) / 2
        top, right = bottom - self.high, left + self.wide
        for near, far in zip(self.sheets, self.sheets[1:], strict=False):
            # The part of a sheet that the one in front does not cover: a strip along its top and its right edge.
            outer = [(left + far, top - far), (right + far, top - far), (right + far, bottom - far)]
            inner = [(right + near, bottom - far), (right + near, top - near), (left + far, top - near)]
            ax.add_patch(Polygon(outer + inner, facecolor=(MUTED, 0.1), edgecolor=MUTED, lw=0.6))
        ax.add_patch(Rectangle((left, top), self.wide, self.high, facecolor=(MUTED, 0.2), edgecolor=MUTED, lw=0.6))
        for part in range(1, parts):
            cut = left + self.wide * part / parts
            ax.plot([cut, cut], [top, bottom], color=MUTED, lw=0.8, ls=(0, (2, 2)))
        ax.plot([left, left], [top, bottom], color=AXES[self.letters[-2]].light, lw=2.5, solid_capstyle="butt")
        # The edge of a merged axis has the colours of all its letters, stacked: H·D has those of H and D.
        for level, letter in enumerate(reversed(self.letters[-1].split("·"))):
            height = bottom + 2.5 * level
            ax.plot([left, right], [height, height], color=AXES[letter].light, lw=2.5, solid_capstyle="butt")

    def label(self) -> OffsetBox:
        """The name above a small table, in which each letter is above its size."""
        table = [
            below(text(letter, fontsize=10.5, fontweight="bold"), text(str(size), fontsize=10.5), gap=1)
            for letter, size in zip(self.letters, self.shape, strict=True)
        ]
        return below(text(self.name, fontsize=10.5), beside(*table, gap=7), gap=2)


def draw_map(steps: Record, ax: Axes | None = None) -> Axes:
    """Draw multi-head attention from x to y: every tensor is a box drawn to scale, every operation an arrow.

    steps: the record of one pass, from `MultiHeadAttention.steps`. The height and the width of a box show the last two axes of
    its tensor, and its left and lower edges have their colours. The axes before them are sheets behind it, at most 12 in all.
    Dashed lines separate heads that are side by side in one axis. Names, letters and sizes come from the record.

    Raises ShapeError if the record lacks one of the tensors of such a pass.
    """
    tensors = dict(steps.items())
    if missing := [name for name in _PLACES if name not in tensors and name not in _OPTIONAL]:
        raise ShapeError(
            f"{type(steps).__name__} has no {', '.join(missing)}; draw_map needs every tensor from x to y, "
            "as MultiHeadAttention.steps records them."
        )
    boxes = {name: _Box(name, steps.axes(name), tensors[name].shape) for name in _PLACES if name in tensors}
    width, height = _arrange(boxes)
    ax = blank(ax, width, height)
    ax.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    D = boxes["q"].shape[-1]
    foot = _foot(boxes)
    for box in boxes.values():
        parts = box.shape[-1] // D if len(box.letters[-1]) > 1 else 1
        box.draw(ax, parts if parts <= 16 else 1)
        put(ax, box.label(), (box.x, box.y + foot), (0.5, 1.0))
    source = "context" if "context" in boxes else "x"
    last = "masked" if "masked" in boxes else "scaled"
    for start, end, name in (
        ("x", "q_flat", "$W_Q$"),
        (source, "k_flat", "$W_K$"),
        (source, "v_flat", "$W_V$"),
        ("q_flat", "q", "split"),
        ("k_flat", "k", "split"),
        ("v_flat", "v", "split"),
        ("k", "scores", ""),
        ("q", "scores", "q @ kᵀ"),
        ("scores", "scaled", "÷ √D"),
        ("scaled", "masked", "mask"),
        (last, "weights", "softmax\nover S"),
        ("weights", "heads", "@ v"),
        ("v", "heads", "v"),
        ("heads", "concat", "merge"),
        ("concat", "y", "$W_O$"),
    ):
        if end in boxes:
            _arrow(ax, boxes[start], boxes[end], name, foot)
    return ax


def _foot(boxes: dict[str, _Box]) -> float:
    """The distance from the middle of a row to its labels."""
    return max(box.high + box.deep for box in boxes.values()) / 2 + 5


def _arrange(boxes: dict[str, _Box]) -> tuple[float, float]:
    """Set the size and the position of every box, and return the width and height of the whole diagram."""
    tall, wide = (max(box.shape[axis] for box in boxes.values()) for axis in (-2, -1))
    deepest = max(box.sheets[-1] for box in boxes.values())
    for box in boxes.values():
        box.scale(min(_TALLEST / tall, _WIDEST / wide), min(3.0, _DEEPEST / max(deepest, 1.0)))
    foot, left = _foot(boxes), 2.0
    for column in range(4):
        family = [box for box in boxes.values() if _PLACES[box.name][1] == column]
        half = max(max((box.wide + box.deep) / 2, 9.0 * len(box.letters)) for box in family)
        for box in family:
            box.x, box.y = left + half, foot + _PLACES[box.name][0] * (2 * foot + _LABEL + _DOWN)
        left += 2 * half + _ACROSS
    if "context" not in boxes:
        boxes["x"].y = boxes["k_flat"].y  # halfway down the three boxes that are computed from it
    return left - _ACROSS + 20, boxes["y"].y + foot + _LABEL


def _arrow(ax: Axes, start: _Box, end: _Box, name: str, foot: float) -> None:
    """Draw an arrow from box to box: straight within a row or a column, otherwise right, up or down, and right again."""
    align = (0.5, 0.0)
    if start.x == end.x:
        points = [(start.x, start.y + foot + _LABEL), (end.x, end.y - (end.high + end.deep) / 2 - 3)]
        at, align = (start.x + 7, (points[0][1] + points[1][1]) / 2), (0.0, 0.5)
    else:
        way = 1 if start.x < end.x else -1
        a, b = start.x + way * ((start.wide + start.deep) / 2 + 4), end.x - way * ((end.wide + end.deep) / 2 + 4)
        turn = a + 12 if name else (a + b) / 2
        bend = [] if start.y == end.y else [(turn, start.y), (turn, end.y)]
        points = [(a, start.y), *bend, (b, end.y)]
        at = ((turn if start.name in ("x", "context") else a) / 2 + b / 2, end.y - 4)  # clear of the arrow that branches off
    style: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 9, "color": INK, "lw": 1.1}
    ax.add_patch(FancyArrowPatch(path=Path(points), **style))
    if name:
        put(ax, below(*(text(line, fontsize=10) for line in name.split("\n"))), at, align)
