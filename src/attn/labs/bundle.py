"""Turn the labs' ES modules into one self-contained script and one style sheet.

A widget cannot load a second file, and neither can a page opened from disk. So the modules that a lab needs are joined, each after
those that it imports. This needs no bundler, because the modules use only four forms: ``import { a, b } from "./x.js";``,
``import "./x.js";``, ``import x from "./x.json" with { type: "json" };`` and ``export`` before a declaration. Node imports the same
files unchanged.

Most modules stand in one scope, where an import is nothing but the use of a name. A module that declares a name of an earlier one
is wrapped in a function. If it is an exported name, those that import it fetch it from there. A function or class that no module of
the script names is left out.

A lab with two scripts is divided by functions: the function, method or statement behind the comment "Comes with the second script."
is not in the first one. Where the first script calls such a function, it has a short one in its place.

A lab is named after its folder: "shape" stands for shape/view.js, and its style sheet is shape/style.css. A module of the kit may
have a style sheet of its own name: kit/dom.css comes with kit/dom.js.
"""

import functools
import json
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

__all__ = [
    "SOURCE",
    "deferred_script",
    "deferred_style",
    "forget",
    "is_deferred",
    "lab_names",
    "more_script",
    "page_script",
    "page_style",
    "style",
    "widget_script",
]

SOURCE = Path(__file__).parent
PAGE, NEAR = "kit/page", "kit/near"

_IMPORT = re.compile(r'^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "(\.[\w./-]+)\.js";\n', re.M)
_IMPORT_JSON = re.compile(r'^import (\w+) from "(\.[\w./-]+\.json)" with \{ type: "json" \};\n', re.M)
_IMPORT_ALONE = re.compile(r'^import "(\.[\w./-]+)\.js";\n', re.M)
_COMMENT = re.compile(
    r"^ *(?://(?! Comes with the second script\.$).*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.M
)  # for readers of the source alone
_REMARK = re.compile(r"(?<=[;,{}()\[\]]) // [^\"'`\n]*$", re.M)  # one behind code: a name in it is not a use of this name
_DECLARATION = re.compile(r"^(?:(?:async )?function\*?|const|let|class) (?:(\w+)|[{\[]([\w\s,]*)[}\]] = )", re.M)
_WHOLE = re.compile(
    r"^(?:(?:async )?function\*? |class )(\w+)[^\n]*[{(]\n[\s\S]*?^\}\n"
    r"|^const (\w+) = (?:async )?(?:\w+|\((?!\()[^\n]*\)) =>(?: \{\n[\s\S]*?^\};\n|[^\n]*;\n|\n(?:  [^\n]*\n)+)",
    re.M,
)  # a function or a class, as the formatter lays it out
_MARK = "// Comes with the second script.\n"
_LATER = re.compile(
    rf"^( *){_MARK}(\1(?! )[^\n]*(?:[;}}],?\n|\n(?:(?:\1 [^\n]*|\1(?=[)\]}}])[^\n]*[^;}},\n])?\n)*\1(?=[)\]}}])[^\n]*[;}}],?\n))",
    re.M,
)  # a line, or one and those up to the bracket that closes it
_NAMED = re.compile(r"(?:const |((?:async )?function\*? ))(\w+)( = (?!\(.*\) =>|\w+ =>))?")
_METHOD = re.compile(r" *(\*?)(\w+)\(")
_CONST = re.compile(r"^const (\w+) = (?:[^\n]*;\n|[^\n]*[{(\[]\n(?: [^\n]*\n)*[})\]][^\n]*;\n)", re.M)
_FORMS = (_IMPORT, _IMPORT_JSON, _IMPORT_ALONE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|let|class) (\w+))", re.M)


@dataclass
class _Scope:
    """What is in a script: its modules, those of them that are objects, the names of the others, and what is asked of them."""

    modules: set[str] = field(default_factory=set)
    apart: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    wrapped: set[str] = field(default_factory=set)
    entries: set[str] = field(default_factory=set)
    imported: dict[str, set[str]] = field(default_factory=dict)  # of each module the names that others import


def lab_names() -> list[str]:
    """The labs: every folder with a lab.py."""
    return sorted(path.parent.name for path in SOURCE.glob("*/lab.py"))


