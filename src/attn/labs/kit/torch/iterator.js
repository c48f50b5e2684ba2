// What PyTorch's TensorIterator decides before it computes: the shape of a result, its strides and its dtype. And copying, which
// needs the same decisions.

import { Float, raise, toNumber } from "../python/values.js";
import { bool, float32, int64, promote } from "./dtype.js";
import { contiguousStrides, isChannelsLast, isContiguous, isDense, overlaps } from "./layout.js";
import { empty, listed, numbersOf, places, rounded, spend, Tensor } from "./tensor.js";

/** @typedef {import("./dtype.js").DType} DType */
/** A number of Python's among the operands: it has no shape, and weighs less than a tensor when the dtype is chosen. */
export class Scalar {
  /** @param {any} value an int, a bool or a Float */
  constructor(value) {
    this.value = toNumber(value);
    this.dtype = value instanceof Float ? float32 : typeof value === "boolean" ? bool : int64;
  }
}

/** @typedef {Tensor | Scalar} Operand */

/**
 * @param {number[][]} shapes
 * @returns {number[]}
 */
export function broadcast(shapes) {
  let result = shapes[0];
  for (const shape of shapes.slice(1)) {
    const ndim = Math.max(result.length, shape.length);
    const next = new Array(ndim);
    for (let axis = ndim - 1; axis >= 0; axis--) {
      const a = result[axis - (ndim - result.length)] ?? 1;
      const b = shape[axis - (ndim - shape.length)] ?? 1;
      if (a !== b && a !== 1 && b !== 1) {
        const sizes = `The size of tensor a (${a}) must match the size of tensor b (${b})`;
        raise("RuntimeError", `${sizes} at non-singleton dimension ${axis}`);
      }
      next[axis] = a === 1 ? b : a;
    }
    result = next;
  }
  return result;
}

/**
 * The dtype of a result. Tensors with axes decide; then 0-d tensors; then numbers. The later ones only count if they are of a higher
 * kind: x * 2.5 stays float16, and a tensor of whole numbers times 2.5 is float32.
 *
 * @param {Operand[]} operands
 */
export function resultType(operands) {
  /** @type {(DType | null)[]} */
  const groups = [null, null, null];
  for (const operand of operands) {
    const group = operand instanceof Scalar ? 2 : operand.ndim ? 0 : 1;
    const before = groups[group];
    groups[group] = before ? promote(before, operand.dtype) : operand.dtype;
  }
  /** @type {DType | null} */
  let result = null;
  for (const dtype of groups) if (dtype && (!result || dtype.kind > result.kind)) result = dtype;
  return /** @type {DType} */ (result);
}

/**
 * The strides of a new result: as the operands lie, if they lie alike; else their axes from the one with the smallest stride
 * outwards. The sort is TensorIterator's: an insertion sort that leaves what cannot be decided.
 *
 * @param {number[]} shape
 * @param {Operand[]} operands
 */
export function resultStrides(shape, operands) {
  const tensors = operands.filter((one) => one instanceof Tensor);
  if (tensors.length === operands.length && tensors.every((one) => sameSizes(one.shape, shape))) {
    if (tensors.every(isContiguous)) return contiguousStrides(shape);
    if (tensors.every(isChannelsLast)) {
      const [, channels, height, width] = shape;
      return [channels * height * width, 1, channels * width, channels];
    }
    const { strides } = tensors[0];
    if (tensors.every((one) => isDense(one) && sameSizes(one.strides, strides))) return [...strides];
  }
  return sortedStrides(
    shape,
    tensors.map((one) => broadcastStrides(one, shape)),
  );
}

/**
 * @param {number[]} a
 * @param {number[]} b
 */
export const sameSizes = (a, b) => a.length === b.length && a.every((size, axis) => size === b[axis]);

/**
 * @param {Tensor} tensor
 * @param {number[]} shape
 */
function broadcastStrides(tensor, shape) {
  const missing = shape.length - tensor.ndim;
  return shape.map((size, axis) => {
    const own = axis - missing;
    return own < 0 || (tensor.shape[own] === 1 && size !== 1) ? 0 : tensor.strides[own];
  });
}

/**
 * @param {number[]} shape
 * @param {number[][]} all the strides of each operand, 0 where it is broadcast
 */
