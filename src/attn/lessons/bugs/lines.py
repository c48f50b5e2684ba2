"""The bugs of the book: for each line of `layer.py` that can go wrong, the wrong lines that are written in its place."""

import inspect
from dataclasses import dataclass
from types import ModuleType

from attn.lessons.bugs import layer

__all__ = ["BUGS", "Bug", "planted"]


@dataclass(frozen=True)
class Bug:
    """A wrong line in the place of a right one. step: what the line makes. chapter: the one that explains it. name: in words."""

    step: str
    right: str
    wrong: str
    name: str
    chapter: int


def planted(bug: Bug | None = None) -> ModuleType:
    """The code of `layer.py` as a module, with this bug in it; without a bug if it is None."""
    code = inspect.getsource(layer)
    if bug is not None:
        if code.count(bug.right) != 1:
            raise ValueError(f"{bug.name}: {bug.right!r} occurs {code.count(bug.right)} times in layer.py, not once.")
        code = code.replace(bug.right, bug.wrong)
        if (second := _ALSO.get(bug.name)) is not None:
            code = code.replace(*second)
    module = ModuleType("layer")
    exec(compile(code, f"<{bug.name if bug else 'layer'}>", "exec"), module.__dict__)
    return module


# The second wrong line of a bug that takes two.
_ALSO = {"split and merge by view": ("heads.transpose(1, 2).reshape(B, L, H * D)", "heads.reshape(B, L, H * D)")}

