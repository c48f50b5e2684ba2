"""Serve the built book on localhost: python tools/serve.py 8000."""

import sys
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder as static hosts do: 404.html is shown for an address that does not exist."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send that page, or the error in plain text where there is none."""
        page = Path(self.directory, "404.html")
        if code != HTTPStatus.NOT_FOUND or not page.exists():
            super().send_error(code, message, explain)
            return
        text = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)


def serve(what: str, target: str, port: str, handler: Callable[..., Any]) -> None:
    """Serve until Ctrl+C. If the port cannot be used, exit with a line that suggests another one to `make target`."""
    number = int(port) if port.isdecimal() else -1
    if not 0 < number < 65536:
        sys.exit(f"PORT={port} is not a port: a number from 1 to 65535 is needed.")
    try:
        server = ThreadingHTTPServer(("127.0.0.1", number), handler)
    except OSError as error:
        sys.exit(f"Port {port} cannot be used ({error.strerror}). Choose another one: make {target} PORT={number % 65535 + 1}")
    print(f"{what} at http://localhost:{port}/ (Ctrl+C to stop)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    serve("The book is", "serve", sys.argv[1], partial(Handler, directory="_build/html"))
