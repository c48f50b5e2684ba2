"""What every checker returns."""

import html
from dataclasses import dataclass

__all__ = ["Verdict"]


@dataclass(frozen=True)
class Verdict:
    """The result of a check. It is true if the answer passed; `message` explains the result."""

    passed: bool
    message: str

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"{'✓ Passed.' if self.passed else '✗ Not yet.'} {self.message}"

    def _repr_html_(self) -> str:
        mark, kind = ("✓ Passed.", "pass") if self.passed else ("✗ Not yet.", "fail")
        return f'<p class="attn-verdict {kind}"><strong>{mark}</strong> {html.escape(self.message)}</p>'
