"""The checkers of training loops pass right answers and name each bug by the parameters that it leaves."""

import torch
import torch.nn.functional as F
from verdicts import assert_passed, assert_rejected

from attn import check
from attn.lessons.by_hand import SGD, Bigrams


def zero_first(model, optimizer, batches):
    for ids in batches:
        optimizer.zero_grad()
        model.loss(ids).backward()
        optimizer.step()


def zero_before_backward(model, optimizer, batches):
    losses = []
    for ids in batches:
        loss = model.loss(ids)
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def zero_last(model, optimizer, batches):
    for ids in batches:
        model.loss(ids).backward()
        optimizer.step()
        model.zero_grad()


def by_hand(model, optimizer, batches):
    for ids in batches:
        for parameter, gradient in model.loss(ids).gradients:
            parameter.value = parameter.value - optimizer.lr * gradient


def test_right_loops_pass(subtests):
    answers = (zero_first, zero_before_backward, zero_last, by_hand)
    assert_passed(subtests, check.training_loop, {answer.__name__: answer for answer in answers})


def looped(each, after="", before="", first=False):
    """A loop with these calls: z is zero_grad(), b is backward(), s is step()."""

    def answer(model, optimizer, batches):
        def call(calls, loss):
            for one in calls:
                {"z": optimizer.zero_grad, "b": lambda: loss.backward(), "s": optimizer.step}[one]()

        call(before, None)
        for ids in batches:
            call(each, model.loss(ids))
            if first:
                return
        call(after, None)

    return answer


def first_batch(model, optimizer, batches):
    zero_first(model, optimizer, [batches[0] for _ in batches])


def uphill(model, optimizer, batches):
    for ids in batches:
        optimizer.zero_grad()
        (-model.loss(ids)).backward()
        optimizer.step()


def only_the_bias(model, optimizer, batches):
    zero_first(model, SGD([model.b], 0.5), batches)


def only_the_matrix(model, optimizer, batches):
    zero_first(model, SGD([model.W], 0.5), batches)


def another_rate(model, optimizer, batches):
    zero_first(model, SGD(model.parameters(), 0.1), batches)


WRONG_LOOPS = {
    "gradients never emptied": (looped("bs"), ["the first step is right", "adds to .grad"]),
    "emptied once, before the loop": (looped("bs", before="z"), ["sum of the gradients of two batches"]),
    "emptied before the step": (looped("bzs"), ["What do you call between backward() and step()?"]),
    "step before backward": (looped("sb"), ["before the gradients of its batch"]),
    "step, empty, backward": (looped("szb"), ["before the gradients of its batch"]),
    "empty, step, backward": (looped("zsb"), ["before there is a gradient"]),
    "no step": (looped("zb"), ["Which call of the optimizer takes the step?"]),
    "no backward": (looped("zs"), ["Which call computes the gradients?"]),
    "nothing": (looped(""), ["neither W nor b has changed"]),
    "a step after the loop, all gradients": (looped("b", after="s"), ["moved once, by the sum of all gradients"]),
    "a step after the loop, the last gradient": (looped("zb", after="s"), ["moved once, by the gradient of the last batch"]),
    "returns in the loop": (looped("zbs", first=True), ["return inside the loop"]),
    "two steps": (looped("zbss"), ["takes 6 steps"]),
    "always the first batch": (first_batch, ["the first one was used in every step"]),
    "uphill": (uphill, ["so the loss grows"]),
    "only the bias": (only_the_bias, ["W did not move"]),
    "only the matrix": (only_the_matrix, ["b did not move"]),
    "another rate": (another_rate, ["not by the right gradients"]),
    "raises": (lambda model, optimizer, batches: batches[9], ["With 3 batches, your code raised IndexError"]),
}


def test_wrong_loops_are_explained(subtests):
    assert_rejected(subtests, check.training_loop, WRONG_LOOPS)


def by_share(model, optimizer, parts):
    optimizer.zero_grad()
    total = sum(len(ids) - 1 for ids in parts)
    for ids in parts:
        loss = model.loss(ids)
        (loss * (len(ids) - 1) / total).backward()
    optimizer.step()


