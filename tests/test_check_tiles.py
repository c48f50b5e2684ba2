"""The checker for attention over tiles passes right answers in any spelling, and names what a wrong one does."""

import math

import torch
from verdicts import assert_passed, assert_rejected

from attn import attention, check


def rescaled(q, tiles):
    top = torch.full_like(q[..., :1], -1e30)
    total, out = torch.zeros_like(top), torch.zeros_like(q)
    for k, v, keep in tiles:
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~keep, -math.inf)
        new = torch.maximum(top, scores.amax(-1, keepdim=True))
        terms, shrink = (scores - new).exp(), (top - new).exp()
        total, out, top = total * shrink + terms.sum(-1, keepdim=True), out * shrink + terms @ v, new
    return out / total


def guarded(q, tiles):
    """The maximum starts at -inf, and what is subtracted is finite."""
    top = torch.full_like(q[..., :1], -math.inf)
    total, out = torch.zeros_like(top), torch.zeros_like(q)
    for k, v, keep in tiles:
        scores = (q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5).masked_fill(~keep, -math.inf)
        new = torch.maximum(top, scores.amax(-1, keepdim=True))
        finite = new.masked_fill(new == -math.inf, 0.0)
        shrink = torch.exp(top - finite)
        terms = torch.exp(scores - finite)
        total = total * shrink + terms.sum(-1, keepdim=True)
        out = out * shrink + terms @ v
        top = new
    return out / total


def by_logarithms(q, tiles):
    """Merges finished outputs by the logarithm of their totals."""
    out, lse = torch.zeros_like(q), torch.full_like(q[..., :1], -1e30)
    for k, v, keep in tiles:
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~keep, -1e30)
        own = scores.logsumexp(-1, keepdim=True)
        both = torch.cat([lse, own], -1).logsumexp(-1, keepdim=True)
        out = (lse - both).exp() * out + (own - both).exp() * ((scores - own).exp() @ v)
        lse = both
    return out


def normalised_as_it_goes(q, tiles):
    """The output is divided in every tile, and multiplied by the old total before the next."""
    top = torch.full_like(q[..., :1], -1e30)
    total, out = torch.zeros_like(top), torch.zeros_like(q)
    for k, v, keep in tiles:
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~keep, -math.inf)
        new = torch.maximum(top, scores.amax(-1, keepdim=True))
        terms, old = (scores - new).exp(), total * (top - new).exp()
        total = old + terms.sum(-1, keepdim=True)
        out = (out * old + terms @ v) / total.clamp(min=1e-30)
        top = new
    return out


def wrong(total="shrink", out="shrink", start=-1e30, divide="end", top="running", scale=True, mask=True, copy=False):
    """Attention over tiles with one or more mistakes."""
    factors = {"shrink": lambda old, new: (old - new).exp(), "grow": lambda old, new: (new - old).exp(), "none": lambda old, new: 1}

    def answer(q, tiles):
        highest = torch.full_like(q[..., :1], start)
        sums, mixed = torch.zeros_like(highest), torch.zeros_like(q)
        for k, v, keep in tiles:
            scores = q @ k.mT / (math.sqrt(q.shape[-1]) if scale else 1)
            scores = scores.masked_fill(~keep, -math.inf) if mask else scores
            own = scores.amax(-1, keepdim=True)
            new = torch.maximum(highest, own)
            new = {"running": new, "own": own, "none": torch.zeros_like(new)}[top]
            terms = (scores - new).exp()
            sums = sums * factors[total](highest, new) + terms.sum(-1, keepdim=True)
            part = terms @ v
            mixed = mixed * factors[out](highest, new) + (part / sums if divide == "early" else part)
            highest = new
        return mixed / sums if divide == "end" else mixed

    return answer


def wrong_from_the_second_tile(q, tiles):
    """Starts with the first tile, and then multiplies by e^(new - old)."""
    top = None
    for k, v, keep in tiles:
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~keep, -math.inf)
        own = scores.amax(-1, keepdim=True)
        new = own if top is None else torch.maximum(top, own)
        terms = (scores - new).exp()
        if top is None:
            total, out = terms.sum(-1, keepdim=True), terms @ v
        else:
            total = total * (new - top).exp() + terms.sum(-1, keepdim=True)
            out = out * (new - top).exp() + terms @ v
        top = new
    return out / total


def maximum_of_the_first_tile(q, tiles):
    """Right while later scores are not much higher."""
    top, total, out = None, 0, 0
    for k, v, keep in tiles:
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~keep, -math.inf)
        if top is None:
            top = scores.amax(-1, keepdim=True)
            top = top.masked_fill(top == -math.inf, 0.0)
        terms = (scores - top).exp()
        total, out = total + terms.sum(-1, keepdim=True), out + terms @ v
    return out / total


