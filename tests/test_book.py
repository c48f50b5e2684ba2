"""The files of the built book: links have targets, chapters are also notebooks, no page is too large or contains private paths."""

import base64
import gzip
import hashlib
import html
import re
import tempfile
import urllib.parse
from pathlib import Path

import nbformat
import pytest
from attn_index import GLOSSARY, entries
from attn_sources import claims
from bugs_found import FOUND
from built_book import CHAPTERS, PAGES, ROOT, make

pytestmark = pytest.mark.slow

HEAVIEST = 150 * 1024  # bytes of a page: its HTML with our script and style, without what was recorded
# Chapters with several labs or a large table, which may have 180 KB.
TOO_LONG = tuple(f"chapters/{number:02}-" for number in (1, 5, 6, 8, 10, 11, 12, 13, 14, 16, 17))
ATLAS = "chapters/09-"  # it calls every entry point of PyTorch and may have 200 KB
FRONT = "book/index"  # it has a card for each chapter, and may have 165 KB
RECORDED = 300 * 1024  # bytes of a recorded training, on the page of TrainingLab
WEIGHTS = re.compile(r"=\{classes:\{[^=]*\}(?=[,;](?:const )?[\w$]+=)")  # of the recorded layer, in the script


def test_the_book_is_built_without_a_warning(book, record_property):
    record_property("make book, with what was built before", f"{book.seconds:.0f} s")
    assert (book.html / "index.html").exists()


def test_make_notebooks_writes_every_chapter_as_a_notebook_without_outputs():
    written = make("notebooks")
    assert written.returncode == 0, written.stdout
    for page in CHAPTERS:
        notebook = nbformat.read(ROOT / "_build" / "notebooks" / f"{Path(page).name}.ipynb", as_version=4)
        nbformat.validate(notebook)
        assert not any(cell.get("outputs") for cell in notebook.cells)


def test_every_link_leads_somewhere(book):
    texts = {
        path: path.read_text("utf-8") for page in [*PAGES, "index", "search", "genindex"] for path in [book.html / f"{page}.html"]
    }
    broken = []
    for path, text in texts.items():
        for link in set(re.findall(r'\b(?:href|src)="([^"]*)"', text)):
            url = urllib.parse.urlsplit(link.replace("&amp;", "&"))
            if url.scheme or link.startswith("//"):
                continue
            target = path if not url.path else (path.parent / urllib.parse.unquote(url.path)).resolve()
            if not target.is_file() or (url.fragment and not has_place(texts[target], urllib.parse.unquote(url.fragment))):
                broken.append(f"{path.relative_to(book.html)} -> {link}")
    assert broken == []


