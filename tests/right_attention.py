"""Right implementations of attention, as different as people write them. Each is given with what has to be declared."""

import math

import torch
import torch.nn.functional as F
from planted import STYLES, made
from planted import right as text_of
from torch import nn

import attn

E, H, D = 24, 6, 4


def heads_of(t, n):
    return t.unflatten(-1, (n, -1)).transpose(1, 2)


class AlwaysCausal(nn.Module):
    """Packed, without biases, causal by a buffer, with dropout of weights and of the output."""

    def __init__(self, n_embd=E, n_head=H):
        super().__init__()
        self.n_head = n_head
        self.c_attn, self.c_proj = nn.Linear(n_embd, 3 * n_embd, bias=False), nn.Linear(n_embd, n_embd, bias=False)
        self.attn_dropout, self.resid_dropout = nn.Dropout(0.1), nn.Dropout(0.1)
        self.register_buffer("tril", torch.tril(torch.ones(64, 64)).view(1, 1, 64, 64))

    def forward(self, x):
        T = x.shape[1]
        q, k, v = (heads_of(t, self.n_head) for t in self.c_attn(x).split(x.shape[-1], dim=2))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = F.softmax(att.masked_fill(self.tril[:, :, :T, :T] == 0, float("-inf")), dim=-1)
        y = self.attn_dropout(att) @ v
        return self.resid_dropout(self.c_proj(y.transpose(1, 2).contiguous().view_as(x)))


class Fused(nn.Module):
    """PyTorch's fused function, and a mask that is built from positions."""

    def __init__(self, dim=E, heads=H):
        super().__init__()
        self.heads, self.to_qkv, self.to_out = heads, nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, mask=None, is_causal=False):
        q, k, v = self.to_qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        if is_causal:
            past = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
            mask = past if mask is None else mask & past
        return self.to_out(F.scaled_dot_product_attention(q, k, v, mask).transpose(1, 2).flatten(2))


class HeadByHead(nn.Module):
    """q, k and v of each head lie together in the packed matrix."""

    def __init__(self, hidden=E, heads=H):
        super().__init__()
        self.num_heads, self.query_key_value, self.dense = heads, nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)

    def forward(self, hidden_states):
        q, k, v = self.query_key_value(hidden_states).unflatten(-1, (self.num_heads, 3, -1)).permute(3, 0, 2, 1, 4)
        return self.dense(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))


class OneHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(E, D, bias=False) for _ in range(3))

    def forward(self, x):
        weights = torch.softmax(self.query(x) @ self.key(x).transpose(1, 2) / D**0.5, dim=-1)
        return weights @ self.value(x)


class ListOfHeads(nn.Module):
    """A list of small heads, concatenated."""

    def __init__(self):
        super().__init__()
        self.heads, self.proj = nn.ModuleList(OneHead() for _ in range(H)), nn.Linear(E, E)

    def forward(self, x):
        return self.proj(torch.cat([head(x) for head in self.heads], dim=-1))


class Tensors(nn.Module):
    """Weights with an axis for the heads, and einsum for everything."""

    def __init__(self):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Parameter(torch.randn(H, E, D) / 5) for _ in range(3))
        self.W_o = nn.Parameter(torch.randn(H, D, E) / 5)

    def forward(self, x, context):
        q, k, v = (torch.einsum("bne,hed->bhnd", t, W) for t, W in ((x, self.W_q), (context, self.W_k), (context, self.W_v)))
        weights = torch.einsum("bhld,bhsd->bhls", q, k).div(math.sqrt(D)).softmax(-1)
        return torch.einsum("bhls,bhsd,hde->ble", weights, v, self.W_o)


class Matrices(nn.Module):
    """Square matrices that are multiplied from the right."""

    def __init__(self):
        super().__init__()
        self.n_heads = H
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Parameter(torch.randn(E, E) / 5) for _ in range(4))

    def forward(self, x):
        q, k, v = (heads_of(x @ W, H) for W in (self.W_Q, self.W_K, self.W_V))
        return (((q @ k.mT) / D**0.5).softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.W_O


class Conv1D(nn.Module):
    """A linear layer that stores (in, out)."""

    def __init__(self, out, inner):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.randn(inner, out)), nn.Parameter(torch.zeros(out))

    def forward(self, x):
        return x @ self.weight + self.bias


