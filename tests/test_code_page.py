"""CodeLab in a page: typing, errors, two versions, links with hostile code, the cell for Jupyter, keyboard and screen readers."""

import ast
import base64
import json
import re
import zlib

import pytest
from lab_pages import settled
from node import node
from PIL import Image
from playwright.sync_api import expect

from attn.labs import CodeLab
from attn.labs.code.compare import compare
from attn.labs.code.examples import EXAMPLES, START, VERSIONS
from attn.labs.code.run import NAMES, analyse
from attn.lessons.errors import METHODS
from attn.trace.letters import MERGED

HOSTILE = {
    "a script that ends": 'x = "</script><script>alert(1)</script>"\n',
    "a picture": "# <img src=x onerror=alert(1)>\ny = '<img src=/y onerror=alert(1)>'\nprint(y)\n",
    "an attribute": "z = \"' onmouseover='alert(1)' data-state='\"\nprint(z, '\"><svg onload=alert(1)>')\n",
    "an address": "print('javascript:alert(1)')\nraise ValueError('<a href=javascript:alert(1)>x</a>')\n",
    "a prototype": "__proto__ = 3\nconstructor = {'__proto__': 4}\nclass constructor_: pass\nprint(__proto__, constructor)\n",
    "JavaScript": "alert(1)\n`${alert(1)}`\neval('alert(1)')\n(function(){alert(1)})()\n",
    "an error with a tag": "import torch\ntorch.ones(2).view('<img src=x onerror=alert(1)>')\n",
    "a name with a tag": "import torch\n['<b>'][0]\nraise type('<i>x</i>', (Exception,), {})('<b>y</b>')\n",
}


def fragment(code, **settings):
    """The link that the page makes of a program."""
    packer = zlib.compressobj(wbits=-15)
    packed = base64.urlsafe_b64encode(packer.compress(code.encode()) + packer.flush()).decode().rstrip("=")
    return "#lab-1?" + "&".join(f"{name}={value}" for name, value in {"code": f"~{packed}", **settings}.items())


def text_of(page):
    return page.locator("textarea").first


def row(page, line):
    return page.locator(".side").first.locator(".line-row").nth(line - 1)


@pytest.mark.parametrize("name", HOSTILE)
def test_code_of_a_link_is_shown_as_text_and_nothing_of_it_becomes_part_of_the_page(opened, name):
    code = HOSTILE[name]
    page = opened(
        CodeLab(),
        fragment=fragment(code, compare="true", other=f"~{fragment(code).partition('~')[2]}"),
        script="globalThis.alert = globalThis.prompt = globalThis.confirm = () => { globalThis.harmed = true; };",
    )
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opens: {dialog.message}"))
    settled(page)
    assert text_of(page).input_value() == code
    lines = page.locator(".side").first.locator(".editor pre .line")
    assert lines.evaluate_all("nodes => nodes.map(node => node.textContent).join('\\n')") == code
    page.get_by_role("button", name="copy link").click()
    page.get_by_role("button", name="open in Jupyter").click()
    settled(page)
    root = page.locator(".attn-lab-root")
    assert root.locator("script, img, iframe, object, embed, a").count() == 0
    assert (
        root.evaluate(
            "node => [...node.querySelectorAll('*')].filter(one => [...one.attributes].some(a => /^on/.test(a.name))).length"
        )
        == 0
    )
    assert page.evaluate("[globalThis.harmed, ({}).length, Object.prototype.constructor === Object]") == [None, None, True]


def test_where_the_clipboard_is_closed_the_cell_for_jupyter_is_shown_with_its_lines(opened):
    code = "import torch\nx = torch.zeros(2)\n"
    page = opened(CodeLab(code=code), script="Object.defineProperty(navigator, 'clipboard', { value: undefined });")
    page.get_by_role("button", name="open in Jupyter").click()
    shown = page.get_by_label("a cell for Jupyter").input_value()
    cell = ast.parse(shown)
    assert eval(ast.unparse(cell.body[-1]), {"CodeLab": CodeLab}).code == code


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("code=~!!!!", "damaged"),
        ("code=~AAAA", "damaged"),
        (f"code=~{base64.urlsafe_b64encode(zlib.compress(b'x' * 10**7, wbits=-15)).decode().rstrip('=')}", "too long"),
        (f"code={'y' * 60_001}", "too long"),
    ],
)
def test_a_link_that_cannot_be_read_says_so_and_the_page_keeps_its_program(opened, settings, message):
    page = opened(CodeLab(), fragment=f"#lab-1?{settings}")
    settled(page)
    assert message in page.get_by_role("alert").inner_text()
    assert text_of(page).input_value() == CodeLab().code
    page.locator(".chip").nth(1).click()
    settled(page)
    assert page.get_by_role("alert").count() == 0


