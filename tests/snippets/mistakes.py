# Programs that run and compute something else than their author meant. The head says what is wrong.

### split-by-view-only | wrong: view puts neighbouring tokens into one head
import torch

B, L, H, D = 2, 5, 3, 4
x = torch.randn(B, L, H * D)
heads = x.view(B, H, L, D)
right = x.view(B, L, H, D).transpose(1, 2)
print(heads.shape == right.shape, torch.equal(heads, right))

### merge-without-transpose | wrong: heads of one token end up in several rows
import torch

out = torch.randn(2, 3, 5, 4)
merged = out.reshape(2, 5, 12)
print(merged.shape, (merged == out.transpose(1, 2).reshape(2, 5, 12)).float().mean().item())

### interleaved-split | wrong: the axis of heads is the inner one
import torch

x = torch.arange(24.).view(1, 2, 12)
q = x.view(1, 2, 4, 3).permute(0, 3, 1, 2)
print(q[0, 0])

### reshape-for-transpose | wrong: keys are reshaped, not transposed
import torch

q = torch.randn(2, 4, 6)
k = torch.randn(2, 5, 6)
scores = q @ k.reshape(2, 6, 5)
print(scores.shape, torch.allclose(scores, q @ k.mT))

### view-for-transpose-4d | wrong: a view of the keys swaps no axes
import torch

k = torch.randn(1, 2, 3, 4)
kt = k.view(1, 2, 4, 3)
att = torch.randn(1, 2, 3, 4) @ kt
print(kt.stride(), k.transpose(2, 3).stride())

### missing-scale | wrong: no division by the root
import torch

q, k, v = torch.randn(3, 2, 4, 64)
w = torch.softmax(q @ k.transpose(1, 2), dim=-1)
out = w @ v
print(w.max(dim=-1).values > 0.5)

### scale-twice | wrong: the query is scaled, and the scores again
import math
import torch
import torch.nn.functional as F

q, k, v = torch.randn(3, 1, 1, 4, 16).unbind()
q = q / math.sqrt(16)
out = F.scaled_dot_product_attention(q, k, v)
print(out.std() < v.std())

### scale-by-d | wrong: divided by d, not by its root
import torch

d = 16
s = torch.randn(3, d) @ torch.randn(4, d).T / d
w = s.softmax(dim=1)
print(w)

### scale-by-model-width | wrong: the root of E instead of D
import torch

