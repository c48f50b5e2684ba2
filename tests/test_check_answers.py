"""What the checkers have in common: answers are run on copies, and what they return is compared by value."""

import torch

from attn.check.answers import ask, conclude, examine, first_wrong, normal, same


def test_an_answer_gets_copies_of_the_tensors():
    (x,) = normal((2, 3), seed=0)
    got, complaint = ask(lambda x, H: x.requires_grad_(), {"x": x, "H": 3})
    assert not complaint and got is not x and got.requires_grad and not x.requires_grad


def test_what_was_changed_is_named_and_what_was_asked_too():
    x, weight = normal((2, 3), (4,), seed=0)
    _, complaint = ask(lambda x, weight, H: weight.zero_(), {"x": x, "weight": weight, "H": 3})
    assert complaint.startswith("For x (2, 3), weight (4,) and H = 3 your code changed its input weight. Leave x and weight alone")
    assert weight.all()


def test_of_an_error_the_first_line_is_told_with_what_led_to_it():
    def fails(x):
        raise ValueError("first\nsecond")

    operands = {"x": torch.ones(2)}
    assert ask(fails, operands, "Here", lambda error: f"({type(error).__name__})")[1] == (
        "Here your code raised ValueError: first (ValueError)"
    )
    assert ask(fails, operands)[1] == "For x (2,) your code raised ValueError: first"


def examined(answer, **options):
    (x,) = normal((2, 3), seed=0)
    mistakes = [(x.mT, "it is turned."), (-x, "the sign is wrong.")]
    otherwise = first_wrong(x, lambda i, j: f"number {j} of row {i}")
    return x, examine(answer, {"x": x}, x, "(B, D)", mistakes, otherwise=otherwise, **options)


def test_a_right_result_passes_in_any_precision_and_with_its_gradient():
    for answer in (torch.clone, torch.Tensor.double, lambda x: x, lambda x: x.requires_grad_() * 1, lambda x: x + 1e-5):
        assert examined(answer)[1] == ""


def test_a_wrong_result_is_told_by_its_shape_and_its_values():
    assert examined(lambda x: x.mT)[1] == "For x (2, 3) your result has shape (3, 2); it must be (B, D) = (2, 3): it is turned."
    assert examined(lambda x: x[:, :1])[1] == "For x (2, 3) your result has shape (2, 1); it must be (B, D) = (2, 3)."
    said = {"misshapen": lambda got: f"{got.dim()} axes are left."}
    assert examined(lambda x: x[0], **said)[1].endswith("it must be (B, D) = (2, 3): 1 axes are left.")
    assert examined(torch.neg)[1] == "For x (2, 3) the shape (2, 3) is right, but the sign is wrong."
    x, complaint = examined(lambda x: torch.where(x == x[1, 2], torch.nan, x).double())
    assert complaint.endswith(f"right, but not the numbers: result[1, 2] must be number 2 of row 1: {x[1, 2]:.4f}; yours is nan.")


def test_nan_and_infinity_are_the_same_only_as_themselves():
    special = torch.tensor([torch.nan, torch.inf, -torch.inf])
    assert same(special, special) and not same(special, special.flip(0)) and not same(special.nan_to_num(), special)


def test_the_first_complaint_decides_and_no_further_one_is_asked_for():
    asked = []
    verdict = conclude((asked.append(one) or one for one in ("", "first", "second")), "well done")
    assert (verdict.passed, verdict.message, asked) == (False, "first", ["", "first"])
    assert conclude(["", ""], "well done") == type(verdict)(True, "well done")
