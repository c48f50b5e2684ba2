// Joining, repeating and rearranging tensors: what moves numbers into new tensors and computes none.

import { raise } from "../python/values.js";
import { promote } from "./dtype.js";
import { broadcast, clone, contiguous, keptStrides, sameSizes, writeInto } from "./iterator.js";
import { axisOf, empty, listed, numbersOf, places, spend, viewOf } from "./tensor.js";
import { expand, part, unsqueeze, view } from "./views.js";

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
  spend(numbers.length);
  for (let n = 0; n < numbers.length; n++) {
    const distance = (n % columns) - (Math.floor(n / columns) % rows);
    if (lower ? distance <= diagonal : distance >= diagonal) result.storage.data[n] = numbers[n];
  }
  return result;
}

/**
 * @param {Tensor} x
 * @param {number[]} dims
 */
export function flip(x, dims) {
  const axes = dims.map((dim) => axisOf(dim, x.ndim));
  const twice = axes.find((axis, n) => axes.indexOf(axis) !== n);
  if (twice !== undefined) raise("RuntimeError", `dim ${twice} appears multiple times in the list of dims`);
  const result = empty(x.shape, x.dtype, keptStrides(x));
  if (!x.ndim || !x.count) return clone(x);
  const mirrored = [...x.strides];
  let { offset } = x;
  for (const axis of axes) {
    offset += (x.shape[axis] - 1) * x.strides[axis];
    mirrored[axis] = -x.strides[axis];
  }
  const from = places(viewOf(x, x.shape, mirrored, offset));
  const to = places(result);
  for (let n = 0; n < to.length; n++) result.storage.data[to[n]] = x.storage.data[from[n]];
  return result;
}

/**
 * @param {Tensor} x
 * @param {number[]} shifts
 * @param {number[]} dims
 */
export function roll(x, shifts, dims) {
  if (!shifts.length) raise("RuntimeError", "`shifts` required");
  if (!dims.length && shifts.length === 1) return view(roll(view(contiguous(x), [x.count]), shifts, [0]), x.shape);
  if (dims.length !== shifts.length) {
    raise("RuntimeError", `shifts and dimensions must align. shifts: ${shifts.length}, dims:${dims.length}`);
  }
  if (!x.ndim) raise("IndexError", `Dimension specified as ${dims[0]} but tensor has no dimensions`);
  let result = x;
  for (const [n, dim] of dims.entries()) {
    const axis = axisOf(dim, x.ndim);
    const size = x.shape[axis];
    if (!x.count) return clone(x);
    const shift = ((shifts[n] % size) + size) % size;
    result = cat([part(result, axis, size - shift, shift), part(result, axis, 0, size - shift)], axis);
  }
  return result;
}

/**
 * @param {Tensor[]} tensors
 * @param {string} indexing "ij" or "xy"
 */
export function meshgrid(tensors, indexing) {
  const swapped = indexing === "xy" && tensors.length > 1;
  const ordered = swapped ? [tensors[1], tensors[0], ...tensors.slice(2)] : tensors;
  const shape = ordered.map((x) => x.count);
  const grids = ordered.map((x, n) =>
    expand(
      view(
        x,
        shape.map((size, axis) => (axis === n ? size : 1)),
      ),
      shape,
    ),
  );
  if (!swapped) return grids;
  return [grids[1], grids[0], ...grids.slice(2)];
}

/** @param {Tensor[]} tensors */
export function broadcastAll(tensors) {
  const shape = tensors.length ? broadcast(tensors.map((x) => x.shape)) : [];
  return tensors.map((x) => expand(x, shape));
}

/** @param {Tensor[]} tensors */
export function blockDiagonal(tensors) {
  const blocks = tensors.map((x) => (x.ndim < 2 ? view(contiguous(x), [1, x.count]) : x));
  const total = (/** @type {number} */ axis) => blocks.reduce((sum, x) => sum + x.shape[axis], 0);
  const result = empty([total(0), total(1)], blocks.map((x) => x.dtype).reduce(promote));
  let [row, column] = [0, 0];
  for (const x of blocks) {
    writeInto(part(part(result, 0, row, x.shape[0]), 1, column, x.shape[1]), x);
    row += x.shape[0];
    column += x.shape[1];
  }
  return result;
}
