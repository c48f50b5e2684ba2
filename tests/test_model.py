"""TinyTransformer: it is causal, gives the same results with and without caches, and can learn a task."""

import math

import pytest
import torch
import torch.nn.functional as F

from attn import ShapeError
from attn.lessons import TinyTransformer, tasks

WORDS, S_MAX, E, H = 13, 11, 12, 3


def tiny(**settings):
    return TinyTransformer(**{"words": WORDS, "S_max": S_MAX, "E": E, "H": H, "layers": 2} | settings)


def test_it_equals_embeddings_norms_and_layers_written_out(device):
    model, ids = tiny().to(device), torch.randint(WORDS, (2, 7), device=device)
    x = F.embedding(ids, model.tokens.weight) + model.positions.weight[:7]
    for norm, layer in zip(model.norms, model.layers, strict=True):
        normed = F.layer_norm(x, (E,), norm.weight, norm.bias)
        x = x + layer(normed, mask=torch.ones(7, 7, dtype=torch.bool, device=device).tril())
    want = F.layer_norm(x, (E,)) @ model.logits.weight.T
    torch.testing.assert_close(model(ids), want)


def test_a_later_token_changes_no_earlier_logit():
    model, ids = tiny(), torch.randint(WORDS, (2, 7))
    changed = ids.clone()
    changed[:, 5] = (changed[:, 5] + 1) % WORDS
    moved = (model(ids) - model(changed)).abs().amax((0, 2)) > 0
    assert moved.tolist() == [False] * 5 + [True] * 2


@pytest.mark.parametrize("groups", [1, 3])
@pytest.mark.parametrize("first", [1, 4])
def test_token_by_token_with_caches_equals_the_full_pass(groups, first):
    model, ids = tiny(G=groups).double(), torch.randint(WORDS, (2, 9))
    caches = model.caches(2)
    parts = [model(ids[:, :first], caches)] + [model(ids[:, t : t + 1], caches) for t in range(first, 9)]
    torch.testing.assert_close(torch.cat(parts, 1), model(ids))
    assert [len(cache) for cache in caches] == [9, 9]


def test_generate_continues_with_the_most_likely_word_with_and_without_a_cache():
    model, ids = tiny(), torch.randint(WORDS, (2, 4))
    slow, fast = (model.generate(ids, 6, cached=cached) for cached in (False, True))
    assert torch.equal(slow, fast) and slow.shape == (2, 10)
    assert torch.equal(slow[:, :4], ids)
    assert torch.equal(slow[:, -1], model(slow[:, :-1])[:, -1].argmax(-1))


def test_steps_add_up_to_the_logits():
    model, ids = tiny(), torch.randint(WORDS, (2, 7))
    records = model.steps(ids)
    x = model.tokens(ids) + model.positions.weight[:7] + records[0].y + records[1].y
    torch.testing.assert_close(model.logits(model.last_norm(x)), model(ids))
    assert [tuple(record.weights.shape) for record in records] == [(2, H, 7, 7)] * 2
    assert not records[0].weights.triu(1).any()


def test_the_loss_includes_only_predictable_tokens():
    model, ids = tiny(), torch.randint(WORDS, (2, 7))
    known = torch.arange(7) >= 4
    share = model(ids)[:, 3:-1].log_softmax(-1).gather(2, ids[:, 4:, None])
    torch.testing.assert_close(model.loss(ids, known), -share.mean())
    everything = model(ids)[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None])
    torch.testing.assert_close(model.loss(ids), -everything.mean())


def test_more_positions_than_positional_embeddings_are_refused():
    with pytest.raises(ShapeError, match=r"12 positions: this model has vectors for S_max = 11\."):
        tiny()(torch.zeros(1, 12, dtype=torch.long))
    model = tiny()
    caches = model.caches(1)
    model(torch.zeros(1, 10, dtype=torch.long), caches)
    with pytest.raises(ShapeError, match="12 positions"):
        model(torch.zeros(1, 2, dtype=torch.long), caches)
    assert len(caches[0]) == 10


def test_copies_have_two_equal_halves_and_the_second_is_predictable():
    ids, known = tasks.copying(5, 7, WORDS)
    assert ids.shape == (5, 14) and torch.equal(ids[:, :7], ids[:, 7:])
    assert known.tolist() == [False] * 7 + [True] * 7


def test_each_repeating_sequence_has_its_own_period_of_different_words():
    ids, known = tasks.repeating(200, 23, WORDS, shortest=3)
    periods = set()
    for row, can in zip(ids.tolist(), known.tolist(), strict=True):
        period = can.index(True)
        assert row[period:] == row[:-period] and len(set(row[:period])) == period
        assert can == [n >= period for n in range(23)]
        periods.add(period)
    assert periods == set(range(3, 12))


def test_the_same_generator_gives_the_same_sequences():
    pairs = [tasks.repeating(3, 12, WORDS, generator=torch.Generator().manual_seed(5))[0] for _ in range(2)]
    assert torch.equal(*pairs)


def test_a_period_without_enough_words_is_refused():
    with pytest.raises(ValueError, match="words = 5, shortest = 4: a period has 4 to L // 2 = 6 different words"):
        tasks.repeating(2, 12, 5)


def test_it_learns_to_copy():
    model = tiny(words=8, S_max=10, E=24, H=2, layers=1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for _ in range(200):
        loss = model.loss(*tasks.copying(32, 5, 8))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.1 * math.log(8), "guessing has a loss of log 8"
    ids, _ = tasks.copying(16, 5, 8)
    assert (model.generate(ids[:, :5], 5) == ids).float().mean() > 0.9
