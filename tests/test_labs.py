"""Labs: settings and their errors, what the kernel computes and sends, the HTML for pages, the composed script."""

import gzip
import html
import json
import random
import re
import runpy
from types import SimpleNamespace

import minify
import pytest
import torch
import traitlets
from node import TESTS, assert_agree, computed_by_node, copied_code, javascript_constants, node
from torch.testing import assert_close

import attn
from attn import labs
from attn.labs import ShapeLab, bundle, join
from attn.labs.inputs import normal, texts, words
from attn.labs.lab import Lab, Size, stylesheet
from attn.lessons import language, reader
from attn.steps import LayerSteps


def state_of(container: str) -> dict:
    return json.loads(html.unescape(re.search(r"data-state='([^']*)'", container)[1]))


# Settings ---------------------------------------------------------------------------------------------------------------


def test_a_change_updates_the_results():
    lab = ShapeLab(B=2, H=3, L=5, D=4)
    assert lab.scores.shape == (2, 3, 5, 5)
    lab.L = 7
    assert lab.scores.shape == lab.steps.scores.shape == (2, 3, 7, 7)
    lab.S = 11
    assert lab.weights.shape == (2, 3, 7, 11) and lab.context.shape == (2, 11, 12)
    lab.S = None
    assert lab.context is None
    assert lab.scores.device.type == attn.device().type
    assert {"scores", "steps", "L"} <= set(dir(lab))


@pytest.mark.parametrize(
    "name,value,message",
    [
        ("L", 0, r"^L = 0: this lab takes L, query positions \(tokens\), from 1 to 64\.$"),
        ("L", 65, "L = 65"),
        ("B", 2.0, r"B = 2\.0: .* whole number from 1 to 4"),
        ("B", None, "B = None|B"),
        ("D", True, "D = True"),
        ("S", 0, "S = 0"),
        ("G", 2, r"^H = 3 is not a multiple of G = 2: .* G can be \[1, 3\]\.$"),
        ("step", "attention", "step"),
        ("pin", [1, 2], "pin"),
        ("pin", [1, 2, 3, -4], "-4"),
        ("seed", -1, "-1"),
        ("causal", "yes", "causal"),
    ],
)
def test_an_invalid_setting_raises_an_error_is_shown_in_the_lab_and_changes_nothing(name, value, message):
    lab = ShapeLab()
    before, scores, answer = repr(lab), lab.scores, lab._answer
    with pytest.raises((traitlets.TraitError, attn.ShapeError), match=message) as error:
        setattr(lab, name, value)
    assert lab._message == str(error.value)
    assert (repr(lab), lab.scores, lab._answer) == (before, scores, answer)
    lab.L = 6
    assert lab._message == "" and lab.scores.shape == (2, 3, 6, 6)


def test_the_next_setting_clears_the_message_even_if_it_changes_nothing():
    lab = ShapeLab()
    with pytest.raises(traitlets.TraitError):
        lab.L = 99
    lab.L = 7
    assert lab._message == ""


def test_the_width_sets_the_width_of_a_head_or_raises_the_packages_error():
    lab = ShapeLab(H=4)
    lab.E = 20
    assert (lab.D, lab.E) == (5, 20)
    with pytest.raises(attn.ShapeError, match="E = 10 cannot be split into H = 4 heads") as error:
        lab.E = 10
    assert (lab.D, lab._message) == (5, str(error.value))


def test_fewer_heads_reduce_the_number_of_key_value_heads():
    lab = ShapeLab(H=8, G=4)
    lab.H = 6
    assert (lab.H, lab.G) == (6, 3) and lab.k.shape[1] == 3
    lab.H = 7
    assert (lab.H, lab.G) == (7, 1)
    with lab.hold_trait_notifications():
        lab.G = 4
        lab.H = 8
    assert lab.k.shape[1] == 4


@pytest.mark.parametrize(
    "settings,error", [({"C": 3}, TypeError), ({"L": 0}, traitlets.TraitError), ({"H": 4, "G": 3}, attn.ShapeError)]
)
def test_a_lab_with_invalid_settings_is_refused(settings, error):
    with pytest.raises(error):
        ShapeLab(**settings)


def test_the_error_for_an_unknown_result_lists_the_results_of_the_lab():
    with pytest.raises(AttributeError, match=r"ShapeLab has no attribute 'attention'; its results are steps, .*weights"):
        ShapeLab().attention  # noqa: B018


# The machinery, on a lab that counts ---------------------------------------------------------------------------------------


