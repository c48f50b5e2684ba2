"""A trace agrees with what the traced code does: values, memory, gradients, errors."""

import html.parser
import math
import sys

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attn.trace import Row, Trace, trace
from attn.trace.letters import Letters

B, H, L, S, D = 2, 3, 5, 7, 4
E = H * D
SIZES = {"B": B, "H": H, "L": L, "S": S, "D": D, "E": E}


def heads(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


class HandWritten(nn.Module):
    """Attention as published on many pages: one packed projection, heads by view and transpose."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(E, 3 * E)
        self.proj = nn.Linear(E, E)

    def forward(self, x: Tensor) -> Tensor:
        n, t, _ = x.shape
        q, k, v = self.qkv(x).split(E, dim=2)
        q = q.view(n, t, H, D).transpose(1, 2)
        k = k.view(n, t, H, D).transpose(1, 2)
        v = v.view(n, t, H, D).transpose(1, 2)
        scores = q @ k.transpose(-2, -1)
        scores = scores / math.sqrt(D)
        self.weights = F.softmax(scores, dim=-1)
        mixed = self.weights @ v
        joined = mixed.transpose(1, 2).contiguous().view(n, t, E)
        return self.proj(joined)


def hand_written() -> tuple[nn.Module, Tensor]:
    torch.manual_seed(0)
    return HandWritten(), heads(B, L, E)


def story(t: Trace | list[Row]) -> list[tuple[str, str, str]]:
    return [(row.name or row.op, row.letters, row.memory) for row in t]


# The table records what the code did.


def test_a_hand_written_attention_is_recorded_step_by_step(device):
    layer, x = (it.to(device) for it in hand_written())
    with trace(B=B, H=H, L=L, D=D, E=E) as t:
        y = layer(x)
    assert story(t) == [
        ("linear", "(B, L, 3·E)", "new"),
        ("q", "(B, L, E)", "view"),
        ("k", "(B, L, E)", "view"),
        ("v", "(B, L, E)", "view"),
        ("view", "(B, L, H, D)", "view"),
        ("q", "(B, H, L, D)", "view"),
        ("view", "(B, L, H, D)", "view"),
        ("k", "(B, H, L, D)", "view"),
        ("view", "(B, L, H, D)", "view"),
        ("v", "(B, H, L, D)", "view"),
        ("transpose", "(B, H, D, L)", "view"),
        ("scores", "(B, H, L, L)", "new"),
        ("scores", "(B, H, L, L)", "new"),
        ("weights", "(B, H, L, L)", "new"),
        ("mixed", "(B, H, L, D)", "new"),
        ("transpose", "(B, L, H, D)", "view"),
        ("contiguous", "(B, L, H, D)", "copy"),
        ("joined", "(B, L, E)", "view"),
        ("y", "(B, L, E)", "new"),
    ]
    assert t.find("y").shape == tuple(y.shape)


def test_each_row_agrees_with_its_tensor():
    x = heads(B, L, H, D).to(torch.bfloat16)
    with trace(**SIZES) as t:
        line = sys._getframe().f_lineno + 1
        y = x.permute(0, 2, 1, 3)
    row = t.find("y")
    assert (row.op, row.shape, row.strides) == ("permute", tuple(y.shape), y.stride())
    assert (row.dtype, row.contiguous, row.nbytes, row.new_bytes) == (torch.bfloat16, False, 2 * y.numel(), 0)
    assert row.axes == ("B", "H", "L", "D")
    assert row.code == "y = x.permute(0, 2, 1, 3)"
    assert row.line == line
    assert [part.op for part in row.parts] == ["permute"]


@pytest.mark.parametrize("train", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad, torch.inference_mode], ids=lambda mode: mode.__name__)
@pytest.mark.parametrize("need_weights", [True, False], ids=["weights", "no weights"])
def test_the_operations_inside_torchs_own_module_are_recorded_in_every_mode(train, mode, need_weights):
    module = nn.MultiheadAttention(E, H, batch_first=True).train(train)
    x, context = heads(B, L, E), heads(B, S, E)
    with mode(), trace(**SIZES) as t:
        out, weights = module(x, context, context, need_weights=need_weights)
    inside = [row.op for row in t if row.inside == "multi_head_attention_forward"]
    assert inside, "the call hides several matrix products"
    assert (t.find("out").letters, t.find("out").shape) == ("(B, L, E)", tuple(out.shape))
    if need_weights:
        assert inside.count("bmm") == 2
        softmax = t.find("softmax")
        assert (softmax.letters, softmax.inside) == ("(B·H, L, S)", "multi_head_attention_forward")
        assert t.find("weights").letters == "(B, L, S)"
        assert tuple(weights.shape) == t.find("weights").shape
    else:
        assert "scaled_dot_product_flash_attention_for_cpu" in inside
        assert all(row.shape[-2:] != (L, S) for row in t), "the fused kernel stores no scores"
        with pytest.raises(KeyError):
            t.find("weights")
    assert all(row.memory != "same" for row in t if row.inside)


def test_the_fast_path_does_not_hide_self_attention_in_evaluation():
    module = nn.MultiheadAttention(E, H, batch_first=True).eval()
    x = heads(B, L, E)
    with torch.inference_mode():
        with trace(**SIZES) as t:
            y, _ = module(x, x, x)
        torch.testing.assert_close(y, module(x, x, x)[0])  # this call takes the fast path, so the results differ by rounding
    assert t.find("softmax").letters == "(B·H, L, L)"


def test_the_fused_kernel_is_one_row_and_stores_no_scores():
    q, k, v = heads(B, H, L, D), heads(B, H, S, D), heads(B, H, S, D)
    with trace(**SIZES) as t:
        out = F.scaled_dot_product_attention(q, k, v)
    assert story(t) == [("out", "(B, H, L, D)", "new")]
    assert t.find("out").nbytes == out.nbytes
    assert t.find("out").hidden_copies == 0


def test_the_products_of_attention_are_shown_if_it_is_not_fused():
    q = heads(B, H, L, D)
    with trace(**SIZES) as t:
        out = F.scaled_dot_product_attention(q, q, q, dropout_p=0.25)
    assert [row.op for row in t].count("bmm") == 2
    assert t.find("scaled_dot_product_attention") is t.find("out")
    assert t.find("out").shape == tuple(out.shape)
    assert t.find("out").new_bytes == 0, "they are already counted in its steps"
    assert sum(row.new_bytes for row in t) > 2 * B * H * L * L * 4


def test_a_backward_pass_is_recorded_kernel_by_kernel(device):
    x = heads(B, L, E).to(device).requires_grad_()
    W = heads(E, 2 * E).to(device).requires_grad_()
    with trace(**SIZES) as t:
        y = x @ W
        loss = y.sum()
        loss.backward()
    assert {row.inside for row in t} == {"", "backward"}
    products = [row.letters for row in t if row.inside and row.op == "mm"]
    assert sorted(products) == ["(B·L, E)", "(E, 2·E)"]
    assert t.find("loss").letters == "()"


def test_a_kernel_that_runs_outside_any_call_has_a_row_of_its_own():
    x = heads(B, L)
    with trace(**SIZES) as t:
        x.exp()
        with torch._C.DisableTorchFunction():
            x * 2
        x.sin()
    assert [(row.op, row.inside, row.letters) for row in t] == [(op, "", "(B, L)") for op in ("exp", "mul", "sin")]
    assert t.find("mul").code == "x * 2"


def test_writing_into_a_slice_records_what_was_written():
    cache, k = torch.zeros(B, H, S, D), heads(B, H, L, D)
    with trace(**SIZES) as t:
        cache[:, :, :L] = k
    assert story(t) == [("setitem", "(B, H, L, D)", "in place")]


# Names.


def test_rows_are_named_by_the_variables_that_hold_the_result():
    class Holder:
        def __init__(self) -> None:
            self.total = x.sum()

    def helper(value: Tensor) -> Tensor:
        inner = value * 2
        return inner.mT

    x = heads(B, H, L, D)
    with trace(**SIZES) as t:
        first, second, _ = x.unbind(1)
        Holder()
        turned = helper(x)
        scaled = torch.div(
            x,
            2,
        )
        flag = bool((x > 100).any())
    assert [row.names for row in t] == [("first",), ("second",), (), ("total",), ("inner",), ("turned",), ("scaled",), (), ()]
    assert not flag
    assert (first.shape, second.shape) == ((B, L, D), (B, L, D))
    assert (turned.shape, scaled.shape) == ((B, H, D, L), (B, H, L, D))


def test_a_call_that_returns_its_input_is_named_by_the_newer_variable():
    x = heads(B, L, E)
    with trace(**SIZES) as t:
        y = x.contiguous()
        z = x.transpose(1, 2)
        z = z.transpose(1, 2)
    assert [(row.name, row.memory) for row in t] == [("y", "same"), ("z", "view"), ("z", "view")]
    assert t.find("x") is t.find("y")
    assert y is x


def test_variables_outside_the_block_name_nothing():
    def add_one(x: Tensor) -> Trace:
        with trace(**SIZES) as t:
            x.add_(1)
            x.sum()
        return t

    mine = heads(B, L, E)
    assert [row.names for row in add_one(mine)] == [("x",), ()]


def test_each_pass_of_a_loop_has_its_own_named_row():
    x = heads(B, L, E)
    with trace(**SIZES) as t:
        for _ in range(3):
            x = x.relu() + 1
    assert [row.name for row in t] == ["", "x"] * 3
    assert t.find_all("x") == [t.rows[1], t.rows[3], t.rows[5]]
    assert t.find("x") is t.rows[5]


def test_the_last_line_of_the_block_is_named_too():
    with trace() as t:
        a = torch.zeros(3)
    assert t.find("a").shape == tuple(a.shape)


def test_an_operation_can_be_found_by_its_name_if_no_variable_holds_its_result():
    x = heads(B, H, L, D)
    with trace(**SIZES) as t:
        x.softmax(-1)
        y = x @ x.mT
    assert t.find("softmax").letters == "(B, H, L, D)"
    assert t.find("mT").letters == "(B, H, D, L)"
    assert t.find("matmul") is t.find("y")
    assert (len(t), list(t)) == (3, t.rows)
    assert y.shape == (B, H, L, L)


def test_a_failed_search_lists_all_names_and_operations():
    x = heads(B, H, L, D)
    with trace(**SIZES) as t:
        scores = x @ x.mT
        scores.sum()
    for look in (t.find, t.find_all):
        with pytest.raises(KeyError, match=r"called 'weights'. Names: scores. Operations: mT, matmul, sum\."):
            look("weights")
    with pytest.raises(KeyError, match=r"Names: none. Operations: none\."):
        trace().find("scores")


# View, copy, in place or new: checked by writing to the memory.


def shares(a: Tensor, b: Tensor) -> bool:
    """Whether a number written to a appears in b."""
    before = b.clone()
    a.view(-1)[0] += 1 if a.is_floating_point() else 0
    changed = not torch.equal(before, b)
    a.view(-1)[0] -= 1
    return changed


OPERATIONS = {
    "view": (lambda x: x.view(B, H * L, D), "view"),
    "transpose": (lambda x: x.transpose(1, 2), "view"),
    "permute": (lambda x: x.permute(0, 2, 1, 3), "view"),
    "mT": (lambda x: x.mT, "view"),
    "expand": (lambda x: x[:1].expand(B, H, L, D), "view"),
    "getitem": (lambda x: x[0], "view"),
    "unbind": (lambda x: x.unbind(1), "view"),
    "split": (lambda x: torch.split(x, 2, dim=2), "view"),
    "chunk": (lambda x: x.chunk(3, 1), "view"),
    "reshape": (lambda x: x.reshape(B, H * L, D), "view"),
    "flatten": (lambda x: x.flatten(1), "view"),
    "einsum": (lambda x: torch.einsum("bhld->blhd", x), "view"),
    "contiguous": (lambda x: x.contiguous(), "same"),
    "to": (lambda x: x.to(torch.float32), "same"),
    "dropout": (lambda x: F.dropout(x, 0.5, training=False), "same"),
    "add_": (lambda x: x.add_(1), "in place"),
    "masked_fill_": (lambda x: x.masked_fill_(x > 0, 0.0), "in place"),
    "clone": (lambda x: x.clone(), "copy"),
    "reshape of a permuted tensor": (lambda x: x.transpose(1, 2).reshape(B, L, E), "copy"),
    "contiguous of a permuted tensor": (lambda x: x.transpose(1, 2).contiguous(), "copy"),
    "to another type": (lambda x: x.to(torch.float64), "copy"),
    "repeat_interleave": (lambda x: x.repeat_interleave(2, dim=1), "copy"),
    "repeat": (lambda x: x.repeat(1, 2, 1, 1), "copy"),
    "softmax": (lambda x: x.softmax(-1), "new"),
    "cat": (lambda x: torch.cat([x, x], -1), "new"),
    "matmul": (lambda x: x @ x.mT, "new"),
    "tril": (lambda x: x.tril(), "new"),
}


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode], ids=lambda mode: mode.__name__)
def test_writing_to_a_result_changes_its_input_only_if_they_share_memory(name, mode):
    operation, expected = OPERATIONS[name]
    with mode():
        x = heads(B, H, L, D)
        with trace(**SIZES) as t:
            result = operation(x)
        assert t.rows[-1].memory == expected
        out = result if isinstance(result, Tensor) else result[0]
        assert shares(x, out) == (expected in ("view", "same", "in place"))
        assert (t.rows[-1].new_bytes == 0) == shares(x, out)
        assert (expected in ("same", "in place")) == (out is x)


@pytest.mark.parametrize("contiguous", [True, False])
def test_reshape_is_a_view_or_a_copy_depending_on_the_strides(contiguous):
    x = heads(B, L, H, D) if contiguous else heads(B, H, L, D).transpose(1, 2)
    with trace(**SIZES) as t:
        y = x.reshape(B, L, E)
    assert t.find("y").memory == ("view" if contiguous else "copy")
    assert t.find("y").hidden_copies == 0, "the copy is the result"
    assert shares(y, x) == contiguous


def test_matmul_counts_the_copies_that_it_makes_of_permuted_operands():
    packed_q, packed_k = heads(B, L, H, D), heads(B, S, H, D)
    q, k = packed_q.transpose(1, 2), packed_k.transpose(1, 2)
    with trace(**SIZES) as t:
        scores = q @ k.transpose(-2, -1)
        tidy = q.contiguous() @ k.contiguous().mT
    row = t.find("scores")
    assert (row.memory, row.hidden_copies) == ("new", 2)
    assert [part.op for part in row.parts if part.memory == "copy"] == ["clone", "clone"]
    assert row.new_bytes == scores.nbytes + q.nbytes + k.nbytes
    assert "new + 2 copies" in repr(t)
    assert (t.find("tidy").hidden_copies, t.find("tidy").new_bytes) == (0, tidy.nbytes)


def test_new_bytes_add_up_to_what_was_allocated():
    x = heads(B, H, L, S)
    with trace(**SIZES) as t:
        largest, where = x.max(-1)
        halves = x.clone().split(1)
    assert [row.new_bytes for row in t] == [largest.nbytes, where.nbytes, x.nbytes, 0, 0]
    assert len(halves) == B


def test_grouped_keys_that_are_repeated_are_copied():
    k = heads(B, 1, S, D)
    with trace(B=B, H=H, S=S, D=D, G=1) as t:
        wide = k.repeat_interleave(H, dim=1)
        thin = k.expand(B, H, S, D)
    assert (t.find("wide").memory, t.find("wide").new_bytes) == ("copy", wide.nbytes)
    assert (t.find("thin").memory, t.find("thin").new_bytes, t.find("thin").nbytes) == ("view", 0, thin.nbytes)


def test_tensors_in_lists_and_keywords_count_as_inputs():
    x, out = heads(L, D), torch.empty(L, D)
    with trace() as t:
        torch.add(x, 1, out=out)
        torch.stack(tensors=[x, x])
        torch.broadcast_tensors(x, heads(B, L, D))
    assert [row.memory for row in t if row.op in ("add", "stack", "broadcast_tensors")] == ["in place", "new", "view", "same"]


def test_tensors_without_memory_are_distinguished():
    x, y = torch.empty(B, E, device="meta"), torch.empty(B, E, device="meta")
    empty = torch.empty(0, D)
    with trace(**SIZES) as t:
        view, sum_, other, none, cat = x.view(B, H, D), x + y, torch.empty_like(x), empty[:, :2], torch.cat([empty, empty])
    assert [row.memory for row in t] == ["view", "new", "new", "view", "new"]
    assert [t.find(name).letters for name in ("view", "none")] == ["(B, H, D)", "(0, B)"]
    assert {tensor.device.type for tensor in (view, sum_, other)} == {"meta"}
    assert (none.numel(), cat.numel()) == (0, 0)


def test_tensors_without_strides_or_memory_of_their_own_are_recorded_as_unknown():
    x = heads(B, L, D)
    with trace(**SIZES) as t:
        torch.eye(L).to_sparse()
        torch.vmap(lambda one: one.mT)(x)
    assert [(row.op, row.memory) for row in t] == [("eye", "new"), ("to_sparse", "unknown"), ("mT", "unknown")]
    assert (t.find("to_sparse").strides, t.find("to_sparse").contiguous) == ((), False)


def test_nested_tensors_pass_through_unrecorded():
    with trace(**SIZES) as t:
        ragged = torch.nested.nested_tensor([heads(L, D), heads(S, D)], layout=torch.jagged)
        before = len(t)
        twice = ragged * 2
        torch.testing.assert_close(twice.unbind()[1], heads(S, D) * 2)
    assert all(row.op != "mul" for row in t.rows[: before + 1])


# Letters.


@pytest.mark.parametrize(
    ("shape", "letters"),
    [
        ((B, H, L, S), "B H L S"),
        ((B, L, E), "B L E"),
        ((B, L, 3 * E), "B L 3·E"),
        ((B * H, L, D), "B·H L D"),
        ((B, H * L, D), "B H·L D"),
        ((B * L, 4 * E), "B·L 4·E"),
        ((B, L, 3 * H, D), "B L 3·H D"),
        ((E, H, D), "E H D"),
        ((L, L), "L L"),
        ((1, 11), "1 11"),
        ((0,), "0"),
        ((), ""),
        ((B, B * H, L, D), "B 6 L D"),  # B is an axis already
        ((B, L * D, S, D), "B 20 S D"),
        ((B, L, 3, H, D), "B L 3|H 3|H D"),  # q, k, v and three heads
        ((3, L, B, E), "3|H L B E"),  # no tensor has both heads and the whole width
        ((2, S, B, E), "2|B S 2|B E"),
    ],
)
def test_axes_are_recognized_by_their_sizes(shape, letters):
    assert Letters(SIZES).of(shape) == tuple(letters.split())


@pytest.mark.parametrize(
    ("sizes", "shape", "letters"),
    [
        ({"H": 6, "D": 5}, (30,), "H·D"),
        ({"H": 6, "D": 5}, (90,), "3·H·D"),
        ({"E": 31, "H": 6, "D": 5}, (31, 30), "E H·D"),
        ({"H": 6, "G": 2, "D": 7}, (14, 28, 70, 3), "G·D 2·G·D (H+2G)·D H/G"),
        ({"H": 6, "G": 2, "D": 7, "L": 11}, (10, 33), "H+2G H/G·L"),
        ({"H": 6, "G": 3, "D": 7, "Dv": 11}, (66, 33, 96, 54), "H·Dv G·Dv H·D+G·D+G·Dv G·D+G·Dv"),
        ({"E": 42, "H": 6, "D": 7, "Dv": 11}, (42, 66, 11), "E 66 Dv"),
        ({"E": 42, "H": 6, "D": 7, "Dv": 11}, (42, 66), "E H·Dv"),
        ({"B": 1, "H": 6, "L": 5}, (1, 30), "B H·L"),
        ({"B": 1, "H": 6, "L": 5}, (30,), "H·L"),
        ({"B": 2, "H": 3, "L": 1, "S": 7}, (2, 3, 1, 7), "B H L S"),
        ({"B": 1, "L": 1}, (1,), "B|L"),
        ({"tokens": 9, "vocabulary": 50}, (9, 50), "tokens vocabulary"),
        ({}, (2, 3), "2 3"),
    ],
)
def test_products_are_named_when_their_letters_are_known(sizes, shape, letters):
    assert Letters(sizes).of(shape) == tuple(letters.split())


def test_letters_of_equal_size_are_all_named():
    x = heads(B, H, L, D)
    with trace(B=B, H=H, L=L, S=L, D=D) as t:
        scores = x @ x.mT
    row = t.find("scores")
    assert (row.axes, row.letters, row.ambiguous) == (("B", "H", "L|S", "L|S"), "(B, H, L|S, L|S)", True)
    note = "L and S are both 5 here, so the trace cannot tell them apart: choose different sizes."
    assert repr(t).endswith(note)
    assert scores.shape == (B, H, L, L)


def test_notes_name_ambiguous_axes_and_the_width_of_all_heads():
    notes = Letters({"B": 2, "L": 6, "S": 6, "G": 6, "H": 3, "D": 4, "E": 12}).notes
    assert list(notes([("B", 2), ("E", 12), ("B", 2)])) == ["E = H·D = 12"]
    assert list(notes([("L|S|G", 6)])) == [
        "L, S and G are all 6 here, so the trace cannot tell them apart: choose different sizes."
    ]
    assert list(notes([("3|H", 3)])) == ["H is 3, and so is an axis that need not be H (3|H): choose another H."]
    assert list(notes([("B·L|B·S", 12)])) == [
        "B·L and B·S are both 12 here, so the trace cannot tell them apart: choose different sizes."
    ]
    assert list(Letters({"E": 13, "H": 3, "D": 4}).notes([("E", 13)])) == []


@pytest.mark.parametrize("size", ["5", 2.0, -1, None])
def test_a_size_that_is_not_a_whole_number_is_refused(size, as_users_run_it):
    with pytest.raises(TypeError, match=r"L is .*whole number"):
        trace(L=size)


# The trace does not change the traced code.


@pytest.mark.parametrize("make", [hand_written, lambda: (nn.MultiheadAttention(E, H, batch_first=True), heads(B, L, E))])
@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad, torch.inference_mode], ids=lambda mode: mode.__name__)
def test_results_and_gradients_are_those_of_the_run_without_a_trace(make, mode):
    module, x = make()

    def run() -> tuple[Tensor, list[Tensor]]:
        module.zero_grad()
        with mode():
            y = module(x) if isinstance(module, HandWritten) else module(x, x, x)[0]
        if y.requires_grad:
            (y**2).sum().backward()
        return y, [p.grad.clone() for p in module.parameters() if p.grad is not None]

    plain, plain_gradients = run()
    with trace(**SIZES) as t:
        traced, traced_gradients = run()
    assert len(t) > 10
    assert traced.is_inference() == plain.is_inference()
    torch.testing.assert_close(traced, plain, rtol=0, atol=0)
    torch.testing.assert_close(traced_gradients, plain_gradients, rtol=0, atol=0)
    assert len(traced_gradients) == (len(list(module.parameters())) if mode is torch.enable_grad else 0)


def test_inference_mode_runs_the_same_kernels_as_other_code_without_gradients():
    linear, x = nn.Linear(E, 2 * E), heads(L, B, E).transpose(0, 1)
    q = heads(B, L, H, D).transpose(1, 2)
    ran = []
    for mode in (torch.no_grad, torch.inference_mode):
        with mode(), trace() as t:
            linear(x)
            q @ q.mT
        ran.append([[part.op for part in row.parts if part.memory != "view"] for row in t])
    assert ran[0][0] == ["clone", "mm", "add"]
    assert [[op for op in ops if op != "unsafe_view"] for ops in ran[1]] == ran[0]


def test_a_trace_does_not_change_random_numbers():
    x = heads(B, H, L, D)
    torch.manual_seed(3)
    plain = F.dropout(x, 0.5)
    torch.manual_seed(3)
    with trace(**SIZES):
        traced = F.dropout(x, 0.5)
    torch.testing.assert_close(traced, plain, rtol=0, atol=0)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_every_floating_type_is_recorded(dtype):
    x = heads(B, H, L, D).to(dtype)
    with trace(**SIZES) as t:
        scores = x @ x.mT
    assert (t.find("scores").dtype, t.find("scores").nbytes) == (dtype, scores.nbytes)


def test_autocast_shows_the_copies_in_the_smaller_type():
    linear, x = nn.Linear(E, E), heads(B, L, E)
    with trace(**SIZES) as t, torch.autocast("cpu", dtype=torch.bfloat16):
        y = linear(x)
    assert (t.find("y").dtype, t.find("y").hidden_copies) == (torch.bfloat16, 3)
    assert y.dtype == torch.bfloat16


def test_traces_nest():
    x = heads(B, H, L, D)
    with trace(**SIZES) as outer:
        a = x.mT
        with trace(**SIZES) as inner:
            b = x @ a
        c = b.sum()
    assert [row.name for row in outer] == ["a", "b", "c"]
    assert [row.name for row in inner] == ["b"]
    assert [part.op for part in outer.find("b").parts] == [part.op for part in inner.find("b").parts]
    assert c.dim() == 0


def test_a_trace_can_be_resumed_but_not_nested_in_itself():
    x = heads(B, L, E)
    t = trace(**SIZES)
    with t:
        a = x * 2
    b = a * 2
    with t:
        c = b * 2
        with pytest.raises(RuntimeError, match="recording already"), t:
            pass
    assert [row.name for row in t] == ["a", "c"]
    assert c.shape == x.shape


def test_an_error_propagates_and_earlier_rows_are_kept():
    q, k = heads(B, H, L, D), heads(B, H, S, D)
    t = trace(**SIZES)
    with pytest.raises(RuntimeError, match="Expected size") as plain:
        q @ k
    with pytest.raises(RuntimeError, match="Expected size") as traced, t:  # noqa: PT012
        weights = q.softmax(-1)
        q @ k
    assert str(traced.value) == str(plain.value)
    assert story(t) == [("weights", "(B, H, L, D)", "new")]
    start = "matmul of (B, H, L, D) = (2, 3, 5, 4) and (B, H, S, D) = (2, 3, 7, 4) raised RuntimeError: Expected size"
    assert t.errors[0].startswith(start)
    assert t.errors[0] in repr(t)
    assert weights.shape == q.shape
    q.softmax(-1)
    assert len(t) == 1, "nothing is recorded after the block"


def test_an_error_without_operands_is_recorded():
    t = trace()
    with pytest.raises(RuntimeError), t:
        torch.zeros(-1)
    assert t.errors[0].startswith("zeros raised RuntimeError: ")


def test_an_error_outside_torch_propagates_too():
    with pytest.raises(ZeroDivisionError), trace() as t:  # noqa: PT012
        x = torch.zeros(3)
        1 / 0  # noqa: B018
    assert [row.name for row in t] == ["x"]
    assert (t.errors, len(x)) == ([], 3)


def test_reading_a_tensors_properties_is_not_an_operation():
    x = heads(B, L, E).requires_grad_()
    with trace(**SIZES) as t:
        assert (x.dim(), x.shape, x.size(0), x.stride(), x.is_contiguous()) == (3, (B, L, E), B, (L * E, E, 1), True)
        assert x.grad is None
        assert "requires_grad" in repr(x)
        assert torch.equal(x, x)
        x.requires_grad_()
    assert story(t) == []


# What a reader sees.


def test_the_terminal_table_is_narrow_and_complete():
    layer, x = hand_written()
    with trace(B=B, H=H, L=L, D=D, E=E) as t:
        layer(x)
    lines = repr(t).splitlines()
    assert lines[0].split() == ["#", "result", "op", "axes", "shape", "strides", "memory", "contig.", "bytes"]
    assert max(map(len, lines)) <= 120
    assert len(lines) == 2 + len(t) + 1
    assert lines[-1] == "E = H·D = 12"
    (scores,) = (line for line in lines if line.split()[1:3] == ["scores", "matmul"])
    for cell in ("(B, H, L, L)", "(2, 3, 5, 5)", "(75, 25, 5, 1)", "new + 2 copies", "yes", "600 bytes"):
        assert cell in scores


def test_show_returns_the_chosen_columns():
    x = heads(B, L, E)
    with trace(**SIZES) as t:
        y = x.to(torch.float64)
    assert str(t.show("name", "axes", "dtype", "new bytes")) == (
        "name  axes       dtype    new bytes\n----  ---------  -------  ---------\n"
        "y     (B, L, E)  float64  960 bytes\nE = H·D = 12"
    )
    assert str(trace().show("op")) == "op\n--"
    assert y.dtype == torch.float64
    with pytest.raises(ValueError, match=r"no column is called size, colour. There are #, result, name"):
        t.show("op", "size", "colour")


class Checker(html.parser.HTMLParser):
    """Collects the cells; raises at an end tag that does not match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.cells[-1] += data


def test_the_notebook_table_is_well_formed_and_escaped():
    x = heads(B, L, E)
    with trace(**SIZES) as t:
        y = (x < 1) & (x.sum() < len("<script>"))
    page = t._repr_html_()
    assert "<script>" not in page
    parser = Checker()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    assert len(parser.cells) == 9 * (1 + len(t))
    assert 'y = (x < 1) & (x.sum() < len("<script>"))' in parser.cells
    assert "(B, L, E)" in parser.cells
    assert y.shape == x.shape
