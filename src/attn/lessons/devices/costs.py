"""What a cut costs, by formula: the numbers that each device holds, and those that it sends in one layer."""

from dataclasses import dataclass

__all__ = ["Message", "Sizes", "count_weights", "held", "messages"]


@dataclass(frozen=True)
class Sizes:
    """The sizes of a layer without biases, and of its input."""

    B: int
    L: int
    E: int
    H: int
    G: int
    D: int


@dataclass(frozen=True)
class Message:
    """A message of a layer. what: the tensor. how: "all-reduce" or "ring". devices: how many take part in it. numbers: those of the
    tensor; in a ring, of all devices together. sent: how many numbers each device sends. backward: whether it belongs to the
    backward pass."""

    what: str
    how: str
    devices: int
    numbers: int
    sent: float
    backward: bool = False


def count_weights(sizes: Sizes) -> int:
    """The numbers in W_QKV and W_O."""
    return (2 * sizes.H + 2 * sizes.G) * sizes.D * sizes.E


def messages(cut: str, sizes: Sizes, N: int, training: bool = False) -> list[Message]:
    """What each of N devices sends in one layer if this axis is cut: forward, and backward too in training.

    In an all-reduce each device sends 2(N - 1)/N of the tensor: all but its own N-th part while the parts are added up, and as much
    again while the sums are handed round (Patarasu and Yuan 2009). In a ring it sends its N-th part N - 1 times.
    If H is cut and N is above G, N / G devices have copies of a key/value head, and add up the gradients of its weights.
    """
    B, L, E, H, G, D = sizes.B, sizes.L, sizes.E, sizes.H, sizes.G, sizes.D
    kv = 2 * B * G * L * D

    def summed(what: str, numbers: int, backward: bool = False, devices: int = N) -> Message:
        return Message(what, "all-reduce", devices, numbers, 2 * (devices - 1) * numbers / devices, backward)

    def handed_round(what: str, numbers: int, backward: bool = False) -> Message:
        return Message(what, "ring", N, numbers, (N - 1) * numbers / N, backward)

    gradients = summed("gradients of the weights", count_weights(sizes), True)
    copies = [summed("gradients of W_K and W_V", 2 * D * E, True, N // G)] if N > G else []
    forward, back = {
        "B": ([], [gradients]),
        "H": ([summed("y", B * L * E)], [summed("gradient of x", B * L * E, True), *copies]),
        "L": ([handed_round("k and v", kv)], [handed_round("gradients of k and v", kv, True), gradients]),
        "E": ([summed("q, k and v", B * L * (H + 2 * G) * D)], [summed("gradient of the heads", B * L * H * D, True)]),
    }[cut]
    sent = [*forward, *(back if training else [])]
    return sent if N > 1 else []


def held(cut: str, sizes: Sizes, N: int) -> dict[str, int]:
    """The numbers that each of N devices holds, by tensor. A device holds at least one key/value head."""
    B, L, E, H, G, D = sizes.B, sizes.L, sizes.E, sizes.H, sizes.G, sizes.D
    b, e, h, n = (size // N if cut == letter else size for letter, size in (("B", B), ("E", E), ("H", H), ("L", L)))
    g = max(1, G // N) if cut == "H" else G
    return {
        "x": b * n * e,
        "W_QKV": (h + 2 * g) * D * e,
        "W_O": h * D * e,
        "q": b * h * n * D,
        "k and v": 2 * b * g * n * D,
        "scores": b * h * n * L,
        "y": b * n * e,
    }
