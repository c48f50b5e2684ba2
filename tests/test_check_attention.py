"""The checker of whole implementations names each planted bug, accuses no right implementation, and changes nothing."""

import copy
import math
import random

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from planted import BUGS, SECOND, STYLES, made, planted, right
from right_attention import RIGHT, AlwaysCausal, Decoder, Fused, heads_of
from torch import nn

import attn
from attn import check
from attn.check.own.definition import Case, Definition, Sizes
from attn.check.own.definition import right as truth
from attn.check.own.mistakes import MISTAKES
from attn.check.own.roles import role_of

E, H, D = 24, 6, 4
FOUND_OUT = {"batch and length swapped", "overflow in float16"}  # with what is declared below; a convention, and another precision
# The checker runs the definition thousands of times; most tests leave the checks of annotations out, which take most of the time.
fast = pytest.mark.usefixtures("as_users_run_it")


def declared(style):
    return {"layout": "LBE" if style == SECOND else "BLE", "mask": "keep", "dtype": torch.float16}


def in_style(style, bug=None):
    return made(planted(bug, style) if bug else right(style), E, H, 3 if style == "grouped" else None)


# Wrong implementations --------------------------------------------------------------------------------------------------------


def test_there_are_49_bugs_and_each_is_planted_in_every_style_that_can_have_it():
    assert len(BUGS) == 49
    assert {bug for bug, styles in BUGS.items() if set(styles) != set(STYLES)} == {"groups tiled, not repeated"}


@fast
@pytest.mark.parametrize("style", STYLES)
def test_every_bug_is_named_in_every_style(style, subtests):
    for bug in BUGS:
        if style in BUGS[bug]:
            with subtests.test(bug=bug):
                verdict = check.attention(in_style(style, bug), **declared(style))
                assert not verdict
                assert verdict.mistake == bug, verdict
                assert verdict.fix and verdict.fix in verdict.message


@fast
def test_without_any_declaration_the_same_bugs_are_named_but_two(subtests):
    for bug in {*list(BUGS)[::2], *FOUND_OUT}:
        style = list(BUGS[bug])[len(bug) % len(BUGS[bug])]  # a style for each
        with subtests.test(bug=bug, style=style):
            verdict = check.attention(in_style(style, bug))
            assert (verdict.mistake == bug) != (bug in FOUND_OUT), verdict
    assert "batch and length are swapped" in check.attention(in_style("einsum", "batch and length swapped")).message
    assert "float16, where the product q kᵀ overflows" in check.attention(in_style("einsum", "overflow in float16")).message


@fast
def test_the_line_of_the_bug_is_quoted_where_one_operation_has_it():
    bugs = [
        *("softmax over the queries", "split by view alone", "no scale", "0/1 mask added to the scores", "mask after softmax"),
        *("merge without the transpose", "causal aligned top left", "dropout never", "uniform weights", "input changed in place"),
    ]
    for bug in bugs:
        before = right("separate").splitlines()
        changed = [line.strip() for line in planted(bug, "separate").splitlines() if line not in before]
        verdict = check.attention(in_style("separate", bug), **declared("separate"))
        number, _, code = verdict.line.partition(": ")
        assert code in changed, (bug, verdict.line)
        assert planted(bug, "separate").splitlines()[int(number.removeprefix("line ")) - 1].strip() == code


def test_the_evidence_is_the_distance_from_the_definition_and_from_the_mistake():
    message = check.attention(in_style("packed", "no scale")).message
    assert message.startswith(
        "For x (2, 5, 24), the scores are not divided by √D. Your result differs from the definition by up to "
    )
    away = float(message.partition("one with this mistake by up to ")[2].split(".  ")[0].split(" ")[0].rstrip("."))
    assert away < 1e-4


