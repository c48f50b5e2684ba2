# Programs that raise: sizes and axes that do not fit.

### forgotten-transpose | raises RuntimeError
import torch

q = torch.randn(2, 5, 8)
k = torch.randn(2, 7, 8)
scores = q @ k

### forgotten-transpose-2d | raises RuntimeError
import torch
x = torch.randn(4, 6)
scores = x @ x

### transpose-batch-axis | raises RuntimeError
import torch
q = torch.randn(2, 3, 4, 5)
k = torch.randn(2, 3, 6, 5)
s = torch.matmul(q, k.transpose(1, 2))

### t-on-four-axes | raises RuntimeError
import torch

q = torch.randn(2, 3, 4, 6)
k = torch.randn(2, 3, 5, 6)
scores = q @ k.T
print("never printed")

### small-t-on-three-axes | raises RuntimeError
import torch
k = torch.randn(2, 5, 8)
kt = k.t()

### view-after-transpose | raises RuntimeError
import torch

out = torch.randn(2, 3, 5, 4)
merged = out.transpose(1, 2).view(2, 5, 12)

### view-after-permute-in-class | raises RuntimeError
import torch
import torch.nn as nn

class Attn(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.out = nn.Linear(d, d)

    def merge(self, x):
        B, H, L, D = x.shape
        x = x.permute(0, 2, 1, 3)
        return x.view(B, L, H * D)

    def forward(self, x):
        return self.out(self.merge(x))

m = Attn(12, 3)
y = m(torch.randn(2, 3, 5, 4))

### view-of-wrong-size | raises RuntimeError
import torch
x = torch.randn(2, 5, 12)
heads = x.view(2, 5, 3, 5)

### view-minus-one-indivisible | raises RuntimeError
import torch
x = torch.randn(2, 5, 10)
heads = x.view(2, 5, 3, -1)

### two-minus-ones | raises RuntimeError
import torch
x = torch.randn(2, 5, 12)
y = x.reshape(-1, -1, 3)

### heads-do-not-divide | raises RuntimeError
import torch

B, L, E, H = 2, 4, 10, 3
D = E // H
q = torch.randn(B, L, E)
q = q.view(B, L, H, D).transpose(1, 2)

### float-head-size | raises TypeError
import torch

E, H = 12, 3
head_dim = E / H
x = torch.randn(2, 5, E)
q = x.view(2, 5, H, head_dim)

### float-in-linear | raises TypeError
import torch.nn as nn

d_model, heads = 8, 2
proj = nn.Linear(d_model, d_model / heads)

### float-in-randn | raises TypeError
import torch
d = 8 / 2
w = torch.randn(3, d)

### float-in-split | raises TypeError
import torch
x = torch.randn(2, 3, 12)
q, k, v = x.split(12 / 3, dim=-1)

### linear-wrong-width | raises RuntimeError
import torch
import torch.nn as nn

layer = nn.Linear(8, 8)
x = torch.randn(2, 5, 6)
y = layer(x)

### linear-on-heads | raises RuntimeError
import torch
import torch.nn as nn

class Attn(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(12, 12)
    def forward(self, x):
        y = x.transpose(1, 2)
        return self.proj(y)

Attn()(torch.randn(2, 5, 3, 4))

### bmm-on-four-axes | raises RuntimeError
import torch
q = torch.randn(2, 3, 4, 5)
s = torch.bmm(q, q.transpose(-1, -2))

### bmm-sizes | raises RuntimeError
import torch
s = torch.bmm(torch.randn(2, 3, 4), torch.randn(2, 5, 4))

### bmm-batches | raises RuntimeError
import torch
s = torch.bmm(torch.randn(2, 3, 4), torch.randn(3, 4, 5))

### mm-on-batch | raises RuntimeError
import torch
x = torch.randn(2, 3, 4)
y = torch.mm(x, torch.randn(4, 5))

### dot-on-matrices | raises RuntimeError
import torch
s = torch.dot(torch.randn(3, 4), torch.randn(3, 4))

### matmul-batch-mismatch | raises RuntimeError
import torch
w = torch.randn(2, 4, 5, 5)
v = torch.randn(2, 3, 5, 6)
o = torch.matmul(w, v)

### matrix-times-vector | raises RuntimeError
import torch
W = torch.randn(3, 4)
x = torch.randn(3)
y = W @ x

### scores-plus-mask-sizes | raises RuntimeError
import torch
scores = torch.randn(2, 3, 5, 5)
mask = torch.zeros(4, 4)
scores = scores + mask

### key-padding-not-unsqueezed | raises RuntimeError
import torch
scores = torch.randn(2, 3, 5, 5)
pad = torch.zeros(2, 5, dtype=torch.bool)
scores = scores.masked_fill(pad, float("-inf"))

### mask-buffer-not-sliced | raises RuntimeError
import torch
import torch.nn as nn

class Head(nn.Module):
    def __init__(self, block_size=8):
        super().__init__()
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, wei):
        wei = wei.masked_fill(self.tril == 0, float("-inf"))
        return wei.softmax(-1)

h = Head()
ok = h(torch.zeros(8, 8))
bad = h(torch.zeros(5, 5))

### grouped-heads-not-repeated | raises RuntimeError
import torch
q = torch.randn(2, 6, 4, 5)
k = torch.randn(2, 2, 4, 5)
scores = q @ k.transpose(-2, -1)

### cat-different-lengths | raises RuntimeError
import torch
k = torch.cat([torch.randn(2, 3, 4), torch.randn(2, 5, 4)], dim=-1)

### cat-different-axes | raises RuntimeError
import torch
past = torch.randn(1, 2, 3, 4)
new = torch.randn(1, 2, 4)
k = torch.cat((past, new), dim=2)

### stack-different-sizes | raises RuntimeError
import torch
x = torch.stack([torch.zeros(2, 3), torch.zeros(2, 4)])

### stack-of-nothing | raises RuntimeError
import torch
outs = []
y = torch.stack(outs)

### cat-of-nothing | raises ValueError
import torch
y = torch.cat([], dim=0)

### expand-wrong | raises RuntimeError
import torch
mask = torch.ones(2, 5)
m = mask.expand(2, 3, 5, 5)

### expand-fewer-axes | raises RuntimeError
import torch
x = torch.ones(2, 1, 5)
y = x.expand(2, 5)

### in-place-broadcast | raises RuntimeError
import torch
row = torch.zeros(5)
row += torch.ones(3, 5)

### in-place-on-expanded | raises RuntimeError
import torch

mask = torch.zeros(1, 4)
full = mask.expand(3, 4)
full += 1

### add-in-place-to-leaf | raises RuntimeError
import torch
import torch.nn as nn
w = nn.Parameter(torch.ones(3))
w += 1

### permute-too-few | raises RuntimeError
import torch
x = torch.randn(2, 3, 4, 5)
y = x.permute(0, 2, 1)

### permute-twice-the-same | raises RuntimeError
import torch
x = torch.randn(2, 3, 4)
y = x.permute(0, 1, 1)

### transpose-dim-out-of-range | raises IndexError
import torch
x = torch.randn(2, 5, 8)
y = x.transpose(2, 3)

### softmax-dim-out-of-range | raises IndexError
import torch
import torch.nn.functional as F
w = F.softmax(torch.randn(3, 4), dim=2)

### sum-dim-out-of-range | raises IndexError
import torch
w = torch.randn(2, 3)
print(w.sum(dim=-3))

### unsqueeze-out-of-range | raises IndexError
import torch
m = torch.ones(2, 3).unsqueeze(4)

### index-out-of-range | raises IndexError
import torch
q = torch.randn(2, 3, 4)
print(q[2])

### index-list-out-of-range | raises IndexError
import torch
x = torch.randn(3, 4)
y = x[torch.tensor([0, 3])]

### too-many-indices | raises IndexError
import torch
w = torch.randn(2, 3, 4)
row = w[0, 0, 0, 0]

### boolean-index-size | raises IndexError
import torch
x = torch.randn(4, 3)
keep = torch.tensor([True, False, True])
y = x[keep]

### indices-do-not-broadcast | raises IndexError
import torch
x = torch.randn(4, 4)
y = x[[0, 1, 2], [0, 1]]

### embedding-id-too-large | raises IndexError
import torch
import torch.nn as nn
emb = nn.Embedding(10, 4)
x = emb(torch.tensor([[3, 10]]))

### position-longer-than-table | raises IndexError
import torch
import torch.nn as nn

class Embed(nn.Module):
    def __init__(self, vocab, block):
        super().__init__()
        self.tok = nn.Embedding(vocab, 4)
        self.pos = nn.Embedding(block, 4)

    def forward(self, idx):
        T = idx.size(1)
        return self.tok(idx) + self.pos(torch.arange(T))

e = Embed(20, 6)
short = e(torch.zeros(1, 6, dtype=torch.long))
long = e(torch.zeros(1, 7, dtype=torch.long))

### assign-wrong-size | raises RuntimeError
import torch
cache = torch.zeros(2, 8, 4)
cache[:, 3:5] = torch.ones(2, 3, 4)

### copy-wrong-size | raises RuntimeError
import torch
w = torch.zeros(3, 4)
w.copy_(torch.ones(4, 3))

### layernorm-wrong-shape | raises RuntimeError
import torch
import torch.nn as nn
norm = nn.LayerNorm(8)
y = norm(torch.randn(2, 5, 6))

### sdpa-widths-differ | raises RuntimeError
import torch
import torch.nn.functional as F
q, k, v = torch.randn(1, 2, 4, 8), torch.randn(1, 2, 4, 6), torch.randn(1, 2, 4, 6)
out = F.scaled_dot_product_attention(q, k, v)

### sdpa-heads-differ | raises RuntimeError
import torch
import torch.nn.functional as F
q, k, v = torch.randn(1, 6, 4, 8), torch.randn(1, 2, 4, 8), torch.randn(1, 2, 4, 8)
out = F.scaled_dot_product_attention(q, k, v)

### sdpa-mask-does-not-fit | raises RuntimeError
import torch
import torch.nn.functional as F
q = k = v = torch.randn(2, 3, 4, 8)
out = F.scaled_dot_product_attention(q, k, v, attn_mask=torch.ones(2, 4).bool())

### mha-wrong-width | raises AssertionError
import torch
import torch.nn as nn
m = nn.MultiheadAttention(8, 2, batch_first=True)
y, w = m(*(torch.randn(2, 5, 6) for _ in range(3)))

### mha-heads-do-not-divide | raises AssertionError
import torch.nn as nn
m = nn.MultiheadAttention(10, 3)

### mha-mask-shape | raises RuntimeError
import torch
import torch.nn as nn
m = nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.randn(2, 5, 8)
y, w = m(x, x, x, attn_mask=torch.zeros(2, 5, 5))

### mha-key-padding-shape | raises AssertionError
import torch
import torch.nn as nn
m = nn.MultiheadAttention(8, 2)
x = torch.randn(5, 2, 8)
y, w = m(x, x, x, key_padding_mask=torch.zeros(5, 2, dtype=torch.bool))

### rope-wrong-half | raises RuntimeError
import torch

def apply_rotary(x, cos, sin):
    half = torch.cat((-x[..., 2:], x[..., :2]), dim=-1)
    return x * cos + half * sin

angles = torch.randn(5, 2)
q = torch.randn(2, 3, 5, 4)
y = apply_rotary(q, angles.cos(), angles.sin())

### positional-encoding-odd-width | raises RuntimeError
import torch

d, n = 7, 4
pe = torch.zeros(n, d)
pos = torch.arange(n).unsqueeze(1)
div = torch.exp(torch.arange(0, d, 2) * -0.5)
pe[:, 0::2] = torch.sin(pos * div)
pe[:, 1::2] = torch.cos(pos * div)

### einsum-sizes-differ | raises RuntimeError
import torch
q = torch.randn(2, 3, 4, 8)
k = torch.randn(2, 3, 5, 6)
s = torch.einsum("bhid,bhjd->bhij", q, k)

### einsum-too-few-letters | raises RuntimeError
import torch
q = torch.randn(2, 3, 4, 8)
s = torch.einsum("bid,bjd->bij", q, q)

### einsum-unknown-output-letter | raises RuntimeError
import torch
a, b = torch.randn(2, 3), torch.randn(3, 4)
c = torch.einsum("ij,jk->il", a, b)

### einsum-operand-missing | raises RuntimeError
import torch
c = torch.einsum("bid,bjd->bij", torch.randn(2, 3, 4))

### einsum-letter-twice-in-output | raises RuntimeError
import torch
c = torch.einsum("ij->ijj", torch.randn(2, 3))

### chunk-unpack-two | raises ValueError
import torch
qkv = torch.randn(2, 5, 12)
q, k = qkv.chunk(3, dim=-1)

### shape-unpack-four | raises ValueError
import torch
x = torch.randn(2, 5, 12)
B, H, L, D = x.shape

### shape-unpack-two | raises ValueError
import torch

def forward(x):
    T, C = x.size()
    return x @ x.transpose(0, 1)

y = forward(torch.randn(2, 5, 12))

### split-sizes-do-not-add-up | raises RuntimeError
import torch
q, k, v = torch.randn(2, 5, 12).split([4, 4, 6], dim=2)

### unflatten-wrong | raises RuntimeError
import torch
x = torch.randn(2, 5, 10)
y = x.unflatten(-1, (3, 4))

### squeeze-hides-then-breaks | raises IndexError
import torch
x = torch.randn(1, 1, 6).squeeze()
y = x.transpose(0, 1)

### conversion-of-many-elements | raises RuntimeError
import torch
w = torch.tensor([0.5, 0.5])
print(w.item())

### truth-of-a-tensor | raises RuntimeError
import torch
mask = torch.tensor([True, False])
if mask:
    print("masked")

### repeat-too-few | raises RuntimeError
import torch
x = torch.randn(2, 3, 4)
y = x.repeat(2, 2)

### gather-axes-differ | raises RuntimeError
import torch
x = torch.randn(3, 4)
y = x.gather(1, torch.tensor([0, 1, 2]))

### topk-too-many | raises RuntimeError
import torch
s = torch.randn(2, 3)
v, i = s.topk(5)

### negative-size | raises RuntimeError
import torch
L, past = 3, 5
mask = torch.zeros(L, L - past)

### hard-coded-length | raises RuntimeError
import torch
import torch.nn as nn

class Attn(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(2, 10, self.heads, -1).transpose(1, 2)
        k = k.view(2, 10, self.heads, -1).transpose(1, 2)
        return q @ k.mT

net = Attn(8, 2)
a = net(torch.randn(2, 10, 8))
print(a.shape)
b = net(torch.randn(2, 7, 8))
