"""One self-contained script out of the labs' ES modules.

The files in `js/` are modules that node imports as they are. A widget, and a page opened from disk, can load no second file; so
the modules that a lab needs are wrapped, each in a function of its own, and put one behind the other. No bundler: the modules
keep to two forms, ``import { a, b } from "./x.js";`` and ``export`` in front of a declaration. The style of what a module draws
stands beside it: with `x.js` comes `x.css`, if there is one.
"""

import functools
import re
from pathlib import Path

__all__ = ["SOURCE", "page_script", "style", "widget_script"]

SOURCE = Path(__file__).parent / "js"

_IMPORT = re.compile(r'^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "\./([\w-]+)\.js";\n', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|let|class) (\w+))", re.M)


def widget_script(lab: str) -> str:
    """The ES module of one lab, for anywidget: it exports `default { render }`."""
    return f"{_modules([lab])}export default {_variable(lab)}.lab;\n"


def page_script(labs: list[str]) -> str:
    """The script of a page that shows these labs: each module once, then life for every container."""
    table = ", ".join(f'"{lab}": {_variable(lab)}.lab' for lab in labs)
    return f"{_modules(['page', *labs])}{_variable('page')}.bringToLife({{ {table} }});\n"


def style(labs: list[str]) -> str:
    """The style of these labs: that of every module that they need, once."""
    sheets = (SOURCE / f"{name}.css" for name in _needed(labs))
    return "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets if sheet.exists())


def _modules(names: list[str]) -> str:
    return "".join(_needed(names).values())


def _needed(names: list[str]) -> dict[str, str]:
    """Each module's code as a function, by its name, a module behind those that it imports."""
    done: dict[str, str] = {}
    for name in names:
        _add(name, done, ())
    return done


def _add(name: str, done: dict[str, str], wanted_by: tuple[str, ...]) -> None:
    """Put a module, behind those that it imports, into `done`."""
    if name in wanted_by:
        raise ValueError(f"modules import each other in a circle: {' -> '.join([*wanted_by, name])}")
    if name not in done:
        source = _read(name)
        for imported in _IMPORT.finditer(source):
            _add(imported[2], done, (*wanted_by, name))
        done[name] = _wrapped(name, source)


@functools.cache
def _read(name: str) -> str:
    return (SOURCE / f"{name}.js").read_text(encoding="utf-8")


def _wrapped(name: str, source: str) -> str:
    """``const x = (() => { ...; return { a, b }; })();`` of a module that exports a and b."""
    exported = _EXPORT.findall(source)
    body = _EXPORT.sub("", _IMPORT.sub(lambda match: f"const {{{match[1]}}} = {_variable(match[2])};\n", source))
    if left := re.search(r"^(?:import|export)\b.*", body, re.M):
        raise ValueError(f"{name}.js: {left[0]!r} is not one of the two forms that can be composed")
    return f"const {_variable(name)} = (() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();\n"


def _variable(name: str) -> str:
    """shape-lab as the name of a variable, shapeLabModule: apart from the names in the module, of which one may be its own."""
    return re.sub(r"-(\w)", lambda match: match[1].upper(), name) + "Module"
