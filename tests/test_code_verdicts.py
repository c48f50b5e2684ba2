"""A checker exists once: the page's interpreter runs the same Python as the kernel, and says the same of every answer.

The answers are those of the checkers' own tests: right ones in several styles, and each known mistake.
"""

import ast
import functools
import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from lab_pages import settled
from node import node
from playwright.sync_api import expect

from attn import check
from attn.check.fixes import FIXES
from attn.labs import CodeLab
from attn.labs.code.run import analyse
from attn.labs.code.sources import sources_of
from attn.labs.code.tasks import NOT_ON_A_PAGE, tasks_of, tasks_script
from attn.labs.code.verdict import read_task, verdict_of

TESTS = Path(__file__).parent
CHECKERS = sorted({*check.__all__} - {"Verdict", *NOT_ON_A_PAGE})
# What takes the place of the modules that the tests of the checkers import, and of the functions that give them answers.
STAND_INS = {
    "verdicts": """
ANSWERS = []
def assert_passed(subtests, checker, answers):
    for name, answer in answers.items():
        ANSWERS.append((checker.__name__, name, answer))
def assert_rejected(subtests, checker, answers):
    for name, (answer, parts) in answers.items():
        ANSWERS.append((checker.__name__, name, answer))
""",
    "pytest": """
class mark:
    @staticmethod
    def parametrize(names, values, **options):
        return lambda test: test
    @staticmethod
    def filterwarnings(warning):
        return lambda test: test
""",
}
# Answers that the checkers' tests take from the package.
OF_THE_PACKAGE = [("attn.lessons.spellings", "describe")]
OF_ATTN = ("attention", "attention_steps", "masks", "merge_heads", "split_heads")


@functools.cache
def answers_of_the_tests() -> dict[str, list[tuple[str, str, Any]]]:
    """For each test module of checkers, the answers in it: checker, name, answer."""
    found: dict[str, list[tuple[str, str, Any]]] = {}
    for file, tests in giving().items():
        module = importlib.import_module(file)
        answers: list[tuple[str, str, Any]] = []
        collect = {
            "assert_passed": lambda _, checker, given, to=answers: to.extend((checker.__name__, *one) for one in given.items()),
            "assert_rejected": lambda _, checker, given, to=answers: to.extend(
                (checker.__name__, name, answer) for name, (answer, _) in given.items()
            ),
        }
        for name in tests:
            test = getattr(module, name)
            function = type(test)(test.__code__, {**test.__globals__, **collect})
            function(None)
        found[file] = answers
    return found


@functools.cache
def giving() -> dict[str, list[str]]:
    """The functions of each test module that give answers to checkers."""
    found = {}
    for path in sorted(TESTS.glob("test_check*.py")):
        functions = [one for one in ast.parse(path.read_text()).body if isinstance(one, ast.FunctionDef)]
        names = [one.name for one in functions if re.search(r"\bassert_(passed|rejected)\b", ast.unparse(one))]
        if names and path.stem != "test_check_training":
            found[path.stem] = [name for name in names if name != "test_predicted_shapes_that_agree_with_the_run_pass"]
    return found


@functools.cache
def said_by_the_page() -> dict[str, Any]:
    tasks = tasks_of([(checker, "") for checker in CHECKERS])
    checkers = [(task["module"], checker) for checker, task in tasks["tasks"].items()]
    own = sources_of([*checkers, *OF_THE_PACKAGE, *(("attn", name) for name in OF_ATTN)])
    own["attn"] += "\nfrom attn import check\n"
    own["attn.check"] = "".join(f"from {module} import {checker}\n" for module, checker in checkers)
    sources = {**own, **STAND_INS, **{file: (TESTS / f"{file}.py").read_text() for file in giving()}}
    no_fixes = {checker: {**task, "fixes": []} for checker, task in tasks["tasks"].items()}
    run = node("tests/js/verdicts.js", stdin=json.dumps({"tasks": no_fixes, "sources": sources, "files": giving()}))
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_every_checker_that_a_page_can_run_has_answers():
    assert {checker for answers in answers_of_the_tests().values() for checker, _, _ in answers} == {*CHECKERS}
    assert set(FIXES) <= {*CHECKERS}
    assert sum(map(len, answers_of_the_tests().values())) >= 400


