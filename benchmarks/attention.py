"""The time and memory of attention in this package, compared with other implementations. Prints tables.

All implementations run in one process, in interleaved rounds and random order. A ratio is the median over the rounds of the ratio
within one round. Rely on the ratios: absolute times depend on the machine and its load.

    python benchmarks/attention.py [--rounds 21] [--threads 2]
"""

import argparse
import gc
import os
import platform
import random
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils import benchmark
from torch.utils.benchmark.utils.timer import timer  # waits for the GPU

import attn

DEVICE = attn.device()
Run = Callable[[], object]
FLOOR = "floor: packed + SDPA"


class Floor(nn.Module):
    """The minimum with PyTorch's public functions: packed projections and one fused attention, without checks."""

    def __init__(self, layer: attn.MultiHeadAttention) -> None:
        super().__init__()
        self.H, self.D, self.qkv, self.out = layer.H, layer.D, layer.W_QKV, layer.W_O

    def forward(self, x: Tensor, causal: bool = False) -> Tensor:
        B, L, _ = x.shape
        q, k, v = self.qkv(x).view(B, L, 3, self.H, self.D).permute(2, 0, 3, 1, 4).unbind()
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return self.out(heads.transpose(1, 2).flatten(2))


class Eager(Floor):
    """The same with two explicit products, as textbooks write it. It stores the scores and keeps every tensor."""

    def forward(self, x: Tensor, causal: bool = False) -> Tensor:
        B, L, _ = x.shape
        q, k, v = self.qkv(x).view(B, L, 3, self.H, self.D).permute(2, 0, 3, 1, 4).unbind()
        scores = q @ k.transpose(-2, -1)
        scaled = scores / self.D**0.5
        masked = scaled
        if causal:
            masked = scaled.masked_fill(torch.ones(L, L, dtype=torch.bool, device=x.device).triu(1), -torch.inf)
        weights = masked.softmax(-1)
        heads = weights @ v
        self.kept = (q, k, v, scores, scaled, masked, weights, heads)
        return self.out(heads.transpose(1, 2).flatten(2))


def seconds_per_call(runs: dict[str, Run], rounds: int) -> dict[str, list[float]]:
    """The time of one call of each function, in every round. A round times all functions, in random order."""
    timers = {
        name: benchmark.Timer("run()", globals={"run": run}, num_threads=torch.get_num_threads()) for name, run in runs.items()
    }
    once = {name: timers[name].timeit(3).mean for name in runs}  # a first call also loads and allocates
    repeats = {name: max(1, round(0.01 / seconds)) for name, seconds in once.items()}
    if max(once.values()) < 0.02:  # short runs are noisy
        rounds *= 6
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    order = random.Random(0)  # in a fixed order, each function would always run after the same other one
    for _ in range(rounds):
        for name in order.sample(list(runs), len(runs)):
            seconds[name].append(timers[name].timeit(repeats[name]).mean)
    return seconds


def milliseconds(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1e3:.3f}"


def ratio(seconds: list[float], base: list[float]) -> str:
    return f"{statistics.median(one / other for one, other in zip(seconds, base, strict=False)):.2f}"


def peak_mib(run: Run) -> float | None:
    """The peak of memory above what was allocated before, in MiB; None where the system does not report it."""
    run()
    if DEVICE.type == "cuda":
        torch.cuda.reset_peak_memory_stats()
        held = torch.cuda.memory_allocated()
        run()
        return (torch.cuda.max_memory_allocated() - held) / 2**20
    try:
        Path("/proc/self/clear_refs").write_text("5")  # resets the high-water mark
        held = _status("VmRSS")
        run()
        return (_status("VmHWM") - held) / 1024
    except OSError:
        return None


def _status(key: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(key))


def layers(E: int, H: int, D: int, dtype: torch.dtype) -> tuple[attn.MultiHeadAttention, Floor, Eager]:
    """Three ways to compute with the same weights. They share them in memory: where weights lie affects the time to read them."""
    ours = attn.MultiHeadAttention(E, H, D=D).to(DEVICE, dtype)
    return ours, Floor(ours), Eager(ours)


def torch_layer(E: int, H: int, dtype: torch.dtype) -> nn.MultiheadAttention:
    """PyTorch's own layer, whose heads are always E / H wide."""
    return nn.MultiheadAttention(E, H, batch_first=True).to(DEVICE, dtype).eval()