export function sortedStrides(shape, all) {
  const ndim = shape.length;
  /** @param {number} a @param {number} b */
  const order = (a, b) => {
    for (const strides of all) {
      if (strides[a] === 0 || strides[b] === 0) continue;
      if (strides[a] !== strides[b]) return strides[a] - strides[b];
      if (shape[a] > shape[b]) return 1;
    }
    return 0;
  };
  const axes = shape.map((_, axis) => ndim - 1 - axis); // innermost first
  for (let next = 1; next < ndim; next++) {
    let here = next;
    for (let before = next - 1; before >= 0; before--) {
      const sign = order(axes[before], axes[here]);
      if (sign < 0) break;
      if (sign === 0) continue;
      [axes[before], axes[here]] = [axes[here], axes[before]];
      here = before;
    }
  }
  if (axes.every((axis, n) => axis === ndim - 1 - n)) return contiguousStrides(shape);
  /** @type {number[]} */
  const strides = new Array(ndim);
  let step = 1;
  for (const axis of axes) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

/**
 * Strides of a copy that keeps the order of the axes: torch.preserve_format.
 *
 * @param {Tensor} tensor
 */
export function keptStrides(tensor) {
  return isDense(tensor) ? [...tensor.strides] : sortedStrides(tensor.shape, [tensor.strides]);
}

/**
 * A copy with these strides and this dtype.
 *
 * @param {Tensor} tensor
 * @param {number[]} [strides]
 * @param {DType} [dtype]
 */
export function copyOf(tensor, strides = contiguousStrides(tensor.shape), dtype = tensor.dtype) {
  const made = empty(tensor.shape, dtype, strides);
  const from = numbersOf(tensor);
  const { data } = made.storage;
  spend(10 * from.length);
  const to = isContiguous(made) ? null : places(made);
  const convert = conversion(tensor.dtype, dtype);
  for (let n = 0; n < from.length; n++) data[to ? to[n] : n] = convert ? convert(from[n]) : from[n];
  return dtype === tensor.dtype ? made : rounded(made);
}

/** @param {Tensor} tensor */
export const clone = (tensor) => copyOf(tensor, keptStrides(tensor));

/** @param {Tensor} tensor */
export const contiguous = (tensor) => (isContiguous(tensor) ? tensor : copyOf(tensor));

/**
 * @param {DType} from
 * @param {DType} to
 * @returns {((value: number) => number) | null}
 */
function conversion(from, to) {
  if (to === from) return null;
  if (to === bool) return (value) => (value !== 0 ? 1 : 0);
  if (!to.isFloat && from.isFloat) {
    const least = to.bytes < 4 ? 0 : -(2 ** (8 * to.bytes - 1)); // what a processor makes of infinity and NaN
    return (value) => (Number.isFinite(value) ? Math.trunc(value) : least);
  }
  return null;
}

/**
 * Writes the numbers of one tensor, broadcast, into the places of another.
 *
 * @param {Tensor} target
 * @param {Tensor} source
 */
export function writeInto(target, source) {
  mustNotOverlap(target);
  const to = places(target);
  const from = places(source, target.shape);
  const read = target.storage === source.storage ? source.storage.data.slice() : source.storage.data;
  const { data } = target.storage;
  const convert = conversion(source.dtype, target.dtype);
  const { round } = target.dtype;
  spend(10 * to.length);
  for (let n = 0; n < to.length; n++) {
    const value = convert ? convert(read[from[n]]) : read[from[n]];
    data[to[n]] = round ? round(value) : value;
  }
  return target;
}

/**
 * Writes numbers, in the order of the shape, into a tensor.
 *
 * @param {Tensor} target
 * @param {ArrayLike<number>} numbers
 */
export function writeNumbers(target, numbers) {
  mustNotOverlap(target);
  const { data } = target.storage;
  const { round } = target.dtype;
  const to = places(target);
  spend(10 * numbers.length);
  for (let n = 0; n < numbers.length; n++) data[to[n]] = round ? round(numbers[n]) : numbers[n];
  return target;
}

/** @param {Tensor} target */
export function mustNotOverlap(target) {
  if (!overlaps(target)) return;
  const what = "unsupported operation: more than one element of the written-to tensor refers to a single memory location.";
  raise("RuntimeError", `${what} Please clone() the tensor before performing the operation.`);
}

/**
 * What is written in place may not grow.
 *
 * @param {Tensor} target
 * @param {number[]} shape
 */
export function mustHold(target, shape) {
  if (sameSizes(target.shape, shape)) return;
  raise("RuntimeError", `output with shape ${listed(target.shape)} doesn't match the broadcast shape ${listed(shape)}`);
}

/**
 * Computes element by element. `into` is a tensor that the result is written to, in place of a new one.
 *
 * @param {(a: number, b: number, c: number) => number | boolean} compute
 * @param {Operand[]} operands
 * @param {DType} dtype
 * @param {Tensor | null} [into]
 */
export function elementwise(compute, operands, dtype, into = null) {
  const shape = into ? into.shape : broadcast(operands.map((one) => (one instanceof Tensor ? one.shape : [])));
  const result = into ?? empty(shape, dtype, resultStrides(shape, operands));
  const { data } = result.storage;
  const count = result.count;
  spend(20 * count);
  const to = isContiguous(result) ? null : places(result);
  const { offset } = result;
  const { round } = result.dtype;
  const [a, b, c] = [0, 1, 2].map((n) => reader(operands[n], shape, count));
  for (let k = 0; k < count; k++) {
    const value = compute(
      a.data[a.at ? a.at[k] : a.start + k * a.step],
      b.data[b.at ? b.at[k] : b.start + k * b.step],
      c.data[c.at ? c.at[k] : c.start + k * c.step],
    );
    data[to ? to[k] : offset + k] = round ? round(+value) : +value;
  }
  return result;
}

/**
 * How to read the k-th number of an operand: at its place, or at start + k * step.
 *
 * @param {Operand | undefined} operand
 * @param {number[]} shape
 * @param {number} count
 */
function reader(operand, shape, count) {
  if (!(operand instanceof Tensor)) return { data: [operand ? operand.value : 0], at: null, start: 0, step: 0 };
  const { data } = operand.storage;
  if (operand.count === count && isContiguous(operand)) return { data, at: null, start: operand.offset, step: 1 };
  return { data, at: places(operand, shape), start: 0, step: 0 };
}
