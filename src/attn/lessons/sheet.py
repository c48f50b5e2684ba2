"""The cheat sheet: tables whose lines are run and whose numbers are computed when the sheet is made, for a page and for its PDF."""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from attn import core, masks
from attn.shapes import AXES
from attn.trace.table import Table, as_bytes, table

__all__ = ["LARGE", "SIZES", "STEPS", "sheet", "value"]

SIZES = {"B": 2, "L": 5, "S": 7, "E": 12, "H": 3, "G": 1, "D": 4}
LARGE = {"B": 1, "L": 8192, "S": 8192, "E": 4096, "H": 32, "G": 8, "D": 128}

# Each line makes a tensor from those above it: the name, the code, the axes of the result, and the FLOPs of a product.
STEPS = (
    ("q_flat", "x @ W_Q.T", "B, L, H·D", "2·B·L·E·H·D"),
    ("k_flat", "context @ W_K.T", "B, S, G·D", "2·B·S·E·G·D"),
    ("v_flat", "context @ W_V.T", "B, S, G·D", "2·B·S·E·G·D"),
    ("q", "q_flat.view(B, L, H, D).transpose(1, 2)", "B, H, L, D", ""),
    ("k", "k_flat.view(B, S, G, D).transpose(1, 2)", "B, G, S, D", ""),
    ("v", "v_flat.view(B, S, G, D).transpose(1, 2)", "B, G, S, D", ""),
    ("k", "k.repeat_interleave(H // G, 1)", "B, H, S, D", ""),
    ("v", "v.repeat_interleave(H // G, 1)", "B, H, S, D", ""),
    ("scores", "q @ k.mT", "B, H, L, S", "2·B·H·L·S·D"),
    ("scaled", "scores / D**0.5", "B, H, L, S", ""),
    ("masked", "scaled.masked_fill(~keep, -torch.inf)", "B, H, L, S", ""),
    ("weights", "masked.softmax(-1)", "B, H, L, S", ""),
    ("weights", "weights.masked_fill(~keep.any(-1, True), 0)", "B, H, L, S", ""),
    ("heads", "weights @ v", "B, H, L, D", "2·B·H·L·S·D"),
    ("concat", "heads.transpose(1, 2).reshape(B, L, H * D)", "B, L, H·D", ""),
    ("y", "concat @ W_O.weight.T", "B, L, E", "2·B·L·E·H·D"),
)


def sheet() -> dict[str, Table]:
    """The tables of the sheet by their titles, in order."""
    return {
        "Letters": _letters(),
        "Steps": _steps(),
        "Masks": _masks(),
        "Cache": _cache(),
        "Number formats": _formats(),
        "Costs of a layer": _costs(),
    }


def value(formula: str, sizes: dict[str, int]) -> int:
    """What a formula of letters, such as 2·B·(H + G), is at these sizes."""
    return int(eval(formula.replace("·", "*"), {}, sizes))


def _letters() -> Table:
    rows = [[axis.letter, SIZES[axis.letter], axis.meaning, ", ".join(axis.aliases[:3])] for axis in AXES.values()]
    return table(["letter", "here", "counts", "also called"], rows)


def _steps() -> Table:
    """Run the lines one after the other."""
    torch.manual_seed(0)
    B, L, S, E, H, G, D = (SIZES[letter] for letter in "BLSEHGD")
    made: dict[str, Any] = {"torch": torch, "x": torch.randn(B, L, E), "context": torch.randn(B, S, E), **SIZES}
    made |= {"W_Q": torch.randn(H * D, E), "W_K": torch.randn(G * D, E), "W_V": torch.randn(G * D, E)}
    made |= {"W_O": nn.Linear(H * D, E, bias=False).requires_grad_(False), "keep": masks.causal(L, S)}
    rows = []
    for name, code, axes, flops in STEPS:
        memory = {tensor.untyped_storage().data_ptr() for tensor in made.values() if isinstance(tensor, Tensor)}
        with FlopCounterMode(display=False) as counter:
            result = eval(code, {}, made)
        made[name] = result
        kind = "view" if result.untyped_storage().data_ptr() in memory else "new"
        count = f"{flops} = {counter.get_total_flops():,}" if flops else ""
        rows.append([name, code, f"({axes})", tuple(result.shape), kind, count])
    rules = [
        "Scale: 1/√D, with D = q.shape[-1]; not E, not S. W_Q to W_O are stored (out, in), as in nn.Linear.",
        "Test with sizes that all differ, and compare values: most wrong lines have the right shape.",
    ]
    return table(["tensor", "right line", "shape", "here", "memory", "FLOPs"], rows, rules)