def bench_layer(title: str, shape: tuple[int, int, int, int, int], causal: bool, dtype: torch.dtype, rounds: int) -> None:
    B, L, E, H, D = shape
    ours, floor, eager = layers(E, H, D, dtype)
    x = torch.randn(B, L, E, device=DEVICE, dtype=dtype)
    forwards: dict[str, Callable[[Tensor], Tensor]] = {
        "attn": lambda x: ours(x, causal=causal),
        FLOOR: lambda x: floor(x, causal),
        "plain eager": lambda x: eager(x, causal),
        "attn, steps kept": lambda x: ours.steps(x, causal=causal).y,
    }
    if E == H * D:
        module = torch_layer(E, H, dtype)
        blocked = ~attn.masks.causal(L, device=DEVICE) if causal else None
        forwards |= {
            "nn.MultiheadAttention": lambda x: module(x, x, x, need_weights=False, attn_mask=blocked, is_causal=causal)[0],
            "  with weights": lambda x: module(x, x, x, average_attn_weights=False, attn_mask=blocked)[0],
        }

    def infer(forward: Callable[[Tensor], Tensor]) -> Run:
        def run() -> Tensor:
            with torch.inference_mode():
                return forward(x)

        return run

    def train(forward: Callable[[Tensor], Tensor]) -> Run:
        leaf = x.clone().requires_grad_()
        return lambda: forward(leaf).sum().backward()

    alone = seconds_per_call({name: infer(forward) for name, forward in forwards.items()}, rounds)
    both = seconds_per_call({name: train(forward) for name, forward in forwards.items()}, max(5, rounds // 2))
    columns = ["layer", "forward ms", "÷ floor", "+ backward ms", "÷ floor"]
    rows = [
        [name, *(cell for times in (alone, both) for cell in (milliseconds(times[name]), ratio(times[name], times[FLOOR])))]
        for name in forwards
    ]
    show(f"{title}: (B, L, E, H, D) = {shape}{', causal' if causal else ''}, {dtype}".replace("torch.", ""), columns, rows)


def bench_memory(L: int = 2048, E: int = 768, H: int = 12) -> None:
    ours, floor, eager = layers(E, H, E // H, torch.float32)
    module = torch_layer(E, H, torch.float32)
    x = torch.randn(1, L, E, device=DEVICE)
    runs = {
        "attn": lambda: ours(x),
        FLOOR: lambda: floor(x),
        "nn.MultiheadAttention, with weights": lambda: module(x, x, x)[0],
        "plain eager": lambda: eager(x),
    }
    rows = []
    with torch.inference_mode():
        for name, run in runs.items():
            peak = peak_mib(run)
            rows.append([name, "not measured" if peak is None else f"{peak:.0f}"])
    show(f"Peak memory of one forward pass, (L, E, H) = ({L}, {E}, {H})", ["layer", "MiB"], rows)


def bench_decode(dtype: torch.dtype, rounds: int, N: int = 512, E: int = 768, H: int = 12) -> None:
    """Decode N tokens one at a time with one layer, B = 1: µs per token early, in the middle and late."""
    D = E // H
    ours, floor, _ = layers(E, H, D, dtype)
    tokens = torch.randn(1, N, E, device=DEVICE, dtype=dtype)

    def project(t: int) -> tuple[Tensor, Tensor, Tensor]:
        return floor.qkv(tokens[:, t : t + 1]).view(1, 1, 3, H, D).permute(2, 0, 3, 1, 4).unbind()

    def finish(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return floor.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(1, 1, E))

    def recompute() -> Callable[[int], Tensor]:
        return lambda t: floor(tokens[:, : t + 1], True)[:, -1:]

    def with_cat() -> Callable[[int], Tensor]:
        held: list[Tensor] = []

        def step(t: int) -> Tensor:
            q, k, v = project(t)
            held[:] = (k, v) if not held else (torch.cat((held[0], k), 2), torch.cat((held[1], v), 2))
            return finish(q, *held)

        return step

    def preallocated() -> Callable[[int], Tensor]:
        keys, values = torch.empty(2, 1, H, N, D, device=DEVICE, dtype=dtype)

        def step(t: int) -> Tensor:
            q, k, v = project(t)
            keys[:, :, t : t + 1], values[:, :, t : t + 1] = k, v
            return finish(q, keys[:, :, : t + 1], values[:, :, : t + 1])

        return step

    def only_read() -> Callable[[int], Tensor]:
        """The minimum of a step: it reads the weights once, and the keys and values so far once. It keeps nothing."""
        held = torch.randn(2, 1, H, N, D, device=DEVICE, dtype=dtype)
        queries = torch.randn(1, H, 1, D, device=DEVICE, dtype=dtype)

        def step(t: int) -> Tensor:
            floor.qkv(tokens[:, t : t + 1])
            keys, values = held[:, :, :, : t + 1]
            return finish(queries, keys, values)

        return step

    def with_attn() -> Callable[[int], Tensor]:
        cache = attn.KVCache(1, H, N, D, device=DEVICE, dtype=dtype)
        return lambda t: ours(tokens[:, t : t + 1], causal=True, cache=cache)

    ways = {
        "attn, KVCache": with_attn,
        "preallocated by hand": preallocated,
        "torch.cat": with_cat,
        "recompute": recompute,
        "only reading": only_read,
    }
    marks = {"first 32": slice(0, 32), "middle 32": slice(N // 2 - 16, N // 2 + 16), "last 32": slice(N - 32, N)}
    took: dict[str, list[list[float]]] = {name: [] for name in ways}
    order = random.Random(0)
    with torch.inference_mode():
        for turn in range(rounds):
            for name in order.sample(list(ways), len(ways)):
                if name == "recompute" and turn >= 2:
                    continue
                step = ways[name]()
                took[name].append([_seconds_of_step(step, t) for t in range(N)])
    per_token = {name: [statistics.median(at) for at in zip(*runs, strict=True)] for name, runs in took.items()}
    totals = {name: [sum(run) for run in runs] for name, runs in took.items()}
    rows = [
        [
            name,
            *(f"{statistics.median(times[mark]) * 1e6:.0f}" for mark in marks.values()),
            f"{sum(times) * 1e3:.0f}",
            *(ratio(totals[name], totals[base]) for base in ("attn, KVCache", "only reading")),
        ]
        for name, times in per_token.items()
    ]
    title = f"Decoding {N} tokens, one layer, (E, H) = ({E}, {H}), B = 1, {dtype}: µs per token".replace("torch.", "")
    show(title, ["way", *marks, "total ms", "÷ attn", "÷ only reading"], rows)


def _seconds_of_step(step: Callable[[int], object], t: int) -> float:
    """The time of one step. benchmark.Timer would repeat it, but each call makes the cache longer."""
    gc.disable()
    start = timer()
    step(t)
    seconds = timer() - start
    gc.enable()
    return seconds


def in_a_process_that_returns_memory() -> None:
    """Run `bench_memory` where freed blocks go back to the system at once, so that the high-water mark means something."""
    command = [sys.executable, __file__, "--memory", "--threads", str(torch.get_num_threads())]
    subprocess.run(command, env={**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}, check=True)


def show(title: str, columns: list[str], rows: list[list[str]]) -> None:
    print(f"\n### {title}\n\n{attn.table(columns, rows)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--memory", action="store_true", help="only peak memory")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    if arguments.memory:
        bench_memory()
        return
    cpu = f"{platform.machine()} CPU, {torch.get_num_threads()} threads"
    where = torch.cuda.get_device_name() if DEVICE.type == "cuda" else cpu
    print(f"torch {torch.__version__}, Python {platform.python_version()}, {where}")
    for title, shape, causal in (
        ("Tiny: the overhead of calls", (2, 3, 8, 2, 4), False),
        ("Teaching", (4, 16, 512, 4, 128), False),
        ("The sources' sizes", (32, 128, 512, 8, 64), False),
        ("GPT-2 small", (1, 1024, 768, 12, 64), True),
        ("Gemma 7B, whose heads are wider than E / H", (1, 128, 3072, 16, 256), True),
    ):
        bench_layer(title, shape, causal, torch.float32, arguments.rounds)
    in_a_process_that_returns_memory()
    for dtype in (torch.float32, torch.bfloat16):
        bench_decode(dtype, arguments.rounds)


if __name__ == "__main__":
    main()
