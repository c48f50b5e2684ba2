"""Run some of the tests against a copy of the project, in a fresh process that has torch and pytest loaded already.

Loading them takes longer than most of those runs: a server process does it once, and each run is a fork of it.
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


@contextmanager
def fresh_processes() -> Iterator[Executor]:
    """Processes for `run_tests`; nothing of the package is loaded in them."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch", "numpy", "pytest", "hypothesis", "beartype", "jaxtyping"])
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context, max_tasks_per_child=1) as pool:
        yield pool


def run_tests(project: Path, *arguments: str) -> tuple[int, str]:
    """The exit code of pytest in this project, with its src first on the path, and what it printed."""
    assert "attn" not in sys.modules
    os.chdir(project)
    sys.path.insert(0, str(project / "src"))
    said = io.StringIO()
    with redirect_stdout(said):
        options = ["-x", "-q", "--tb=line", "--capture=sys", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir=."]
        code = pytest.main([*options, *arguments])
    used = Path(sys.modules["attn"].__file__ or "").parents[1]
    return int(code), said.getvalue() if used == project / "src" else f"pytest ran with {used}"
