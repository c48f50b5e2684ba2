"""Fixes of known mistakes: for each checker, what a wrong line looks like and what replaces it.

A fix is a regular expression for a part of a line, and its replacement, in which \\1 is the first group. Before a fix is offered,
the checker runs on the fixed code, so a fix that only matches the text of a line is not shown. The expressions use only what Python
and JavaScript read in the same way.
"""

import re
from collections.abc import Callable, Iterator
from itertools import combinations, islice

__all__ = ["FIXES", "Mended", "mended"]

Mended = tuple[int, str]  # the line, counted from 1, and its new text
_MOST_LINES = 4  # that are mended together
_MOST_RUNS = 40

_SPLIT = r"\.(?:view|reshape)\((\w+), (\w+), (\w+), ([\w /-]+)\)"
_SCALE = (r"(\bq @ k\.(?:mT|transpose\(-2, -1\)))$", r"\1 / q.shape[-1] ** 0.5")
_SCORES = (
    (r"\bk\.(?:reshape|view)\([^()]*\)", "k.transpose(-2, -1)"),
    (r"\bq @ k\b(?!\.)", "q @ k.transpose(-2, -1)"),
    (r"\bk\.T\b", "k.transpose(-2, -1)"),
    (r"\bk @ q\b", "q @ k"),
    (r"\bk\.shape\[-1\]", "q.shape[-1]"),
    (r"\bk\.shape\[2\]", "q.shape[-1]"),
    (r"/ ([A-Z])$", r"/ \1**0.5"),
    (r"\.softmax\(-1\)", ""),
    _SCALE,
)

