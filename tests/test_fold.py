"""What is not the core of a chapter is folded and counted apart; guesses and the code switch are remembered."""

import re

import pytest
from guards import fresh_processes
from small_book import EXTENSIONS, PRELOADED, SmallBook

STATIC = EXTENSIONS.parent / "_static"
pytestmark = pytest.mark.slow

SETTINGS = """
extensions = ["myst_nb", "attn_cells", "attn_fold"]
root_doc = "chapters/one"
exclude_patterns = ["out", "static"]
html_theme = "basic"
html_static_path = [{static!r}]
html_css_files = ["book.css"]
html_js_files = [(name, {{"defer": "defer"}}) for name in ("kept.js", "paper.js", "folds.js", "guesses.js", "code-switch.js")]
nb_execution_mode = "force"
nb_execution_raise_on_error = True
"""
WORDS = "word " * 300
LAB = """<div class="attn-lab" data-lab="code" data-state='{"code":"a = &#x27;b&#x27;\\nc = [d]","check":"e"}'></div>"""
PAGE = f"""---
jupytext: {{text_representation: {{format_name: myst}}}}
kernelspec: {{name: python3, display_name: Python 3}}
---
# One

*You need words.*

<button type="button" class="code-switch" hidden aria-pressed="false">all code</button>

## The idea

{WORDS}

```{{code-cell}} python
:tags: [check]
:label: silent

checked = "never shown"
```

```{{code-cell}} python
:tags: [hide-input]

drawn = "folded"
print(drawn)
```

<details class="guess" name="first"><summary>no</summary>

No.

</details>
<details class="guess right" name="first"><summary>yes</summary>

Yes.

</details>

| a | table |
|---|---|
| 1 | 2 |

```python
{"word " * 75}
```

## Your turn

{"word " * 71}

{LAB}

## In one minute

That was it.

## Going deeper

### Why is that so?

{WORDS}

### What else?

Nothing.

## Common mistakes in texts about this

| you read | better |
|---|---|
| one | two |
"""


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    with fresh_processes(*PRELOADED) as processes:
        book = SmallBook(tmp_path_factory.mktemp("book"), processes, SETTINGS.format(static=str(STATIC)))
        book.write("chapters/one", PAGE)
        book.build()
    return book.html / "chapters" / "one.html"


@pytest.fixture
def page(html, new_context):
    tab = new_context().new_page()
    tab.goto(html.as_uri())
    return tab


def test_minutes_are_counted_from_what_is_in_sight(html):
    """300 words, a table and 75 words of code: 2 + 1 + 1 minutes. The exercise has 71 words, and 4 of code: 3 minutes. The rest has
    300 words and a table more. Hidden code does not count."""
    told = "4 minutes, and 3 for Your turn; 10 with everything under Going deeper. You need words."
    assert f"<em>{told}</em>" in html.read_text("utf-8")


def test_a_check_has_no_markup_for_colours(html):
    check = re.search(r'id="silent">(.*?)</pre>', html.read_text("utf-8"), re.S)[1]
    assert 'checked = "never shown"' in check


def test_what_is_not_the_core_is_folded_under_its_heading(page):
    headings = page.locator("details.deeper > summary").locator("h2, h3").all_inner_texts()
    assert [heading.rstrip("¶#") for heading in headings] == [
        "Why is that so?",
        "What else?",
        "Common mistakes in texts about this",
    ]
    assert page.locator("details.deeper[open]").count() == 0
    assert not page.get_by_text("Nothing.").is_visible()
    page.locator("summary", has_text="What else?").click()
    assert page.get_by_text("Nothing.").is_visible()


def test_a_link_into_a_folded_part_opens_it(page, html):
    page.evaluate("location.hash = 'what-else'")
    page.get_by_text("Nothing.").wait_for()
    page.goto("about:blank")
    page.goto(f"{html.as_uri()}#why-is-that-so")
    assert page.locator("#why-is-that-so > details[open]").count() == 1


def test_what_the_search_has_found_is_unfolded(page, html):
    """The search leaves its words in the browser. Other parts stay folded; so do all if the words stand in sight."""
    for words, unfolded in {"nothing": ["what-else"], "that was": [], "one two": ["common-mistakes-in-texts-about-this"]}.items():
        page.evaluate("words => localStorage.setItem('sphinx_highlight_terms', words)", words)
        page.goto(html.as_uri())
        assert page.locator("section:has(> details.deeper[open])").evaluate_all("all => all.map(one => one.id)") == unfolded


def test_paper_has_everything_open_and_the_screen_has_not(page):
    page.emulate_media(media="print")
    page.wait_for_function("!document.querySelector('details.deeper:not([open])')")
    page.emulate_media(media="screen")
    page.wait_for_function("!document.querySelector('details.deeper[open]')")


def test_one_switch_shows_all_code_and_is_remembered(page):
    check, drawn, switch = page.get_by_text("never shown"), page.get_by_text("folded", exact=False), page.locator(".code-switch")
    assert not check.is_visible()
    switch.click()
    assert check.is_visible() and page.locator("details.hide[open]").count() == 1
    page.reload()
    check.wait_for()
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    assert not check.is_visible() and page.locator("details.hide[open]").count() == 0
    assert drawn.count()


def test_a_link_to_a_check_shows_it(page):
    page.evaluate("location.hash = 'silent'")
    page.get_by_text("never shown").wait_for()


def test_the_first_guess_is_remembered_and_counted(page):
    score = page.locator(".guesses")
    wrong, right = (page.locator("details.guess", has_text=text) for text in ("No.", "Yes."))
    assert not score.is_visible()
    wrong.locator("summary").click()
    score.get_by_text("right for 0 of 1 question.").wait_for()
    right.locator("summary").click()
    page.wait_for_function("document.querySelector('details.guess.right').open")
    page.reload()
    score.get_by_text("right for 0 of 1 question.").wait_for()  # the first guess counts, and stays open
    assert wrong.get_attribute("open") is not None and right.get_attribute("open") is None
    score.get_by_role("button", name="forget my guesses").click()
    score.wait_for(state="hidden")
    page.wait_for_function("!document.querySelector('details.guess[open]')")
    right.locator("summary").click()
    score.get_by_text("right for 1 of 1 question.").wait_for()