def widget_script(lab: str) -> str:
    """The ES module of one lab, for anywidget: it exports `default { render }`."""
    return f"{_joined(_view(lab))}export default {_variable(_view(lab))}.lab;\n"


def page_script(labs: list[str], deferred: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str:
    """The script of a page that shows these labs: each module once, then a call that renders every container.

    deferred: for each lab that has a `deferred_script`, its address, after those of scripts that must run before it. The page loads
    them when the lab comes near.
    """
    own = [lab for lab in labs if not is_deferred(lab)]
    table = ", ".join(f'"{lab}": {_variable(_view(lab))}.lab' for lab in own)
    near = f"{_variable(NEAR)}.loadNear({json.dumps(dict(deferred))});\n"
    load = f"globalThis.attnRender = {_variable(PAGE)}.renderAll;\n{near}" if deferred else ""
    modules = _joined(PAGE, *([NEAR] if deferred else []), *map(_view, own))
    return f"{modules}{_variable(PAGE)}.renderAll({{ {table} }});\n{load}"


def is_deferred(lab: str) -> bool:
    """Whether a lab is too large for a page: it has a page.js, its entry in place of view.js where there is no kernel."""
    return (SOURCE / lab / "page.js").exists()


@dataclass
class _Parts:
    """A lab's modules for its two scripts."""

    scope: _Scope
    first: str
    later: str
    names: set[str]  # of what `later` declares
    given: list[str]  # what the second script uses of the first one


@functools.cache
def deferred_script(lab: str, more: str = "") -> str:
    """The script of a lab that is too large for a page, which has kit/page already. It is also the script of the lab's worker, so
    it knows its own text.

    more: where `more_script` is, seen from this one. ``share`` gives it what it needs of this one.
    """
    entry = f"{lab}/page"
    parts = _parts(lab)
    share = f"const share = () => globalThis.attnMore?.([{', '.join(parts.given)}]);\n"
    ours = f"`(${{all_script}})()`, {json.dumps(more)}, share"
    run = f"if ({_variable(entry)}.isPage({ours})) globalThis.attnRender({{ {lab}: {_variable(entry)}.lab }});"
    return f'(function all_script() {{\n"use strict";\n{_without_unused(parts.first + share + run)}\n}})();\n'


@functools.cache
def more_script(lab: str) -> str:
    """The rest of a deferred lab, for the few who need it: what its more.js imports and its page.js does not."""
    parts = _parts(lab)
    scope = parts.scope
    scope.taken = {*parts.given, *parts.names}
    modules = _without_unused(parts.later + _placed([f"{lab}/more"], scope))
    names = f"const [{', '.join(parts.given)}] = given;\n"  # in an array, where they are shortened
    return f'globalThis.attnMore = function more(given) {{\n"use strict";\n{names}{modules}}};\n'


def _parts(lab: str) -> _Parts:
    """The modules of a lab's first script, and what of them comes with the second one."""
    scope = _Scope()
    _note_imports([f"{lab}/more"], scope)
    code = _placed([f"{lab}/page"], scope)
    if apart := [name for name in scope.apart | scope.wrapped if _MARK in _read(name)]:
        raise ValueError(f"{', '.join(apart)}: a module in a function of its own cannot be divided; does it declare a taken name?")
    first, later, names = _divided(code, scope.taken)
    given = sorted((_names(later).keys() & scope.taken | _shared(lab, scope)) - names)
    # A copy of a variable would not change with it.
    if changed := set(re.findall(r"^let (\w+)", first, re.M)).intersection(given):
        raise ValueError(f"{', '.join(changed)}: a variable that changes cannot be given to the second script")
    return _Parts(scope, first, later, names, given)


def _divided(code: str, declared: set[str]) -> tuple[str, str, set[str]]:
    """The code without what comes with the second script; this; and the names that this declares."""
    functions: list[str] = []  # that the first script may call: their names or, of methods, their texts
    later: list[str] = []
    names: set[str] = set()

    def moved(match: re.Match[str]) -> str:
        indent, text = match.groups()
        if indent:
            head = _METHOD.match(text)
            if not head:
                raise ValueError(f"{text.splitlines()[0]!r} is no method")
            functions.append(f"function{head[1]} {text[head.end() - 1 :].rstrip().removesuffix(',')}")
            comma = "," if text.endswith(",\n") else ""
            return f"{indent}{head[2]}() {{ return later({len(functions) - 1}, this, arguments); }}{comma}\n"
        later.append(text)
        head = _NAMED.match(text)
        if not head:
            return ""
        names.add(head[2])
        if head[3]:
            return ""
        functions.append(head[2])
        kind, wait = ("async ", "await rest.fetch(); ") if "async" in (head[1] or "") else ("", "")
        return f"{kind}function {head[2]}() {{ {wait}return later({len(functions) - 1}, this, arguments); }}\n"

    first = _LATER.sub(moved, code)
    if (place := first.find(_MARK)) >= 0:
        raise ValueError(f"{first[place:].splitlines()[1]!r} cannot come with the second script")
    table = f"Object.assign(laterFunctions, [{', '.join(functions)}]);\n"
    # What only functions of the second script call comes with it, too.
    while helpers := _helpers(first, "".join(later) + table, declared):
        for name, text in helpers.items():
            first = first.replace(text, "", 1)
            later.insert(0, text)
            names.add(name)
    if lost := _names(first).keys() & names - {*functions}:
        raise ValueError(f"{', '.join(lost)}: the first script needs what comes with the second one")
    return first, "".join(later) + table, names


def _helpers(first: str, later: str, declared: set[str]) -> dict[str, str]:
    """The declarations of `first` that nothing in it names, but `later` does."""
    counts = _names(first)
    wanted = _names(later).keys() & declared
    found = {whole[1] or whole[2]: whole[0] for whole in _WHOLE.finditer(first)}
    found |= {whole[1]: whole[0] for whole in _CONST.finditer(first)}
    return {name: text for name, text in found.items() if name in wanted and counts[name] == _names(text)[name]}


def _names(code: str) -> Counter[str]:
    """How often the code has each word that may name a declaration: no property, and no key of an object."""
    return Counter(re.findall(r"(?:(?<![.\w])|(?<=\.\.\.))[A-Za-z_]\w*\b(?!:)", code))


def _shared(lab: str, scope: _Scope) -> set[str]:
    """What the rest of a lab uses of its first script: names, and modules that stand apart."""
    used: set[str] = set()
    for name, source in _modules([f"{lab}/more"]).items():
        if name in scope.modules or name.endswith(".json"):
            continue
        for names, path in _IMPORT.findall(source):
            module = _resolved(path, name)
            if module in scope.apart:
                used.add(_variable(module))
            elif module in scope.modules:
                used |= set(re.findall(r"\w+", names))
    return used


def style(labs: list[str]) -> str:
    """The style sheets of these labs and of the modules that they import, each once."""
    return "\n".join(_sheets(*labs).values())


def page_style(labs: list[str]) -> str:
    """The same for a page, without the sheets of labs that are loaded later: see `deferred_style`."""
    own = {lab for lab in labs if is_deferred(lab)}
    return "\n".join(sheet for name, sheet in _sheets(*labs).items() if name.removesuffix("/style") not in own)


def deferred_style(lab: str, shortened: Callable[[str], str] = str) -> str:
    """A script that gives a page the style sheet of a lab that is loaded later."""
    sheet = json.dumps(shortened(_sheets(lab)[f"{lab}/style"]))
    return f'document.head.append(Object.assign(document.createElement("style"), {{ textContent: {sheet} }}));\n'


def forget() -> None:
    """Read the files again: they have changed since they were read."""
    for cached in (_read, _joined, _sheets, deferred_script, more_script):
        cached.cache_clear()


@functools.cache
def _sheets(*labs: str) -> Mapping[str, str]:
    """The style sheets of these labs, by the names of their modules; that of a lab is named after its view."""
    names = (re.sub(r"/view$", "/style", name) for name in _modules(list(map(_view, labs))))
    paths = {name: SOURCE / f"{name}.css" for name in names}
    return MappingProxyType({name: path.read_text(encoding="utf-8") for name, path in paths.items() if path.exists()})


def _view(lab: str) -> str:
    return f"{lab}/view"


@functools.cache
def _joined(*names: str) -> str:
    """The code of these modules and of those that they import. These modules are wrapped: ``kit_page.renderAll`` is of kit/page."""
    return _without_unused(_placed([*names], _Scope()))


def _placed(names: list[str], scope: _Scope) -> str:
    """The code of these modules and of those that they import, without the ones that the scope has."""
    scope.apart |= set(names)
    scope.entries |= set(names)
    _note_imports(names, scope)
    return "".join(_place(name, source, scope) for name, source in _modules(names).items() if name not in scope.modules)


def _note_imports(names: list[str], scope: _Scope) -> None:
    for name, source in _modules(names).items():
        for imported, path in _IMPORT.findall("" if name.endswith(".json") else source):
            scope.imported.setdefault(_resolved(path, name), set()).update(re.findall(r"\w+", imported))


def _place(name: str, source: str, scope: _Scope) -> str:
    scope.modules.add(name)
    if name.endswith(".json"):
        return f"const {_variable(name)} = {source.strip()};\n"
    body, exported = _without_imports(name, source, scope.apart)
    own = _declared(body)
    if name not in scope.entries:
        exported = [one for one in exported if one in scope.imported.get(name, ())]
    if name in scope.apart or scope.taken & set(exported):
        scope.apart.add(name)
        return f"const {_variable(name)} = {_wrapped(body, exported)};\n"
    if scope.taken & own:
        scope.wrapped.add(name)
        scope.taken |= set(exported)
        return f"const {{ {', '.join(exported)} }} = {_wrapped(body, exported)};\n"
    scope.taken |= own
    return body


def _without_unused(code: str) -> str:
    """The code without the functions and classes that nothing else in it names."""
    left = code
    counts = _names(code)
    while True:
        for whole in _WHOLE.finditer(left):
            words = _names(whole[0])
            name = whole[1] or whole[2]
            if counts[name] == words[name]:
                counts -= words
                code = code.replace(whole[0], "", 1)
        if code == left:
            return code
        left = code


def _wrapped(body: str, exported: list[str]) -> str:
    return f"(() => {{\n{body}return {{ {', '.join(exported)} }};\n}})()"


def _without_imports(name: str, source: str, apart: set[str]) -> tuple[str, list[str]]:
    """The code of a module without imports and exports, and what it exports. What stands apart is fetched."""

    def fetched(match: re.Match[str]) -> str:
        module = _resolved(match[2], name)
        return f"const {{{match[1]}}} = {_variable(module)};\n" if module in apart else ""

    exported = _EXPORT.findall(source)
    body = _IMPORT.sub(fetched, source)
    body = _IMPORT_JSON.sub(lambda match: f"const {match[1]} = {_variable(_resolved(match[2], name))};\n", body)
    body = _IMPORT_ALONE.sub("", _EXPORT.sub("", body))
    if left := re.search(r"^(?:import|export)\b.*", body, re.M):
        raise ValueError(f"{name}.js: {left[0]!r} is none of the four forms that can be joined")
    return body, exported


def _declared(body: str) -> set[str]:
    """The names that a module declares for itself as a whole."""
    return {name for found in _DECLARATION.findall(body) for name in re.findall(r"\w+", "".join(found))}


def _modules(names: list[str]) -> dict[str, str]:
    """The sources of these modules and of those that they import, imported modules first."""
    done: dict[str, str] = {}
    for name in names:
        _add(name, done, ())
    return done


def _imports(source: str) -> list[str]:
    """The modules that a source imports, in its order."""
    found = sorted((match.start(), match.groups()[-1]) for form in _FORMS for match in form.finditer(source))
    return [path for _, path in found]


def _add(name: str, done: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add a module to `done`, after the modules that it imports."""
    if name in importers:
        raise ValueError(f"circular import: {' -> '.join([*importers, name])}")
    if name not in done:
        source = _read(name)
        for imported in _imports(source):
            _add(_resolved(imported, name), done, (*importers, name))
        done[name] = source


@functools.cache
def _read(name: str) -> str:
    if name.endswith(".json"):
        return (SOURCE / name).read_text(encoding="utf-8")
    return _REMARK.sub("", _COMMENT.sub("", (SOURCE / f"{name}.js").read_text(encoding="utf-8")))


def _resolved(path: str, importer: str) -> str:
    """ "../kit/dom", imported by "shape/view", is "kit/dom"."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))


def _variable(name: str) -> str:
    """The variable of a module: kit_page for kit/page. No module declares such a name itself."""
    return re.sub(r"\W+", "_", name)
