"""The labs and a chapter in JupyterLab: the kernel computes, the front end draws, and a cell can read the new settings."""

import json
import os
import re
import shutil
import signal
from pathlib import Path

import pytest
from browser import PATIENCE
from jupyter import open_notebook, ready, run_cell, running_jupyterlab, write_notebook
from lab_pages import controls, move, settled, shown
from notebook_file import sentences

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


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files of JupyterLab: the chapters, the first of them with one more cell."""
    folder = tmp_path_factory.mktemp("jupyterlab")
    shutil.copytree(CHAPTERS, folder / "chapters")
    with (folder / "chapters" / CHAPTER).open("a", encoding="utf-8") as chapter:
        chapter.write(READ_BACK)
    return folder


@pytest.fixture(scope="module")
def jupyterlab(folder):
    with running_jupyterlab(folder) as address:
        yield address


# anywidget gives a lab two seconds to load before it stops passing on what the kernel says. A busy machine may need longer.
MORE_TIME = f"""const after = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = milliseconds => after(Math.max(milliseconds, {PATIENCE}));"""


@pytest.fixture
def page(new_context):
    """A tab. The test fails if an error occurs on it."""
    page = new_context(viewport={"width": 1280, "height": 1800}).new_page()
    page.add_init_script(MORE_TIME)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []


def test_every_lab_computes_with_torch_and_a_cell_can_read_its_new_settings(jupyterlab, folder, page):
    name = "every-lab.ipynb"
    recorded = "from attn.labs.training.lab import _short_run\nkept = _short_run()\n"
    inputs = {"TrainingLab": "kept"}  # the argument of a lab that needs one: a variable of the notebook
    made = [f"from attn.labs import {lab}\nlab_{n} = {lab}({inputs.get(lab, '')})\nlab_{n}" for n, lab in enumerate(labs.__all__)]
    made[0] = recorded + made[0]
    them = ", ".join(f"lab_{n}" for n in range(len(made)))
    code = f"import json\nprint(json.dumps([{{key: getattr(lab, key) for key in (*lab.STATE, *lab.VIEW)}} for lab in ({them},)]))"
    write_notebook(folder / name, *made, code)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.emulate_media(reduced_motion="reduce")  # FilmLab alone would play for 25 seconds
    open_notebook(page, jupyterlab, name)
    for n in range(len(made)):
        run_cell(page, n)
    before = json.loads(run_cell(page, len(made)))
    moved = []
    for n, lab in enumerate(labs.__all__):
        at = f".attn-lab-root >> nth={n}"
        backend = "replayed by torch 2." if lab == "TrainingLab" else "computed by torch 2."
        assert backend in page.locator(at).locator(".backend").inner_text(), lab
        start = shown(page, at)
        working = controls(page, at)
        control = next((one for one in working if one.get_attribute("type") == "range"), working[0])
        move(page, control, "mouse")
        settled(page)
        page.wait_for_function("n => document.querySelectorAll('.attn-lab-root')[n].ariaBusy === 'false'", arg=n)
        assert shown(page, at) != start, lab
        page.locator(at).get_by_role("button", name="copy code").click()
        page.locator(at).locator("[data-done=copied]").wait_for()
        copied_text = page.evaluate("navigator.clipboard.readText()")
        assert copied_text.startswith(f"{lab}({inputs.get(lab, '')}")
        copied = eval(copied_text, {lab: getattr(labs, lab), "kept": _short_run()})
        moved.append({key: getattr(copied, key) for key in (*copied.STATE, *copied.VIEW)})
    after = json.loads(run_cell(page, len(made)))
    for lab, old, new, front in zip(labs.__all__, before, after, moved, strict=True):
        assert new != old, f"{lab}: the kernel did not get the change"
        assert new == front, lab


CELLS = (
    "from attn.labs import ShapeLab\nlab = ShapeLab(pin=[1, 2, 0, 3])\nlab",
    "print(lab.L, tuple(lab.scores.shape), f'{lab.scores[1, 2, 0, 3]:.2f}', lab.causal)",
    "lab.L = 9",
    "lab.E = 10",
    "lab.H = 4; lab.step = 'y'",
    "print('|'.join(f'y[0, {i}, {j}] = {lab.y[0, i, j]:.4f}' for i in range(9) for j in range(16)))",
    "import os; print(os.getpid())",
)


def test_kernel_and_front_end_update_each_other(jupyterlab, folder, page):
    write_notebook(folder / "lab.ipynb", *CELLS)
    open_notebook(page, jupyterlab, "lab.ipynb")
    run_cell(page, 0)
    root = page.locator(".attn-lab-root")
    root.wait_for()
    assert "computed by torch 2." in root.locator(".backend").inner_text()

    def shape_is(text):
        page.wait_for_function("text => document.querySelector('.attn-lab-root .about').innerText.includes(text)", arg=text)

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
    page.get_by_label("hide the future").check()
    page.wait_for_function("document.querySelector('.pinned output[data-of=masked]').innerText === '−∞'")
    score = root.locator(".pinned output[data-of=scores]").inner_text().replace("−", "-")
    assert run_cell(page, 1) == f"{L} (2, 3, {L}, {L}) {score} True"

    # A change in a cell reaches the front end.
    run_cell(page, 2)
    shape_is("= (2, 3, 9, 9)")
    assert slider.input_value() == "9"
    assert "E = 10 cannot be split into H = 3 heads" in run_cell(page, 3)
    assert root.get_by_role("alert").inner_text().startswith("E = 10 cannot be split into H = 3 heads")
    run_cell(page, 4)
    shape_is("y (B, L, E) = (2, 9, 16)")
    assert root.get_by_role("alert").count() == 0
    canvas = root.locator(".large canvas")
    canvas.press("Home")  # from [1, 2, 0, 3], where scores are pinned, to the same place of y in the first sentence
    numbers = run_cell(page, 5).replace("-", "−").split("|")
    first_line = "document.querySelector('.pinned p').innerText"
    page.wait_for_function(f"text => {first_line} === text", arg=numbers[3])

    # The lab explains the cell under the pointer, and the pinned one again when the pointer leaves.
    canvas.hover(position={"x": 100, "y": 60})
    page.wait_for_function(f"text => {first_line} !== text", arg=numbers[3])
    assert page.evaluate(first_line) in numbers
    page.mouse.move(0, 0)
    page.wait_for_function(f"text => {first_line} === text", arg=numbers[3])

    # While the kernel does not answer, and when it is dead, the browser computes and says so.
    kernel = int(run_cell(page, 6))
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


def test_a_sentence_of_the_text_can_be_read_before_a_lab_runs_and_then_sets_the_lab_above_it(jupyterlab, folder, page):
    """As a chapter has it, and as a downloaded notebook has it."""
    code = "from attn.labs import ShapeLab\nlab = ShapeLab()\nlab"
    text = 'Look at [three words](#try "L=3") or [`5` heads](#try \'H=5, E=20, step="y"\').'
    write_notebook(folder / "sentence.ipynb", code, "print(lab.L, lab.H, lab.E)", text=f"{text}\n\n{sentences(text)}")
    open_notebook(page, jupyterlab, "sentence.ipynb")
    written = page.locator(".jp-RenderedMarkdown p")
    assert written.all_inner_texts() == ["Look at three words or 5 heads."] * 2
    run_cell(page, 0)
    page.locator(".attn-lab-root").wait_for()
    page.get_by_role("button", name="three words").nth(0).press("Enter")
    page.get_by_role("button", name="5 heads").nth(1).click()
    page.locator(".slider[data-axis=H] output", has_text="5").wait_for()
    assert run_cell(page, 1) == "3 5 20"
    assert written.all_inner_texts() == ["Look at three words or 5 heads."] * 2
    assert page.locator(".jp-RenderedMarkdown a:not([role=button])").count() == 0


def test_chapter_1_opens_as_a_notebook_on_a_double_click_and_a_cell_can_read_the_settings_of_its_lab(jupyterlab, page):
    """In JupyterLab as the activated environment starts it: the setting is part of the environment, not of `make lab`."""
    elsewhere = []
    page.on("request", lambda it: elsewhere.append(it.url) if it.url.startswith("http") and jupyterlab not in it.url else None)
    page.goto(f"{jupyterlab}/lab/workspaces/chapters/tree/chapters")
    page.locator("#jupyterlab-splash").wait_for(state="detached")
    page.locator(".jp-DirListing-item", has_text=CHAPTER).dblclick()
    ready(page)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    last = page.locator(".jp-CodeCell").last
    last.locator(".jp-OutputArea-output").wait_for()
    assert last.locator(".jp-OutputArea").inner_text().strip() == "7 (2, 3, 7, 7) (2, 7, 12)"

    root = page.locator(".attn-lab-root").first
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
    assert elsewhere == []


def test_codelab_runs_a_program_for_real_and_a_cell_can_read_its_variables(jupyterlab, folder, page):
    program = "import sys\nimport torch\nx = torch.arange(6).view(2, 3)\ny = x.T\n"
    made = f"from attn.labs import CodeLab\nlab = CodeLab(code={program!r})\nlab"
    write_notebook(
        folder / "code.ipynb", made, "print(lab.variables['y'].tolist(), lab.failure['type'], lab.tensors.keys() != set())"
    )
    open_notebook(page, jupyterlab, "code.ipynb")
    run_cell(page, 0)
    root = page.locator(".attn-lab-root")
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
    assert run_cell(page, 1) == "[[0, 3], [1, 4], [2, 5]] RuntimeError True"
