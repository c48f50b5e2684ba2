"""Sphinx extension: formulas as MathML, which a browser draws without a script, in a font that the book brings along.

The font is a part of STIX Two Math: letters, arrows, operators, and the table that tells a browser how to place the parts of a
formula. fonttools has made it, from the file that Fontsource publishes as @fontsource/stix-two-math:

    pyftsubset stix-two-math-latin-400-normal.woff --flavor=woff --layout-features=ssty --output-file=stix-two-math.woff
        --unicodes=U+20-7E,U+A0-FF,U+391-3D6,U+2000-206F,U+2102-214F,U+2190-2194,U+2200-22FF,U+2308-230B,U+27E8,U+27E9,
        U+1D400-1D467,U+1D5A0-1D5D3,U+1D6E2-1D71B
"""

import functools
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from fontTools.ttLib import TTFont
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.writers.html5 import HTML5Translator

FONT = Path(__file__).parents[1] / "_static" / "fonts" / "stix-two-math.woff"


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula inside a sentence."""
    translator.body.append(f'<span class="math">{mathml_of(node.astext(), "inline", translator.builder.current_docname)}</span>')
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own."""
    translator.body.append(f'<div class="math">{mathml_of(node.astext(), "block", translator.builder.current_docname)}</div>')
    raise nodes.SkipNode


def mathml_of(latex: str, display: str, page: str) -> str:
    """A formula in MathML, without what HTML takes for granted: the usual attributes of brackets, and rows of one element.

    Raises:
        ExtensionError: latex2mathml would write it wrong, as it does not know a command, or the rows and columns of an environment;
            or the font lacks a letter.
    """
    try:
        written = convert(latex, display=display).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
        root = ElementTree.fromstring(written)  # a column's & is left as it is, and is not XML
    except Exception as error:  # the library's errors have no class of their own
        raise ExtensionError(f"{page}: latex2mathml cannot convert {latex!r}. Write the formula otherwise.") from error
    if unknown := re.findall(r"\\+\w*|linebreak", written):
        raise ExtensionError(f"{page}: latex2mathml does not know {', '.join(unknown)} in {latex!r}. Write the formula otherwise.")
    if missing := {letter for letter in "".join(root.itertext()) if ord(letter) not in letters_of_the_font()}:
        raise ExtensionError(f"{page}: {FONT.name} has no {', '.join(sorted(missing))} for {latex!r}. Make it with that letter.")
    for element in root.iter():
        for n, child in enumerate(element):
            while child.tag == "mrow" and len(child) == 1:
                (child,) = child
            element[n] = child
    text = ElementTree.tostring(root, encoding="unicode")
    return re.sub(r' (?:display="inline"|stretchy="true"|fence="true"|form="\w+")', "", text)


@functools.cache
def letters_of_the_font() -> frozenset[int]:
    """The code points that the font can draw."""
    return frozenset(TTFont(FONT).getBestCmap())


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer; the setting `html_math_renderer` chooses it."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