FIXES: dict[str, tuple[tuple[str, str], ...]] = {
    "split_heads": (
        (rf"{_SPLIT}$", r".view(\1, \3, \2, \4).transpose(1, 2)"),
        (r"\.(?:view|reshape)\((\w+), (\w+), ([\w /-]+), (\w+)\)\.permute\(0, 3, 1, 2\)", r".view(\1, \2, \4, \3).transpose(1, 2)"),
        (r"(\.(?:view|reshape)\(\w+, \w+, \w+, [\w /-]+\))$", r"\1.transpose(1, 2)"),
        (r"\.(?:contiguous|clone)\(\)", ""),
    ),
    "merge_heads": (
        (r"\b(\w+)\.(?:view|reshape)\(", r"\1.transpose(1, 2).reshape("),
        (r"\b(\w+)\.flatten\(", r"\1.transpose(1, 2).flatten("),
        (r"\.transpose\(1, 2\)\.view\(", ".transpose(1, 2).reshape("),
        (r"\.permute\(0, 2, 3, 1\)", ".permute(0, 2, 1, 3)"),
    ),
    "cross_scores": (
        (r"\bq = context @", "q = x @"),
        (r"\bk = x @", "k = context @"),
        (r"\bq = (\w+) @ W_K", r"q = \1 @ W_Q"),
        (r"\bk = (\w+) @ W_Q", r"k = \1 @ W_K"),
        (r"\bk @ q\.", "q @ k."),
        (r" / .+$", ""),
        (r"\.softmax\(-1\)", ""),
    ),
    "cross_shapes": (
        (r'"k": \([^)]*\)', '"k": (2, 3, 7, 4)'),
        (r'"scores": \([^)]*\)', '"scores": (2, 3, 5, 7)'),
        (r'"heads": \([^)]*\)', '"heads": (2, 3, 5, 4)'),
        (r'"y": \([^)]*\)', '"y": (2, 5, 12)'),
    ),
    "attention_layer": (
        (r"softmax\((?:dim=)?(?:1|-2)\)", "softmax(-1)"),
        (r"/ E\*\*0\.5", "/ D**0.5"),
        (r"heads\.reshape\(", "heads.transpose(1, 2).reshape("),
    ),
    "distance_weights": ((r"keepdim=True\) / 2$", "keepdim=True).mT / 2"),),
    "offset": (
        (r"= 0$", "= tensor.storage_offset()"),
        (r"zip\(tensor\.shape, index\)", "zip(tensor.stride(), index)"),
        (r"(\w+) = \1 \* (\w+) \+ (\w+)$", r"\1 = \1 + \2 * \3"),
        (r"return (sum\(.+\)|\w+)$", r"return tensor.storage_offset() + \1"),
    ),
    "scores": _SCORES,
    "scaled_scores": _SCORES,
    "score_variance": ((r"return .+$", "return (mean**2 + std**2) ** 2 - mean**4"),),
    "weighted_sum": (
        (r'einsum\("[^"]*"', 'einsum("bhls,bhsd->bhld"'),
        (r"\bv\.transpose\(-2, -1\)", "v"),
        (r"\bweights\.transpose\(-2, -1\)", "weights"),
        (r"\.mean\(", ".sum("),
    ),
    "einsum": (
        (r'"scores": "[^"]*"', '"scores": "bhld,bhsd->bhls"'),
        (r'"heads": "[^"]*"', '"heads": "bhls,bhsd->bhld"'),
        (r'"lengths": "[^"]*"', '"lengths": "bhld,bhld->bhl"'),
        (r'"output": "[^"]*"', '"output": "bhld,hde->ble"'),
    ),
    "softmax": (
        (r"scores\.max\(\)", "scores.amax(dim=-1, keepdim=True)"),
        (r"amax\(dim=-2,", "amax(dim=-1,"),
        (r"sum\(dim=-2,", "sum(dim=-1,"),
        (r"(amax|sum)\((?:dim=)?-[12]\)", r"\1(dim=-1, keepdim=True)"),
        (r"scores\.exp\(\)", "(scores - scores.amax(dim=-1, keepdim=True)).exp()"),
        (r"softmax\((?:dim=)?-2\)", "softmax(dim=-1)"),
        (r"\bterms\.sum\(dim=-[12],", "terms.float().sum(dim=-1,"),
    ),
    "online_softmax": (
        (
            r"return new, total(?: \* math\.exp\(highest - new\))? \+ (math.+)$",
            r"return (new, total * math.exp(highest - new) + \1) if score > -math.inf else (highest, total)",
        ),
        (r"\btotal \+ math", "total * math.exp(highest - new) + math"),
        (r"exp\(new - highest\)", "exp(highest - new)"),
        (r"exp\(score - highest\)", "exp(score - new)"),
        (r"exp\(score\)", "exp(score - new)"),
    ),
    "fused": (
        (r"\btotal = total \+ ", "total = total * (old - top).exp() + "),
        (r"\bout = out \+ ", "out = out * (old - top).exp() + "),
        (r"-(?:math|torch)\.inf\)$", "-1e30)"),
        (r"\(new - top\)\.exp\(\)", "(top - new).exp()"),
        (r"return out$", "return out / total"),
    ),
    "tile_gradients": (
        (r"\bscores\.softmax\((?:dim=)?-1\)", "(scores - lse).exp()"),
        (r"\(weights \* d_weights\)\.sum\(", "(d_out * out).sum("),
    ),
    "mask": (
        (r"\.tril\(\)", ".tril(S - L)"),
        (r"torch\.arange\(S\) < lengths\[:, None\]", "torch.arange(S) >= S - lengths[:, None]"),
        (r"real\[:, None, :\]", "real[:, None, None, :]"),
        (r"past \| real", "past & real"),
        (r"return ~", "return "),
    ),
    "masked_weights": (
        (r"scores\.softmax\(-1\) \* keep", "scores.masked_fill(~keep, -torch.inf).softmax(-1).masked_fill(~keep, 0.0)"),
        (r"-(?:torch\.inf|1e\d)\)\.softmax\(-1\)$", "-torch.inf).softmax(-1).masked_fill(~keep, 0.0)"),
        (r"-1e\d\)\.softmax\(-1\)", "-torch.inf).softmax(-1)"),
        (r"masked_fill\(keep,", "masked_fill(~keep,"),
    ),
    "causal_convolution": (
        (r"\bx\.roll\((.+), (?:dims=)?1\)", r"F.pad(x, (0, 0, \1, 0))[:, : x.shape[1]]"),
        (r"F\.pad\(x, \(0, 0, 0, (.+?)\)\)\[:, .+?:\]$", r"F.pad(x, (0, 0, \1, 0))[:, : x.shape[1]]"),
        (r"\bx\.roll\(n,", "x.roll(n * dilation,"),
        (r"\bW\.flip\(0\)", "W"),
    ),
    "packed_rows": (
        (r"\.(view|reshape)\(3, H, -1, (\w+)\)", r".\1(H, 3, -1, \2)"),
        (r"\.transpose\(1, 2\)", ".transpose(0, 1)"),
    ),
    "masked_layer": (
        (r"\bis_causal=(?:False|True)", "attn_mask=mask[:, None]"),
        (r"\battn_mask=~mask", "attn_mask=mask"),
        (r"\battn_mask=mask(?!\[)", "attn_mask=mask[:, None]"),
    ),
    "contribution": (
        (r"\bparts = .+$", "parts = weights * (weights @ v @ v.mT)"),
        (r"\.abs\(\)", ""),
        (r"v @ out\.mT", "out @ v.mT"),
        (r"out\.norm\(dim=-1, keepdim=True\)", "out.square().sum(-1, keepdim=True)"),
    ),
    "device_part": (
        (
            r"\blayer\.W_QKV\.weight\.chunk\(N(?:, (?:dim=)?0)?\)\[rank\]",
            "torch.cat([W.chunk(N)[rank] for W in (layer.W_Q, layer.W_K, layer.W_V)])",
        ),
        (r" \+ layer\.W_O\.bias$", " + layer.W_O.bias * (rank == 0)"),
        (r"\bheads @ layer\.W_O\.weight\.chunk\(N(?:, (?:dim=)?0)?\)\[rank\]", "heads @ layer.W_O.weight.chunk(N, 1)[rank].T"),
    ),
    "ring_merge": (
        (r"\btotals\.softmax\((?:dim=)?-?[12]\)$", "totals.softmax(0).nan_to_num(0.0)"),
        (r"\btotals\.softmax\((?:dim=)?0\)$", "totals.softmax(0).nan_to_num(0.0)"),
        (r"\.mean\(0\)$", ".sum(0)"),
    ),
    "key_contributions": (
        (r"\bweights\.(?:mean|sum)\(1, (?:keepdim=)?True\)", "weights"),
        (r"\.mean\(1\)$", ".sum(1)"),
        (r"\bW_O\.flip\(0\)", "W_O"),
    ),
    "output_projection": (
        (r"\bweight\.view\(", "weight.T.view("),
        (r"@ weight$", "@ weight.T"),
        (r"\bheads\.(?:view|reshape)\(", "heads.transpose(1, 2).reshape("),
        (r"\.mean\(1\)", ".sum(1)"),
    ),
    "ov_maps": (
        (r"\bW_V\.chunk\(H, (?:dim=)?1\)\)", "W_V.chunk(H)).mT"),
        (r"\bW_O\.chunk\(H(?:, (?:dim=)?0)?\)\)", "W_O.chunk(H, dim=1)).mT"),
        (r"\bW_O\.(?:view|reshape)\(", "W_O.T.reshape("),
        (r"\bwrites @ reads$", "reads @ writes"),
    ),
    "tokens_read": (
        (r"\bread \+ layer\b", "layer.float() @ read"),
        (r"\bread \| layer\b", "layer.float() @ read"),
        (r"\bread @ layer\.float\(\)\.mT", "layer.float() @ read"),
    ),
    "training_loop": ((r"\bloss\.backward\(\)", "optimizer.zero_grad(); loss.backward()"),),
    "accumulated_step": ((r"\bloss / len\(parts\)", "loss * (len(ids) - 1) / sum(len(one) - 1 for one in parts)"),),
    "decode": (
        (r"\bpositions\[:L\]", "positions[len(cache) : len(cache) + L]"),
        (r"\bis_causal=True", "attn_mask=attn.masks.causal(L, k.shape[2])"),
    ),
    "rolling_step": (
        (r" & \(t - slots < w\)", ""),
        (r"\bslots < t\b", "slots <= t"),
    ),
    "rope": (
        (r"= (?:torch\.arange\([^()]+\)|positions)\[:, None\] \*", "= positions[:, None] *"),
        (r"a, b = heads\[\.\.\., ::2\], heads\[\.\.\., 1::2\]", "a, b = heads.chunk(2, -1)"),
        (r"torch\.stack\((.+), (?:dim=)?-1\)\.flatten\(-2\)", r"torch.cat(\1, -1)"),
        (r"\*\* \(torch", "** (-torch"),
        (r"b \* cos - a \* sin", "b * cos + a * sin"),
        (r"a \* cos \+ b \* sin", "a * cos - b * sin"),
    ),
    "rotary_step": (
        (r"= torch\.arange\(new\.shape\[1\]\)", "= torch.arange(len(cache), len(cache) + new.shape[1])"),
        (r"attn\.split_heads\(attn\.rotary\((.+), at\), (layer\.[HG])\)", r"attn.rotary(attn.split_heads(\1, \2), at)"),
    ),
    "cache_bytes": (
        (r"\bH \* D\b", "G * D"),
        (r"return (?!2\b)", "return 2 * "),
    ),
    "tokens_per_second": (
        (r"\bB \* \(parameters \+ cache\)", "(parameters + B * cache)"),
        (r"\(memory \+ arithmetic\)|min\(memory, arithmetic\)", "max(memory, arithmetic)"),
    ),
}


