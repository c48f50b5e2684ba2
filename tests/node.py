"""Node, for the tests that run the labs' JavaScript without a browser."""

import base64
import functools
import json
import subprocess
from collections.abc import Sequence
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


def node(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run Node with these arguments and this standard input. Without Node, the test fails."""
    path = installed_node()
    if path is None:
        pytest.fail("found no Node; `make node_modules/ready` installs it", pytrace=False)
    return subprocess.run(
        [path, *arguments], input=given, capture_output=True, text=True, cwd=TESTS.parent, timeout=300, check=False
    )


def computed_by_node(labs: Sequence[Lab]) -> list[dict[str, Any]]:
    """For each of these labs, all of one kind, what a page computes for its settings; tensors flat."""
    settings = [{name: getattr(lab, name) for name in (*lab.STATE, *lab.CONSTANTS)} for lab in labs]
    run = node("tests/js/compute.js", given=json.dumps({"lab": labs[0].NAME, "settings": settings}))
    assert run.returncode == 0, run.stderr
    return [{name: _tensor(value) for name, value in result.items()} for result in json.loads(run.stdout)]


def javascript_constants(module: str, *names: str) -> list[Any]:
    """What these constants are in a module of the labs, such as "mask/model"."""
    listed = ", ".join(names)
    script = f"import {{ {listed} }} from './src/attn/labs/{module}.js'; console.log(JSON.stringify([{listed}]))"
    run = node("--input-type=module", "-e", script)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def copied_code(*shown: Lab) -> list[str]:
    """What *copy code* copies from each of these labs in Jupyter."""
    labs = [[type(lab).__name__, {name: getattr(lab, name) for name in (*lab.STATE, *lab.VIEW)}, lab._positional] for lab in shown]
    written = f"JSON.stringify({json.dumps(labs)}.map((lab) => asCode(...lab)))"
    run = node("--input-type=module", "-e", f"import {{ asCode }} from './src/attn/labs/kit/share.js'; console.log({written})")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def assert_agrees(lab: Lab, results: dict[str, Any], rtol: float = 1e-5, atol: float = 1e-5) -> None:
    """The kernel has the same results: numbers as close as that (NaN to NaN), and everything else to the letter."""
    for name, value in results.items():
        _assert_same(value, getattr(lab, name), f"{name} of {lab}", rtol, atol)


def _assert_same(value: Any, mine: Any, what: str, rtol: float, atol: float) -> None:
    if isinstance(mine, Tensor):
        flat = mine.cpu().float().flatten()
        close = {"rtol": rtol, "atol": atol, "equal_nan": True}
        torch.testing.assert_close(torch.as_tensor(value).to(flat), flat, **close, msg=lambda said: f"{what}: {said}")
    elif isinstance(mine, float):
        assert value == pytest.approx(mine, rel=rtol, abs=atol, nan_ok=True), what
    elif isinstance(mine, dict):
        assert value.keys() == mine.keys(), what
        for key in mine:
            _assert_same(value[key], mine[key], f"{key} in {what}", rtol, atol)
    else:
        assert value == (list(mine) if isinstance(mine, tuple) else mine), what


def _tensor(value: Any) -> Any:
    if isinstance(value, dict) and "float32" in value:
        return torch.from_numpy(np.frombuffer(base64.b64decode(value["float32"]), dtype=np.float32).copy())
    return value
