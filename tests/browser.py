"""A browser for the tests of pages. Its pages fail the test if anything goes wrong on them."""

import functools
import re
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright
from setup_test import find_browser

FLAGS = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync"
FLAGS += " --renderer-process-limit=1"  # pages of a context share a process, which takes half the time of one for each
# Chromium with a window loads two pages of its own with every context, which takes as long as a lab. This flag replaces that of
# Playwright, so the features that Playwright switches off are named again, as far as they touch pages or requests.
OFF = [
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "AimEnabled", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter"),
    *("NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning"),
]

installed_browser = functools.cache(find_browser)


@contextmanager
def open_browser(*flags: str):
    """Chromium or Chrome, as `make test` has found or installed it. Without one, the test fails."""
    with sync_playwright() as playwright:
        path = installed_browser(playwright.chromium.executable_path)
        if path is None:
            pytest.fail("found no browser; `make node_modules/ready` installs one", pytrace=False)
        browser = playwright.chromium.launch(
            executable_path=path, args=[*FLAGS.split(), *flags, f"--disable-features={','.join(OFF)}"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests of a process."""
    with open_browser() as browser:
        expect.set_options(timeout=PATIENCE)
        yield browser


# Lets a test pass the time of moves. Each frame is told that it is drawn `ahead` milliseconds later than it is; in a hurry, frames
# follow each other without waiting for the screen, and `passTime` draws all that are due now: exactly so much later than the last
# ones, however long the machine takes. It returns whether any were due.
TIME = """globalThis.ahead = 0;
globalThis.hurry = false;
const [request, cancel, due] = [globalThis.requestAnimationFrame, globalThis.cancelAnimationFrame, new Map()];
let clock = 0; // the time of the last frame in a hurry, until a frame waits for the screen again
const now = () => clock || performance.now() + ahead;
globalThis.requestAnimationFrame = draw => {
  if (!hurry) clock = 0;
  const run = stamp => due.delete(frame) && draw(stamp);
  const frame = hurry ? setTimeout(() => run(now())) : -request(stamp => run(stamp + ahead));
  due.set(frame, draw);
  return frame;
};
globalThis.cancelAnimationFrame = frame => due.delete(frame) && (frame < 0 ? cancel(-frame) : clearTimeout(frame));
globalThis.passTime = milliseconds => {
  const frames = [...due];
  if (!frames.length) return false;
  ahead += milliseconds;
  clock = clock ? clock + milliseconds : now();
  for (const [frame, draw] of frames) {
    if (!due.has(frame)) continue; // an earlier one has cancelled it
    cancelAnimationFrame(frame);
    try {
      draw(clock);
    } catch (error) {
      reportError(error); // as the browser does: the other frames are drawn all the same
    }
  }
  return true;
};"""

PATIENCE = 120_000  # milliseconds that a wait may take: on a busy machine a test is slow, but does not fail
FAILURES = Path(__file__).parents[1] / "_build" / "failures"
_failed = pytest.StashKey[bool]()


def pytest_addoption(parser):
    parser.addoption("--traces", action="store_true", help="record what browser tests do, to see how one fails; halves their speed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.failed:
        item.stash[_failed] = True
    return report


def close(context, folder: Path, failed: bool, traced: bool) -> None:
    """Close a context. If the test has failed, save a screenshot of each of its pages first, and its trace if there is one."""
    if failed:
        for n, page in enumerate(context.pages):
            page.screenshot(path=folder / f"page-{n}.png")
        if traced:
            context.tracing.stop(path=folder / "trace.zip")
    context.close()


@pytest.fixture
def failures(request):
    """The folder for what shows how this test has failed."""
    folder = FAILURES / re.sub(r"[^\w.-]+", "-", request.node.nodeid)
    shutil.rmtree(folder, ignore_errors=True)
    return folder


@pytest.fixture
def new_context(browser, request, failures):
    """Open browser contexts that close with the test.

    If the test fails, a screenshot of each page is saved in _build/failures. With --traces, so is a trace of each context,
    which `playwright show-trace` opens.
    """
    contexts = []
    traced = request.config.getoption("traces")

    def new(**options):
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        if traced:
            context.tracing.start(snapshots=True, screenshots=True)
        contexts.append(context)
        return context

    yield new
    for n, context in enumerate(contexts):
        close(context, failures / f"context-{n}", request.node.stash.get(_failed, False), traced)


@pytest.fixture(scope="session")
def shared_contexts(browser):
    """The contexts of `new_page`, by the device that they stand for."""
    contexts = {}
    yield contexts
    for context in contexts.values():
        context.close()


@pytest.fixture
def new_page(browser, shared_contexts, new_context, request, failures):
    """Open pages that close with the test, in contexts that tests share. What pages have stored is forgotten with the test.

    Tests that change a context itself (its clock, its permissions) open one with `new_context`.
    """
    used = {}

    def new(viewport, color_scheme="light", reduced_motion="no-preference", **device):
        if request.config.getoption("traces"):
            options = {"viewport": viewport, "color_scheme": color_scheme, "reduced_motion": reduced_motion, **device}
            return new_context(**options).new_page()
        key = tuple(sorted(device.items()))
        if key not in shared_contexts:
            shared_contexts[key] = browser.new_context(**device)
            shared_contexts[key].set_default_timeout(PATIENCE)
            shared_contexts[key].new_page()  # stays open and empty, and with it the process of all others
        used[key] = shared_contexts[key]
        page = used[key].new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        return page

    yield new
    failed = request.node.stash.get(_failed, False)
    for n, (key, context) in enumerate(used.items()):
        if failed or not all(forgotten(page) for page in context.pages[1:]):
            close(shared_contexts.pop(key), failures / f"shared-{n}", failed, traced=False)


def forgotten(page) -> bool:
    """Close a page, and clear what it has stored. Returns whether that was possible."""
    try:
        page.evaluate("() => { try { localStorage.clear() } catch {} }")  # a test may have taken it away
        page.close()
    except Error:  # the page is gone, or goes somewhere else
        return False
    return True


def _stopped(request) -> bool:
    """Whether the page gave up the request: one that is reloaded stops the scripts and workers that are still loading."""
    return request.failure == "net::ERR_ABORTED"


def watch(tab, *own: str) -> list[str]:
    """A list that collects everything that goes wrong on a tab from now on. Only requests that begin with `own` are allowed."""
    troubles: list[str] = []
    tab.on("pageerror", lambda error: troubles.append(f"page error: {error}"))
    tab.on("console", lambda entry: entry.type == "error" and troubles.append(f"console: {entry.text}"))
    tab.on("requestfailed", lambda request: _stopped(request) or troubles.append(f"failed: {request.url}, {request.failure}"))
    tab.on("response", lambda reply: reply.status >= 400 and troubles.append(f"{reply.status}: {reply.url}"))
    tab.on("request", lambda sent: sent.url.startswith((*own, "data:", "blob:")) or troubles.append(f"requested: {sent.url}"))
    return troubles


@pytest.fixture
def opened(new_page, new_context, tmp_path):
    """Open pages with labs, from disk. The test fails if anything goes wrong on one of them before it ends.

    A test that stops the clock opens its page `alone`.
    """
    from lab_pages import write_page  # imported here because it loads the package

    troubles = []

    def open_page(*labs, fragment="", width=1280, height=1400, script="", alone=False, **options):
        options["viewport"] = {"width": width, "height": height}
        page = new_context(**options).new_page() if alone else new_page(**options)
        page.add_init_script(TIME + script)
        address = write_page(tmp_path / "labs.html", labs)
        troubles.append(watch(page, address, tmp_path.as_uri()))  # beside the page are the scripts of large labs
        page.goto(address + fragment)
        page.locator(".attn-lab-root").first.wait_for()
        return page

    yield open_page
    assert not any(troubles), troubles
