# Written apart from the others: exercises, forum posts, code golf, tests, and more of Python.

### golfed-attention | right
import torch as t
A=lambda q,k,v,m=0:((q@k.mT/q.shape[-1]**.5+m).softmax(-1)@v)
x=t.randn(2,4,6);y=A(x,x,x,t.full((4,4),-t.inf).triu(1));z=A(*x.chunk(3,2)) if x.ndim==3 else None
print(y.shape,z.shape)

### enum-of-masks | right
from enum import Enum
import torch

class Mask(Enum):
    NONE = 0
    CAUSAL = 1
    WINDOW = 2

def build(kind, n, w=2):
    i, j = torch.arange(n)[:, None], torch.arange(n)[None]
    if kind is Mask.NONE:
        return torch.ones(n, n, dtype=torch.bool)
    if kind is Mask.CAUSAL:
        return i >= j
    return (i >= j) & (i - j < w)

for kind in Mask:
    print(kind.name, int(build(kind, 4).sum()))

### match-statement | right
import torch

def fit(mask, scores):
    match mask.dim():
        case 2:
            mask = mask[None, None]
        case 3:
            mask = mask[:, None]
        case 4:
            pass
        case n:
            raise ValueError(f"mask has {n} axes")
    return scores.masked_fill(~mask, -1e9)

s = torch.zeros(2, 1, 3, 3)
a = fit(torch.eye(3).bool(), s)
b = fit(torch.ones(2, 3, 3).bool(), s)
print(a[1, 0].softmax(-1), b.sum())

### itertools-tests | right
import itertools
import torch
import torch.nn.functional as F

failures = []
for B, H, L in itertools.product([1, 2], [1, 3], (2, 5)):
    q = torch.randn(B, H, L, 4)
    a = F.scaled_dot_product_attention(q, q, q)
    b = (q @ q.transpose(2, 3) / 2).softmax(3) @ q
    if not torch.allclose(a, b, atol=1e-5):
        failures.append((B, H, L))
print("failures:", failures)
pairs = list(itertools.combinations("qkv", 2))
print(pairs, list(itertools.accumulate([1, 2, 3])))

### context-manager-class | right
import torch

class Section:
    depth = 0

    def __init__(self, title):
        self.title = title

    def __enter__(self):
        print("  " * Section.depth + f"[{self.title}")
        Section.depth += 1
        return self

    def __exit__(self, kind, value, tb):
        Section.depth -= 1
        print("  " * Section.depth + "]")
        return kind is RuntimeError

with Section("outer"):
    with Section("inner") as s:
        x = torch.zeros(2, 3) @ torch.zeros(2, 3)
        print("not reached")
    print(s.title, Section.depth)

### counter-and-sorted | right
from collections import Counter
import torch

text = "the cat and the dog and the bird"
counts = Counter(text.split())
print(counts.most_common(2), counts["fish"])
order = sorted(counts, key=lambda w: (-counts[w], w))
freq = torch.tensor([counts[w] for w in order], dtype=torch.float)
p = freq / freq.sum()
print(order, p)

### deepcopy-of-layers | right
import copy
import torch
import torch.nn as nn

def clones(module, n):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(n)])

base = nn.Linear(3, 3)
layers = clones(base, 2)
x = torch.ones(1, 3)
same_values = torch.equal(layers[0](x), layers[1](x))
with torch.no_grad():
    layers[0].weight.zero_()
print(same_values, torch.equal(layers[0](x), layers[1](x)), layers[0].weight is base.weight)

### load-state-dict | right
import torch
import torch.nn as nn

class Old(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.Linear(4, 12)
        self.proj = nn.Linear(4, 4)

old, new = Old(), Old()
result = new.load_state_dict(old.state_dict())
print(result)
for (n1, p1), (n2, p2) in zip(old.named_parameters(), new.named_parameters()):
    assert n1 == n2 and torch.equal(p1, p2) and p1 is not p2
print([k for k in old.state_dict().keys() if k.endswith("weight")])

### abstract-base | right
from abc import ABC, abstractmethod
import torch

class Score(ABC):
    @abstractmethod
    def __call__(self, q, k): ...

class Dot(Score):
    def __call__(self, q, k):
        return q @ k.mT

class Cosine(Dot):
    def __call__(self, q, k):
        return super().__call__(q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True))

