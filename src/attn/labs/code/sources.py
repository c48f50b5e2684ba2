"""The package's own Python for the page's interpreter: of each module only what a checker needs, without what only readers need.

A checker exists once. The kernel imports it; a page runs the same text, cut down here.
"""

import ast
import re
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

__all__ = ["sources_of"]

_Definition = TypeVar("_Definition", ast.FunctionDef, ast.ClassDef)


def sources_of(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The texts of attn's modules that `from module import name` runs in a page, for each of these pairs, by their paths."""
    wanted: dict[str, set[str]] = {}
    for module, name in names:
        _want(module, name, wanted)
    packages = {path.rpartition(".")[0] for path in wanted} - {""}
    texts = dict.fromkeys(sorted({"attn", *packages}), "")
    return texts | {path: _text(path, given) for path, given in sorted(wanted.items())}


def _want(module: str, name: str, wanted: dict[str, set[str]]) -> None:
    """Add a name of a module to `wanted`, and all that it needs, there and in other modules."""
    if name in wanted.setdefault(module, set()):
        return
    wanted[module].add(name)
    statement = _statements(module).get(name)
    if statement is None:
        raise ValueError(f"{module} has no {name}.")
    if isinstance(statement, ast.ImportFrom):
        original = next(alias.name for alias in statement.names if name in (alias.name, alias.asname))
        path = f"{statement.module}.{original}"
        if _is_own(path):  # from attn import masks
            for other in _statements(path):
                _want(path, other, wanted)
        elif _is_own(statement.module or ""):
            _want(statement.module or "", original, wanted)
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and node.id in _statements(module):
            _want(module, node.id, wanted)


@cache
def _statements(module: str) -> dict[str, ast.stmt]:
    """What a module has at its top level, by the names that it gives: without annotations and docstrings."""
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    tree = _Bare().visit(ast.parse(Path(spec.origin).read_text(encoding="utf-8")))
    found: dict[str, ast.stmt] = {}
    for statement in tree.body:
        found |= dict.fromkeys(_names(statement), statement)
    return found


def _names(statement: ast.stmt) -> list[str]:
    """The names that a statement at the top level gives."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name.partition(".")[0] for alias in names]
        case ast.Assign(targets=targets):
            return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return []


@cache
def _is_own(module: str) -> bool:
    """Whether this is a module of attn."""
    try:
        return module.startswith("attn") and find_spec(module) is not None
    except ModuleNotFoundError:  # its parent is not a package
        return False


def _text(module: str, names: set[str]) -> str:
    """The part of a module that gives these names, indented by one blank."""
    kept: list[ast.stmt] = []
    for statement in dict.fromkeys(_statements(module).values()):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            aliases = [alias for alias in statement.names if (alias.asname or alias.name.partition(".")[0]) in names]
            if aliases:
                kept.append(
                    ast.Import(aliases) if isinstance(statement, ast.Import) else ast.ImportFrom(statement.module, aliases, 0)
                )
        elif names.intersection(_names(statement)):
            kept.append(statement)
    text = ast.unparse(ast.fix_missing_locations(ast.Module(kept, [])))
    return re.sub(r"^( {4})+", lambda blanks: " " * (len(blanks[0]) // 4), text, flags=re.MULTILINE)


class _Bare(ast.NodeTransformer):
    """Leaves out what the interpreter does not need: type annotations and docstrings."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        arguments = node.args
        for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if one is not None:
                one.annotation = None
        return self._without_docstring(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return self._without_docstring(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """A field of a dataclass without a value keeps its annotation, which makes it a field."""
        return node if node.value is None else ast.Assign([node.target], node.value, lineno=node.lineno)

    def _without_docstring(self, node: _Definition) -> _Definition:
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        self.generic_visit(node)
        return node
