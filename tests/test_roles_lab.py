"""RolesLab: its numbers are those of the recorded layer, no table of places is better than its own, and the browser agrees."""

import functools
import itertools
import random
import re
from collections import Counter

import pytest
import torch
import traitlets
from lab_pages import settled, shown
from node import assert_agree, javascript_constants
from torch.testing import assert_close

import attn
from attn.labs import RolesLab
from attn.labs.roles import contest
from attn.labs.roles.lab import SOURCES
from attn.lessons import language, reader

FOUND, GOLD, TODAY = 4, 5, 6  # places of these words in the first sentence
WHO, WHAT, WHEN = range(3)  # the heads, by what they answer


def random_settings(seed):
    choose = random.Random(seed)
    return {
        "source": SOURCES[seed % 4],
        "head": choose.randrange(3),
        "sentence": choose.randrange(4),
        "replaced": choose.choice((None, choose.randrange(7))),
        "swap": choose.choice(([], choose.sample(range(7), 2))),
        "rows": choose.choice((7, 7, 4, 5, 6)),
    }


def steps_of(lab):
    ids = torch.tensor([[language.NUMBER[word] for word in lab.words()]])
    return reader.recorded().steps(ids)


# The kernel ---------------------------------------------------------------------------------------------------------------


def test_with_three_matrices_the_numbers_are_those_of_the_layer():
    for sentence, head in itertools.product(range(4), range(3)):
        lab = RolesLab(sentence=sentence, head=head)
        steps = steps_of(lab)
        assert_close(lab.scaled.cpu(), steps.scaled[0, head].detach())
        assert_close(lab.weights.cpu(), steps.weights[0, head].detach())
        assert_close(lab.out.cpu(), steps.heads[0, head].detach())
        assert lab.weights.device.type == attn.device().type


def test_from_x_and_from_one_matrix_scores_are_products_of_a_vector_with_itself_and_symmetric():
    layer = reader.recorded().layer
    for head in range(3):
        one, x = RolesLab(source="one", head=head), RolesLab(source="x", head=head)
        vectors = x.v.cpu().double()
        assert_close(vectors.float(), steps_of(x).x[0].detach())
        shared = vectors @ layer.W_Q[4 * head : 4 * head + 4].T.detach().double()
        for lab, expected in ((x, vectors), (one, shared)):
            scores = torch.einsum("id,jd->ij", expected, expected) / expected.shape[1] ** 0.5
            weights = scores.exp() / scores.exp().sum(1, keepdim=True)
            assert_close(lab.scaled.cpu(), scores.float(), rtol=1e-4, atol=1e-4)
            assert_close(lab.weights.cpu(), weights.float(), rtol=1e-3, atol=1e-5)
            assert_close(lab.out.cpu(), (weights @ expected).float(), rtol=1e-3, atol=1e-4)
            assert lab.symmetric and lab.v.shape == lab.q.shape == expected.shape
    assert not any(RolesLab(head=head).symmetric for head in range(3))


def test_from_x_a_word_of_the_sentence_answers_itself():
    lab = RolesLab(source="x")
    assert lab.points_at == [*range(7)]
    assert lab.answers == [None, 3, 3, None, 0, None, None]


def test_found_looks_at_the_right_word_in_every_head_and_the_weight_follows_the_word(subtests):
    for head, answer in zip((WHO, WHAT, WHEN), (0, GOLD, TODAY), strict=True):
        with subtests.test(head=head):
            lab = RolesLab(head=head)
            assert lab.points_at[FOUND] == lab.answers[FOUND] == answer
    before, after = RolesLab(head=WHAT), RolesLab(head=WHAT, swap=[GOLD, TODAY])
    assert after.words() == ["girls", "near", "old", "kings", "found", "today", "gold"]
    assert after.points_at[FOUND] == after.answers[FOUND] == 6
    assert float(after.weights[FOUND, 6]) == pytest.approx(float(before.weights[FOUND, 5]), abs=0.01)
    tables = [RolesLab(head=WHAT, source="table", swap=swap) for swap in ([], [GOLD, TODAY])]
    assert_close(*(lab.weights for lab in tables))
    assert [lab.points_at[FOUND] for lab in tables] == [5, 5] and [lab.answers[FOUND] for lab in tables] == [5, 6]


