"""Keys and values of the tokens so far, kept so that each new token computes only its own."""

import torch
from jaxtyping import Float
from torch import Tensor

from attn.shapes import ShapeError

__all__ = ["KVCache"]


class KVCache:
    """Room for S_max keys and values per key/value head, allocated once and filled from the front.

    A cache belongs to one attention layer and one batch. It owns its length: `len(cache)` positions are filled.
    Nothing is moved when it grows; `append` writes the new positions in place and returns views. It stores numbers, not their
    history: no gradient flows through a cache.

    B, G, S_max, D: samples, key/value heads, positions there is room for, width of a head. dtype, device: as in torch.empty.
    Raises ShapeError if a size is not positive.
    """

    def __init__(
        self,
        B: int,
        G: int,
        S_max: int,
        D: int,
        *,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
    ) -> None:
        if min(B, G, S_max, D) < 1:
            raise ShapeError(f"KVCache(B={B}, G={G}, S_max={S_max}, D={D}): every size must be at least 1.")
        # One block for both, so that one allocation serves k and v.
        self._kv = torch.empty((2, B, G, S_max, D), dtype=dtype, device=device)
        self._k, self._v = self._kv.unbind()
        self._shape = (B, G, D)
        self._length = 0

    @property
    def S_max(self) -> int:
        """Positions there is room for."""
        return self._k.shape[2]

    @property
    def bytes(self) -> int:
        """Memory the cache occupies, filled or not: 2·B·G·S_max·D elements, in bytes."""
        return self._kv.nbytes

    @property
    def k(self) -> Float[Tensor, "B G S D"]:
        """The filled keys, a view."""
        return self._k[:, :, : self._length]

    @property
    def v(self) -> Float[Tensor, "B G S D"]:
        """The filled values, a view."""
        return self._v[:, :, : self._length]

    def __len__(self) -> int:
        return self._length

    def append(
        self, k: Float[Tensor, "B G N D"], v: Float[Tensor, "B G N D"]
    ) -> tuple[Float[Tensor, "B G S D"], Float[Tensor, "B G S D"]]:
        """Write N new positions behind the filled ones; return views of all filled keys and values.

        Raises ShapeError if a size differs or the new positions do not fit, TypeError for another dtype or device, in each
        case before anything is written.
        """
        B, G, N, D = k.shape if k.dim() == 4 else (0, 0, 0, 0)
        start, end = self._length, self._length + N
        if (
            (B, G, D) != self._shape
            or k.shape != v.shape
            or end > self.S_max
            or k.dtype != self._k.dtype
            or v.dtype != k.dtype
            or k.device != self._k.device
            or v.device != k.device
        ):
            raise self._append_error(k, v)
        self._k.narrow(2, start, N).copy_(k.detach())
        self._v.narrow(2, start, N).copy_(v.detach())
        self._length = end
        return self.k, self.v

    def truncate(self, length: int) -> None:
        """Forget all but the first `length` positions, for instance to try another continuation."""
        if not 0 <= length <= self._length:
            raise ShapeError(f"cannot truncate to {length} positions: {self._length} are filled.")
        self._length = length

    def reset(self) -> None:
        """Forget everything; the memory stays allocated."""
        self._length = 0

    def __repr__(self) -> str:
        B, G, D = self._shape
        return (
            f"KVCache(B={B}, G={G}, S_max={self.S_max}, D={D}, dtype={self._k.dtype}, device={self._k.device}): "
            f"{self._length} of {self.S_max} positions filled, {self.bytes:,} bytes"
        )

    def _append_error(self, k: Tensor, v: Tensor) -> ShapeError | TypeError:
        B, G, D = self._shape
        if k.shape != v.shape:
            return ShapeError(f"k has shape {tuple(k.shape)}, v has {tuple(v.shape)}: a cache stores both in one shape.")
        if k.dim() != 4 or (k.shape[0], k.shape[1], k.shape[3]) != self._shape:
            return ShapeError(
                f"k and v have shape {tuple(k.shape)}; this cache takes (B, G, N, D) = ({B}, {G}, N, {D}). "
                "A cache belongs to one layer and one batch: make a new one for another batch."
            )
        for name, tensor in (("k", k), ("v", v)):
            if tensor.dtype != self._k.dtype:
                return TypeError(f"{name} is {tensor.dtype}, the cache is {self._k.dtype}: KVCache(..., dtype={tensor.dtype}).")
            if tensor.device != self._k.device:
                return TypeError(
                    f'{name} is on {tensor.device}, the cache on {self._k.device}: KVCache(..., device="{tensor.device}").'
                )
        return ShapeError(
            f"{k.shape[2]} new positions do not fit: {self._length} of S_max = {self.S_max} are filled. "
            f"Make the cache larger, or truncate() or reset() it."
        )