class Counting(Lab):
    NAME = "shape"
    STATE = ("L", "D")
    VIEW = ("step",)
    LIMITS = {"L": (1, 9), "D": (1, 9)}
    PAGE_LIMITS = {"L": (1, 5), "D": (1, 5)}
    L = Size(2).tag(sync=True)
    D = Size(3).tag(sync=True)
    step = traitlets.Unicode("ones").tag(sync=True)

    def compute(self):
        self.count = getattr(self, "count", 0) + 1
        if self.L == self.D:
            raise attn.ShapeError(f"L and D are both {self.L}.")
        return {"ones": torch.ones(self.L, self.D), "twos": torch.full((self.D, self.L), 2.0).T}

    def send(self, results):
        return [self.step if self.step in results else "ones"]

    def fallback(self):
        return '<p class="it\'s">5 < 6</p>'


def test_a_batch_of_changes_is_computed_once():
    lab = Counting()
    lab.set_state({"L": 5, "D": 7})
    assert lab.count == 2 and lab.ones.shape == (5, 7)
    with lab.hold_trait_notifications():
        lab.L = 7  # for a moment equal to D
        lab.D = 5
    assert lab.count == 3 and lab.ones.shape == (7, 5)
    lab.L = 7
    assert lab.count == 3


def test_observers_see_the_results_of_the_change_that_they_observe():
    lab, seen = Counting(), []
    lab.observe(lambda change: seen.append((change["new"], tuple(lab.ones.shape))), "L")
    lab.L = 4
    lab.set_state({"L": 5})
    assert seen == [(4, (4, 3)), (5, (5, 3))]


def test_a_change_of_view_sends_the_missing_tensors_and_computes_nothing():
    lab = Counting()
    assert list(lab._answer["tensors"]) == ["ones"]
    lab.step = "twos"
    assert list(lab._answer["tensors"]) == ["ones", "twos"] and lab.count == 1
    lab.step = "ones"
    lab.L = 4
    assert list(lab._answer["tensors"]) == ["ones"] and lab._answer["state"] == {"L": 4, "D": 3}


def test_tensors_are_sent_as_their_numbers_in_order_whatever_their_strides():
    lab = Counting(step="twos")
    assert lab._answer["tensors"]["twos"] == torch.full((2, 3), 2.0).numpy().tobytes()


@pytest.mark.parametrize("change", [{"L": 3}, {"L": 99}, {"L": 4, "D": 99}, {"L": "x"}, {"L": None}])
def test_an_invalid_change_from_the_front_end_is_answered_with_a_message_and_undone(change):
    lab, sent = Counting(), []
    lab.send_state = lambda key=None: sent.append(key)
    lab.set_state(change)
    assert lab._message
    assert (lab.L, lab.D, lab.ones.shape) == (2, 3, (2, 3))
    assert set(change) <= set(sent[-1])
    lab.set_state({"L": 4})
    assert lab._message == "" and lab.ones.shape == (4, 3)


def test_an_error_while_computing_leaves_settings_and_results_as_they_were():
    lab = Counting()
    with pytest.raises(attn.ShapeError, match="both 3"):
        lab.L = 3
    assert lab._message == "L and D are both 3." and lab.L == 2
    lab.D = 5
    assert lab._message == "" and lab.ones.shape == (2, 5)


def test_the_container_has_the_settings_and_the_same_content_without_javascript():
    container = Counting()._repr_mimebundle_()[0]["text/html"]
    assert container.startswith('<div class="attn-lab" data-lab="shape" data-state=\'')
    assert container.endswith('<p class="it\'s">5 < 6</p></div>')
    assert state_of(container) == {
        "L": 2,
        "D": 3,
        "step": "ones",
        "_schema": {"name": "Counting", "state": ["L", "D"], "view": ["step"], "constants": [], "precision": "float32"},
        "_stage": {"question": "", "answer": "", "chips": [], "parts": None, "controls": None},
        "_limits": {"L": [1, 5], "D": [1, 5]},
        "_backend": "",
        "_message": "",
    }
    odd = Counting(step="</div><script>'\"&amp;")
    assert state_of(odd.html())["step"] == odd.step
    assert "<script>" not in odd.html()


def test_a_page_knows_which_settings_have_choices_and_which_may_be_none():
    schema = state_of(ShapeLab().html())["_schema"]
    assert schema["choices"]["colour"] == ["value", "origin"] and {"step", "pinned"} < {*schema["choices"]}
    assert schema["optional"] == {"S": "number", "G": "number", "pin": "array", "pinned": "string"}


def test_a_page_may_start_outside_its_limits():
    assert state_of(Counting(L=8).html())["_limits"] == {"L": [1, 8], "D": [1, 5]}


def test_a_lab_that_is_not_named_after_its_folder_is_refused():
    with pytest.raises(TypeError, match=r"attn\.labs\.shape\.lab defines OtherLab: a lab is named after its folder, ShapeLab"):
        type("OtherLab", (Lab,), {"__module__": "attn.labs.shape.lab"})


