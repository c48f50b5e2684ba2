"""A build runs again what changed and nothing else: a book of two pages, with the extensions of the real one."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from guards import fresh_processes
from late import Late
from small_book import PRELOADED, SmallBook, run_sphinx, wait_for_other_builds

pytestmark = pytest.mark.slow

attn_execution = Late("attn_execution")
attn_publish = Late("attn_publish")
PACKAGE = Path(__file__).parents[1] / "src" / "attn"
SETTINGS = """
extensions = ["myst_nb", "attn_cells", "attn_execution", "attn_labs", "attn_pages", "attn_publish", "attn_theme"]
root_doc = "chapters/lab"
exclude_patterns = ["out", "src"]
nb_execution_mode = "cache"
html_theme = "basic"
html_static_path = ["static"]
"""
PAGE = """---
jupytext: {{text_representation: {{format_name: myst}}}}
kernelspec: {{name: python3, display_name: Python 3}}
orphan: true
---
# A page

{text}

```{{code-cell}} python
{code}
```
"""
# Code that ends when that of the other page runs, too.
MEETING = """import pathlib, time
pathlib.Path({own!r}).touch()
until = time.monotonic() + 100
while not pathlib.Path({other!r}).exists():
    assert time.monotonic() < until, "the other page does not run"
    time.sleep(0.01)
