"""Train with many seeds, and record what comes out: python tools/train_seeds.py

Writes src/attn/lessons/seeds.json, from which chapter 13 takes what one training cannot show. It takes about ten minutes.
"""

from typing import Any

import torch
from trainings import told, write

from attn.lessons import induction, language
from attn.lessons import reader_training as training
from attn.lessons.reader import ASKED
from attn.lessons.training import Recording

DIGITS = 4
MARKS = (300, 1000, 2000, 4000, 8000, 16000)  # steps of one layer
SEEDS, READERS = range(8), range(10)
MIDDLE = 400  # a step at which the readers answer right, but their heads still differ from those at the end
CLEAR = 0.98  # a reader answers right if at least this share of the answers to each question is right
EVERY = 25


def main() -> None:
    torch.set_num_threads(1)
    found = {
        "one layer": [one_layer(seed) for seed in range(3)],
        "two layers": [two_layers(seed) for seed in SEEDS],
        "readers": [reader(seed, decay) for decay in (1.0, 0.0) for seed in READERS],
    }
    write(induction.RECORD, found)


def one_layer(seed: int, marks: tuple[int, ...] = MARKS) -> dict[str, Any]:
    """The loss at some steps, averaged over the 100 steps before, and the share of sequences that the model continues."""
    losses: list[float] = []
    model = induction.train(induction.learner(1, seed), marks[-1], seed=seed, watch=lambda loss: losses.append(float(loss)))
    means = [sum(losses[mark - 100 : mark]) / 100 for mark in marks]
    return told({"seed": seed, "steps": marks, "losses": means, "continued": induction.continued(model)}, DIGITS)


def two_layers(seed: int, steps: int = 300) -> dict[str, Any]:
    """The same for two layers after few steps; what their heads do, when they begin to, and what patching shows."""
    model = induction.learner(2, seed)
    recording = Recording(model, induction.watched()[0], name="go on", every=5)
    induction.train(model, steps + 1, seed=seed, watch=recording.keep)
    heads = induction.heads(recording.weights)
    given = induction.batch(torch.Generator().manual_seed(99), B=500)
    return told(
        {
            "seed": seed,
            "losses": [sum(recording.losses[-100:]) / 100],
            "continued": induction.continued(model),
            **{name: of[-1].tolist() for name, of in heads.items()},
            "rises": {name: induction.rises(recording, of) for name, of in heads.items()},
            "patched": {what: induction.patched(model, *given, what) for what in ("", "Q", "K", "V")},
        },
        DIGITS,
    )


def reader(seed: int, weight_decay: float) -> dict[str, Any]:
    """When the answers are right; what the two best heads of each question do then, and at the end; cosines within classes.

    At the end also the class that the words which ask score highest.
    """
    sentences, held_out = training.split(held_out=400)
    test, learning = training.encode(held_out), training.fresh(seed)
    right: list[float] = []
    middle: list[float] = []
    losses: list[torch.Tensor] = []

    def watch(loss: torch.Tensor) -> None:
        step = len(losses)
        losses.append(loss)
        if step % EVERY == 0:
            right.append(min(training.accuracies(learning, test).values()))
        if step == MIDDLE:
            middle.extend(training.two_heads(learning, held_out))

    training.train_reader(seed, reader=learning, weight_decay=weight_decay, sentences=sentences, watch=watch)
    wrong = [n for n, share in enumerate(right) if share < CLEAR]
    return told(
        {
            "seed": seed,
            "weight decay": weight_decay,
            "right from step": (wrong[-1] + 1) * EVERY,
            "right": min(training.accuracies(learning, test)[question] for question in ASKED),
            "heads in the middle": middle,
            "heads": training.two_heads(learning, held_out),
            "cosines": {name: training.closest(learning, name) for name in language.CLASSES},
            "highest": training.highest(learning, held_out),
        },
        DIGITS,
    )


if __name__ == "__main__":
    main()
