"""CodeLab's hint for a program that calls nothing: the page and the kernel give the same line, and that line runs."""

import json
import re

import pytest
from node import node

from attn.labs.code.run import ALIASES, NAMES, analyse
from attn.lessons.errors import METHODS
from attn.shapes import AXES
from attn.trace.letters import MERGED

HEAD = "import math\nimport torch\nfrom torch import nn\n"
X = "torch.randn(2, 5, 12)"
USUAL = (2, 5, 12)


def attn(parameters, before="", doc=""):
    """A class whose constructor has these parameters."""
    return f"""{before}
class Attn(nn.Module):
    {doc}
    def __init__(self, {parameters}):
        super().__init__()
        self.H, self.qkv = n_heads, nn.Linear(d_model, 3 * d_model)

    def forward(self, x, mask=None):
        B, L, E = x.shape
        q, k, v = (one.view(B, L, self.H, -1).transpose(1, 2) for one in self.qkv(x).chunk(3, -1))
        return ((q @ k.mT).softmax(-1) @ v).transpose(1, 2).reshape(B, L, E)
"""


TYPED = """
        d_model: int,  # of Attn (its width)
        n_heads: int | None = 3,
        kind: dict[str, list[int]] | str = "a, b",
    """
CONFIG = """
from dataclasses import dataclass
@dataclass
class Config:
    n_embd: int = 8
    n_head: int = 2
class Attn(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.out = nn.Linear(config.n_embd, config.n_embd)
    def forward(self, x):
        return self.out(x)
"""
CROSS = """
class Cross(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.out, self.drop = nn.Linear(d_in, d_out), nn.Dropout(dropout)
        self.mask = torch.ones(context_length, context_length)
    def forward(self, query, key, value, attn_mask):
        return self.drop(self.mask @ self.out(query + key + value))
"""
SCALE = """
class Scale:
    def __init__(self, d_model):
        self.by = math.sqrt(d_model)
    def __call__(self, x):
        return x / self.by
"""
# For each program the call in its hint, and the shape of what that returns.
CALLS = {
    "required arguments": (attn("d_model, n_heads"), f"Attn(12, 3)({X})", USUAL),
    "types, defaults, texts": (attn(TYPED, doc='"""Attn (a class) in one line."""'), f"Attn(12)({X})", USUAL),
    "given by name": (attn("d_model, *, n_heads, **more"), f"Attn(12, n_heads=3)({X})", USUAL),
    "sizes of the program": (
        attn("d_model, n_heads", "batch_size, seq_len, d_model, head_dim = 1, 4, 10, 5"),
        "Attn(10, 2)(torch.randn(1, 4, 10))",
        (1, 4, 10),
    ),
    "a width without a third": (attn("d_model, n_heads", "C = 16"), "Attn(16, 2)(torch.randn(2, 5, 16))", (2, 5, 16)),
    "more heads than usual": (attn("d_model, n_heads", "n_heads = 8"), "Attn(32, 8)(torch.randn(2, 5, 32))", (2, 5, 32)),
    "an object with the sizes": (CONFIG, "Attn(Config())(torch.randn(2, 5, 8))", (2, 5, 8)),
    "a length, a dropout, four inputs": (CROSS, f"Cross(12, 12, 5, 0.0, 3)({X}, {X}, {X}, None)", USUAL),
    "no constructor": ("class Mine(nn.Module):\n    def forward(self, x):\n        return x.mT\n", f"Mine()({X})", (2, 12, 5)),
    "no module": (SCALE, f"Scale(12)({X})", USUAL),
}
# What is said of programs for which no such line is known.
OTHERS = {
    "": "",
    "a = 3\n": "",
    "x = torch.randn(2, 3)\nclass Attn(nn.Module):\n    pass\n": "",
    "def scores(q, k):\n    return q @ k.mT\n": "No tensor yet: nothing calls scores. Add a line that does.",
    "class Sizes:\n    n_head = 3\n": "No tensor yet: nothing calls Sizes. Add a line that does.",
    "def one():\n    return 1\nprint(one())\n": "",
    "class Attn(nn.Module):\n    def __init__(self, d_model):\n        pass\nAttn()\n": "",  # its error is explained
    "class Attn(nn.Module:\n    pass\n": "",
}


