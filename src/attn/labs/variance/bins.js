// Numbers sorted into bins, and the axis that they are drawn on.

import { average } from "./draws.js";

/**
 * Bins of equal width: the first one begins at `first`. Bars that are divided by c keep their counts: they begin at first/c and are
 * step/c wide.
 *
 * @typedef {{ first: number, step: number, counts: Float64Array, most: number, mean: number, spread: number }} Bins spread: the
 *   standard deviation of the numbers
 */

/** How far the axis reaches to both sides of 0: one of these. The first has room for D = 512, so that every D is on the same axis. */
const REACHES = [90, 270, 760, 2200, 6200, 17500];
export const SPREADS = 3.9; // standard deviations on each side of the mean that the axis has room for

/**
 * How far an axis reaches that has room for scores of this mean and variance.
 *
 * @param {{ mean: number, variance: number }} expected
 */
export function reachOf({ mean, variance }) {
  const needed = Math.abs(mean) + SPREADS * Math.sqrt(variance);
  return REACHES.find((reach) => reach >= needed) ?? needed;
}

/**
 * Sort numbers into bins that are about a quarter of their standard deviation wide; one of them is centred at 0.
 *
 * @param {ArrayLike<number>} numbers
 * @param {boolean} [isExact] false while the numbers move: see `latticeOf`
 * @returns {Bins}
 */
export function binsOf(numbers, isExact = true) {
  const mean = average(numbers);
  let [squares, least, most] = [0, numbers[0], numbers[0]];
  for (let n = 0; n < numbers.length; n++) {
    squares += (numbers[n] - mean) ** 2;
    least = Math.min(least, numbers[n]);
    most = Math.max(most, numbers[n]);
  }
  const spread = Math.sqrt(squares / numbers.length);
  const wanted = spread > 1e-9 * Math.abs(mean) ? spread / 4 : Math.max(0.25, Math.abs(mean) / 50);
  const { step, edge } = (isExact && latticeOf(numbers, wanted)) || { step: wanted, edge: -wanted / 2 };
  const first = edge + step * Math.floor((least - edge) / step);
  const counts = new Float64Array(1 + Math.floor((most - first) / step));
  for (let n = 0; n < numbers.length; n++) counts[Math.min(counts.length - 1, Math.floor((numbers[n] - first) / step))]++;
  return { first, step, counts, most: counts.reduce((a, b) => Math.max(a, b)), mean, spread };
}

/**
 * How many of the numbers are in bins that an axis of this reach has no room for, on its left and on its right.
 *
 * @param {Bins} bins
 * @param {number} reach
 */
export function outsideOf({ first, step, counts }, reach) {
  return [-1, 1].map((side) =>
    counts.reduce((sum, count, n) => (side * (first + (n + 0.5) * step) > reach ? sum + count : sum), 0),
  );
}

/**
 * If all numbers are multiples of one gap, as sums of coins are, a bin is a whole number of gaps wide, with its edges between the
 * numbers: otherwise some bins would hold more of the possible numbers than others. Null if the numbers are not so.
 *
 * @param {ArrayLike<number>} numbers
 * @param {number} wanted the width of the bins
 */
function latticeOf(numbers, wanted) {
  const different = new Set();
  for (let n = 0; n < numbers.length && different.size < 200; n++) different.add(Math.round(numbers[n] * 1e4) / 1e4);
  if (different.size < 2 || different.size >= 200) return null;
  const sorted = [...different].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((value, n) => value - sorted[n]);
  const gap = Math.min(...gaps);
  if (gaps.some((one) => Math.abs(one / gap - Math.round(one / gap)) > 0.02)) return null;
  const step = gap * Math.max(1, Math.round(wanted / gap));
  const between = sorted[0] - gap / 2;
  return { step, edge: between + gap * Math.round((-step / 2 - between) / gap) };
}

/**
 * Round numbers between -reach and reach, at least two on each side of 0.
 *
 * @param {number} reach
 */
export function ticksOf(reach) {
  const power = 10 ** Math.floor(Math.log10(reach / 2));
  const step = power * (10 * power <= reach ? 5 : 4 * power <= reach ? 2 : 1);
  const count = Math.floor(reach / step + 1e-9);
  return Array.from({ length: 2 * count + 1 }, (_, n) => (n - count) * step);
}
