"""Sphinx extension: formulas as MathML, which a browser draws without a script. With scripts, MathJax draws them in its fonts."""

import importlib.util
import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

_FOLDER = "mathjax"
_SCRIPT = "mml-chtml.js"
_FONTS = "output/chtml/fonts/woff-v2"


def write_mathml(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Replace the LaTeX of every formula by MathML."""
    if app.builder.format != "html":
        return
    for formula in list(doctree.findall(lambda node: isinstance(node, nodes.math | nodes.math_block))):
        kind, display = ("div", "block") if isinstance(formula, nodes.math_block) else ("span", "inline")
        mathml = mathml_of(formula.astext(), display, page)
        formula.replace_self(nodes.raw("", f'<{kind} class="math">{mathml}</{kind}>', format="html"))


def mathml_of(latex: str, display: str, page: str) -> str:
    """A formula in MathML, without what HTML takes for granted: the usual attributes of brackets, and rows of one element.

    Raises:
        ExtensionError: latex2mathml would write it wrong: it does not know a command, or the rows and columns of an environment.
    """
    try:
        written = convert(latex, display=display).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
        root = ElementTree.fromstring(written)  # a column's & is left as it is, and is not XML
    except Exception as error:  # the library's errors have no class of their own
        raise ExtensionError(f"{page}: latex2mathml cannot convert {latex!r}. Write the formula otherwise.") from error
    if unknown := re.findall(r"\\+\w*|linebreak", written):
        raise ExtensionError(f"{page}: latex2mathml does not know {', '.join(unknown)} in {latex!r}. Write the formula otherwise.")
    for element in root.iter():
        for n, child in enumerate(element):
            while child.tag == "mrow" and len(child) == 1:
                (child,) = child
            element[n] = child
    text = ElementTree.tostring(root, encoding="unicode")
    return re.sub(r' (?:display="inline"|stretchy="true"|fence="true"|form="\w+")', "", text)


def copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    """Copy what a page with formulas loads: 2 MB of the 25 MB that the extension sphinx-mathjax-offline would copy."""
    if error or app.builder.format != "html":
        return
    package = importlib.util.find_spec("sphinx-mathjax-offline")
    if package is None or package.origin is None:
        raise ExtensionError("sphinx-mathjax-offline is not installed; requirements.txt lists it.")
    source = Path(package.origin).parent / "static" / "mathjax"
    target = Path(app.outdir, "_static", _FOLDER)
    shutil.copytree(source / _FONTS, target / _FONTS, dirs_exist_ok=True)
    shutil.copy(source / _SCRIPT, target / _SCRIPT)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above. sphinx.ext.mathjax adds the script to the pages that have formulas."""
    app.config.mathjax_path = f"{_FOLDER}/{_SCRIPT}"
    app.connect("doctree-resolved", write_mathml)
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
