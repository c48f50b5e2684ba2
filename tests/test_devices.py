"""One layer on several processes: every cut equals one process, sends what the formula says, and leaves no process behind."""

import contextlib
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
from torch.testing import assert_close

import attn
from attn.lessons import devices
from attn.lessons.devices import RankError, Sizes, messages, processes
from attn.lessons.devices.__main__ import AXIS_OF_Y, main

PATIENCE = 120.0  # seconds on a loaded machine; what is tested ends long before


def is_running(process: int) -> bool:
    """Whether there is such a process, and it is not a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def forked(target, *args):
    """A process that calls the target and has all that this one has."""
    process = multiprocessing.get_context("fork").Process(target=target, args=args)
    with warnings.catch_warnings():  # Python 3.12 warns of threads that the process does not have
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    return process


@pytest.fixture
def started(tmp_path):
    """note(rank): called by a rank, notes its process; after the test, none of these runs."""
    yield lambda rank: (tmp_path / str(rank)).write_text(str(os.getpid()))
    processes = [int(file.read_text()) for file in tmp_path.iterdir()]
    assert processes and not [one for one in processes if is_running(one)]


# Processes --------------------------------------------------------------------------------------------------------------


def test_ranks_return_what_they_compute_in_order_and_change_only_their_copies(started, capsys):
    mine = torch.zeros(3)

    def work(rank, N):
        started(rank)
        mine.add_(rank + 1)
        total = mine.clone()
        dist.all_reduce(total)
        print(f"one of {N}\nand {torch.get_num_threads()} thread")
        return rank, mine, total, torch.randn(2)

    results = devices.ranks(3, work, PATIENCE)
    assert [rank for rank, *_ in results] == [0, 1, 2]
    assert [own.tolist() for _, own, *_ in results] == [[n] * 3 for n in (1, 2, 3)]
    assert all(total.tolist() == [6] * 3 for *_, total, _ in results)
    assert all(torch.equal(drawn, results[0][-1]) for *_, drawn in results)
    assert torch.equal(mine, torch.zeros(3)) and not dist.is_initialized()
    assert capsys.readouterr().out.splitlines()[:3] == ["rank 0: one of 3", "rank 0: and 1 thread", "rank 1: one of 3"]


def test_an_error_on_one_rank_ends_all_and_is_shown(started):
    def work(rank, N):
        started(rank)
        if rank == 2:
            raise ZeroDivisionError("only here")
        dist.barrier()  # which the third never reaches

    with pytest.raises(RankError, match=r"(?s)rank 2 of 4 raised ZeroDivisionError: only here\n.*All 4 ranks") as caught:
        devices.ranks(4, work, PATIENCE)
    assert caught.value.rank == 2 and caught.value.errors[2] == "ZeroDivisionError: only here"


def test_a_rank_that_ends_or_does_not_return_is_named(started):
    def gone(rank, N):
        started(rank)
        if rank == 1:
            os._exit(7)
        dist.barrier()

    with pytest.raises(RankError, match="rank 1 of 2 ended with exit code 7 before it returned"):
        devices.ranks(2, gone, PATIENCE)

    def waiting(rank, N):
        started(rank)
        if rank == 0:
            dist.recv(torch.empty(1), 1)  # nobody sends

    with pytest.raises(
        RankError, match=r"rank 0 of 2 did not return within 2 seconds: rank 0 was at test_devices.py, line \d+ in waiting"
    ):
        devices.ranks(2, waiting, 2.0)


@pytest.fixture
def interruptible():
    """Ctrl+C interrupts, as in a notebook: processes that run tests side by side ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_leaves_no_rank_behind(started, interruptible):
    def work(rank, N):
        started(rank)
        dist.barrier()
        if rank == 0:
            os.kill(os.getppid(), signal.SIGINT)
        time.sleep(PATIENCE)

    with pytest.raises(KeyboardInterrupt):
        devices.ranks(2, work, PATIENCE)


def test_ranks_end_with_the_process_that_started_them(tmp_path):
    def work(rank, N):
        (tmp_path / f"{rank}.part").write_text(str(os.getpid()))
        (tmp_path / f"{rank}.part").rename(tmp_path / str(rank))
        time.sleep(PATIENCE)

    parent = forked(devices.ranks, 2, work, PATIENCE)
    latest = time.monotonic() + PATIENCE
    while sum(1 for one in tmp_path.iterdir() if not one.suffix) < 2 and time.monotonic() < latest:
        time.sleep(0.02)
    parent.kill()
    parent.join()
    processes = [int(file.read_text()) for file in tmp_path.iterdir()]
    assert len(processes) == 2
    while any(map(is_running, processes)) and time.monotonic() < latest:
        time.sleep(0.02)
    assert not [one for one in processes if is_running(one)]


