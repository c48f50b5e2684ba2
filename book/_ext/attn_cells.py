"""Sphinx extension: the text can link to a labelled cell: `:label: norms` in the cell, `[shown here](#norms)` in the text."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform


class CellLabels(SphinxTransform):
    """Give each labelled cell its label as a target, before links are resolved."""

    default_priority = 200

    def apply(self, **kwargs: Any) -> None:
        for cell in self.document.findall(nodes.container):
            label = cell.get("cell_metadata", {}).get("label")
            if label:
                cell["names"].append(label)
                self.document.note_explicit_target(cell, cell)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform."""
    app.add_transform(CellLabels)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
