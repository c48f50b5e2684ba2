"""Every chapter runs, has the elements of a chapter in their order, and says in prose what its cells show."""

import ast
import functools
import html
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jupytext
import nbformat
import pytest
import yaml
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from attn.shapes import AXES

ROOT = Path(__file__).parents[1]
CHAPTERS = sorted((ROOT / "chapters").glob("*.md"))
PAGES = [*CHAPTERS, ROOT / "book" / "index.md", ROOT / "book" / "notation.md"]
SOURCES = ["chat answer, axes", "lecture", "notes", "Q&A on Kᵀ", "chat answers, formula"]

LAST_SECTIONS = ["Break it", "Exercise", "Shape table", "What the sources say"]
LINES_OF_A_CELL = 18
WIDTH_OF_A_CELL = 78  # what a page shows of a line without scrolling


def by_name(paths):
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)


every_chapter = by_name(CHAPTERS)


@functools.cache
def read(path: Path) -> nbformat.NotebookNode:
    return jupytext.read(path)


@functools.cache
def run(path: Path) -> nbformat.NotebookNode:
    """The chapter with its outputs; a cell that fails is shown with its source."""
    notebook = nbformat.from_dict(read(path))
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}})
    try:
        client.execute(env=os.environ | {"IPYTHONDIR": os.devnull + "-profile"})
    except CellExecutionError as error:
        pytest.fail(f"{path.name}: a cell fails.\n{error}", pytrace=False)
    return notebook


def prose(path: Path) -> str:
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def code(path: Path) -> list[nbformat.NotebookNode]:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def tags(cell: nbformat.NotebookNode) -> set[str]:
    return set(cell.metadata.get("tags", []))


def parsed(cell: nbformat.NotebookNode) -> ast.Module:
    """The cell without its magics, which are not Python."""
    return ast.parse("\n".join(line for line in cell.source.splitlines() if not line.lstrip().startswith(("%", "!"))))


def outputs(path: Path) -> Iterator[tuple[nbformat.NotebookNode, nbformat.NotebookNode]]:
    for cell in run(path).cells:
        for output in cell.get("outputs", []):
            yield cell, output


def shown(path: Path) -> str:
    """Everything that the cells of a chapter print, as text."""
    texts = []
    for _, output in outputs(path):
        data = output.get("data", {})
        texts += [output.get("text", ""), output.get("evalue", ""), data.get("text/plain", "")]
        texts.append(html.unescape(re.sub(r"<[^>]+>", " ", data.get("text/html", ""))))
    return "\n".join(texts)


def test_the_table_of_contents_lists_the_chapters_in_order():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    files = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    listed = [Path(file).name for file in files if file.startswith("chapters/")]
    assert listed == [path.stem for path in CHAPTERS]
    assert [int(name[:2]) for name in listed] == list(range(1, len(listed) + 1))


@every_chapter
def test_every_cell_runs(path):
    run(path)
    assert not [output.text for _, output in outputs(path) if output.get("name") == "stderr"], "a cell writes to stderr"


@every_chapter
def test_cells_that_are_meant_to_fail_do(path):
    for cell in run(path).cells:
        if "raises-exception" in tags(cell):
            assert any(output.output_type == "error" for output in cell.outputs), cell.source


@every_chapter
def test_the_elements_come_in_their_order(path):
    titles = re.findall(r"^# (.+)$", prose(path), re.M)
    sections = re.findall(r"^## (.+)$", prose(path), re.M)
    assert len(titles) == 1
    assert sections[:2] == ["Predict", "Run it"]
    assert sections[-4:] == LAST_SECTIONS
    explanation = sections[2:-4]
    if "Move it" in explanation:
        assert explanation.pop() == "Move it", "the lab comes last, before Break it"
    assert explanation, "there is no explanation between Run it and Break it"


@every_chapter
def test_it_opens_with_what_the_reader_will_be_able_to_do(path):
    opening = prose(path).split("## ")[0]
    assert "After this chapter you can" in opening
    assert 2 <= len(re.findall(r"^[-*] ", opening, re.M)) <= 4, "two to four abilities"
    assert re.search(r"\d+ minutes", opening)


@every_chapter
def test_cells_are_short(path):
    for cell in code(path):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= LINES_OF_A_CELL, cell.source


@every_chapter
def test_figures_have_a_name_a_caption_and_a_text_that_says_what_to_see(path):
    names = []
    for cell, output in outputs(path):
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
    """What must be seen somewhere if the answer is right: its shapes, or else its numbers, as patterns."""
    answer = plain_numbers(answer)
    shapes = re.findall(r"\(([\d, ]+?),?\)", answer)
    numbers = re.findall(r"\d+(?:\.\d+)?", answer)
    return [rf"[(\[]{shape},?[)\]]" for shape in shapes] or [rf"(?<![\d.]){re.escape(n)}(?!\d)" for n in numbers]


