"""The ways through the book: the chapters with their minutes, the field for an error message, the ten slides of one class."""

import html
import re

import pytest
from attn_slides import ten_numbers
from built_book import CHAPTERS, ROOT, Visit
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

ITEM = re.compile(
    r'<li><p><a class="reference internal" href="\.\./([^"]+)\.html">.*?</a> · (\d+) min, exercise (\d+) min</p></li>'
)
OWN = re.compile(r"(\d+) minutes, and (\d+) for Your turn;")
ROW = """Traceback (most recent call last):
  File "mine.py", line 12, in forward
RuntimeError: mat1 and mat2 shapes cannot be multiplied (60x4 and 24x24)"""


def hours(minutes: int) -> str:
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"


def test_the_list_has_every_chapter_in_order_with_the_minutes_of_its_own_page_and_their_sums(book):
    page = book.read("book/paths")
    listed = {name: (int(core), int(turn)) for name, core, turn in ITEM.findall(page)}
    assert list(listed) == CHAPTERS
    own = {name: tuple(map(int, OWN.search(book.read(name)).groups())) for name in CHAPTERS}
    assert listed == own
    total = [sum(of) for of in zip(*own.values(), strict=True)]
    assert f"all 19 chapters take {hours(total[0])}, or {hours(sum(total))} with theirs." in page
    early = [sum(of) for of in zip(*(own[name] for name in CHAPTERS[:13]), strict=True)]
    assert f"Parts I to III take {hours(early[0])}, or {hours(sum(early))} with the exercises" in page
    engine = [sum(of) for of in zip(*(own[name] for name in CHAPTERS[13:]), strict=True)]
    assert f"</strong> · {hours(engine[0])}, exercises {hours(engine[1])}</p>" in page


@pytest.mark.parametrize("page", ["book/paths", "book/errors"])
def test_a_traceback_that_is_pasted_into_the_field_is_explained_by_the_first_result(site, new_page, page):
    visit = Visit(new_page, site, page)
    visit.tab.get_by_label("Paste the message, with its numbers as they are:").fill(ROW)
    visit.tab.get_by_role("button", name="find it").click()
    first = visit.tab.locator("#search-results li a").first
    expect(first).to_have_attribute("href", re.compile(r"book/errors\.html.*#mat1-and-mat2-shapes-cannot-be-multiplied$"))
    assert visit.troubles == []


def test_without_scripts_there_is_no_field_and_nothing_is_said_of_one(book, new_context):
    tab = new_context(java_script_enabled=False).new_page()
    for page in ("book/paths", "book/errors"):
        tab.goto(f"{book.html.as_uri()}/{page}.html")
        assert tab.locator(".find-error").count() == 1 and not tab.locator(".find-error").is_visible()
        assert not re.search("paste (it|its message)", tab.locator("article").inner_text(), re.I)


def test_ten_of_the_slides_are_linked_first_and_marked(book):
    page = book.read("book/paths")
    (line,) = re.findall(r'<p class="slide-links">The ten: (.*?)</p>', page)
    linked = re.findall(r'href="#slide-(\d+)">\1</a>', line)
    slides = re.findall(r'<section id="slide-(\d+)">(.*?)</section>', page, re.S)
    assert linked == [number for number, slide in slides if "one of the ten" in html.unescape(slide)]
    assert len(linked) == 10 and f":ten: {' '.join(linked)}" in (ROOT / "book/paths.md").read_text("utf-8")
    for wrong in ("1 2 3", "1 1 2 3 4 5 6 7 8 9", "2 1 3 4 5 6 7 8 9 10"):
        with pytest.raises(ValueError, match="ten"):
            ten_numbers(wrong)
