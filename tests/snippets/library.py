# PyTorch's own attention, half precision, devices and dtypes.

### nn-mha-basic | right
import torch
import torch.nn as nn

mha = nn.MultiheadAttention(embed_dim=12, num_heads=3, batch_first=True)
x = torch.randn(2, 5, 12)
out, weights = mha(x, x, x)
print(out.shape, weights.shape)
print(weights.sum(dim=-1))

### nn-mha-sequence-first | right
import torch
from torch import nn

attn = nn.MultiheadAttention(8, 2)
q = torch.randn(4, 3, 8)
kv = torch.randn(6, 3, 8)
y, w = attn(q, kv, kv)
print(y.shape, w.shape, y.stride())

### nn-mha-masks | right
import torch
import torch.nn as nn

layer = nn.MultiheadAttention(6, 2, batch_first=True)
x = torch.randn(2, 4, 6)
future = torch.triu(torch.ones(4, 4, dtype=torch.bool), diagonal=1)
padding = torch.tensor([[False, False, False, True], [False] * 4])
y, w = layer(x, x, x, attn_mask=future, key_padding_mask=padding)
print(w[0])

### nn-mha-per-head-weights | right
import torch
import torch.nn as nn

m = nn.MultiheadAttention(6, 3, batch_first=True, bias=False)
x = torch.randn(1, 4, 6)
y, per_head = m(x, x, x, average_attn_weights=False)
_, mean = m(x, x, x)
print(per_head.shape, torch.allclose(per_head.mean(1), mean, atol=1e-6))

### nn-mha-other-widths | right
import torch
import torch.nn as nn

m = nn.MultiheadAttention(8, 2, kdim=5, vdim=7, batch_first=True)
y, w = m(torch.randn(2, 3, 8), torch.randn(2, 4, 5), torch.randn(2, 4, 7))
for n, p in m.named_parameters():
    print(n, list(p.shape))

### nn-mha-no-weights | right
import torch
import torch.nn as nn

m = nn.MultiheadAttention(4, 2, batch_first=True)
x = torch.randn(2, 3, 4)
a, none = m(x, x, x, need_weights=False)
b, _ = m(x, x, x)
print(none, torch.allclose(a, b, atol=1e-6))

### nn-mha-rebuilt-by-hand | right
import torch
import torch.nn as nn
import torch.nn.functional as F

