// TrainingLab without its pictures: the contents of a recording, in numbers and in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linePath } from "../../src/attn/labs/training/line.js";
import { compute, follows, nearestWeight, runOf } from "../../src/attn/labs/training/model.js";
import { describeWeight } from "../../src/attn/labs/training/words.js";

const coded = (array) => Buffer.from(array.buffer).toString("base64");
// One layer, one head, two frames of one sequence a b a; the second row of the table moves.
const run = {
  name: "tiny",
  titles: ["1"],
  words: ["a", "b"],
  ids: [[0, 1, 0]],
  shape: [1, 1, 3],
  steps: [0, 5],
  losses: [3, 2, 1, 1, 1, 0.5],
  guess: 0.69,
  reach: [2, 4],
  weights: coded(Uint8Array.from([255, 51, 204, 0, 255, 0, 255, 255, 0, 51, 153, 51])),
  chances: coded(Uint8Array.from([51, 102, 0, 255])),
  places: coded(Int16Array.from([0, 0, 0, 32767, -32767, 0, 0, 0, 0, 0, 0, 32767])),
};
const at = (change = {}) => ({ _runs: [run], task: "tiny", frame: 0, sequence: 0, word: 1, ...change });

test("bytes become weights, row by row, with nothing above the diagonal", () => {
  const { weights, chances, step, loss } = compute(at({ frame: 1 }));
  const wanted = [1, 0, 0, 1, 0, 0, 0.2, 0.6, 0.2];
  wanted.forEach((weight, n) => assert.ok(Math.abs(weights[n] - weight) < 1e-6, `${n}`));
  assert.deepEqual([...chances], [0, 1]);
  assert.deepEqual([step, loss], [5, 0.5]);
});

test("the path of a row and its strides have different scales", () => {
  const { dots, path, moved } = compute(at({ frame: 1 }));
  assert.deepEqual([...dots], [0, 0, 0, 0]);
  assert.deepEqual([...path], [2, -2, 0, 0]);
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

test("a task, frame or word that the recording does not have is refused with the reason", () => {
  assert.throws(() => runOf(at({ task: "sing" })), /^Error: task = "sing": the recordings are 'tiny'\.$/);
  assert.throws(() => compute(at({ frame: 2 })), /^Error: frame = 2: this recording has 2 frames, from 0 to 1\.$/);
  assert.throws(() => compute(at({ word: -1 })), /word = -1/);
});

test("a pin stays inside the recording and on or below the diagonal", () => {
  assert.deepEqual(nearestWeight([1, 2, 9, 9], run), [0, 0, 2, 2]);
  assert.deepEqual(nearestWeight([0, 0, 1, 2], run), [0, 0, 1, 1]);
});

test("the description of a weight names the words, the share and the next word", () => {
  const results = compute(at());
  const description = (pin) => describeWeight(pin, run, at(), results);
  assert.equal(
    description([0, 0, 1, 1]),
    "Layer 0, head 0: “b” at place 1 gives 0.80 of its weight to “b” at place 1. The next word is “a”; before it came, the model gave it 0.40.",
  );
  assert.equal(
    description([0, 0, 2, 1]),
    "Layer 0, head 0: “a” at place 2 gives 1.00 of its weight to “b” at place 1, which came right after an earlier “a”.",
  );
});

test("a line goes from left to right, and values that are too high stay inside", () => {
  assert.equal(linePath([0, 5, 10, 20], 30, 10, 10), "M0.0 10.0L10.0 5.0L20.0 0.0L30.0 0.0");
  assert.equal(linePath([1], 30, 10, 1), "M0.0 0.0");
});
