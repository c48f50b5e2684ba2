"""Which letters an axis may have, judged by its size alone."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["MERGED", "Letters"]

# What attention code merges into one axis. H+2G: the heads of q, k and v in one tensor; H/G: query heads per k/v head.
MERGED = (
    *("H·D", "G·D", "2·G·D", "2·H·D", "3·H·D", "(H+2G)·D", "2·E", "3·E", "4·E"),
    *("H·Dv", "G·Dv", "H·D+G·D+G·Dv", "G·D+G·Dv"),
    *("2·G", "3·H", "H+2G", "H/G", "H/G·L"),
    *("B·H", "B·G", "B·L", "B·S", "B·H·L", "B·H·S", "H·L", "L·D", "S·D", "L·S"),
)
_ONCE = {"B", "H", "G"}  # letters that name one axis of a tensor at most; (L, L) and (E, E) are common


class Letters:
    """Names axes by their sizes: Letters({"B": 2, "L": 5}).of((2, 5, 10, 7)) is ("B", "L", "B·L", "7").

    A letter takes precedence over a product, and E over H·D where they are equal. If several fit, all are named: "L|S".
    """

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = dict(sizes)
        E, H, D, G = (self.sizes.get(letter, 0) for letter in "EHDG")
        self._E_is_HD = 0 < E == H * D
        factors = {**self.sizes, "H+2G": H + 2 * G, "(H+2G)": H + 2 * G, "H/G": H // G} if H and G else self.sizes
        self._letters = _by_size(self.sizes.items())
        self._merged = _by_size(self._products(factors))

    def of(self, shape: Sequence[int]) -> tuple[str, ...]:
        """One name for each axis; the number itself where nothing fits."""
        letters = ["|".join(self._letters.get(size, ())) for size in shape]
        apart = {*_ONCE, "D", "Dv"} & set(letters)  # an axis that stands alone is not merged into another one as well
        axes = [
            letter or "|".join(label for label in self._merged.get(size, ()) if not apart & _letters_in(label)) or str(size)
            for letter, size in zip(letters, shape, strict=True)
        ]
        for letter in _ONCE & set(axes):
            # A tensor has one such axis at most, and none of heads beside the whole width E. A second 3 may be q, k and v.
            if axes.count(letter) > 1 or (letter != "B" and "E" in axes and "D" not in axes):
                axes = [f"{size}|{letter}" if axis == letter else axis for axis, size in zip(axes, shape, strict=True)]
        return tuple(axes)

    def notes(self, axes: Iterable[tuple[str, int]]) -> Iterator[str]:
        """What a reader of these axes and sizes must know: a sentence for each ambiguous axis."""
        axes = dict.fromkeys(axes)
        for axis, size in axes:
            *others, last = axis.split("|")
            if others == [str(size)]:
                yield f"{last} is {size}, and so is an axis that need not be {last} ({axis}): choose another {last}."
            elif others:
                all_of = f"{', '.join(others)} and {last} are {'both' if len(others) == 1 else 'all'}"
                yield f"{all_of} {size} here, so the trace cannot tell them apart: choose different sizes."
        if self._E_is_HD and any(axis == "E" for axis, _ in axes):
            yield f"E = H·D = {self.sizes['E']}"

    def _products(self, factors: Mapping[str, int]) -> Iterator[tuple[str, int]]:
        for label in MERGED:
            terms = [[label]] if label in factors else [term.split("·") for term in re.split(r"\+(?![^(]*\))", label)]
            counts = [[int(part) if part.isdigit() else factors.get(part, 0) for part in term] for term in terms]
            known = all(count > 0 for term in counts for count in term)
            has_shorter_name = any(1 in term for term in counts) or (self._E_is_HD and {"H", "D"} <= {*terms[0]})
            if known and not has_shorter_name:
                yield label, sum(math.prod(term) for term in counts)


def _letters_in(label: str) -> set[str]:
    """The letters in a product or sum: H, G and Dv in "(H+2G)·Dv"."""
    return set(re.findall("[A-Z][a-z]*", label))


def _by_size(labels: Iterable[tuple[str, int]]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for label, size in labels:
        found.setdefault(size, []).append(label)
    return found
