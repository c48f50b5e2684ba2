"""The slides for a class: each chapter's question without its answers, and its lab in the state of each action."""

import json
import re
import runpy
from pathlib import Path

import pytest
from built_book import CHAPTERS, ROOT
from node import node

from attn import labs

SLIDES = runpy.run_path(str(ROOT / "book" / "_ext" / "attn_slides.py"))


def parts(chapter: str) -> tuple[str, str, str]:
    found = SLIDES["_QUESTION"].search(Path(ROOT / f"{chapter}.md").read_text("utf-8"))
    assert found is not None, chapter
    return found.groups()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_chapter_opens_with_a_question_and_a_lab_that_has_actions(chapter):
    _, predict, below = parts(chapter)
    assert len(SLIDES["_CHOICE"].findall(predict)) >= 2 <= len(SLIDES["actions"](below))


def test_a_link_opens_a_lab_in_the_state_of_the_action():
    """As the page reads it: a setting that the lab does not take would be left out."""
    cases = []
    for chapter in CHAPTERS:
        for _, settings in SLIDES["actions"](parts(chapter)[2]):
            (name,) = re.findall(r"^(?:lab = )?(\w+Lab)\(", parts(chapter)[2], re.M)[:1]
            lab = getattr(labs, name)()
            traits = {one: getattr(lab, one) for one in (*lab.STATE, *lab.VIEW, "_schema", "_limits")}
            cases.append([traits, SLIDES["query"](settings), settings])
    script = """import { readFileSync } from "node:fs";
    import { fromLink } from "./src/attn/labs/kit/page.js";
    const cases = JSON.parse(readFileSync(0, "utf8"));
    console.log(JSON.stringify(cases.map(([traits, query]) => fromLink("lab-1", traits, `#lab-1?${query}`))));"""
    run = node("--input-type=module", "-e", script, stdin=json.dumps([[traits, query] for traits, query, _ in cases]))
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == [json.loads(json.dumps(settings)) for *_, settings in cases]


def test_what_belongs_to_the_page_of_a_chapter_is_left_out():
    text = '[See](02-x.md) [set k[1, 0] to 1](#try "pin=[1, 0]") now.\n\n```{code-cell}\n:tags: [check]\n\nassert x\n```\n'
    assert SLIDES["without_links"](text) == "See set k[1, 0] to 1 now."
    assert SLIDES["markdown"]("to <em>found</em>, <code>x &lt; 3</code>") == "to *found*, `x < 3`"
    cell = '```{code-cell}\n:tags: [remove-input]\n\nfrom attn.labs import MaskLab\n\nMaskLab(chips=[("one", {"L": 2})])\n```\n'
    assert SLIDES["actions"](cell) == [("one", {"L": 2})]
    assert (
        SLIDES["query"]({"L": 2, "causal": True, "pads": "in front", "pin": [0, 1]})
        == "L=2&causal=true&pads=in%20front&pin=%5B0%2C1%5D"
    )


@pytest.mark.slow
def test_the_page_has_every_question_and_no_answer(book):
    page = book.read("book/paths")
    assert page.count(">open the lab<") == len(CHAPTERS) and "details" not in page[page.index("For a class") :].split("<footer")[0]
