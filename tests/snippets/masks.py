# Masks of every spelling: boolean, additive, buffers, padding on either side, windows.

### tril-boolean | right
import torch

L = 5
mask = torch.tril(torch.ones(L, L, dtype=torch.bool))
scores = torch.randn(2, L, L)
scores = scores.masked_fill(~mask, float("-inf"))
w = torch.softmax(scores, dim=-1)
print(mask)
print(w[0])

### triu-additive | right
import torch

def generate_square_subsequent_mask(sz):
    mask = (torch.triu(torch.ones(sz, sz)) == 1).transpose(0, 1)
    mask = mask.float().masked_fill(mask == 0, float('-inf')).masked_fill(mask == 1, float(0.0))
    return mask

m = generate_square_subsequent_mask(4)
print(m)
w = (torch.randn(4, 4) + m).softmax(-1)
print(w.stride(), m.stride())

### full-then-triu | right
import torch

seqlen, start_pos = 4, 3
mask = torch.full((seqlen, seqlen), float("-inf"))
mask = torch.triu(mask, diagonal=1)
mask = torch.hstack([torch.zeros((seqlen, start_pos)), mask])
print(mask)

### positions-compared | right
import torch

q_pos = torch.arange(4, 7)
k_pos = torch.arange(7)
causal = k_pos[None, :] <= q_pos[:, None]
window = q_pos[:, None] - k_pos[None, :] < 3
both = causal & window
print(both.int())
print(both.dtype, both.shape)

### key-padding-lengths | right
import torch

lengths = torch.tensor([3, 5, 1])
max_len = int(lengths.max())
keep = torch.arange(max_len).expand(len(lengths), max_len) < lengths.unsqueeze(1)
scores = torch.randn(3, 2, max_len, max_len)
scores = scores.masked_fill(~keep[:, None, None, :], float("-inf"))
w = scores.softmax(-1)
print(keep)
print(w[2, 0])

### sequence-mask-function | right
import torch
from torch import nn

def sequence_mask(X, valid_len, value=0):
    maxlen = X.size(1)
    mask = torch.arange((maxlen), dtype=torch.float32, device=X.device)[None, :] < valid_len[:, None]
    X[~mask] = value
    return X

def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return nn.functional.softmax(X, dim=-1)
    shape = X.shape
    if valid_lens.dim() == 1:
        valid_lens = torch.repeat_interleave(valid_lens, shape[1])
    else:
        valid_lens = valid_lens.reshape(-1)
    X = sequence_mask(X.reshape(-1, shape[-1]), valid_lens, value=-1e6)
    return nn.functional.softmax(X.reshape(shape), dim=-1)

first = masked_softmax(torch.rand(2, 2, 4), torch.tensor([2, 3]))
second = masked_softmax(torch.rand(2, 2, 4), torch.tensor([[1, 3], [2, 4]]))
print(first)
print(second)

### pad-id-mask | right
import torch

PAD = 0
src = torch.tensor([[5, 2, 9, PAD, PAD], [7, 3, 1, 4, 8]])
trg = torch.tensor([[1, 6, 2, PAD], [1, 4, 4, 2]])

def make_src_mask(src):
    return (src != PAD).unsqueeze(1).unsqueeze(2)

def make_trg_mask(trg):
    N, trg_len = trg.shape
    pad = (trg != PAD).unsqueeze(1).unsqueeze(2)
    sub = torch.tril(torch.ones((trg_len, trg_len))).bool()
    return pad & sub

sm, tm = make_src_mask(src), make_trg_mask(trg)
print(sm.shape, tm.shape)
print(tm[0, 0])

### left-padding | right
import torch

