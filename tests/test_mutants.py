"""Plant one classic bug at a time in a copy of the package: the test named above it must notice.

Most of these bugs do not change any shape, so an assertion on the output shape alone would catch hardly any.
"""

import compileall
import shutil
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from guards import fresh_processes, run_tests

ROOT = Path(__file__).parents[1]

SPLIT = "x.reshape(B, L, H, E // H).transpose(1, 2)"
PACKED = "packed.view(B, L, H + 2 * G, self.D).transpose(1, 2)"
MERGE = "x.transpose(1, 2).flatten(2)"
SCORES = "(q.reshape(B, G, -1, D) @ k.transpose(-2, -1))"
SCALE = "(1 / math.sqrt(D) if scale is None else scale)"
SOFTMAX = "weights = masked.softmax(-1)\n"
EMPTY = "weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)"
FAST = "q, k, v, mask, dropout, causal, scale=scale, enable_gqa=G != H"
HALF = "q32, k32, v32, mask, scale=scale, enable_gqa=G != H"
HEADS = "heads = attention_unchecked(q, k, v, mask, causal=causal, dropout=dropout)"
OUT = "return self.W_O(merge_heads(heads))"
SIZES = "self.E, self.H, self.G, self.D, self.Dv = E, H, G, "

# The test that must fail, and for each bug: the module, the code there, the bug in its place.
BUGS = {
    "test_shapes.py::test_head_h_holds_channels_h_times_d_onwards_of_every_token": {
        "split by view only": ("shapes", SPLIT, "x.reshape(B, H, L, E // H)"),
        "interleaved split": ("shapes", SPLIT, "x.reshape(B, L, E // H, H).permute(0, 3, 1, 2)"),
    },
    "test_shapes.py::test_merging_undoes_splitting_without_a_copy": {
        "merge without the transpose": ("shapes", MERGE, "x.reshape(x.shape[0], x.shape[2], -1)"),
    },
    "test_core.py::test_the_steps_equal_the_loops": {
        ".T on four axes": ("steps", SCORES, "(q.reshape(B, G, -1, D) @ k.permute(3, 2, 1, 0))"),
        "K reshaped instead of transposed": ("steps", SCORES, "(q.reshape(B, G, -1, D) @ k.reshape(B, G, D, S))"),
        "no scale": ("steps", SCALE, "1"),
        "scale by the root of E": ("steps", SCALE, "(1 / math.sqrt(H * D) if scale is None else scale)"),
        "scale by the root of Dv": ("steps", SCALE, "(1 / math.sqrt(Dv) if scale is None else scale)"),
        "scale by D": ("steps", SCALE, "(1 / D if scale is None else scale)"),
        "inverted mask": ("steps", "scaled.masked_fill(~mask, -math.inf)", "scaled.masked_fill(mask, -math.inf)"),
        "mask after softmax": ("steps", SOFTMAX, "weights = scaled.softmax(-1) * (1 if mask is None else mask)\n"),
        "softmax over queries": ("steps", SOFTMAX, "weights = masked.softmax(-2)\n"),
        "softmax over heads": ("steps", SOFTMAX, "weights = masked.softmax(1)\n"),
        "grouped heads tiled": ("steps", f"{SCORES}.view(B, H, L, S)", "q @ k.repeat(1, H // G, 1, 1).transpose(-2, -1)"),
        "an empty mask row not zeroed": ("steps", EMPTY, "pass"),
    },
    "test_core.py::test_the_fast_path_equals_the_loops": {
        "no scale, fast path": ("core", FAST, FAST.replace("scale=scale", "scale=scale or 1.0")),
        "scale by the root of Dv, fast path": (
            "core",
            FAST,
            FAST.replace("scale=scale", "scale=v.shape[-1] ** -0.5 if scale is None else scale"),
        ),
        "inverted mask, fast path": ("core", FAST, FAST.replace("mask,", "None if mask is None else ~mask,")),
        "grouped heads tiled, fast path": (
            "core",
            FAST,
            "q, k.repeat(1, H // G, 1, 1), v.repeat(1, H // G, 1, 1), mask, dropout, causal, scale=scale",
        ),
    },
    "test_core.py::test_causal_aligns_the_last_query_with_the_last_key": {
        "top-left causal mask": ("masks", "torch.arange(S - L, S, device=device)", "torch.arange(L, device=device)"),
        "top-left causal mask, fast path": (
            "core",
            "elif causal and (mask is not None or L != S)",
            "elif causal and mask is not None",
        ),
        "top-left causal mask, one query": ("core", "causal = False  # the newest query sees every key", "pass"),
    },
    "test_core.py::test_a_given_scale_replaces_one_over_the_square_root_of_d": {
        "scale 0 read as no scale": ("steps", SCALE, "(scale or 1 / math.sqrt(D))"),
        "scale 0 read as no scale, fast path": ("core", FAST, FAST.replace("scale=scale", "scale=scale or None")),
    },
    "test_core.py::test_a_single_half_precision_query_takes_the_scale_and_the_mask_too": {
        "scale ignored, one half-precision query": ("core", HALF, HALF.replace("scale=scale, ", "")),
        "scale 0 read as no scale, one half-precision query": ("core", HALF, HALF.replace("scale=scale", "scale=scale or None")),
        "mask ignored, one half-precision query": ("core", HALF, HALF.replace("mask, ", "")),
    },
    "test_layer.py::test_forward_and_steps_equal_the_loops": {
        "packed heads split by view only": ("layer", PACKED, "packed.view(B, H + 2 * G, L, self.D)"),
        "weight not transposed": ("layer", OUT, "return merge_heads(heads) @ self.W_O.weight + (self.W_O.bias or 0)"),
        "projection weight not transposed": ("steps", "F.linear(x, W_Q, b_Q)", "F.linear(x, W_Q.T, b_Q)"),
        "no W_O": ("layer", OUT, "return merge_heads(heads)"),
        "batch and length swapped": (
            "layer",
            HEADS,
            "heads = attention_unchecked(*(t.transpose(0, 2) for t in (q, k, v)), mask, causal=causal).transpose(0, 2)",
        ),
        "scale by the root of E / H": ("layer", HEADS, HEADS.replace("dropout=", "scale=(self.H / self.E) ** 0.5, dropout=")),
        "values as wide as keys": ("layer", "self._rows = H * D, G * D, G * Dv", "self._rows = H * D, G * D, G * D"),
        "W_V with as many rows as W_K": ("layer", "weight[-self._rows[2] :]", "weight[-self._rows[1] :]"),
        "W_K from the row E": ("layer", "weight[self._rows[0] : -self._rows[2]]", "weight[self.E : -self._rows[2]]"),
        "W_Q up to the row E": ("layer", "weight[: self._rows[0]]", "weight[: self.E]"),
        "keys and values of a context swapped": ("layer", "k, v = F.linear(context", "v, k = F.linear(context"),
    },
    "test_layer.py::test_the_packed_matrix_is_w_q_then_w_k_then_w_v_and_shares_its_memory": {
        "D and Dv swapped": ("layer", f"{SIZES}D, Dv", f"{SIZES}Dv, D"),
    },
    "test_layer.py::test_dropout_acts_in_training_only": {
        "dropout always on": ("layer", "self.dropout if self.training else 0.0", "self.dropout"),
    },
    "test_cache.py::test_append_returns_everything_appended_in_order": {
        "cached values as wide as keys": ("cache", "torch.empty((B, G, S_max, Dv)", "torch.empty((B, G, S_max, D)"),
        "cached keys returned as values": ("cache", "values.narrow(2, 0, end)", "keys.narrow(2, 0, end)"),
    },
}
GUARD_OF = {name: guard for guard, bugs in BUGS.items() for name in bugs}


