import assert from "node:assert/strict";
import { test } from "node:test";
import { EXAMPLES } from "../../src/attn/labs/kit/language.js";
import { HEADS, MEASURED, readWith } from "../../src/attn/labs/kit/reader.js";
import { changesForSentence, compute } from "../../src/attn/labs/shape/model.js";
import { asking, headStory, note, story } from "../../src/attn/labs/shape/story.js";

const sizes = { B: 2, H: 3, L: 7, S: null, D: 4, G: null };
const state = { ...sizes, seed: 0, scale: true, causal: false, sentence: "", step: "weights", pin: null };
const settings = { ...state, _texts: EXAMPLES.map((text, n) => `${text} ${EXAMPLES[(n + 1) % 4]}`) };

/** What is told about a cell with these settings changed. */
function told(changes, place = null) {
  const changed = { ...settings, ...changes };
  return story(changed, compute(changed), place).text;
}

/** The weight of `answer` in the row of `asker`, of sentence 0. */
function weightOf(head, asker, answer) {
  const { weights } = readWith(EXAMPLES[0].split(" "));
  return weights[(head * 7 + asker) * 7 + answer];
}

test("adjectives, prepositions and verbs ask, and each question names its head and its answer", () => {
  const [first, second] = asking(settings);
  assert.deepEqual(
    first.map(({ place, word, questions }) => [place, word, questions.map((one) => [one.question, one.head, one.answer])]),
    [
      [1, "near", [["who", 0, 3]]],
      [2, "old", [["who", 0, 3]]],
      [
        4,
        "found",
        [
          ["who", 0, 0],
          ["what", 1, 5],
          ["when", 2, 6],
        ],
      ],
    ],
  );
  assert.deepEqual(
    second.map(({ word }) => word),
    ["happy", "behind", "sold"],
  );
});

test("the story of an asked row gives the weight that the head puts on the answer", () => {
  for (const [h, answer, word] of [
    [0, 0, "girls"],
    [1, 5, "gold"],
    [2, 6, "today"],
  ]) {
    const share = weightOf(h, 4, answer).toFixed(2);
    assert.ok(Number(share) > 0.9);
    const wanted = `“found” asks “${HEADS[h]}?”. Head ${h} puts ${share} of its weight on the answer, “${word}”.`;
    assert.equal(told({}, [0, h, 4, 2]), wanted);
    assert.equal(told({ pin: [0, h, 4, 2] }, [0, h, 4, 2]), wanted);
  }
  const changed = { ...settings, pin: [0, 1, 4, 0] };
  assert.match(story(changed, compute(changed)).text, /asks “what\?”/, "without a place, the pinned cell");
});

test("a row that was not asked is said to mean nothing", () => {
  assert.equal(told({}, [0, 1, 5, 0]), "“gold” asks nothing. Its weights sum to 1 all the same, and mean nothing.");
  assert.equal(
    told({}, [0, 2, 1, 0]),
    "“near” asks “who?”, and head 0 answers that. Head 2 was not asked, so these weights mean nothing.",
  );
});

test("a question that the sentence does not answer gets its weight all the same", () => {
  const text = told(changesForSentence("Kings found gold."), [0, 2, 1, 0]);
  assert.match(text, /^“found” asks “when\?”, and no word .* sum to 1 all the same: the largest, 0\.\d\d, is that of “\w+”\.$/);
  assert.match(
    told({ L: 5 }, [0, 1, 4, 0]),
    /^“found” asks “what\?”, and no word of the sentence answers/,
    "the answer is cut off",
  );
});

test("where the largest weight is not on the answer, the story says where it is", () => {
  const results = { weights: new Float32Array(2 * 3 * 7 * 7).fill(0.1) };
  results.weights[(1 * 7 + 4) * 7 + 2] = 0.4;
  const { text } = story(settings, results, [0, 1, 4, 0]);
  assert.equal(
    text,
    "“found” asks “what?”. Head 1 puts 0.10 of its weight on the answer, “gold”; the largest, 0.40, is that of “old”.",
  );
});

test("without weights, as from a kernel that sends another tensor, the story has no numbers", () => {
  assert.equal(story(settings, null, [0, 1, 4, 0]).text, "“found” asks “what?”. Head 1 looks for the answer, “gold”.");
  const short = { ...settings, ...changesForSentence("kings found gold") };
  assert.match(story(short, {}, [0, 2, 1, 0]).text, /sum to 1 all the same\.$/);
});

test("a head is told by its measured shares", () => {
  HEADS.forEach((question, h) => {
    const text = headStory(h);
    const kinds = MEASURED.questions.filter((one) => one.question === question);
    assert.deepEqual(
      text.match(/0\.\d\d/g),
      kinds.map(({ shares }) => shares[h].toFixed(2)),
    );
    assert.ok(text.startsWith(`Head ${h} answers “${question}?”`) && text.includes("2,000 sentences"));
  });
  assert.equal(told({ step: "q" }, [1, 2, 0, 0]), headStory(2));
  assert.match(told({ step: "y" }, [1, 0, 0, 0]), /^Some words ask.*head 0 finds “who\?”/);
  assert.match(told({}), /^Some words ask/);
});

test("at sizes without recorded weights no word is marked, and the story says that the numbers are random", () => {
  for (const changes of [{ H: 4 }, { D: 5 }, { L: 8 }, { G: 1 }, { seed: 1 }, { S: 8 }]) {
    const changed = { ...settings, ...changes };
    const found = story(changed, compute(changed), [0, 0, 4, 0]);
    assert.equal(found.trained, false);
    assert.equal(found.trained, compute(changed).trained);
    assert.ok(/random/i.test(found.text) && !/asks/.test(found.text), found.text);
    assert.deepEqual(found.asking, [[], []]);
  }
  assert.equal(told({ L: 8 }), "Random numbers; the trained layer has L up to 7.");
});

test("what the layer was not trained for is said", () => {
  assert.equal(note(settings), "");
  assert.match(told({ causal: true }, [0, 1, 4, 0]), /“gold”, stands later, so the mask hides it\. .* without a causal mask\.$/);
  assert.match(told({ causal: true }, [0, 0, 4, 0]), /Head 0 puts .* on the answer, “girls”.* without a causal mask\.$/);
  assert.match(told({ scale: false }, [0, 1, 4, 0]), /trained with scores divided by √D\.$/);
  const crossing = { ...settings, S: 5 };
  const { text, asking: marked, trained } = story(crossing, compute(crossing), [0, 0, 4, 0]);
  assert.deepEqual([trained, marked], [true, [[], []]]);
  assert.match(text, /^The layer was trained on one sentence at a time/);
});

test("a typed sentence sets the length, and a bad one changes nothing", () => {
  assert.deepEqual(changesForSentence("Old kings found gold, today!"), { sentence: "old kings found gold today", L: 5 });
  assert.deepEqual(changesForSentence("  "), { sentence: "", L: 7 });
  assert.throws(() => changesForSentence("cats found gold"), /“cats” is not one of the 29 words/);
  const own = { ...settings, ...changesForSentence("old boys sold eggs soon") };
  assert.equal(asking(own)[0][0].word, "old");
});
