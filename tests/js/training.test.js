// TrainingLab without its pictures: the contents of a recording, in numbers and in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { advance } from "../../src/attn/labs/kit/player.js";
import { paintWeight } from "../../src/attn/labs/training/answers.js";
import { jobsAt, numberAt, paintAsked, planAsked, weightAt } from "../../src/attn/labs/training/asked.js";
import { cellAt, planOf } from "../../src/attn/labs/training/board.js";
import {
  afterPause,
  guessAt,
  headToShow,
  jobsOf,
  linesOf,
  paceOf,
  pausedAt,
  rightOf,
  rowToShow,
  settingsIn,
  wayTo,
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
import { paintRows, sidesFor } from "../../src/attn/labs/training/rows.js";
import { paintTimeline, ticksTo } from "../../src/attn/labs/training/timeline.js";
import {
  answersText,
  momentOf,
  othersOf,
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
  changed: [0, 2.8, 5.5],
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

test("a number of W_Q is said with its values at the times that matter, and counted through all heads", () => {
  const say = (frame, of = run, picked = 1) => text(parameterSentence(of, picked, frame));
  assert.equal(say(0), "[gist Before training: this number of W_Q of head 0 is 0.00]; at the end 0.50.");
  const learns = { ...run, questions: ["who"], measured: { who: [0, 1, 1] } };
  assert.equal(say(2, learns), "[gist Step 10: this number of W_Q of head 0 is 0.50]; before training 0.00, at step 5 −2.00.");
  const two = { ...run, shape: [1, 2, 3], steps: [0, 5], queries: coded(Int8Array.from([0, 0, 127, 0, 0, 0, 0, -127])) };
  assert.match(say(0, two, 2), /this number of W_Q of head 1 is 2\.00\]/);
});

test("a point leads to the number of W_Q that is drawn there", () => {
  const room = { x: 1, y: 10, wide: 60, high: 40 };
  const at = (x, y) => parameterAt(room, [2, 3], x, y); // D down: two rows of three
  assert.deepEqual([at(55, 45), at(38, 15), at(2, 31), at(62, 15)], [5, 1, 3, null]);
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

test("a pause takes its seconds when its frame is reached, and a move that starts there skips it", () => {
  const pace = pausedAt(paceOf(run, 8), 1, 2);
  assert.deepEqual(
    pace.map(([from]) => from),
    [0, 1, afterPause(1)],
  );
  assert.ok(Math.abs(advance(pace, 0, 7, 2) - afterPause(1)) < 1e-6, "5 seconds to the frame, and 2 in it");
  assert.ok(advance(pace, 0, 6, 2) < 1.1 && advance(pace, afterPause(1), 2.9, 2) > 1.9);
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

test("the task of a model that foretells is named, and the questions of one that is asked", () => {
  assert.equal(taskText(run, 0), "The task: predict the next token. It is the token that followed the same token before.");
  const some = { ...run, back: 2, counted: [[0, 1]] };
  assert.match(taskText(some, 0), /It is the token 2 places before the present one\. The loss leaves out rows marked “–”\.$/);
  const asking = {
    ...{ ...run, words: ["girls", "near", "found"], ids: [[0, 1, 2]], questions: ["who", "what", "when"] },
    asks: [[1, 2, 2, 2].map((row, n) => [row, Math.max(0, n - 1), 0, 0])],
  };
  assert.deepEqual(questionsOf(asking, 0), ["near whom?", "who found?", "found what?", "found when?"]);
});

test("of a model that is asked the sentence says what is reached, and since then how much W_Q has changed and which head does what", () => {
  const asks = [[[1, 0, 0, 0], [2, 1, 1, 1]]]; // biome-ignore format: one line
  const reads = { ...run, questions: ["who", "what"], asks };
  const at = { sequence: 0, head: /** @type {const} */ ([0, 0]) };
  const say = (frame, of = reads, pin = null, others = []) =>
    text(weightSentence(of, { ...at, pin }, frame, { loss: 0, chances: [], guesses: [] }, others));
  const start = "[gist Before training W_Q is random, and so are the attention weights and the answers.] Play the 10 steps.";
  assert.equal(say(0), start);
  const learns = { ...reads, guesses: [coded(Uint8Array.from([0, 0, 0, 1, 0, 1]))] };
  const both = " Head 0 attends to “who” and “what”.";
  assert.equal(say(1, learns), `[gist Step 5, where the loss falls fastest: 2 of 2 answers are right.]${both}`);
  const measured = (...shares) => ({ ...reads, measured: { who: shares, what: [0.5, ...shares.slice(1)] } });
  assert.equal(say(0, measured(0.1, 0.6, 1)), start);
  const right = measured(0.1, 0.99, 1);
  assert.equal(say(1, right), `[gist Step 5, where the loss falls fastest: 99 of 100 answers are right.]${both}`);
  const lead = "[gist Step 10: 100 of 100 answers are still right, and W_Q went on changing.]";
  assert.equal(say(2, right), lead);
  const other = { ...right, name: "slow", changed: [0, 1, 1.25] };
  assert.equal(say(2, right, null, [other]), `${lead} W_Q changes more than “slow”.`);
  assert.equal(say(2, other, null, [{ ...right, name: "fast" }]), `${lead} W_Q changes less than “fast”.`);
  assert.equal(say(2, measured(0.1, 0.6, 1)), `[gist Step 10: 100 of 100 answers are right.]${both}`);
  // Two heads; at the end the first one attends to the first answer alone.
  const first = [[255, 51, 204, 0, 255, 0], [255, 255, 0, 51, 153, 51], [255, 255, 0, 0, 0, 255]]; // biome-ignore format: one line
  const shared = (second) => ({
    ...{ ...right, shape: [1, 2, 3] },
    weights: coded(Uint8Array.from(first.flatMap((one) => [...one, 255, ...second]))),
  });
  assert.equal(say(2, shared([255, 0, 0, 255, 0])), `${lead} Heads still share “who”.`);
  assert.equal(say(2, shared([0, 255, 0, 255, 0])), `${lead} Each question now has a head of its own.`);
  assert.equal(say(2, shared([0, 255, 0, 0, 255])), lead);
  assert.equal(
    say(1, reads, [1, 0]),
    "Step 5, where the loss falls fastest: in head 0, “b” at place 1 gives 1.00 of its weight to “a” at place 0, the answer to who; before training 0.20, at the end 1.00.",
  );
});

test("recordings with the same steps are compared", () => {
  const [same, longer] = [{ ...run }, { ...run, steps: [0, 5, 20] }];
  assert.deepEqual(othersOf([run, longer, same], run), [same]);
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

/** What is drawn by a function that gets a canvas. */
function drawnBy(paint) {
  const { pen, ...all } = drawn();
  paint({ width: 0, height: 0, style: {}, getContext: () => pen });
  return all;
}
const look = { ink: "", quiet: "", faint: "", accent: "", good: "", bad: "", axes: { H: "", L: "", S: "" } };

test("of a model that is asked each head has a row in the block of a word, with what it attends to", () => {
  // One word asks; the first head turns to the answer, the second one away from it.
  const rows = [[51, 204], [128, 128], [230, 0]].flatMap(([one, other]) => [one, other].flatMap((at) => [255, at, 255 - at, 0, 255, 0])); // biome-ignore format: one line
  const asked = {
    ...{ ...run, questions: ["who"], asks: [[[1, 0, 0, 0]]], shape: [1, 2, 3], measured: { who: [0, 1, 1] } },
    ...{ weights: coded(Uint8Array.from(rows)), queries: coded(new Int8Array(12)) },
  };
  const plan = planAsked(asked, 900, ["a", "b", "a"], [1]);
  const at = (frame, before = null) => {
    const weights = compute({ ...asked, _runs: [asked], task: "tiny", sequence: 0, word: 0, frame: String(frame) }).weights;
    const queries = new Float32Array(4);
    const shown = {
      run: asked,
      plan,
      look,
      sequence: 0,
      marked: null,
      picked: null,
      queries,
      weights,
      before,
      guesses: [frame ? 0 : 1],
    };
    return drawnBy((canvas) => paintAsked(canvas, { ...shown, time: frame }));
  };
  const [start, end] = [at(0), at(2, new Float32Array(18).fill(0.5))];
  assert.equal(start.discs.length, 6, "two heads with three keys");
  assert.ok(start.texts.includes("✗") && end.texts.includes("✓") && !end.texts.includes("✗"));
  assert.ok(!start.texts.includes(": who"), "before training no head attends to anything");
  assert.equal(end.texts.filter((one) => one === ": who").length, 1);
  const jobs = [0, 1, 2].map((frame) => jobsAt(asked, 0, [0, 1], frame));
  assert.deepEqual(jobs, [{ now: [], gone: [] }, { now: ["who"], gone: [] }, { now: [], gone: ["who"] }]); // biome-ignore format: one line
  assert.ok(end.texts.includes("who"), "what a head has given up is still there to read");
  assert.equal(end.texts.filter((one) => one === "head 0").length, 1);
  const [{ x, y }] = plan.blocks;
  near(end.discs.slice(0, 1), [[x + plan.w / 2, y + (plan.h - 1) / 2, (Math.min(plan.w, plan.h) / 2 - 3) * Math.sqrt(230 / 255)]]);
  assert.equal(end.rings.filter((ring) => ring.length).length, 4, "two weights of six have grown");
});

test("the curves of a model that is asked say since when answers are right, and what has changed since then", () => {
  const asked = { ...run, questions: ["who"], measured: { who: [0, 1, 1] } };
  const other = { ...asked, name: "slow", changed: [0, 1, 1.25] };
  const at = (time, show = "weights", width = 900) => {
    const settings = { _runs: [asked, other], show, sequence: 0, word: 0 };
    const moved = [0, 1, 2];
    return drawnBy((canvas) => paintTimeline(canvas, { run: asked, settings, moved, look, width, time })).texts;
  };
  const says = (some, ...wanted) => wanted.map((one) => some.includes(one));
  const words = ["all right from here on", "still changes: 2.8 → 5.5", "slow"];
  assert.deepEqual(says(at(0), "total change of W_Q: 0.0", ...words), [true, false, false, false]);
  assert.deepEqual(says(at(1), "total change of W_Q: 2.8", ...words), [true, true, false, false]);
  assert.ok(!at(1).some((one) => one.startsWith("still")));
  assert.deepEqual(says(at(2), "total change of W_Q: 5.5", ...words), [true, true, true, true]);
  assert.deepEqual(says(at(2, "rows"), "change of the row of “a”", ...words), [true, true, false, false]);
  const named = [900, 330].map((width) => [1.8, 2].map((time) => at(time, "weights", width).includes("slow")));
  assert.deepEqual(named, [[true, true], [false, true]], "on a phone a name would meet the title above the curve"); // biome-ignore format: one line
  const onPhone = at(2, "weights", 330);
  assert.deepEqual(says(onPhone, "change of W_Q: 2.8 → 5.5", words[1], "tiny"), [true, false, false], "the title has both numbers");
  assert.deepEqual(says(at(1.05), ...words), [false, false, false], "the line of now would cross them");
  asked.measured = { who: [0, 0.98, 1] };
  assert.ok(at(1).includes("nearly all right from here on"));
});

test("a large disc has its number, and a ring shows a weight that was clearly larger", () => {
  const at = (weight, old, most = 20) => {
    const { pen, ...all } = drawn();
    paintWeight(pen, 0, 0, most, weight, old);
    return [all.texts.join(), all.rings.length];
  };
  assert.deepEqual([at(0.97, 0), at(1, 0), at(0.25, 0), at(0.5, 0, 12)], [[".97", 0], ["1", 0], ["", 0], ["", 0]]); // biome-ignore format: one line
  assert.deepEqual([at(0.97, 0.5), at(0.5, 0.97), at(0.1, 0.15)], [[".97", 0], [".50", 1], ["", 0]]); // biome-ignore format: one line
});

test("what is drawn of a model that is asked fits its width, and the words above its columns stand apart", () => {
  for (const longest of ["found", "clown", "near", "yesterday"])
    for (const width of [330, 358, 480, 620, 700, 768, 902, 1066]) {
      const words = ["girls", "near", "old", "kings", longest, "gold", "today"];
      const { w, lead, blocks, isUpright, strips } = planAsked({ ...reads, shape: [1, 3, 7] }, width, words, [1, 2, 4]);
      if (isUpright) assert.ok(lead - (width < 700 ? 22 : 41) - 7 * longest.length > 5, `${longest} meets the line above it`);
      assert.ok(isUpright || w >= (5.5 * (longest.length + 5)) / 2, `${width}: ${longest} in ${w}`);
      assert.ok(!isUpright || (width >= 700 && width < 900) || longest.length > 5, `${width}: upright`);
      for (const { x } of blocks) assert.ok(x + 7 * w <= width, `${width}: ${x} and ${w}`);
      for (const { x, wide } of strips) assert.ok(x + wide <= width);
      assert.ok(w >= 24, `${width}: ${w}`);
    }
});

test("a head attends to the answers that have clearly more of its weight than one of many words", () => {
  const asks = [[[0, 0, 0, 0], [0, 1, 0, 1]]]; // biome-ignore format: one line
  // Weights of the first word on all words, in three frames.
  const weights = coded(
    Uint8Array.from(
      [
        [200, 30, 25],
        [110, 100, 45],
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
  const say = (of, frame, what, now) => text(playSentence(of, frame, 0, what, now));
  assert.equal(say(run, 1, "W_Q changes", 0), "The training plays to step 5: W_Q changes.");
  assert.match(say(run, 0, "", 1), /^Back to the beginning/);
  const learns = { ...run, questions: ["who"], measured: { who: [0, 0.5, 1] } };
  assert.match(say(learns, 2, "", 0), /^\[gist Each step changes W_Q\.\].* Many answers are still wrong\.$/);
  assert.match(say(learns, 2, "", 1), /^\[gist ✗ turns to ✓, one after the other\.\].* more weight goes to words that answer\.$/);
  assert.equal(say(learns, 2, "", 2), "[gist Step 10: 100 of 100 answers are right.] Does W_Q stay as it is from now on?");
  const early = { ...learns, measured: { who: [0, 1, 1] } };
  assert.equal(say(early, 2, "", 2), "[gist 100 of 100 answers are still right, and W_Q keeps changing.]");
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
  assert.deepEqual(sidesFor(points, 0, everywhere, [above, right, above]), [above, right, above]); // a free side that is wished
  assert.deepEqual(sidesFor(points, 0, everywhere, [right, right, right]), [left, right, right]); // and one that is not free
  const crowd = range(6).map(() => ({ x: 0, y: 0, wide: 30 }));
  assert.equal(new Set(sidesFor(crowd, 0, everywhere)).size, 6, "words on one place stand around it");
  assert.ok(!sidesFor([...crowd, ...crowd, ...crowd], 0, everywhere).includes(null), "and farther away");
});

test("the map shows the last moves of the rows and the whole way of the chosen one, all inside, and is drawn larger once they are near", () => {
  // One row stays, one comes from far away and then stays, too.
  const frames = 12;
  const far = range(frames).flatMap((n) => [0, 0, 0, n ? 8000 : 32767, 8000, 0]);
  const long = { ...run, steps: range(frames), words: ["a", "b"], places: coded(Int16Array.from(far)) };
  const settings = { _runs: [long], task: "tiny", sequence: 0, word: 0 };
  const at = (time, word) => {
    const [behind, before, end] = [Math.floor(time), Math.ceil(time), frames - 1].map(
      (frame) => compute({ ...settings, frame: String(frame) }).dots,
    );
    return drawnBy((canvas) =>
      paintRows(canvas, {
        run: long,
        look: { ...look, paper: "" },
        width: 300,
        height: 244,
        word,
        around: [behind, before, end],
        time,
      }),
    );
  };
  const apart = (time, word) => {
    const [a, b] = at(time, word).discs.slice(-2);
    return Math.abs(a[0] - b[0]);
  };
  assert.ok(apart(11, 0) > 2 * apart(1, 0), "the way from far away is old");
  assert.ok(apart(11, 1) < 1.5 * apart(1, 1), "the chosen one shows it always");
});

test("an experiment plays to a later moment, comes back to the first one, and leads from other weights to those of the same moment", () => {
  const asked = { ...run, questions: ["who"], measured: { who: [0, 1, 1] } };
  const weights = new Float32Array(9).fill(0.5);
  const before = { ...{ task: "tiny", key: "old", time: 2 }, weights };
  const to = (frame, changes, { show = "weights", task = "tiny", key = "new" } = {}) =>
    wayTo(asked, frame, { task, show, sequence: 0 }, changes, before, key);
  const frame = { frame: "x" };
  assert.deepEqual([to(1, frame), to(2, frame)], [{ play: 0 }, { play: afterPause(1) }]);
  assert.deepEqual([to(2, frame, { show: "rows" }), to(0, frame)], [{ play: 0 }, { from: 2 }]);
  assert.deepEqual([to(1, frame, { task: "other" }), to(2, frame, { task: "other" })], [{ play: 0 }, { weights }]);
  assert.deepEqual(to(2, { ...frame, head: [0, 0] }), { weights });
  const even = [1, 2, 3].flatMap((count) => Array(3).fill(Math.fround(1 / count)));
  assert.deepEqual([...to(2, { head: [0, 0] }, { key: "old" }).weights], even, "nothing was different");
});

test("another training begins at the same share of its steps, with what it has of the settings", () => {
  const long = { ...run, name: "long", steps: range(9), shape: [2, 1, 3] };
  const settings = { frame: "1", sequence: 5, word: 9 };
  const found = settingsIn(long, run, (name) => settings[name]);
  assert.deepEqual(found, { task: "long", sequence: 0, word: 1, pin: null, frame: "4", head: found.head });
  assert.deepEqual(settingsIn({ ...run, name: "same" }, run, (name) => settings[name]).head, undefined);
});

test("the table fits the width of a phone, and words of few letters stand upright only where they must", () => {
  const letters = Array.from({ length: 24 }, () => "m");
  for (const width of [340, 358, 620, 1050]) {
    const plan = planOf(run, width, 404, letters);
    assert.ok(plan.width <= width && plan.height <= 404, `${width}: ${plan.width} x ${plan.height}`);
    assert.equal(plan.isUpright, false);
  }
});

test("at the end of a row the next word, its probability and the guess have room of their own, within the picture", () => {
  for (const width of [340, 358, 560, 740, 1050])
    for (const L of [8, 24]) {
      const letters = Array.from({ length: L }, () => "m");
      const { foretold, end, right, width: wide, isBrief } = planOf(run, width, 300, letters);
      assert.equal(foretold.next + foretold.bar + foretold.share + foretold.guess, right);
      assert.ok(end + right === wide && wide <= width, `${width}: ${wide}`);
      assert.ok(foretold.bar >= (isBrief ? 20 : 56));
    }
});

test("each head has its W_Q beside its weights or above them, and a point leads to what is drawn there", () => {
  const words = ["girls", "near", "old", "kings", "found", "gold", "today"];
  for (const width of [340, 358, 560, 699, 700, 870, 1050]) {
    const plan = planAsked({ ...reads, shape: [1, 3, 7] }, width, words, [1, 2, 4]);
    const { blocks, strips, w, h, isWide } = plan;
    assert.equal(isWide, width >= 700);
    for (const [n, { x, y, wide, high }] of strips.entries()) {
      const [row] = blocks;
      assert.ok(isWide ? x + wide < row.x && y > row.y + n * h && y + high < row.y + (n + 1) * h : y + high < plan.top, `${width}`);
      assert.equal(numberAt(plan, [4, 12], x + 1, y + 1), 48 * n);
    }
    for (const [n, { x, y }] of blocks.entries()) assert.deepEqual(weightAt(plan, x + 6.5 * w, y + 2.5 * h), [2, n, 6]);
    assert.equal(weightAt(plan, blocks[0].x - 1, blocks[0].y + 1), null);
    assert.equal(weightAt(plan, blocks[0].x + 1, blocks[0].y - 1), null);
    assert.deepEqual(planAsked({ ...reads, queries: "" }, width, words, [1]).strips, []);
  }
});

test("a point is in the row that is drawn there", () => {
  const plan = planOf(run, 870, 244, ["girls", "near", "found"]);
  for (const n of [0, 1, 2])
    for (const y of [plan.y + n * plan.h + 1, plan.y + (n + 1) * plan.h - 1]) assert.deepEqual(cellAt(plan, plan.x + 1, y), [n, 0]);
  assert.equal(cellAt(plan, plan.x + 1, plan.y + 3 * plan.h + 1), null);
  assert.equal(cellAt(plan, plan.x + 1, plan.y - 1), null);
});