class Staged(Counting):
    QUESTION = "How many?"
    CHIPS = (("four", {"L": 4}),)
    PARTS = ("ones", "twos")
    CONTROLS = ("L", "D")


def test_a_page_may_choose_the_question_the_actions_the_parts_and_the_controls_of_a_lab():
    whole = Staged()
    assert state_of(whole.html())["_stage"] == {
        **{"question": "How many?", "answer": "", "chips": [["four", {"L": 4}]], "parts": None, "controls": None}
    }
    assert 'class="attn-lab full-width"' in whole.html()
    small = Staged(question="How few?", answer="None.", chips=[("one", {"L": 1, "step": "twos"})], parts=["twos"], controls=[])
    assert state_of(small.html())["_stage"] == {
        **{"question": "How few?", "answer": "None.", "chips": [["one", {"L": 1, "step": "twos"}]]},
        **{"parts": ["twos"], "controls": []},
    }
    assert 'class="attn-lab small"' in small.html()
    assert repr(small) == "Staged(L=2, D=3, step='ones')"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"parts": ["threes"]}, "Staged has no part 'threes': it has ones, twos."),
        ({"controls": ["L", "H"]}, "Staged has no control 'H': it has L, D."),
        ({"chips": [("go", {"H": 1})]}, "The action 'go' sets 'H': the settings of Staged are L, D, step."),
        ({"chips": [("go", {"L": 99})]}, "The action 'go' sets L = 99, which Staged does not take: .*from 1 to 9"),
    ],
)
def test_a_choice_that_the_lab_does_not_have_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Staged(**arguments)


# ShapeLab -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("S,G", [(None, None), (7, None), (None, 2), (7, 3)])
def test_the_kernel_computes_what_the_layer_with_the_same_weights_computes(S, G):
    lab = ShapeLab(B=2, H=6, L=5, D=4, S=S, G=G, causal=True, seed=3)
    layer = attn.MultiHeadAttention(lab.E, 6, G=G, bias=False, device=attn.device())
    rows = (G or 6) * lab.D
    with torch.no_grad():
        for weight, name, count in (
            (layer.W_Q, "W_Q", 24),
            (layer.W_K, "W_K", rows),
            (layer.W_V, "W_V", rows),
            (layer.W_O.weight, "W_O", 24),
        ):
            weight.copy_(normal(3, name, range(count), 24) / 24**0.5)
        steps = layer.steps(lab.x, lab.context, causal=True)
    assert [name for name, _ in lab.steps.items()] == [name for name, _ in steps.items()]
    for name, tensor in steps.items():
        assert_close(getattr(lab, name), tensor, msg=name)


def test_without_scale_the_scores_are_not_divided():
    lab = ShapeLab(scale=False)
    assert_close(lab.scaled, lab.scores)
    lab.scale = True
    assert_close(lab.scaled, lab.scores / 2)


def test_all_tensors_are_sent_for_the_map_and_of_a_large_layer_the_chosen_one_alone():
    lab = ShapeLab()
    names = {name for name, _ in lab.steps.items()}
    assert set(lab._answer["tensors"]) == {*names, "trained"} and "context" not in names
    assert lab._answer["tensors"]["v_flat"] == lab.v_flat.cpu().half().numpy().tobytes()
    assert lab._answer["state"] == lab.state and lab._schema["precision"] == "float16"
    assert set(ShapeLab(S=5)._answer["tensors"]) == {*names, "context", "trained"}
    large = ShapeLab(B=4, H=8, L=64, D=64)
    assert set(large._answer["tensors"]) == {"scores", "trained"}
    assert sum(len(one) for one in large._answer["tensors"].values() if isinstance(one, bytes)) == 2 * large.scores.numel()
    large.step = "kT"
    assert set(large._answer["tensors"]) == {"scores", "k", "trained"}
    context = ShapeLab(B=4, H=8, L=64, D=64, step="context")
    assert set(context._answer["tensors"]) == {"scores", "trained"}, "there is no context in self-attention"


