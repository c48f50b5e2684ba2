"""Every chapter has the elements of a chapter in the right order, and its prose agrees with what its cells show.

The outputs of the cells are taken from the built book, which runs every chapter.
"""

import ast
import functools
import html
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jupytext
import nbformat
import pytest
import yaml
from attn_sources import claims
from built_book import ROOT, Book

import attn.labs
from attn.shapes import AXES

CHAPTERS = sorted((ROOT / "chapters").glob("*.md"))
OTHERS = ("index", "notation", "bring-your-code", "cheat-sheet", "right-line-wrong-line")
PAGES = [*CHAPTERS, *(ROOT / "book" / f"{name}.md" for name in OTHERS)]

SECTIONS = [
    "The question",
    "The idea",
    "Break it",
    "Your turn",
    "In one minute",
    "Going deeper",
    "Common mistakes in texts about this",
    "Shape table",
]
WORDS_OF_THE_CORE, WORDS_OF_THE_REST = 1_100, 2_800
MINUTES_OF_THE_CORE, MINUTES_OF_THE_EXERCISE, MINUTES_OF_ALL = 14, 6, 40
HIDDEN = {"check", "hide-input", "hide-cell", "remove-input"}  # tags of cells whose code is not in sight
LINES_IN_SIGHT = 8
LINES_OF_A_CELL = 18
WIDTH_OF_A_CELL = 78  # characters of a line that a page shows without scrolling


def by_name(paths):
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)


every_chapter = by_name(CHAPTERS)


@functools.cache
def read(path: Path) -> nbformat.NotebookNode:
    return jupytext.read(path)


def prose(path: Path) -> str:
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def parts(path: Path) -> tuple[str, str]:
    """The prose of the core, and of the rest."""
    core, deeper = prose(path).split(f"\n## {SECTIONS[5]}\n")
    return core, deeper


def words(text: str) -> int:
    """How many words a reader reads: without markup, settings of sentences that act, tables and formulas."""
    text = re.sub(r"^\|[^\n]*$|\$\$.*?\$\$|```.*?```|<[^>]*>|\(#try [^)]*\)", " ", text, flags=re.M | re.S)
    return len(re.findall(r"\w+", text))


def code(path: Path) -> list[nbformat.NotebookNode]:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def tags(cell: nbformat.NotebookNode) -> set[str]:
    return set(cell.metadata.get("tags", []))


def parsed(cell: nbformat.NotebookNode) -> ast.Module:
    """The cell without its magics, which are not Python."""
    return ast.parse("\n".join(line for line in cell.source.splitlines() if not line.lstrip().startswith(("%", "!"))))


def outputs(book: Book, path: Path) -> Iterator[tuple[nbformat.NotebookNode, nbformat.NotebookNode]]:
    for cell in book.executed(f"chapters/{path.stem}").cells:
        for output in cell.get("outputs", []):
            yield cell, output


def shown(book: Book, path: Path) -> str:
    """Everything that the cells of a chapter output, as text."""
    texts = []
    for _, output in outputs(book, path):
        data = output.get("data", {})
        texts += [output.get("text", ""), output.get("evalue", ""), data.get("text/plain", "")]
        texts.append(html.unescape(re.sub(r"<[^>]+>", " ", data.get("text/html", ""))))
    return "\n".join(texts)


def test_the_table_of_contents_lists_the_chapters_in_order():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    files = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    listed = [Path(file).name for file in files if file.startswith("chapters/")]
    assert listed == [path.stem for path in CHAPTERS]
    numbers = [int(name[:2]) for name in listed]
    assert numbers == list(range(1, 1 + len(numbers)))


@every_chapter
def test_every_cell_runs_and_only_those_that_are_meant_to_fail_do(book, path):
    cells = [cell for cell in book.executed(f"chapters/{path.stem}").cells if cell.cell_type == "code"]
    assert [cell.source for cell in cells] == [cell.source for cell in code(path)]
    for cell in cells:
        assert cell.execution_count, cell.source
        assert any(output.output_type == "error" for output in cell.outputs) == ("raises-exception" in tags(cell)), cell.source
    assert not [output.text for _, output in outputs(book, path) if output.get("name") == "stderr"], "a cell writes to stderr"


@every_chapter
def test_a_chapter_shows_then_tells_then_offers_more(path):
    assert len(re.findall(r"^# (.+)$", prose(path), re.M)) == 1
    assert re.findall(r"^## (.+)$", prose(path), re.M) == SECTIONS
    core, deeper = parts(path)
    assert "\n### " not in core
    assert 3 <= deeper.count("\n### ") <= 6, "questions under Going deeper"
    assert all(title.endswith("?") for title in re.findall(r"^### (.+)$", deeper, re.M))


