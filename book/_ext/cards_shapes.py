"""The pictures of part I: where the axes of a tensor are, and where its numbers lie."""

import torch
from card_canvas import HEADS, arrow, cells, frame, hue, letters, picture, say, stack, tinted
from cards_layer import steps
from matplotlib.axes import Axes

from attn import split_heads
from attn.shapes import AXES


@picture(
    "chapters/01-whole-map",
    "Tensors as boxes drawn to scale, from left to right: x, then q, k and v as three stacks of heads, the scores, the "
    "heads, and y, which is as large as x.",
)
def whole_map(ax: Axes) -> None:
    layer = steps()
    unit, middle = 5.4, 82.0
    places = {"x": (6, 0), "q": (104, -56), "k": (104, 0), "v": (104, 56), "scores": (168, -28), "heads": (214, 28), "y": (249, 0)}
    for name, (left, down) in places.items():
        axes, shape = layer.axes(name), getattr(layer, name).shape
        high, wide = (unit * size for size in shape[-2:])
        top = middle + down - high / 2
        stack(ax, shape[1] if len(shape) == 4 else 1, left, top, wide, high, (axes[-2], axes[-1]))
        x, y = (left - 9, top + high / 2) if name in "qkv" else (left + wide / 2, top + high + 11)
        say(ax, x, y, name)
    for left, name in ((38, "x"), (119, "q"), (184, "scores"), (230, "heads"), (281, "y")):
        letters(ax, left, 168, "".join(layer.axes(name)), pitch=9.5)
    for start, end in (((74, 68), (88, 34)), ((74, 82), (88, 82)), ((74, 96), (88, 130)), ((140, 28), (162, 44))):
        arrow(ax, start, end)
    for start, end in (((140, 78), (162, 66)), ((140, 138), (208, 116)), ((200, 78), (212, 92)), ((240, 104), (252, 100))):
        arrow(ax, start, end)


@picture(
    "chapters/02-boxes-and-grids",
    "Six matrices, two rows for the sentences and three columns for the heads. One matrix is enlarged: its cells hold the "
    "places of its numbers in memory, and one cell is framed.",
)
def boxes_and_grids(ax: Axes) -> None:
    B, H, L, D = 2, 3, 5, 4
    places = split_heads(torch.arange(B * L * H * D).view(B, L, H * D), H)
    colours = tinted(hue("less"), 0.08 + 0.85 * places / places.numel())
    b, h, i, d = 1, 2, 3, 0
    for sentence_ in range(B):
        say(ax, 14, 60 + 70 * sentence_, f"b={sentence_}", AXES["B"].light, fontweight="bold")
        for head in range(H):
            cells(ax, colours[sentence_, head], 32 + 48 * head, 32 + 70 * sentence_, 10, high=11)
    for head in range(H):
        say(ax, 52 + 48 * head, 18, f"h={head}", AXES["H"].light, fontweight="bold")
    frame(ax, 32 + 48 * h, 32 + 70 * b, 40, 55, AXES["H"].light)
    left, top, wide, high = 206.0, 40.0, 27.0, 22.0
    cells(ax, tinted(hue("less"), 0.1 + 0.3 * (places[b, h] - 60) / 60), left, top, wide, high=high)
    for row in range(L):
        for column in range(D):
            say(ax, left + (column + 0.5) * wide, top + (row + 0.5) * high, str(int(places[b, h, row, column])), size=10)
    frame(ax, left + d * wide, top + i * high, wide, high)
    letters(ax, left + D * wide / 2, top - 14, "D")
    letters(ax, left - 11, top + L * high / 2, "L")
    arrow(ax, (173, 128), (192, 110))
    say(ax, left + D * wide / 2, 166, f"[{b}, {h}, {i}, {d}]", family="monospace")


@picture(
    "chapters/03-view-vs-permute",
    "Rows of numbers in three colours, one for each head. On the left, view and permute give each head the numbers of one "
    "colour. On the right, view alone gives each head numbers of all three.",
)
def view_vs_permute(ax: Axes) -> None:
    B, H, L, D = 1, 3, 5, 4
    source = (torch.arange(H * D) // D).expand(B, L, H * D).contiguous()
    cells(ax, HEADS[source[0]], 106, 8, 9, high=10)
    say(ax, 98, 33, "x", ha="right")
    for left, heads, name, mark in (
        (12, split_heads(source, H), "view, permute", "✓"),
        (184, source.view(B, H, L, D), "view alone", "✗"),
    ):
        for h in range(H):
            cells(ax, HEADS[heads[0, h]], left + 44 * h, 90, 9, high=10)
        say(ax, left + 62, 160, f"{mark}  {name}")
    arrow(ax, (128, 62), (92, 82))
    arrow(ax, (192, 62), (228, 82))