def _masks() -> Table:
    """Call each function with a mask that is True for key 0 alone, and with one that allows no key."""
    torch.manual_seed(0)
    q, k, eye = torch.randn(1, 1, 1, 4), torch.randn(1, 1, 3, 4), torch.eye(3)[None, None]
    only = torch.tensor([[True, False, False]])
    module = nn.MultiheadAttention(4, 1, bias=False, batch_first=True).train()

    def by_module(name: str) -> Callable[[Tensor], Tensor]:
        return lambda mask: module(q[0], k[0], k[0], **{name: mask})[1]

    rows = []
    for call, weights_of, shape in (
        ("attn.attention(mask=…)", lambda mask: core.attention(q, k, eye, mask), "broadcasts to (B, H, L, S)"),
        ("F.scaled_dot_product_attention(attn_mask=…)", lambda mask: F.scaled_dot_product_attention(q, k, eye, mask), "the same"),
        ("nn.MultiheadAttention(attn_mask=…)", by_module("attn_mask"), "(L, S) or (B·H, L, S)"),
        ("nn.MultiheadAttention(key_padding_mask=…)", by_module("key_padding_mask"), "(B, S)"),
    ):
        keeps = bool(weights_of(only).flatten()[0] > 0)
        empty = weights_of(torch.full_like(only, not keeps)).flatten()[0]
        rows.append([call, "may attend" if keeps else "hidden", "NaN" if empty.isnan() else f"{empty:.0f}", shape])
    return table(["call", "True means", "no key left", "shape"], rows, _mask_rules())


def _mask_rules() -> list[str]:
    L, S = 1, SIZES["S"]
    ones = torch.ones(1, 1, S, 1)
    top_left = F.scaled_dot_product_attention(ones[:, :, :L], ones, torch.eye(S)[None, None], is_causal=True)
    return [
        "Causal: torch.ones(L, S, dtype=torch.bool).tril(S - L). The queries are the last L positions.",
        f"is_causal=True begins at the top left: with L = 1 and S = {S} the query attends to {int((top_left > 0).sum())} key.",
        "A (B, L, S) mask needs [:, None], a (B, S) mask [:, None, None]. Causal and padding: &.",
        "A float mask is added to the scores: 0 and −∞, never 1 and 0. nn.MultiheadAttention: in training mode, with weights.",
    ]


def _cache() -> Table:
    rows = [
        ["keep", "K and V of all tokens; no Q: later tokens never read it"],
        ["positions", "positions[start : start + L], start = len(cache)"],
        ["order", "k, v = cache.append(k, v), then attend"],
        ["mask", "torch.ones(L, S, dtype=torch.bool).tril(S - L), S = start + L"],
        ["L = 1", "needs no causal mask, but the padding mask"],
        ["test", "prompt + one token against the full pass"],
    ]
    return table(["cache", "rule"], rows)


def _formats() -> Table:
    rows = []
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        about = torch.finfo(dtype)
        scores = torch.randn(1000, 100, generator=torch.Generator().manual_seed(0)).to(dtype)
        off = float((scores.softmax(-1).double().sum(-1) - 1).abs().max())
        rows.append(
            [str(dtype)[6:], about.bits // 8, f"{about.max:.3g}", f"{math.log(about.max):.1f}", f"{about.eps:.1g}", f"{off:.0e}"]
        )
    notes = [
        "Subtract each row's own maximum, and add up in float32.",
        "Hide with −∞: −1e9 does not fit into float16.",
        "Fill rows without keys with 0 after softmax: 0/0 is NaN.",
    ]
    return table(["dtype", "bytes", "largest", "exp is ∞ above", "step at 1", "row sums are off by"], rows, notes)


def _costs() -> Table:
    rows = []
    for what, formula, unit in (
        ("parameters", "2·E·H·D + 2·E·G·D", ""),
        ("FLOPs, projections and W_O", "4·B·L·E·H·D + 4·B·S·E·G·D", ""),
        ("FLOPs, scores and mix", "4·B·H·L·S·D", ""),
        ("scores, if stored, in 2 bytes", "2·B·H·L·S", "bytes"),
        ("cache, in 2 bytes", "4·B·G·S·D", "bytes"),
    ):
        numbers = [value(formula, sizes) for sizes in (SIZES, LARGE)]
        rows.append([what, formula, *(as_bytes(number) if unit else _short(number) for number in numbers)])
    large = ", ".join(f"{letter} = {size:,}" for letter, size in LARGE.items())
    return table(["cost", "formula", "here", "large"], rows, [f"large: {large}. No biases; Dv = D."])


def _short(number: int) -> str:
    """1,440, or 275 billion."""
    power = (len(str(number)) - 1) // 3
    return f"{number:,}" if power < 2 else f"{number / 1000**power:.3g} {('million', 'billion', 'trillion')[power - 2]}"
