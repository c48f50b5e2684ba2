// What softmax makes of scores on their way from one table to another, one thing after the other: the scores, the scale of their
// exponentials, the exponentials, the weights. Where the axis stays, the weights at every moment are the softmax of scores on their way:
// scores that rise together leave every weight in its place.

import { mix, progress } from "../kit/time.js";
import { linesOf } from "./model.js";

/** @typedef {{ settings: import("./model.js").Settings, results: Record<string, any> }} State */
/** @typedef {{ scaled: ArrayLike<number>, raised: ArrayLike<number>, weights: ArrayLike<number> }} Table raised: e to these are drawn */

/** How far the scores have come, the scale of the exponentials, the exponentials and the weights; and which of them move. @param {number} t */
export const stagesOf = (t) => ({
  scores: progress(t, 0, 0.28),
  scale: progress(t, 0.28, 0.42),
  terms: progress(t, 0.42, 0.68),
  shares: progress(t, 0.68, 1),
  moving: t < 0.28 ? "scores" : t < 0.68 ? "terms" : t < 1 ? "shares" : "",
});

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
  if (!before || t >= 1) return { scaled, raised: scaled, weights };
  /** @type {(name: "scaled" | "weights", go: number) => number[]} */
  const blend = (name, go) =>
    Array.from(after.results[name], (to, n) => {
      const from = before.results[name][n];
      return Number.isFinite(from) && Number.isFinite(to) ? mix(from, to, go) : to;
    });
  const stages = stagesOf(t);
  const way = { scaled: blend("scaled", stages.scores), raised: blend("scaled", stages.terms) };
  if (before.settings.axis !== after.settings.axis) return { ...way, weights: blend("weights", progress(t, 0, 1)) };
  const scores = blend("scaled", stages.shares);
  /** @type {number[]} */
  const shares = [];
  for (const cells of linesOf(after.settings))
    softmaxOf(cells.map((at) => scores[at])).forEach((weight, n) => {
      shares[cells[n]] = weight;
    });
  return { ...way, weights: shares };
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
 * The ends of the scale of a row of score bars, so that they rarely change: 3, 6, 12, 24, 60, 120, ... above 0, and 1, 3, 6, ... below.
 *
 * @param {number[]} scores
 * @returns {[high: number, low: number]}
 */
export function endsOfScale(scores) {
  const seen = scores.filter(Number.isFinite);
  const [high, low] = [Math.max(3, ...seen), Math.max(1, ...seen.map((score) => -score))];
  return [endOf(high), low > 1 ? endOf(low) : 1];
}

/** @param {number} most */
function endOf(most) {
  if (most <= 3) return 3;
  let end = 6;
  for (const factors = [2, 2, 2.5]; end < most; factors.push(/** @type {number} */ (factors.shift()))) end *= factors[0];
  return end;
}

/**
 * The natural logarithm of the end of the scale of e^score. It is 6, or at other sizes 1.5, 3 or 6 times a power of ten. A logarithm, since e^score may be too large to be a number.
 *
 * @param {number[]} scores
 */
export function endOfTerms(scores) {
  const most = Math.max(...scores.filter(Number.isFinite));
  if (!Number.isFinite(most) || (most > 0 && most <= Math.log(6))) return Math.log(6);
  const tens = Math.floor(most / Math.LN10 - Math.log10(1.5) - 1e-9);
  const rest = most - tens * Math.LN10;
  const factor = [1.5, 3, 6, 15].find((one) => rest <= Math.log(one)) ?? 15;
  return Math.log(factor) + tens * Math.LN10;
}