OFF_BY_ONE = """
class Layer(nn.Module):
    def __init__(self, E=24, H=6):
        super().__init__()
        self.H, self.c_attn, self.c_proj = H, nn.Linear(E, 3 * E), nn.Linear(E, E)
        self.register_buffer("keep", torch.ones(32, 32).tril(DIAGONAL))

    def forward(self, x):
        B, L, E = x.shape
        q, k, v = (t.view(B, L, self.H, -1).transpose(1, 2) for t in self.c_attn(x).split(E, dim=2))
        scores = (q @ k.mT / (E / self.H) ** 0.5).masked_fill(self.keep[:L, :L] == 0, -torch.inf)
        return self.c_proj((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, L, E))
"""


@fast
def test_a_causal_mask_that_is_always_there_and_one_off_is_named_also_where_the_batch_is_as_small_as_its_reach():
    """Of B = 2 such a mask over the batch hides nothing. The row of NaN has no bias of W_O where the definition has one."""
    found = {}
    for diagonal in (-1, 0, 1):
        names = {"torch": torch, "nn": nn}
        exec(OFF_BY_ONE.replace("DIAGONAL", str(diagonal)), names)
        found[diagonal] = check.attention(names["Layer"]())
    assert found[0]
    assert found[1].mistake == "causal: sees the next token"
    assert found[-1].mistake == "causal: cannot see itself"
    assert "has NaN in 48 of 240 places where the definition has numbers." in found[-1].message


# What hides these keys: a right causal mask, and masks that leave the first or the last query no key.
HIDDEN = {
    "": "torch.ones(L, L, dtype=torch.bool).triu(1)",
    "causal: cannot see itself": "torch.ones(L, L, dtype=torch.bool).triu()",
    "mask inverted": "torch.ones(L, L, dtype=torch.bool).tril()",
    "causal: sees the future only": "torch.ones(L, L, dtype=torch.bool).tril(-1)",
}
FILLED = {
    "-inf": "scores.masked_fill(hidden, -math.inf)",
    "-1e9": "scores.masked_fill(hidden, -1e9)",
    "the smallest number": "scores.masked_fill(hidden, torch.finfo(scores.dtype).min)",
    "-1e9 added": "scores + hidden * -1e9",
    "-1e4 added": "scores + hidden * -1e4",
}
MASKED = """
class Attention(nn.Module):
    def __init__(self, E, H):
        super().__init__()
        self.H, self.qkv, self.out = H, nn.Linear(E, 3 * E), nn.Linear(E, E)

    def forward(self, x{argument}):
        B, L, E = x.shape
        q, k, v = (t.view(B, L, self.H, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        scores = q @ k.mT / math.sqrt(E / self.H)
        if {condition}:
            hidden = {hidden}
            scores = {filled}
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, L, E))
"""


@fast
@pytest.mark.parametrize("asked", [False, True], ids=["always causal", "causal as an argument"])
@pytest.mark.parametrize("name", HIDDEN)
def test_a_wrong_causal_mask_is_named_whatever_number_stands_for_infinity(name, asked, subtests):
    about = {"argument": ", causal=False" * asked, "condition": "causal" if asked else "True", "hidden": HIDDEN[name]}
    for filled, line in FILLED.items():
        with subtests.test(filled):
            verdict = check.attention(made(MASKED.format(filled=line, **about), E, H))
            if not name and not (filled == "-1e4 added" and not asked):  # which large scores outweigh
                assert verdict and not verdict.mistake, verdict
                continue
            assert verdict.mistake == (name or "-1e4 added, not -inf"), verdict
            assert "No known mistake" not in verdict.message and "weights=" not in verdict.message
            assert (HIDDEN[name] if "causal" in name else line) in verdict.line
            some_query_has_no_key = name in ("causal: cannot see itself", "mask inverted")
            means = "gets the mean of all values" in verdict.message
            assert means == (some_query_has_no_key and filled in ("-1e9", "the smallest number", "-1e9 added"))


def test_a_wrong_causal_mask_of_a_function_is_named_with_a_finite_number_too():
    def answer(q, k, v, causal=False):
        scores, hidden = q @ k.mT / math.sqrt(q.shape[-1]), torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool)
        return (scores.masked_fill(hidden.triu(k.shape[-2] - q.shape[-2]), -1e9) if causal else scores).softmax(-1) @ v

    assert check.attention(answer).mistake == "causal: cannot see itself"


