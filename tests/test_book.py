"""The built book: every page opens without an error, in both themes, on a phone; every link leads somewhere."""

import re
import runpy
import tempfile
import urllib.parse
from io import BytesIO
from pathlib import Path

import nbformat
import numpy as np
import pytest
from built_book import CHAPTERS, PAGES, ROOT, TOC, Visit, run
from PIL import Image

pytestmark = pytest.mark.slow


def too_wide(tab) -> list[str]:
    """The elements that make the page scroll sideways, if it does."""
    return tab.evaluate(
        """() => { const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= width) return [];
          return [...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > width + 1)
            .map(e => e.tagName + "." + e.className).slice(0, 10); }"""
    )


def test_make_book_works_in_a_clean_clone(clone, record_property):
    record_property("make book in a clean clone, with the install", f"{clone.seconds:.0f} s")
    index = clone.html / "index.html"
    assert index.exists()
    assert re.fullmatch(rf"Open {re.escape(str(index))} \(built in \d+ s\)", clone.output.splitlines()[-1])
    assert "WARNING" not in clone.output


def test_a_second_run_installs_nothing(clone):
    assert run(["make", "--question", ".venv/ready"], clone.path).returncode == 0


def test_nothing_that_is_built_shows_up_in_git(clone):
    assert run(["git", "ls-files", "--others", "--modified", "--exclude-standard"], clone.path).stdout == ""


def test_make_notebooks_writes_every_chapter_as_a_notebook_without_outputs(clone):
    written = clone.make("notebooks")
    assert written.returncode == 0, written.stdout
    paths = sorted((clone.path / "_build" / "notebooks").glob("*.ipynb"))
    assert [path.stem for path in paths] == [Path(page).name for page in CHAPTERS]
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert not any(cell.get("outputs") for cell in notebook.cells)


def test_every_link_leads_somewhere(clone):
    broken = []
    pages = [path for path in clone.html.rglob("*.html") if "_static" not in path.parts]  # there the theme keeps templates
    for path in pages:
        for link in re.findall(r'\b(?:href|src)="([^"]*)"', path.read_text("utf-8")):
            url = urllib.parse.urlsplit(link.replace("&amp;", "&"))
            if url.scheme or link.startswith("//"):
                continue
            target = path if not url.path else (path.parent / urllib.parse.unquote(url.path)).resolve()
            lost = url.fragment and f'id="{urllib.parse.unquote(url.fragment)}"' not in target.read_text("utf-8")
            if not target.is_file() or lost:
                broken.append(f"{path.relative_to(clone.html)} -> {link}")
    assert broken == []


def test_no_page_names_a_path_of_the_machine_that_built_it(clone):
    private = [str(clone.path), str(ROOT), f"{Path.home()}/", f"{tempfile.gettempdir()}/", "site-packages"]
    for path in clone.html.rglob("*"):
        if path.suffix in {".html", ".svg", ".ipynb", ".md"} or path.name == "searchindex.js":
            text = path.read_text("utf-8")
            assert not [name for name in private if name in text], path.relative_to(clone.html)


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_chapter_offers_its_notebook(clone, page):
    button = r'<a href="([^"]+)"[^>]*class="[^"]*btn-download-notebook-button'
    (link,) = re.findall(button, (clone.html / f"{page}.html").read_text("utf-8"))
    notebook = nbformat.read((clone.html / page).parent / link, as_version=4)
    nbformat.validate(notebook)
    assert any(cell.cell_type == "code" for cell in notebook.cells)


@pytest.mark.parametrize("page", [*PAGES, "search", "genindex"])
def test_pages_open_without_an_error_and_fit_the_screen(site, browser, page):
    with Visit(browser, site, page) as visit:
        tab = visit.tab
        assert too_wide(tab) == []
        tab.set_viewport_size({"width": 390, "height": 844})
        tab.evaluate("document.querySelectorAll('details').forEach(e => { e.removeAttribute('name'); e.open = true; })")
        assert too_wide(tab) == []
        assert tab.locator("h1:visible").count() == 1  # the theme keeps a second one for print
        for image in tab.locator("main img").all():
            image.scroll_into_view_if_needed()
            assert image.get_attribute("alt")
            assert image.evaluate("e => e.decode().then(() => e.naturalWidth)") > 0
        assert tab.locator("mjx-merror").count() == 0
        assert tab.locator("mjx-container").count() == tab.locator(".math").count()
        assert visit.troubles == []


def test_some_page_has_formulas_and_some_page_has_figures(clone):
    pages = [(clone.html / f"{page}.html").read_text("utf-8") for page in CHAPTERS]
    assert any('class="math' in page for page in pages)
    assert any("_images/" in page for page in pages)