def copy_of_the_package(folder: Path) -> Path:
    """What the guards import, compiled, so that not every copy of it must be."""
    ignored = shutil.ignore_patterns("__pycache__", "labs", "plots")
    shutil.copytree(ROOT / "src" / "attn", folder / "attn", ignore=ignored)
    assert compileall.compile_dir(folder, quiet=2)
    return folder


def plant(name: str, source: Path) -> None:
    module, right, wrong = BUGS[GUARD_OF[name]][name]
    file = source / "attn" / f"{module}.py"
    code = file.read_text()
    assert code.count(right) == 1, f"{name}: the code to replace occurs {code.count(right)} times in {module}.py"
    file.write_text(code.replace(right, wrong))
    Path(cache_from_source(str(file))).unlink()


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """The exit code and output of pytest: for each bug those of the test that must notice it, for the right code those of all."""
    folder = tmp_path_factory.mktemp("mutants").resolve()
    with fresh_processes() as pool:
        right = copy_of_the_package(folder / "nothing")
        runs = {"nothing": pool.submit(run_tests, right, *BUGS)}
        for number, (name, guard) in enumerate(GUARD_OF.items()):
            source = shutil.copytree(right, folder / str(number))
            plant(name, source)
            runs[name] = pool.submit(run_tests, source, guard)
        return {name: run.result() for name, run in runs.items()}


@pytest.mark.parametrize("name", GUARD_OF)
def test_the_tests_notice(name, outcomes):
    code, printed = outcomes[name]
    assert code == pytest.ExitCode.TESTS_FAILED, f"planted {name!r}: {printed[-3000:]}"


def test_the_guards_pass_without_a_bug(outcomes):
    code, printed = outcomes["nothing"]
    assert code == pytest.ExitCode.OK, printed[-3000:]
