"""The search knows the entries of the index, also those of pages that a build does not write again."""

import json
import re

from guards import fresh_processes
from small_book import SmallBook

SETTINGS = """
extensions = ["myst_parser", "attn_index"]
root_doc = "book/glossary"
exclude_patterns = ["out"]
html_theme = "basic"
"""
GLOSSARY = """# Glossary

| term | meaning | PyTorch | library | papers | other |
|---|---|---|---|---|---|
| [left padding](#left) | at the left | – | – | – | – |

```{toctree}
../first
../second
```
"""


def test_after_an_edit_of_another_page_the_search_still_knows_the_entries_of_a_page(tmp_path):
    with fresh_processes("sphinx.cmd.build", "myst_parser") as processes:
        book = SmallBook(tmp_path, processes, SETTINGS)
        book.write("book/glossary", GLOSSARY)
        book.write("first", "# First\n\n(left)=\n## Padding\n\nText.\n")
        book.write("second", "# Second\n\nText.\n")
        book.build()
        assert entries(book) == {"left padding"}
        book.write("second", "# Second\n\nOther text.\n")
        book.build()
        assert entries(book) == {"left padding"}


def entries(book: SmallBook) -> set[str]:
    text = (book.html / "searchindex.js").read_text("utf-8")
    return set(json.loads(re.fullmatch(r"Search\.setIndex\((.*)\)", text)[1])["indexentries"])
