"""CostLab: what a model costs, part by part, what fits into which memory, and how many tokens per second are possible at best."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import traitlets

from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.lessons import costs
from attn.shapes import check_groups, divisors
from attn.trace.table import table

__all__ = ["CostLab"]

OWN = ("layers", "E", "H", "G", "D")  # the sizes that a reader may change


class CostLab(Lab):
    """The parameters of a decoder, and the operations, the bytes and the least time of one of its steps.

    model: a name in `attn.lessons.costs.MODELS`. layers, E, H, G, D: other sizes than this model has; None: as it has. If E
    changes, the width of the MLP changes in proportion. If H changes and G does not, as many query heads share a key/value head as
    before, if that is possible. B: sequences. S: tokens in each of them. phase: "decoding" computes one new token of each sequence,
    whose S - 1 others are in the cache; "prefill" computes all S at once. dtype: of all numbers that are stored, "float32",
    "bfloat16" or "int8". device: a name in `attn.lessons.costs.DEVICES`.

    After any change these are the results:

    - `lab.sizes`: the sizes of the model, `lab.parameters`: by part.
    - `lab.flops` and `lab.moved`: the operations and the least bytes of a step, by part. See `attn.lessons.costs`.
    - `lab.needed`: bytes of all "parameters" and of the "cache".
    - `lab.seconds`: the least for "arithmetic" and for "memory". `lab.rate`: tokens per second if a step takes the longer one.
    - `lab.turning`: the batch from which on decoding waits for arithmetic; None if there is none.

    A value outside LIMITS raises traitlets.TraitError; G that does not divide H raises ShapeError.
    """

    QUESTION = "A step is one pass through the model: what does it wait for?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("one token", {"B": 1, "S": 4096, "phase": "decoding"}),
        ("64 sequences at once", {"B": 64, "S": 4096, "phase": "decoding"}),
        ("a cache 32 times as long", {"B": 1, "S": 131072, "phase": "decoding"}),
        ("read a prompt", {"B": 1, "S": 4096, "phase": "prefill"}),
    )
    PARTS = ("clocks", "rate", "memory")
    CONTROLS = ("B", "S", "model", "device", "phase", "dtype", *OWN)
    STATE = ("model", *OWN, "B", "S", "phase", "dtype", "device")
    LIMITS: ClassVar[Limits] = {
        **{"layers": (1, 1000), "E": (8, 65536), "H": (1, 1024), "G": (1, 1024), "D": (1, 1024)},
        **{"B": (1, 1 << 20), "S": (1, 1 << 24)},
    }
    PAGE_LIMITS = LIMITS

    model = traitlets.Enum(tuple(costs.MODELS), "Llama 3 8B").tag(sync=True)
    layers = Size(None, allow_none=True).tag(sync=True)
    E = Size(None, allow_none=True).tag(sync=True)
    H = Size(None, allow_none=True).tag(sync=True)
    G = Size(None, allow_none=True).tag(sync=True)
    D = Size(None, allow_none=True).tag(sync=True)
    B = Size(1).tag(sync=True)
    S = Size(4096).tag(sync=True)
    phase = traitlets.Enum(("decoding", "prefill"), "decoding").tag(sync=True)
    dtype = traitlets.Enum(tuple(costs.BYTES), "bfloat16").tag(sync=True)
    device = traitlets.Enum(tuple(costs.DEVICES), "H100 SXM").tag(sync=True)

    def compute(self) -> Mapping[str, Any]:
        sizes, number, device = self._sizes(), costs.BYTES[self.dtype], costs.DEVICES[self.device]
        new = 1 if self.phase == "decoding" else self.S
        parameters = costs.parameters_of(sizes)
        flops = costs.flops_of(sizes, new, self.S, self.B)
        moved = costs.moved_bytes(sizes, self.S, self.B, number)
        seconds = costs.least_seconds(device, sum(flops.values()), sum(moved.values()), self.dtype)
        return {
            "sizes": vars(sizes),
            "parameters": parameters,
            "flops": flops,
            "moved": moved,
            "needed": {"parameters": sum(parameters.values()) * number, "cache": moved["cache"]},
            "seconds": seconds,
            "rate": self.B * new / max(seconds.values()),
            "turning": costs.turning_batch(sizes, self.S, device, self.dtype),
        }

    def _sizes(self) -> costs.Sizes:
        """Those of the model, with what was changed."""
        of = costs.MODELS[self.model]
        E, H = self.E or of.E, self.H or of.H
        G = self.G or max(n for n in divisors(H) if n <= max(1, H * of.G // of.H))
        check_groups(H, G)
        return replace(of, layers=self.layers or of.layers, E=E, H=H, G=G, D=self.D or of.D, F=of.F * E // of.E)

    def fallback(self) -> str:
        rows = []
        for name, of in {"parameters": self.parameters, "operations of a step": self.flops, "bytes moved": self.moved}.items():
            whole = sum(of.values())
            rows.append([name, f"{whole:,}", *(f"{of.get(part, 0) / whole:.1%}" for part in _PARTS)])
        needed = f"{sum(self.needed.values()) / 1e9:.1f} GB"
        longer = max(self.seconds, key=lambda what: self.seconds[what])
        memory, arithmetic = (f"{1e3 * self.seconds[what]:.2g} ms" for what in ("memory", "arithmetic"))
        batch = "1 sequence" if self.B == 1 else f"{self.B:,} sequences"
        return (
            f"<p>{self.model}, {self.phase}, {batch} of {self.S:,} tokens, numbers in {self.dtype}:</p>"
            f"{table(('', 'total', *_PARTS.values()), rows).html()}"
            f"<p>Parameters and cache need {needed}. By its data sheet {self.device} takes {memory} to move the bytes and "
            f"{arithmetic} to compute. So a step waits for {longer}: at best {self.rate:,.0f} tokens per second.</p>"
        )


# The parts that the fallback lists, and their titles.
_PARTS = {
    "attention": "attention matrices",
    "scores": "scores and sums",
    "mlp": "MLP",
    "embeddings": "embeddings",
    "output": "output matrix",
    "norms": "norms",
    "cache": "KV cache",
}
