"""The first page leads into the book, and every page says to search engines and messengers what it is about."""

import html
import io
import json
import re
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urljoin

import attn_cards
import pytest
import serve
from attn_pages import dark_figure_css
from built_book import CHAPTERS, PAGES, ROOT, TOC, Visit
from card_canvas import PICTURES, as_svg, canvas
from card_share import SIZE
from guards import fresh_processes
from PIL import Image
from playwright.sync_api import expect
from small_book import PRELOADED, SmallBook

FIRST = TOC["root"]
NAME = re.search(r'^title: "(.+)"$', (ROOT / "_config.yml").read_text("utf-8"), re.M)[1]
SCREENS = [(1280, 800), (390, 844)]
# Scrolls to the end of the core until it counts as read: a lab that is still being built moves the end away.
READ_TO_THE_END = """() => {
  document.querySelector('#in-one-minute h2').scrollIntoView();
  return document.querySelector('.bd-sidebar-primary a.read') !== null;
}"""
POLLING = 50  # milliseconds between two of these steps: with each frame, most of the time goes into scrolling
SMALLEST = 10  # points of text in a picture, which is about as large on the page
# The tags of the elements of the article that begin on the first screen, in their order, with the names of labs.
ON_SCREEN = """() => [...document.querySelectorAll('article.bd-article :is(h1, h2, p, pre, .highlight, .attn-lab, a.start, img)')]
  .filter(e => e.checkVisibility() && e.getBoundingClientRect().top < innerHeight && !e.parentElement.closest('.attn-lab'))
  .map(e => e.dataset.lab ? 'lab ' + e.dataset.lab : e.matches('a.start') ? 'start' : e.tagName.toLowerCase())"""
# Removes everything that comes after the film.
AFTER_THE_FILM = """() => {
  for (let e = document.querySelector('[data-lab="film"]'); e !== document.body; e = e.parentElement)
    while (e.nextSibling) e.nextSibling.remove();
}"""
CODE = {"pre", "div"}  # a listing is a <pre> in a <div class="highlight">
CARD = re.compile(
    r'<div class="sd-card [^"]*chapter-card[^"]*">(.*?)<a class="sd-stretched-link[^"]*" href="([^"]+)">(.*?)</a>', re.S
)


