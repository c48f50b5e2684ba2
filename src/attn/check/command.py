"""The command line: `trace` and `check` for a class, an object or a function in a file.

    python -m attn trace model.py:Attention --B 2 --L 5 --E 12 --H 6
    python -m attn check model.py:Attention --json

The exit code is 0 if the code is right, 1 if it is wrong or raises an error, and 2 if the command cannot be carried out.
"""

import argparse
import contextlib
import importlib.util
import inspect
import json
import re
import shlex
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import nn

from attn.check import attention
from attn.check.own.calling import CAUSAL, LAYOUTS, MASKS, answer_of
from attn.check.own.cases import Cases, lengths
from attn.check.own.definition import Sizes
from attn.check.own.flags import PARAMETERS, USUAL, is_flag
from attn.check.own.roles import HEADS, attribute, candidates, width_of
from attn.check.own.turns import PAIRS
from attn.trace import Trace, trace

__all__ = ["main"]


class Unfit(Exception):
    """The command cannot be carried out. The message says why, and what to write instead."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, print what it finds, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what the file prints is not the answer
            target = _target(options)
            try:
                code, text, data = options.run(target, options)
            except SystemExit as end:  # where neither a check nor a trace expects it
                said = f"the code called sys.exit({'' if end.code is None else repr(end.code)})"
                code, text, data = 1, f"attn {options.command}: {said}", {"error": said}
    except Unfit as error:
        code, text, data = 2, f"attn {options.command}: {error}", {"error": str(error)}
    stream = sys.stderr if code == 2 and not options.json else sys.stdout
    print(json.dumps(data, ensure_ascii=False, indent=1) if options.json else text, file=stream)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m attn", description="Trace or check an implementation of attention.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run, says in (
        ("trace", _trace, "print every operation: its shape, strides and bytes, and whether it is a view or a copy"),
        ("check", _check, "compare it with the definition and name the first mistake; the exit code is 1 if there is one"),
    ):
        command = commands.add_parser(name, help=says, description=f"{says[0].upper()}{says[1:]}.")
        command.set_defaults(run=run)
        command.add_argument("target", metavar="FILE:NAME", help="a class, an object or a function: model.py:Attention")
        command.add_argument(
            "--make",
            metavar="CODE",
            help="the expression that makes it, with the names of the file: 'Attention(Config(n_embd=12))'",
        )
        for letter, what in (
            ("B", "samples"),
            ("L", "query positions"),
            ("S", "key positions"),
            ("E", "width of a token vector"),
            ("H", "query heads"),
        ):
            command.add_argument(f"--{letter}", type=_size, help=what)
        command.add_argument("--G", type=_size, help="key/value heads")
        command.add_argument(
            "--layout", choices=[layout for layouts in LAYOUTS.values() for layout in layouts], help="the order of the axes"
        )
        command.add_argument("--json", action="store_true", help="print JSON")
        if name == "check":
            command.add_argument(
                "--mask", choices=list(MASKS), help="what a mask means: " + "; ".join(map(": ".join, MASKS.items()))
            )
            command.add_argument(
                "--causal",
                action=argparse.BooleanOptionalAction,
                help="whether it is always causal, or never; a class whose constructor takes causal is made with it",
            )
            command.add_argument("--weights", nargs="+", default=[], metavar="q=NAME", help="which parameter is which")
            command.add_argument("--no-empty-rows", action="store_true", help="do not test queries that may attend to no key")
            command.add_argument("--half", action="store_true", help="check it in float16")
            command.add_argument(
                "--rotary",
                nargs="?",
                const="halves",
                choices=list(PAIRS),
                help="it turns q and k by their positions; pairs are " + "; ".join(map(": ".join, PAIRS.items())),
            )
            command.add_argument("--base", type=float, metavar="NUMBER", help="the base of the rotary angles; 10000 if not given")
        else:
            command.add_argument("--columns", nargs="+", help="the columns to print")
    return parser


def _size(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; a size is a whole number above 0")
    return int(text)


# The commands -----------------------------------------------------------------------------------------------------------------


def _check(target: Callable[..., Any], options: argparse.Namespace) -> tuple[int, str, dict[str, Any]]:
    weights = {}
    for pair in options.weights:
        role, equals, name = pair.partition("=")
        if not equals or role not in ("q", "k", "v", "o", "qkv", "kv"):
            raise Unfit(
                f"--weights {pair}: write role=name, with a role of q, k, v, o, qkv, kv: --weights q=to_q k=to_k v=to_v o=out"
            )
        weights[role] = name
    sizes = {letter: getattr(options, letter) for letter in "ELSHG"} | {"B": options.B or 2}
    try:
        verdict = attention(
            target,
            **sizes,
            weights=weights,
            layout=options.layout,
            mask=options.mask,
            causal=options.causal,
            rotary=options.rotary,
            base=options.base,
            empty_rows=not options.no_empty_rows,
            dtype=torch.float16 if options.half else None,
        )
    except (TypeError, ValueError) as error:
        raise Unfit(_as_options(str(error))) from None
    unchecked = tuple(map(_as_options, verdict.unchecked))
    verdict = replace(verdict, message=_as_options(verdict.message), fix=_as_options(verdict.fix), unchecked=unchecked)
    return int(not verdict.passed), repr(verdict), asdict(verdict)


# What messages of `attn.check.attention` say of its arguments, and the options for them.
_OPTIONS = {
    "rotary='halves' or rotary='neighbours'": "--rotary halves or --rotary neighbours",
    "base= says": "--base says",
    "rotary=..": "--rotary",
    "empty_rows=False": "--no-empty-rows",
    "weights={'q': 'name', ...} and H=..": "--weights q=NAME ... and --H",
    "weights={'q': 'name', ...}": "--weights q=NAME ...",
    "weights={'q': 'name of a parameter', 'k': ..., 'v': ..., 'o': ...} and H=..": "--weights q=NAME k=NAME v=NAME o=NAME and --H",
    "B=, L=, S=, E=, H=, G=": "--B --L --S --E --H --G",
    "mask=, one of": "--mask, one of",
    "but causal=True says": "but --causal says",
    "say causal=True": "say --causal",
    "leave causal=True out": "leave --causal out",
}


def _as_options(message: str) -> str:
    message = re.sub(r"attn\.check\.attention\(\.\.\., rotary='(\w+)'\)", r"the option --rotary \1", message)
    message = re.sub(
        r"attn\.check\.attention\(\.\.\., rotary='(\w+)', base=([\d.e+]+)\)", r"the options --rotary \1 --base \2", message
    )
    message = re.sub(
        r"attn\.check\.attention\((.*?\)), causal=(True|False)\)",
        lambda made: f"--make {shlex.quote(made[1])} --{'' if made[2] == 'True' else 'no-'}causal",
        message,
    )
    for argument, option in _OPTIONS.items():
        message = message.replace(argument, option)
    return message


def _trace(target: Callable[..., Any], options: argparse.Namespace) -> tuple[int, str, dict[str, Any]]:
    sizes = _sizes(target, options)
    E, H = sizes.E, sizes.H
    B = options.B or next((n for n in (2, 3, 5, 7) if n not in (E, H, sizes.G, sizes.D)), 2)  # a letter for each size
    L, longer = lengths((B, E, H, sizes.G, sizes.D), options.L, options.S)
    letters = {"B": B, "L": L, "E": E, "H": H, "D": sizes.D}
    matrices = isinstance(target, nn.Module) and any(parameter.dim() > 1 for parameter in target.parameters())
    try:
        answer = answer_of(target, has_matrices=matrices, layout=options.layout or "", H=H, device=None)
    except TypeError as error:
        raise Unfit(str(error)) from None
    kind = "heads" if answer.kind == "heads" else "layer"
    context = answer.kind == "heads" or (kind == "layer" and "context" in answer.names and not answer.optional_context)
    S = options.S or (longer if context else L)
    cases = Cases(kind, sizes, B, L, S)
    case = cases.cross() if S != L else cases.plain()
    if kind == "heads" and sizes.G != H:
        case = cases.grouped(sizes.G)
    given, named = answer.arguments(case)
    letters |= ({"S": S} if S != L else {}) | ({"G": sizes.G} if sizes.G != H else {})
    recorded, raised = _recorded(target, given, {name: value for name, value in named.items() if value is not None}, letters)
    try:
        table = repr(recorded.show(*(options.columns or ())))
    except ValueError as unknown:
        raise Unfit(f"--columns: {unknown}") from None
    rows = [
        {**{key: getattr(row, key) for key in _KEYS}, "dtype": str(row.dtype).removeprefix("torch."), "name": row.name}
        for row in recorded
    ]
    if raised:
        told = raised.removeprefix("raised ")
        sizes_differ = told != raised and "SystemExit" not in raised and (not rows or re.search(_ABOUT_SIZES, raised))
        fits = " Do the sizes fit? Give those of the code: --B --L --S --E --H --G." if sizes_differ else ""
        what = f"raised {told.partition(':')[0]}: see above." if told != raised and told in table else raised
        return 1, f"{table}\nThe code {what}{fits}", {"error": told, "rows": rows}
    return 0, table, {"rows": rows}


def _sizes(target: Callable[..., Any], options: argparse.Namespace) -> Sizes:
    """The sizes that the options say, or else those that the module was made with, or else 12 and 3."""
    module = target if isinstance(target, nn.Module) else None
    E = options.E or (module and width_of(module)) or 12
    H = options.H or (module and (attribute(module, HEADS) or _default(type(module), "H")))
    if H and E % H and (options.E or options.H):
        raise Unfit(f"--E {E} is not a multiple of --H {H}: every head needs the same number of channels.")
    if not H or E % H:
        H = next(n for n in (3, 2, 5, 7, 1) if E % n == 0)
    found = next(iter(candidates(module, {}, E, H, options.G)), None) if module else None
    return found.sizes if found else Sizes(E, H, options.G or H, E // H, E // H)


def _default(cls: type, letter: str) -> int | None:
    """The default of the constructor for a size, by any usual name."""
    of = inspect.signature(cls).parameters
    return next((of[name].default for name in PARAMETERS[letter] if name in of and isinstance(of[name].default, int)), None)


_ABOUT_SIZES = r"\bshapes?\b|\b[Ss]ize of tensor|[Ee]xpected size"  # and not ".reshape(...)", which torch suggests for other errors
_KEYS = ("op", "shape", "axes", "strides", "memory", "contiguous", "nbytes", "new_bytes", "hidden_copies", "code", "line")


def _recorded(
    target: Callable[..., Any], given: Sequence[Any], named: dict[str, Any], letters: dict[str, int]
) -> tuple[Trace, str]:
    """The trace of a call, and what is wrong with it: what it raised, or that it returned nothing of attention."""
    torch.manual_seed(0)
    with torch.no_grad(), trace(**letters) as recorded:
        try:
            result = target(*given, **named)
        except (Exception, SystemExit) as error:
            return recorded, f"raised {type(error).__name__}: {str(error).partition(chr(10))[0]}"
    if result is None:
        return recorded, "returned None, not a tensor. Is the return statement missing?"
    if inspect.isgenerator(result):
        return recorded, "returned a generator, which runs nothing: write return in place of yield."
    if isinstance(result, str | bytes | int | float | complex):
        return recorded, f"returned a {type(result).__name__}, not a tensor."
    return recorded, ""


# The object that the command is given -----------------------------------------------------------------------------------------


def _target(options: argparse.Namespace) -> Callable[..., Any]:
    """The object that FILE:NAME means, made if it is a class."""
    file, colon, name = options.target.rpartition(":")
    if not colon or not file:
        raise Unfit(f"{options.target}: write FILE:NAME, such as model.py:Attention.")
    module = _module(Path(file))
    if options.make:
        try:
            made = eval(options.make, vars(module))
        except (Exception, SystemExit) as error:
            raise Unfit(f"--make {options.make} raised {type(error).__name__}: {error}") from None
        return _callable(made, options.make)
    if not hasattr(module, name):
        raise Unfit(
            f"{file} has no {name or 'name after the colon'}. It has {', '.join(_names(module)) or 'no class or function'}."
        )
    found = getattr(module, name)
    return _made(found, name, options) if inspect.isclass(found) else _callable(found, name)


def _module(file: Path) -> ModuleType:
    """The module in a file, run under the file's name."""
    if not file.is_file():
        near = sorted(str(path) for path in (file.parent if file.parent.is_dir() else Path()).glob("*.py"))
        there = f" There are {', '.join(near[:8])}." if near else ""
        raise Unfit(f"there is no file {file}.{there}")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise Unfit(f"{file} is not a Python file: its name must end in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    sys.path.insert(0, str(file.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise Unfit(f"{file}, line {error.lineno}: {error.msg}.") from None
    except BaseException as error:
        steps = traceback.extract_tb(error.__traceback__)
        line = next((step.lineno for step in reversed(steps) if Path(step.filename).resolve() == file.resolve()), 0)
        raise Unfit(
            f"{file}{f', line {line}' if line else ''}, raised {type(error).__name__} when it was imported: {error}"
        ) from None
    return module


def _names(module: ModuleType) -> list[str]:
    """The classes and functions that a module defines."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and callable(value) and getattr(value, "__module__", module.__name__) == module.__name__
    ]


def _made(cls: type, name: str, options: argparse.Namespace) -> Callable[..., Any]:
    """An object of a class, whose parameters are the sizes by any usual name, and whether it is causal."""
    sizes = {letter: getattr(options, letter) for letter in "BLSEHG"}
    E, H = sizes["E"] or 12, sizes["H"] or 3
    known = {"E": E, "H": H, "G": sizes["G"], "D": E // H, "L": max(sizes["L"] or 5, sizes["S"] or 16)}
    given: dict[str, Any] = {}
    missing = []
    causal = getattr(options, "causal", None)
    if causal is not None and any(name in CAUSAL for name in inspect.signature(getattr(cls, "forward", cls)).parameters):
        causal = None  # the call says it
    for parameter in list(inspect.signature(cls).parameters.values()):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        letter = next((one for one, names in PARAMETERS.items() if parameter.name in names), None)
        needed = parameter.default is parameter.empty
        if letter and known[letter] and (needed or sizes.get(letter)):
            given[parameter.name] = known[letter]
        elif needed and parameter.name in USUAL:
            given[parameter.name] = USUAL[parameter.name]
        elif is_flag(parameter) and (needed or causal is not None):
            given[parameter.name] = bool(causal)
        elif needed:
            missing.append(parameter.name)
    shown = ", ".join(f"{key}={value}" for key, value in given.items())
    if missing:
        example = ", ".join([*filter(None, [shown]), *(f"{parameter}=..." for parameter in missing)])
        lacking = ", ".join(missing)
        if all(parameter in PARAMETERS["G"] for parameter in missing):
            raise Unfit(f"{name} needs {lacking}: say how many key/value heads there are, --G 1, or any number that divides --H.")
        raise Unfit(f"{name} needs {lacking}, which no option sets. Say how to make it: --make '{name}({example})'")
    try:
        return _callable(cls(**given), name)
    except Unfit:
        raise
    except (Exception, SystemExit) as error:
        raise Unfit(
            f"{name}({shown}) raised {type(error).__name__}: {error} Other sizes: --E --H --G; or say how to make it: "
            f"--make '{name}(...)'"
        ) from None


def _callable(found: Any, name: str) -> Callable[..., Any]:
    if not callable(found):
        raise Unfit(f"{name} is of type {type(found).__name__}; give a class, a module or a function.")
    if isinstance(found, nn.Module) and "_modules" not in vars(found):
        raise Unfit(f"{name} is not a module yet: its __init__ must call super().__init__() first.")
    return found
