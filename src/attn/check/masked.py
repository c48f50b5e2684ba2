"""A checker for a layer that is given a mask. It compares values, also at sizes where a mask without a head axis runs."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import conclude, examine, first_wrong, normal
from attn.check.verdict import Verdict
from attn.core import attention
from attn.layer import MultiHeadAttention
from attn.shapes import divisors, merge_heads, split_heads

__all__ = ["masked_layer"]

_SIZES = ((2, 5, 4, 3), (3, 7, 3, 2))  # B, L, H, D; in the second B = H


@torch.no_grad()
def masked_layer(answer: Callable[[MultiHeadAttention, Tensor, Tensor], Any]) -> Verdict:
    """Check an answer for self-attention with a mask: answer(layer, x, mask) -> (B, L, E).

    layer: a MultiHeadAttention without biases. x: (B, L, E). mask: (B, L, L), True where a query may attend; every query may attend
    to itself. Dropout is not part of it.
    """
    return conclude(
        (_complaint(answer, *sizes) for sizes in _SIZES),
        "Every head hides what the mask of its own sequence hides, and nothing else.",
    )


def _complaint(answer: Callable[..., Any], B: int, L: int, H: int, D: int) -> str:
    E = H * D
    W_QKV, W_O, x, drawn = normal((3 * E, E), (E, E), (B, L, E), (B, L, L), seed=L)
    layer = MultiHeadAttention(E, H, bias=False)
    layer.W_QKV.weight.copy_(W_QKV / E**0.5)
    layer.W_O.weight.copy_(W_O / E**0.5)
    own, next_one = torch.eye(L, dtype=torch.bool), torch.eye(L, dtype=torch.bool).roll(1, 1)
    mask = (drawn > 0) & ~next_one | own  # every row allows and hides something
    q, k, v = (split_heads(flat, H) for flat in layer.W_QKV(x).chunk(3, -1))
    want = layer.W_O(merge_heads(attention(q, k, v, mask[:, None])))
    return examine(
        answer,
        {"layer": layer, "x": x, "mask": mask},
        want,
        "(B, L, E)",
        _mistakes(layer, x, mask),
        wrong_values=first_wrong(want, lambda b, i, e: f"component {e} of token {i} of sequence {b}"),
        call=f"For x {(B, L, E)}, mask {(B, L, L)} and H = {H}",
        why=_why_raised,
    )


def _mistakes(layer: MultiHeadAttention, x: Tensor, mask: Tensor) -> Iterator[tuple[Tensor, str]]:
    B, L, E = x.shape
    H, D = layer.H, layer.D
    flat = layer.W_QKV(x).chunk(3, -1)
    q, k, v = (split_heads(one, H) for one in flat)
    keep = mask[:, None]
    causal = torch.ones(L, L, dtype=torch.bool).tril()

    def out(heads: Tensor) -> Tensor:
        y: Tensor = layer.W_O(merge_heads(heads))
        return y

    yield (
        out(attention(q, k, v)),
        "the mask changes nothing: it is taken and never used. Which argument of the call should receive it?",
    )
    yield out(attention(q, k, v, ~keep)), "the mask is inverted. In scaled_dot_product_attention True means: may attend."
    yield out(attention(q, k, v, causal)), "a causal mask is used instead of the mask that was passed."
    yield out(attention(q, k, v, keep & causal)), "later keys are hidden too. The mask that was passed is the whole rule."
    if B == H:
        yield (
            out(attention(q, k, v, mask[None])),
            "head h uses the mask of sequence h: a mask (B, L, L) is read as (1, H, L, L). Give it an axis of heads.",
        )
    yield out(attention(q, k, v, mask[:1, None])), "every sequence uses the mask of sequence 0."
    yield out(attention(q, k, v, keep.mT)), "the mask is transposed. Its rows are queries, its columns keys."
    scores = q @ k.mT / D**0.5
    yield (
        out((scores + keep).softmax(-1) @ v),
        "1 and 0 are added to the scores: as numbers, a mask is added. It must be boolean, or 0 and −∞.",
    )
    yield out((scores * keep).softmax(-1) @ v), "the scores are multiplied by the mask. A score of 0 still gets weight."
    yield out(scores.softmax(-1) * keep @ v), "the mask is applied after softmax, so the weights no longer sum to 1."
    yield out(attention(q, k, v, keep, scale=1.0)), "the scores are not divided by √D."
    yield out(attention(k, q, v, keep)), "queries and keys are swapped. The rows of W_QKV are those of q, then k, then v."
    yield out(attention(q, v, k, keep)), "keys and values are swapped. The rows of W_QKV are those of q, then k, then v."
    a, b, c = (one.reshape(B, H, L, D) for one in flat)
    yield (
        out(attention(a, b, c, keep)),
        "x is split by a view to (B, H, L, D), which gives each head numbers of other tokens. Split the last axis, then swap L "
        "and H.",
    )
    for n in divisors(E):
        if n != H:
            a, b, c = (split_heads(one, n) for one in flat)
            yield out(attention(a, b, c, keep)), f"x is split into {n} heads. The layer has H = {H}: take the number from layer.H."
    heads = attention(q, k, v, keep)
    yield layer.W_O(heads.reshape(B, L, E)), "the heads are merged in the order (H, L, D). Swap H and L first."
    yield merge_heads(heads), "these are the heads side by side, without W_O."


def _why_raised(error: Exception) -> str:
    message = str(error)
    if "must match" in message or "expanded size" in message or "broadcast" in message:
        return "(Does the mask have an axis for the heads? The scores are (B, H, L, L).)"
    return ""
