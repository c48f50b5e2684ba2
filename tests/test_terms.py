"""Mentions of terms in the chapters lead to the glossary: which of them, how many, and where to."""

import re

import pytest
from attn_index import terms
from attn_terms import MOST, PLAIN
from built_book import CHAPTERS, ROOT
from guards import fresh_processes
from small_book import PRELOADED, SmallBook

SETTINGS = """
extensions = ["myst_parser", "attn_index", "attn_terms"]
root_doc = "book/glossary"
exclude_patterns = ["out"]
html_theme = "basic"
"""
ROWS = "\n".join(f"| [{name}](#{name.replace(' ', '-')}), N | – | – | – | – | – |" for name in ("ridge point", "fill", "query"))
GLOSSARY = f"""# Glossary

| term | meaning | PyTorch | library | papers | other |
|---|---|---|---|---|---|
{ROWS}

```{{toctree}}
../chapters/01-first
../chapters/02-second
```
"""
FIRST = """# A ridge point

A ridge point opens the page.

## The question

Is it a ridge point?

## The idea of a ridge point

*ridge point*, `ridge point`, [ridge point](#fill), the partridge point, a query

<details class="found"><summary>See</summary>

The ridge point is inside.

</details>

| ridge point |
|---|
| ridge point |

- Two Ridge points,
  and one ridge point more.

(fill)=
## Fill

To fill a ridge point, fill it.
"""
SECOND = """# Second

## The question

(query)=
(ridge-point)=
## What there is

A query to fill a ridge point, and to fill.
"""
LINK = re.compile(r'<a class="term" href="([^"]*)">([^<]*)</a>')


def test_a_term_that_another_chapter_explains_is_linked_once_in_running_text(tmp_path):
    with fresh_processes(*PRELOADED) as processes:
        book = SmallBook(tmp_path, processes, SETTINGS)
        book.write("book/glossary", GLOSSARY)
        book.write("chapters/01-first", FIRST)
        book.write("chapters/02-second", SECOND)
        book.build()
    ridge, fill = (f"../book/glossary.html#term-{name}" for name in ("ridge-point", "fill"))
    assert LINK.findall(book.read("chapters/01-first")) == [(ridge, "Ridge point")]
    assert "Two <a" in book.read("chapters/01-first") and "</a>s," in book.read("chapters/01-first")
    assert LINK.findall(book.read("chapters/02-second")) == [(fill, "fill")]
    glossary = book.read("book/glossary")
    assert re.findall(r'<span id="(term-[\w-]+)"', glossary) == ["term-ridge-point", "term-fill", "term-query"]
    assert not LINK.findall(glossary)


@pytest.mark.slow
def test_every_chapter_has_a_few_links_to_the_glossary_and_each_leads_to_its_term(book):
    known = terms(ROOT / "book" / "glossary.md")
    assert len(known) > 80 and [name for name in PLAIN if name not in known] == []
    places = set(re.findall(r'id="(term-[\w-]+)"', book.read("book/glossary")))
    assert len(places) == len(known)
    counts = []
    for chapter in CHAPTERS:
        links = LINK.findall(book.read(chapter))
        counts.append(len(links))
        assert len(links) <= MOST and len({link for link, _ in links}) == len(links), chapter
        assert {link.removeprefix("../book/glossary.html#") for link, _ in links} <= places, chapter
    assert sum(count > 0 for count in counts) > len(CHAPTERS) / 2
