"""The page *Sources and corrections* is made from the tables of the chapters, and from nothing else."""

import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from built_book import ROOT

CHAPTER = """# Chapter {n}: `view` is not a copy

(cell-{n})=
## Break it

## What the sources say

| claim | verdict |
|---|---|
| the sky is green (lecture) | It is [blue](#cell-{n}), see {{doc}}`02-next`. |
| grass is green (the same) | Right. |
| `a \\| b` of (2, 3) (notes; Q&A on Kᵀ) | **Both**. |

Next: nothing.
"""
SKY, BOTH = (
    ("the sky is green lecture", "It is blue, see Chapter 2: view is not a copy."),
    ("a | b of (2, 3) notes; Q&A on Kᵀ", "Both."),
)


class Book:
    """A book of two chapters and the page that is made from them."""

    def __init__(self, path: Path):
        self.path = path
        for name, n in (("book/sources", 0), ("chapters/01-first", 1), ("chapters/02-next", 2)):
            self.write(name, CHAPTER.format(n=n) if n else "# Sources\n\n```{corrections}\n```\n")
        (path / "_toc.yml").write_text("format: jb-book\nroot: book/sources\nchapters:\n- glob: chapters/*\n")

    def write(self, name: str, text: str) -> Path:
        file = self.path / f"{name}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        return file

    def built(self) -> str:
        """The page, after Sphinx has brought the book up to date."""
        extensions = "extensions=myst_parser,sphinx_external_toc,attn_sources"
        options = ["-C", "-W", "-n", "-q", "-D", extensions, "-D", "external_toc_path=_toc.yml"]
        sphinx = [sys.executable, "-m", "sphinx", *options, str(self.path), str(self.path / "out")]
        paths = os.pathsep.join([str(ROOT / "book" / "_ext"), os.environ.get("PYTHONPATH", "")])
        run = subprocess.run(sphinx, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (0, "")
        return (self.path / "out" / "book" / "sources.html").read_text("utf-8")


def bare(page: str) -> str:
    """Text without tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())


def corrections(page: str) -> list[tuple[str, str]]:
    return [(bare(term), bare(text)) for term, text in re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", page, re.S)]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return Book(tmp_path_factory.mktemp("small")).built()


def test_what_is_not_right_is_listed_with_its_source_and_its_markup(page):
    assert corrections(page) == 2 * [SKY, BOTH]
    assert re.findall(r"<strong>(\w+)</strong>.</p>", page) == ["Both", "Both"]
    assert page.count('<span class="pre">a</span> <span class="pre">|</span> <span class="pre">b</span>') == 2


def test_links_lead_to_the_chapter_that_they_stand_in(page):
    links = re.findall(r'href="([^"]+)"', "".join(re.findall("<dd>(.*?)</dd>", page, re.S)))
    assert links == [f"../chapters/{at}" for at in ("01-first.html#cell-1", "02-next.html", "02-next.html#cell-2", "02-next.html")]


def test_claims_are_counted_by_their_source(page):
    assert "Of the 6 claims that the chapters name so far, 2 are right" in page
    rows = [[bare(cell) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)] for row in re.findall("<tr.*?</tr>", page, re.S)]
    assert rows[0] == ["source", "claims", "right", "corrected"]
    wanted = [["lecture", "4", "2", "2"], ["notes", "2", "0", "2"], ["Q&A on Kᵀ", "2", "0", "2"], ["all", "6", "2", "4"]]
    assert [row for row in rows[1:] if row[1] != "0"] == wanted
    assert "What several sources claim counts for each of them" in page


def test_the_page_follows_a_chapter_that_changes_comes_or_goes(tmp_path):
    book = Book(tmp_path)
    assert corrections(book.built()) == 2 * [SKY, BOTH]
    book.write("chapters/01-first", CHAPTER.format(n=1).replace("Right.", "It is yellow."))
    first = [SKY, ("grass is green lecture", "It is yellow."), BOTH]
    assert corrections(book.built()) == [*first, SKY, BOTH]
    third = book.write("chapters/03-last", CHAPTER.format(n=3))
    nothing = book.write("chapters/04-nothing", "# No table\n")
    text = book.built()
    assert corrections(text) == [*first, SKY, BOTH, SKY, BOTH]
    assert "No table" not in re.sub("(?s)<div class=.sphinxsidebar.*", "", text)
    third.unlink()
    nothing.unlink()
    assert corrections(book.built()) == [*first, SKY, BOTH]