def mended(code: str, checker: str, message: str, judge: Callable[[str], tuple[bool, str] | None]) -> Mended | None:
    """Of the fewest lines with which the code passes, the first that alone changes the message, or else the last.

    message: what the checker says of the code. judge(code) runs the program and the checker, and returns whether it passes and the
    message, or None if the program does not run. Returns None if the known fixes do not mend it.
    """
    lines = code.split("\n")

    def judged(changes: tuple[Mended, ...]) -> tuple[bool, str] | None:
        new = dict(changes)
        return judge("\n".join(new.get(number, line) for number, line in enumerate(lines, 1)))

    for changes in islice(_changes(lines, checker), _MOST_RUNS):
        if (found := judged(changes)) and found[0]:
            return next((one for one in changes[:-1] if (alone := judged((one,))) and alone[1] != message), changes[-1])
    return None


def _changes(lines: list[str], checker: str) -> Iterator[tuple[Mended, ...]]:
    """The lines that can be changed: each alone, then two together, and so on."""
    found = []
    for number, line in enumerate(lines, 1):
        for pattern, replacement in FIXES.get(checker, ()):
            new = re.sub(pattern, replacement, line, count=1)
            if new != line and (number, new) not in found:
                found.append((number, new))
    for count in range(1, _MOST_LINES + 1):
        for changes in combinations(found, count):
            if len({number for number, _ in changes}) == count:
                yield changes
