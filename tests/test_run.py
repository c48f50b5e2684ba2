"""The ways from a page to code that runs: buttons and links if the repository's address is set, notebooks that run on their own."""

import json
import re
import subprocess
import tomllib
import venv
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace

import jupytext
import nbformat
import pytest
import yaml
from attn_run import check_address
from IPython.core.inputtransformer2 import TransformerManager
from notebook_file import BRANCH, NEEDED, TORCH, outside, sentences, standalone
from packaging.requirements import Requirement
from small_book import SmallBook
from sphinx.errors import ExtensionError

ROOT = Path(__file__).parents[1]
CHAPTERS = sorted((ROOT / "chapters").glob("*.md"))
ADDRESS = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]["attn_repository"]
REPOSITORY = "https://github.com/someone/attention"
SETTINGS = """
extensions = ["myst_nb", "sphinx_book_theme", "attn_run"]
root_doc = "book/paths"
exclude_patterns = ["out"]
nb_execution_mode = "off"
html_theme = "sphinx_book_theme"
attn_repository = "{}"
"""
HEADER = """---
jupytext: {text_representation: {format_name: myst}}
kernelspec: {name: python3, display_name: Python 3, language: python}
---
"""
CHAPTER = f"""{HEADER}
# A chapter

Work in {{project}}`a copy of the project`. Letters: [Notation](../book/paths.md).

```{{code-cell}}
1 + 1
```
"""
PATHS = """# Paths

(run-it-yourself)=
## Run it yourself

```{only} published
The project is published.
```
```{toctree}
../chapters/01-one
```
"""
HOSTS = re.compile(r"mybinder|colab\.research|git\+https")


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A book of two pages with the address of its repository."""
    with ProcessPoolExecutor(1, get_context("spawn")) as processes:
        small = SmallBook(tmp_path_factory.mktemp("book"), processes, SETTINGS.format(REPOSITORY))
        small.write("book/paths", PATHS)
        small.write("chapters/01-one", CHAPTER)
        small.build()
    return small


def first_cell_of_the_download(folder: Path, page: str) -> str:
    html = (folder / f"{page}.html").read_text("utf-8")
    (link,) = re.findall(r'<a href="([^"]+)"[^>]*class="[^"]*btn-download-notebook-button', html)
    return nbformat.read((folder / page).parent / link, as_version=4).cells[0].source


@pytest.mark.slow
def test_with_the_address_a_chapter_has_buttons_for_binder_and_colab_and_links_to_the_project(published):
    page = published.read("chapters/01-one")
    (menu,) = re.findall(r'<div class="dropdown dropdown-launch-buttons">(.*?)</div>', page, re.S)
    assert re.findall(r'href="(.*?)"', menu) == [
        "https://mybinder.org/v2/gh/someone/attention/HEAD?urlpath=lab/tree/chapters/01-one.md",
        f"https://colab.research.google.com/github/someone/attention/blob/{BRANCH}/01-one.ipynb",
    ]
    logos = re.findall(r'src="(.*?)"', menu)
    assert len(logos) == 2 and all((published.html / "chapters" / logo).exists() for logo in logos)
    assert f'href="{REPOSITORY}">a copy of the project</a>' in page
    assert "dropdown-launch-buttons" not in published.read("book/paths")
    assert "The project is published." in published.read("book/paths")
    assert first_cell_of_the_download(published.html, "chapters/01-one") == first_cell(REPOSITORY)
    assert "Run this cell first" not in page


@pytest.mark.slow
def test_the_book_has_buttons_only_with_the_address_and_without_it_no_page_and_no_notebook_names_a_host(book):
    for chapter in (f"chapters/{path.stem}" for path in CHAPTERS):
        assert ("dropdown-launch-buttons" in book.read(chapter)) == bool(ADDRESS), chapter
        assert "Run this cell first" not in book.read(chapter)
        assert first_cell_of_the_download(book.html, chapter) == first_cell(ADDRESS)
    files = [*book.html.glob("chapters/*.html"), *book.html.glob("_sources/chapters/*.ipynb"), book.html / "book" / "paths.html"]
    assert ADDRESS or [path for path in files if HOSTS.search(path.read_text("utf-8"))] == []
    (link,) = re.findall(r'href="([^"]*)"(?:><span[^>]*)?>a copy of the project<', book.read("book/bring-your-code"))
    assert link == (ADDRESS or "paths.html#run-it-yourself")


def test_an_address_from_which_no_button_can_be_made_is_refused():
    for address in ("github.com/someone/attention", f"{REPOSITORY}/", f"{REPOSITORY}.git?", "https://example.org/a/b"):
        with pytest.raises(ExtensionError, match="OWNER/NAME"):
            check_address(None, SimpleNamespace(attn_repository=address))


def test_the_address_is_set_in_one_place_and_empty_or_right():
    tags = set()
    check_address(SimpleNamespace(tags=tags), SimpleNamespace(attn_repository=ADDRESS))
    assert tags == ({"published"} if ADDRESS else set())


# The first cell --------------------------------------------------------------------------------------------------------------


def first_cell(repository: str) -> str:
    return standalone(CHAPTERS[0], repository, "").cells[0].source


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A Python that has no package."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, symlinks=True)
    return folder / "bin" / "python"


def test_without_the_address_the_first_cell_says_what_is_missing_and_what_to_do(bare, tmp_path):
    run = subprocess.run([bare, "-I", "-c", first_cell("")], cwd=tmp_path, capture_output=True, text=True, check=False)
    said = run.stderr.partition("ModuleNotFoundError: ")[2]
    assert said.startswith("This notebook needs attn, anywidget, matplotlib.")
    assert f'"{bare}" -m pip install ".[labs]" torch=={TORCH}' in said


def test_with_the_address_the_first_cell_installs_the_package_from_there_and_only_if_something_is_missing(monkeypatch):
    code = TransformerManager().transform_cell(first_cell(REPOSITORY))
    called = []
    kernel = SimpleNamespace(run_line_magic=lambda *line: called.append(line))
    exec(code, {"get_ipython": lambda: kernel})
    assert called == []
    monkeypatch.setattr("importlib.util.find_spec", dict.fromkeys(NEEDED).get)
    exec(code, {"get_ipython": lambda: kernel})
    ((magic, line),) = called
    wanted = Requirement(re.fullmatch('install --quiet "(.*)"', line)[1])
    assert (magic, wanted.name, wanted.url) == ("pip", "attn", f"git+{REPOSITORY}")
    assert wanted.extras <= set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])


def test_the_first_cell_is_silent_where_nothing_is_missing(capsys):
    exec(first_cell(""), {})
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("repository", ["", REPOSITORY])
def test_the_first_cell_says_if_another_pytorch_runs_and_checks_do_not_stop_what_follows(repository, monkeypatch, capsys):
    monkeypatch.setattr("torch.__version__", "2.99.0+cpu")
    exec(TransformerManager().transform_cell(first_cell(repository)), {})
    assert capsys.readouterr().out == (
        f"The book was made with torch {TORCH}, this is torch 2.99.0+cpu. A cell that checks the text may fail here.\n"
    )
    for path in CHAPTERS:
        tags = [cell.metadata.get("tags", []) for cell in standalone(path, repository, "").cells]
        checks = ["raises-exception" in of for of in tags if "check" in of]
        assert checks and all(checks)


# The other cells -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_notebook_has_the_cells_of_its_chapter_and_no_link_into_the_sources_of_the_book(path):
    source = jupytext.read(path).cells
    figures = {cell.metadata["mystnb"]["figure"]["name"] for cell in source if "figure" in cell.metadata.get("mystnb", {})}
    cells = [cell for cell in standalone(path, "", "").cells[1:] if cell.id not in figures]
    assert [cell.cell_type for cell in cells] == [cell.cell_type for cell in source]
    assert all(cell.source == of.source for cell, of in zip(cells, source, strict=True) if cell.cell_type == "code")
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    links = re.findall(r"\]\(([^)\s]+\.(?:md|ipynb)[^)\s]*)\)", text)
    assert links and {f"{chapter.stem}.ipynb" for chapter in CHAPTERS} >= set(links)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_notebook_shows_no_settings_of_a_sentence_and_the_caption_of_every_figure_below_it(path):
    cells = standalone(path, "", "").cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    written = path.read_text("utf-8")
    assert "#try" not in text and text.count('<span class="attn-try" title="') == written.count("](#try ") > 0
    assert not re.findall(r"\{[a-z:]+\}`", text), "a notebook shows a role as it is written"
    below = [(cells[n].metadata.get("mystnb", {}), cells[n + 1].source) for n in range(len(cells) - 1)]
    drawn = [(look["figure"]["caption"], under) for look, under in below if "figure" in look]
    assert len(drawn) == len(re.findall(r"^  figure:$", written, re.M))
    assert [under for _, under in drawn] == [f"**Figure.** {caption}" for caption, _ in drawn]


def test_the_settings_of_a_sentence_are_what_a_pointer_shows():
    text = 'Set [H, `k[0]`](#try "H=1"), then [*one*](#try\n\'way="view only"\') or [this](#tried "H=2").'
    shown = 'Set <span class="attn-try" title="H=1">H, `k[0]`</span>, then '
    shown += '<span class="attn-try" title="way=&quot;view only&quot;">*one*</span> or [this](#tried "H=2").'
    assert sentences(text) == shown


def test_links_to_other_pages_lead_to_the_published_book_or_else_to_the_repository_or_else_nowhere():
    text = "See [a[0]](03-x.md#y), [`Right` line](../book/right.md#z) and [more](https://pytorch.org/docs)."
    rest = "See [a[0]](03-x.ipynb), {} and [more](https://pytorch.org/docs)."
    assert outside(text, REPOSITORY, "https://a.org/b/") == rest.format("[`Right` line](https://a.org/b/book/right.html#z)")
    assert outside(text, REPOSITORY, "") == rest.format(f"[`Right` line]({REPOSITORY}/blob/HEAD/book/right.md)")
    assert outside(text, "", "") == rest.format("`Right` line")


# Binder ----------------------------------------------------------------------------------------------------------------------


def test_binder_installs_the_pinned_package_with_the_python_of_the_workflow_and_opens_chapters_as_notebooks(tmp_path):
    python = (ROOT / "binder" / "runtime.txt").read_text().strip().removeprefix("python-")
    assert f'python-version: "{python}"' in (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    *pins, package = (line for line in (ROOT / "binder" / "requirements.txt").read_text().splitlines() if line[0] != "#")
    assert pins == ["--constraint ../requirements.txt", "--constraint ../constraints.txt"]
    assert package == ".[jupyter]"
    venv.create(tmp_path, symlinks=True)
    path = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    subprocess.run([ROOT / "binder" / "postBuild"], cwd=ROOT, env=path, check=True)
    settings = tmp_path / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    opening = json.loads(settings.read_text())["@jupyterlab/docmanager-extension:plugin"]
    assert opening["defaultViewers"]["myst"] == "Jupytext Notebook" and not opening["autosave"]


def test_every_part_of_what_binder_installs_is_pinned():
    pins = re.findall(r"^([\w-]+)==", (ROOT / "requirements.txt").read_text("utf-8"), re.M)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    direct = {Requirement(line).name for name in ("plots", "labs", "jupyter") for line in extras[name]}
    assert direct - {*pins} == {"attn"}  # and test_setup.py looks at what these bring along
