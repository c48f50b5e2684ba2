import assert from "node:assert/strict";
import { test } from "node:test";
import { contrast, inkOn, mixed, tints } from "../../src/attn/labs/kit/colours.js";
import { appear, append, blend, cellOf, divide, fly, fold, hide, inTurn, turn } from "../../src/attn/labs/kit/moves.js";

const SHEET = { x: 10, y: 20, p: 7 };
const [FROM, TO] = [cellOf(SHEET, 0, 3), cellOf({ x: 300, y: 1 / 3, p: 0.1 }, 5, 1)];
const WEIGHTS = [0.1, 0.6, 0, 0.3];
const area = (/** @type {{ w: number, h: number }} */ { w, h }) => w * h;

test("a cell flies from exactly its place to exactly its new place, however high it rises", () => {
  for (const lift of [0, 30]) {
    assert.deepEqual(fly(FROM, TO, 0, lift), FROM);
    assert.deepEqual(fly(FROM, TO, 1, lift), TO);
  }
  assert.ok(fly(FROM, FROM, 0.5, 30).y < FROM.y);
});

test("cells in turn start at 0 and all have arrived at 1", () => {
  for (const count of [1, 2, 60]) {
    const cells = Array.from({ length: count }, (_, k) => k);
    assert.deepEqual(
      cells.map((k) => inTurn(0, k, count)),
      cells.map(() => 0),
    );
    assert.deepEqual(
      cells.map((k) => inTurn(1, k, count)),
      cells.map(() => 1),
    );
  }
  assert.ok(inTurn(0.5, 0, 10) > inTurn(0.5, 9, 10));
});

test("a sheet that has turned has its rows as columns", () => {
  for (const [i, j] of [
    [0, 0],
    [2, 1],
    [0, 4],
  ]) {
    const before = cellOf(SHEET, i, j);
    const after = cellOf(SHEET, j, i);
    const [first, last] = [turn(SHEET, i, j, 0), turn(SHEET, i, j, 1)];
    assert.deepEqual([first.x, first.y], [before.x + 3.5, before.y + 3.5]);
    assert.deepEqual([last.x, last.y], [after.x + 3.5, after.y + 3.5]);
    const [almost, still] = [turn(SHEET, i, j, 1 - 1e-4), [1, 0, 0, 1]];
    assert.ok(Math.hypot(almost.x - last.x, almost.y - last.y) < 0.01, "without a jump at the end");
    assert.deepEqual([first.matrix, last.matrix], [still, still]);
  }
});

test("all products of a pair fall into the one cell of their sum", () => {
  const products = [0, 1, 2, 3].map((d) => cellOf(SHEET, d, 0));
  assert.deepEqual(fold(products, TO, 0), products);
  assert.deepEqual(
    fold(products, TO, 1),
    products.map(() => TO),
  );
});

test("softmax divides a row into parts as wide as the weights, without gaps, at every moment", () => {
  const row = { x: 5, y: 6, w: 80, h: 9 };
  assert.deepEqual(
    divide(WEIGHTS, row, 0).map(({ w }) => w),
    [20, 20, 20, 20],
  );
  divide(WEIGHTS, row, 1).forEach(({ w }, s) => assert.ok(Math.abs(w - 80 * WEIGHTS[s]) < 1e-9));
  for (const n of [0, 0.3, 0.9, 1]) {
    const parts = divide(WEIGHTS, row, n);
    parts.forEach((part, s) => assert.ok(Math.abs(part.x + part.w - (parts[s + 1]?.x ?? 85)) < 1e-9, `${n}`));
  }
  divide([0, 0], row, 1).forEach(({ w }) => assert.equal(w, 0));
});

test("blended rows lie on each other and fill exactly one row, each with its weight", () => {
  const rows = WEIGHTS.map((_, s) => ({ x: 0, y: 10 * s, w: 40, h: 10 }));
  const sum = { x: 200, y: 50, w: 60, h: 15 };
  assert.deepEqual(blend(WEIGHTS, rows, sum, 0), rows);
  const end = blend(WEIGHTS, rows, sum, 1);
  end.forEach((box, s) => assert.ok(Math.abs(area(box) - WEIGHTS[s] * area(sum)) < 1e-9));
  assert.ok(Math.abs(end[3].y + end[3].h - (sum.y + sum.h)) < 1e-9);
});

