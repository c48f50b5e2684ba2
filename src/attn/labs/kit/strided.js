// Strided tensors as PyTorch has them: numbers in a row (the storage), and a shape with strides that maps an index to a place.
// A view maps to the same storage; so two tensors share memory if their `storage` is the same array.
//
// torch/layout.js decides what a view may look like, as it does for the page's PyTorch. The tensors here are plain objects that only
// show where numbers are: with all of torch/ these labs would be too large for a page.

import { product, range } from "./math.js";
import { contiguousStrides, inferSizes, isContiguous, notViewable, viewStrides } from "./torch/layout.js";

/** @typedef {{ storage: number[], shape: number[], strides: number[], offset: number }} Strided */

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
  throw new Error(notViewable);
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
  const found = inferSizes(sizes, total);
  if (found.problem === undefined) return found.shape;
  throw new Error(found.problem);
}
