"""The pictures of part III: what the weights are for, and what training changes."""

import numpy as np
import torch
from card_canvas import HEADS, box, cells, hue, line, picture, say, shares, signed, tinted
from cards_layer import WORDS, steps
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from attn import KVCache, attention_steps
from attn.lessons import TinyTransformer, tasks
from attn.lessons.reader import recorded
from attn.plots.paper import MUTED, as_array
from attn.shapes import AXES


@picture(
    "chapters/10-weighted-sum",
    "The values of four words as corners of an area, each with a circle as large as its weight. Their weighted sum lies "
    "inside the area.",
)
def weighted_sum(ax: Axes) -> None:
    corners = torch.tensor([[58.0, 128.0], [104.0, 30.0], [236.0, 44.0], [262.0, 140.0]])
    v = corners[None, None]
    q, k = torch.tensor([[[[1.0, 0.0]]]]), torch.tensor([[[[0.2, 0.0], [0.9, 0.0], [2.2, 0.0], [0.7, 0.0]]]])
    heads = attention_steps(q, k, v)
    (weights,), ((x, y),) = heads.weights[0, 0].tolist(), heads.out[0, 0].tolist()
    ax.add_patch(Polygon(corners.numpy(), facecolor=tinted(hue("less"), np.array([0.14]))[0], edgecolor=MUTED, lw=0.8))
    for n, ((left, top), weight) in enumerate(zip(corners.tolist(), weights, strict=True)):
        line(ax, [(left, top), (x, y)], hue("less"), lw=0.8 + 6 * weight)
        ax.scatter([left], [top], s=(8 + 34 * weight) ** 2, color=[hue("less")], zorder=3, lw=0)
        say(ax, left, top + (24 if top > 90 else -17), f"{weight:.2f} v{'₀₁₂₃'[n]}")
    ax.scatter([x], [y], s=150, color=[hue("more")], zorder=4, lw=0)
    say(ax, x - 2, y + 20, "output")


@picture(
    "chapters/11-concat-and-wo",
    "The heads of each word lie side by side in three colours. The matrix W_O has three bands of rows in the same colours. "
    "Their product is y, a row for each word.",
)
def concat_and_wo(ax: Axes) -> None:
    layer = steps()
    L, H, D = len(WORDS), 3, 4
    size, high = 7.6, 11.0
    top = 88 - L * high / 2
    owner = np.repeat(HEADS, D, 0)  # the colour of each row of W_O, and of each column of the heads side by side
    matrix = recorded().layer.W_O_heads.flatten(0, 1)
    for values, hues, left, up, tall in (
        (layer.concat[0], np.broadcast_to(owner, (L, H * D, 3)), 4, top, high),
        (matrix, np.broadcast_to(owner[:, None], (H * D, H * D, 3)), 114, 88 - 6 * size, size),
    ):
        strength = np.abs(as_array(values))
        cells(ax, np.concatenate([hues, 0.35 + 0.65 * (strength / strength.max())[..., None]], -1), left, up, size, high=tall)
    cells(ax, signed(layer.y[0]), 225, top, size, high=high)
    for x, word in ((104, "×"), (215, "=")):
        say(ax, x, 87, word, size=15)
    for h in range(H):
        say(ax, 4 + (h + 0.5) * D * size, top - 10, f"h={h}", AXES["H"].light)
    say(ax, 4 + 6 * size, top + L * high + 14, "heads")
    say(ax, 114 + 6 * size, 88 + 6 * size + 14, "$W_O$", size=12)
    say(ax, 225 + 6 * size, top + L * high + 14, "y")


@picture(
    "chapters/12-kv-cache",
    "A column for each generated word. The stack of keys and values grows by one in each step: those from earlier steps are"
    " kept, one is new. Under each column there is a single query.",
)
def kv_cache(ax: Axes) -> None:
    cache = KVCache(1, 3, len(WORDS), 4)
    wide, size, base = 46.0, 16.0, 122.0
    for n, word in enumerate(WORDS):
        kept = len(cache)
        with torch.no_grad():
            recorded().layer(steps().x[:, n : n + 1], cache=cache)
        x = 82 + wide * n
        for s in range(len(cache)):
            face = (*hue("less"), 0.35) if s < kept else (*hue("more"), 1.0)
            box(ax, x - 17, base - (s + 1) * (size + 2), 34, size, face=face, radius=2)
        box(ax, x - 17, base + 10, 34, size, edge=AXES["L"].light, radius=2)
        say(ax, x, base + 44, word, AXES["L"].light)
    say(ax, 54, base - 10, "k, v", ha="right")
    say(ax, 54, base + 18, "q", ha="right")
    for y, name, face in ((26, "new", hue("more")), (46, "kept", (*hue("less"), 0.35))):
        box(ax, 66, y - 6, 18, 12, face=face, radius=2)
        say(ax, 90, y, name, ha="left")


@picture(
    "chapters/13-training",
    "The weights of one head before training, spread over all earlier words, and after it, on one bright line. Between them"
    " the loss falls with the steps of training.",
)
def training(ax: Axes) -> None:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = TinyTransformer(words=16, S_max=16, E=32, H=2)
        watched = torch.randperm(16)[:8].repeat(1, 2)
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
        losses, weights = [], []
        for step in range(151):
            if step in (0, 150):
                weights.append(model.steps(watched)[0].weights[0, 0].detach())
            loss = model.loss(*tasks.copying(64, 8, 16))
            losses.append(loss.item())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    size, top = 6.0, 36.0
    for left, name, of in ((6, "before", weights[0]), (218, "after", weights[1])):
        cells(ax, shares(of), left, top, size, gap=0.5)
        say(ax, left + 8 * size, 150, name)
    x = 118 + np.arange(len(losses)) / len(losses) * 84
    y = 126 - np.array(losses) / max(losses) * 78
    line(ax, list(zip(x, y, strict=True)), hue("more"), lw=2.2)
    line(ax, [(118, 44), (118, 130), (204, 130)], lw=0.9)
    say(ax, 161, 54, "loss")
    say(ax, 161, 150, "steps")
