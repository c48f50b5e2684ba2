"""Sentences that act: what the role writes and refuses, and what the buttons do on a page and in JupyterLab."""

import json
import re
from html import escape

import pytest
from attn_tries import parse_try
from guards import fresh_processes
from lab_pages import settled
from node import node
from small_book import PRELOADED, SmallBook, run_sphinx

from attn.labs import MaskLab, ShapeLab

SETTINGS = """
extensions = ["myst_nb", "attn_tries"]
root_doc = "page_0"
exclude_patterns = ["out"]
suppress_warnings = ["toc.not_included"]
html_theme = "basic"
"""
PAGE = """# A page

{sentence}

```{{raw}} html
<p>Labs.</p>{labs}
```
"""
TEXTS = [
    "H=1",
    "H=1, causal=true, pin=[0, 1, 2, 3], S=null, way=view only",
    'MaskLab: rule="a, b", L=12',
    " ShapeLab:D=16 ",
    'formula="bhld,bhsd->bhls", nudge=[1, 1, 2, 4, 0]',
    "no settings",
    "values=[[-3, 2], [3, 2.5], [0, -3]], target=[0.6, 3.5], heads=1",
]


def test_python_and_javascript_read_the_same_settings():
    script = "import { parseTry } from './src/attn/labs/kit/tries.js';"
    run = node("--input-type=module", "-e", f"{script} console.log(JSON.stringify({json.dumps(TEXTS)}.map(parseTry)))")
    assert run.returncode == 0, run.stderr
    read = [(one["lab"], one["settings"]) for one in json.loads(run.stdout)]
    assert read == [parse_try(text) for text in TEXTS]
    assert read[1][1] == {"H": 1, "causal": True, "pin": [0, 1, 2, 3], "S": None, "way": "view only"}
    assert read[2] == ("MaskLab", {"rule": "a, b", "L": 12})
    assert read[6][1] == {"values": [[-3, 2], [3, 2.5], [0, -3]], "target": [0.6, 3.5], "heads": 1}


# Of each page: the settings of its sentence, its labs, and what the build warns of; None where nothing is wrong.
PAGES = [
    ('"H=1, causal=true"', ["shape"], None),
    ("'formula=\"d,d->\", step=null'", ["einsum"], None),
    ('"H=1"', [], "a lab is not on this page"),
    ('"MaskLab: L=5"', ["shape"], "MaskLab is not on this page"),
    ('"heads=1"', ["shape"], "sets 'heads': the settings of ShapeLab are B, H, L"),
    ('"H=99"', ["mask", "shape"], "MaskLab"),
    ('"ShapeLab: H=99"', ["mask", "shape"], "this lab takes H, .*, from 1 to 8"),
    ("", ["shape"], "it names no settings"),
    ('"H"', ["shape"], "it names no settings"),
]


@pytest.mark.slow
def test_a_sentence_is_text_and_the_build_warns_of_what_no_lab_of_the_page_can_perform(tmp_path, subtests):
    with fresh_processes(*PRELOADED) as processes:
        book = SmallBook(tmp_path, processes, SETTINGS)
        for n, (settings, names, _) in enumerate(PAGES):
            raw = "".join(f'<div class="attn-lab full-width" data-lab="{lab}"></div>' for lab in names)
            book.write(f"page_{n}", PAGE.format(sentence=f"[set H, `k[0]`](#try {settings})", labs=raw))
        code, output = processes.submit(run_sphinx, book.path).result(timeout=300)
    assert code, "warnings fail the build"
    for n, (settings, _, message) in enumerate(PAGES):
        warnings = re.findall(rf"page_{n}\.md:3: WARNING: (.*)", output)
        with subtests.test(settings=settings):
            if message:
                assert len(warnings) == 1 and re.search(message, warnings[0]), output
            else:
                assert warnings == [], output
                button = f'<span class="attn-try" data-try="{escape(settings[1:-1])}">set H, <code'
                assert button in book.read(f"page_{n}") and 'href="#try"' not in book.read(f"page_{n}")


ADD = """() => {
  const lab = document.querySelectorAll('.attn-lab')[1];
  lab.insertAdjacentHTML('beforebegin', '<p>Now <span class="attn-try" data-try="L=3">three words</span>.</p>');
  lab.insertAdjacentHTML('afterend', `<p><span class="attn-try" data-try="L=4">four words</span>,
    <span class="attn-try" data-try="ShapeLab: H=1">one head</span></p>
    <div class="jp-RenderedMarkdown"><p>Or <a href="#try" title="L=5">five words</a>,
    <span class="attn-try" title="L=6">six words</span>, not <a href="#tried" title="L=7">seven</a>.</p></div>`);
}"""


@pytest.mark.slow
def test_a_sentence_is_a_button_that_sets_the_lab_above_it_with_mouse_and_keyboard(opened):
    page = opened(ShapeLab(L=7), MaskLab(), script=f"document.addEventListener('readystatechange', {ADD}, {{ once: true }})")
    sliders = page.locator(".slider[data-axis=L] input")
    page.get_by_role("button", name="three words").press("Enter")
    settled(page)
    assert sliders.nth(0).input_value() == "3"
    page.get_by_role("button", name="one head").press("Space")
    settled(page)
    assert page.locator(".slider[data-axis=H] input").nth(0).input_value() == "1"
    for words, L in (("four words", "4"), ("five words", "5"), ("six words", "6")):
        page.get_by_role("button", name=words).click()
        settled(page)
        assert sliders.nth(1).input_value() == L
    assert sliders.nth(0).input_value() == "3"
    assert page.locator(".jp-RenderedMarkdown").inner_text() == "Or five words, six words, not seven."


@pytest.mark.slow
def test_without_javascript_a_sentence_is_text(opened, new_context, tmp_path):
    page = opened(
        ShapeLab(), script=f"document.addEventListener('readystatechange', {ADD.replace('[1]', '[0]')}, {{ once: true }})"
    )
    assert page.locator("a.attn-try[role=button]").count() == 5
    plain = new_context(java_script_enabled=False).new_page()
    plain.set_content('<p>Now <span class="attn-try" data-try="L=3">three words</span>.</p>')
    assert plain.locator("p").inner_text() == "Now three words."
