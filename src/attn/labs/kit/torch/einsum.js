// einsum as PyTorch computes it: every operand gets all axes in one order, then one operand after the other is multiplied in by bmm.
// So the strides of the result, the hidden copies and the messages are PyTorch's.

import { raise } from "../python/values.js";
import { int64 } from "./dtype.js";
import { elementwise, resultType } from "./iterator.js";
import { binary } from "./kernels.js";
import { countOf } from "./layout.js";
import { bmm } from "./products.js";
import { reduce, sum } from "./reduce.js";
import { viewOf } from "./tensor.js";
import { reordered, reshape, unsqueeze, view } from "./views.js";
import { diagonal, movedim } from "./windows.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */

const DOTS = "...";

/** @param {string} message @returns {never} */
const fail = (message) => raise("RuntimeError", `einsum(): ${message}`);

/**
 * The letters of a term, with "..." as one of them.
 *
 * @param {string} term
 * @param {string} where
 * @param {(index: number) => string} wrong what torch says of a character that is not a letter
 */
function termLetters(term, where, wrong) {
  const letters = [];
  for (let n = 0; n < term.length; n++) {
    if (term[n] === " ") continue;
    if (term[n] === ".") {
      if (!term.startsWith(DOTS, n)) fail(`found '.' ${where} that is not part of any ellipsis`);
      if (letters.includes(DOTS)) fail(`found '.' ${where} for which an ellipsis was already found`);
      letters.push(DOTS);
      n += 2;
    } else if (/[a-zA-Z]/.test(term[n])) letters.push(term[n]);
    else fail(wrong(n));
  }
  return letters;
}

/**
 * @param {string} equation
 * @param {Tensor[]} operands
 */
function parseEquation(equation, operands) {
  const arrow = equation.indexOf("->");
  const left = arrow < 0 ? equation : equation.slice(0, arrow);
  const invalid = (/** @type {number} */ at) =>
    `invalid subscript given at index ${at} in the equation string, subscripts must be in [a-zA-Z]`;
  let start = 0;
  const terms = left.split(",");
  const inputs = terms.map((term, n) => {
    if (n >= operands.length) return fail("more operands were provided than specified in the equation".replace("more", "fewer"));
    const from = start;
    start += term.length + 1;
    return termLetters(term, `for operand ${n}`, (at) => invalid(from + at));
  });
  if (inputs.length < operands.length) fail("more operands were provided than specified in the equation");
  const output = arrow < 0 ? null : termLetters(equation.slice(arrow + 2), "for the output", (at) => invalid(arrow + 2 + at));
  return { inputs, output };
}

/**
 * @param {string[][]} inputs
 * @param {Tensor[]} operands
 */
function ellipsisSize(inputs, operands) {
  let size = 0;
  for (const [n, letters] of inputs.entries()) {
    const { ndim } = operands[n];
    const named = letters.filter((letter) => letter !== DOTS).length;
    const counts = `the number of subscripts in the equation (${named})`;
    const axes = `the number of dimensions (${ndim}) for operand ${n}`;
    if (letters.includes(DOTS)) {
      if (named > ndim) fail(`${counts} is more than ${axes}`);
      size = Math.max(size, ndim - named);
    } else if (named !== ndim) fail(`${counts} does not match ${axes} and no ellipsis was given`);
  }
  return size;
}

/**
 * The place of each letter among all axes: those of the result first, then those that are summed.
 *
 * @param {string[][]} inputs
 * @param {string[] | null} output
 * @param {number} dots how many axes an ellipsis stands for
 */
function placesOf(inputs, output, dots) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const letter of inputs.flat()) if (letter !== DOTS) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const sorted = [...counts.keys()].sort();
  const hasDots = inputs.some((letters) => letters.includes(DOTS));
  const result = output ?? [...(hasDots ? [DOTS] : []), ...sorted.filter((letter) => counts.get(letter) === 1)];
  /** @type {Map<string, number>} */
  const place = new Map();
  let next = 0;
  for (const letter of result) {
    if (letter !== DOTS) {
      if (place.has(letter)) fail(`output subscript ${letter} appears more than once in the output`);
      if (!counts.has(letter)) fail(`output subscript ${letter} does not appear in the equation for any input operand`);
    }
    place.set(letter, next);
    next += letter === DOTS ? dots : 1;
  }
  const kept = next;
  if (hasDots && !place.has(DOTS)) {
    place.set(DOTS, next);
    next += dots;
  }
  for (const letter of sorted) if (!place.has(letter)) place.set(letter, next++);
  return { place, kept, all: next };
}

/**
 * An operand with all axes in their places; axes that it lacks have size 1. A letter that it has twice becomes the diagonal.
 *
 * @param {Tensor} operand
 * @param {string[]} letters
 * @param {{ place: Map<string, number>, all: number }} axes
 * @param {number} dots
 * @param {number} n
 */
function arranged(operand, letters, { place, all }, dots, n) {
  let x = operand;
  /** @type {number[]} */
  const order = new Array(all).fill(-1);
  let axis = 0;
  const own = new Map();
  for (const letter of letters) {
    const at = /** @type {number} */ (place.get(letter));
    if (letter === DOTS) {
      const many = operand.ndim - (letters.length - 1);
      for (let k = dots - many; k < dots; k++) order[at + k] = axis++;
    } else if (order[at] < 0) {
      own.set(letter, axis);
      order[at] = axis++;
    } else {
      const first = own.get(letter);
      if (x.shape[first] !== x.shape[axis]) {
        const sizes = `${x.shape[axis]} != ${x.shape[first]}`;
        fail(`subscript ${letter} is repeated for operand ${n} but the sizes don't match, ${sizes}`);
      }
      x = movedim(diagonal(x, 0, first, axis), [-1], [first]);
    }
  }
  for (let k = 0; k < all; k++) {
    if (order[k] >= 0) continue;
    order[k] = axis++;
    x = unsqueeze(x, x.ndim);
  }
  return reordered(x, order);
}