q = torch.tensor([[[3.0, 4.0]]])
k = torch.tensor([[[4.0, 3.0], [-3.0, -4.0]]])
for score in [Dot(), Cosine()]:
    print(type(score).__name__, score(q, k))
try:
    Score()
except TypeError as e:
    print(e)

### shape-asserting-decorator | right
import torch
from functools import wraps

def shapes(*patterns):
    def decorate(fn):
        @wraps(fn)
        def checked(*args):
            sizes = {}
            for pattern, arg in zip(patterns, args):
                for letter, n in zip(pattern.split(), arg.shape):
                    if sizes.setdefault(letter, n) != n:
                        raise ValueError(f"{fn.__name__}: {letter} is {sizes[letter]} and {n}")
            return fn(*args)
        return checked
    return decorate

@shapes("b l d", "b s d", "b s e")
def attend(q, k, v):
    return (q @ k.mT).softmax(-1) @ v

y = attend(torch.ones(2, 3, 4), torch.ones(2, 5, 4), torch.ones(2, 5, 6))
print(y.shape, attend.__name__)
try:
    attend(torch.ones(2, 3, 4), torch.ones(2, 5, 3), torch.ones(2, 5, 6))
except ValueError as e:
    print(e)

### ascii-heatmap | right
import torch

shades = " .:-=+*#%@"
w = torch.tril(torch.ones(5, 5)).cumsum(1).tril()
w = w / w.sum(1, keepdim=True)
for i, row in enumerate(w):
    line = "".join(shades[min(int(p * 10), 9)] for p in row)
    print(f"{i:2d} |{line}| {row.max():.2f}")

### memory-estimate | right
def kv_bytes(layers, heads, dim, length, batch=1, bytes_per=2):
    return 2 * layers * heads * dim * length * batch * bytes_per

for name, cfg in {"MHA": (32, 32), "GQA": (32, 8), "MQA": (32, 1)}.items():
    n = kv_bytes(*cfg, dim=128, length=4096)
    unit = next(u for u, size in (("GiB", 2**30), ("MiB", 2**20)) if n >= size)
    print(f"{name}: {n:>13,} bytes = {n / (2**30 if unit == 'GiB' else 2**20):.1f} {unit}")
assert kv_bytes(32, 8, 128, 4096) * 4 == kv_bytes(32, 32, 128, 4096)

### receptive-field | right
import torch

n, w, layers = 10, 3, 3
i = torch.arange(n)
band = ((i[:, None] - i).abs() < w) & (i[:, None] >= i)
reach = torch.eye(n, dtype=torch.long)
for layer in range(1, layers + 1):
    reach = (band.long() @ reach).clamp(max=1)
    print(layer, reach[-1].tolist(), int(reach[-1].sum()))

### exercise-with-hidden-checks | right
import torch

def softmax_with_temperature(scores: "Tensor", T: float = 1.0):
    """Exercise 3. Your code here."""
    # YOUR CODE
    scaled = scores / T
    shifted = scaled - torch.amax(scaled, -1, True)
    e = shifted.exp_()
    return e.div_(e.sum(-1, True))

def check(fn):
    x = torch.tensor([[1., 2., 3.]])
    keep = x.clone()
    tests = [
        ("sums to one", lambda: torch.isclose(fn(x).sum(), torch.tensor(1.0)).item()),
        ("flat when hot", lambda: bool(fn(x, 1e4).std() < 1e-3)),
        ("sharp when cold", lambda: fn(x, 0.01)[0, 2].item() > 0.999),
        ("input unchanged", lambda: torch.equal(x, keep)),
    ]
    for name, test in tests:
        print(("PASS" if test() else "FAIL"), name)

check(softmax_with_temperature)

