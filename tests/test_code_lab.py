"""CodeLab: the page's interpreter and the kernel's PyTorch say the same of a program, line by line."""

import json

import pytest
from node import node

from attn.labs.code.examples import EXAMPLES
from attn.labs.code.run import NAMES, analyse
from attn.labs.code.sources import sources_of
from attn.lessons.errors import METHODS
from attn.trace.letters import MERGED

PROGRAMS = {
    **EXAMPLES,
    "a loop over heads": """import torch
B, L, H, D = 2, 5, 3, 4
q, k = torch.randn(B, H, L, D), torch.randn(B, H, L, D)
parts = []
for h in range(H):
    scores = q[:, h] @ k[:, h].mT
    parts.append(scores.softmax(-1))
""",
    "a function that is called twice": """import torch
B, L, D = 2, 5, 4
def scaled(q, k):
    product = q @ k.mT
    return product / D ** 0.5
x = torch.randn(B, L, D)
one = scaled(x, x)
two = scaled(one, one)
""",
    "in place, expanded, copied": """import torch
B, S, G, H, D = 2, 7, 2, 6, 4
k = torch.randn(B, G, S, D)
wide = k[:, :, None].expand(B, G, H // G, S, D)
heads = wide.reshape(B, H, S, D)
same = heads.contiguous()
same.mul_(2)
""",
    "an error inside a function": """import torch
L, S, D = 5, 7, 4
def scores(q, k):
    return q @ k
print(scores(torch.randn(L, D), torch.randn(S, D)).shape)
""",
    "numbers that are moved": """import torch
a = torch.randn(2, 3)
joined, piled = torch.cat([a, a]), torch.stack([a, a])
tall, wide = torch.vstack([a, a]), torch.hstack([a, a])
tiled, doubled = a.tile(2, 2), a.repeat_interleave(2, 0)
turned, rolled = a.flip(0), torch.roll(a, 1, 0)
some, others = a[[0, 1]], a[a > 0]
chosen, gathered = a.index_select(0, torch.tensor([0])), torch.gather(a, 1, torch.zeros(2, 3, dtype=torch.long))
blocks, pairs = torch.block_diag(a, a), torch.cartesian_prod(torch.arange(3), torch.arange(2))
flat, exact = a.T.flatten(), a.double()
lower, filled = a.tril(), a.masked_fill(a > 0, 0.0)
""",
    "a class with a name of the page's": """class Limit(Exception):
    pass
class NotHere(Limit):
    pass
try:
    raise NotHere("caught")
except Limit as error:
    print(error)
raise Limit("not caught")
""",
    "functions of the package, which have lines of their own": """import torch
import attn
B, L, E, H = 2, 5, 12, 3
x = torch.randn(B, L, E)
q = attn.split_heads(x, H)
y = attn.merge_heads(q)
""",
    "a loop with the name of a size": """import torch
b, n_heads, seq_len, dim_head = 2, 3, 5, 4
q = torch.randn(b, n_heads, seq_len, dim_head)
for h in range(1, 2):
    pair = q[:, :h + 1]
""",
    "a class without its sizes": """import torch
class Attn(torch.nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
Attn()(torch.randn(2, 5, 12))
""",
    "a function without an argument": """import torch
def scores(q, *, scale):
    return q * scale
scores(torch.randn(2, 3))
""",
    "a module that is not imported": "import torch\nx = torch.randn(2, 3) / math.sqrt(3)\n",
    "a module under another name": "import torch\nx = F.softmax(torch.randn(2, 3), -1)\n",
    "a class that nothing calls": "from torch import nn\nn_heads = 3\nclass Attn(nn.Module):\n    pass\n",
    "a word that is missing": "import torch\nx = torch.randn(2, 3)\ny = z + x\n",
    "a bracket that is missing": "import torch\nx = torch.randn(2, 3\ny = x\n",
}
SOURCES = sources_of([("attn", "split_heads"), ("attn", "merge_heads")])
WORDS = {"merged": MERGED, "methods": METHODS, "aliases": NAMES}


@pytest.fixture(scope="module")
def pages():
    script = f"""import './src/attn/labs/code/more.js';
      import {{ analyse }} from './src/attn/labs/code/analyse.js';
      const words = {json.dumps(WORDS)};
      const sources = {json.dumps(SOURCES)};
      const said = {json.dumps(list(PROGRAMS.values()))}.map((code) => analyse(code, words, sources).analysis);
      console.log(JSON.stringify(said))"""
    run = node("--input-type=module", "-", stdin=script)
    assert run.returncode == 0, run.stderr
    return dict(zip(PROGRAMS, json.loads(run.stdout), strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_page_and_kernel_say_the_same_of_each_line(pages, name):
    kernel, _ = analyse(PROGRAMS[name])
    page = pages[name]
    assert page["sizes"] == kernel["sizes"]
    mine, theirs = by_line(kernel), by_line(page)
    assert theirs == mine
    assert page["printed"] == kernel["printed"]
    assert described(page["failure"]) == described(kernel["failure"])
    assert page["hint"] == kernel["hint"]


def by_line(analysis):
    lines = {}
    for line in analysis["lines"]:
        rows = [{name: plain(row[name]) for name in row if name not in ("id", "op")} for row in line["rows"]]
        if rows or line["values"] or line["printed"]:
            lines[line["line"]] = (rows, sorted(line["values"]), line["printed"])
    return lines


def plain(value):
    return list(value) if isinstance(value, tuple) else value


def described(failure):
    return failure and {name: failure[name] for name in ("kind", "type", "message", "line", "lines", "means", "fix")}


@pytest.mark.parametrize(
    "code",
    [
        "n = 0\nwhile True:\n    n += 1\n",
        "n = 0\nwhile True:\n    try:\n        n += 1\n    except Exception:\n        pass\n",
    ],
)
def test_a_program_that_does_not_end_is_ended(monkeypatch, code):
    monkeypatch.setattr("attn.labs.code.run._SECONDS", 0.5)
    result, variables = analyse(code)
    assert result["failure"]["kind"] == "limit" and "does a loop never end?" in result["failure"]["message"]
    assert variables["n"] > 0


def test_a_program_that_leaves_python_does_not_end_the_kernel():
    failure = analyse("import sys\nsys.exit(3)\n")[0]["failure"]
    assert (failure["type"], failure["message"], failure["line"]) == ("SystemExit", "3", 2)
