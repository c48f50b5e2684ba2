# Positions: rotary, sinusoidal, learned, relative, ALiBi.

### rotate-half | right
import torch

def rotate_half(x):
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)

def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    return (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)

dim, L = 6, 4
inv_freq = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
freqs = torch.outer(torch.arange(L).float(), inv_freq)
emb = torch.cat((freqs, freqs), dim=-1)[None]
q, k = torch.randn(2, 3, L, dim), torch.randn(2, 3, L, dim)
rq, rk = apply_rotary_pos_emb(q, k, emb.cos(), emb.sin())
print(rq.shape, torch.allclose(rq.norm(dim=-1), q.norm(dim=-1), atol=1e-5))

### interleaved-rope | right
import torch

def rope(x, base=10000.0):
    b, n, h, d = x.shape
    theta = base ** (-torch.arange(0, d, 2) / d)
    angle = torch.arange(n)[:, None] * theta
    c, s = angle.cos()[None, :, None, :], angle.sin()[None, :, None, :]
    even, odd = x[..., 0::2], x[..., 1::2]
    out = torch.stack([even * c - odd * s, even * s + odd * c], dim=-1)
    return out.flatten(-2)

x = torch.randn(1, 5, 2, 4)
y = rope(x)
print(torch.equal(y[:, 0], x[:, 0]), y.shape, y.is_contiguous())

### rope-cache-module | right
import torch
import torch.nn as nn

class RoPE(nn.Module):
    def __init__(self, d, max_len=16):
        super().__init__()
        inv = 1 / 10_000 ** (torch.arange(0, d, 2) / d)
        t = torch.arange(max_len).float()
        f = torch.einsum("i,j->ij", t, inv)
        self.register_buffer("cos", f.cos().repeat(1, 2))
        self.register_buffer("sin", f.sin().repeat(1, 2))

    def forward(self, x, offset: int = 0):
        n = x.size(-2)
        cos, sin = self.cos[offset:offset + n], self.sin[offset:offset + n]
        a, b = x.chunk(2, dim=-1)
        return x * cos + torch.cat([-b, a], -1) * sin

r = RoPE(4)
q = torch.randn(2, 3, 4)
k = torch.randn(2, 3, 4)
near = (r(q) @ r(k).mT)
far = (r(q, 9) @ r(k, 9).mT)
print((near - far).abs().max().item() < 1e-5)

### position-ids-indexing | right
import torch

cos_cached = torch.arange(20.).view(10, 2).cos()
position_ids = torch.tensor([[0, 1, 2], [4, 5, 6]])
cos = cos_cached[position_ids].unsqueeze(1)
q = torch.ones(2, 3, 3, 2)
print((q * cos).shape, cos[1, 0])

### sinusoidal-module | right
import math
import torch
from torch import nn

class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.0, max_len=50):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        x = x + self.pe[:, : x.size(1)].requires_grad_(False)
        return self.dropout(x)

enc = PositionalEncoding(8)
y = enc(torch.zeros(1, 5, 8))
print(y[0, :3])

### sinusoid-table-python | right
import math
import torch

