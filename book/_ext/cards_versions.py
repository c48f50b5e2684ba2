"""The picture of chapter 14: what implementations return that have the same weights."""

import torch
from card_canvas import cells, frame, picture, say, signed
from cards_layer import steps
from matplotlib.axes import Axes

from attn.lessons.implementations import versions
from attn.lessons.reader import recorded


@picture(
    "chapters/14-implementations",
    "A row of twelve coloured cells for each of six implementations, all given the same weights and the same mask. Five rows are "
    "equal. The fourth, framed, has other colours.",
)
def implementations(ax: Axes) -> None:
    layer, x = recorded().layer, steps().x
    L = x.shape[1]
    keep = torch.ones(L, L, dtype=torch.bool).tril()
    names = ("composed of calls", "PyTorch's SDPA", "four linear layers", "packed projections", "nn.MultiheadAttention")
    with torch.no_grad():
        rows = {one.name: one.call(x, keep)[0, 3] for one in versions(layer) if one.name in names}
        rows["attn"] = layer(x, mask=keep)[0, 3]
    most = max(float(row.abs().max()) for row in rows.values())
    left, top, size, high = 148.0, 20.0, 13.8, 20.0
    for n, (name, row) in enumerate(rows.items()):
        y = top + n * (high + 4)
        say(ax, left - 8, y + high / 2, name, ha="right", size=11)
        cells(ax, signed(row[None], most), left, y, size, high=high)
        if name == "packed projections":
            frame(ax, left, y, 12 * size, high)
