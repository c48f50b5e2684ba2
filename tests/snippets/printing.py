# What programs print: tensors, shapes, f-strings, tables.

### print-tensors-of-all-kinds | right
import torch

print(torch.tensor(3))
print(torch.tensor(2.5))
print(torch.tensor([1, -2, 30]))
print(torch.tensor([0.5, 100.25, -3.0]))
print(torch.tensor([1e-8, 1.0]))
print(torch.tensor([1e10, 1.0]))
print(torch.tensor([True, False]))
print(torch.tensor([float("nan"), float("inf"), 1.0]))
print(torch.tensor([1.0, 2.0, 3.0]))
print(torch.empty(0), torch.zeros(2, 0))
print(torch.tensor([1.5], dtype=torch.float64), torch.tensor([1], dtype=torch.int32))

### print-three-axes | right
import torch

t = torch.arange(24).reshape(2, 3, 4)
print(t)
print(t[0].float() / 3)
print(t.permute(2, 0, 1)[0])

### print-wide-rows | right
import torch

print(torch.arange(40))
print(torch.arange(30) * 0.1)
print(torch.linspace(0, 1, 12).view(1, -1))

### print-summarised | right
import torch

big = torch.arange(1200.)
print(big)
print(torch.zeros(40, 50))

### print-small-and-large | right
import torch

print(torch.tensor([0.00012, 0.5]))
print(torch.tensor([123456.0, 0.001]))
print(torch.tensor([[1e-5, 2e-5], [3e-5, 4e-5]]))
print(torch.tensor([-1.0, 1000000.0]))
print(torch.tensor([99999999.0, 1.5]))

### print-parameter | right
import torch
import torch.nn as nn

p = nn.Parameter(torch.arange(6.).view(2, 3))
print(p)
print(p.shape, p.data)
lin = nn.Linear(2, 2)
nn.init.ones_(lin.weight)
nn.init.zeros_(lin.bias)
print(lin(torch.tensor([[1., 2.]])))
print(list(lin.named_parameters())[1])

### fstring-shapes | right
import torch

q = torch.randn(2, 3, 4, 5)
print(f"q: {q.shape}")
print(f"{q.shape=}")
print(f"{tuple(q.shape)} {list(q.size())} {q.ndim}-D {q.numel():,} numbers")
print("q.shape = " + str(q.shape))
print("%s has %d axes" % (q.shape, q.dim()))
print("last {} of {}".format(q.size(-1), q.size()))

### fstring-numbers | right
import math
import torch

x = torch.tensor([1.23456, -0.5])
print(f"{x[0]:.2f} {x[1]:+.1f} {x.sum().item():8.3f}|")
print(f"{math.pi:.3e} {1234567:,} {0.256:.1%} {42:05d} {255:x} {7:b}")
print(f"{'left':<8}|{'right':>8}|{'mid':^8}|{'pad':*^9}")
width = 10
print(f"{3.14159:{width}.2f}", f"{x.mean().item()!r:.5}", f"{{braces}}")

### print-sep-end | right
import torch

w = torch.tensor([[0.25, 0.75], [0.5, 0.5]])
for row in w:
    print(*row.tolist(), sep=" | ", end=" ;\n")
print("shape", w.shape, "dtype", w.dtype, sep=": ")
print()
print(w.tolist(), w[0, 1].item())

### print-table | right
import torch

tokens = ["the", "cat", "sat"]
w = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
print(" " * 6 + "".join(f"{t:>6}" for t in tokens))
for name, row in zip(tokens, w):
    print(f"{name:<6}" + "".join(f"{p:6.2f}" for p in row))
best = [tokens[i] for i in w.argmax(dim=1)]
print(best)

### print-containers-of-tensors | right
import torch

pair = (torch.zeros(2), torch.ones(1))
print(pair)
print([torch.tensor(1), torch.tensor(2.0)])
print({"k": torch.arange(2), "v": None})
print(torch.zeros(2, 2).shape, [torch.zeros(1, 2).shape])
print(torch.max(torch.tensor([[1., 5.], [7., 2.]]), dim=1))

### shape-report | right
import torch

def report(**tensors):
    for name, t in tensors.items():
        print(f"{name:<6} {str(tuple(t.shape)):<14} {str(t.stride()):<18} {t.is_contiguous()}")

x = torch.randn(2, 4, 6)
report(x=x, split=x.view(2, 4, 3, 2), heads=x.view(2, 4, 3, 2).transpose(1, 2), merged=x.view(2, 4, 3, 2).transpose(1, 2).reshape(2, 12, 2))

### dtype-and-size-strings | right
import torch

x = torch.ones(2, 3, dtype=torch.int64)
print(x.dtype, str(x.dtype).split(".")[-1], x.dtype == torch.long, x.type())
print(x.size(), x.size(0), x.shape[-1], len(x), x.shape == (2, 3), x.shape + (4,))
print(repr(x.shape), x.shape.numel(), x.nelement() * x.element_size())

### rounding-in-print | right
import torch

torch.set_printoptions(precision=2, sci_mode=False)
print(torch.tensor([0.123456, 12.5, 1e-6]))
w = torch.tensor([1 / 3, 2 / 3])
print(w, round(w[0].item(), 4), [f"{v:.3f}" for v in w])
torch.set_printoptions(precision=4)
print(w.round(decimals=2))

### progress-lines | right
import torch

total = 0
for step, batch in enumerate(torch.arange(6.).split(2), start=1):
    total += batch.sum().item()
    print(f"step {step}/{3} | mean so far {total / (2 * step):.3f}")
print("=" * 20)
print("done" if total == 15 else f"odd: {total}")
