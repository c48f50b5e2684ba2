"""The line of the reader's code that a mistake is in, found by what runs before and after softmax."""

from collections.abc import Callable, Sequence
from typing import Any

from attn.trace import Row, trace

__all__ = ["line_of"]

_PRODUCTS = {"matmul", "einsum", "bmm", "baddbmm"}
_MASKS = {"masked_fill", "masked_fill_", "where", "add", "iadd"}
_SOFTMAX = {"softmax", "exp", "scaled_dot_product_attention", "multi_head_attention_forward", "one_hot"}
_LOOK_FOR = {  # for each step: its operations, and where they run
    "project": ({"linear", "matmul", "einsum"}, "any"),
    "split": ({"view", "reshape", "unflatten"}, "before softmax"),
    "group": ({"repeat", "repeat_interleave", "expand"}, "before softmax"),
    "causal": ({"tril", "triu", "arange"}, "any"),
    "both": ({"and", "bitwise_and", "logical_and", "tril", "triu"}, "any"),
    "dropout": ({"dropout", "bernoulli", "rand_like"}, "after softmax"),
    "merge": ({"reshape", "view", "flatten", "mean", "flip"}, "after the values"),
    "out": ({"linear", "matmul", "addmm", "layer_norm", "add"}, "after the values"),
}


def line_of(step: str, call: Callable[[], Any]) -> str:
    """The line where `call` takes this step, as "line 12: scores = q @ k.mT"; empty if it cannot be told."""
    try:
        with trace() as t:
            call()
        row = _row(step, [row for row in t if row.code not in ("", "call()") and not row.inside])
    except Exception:  # what cannot be traced has no line
        return ""
    return f"line {row.line}: {row.code}" if row else ""


def _row(step: str, rows: Sequence[Row]) -> Row | None:
    if step == "in place":
        return next((row for row in rows if row.memory == "in place"), None)
    products = [n for n, row in enumerate(rows) if row.op in _PRODUCTS]
    softmax = next((n for n, row in enumerate(rows) if row.op in _SOFTMAX), None)
    if softmax is None and len(products) > 1:  # what takes its place stands between the products
        softmax = next((n for n in range(products[-2] + 1, products[-1]) if rows[n].op not in _MASKS), None)
    if softmax is None:
        return None
    values = next((n for n in products if n > softmax), softmax)
    match step:
        case "softmax":
            found = [softmax]
        case "scores":
            found = [n for n in products if n < softmax][-1:] or [softmax]
        case "mask":
            masked = [n for n, row in enumerate(rows) if row.op in _MASKS]
            found = [n for n in masked if n < softmax][-1:] or [n for n in masked if softmax < n <= values]
            if not found:
                found = [n for n in range(softmax + 1, values) if rows[n].op == "mul"]
        case _:
            operations, where = _LOOK_FOR.get(step, (set(), ""))
            found = [n for n, row in enumerate(rows) if row.op in operations]
            if where == "before softmax":
                found = [n for n in found if n < softmax]
            elif where != "any":
                found = [n for n in found if n > (softmax if where == "after softmax" else values)]
            if step == "out":
                found = found[-1:] or [len(rows) - 1]
    return rows[found[0]] if found else None