def test_a_number_that_lets_a_query_without_keys_attend_to_all_is_named():
    def answer(q, k, v, mask=None):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        return (scores if mask is None else scores + ~mask * -1e4).softmax(-1) @ v

    verdict = check.attention(answer)
    assert verdict.mistake == "-1e4 added, not -inf" and "a query without any key attends to all keys" in verdict.message
    assert check.attention(answer, empty_rows=False)


@fast
def test_names_that_say_nothing_are_no_obstacle(subtests):
    say_nothing = {"q_proj": "one", "k_proj": "two", "v_proj": "three", "o_proj": "four", "self.qkv": "self.five"}
    for style, bug in (("packed", "no scale"), ("separate", "q and k swapped"), ("grouped", "k used as v"), ("einsum", "no W_O")):
        with subtests.test(style=style, bug=bug):
            text = planted(bug, style)
            for name, other in say_nothing.items():
                text = text.replace(name, other)
            assert check.attention(made(text, E, H, 3 if style == "grouped" else None)).mistake == bug


def scores_and_values(weights):
    """A function of q, k and v with these weights."""

    def answer(q, k, v, mask=None, causal=False):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if causal:
            past = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(k.shape[-2] - q.shape[-2])
            mask = past if mask is None else mask & past
        return weights(scores, mask) @ v

    return answer


FUNCTIONS = {
    "softmax over the queries": lambda t, mask: (t if mask is None else t.masked_fill(~mask, -math.inf)).softmax(-2).nan_to_num(),
    "mask after softmax": lambda t, mask: t.softmax(-1) * (1 if mask is None else mask),
    "empty row gives NaN": lambda t, mask: (t if mask is None else t.masked_fill(~mask, -math.inf)).softmax(-1),
    "filled with 0": lambda t, mask: (t if mask is None else t * mask).softmax(-1),
    "no softmax": lambda t, mask: t if mask is None else t * mask,
}


