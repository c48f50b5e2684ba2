"""Five right implementations of attention, and 49 bugs as what a line reads instead. A bug is planted in the text of a style."""

import itertools
import linecache
import math

import torch
import torch.nn.functional as F
from torch import nn

HEAD = """
class Attention(nn.Module):
    def __init__(self, E, H, G=None, dropout=0.1):
        super().__init__()
        self.E, self.H, self.G, self.D, self.dropout = E, H, G or H, E // H, dropout
        {weights}

    def forward(self, x, context=None, mask=None, causal=False):
        context = x if context is None else context
        {project}
        {split}
        {scores}
        if causal:
            visible = torch.ones(L, S, dtype=torch.bool).tril(S - L)
            mask = visible if mask is None else mask & visible
        {mask}
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)
        weights = F.dropout(weights, self.dropout, self.training)
        {mix}
        {merge}
        return self.o_proj(out)
"""

SEPARATE = {
    "weights": """
self.q_proj, self.o_proj = nn.Linear(E, E), nn.Linear(E, E)
self.k_proj, self.v_proj = nn.Linear(E, self.G * self.D), nn.Linear(E, self.G * self.D)
""",
    "project": """
B, L, S = len(x), x.shape[1], context.shape[1]
q, k, v = self.q_proj(x), self.k_proj(context), self.v_proj(context)
""",
    "split": """
q = q.view(B, L, self.H, self.D).transpose(1, 2)
k = k.view(B, S, self.G, self.D).transpose(1, 2)
v = v.view(B, S, self.G, self.D).transpose(1, 2)
""",
    "scores": "scores = q / math.sqrt(self.D) @ k.transpose(-2, -1)",
    "mask": "",
    "mix": "out = weights @ v",
    "merge": "out = out.transpose(1, 2).reshape(B, L, self.E)",
}
PACKED = SEPARATE | {
    "weights": "self.qkv, self.o_proj = nn.Linear(E, 3 * E), nn.Linear(E, E)",
    "project": """
B, L, S = len(x), x.shape[1], context.shape[1]
q, (k, v) = self.qkv(x).chunk(3, -1)[0], self.qkv(context).chunk(3, -1)[1:]
""",
}
BATCH_SECOND = SEPARATE | {
    "project": """
B, L, S = x.shape[1], len(x), len(context)
q, k, v = self.q_proj(x), self.k_proj(context), self.v_proj(context)
""",
    "split": """
q = q.reshape(L, B * self.H, self.D).transpose(0, 1)
k = k.reshape(S, B * self.H, self.D).transpose(0, 1)
v = v.reshape(S, B * self.H, self.D).transpose(0, 1)
""",
    "scores": "scores = torch.bmm(q / math.sqrt(self.D), k.transpose(1, 2))",
    "mask": """
if mask is not None:
    mask = mask.expand(B, self.H, L, S).flatten(0, 1)
""",
    "mix": "out = torch.bmm(weights, v)",
    "merge": "out = out.transpose(0, 1).reshape(L, B, self.E)",
}
EINSUM = SEPARATE | {
    "split": """
q = q.view(B, L, self.H, self.D)
k = k.view(B, S, self.H, self.D)
v = v.view(B, S, self.H, self.D)
""",
    "scores": "scores = torch.einsum('blhd,bshd->bhls', q / math.sqrt(self.D), k)",
    "mix": "out = torch.einsum('bhls,bshd->blhd', weights, v)",
    "merge": "out = out.flatten(2)",
}
GROUPED = SEPARATE | {
    "scores": """
k = k.repeat_interleave(self.H // self.G, 1)
v = v.repeat_interleave(self.H // self.G, 1)
scores = q / math.sqrt(self.D) @ k.transpose(-2, -1)
""",
}
STYLES = {"packed": PACKED, "separate": SEPARATE, "batch second": BATCH_SECOND, "einsum": EINSUM, "grouped": GROUPED}
SECOND = "batch second"


def right(style):
    """The text of a style."""
    text = HEAD
    for part, lines in STYLES[style].items():
        text = text.replace(f"        {{{part}}}\n", "".join(f"        {line}\n" for line in lines.strip().splitlines()))
    return text


