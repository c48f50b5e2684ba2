# Written apart from the others, as readers paste: classes of tutorials, small functions, questions of forums.

### pasted-selfattention-v1 | right
import torch.nn as nn
import torch

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        keys = x @ self.W_key
        queries = x @ self.W_query
        values = x @ self.W_value
        omega = queries @ keys.T
        weights = torch.softmax(omega / keys.shape[-1] ** 0.5, dim=-1)
        return weights @ values

torch.manual_seed(123)
sa = SelfAttention_v1(3, 2)
inputs = torch.rand(6, 3)
print(sa(inputs))

### pasted-causal-batch | right
import torch
import torch.nn as nn

class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer('mask', torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys, queries, values = self.W_key(x), self.W_query(x), self.W_value(x)
        scores = queries @ keys.transpose(1, 2)
        scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        w = torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)
        return self.dropout(w) @ values

torch.manual_seed(123)
batch = torch.stack((torch.rand(6, 3),) * 2, dim=0)
ca = CausalAttention(3, 2, batch.shape[1], 0.0)
vecs = ca(batch)
print("vecs.shape:", vecs.shape)
print(vecs[0] == vecs[1])

### pasted-wrapper-of-heads | right
import torch
import torch.nn as nn

class Tiny(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d, h, bias=False) for _ in range(3))
    def forward(self, x):
        return torch.softmax(self.q(x) @ self.k(x).transpose(-1, -2), -1) @ self.v(x)

class Wrapper(nn.Module):
    def __init__(self, d, h, n):
        super().__init__()
        self.heads = nn.ModuleList([Tiny(d, h) for _ in range(n)])
    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)

w = Wrapper(4, 3, 2)
print(w)
print(w(torch.randn(2, 5, 4)).shape, len(list(w.modules())), [n for n, _ in w.named_children()])

### memory-efficient-chunks | right
import torch

def chunked(q, k, v, size=2):
    out = []
    for qi in q.split(size, dim=1):
        w = torch.baddbmm(torch.empty(qi.shape[0], qi.shape[1], k.shape[1]).zero_(), qi, k.transpose(1, 2), beta=0, alpha=q.shape[-1] ** -0.5)
        out.append(torch.bmm(w.softmax(dim=-1), v))
    return torch.cat(out, dim=1)

q, k, v = torch.randn(2, 5, 4), torch.randn(2, 7, 4), torch.randn(2, 7, 3)
a = chunked(q, k, v)
b = torch.nn.functional.scaled_dot_product_attention(q, k, v)
print((a - b).abs().max().item() < 1e-5, a.shape)

### decoder-with-loop-over-layers | right
import torch
import torch.nn as nn
import torch.nn.functional as F

class Layer(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, h, batch_first=True)
        self.mlp = nn.Sequential()
        self.mlp.add_module("fc", nn.Linear(d, 4 * d))
        self.mlp.add_module("act", nn.GELU())
        self.mlp.add_module("proj", nn.Linear(4 * d, d))

    def forward(self, x, mask):
        h = self.ln_1(x)
        x = x + self.attn(h, h, h, attn_mask=mask, need_weights=False)[0]
        return x + self.mlp(self.ln_2(x))

class Decoder(nn.Module):
    def __init__(self, vocab=11, d=8, h=2, n=2, length=6):
        super().__init__()
        self.wte = nn.Embedding(vocab, d)
        self.wpe = nn.Parameter(0.01 * torch.randn(length, d))
        self.h = nn.ModuleList(Layer(d, h) for _ in range(n))
        self.ln_f = nn.LayerNorm(d)
        self.lm_head = nn.Linear(d, vocab, bias=False)

    def forward(self, idx):
        T = idx.size(1)
        x = self.wte(idx) + self.wpe[:T]
        mask = torch.triu(torch.full((T, T), float("-inf")), diagonal=1)
        for block in self.h:
            x = block(x, mask)
        return self.lm_head(self.ln_f(x))

net = Decoder().eval()
idx = torch.tensor([[1, 2, 3, 4], [4, 3, 2, 1]])
logits = net(idx)
probs = F.softmax(logits[:, -1, :], dim=-1)
print(logits.shape, probs.sum(dim=-1))

### attention-with-config-dict | right
import torch
import torch.nn as nn

