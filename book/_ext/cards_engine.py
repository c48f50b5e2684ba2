"""The pictures of part IV: what attention costs, where it runs, and what it is compared with."""

import torch
from card_canvas import box, hue, line, picture, say
from matplotlib.axes import Axes

from attn.labs import ReachLab
from attn.lessons import costs
from attn.plots.paper import MUTED, PAPER


@picture(
    "chapters/15-counting",
    "Two stacks of bytes that a step reads. For one sequence: the parameters, and a thin layer of cache. For 64 sequences: the same"
    " parameters, and 64 layers of cache, which are more than twice as high.",
)
def counting(ax: Axes) -> None:
    of = costs.MODELS["Llama 3 8B"]
    scale, base, wide = 2.35e-9, 140.0, 62.0  # points per byte; where the stacks begin
    for x, B in ((96, 1), (206, 64)):
        moved = costs.moved_bytes(of, 4096, B)
        cache = moved.pop("cache") * scale
        high = sum(moved.values()) * scale
        box(ax, x, base - high, wide, high, face=hue("less"), radius=0)
        for n in range(B):
            box(ax, x, base - high - cache * (n + 1) / B, wide, 0.8 * cache / B, face=hue("more"), radius=0)
        say(ax, x + wide / 2, base + 17, f"{B} sequence{'s' * (B > 1)}")
        say(ax, x + wide / 2, base - high - cache - 10, f"{(sum(moved.values()) + cache / scale) / 1e9:.1f} GB")
    say(ax, 88, base - 18, "parameters", ha="right")
    say(ax, 88, base - 44, "caches", ha="right")


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
