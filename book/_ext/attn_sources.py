"""Sphinx extension: ```{corrections}``` collects what the chapters say about the claims of the sources.

Each chapter has a table of claims and verdicts, in ../claims or in a section of its own. A verdict that begins with "Right"
confirms its claim; every other verdict corrects it. The directive counts the former and lists the latter.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

CLAIMS = Path(__file__).parents[1] / "claims"
SECTION = "What the sources say"
SOURCES = ("chat answer, axes", "lecture", "notes", "Q&A on Kᵀ", "chat answers, formula")
SAME = "the same"  # as in the row above


class Claim(NamedTuple):
    """A row of a chapter's table, in Markdown. The sources are in brackets at the end of the claim: (lecture; notes)."""

    text: str
    sources: tuple[str, ...]  # empty if the row names none
    verdict: str

    @property
    def right(self) -> bool:
        """Whether the verdict confirms the claim."""
        return self.verdict.startswith("Right")


def table_of(chapter: Path) -> Path:
    """The file with the claims of a chapter, if they are not in the chapter itself."""
    return CLAIMS / chapter.name


def claims(chapter: Path) -> Iterator[Claim]:
    """The claims of a chapter."""
    text = chapter.read_text("utf-8")
    section = re.search(rf"^## {SECTION}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    table = section[1] if section else table_of(chapter).read_text("utf-8") if table_of(chapter).exists() else ""
    table = re.sub(r"\]\((?=\d\d-[\w-]+\.md)", "](../chapters/", table)  # a link as chapters write it
    rows = re.findall(r"^\|(.*)\|[ \t]*$", table, re.M)
    sources: tuple[str, ...] = ()
    for row in rows[2:]:  # after the header and the rule below it
        claim, verdict = (cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", row))
        text, _, names = claim.rstrip(")").rpartition("(")
        named = tuple(names.split("; "))
        if named != (SAME,):
            sources = named if set(named) <= set(SOURCES) else ()
        yield Claim(text.strip() if sources else claim, sources, verdict)


def count(of: Iterable[Claim]) -> tuple[int, int]:
    """How many claims there are, and how many of them are right."""
    all_of = list(of)
    return len(all_of), sum(claim.right for claim in all_of)


class Corrections(SphinxDirective):
    """The totals for each source, then a section for each chapter with the claims that it corrects."""

    def run(self) -> list[nodes.Node]:
        """Read the chapters; the page is read again when one of them is changed, added or removed."""
        self.env.note_dependency(self.env.config.external_toc_path)
        pages = {page: Path(self.env.doc2path(page)) for page in sorted(self.env.found_docs) if page.startswith("chapters/")}
        for path in pages.values():
            self.env.note_dependency(str(path))
            self.env.note_dependency(str(table_of(path)))
        chapters = {page: path.read_text("utf-8") for page, path in pages.items()}
        found = {page: of for page, path in pages.items() if (of := list(claims(path)))}
        return [
            *self.balance([claim for of in found.values() for claim in of]),
            *(self.section(page, chapters[page], of) for page, of in found.items()),
        ]

    def balance(self, everything: list[Claim]) -> list[nodes.Node]:
        """How many claims of each source were right, in a sentence and a table."""
        total, right = count(everything)
        several = any(len(claim.sources) > 1 for claim in everything)
        shared = " A claim of several sources counts for each of them, and once in the total." if several else ""
        lines = [
            f"Of the {total} claims that the chapters name, {right} are right as they stand.{shared}\n",
            "| source | claims | right | corrected |\n|---|---:|---:|---:|",
        ]
        for source in SOURCES:
            of, good = count(claim for claim in everything if source in claim.sources)
            lines.append(f"| {source} | {of} | {good} | {of - good} |")
        lines.append(f"| **all** | **{total}** | **{right}** | **{total - right}** |")
        return self.parse_text_to_nodes("\n".join(lines))

    def section(self, page: str, chapter: str, of: list[Claim]) -> nodes.section:
        """A chapter's corrections: the claim, and below it what is right."""
        number = int(re.findall(r"\d+", page)[0])
        title = re.findall(r"^# (.+)$", chapter, re.M)[0]
        section = nodes.section(ids=[f"chapter-{number}"], names=[])
        section += nodes.title("", "", nodes.Text(f"{number}. "), *self.inline(title))
        wrong, right = ([claim for claim in of if claim.right is which] for which in (False, True))
        outcome = f"corrects {len(wrong)}" if wrong else "corrects none"
        section += self.parse_text_to_nodes(f"{{doc}}`Chapter {number} </{page}>` names {len(of)} claims and {outcome}.")
        if wrong:
            section += nodes.definition_list("", *map(self.item, wrong), classes=["corrections"])
        if right:
            section += nodes.raw("", '<details class="found"><summary>Right as they stand</summary>', format="html")
            section += nodes.definition_list("", *map(self.item, right), classes=["confirmed"])
            section += nodes.raw("", "</details>", format="html")
        for link in section.findall(addnodes.pending_xref):  # relative to the chapter that it is in
            if link["reftype"] == "doc" and not link["reftarget"].startswith("/"):
                link["reftarget"] = f"/{Path(page).parent.as_posix()}/{link['reftarget']}"
        return section

    def item(self, claim: Claim) -> nodes.definition_list_item:
        """A claim with its source, and what is right instead."""
        source = nodes.inline("", "; ".join(claim.sources), classes=["source"])
        term = nodes.term("", "", *self.inline(claim.text), nodes.Text(" "), source)
        return nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph("", "", *self.inline(claim.verdict))))

    def inline(self, text: str) -> list[nodes.Node]:
        """Markdown within a line, as nodes."""
        return self.state.inline_text(text, self.lineno)[0]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("corrections", Corrections)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
