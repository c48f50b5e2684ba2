# Written apart from the others: attention in other kinds of models and notebooks.

### swin-windows | right
import torch

def window_partition(x, window_size):
    B, H, W, C = x.shape
    x = x.view(B, H // window_size, window_size, W // window_size, window_size, C)
    windows = x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, window_size, window_size, C)
    return windows

def window_reverse(windows, window_size, H, W):
    B = int(windows.shape[0] / (H * W / window_size / window_size))
    x = windows.view(B, H // window_size, W // window_size, window_size, window_size, -1)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(B, H, W, -1)

image = torch.arange(2 * 4 * 6 * 3, dtype=torch.float32).view(2, 4, 6, 3)
shifted = torch.roll(image, shifts=(-1, -1), dims=(1, 2))
windows = window_partition(shifted, 2)
restored = torch.roll(window_reverse(windows, 2, 4, 6), shifts=(1, 1), dims=(1, 2))
assert torch.equal(restored, image)

img_mask = torch.zeros((1, 4, 6, 1))
cnt = 0
for h in (slice(0, -2), slice(-2, -1), slice(-1, None)):
    for w in (slice(0, -2), slice(-2, -1), slice(-1, None)):
        img_mask[:, h, w, :] = cnt
        cnt += 1
mask_windows = window_partition(img_mask, 2).view(-1, 4)
attn_mask = mask_windows.unsqueeze(1) - mask_windows.unsqueeze(2)
attn_mask = attn_mask.masked_fill(attn_mask != 0, float(-100.0)).masked_fill(attn_mask == 0, float(0.0))
print(attn_mask.shape)
print(attn_mask[-1])

### graph-attention-layer | right
import torch
import torch.nn as nn
import torch.nn.functional as F

class GraphAttention(nn.Module):
    def __init__(self, c_in, c_out, num_heads=2, alpha=0.2):
        super().__init__()
        self.num_heads = num_heads
        self.projection = nn.Linear(c_in, c_out)
        self.a = nn.Parameter(torch.Tensor(num_heads, 2 * c_out // num_heads))
        self.leakyrelu = nn.LeakyReLU(alpha)
        nn.init.xavier_uniform_(self.projection.weight.data, gain=1.414)
        nn.init.xavier_uniform_(self.a.data, gain=1.414)

    def forward(self, node_feats, adj_matrix):
        batch_size, num_nodes = node_feats.size(0), node_feats.size(1)
        feats = self.projection(node_feats).view(batch_size, num_nodes, self.num_heads, -1)
        left = (feats * self.a[None, None, :, : feats.size(-1)]).sum(-1)
        right = (feats * self.a[None, None, :, feats.size(-1):]).sum(-1)
        logits = self.leakyrelu(left[:, :, None] + right[:, None])
        logits = torch.where(adj_matrix[..., None] > 0, logits, torch.full_like(logits, -9e15))
        probs = F.softmax(logits, dim=2)
        return torch.einsum("bijh,bjhc->bihc", probs, feats).reshape(batch_size, num_nodes, -1), probs

adj = torch.tensor([[[1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1], [0, 1, 1, 1]]])
layer = GraphAttention(2, 4)
out, probs = layer(torch.arange(8, dtype=torch.float32).view(1, 4, 2), adj)
print(out.shape)
print(probs[0, 0, :, 0])

### luong-decoder-step | right
import torch
import torch.nn as nn
import torch.nn.functional as F

class Attn(nn.Module):
    def __init__(self, method, hidden_size):
        super(Attn, self).__init__()
        self.method = method
        if self.method not in ["dot", "general", "concat"]:
            raise ValueError(self.method, "is not an appropriate attention method.")
        self.hidden_size = hidden_size
        if self.method == "general":
            self.attn = nn.Linear(hidden_size, hidden_size)
        elif self.method == "concat":
            self.attn = nn.Linear(hidden_size * 2, hidden_size)
            self.v = nn.Parameter(torch.FloatTensor(hidden_size).fill_(0.1))

    def dot_score(self, hidden, encoder_output):
        return torch.sum(hidden * encoder_output, dim=2)

    def general_score(self, hidden, encoder_output):
        return torch.sum(hidden * self.attn(encoder_output), dim=2)

    def concat_score(self, hidden, encoder_output):
        joined = torch.cat((hidden.expand(encoder_output.size(0), -1, -1), encoder_output), 2)
        return torch.sum(self.v * self.attn(joined).tanh(), dim=2)

    def forward(self, hidden, encoder_outputs):
        score = getattr(self, self.method + "_score")
        energies = score(hidden, encoder_outputs).t()
        return F.softmax(energies, dim=1).unsqueeze(1)

hidden = torch.randn(1, 2, 6)
encoder_outputs = torch.randn(5, 2, 6)
contexts = {}
for method in ("dot", "general", "concat"):
    weights = Attn(method, 6)(hidden, encoder_outputs)
    contexts[method] = weights.bmm(encoder_outputs.transpose(0, 1))
    print(f"{method:<8}", tuple(weights.shape), tuple(contexts[method].shape))

### slot-attention-iterations | right
import torch
from torch import nn

class SlotAttention(nn.Module):
    def __init__(self, num_slots, dim, iters=3, eps=1e-8):
        super().__init__()
        self.num_slots, self.iters, self.eps = num_slots, iters, eps
        self.scale = dim ** -0.5
        self.mu = nn.Parameter(torch.randn(1, 1, dim))
        self.to_q, self.to_k, self.to_v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.norm_in, self.norm_slots = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, inputs):
        b, n, d = inputs.shape
        slots = self.mu.expand(b, self.num_slots, -1) + torch.randn(b, self.num_slots, d)
        inputs = self.norm_in(inputs)
        k, v = self.to_k(inputs), self.to_v(inputs)
        for _ in range(self.iters):
            prev = slots
            q = self.to_q(self.norm_slots(slots))
            dots = torch.einsum("bid,bjd->bij", q, k) * self.scale
            attn = dots.softmax(dim=1) + self.eps
            attn = attn / attn.sum(dim=-1, keepdim=True)
            slots = prev + torch.einsum("bjd,bij->bid", v, attn)
        return slots

slots = SlotAttention(3, 4)(torch.randn(2, 7, 4))
print(slots.shape, bool(torch.isfinite(slots).all()))

### perceiver-latents | right
import torch
import torch.nn as nn

def exists(val):
    return val is not None

def default(val, d):
    return val if exists(val) else d

class PreNorm(nn.Module):
    def __init__(self, dim, fn, context_dim=None):
        super().__init__()
        self.fn = fn
        self.norm = nn.LayerNorm(dim)
        self.norm_context = nn.LayerNorm(context_dim) if exists(context_dim) else None

    def forward(self, x, **kwargs):
        x = self.norm(x)
        if exists(self.norm_context):
            context = kwargs["context"]
            kwargs.update(context=self.norm_context(context))
        return self.fn(x, **kwargs)

class Attention(nn.Module):
    def __init__(self, query_dim, context_dim=None, heads=2, dim_head=3):
        super().__init__()
        inner = dim_head * heads
        context_dim = default(context_dim, query_dim)
        self.heads = heads
        self.scale = dim_head ** -0.5
        self.to_q = nn.Linear(query_dim, inner, bias=False)
        self.to_kv = nn.Linear(context_dim, inner * 2, bias=False)
        self.to_out = nn.Linear(inner, query_dim)

    def forward(self, x, context=None):
        q = self.to_q(x)
        k, v = self.to_kv(default(context, x)).chunk(2, dim=-1)
        q, k, v = [t.reshape(*t.shape[:2], self.heads, -1).swapaxes(1, 2) for t in (q, k, v)]
        sim = q @ k.swapaxes(-1, -2) * self.scale
        return self.to_out((sim.softmax(-1) @ v).swapaxes(1, 2).flatten(start_dim=2))

data = torch.randn(2, 9, 5)
latents = nn.Parameter(torch.randn(4, 6))
x = latents.unsqueeze(0).repeat(data.shape[0], 1, 1)
cross = PreNorm(6, Attention(6, 5), context_dim=5)
self_attn = PreNorm(6, Attention(6))
for _ in range(2):
    x = cross(x, context=data) + x
    x = self_attn(x) + x
print(x.shape, x.mean(1).shape)

### mixture-of-heads-router | right
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(11)
tokens = torch.randn(6, 4)
gate = nn.Linear(4, 3, bias=False)
experts = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))
routing = F.softmax(gate(tokens), dim=1, dtype=torch.float)
weights, selected = torch.topk(routing, 2, dim=-1)
weights /= weights.sum(dim=-1, keepdim=True)
final = torch.zeros(6, 4)
expert_mask = F.one_hot(selected, num_classes=3).permute(2, 1, 0)
for e in range(3):
    idx, top_x = torch.where(expert_mask[e])
    if top_x.shape[0] == 0:
        continue
    current = experts[e](tokens[top_x]) * weights[top_x, idx, None]
    final.index_add_(0, top_x, current)
