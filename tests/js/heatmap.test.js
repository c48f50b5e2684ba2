import assert from "node:assert/strict";
import { test } from "node:test";
import { cellAt, layout } from "../../src/attn/labs/kit/facets.js";

const words = (rows, n, length) => Array.from({ length: rows }, () => Array(n).fill("w".repeat(length)));
const plan = (rows, columns, R, C, width) =>
  layout({ rows, columns, R, C, width, words: { rows: words(rows, R, 5), columns: words(rows, C, 5) } });

test("facets fill the width as far as possible without overflowing", () => {
  for (const width of [500, 700, 1100])
    for (const [rows, columns, R, C] of [
      [1, 1, 1, 1],
      [2, 3, 5, 5],
      [4, 8, 24, 16],
      [4, 1, 64, 64],
    ]) {
      const { cell, width: used } = plan(rows, columns, R, C, width);
      assert.ok(used <= width || cell === 2, `${used} of ${width}`);
      assert.ok(cell >= 2 && cell <= 26);
    }
});

test("only cells that are large enough have words beside them", () => {
  assert.ok(plan(2, 3, 5, 5, 700).labelled);
  assert.ok(!plan(4, 8, 24, 24, 700).labelled);
});

test("on a phone short sentences keep their words, and long ones do not overflow", () => {
  assert.ok(plan(2, 3, 10, 10, 340).labelled);
  assert.ok(plan(2, 3, 24, 24, 340).width <= 340);
});

test("pointing at the middle of any cell finds it, and pointing between facets finds nothing", () => {
  const [rows, columns, R, C] = [2, 3, 5, 7];
  const shown = { rows, columns, R, C, plan: plan(rows, columns, R, C, 600) };
  for (const place of [
    [0, 0, 0, 0],
    [1, 2, 4, 6],
    [0, 1, 3, 2],
  ]) {
    const [x, y] = shown.plan.origin(place[0], place[1]);
    const middle = [x + (place[3] + 0.5) * shown.plan.cell, y + (place[2] + 0.5) * shown.plan.cell];
    assert.deepEqual(cellAt(shown, ...middle), place);
  }
  const [x, y] = shown.plan.origin(0, 1);
  assert.equal(cellAt(shown, x - 4, y + 4), null);
  assert.equal(cellAt(shown, x + 4, y - 4), null);
});
