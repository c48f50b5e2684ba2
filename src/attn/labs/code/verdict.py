"""What a checker says of a program: in the kernel, as verdict.js does in a page."""

import io
import re
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any

import torch

import attn.check
from attn.check.fixes import mended
from attn.labs.code.run import TooLong, limited, too_long, variables_of

__all__ = ["Task", "read_task", "verdict_of"]

Task = tuple[str, tuple[str, ...]]  # a checker of attn.check, and the variables of the program that it gets

_CALL = re.compile(r"(\w+)(?:\((\w+(?:, \w+)*)\))?")


def read_task(check: str) -> Task:
    """ "scores(scaled_scores)" is the checker `scores` and the function `scaled_scores`; "scores" alone asks for `scores`.

    Raises ValueError if there is no such checker.
    """
    found = _CALL.fullmatch(check)
    if found is None or found[1] not in attn.check.__all__ or found[1] == "Verdict":
        known = ", ".join(name for name in attn.check.__all__ if name != "Verdict")
        raise ValueError(f"check = {check!r}: it names a checker of attn.check, such as 'scores' or 'scores(my_scores)': {known}.")
    return found[1], tuple((found[2] or found[1]).split(", "))


def verdict_of(check: str, code: str, variables: Mapping[str, Any]) -> dict[str, Any]:
    """The "verdict" on a program that ran: whether it passes, why, and the line that mends it where that is known.

    For a program that takes too long when it is checked, its "failure" instead.
    """
    checker, names = read_task(check)
    try:
        passed, message = _judged(checker, names, variables)
    except TooLong as error:
        return {"failure": too_long(error)}
    fix = None if passed else mended(code, checker, message, lambda new: _verdict(checker, names, new))
    return {"verdict": {"passed": passed, "message": message, "fix": fix and {"line": fix[0], "text": fix[1]}}}


def _judged(checker: str, names: tuple[str, ...], variables: Mapping[str, Any]) -> tuple[bool, str]:
    if missing := [name for name in names if name not in variables]:
        return False, f"There is no {missing[0]} in the program: the check asks for one with this name."
    with torch.random.fork_rng(), redirect_stdout(io.StringIO()), limited():
        torch.manual_seed(0)
        try:
            verdict = getattr(attn.check, checker)(*(variables[name] for name in names))
        except Exception as error:  # the checkers themselves raise for what is of another kind, such as a number for a function
            first = str(error).partition("\n")[0]
            return False, f"The check cannot use {names[0]}: {type(error).__name__}: {first}"
    return verdict.passed, verdict.message


def _verdict(checker: str, names: tuple[str, ...], code: str) -> tuple[bool, str] | None:
    try:
        return _judged(checker, names, variables_of(code))
    except (Exception, TooLong):
        return None
