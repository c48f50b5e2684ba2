"""The picture of the chapter on hardware: one tile of scores is there, those before it are gone."""

import numpy as np
from card_canvas import box, cells, frame, picture, say, signed
from matplotlib.axes import Axes

from attn.labs import TileLab
from attn.plots.paper import MUTED
from attn.shapes import AXES


@picture(
    "chapters/16-einsum-to-hardware",
    "A grid of scores, of which one tile of two by two has colours, framed. Two rows of q on its left and two columns of k"
    " above it are framed, too. Tiles before it are dots, those after it are empty. On the right are the first output rows.",
)
def tiles(ax: Axes) -> None:
    lab = TileLab()
    size, left, top = 15.0, 128.0, 84.0
    scores = lab.q @ lab.k.mT / lab.D**0.5
    first, last = 2, 4  # the tile that is there: queries 2 and 3, keys 4 and 5
    for i in range(lab.L):
        for j in range(lab.S):
            x, y = left + j * size, top + i * size
            if i < first or (i < last and j < 4):
                ax.scatter([x + size / 2], [y + size / 2], s=4, color=[MUTED], lw=0)
            elif not (first <= i < last and 4 <= j < 6):
                box(ax, x + 0.5, y + 0.5, size - 1, size - 1, edge=MUTED, line=0.4)
    cells(ax, signed(scores[first:last, 4:6]), left + 4 * size, top + first * size, size)
    here = np.ones((lab.L, 1, 1))
    here[[n for n in range(lab.L) if not first <= n < last]] = 0.3
    for values, x, y, fade in (
        (lab.q, left - 5 * size, top, here),
        (lab.k.mT, left, top - 5 * size + 8, np.where(np.isin(np.arange(lab.S), (4, 5)), 1, 0.3)[None, :, None]),
    ):
        colours = signed(values)
        cells(ax, np.concatenate([colours[..., :3], colours[..., 3:] * fade], -1), x, y, size)
    cells(ax, signed(lab.out[:first]), left + 8 * size, top, size)
    frame(ax, left + 4 * size, top + first * size, 2 * size, 2 * size)
    frame(ax, left - 5 * size, top + first * size, 4 * size, 2 * size)
    frame(ax, left + 4 * size, top - 5 * size + 8, 2 * size, 4 * size)
    say(ax, left - 3 * size, top - 9, "q", AXES["L"].light)
    say(ax, left - 12, top - 40, "k", AXES["S"].light)
    say(ax, left + 10 * size, top - 9, "output")
