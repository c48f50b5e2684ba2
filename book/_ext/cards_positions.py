"""The picture of the chapter about positions: hands of clocks that turn together."""

import math

from card_canvas import hue, line, picture, say, tinted
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Wedge

from attn.labs import RopeLab
from attn.plots.paper import MUTED
from attn.shapes import AXES


@picture(
    "chapters/18-positions",
    "Four clocks, each with a hand of a query and a hand of a key, and the angle between them. Below, the same clocks 100 "
    "positions later: all hands stand elsewhere, the angles between them are the same, and so is the score.",
)
def positions(ax: Axes) -> None:
    radius, longest = 26.0, 0.0
    rows = [RopeLab(query=query, key=key) for query, key in ((5, 2), (105, 102))]
    for lab in rows:
        pairs = [(vector[d].item(), vector[d + 4].item()) for d in range(4) for vector in (lab.q, lab.k)]
        longest = max(longest, *(math.hypot(*pair) for pair in pairs))
    for n, lab in enumerate(rows):
        y = 50 + 82 * n
        say(ax, 28, y - 8, f"q at {lab.query}", AXES["L"].light, size=11)
        say(ax, 28, y + 8, f"k at {lab.key}", AXES["S"].light, size=11)
        for d, term in enumerate(lab.terms.tolist()):
            x = 88 + 58 * d
            ends = []
            for vector, colour in ((lab.turned_k, AXES["S"].light), (lab.turned_q, AXES["L"].light)):
                a, b = vector[d].item(), vector[d + 4].item()
                scale = radius / longest
                ends.append((math.degrees(math.atan2(-b, a)), (x + scale * a, y - scale * b), colour))
            turn = (ends[1][0] - ends[0][0] + 180) % 360 - 180
            first, last = sorted((ends[0][0], ends[0][0] + turn))
            ax.add_patch(Circle((x, y), radius, facecolor="none", edgecolor=MUTED, lw=0.8))
            face = tinted(hue("less" if term < 0 else "more"), [0.5])[0]
            ax.add_patch(Wedge((x, y), 0.5 * radius, first, last, facecolor=face, lw=0))
            for _, end, colour in ends:
                line(ax, [(x, y), end], colour, lw=2)
        say(ax, 302, y, f"{lab.score:.2f}", size=11)
    say(ax, 302, 91, "score", MUTED, size=10)
