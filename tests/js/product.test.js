import assert from "node:assert/strict";
import { test } from "node:test";
import { layout, linesBetween } from "../../src/attn/labs/product/layout.js";
import { compute, indexOf, matmulError, PRODUCTS, pairsOf, sumOf } from "../../src/attn/labs/product/model.js";
import { coincidences, describeCell, verdict } from "../../src/attn/labs/product/words.js";

const [TRANSPOSED, FORGOTTEN, REVERSED, RESHAPED, SWAPPED] = Object.keys(PRODUCTS);
const state = (product, sizes = {}) => ({ B: 2, H: 3, L: 5, S: 7, D: 4, seed: 0, ...sizes, product });
const pairs = (product, sizes, cell) => pairsOf(state(product, sizes), compute(state(product, sizes)), cell);
const title = (product, sizes, cell) => describeCell(state(product, sizes), pairs(product, sizes, cell), cell);

test("torch checks the leading axes from right to left, then the inner sizes", () => {
  assert.equal(matmulError([2, 3, 5, 4], [2, 3, 4, 7]), "");
  assert.equal(matmulError([1, 3, 5, 4], [2, 1, 4, 7]), "", "an axis of size 1 fits any size");
  assert.match(matmulError([2, 3, 5, 4], [4, 7, 3, 2]), /tensor a \(3\) must match .* tensor b \(7\) .* dimension 1$/);
  assert.match(matmulError([2, 3, 5, 4], [4, 1, 3, 2]), /tensor a \(2\) must match .* tensor b \(4\) .* dimension 0$/);
  assert.match(matmulError([2, 3, 5, 4], [2, 3, 7, 4]), /to be: \[6, 4\] but got: \[6, 7\]\.$/);
  assert.match(matmulError([5, 4], [7, 4]), /\(5x4 and 7x4\)$/);
});

test("a cell is the sum of its products, and every product names its two numbers", () => {
  const found = pairs(TRANSPOSED, {}, [1, 2]);
  assert.equal(title(TRANSPOSED, {}, [1, 2]), "[1, 2]: query 1 meets key 2");
  assert.deepEqual(
    found.map(({ left, right }) => [left, right]),
    [
      ["1,0", "2,0"],
      ["1,1", "2,1"],
      ["1,2", "2,2"],
      ["1,3", "2,3"],
    ],
  );
  assert.equal(sumOf(found), compute(state(TRANSPOSED)).result[1 * 7 + 2]);
  assert.equal(sumOf(found.slice(0, 2)), found[0].a * found[0].b + found[1].a * found[1].b);
  assert.equal(sumOf([]), 0);
});

test("every number that a wrong product multiplies is named by its index in k", () => {
  const rights = (product, sizes, at) => pairs(product, sizes, at).map(({ right }) => right);
  assert.deepEqual(rights(FORGOTTEN, { S: 4 }, [1, 2]), ["0,2", "1,2", "2,2", "3,2"]);
  assert.deepEqual(rights(RESHAPED, {}, [1, 2]), ["0,2", "2,1", "4,0", "5,3"]);
  assert.match(title(RESHAPED, {}, [1, 2]), /query 1 meets numbers of keys 0, 2, 4, 5$/);
  assert.deepEqual(rights(REVERSED, { B: 1, D: 3, S: 3 }, [1, 0]), ["0,0,0,0", "0,1,0,0", "0,2,0,0"]);
  assert.equal(title(SWAPPED, {}, [2, 1]), "[2, 1]: key 2 meets query 1");
  assert.equal(sumOf(pairs(SWAPPED, {}, [2, 1])), sumOf(pairs(TRANSPOSED, {}, [1, 2])));
});

test("a flat position is converted back to an index", () => {
  assert.deepEqual(indexOf(1 * 84 + 2 * 28 + 5 * 4 + 3, { H: 3, D: 4 }, 7), [1, 2, 5, 3]);
});

test("a product that runs and is wrong is called nonsense; one that is right by accident is a warning", () => {
  const verdictOf = (product, sizes) => verdict(state(product, sizes), compute(state(product, sizes)));
  assert.deepEqual(
    [TRANSPOSED, FORGOTTEN, REVERSED, RESHAPED, SWAPPED].map((one) => verdictOf(one).kind),
    ["good", "bad", "bad", "bad", "luck"],
  );
  assert.match(verdictOf(FORGOTTEN).text, /They do not fit: left has 4 columns, right 7 rows/);
  assert.match(verdictOf(FORGOTTEN, { D: 7 }).text, /Silent nonsense: no error, because S = D = 7/);
  assert.match(verdictOf(RESHAPED).text, /Silent nonsense: no error, at any size, and right only where S = 1 or D = 1\./);
  assert.match(verdictOf(TRANSPOSED, { D: 1 }).text, /q has 1 column, kᵀ 1 row\./);
  assert.match(verdictOf(RESHAPED, { S: 1 }).text, /^⚠ At these sizes it is the same/);
  assert.match(
    verdictOf(REVERSED).text,
    /left has 4 columns, right 3 rows\), and the axes in front do not: \(2, 3\) against \(4, 7\)/,
  );
  assert.match(verdictOf(REVERSED, { D: 3 }).text, /^✗ The tables fit, and the axes in front do not/);
  assert.match(verdictOf(SWAPPED, { S: 5 }).text, /nobody sees it from the shape/);
});

test("the notes warn of sizes that hide a mistake", () => {
  assert.deepEqual(coincidences(state(TRANSPOSED)), []);
  assert.match(coincidences(state(TRANSPOSED, { S: 4 })).join(), /q @ k, without any transpose, raises no error/);
  assert.match(coincidences(state(TRANSPOSED, { L: 7 })).join(), /the table is square/);
});

test("a line joins column n with row n, and a line without a partner is unpaired", () => {
  const plan = layout(400, { N: 4, M: 7, C: 4 });
  const lines = linesBetween({ N: 4, M: 7, axes: ["D", "S"], summed: null }, plan);
  assert.deepEqual(
    lines.filter(({ look }) => look === "unpaired").map(({ axis, name }) => [axis, name]),
    [
      ["S", "k4"],
      ["S", "k5"],
      ["S", "k6"],
    ],
  );
  const [up, along] = lines;
  assert.equal(up.d, `M${plan.x(0)} ${plan.cornerHeight}V${plan.y(0)}`);
  assert.equal(along.d, `M${plan.x(0)} ${plan.y(0)}H${plan.cornerWidth}`);
  const fitting = linesBetween({ N: 4, M: 4, axes: ["D", "D"], summed: 2 }, plan);
  assert.deepEqual(
    fitting.map(({ look }) => look),
    ["", "", "here", "here", "later", "later", "later", "later"],
  );
});

test("the picture of the largest sizes fits on a phone", () => {
  const { cornerWidth, cellWidth } = layout(290, { N: 8, M: 8, C: 8 });
  assert.ok(cellWidth >= 14 && cornerWidth + 8 * (cellWidth + 1) + 6 <= 290);
});
