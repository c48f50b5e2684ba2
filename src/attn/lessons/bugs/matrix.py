"""Every probe against every bug, as a table for a page, a phone and paper."""

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from attn.lessons.bugs.lines import BUGS, Bug, planted
from attn.lessons.bugs.probes import PROBES, RAISED, equal_sizes, equal_sums, keeps_shapes, run_probe, runs
from attn.trace.table import Table, table

__all__ = ["Matrix", "Row", "examined", "probe_all"]


@dataclass(frozen=True)
class Row:
    """What the probes say about one bug.

    evidence: by probe, what it found; a probe that found nothing is missing. stops: the code raises an error as soon as sizes
    differ, so no other probe was run. shape: "always", "if sizes are equal" or "never": when the shapes stay right. sums: whether
    the rows still sum to 1, where the code runs.
    """

    bug: Bug
    evidence: Mapping[str, str]
    stops: bool
    shape: str
    sums: bool


def examined(bug: Bug) -> Row:
    """Plant a bug and run every probe."""
    code = planted(bug)
    stops = bool(run_probe(runs, code))
    names = ["unequal sizes"] if stops else PROBES
    evidence = {name: said for name in names if (said := run_probe(name, code))}
    shape = "never" if run_probe(equal_sizes, code) else "if sizes are equal" if run_probe(keeps_shapes, code) else "always"
    return Row(bug, evidence, stops, shape, not run_probe(equal_sums if stops else PROBES["row sums"], code))


def probe_all(bugs: Sequence[Bug] = BUGS, chapters: Mapping[int, str] | None = None) -> "Matrix":
    """Run every probe against every bug, in about half a minute. chapters: by number, the address of each chapter."""
    return Matrix(tuple(map(examined, bugs)), chapters)


@dataclass(frozen=True, repr=False)
class Matrix:
    """What the probes find, bug by bug. The names of chapters are links if their addresses are known."""

    rows: tuple[Row, ...]
    chapters: Mapping[int, str] | None = None

    def first_probes(self, count: int = 3) -> Table:
        """The probes that find most together, each after those to which it adds most."""
        best = max(combinations(PROBES, count), key=lambda names: len(self._found_by(names)))
        lines: list[list[object]] = [
            ["for comparison: the shape of y, all sizes 4", sum(row.shape == "never" for row in self.rows), ""]
        ]
        chosen: list[str] = []
        while len(chosen) < count:
            chosen.append(max(set(best) - set(chosen), key=lambda name: (len(self._found_by([*chosen, name])), name)))
            lines.append([chosen[-1], len(self._found_by(chosen[-1:])), len(self._found_by(chosen))])
        lines.append(["all", "", len(self._found_by(PROBES))])
        return table(["probe", f"finds, of {len(self.rows)} bugs", "with those above it"], lines)

    def _found_by(self, names: Iterable[str]) -> list[Row]:
        return [row for row in self.rows if row.evidence.keys() & set(names)]

    def __repr__(self) -> str:
        marks = {row.bug.name: "".join(self._mark(row, name) or "·" for name in PROBES) for row in self.rows}
        return "\n".join([", ".join(PROBES), *(f"{name:40} {line}" for name, line in marks.items())])

    def _repr_html_(self) -> str:
        names = ["chapter", "shape stays", "sums stay", *PROBES]
        heads = "".join(f'<th scope="col" class="probe"><span>{html.escape(name)}</span></th>' for name in names)
        head = f'<thead><tr><th scope="col">wrong line</th>{heads}</tr></thead>'
        body, step, right = "", "", ""
        for row in self.rows:
            if row.bug.step != step:
                body += f"{'</tbody>' if body else ''}<tbody>{self._title('step', row.bug.step)}"
            several = sum((one.bug.step, one.bug.right) == (row.bug.step, row.bug.right) for one in self.rows) > 1
            if several and (row.bug.step, row.bug.right) != (step, right):
                body += self._title("right", f"<code>{html.escape(row.bug.right)}</code>")
            step, right = row.bug.step, row.bug.right
            body += self._line(row, "" if several else f'<code class="right">{html.escape(right)}</code> ')
        return f'<div class="bug-matrix"><table>{head}{body}</tbody></table></div>'

    def _title(self, kind: str, text: str) -> str:
        return f'<tr class="{kind}"><th colspan="{len(PROBES) + 4}" scope="rowgroup">{text}</th></tr>'

    def _line(self, row: Row, before: str) -> str:
        bug, shape = row.bug, {"always": "✓", "if sizes are equal": "=", "never": "–"}[row.shape]
        number = str(bug.chapter)
        if self.chapters:
            number = f'<a href="{html.escape(self.chapters[bug.chapter])}">{number}</a>'
        cells = [
            f'<th scope="row">{before}<code>{html.escape(bug.wrong)}</code> <span>{html.escape(bug.name)}</span></th>',
            f'<td class="chapter">{number}</td>',
            f'<td class="stays" data-what="shape stays {row.shape}">{shape}</td>',
            f'<td class="stays" data-what="row sums {"stay" if row.sums else "change"}">{"✓" if row.sums else "–"}</td>',
        ]
        for name in PROBES:
            if row.stops and name != "unequal sizes":
                cells.append(f'<td class="stops" colspan="{len(PROBES) - 1}">stops with an error when sizes differ</td>')
                break
            said = html.escape(row.evidence.get(name, ""))
            hit = f' class="hit" data-what="{html.escape(name)}" title="{said}"' if said else ""
            cells.append(f"<td{hit}>{self._mark(row, name)}</td>")
        return f"<tr>{''.join(cells)}</tr>"

    @staticmethod
    def _mark(row: Row, name: str) -> str:
        said = row.evidence.get(name, "")
        return "○" if said.startswith(RAISED) else "●" if said else ""
