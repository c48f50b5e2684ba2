"""torch.compile and torch.export give the same results as the layer itself."""

import pytest
import torch

pytestmark = pytest.mark.filterwarnings("ignore")  # torch's warnings about itself

B, L, E, H, G = 2, 5, 12, 4, 2


@pytest.fixture
def layer(attn_without_annotations):
    return attn_without_annotations.MultiHeadAttention(E, H, G=G).eval()


@pytest.mark.parametrize("path", ["fast", "steps"])
def test_a_compiled_layer_gives_the_same_numbers_in_one_graph(layer, path):
    def run(x, mask):
        return layer(x, mask=mask, causal=True) if path == "fast" else layer.steps(x, mask=mask, causal=True).y

    compiled = torch.compile(run, fullgraph=True, backend="aot_eager")
    x, mask = torch.randn(B, L, E), torch.arange(L) < torch.tensor([5, 3])[:, None, None, None]
    torch.testing.assert_close(compiled(x, mask), run(x, mask))


def test_a_compiled_layer_trains(layer):
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    x = torch.randn(B, L, E)
    want = torch.autograd.grad(layer(x, causal=True).square().sum(), layer.W_QKV.weight)[0]
    torch.testing.assert_close(torch.autograd.grad(compiled(x, causal=True).square().sum(), layer.W_QKV.weight)[0], want)


def test_inductors_code_gives_the_same_numbers(layer):
    x = torch.randn(B, L, E)
    torch.testing.assert_close(torch.compile(layer)(x, causal=True), layer(x, causal=True))


def test_an_exported_layer_runs_at_other_batch_sizes_and_lengths(layer):
    free = {"x": {0: torch.export.Dim("B", min=1, max=64), 1: torch.export.Dim("L", min=2, max=512)}, "causal": None}
    exported = torch.export.export(layer, (torch.randn(B, L, E),), {"causal": True}, dynamic_shapes=free).module()
    x = torch.randn(3, 11, E)
    torch.testing.assert_close(exported(x, causal=True), layer(x, causal=True))
