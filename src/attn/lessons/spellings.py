"""One mask, in the four spellings that libraries use."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn.trace.table import Table, table

__all__ = ["Spellings", "describe"]


@dataclass(frozen=True, repr=False, eq=False)
class Spellings:
    """One mask in the four spellings; all have the shape of the mask."""

    keep: Bool[Tensor, "..."]
    drop: Bool[Tensor, "..."]
    additive: Float[Tensor, "..."]
    zero_one: Int[Tensor, "..."]

    def __repr__(self) -> str:
        return repr(self._table())

    def _repr_html_(self) -> str:
        return self._table().html()

    def _table(self) -> Table:
        # One row is enough as an example, if it allows some keys and forbids others.
        keys = self.keep.shape[-1] if self.keep.dim() else 1
        keep = self.keep.reshape(-1, keys)
        row = int((keep.any(-1) & ~keep.all(-1)).int().argmax())

        def example(tensor: Tensor) -> str:
            return " ".join(str(value) for value in tensor.reshape(-1, keys)[row].tolist())

        rows = [
            ["keep", example(self.keep), "True may attend", "attn, F.scaled_dot_product_attention"],
            ["drop", example(self.drop), "True is blocked", "nn.MultiheadAttention, nn.Transformer"],
            ["additive", example(self.additive), "added to the scores", "both PyTorch functions; Hugging Face inside"],
            ["zero_one", example(self.zero_one), "1 may attend", "attention_mask of Hugging Face's tokenizers"],
        ]
        return table(["spelling", f"row {row} of {tuple(self.keep.shape)}", "meaning", "who reads it this way"], rows)


def describe(mask: Bool[Tensor, "..."], *, dtype: torch.dtype = torch.float32) -> Spellings:
    """Spell one boolean keep-mask in the four ways that libraries use; `dtype` is the type of the additive one.

    Raises TypeError if the mask is not boolean: what 0 means in a 0/1 or an additive mask differs from library to library.
    """
    if mask.dtype != torch.bool:
        raise TypeError(f"mask is {mask.dtype}; describe takes a boolean mask, True where a query may attend.")
    additive = torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, -math.inf)
    return Spellings(keep=mask, drop=~mask, additive=additive, zero_one=mask.long())