B, L, E, H = 1, 4, 12, 3
q = torch.randn(B, L, H, E // H).transpose(1, 2)
k = torch.randn(B, L, H, E // H).transpose(1, 2)
scores = q @ k.transpose(-1, -2) / E ** 0.5

### scale-after-softmax | wrong: the weights no longer sum to 1
import torch

q, k = torch.randn(2, 3, 4, 8).unbind(0)
w = (q @ k.mT).softmax(-1) / 8 ** 0.5
print(w.sum(-1))

### softmax-over-queries | wrong: every column sums to 1 instead of every row
import torch
import torch.nn.functional as F

scores = torch.randn(2, 3, 4, 5)
w = F.softmax(scores, dim=-2)
print(w.sum(-1)[0, 0], w.sum(-2)[0, 0])

### softmax-over-heads | wrong: dim=1 is the axis of heads
import torch

scores = torch.randn(2, 3, 4, 4)
w = torch.softmax(scores, dim=1)
print(w.sum(1)[0])

### softmax-implicit-dim | wrong: without dim three axes are normalised over the first
import torch
import torch.nn as nn

scores = torch.randn(2, 3, 4)
w = nn.Softmax(dim=0)(scores)
print(w.sum(0))

### sigmoid-for-softmax | wrong: weights do not compete
import torch

w = torch.sigmoid(torch.randn(3, 3))
print(w.sum(-1))

### mask-inverted | wrong: masked_fill hides what may be seen
import torch

mask = torch.tril(torch.ones(4, 4)).bool()
w = torch.randn(4, 4).masked_fill(mask, -1e9).softmax(-1)
print(w)

### mask-inverted-infinite | wrong: the last row may see nothing and becomes nan
import torch

mask = torch.tril(torch.ones(3, 3)).bool()
w = torch.zeros(3, 3).masked_fill(mask, float("-inf")).softmax(-1)
print(w)

### mask-times-scores | wrong: a score of 0 is not a weight of 0
import torch

scores = torch.randn(4, 4)
w = torch.softmax(scores * torch.tril(torch.ones(4, 4)), dim=-1)
print(w[0])

### mask-after-softmax | wrong: rows sum to less than 1
import torch

w = torch.softmax(torch.randn(4, 4), -1) * torch.tril(torch.ones(4, 4))
print(w.sum(-1))

### mask-of-0-and-1-added | wrong: an additive mask of 0 and 1 hides nothing
import torch
import torch.nn.functional as F

q = k = v = torch.randn(1, 1, 4, 8)
mask = torch.tril(torch.ones(4, 4))
out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
right = F.scaled_dot_product_attention(q, k, v, attn_mask=mask.bool())
print(torch.allclose(out, right))

### mask-fill-zero | wrong: masked scores are 0 instead of minus infinity
import torch

scores = torch.randn(3, 3) - 5
w = scores.masked_fill(torch.ones(3, 3).triu(1) == 1, 0).softmax(-1)
print(w[0].argmax().item())

### mask-result-dropped | wrong: masked_fill returns a new tensor
import torch

scores = torch.ones(3, 3)
scores.masked_fill(torch.ones(3, 3).triu(1).bool(), float("-inf"))
w = scores.softmax(dim=-1)
print(w)

### transpose-result-dropped | wrong: transpose changes nothing in place
import torch

k = torch.randn(1, 4, 4)
k.transpose(1, 2)
s = torch.randn(1, 4, 4) @ k

### padding-mask-on-queries | wrong: padding is masked on the axis of queries
import torch

keep = torch.tensor([[True, True, False]])
scores = torch.randn(1, 2, 3, 3)
w = scores.masked_fill(~keep[:, None, :, None], -1e9).softmax(-1)
print(w[0, 0])

### padding-mask-by-broadcast | wrong: batch 2 and heads 2 agree by chance
import torch

keep = torch.tensor([[True, True, True], [True, False, False]])
scores = torch.zeros(2, 2, 3, 3)
w = scores.masked_fill(~keep[:, None, :], float("-inf")).softmax(-1)
print(w[0, 1], w[1, 1])

### key-padding-mask-meaning | wrong: MultiheadAttention hides where the mask is True
import torch
import torch.nn as nn

mha = nn.MultiheadAttention(4, 2, batch_first=True).eval()
x = torch.randn(1, 3, 4)
keep = torch.tensor([[True, True, False]])
_, w = mha(x, x, x, key_padding_mask=keep)
print(w)

### causal-top-left | wrong: with a cache the newest query sees only the first key
import torch

L, S = 2, 5
mask = torch.ones(L, S).tril().bool()
w = torch.zeros(L, S).masked_fill(~mask, float("-inf")).softmax(-1)
print(w)

### is-causal-with-cache | wrong: is_causal aligns at the first key
import torch
import torch.nn.functional as F

q, k, v = torch.randn(1, 1, 1, 4), torch.randn(1, 1, 6, 4), torch.randn(1, 1, 6, 4)
out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
print(torch.allclose(out[0, 0, 0], v[0, 0, 0]))

### triu-with-diagonal-0 | wrong: a token may not see itself
import torch

m = torch.triu(torch.ones(4, 4)).bool()
w = torch.zeros(4, 4).masked_fill(m, -1e9).softmax(dim=-1)
print(w)

### batch-first-forgotten | wrong: the module takes the batch as the sequence
import torch
import torch.nn as nn

mha = nn.MultiheadAttention(8, 2)
x = torch.randn(2, 5, 8)
y, w = mha(x, x, x)
print(w.shape)

### batch-and-length-swapped | wrong: attention runs over the batch
import torch

x = torch.randn(3, 5, 4)
xt = x.transpose(0, 1)
w = (xt @ xt.transpose(1, 2) / 2).softmax(-1)
print(w.shape)
y = (w @ xt).transpose(0, 1)

### attention-over-features | wrong: the transpose is on the other factor
import torch

q, k, v = (torch.randn(2, 6, 6) for _ in range(3))
w = (q.transpose(1, 2) @ k / 6 ** 0.5).softmax(-1)
out = w @ v
print(out.shape)

### attention-over-heads | wrong: heads attend to heads, since the axes were never swapped
import torch

q = torch.randn(2, 5, 3, 4)
scores = q @ q.transpose(-2, -1)
print(scores.shape)

### keys-and-values-swapped | wrong: the values are compared and the keys mixed
import torch
import torch.nn.functional as F

q, k, v = torch.randn(3, 2, 4, 6)
out = F.scaled_dot_product_attention(q, v, k)

### weights-transposed | wrong: the weights are used with queries and keys swapped
import torch

w = torch.randn(2, 4, 4).softmax(-1)
v = torch.randn(2, 4, 3)
out = w.transpose(1, 2) @ v
print(out.shape)

### hadamard-for-matmul | wrong: * multiplies element by element
import torch

q = torch.randn(2, 4, 4)
k = torch.randn(2, 4, 4)
scores = q * k.transpose(1, 2)
w = scores.softmax(-1)

### dot-t-on-weights | wrong: the weight of a linear layer is (out, in)
import torch
import torch.nn as nn

lin = nn.Linear(6, 6, bias=False)
x = torch.randn(2, 3, 6)
y = x @ lin.weight
print(torch.allclose(y, lin(x)))

### einsum-wrong-output-order | wrong: the output has keys before queries
import torch

q, k = torch.randn(2, 3, 4, 8), torch.randn(2, 3, 4, 8)
s = torch.einsum("bhqd,bhkd->bhkq", q, k)
w = s.softmax(-1)

### einsum-sums-over-keys-alone | wrong: the letters of keys and queries do not meet
import torch

w = torch.randn(2, 3, 4, 5).softmax(-1)
v = torch.randn(2, 3, 5, 6)
out = torch.einsum("bhqk,bhsd->bhqd", w, v)
print(out[0, 0])

### einsum-elementwise | wrong: the letter d is kept, so nothing is summed
import torch

q, k = torch.randn(2, 4, 3), torch.randn(2, 4, 3)
s = torch.einsum("bid,bid->bi", q, k)
print(s.shape)

### grouped-heads-tiled | wrong: repeat puts the groups in another order than repeat_interleave
import torch

k = torch.arange(2.).view(1, 2, 1, 1)
tiled = k.repeat(1, 3, 1, 1)
each = k.repeat_interleave(3, dim=1)
print(tiled.flatten(), each.flatten())

### rope-on-values-axis | wrong: positions come from the axis of heads
import torch

x = torch.ones(1, 3, 4, 2)
pos = torch.arange(3.).view(1, 3, 1, 1)
y = torch.cat((x[..., :1] * pos.cos() - x[..., 1:] * pos.sin(), x[..., :1] * pos.sin() + x[..., 1:] * pos.cos()), -1)
print(y[0, :, 0])

### rope-halves-mixed | wrong: interleaved angles with the rotation of halves
import torch

x = torch.randn(1, 3, 4)
theta = torch.arange(3.)[:, None] * torch.tensor([1.0, 0.01]).repeat_interleave(2)
half = torch.cat((-x[..., 2:], x[..., :2]), -1)
y = x * theta.cos() + half * theta.sin()
print((y.norm(dim=-1) - x.norm(dim=-1)).abs() < 1e-5)

### positions-added-to-batch | wrong: the position is taken from the axis of the batch
import torch

x = torch.zeros(4, 4, 2)
x = x + torch.arange(4.)[:, None, None]
print(x[1, :, 0])

### qkv-chunk-order | wrong: reshape with 3 innermost mixes q, k and v
import torch

qkv = torch.arange(12.).view(1, 1, 12)
q, k, v = qkv.view(1, 1, 2, 2, 3).unbind(-1)
print(q.flatten().tolist(), "instead of", qkv[..., :4].flatten().tolist())

### no-output-projection-layer-used | wrong: the layer exists and is not called
import torch
import torch.nn as nn

class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 4)
        self.out = nn.Linear(4, 4)
    def forward(self, x):
        w = (self.q(x) @ x.mT).softmax(-1)
        return w @ x

y = A()(torch.randn(2, 3, 4))
print(y.shape)

### list-of-layers-not-registered | wrong: a plain list hides the parameters
import torch.nn as nn

class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = [nn.Linear(4, 2) for _ in range(2)]
        self.out = nn.Linear(4, 4)

print(len(list(A().parameters())), [n for n, _ in A().named_parameters()])

### shared-head-by-list-multiplication | wrong: one module three times
import torch
import torch.nn as nn

heads = nn.ModuleList([nn.Linear(4, 2)] * 3)
x = torch.randn(2, 4)
outs = [h(x) for h in heads]
print(torch.equal(outs[0], outs[2]), len(list(heads.parameters())))

### in-place-on-shared-input | wrong: the input of the caller is changed
import torch

def attend(x):
    x *= x.shape[-1] ** -0.5
    return (x @ x.mT).softmax(-1)

x = torch.ones(2, 4)
first = attend(x)
second = attend(x)
print(x, torch.equal(first, second))

### mutable-default-cache | wrong: the default list lives on between calls
import torch

def step(k, cache=[]):
    cache.append(k)
    return torch.cat(cache)

a = step(torch.zeros(2, 3))
b = step(torch.ones(2, 3))
print(a.shape, b.shape)

### cache-on-wrong-axis | wrong: keys are joined along the batch
import torch

past, new = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
k = torch.cat((past, new))
print(k.shape)

### cache-holds-a-view | wrong: the cached view changes with its source
import torch

buffer = torch.zeros(2, 3)
cache = []
for t in range(2):
    buffer.fill_(t + 1)
    cache.append(buffer[:, :1])
print(cache)

### layernorm-over-tokens | wrong: the mean runs over the axis of tokens
import torch

x = torch.randn(2, 4, 6)
y = (x - x.mean(1, keepdim=True)) / (x.var(1, keepdim=True, unbiased=False) + 1e-5).sqrt()
print(y.mean(-1).abs().max() > 1e-3)

### mean-without-keepdim | wrong: broadcasting goes along the other axis
import torch

x = torch.tensor([[1., 3.], [5., 9.]])
print(x - x.mean(-1))
print(x - x.mean(-1, keepdim=True))

### divided-by-sum-without-keepdim | wrong: columns are divided by the sums of rows
import torch

e = torch.randn(3, 3).exp()
w = e / e.sum(dim=-1)
print(w.sum(-1))

### integer-division-of-scale | wrong: 1 // 2 is 0
import torch

d = 16
s = torch.randn(2, d) @ torch.randn(3, d).T * d ** (-1 // 2)
w = s.softmax(-1)
print(d ** (-1 // 2), d ** -0.5)

### minus-before-power | wrong: -d ** 0.5 is minus the root
import torch

d = 4
scale = -d ** 0.5
print(scale, torch.tensor([1., 2.]) * scale)

### residual-lost | wrong: the block returns only what it adds
import torch
import torch.nn as nn

norm = nn.LayerNorm(4)
x = torch.randn(1, 2, 4)
h = norm(x)
h = h + (h @ h.mT).softmax(-1) @ h
print(torch.allclose(h, x + (norm(x) @ norm(x).mT).softmax(-1) @ norm(x)))

### broadcast-of-scores | wrong: (L,) minus (L, 1) makes a matrix
import torch

target = torch.arange(3.)
pred = torch.ones(3, 1)
err = (pred - target) ** 2
print(err.shape, err.mean())

### comparison-of-floats | wrong: equal up to rounding is not equal
import torch

a = torch.tensor([0.1, 0.2]).sum()
print((a == 0.3).item(), 0.1 + 0.2 == 0.3, torch.isclose(a, torch.tensor(0.3)))

### argmax-without-dim | wrong: one index into the flattened tensor
import torch

logits = torch.tensor([[1., 5., 2.], [7., 0., 3.]])
print(logits.argmax(), logits.argmax(-1))

### writing-into-an-expanded-row | wrong: every row of the expanded bias is the same memory
import torch

bias = torch.zeros(4).expand(3, 4)
bias[0].fill_(-1e9)
print(bias.stride(), bias[2])

### sdpa-mask-and-causal | wrong: both masks apply, and the first query is left with nothing
import torch
import torch.nn.functional as F

q = k = v = torch.randn(1, 1, 3, 4)
mask = torch.tensor([[False, True, True], [True, True, True], [True, True, True]])
out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=True)
print(out.isnan().any(-1))
