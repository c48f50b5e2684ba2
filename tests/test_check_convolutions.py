"""The checkers for causal convolutions pass right answers and name what wrong ones read."""

import torch
import torch.nn.functional as F
from verdicts import assert_passed, assert_rejected

from attn import check


def reading(before, distances=lambda kernel, dilation: [n * dilation for n in range(kernel)]):
    """A convolution that reads before(x, gap) for each of these distances."""

    def convolution(x, W, dilation):
        gaps = distances(len(W), dilation)
        return sum(before(x, gap) @ matrix for gap, matrix in zip(gaps, W, strict=True))

    return convolution


def behind_zeros(x, gap):
    return F.pad(x, (0, 0, gap, 0))[:, : x.shape[1]]


def joined_to_zeros(x, gap):
    B, L, E = x.shape
    gap = min(gap, L)
    return torch.cat([torch.zeros(B, gap, E), x[:, : L - gap]], 1)


def in_a_circle(x, gap):
    return x.roll(gap, dims=1)


def of_later_tokens(x, gap):
    return F.pad(x, (0, 0, 0, gap))[:, gap:]


def with_the_first_repeated(x, gap):
    return x[:, (torch.arange(x.shape[1]) - gap).clamp(min=0)]


def padded_once(x, W, dilation):
    reach = (len(W) - 1) * dilation
    x, L = F.pad(x, (0, 0, reach, 0)), x.shape[1]
    return sum(x[:, reach - n * dilation :][:, :L] @ W[n] for n in range(len(W)))


def position_by_position(x, W, dilation):
    rows = []
    for t in range(x.shape[1]):
        rows.append(sum(x[:, t - n * dilation] @ W[n] for n in range(len(W)) if t >= n * dilation))
    return torch.stack(rows, 1)


def by_einsum(x, W, dilation):
    read = torch.stack([behind_zeros(x, n * dilation) for n in range(len(W))])
    return torch.einsum("nble,ned->bld", read, W)


def test_right_convolutions_pass(subtests):
    answers = {
        "zeros in front, and the end cut off": reading(behind_zeros),
        "joined to zeros": reading(joined_to_zeros),
        "padded once": padded_once,
        "position by position": position_by_position,
        "einsum": by_einsum,
    }
    assert_passed(subtests, check.causal_convolution, answers)


def test_pytorchs_own_convolution_passes():
    def convolution(x, W, dilation):
        padded = F.pad(x.mT, ((len(W) - 1) * dilation, 0))
        return F.conv1d(padded, W.flip(0).permute(2, 1, 0), dilation=dilation).mT

    assert check.causal_convolution(convolution).passed


def without_padding(x, W, dilation):
    reach = (len(W) - 1) * dilation
    L = x.shape[1]
    return sum(x[:, reach - n * dilation : L - n * dilation] @ W[n] for n in range(len(W)))


def too_long(x, W, dilation):
    reach = (len(W) - 1) * dilation
    return sum(F.pad(x, (0, 0, n * dilation, reach - n * dilation)) @ W[n] for n in range(len(W)))


def sliced_to_minus_0(x, W, dilation):
    return sum(F.pad(x[:, : -n * dilation], (0, 0, n * dilation, 0)) @ W[n] for n in range(len(W)))


