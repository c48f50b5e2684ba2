"""Serve the built book on localhost: python tools/serve.py 8000."""

import sys
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


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
    serve("The book is", "serve", sys.argv[1], partial(SimpleHTTPRequestHandler, directory="_build/html"))