def one_backward(model, optimizer, parts):
    total = sum(len(ids) - 1 for ids in parts)
    loss = sum((len(ids) - 1) * model.loss(ids) for ids in parts)
    optimizer.zero_grad()
    (loss / total).backward()
    optimizer.step()


def test_right_accumulations_pass(subtests):
    assert_passed(subtests, check.accumulated_step, {answer.__name__: answer for answer in (by_share, one_backward)})


def accumulated(weight, each="b", after="s"):
    """A step in which a part is weighted by weight(part, all parts)."""

    def answer(model, optimizer, parts):
        for ids in parts:
            loss = model.loss(ids) * weight(ids, parts)
            for one in each:
                {"z": optimizer.zero_grad, "b": loss.backward, "s": optimizer.step}[one]()
        if after:
            optimizer.step()

    return answer


def of_parts(ids, parts):
    return 1 / len(parts)


def share(ids, parts):
    return (len(ids) - 1) / sum(len(one) - 1 for one in parts)


WRONG_ACCUMULATIONS = {
    "mean of means": (accumulated(of_parts), ["2, 6 and 3 predictions", "shortest part counts 3 times as much"]),
    "sum of means": (accumulated(lambda ids, parts: 1), ["the sum of the parts' gradients", "mean of 11 predictions"]),
    "sum of all": (accumulated(lambda ids, parts: len(ids) - 1), ["the step is 11 times too long"]),
    "weighted by tokens": (accumulated(lambda ids, parts: len(ids) / sum(map(len, parts))), ["by its number of tokens"]),
    "the last part": (accumulated(share, "zb"), ["the last part alone: the gradients of the others were emptied"]),
    "the last part, divided": (accumulated(of_parts, "zb"), ["the last part alone"]),
    "a step for each part": (accumulated(of_parts, "zbs", ""), ["takes 3 steps"]),
    "a step for each part, by share": (accumulated(share, "bs", ""), ["takes 3 steps"]),
    "no step": (accumulated(share, "b", ""), ["Which call of the optimizer takes the step?"]),
    "no backward": (accumulated(share, "", "s"), ["Which call computes the gradients?"]),
    "emptied before the step": (accumulated(share, "bz"), ["between backward() and step()"]),
    "another rate": (
        lambda model, optimizer, parts: by_share(model, SGD(model.parameters(), 0.1), parts),
        ["not by the right gradients"],
    ),
    "raises": (lambda model, optimizer, parts: parts[9], ["With 3 parts, your code raised IndexError"]),
}


def test_wrong_accumulations_are_explained(subtests):
    assert_rejected(subtests, check.accumulated_step, WRONG_ACCUMULATIONS)


def test_the_gradients_by_hand_are_those_of_autograd_and_losses_add_and_scale_like_tensors():
    ids = [torch.tensor([0, 3, 1, 1, 4]), torch.tensor([2, 2, 0])]
    model = Bigrams(5)
    W, b = (one.value.clone().requires_grad_() for one in model.parameters())

    def loss_of(one):
        return F.cross_entropy(W[one[:-1]] + b, one[1:])

    def mixed(loss):
        return sum((3 * loss(ids[0]) / 2, -loss(ids[1])))

    (loss_of(ids[1]) + mixed(loss_of)).backward()
    mine = mixed(model.loss)
    model.loss(ids[1]).backward()
    mine.backward()
    torch.testing.assert_close(mine.item(), mixed(loss_of).item())
    torch.testing.assert_close(model.W.grad, W.grad)
    torch.testing.assert_close(model.b.grad, b.grad)


def test_the_optimizer_by_hand_moves_as_that_of_torch():
    ids = torch.tensor([0, 3, 1, 1, 4])
    model = Bigrams(5)
    W, b = (torch.nn.Parameter(one.value.clone()) for one in model.parameters())
    theirs, mine = torch.optim.SGD([W, b], 0.3), SGD(model.parameters(), 0.3)
    for step in range(3):
        for optimizer, loss in ((theirs, F.cross_entropy(W[ids[:-1]] + b, ids[1:])), (mine, model.loss(ids))):
            if step != 1:  # then gradients add up
                optimizer.zero_grad(set_to_none=bool(step))
            loss.backward()
            optimizer.step()
    torch.testing.assert_close(model.W.value, W.detach())
    torch.testing.assert_close(model.b.value, b.detach())
