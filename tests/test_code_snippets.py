"""The page runs code as Python and torch do: snippets and random lines give the same tensors, printed text and errors."""

import functools
import math
from copy import deepcopy
from typing import Any

import pytest
from codelab import Snippet, run_in_page, run_in_torch, snippets
from differences import differences, same_text
from one_liners import GIVEN, lines

# How many snippets of a set may differ: the unseen ones were written apart from the page's code, and joined after their first run.
SETS = {"[!u]*.*": 0.01, "unseen*.*": 0.1}
LINES = [Snippet(line, "line", GIVEN + line) for line in lines(1500, seed=1)]

# Programs that differ, and why. A program that agrees again must leave the list. What the page lacks it names, except for MISTAKES.
EXCEPTIONS = {
    "mask-generator-of-the-library": "nn.Transformer is not in the page",
    "enum-of-masks": "enum is not in the page",
    "match-statement": "match is not in the page",
    "named-intermediate-log": "a class that extends dict is not in the page",
    "cls-attention-map": "interpolate is not in the page",
}
MISTAKES = {"transformer-encoder-layer": "in training the page drops no attention weights, which torch does at random"}
LINE_EXCEPTIONS: dict[str, str] = {}


@functools.cache
def by_torch(pattern: str) -> dict[str, dict[str, Any]]:
    return {one.name: run_in_torch(one.code) for one in snippets(pattern)}


@functools.cache
def by_page() -> dict[str, dict[str, Any]]:
    """What the page makes of each snippet and each line, by its code."""
    programs = [one.code for one in (*snippets("*.*"), *LINES)]
    return dict(zip(programs, run_in_page(programs), strict=True))


def all_differences(programs: list[Snippet], by_torch: list[dict[str, Any]]) -> dict[str, list[str]]:
    pages = deepcopy([by_page()[one.code] for one in programs])  # the comparison changes what it compares
    found = {one.name: differences(mine, page) for one, mine, page in zip(programs, by_torch, pages, strict=True)}
    return {name: sentences for name, sentences in found.items() if sentences}


def told(found: dict[str, list[str]]) -> str:
    return "\n".join(f"{name}\n    " + "\n    ".join(sentences[:3]) for name, sentences in found.items())


def assert_only_exceptions(found: dict[str, list[str]], exceptions: dict[str, str]) -> None:
    assert not (new := {name: found[name] for name in found if name not in exceptions}), told(new)
    assert not (gone := exceptions.keys() - found), f"agree, and need no exception: {gone}"


@pytest.mark.parametrize("pattern", SETS)
def test_each_snippet_does_what_its_head_says(pattern):
    for one in snippets(pattern):
        error = by_torch(pattern)[one.name]["error"]
        assert (f"raises {error['type']}" if error else one.kind) == one.kind, one.name
        assert one.kind.startswith("raises") == bool(error), one.name


def test_the_snippets_are_many_and_of_all_kinds():
    kinds = [one.kind.split()[0].rstrip(":") for pattern in SETS for one in snippets(pattern)]
    assert kinds.count("right") >= 120 and kinds.count("wrong") >= 50 and kinds.count("raises") >= 80
    names = [one.name for pattern in SETS for one in snippets(pattern)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("pattern", SETS)
def test_a_snippet_gives_in_the_page_what_torch_gives(pattern, record_property):
    programs = list(snippets(pattern))
    found = all_differences(programs, [by_torch(pattern)[one.name] for one in programs])
    record_property(f"snippets {pattern} that agree with torch", f"{len(programs) - len(found)} of {len(programs)}")
    here = {one.name for one in programs}
    known = {name: why for name, why in {**EXCEPTIONS, **MISTAKES}.items() if name in here}
    assert_only_exceptions(found, known)
    assert len(known) <= SETS[pattern] * len(programs)
    unsaid = [name for name in known if name not in MISTAKES and "page NotHere" not in found[name][0]]
    assert not unsaid, f"differ, and the page does not say that it lacks something: {unsaid}"


def test_a_random_line_gives_in_the_page_what_torch_gives(record_property):
    results = [run_in_torch(one.code) for one in LINES]
    assert 0.6 < sum(result["error"] is not None for result in results) / len(LINES) < 0.73
    found = all_differences(LINES, results)
    assert len(LINE_EXCEPTIONS) <= len(LINES) / 100
    record_property("random lines that agree with torch", f"{len(LINES) - len(found)} of {len(LINES)}")
    assert_only_exceptions(found, LINE_EXCEPTIONS)


def test_a_program_that_runs_with_the_first_script_gives_what_both_scripts_give(record_property):
    """The second script has what few programs need. A program that needs it must ask for it, and go no other way without it."""
    programs = [one.code for one in (*snippets("*.*"), *LINES)]
    first, both = (run_in_page(programs, scripts=count) for count in (1, 2))
    assert both == [by_page()[code] for code in programs]
    run = [n for n, one in enumerate(first) if one is not None]
    record_property("programs that need the first script alone", f"{len(run)} of {len(programs)}")
    assert len(run) > len(programs) / 2
    assert not [programs[n] for n in run if first[n] != both[n]]


VIEW = "import torch\nx = torch.arange(6.).view(2, 3)\ny = x.t()\nz = [1, 2.5, 'a', (None, True)]\nprint(x / 3)\n"


@pytest.mark.parametrize(
    "what,new",
    [
        ("values", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0001]),
        ("values", [math.nan, 1.0, 2.0, 3.0, 4.0, 5.0]),
        ("shape", [3, 2]),
        ("strides", [1, 2]),
        ("offset", 1),
        ("contiguous", False),
        ("dtype", "float64"),
        ("storage", 7),
    ],
)
def test_a_changed_tensor_is_noticed(what, new):
    result, changed = run_in_torch(VIEW), run_in_torch(VIEW)
    assert differences(result, changed) == []
    changed["variables"]["x"][what] = new
    assert differences(result, changed)


def test_any_other_change_is_noticed():
    result = run_in_torch(VIEW)
    for place, new in [
        (("z", "items", 0, "value"), 2),
        (("z", "items", 1, "kind"), "int"),
        (("z", "items", 3, "kind"), "list"),
        (("w",), {}),
    ]:
        changed = deepcopy(result)
        parent = changed["variables"]
        for key in place[:-1]:
            parent = parent[key]
        parent[place[-1]] = new or {"kind": "int", "value": 1}
        assert differences(result, changed), place
    for new in ({"printed": "tensor"}, {"error": {"type": "TypeError", "message": "", "line": 1}}, {"crash": "its own mistake"}):
        assert differences(result, {**result, **new}), new


def test_text_may_differ_by_rounding_only():
    assert same_text("tensor([0.1235, 1.0000])", "tensor([0.1234, 1.0000])")
    assert same_text("tensor([1., 1.])", "tensor([1.0000, 1.0000])")
    assert same_text("sum 0.9999999403953552", "sum 1.0")
    for other in ("tensor([0.1237, 1.0000])", "tensor([0.1235, 1.0000],)", "tensor([0.12, 1.0000])", "tensor([0.1235,  1.0000])"):
        assert not same_text("tensor([0.1235, 1.0000])", other), other
    assert not same_text("3 heads", "4 heads")
    assert not same_text("nan", "inf")
