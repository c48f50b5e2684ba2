# Layer norm, feed-forward layers, blocks and small whole models.

### layernorm-by-hand | right
import torch
import torch.nn as nn

class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(dim))
        self.beta = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        var = x.var(dim=-1, keepdim=True, unbiased=False)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta

x = torch.randn(2, 3, 8)
mine, theirs = LayerNorm(8)(x), nn.LayerNorm(8)(x)
print(torch.allclose(mine, theirs, atol=1e-5))

### annotated-norm-std | right
import torch
import torch.nn as nn

class LayerNorm(nn.Module):
    "Uses the standard deviation, and adds eps outside the root."
    def __init__(self, features, eps=1e-6):
        super(LayerNorm, self).__init__()
        self.a_2 = nn.Parameter(torch.ones(features))
        self.b_2 = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.a_2 * (x - mean) / (std + self.eps) + self.b_2

y = LayerNorm(6)(torch.randn(2, 4, 6))
print(y.std(-1))

### rmsnorm | right
import torch
from torch import nn

class RMSNorm(torch.nn.Module):
    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        return self._norm(x.float()).type_as(x) * self.weight

h = torch.randn(2, 5, 8)
out = RMSNorm(8)(h)
print(out.pow(2).mean(-1))

### feed-forward-sequential | right
import torch
import torch.nn as nn

ffn = nn.Sequential(nn.Linear(6, 24), nn.GELU(), nn.Linear(24, 6), nn.Dropout(0.0))
x = torch.randn(2, 3, 6)
y = x + ffn(x)
print(ffn)
print(y.shape, len(ffn), ffn[0].weight.shape)

### swiglu | right
import torch
import torch.nn as nn
import torch.nn.functional as F

class FeedForward(nn.Module):
    def __init__(self, dim, multiple_of=4):
        super().__init__()
        hidden = int(2 * 4 * dim / 3)
        hidden = multiple_of * ((hidden + multiple_of - 1) // multiple_of)
        self.w1 = nn.Linear(dim, hidden, bias=False)
        self.w2 = nn.Linear(hidden, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))

ff = FeedForward(6)
print(ff.w1.out_features, ff(torch.randn(1, 2, 6)).shape)

### gelu-by-hand | right
import math
import torch
import torch.nn.functional as F

x = torch.linspace(-3, 3, 7)
tanh = 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))
exact = 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))
print(torch.allclose(F.gelu(x), exact, atol=1e-6), torch.allclose(F.gelu(x, approximate="tanh"), tanh, atol=1e-6))

### pre-norm-block | right
import torch
import torch.nn as nn
import torch.nn.functional as F

class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.proj = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(B, T, C))

class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.ln1 = nn.LayerNorm(dim)
        self.ln2 = nn.LayerNorm(dim)
        self.attn = Attention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.ReLU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))

net = nn.Sequential(*[Block(8, 2) for _ in range(2)])
y = net(torch.randn(2, 4, 8))
print(y.shape, sum(p.numel() for p in net.parameters() if p.requires_grad))

### post-norm-sublayer | right
import torch
import torch.nn as nn

