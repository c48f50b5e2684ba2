// Reductions: sums, means, maxima over some axes; and what runs along one axis, such as softmax and cumsum. Sums are kept in double
// precision and rounded once, so the last digits may differ from PyTorch's.

import { NamedTuple, raise } from "../python/values.js";
import { int64 } from "./dtype.js";
import { countOf } from "./layout.js";
import { axisOf, empty, places, rounded, spend } from "./tensor.js";
import { reordered } from "./views.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("./dtype.js").DType} DType */
/** @typedef {(numbers: Float64Array) => number} Fold */

/**
 * The axes that a reduction removes: all of them where none is named.
 *
 * @param {number[] | null} dims
 * @param {number} ndim
 */
function reducedAxes(dims, ndim) {
  if (dims === null || dims.length === 0) return Array.from({ length: ndim }, (_, axis) => axis);
  const axes = dims.map((dim) => axisOf(dim, ndim));
  for (const [n, axis] of axes.entries()) {
    if (axes.indexOf(axis) !== n) raise("RuntimeError", `dim ${axis} appears multiple times in the list of dims`);
  }
  return ndim ? axes.sort((a, b) => a - b) : [];
}

/**
 * @param {Tensor} x
 * @param {number[] | null} dims
 * @param {boolean} keepdim
 * @param {DType} dtype
 * @param {Fold} fold
 */
export function reduce(x, dims, keepdim, dtype, fold) {
  const away = reducedAxes(dims, x.ndim);
  const kept = x.shape.map((_, axis) => axis).filter((axis) => !away.includes(axis));
  const from = places(reordered(x, [...kept, ...away]));
  const shape = keepdim ? x.shape.map((size, axis) => (away.includes(axis) ? 1 : size)) : kept.map((axis) => x.shape[axis]);
  const result = empty(shape, dtype);
  const group = new Float64Array(countOf(away.map((axis) => x.shape[axis])));
  const { data } = x.storage;
  const { data: made } = result.storage;
  spend(15 * from.length);
  for (let g = 0, at = 0; g < made.length; g++) {
    for (let k = 0; k < group.length; k++) group[k] = data[from[at++]];
    made[g] = fold(group);
  }
  return rounded(result);
}

/** @type {Fold} */
export function sum(numbers) {
  let total = 0;
  for (let k = 0; k < numbers.length; k++) total += numbers[k];
  return total;
}

/** @type {Fold} */
export const mean = (numbers) => sum(numbers) / numbers.length;

/** @type {Fold} */
export function prod(numbers) {
  let total = 1;
  for (let k = 0; k < numbers.length; k++) total *= numbers[k];
  return total;
}

/**
 * The index of the largest number (or the smallest), the first of equal ones; of the first NaN if there is one.
 *
 * @param {Float64Array} numbers
 * @param {number} sign 1 or -1
 */
function extremeOf(numbers, sign) {
  let best = 0;
  for (let k = 0; k < numbers.length; k++) {
    if (Number.isNaN(numbers[k])) return k;
    if (sign * numbers[k] > sign * numbers[best]) best = k;
  }
  return best;
}

/** @type {Fold} */
export const argmax = (numbers) => extremeOf(numbers, 1);
/** @type {Fold} */
export const argmin = (numbers) => extremeOf(numbers, -1);
/** @type {Fold} */
export const max = (numbers) => numbers[argmax(numbers)];
/** @type {Fold} */
export const min = (numbers) => numbers[argmin(numbers)];
/** @type {Fold} */
export const allOf = (numbers) => (numbers.every((one) => one !== 0) ? 1 : 0);
/** @type {Fold} */
export const any = (numbers) => (numbers.some((one) => one !== 0) ? 1 : 0);

/** @type {(correction: number) => Fold} */
export const variance = (correction) => (numbers) => {
  const middle = mean(numbers);
  let squares = 0;
  for (let k = 0; k < numbers.length; k++) squares += (numbers[k] - middle) ** 2;
  return squares / Math.max(0, numbers.length - correction);
};

