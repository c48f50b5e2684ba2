"""What a page needs to check programs: the checkers' own Python, and the lines that mend known mistakes."""

import ast
import json
import re
from collections.abc import Sequence
from typing import Any

import attn
from attn.check.fixes import FIXES
from attn.labs.code.sources import sources_of
from attn.labs.code.verdict import read_task

__all__ = ["NOT_ON_A_PAGE", "tasks_of", "tasks_script"]

# What a checker needs that pages lack.
NOT_ON_A_PAGE = {"attention": "gradients and dropout", "shapes_of": "a run of attn with its tensors", "training_step": "gradients"}


def tasks_script(programs: Sequence[tuple[str, str]]) -> str:
    """A script that gives a page `tasks_of` these checks and the programs that they begin with."""
    return f"globalThis.attnTasks = {json.dumps(tasks_of(programs), ensure_ascii=False, separators=(',', ':'))};\n"


def tasks_of(programs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """For each check its checker's module and fixes, and the texts of the modules. See verdict.js.

    What the programs and their fixes use of attn itself, as attn.split_heads, is among the modules.
    """
    wanted = []
    tasks: dict[str, dict[str, Any]] = {}
    for check, code in programs:
        checker, _ = read_task(check)
        if checker in NOT_ON_A_PAGE:
            tasks[checker] = {"missing": NOT_ON_A_PAGE[checker]}
            continue
        module = getattr(attn.check, checker).__module__
        tasks[checker] = {"module": module, "fixes": FIXES.get(checker, ())}
        used = re.findall(r"(?<!from )\battn\.(\w+)", "\n".join([code, *(new for _, new in FIXES.get(checker, ()))]))
        wanted += [(module, checker), *_imported(code), *(("attn", name) for name in used if name in attn.__all__)]
    return {"tasks": tasks, "sources": sources_of(wanted)}


def _imported(code: str) -> list[tuple[str, str]]:
    """What a program imports by name from a module of attn."""
    imports = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ImportFrom)]
    return [(of.module, one.name) for of in imports if of.module and of.module.startswith("attn.") for one in of.names]
