# Several heads: packed and separate projections, loops over heads, grouped and shared heads, cross attention.

### mha-separate-linears | right
import torch
import torch.nn as nn

class MultiHeadAttention(nn.Module):
    def __init__(self, embed_size, heads):
        super(MultiHeadAttention, self).__init__()
        self.embed_size = embed_size
        self.heads = heads
        self.head_dim = embed_size // heads
        assert self.head_dim * heads == embed_size, "embed_size must be divisible by heads"
        self.to_queries = nn.Linear(embed_size, embed_size, bias=False)
        self.to_keys = nn.Linear(embed_size, embed_size, bias=False)
        self.to_values = nn.Linear(embed_size, embed_size, bias=False)
        self.unify = nn.Linear(embed_size, embed_size)

    def forward(self, values, keys, queries, mask=None):
        N = queries.shape[0]
        v_len, k_len, q_len = values.shape[1], keys.shape[1], queries.shape[1]
        values = self.to_values(values).reshape(N, v_len, self.heads, self.head_dim)
        keys = self.to_keys(keys).reshape(N, k_len, self.heads, self.head_dim)
        queries = self.to_queries(queries).reshape(N, q_len, self.heads, self.head_dim)
        energy = torch.einsum("nqhd,nkhd->nhqk", [queries, keys])
        if mask is not None:
            energy = energy.masked_fill(mask == 0, float("-1e20"))
        attention = torch.softmax(energy / (self.head_dim ** (1 / 2)), dim=3)
        out = torch.einsum("nhql,nlhd->nqhd", [attention, values]).reshape(N, q_len, self.heads * self.head_dim)
        return self.unify(out)

mha = MultiHeadAttention(12, 3)
x = torch.randn(2, 5, 12)
out = mha(x, x, x, torch.ones(2, 1, 1, 5))
print(out.shape)

### mha-packed-chunk | right
import torch
from torch import nn

