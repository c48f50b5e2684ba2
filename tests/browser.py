"""The system's Chromium, for the tests that look at pages, and pages in it on which nothing may go wrong."""

import os
import shutil
from contextlib import contextmanager

import pytest

FLAGS = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync"
NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def open_browser():
    """A browser. Where there is none the test is skipped, but not in CI: there it fails."""
    from playwright.sync_api import sync_playwright  # here, so that tests without a browser need not have one

    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        missing = f"no browser: none of {', '.join(NAMES)} is installed"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def browser():
    with open_browser() as browser:
        yield browser


def watch(tab, *own: str) -> list[str]:
    """All that goes wrong on a tab from now on, as a list that grows; to ask for anything but what begins with `own` is wrong."""
    troubles: list[str] = []
    tab.on("pageerror", lambda error: troubles.append(f"page error: {error}"))
    tab.on("console", lambda entry: entry.type == "error" and troubles.append(f"console: {entry.text}"))
    tab.on("requestfailed", lambda request: troubles.append(f"failed: {request.url}"))
    tab.on("response", lambda reply: reply.status >= 400 and troubles.append(f"{reply.status}: {reply.url}"))
    tab.on("request", lambda asked: asked.url.startswith((*own, "data:", "blob:")) or troubles.append(f"asks for {asked.url}"))
    return troubles


@pytest.fixture
def opened(browser, tmp_path):
    """Open a page with these labs, from disk. When the test ends, nothing has gone wrong on any such page."""
    from lab_pages import write_page  # here, since it loads the package

    contexts, troubles = [], []

    def open_page(*labs, fragment="", width=1280, height=1400, script="", **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(script)
        address = write_page(tmp_path / "labs.html", labs)
        troubles.append(watch(page, address))
        page.goto(address + fragment)
        page.locator(".attn-lab-root").first.wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not any(troubles), troubles
