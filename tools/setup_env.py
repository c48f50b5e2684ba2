"""Create .venv, and install the pinned requirements and the package into it. `make` runs this script.

If it fails, it prints one line that says why. The script uses the syntax of very old Pythons, so that an old Python can run it
and report that it is too old. With --settings-only it installs nothing, and only gives the environment that runs it JupyterLab's
settings: Binder has installed the packages already.
"""

import json
import os
import re
import subprocess
import sys
import time

VENV = ".venv"
LOG = os.path.join(VENV, "install.log")
NO_NETWORK = "NewConnectionError|ConnectTimeout|ReadTimeout|NameResolution|Max retries|ProxyError|SSLError|Network is unreach"

# Chapters open as notebooks on a double click, and are saved only on request: Jupytext would write their text in its own style. And
# JupyterLab requests nothing from other hosts.
LAB_SETTINGS = {
    "@jupyterlab/docmanager-extension:plugin": {
        "autosave": False,
        "defaultViewers": {"markdown": "Jupytext Notebook", "myst": "Jupytext Notebook"},
    },
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}


def main():
    if sys.argv[1:] == ["--settings-only"]:
        write_settings(sys.prefix)
        return
    check_python()
    started = time.time()
    python = create_venv()
    print("Installing the pinned packages into %s. This takes a few minutes, but only once." % VENV)
    sys.stdout.flush()
    pip_install(python, "--constraint", "requirements.txt", "pip")  # first, since the pip that comes with Python is slower
    pip_install(python, "--requirement", "requirements.txt", "--constraint", "constraints.txt")
    pip_install(python, "--no-deps", "--no-build-isolation", "--editable", ".")
    write_settings(VENV)
    with open(os.path.join(VENV, "ready"), "w"):
        pass  # make compares the time of this file with that of the pins and of pyproject.toml
    print("Installed in %d s." % (time.time() - started))


def write_settings(environment):
    """Write the settings of JupyterLab into an environment."""
    settings = os.path.join(environment, "share", "jupyter", "lab", "settings")
    if not os.path.isdir(settings):
        os.makedirs(settings)
    with open(os.path.join(settings, "overrides.json"), "w") as file:
        json.dump(LAB_SETTINGS, file, indent=2)
    with open(os.path.join(environment, "package.json"), "w") as file:
        file.write("{}\n")  # JupyterLab's scripts for Node are no modules, as those of the checkout above them are


def check_python():
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < (3, 11):
        sys.exit("Python %s is too old: 3.11 or newer is needed. Choose another one: make PYTHON=python3.12 ..." % version)
    try:
        import ensurepip  # noqa: F401 (Debian ships Python without it)
        import venv  # noqa: F401
    except ImportError:
        sys.exit("Python %s has no venv module; on Debian and Ubuntu: apt install python3-venv" % version)


def create_venv():
    python = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin", "python")
    if not works(python):
        failed = subprocess.call([sys.executable, "-m", "venv", "--clear", VENV])
        if failed:
            sys.exit("Cannot create %s (see above)." % os.path.abspath(VENV))
    return python


def works(python):
    """True if the environment exists and its Python is new enough and runs (the Python that created it may be gone)."""
    test = "import pip, sys; sys.exit(sys.version_info < (3, 11))"
    try:
        return subprocess.call([python, "-c", test], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def pip_install(python, *arguments):
    """Run `pip install`. If it fails, exit with its first error."""
    # --no-compile halves the time: pip would compile ten thousand modules, most of which are never imported.
    command = [python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--no-compile"]
    command.extend(arguments)
    with open(LOG, "wb") as log:
        failed = subprocess.call(command, stdout=log, stderr=subprocess.STDOUT)
    if failed:
        with open(LOG, errors="replace") as log:
            output = log.read()
        errors = [line for line in output.splitlines() if line.startswith("ERROR:")] or ["pip failed."]
        why = "no network (pip cannot reach its package index)." if re.search(NO_NETWORK, output) else errors[0]
        sys.exit("Cannot install the packages: %s Full output: %s" % (why, LOG))


if __name__ == "__main__":
    main()
