"""The checker for decoding passes right answers and names the mistake in wrong ones."""

import torch
import torch.nn.functional as F
from verdicts import assert_passed, assert_rejected

import attn
from attn import check


def project(layer, x):
    q = attn.split_heads(x @ layer.W_Q.T, layer.H)
    k, v = (attn.split_heads(x @ weight.T, layer.G) for weight in (layer.W_K, layer.W_V))
    return q, k, v


def placed(new, positions, cache):
    return new + positions[len(cache) : len(cache) + new.shape[1]]


def joined(layer, heads):
    return layer.W_O(attn.merge_heads(heads))


def by_position(layer, new, positions, cache):
    q, k, v = project(layer, placed(new, positions, cache))
    return joined(layer, attn.attention(q, *cache.append(k, v), causal=True))


def the_layer_itself(layer, new, positions, cache):
    return layer(placed(new, positions, cache), causal=True, cache=cache)


def token_by_token(layer, new, positions, cache):
    out = []
    for n in range(new.shape[1]):
        q, k, v = project(layer, placed(new[:, n : n + 1], positions, cache))
        k, v = (tensor.repeat_interleave(layer.H // layer.G, 1) for tensor in cache.append(k, v))
        weights = (q @ k.mT / layer.D**0.5).softmax(-1)
        out.append(joined(layer, weights @ v))
    return torch.cat(out, 1)


def fused_with_a_mask(layer, new, positions, cache):
    q, k, v = project(layer, placed(new, positions, cache))
    k, v = cache.append(k, v)
    L, S = q.shape[2], k.shape[2]
    mask = torch.ones(L, S, dtype=torch.bool).tril(S - L)
    return joined(layer, F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True))


def test_right_steps_pass(subtests):
    answers = (by_position, the_layer_itself, token_by_token, fused_with_a_mask)
    assert_passed(subtests, check.decode, {answer.__name__: answer for answer in answers})


def step(place=placed, attend=None, append="first"):
    """A step with one part replaced."""

    def answer(layer, new, positions, cache):
        q, k, v = project(layer, place(new, positions, cache))
        past = cache.k.clone(), cache.v.clone()
        both = cache.append(k, v)
        keys, values = {"first": both, "after": past, "never read": (k, v)}[append]
        if attend is None:
            heads = attn.attention(q, keys, values, causal=append != "after")
        else:
            heads = attend(q, keys, values)
        return joined(layer, heads)

    return answer


def top_left(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)


def restarted(new, positions, cache):
    return new + positions[: new.shape[1]]


def unplaced(new, positions, cache):
    return new


def one_too_high(new, positions, cache):
    return new + positions[len(cache) + 1 : len(cache) + 1 + new.shape[1]]


def tiled(q, k, v):
    return attn.attention(q, *(tensor.repeat(1, q.shape[1] // k.shape[1], 1, 1) for tensor in (k, v)), causal=True)


def late(q, k, v):
    G, L, S = q.shape[1] // k.shape[1], q.shape[2], k.shape[2]
    k, v = k.repeat_interleave(G, 1), v.repeat_interleave(G, 1)
    return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) * attn.masks.causal(L, S) @ v


def append_nothing(layer, new, positions, cache):
    q, k, v = project(layer, placed(new, positions, cache))
    k, v = torch.cat([cache.k, k], 2), torch.cat([cache.v, v], 2)
    return joined(layer, attn.attention(q, k, v, causal=True))


def no_output_matrix(layer, new, positions, cache):
    q, k, v = project(layer, placed(new, positions, cache))
    return attn.merge_heads(attn.attention(q, *cache.append(k, v), causal=True))


def in_place(layer, new, positions, cache):
    return layer(new.add_(positions[: new.shape[1]]), causal=True, cache=cache)


FAIL = {
    "top left": (step(attend=top_left), ["the next token", "top left", "only the first key"]),
    "positions restart": (step(place=restarted), ["the next token", "start at 0 again"]),
    "both of these": (step(place=restarted, attend=top_left), ["top left"]),
    "no positions": (step(place=unplaced), ["the prompt", "no positions were added"]),
    "positions one too high": (step(place=one_too_high), ["the prompt", "one too high"]),
    "appended after use": (step(append="after"), ["the prompt", "appended to the cache after reading it"]),
    "only the new keys": (step(append="never read"), ["the next token", "none of those in the cache"]),
    "only the new keys, from the start": (
        step(place=restarted, append="never read"),
        ["the next token", "none of those in the cache", "Also, positions start at 0 again"],
    ),
    "no mask": (step(attend=attn.attention), ["the prompt", "attends to later ones too"]),
    "no mask and no positions": (step(unplaced, attn.attention), ["attends to later ones too", "Also, no positions"]),
    "groups tiled": (step(attend=tiled), ["head h uses key/value head h % 3", "tiled"]),
    "not scaled": (step(attend=lambda q, k, v: attn.attention(q, k, v, causal=True, scale=1.0)), ["not divided by √D"]),
    "masked too late": (step(attend=late), ["the mask was applied after softmax"]),
    "no W_O": (no_output_matrix, ["heads side by side"]),
    "nothing appended": (append_nothing, ["the result is right", "the cache holds 0 positions instead of 4"]),
    "nothing returned": (lambda *given: None, ["returned None", "Is the return statement missing?"]),
    "another shape": (lambda layer, new, *rest: new[:, :1], ["(2, 1, 30); it must be (B, L, E) = (2, 4, 30)"]),
    "raises": (lambda layer, new, *rest: new.view(7), ["raised RuntimeError"]),
    "in place": (in_place, ["changed its input new. Do not write into new and positions"]),
    "noise": (lambda layer, new, positions, cache: the_layer_itself(layer, new, positions, cache) + 1, ["differ by up to 1 "]),
    "not a number": (lambda layer, new, *rest: new / 0, ["not finite"]),
}


def test_wrong_steps_are_explained(subtests):
    assert_rejected(subtests, check.decode, FAIL)


def test_one_mistake_is_not_reported_as_two(subtests):
    for name, (answer, parts) in FAIL.items():
        with subtests.test(answer=name):
            assert ("Also" in check.decode(answer).message) == any("Also" in part for part in parts)


def test_a_mask_that_is_right_only_for_a_single_token_is_rejected():
    def right_for_one_token(q, k, v):
        return attn.attention(q, k, v) if q.shape[2] == 1 else top_left(q, k, v)

    message = check.decode(step(attend=right_for_one_token)).message
    assert "several tokens at once" in message and "the newest token attends to only the first 3 keys" in message


def test_an_answer_that_changes_the_layer_does_not_affect_the_next_check():
    def change_weights(layer, new, positions, cache):
        with torch.no_grad():
            layer.W_QKV.weight.zero_()
        return by_position(layer, new, positions, cache)

    assert not check.decode(change_weights)
    assert check.decode(by_position)
