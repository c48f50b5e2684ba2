"""The page *Sources and corrections* is made only from the tables of the chapters."""

import html
import re
from collections import Counter
from concurrent.futures import Executor
from itertools import combinations
from pathlib import Path

import pytest
from attn_sources import CLAIMS, Claim, claims
from guards import fresh_processes
from small_book import PRELOADED, SmallBook

SETTINGS = """
extensions = ["myst_parser", "sphinx_external_toc", "attn_sources"]
external_toc_path = "_toc.yml"
exclude_patterns = ["out"]
"""
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


class Book(SmallBook):
    """A book of two chapters and the page made from them."""

    def __init__(self, path: Path, processes: Executor):
        super().__init__(path, processes, SETTINGS)
        for name, n in (("book/sources", 0), ("chapters/01-first", 1), ("chapters/02-next", 2)):
            self.write(name, CHAPTER.format(n=n) if n else "# Sources\n\n```{corrections}\n```\n")
        (path / "_toc.yml").write_text("format: jb-book\nroot: book/sources\nchapters:\n- glob: chapters/*\n")

    def sources(self) -> str:
        """Build, and return the page."""
        self.build()
        return self.read("book/sources")


def bare(page: str) -> str:
    """Text without tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())


def listed(page: str, kind: str) -> list[tuple[str, str]]:
    """The claims in the lists of this class, each with its verdict."""
    lists = "".join(re.findall(rf'<dl class="[^"]*{kind}">(.*?)</dl>', page, re.S))
    return [(bare(term), bare(text)) for term, text in re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", lists, re.S)]


def corrections(page: str) -> list[tuple[str, str]]:
    return listed(page, "corrections")


@pytest.fixture(scope="module")
def processes():
    with fresh_processes(*PRELOADED, "sphinx_external_toc") as processes:
        yield processes


@pytest.fixture(scope="module")
def page(tmp_path_factory, processes):
    return Book(tmp_path_factory.mktemp("small"), processes).sources()


def test_every_correction_is_listed_with_its_source_and_its_markup(page):
    assert corrections(page) == 2 * [SKY, BOTH]
    assert re.findall(r"<strong>(\w+)</strong>.</p>", page) == ["Both", "Both"]
    assert page.count('<span class="pre">a</span> <span class="pre">|</span> <span class="pre">b</span>') == 2


def test_right_claims_are_listed_apart_and_folded(page):
    assert listed(page, "confirmed") == 2 * [("grass is green lecture", "Right.")]
    assert page.count("<summary>Right as they stand</summary>") == 2


def test_links_lead_to_the_chapter_that_contains_them(page):
    links = re.findall(r'href="([^"]+)"', "".join(re.findall("<dd>(.*?)</dd>", page, re.S)))
    assert links == [f"../chapters/{at}" for at in ("01-first.html#cell-1", "02-next.html", "02-next.html#cell-2", "02-next.html")]


def test_claims_are_counted_by_their_source(page):
    assert "Of the 6 claims that the chapters name, 2 are right" in page
    rows = [[bare(cell) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)] for row in re.findall("<tr.*?</tr>", page, re.S)]
    assert rows[0] == ["source", "claims", "right", "corrected"]
    wanted = [["lecture", "4", "2", "2"], ["notes", "2", "0", "2"], ["Q&A on Kᵀ", "2", "0", "2"], ["all", "6", "2", "4"]]
    assert [row for row in rows[1:] if row[1] != "0"] == wanted
    assert "A claim of several sources counts for each of them" in page


def test_the_page_is_updated_when_a_chapter_is_changed_added_or_removed(tmp_path, processes):
    book = Book(tmp_path, processes)
    assert corrections(book.sources()) == 2 * [SKY, BOTH]
    book.write("chapters/01-first", CHAPTER.format(n=1).replace("Right.", "It is yellow."))
    first = [SKY, ("grass is green lecture", "It is yellow."), BOTH]
    assert corrections(book.sources()) == [*first, SKY, BOTH]
    third = book.write("chapters/03-last", CHAPTER.format(n=3))
    nothing = book.write("chapters/04-nothing", "# No table\n")
    text = book.sources()
    assert corrections(text) == [*first, SKY, BOTH, SKY, BOTH]
    assert "No table" not in re.sub("(?s)<div class=.sphinxsidebar.*", "", text)
    third.unlink()
    nothing.unlink()
    assert corrections(book.sources()) == [*first, SKY, BOTH]


def test_a_claim_with_an_unknown_source_and_claims_that_refer_to_it_have_no_source(tmp_path):
    rows = ["the sky is green (lecture)", "grass is green (the same)", "snow is green (hearsay)", "so is ice (the same)"]
    table = "\n".join(f"| {row} | No. |" for row in rows)
    chapter = tmp_path / "chapter.md"
    chapter.write_text(f"## What the sources say\n\n| claim | verdict |\n|---|---|\n{table}\n")
    assert list(claims(chapter)) == [
        Claim("the sky is green", ("lecture",), "No."),
        Claim("grass is green", ("lecture",), "No."),
        Claim("snow is green (hearsay)", (), "No."),
        Claim("so is ice (the same)", (), "No."),
    ]


# The claims of this book ------------------------------------------------------------------------------------------------------

LETTERS = {"q": "query", "k": "key", "v": "value", "queries": "query", "keys": "key", "values": "value"}
SMALL = {
    *re.findall(r"\w+", "a an and are as at be by for from has if in is it its no not of on only or that the then this to with")
}
CHAPTERS = [Path(__file__).parents[1] / "chapters" / path.name for path in sorted(CLAIMS.glob("*.md"))]


def said(claim: Claim) -> set[str]:
    """The words that make a claim: Q is query, and small words do not count."""
    return {LETTERS.get(word, word) for word in re.findall(r"\w+", claim.text.lower())} - SMALL


def listed_twice(all_of: list[Claim]) -> list[tuple[str, str]]:
    """Claims of one source of whose words more than half are the same."""
    pairs = ((a, b) for a, b in combinations(all_of, 2) if set(a.sources) & set(b.sources))
    return [(a.text, b.text) for a, b in pairs if 2 * len(said(a) & said(b)) > len(said(a) | said(b))]


def test_no_claim_of_a_source_is_listed_twice_in_other_words():
    again = [
        Claim(text, ("notes",), "Right.")
        for text in ('V is "the content that is output"', "the value is the content actually output")
    ]
    assert len(listed_twice(again)) == 1
    assert listed_twice([again[0], again[1]._replace(sources=("lecture",))]) == []
    all_of = [claim for chapter in CHAPTERS for claim in claims(chapter)]
    assert len(all_of) > 200 and listed_twice(all_of) == []


# What several sources say, with a word of the row.
SHARED = {
    "k_j is column": {"chat answers, formula", "Q&A on Kᵀ"},
    "the attention between the two": {"lecture", "chat answers, formula"},
    "percentages, weights": {"lecture", "chat answer, axes", "Q&A on Kᵀ", "chat answers, formula"},
    "closer directions": {"Q&A on Kᵀ", "chat answers, formula"},
}


def test_a_claim_of_several_sources_names_them_all_and_is_quoted_with_its_condition():
    of = [claim for chapter in CHAPTERS for claim in claims(chapter)]
    assert {words: [set(claim.sources) for claim in of if words in claim.text] for words in SHARED} == {
        words: [sources] for words, sources in SHARED.items()
    }
    right = Counter(claim.right for claim in of for words in ("tokens (characters)", "huge fully connected") if words in claim.text)
    assert right == {True: 2}
    assert [claim.text for claim in of if "only if Q = K" in claim.text and "not always" not in claim.text] == []
