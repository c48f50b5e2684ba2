# Programs that raise: names, types, arguments, devices and dtypes.

### missing-super-init | raises AttributeError
import torch
import torch.nn as nn

class Attention(nn.Module):
    def __init__(self, dim):
        self.q = nn.Linear(dim, dim)

a = Attention(8)

### missing-super-init-buffer | raises AttributeError
import torch
from torch import nn

class Causal(nn.Module):
    def __init__(self, n):
        self.register_buffer("mask", torch.ones(n, n).tril())

c = Causal(4)

### parameter-before-super | raises AttributeError
import torch
import torch.nn as nn

class A(nn.Module):
    def __init__(self):
        self.scale = 0.5
        self.w = nn.Parameter(torch.ones(2))
        super().__init__()

a = A()

### misspelt-attribute | raises AttributeError
import torch
import torch.nn as nn

class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(4, 4)

    def forward(self, x):
        return self.querry(x)

y = A()(torch.ones(1, 4))

### misspelt-tensor-method | raises AttributeError
import torch
k = torch.randn(2, 3)
kt = k.transposed(0, 1)

### misspelt-torch-function | raises AttributeError
import torch
x = torch.random_normal(2, 3)

### misspelt-functional | raises AttributeError
import torch
import torch.nn.functional as F
w = F.soft_max(torch.zeros(3), dim=0)

### misspelt-nn-class | raises AttributeError
import torch.nn as nn
l = nn.MultiHeadAttention(8, 2)

### misspelt-variable | raises NameError
import torch
scores = torch.randn(3, 3)
weights = score.softmax(-1)

### f-not-imported | raises NameError
import torch
w = F.softmax(torch.zeros(2), dim=0)

### math-not-imported-in-class | raises NameError
import torch
import torch.nn as nn

class A(nn.Module):
    def forward(self, q, k):
        return q @ k.mT / math.sqrt(q.size(-1))

out = A()(torch.ones(2, 4), torch.ones(3, 4))

### local-before-assignment | raises UnboundLocalError
import torch

scale = 0.5

def attend(x):
    s = x @ x.mT * scale
    scale = s.max()
    return s

attend(torch.ones(2, 2))

### forward-missing-argument | raises TypeError
import torch
import torch.nn as nn

