"""CodeLab: the reader's own PyTorch, and what each line of it makes."""

from collections.abc import Mapping
from html import escape
from typing import Any, ClassVar

import traitlets

from attn.labs.code.examples import EXAMPLES
from attn.labs.code.run import ALIASES, analyse
from attn.labs.lab import Lab
from attn.labs.stage import Chip
from attn.lessons.errors import METHODS
from attn.trace.letters import MERGED
from attn.trace.table import table

__all__ = ["CodeLab"]


class CodeLab(Lab):
    """Runs a program and shows, beside each line, the tensors that it makes: axis letters, strides, view or copy. An error stands
    at its line, with what it means and the likely fix.

    code: the program. On a page an interpreter in the browser runs it, with PyTorch's numbers for the same seed; what it does not
    have, it names. In Jupyter the program runs for real, in the kernel, with all that it does to files; it ends after 20 seconds.

    After any change `lab.lines` has, for each line that made something, its tensors, values and what it printed; `lab.failure` is
    the error or None; `lab.variables` are the program's variables, in Jupyter only. Names such as B, L, n_head or head_dim say what
    the axis letters count: `lab.sizes`.
    """

    QUESTION = "What does each line make?"
    CHIPS: ClassVar[tuple[Chip, ...]] = tuple((name, {"code": code}) for name, code in EXAMPLES.items())
    STATE = ("code",)
    CONSTANTS = ("_words",)

    code = traitlets.Unicode(next(iter(EXAMPLES.values()))).tag(sync=True)
    _words = traitlets.Dict().tag(sync=True)

    def compute(self) -> Mapping[str, Any]:
        results, variables = analyse(self.code)
        return results | {"variables": variables}

    def send(self, results: Mapping[str, Any]) -> list[str]:
        return [name for name in results if name != "variables"]

    def fallback(self) -> str:
        made = [
            (str(line["line"]), row["name"], "(" + ", ".join(row["axes"]) + ")", row["memory"])
            for line in self.lines
            for row in line["rows"]
        ]
        return f"<pre>{escape(self.code)}</pre>{table(('line', 'tensor', 'shape', 'memory'), made).html()}"

    @traitlets.default("_words")
    def _default_words(self) -> dict[str, Any]:
        return {"merged": list(MERGED), "methods": list(METHODS), "aliases": ALIASES}
