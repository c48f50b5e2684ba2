"""Processes that work together on this machine: start them, end them with the first error, and count what they send.

A rank is one of N processes with a number from 0 to N - 1. They are forked, so they have every tensor and function of the program
that starts them, and they speak over the loopback interface through gloo (`torch.distributed`).
"""

import faulthandler
import os
import pickle
import re
import shutil
import signal
import socket
import stat
import struct
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from torch.utils._pytree import tree_map

__all__ = ["RankError", "ranks", "sent"]

_GRACE = 0.3  # seconds: how long the others may still tell of errors of their own
_others: set[int] = set()  # in a rank: the sockets that it had before it met the others


class RankError(RuntimeError):
    """A rank raised an error, ended or did not return, and all have been ended. `rank` is the first, `errors` are all by rank."""

    def __init__(self, message: str, rank: int, errors: dict[int, str]) -> None:
        super().__init__(message)
        self.rank, self.errors = rank, errors


def ranks(N: int, work: Callable[[int, int], Any], timeout: float = 20.0) -> list[Any]:
    """Call work(rank, N) in N new processes, in which `torch.distributed` is ready, and return what they return, by rank.

    Each has a copy of everything that this process has, and changes only its copy; all begin with the same random numbers. They
    compute on the CPU with one thread each. What they print is printed here when all have returned.

    An error in one of them ends all, and is raised here as RankError, as is a rank that has not returned within `timeout` seconds.
    However this call ends, also if it is interrupted, it leaves no process behind. Raises RuntimeError, with another way to start
    ranks, where processes cannot be forked or cannot speak to each other.
    """
    if N < 1:
        raise ValueError(f"N = {N}: at least one rank is needed.")
    _check_system()
    folder = Path(tempfile.mkdtemp(prefix="attn-ranks-"))
    running: dict[int, int] = {}  # rank: process
    try:
        with _uninterrupted():
            for rank in range(N):
                running[rank] = _fork(rank, N, work, folder, timeout)
        _wait(running, N, folder, timeout)
        for rank in range(N):
            for line in _text(folder / f"{rank}.out").splitlines():
                print(f"rank {rank}: {line}")
        return [torch.load(folder / f"{rank}.result", weights_only=False) for rank in range(N)]
    finally:
        with _uninterrupted():
            for process in running.values():
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
            shutil.rmtree(folder, ignore_errors=True)