test("what is hidden ends invisible, and what appears or is appended ends exactly in its place", () => {
  assert.deepEqual(hide(FROM, 0), { ...FROM, alpha: 1 });
  assert.equal(hide(FROM, 1).alpha, 0);
  assert.deepEqual(appear(FROM, 1), { ...FROM, alpha: 1 });
  assert.equal(area(appear(FROM, 0)), 0);
  assert.deepEqual(append(FROM, 1, { x: 40, y: -3 }), { ...FROM, alpha: 1 });
  assert.deepEqual(append(FROM, 0, { x: 40 }), { ...FROM, x: FROM.x + 40, alpha: 0 });
});

test("a mixed colour is the ground at 0, the colour at 1, and halfway between them at a half, however both are written", () => {
  for (const white of ["#fff", "#ffffff", "rgb(255, 255, 255)"])
    for (const dark of ["#102030", "rgb(16, 32, 48)"]) {
      assert.equal(mixed(white, dark, 0), "rgb(16, 32, 48)");
      assert.equal(mixed(white, dark, 0.5), "rgb(136, 144, 152)");
      assert.equal(mixed(white, dark, 1), "rgb(255, 255, 255)");
    }
});

test("twelve tints are different, and no two neighbours are close", () => {
  for (const [colour, paper] of [
    ["#ca4c0a", "#ffffff"],
    ["#d76d28", "rgb(18, 18, 18)"],
  ]) {
    const twelve = tints(colour, paper);
    assert.equal(new Set(twelve).size, 12);
    const green = twelve.map((one) => Number(one.split(",")[1]));
    green.slice(1).forEach((value, n) => assert.ok(Math.abs(value - green[n]) > 12, `${n}`));
  }
});

const AXES = /** @type {const} */ ([
  ["#ca4c0a", "#ffffff"],
  ["#d76d28", "rgb(18, 18, 18)"],
  ["#0b8651", "#ffffff"],
  ["#69f89c", "rgb(18, 18, 18)"],
  ["#611c05", "#ffffff"],
  ["#e7b20b", "rgb(18, 18, 18)"],
]);

test("no tint is nearly black or nearly the paper, even of a dark brown, and none leaves the family of its colour", () => {
  /** @param {string} colour */
  const hueOf = (colour) => {
    const [r, g, b] = (colour.startsWith("#") ? mixed(colour, "#fff", 1) : colour).match(/\d+/g).map(Number);
    return (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI;
  };
  for (const [colour, paper] of AXES)
    for (const tint of [2, 3, 4, 6, 8, 12].flatMap((count) => tints(colour, paper, count))) {
      assert.ok(contrast(tint, "#000") >= 3.4, `${tint} is nearly black`);
      assert.ok(contrast(tint, paper) >= (paper === "#ffffff" ? 1.12 : 2.5), `${tint} is nearly the paper`);
      assert.ok(Math.abs(hueOf(tint) - hueOf(colour)) < 35, `${tint} of ${colour}`);
    }
});

test("the contrast of black and white is 21, and ink on twelve or fewer tints is readable", () => {
  assert.equal(Math.round(contrast("#000", "#ffffff") * 100), 2100);
  for (const [colour, paper] of AXES) {
    for (const tint of tints(colour, paper)) assert.ok(contrast(tint, inkOn(tint)) >= 4.5, tint);
    for (let count = 1; count < 12; count++)
      for (const tint of tints(colour, paper, count)) assert.ok(contrast(tint, inkOn(tint)) >= 5, `${tint} of ${count}`);
  }
});

test("few tints are far apart, all of them, and neighbours most", () => {
  for (const [colour, paper] of AXES) {
    const twelve = tints(colour, paper);
    for (const count of [2, 3, 4, 5, 6]) {
      const few = tints(colour, paper, count);
      assert.equal(new Set(few).size, count);
      const pairs = few.flatMap((one, a) => few.slice(a + 1).map((other, b) => ({ far: contrast(one, other), beside: b === 0 })));
      const least = Math.min(...pairs.map(({ far }) => far));
      const [from, to] = [0, 1].map((n) => Math.min(...pairs.filter(({ beside }) => beside === Boolean(n)).map(({ far }) => far)));
      if (count < 5) assert.ok(least >= 1.5, `${count} of ${colour}: ${least}`);
      if (count > 3) assert.ok(to >= from, `${count} of ${colour}: neighbours ${to}, others ${from}`);
      const before = twelve.slice(0, count).flatMap((one, a) => twelve.slice(a + 1, count).map((other) => contrast(one, other)));
      assert.ok(least >= Math.min(...before), `${count} of ${colour} are closer than those of twelve`);
    }
  }
});
