// GridLab's pure functions. tests/test_grid_lab.py shows that compute agrees with torch.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  compute,
  firstPlaces,
  indexAt,
  indexInside,
  marks,
  ORDERS,
  placeOf,
  runsOf,
  windowAt,
} from "../../src/attn/labs/grid/model.js";
import { coincidences, describe, expression, scattered } from "../../src/attn/labs/grid/words.js";

const START = { B: 2, H: 3, L: 5, D: 4, copied: false, index: [1, 2, 1, 3] };
const SIZES = { B: 2, H: 3, L: 5, D: 4 };
const AXES = { BLHD: ORDERS[0].axes, BHLD: ORDERS[1].axes };
const AT = { B: 1, H: 2, L: 1, D: 3 };

test("the transpose leaves the number where it is and swaps two strides", () => {
  const seen = compute(START);
  assert.deepEqual(
    [seen.strides1, seen.strides2],
    [
      [60, 12, 4, 1],
      [60, 4, 12, 1],
    ],
  );
  assert.deepEqual([seen.offset1, seen.offset2], [83, 83]);
  assert.deepEqual([seen.shared, seen.contiguous2], [true, false]);
});

test("a copy moves the number in memory and leaves it where it is in the table", () => {
  const [seen, copy] = [compute(START), compute({ ...START, copied: true })];
  assert.deepEqual(copy.values, seen.values);
  assert.deepEqual(copy.strides2, [60, 20, 4, 1]);
  assert.deepEqual([copy.offset1, copy.offset2], [83, 107]);
  assert.equal(copy.storage[107], 83);
  assert.deepEqual(copy.storage.slice(0, 6), [0, 1, 2, 3, 12, 13]);
  assert.deepEqual([copy.shared, copy.contiguous2], [false, true]);
});

test("a contiguous tensor is not copied", () => {
  for (const one of [{ H: 1 }, { L: 1 }]) assert.equal(compute({ ...START, ...one, copied: true }).shared, true);
});

test("an index outside the sizes is moved inside", () => {
  assert.deepEqual(indexInside({ ...START, H: 2, L: 1 }), { B: 1, H: 1, L: 0, D: 3 });
  const first = { B: 0, H: 0, L: 0, D: 0 };
  for (const index of [undefined, null, {}, "x", [9.5, -1, "2"]]) assert.deepEqual(indexInside({ ...START, index }), first);
});

test("every position leads to the number that is stored there, in every memory", () => {
  for (const H of [1, 3])
    for (const L of [1, 5])
      for (const D of [1, 4])
        for (const copied of [false, true]) {
          const sizes = { B: 2, H, L, D };
          const { strides1, strides2 } = compute({ ...sizes, copied, index: [0, 0, 0, 0] });
          for (let place = 0; place < 2 * H * L * D; place++) {
            assert.equal(placeOf(AXES.BLHD, strides1, indexAt(sizes, AXES.BLHD, strides1, place)), place);
            assert.equal(placeOf(AXES.BHLD, strides2, indexAt(sizes, AXES.BHLD, strides2, place)), place);
          }
        }
});

test("a matrix has a piece for each token, a row of x is one piece", () => {
  const table = marks(SIZES, AXES.BLHD, [60, 12, 4, 1], AT, [..."BH"]);
  assert.deepEqual(runsOf(table.chosen), [
    [68, 4],
    [80, 4],
    [92, 4],
    [104, 4],
    [116, 4],
  ]);
  assert.equal(scattered(table.chosen), "20 numbers in 5 pieces of 4, each 12 places after the one before");
  assert.equal(scattered(marks(SIZES, AXES.BLHD, [60, 12, 4, 1], AT, [..."BL"]).chosen), "12 numbers in one piece");
  assert.equal(scattered(marks(SIZES, AXES.BHLD, [60, 20, 4, 1], AT, [..."BH"]).chosen), "20 numbers in one piece");
  assert.deepEqual(table.heads.slice(0, 13), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0]);
});

test("the chosen numbers have an expression in both orders", () => {
  const expressions = (fixed) => ORDERS.map((order) => expression(order, AT, [...fixed]));
  assert.deepEqual(expressions(""), ["x", "y"]);
  assert.deepEqual(expressions("BH"), ["x[1, :, 2]", "y[1, 2]"]);
  assert.deepEqual(expressions("BL"), ["x[1, 1]", "y[1, :, 1]"]);
  assert.deepEqual(expressions("BHLD"), ["x[1, 1, 2, 3]", "y[1, 2, 1, 3]"]);
});

test("the places in reading order jump where a strip ends", () => {
  assert.deepEqual(firstPlaces(SIZES, AXES.BHLD, [60, 4, 12, 1], 7), [0, 1, 2, 3, 12, 13, 14]);
  assert.deepEqual(firstPlaces({ B: 1, H: 1, L: 1, D: 2 }, AXES.BHLD, [2, 2, 2, 1], 7), [0, 1]);
});

test("a sentence states where a number is stored", () => {
  const chosen = ORDERS.map(
    ({ axes }, n) =>
      marks(
        SIZES,
        axes,
        [
          [60, 12, 4, 1],
          [60, 4, 12, 1],
        ][n],
        AT,
        axes,
      ).chosen,
  );
  const words = describe({ depth: 4, order: 2, at: AT }, compute(START), 83, chosen);
  assert.equal(words.join(": "), "sample 1, head 2, token 1, number 3: value 83 at place 83 of memory");
});

test("a sentence names the sizes that coincide and the mistakes that they hide", () => {
  const about = (sizes) => coincidences({ ...SIZES, copied: false, ...sizes }).join(" ");
  assert.equal(about({}), "");
  assert.match(about({ L: 3 }), /L = H = 3: both orders have the same shape/);
  assert.match(about({ H: 1 }), /H = 1: .* the exchange changes nothing/);
  assert.match(about({ L: 1 }), /L = 1: .* nothing is regrouped/);
  assert.match(about({ L: 1, copied: true }), /copies nothing/);
  assert.match(about({ H: 2 }), /B = H = 2: .* y keeps its shape/);
});

test("the window onto memory contains the position, begins with a token, and stays while the position moves inside it", () => {
  for (const [unit, room, N] of [
    [12, 26, 120],
    [24, 10, 576],
    [4, 26, 120],
    [1, 20, 7],
  ])
    for (let place = 0; place < N; place++) {
      const [from, to] = windowAt(place, unit, room, N);
      assert.ok(from <= place && place < to && to - from === Math.min(room, N) && (unit > room || from % unit === 0 || to === N));
    }
  assert.deepEqual(
    [windowAt(72, 12, 26, 120), windowAt(95, 12, 26, 120)],
    [
      [72, 98],
      [72, 98],
    ],
  );
});