def table(n, d):
    def angle(pos, i):
        return pos / math.pow(10000, 2 * (i // 2) / d)
    rows = [[angle(p, i) for i in range(d)] for p in range(n)]
    t = torch.tensor(rows)
    t[:, 0::2] = torch.sin(t[:, 0::2])
    t[:, 1::2] = torch.cos(t[:, 1::2])
    return t

pe = table(4, 6)
print(pe)

### learned-positions | right
import torch
import torch.nn as nn

vocab, block, dim = 13, 8, 6
tok = nn.Embedding(vocab, dim)
pos = nn.Embedding(block, dim)
idx = torch.randint(vocab, (2, 5))
x = tok(idx) + pos(torch.arange(idx.shape[1], device=idx.device))
print(idx)
print(x.shape)

### alibi-slopes | right
import math
import torch

def get_slopes(n):
    def power_of_2(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start ** i for i in range(n)]
    if math.log2(n).is_integer():
        return power_of_2(n)
    closest = 2 ** math.floor(math.log2(n))
    return power_of_2(closest) + get_slopes(2 * closest)[0::2][: n - closest]

print(get_slopes(4))
print(len(get_slopes(6)))
slopes = torch.tensor(get_slopes(4))
L = 5
distance = torch.arange(L)[None, :] - torch.arange(L)[:, None]
bias = slopes[:, None, None] * distance.tril()
att = (torch.randn(2, 4, L, L) + bias).masked_fill(torch.ones(L, L).triu(1).bool(), float("-inf")).softmax(-1)
print(bias[0])

### relative-bias-table | right
import torch
import torch.nn as nn

class RelativeBias(nn.Module):
    def __init__(self, heads, max_distance):
        super().__init__()
        self.max = max_distance
        self.bias = nn.Embedding(2 * max_distance + 1, heads)

    def forward(self, L, S):
        rel = torch.arange(S)[None, :] - torch.arange(L)[:, None]
        rel = rel.clamp(-self.max, self.max) + self.max
        return self.bias(rel).permute(2, 0, 1)

rb = RelativeBias(3, 2)
b = rb(4, 6)
print(b.shape, b.stride())

### t5-buckets | right
import math
import torch

def bucket(relative_position, num_buckets=8, max_distance=20):
    n = -relative_position
    n = torch.max(n, torch.zeros_like(n))
    max_exact = num_buckets // 2
    is_small = n < max_exact
    large = max_exact + (
        torch.log(n.float() / max_exact) / math.log(max_distance / max_exact) * (num_buckets - max_exact)
    ).to(torch.long)
    large = torch.min(large, torch.full_like(large, num_buckets - 1))
    return torch.where(is_small, n, large)

ctx = torch.arange(9)[:, None]
mem = torch.arange(9)[None, :]
print(bucket(mem - ctx)[-1])

### skew-trick | right
# Relative scores (query, distance) into (query, key) by padding and reshaping.
import torch
import torch.nn.functional as F

L, D = 4, 3
q = torch.randn(1, L, D)
E = torch.randn(L, D)
rel = q @ E.T
padded = F.pad(rel, (1, 0))
skewed = padded.view(1, L + 1, L)[:, 1:]
want = torch.stack([q[0, i] @ E[L - 1] for i in range(L)])
print(torch.allclose(skewed[0].diagonal(), want))

### window-relative-index | right
import torch

w = 3
coords = torch.stack(torch.meshgrid(torch.arange(w), torch.arange(w), indexing="ij"))
flat = torch.flatten(coords, 1)
rel = flat[:, :, None] - flat[:, None, :]
rel = rel.permute(1, 2, 0).contiguous()
rel[:, :, 0] += w - 1
rel[:, :, 1] += w - 1
rel[:, :, 0] *= 2 * w - 1
index = rel.sum(-1)
print(index[0], index.max())
table = torch.randn((2 * w - 1) ** 2, 2)
bias = table[index.view(-1)].view(w * w, w * w, -1).permute(2, 0, 1).contiguous()

### class-token | right
import torch
import torch.nn as nn

B, N, C = 2, 4, 6
cls = nn.Parameter(torch.zeros(1, 1, C))
pos = nn.Parameter(torch.randn(1, N + 1, C) * .02)
x = torch.randn(B, N, C)
x = torch.cat((cls.expand(B, -1, -1), x), dim=1) + pos
print(x.shape, x[:, 0].shape)

### patchify | right
import torch

img = torch.arange(2 * 3 * 4 * 4.).reshape(2, 3, 4, 4)
p = 2
patches = img.unfold(2, p, p).unfold(3, p, p)
print(patches.shape, patches.stride())
tokens = patches.permute(0, 2, 3, 1, 4, 5).reshape(2, 4, -1)
other = img.reshape(2, 3, 2, p, 2, p).permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)
print(torch.equal(tokens, other))
