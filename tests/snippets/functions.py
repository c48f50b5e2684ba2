# Attention as a function of tensors: softmax by hand, one head, batches, loops.

### softmax-by-hand | right
import torch

def my_softmax(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)

logits = torch.tensor([[1.0, 2.0, 0.5], [0.0, 0.0, 0.0]])
probs = my_softmax(logits)
print(probs)
print("rows sum to", probs.sum(-1).tolist())

### softmax-stable | right
import torch

def softmax(x, axis=-1):
    top = x.max(axis, keepdim=True).values
    e = (x - top).exp()
    return e / e.sum(axis, keepdim=True)

big = torch.tensor([1000.0, 1001.0, 999.0])
naive = big.exp() / big.exp().sum()
safe = softmax(big)
print(naive)
print(safe)
assert torch.allclose(safe, torch.softmax(big, dim=0))

### softmax-online | right
# One pass over the scores: keep a running maximum and rescale what has been summed so far.
import math
import torch

row = torch.randn(9)
values = torch.randn(9, 3)
m, total = -math.inf, 0.0
acc = torch.zeros(3)
for i in range(len(row)):
    s = row[i].item()
    new_m = max(m, s)
    shrink = math.exp(m - new_m)
    total = total * shrink + math.exp(s - new_m)
    acc = acc * shrink + math.exp(s - new_m) * values[i]
    m = new_m
out = acc / total
expected = torch.softmax(row, 0) @ values
print(torch.allclose(out, expected, atol=1e-6))

### blocked-online-softmax | right
import torch

Q = torch.randn(6, 4)
K = torch.randn(8, 4)
V = torch.randn(8, 4)
block = 3
O = torch.zeros_like(Q)
running_max = torch.full((6, 1), float("-inf"))
running_sum = torch.zeros(6, 1)
for start in range(0, K.shape[0], block):
    Kb = K[start:start + block]
    Vb = V[start:start + block]
    S = Q @ Kb.T * 4 ** -0.5
    new_max = torch.maximum(running_max, S.amax(dim=1, keepdim=True))
    P = torch.exp(S - new_max)
    correction = torch.exp(running_max - new_max)
    running_sum = correction * running_sum + P.sum(dim=1, keepdim=True)
    O = correction * O + P @ Vb
    running_max = new_max
O = O / running_sum
reference = torch.softmax(Q @ K.T / 2, dim=-1) @ V
print("max error below 1e-5:", (O - reference).abs().max().item() < 1e-5)

### one-head-plain | right
import torch
import torch.nn.functional as F

tokens, width = 5, 8
x = torch.randn(tokens, width)
Wq, Wk, Wv = (torch.randn(width, 3) for _ in range(3))
q, k, v = x @ Wq, x @ Wk, x @ Wv
weights = F.softmax(q @ k.T / 3 ** 0.5, dim=1)
context = weights @ v
print(context.shape)

### one-head-step-by-step | right
import torch

inputs = torch.tensor(
    [[0.43, 0.15, 0.89],
     [0.55, 0.87, 0.66],
     [0.57, 0.85, 0.64],
     [0.22, 0.58, 0.33]]
)
query = inputs[1]
attn_scores = torch.empty(inputs.shape[0])
for i, x_i in enumerate(inputs):
    attn_scores[i] = torch.dot(x_i, query)
print(attn_scores)
attn_weights = attn_scores / attn_scores.sum()
print("Sum:", attn_weights.sum())
context = torch.zeros(query.shape)
for i, x_i in enumerate(inputs):
    context += attn_weights[i] * x_i
print(context)

### all-pairs-by-loop | right
import torch

inputs = torch.rand(5, 3)
scores = torch.empty(5, 5)
for i, a in enumerate(inputs):
    for j, b in enumerate(inputs):
        scores[i, j] = torch.dot(a, b)
same = inputs @ inputs.T
print(torch.allclose(scores, same))
weights = torch.softmax(scores, dim=-1)
print(weights.sum(dim=-1))

### textbook-sdpa | right
import math
import torch

def scaled_dot_product(q, k, v, mask=None):
    d_k = q.size()[-1]
    logits = torch.matmul(q, k.transpose(-2, -1))
    logits = logits / math.sqrt(d_k)
    if mask is not None:
        logits = logits.masked_fill(mask == 0, -9e15)
    attention = torch.softmax(logits, dim=-1)
    return torch.matmul(attention, v), attention

