"""Error messages name the invalid value, the broken rule and the likely fix."""

import re

import pytest
import torch

import attn
from attn import masks

pytestmark = pytest.mark.usefixtures("as_users_run_it")


def t(*shape, dtype=torch.float32, device="cpu"):
    return torch.zeros(shape, dtype=dtype, device=device)


Q, K, V = t(2, 4, 3, 7), t(2, 4, 5, 7), t(2, 4, 5, 7)

OPERANDS = [
    ("three axes", (t(2, 3, 7), K, V), attn.ShapeError, ["q has shape (2, 3, 7)", "(B, H, L, D)", "attn.split_heads"]),
    ("two axes", (Q, t(5, 7), V), attn.ShapeError, ["k has shape (5, 7)", "(B, G, S, D)"]),
    ("batch", (Q, t(3, 4, 5, 7), V), attn.ShapeError, ["B = 2, 3, 2 samples", "batch sizes must be equal"]),
    ("heads of k and v", (Q, t(2, 2, 5, 7), V), attn.ShapeError, ["k has 2 heads, v has 4"]),
    ("positions of k and v", (Q, K, t(2, 4, 6, 7)), attn.ShapeError, ["k has S = 5 positions, v has 6"]),
    ("channels", (Q, t(2, 4, 5, 6), V), attn.ShapeError, ["q has D = 7 channels per head, k has 6"]),
    ("k transposed", (Q, t(2, 4, 7, 5), t(2, 4, 7, 5)), attn.ShapeError, ["k has 5", "Is k already transposed?"]),
    (
        "groups",
        (t(2, 6, 3, 7), K, V),
        attn.ShapeError,
        ["H = 6 is not a multiple of G = 4", "G can be [1, 2, 3, 6]", "q (2, 6, 3, 7)"],
    ),
    ("L and H swapped", (t(2, 3, 4, 7), K, V), attn.ShapeError, ["H = 3 is not a multiple of G = 4", "Are L and H swapped?"]),
    ("dtype", (Q, K.double(), V), TypeError, ["k is torch.float64", ".to(torch.float32)"]),
    ("integers", (Q.long(), K.long(), V.long()), TypeError, ["q is torch.int64", "floating-point"]),
    ("device", (Q, K.to("meta"), V), TypeError, ["k on meta", "to one device"]),
]

MASKS = [
    ("not boolean", t(3, 5), TypeError, ["torch.float32", "mask.bool()", "mask == 0"]),
    ("0 and 1", torch.ones(3, 5, dtype=torch.int64), TypeError, ["torch.int64", "mask.bool()"]),
    ("per sample, three axes", t(2, 3, 5).bool(), attn.ShapeError, ["(2, 3, 5)", "mask[:, None]", "B = H"]),
    ("per head, three axes", t(4, 3, 5).bool(), attn.ShapeError, ["(4, 3, 5)", "mask[None]"]),
    ("per sample and key", t(2, 5).bool(), attn.ShapeError, ["(2, 5)", "mask[:, None, None, :]"]),
    ("transposed", t(5, 3).bool(), attn.ShapeError, ["(5, 3) does not broadcast to (B, H, L, S) = (2, 4, 3, 5)"]),
    ("five axes", t(1, 2, 4, 3, 5).bool(), attn.ShapeError, ["does not broadcast"]),
    ("other batch", t(3, 1, 3, 5).bool(), attn.ShapeError, ["(3, 1, 3, 5) does not broadcast"]),
]


@pytest.mark.parametrize("function", [attn.attention, attn.attention_steps])
@pytest.mark.parametrize("operands,error,parts", [case[1:] for case in OPERANDS], ids=[case[0] for case in OPERANDS])
def test_errors_name_operands_that_do_not_fit(function, operands, error, parts):
    with pytest.raises(error) as caught:
        function(*operands)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize("function", [attn.attention, attn.attention_steps])
@pytest.mark.parametrize("mask,error,parts", [case[1:] for case in MASKS], ids=[case[0] for case in MASKS])
def test_errors_name_masks_that_do_not_fit(function, mask, error, parts):
    with pytest.raises(error) as caught:
        function(Q, K, V, mask)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize("function", [attn.attention, attn.attention_steps])
def test_a_mask_per_sample_is_refused_if_b_equals_h_although_pytorch_takes_it_for_one_per_head(function):
    q = torch.randn(4, 4, 3, 7)
    mask = masks.causal(3).expand(4, 3, 3)
    torch.nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=mask)  # no error there
    with pytest.raises(attn.ShapeError, match="silently so if B = H"):
        function(q, q, q, mask)


@pytest.mark.parametrize(
    "make,message",
    [
        (lambda: attn.MultiHeadAttention(12, 5), "E = 12 is not a multiple of H = 5"),
        (lambda: attn.MultiHeadAttention(12, 5), "MultiHeadAttention(E, H, D=...)"),
        (lambda: attn.MultiHeadAttention(12, 0), "H = 0"),
        (lambda: attn.MultiHeadAttention(12, 5, D=0), "MultiHeadAttention(E=12, H=5, D=0, Dv=0): every size must be at least 1"),
        (lambda: attn.MultiHeadAttention(12, 4, Dv=-1), "D=3, Dv=-1): every size must be at least 1"),
        (lambda: attn.MultiHeadAttention(0, 4), "E=0"),
        (lambda: attn.MultiHeadAttention(12, 4, G=3), "H = 4 is not a multiple of G = 3"),
        (lambda: attn.MultiHeadAttention(12, 4, G=8), "H = 4 is not a multiple of G = 8"),
        (lambda: attn.MultiHeadAttention(12, 4, dropout=1.5), "dropout is 1.5"),
        (lambda: attn.MultiHeadAttention(12, 4)(t(2, 5, 10)), "(2, 5, 10); this layer takes (B, L, E) with E = 12"),
        (lambda: attn.MultiHeadAttention(12, 4)(t(5, 12)), "Add the batch axis: x[None]"),
        (lambda: attn.MultiHeadAttention(12, 4)(t(2, 5, 12), t(3, 7, 12)), "x has B = 2 samples, context has 3"),
        (lambda: attn.MultiHeadAttention(12, 4)(t(2, 5, 12), t(2, 7, 9)), "context has shape (2, 7, 9)"),
        (lambda: attn.MultiHeadAttention(12, 4).steps(t(2, 5, 10)), "(2, 5, 10); this layer takes"),
    ],
    ids=[
        "heads",
        "fix",
        "no heads",
        "no D",
        "negative Dv",
        "no E",
        "groups",
        "more groups",
        "dropout",
        "width",
        "axes",
        "context batch",
        "context width",
        "steps",
    ],
)
def test_errors_name_layers_and_inputs_that_do_not_fit(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_a_context_and_a_cache_together_are_refused():
    layer, cache = attn.MultiHeadAttention(12, 4), attn.KVCache(2, 4, 9, 3)
    with pytest.raises(TypeError, match="keys of a context do not grow"):
        layer(t(2, 5, 12), t(2, 7, 12), cache=cache)


def test_a_shape_error_is_a_value_error():
    assert issubclass(attn.ShapeError, ValueError)
