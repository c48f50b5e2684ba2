"""Right and wrong answers for the checkers of `attn.check`, each a case of one test."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from attn.check import Verdict

Answer = Any  # the argument of a checker: a function, formulas, shapes


def assert_passed(subtests: pytest.Subtests, checker: Callable[[Answer], Verdict], answers: Mapping[str, Answer]) -> None:
    """The checker passes each of these answers."""
    for name, answer in answers.items():
        with subtests.test(answer=name):
            verdict = checker(answer)
            assert verdict.passed and bool(verdict), verdict


def assert_rejected(
    subtests: pytest.Subtests, checker: Callable[[Answer], Verdict], answers: Mapping[str, tuple[Answer, Sequence[str]]]
) -> None:
    """The checker rejects each of these answers, with a message that contains all of the given parts."""
    for name, (answer, parts) in answers.items():
        with subtests.test(answer=name):
            verdict = checker(answer)
            assert not verdict.passed and not verdict
            for part in parts:
                assert part in verdict.message, verdict
