"""Run some of the tests against a copy of the package, in a fresh process that has torch and pytest loaded already.

Loading them takes longer than the tests, so a server process loads them once, and each run is a fork of it.
"""

import io
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import pytest
import torch

TESTS = Path(__file__).parent
# torch.testing imports torch.distributed.tensor when it first compares.
_PRELOADED = ["torch", "torch.distributed.tensor", "numpy", "pytest", "hypothesis", "jaxtyping", "guards"]
_LEAN = [
    *("-x", "-q", "--tb=line", "--capture=sys", "--assert=plain", "--noconftest", "-c", os.devnull, "--rootdir", str(TESTS)),
    *("-p", "no:cacheprovider", "-p", "no:unraisableexception", "-p", "no:threadexception"),
]


class _Fixtures:
    """The fixtures that the guards need. Without conftest.py no annotation is checked, so a guard must notice a bug by itself."""

    @pytest.fixture(autouse=True)
    def _seed(self) -> None:
        torch.default_generator.manual_seed(0)

    @pytest.fixture
    def device(self) -> torch.device:
        return torch.device("cpu")

    @pytest.fixture
    def as_users_run_it(self) -> None:
        pass


@contextmanager
def fresh_processes(*modules: str) -> Iterator[Executor]:
    """Processes for `run_tests` and similar functions, with these modules loaded and nothing of the package."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_PRELOADED, *modules])
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context, max_tasks_per_child=1) as pool:
        yield pool


def run_tests(source: Path, *arguments: str) -> tuple[int, str]:
    """The exit code of pytest, run with this folder first on the path of imports, and what it printed."""
    assert "attn" not in sys.modules
    os.chdir(TESTS)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    torch.set_num_threads(1)
    sys.path.insert(0, str(source))
    printed = io.StringIO()
    with redirect_stdout(printed):
        code = pytest.main([*_LEAN, *arguments], plugins=[_Fixtures()])
    used = Path(sys.modules["attn"].__file__ or "").parents[1]
    return int(code), printed.getvalue() if used == source else f"pytest ran with {used}"