### named-intermediate-log | right
import torch

class Tape(dict):
    def __call__(self, **named):
        self.update(named)
        return next(iter(named.values()))

tape = Tape()
q = tape(q=torch.ones(1, 2, 3))
s = tape(scores=q @ q.transpose(1, 2))
w = tape(weights=s.softmax(dim=-1))
for i, (name, t) in enumerate(tape.items()):
    print(i, name, *t.shape, t.flatten()[0].item())

### bytes-and-strides-by-hand | right
import torch

x = torch.arange(24, dtype=torch.float32).view(2, 3, 4).transpose(1, 2)
def element(t, *index):
    flat = t.storage_offset() + sum(i * s for i, s in zip(index, t.stride()))
    return flat, flat * t.element_size()
for index in [(0, 0, 0), (0, 1, 2), (1, 3, 0)]:
    at, byte = element(x, *index)
    assert x[index] == at
    print(index, "->", at, byte)
y = x[1, ::2]
print(y.storage_offset(), y.stride(), y.is_contiguous())

### bool-algebra-of-masks | right
import torch

rows, cols = torch.meshgrid(torch.arange(4), torch.arange(6), indexing="ij")
causal = cols <= rows + 2
pad = torch.tensor([1, 1, 1, 1, 1, 0]).bool()
either = causal ^ pad
neither = ~(causal | pad)
print((causal & pad).sum().item(), either.sum().item(), neither.any().item())
print(torch.logical_or(causal, pad).all(dim=1), causal.all(), pad.float().mean())
print(causal.to(torch.float).cumsum(-1)[:, -1])

### reader-question-why-nan | wrong: a padded row of queries sees no key
import torch
import torch.nn.functional as F

pad = torch.tensor([[False, True, True]])
mask = pad.unsqueeze(1) | pad.unsqueeze(2)
att = torch.zeros(1, 3, 3).masked_fill(mask, float("-inf"))
p = F.softmax(att, dim=-1)
print(p)
print("nan anywhere?", torch.isnan(p).any().item(), "rows:", p.isnan().all(-1).nonzero().tolist())

### reader-question-same-output | wrong: the mean hides that every token gets the same
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(9, 4)
    def forward(self, ids):
        x = self.emb(ids)
        q, k = x.mean(1, keepdim=True), x
        w = torch.softmax(q @ k.transpose(1, 2), -1)
        return (w @ x).expand(-1, ids.size(1), -1)

y = Net()(torch.tensor([[1, 2, 3]]))
print(torch.equal(y[:, 0], y[:, 2]), y.stride())

### swapped-reshape-order | wrong: batch and heads change places
import torch

x = torch.arange(24.).reshape(2, 3, 4)
folded = x.reshape(2, 3, 2, 2).permute(2, 0, 1, 3).reshape(4, 3, 2)
back = folded.reshape(2, 2, 3, 2).permute(0, 2, 1, 3).reshape(2, 3, 4)
print(torch.equal(back, x), back[0, 0])

### float-mask-multiplied-by-inf | wrong: 0 times infinity is nan
import torch

keep = torch.tril(torch.ones(3, 3))
bias = (1 - keep) * float("-inf")
print(bias)
print((torch.zeros(3, 3) + bias).softmax(-1))

### cumulative-softmax-bug | wrong: the running maximum is forgotten
import torch

row = torch.tensor([1.0, 3.0, 2.0])
total, out = 0.0, 0.0
m = float("-inf")
for s, v in zip(row, torch.tensor([1.0, 10.0, 100.0])):
    m = max(m, s.item())
    total += torch.exp(s - m).item()
    out += torch.exp(s - m).item() * v.item()
print(round(out / total, 4), (row.softmax(0) @ torch.tensor([1.0, 10.0, 100.0])).item())

### dropout-left-on-comparison | wrong: the weights are dropped at random in training, not here
import torch
import torch.nn as nn

drop = nn.Dropout(0.3).eval()
w = torch.full((2, 4), 0.25)
a, b = drop(w), drop(w)
print(torch.equal(a, b), a.sum(-1))

