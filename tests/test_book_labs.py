"""The labs on the pages of the built book, from disk and over HTTP: every control changes what is drawn, and nothing goes wrong."""

import re

import pytest
from browser import TIME
from built_book import CHAPTERS, OPEN_FOLDS, PAGES, ROOT, Visit
from lab_pages import hush, move_controls, settled, shown
from random_moves import PREPARED, move_at_random

pytestmark = pytest.mark.slow

LAB = re.compile(r"^(?:from attn\.labs import|import attn\.labs)", re.M)
WITH_A_LAB = [page for page in PAGES if LAB.search((ROOT / f"{page}.md").read_text("utf-8"))]


def test_the_landing_page_every_chapter_and_bring_your_code_have_a_lab(book):
    """Each chapter also has tasks for its lab, with what there is to find."""
    pages = [page for page in PAGES if 'class="attn-lab' in book.read(page)]
    assert pages == WITH_A_LAB == [page for page in PAGES if page in {"book/index", "book/bring-your-code", *CHAPTERS}]
    for page in CHAPTERS:
        assert book.read(page).count('<details class="found">') >= 2, page


# The places of the labs on the page that are drawn.
DRAWN = "all => all.flatMap((lab, n) => lab.querySelector('.attn-lab-root') ? [n] : [])"


@pytest.fixture(scope="module")
def moved():
    """The controls that were moved on the pages before, by the name of their lab."""
    return set()


@pytest.fixture(scope="module")
def shaken():
    """The labs that were moved at random on the pages before."""
    return set()


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
@pytest.mark.parametrize("page", WITH_A_LAB)
def test_every_control_of_every_lab_changes_what_is_drawn(book, served, new_page, page, how, moved, shaken):
    """From disk with the mouse, without motion; over HTTP one control of each lab, and then, on the first page
    that has it, random moves that interrupt each other.
    `test_labs_page.py` uses the keyboard. `benchmarks/moves.py` makes 10,000 random moves in each lab.

    A control that several pages have is moved on one of them, and at least one of each lab on every page.
    """
    site = book.html.as_uri() if how == "mouse" else served
    visit = Visit(new_page, site, page, script=TIME + (PREPARED if how == "keyboard" else ""), motion="reduce")
    tab = visit.tab
    tab.evaluate(OPEN_FOLDS)
    # Those of the labs that are drawn now: a lab that comes later, when it comes near, would change the number of those after it.
    for n in tab.locator(".attn-lab").evaluate_all(DRAWN):
        root = f".attn-lab >> nth={n} >> .attn-lab-root"
        if how == "mouse":
            move_controls(tab, root, how, known=moved)
        else:
            move_controls(tab, root, how, places=slice(1))
    if how == "keyboard":
        tab.emulate_media(reduced_motion="no-preference")
        names = tab.locator(".attn-lab-root").evaluate_all("nodes => nodes.map(node => node.dataset.name)")
        for name in {*names} - shaken:
            shaken.add(name)
            root = tab.locator(f".attn-lab-root[data-name={name}]").first
            assert move_at_random(root, seed=1, count=60, quick=True)[1] == []
    assert visit.troubles == []


# What the first lab of a chapter shows once the reader presses these sentences, and not before: in its text, and alone on a canvas.
ANSWERS = {
    "chapters/01-whole-map": ([0], ["(2, 3, 7, 7)", "−D +S"], ["S", "H"]),
    "chapters/03-view-vs-permute": ([1], ["numbers of all heads", "12 are in place"], []),
    "chapters/16-einsum-to-hardware": ([0], ["At most 4 of 42", "864", "1,536"], []),
    "chapters/17-many-devices": ([0, 1, 2], ["4,608", "2,304", "9,216"], []),
}
WRITTEN = """globalThis.written = new Set();
for (const method of ['fillText', 'strokeText']) {
  const draw = CanvasRenderingContext2D.prototype[method];
  CanvasRenderingContext2D.prototype[method] = function (text, ...more) {
    written.add(text);
    return draw.call(this, text, ...more);
  };
}"""


# Whether, at some time of a move, a lab says all these texts and has drawn those.
SEEN = """async ([said, drawn]) => {
  const isSeen = () => said.every(one => document.querySelector('.attn-lab-root').innerText.includes(one))
    && drawn.every(one => written.has(one));
  for (let step = 0; step < 400 && !isSeen(); step += 1) {
    globalThis.hurry = step % 20 > 0;
    if (!hurry || !passTime(160)) await new Promise(requestAnimationFrame);
  }
  globalThis.hurry = false;
  return isSeen();
}"""


@pytest.mark.parametrize("page", ANSWERS)
def test_a_lab_does_not_open_on_the_answer_to_the_question_above_it(book, new_page, page):
    tab = Visit(new_page, book.html.as_uri(), page, script=TIME + WRITTEN).tab
    root = tab.locator(".attn-lab-root").first
    root.scroll_into_view_if_needed()
    hush(tab)
    pressed, said, drawn = ANSWERS[page]
    text, written = root.inner_text(), tab.evaluate("[...written]")
    assert [answer for answer in said if answer in text] == [] and not {*written} & {*drawn}
    assert len(written) > 10
    for n in pressed:
        tab.locator(".attn-try").nth(n).click()
        if not drawn:  # what is drawn on the way only is looked for on the way
            settled(tab)
    assert tab.evaluate(SEEN, [said, drawn])


def test_every_program_of_a_page_is_answered(book, new_page):
    """The first one needs the second script, and is asked again while the other one waits."""
    visit = Visit(new_page, book.html.as_uri(), "chapters/05-why-k-transpose")
    places = visit.tab.locator(".attn-lab[data-lab=code]")
    assert places.count() == 2
    places.first.scroll_into_view_if_needed()
    for n in range(2):
        places.nth(n).locator(".attn-lab-root[aria-busy=false]").wait_for(state="attached")
    assert visit.troubles == []


def test_a_link_opens_a_chapter_at_the_same_setting(site, new_page):
    tab = Visit(new_page, site, "chapters/01-whole-map").tab
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
