// TrainingLab without its pictures: the contents of a recording, in numbers and in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { paintJobs, paintWeight } from "../../src/attn/labs/training/answers.js";
import { cellAt, planOf } from "../../src/attn/labs/training/board.js";
import {
  distancesOf,
  guessAt,
  headToShow,
  jobsOf,
  linesOf,
  paceOf,
  rightOf,
  rowToShow,
  sharesAt,
  turnsOf,
} from "../../src/attn/labs/training/course.js";
import {
  compute,
  follows,
  frameOf,
  learnedOf,
  nearestWeight,
  queriesAt,
  rowsOf,
  rowsOfShares,
  runOf,
  writtenFrame,
} from "../../src/attn/labs/training/model.js";
import { parameterAt } from "../../src/attn/labs/training/parameters.js";
import { sidesFor } from "../../src/attn/labs/training/rows.js";
import { ticksTo } from "../../src/attn/labs/training/timeline.js";
import {
  answersText,
  momentOf,
  parameterSentence,
  playSentence,
  questionsOf,
  rightText,
  rowSentence,
  taskText,
  weightSentence,
} from "../../src/attn/labs/training/words.js";

const coded = (array) => Buffer.from(array.buffer).toString("base64");
// One layer, one head, three frames of one sequence a b a; the second row of the table moves.
const run = {
  name: "tiny",
  titles: ["1"],
  words: ["a", "b"],
  ids: [[0, 1, 0]],
  shape: [1, 1, 3],
  causal: true,
  questions: [],
  tests: null,
  asks: [
    [
      [0, 0, 1, -1],
      [1, 0, 0, -1],
    ],
  ],
  back: null,
  counted: [[1, 1]],
  steps: [0, 5, 10],
  losses: [3000, 2000, 1000, 1000, 1000, 500, 500, 500, 500, 500, 400],
  fall: 1,
  guess: 0.69,
  measured: {},
  reach: [2, 4],
  weights: coded(Uint8Array.from([255, 51, 204, 0, 255, 0, 255, 255, 0, 51, 153, 51, 255, 255, 0, 0, 255, 0])),
  chances: [coded(Uint8Array.from([51, 102, 0, 255, 255, 255]))],
  guesses: [coded(Uint8Array.from([0, 1, 0, 0, 1, 0]))],
  ...{ D: 1, most: 2, queries: coded(Int8Array.from([127, 0, 0, -127, 64, 32])) }, // one head with D = 1 and E = 2
  places: coded(Int16Array.from([0, 0, 0, 32767, -32767, 0, 0, 0, 0, 0, 0, 32767, 0, 0, 0, 0, 0, 0])),
};
const reads = { ...run, questions: ["who", "what", "when"], words: ["girls", "yesterday", "kings"], D: 4 };
const range = (/** @type {number} */ count) => Array.from({ length: count }, (_, n) => n);
const at = (change = {}) => ({ _runs: [run], task: "tiny", frame: "first", sequence: 0, word: 1, ...change });
const text = (parts) => parts.map((part) => (typeof part === "string" ? part : `[${part.join(" ")}]`)).join("");

test("bytes become weights, row by row, with nothing above the diagonal", () => {
  const { weights, chances, guesses, step, loss } = compute(at({ frame: "1" }));
  const wanted = [1, 0, 0, 1, 0, 0, 0.2, 0.6, 0.2];
  wanted.forEach((weight, n) => assert.ok(Math.abs(weights[n] - weight) < 1e-6, `${n}`));
  assert.deepEqual([...chances], [0, 1]);
  assert.deepEqual([...guesses], [0, 0]);
  assert.deepEqual([step, loss], [5, 0.5]);
});

test("W_Q of a frame is a share of its largest number, and a recording without it has none", () => {
  assert.deepEqual([...compute(at({ frame: "1" })).queries], [0, -2]);
  assert.deepEqual([...queriesAt(run, 0, 0)], [2, 0]);
  assert.deepEqual([...compute(at({ _runs: [{ ...run, queries: "" }] })).queries], []);
});

