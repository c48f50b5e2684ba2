"""A checker for the bytes of a cache: what must they grow with, and what must they not grow with?"""

from collections.abc import Callable, Iterator
from typing import Any

from attn.check.answers import conclude, describe, run
from attn.check.verdict import Verdict

__all__ = ["cache_bytes"]


def cache_bytes(answer: Callable[[int, int, int, int, int, int, int], float]) -> Verdict:
    """Check the bytes of all keys and values of a model: answer(layers, B, H, G, S, D, number), with `number` bytes per number.

    The checker doubles one size after the other. The verdict names the first whose effect is wrong, and then a wrong factor.
    """
    praise = "The cache holds 2 · layers · B · G · S · D numbers: a key and a value for each of S tokens and G key/value heads."
    return conclude(_wrong(answer), praise)


_SIZES = {"layers": 5, "B": 3, "H": 8, "G": 4, "S": 7, "D": 6, "number": 2}
_OTHERS = ({"layers": 1, "B": 1, "H": 1, "G": 1, "S": 1, "D": 1, "number": 1}, {**_SIZES, "H": 24, "G": 8, "S": 11, "D": 10})

_GROWS = {
    "layers": "Every layer keeps keys and values of its own.",
    "B": "Every sequence has a cache of its own.",
    "G": "Every key/value head keeps keys and values of its own.",
    "S": "The keys and values of all S tokens are kept, and their scores are not.",
    "D": "A key has D numbers, and a value too.",
    "number": "This counts numbers. Each of them takes `number` bytes.",
}
_STAYS = "H counts the query heads, and queries are not kept. The G key/value heads are."
_FACTORS = (
    (0.5, "Keys are kept, and so are values: two tensors of the same size."),
    (2.0, "Keys and values are two tensors; you have counted them twice."),
    (8.0, "This looks like bits: `number` is in bytes."),
)


def _bytes(layers: int, B: int, H: int, G: int, S: int, D: int, number: int) -> int:
    return 2 * layers * B * G * S * D * number


def _wrong(answer: Callable[..., float]) -> Iterator[str]:
    base, complaint = _run(answer, _SIZES)
    yield complaint
    if not base:
        yield f"{describe(_SIZES)}, your code returns 0; the cache has {_bytes(**_SIZES):,} bytes."
    for name in ("H", *_GROWS):
        got, complaint = _run(answer, {**_SIZES, name: 2 * _SIZES[name]})
        yield complaint
        factor, want = got / base, 1 if name == "H" else 2
        if abs(factor - want) > 1e-6:
            change = "stays the same" if factor == 1 else f"grows by a factor of {factor:.3g}"
            right = "stay the same" if name == "H" else "double"
            yield f"If {name} doubles, your result {change}; the bytes must {right}. {_STAYS if name == 'H' else _GROWS[name]}"
    for sizes in (_SIZES, *_OTHERS):
        got, complaint = _run(answer, sizes)
        yield complaint
        want = _bytes(**sizes)
        if abs(got / want - 1) > 1e-6:
            hint = next((hint for factor, hint in _FACTORS if got == factor * want), "")
            yield f"{describe(sizes)}, your code returns {got:,.0f}; the cache has {want:,} bytes. {hint}".rstrip()


def _run(answer: Callable[..., float], sizes: dict[str, int]) -> tuple[Any, str]:
    """The result as a number, and a complaint if there is none."""
    got, complaint = run(lambda *given: float(answer(*given)), sizes)
    return got, complaint
