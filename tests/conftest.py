"""While the tests run, every annotated shape of the package is checked. For users, the annotations cost no time."""

import gc
import importlib
import importlib.util
import os
import sys
from pathlib import Path

import jaxtyping
import pytest
import torch

# Where the package is installed alone, tools/try_package.py runs the tests that need no browser and no book.
pytest_plugins = ["browser", "built_book"] if importlib.util.find_spec("playwright") else []


def check_annotations():
    """Check the annotations of the modules that have shapes. (Of others, mypy does it: here it would double the time of some.)"""
    (folder,) = importlib.util.find_spec("attn").submodule_search_locations
    paths = [path for path in Path(folder).rglob("*.py") if "from jaxtyping import" in path.read_text("utf-8")]
    modules = ["attn." + ".".join(path.relative_to(folder).with_suffix("").parts) for path in paths]
    return jaxtyping.install_import_hook(modules, "beartype.beartype")


_hook = check_annotations()

# The tensors of tests and chapters are small: a second thread saves no time, and may wait long if its core is busy.
torch.set_num_threads(1)
os.environ["OMP_NUM_THREADS"] = "1"  # for the kernels and other processes that tests start
os.environ["TQDM_DISABLE"] = "1"  # nobody watches the progress of a training

# `make test` runs the tests in four processes, each a module at a time (--dist=loadfile: xdist's marks for groups have no effect
# with this version of pytest). The longest come first, so that no core waits for one at the end. The first of them builds the
# book, the last of them needs it, and short modules that only read the book come after all others.
LONGEST = [
    *("test_book_pages", "test_labs_live", "test_labs_page", "test_labs_stage", "test_code_verdicts"),
    *("test_film_lab", "test_passport_lab", "test_grid_lab", "test_code_page", "test_book_labs", "test_book_texts"),
]
LAST = ["test_book", "test_run", "test_wheel", "test_chapters"]


def rank(item: pytest.Item) -> int:
    module = item.path.stem
    return LONGEST.index(module) - len(LONGEST) if module in LONGEST else LAST.index(module) + 1 if module in LAST else 0


# What is imported stays until the end. To search it for garbage, again and again, takes a third of the time of the collection.
gc.disable()


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):
        items.sort(key=rank)


def pytest_terminal_summary(terminalreporter):
    """Print what tests have measured, whichever process they ran in."""
    for report in terminalreporter.getreports("passed"):
        for what, value in report.user_properties if report.when == "call" else []:
            terminalreporter.write_line(f"{what}: {value}")


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


@pytest.fixture
def gpus_keep_their_seed(monkeypatch):
    """A function. After its call, seeding the generators of GPUs is an error: fork_rng(devices=[]) does not restore them."""

    def seeded(number):
        raise AssertionError(f"the generators of GPUs are seeded with {number} and not restored")

    return lambda: monkeypatch.setattr(torch.cuda, "manual_seed_all", seeded)


@pytest.fixture(autouse=True)
def _no_figures_left():
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture
def as_users_run_it():
    """Switch the shape annotations off, so that a test gets the package's own error messages."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(scope="module")
def attn_without_annotations():
    """The package as users import it, for tools that read its code and cannot handle the checks of annotations."""
    global _hook
    checked = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "attn"}
    _hook.uninstall()
    yield importlib.import_module("attn")
    for name in [name for name in sys.modules if name.split(".")[0] == "attn"]:
        del sys.modules[name]
    sys.modules.update(checked)
    _hook = check_annotations()


DEVICES = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]


def pytest_report_header():
    return f"attn: devices tested {DEVICES}"


@pytest.fixture(params=DEVICES)
def device(request):
    return torch.device(request.param)