def test_the_cell_under_the_pointer_or_else_the_pinned_one_is_sent_exactly():
    lab = ShapeLab(H=6, G=3, S=7, causal=True, step="masked", pin=[1, 4, 2, 6])
    assert (lab._exact["of"], lab._exact["place"]) == ("masked", [1, 4, 2, 6])
    assert lab._exact["weight"] == lab.weights[1, 4, 2, 6].item()
    assert lab._exact["query"] == lab.q[1, 4, 2].tolist() and lab._exact["key"] == lab.k[1, 2, 6].tolist()
    assert lab._exact["most"] == lab.scaled.masked_fill(lab.masked.isinf(), 0).abs().max().item()
    lab.set_state({"_pointed": [0, 5, 1, 3]})
    assert lab._exact["place"] == [0, 5, 1, 3] and lab._exact["state"] == lab.state
    lab._message = "invalid"
    lab.set_state({"_pointed": [0, 5, 1, 4]})
    assert lab._message == "invalid" and lab._exact["place"] == [0, 5, 1, 4]
    lab.step, lab.pinned = "concat", "masked"
    lab._pointed = [0, 0, 1, 3]
    assert (lab._exact["of"], lab._exact["value"]) == ("concat", lab.concat[0, 1, 3].item())
    lab._pointed = None
    assert (lab._exact["of"], lab._exact["step"], lab._exact["place"]) == ("masked", "concat", [1, 4, 2, 6])
    lab.B, lab.H = 1, 3
    assert lab._exact["place"] == [0, 2, 2, 6], "the pinned cell stays inside the sizes"
    assert lab._exact["weight"] == lab.weights[0, 2, 2, 6].item()
    lab.step, lab.pinned = "kT", None
    assert lab._exact["value"] == lab.k[0, 2, 6, 2].item()
    lab.pin = None
    assert "place" not in lab._exact


def test_the_front_end_names_the_tensors_and_their_axes_as_the_record_does():
    (steps,) = javascript_constants("shape/model", "STEPS")
    annotated = {name: " ".join(axes).replace("Dv", "D") for name, axes in LayerSteps.annotated_axes().items()}
    assert [(name, axes) for name, axes, _ in steps] == list(annotated.items())


@pytest.mark.parametrize(
    "settings,head,row", [({}, 0, 1), ({"sentence": "gold found kings"}, 0, 1), ({"L": 8}, 0, 7), ({"S": 5}, 0, 6)]
)
def test_the_fallback_has_the_shape_table_and_a_true_sentence(settings, head, row):
    """About the first word that asks and the head that answers it; at other sizes about the last word."""
    lab = ShapeLab(**settings)
    fallback = lab.fallback()
    assert str(tuple(lab.scores.shape)) in fallback
    pattern = r"In head (\d) of sentence 0 the word “(\w+)” attends most to “(\w+)”: .* has ([\d.]+)\."
    told, word, most, weight = re.search(pattern, fallback).groups()
    weights = lab.weights[0, head, row]
    assert (int(told), word, most) == (head, lab.words("L")[0][row], lab.words("S")[0][int(weights.argmax())])
    assert float(weight) == round(float(weights.max()), 2)
    assert ("This head answers “who?”." in fallback) == (lab.trained and lab.S is None)


def test_the_lab_shows_what_computes_its_results():
    assert ShapeLab()._backend == f"torch {'.'.join(torch.__version__.split('.')[:2])} · {attn.device().type}"
    assert state_of(ShapeLab().html())["_backend"] == ""


def test_texts_are_long_enough_for_every_lab():
    for some in (texts(), [text.split() for text in ShapeLab()._texts]):
        assert len(some) == ShapeLab.LIMITS["B"][1]
        assert min(map(len, some)) >= ShapeLab.LIMITS["L"][1] >= ShapeLab.PAGE_LIMITS["L"][1]
    assert max(len(words()), len(language.WORDS)) <= javascript_constants("kit/layer", "VOCABULARY")[0]


def random_settings(seed: int) -> dict:
    choose = random.Random(seed)
    H = choose.randint(1, 8)
    return {
        **{"B": choose.randint(1, 4), "H": H, "L": choose.randint(1, 24), "D": choose.randint(1, 16)},
        "S": choose.choice([None, choose.randint(1, 24)]),
        "G": choose.choice([None, choose.choice([n for n in range(1, H + 1) if H % n == 0])]),
        **{"scale": choose.random() < 0.7, "causal": choose.random() < 0.5, "seed": choose.randint(0, 9999)},
    }


TRAINED = (
    {},
    {"B": 4, "L": 5, "G": 3},
    {"S": 6, "causal": True},
    {"L": 2, "scale": False},
    {"sentence": "Kings found gold!"},
    {"sentence": "old girls stole cake", "L": 6, "S": 7},
)
RANDOM = ({"L": 8}, {"S": 8}, {"G": 1}, {"seed": 1}, {"D": 5}, {"H": 2}, {"sentence": "kings found gold today", "L": 20, "S": 3})


def test_at_its_own_sizes_the_lab_shows_the_recorded_layer():
    recorded = reader.recorded()
    for settings in TRAINED:
        lab = ShapeLab(**settings)
        words = lab.words("L")
        assert lab.trained
        ids = torch.tensor([[language.NUMBER[word] for word in some] for some in words])
        assert_close(lab.x.cpu(), recorded.embed(ids).detach())
        if lab.S is None and not lab.causal and lab.scale:
            assert_close(lab.y.cpu(), recorded.steps(ids).y.detach())
    for settings in RANDOM:
        assert not ShapeLab(**settings).trained


