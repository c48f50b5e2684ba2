"""BugLab: a wrong line of code in a layer. What stays, what changes, and which probes find it?"""

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.bug.planting import CONTEXT, GIVEN, SHOWN, line_of, outcome
from attn.labs.lab import Lab, Limits, Size
from attn.labs.stage import Chip
from attn.lessons import language
from attn.lessons.bugs import PROBES
from attn.trace.table import as_shape, table

__all__ = ["RECORD", "BugLab"]

RECORD = Path(__file__).with_name("found.json")  # what the probes say of each bug; tools/record_probes.py writes it
_NUMBER = re.compile(r"nan|-?\d+(?:\.\d+)?")
_ALL = language.LONGEST
_TOP_LEFT = {"bug": "top-left causal mask", "L": _ALL}
# How the lines begin, in the order in which they run. Those with a star are in sight with every bug.
_RUN = """x =; *causal; *keep; k = split; v =; return x; return self; dropout; heads; k, v; *scores; *scaled; *masked
*weights = soft; terms; weights = weights; *return F; *return heads; *y""".replace("\n", "; ").split("; ")


@functools.cache
def _found() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


class BugLab(Lab):
    """The recorded layer of `attn.lessons.reader` twice: with its right lines of code, and with one exchanged for a wrong one.

    bug: the name of one of the bugs of `attn.lessons.bugs` in `attn.labs.bug.planting.SHOWN`, or "none". L: how many words of
    *girls near old kings found gold today* there are. given: what the layer gets. "self": these words, without a mask.
    "causal": with a causal mask. "prompt": with one, and the first two of them as padding. "new": the last of them alone, after
    a prompt of the others, whose keys and values are in a cache. "other": these words as queries, and the keys and values of
    another sentence. "train": these words, in training mode with dropout. "grouped": these words, to a layer with random weights
    in which 4 heads share the keys and values of 2. "half": these words in float16 with a causal mask, to a layer with random
    weights and large scores. line: "wrong": it is said which line is wrong, and its numbers are beside those of the right one;
    "unknown": its numbers alone are, and the code in which it stands. probe: the one whose evidence is shown; None, the first
    that finds the bug.

    After any change `lab.right_weights` (H, L, S) and `lab.right_y` (L, E) are what the right lines compute, `lab.weights` and
    `lab.y` what the wrong one makes of it. If it raises an error, they are None, `lab.message` is the error, and `lab.runs_at` are
    the numbers of words with which it runs. `lab.shapes` are their shapes, `lab.moved` says how many of their numbers are not those
    of the right lines, None where the shape is another; `lab.sums` whether every row of weights still sums to what it did.
    `lab.elsewhere` says for everything that can be given whether the bug "shows", is "hidden" or "stops" there.

    Raises traitlets.TraitError for an invalid setting.
    """

    QUESTION = "One line is wrong. What shows it?"
    CHIPS: ClassVar[tuple[Chip, ...]] = (
        ("weights break a rule", {"bug": "later keys visible", "given": "causal", "L": _ALL}),
        ("every weight is right", {"bug": "merge without the transpose", "given": "self", "L": _ALL}),
        ("a prompt hides it", _TOP_LEFT | {"given": "causal"}),
        ("the next word shows it", _TOP_LEFT | {"given": "new"}),
    )
    PARTS = ("lines", "probes")
    CONTROLS = ("bug", "given", "L")
    STATE = ("bug", "given", "L")
    VIEW = ("line", "probe")
    CONSTANTS = ("_words", "_context", "_lines", "_code", "_bugs", "_probes", "_evidence", "_found")
    LIMITS: ClassVar[Limits] = {"L": (2, _ALL)}
    PAGE_LIMITS = LIMITS

    bug = traitlets.Enum(("none", *SHOWN), "later keys visible").tag(sync=True)
    given = traitlets.Enum(tuple(GIVEN), "causal").tag(sync=True)
    L = Size(_ALL).tag(sync=True)
    line = traitlets.Enum(("unknown", "wrong"), "unknown").tag(sync=True)
    probe = traitlets.Enum(tuple(PROBES), None, allow_none=True).tag(sync=True)
    _words: traitlets.List[str] = traitlets.List(default_value=language.EXAMPLES[0].split()).tag(sync=True)
    _context: traitlets.List[str] = traitlets.List(default_value=list(CONTEXT)).tag(sync=True)
    _lines: traitlets.List[Any] = traitlets.List().tag(sync=True)  # the step and the text of each line that can go wrong
    _code: traitlets.List[int] = traitlets.List().tag(sync=True)  # which of them are in sight with every bug
    _bugs: traitlets.List[Any] = traitlets.List().tag(sync=True)  # for each bug its line, from where to where, and what is wrong
    _probes: traitlets.List[str] = traitlets.List().tag(sync=True)
    _evidence: traitlets.List[str] = traitlets.List().tag(sync=True)  # each sentence once, with # for numbers that vary
    _found: traitlets.List[Any] = traitlets.List().tag(sync=True)  # for each bug the probes that find it: probe, sentence, numbers

    def compute(self) -> Mapping[str, Any]:
        right, wrong = (outcome(bug, self.given, self.L) for bug in ("none", self.bug))
        elsewhere = {given: self._told(given, self.L) for given in GIVEN}
        runs = [L for L in range(2, _ALL + 1) if wrong.message and self._told(self.given, L) != "stops"]
        return {
            "right_weights": _here(right.weights),
            "right_y": _here(right.y),
            "weights": _here(wrong.weights),
            "y": _here(wrong.y),
            "shapes": {"weights": wrong.shape("weights"), "y": wrong.shape("y")},
            "moved": {"weights": wrong.moved(right, "weights"), "y": wrong.moved(right, "y")},
            "sums": wrong.keeps_sums(right),
            "message": wrong.message,
            "runs_at": runs,
            "elsewhere": elsewhere,
        }

    def _told(self, given: str, L: int) -> str:
        right, wrong = (outcome(bug, given, L) for bug in ("none", self.bug))
        return "stops" if wrong.message else "hidden" if wrong.moved(right, "weights") == wrong.moved(right, "y") == 0 else "shows"

    def fallback(self) -> str:
        if self.bug == "none":
            return f"<p>The right lines: weights {as_shape(self.right_weights.shape)}, y {as_shape(self.right_y.shape)}.</p>"
        before, right, wrong, after = line_of(self.bug)
        said = {"shows": "changes numbers", "hidden": "changes nothing", "stops": "stops with an error"}
        rows = [[GIVEN[given], said[what]] for given, what in self.elsewhere.items()]
        found = _found()[self.bug]
        return (
            f"<p>{self.bug.capitalize()}: <code>{before}{wrong}{after}</code> in the place of <code>{before}{right}{after}</code>, "
            f"with {self.L} words.</p>{table(['given', 'the wrong line of code'], rows).html()}"
            f"<p>{len(found)} of {len(PROBES)} tests of this book notice it: {', '.join(found)}.</p>"
        )

    @traitlets.default("_lines")
    def _default_lines(self) -> list[tuple[str, str]]:
        lines = ((bug.step, "".join(line_of(name)[n] for n in (0, 1, 3))) for name, bug in SHOWN.items())
        return sorted(dict.fromkeys(lines), key=lambda line: _run(line[1]))

    @traitlets.default("_code")
    def _default_code(self) -> list[int]:
        return [*{text: n for n, (_, text) in enumerate(self._lines) if _RUN[_run(text)][0] == "*"}.values()]

    @traitlets.default("_bugs")
    def _default_bugs(self) -> list[list[Any]]:
        told = []
        for name, bug in SHOWN.items():
            before, right, wrong, after = line_of(name)
            start = len(before)
            told.append([self._lines.index((bug.step, before + right + after)), start, start + len(right), wrong])
        return told

    @traitlets.default("_probes")
    def _default_probes(self) -> list[str]:
        return list(PROBES)

    @traitlets.default("_evidence")
    def _default_evidence(self) -> list[str]:
        return list(dict.fromkeys(said for said, _ in _told_once().values()))

    @traitlets.default("_found")
    def _default_found(self) -> list[list[list[Any]]]:
        told, probes = _told_once(), [*PROBES]
        entry = lambda probe, said: [probes.index(probe), self._evidence.index(told[said][0]), *told[said][1]]  # noqa: E731
        return [[entry(*one) for one in found.items()] for found in _found().values()]


@functools.cache
def _told_once() -> dict[str, tuple[str, list[str]]]:
    """For each sentence of the probes: its words, with # for each number in which it differs from others, and these numbers."""
    alike: dict[str, list[str]] = {}
    for said in dict.fromkeys(said for found in _found().values() for said in found.values()):
        alike.setdefault(_NUMBER.sub("#", said), []).append(said)
    told = {}
    for sentences in alike.values():
        numbers = [_NUMBER.findall(said) for said in sentences]
        varies = [len(set(column)) > 1 for column in zip(*numbers, strict=True)]
        for said, own in zip(sentences, numbers, strict=True):
            between = _NUMBER.split(said)
            marks = ["#" if is_other else number for number, is_other in zip(own, varies, strict=True)]
            told[said] = (
                "".join(text + mark for text, mark in zip(between, [*marks, ""], strict=True)),
                [number for number, is_other in zip(own, varies, strict=True) if is_other],
            )
    return told


def _run(text: str) -> int:
    """When a line runs."""
    return next(n for n, start in enumerate(_RUN) if text.startswith(start.removeprefix("*")))


def _here(tensor: Tensor | None) -> Tensor | None:
    return None if tensor is None else tensor.to(device())