E, H = 8, 2
m = nn.MultiheadAttention(E, H, batch_first=True)
x = torch.randn(2, 5, E)
theirs, _ = m(x, x, x)
q, k, v = F.linear(x, m.in_proj_weight, m.in_proj_bias).chunk(3, dim=-1)
heads = lambda t: t.reshape(2, 5, H, E // H).transpose(1, 2)
mine = F.scaled_dot_product_attention(heads(q), heads(k), heads(v))
mine = m.out_proj(mine.transpose(1, 2).flatten(2))
print(torch.allclose(theirs, mine, atol=1e-6), m.in_proj_weight.shape)

### sdpa-shapes | right
import torch
import torch.nn.functional as F

q = torch.rand(2, 4, 3, 6)
k = torch.rand(2, 4, 5, 6)
v = torch.rand(2, 4, 5, 2)
o = F.scaled_dot_product_attention(q, k, v)
print(o.shape, o.stride())
flat = F.scaled_dot_product_attention(q[0, 0], k[0, 0], v[0, 0])
print(torch.allclose(flat, o[0, 0], atol=1e-6))

### sdpa-scale-and-causal | right
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

q, k, v = torch.randn(3, 1, 2, 4, 8).unbind(0)
plain = sdpa(q, k, v, is_causal=True)
sharp = sdpa(q, k, v, is_causal=True, scale=1.0)
print(torch.equal(plain[:, :, 0], sharp[:, :, 0]), (plain - sharp).abs().max() > 1e-3)

### sdpa-gqa-flag | right
import torch
import torch.nn.functional as F

q = torch.randn(1, 8, 3, 4)
k = torch.randn(1, 2, 5, 4)
v = torch.randn(1, 2, 5, 4)
out = F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
ref = F.scaled_dot_product_attention(q, k.repeat_interleave(4, 1), v.repeat_interleave(4, 1))
print(out.shape, torch.allclose(out, ref, atol=1e-6))

### reference-implementation | right
import math
import torch

def sdpa_reference(query, key, value, attn_mask=None, is_causal=False, scale=None):
    L, S = query.size(-2), key.size(-2)
    scale_factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    attn_bias = torch.zeros(L, S, dtype=query.dtype, device=query.device)
    if is_causal:
        assert attn_mask is None
        temp_mask = torch.ones(L, S, dtype=torch.bool).tril(diagonal=0)
        attn_bias.masked_fill_(temp_mask.logical_not(), float("-inf"))
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            attn_bias.masked_fill_(attn_mask.logical_not(), float("-inf"))
        else:
            attn_bias = attn_mask + attn_bias
    attn_weight = query @ key.transpose(-2, -1) * scale_factor
    attn_weight += attn_bias
    return torch.softmax(attn_weight, dim=-1) @ value

q, k, v = torch.randn(2, 2, 3, 4), torch.randn(2, 2, 5, 4), torch.randn(2, 2, 5, 4)
a = sdpa_reference(q, k, v, is_causal=True)
b = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
print(torch.allclose(a, b, atol=1e-6))

### half-precision-scores | right
import torch

q = torch.randn(2, 4, dtype=torch.float16)
k = torch.randn(3, 4).half()
s = q @ k.T
w = torch.softmax(s.float(), dim=-1).type_as(q)
print(s.dtype, w.dtype, w.shape)

### half-overflow | right
import torch

big = torch.full((1, 2), 300.0, dtype=torch.float16)
print(big * big)
print((big.float() * big.float()).to(torch.float16))
print(torch.finfo(torch.float16).max, torch.finfo(torch.bfloat16).eps)
scaled = (big / 16) * big
print(scaled)

### bfloat16-mask-min | right
import torch

dtype = torch.bfloat16
bias = torch.zeros(3, 3, dtype=dtype)
bias.masked_fill_(torch.triu(torch.ones(3, 3), 1).bool(), torch.finfo(dtype).min)
w = torch.softmax(bias, dim=-1, dtype=torch.float32).to(dtype)
print(w)

### dtype-promotion | right
import torch

ints = torch.arange(3)
halfs = torch.ones(3, dtype=torch.float16)
doubles = torch.ones(3, dtype=torch.float64)
print((ints + 1.5).dtype, (ints * halfs).dtype, (halfs + doubles).dtype, (ints / 2).dtype, (ints // 2).dtype)
print((halfs * 2.5).dtype, (torch.tensor(2.0, dtype=torch.float64) * torch.ones(2)).dtype)
print(torch.tensor([1, 2.5]).dtype, torch.tensor([True, False]).dtype, torch.tensor(3).dtype)

### device-boilerplate | right
import torch
import torch.nn as nn

device = torch.device("cpu")
model = nn.Linear(4, 4).to(device)
x = torch.randn(2, 4, device=device)
y = model(x).cpu()
print(x.device, y.device.type, device)

### default-dtype-double | right
import torch

x = torch.randn(2, 3, dtype=torch.double)
w = torch.randn(3, 2, dtype=x.dtype)
a = (x @ w).softmax(-1)
print(a)
print(a.dtype, a.float().dtype, a.to(torch.float32).element_size())

### softmax-dtype-argument | right
import torch
import torch.nn.functional as F

scores = torch.randn(2, 4).to(torch.bfloat16)
w = F.softmax(scores, dim=-1, dtype=torch.float32)
back = w.to(scores.dtype)
print(w.dtype, back.dtype)

### embedding-lookup | right
import torch
import torch.nn as nn
import torch.nn.functional as F

vocab = {word: i for i, word in enumerate("your journey starts with one step".split())}
ids = torch.tensor([vocab[w] for w in ["one", "step", "with"]])
table = nn.Embedding(len(vocab), 3)
vectors = table(ids)
onehot = F.one_hot(ids, num_classes=6).float() @ table.weight
print(vocab, torch.equal(vectors, onehot))
print(vectors)

### linear-is-x-wt | right
import torch
import torch.nn as nn
import torch.nn.functional as F

lin = nn.Linear(3, 5)
x = torch.randn(2, 4, 3)
print(lin.weight.shape, lin.bias.shape)
a, b, c = lin(x), x @ lin.weight.T + lin.bias, F.linear(x, lin.weight, lin.bias)
print(torch.allclose(a, b), torch.equal(a, c))
print(lin)

### detach-and-clone | right
import torch
import torch.nn as nn

w = nn.Parameter(torch.randn(2, 3))
d = w.detach()
c = w.clone().detach()
print(d.requires_grad, w.requires_grad, d.data_ptr() == w.data_ptr(), c.data_ptr() == w.data_ptr())
with torch.no_grad():
    w[0] = 0
print(d[0])

### no-grad-decorator | right
import torch
import torch.nn as nn

layer = nn.Linear(3, 3)

@torch.no_grad()
def score(x):
    return layer(x).sum()

s = score(torch.ones(1, 3))
print(s.requires_grad)
with torch.inference_mode():
    t = layer(torch.ones(1, 3))
print(t.shape)

### transformer-encoder-layer | right
import torch
import torch.nn as nn

layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16, batch_first=True)
y = layer(torch.randn(2, 4, 8))
print(y.shape)

### transformer-encoder-of-copies | right
import torch
import torch.nn as nn

torch.manual_seed(1)
layer = nn.TransformerEncoderLayer(12, 3, 24, batch_first=True, norm_first=True, activation="gelu").eval()
encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(12))
x = torch.randn(2, 5, 12)
causal = torch.triu(torch.full((5, 5), float("-inf")), 1)
once, twice = layer(x, src_mask=causal), encoder(x, mask=causal)
print(sum(p.numel() for p in encoder.parameters()), encoder.layers[0].linear1.weight is layer.linear1.weight)

### mask-generator-of-the-library | right
import torch.nn as nn

m = nn.Transformer.generate_square_subsequent_mask(4)
print(m)

### functional-norm-and-activations | right
import torch
import torch.nn.functional as F

x = torch.randn(2, 3, 6)
n = F.layer_norm(x, (6,))
r = F.rms_norm(x, (6,))
print(n.mean(-1).abs().max() < 1e-6, r.shape)
acts = {f.__name__: f(torch.tensor([-1.0, 0.0, 2.0])) for f in (F.relu, F.gelu, F.silu, torch.tanh, torch.sigmoid)}
for name, t in acts.items():
    print(name, t)
