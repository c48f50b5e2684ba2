"""The wheel of the package has every file, and works without the repository."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CACHES = shutil.ignore_patterns("__pycache__", "*.egg-info")
USE_EVERY_LAB = """
from attn import labs
from attn.labs import bundle, inputs
assert len(labs.__all__) == len(bundle.lab_names()) > 10
assert all(getattr(labs, name).NAME in bundle.lab_names() for name in labs.__all__)
assert bundle.page_script(bundle.lab_names()) and bundle.style(bundle.lab_names()) and inputs.texts()
print(labs.__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy so that the build leaves nothing in the repository."""
    copy = tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "src", copy / "src", ignore=CACHES)
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--wheel-dir", copy]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, copy], check=True)
    return next(copy.glob("*.whl"))


def test_the_wheel_has_every_file_of_the_package(wheel):
    source = wheel.parent / "src"
    files = {path.relative_to(source).as_posix() for path in source.glob("attn/**/*") if path.is_file() and path.suffix != ".md"}
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if name.startswith("attn/")} == files


def test_every_lab_can_be_imported_from_the_wheel(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", USE_EVERY_LAB]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert Path(run.stdout.strip()).is_relative_to(tmp_path)
