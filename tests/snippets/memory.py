# Views, copies, strides and shared storage.

### view-and-strides | right
import torch

x = torch.arange(24)
a = x.view(2, 3, 4)
b = a.transpose(0, 1)
c = b.permute(2, 1, 0)
d = b.contiguous()
e = b.reshape(6, 4)
for name, t in [("a", a), ("b", b), ("c", c), ("d", d), ("e", e)]:
    print(name, tuple(t.shape), t.stride(), t.is_contiguous(), t.data_ptr() == x.data_ptr())

### reshape-view-when-possible | right
import torch

x = torch.randn(2, 3, 4)
r1 = x.reshape(6, 4)
r2 = x.transpose(0, 1).reshape(6, 4)
r3 = x.transpose(1, 2).reshape(2, 2, 2, 3)
r4 = x[:, :2].reshape(2, 8)
shared = [t.untyped_storage().data_ptr() == x.untyped_storage().data_ptr() for t in (r1, r2, r3, r4)]
print(shared)

### write-through-a-view | right
import torch

base = torch.zeros(3, 4)
row = base[1]
col = base[:, 2]
row += 1
col.mul_(5)
base.t()[0] = 9
print(base)
print(row, col)

### expand-shares-repeat-copies | right
import torch

b = torch.arange(3.).view(1, 3)
e = b.expand(2, 3)
r = b.repeat(2, 1)
b[0, 0] = 100
print(e, r, e.stride(), r.stride())
f = b.expand(4, -1, 3)
print(f.shape, f.stride())

### split-and-unbind-are-views | right
import torch

qkv = torch.arange(12.).view(2, 6)
q, k, v = qkv.split(2, dim=-1)
first, second = qkv.unbind()
left, right = qkv.chunk(2, dim=1)
q.zero_()
print(qkv, q.stride(), k.storage_offset(), v.storage_offset(), right.storage_offset())

### uneven-chunks | right
import torch

t = torch.arange(7)
print(t.chunk(3), [len(c) for c in t.chunk(4)])
print(t.split(3), t.split([1, 6]))
parts = torch.tensor_split(t, 3)
print([p.tolist() for p in parts])

### advanced-indexing-copies | right
import torch

x = torch.arange(12.).view(3, 4)
rows = x[[0, 2]]
cols = x[:, torch.tensor([1, 3])]
pick = x[torch.arange(3), torch.tensor([0, 1, 2])]
mask = x[x > 5]
rows[0] = -1
print(x[0], cols, pick, mask)

### slices-steps-none | right
import torch

x = torch.arange(60).view(3, 4, 5)
a, b, c = x[:, ::2], x[..., -1], x[None, 1:, 0]
d = x[:, None, :, 2:4]
print(a.shape, a.stride(), b.stride(), c.shape, d.shape, d.storage_offset())

### index-assignment | right
import torch

w = torch.zeros(3, 4)
w[0] = torch.arange(4.)
w[1, 1:3] = 7
w[:, -1] = torch.tensor([1., 2., 3.])
w[[2, 2], [0, 1]] = 5.0
w[w == 7] += 0.5
w[..., 0] -= 1
print(w)

### flip-roll-rot | right
import torch

x = torch.arange(6).view(2, 3)
print(x.flip(0), x.flip(dims=(0, 1)), x.roll(1, dims=1), torch.roll(x, 1))

### squeeze-unsqueeze-flatten | right
import torch

x = torch.randn(2, 1, 3, 1)
print(x.squeeze().shape, x.squeeze(1).shape, x.squeeze(0).shape, x.unsqueeze(-1).shape, x.flatten().shape, x.flatten(1).shape)
a = x.squeeze(-1).stride()
y = x.flatten(0, 1)
y2 = x.transpose(0, 2).flatten(1)
z = y.unflatten(0, (1, -1))

### movedim-swapaxes-mt | right
import torch

x = torch.randn(2, 3, 4, 5)
a = x.movedim(1, -1)
b = x.swapaxes(0, 3)
c = x.mT
d = torch.movedim(x, (0, 1), (2, 3))
print(a.shape, b.shape, c.shape, d.shape)
m = x[0, 0].T

### in-place-or-new | right
import torch

x = torch.ones(2, 2)
alias = x
y = x + 1
x += 1
x = x * 2
print(alias, x, y, alias is x)

### clone-of-transposed | right
import torch

t = torch.randn(2, 3, 4).transpose(1, 2)
c = t.clone()
z = torch.zeros_like(t)
s = t * 2
k = t.contiguous()
m = t + torch.randn(2, 4, 3)
print(c.stride(), z.stride(), s.stride(), k.stride(), m.stride())

### cat-stack-strides | right
import torch

a, b = torch.randn(2, 3), torch.randn(2, 3)
c0, c1 = torch.cat([a, b]), torch.cat((a, b), dim=-1)
s0, s1, s2 = torch.stack([a, b]), torch.stack([a, b], dim=1), torch.stack([a, b], -1)
h, v = torch.hstack([a, b]), torch.vstack([a, b])
print(c0.shape, c1.shape, s0.shape, s1.shape, s2.shape, h.shape, v.shape)

### matmul-of-views | right
import torch

q = torch.randn(2, 4, 3, 5).transpose(1, 2)
k = torch.randn(2, 6, 3, 5).transpose(1, 2)
s = q @ k.transpose(-1, -2)
o = s.softmax(-1) @ k
merged = o.transpose(1, 2).reshape(2, 4, 15)
print(s.stride(), o.stride(), merged.stride())

### gather-and-scatter | right
import torch

scores = torch.randn(2, 5)
top = scores.topk(2, dim=1).indices
picked = scores.gather(1, top)
mask = torch.zeros(2, 5).scatter_(1, top, 1.0)
counts = torch.zeros(4).scatter_add(0, torch.tensor([0, 1, 1, 3]), torch.ones(4))
print(picked.shape, mask.sum(1), counts)

### take-along-and-masked-select | right
import torch

w = torch.tensor([[0.1, 0.9], [0.6, 0.4]])
order = w.argsort(dim=-1, descending=True)
print(torch.take_along_dim(w, order, dim=-1), torch.masked_select(w, w > 0.35), w.nonzero().shape)
i, j = torch.where(w > 0.5)
print(i, j)

### as-strided-windows | right
import torch

x = torch.arange(6.)
windows = x.as_strided((4, 3), (1, 1))
same = x.unfold(0, 3, 1)
print(windows, torch.equal(windows, same), same.stride())

### broadcasting-rules | right
import torch

a = torch.ones(2, 1, 4)
b = torch.ones(3, 1)
c = a + b
d, e = torch.broadcast_tensors(a, b)
print(c.shape, d.stride(), e.stride(), torch.broadcast_shapes((2, 1, 4), (3, 1)))
f = a.expand_as(c)