def test_a_table_smaller_than_the_sentence_has_no_output_and_the_message_of_torch():
    lab = RolesLab(source="table", rows=6)
    assert lab.out is None and lab.weights.shape == (6, 6)
    with pytest.raises(RuntimeError) as error:
        lab.weights @ lab.v
    assert lab.message == str(error.value)
    lab.rows = 7
    assert lab.message == "" and lab.out.shape == (7, 4)


@pytest.mark.parametrize(
    "settings,message",
    [
        ({"swap": [3]}, r"swap = \[3\]: it takes the places of two different words, or none"),
        ({"swap": [3, 3]}, "two different words"),
        ({"swap": [0, 7]}, "7"),
        ({"replaced": 7}, "replaced|7"),
        ({"rows": 3}, "rows|3"),
        ({"rows": 8}, "rows|8"),
        ({"source": "two"}, "source"),
        ({"head": 3}, "head"),
        ({"sentence": 4}, "sentence|4"),
        ({"asker": 7}, "asker|7"),
        ({"asked": -1}, "asked|-1"),
    ],
)
def test_an_invalid_setting_is_refused_and_changes_nothing(settings, message):
    with pytest.raises(traitlets.TraitError, match=message):
        RolesLab(**settings)
    lab = RolesLab()
    before = repr(lab)
    with pytest.raises(traitlets.TraitError):
        setattr(lab, *next(iter(settings.items())))
    assert repr(lab) == before and lab._message


def test_the_fallback_has_the_weights_from_every_source():
    text = re.sub(r"<[^>]*>", " ", RolesLab().fallback())
    assert "“found” asks all words" in text
    for source in SOURCES:
        row = " ".join(f"{weight:.2f}" for weight in RolesLab(source=source).weights[FOUND].tolist())
        assert re.sub(r"\s+", " ", row) in re.sub(r"\s+", " ", text)
    assert "none" in RolesLab(rows=5).fallback() and "none" not in RolesLab().fallback()


# The contest --------------------------------------------------------------------------------------------------------------


@functools.cache
def asked():
    """How often a question is asked in the whole language, by the length of the sentence, the head, and both places.

    Sentences whose words have the same classes ask the same questions, so one of them is read for all.
    """
    forms, first = Counter(), {}
    for words in language.sentences():
        form = tuple(map(language.CLASS.__getitem__, words))
        forms[form] += 1
        first.setdefault(form, words)
    return forms, {
        (len(form), reader.HEADS.index(one.question), one.asker, one.answer): sum(
            count for other, count in forms.items() if len(other) == len(form) and one in language.parse(first[other])
        )
        for form in forms
        for one in language.parse(first[form])
    }


def counted(rows):
    """For each head and asking place how often each place holds the answer, in sentences of up to so many words."""
    counts = torch.zeros(3, rows, rows, dtype=torch.float64)
    for (length, *where), count in asked()[1].items():
        if length <= rows:
            counts[tuple(where)] += count
    return counts


def test_the_forms_of_the_language_are_counted_right():
    forms, _ = asked()
    assert dict(forms) == contest.forms() and forms.total() == 235_008


@pytest.mark.parametrize("rows", [4, 6])
def test_a_table_holds_how_often_each_place_answers(rows):
    counts = counted(rows)
    totals = counts.sum(-1, keepdim=True)
    expected = torch.where(totals > 0, counts / totals, 1 / rows)
    assert_close(torch.tensor(contest.best_tables(rows), dtype=torch.float64), expected)


def test_no_table_points_at_the_right_word_more_often_and_none_has_a_lower_cross_entropy():
    counts = counted(5)
    best = torch.tensor(contest.best_tables(5), dtype=torch.float64)

    def hits(table):
        return float(counts.gather(2, table.argmax(-1, keepdim=True)).sum())

    def loss(table):
        return float(-torch.special.xlogy(counts, table).sum())

    generator = torch.Generator().manual_seed(0)
    for _ in range(200):
        other = torch.rand(3, 5, 5, generator=generator, dtype=torch.float64).softmax(-1)
        near = (best + 0.05 * torch.rand(3, 5, 5, generator=generator, dtype=torch.float64)).clamp(min=1e-9)
        near /= near.sum(-1, keepdim=True)
        for table in (other, near):
            assert hits(table) <= hits(best) and loss(table) > loss(best)


