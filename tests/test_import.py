"""What `import attn` loads, and what it must not load."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest


def loaded_by(statement):
    program = f"import sys; {statement}; print(' '.join(sorted({{name.split('.')[0] for name in sys.modules}})))"
    return set(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split())


@pytest.fixture(scope="module")
def bare():
    return loaded_by("import torch, numpy, jaxtyping")


def test_import_attn_loads_torch_numpy_jaxtyping_and_nothing_else(bare):
    extra = {name for name in loaded_by("import attn") - bare if name not in sys.stdlib_module_names}
    assert extra == {"attn"}


def test_only_importing_plots_loads_matplotlib(bare):
    assert "matplotlib" not in bare
    assert "matplotlib" in loaded_by("import attn; attn.plots")


def test_without_matplotlib_the_error_says_what_to_install():
    program = "import sys; sys.modules['matplotlib'] = None; import attn; attn.plots"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.stderr.endswith("ModuleNotFoundError: attn.plots needs matplotlib: pip install 'attn[plots]'.\n")


def test_only_importing_a_lab_loads_ipywidgets(bare):
    assert "ipywidgets" not in loaded_by("import attn; attn.labs; from attn.labs import bundle, inputs")
    assert "ipywidgets" in loaded_by("from attn.labs import ShapeLab")


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