def test_browser_and_kernel_show_the_same_layer_at_its_own_sizes_and_at_others():
    assert_agree([ShapeLab(**settings) for settings in (*TRAINED, *RANDOM)])


def test_a_lengthened_sentence_keeps_its_words_where_they_are():
    assert [" ".join(words) for words in ShapeLab(B=4).words("L")] == list(language.EXAMPLES[:4])
    for L in (5, 6, 7, 20, 64):
        lab = ShapeLab(B=4, L=L)
        assert [words[:5] for words in lab.words("L")] == [text.split()[:5] for text in language.EXAMPLES[:4]]
        assert all(word in language.NUMBER for words in lab.words("L") for word in words)


def test_the_readers_sentence_replaces_the_first_one_and_sets_the_length():
    lab = ShapeLab()
    lab.sentence = "Old kings found gold, today."
    assert lab.L == 5 and lab.weights.shape == (2, 3, 5, 5) and lab.words("L")[0] == ["old", "kings", "found", "gold", "today"]
    assert lab.words("L")[1] == language.EXAMPLES[1].split()[:5]
    lab.L = 6
    assert lab.words("L")[0] == ["old", "kings", "found", "gold", "today", "girls"]
    lab.sentence = ""
    assert lab.L == 7 and lab.words("L")[0] == language.EXAMPLES[0].split()


@pytest.mark.parametrize(
    "sentence,message",
    [
        ("kings find gold", "“find” is not one of the 29 words of this language. The words are: old small happy; girls"),
        ("A king found gold", "“a” is not one of the 29 words of this language. The words are: old small happy; girls"),
        ("old king found gold", "“king” is not one of the 29 words of this language. Did you mean “kings”?"),
        (
            "girls near old kings found gold today soon",
            "has 8 words; a sentence of this language has 7 at most. Leave out at least 1.",
        ),
    ],
)
def test_a_sentence_of_another_language_is_refused_with_the_same_message_on_both_sides(sentence, message):
    lab = ShapeLab(sentence="kings found gold")
    before, y = repr(lab), lab.y
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        lab.sentence = sentence
    assert (repr(lab), lab._message) == (before, str(error.value)) and lab.y is y
    lab.set_state({"sentence": sentence, "L": 7})
    assert (repr(lab), lab._message) == (before, str(error.value)) and lab.y is y
    script = f"""import {{ compute, changesForSentence }} from './src/attn/labs/shape/model.js';
    const told = (run) => {{ try {{ return run(); }} catch (error) {{ return error.message; }} }};
    const [sentence, state] = {json.dumps([sentence, lab.state | {"_texts": lab._texts}])};
    console.log(JSON.stringify([told(() => changesForSentence(sentence)), told(() => compute({{ ...state, sentence }}))]))"""
    run = node("--input-type=module", "-e", script)
    assert run.returncode == 0 and json.loads(run.stdout) == [str(error.value)] * 2


def test_browser_and_kernel_compute_the_same():
    labs = [ShapeLab(**random_settings(seed)) for seed in range(25)]
    for lab, results in zip(labs, assert_agree(labs), strict=True):
        assert set(results) == {*lab.steps.annotated_axes(), "trained"}


@pytest.mark.parametrize("result", ["q", "weights", "y"])
def test_an_error_of_a_page_in_the_fifth_digit_is_noticed(monkeypatch, result):
    labs = [ShapeLab(seed=3)]
    (page,) = computed_by_node(labs)
    monkeypatch.setattr("node.computed_by_node", lambda labs: [page | {result: page[result] * 1.00001}])
    with pytest.raises(AssertionError, match=rf"{result} of ShapeLab"):
        assert_agree(labs)


def test_the_code_that_is_copied_makes_the_same_lab():
    """For every lab with its initial settings, and with None for every setting that may be None."""
    shown = []
    for name in labs.__all__:
        lab = getattr(labs, name)
        optional = [key for key in (*lab.STATE, *lab.VIEW) if lab.class_traits()[key].allow_none]
        shown += [lab(), lab(**dict.fromkeys(optional))]
    for lab, code in zip(shown, copied_code(*shown), strict=True):
        assert repr(eval(code, vars(labs).copy() | {type(lab).__name__: type(lab)})) == repr(lab)


# The script ---------------------------------------------------------------------------------------------------------------

LABS = bundle.lab_names()


@pytest.fixture
def sources(tmp_path, monkeypatch):
    monkeypatch.setattr(join, "SOURCE", tmp_path)
    bundle.forget()
    (tmp_path / "kit").mkdir()
    (tmp_path / "a").mkdir()
    yield lambda files: [(tmp_path / f"{name}.js").write_text(text) for name, text in files.items()]
    bundle.forget()


