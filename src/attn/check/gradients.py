"""A checker for the backward pass of fused attention: the gradients of one tile of keys, whose weights were not kept."""

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import combined, conclude, kind, normal, run, same
from attn.check.verdict import Verdict
from attn.trace.table import as_shape

__all__ = ["tile_gradients"]

_SIZES = (2, 3, 5, 11, 4)  # B, H, L, S and D
_TILES = (4, 3, 11)  # of keys; 4 and 3 leave a smaller one at the end
_NAMES = ("d_q", "d_k", "d_v")
_Gradients = tuple[Tensor, ...]
_Given = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]  # q, k, v, out, lse, d_out


@torch.no_grad()
def tile_gradients(answer: Callable[..., Any]) -> Verdict:
    """Check an answer for the gradients of one tile of keys: answer(q, k, v, out, lse, d_out) -> d_q, d_k, d_v.

    q, out and d_out, the gradient of out: (B, H, L, D). lse: (B, H, L, 1), for each query the logarithm of its total over *all*
    keys. k, v: (B, H, t, D), the tile. Scores are q kᵀ / √D. The answer is called for every tile: d_k and d_v belong to the tile,
    d_q is its part of a sum over the tiles. The verdict recognises by value which weights and which sum were taken.
    """
    B, H, L, S, _ = _SIZES
    return conclude(
        (
            _complaint(answer, tile, *normal((B, H, L, D), (B, H, S, D), (B, H, S, D), (B, H, L, D), seed=17))
            for D in (_SIZES[-1], 9)  # with D = 4 alone √D could be 2
            for tile in _TILES
        ),
        "The gradients are those of attention over all keys, for every size of tile, and no weight was kept.",
    )


def _complaint(answer: Callable[..., Any], tile: int, q: Tensor, k: Tensor, v: Tensor, d_out: Tensor) -> str:
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    lse = scores.logsumexp(-1, keepdim=True)
    out = (scores - lse).exp() @ v
    D = q.shape[-1]
    call, made = f"For tiles of {tile} keys{f' and D = {D}' if D != _SIZES[-1] else ''}", []
    for j in range(0, k.shape[2], tile):
        of = slice(j, j + tile)
        given = {"q": q, "k": k[:, :, of], "v": v[:, :, of], "out": out, "lse": lse, "d_out": d_out}
        got, complaint = run(answer, given, call)
        if complaint := complaint or _wrong_kind(got, (q, k[:, :, of], v[:, :, of])):
            return complaint if complaint.startswith(call) else f"{call}, {complaint}"
        made.append([one.detach().to(q) for one in got])
    got = _joined(made)
    want = _gradients(q, k, v, out, lse, d_out, tile)
    wrong = [n for n in range(3) if not same(got[n], want[n])]
    if not wrong:
        return ""
    first = wrong[0] if len(wrong) < 3 else 2  # a wrong weight is in all three, and in d_v alone
    hints = (hint for hint, mistake in _mistakes((q, k, v, out, lse, d_out), tile) if all(map(same, got, mistake)))
    return f"{call}, {_NAMES[first]} is wrong: {next(hints, '') or _how_far(got, want, first, wrong)}"


def _wrong_kind(got: Any, like: _Gradients) -> str:
    """The complaint about anything but three tensors of the shapes of q, k and v."""
    if not isinstance(got, tuple | list):
        return f"your code returned {kind(got)}, not d_q, d_k, d_v.{' Is the return statement missing?' * (got is None)}"
    if len(got) != len(_NAMES):
        return f"your code returned {len(got)} values, not d_q, d_k, d_v."
    for name, one, of in zip(_NAMES, got, like, strict=True):
        if not isinstance(one, Tensor):
            return f"{name} is {kind(one)}, not a tensor."
        if one.shape != of.shape:
            return f"{name} has shape {as_shape(one.shape)}; a gradient has the shape of its tensor, {as_shape(of.shape)}."
    return ""


def _joined(made: list[list[Tensor]]) -> _Gradients:
    """d_q added up over the tiles, d_k and d_v one tile after the other."""
    of_q, of_k, of_v = zip(*made, strict=True)
    return torch.stack(of_q).sum(0), torch.cat(of_k, 2), torch.cat(of_v, 2)


def _gradients(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    out: Tensor,
    lse: Tensor,
    d_out: Tensor,
    tile: int,
    weights: str = "saved",
    row: str = "out",
    divided: str = "twice",
) -> _Gradients:
    """The gradients, tile by tile, with other weights, another sum of each row, or a division that is missing."""
    made, root = [], math.sqrt(q.shape[-1])
    for j in range(0, k.shape[2], tile):
        keys, values = k[:, :, j : j + tile], v[:, :, j : j + tile]
        scores = q @ keys.mT / (1 if divided == "not the scores" else root)
        w = scores.softmax(-1) if weights == "tile" else (scores - (0 if weights == "terms" else lse)).exp()
        d_w = d_out @ values.mT
        rows = {"out": d_out * out, "tile": w * d_w, "none": torch.zeros_like(out)}[row].sum(-1, keepdim=True)
        d_scores = w * (d_w - rows) / (1 if divided == "not the gradients" else root)
        made.append([d_scores @ keys, d_scores.mT @ q, w.mT @ d_out])
    return _joined(made)


_WEIGHTS = {
    "saved": "",
    "tile": "the weights sum to 1 in each tile, as if it had all keys. lse has the total of all keys: which weights are "
    "e^(score − lse)?",
    "terms": "these are terms, not weights: nothing was divided by the total of the row. What is e^(score − lse)?",
}
_ROWS = {
    "out": "",
    "tile": "in d_scores the sum of weights · d_weights runs over the keys of the tile alone. Over all keys it is d_out · out, "
    "summed over D. Which of the two is known here?",
    "none": "softmax couples all keys of a row: a larger weight of one key makes the others smaller. What is subtracted from "
    "d_weights in each row?",
}
_DIVIDED = {
    "twice": "",
    "not the scores": "the scores were not divided by √D.",
    "not the gradients": "scores are q kᵀ / √D, so their gradients reach q and k through the same factor.",
}


def _mistakes(given: _Given, tile: int) -> Iterator[tuple[str, _Gradients]]:
    """Hints, each with the gradients of its mistake: single ones first."""
    d_q, d_k, d_v = _gradients(*given, tile)
    yield "this is d_v. The order is d_q, d_k, d_v.", (d_q, d_v, d_k)
    found = list(product(_WEIGHTS, _ROWS, _DIVIDED))
    hints = {choice: [text for text in (_WEIGHTS[choice[0]], _ROWS[choice[1]], _DIVIDED[choice[2]]) if text] for choice in found}
    for choice in sorted(found, key=lambda choice: len(hints[choice])):
        if hints[choice]:
            yield combined(*hints[choice]), _gradients(*given, tile, weights=choice[0], row=choice[1], divided=choice[2])


def _how_far(got: _Gradients, want: _Gradients, n: int, wrong: list[int]) -> str:
    text = f"it differs by up to {(got[n] - want[n]).abs().max():.2g} from the gradient of attention over all keys."
    right = [_NAMES[i] for i in range(3) if i not in wrong]
    return f"{text} ({' and '.join(right)} {'is' if len(right) == 1 else 'are'} right.)" if right else text
