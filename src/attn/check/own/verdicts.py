"""The verdict on a whole implementation, the options of the check, and one way to read an implementation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from attn.check.own.calling import Answer
from attn.check.own.definition import Case, Turn
from attn.check.own.roles import Roles
from attn.check.verdict import Verdict

__all__ = ["AttentionVerdict", "Options", "Setting", "Wrong"]


@dataclass(frozen=True, repr=False)
class AttentionVerdict(Verdict):
    """The verdict on a whole implementation.

    mistake: the name of the mistake, if it is known. possible: the names of all that remain possible, if there is more than one.
    line: the line of the reader's code, "line 12: ...". fix: the right line. found: how the implementation is called.
    checked, unchecked: what was compared, and what was not and why.
    """

    mistake: str = ""
    possible: tuple[str, ...] = ()
    line: str = ""
    fix: str = ""
    found: Mapping[str, str] = field(default_factory=dict)
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """The arguments of `attn.check.attention`."""

    B: int = 2
    L: int | None = None
    S: int | None = None
    E: int | None = None
    H: int | None = None
    G: int | None = None
    weights: Mapping[str, Any] = field(default_factory=dict)
    layout: str | None = None
    mask: str | None = None
    causal: bool | None = None
    cache: Callable[[], Any] | None = None
    rotary: Turn | None = None
    empty_rows: bool = True
    dtype: torch.dtype | None = None


@dataclass(frozen=True)
class Setting:
    """One way to read an implementation: how it is called, which parameter is which, whether it is always causal."""

    answer: Answer
    roles: Roles | None
    always_causal: bool = False

    def seen(self, case: Case) -> Case:
        return replace(case, causal=True) if self.always_causal else case


class Wrong(Exception):
    """The examination is over: something is wrong."""

    def __init__(self, verdict: AttentionVerdict) -> None:
        super().__init__(verdict.message)
        self.verdict = verdict
