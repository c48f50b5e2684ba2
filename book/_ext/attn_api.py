"""Sphinx extension: ```{api} attn.masks``` documents a module's public names, from their signatures and docstrings.

Nothing is written twice: the signature is the one in the source, so it shows the shape of every tensor, and the text is the
docstring. A docstring's paragraph of lines such as "mask: True where ..." becomes a list.
"""

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

PACKAGE = Path(__file__).parents[2] / "src" / "attn"
_LINE = 88  # characters of a signature that stands on one line


class Api(SphinxDirective):
    """A section for each public name of a module. ``:only:`` names some of them, in this order; ``:whole:`` leaves out members."""

    required_arguments = 1
    option_spec = {"only": str.split, "whole": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Read the package; the page is read again when a file of it is changed."""
        for path in PACKAGE.rglob("*.py"):
            self.env.note_dependency(str(path))
        module = importlib.import_module(self.arguments[0])
        names = self.options.get("only") or [name for name in module.__all__ if is_documented(getattr(module, name))]
        return [self.section(f"{module.__name__}.{name}", getattr(module, name)) for name in names]

    def section(self, path: str, thing: Any) -> nodes.section:
        """The signature of a function or a class, its docstring, and the members of a class."""
        section = nodes.section(ids=[path], names=[])
        section += nodes.title("", "", nodes.literal("", path))
        section += self.described(thing, path.rpartition(".")[2])
        for name, member in members(thing) if "whole" not in self.options else ():
            entry = nodes.container(classes=["api-member"], ids=[f"{path}.{name}"])
            entry += self.described(member, name)
            section += entry
        return section

    def described(self, thing: Any, name: str) -> list[nodes.Node]:
        """A signature, and the docstring below it."""
        code = signature(thing, name)
        text = markdown(inspect.getdoc(thing) or "", set(re.findall(r"\w+", code)))
        return [nodes.literal_block(code, code, language="python"), *self.parse_text_to_nodes(text)]


def is_documented(thing: Any) -> bool:
    """Whether it has a section of its own: a function or a class, and not a module or a constant."""
    return inspect.isclass(thing) or inspect.isroutine(thing)


def members(thing: Any) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class defines, in the order of its source."""
    if not inspect.isclass(thing):
        return
    for name, member in vars(thing).items():
        found = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if not name.startswith("_") and (inspect.isroutine(found) or isinstance(found, property)) and found.__doc__:
            yield name, found


def signature(thing: Any, name: str) -> str:
    """The line that defines it, as in the source: with the shapes of its tensors, without its body."""
    if inspect.isclass(thing):
        made = vars(thing).get("__init__")
        if dataclasses.is_dataclass(thing):
            fields = [f"{field.name}: {inspect.formatannotation(field.type)}" for field in dataclasses.fields(thing)]
            return one_or_several(f"class {name}", fields, "")
        return laid_out(f"class {name}", definition(made), without=1) if inspect.isfunction(made) else f"class {name}"
    if isinstance(thing, property):
        assert thing.fget is not None
        returns = definition(thing.fget).returns
        return quoted(f"{name}: {ast.unparse(returns)}") if returns else name
    node = definition(thing)
    is_method = bool(node.args.args) and node.args.args[0].arg in ("self", "cls")
    return laid_out(name, node, without=int(is_method))


def definition(function: Any) -> ast.FunctionDef:
    """The function in its source."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body
    assert isinstance(node, ast.FunctionDef)
    return node


def laid_out(head: str, node: ast.FunctionDef, without: int) -> str:
    """Head, arguments and result on one line, or an argument on each; `without` the first arguments."""
    arguments = node.args
    del arguments.args[:without]
    parts = [re.sub(r"(: .*[^ ])=", r"\1 = ", part) for part in split(ast.unparse(arguments))]
    result = f" -> {ast.unparse(node.returns)}" if node.returns and not head.startswith("class ") else ""
    return one_or_several(head, parts, result)


def one_or_several(head: str, parts: list[str], result: str) -> str:
    """A call on one line, or with a line for each argument."""
    line = f"{head}({', '.join(parts)}){result}"
    if len(line) > _LINE:
        line = "\n".join([f"{head}(", *(f"    {part}," for part in parts), f"){result}"])
    return quoted(line)


def quoted(code: str) -> str:
    """Code as the project writes it: "B H L D" and Float, not 'B H L D' and jaxtyping.Float."""
    return re.sub(r"'([^'\n]*)'", r'"\1"', code).replace("jaxtyping.", "")


def split(arguments: str) -> list[str]:
    """The arguments of a signature, one by one."""
    parts, depth = [""], 0
    for letter in arguments:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def markdown(docstring: str, names: set[str]) -> str:
    """A docstring as Markdown: what it says of an argument, one of these names, is an item of a list."""
    argument = re.compile(rf"(?:^|(?<=[.)] ))(?=(?:{'|'.join(sorted(names))})(?:, (?:{'|'.join(sorted(names))}))*: )", re.M)
    return "\n\n".join(_paragraph(text, argument) for text in re.split(r"\n\n|\n(?=Raises )", docstring))


def _paragraph(text: str, argument: re.Pattern[str]) -> str:
    pieces = [piece.strip() for piece in argument.split(text) if piece.strip()]
    if not argument.match(text):
        return text
    lines = []
    for piece in pieces:
        names, _, meaning = piece.partition(": ")
        shown = ", ".join(f"`{name}`" for name in names.split(", "))
        lines.append(f"- {shown}: {' '.join(meaning.split())}")
    return "\n".join(lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("api", Api)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