test("between two frames the guess that is written can be the likeliest at the probability that is drawn", () => {
  const [wrong, right, other] = [3, 5, 7];
  const guesses = (from, to, before, after) =>
    [0, 0.2, 0.4, 0.6, 0.8].map((part) => guessAt([from, to], [before, after], right, part));
  assert.deepEqual(guesses(wrong, right, 0.1, 0.9), [wrong, wrong, wrong, right, right]);
  assert.deepEqual(guesses(right, wrong, 0.9, 0.2), [right, right, right, wrong, wrong]);
  assert.deepEqual(guesses(wrong, right, 0, 0.6), [wrong, wrong, wrong, wrong, wrong]); // at 0.48 another word can still lead
  assert.deepEqual(guesses(wrong, other, 0.1, 0.2), [wrong, wrong, wrong, other, other]);
});

test("of a map that is not causal all weights are read", () => {
  const full = { ...run, causal: false, weights: coded(Uint8Array.from([...Array(9).fill(85), ...Array(18).fill(51)])) };
  assert.equal(compute(at({ _runs: [full] })).weights[2], Math.fround(1 / 3));
  assert.equal(compute(at({ _runs: [full], frame: "last" })).weights[2], Math.fround(0.2));
});

test("a frame has a name or a number, and a frame that has a name is written with it", () => {
  assert.deepEqual(
    ["first", "fall", "last", "1", 2].map((name) => frameOf(run, name)),
    [0, 1, 2, 1, 2],
  );
  assert.deepEqual(
    [0, 1, 2].map((n) => writtenFrame(run, n)),
    ["first", "fall", "last"],
  );
  assert.equal(writtenFrame({ ...run, fall: 2 }, 1), "1");
});

test("the path of a row and its strides have different scales", () => {
  const { dots, path, moved } = compute(at({ frame: "fall" }));
  assert.deepEqual([...dots], [0, 0, 0, 0]);
  assert.deepEqual([...path], [2, -2, 0, 0, 0, 0]);
  assert.equal(moved, 4);
});

test("the word that followed the same word is at an earlier or the same position, never at a later one", () => {
  const ids = [0, 1, 0, 0];
  const found = [];
  for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) if (follows(ids, i, j)) found.push([i, j]);
  assert.deepEqual(found, [
    [2, 1],
    [3, 1],
    [3, 3],
  ]);
});

test("the share leaves out the last token, from which nothing is predicted", () => {
  assert.equal(compute(at()).shares[0], 0); // only position 2 repeats an earlier a, and it is the last
  const longer = { ...run, ids: [[0, 0, 1]] };
  assert.ok(Math.abs(compute({ ...at(), _runs: [longer] }).shares[0] - 204 / 255) < 1e-6);
});

test("the line of a head is its share in each frame", () => {
  const longer = { ...run, ids: [[0, 0, 1]] };
  const shares = ["first", "fall", "last"].map((frame) => compute(at({ _runs: [longer], frame })).shares[0]);
  assert.deepEqual(
    linesOf(longer, 0, 0, 0).map(({ values }) => [...values]),
    [shares],
  );
});

test("in a task with a fixed distance both shares count the rows that can look so far back", () => {
  const fixed = { ...run, back: 1 };
  assert.deepEqual(rowsOfShares(fixed, 0), { looking: [1], helping: [1] });
  const { shares, before } = compute(at({ _runs: [fixed] }));
  assert.deepEqual([...shares], [...before]);
  assert.ok(Math.abs(shares[0] - 51 / 255) < 1e-6);
});

test("between two frames the weights on the answers are drawn in proportion", () => {
  const asked = { ...run, questions: ["who"], asks: [[[1, 0, 0, 0]]] };
  for (const [time, wanted] of [[0, 0.2], [0.25, 0.4], [1, 1], [2, 1]]) // biome-ignore format: one line
    assert.ok(Math.abs(sharesAt(asked, 0, time)[0][0] - wanted) < 1e-6, `${time}`);
});