@pytest.fixture(scope="module")
def on_page():
    """What the page says of a list of programs."""

    def said(programs):
        words = {"merged": MERGED, "methods": METHODS, "aliases": NAMES}
        script = f"""import './src/attn/labs/code/more.js';
          import {{ analyse }} from './src/attn/labs/code/analyse.js';
          const said = {json.dumps(programs)}.map((code) => analyse(code, {json.dumps(words)}).analysis);
          console.log(JSON.stringify(said))"""
        run = node("--input-type=module", "-", stdin=script)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    return said


def test_the_line_that_is_named_runs_on_the_page_and_in_the_kernel(on_page, subtests):
    programs = [HEAD + code for code, _, _ in CALLS.values()]
    lines = [f"y = {call}\n" for _, call, _ in CALLS.values()]
    hints = [one["hint"] for one in on_page(programs)]
    results = on_page([code + line for code, line in zip(programs, lines, strict=True)])
    for name, code, line, hint, page in zip(CALLS, programs, lines, hints, results, strict=True):
        with subtests.test(name):
            assert re.fullmatch(r"No tensor yet: nothing calls (\w+)\. Add a line such as (.*)\.", hint)[2] == line.strip()
            assert analyse(code)[0]["hint"] == hint
            kernel = analyse(code + line)[0]
            for result in (page, kernel):
                assert result["failure"] is None and result["hint"] == ""
                assert tuple(result["lines"][-1]["rows"][-1]["shape"]) == CALLS[name][2]


def test_a_program_that_needs_no_such_line_gets_none(on_page, subtests):
    programs = [HEAD + code for code in OTHERS]
    for code, page, expected in zip(programs, on_page(programs), OTHERS.values(), strict=True):
        with subtests.test(code):
            assert page["hint"] == analyse(code)[0]["hint"] == expected


# For each program the sizes that it sets.
SIZES = {
    "b, n_heads, n_embd, kv_len = 2, 3, 24, 7\n": {"B": 2, "H": 3, "E": 24, "S": 7},
    "num_attention_heads = 6\nnum_kv_heads = 2\ndim_head = 4\n": {"H": 6, "G": 2, "D": 4},
    "T = 5\ndim = 1\n": {"L": 5},
    "H = 3\nfor h in range(1, H):\n    a = h\n": {"H": 3},
    "H = 3\nfor (n, h), b in [((1, 2), 4)]:\n    a = h\n": {"H": 3},
    "H = 3\na = [\n    2 * h\n    for h in range(H)\n]\n": {"H": 3},
    "H = 3\ndef double(h):\n    return 2 * h\nfor h in range(H):\n    double(h)\n": {"H": 3},
    "n_heads = 3  # for n_heads in each layer\n": {"H": 3},
}


def test_a_size_has_one_of_its_names_and_is_never_what_a_loop_counts_with(on_page, subtests):
    for (code, expected), page in zip(SIZES.items(), on_page([*SIZES]), strict=True):
        with subtests.test(code):
            assert page["sizes"] == analyse(code)[0]["sizes"] == expected


def test_each_name_means_the_same_letter_on_the_page_and_in_the_kernel():
    names = [*ALIASES, "dim", "x", "", "constructor"]
    script = f"""import {{ letterOf }} from './src/attn/labs/code/sizes.js';
      console.log(JSON.stringify({json.dumps(names)}.map((name) => letterOf({json.dumps(NAMES)}, name))))"""
    run = node("--input-type=module", "-e", script)
    assert run.returncode == 0, run.stderr
    letters = dict(zip(names, json.loads(run.stdout), strict=True))
    assert letters == dict.fromkeys(names, "") | ALIASES
    assert {letter: letters[letter] for letter in AXES} == {letter: letter for letter in AXES}
    assert {letters[name] for name in ("n_heads", "heads", "num_attention_heads", "h")} == {"H"}
    assert letters["T"] == "L"
    assert all({*axis.aliases} <= {*letters} for axis in AXES.values())
