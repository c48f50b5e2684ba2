"""A checker for a decoding step with a rolling buffer, which keeps the keys and values of the last w tokens and of no others."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn.check.answers import Mistakes, conclude, examine, normal
from attn.check.verdict import Verdict

__all__ = ["rolling_step"]

# B, H, D, the slots of the buffer and the tokens that come: more than twice as many.
_RUNS = ((2, 3, 5, 4, 10), (1, 2, 3, 3, 8))


@torch.no_grad()
def rolling_step(answer: Callable[[Tensor, Tensor, Tensor, dict[str, Tensor], int], Any]) -> Verdict:
    """Check answer(q, k, v, buffer, t) -> (B, H, 1, D): one step of decoding under a sliding window.

    q, k, v: (B, H, 1, D), of token t. buffer: the dictionary {"k": (B, H, w, D), "v": (B, H, w, D)}, zeros at first, into which the
    answer writes. Every output is compared with a full pass under a window of w tokens. The verdict names the first wrong token,
    and recognises by value which tokens were read instead.
    """
    return conclude(
        (complaint for run in _RUNS for complaint in _steps(answer, *run)),
        "Every token attends to itself and to the w - 1 tokens before it, before the buffer is full and after.",
    )


def _steps(answer: Callable[..., Any], B: int, H: int, D: int, w: int, tokens: int) -> Iterator[str]:
    """The complaint about each step."""
    q, k, v = normal(*[(B, H, tokens, D)] * 3, seed=w)
    buffer = {name: torch.zeros(B, H, w, D, device=q.device) for name in ("k", "v")}
    for t in range(tokens):
        q_t, k_t, v_t = (of[:, :, t : t + 1] for of in (q, k, v))
        read = partial(_read, q_t, k, v)
        want = read(range(max(0, t - w + 1), t + 1))
        yield examine(
            answer,
            {"q": q_t, "k": k_t, "v": v_t, "buffer": buffer, "t": t},
            want,
            "(B, H, 1, D)",
            _mistakes(read, t, w),
            wrong_values=partial(_how_far, want=want),
            call=f"For token {t} and a buffer of {w} slots",
        )


def _read(q: Tensor, k: Tensor, v: Tensor, tokens: Sequence[int], divisor: float | None = None) -> Tensor:
    """The output of a query that reads the keys and values of these tokens; -1 is an empty slot."""
    if not tokens:
        return torch.full_like(q, torch.nan)
    there = torch.tensor([token >= 0 for token in tokens], device=q.device)[:, None]
    keys, values = (of[:, :, [max(token, 0) for token in tokens]] * there for of in (k, v))
    return (q @ keys.mT / (divisor or q.shape[-1] ** 0.5)).softmax(-1) @ values


def _held(t: int, w: int) -> list[int]:
    """The token in each slot when token t has been written; -1 for an empty one."""
    return [max(t - (t - slot) % w, -1) for slot in range(w)]


def _mistakes(read: Callable[..., Tensor], t: int, w: int) -> Mistakes:
    """The outputs of wrong steps, each with a hint."""
    held, before = _held(t, w), _held(t - 1, w)
    full = [token for token in held if token >= 0]
    yield (
        read([held[slot] for slot in range(w) if t - w < slot <= t]),
        f"the mask compares numbers of slots with numbers of tokens: slot {t % w} holds token {t}, and you leave it out. Which "
        "slots of a full buffer are too old?",
    )
    yield read(held), f"{held.count(-1)} empty slots were read, as keys and values of zeros. How many slots are filled now?"
    yield (
        read([token for token in before if token >= 0]),
        f"the buffer was read before token {t} was written into it. May a token attend to itself?",
    )
    yield (
        read([held[slot] for slot in range(w) if slot < t]),
        "the newest slot was left out. May a token attend to itself?",
    )
    yield (
        read([held[slot] for slot in range(t % w + 1)]),
        f"only the slots 0 to {t % w} were read. Those behind them hold tokens of the window, too, once the buffer is full.",
    )
    yield (
        read([*range(min(t, w - 1)), t]),
        f"token {t} was written into the last slot each time, so the others are never replaced. Which slot holds the oldest token?",
    )
    yield read(full, 1.0), "the scores were not divided by √D."


def _how_far(got: Tensor, want: Tensor) -> str:
    if not got.isfinite().all():
        return "some values are not finite. A softmax over no slot is 0/0: which slots does your mask leave?"
    return f"the values differ by up to {(got - want).abs().amax():.2g} from a full pass under a window."