def text(markup: str) -> str:
    """The text between tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).replace("’", "'").split())


def tags(page: str) -> dict[str, str]:
    """The names and contents of the <meta> elements of a page."""
    found = re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)"', page)
    return {name: html.unescape(content).replace("’", "'") for name, content in found}


def title_of(page: str) -> str:
    (found,) = re.findall(r"<title>(.*?)</title>", page, re.S)
    return text(found)


def heading_of(page: str) -> str:
    (found,) = re.findall(r'<h1>((?:(?!</h1>).)*)<a class="headerlink"', page, re.S)
    return text(found)


@pytest.mark.slow
def test_the_name_of_the_book_is_the_title_of_the_first_page_once_and_its_heading_says_something_else(book):
    assert title_of(book.read(FIRST)) == NAME
    assert NAME not in heading_of(book.read(FIRST))
    for page in PAGES[1:]:
        assert title_of(book.read(page)).count(NAME) == 1


@pytest.mark.slow
def test_every_chapter_has_a_card_with_its_number_its_title_a_sentence_a_picture_and_a_link(book):
    cards = CARD.findall(book.read(FIRST))
    assert [urljoin(f"{FIRST}.html", link) for _, link, _ in cards] == [f"{chapter}.html" for chapter in CHAPTERS]
    for chapter, (card, _, label) in zip(CHAPTERS, cards, strict=True):
        number = int(Path(chapter).name[:2])
        heading = text(re.search(r"^# (.+)$", (ROOT / f"{chapter}.md").read_text("utf-8"), re.M)[1]).replace("`", "")
        title, sentence = re.search(r'sd-card-title[^"]*">(.*?)</div>\s*<p class="sd-card-text">(.*?)</p>', card, re.S).groups()
        assert text(title) == f"{number}. {heading.partition(':')[0]}"
        assert text(label) == f"Chapter {number}: {heading}"
        assert re.fullmatch(r"[A-Z].{30,130}\.", text(sentence)), sentence
        alt, source = re.search(r'<img alt="([^"]*)"[^>]* src="([^"]*)"', card).groups()
        assert len(alt) > 60 and alt.endswith("."), f"{chapter}: the text says what there is to see"
        picture = (book.html / Path(FIRST).parent / source).read_text("utf-8")
        assert "<svg" in picture and dark_figure_css() in picture


@pytest.mark.slow
def test_each_of_the_four_parts_is_a_heading_above_its_cards(book):
    page = book.read(FIRST)
    parts = [part["caption"] for part in TOC["parts"] if part["chapters"][0]["file"] in CHAPTERS]
    sections = re.findall(r'<h2>([^<]+)<a class="headerlink"[^>]*>[^<]*</a></h2>(.*?)</section>', page, re.S)
    assert sections.pop(0)[0] == "Same shape, one is wrong: which?"
    assert [heading for heading, _ in sections][: len(parts)] == parts
    assert len(parts) == 4 and all("chapter-card" in section for _, section in sections[:4])
    assert not any("chapter-card" in section for _, section in sections[4:])


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_the_first_screen_shows_the_film_before_all_else_and_no_code(book, new_page, screen):
    visit = Visit(new_page, book.html.as_uri(), FIRST)
    visit.resize(*screen)
    seen = visit.tab.evaluate(ON_SCREEN)
    assert seen[0] == "lab film"
    assert screen[0] < 1000 or "start" in seen
    assert not CODE & set(seen)
    film = visit.tab.locator(".attn-lab").first
    place = film.bounding_box()
    assert place["y"] < 100
    # A browser that waits for the rest of the page has drawn the film where it stays.
    visit.tab.evaluate(AFTER_THE_FILM)
    assert film.bounding_box() == place
    assert visit.troubles == []


@pytest.mark.slow
def test_every_page_has_a_title_a_description_and_a_picture_of_its_own_for_messengers(book):
    pages = {page: tags(book.read(page)) for page in PAGES}
    for page, of in pages.items():
        assert of["og:title"] == (NAME if page == FIRST else re.sub(r"^\d+\. ", "", heading_of(book.read(page)))), page
        assert of["og:type"] == ("website" if page == FIRST else "article"), page
        assert of["description"] == of["og:description"], page
        assert 40 <= len(of["description"]) <= 300 and of["description"].endswith((".", "?", "!")), page
        assert not re.search(r"[`<>\\]|\*\*", of["description"]), page
        with Image.open(book.html / Path(page).parent / of["og:image"]) as picture:
            assert picture.format == "PNG" and picture.size == SIZE == (1200, 630), page
    for name in ("og:title", "description", "og:image"):
        assert len({of[name] for of in pages.values()}) == len(PAGES), name


PAGE = """---
orphan: true
---
# {title}

```{{admonition}} Aside
This is no first paragraph.
```

{text}
"""
DESCRIPTIONS = {
    "one": ("Words are *rows* of `x`. Keys\nare & rows.\n\nMore.", "Words are rows of x. Keys are & rows."),
    "list": ("After this you can\n\n- say *what*,\n- say why.", "After this you can say what and say why."),
    "long": ("A short start. " + "An end that is too long " * 9 + "\\.", "A short start."),
    "button": ("[Start](#one)\n\nThe first sentence ends here.", "The first sentence ends here."),
}


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A book of four pages, without an address and with one."""
    books = []
    with fresh_processes(*PRELOADED, "matplotlib.figure") as processes:
        for address in ("", "https://example.org/attention/"):
            settings = f"""
extensions = ["myst_parser", "attn_meta"]
project = html_title = "The book"
html_baseurl = "{address}"
html_theme = "basic"
root_doc = "chapters/one"
exclude_patterns = ["out"]
suppress_warnings = ["toc.not_included", "myst.xref_missing"]
"""
            small = SmallBook(tmp_path_factory.mktemp("book"), processes, settings)
            for name, (body, _) in DESCRIPTIONS.items():
                small.write(f"chapters/{name}", PAGE.format(title=f"Page `{name}`", text=body))
            small.build()
            books.append(small)
        yield books