@pytest.mark.parametrize("packs", [True, False])
def test_a_link_carries_the_program_with_or_without_compression(opened, packs):
    without = "" if packs else "delete globalThis.CompressionStream;"
    code = EXAMPLES["a layer"] + "# ‘ünïcode’ ~ + / = & # %\n"
    page = opened(CodeLab(), script=without)
    text_of(page).fill(code)
    settled(page)
    page.get_by_role("button", name="copy link").click()
    page.wait_for_function("location.hash.includes('code=')")
    link = page.evaluate("location.hash")
    assert ("code=~" in link) == packs and (len(link) < 0.75 * len(code)) == packs
    other = opened(CodeLab(), fragment=link)
    settled(other)
    assert text_of(other).input_value() == code
    other.evaluate("location.hash = ''")
    other.evaluate("link => { location.hash = link.replace('lab-1?', 'lab-1?compare=true&') }", link)
    expect(other.locator(".side").nth(1)).to_be_visible()


def test_a_reload_keeps_what_was_typed_until_it_is_reset_and_a_link_shows_its_own(opened):
    page = opened(CodeLab(), CodeLab(code=START))
    first, second = (page.locator("textarea:visible").nth(n) for n in (0, 1))
    second.fill("n = 2\n")
    settled(page)
    page.reload()
    settled(page)
    assert [first.input_value(), second.input_value()] == [CodeLab().code, "n = 2\n"]
    page.goto(page.url.partition("#")[0] + fragment("n = 3\n").replace("lab-1", "lab-2"))
    page.reload()
    expect(second).to_have_value("n = 3\n")
    settled(page)
    second.fill("n = 4\n")
    settled(page)
    assert "#" not in page.url  # its program is not the one that is shown
    page.reload()
    settled(page)
    assert second.input_value() == "n = 4\n"
    page.get_by_role("button", name="reset").nth(1).click()
    settled(page)
    page.reload()
    settled(page)
    assert [first.input_value(), second.input_value()] == [CodeLab().code, START]


def test_a_browser_that_keeps_nothing_runs_programs_all_the_same(opened):
    page = opened(CodeLab(), script="Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('refused'); } });")
    text_of(page).fill("n = 2\n")
    settled(page)
    assert row(page, 1).inner_text().split()[-3:] == ["n", "=", "2"]
    page.reload()
    settled(page)
    assert text_of(page).input_value() == CodeLab().code


def test_the_cell_for_jupyter_makes_the_same_lab(opened):
    nasty = ['x = """a"""\n', "y = 'b\\\\n'\n", 'z = "\\""', 'w = """"', "\\", '"', '\\"', "\r\x00\x07", "é 𝒳 \ud800", "a\n\n"]
    script = f"""import {{ cellOf }} from './src/attn/labs/kit/cell.js';
      const all = {json.dumps(nasty)}.map((code) => cellOf('CodeLab', {{ code }}, {{ compare: true }}));
      console.log(JSON.stringify(all))"""
    run = node("--input-type=module", "-", stdin=script)
    assert run.returncode == 0, run.stderr
    for code, cell in zip(nasty, json.loads(run.stdout), strict=True):
        made = []
        first, _, call = cell.partition("\n\n")
        assert first == "from attn.labs import CodeLab"
        exec(call, {"CodeLab": lambda **settings: made.append(settings)})  # noqa: B023
        assert made == [{"code": code, "compare": True}], repr(code)


