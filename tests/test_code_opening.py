""" "Open as code": the program that a lab gives makes the tensors that the lab shows, in PyTorch and in the page's interpreter."""

import json
from html import escape
from pathlib import Path
from urllib.parse import unquote

import pytest
import torch
from codelab import run_in_page, run_in_torch
from decoded import sections
from lab_pages import settled
from node import node

from attn.labs import EinsumLab, PassportLab, ShapeLab
from attn.labs.code.run import NAMES, analyse
from attn.lessons.errors import METHODS
from attn.trace.letters import MERGED

EQUAL = {"rtol": 0, "atol": 0, "check_dtype": False}
SHAPES = [
    ShapeLab(),
    ShapeLab(B=3, H=4, L=6, D=5, G=2, causal=True),
    ShapeLab(B=1, H=6, L=4, S=9, D=2, G=1, causal=True, scale=False),
    ShapeLab(B=2, H=2, L=6, S=4, D=3, G=2, causal=True),  # the first two words see nothing
]
PASSPORTS = [
    PassportLab(),
    PassportLab(way="right", B=2, L=4),
    PassportLab(way="interleaved", L=6, H=4, D=5),
    PassportLab(way="pieces", piece=10),
    PassportLab(way="pieces", piece=7),  # no view cuts the row like this
    PassportLab(operation="merge", way="no transpose"),
    PassportLab(operation="merge", way="pieces", piece=6, L=5, H=3, D=4),
]
FORMULAS = [
    EinsumLab(),
    EinsumLab(nudge=[1, 1, 2, 4, 0]),
    EinsumLab(formula="bhls,bhsd->bhld", H=2),
    EinsumLab(formula="bhll->bhl", nudge=[0, 9, 9, 9, 9]),
    EinsumLab(formula="d,d->"),
    EinsumLab(formula="l,s->ls", L=3),
    EinsumLab(formula="bhls->bhl"),
    EinsumLab(formula="bhld,hde->ble", L=8, E=12),
    EinsumLab(formula="sd,blsd->bl"),
]
LABS = [*SHAPES, *PASSPORTS, *FORMULAS]


@pytest.fixture(scope="module")
def programs():
    """The programs by the settings of their labs, and what the page's interpreter says when it runs them."""
    states = [[lab.NAME, lab.state] for lab in LABS]
    words = {"merged": MERGED, "methods": METHODS, "aliases": NAMES}
    script = f"""import './src/attn/labs/code/more.js';
      import {{ analyse }} from './src/attn/labs/code/analyse.js';
      const codeOf = {{}};
      for (const lab of ['shape', 'passport', 'einsum']) codeOf[lab] = (await import(`./src/attn/labs/${{lab}}/code.js`)).codeOf;
      const said = {json.dumps(states)}.map(([lab, state]) => {{
        const code = codeOf[lab](state);
        const {{ lines, failure }} = analyse(code, {json.dumps(words)}).analysis;
        return [code, lines.flatMap(({{ values }}) => values).at(-1) ?? '', failure && failure.message];
      }});
      console.log(JSON.stringify(said))"""
    run = node("--input-type=module", "-", stdin=script)
    assert run.returncode == 0, run.stderr
    return dict(zip(map(repr, LABS), json.loads(run.stdout), strict=True))


@pytest.fixture
def ran(programs):
    """Runs the program of a lab in PyTorch and returns its variables; the page says the same of it."""

    def run(lab):
        code, last, message = programs[repr(lab)]
        results, variables = analyse(code)
        assert last in [*(value for line in results["lines"] for value in line["values"]), ""], code
        assert message == (results["failure"] and results["failure"]["message"]), code
        return variables, results

    return run


@pytest.mark.parametrize("lab", SHAPES, ids=repr)
def test_the_program_of_shapelab_has_its_tensors_in_their_shapes(ran, lab):
    variables, results = ran(lab)
    assert results["failure"] is None
    steps = {name: tensor for name, tensor in lab.steps.items() if tensor is not None}
    left_out = {name for name in steps if name not in variables}
    assert left_out == {name for name, on in (("scaled", lab.scale), ("masked", lab.causal)) if not on}
    for name in steps.keys() - left_out:
        assert variables[name].shape == steps[name].shape, name
    if lab.causal:
        assert torch.equal(variables["masked"] == -torch.inf, lab.masked == -torch.inf)
    torch.testing.assert_close(variables["weights"].sum(-1), lab.weights.sum(-1))


