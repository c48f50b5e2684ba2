// How many decimals numbers are printed with, so that a reader who computes with the printed numbers gets the printed results.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";

/** @type {(value: number, decimals: number) => number} */
const rounded = (value, decimals) => Number(value.toFixed(decimals));
/** @type {(a: number, b: number, decimals: number) => boolean} */
const sameText = (a, b, decimals) => number(a, decimals) === number(b, decimals);

/**
 * The first of these choices that holds, or the last.
 *
 * @param {readonly (readonly number[])[]} choices
 * @param {(choice: readonly number[]) => boolean} holds
 */
function firstThat(choices, holds) {
  return choices.find(holds) ?? choices[choices.length - 1];
}

const OF_PRODUCT = range(3).flatMap((more) => [
  [2 + more, 2, 2],
  [2 + more, 2, 1],
  [2 + more, 3, 2],
  [2 + more, 3, 1],
]);

/**
 * The pairs of numbers, their products and the sum as they are printed. `exact`: the printed numbers reproduce each other.
 *
 * @param {readonly number[][]} pairs
 * @param {number} sum
 */
export function chainOfProduct(pairs, sum) {
  /** @type {(choice: readonly number[]) => boolean} */
  const holds = ([f, p, s]) =>
    pairs.every(([a, b]) => sameText(rounded(a, f) * rounded(b, f), a * b, p)) &&
    sameText(
      pairs.reduce((all, [a, b]) => all + rounded(a * b, p), 0),
      sum,
      s,
    );
  const [f, p, s] = firstThat(OF_PRODUCT, holds);
  return {
    pairs: pairs.map(([a, b]) => [number(a, f), number(b, f)]),
    products: pairs.map(([a, b]) => number(a * b, p)),
    sum: number(sum, s),
    exact: holds([f, p, s]),
  };
}

const OF_ROW = [1, 2, 3].flatMap((s) => [2, 1].flatMap((c) => [2, 1].map((w) => [s, c, w])));

/**
 * A row of scores, divided, raised to powers and divided by their sum, as it is printed.
 *
 * @param {readonly number[]} scores
 * @param {number} divisor
 */
export function chainOfRow(scores, divisor) {
  const scaled = scores.map((score) => score / divisor);
  const powers = scaled.map(Math.exp);
  const sum = powers.reduce((all, one) => all + one, 0);
  /** @type {(choice: readonly number[]) => boolean} */
  const holds = ([s, c, w]) =>
    scores.every((score) => Math.abs(rounded(score, s) / divisor - rounded(score / divisor, c)) < 0.5001 / 10 ** c) &&
    powers.every((power) => sameText(rounded(power, 1) / rounded(sum, 1), power / sum, w));
  const [s, c, w] = firstThat(OF_ROW, holds);
  return {
    scores: scores.map((score) => number(score, s)),
    scaled: scaled.map((score) => number(score, c)),
    powers: powers.map((power) => number(power, 1)),
    sum: number(sum, 1),
    weights: powers.map((power) => number(power / sum, w)),
    exact: holds([s, c, w]),
  };
}