def test_a_page_that_is_amended_by_every_build_stays_as_the_first_one_made_it():
    amended = runpy.run_path(str(ROOT / "book" / "_ext" / "attn_pages.py"))["AMENDED"]
    pages = ['<figure>\n<img alt="a map" src="../_images/1f.svg" />\n</figure> <span class="n">x</span>']
    for _ in range(2):
        page = pages[-1]
        for pattern, replacement in amended.items():
            page = re.sub(pattern, replacement, page)
        pages.append(page)
    assert pages[1].count('<a href="../_images/1f.svg"><img') == 1
    assert pages[2] == pages[1] != pages[0]


def test_the_start_page_leads_into_the_book(site, browser):
    tab = browser.new_page()
    tab.goto(f"{site}/index.html")
    tab.wait_for_url(f"**/{TOC['root']}.html")
    tab.locator(".attn-table").first.wait_for()
    tab.close()


def test_search_finds_a_word(site, browser):
    with Visit(browser, site, "search") as visit:
        visit.tab.goto(f"{site}/search.html?q=heads")
        visit.tab.locator("#search-results li").first.wait_for()
        assert visit.troubles == []


@pytest.mark.parametrize("page", CHAPTERS)
def test_questions_answer_on_the_page_and_with_the_keyboard(clone, browser, page):
    with Visit(browser, clone.html.as_uri(), page) as visit:
        for question in visit.tab.locator("div.predict").all():
            guesses = question.locator("details.guess")
            marks = [mark(guess) for guess in guesses.all()]
            assert len(set(marks)) == 1, "a closed guess betrays whether it is right"
            for guess in guesses.all():
                guess.locator("summary").focus()
                visit.tab.keyboard.press("Enter")
                assert guess.evaluate("e => e.open")
                assert mark(guess).startswith('"✓"' if "right" in guess.get_attribute("class").split() else '"✗"')
            assert question.locator("details[open]").count() == 1


def mark(guess) -> str:
    return guess.evaluate("e => getComputedStyle(e.querySelector('summary'), '::before').content")


@pytest.mark.parametrize("page", PAGES)
def test_figures_labs_and_pages_follow_the_theme_switch(clone, browser, page):
    edges, labs = {}, {}
    for theme in ("light", "dark"):
        with Visit(browser, clone.html.as_uri(), page, theme=theme) as visit:
            figures = visit.tab.locator("main img[src$='.svg']").all()
            pixels = [np.asarray(Image.open(BytesIO(figure.screenshot())).convert("L")) for figure in figures]
            edges[theme] = [float(np.median(np.concatenate([p[0], p[-1], p[:, 0], p[:, -1]]))) for p in pixels]
            page_is = visit.tab.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (np.mean([int(n) for n in re.findall(r"\d+", page_is)[:3]]) > 128) == (theme == "light")
            containers = visit.tab.locator(".attn-lab").count()
            visit.tab.wait_for_function("n => document.querySelectorAll('.attn-lab-root').length === n", arg=containers)
            ink = "nodes => nodes.map(node => getComputedStyle(node).color)"
            labs[theme] = visit.tab.locator(".attn-lab-root").evaluate_all(ink)
    assert all(value > 200 for value in edges["light"]), "figures on a light page have a dark edge"
    assert all(value < 60 for value in edges["dark"]), "figures on a dark page have a light edge"
    assert all(light != dark for light, dark in zip(labs["light"], labs["dark"], strict=True))


def test_the_page_of_sources_lists_every_correction_of_every_chapter_with_its_link(clone):
    page = (clone.html / "book" / "sources.html").read_text("utf-8")
    listed = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", page, re.S)
    home = {
        label: chapter
        for chapter in CHAPTERS
        for label in re.findall(r"^:?label: ([\w-]+)$", (ROOT / f"{chapter}.md").read_text("utf-8"), re.M)
    }
    wanted, links = [], []
    for chapter in CHAPTERS:
        text = (ROOT / f"{chapter}.md").read_text("utf-8").split("## What the sources say\n")[1]
        for row in re.findall(r"^\| (.+) \|$", text, re.M)[1:]:
            verdict = re.split(r"(?<!\\)\| ", row)[1]
            if not verdict.startswith("Right"):
                wanted.append(plain(verdict))
                links.append([f"../{home[label]}.html#{label}" for label in re.findall(r"\]\(#([\w-]+)\)", verdict)])
    assert [plain(re.sub(r"<[^>]+>", "", verdict)) for _, verdict in listed] == wanted
    assert [re.findall(r'href="([^"]+#[^"]+)"', verdict) for _, verdict in listed] == links


def plain(text: str) -> str:
    """Its letters and digits, without markup."""
    text = re.sub(r"\]\([^)]*\)|&\w+;|\{doc\}`[^`]*`", "", text)
    return "".join(re.findall(r"[^\W_]", text))
