"""The plain layer is right, each bug of the book is planted in it, and a probe finds each."""

import re
from pathlib import Path

import pytest
import torch
from bugs_found import FOUND
from test_mutants import GUARD_OF

import attn
from attn.lessons.bugs import BUGS, PROBES, examined, planted, probe_all, run_probe
from attn.lessons.bugs.probes import runs

ROOT = Path(__file__).parents[1]
BY_NAME = {bug.name: bug for bug in BUGS}
CHEAP = [name for name in PROBES if name != "random tokens"]  # which trains

# The wrong lines in the tables of the chapters, and their names here.
NO_LINE = ""  # not a line of code, not one of attention, or right in itself: the chapter's own cells show what it does
ROWS = {
    1: {
        "`attention(k, q, v)`": "queries and keys swapped",
        "(B, L, S), one score per pair": "heads summed in the scores",
        "(B, S, E)": "K times Q",
        "without `batch_first`": "batch and length swapped",
    },
    2: {
        "no exchange": "L and H not exchanged",
        "`x.transpose(0, 1)`": "B and L exchanged",
        "a test with (4, 4, 4, 4)": NO_LINE,
    },
    3: {
        "`Q.view(B, H, L, D)`": "split by view only",
        "`heads.reshape(B, L, E)`": "merge without the transpose",
        "`heads.transpose(1, 2).view(B, L, E)`": "view after the transpose",
    },
    4: {"keys from W_Q": "keys from W_Q", "keys from `x`": "keys from x", "`v = k`": "values are the keys"},
    5: {
        "`q @ k`": "keys not transposed",
        "`q @ k.T`": ".T on four axes",
        "`q @ k.reshape(B, H, D, S)`": "K reshaped instead of transposed",
        "`k @ q.mT`": "K times Q",
    },
    6: {
        '`einsum("bhls,bgsd->bhld", weights, v)`': "values of all heads",
        '`einsum("bhls,bhsd->hld", weights, v)`': "sequences summed",
        '`einsum("bhld,bhsd", q, k)`': "einsum without an arrow",
        "`q @ keys.mT` with keys of (B, S, D)": "keys without an axis of heads",
    },
    7: {
        "`/ E ** 0.5`": "scale by the root of E",
        "`/ k.mT.shape[-1] ** 0.5`, which is √S": "scale by the root of S",
        "`/ D`": "scale by D",
        "the same with `q / D ** 0.5`": NO_LINE,
    },
    8: {
        "`scores.softmax(-2)`": "softmax over queries",
        "`F.softmax(scores)`": "softmax over heads",
        "`scores`": "no maximum subtracted",
        "`scores - scores.max()`": "one maximum for all rows",
        "`terms.sum(-1, True)` in float16": "sum in half precision",
    },
    9: {
        "`scores.softmax(-1) * keep`": "mask after softmax",
        "`(scores * keep).softmax(-1)`": "scores times mask",
        "`tril()`": "top-left causal mask",
        "`keep`": "mask without an axis of heads",
        "`attn_mask=keep`": "inverted mask",
        "causal alone": "padding ignored",
    },
    10: {
        "`weights @ split_heads(x, H)`": "W_V unused",
        "`weights.mT @ v`": "weights transposed",
        "`scores @ v`": "scores used as weights",
        "weights read as contributions": NO_LINE,
    },
    11: {
        "`concat @ W_O.weight`": "weight not transposed",
        "`weight.view(H, D, E)` as slices": "slices by view",
        "`heads.reshape(B, L, E)` as concat": "merge without the transpose",
        "`concat @ W_O.weight.T / H`": "heads averaged",
    },
    12: {
        "`is_causal=True`": "top-left causal mask",
        "`positions[:L]`": "positions start at 0 again",
        "read, then `append`": "read, then appended",
        "the last token of the prompt again": NO_LINE,
        "the same without it, 1 < G < H": NO_LINE,
        "no mask, because L = 1": "no padding mask for one token",
    },
    13: {
        "left out": "gradients not cleared",
        "`AdamW(model.layers.parameters())`": "not all parameters",
        "`logits` against `ids`": "targets not shifted",
    },
    14: {
        "left out": "mask ignored",
        "`self.dropout`": "dropout always on",
        "`W_O.copy_(c_proj)`": "weight not transposed",
        "`tril()`": "top-left causal mask",
        "`nn.MultiheadAttention(E, H)`": NO_LINE,
    },
    15: {
        "count on the CPU": NO_LINE,
        "`layers * B * H * S * D * number`": NO_LINE,
        "`model.state_dict().values()`": NO_LINE,
        "FLOPs over the peak rate": NO_LINE,
    },
    16: {
        "`out + terms @ v`": NO_LINE,
        "divide in each tile": NO_LINE,
        "`range(0, S // tile * tile, tile)`": NO_LINE,
        "`-math.inf`": NO_LINE,
    },
    17: {
        "`W_QKV.weight.chunk(N)[rank]`": NO_LINE,
        "the bias on every rank": NO_LINE,
        "`is_causal=True` on the rank's queries": "top-left causal mask",
        "`view(B, -1, H // N, D)`": NO_LINE,
    },
    18: {
        "`split_heads(rotary(q, at), H)`": "turned before the split",
        "v turned, too": "values turned too",
        "q alone turned": "only queries turned",
        "`arange(L)` in every call": "turned from 0 again",
        "`heads[..., ::2], heads[..., 1::2]`": NO_LINE,
    },
    19: {"`nn.RNN(E, E)`": NO_LINE, "`x.roll(gap, dims=1)`": NO_LINE, "`padding=dilation`": NO_LINE},
}