attention_mask = torch.tensor([[0, 0, 1, 1], [1, 1, 1, 1]])
position_ids = attention_mask.long().cumsum(-1) - 1
position_ids.masked_fill_(attention_mask == 0, 1)
print(position_ids)
L = attention_mask.shape[1]
causal = torch.ones(L, L).tril().bool()
full = causal[None, None] & attention_mask[:, None, None, :].bool()
scores = torch.randn(2, 1, L, L).masked_fill(~full, torch.finfo(torch.float32).min)
w = scores.softmax(-1)
print(w[0, 0])

### empty-rows-become-zero | right
import torch

mask = torch.tensor([[False, False, False], [True, False, True]])
scores = torch.randn(2, 3).masked_fill(~mask, -torch.inf)
bad = scores.softmax(-1)
good = torch.nan_to_num(bad, nan=0.0)
also = bad.masked_fill(~mask.any(-1, keepdim=True), 0)
print(bad)
print(good)
assert torch.equal(good, also)

### inverted-attention-mask | right
import torch

def get_extended_attention_mask(attention_mask, dtype=torch.float32):
    if attention_mask.dim() == 3:
        ext = attention_mask[:, None, :, :]
    elif attention_mask.dim() == 2:
        ext = attention_mask[:, None, None, :]
    else:
        raise ValueError(f"Wrong shape for attention_mask (shape {attention_mask.shape})")
    ext = ext.to(dtype=dtype)
    return (1.0 - ext) * torch.finfo(dtype).min

am = torch.ones(2, 4, dtype=torch.long)
am[0, 2:] = 0
ext = get_extended_attention_mask(am)
print(ext.shape, ext.dtype)
print(ext)

### sliding-window-band | right
import torch

n, window = 7, 2
i = torch.arange(n).view(-1, 1)
j = torch.arange(n).view(1, -1)
band = (i - j).abs() <= window
causal_band = band.logical_and(j <= i)
scores = torch.randn(n, n)
scores[~causal_band] = float('-inf')
probs = scores.softmax(dim=-1)
print(causal_band.long())
print(probs.count_nonzero(dim=-1))

### prefix-lm-mask | right
import torch

def prefix_mask(n, prefix):
    m = torch.ones(n, n).tril()
    m[:, :prefix] = 1
    return m.bool()

m = prefix_mask(5, 2)
print(m.to(torch.uint8))

### block-diagonal-documents | right
import torch

doc = torch.tensor([0, 0, 1, 1, 1, 2])
same = doc.unsqueeze(0) == doc.unsqueeze(1)
allowed = same & torch.tril(torch.ones(6, 6, dtype=torch.bool))
for row in allowed.int().tolist():
    print("".join("x" if v else "." for v in row))
bias = torch.zeros(6, 6).masked_fill_(allowed.logical_not(), float("-inf"))

### buffer-sliced | right
import torch
import torch.nn as nn

