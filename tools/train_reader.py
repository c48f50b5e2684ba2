"""Train the layer of the running example, print what its heads do, and record its weights: python tools/train_reader.py

Writes src/attn/lessons/reader.json, which the labs load. One training takes about ten seconds on one core. With --seeds 10 nothing
is written: ten readers are trained, and a line for each says whether its heads have separate jobs.
"""

import argparse
import dataclasses
import json

import torch

from attn.lessons import language, reader
from attn.lessons import reader_training as training
from attn.lessons.reader_training import Measured

SEED = 5  # one of the seeds whose heads have separate jobs
LEAST = 0.8  # the share of its answers' weight that a head with a job of its own has at least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, help="train readers with this many seeds, and record none")
    options = parser.parse_args()
    torch.set_num_threads(1)
    sentences, held_out = training.split()
    if options.seeds is None:
        write(sentences, held_out)
    else:
        compare(range(options.seeds), sentences, held_out)


def write(sentences: list[list[str]], held_out: list[list[str]]) -> None:
    """Train with SEED, record the rounded weights, and print what is measured with them."""
    losses: list[float] = []
    trained = training.train_reader(SEED, sentences=sentences, watch=lambda loss: losses.append(float(loss)))
    print("loss:", ", ".join(f"{loss:.3f}" for loss in losses[::200]), f"... {losses[-1]:.3f}")
    trained = training.in_order(trained, held_out)
    weights = reader.matrices(trained)
    rows = training.measure(reader.loaded(weights), held_out)
    show(rows)
    if not separate(rows):
        raise SystemExit(f"Nothing is recorded: a head has less than {LEAST} of the weight on its answers. Choose another SEED.")
    record = {
        "classes": language.CLASSES,
        "examples": language.EXAMPLES[:4],
        "heads": reader.HEADS,
        **weights,
        "measured": {"sentences": len(held_out), "questions": [dataclasses.asdict(row) for row in rows]},
        "training": {"seed": SEED, "sentences": len(sentences)},
    }
    reader.RECORD.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"Wrote {reader.RECORD.name}, {reader.RECORD.stat().st_size} bytes.")


def compare(seeds: range, sentences: list[list[str]], held_out: list[list[str]]) -> None:
    """Print for each seed what its heads do, and how many readers have heads with separate jobs."""
    count = 0
    for seed in seeds:
        rows = training.measure(training.train_reader(seed, sentences=sentences), held_out)
        count += separate(rows)
        shares = ", ".join(f"{row.asks}: {row.question} {max(row.shares):.2f} @ {best(row)}" for row in rows)
        print(f"seed {seed}: {shares}; {'separate' if separate(rows) else 'shared'}", flush=True)
    print(f"{count} of {len(seeds)} readers have heads with separate jobs.")


def best(row: Measured) -> int:
    """The head that looks most at the answers."""
    return row.shares.index(max(row.shares))


def separate(rows: list[Measured]) -> bool:
    """Whether each question has a head of its own."""
    heads = {question: {best(row) for row in rows if row.question == question} for question in reader.ASKED}
    return len(set().union(*heads.values())) == len(heads) and min(max(row.shares) for row in rows) >= LEAST


def show(rows: list[Measured]) -> None:
    """Print the table of what was measured."""
    print("question              weight on the answer, head 0 1 2     right     right without head 0 1 2")
    for row in rows:
        shares, without = (" ".join(f"{one:6.3f}" for one in some) for some in (row.shares, row.without))
        print(f"{row.asks + ': ' + row.question:22}{shares:>28}{row.accuracy:>16.3f}{without:>30}")


if __name__ == "__main__":
    main()
