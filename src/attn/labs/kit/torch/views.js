// Views: the same storage with another shape, strides and offset. And reshape, which copies where no view can be.

import { raise } from "../python/values.js";
import { copyOf } from "./iterator.js";
import { countOf, inferSizes, notViewable, viewStrides } from "./layout.js";
import { axisOf, listed, viewOf } from "./tensor.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */

/** Copies that an operation made and nobody wrote, such as those of matmul. */
export const hidden = { copies: 0 };

/**
 * @param {number[]} sizes
 * @param {number} total
 */
export function inferred(sizes, total) {
  const found = inferSizes(sizes, total);
  return found.problem === undefined ? found.shape : raise("RuntimeError", found.problem);
}

/** @param {Tensor} x */
export const alias = (x) => viewOf(x, [...x.shape], [...x.strides]);

/**
 * @param {Tensor} x
 * @param {number[]} sizes
 */
export function view(x, sizes) {
  const shape = inferred(sizes, x.count);
  const strides = viewStrides(x, shape);
  return strides ? viewOf(x, shape, strides) : raise("RuntimeError", notViewable);
}

/**
 * @param {Tensor} x
 * @param {number[]} sizes
 */
export function reshape(x, sizes) {
  const shape = inferred(sizes, x.count);
  const strides = viewStrides(x, shape);
  if (strides) return viewOf(x, shape, strides);
  hidden.copies++;
  return view(copyOf(x), shape);
}

/**
 * @param {Tensor} x
 * @param {number[]} dims
 */
export function permute(x, dims) {
  if (dims.length !== x.ndim) {
    const rule = "number of dimensions in the tensor input does not match the length of the desired ordering of dimensions";
    raise("RuntimeError", `permute(sparse_coo): ${rule} i.e. input.dim() = ${x.ndim} is not equal to len(dims) = ${dims.length}`);
  }
  const order = dims.map((dim) => axisOf(dim, x.ndim));
  if (new Set(order).size < order.length) raise("RuntimeError", "permute(): duplicate dims are not allowed.");
  return reordered(x, order);
}

/**
 * @param {Tensor} x
 * @param {number[]} order axes
 */
export function reordered(x, order) {
  return viewOf(
    x,
    order.map((axis) => x.shape[axis]),
    order.map((axis) => x.strides[axis]),
  );
}

/**
 * @param {Tensor} x
 * @param {number} dim0
 * @param {number} dim1
 */
export function transpose(x, dim0, dim1) {
  const [a, b] = [axisOf(dim0, x.ndim), axisOf(dim1, x.ndim)];
  const order = x.shape.map((_, axis) => (axis === a ? b : axis === b ? a : axis));
  return reordered(x, order);
}

/**
 * @param {Tensor} x
 * @param {number} dim
 */
export function unsqueeze(x, dim) {
  const axis = axisOf(dim, x.ndim + 1);
  const step = axis < x.ndim ? x.shape[axis] * x.strides[axis] : 1;
  return viewOf(x, x.shape.toSpliced(axis, 0, 1), x.strides.toSpliced(axis, 0, step));
}

/**
 * Without these axes, where their size is 1.
 *
 * @param {Tensor} x
 * @param {number[]} dims
 */
export function squeeze(x, dims) {
  const away = new Set();
  for (const dim of dims) {
    const axis = axisOf(dim, x.ndim);
    if (away.has(axis)) raise("RuntimeError", `dim ${axis} appears multiple times in the list of dims`);
    away.add(axis);
  }
  return without(x, (axis) => away.has(axis) && x.shape[axis] === 1);
}

/**
 * @param {Tensor} x
 * @param {(axis: number) => boolean} dropped
 */
export function without(x, dropped) {
  const kept = x.shape.map((_, axis) => axis).filter((axis) => !dropped(axis));
  return reordered(x, kept);
}

/**
 * @param {Tensor} x
 * @param {number[]} sizes -1 keeps a size
 */
