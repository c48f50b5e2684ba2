"""ReachLab: its graphs are those of PyTorch's own layers, its counts the formulas, and the browser computes the same."""

import random

import pytest
import torch
import traitlets
from lab_pages import settled, shown
from node import assert_agree
from torch import nn

import attn
from attn.labs import ReachLab
from attn.labs.reach.lab import KINDS
from attn.lessons.distance import Convolutions


def changed_by_each(network, L, E=6):
    """True where output t (down) changes with token s (across), for one of nine inputs: a ReLU may be off. In float64, where
    gradients do not vanish over a few steps."""
    x = torch.randn(9, L, E, dtype=torch.float64).requires_grad_()
    rows = [torch.autograd.grad(network(x)[:, t].square().sum(), x)[0].abs().amax((0, 2)) > 0 for t in range(L)]
    return torch.stack(rows)


def test_the_tokens_in_reach_are_those_with_a_gradient_in_pytorchs_layers():
    torch.manual_seed(0)
    rnn = nn.RNN(6, 6, batch_first=True, dtype=torch.float64)
    layer = attn.MultiHeadAttention(6, 2, dtype=torch.float64)
    for L, dilation in ((11, 1), (13, 2)):
        stack = Convolutions(*(dilation**n for n in range(3)), E=6).double()
        networks = {
            "rnn": lambda x: rnn(x)[0],
            "convolution": stack,
            "attention": lambda x: layer(x, causal=True),
        }
        lab = ReachLab(L=L, kernel=3, layers=3, dilation=dilation)
        for kind, network in networks.items():
            reached = changed_by_each(network, L)
            assert torch.equal(reached[-1], lab.__getattr__(f"{kind}_back")[0].cpu() >= 0), kind
            for at in (0, 4, L - 1):
                lab.at = at
                assert torch.equal(reached[:, at], lab.__getattr__(f"{kind}_from")[-1].cpu() >= 0), kind


@pytest.mark.parametrize("L", [2, 7, 32])
@pytest.mark.parametrize("kernel,layers", [(2, 1), (3, 4), (5, 8)])
def test_counts_are_the_formulas(L, kernel, layers):
    E = 48
    counts = ReachLab(L=L, kernel=kernel, layers=layers, E=E).counts
    assert {kind: of["steps"] for kind, of in counts.items()} == {"rnn": L, "convolution": layers, "attention": 1}
    reach = min(L, layers * (kernel - 1) + 1)
    assert {kind: of["reach"] for kind, of in counts.items()} == {"rnn": L, "convolution": reach, "attention": L}
    path = layers if reach == L else None
    assert {kind: of["path"] for kind, of in counts.items()} == {"rnn": L, "convolution": path, "attention": 1}
    read = sum(min(t + 1, kernel) for t in range(L))  # at the beginning there is less to read
    assert counts["rnn"]["multiplications"] == (2 * L - 1) * E**2
    assert counts["convolution"]["multiplications"] == layers * read * E**2
    assert counts["attention"]["multiplications"] == 4 * L * E**2 + L * (L + 1) * E


def test_a_path_has_an_edge_for_each_layer_or_for_each_later_token():
    lab = ReachLab(L=12, kernel=3, layers=6, dilation=1)
    for at in range(12):
        lab.at = at
        assert {kind: of["path"] for kind, of in lab.counts.items()} == {
            "rnn": 12 - at,
            "convolution": 6,
            "attention": 1,
        }
    assert lab.rnn_from[1].tolist() == [-1] * 11 + [1]
    assert lab.rnn_back[0].tolist() == list(range(12, 0, -1))
    assert lab.convolution_made[:, 0].tolist() == list(range(7))


def test_the_page_computes_the_same():
    draw = random.Random(3)
    settings = [{name: draw.randint(*ReachLab.LIMITS[name]) for name in ReachLab.STATE} for _ in range(12)]
    assert_agree([ReachLab(), *(ReachLab(**some) for some in settings)])


def test_a_shorter_text_has_another_token_to_follow():
    lab = ReachLab(at=15)
    lab.L = 9
    assert lab.at == 8
    with pytest.raises(traitlets.TraitError, match="dilation = 5: this lab takes dilation from 1 to 4"):
        lab.dilation = 5
    assert set(lab.counts) == set(KINDS)


def test_the_fallback_states_the_counts():
    text = ReachLab().fallback()
    assert "dilations 1, 1, 1, 1" in text and "no path" in text and "279,552" in text


def test_a_token_is_followed_with_the_mouse_and_with_keys_and_steps_are_shown_one_by_one(opened):
    page = opened(ReachLab())
    canvas, sentence = page.locator(".reach-lab canvas"), page.locator(".sentence")
    box = canvas.bounding_box()
    canvas.click(position={"x": 232 + (box["width"] - 232) * 0.72, "y": box["height"] / 2})
    settled(page)
    assert sentence.inner_text().startswith("Token 11 reaches the last output in 1 step through self-attention, in 4 through")
    assert sentence.inner_text().endswith("through the convolutions and in 5 through the RNN.")
    for _ in range(5):
        canvas.press("ArrowLeft")
    settled(page)
    assert "4 convolutions read back to token 7 only. 5 convolutions would reach it." in sentence.inner_text()
    score = page.locator(".score").nth(1).locator("span").all_inner_texts()
    assert {"✗ token 6 is left out", "reads 9 of 16 tokens"} <= {*score}
    page.locator(".more summary").click()
    assert "4 convolutions, kernel size 3: 180 edges, 737,280 multiplications" in page.locator(".facts").inner_text()
    before = shown(page)
    page.get_by_label("steps shown").press("Home")
    assert shown(page) != before
    assert sentence.inner_text().startswith("Nothing is computed yet.")


def test_the_count_of_what_the_rnn_reads_grows_with_what_is_lit(opened):
    page = opened(ReachLab(), reduced_motion="no-preference")
    settled(page)
    page.evaluate(
        """() => { globalThis.seen = []; const share = document.querySelector('.share');
        const watch = new MutationObserver(() => seen.push(share.textContent));
        watch.observe(share, { subtree: true, childList: true, characterData: true }) }"""
    )
    page.get_by_role("button", name="dilate").click()
    settled(page)
    seen = [int(text.split()[0]) for text in page.evaluate("seen")]
    assert seen[0] == 0 and seen[-1] == 16 and len({*seen}) > 3 and seen[1:] == sorted(seen[1:])
