"""`make pdf`, with two pages of the book. Chromium writes bookmarks and descriptions of pictures as plain text into a PDF."""

import html
import re

import pytest
from book_pdf import Entry, destinations, open_tab, page_objects, print_book, read

pytestmark = pytest.mark.slow

PAGES = ("book/index", "chapters/03-view-vs-permute")
TEXT = rb"\((?:[^()\\]|\\.)*\)|<[\dA-F]*>"  # a string, or one in UTF-16 as hexadecimal digits


@pytest.fixture(scope="module")
def printed(book, browser):
    """The two pages as they are in the document, and the PDF."""
    entries = [Entry(page, "") for page in PAGES]
    return entries, print_book(browser, entries)


def text_of(string: bytes) -> str:
    if string.startswith(b"<"):
        return bytes.fromhex(string[1:-1].decode()).decode("utf-16")
    return re.sub(r"\\(.)", r"\1", string[1:-1].decode("latin-1"))


def with_page(pdf: bytes, pattern: bytes) -> list[tuple[str, int]]:
    """The texts that this pattern finds, and the numbers of their pages."""
    order = {number: n + 1 for n, number in enumerate(page_objects(pdf))}
    return [(text_of(text), order[page]) for text, page in re.findall(pattern % TEXT, pdf)]


def bookmarks(pdf: bytes) -> dict[str, int]:
    found = with_page(pdf, rb"<</Title (%s)\s/Dest \[(\d+) 0 R")
    assert len(dict(found)) == len(found)
    return dict(found)


def plain(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).split())


def test_each_heading_of_a_page_is_one_bookmark_with_its_words(printed):
    entries, pdf = printed
    articles = "".join(entry.article for entry in entries)
    headings = {plain(heading) for heading in re.findall(r"<h[123][ >].*?</h[123]>", articles, re.S)}
    assert {"3. view is not permute", "The question", "I · Seeing shapes"} < headings
    assert set(bookmarks(pdf)) == headings | {"Attention, one shape at a time", "Contents"}


def test_the_table_of_contents_knows_on_which_page_each_page_of_the_book_begins(printed):
    entries, pdf = printed
    marks = bookmarks(pdf)
    assert destinations(pdf) == {f"p{n}": marks[entry.title] for n, entry in enumerate(entries)} | {
        "p0": marks["Contents"] + 1  # the first page begins with the film, and its heading comes after it
    }


def test_a_lab_is_a_picture_with_its_sentence_below_it_once(printed):
    entries, pdf = printed
    figures = re.findall(r'<figure class="lab-picture">(.*?)</figure>', entries[0].article + entries[1].article, re.S)
    assert len(figures) == 5
    descriptions = [text for text, _ in with_page(pdf, rb"/Alt (%s)\n/P \d+ 0 R\n/Pg (\d+) 0 R")]
    for figure in figures:
        (alt,) = re.findall(r'<img[^>]* alt="([^"]*)"', figure)
        assert html.unescape(alt) in descriptions
        sentence = plain(figure.partition("<figcaption>")[2].partition("<a ")[0])
        assert sentence.endswith((".", "?", ")"))
        assert html.unescape(figure).count(sentence) == 1
        assert sentence not in descriptions


# The labs whose picture is covered by their own sentence, wherever the picture is scrolled to.
COVERED = """() => [...document.querySelectorAll('article .attn-lab-root')].flatMap(lab => ['start', 'center', 'end'].map(block => {
  const [picture, telling] = ['.picture', '.telling'].map(part => lab.querySelector(part));
  picture.scrollIntoView({ block });
  const [above, below] = [picture, telling].map(part => part.getBoundingClientRect());
  return below.top < above.bottom - 1 && below.bottom > above.top + 1 && `${lab.dataset.name} ${block}`;
})).filter(Boolean)"""


def test_no_sentence_covers_the_picture_of_a_lab_while_it_is_taken(book, browser):
    entries, pictures = [Entry("chapters/03-view-vs-permute", "")], {}
    tab = open_tab(browser, pictures)
    read(tab, 0, entries[0], entries, pictures)
    assert len(pictures) == 3
    assert tab.evaluate(COVERED) == []
    tab.context.close()


def test_the_film_on_paper_is_its_last_picture(printed):
    entries, _ = printed
    assert "has gathered girls, gold and today" in entries[0].article


def test_the_cards_of_a_part_are_on_the_page_of_its_heading(printed):
    entries, pdf = printed
    marks = bookmarks(pdf)
    places = dict(with_page(pdf, rb"/Alt (%s)\n/P \d+ 0 R\n/Pg (\d+) 0 R"))
    cards = 0
    for section in re.findall(r'<section id="p0-i[^"]*">.*?</section>', entries[0].article, re.S):
        heading = plain(re.search(r"<h2.*?</h2>", section, re.S)[0])
        for alt in re.findall(r'<img alt="([^"]*)" class="sd-card-img-top', section):
            assert places[html.unescape(alt)] == marks[heading], (heading, alt)
            cards += 1
    assert cards == 19