def test_a_page_of_several_labs_has_each_module_once():
    script = bundle.page_script(LABS)
    made = re.findall(r"^const ([a-z]+_\w+) = \(\(\) => \{$", script, re.M)
    assert len(made) == len(set(made)) and {"kit_page", "shape_view"} <= set(made)
    for text in ("function makeLab(", "class PageModel {"):  # of kit/host and kit/page, which every lab needs
        assert script.count(text) == 1
    assert not re.search(r"^(import|export)\b", script, re.M)
    assert script.rstrip().endswith(");")


def test_a_widgets_script_is_a_module_that_exports_render(tmp_path):
    for lab in LABS:
        (tmp_path / f"{lab}.mjs").write_text(bundle.widget_script(lab), encoding="utf-8")
    script = f"""const made = (lab) => import(`{tmp_path}/${{lab}}.mjs`).then((it) => typeof it.default?.render).catch(String);
    console.log(JSON.stringify(await Promise.all({json.dumps(LABS)}.map(made))));"""
    run = node("--input-type=module", "-e", script)
    assert run.returncode == 0, run.stderr
    assert dict(zip(LABS, json.loads(run.stdout), strict=True)) == dict.fromkeys(LABS, "function")


def test_the_book_gives_a_page_with_labs_their_script_and_style_once_and_other_pages_nothing():
    extension = runpy.run_path(str(TESTS.parent / "book" / "_ext" / "attn_labs.py"))
    context = {"body": f"<h1>Two</h1>{ShapeLab().html()}{ShapeLab(L=7).html()}"}
    app = SimpleNamespace(env=SimpleNamespace(found_docs={"book/bring-your-code"}))
    extension["add_script_and_style"](app, "a/page", "page.html", context, None)
    assert 'attnPrograms="../book/bring-your-code.html#lab-1"' in context["body"]
    assert context["body"].count('<script type="module">') == context["body"].count("<style>") == 1
    assert context["body"].count("attn-drawn") == 1  # once in the host
    other = {"body": "<h1>None</h1>"}
    extension["add_script_and_style"](app, "page", "page.html", other, None)
    assert other == {"body": "<h1>None</h1>"}


def test_a_page_has_the_recorded_weights_once_and_a_widget_has_them_if_it_shows_them():
    weights = reader.RECORD.read_text(encoding="utf-8").strip()
    assert bundle.page_script(LABS).count(weights) == bundle.widget_script("shape").count(weights) == 1
    assert bundle.widget_script("passport").count(weights) == 0


def test_a_script_can_be_embedded_in_a_page():
    assert "</script" not in bundle.page_script(LABS).lower()


def test_the_script_of_a_lab_that_is_loaded_later_is_also_its_workers():
    """In a worker, where there is no document, it answers programs."""
    question = {"code": "import torch\nprint(torch.ones(2, 3).T.shape)", "_words": {"merged": [], "methods": [], "aliases": {}}}
    script = f"""let ask;
      globalThis.addEventListener = (_, listener) => {{ ask = listener; }};
      globalThis.postMessage = ({{ lines, printed }}) => lines && console.log(printed); // and not that it is ready
      {bundle.deferred_script("code")}
      ask({{ data: {json.dumps(question)} }});"""
    run = node("-", stdin=script)
    assert run.stdout.strip() == "torch.Size([3, 2])", run.stderr


def test_such_a_script_says_what_it_misses_and_has_it_with_the_second_one():
    """What few programs need, and what errors mean, is in a second script: a program that ends well without it does not ask."""
    programs = {
        "plain": "import torch, math\nprint(torch.ones(2, 3).sum().item() + math.sqrt(4))",
        "name": "import torch\nprint(torch.arange(3).cumsum(0).tolist())",
        "guard": "import torch\nprint(hasattr(torch, 'gather'))",
        "module": "from dataclasses import dataclass\n@dataclass\nclass Sizes:\n    B: int = 2\nprint(Sizes())",
        "error": "import torch\ntorch.ones(2, 3).view(7)",
        "absent": "import torch\ntorch.fft.fft(torch.ones(3))",
        "layer": "import torch\nfrom torch import nn\nprint(nn.MultiheadAttention(4, 2), torch.linalg.norm(torch.ones(4)))",
    }
    words = {"merged": [], "methods": [], "aliases": {}}
    told = []
    for before in ("", bundle.more_script("code")):
        script = f"""let ask;
          globalThis.addEventListener = (_, listener) => {{ ask = listener; }};
          const said = {{}};
          let name;
          globalThis.postMessage = ({{ lines, printed, failure, incomplete = false }}) => {{
            if (lines) said[name] = [incomplete, printed, failure && failure.message.split("\\n")[0], failure && failure.means];
          }};
          {before}{bundle.deferred_script("code", "more.js")}
          for (const [key, code] of Object.entries({json.dumps(programs)})) {{
            name = key;
            ask({{ data: {{ code, _words: {json.dumps(words)} }} }});
          }}
          console.log(JSON.stringify(said));"""
        run = node("-", stdin=script)
        assert run.returncode == 0, run.stderr
        told.append(json.loads(run.stdout))
    first, both = told
    assert [name for name, (incomplete, *_) in first.items() if not incomplete] == ["plain"]
    assert first["plain"] == both["plain"] == [False, "8.0\n", None, None]
    assert not any(incomplete for incomplete, *_ in both.values())
    printed = {name: text for name, (_, text, *_) in both.items()}
    assert printed["name"] == "[0, 1, 3]\n" and printed["guard"] == "True\n" and printed["module"] == "Sizes(B=2)\n"
    assert both["error"][2] == "shape '[7]' is invalid for input of size 6" and both["error"][3]
    assert both["absent"][2] == "torch.fft is not in the page; run it in Jupyter"
    assert printed["layer"].endswith("tensor(2.)\n")


