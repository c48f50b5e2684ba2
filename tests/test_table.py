"""Tables with column headers: aligned in a terminal; escaped and accessible by keyboard in HTML."""

import pytest

import attn


def example():
    return attn.table(
        ["tensor", "elements", "shape", "share"], [["q", "1,200", (2, 3), "−1.5%"], ["x & y", 30, (7,), "–"]], ["E = H·D"]
    )


def test_numbers_are_aligned_to_the_right_and_everything_else_to_the_left():
    assert repr(example()) == (
        "tensor  elements  shape   share\n"
        "------  --------  ------  -----\n"
        "q          1,200  (2, 3)  −1.5%\n"
        "x & y         30  (7,)        –\n"
        "E = H·D"
    )


def test_html_has_column_headers_escaped_cells_and_coloured_letters():
    page = example()._repr_html_()
    assert page.count('<th scope="col"') == 4 and page.count("<tr>") == 3
    assert "<td>x &amp; y</td>" in page
    assert '<td style="text-align:right">1,200</td>' in page and "<td>(2, 3)</td>" in page
    assert page.count("var(--attn-") == 3, "E, H and D in the note"
    marked = attn.table(["model"], [["Llama 3 8B"], ["B sequences"], ["(H+2G)·D"]]).html()
    assert marked.count("var(--attn-") == 4, "the B of 8B stands for billions"


def test_a_table_that_scrolls_can_be_focused_and_has_a_name():
    assert example().html().startswith('<div class="attn-table" tabindex="0" role="group" aria-label="Table: tensor, elements,')


def test_a_table_without_rows_is_its_header():
    empty = attn.table(["a", "b"], [])
    assert repr(empty) == "a  b\n-  -"
    assert empty.html().count("<th ") == 2 and "<td" not in empty.html()


def test_a_row_with_too_few_or_too_many_cells_is_refused():
    with pytest.raises(ValueError, match="a row has 1 cells, the table has 2 columns"):
        attn.table(["a", "b"], [["1"]])
