"""Firefox, by WebDriver BiDi: Playwright drives only its own build of it. Enough for pages that are opened and looked at."""

import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import websocket

PROGRAMS = ("firefox-esr", "firefox")
# A profile that asks no other host for anything.
SETTINGS = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.downloads.remote.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.ipc.processPrelaunch.enabled": False,  # no process waits for a next site: there is none
    "fission.autostart": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}


class Firefox:
    """A tab. `errors` is what went wrong on its page since it was opened."""

    def __init__(self, address: str):
        self.socket = websocket.create_connection(f"{address}/session", timeout=300, suppress_origin=True)
        self.count = 0
        self.errors: list[str] = []
        self.requested: list[str] = []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.tab = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method: str, **parameters: Any) -> Any:
        """Send a command, and note the events that arrive before its result."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.count:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return message["result"]
            self.note(message)

    def note(self, event: dict[str, Any]) -> None:
        given = event.get("params", {})
        if event.get("method") == "log.entryAdded" and given["level"] == "error":
            self.errors.append(given["text"])
        if event.get("method") == "network.beforeRequestSent":
            self.requested.append(given["request"]["url"])

    def before_every_page(self, script: str) -> None:
        """Run this script in every page, before those of the page."""
        self.call("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def open(self, url: str) -> None:
        self.errors, self.requested = [], []
        self.call("browsingContext.navigate", context=self.tab, url=url, wait="complete")

    def run(self, expression: str) -> Any:
        """The value of an expression or of its promise: what JSON can carry."""
        wrapped = f"Promise.resolve({expression}).then(value => JSON.stringify(value ?? null))"
        answer = self.call("script.evaluate", expression=wrapped, target={"context": self.tab}, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])


def installed() -> str | None:
    """The path of Firefox, None where it is not installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def open_firefox(program: str) -> Iterator[Firefox]:
    """Firefox without a window, with a profile of its own."""
    with tempfile.TemporaryDirectory(prefix="firefox-") as folder:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in SETTINGS.items()]
        Path(folder, "user.js").write_text("\n".join(lines))
        log = Path(folder, "log")
        command = [program, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0", "about:blank"]
        with log.open("w") as written:
            process = subprocess.Popen(command, stdout=written, stderr=written)
        try:
            firefox = Firefox(listening(log, process))
            yield firefox
            firefox.socket.close()
        finally:
            process.terminate()
            process.wait(timeout=60)


def listening(log: Path, process: subprocess.Popen[bytes]) -> str:
    """Its address, as soon as it says it."""
    until = time.monotonic() + 300
    while time.monotonic() < until and process.poll() is None:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text(errors="replace")):
            return found[1]
        time.sleep(0.2)
    raise RuntimeError(f"Firefox does not start:\n{log.read_text(errors='replace')[-2000:]}")
