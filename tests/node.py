"""Node, for the tests that run the labs' JavaScript without a browser."""

import base64
import functools
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from setup_test import find_node
from torch import Tensor

from attn.labs.lab import Lab

TESTS = Path(__file__).parent

installed_node = functools.cache(find_node)


def node(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run Node with these arguments and this standard input. Without Node, the test fails."""
    path = installed_node()
    if path is None:
        pytest.fail("found no Node; `make node_modules/ready` installs it", pytrace=False)
    return subprocess.run(
        [path, *arguments], input=stdin, capture_output=True, text=True, cwd=TESTS.parent, timeout=1200, check=False
    )


def computed_by_node(labs: Sequence[Lab]) -> list[dict[str, Any]]:
    """The results of a page for the settings of each of these labs, which are of one class. Tensors are flat."""
    settings = [{name: getattr(lab, name) for name in (*lab.STATE, *lab.CONSTANTS)} for lab in labs]
    run = node("tests/js/compute.js", stdin=json.dumps({"lab": labs[0].NAME, "settings": settings}))
    assert run.returncode == 0, run.stderr
    return [{name: _tensor(value) for name, value in result.items()} for result in json.loads(run.stdout)]


def javascript_constants(module: str, *names: str) -> list[Any]:
    """The values of these constants in a module of the labs, such as "mask/model"."""
    listed = ", ".join(names)
    script = f"import {{ {listed} }} from './src/attn/labs/{module}.js'; console.log(JSON.stringify([{listed}]))"
    run = node("--input-type=module", "-e", script)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def copied_code(*shown: Lab) -> list[str]:
    """The code that *copy code* copies in Jupyter, for each of these labs."""
    labs = [[type(lab).__name__, {name: getattr(lab, name) for name in (*lab.STATE, *lab.VIEW)}, lab._positional] for lab in shown]
    written = f"JSON.stringify({json.dumps(labs)}.map((lab) => asCode(...lab)))"
    run = node("--input-type=module", "-e", f"import {{ asCode }} from './src/attn/labs/kit/share.js'; console.log({written})")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def assert_agree(
    labs: Sequence[Lab], tolerances: Callable[[Lab, str], Mapping[str, float]] = lambda lab, name: {}
) -> list[dict[str, Any]]:
    """Assert that a page and the kernel compute the same for these labs, all of one kind. Returns the results of the page.

    tolerances(lab, name): those of `assert_same` for one result. They must be tight enough to notice an error in the fifth digit of
    every number: each result of float32 or float64 numbers is compared once more with such an error.
    """
    noticed: dict[str, bool] = {}
    pages = computed_by_node(labs)
    for lab, results in zip(labs, pages, strict=True):
        for name, theirs in results.items():
            mine, close = getattr(lab, name), tolerances(lab, name)
            assert_same(theirs, mine, f"{name} of {lab}", **close)
            if _holds_numbers(mine):
                noticed[name] = noticed.get(name, False) or _differ(_off_in_the_fifth_digit(theirs), mine, close)
    blind = [name for name, seen in noticed.items() if not seen]
    assert not blind, f"an error in the fifth digit of {', '.join(blind)} is not noticed: compare more closely"
    return pages


def assert_same(theirs: Any, mine: Any, what: str, share: float = 4e-6, rtol: float = 0.0, atol: float = 0.0) -> None:
    """Assert that numbers are as close as float32 allows (NaN equals NaN), and that everything else is equal.

    share: how far a number may be off, as a share of the largest number in its tensor. Sums in another order differ by this much,
    however small they are. rtol, atol: as in `torch.testing.assert_close`; the larger of atol and the share counts.
    """
    if isinstance(mine, Tensor):
        flat = mine.detach().cpu().double().flatten()
        largest = float(flat[flat.isfinite()].abs().max()) if flat.isfinite().any() else 0.0
        close = {"rtol": rtol, "atol": max(atol, share * largest), "equal_nan": True}
        torch.testing.assert_close(torch.as_tensor(theirs).to(flat).flatten(), flat, **close, msg=lambda text: f"{what}: {text}")
    elif isinstance(mine, float):
        assert theirs == pytest.approx(mine, rel=max(share, rtol), abs=atol, nan_ok=True), what
    elif isinstance(mine, dict):
        assert theirs.keys() == mine.keys(), what
        for key in mine:
            assert_same(theirs[key], mine[key], f"{key} in {what}", share, rtol, atol)
    else:
        assert theirs == (list(mine) if isinstance(mine, tuple) else mine), what


def _differ(theirs: Any, mine: Any, close: Mapping[str, float]) -> bool:
    try:
        assert_same(theirs, mine, "", **close)
    except AssertionError:
        return True
    return False


def _holds_numbers(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_numbers, value.values()))
    return isinstance(value, float) or (isinstance(value, Tensor) and value.dtype in (torch.float32, torch.float64))


def _off_in_the_fifth_digit(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _off_in_the_fifth_digit(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_off_in_the_fifth_digit(one) for one in value]
    return value * 1.00001 if isinstance(value, float) or (isinstance(value, Tensor) and value.is_floating_point()) else value


def _tensor(value: Any) -> Any:
    if isinstance(value, dict) and "float32" in value:
        return torch.from_numpy(np.frombuffer(base64.b64decode(value["float32"]), dtype=np.float32).copy())
    return value
