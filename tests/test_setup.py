"""The commands of the Makefile: what they say, and the one line with which they refuse where they cannot work."""

import ast
import json
import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from jupyter import free_port

ROOT = Path(__file__).parents[1]
# A make inside a make would print what it inherits.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}


def make(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments], cwd=cwd, env=ENVIRONMENT | environment, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture
def project(tmp_path):
    """The project's set-up without an environment."""
    for name in ("Makefile", "requirements.txt", "pyproject.toml", "tools"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def ready(project):
    """The project's set-up with this environment and an empty book."""
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (project / ".venv" / "ready").touch()
    (project / "_build" / "html").mkdir(parents=True)
    (project / "_build" / "html" / "index.html").write_text("the book")
    return project


def python_that(project: Path, does: str) -> str:
    """A Python that is not as it should be."""
    path = project / "python"
    run = "import runpy; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -c "import sys; {does}; {run}" "$@"\n')
    path.chmod(0o755)
    return str(path)


def the_one_line(run: subprocess.CompletedProcess[str]) -> str:
    """What the command said on refusing; make adds a line of its own."""
    assert run.returncode != 0
    said = [line for line in (run.stdout + run.stderr).splitlines() if not line.startswith(("make:", "Installing"))]
    assert len(said) == 1, said
    return said[0]


def test_make_alone_lists_the_targets_a_line_each(project):
    lines = make(cwd=project).stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["make", target] for target in ("book", "test", "lab", "notebooks", "serve", "clean")
    ]
    assert all(len(line.split()) > 3 for line in lines)


def test_a_python_that_is_too_old_is_named_with_what_is_needed(project):
    run = make("book", f"PYTHON={python_that(project, 'sys.version_info = (3, 8, 18)')}", cwd=project)
    assert the_one_line(run).startswith("Python 3.8.18 is too old, 3.11 is needed")


def test_an_old_python_can_read_the_script_that_refuses_it():
    source = (ROOT / "tools" / "setup_env.py").read_text()
    tree = ast.parse(source, feature_version=(3, 7))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.NamedExpr)]


def test_a_python_without_venv_names_the_package_to_install(project):
    does = "sys.modules['ensurepip'] = None"
    assert "apt install python3-venv" in the_one_line(make("book", f"PYTHON={python_that(project, does)}", cwd=project))


def test_a_python_that_does_not_exist_is_named(project):
    assert "There is no python-of-nowhere" in the_one_line(make("book", "PYTHON=python-of-nowhere", cwd=project))


def test_an_install_without_network_says_so(project):
    offline = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": "1",
    }
    line = the_one_line(make("book", f"PYTHON={sys.executable}", cwd=project, **offline))
    assert "no network" in line
    assert (project / ".venv" / "install.log").read_text()
    assert not (project / ".venv" / "ready").exists()


def test_a_package_that_does_not_exist_is_not_blamed_on_the_network(project):
    (project / "requirements.txt").write_text("attn-no-such-package==0.0.0\n")
    empty = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": ""}
    line = the_one_line(make("book", f"PYTHON={sys.executable}", cwd=project, **empty))
    assert "attn-no-such-package==0.0.0" in line
    assert "network" not in line


def test_serve_refuses_a_port_in_use_and_names_another(ready):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = the_one_line(make("serve", f"PORT={port}", cwd=ready))
    assert f"Port {port} cannot be used (Address already in use)" in line
    assert f"make serve PORT={port + 1}" in line


def test_serve_refuses_what_is_no_port(ready):
    assert "PORT=http is not a port" in the_one_line(make("serve", "PORT=http", cwd=ready))


def test_serve_shows_the_book(ready):
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "tools/serve.py", str(port)], cwd=ready, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stdout is not None
        assert f"http://localhost:{port}/" in server.stdout.readline()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as response:
            assert response.read() == b"the book"
    finally:
        server.terminate()
        server.communicate()


def test_clean_removes_what_was_built_and_keeps_the_environment(ready):
    assert make("clean", cwd=ready).returncode == 0
    assert not (ready / "_build").exists()
    assert (ready / ".venv" / "ready").exists()


def test_the_environment_carries_the_setting_that_opens_chapters_as_notebooks():
    path = Path(sys.prefix, "share", "jupyter", "lab", "settings", "overrides.json")
    settings = json.loads(path.read_text())
    assert settings["@jupyterlab/docmanager-extension:plugin"]["defaultViewers"]["markdown"] == "Jupytext Notebook"