@pytest.mark.slow
@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_a_description_is_the_first_paragraph_as_plain_text_cut_at_a_sentence(published, name):
    assert tags(published[0].read(f"chapters/{name}"))["description"] == DESCRIPTIONS[name][1]


@pytest.mark.slow
def test_the_address_of_a_picture_is_whole_where_the_book_is_published_and_relative_elsewhere(published):
    here, there = (tags(book.read("chapters/list")) for book in published)
    assert re.fullmatch(r"\.\./_static/og/chapters-list-\w+\.png", here["og:image"])
    assert there["og:image"] == urljoin("https://example.org/attention/chapters/", here["og:image"])
    assert there["og:url"] == "https://example.org/attention/chapters/list.html" and "og:url" not in here
    assert (published[0].html / "chapters" / here["og:image"]).exists()


@pytest.mark.slow
def test_a_picture_is_drawn_again_when_its_title_has_changed_and_at_no_other_time(published):
    book = published[0]
    folder = book.html / "_static" / "og"
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    book.write("chapters/long", PAGE.format(title="Page `long`", text="Another text."))
    book.write("chapters/list", PAGE.format(title="Another title", text="The same."))
    book.build()
    after = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert len(after) == len(before)
    assert {name[:13] for name in after.items() ^ before.items() for name in name[:1]} == {"chapters-list"}


def test_pictures_of_cards_are_kept_until_what_draws_them_changes(tmp_path, monkeypatch):
    app, drawn = SimpleNamespace(outdir=tmp_path / "html"), []
    monkeypatch.setattr(attn_cards, "as_svg", lambda page: drawn.append(page) or page)
    for digest, count in (("one", len(PICTURES)), ("one", 0), ("two", len(PICTURES))):
        monkeypatch.setattr(attn_cards, "digest_of_pictures", lambda digest=digest: digest)
        drawn.clear()
        attn_cards.draw_pictures(app)
        assert len(drawn) == count
        assert [path.name for path in (tmp_path / attn_cards.FOLDER).iterdir()] == [digest]


@pytest.mark.parametrize("page", PICTURES)
def test_the_text_of_a_picture_is_whole_large_enough_and_readable_in_both_themes(page):
    figure, ax = canvas()
    PICTURES[page].draw(ax)
    edge = figure.bbox
    words = [words for words in ax.texts if words.get_text()]
    assert words
    for word in words:
        box = word.get_window_extent()
        assert edge.x0 <= box.x0 and edge.y0 <= box.y0 and box.x1 <= edge.x1 and box.y1 <= edge.y1, word.get_text()
        assert word.get_fontsize() >= SMALLEST, word.get_text()
        assert f'"fill: {word.get_color()}' in dark_figure_css(), f"{word.get_text()}: a dark page does not change this colour"


def test_a_picture_is_the_same_every_time():
    page = "chapters/05-why-k-transpose"
    assert as_svg(page) == as_svg(page)
    assert io.StringIO(as_svg(page)).read().count("<svg") == 1


@pytest.mark.slow
def test_what_was_read_is_marked_and_the_first_page_goes_on_there_until_it_is_asked_to_forget(site, new_page):
    # With pages from disk, Chromium in some new contexts never shows a process what another one has kept: another context is tried.
    for _ in range(4 if site.startswith("file:") else 1):
        tab = Visit(new_page, site, CHAPTERS[0]).tab
        tab.locator("details.guess:not(.right) > summary").first.click()
        tab.wait_for_function(READ_TO_THE_END, polling=POLLING)
        assert json.loads(tab.evaluate("localStorage['attn:read']")) == [CHAPTERS[0]]
        tab.goto(f"{site}/{FIRST}.html")
        told, start = tab.locator(".progress"), tab.locator("a.start")
        if told.is_visible():
            break
    expect(told).to_contain_text(f"read 1 of {len(CHAPTERS)} chapters. Your first guess was right for 0 of 1 question.")
    expect(start).to_have_text("Continue with chapter 2")
    assert start.get_attribute("href").endswith(f"{CHAPTERS[1]}.html") and tab.locator(".sd-card:has(a.read)").count() == 1
    told.get_by_role("button", name="forget my progress").click()
    expect(told).to_be_hidden()
    expect(start).to_have_text("Start with chapter 1")
    assert tab.locator("a.read").count() == 0
    assert not tab.evaluate("Object.keys(localStorage).filter(key => /read|guesses|right/.test(key))")


