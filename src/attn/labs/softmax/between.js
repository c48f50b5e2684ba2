// What softmax makes of scores on their way from one table to another. Where the axis stays, the weights at every moment are the softmax
// of the scores at that moment: scores that rise together leave every weight in its place.

import { mix, swing } from "../kit/time.js";
import { linesOf } from "./model.js";

/** @typedef {{ settings: import("./model.js").Settings, results: Record<string, any> }} State */
/** @typedef {{ scaled: ArrayLike<number>, weights: ArrayLike<number> }} Table */

/**
 * Scores and weights at t: those of `before` at 0, and exactly those of `after` at 1. Both have the same sizes.
 *
 * @param {State | null} before
 * @param {State} after
 * @param {number} t
 * @returns {Table}
 */
export function between(before, after, t) {
  const { scaled, weights } = after.results;
  if (!before || t >= 1) return { scaled, weights };
  const go = swing(t);
  /** @type {(from: number, to: number) => number} */
  const blend = (from, to) => (Number.isFinite(from) && Number.isFinite(to) ? mix(from, to, go) : to);
  const scores = Array.from(scaled, (to, n) => blend(before.results.scaled[n], to));
  if (before.settings.axis !== after.settings.axis)
    return { scaled: scores, weights: Array.from(weights, (to, n) => blend(before.results.weights[n], to)) };
  /** @type {number[]} */
  const shares = [];
  for (const cells of linesOf(after.settings))
    softmaxOf(cells.map((at) => scores[at])).forEach((weight, n) => {
      shares[cells[n]] = weight;
    });
  return { scaled: scores, weights: shares };
}

/**
 * The weights of a line of scores.
 *
 * @param {number[]} line
 */
export function softmaxOf(line) {
  const most = Math.max(...line);
  const terms = line.map((score) => Math.exp(score - most));
  const sum = terms.reduce((a, b) => a + b);
  return terms.map((term) => term / sum);
}

/**
 * The end of the scale of a row of score bars: 6, 12, 24, 60, 120, ..., so that it rarely changes.
 *
 * @param {number[]} scores
 */
export function endOfScale(scores) {
  const most = Math.max(6, ...scores.map(Math.abs).filter(Number.isFinite));
  let end = 6;
  for (const factors = [2, 2, 2.5]; end < most; factors.push(/** @type {number} */ (factors.shift()))) end *= factors[0];
  return end;
}
