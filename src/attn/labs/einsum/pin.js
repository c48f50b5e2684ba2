// What belongs to a pinned number: what a result is made of, or which results a number of an operand goes into.

import { product, range } from "../kit/math.js";
import { shapeOf, summedLetters } from "./formula.js";
import { indexOf, stepsOf } from "./model.js";

/** @typedef {import("./formula.js").Formula} Formula */
/** @typedef {import("./formula.js").Sizes} Sizes */

/**
 * @typedef {object} Trace
 * @property {number} side the tensor of the pinned number: 0 left, 1 right, 2 result
 * @property {number} n the pinned number
 * @property {Record<string, number>} fixed the index of each loop that the pin fixes
 * @property {(number[] | null)[]} cells for left, right and result the numbers that belong to the pin; null without a tensor
 * @property {boolean} used false for a number that no term uses
 */

/**
 * The axes of left, right and result; null for right if the formula has one tensor.
 *
 * @param {Formula} formula
 * @returns {(string | null)[]}
 */
export function axesOf({ tensors, result }) {
  return [tensors[0], tensors[1] ?? null, result];
}

/** The letters that are added up across several matrices of a tensor. @param {Formula} formula */
export const acrossOf = (formula) =>
  [...summedLetters(formula)].filter((letter) => formula.tensors.some((own) => own.slice(0, -2).includes(letter))).join("");

/**
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {number[] | null} pin [side, number]
 * @returns {Trace | null} null if the formula does not have this number
 */
export function tracePin(formula, sizes, pin) {
  if (!pin) return null;
  const [side, n] = pin;
  const axes = axesOf(formula);
  const pinned = axes[side] ?? null;
  if (pinned === null || n >= product(shapeOf(pinned, sizes))) return null;
  const fixed = fixedIndices(pinned, n, sizes);
  const cells = axes.map((own, at) => {
    if (own === null) return null;
    if (at === side) return [n];
    return fixed ? matching(own, fixed, sizes) : [];
  });
  return { side, n, fixed: fixed ?? {}, cells, used: fixed !== null };
}

/**
 * The terms that result number n is the sum of.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {number} n
 * @param {number} most how many terms to list
 * @returns {{ count: number, terms: number[][] }} the number of terms; for each listed one the number of each operand
 */
export function termsOf(formula, sizes, n, most) {
  const fixed = fixedIndices(formula.result, n, sizes);
  const summed = summedLetters(formula);
  const shape = shapeOf(summed, sizes);
  const count = product(shape);
  const terms = range(Math.min(count, most)).map((term) => {
    const indices = { ...fixed };
    indexOf(term, shape).forEach((index, place) => {
      indices[summed[place]] = index;
    });
    return formula.tensors.map((axes) => matching(axes, indices, sizes)[0]);
  });
  return { count, terms };
}

/**
 * The numbers of the other operand that number `at` of operand `side` is multiplied with, where that goes into result n.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {number} side
 * @param {number} at
 * @param {number} n
 */
export function partnersOf({ tensors, result }, sizes, side, at, n) {
  const fixed = { ...fixedIndices(tensors[side], at, sizes), ...fixedIndices(result, n, sizes) };
  return matching(tensors[1 - side] ?? "", fixed, sizes);
}

// The indices of number n of a tensor by letter, { b: 1, l: 0 }; null if a letter would need two different indices.
function fixedIndices(axes, n, sizes) {
  const index = indexOf(n, shapeOf(axes, sizes));
  const fixed = {};
  for (const [place, letter] of [...axes].entries()) {
    if ((fixed[letter] ?? index[place]) !== index[place]) return null;
    fixed[letter] = index[place];
  }
  return fixed;
}

// The numbers of a tensor whose indices agree with `fixed`, in ascending order.
function matching(axes, fixed, sizes) {
  const letters = [...new Set(axes)];
  const steps = stepsOf(letters, axes, sizes);
  let places = [0];
  letters.forEach((letter, n) => {
    const indices = letter in fixed ? [fixed[letter]] : range(sizes[letter.toUpperCase()]);
    places = places.flatMap((from) => indices.map((index) => from + index * steps[n]));
  });
  return places.sort((a, b) => a - b);
}
