"""The letters of the book, and the two reshapes that make heads out of a token vector.

Seven letters describe every tensor in this package. Each has one meaning and one colour, here and on every page, plot and lab.
Dv is the width of a value where it differs from D.
"""

from dataclasses import dataclass

from jaxtyping import Shaped
from torch import Tensor

__all__ = ["AXES", "Axis", "ShapeError", "check_groups", "divisors", "group_error", "merge_heads", "split_heads"]


class ShapeError(ValueError):
    """Sizes that do not fit together. The message names what was given, the rule it breaks and the likely fix."""


@dataclass(frozen=True)
class Axis:
    """One axis of a tensor: its letter, what it counts, what others call it, its colour on a light and on a dark page."""

    letter: str
    meaning: str
    aliases: tuple[str, ...]
    light: str
    dark: str


# The colours were searched for: at least 4.5:1 against the page in both themes, and as far as possible from each other and
# from plain text, for normal sight and for the three kinds of colour blindness (the tests measure all of it). Colour is never
# the only cue: the letter is there too.
AXES: dict[str, Axis] = {
    axis.letter: axis
    for axis in (
        Axis("B", "samples in the batch", ("N", "batch", "batch_size", "sz_b"), "#0069fa", "#66afed"),
        Axis("H", "query heads", ("h", "n_head", "num_heads", "nheads"), "#ca4c0a", "#d76d28"),
        Axis("L", "query positions (tokens)", ("T", "n", "seq_len", "len_q"), "#0b8651", "#69f89c"),
        Axis("S", "key and value positions; L in self-attention", ("L_k", "len_k", "T"), "#611c05", "#e7b20b"),
        Axis("D", "width of one head", ("d_k", "d_head", "head_dim"), "#6c1782", "#c84dff"),
        Axis("E", "width of a token vector, usually H·D", ("C", "d_model", "embed_dim", "hidden_size"), "#676677", "#9ea3ad"),
        Axis("G", "key/value heads; H unless heads are grouped", ("H_kv", "n_kv_heads"), "#e40046", "#fc3861"),
    )
}


def split_heads(x: Shaped[Tensor, "B L E"], H: int) -> Shaped[Tensor, "B H L D"]:
    """Give every head its own slice of each token vector.

    Head h takes the channels h·D to (h+1)·D of every token, with D = E / H. The result is a view of x (nothing is copied)
    unless the stride of x's last axis makes one impossible.

    Raises ShapeError if x does not have three axes or E is not a multiple of H.
    """
    if x.dim() != 3:
        raise ShapeError(f"x has shape {tuple(x.shape)}; split_heads needs the three axes (B, L, E).")
    B, L, E = x.shape
    if H < 1 or E % H:
        raise ShapeError(f"E = {E} cannot be split into H = {H} heads: {_why_not_heads(E, H)}")
    return x.reshape(B, L, H, E // H).transpose(1, 2)


def merge_heads(x: Shaped[Tensor, "B H L D"]) -> Shaped[Tensor, "B L E"]:
    """Lay the heads of each token side by side again: the inverse of `split_heads`, with E = H·D.

    The head axis moves next to D before the two are merged. The result is a view if memory already holds the numbers in that
    order, as after `split_heads`, otherwise a copy. PyTorch's fused attention on a CPU returns the order of its q: a view follows
    if q came from `split_heads`.

    Raises ShapeError if x does not have four axes.
    """
    if x.dim() != 4:
        raise ShapeError(f"x has shape {tuple(x.shape)}; merge_heads needs the four axes (B, H, L, D).")
    return x.transpose(1, 2).flatten(2)


def check_groups(H: int, G: int) -> None:
    """Raise ShapeError unless G divides H, so that every key/value head serves the same number of query heads."""
    if G < 1 or H % G:
        raise group_error(H, G)


def group_error(H: int, G: int, hint: str = "") -> ShapeError:
    """The error for H query heads that cannot share G key/value heads, followed by the hint."""
    return ShapeError(
        f"H = {H} is not a multiple of G = {G}: every key/value head must serve the same number of query heads. "
        f"G can be {divisors(H)}.{hint}"
    )


def divisors(n: int) -> list[int]:
    """The whole numbers that divide n, in order."""
    return [d for d in range(1, n + 1) if n % d == 0]


def _why_not_heads(E: int, H: int) -> str:
    if H < 1:
        return "the number of heads must be at least 1."
    below, above = E - E % H, E - E % H + H
    near = f"{below} or {above}" if below else f"{above}"
    counts = [n for n in divisors(E) if n <= 64]
    return f"{E} is not a multiple of {H}. The nearest widths that are: {near}; head counts that divide {E}: {counts}."
