"""CodeLab: the reader's own PyTorch, and what each line of it makes."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, ClassVar

import traitlets

from attn.check import Verdict
from attn.labs.code.compare import compare
from attn.labs.code.examples import EXAMPLES
from attn.labs.code.run import NAMES, analyse
from attn.labs.code.verdict import read_task, verdict_of
from attn.labs.lab import Lab
from attn.labs.stage import Chip
from attn.lessons.errors import METHODS
from attn.trace.letters import MERGED
from attn.trace.table import table

__all__ = ["CodeLab"]

_KEPT = ("variables", "tensors")  # in the kernel: the front end does not draw them
_FIRST = ("one head", "a layer", "heads, mixed", "an error, explained")


class CodeLab(Lab):
    """Runs a program and shows, beside each line, the tensors that it makes: axis letters, strides, view or copy. An error stands
    at its line, with what it means and the likely fix.

    code: the program. On a page an interpreter in the browser runs it, with PyTorch's numbers for the same seed; what it does not
    have, it names. In Jupyter the program runs for real, in the kernel, with all that it does to files; it ends after 20 seconds.
    check: a checker of `attn.check` that reads along, such as "scores", or "scores(mine)" for a function of another name.
    compare: whether a second version, `other`, stands beside it.

    After any change `lab.lines` has, for each line that made something, its tensors, values and what it printed; `lab.failure`
    is the error or None. In Jupyter `lab.variables` are the program's variables, and `lab.tensors` the tensors of its lines by
    their id. Names such as B, L, n_head or head_dim say what the axis letters count: `lab.sizes`. `lab.comparison["first"]` is the
    first tensor in which the two versions differ, or None; `lab.second` are the results of the second one.
    """

    QUESTION = "What does each line make?"
    CHIPS: ClassVar[tuple[Chip, ...]] = tuple((name, {"code": EXAMPLES[name], "compare": False}) for name in _FIRST)
    CONTROLS = ("sizes", "compare")
    TASK = "What must change?"  # the question if a checker reads along
    STATE = ("code", "compare", "other", "check")
    CONSTANTS = ("_words",)

    code = traitlets.Unicode(EXAMPLES[_FIRST[0]]).tag(sync=True)
    compare = traitlets.Bool(False).tag(sync=True)
    other = traitlets.Unicode("").tag(sync=True)
    check = traitlets.Unicode("").tag(sync=True)
    _words = traitlets.Dict().tag(sync=True)

    def __init__(
        self, *, question: str | None = None, chips: Sequence[Chip] | None = None, check: str = "", **settings: Any
    ) -> None:
        if check:
            question = self.TASK if question is None else question
            chips = () if chips is None else chips
        super().__init__(question=question, chips=chips, check=check, **settings)

    @traitlets.validate("check")
    def _is_a_check(self, proposal: Any) -> str:
        check: str = proposal["value"]
        if check:
            read_task(check)
        return check

    def compute(self) -> Mapping[str, Any]:
        own, variables = analyse(self.code)
        another = analyse(self.other)[0] if self.compare else None
        is_checked = self.check and not own["failure"]
        return {
            **own,
            "verdict": None,
            **(verdict_of(self.check, self.code, variables) if is_checked else {}),
            "variables": variables,
            "second": another and {name: another[name] for name in another if name not in _KEPT},
            "comparison": another and compare(own, another),
        }

    def send(self, results: Mapping[str, Any]) -> list[str]:
        return [name for name in results if name not in _KEPT]

    def fallback(self) -> str:
        if self.check:
            return f"<pre>{escape(self.code)}</pre>{self._said()}"
        made = [
            (str(line["line"]), row["name"], "(" + ", ".join(row["axes"]) + ")", row["memory"])
            for line in self.lines
            for row in line["rows"]
        ]
        return f"<pre>{escape(self.code)}</pre>{table(('line', 'tensor', 'shape', 'memory'), made).html()}"

    def _said(self) -> str:
        """The verdict, for a page without JavaScript: the reason for "not yet", which may name the bug, is folded."""
        if not self.verdict:
            return ""
        if self.verdict["passed"]:
            return Verdict(True, self.verdict["message"])._repr_html_()
        return f"<details><summary>✗ Not yet.</summary>{escape(self.verdict['message'])}</details>"

    @traitlets.default("_words")
    def _default_words(self) -> dict[str, Any]:
        return {"merged": list(MERGED), "methods": list(METHODS), "aliases": NAMES}