test("a number of W_Q is said with its values at the times that matter", () => {
  const say = (frame, of = run) => text(parameterSentence(of, [0, 0], 1, frame));
  assert.equal(say(0), "[gist Before training: this number of W_Q of head 0 is 0.00]; at the end 0.50.");
  const learns = { ...run, questions: ["who"], measured: { who: [0, 1, 1] } };
  assert.equal(say(2, learns), "[gist Step 10: this number of W_Q of head 0 is 0.50]; before training 0.00, at step 5 −2.00.");
});

test("a point leads to the number of W_Q that is drawn there", () => {
  const room = { x: 1, y: 10, wide: 40, high: 60 };
  assert.equal(parameterAt({ ...room, isTall: true }, [2, 3], 35, 65), 5); // D across: its second column, the third row
  assert.equal(parameterAt({ ...room, isTall: true }, [2, 3], 35, 15), 3);
  assert.equal(parameterAt({ ...room, isTall: false }, [2, 3], 38, 15), 2);
  assert.equal(parameterAt({ ...room, isTall: true }, [2, 3], 42, 15), null);
});

test("a guess that the loss does not count is neither right nor wrong", () => {
  const parts = weightSentence({ ...run, counted: [[0, 0]] }, { sequence: 0, head: [0, 0], pin: [1, 1] }, 0, compute(at()));
  assert.ok(parts.every((part) => typeof part === "string"));
  assert.match(text(parts), /The model guesses “b”; the loss does not count it\.$/);
});

test("a task, frame or word that the recording does not have is refused with the reason", () => {
  assert.throws(() => runOf(at({ task: "sing" })), /^Error: task = "sing": the recordings are 'tiny'\.$/);
  assert.throws(() => compute(at({ frame: "3" })), /^Error: frame = 3: this recording has 3 frames, from 0 to 2\.$/);
  assert.throws(() => compute(at({ word: -1 })), /word = -1/);
});

test("a pin stays inside the recording and, in a causal map, on or below the diagonal", () => {
  assert.deepEqual(nearestWeight([1, 2, 9, 9], run), [0, 0, 2, 2]);
  assert.deepEqual(nearestWeight([0, 0, 1, 2], run), [0, 0, 1, 1]);
  assert.deepEqual(nearestWeight([0, 0, 1, 2], { ...run, causal: false }), [0, 0, 1, 2]);
});

test("half of the playing time goes by in equal steps, and half with the changes of the weights", () => {
  const pace = paceOf(run, 8);
  assert.deepEqual(
    pace.map(([from]) => from),
    [0, 1],
  );
  const seconds = pace.map(([, speed]) => 1 / speed); // the weights change by 2.4, and then by 0.8
  [5, 3].forEach((wanted, n) => assert.ok(Math.abs(seconds[n] - wanted) < 1e-6, `${seconds}`));
});

test("what is said first is about the word that can know what comes next, in the head that looks there", () => {
  const longer = { ...run, ids: [[0, 0, 1]] };
  assert.equal(rowToShow(longer, 0), 1);
  assert.equal(rowToShow(run, 0), 1); // nobody can know: the last word but one
  assert.deepEqual(headToShow(longer, 0), [0, 0]);
});

test("the sentence of a weight names the moment, the words, the weight and the guess", () => {
  const say = (frame, pin) =>
    text(weightSentence(run, { sequence: 0, head: [0, 0], pin }, frame, compute(at({ frame: String(frame) }))));
  assert.equal(
    say(0, [1, 1]),
    "Before training: loss 3.00. In head 0, “b” at place 1 gives 0.80 of its weight to “b” at place 1." +
      " The model guesses “b” [bad ✗], but “a” comes next.",
  );
  assert.equal(
    say(2, null),
    "Step 10: loss 0.40. In head 0, “b” at place 1 gives most weight, 1.00, to “a” at place 0." +
      " The model guesses “a” [good ✓].",
  );
  const longer = { ...run, ids: [[0, 1, 1]], back: 1 };
  const all = weightSentence(
    longer,
    { sequence: 0, head: [0, 0], pin: null },
    2,
    compute({ ...at({ frame: "2" }), _runs: [longer] }),
  );
  assert.equal(
    text(all),
    "[gist Head 0 learned to attend to the token 1 back.]" +
      " In it, the weight on the token 1 back went from 0.20 to 1.00; the loss went from 3.00 to 0.40.",
  );
  assert.equal(say(2, [2, 1]), "Step 10: loss 0.40. In head 0, “a” at place 2 gives 1.00 of its weight to “b” at place 1.");
});

