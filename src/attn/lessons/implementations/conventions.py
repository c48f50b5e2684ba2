"""What was seen of the implementations: in which conventions they differ, and by how little their numbers do."""

import torch
from torch import Tensor

from attn.layer import MultiHeadAttention
from attn.lessons.implementations.same_weights import Version, versions

__all__ = ["conventions", "rounding"]


@torch.no_grad()
def conventions(layer: MultiHeadAttention, x: Tensor) -> list[tuple[str, str, str, str]]:
    """For each implementation with the weights of this layer, and for `attn`: its name and what it was seen to do.

    A causal mask is used, ignored, used in a wrong way, or there is none. A row that may attend to nothing becomes NaN, zeros, or
    the mean of the values. With a dropout of 0.5 two calls in eval mode are the same or not.
    """
    ours = Version("attn", "", lambda x, keep: layer(x, mask=keep))
    pairs = [*zip(versions(layer), versions(layer, dropout=0.5), strict=True), (ours, ours)]
    return [(one.name, *_masked(one, layer, x), _repeated(two, x)) for one, two in pairs]


def _masked(version: Version, layer: MultiHeadAttention, x: Tensor) -> tuple[str, str]:
    if not version.takes_mask:
        return "has none", ""
    keep = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
    masked = version.call(x, keep)
    if torch.equal(masked, version.call(x, None)):
        return "ignored", ""
    off = (masked - version.of(layer(x, mask=keep), x)).abs().max()
    keep[2] = False
    row = version.call(x, keep)[:, 2]
    kind = "NaN" if row.isnan().any() else "mean of v" if row.any() else "zeros"
    return "used" if off < 1e-4 else "wrong", kind


def _repeated(version: Version, x: Tensor) -> str:
    if not version.takes_mask:
        return "no dropout"
    return "the same" if torch.equal(version.call(x, None), version.call(x, None)) else "another result"


@torch.no_grad()
def rounding(dtype: torch.dtype, seed: int) -> float:
    """The largest difference of `five_steps` from the layer, as a share of the largest number, for random weights of E = 768."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        layer = MultiHeadAttention(768, 12, bias=False, dtype=dtype).eval()
        x = torch.randn(2, 40, 768, dtype=dtype)
    (steps,) = [version for version in versions(layer) if "five steps" in version.name]
    want = layer(x)
    return float((steps.call(x, None) - want).abs().max() / want.abs().max())