def test_wrong_convolutions_are_rejected_with_what_they_read(subtests):
    right = reading(behind_zeros)
    answers = {
        "in a circle": (
            reading(in_a_circle),
            ["the shape (2, 7, 6) is right, but tokens move in a circle", "later tokens"],
        ),
        "later tokens": (reading(of_later_tokens), ["token t and later ones", "do not exist yet"]),
        "opposite order": (lambda x, W, dilation: right(x, W.flip(0), dilation), ["W[0] belongs to token t", "opposite order"]),
        "centred": (
            reading(
                lambda x, gap: behind_zeros(x, gap) if gap >= 0 else of_later_tokens(x, -gap),
                lambda kernel, dilation: [(n - kernel // 2) * dilation for n in range(kernel)],
            ),
            ["both sides of t"],
        ),
        "not itself": (
            reading(behind_zeros, lambda kernel, dilation: [(n + 1) * dilation for n in range(kernel)]),
            ["does not read token t", "The first distance is 0"],
        ),
        "no dilation": (reading(behind_zeros, lambda kernel, dilation: range(kernel)), ["neighbours", "dilation come in"]),
        "powers": (
            reading(behind_zeros, lambda kernel, dilation: [dilation**n for n in range(kernel)]),
            ["dilation ** n", "dilations of a stack"],
        ),
        "repeated": (reading(with_the_first_repeated), ["the first token is repeated in front"]),
        "mean": (lambda x, W, dilation: right(x, W, dilation) / len(W), ["it is the mean"]),
        "circle, no dilation": (
            reading(in_a_circle, lambda kernel, dilation: range(kernel)),
            ["in a circle", "Also, the tokens read are neighbours"],
        ),
        "no padding": (without_padding, ["(2, 3, 6); it must be (B, L, D) = (2, 7, 6): the first outputs are missing"]),
        "too long": (too_long, ["(2, 11, 6)", "outputs after the last token"]),
        "empty slice": (sliced_to_minus_0, ["raised", "If gap is 0, x[:, :-gap] is empty"]),
        "half": (lambda x, W, dilation: right(x, W, dilation) * 0.5, ["result[0, 0, 0] must be", "output 0 reads token 0"]),
        "nothing": (lambda x, W, dilation: None, ["Is the return statement missing?"]),
    }
    assert_rejected(subtests, check.causal_convolution, answers)


def stack(combine, distances=lambda kernel, dilation: [n * dilation for n in range(kernel)], back=lambda distance: distance):
    """What a stack reads, with this operation for its layers."""

    def read(L, kernel, dilations):
        t = torch.arange(L)
        distance = back(t[:, None] - t)
        result = torch.eye(L)
        for dilation in dilations:
            gaps = torch.tensor(list(distances(kernel, dilation)))
            result = combine((distance[..., None] == gaps).any(-1).float(), result)
        return result > 0

    return read


def multiplied(layer, below):
    return layer @ below


def by_sets(L, kernel, dilations):
    found = {0}
    for dilation in dilations:
        found = {one + n * dilation for one in found for n in range(kernel)}
    return torch.tensor([[t - s in found for s in range(L)] for t in range(L)])


def test_right_stacks_pass(subtests):
    answers = {
        "a product": stack(multiplied),
        "in the other order": stack(lambda layer, below: below @ layer),
        "sets of distances": by_sets,
        "as 0 and 1": lambda L, kernel, dilations: stack(multiplied)(L, kernel, dilations).int(),
    }
    assert_passed(subtests, check.tokens_read, answers)


def within(reach):
    """All tokens up to this many places back."""

    def read(L, kernel, dilations):
        t = torch.arange(L)
        distance = t[:, None] - t
        return (distance >= 0) & (distance <= reach(kernel, dilations))

    return read


def test_wrong_stacks_are_rejected_with_what_they_read(subtests):
    right = stack(multiplied)
    answers = {
        "joined": (
            stack(lambda layer, below: layer + below),
            ["kernel = 2 and dilations = (1, 2, 4)", "it joins the masks"],
        ),
        "the last layer": (stack(lambda layer, below: layer), ["the mask of the last layer alone"]),
        "transposed": (lambda L, kernel, dilations: right(L, kernel, dilations).mT, ["rows and columns are swapped"]),
        "paths": (lambda L, kernel, dilations: right(L, kernel, dilations) * 2.0, ["result[0, 0] must be 1.0000"]),
        "counted": (counted, ["it counts paths"]),
        "without gaps": (within(lambda kernel, dilations: (kernel - 1) * sum(dilations)), ["dilations = (1, 3)", "leave gaps"]),
        "both directions": (stack(multiplied, back=torch.abs), ["it contains later tokens"]),
        "multiplied reach": (within(lambda kernel, dilations: kernel ** len(dilations) - 1), ["it does not multiply"]),
        "the whole kernel": (within(lambda kernel, dilations: kernel * sum(dilations)), ["reaches 2 tokens back"]),
        "not itself": (
            stack(multiplied, lambda kernel, dilation: [n * dilation for n in range(1, kernel)]),
            ["The first distance is 0"],
        ),
        "neighbours": (stack(multiplied, lambda kernel, dilation: range(kernel)), ["Where do the dilations come in?"]),
        "one row": (lambda L, kernel, dilations: right(L, kernel, dilations)[-1], ["(11,); it must be (L, L) = (11, 11)"]),
    }
    assert_rejected(subtests, check.tokens_read, answers)


def counted(L, kernel, dilations):
    t = torch.arange(L)
    distance = t[:, None] - t
    paths = torch.eye(L)
    for dilation in dilations:
        paths = (distance[..., None] == torch.arange(kernel) * dilation).any(-1).float() @ paths
    return paths