test("the sentence of a row says how far it has moved, and beside which other row it ends", () => {
  const { dots } = compute(at({ frame: "0" }));
  const say = (frame) => text(rowSentence(run, { word: 1 }, frame, compute(at({ frame: String(frame) })), dots));
  assert.match(say(0), /“b” has its first, random numbers\.$/);
  assert.match(
    say(1),
    /^Step 5, where the loss falls fastest: the row of “b” has moved by 4\.00 in all, half of that by step 5\. /,
  );
  const three = { ...run, words: ["a", "b", "c"] };
  const beside = (first, now) => text(rowSentence(three, { word: 1 }, 1, { ...compute(at({ frame: "1" })), dots: now }, first));
  assert.match(beside([0, 1, 0, 0, 5, 5], [3, 4, 0, 0, 1, -1]), / \[gist On the map it was nearest to “a”, now to “c”\.\]$/);
  assert.match(beside([0, 1, 0, 0, 5, 5], [0, 2, 0, 0, 1, -3]), / \[gist On the map it is still nearest to “a”\.\]$/);
});

test("the task names who asks what", () => {
  assert.equal(taskText(run, 0), "The task: predict the next token. It is the token that followed the same token before.");
  const some = { ...run, back: 2, counted: [[0, 1]] };
  assert.match(taskText(some, 0), /It is the token 2 places before the present one\. The loss leaves out rows marked “–”\.$/);
  const asking = {
    ...{ ...run, words: ["girls", "near", "found"], ids: [[0, 1, 2]], questions: ["who", "what", "when"] },
    asks: [[1, 2, 2, 2].map((row, n) => [row, Math.max(0, n - 1), 0, 0])],
  };
  assert.equal(taskText(asking, 0), "A recorded training: a model answers questions.");
  assert.deepEqual(questionsOf(asking, 0), ["near whom?", "who found?", "found what?", "found when?"]);
});

test("of a model that is asked the sentence says what is reached, since when, and what the head attends to", () => {
  const reads = {
    ...{ ...run, questions: ["who", "what"] },
    asks: [
      [
        [1, 0, 0, 0],
        [2, 1, 1, 1],
      ],
    ],
  };
  const at = { sequence: 0, head: /** @type {const} */ ([0, 0]), pin: null };
  const say = (frame, pin = null, of = reads) =>
    text(weightSentence(of, { ...at, pin }, frame, { loss: 0, chances: [], guesses: [] }));
  const start = "[gist Before training W_Q is random, and so are the attention weights and the answers.] Play the 10 steps.";
  assert.equal(say(0), start);
  const learns = { ...reads, guesses: [coded(Uint8Array.from([0, 0, 0, 1, 0, 1]))] };
  const both = " Head 0 attends to the answers to “who” and “what”.";
  assert.equal(say(1, null, learns), `[gist Step 5, where the loss falls fastest: 2 of 2 answers are right.]${both}`);
  const measured = (...shares) => ({ ...reads, measured: { who: shares, what: [0.5, ...shares.slice(1)] } });
  assert.equal(say(0, null, measured(0.1, 0.6, 1)), start);
  assert.equal(
    say(1, null, measured(0.1, 0.99, 1)),
    `[gist Step 5, where the loss falls fastest: 99 of 100 answers are right.]${both}`,
  );
  const lead = "[gist Step 10: 100 of 100 answers are still right.] W_Q kept changing";
  assert.equal(say(2, null, measured(0.1, 0.99, 1)), `${lead}. Head 0 attends to “who” and “what”.`);
  const frames = (/** @type {number[]} */ ...last) =>
    coded(Uint8Array.from([255, 51, 204, 0, 255, 0, 255, 255, 0, 51, 153, 51, ...last]));
  const turned = { ...measured(0.1, 0.99, 1), weights: frames(255, 255, 0, 0, 0, 255) };
  assert.equal(say(2, null, turned), `${lead}: the largest weight of “a” is now on “a”. Head 0 now attends to “who”.`);
  const first = [255, 255, 0, 0, 255, 0]; // the second head attends to the answers to both questions at all times
  const shared = [[255, 255, 0, 0, 255, 0], [255, 255, 0, 0, 255, 0], [255, 255, 0, 0, 0, 255]].flatMap((one) => [...one, ...first]); // biome-ignore format: one line
  const two = { ...turned, shape: [1, 2, 3], weights: coded(Uint8Array.from(shared)) };
  assert.match(say(2, null, two), /Head 0 now attends to “who”, head 1 to “what”\.$/);
  assert.equal(say(2, null, measured(0.1, 0.6, 1)), `[gist Step 10: 100 of 100 answers are right.]${both}`);
  assert.equal(
    say(1, [1, 0]),
    "Step 5, where the loss falls fastest: in head 0, “b” at place 1 gives 1.00 of its weight to “a” at place 0, the answer to who; before training 0.20, at the end 1.00.",
  );
});

