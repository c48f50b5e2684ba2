# Decoding with a cache of keys and values.

### cat-cache | right
import torch
import torch.nn.functional as F

D = 4
past_k, past_v = None, None
outs = []
for step in range(4):
    q, k, v = torch.randn(3, 1, 2, 1, D).unbind()
    past_k = k if past_k is None else torch.cat([past_k, k], dim=2)
    past_v = v if past_v is None else torch.cat([past_v, v], dim=2)
    outs.append(F.scaled_dot_product_attention(q, past_k, past_v))
    print(step, past_k.shape)
y = torch.cat(outs, 2)

### preallocated-cache | right
import torch

class KVCache:
    def __init__(self, batch, max_len, heads, dim):
        shape = (batch, max_len, heads, dim)
        self.k = torch.zeros(shape)
        self.v = torch.zeros(shape)
        self.pos = 0

    def update(self, k, v):
        n = k.shape[1]
        self.k[:, self.pos:self.pos + n] = k
        self.v[:, self.pos:self.pos + n] = v
        self.pos += n
        return self.k[:, :self.pos], self.v[:, :self.pos]

cache = KVCache(2, 8, 3, 4)
cache.update(torch.randn(2, 5, 3, 4), torch.randn(2, 5, 3, 4))
keys, values = cache.update(torch.randn(2, 1, 3, 4), torch.randn(2, 1, 3, 4))
print(keys.shape, keys.is_contiguous(), cache.pos)

### attention-with-cache-equals-full | right
import math
import torch
import torch.nn as nn

class Attn(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.hd = h, d // h
        self.qkv = nn.Linear(d, 3 * d)

    def forward(self, x, cache=None):
        B, L, d = x.shape
        q, k, v = [t.view(B, L, self.h, self.hd).transpose(1, 2) for t in self.qkv(x).split(d, -1)]
        if cache is not None:
            k = torch.cat((cache[0], k), dim=-2)
            v = torch.cat((cache[1], v), dim=-2)
        S = k.size(-2)
        att = q @ k.transpose(-2, -1) / math.sqrt(self.hd)
        mask = torch.ones(L, S, dtype=torch.bool).tril(S - L)
        att = att.masked_fill(~mask, -math.inf).softmax(-1)
        return (att @ v).transpose(1, 2).reshape(B, L, d), (k, v)

torch.manual_seed(7)
net = Attn(12, 3).eval()
x = torch.randn(2, 6, 12)
with torch.no_grad():
    full, _ = net(x)
    first, cache = net(x[:, :4])
    rest = [first]
    for t in range(4, 6):
        o, cache = net(x[:, t:t + 1], cache)
        rest.append(o)
    joined = torch.cat(rest, 1)
print(torch.allclose(full, joined, atol=1e-6), [tuple(c.shape) for c in cache])

### static-cache-index-copy | right
import torch

k_cache = torch.zeros(1, 2, 6, 3)
input_pos = torch.tensor([2, 3])
k_new = torch.ones(1, 2, 2, 3)
k_cache[:, :, input_pos] = k_new
print(k_cache[0, 0])
k_cache.index_copy_(2, torch.tensor([5]), 2 * torch.ones(1, 2, 1, 3))
print(k_cache.sum(dim=(0, 1, 3)))

### ring-buffer | right
import torch

window = 4
buf = torch.full((window, 2), float("nan"))
for t in range(7):
    buf[t % window] = torch.tensor([t, -t], dtype=torch.float)
order = [(7 + i) % window for i in range(window)]
print(buf[order])
rolled = torch.roll(buf, -3, dims=0)
print(torch.equal(rolled, buf[order]))

### cache-list-per-layer | right
import torch

n_layers = 3
cache = [None] * n_layers
for token in torch.randn(2, 1, 1, 4):
    h = token
    for i in range(n_layers):
        prev = cache[i]
        k = h if prev is None else torch.cat((prev, h), dim=1)
        cache[i] = k
        w = torch.softmax(h @ k.transpose(1, 2) / 2, dim=-1)
        h = h + w @ k
print([c.shape[1] for c in cache], h.shape)

### cache-dict-named | right
import torch

def step(x, state):
    """Appends this step to the state and returns how many positions it holds."""
    for name in ("k", "v"):
        piece = x[name]
        state[name] = piece if name not in state else torch.cat([state[name], piece], 1)
    return state["k"].size(1)

state = {}
for n in (3, 1, 1):
    length = step({"k": torch.zeros(2, n, 4), "v": torch.ones(2, n, 4)}, state)
    print(n, length)
print({key: list(val.shape) for key, val in state.items()})

### beam-reorder | right
import torch

layer_past = torch.arange(24.).view(4, 2, 3)
beam_idx = torch.tensor([2, 2, 0, 1])
reordered = layer_past.index_select(0, beam_idx)
print(reordered[:, 0, 0], reordered.data_ptr() == layer_past.data_ptr())

### cropped-cache | right
import torch

past = (torch.randn(1, 2, 7, 3), torch.randn(1, 2, 7, 3))
keep = 4
past = tuple(t[:, :, -keep:] for t in past)
k, v = past
print(k.shape, k.stride(), k.storage_offset())
fresh = k.contiguous()

### greedy-loop | right
import torch
import torch.nn as nn

torch.manual_seed(3)
emb = nn.Embedding(11, 6)
head = nn.Linear(6, 11, bias=False)
head.weight = emb.weight
ids = torch.tensor([[1, 4]])
while ids.shape[1] < 6:
    h = emb(ids)
    a = torch.softmax(h @ h.transpose(1, 2) / 6 ** .5 + torch.full((ids.shape[1],) * 2, -1e9).triu(1), -1)
    logits = head((a @ h)[:, -1])
    ids = torch.cat([ids, logits.argmax(-1, keepdim=True)], dim=1)
print(ids)

### top-k-filter | right
import torch

logits = torch.randn(1, 9)
v, _ = torch.topk(logits, min(3, logits.size(-1)))
logits[logits < v[:, [-1]]] = -float('Inf')
probs = torch.softmax(logits, dim=-1)
print(probs)
print((probs > 0).sum().item())

### nucleus-filter | right
import torch

logits = torch.tensor([[2.0, 1.0, 0.5, -1.0, 0.1]])
sorted_logits, sorted_idx = torch.sort(logits, descending=True)
cumulative = sorted_logits.softmax(-1).cumsum(-1)
remove = cumulative > 0.8
remove[..., 1:] = remove[..., :-1].clone()
remove[..., 0] = 0
indices = remove.scatter(1, sorted_idx, remove)
filtered = logits.masked_fill(indices, float('-inf'))
print(sorted_idx, filtered)

### paged-gather | right
import torch

pages = torch.arange(5 * 2 * 3).view(5, 2, 3).float()
table = torch.tensor([[4, 0], [2, 3]])
keys = pages[table]
flat = keys.flatten(1, 2)
print(keys.shape, flat[0, :, 0], flat[1, :, 0])
