"""Cut one layer across processes, and compare them with one process, in a terminal:

    python -m attn.lessons.devices --cut H --ranks 4
    torchrun --nproc-per-node 4 -m attn.lessons.devices --cut L --device cuda

The first forks ranks on this machine, which speak over the loopback interface. torchrun starts them on several machines, or with
a GPU for each. The exit code is 0 if every rank has its part of the output of one process, 1 if not, 2 if a size does not fit.
"""

import argparse
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
    N = int(os.environ.get("WORLD_SIZE", options.ranks))
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m attn.lessons.devices", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cut", choices=CUTS, default="H", help="the axis that is cut: batch, heads, length or width")
    parser.add_argument("--ranks", type=int, default=2, help="processes; torchrun has its own number")
    for name, size in (("B", 4), ("L", 8), ("E", 12), ("H", 4), ("G", None), ("D", None)):
        parser.add_argument(f"--{name}", type=int, default=size)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds until ranks that have not returned are ended")
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
    print(f"Cut {options.cut} on {N} ranks: {'equal to one process, up to rounding.' if equal else 'NOT equal to one process.'}")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