@every_chapter
def test_the_core_of_a_chapter_takes_a_quarter_of_an_hour(book, path):
    core, deeper = parts(path)
    assert words(core) <= WORDS_OF_THE_CORE
    assert words(deeper.split("\n## ")[0]) <= WORDS_OF_THE_REST
    (shown,) = re.findall(r"(\d+) minutes, and (\d+) for Your turn; (\d+) with everything", book.read(f"chapters/{path.stem}"))
    core_minutes, exercise, all_minutes = map(int, shown)
    assert words(core) / 200 < core_minutes <= MINUTES_OF_THE_CORE
    assert 2 <= exercise <= MINUTES_OF_THE_EXERCISE
    assert core_minutes + exercise + words(deeper) / 200 < all_minutes <= MINUTES_OF_ALL


@every_chapter
def test_code_in_sight_teaches_and_checks_are_silent(book, path):
    in_sight = [cell for cell in code(path) if not tags(cell) & HIDDEN]
    for cell in in_sight:
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= LINES_IN_SIGHT, cell.source
    assert not [output for cell, output in outputs(book, path) if "check" in tags(cell)]


@every_chapter
def test_code_that_the_page_hides_is_collapsed_in_jupyterlab_and_an_exercise_is_open(path):
    for cell in code(path):
        collapsed = cell.metadata.get("jupyter", {}).get("source_hidden", False)
        assert collapsed == bool(tags(cell) & HIDDEN and "exercise" not in tags(cell)), cell.source


@every_chapter
def test_every_mention_of_a_chapter_is_a_link_with_its_number(path):
    text = prose(path)
    links = re.findall(r"\[[Cc]hapters? (\d+)\]\((\d+)-[\w-]+\.md", text)
    assert all(int(said) == int(number) for said, number in links)
    assert not re.findall(r"(?<!\[)\b[Cc]hapters? \d+", text), "a chapter is named without a link"
    assert not re.findall(r"\{(?:doc|ref|numref|term|try)\}", text), "JupyterLab shows such a role as it is written"


@every_chapter
def test_the_first_lab_stands_right_under_the_opening_question(path):
    source = path.read_text("utf-8")
    under_the_question = source.split("\n## ")[1].split("</div>")[1]
    assert re.search(r"Lab\(.*\)\n", under_the_question), "the lab is the way to check the guess"
    assert "](#try " in under_the_question, "the reader is told what to press"


@every_chapter
def test_it_opens_with_what_the_reader_will_be_able_to_do(path):
    opening = prose(path).split("## ")[0]
    assert "After this chapter you can" in opening
    assert 2 <= len(re.findall(r"^[-*] ", opening, re.M)) <= 4, "two to four abilities"
    assert re.search(r"^\*You need ", opening, re.M), "the build puts the minutes in front of it"
    assert "[Notation](../book/notation.md)" in opening, "letters are explained on a page of their own"


def test_further_reading_lists_everything_that_the_chapters_cite_once():
    """All links to other hosts, except for those to the source code of others."""
    of = r"\]\((https://(?!github\.com)[^)\s]+)\)"
    listed = re.findall(of, (ROOT / "book" / "further-reading.md").read_text("utf-8"))
    cited = {link: path.stem for path in CHAPTERS for link in re.findall(of, path.read_text("utf-8"))}
    assert len(set(listed)) == len(listed)
    assert len(cited) > 20
    assert {link: chapter for link, chapter in cited.items() if link not in listed} == {}


@every_chapter
def test_cells_are_short(path):
    for cell in code(path):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= LINES_OF_A_CELL, cell.source


@every_chapter
def test_figures_have_a_name_a_caption_and_a_text_that_describes_them(book, path):
    names = []
    for cell, output in outputs(book, path):
        if any(kind.startswith("image/") for kind in output.get("data", {})):
            look = cell.metadata.get("mystnb", {})
            assert len(look.get("image", {}).get("alt", "")) > 20, cell.source
            assert look.get("figure", {}).get("caption"), cell.source
            names.append(look["figure"]["name"])
    assert len(set(names)) == len(names)


def test_no_two_figures_or_cells_of_the_book_share_a_name():
    looks = [cell.metadata for path in CHAPTERS for cell in code(path)]
    names = [name for look in looks for name in (look.get("label"), look.get("mystnb", {}).get("figure", {}).get("name")) if name]
    assert len(names) > 5
    assert sorted(names) == sorted(set(names))