seq_len, d_k = 3, 2
q = torch.randn(seq_len, d_k)
k = torch.randn(seq_len, d_k)
v = torch.randn(seq_len, d_k)
values, attention = scaled_dot_product(q, k, v)
print("Q\n", q)
print("K\n", k)
print("Values\n", values)
print("Attention\n", attention)

### functional-import-style | right
from math import sqrt
from torch import Tensor, matmul, randn
from torch.nn.functional import softmax

def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Weighted sum of the values, one row per query."""
    similarity = matmul(query, key.transpose(1, 2))
    return matmul(softmax(similarity / sqrt(query.size(-1)), dim=-1), value)

result = attend(randn(2, 4, 6), randn(2, 7, 6), randn(2, 7, 5))
print(tuple(result.shape))

### bmm-version | right
import torch
import torch.nn.functional as F

def dot_attention(query, key, value):
    temp = query.bmm(key.transpose(1, 2))
    scale = query.size(-1) ** 0.5
    return F.softmax(temp / scale, dim=-1).bmm(value)

out = dot_attention(torch.randn(3, 4, 6), torch.randn(3, 5, 6), torch.randn(3, 5, 2))
print(out.size())

### baddbmm-scale | right
import torch

b, l, d = 2, 4, 3
q, k = torch.randn(b, l, d), torch.randn(b, l, d)
bias = torch.zeros(b, l, l)
scores = torch.baddbmm(bias, q, k.transpose(1, 2), beta=1.0, alpha=d ** -0.5)
check = q @ k.mT / d ** 0.5
print(torch.allclose(scores, check, atol=1e-6), scores.stride())

### additive-attention | right
import torch
import torch.nn as nn

class Additive(nn.Module):
    """Scores from a small network instead of a dot product."""

    def __init__(self, query_dim, key_dim, hidden):
        super().__init__()
        self.W = nn.Linear(query_dim, hidden, bias=False)
        self.U = nn.Linear(key_dim, hidden, bias=False)
        self.v = nn.Linear(hidden, 1, bias=False)

    def forward(self, queries, keys, values):
        features = self.W(queries).unsqueeze(2) + self.U(keys).unsqueeze(1)
        features = torch.tanh(features)
        scores = self.v(features).squeeze(-1)
        weights = torch.softmax(scores, dim=-1)
        return torch.bmm(weights, values), weights

layer = Additive(5, 4, 6)
out, w = layer(torch.randn(2, 3, 5), torch.randn(2, 7, 4), torch.randn(2, 7, 4))
print(out.shape, w.shape)

### bilinear-scores | right
import torch
from torch import nn

class Bilinear(nn.Module):
    def __init__(self, dq, dk):
        super(Bilinear, self).__init__()
        self.M = nn.Parameter(torch.randn(dq, dk) * dq ** -0.5)

    def forward(self, q, k):
        return q @ self.M @ k.transpose(-1, -2)

score = Bilinear(4, 6)
s = score(torch.randn(2, 3, 4), torch.randn(2, 5, 6))
print(s.shape, s.requires_grad)

### dictionary-lookup | right
# A query that equals one key, and a high temperature: attention becomes a lookup.
import torch

keys = torch.eye(4)
values = torch.tensor([[10., 0.], [0., 20.], [30., 30.], [0., 40.]])
query = keys[2]
for beta in (1, 5, 50):
    w = torch.softmax(beta * keys @ query, dim=0)
    print(beta, [round(a, 3) for a in w.tolist()], w @ values)

### returns-dict | right
import torch

def attend(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    probs = scores.softmax(-1)
    return {"scores": scores, "probs": probs, "context": probs @ v}

res = attend(torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 6))
for name, t in res.items():
    print(f"{name:>8}: {list(t.shape)}")

### masked-mean-pooling | right
import torch

hidden = torch.randn(3, 5, 4)
attention_mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 0, 0, 0, 0]])
expanded = attention_mask.unsqueeze(-1).expand(hidden.size()).float()
pooled = torch.sum(hidden * expanded, 1) / torch.clamp(expanded.sum(1), min=1e-9)
print(pooled.shape, torch.allclose(pooled[2], hidden[2, 0]))

### attention-pooling | right
import torch
import torch.nn as nn
import torch.nn.functional as F

class Pool(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = nn.Parameter(torch.zeros(dim))
    def forward(self, x):
        w = F.softmax(x @ self.query, dim=1)
        return (w.unsqueeze(-1) * x).sum(1), w

pooled, w = Pool(6)(torch.randn(2, 5, 6))
print(w)

### top-k-attention | right
import torch

scores = torch.randn(2, 4, 6)
vals, idx = scores.topk(2, dim=-1)
sparse = torch.full_like(scores, float('-inf')).scatter(-1, idx, vals)
w = sparse.softmax(dim=-1)
print((w > 0).sum(-1))

### cosine-attention | right
import torch
import torch.nn.functional as F

q = F.normalize(torch.randn(2, 3, 4, 5), dim=-1)
k = F.normalize(torch.randn(2, 3, 6, 5), dim=-1)
logit_scale = torch.full((3, 1, 1), 10.0)
sim = q @ k.transpose(-2, -1) * logit_scale
attn = sim.softmax(dim=-1)
print(attn.shape, bool((sim <= 10.0001).all()))

### linear-attention | right
import torch
import torch.nn.functional as F

def linear_attention(q, k, v, eps=1e-6):
    q = F.elu(q) + 1
    k = F.elu(k) + 1
    kv = torch.einsum("bhsd,bhse->bhde", k, v)
    z = 1 / (torch.einsum("bhld,bhd->bhl", q, k.sum(dim=2)) + eps)
    return torch.einsum("bhld,bhde,bhl->bhle", q, kv, z)

y = linear_attention(torch.randn(2, 3, 5, 4), torch.randn(2, 3, 7, 4), torch.randn(2, 3, 7, 6))
print(y.shape)

### causal-prefix-sums | right
import torch

v = torch.arange(12.).view(1, 4, 3)
running = v.cumsum(dim=1) / torch.arange(1, 5).view(1, 4, 1)
tri = torch.tril(torch.ones(4, 4))
tri = tri / tri.sum(1, keepdim=True)
print(tri)
print(torch.allclose(tri @ v, running))

### bag-of-words-three-ways | right
import torch
from torch.nn import functional as F

torch.manual_seed(42)
a = torch.tril(torch.ones(3, 3))
a = a / torch.sum(a, 1, keepdim=True)
b = torch.randint(0, 10, (3, 2)).float()
c = a @ b
print('a=')
print(a)
print('--')
print('b=')
print(b)
print('--')
print('c=')
print(c)

T = 3
wei = torch.zeros((T, T))
wei = wei.masked_fill(torch.tril(torch.ones(T, T)) == 0, float('-inf'))
wei = F.softmax(wei, dim=-1)
print(torch.equal(wei, a))

### variance-of-scores | right
import torch

for d in (4, 16, 64):
    q = torch.randn(200, d)
    k = torch.randn(200, d)
    s = q @ k.T
    print(d, f"{s.var().item() / d:.1f}", f"{(s / d ** 0.5).std():.1f}")

### entropy-of-weights | right
import torch

logits = torch.randn(3, 6)
for temperature in [0.5, 1.0, 2.0]:
    p = (logits / temperature).softmax(dim=-1)
    H = -(p * p.log()).sum(dim=-1)
    print(f"T={temperature}: {H.mean().item():.3f}")
logp = torch.log_softmax(logits, dim=-1)
lse = torch.logsumexp(logits, dim=-1, keepdim=True)
assert torch.allclose(logp, logits - lse, atol=1e-6)

### attention-as-generator | right
import torch

def heads(x, n):
    """Yields one slice of the features at a time."""
    size = x.shape[-1] // n
    for i in range(n):
        yield x[..., i * size:(i + 1) * size]

x = torch.randn(2, 5, 12)
outs = []
for h in heads(x, 3):
    w = torch.softmax(h @ h.transpose(1, 2) / h.shape[-1] ** 0.5, -1)
    outs.append(w @ h)
y = torch.cat(outs, dim=-1)
print(len(outs), y.shape)

### numerically-checked | right
import torch
import torch.nn.functional as F

torch.manual_seed(123)
q, k, v = torch.randn(3, 2, 4, 5, 8).unbind(0)
manual = (q @ k.transpose(-2, -1) * 8 ** -0.5).softmax(-1) @ v
builtin = F.scaled_dot_product_attention(q, k, v)
torch.testing.assert_close(manual, builtin)
print("same", q.storage_offset(), k.storage_offset(), v.storage_offset())
