"""Sphinx extension: the ways from a page to code that runs: the chapter's notebook, Binder, Colab, and a copy of the project.

`attn_repository` in _config.yml is the address of the repository, and the only place where it is written. With it, chapters get the
buttons that launch them, their notebooks install the package, {project}`words` link to the repository, and pages have what is
inside ```{only} published```. Without it no page names another host, and {project}`words` lead to the section on running it.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import notebook_file
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxRole

BINDER = "https://mybinder.org/v2/gh"
COLAB = "https://colab.research.google.com/github"
LOGOS = {"Binder": "_static/images/logo_binder.svg", "Colab": "_static/images/logo_colab.png"}  # files of the theme
HERE = "run-it-yourself"  # the label of the section on the ways to run the book
_ADDRESS = re.compile(r"https://github\.com/[\w-]+/[\w.-]*[\w-]")


class ProjectRole(SphinxRole):
    """A link to the project: its repository, or what to do without one."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        if repository := self.config.attn_repository:
            return [nodes.reference("", self.text, refuri=repository)], []
        options = {"refdomain": "std", "reftype": "ref", "reftarget": HERE, "refdoc": self.env.docname}
        link = addnodes.pending_xref("", nodes.inline("", self.text), refexplicit=True, refwarn=True, **options)
        return [link], []


def check_address(app: Sphinx, config: Config) -> None:
    """Refuse an address from which the buttons cannot be made. Where there is one, the book is `published`."""
    address = config.attn_repository
    if address and not _ADDRESS.fullmatch(address):
        raise ExtensionError(f"attn_repository is {address!r}: it must be empty, or like https://github.com/OWNER/NAME.")
    if address:
        app.tags.add("published")


def chapters(app: Sphinx) -> Iterable[str]:
    """The pages that readers can work with as notebooks."""
    return [page for page in sorted(app.env.found_docs) if page.startswith("chapters/")]


def offer_notebook(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Put a chapter's .ipynb into its download menu (the theme recognises a notebook by `ipynb_source`)."""
    if page in chapters(app):
        context["ipynb_source"] = f"{page}.ipynb"


def explain_download(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Say at the button what to do where a browser shows a notebook of a page from disk instead of saving it."""
    groups = context.get("header_buttons", [])
    for button in (one for group in groups for one in group.get("buttons", [])):
        if str(button.get("url", "")).endswith(".ipynb"):
            button["tooltip"] = "Download this chapter as a notebook (if a tab shows it, save that with Ctrl+S)"


def offer_launch(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Give a chapter of a published book its buttons for Binder and Colab."""
    if not app.config.attn_repository or page not in chapters(app) or "header_buttons" not in context:
        return
    buttons = [
        {"type": "link", "text": name, "tooltip": f"Run this chapter on {name}", "icon": LOGOS[name], "url": url}
        for name, url in launch(app.config.attn_repository, page).items()
    ]
    group = {"type": "group", "tooltip": "Run this chapter", "icon": "fas fa-rocket", "label": "launch-buttons", "buttons": buttons}
    context["header_buttons"].insert(0, group)


def launch(repository: str, page: str) -> dict[str, str]:
    """Where a chapter runs on other computers. Binder opens it in JupyterLab as binder/ has set that up, Colab as .ipynb."""
    project = repository.removeprefix("https://github.com/")
    notebook = f"{page.removeprefix('chapters/')}.ipynb"
    return {
        "Binder": f"{BINDER}/{project}/HEAD?urlpath=lab/tree/{page}.md",
        "Colab": f"{COLAB}/{project}/blob/{notebook_file.BRANCH}/{notebook}",
    }


def write_notebooks(app: Sphinx, error: Exception | None) -> None:
    """Write the notebooks that the pages offer for download."""
    if error or app.builder.format != "html":
        return
    for page in chapters(app):
        target = Path(app.outdir, "_sources", f"{page}.ipynb")
        notebook_file.write(Path(app.env.doc2path(page)), target, app.config.attn_repository, app.config.html_baseurl)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above. The theme makes its buttons at 501, from what it finds then."""
    app.add_config_value("attn_repository", "", "env", types=[str])
    app.add_role("project", ProjectRole())
    app.connect("config-inited", check_address)
    app.connect("html-page-context", offer_notebook)
    app.connect("html-page-context", explain_download, priority=502)
    app.connect("html-page-context", offer_launch, priority=503)
    app.connect("build-finished", write_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
