// BugLab: its small tensors, where its tables are, and what it says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { combined, linear, matmul, permute, softmaxAlong, turned, view } from "../../src/attn/labs/bug/arrays.js";
import { columnsOf, placeAt, planOf } from "../../src/attn/labs/bug/layout.js";
import { compute, GIVEN } from "../../src/attn/labs/bug/model.js";
import { cellText, factsOf, sentenceOf, sizesOf, wordsOf } from "../../src/attn/labs/bug/words.js";
import { RIGHT, WRONG } from "../../src/attn/labs/bug/wrong.js";

const _words = "girls near old kings found gold today".split(" ");
const _context = "yesterday happy cooks behind boys".split(" ");
const base = { bug: "none", given: /** @type {const} */ ("self"), L: 7, _words, _context };
const count = { shape: [2, 2, 3], data: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };
const SIZES = { H: 3, E: 12 };

test("axes are exchanged, tables are multiplied, and sizes that do not fit are PyTorch's error", () => {
  assert.deepEqual(turned(count).data, [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]);
  assert.deepEqual(permute(count, [1, 0, 2]).data, [0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11]);
  assert.deepEqual(matmul(count, turned(count)).data, [5, 14, 14, 50, 149, 212, 212, 302]);
  assert.throws(() => matmul(count, count), /batch2 tensor to be: \[2, 3\] but got: \[2, 2\]/);
  assert.deepEqual(linear({ shape: [1, 2], data: [1, 2] }, Float32Array.of(1, 0, 0, 1, 1, 1)), { shape: [1, 3], data: [1, 2, 3] });
});

test("a table serves all heads, and an axis of size 1 is repeated", () => {
  const add = (/** @type {number} */ a, /** @type {number} */ b) => a + b;
  assert.deepEqual(combined(count, { shape: [1, 3], data: [100, 200, 300] }, add).data.slice(0, 4), [100, 201, 302, 103]);
  const thin = view({ shape: [], data: [1, 2, 3] }, [1, 3, 1]);
  assert.deepEqual(combined(thin, { shape: [1, 2], data: [10, 20] }, add), { shape: [1, 3, 2], data: [11, 21, 12, 22, 13, 23] });
  assert.throws(() => combined(count, { shape: [2, 5], data: [] }, add), /a \(3\) must match the size of tensor b \(5\)/);
  assert.throws(() => combined(count, { shape: [2, 5], data: [] }, add, true), /a \(5\) must match the size of tensor b \(3\)/);
});

test("softmax sums to 1 along its axis, and is NaN where nothing is left", () => {
  for (const axis of /** @type {const} */ ([0, 1, 2])) {
    const { data } = softmaxAlong(count, axis);
    const total = data.reduce((sum, one) => sum + one, 0);
    assert.ok(Math.abs(total - 12 / count.shape[axis]) < 1e-12);
  }
  assert.ok(Number.isNaN(softmaxAlong({ shape: [1, 1, 1], data: [-Infinity] }, 2).data[0]));
});

test("every wrong step takes the place of a right one", () => {
  for (const steps of Object.values(WRONG)) for (const name of Object.keys(steps)) assert.ok(name in RIGHT);
  assert.throws(() => compute({ ...base, bug: "a typo" }), /no bug “a typo”/);
});

test("all tables fit their room, and a point in a cell leads back to it", () => {
  for (const width of [330, 466, 800])
    for (const sizes of [
      [[7, 7]],
      [
        [1, 7],
        [7, 7],
      ],
      [
        [4, 5],
        [4, 4],
      ],
    ]) {
      const plan = planOf({ width, sizes, ...SIZES, S: 7 });
      assert.ok(plan.p >= 8);
      sizes.forEach(([R], block) => {
        for (const table of [0, 1, 2, 3]) {
          const C = columnsOf(plan, block, table, SIZES);
          const { x, y, w, h } = plan.cell(block, table, R - 1, C - 1);
          assert.ok(x + w <= width && y + h <= plan.height);
          assert.deepEqual(placeAt(plan, SIZES, x + w / 2, y + h / 2), [block, table, R - 1, C - 1]);
        }
      });
      assert.equal(placeAt(plan, SIZES, 1, 1), null);
    }
});

const told = (/** @type {object} */ changes, found = {}) => {
  const state = { ...base, ...changes };
  const results = compute(state);
  return { state, results, said: sentenceOf(state, results, found, 16) };
};

test("the sentence says whether anything moves, where else it does, and what stays", () => {
  assert.equal(told({}).said.kind, "good");
  const hidden = told({ bug: "top-left causal mask", given: "prompt" });
  assert.match(hidden.said.text, /shows with one new word after a cached prompt\. 0 of 16/);
  const shows = told({ bug: "top-left causal mask", given: "new" }, { "S ≠ L": "" });
  assert.match(shows.said.text, /every shape stays, row sums stay; 21 of 21 weights change, 12 of 12 .* 1 of 16/);
  assert.match(told({ bug: "mask after softmax", given: "prompt" }).said.text, /rows of weights sum to something else/);
  assert.match(told({ bug: "no W_O" }).said.text, /all 147 weights are right, 84 of 84 numbers of y change/);
  assert.match(told({ bug: "keys not transposed" }).said.text, /but got: \[3, 7\]\. With 4 words it runs\./);
  assert.match(told({ bug: "keys from x", given: "other" }).said.text, /With 1 or 5 words it runs\./);
  assert.match(
    told({ bug: "K times Q", given: "new" }).said.text,
    /a shape is another; the weights are \(3, 7, 7\), y is \(7, 12\)/,
  );
  assert.match(told({ bug: "weights transposed", given: "prompt" }).said.text, /all 147 weights are right/);
});

test("facts, sizes and words follow what is given", () => {
  for (const given of GIVEN) {
    const { state, results } = told({ given, bug: "no scale" });
    const { queries, keys } = wordsOf(state);
    assert.deepEqual(sizesOf(state, results), [
      [queries.length, keys.length],
      [queries.length, keys.length],
    ]);
    assert.deepEqual(
      factsOf(state, results).map(([, isRight]) => isRight),
      [true, true, true, false, false],
    );
  }
  assert.deepEqual(wordsOf({ ...base, given: "prompt", L: 2 }).keys, ["pad", "near"]);
  const { state, results } = told({ bug: "keys not transposed" });
  assert.deepEqual(factsOf(state, results), [["no result", false]]);
  assert.match(cellText(state, results, [0, 3, 2, 5]), /^y of “old”, component 5: .* nothing to compare\.$/);
  const other = told({ bug: "K times Q", given: "new" });
  assert.match(cellText(other.state, other.results, [1, 0, 5, 2]), /There is no such weight with the right line/);
  const wrong = told({ bug: "heads in reverse order" });
  assert.match(cellText(wrong.state, wrong.results, [1, 0, 1, 1]), /and the same with the wrong one/);
  assert.match(cellText(wrong.state, wrong.results, [1, 3, 1, 1]), /line, −?\d.\d\d with the wrong one/);
});
