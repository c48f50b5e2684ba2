"""The pictures of part IV: what attention costs, where it runs, and what it is compared with."""

import torch
from card_canvas import hue, line, picture, say
from matplotlib.axes import Axes

from attn.labs import ReachLab
from attn.plots.paper import MUTED, PAPER


@picture(
    "chapters/19-why-attention",
    "Three graphs over the same eight words. In an RNN a chain of eight edges leads from the first word to the last output. Of two"
    " convolutions no path begins at the first word. In attention one edge leads straight to the output.",
)
def why_attention(ax: Axes) -> None:
    lab = ReachLab(L=8, kernel=3, layers=2)
    tops = {"rnn": (16, 40), "convolution": (66, 112), "attention": (138, 164)}
    for (kind, (top, low)), name in zip(tops.items(), ("RNN", "convolutions", "attention"), strict=True):
        begun, ends = (getattr(lab, f"{kind}_{side}").cpu() for side in ("from", "back"))
        rows, path = len(begun) - 1, lab.counts[kind]["path"]

        def place(node: tuple[int, int], low: int = low, high: int = low - top, rows: int = rows) -> tuple[float, float]:
            return 112 + 24 * node[1], low - high * node[0] / rows

        for a, b in lab.edges(kind):
            carries = bool(begun[a] >= 0)
            shortest = carries and ends[b] >= 0 and int(begun[a]) + 1 + int(ends[b]) == path
            look = {"lw": 2.6 if shortest else 1.2 if carries else 0.5, "alpha": 1.0 if carries else 0.5}
            line(ax, [place(a), place(b)], hue("less") if carries else MUTED, **look)
        for node in torch.cartesian_prod(torch.arange(rows + 1), torch.arange(8)).tolist():
            carries = bool(begun[node[0], node[1]] >= 0)
            face, edge = (hue("less"), hue("less")) if carries else (PAPER, MUTED)
            mark = "o" if node[0] else "s"
            ax.scatter(*place(tuple(node)), s=26, marker=mark, facecolor=[face], edgecolor=[edge], zorder=3)
        say(ax, 98, (top + low) / 2, name, ha="right")
