"""The labs on the pages of the built book, from disk and over HTTP: every control changes what is drawn, and nothing goes wrong."""

import json
import re

import pytest
from built_book import CHAPTERS, PAGES, ROOT, Visit
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


@pytest.fixture(scope="module")
def moved():
    """The controls that were moved on the pages before, by the name of their lab."""
    return set()


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
@pytest.mark.parametrize("page", WITH_A_LAB)
def test_every_control_of_every_lab_changes_what_is_drawn(book, served, new_context, page, how, moved):
    """From disk with the mouse, without motion; over HTTP one control of each lab, and then random moves that interrupt each other.
    `test_labs_page.py` uses the keyboard. `benchmarks/moves.py` makes 10,000 random moves in each lab.

    A control that several pages have is moved on one of them, and at least one of each lab on every page.
    """
    site = book.html.as_uri() if how == "mouse" else served
    visit = Visit(new_context, site, page, script=PREPARED if how == "keyboard" else "", motion="reduce")
    tab = visit.tab
    for n in range(tab.locator(".attn-lab-root").count()):
        root = f".attn-lab-root >> nth={n}"
        move_controls(tab, root, how, at_most=None if how == "mouse" else 1, known=moved if how == "mouse" else None)
    if how == "keyboard":
        tab.emulate_media(reduced_motion="no-preference")
        names = tab.locator(".attn-lab-root").evaluate_all("nodes => nodes.map(node => node.dataset.name)")
        for name in dict.fromkeys(names):
            assert move_at_random(tab.locator(".attn-lab-root").nth(names.index(name)), seed=1, count=60)[1] == []
    assert visit.troubles == []


# Records the texts on canvases that end beyond their canvas. A text that is drawn again inside takes itself back.
DRAWN = """globalThis.cutOff = new Map();
const draw = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y, most) {
  const { a, b, e } = this.getTransform();
  const width = Math.min(this.measureText(text).width, most ?? Infinity);
  const start = x - { left: 0, start: 0, center: width / 2, right: width, end: width }[this.textAlign];
  const isCut = b === 0 && this.globalAlpha > 0.3 && (a * start + e < -2 || a * (start + width) + e > this.canvas.width + 2);
  cutOff.set(`${text}`, isCut && this.canvas.clientWidth > 0);
  return draw.call(this, text, x, y, ...(most === undefined ? [] : [most]));
};"""
# The texts in sight that lie on another one, or of which a box hides a part.
UNCLEAR = """root => {
  const words = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const own = node.parentElement;
    const text = node.data.trim();
    if (!text || own.closest('.live-region, option, textarea, pre')) continue;
    if (!own.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    let alpha = 1;
    let [left, right, top, bottom] = [-Infinity, Infinity, -Infinity, Infinity];
    let scrolls = false;
    for (let box = own; box !== root.parentElement; box = box.parentElement) {
      const style = getComputedStyle(box);
      alpha *= style.opacity;
      if (style.clipPath === 'inset(50%)') alpha = 0; // for screen readers alone
      if (style.overflowX === 'visible' && style.clipPath === 'none') continue;
      const edges = box.getBoundingClientRect();
      scrolls ||= /auto|scroll/.test(style.overflowX);
      [left, right] = [Math.max(left, edges.left), Math.min(right, edges.right)];
      [top, bottom] = [Math.max(top, edges.top), Math.min(bottom, edges.bottom)];
    }
    if (alpha < 0.3) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const seen of range.getClientRects()) {
      const isOutside = seen.right <= left + 1 || seen.left >= right - 1 || seen.bottom <= top + 1 || seen.top >= bottom - 1;
      if (seen.width < 2 || seen.height < 4 || isOutside) continue;
      const isCut = !scrolls && (seen.left < left - 1.5 || seen.right > right + 1.5);
      texts.push({ text, own, isCut, seen, high: 0.64 * seen.height, middle: (seen.top + seen.bottom) / 2 });
    }
  }
  const onEachOther = texts.flatMap((one, n) => texts.slice(n + 1).filter(other => other.own !== one.own
    && other.text !== one.text
    && Math.min(one.seen.right, other.seen.right) - Math.max(one.seen.left, other.seen.left) > 2
    && (one.high + other.high) / 2 - Math.abs(one.middle - other.middle) > 2)
    .map(other => `“${one.text}” and “${other.text}” lie on each other`));
  const cut = texts.filter(one => one.isCut).map(one => `“${one.text}” is cut`);
  const drawn = [...cutOff].flatMap(([text, isCut]) => (isCut ? [`“${text}” ends beyond its canvas`] : []));
  return [...new Set([...onEachOther, ...cut, ...drawn])];
}"""