def test_mistakes_in_a_function_of_q_k_and_v_are_named(subtests):
    for name, weights in FUNCTIONS.items():
        with subtests.test(name):
            assert check.attention(scores_and_values(weights)).mistake == name
    assert check.attention(F.scaled_dot_product_attention).mistake == "causal aligned top left"
    assert check.attention(lambda q, k, v: attn.attention(q, k.detach(), v)).message.startswith("For q (2, 6, 5, 4)")
    tiled = check.attention(lambda q, k, v: attn.attention(q, *(t.repeat(1, 6 // t.shape[1], 1, 1) for t in (k, v))))
    assert tiled.mistake == "groups tiled, not repeated"


class ForgetsTheCache(Decoder):
    def forward(self, x, past_kv=None):
        return super().forward(x, None)[0], past_kv or (x, x)


class TopLeft(Decoder):
    def forward(self, x, past_kv=None):
        q, k, v = heads_of(self.q_proj(x), H), heads_of(self.k_proj(x), 3), heads_of(self.v_proj(x), 3)
        if past_kv is not None:
            k, v = torch.cat([past_kv[0], k], 2), torch.cat([past_kv[1], v], 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.o_proj(y.transpose(1, 2).flatten(2)), (k, v)


def test_wrong_decoding_is_named():
    verdict = check.attention(ForgetsTheCache())
    assert verdict.mistake == "cache not read" and "with 3 positions in the cache" in verdict.message
    assert check.attention(TopLeft()).mistake == "causal aligned top left"


class TwoMistakes(Fused):
    def forward(self, x):
        q, k, v = self.to_qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        return self.to_out(((q @ k.mT).softmax(-2) @ v).transpose(1, 2).flatten(2))


class LowRank(nn.Module):
    """Queries and keys through a bottleneck: no matrix is W_Q."""

    def __init__(self, centred=False, diagonal=None, fill=-math.inf, heads=H):
        super().__init__()
        self.heads, self.centred, self.to_out = heads, centred, nn.Linear(E, E)
        self.diagonal, self.fill = diagonal, fill
        self.down, self.up = nn.Linear(E, 5), nn.Linear(5, E)
        self.to_kv = nn.Linear(E, 2 * E)

    def forward(self, x):
        k, v = (heads_of(t, self.heads) for t in self.to_kv(x).chunk(2, -1))
        scores = heads_of(self.up(self.down(x)), self.heads) @ k.mT / math.sqrt(E / self.heads)
        scores = scores - scores.mean(0, keepdim=True) if self.centred else scores
        if self.diagonal is not None:
            scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(self.diagonal), self.fill)
        return self.to_out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


def test_where_two_mistakes_give_the_same_numbers_the_verdict_lists_both():
    verdict = check.attention(made(planted("scale by D", "separate"), 36, 6))  # D = 6 = √E
    assert not verdict and not verdict.mistake and set(verdict.possible) == {"scale by √E", "scale by D"}
    assert "make it with other sizes (E, H), say which weight is which" in verdict.message


def test_what_has_no_name_is_rejected_with_the_first_wrong_number():
    verdict = check.attention(TwoMistakes())
    assert not verdict and not verdict.mistake
    assert "y[0, 0, 0] must be" in verdict.message and "No known mistake gives these numbers" in verdict.message


@fast
def test_without_the_roles_of_the_weights_the_verdict_lists_what_remains_possible():
    unknown = check.attention(LowRank())
    assert not unknown and unknown.message.startswith("Undecided") and "weights={'q'" in unknown.message
    assert {"no scale", "split interleaved", "heads merged in reverse order"} <= set(unknown.possible)
    assert not {"residual and LayerNorm inside", "batch and length swapped", "scores centred over the batch"} & set(
        unknown.possible
    )
    wrong = check.attention(LowRank(centred=True))
    assert wrong.message.startswith("Something is wrong") and wrong.possible == ("scores centred over the batch",)


@fast
@pytest.mark.parametrize("fill", [-math.inf, -1e9])
def test_an_always_causal_layer_of_unknown_weights_is_accused_only_if_what_it_sees_is_wrong(fill):
    for declared in (None, True):
        right = check.attention(LowRank(diagonal=1, fill=fill), causal=declared)
        assert right.message.startswith("Undecided") and "it is always causal, samples do not mix" in right.message
        assert "no scale" in right.possible and "causal ignored" not in right.possible
    closed = check.attention(LowRank(diagonal=0, fill=fill))
    assert closed.message.startswith("Something is wrong") and closed.possible == ("causal: cannot see itself",)
    assert "rows that the last token changes: 0, 4 (must be: 4)" in closed.message
    ahead = check.attention(LowRank(diagonal=2, fill=fill), causal=True)
    assert ahead.possible == ("causal: sees the next token",)
    assert check.attention(LowRank(diagonal=1, fill=fill), causal=False).message.startswith("Something is wrong")


@fast
@pytest.mark.parametrize("heads", [1, 2, 3])
def test_a_row_that_gives_the_last_token_no_weight_to_speak_of_still_depends_on_it(heads):
    """With one wide head and usual tokens the weights are nearly 0 and 1: where a token has weight 0, its change is lost."""
    for diagonal in (None, 1):
        assert check.attention(LowRank(diagonal=diagonal, heads=heads)).message.startswith("Undecided")


class Normalised(Fused):
    """A part of a block, which does what `around` says."""

    def __init__(self, before, residual):
        super().__init__()
        self.norm, self.residual = nn.LayerNorm(E) if before else nn.Identity(), residual

    def forward(self, x):
        return super().forward(self.norm(x)) + (x if self.residual else 0)


class HeadsNormalised(Fused):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.LayerNorm(D), nn.LayerNorm(D)

    def forward(self, x):
        q, k, v = self.to_qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        return self.to_out(F.scaled_dot_product_attention(self.a(q), self.b(k), v).transpose(1, 2).flatten(2))


def test_what_is_more_than_attention_is_named_too():
    turning = attn.MultiHeadAttention(E, H, rotary=attn.rotary)
    named = {
        "LayerNorm before": Normalised(True, False),
        "LayerNorm before and residual": Normalised(True, True),
        "residual inside": Normalised(False, True),
        "q and k normalised": HeadsNormalised(),
        "rotary positions": turning,
    }
    assert {name: check.attention(module).mistake for name, module in named.items()} == dict(zip(named, named, strict=True))
    assert check.attention(turning, rotary=attn.rotary)


class Turning(nn.Module):
    """Causal attention with rotary positions in complex numbers, as Meta's LLaMA, or in halves, as transformers, has them."""

    def __init__(self, E, H, neighbours, base):
        super().__init__()
        self.n_heads, self.neighbours, self.base = H, neighbours, base
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(E, E, bias=False) for _ in "qkvo")

    def turned(self, heads, S=None):
        """The heads, which are the last of S positions."""
        L, D = heads.shape[2:]
        angle = torch.arange((S or L) - L, S or L)[:, None] / self.base ** (torch.arange(0, D, 2) / D)
        if self.neighbours:
            pairs = torch.view_as_complex(heads.unflatten(-1, (-1, 2)).contiguous())
            return torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2)
        cos, sin = (torch.cat([of, of], -1) for of in (angle.cos(), angle.sin()))
        a, b = heads.chunk(2, -1)
        return heads * cos + torch.cat([-b, a], -1) * sin

    def forward(self, x):
        q, k, v = (heads_of(W(x), self.n_heads) for W in (self.wq, self.wk, self.wv))
        y = F.scaled_dot_product_attention(self.turned(q), self.turned(k), v, is_causal=True)
        return self.wo(y.transpose(1, 2).flatten(2))


# D = 2, 4, 8, 32
@pytest.mark.parametrize(
    "E,H,base",
    [(12, 6, 7000.0), (24, 6, 10000), (24, 6, 500000.0), (24, 6, 7000.0), (40, 5, 7000.0), (32, 1, 10000), (32, 1, 500000.0)],
)
@pytest.mark.parametrize("pairs", ["halves", "neighbours"])
def test_rotary_positions_are_found_with_their_pairs_and_their_base(E, H, pairs, base):
    turning = Turning(E, H, pairs == "neighbours", base)
    one_pair = E == 2 * H  # which has speed 1 for every base
    found = check.attention(turning)
    assert found.mistake == ("rotary positions" if pairs == "halves" or one_pair else "rotary positions of neighbours"), found
    assert ("with a base of" in found.message) == (base != 10000 and not one_pair)
    assert check.attention(turning, rotary=pairs, base=base)
    named = eval(f"dict({found.fix.partition('(..., ')[2].partition(')')[0]})")  # the arguments that the fix names
    assert check.attention(turning, **named)
    if not one_pair:
        other = {"halves": "neighbours", "neighbours": "halves"}[pairs]
        assert check.attention(turning, rotary=other, base=base).mistake == found.mistake
        assert named.get("base", 10000.0) == base or E == 4 * H  # two pairs and six tokens do not tell near bases apart


def test_positions_that_are_declared_and_missing_are_named():
    assert check.attention(Fused(), rotary="neighbours").mistake == "no rotary positions"
    turning = Turning(24, 3, True, 10000.0)

    def inner(q, k, v):
        return F.scaled_dot_product_attention(turning.turned(q, k.shape[2]), turning.turned(k), v)

    assert check.attention(inner).mistake == "rotary positions of neighbours"
    assert check.attention(inner, rotary="neighbours")


class OfFourTokens(AlwaysCausal):
    def __init__(self):
        super().__init__()
        self.tril = self.tril[..., :4, :4]


def test_code_that_takes_only_some_sizes_is_not_accused():
    refused = check.attention(OfFourTokens())
    assert not refused and not refused.mistake and "If it takes other sizes, say which: B=, L=" in refused.message
    assert check.attention(OfFourTokens(), L=3)


def test_code_that_raises_is_reported_with_its_line():
    verdict = check.attention(lambda q, k, v: (q @ k).softmax(-1) @ v)
    assert not verdict and "your code raised RuntimeError" in verdict.message and "softmax(-1) @ v" in verdict.line
    none = check.attention(lambda q, k, v: None)
    assert "returned None, not a tensor" in none.message


# Right implementations --------------------------------------------------------------------------------------------------------


@fast
def test_no_right_implementation_is_accused(subtests):
    assert len(RIGHT) >= 20
    for name, (make, declared) in RIGHT.items():
        with subtests.test(name):
            verdict = check.attention(make(), **declared)
            assert verdict and not verdict.mistake, verdict
            assert verdict.checked


def test_the_verdict_says_how_the_implementation_was_read():
    pytorch = check.attention(nn.MultiheadAttention(E, H), empty_rows=False)
    assert pytorch.found["layout"].startswith("x (L, B, E)") and "may not attend, (L, S)" in pytorch.found["mask"]
    assert any("is_causal" in what for what in pytorch.unchecked)
    packed = check.attention(made(right("packed"), E, H))
    assert "K = qkv.weight" in packed.found["weights"] and packed.found["causal"] == "argument causal"
    assert check.attention(Decoder()).found == {
        "layout": "x (B, L, E)",
        "weights": "Q = q_proj.weight; K = k_proj.weight; V = v_proj.weight; O = o_proj.weight",
        "causal": "always",
        "cache": "argument past_kv",
    }


class Switched(AlwaysCausal):
    """Causal only if its constructor is told so. What it was told is not kept."""

    def __init__(self, n_embd, n_head=H, dropout=0.1, block_size=64, *, causal=True, **named):
        super().__init__(n_embd, n_head)
        if not causal:
            self.tril = torch.ones_like(self.tril)
        self.block_size = block_size


def test_what_the_constructor_switches_is_named_with_the_call_that_checks_it():
    for causal in (True, False):
        verdict = check.attention(Switched(20, 5, block_size=32, causal=causal))
        call = f"attn.check.attention(Switched(n_embd=20, n_head=5, block_size=32, causal={not causal}), causal={not causal})"
        what = "causal (the call takes no such argument; " if not causal else "without causal ("
        assert verdict and f"{what}the constructor takes causal; with {not causal}: {call})" in verdict.unchecked
        assert eval(call)
    refused = check.attention(Switched(20, 5, causal=False), causal=True)
    assert not refused and refused.mistake == "causal ignored"
    assert refused.fix == "attn.check.attention(Switched(n_embd=20, n_head=5, causal=True), causal=True)"
    assert "later tokens change earlier rows, but causal=True says that it is always causal" in refused.message
    ignored = check.attention(Fused(), causal=False)
    assert ignored and "causal (declared: never)" in ignored.unchecked


def test_pytorchs_layer_gives_nan_to_a_query_without_keys():
    assert check.attention(nn.MultiheadAttention(E, H, batch_first=True)).mistake == "empty row gives NaN"


def test_a_declared_meaning_of_the_mask_is_held_against_the_code():
    assert check.attention(nn.MultiheadAttention(E, H), mask="keep", empty_rows=False).mistake == "mask inverted"


def test_roles_can_be_declared():
    layer = made(right("separate").replace("q_proj", "key").replace("k_proj", "query"), E, H)  # names that mislead
    assert not check.attention(layer)
    assert check.attention(layer, weights={"q": "key", "k": "query", "v": "v_proj", "o": "o_proj"})


def test_names_of_parameters_tell_their_role():
    told = {
        "q": "q_proj.weight W_Q query.weight wq.weight to_q.weight w_qs.weight q_lin.weight heads.0.query.weight queryProj.weight",
        "k": "key.weight k_linear.weight W_k",
        "v": "self.value.weight v_proj.weight Wv.weight",
        "o": "out_proj.weight c_proj.weight W_O.weight to_out.0.weight output.dense.weight fc.weight",
        "qkv": "c_attn.weight in_proj_weight W_QKV.weight qkv.weight query_key_value.weight Wqkv.weight to_qkv.weight",
        "kv": "to_kv.weight kv_proj.weight",
        "": "norm.weight gate.weight linears.0.weight",
    }
    assert {name: role_of(name) for names in told.values() for name in names.split()} == {
        name: role for role, names in told.items() for name in names.split()
    }


# The truth, and the reader's objects ------------------------------------------------------------------------------------------


def test_the_definition_equals_the_loops_and_no_mistake_does():
    sizes = Sizes(12, 3, 3, 4, 4)
    weights = {role: (torch.randn(12, 12, dtype=torch.float64), torch.randn(12, dtype=torch.float64)) for role in "qkvo"}
    keep = torch.rand(2, 1, 3, 5) > 0.4
    keep[1, 0, 1] = False
    case = Case("", (torch.randn(2, 3, 12), torch.randn(2, 5, 12)), keep, True)
    both = (keep & attn.masks.causal(3, 5)).numpy()
    loops = attn.reference.multi_head_attention(
        *(tensor.numpy() for tensor in case.inputs),
        *([pair[n].numpy() for pair in weights.values()] for n in (0, 1)),
        *(3, 3, both),
    )
    for got in (truth(sizes, weights, case), Definition(sizes, weights)(case)):
        torch.testing.assert_close(got, torch.from_numpy(loops))
    assert len({one.name for one in MISTAKES}) == len(MISTAKES)
    assert set(BUGS) <= {one.name for one in MISTAKES}


def test_a_check_changes_nothing_of_the_module_or_of_the_random_generators():
    module = made(right("separate"), E, H, dropout=0.25).train()
    module(torch.randn(2, 3, E)).sum().backward()
    before = copy.deepcopy(module)
    gradients = [parameter.grad.clone() for parameter in module.parameters()]
    states = torch.get_rng_state(), random.getstate(), np.random.get_state()[1].copy()
    assert check.attention(module)
    for name, parameter in module.named_parameters():
        torch.testing.assert_close(parameter, before.get_parameter(name), rtol=0, atol=0)
    assert all(torch.equal(parameter.grad, g) for parameter, g in zip(module.parameters(), gradients, strict=True))
    assert module.training and module.dropout == 0.25 and vars(module).keys() == vars(before).keys()
    assert torch.equal(torch.get_rng_state(), states[0]) and random.getstate() == states[1]
    assert (np.random.get_state()[1] == states[2]).all()


def test_half_precision_modules_and_other_default_settings_are_checked_too():
    module = attn.MultiHeadAttention(E, H, dtype=torch.bfloat16)
    with torch.inference_mode():
        assert check.attention(module)
    assert module.W_O.weight.dtype == torch.bfloat16


class OfItself(nn.Module):
    """Self-attention of x alone. divided: whether the queries are divided by √D before the product, or the scores after it."""

    def __init__(self, divided, zeros=False, causal=False):
        super().__init__()
        self.qkv, self.out = nn.Linear(12, 36), nn.Linear(12, 12)
        self.divided, self.zeros, self.causal = divided, zeros, causal

    def forward(self, x):
        q, k, v = (one.unflatten(-1, (3, 4)).transpose(1, 2) for one in self.qkv(x).chunk(3, -1))
        scores = (q / 2) @ k.mT if self.divided else q @ k.mT / 2
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1) & self.causal
        weights = scores.masked_fill(hidden, -torch.inf).softmax(-1)
        return self.out(((weights.nan_to_num() if self.zeros else weights) @ v).transpose(1, 2).flatten(2))


def products(q, k, v, late=True, zeros=False):
    scores = q @ k.mT / math.sqrt(q.shape[-1]) if late else (q / math.sqrt(q.shape[-1])) @ k.mT
    return (scores.softmax(-1).nan_to_num() if zeros else scores.softmax(-1)) @ v


@fast
@pytest.mark.parametrize(
    "late,early,says",
    [
        (OfItself(False), OfItself(True), "a result that is not finite"),
        (OfItself(False, zeros=True), OfItself(True, zeros=True), "off by up to"),
        (products, lambda q, k, v: products(q, k, v, late=False), "a result that is not finite"),
        (lambda q, k, v: products(q, k, v, zeros=True), lambda q, k, v: products(q, k, v, False, True), "off by up to"),
        (OfItself(False, causal=True), OfItself(True, causal=True), "a result that is not finite"),
    ],
)
def test_an_overflow_in_float16_is_found_in_self_attention_too_and_where_it_gives_zeros(late, early, says):
    heads = {"H": 3} if isinstance(early, nn.Module) else {}
    assert "large products in float16" in check.attention(early, dtype=torch.float16, **heads).checked
    verdict = check.attention(late, dtype=torch.float16, **heads)
    assert verdict.mistake == "overflow in float16" and says in verdict.message
    assert "float16, where the product q kᵀ overflows" in check.attention(late, **heads).unchecked[-1]


def test_code_that_ends_the_program_or_that_has_no_gradient_gets_a_verdict():
    def ended(q, k, v):
        raise SystemExit(0)

    assert "your code raised SystemExit: 0 (line" in check.attention(ended).message
    verdict = check.attention(lambda q, k, v: products(torch.from_numpy(q.numpy()), k, v))
    assert not verdict and "that needs a gradient, your code raised RuntimeError: Can't call numpy" in verdict.message
    assert verdict.message.endswith("No gradient flows through NumPy or a detached tensor.")


def test_where_float16_is_asked_for_and_cannot_be_tried_the_verdict_says_so():
    class Wide(OfItself):
        def forward(self, x):
            return super().forward(x.float())

    verdict = check.attention(Wide(True), dtype=torch.float16)
    assert verdict and "float16 (the call raised RuntimeError: " in verdict.unchecked[-1]
    assert "float16" not in check.attention(Wide(True)).message


@fast
@pytest.mark.parametrize(
    "answer,options,error,message",
    [
        (Fused, {}, TypeError, r"the class Fused; give an object of it: Fused\(...\)"),
        (3, {}, TypeError, "answer is of type int"),
        (lambda q, k, v: v, {"mask": "true"}, ValueError, "mask is 'true'; it is one of 'keep' .True where a query may attend."),
        (lambda q, k, v: v, {"layout": "BLE"}, ValueError, "one of BHLD, BLHD, LBHD, BLD, LD"),
        (lambda x: x, {}, TypeError, "a function of x needs the weights"),
        (lambda a, b, c, d: a, {}, TypeError, "Wrap it in a function"),
        (lambda x, layer_idx: x, {}, TypeError, r"the call takes \(x, layer_idx\); attention takes"),
        (lambda x, position_bias: x, {}, TypeError, r"the call takes \(x, position_bias\); attention takes"),
        (lambda x, start_pos, freqs_cis: x, {}, TypeError, r"the call takes \(x, start_pos, freqs_cis\); attention takes"),
        (lambda *a, **k: a, {}, TypeError, r"the call takes \(\*a, \*\*k\)"),
        (lambda q, k, v: v, {"L": 1}, ValueError, "L is 1; give 3 or more"),
        (Fused(), {"weights": {"q": "nothing"}}, ValueError, "no matrix of this name. It has to_qkv.weight, to_out.weight"),
        (Fused(), {"rotary": "thirds"}, ValueError, "rotary is 'thirds'; give a function, or 'halves' "),
        (Fused(), {"base": 500.0}, ValueError, "base= says how fast rotary='halves' or rotary='neighbours' turns"),
        (lambda x: x, {"weights": {"q": nn.Linear(4, 4)}, "H": 2}, ValueError, "lacks k, v"),
    ],
)
def test_arguments_that_do_not_fit_raise_an_error_that_says_what_does(answer, options, error, message):
    with pytest.raises(error, match=message):
        check.attention(answer, **options)
