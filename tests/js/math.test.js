import assert from "node:assert/strict";
import { test } from "node:test";
import { half, roundToFloat16 } from "../../src/attn/labs/kit/math.js";

test("half precision: rounded to the nearest, ties to even, beyond 65504 infinite", () => {
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
    for (const [given, want] of wanted) assert.equal(round(given), want, String(given));
    assert.ok(Number.isNaN(round(NaN)));
  }
});