def test_what_the_page_lacks_or_stops_is_not_called_the_readers_mistake(opened):
    page = opened(CodeLab())
    for code, kind, words in (
        ("import torch\ntorch.fft.fft(torch.ones(3))\n", "not here", "run it in Jupyter"),
        ("import numpy as np\nnp.ones(3)\n", "not here", "numpy.ones"),
        ("import torch.optim as optim\noptim.Adam([])\n", "not here", "torch.optim.Adam"),
        ("from torch.nn.utils.rnn import pad_sequence\n", "not here", "torch.nn.utils.rnn.pad_sequence"),
        ("while True:\n    pass\n", "limit", "A page stops what takes too long"),
        ("class NotHere(Exception):\n    pass\nraise NotHere('mine')\n", "reader", "NotHere: mine"),
    ):
        text_of(page).fill(code)
        settled(page)
        problem = page.locator(".problems .failed")
        assert problem.get_attribute("data-kind") == kind and words in problem.inner_text()


ENDLESS = """const Real = Worker;
globalThis.Worker = class extends Real {
  postMessage(settings) { if (!settings.code.includes('hang')) super.postMessage(settings); }
  terminate() { globalThis.ended = (globalThis.ended ?? 0) + 1; super.terminate(); }
};
const wait = setTimeout;
const isShort = after => after === 4000 && document.querySelector('textarea').value.includes('hang');
globalThis.setTimeout = (run, after, ...more) => wait(run, isShort(after) ? 50 : after, ...more);"""


def test_a_worker_that_does_not_answer_is_ended_and_the_next_program_runs(opened):
    """The worker is one that never answers, and the time that it has is short."""
    page = opened(CodeLab(), script=ENDLESS)
    settled(page)
    text_of(page).fill("hang = 1\n")
    problem = page.locator(".problems .failed")
    problem.wait_for()
    assert "took more than 4 seconds, so the page has stopped it" in problem.inner_text()
    assert problem.get_attribute("data-kind") == "limit" and page.evaluate("ended") >= 1
    text_of(page).fill("import torch\nx = torch.ones(2, 3)\n")
    row(page, 2).get_by_role("button").wait_for()
    assert "x" in row(page, 2).inner_text()


def test_two_versions_name_the_first_tensor_in_which_they_differ(opened):
    page = opened(CodeLab(**VERSIONS))
    settled(page)
    assert page.locator(".sentence").inner_text() == (
        "First tensor in which they differ: q, line 6. Shapes equal, 96 of 120 numbers differ."
    )
    assert page.locator(".line.marked").all_inner_texts() == [VERSIONS[name].split("\n")[5] for name in ("code", "other")]
    page.locator("textarea").nth(1).fill(VERSIONS["code"])
    settled(page)
    same = "4 tensors have the same name in both versions, and their numbers are equal."
    assert page.locator(".sentence").inner_text() == same
    page.get_by_label("compare two versions").uncheck()
    expect(page.locator(".side").nth(1)).to_be_hidden()


PAIRS = [
    (VERSIONS["code"], VERSIONS["other"]),
    (VERSIONS["code"], VERSIONS["code"]),
    (EXAMPLES["a layer"], EXAMPLES["a layer"].replace("transpose(1, 2).reshape", "reshape")),
    (EXAMPLES["a layer"], EXAMPLES["a layer"].replace("v.view(B, L, H, D).transpose(1, 2)", "v.view(B, H, L, D)")),
    (EXAMPLES["a cache"], EXAMPLES["a cache"].replace("dim=2", "dim=3", 1)),
    (EXAMPLES["one head"], EXAMPLES["one head"].replace("(-1)", "(1)")),
    (EXAMPLES["one head"], "x = 1\n"),
    ("import torch\nx = torch.full((2,), float('inf'))\ny = x - x\n", "import torch\ny = torch.zeros(2)\nx = torch.ones(3)\n"),
    ("import torch\nx = torch.ones(3)\n", "import torch\nx = torch.ones(3) + 1e-9\n"),
]


