"""Join the labs' ES modules into the code of one script.

A widget cannot load a second file, and neither can a page opened from disk. So the modules that a lab needs are joined, each after
those that it imports. This needs no bundler, because the modules use only four forms: ``import { a, b } from "./x.js";``,
``import "./x.js";``, ``import x from "./x.json" with { type: "json" };`` and ``export`` before a declaration. Node imports the same
files unchanged.

Most modules stand in one scope, where an import is nothing but the use of a name. A module that declares a name of an earlier one
is wrapped in a function. If it is an exported name, those that import it fetch it from there. A function or class that no module of
the script names is left out.

A module is named after its file: "shape/view" stands for shape/view.js.
"""

import functools
import posixpath
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

__all__ = [
    "EXPORT",
    "IMPORT",
    "SOURCE",
    "WHOLE",
    "Scope",
    "declared",
    "joined",
    "modules",
    "names_in",
    "note_imports",
    "place",
    "read",
    "resolved",
    "variable",
    "without_imports",
    "without_unused",
    "wrapped",
]

SOURCE = Path(__file__).parent

IMPORT = re.compile(r'^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "(\.[\w./-]+)\.js";\n', re.M)
_IMPORT_JSON = re.compile(r'^import (\w+) from "(\.[\w./-]+\.json)" with \{ type: "json" \};\n', re.M)
_IMPORT_ALONE = re.compile(r'^import "(\.[\w./-]+)\.js";\n', re.M)
_FORMS = (IMPORT, _IMPORT_JSON, _IMPORT_ALONE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|let|class) (\w+))", re.M)
_DECLARATION = re.compile(r"^(?:(?:async )?function\*?|const|let|class) (?:(\w+)|[{\[]([\w\s,]*)[}\]] = )", re.M)
WHOLE = re.compile(
    r"^(?:(?:async )?function\*? |class )(\w+)[^\n]*[{(]\n[\s\S]*?^\}\n"
    r"|^const (\w+) = (?:async )?(?:\w+|\((?!\()[^\n]*\)) =>(?: \{\n[\s\S]*?^\};\n|[^\n]*;\n|\n(?:  [^\n]*\n)+)",
    re.M,
)  # a function or a class, as the formatter lays it out
_COMMENT = re.compile(
    r"^ *(?://(?! Comes with the second script\.$).*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.M
)  # for readers of the source alone
_REMARK = re.compile(r"(?<=[;,{}()\[\]]) // [^\"'`\n]*$", re.M)  # one behind code: a name in it is not a use of this name


@dataclass
class Scope:
    """What is in a script: its modules, those of them that are objects, the names of the others, and what is asked of them."""

    modules: set[str] = field(default_factory=set)
    apart: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    wrapped: set[str] = field(default_factory=set)
    entries: set[str] = field(default_factory=set)
    imported: dict[str, set[str]] = field(default_factory=dict)  # of each module the names that others import


@functools.cache
def joined(*names: str) -> str:
    """The code of these modules and of those that they import. These modules are wrapped: ``kit_page.renderAll`` is of kit/page."""
    return without_unused(place([*names], Scope()))


def place(names: list[str], scope: Scope) -> str:
    """The code of these modules and of those that they import, without the ones that the scope has."""
    scope.apart |= set(names)
    scope.entries |= set(names)
    note_imports(names, scope)
    return "".join(_placed(name, source, scope) for name, source in modules(names).items() if name not in scope.modules)


def note_imports(names: list[str], scope: Scope) -> None:
    for name, source in modules(names).items():
        for imported, path in IMPORT.findall("" if name.endswith(".json") else source):
            scope.imported.setdefault(resolved(path, name), set()).update(re.findall(r"\w+", imported))


def _placed(name: str, source: str, scope: Scope) -> str:
    scope.modules.add(name)
    if name.endswith(".json"):
        return f"const {variable(name)} = {source.strip()};\n"
    body, exported = without_imports(name, source, scope.apart)
    own = declared(body)
    if name not in scope.entries:
        exported = [one for one in exported if one in scope.imported.get(name, ())]
    if name in scope.apart or scope.taken & set(exported):
        scope.apart.add(name)
        return f"const {variable(name)} = {wrapped(body, exported)};\n"
    if scope.taken & own:
        scope.wrapped.add(name)
        scope.taken |= set(exported)
        return f"const {{ {', '.join(exported)} }} = {wrapped(body, exported)};\n"
    scope.taken |= own
    return body


def names_in(code: str) -> Counter[str]:
    """How often the code has each word that may name a declaration: no property, and no key of an object."""
    return Counter(re.findall(r"(?:(?<![.\w])|(?<=\.\.\.))[A-Za-z_]\w*\b(?!:)", code))


def without_unused(code: str) -> str:
    """The code without the functions and classes that nothing else in it names."""
    left = code
    counts = names_in(code)
    while True:
        for whole in WHOLE.finditer(left):
            words = names_in(whole[0])
            name = whole[1] or whole[2]
            if counts[name] == words[name]:
                counts -= words
                code = code.replace(whole[0], "", 1)
        if code == left:
            return code
        left = code


def wrapped(body: str, exported: list[str]) -> str:
    return f"(() => {{\n{body}return {{ {', '.join(exported)} }};\n}})()"


def without_imports(name: str, source: str, apart: set[str]) -> tuple[str, list[str]]:
    """The code of a module without imports and exports, and what it exports. What stands apart is fetched."""

    def fetched(match: re.Match[str]) -> str:
        module = resolved(match[2], name)
        return f"const {{{match[1]}}} = {variable(module)};\n" if module in apart else ""

    exported = EXPORT.findall(source)
    body = IMPORT.sub(fetched, source)
    body = _IMPORT_JSON.sub(lambda match: f"const {match[1]} = {variable(resolved(match[2], name))};\n", body)
    body = _IMPORT_ALONE.sub("", EXPORT.sub("", body))
    if left := re.search(r"^(?:import|export)\b.*", body, re.M):
        raise ValueError(f"{name}.js: {left[0]!r} is none of the four forms that can be joined")
    return body, exported


def declared(body: str) -> set[str]:
    """The names that a module declares for itself as a whole."""
    return {name for found in _DECLARATION.findall(body) for name in re.findall(r"\w+", "".join(found))}


def modules(names: list[str]) -> dict[str, str]:
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
        source = read(name)
        for imported in _imports(source):
            _add(resolved(imported, name), done, (*importers, name))
        done[name] = source


@functools.cache
def read(name: str) -> str:
    if name.endswith(".json"):
        return (SOURCE / name).read_text(encoding="utf-8")
    return _REMARK.sub("", _COMMENT.sub("", (SOURCE / f"{name}.js").read_text(encoding="utf-8")))


def resolved(path: str, importer: str) -> str:
    """ "../kit/dom", imported by "shape/view", is "kit/dom"."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))


def variable(name: str) -> str:
    """The variable of a module: kit_page for kit/page. No module declares such a name itself."""
    return re.sub(r"\W+", "_", name)
