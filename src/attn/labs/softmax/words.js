// What SoftmaxLab says about the naive program, and how it writes its numbers.

import { number } from "../kit/format.js";

/**
 * What becomes of the naive program on one line: a sign and a sentence.
 *
 * @param {number[]} terms
 * @param {number} sum
 * @param {number[]} weights
 * @param {number[]} right the weights of the program that subtracts the maximum
 * @returns {[sign: string, sentence: string]}
 */
export function verdict(terms, sum, weights, right) {
  if (terms.includes(Infinity)) return ["✗", "A term is ∞, and ∞ / ∞ is not a number."];
  if (sum === Infinity) return ["✗", "No term is ∞, but their sum is: every weight is 0."];
  if (sum === 0) return ["✗", "Every term is 0, and 0 / 0 is not a number."];
  const off = Math.max(...weights.map((weight, n) => Math.abs(weight - right[n])));
  if (off > 0.0005) return ["⚠", `Terms near 0 have few digits: a weight is off by ${off.toFixed(3)}.`];
  return ["✓", "Nothing has overflowed."];
}

/**
 * A term or a sum in few characters: four digits, and a power of ten instead of many zeros.
 *
 * @param {number} x
 */
export function brief(x) {
  if (!Number.isFinite(x)) return number(x);
  const size = Math.abs(x);
  const withPower = x !== 0 && (size < 0.001 || size >= 10000);
  return (withPower ? x.toExponential(1).replace("e+", "e") : String(Number(x.toPrecision(4)))).replaceAll("-", "−");
}
