"""The labs and a chapter in JupyterLab: the kernel computes, the front end draws, and a cell can read the new settings."""

import json
import os
import re
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest
from browser import PATIENCE, close
from jupyter import IN_SIGHT, notebook, open_folder, ready, run_cell, running_jupyterlab, write_notebook
from lab_pages import DRAWN, SHOWN, controls, move
from notebook_file import sentences
from playwright.sync_api import Locator, Page

from attn import labs
from attn.labs.training.lab import _short_run

pytestmark = pytest.mark.slow

CHAPTERS = Path(__file__).parents[1] / "chapters"
CHAPTER = "01-whole-map.md"
READ_BACK = """
```{code-cell}
print(lab.L, tuple(lab.scores.shape), tuple(lab.y.shape))
```
"""

NOTEBOOK = "labs.ipynb"
PROGRAM = "import sys\nimport torch\nx = torch.arange(6).view(2, 3)\ny = x.T\n"
INPUTS = {"TrainingLab": "kept"}  # the argument of a lab that needs one: a variable of the notebook
MADE = [f"lab_{n} = {lab}({INPUTS.get(lab, '')})" for n, lab in enumerate(labs.__all__)]
ALL = ", ".join(f"lab_{n}" for n in range(len(MADE)))
SETTINGS = f"[{{key: getattr(lab, key) for key in (*lab.STATE, *lab.VIEW)}} for lab in ({ALL},)]"
# The code cells of the notebook, by the names that the tests give them.
CELLS = {
    "lab": "from attn.labs import ShapeLab\nlab = ShapeLab(pin=[1, 2, 0, 3])\nlab",
    "score": "print(lab.L, tuple(lab.scores.shape), f'{lab.scores[1, 2, 0, 3]:.2f}', lab.causal)",
    "L": "lab.L = 9",
    "E": "lab.E = 10",
    "y": "lab.H = 4; lab.step = 'y'",
    "numbers": "print('|'.join(f'y[0, {i}, {j}] = {lab.y[0, i, j]:.4f}' for i in range(9) for j in range(16)))",
    "kernel": "import os; print(os.getpid())",
    "program": f"from attn.labs import CodeLab\nprogram = CodeLab(code={PROGRAM!r})\nprogram",
    "variables": "print(program.variables['y'].tolist(), program.failure['type'], program.tensors.keys() != set())",
    "all labs": "\n".join(
        [
            "from attn.labs import *",
            "from attn.labs.training.lab import _short_run",
            "kept = _short_run()",
            *MADE,
            f"display({ALL})",
        ]
    ),
    "settings": f"import json\nprint(json.dumps({SETTINGS}))",
    "told": "from attn.labs import ShapeLab\ntold = ShapeLab()\ntold",
    "L, H, E": "print(told.L, told.H, told.E)",
}
# Below them, as a chapter has it and as a downloaded notebook has it. The lab above it is the last one.
TEXT = 'Look at [three words](#try "L=3") or [`5` heads](#try \'H=5, E=20, step="y"\').'


@pytest.fixture(scope="module")
def jupyterlab(tmp_path_factory):
    """JupyterLab with the chapters, the first of them with one more cell, and with a notebook of labs beside them."""
    folder = tmp_path_factory.mktemp("jupyterlab")
    shutil.copytree(CHAPTERS, folder / "chapters")
    with (folder / "chapters" / CHAPTER).open("a", encoding="utf-8") as chapter:
        chapter.write(READ_BACK)
    write_notebook(folder / "chapters" / NOTEBOOK, *CELLS.values(), text=f"{TEXT}\n\n{sentences(TEXT)}")
    with running_jupyterlab(folder) as address:
        yield address


# anywidget gives a lab two seconds to load before it stops passing on what the kernel says. A busy machine may need longer.
MORE_TIME = f"""const after = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = milliseconds => after(Math.max(milliseconds, {PATIENCE}));"""