def test_the_shares_of_drawn_sentences_are_those_of_the_whole_language():
    drawn = contest.shares()
    counts = counted(7)
    for rows, shares in enumerate(drawn["table"], contest.SHORTEST):
        table = torch.tensor(contest.best_tables(rows))
        short = counted(rows)
        hit = short.gather(2, table.argmax(-1, keepdim=True)).sum((1, 2)) / counts.sum((1, 2))
        assert shares == pytest.approx(hit.tolist(), abs=0.02)
    assert drawn["x"] == drawn["one"] == [[0, 0, 0]] and drawn["three"] == [[1, 1, 1]]


def test_the_layer_points_at_the_right_word_in_sentences_that_nobody_has_drawn():
    sentences, model = [*itertools.islice(language.sentences(longest=7), 0, None, 401)], reader.recorded()
    for words in sentences:
        weights = model.steps(torch.tensor([[language.NUMBER[word] for word in words]])).weights[0]
        for one in language.parse(words):
            assert one.answer is None or int(weights[reader.HEADS.index(one.question), one.asker].argmax()) == one.answer
    assert len(sentences) > 500


def test_where_the_layer_misses_the_right_word_the_exchanged_words_are_no_sentence_of_the_language():
    """The lab says so."""
    missed = 0
    for sentence, head in itertools.product(range(4), range(3)):
        lab = RolesLab(sentence=sentence, head=head)
        for swap in itertools.combinations(range(7), 2):
            lab.swap = list(swap)
            pairs = zip(lab.answers, lab.points_at, strict=True)
            if any(answer is not None and answer != best for answer, best in pairs):
                missed += 1
                assert tuple(language.CLASS[word] for word in lab.words()) not in contest.forms()
    assert missed > 20


# The browser --------------------------------------------------------------------------------------------------------------


def test_browser_and_kernel_compute_the_same():
    labs = [RolesLab(**random_settings(seed)) for seed in range(60)]
    assert_agree(labs)
    assert len({(lab.source, lab.out is None, bool(lab.swap)) for lab in labs}) >= 9


def test_python_and_javascript_have_the_same_sources_and_tables():
    sources, shortest = javascript_constants("roles/model", "SOURCES", "SHORTEST")
    assert tuple(sources) == SOURCES and shortest == contest.SHORTEST == RolesLab.rows.min
    assert [len(tables[0]) for tables in RolesLab()._tables] == [*range(shortest, language.LONGEST + 1)]


def sentence_of(page):
    settled(page)
    return page.locator(".stage .sentence").inner_text()


def tap(page, place, below=0):
    """Tap the word at a place, or something further down in its column."""
    box = page.locator(".roles-picture").bounding_box()
    gutter = 100 if box["width"] >= 480 else 0
    page.mouse.click(box["x"] + gutter + (place + 0.5) * (box["width"] - gutter) / 7, box["y"] + 16 + below)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_word_that_is_tapped_asks_and_one_tapped_below_is_asked(opened, width):
    page = opened(RolesLab(), width=width, reduced_motion="reduce")
    assert sentence_of(page).startswith(
        "✓ right: “found” asks “who?” Its query (q) scores 2.36 with the key (k) of “girls”, so 0.96"
    )
    tap(page, 1)
    assert sentence_of(page).startswith("✓ right: “near” asks “who?” Its query (q) scores 1.78 with the key (k) of “kings”, so")
    tap(page, 6, below=80)
    settled(page)
    lab = RolesLab()
    there, back = (f"{float(lab.scaled[pair]):.2f}".replace("-", "−") for pair in ((1, 6), (6, 1)))
    assert page.locator(".roles-pair .there").text_content() == f"“near” asks “today”: score {there}"
    assert page.locator(".roles-pair .back").text_content() == f"“today” asks “near”: score {back}"
    assert page.locator(".roles-pair .relation").text_content() == "≠"