PROJECTED = {
    style: "q, (k, v) = self.qkv(x).chunk(3, -1)[0], self.qkv(context).chunk(3, -1)[1:]"
    if style == "packed"
    else "q, k, v = self.q_proj(x), self.k_proj(context), self.v_proj(context)"
    for style in STYLES
}
SCORES = {style: next(line for line in right(style).splitlines() if "scores = " in line).strip() for style in STYLES}
MERGE = {style: STYLES[style]["merge"] for style in STYLES}
SPLIT = {style: STYLES[style]["split"].strip() for style in STYLES}
INDENT = "\n        "
FUSED = "\n".join(f"{name} = {name}.reshape(B, n, T, self.D)" for name in "qkv")


def after(old, *lines):
    """The line, and others below it."""
    return old + "".join(INDENT + line for line in lines)


def four(style, name):
    """A tensor of heads as (B, H, L, D), whatever the style does."""
    if style == SECOND:
        return f"{name}.unflatten(0, (B, self.H))"
    return f"{name}.transpose(1, 2)" if style == "einsum" else name


def scores(formula):
    """For each style, scores computed from heads (B, H, ·, D) called q4 and k4."""
    made = {}
    for style in STYLES:
        end = ".flatten(0, 1)" if style == SECOND else ""
        made[style] = SCORES[style], f"q4, k4 = {four(style, 'q')}, {four(style, 'k')}{INDENT}scores = ({formula}){end}"
    return made


def same_everywhere(old, new):
    return dict.fromkeys(STYLES, (old, new))


def in_merge(make):
    return {style: (MERGE[style], make(style)) for style in STYLES}


def splits(how):
    """For each style, other lines that cut the heads."""
    made = {}
    for style in STYLES:
        new = []
        for name in "qkv":
            T, n = "L" if name == "q" else "S", "self.H" if name == "q" or style in (SECOND, "einsum") else "self.G"
            heads = how.format(name=f"{name}.transpose(0, 1)" if style == SECOND else name, T=T, n=n)
            back = {SECOND: ".flatten(0, 1)", "einsum": ".transpose(1, 2)"}.get(style, "")
            new.append(f"{name} = {heads}{back}")
        made[style] = SPLIT[style].replace("\n", INDENT), INDENT.join(new)
    return made


def heads_first(style):
    """`out` as (B, H, L, D)."""
    return {SECOND: "out.unflatten(0, (B, self.H))", "einsum": "out.transpose(1, 2)"}.get(style, "out")


def laid_out(style, y):
    """(B, L, E) in the layout of the style."""
    return f"out = ({y}).transpose(0, 1)" if style == SECOND else f"out = {y}"


def matrix(style, role):
    """The weight and the bias of a projection."""
    if style == "packed":
        n = "qkv".index(role)
        return f"self.qkv.weight.chunk(3)[{n}]", f"self.qkv.bias.chunk(3)[{n}]"
    return f"self.{role}_proj.weight", f"self.{role}_proj.bias"


BATCHED = "weights.view(B, self.H, L, S)"
SOFTMAX = "weights = scores.softmax(-1)"
FILL = "scores = scores.masked_fill(~mask, -math.inf)"
ZERO = "weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)"
DROP = "weights = F.dropout(weights, self.dropout, self.training)"
TRIL = "visible = torch.ones(L, S, dtype=torch.bool).tril(S - L)"
BOTH = "mask = visible if mask is None else mask & visible"
RETURN = "return self.o_proj(out)"
MIX = {style: STYLES[style]["mix"] for style in STYLES}
CALM = f"{ZERO}{INDENT}    weights = weights.nan_to_num()"
CUT = "{name}.reshape(B, {n}, {T}, self.D)"


def many(*pairs):
    """Several replacements at once, in every style."""
    return dict.fromkeys(STYLES, pairs)