def softmax_in_each_tile(mean):
    def answer(q, tiles):
        parts = [(q @ k.mT / 2).masked_fill(~keep, -math.inf).softmax(-1).nan_to_num() @ v for k, v, keep in tiles]
        return sum(parts) / (len(parts) if mean else 1)

    return answer


def kept_for_later(q, tiles):
    tiles = list(tiles)
    k, v, keep = (torch.cat([tile[n] for tile in tiles], axis) for n, axis in enumerate((2, 2, 1)))
    return attention(q, k, v, keep)


def the_last_tile(q, tiles):
    for k, v, keep in tiles:
        out = (q @ k.mT / 2).masked_fill(~keep, -math.inf).softmax(-1) @ v
    return out


def without_the_last_tile(q, tiles):
    return rescaled(q, iter([(k.clone(), v.clone(), keep) for k, v, keep in tiles][:-1]))


def without_keepdim(q, tiles):
    top = torch.full_like(q[..., 0], -1e30)
    for k, _, _ in tiles:
        top = torch.maximum(top, (q @ k.mT).amax(-1))
        (q @ k.mT - top).exp()
    return q


def divided_by_2(q, tiles):
    return rescaled(q * math.sqrt(q.shape[-1]) / 2, tiles)


RIGHT = {"starts at the smallest number": wrong(start=torch.finfo(torch.float32).min), "starts at −1e9": wrong(start=-1e9)}
RIGHT |= {one.__name__: one for one in (rescaled, guarded, by_logarithms, normalised_as_it_goes)}
WRONG = {
    "neither rescaled": (wrong("none", "none"), ["For tiles of 4 keys", "neither the total nor the output is rescaled"]),
    "output not rescaled": (wrong(out="none"), ["the total was rescaled and the output was not"]),
    "total not rescaled": (wrong("none"), ["the output was rescaled and the total was not"]),
    "rescaled the wrong way": (wrong("grow", "grow"), ["For tiles of 4 keys", "if it is e^(new − old)"]),
    "divided in each tile": (wrong(divide="early"), ["divided by the total of its time", "When is the total complete?"]),
    "total rescaled the wrong way": (wrong_from_the_second_tile, ["which is more than 1"]),
    "not divided": (wrong(divide="never"), ["before the division"]),
    "starts at minus infinity": (wrong(start=-math.inf), ["5 masked keys in front", "−∞ − (−∞) is NaN"]),
    "starts at 0": (wrong(start=0.0), ["scores of −12,000", "30 of 30 rows are 0, NaN", "starts above all scores"]),
    "starts at −100": (wrong(start=-100.0), ["scores of −12,000", "starts above all scores"]),
    "starts at −10,000": (wrong(start=-1e4), ["scores of −12,000", "starts above all scores"]),
    "starts at 0, and NaN becomes 0": (lambda q, tiles: wrong(start=0.0)(q, tiles).nan_to_num(), ["starts above all scores"]),
    "divided by 2": (divided_by_2, ["D = 16", "divided by 2. √D is 4 here"]),
    "no maximum": (
        wrong(top="none", total="none", out="none"),
        ["scores that fall by hundreds", "e^score is ∞ for a score above 88"],
    ),
    "the maximum falls": (wrong(top="own"), ["scores that fall by hundreds", "can the largest score so far fall?"]),
    "the maximum never rises": (
        maximum_of_the_first_tile,
        ["scores that rise by hundreds", "Does it rise when a higher score comes?"],
    ),
    "not scaled": (wrong(scale=False), ["not divided by √D"]),
    "mask ignored": (wrong(mask=False), ["a causal mask and 5 masked keys", "the mask is ignored"]),
    "softmax in each tile, added": (softmax_in_each_tile(mean=False), ["the results were added"]),
    "softmax in each tile, averaged": (softmax_in_each_tile(mean=True), ["the results were averaged"]),
    "tiles kept": (kept_for_later, ["For tiles of 4 keys", "kept for later"]),
    "the last tile alone": (the_last_tile, ["this is the last tile alone"]),
    "the last tile missing": (without_the_last_tile, ["the last tile, which may be smaller than the others, is missing"]),
    "no keepdim": (without_keepdim, ["raised RuntimeError", "keepdim=True"]),
    "nothing": (lambda q, tiles: None, ["returned None"]),
    "another shape": (lambda q, tiles: q[:, :, :1], ["one row for every query"]),
}


def test_right_answers_for_attention_over_tiles_pass(subtests):
    assert_passed(subtests, check.fused, RIGHT)


def test_wrong_answers_for_attention_over_tiles_are_explained(subtests):
    assert_rejected(subtests, check.fused, WRONG)


