"""Tasks that attention alone can learn: copying, continuing a repetition, finding a marked word. The words are made up."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Int
from torch import Tensor

__all__ = ["copying", "follows", "marked", "repeating"]


def copying(
    B: int, half: int, words: int, *, generator: torch.Generator | None = None
) -> tuple[Int[Tensor, "B L"], Bool[Tensor, " L"]]:
    """B sequences of L = 2·half random words, the second half equal to the first, and which of them can be predicted.

    The word to look at is always `half` positions back, so one layer can learn the task from positions alone.
    """
    device = None if generator is None else generator.device
    first = torch.randint(words, (B, half), generator=generator, device=device)
    return torch.cat([first, first], 1), torch.arange(2 * half, device=device) >= half


def repeating(
    B: int, L: int, words: int, *, shortest: int = 4, generator: torch.Generator | None = None
) -> tuple[Int[Tensor, "B L"], Bool[Tensor, "B L"]]:
    """B sequences of L words, each repeating itself with its own period, from `shortest` to L/2, and which can be predicted.

    The word to look at is somewhere else in every sequence, so positions do not help: find the last occurrence of this word, and
    look at the word after it. Two layers can learn that (an induction head: Olsson et al. 2022, "In-context Learning and
    Induction Heads"). The words of a period are all different, so the answer is unambiguous.

    Raises ValueError if there are not enough words for the longest period.
    """
    longest = L // 2
    if words < longest or shortest > longest:
        raise ValueError(f"words = {words}, shortest = {shortest}: a period has {shortest} to L // 2 = {longest} different words.")
    device = None if generator is None else generator.device
    periods = torch.randint(shortest, longest + 1, (B, 1), generator=generator, device=device)
    shuffled = torch.rand(B, words, generator=generator, device=device).argsort(1)
    place = torch.arange(L, device=device)
    return shuffled.gather(1, place % periods), place >= periods


def marked(
    B: int, L: int, words: int, *, back: int | None = None, generator: torch.Generator | None = None
) -> tuple[Int[Tensor, "B L"], Int[Tensor, " B"]]:
    """B sequences of L random words, one of which is marked, and which word that is. Word n, marked, has the number words + n.

    back: how many places before the last word the marked one stands, from 0 to L - 1; if None, each sequence has its own.
    """
    if back is not None and not 0 <= back < L:
        raise ValueError(f"back = {back}: in a sequence of {L} words the marked one stands 0 to {L - 1} places before the last.")
    device = None if generator is None else generator.device
    ids = torch.randint(words, (B, L), generator=generator, device=device)
    if back is None:
        at = torch.randint(L, (B, 1), generator=generator, device=device)
    else:
        at = torch.full((B, 1), L - 1 - back, device=device)
    word = ids.gather(1, at)
    return ids.scatter(1, at, word + words), word[:, 0]


def follows(ids: Int[Tensor, "B L"]) -> Bool[Tensor, "B L L"]:
    """True where the token at j comes right after an earlier occurrence of the word at i: what an induction head looks at."""
    same = ids[:, :, None] == ids[:, None, :-1]  # the word at i is the word at j - 1, for j from 1
    return F.pad(same, (1, 0)).tril()
