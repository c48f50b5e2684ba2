"""A build runs again what changed and nothing else: a book of two pages, with the extensions of the real one."""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import Executor
from itertools import pairwise
from pathlib import Path

import pytest
from guards import fresh_processes
from late import Late
from small_book import EXTENSIONS, SmallBook, run_sphinx

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
LAB = """from IPython.display import HTML
HTML('<div class="attn-lab" data-lab="shape"></div>')"""
# A cell that ends when that of the other page runs, too.
MEETING = """import pathlib, time
pathlib.Path({own!r}).touch()
until = time.monotonic() + 100
while not pathlib.Path({other!r}).exists():
    assert time.monotonic() < until, "the other page does not run"
    time.sleep(0.01)"""
SECOND_BUILD = """import logging, pathlib, sys
import attn_publish
logging.basicConfig(stream=sys.stdout, level="INFO", format="%(message)s")
attn_publish.wait_for_other_builds(pathlib.Path(sys.argv[1]))
print("builds")"""
PRELOADED = ["sphinx.cmd.build", "myst_nb", "jupytext", "matplotlib.pyplot"]
EVERY_PAGE = {"lab", "plain"}


class Book(SmallBook):
    """The two pages and a copy of the package, and which pages a build runs and writes."""

    def __init__(self, path: Path, processes: Executor):
        super().__init__(path, processes, SETTINGS)
        self.package = path / "src" / "attn"
        shutil.copytree(PACKAGE, self.package)
        (path / "static").mkdir()
        (path / "static" / "own.css").write_text("p { margin: 0 }")
        self.write_page("lab", LAB)
        self.write_page("plain", "1 + 1")

    def write_page(self, name: str, code: str, text: str = "Text.") -> None:
        self.write(f"chapters/{name}", PAGE.format(code=code, text=text))

    def run_and_written(self) -> tuple[set[str], set[str]]:
        """Build. Returns the pages whose cells ran, and the pages that were written."""
        before = self.times()
        output = self.build()
        after = self.times()
        run = set(re.findall(r"(\w+)\.md: Executing notebook", output))
        return run, {page for page in after if after[page] != before.get(page)}

    def times(self) -> dict[str, int]:
        return {path.stem: path.stat().st_mtime_ns for path in (self.html / "chapters").glob("*.html")}


def edit(path: Path, addition: str) -> None:
    path.write_text(path.read_text("utf-8") + addition, "utf-8")


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    with fresh_processes(*PRELOADED) as processes:
        book = Book(tmp_path_factory.mktemp("book"), processes)
        assert book.run_and_written() == (EVERY_PAGE, EVERY_PAGE)
        yield book


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
    book.write_page("lab", LAB, "Other text.")
    assert book.run_and_written() == ({"plain"}, EVERY_PAGE)
    assert "21" in book.read("chapters/plain")
    assert "Other text." in book.read("chapters/lab")


@pytest.mark.skipif(os.cpu_count() == 1, reason="one core runs one notebook at a time")
def test_chapters_run_at_the_same_time(book):
    for name, other in (("lab", "plain"), ("plain", "lab")):
        book.write_page(name, MEETING.format(own=str(book.path / name), other=str(book.path / other)))
    assert book.run_and_written() == (EVERY_PAGE, EVERY_PAGE)
    book.write_page("lab", LAB)
    book.build()


def test_editing_the_package_runs_every_chapter(book):
    edit(book.package / "core.py", "\n")
    assert book.run_and_written() == (EVERY_PAGE, EVERY_PAGE)


def test_a_build_that_fails_names_the_cell_and_its_error_and_leaves_the_book_as_it_was(book):
    before = book.read("chapters/plain")
    book.write_page("plain", "2 + 2\n```\n\n```{code-cell} python\nkept = 1\nkept + missing", "A page whose second cell fails.")
    code, output = book.processes.submit(run_sphinx, book.path).result(timeout=300)
    assert code == 1
    named = "plain.md:15: ERROR: Cell 2 of 2 fails, and no cell after it has run:\n\n    kept = 1\n    kept + missing\n"
    assert named in output
    end = output.partition("These cells failed; what they say is above.\n")[2]
    assert end.startswith("    chapters/plain.md, line 15, cell 2 of 2: NameError: name 'missing' is not defined\n")
    assert "The book is still that of the last build that went well." in output
    assert book.read("chapters/plain") == before
    assert not (book.path / "out" / "doctrees" / "environment.pickle").exists(), "a second build would run nothing, and go well"
    good = book.html.rename(book.html.with_name("good"))
    _, output = book.processes.submit(run_sphinx, book.path).result(timeout=300)
    good.rename(book.html)
    assert f"No book was built before. The pages of this build are in {book.html.with_name('.html')}." in output


def test_a_syntax_error_in_a_lab_fails_the_build_and_names_the_file_and_the_line(book):
    view = book.package / "labs" / "shape" / "view.js"
    book.write_page("plain", "2 + 2")
    book.build()
    right, before = view.read_text("utf-8"), book.read("chapters/lab")
    edit(view, "const oops = ;\n")
    code, output = book.processes.submit(run_sphinx, book.path).result(timeout=300)
    assert code == 1
    line = right.count("\n") + 1
    assert f"{view}:{line}: ERROR: This is not JavaScript: unexpected ; in expression" in output
    assert output.count("This is not JavaScript") == 1 and "const oops = ;" in output
    assert "Traceback" not in output
    assert book.read("chapters/lab") == before
    view.write_text(right, "utf-8")
    assert book.run_and_written()[0] == set()


def test_a_build_waits_until_another_one_of_the_same_book_has_ended(tmp_path):
    one = tmp_path / ".html"
    attn_publish.wait_for_other_builds(one)
    command = [sys.executable, "-c", SECOND_BUILD, str(one)]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(EXTENSIONS)}, stdout=subprocess.PIPE, text=True) as second:
        assert second.stdout.readline() == "Another build of this book is running. This one waits for it.\n"
        assert second.poll() is None
        attn_publish.release()
        assert second.stdout.readline() == "builds\n"
    assert second.returncode == 0


def test_a_page_does_not_say_that_the_machine_has_a_compiler_for_cuda_and_no_gpu(tmp_path):
    (tmp_path / "nvcc").touch(mode=0o755)
    code = (
        "from torch.utils import cpp_extension; cpp_extension._find_cuda_home()"  # a build of torch for CUDA calls it when imported
    )
    machine = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "CUDA_VISIBLE_DEVICES": ""}
    told = [
        subprocess.run([sys.executable, "-c", code], env=machine | logs, capture_output=True, text=True, check=True).stderr
        for logs in ({}, {"TORCH_LOGS": attn_execution.QUIET})
    ]
    assert "No CUDA runtime is found" in told[0]
    assert told[1] == ""


def test_outputs_depend_on_python_and_json_files_and_not_on_scripts_and_styles(tmp_path):
    package = tmp_path / "attn"
    shutil.copytree(PACKAGE, package)
    digests = [attn_execution.digest_of_dependencies(package)]
    for name in ("labs/shape/view.js", "labs/kit/dom.css", "labs/texts.json", "labs/shape/lab.py"):
        edit(package / name, "\n")
        digests.append(attn_execution.digest_of_dependencies(package))
    assert [one == other for one, other in pairwise(digests)] == [True, True, False, False]