OVER_HEADS = "weights = scores.view(B, self.H, L, S).softmax(1).flatten(0, 1)"
SIDEWAYS = "scores = scores.masked_fill(~(mask.transpose(-2, -1) if L == S else mask), -math.inf)"
ONE_CONTEXT = "context = x if context is None else context"
SWAPPED = f"x = x.transpose(0, 1){INDENT}context = x if context is None else context.transpose(0, 1)"
OPEN = "open = (scores > -math.inf).float()"
EVEN = "weights = 0 * scores.nan_to_num(0, 0, 0) + open / open.sum(-1, keepdim=True).clamp(min=1)"
CENTRED = "q4 / math.sqrt(self.D) @ k4.mT"
KEPT = "last = getattr(self, 'last', k)", "self.last = k.detach()", "k = (k + last) / 2 if k.shape == last.shape else k"


def projected(*lines):
    """Lines below the projections, the same in every style."""
    return {style: (PROJECTED[style], after(PROJECTED[style], *lines)) for style in STYLES}


def first_head(style):
    if style == SECOND:
        return f"weights = {BATCHED}[:, :1].expand(B, self.H, L, S).flatten(0, 1)"
    return "weights = weights[:, :1].expand(weights.shape)"


# Each bug: what the lines of a style read instead. The name in `attn.check` stands where it differs from the bug's own.
BUGS = {
    "split by view alone": splits(CUT),
    "split interleaved": splits("{name}.reshape(B, {T}, self.D, {n}).permute(0, 3, 1, 2)"),
    "merge without the transpose": in_merge(lambda s: laid_out(s, f"{heads_first(s)}.reshape(B, L, self.E)")),
    "split and merge without the transpose": {
        s: (splits(CUT)[s], (MERGE[s], laid_out(s, f"{heads_first(s)}.reshape(B, L, self.E)"))) for s in STYLES
    },
    "k reshaped, not transposed": scores("q4 @ k4.reshape(B, self.H, self.D, S) / math.sqrt(self.D)"),
    "no scale": scores("q4 @ k4.mT"),
    "scale by √E": scores("q4 @ k4.mT / math.sqrt(self.E)"),
    "scale by D": scores("q4 @ k4.mT / self.D"),
    "scale after softmax": {
        s: (scores("q4 @ k4.mT")[s], (SOFTMAX, "weights = scores.softmax(-1) / math.sqrt(self.D)")) for s in STYLES
    },
    "softmax over the queries": many((SOFTMAX, "weights = scores.softmax(-2)"), (ZERO, CALM)),
    "softmax over the heads": {
        s: (
            (SOFTMAX, OVER_HEADS if s == SECOND else "weights = scores.softmax(1)"),
            (ZERO, CALM),
        )
        for s in STYLES
    },
    "softmax without the maximum": same_everywhere(
        SOFTMAX, after("weights = scores.exp()", "weights = weights / weights.sum(-1, keepdim=True)")
    ),
    "mask inverted": many((FILL, "scores = scores.masked_fill(mask, -math.inf)"), (ZERO, CALM)),
    "mask after softmax": many((FILL, "pass"), (ZERO, "weights = weights * mask")),
    "0/1 mask added to the scores": many((FILL, "scores = scores + mask.float()"), (ZERO, "pass")),
    "mask ignored": many((FILL, "scores.masked_fill(~mask, -math.inf)"), (ZERO, "pass")),
    "causal lost when a mask is given": same_everywhere(BOTH, "mask = visible if mask is None else mask"),
    "mask hides queries, not keys": many((FILL, SIDEWAYS), (ZERO, CALM)),
    "filled with 0": many((FILL, "scores = scores.masked_fill(~mask, 0.0)"), (ZERO, "pass")),
    "empty row averages": many((FILL, "scores = scores.masked_fill(~mask, -1e9)"), (ZERO, "pass")),
    "empty row gives NaN": same_everywhere(ZERO, "pass"),
    "causal aligned top left": same_everywhere(TRIL, "visible = torch.ones(L, S, dtype=torch.bool).tril()"),
    "causal: cannot see itself": same_everywhere(TRIL, "visible = torch.ones(L, S, dtype=torch.bool).tril(S - L - 1)"),
    "causal: sees the next token": same_everywhere(TRIL, "visible = torch.ones(L, S, dtype=torch.bool).tril(S - L + 1)"),
    "causal: sees the future only": same_everywhere(TRIL, "visible = torch.ones(L, S, dtype=torch.bool).triu(S - L)"),
    "dropout in eval": same_everywhere(DROP, "weights = F.dropout(weights, self.dropout)"),
    "dropout never": same_everywhere(DROP, "weights = F.dropout(weights, self.dropout, False)"),
    "dropout not rescaled": same_everywhere(
        DROP, "weights = weights * (torch.rand_like(weights) > self.dropout) if self.training else weights"
    ),
    "no W_O": same_everywhere(RETURN, "return out"),
    "W_Q not transposed": {
        s: (PROJECTED[s], after(PROJECTED[s], f"q = x @ {matrix(s, 'q')[0]} + {matrix(s, 'q')[1]}")) for s in STYLES
    },
    "q and k swapped": scores("k4 @ q4.mT / math.sqrt(self.D) if L == S else q4 @ k4.mT / math.sqrt(self.D)"),
    "k used as v": projected("v = k"),
    "v not projected": projected("v = context[..., : self.G * self.D]"),
    "context ignored": same_everywhere(ONE_CONTEXT, "context = x"),
    "k detached": projected("k = k.detach()"),
    "weights detached": same_everywhere(DROP, "weights = F.dropout(weights, self.dropout, self.training).detach()"),
    "batch and length swapped": many(
        (ONE_CONTEXT, SWAPPED),
        (RETURN, "return self.o_proj(out).transpose(0, 1)"),
    ),
    "heads share the first head's weights": {s: (DROP, after(DROP, first_head(s))) for s in STYLES},
    "heads averaged": in_merge(lambda s: laid_out(s, f"{heads_first(s)}.mean(1).repeat(1, 1, self.H)")),
    "heads merged in reverse order": in_merge(
        lambda s: laid_out(s, f"{heads_first(s)}.flip(1).transpose(1, 2).reshape(B, L, self.E)")
    ),
    "cosine instead of the dot product": scores("F.normalize(q4, dim=-1) @ F.normalize(k4, dim=-1).mT"),
    "residual and LayerNorm inside": same_everywhere(RETURN, "return F.layer_norm(self.o_proj(out) + x, (self.E,))"),
    "input changed in place": same_everywhere(RETURN, after("y = self.o_proj(out)", "x.data.add_(y.detach())", "return y")),
    "state kept": projected(*KEPT),
    "uniform weights": same_everywhere(SOFTMAX, after(OPEN, EVEN)),
    "hard attention": same_everywhere(SOFTMAX, "weights = F.one_hot(scores.argmax(-1), S).float()"),
    "scores centred over the batch": scores(f"{CENTRED} - ({CENTRED}).mean(0, keepdim=True)"),
    "overflow in float16": scores("q4 @ k4.mT * (1 / math.sqrt(self.D))"),
    "groups tiled, not repeated": {
        "grouped": tuple(
            (f"{n} = {n}.repeat_interleave(self.H // self.G, 1)", f"{n} = {n}.repeat(1, self.H // self.G, 1, 1)") for n in "kv"
        )
    },
}
_names = itertools.count()


def planted(bug, style):
    """The text of a style with a bug in it."""
    text, pairs = right(style), BUGS[bug][style]
    for old, new in _flat(pairs):
        assert text.count(old) == 1, (bug, style, old, text)
        text = text.replace(old, new)
    return text


def _flat(pairs):
    """Pairs of texts, however they are nested."""
    if len(pairs) == 2 and isinstance(pairs[0], str):
        return [pairs]
    return [pair for part in pairs for pair in _flat(part)]


def made(text, *arguments, **options):
    """An object of the class in a text, whose lines can be read like those of a file."""
    file = f"own{next(_names)}.py"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    space = {"__name__": "own", "torch": torch, "nn": nn, "F": F, "math": math}
    exec(compile(text, file, "exec"), space)
    return space["Attention"](*arguments, **options)
