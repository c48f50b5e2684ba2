# The parts of Python that attention code uses besides tensors.

### dataclass-config | right
from dataclasses import dataclass, field
import torch

@dataclass
class Config:
    d_model: int = 12
    n_heads: int = 3
    names: list = field(default_factory=lambda: ["q", "k"])
    eps: float = 1e-5

    def __post_init__(self):
        assert self.d_model % self.n_heads == 0
        self.d_head = self.d_model // self.n_heads

    @property
    def scale(self):
        return self.d_head ** -0.5

cfg = Config(n_heads=4)
print(cfg, cfg.d_head, cfg.scale)
print(Config() == Config(), cfg == Config())
scores = torch.ones(2, 2) * cfg.scale

### frozen-and-replace | right
from dataclasses import dataclass, replace

@dataclass(frozen=True)
class Sizes:
    B: int
    L: int
    E: int = 8

a = Sizes(2, 5)
b = replace(a, L=7)
print(a, b, a != b)

### kwargs-forwarding | right
import torch

def attend(q, k, v, *, scale=None, mask=None):
    s = q @ k.mT * (scale if scale is not None else q.size(-1) ** -0.5)
    return (s if mask is None else s + mask).softmax(-1) @ v

def traced(fn):
    def wrapper(*args, **kwargs):
        out = fn(*args, **kwargs)
        print(fn.__name__, len(args), sorted(kwargs), tuple(out.shape))
        return out
    return wrapper

attend = traced(attend)
x = torch.randn(2, 3, 4)
y = attend(x, x, x, scale=1.0)
z = attend(x, x, x, **{"mask": torch.zeros(3, 3)})

### closures-and-nonlocal | right
import torch

def counter():
    calls = 0
    def attend(x):
        nonlocal calls
        calls += 1
        return x.softmax(-1), calls
    return attend

f = counter()
f(torch.zeros(2))
w, n = f(torch.zeros(3))
print(n, w)

### reduce-and-partial | right
from functools import partial, reduce
import operator
import torch

softmax = partial(torch.softmax, dim=-1)
layers = [lambda x: x * 2, torch.relu, softmax]
y = reduce(lambda x, f: f(x), layers, torch.tensor([-1.0, 0.0, 1.0]))
size = reduce(operator.mul, (2, 3, 4))
print(y, size)

### unpacking-stars | right
import torch

x = torch.randn(2, 3, 4, 5)
*batch, n, d = x.shape
B, H, *rest = x.size()
(first, second), last = [[1, 2], 3]
flat = x.reshape(*batch, n * d)
print(batch, n, d, rest, flat.shape, first, second, last)

### inheritance-and-super | right
import torch
import torch.nn as nn

class Base(nn.Module):
    name = "base"
    def __init__(self, d):
        super().__init__()
        self.d = d
        self.q = nn.Linear(d, d)

    def score(self, x):
        raise NotImplementedError

    def forward(self, x):
        return self.score(self.q(x)).softmax(-1) @ x

class Dot(Base):
    name = "dot"
    def score(self, x):
        return x @ x.mT

class Scaled(Dot):
    name = "scaled"
    def score(self, x):
        return super().score(x) / self.d ** 0.5

for cls in (Dot, Scaled):
    out = cls(4)(torch.ones(1, 2, 4))
    print(cls.name, cls.__name__, out.shape, isinstance(cls(2), Base), issubclass(cls, nn.Module))

### try-and-report | right
import torch

q, k = torch.randn(2, 3, 4), torch.randn(2, 5, 6)
try:
    scores = q @ k.transpose(-2, -1)
except RuntimeError as e:
    print("failed:", e)
    scores = None
finally:
    print("checked")
try:
    torch.zeros(2).view(3)
except Exception as err:
    print(type(err).__name__, "|", err)
else:
    print("fine")

### comprehensions-everywhere | right
import torch

sizes = {"q": (2, 3), "k": (2, 5)}
t = {name: torch.zeros(*s) for name, s in sizes.items()}
flat = [n for row in torch.eye(2).tolist() for n in row if n > 0]
lookup = {v: i for i, v in enumerate("abc")}
evens = {i % 2 for i in range(5)}
total = sum(x.numel() for x in t.values())
print(flat, lookup, evens, total, any(s.dim() == 2 for s in t.values()), all([]))
print(max(t, key=lambda n: t[n].numel()), min(3, 1, 2), sorted(sizes, reverse=True), list(zip("ab", range(2))))

### conditional-expressions | right
import torch

def make(causal=True, n=3, window=None):
    m = torch.ones(n, n)
    m = m.tril() if causal else m
    if window:
        m = m.triu(1 - window)
    elif not causal:
        m *= 2
    return m

print(make(), make(False), make(window=2), sep="\n")
state = "square" if (s := make().shape)[0] == s[1] else "not"
print(state)