class A(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.d = d

    def forward(self, q, k, v):
        return (q @ k.mT).softmax(-1) @ v

a = A(4)
x = torch.ones(2, 4)
y = a(x, x)

### forward-too-many-arguments | raises TypeError
import torch
import torch.nn as nn

class A(nn.Module):
    def forward(self, x):
        return x

y = A()(torch.ones(2), torch.ones(2))

### init-missing-argument | raises TypeError
import torch.nn as nn

class A(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()

a = A(8)

### unexpected-keyword | raises TypeError
def attention(q, k, v, mask=None):
    return q

attention(1, 2, 3, attn_mask=None)

### unexpected-keyword-of-linear | raises TypeError
import torch.nn as nn
l = nn.Linear(4, 4, use_bias=False)

### self-forgotten | raises TypeError
import torch
import torch.nn as nn

class A(nn.Module):
    def split(x):
        return x.chunk(2)

    def forward(self, x):
        return self.split(x)

A()(torch.ones(4))

### forward-without-return | raises TypeError
import torch
import torch.nn as nn

class A(nn.Module):
    def forward(self, x):
        y = x.softmax(-1)

w, ctx = A()(torch.ones(2, 2))

### none-has-no-shape | raises AttributeError
import torch

def split(x, h):
    x.view(2, -1, h)

q = split(torch.ones(2, 6), 3)
print(q.shape)

### no-forward-method | raises NotImplementedError
import torch
import torch.nn as nn

class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(2, 2)

    def foward(self, x):
        return self.l(x)

y = A()(torch.ones(1, 2))

### module-called-on-class | raises TypeError
import torch
import torch.nn as nn
x = torch.randn(2, 4)
y = nn.Linear(x)

### layernorm-class-called | raises TypeError
import torch
import torch.nn as nn
y = nn.Dropout()(nn.LayerNorm(4), torch.ones(4))

### tuple-has-no-attribute | raises AttributeError
import torch
import torch.nn as nn
m = nn.MultiheadAttention(4, 2, batch_first=True)
x = torch.ones(1, 3, 4)
y = m(x, x, x)
print(y.shape)

### max-returns-a-pair | raises AttributeError
import torch
scores = torch.randn(2, 3)
stable = scores.max(dim=-1, keepdim=True)
print(stable.exp())

### pair-minus-tensor | raises TypeError
import torch
scores = torch.randn(2, 3)
e = (scores - scores.max(-1, keepdim=True)).exp()

### size-is-a-method | raises TypeError
import torch
x = torch.randn(2, 3)
d = x.size[-1]

### shape-is-no-method | raises TypeError
import torch
x = torch.randn(2, 3)
b, d = x.shape()

### size-plus-int | raises TypeError
import torch
x = torch.randn(2, 3)
s = x.shape + 4

### list-minus-list | raises TypeError
scores = [1.0, 2.0]
top = [2.0, 2.0]
print(scores - top)

### list-to-softmax | raises TypeError
import torch
w = torch.softmax([1.0, 2.0, 3.0], dim=0)

### number-to-exp | raises TypeError
import torch
e = torch.exp(2.0)

### number-to-sqrt | raises TypeError
import torch
d_k = 8
scale = torch.sqrt(d_k)

### tensor-in-math-sqrt | raises ValueError
import math
import torch
s = math.sqrt(torch.tensor(-4.0))

### softmax-without-dim | raises TypeError
import torch
x = torch.randn(2, 3)
w = x.softmax()

### softmax-axis-typo | raises TypeError
import torch
w = torch.softmax(torch.zeros(2, 2), dims=-1)

### softmax-of-integers | raises NotImplementedError
import torch
scores = torch.tensor([[1, 2, 3]])
w = scores.softmax(-1)

### mean-of-integers | raises RuntimeError
import torch
ids = torch.arange(6).view(2, 3)
m = ids.mean(dim=-1)

### linear-on-integers | raises RuntimeError
import torch
import torch.nn as nn
ids = torch.tensor([[1, 2, 3, 4]])
y = nn.Linear(4, 2)(ids)

### embedding-of-floats | raises RuntimeError
import torch
import torch.nn as nn
e = nn.Embedding(5, 3)
y = e(torch.tensor([1.0, 2.0]))

### matmul-dtypes-differ | raises RuntimeError
import torch
q = torch.randn(2, 3, dtype=torch.float64)
k = torch.randn(3, 4)
s = q @ k

### matmul-half-and-float | raises RuntimeError
import torch
w = torch.randn(2, 3).half()
v = torch.randn(3, 4)
out = w @ v

### masked-fill-with-float-mask | raises RuntimeError
import torch
scores = torch.randn(3, 3)
mask = torch.tril(torch.ones(3, 3))
scores = scores.masked_fill(mask, float("-inf"))

### masked-fill-half-overflow | raises RuntimeError
import torch
scores = torch.zeros(2, 2, dtype=torch.float16)
scores = scores.masked_fill(torch.eye(2).bool(), -1e9)

### invert-a-float-mask | raises TypeError
import torch
mask = torch.tril(torch.ones(3, 3))
scores = torch.zeros(3, 3).masked_fill(~mask, -1e9)

### subtract-bools | raises RuntimeError
import torch
keep = torch.tensor([True, False])
mask = 1 - keep

### and-of-float-masks | raises NotImplementedError
import torch
a = torch.ones(3, 3)
b = torch.ones(3, 3).tril()
m = a & b

### in-place-division-of-integers | raises RuntimeError
import torch
x = torch.arange(4)
x /= 2

### index-with-float | raises TypeError
import torch
L = 6
x = torch.arange(6)
half = x[: L / 2]

### index-with-float-tensor | raises IndexError
import torch
x = torch.randn(4, 2)
y = x[torch.tensor([0.0, 1.0])]

### one-hot-of-floats | raises RuntimeError
import torch
import torch.nn.functional as F
h = F.one_hot(torch.tensor([0.0, 1.0]))

### sdpa-dtypes-differ | raises RuntimeError
import torch
import torch.nn.functional as F
q = torch.randn(1, 1, 2, 4)
k = torch.randn(1, 1, 2, 4, dtype=torch.float64)
o = F.scaled_dot_product_attention(q, k, k)

### unknown-device | raises RuntimeError
import torch
device = torch.device("gpu")
x = torch.randn(2, device=device)

### assert-with-message | raises AssertionError
import torch

class Config:
    n_embd, n_head = 10, 4

def check(config):
    assert config.n_embd % config.n_head == 0, f"{config.n_embd} features do not split into {config.n_head} heads"
    return config.n_embd // config.n_head

D = check(Config)

### assert-shape-plain | raises AssertionError
import torch
out = torch.randn(2, 5, 12).transpose(1, 2)
print(out.shape)
assert out.shape == (2, 5, 12)

### raise-value-error | raises ValueError
def split(E, H):
    if E % H:
        raise ValueError(f"hidden_size ({E}) is not a multiple of the number of heads ({H})")
    return E // H

print(split(12, 3))
print(split(12, 5))

### key-error-in-config | raises KeyError
config = {"n_embd": 8, "n_head": 2}
D = config["n_embd"] // config["heads"]

### dict-has-no-attribute | raises AttributeError
cfg = dict(dim=8, heads=2)
print(cfg.dim)

### list-index | raises IndexError
heads = [1, 2, 3]
for h in range(4):
    print(heads[h])

### division-by-zero | raises ZeroDivisionError
H = 0
D = 12 // H

### string-times-float | raises TypeError
print("=" * 2.5)

### string-plus-number | raises TypeError
import torch
x = torch.zeros(2, 3)
print("batch size: " + x.shape[0])

### unknown-format | raises TypeError
import torch
w = torch.rand(2, 2)
print(f"{w:.2f}")

### int-is-not-iterable | raises TypeError
H = 3
for h in H:
    print(h)

### int-is-not-callable | raises TypeError
import torch
softmax = 3
w = softmax(torch.zeros(2))

### tensor-is-not-callable | raises TypeError
import torch
a = torch.zeros(2, 3)
b = 2
c = a(b)

### module-not-subscriptable | raises TypeError
import torch.nn as nn
l = nn.Linear(2, 2)
w = l["weight"]

### unknown-module | raises ModuleNotFoundError
import torch
import torch.nn.functionals as F

### cannot-import-name | raises ImportError
from torch.nn import MultiheadAttn

### tuple-assignment | raises TypeError
import torch
shape = torch.zeros(2, 3).shape
shape[0] = 5

### randn-of-a-string | raises TypeError
import torch
x = torch.randn("2", 3)

### tensor-of-ragged-lists | raises ValueError
import torch
x = torch.tensor([[1, 2, 3], [4, 5]])

### cat-not-a-list | raises TypeError
import torch
a, b = torch.ones(2), torch.ones(2)
c = torch.cat(a, b)

### stop-at-second-call | raises RuntimeError
import torch

def block(x, W):
    h = x @ W
    return torch.relu(h)

x = torch.ones(1, 4)
for W in [torch.ones(4, 3), torch.ones(3, 5), torch.ones(3, 2)]:
    x = block(x, W)
    print(x.shape)

### error-in-lambda-in-comprehension | raises RuntimeError
import torch

fold = lambda t: t.view(2, 3, 2)
q, k = torch.ones(2, 6), torch.ones(2, 5)
parts = [
    fold(t)
    for t in (q, k)
]

### error-in-nested-modules | raises RuntimeError
import torch
import torch.nn as nn

class FF(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d, 4 * d),
            nn.ReLU(),
            nn.Linear(d, d),
        )

    def forward(self, x):
        return self.net(x)

class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ff = FF(d)

    def forward(self, x):
        return x + self.ff(
            x
        )

out = Block(4)(torch.ones(2, 3, 4))

### error-in-the-middle-of-a-chain | raises RuntimeError
import torch

x = torch.randn(2, 5, 12)
y = (
    x.view(2, 5, 3, 4)
    .transpose(1, 2)
    .contiguous()
    .view(2, 5, 11)
    .mean(-1)
)

### arguments-over-lines | raises RuntimeError
import torch

def attend(q, k):
    return q @ k

out = attend(
    torch.randn(2, 3),
    torch.randn(2, 3),
)

### reraised | raises ValueError
import torch

def checked(x):
    try:
        return x.view(5, 5)
    except RuntimeError as error:
        raise ValueError(f"bad input of {x.numel()} elements") from error

checked(torch.zeros(24))

### generator-exhausted | raises StopIteration
import torch
it = iter([torch.zeros(1)])
a = next(it)
b = next(it)

### recursion-without-end | raises RecursionError
def attend(x):
    return attend(x)

attend(1)
