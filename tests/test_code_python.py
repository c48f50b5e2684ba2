"""The page's Python against CPython: what programs print, what their variables hold, the words and the line of their errors.

The programs are in tests/python: right ones, some that raise, and some that Python refuses to read. The page's words are those of
Python 3.11.
"""

import contextlib
import functools
import io
import json
import re
import sys
import traceback
import warnings
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from node import node

PROGRAMS = Path(__file__).parent / "python"
OTHERS = re.compile(r"typing\.|<lambda>|functools|operator\.|OrderedDict")  # their texts tell the insides of Python's library
WHERE = re.compile(r" at 0x[0-9a-f]+")
# Python 3.11 and later word some of these differently, and each names the file of a module.
pytestmark = pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the page has the words of Python 3.11")


def programs(name: str) -> dict[str, str]:
    """The programs of a file, by what stands behind their ###, or by their text."""
    parts = re.split(r"^### ?(.*)\n", (PROGRAMS / f"{name}.txt").read_text(encoding="utf-8"), flags=re.M)[1:]
    return {f"{name}: {title or source!r}": source for title, source in zip(parts[::2], parts[1::2], strict=True)}


ALL = {**programs("right"), **programs("raising"), **programs("syntax")}


@functools.cache
def page() -> dict[str, dict[str, Any]]:
    """What the page makes of each program."""
    run = node("tests/js/python.js", stdin=json.dumps(list(ALL.values())))
    assert run.returncode == 0, run.stderr
    return dict(zip(ALL, json.loads(run.stdout), strict=True))


def python(source: str) -> dict[str, Any]:
    """What Python itself makes of it."""
    names: dict[str, Any] = {"__name__": "__main__"}
    printed, error = io.StringIO(), None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page does not show warnings
        try:
            exec(compile(source, "program", "exec"), names)
        except Exception as raised:
            error = described(raised)
    return {"out": printed.getvalue(), "error": error, "names": {} if error else plain(names)}


def described(raised: Exception) -> list[Any]:
    if isinstance(raised, SyntaxError):
        return [type(raised).__name__, raised.msg, raised.lineno]
    lines = [frame.lineno for frame in traceback.extract_tb(raised.__traceback__) if frame.filename == "program"]
    return [type(raised).__name__, unplaced(str(raised)), lines[-1]]


def unplaced(message: str) -> str:
    """The first line of a message, without the file of a module."""
    return re.sub(r" \((/.*|unknown location)\)$", "", message.split("\n")[0])


def plain(names: dict[str, Any]) -> dict[str, str]:
    """The text of the variables that hold data: not of functions, classes and modules."""
    kinds = (FunctionType, ModuleType, type, type(len))
    shown = {name: repr(value) for name, value in names.items() if not name.startswith("__") and not isinstance(value, kinds)}
    return {name: WHERE.sub("", text) for name, text in shown.items() if not OTHERS.search(text)}


def test_there_are_enough_programs_of_each_kind():
    for name, least in {"right": 20, "raising": 200, "syntax": 400}.items():
        assert len(programs(name)) >= least, name


@pytest.mark.parametrize("program", ALL, ids=range(len(ALL)))
def test_the_page_runs_a_program_as_python_does(program: str):
    mine, theirs = python(ALL[program]), page()[program]
    error = theirs["error"]
    assert (error and [error["type"], unplaced(error["message"]), error["line"]]) == mine["error"], program
    if not (error and error["syntax"]):  # the page runs the lines before a mistake, Python none
        assert theirs["out"] == mine["out"], program
    shown = {name: WHERE.sub("", text) for name, text in theirs["variables"].items() if name in mine["names"]}
    assert shown == mine["names"], program


def test_what_the_page_has_not_is_named_and_is_no_mistake_of_the_readers():
    absent = {
        "import numpy as np\nnp.ones(3)": "numpy.ones",
        "import matplotlib.pyplot as plt\nplt.show()": "matplotlib.pyplot.show",
        "from einops import rearrange": "einops.rearrange",
        "open('x')": "open()",
        "x = eval('1')": "eval()",
        "async def f(): pass": "async",
        "match 1:\n    case 1: pass": "match",
        "x = b'a'": "bytes",
        "x = 1j": "a complex number",
        "x = (-8) ** 0.5": "a complex number",
        "x = 2 ** 64": "an int beyond 2**53",
        "class A(dict): pass": "a class that extends dict",
        "def f():\n    x = [(yield 1)]\nlist(f())": "yield inside an expression",
        "import numpy\ntry:\n    numpy.ones(3)\nexcept Exception:\n    pass": "numpy.ones",
    }
    run = node("tests/js/python.js", stdin=json.dumps(list(absent)))
    for (source, name), result in zip(absent.items(), json.loads(run.stdout), strict=True):
        assert result["error"]["type"] == "NotHere", (source, result["error"])
        assert result["error"]["message"] == f"{name} is not in the page; run it in Jupyter"


def test_a_module_that_the_page_has_not_stops_only_what_takes_something_of_it():
    unused = ["import numpy as np, os\nimport matplotlib.pyplot as plt\nx = 1\n"]
    (result,) = json.loads(node("tests/js/python.js", stdin=json.dumps(unused)).stdout)
    assert result["error"] is None and result["variables"]["x"] == "1"


def test_every_program_ends():
    endless = [
        "while True: pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "for i in range(10 ** 12): pass",
        "x = list(range(10 ** 9))",
        "s = 'a'\nwhile True: s = s + s",
        "x = [0] * 10 ** 9",
        "x = f'{1:1000000000}'",
        "a = []\nfor i in range(60): a = [a, a]\nprint(a)",
        "def f():\n    try: f()\n    finally: f()\nf()",
        "def g():\n    while True: yield 1\nsum(g())",
        "import itertools\nfor i in itertools.count(): pass",
    ]
    run = node("tests/js/python.js", stdin=json.dumps(endless))
    assert [result["error"]["type"] for result in json.loads(run.stdout)] == ["Limit"] * len(endless)