export function expand(x, sizes) {
  const missing = sizes.length - x.ndim;
  if (missing < 0) {
    const self = `${x.dtype.cppTensor}{${listed(x.shape)}}`;
    const rule = `the number of sizes provided (${sizes.length}) must be greater or equal to the number of dimensions in the tensor`;
    raise("RuntimeError", `expand(${self}, size=${listed(sizes)}): ${rule} (${x.ndim})`);
  }
  /** @type {number[]} */
  const shape = [];
  /** @type {number[]} */
  const strides = [];
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const own = axis - missing;
    const size = own < 0 ? 1 : x.shape[own];
    // A new axis steps over everything inside it, as if it could be walked.
    const inside = axis + 1 < sizes.length ? shape[axis + 1] * strides[axis + 1] : 1;
    const wanted = sizes[axis] === -1 && own >= 0 ? size : sizes[axis];
    if (wanted < 0) {
      const what = `The expanded size of the tensor (${wanted}) isn't allowed in a leading, non-existing dimension ${axis}`;
      raise("RuntimeError", what);
    }
    if (size !== wanted && size !== 1) {
      const sizesOf = `The expanded size of the tensor (${wanted}) must match the existing size (${size})`;
      const both = `Target sizes: ${listed(sizes)}.  Tensor sizes: ${listed(x.shape)}`;
      raise("RuntimeError", `${sizesOf} at non-singleton dimension ${axis}.  ${both}`);
    }
    shape[axis] = wanted;
    strides[axis] = size !== wanted ? 0 : own < 0 ? inside : x.strides[own];
  }
  return viewOf(x, shape, strides);
}

/**
 * Every step-th index of an axis, from a start.
 *
 * @param {Tensor} x
 * @param {number} axis
 * @param {number} start
 * @param {number} length
 * @param {number} [step]
 */
export function part(x, axis, start, length, step = 1) {
  const stride = x.strides[axis];
  return viewOf(x, x.shape.with(axis, length), x.strides.with(axis, stride * step), x.offset + start * stride);
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {number} dim
 * @param {number} start
 * @param {number} length
 */
export function narrow(x, dim, start, length) {
  if (!x.ndim) raise("RuntimeError", "narrow() cannot be applied to a 0-dim tensor.");
  if (length < 0) raise("RuntimeError", "narrow(): length must be non-negative.");
  const axis = axisOf(dim, x.ndim);
  const size = x.shape[axis];
  if (start < -size || start > size) {
    raise("IndexError", `start out of range (expected to be in range of [${-size}, ${size}], but got ${start})`);
  }
  const from = start < 0 ? start + size : start;
  if (from + length > size) raise("RuntimeError", `start (${from}) + length (${length}) exceeds dimension size (${size}).`);
  return part(x, axis, from, length);
}

/**
 * One index of an axis; the axis is gone.
 *
 * @param {Tensor} x
 * @param {number} axis
 * @param {number} index not negative, and in range
 */
export function selected(x, axis, index) {
  return viewOf(x, x.shape.toSpliced(axis, 1), x.strides.toSpliced(axis, 1), x.offset + index * x.strides[axis]);
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {number} dim
 * @param {number} index
 */
export function select(x, dim, index) {
  if (!x.ndim) raise("IndexError", "select() cannot be applied to a 0-dim tensor.");
  const axis = axisOf(dim, x.ndim);
  const size = x.shape[axis];
  if (index < -size || index >= size) {
    raise("IndexError", `select(): index ${index} out of range for tensor of size ${listed(x.shape)} at dimension ${axis}`);
  }
  return selected(x, axis, index < 0 ? index + size : index);
}

/**
 * @param {Tensor} x
 * @param {number} startDim
 * @param {number} endDim
 */
export function flatten(x, startDim, endDim) {
  const [start, end] = [axisOf(startDim, x.ndim), axisOf(endDim, x.ndim)];
  if (start > end) raise("RuntimeError", "flatten() has invalid args: start_dim cannot come after end_dim");
  if (!x.ndim) return reshape(x, [1]);
  if (start === end) return x;
  return reshape(x, x.shape.toSpliced(start, end - start + 1, countOf(x.shape.slice(start, end + 1))));
}

/**
 * @param {Tensor} x
 * @param {number} dim
 * @param {number[]} sizes
 */
export function unflatten(x, dim, sizes) {
  const axis = axisOf(dim, x.ndim);
  if (!sizes.length) raise("RuntimeError", "unflatten: sizes must be non-empty");
  if (!x.ndim) raise("RuntimeError", "unflatten got an unexpected error:");
  const size = x.shape[axis];
  const open = sizes.includes(-1);
  const known = countOf(sizes.filter((one) => one !== -1));
  if (sizes.filter((one) => one === -1).length > 1) raise("RuntimeError", "only one dimension can be inferred");
  if (open ? size % known : known !== size) {
    const product = `don't multiply up to the size of dim ${axis} (${size}) in the input tensor`;
    raise("RuntimeError", `unflatten: Provided sizes ${listed(sizes)} ${product}`);
  }
  return view(x, x.shape.toSpliced(axis, 1, ...sizes.map((one) => (one === -1 ? size / known : one))));
}
