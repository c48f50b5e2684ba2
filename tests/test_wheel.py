"""The source distribution and the wheel that is built from it have every file of the package, and work without the repository."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import nbformat
import pytest
from notebook_file import standalone
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SOURCES = ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "src", "tests", "tools")
CACHES = shutil.ignore_patterns("__pycache__", "*.egg-info")
BUILD = "from setuptools import build_meta; build_meta.build_sdist('..')"
USE_EVERY_LAB = """
import re
from attn import labs
from attn.labs import bundle, inputs
assert len(labs.__all__) == len(bundle.lab_names()) > 10
assert all(getattr(labs, name).NAME in bundle.lab_names() for name in labs.__all__)
assert bundle.page_script(bundle.lab_names()) and bundle.style(bundle.lab_names()) and inputs.texts()
shown = labs.MaskLab(L=5).html()
assert 'data-lab="mask"' in shown and len(re.findall("<tr>", shown)) > 5, shown
print(labs.__file__)
"""


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """The source distribution, built from a copy so that the build leaves nothing in the repository."""
    copy = tmp_path_factory.mktemp("built") / "copy"
    copy.mkdir()
    for name in SOURCES:
        source = ROOT / name
        shutil.copytree(source, copy / name, ignore=CACHES) if source.is_dir() else shutil.copy(source, copy)
    subprocess.run([sys.executable, "-c", BUILD], cwd=copy, capture_output=True, check=True)
    (archive,) = copy.parent.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def wheel(sdist):
    """The wheel, built from the source distribution."""
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--wheel-dir", sdist.parent]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, sdist], check=True)
    (wheel,) = sdist.parent.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """The Python of another environment: it has the wheel, and the other packages of this one."""
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    # This makes no editable install of the package visible: only the .pth files of site-packages itself are read.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin" / "python"


def run(python: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([python, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def files_of_the_package() -> set[str]:
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in source.glob("attn/**/*") if path.is_file() and path.suffix != ".md"}
    return {name for name in files if "__pycache__" not in name}


def test_the_source_distribution_has_the_package_and_what_builds_it_and_nothing_else(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames() if not archive.getmember(name).isdir()}
    assert {name.removeprefix("src/") for name in names if name.startswith("src/attn/")} == files_of_the_package()
    others = {name for name in names if not name.startswith(("src/attn/", "src/attn.egg-info/"))}
    assert others == {"pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "PKG-INFO", "setup.cfg"}


def test_the_wheel_has_every_file_of_the_package_and_says_what_it_needs(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (Parser().parsestr(archive.read(name).decode()) for name in names if name.endswith("/METADATA"))
    assert {name for name in names if not re.match(r"attn-[\d.]+\.dist-info/", name)} == files_of_the_package()
    assert {"attn/py.typed", "attn/labs/mask/view.js", "attn/labs/mask/style.css", "attn/labs/texts.json"} <= names
    assert metadata["Requires-Python"] == SETTINGS["requires-python"]
    needed = {Requirement(line) for line in metadata.get_all("Requires-Dist") if "extra ==" not in line}
    assert needed == {Requirement(line) for line in SETTINGS["dependencies"]}
    assert set(metadata.get_all("Provides-Extra")) == set(SETTINGS["optional-dependencies"])


def test_every_lab_can_be_made_from_the_wheel_and_has_its_fallback(python, tmp_path):
    used = run(python, "-c", USE_EVERY_LAB, folder=tmp_path)
    assert used.returncode == 0, used.stderr
    assert Path(used.stdout.strip()).is_relative_to(python.parents[1])


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """The sources of the package, in the state of this folder, as a repository of Git."""
    folder = tmp_path_factory.mktemp("repository")
    for name in SOURCES:
        source = ROOT / name
        shutil.copytree(source, folder / name, ignore=CACHES) if source.is_dir() else shutil.copy(source, folder)
    author = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    for command in (["init", "--quiet"], ["add", "--all"], [*author, "commit", "--quiet", "--message", "The package"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


@pytest.mark.slow
def test_the_line_of_a_notebooks_first_cell_installs_the_package_from_a_repository(repository, tmp_path):
    """As `%pip` runs it, but what the package needs is not downloaded. Its files are those that the wheel has, too."""
    cell = standalone(ROOT / "chapters" / "02-boxes-and-grids.md", repository.as_uri(), "").cells[0].source
    (line,) = re.findall(r"%pip (install .*)", cell)
    assert f"git+{repository.as_uri()}" in line
    venv.create(tmp_path / "env", symlinks=True)
    python = tmp_path / "env" / "bin" / "python"
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    for pattern in ("pip*", "setuptools*", "_distutils_hack"):
        for path in Path(sysconfig.get_path("purelib")).glob(pattern):
            (packages / path.name).symlink_to(path)
    offline = ["--no-deps", "--no-build-isolation", "--no-index"]
    installed = run(python, "-m", "pip", *shlex.split(line), *offline, folder=tmp_path)
    assert installed.returncode == 0, installed.stderr
    for name in files_of_the_package():
        assert (packages / name).read_bytes() == (ROOT / "src" / name).read_bytes(), name
    found = run(python, "-c", "import importlib.util; print(importlib.util.find_spec('attn').origin)", folder=tmp_path)
    assert found.stdout.strip() == str(packages / "attn" / "__init__.py")


@pytest.mark.slow
def test_a_downloaded_notebook_runs_in_an_empty_folder_with_the_package_from_the_wheel(book, python, tmp_path):
    """Chapter 2, from the folder of downloads to its last cell."""
    name = "02-boxes-and-grids.ipynb"
    shutil.copy(book.html / "_sources" / "chapters" / name, tmp_path)
    execute = "from nbclient.cli import main; main()"  # of this environment; the command `jupyter` would find another
    executed = run(python, "-c", execute, "--inplace", "--timeout=300", name, folder=tmp_path)
    assert executed.returncode == 0, executed.stderr[-4000:]
    cells = [cell for cell in nbformat.read(tmp_path / name, as_version=4).cells if cell.cell_type == "code"]
    assert cells[0].outputs == [] and all(cell.execution_count for cell in cells)
    assert not [output for cell in cells for output in cell.outputs if output.output_type == "error"]
    assert any("application/vnd.jupyter.widget-view+json" in output.get("data", {}) for cell in cells for output in cell.outputs)
    assert {path.name for path in tmp_path.iterdir()} == {name}