@pytest.mark.filterwarnings("ignore:The use of `x.T`")
@pytest.mark.parametrize("file", giving())
def test_page_and_kernel_say_the_same_of_every_answer(file):
    page = said_by_the_page()[file]
    assert isinstance(page, list), page
    mine = answers_of_the_tests()[file]
    assert [one[:2] for one in page] == [[checker, name] for checker, name, _ in mine]
    different = {}
    for (checker, name, answer), (_, _, theirs) in zip(mine, page, strict=True):
        verdict = getattr(check, checker)(answer)
        if theirs != [verdict.passed, verdict.message]:
            different[f"{checker}, {name}"] = ([verdict.passed, verdict.message], theirs)
    assert not different, "\n".join(f"{name}\n    kernel {mine}\n    page   {theirs}" for name, (mine, theirs) in different.items())


@functools.cache
def exercises() -> dict[str, tuple[str, str]]:
    """The programs of the chapters that readers mend: check and code, by chapter and check."""
    found = {}
    for path in sorted((TESTS.parent / "chapters").glob("*.md")):
        for cell in re.findall(r"^```\{code-cell\}[^\n]*\n(?::[^\n]*\n)*(.*?)^```$", path.read_text(), re.M | re.S):
            if "CodeLab(" in cell and "check=" in cell:
                (call,) = (node for node in ast.walk(ast.parse(cell)) if isinstance(node, ast.Call))
                given = {one.arg: ast.literal_eval(one.value) for one in call.keywords}
                found[f"{path.stem[:2]} {given['check']}"] = given["check"], given["code"]
    return found


@functools.cache
def mended_by_the_page() -> dict[str, Any]:
    programs = list(exercises().values())
    run = node("tests/js/programs.js", stdin=json.dumps({"tasks": tasks_of(programs), "programs": programs}))
    assert run.returncode == 0, run.stderr
    return dict(zip(exercises(), json.loads(run.stdout), strict=True))


NO_KNOWN_LINE = {"02 indices_at": "its loop is more than a line", "04 sees_order": "its loop is more than a line"}


@pytest.mark.parametrize("exercise", exercises())
def test_each_exercise_begins_wrong_and_known_lines_mend_it_in_page_and_kernel_alike(exercise):
    check, code = exercises()[exercise]
    for error, theirs in mended_by_the_page()[exercise]:
        assert error is None
        analysis, variables = analyse(code)
        assert analysis["failure"] is None
        mine = verdict_of(check, code, variables)["verdict"]
        assert theirs == mine
        if mine["fix"]:
            lines = code.split("\n")
            lines[mine["fix"]["line"] - 1] = mine["fix"]["text"]
            code = "\n".join(lines)
    assert len(mended_by_the_page()[exercise]) > (exercise not in NO_KNOWN_LINE)
    assert mine["passed"] == (exercise not in NO_KNOWN_LINE)


def test_the_line_that_is_mended_first_is_the_one_of_which_the_message_speaks():
    (_, first), *_ = mended_by_the_page()["09 mask(build_mask)"]
    assert "axis of size 1" in first["message"] and "None, None" in first["fix"]["text"]