print(final.shape, expert_mask.sum((1, 2)).sum())

### lora-on-query | right
import math
import torch
import torch.nn as nn

class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int = 2, alpha: int = 4):
        super().__init__()
        self.base = base
        self.base.weight.requires_grad_(False)
        self.A = nn.Parameter(torch.zeros(r, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scaling = alpha / r

    def forward(self, x):
        return self.base(x) + (x @ self.A.T @ self.B.T) * self.scaling

    def merged(self):
        return self.base.weight + self.scaling * self.B @ self.A

q = LoRALinear(nn.Linear(6, 6, bias=False))
x = torch.randn(2, 3, 6)
print(torch.equal(q(x), q.base(x)))
with torch.no_grad():
    q.B.normal_(0, 0.5)
print(torch.allclose(q(x), x @ q.merged().t(), atol=1e-5))
trainable = {n: tuple(p.shape) for n, p in q.named_parameters() if p.requires_grad}
print(trainable)

### int8-cache | right
import torch

def quantize(x):
    scale = x.abs().amax(dim=-1, keepdim=True) / 127
    return (x / scale).round().clamp(-128, 127).to(torch.int8), scale

def dequantize(q, scale):
    return q.float() * scale

k = torch.randn(1, 2, 5, 4)
k8, s = quantize(k)
err = (dequantize(k8, s) - k).abs().max().item()
print(k8.dtype, s.shape, err < s.max().item())
saved = k.numel() * k.element_size() / (k8.numel() * k8.element_size() + s.numel() * s.element_size())
print(f"{saved:.2f}x smaller")

### speculative-acceptance | right
import torch

torch.manual_seed(5)
draft = torch.tensor([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
target = torch.tensor([[0.6, 0.2, 0.2], [0.5, 0.4, 0.1]])
proposed = torch.tensor([0, 2])
r = torch.rand(2)
ratio = target.gather(1, proposed[:, None]).squeeze(1) / draft.gather(1, proposed[:, None]).squeeze(1)
accepted = (r < ratio).long().cumprod(0).sum()
residual = torch.clamp(target - draft, min=0)
residual = residual / residual.sum(-1, keepdim=True).clamp(min=1e-9)
print(ratio, int(accepted), residual)

### attention-sink-streaming | right
import torch

class StreamingCache:
    def __init__(self, sinks=2, window=3):
        self.sinks, self.window = sinks, window
        self.items = []

    def push(self, kv):
        self.items.append(kv)
        if len(self.items) > self.sinks + self.window:
            del self.items[self.sinks]
        return self

    @property
    def keys(self):
        return torch.stack(self.items)

    def __len__(self):
        return len(self.items)

cache = StreamingCache()
for t in range(8):
    cache.push(torch.full((2,), float(t)))
print(cache.keys[:, 0], len(cache))
keys = cache.keys

### clip-style-logits | right
import torch
import torch.nn as nn
import torch.nn.functional as F

image_features = F.normalize(torch.randn(3, 6), p=2, dim=-1)
text_features = torch.randn(3, 6)
text_features = text_features / text_features.norm(p=2, dim=-1, keepdim=True)
logit_scale = nn.Parameter(torch.ones([]) * torch.log(torch.tensor(1 / 0.07)))
logits_per_image = logit_scale.exp() * image_features @ text_features.t()
labels = torch.arange(3)
loss = (F.cross_entropy(logits_per_image, labels) + F.cross_entropy(logits_per_image.t(), labels)) / 2
print(logits_per_image.shape, loss.dim(), loss.item() > 0)

### retrieval-memory | right
import torch
import torch.nn.functional as F
from collections import OrderedDict

memory = OrderedDict()
for i, word in enumerate(["red", "green", "blue", "grey"]):
    memory[word] = F.one_hot(torch.tensor(i), 4).float()
K = torch.stack(list(memory.values()))
query = 0.9 * memory["blue"] + 0.1 * memory["red"]
sims = F.cosine_similarity(query.unsqueeze(0), K, dim=-1)
ranked = sorted(zip(memory, sims.tolist()), key=lambda pair: -pair[1])
for word, s in ranked[:2]:
    print(f"{word}: {s:.3f}")
best = ranked[0][0]

### axial-attention | right
import torch

def attend(x):
    w = torch.softmax(torch.matmul(x, x.transpose(-1, -2)) / x.size(-1) ** 0.5, dim=-1)
    return torch.matmul(w, x)

img = torch.randn(1, 4, 5, 3)
rows = attend(img)
cols = attend(img.transpose(1, 2)).transpose(1, 2)
out = rows + cols
print(out.shape, rows.stride(), cols.stride(), out.stride())

### pointer-network-step | right
import torch

def masked_pointer(scores, visited):
    scores = scores.clone()
    scores[visited] = -torch.inf
    return scores.log_softmax(dim=-1)

coords = torch.tensor([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.4, 0.5]])
visited = torch.zeros(5, dtype=torch.bool)
tour, here = [], 0
while not visited.all():
    visited[here] = True
    tour.append(here)
    if len(tour) == 5:
        break
    distance = torch.cdist(coords[here:here + 1], coords)[0]
    here = int(masked_pointer(-distance, visited).argmax())
print(tour)
length = sum((coords[a] - coords[b]).norm() for a, b in zip(tour, tour[1:] + tour[:1]))
print(f"{length.item():.4f}")

### set-transformer-pma | right
import torch
import torch.nn as nn

class MAB(nn.Module):
    def __init__(self, dim_Q, dim_K, dim_V, num_heads, ln=False):
        super(MAB, self).__init__()
        self.dim_V = dim_V
        self.num_heads = num_heads
        self.fc_q = nn.Linear(dim_Q, dim_V)
        self.fc_k = nn.Linear(dim_K, dim_V)
        self.fc_v = nn.Linear(dim_K, dim_V)
        if ln:
            self.ln0 = nn.LayerNorm(dim_V)
        self.fc_o = nn.Linear(dim_V, dim_V)

    def forward(self, Q, K):
        Q = self.fc_q(Q)
        K, V = self.fc_k(K), self.fc_v(K)
        dim_split = self.dim_V // self.num_heads
        Q_ = torch.cat(Q.split(dim_split, 2), 0)
        K_ = torch.cat(K.split(dim_split, 2), 0)
        V_ = torch.cat(V.split(dim_split, 2), 0)
        A = torch.softmax(Q_.bmm(K_.transpose(1, 2)) / self.dim_V ** 0.5, 2)
        O = torch.cat((Q_ + A.bmm(V_)).split(Q.size(0), 0), 2)
        O = O if getattr(self, 'ln0', None) is None else self.ln0(O)
        return O + torch.relu(self.fc_o(O))

mab = MAB(4, 4, 6, 2, ln=True)
X = torch.randn(2, 5, 4)
perm = torch.randperm(5)
seeds = torch.randn(1, 1, 4).expand(2, 1, 4)
same = torch.allclose(mab(seeds, X), mab(seeds, X[:, perm]), atol=1e-5)
print(same)

### differential-attention | right
import torch
import torch.nn.functional as F

def diff_attn(X, W_q, W_k, W_v, lam):
    Q1, Q2 = (X @ W_q).chunk(2, dim=-1)
    K1, K2 = (X @ W_k).chunk(2, dim=-1)
    V = X @ W_v
    s = 1 / Q1.shape[-1] ** 0.5
    A1 = Q1 @ K1.transpose(-1, -2) * s
    A2 = Q2 @ K2.transpose(-1, -2) * s
    return (F.softmax(A1, -1) - lam * F.softmax(A2, -1)) @ V

out = diff_attn(torch.randn(2, 5, 6), torch.randn(6, 8), torch.randn(6, 8), torch.randn(6, 4), 0.8)
print(out.shape)

### retention-recurrent | right
import torch

gamma = 0.9
T, d = 5, 3
q, k, v = torch.randn(T, d), torch.randn(T, d), torch.randn(T, d)
n = torch.arange(T)
D = torch.where(n[:, None] >= n, gamma ** (n[:, None] - n).float(), 0.0)
parallel = (q @ k.T * D) @ v
S = torch.zeros(d, d)
recurrent = torch.empty(T, d)
for t in range(T):
    S = gamma * S + torch.outer(k[t], v[t])
    recurrent[t] = q[t] @ S
print(torch.allclose(parallel, recurrent, atol=1e-5))

### hierarchical-words-and-sentences | right
import torch
import torch.nn as nn

class WordPool(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.proj = nn.Sequential(nn.Linear(d, d), nn.Tanh())
        self.ctx = nn.Linear(d, 1, bias=False)

    def forward(self, h, lens):
        a = self.ctx(self.proj(h)).squeeze(2)
        steps = torch.arange(a.size(1)).unsqueeze(0)
        a = a.masked_fill(steps >= lens.unsqueeze(1), float("-inf"))
        a = torch.softmax(a, 1)
        return torch.bmm(a.unsqueeze(1), h).squeeze(1), a

docs = torch.randn(2, 3, 4, 5)
lens = torch.tensor([[4, 2, 1], [3, 3, 4]])
words, sents = WordPool(5), WordPool(5)
s, a_w = words(docs.flatten(0, 1), lens.flatten())
d, a_s = sents(s.view(2, 3, -1), torch.tensor([3, 2]))
print(d.shape, a_w.view(2, 3, -1)[0, 2], a_s[1, 2].item())

### beam-search-step | right
import torch
import torch.nn.functional as F

beams, vocab = 3, 7
scores = torch.tensor([-0.1, -0.7, -1.5])
logp = F.log_softmax(torch.randn(beams, vocab), dim=-1)
total = (scores.unsqueeze(1) + logp).view(-1)
top, flat = total.topk(beams, largest=True, sorted=True)
origin = torch.div(flat, vocab, rounding_mode="floor")
token = flat % vocab
seqs = torch.arange(beams).unsqueeze(1)
seqs = torch.cat([seqs[origin], token.unsqueeze(1)], dim=-1)
print(seqs.shape, bool((top[:-1] >= top[1:]).all()), origin.dtype)

### gated-attention-residual | right
import torch
import torch.nn as nn

class Gate(nn.Module):
    def __init__(self, d, bias_init=2.0):
        super().__init__()
        self.wz = nn.Linear(d, d)
        self.uz = nn.Linear(d, d, bias=False)
        nn.init.constant_(self.wz.bias, bias_init)

    def forward(self, x, y):
        z = torch.sigmoid(self.wz(y) + self.uz(x))
        return torch.lerp(y, x, z)

g = Gate(4)
x, y = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
out = g(x, y)
print(g.wz.bias.tolist(), ((out - x).abs() < (out - y).abs()).float().mean().item() > 0.5)