class Tab:
    """JupyterLab as the activated environment starts it: the setting is part of the environment, not of `make lab`."""

    def __init__(self, context, address: str):
        context.set_default_timeout(PATIENCE)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = context.new_page()
        self.page.add_init_script(MORE_TIME)
        self.troubles: list[str] = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on(
            "request", lambda sent: sent.url.startswith("http") and address not in sent.url and self.troubles.append(sent.url)
        )
        open_folder(self.page, f"{address}/lab/workspaces/chapters/tree/chapters")


@pytest.fixture(scope="module")
def tabs():
    """The tab that tests share, in a list that may be empty: to open JupyterLab takes longer than to open a notebook in it."""
    tabs = []
    yield tabs
    for tab in tabs:
        tab.page.context.close()


@pytest.fixture
def page(browser, jupyterlab, tabs, request, failures):
    """The page of the shared tab. The test fails if an error occurs on it, or if it asks another host for anything."""
    traced = request.config.getoption("traces")
    if not tabs:
        context = browser.new_context(viewport={"width": 1280, "height": 1800})
        if traced:
            context.tracing.start(snapshots=True, screenshots=True)
        tabs.append(Tab(context, jupyterlab))
    (tab,) = tabs
    failed = request.session.testsfailed
    yield tab.page
    if tab.troubles or request.session.testsfailed > failed:  # the next test opens another one
        close(tabs.pop().page.context, failures / "context-0", True, traced)
    assert tab.troubles == []


def open_in_folder(page: Page, name: str) -> None:
    """Open a notebook by a double click, or go back to it."""
    page.locator(".jp-DirListing-item", has_text=name).dblclick()
    page.locator(".lm-DockPanel-tabBar .lm-mod-current", has_text=name).wait_for()
    ready(page)


def press_in_menu(page: Page, menu: str, entry: str) -> None:
    for name in (menu, entry):
        page.get_by_role("menuitem", name=name, exact=True).click()


@dataclass(frozen=True)
class Labs:
    """The notebook of labs."""

    page: Page

    def run(self, name: str) -> str:
        """Run a cell, and return what it prints."""
        return run_cell(self.page, list(CELLS).index(name))

    @staticmethod
    def place(name: str) -> str:
        """The selector of the labs that a cell shows."""
        return f"{IN_SIGHT} .jp-CodeCell >> nth={list(CELLS).index(name)} >> .attn-lab-root"

    def show(self, name: str) -> Locator:
        """Run a cell that shows labs."""
        self.run(name)
        labs = self.page.locator(self.place(name))
        labs.first.wait_for()
        return labs


@pytest.fixture
def cells(page):
    """The notebook of labs. What its cells have shown to other tests is cleared: every lab takes time whenever the page changes."""
    open_in_folder(page, NOTEBOOK)
    if notebook(page).locator(".jp-OutputArea-output").count():
        press_in_menu(page, "Edit", "Clear Outputs of All Cells")
    return Labs(page)


def test_a_sentence_of_the_text_can_be_read_before_a_lab_runs_and_then_sets_the_lab_above_it(page, cells):
    """As a chapter has it, and as a downloaded notebook has it."""
    written = notebook(page).locator(".jp-RenderedMarkdown p")
    assert written.all_inner_texts() == ["Look at three words or 5 heads."] * 2
    root = cells.show("told")
    page.get_by_role("button", name="three words").nth(0).press("Enter")
    page.get_by_role("button", name="5 heads").nth(1).click()
    root.locator(".slider[data-axis=H] output", has_text="5").wait_for()
    assert cells.run("L, H, E") == "3 5 20"
    assert written.all_inner_texts() == ["Look at three words or 5 heads."] * 2
    assert notebook(page).locator(".jp-RenderedMarkdown a:not([role=button])").count() == 0