GPT_CONFIG = {
    "vocab_size": 23,
    "context_length": 8,
    "emb_dim": 12,
    "n_heads": 3,
    "drop_rate": 0.1,
    "qkv_bias": False,
}

class Attn(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        for key, value in cfg.items():
            setattr(self, key, value)
        self.head_dim = cfg["emb_dim"] // cfg["n_heads"]
        self.qkv = nn.Linear(self.emb_dim, 3 * self.emb_dim, bias=self.qkv_bias)

    def forward(self, x):
        b, t, _ = x.shape
        qkv = self.qkv(x).view(b, t, 3, self.n_heads, self.head_dim)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        return (q @ k.mT).mul_(self.head_dim ** -0.5).softmax(-1).matmul(v)

out = Attn({**GPT_CONFIG, "n_heads": 4})(torch.randn(2, 5, 12))
print(out.size(), out.stride())

### relative-shift-transformer-xl | right
import torch

def rel_shift(x):
    zero_pad = torch.zeros((x.size(0), 1, *x.size()[2:]), dtype=x.dtype)
    x_padded = torch.cat([zero_pad, x], dim=1)
    x_padded = x_padded.view(x.size(1) + 1, x.size(0), *x.size()[2:])
    return x_padded[1:].view_as(x)

x = torch.arange(12.).view(3, 4, 1, 1)
y = rel_shift(x)
print(y.squeeze())

### disentangled-terms | right
import torch

L, d = 4, 3
Hc, P = torch.randn(L, d), torch.randn(2 * L, d)
idx = (torch.arange(L)[:, None] - torch.arange(L)[None, :] + L).clamp(0, 2 * L - 1)
c2c = Hc @ Hc.T
c2p = torch.gather(Hc @ P.T, dim=1, index=idx)
p2c = torch.gather(Hc @ P.T, 1, idx).t()
A = ((c2c + c2p + p2c) / (3 * d) ** 0.5).softmax(-1)
print(A.shape, idx)

### logits-soft-cap | right
import torch

cap = 5.0
scores = 10 * torch.randn(2, 3, 3)
capped = cap * torch.tanh(scores / cap)
w = torch.softmax(capped, dim=-1, dtype=torch.float32).to(scores.dtype)
print(capped.abs().max() <= cap, w.sum(-1))

### qk-norm | right
import torch
import torch.nn as nn

class QKNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query_norm = nn.RMSNorm(dim)
        self.key_norm = nn.RMSNorm(dim)

    def forward(self, q, k, v):
        return self.query_norm(q).to(v), self.key_norm(k).to(v)

norm = QKNorm(4)
q, k = norm(torch.randn(1, 2, 3, 4), torch.randn(1, 2, 3, 4), torch.randn(1, 2, 3, 4))
print(q.pow(2).mean(-1), norm)

### ntk-scaled-rope | right
import math
import torch

def inv_freq(dim, base=10000.0, scale=1.0):
    base = base * scale ** (dim / (dim - 2))
    return 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.int64).float() / dim))

short, long = inv_freq(8), inv_freq(8, scale=4.0)
t = torch.arange(3, dtype=short.dtype)
freqs = torch.einsum("i , j -> i j", t, long)
emb = torch.cat((freqs, freqs), dim=-1)
cos, sin = emb.cos()[None, None, :, :], emb.sin()[None, None, :, :]
wavelength = 2 * math.pi / short
print(cos.shape, (short / long).round(decimals=3), wavelength[0].item())

### two-dimensional-rope | right
import torch

