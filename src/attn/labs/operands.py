"""q and k of the sentences of the running example: those of its recorded layer, or random whole numbers at other sizes.

The same numbers as in kit/operands.js.
"""

import functools
from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from attn.core import device
from attn.labs.inputs import normal
from attn.lessons import language, reader

__all__ = ["operands", "sentences"]

_HEADS, _ROWS = 8, 16  # the numbers are drawn for this many heads and rows, of which a lab uses the first


def sentences(count: int) -> list[str]:
    """This many sentences: an example of the language each, and the words of the next ones for larger sizes."""
    examples = language.EXAMPLES
    return [" ".join(examples[b:] + examples[:b]) for b in range(count)]


@torch.no_grad()
def operands(
    texts: Sequence[str], *, B: int, H: int, L: int, S: int, D: int, seed: int
) -> tuple[bool, Float[Tensor, "B H L D"], Float[Tensor, "B H S D"]]:
    """Whether they are the recorded ones, which need H = 3, D = 4, L and S up to 7 and seed 0; q and k.

    The queries are the first L words of each text, the keys its first S words.
    """
    longest = max(L, S)
    recorded = (reader.Reader.H, reader.Reader.E // reader.Reader.H, 0)
    if (H, D, seed) != recorded or longest > language.LONGEST:
        return False, _whole_numbers(seed, "q", B, H, L, D), _whole_numbers(seed, "k", B, H, S, D)
    ids = torch.tensor([[language.NUMBER[word] for word in text.split()[:longest]] for text in texts[:B]], device=device())
    steps = _recorded(device()).steps(ids)
    return True, steps.q[:, :, :L], steps.k[:, :, :S]


@functools.lru_cache(maxsize=2)
def _recorded(on: torch.device) -> reader.Reader:
    return reader.recorded().to(on)


def _whole_numbers(seed: int, name: str, B: int, H: int, rows: int, D: int) -> Float[Tensor, "B H rows D"]:
    """Whole numbers from -3 to 3 without 0. A number stays the same when a size changes."""
    row_numbers = [(b * _HEADS + h) * _ROWS + row for b in range(B) for h in range(H) for row in range(rows)]
    numbers = normal(seed, name, row_numbers, D).double()
    whole = numbers.abs().mul(1.5).ceil().clamp(1, 3).copysign(numbers)
    return whole.float().view(B, H, rows, D).to(device())