/**
 * @param {string} equation
 * @param {Tensor[]} operands
 */
export function einsum(equation, operands) {
  if (!operands.length) fail("must provide at least one operand");
  const { inputs, output } = parseEquation(equation, operands);
  const dots = ellipsisSize(inputs, operands);
  const axes = placesOf(inputs, output, dots);
  const ready = operands.map((operand, n) => arranged(operand, inputs[n], axes, dots, n));
  const counts = checkSizes(ready, axes, inputs, operands);
  let result = ready[0];
  for (const next of ready.slice(1)) {
    const both = [];
    const alone = /** @type {[number[], number[]]} */ ([[], []]);
    for (let axis = axes.kept; axis < axes.all; axis++) {
      const [a, b] = [result.shape[axis] !== 1, next.shape[axis] !== 1];
      if (a && b) {
        if (--counts[axis] === 1) {
          both.push(axis);
          counts[axis] = 0;
        }
      } else if (counts[axis] === 1 && (a || b)) {
        alone[a ? 0 : 1].push(axis);
        counts[axis] = 0;
      }
    }
    const [left, right] = [result, next].map((x, k) =>
      alone[k].length ? reduce(x, alone[k], true, x.dtype.isFloat ? x.dtype : int64, sum) : x,
    );
    result = sumOfProducts(left, right, both, both.length === axes.all - axes.kept);
  }
  if (axes.all === axes.kept) return result;
  const summed = Array.from({ length: axes.all - axes.kept }, (_, k) => axes.kept + k);
  if (operands.length > 1) return viewOf(result, result.shape.slice(0, axes.kept), result.strides.slice(0, axes.kept));
  return reduce(result, summed, false, result.dtype.isFloat ? result.dtype : int64, sum);
}

/**
 * How many operands have each axis; an error if their sizes differ.
 *
 * @param {Tensor[]} ready
 * @param {{ place: Map<string, number>, all: number }} axes
 * @param {string[][]} inputs
 * @param {Tensor[]} operands
 */
function checkSizes(ready, { place, all }, inputs, operands) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  for (const [n, letters] of inputs.entries()) {
    let axis = 0;
    for (const letter of letters) {
      if (letter === DOTS) {
        axis += operands[n].ndim - (letters.length - 1);
        continue;
      }
      const size = operands[n].shape[axis++];
      const before = seen.get(letter) ?? 1;
      if (size !== 1 && before !== 1 && before !== size) mismatch(letter, size, n, before);
      if (size !== 1) seen.set(letter, size);
    }
  }
  const counts = new Array(all).fill(0);
  const letters = [...place.keys()];
  for (let axis = 0; axis < all; axis++) {
    let known = 1;
    for (const [n, x] of ready.entries()) {
      const size = x.shape[axis];
      if (size === 1) continue;
      if (known !== 1 && known !== size) mismatch(letters.find((letter) => place.get(letter) === axis) ?? DOTS, size, n, known);
      known = size;
      counts[axis]++;
    }
  }
  return counts;
}

/**
 * @param {string} letter
 * @param {number} size
 * @param {number} n
 * @param {number} before
 */
function mismatch(letter, size, n, before) {
  fail(`subscript ${letter} has size ${size} for operand ${n} which does not broadcast with previously seen size ${before}`);
}

/**
 * sumproduct_pair of PyTorch's Linear.cpp: left times right, summed over these axes, by one bmm.
 *
 * @param {Tensor} left
 * @param {Tensor} right
 * @param {number[]} summed
 * @param {boolean} swaps are these all that is summed? Then the operands change places if the result is in order that way.
 * @returns {Tensor}
 */
function sumOfProducts(left, right, summed, swaps) {
  if (!summed.length) return elementwise(binary.mul, [left, right], resultType([left, right]));
  const [both, onlyLeft, onlyRight] = /** @type {number[][]} */ ([[], [], []]);
  for (let axis = 0; axis < left.ndim; axis++) {
    if (summed.includes(axis)) continue;
    const [a, b] = [left.shape[axis] !== 1, right.shape[axis] !== 1];
    (a && b ? both : a ? onlyLeft : onlyRight).push(axis);
  }
  if (swaps && onlyRight.length && onlyLeft[0] > onlyRight[onlyRight.length - 1]) return sumOfProducts(right, left, summed, false);
  const size = (/** @type {Tensor} */ x, /** @type {number[]} */ axes) => countOf(axes.map((axis) => x.shape[axis]));
  const [n, l, k, m] = [size(left, both), size(left, onlyLeft), size(left, summed), size(right, onlyRight)];
  const a = reshape(reordered(left, [...both, ...onlyLeft, ...summed, ...onlyRight]), [n, l, k]);
  const b = reshape(reordered(right, [...both, ...summed, ...onlyRight, ...onlyLeft]), [n, k, m]);
  // Axes of size 1 get their places at the end, by a view: their strides depend on it.
  const full = left.shape.map((size, axis) => (summed.includes(axis) ? 1 : size === 1 ? right.shape[axis] : size));
  const order = [...both, ...onlyLeft, ...onlyRight].filter((axis) => full[axis] !== 1);
  const product = view(
    bmm(a, b),
    order.map((axis) => full[axis]),
  );
  const back = full.map((_, axis) => order.indexOf(axis)).filter((place) => place >= 0);
  return view(reordered(product, back), full);
}