h, w, d = 2, 3, 8
ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
pos = torch.stack([ys.flatten(), xs.flatten()], dim=-1).float()
freq = 100 ** -(torch.arange(d // 4) / (d // 4))
ang = (pos[:, :, None] * freq).flatten(1)
q = torch.randn(1, h * w, d)
a, b = q[..., : d // 2], q[..., d // 2:]
r = torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], dim=-1)
print(ang.shape, torch.allclose(r.norm(dim=-1), q.norm(dim=-1)))

### cls-attention-map | right
import torch
import torch.nn.functional as F

attn = torch.rand(1, 3, 10, 10).softmax(dim=-1)
cls_map = attn[0, :, 0, 1:].reshape(3, 3, 3)
up = F.interpolate(cls_map.unsqueeze(0), scale_factor=2, mode="nearest")[0]
threshold = cls_map.flatten(1).quantile(0.5, dim=1)
print(up.shape, threshold.shape)

### token-dropping | right
import torch

x = torch.randn(2, 6, 4)
scores = torch.rand(2, 6)
keep = scores.topk(3, dim=1).indices.sort(dim=1).values
kept = torch.gather(x, 1, keep.unsqueeze(-1).expand(-1, -1, x.size(-1)))
rows = x[torch.arange(2)[:, None], keep]
print(torch.equal(kept, rows), kept.shape)

### scheduled-mask-growth | right
import torch

for n in range(1, 4):
    m = torch.full((n, n), fill_value=float("-inf")).triu_(1)
    print(n, m.tolist())

### unpad-and-repad | right
import torch

x = torch.randn(2, 4, 3)
mask = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0]])
seqlens = mask.sum(dim=-1, dtype=torch.int32)
indices = torch.nonzero(mask.flatten(), as_tuple=False).flatten()
cu = torch.nn.functional.pad(torch.cumsum(seqlens, dim=0, dtype=torch.int32), (1, 0))
packed = x.reshape(-1, 3)[indices]
back = torch.zeros(8, 3)
back[indices] = packed
print(cu, packed.shape, torch.equal(back.view(2, 4, 3), x * mask[..., None]))

### stable-mask-value | right
import torch

def masked_softmax(logits, mask, dim=-1):
    logits = logits + torch.where(mask, 0.0, torch.finfo(logits.dtype).min)
    logits = logits - logits.max(dim=dim, keepdim=True)[0].detach()
    w = logits.exp() * mask
    return w / w.sum(dim=dim, keepdim=True).clamp_min(torch.finfo(w.dtype).tiny)

mask = torch.tensor([[True, True, False], [False, False, False]])
print(masked_softmax(torch.randn(2, 3), mask))

### softmax-jacobian | right
import torch

s = torch.softmax(torch.tensor([1.0, 2.0, 0.0]), 0)
J = torch.diag(s) - torch.outer(s, s)
print(J)
print(J.sum(0).abs().max().item() < 1e-6, torch.trace(J))

### flops-table | right
B, L, E, H = 2, 128, 64, 8
D = E // H
rows = [
    ("qkv", 2 * B * L * E * 3 * E),
    ("scores", 2 * B * H * L * L * D),
    ("context", 2 * B * H * L * L * D),
    ("out", 2 * B * L * E * E),
]
total = sum(f for _, f in rows)
for name, f in rows:
    print(f"{name:<8}{f:>12,d}{f / total:>8.1%}")
print(f"{'total':<8}{total:>12.2e}")

### einsum-dictionary-of-sizes | right
import torch

def sizes_of(pattern, *tensors):
    sizes = {}
    for names, t in zip(pattern.split("->")[0].split(","), tensors):
        assert len(names) == t.dim(), (names, t.shape)
        sizes.update(zip(names, t.shape))
    return sizes

q, k = torch.randn(2, 3, 4, 5), torch.randn(2, 3, 6, 5)
print(sizes_of("bhqd,bhkd->bhqk", q, k))
s = torch.einsum("bhqd,bhkd->bhqk", q, k)

### forum-wrong-permute-back | wrong: the last permute puts heads before tokens
import torch

x = torch.randn(2, 5, 3, 4)
h = x.permute(0, 2, 1, 3)
y = h.permute(0, 1, 3, 2).contiguous().view(2, 5, 12)
print(torch.equal(y, x.reshape(2, 5, 12)))

### forum-repeat-of-mask | wrong: repeat puts the heads of one batch apart
import torch

mask = torch.tensor([[True, False], [True, True]])
per_head = mask.repeat(3, 1)
right = mask.repeat_interleave(3, dim=0)
print(per_head.int().tolist(), right.int().tolist())

### forum-values-of-other-batch | wrong: reshape with the batch last mixes sequences
import torch

v = torch.arange(12.).view(2, 3, 2)
mixed = v.reshape(3, 2, 2).transpose(0, 1)
print(mixed[0], v[0])

### forum-softmax-then-mask-fill | wrong: minus infinity after the softmax
import torch

w = torch.softmax(torch.zeros(2, 2), -1).masked_fill(torch.ones(2, 2).triu(1).bool(), float("-inf"))
print(w @ torch.ones(2, 1))