class Causal(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("mask", torch.triu(torch.ones(size, size), diagonal=1), persistent=False)

    def forward(self, scores):
        n = scores.shape[-1]
        return scores.masked_fill(self.mask.bool()[:n, :n], -torch.inf)

c = Causal(6)
s = c(torch.zeros(2, 3, 3))
print(s, len(c.state_dict()))

### masked-fill-in-place | right
import torch

attn_scores = torch.randn(2, 4, 4)
mask_bool = torch.triu(torch.ones(6, 6), diagonal=1).bool()[:4, :4]
before = attn_scores
attn_scores.masked_fill_(mask_bool, -torch.inf)
print(before is attn_scores, torch.isinf(before).sum())
attn_weights = torch.softmax(attn_scores / 4 ** 0.5, dim=-1)

### renormalise-after-masking | right
import torch

w = torch.softmax(torch.randn(4, 4), dim=-1)
simple = torch.tril(torch.ones(4, 4))
masked = w * simple
row_sums = masked.sum(dim=-1, keepdim=True)
norm = masked / row_sums
print(norm)
print(row_sums.squeeze())

### where-instead-of-fill | right
import torch

scores = torch.randn(2, 3, 4, 4)
mask = torch.ones(4, 4).tril() > 0
neg = torch.tensor(torch.finfo(scores.dtype).min)
scores = torch.where(mask, scores, neg)
w = scores.softmax(-1)
print(w[0, 0, 0].tolist(), scores.min().item())

### mask-combination-class | right
import torch

class Batch:
    """A batch of sequences with their masks."""
    def __init__(self, src, tgt=None, pad=2):
        self.src = src
        self.src_mask = (src != pad).unsqueeze(-2)
        if tgt is not None:
            self.tgt = tgt[:, :-1]
            self.tgt_y = tgt[:, 1:]
            self.tgt_mask = self.make_std_mask(self.tgt, pad)
            self.ntokens = (self.tgt_y != pad).data.sum()

    @staticmethod
    def make_std_mask(tgt, pad):
        tgt_mask = (tgt != pad).unsqueeze(-2)
        size = tgt.size(-1)
        after = torch.triu(torch.ones(1, size, size), diagonal=1).type(torch.uint8)
        return tgt_mask & (after == 0).type_as(tgt_mask.data)

tgt = torch.tensor([[0, 5, 6, 7, 1], [0, 4, 1, 2, 2]])
b = Batch(torch.tensor([[3, 4, 1], [5, 1, 2]]), tgt)
mask, n = b.tgt_mask, b.ntokens
print(mask.shape, n)
print(mask[1])

### ragged-with-pad-sequence | right
import torch

seqs = [[4, 8, 15], [16, 23, 42, 99], [7]]
width = max(len(s) for s in seqs)
ids = torch.tensor([s + [0] * (width - len(s)) for s in seqs])
keep = ids.ne(0)
pairs = keep.unsqueeze(1) * keep.unsqueeze(2)
print(ids, pairs.sum((1, 2)))

### float-mask-to-sdpa | right
import torch
import torch.nn.functional as F

q, k, v = (torch.randn(2, 2, 4, 6) for _ in range(3))
keep = torch.ones(4, 4, dtype=torch.bool).tril()
bias = torch.zeros(4, 4).masked_fill(~keep, float("-inf"))
a = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
b = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
c = F.scaled_dot_product_attention(q, k, v, is_causal=True)
print(torch.allclose(a, b), torch.allclose(a, c))

### padding-mask-sdpa | right
import torch
import torch.nn.functional as F

B, H, L, S, D = 2, 3, 4, 6, 5
lengths = [6, 2]
mask = torch.zeros(B, 1, 1, S, dtype=torch.bool)
for row, n in enumerate(lengths):
    mask[row, ..., :n] = True
out = F.scaled_dot_product_attention(torch.randn(B, H, L, D), torch.randn(B, H, S, D), torch.randn(B, H, S, D), mask)
print(out.shape, mask.squeeze().int().tolist())

### dilated-and-global | right
import torch

n = 8
r = torch.arange(n)
local = (r[:, None] - r).abs() < 2
dilated = (r[:, None] - r) % 3 == 0
glob = torch.zeros(n, n, dtype=torch.bool)
glob[0] = glob[:, 0] = True
mask = local | dilated | glob
print(mask.float().mean().item())
print("\n".join(" ".join(str(int(c)) for c in line) for line in mask))

### mask-per-head | right
import torch

distance = torch.arange(5)[:, None] - torch.arange(5)[None, :]
reach = torch.tensor([1, 2, 5]).view(3, 1, 1)
mask = (distance >= 0) & (distance < reach)
scores = torch.where(mask, torch.randn(2, 3, 5, 5), -1e9)
w = scores.softmax(-1)
print(mask.sum(dim=(1, 2)), w.dtype)

### permutation-mask | right
import torch

perm = torch.randperm(5)
rank = torch.argsort(perm)
allowed = rank[:, None] >= rank[None, :]
x = torch.zeros(5, 5)
x[allowed] = 1
print(x.sum().item(), x.diagonal())