def test_page_and_kernel_compare_in_the_same_way():
    words = {"merged": MERGED, "methods": METHODS, "aliases": NAMES}
    script = f"""import {{ answer }} from './src/attn/labs/code/answer.js';
      const all = {json.dumps(PAIRS)}.map(([code, other]) => answer({{ code, other, compare: true, _words: {json.dumps(words)} }}));
      console.log(JSON.stringify(all.map(({{ comparison }}) => comparison)))"""
    run = node("--input-type=module", "-", stdin=script)
    assert run.returncode == 0, run.stderr
    found = []
    for (code, other), theirs in zip(PAIRS, json.loads(run.stdout), strict=True):
        mine = compare(analyse(code)[0], analyse(other)[0])
        for one in (mine, theirs):
            if one["first"]:
                del one["first"]["ids"]  # the kernel and the page count tensors in their own ways
        assert mine == theirs, other
        found.append(mine["first"] and (mine["first"]["name"], mine["first"]["differ"], mine["first"]["of"]))
    assert found == [
        *(("q", 96, 120), None, ("return", 120, 120), None, ("q", 8, 8), ("weights", 70, 70), None),
        *(("x", 0, 2), None),
    ]


def test_sliders_change_the_sizes_in_the_program_itself(opened):
    page = opened(CodeLab(code="import torch\nB, n_head = 2, 3\nD: int = 4  # per head\nx = torch.ones(B, n_head, D)\n"))
    settled(page)
    shown = page.locator(".sizes .slider:visible")
    assert shown.evaluate_all("nodes => nodes.map(node => node.dataset.axis)") == ["B", "H", "D"]
    page.locator(".slider[data-axis=H] input").press("ArrowRight")
    settled(page)
    assert text_of(page).input_value() == "import torch\nB, n_head = 2, 4\nD: int = 4  # per head\nx = torch.ones(B, n_head, D)\n"
    assert "= (2, 4, 4)" in page.locator(".sentence").inner_text()


def test_a_key_is_seen_before_its_program_has_run_and_touches_neither_sentence_nor_sliders(opened):
    page = opened(CodeLab(code="import torch\nB = 2\nx = torch.ones(B, 3)\nsteps = 1"))
    settled(page)
    at_once = page.evaluate("""() => {
      const area = document.querySelector('textarea');
      globalThis.touched = [];
      const watcher = new MutationObserver(all => touched.push(...all.map(({ target }) => target.textContent)));
      const everything = { subtree: true, childList: true, attributes: true, characterData: true };
      for (const node of document.querySelectorAll('.sentence, .sizes')) watcher.observe(node, everything);
      area.setRangeText('0', area.value.length, area.value.length, 'end');
      area.dispatchEvent(new Event('input', { bubbles: true }));
      return document.querySelector('.editor pre').lastElementChild.textContent;
    }""")
    assert at_once == "steps = 10"
    expect(page.locator(".line-row").last).to_contain_text("steps = 10")
    assert page.evaluate("touched") == []
    page.locator("textarea").first.fill("import torch\nB = 4\nx = torch.ones(B, 3)\nsteps = 1")
    expect(page.locator(".sentence")).to_contain_text("(4, 3)")
    expect(page.locator(".sizes output").first).to_have_text("4")


def test_what_replaces_a_readers_text_can_be_undone(opened):
    page = opened(CodeLab())
    text_of(page).focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("mine = 1")
    own = text_of(page).input_value()
    page.locator(".chip").nth(2).click()
    settled(page)
    assert text_of(page).input_value() == EXAMPLES["heads, mixed"]
    text_of(page).focus()
    page.keyboard.press("Control+z")
    settled(page)
    assert text_of(page).input_value() == own


def test_the_keyboard_reaches_everything_and_tab_leaves_the_editor(opened):
    page = opened(CodeLab())
    settled(page)
    text_of(page).focus()
    page.keyboard.press("Control+Home")
    for _ in range(7):
        page.keyboard.press("ArrowDown")
    assert page.locator(".sentence").inner_text().startswith("Line 8: scores")
    page.keyboard.press("Tab")
    pressed = page.locator(".made:focus")
    assert pressed.get_attribute("data-line") == "8" and text_of(page).input_value() == CodeLab().code
    page.keyboard.press("ArrowUp")
    assert page.locator(".sentence").inner_text().startswith("Line 7: v")
    assert page.locator(".made:focus").get_attribute("aria-pressed") == "true"
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.locator(".sentence").inner_text().startswith("v[0, 0, 0] = ")


