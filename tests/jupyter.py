"""A JupyterLab of this environment, for the tests that work in one."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page


@contextmanager
def running_jupyterlab(root: Path) -> Iterator[str]:
    """JupyterLab as the activated environment starts it, with the files of `root`. Yields its address."""
    port = free_port()
    options = [f"--port={port}", "--no-browser", "--allow-root", "--IdentityProvider.token=", f"--ServerApp.root_dir={root}"]
    environment = os.environ | {"HOME": str(root / "home"), "JUPYTER_PREFER_ENV_PATH": "1"}
    settings = root / "home" / ".jupyter" / "lab" / "user-settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    # It would remove cells that are out of sight from the page.
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    with (root / "log").open("w") as log:
        server = subprocess.Popen(
            [Path(sys.executable).with_name("jupyter-lab"), *options], env=environment, stdout=log, stderr=log
        )
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()  # its kernels end with it
        server.wait()


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def wait_for(port: int) -> None:
    until = time.monotonic() + 300
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    pytest.fail(f"nothing listens on port {port} after 300 s")


def write_notebook(path: Path, *cells: str, text: str = "") -> None:
    """Write a notebook of these code cells and, if there is a text, a cell with it at the end."""
    made: list[dict[str, object]] = [
        {"cell_type": "code", "execution_count": None, "id": f"cell-{n}", "metadata": {}, "outputs": [], "source": cell}
        for n, cell in enumerate(cells)
    ]
    if text:
        made.append({"cell_type": "markdown", "id": "text", "metadata": {}, "source": text})
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    path.write_text(json.dumps({"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))


def open_notebook(page: Page, address: str, path: str) -> None:
    """Open a notebook in its own workspace, in which nothing else is open."""
    open_folder(page, f"{address}/lab/workspaces/{Path(path).stem}/tree/{path}")
    ready(page)


def open_folder(page: Page, address: str) -> None:
    """Open JupyterLab at this address."""
    page.goto(address)
    page.locator("#jupyterlab-splash").wait_for(state="detached")


IN_SIGHT = ".jp-NotebookPanel:not(.lm-mod-hidden)"


def notebook(page: Page) -> Locator:
    """The notebook that is in sight."""
    return page.locator(IN_SIGHT)


def ready(page: Page) -> None:
    """Wait until an opened notebook can run cells."""
    notebook(page).locator(".jp-CodeCell").first.wait_for()
    page.locator("#jp-main-statusbar", has_text="| Idle").wait_for()  # before that, a request to run a cell is lost


# Whether a cell has run: it has a number, and no asterisk.
HAS_RUN = "cell => /^\\[\\d+\\]/.test(cell.querySelector('.jp-InputPrompt').textContent)"


def run_cell(page: Page, number: int) -> str:
    """Run a cell, and return what it prints."""
    cell = notebook(page).locator(".jp-CodeCell").nth(number)
    cell.locator(".jp-InputArea-editor").click()
    page.keyboard.press("Control+Enter")
    page.wait_for_function(HAS_RUN, arg=cell.element_handle(), polling=50)  # it looks less often than at every frame
    return cell.locator(".jp-OutputArea").inner_text().strip()