class SublayerConnection(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return self.norm(x + self.dropout(sublayer(x)))

def uniform(x):
    return x.mean(dim=1, keepdim=True).expand_as(x)

sub = SublayerConnection(6, 0.1).eval()
x = torch.randn(2, 4, 6)
y = sub(x, uniform)
z = sub(y, lambda t: torch.relu(t))
print(z.shape, f"{z.mean().item():.4f}")

### tiny-gpt | right
import torch
import torch.nn as nn
from torch.nn import functional as F

vocab_size, block_size, n_embd, n_head, n_layer = 17, 6, 8, 2, 2

class Head(nn.Module):
    def __init__(self, head_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, x):
        T = x.shape[1]
        w = self.query(x) @ self.key(x).transpose(-2, -1) * self.key.out_features ** -0.5
        w = w.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        return F.softmax(w, dim=-1) @ self.value(x)

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.sa = nn.ModuleList(Head(n_embd // n_head) for _ in range(n_head))
        self.ff = nn.Linear(n_embd, n_embd)
        self.ln = nn.LayerNorm(n_embd)

    def forward(self, x):
        x = x + torch.cat([h(self.ln(x)) for h in self.sa], dim=-1)
        return x + F.relu(self.ff(x))

class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(vocab_size, n_embd)
        self.pos = nn.Embedding(block_size, n_embd)
        self.blocks = nn.Sequential(*(Block() for _ in range(n_layer)))
        self.ln_f = nn.LayerNorm(n_embd)
        self.lm_head = nn.Linear(n_embd, vocab_size)

    def forward(self, idx, targets=None):
        B, T = idx.shape
        x = self.tok(idx) + self.pos(torch.arange(T))
        logits = self.lm_head(self.ln_f(self.blocks(x)))
        if targets is None:
            return logits, None
        loss = F.cross_entropy(logits.view(B * T, -1), targets.reshape(B * T))
        return logits, loss

torch.manual_seed(1)
gpt = GPT().eval()
data = torch.randint(0, vocab_size, (2, block_size + 1))
logits, loss = gpt(data[:, :-1], data[:, 1:])
print(logits.shape, f"loss {loss.item():.3f}")
print(sum(p.nelement() for p in gpt.parameters()), "parameters")

### tiny-bert | right
import torch
import torch.nn as nn

class Embeddings(nn.Module):
    def __init__(self, vocab, hidden, positions):
        super().__init__()
        self.word = nn.Embedding(vocab, hidden, padding_idx=0)
        self.position = nn.Embedding(positions, hidden)
        self.segment = nn.Embedding(2, hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.register_buffer("position_ids", torch.arange(positions).expand((1, -1)))

    def forward(self, input_ids, token_type_ids=None):
        n = input_ids.size(1)
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        e = self.word(input_ids) + self.position(self.position_ids[:, :n]) + self.segment(token_type_ids)
        return self.norm(e)

class Layer(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.attn = nn.MultiheadAttention(hidden, heads, batch_first=True)
        self.up, self.down = nn.Linear(hidden, 2 * hidden), nn.Linear(2 * hidden, hidden)
        self.n1, self.n2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)

    def forward(self, x, pad):
        a, _ = self.attn(x, x, x, key_padding_mask=pad)
        x = self.n1(x + a)
        return self.n2(x + self.down(nn.functional.gelu(self.up(x))))

ids = torch.tensor([[2, 7, 4, 3, 0], [2, 9, 8, 6, 3]])
emb = Embeddings(10, 6, 12)
layers = nn.ModuleList([Layer(6, 2) for _ in range(2)])
x = emb(ids)
for layer in layers:
    x = layer(x, ids == 0)
pooled = torch.tanh(x[:, 0])
print(x.shape, pooled.shape, emb.word.weight[0])

### tiny-llama | right
import torch
import torch.nn as nn
import torch.nn.functional as F
from dataclasses import dataclass
from typing import Optional

@dataclass
class Args:
    dim: int = 16
    n_layers: int = 2
    n_heads: int = 4
    n_kv_heads: Optional[int] = None
    vocab_size: int = 19
    norm_eps: float = 1e-5

def norm(x, w, eps):
    return w * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps))

def rotate(x, cos, sin):
    a, b = x.float().reshape(*x.shape[:-1], -1, 2).unbind(-1)
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(3).type_as(x)

class Layer(nn.Module):
    def __init__(self, args: Args):
        super().__init__()
        self.args = args
        self.kv = args.n_heads if args.n_kv_heads is None else args.n_kv_heads
        self.hd = args.dim // args.n_heads
        self.wq = nn.Linear(args.dim, args.n_heads * self.hd, bias=False)
        self.wkv = nn.Linear(args.dim, 2 * self.kv * self.hd, bias=False)
        self.wo = nn.Linear(args.n_heads * self.hd, args.dim, bias=False)
        self.w = nn.ParameterList([nn.Parameter(torch.ones(args.dim)) for _ in range(2)])
        self.up = nn.Linear(args.dim, 2 * args.dim, bias=False)
        self.down = nn.Linear(args.dim, args.dim, bias=False)

    def forward(self, x, cos, sin):
        b, n, _ = x.shape
        h = norm(x, self.w[0], self.args.norm_eps)
        q = self.wq(h).view(b, n, self.args.n_heads, self.hd)
        k, v = self.wkv(h).view(b, n, 2, self.kv, self.hd).unbind(2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        o = F.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True, enable_gqa=True)
        x = x + self.wo(o.transpose(1, 2).reshape(b, n, -1))
        g, u = self.up(norm(x, self.w[1], self.args.norm_eps)).chunk(2, -1)
        return x + self.down(F.silu(g) * u)

args = Args(n_kv_heads=2)
emb = nn.Embedding(args.vocab_size, args.dim)
layers = [Layer(args) for _ in range(args.n_layers)]
tokens = torch.tensor([[1, 5, 9, 2]])
angles = torch.arange(4)[:, None] / 100 ** (torch.arange(0, 4, 2) / 4)
cos, sin = angles.cos()[None, :, None], angles.sin()[None, :, None]
x = emb(tokens)
for layer in layers:
    x = layer(x, cos, sin)
logits = F.linear(x, emb.weight)
print(logits.shape, logits.argmax(-1))

### encoder-decoder-tiny | right
import torch
import torch.nn as nn

def attention(q, k, v, mask=None):
    s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask == 0, -1e9)
    return s.softmax(-1) @ v

class DecoderLayer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.self_qkv = nn.Linear(d, 3 * d)
        self.cross_q = nn.Linear(d, d)
        self.cross_kv = nn.Linear(d, 2 * d)
        self.norms = nn.ModuleList([nn.LayerNorm(d) for _ in range(2)])

    def forward(self, y, memory, tgt_mask, src_mask):
        y = self.norms[0](y + attention(*self.self_qkv(y).chunk(3, -1), mask=tgt_mask))
        k, v = self.cross_kv(memory).chunk(2, dim=-1)
        return self.norms[1](y + attention(self.cross_q(y), k, v, src_mask))

dec = DecoderLayer(6)
memory, y = torch.randn(2, 5, 6), torch.randn(2, 3, 6)
src_mask = torch.tensor([[[1, 1, 1, 0, 0]], [[1, 1, 1, 1, 1]]])
res = dec(y, memory, torch.ones(3, 3).tril(), src_mask)
print(res.shape)

### weight-init-apply | right
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 4)
        self.fc = nn.Linear(4, 4)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)

