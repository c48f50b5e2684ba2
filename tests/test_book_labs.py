"""The labs on the pages of the built book, from disk and over HTTP: every control moves what is drawn, and nothing goes wrong."""

import re

import pytest
from built_book import CHAPTERS, PAGES, ROOT, Visit
from lab_pages import controls, move, settled, shown

pytestmark = pytest.mark.slow

# Adds up how far things jump while a page loads (layout shift, as web.dev defines it).
SHIFT = """window.shift = 0;
new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shift += entry.value; })
  .observe({ type: 'layout-shift', buffered: true });"""
WITHOUT_A_LAB = ["chapters/04-why-qkv"]  # chapters that have nothing to move
HEAVIEST = 150 * 1024  # bytes of a page: its HTML with our script and style
RECORDED = 300 * 1024  # bytes of a recorded training, which the page of TrainingLab carries on top

LAB = re.compile(r"^(?:from attn\.labs import|import attn\.labs)", re.M)
WITH_A_LAB = [page for page in PAGES if LAB.search((ROOT / f"{page}.md").read_text("utf-8"))]

every_page_with_a_lab = pytest.mark.parametrize("page", WITH_A_LAB)


def test_the_landing_page_and_every_chapter_have_a_lab(clone):
    """The chapters that explain without one are named above; the others have a section for it."""
    pages = [page for page in PAGES if 'class="attn-lab"' in (clone.html / f"{page}.html").read_text("utf-8")]
    assert pages == WITH_A_LAB == [page for page in PAGES if page in {"book/index", *CHAPTERS} - {*WITHOUT_A_LAB}]
    for page in CHAPTERS:
        assert ("\n## Move it\n" in (ROOT / f"{page}.md").read_text("utf-8")) == (page in pages), page


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
@every_page_with_a_lab
def test_every_control_of_every_lab_moves_what_is_drawn(clone, served, browser, page, how):
    """From disk with the mouse, over HTTP with the keyboard. The labs alone are moved in both ways, too."""
    with Visit(browser, clone.html.as_uri() if how == "mouse" else served, page) as visit:
        tab = visit.tab
        for n in range(tab.locator(".attn-lab-root").count()):
            root = f".attn-lab-root >> nth={n}"
            start = shown(tab, root)
            count = len(controls(tab, root))
            assert count >= 4
            for place in range(count):
                control = controls(tab, root)[place]
                what = control.evaluate("node => (node.labels?.[0] ?? node).textContent")
                move(tab, control, how)
                assert shown(tab, root) != start, f"{what}: nothing changes"
                tab.locator(root).get_by_role("button", name="reset").click()
                assert shown(tab, root) == start, f"{what}: reset does not undo it"
        assert visit.troubles == []


@every_page_with_a_lab
def test_labs_fit_a_phone(clone, browser, page):
    with Visit(browser, clone.html.as_uri(), page, width=360, theme="dark") as visit:
        visit.tab.locator(".attn-lab-root").first.wait_for()
        settled(visit.tab)
        assert visit.tab.evaluate("document.documentElement.scrollWidth") <= 360
        assert visit.troubles == []


def test_a_link_opens_a_chapter_at_the_same_setting(site, browser):
    with Visit(browser, site, "chapters/01-whole-map") as visit:
        start = shown(visit.tab)
        visit.tab.locator(".slider[data-axis=L] input").press("ArrowRight")
        changed = shown(visit.tab)
        visit.tab.get_by_role("button", name="copy link").click()
        link = visit.tab.evaluate("location.hash")
        visit.tab.goto("about:blank")
        visit.tab.goto(f"{site}/chapters/01-whole-map.html{link}")
        visit.tab.locator(".attn-lab-root").wait_for()
        assert shown(visit.tab) == changed != start


def test_without_script_a_table_says_what_the_lab_shows(clone, browser):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    for page in WITH_A_LAB:
        tab.goto(f"{clone.html.as_uri()}/{page}.html")
        assert tab.locator(".attn-lab table").first.is_visible()
        assert len(tab.locator(".attn-lab").first.inner_text()) > 200
    context.close()


def test_a_lab_takes_its_place_before_its_script_runs(clone, browser):
    """What stands below a lab does not move by more than a little when the lab comes to life."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(SHIFT)
    tab = context.new_page()
    for page in WITH_A_LAB:
        tab.goto(f"{clone.html.as_uri()}/{page}.html")
        tab.locator(".attn-lab-root").first.wait_for()
        tab.wait_for_timeout(300)
        assert tab.evaluate("window.shift") < 0.1, page  # what web.dev calls good
    context.close()


def test_no_page_is_heavy_and_each_carries_the_script_of_labs_once(clone):
    for page in PAGES:
        html = (clone.html / f"{page}.html").read_text("utf-8")
        recorded = sum(map(len, re.findall(r"data-lab=\"training\" data-state='([^']*)'", html)))
        assert recorded <= RECORDED, page
        assert len(html.encode()) - recorded <= HEAVIEST, page
        assert html.count("renderAll(") == (2 if 'class="attn-lab"' in html else 0), page  # where it is made, and where called
        assert not re.search(r"widget-state|require\.js|unpkg", html)