"""
LAB = """from IPython.display import HTML
HTML('<div class="attn-lab" data-lab="shape"></div>')"""
FAILING = """2 + 2
```

```{code-cell} python
kept = 1
kept + missing"""
# Asks for the directory of CUDA as torch does while it is imported where it is built for CUDA, before and after all is logged.
CUDA = """import os, sys
import torch
from torch.utils import cpp_extension
cpp_extension._find_cuda_home()
print("Everything is logged now.", file=sys.stderr, flush=True)
del os.environ["TORCH_LOGS"]
torch._logging.set_logs()
cpp_extension._find_cuda_home()"""
EVERY_PAGE = {"lab", "plain"}


class Book(SmallBook):
    """The two pages and a copy of the package, and which pages a build runs and writes.

    One page shows a lab, a cell of the other one fails. Where there are two cores, the first cell of each waits for the other page.
    """

    def __init__(self, path: Path, processes: Executor):
        super().__init__(path, processes, SETTINGS)
        self.package = path / "src" / "attn"
        shutil.copytree(PACKAGE, self.package)
        (path / "static").mkdir()
        (path / "static" / "own.css").write_text("p { margin: 0 }")
        meets = MEETING if os.cpu_count() != 1 else ""
        self.lab = meets.format(own=str(path / "one"), other=str(path / "two")) + LAB
        self.write_page("lab", self.lab)
        self.write_page("plain", meets.format(own=str(path / "two"), other=str(path / "one")) + FAILING)

    def write_page(self, name: str, code: str, text: str = "Text.") -> None:
        self.write(f"chapters/{name}", PAGE.format(code=code, text=text))

    def try_to_build(self) -> tuple[int, str]:
        """The exit code of a build that may fail, and what Sphinx prints."""
        return self.processes.submit(run_sphinx, self.path).result(timeout=300)

    def run_and_written(self) -> tuple[set[str], set[str]]:
        """Build. Returns the pages whose cells ran, and the pages that were written."""
        before = self.times()
        output = self.build()
        after = self.times()
        return set(runs(output)), {page for page in after if after[page] != before.get(page)}

    def is_remembered(self) -> bool:
        """Whether the next build knows what this one has read."""
        return (self.path / "out" / "doctrees" / "environment.pickle").exists()

    def times(self) -> dict[str, int]:
        return {path.stem: path.stat().st_mtime_ns for path in (self.html / "chapters").glob("*.html")}


def runs(output: str) -> list[str]:
    """The pages whose cells ran, in order. Those of a page on which one fails run twice."""
    return re.findall(r"(\w+)\.md: Executing notebook", output)


def edit(path: Path, addition: str) -> None:
    path.write_text(path.read_text("utf-8") + addition, "utf-8")


@pytest.fixture(scope="module")
def processes():
    with fresh_processes(*PRELOADED, "jupytext", "matplotlib.pyplot") as processes:
        yield processes


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory, processes):
    """The book before its first build."""
    return Book(tmp_path_factory.mktemp("book"), processes)


@dataclass(frozen=True)
class FirstBuild:
    """A build in which a cell fails: its exit code and output, the line of the cell, and what there is after it."""

    code: int
    output: str
    line: int
    has_pages: bool
    is_remembered: bool


@pytest.fixture(scope="module")
def first_build(unfinished):
    page = (unfinished.path / "chapters" / "plain.md").read_text("utf-8")
    line = page.count("\n", 0, page.index("kept = 1")) + 1
    return FirstBuild(*unfinished.try_to_build(), line, bool(unfinished.times()), unfinished.is_remembered())


@pytest.fixture(scope="module")
def book(unfinished, first_build):
    """The book after its first build that went well."""
    unfinished.write_page("plain", "1 + 1")
    assert unfinished.run_and_written() == ({"plain"}, EVERY_PAGE)
    return unfinished


@pytest.mark.skipif(os.cpu_count() == 1, reason="one core runs one notebook at a time")
def test_chapters_run_at_the_same_time(first_build):
    assert runs(first_build.output).count("lab") == 1, "a cell has waited for the other page in vain, and has run once more"
    assert set(runs(first_build.output)) == EVERY_PAGE and "does not run" not in first_build.output


def test_a_build_that_fails_names_the_cell_and_its_error_and_makes_no_book(unfinished, first_build):
    output, line = first_build.output, first_build.line
    assert first_build.code == 1
    named = f"plain.md:{line}: ERROR: Cell 2 of 2 fails, and no cell after it has run:\n\n    kept = 1\n    kept + missing\n"
    assert named in output
    end = output.partition("These cells failed; what they say is above.\n")[2]
    assert end.startswith(f"    chapters/plain.md, line {line}, cell 2 of 2: NameError: name 'missing' is not defined\n")
    assert f"No book was built before. The pages of this build are in {unfinished.html.with_name('.html')}." in output
    assert not first_build.has_pages
    assert not first_build.is_remembered, "a second build would run nothing, and go well"


def test_editing_the_style_or_the_view_of_a_lab_rewrites_the_pages_that_show_it_and_runs_no_cell(book):
    assert "data-new" not in book.read("chapters/lab")
    edit(book.package / "labs" / "shape" / "style.css", ".data-new-style { color: red }")
    edit(book.package / "labs" / "shape" / "view.js", 'console.info("data-new-view");')
    edit(book.package / "labs" / "mask" / "view.js", 'console.info("data-new-other-lab");')
    assert book.run_and_written() == (set(), {"lab"})
    assert re.findall(r"data-new-[\w-]+", book.read("chapters/lab")) == ["data-new-style", "data-new-view"]


def test_editing_a_style_sheet_of_the_book_rewrites_every_page_and_runs_no_cell(book):
    edit(book.path / "static" / "own.css", "b { margin: 0 }")
    assert book.run_and_written() == (set(), EVERY_PAGE)
    assert (book.html / "_static" / "own.css").read_text().endswith("b { margin: 0 }")


def test_editing_code_of_a_chapter_runs_that_chapter_and_editing_its_text_runs_none(book):
    book.write_page("plain", "20 + 1")
    book.write_page("lab", book.lab, "Other text.")
    assert book.run_and_written() == ({"plain"}, EVERY_PAGE)
    assert "21" in book.read("chapters/plain")
    assert "Other text." in book.read("chapters/lab")


def test_editing_the_package_runs_every_chapter(book):
    edit(book.package / "core.py", "\n")
    assert book.run_and_written() == (EVERY_PAGE, EVERY_PAGE)


def test_a_syntax_error_in_a_lab_fails_the_build_names_the_file_and_the_line_and_leaves_the_book_as_it_was(book):
    view = book.package / "labs" / "shape" / "view.js"
    right, before = view.read_text("utf-8"), book.read("chapters/lab")
    edit(view, "const oops = ;\n")
    code, output = book.try_to_build()
    assert code == 1
    line = right.count("\n") + 1
    assert f"{view}:{line}: ERROR: This is not JavaScript: unexpected ; in expression" in output
    assert output.count("This is not JavaScript") == 1 and "const oops = ;" in output
    assert "Traceback" not in output
    assert "The book is still that of the last build that went well." in output
    assert book.read("chapters/lab") == before
    assert not book.is_remembered(), "a second build would say nothing, and go well"
    view.write_text(right, "utf-8")
    assert book.run_and_written()[0] == set()


def test_a_build_waits_until_another_one_of_the_same_book_has_ended(tmp_path, processes):
    one, ended = tmp_path / ".html", tmp_path / "ended"
    attn_publish.wait_for_other_builds(one)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(300)
        second = processes.submit(wait_for_other_builds, one, server.getsockname(), ended)
        with server.accept()[0] as connection, connection.makefile() as said:
            assert said.readline() == "Another build of this book is running. This one waits for it.\n"
            ended.touch()
            attn_publish.release()
            assert said.readline() == "the other build has ended: True\n"
    second.result(timeout=300)


def test_a_page_does_not_say_that_the_machine_has_a_compiler_for_cuda_and_no_gpu(tmp_path):
    (tmp_path / "nvcc").touch(mode=0o755)
    machine = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "CUDA_VISIBLE_DEVICES": "", "TORCH_LOGS": attn_execution.QUIET}
    run = subprocess.run([sys.executable, "-c", CUDA], env=os.environ | machine, capture_output=True, text=True, check=True)
    before, _, after = run.stderr.partition("Everything is logged now.\n")
    assert before == ""
    assert "No CUDA runtime is found" in after


def test_outputs_depend_on_python_and_json_files_and_not_on_scripts_and_styles(tmp_path):
    package = tmp_path / "attn"
    shutil.copytree(PACKAGE, package)
    digests = [attn_execution.digest_of_dependencies(package)]
    for name in ("labs/shape/view.js", "labs/kit/dom.css", "labs/texts.json", "labs/shape/lab.py"):
        edit(package / name, "\n")
        digests.append(attn_execution.digest_of_dependencies(package))
    assert [one == other for one, other in pairwise(digests)] == [True, True, False, False]


# The index ----------------------------------------------------------------------------------------------------------------------

INDEX_SETTINGS = """
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


def test_after_an_edit_of_another_page_the_search_still_knows_the_entries_of_a_page(tmp_path, processes):
    book = SmallBook(tmp_path, processes, INDEX_SETTINGS)
    book.write("book/glossary", GLOSSARY)
    book.write("first", "# First\n\n(left)=\n## Padding\n\nText.\n")
    for text in ("Text.", "Other text."):
        book.write("second", f"# Second\n\n{text}\n")
        book.build()
        assert entries(book) == {"left padding"}, text


def entries(book: SmallBook) -> set[str]:
    text = (book.html / "searchindex.js").read_text("utf-8")
    return set(json.loads(re.fullmatch(r"Search\.setIndex\((.*)\)", text)[1])["indexentries"])
