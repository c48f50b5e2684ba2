"""Node, for the tests that run the labs' JavaScript without a browser."""

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from attn.labs.lab import Lab

TESTS = Path(__file__).parent


def node(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run node. Where there is none the test is skipped, but not in CI: there it fails."""
    path = shutil.which("node")
    if path is None:
        missing = "node is not installed"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    return subprocess.run(
        [path, *arguments], input=given, capture_output=True, text=True, cwd=TESTS.parent, timeout=300, check=False
    )


def computed_by_node(lab: str, settings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the lab's `compute` gives for each of these settings; tensors flat."""
    run = node("tests/js/compute.mjs", given=json.dumps({"lab": lab, "settings": settings}))
    assert run.returncode == 0, run.stderr
    return [{name: _tensor(value) for name, value in result.items()} for result in json.loads(run.stdout)]


def copied_code(*shown: Lab) -> list[str]:
    """What *copy code* copies from each of these labs in Jupyter."""
    labs = [[lab.NAME, {name: getattr(lab, name) for name in (*lab.STATE, *lab.LOOK)}, lab._given] for lab in shown]
    written = f"JSON.stringify({json.dumps(labs)}.map((lab) => asCode(...lab)))"
    run = node("--input-type=module", "-e", f"import {{ asCode }} from './src/attn/labs/js/host.js'; console.log({written})")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def _tensor(value: Any) -> Any:
    if isinstance(value, dict) and "float32" in value:
        return torch.from_numpy(np.frombuffer(base64.b64decode(value["float32"]), dtype=np.float32).copy())
    return value
