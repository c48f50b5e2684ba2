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


RIGHT = {one.__name__: one for one in (rescaled, guarded, by_logarithms, normalised_as_it_goes)}
WRONG = {
    "neither rescaled": (wrong("none", "none"), ["For tiles of 4 keys", "neither the total nor the output is rescaled"]),
    "output not rescaled": (wrong(out="none"), ["the total was rescaled and the output was not"]),
    "total not rescaled": (wrong("none"), ["the output was rescaled and the total was not"]),
    "rescaled the wrong way": (wrong("grow", "grow"), ["For tiles of 4 keys", "if it is e^(new − old)"]),
    "divided in each tile": (wrong(divide="early"), ["divided by the total of its time", "When is the total complete?"]),
    "total rescaled the wrong way": (wrong_from_the_second_tile, ["which is more than 1"]),
    "not divided": (wrong(divide="never"), ["before the division"]),
    "starts at minus infinity": (wrong(start=-math.inf), ["5 masked keys in front", "−∞ − (−∞) is NaN"]),
    "no maximum": (
        wrong(top="none", total="none", out="none"),
        ["scores that fall by hundreds", "e^score is ∞ for a score above 88"],
    ),
    "the maximum falls": (wrong(top="own"), ["scores that fall by hundreds", "can the largest score so far fall?"]),
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


def test_one_tile_of_all_keys_cannot_reveal_a_missing_rescale(monkeypatch):
    """The checker therefore has smaller tiles, and scores that rise."""
    monkeypatch.setattr("attn.check.tiles._TILES", (11,))
    verdict = check.fused(wrong("none", "none"))
    assert not verdict.passed and "For tiles of" not in verdict.message
