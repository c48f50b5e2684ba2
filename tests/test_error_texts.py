"""The explanations of errors: each is for a message that PyTorch really raises, and a page explains it in the same words."""

import json
import re

import pytest
import torch
from decoded import raised, sections
from node import node

from attn.lessons.errors import METHODS, _entries, explain

SETUP, SECTIONS = sections()
# For each entry that repeats what the message says, words that the explanation of a cell on the page of errors must contain.
REPEATED = {
    "wrong count": "needs 336 numbers, and the tensor has 240",
    "unflatten": "have 30 places, and axis 2 has 24 (E)",
    "matrix product": "4 (D) numbers, a column of the right 24 (E). The left has 60 rows",
    "batched product": "The left is 12 matrices whose rows have 4 (D) numbers; the right is 12 matrices whose columns have 7 (S)",
    "matrix times vector": "24 (E) numbers, the vector 4 (D). The left has 10 rows",
    "broadcast": "Axis 2 has size 2 (B) on one side and 5 (L)",
    "in place, too small": "has the shape (2, 6, 5, 7) and is to be written into a tensor of shape (2, 1, 5, 7)",
    "t of more than two axes": "With 4 axes",
    "no such axis": "from -3 to 2 here, and 3",
    "too large for the dtype": "fit into Half",
    "a mask as index": "the mask is (5, 7), the tensor (2, 6, 5, 7)",
    "expand": "Axis 1 of the target has size 6 (H), and the tensor has 3 (G)",
    "expand to fewer axes": "has 4, and 3 were named",
    "strides beyond the memory": "964 bytes into the memory, which has 960 bytes",
    "cat": "axis 1, and all other axes must be equal: one is 7 (S) in the first tensor and 1 in tensor 1",
    "cat of different kinds": "4 axes, the other 3",
    "None in a list": "Number 0",
    "stack": "(2, 6, 5, 4), number 1 is (2, 6, 7, 4)",
    "einsum: one letter, two sizes": "letter l is 5 (L) in one operand and 7 (S) in operand 1",
    "einsum: letters and axes": "Operand 1 has 3 axes and 4 letters",
    "einsum: result": "a letter, t,",
    "einsum: a sign": "Character 9",
    "width of the input": "24 (E) numbers, and the query has 4 (D)",
    "heads as input": "4 axes",
    "size of attn_mask": "2 axes must have the shape (5, 7) here, and has (5, 5)",
    "size of key_padding_mask": "Axis 1 of key_padding_mask has size 5 (L) and must have 7 (S)",
    "too many values": "3 names",
    "values and indices": "With an axis, max returns",
    "too few values": "3 names on the left and 2 values",
    "no such method": "Did you mean transpose?",
    "no such module": "called math",
    "no such name": "called X",
    "a class without its sizes": "Linear was made without 'out_features'",
    "a call without an argument": "cross_entropy was called without 'target'",
    "permute": "3 axes, and 4 were named",
    "an argument is missing": "without 'key' and 'value'",
    "a tensor as a parameter": "weight is a parameter",
    "loading weights": "and Linear differ",
    "loss: as many targets": "10 predictions and 8 targets",
    "loss: where the classes are": "the shape (2, 11); it has (2, 5)",
    "loss: too large a target": "Target 11",
    "layer norm": "vectors of 24 numbers and was given the shape (2, 6, 5, 4)",
    "an index beyond the end": "Axis 2 has 7 (S) places",
    "too many indices": "3 axes",
    "split": "24 (E)",
    "writing to a piece": "(Split)",
}


@pytest.fixture
def names():
    """The names that the cells of the page use."""
    names: dict[str, object] = {}
    for cell in SETUP:
        exec(cell, names)
    return names


def sizes_of(names):
    return {letter: names[letter] for letter in "BLSHGDE"}


def test_each_message_of_the_page_is_raised_by_its_cells_and_explained_with_its_numbers(names, subtests):
    left = {entry["name"]: entry for entry in _entries()}
    for section in SECTIONS:
        varying = ".*".join(map(re.escape, section.message.split("…")))
        for cell in section.cells:
            with subtests.test(section.message, cell=cell):
                message = raised(cell, names)
                assert re.search(varying, message), message
                found = explain(message, sizes_of(names))
                assert found is not None, message
                if found.name in left:  # the first cell of an entry
                    repeats = "{" in left.pop(found.name)["means"]
                    assert repeats == (found.name in REPEATED), found.means
                    assert REPEATED.get(found.name, "") in found.means, found.means
                assert found.fix and "{" not in found.means + found.fix
    assert not left, "the page does not show these"


def test_what_returns_two_tensors_of_another_kind_is_not_told_to_take_the_values():
    message = "unsupported operand type(s) for -: 'Tensor' and 'torch.return_types.{}'"
    for name in ("max", "min", "median", "mode", "sort", "cummax"):
        found = getattr(torch.tensor([[2.0, 1.0]]), name)(-1)
        assert hasattr(found, "values") and explain(message.format(name), {}).name == "values and indices"
    assert not hasattr(torch.tensor([2.0, 1.0]).aminmax(), "values") and explain(message.format("aminmax"), {}) is None


def test_no_message_of_the_page_is_there_twice():
    messages = [section.message for section in SECTIONS]
    assert all(section.cells for section in SECTIONS) and len(set(messages)) == len(messages)


def test_a_page_explains_an_error_in_the_same_words(names):
    messages = [raised(cell, names) for section in SECTIONS for cell in section.cells]
    messages += ["something else", "'Tensor' object has no attribute 'colour'"]
    sizes = sizes_of(names)
    script = f"""import {{ explain }} from './src/attn/labs/code/explain.js';
      const explained = {json.dumps(messages)}.map(one => explain(one, {json.dumps(sizes)}, {json.dumps(METHODS)}));
      console.log(JSON.stringify(explained))"""
    run = node("--input-type=module", "-e", script)
    assert run.returncode == 0, run.stderr
    mine = [explain(message, sizes) for message in messages]
    assert json.loads(run.stdout) == [one and vars(one) for one in mine]
    assert "Did you mean" not in mine[-1].means


def test_without_sizes_no_letter_is_named():
    assert "(" not in explain("The size of tensor a (5) must match the size of tensor b (7) at non-singleton dimension 2").means
