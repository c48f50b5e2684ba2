"""Sphinx extension: ```{reading-list}``` lists the chapters with their minutes; ```{find-error}``` is a field for an error message.

The minutes are those that each chapter shows under its title, and the sums are sums of these. The message goes to the search.
"""

from collections.abc import Iterable
from typing import Any

from attn_fold import kept_minutes
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

FORM = """<form class="find-error" action="{address}" role="search" aria-label="error messages">
<label for="find-error">Paste the message, with its numbers as they are:</label>
<textarea id="find-error" name="q" rows="2" required spellcheck="false"></textarea>
<button type="submit">find it</button>
</form>"""


class FindError(SphinxDirective):
    """A field that hands a message to the search. It is a plain form, so that it also works on a page from disk."""

    def run(self) -> list[nodes.Node]:
        """The form; other formats than HTML leave it out."""
        return [nodes.raw("", FORM.format(address=relative_uri(f"{self.env.docname}.html", "search.html")), format="html")]


class ReadingList(SphinxDirective):
    """All chapters in their order, below the names of their parts."""

    def run(self) -> list[nodes.Node]:
        """A place that is filled when the minutes of all chapters are known."""
        self.env.metadata[self.env.docname]["reading-list"] = ""
        return [reading_list()]


class reading_list(nodes.General, nodes.Element):
    """Where the list will be."""


def parts_of(env: BuildEnvironment) -> list[tuple[str, list[str]]]:
    """The parts of the book that have chapters: their names and their pages."""
    trees = env.external_site_map.root.subtrees  # type: ignore[attr-defined]
    parts = [(str(tree.caption), [page for page in tree.files() if page.startswith("chapters/")]) for tree in trees]
    return [(caption, pages) for caption, pages in parts if pages]


def fill_lists(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the list into its place, in the pages that have one."""
    for place in list(doctree.findall(reading_list)):
        place.replace_self(list_of_chapters(app, page))


def list_of_chapters(app: Sphinx, page: str) -> list[nodes.Node]:
    """What the chapters take in all, and for each part its chapters with their minutes."""
    parts, minutes = parts_of(app.env), kept_minutes(app.env)

    def summed(pages: Iterable[str]) -> tuple[int, int]:
        of = [minutes[one] for one in pages]
        return sum(one["core"] for one in of), sum(one["turn"] for one in of)

    chapters = [one for _, pages in parts for one in pages]
    early = summed(one for _, pages in parts[:-1] for one in pages)
    first, last = (parts[n][0].partition(" ")[0] for n in (0, -2))
    told = f"Parts {first} to {last} take {time(early[0])}, or {time(sum(early))} with the exercises of "
    all_of = summed(chapters)
    rest = f"; all {len(chapters)} chapters take {time(all_of[0])}, or {time(sum(all_of))} with theirs."
    made: list[nodes.Node] = [nodes.paragraph("", "", nodes.Text(told), nodes.emphasis("", "Your turn"), nodes.Text(rest))]
    for caption, pages in parts:
        core, turn = summed(pages)
        made.append(nodes.paragraph("", "", nodes.strong("", caption), nodes.Text(f" · {time(core)}, exercises {time(turn)}")))
        items = nodes.enumerated_list(enumtype="arabic", start=1 + chapters.index(pages[0]), classes=["reading-list"])
        for one in pages:
            link = nodes.reference("", "", *app.env.titles[one].deepcopy().children, internal=True)
            link["refuri"] = app.builder.get_relative_uri(page, one)
            of = nodes.Text(f" · {minutes[one]['core']} min, exercise {minutes[one]['turn']} min")
            items += nodes.list_item("", nodes.paragraph("", "", link, of))
        made.append(items)
    return made


def time(minutes: int) -> str:
    """Minutes, as hours and minutes from one hour on."""
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest:02} min" if hours else f"{rest} min"


def lists_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages with a list, if the minutes of a chapter are others than at the build before."""
    minutes = dict(kept_minutes(env))
    before, env.attn_minutes_told = getattr(env, "attn_minutes_told", None), minutes  # type: ignore[attr-defined]
    return [page for page, about in env.metadata.items() if "reading-list" in about] if before != minutes else []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register both directives."""
    app.add_directive("find-error", FindError)
    app.add_directive("reading-list", ReadingList)
    app.add_node(reading_list)
    app.connect("doctree-resolved", fill_lists)
    app.connect("env-updated", lists_to_write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
