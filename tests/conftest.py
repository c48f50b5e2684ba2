"""While the tests run, every annotated shape of the package is checked; users pay nothing for the annotations."""

import importlib
import sys

import jaxtyping
import pytest
import torch

pytest_plugins = ["built_book"]

_hook = jaxtyping.install_import_hook("attn", "beartype.beartype")

torch.set_num_threads(2)


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


@pytest.fixture
def as_users_run_it():
    """Switch the shape annotations off, so that a test meets the package's own error messages."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(scope="module")
def attn_without_annotations():
    """The package as users import it, for tools that read its code and cannot read through the annotations' checks."""
    global _hook
    checked = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "attn"}
    _hook.uninstall()
    yield importlib.import_module("attn")
    for name in [name for name in sys.modules if name.split(".")[0] == "attn"]:
        del sys.modules[name]
    sys.modules.update(checked)
    _hook = jaxtyping.install_import_hook("attn", "beartype.beartype")


DEVICES = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]


def pytest_report_header():
    return f"attn: devices tested {DEVICES}"


@pytest.fixture(params=DEVICES)
def device(request):
    return torch.device(request.param)