# A chapter's lab is narrowest on a desktop where the table of contents just stands beside it, and on a phone.
NARROW = [(1200, 800), (390, 844)]
UNDER_THE_HEADER = """node => scrollBy(0, node.getBoundingClientRect().top - document.querySelector('.bd-header-article').clientHeight)"""
COVERED = """root => {
  const [picture, sentence] = ['.picture', '.sentence'].map(part => root.querySelector(part).getBoundingClientRect());
  return picture.bottom > sentence.top + 2 ? [`the sentence covers ${Math.round(picture.bottom - sentence.top)} px of the picture`] : [];
}"""


@pytest.mark.parametrize("page", CHAPTERS)
def test_the_texts_of_a_lab_are_whole_and_apart_on_its_page(book, new_context, page):
    visit = Visit(new_context, book.html.as_uri(), page, script=DRAWN, motion="reduce")
    root = visit.tab.locator(".attn-lab-root").first
    root.wait_for()
    found = {}
    for width, height in NARROW:
        visit.resize(width, height)
        root.get_by_role("button", name="reset").first.click()
        for chip in [None, *root.locator(".chip").all()]:
            if chip:
                visit.tab.evaluate("cutOff.clear()")
                chip.click()
            settled(visit.tab)
            root.locator(".picture").evaluate(UNDER_THE_HEADER)
            case = f"{width} px, {chip.inner_text() if chip else 'opened'}"
            found[case] = root.evaluate(UNCLEAR) + root.evaluate(COVERED)
    assert not {case: of for case, of in found.items() if of}, json.dumps(found, indent=2, ensure_ascii=False)


# What the first lab of a chapter shows once the reader presses this sentence, and not before: in its text, and alone on a canvas.
ANSWERS = {
    "chapters/01-whole-map": (0, ["(2, 3, 7, 7)"], ["S", "H", "−D", "+S"]),
    "chapters/03-view-vs-permute": (1, ["numbers of all heads", "12 are in place"], []),
    "chapters/16-einsum-to-hardware": (0, ["42", "864", "1,536"], []),
    "chapters/17-many-devices": (0, ["4,608", "2,304", "9,216"], []),
}
WRITTEN = """globalThis.written = new Set();
for (const method of ['fillText', 'strokeText']) {
  const draw = CanvasRenderingContext2D.prototype[method];
  CanvasRenderingContext2D.prototype[method] = function (text, ...more) {
    written.add(text);
    return draw.call(this, text, ...more);
  };
}"""


@pytest.mark.parametrize("page", ANSWERS)
def test_a_lab_does_not_open_on_the_answer_to_the_question_above_it(book, new_context, page):
    tab = Visit(new_context, book.html.as_uri(), page, script=WRITTEN).tab
    root = tab.locator(".attn-lab-root").first
    root.scroll_into_view_if_needed()
    hush(tab)
    pressed, said, drawn = ANSWERS[page]
    text, written = root.inner_text(), tab.evaluate("[...written]")
    assert [answer for answer in said if answer in text] == [] and not {*written} & {*drawn}
    assert len(written) > 10
    tab.locator(".attn-try").nth(pressed).click()
    seen = "([said, drawn]) => said.every(one => document.querySelector('.attn-lab-root').innerText.includes(one))"
    tab.wait_for_function(f"{seen} && drawn.every(one => written.has(one))", arg=[said, drawn])


def test_every_program_of_a_page_is_answered(book, new_context):
    """The first one needs the second script, and is asked again while the other one waits."""
    visit = Visit(new_context, book.html.as_uri(), "chapters/05-why-k-transpose")
    places = visit.tab.locator(".attn-lab[data-lab=code]")
    assert places.count() == 2
    places.first.scroll_into_view_if_needed()
    for n in range(2):
        places.nth(n).locator(".attn-lab-root[aria-busy=false]").wait_for(state="attached")
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