def test_ranks_speak_over_the_loopback_interface_alone():
    def work(rank, N):
        dist.all_reduce(torch.ones(1))
        found = []
        for one in processes._sockets() - processes._others:
            with socket.socket(fileno=os.dup(one)) as connection:
                if connection.family in (socket.AF_INET, socket.AF_INET6):
                    found.append(connection.getsockname()[0])
        return found

    for found in devices.ranks(2, work, PATIENCE):
        assert found and set(found) <= {"127.0.0.1", "::1"}


def test_where_ranks_cannot_be_started_the_error_says_what_else_to_do(monkeypatch):
    def work(rank, N):
        return rank

    with monkeypatch.context() as patch:
        patch.delattr(os, "fork")
        with pytest.raises(RuntimeError, match=r"cannot fork processes\. In a terminal, `torchrun"):
            devices.ranks(2, work)
    with monkeypatch.context() as patch:
        patch.setattr(socket, "create_server", lambda *args: (_ for _ in ()).throw(PermissionError("not allowed")))
        with pytest.raises(RuntimeError, match="this system refuses a connection there: not allowed"):
            devices.ranks(2, work)
    with pytest.raises(ValueError, match="at least one rank"):
        devices.ranks(0, work)


# Cuts -------------------------------------------------------------------------------------------------------------------


def layer_of(E, H, G, D, bias=True):
    layer = attn.MultiHeadAttention(E, H, G=G, D=D, bias=bias)
    with torch.no_grad():
        for one in layer.parameters():
            one.copy_(torch.randn_like(one) / E**0.5)
    return layer


def sent_after_all():
    """In the second barrier everything before the first has arrived."""
    for _ in range(2):
        dist.barrier()
    return devices.sent()


def share(one, letter, rank, N):
    axis = AXIS_OF_Y[letter]
    return one if axis is None else one.chunk(N, axis)[rank]


@pytest.mark.parametrize("N", [2, 4])
@pytest.mark.parametrize("letter", devices.CUTS)
def test_each_cut_equals_one_process_forward_and_backward(letter, N):
    B, L, E, H, D = 4, 12, 20, 8, 3
    cases = {
        (G, causal): (layer_of(E, H, G, D), torch.randn(B, L, E, requires_grad=True))
        for G, causal in ((4, True), (8, False), (2, True))
    }

    def parts(layer, x, causal, rank, N):
        own = devices.CUTS[letter](layer, x, rank, N, causal)
        own["y"].square().sum().backward()
        grads = {"x": x.grad, "W_QKV": layer.W_QKV.weight.grad, "W_O": layer.W_O.weight.grad}
        for name in ("W_QKV", "W_O"):  # each rank has its part: the sum is over tokens, or joins rows and columns
            dist.all_reduce(grads[name])
        grads["x"] = share(grads["x"], letter, rank, N)
        return {"y": own["y"], **grads}

    def work(rank, N):
        return {case: parts(layer, x, case[1], rank, N) for case, (layer, x) in cases.items()}

    results = devices.ranks(N, work, PATIENCE)
    for (G, causal), (layer, x) in cases.items():
        y = layer(x, causal=causal)
        of = {"x": x, "W_QKV": layer.W_QKV.weight, "W_O": layer.W_O.weight}
        wanted = dict(zip(of, torch.autograd.grad(y.square().sum(), [*of.values()]), strict=True))
        wanted["y"] = y.detach()
        for rank, found in enumerate(results):
            for name, got in found[G, causal].items():
                whole = share(wanted[name], letter, rank, N) if name in "xy" else wanted[name]
                what = f"{name} of rank {rank}, G = {G}, causal = {causal}"
                most = 1e-5 if name == "y" else 1e-4
                assert_close(got, whole, rtol=1e-4, atol=most, msg=lambda text, what=what: f"{what}: {text}")


@pytest.mark.parametrize("letter", devices.CUTS)
def test_what_ranks_hold_and_send_is_what_the_formulas_say(letter):
    B, L, E, H, G, D, N = 4, 256, 128, 8, 4, 24, 4
    layer, x = layer_of(E, H, G, D, bias=False), torch.randn(B, L, E, requires_grad=True)
    sizes = Sizes(B, L, E, H, G, D)

    def work(rank, N):
        counts = [sent_after_all()]
        own = devices.CUTS[letter](layer, x, rank, N)
        counts.append(sent_after_all())
        own["y"].square().sum().backward()
        if letter in "BL":
            for one in layer.parameters():
                dist.all_reduce(one.grad)
        counts.append(sent_after_all())
        return {name: one.numel() for name, one in own.items()}, counts

    results = devices.ranks(N, work, PATIENCE)
    held = devices.held(letter, sizes, N)
    assert sum(one.numel() for one in layer.parameters()) == devices.count_weights(sizes)
    every = messages(letter, sizes, N, training=True)
    sent = [4 * sum(one.sent for one in every if one.backward == backward) for backward in (False, True)]
    for numbers, (start, middle, end) in results:
        assert numbers.pop("k") + numbers.pop("v") == held["k and v"]
        assert numbers == {name: held[name] for name in numbers}
        if start is not None:
            assert [middle - start, end - middle] == pytest.approx(sent, rel=0.1, abs=4000)  # headers, and what is sent again
            assert middle - start >= sent[0] and end - middle >= sent[1]