def test_keys_choose_the_word_that_asks_and_the_word_that_is_asked(opened):
    page = opened(RolesLab(), reduced_motion="reduce")
    canvas = page.locator(".roles-picture")
    canvas.press("Home")
    assert "“girls” does not ask “who?”" in sentence_of(page)
    canvas.press("ArrowRight")
    canvas.press("ArrowRight")
    assert "“old” asks “who?”" in sentence_of(page)
    there = page.locator(".roles-pair .there")
    assert "“old” asks “kings”" in there.text_content()
    canvas.press("ArrowUp")
    settled(page)
    assert "“old” asks itself" in there.text_content() or "“old” asks “old”" in there.text_content()
    canvas.press("End")
    assert "“today”" in sentence_of(page)


def test_each_source_has_its_verdict_and_the_shares_are_shown(opened):
    lab = RolesLab()
    page = opened(lab, reduced_motion="reduce")
    verdicts = {}
    for label, source in zip(("x itself", "one matrix: W_Q", "three matrices", "stored matrix"), SOURCES, strict=True):
        page.get_by_role("radio", name=re.compile(f"^{label}")).check()
        verdicts[source] = sentence_of(page).split()[1]
        bar = page.locator(".roles-contest .chosen")
        named = label.replace("itself", "itself*").replace("W_Q", "W_Q*")  # the layer was not trained for these
        assert bar.text_content().split() == [*named.split(), f"{100 * lab.shares[source][0]:.0f}", "%"]
    assert page.locator(".roles-contest .bars > div").count() == 4
    assert verdicts == {"x": "wrong:", "one": "wrong:", "three": "right:", "table": "wrong:"}


def test_exchanged_words_take_the_layers_weights_along_but_not_the_tables(opened):
    page = opened(RolesLab(), reduced_motion="reduce")
    page.locator(".more summary").dispatch_event("click")
    bars = page.locator(".roles-contest .bars")
    assert bars.is_visible()
    page = opened(RolesLab(source="table", head=WHAT, swap=[GOLD, TODAY]), reduced_motion="reduce")
    page.locator(".more summary").dispatch_event("click")
    bars = page.locator(".roles-contest .bars")
    page.get_by_role("radio", name="three matrices").check()
    assert "the largest weight has gone with “gold”: 0.97 before, 0.97 now" in sentence_of(page)
    assert bars.is_hidden() and "without an exchange" in page.locator(".roles-contest").inner_text()
    page.get_by_role("radio", name="stored matrix").check()
    assert "✗ wrong" in sentence_of(page) and "Here it is “today”; the answer is “gold”" in sentence_of(page)
    page.get_by_role("slider", name="exchange it with").press("Home")
    settled(page)
    assert "girls ↔ found" in page.locator(".more output").nth(1).inner_text()
    page.get_by_role("slider", name="rows of the matrix").press("Home")
    assert "the stored matrix ends with row 3" in sentence_of(page) or "no column" in sentence_of(page)


def test_the_table_and_the_matrices_keep_the_exchange_that_compares_them(opened):
    page = opened(RolesLab(head=WHAT, swap=[GOLD, TODAY]), reduced_motion="reduce")
    right = sentence_of(page)
    assert right.startswith("✓ right: “found” asks “what?”") and right.endswith("now.")
    page.get_by_role("radio", name="stored matrix").check()
    wrong = sentence_of(page)
    assert wrong.startswith("✗ wrong: “found” asks “what?”") and wrong.endswith("the answer is “gold”.")
    page.get_by_role("radio", name="three matrices").check()
    assert sentence_of(page) == right
    page.get_by_role("radio", name="stored matrix").check()
    assert sentence_of(page) == wrong


def test_to_store_the_weights_leaves_the_head_and_the_words_as_they_are(opened):
    page = opened(RolesLab(source="x"), reduced_motion="reduce")
    page.locator(".chip").filter(has_text="store the weights").dispatch_event("click")
    share = RolesLab(source="table").weights[FOUND].max().item()
    assert sentence_of(page) == (
        f"✗ wrong: “found” asks “who?” Row 4 puts {share:.2f} on column 1: over many sentences, {100 * share:.0f} % of its answers "
        "stood there. Here it is “near”; the answer is “girls”."
    )


