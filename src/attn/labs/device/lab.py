"""DeviceLab: one layer on several devices: which device holds what, what must be sent, and how many bytes."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

import traitlets

from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.lessons.devices.costs import Sizes, held, messages
from attn.shapes import ShapeError, check_groups, divisors
from attn.trace.table import as_shape, table

__all__ = ["DeviceLab"]

E = 16
BYTES = 4  # of a float32 number
CUTS = ("B", "H", "L", "E")


class DeviceLab(Lab):
    """A layer without biases and its input on N devices, cut along one axis.

    cut: "B" (sequences), "H" (heads), "L" (tokens) or "E" (components of a token). N: devices. B: sequences, L: tokens of each, H:
    heads, a divisor of E = 16, G: key/value heads, a divisor of H. training: whether the backward pass counts, too. pin: the device
    that is described, None for none; if there is no such device, the last one is meant. covered: what a cut sends is left to guess
    until it is sent, or until the layer is another one. step: how much of what happens is shown: 0 what the devices get, 1 what
    they compute alone, then what each round of sending brings; None for all.

    After any change, `lab.fits` says of each cut whether the devices can have equal parts, `lab.bytes` how many bytes each device
    then sends in this layer, in float32 (None if they cannot). For the chosen cut `lab.messages` are the messages, and `lab.local`
    the shapes of what a device holds, `lab.held` its numbers (both empty or 0 if the devices cannot have equal parts). The formulas
    are those of `attn.lessons.devices`.

    A value outside LIMITS raises traitlets.TraitError; an H that does not divide 16, or a G that does not divide H, ShapeError.
    """

    QUESTION = "One layer on several devices: what must they send?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("cut batch", {"cut": "B"}),
        ("cut heads", {"cut": "H"}),
        ("cut tokens", {"cut": "L"}),
        ("cut width", {"cut": "E"}),
    )
    CONTROLS = ("N", "G", "training", "H", "B", "L")
    STATE = ("cut", "N", "B", "L", "H", "G", "training")
    VIEW = ("pin", "covered", "step")
    LIMITS: ClassVar[Limits] = {"N": (1, 4), "B": (1, 4), "L": (1, 12), "H": (1, 8), "G": (1, 8), "pin": (0, 3), "step": (0, 15)}
    PAGE_LIMITS: ClassVar[Limits] = LIMITS

    cut = traitlets.Enum(CUTS, "H").tag(sync=True)
    N = Size(4).tag(sync=True)
    B = Size(4).tag(sync=True)
    L = Size(12).tag(sync=True)
    H = Size(8).tag(sync=True)
    G = Size(4).tag(sync=True)
    training = traitlets.Bool(False).tag(sync=True)
    pin = Size(None, allow_none=True).tag(sync=True)
    covered = traitlets.Bool(False).tag(sync=True)
    step = Size(None, allow_none=True).tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        H, G = state["H"], state["G"]
        if E % H:
            raise ShapeError(f"E = {E} is not a multiple of H = {H}. Heads have equal width, so H can be {divisors(E)}.")
        if "G" in changed:
            check_groups(H, G)
        return state | {"G": max(n for n in divisors(H) if n <= G)}

    def compute(self) -> Mapping[str, Any]:
        sizes = Sizes(self.B, self.L, E, self.H, self.G, E // self.H)
        fits = {cut: self._fits(cut) for cut in CUTS}
        sent = {cut: sum(one.sent for one in messages(cut, sizes, self.N, self.training)) for cut in CUTS}
        here = fits[self.cut]
        return {
            "fits": fits,
            "bytes": {cut: BYTES * sent[cut] if fits[cut] else None for cut in CUTS},
            "messages": [asdict(one) for one in messages(self.cut, sizes, self.N, self.training)] if here else [],
            "local": self._local() if here else {},
            "held": sum(n for name, n in held(self.cut, sizes, self.N).items() if name != "scores") if here else 0,
        }

    def _fits(self, cut: str) -> bool:
        """Whether all devices have equally many whole sequences, heads, tokens or components."""
        if cut == "H":
            return self.H % self.N == 0 and (self.G % self.N == 0 or self.N % self.G == 0)
        return {"B": self.B, "L": self.L, "E": E}[cut] % self.N == 0

    def _local(self) -> dict[str, list[int]]:
        """The shapes of what a device holds. W_QKV and W_O are stored as nn.Linear does, (out, in)."""
        D = E // self.H
        b, h, n, e = (
            size // self.N if self.cut == cut else size for cut, size in zip(CUTS, (self.B, self.H, self.L, E), strict=True)
        )
        g = max(1, self.G // self.N) if self.cut == "H" else self.G
        return {
            "x": [b, n, e],
            "W_QKV": [(h + 2 * g) * D, e],
            "q": [b, h, n, D],
            "k": [b, g, n, D],
            "v": [b, g, n, D],
            "W_O": [e, h * D],
            "y": [b, n, e],
        }

    def fallback(self) -> str:
        names = {"B": "sequences", "H": "heads", "L": "tokens", "E": "components of every token"}
        shown = {cut: sent for cut, sent in self.bytes.items() if cut == self.cut or not self.covered}
        rows = [[f"{cut}: {names[cut]}", "unequal parts" if sent is None else f"{sent:,.0f}"] for cut, sent in shown.items()]
        shapes = ", ".join(f"{name} {as_shape(shape)}" for name, shape in self.local.items())
        mode = "forward and backward" if self.training else "forward"
        devices = f"{self.N} device{'s' if self.N > 1 else ''}"
        return (
            f"<p>A layer with B = {self.B}, L = {self.L}, E = {E}, H = {self.H} and G = {self.G} on {devices}. In one layer "
            f"each device sends, {mode}:</p>{table(['cut', 'bytes'], rows).html()}"
            f"<p>Cut along {self.cut}, {f'each device holds {shapes}' if shapes else 'the devices cannot have equal parts'}.</p>"
        )
