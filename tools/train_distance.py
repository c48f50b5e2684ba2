"""Train networks on a task over a distance, with several seeds, and record the right answers: python tools/train_distance.py

Writes src/attn/lessons/distance.json, from which chapter 19 takes what one training cannot show. It takes about five minutes.
"""

from typing import Any

import torch
from trainings import told, write

from attn.lessons import distance

DIGITS = 3
SEEDS = range(5)
LONG_SEEDS = range(3)
LONG = {"L": 64, "lr": 3e-3}
LONG_BACKS = (0, 1, 4, 8, 16, 31, 40, 50, 63)
LONG_MARKS = (300, 1500)  # steps after which answers are counted
LONG_NETWORKS = ("attention", "LSTM", "RNN")


def main() -> None:
    torch.set_num_threads(1)
    found = {
        "short": [short(name, seed) for name in distance.NETWORKS for seed in SEEDS],
        "long": [long(name, seed) for name in LONG_NETWORKS for seed in LONG_SEEDS],
    }
    write(distance.TRAININGS, found)


def short(name: str, seed: int) -> dict[str, Any]:
    """The shares of right answers after 250 steps on 32 words."""
    model = distance.train_network(name, seed)
    right = distance.accuracy_by_distance(model)
    return told({"network": name, "seed": seed, "backs": distance.BACKS, "right": right}, DIGITS)


def long(name: str, seed: int, marks: tuple[int, ...] = LONG_MARKS) -> dict[str, Any]:
    """The shares of right answers in 64 words, at some steps."""
    right: list[list[float]] = []

    def watch(model: distance.LastWord, step: int) -> None:
        if step in marks:
            right.append(distance.accuracy_by_distance(model, LONG_BACKS, L=LONG["L"]))

    distance.train_network(name, seed, steps=marks[-1], **LONG, watch=watch)
    return told({"network": name, "seed": seed, "backs": LONG_BACKS, "steps": marks, "right": right}, DIGITS)


if __name__ == "__main__":
    main()
