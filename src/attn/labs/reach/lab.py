"""ReachLab: which tokens can change the last output, and in how many steps: an RNN, a stack of convolutions, self-attention."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import torch
from torch import Tensor

from attn.core import device
from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.trace.table import table

__all__ = ["KINDS", "ReachLab"]

KINDS = ("rnn", "convolution", "attention")
_NAMES = {"rnn": "RNN", "convolution": "convolutions", "attention": "self-attention"}
_MOST = 32
_START: Mapping[str, int] = {"L": 16, "kernel": 3, "layers": 4, "dilation": 1, "at": 0, "step": _MOST}

Edge = tuple[tuple[int, int], tuple[int, int]]  # from (row, position) to (row, position); row 0 holds the tokens


class ReachLab(Lab):
    """The graphs of three causal networks over the same tokens: an RNN layer, a stack of convolutions, a layer of self-attention.

    An edge leads from what is read to what is computed from it. A step computes every node whose inputs are there.

    L: the number of tokens. kernel: how many positions a convolution reads, its own and earlier ones. layers: the number of
    convolutions. dilation: the factor by which the distance between these positions grows from layer to layer: 1, 2, 4, ... for 2.
    E: the width of a token, for the number of multiplications. at: the token that is followed. step: how many steps are shown.

    After any change, for each kind ("rnn", "convolution", "attention"):

    - `lab.rnn_made` (rows + 1, L) and so on: in which step each node is computed; 0 for the tokens, which are row 0.
    - `lab.rnn_from` (rows + 1, L): the number of edges on the shortest path from token `at` to each node; -1 if there is none.
    - `lab.rnn_back` (rows + 1, L): the same from each node to the last output.
    - `lab.counts["rnn"]`: how many "edges" there are, "steps" until all is computed, tokens in "reach" of the last output, edges on
      the "path" from token `at` to it (None if there is none), and "multiplications".

    A value outside LIMITS raises traitlets.TraitError.
    """

    QUESTION = "Which tokens can change the last output, and in how many steps?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("run the race", _START),
        ("8 convolutions", {**_START, "layers": 8}),
        ("dilate: 1, 2, 4, 8", {**_START, "dilation": 2}),
        ("32 tokens", {**_START, "L": 32}),
    )
    PARTS = ("graph", "counts")
    CONTROLS = ("L", "kernel", "layers", "dilation", "at", "step", "E")
    STATE = ("L", "kernel", "layers", "dilation", "E", "at")
    VIEW = ("step",)
    LIMITS: ClassVar[Limits] = {
        **{"L": (2, _MOST), "kernel": (2, 5), "layers": (1, 8), "dilation": (1, 4)},
        **{"E": (1, 1024), "at": (0, _MOST - 1), "step": (0, _MOST)},
    }
    PAGE_LIMITS = LIMITS

    L = Size(16).tag(sync=True)
    kernel = Size(3).tag(sync=True)
    layers = Size(4).tag(sync=True)
    dilation = Size(1).tag(sync=True)
    E = Size(64).tag(sync=True)
    at = Size(0).tag(sync=True)
    step = Size(_MOST).tag(sync=True)

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        return state | {"at": min(state["at"], state["L"] - 1)}

    def compute(self) -> Mapping[str, Any]:
        results: dict[str, Any] = {"counts": {}}
        for kind in KINDS:
            edges = list(self.edges(kind))
            graph = self._adjacency(kind, edges)
            made, forth, back = _schedule(graph, self.L), _distances(graph, self.at), _distances(graph.mT, len(graph) - 1)
            for name, numbers in (("made", made), ("from", forth), ("back", back)):
                results[f"{kind}_{name}"] = numbers.view(-1, self.L)
            path = int(forth[-1])
            results["counts"][kind] = {
                "edges": len(edges),
                "steps": int(made.max()),
                "reach": int((back[: self.L] >= 0).sum()),
                "path": path if path >= 0 else None,
                "multiplications": self._multiplications(kind, len(edges)),
            }
        return results

    def edges(self, kind: str) -> Iterator[Edge]:
        """Every edge of this kind of layer: what each output reads."""
        for t in range(self.L):
            if kind == "rnn":
                yield (0, t), (1, t)
                if t > 0:
                    yield (1, t - 1), (1, t)
            elif kind == "attention":
                yield from (((0, s), (1, t)) for s in range(t + 1))
            else:
                for row in range(1, self.layers + 1):
                    reads = (t - n * self.dilation ** (row - 1) for n in range(self.kernel))
                    yield from (((row - 1, s), (row, t)) for s in reads if s >= 0)

    def _adjacency(self, kind: str, edges: list[Edge]) -> Tensor:
        """True where an edge leads from one node to another; nodes are numbered row by row, so the last output is the last one."""
        rows = 1 + (self.layers if kind == "convolution" else 1)
        graph = torch.zeros(rows * self.L, rows * self.L, device=device())
        starts, ends = (torch.tensor([row * self.L + t for row, t in side]) for side in zip(*edges, strict=True))
        graph[starts, ends] = 1.0
        return graph > 0

    def _multiplications(self, kind: str, edges: int) -> int:
        """An edge of an RNN or a convolution is an E x E matrix, one of attention a score and a weight, beside 4 matrices."""
        return 4 * self.L * self.E**2 + 2 * edges * self.E if kind == "attention" else edges * self.E**2

    def fallback(self) -> str:
        columns = ("", "steps", f"from token {self.at} to the last output", "tokens in reach", "edges", "multiplications")
        rows = []
        for kind, of in self.counts.items():
            path = "no path" if of["path"] is None else f"{of['path']} edges"
            rows.append([_NAMES[kind], of["steps"], path, of["reach"], of["edges"], f"{of['multiplications']:,}"])
        dilated = ", ".join(str(self.dilation**n) for n in range(self.layers))
        return (
            f"<p>{self.L} tokens, each with E = {self.E} numbers. One RNN layer, {self.layers} causal convolutions of kernel size "
            f"{self.kernel} with dilations {dilated}, and one layer of causal self-attention:</p>{table(columns, rows).html()}"
        )


def _schedule(graph: Tensor, L: int) -> Tensor:
    """The step in which each node is computed: the first one before which all its inputs are there. The first L nodes are given."""
    made = torch.full((len(graph),), -1, device=graph.device)
    made[:L] = 0
    step = 0
    while (made < 0).any():
        step += 1
        waits = graph[made < 0].any(0)  # for an input that is not there yet
        made[(made < 0) & ~waits] = step
    return made


def _distances(graph: Tensor, start: int) -> Tensor:
    """The number of edges on the shortest path from this node to each; -1 if there is none."""
    distances = torch.full((len(graph),), -1, device=graph.device)
    distances[start] = 0
    for length in range(1, len(graph)):
        reached = graph[distances == length - 1].any(0) & (distances < 0)
        if not reached.any():
            break
        distances[reached] = length
    return distances
