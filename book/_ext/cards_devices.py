"""The picture of the chapter on many devices: heads that are shared among devices, and what goes around."""

from card_canvas import arrow, box, picture, say
from matplotlib.axes import Axes

from attn.layer import MultiHeadAttention
from attn.lessons.devices import own_heads
from attn.plots.paper import INDEX_COLOURS, MUTED


@picture(
    "chapters/17-many-devices",
    "A layer whose heads have four colours. Four devices around a ring have the heads of one colour each, and a part of y. Arrows "
    "lead from each device to the next.",
)
def many_devices(ax: Axes) -> None:
    layer = MultiHeadAttention(16, 8, G=4, device="meta")
    size, high = 3.2, 62.0
    colours = [INDEX_COLOURS[n] for n in (0, 1, 2, 3)]
    counts = {"q": layer.H * layer.D, "k": layer.G * layer.D, "v": layer.G * layer.D}
    left = 8.0
    for name, count in counts.items():
        share = count // 4
        for rank, colour in enumerate(colours):
            box(ax, left + rank * share * size, 62, share * size - 0.8, high, face=colour, radius=1)
        say(ax, left + count * size / 2, 50, name)
        left += count * size + 4
    arrow(ax, (left + 2, 93), (left + 20, 93))
    places = [(178, 26), (258, 26), (258, 108), (178, 108)]
    for rank, (x, y) in enumerate(places):
        own = own_heads(layer, rank, 4)  # how many numbers wide its queries, keys and values are
        box(ax, x, y, 54, 46, edge=MUTED, radius=4)
        at = x + 6.0
        for count in (own.H * own.D, own.G * own.D, own.G * own.D):
            box(ax, at, y + 8, count * size - 0.8, 30, face=colours[rank], radius=1)
            at += count * size + 1.5
    for start, end in (((234, 49), (256, 49)), ((285, 74), (285, 106)), ((256, 131), (234, 131)), ((205, 106), (205, 74))):
        arrow(ax, start, end)
    say(ax, 245, 94, "y", size=13)
