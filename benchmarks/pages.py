"""What a page of the built book weighs, and how long it takes to open: python benchmarks/pages.py, after make book.

Each page is opened in a new browser without a cache, ROUNDS times, in random order, over HTTP on this machine. The tables have
medians. "Page" is the HTML as it is sent, with the script and the style of its labs; "all" adds what it loads when it is opened:
fonts, pictures, formulas, styles. "Text" is the time until the browser has read the page, "drawn" until its formulas, its fonts and
every lab near the window are drawn and nothing changes its size any more.
"""

import gzip
import random
import statistics
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import open_browser
from built_book import PAGES, ROOT, SETTLED

from attn import table

ROUNDS = 5
HTML = ROOT / "_build" / "html"
READ = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
LOADED = """() => ['navigation', 'resource'].flatMap(kind => performance.getEntriesByType(kind))
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_) -> None:
        pass


def opened(browser, address: str) -> tuple[float, float, int]:
    """The milliseconds until a page is read and until it is drawn, and the bytes that it loaded."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address, wait_until="load")
    page.evaluate(SETTLED)
    found = page.evaluate(f"() => [{READ}, performance.now(), ({LOADED})()]")
    context.close()
    return found


def main() -> None:
    measured: dict[str, list[tuple[float, float, int]]] = {page: [] for page in PAGES}
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=HTML)) as server, open_browser() as browser:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        opened(browser, f"http://127.0.0.1:{server.server_port}/{PAGES[0]}.html")  # the first start of a browser is slower
        for page in random.sample(PAGES * ROUNDS, len(PAGES) * ROUNDS):
            measured[page].append(opened(browser, f"http://127.0.0.1:{server.server_port}/{page}.html"))
        server.shutdown()
    rows = []
    for page, times in measured.items():
        html = (HTML / f"{page}.html").read_bytes()
        read, drawn, loaded = (statistics.median(column) for column in zip(*times, strict=True))
        worst = max(one[1] for one in times)
        sizes = [f"{size / 1024:.0f}" for size in (len(html), len(gzip.compress(html, 9)), loaded)]
        rows.append([page, *sizes, f"{read:.0f}", f"{drawn:.0f}", f"{worst:.0f}"])
    print(table(["page", "page KB", "gzipped", "all KB", "text ms", "drawn ms", "worst"], rows))


if __name__ == "__main__":
    main()