### strings-and-tokens | right
import torch

text = "to be or not to be"
chars = sorted(list(set(text)))
stoi = {ch: i for i, ch in enumerate(chars)}
itos = {i: ch for ch, i in stoi.items()}
encode = lambda s: [stoi[c] for c in s]
decode = lambda l: "".join([itos[i] for i in l])
data = torch.tensor(encode(text), dtype=torch.long)
print("".join(chars), len(chars))
print(decode(data[:5].tolist()), text.split()[::-1], text.upper().replace("BE", "do"), text.title().count("T"))

### typed-signature | right
from __future__ import annotations
from typing import Optional, Tuple, List, Union
import torch
from torch import Tensor

def attend(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
    s: Tensor = q @ k.transpose(-1, -2)
    if mask is not None:
        s = s.masked_fill(~mask, -1e9)
    w: Tensor = s.softmax(-1)
    return w @ v, w

shapes: List[Union[int, tuple]] = []
out, w = attend(*(torch.ones(1, 2, 3) for _ in range(3)))
shapes.append(tuple(out.shape))
print(shapes)

### namedtuple-result | right
from collections import namedtuple, defaultdict
import torch

Output = namedtuple("Output", ["context", "weights"])
w = torch.full((2, 2), 0.5)
res = Output(w @ torch.eye(2), weights=w)
context, weights = res
print(res.weights.shape, res[0] is context, len(res))
log = defaultdict(list)
for i in range(4):
    log[i % 2].append(i)
print(dict(log))

### loops-with-break-and-else | right
import torch

scores = torch.tensor([0.1, 0.7, 0.9, 0.3])
for i, s in enumerate(scores):
    if s > 0.8:
        print("found at", i)
        break
else:
    print("none")
n = 0
while True:
    n += 1
    if n % 2: continue
    if n > 6: break
for a, b in zip(range(0, 10, 3), reversed(range(4))):
    print(a, b, end="; ")
print(n, 7 // 2, -7 // 2, 7 % 3, -7 % 3, 2 ** 10, 2 ** -1, 7 / 2, divmod(7, 2))

### global-sizes-and-main | right
import torch

SIZES = dict(B=2, L=3, E=4)
seen = []

def build():
    global WEIGHT
    WEIGHT = torch.eye(SIZES["E"])
    return torch.ones(*SIZES.values())

def main():
    x = build()
    seen.append(x @ WEIGHT)

if __name__ == "__main__":
    main()
print(seen[0].shape, WEIGHT.sum())

### class-with-operators | right
import torch

class Named:
    """A tensor with a letter for each axis."""
    def __init__(self, data, axes):
        assert data.dim() == len(axes), f"{axes} does not name {data.dim()} axes"
        self.data, self.axes = data, axes

    def __matmul__(self, other):
        assert self.axes[-1] == other.axes[-2]
        return Named(self.data @ other.data, self.axes[:-1] + other.axes[-1])

    def __getitem__(self, letter):
        return self.data.shape[self.axes.index(letter)]

    def __len__(self):
        return len(self.axes)

    def __repr__(self):
        return f"Named({', '.join(f'{a}={self[a]}' for a in self.axes)})"

    @classmethod
    def zeros(cls, **sizes):
        return cls(torch.zeros(*sizes.values()), "".join(sizes))

p = Named.zeros(B=2, L=3, D=4) @ Named.zeros(B=2, D=4, S=5)
print(p, p["S"], len(p))

### module-dict-by-name | right
import torch
import torch.nn as nn

class Towers(nn.Module):
    def __init__(self, **widths):
        super().__init__()
        self.towers = nn.ModuleDict()
        for name, width in widths.items():
            self.towers[name] = nn.Linear(width, 3)

    def forward(self, inputs):
        return {n: self.towers[n](x) for n, x in inputs.items()}

t = Towers(text=4, image=6)
out = t({"text": torch.ones(1, 4), "image": torch.ones(2, 6)})
print({k: tuple(v.shape) for k, v in out.items()}, len(t.towers), "text" in t.towers, list(t.towers.keys()))

### hooks-of-a-reader | right
import torch
import torch.nn as nn

class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 4)
        self.saved = {}

    def keep(self, name, value):
        self.saved[name] = value.detach()
        return value

    def forward(self, x):
        s = self.keep("scores", self.q(x) @ x.mT)
        return self.keep("weights", s.softmax(-1)) @ x

p = Probe()
p(torch.ones(1, 2, 4))
for name in ["scores", "weights", "values"]:
    print(name, p.saved.get(name, "missing") if name not in p.saved else tuple(p.saved[name].shape))
print(hasattr(p, "q"), hasattr(p, "nope"), getattr(p, "nope", 7))
saved_weights = p.saved["weights"]
