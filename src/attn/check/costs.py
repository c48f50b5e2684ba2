"""Checkers for what decoding costs: the bytes of a cache, and the tokens per second that they allow."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from attn.check.answers import conclude, describe, run
from attn.check.verdict import Verdict

__all__ = ["cache_bytes", "tokens_per_second"]


def cache_bytes(answer: Callable[[int, int, int, int, int, int, int], float]) -> Verdict:
    """Check the bytes of all keys and values of a model: answer(layers, B, H, G, S, D, number), with `number` bytes per number.

    The checker doubles one size after the other. The verdict names the first whose effect is wrong, and then a wrong factor.
    """
    praise = "The cache holds 2 · layers · B · G · S · D numbers: a key and a value for each of S tokens and G key/value heads."
    return conclude(_wrong(answer), praise)


_SIZES = {"layers": 5, "B": 3, "H": 8, "G": 4, "S": 7, "D": 6, "number": 2}
_OTHERS = ({"layers": 1, "B": 1, "H": 1, "G": 1, "S": 1, "D": 1, "number": 1}, {**_SIZES, "H": 24, "G": 8, "S": 10_000, "D": 4})

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
            digits = 3 if abs(factor - round(factor)) > 0.01 or factor == round(factor) else 6  # not "a factor of 2" for 1.9999
            change = "stays the same" if factor == 1 else f"grows by a factor of {factor:.{digits}g}"
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
    if not complaint and not math.isfinite(got):
        complaint = f"{describe(sizes)}, your code returns {got}; the cache has {_bytes(**sizes):,} bytes."
    return got, complaint


Rate = Callable[[int, float, float, float, float, float], float]


def tokens_per_second(answer: Rate) -> Verdict:
    """Check the most tokens per second in decoding: answer(B, parameters, cache, flops, bandwidth, peak).

    parameters: the bytes of them that a step reads. cache: the bytes of one sequence. flops: for one token. bandwidth: bytes per
    second. peak: FLOPs per second. The verdict names the first step with a wrong result, and the mistake if one formula
    explains all of them.
    """
    praise = (
        "The step takes the longer of both times. The batch shares the parameters, and each sequence brings its cache and its work."
    )
    return conclude(_wrong_rates(answer), praise)


# Two steps that wait for memory, and one for arithmetic; then one of each, so that no number of sequences alone decides.
_STEPS = tuple(
    {"B": B, "parameters": parameters, "cache": cache, "flops": flops, "bandwidth": 3e12, "peak": 900e12}
    for B, parameters, cache, flops in (
        (1, 15e9, 0.5e9, 17e9),
        (64, 15e9, 0.5e9, 17e9),
        (1000, 15e9, 0.01e9, 15e9),
        (400, 15e9, 0.01e9, 17e9),
        (2000, 15e9, 0.5e9, 17e9),
    )
)


# Tokens per second, from the batch and three times: to read the parameters, to read a cache, to compute a token.
_Formula = Callable[[int, float, float, float], float]


def _rate(B: int, read: float, cache: float, work: float) -> float:
    return B / max(read + B * cache, B * work)


_RATES: tuple[tuple[_Formula, str], ...] = (
    (lambda B, read, cache, work: 1 / work, "This is the time of the arithmetic alone. How long does the step take to read?"),
    (
        lambda B, read, cache, work: B / (read + B * cache),
        "This is the time of the memory alone. With a large batch and short caches the arithmetic takes longer.",
    ),
    (
        lambda B, read, cache, work: B / (read + B * cache + B * work),
        "The times are added. At best a device reads while it computes: the longer one counts.",
    ),
    (
        lambda B, read, cache, work: B / min(read + B * cache, B * work),
        "The step cannot end before the longer of both times is over; this is the shorter.",
    ),
    (
        lambda B, read, cache, work: B / max(B * (read + cache), B * work),
        "The parameters are read once for each sequence here. One step reads them once for all.",
    ),
    (
        lambda B, read, cache, work: B / (B * (read + cache) + B * work),
        "The parameters are read once for each sequence here; one step reads them once for all. And the times are added; the "
        "longer one counts.",
    ),
    (
        lambda B, read, cache, work: B / max(read + cache, B * work),
        "Only one cache is read here. Each of the B sequences has its own.",
    ),
    (
        lambda B, read, cache, work: B / max(read, B * work),
        "No cache is read here. Each of the B sequences has its own.",
    ),
    (lambda B, read, cache, work: _rate(B, read, cache, work) / B, "These are steps per second. Each step gives B tokens."),
    (lambda B, read, cache, work: B / _rate(B, read, cache, work), "These are seconds per step. Each step gives B tokens."),
)


def _wrong_rates(answer: Rate) -> Iterator[str]:
    results = []
    for step in _STEPS:
        got, complaint = run(lambda *given: float(answer(*given)), step, _about(step))
        yield complaint
        results.append(got)
    for step, got in zip(_STEPS, results, strict=True):
        want = _of(_rate, step)
        if not math.isclose(got, want, rel_tol=0.001):
            hint = next((hint for formula, hint in _RATES if _explains(formula, results)), "")
            yield f"{_about(step)}, your code gives {got:.4g} tokens per second; it must be {want:.4g}. {hint}".rstrip()


def _about(step: dict[str, Any]) -> str:
    sizes = ", ".join(f"{name} = {value:g}" for name, value in step.items())
    return f"For {sizes}"


def _explains(formula: _Formula, results: list[float]) -> bool:
    return all(math.isclose(got, _of(formula, step), rel_tol=0.001) for got, step in zip(results, _STEPS, strict=True))


def _of(formula: _Formula, step: dict[str, Any]) -> float:
    bandwidth = step["bandwidth"]
    return formula(step["B"], step["parameters"] / bandwidth, step["cache"] / bandwidth, step["flops"] / step["peak"])