def test_the_scripts_of_the_page_that_runs_programs_stay_below_70_and_together_below_145_kilobytes_compressed():
    first, second = (
        len(gzip.compress(minify.string("application/javascript", script).encode(), 9))
        for script in (bundle.deferred_script("code", "more.js"), bundle.more_script("code"))
    )
    assert 60_000 < first < 70_000 and first + second < 145_000


def test_what_comes_with_the_second_script_has_a_short_function_in_the_first_one_where_that_calls_it(sources):
    """A function, a method and a statement; and what only these use."""
    mark = "// Comes with the second script.\n"
    sources(
        {
            "a/rest": "export const laterFunctions = [];\n"
            "export const later = (n, self, given) => laterFunctions[n]?.apply(self, given) ?? 'not here';\n",
            "a/page": 'import { later, laterFunctions } from "./rest.js";\nimport { told } from "./told.js";\n'
            "export const lab = [later, laterFunctions];\n"
            "export function isPage(script, more, share) {\n  const before = told();\n  share();\n"
            "  console.log(`${before}; ${told()}`);\n}\n",
            "a/told": f"const known = [3];\n{mark}function sum(a, b) {{\n  return a + only(b);\n}}\n"
            f"const only = (n) => n * scale;\nconst scale = 10;\n{mark}known.push(4);\n"
            f"class Pair {{\n  first = 1;\n\n  {mark}  second(n) {{\n    return this.first + n;\n  }}\n}}\n"
            "export const told = () => [sum(1, 2), new Pair().second(5), known.length].join();\n",
            "a/more": 'import { told } from "./told.js";\ntold();\n',
        }
    )
    first, more = bundle.deferred_script("a"), bundle.more_script("a")
    assert "only" not in first and "scale" not in first and "this.first" not in first
    for before, said in (("", "not here,not here,1; not here,not here,1"), (more, "not here,not here,1; 21,6,2")):
        run = node("-", stdin=before + first)
        assert run.stdout.strip() == said, run.stderr


def test_a_page_loads_such_a_script_when_the_lab_comes_near_and_has_none_of_it_itself():
    script = bundle.page_script(["code", "grid"], {"code": ["tasks-1.js", "code-1.js"]})
    assert 'loadNear({"code": ["tasks-1.js", "code-1.js"]})' in script and "kit_python_lexer" not in script
    assert "loadNear" not in bundle.page_script(["grid"])


def test_modules_stand_in_one_scope_and_one_that_declares_a_taken_name_in_a_function(sources):
    """Each import reaches the module that it names, whatever else has this name."""
    sources(
        {
            "a/view": 'import { one } from "../kit/one.js";\nimport { two } from "../kit/two.js";\n'
            'import { size } from "../kit/three.js";\n'
            "export const lab = { render: [one(), two(), size] };\n",
            "kit/one": "const size = 1;\nexport const one = () => size;\n",
            "kit/two": "const [size, more] = [2, 20];\nexport const two = () => size + more;\n",
            "kit/three": 'import { two } from "./two.js";\nexport const size = two() + 300;\n',
        }
    )
    script = bundle.widget_script("a")
    assert "function" not in script and script.count("(() => {") == 3  # two and three for their names; a/view for its export
    run = node(
        "--input-type=module", "-", stdin=script.replace("export default", "const lab =") + "console.log(lab.render.join());"
    )
    assert run.stdout.strip() == "1,22,322", run.stderr


