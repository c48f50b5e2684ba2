"""Plant one classic bug at a time in a copy of the package: the other tests must notice each of them.

Most of these leave every shape as it was. An assertion on the output shape alone would catch hardly any.
"""

import shutil
from pathlib import Path

import pytest
from guards import fresh_processes, run_tests

ROOT = Path(__file__).parents[1]
GUARDS = ["tests/test_shapes.py", "tests/test_layer.py", "tests/test_core.py"]
# Slow to fail: hypothesis looks for the smallest failure, gradcheck runs the function hundreds of times.
SLOW = "not any_sizes and not finite_differences"

SPLIT = "x.reshape(B, L, H, E // H).transpose(1, 2)"
PACKED = "self.W_QKV(x).view(B, L, H + 2 * G, self.D).transpose(1, 2)"
MERGE = "x.transpose(1, 2).flatten(2)"
SCORES = "(q.reshape(B, G, -1, D) @ k.transpose(-2, -1))"
SCALE = "(1 / math.sqrt(D) if scale is None else scale)"
SOFTMAX = "weights = masked.softmax(-1)\n"
EMPTY = "weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)"
FAST = "q, k, v, attn_mask=mask, dropout_p=dropout, is_causal=is_causal, scale=scale, enable_gqa=G != H"
HEADS = "heads = attention(q, k, v, mask,"
OUT = "return self.W_O(merge_heads(heads))"

# name: (module, what stands there, the bug put in its place)
MUTANTS = {
    "nothing": ("shapes", SPLIT, SPLIT),
    "split by view only": ("shapes", SPLIT, "x.reshape(B, H, L, E // H)"),
    "packed heads split by view only": ("layer", PACKED, "self.W_QKV(x).view(B, H + 2 * G, L, self.D)"),
    "interleaved split": ("shapes", SPLIT, "x.reshape(B, L, E // H, H).permute(0, 3, 1, 2)"),
    ".T on four axes": ("steps", SCORES, "(q.reshape(B, G, -1, D) @ k.permute(3, 2, 1, 0))"),
    "K reshaped instead of transposed": ("steps", SCORES, "(q.reshape(B, G, -1, D) @ k.reshape(B, G, D, S))"),
    "no scale": ("steps", SCALE, "1"),
    "no scale, fast path": ("core", FAST, FAST.replace("scale=scale", "scale=scale or 1.0")),
    "scale by the root of E": ("steps", SCALE, "(1 / math.sqrt(H * D) if scale is None else scale)"),
    "scale by D": ("steps", SCALE, "(1 / D if scale is None else scale)"),
    "inverted mask": ("steps", "scaled.masked_fill(~mask, -math.inf)", "scaled.masked_fill(mask, -math.inf)"),
    "inverted mask, fast path": ("core", FAST, FAST.replace("mask=mask", "mask=None if mask is None else ~mask")),
    "top-left causal mask": ("masks", "torch.arange(S - L, S, device=device)", "torch.arange(L, device=device)"),
    "top-left causal, fast path": ("core", "and (mask is not None or L != S)", "and mask is not None"),
    "mask after softmax": ("steps", SOFTMAX, "weights = scaled.softmax(-1) * (1 if mask is None else mask)\n"),
    "softmax over queries": ("steps", SOFTMAX, "weights = masked.softmax(-2)\n"),
    "softmax over heads": ("steps", SOFTMAX, "weights = masked.softmax(1)\n"),
    "merge without the transpose": ("shapes", MERGE, "x.reshape(x.shape[0], x.shape[2], -1)"),
    "weight not transposed": ("layer", OUT, "return merge_heads(heads) @ self.W_O.weight + (self.W_O.bias or 0)"),
    "projection weight not transposed": ("steps", "F.linear(x, W_Q, b_Q)", "F.linear(x, W_Q.T, b_Q)"),
    "no W_O": ("layer", OUT, "return merge_heads(heads)"),
    "grouped heads tiled": (
        "core",
        FAST,
        "q, k.repeat(1, H // G, 1, 1), v.repeat(1, H // G, 1, 1), mask, dropout, is_causal, scale=scale",
    ),
    "grouped heads tiled, steps": (
        "steps",
        f"{SCORES}.view(B, H, L, S)",
        "q @ k.repeat(1, H // G, 1, 1).transpose(-2, -1)",
    ),
    "an empty mask row not zeroed": ("steps", EMPTY, "pass"),
    "batch and length swapped": (
        "layer",
        f"{HEADS} causal=causal, dropout=self.dropout if self.training else 0.0)",
        "heads = attention(*(t.transpose(0, 2) for t in (q, k, v)), mask, causal=causal).transpose(0, 2)",
    ),
    "dropout always on": ("layer", "self.dropout if self.training else 0.0", "self.dropout"),
}


def copied(name: str, folder: Path) -> Path:
    """A copy of the package and its tests, with this bug in it."""
    module, right, wrong = MUTANTS[name]
    copy = folder.resolve() / name.replace(" ", "-")
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests", copy / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "_toc.yml", copy)  # which the fixtures of the built book read
    source = copy / "src" / "attn" / f"{module}.py"
    code = source.read_text()
    assert code.count(right) == 1, f"{name}: the code to spoil stands {code.count(right)} times in {module}.py"
    source.write_text(code.replace(right, wrong))
    return copy


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """For each bug the exit code of the guards, those of the spoilt module first, and what they said."""
    folder = tmp_path_factory.mktemp("mutants")
    with fresh_processes() as pool:
        runs = {}
        for name, (module, _, _) in MUTANTS.items():
            first = f"tests/test_{'core' if module == 'steps' else module}.py"
            guards = sorted(GUARDS, key=lambda guard, first=first: guard != first)
            runs[name] = pool.submit(run_tests, copied(name, folder), "-k", SLOW, *guards)
        return {name: run.result() for name, run in runs.items()}


@pytest.mark.parametrize("name", [name for name in MUTANTS if name != "nothing"])
def test_the_tests_notice(name, outcomes):
    code, said = outcomes[name]
    assert code == pytest.ExitCode.TESTS_FAILED, f"planted {name!r}: {said[-3000:]}"


def test_the_guards_pass_without_a_bug(outcomes):
    code, said = outcomes["nothing"]
    assert code == pytest.ExitCode.OK, said[-3000:]
