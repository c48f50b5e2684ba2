import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cellText,
  emptyRows,
  isWrong,
  rowOutcome,
  selfBlindQueries,
  warnings,
  weightText,
} from "../../src/attn/labs/mask/explain.js";
import { alignAxes, compute, expandedStrides, fillValue, maskedWeights } from "../../src/attn/labs/mask/model.js";
import { brokenRules, intendedMask, paddedWords, paintCell } from "../../src/attn/labs/mask/rules.js";
import { SPELLINGS } from "../../src/attn/labs/mask/spellings.js";

const START = {
  _texts: ["the cat sat on the mat", "dogs chase the red ball", "she reads books"],
  ...{ L: 6, H: 2, causal: true, window: null, padding: true, pads: "behind", corner: "bottom right" },
  ...{ painted: [], stored: "B, 1, L, S", fill: "zero", dtype: "float32" },
};
const row = (state, b, i) => [...intendedMask(state).subarray((b * state.L + i) * 6, (b * state.L + i) * 6 + 6)];

test("the fill value is a number of the dtype", () => {
  assert.equal(fillValue("-1e9", "float32"), -1e9);
  assert.equal(fillValue("-1e9", "float16"), -Infinity);
  assert.equal(fillValue("finfo.min", "float16"), -65504);
  assert.equal(fillValue("finfo.min", "float32"), Math.fround(-3.4028234663852886e38));
  assert.equal(fillValue("zero", "float32"), -Infinity);
});

test("a fully masked row: zeros, NaN, an average, or the weights without a mask", () => {
  const scores = Float32Array.of(1, 3, 2);
  const nothing = new Float32Array(3);
  const after = (fill, dtype = "float32") => [...maskedWeights(scores, nothing, 3, fill, dtype)];
  const plain = [
    ...maskedWeights(
      scores,
      nothing.map(() => 1),
      3,
      "zero",
      "float32",
    ),
  ];
  assert.deepEqual(after("zero"), [0, 0, 0]);
  assert.ok(after("-inf").every(Number.isNaN));
  assert.deepEqual(after("-1e9"), [1 / 3, 1 / 3, 1 / 3].map(Math.fround));
  assert.ok(after("-1e9", "float16").every(Number.isNaN));
  assert.ok(after("-1e4").every((weight, j) => Math.abs(weight - plain[j]) < 1e-3));
  assert.deepEqual(
    ["zero", "-inf", "-1e9", "-1e4"].map((fill) => rowOutcome(after(fill), [0, 0, 0])),
    ["all zeros", "NaN", "an average over forbidden keys", "the weights without a mask"],
  );
  assert.equal(rowOutcome([0.5, 0.5, 0], [1, 1, 0]), "right");
});

test("rules depend on positions, with right and left padding", () => {
  assert.deepEqual(brokenRules(START, 0, 2, 3), ["causal"]);
  assert.deepEqual(brokenRules({ ...START, window: 2 }, 2, 1, 4), ["causal", "window", "padding"]);
  assert.deepEqual(brokenRules({ ...START, pads: "in front" }, 2, 5, 2), ["padding"]);
  assert.deepEqual(paddedWords({ ...START, pads: "in front" })[2], ["·", "·", "·", "she", "reads", "books"]);
  assert.deepEqual(paddedWords(START)[1], ["dogs", "chase", "the", "red", "ball", "·"]);
});

test("fewer queries are the last ones, but aligned at the top left they are taken for the first", () => {
  assert.deepEqual(row({ ...START, L: 2 }, 0, 0), [1, 1, 1, 1, 1, 0]);
  assert.deepEqual(row({ ...START, L: 2, corner: "top left" }, 0, 1), [1, 1, 0, 0, 0, 0]);
});

test("a painted cell is stored by position, and only if it differs from the rules", () => {
  const once = paintCell({ ...START, L: 2 }, 1, 0, 5, 1);
  assert.deepEqual(once, [[1, 4, 5, 1]]);
  assert.deepEqual(row({ ...START, painted: once }, 1, 4), [1, 1, 1, 1, 1, 1], "the same word with all queries");
  assert.deepEqual(paintCell({ ...START, painted: once }, 1, 4, 5, 0), [], "a cell that agrees with the rules is not an exception");
  assert.deepEqual(paintCell({ ...START, painted: once }, 1, 4, 4, 0), [
    [1, 4, 5, 1],
    [1, 4, 4, 0],
  ]);
  assert.deepEqual(row({ ...START, painted: [[9, 9, 9, 9], "x", [1], [0, 0, 0, 7]] }, 0, 0), [1, 0, 0, 0, 0, 0]);
});

