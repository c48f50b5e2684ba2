"""What `import attn` loads, and what it must not."""

import subprocess
import sys

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


def test_plots_load_matplotlib_when_asked_for(bare):
    assert "matplotlib" not in bare
    assert "matplotlib" in loaded_by("import attn; attn.plots")


def test_labs_load_ipywidgets_when_a_lab_is_asked_for(bare):
    assert "ipywidgets" not in loaded_by("import attn; attn.labs; from attn.labs import bundle, inputs")
    assert "ipywidgets" in loaded_by("from attn.labs import ShapeLab")


def test_an_unknown_name_is_an_attribute_error():
    import attn

    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        attn.nonsense  # noqa: B018
    assert set(attn.__all__) <= set(dir(attn)) | {"labs", "plots"}
