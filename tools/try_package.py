"""Test the package as its users get it: built, installed into an environment of its own, and run there by its own tests.

    python3 tools/try_package.py             with the versions that requirements.txt pins
    python3 tools/try_package.py --oldest    with the smallest versions that pyproject.toml allows: requirements-oldest.txt

This Python runs the tests; it needs no package. The source distribution is built from this folder, the wheel from that, and the
tests see the installed wheel and no other file of the package. Where a smallest torch has no build for this machine, TORCH names
another version: TORCH=2.13.0 python3 tools/try_package.py --oldest
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The tests that need nothing of the book, no browser and no Node: attention, the trace, the checkers, figures, the labs' Python.
TESTS = [
    *("cache", "check*", "command", "core", "errors", "implementations", "layer", "masks", "model", "package", "plots_*"),
    *("shapes", "table", "text", "trace", "training"),
]
RUNNERS = ("pytest", "pytest-xdist", "hypothesis", "beartype")
BUILD = "import os, sys; sys.stdout = open(os.devnull, 'w'); from setuptools import build_meta; build_meta.build_sdist({target!r})"


def main() -> None:
    oldest = sys.argv[1:] == ["--oldest"]
    if sys.argv[1:] and not oldest:
        sys.exit(f"{' '.join(sys.argv[1:])}: the only option is --oldest.")
    with tempfile.TemporaryDirectory(prefix="attn-package-") as folder:
        try_in(Path(folder), oldest)


def try_in(folder: Path, oldest: bool) -> None:
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pins = [f"--constraint={write_pins(folder, oldest)}"]
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet", "--no-compile"]
    copy_sources(folder / "project")
    run(*pip, *pins, "setuptools", *RUNNERS, where=folder)
    run(python, "-c", BUILD.format(target=str(folder)), where=folder / "project")
    (archive,) = folder.glob("*.tar.gz")
    shutil.rmtree(folder / "project" / "src")
    run(*pip, *pins, "--no-build-isolation", f"attn[labs] @ {archive.as_uri()}", where=folder)
    run(python, "-m", "pip", "check", where=folder)
    versions = "import platform, torch, numpy, matplotlib; print('Python', platform.python_version(), 'torch', torch.__version__, "
    run(python, "-c", versions + "'NumPy', numpy.__version__, 'Matplotlib', matplotlib.__version__)", where=folder)
    tests = [str(path) for name in TESTS for path in sorted((folder / "project" / "tests").glob(f"test_{name}.py"))]
    # Old versions use what newer ones of their own dependencies announce to remove.
    quiet = ["-W", "ignore::DeprecationWarning"] if oldest else []
    run(python, "-m", "pytest", "--quiet", "--durations-min=5", "-n2", *quiet, *tests, where=folder / "project")


def write_pins(folder: Path, oldest: bool) -> Path:
    """The versions to install. What runs the tests is the same for both."""
    text = (ROOT / "requirements.txt").read_text("utf-8")
    if oldest:
        runners = re.findall(rf"^(?:setuptools|{'|'.join(RUNNERS)})==.*", text, re.M)
        text = "\n".join([*runners, (ROOT / "requirements-oldest.txt").read_text("utf-8")])
    if torch := os.environ.get("TORCH"):
        text = re.sub(r"^torch==\S+", f"torch=={torch}", text, flags=re.M)
    path = folder / "pins.txt"
    path.write_text(text, "utf-8")
    return path


def copy_sources(target: Path) -> None:
    """What the source distribution is built from, and the tests."""
    target.mkdir()
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, target)
    for name in ("src", "tests", "tools"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))


def run(*command: str | Path, where: Path) -> None:
    """Run a command, with no other copy of the package in reach."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    if subprocess.call(command, cwd=where, env=environment):
        sys.exit(f"This fails: {' '.join(map(str, command))}")


if __name__ == "__main__":
    main()
