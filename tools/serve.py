"""Serve the built book on localhost: python tools/serve.py 8000."""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

port = int(sys.argv[1]) if sys.argv[1].isdecimal() else -1
if not 0 < port < 65536:
    sys.exit(f"PORT={sys.argv[1]} is not a port: a number from 1 to 65535 is needed.")
try:
    server = ThreadingHTTPServer(("127.0.0.1", port), partial(SimpleHTTPRequestHandler, directory="_build/html"))
except OSError as error:
    sys.exit(f"Port {port} cannot be used ({error.strerror}). Name another: make serve PORT={port % 65535 + 1}")
print(f"The book is at http://localhost:{port}/ (Ctrl+C to stop)", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    print()
