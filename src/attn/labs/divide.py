"""Divide the code of a lab into two scripts: what every reader of its page needs, and what few of them do.

The code is divided by functions: the function, method or statement behind the comment "Comes with the second script." is not in the
first one. Where the first script calls such a function, it has a short one in its place. What nothing but the second script names
comes with it, too.
"""

import re
from dataclasses import dataclass

from attn.labs.join import IMPORT, WHOLE, Scope, modules, names_in, note_imports, place, read, resolved, variable

__all__ = ["Parts", "divide"]

_MARK = "// Comes with the second script.\n"
_LATER = re.compile(
    rf"^( *){_MARK}(\1(?! )[^\n]*(?:[;}}],?\n|\n(?:(?:\1 [^\n]*|\1(?=[)\]}}])[^\n]*[^;}},\n])?\n)*\1(?=[)\]}}])[^\n]*[;}}],?\n))",
    re.M,
)  # a line, or one and those up to the bracket that closes it
_NAMED = re.compile(r"(?:const |((?:async )?function\*? ))(\w+)( = (?!\(.*\) =>|\w+ =>))?")
_METHOD = re.compile(r" *(\*?)(\w+)\(")
_CONST = re.compile(r"^const (\w+) = (?:[^\n]*;\n|[^\n]*[{(\[]\n(?: [^\n]*\n)*[})\]][^\n]*;\n)", re.M)


@dataclass
class Parts:
    """A lab's modules for its two scripts."""

    scope: Scope
    first: str
    later: str
    names: set[str]  # of what `later` declares
    given: list[str]  # what the second script uses of the first one


def divide(lab: str) -> Parts:
    """The modules of a lab's first script, and what of them comes with the second one."""
    scope = Scope()
    note_imports([f"{lab}/more"], scope)
    code = place([f"{lab}/page"], scope)
    if apart := [name for name in scope.apart | scope.wrapped if _MARK in read(name)]:
        raise ValueError(f"{', '.join(apart)}: a module in a function of its own cannot be divided; does it declare a taken name?")
    first, later, names = _divided(code, scope.taken)
    given = sorted((names_in(later).keys() & scope.taken | _shared(lab, scope)) - names)
    # A copy of a variable would not change with it.
    if changed := set(re.findall(r"^let (\w+)", first, re.M)).intersection(given):
        raise ValueError(f"{', '.join(changed)}: a variable that changes cannot be given to the second script")
    return Parts(scope, first, later, names, given)


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
    if lost := names_in(first).keys() & names - {*functions}:
        raise ValueError(f"{', '.join(lost)}: the first script needs what comes with the second one")
    return first, "".join(later) + table, names


def _helpers(first: str, later: str, declared: set[str]) -> dict[str, str]:
    """The declarations of `first` that nothing in it names, but `later` does."""
    counts = names_in(first)
    wanted = names_in(later).keys() & declared
    found = {whole[1] or whole[2]: whole[0] for whole in WHOLE.finditer(first)}
    found |= {whole[1]: whole[0] for whole in _CONST.finditer(first)}
    return {name: text for name, text in found.items() if name in wanted and counts[name] == names_in(text)[name]}


def _shared(lab: str, scope: Scope) -> set[str]:
    """What the rest of a lab uses of its first script: names, and modules that stand apart."""
    used: set[str] = set()
    for name, source in modules([f"{lab}/more"]).items():
        if name in scope.modules or name.endswith(".json"):
            continue
        for names, path in IMPORT.findall(source):
            module = resolved(path, name)
            if module in scope.apart:
                used.add(variable(module))
            elif module in scope.modules:
                used |= set(re.findall(r"\w+", names))
    return used
