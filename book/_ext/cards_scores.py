"""The pictures of part II: how scores and weights are computed."""

import math
from itertools import pairwise

import numpy as np
import torch
from card_canvas import arrow, box, cells, frame, hue, letters, line, picture, say, signed, tinted
from cards_layer import ANSWER, ASKS, WHAT, WORDS, steps
from matplotlib.axes import Axes

from attn import masks
from attn.lessons.reader import HEADS
from attn.plots.paper import MUTED
from attn.shapes import AXES


@picture(
    "chapters/04-why-qkv",
    "The vector of one word goes through three matrices and becomes three short vectors: a query, a key and a value.",
)
def why_qkv(ax: Axes) -> None:
    layer = steps()
    n = ASKS
    most = float(layer.x.abs().max())
    cells(ax, signed(layer.x[0, n : n + 1], most), 12, 82, 8.5, high=18)
    say(ax, 63, 70, WORDS[n], AXES["L"].light)
    meanings = {"q": "what it looks for", "k": "what it is known by", "v": "what it passes on"}
    for row, (name, meaning) in enumerate(meanings.items()):
        top = 20 + 62 * row
        arrow(ax, (118, 91), (160, top + 9))
        say(ax, 140 - 12 * (row != 1), (52, 82, 134)[row], f"$W_{name.upper()}$", size=12)
        cells(ax, signed(getattr(layer, name)[0, WHAT, n : n + 1], most), 168, top, 9, high=18)
        say(ax, 211, top + 1, name, ha="left", fontweight="bold")
        say(ax, 211, top + 16, meaning, MUTED, ha="left")


@picture(
    "chapters/05-why-k-transpose",
    "The queries lie at the lower left and the transposed keys at the upper right. Both have an edge D, and lines join "
    "these edges. The scores lie where rows and columns cross; one score, its row and its column are framed.",
)
def why_k_transpose(ax: Axes) -> None:
    layer = steps()
    q, k = layer.q[0, WHAT], layer.k[0, WHAT]
    L, D = q.shape
    i, s, size, gap = ASKS, ANSWER, 16.0, 9.0
    left, top = 88.0, 4.0
    x, y = left + D * size + gap, top + D * size + gap
    cells(ax, signed(q), left, y, size)
    cells(ax, signed(k.T), x, top, size)
    cells(ax, signed(q @ k.T), x, y, size)
    for d in range(D):
        at = (left + (d + 0.5) * size, top + (d + 0.5) * size)
        line(ax, [(at[0], y - 2), at, (x - 2, at[1])], AXES["D"].light)
    for place in (
        (left, y + i * size, D * size, size),
        (x + s * size, top, size, D * size),
        (x + s * size, y + i * size, size, size),
    ):
        frame(ax, *place)
    letters(ax, left - 8, top + 6, "D")
    for n, word in enumerate(WORDS):
        say(ax, left - 6, y + (n + 0.5) * size, word, AXES["L"].light, ha="right")
    say(ax, x + L * size + 8, top + D * size / 2, "kᵀ", ha="left")
    say(ax, x + L * size + 8, y + (i + 0.5) * size, f"{float(q[i] @ k[s]):.1f}".replace("-", "−"), ha="left", fontweight="bold")
    say(ax, left + D * size / 2, y + L * size + 8, "q")
    say(ax, x + L * size / 2, y + L * size + 8, "scores")


@picture(
    "chapters/06-summation-dimension",
    "The letters of q, of k and of the scores in columns. B and H go through all three rows, L and S through two, and D "
    "ends in a sum.",
)
def summation_dimension(ax: Axes) -> None:
    layer = steps()
    shapes = {name: dict(zip(layer.axes(name), getattr(layer, name).shape, strict=True)) for name in ("q", "k", "scores")}
    columns = {letter: 88 + 50 * n for n, letter in enumerate("BHLSD")}
    rows = {"q": 28, "k": 84, "scores": 148}
    for letter, x in columns.items():
        colour = AXES[letter].light
        at = [rows[name] for name in rows if letter in shapes[name]]
        if letter == "D":
            at.append(rows["scores"])
        for start, end in pairwise(at):
            line(ax, [(x, start + 17), (x, end - 17 + 3 * (letter == "D" and end == at[-1]))], colour, lw=2)
    for name, y in rows.items():
        say(ax, 62, y, name, ha="right")
        for letter, size in shapes[name].items():
            x = columns[letter]
            box(ax, x - 13, y - 16, 26, 32, edge=AXES[letter].light, radius=5, line=1.4)
            say(ax, x, y - 5, letter, AXES[letter].light, 12, fontweight="bold")
            say(ax, x, y + 8, str(size), size=11)
    say(ax, columns["D"], rows["scores"], "Σ", AXES["D"].light, 22)


