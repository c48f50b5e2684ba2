"""`make labs`: a page with every lab. It is made again from the files for each request, and reloads when one of them is saved."""

import shutil
import threading
import urllib.request
from http.server import ThreadingHTTPServer

import playground
import pytest
from browser import watch
from playwright.sync_api import expect

from attn.labs import bundle, join

EVERY = [path.parent.name for path in join.SOURCE.glob("*/lab.py")]
FEW = ["mask", "shape"]  # a page of these two loads in a tenth of the time of one with every lab
FIRST_AXIS = "#shape .slider[data-axis=L]"


@pytest.fixture
def source(request, tmp_path, monkeypatch):
    """A copy of the files of a few labs, or of those that a test asks for, to edit, and of the lessons' files that they import."""
    absent = set(EVERY) - set(getattr(request, "param", FEW))
    for name in ("labs", "lessons"):
        shutil.copytree(join.SOURCE.parent / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", *absent))
    copy = tmp_path / "labs"
    monkeypatch.setattr(join, "SOURCE", copy)
    yield copy
    bundle.forget()


@pytest.fixture
def address(source):
    with ThreadingHTTPServer(("127.0.0.1", 0), playground.Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def tab(new_page, address):
    tab = new_page({"width": 1280, "height": 900})
    tab.goto(address)
    tab.locator(".attn-lab-root").first.wait_for()
    return tab


def get(address):
    with urllib.request.urlopen(address) as response:
        return response.read().decode()


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def without_broken_connections(troubles):
    """A reload breaks the connection that tells of changes."""
    return [trouble for trouble in troubles if "/changes" not in trouble]


@pytest.mark.parametrize("source", [EVERY], indirect=True, ids=["every lab"])
def test_every_lab_is_on_the_page_also_after_it_has_been_reloaded_with_its_settings(new_page, address, source):
    assert len(EVERY) > 20 and set(FEW) < set(EVERY)
    tab = new_page({"width": 1280, "height": 900})
    troubles = watch(tab, "http://127.0.0.1")
    page = tab.goto(address).text()
    for name in EVERY:
        assert f'data-lab="{name}"' in page
        assert f'from "/{name}/{"page" if bundle.is_deferred(name) else "view"}.js"' in page
    tab.locator(".attn-lab-root").first.wait_for()
    assert tab.locator(".attn-lab-root").count() == len(EVERY)
    tab.locator(f"{FIRST_AXIS} input").press("ArrowRight")
    tab.locator(f"{FIRST_AXIS} output", has_text="8").first.wait_for()
    with (source / "shape" / "style.css").open("a") as style:
        style.write(".attn-lab-root { order: 4711 }")
    expect(tab.locator("#shape .attn-lab-root")).to_have_css("order", "4711")
    assert tab.locator(".attn-lab-root").count() == len(EVERY)
    assert tab.locator(f"{FIRST_AXIS} output").first.text_content() == "8"
    assert not without_broken_connections(troubles)


def test_a_request_returns_the_current_files(address, source):
    assert "order: 4711" not in get(address)
    (source / "kit" / "dom.css").write_text("p { order: 4711 }")
    (source / "mask" / "view.js").write_text("// saved just now\n")
    assert "order: 4711" in get(address)
    assert get(address + "mask/view.js") == "// saved just now\n"


def test_a_saved_file_reloads_the_page_and_the_labs_keep_their_settings(tab, source):
    troubles = watch(tab, "http://127.0.0.1")
    tab.locator("#dark").check()
    tab.locator(f"{FIRST_AXIS} input").press("ArrowRight")
    tab.locator(f"{FIRST_AXIS} output", has_text="8").first.wait_for()
    edit(source / "kit" / "host.js", '"reset")', '"start again")')
    tab.locator("#shape").get_by_role("button", name="start again").wait_for()
    assert tab.locator(f"{FIRST_AXIS} output").first.text_content() == "8"
    with (source / "shape" / "style.css").open("a") as style:
        style.write(".attn-lab-root { order: 4711 }")
    expect(tab.locator("#shape .attn-lab-root")).to_have_css("order", "4711")
    assert tab.locator(f"{FIRST_AXIS} output").first.text_content() == "8"
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
    tab.locator("#shape").get_by_role("button", name="start again").click()
    tab.locator(f"{FIRST_AXIS} output", has_text="7").first.wait_for()
    assert not without_broken_connections(troubles)


def test_an_error_in_a_module_is_shown_with_its_file_and_line_until_it_is_repaired(tab, source):
    view = source / "mask" / "view.js"
    correct = view.read_text()
    view.write_text("const = 3;\n" + correct)
    tab.get_by_role("alert").filter(has_text="/mask/view.js, line 1").wait_for()
    tab.locator("#shape .attn-lab-root").wait_for()  # the labs are rendered together
    assert tab.locator("#mask .attn-lab-root").count() == 0
    view.write_text(correct)
    tab.locator("#mask .attn-lab-root").wait_for()
    assert tab.locator("#errors").text_content() == ""


def test_a_module_that_the_book_cannot_join_is_reported(address, source):
    edit(source / "kit" / "page.js", "export function", "export default 3;\nexport function")
    assert "can be joined" in get(address)
