"""A checker for packed weights whose rows must be put into another order."""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from attn.check.answers import Mistakes, conclude, examine, normal
from attn.check.verdict import Verdict

__all__ = ["packed_rows"]

_SIZES = ((3, 4, 10), (2, 5, 7))  # H, D, E


def packed_rows(answer: Callable[[Tensor, int], Any]) -> Verdict:
    """Check an answer that reorders packed rows: answer(packed, H) -> (3·H·D, E).

    packed: (H·3·D, E), for each head the D rows of its query, then of its key, then of its value. The result has the rows of all
    queries, head by head, then of all keys, then of all values.
    """
    return conclude(
        (_complaint(answer, *sizes) for sizes in _SIZES),
        "All queries come first, head by head, then all keys, then all values.",
    )


def _complaint(answer: Callable[..., Any], H: int, D: int, E: int) -> str:
    (packed,) = normal((3 * H * D, E), seed=H)
    want = packed.view(H, 3, D, E).transpose(0, 1).reshape(-1, E)
    return examine(
        answer,
        {"packed": packed, "H": H},
        want,
        "(3·H·D, E)",
        _mistakes(packed, H),
        wrong_values=lambda got: _whose(got, packed, H),
        why=_why_raised,
    )


def _mistakes(packed: Tensor, H: int) -> Mistakes:
    E = packed.shape[1]
    heads = packed.reshape(H, 3, -1, E)
    yield packed, "the rows are as they were, head by head. Row D must belong to the query of head 1."
    yield (
        packed.reshape(3, H, -1, E).transpose(0, 1).reshape(-1, E),
        "the rows are cut as (3, H, D), which is the order that you want. Which order do they have? Split the rows in that "
        "order, then swap the axes.",
    )
    yield (
        packed.reshape(H, -1, 3, E).permute(2, 0, 1, 3).reshape(-1, E),
        "the rows are cut as (H, D, 3), as if q, k and v took turns. Each head has D consecutive rows of q.",
    )
    yield (
        heads.transpose(1, 2).reshape(-1, E),
        "the axes 3 and D are swapped, and the heads are still the first axis. Which axis must come first?",
    )
    yield (
        heads.permute(1, 2, 0, 3).reshape(-1, E),
        "the heads are inside D: row 1 belongs to the query of head 1. The rows of one head must stay together.",
    )
    yield heads.flip(0).transpose(0, 1).reshape(-1, E), "the heads are in reverse order."
    for order, names in (((1, 0, 2), "k, q, v"), ((0, 2, 1), "q, v, k"), ((2, 1, 0), "v, k, q")):
        yield heads[:, list(order)].transpose(0, 1).reshape(-1, E), f"the order is {names}. It must be q, k, v."
    yield heads[:, 0].reshape(-1, E), "these are the queries alone. Keys and values must follow."
    want = heads.transpose(0, 1).reshape(-1, E)
    yield want.T, "the result is transposed. Rows stay rows: the axis E is last."


def _whose(got: Tensor, packed: Tensor, H: int) -> str:
    D = packed.shape[0] // (3 * H)
    want = packed.view(H, 3, D, -1).transpose(0, 1).reshape(packed.shape)
    wrong = int((got != want).any(-1).nonzero()[0, 0])
    part, rest = divmod(wrong, H * D)
    h, d = divmod(rest, D)
    owner = f"row {d} of the {('query', 'key', 'value')[part]} of head {h}"
    return f"row {wrong} must be {owner}, which is row {(h * 3 + part) * D + d} of packed."


def _why_raised(error: Exception) -> str:
    if "view size is not compatible" in str(error):
        return "(After two axes are swapped, memory is in another order, and view never copies. reshape copies if it needs to.)"
    return ""
