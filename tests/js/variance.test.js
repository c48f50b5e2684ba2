import assert from "node:assert/strict";
import { test } from "node:test";
import { pick } from "../../src/attn/labs/kit/inputs.js";
import { range } from "../../src/attn/labs/kit/math.js";
import { softmax } from "../../src/attn/labs/kit/tensor.js";
import { sumsOf, VALUES } from "../../src/attn/labs/variance/draws.js";
import { histogramOf, ticksOf } from "../../src/attn/labs/variance/histogram.js";
import { compute, jacobianNorm, law } from "../../src/attn/labs/variance/model.js";
import { brief, describeAssumptions, withError } from "../../src/attn/labs/variance/words.js";

const START = { D: 64, divide_by: "√D", numbers: "normal", mean: 0, std: 1, correlation: 0, seed: 4 };
const close = (a, b, off = 1e-9) => assert.ok(Math.abs(a - b) <= off, `${a} is not ${b}`);

test("a picked number depends only on its position, the seed and the name", () => {
  const [long, short, other, named] = [20, 7, 20, 20].map((length) => new Float64Array(length));
  pick(1, "k", 5, VALUES.uniform, long);
  pick(1, "k", 5, VALUES.uniform, short);
  pick(2, "k", 5, VALUES.uniform, other);
  pick(1, "q", 5, VALUES.uniform, named);
  assert.deepEqual(long.slice(0, 7), short);
  assert.notDeepEqual(long, other);
  assert.notDeepEqual(long, named);
});

test("every kind of number has mean 0 and variance 1", () => {
  for (const values of Object.values(VALUES)) {
    close(values.reduce((sum, value) => sum + value, 0) / values.length, 0);
    close(values.reduce((sum, value) => sum + value ** 2, 0) / values.length, 1);
    assert.equal(Math.log2(values.length) % 1, 0);
  }
});

test("the norm of the Jacobian is its largest eigenvalue, at most 1/2, which two equal weights reach", () => {
  close(jacobianNorm([0.5, 0.5, 0, 0]), 0.5);
  close(jacobianNorm([0.3, 0.7]), 2 * 0.3 * 0.7);
  close(jacobianNorm(new Array(16).fill(1 / 16)), 1 / 16);
  close(jacobianNorm([1, 0, 0]), 0);
  const scores = new Float64Array(16 * 60);
  pick(0, "s", 0, VALUES.normal, scores);
  const weights = softmax(
    scores.map((score) => 4 * score),
    16,
    new Float64Array(scores.length),
  );
  for (let row = 0; row < 60; row++) {
    const p = weights.subarray(16 * row, 16 * row + 16);
    let v = Array.from(p, (_, n) => Math.sin(n + 1)); // power iteration
    let length = 0;
    for (let n = 0; n < 4000; n++) {
      const along = p.reduce((sum, weight, j) => sum + weight * v[j], 0);
      v = v.map((value, j) => p[j] * (value - along));
      length = Math.hypot(...v);
      v = v.map((value) => value / length);
    }
    close(jacobianNorm(p), length, 1e-5);
    assert.ok(jacobianNorm(p) < 0.5);
  }
});

test("changing mean, standard deviation and correlation keeps the random numbers", () => {
  const first = compute(START).scores;
  compute({ ...START, mean: 1, std: 2, correlation: -0.3 });
  assert.deepEqual(compute(START).scores, first);
  assert.notDeepEqual(compute({ ...START, seed: 5 }).scores, first);
  assert.notDeepEqual(compute({ ...START, numbers: "uniform" }).scores, first);
});

test("sums that continue from a smaller D equal sums that are computed at once", () => {
  const settings = { numbers: "normal", seed: 11 };
  const atOnce = sumsOf({ ...settings, D: 96 });
  sumsOf({ ...settings, seed: 12, D: 1 }); // discards the sums of seed 11
  for (const D of [64, 2, 80, 5]) sumsOf({ ...settings, D });
  assert.deepEqual(sumsOf({ ...settings, D: 96 }), atOnce);
  assert.notEqual(sumsOf({ ...settings, D: 96 }), atOnce);
});

