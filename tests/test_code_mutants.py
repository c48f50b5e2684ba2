"""Plant one bug at a time in a copy of the page's Python and torch: the snippet named beside it must no longer agree with torch."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from codelab import LABS, run_in_page, run_in_torch, snippets
from differences import differences

ORDER = "export function resultStrides(shape, operands) {"
ROOT = "1 / Math.sqrt(query.shape[query.ndim - 1])"
CAUSAL = "n % S > Math.floor(n / S) % L"
REMAINDER = "return rest < 0 === b < 0 ? rest : rest + b;"
TOLD = "const rest = { line: lines[0]"

# For each bug: the module, the code there, the bug in its place, and the snippet that must notice.
BUGS = {
    "results always in order": (
        "torch/iterator.js",
        ORDER,
        f"{ORDER}\n  if (shape) return contiguousStrides(shape);",
        "clone-of-transposed",
    ),
    "reshape always copies": ("torch/views.js", "if (strides) return viewOf(x, shape, strides);", "", "reshape-view-when-possible"),
    "expand walks through memory": (
        "torch/views.js",
        "size !== wanted ? 0 :",
        "size !== wanted ? 1 :",
        "expand-shares-repeat-copies",
    ),
    "no root in attention": ("torch/attention.js", ROOT, ROOT.replace("Math.sqrt", ""), "sdpa-shapes"),
    "causal from the last key": ("torch/attention.js", CAUSAL, f"{CAUSAL} + S - L", "is-causal-with-cache"),
    "tril without its diagonal": (
        "torch/joining.js",
        "lower ? distance <= diagonal",
        "lower ? distance < diagonal",
        "tril-boolean",
    ),
    "a and b swapped in a message": ("torch/iterator.js", "(${a}) must match", "(${b}) must match", "grouped-heads-not-repeated"),
    "half precision never overflows": ("torch/dtype.js", "rounding(10, -14, 65520)", "rounding(10, -14, 1e9)", "half-overflow"),
    "a parameter is multiplied in batches": ("torch/products.js", "if (smaller.requiresGrad) return true;", "", "linear-on-heads"),
    "remainder with the sign of the dividend": ("python/arithmetic.js", REMAINDER, "return rest;", "loops-with-break-and-else"),
    "an error told at its call": (
        "python/run.js",
        TOLD,
        TOLD.replace("lines[0]", "lines[lines.length - 1]"),
        "stop-at-second-call",
    ),
    "print forgets its separator": ("python/builtins.js", '.join(sep ?? " ")', '.join(" ")', "print-sep-end"),
    "nonlocal makes a local name": ("python/names.js", "[...globals, ...nonlocals]", "[...globals]", "closures-and-nonlocal"),
}


def plant(name: str, folder: Path) -> Path:
    labs = folder / "labs"
    for room in ("python", "torch"):
        shutil.copytree(LABS / "kit" / room, labs / "kit" / room)
    module, right, wrong, _ = BUGS[name]
    file = labs / "kit" / module
    code = file.read_text()
    assert code.count(right) == 1, f"{name}: the code to replace occurs {code.count(right)} times in {module}"
    file.write_text(code.replace(right, wrong))
    return labs


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """For each bug, where the snippet beside it differs from torch."""
    codes = {one.name: one.code for one in snippets("*.*")}
    guards = list(dict.fromkeys(guard for *_, guard in BUGS.values()))
    by_torch = {guard: run_in_torch(codes[guard]) for guard in guards}

    def differing(labs: Path, *names: str) -> list[str]:
        pages = run_in_page([codes[name] for name in names], labs)
        return [sentence for name, page in zip(names, pages, strict=True) for sentence in differences(by_torch[name], page)]

    assert differing(LABS, *guards) == []
    with ThreadPoolExecutor(2) as pool:
        runs = {bug: pool.submit(differing, plant(bug, tmp_path_factory.mktemp("bug")), BUGS[bug][-1]) for bug in BUGS}
        return {bug: run.result() for bug, run in runs.items()}


@pytest.mark.parametrize("name", BUGS)
def test_the_snippet_notices(name, outcomes):
    assert outcomes[name]
    assert "crash" not in outcomes[name][0], "the bug must change what is computed, not break the page"
    assert "PageError" not in outcomes[name][0], "the bug must change what is computed, not break the page"