test("each change of W_Q is the length of the way of all its numbers since the frame before", () => {
  // Its two numbers are 2 and 0, then 0 and -2, then 64 and 32 of 127 halves.
  const wanted = [0, Math.hypot(2, 2), Math.hypot(128 / 127, 64 / 127 + 2)];
  distancesOf(run, [0, 0]).forEach((one, n) => assert.ok(Math.abs(one - wanted[n]) < 1e-6, `${n}: ${one}`));
  assert.deepEqual([...distancesOf({ ...run, queries: "" }, [0, 0])], [0, 0, 0]);
});

test("of a model that is asked the distance of W_Q begins in the frame in which its answers begin to stay right", () => {
  const learns = { ...run, questions: ["who"], measured: { who: [0, 1, 1] } };
  const wanted = [0, 0, Math.hypot(128 / 127, 64 / 127 + 2)];
  distancesOf(learns, [0, 0]).forEach((one, n) => assert.ok(Math.abs(one - wanted[n]) < 1e-6, `${n}: ${one}`));
});

test("the share of right answers is that of the measured ones, or else that of the sequence", () => {
  assert.deepEqual(rightOf(run, 0), [0, 0.5, 1]); // right are “b” and “a”; the guesses are a b, a a, b a
  assert.deepEqual(rightOf({ ...run, measured: { who: [0, 0.5, 1], what: [0.5, 0.5, 1] } }, 0), [0.25, 0.5, 1]);
  assert.equal(rightText(run, 0, 1), "1 of 2 answers are right");
  const nearly = { ...run, measured: { who: [0, 0.999, 1] } };
  assert.equal(rightText(nearly, 0, 1), "99 of 100 answers are right");
  assert.equal(rightText(nearly, 0, 2, "still "), "100 of 100 answers are still right");
});

test("the table of a model that is asked has a row for each word that asks, and its answers are said", () => {
  const asks = [[[1, 0, 0, 0], [1, 0, 1, 2]]]; // biome-ignore format: one line
  const asked = { ...run, questions: ["who"], asks };
  assert.deepEqual([rowsOf(run, 0), rowsOf(asked, 0)], [[0, 1, 2], [1]]);
  assert.equal(answersText(asked, 0, [0, 0]), "who b? a, right; who b? a, wrong");
});

test("a word has turned where its new key has more weight for good", () => {
  // Weights of the second word on the first two, in three frames; all answers are right in the first one.
  const of = (...rows) => {
    const weights = coded(Uint8Array.from(rows.flatMap((row) => [255, ...row, 255, 0, 0])));
    return turnsOf({ ...run, questions: ["who"], measured: { who: [1, 1, 1] }, weights }, 0, [0, 0]);
  };
  assert.deepEqual(of([200, 55], [55, 200], [55, 200]), [{ row: 1, from: 0, to: 1, word: "b", key: "b", frame: 1 }]);
  assert.deepEqual(of([200, 55], [200, 55], [55, 200]), [{ row: 1, from: 0, to: 1, word: "b", key: "b", frame: 2 }]);
  assert.deepEqual(of([55, 200], [200, 55], [200, 55]), [{ row: 1, from: 1, to: 0, word: "b", key: "a", frame: 1 }]);
  assert.deepEqual(of([200, 55], [55, 200], [200, 55]), [], "it has turned back");
});

