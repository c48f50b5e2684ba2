// HeadsLab: where the numbers of concat come from, the sentence about a row, and short numbers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "../../src/attn/labs/heads/board.js";
import { rowText, shortNumber, termsOf } from "../../src/attn/labs/heads/explain.js";
import { compute, problem, sourceOf } from "../../src/attn/labs/heads/model.js";

const START = { E: 12, H: 4, L: 5, off: [], project: true, merge: "right", seed: 0, _texts: ["the cat sat on the mat"] };
const WORDS = ["the", "cat", "sat", "on", "mat"];

test("after the right merge a word's row holds its own heads in order", () => {
  for (let i = 0; i < 5; i++) for (let e = 0; e < 12; e++) assert.deepEqual(sourceOf(START, i, e), [Math.floor(e / 3), i, e % 3]);
});

test("after the wrong merge the rows are filled head by head, and every number is used once", () => {
  const wrong = { ...START, merge: "wrong" };
  const all = new Set();
  for (let i = 0; i < 5; i++) for (let e = 0; e < 12; e++) all.add(String(sourceOf(wrong, i, e)));
  assert.equal(all.size, 60);
  assert.deepEqual(sourceOf(wrong, 0, 0), [0, 0, 0]);
  assert.deepEqual(sourceOf(wrong, 1, 0), [0, 4, 0]); // the fifth slice is the last word in head 0
  assert.deepEqual(sourceOf(wrong, 1, 4), [1, 0, 1]);
});

test("the sentence about a row names the heads and words in it", () => {
  assert.equal(rowText(START, WORDS, 2), "Row sat of concat: all 4 heads of sat.");
  assert.equal(rowText({ ...START, off: [1] }, WORDS, 2), "Row sat of concat: 3 of 4 heads of sat; head 1 off, so 0.");
  assert.equal(rowText({ ...START, off: [0, 2] }, WORDS, 2), "Row sat of concat: 2 of 4 heads of sat; heads 0, 2 off, so 0.");
  assert.equal(rowText({ ...START, H: 1, merge: "wrong" }, WORDS, 2), "Row sat of concat: its only head.");
  const one = rowText({ ...START, merge: "wrong" }, WORDS, 0);
  assert.equal(one, "Row the of concat: the, cat, sat, on (head 0). In place: 1 of 4 pieces.");
  const two = rowText({ ...START, merge: "wrong" }, WORDS, 2);
  assert.equal(two, "Row sat of concat: on, mat (head 1), the, cat (head 2). In place: 0 of 4 pieces.");
});

test("invalid settings are refused with the reason", () => {
  assert.equal(problem(START), "");
  assert.match(problem({ ...START, E: 20 }), /takes E = 12 or 16/);
  assert.match(problem({ ...START, H: 5 }), /H can be \[1, 2, 3, 4, 6, 12\]/);
  assert.match(problem({ ...START, off: [4] }), /there is no head 4/);
  assert.throws(() => compute({ ...START, off: ["x"] }), /there is no head x/);
});

test("the terms of a number add up to it", () => {
  const results = compute({ ...START, E: 16, H: 8, seed: 7 });
  const { parts, sum } = termsOf({ ...START, E: 16, H: 8 }, results, [3, 13]);
  assert.equal(parts.length, 8);
  assert.ok(Math.abs(parts.reduce((a, b) => a + b) - sum) < 1e-5);
});

test("numbers are short, and zero is 0", () => {
  assert.deepEqual(
    [0.41, -0.44, -1.25, 0.04, -0.04, 12].map((x) => shortNumber(x, 1)),
    [".4", "−.4", "−1.3", "0", "0", "12.0"],
  );
  assert.deepEqual(
    [0.414, -0.004, -1].map((x) => shortNumber(x, 2)),
    ["0.41", "0", "−1.00"],
  );
});

test("the board fits on a phone and on a page", () => {
  for (const [width, E] of [
    [313, 12],
    [313, 16],
    [343, 12],
    [343, 16],
    [760, 12],
    [760, 16],
  ]) {
    const { side, cell } = layout(width, E);
    assert.ok(side + 6 + E * (cell + 1) <= width && cell >= 8, `${width} ${E}`);
  }
  assert.deepEqual(
    [313, 343].map((width) => layout(width, 12).digits),
    [1, 1],
  );
  assert.equal(layout(760, 12).digits, 2);
});
