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
 * The ends of the scale of a row of score bars, so that they rarely change: 6, 12, 24, 60, 120, ... above 0, and 2, 6, 12, ... below.
 *
 * @param {number[]} scores
 * @returns {[high: number, low: number]}
 */
export function endsOfScale(scores) {
  const seen = scores.filter(Number.isFinite);
  const [high, low] = [Math.max(6, ...seen), Math.max(2, ...seen.map((score) => -score))];
  return [endOf(high), low > 2 ? endOf(low) : 2];
}

/** @param {number} most */
function endOf(most) {
  let end = 6;
  for (const factors = [2, 2, 2.5]; end < most; factors.push(/** @type {number} */ (factors.shift()))) end *= factors[0];
  return end;
}

/**
 * The natural logarithm of the end of the scale of e^score. It is 15 as long as the bars can be seen, else 1.5, 3 or 6 times a power of
 * ten. A logarithm, since e^score may be too large to be a number.
 *
 * @param {number[]} scores
 */
export function endOfTerms(scores) {
  const most = Math.max(...scores.filter(Number.isFinite));
  if (!Number.isFinite(most) || (most > 0 && most <= Math.log(15))) return Math.log(15);
  const tens = Math.floor(most / Math.LN10 - Math.log10(1.5) - 1e-9);
  const rest = most - tens * Math.LN10;
  const factor = [1.5, 3, 6, 15].find((one) => rest <= Math.log(one)) ?? 15;
  return Math.log(factor) + tens * Math.LN10;
}