test("a word has turned where no third key has more weight, and several words can turn", () => {
  const rows = [
    [200, 55, 0],
    [50, 95, 110],
    [0, 205, 50],
  ];
  const weights = coded(Uint8Array.from(rows.flatMap((row) => [...row, ...row, ...row])));
  const asks = [[0, 2].map((row) => [row, 0, 0, 0])];
  const turned = { ...run, causal: false, asks, questions: ["who"], measured: { who: [1, 1, 1] }, weights };
  assert.deepEqual(
    turnsOf(turned, 0, [0, 0]).map(({ row, frame }) => [row, frame]),
    [0, 2].map((row) => [row, 2]),
  );
  const said = weightSentence({ ...turned, ids: [[1, 1, 0]] }, { sequence: 0, head: [0, 0], pin: null }, 2, compute(at()));
  assert.match(text(said), /the largest weight of “b” and “a” is now on “b”/);
});

/** What is drawn: texts, discs and rings with their places and radii. */
function drawn() {
  const [texts, discs, rings] = [[], [], []];
  let arc = [];
  const does = {
    arc: (...some) => (arc = some.slice(0, 3)),
    fill: () => discs.push(arc),
    stroke: () => rings.push(arc),
    fillText: (one) => texts.push(one),
    measureText: (one) => ({ width: one.length }),
  };
  return { ...{ texts, discs, rings }, pen: new Proxy({}, { get: (_, name) => does[name] ?? (() => {}), set: () => true }) };
}
const near = (some, wanted) => {
  assert.equal(some.length, wanted.length);
  some.flat().forEach((one, n) => assert.ok(Math.abs(one - wanted.flat()[n]) < 0.05, `${some} is not ${wanted}`));
};

test("what each head does stands there as it was when the answers began to be right, and beside it as it is now", () => {
  const weights = coded(Uint8Array.from([51, 153, 102].flatMap((share) => [255, share, 255 - share, 0, 255, 0])));
  const asked = { ...run, questions: ["who"], asks: [[[1, 0, 0, 0]]], measured: { who: [0, 1, 1] }, weights };
  const look = { ink: "", quiet: "", faint: "", axes: { H: "" } };
  const plan = { jobs: { x: 0, y: 50, wide: 40, high: 40, gap: 20 } };
  const at = (time, of = asked) => {
    const { pen, ...all } = drawn();
    paintJobs(pen, { run: of, plan, look, sequence: 0, head: [0, 0], time });
    return all;
  };
  const disc = (x, weight) => [x, 70, 18 * Math.sqrt(weight)];
  const [before, half, now] = [0, 0.5, 2].map((time) => at(time));
  near(before.discs, [disc(74, 0.2)]);
  assert.ok(before.texts.includes("step 0") && before.texts.includes("after step 5"), `${before.texts}`);
  near(half.discs, [disc(74, 0.4)]);
  near(now.discs, [disc(74, 0.6), disc(134, 0.4)]);
  near(now.rings, [disc(134, 0.6)]);
  assert.ok(now.texts.includes("step 5") && now.texts.includes("step 10") && !now.texts.includes("after step 5"), `${now.texts}`);
  near(at(2, { ...asked, measured: { who: [0, 1, 0] } }).discs, [disc(74, 0.4)]); // with nothing to compare it with
});

test("a large disc has its number, and a ring shows a weight that was larger, or a disc without a number", () => {
  const at = (weight, old, most = 20) => {
    const { pen, ...all } = drawn();
    paintWeight(pen, 0, 0, most, weight, old);
    return [all.texts.join(), all.rings.length];
  };
  assert.deepEqual([at(0.97, 0), at(1, 0), at(0.25, 0), at(0.5, 0, 12)], [[".97", 0], ["1", 0], ["", 0], ["", 0]]); // biome-ignore format: one line
  assert.deepEqual([at(0.97, 0.5), at(0.5, 0.97), at(0.1, 0.05)], [[".97", 0], [".50", 1], ["", 1]]); // biome-ignore format: one line
});

