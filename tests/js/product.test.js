import assert from "node:assert/strict";
import { test } from "node:test";
import { joints, plan } from "../../src/attn/labs/product/board.js";
import { coincidences, complaint, compute, indexOf, PRODUCTS, terms, verdict } from "../../src/attn/labs/product/model.js";

const [TRANSPOSED, FORGOTTEN, REVERSED, RESHAPED, SWAPPED] = Object.keys(PRODUCTS);
const state = (product, sizes = {}) => ({ B: 2, H: 3, L: 5, S: 7, D: 4, seed: 0, ...sizes, product });
const made = (product, sizes, at, done) => terms(state(product, sizes), compute(state(product, sizes)), at, done);

test("torch's complaints, in its order: the axes in front from the right, then the edge", () => {
  assert.equal(complaint([2, 3, 5, 4], [2, 3, 4, 7]), "");
  assert.equal(complaint([1, 3, 5, 4], [2, 1, 4, 7]), "", "an axis of size 1 goes with any");
  assert.match(complaint([2, 3, 5, 4], [4, 7, 3, 2]), /tensor a \(3\) must match .* tensor b \(7\) .* dimension 1$/);
  assert.match(complaint([2, 3, 5, 4], [4, 1, 3, 2]), /tensor a \(2\) must match .* tensor b \(4\) .* dimension 0$/);
  assert.match(complaint([2, 3, 5, 4], [2, 3, 7, 4]), /to be: \[6, 4\] but got: \[6, 7\]\.$/);
  assert.match(complaint([5, 4], [7, 4]), /\(5x4 and 7x4\)$/);
});

test("a cell is the sum of its products, and every product names its two numbers", () => {
  const { title, terms: pairs, sum } = made(TRANSPOSED, {}, [1, 2]);
  assert.equal(title, "[1, 2]: query 1 meets key 2");
  assert.deepEqual(
    pairs.map(({ left, right }) => [left, right]),
    [
      ["1,0", "2,0"],
      ["1,1", "2,1"],
      ["1,2", "2,2"],
      ["1,3", "2,3"],
    ],
  );
  assert.equal(
    sum,
    pairs.reduce((total, { a, b }) => total + a * b, 0),
  );
  assert.equal(sum, compute(state(TRANSPOSED)).result[1 * 7 + 2]);
  assert.equal(made(TRANSPOSED, {}, [1, 2], 2).sum, pairs[0].a * pairs[0].b + pairs[1].a * pairs[1].b);
  assert.equal(made(TRANSPOSED, {}, [1, 2], 0).sum, 0);
});

test("what a wrong product multiplies is named by where it comes from", () => {
  const rights = (product, sizes, at) => made(product, sizes, at).terms.map(({ right }) => right);
  assert.deepEqual(rights(FORGOTTEN, { S: 4 }, [1, 2]), ["0,2", "1,2", "2,2", "3,2"]);
  assert.deepEqual(rights(RESHAPED, {}, [1, 2]), ["0,2", "2,1", "4,0", "5,3"]);
  assert.match(made(RESHAPED, {}, [1, 2]).title, /query 1 meets numbers of keys 0, 2, 4, 5$/);
  assert.deepEqual(rights(REVERSED, { B: 1, D: 3, S: 3 }, [1, 0]), ["0,0,0,0", "0,1,0,0", "0,2,0,0"]);
  assert.equal(made(SWAPPED, {}, [2, 1]).title, "[2, 1]: key 2 meets query 1");
  assert.equal(made(SWAPPED, {}, [2, 1]).sum, made(TRANSPOSED, {}, [1, 2]).sum);
});

test("a flat place is read back as an index", () => {
  assert.deepEqual(indexOf(1 * 84 + 2 * 28 + 5 * 4 + 3, { H: 3, D: 4 }, 7), [1, 2, 5, 3]);
});

test("a product that runs and is wrong is called nonsense; one that is right by accident is a warning", () => {
  const said = (product, sizes) => verdict(state(product, sizes), compute(state(product, sizes)));
  assert.deepEqual(
    [TRANSPOSED, FORGOTTEN, REVERSED, RESHAPED, SWAPPED].map((one) => said(one).kind),
    ["good", "bad", "bad", "bad", "luck"],
  );
  assert.match(said(FORGOTTEN).text, /They do not fit: left has 4 columns, right 7 rows/);
  assert.match(said(FORGOTTEN, { D: 7 }).text, /Silent nonsense: no error, because S = D = 7/);
  assert.match(said(RESHAPED).text, /Silent nonsense: no error, at any size, and right only where S = 1 or D = 1\./);
  assert.match(said(TRANSPOSED, { D: 1 }).text, /q has 1 column, kᵀ 1 row\./);
  assert.match(said(RESHAPED, { S: 1 }).text, /^⚠ At these sizes it is the same/);
  assert.match(said(REVERSED).text, /left has 4 columns, right 3 rows\), and the axes in front do not: \(2, 3\) against \(4, 7\)/);
  assert.match(said(REVERSED, { D: 3 }).text, /^✗ The tables fit, and the axes in front do not/);
  assert.match(said(SWAPPED, { S: 5 }).text, /nobody sees it from the shape/);
});

test("sizes that hide a mistake are announced", () => {
  assert.deepEqual(coincidences(state(TRANSPOSED)), []);
  assert.match(coincidences(state(TRANSPOSED, { S: 4 })).join(), /q @ k, without any transpose, raises no error/);
  assert.match(coincidences(state(TRANSPOSED, { L: 7 })).join(), /the table is square/);
});

test("a line joins column n with row n, and what finds no partner is lonely", () => {
  const laid = plan(400, { N: 4, M: 7, C: 4 });
  const lines = joints({ N: 4, M: 7, axes: ["D", "S"], summed: null }, laid);
  assert.deepEqual(
    lines.filter(({ look }) => look === "lonely").map(({ axis, name }) => [axis, name]),
    [
      ["S", "k4"],
      ["S", "k5"],
      ["S", "k6"],
    ],
  );
  const [up, along] = lines;
  assert.equal(up.d, `M${laid.x(0)} ${laid.high}V${laid.y(0)}`);
  assert.equal(along.d, `M${laid.x(0)} ${laid.y(0)}H${laid.wide}`);
  const fitting = joints({ N: 4, M: 4, axes: ["D", "D"], summed: 2 }, laid);
  assert.deepEqual(
    fitting.map(({ look }) => look),
    ["", "", "here", "here", "later", "later", "later", "later"],
  );
});

test("the picture of the largest sizes fits a phone", () => {
  const { wide, cell } = plan(290, { N: 8, M: 8, C: 8 });
  assert.ok(cell >= 14 && wide + 8 * (cell + 1) + 6 <= 290);
});
