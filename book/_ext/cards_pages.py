"""The pictures of the pages that are not chapters. They are shown where a link to a page is shared."""

from card_canvas import cells, picture, say, shares
from cards_layer import WORDS, steps
from matplotlib.axes import Axes

from attn.lessons.reader import HEADS
from attn.shapes import AXES


@picture(
    "book/index",
    "The attention weights of three heads, who, what and when, a matrix for each: a row for each query and a column for each key.",
)
def three_heads(ax: Axes) -> None:
    layer = steps()
    size = 84 / len(WORDS)
    for h, weights in enumerate(layer.weights[0]):
        left, top = 40 + 90 * h, 52
        cells(ax, shares(weights), left, top, size)
        say(ax, left + 42, top + 100, HEADS[h], AXES["H"].light, fontweight="bold")
        for n, word in enumerate(WORDS):
            at = left + (n + 0.5) * size
            say(ax, at, top - 4, word, AXES["S"].light, 10, rotation=55, ha="left", va="bottom", rotation_mode="anchor")
    for n, word in enumerate(WORDS):
        say(ax, 36, 52 + (n + 0.5) * size, word, AXES["L"].light, 10, ha="right")


@picture("book/notation", "The seven letters of the axes, each in its colour, with what it counts.")
def seven_letters(ax: Axes) -> None:
    for n, (letter, axis) in enumerate(AXES.items()):
        y = 22 + 23 * n
        say(ax, 24, y, letter, axis.light, 15, fontweight="bold")
        say(ax, 46, y, axis.meaning.partition(";")[0].partition(",")[0], ha="left", size=12)
