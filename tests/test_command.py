"""`python -m attn trace` and `python -m attn check`: what they print, their exit codes, and their errors."""

import json
import os
import runpy
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from attn.check.command import main

RIGHT = '''"""A file of a reader."""
import math

import torch
from torch import nn

print("noise")


class Attention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.qkv, self.out = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)

    def forward(self, x):
        B, L, E = x.shape
        q, k, v = self.qkv(x).view(B, L, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        scores = q / math.sqrt(q.shape[-1]) @ k.transpose(-2, -1)
        out = scores.softmax(-1) @ v
        return self.out(out.transpose(1, 2).reshape(B, L, E))


class Configured(Attention):
    def __init__(self, config):
        super().__init__(config["width"], config["heads"])


def heads(q, k, v):
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) @ v


def anything(*given, **named):
    return given[0]


number = 3
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    Path("own_file.py").write_text(RIGHT)
    Path("wrong_file.py").write_text(RIGHT.replace("scores.softmax(-1)", "scores.softmax(-2)"))
    yield tmp_path
    for name in ("own_file", "wrong_file"):
        sys.modules.pop(name, None)


def test_check_passes_right_code_with_exit_code_0(folder, capsys):
    assert main(["check", "own_file.py:Attention"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("✓ Passed.") and printed.err == "noise\n"
    assert main(["check", "own_file.py:heads"]) == 0
    assert main(["check", "own_file.py:Configured", "--make", "Configured({'width': 20, 'heads': 5})"]) == 0


def test_check_names_the_mistake_with_exit_code_1_and_in_json(folder, capsys):
    assert main(["check", "wrong_file.py:Attention", "--E", "12", "--H", "3"]) == 1
    assert "softmax runs over the queries" in capsys.readouterr().out
    assert main(["check", "wrong_file.py:Attention", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["passed"], said["mistake"]) == (False, "softmax over the queries")
    assert said["line"] == "line 20: out = scores.softmax(-2) @ v" and said["fix"] == "weights = scores.softmax(-1)"


def test_trace_prints_every_operation_with_its_axes(folder, capsys):
    assert main(["trace", "own_file.py:Attention", "--B", "2", "--L", "5", "--E", "12", "--H", "3"]) == 0
    out = capsys.readouterr().out
    assert "(B, H, L, D)" in out and "(2, 3, 5, 4)" in out and "scores" in out
    assert main(["trace", "own_file.py:heads", "--S", "7", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert ["B", "H", "L", "S"] in [row["axes"] for row in rows] and {row["op"] for row in rows} >= {"matmul", "softmax"}
    assert main(["trace", "own_file.py:Attention", "--columns", "op", "shape"]) == 0
    assert "strides" not in capsys.readouterr().out


DEFAULTS = """
import torch
import torch.nn.functional as F
from torch import nn


class Grouped(nn.Module):
    def __init__(self, dim=40, n_heads=4, n_kv_heads=2):
        super().__init__()
        self.n_heads, self.n_kv_heads, self.D = n_heads, n_kv_heads, dim // n_heads
        self.wq, self.wo = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.wk, self.wv = (nn.Linear(dim, n_kv_heads * self.D) for _ in range(2))

    def forward(self, x):
        q, k, v = (W(x).unflatten(-1, (-1, self.D)).transpose(1, 2) for W in (self.wq, self.wk, self.wv))
        return self.wo(F.scaled_dot_product_attention(q, k, v, enable_gqa=True).transpose(1, 2).flatten(2))


class Head(nn.Module):
    def __init__(self, n_embd, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(n_embd, head_size) for _ in "qkv")

    def forward(self, x):
        return F.scaled_dot_product_attention(self.query(x), self.key(x), self.value(x))


class Heads(nn.Module):
    def __init__(self, num_heads=4, head_size=6, n_embd=24):
        super().__init__()
        self.heads = nn.ModuleList([Head(n_embd, head_size) for _ in range(num_heads)])
        self.proj = nn.Linear(24, n_embd)

    def forward(self, x):
        return self.proj(torch.cat([head(x) for head in self.heads], -1))


made = Grouped(20, 5, 5)
"""


@pytest.mark.parametrize(
    "name,letters,shapes",
    [
        ("Grouped", [["B", "H", "L", "D"], ["B", "G", "L", "D"]], [[3, 4, 5, 10], [3, 2, 5, 10]]),
        ("Heads", [["B", "L", "D"], ["B", "L", "E"]], [[2, 5, 6], [2, 5, 24]]),
        ("made", [["B", "H", "L", "D"]], [[2, 5, 7, 4]]),
    ],
)
def test_trace_finds_the_sizes_of_a_module_as_check_does(folder, capsys, name, letters, shapes):
    Path("own_file.py").write_text(DEFAULTS)
    assert main(["trace", f"own_file.py:{name}", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    for axes, shape in zip(letters, shapes, strict=True):
        assert axes in [row["axes"] for row in rows] and shape in [row["shape"] for row in rows]
    assert main(["check", f"own_file.py:{name}"]) == 0
    assert main(["trace", "own_file.py:Grouped", "--E", "42", "--H", "6"]) == 0  # what is said goes before what is found
    assert "(3, 6, 5, 7)" in capsys.readouterr().out


def test_trace_of_code_that_raises_shows_what_ran_before_and_exits_with_1(folder, capsys):
    Path("own_file.py").write_text(RIGHT.replace("k.transpose(-2, -1)", "k"))
    assert main(["trace", "own_file.py:Attention"]) == 1
    out = capsys.readouterr().out
    assert "view" in out and out.count("Expected size for first two dimensions") == 1
    assert out.endswith(
        "The code raised RuntimeError: see above. Do the sizes fit? Give those of the code: --B --L --S --E --H --G.\n"
    )


def test_trace_asks_for_sizes_only_if_the_error_is_about_sizes(folder, capsys):
    Path("own_file.py").write_text(RIGHT.replace("reshape(B, L, E)", "view(B, L, E)"))
    assert main(["trace", "own_file.py:Attention"]) == 1
    assert "Use .reshape(...) instead" in (out := capsys.readouterr().out) and "Do the sizes fit" not in out


def test_code_that_ends_the_program_is_wrong_and_not_in_silence(folder, capsys):
    Path("own_file.py").write_text(RIGHT.replace("B, L, E = x.shape", "raise SystemExit(0)"))
    assert main(["check", "own_file.py:Attention"]) == 1
    assert "✗ Not yet. For x (2, 5, 12), your code raised SystemExit: 0 (line 17: raise SystemExit(0))" in capsys.readouterr().out
    assert main(["check", "own_file.py:Attention", "--json"]) == 1
    assert "SystemExit" in json.loads(capsys.readouterr().out)["message"]
    assert main(["trace", "own_file.py:Attention"]) == 1
    assert capsys.readouterr().out.endswith("The code raised SystemExit: 0\n")
    Path("own_file.py").write_text(RIGHT.replace("self.num_heads = num_heads", "raise SystemExit(0)"))
    for command in (["own_file.py:Attention"], ["own_file.py:Attention", "--make", "exit(5)"]):
        assert main(["check", *command]) == 2
        assert "raised SystemExit" in capsys.readouterr().err


def test_code_without_gradients_and_calls_that_return_no_tensor_are_wrong_without_a_traceback(folder, capsys):
    through_numpy = RIGHT.replace("def heads(q, k, v):", "def heads(q, k, v):\n    q = torch.from_numpy(q.numpy())")
    Path("own_file.py").write_text(through_numpy)
    assert main(["check", "own_file.py:heads", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)["message"]
    assert "that needs a gradient, your code raised RuntimeError: Can't call numpy()" in said and "No gradient flows" in said
    for line, message in (
        ("yield x", "returned a generator, which runs nothing: write return in place of yield."),
        ("pass", "returned None, not a tensor. Is the return statement missing?"),
        ("return 'y'", "returned a str, not a tensor."),
    ):
        Path("own_file.py").write_text(f"def layer(x):\n    {line}\n")
        assert main(["trace", "own_file.py:layer"]) == 1
        assert capsys.readouterr().out.endswith(f"The code {message}\n")


GROUPED = """
import torch
from torch import nn
import torch.nn.functional as F
import attn


class Grouped(nn.Module):
    def __init__(self, dim, n_heads, n_kv_heads):
        super().__init__()
        self.n_heads, self.n_kv_heads, self.D = n_heads, n_kv_heads, dim // n_heads
        self.q_proj = nn.Linear(dim, dim)
        self.k_proj, self.v_proj = (nn.Linear(dim, n_kv_heads * self.D) for _ in range(2))
        self.o_proj = nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = (p(x).unflatten(-1, (-1, self.D)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = (attn.rotary(one, torch.arange(x.shape[1])) for one in (q, k))
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.o_proj(heads.transpose(1, 2).flatten(2))


def tutorial(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1) @ v


class Bare(nn.Module):
    def __init__(self):
        pass
"""


def test_what_a_message_asks_for_is_an_option_of_the_command(folder, capsys):
    Path("own_file.py").write_text(GROUPED)
    assert main(["check", "own_file.py:Grouped"]) == 2
    assert "Grouped needs n_kv_heads: say how many key/value heads there are, --G 1" in capsys.readouterr().err
    assert main(["check", "own_file.py:Grouped", "--G", "1"]) == 1
    assert "Right: the option --rotary halves, if that is meant" in capsys.readouterr().out
    assert main(["check", "own_file.py:Grouped", "--G", "1", "--rotary"]) == 0
    Path("own_file.py").write_text(GROUPED.replace("x.shape[1]))", "x.shape[1]), 500000.0)"))
    assert main(["check", "own_file.py:Grouped", "--G", "1", "--E", "24"]) == 1
    assert "Right: the options --rotary halves --base 500000, if that is meant" in capsys.readouterr().out
    assert main(["check", "own_file.py:Grouped", "--G", "1", "--E", "24", "--rotary", "halves", "--base", "500000"]) == 0
    assert main(["check", "own_file.py:Grouped", "--G", "1", "--base", "500000"]) == 2
    assert "--base says how fast --rotary halves or --rotary neighbours turns" in capsys.readouterr().err
    assert main(["check", "own_file.py:tutorial"]) == 1
    assert "If no query is ever without a key, say --no-empty-rows." in capsys.readouterr().out
    assert main(["check", "own_file.py:tutorial", "--no-empty-rows"]) == 0
    for command in ("check", "trace"):
        assert main([command, "own_file.py:Bare"]) == 2
        assert "its __init__ must call super().__init__() first" in capsys.readouterr().err


FLAGGED = """
import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model, n_heads, FLAG):
        super().__init__()
        self.n_heads, self.NAME = n_heads, NAME
        self.qkv, self.out = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)

    def forward(self, x):
        B, L, E = x.shape
        q, k, v = self.qkv(x).view(B, L, 3, self.n_heads, -1).permute(2, 0, 3, 1, 4)
        scores = q / math.sqrt(q.shape[-1]) @ k.transpose(-2, -1)
        if self.NAME:
            scores = scores.masked_fill(torch.ones(L, L, dtype=torch.bool).triu(1), -1e9)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, L, E))
"""


def flagged(flag, old="", new=""):
    name = flag.partition("=")[0].partition(":")[0]
    Path("own_file.py").write_text(FLAGGED.replace("FLAG", flag).replace("NAME", name).replace(old, new))
    return name


def checked(capsys, *arguments):
    """The exit code, and what is said."""
    code = main(["check", "own_file.py:Attention", *arguments])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


@pytest.mark.parametrize("flag", ["causal=False", "is_causal: bool", "use_causal_mask: bool = False", "isCausal=False"])
def test_a_switch_of_the_constructor_is_set_by_causal_and_named_where_it_is_not(folder, capsys, flag):
    name = flagged(flag)
    command = f"--make 'Attention(d_model=20, n_heads=5, {name}=True)' --causal"
    code, said = checked(capsys, "--E", "20", "--H", "5")
    assert code == 0 and f"the constructor takes {name}, which is False here; with True: {command})" in said
    code, said = checked(capsys, "--causal")
    assert code == 0 and "causal always" in said
    assert f"without causal (the constructor takes {name}, which is True here; with False: --make" in said
    assert "--no-causal)" in said and checked(capsys, "--no-causal")[0] == 0
    code, said = checked(capsys, "--make", f"Attention(20, 5, {name}=False)", "--causal")
    assert (
        code == 1
        and f"later tokens change earlier rows, but --causal says that it is always causal. The constructor takes {name}" in said
    )
    assert said.rstrip().endswith(command) and "mask ignored" not in said and "other sizes" not in said
    assert checked(capsys, *shlex.split(command))[0] == 0


@pytest.mark.parametrize(
    "old,new,mistake", [("triu(1)", "triu()", "cannot see its own position"), ("-1e9", "0.0", "instead of -inf")]
)
def test_the_printed_command_finds_a_broken_causal_path(folder, capsys, old, new, mistake):
    flagged("causal=False", old, new)
    code, said = checked(capsys)
    assert code == 0
    code, said = checked(capsys, *shlex.split(said.partition("with True: ")[2].partition("), dropout")[0]))
    assert code == 1 and mistake in said


@pytest.mark.parametrize("flag", ["masked=False", "use_mask: bool = False", "is_decoder=False"])
def test_a_switch_that_may_be_something_else_is_named_and_not_set(folder, capsys, flag):
    name = flagged(flag)
    code, said = checked(capsys, "--causal", "--json")
    said = json.loads(said)
    command = f"--make 'Attention(d_model=12, n_heads=3, {name}=True)' --causal"
    assert (
        code == 1
        and f"The constructor takes {name}, perhaps for this, which is False here; with True: {command}" in said["message"]
    )
    assert said["fix"] == command and said["mistake"] == "causal ignored"
    assert checked(capsys, *shlex.split(command))[0] == 0
    code, said = checked(capsys, "--json")
    assert code == 0 and any(command in what for what in json.loads(said)["unchecked"])


def test_a_switch_that_has_no_effect_is_said_and_with_causal_is_a_mistake(folder, capsys):
    flagged("causal=True", "if self.causal:", "if False:")
    code, said = checked(capsys)
    assert (
        code == 0
        and "causal is True in the constructor, yet later tokens change earlier rows; if that is wrong, say --causal" in said
    )
    code, said = checked(capsys, "--causal")
    assert code == 1 and "the causal mask has no effect" in said
    assert "If it is not meant to be always causal, leave --causal out." in said and "mask ignored" not in said


def test_an_object_that_is_causal_against_what_is_said_gets_the_way_out(folder, capsys):
    flagged("causal=False")
    code, said = checked(capsys, "--make", "Attention(12, 3, True)", "--no-causal")
    assert code == 1 and said.rstrip().endswith(
        "The constructor takes causal, which is True here; with False: "
        "--make 'Attention(d_model=12, n_heads=3, causal=False)' --no-causal"
    )


@pytest.mark.parametrize("flag", ["padding_mask=False", "no_mask=False", "mask=None", "mask", "causal_mask", "scale=True"])
def test_parameters_that_switch_nothing_causal_are_not_named(folder, capsys, flag):
    name = flagged(flag, "if self.NAME:".replace("NAME", flag.partition("=")[0]), "if False:")
    code, said = checked(capsys, "--make", f"Attention(12, 3, {name}=False)")
    assert code == 0 and "causal (the call takes no such argument)" in said


def test_where_the_call_takes_causal_the_switch_is_not_set(folder, capsys):
    flagged("causal=False", "def forward(self, x)", "def forward(self, x, causal=False)")
    text = Path("own_file.py").read_text().replace("if self.causal:", "if causal and not self.causal:")
    Path("own_file.py").write_text(text)
    for arguments in ((), ("--causal",)):
        code, said = checked(capsys, *arguments)
        assert code == 0 and "causal argument causal" in said and "--make" not in said


@pytest.mark.parametrize(
    "arguments,message",
    [
        ("check own_file.py:heads --S 1", "S is 1; give 3 or more"),
        ("check own_file.py:Attention --L 1", "L is 1; give 3 or more"),
        ("check own_file.py", "write FILE:NAME, such as model.py:Attention"),
        ("check nowhere.py:Attention", "there is no file nowhere.py. There are own_file.py, wrong_file.py."),
        ("check own_file.py:Attentio", "own_file.py has no Attentio. It has Attention, Configured, heads, anything."),
        ("check own_file.py:number", "number is of type int; give a class, a module or a function"),
        ("check own_file.py:Configured", "which no option sets. Say how to make it: --make 'Configured(config=...)'"),
        ("check own_file.py:Attention --make Attention(1)", "--make Attention(1) raised TypeError"),
        ("check own_file.py:Attention --weights q", "write role=name"),
        ("check own_file.py:anything", "the call takes (*given, **named); attention takes (x), (x, context) or (q, k, v)"),
        ("check own_file.py:Attention --layout BHLD", "layout is 'BHLD'; for this call it is one of BLE, LBE"),
        ("trace own_file.py:Attention --E 12 --H 5", "--E 12 is not a multiple of --H 5"),
        ("trace own_file.py:Attention --columns size", "no column is called size"),
    ],
)
def test_a_command_that_does_not_fit_exits_with_2_and_says_what_does(folder, capsys, arguments, message):
    assert main(arguments.split()) == 2
    printed = capsys.readouterr()
    assert message in printed.err and printed.out == ""


def test_files_that_cannot_be_imported_are_reported_with_their_line(folder, capsys):
    for text, message in (
        ("def f(:\n", "own_file.py, line 1: invalid syntax"),
        ("import torch\n1 / 0\n", "own_file.py, line 2, raised ZeroDivisionError when it was imported"),
        ("raise SystemExit(3)\n", "raised SystemExit"),
    ):
        Path("own_file.py").write_text(text)
        assert main(["check", "own_file.py:Attention"]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("size", ["0", "-1", "two"])
def test_a_size_is_a_whole_number_above_0(folder, capsys, size):
    with pytest.raises(SystemExit, match="2"):
        main(["check", "own_file.py:Attention", f"--E={size}"])
    assert "a size is a whole number above 0" in capsys.readouterr().err


def test_the_command_runs_as_a_module(folder, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["attn", "check", "wrong_file.py:Attention", "--json"])
    changed = getattr(signal, "SIGPIPE", signal.SIGINT)  # what the command sets for its whole process, where there is one
    before = signal.getsignal(changed)
    try:
        with pytest.raises(SystemExit) as ended:
            runpy.run_module("attn", run_name="__main__")
    finally:
        signal.signal(changed, before)
    assert ended.value.code == 1
    assert json.loads(capsys.readouterr().out)["mistake"] == "softmax over the queries"


@pytest.mark.skipif(os.name != "posix", reason="pipes of other systems do not end a process")
def test_a_reader_that_stops_reading_gets_no_error(folder):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1] / "src")}
    command = [sys.executable, "-m", "attn", "trace", "own_file.py:Attention", "--json"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        run.stdout.close()
        assert run.stderr.read() == "noise\n"
    assert run.returncode == -signal.SIGPIPE