test("the words above the columns of a model that is asked stand apart", () => {
  for (const longest of ["found", "clown", "near", "yesterday"])
    for (const width of [330, 358, 480, 620, 700, 768, 1066]) {
      const words = ["girls", "near", "old", "kings", longest, "gold", "today"];
      const { w, x, end, jobs, isUpright } = planOf({ ...reads, words }, width, 300, words, [1, 2, 4]);
      assert.ok(isUpright || w >= 5.5 * longest.length - 2, `${width}: ${longest} in ${w}`);
      const { x: left, wide, gap } = jobs;
      assert.ok(x + 7 * w <= width && 54 + left + 6 * wide + gap <= width, `${width}: jobs from ${left}`);
      assert.ok(width < 600 || left > end);
    }
});

test("a head attends to the answers that have clearly more of its weight than one of many words", () => {
  const asks = [[[0, 0, 0, 0], [0, 1, 0, 1], [0, 1, 0, 2]]]; // biome-ignore format: one line
  // Weights of the first word on all words, in three frames.
  const weights = coded(
    Uint8Array.from(
      [
        [200, 30, 25],
        [90, 100, 65],
        [30, 200, 25],
      ].flatMap((row) => [...row, ...Array(6).fill(85)]),
    ),
  );
  const reads = { ...run, causal: false, questions: ["who", "what"], asks, weights };
  assert.deepEqual(
    [0, 1, 2].map((frame) => jobsOf(reads, 0, [0, 0], frame)),
    [["who"], ["who", "what"], ["what"]],
  );
});

test("a model has learned where its answers begin to stay right", () => {
  const of = (...shares) => learnedOf({ ...run, questions: ["who"], measured: { who: shares, what: [1, 1, 1] } });
  assert.deepEqual([of(0.1, 0.98, 1), of(1, 0.97, 1), of(1, 1, 1), of(1, 1, 0.9)], [1, 2, 0, 2]);
  assert.equal(learnedOf({ ...run, measured: { who: [1, 1, 1] } }), 2, "nothing is asked");
  assert.equal(learnedOf({ ...run, questions: ["who"] }), 2, "nothing was measured");
});

test("while it plays the sentence names the step where it stops, or says of a model that is asked what happens", () => {
  const at = { sequence: 0, head: /** @type {const} */ ([0, 0]) };
  const say = (of, frame, what, now) => text(playSentence(of, frame, at, what, now));
  assert.equal(say(run, 1, "W_Q changes", 0), "The training plays to step 5: W_Q changes.");
  assert.match(say(run, 0, "", 1), /^Back to the beginning/);
  const learns = { ...run, questions: ["who"], measured: { who: [0, 0.5, 1] } };
  assert.match(say(learns, 2, "", 0), /^\[gist Each step changes W_Q\.\].* Many answers are still wrong\.$/);
  assert.match(say(learns, 2, "", 1), /^\[gist Now ✗ turns to ✓\.\].* more weight goes to words that answer\.$/);
  assert.equal(say(learns, 2, "", 2), "[gist 100 of 100 answers are still right.] W_Q keeps changing.");
  const weights = coded(Uint8Array.from([[200, 55], [200, 55], [55, 200]].flatMap((row) => [255, ...row, 255, 0, 0]))); // biome-ignore format: one line
  const turns = { ...learns, measured: { who: [1, 1, 1] }, weights };
  assert.match(say(turns, 2, "", 1), /W_Q keeps changing\./);
  assert.match(say(turns, 2, "", 2), /W_Q keeps changing: the largest weight of “b” is now on “b”\./);
});

test("a moment without a name is its step", () => {
  assert.equal(momentOf({ ...run, fall: 2 }, 1), "Step 5: loss 0.50.");
});

