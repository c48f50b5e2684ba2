// Joining, repeating and rearranging tensors: what moves numbers into new tensors and computes none.

import { raise } from "../python/values.js";
import { promote } from "./dtype.js";
import { contiguous, sameSizes, writeInto } from "./iterator.js";
import { axisOf, empty, listed, numbersOf, spend } from "./tensor.js";
import { part, unsqueeze, view } from "./views.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */

/**
 * @param {Tensor[]} tensors
 * @param {number} dim
 */
export function cat(tensors, dim) {
  if (!tensors.length) raise("ValueError", "torch.cat(): expected a non-empty list of Tensors");
  for (const [n, x] of tensors.entries()) {
    if (!x.ndim) raise("RuntimeError", `zero-dimensional tensor (at position ${n}) cannot be concatenated`);
  }
  const dtype = tensors.map((x) => x.dtype).reduce(promote);
  const skipped = (/** @type {Tensor} */ x) => x.ndim === 1 && x.shape[0] === 0; // an old exception for torch.tensor([])
  const parts = tensors.filter((x) => !skipped(x));
  if (!parts.length) return empty([0], dtype);
  const [first] = parts;
  const axis = axisOf(dim, first.ndim);
  for (const [n, x] of tensors.entries()) {
    if (skipped(x)) continue;
    if (x.ndim !== first.ndim) {
      raise("RuntimeError", `Tensors must have same number of dimensions: got ${first.ndim} and ${x.ndim}`);
    }
    for (const [k, size] of x.shape.entries()) {
      if (k === axis || size === first.shape[k]) continue;
      const sizes = `Expected size ${first.shape[k]} but got size ${size} for tensor number ${n} in the list.`;
      raise("RuntimeError", `Sizes of tensors must match except in dimension ${axis}. ${sizes}`);
    }
  }
  const result = empty(
    first.shape.with(
      axis,
      parts.reduce((total, x) => total + x.shape[axis], 0),
    ),
    dtype,
  );
  let start = 0;
  for (const x of parts) {
    writeInto(part(result, axis, start, x.shape[axis]), x);
    start += x.shape[axis];
  }
  return result;
}

/**
 * @param {Tensor[]} tensors
 * @param {number} dim
 */
export function stack(tensors, dim) {
  if (!tensors.length) raise("RuntimeError", "stack expects a non-empty TensorList");
  const axis = axisOf(dim, tensors[0].ndim + 1);
  for (const [n, x] of tensors.entries()) {
    if (sameSizes(x.shape, tensors[0].shape)) continue;
    const sizes = `got ${listed(tensors[0].shape)} at entry 0 and ${listed(x.shape)} at entry ${n}`;
    raise("RuntimeError", `stack expects each tensor to be equal size, but ${sizes}`);
  }
  return cat(
    tensors.map((x) => unsqueeze(x, axis)),
    axis,
  );
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {number[]} times
 */
export function repeat(x, times) {
  if (times.length < x.ndim) {
    raise("RuntimeError", "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  }
  const shape = [...new Array(times.length - x.ndim).fill(1), ...x.shape];
  const negative = shape.map((size, axis) => size * times[axis]).find((size) => size < 0);
  if (negative !== undefined) {
    const sizes = listed(shape.map((size, axis) => size * times[axis]));
    raise("RuntimeError", `Trying to create tensor with negative dimension ${negative}: ${sizes}`);
  }
  const result = empty(
    shape.map((size, axis) => size * times[axis]),
    x.dtype,
  );
  if (!result.count) return result;
  // (times, size, times, size, ...): the repetitions are an axis of their own in front of each.
  const apart = view(
    result,
    shape.flatMap((size, axis) => [times[axis], size]),
  );
  writeInto(
    apart,
    view(
      contiguous(x),
      shape.flatMap((size) => [1, size]),
    ),
  );
  return result;
}

/**
 * @param {Tensor} x
 * @param {number} diagonal
 * @param {boolean} lower
 */
export function triangle(x, diagonal, lower) {
  if (x.ndim < 2) raise("RuntimeError", `${lower ? "tril" : "triu"}: input tensor must have at least 2 dimensions`);
  const result = empty(x.shape, x.dtype);
  const [rows, columns] = x.shape.slice(-2);
  const numbers = numbersOf(x);
  spend(10 * numbers.length);
  for (let n = 0; n < numbers.length; n++) {
    const distance = (n % columns) - (Math.floor(n / columns) % rows);
    if (lower ? distance <= diagonal : distance >= diagonal) result.storage.data[n] = numbers[n];
  }
  return result;
}