def gradients(weights="lse", row="out", scores=True, factor=True, swapped=False, first=False, root=None):
    """The backward pass over one tile, with one or more mistakes."""

    def answer(q, k, v, out, lse, d_out, root=root):
        root = root or math.sqrt(q.shape[-1])
        s = q @ k.transpose(-2, -1) / (root if scores else 1)
        w = {"lse": (s - lse).exp(), "tile": s.softmax(-1), "terms": s.exp(), "lse missing": s}[weights]
        d_w = d_out @ v.transpose(-2, -1)
        rows = {"out": d_out * out, "tile": w * d_w, "none": torch.zeros_like(out), "of dq": q * out}[row]
        d_s = w * (d_w - rows.sum(-1, keepdim=True))
        d_s = d_s / root if factor else d_s
        d_q, d_k, d_v = d_s @ k, d_s.transpose(-2, -1) @ q, w.transpose(-2, -1) @ d_out
        return (d_q, d_v, d_k) if swapped else d_q if first else (d_q, d_k, d_v)

    return answer


def one_query_after_the_other(q, k, v, out, lse, d_out):
    d_q, d_k, d_v = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    D = q.shape[-1]
    for n in range(q.shape[2]):
        row = q[:, :, n : n + 1]
        weights = (row @ k.mT * D**-0.5 - lse[:, :, n : n + 1]).exp()
        of = d_out[:, :, n : n + 1]
        d_scores = weights * ((of @ v.mT) - (of @ out[:, :, n : n + 1].mT)) * D**-0.5
        d_q[:, :, n] = (d_scores @ k)[:, :, 0]
        d_k += d_scores.mT @ row
        d_v += weights.mT @ of
    return d_q, d_k, d_v


GRADIENTS = {
    "softmax in the tile": (gradients("tile"), ["For tiles of 4 keys", "d_v is wrong: the weights sum to 1 in each tile"]),
    "both lines of the exercise": (gradients("tile", "tile"), ["the weights sum to 1 in each tile", "Also, in d_scores the sum"]),
    "the sum of the tile": (gradients(row="tile"), ["For tiles of 4 keys", "d_q is wrong: in d_scores the sum", "d_out · out"]),
    "no sum": (gradients(row="none"), ["d_q is wrong: softmax couples all keys of a row", "larger weight of one key"]),
    "terms, not weights": (gradients("terms"), ["d_v is wrong: these are terms, not weights"]),
    "scores not scaled": (gradients(scores=False), ["the scores were not divided by √D"]),
    "gradients not scaled": (gradients(factor=False), ["d_q is wrong: scores are q kᵀ / √D, so their gradients"]),
    "k and v swapped": (gradients(swapped=True), ["d_k is wrong: this is d_v"]),
    "scores for weights": (gradients("lse missing"), ["d_v is wrong", "differs by up to"]),
    "√D is always 2": (gradients(root=2), ["For tiles of 4 keys and D = 9", "differs by up to"]),
    "another sum": (gradients(row="of dq"), ["d_q is wrong", "d_v is right"]),
    "one tensor": (gradients(first=True), ["returned a value of type Tensor", "d_q, d_k, d_v"]),
    "two tensors": (lambda *given: given[:2], ["returned 2 values"]),
    "nothing": (lambda *given: None, ["returned None", "Is the return statement missing?"]),
    "numbers": (lambda *given: (0, 0, 0), ["d_q", "of type int"]),
    "another shape": (lambda q, k, v, out, lse, d_out: (q, k, v[:, :1]), ["d_v has shape (2, 1, 4, 4)", "(2, 3, 4, 4)"]),
    "wrong product": (lambda q, k, v, out, lse, d_out: q @ k.mT @ out, ["raised RuntimeError"]),
}


def test_right_gradients_of_a_tile_pass(subtests):
    right = {"four products": gradients(), "one query after the other": one_query_after_the_other}
    assert_passed(subtests, check.tile_gradients, right)


def test_wrong_gradients_of_a_tile_are_explained(subtests):
    assert_rejected(subtests, check.tile_gradients, GRADIENTS)


def test_with_one_tile_of_all_keys_both_lines_of_the_exercise_are_right(monkeypatch):
    monkeypatch.setattr("attn.check.gradients._TILES", (11,))
    assert check.tile_gradients(gradients("tile", "tile"))


def test_the_gradients_that_a_checker_wants_are_those_of_autograd():
    q, k, v, d_out = (torch.randn(2, 3, n, 4, requires_grad=n < 13) for n in (5, 11, 11, 5))
    attention(q, k, v).backward(d_out)
    scores = q @ k.mT / 2
    given = attention(q, k, v), scores.logsumexp(-1, keepdim=True), d_out
    for got, want in zip(gradients()(q, k, v, *given), (q.grad, k.grad, v.grad), strict=True):
        torch.testing.assert_close(got, want)


def test_one_tile_of_all_keys_cannot_reveal_a_missing_rescale(monkeypatch):
    """The checker therefore has smaller tiles, and scores that rise."""
    monkeypatch.setattr("attn.check.tiles._TILES", (11,))
    verdict = check.fused(wrong("none", "none"))
    assert not verdict.passed and "For tiles of" not in verdict.message