def plain_numbers(text: str) -> str:
    """1,024 as 1024."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)


def facts(answer: str) -> list[str]:
    """Patterns for what a cell must show if the answer is right: its shapes, or else its numbers."""
    answer = plain_numbers(answer)
    shapes = re.findall(r"\(([\d, ]+?),?\)", answer)
    numbers = re.findall(r"\d+(?:\.\d+)?", answer)
    return [rf"[(\[]{shape},?[)\]]" for shape in shapes] or [rf"(?<![\d.]){re.escape(n)}(?!\d)" for n in numbers]


@every_chapter
def test_every_question_has_one_right_guess_and_a_cell_shows_it(book, path):
    text = prose(path)
    blocks = re.findall(r'<div class="predict">(.*?)</div>', text, re.S)
    assert blocks, "there is no question"
    guesses = sum(block.count('<details class="guess') for block in blocks)
    assert text.count("<details") == guesses + text.count('<details class="found">')
    seen = plain_numbers(shown(book, path))
    names = []
    for block in blocks:
        guesses = re.findall(r'<details class="guess( right)?" name="([\w-]+)">\s*<summary>(.*?)</summary>', block, re.S)
        assert len(guesses) == block.count("<details") >= 2, block
        assert len({name for _, name, _ in guesses}) == 1, block
        assert not [text for *_, text in guesses if re.search(r"[*`]\w", text)], "a summary is HTML: <em> and <code>, not Markdown"
        names.append(guesses[0][1])
        (answer,) = [html.unescape(re.sub(r"<[^>]+>", "", summary)) for right, _, summary in guesses if right]
        for fact in facts(answer):
            assert re.search(fact, seen), f"no cell shows {answer}"
    assert len(set(names)) == len(names), "two questions share a name: opening one would close the other"


@every_chapter
def test_shapes_in_prose_use_the_letters_of_the_book(path):
    axis = r"[A-Z](?:\s*[·*/]\s*[A-Z])*"
    text = prose(path).split("## Common mistakes")[0]  # others use their own letters
    for shape in re.findall(rf"\(({axis}(?:,\s*(?:{axis}|\d+))+)\)", text):
        letters = set(re.findall("[A-Z]", shape))
        assert letters <= set(AXES) or letters <= set("QKV"), f"({shape}): the letters of the book are {', '.join(AXES)}"


@every_chapter
def test_every_claim_names_its_source(path):
    of = list(claims(path))
    assert of
    assert [claim.text for claim in of if not claim.sources] == []


@every_chapter
def test_every_correction_links_to_the_cell_that_shows_it(path):
    labels = {cell.metadata["label"] for cell in code(path) if "label" in cell.metadata}
    corrections = [claim for claim in claims(path) if not claim.right]
    assert [claim.text for claim in corrections if not labels & set(re.findall(r"\]\(#([\w-]+)\)", claim.verdict))] == []


def test_labels_are_unique_in_the_book():
    labels = [cell.metadata["label"] for path in CHAPTERS for cell in code(path) if "label" in cell.metadata]
    assert len(set(labels)) == len(labels)


def test_code_of_pages_passes_the_linter(tmp_path):
    """Checked as notebooks: in a cell ruff allows late imports and a value at the end. zip() needs no strict=."""
    for path in PAGES:
        jupytext.write(read(path), tmp_path / f"{path.stem}.ipynb")
    for command in (["check", "--quiet", "--extend-ignore", "B905"], ["format", "--check", "--quiet", "--diff"]):
        width = ["--line-length", str(WIDTH_OF_A_CELL)]
        ruff = [sys.executable, "-m", "ruff", *command, *width, "--config", str(ROOT / "pyproject.toml"), str(tmp_path)]
        result = subprocess.run(ruff, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr


@functools.cache
def public_names() -> frozenset[str]:
    """The names of the package for its readers."""
    public = set(attn.labs.__all__)  # made from the folders
    package = ROOT / "src" / "attn"
    apart = {package / "check", package / "labs"}  # names for what readers write; what only labs use
    for module in (path for path in package.rglob("*.py") if not apart & set(path.parents)):
        for node in ast.parse(module.read_text()).body:
            if (
                isinstance(node, ast.Assign)
                and getattr(node.targets[0], "id", "") == "__all__"
                and isinstance(node.value, ast.List)
            ):
                public |= set(ast.literal_eval(node.value))
    assert {"split_heads", "ShapeLab"} <= public
    return frozenset(public)


@every_chapter
def test_chapters_do_not_redefine_names_of_the_package(path):
    public = public_names()
    for cell in code(path):
        if not tags(cell) & {"wrong", "exercise"}:
            defined = {node.name for node in ast.walk(parsed(cell)) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
            assert not defined & public, f"{defined & public}: attn has it; a wrong version needs the tag `wrong`"


def test_nothing_is_compared_with_allclose():
    """allclose broadcasts, so it passes for different shapes; torch.testing.assert_close does not. (ruff's banned-api does not
    notice the method, x.allclose(y).)"""
    texts = {path: path.read_text() for path in (ROOT / "tests").glob("*.py")}
    trees = {path: [ast.parse(text)] for path, text in texts.items() if "allclose" in text}
    trees |= {path: [parsed(cell) for cell in code(path) if "wrong" not in tags(cell)] for path in CHAPTERS}
    for path, parts in trees.items():
        names = {node.attr for tree in parts for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert "allclose" not in names, path
