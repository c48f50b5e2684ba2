"""The scripts and style sheets of the labs: for a page, for a widget, and for a lab that a page loads later.

A lab is named after its folder: "shape" stands for shape/view.js, and its style sheet is shape/style.css. A module of the kit may
have a style sheet of its own name: kit/dom.css comes with kit/dom.js. How modules become one script is in `attn.labs.join`, how
those of a large lab become two in `attn.labs.divide`.
"""

import functools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from attn.labs import join
from attn.labs.divide import divide

__all__ = [
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

PAGE, NEAR = "kit/page", "kit/near"


def lab_names() -> list[str]:
    """The labs: every folder with a lab.py."""
    return sorted(path.parent.name for path in join.SOURCE.glob("*/lab.py"))


def widget_script(lab: str) -> str:
    """The ES module of one lab, for anywidget: it exports `default { render }`."""
    return f"{join.joined(_view(lab))}export default {join.variable(_view(lab))}.lab;\n"


def page_script(labs: list[str], deferred: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str:
    """The script of a page that shows these labs: each module once, then a call that renders every container.

    deferred: for each lab that has a `deferred_script`, its address, after those of scripts that must run before it. The page loads
    them when the lab comes near.
    """
    own = [lab for lab in labs if not is_deferred(lab)]
    table = ", ".join(f'"{lab}": {join.variable(_view(lab))}.lab' for lab in own)
    near = f"{join.variable(NEAR)}.loadNear({json.dumps(dict(deferred))});\n"
    load = f"globalThis.attnRender = {join.variable(PAGE)}.renderAll;\n{near}" if deferred else ""
    modules = join.joined(PAGE, *([NEAR] if deferred else []), *map(_view, own))
    return f"{modules}{join.variable(PAGE)}.renderAll({{ {table} }});\n{load}"


def is_deferred(lab: str) -> bool:
    """Whether a lab is too large for a page: it has a page.js, its entry in place of view.js where there is no kernel."""
    return (join.SOURCE / lab / "page.js").exists()


@functools.cache
def deferred_script(lab: str, more: str = "") -> str:
    """The script of a lab that is too large for a page, which has kit/page already. It is also the script of the lab's worker, so
    it knows its own text.

    more: where `more_script` is, seen from this one. ``share`` gives it what it needs of this one.
    """
    entry = f"{lab}/page"
    parts = divide(lab)
    share = f"const share = () => globalThis.attnMore?.([{', '.join(parts.given)}]);\n"
    ours = f"`(${{all_script}})()`, {json.dumps(more)}, share"
    run = f"if ({join.variable(entry)}.isPage({ours})) globalThis.attnRender({{ {lab}: {join.variable(entry)}.lab }});"
    return f'(function all_script() {{\n"use strict";\n{join.without_unused(parts.first + share + run)}\n}})();\n'


@functools.cache
def more_script(lab: str) -> str:
    """The rest of a deferred lab, for the few who need it: what its more.js imports and its page.js does not."""
    parts = divide(lab)
    scope = parts.scope
    scope.taken = {*parts.given, *parts.names}
    modules = join.without_unused(parts.later + join.place([f"{lab}/more"], scope))
    names = f"const [{', '.join(parts.given)}] = given;\n"  # in an array, where they are shortened
    return f'globalThis.attnMore = function more(given) {{\n"use strict";\n{names}{modules}}};\n'


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
    for cached in (join.read, join.joined, _sheets, deferred_script, more_script):
        cached.cache_clear()


@functools.cache
def _sheets(*labs: str) -> Mapping[str, str]:
    """The style sheets of these labs, by the names of their modules; that of a lab is named after its view."""
    names = (re.sub(r"/view$", "/style", name) for name in join.modules(list(map(_view, labs))))
    paths = {name: join.SOURCE / f"{name}.css" for name in names}
    return MappingProxyType({name: path.read_text(encoding="utf-8") for name, path in paths.items() if path.exists()})


def _view(lab: str) -> str:
    return f"{lab}/view"