def test_a_function_that_no_module_names_is_left_out_and_what_only_it_named_too(sources):
    kit = """export class Kept {
  two = 2;
}
export class Empty extends Kept {}
const five = 5; // more than idle has
export function idle(
  n,
) {
  return only(n);
}
const only = (n) => n;
export const also = (n) => {
  return also(n);
};
export const sum = (() => 1 + 2)();
"""
    sources({"a/view": 'import { Kept } from "../kit/one.js";\nexport const lab = { render: new Kept().two };\n', "kit/one": kit})
    script = bundle.widget_script("a")
    assert all(name not in script for name in ("idle", "only", "also")) and "class Empty" in script and "const sum" in script
    run = node("--input-type=module", "-", stdin=script.replace("export default", "const lab =") + "console.log(lab.render);")
    assert run.stdout.strip() == "2", run.stderr


def test_modules_that_import_each_other_are_refused(sources):
    sources({"a/view": 'import { b } from "../kit/b.js";\n', "kit/b": 'import { a } from "../a/view.js";\n'})
    with pytest.raises(ValueError, match="circular import: a/view -> kit/b -> a/view"):
        bundle.widget_script("a")


@pytest.mark.parametrize(
    "line",
    [
        'import b from "./b.js";',
        'import * as b from "./b.js";',
        "export default 3;",
        "export { b };",
        'import { a as b } from "./b.js";',
    ],
)
def test_an_import_or_export_that_cannot_be_composed_is_refused(sources, line):
    sources({"a/view": f"{line}\n", "a/b": "export const b = 3;\n"})
    with pytest.raises(ValueError, match=r"a/view\.js: .* is none of the four forms"):
        bundle.widget_script("a")


def test_the_style_has_the_axis_colours_for_both_themes():
    css = stylesheet("shape")
    for axis in attn.AXES.values():
        assert f"--attn-{axis.letter}: {axis.light};" in css and f"--attn-{axis.letter}: {axis.dark};" in css
    assert '[data-jp-theme-light="false"]' in css


def test_the_javascript_tests_pass():
    """In one process: a process for each file would load the kit again and again."""
    files = sorted((TESTS / "js").glob("*.test.js"))
    run = node("--input-type=module", "-", stdin="".join(f"import {json.dumps(path.as_uri())};\n" for path in files))
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_lab_has_the_style_of_its_own_modules_and_of_no_other_lab():
    css = bundle.style(["grid", "shape"])
    for name in ("kit/dom", "kit/host", "kit/player-bar", "shape/style", "grid/style"):
        assert css.count((join.SOURCE / f"{name}.css").read_text(encoding="utf-8")) == 1
    assert ".passport" not in css


# On a page ----------------------------------------------------------------------------------------------------------------


def test_no_module_hides_a_name_of_the_browser_from_another(browser):
    """Modules that stand in one scope see each other's names, so a module that means the browser's Range must not find another."""
    tab = browser.new_page()
    known = set(tab.evaluate("Object.getOwnPropertyNames(globalThis)"))
    tab.close()
    bodies = {path: re.sub(r"//.*|/\*[\s\S]*?\*/", "", path.read_text("utf-8")) for path in join.SOURCE.glob("*/**/*.js")}
    declared = {path: join.declared(join.EXPORT.sub("", body)) for path, body in bodies.items()}
    hidden = known & set().union(*declared.values())
    assert "Range" in hidden  # the page's Python has one
    for path, body in bodies.items():
        own = declared[path] | set(re.findall(r"\w+", "".join(re.findall(r"^import \{([^}]*)\}", body, re.M))))
        words = "|".join(hidden - own)
        used = rf"(?<![\w.$])(?:(?:new|instanceof) (?:{words})\b|(?:{words})\((?!.*\{{$))"
        assert not re.search(used, body, re.M), (path, words)


def test_the_minified_script_computes_what_its_source_computes():
    """The kit's moves, at the beginning, in the middle and at the end. (A minifier has once exchanged two declarations.)"""
    calls = """const box = { x: 1, y: 2, w: 30, h: 40 };
const values = [0, 0.3, 0.5, 1].map(n => [moves.appear(box, n), moves.fly(box, { ...box, x: 90 }, n, 5), moves.hide(box, n),
  moves.divide([0.2, 0.8], box, n), moves.blend([0.2, 0.8], [box, box], box, n), moves.fold([box, box], box, n),
  moves.append(box, n, { y: 7 }), moves.turn({ x: 0, y: 0, p: 9 }, 2, 1, n)]);
console.log(JSON.stringify(values));"""
    minified = minify.string("application/javascript", join.joined("kit/moves"))
    source = "import * as moves from './src/attn/labs/kit/moves.js';"
    outputs = [
        node("--input-type=module", "-e", f"{script}\n{calls}") for script in (source, f"{minified}\nconst moves = kit_moves;")
    ]
    assert [run.stderr for run in outputs] == ["", ""]
    assert outputs[0].stdout == outputs[1].stdout