def test_chapter_1_opens_as_a_notebook_on_a_double_click_and_a_cell_can_read_the_settings_of_its_lab(page):
    open_in_folder(page, CHAPTER)
    press_in_menu(page, "Run", "Run All Cells")
    last = notebook(page).locator(".jp-CodeCell").last
    last.locator(".jp-OutputArea-output").wait_for()
    assert last.locator(".jp-OutputArea").inner_text().strip() == "7 (2, 3, 7, 7) (2, 7, 12)"

    root = notebook(page).locator(".attn-lab-root").first
    root.locator(".backend").filter(has_text="computed by torch 2.").wait_for(state="attached")
    root.scroll_into_view_if_needed()
    slider = root.locator(".slider[data-axis=L] input")
    slider.click()  # in the middle
    L = int(slider.input_value())
    assert L > 20
    root.locator(".about").filter(has_text=f"= (2, {L}, 12)").wait_for()  # it opens at x
    last.scroll_into_view_if_needed()
    last.locator(".jp-InputArea-editor").click()
    page.keyboard.press("Control+Enter")
    last.locator(".jp-OutputArea-output", has_text=f"{L} (2, 3, {L}, {L}) (2, {L}, 12)").wait_for()


def test_codelab_runs_a_program_for_real_and_a_cell_can_read_its_variables(page, cells):
    root = cells.show("program")
    root.locator(".made", has_text="view").last.wait_for()
    assert "computed by torch 2." in root.locator(".backend").inner_text()
    assert "The code runs for real, in the kernel of this notebook" in root.inner_text()
    assert root.get_by_role("button", name="open in Jupyter").count() == 0
    canvas = root.locator("canvas").first
    for _ in range(2):  # to the first number, and to the one beside it
        canvas.press("ArrowRight")
    assert root.locator(".sentence").inner_text() == "y[0, 1] = 3, place 3 in memory"
    root.locator("textarea").first.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("z = y.view(6)  # ")
    problem = root.locator(".problems .failed")
    problem.filter(has_text="view size is not compatible").wait_for()
    assert "Line 5 RuntimeError" in problem.inner_text() and root.locator(".line.failed").count() == 1
    assert cells.run("variables") == "[[0, 3], [1, 4], [2, 5]] RuntimeError True"


# What a lab shows, and who has computed it.
BEFORE = f"root => {DRAWN}.then(() => [({SHOWN})(root), root.querySelector('.backend').innerText])"
# What a lab shows as soon as its results are there, and what its button *copy code* copies.
AFTER = f"""async root => {{
  const until = (node, attribute, value) => new Promise((done, fail) => {{
    setTimeout(() => fail(Error(`${{attribute}} does not become ${{value}}`)), {PATIENCE});
    const look = () => node.getAttribute(attribute) === value && (watch.disconnect(), done());
    const watch = new MutationObserver(look);
    watch.observe(node, {{ attributes: true }});
    look();
  }});
  await {DRAWN};
  if (root.ariaBusy !== 'false') await until(root, 'aria-busy', 'false').then(() => {DRAWN});
  const shown = ({SHOWN})(root);
  const button = [...root.querySelectorAll('button')].find(one => one.textContent === 'copy code');
  button.click();
  await until(button, 'data-done', 'copied');
  return [shown, await navigator.clipboard.readText()];
}}"""


def test_every_lab_computes_with_torch_and_a_cell_can_read_its_new_settings(page, cells):
    page.emulate_media(reduced_motion="reduce")  # FilmLab alone would play for 25 seconds
    roots = cells.show("all labs")
    roots.nth(len(MADE) - 1).wait_for()
    before = json.loads(cells.run("settings"))
    moved = []
    for n, lab in enumerate(labs.__all__):
        start, by = roots.nth(n).evaluate(BEFORE)
        assert ("replayed by torch 2." if lab == "TrainingLab" else "computed by torch 2.") in by, lab
        slider = roots.nth(n).locator("input[type=range]:visible:enabled").first
        move(page, slider if slider.count() else controls(page, f"{cells.place('all labs')} >> nth={n}")[0], "mouse")
        then, copied_text = roots.nth(n).evaluate(AFTER)
        assert then != start, lab
        assert copied_text.startswith(f"{lab}({INPUTS.get(lab, '')}")
        copied = eval(copied_text, {lab: getattr(labs, lab), "kept": _short_run()})
        moved.append({key: getattr(copied, key) for key in (*copied.STATE, *copied.VIEW)})
    after = json.loads(cells.run("settings"))
    for lab, old, new, front in zip(labs.__all__, before, after, moved, strict=True):
        assert new != old, f"{lab}: the kernel did not get the change"
        assert new == front, lab
    page.emulate_media(reduced_motion="no-preference")


