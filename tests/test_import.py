"""What `import attn` loads, and what it must not load."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

# Imports one thing after the other, and notes what is loaded after each.
STEPS = """import json, sys
from unittest.mock import patch
found, told = {}, None
def note(step):
    found[step] = sorted({name.split(".")[0] for name in sys.modules})
import torch, numpy, jaxtyping
note("what attn needs")
import attn
note("attn")
with patch.dict(sys.modules, matplotlib=None):
    try:
        attn.plots
    except ModuleNotFoundError as error:
        told = str(error)
attn.labs
from attn.labs import bundle, inputs
note("what labs share")
from attn.labs import ShapeLab
note("a lab")
attn.plots
note("plots")
print(json.dumps([found, told]))"""


@pytest.fixture(scope="module")
def steps():
    """The packages that are loaded after each step, and what the error says where there is no matplotlib."""
    run = subprocess.run([sys.executable, "-c", STEPS], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture
def found(steps):
    return steps[0]


def test_import_attn_loads_torch_numpy_jaxtyping_and_nothing_else(found):
    extra = {name for name in set(found["attn"]) - set(found["what attn needs"]) if name not in sys.stdlib_module_names}
    assert extra == {"attn"}


def test_only_importing_plots_loads_matplotlib(found):
    assert [step for step, loaded in found.items() if "matplotlib" in loaded] == ["plots"]


def test_without_matplotlib_the_error_says_what_to_install(steps):
    assert steps[1] == "attn.plots needs matplotlib: pip install 'attn[plots]'."


def test_only_importing_a_lab_loads_ipywidgets(found):
    assert [step for step, loaded in found.items() if "ipywidgets" in loaded] == ["a lab", "plots"]


def test_an_unknown_name_is_an_attribute_error():
    import attn

    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        attn.nonsense  # noqa: B018
    assert set(attn.__all__) <= set(dir(attn)) | {"labs", "plots"}


def top_level_imports(source):
    """The modules of the package that a file imports when it is loaded, not those that a function imports when it runs."""
    return {
        name
        for node in ast.parse(source).body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
        if name.startswith("attn")
    }


def test_the_mathematics_imports_nothing_that_prints_draws_or_checks():
    mathematics = {"shapes", "record", "masks", "core", "steps", "cache", "layer", "positions", "pretrained", "reference"}
    for name in mathematics:
        source = (Path(__file__).parents[1] / "src" / "attn" / f"{name}.py").read_text()
        assert top_level_imports(source) <= {f"attn.{other}" for other in mathematics}, name
