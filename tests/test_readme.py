"""The files, chapters, commands and tests that README.md and CONTRIBUTING.md name exist."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
FOLDERS = [ROOT / folder for folder in ("", "src/attn", "src/attn/labs", "tests", "book")]  # folders that a path may be relative to
FOLDERS += [ROOT / "chapters"]  # of the example of a link between chapters
MADE = ("_build/", "src/attn/labs/tile/", "tests/test_tile_lab.py", "tests/js/tile.test.js")  # built, or an example


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_is_named_exists(page):
    text = page.read_text()
    paths = re.findall(r"`((?:\w[\w.-]*/)[\w./*-]*)`", text) + re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    assert len(paths) > 5
    named = [path for path in paths if not path.startswith(MADE) and "NN" not in path]
    assert [path for path in named if not any(any(folder.glob(path)) for folder in FOLDERS)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_that_is_named_exists(page):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"\bmake ([a-z]+)(?=[`\s]*(?:\||#|`|$))", page.read_text(), re.M)) - targets == set()


def test_the_readme_lists_every_chapter_with_its_title():
    listed = re.findall(r"^(\d+)\. \[(.+)\]\((chapters/.+)\.md\)$", (ROOT / "README.md").read_text(), re.M)
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    files = [entry["file"] for part in toc["parts"] for entry in part["chapters"] if entry["file"].startswith("chapters/")]
    titles = [re.search(r"^# (.+)$", (ROOT / f"{file}.md").read_text(), re.M)[1] for file in files]
    numbers = [str(int(Path(file).name[:2])) for file in files]
    assert listed == list(zip(numbers, titles, files, strict=True))


def test_contributing_says_what_each_test_guards():
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("## What each test guards")[2]
    named = {path for pattern in re.findall(r"`(test_[\w*]+\.py)`", table) for path in (ROOT / "tests").glob(pattern)}
    assert {path.name for path in (ROOT / "tests").glob("test_*.py")} - {path.name for path in named} == set()


def test_the_ways_through_the_book_have_a_page_for_each_question_about_a_model_that_runs():
    ways = (ROOT / "book/paths.md").read_text()
    section = re.search(r"^## With a model to run\n(.*?)^## ", ways, re.M | re.S)
    assert section, "no way for an engineer"
    named = set(re.findall(r"\]\(\.\./chapters/(\d\d)-[\w-]+\.md\)", section[1]))
    assert {"14", "15", "16", "17", "18"} <= named and "python -m attn check" in ways
    count = {3: "Three", 4: "Four", 5: "Five"}[len(re.findall(r"^## ", ways, re.M)) - 1]  # without *Run it yourself*
    assert ways.startswith(f"# {count} ways") and f"`{count} ways through" in (ROOT / "book/index.md").read_text()