def test_what_the_word_finds_from_each_source_stands_beside_the_others(opened):
    page = opened(RolesLab(), reduced_motion="reduce")
    found = page.locator(".roles .found")

    def shown_in_the_lines():
        settled(page)
        widths = page.locator(".roles .parts").evaluate_all(
            "all => all.map(one => [...one.children].map(part => part.offsetWidth))"
        )
        for source, parts in zip(SOURCES, widths, strict=True):
            row = RolesLab(source=source, **there).weights[FOUND]
            assert [part / sum(parts) for part in parts] == pytest.approx(row.tolist(), abs=0.02)
        return found.all_inner_texts()

    assert found.all_inner_texts() == ["?", "?", "girls ✓", "?"]  # each is found by trying it
    for source in ("x itself", "one matrix", "stored matrix", "three matrices"):
        page.get_by_role("radio", name=re.compile(f"^{source}")).check()
    there = {}
    assert shown_in_the_lines() == ["itself ✗", "itself ✗", "girls ✓", "near ✗"]
    there = {"head": WHAT, "swap": [GOLD, TODAY]}
    page = opened(RolesLab(**there), reduced_motion="reduce")
    found = page.locator(".roles .found")
    for source in ("x itself", "one matrix", "stored matrix", "three matrices"):
        page.get_by_role("radio", name=re.compile(f"^{source}")).check()
    assert shown_in_the_lines() == ["itself ✗", "itself ✗", "gold ✓", "today ✗"]


def test_a_word_that_replaces_another_keeps_the_weight_and_changes_the_output(opened):
    before, after = RolesLab(), RolesLab(replaced=0)
    assert after.words() == ["boys", *before.words()[1:]]
    assert float(after.weights[FOUND, 0]) == pytest.approx(float(before.weights[FOUND, 0]), abs=0.01)
    alike = torch.nn.functional.cosine_similarity
    assert float(alike(before.k[0], after.k[0], 0)) > 0.95
    assert float(alike(before.v[0], after.v[0], 0)) < 0 and float(alike(before.out[FOUND], after.out[FOUND], 0)) < 0
    page = opened(before, reduced_motion="reduce")
    page.locator(".chip").filter(has_text="boys").dispatch_event("click")
    assert sentence_of(page).startswith("✓ right: “found” asks “who?” “boys” has almost the same key as “girls” and another value.")
    assert page.locator(".roles-pair .there").text_content().startswith("“found” asks “boys”")
    page.get_by_role("radio", name=re.compile("^x itself")).check()
    assert "The answer is “boys”" in sentence_of(page)


def test_the_sentence_waits_for_the_weights(opened):
    page = opened(RolesLab(source="x"), alone=True, reduced_motion="no-preference")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.get_by_role("button", name="give q, k and v").click()
    page.clock.run_for(400)
    assert not page.locator(".stage .sentence").is_visible()
    assert page.locator(".stage .meanwhile").inner_text().startswith("The query of “found” meets the key of each word")
    page.clock.run_for(4000)
    assert page.locator(".stage .sentence").is_visible() and not page.locator(".stage .meanwhile").is_visible()


def test_a_page_may_leave_out_the_pair_the_shares_and_the_controls(opened):
    page = opened(RolesLab(parts=[], controls=["asker"], chips=[]), reduced_motion="reduce")
    settled(page)
    for hidden in (".roles-pair", ".roles-contest", ".chips", ".more"):
        assert page.locator(hidden).count() == 0 or page.locator(hidden).is_hidden()
    before = shown(page)
    page.get_by_role("slider", name="asking word").press("Home")
    assert shown(page) != before


def test_a_link_with_an_exchange_that_is_none_shows_an_error_and_reset_restores_the_start(opened):
    page = opened(RolesLab(), fragment="#lab-1?swap=[3,3]")
    assert page.get_by_role("alert").inner_text() == "swap takes the places of two different words, or none."
    page.get_by_role("button", name="reset").click()
    assert sentence_of(page).startswith("✓ right: “found” asks “who?”")