class StoredInOut(Fused):
    def __init__(self):
        super().__init__()
        self.to_qkv, self.to_out = Conv1D(3 * E, E), Conv1D(E, E)


class Additive(nn.Module):
    """A mask that is added, and weights that are returned, too."""

    def __init__(self):
        super().__init__()
        self.num_attention_heads = H
        self.query, self.key, self.value, self.dense = (nn.Linear(E, E) for _ in range(4))

    def forward(self, hidden_states, attention_mask=None, encoder_hidden_states=None):
        source = hidden_states if encoder_hidden_states is None else encoder_hidden_states
        q, k, v = heads_of(self.query(hidden_states), H), heads_of(self.key(source), H), heads_of(self.value(source), H)
        scores = q @ k.transpose(-1, -2) / math.sqrt(D)
        if attention_mask is not None:
            scores = scores + attention_mask
        weights = scores.softmax(-1)
        return self.dense((weights @ v).transpose(1, 2).flatten(2)), weights


class PaddingHidden(nn.Module):
    """One key/value head, and a mask (B, S) that is True at padding."""

    def __init__(self):
        super().__init__()
        self.h = H
        self.to_q, self.to_kv, self.to_out = nn.Linear(E, E), nn.Linear(E, 2 * D), nn.Linear(E, E)

    def forward(self, x, context, key_padding_mask=None):
        q, (k, v) = heads_of(self.to_q(x), H), (t[:, None] for t in self.to_kv(context).chunk(2, -1))
        scores = q / math.sqrt(D) @ k.mT
        if key_padding_mask is not None:
            scores = scores.masked_fill(key_padding_mask[:, None, None], -math.inf)
        weights = scores.softmax(-1).nan_to_num()
        return self.to_out((weights @ v.expand(-1, H, -1, -1)).transpose(1, 2).flatten(2))


class FourInARow(nn.Module):
    """Query, key and value handed over one by one, projected by a list of four layers, and -1e9 where the mask is 0."""

    def __init__(self):
        super().__init__()
        self.h, self.linears = H, nn.ModuleList(nn.Linear(E, E) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        q, k, v = (heads_of(lin(t), self.h) for lin, t in zip(self.linears, (query, key, value), strict=False))
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(D)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        x = torch.matmul(scores.softmax(dim=-1), v)
        return self.linears[-1](x.transpose(1, 2).contiguous().view(len(query), -1, E))


class Decoder(nn.Module):
    """Keys and values of earlier tokens come in as a tuple, and go out again."""

    def __init__(self):
        super().__init__()
        self.num_heads, self.num_kv_heads = H, 3
        self.q_proj, self.o_proj = nn.Linear(E, E, bias=False), nn.Linear(E, E, bias=False)
        self.k_proj, self.v_proj = nn.Linear(E, 12, bias=False), nn.Linear(E, 12, bias=False)

    def forward(self, x, past_kv=None):
        q, k, v = heads_of(self.q_proj(x), H), heads_of(self.k_proj(x), 3), heads_of(self.v_proj(x), 3)
        if past_kv is not None:
            k, v = torch.cat([past_kv[0], k], 2), torch.cat([past_kv[1], v], 2)
        L, S = q.shape[2], k.shape[2]
        mask = torch.arange(S) <= torch.arange(S - L, S)[:, None]
        y = F.scaled_dot_product_attention(q, k, v, mask, enable_gqa=True)
        return self.o_proj(y.transpose(1, 2).flatten(2)), (k, v)


def turned(x, positions):
    angle = positions[:, None] * 100.0 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    a, b = x.chunk(2, -1)
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1).to(x)


class Rotary(Fused):
    def forward(self, x):
        q, k, v = self.to_qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        at = torch.arange(x.shape[1])
        y = F.scaled_dot_product_attention(turned(q, at), turned(k, at), v, is_causal=True)
        return self.to_out(y.transpose(1, 2).flatten(2))


