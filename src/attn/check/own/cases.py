"""What an implementation is asked: inputs and masks at sizes that all differ."""

from collections.abc import Iterable

import torch
from torch import Tensor

from attn.check.own.calling import Form
from attn.check.own.definition import Case, Sizes
from attn.trace.table import as_shape

__all__ = ["Cases", "lengths"]


def lengths(taken: Iterable[int], L: int | None, S: int | None) -> tuple[int, int]:
    """L < S, different from each other and from all sizes that are taken, unless they are given."""
    used = set(taken) | {L, S}
    L = L or next(n for n in (5, 7, 6, 9, 11, 8) if n not in used)
    S = S or next(n for n in (7, 8, 11, 9, 13, 10) if n > L and n not in used | {L})
    return L, S


class Cases:
    """The questions for a layer of these sizes, or for a function of q, k and v."""

    def __init__(self, kind: str, sizes: Sizes, B: int, L: int, S: int) -> None:
        self.kind, self.sizes, self.B, self.L, self.S = kind, sizes, B, L, S
        self._generator = torch.Generator().manual_seed(5)
        self.tokens = self._normal(B, L, sizes.E)
        self.context = self._normal(B, S, sizes.E)
        self._heads = {n: tuple(self._normal(B, *shape) for shape in self._shapes(L, n)) for n in (L, S)}

    def plain(self) -> Case:
        """Self-attention without a mask."""
        return self._case("", *self._inputs(self.L))

    def other(self, *, more: int = 0) -> Case:
        """The same with other numbers, and with so many samples more."""
        drawn = [self._normal(self.B + more, *tensor.shape[1:]) for tensor in self._inputs(self.L)]
        return self._case("", *(drawn if self.kind == "heads" else [drawn[0], drawn[0]]))

    def cross(self) -> Case:
        """More keys than queries."""
        return self._case("", *self._inputs(self.S))

    def causal(self, S: int | None = None) -> Case:
        return self._case("causal=True", *self._inputs(S or self.L), causal=True)

    def masked(self, form: Form, S: int | None = None, *, causal: bool = False, empty: bool = False) -> Case:
        """A random mask in a form; empty: the third query may attend to no key."""
        S = S or self.L
        what = " and ".join(filter(None, ("a mask" + " that leaves query 2 no key" * empty, "causal=True" * causal)))
        return self._case(what, *self._inputs(S), keep=self._keep(form, S, empty), causal=causal, empty=empty)

    def grouped(self, G: int) -> Case:
        """Fewer key/value heads than query heads, for a function."""
        q, k, v = self._inputs(self.S)
        return self._case(f"{G} key/value heads", q, k[:, :G], v[:, :G])

    def _keep(self, form: Form, S: int, empty: bool) -> Tensor:
        rows = 1 if form.shape in ("B11S", "BS") else self.L
        samples = 1 if form.shape == "LS" else self.B
        keep = torch.rand(samples, 1, rows, S, generator=self._generator) > 0.45
        keep[..., 0], keep[..., 1] = True, False
        keep[..., 1:2, 1], keep[..., 1:2, S - 1] = True, False
        if empty:
            keep[-1:, :, min(2, rows - 1)] = False
        return keep.expand(self.B, 1, self.L, S)

    def _shapes(self, L: int, S: int) -> tuple[tuple[int, ...], ...]:
        H, D, Dv = self.sizes.H, self.sizes.D, self.sizes.Dv
        return (H, L, D), (H, S, D), (H, S, Dv)

    def _inputs(self, S: int) -> tuple[Tensor, ...]:
        if self.kind == "heads":
            return self._heads[S]
        return (self.tokens, self.tokens) if S == self.L else (self.tokens, self.context)

    def _case(self, what: str, *inputs: Tensor, keep: Tensor | None = None, causal: bool = False, empty: bool = False) -> Case:
        names = "qkv" if self.kind == "heads" else ("x", "context")
        distinct = inputs[:1] if len(inputs) == 2 and inputs[0] is inputs[1] else inputs
        given = [f"{name} {as_shape(tensor.shape)}" for name, tensor in zip(names, distinct, strict=False)]
        words = [*given, *([what] if what else [])]
        said = "For " + (", ".join(words[:-1]) + " and " if len(words) > 1 else "") + words[-1]
        return Case(said, inputs, keep, causal, empty)

    def _normal(self, *shape: int) -> Tensor:
        return torch.randn(shape, generator=self._generator, dtype=torch.float32, device="cpu")
