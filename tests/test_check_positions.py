"""The checkers for rotary positions pass right answers and name the mistake in wrong ones."""

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
    right = {"in halves": turn(), "rotate half": rotate_half, "a matrix for each token": token_by_token, "a table": table}
    assert_passed(subtests, check.rope, right)


def test_the_function_of_the_package_passes():
    assert check.rope(attn.rotary)


def table(heads, positions, rows=2048):
    """Reads cosines and sines from a table of positions."""
    angle = torch.outer(torch.arange(rows), 10000.0 ** (-torch.arange(0, heads.shape[-1], 2) / heads.shape[-1]))[positions]
    a, b = halves(heads)
    return joined(a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin())


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
    "positions in bfloat16": (
        turn(place=lambda heads, positions: positions.bfloat16().float()),
        ["positions [1001]", "rounded to bfloat16, which has steps of 4"],
    ),
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


# A step of decoding ---------------------------------------------------------------------------------------------------------


def place(new, cache):
    return torch.arange(len(cache), len(cache) + new.shape[1])


def step(at=place, what="qk", before=False, again=False, attend=None):
    """A step with one part replaced."""

    def answer(layer, new, cache):
        positions, made = at(new, cache), []
        for name, weight, heads in (("q", layer.W_Q, layer.H), ("k", layer.W_K, layer.G), ("v", layer.W_V, layer.G)):
            rows = new @ weight.T
            if before and name in what:
                made.append(attn.split_heads(turn()(rows[:, None], positions)[:, 0], heads))
            else:
                split = attn.split_heads(rows, heads)
                made.append(turn()(split, positions) if name in what else split)
        k, v = cache.append(*made[1:])
        k = turn()(k, torch.arange(len(cache))) if again else k
        heads = attn.attention(made[0], k, v, causal=True) if attend is None else attend(made[0], k, v)
        return layer.W_O(attn.merge_heads(heads))

    return answer


def from_zero(new, cache):
    return torch.arange(new.shape[1])


def top_left(q, k, v):
    return attn.attention(q, k, v, torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril())


def one_higher(new, cache):
    return place(new, cache) + 1


def turned_in_every_step(layer, new, cache):
    """Keys are cached as they are, and all are turned in each step."""
    q, k, v = (
        attn.split_heads(new @ weight.T, heads)
        for weight, heads in ((layer.W_Q, layer.H), (layer.W_K, layer.G), (layer.W_V, layer.G))
    )
    k, v = cache.append(k, v)
    at = torch.arange(len(cache))
    heads = attn.attention(turn()(q, at[-new.shape[1] :]), turn()(k, at), v, causal=True)
    return layer.W_O(attn.merge_heads(heads))


def test_right_steps_pass(subtests):
    right = {"turned, then cached": step(), "cached, then turned": turned_in_every_step, "all one higher": step(one_higher)}
    assert_passed(subtests, check.rotary_step, right)


def nothing_kept(layer, new, cache):
    q, k, v = (
        attn.split_heads(new @ weight.T, heads)
        for weight, heads in ((layer.W_Q, layer.H), (layer.W_K, layer.G), (layer.W_V, layer.G))
    )
    at = place(new, cache)
    k, v = torch.cat([cache.k, turn()(k, at)], 2), torch.cat([cache.v, v], 2)
    return layer.W_O(attn.merge_heads(attn.attention(turn()(q, at), k, v, causal=True)))


STEPS = {
    "from 0": (step(from_zero), ["the next token", "with 4 positions in the cache", "start at 0 again"]),
    "before the split": (step(before=True), ["the first call", "turned before the split"]),
    "both of these": (step(from_zero, before=True), ["the first call", "turned before the split"]),
    "values too": (step(what="qkv"), ["the values are turned, too"]),
    "q alone": (step(what="q"), ["only the queries are turned"]),
    "k alone": (step(what="k"), ["only the keys are turned"]),
    "nothing": (step(what=""), ["nothing is turned"]),
    "turned twice": (step(again=True), ["once more after it"]),
    "top left": (step(attend=top_left), ["the next token", "top left"]),
    "not causal": (step(attend=attn.attention), ["the values differ by up to"]),
    "no result": (lambda layer, new, cache: None, ["Is the return statement missing?"]),
    "nothing kept": (nothing_kept, ["the cache holds 0 positions"]),
}


def test_wrong_steps_are_explained(subtests):
    assert_rejected(subtests, check.rotary_step, STEPS)
