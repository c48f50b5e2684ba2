// What EinsumLab computes: two tensors of small whole numbers, and what a formula makes of them.

import { normal } from "../kit/inputs.js";
import { clamp, product, range } from "../kit/math.js";
import { isOfWeights, lettersOf, loopsOf, readFormula, roleOf, shapeOf } from "./formula.js";

/** @typedef {import("./formula.js").Formula} Formula */
/** @typedef {import("./formula.js").Sizes} Sizes */
/** @typedef {Sizes & { formula: any, seed?: any, nudge?: any }} State the formula, a string; the sizes B, L, S, E, H, G and D; see lab.py */

/**
 * @typedef {object} Results
 * @property {Float32Array} left
 * @property {Float32Array} [right] missing if the formula has one tensor
 * @property {Float32Array} result
 * @property {ArrayLike<number | boolean> | null} [changed] which results the nudged number changes; null without one
 * @property {Record<string, import("./formula.js").Role>} [roles]
 * @property {{ results: number, terms: number, multiplications: number }} [counts]
 * @property {string} [loops] as Python
 */

export const OPERANDS = ["left", "right"];
export const TENSORS = [...OPERANDS, "result"];
const SHARED = 10; // what each row of weights sums to
const RADIX = 16; // no axis is longer, so an index has one digit for each axis

/**
 * @param {State} state
 * @returns {Results}
 */
export function compute(state) {
  const formula = readFormula(state.formula);
  const operands = formula.tensors.map((axes, n) => wholeNumbers(state.seed ?? 0, OPERANDS[n], shapeOf(axes, state)));
  if (isOfWeights(formula)) operands[0] = shared(operands[0], state.S);
  const letters = lettersOf(formula);
  const nudged = nudgedOf(formula, state);
  const before = nudged && runLoops(formula, state, operands[0], operands[1]);
  if (nudged) operands[nudged[0]][nudged[1]] += 1;
  const [left, right] = operands;
  const result = runLoops(formula, state, left, right);
  const steps = product(shapeOf(letters, state));
  return {
    left,
    ...(right && { right }),
    result,
    changed: before && Array.from(result, (value, n) => value !== before[n]),
    roles: Object.fromEntries([...letters].map((letter) => [letter, roleOf(formula, letter)])),
    counts: { results: result.length, terms: steps / result.length, multiplications: right ? steps : 0 },
    loops: loopsOf(formula, state)
      .map(({ depth, text }) => "  ".repeat(depth) + text)
      .join("\n"),
  };
}

// Every loop of the formula, one inside the other; the innermost adds one product.
function runLoops(formula, sizes, left, right) {
  const letters = lettersOf(formula);
  const counts = shapeOf(letters, sizes);
  const [leftSteps, rightSteps] = [formula.tensors[0], formula.tensors[1] ?? ""].map((axes) => stepsOf(letters, axes, sizes));
  const resultSteps = stepsOf(letters, formula.result, sizes);
  const result = new Float32Array(product(shapeOf(formula.result, sizes)));
  function loop(depth, leftAt, rightAt, resultAt) {
    if (depth === counts.length) {
      result[resultAt] += right ? left[leftAt] * right[rightAt] : left[leftAt];
      return;
    }
    for (let n = 0; n < counts[depth]; n++)
      loop(depth + 1, leftAt + n * leftSteps[depth], rightAt + n * rightSteps[depth], resultAt + n * resultSteps[depth]);
  }
  loop(0, 0, 0, 0);
  return result;
}

/**
 * The index of number n of a tensor, such as [1, 0, 3].
 *
 * @param {number} n
 * @param {number[]} shape
 */
export function indexOf(n, shape) {
  const index = [];
  for (const size of [...shape].reverse()) {
    index.unshift(n % size);
    n = Math.floor(n / size);
  }
  return index;
}

/**
 * For each letter, how far one step along it is in a contiguous tensor. A letter that a tensor has twice steps along both axes.
 *
 * @param {string | string[]} letters
 * @param {string} axes of the tensor
 * @param {Sizes} sizes
 * @returns {number[]}
 */
export function stepsOf(letters, axes, sizes) {
  return [...letters].map((letter) => {
    let stride = 1;
    let step = 0;
    for (const axis of [...axes].reverse()) {
      if (axis === letter) step += stride;
      stride *= sizes[axis.toUpperCase()];
    }
    return step;
  });
}

/**
 * The number that is nudged, as [side, number], or null. An index that is too large means the last one.
 *
 * @param {Formula} formula
 * @param {State} state
 * @param {number[] | null} [nudge]
 * @returns {[number, number] | null}
 */
export function nudgedOf({ tensors }, state, nudge = state.nudge) {
  const [side, ...index] = nudge ?? [0];
  const axes = tensors[side];
  if (axes === undefined || index.length !== axes.length) return null;
  return [side, shapeOf(axes, state).reduce((n, size, axis) => n * size + Math.min(index[axis], size - 1), 0)];
}

/** Whole numbers from -3 to 3 without 0, each a function of its index: a longer axis changes no number that was there. */
function wholeNumbers(seed, name, shape) {
  const outer = shape.slice(0, -1);
  const rows = range(product(outer)).map((n) => {
    return indexOf(n, outer).reduce((row, at, axis) => row + at * RADIX ** axis, 0);
  });
  const numbers = normal(seed, name, rows, shape[shape.length - 1]);
  return numbers.map((value) => Math.sign(value) * clamp(Math.ceil(1.5 * Math.abs(value)), 1, 3));
}

/** Weights in whole numbers: of SHARED, each number of a row has the share of its square. @param {Float32Array} numbers @param {number} width */
function shared(numbers, width) {
  let [sum, total] = [0, 0];
  const upto = () => Math.round((SHARED * sum) / total);
  return numbers.map((one, n) => {
    if (n % width === 0) {
      sum = 0;
      total = numbers.slice(n, n + width).reduce((all, other) => all + other * other, 0);
    }
    const before = upto();
    sum += one * one;
    return upto() - before;
  });
}