def sent() -> int | None:
    """How many bytes this rank has sent to the others so far, as the system counts them for its connections. None where it does
    not count (only Linux does). Messages have headers, of a few hundred bytes. gloo sends while the program goes on: what was sent
    before two barriers is in the count after them."""
    total = 0
    for one in _sockets() - _others:
        with socket.socket(fileno=os.dup(one)) as connection:
            if connection.family not in (socket.AF_INET, socket.AF_INET6) or connection.type != socket.SOCK_STREAM:
                continue
            try:
                counters = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                first, again = struct.unpack_from("QQ", counters, 200)  # tcpi_bytes_sent and tcpi_bytes_retrans, since Linux 4.19
                total += first - again
            except (OSError, AttributeError, struct.error):
                return None
    return total if sys.platform == "linux" else None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """An interrupt waits until the end of this, so that no process is forgotten. Ranks that are forked in it ignore interrupts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _check_system() -> None:
    """Raise RuntimeError, with another way, where ranks cannot be forked."""
    torchrun = "torchrun --nproc-per-node 2 -m attn.lessons.devices --cut H"
    if not dist.is_available() or not dist.is_gloo_available():
        raise RuntimeError("This build of PyTorch has no torch.distributed with gloo, so its processes cannot speak to each other.")
    if not hasattr(os, "fork"):
        raise RuntimeError(f"{sys.platform} cannot fork processes. In a terminal, `{torchrun}` starts them in another way.")
    if dist.is_initialized():
        raise RuntimeError("This process is a rank itself: torch.distributed is initialised. Start ranks from another one.")
    try:
        with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname(), timeout=2):
            pass
    except OSError as error:
        raise RuntimeError(
            f"Ranks speak over the loopback interface, and this system refuses a connection there: {error}."
        ) from error


def _fork(rank: int, N: int, work: Callable[[int, int], Any], folder: Path, timeout: float) -> int:
    """Start one rank, and return the number of its process."""
    parent = os.getpid()
    with warnings.catch_warnings():  # Python 3.12 warns of threads that the child does not have: it needs none of them
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if process:
        return process
    code = 1
    try:
        _prepare(rank, folder, parent, timeout)
        meeting = f"file://{folder}/meeting"  # no port: they meet in a file, and connect on the loopback interface
        dist.init_process_group("gloo", init_method=meeting, rank=rank, world_size=N, timeout=timedelta(seconds=timeout))
        result = tree_map(lambda one: one.detach().clone() if isinstance(one, Tensor) else one, work(rank, N))
        torch.save(result, folder / f"{rank}.result")
        dist.barrier()
        dist.destroy_process_group()
        code = 0
    except BaseException as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_own(frame.filename)]
        lines = [f"  {_short(one.filename)}, line {one.lineno}, in {one.name}\n    {one.line}\n" for one in frames]
        told = (time.monotonic(), type(error).__name__, str(error), "".join(lines))
        (folder / f"{rank}.part").write_bytes(pickle.dumps(told))
        (folder / f"{rank}.part").rename(folder / f"{rank}.error")
    finally:
        sys.stdout.flush()
        os._exit(code)  # it must not go on with the program of its parent


def _prepare(rank: int, folder: Path, parent: int, timeout: float) -> None:
    """What a forked process must do before it computes."""
    torch.set_num_threads(1)  # first of all: the threads of the parent do not exist here, and work given to them never ends
    torch.set_default_device("cpu")  # a CUDA context does not survive a fork
    _others.update(_sockets())
    os.environ["GLOO_SOCKET_IFNAME"] = next(name for _, name in socket.if_nameindex() if name in ("lo", "lo0"))
    sys.stdout = (folder / f"{rank}.out").open("w")
    sys.stderr = stuck = (folder / f"{rank}.err").open("w")
    for stream in (1, 2):  # what is not Python writes there
        os.dup2(stuck.fileno(), stream)
    faulthandler.dump_traceback_later(0.9 * timeout, file=stuck)

    def end_with_parent() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        shutil.rmtree(folder, ignore_errors=True)  # nobody else is left to do it
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


def _wait(running: dict[int, int], N: int, folder: Path, timeout: float) -> None:
    """Wait until all have returned; those that have ended are taken out of `running`. Raise RankError if one did not return."""
    latest, failed = time.monotonic() + timeout, dict[int, int]()
    while running and time.monotonic() < latest:
        for rank, process in list(running.items()):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                del running[rank]
                if status:
                    failed[rank] = status
                    latest = min(latest, time.monotonic() + _GRACE)
        time.sleep(0.005)
    if failed or running:
        raise _error(failed, sorted(running), N, folder, timeout)


def _error(failed: dict[int, int], running: list[int], N: int, folder: Path, timeout: float) -> RankError:
    """What happened. The earliest error is the cause: a rank that waits for one that has gone fails later."""
    told = {rank: pickle.loads(file.read_bytes()) for rank in range(N) if (file := folder / f"{rank}.error").exists()}
    errors = {rank: f"{kind}: {text}" for rank, (_, kind, text, _) in told.items()}
    if silent := [rank for rank in failed if rank not in told]:
        code = os.waitstatus_to_exitcode(failed[silent[0]])
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        what = f"rank {silent[0]} of {N} {how} before it returned."
    elif told:
        earliest = min(told.values())
        first = min(rank for rank, (_, *error) in told.items() if error[:2] == [*earliest[1:3]])  # of equal errors the lowest
        what = f"rank {first} of {N} raised {errors[first]}\n{told[first][3].rstrip()}\n"
        return RankError(f"{what}All {N} ranks were ended.", first, errors)
    else:
        places = [f"rank {rank} was at {_place(folder / f'{rank}.err')}" for rank in running]
        what = f"rank {running[0]} of {N} did not return within {timeout:g} seconds: {'; '.join(places)}."
    return RankError(f"{what} All {N} ranks were ended.", (silent or running)[0], errors)


def _place(file: Path) -> str:
    """The line of the reader's program in the newest traceback that faulthandler wrote."""
    last = _text(file).rpartition("Thread 0x")[2].splitlines()[1:]
    own = [re.fullmatch(r'\s*File "(.*)", (line \d+ in .*)', line) for line in last if _is_own(line)]
    return next((f"{_short(one[1])}, {one[2]}" for one in own if one), "an unknown line")


def _is_own(where: str) -> bool:
    """Whether a line of a traceback is the reader's, not one of PyTorch's, of Python's import system or of this file."""
    return not any(part in where for part in ("site-packages", "<frozen", __file__))


def _short(file: str) -> str:
    """The name of a file, without the folders of this machine."""
    return "a cell" if "ipykernel" in file else Path(file).name


def _sockets() -> set[int]:
    """The numbers of the sockets that this process has; none where the system does not list them."""
    found = set()
    folder = Path("/proc/self/fd")
    for file in folder.iterdir() if folder.is_dir() else ():
        try:
            if stat.S_ISSOCK(os.fstat(int(file.name)).st_mode):
                found.add(int(file.name))
        except OSError:  # the one that listed the folder is closed again
            continue
    return found


def _text(file: Path) -> str:
    return file.read_text(errors="replace") if file.exists() else ""
