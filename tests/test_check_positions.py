"""The checker for rotary positions passes right answers and names the mistake in wrong ones."""

import torch
from verdicts import assert_passed, assert_rejected

import attn
from attn import check


def angles(heads, positions, base=10000.0):
    return positions[:, None] * base ** (-torch.arange(0, heads.shape[-1], 2) / heads.shape[-1])


def halves(heads):
    return heads[..., : heads.shape[-1] // 2], heads[..., heads.shape[-1] // 2 :]


def neighbours(heads):
    return heads[..., ::2], heads[..., 1::2]


def joined(a, b):
    return torch.cat([a, b], -1)


def side_by_side(a, b):
    return torch.stack([a, b], -1).flatten(-2)


def turn(read=halves, write=joined, angle=angles, place=lambda heads, positions: positions, minus=(-1, 1)):
    """Rotary positions with one part replaced."""

    def answer(heads, positions):
        (a, b), by = read(heads), angle(heads, place(heads, positions))
        return write(a * by.cos() + minus[0] * b * by.sin(), b * by.cos() + minus[1] * a * by.sin())

    return answer


def rotate_half(heads, positions):
    """As transformers writes it: the angles twice, and a copy of the heads with its halves swapped."""
    angle = torch.cat([angles(heads, positions)] * 2, -1)
    a, b = heads.chunk(2, -1)
    return heads * angle.cos() + torch.cat([-b, a], -1) * angle.sin()


def token_by_token(heads, positions):
    """Each token by a matrix of its own."""
    D = heads.shape[-1]
    out = []
    for n in range(heads.shape[2]):
        matrix = torch.zeros(D, D)
        for d in range(D // 2):
            angle = positions[n] * 10000.0 ** (-2 * d / D)
            matrix[d, d] = matrix[d + D // 2, d + D // 2] = torch.cos(angle)
            matrix[d, d + D // 2] = -torch.sin(angle)
            matrix[d + D // 2, d] = torch.sin(angle)
        out.append(heads[:, :, n] @ matrix.T)
    return torch.stack(out, 2)


def test_right_answers_pass(subtests):
    right = {"in halves": turn(), "rotate half": rotate_half, "a matrix for each token": token_by_token}
    assert_passed(subtests, check.rope, right)


def test_the_function_of_the_package_passes():
    assert check.rope(attn.rotary)


def anew(heads, positions):
    return torch.arange(len(positions))


def by_heads(heads, positions):
    by = positions[:, None, None] * 10000.0 ** (-torch.arange(0, heads.shape[-1], 2) / heads.shape[-1])
    a, b = halves(heads)
    return joined(a * by.cos() - b * by.sin(), b * by.cos() + a * by.sin())


def slow(heads, positions):
    D = heads.shape[-1]
    return positions[:, None] * 10000.0 ** (-torch.arange(D // 2) / D)


def fast(heads, positions):
    return positions[:, None] * 10000.0 ** (torch.arange(0, heads.shape[-1], 2) / heads.shape[-1])


def even(heads, positions):
    return positions[:, None] * torch.ones(heads.shape[-1] // 2)


FAIL = {
    "neighbours": (turn(neighbours, side_by_side), ["channels 2d and 2d + 1 are turned together"]),
    "neighbours, then halves": (turn(neighbours), ["taken from other channels than those to which they are written"]),
    "halves, then neighbours": (turn(write=side_by_side), ["written side by side", "stay where it was"]),
    "counted anew": (turn(place=anew), ["positions [3, 4, 5, 6, 7]", "its number in this call", "turned by 0"]),
    "one too high": (turn(place=lambda heads, positions: positions + 1), ["one too high"]),
    "both bugs of the exercise": (turn(neighbours, place=anew), ["its number in this call", "Also, a and b are neighbouring"]),
    "half of the exponent": (turn(angle=slow), ["−d/D instead of −2d/D"]),
    "no minus in the exponent": (turn(angle=fast), ["later pairs turn faster"]),
    "one speed": (turn(angle=even), ["all pairs turn equally fast"]),
    "another base": (turn(angle=lambda *given: angles(*given, 500.0)), ["the values are wrong", "10000^(−2/8)"]),
    "the other way": (turn(minus=(1, -1)), ["turned the other way"]),
    "two pluses": (turn(minus=(1, 1)), ["the length of a token changes"]),
    "nothing": (lambda heads, positions: heads, ["nothing is turned"]),
    "along another axis": (by_heads, ["(2, 3, 5, 8)", "raised RuntimeError"]),
    "in place": (lambda heads, positions: heads.mul_(2), ["changed its input heads"]),
    "half of the channels": (lambda heads, positions: halves(heads)[0], ["it must be (B, H, L, D) = (2, 3, 5, 8)"]),
    "no result": (lambda heads, positions: None, ["Is the return statement missing?"]),
}


def test_wrong_answers_are_explained(subtests):
    assert_rejected(subtests, check.rope, FAIL)


def test_one_mistake_is_not_reported_as_two(subtests):
    for name, (answer, parts) in FAIL.items():
        with subtests.test(answer=name):
            assert ("Also" in check.rope(answer).message) == any("Also" in part for part in parts)
