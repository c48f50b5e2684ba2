"""The labs on the pages of the built book, from disk and over HTTP: every control changes what is drawn, and nothing goes wrong."""

import re

import pytest
from built_book import CHAPTERS, PAGES, ROOT, Visit
from lab_pages import controls, hush, move, shown

pytestmark = pytest.mark.slow

LAB = re.compile(r"^(?:from attn\.labs import|import attn\.labs)", re.M)
WITH_A_LAB = [page for page in PAGES if LAB.search((ROOT / f"{page}.md").read_text("utf-8"))]


def test_the_landing_page_every_chapter_and_bring_your_code_have_a_lab(book):
    """Each chapter also has tasks for its lab, with what there is to find."""
    pages = [page for page in PAGES if 'class="attn-lab' in book.read(page)]
    assert pages == WITH_A_LAB == [page for page in PAGES if page in {"book/index", "book/bring-your-code", *CHAPTERS}]
    for page in CHAPTERS:
        assert book.read(page).count('<details class="found">') >= 2, page


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
@pytest.mark.parametrize("page", WITH_A_LAB)
def test_every_control_of_every_lab_changes_what_is_drawn(book, served, new_context, page, how):
    """From disk with the mouse, without motion; over HTTP one control of each lab. `test_labs_page.py` uses the keyboard."""
    visit = Visit(new_context, book.html.as_uri() if how == "mouse" else served, page, motion="reduce")
    tab = visit.tab
    for n in range(tab.locator(".attn-lab-root").count()):
        root = f".attn-lab-root >> nth={n}"
        reset = tab.locator(root).get_by_role("button", name="reset")
        start = shown(tab, root)
        count = len(controls(tab, root))
        small = tab.locator(root).evaluate("node => node.closest('.attn-lab').classList.contains('small')")
        assert count >= (1 if small else 4)
        for place in range(count if how == "mouse" else 1):
            control = controls(tab, root)[place]
            what = control.evaluate("node => (node.labels?.[0] ?? node).textContent")
            move(tab, control, how)
            assert shown(tab, root) != start, f"{what}: nothing changes"
            reset.dispatch_event("click")
            assert shown(tab, root) == start, f"{what}: reset does not undo it"
    assert visit.troubles == []


def test_a_link_opens_a_chapter_at_the_same_setting(site, new_context):
    tab = Visit(new_context, site, "chapters/01-whole-map").tab
    start = shown(tab)
    tab.locator(".slider[data-axis=L] input").press("ArrowRight")
    hush(tab)
    changed = shown(tab)
    tab.get_by_role("button", name="copy link").click()
    link = tab.evaluate("location.hash")
    tab.goto("about:blank")
    tab.goto(f"{site}/chapters/01-whole-map.html{link}")
    tab.locator(".attn-lab-root").wait_for()
    hush(tab)
    assert shown(tab) == changed != start


def test_without_javascript_a_table_shows_the_results_of_the_lab(book, new_context):
    tab = new_context(java_script_enabled=False).new_page()
    for page in WITH_A_LAB:
        tab.goto(f"{book.html.as_uri()}/{page}.html")
        assert tab.locator(".attn-lab table").first.is_visible()
        assert len(tab.locator(".attn-lab").first.inner_text()) > 100