def wrong_lines(chapter: Path) -> list[str]:
    """The cells of wrong lines in the table that ends the core of a chapter."""
    core = chapter.read_text("utf-8").partition("\n## In one minute\n")[2].partition("\n## ")[0]
    head, _, *rows = (line.strip("|").split(" | ") for line in core.splitlines() if line.startswith("|"))
    column = 1 if head[0].strip() == "right line" else 0
    return [row[column].strip() for row in rows]


@pytest.mark.parametrize("chapter", sorted((ROOT / "chapters").glob("*.md")), ids=lambda path: path.stem)
def test_every_wrong_line_of_a_chapters_table_is_among_the_bugs(chapter):
    names = ROWS[int(chapter.stem[:2])]
    assert wrong_lines(chapter) == list(names), "plant a new wrong line in lessons/bugs/lines.py, and name it here"
    assert [name for name in names.values() if name != NO_LINE and name not in BY_NAME] == []


def test_every_bug_that_is_planted_in_the_package_is_among_the_bugs():
    here = {re.sub(r", (fast path|one query|one half-precision query)$|^packed heads ", "", name) for name in GUARD_OF}
    assert here - set(BY_NAME) == set()


def test_each_bug_has_a_name_of_its_own_and_changes_one_line():
    assert len(BY_NAME) == len(BUGS)
    for bug in BUGS:
        assert planted(bug).Layer is not planted().Layer
        assert 1 <= bug.chapter <= 19


def test_the_plain_layer_computes_what_the_package_does():
    layer = planted().Layer(E=10, H=6, G=3, D=4, Dv=7)
    same = attn.MultiHeadAttention(10, 6, G=3, D=4, Dv=7, bias=False)
    with torch.no_grad():
        same.W_QKV.weight.copy_(layer.W_QKV)
        same.W_O.weight.copy_(layer.W_O.weight)
    x, context, real = torch.randn(2, 5, 10), torch.randn(2, 8, 10), torch.ones(2, 5, dtype=torch.bool)
    real[1, :2] = False
    keep = planted().may_attend(5, real)
    assert torch.equal(keep, attn.masks.causal(5) & attn.masks.padding([5, 3], front=True))
    for given, mask in ((None, None), (context, None), (None, keep)):
        y, weights = layer(x, given, mask)
        steps = same.steps(x, given, mask=mask)
        torch.testing.assert_close(y, steps.y)
        torch.testing.assert_close(weights, steps.weights)


def test_no_probe_finds_anything_in_the_right_code():
    code = planted()
    assert {name: said for name in PROBES if (said := run_probe(name, code))} == {}


def test_the_probes_find_what_is_recorded():
    """All but what training on random tokens finds; that is on the built page, which test_book.py compares."""
    found, want = {}, {}
    for bug in BUGS:
        code, marks = planted(bug), dict(zip(PROBES, FOUND[bug.name], strict=True))
        names = CHEAP[:1] if run_probe(runs, code) else CHEAP
        found[bug.name] = {name for name in names if run_probe(name, code)}
        want[bug.name] = {name for name in CHEAP if marks[name] != "·"}
    assert found == want


def test_every_bug_is_found_and_every_probe_finds_something():
    assert list(FOUND) == list(BY_NAME)
    assert [name for name, marks in FOUND.items() if set(marks) == {"·"}] == []
    assert [name for name, column in zip(PROBES, zip(*FOUND.values(), strict=True), strict=True) if set(column) == {"·"}] == []


def test_the_evidence_says_what_the_probe_saw():
    row = examined(BY_NAME["top-left causal mask"])
    assert (row.stops, row.shape, row.sums) == (False, "always", True)
    assert row.evidence["S ≠ L"] == "the last query attends to 5 of 7 keys"
    assert "from the full pass" in row.evidence["prompt + one"]
    assert run_probe("unequal sizes", planted(BY_NAME["keys not transposed"])).startswith("raises RuntimeError: Expected size")
    assert run_probe("L = 1", planted(BY_NAME["no W_O"])) == ""


def test_the_table_has_a_mark_for_each_finding_and_its_text():
    bugs = [BY_NAME[name] for name in ("keys not transposed", "mean instead of sum", "dropout always on")]
    page = probe_all(bugs, {5: "five.html", 10: "ten.html", 11: "eleven.html"})._repr_html_()
    assert page.count(' class="hit"') == 1 + 4 + 1
    assert page.count('class="stops"') == 1
    assert 'data-what="eval and train" title="two calls differ by' in page
    assert '<a href="ten.html">10</a>' in page
    assert page.count("<tbody>") == page.count("</tbody>") == 2


def test_a_probe_touches_no_random_numbers(gpus_keep_their_seed):
    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    gpus_keep_their_seed()
    run_probe("eval and train", planted(None))
    assert torch.equal(torch.rand(3), wanted)