def test_kernel_and_front_end_update_each_other(page, cells):
    root = cells.show("lab")
    assert "computed by torch 2." in root.locator(".backend").inner_text()
    about = root.locator(".about")

    def shape_is(text):
        about.filter(has_text=text).wait_for()

    # A change in the front end reaches the kernel, and the kernel's result is drawn.
    shape_is("= (2, 3, 7, 7)")
    slider = root.locator(".slider[data-axis=L] input")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in range(10, 51, 2):
        page.mouse.move(box["x"] + share / 100 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.up()
    L = int(slider.input_value())
    assert 20 < L < 60
    shape_is(f"= (2, 3, {L}, {L})")
    root.locator(".more summary").click()
    root.get_by_label("hide the future").check()
    pinned = root.locator(".pinned output[data-of=masked]")
    pinned.filter(has_text=re.compile("^−∞$")).wait_for(state="attached")
    score = root.locator(".pinned output[data-of=scores]").inner_text().replace("−", "-")
    assert cells.run("score") == f"{L} (2, 3, {L}, {L}) {score} True"

    # A change in a cell reaches the front end.
    cells.run("L")
    shape_is("= (2, 3, 9, 9)")
    assert slider.input_value() == "9"
    assert "E = 10 cannot be split into H = 3 heads" in cells.run("E")
    assert root.get_by_role("alert").inner_text().startswith("E = 10 cannot be split into H = 3 heads")
    cells.run("y")
    shape_is("y (B, L, E) = (2, 9, 16)")
    assert root.get_by_role("alert").count() == 0
    canvas = root.locator(".large canvas")
    canvas.press("Home")  # from [1, 2, 0, 3], where scores are pinned, to the same place of y in the first sentence
    numbers = cells.run("numbers").replace("-", "−").split("|")
    first_line = root.locator(".pinned p").first
    pinned_line = first_line.filter(has_text=re.compile(f"^{re.escape(numbers[3])}$"))
    pinned_line.wait_for()

    # The lab explains the cell under the pointer, and the pinned one again when the pointer leaves.
    canvas.hover(position={"x": 100, "y": 60})
    first_line.filter(has_not_text=re.compile(f"^{re.escape(numbers[3])}$")).wait_for()
    assert first_line.inner_text() in numbers
    page.mouse.move(0, 0)
    pinned_line.wait_for()

    # While the kernel does not answer, and when it is dead, the browser computes and says so.
    kernel = int(cells.run("kernel"))
    backend = root.locator(".backend")
    for end in (signal.SIGCONT, signal.SIGKILL):
        os.kill(kernel, signal.SIGSTOP)
        L = int(slider.input_value())
        for more in (1, 2):
            slider.press("ArrowRight")
            shape_is(f"y (B, L, E) = (2, {L + more}, 16)")
            assert backend.inner_text() == "computed by your browser: the kernel does not answer"
        os.kill(kernel, end)
        if end == signal.SIGCONT:
            backend.filter(has_text=re.compile(r"^computed by torch 2\.[^:]*$")).wait_for()
    page.locator(".jp-Dialog").get_by_role("button").first.click()  # JupyterLab says that the kernel has ended
    slider.press("ArrowLeft")
    shape_is(f"y (B, L, E) = (2, {L + 1}, 16)")