// Comes with the second script.
/** @type {Fold} */
export function logsumexp(numbers) {
  if (!numbers.length) return -Infinity;
  const largest = max(numbers);
  if (!Number.isFinite(largest)) return largest;
  let total = 0;
  for (let k = 0; k < numbers.length; k++) total += Math.exp(numbers[k] - largest);
  return largest + Math.log(total);
}

// Comes with the second script.
/** @type {(p: number) => Fold} */
export const normFold = (p) => (numbers) => {
  let total = 0;
  if (p === Infinity) return numbers.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  if (p === -Infinity) return numbers.reduce((least, one) => Math.min(least, Math.abs(one)), Infinity);
  if (p === 0) return numbers.reduce((count, one) => count + (one !== 0 ? 1 : 0), 0);
  if (p === 2) {
    for (let k = 0; k < numbers.length; k++) total += numbers[k] * numbers[k];
    return Math.sqrt(total);
  }
  for (let k = 0; k < numbers.length; k++) total += Math.abs(numbers[k]) ** p;
  return total ** (1 / p);
};

/**
 * Values and indices along an axis, as torch.max(x, dim) returns them.
 *
 * @param {string} name
 * @param {Tensor} values
 * @param {Tensor} indices
 */
export const withIndices = (name, values, indices) =>
  NamedTuple.named(`torch.return_types.${name}`, ["values", "indices"], [values, indices]);

/**
 * @param {string} name
 * @param {Tensor} x
 * @param {number} dim
 * @param {boolean} keepdim
 * @param {Fold} choose
 */
export function chosen(name, x, dim, keepdim, choose) {
  const value = reduce(x, [dim], keepdim, x.dtype, (numbers) => numbers[choose(numbers)]);
  return withIndices(name, value, reduce(x, [dim], keepdim, int64, choose));
}

/**
 * Computes rows along an axis into rows of the same length (or of another). `run` reads its first argument and writes its second.
 *
 * @param {Tensor} x
 * @param {number} dim
 * @param {DType} dtype
 * @param {(row: Float64Array, result: Float64Array) => void} run
 * @param {number} [length]
 */
export function along(x, dim, dtype, run, length) {
  const axis = axisOf(dim, x.ndim);
  const size = x.ndim ? x.shape[axis] : 1;
  const result = empty(x.ndim ? x.shape.with(axis, length ?? size) : [], dtype);
  if (!result.count) return result;
  const order = x.shape.map((_, n) => n).filter((n) => n !== axis);
  if (x.ndim) order.push(axis);
  const from = places(reordered(x, order));
  const to = places(reordered(result, order));
  const { data } = x.storage;
  const { data: made } = result.storage;
  const row = new Float64Array(size);
  const out = new Float64Array(x.ndim ? (length ?? size) : 1);
  spend(15 * from.length);
  for (let read = 0, wrote = 0; wrote < to.length; ) {
    for (let k = 0; k < size; k++) row[k] = data[from[read++]];
    run(row, out);
    for (let k = 0; k < out.length; k++) made[to[wrote++]] = out[k];
  }
  return rounded(result);
}

/**
 * @param {Float64Array} row
 * @param {Float64Array} result
 */
export function softmaxRow(row, result) {
  const largest = max(row);
  let total = 0;
  for (let k = 0; k < row.length; k++) {
    result[k] = Math.exp(row[k] - largest);
    total += result[k];
  }
  for (let k = 0; k < row.length; k++) result[k] /= total;
}

// Comes with the second script.
/**
 * @param {Float64Array} row
 * @param {Float64Array} result
 */
export function logSoftmaxRow(row, result) {
  const largest = max(row);
  let total = 0;
  for (let k = 0; k < row.length; k++) total += Math.exp(row[k] - largest);
  const log = Math.log(total);
  for (let k = 0; k < row.length; k++) result[k] = row[k] - largest - log;
}

/**
 * Runs a sum, a product or the like through a row.
 *
 * @param {(total: number, one: number) => number} step
 */
export const cumulative = (step) => (/** @type {Float64Array} */ row, /** @type {Float64Array} */ result) => {
  for (let k = 0; k < row.length; k++) result[k] = k ? step(result[k - 1], row[k]) : row[k];
};
