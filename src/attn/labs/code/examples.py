"""Programs to start from: right ones, and ones with the common bugs."""

__all__ = ["EXAMPLES"]

_HEAD = """import math
import torch
import torch.nn as nn
import torch.nn.functional as F

"""

EXAMPLES = {
    "one head, five lines": f"""{_HEAD}B, L, S, D = 2, 5, 7, 4
q = torch.randn(B, L, D)
k = torch.randn(B, S, D)
v = torch.randn(B, S, D)
scores = q @ k.transpose(-2, -1) / math.sqrt(D)
weights = scores.softmax(-1)
out = weights @ v
print(out.shape)
""",
    "a layer": f"""{_HEAD}B, L, E, H = 2, 5, 12, 3
D = E // H


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(E, 3 * E)
        self.out = nn.Linear(E, E)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(B, L, H, D).transpose(1, 2)
        k = k.view(B, L, H, D).transpose(1, 2)
        v = v.view(B, L, H, D).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(D)
        past = torch.ones(L, L, dtype=torch.bool).tril()
        weights = scores.masked_fill(~past, -math.inf).softmax(-1)
        heads = weights @ v
        return self.out(heads.transpose(1, 2).reshape(B, L, E))


x = torch.randn(B, L, E)
y = Attention()(x)
""",
    "heads, mixed": """import torch

B, L, H, D = 2, 5, 3, 4
x = torch.arange(B * L * H * D).view(B, L, H * D)
right = x.view(B, L, H, D).transpose(1, 2)
wrong = x.view(B, H, L, D)
print((right == wrong).sum(), "of", x.numel(), "in place")
""",
    "an error, explained": """import torch

B, L, H, D = 2, 5, 3, 4
heads = torch.randn(B, H, L, D)
merged = heads.transpose(1, 2).view(B, L, H * D)
""",
}