@pytest.mark.slow
def test_the_first_page_in_another_tab_learns_what_was_read(served, new_page):
    tab = Visit(new_page, served, CHAPTERS[0]).tab
    other = tab.context.new_page()
    other.goto(f"{served}/{FIRST}.html")
    expect(other.locator("a.start")).to_have_text("Start with chapter 1")
    tab.wait_for_function(READ_TO_THE_END, polling=POLLING)
    expect(other.locator("a.start")).to_have_text("Continue with chapter 2")


FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
REFUSED = "Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('refused', 'SecurityError'); } });"


# Puts a text in the place of what is kept, for a page that is loaded again and shown from its beginning.
DAMAGE = """([keys, text]) => {
  for (const key of keys) localStorage[key] = text;
  history.scrollRestoration = 'manual';
}"""


@pytest.mark.slow
def test_a_damaged_value_counts_as_none_and_the_next_one_takes_its_place(served, new_context, subtests):
    tab = new_context().new_page()
    errors = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(f"{served}/{CHAPTERS[0]}.html")
    keys = ["attn:read", *(f"attn:{kind}:{CHAPTERS[0]}.html" for kind in ("guesses", "right"))]
    for damaged in ("{", "null", "3", '"all"', "{}", "[]", '{"x": 1}'):
        with subtests.test(damaged=damaged):
            errors.clear()
            tab.evaluate(DAMAGE, [keys, damaged])
            tab.reload()
            tab.evaluate("document.querySelectorAll('.attn-lab').forEach(lab => lab.remove())")  # they take time to build
            tab.locator("details.guess:not(.right) > summary").first.click()
            expect(tab.locator("p.guesses")).to_contain_text("Your first guess was right for 0 of")
            assert tab.evaluate("localStorage['attn:read']") == damaged
            tab.wait_for_function(READ_TO_THE_END, polling=POLLING)
            assert CHAPTERS[0] in json.loads(tab.evaluate("localStorage['attn:read']")) and not errors


@pytest.mark.slow
@pytest.mark.parametrize("script", [REFUSED, FULL], ids=["refused", "full"])
def test_where_the_browser_keeps_nothing_the_page_keeps_it_as_long_as_it_is_open(book, new_context, script):
    context = new_context()
    context.add_init_script(script)
    tab = context.new_page()
    tab.goto((book.html / f"{CHAPTERS[0]}.html").as_uri())
    tab.locator("details.guess:not(.right) > summary").first.click()
    expect(tab.locator("p.guesses")).to_contain_text("right for 0 of 1 question.")
    switch = tab.locator("button.code-switch")
    for pressed in ("true", "false"):
        switch.click()
        assert switch.get_attribute("aria-pressed") == pressed


@pytest.fixture
def address(book):
    """Of the book on a host that shows 404.html for what it does not find."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(serve.Handler, directory=str(book.html))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
def test_an_address_that_does_not_exist_leads_to_the_first_page(address, new_context):
    tab = new_context().new_page()
    assert tab.goto(f"{address}/chapters/05-nothing.html").status == 404
    tab.get_by_role("link", name="first page").click()
    tab.wait_for_url(f"**/{FIRST}.html")


@pytest.mark.slow
def test_the_link_of_the_page_that_does_not_exist_goes_up(address, new_context):
    tab = new_context().new_page()
    first = {
        "/attention-book/chapters/05-x.html": "/attention-book/",
        "/book/chapters/x.html": "/book/",
        "/book/book/x.html": "/book/",
        "/chapters/deep/er/x.html": "/",
        "/notebook/nothing": "/notebook/",
        "/attention/foo/bar": "/attention/foo/",
        "/attention/foo/": "/attention/",
        "/nothing": "/",
    }
    found = {}
    for path in first:
        assert tab.goto(f"{address}{path}").status == 404
        found[path] = tab.get_by_role("link", name="first page").evaluate("link => link.pathname")
    assert found == first
