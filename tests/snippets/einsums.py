# Attention written as einsum, and einsum's other uses.

### einsum-attention | right
import torch

B, H, L, S, D = 2, 3, 4, 5, 6
q = torch.randn(B, L, H, D)
k = torch.randn(B, S, H, D)
v = torch.randn(B, S, H, D)
att = torch.einsum("blhd,bshd->bhls", q, k) / D ** 0.5
w = att.softmax(-1)
out = torch.einsum("bhls,bshd->blhd", w, v)
print(out.shape, out.is_contiguous(), out.stride())

### einsum-spaces-and-lists | right
import torch

q, k = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
a = torch.einsum("b i d, b j d -> b i j", q, k)
b = torch.einsum("b i d, b j d -> b i j", [q, k])
c = torch.einsum("bid,bjd->bij", (q, k))
print(torch.equal(a, b), torch.equal(b, c))

### einsum-ellipsis | right
import torch

q = torch.randn(2, 3, 4, 5)
k = torch.randn(2, 3, 6, 5)
s = torch.einsum("...id,...jd->...ij", q, k)
one = torch.einsum("id,jd->ij", q[0, 0], k[0, 0])
print(s.shape, torch.allclose(s[0, 0], one, atol=1e-6))

### einsum-implicit-output | right
import torch

a = torch.randn(3, 4)
b = torch.randn(4, 5)
print(torch.einsum("ij,jk", a, b).shape)
print(torch.einsum("ji", a).shape)
print(torch.einsum("ij", a).shape)
total = torch.einsum("ij->", a)
trace = torch.einsum("ii", torch.arange(9.).view(3, 3))
diag = torch.einsum("ii->i", torch.arange(9.).view(3, 3))
print(trace, diag)

### einsum-outer-and-batch | right
import torch

t = torch.arange(3.)
f = torch.tensor([1., .5])
print(torch.einsum("i,j->ij", t, f))
x = torch.randn(2, 3)
y = torch.randn(2, 3)
dots = torch.einsum("bd,bd->b", x, y)
scaled = torch.einsum("bd,b->bd", x, dots)
print(torch.allclose(dots, (x * y).sum(1)), scaled.shape)

### einsum-three-operands | right
import torch

x = torch.randn(2, 4, 6)
Wq, Wk = torch.randn(6, 3), torch.randn(6, 3)
scores = torch.einsum("bie,ed,bjf,fd->bij", x, Wq, x, Wk)
steps = (x @ Wq) @ (x @ Wk).mT
print(torch.allclose(scores, steps, rtol=1e-4, atol=1e-4))

### einsum-transposed-output | right
import torch

q = torch.randn(2, 3, 4, 5)
k = torch.randn(2, 3, 6, 5)
keys_first = torch.einsum("bhld,bhsd->bhsl", q, k)
heads_last = torch.einsum("bhld,bhsd->blsh", q, k)
print(keys_first.stride(), heads_last.stride())

### einsum-merge-heads-with-weight | right
import torch

heads = torch.randn(2, 3, 4, 5)
W_O = torch.randn(3, 5, 7)
out = torch.einsum("bhld,hde->ble", heads, W_O)
same = heads.transpose(1, 2).flatten(2) @ W_O.flatten(0, 1)
print(out.shape, torch.allclose(out, same, atol=1e-5))

### einsum-upper-and-lower | right
import torch

B, L, H, D, E = 2, 3, 2, 4, 8
x = torch.randn(B, L, E)
W = torch.randn(3, H, E, D)
Q, K, V = torch.einsum("BLE,nHED->nBHLD", x, W)
A = torch.einsum("BHQD,BHKD->BHQK", Q, K).mul(D ** -.5).softmax(-1)
print(Q.shape, A.shape)

### named-constants-einsum | right
import torch

Pattern = {"scores": "bqhd,bkhd->bhqk", "mix": "bhqk,bkhd->bqhd"}
t = {n: torch.randn(1, s, 2, 3) for n, s in [("q", 4), ("k", 5), ("v", 5)]}
scores = torch.einsum(Pattern["scores"], t["q"], t["k"])
mixed = torch.einsum(Pattern["mix"], scores.softmax(dim=-1), t["v"])
print({p: e.split("->")[1] for p, e in Pattern.items()}, mixed.shape)

### matmul-against-einsum | right
import torch
from torch import einsum

pairs = [
    (einsum("ij,j->i", torch.ones(2, 3), torch.arange(3.)), torch.ones(2, 3).mv(torch.arange(3.))),
    (einsum("i,i->", torch.arange(4.), torch.arange(4.)), torch.arange(4.).dot(torch.arange(4.))),
    (einsum("bij,bjk->bik", torch.ones(2, 3, 4), torch.ones(2, 4, 1)), torch.ones(2, 3, 4) @ torch.ones(2, 4, 1)),
]
for left, right in pairs:
    assert left.shape == right.shape and torch.allclose(left, right)
print("all equal")

### tensordot-and-inner | right
import torch

x = torch.randn(2, 3, 4)
w = torch.randn(4, 2, 5)
y = torch.tensordot(x, w, dims=1)
z = torch.tensordot(x, w, dims=([2], [0]))
print(y.shape, torch.equal(y, z), y.is_contiguous())