### heads-from-the-wrong-config | raises RuntimeError
import torch
import torch.nn as nn
from types import SimpleNamespace

cfg = SimpleNamespace(dim=12, heads=3, kv_heads=2)

class Attn(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.hd = c.dim // c.heads
        self.q = nn.Linear(c.dim, c.dim)
        self.k = nn.Linear(c.dim, c.kv_heads * self.hd)

    def forward(self, x):
        b, n, _ = x.shape
        q = self.q(x).view(b, n, self.c.heads, self.hd).transpose(1, 2)
        k = self.k(x).view(b, n, self.c.heads, self.hd).transpose(1, 2)
        return q @ k.mT

y = Attn(cfg)(torch.randn(1, 5, 12))

### swapped-arguments-to-zeros | raises TypeError
import torch
mask = torch.zeros([4, 4], torch.bool)

### tensor-of-tensors | raises ValueError
import torch
rows = [torch.zeros(3), torch.ones(3)]
x = torch.tensor(rows)

### inplace-relu-on-view-of-leaf | raises RuntimeError
import torch
import torch.nn as nn
p = nn.Parameter(torch.randn(2, 3))
p[0].zero_()

### grad-tensor-as-numpy-list | raises RuntimeError
import torch
w = torch.ones(2, 3, requires_grad=True)
s = w.sum()
s += w
print(s)

### sequential-with-mha | raises TypeError
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(4, 4), nn.MultiheadAttention(4, 2))
y = net(torch.zeros(3, 2, 4))

### module-list-called | raises NotImplementedError
import torch
import torch.nn as nn
layers = nn.ModuleList([nn.Linear(4, 4), nn.ReLU()])
y = layers(torch.zeros(1, 4))

### state-dict-mismatch | raises RuntimeError
import torch.nn as nn
small, large = nn.Linear(4, 4), nn.Linear(4, 8)
large.load_state_dict(small.state_dict())

### modulelist-index | raises IndexError
import torch.nn as nn
layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
last = layers[2]

### abstract-method-forgotten | raises TypeError
from abc import ABC, abstractmethod

class Attention(ABC):
    @abstractmethod
    def score(self, q, k):
        pass

class Dot(Attention):
    def scores(self, q, k):
        return q @ k

d = Dot()

### frozen-config-changed | raises FrozenInstanceError
from dataclasses import dataclass

@dataclass(frozen=True)
class Config:
    heads: int = 2

c = Config()
c.heads = 4

### dataclass-without-default-last | raises TypeError
from dataclasses import dataclass

@dataclass
class Config:
    heads: int = 2
    dim: int

c = Config(dim=4)

### custom-exception-class | raises ShapeError
import torch

class ShapeError(ValueError):
    def __init__(self, name, want, got):
        super().__init__(f"{name}: wanted {want}, got {tuple(got)}")
        self.got = got

def need(name, t, *want):
    for w, g in zip(want, t.shape, strict=True):
        if w not in (None, g):
            raise ShapeError(name, want, t.shape)
    return t

a = need("q", torch.zeros(2, 3), None, 3)
b = need("k", torch.zeros(2, 4), None, 3)

### zip-strict-lengths | raises ValueError
names = ["q", "k", "v"]
sizes = [4, 4]
table = dict(zip(names, sizes, strict=True))

### class-used-as-instance | raises TypeError
import torch
import torch.nn as nn
lin = nn.Linear
y = lin.forward(torch.zeros(1, 2))

### wrong-unpack-in-for | raises ValueError
import torch
data = {"q": 1, "k": 2}
for name, size, extra in data.items():
    print(name, size)

### shapes-in-a-nested-function | raises RuntimeError
import torch

def outer(x):
    def project(t, width=4):
        return t @ torch.ones(t.shape[-1], width)
    def score(a, b):
        return a @ b.transpose(0, 1)
    return score(project(x), project(x, width=3))

print(outer.__name__)
outer(torch.ones(2, 6))
