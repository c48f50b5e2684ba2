"""The formula for one head and one sequence, and the table of 4 x 3 numbers that notes like to give it."""

import math

import torch.nn.functional as F
from torch import Tensor

__all__ = ["TOY_INPUT", "plain_head"]

TOY_INPUT = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9], [0.5, 0.2, 0.4]]


def plain_head(x: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> Tensor:
    """x (L, E) and three matrices (E, D), multiplied from the right, give (L, D). No mask, no dropout, no batch, no heads."""
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    scores = q @ k.T / math.sqrt(k.shape[-1])
    return F.softmax(scores, dim=-1) @ v