# By step and by right line: the wrong lines, each with its name and its chapter.
_WRONG: dict[str, dict[str, dict[str, tuple[str, int]]]] = {
    "split": {
        "x.view(B, L, H, D).transpose(1, 2)": {
            "x.view(B, H, L, D)": ("split by view only", 3),
            "x.view(B, L, D, H).permute(0, 3, 1, 2)": ("interleaved split", 3),
            "x.view(B, H, L, D)  # and merged by view, too": ("split and merge by view", 3),
            "x.view(B, L, H, D)": ("L and H not exchanged", 2),
            "x.view(B, L, H, D).transpose(0, 1)": ("B and L exchanged", 2),
        },
        "q = split_heads(x @ W_Q.T, H)": {
            "q = split_heads(context @ W_Q.T, H)": ("queries from the context", 4),
            "q = split_heads(x @ W_K.T, H)": ("queries from W_K", 4),
            "q = split_heads(x @ W_Q, H)": ("projection weight not transposed", 4),
        },
        "k = split_heads(context @ W_K.T, G)": {
            "k = split_heads(x @ W_K.T, G)": ("keys from x", 4),
            "k = split_heads(context @ W_Q.T, G)": ("keys from W_Q", 4),
            "k = split_heads((context @ W_K.T).detach(), G)": ("keys detached", 13),
            'k = self.__dict__.setdefault("k", split_heads(context @ W_K.T, G))': ("keys of the first call kept", 12),
        },
        "v = split_heads(context @ W_V.T, G)": {
            "v = split_heads(x @ W_V.T, G)": ("values from x", 4),
            "v = split_heads(context, G)": ("W_V unused", 10),
            "v = k": ("values are the keys", 4),
        },
        "attend(q, k, v, keep, scale, dropout)": {
            "attend(k, q, v, keep, scale, dropout)": ("queries and keys swapped", 1),
            "attend(q, v, k, keep, scale, dropout)": ("keys and values of a context swapped", 4),
            "[t.transpose(0, 2) for t in attend(*[t.transpose(0, 2) for t in (q, k, v)])]": ("batch and length swapped", 2),
        },
        "one.repeat_interleave(H // G, 1)": {"one.repeat(1, H // G, 1, 1)": ("grouped heads tiled", 12)},
        "W_Q = self.W_QKV[: H * D]": {"W_Q = self.W_QKV[:E]": ("W_Q up to the row E", 11)},
        "W_K = self.W_QKV[H * D : -G * Dv]": {"W_K = self.W_QKV[E : -G * Dv]": ("W_K from the row E", 11)},
        "W_V = self.W_QKV[-G * Dv :]": {"W_V = self.W_QKV[-G * D :]": ("W_V with as many rows as W_K", 11)},
        "H * D + G * D + G * Dv": {"H * D + G * D + G * D": ("values as wide as keys", 11)},
        "self.sizes = H, G, D, Dv": {"self.sizes = H, G, Dv, D": ("D and Dv swapped", 11)},
    },
    "scores": {
        "scores = q @ k.mT": {
            "scores = q @ k": ("keys not transposed", 5),
            "scores = q @ k.T": (".T on four axes", 5),
            "scores = q @ k.reshape(B, H, D, S)": ("K reshaped instead of transposed", 5),
            "scores = q.reshape(B, H, D, L).mT @ k.mT": ("Q reshaped", 5),
            "scores = k @ q.mT": ("K times Q", 5),
            'scores = einsum("bhld,bhsd", q, k)': ("einsum without an arrow", 6),
            'scores = einsum("bhld,bhsd->bls", q, k)': ("heads summed in the scores", 1),
            "scores = q @ k[:, 0].mT": ("keys without an axis of heads", 6),
            "scores = q @ F.normalize(k, dim=-1).mT": ("keys of length 1", 7),
            "scores = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT": ("cosine, not the product", 7),
            "scores = q @ k.mT - (q @ k.mT).mean(0)": ("scores centred over the batch", 13),
        },
    },
    "scale": {
        "(D**-0.5 if scale is None else scale)": {
            "(1 if scale is None else scale)": ("no scale", 7),
            "((H * D) ** -0.5 if scale is None else scale)": ("scale by the root of E", 7),
            "(S**-0.5 if scale is None else scale)": ("scale by the root of S", 7),
            "(Dv**-0.5 if scale is None else scale)": ("scale by the root of Dv", 7),
            "(1 / D if scale is None else scale)": ("scale by D", 7),
            "(D**0.5 if scale is None else scale)": ("multiplied by the root of D", 7),
            "(scale or D**-0.5)": ("scale 0 read as no scale", 7),
        },
        "softmax(masked)": {
            "softmax(scores.masked_fill(~keep, -torch.inf)) * D**-0.5": ("scale after softmax", 7),
        },
        "attend(q, k, v, keep, scale, dropout)": {
            "attend(q, k, v, keep, (H / E) ** 0.5, dropout)": ("scale by the root of E / H", 7),
            "attend(q, k, v, keep, None, dropout)": ("scale ignored", 7),
        },
    },
    "mask": {
        "torch.ones(L, S, dtype=torch.bool).tril(S - L)": {
            "torch.ones(L, S, dtype=torch.bool).tril()": ("top-left causal mask", 9),
            "torch.ones(L, S, dtype=torch.bool).tril(S - L - 1)": ("diagonal hidden", 9),
            "torch.ones(L, S, dtype=torch.bool).tril(S - L + 1)": ("one later key visible", 9),
            "torch.ones(L, S, dtype=torch.bool).triu(S - L)": ("triangle upside down", 9),
        },
        "keep = causal & real[:, None]": {
            "keep = causal.expand(len(real), L, S)": ("padding ignored", 9),
            "keep = real[:, None].expand(-1, L, -1)": ("later keys visible", 9),
            "keep = causal | real[:, None]": ("rules combined with or", 9),
            "keep = causal & ~real[:, None]": ("padding inverted", 9),
            "keep = causal & real.flip(-1)[:, None]": ("wrong end padded", 9),
            "keep = causal & real[:, -L:, None]": ("padding on the query axis", 9),
        },
        "return keep[:, None]": {"return keep": ("mask without an axis of heads", 9)},
        "scaled.masked_fill(~keep, -torch.inf)": {
            "scaled.masked_fill(keep, -torch.inf)": ("inverted mask", 9),
            "scaled.masked_fill(~keep, -1e9)": ("a finite number for −∞", 9),
            "scaled * keep": ("scores times mask", 9),
            "scaled + keep": ("mask of 1 and 0 added", 9),
        },
        "attend(q, k, v, keep, scale, dropout)": {"attend(q, k, v, None, scale, dropout)": ("mask ignored", 9)},
        "softmax(masked)": {"softmax(scaled) * keep": ("mask after softmax", 9)},
        "weights.masked_fill(~keep.any(-1, True), 0.0)": {"weights": ("an empty mask row not zeroed", 9)},
    },
    "softmax": {
        "softmax(masked)": {
            "masked.softmax(-2)": ("softmax over queries", 8),
            "F.softmax(masked)": ("softmax over heads", 8),
            "masked.softmax(0)": ("softmax over the batch", 8),
            "masked.flatten(2).softmax(-1).view_as(masked)": ("softmax over the whole matrix", 8),
            "masked": ("no softmax", 10),
            "masked.sigmoid()": ("sigmoid", 8),
            "masked.log_softmax(-1)": ("logarithms of weights", 8),
            "softmax(-masked)": ("wrong sign", 8),
            "F.one_hot(masked.argmax(-1), S).to(q)": ("hard attention", 8),
        },
        "(scores - scores.amax(-1, True)).exp()": {
            "scores.exp()": ("no maximum subtracted", 8),
            "(scores - scores.max()).exp()": ("one maximum for all rows", 8),
            "(scores - scores.amax(-2, True)).exp()": ("maximum of each column", 8),
            "2 ** (scores - scores.amax(-1, True))": ("powers of 2", 8),
        },
        "terms.float().sum(-1, True)": {"terms.sum(-1, True)": ("sum in half precision", 8)},
    },
    "mix": {
        "F.dropout(weights, dropout) @ v": {
            "weights.mT @ v": ("weights transposed", 10),
            "F.dropout(weights[:, :1], dropout) @ v": ("the first head's weights for all", 10),
            "F.dropout(weights.detach(), dropout) @ v": ("weights detached", 13),
            "weights @ v": ("dropout never on", 11),
            "(weights * (torch.rand_like(weights) > dropout)) @ v": ("dropout not rescaled", 11),
            "scaled @ v": ("scores used as weights", 10),
            'einsum("bhls,bgsd->bhld", weights, v)': ("values of all heads", 6),
            'einsum("bhls,ahsd->bhld", weights, v)': ("values of all sequences", 6),
            'einsum("bhls,bhsd->hld", weights, v)': ("sequences summed", 6),
            'einsum("bhls,bhtd->bhld", weights, v)': ("every value with the same weight", 6),
            "weights @ v / S": ("mean instead of sum", 10),
        },
        "self.dropout if self.training else 0.0": {"self.dropout": ("dropout always on", 11)},
    },
    "merge": {
        "heads.transpose(1, 2).reshape(B, L, H * D)": {
            "heads.reshape(B, L, H * D)": ("merge without the transpose", 3),
            "heads.transpose(1, 2).view(B, L, H * D)": ("view after the transpose", 3),
            "heads.permute(0, 2, 3, 1).reshape(B, L, H * D)": ("interleaved merge", 11),
            "heads.flip(1).transpose(1, 2).reshape(B, L, H * D)": ("heads in reverse order", 11),
            "heads.mean(1).repeat(1, 1, H)": ("mean of the heads", 11),
        },
    },
    "W_O": {
        "y = concat @ self.W_O.weight.T": {
            "y = concat @ self.W_O.weight": ("weight not transposed", 11),
            'y = einsum("bhld,hde->ble", heads, self.W_O.weight.view(H, Dv, E))': ("slices by view", 11),
            "y = concat @ self.W_O.weight.T / H": ("heads averaged", 11),
            "y = heads.sum(1) @ self.W_O.weight[:, :Dv].T": ("one slice for all heads", 11),
            "y = heads[:, -1] @ self.W_O.weight[:, -Dv:].T": ("the last head alone", 11),
            "y = concat": ("no W_O", 11),
            "y = x + concat @ self.W_O.weight.T": ("residual inside", 11),
            "y = F.layer_norm(x + concat @ self.W_O.weight.T, (E,))": ("residual and LayerNorm inside", 11),
            "y = x.add_(concat @ self.W_O.weight.T)": ("input changed in place", 11),
        },
    },
    "cache": {
        "return self.keys[:, :, :end], self.values[:, :, :end]": {
            "return self.keys[:, :, :start], self.values[:, :, :start]": ("read, then appended", 12),
            "return k, v": ("only the new keys and values", 12),
            "return self.keys[:, :, :end], self.keys[:, :, :end]": ("cached keys returned as values", 12),
        },
        "self.length = end": {"self.length = start": ("length not counted", 12)},
        "torch.zeros(B, G, S_max, Dv)": {"torch.zeros(B, G, S_max, D)": ("cached values as wide as keys", 12)},
        "self.positions[start : start + L]": {
            "self.positions[:L]": ("positions start at 0 again", 12),
            "self.positions[start + 1 : start + L + 1]": ("positions one too high", 12),
        },
        "q, k = turn(q, at), turn(k, at)": {
            "q, k = (split_heads(turn(merge_heads(one), at), one.shape[1]) for one in (q, k))": ("turned before the split", 18),
            "q, k, v = turn(q, at), turn(k, at), turn(v, at)": ("values turned too", 18),
            "q = turn(q, at)": ("only queries turned", 18),
        },
        "at = torch.arange(start, start + L)": {"at = torch.arange(L)": ("turned from 0 again", 18)},
        "may_attend(L, real)": {"may_attend(L, real) if L > 1 else None": ("no padding mask for one token", 12)},
    },
    "training": {
        "optimizer.zero_grad()": {"pass": ("gradients not cleared", 13)},
        "loss.backward()": {
            "pass": ("no backward", 13),
            "loss.backward(); optimizer.zero_grad()": ("gradients cleared too early", 13),
            "(-loss).backward()": ("a step uphill", 13),
        },
        "AdamW(model.parameters(), lr)": {"AdamW(model.layers.parameters(), lr)": ("not all parameters", 13)},
        "predicted, targets = logits[:, :-1], ids[:, 1:]": {
            "predicted, targets = logits, ids": ("targets not shifted", 13),
            "predicted, targets = logits[:, 1:], ids[:, :-1]": ("targets shifted the other way", 13),
        },
    },
}

BUGS = tuple(
    Bug(step, right, wrong, *about)
    for step, lines in _WRONG.items()
    for right, wrongs in lines.items()
    for wrong, about in wrongs.items()
)
