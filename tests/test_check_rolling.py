"""The checker of a rolling buffer passes right steps, whatever the order of their slots, and names the mistake in wrong ones."""

import torch
from verdicts import assert_passed, assert_rejected

from attn import check


def attend(q, buffer, keep=None, divisor=None):
    scores = q @ buffer["k"].mT / (divisor or q.shape[-1] ** 0.5)
    if keep is not None:
        scores = scores.masked_fill(~keep, -torch.inf)
    return scores.softmax(-1) @ buffer["v"]


def write(k, v, buffer, slot):
    buffer["k"][:, :, slot], buffer["v"][:, :, slot] = k[:, :, 0], v[:, :, 0]


def by_slot(q, k, v, buffer, t):
    w = buffer["k"].shape[2]
    write(k, v, buffer, t % w)
    return attend(q, buffer, torch.arange(w) <= t)


def shifted(q, k, v, buffer, t):
    w = buffer["k"].shape[2]
    for name, new in (("k", k), ("v", v)):
        buffer[name] = torch.cat([buffer[name][:, :, 1:], new], 2)
    return attend(q, buffer, torch.arange(w) >= w - 1 - t)


def grows(q, k, v, buffer, t):
    w = buffer["k"].shape[2]
    write(k, v, buffer, t % w)
    return attend(q, {name: of[:, :, : t + 1] for name, of in buffer.items()})


def test_right_steps_pass(subtests):
    answers = (by_slot, shifted, grows)
    assert_passed(subtests, check.rolling_step, {answer.__name__: answer for answer in answers})


def step(keep=None, slot=None, late=False, divisor=None):
    """A step with one part replaced: keep(slots, t, w), slot(t, w)."""

    def answer(q, k, v, buffer, t):
        w = buffer["k"].shape[2]
        slots = torch.arange(w)
        if late:
            out = attend(q, buffer, slots < t)
        write(k, v, buffer, slot(t, w) if slot else t % w)
        return out if late else attend(q, buffer, keep(slots, t, w) if keep else slots <= t, divisor)

    return answer


WRONG = {
    "slots as tokens": (
        step(lambda slots, t, w: (slots <= t) & (t - slots < w)),
        ["token 4 and a buffer of 4 slots", "slot 0 holds token 4"],
    ),
    "no mask": (step(lambda slots, t, w: slots >= 0), ["token 0", "3 empty slots were read"]),
    "the newest is left out": (step(lambda slots, t, w: slots < max(t, 1)), ["token 1", "May a token attend to itself?"]),
    "masked up to the newest slot": (
        step(lambda slots, t, w: slots <= t % w),
        ["token 4", "only the slots 0 to 0 were read"],
    ),
    "always the last slot": (step(slot=lambda t, w: min(t, w - 1)), ["token 4", "written into the last slot each time"]),
    "read, then written": (step(late=True), ["token 0", "before token 0 was written"]),
    "not scaled": (step(divisor=1.0), ["token 1", "not divided by √D"]),
    "scaled by w": (step(divisor=4.0), ["token 1", "differ by up to"]),
    "nothing is kept": (lambda q, k, v, buffer, t: v, ["token 1", "differ by up to"]),
    "not a number": (lambda q, k, v, buffer, t: v / 0, ["token 0", "not finite"]),
    "written into k": (lambda q, k, v, buffer, t: k.add_(1), ["changed its input k"]),
    "nothing returned": (lambda q, k, v, buffer, t: None, ["returned None"]),
    "raises": (lambda q, k, v, buffer, t: buffer["q"], ["raised KeyError"]),
}


def test_wrong_steps_are_explained(subtests):
    assert_rejected(subtests, check.rolling_step, WRONG)
