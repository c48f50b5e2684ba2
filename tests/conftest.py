"""While the tests run, every annotated shape of the package is checked; users pay nothing for the annotations."""

import importlib
import os
import re
import sys
from pathlib import Path

import jaxtyping
import pytest
import torch

pytest_plugins = ["browser", "built_book"]

_hook = jaxtyping.install_import_hook("attn", "beartype.beartype")

# The tensors of tests and chapters are small: a second thread saves no time on them, and waits long where the core is taken.
torch.set_num_threads(1)
os.environ["OMP_NUM_THREADS"] = "1"  # for the kernels and other processes that tests start

# `make test` runs the tests on two cores. What is expensive to make is made once, so what shares it stays together; the longest
# comes first, so that no core waits for it in the end.
BOOK = "the built book"
LONGEST = [BOOK, "test_mutants", "test_labs_live"]


def group(nodeid: str) -> str:
    """What a test shares its things with: the clean clone, the chapter that has been run, the fixtures of its module."""
    module = Path(nodeid.split("::")[0]).stem
    if module.startswith("test_book") or module == "test_accessibility":
        return BOOK
    chapter = re.search(r"\[(\d\d-[\w-]+)\]$", nodeid) if module == "test_chapters" else None
    return chapter[1] if chapter else module


def pytest_collection_modifyitems(config, items):
    for item in items:
        if "clone" in item.fixturenames and group(item.nodeid) != BOOK:
            raise pytest.UsageError(f"{item.nodeid} uses the clean clone, which would be built twice: it belongs in test_book.py.")
    if hasattr(config, "workerinput"):
        groups = {item: group(item.nodeid) for item in items}
        items.sort(key=lambda item: LONGEST.index(groups[item]) if groups[item] in LONGEST else len(LONGEST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """One process after another takes a group. (xdist's own marks for groups have no effect with this version of pytest.)"""
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group(nodeid)

    config.option.loadscopereorder = False
    return Groups(config, log)


def pytest_terminal_summary(terminalreporter):
    """What tests have measured, whichever process they ran in."""
    for report in terminalreporter.getreports("passed"):
        for what, value in report.user_properties if report.when == "call" else []:
            terminalreporter.write_line(f"{what}: {value}")


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


@pytest.fixture(autouse=True)
def _no_figures_left():
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


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
