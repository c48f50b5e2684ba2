"""A task over a distance: its sequences, the networks that learn it, and that the recorded trainings are what training gives."""

import pytest
import torch
import train_distance

from attn.lessons import distance, tasks


def test_a_marked_sequence_has_one_marked_word_where_it_was_asked_for_and_its_name_is_right():
    generator = torch.Generator().manual_seed(0)
    for back in (0, 3, 10):
        ids, word = tasks.marked(200, 11, 5, back=back, generator=generator)
        assert ((ids >= 5).sum(1) == 1).all()
        assert torch.equal(ids[:, 10 - back] - 5, word)
    ids, word = tasks.marked(2000, 11, 5, generator=generator)
    at = (ids >= 5).nonzero()
    assert torch.equal(at[:, 0], torch.arange(2000)) and torch.bincount(at[:, 1]).min() > 120
    assert torch.bincount(word).min() > 300
    with pytest.raises(ValueError, match="back = 11: in a sequence of 11 words"):
        tasks.marked(2, 11, 5, back=11)


def test_the_record_has_all_trainings():
    record = distance.trainings()
    assert [(run["network"], run["seed"]) for run in record["short"]] == [
        (name, seed) for name in distance.NETWORKS for seed in train_distance.SEEDS
    ]
    assert [(run["network"], run["seed"]) for run in record["long"]] == [
        (name, seed) for name in train_distance.LONG_NETWORKS for seed in train_distance.LONG_SEEDS
    ]
    for run in record["short"]:
        assert run["backs"] == list(distance.BACKS) and len(run["right"]) == len(run["backs"])
    for run in record["long"]:
        assert run["steps"] == list(train_distance.LONG_MARKS)
        assert {len(right) for right in run["right"]} == {len(train_distance.LONG_BACKS)}
    assert distance.TRAININGS.stat().st_size < 8_000


def test_training_again_gives_what_is_recorded():
    """The cheapest of them. Another processor may round otherwise, and 250 steps make that larger."""
    recorded = {(run["network"], run["seed"]): run["right"] for run in distance.trainings()["short"]}
    again = train_distance.short("attention", 0)
    assert again["right"] == pytest.approx(recorded["attention", 0], abs=0.03)


@pytest.mark.parametrize("dilations,reach", [((1, 1, 1, 1), 8), ((1, 2, 4), 14)])
def test_a_stack_of_convolutions_reads_as_far_back_as_its_dilations_add_up_to(dilations, reach):
    torch.manual_seed(0)
    stack, x = distance.Convolutions(*dilations), torch.randn(7, 20, 32)
    y = stack(x)
    assert y.shape == x.shape
    for back, reads in ((reach, True), (reach + 1, False)):
        other = x.clone()
        other[:, -1 - back] += 1
        changed = (stack(other) - y).abs().amax((0, 2)) > 0
        assert bool(changed[-1]) == reads and not changed[: 19 - back].any()
