import assert from "node:assert/strict";
import { test } from "node:test";
import { normal, wordsOf } from "../../src/attn/labs/kit/inputs.js";
import { range } from "../../src/attn/labs/kit/math.js";

test("numbers depend on seed, name, row and column, and on nothing else", () => {
  const all = normal(3, "W_Q", range(7), 5);
  assert.deepEqual([...normal(3, "W_Q", [6, 2], 5)], [...all.subarray(30), ...all.subarray(10, 15)]);
  assert.deepEqual([...normal(3, "W_Q", [0], 3)], [...all.subarray(0, 3)]);
  for (const other of [normal(4, "W_Q", range(7), 5), normal(3, "W_K", range(7), 5)])
    assert.ok(other.every((value, n) => value !== all[n]));
});

test("they look normally distributed: mean 0, variance 1, uncorrelated neighbours", () => {
  const x = normal(0, "word", range(200), 200);
  const mean = x.reduce((a, b) => a + b) / x.length;
  const second = (shift) => x.subarray(shift).reduce((sum, value, n) => sum + value * x[n], 0) / x.length;
  assert.ok(Math.abs(mean) < 0.02, mean);
  assert.ok(Math.abs(second(0) - 1) < 0.03, second(0));
  for (const shift of [1, 2, 200]) assert.ok(Math.abs(second(shift)) < 0.02, `${shift}: ${second(shift)}`);
});

test("a word has the same number in every text, from the order in which the words first appear", () => {
  const read = wordsOf(["the cat saw the dog", "a dog"]);
  assert.deepEqual(read.words[1], ["a", "dog"]);
  assert.deepEqual(read.numbers, [
    [0, 1, 2, 0, 3],
    [4, 3],
  ]);
});
