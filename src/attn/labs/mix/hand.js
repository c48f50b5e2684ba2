// Weights by hand: pure functions of a row of weights.

import { clamp } from "../kit/math.js";

/** @param {number} x */
const round = (x) => Math.round(10000 * x) / 10000 + 0;

/** @param {number[]} weights */
const sum = (weights) => weights.reduce((a, b) => a + b, 0);

/**
 * A row whose border between weight n and the next one is moved: what one loses, the other gains.
 *
 * @param {number[]} weights of sum 1
 * @param {number} n
 * @param {number} to where the border shall be, from 0 to 1
 */
export function withBorder(weights, n, to) {
  const before = sum(weights.slice(0, n));
  const both = weights[n] + weights[n + 1];
  const first = clamp(round(to - before), 0, round(both));
  return weights.map((weight, s) => round(s === n ? first : s === n + 1 ? both - first : weight));
}

/**
 * A row of sum 1 in which one weight is new, and the others share the rest as they did before.
 *
 * @param {number[]} weights of sum 1
 * @param {number} s
 * @param {number} weight
 */
export function withWeight(weights, s, weight) {
  const next = clamp(round(weight), 0, 1);
  const others = sum(weights) - weights[s];
  return weights.map((old, n) =>
    round(n === s ? next : others > 1e-6 ? (old * (1 - next)) / others : (1 - next) / (weights.length - 1)),
  );
}

/**
 * The nearest row that a softmax could make, or comes as near to as one likes: nothing below 0, and a sum of 1.
 *
 * @param {number[]} row
 */
export function asWeights(row) {
  const kept = row.map((weight) => Math.max(0, weight));
  const total = sum(kept);
  return kept.map((weight) => round(total > 0 ? weight / total : 1 / row.length));
}

/** @param {number[]} row */
export const rounded = (row) => row.map(round);

/**
 * The borders of a bar of length 1 that are near a place: the numbers of the weights before them.
 *
 * @param {number[]} weights
 * @param {number} at
 * @param {number} grip
 */
export function bordersNear(weights, at, grip) {
  const ends = weights.slice(0, -1).map((_, n) => sum(weights.slice(0, n + 1)));
  const least = Math.min(...ends.map((end) => Math.abs(end - at)));
  return least > grip ? [] : ends.flatMap((end, n) => (Math.abs(Math.abs(end - at) - least) < 0.004 ? [n] : []));
}

/**
 * The weight at a place of a bar.
 *
 * @param {number[]} weights
 * @param {number} at
 */
export function segmentAt(weights, at) {
  let end = 0;
  const n = weights.findIndex((weight) => {
    end += weight;
    return at < end;
  });
  return n < 0 ? weights.length - 1 : n;
}