@pytest.mark.parametrize("lab", PASSPORTS, ids=repr)
def test_the_program_of_passportlab_puts_each_number_where_the_lab_puts_it(ran, lab):
    variables, results = ran(lab)
    if lab.error:
        assert lab.error == results["failure"]["message"]
        return
    made = variables["heads" if lab.operation == "split" else "merged"]
    torch.testing.assert_close(made, lab.result, **EQUAL)
    torch.testing.assert_close(variables["right"], lab.right, **EQUAL)
    assert variables["in_place"] == lab.counts["in place"]


@pytest.mark.parametrize("lab", FORMULAS, ids=repr)
def test_the_program_of_einsumlab_computes_its_formula_and_once_more_as_a_product_and_a_sum(programs, ran, lab):
    variables, results = ran(lab)
    assert results["failure"] is None
    names = [name for name in ("q", "k", "weights", "v", "left", "right") if name in variables]
    inputs = [variables[name] for name in names]
    assert [one.shape for one in inputs] == [one.shape for one in (lab.left, lab.right) if one is not None]
    result = variables[next(name for name in ("scores", "output", "result") if name in variables)]
    torch.testing.assert_close(result, torch.einsum(lab.formula, *inputs), **EQUAL)
    if lab.nudge:  # an index that is too large means the last one
        assert ("left[1, 2, 4, 4] += 1" if "ll" in lab.formula else "k[1, 2, 4, 0] += 1") in programs[repr(lab)][0]
    assert variables.get("is_same") is (None if "ll" in lab.formula else True)


# The page's own PyTorch raises the errors of the page of errors word for word, or names what it lacks: but for this cell, since it
# keeps no graph of gradients.
SILENT = ["queries, keys, values = W(x).chunk(3, dim=-1)\nqueries.mul_(D**-0.5)\n"]
SCRIPT = (Path(__file__).parents[1] / "book/_static/open-errors.js").read_text("utf-8")
CELL = '<div class="cell{tag} docutils container"><div class="cell_input"><pre>{code}</pre></div></div>'


def test_each_cell_of_the_page_of_errors_opens_as_a_program_that_raises_its_error(new_context):
    first, others = sections()
    cells = [cell for section in others for cell in section.cells]
    assert [cell for cell in cells if cell in SILENT] == SILENT
    tagged = [*(("", cell) for cell in first), *((" tag_raises-exception", cell) for cell in cells)]
    page = new_context().new_page()
    page.set_content("".join(CELL.format(tag=tag, code=escape(code)) for tag, code in tagged))
    page.add_script_tag(content=SCRIPT)
    links = page.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    start = "bring-your-code.html#lab-1?code="
    assert len(links) == len(cells) and all(link.startswith(start) for link in links)
    programs = [unquote(link.removeprefix(start)) for link in links]
    missing = 0
    for cell, program, ran in zip(cells, programs, run_in_page(programs), strict=True):
        assert program.endswith(cell) and "explain_cells" not in program and "from attn" not in program
        if ran["error"] and ran["error"]["type"] == "NotHere":
            missing += 1
        elif cell not in SILENT:
            assert ran["error"] and ran["error"]["message"] == run_in_torch(program)["error"]["message"], cell
    assert missing < len(cells) / 10


def test_a_link_carries_the_program_of_the_present_settings(opened):
    page = opened(PassportLab(), script="globalThis.attnPrograms = 'programs.html#lab-1';")
    settled(page)
    link = page.get_by_role("link", name="open as code")
    before = None
    for D in (4, 5):
        link.hover()
        page.wait_for_function("document.querySelector('a.as-code').href.includes('code=~')")
        address = link.get_attribute("href")
        assert address.startswith("programs.html#lab-1?code=~") and address != before
        unpacked = page.evaluate(UNPACK, address.partition("code=~")[2])
        assert f"B, L, H, D = 1, 5, 3, {D}\n" in unpacked and "heads = x.view(B, H, L, D)\n" in unpacked
        before = address
        page.mouse.move(0, 0)
        page.locator(".slider[data-axis=D] input").press("ArrowRight")
        settled(page)
        link.evaluate("link => { link.href = '#' }")
    assert opened(PassportLab()).get_by_role("link", name="open as code").count() == 0  # no page runs programs


UNPACK = """async packed => {
  const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), one => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}"""
