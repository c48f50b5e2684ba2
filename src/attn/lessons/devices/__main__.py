"""Cut one layer across processes, and compare them with one process, in a terminal:

    python -m attn.lessons.devices --cut H --ranks 4
    torchrun --nproc-per-node 4 -m attn.lessons.devices --cut L --device cuda

The first forks ranks on this machine, which speak over the loopback interface. torchrun starts them on several machines, or with
a GPU for each. The exit code is 0 if every rank has its part of the output of one process, 1 if not, 2 if the command or a size
does not fit. torchrun itself ends with 1 whenever a rank does not end with 0.
"""

import argparse
import math
import os
import sys
from collections.abc import Sequence
from typing import Any

import torch
import torch.distributed as dist

from attn.layer import MultiHeadAttention
from attn.lessons.devices.costs import Sizes, messages
from attn.lessons.devices.cuts import CUTS
from attn.lessons.devices.processes import RankError, ranks, sent
from attn.shapes import ShapeError
from attn.trace.table import as_shape, table

AXIS_OF_Y = {"B": 0, "H": None, "L": 1, "E": 2}  # the axis that a rank has a part of; None: it has all of y
ROUNDING = 1e-4


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code."""
    options = _parser().parse_args(arguments)
    N, complaint = _number_of_ranks(options)
    if not options.D and options.E < options.H:
        complaint = (
            complaint or f"--E {options.E} is less than --H {options.H}, so a head would have no channel. Say --D, or fewer heads."
        )
    if complaint:
        print(complaint, file=sys.stderr)
        return 2
    sizes = Sizes(options.B, options.L, options.E, options.H, options.G or options.H, options.D or options.E // options.H)
    try:
        torch.manual_seed(options.seed)
        layer = MultiHeadAttention(sizes.E, sizes.H, G=sizes.G, D=sizes.D, bias=False)
        x = torch.randn(sizes.B, sizes.L, sizes.E)

        def work(rank: int, N: int) -> dict[str, Any]:
            return _compared(options.cut, layer.to(options.device), x.to(options.device), rank, N)

        if "RANK" in os.environ:
            return _under_torchrun(work, options, sizes)
        if options.device == "cuda":
            print(f"A GPU for each rank: torchrun --nproc-per-node {N} -m attn.lessons.devices --cut {options.cut} --device cuda")
            return 2
        return _report(ranks(N, work, options.timeout), options, sizes)
    except RankError as error:
        print(error, file=sys.stderr)
        return 2 if error.errors.get(error.rank, "").startswith("ShapeError") else 1
    except (ShapeError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2


# What torchrun gives to each process that it starts.
_FROM_TORCHRUN = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")


def _number_of_ranks(options: argparse.Namespace) -> tuple[int, str]:
    """How many ranks there are, and a complaint if the environment is not torchrun's. WORLD_SIZE alone is another program's."""
    if "RANK" not in os.environ:
        return options.ranks, ""
    if missing := [name for name in _FROM_TORCHRUN if name not in os.environ]:
        return (
            0,
            f"RANK is set, and {', '.join(missing)} not. torchrun sets all of them; to fork ranks on this machine, unset RANK.",
        )
    for name in ("RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_PORT"):
        if not os.environ[name].isdecimal():
            return 0, f"{name} is {os.environ[name]!r}; torchrun sets a whole number. To fork ranks on this machine, unset RANK."
    return int(os.environ["WORLD_SIZE"]), ""


def _size(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; give a whole number above 0")
    return int(text)


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**64:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed; give a whole number from 0 to 2^64 - 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; give seconds, above 0 and below a million")
    return seconds


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m attn.lessons.devices", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cut", choices=CUTS, default="H", help="the axis that is cut: batch, heads, length or width")
    parser.add_argument("--ranks", type=_size, default=2, help="processes; torchrun has its own number")
    for name, size in (("B", 4), ("L", 8), ("E", 12), ("H", 4), ("G", None), ("D", None)):
        parser.add_argument(f"--{name}", type=_size, default=size)
    parser.add_argument("--seed", type=_seed, default=0)
    parser.add_argument("--timeout", type=_seconds, default=60.0, help="seconds until ranks that have not returned are ended")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda only with torchrun: one GPU for each rank")
    return parser


@torch.no_grad()
def _compared(letter: str, layer: MultiHeadAttention, x: torch.Tensor, rank: int, N: int) -> dict[str, Any]:
    """What this rank holds and sends, and how far its part of y is from that of one process."""
    want, axis = layer(x, causal=True), AXIS_OF_Y[letter]
    before = _sent()
    own = CUTS[letter](layer, x, rank, N)
    after = _sent()
    mine = want if axis is None else want.chunk(N, axis)[rank]
    shapes = {name: as_shape(one.shape) for name, one in own.items()}
    off = float((own["y"] - mine).abs().max())
    return {"shapes": shapes, "off": off, "sent": None if before is None or after is None else after - before}


def _sent() -> int | None:
    """What this rank has sent. In the second barrier everything before the first has arrived."""
    for _ in range(2):
        dist.barrier()
    return sent()


def _under_torchrun(work: Any, options: argparse.Namespace, sizes: Sizes) -> int:
    """Be the rank that torchrun has made of this process; rank 0 reports."""
    if options.device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl" if options.device == "cuda" else "gloo")
    rank, N = dist.get_rank(), dist.get_world_size()
    gathered: list[Any] = [None] * N
    dist.all_gather_object(gathered, work(rank, N))
    dist.destroy_process_group()
    return _report(gathered, options, sizes) if rank == 0 else int(gathered[rank]["off"] > ROUNDING)


def _report(results: list[dict[str, Any]], options: argparse.Namespace, sizes: Sizes) -> int:
    """Print what the ranks have found, and return the exit code."""
    N = len(results)
    formula = 4 * sum(one.sent for one in messages(options.cut, sizes, N))
    columns = ["rank", *results[0]["shapes"], "off by", "bytes sent: formula", "counted, with headers"]
    rows = []
    for rank, one in enumerate(results):
        counted = "" if one["sent"] is None or options.device == "cuda" else f"{one['sent']:,}"  # NCCL has its own ways
        rows.append([rank, *one["shapes"].values(), f"{one['off']:.0e}", f"{formula:,.0f}", counted])
    print(table(columns, rows))
    equal = all(one["off"] <= ROUNDING for one in results)
    outcome = "equal to one process, up to rounding." if equal else "NOT equal to one process."
    print(f"Cut {options.cut} on {N} rank{'s' * (N > 1)}: {outcome}")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