@every_chapter
def test_every_question_has_one_right_guess_and_a_cell_shows_it(path):
    text = prose(path)
    blocks = re.findall(r'<div class="predict">(.*?)</div>', text, re.S)
    assert blocks, "there is no question"
    guesses = sum(block.count('<details class="guess') for block in blocks)
    assert text.count("<details") == guesses + text.count('<details class="found">')
    seen = plain_numbers(shown(path))
    names = []
    for block in blocks:
        guesses = re.findall(r'<details class="guess( right)?" name="([\w-]+)">\s*<summary>(.*?)</summary>', block, re.S)
        assert len(guesses) == block.count("<details") >= 2, block
        assert len({name for _, name, _ in guesses}) == 1, block
        names.append(guesses[0][1])
        (answer,) = [html.unescape(re.sub(r"<[^>]+>", "", summary)) for right, _, summary in guesses if right]
        for fact in facts(answer):
            assert re.search(fact, seen), f"no cell shows {answer}"
    assert len(set(names)) == len(names), "two questions share a name: opening one would close the other"


@every_chapter
def test_shapes_in_prose_use_the_letters_of_the_book(path):
    axis = r"[A-Z](?:\s*[·*/]\s*[A-Z])*"
    text = prose(path).split("## What the sources say")[0]  # sources have letters of their own
    for shape in re.findall(rf"\(({axis}(?:,\s*(?:{axis}|\d+))+)\)", text):
        letters = set(re.findall("[A-Z]", shape))
        assert letters <= set(AXES) or letters <= set("QKV"), f"({shape}): the letters of the book are {', '.join(AXES)}"


def claims(path: Path) -> list[list[str]]:
    """The rows of the table at the end of a chapter: what a source claims, and the verdict."""
    table = re.findall(r"^\| (.+) \|$", prose(path).split("## What the sources say\n")[1], re.M)
    rows = [re.split(r" (?<!\\)\| ", row) for row in table]
    assert rows[0] == ["claim", "verdict"]
    return rows[1:]


@every_chapter
def test_every_claim_names_its_source(path):
    source = "|".join(SOURCES)
    named = [re.search(rf" \((?:(?:{source})(?:; (?:{source}))*|(the same))\)$", claim) for claim, _ in claims(path)]
    assert [claim for (claim, _), name in zip(claims(path), named, strict=True) if not name] == []
    assert not named[0][1], "the same as which?"


@every_chapter
def test_every_correction_links_to_the_cell_that_shows_it(path):
    labels = {cell.metadata["label"] for cell in code(path) if "label" in cell.metadata}
    links = {
        claim: set(re.findall(r"\]\(#([\w-]+)\)", verdict)) for claim, verdict in claims(path) if not verdict.startswith("Right")
    }
    assert {claim for claim, shown in links.items() if not shown & labels} == set()


def test_labels_are_unique_in_the_book():
    labels = [cell.metadata["label"] for path in CHAPTERS for cell in code(path) if "label" in cell.metadata]
    assert len(set(labels)) == len(labels)


@by_name(PAGES)
def test_code_of_pages_is_free_of_lint(path, tmp_path):
    """As a notebook, in which ruff knows cells: imports may come late, a cell may end in a value. zip() needs no strict=."""
    notebook = tmp_path / f"{path.stem}.ipynb"
    jupytext.write(read(path), notebook)
    for command in (["check", "--quiet", "--extend-ignore", "B905"], ["format", "--check", "--quiet", "--diff"]):
        width = ["--line-length", str(WIDTH_OF_A_CELL)]
        ruff = [sys.executable, "-m", "ruff", *command, *width, "--config", str(ROOT / "pyproject.toml"), str(notebook)]
        result = subprocess.run(ruff, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr


@every_chapter
def test_chapters_define_nothing_that_the_package_has(path):
    public = set()
    package = ROOT / "src" / "attn"
    checkers = package / "check"  # it names what readers write
    for module in (path for path in package.rglob("*.py") if checkers not in path.parents):
        for node in ast.parse(module.read_text()).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
                public |= set(ast.literal_eval(node.value))
    assert "split_heads" in public
    for cell in code(path):
        if not tags(cell) & {"wrong", "exercise"}:
            defined = {node.name for node in ast.walk(parsed(cell)) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
            assert not defined & public, f"{defined & public}: attn has it; a wrong one is tagged `wrong`"


@by_name([*CHAPTERS, *sorted((ROOT / "tests").glob("*.py"))])
def test_nothing_is_compared_with_allclose(path):
    """It broadcasts, so it passes for shapes that differ; torch.testing.assert_close does not."""
    if path.suffix == ".md":
        trees = [parsed(cell) for cell in code(path) if "wrong" not in tags(cell)]
    else:
        trees = [ast.parse(path.read_text())]
    names = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert "allclose" not in names
