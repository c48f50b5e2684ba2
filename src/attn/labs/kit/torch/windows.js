// Views that few programs make: moved axes, diagonals, windows.

import { raise } from "../python/values.js";
import { contiguous } from "./iterator.js";
import { define, MOVES } from "./operation.js";
import { axisOf, listed, Tensor, viewOf } from "./tensor.js";
import { alias, expand, narrow, reordered, reshape, select, transpose, without } from "./views.js";

/**
 * @param {Tensor} x
 * @param {number[]} source
 * @param {number[]} destination
 */
export function movedim(x, source, destination) {
  if (source.length !== destination.length) {
    const rule = "Invalid source or destination dims: source";
    raise(
      "RuntimeError",
      `movedim: ${rule} (${listed(source)} dims) should contain the same number of dims as destination (${listed(destination)} dims)`,
    );
  }
  const [from, to] = [source, destination].map((dims) => dims.map((dim) => axisOf(dim, x.ndim)));
  for (const [axes, given, name] of /** @type {const} */ ([
    [from, source, "source"],
    [to, destination, "destination"],
  ])) {
    if (new Set(axes).size < axes.length) raise("RuntimeError", `movedim: repeated dim in \`${name}\` (${listed(given)})`);
  }
  if (!x.ndim) return alias(x);
  const rest = x.shape.map((_, axis) => axis).filter((axis) => !from.includes(axis));
  /** @type {number[]} */
  const order = new Array(x.ndim);
  to.forEach((axis, n) => {
    order[axis] = from[n];
  });
  for (let axis = 0; axis < x.ndim; axis++) order[axis] ??= /** @type {number} */ (rest.shift());
  return reordered(x, order);
}

/**
 * @param {Tensor} x
 * @param {number} offset
 * @param {number} dim1
 * @param {number} dim2
 */
export function diagonal(x, offset, dim1, dim2) {
  const [a, b] = [axisOf(dim1, x.ndim), axisOf(dim2, x.ndim)];
  if (a === b) raise("RuntimeError", `diagonal dimensions cannot be identical ${dim1}, ${dim2}`);
  const [rows, columns] = [x.shape[a], x.shape[b]];
  const size = Math.max(0, offset >= 0 ? Math.min(rows, columns - offset) : Math.min(rows + offset, columns));
  const skipped = size === 0 ? 0 : offset >= 0 ? offset * x.strides[b] : -offset * x.strides[a];
  const rest = without(x, (axis) => axis === a || axis === b);
  return viewOf(x, [...rest.shape, size], [...rest.strides, x.strides[a] + x.strides[b]], x.offset + skipped);
}

/**
 * Windows along an axis, which become a last axis.
 *
 * @param {Tensor} x
 * @param {number} dim
 * @param {number} size
 * @param {number} step
 */
export function unfold(x, dim, size, step) {
  const axis = axisOf(dim, x.ndim);
  const long = x.ndim ? x.shape[axis] : 1;
  if (size < 0) raise("RuntimeError", `size is ${size} but must be >= 0`);
  if (size > long) raise("RuntimeError", `maximum size for tensor at dimension ${axis} is ${long} but size is ${size}`);
  if (step <= 0) raise("RuntimeError", `step is ${step} but must be > 0`);
  if (!x.ndim) return viewOf(x, [size], [1]);
  const windows = Math.floor((long - size) / step) + 1;
  return viewOf(x, [...x.shape.with(axis, windows), size], [...x.strides.with(axis, x.strides[axis] * step), x.strides[axis]]);
}

for (const name of ["movedim", "moveaxis"]) {
  define("tm", `${name}(input T, source int, destination int) | ${name}(input T, source ints, destination ints)`, (given) => {
    const [source, destination] = [given.source, given.destination].map((one) => (Array.isArray(one) ? one : [one]));
    return movedim(given.input, source, destination);
  });
}
define("tm", "swapaxes(input T, axis0 int, axis1 int)", ({ input, axis0, axis1 }) => transpose(input, axis0, axis1));
define("tm", "swapdims(input T, dim0 int, dim1 int)", ({ input, dim0, dim1 }) => transpose(input, dim0, dim1));
define("m", "reshape_as(input T, other T)", ({ input, other }) => reshape(input, other.shape), MOVES);
define("m", "expand_as(input T, other T)", ({ input, other }) => expand(input, other.shape));
define("tm", "broadcast_to(input T, size ints)", ({ input, size }) => expand(input, size));
define("tm", "ravel(input T)", ({ input }) => (input.ndim === 1 ? contiguous(input) : reshape(input, [input.count])), MOVES);
define("tm", "narrow(input T, dim int, start T, length int) | narrow(input T, dim int, start int, length int)", (given) =>
  narrow(given.input, given.dim, given.start instanceof Tensor ? given.start.scalar() : given.start, given.length),
);
define("tm", "select(input T, dim int, index int)", ({ input, dim, index }) => select(input, dim, index));
define("tm", "diagonal(input T, offset int=0, dim1 int=0, dim2 int=1)", ({ input, offset, dim1, dim2 }) =>
  diagonal(input, offset, dim1, dim2),
);
define("m", "unfold(input T, dimension int, size int, step int)", ({ input, dimension, size, step }) =>
  unfold(input, dimension, size, step),
);
define("tm", "as_strided(input T, size ints, stride ints, storage_offset int?=None)", (given) => {
  const { input, size, stride, storage_offset: offset } = given;
  if (size.length !== stride.length) raise("RuntimeError", "mismatch in length of strides and shape");
  const last = size.reduce(
    (/** @type {number} */ at, /** @type {number} */ n, /** @type {number} */ k) => at + (n - 1) * stride[k],
    offset ?? input.offset,
  );
  if (last >= input.storage.data.length) {
    const bytes = (last + 1) * input.dtype.bytes;
    const sizes = `setStorage: sizes ${listed(size)}, strides ${listed(stride)}, storage offset ${offset ?? input.offset}`;
    const rule = `and itemsize ${input.dtype.bytes} requiring a storage size of ${bytes} are out of bounds for storage of size`;
    raise("RuntimeError", `${sizes}, ${rule} ${input.storage.bytes}`);
  }
  return viewOf(input, [...size], [...stride], offset ?? input.offset);
});
