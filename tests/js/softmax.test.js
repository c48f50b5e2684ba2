// SoftmaxLab: the scores that a link may contain, the cells of a line, and the sentences about a line.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compute, linesOf, problem, resized } from "../../src/attn/labs/softmax/model.js";
import { brief, verdict } from "../../src/attn/labs/softmax/words.js";

const START = {
  scores: [
    [2.3, 9.1, 0.5],
    [5, 5, 5],
  ],
  temperature: 1,
  axis: "keys",
  shift: 0,
  precision: "float32",
};

test("scores that are not a table are refused with the reason", () => {
  for (const scores of [[], [[]], [[1], [1, 2]], [1, 2], "no", Array(7).fill([1]), [Array(9).fill(1)], [[1, [2]]], [[null]]])
    assert.ok(problem(scores), JSON.stringify(scores));
  assert.match(problem([[1, 12.1]]), /between −12 and 12/);
  assert.equal(
    problem([
      [1, -12],
      [0, 12],
    ]),
    null,
  );
  assert.throws(() => compute({ ...START, scores: [[1], [1, 2]] }), /as many in every row/);
});

test("a table that grows keeps its scores, and new scores are the same each time", () => {
  const grown = resized(START.scores, 4, 8);
  assert.deepEqual(
    grown.slice(0, 2).map((row) => row.slice(0, 3)),
    START.scores,
  );
  assert.equal(problem(grown), null);
  assert.deepEqual(resized(resized(grown, 2, 3), 4, 8), grown);
  assert.deepEqual(resized(START.scores, 1, 2), [[2.3, 9.1]]);
});

test("lines are rows of keys or columns of queries", () => {
  assert.deepEqual(linesOf(START), [
    [0, 1, 2],
    [3, 4, 5],
  ]);
  assert.deepEqual(linesOf({ ...START, axis: "queries" }), [
    [0, 3],
    [1, 4],
    [2, 5],
  ]);
});

const sentence = (changes) => {
  const { naive_terms, naive_sums, naive, weights } = compute({ ...START, ...changes });
  const row = (values) => Array.from(values.slice(0, 3));
  return verdict(row(naive_terms), naive_sums[0], row(naive), row(weights)).join(" ");
};

test("each failure of the naive program has its sentence", () => {
  assert.match(sentence({}), /^✓/);
  assert.match(sentence({ shift: 79 }), /^✓/);
  assert.match(sentence({ shift: 80 }), /^✗ A term is ∞/);
  assert.match(sentence({ scores: [[8, 8, 8]], shift: 80 }), /^✗ No term is ∞, but their sum is: every weight is 0/);
  assert.match(sentence({ shift: -120 }), /^✗ Every term is 0/);
  assert.match(sentence({ shift: -110 }), /^⚠ Terms near 0 .* off by 0\.001/);
  assert.match(sentence({ shift: 2, precision: "float16" }), /^✗ A term is ∞/);
  assert.match(sentence({ shift: 1, precision: "float16" }), /^✓/);
});

test("numbers are short", () => {
  assert.deepEqual([0, 1, 0.5, 8955.29, 0.00111378, 12345, -6.8, 3e-5, Infinity, NaN].map(brief), [
    ...["0", "1", "0.5", "8955", "0.001114", "1.2e4", "−6.8", "3.0e−5", "∞", "NaN"],
  ]);
});