def test_in_a_page_a_verdict_stands_under_the_program_and_offers_a_fix_after_a_try_that_can_be_undone(opened):
    check, code = exercises()["03 split_heads"]
    page = opened(CodeLab(check=check, code=code))
    verdict, text = page.locator(".verdict"), page.locator("textarea").first
    expect(verdict).to_contain_text("96 of 120 elements are wrong: 80 belong to another head")
    expect(verdict).to_have_attribute("data-passed", "false")
    reason = verdict.get_by_text("96 of 120 elements are wrong")
    expect(reason).to_be_hidden()  # it may name the bug that the reader is looking for
    fix = verdict.get_by_role("button", name="fix line 5")
    text.fill(code.replace("\n", "  # why?\n", 1))
    settled(page)
    assert fix.count() == 0  # a remark is not a try
    expect(reason).to_be_hidden()
    verdict.locator("summary").click()
    expect(reason).to_be_visible()
    text.fill(code.replace("view(B, H, L, E // H)", "view(B, E // H, L, H).transpose(1, 3)"))
    expect(verdict).not_to_contain_text("96 of 120 elements")  # the verdict on the change has come
    expect(verdict).to_have_attribute("data-passed", "false")
    text.fill(code)
    settled(page)
    expect(reason).to_be_visible()
    fix.click()
    expect(verdict).to_have_attribute("data-passed", "true")
    expect(page.locator(".live-region")).to_contain_text("Passed. Every head holds its own channels")
    assert "x.view(B, L, H, E // H).transpose(1, 2)" in text.input_value()
    verdict.get_by_role("button", name="undo the fix").click()
    expect(verdict).to_have_attribute("data-passed", "false")
    assert text.input_value() == code
    text.fill(code.replace("E // H", "E // G"))
    expect(page.locator(".problems").first).to_contain_text("NameError")
    expect(verdict).to_be_hidden()


def test_without_javascript_the_reason_is_folded_too():
    check, code = exercises()["13 training_loop(train)"]
    told = CodeLab(check=check, code=code).fallback()
    assert re.search("<details><summary>✗ Not yet.</summary>[^<]*sum of the gradients of two batches", told)
    right = code.replace("loss.backward()", "optimizer.zero_grad(); loss.backward()")
    assert "<details>" not in CodeLab(check=check, code=right).fallback()


def test_a_page_loads_the_checkers_of_its_programs_and_no_others():
    checks = [exercises()["03 split_heads"], exercises()["12 decode"]]
    assert set(tasks_of(checks[:1])["sources"]) & {"attn.check.heads", "attn.cache"} == {"attn.check.heads"}
    assert set(tasks_of(checks)["sources"]) >= {"attn.check.heads", "attn.check.decode", "attn.cache"}
    assert tasks_script(checks[:1]).startswith("globalThis.attnTasks = {")


def test_a_page_has_what_its_programs_import_from_a_module_of_attn_and_no_more_of_it():
    sources = tasks_of([("scores", "from attn.lessons.by_hand import Parameter\n")])["sources"]
    assert "class Parameter" in sources["attn.lessons.by_hand"] and "class SGD" not in sources["attn.lessons.by_hand"]
    assert "attn.lessons.language" not in sources


def test_a_checker_that_the_page_cannot_run_says_what_is_missing(opened):
    page = opened(CodeLab(check="training_step(step)", code="def step(model, optimizer, ids, known):\n    optimizer.step()\n"))
    problem = page.locator(".problems .failed")
    expect(problem).to_contain_text("training_step needs gradients, and the page has none")
    assert problem.get_attribute("data-kind") == "not here" and "Open this in Jupyter" in problem.inner_text()
    expect(page.locator(".verdict")).to_be_hidden()


def test_a_check_names_a_checker():
    assert read_task("scores") == ("scores", ("scores",)) and read_task("mask(build)") == ("mask", ("build",))
    for wrong in ("Verdict", "nonsense", "scores(", "scores(a.b)"):
        with pytest.raises(ValueError, match="names a checker"):
            CodeLab(check=wrong)


def test_a_program_that_fails_or_does_not_end_has_no_verdict(monkeypatch):
    assert CodeLab(check="scores", code="x = 1 / 0").verdict is None
    missing = CodeLab(check="scores", code="x = 1").verdict
    assert not missing["passed"] and missing["message"].startswith("There is no scores in the program")
    monkeypatch.setattr("attn.labs.code.run._SECONDS", 0.5)
    endless = CodeLab(check="scores", code="def scores(q, k):\n    while True:\n        pass\n")
    assert endless.verdict is None and endless.failure["kind"] == "limit"