### forum-view-error-in-merge | raises RuntimeError
import torch
import torch.nn as nn

class MHA(nn.Module):
    def __init__(self, d_model=12, n_head=3):
        super().__init__()
        self.n_head, self.d_k = n_head, d_model // n_head
        self.fc = nn.Linear(d_model, d_model)

    def forward(self, q, k, v):
        bs = q.size(0)
        q, k, v = [t.view(bs, -1, self.n_head, self.d_k).transpose(1, 2) for t in (q, k, v)]
        w = torch.softmax(q @ k.transpose(-2, -1) / self.d_k ** 0.5, dim=-1)
        ctx = (w @ v).transpose(1, 2)
        ctx = ctx.view(bs, -1, self.n_head * self.d_k)
        return self.fc(ctx)

x = torch.randn(2, 5, 12)
y = MHA()(x, x, x)

### forum-cross-lengths | raises RuntimeError
import torch

def attention(q, k, v, mask):
    s = torch.einsum("bqd,bkd->bqk", q, k)
    s = s.masked_fill(~mask, -1e9)
    return torch.einsum("bqk,bkd->bqd", s.softmax(-1), v)

q, kv = torch.randn(2, 4, 8), torch.randn(2, 6, 8)
causal = torch.ones(4, 4).tril().bool()
out = attention(q, kv, kv, causal)

### forum-list-of-heads-to-linear | raises TypeError
import torch
import torch.nn as nn
heads = [torch.randn(2, 5, 4) for _ in range(3)]
out = nn.Linear(12, 12)(heads)

### forum-encoder-mask-shape | raises RuntimeError
import torch
import torch.nn as nn
mha = nn.MultiheadAttention(8, 4, batch_first=True)
q, kv = torch.randn(2, 3, 8), torch.randn(2, 6, 8)
mask = torch.ones(6, 3, dtype=torch.bool)
out, w = mha(q, kv, kv, attn_mask=mask)

### forum-positional-too-long | raises RuntimeError
import torch

pe = torch.zeros(1, 4, 6)
x = torch.randn(2, 5, 6)
x = x + pe[:, : x.size(1)]

### forum-rope-in-half | raises RuntimeError
import torch
q = torch.randn(1, 4, 2, 6)
cos = torch.randn(4, 6)
y = q * cos

### forum-missing-comma-call | raises SyntaxError
import torch
x = torch.randn(2, 6)
q, k = (x[:, :3] x[:, 3:]) if False else (x, x)(0)

### forum-int-mask-fill | raises RuntimeError
import torch
att = torch.randn(2, 3, 3)
mask = torch.ones(3, 3, dtype=torch.int64).tril()
att = att.masked_fill(1 - mask, float("-inf"))

### forum-split-head-size | raises RuntimeError
import torch
x = torch.randn(2, 5, 12)
q, k, v = torch.split(x, (4, 4, 3), dim=-1)

### forum-wrong-dimension-name | raises TypeError
import torch
x = torch.randn(2, 5, 12)
y = x.transpose(dim=1, dim2=2)

### forum-shape-with-parentheses | raises TypeError
import torch
q = torch.randn(2, 5, 12)
print(q.shape(0))

### forum-concat-cache-dtype | raises RuntimeError
import torch
past = torch.zeros(1, 2, 3, 4, dtype=torch.float16)
q = torch.randn(1, 2, 1, 4)
scores = q @ past.transpose(-2, -1)

### forum-optional-none | raises TypeError
import torch

def attend(q, k, mask=None):
    return (q @ k.mT + mask).softmax(-1)

attend(torch.ones(1, 2, 2), torch.ones(1, 2, 2))

### forum-bias-to-device | raises AttributeError
import torch
import torch.nn as nn

class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.ones(2, 2))

a = A()
print(a.mask.shape, a.bias)

### forum-argument-twice | raises TypeError
import torch
def attend(q, k, scale=1.0):
    return q @ k * scale
attend(torch.ones(2, 2), torch.ones(2, 2), 0.5, scale=0.5)

### forum-keyword-typo | raises TypeError
import torch
import torch.nn.functional as F
q = torch.randn(1, 1, 2, 4)
out = F.scaled_dot_product_attention(q, q, q, mask=None)
