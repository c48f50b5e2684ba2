"""Keys and values of the tokens so far, kept so that each new token computes only its own."""

import torch
from jaxtyping import Float
from torch import Tensor

from attn.shapes import ShapeError

__all__ = ["KVCache"]


class KVCache:
    """Room for S_max keys and values per key/value head, allocated once and filled from the front.

    A cache belongs to one attention layer and one batch. It knows its length: `len(cache)` positions are filled.
    Nothing is moved when it grows; `append` writes the new positions in place and returns views. It stores numbers without their
    history: no gradient flows through a cache.

    B, G, S_max, D, Dv: samples, key/value heads, positions there is room for, width of a key, width of a value (D if None).
    dtype, device: as in torch.empty.
    Raises ShapeError if a size is not positive.
    """

    def __init__(
        self,
        B: int,
        G: int,
        S_max: int,
        D: int,
        *,
        Dv: int | None = None,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
    ) -> None:
        Dv = D if Dv is None else Dv
        if min(B, G, S_max, D, Dv) < 1:
            raise ShapeError(f"KVCache(B={B}, G={G}, S_max={S_max}, D={D}, Dv={Dv}): every size must be at least 1.")
        self._k = torch.empty((B, G, S_max, D), dtype=dtype, device=device)
        self._v = torch.empty((B, G, S_max, Dv), dtype=dtype, device=device)
        self._sizes = B, G, D
        self._Dv = Dv
        self.S_max = S_max
        self._length = 0

    @property
    def bytes(self) -> int:
        """Memory the cache occupies, filled or not: B·G·S_max·(D + Dv) elements, in bytes."""
        return self._k.nbytes + self._v.nbytes

    @property
    def k(self) -> Float[Tensor, "B G S D"]:
        """The filled keys, a view."""
        return self._k.narrow(2, 0, self._length)

    @property
    def v(self) -> Float[Tensor, "B G S Dv"]:
        """The filled values, a view."""
        return self._v.narrow(2, 0, self._length)

    def __len__(self) -> int:
        return self._length

    def append(
        self, k: Float[Tensor, "B G N D"], v: Float[Tensor, "B G N Dv"]
    ) -> tuple[Float[Tensor, "B G S D"], Float[Tensor, "B G S Dv"]]:
        """Write N new positions after the filled ones; return views of all filled keys and values.

        Raises ShapeError if a size differs or the new positions do not fit, TypeError for another dtype or device, in each
        case before anything is written.
        """
        keys, values, start = self._k, self._v, self._length
        B, G, N, D = k.shape if k.dim() == 4 else (0, 0, 0, 0)
        end = start + N
        if (
            (B, G, D) != self._sizes
            or v.shape != (B, G, N, self._Dv)
            or end > self.S_max
            or not k.dtype == v.dtype == keys.dtype
            or not k.device == v.device == keys.device
        ):
            raise self._append_error(k, v)
        keys.narrow(2, start, N).copy_(k.detach() if k.requires_grad else k)
        values.narrow(2, start, N).copy_(v.detach() if v.requires_grad else v)
        self._length = end
        return keys.narrow(2, 0, end), values.narrow(2, 0, end)

    def truncate(self, length: int) -> None:
        """Forget all but the first `length` positions, for instance to try another continuation."""
        if not 0 <= length <= self._length:
            raise ShapeError(f"cannot truncate to {length} positions: {self._length} are filled.")
        self._length = length

    def reset(self) -> None:
        """Forget everything; the memory stays allocated."""
        self._length = 0

    def __repr__(self) -> str:
        (B, G, D), Dv = self._sizes, self._Dv
        sizes = f"B={B}, G={G}, S_max={self.S_max}, D={D}" + (f", Dv={Dv}" if Dv != D else "")
        return (
            f"KVCache({sizes}, dtype={self._k.dtype}, device={self._k.device}): "
            f"{self._length} of {self.S_max} positions filled, {self.bytes:,} bytes"
        )

    def _append_error(self, k: Tensor, v: Tensor) -> ShapeError | TypeError:
        """The first rule that k and v break, with a likely fix."""
        (B, G, D), Dv = self._sizes, self._Dv
        if k.shape[:-1] != v.shape[:-1]:
            return ShapeError(f"k has shape {tuple(k.shape)}, v has {tuple(v.shape)}: every key needs its value.")
        for name, tensor, letter, width in (("k", k, "D", D), ("v", v, "Dv", Dv)):
            if tensor.dim() != 4 or (tensor.shape[0], tensor.shape[1], tensor.shape[3]) != (B, G, width):
                return ShapeError(
                    f"{name} has shape {tuple(tensor.shape)}; this cache takes (B, G, N, {letter}) = ({B}, {G}, N, {width}). "
                    "A cache belongs to one layer and one batch: make a new one for another batch."
                )
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