class Chunks(Fused):
    """The queries two at a time."""

    def forward(self, x):
        q, k, v = self.to_qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        parts = [(part @ k.mT * D**-0.5).softmax(-1) @ v for part in q.split(2, dim=2)]
        return self.to_out(torch.cat(parts, 2).transpose(1, 2).flatten(2))


def length_before_heads(q, k, v, causal=False):
    """(B, L, H, D), as flash attention takes it; grouped heads are repeated."""
    q, k, v = (t.transpose(1, 2) for t in (q, k, v))
    k, v = (t.repeat_interleave(q.shape[1] // t.shape[1], 1) for t in (k, v))
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril(k.shape[2] - q.shape[2]) if causal else None
    return F.scaled_dot_product_attention(q, k, v, mask).transpose(1, 2)


def loops(Q, K, V):
    """One head, row by row."""
    rows = []
    for q in Q:
        scores = torch.stack([(q * k).sum() / math.sqrt(len(q)) for k in K])
        powers = (scores - scores.max()).exp()
        rows.append(sum(p / powers.sum() * v for p, v in zip(powers, V, strict=True)))
    return torch.stack(rows)


def tiles(q, k, v):
    """Keys three at a time, with the running maximum and sum of online softmax."""
    top = torch.full_like(q[..., :1], -math.inf)
    total, out = torch.zeros_like(top), torch.zeros(*q.shape[:-1], v.shape[-1])
    for some_k, some_v in zip(k.split(3, -2), v.split(3, -2), strict=True):
        scores = q / math.sqrt(q.shape[-1]) @ some_k.mT
        new = torch.maximum(top, scores.amax(-1, keepdim=True))
        p, shrink = (scores - new).exp(), (top - new).exp()
        total, out, top = total * shrink + p.sum(-1, keepdim=True), out * shrink + p @ some_v, new
    return out / total


def heads_in_the_batch(q, k, v, mask=None):
    weights = torch.baddbmm(torch.zeros(1, 1, 1), q, k.transpose(1, 2), beta=0, alpha=q.shape[-1] ** -0.5)
    if mask is not None:
        weights = weights.masked_fill(~mask, -math.inf)
    return torch.bmm(weights.softmax(-1), v)


_matrices = {role: nn.Linear(E, E) for role in "qkvo"}


def on_x(x):
    q, k, v = (heads_of(_matrices[role](x), H) for role in "qkv")
    return _matrices["o"](F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))


RIGHT = {
    **{style: (lambda style=style: made(text_of(style), E, H, 3 if style == "grouped" else None), {}) for style in STYLES},
    "this package's layer": (lambda: attn.MultiHeadAttention(E, H, dropout=0.1), {}),
    "this package's layer, heads of other widths": (lambda: attn.MultiHeadAttention(E, H, G=2, D=5, Dv=3), {}),
    "this package's layer with its cache": (
        lambda: attn.MultiHeadAttention(E, H, G=3),
        {"cache": lambda: attn.KVCache(2, 3, 64, D)},
    ),
    "PyTorch's layer": (lambda: nn.MultiheadAttention(E, H, batch_first=True), {"empty_rows": False}),
    "PyTorch's layer, batch second": (lambda: nn.MultiheadAttention(E, H), {"empty_rows": False}),
    "always causal": (AlwaysCausal, {}),
    "fused": (Fused, {}),
    "packed head by head": (HeadByHead, {}),
    "a list of heads": (ListOfHeads, {}),
    "weights of three axes": (Tensors, {}),
    "x @ W": (Matrices, {}),
    "stored (in, out)": (StoredInOut, {}),
    "additive mask": (Additive, {}),
    "padding hidden, one key head": (PaddingHidden, {}),
    "query, key, value": (FourInARow, {"empty_rows": False}),
    "keys and values handed on": (Decoder, {}),
    "rotary positions": (Rotary, {"rotary": turned}),
    "queries in chunks": (Chunks, {}),
    "this package's function": (lambda: attn.attention, {}),
    "length before heads": (lambda: length_before_heads, {}),
    "one head, in loops": (lambda: loops, {}),
    "tiles": (lambda: tiles, {}),
    "heads in the batch": (lambda: heads_in_the_batch, {"empty_rows": False}),
    "a function of x": (lambda: on_x, {"weights": _matrices, "H": H}),
}