test("ticks are round numbers up to the end of the scale", () => {
  assert.deepEqual(ticksTo(1000, 5), [0, 200, 400, 600, 800, 1000]);
  assert.deepEqual(ticksTo(2.2, 4), [0, 1, 2]);
  assert.deepEqual(ticksTo(1, 2), [0, 0.5, 1]);
});

test("no two words on the map of the rows cover each other, and the chosen one is always there", () => {
  const points = [
    { x: 0, y: 0, wide: 30 },
    { x: 10, y: 5, wide: 30 },
    { x: 60, y: 0, wide: 30 },
  ];
  const [right, left, above] = [0, 1, 2];
  const everywhere = /** @type {[number, number, number, number]} */ ([-99, -99, 199, 99]);
  assert.deepEqual(sidesFor(points, 0, everywhere), [left, right, right]); // on its right it would cover a point
  assert.deepEqual(sidesFor(points, 0, [-20, -99, 199, 99]), [above, right, right]); // and on its left it would leave the map
  assert.deepEqual(sidesFor(points, 1, [0, -2, 50, 12]), [null, right, null]); // only the chosen one may leave the map
  const crowd = range(6).map(() => ({ x: 0, y: 0, wide: 30 }));
  assert.equal(new Set(sidesFor(crowd, 0, everywhere)).size, 6, "words on one place stand around it");
  assert.ok(!sidesFor([...crowd, ...crowd, ...crowd], 0, everywhere).includes(null), "and farther away");
});

test("the table fits the width of a phone, and words of few letters stand upright only where they must", () => {
  const letters = Array.from({ length: 24 }, () => "m");
  for (const width of [340, 358, 620, 1050]) {
    const plan = planOf({ ...run, queries: "" }, width, 404, letters, range(24));
    assert.ok(plan.width <= width && plan.height <= 404, `${width}: ${plan.width} x ${plan.height}`);
    assert.equal(plan.isUpright, false);
  }
});

test("at the end of a row the next word, its probability and the guess have room of their own, within the picture", () => {
  for (const width of [340, 358, 560, 740, 1050])
    for (const L of [8, 24]) {
      const letters = Array.from({ length: L }, () => "m");
      const { foretold, end, right, width: wide, isBrief } = planOf(run, width, 300, letters, range(L));
      assert.equal(foretold.next + foretold.bar + foretold.share + foretold.guess, right);
      assert.ok(end + right === wide && wide <= width, `${width}: ${wide}`);
      assert.ok(foretold.bar >= (isBrief ? 20 : 56));
    }
  assert.equal(planOf({ ...run, questions: ["who"] }, 1050, 300, ["a", "b"], [1]).foretold, null, "answers have their own columns");
});

test("W_Q stands beside the table or above it, and never in it", () => {
  const words = ["girls", "near", "old", "kings", "found", "gold", "today"];
  for (const width of [340, 358, 560, 699, 700, 870, 1050]) {
    const { x, y, w, h, top, parameters, lead } = planOf(reads, width, width < 600 ? 466 : 366, words, [1, 2, 4]);
    const { x: left, y: first, wide, high, isTall } = parameters;
    assert.equal(isTall, width >= 700);
    assert.ok(isTall ? left + wide < x : first + high < top && top < y, `${width}`);
    assert.ok(isTall ? high === 3 * h && first === y : wide < width);
    assert.ok(w >= 23 && h - lead >= 30, `${width}: cells of ${w} x ${h - lead}`);
    assert.equal(lead, 20);
    assert.equal(planOf({ ...reads, queries: "" }, width, 366, words, [1, 2, 4]).parameters, null);
  }
});

test("rows are equally high, and a point is in the row that is drawn there", () => {
  const words = ["girls", "near", "found", "today"];
  const plan = planOf(reads, 870, 244, words, [1, 2]);
  for (const n of [0, 1])
    for (const y of [plan.y + n * plan.h + 1, plan.y + (n + 1) * plan.h - 1]) assert.deepEqual(cellAt(plan, plan.x + 1, y), [n, 0]);
  assert.equal(cellAt(plan, plan.x + 1, plan.y + 2 * plan.h + 1), null);
  assert.equal(cellAt(plan, plan.x + 1, plan.y - 1), null);
});
