"""What the checkers share: they run answers on copies and compare the results by value."""

import torch

from attn.check.answers import combined, conclude, examine, first_wrong, normal, run, same


def test_an_answer_gets_copies_of_the_tensors():
    (x,) = normal((2, 3), seed=0)
    got, complaint = run(lambda x, H: x.requires_grad_(), {"x": x, "H": 3})
    assert not complaint and got is not x and got.requires_grad and not x.requires_grad


def test_a_complaint_names_the_operands_and_the_one_that_was_changed():
    x, weight = normal((2, 3), (4,), seed=0)
    _, complaint = run(lambda x, weight, H: weight.zero_(), {"x": x, "weight": weight, "H": 3})
    assert complaint.startswith(
        "For x (2, 3), weight (4,) and H = 3, your code changed its input weight. Do not write into x and weight: "
    )
    assert weight.all()


def test_a_complaint_about_an_error_has_its_first_line_and_its_cause():
    def fails(x):
        raise ValueError("first\nsecond")

    operands = {"x": torch.ones(2)}
    assert run(fails, operands, "Here", lambda error: f"({type(error).__name__})")[1] == (
        "Here, your code raised ValueError: first (ValueError)"
    )
    assert run(fails, operands)[1] == "For x (2,), your code raised ValueError: first"


def examined(answer, **options):
    (x,) = normal((2, 3), seed=0)
    mistakes = [(x.mT, "it is transposed."), (-x, "the sign is wrong.")]
    wrong_values = first_wrong(x, lambda i, j: f"element {j} of row {i}")
    return x, examine(answer, {"x": x}, x, "(B, D)", mistakes, wrong_values=wrong_values, **options)


def test_a_right_result_passes_in_any_precision_and_with_its_gradient():
    for answer in (torch.clone, torch.Tensor.double, lambda x: x, lambda x: x.requires_grad_() * 1, lambda x: x + 1e-5):
        assert examined(answer)[1] == ""


def test_a_wrong_result_is_recognised_by_its_shape_and_its_values():
    assert (
        examined(lambda x: x.mT)[1] == "For x (2, 3), your result has shape (3, 2); it must be (B, D) = (2, 3): it is transposed."
    )
    assert examined(lambda x: x[:, :1])[1] == "For x (2, 3), your result has shape (2, 1); it must be (B, D) = (2, 3)."
    _, complaint = examined(lambda x: x[0], wrong_shape=lambda got: f"its number of axes is {got.dim()}.")
    assert complaint.endswith("it must be (B, D) = (2, 3): its number of axes is 1.")
    assert examined(torch.neg)[1] == "For x (2, 3), the shape (2, 3) is right, but the sign is wrong."
    x, complaint = examined(lambda x: torch.where(x == x[1, 2], torch.nan, x).double())
    assert complaint.endswith(f"but the values are wrong: result[1, 2] must be {x[1, 2]:.4f} (element 2 of row 1); yours is nan.")


def test_nan_and_infinity_equal_only_themselves():
    special = torch.tensor([torch.nan, torch.inf, -torch.inf])
    assert same(special, special) and not same(special, special.flip(0)) and not same(special.nan_to_num(), special)


def test_hints_are_combined_and_empty_ones_left_out():
    assert combined("one.", "", "two.") == "one. Also, two."
    assert combined("", "two.") == "two."


def test_the_first_complaint_is_the_message_and_later_ones_are_not_computed():
    computed = []
    verdict = conclude((computed.append(one) or one for one in ("", "first", "second")), "well done")
    assert (verdict.passed, verdict.message, computed) == (False, "first", ["", "first"])
    assert conclude(["", ""], "well done") == type(verdict)(True, "well done")