def test_every_page_names_each_of_its_scripts_in_its_policy_and_has_no_handler_in_an_attribute(book):
    pages = [path for folder in (".", "book", "chapters") for path in (book.html / folder).glob("*.html")]
    assert {"404.html", "search.html"} < {path.name for path in pages}
    for path in pages:
        text = path.read_text("utf-8")
        scripts = re.findall(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", text, re.S)
        markup = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", text, flags=re.S)
        assert not re.search(r"<[^>]*\son\w+=|javascript:", markup), path.name
        policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
        assert policy or not scripts, path.name
        for script in scripts:
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in policy[1], f"{path.name}: {script[:80]}"


def has_place(page: str, fragment: str) -> bool:
    """Whether a page has an element with this id. The labs have theirs, lab-1 and so on, when they are drawn."""
    lab = re.match(r"lab-(\d+)(?=\?|$)", fragment)
    return page.count('data-lab="') >= int(lab[1]) if lab else f'id="{fragment}"' in page


def test_the_style_sheet_of_icons_has_those_that_pages_show_and_no_page_loads_all_icons(book):
    """That they are drawn is seen in the browser, in the visit of each page."""
    texts = [book.read(page) for page in [*PAGES, "search", "genindex", "404"]]
    shown = {name for text in texts for name in re.findall(r'class="[^"]*\bfa-(?!solid|lg)([a-z-]+)', text)}
    sheet = (book.html / "_static" / "icons.css").read_text("utf-8")
    assert shown | {"angle-down", "rocket"} == {*re.findall(r"\.fa-([a-z-]+)[^{]*\{ --icon", sheet)}
    assert len(sheet) < 10_000
    assert not any("fontawesome" in text for text in texts) and not (book.html / "_static" / "vendor" / "fontawesome").exists()


def test_the_index_has_every_term_of_the_glossary(book):
    """That its links lead somewhere is tested above."""
    listed = re.findall(r'<li><a href="[^"]*"><strong>(.*?)</strong>', book.read("genindex"))
    missing = {name for name, _ in entries(ROOT / f"{GLOSSARY}.md")} - set(map(html.unescape, listed))
    assert missing == set()


def test_no_page_contains_a_path_of_the_machine_that_built_it(book):
    private = [str(ROOT), f"{Path.home()}/", f"{tempfile.gettempdir()}/", "site-packages"]
    for path in book.html.rglob("*"):
        if path.suffix in {".html", ".svg", ".ipynb", ".md"} or path.name == "searchindex.js":
            text = path.read_text("utf-8")
            assert not [name for name in private if name in text], path.relative_to(book.html)


def test_every_chapter_offers_its_notebook(book):
    for page in CHAPTERS:
        (link,) = re.findall(r'<a href="([^"]+)"[^>]*class="[^"]*btn-download-notebook-button', book.read(page))
        notebook = nbformat.read((book.html / page).parent / link, as_version=4)
        nbformat.validate(notebook)
        assert any(cell.cell_type == "code" for cell in notebook.cells)


def test_every_formula_is_there_without_a_script_and_some_page_has_figures(book):
    pages = {page: book.read(page) for page in CHAPTERS}
    for page, text in pages.items():
        written = re.sub(r"^```.*?^```$", "", (ROOT / f"{page}.md").read_text("utf-8"), flags=re.S | re.M)
        blocks, rest = len(re.findall(r"^\$\$\n.*?\n\$\$$", written, re.S | re.M)), re.sub(r"\$\$.*?\$\$", "", written, flags=re.S)
        assert text.count('<div class="math"><math display="block">') == blocks, page
        assert text.count('<span class="math"><math>') == len(re.findall(r"(?<![\\$])\$[^$\n]+\$", rest)), page
    assert sum("<math" in text for text in pages.values()) > 5
    assert any("_images/" in text for text in pages.values())


def test_no_page_is_too_large_and_each_has_the_script_of_its_labs_once(book):
    for page in PAGES:
        html = book.read(page)
        recorded = sum(map(len, re.findall(r"data-lab=\"training\" data-state='([^']*)'", html)))
        assert recorded <= RECORDED, page
        weights = sum(map(len, WEIGHTS.findall(html)))
        assert weights <= 12 * 1024, page
        assert len(html.encode()) - recorded - weights <= _limit(page), page
        assert html.count("renderAll(") == (1 if 'class="attn-lab' in html else 0), page
        assert not re.search(r"widget-state|require\.js|unpkg", html)


def test_the_script_that_a_page_loads_for_codelab_has_70_kilobytes_compressed_with_its_style(book):
    """What few programs need is in a second one."""
    loaded = {name for page in PAGES for name in re.findall(r"_static/labs/(code-\w{8}\.js)", book.read(page))}
    assert len(loaded) == 1
    (script,) = loaded
    assert len(gzip.compress((book.html / "_static" / "labs" / script).read_bytes(), 9)) <= 70 * 1024


def _limit(page: str) -> int:
    if page == FRONT:
        return 165 * 1024
    return 200 * 1024 if page.startswith(ATLAS) else 180 * 1024 if page.startswith(TOO_LONG) else HEAVIEST


def test_the_page_of_sources_lists_every_correction_of_every_chapter_with_its_link(book):
    lists = re.findall(r'<dl class="[^"]*corrections">(.*?)</dl>', book.read("book/sources"), re.S)
    listed = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", "".join(lists), re.S)
    texts = {chapter: (ROOT / f"{chapter}.md").read_text("utf-8") for chapter in CHAPTERS}
    home = {label: chapter for chapter in CHAPTERS for label in re.findall(r"^:?label: ([\w-]+)$", texts[chapter], re.M)}
    corrections = [claim.verdict for chapter in CHAPTERS for claim in claims(ROOT / f"{chapter}.md") if not claim.right]
    links = [[f"../{home[label]}.html#{label}" for label in re.findall(r"\]\(#([\w-]+)\)", verdict)] for verdict in corrections]
    assert [plain(re.sub(r"<[^>]+>", "", verdict)) for _, verdict in listed] == [plain(verdict) for verdict in corrections]
    assert [re.findall(r'href="([^"]+#[^"]+)"', verdict) for _, verdict in listed] == links


def plain(text: str) -> str:
    """The letters and digits of a text, without markup."""
    text = re.sub(r"\]\([^)]*\)|&\w+;|\{doc\}`[^`]*`", "", text)
    return "".join(re.findall(r"[^\W_]", text))


def test_the_page_of_bugs_has_the_marks_that_are_recorded(book):
    rows = re.findall(r'<tr><th scope="row">.*?<span>(.*?)</span></th>(.*?)</tr>', book.read("book/right-line-wrong-line"))
    marks = {}
    for name, cells in rows:
        found = [re.sub("<.*?>", "", cell) or "·" for cell in re.findall(r"<td.*?</td>", cells)[3:]]
        marks[html.unescape(name)] = "".join(mark if len(mark) == 1 else "·" * 15 for mark in found)
    assert marks == FOUND


def test_the_cheat_sheet_is_one_page_of_a4_with_text_that_can_be_searched(book):
    pdf = (book.html / "_static" / "cheat-sheet.pdf").read_bytes()
    assert b"/Count 1" in pdf
    assert re.search(rb"/MediaBox \[ 0 0 595 842 \]", pdf)
    assert b"/Subtype /Type3" not in pdf and b"/FontFile2" in pdf
    assert 'href="../_static/cheat-sheet.pdf"' in book.read("book/cheat-sheet")
