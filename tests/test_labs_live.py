"""ShapeLab in JupyterLab: the kernel computes, the front end draws."""

from pathlib import Path

import pytest
from browser import open_browser
from jupyter import open_notebook, run_cell, running_jupyterlab, write_notebook

CELLS = (
    "from attn.labs import ShapeLab\nlab = ShapeLab(pin=[1, 2, 0, 3])\nlab",
    "print(lab.L, tuple(lab.scores.shape), f'{lab.scores[1, 2, 0, 3]:.4f}', lab.causal)",
    "lab.L = 9",
    "lab.E = 10",
    "lab.H = 4; lab.step = 'y'",
)


@pytest.mark.slow
def test_kernel_and_front_end_move_each_other(tmp_path):
    write_notebook(tmp_path / "lab.ipynb", *CELLS)
    with running_jupyterlab(tmp_path) as address, open_browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 1800})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        open_notebook(page, address, "lab.ipynb")
        run_cell(page, 0)
        root = page.locator(".attn-lab-root")
        root.wait_for()
        assert "computed by torch 2." in root.locator(".side").inner_text()

        def shape_is(text):
            page.wait_for_function("text => document.querySelector('.attn-lab-root .about').innerText.includes(text)", arg=text)

        # From the front end to the kernel, and the kernel's result drawn.
        shape_is("= (2, 3, 5, 5)")
        slider = root.locator(".slider[data-axis=L] input")
        box = slider.bounding_box()
        page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + box["height"] / 2)
        page.mouse.down()
        for share in range(10, 51, 2):
            page.mouse.move(box["x"] + share / 100 * box["width"], box["y"] + box["height"] / 2)
        page.mouse.up()
        L = int(slider.input_value())
        assert 20 < L < 45
        shape_is(f"= (2, 3, {L}, {L})")
        page.get_by_label("hide later words").check()
        page.wait_for_function("document.querySelector('.pinned output[data-of=masked]').innerText === '−∞'")
        told = root.locator(".pinned output[data-of=scores]").inner_text().replace("−", "-")
        assert run_cell(page, 1) == f"{L} (2, 3, {L}, {L}) {told} True"

        # From a cell to the front end.
        run_cell(page, 2)
        shape_is("= (2, 3, 9, 9)")
        assert slider.input_value() == "9"
        assert "E = 10 cannot be split into H = 3 heads" in run_cell(page, 3)
        assert root.get_by_role("alert").inner_text().startswith("E = 10 cannot be split into H = 3 heads")
        run_cell(page, 4)
        shape_is("y (B, L, E) = (2, 9, 16)")
        assert root.get_by_role("alert").count() == 0
        canvas = root.locator(".facets canvas").first
        canvas.press("Home")
        page.wait_for_function("document.querySelector('.pinned').innerText.startsWith('y[0, 0, 0]')")
        assert errors == []


READ_BACK = """
```{code-cell}
print(lab.L, tuple(lab.scores.shape), tuple(lab.y.shape))
```
"""


@pytest.mark.slow
def test_chapter_1_runs_as_a_notebook_and_its_lab_answers_a_cell(tmp_path):
    chapter = Path(__file__).parents[1] / "chapters" / "01-whole-map.md"
    (tmp_path / chapter.name).write_text(chapter.read_text("utf-8") + READ_BACK, "utf-8")
    with running_jupyterlab(tmp_path) as address, open_browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 1400})
        open_notebook(page, address, chapter.name)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        last = page.locator(".jp-CodeCell").last
        last.locator(".jp-OutputArea-output").wait_for(timeout=120_000)
        assert last.locator(".jp-OutputArea").inner_text().strip() == "5 (2, 3, 5, 5) (2, 5, 12)"

        root = page.locator(".attn-lab-root").first
        root.locator(".side").filter(has_text="computed by torch 2.").wait_for(state="attached")
        root.scroll_into_view_if_needed()
        slider = root.locator(".slider[data-axis=L] input")
        slider.click()  # in its middle
        L = int(slider.input_value())
        assert L > 20
        root.locator(".about").filter(has_text=f"= (2, 3, {L}, {L})").wait_for()
        last.scroll_into_view_if_needed()
        last.locator(".jp-InputArea-editor").click()
        page.keyboard.press("Control+Enter")
        last.locator(".jp-OutputArea-output", has_text=f"{L} (2, 3, {L}, {L}) (2, {L}, 12)").wait_for(timeout=30_000)