@picture(
    "chapters/07-sqrt-dk",
    "Histograms of random scores for D = 4, 16 and 64. The scores on the left become wider with D. On the right they are "
    "divided by √D and equally wide.",
)
def sqrt_dk(ax: Axes) -> None:
    draws = torch.Generator().manual_seed(0)
    for row, D in enumerate((4, 16, 64)):
        q, k = torch.randn(2, 20_000, D, generator=draws)
        scores = (q * k).sum(-1)
        base = 66 + 50 * row
        say(ax, 8, base - 10, f"D = {D}", AXES["D"].light, ha="left", fontweight="bold")
        for left, width, values, reach in ((62, 148, scores, 22.0), (232, 76, scores / math.sqrt(D), 4.5)):
            density, edges = np.histogram(values, np.linspace(-reach, reach, 46), density=True)
            x = left + (edges[:-1] + edges[1:] + 2 * reach) / (4 * reach) * width
            tall = density / density.max() * (34 if left == 62 else 30)
            ax.fill_between(x, base, base - tall, color=hue("less"), alpha=0.75, lw=0)
            line(ax, [(left, base), (left + width, base)], lw=0.8)
    say(ax, 136, 16, "q · k")
    say(ax, 270, 16, "q · k / √D")


@picture(
    "chapters/08-softmax",
    "A row of scores becomes a row of bars, the weights. Laid end to end the bars are as long as the whole row: they sum to 1.",
)
def softmax(ax: Axes) -> None:
    layer = steps()
    n, h = WORDS.index("gold"), HEADS.index("who")  # it asks nothing, so its weights are spread
    scores, weights = layer.scaled[0, h, n], layer.weights[0, h, n]
    left, wide, base = 62.0, 246 / len(WORDS), 128.0
    cells(ax, signed(scores[None], 4), left, 30, wide, high=22)
    start = left
    for s, word in enumerate(WORDS):
        x, tall = left + (s + 0.5) * wide, 58 * float(weights[s])
        say(ax, x, 16, word, AXES["S"].light)
        say(ax, x, 41, f"{float(scores[s]):.1f}".replace("-", "−"))
        box(ax, x - 11, base - tall, 22, max(tall, 1), face=hue("less"), radius=1.5)
        say(ax, x, base - tall - 8, f"{float(weights[s]):.2f}")
        length = 246 * float(weights[s])
        box(ax, start, 146, length - 1, 16, face=hue("less"), radius=1)
        start += length
    line(ax, [(left, base), (left + 246, base)], lw=0.8)
    say(ax, 54, 41, "scores", ha="right")
    say(ax, 54, base - 10, "weights", ha="right")
    say(ax, 54, 154, "sum = 1", ha="right")


@picture(
    "chapters/09-masks",
    "Three masks, a row for each query and a column for each key. A filled cell is a key that the query may attend to: no "
    "later keys in the causal mask, no padding at the end in the second, only near keys in the window.",
)
def who_may_look_where(ax: Axes) -> None:
    L, size = 7, 12.0
    causal = masks.causal(L)
    kinds = {
        "causal": causal,
        "padding": masks.padding([5], L)[0, 0].expand(L, L),
        "window": causal & masks.window(L, width=3),
    }
    for n, (name, mask) in enumerate(kinds.items()):
        left, top = 22 + 100 * n, 42
        cells(ax, tinted(hue("less"), 0.12 + 0.75 * mask.double()), left, top, size)
        say(ax, left + L * size / 2, top + L * size + 16, name)
        letters(ax, left + L * size / 2, top - 11, "S")
        letters(ax, left - 9, top + L * size / 2, "L")