net = Net()
w, b = net.fc.weight, net.fc.bias
print(w.std().item() < 0.1, b)

### weight-tying | right
import torch
import torch.nn as nn

class LM(nn.Module):
    def __init__(self, V, E):
        super().__init__()
        self.wte = nn.Embedding(V, E)
        self.head = nn.Linear(E, V, bias=False)
        self.wte.weight = self.head.weight

    def forward(self, i):
        return self.head(self.wte(i))

lm = LM(7, 3)
print(lm.wte.weight is lm.head.weight, len(list(lm.parameters())))
print([n for n, _ in lm.named_parameters()])
a, b = lm.wte.weight, lm.head.weight
logits = lm(torch.tensor([0, 6]))

### module-repr | right
import torch.nn as nn

class Attn(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(8, 8, bias=False)
        self.norm = nn.LayerNorm(8)
        self.drop = nn.Dropout(p=0.1)
        self.emb = nn.Embedding(10, 8)

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Attn() for _ in range(2)])
        self.head = nn.Sequential(nn.Linear(8, 4), nn.ReLU())

print(Model())

### train-and-eval-mode | right
import torch
import torch.nn as nn

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)
    def forward(self, x):
        return self.drop(x), self.training

m = M()
print(m.training, m.drop.training)
m.eval()
y, flag = m(torch.ones(2, 3))
print(flag, y)
m.train()
print(m.training)

### scaled-residual-depth | right
import torch
import torch.nn as nn

depth = 4
x = torch.randn(2, 3, 8)
stds = []
for i in range(depth):
    layer = nn.Linear(8, 8, bias=False)
    nn.init.xavier_uniform_(layer.weight)
    x = x + layer(x)
    stds.append(round(x.std().item(), 1))
print(len(stds), stds[0] < stds[-1])

### parallel-block | right
import torch
import torch.nn as nn

class Parallel(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.d, self.h = d, h
        self.norm = nn.LayerNorm(d, elementwise_affine=False)
        self.fused = nn.Linear(d, 3 * d + 4 * d, bias=False)
        self.out = nn.Linear(d + 4 * d, d, bias=False)

    def forward(self, x):
        q, k, v, f = self.fused(self.norm(x)).split((self.d, self.d, self.d, 4 * self.d), dim=-1)
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in (q, k, v))
        a = nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
        return x + self.out(torch.cat((a, nn.functional.gelu(f)), dim=-1))

y = Parallel(6, 3)(torch.randn(2, 4, 6))
print(y.shape, y.stride())

### loss-with-shift | right
import torch
import torch.nn.functional as F

logits = torch.randn(2, 5, 7)
labels = torch.randint(0, 7, (2, 5))
labels[0, -2:] = -100
shift_logits = logits[..., :-1, :].contiguous()
shift_labels = labels[..., 1:].contiguous()
loss = F.cross_entropy(shift_logits.view(-1, 7), shift_labels.view(-1), ignore_index=-100)
print(f"{loss:.3f}", shift_logits.shape)
