"""The build writes formulas as MathML, and refuses what would come out wrong."""

import re
from xml.etree import ElementTree

import pytest
from attn_formulas import mathml_of
from latex2mathml.converter import convert
from sphinx.errors import ExtensionError

FORMULAS = (
    "q_t",
    r"w_j = \frac{e^{s_j}}{\sum_m e^{s_m}} \qquad\text{so}\qquad \frac{w_i}{w_j} = e^{\,s_i - s_j}",
    r"y = \sum_h A_h\, X\, (W_V^h W_O^h), \qquad A_h = \text{softmax}\left(X\, (W_Q^h W_K^{h\top})\, X^\top / \sqrt{D}\right)",
    r"m \lt n",
)


@pytest.mark.parametrize("latex", FORMULAS)
@pytest.mark.parametrize("display", ["inline", "block"])
def test_what_is_left_out_of_a_formula_is_only_what_a_browser_takes_for_granted(latex, display):
    whole, lean = (ElementTree.fromstring(text) for text in (convert(latex, display=display), mathml_of(latex, display, "page")))
    assert "".join(lean.itertext()) == "".join(whole.itertext())
    kinds = [re.sub("{.*}", "", one.tag) for one in whole.iter()]
    assert [one.tag for one in lean.iter() if one.tag != "mrow"] == [kind for kind in kinds if kind != "mrow"]
    assert all(len(one) != 1 for one in lean.iter("mrow") if one is not lean[0])
    assert lean.get("display") == ("block" if display == "block" else None) and "xmlns" not in lean.attrib
    # An index, a power, a fraction and a sum keep the number of their parts.
    parts = {"msub": 2, "msup": 2, "msubsup": 3, "mfrac": 2, "munder": 2}
    assert all(len(one) == parts[one.tag] for one in lean.iter() if one.tag in parts)


@pytest.mark.parametrize(
    ("latex", "named"),
    [
        (r"\softmaxx x", r"does not know \softmaxx"),
        (r"\begin{gathered} a \\ b \end{gathered}", "does not know linebreak"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "cannot convert"),
        (r"x_1_2", "cannot convert"),
        (r"\text{ж}", "stix-two-math.woff has no ж"),
    ],
)
def test_a_formula_that_would_come_out_wrong_stops_the_build_and_is_named(latex, named):
    with pytest.raises(ExtensionError) as caught:
        mathml_of(latex, "block", "chapters/01-whole-map")
    assert str(caught.value).startswith("chapters/01-whole-map: ") and named in str(caught.value)
    assert repr(latex) in str(caught.value)