test("the law covers the case of the sources and those with one assumption broken", () => {
  const lawOf = (changes) => law({ ...START, ...changes });
  assert.deepEqual(lawOf({}), { mean: 0, variance: 64 });
  assert.deepEqual(lawOf({ mean: 1 }), { mean: 64, variance: 192 });
  assert.deepEqual(lawOf({ std: 2 }), { mean: 0, variance: 1024 });
  close(lawOf({ numbers: "coin", correlation: 1 }).variance, 0); // q = k: every product is 1
  close(lawOf({ correlation: 0.5 }).variance / 64, 1.25);
  close(lawOf({ correlation: 1 }).variance / 64, 2);
  close(lawOf({ correlation: -1, mean: 1 }).variance / 64, 2);
  close(lawOf({ correlation: 1, numbers: "exponential" }).variance / 64, 8);
});

test("the bars of a histogram include every number inside the window, and the others are counted", () => {
  const numbers = [-3, -0.2, -0.1, 0, 0.1, 0.15, 0.2, 1, 1.05, 9];
  const { bars, curve, outside } = histogramOf(numbers, { variance: 1, reach: 4, width: 800, height: 100 });
  assert.equal(outside, 0.1);
  const steps = [...bars.matchAll(/H([\d.]+)V([\d.]+)/g)].map((match) => [Number(match[1]), 100 - Number(match[2])]);
  const area = steps.slice(0, -1).reduce((sum, [x, y], n) => sum + y * (steps[n + 1][0] - x), 0);
  const tallest = Math.max(...steps.map(([, y]) => y));
  close(area / 25 / tallest, 9 / 3, 0.1); // 9 numbers, 3 of them in the highest bin; a bin is 25 wide
  close(tallest, 100 / 1.06, 0.1);
  assert.match(curve, /^M0\.0 /);
});

test("every bin contains equally many of the values that sums of coins can have", () => {
  for (const [numbers, variance, bins] of [
    [[-1, 1], 1, 2],
    [range(33).map((n) => 2 * n - 32), 32, 33],
  ]) {
    const { bars } = histogramOf(numbers, { variance, reach: 34, width: 680, height: 100 });
    const tops = [...bars.matchAll(/V([\d.]+)/g)].map((match) => Number(match[1])).filter((y) => y < 99.9);
    assert.equal(tops.length, bins);
    assert.equal(new Set(tops).size, 1, "all equally frequent");
  }
});

test("ticks are round numbers inside the window", () => {
  assert.deepEqual(ticksOf(6), [-6, -4, -2, 0, 2, 4, 6]);
  assert.deepEqual(ticksOf(90.5), [-80, -60, -40, -20, 0, 20, 40, 60, 80]);
});

test("numbers are written with about three digits, and an error with two", () => {
  assert.deepEqual([512.4, 64, 1.0000000000000002, 0.0314, 0.00060307, -3.1459].map(brief), [
    "512",
    "64",
    "1",
    "0.031",
    "6.0·10⁻⁴",
    "−3.15",
  ]);
  assert.equal(brief(0), "0");
  assert.equal(withError(525.19, 15.45), "525 ± 15");
  assert.equal(withError(64.27, 2.134), "64.3 ± 2.1");
  assert.equal(withError(1.0049, 0.0333), "1.005 ± 0.033");
  assert.equal(withError(1, 0), "1.000 ± 0.000");
  assert.equal(withError(0.00203, 0.000061), "0.002030 ± 0.000061");
});

test("the note names the broken assumptions and what the law predicts then", () => {
  assert.match(describeAssumptions(START), /^All assumptions hold/);
  assert.equal(
    describeAssumptions({ ...START, mean: 1 }),
    "The mean is not 0: the law says mean 64, variance 192 instead of 0 and 64.",
  );
  assert.match(
    describeAssumptions({ ...START, std: 2, correlation: 0.9 }),
    /^The standard deviation is not 1 and queries and keys are not independent: .* and 64\.$/,
  );
  for (const correlation of [1, -1])
    assert.match(
      describeAssumptions({ ...START, correlation }),
      /variance 128 instead of 0 and 64\. All 16 keys of a query are the same: nothing to choose\.$/,
    );
});