test("shapes are aligned from the right", () => {
  const results = (shape, full) => alignAxes(shape, full).map((axis) => axis.result);
  assert.deepEqual(results([6, 6], [3, 2, 6, 6]), ["repeated", "repeated", "agrees", "agrees"]);
  assert.deepEqual(results([3, 1, 1, 6], [3, 2, 6, 6]), ["agrees", "repeated", "repeated", "agrees"]);
  assert.deepEqual(results([3, 6, 6], [3, 2, 6, 6]), ["repeated", "does not fit", "agrees", "agrees"]);
  assert.deepEqual(expandedStrides([3, 1, 1, 6], [3, 2, 5, 6]), [6, 0, 0, 1]);
  assert.deepEqual(expandedStrides([5, 6], [3, 2, 5, 6]), [0, 0, 6, 1]);
  assert.deepEqual(expandedStrides([3, 1, 1, 6], [3, 2, 1, 6]), [6, 0, 6, 1], "an axis that is not repeated keeps its stride");
});

test("a mask of three axes is refused, or gives head h the mask of sentence h", () => {
  const state = { ...START, stored: "B, L, S" };
  const refused = compute(state);
  assert.equal(refused.weights, null);
  assert.match(warnings(state, refused, 0, 0)[0], /tensor a \(2\) must match the size of tensor b \(3\)/);
  const taken = { ...state, H: 3 };
  const results = compute(taken);
  assert.deepEqual([...results.expanded.subarray(0, 3 * 36)], [...results.keep]);
  assert.equal(results.expanded.filter((_, at) => isWrong(taken, 6, results, at)).length, 24);
});

test("a cell is explained by its rule, by the painting and by the mask that the head gets", () => {
  const results = compute(START);
  assert.match(
    cellText(START, results, [0, 0, 2, 3]),
    /^“sat” \(position 2\) may not look at “on” \(3\): it comes later\. Scaled score .*, weight 0\.$/,
  );
  assert.match(cellText(START, results, [0, 0, 0, 0]), /may look at “the” \(0\): no rule forbids it.*weight 1\.00\.$/);
  const painted = { ...START, painted: [[0, 2, 3, 1]] };
  assert.match(cellText(painted, compute(painted), [0, 0, 2, 3]), /may look at “on” \(3\): you painted it so/);
  const lost = { ...START, stored: "L, S" };
  assert.match(cellText(lost, compute(lost), [2, 1, 5, 4]), /it is padding\. But the mask that reaches head 1 says True\./);
});

test("fully masked rows are found in the mask that the head gets", () => {
  const front = { ...START, pads: "in front" };
  assert.deepEqual(emptyRows(front, compute(front), 2, 1), [0, 1, 2]);
  assert.deepEqual(warnings(front, compute(front), 2, 1), ["⚠ The queries at positions 0, 1, 2 may see nothing."]);
  assert.deepEqual(warnings(START, compute(START), 2, 1), []);
});

test("queries that do not attend to themselves, aligned at the top left, are named with the position that the rules use", () => {
  const corner = { ...START, L: 2, corner: "top left" };
  const results = compute(corner);
  assert.deepEqual(selfBlindQueries(corner, results.keep, 0), [0, 1]);
  assert.deepEqual(
    selfBlindQueries({ ...corner, L: 6 }, intendedMask({ ...corner, L: 6 }), 0),
    [],
    "with all queries both corners are the same",
  );
  assert.deepEqual(selfBlindQueries({ ...corner, corner: "bottom right" }, intendedMask({ ...START, L: 2 }), 0), []);
  assert.deepEqual(selfBlindQueries(corner, results.keep, 1), [0], "the other query is padding");
  assert.deepEqual(warnings(corner, results, 0, 0), ["⚠ “the” (position 4), “mat” (position 5) do not see themselves."]);
  assert.deepEqual(warnings(corner, results, 1, 0), ["⚠ “ball” (position 4) does not see itself."]);
  assert.match(
    cellText(corner, results, [0, 0, 1, 5]),
    /“mat” \(position 5\) may not look at “mat” \(5\): it comes later, because the rules see this query at position 1\./,
  );
  const painted = { ...corner, painted: [2, 3, 4, 5].map((key) => [0, 5, key, 1]) };
  assert.deepEqual(row(painted, 0, 1), row({ ...START, L: 2 }, 0, 1));
  assert.deepEqual(selfBlindQueries(painted, intendedMask(painted), 0), [0]);
});

test("the four spellings of a cell mean the same", () => {
  assert.deepEqual(
    SPELLINGS.map(({ name, text }) => [name, text(1), text(0)]),
    [
      ["keep", "T", "F"],
      ["drop", "F", "T"],
      ["additive", "0", "−∞"],
      ["0 and 1", "1", "0"],
    ],
  );
  assert.deepEqual([0, 0.001, NaN].map(weightText), ["0", "0.00", "NaN"]);
});
