"""The explanations of errors: each is for a message that PyTorch really raises, and a page explains it in the same words."""

import json
import math

import pytest
import torch
import torch.nn as nn
import torch.nn.functional as F
from node import node

from attn.lessons.errors import METHODS, _entries, explain

SIZES = {"B": 2, "L": 5, "S": 7, "H": 6, "G": 3, "D": 4, "E": 24}

# For each entry a line of code that raises its error, and a word that its explanation must contain.
RAISED = {
    "view across memory": ("q.transpose(1, 2).view(B, L, E)", "transpose or permute"),
    "wrong count": ("x.view(B, L, H, D + 1)", "needs 300 numbers, and the tensor has 240"),
    "two sizes to infer": ("x.view(B, -1, -1)", "one size"),
    "matrix product": ("nn.Linear(E + 1, E)(x)", "24 (E) numbers, a column of the right 25"),
    "batched product": ("q @ k", "4 (D) numbers, a column of the right 7 (S)"),
    "broadcast": ("q + k", "5 (L) on one side and 7 (S)"),
    "t of more than two axes": ("k.t()", "With 4 axes"),
    "softmax without an axis": ("torch.softmax(x)", "sum to 1"),
    "no such axis": ("F.softmax(x, dim=4)", "from -3 to 2 here, and 4"),
    "mask of numbers": ("(q @ k.mT).masked_fill(torch.ones(L, S), 0)", "True and False"),
    "mask of whole numbers": ("F.scaled_dot_product_attention(q, k, v, attn_mask=torch.ones(L, S).long())", "whole numbers"),
    "expand": ("k.expand(B, 12, S, D)", "Axis 1 has size 6 (H) and was asked to become 12"),
    "expand to fewer axes": ("k.expand(H, S, D)", "has 4, and 3 were named"),
    "repeat": ("x.repeat(2, 2)", "a number for each axis"),
    "cat": ("torch.cat([k, q], dim=0)", "7 (S) in the first tensor and 5 (L) in tensor 1"),
    "cat of different kinds": ("torch.cat([k, x], dim=0)", "4 axes, the other 3"),
    "stack": ("torch.stack([k, q])", "(2, 6, 7, 4), number 1 is (2, 6, 5, 4)"),
    "einsum: one letter, two sizes": ('torch.einsum("bhld,bhlt->bhl", q, k)', "letter l is 5 (L)"),
    "einsum: letters and axes": ('torch.einsum("bhld,bhsd->bhls", q, x)', "Operand 1 has 3 axes and 4 letters"),
    "einsum: result": ('torch.einsum("bhld,bhsd->bhlt", q, k)', "a letter, t,"),
    "einsum: operands": ('torch.einsum("bhld,bhsd->bhls", q, k, v)', "as many operands"),
    "too many values": ("one, two = x.shape", "2 names"),
    "too few values": ("one, two, three = x.chunk(2, -1)", "3 names on the left and 2 values"),
    "a float as a size": ("x.view(B, L, H, E / H)", "float"),
    "no such method": ("x.tranpose(1, 2)", "Did you mean transpose?"),
    "no such name": ("X", "called X"),
    "permute": ("q.permute(0, 2, 1)", "4 axes, and 3 were named"),
    "permute: an axis twice": ("q.permute(0, 1, 1, 2)", "named twice"),
    "layer before Module": ("Forgetful()", "set itself up"),
    "no forward": ("nn.Module()(x)", "forward method"),
    "None": ("None.view(3)", "None"),
    "calling a shape": ("x.shape(0)", "tuple"),
    "whole numbers": ("torch.tensor([1, 2]).softmax(0)", "whole numbers"),
    "two dtypes": ("nn.Linear(E, E).half()(x)", "different dtypes"),
    "embedding of floats": ("nn.Embedding(10, 4)(torch.ones(2))", "floats"),
    "embedding: too large an id": ("nn.Embedding(10, 4)(torch.tensor([10]))", "number of rows"),
    "layer norm": ("nn.LayerNorm(E + 1)(x)", "vectors of 25 numbers and was given the shape (2, 5, 24)"),
    "an index beyond the end": ("x[3]", "Axis 0 has 2 (B) places"),
    "too many indices": ("x[:, :, :, 0]", "3 axes"),
    "split": ("x.split([5, 5], -1)", "24 (E)"),
    "truth of a tensor": ("1 if x > 0 else 0", "one True or False"),
    "writing to an expanded tensor": ("x[:1].expand(3, L, E).mul_(2)", "the same number in memory"),
    "embed_dim and num_heads": ("nn.MultiheadAttention(10, 3)", "does not divide"),
}


class Forgetful(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(2, 2)


def raised(code):
    names = {**SIZES, "torch": torch, "nn": nn, "F": F, "math": math, "Forgetful": Forgetful}
    names |= {"x": torch.randn(2, 5, 24), "q": torch.randn(2, 6, 5, 4), "k": torch.randn(2, 6, 7, 4), "v": torch.randn(2, 6, 7, 4)}
    try:
        exec(code, names)
    except Exception as error:
        return str(error)
    pytest.fail(f"{code} raises nothing")


def test_torch_raises_the_message_of_every_entry_and_the_explanation_has_its_numbers(subtests):
    assert [entry["name"] for entry in _entries()] == [*RAISED]
    for name, (code, words) in RAISED.items():
        with subtests.test(name):
            found = explain(raised(code), SIZES)
            assert found is not None and found.name == name
            assert words in found.means, found.means
            assert found.fix and "{" not in found.means + found.fix


def test_a_page_explains_an_error_in_the_same_words():
    messages = [raised(code) for code, _ in RAISED.values()] + ["something else", "'Tensor' object has no attribute 'colour'"]
    script = f"""import {{ explain }} from './src/attn/labs/code/explain.js';
      const explained = {json.dumps(messages)}.map(one => explain(one, {json.dumps(SIZES)}, {json.dumps(METHODS)}));
      console.log(JSON.stringify(explained))"""
    run = node("--input-type=module", "-e", script)
    assert run.returncode == 0, run.stderr
    mine = [explain(message, SIZES) for message in messages]
    assert json.loads(run.stdout) == [one and vars(one) for one in mine]
    assert "Did you mean" not in mine[-1].means


def test_without_sizes_no_letter_is_named():
    assert "(" not in explain("The size of tensor a (5) must match the size of tensor b (7) at non-singleton dimension 2").means