def test_copies_of_a_key_value_head_add_up_the_gradients_of_its_weights(subtests):
    """After that every rank has the gradient that one device has, of all rows of its heads; without it, not if G is below N."""
    B, L, E, H, D, N = 2, 64, 128, 4, 24, 4
    x, layers = torch.randn(B, L, E), {G: layer_of(E, H, G, D, bias=False) for G in (4, 2, 1)}

    def parts(G, rank, N):
        layer = layers[G]
        weight = layer.W_QKV.weight
        (whole,) = torch.autograd.grad(layer(x, causal=True).square().sum(), [weight])
        devices.cut_heads(layer, x, rank, N)["y"].square().sum().backward()
        groups = [dist.new_group([*range(first, first + N // G)]) for first in range(0, N, N // G)]
        head = rank * G // N  # whose rows of W_K and W_V this rank has
        rows = [start + head * D + n for start in (H * D, (H + G) * D) for n in range(D)]
        alone, start = weight.grad[rows].clone(), sent_after_all()
        together = alone.clone()
        if G < N:
            dist.all_reduce(together, group=groups[head])
        return alone, together, whole[rows], (start, sent_after_all())

    results = devices.ranks(N, lambda rank, N: {G: parts(G, rank, N) for G in layers}, PATIENCE)
    for G in layers:
        with subtests.test(G=G):
            last = messages("H", Sizes(B, L, E, H, G, D), N, training=True)[-1]
            assert (last.what, last.devices) == (("gradients of W_K and W_V", N // G) if G < N else ("gradient of x", N))
            for alone, together, want, (start, end) in (found[G] for found in results):
                assert_close(together, want, rtol=1e-4, atol=1e-4)
                assert ((alone - want).norm() < 1e-2 * want.norm()).item() == (G == N)
                if G < N:
                    assert together.numel() == last.numbers
                    if start is not None:
                        assert end - start == pytest.approx(4 * last.sent, rel=0.1, abs=4000) and end - start >= 4 * last.sent


def test_one_device_sends_nothing():
    assert not any(messages(letter, Sizes(4, 8, 12, 4, 2, 3), 1, training=True) for letter in devices.CUTS)


def test_sizes_that_the_ranks_cannot_share_are_refused():
    x = torch.randn(3, 7, 12)
    for letter, message in {
        "B": r"B = 3 cannot be cut into 2 equal parts. torch.chunk would give \[2, 1\]",
        "L": r"L = 7 .* \[4, 3\]",
        "H": "H = 3 heads cannot be shared by 2 ranks",
    }.items():
        with pytest.raises(attn.ShapeError, match=message):
            devices.CUTS[letter](layer_of(12, 3, 3, 4), x, 0, 2)
    with pytest.raises(attn.ShapeError, match="G = 3 key/value heads cannot be shared by 2 ranks"):
        devices.own_heads(layer_of(12, 6, 3, 2), 0, 2)


def test_the_layers_of_the_ranks_pass_the_exercises_checker():
    def own(layer, x, rank, N):
        y = devices.own_heads(layer, rank, N)(x, causal=True)
        return y + layer.W_O.bias if rank == 0 else y

    assert attn.check.device_part(own).passed


def test_parts_of_keys_are_merged_into_attention_over_all_even_where_one_is_hidden():
    q, k, v = torch.randn(2, 3, 5, 4), torch.randn(2, 3, 7, 4), torch.randn(2, 3, 7, 6)
    keep = torch.rand(5, 7) < 0.6
    keep[0], keep[1, :3], keep[2, 3:] = False, False, False  # no key at all; none in the first part; none in the second
    parts = [devices.partial_attention(q, k[:, :, of], v[:, :, of], keep[:, of]) for of in (slice(3), slice(3, 7))]
    for one, other in (parts, parts[::-1]):
        out, total = devices.merge_parts(*one, *other)
        assert_close(out, attn.attention(q, k, v, keep))
        scores = (q @ k.mT / 2).masked_fill(~keep, -torch.inf)
        assert_close(total, scores.logsumexp(-1))


def test_parts_of_heads_in_half_precision_are_merged_in_float32():
    wanted, given = [], []
    for dtype, factor in ((torch.bfloat16, 1), (torch.bfloat16, 4), (torch.float16, 4)):
        q, k, v = (factor * torch.randn(2, 3, 64, 32) for _ in range(3))
        q, k, v = (one.to(dtype) for one in (q, k, v / factor))
        want = attn.attention(q.float(), k.float(), v.float(), causal=True)
        keep = torch.ones(64, 64, dtype=torch.bool).tril()
        parts = [devices.partial_attention(q, k[:, :, of], v[:, :, of], keep[:, of]) for of in (slice(16), slice(16, 64))]
        assert [one.dtype for part in parts for one in part] == [torch.float32] * 4
        assert_close(devices.merge_parts(*parts[0], *parts[1])[0], want, rtol=1e-4, atol=1e-5)
        wanted.append((dtype, factor, want))
        given.append((q, k, v))

    def work(rank, N):
        return [devices.ring_attention(*(one.chunk(N, 2)[rank] for one in heads), causal=True) for heads in given]

    for (dtype, factor, want), parts in zip(wanted, zip(*devices.ranks(4, work, PATIENCE), strict=True), strict=True):
        got = torch.cat(parts, 2)
        assert got.dtype == dtype
        # The output is rounded, once.
        assert_close(got.float(), want, rtol=torch.finfo(dtype).eps, atol=1e-5, msg=lambda text: f"{dtype}, {factor}: {text}")  # noqa: B023


# The command ------------------------------------------------------------------------------------------------------------


def test_the_command_compares_ranks_with_one_process(capsys):
    assert main(["--cut", "H", "--ranks", "4", "--G", "2"]) == 0
    said = capsys.readouterr().out
    assert "(4, 1, 8, 3)" in said and "2,304" in said and "equal to one process" in said
    assert main(["--cut", "H", "--ranks", "4", "--H", "6"]) == 2
    assert "H = 6 heads cannot be shared by 4 ranks" in capsys.readouterr().err
    assert main(["--cut", "B", "--ranks", "1"]) == 0
    assert "Cut B on 1 rank: equal to one process" in capsys.readouterr().out


@pytest.mark.parametrize(
    "given,says",
    [
        *(
            (f"{name} {size}", f"{size!r} is not a size; give a whole number above 0")
            for name in ("--ranks", "--B")
            for size in ("0", "-1")
        ),
        *((f"{name} 0", "'0' is not a size") for name in ("--L", "--E", "--H", "--G", "--D")),
        ("--seed 99999999999999999999999", "is no seed; give a whole number from 0"),
        ("--timeout nan", "'nan' is no time; give seconds"),
    ],
)
def test_numbers_that_no_layer_has_are_refused_with_exit_code_2(given, says, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(given.split())
    assert says in capsys.readouterr().err


def test_an_environment_that_is_not_torchruns_is_refused_or_no_concern_of_the_command(monkeypatch, capsys):
    assert main(["--H", "24"]) == 2
    assert "--E 12 is less than --H 24, so a head would have no channel. Say --D" in capsys.readouterr().err
    monkeypatch.setenv("WORLD_SIZE", "5")  # of another program
    assert main(["--cut", "B", "--ranks", "2"]) == 0
    assert "on 2 ranks" in capsys.readouterr().out
    monkeypatch.setenv("RANK", "0")
    assert main([]) == 2
    assert "RANK is set, and LOCAL_RANK, MASTER_ADDR, MASTER_PORT not." in capsys.readouterr().err
    for name, value in (("LOCAL_RANK", "0"), ("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "1"), ("WORLD_SIZE", "abc")):
        monkeypatch.setenv(name, value)
    assert main([]) == 2
    assert "WORLD_SIZE is 'abc'; torchrun sets a whole number" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_is_a_rank_where_torchrun_has_started_it(tmp_path):
    """One rank is a command of its own, the other a fork of this process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    place = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "GLOO_SOCKET_IFNAME": "lo"}

    def second():
        os.environ.update(place | {"RANK": "1", "LOCAL_RANK": "1"})
        with (tmp_path / "said").open("w") as said, contextlib.redirect_stdout(said):
            code = main(["--cut", "L"])
        sys.exit(code)

    other = forked(second)
    command = [sys.executable, "-m", "attn.lessons.devices", "--cut", "L"]
    own = os.environ | place | {"RANK": "0", "LOCAL_RANK": "0"}
    first = subprocess.run(command, env=own, stdout=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
    other.join(PATIENCE)
    assert (first.returncode, other.exitcode) == (0, 0)
    assert re.search(r"Cut L on 2 ranks: equal", first.stdout) and not (tmp_path / "said").read_text()
