"""Programs to start from: right ones, and ones with the common bugs."""

from collections.abc import Mapping
from typing import Any

__all__ = ["CHOICES", "EXAMPLES", "START", "VERSIONS"]

START = """import torch

B, L, H, D = 2, 5, 3, 4
x = torch.randn(B, L, H * D)
# your own lines
"""

EXAMPLES = {
    "one head": """import math
import torch

B, L, S, D = 2, 5, 7, 4
q = torch.randn(B, L, D)
k = torch.randn(B, S, D)
v = torch.randn(B, S, D)
scores = q @ k.transpose(-2, -1) / math.sqrt(D)
weights = scores.softmax(-1)
out = weights @ v
print(out.shape)
""",
    "a layer": """import math
import torch
import torch.nn as nn

B, L, E, H = 2, 5, 12, 3
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
    "a cache": """import torch

B, H, D = 1, 2, 4
k_cache = torch.empty(B, H, 0, D)
v_cache = torch.empty(B, H, 0, D)

for step in range(3):
    q, k, v = torch.randn(3, B, H, 1, D)
    k_cache = torch.cat([k_cache, k], dim=2)
    v_cache = torch.cat([v_cache, v], dim=2)
    weights = (q @ k_cache.transpose(-2, -1) / D**0.5).softmax(-1)
    out = weights @ v_cache
    print(step, tuple(weights.shape), tuple(out.shape))
""",
    "heads, mixed": """import torch

B, L, H, D = 2, 5, 3, 4
x = torch.arange(B * L * H * D).view(B, L, H * D)
right = x.view(B, L, H, D).transpose(1, 2)
wrong = x.view(B, H, L, D)
print((right == wrong).sum(), "of", x.numel(), "in place")
""",
    "softmax over queries": """import torch

B, H, L, S, D = 1, 2, 5, 7, 4
q = torch.randn(B, H, L, D)
k = torch.randn(B, H, S, D)
scores = q @ k.mT / D**0.5
weights = scores.softmax(2)
print(weights.sum(-1))  # of each query: not 1
""",
    "an error, explained": """import torch

B, L, H, D = 2, 5, 3, 4
heads = torch.randn(B, H, L, D)
merged = heads.transpose(1, 2).view(B, L, H * D)
""",
}

_SPLIT = """import torch

B, L, H, D = 2, 5, 3, 4
x = torch.randn(B, L, H * D)
k = torch.randn(B, H, L, D)
q = {split}
scores = q @ k.mT
"""
# The settings of a comparison: two ways to split heads, of which the second one mixes them.
VERSIONS = {
    "code": _SPLIT.format(split="x.view(B, L, H, D).transpose(1, 2)"),
    "other": _SPLIT.format(split="x.view(B, H, L, D)"),
    "compare": True,
}
# What a page with an empty editor offers.
CHOICES: list[tuple[str, Mapping[str, Any]]] = [
    *((name, {"code": code, "compare": False}) for name, code in EXAMPLES.items()),
    ("two versions", VERSIONS),
]