class SelfAttention(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, c = x.shape
        qkv = self.qkv(x)
        q, k, v = qkv.chunk(3, dim=-1)
        split = lambda t: t.view(b, n, self.num_heads, c // self.num_heads).transpose(1, 2)
        q, k, v = map(split, (q, k, v))
        attn = (q @ k.transpose(-1, -2)) * (c // self.num_heads) ** -0.5
        attn = attn.softmax(dim=-1)
        return self.proj((attn @ v).transpose(1, 2).reshape(b, n, c))

layer = SelfAttention(8, 2).eval()
with torch.no_grad():
    y = layer(torch.randn(3, 4, 8))
print(y.shape, y.requires_grad)

### vit-qkv-permute | right
import torch
import torch.nn as nn

class Attention(nn.Module):
    def __init__(self, dim, num_heads=8, qkv_bias=False, attn_drop=0., proj_drop=0.):
        super().__init__()
        self.num_heads = num_heads
        head_dim = dim // num_heads
        self.scale = head_dim ** -0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.attn_drop = nn.Dropout(attn_drop)
        self.proj = nn.Linear(dim, dim)
        self.proj_drop = nn.Dropout(proj_drop)

    def forward(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = (q @ k.transpose(-2, -1)) * self.scale
        attn = self.attn_drop(attn.softmax(dim=-1))
        x = (attn @ v).transpose(1, 2).reshape(B, N, C)
        return self.proj_drop(self.proj(x))

patches = torch.randn(2, 9, 16)
block = Attention(16, num_heads=4, qkv_bias=True)
z = block(patches)
print(z.shape, z.is_contiguous())

### causal-gpt-style | right
import math
from dataclasses import dataclass
import torch
import torch.nn as nn
from torch.nn import functional as F

@dataclass
class ModelArgs:
    n_head: int = 3
    n_embd: int = 12
    context: int = 8
    bias: bool = False

class CausalAttention(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        assert args.n_embd % args.n_head == 0
        self.qkv = nn.Linear(args.n_embd, 3 * args.n_embd, bias=args.bias)
        self.out = nn.Linear(args.n_embd, args.n_embd, bias=args.bias)
        self.n_head = args.n_head
        self.n_embd = args.n_embd
        tri = torch.tril(torch.ones(args.context, args.context))
        self.register_buffer("tri", tri.view(1, 1, args.context, args.context))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.qkv(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.tri[:, :, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.out(y)

args = ModelArgs(n_head=2)
model = CausalAttention(args)
x = torch.randn(2, 5, args.n_embd)
y = model(x)
print(args)
print(y.shape)

### head-per-module | right
import torch
import torch.nn as nn

class Head(nn.Module):
    """One head of self-attention."""
    def __init__(self, n_embd, head_size, block_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer('tril', torch.tril(torch.ones(block_size, block_size)))

    def forward(self, x):
        B, T, C = x.shape
        k = self.key(x)
        q = self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))
        wei = wei.softmax(dim=-1)
        return wei @ self.value(x)

class MultiHead(nn.Module):
    def __init__(self, n_embd, num_heads, block_size):
        super().__init__()
        head_size = n_embd // num_heads
        self.heads = nn.ModuleList([Head(n_embd, head_size, block_size) for _ in range(num_heads)])
        self.proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        return self.proj(torch.cat([h(x) for h in self.heads], dim=-1))

torch.manual_seed(1337)
mh = MultiHead(8, 4, 10)
out = mh(torch.randn(2, 6, 8))
print(out[0])
print(sum(p.numel() for p in mh.parameters()))

### loop-over-heads | right
import torch

B, L, E, H = 2, 5, 12, 4
D = E // H
x = torch.randn(B, L, E)
Wq, Wk, Wv, Wo = [torch.randn(E, E) / E ** 0.5 for _ in range(4)]
Q, K, V = x @ Wq, x @ Wk, x @ Wv
pieces = []
for h in range(H):
    s = slice(h * D, (h + 1) * D)
    A = torch.softmax(Q[:, :, s] @ K[:, :, s].transpose(1, 2) / D ** 0.5, dim=-1)
    pieces.append(A @ V[:, :, s])
loop = torch.cat(pieces, dim=2) @ Wo

def fold(t):
    return t.view(B, L, H, D).permute(0, 2, 1, 3)

A = torch.softmax(fold(Q) @ fold(K).transpose(2, 3) / D ** 0.5, dim=-1)
batched = (A @ fold(V)).permute(0, 2, 1, 3).reshape(B, L, E) @ Wo
print((loop - batched).abs().max() < 1e-5)

### sum-of-heads-view | right
# The output projection of joined heads is a sum of one product per head.
import torch

H, L, D, E = 3, 4, 2, 6
heads = torch.randn(H, L, D)
Wo = torch.randn(E, E)
joined = heads.transpose(0, 1).reshape(L, E) @ Wo
summed = sum(heads[h] @ Wo[h * D:(h + 1) * D] for h in range(H))
parts = torch.stack([heads[h] @ Wo[h * D:(h + 1) * D] for h in range(H)])
print(torch.allclose(joined, summed, atol=1e-5), parts.shape)

### fold-heads-into-batch | right
import torch

def transpose_qkv(X, num_heads):
    X = X.reshape(X.shape[0], X.shape[1], num_heads, -1)
    X = X.permute(0, 2, 1, 3)
    return X.reshape(-1, X.shape[2], X.shape[3])

def transpose_output(X, num_heads):
    X = X.reshape(-1, num_heads, X.shape[1], X.shape[2])
    X = X.permute(0, 2, 1, 3)
    return X.reshape(X.shape[0], X.shape[1], -1)

X = torch.randn(2, 4, 10)
folded = transpose_qkv(X, 5)
back = transpose_output(folded, 5)
print(folded.shape, torch.equal(back, X))

### cat-split-heads | right
import torch

def split_heads(x, n):
    return torch.cat(torch.chunk(x, n, dim=2), dim=0)

def join_heads(x, n):
    return torch.cat(torch.chunk(x, n, dim=0), dim=2)

x = torch.randn(2, 3, 8)
y = split_heads(x, 4)
print(y.shape)
assert torch.equal(join_heads(y, 4), x)

### transposed-for-scores | right
import torch
from torch import nn
import math

class SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config["hidden_size"] % config["num_attention_heads"] != 0:
            raise ValueError("hidden size and heads do not fit")
        self.num_attention_heads = config["num_attention_heads"]
        self.attention_head_size = int(config["hidden_size"] / config["num_attention_heads"])
        self.all_head_size = self.num_attention_heads * self.attention_head_size
        self.query = nn.Linear(config["hidden_size"], self.all_head_size)
        self.key = nn.Linear(config["hidden_size"], self.all_head_size)
        self.value = nn.Linear(config["hidden_size"], self.all_head_size)
        self.dropout = nn.Dropout(config.get("dropout", 0.1))

    def transpose_for_scores(self, x):
        new_shape = x.size()[:-1] + (self.num_attention_heads, self.attention_head_size)
        x = x.view(new_shape)
        return x.permute(0, 2, 1, 3)

    def forward(self, hidden_states, attention_mask=None):
        q = self.transpose_for_scores(self.query(hidden_states))
        k = self.transpose_for_scores(self.key(hidden_states))
        v = self.transpose_for_scores(self.value(hidden_states))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.attention_head_size)
        if attention_mask is not None:
            scores = scores + attention_mask
        probs = self.dropout(nn.functional.softmax(scores, dim=-1))
        context = torch.matmul(probs, v).permute(0, 2, 1, 3).contiguous()
        context = context.view(context.size()[:-2] + (self.all_head_size,))
        return context, probs

config = {"hidden_size": 12, "num_attention_heads": 4}
m = SelfAttention(config).eval()
mask = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
extended = (1.0 - mask[:, None, None, :].float()) * -10000.0
ctx, probs = m(torch.randn(2, 5, 12), extended)
print(ctx.shape, probs[0, 0, 0])

### star-shape-view | right
import torch

x = torch.randn(2, 5, 12)
input_shape = x.shape[:-1]
hidden_shape = (*input_shape, -1, 4)
q = x.view(hidden_shape).transpose(1, 2)
back = q.transpose(1, 2).reshape(*input_shape, -1).contiguous()
print(hidden_shape, q.shape, torch.equal(back, x))

### grouped-repeat-kv | right
import torch

def repeat_kv(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    bs, slen, n_kv, head_dim = x.shape
    if n_rep == 1:
        return x
    return (
        x[:, :, :, None, :]
        .expand(bs, slen, n_kv, n_rep, head_dim)
        .reshape(bs, slen, n_kv * n_rep, head_dim)
    )

k = torch.randn(2, 4, 3, 5)
big = repeat_kv(k, 2)
print(big.shape, torch.equal(big, k.repeat_interleave(2, dim=2)))

### grouped-query-module | right
import torch
import torch.nn as nn
import torch.nn.functional as F

class GQA(nn.Module):
    def __init__(self, hidden, n_heads, n_kv_heads):
        super().__init__()
        assert n_heads % n_kv_heads == 0
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.head_dim = hidden // n_heads
        self.wq = nn.Linear(hidden, n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(hidden, n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(hidden, n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(n_heads * self.head_dim, hidden, bias=False)

    def forward(self, x):
        bsz, seqlen, _ = x.shape
        xq = self.wq(x).view(bsz, seqlen, self.n_heads, self.head_dim).transpose(1, 2)
        xk = self.wk(x).view(bsz, seqlen, self.n_kv_heads, self.head_dim).transpose(1, 2)
        xv = self.wv(x).view(bsz, seqlen, self.n_kv_heads, self.head_dim).transpose(1, 2)
        rep = self.n_heads // self.n_kv_heads
        xk = xk.repeat_interleave(rep, dim=1)
        xv = xv.repeat_interleave(rep, dim=1)
        o = F.scaled_dot_product_attention(xq, xk, xv, is_causal=True)
        return self.wo(o.transpose(1, 2).contiguous().view(bsz, seqlen, -1))

net = GQA(24, 6, 2)
for name, p in net.named_parameters():
    print(name, tuple(p.shape))
y = net(torch.randn(2, 5, 24))
print(y.shape)

### grouped-without-copies | right
import torch

B, H, G, L, S, D = 2, 6, 3, 4, 5, 7
q = torch.randn(B, H, L, D)
k = torch.randn(B, G, S, D)
v = torch.randn(B, G, S, D)
qg = q.view(B, G, H // G, L, D)
scores = qg @ k.unsqueeze(2).transpose(-1, -2) / D ** 0.5
out = (scores.softmax(-1) @ v.unsqueeze(2)).flatten(1, 2)
long = torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
print(out.shape, torch.allclose(out, long, atol=1e-5))

### multi-query-one-kv | right
import torch
import torch.nn as nn

class MultiQuery(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.d = dim // heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * self.d, bias=False)

    def forward(self, x):
        q = self.to_q(x).unflatten(-1, (self.heads, self.d)).transpose(1, 2)
        k, v = self.to_kv(x).split(self.d, dim=-1)
        att = torch.einsum('bhid,bjd->bhij', q, k) * self.d ** -0.5
        return torch.einsum('bhij,bjd->bhid', att.softmax(-1), v)

o = MultiQuery(12, 4)(torch.randn(2, 5, 12))
print(o.shape, o.stride())

### cross-attention-context | right
import torch
from torch import nn

class CrossAttention(nn.Module):
    def __init__(self, query_dim, context_dim=None, heads=2, dim_head=4):
        super().__init__()
        inner_dim = dim_head * heads
        context_dim = context_dim if context_dim is not None else query_dim
        self.scale = dim_head ** -0.5
        self.heads = heads
        self.to_q = nn.Linear(query_dim, inner_dim, bias=False)
        self.to_k = nn.Linear(context_dim, inner_dim, bias=False)
        self.to_v = nn.Linear(context_dim, inner_dim, bias=False)
        self.to_out = nn.Sequential(nn.Linear(inner_dim, query_dim), nn.Dropout(0.0))

    def forward(self, x, context=None, mask=None):
        h = self.heads
        q = self.to_q(x)
        context = x if context is None else context
        k, v = self.to_k(context), self.to_v(context)
        q, k, v = (t.reshape(t.shape[0], t.shape[1], h, -1).permute(0, 2, 1, 3).flatten(0, 1) for t in (q, k, v))
        sim = torch.einsum('b i d, b j d -> b i j', q, k) * self.scale
        if mask is not None:
            mask = mask[:, None, None, :].expand(-1, h, sim.shape[1], -1).flatten(0, 1)
            sim.masked_fill_(~mask, -torch.finfo(sim.dtype).max)
        attn = sim.softmax(dim=-1)
        out = torch.einsum('b i j, b j d -> b i d', attn, v)
        out = out.unflatten(0, (-1, h)).transpose(1, 2).flatten(2)
        return self.to_out(out)

ca = CrossAttention(10, 6)
pixels, text = torch.randn(2, 9, 10), torch.randn(2, 4, 6)
keep = torch.tensor([[True, True, False, False], [True] * 4])
r1 = ca(pixels, text, keep)
r2 = CrossAttention(10)(pixels)
print(r1.shape, r2.shape)

### encoder-decoder-shapes | right
import torch
import torch.nn as nn

src_len, tgt_len, bsz, d = 7, 4, 2, 8
encoder_out = torch.randn(bsz, src_len, d)
decoder_in = torch.randn(bsz, tgt_len, d)
project = nn.ModuleDict({n: nn.Linear(d, d) for n in ("q", "k", "v")})
q = project["q"](decoder_in)
k = project["k"](encoder_out)
v = project["v"](encoder_out)
scores = torch.bmm(q, k.permute(0, 2, 1)).div(d ** 0.5)
weights = scores.softmax(2)
context = weights.bmm(v)
print(f"scores {tuple(scores.shape)}, context {tuple(context.shape)}")

### different-value-width | right
import torch

class Config:
    d_model = 10
    n_heads = 3
    d_k = 4
    d_v = 5

c = Config()
x = torch.randn(2, 6, c.d_model)
W_Q = torch.randn(c.d_model, c.n_heads * c.d_k)
W_K = torch.randn(c.d_model, c.n_heads * c.d_k)
W_V = torch.randn(c.d_model, c.n_heads * c.d_v)
W_O = torch.randn(c.n_heads * c.d_v, c.d_model)
q = (x @ W_Q).view(2, -1, c.n_heads, c.d_k).transpose(1, 2)
k = (x @ W_K).view(2, -1, c.n_heads, c.d_k).transpose(1, 2)
v = (x @ W_V).view(2, -1, c.n_heads, c.d_v).transpose(1, 2)
prob = torch.nn.Softmax(dim=-1)(q @ k.transpose(-1, -2) / c.d_k ** 0.5)
ctx = (prob @ v).transpose(1, 2).contiguous().view(2, -1, c.n_heads * c.d_v)
res = ctx @ W_O
print(res.shape)

### per-head-weight-tensors | right
import torch
import torch.nn as nn

class Attn(nn.Module):
    def __init__(self, n_heads, d_model, d_head):
        super().__init__()
        self.W_Q = nn.Parameter(torch.empty(n_heads, d_model, d_head))
        self.W_K = nn.Parameter(torch.empty(n_heads, d_model, d_head))
        self.W_V = nn.Parameter(torch.empty(n_heads, d_model, d_head))
        self.W_O = nn.Parameter(torch.empty(n_heads, d_head, d_model))
        self.b_O = nn.Parameter(torch.zeros(d_model))
        for p in (self.W_Q, self.W_K, self.W_V, self.W_O):
            nn.init.normal_(p, std=0.02)
        self.register_buffer("IGNORE", torch.tensor(-1e5))

    def forward(self, x):
        q = torch.einsum("bpm,nmh->bpnh", x, self.W_Q)
        k = torch.einsum("bpm,nmh->bpnh", x, self.W_K)
        v = torch.einsum("bpm,nmh->bpnh", x, self.W_V)
        scores = torch.einsum("bqnh,bknh->bnqk", q, k) / q.shape[-1] ** 0.5
        mask = torch.triu(torch.ones(scores.size(-2), scores.size(-1)), diagonal=1).bool()
        scores.masked_fill_(mask, self.IGNORE)
        z = torch.einsum("bknh,bnqk->bqnh", v, scores.softmax(-1))
        return torch.einsum("bqnh,nhm->bqm", z, self.W_O) + self.b_O

out = Attn(2, 6, 3)(torch.randn(1, 4, 6))
print(out.shape, out.stride())

### state-dict-copy | right
import torch
import torch.nn as nn

class Slow(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(6, 6, bias=False)
        self.k = nn.Linear(6, 6, bias=False)

    def forward(self, x):
        return self.q(x) @ self.k(x).mT

class Fast(nn.Module):
    def __init__(self):
        super().__init__()
        self.qk = nn.Linear(6, 12, bias=False)

    def forward(self, x):
        q, k = self.qk(x).chunk(2, -1)
        return q @ k.mT

slow, fast = Slow(), Fast()
with torch.no_grad():
    fast.qk.weight.copy_(torch.cat([slow.q.weight, slow.k.weight]))
x = torch.randn(2, 3, 6)
a, b = slow(x), fast(x)
print(torch.allclose(a, b, atol=1e-6), list(fast.state_dict()))

### talking-heads | right
import torch
import torch.nn as nn

q, k, v = torch.randn(3, 1, 4, 5, 6)
mix_before = nn.Parameter(torch.randn(4, 4))
mix_after = nn.Parameter(torch.randn(4, 4))
logits = torch.einsum("bhid,bhjd->bhij", q, k) / 6 ** 0.5
logits = torch.einsum("bhij,hg->bgij", logits, mix_before)
w = logits.softmax(dim=-1)
w = torch.einsum("bgij,gh->bhij", w, mix_after)
y = w @ v
print(y.shape)

### head-ablation | right
import torch

out = torch.randn(2, 4, 5, 3)
head_mask = torch.tensor([1.0, 0.0, 1.0, 1.0])
masked = out * head_mask.view(1, -1, 1, 1)
norms = masked.norm(dim=-1).mean(dim=(0, 2))
print([f"{n:.2f}" for n in norms])
kept = [h for h in range(4) if norms[h] > 0]
print(kept)

### attention-maps-averaged | right
import torch

layers = [torch.randn(2, 3, 4, 4).softmax(-1) for _ in range(2)]
mean_heads = torch.stack(layers).mean(dim=2)
rollout = torch.eye(4).expand(2, 4, 4)
for att in mean_heads:
    att = 0.5 * att + 0.5 * torch.eye(4)
    att = att / att.sum(dim=-1, keepdim=True)
    rollout = att @ rollout
print(rollout.shape, rollout.sum(-1).round(decimals=3))

### latent-attention | right
# Keys and values come out of a small shared latent, as in models that compress their cache.
import torch
import torch.nn as nn

class Latent(nn.Module):
    def __init__(self, dim=12, heads=3, rank=5):
        super().__init__()
        self.h, self.d = heads, dim // heads
        self.down = nn.Linear(dim, rank, bias=False)
        self.up_k = nn.Linear(rank, dim, bias=False)
        self.up_v = nn.Linear(rank, dim, bias=False)
        self.q = nn.Linear(dim, dim, bias=False)
        self.o = nn.Linear(dim, dim, bias=False)

    def _heads(self, t):
        return t.unflatten(2, (self.h, self.d)).movedim(2, 1)

    def forward(self, x, cache=None):
        c = self.down(x)
        if cache is not None:
            c = torch.cat((cache, c), dim=1)
        q, k, v = self._heads(self.q(x)), self._heads(self.up_k(c)), self._heads(self.up_v(c))
        a = torch.softmax(q @ k.mT / self.d ** 0.5, dim=-1)
        return self.o((a @ v).movedim(1, 2).flatten(2)), c

m = Latent()
y1, c = m(torch.randn(2, 4, 12))
y2, c = m(torch.randn(2, 1, 12), c)
print(y2.shape, c.shape)
