"""The cache: in place, of fixed size, and never half-written."""

import pytest
import torch

import attn

B, G, S_MAX, D, DV = 2, 3, 7, 5, 11


def some(n, b=B, g=G, d=D, dv=DV, dtype=torch.float32):
    return torch.randn(b, g, n, d, dtype=dtype), torch.randn(b, g, n, dv, dtype=dtype)


def cache_of(dtype=None):
    return attn.KVCache(B, G, S_MAX, D, Dv=DV, dtype=dtype)


def test_append_returns_everything_appended_in_order():
    cache = cache_of()
    (k1, v1), (k2, v2) = some(3), some(2)
    cache.append(k1, v1)
    k, v = cache.append(k2, v2)
    assert torch.equal(k, torch.cat([k1, k2], 2)) and torch.equal(v, torch.cat([v1, v2], 2))
    assert len(cache) == 5


def test_append_writes_in_place_and_returns_views():
    cache = cache_of()
    first, _ = cache.append(*some(2))
    second, _ = cache.append(*some(1))
    assert first.data_ptr() == second.data_ptr() == cache.k.data_ptr()


def test_bytes_count_all_positions_of_k_and_v():
    assert cache_of().bytes == B * G * S_MAX * (D + DV) * 4
    assert cache_of(torch.bfloat16).bytes == B * G * S_MAX * (D + DV) * 2
    assert attn.KVCache(B, G, S_MAX, D).bytes == 2 * B * G * S_MAX * D * 4, "values are as wide as keys unless Dv is given"


def test_truncate_forgets_the_newest_and_reset_forgets_all():
    cache = cache_of()
    k, v = some(4)
    cache.append(k, v)
    cache.truncate(3)
    assert len(cache) == 3 and torch.equal(cache.k, k[:, :, :3]) and torch.equal(cache.v, v[:, :, :3])
    cache.reset()
    assert len(cache) == 0 and cache.k.shape == (B, G, 0, D) and cache.v.shape == (B, G, 0, DV)
    cache.append(*some(S_MAX))
    assert len(cache) == S_MAX


def test_a_cache_stores_no_gradients():
    cache = cache_of()
    k, v = (t.requires_grad_() for t in some(2))
    for stored in cache.append(k, v):
        assert not stored.requires_grad


@pytest.mark.parametrize(
    "k,v,error,message",
    [
        (*some(5), attn.ShapeError, "5 new positions do not fit: 3 of S_max = 7 are filled"),
        (*some(1, b=3), attn.ShapeError, r"shape \(3, 3, 1, 5\); this cache takes \(B, G, N, D\) = \(2, 3, N, 5\)"),
        (*some(1, g=1), attn.ShapeError, "this cache takes"),
        (*some(1, d=4), attn.ShapeError, r"k has shape \(2, 3, 1, 4\); this cache takes \(B, G, N, D\) = \(2, 3, N, 5\)"),
        (*some(1, dv=4), attn.ShapeError, r"v has shape \(2, 3, 1, 4\); this cache takes \(B, G, N, Dv\) = \(2, 3, N, 11\)"),
        (some(1)[0], some(2)[1], attn.ShapeError, r"k has shape \(2, 3, 1, 5\), v has \(2, 3, 2, 11\): every key needs its value"),
        (some(1)[0][0], some(1)[1][0], attn.ShapeError, "this cache takes"),
        (*some(1, dtype=torch.float64), TypeError, "k is torch.float64, the cache is torch.float32"),
        (some(1)[0], some(1)[1].double(), TypeError, "v is torch.float64"),
        (*(t.to("meta") for t in some(1)), TypeError, "k is on meta, the cache on cpu"),
    ],
    ids=["overflow", "batch", "heads", "width", "width of v", "k and v differ", "axes", "dtype", "dtype of v", "device"],
)
def test_keys_and_values_that_do_not_fit_are_refused_before_anything_is_written(k, v, error, message, as_users_run_it):
    cache = cache_of()
    cache.append(*some(3))
    before = [memory.nan_to_num().clone() for memory in (cache._k, cache._v)]  # positions that are not filled may have any value
    with pytest.raises(error, match=message):
        cache.append(k, v)
    assert len(cache) == 3
    assert torch.equal(cache._k.nan_to_num(), before[0]) and torch.equal(cache._v.nan_to_num(), before[1])


@pytest.mark.parametrize("length", [-1, 4])
def test_truncating_to_a_negative_or_longer_length_is_refused(length):
    cache = cache_of()
    cache.append(*some(3))
    with pytest.raises(attn.ShapeError, match=f"cannot truncate to {length} positions: 3 are filled"):
        cache.truncate(length)


def test_a_cache_with_a_size_of_zero_is_refused():
    with pytest.raises(attn.ShapeError, match="S_max=0, D=4, Dv=4"):
        attn.KVCache(2, 3, 0, 4)
    with pytest.raises(attn.ShapeError, match="Dv=0"):
        attn.KVCache(2, 3, 7, 4, Dv=0)


def test_its_repr_shows_how_full_it_is():
    cache = cache_of()
    cache.append(*some(2))
    assert repr(cache).endswith("D=5, Dv=11, dtype=torch.float32, device=cpu): 2 of 7 positions filled, 2,688 bytes")
    assert "Dv" not in repr(attn.KVCache(B, G, S_MAX, D))
