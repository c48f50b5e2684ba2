"""The pages of the package: every public name with its signature, and what its docstring says of each argument."""

import inspect

import pytest
from late import Late

import attn
from attn import check, labs, masks, plots, reference

pytestmark = pytest.mark.slow

API = Late("attn_api")
PAGES = {"book/api": [attn, masks, reference], "book/api-check": [check], "book/api-teaching": [plots, labs]}


def test_every_public_function_and_class_has_its_section(book):
    for page, modules in PAGES.items():
        html = book.read(page)
        for module in modules:
            names = [name for name in module.__all__ if API.is_documented(getattr(module, name))]
            assert names or module is labs
            for name in names:
                assert f'id="{module.__name__}.{name}"' in html, name


def test_a_signature_shows_the_shapes_of_tensors_and_the_defaults():
    assert (
        API.signature(attn.split_heads, "split_heads")
        == 'split_heads(x: Shaped[Tensor, "B L E"], H: int) -> Shaped[Tensor, "B H L D"]'
    )
    layer = API.signature(attn.MultiHeadAttention, "MultiHeadAttention").splitlines()
    assert layer[:3] == ["class MultiHeadAttention(", "    E: int,", "    H: int,"] and "    dropout: float = 0.0," in layer
    assert API.signature(attn.AttentionSteps, "AttentionSteps").splitlines()[1] == '    q: Float[Tensor, "B H L D"],'
    assert API.signature(attn.KVCache.k, "k") == 'k: Float[Tensor, "B G S D"]'


def test_what_a_docstring_says_of_an_argument_is_an_item_and_other_colons_are_not():
    text = "Store it: nothing is copied.\n\nS_max: room for\n    keys. dtype, device: as in torch.\nRaises ShapeError: never."
    assert API.markdown(text, {"S_max", "dtype", "device"}) == (
        "Store it: nothing is copied.\n\n- `S_max`: room for keys.\n- `dtype`, `device`: as in torch.\n\nRaises ShapeError: never."
    )


@pytest.mark.parametrize("thing", [attn.attention, attn.MultiHeadAttention, attn.KVCache, attn.rotary, attn.trace])
def test_every_line_that_a_docstring_begins_with_an_argument_becomes_an_item(thing):
    names = set(inspect.signature(thing).parameters)
    doc = inspect.getdoc(thing)
    told = [line for line in doc.splitlines() if line.split(": ")[0].split(", ")[0] in names and ": " in line]
    assert API.markdown(doc, names).count("\n- `") + API.markdown(doc, names).startswith("- `") >= len(told)