def test_a_screen_reader_gets_a_table_of_rows_and_hears_a_line_and_its_error(opened):
    page = opened(CodeLab(code=EXAMPLES["an error, explained"]))
    settled(page)
    table = page.get_by_role("table", name="what each line makes")
    assert table.get_by_role("rowheader").all_text_contents() == ["line 3", "line 4", "line 5"]
    name = table.get_by_role("button").first.get_attribute("title")
    assert name == "heads (B, H, L, D), sizes 2, 3, 5, 4, new by randn"
    status = page.get_by_role("status")
    expect(status).to_contain_text("Line 5: RuntimeError. The numbers lie in memory in another order")
    text_of(page).focus()
    page.keyboard.press("Control+Home")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(status).to_contain_text("Line 4: heads")


def test_an_empty_program_asks_for_a_line_and_the_page_starts_with_one_tensor(opened):
    page = opened(CodeLab(code=""))
    settled(page)
    assert page.locator(".sentence").inner_text().startswith("No tensor yet.")
    text_of(page).fill("from torch import nn\nclass Mine(nn.Module):\n    pass\n")
    settled(page)
    assert page.locator(".sentence").inner_text().startswith("No tensor yet: nothing calls Mine. Add a line such as y = Mine()(")
    text_of(page).fill("from torch import nn\nclass Mine(nn.Module):\n    def __init__(self, d_model, n_heads):\n        pass\n")
    settled(page)
    assert "Add a line such as y = Mine(12, 3)(torch.randn(2, 5, 12))." in page.locator(".sentence").inner_text()
    for program in ("def one():\n    return 1\nprint(one())\n", "print(1)\n"):  # what is called is not blamed
        text_of(page).fill(program)
        settled(page)
        assert page.locator(".sentence").inner_text() == "No tensor yet. Type a line such as x = torch.randn(2, 5, 12)."
    text_of(page).fill(START)
    settled(page)
    assert re.match(r"Line 4: x \(B, L, .*\) = \(2, 5, 12\)", page.locator(".sentence").inner_text())


@pytest.mark.parametrize(("letters", "is_whole"), [(20, True), (54, True), (120, False)])
def test_the_editor_is_as_wide_as_its_longest_line_up_to_two_thirds_and_a_fade_shows_that_a_line_goes_on(
    opened, tmp_path, letters, is_whole
):
    page = opened(CodeLab(code=f"x = 1\n{'y' * letters} = 2\n"), width=1280)
    page.add_style_tag(content="body { max-width: 60rem !important }")
    settled(page)
    editor = page.locator(".editor").first
    whole, seen, box = editor.evaluate("node => [node.scrollWidth, node.clientWidth, node.parentNode.clientWidth]")
    assert (whole == seen) == is_whole and 0.45 * box < seen < 0.67 * box
    assert page.locator(".rows").first.bounding_box()["width"] == pytest.approx(box - seen, abs=2)
    end = editor.evaluate(
        """node => {
          node.scrollLeft = node.scrollWidth;
          const line = document.createRange();
          line.selectNodeContents(node.querySelectorAll('.line')[1]);
          return node.getBoundingClientRect().right - line.getBoundingClientRect().right;
        }"""
    )
    fade = float(editor.evaluate("node => getComputedStyle(node, '::after').width").removesuffix("px"))
    assert 20 <= fade <= end, "the fade hides the end of a line"
    editor.evaluate("node => { node.scrollLeft = 0; }")
    if not is_whole:
        editor.screenshot(path=tmp_path / "editor.png")
        with Image.open(tmp_path / "editor.png") as picture:
            strips = [picture.convert("L").crop((x, 30, x + 12, 48)).getextrema() for x in (seen - 60, seen - 13)]
        inside, at_edge = (high - low for low, high in strips)
        assert at_edge < inside / 2


def test_letters_are_large_enough_on_a_phone_that_the_browser_does_not_zoom(opened):
    page = opened(CodeLab(), width=390, has_touch=True, is_mobile=True)
    settled(page)
    sizes = page.locator(".editor :is(textarea, pre)").evaluate_all("nodes => nodes.map(node => getComputedStyle(node).fontSize)")
    assert set(sizes) == {"16px"}
    rows, editor = page.locator(".rows").first.bounding_box(), page.locator(".editor").first.bounding_box()
    assert rows["y"] >= editor["y"] + editor["height"] - 1
