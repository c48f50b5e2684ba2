// Strided tensors as PyTorch has them: numbers in a row (the storage), and a shape with strides that maps an index to a place.
// A view maps to the same storage; so two tensors share memory if their `storage` is the same array.

import { product, range } from "./math.js";

/** @typedef {{ storage: number[], shape: number[], strides: number[], offset: number }} Strided */

/**
 * The strides of a contiguous tensor. An axis of size 0 counts as 1, as in PyTorch.
 *
 * @param {number[]} shape
 */
function contiguousStrides(shape) {
  return shape.map((_, axis) => product(shape.slice(axis + 1).map((size) => Math.max(size, 1))));
}

/**
 * 0, 1, 2, ... in this shape: every number is its own place in the storage.
 *
 * @param {number[]} shape
 * @returns {Strided}
 */
export function arange(shape) {
  return { storage: range(product(shape)), shape, strides: contiguousStrides(shape), offset: 0 };
}

/**
 * The numbers in the order of the shape, last axis fastest.
 *
 * @param {Strided} tensor
 */
export function elements({ storage, shape, strides, offset }) {
  let places = [offset];
  shape.forEach((size, axis) => {
    places = places.flatMap((place) => Array.from({ length: size }, (_, n) => place + n * strides[axis]));
  });
  return places.map((place) => storage[place]);
}

/**
 * Is the storage in the order of the shape? The stride of an axis of size 1 is never used, so it may be anything.
 *
 * @param {Strided} tensor
 */
export function isContiguous({ shape, strides }) {
  const expected = contiguousStrides(shape);
  return product(shape) === 0 || shape.every((size, axis) => size === 1 || strides[axis] === expected[axis]);
}

/**
 * @param {Strided} tensor
 * @param {number[]} order
 * @returns {Strided}
 */
export function permute(tensor, order) {
  return { ...tensor, shape: order.map((axis) => tensor.shape[axis]), strides: order.map((axis) => tensor.strides[axis]) };
}

/**
 * @param {Strided} tensor
 * @param {number} a
 * @param {number} b
 */
export function transpose(tensor, a, b) {
  return permute(
    tensor,
    tensor.shape.map((_, axis) => (axis === a ? b : axis === b ? a : axis)),
  );
}

/** @param {Strided} tensor */
export function contiguous(tensor) {
  return isContiguous(tensor) ? tensor : copy(tensor);
}

/**
 * @param {Strided} tensor
 * @param {number[]} sizes one of them may be -1
 * @returns {Strided}
 */
export function view(tensor, sizes) {
  const shape = inferred(sizes, product(tensor.shape));
  const strides = viewStrides(tensor, shape);
  if (strides) return { ...tensor, shape, strides };
  throw new Error(
    "view size is not compatible with input tensor's size and stride " +
      "(at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
  );
}

/**
 * A view if the strides allow one, else a copy.
 *
 * @param {Strided} tensor
 * @param {number[]} sizes one of them may be -1
 */
export function reshape(tensor, sizes) {
  const shape = inferred(sizes, product(tensor.shape));
  return view(viewStrides(tensor, shape) ? tensor : copy(tensor), shape);
}

/**
 * @param {Strided} tensor
 * @returns {Strided}
 */
function copy(tensor) {
  return { storage: elements(tensor), shape: tensor.shape, strides: contiguousStrides(tensor.shape), offset: 0 };
}

/**
 * The sizes with -1 replaced by the size that is left for it.
 *
 * @param {number[]} sizes
 * @param {number} total
 */
function inferred(sizes, total) {
  const known = product(sizes.filter((size) => size !== -1));
  if (sizes.filter((size) => size === -1).length > 1) throw new Error("only one dimension can be inferred");
  const fits = sizes.includes(-1) ? known > 0 && total % known === 0 : known === total;
  if (!fits) throw new Error(`shape '[${sizes.join(", ")}]' is invalid for input of size ${total}`);
  return sizes.map((size) => (size === -1 ? total / known : size));
}

/**
 * The strides with which the same storage has another shape, or null if there are none: computeStride_impl of PyTorch's
 * TensorUtils.cpp. Neighbouring axes that have one constant step between their numbers form a chunk. A new axis may split a chunk or
 * join axes inside it, but may not cross its end.
 *
 * @param {{ shape: number[], strides: number[] }} tensor
 * @param {number[]} shape
 */
export function viewStrides({ shape: old, strides: oldStrides }, shape) {
  if (product(old) === 0) return String(old) === String(shape) ? oldStrides : contiguousStrides(shape);
  const strides = Array(shape.length).fill(1);
  let to = shape.length - 1;
  let step = oldStrides.at(-1) ?? 1;
  let chunk = 1;
  let covered = 1;
  for (let from = old.length - 1; from >= 0; from--) {
    chunk *= old[from];
    const continues = from > 0 && (old[from - 1] === 1 || oldStrides[from - 1] === chunk * step);
    if (continues) continue;
    for (; to >= 0 && (covered < chunk || shape[to] === 1); to--) {
      strides[to] = covered * step;
      covered *= shape[to];
    }
    if (covered !== chunk) return null;
    [step, chunk, covered] = [oldStrides[from - 1], 1, 1];
  }
  return to < 0 || old.length === 0 ? strides : null;
}
