"""The cheat sheet: its lines compute attention, its formulas count what they say, and its page shows all of it."""

import re
from pathlib import Path

import pytest
import torch
from sheet_pdf import draw_sheet

import attn
from attn.lessons.sheet import LARGE, SIZES, STEPS, sheet, value
from attn.trace.table import as_shape

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def tables():
    return sheet()


def column(table, name):
    return [row[table.columns.index(name)] for row in table.rows]


def test_no_two_sizes_are_equal():
    assert len(set(SIZES.values())) == len(SIZES) == len(attn.AXES)


def test_the_lines_one_after_the_other_are_the_layer_of_the_package():
    B, L, S, E, H, G, D = (SIZES[letter] for letter in "BLSEHGD")
    layer = attn.MultiHeadAttention(E, H, G=G, D=D, bias=False)
    x, context, keep = torch.randn(B, L, E), torch.randn(B, S, E), attn.masks.causal(L, S).clone()
    keep[0] = False
    made = {"torch": torch, "x": x, "context": context, "keep": keep, **SIZES}
    made |= {"W_Q": layer.W_Q, "W_K": layer.W_K, "W_V": layer.W_V, "W_O": layer.W_O}
    for name, code, *_ in STEPS:
        made[name] = eval(code, {}, made)
    torch.testing.assert_close(made["y"], layer(x, context, mask=keep))
    torch.testing.assert_close(made["weights"], layer.steps(x, context, mask=keep).weights)


def test_shapes_and_flops_are_what_their_letters_say(tables):
    steps = tables["Steps"]
    for letters, here, flops in zip(column(steps, "shape"), column(steps, "here"), column(steps, "FLOPs"), strict=True):
        assert as_shape([value(axis, SIZES) for axis in letters.strip("()").split(", ")]) == here
        formula, _, count = flops.partition(" = ")
        assert not formula or f"{value(formula, SIZES):,}" == count


def test_the_costs_are_those_of_the_package(tables):
    B, L, S, E, H, G, D = (SIZES[letter] for letter in "BLSEHGD")
    costs = dict(zip(column(tables["Costs of a layer"], "cost"), column(tables["Costs of a layer"], "here"), strict=True))
    layer = attn.MultiHeadAttention(E, H, G=G, D=D, bias=False)
    assert costs["parameters"] == str(sum(p.numel() for p in layer.parameters()))
    counted = [int(flops.partition(" = ")[2].replace(",", "")) for flops in column(tables["Steps"], "FLOPs") if flops]
    by_product = dict(zip([step[0] for step in STEPS if step[3]], counted, strict=True))
    mix = by_product["scores"] + by_product["heads"]
    assert costs["FLOPs, scores and mix"] == f"{mix:,}"
    assert costs["FLOPs, projections and W_O"] == f"{sum(counted) - mix:,}"
    assert costs["scores, if stored, in 2 bytes"] == f"{torch.empty(B, H, L, S, dtype=torch.float16).nbytes} bytes"
    assert costs["cache, in 2 bytes"] == f"{attn.KVCache(B, G, S, D, dtype=torch.float16).bytes} bytes"


def test_large_numbers_have_words(tables):
    large = column(tables["Costs of a layer"], "large")
    assert large[0] == f"{(2 * 4096 * 32 * 128 + 2 * 4096 * 8 * 128) / 1e6:.3g} million"
    assert large[-1] == f"{4 * LARGE['G'] * LARGE['S'] * LARGE['D'] / 2**20:.1f} MiB"


def test_masks_and_formats_are_as_pytorch_has_them(tables):
    masks = tables["Masks"]
    assert column(masks, "True means") == ["may attend", "may attend", "hidden", "hidden"]
    assert column(masks, "no key left") == ["0", "0", "NaN", "NaN"]
    assert any("the query attends to 1 key." in note for note in masks.notes)
    for name, above in zip(*(column(tables["Number formats"], head) for head in ("dtype", "exp is ∞ above")), strict=True):
        dtype, bound = getattr(torch, name), float(above)
        assert torch.tensor(bound - 0.1, dtype=torch.float64).exp() < torch.finfo(dtype).max
        assert torch.tensor(bound + 0.1, dtype=torch.float64).exp() > torch.finfo(dtype).max
    with pytest.raises(RuntimeError, match="without overflow"):
        torch.zeros(1).half().masked_fill(torch.tensor([True]), -1e9)


def test_the_page_has_each_table_under_its_title(tables):
    page = (ROOT / "book" / "cheat-sheet.md").read_text("utf-8")
    assert re.findall(r"^## (.+)$", page, re.M) == list(tables)
    assert re.findall(r'^tables\["(.+)"\]$', page, re.M) == list(tables)


def test_a_sheet_that_does_not_fit_its_page_is_not_drawn(tables):
    with pytest.raises(ValueError, match="does not fit"):
        draw_sheet("long", tables | {"Steps": attn.table(tables["Steps"].columns, tables["Steps"].rows * 4)})
    with pytest.raises(ValueError, match=r"places \("):
        draw_sheet("more", tables | {"More": tables["Steps"]})
