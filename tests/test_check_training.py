"""The checker of a training step passes right answers and names each bug by what it changed."""

import torch
import torch.nn.functional as F
from verdicts import assert_passed, assert_rejected

from attn import check


def right(model, optimizer, ids, known):
    loss = model.loss(ids, known)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def zero_first(model, optimizer, ids, known):
    optimizer.zero_grad(set_to_none=False)
    model.loss(ids, known).backward()
    optimizer.step()


def zero_last(model, optimizer, ids, known):
    model.loss(ids, known).backward()
    optimizer.step()
    model.zero_grad()


def by_hand(model, optimizer, ids, known):
    names, parameters = zip(*model.named_parameters(), strict=True)
    gradients = torch.autograd.grad(model.loss(ids, known), parameters)
    with torch.no_grad():
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter -= optimizer.param_groups[0]["lr"] * gradient
    return names


def own_loss(model, optimizer, ids, known):
    optimizer.zero_grad()
    logits = model(ids[:, :-1])[:, known[1:]]
    F.cross_entropy(logits.transpose(1, 2), ids[:, 1:][:, known[1:]]).backward()
    optimizer.step()


def test_right_steps_pass(subtests):
    answers = (right, zero_first, zero_last, by_hand, own_loss)
    assert_passed(subtests, check.training_step, {answer.__name__: answer for answer in answers})


def with_loss(loss):
    def answer(model, optimizer, ids, known):
        optimizer.zero_grad()
        loss(model, ids, known).backward()
        optimizer.step()

    return answer


def no_zero(model, optimizer, ids, known):
    model.loss(ids, known).backward()
    optimizer.step()


def zero_between(model, optimizer, ids, known):
    model.loss(ids, known).backward()
    optimizer.zero_grad()
    optimizer.step()


def zero_between_kept(model, optimizer, ids, known):
    model.loss(ids, known).backward()
    optimizer.zero_grad(set_to_none=False)
    optimizer.step()


def step_first(model, optimizer, ids, known):
    loss = model.loss(ids, known)
    optimizer.zero_grad()
    optimizer.step()
    loss.backward()


def no_step(model, optimizer, ids, known):
    optimizer.zero_grad()
    model.loss(ids, known).backward()


def no_backward(model, optimizer, ids, known):
    optimizer.zero_grad()
    model.loss(ids, known)
    optimizer.step()


def without_gradient(model, optimizer, ids, known):
    with torch.no_grad():
        loss = model.loss(ids, known)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def twice(model, optimizer, ids, known):
    for _ in range(2):
        right(model, optimizer, ids, known)


def stepped_twice(model, optimizer, ids, known):
    optimizer.zero_grad()
    model.loss(ids, known).backward()
    optimizer.step()
    optimizer.step()


def backward_twice(model, optimizer, ids, known):
    loss = model.loss(ids, known)
    loss.backward()
    loss.backward()


def own_optimizer(model, optimizer, ids, known):
    own = torch.optim.AdamW(model.parameters(), lr=0.01)
    right(model, own, ids, known)


def only_the_layers(model, optimizer, ids, known):
    own = torch.optim.SGD(model.layers.parameters(), lr=0.1)
    right(model, own, ids, known)


def edits(model, optimizer, ids, known):
    right(model, optimizer, ids, known)
    ids.zero_()


WRONG = {
    "gradients never cleared": (no_zero, "sum of the gradients of both steps"),
    "cleared before the step": (zero_between, "What do you call between backward"),
    "set to zero before the step": (zero_between_kept, "What do you call between backward"),
    "step before backward": (step_first, "before there was a gradient"),
    "no step": (no_step, "A gradient is only a direction"),
    "no backward": (no_backward, "a forward pass, which changes nothing"),
    "under no_grad": (without_gradient, "computed under torch.no_grad()"),
    "unshifted": (with_loss(lambda m, ids, _: F.cross_entropy(m(ids).flatten(0, 1), ids.flatten())), "repeat its input"),
    "unshifted, known only": (
        with_loss(lambda m, ids, known: F.cross_entropy(m(ids)[:, known].flatten(0, 1), ids[:, known].flatten())),
        "repeat its input",
    ),
    "shifted the wrong way": (
        with_loss(lambda m, ids, _: F.cross_entropy(m(ids)[:, 1:].flatten(0, 1), ids[:, :-1].flatten())),
        "in the wrong direction",
    ),
    "unpredictable tokens counted": (with_loss(lambda m, ids, _: m.loss(ids)), "tokens that cannot be predicted"),
    "uphill": (with_loss(lambda m, ids, known: -m.loss(ids, known)), "so the loss grows"),
    "two whole steps": (twice, "takes 2 steps"),
    "the step twice": (stepped_twice, "takes 2 steps"),
    "backward twice": (backward_twice, "One forward pass allows one backward pass"),
    "another optimizer": (own_optimizer, "the optimizer that is passed in"),
    "parameters left out": (only_the_layers, "parameters did not move, for example tokens.weight"),
    "changes its input": (edits, "Do not write into ids and known"),
    "wrong arguments": (lambda model: None, "raised TypeError"),
}


def test_each_bug_is_named(subtests):
    assert_rejected(subtests, check.training_step, {name: (answer, [message]) for name, (answer, message) in WRONG.items()})


def test_a_check_does_not_change_the_random_state_or_the_gradient_mode(gpus_keep_their_seed):
    torch.manual_seed(3)
    wanted = torch.rand(4)
    torch.manual_seed(3)
    gpus_keep_their_seed()
    with torch.no_grad():
        assert check.training_step(right)
        assert not torch.is_grad_enabled()
    assert torch.equal(torch.rand(4), wanted)
