import assert from "node:assert/strict";
import { test } from "node:test";
import { clamp, divisors, fromFloat16, half, product, range, roundToFloat16 } from "../../src/attn/labs/kit/math.js";

test("half precision rounds to the nearest number, ties to even, and beyond 65504 to infinity", () => {
  const wanted = [
    [1, 1],
    [1.0004, 1],
    [1.0005, 1.0009765625],
    [1 + 2 ** -11, 1],
    [1 + 3 * 2 ** -11, 1 + 2 ** -9],
    [-2049, -2048],
    [2051, 2052],
    [65504, 65504],
    [65519.9, 65504],
    [65520, Infinity],
    [-1e9, -Infinity],
    [-1e4, -10000],
    [2 ** -24, 2 ** -24],
    [2 ** -25, 0],
    [2 ** -25 * 1.001, 2 ** -24],
    [0.1, 0.0999755859375],
    [-Infinity, -Infinity],
    [0, 0],
  ];
  for (const round of [half, roundToFloat16]) {
    for (const [number, want] of wanted) assert.equal(round(number), want, String(number));
    assert.ok(Number.isNaN(round(NaN)));
  }
});

test("every number of float16 keeps its value, and other numbers are rounded to the nearest one, ties to even", () => {
  const numbers = fromFloat16(Uint16Array.from(range(0x7c00))); // all that are finite and not negative
  assert.deepEqual([...numbers.subarray(0, 2), numbers[0x3c00], numbers.at(-1)], [0, 2 ** -24, 1, 65504]);
  for (const [bits, value] of [
    [0x8001, -(2 ** -24)],
    [0xc000, -2],
    [0x7c00, Infinity],
    [0xfc00, -Infinity],
    [0x7e00, NaN],
  ])
    assert.ok(Object.is(fromFloat16(Uint16Array.of(bits))[0], value), String(value));
  for (const round of [half, roundToFloat16])
    for (let n = 0; n + 1 < numbers.length; n++) {
      const [low, high] = [numbers[n], numbers[n + 1]];
      assert.equal(round(low), low);
      assert.equal(round(-low), -low);
      assert.equal(round((low + high) / 2), n % 2 ? high : low);
      assert.equal(round(low + 0.4 * (high - low)), low);
      assert.equal(round(low + 0.6 * (high - low)), high);
    }
});

test("divisors, products and limits", () => {
  assert.deepEqual(divisors(12), [1, 2, 3, 4, 6, 12]);
  assert.deepEqual([product([2, 3, 5]), product([])], [30, 1]);
  assert.deepEqual([clamp(-2, 0, 3), clamp(2, 0, 3), clamp(9, 0, 3)], [0, 2, 3]);
});
