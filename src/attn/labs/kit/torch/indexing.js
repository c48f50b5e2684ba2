// x[...] and x[...] = y: whole numbers, slices, None and ... make views; lists, tensors of indices and masks gather numbers.

import { ELLIPSIS, Foreign, isInt, isNumber, NotHere, Range, raise, Slice, Tuple, toNumber } from "../python/values.js";
import { storable, tensorFrom } from "./create.js";
import { bool, int64, uint8 } from "./dtype.js";
import { broadcast, contiguous, sortedStrides, writeInto } from "./iterator.js";
import { contiguousStrides, countOf, isContiguous } from "./layout.js";
import { kindOf, toInt } from "./signature.js";
import { axisOf, empty, fromNumbers, listed, numbersOf, places, scalarTensor, spend, Tensor, viewOf } from "./tensor.js";
import { alias, expand, part, reordered, selected, unsqueeze, view } from "./views.js";

/** @typedef {any} Value */
/** @typedef {{ x: Tensor, indices: (Tensor | null)[] }} Indexed the views are taken; the tensors of indices remain, one per axis */

/** @param {Value} index */
const isList = (index) => index instanceof Range || Array.isArray(index);

/** @param {Tensor} x */
const isMask = (x) => x.dtype === bool || x.dtype === uint8;

/** @param {Value} index a list, a range or a tensor */
function asTensor(index) {
  return index instanceof Tensor ? index : tensorFrom(index instanceof Range ? [...index] : index, null);
}

/** The parts of an index: x[1, 2] and x[(1, 2)] have two. @param {Value} index */
function indexParts(index) {
  if (index instanceof Tuple) return [...index];
  const nested = (/** @type {Value} */ one) =>
    isList(one) || one instanceof Tensor || one instanceof Slice || one === null || one === ELLIPSIS;
  // An old rule: a short list that holds more than numbers is read as a tuple.
  if (Array.isArray(index) && index.length < 32 && index.some(nested)) return [...index];
  return [index];
}

/** @param {Value} index how many axes it uses up */
function usedIndex(index) {
  if (index === null || index === ELLIPSIS || typeof index === "boolean") return 0;
  return index instanceof Tensor && isMask(index) ? index.ndim : 1;
}

/**
 * @param {Slice} slice
 * @param {number} size
 */
function rangeOfSlice(slice, size) {
  const [start, stop, step] = [slice.start, slice.stop, slice.step].map((one) => {
    if (one === null) return null;
    if (isInt(one)) return Number(one);
    if (one instanceof Tensor && one.count === 1 && !one.dtype.isFloat) return toInt(one);
    if (one instanceof Tensor) return raise("TypeError", "only integer tensors of a single element can be converted to an index");
    return raise("TypeError", "slice indices must be integers or None or have an __index__ method");
  });
  if (step === 0) raise("ValueError", "slice step cannot be zero");
  if (step !== null && step < 0) raise("ValueError", "step must be greater than zero");
  const clip = (/** @type {number} */ n) => Math.min(Math.max(n < 0 ? n + size : n, 0), size);
  const [from, to] = [clip(start ?? 0), clip(stop ?? size)];
  return { from, length: Math.max(0, Math.ceil((to - from) / (step ?? 1))), step: step ?? 1 };
}

// Comes with the second script.
/** What torch says of an index of a 0-d tensor. @param {Value} index */
function noneOfScalar(index) {
  if (index instanceof Slice) {
    rangeOfSlice(index, 1);
    raise("IndexError", "slice() cannot be applied to a 0-dim tensor.");
  }
  if (typeof index !== "number") return;
  if (index) raise("IndexError", `index ${index} is out of bounds for dimension 0 with size 0`);
  const instead = "Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number";
  raise("IndexError", `invalid index of a 0-dim tensor. ${instead}`);
}

/**
 * @param {Tensor} tensor
 * @param {Value} index
 * @returns {Indexed}
 */
function indexed(tensor, index) {
  const parts = indexParts(index);
  const axes = parts.reduce((total, one) => total + usedIndex(one), 0);
  if (!tensor.ndim) noneOfScalar(index);
  if (axes > tensor.ndim) raise("IndexError", `too many indices for tensor of dimension ${tensor.ndim}`);
  let x = tensor;
  let axis = 0;
  let gone = 0; // axes that whole numbers removed, which messages still count
  /** @type {(Tensor | null)[]} */
  const indices = [];
  for (const one of parts) {
    if (one === ELLIPSIS) {
      axis += tensor.ndim - axes;
    } else if (one === null) x = unsqueeze(x, axis++);
    else if (typeof one === "boolean" || (one instanceof Tensor && !one.ndim && isMask(one))) {
      const chosen = typeof one === "boolean" ? one : toInt(one) !== 0;
      x = unsqueeze(x, axis);
      indices[axis++] = fromNumbers(chosen ? [0] : [], [chosen ? 1 : 0], int64);
    } else if (one instanceof Slice) {
      const { from, length, step } = rangeOfSlice(one, x.shape[existing(axis, x)]);
      x = part(x, axis++, from, length, step);
    } else if (isInt(one) || (one instanceof Tensor && one.ndim === 0 && one.dtype.kind === 1)) {
      x = selected(x, axis, inRange(toInt(one), x.shape[existing(axis, x)], axis + gone++));
    } else if (one instanceof Tensor || isList(one)) {
      const found = asTensor(one);
      if (isMask(found)) {
        for (const each of positions(found, x, axis)) indices[axis++] = each;
      } else {
        if (found.dtype.isFloat && (found.count || one instanceof Tensor)) {
          raise("IndexError", "tensors used as indices must be long, int, byte or bool tensors");
        }
        indices[axis++] = found;
      }
    } else if (typeof one === "string") raise("TypeError", "new(): invalid data type 'str'");
    else {
      const allowed = "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices";
      raise("IndexError", `${allowed} (got ${one instanceof Foreign ? one.typeName : kindOf(one)})`);
    }
  }
  return { x, indices: Array.from({ length: x.ndim }, (_, n) => indices[n] ?? null) };
}

/** A second ... may step over the end. @param {number} axis @param {Tensor} x */
const existing = (axis, x) => axisOf(axis, x.ndim);

/**
 * @param {number} index
 * @param {number} size
 * @param {number} dim
 */
function inRange(index, size, dim) {
  if (index >= -size && index < size) return index < 0 ? index + size : index;
  return raise("IndexError", `index ${index} is out of bounds for dimension ${dim} with size ${size}`);
}

// Comes with the second script.
/**
 * Where a mask is true: a tensor of indices for each of its axes.
 *
 * @param {Tensor} mask
 * @param {Tensor} x
 * @param {number} axis
 */
function positions(mask, x, axis) {
  for (const [n, size] of mask.shape.entries()) {
    if (size === x.shape[axis + n]) continue;
    const both = `The shape of the mask ${listed(mask.shape)} at index ${n} does not match the shape of the indexed tensor`;
    raise("IndexError", `${both} ${listed(x.shape)} at index ${axis + n}`);
  }
  const found = nonzero(mask);
  return mask.shape.map((_, n) =>
    fromNumbers(
      found.map((index) => index[n]),
      [found.length],
      int64,
    ),
  );
}

// Comes with the second script.
/**
 * The indices of the numbers that are not zero.
 *
 * @param {Tensor} x
 */
export function nonzero(x) {
  const numbers = numbersOf(x);
  /** @type {number[][]} */
  const found = [];
  for (let n = 0; n < numbers.length; n++) {
    if (numbers[n] === 0) continue;
    const index = new Array(x.ndim);
    for (let axis = x.ndim - 1, left = n; axis >= 0; axis--) {
      index[axis] = left % x.shape[axis];
      left = Math.floor(left / x.shape[axis]);
    }
    found.push(index);
  }
  return found;
}

// Comes with the second script.
/**
 * Where the gathered numbers are in the storage, and the shape and strides that the result has: TensorAdvancedIndexing.cpp. The axes
 * of the indices replace the axes that they index; they come first if these are not neighbours.
 *
 * @param {Indexed} given
 */
function gathered({ x: source, indices: given }) {
  let x = source;
  let indices = given;
  const axes = indices.map((_, axis) => axis).filter((axis) => indices[axis]);
  if (axes.at(-1) !== axes[0] + axes.length - 1) {
    const order = [...axes, ...indices.map((_, axis) => axis).filter((axis) => !indices[axis])];
    x = reordered(x, order);
    indices = order.map((axis) => indices[axis]);
  }
  const own = /** @type {Tensor[]} */ (indices.filter(Boolean));
  const first = indices.findIndex(Boolean);
  const shape = broadcastIndices(own);
  const sizes = x.shape.slice(first, first + own.length);
  const steps = x.strides.slice(first, first + own.length);
  if (sizes.includes(0) && countOf(shape)) {
    raise("IndexError", "index is out of bounds for dimension with size 0");
  }
  const offsets = new Int32Array(countOf(shape));
  const result = [...x.shape.slice(0, first), ...shape, ...x.shape.slice(first + own.length)];
  if (!countOf(result)) return { found: offsets.subarray(0, 0), shape: result, strides: contiguousStrides(result) };
  for (const [n, index] of own.entries()) {
    const { data } = index.storage;
    places(index, shape).forEach((place, k) => {
      offsets[k] += inRange(data[place], sizes[n], n) * steps[n];
    });
  }
  const before = places(viewOf(x, x.shape.slice(0, first), x.strides.slice(0, first)));
  const after = places(viewOf(x, x.shape.slice(first + own.length), x.strides.slice(first + own.length), 0));
  const found = new Int32Array(before.length * offsets.length * after.length);
  spend(10 * found.length);
  let n = 0;
  for (const start of before) for (const offset of offsets) for (const end of after) found[n++] = start + offset + end;
  const wide = shape.map(() => 0);
  const around = [x.strides.slice(0, first), x.strides.slice(first + own.length)];
  const read = own.map((index) => {
    const missing = shape.length - index.ndim;
    const inner = shape.map((size, axis) => {
      const place = axis - missing;
      return place < 0 || (index.shape[place] === 1 && size !== 1) ? 0 : contiguousStride(index, place);
    });
    return [...around[0].map(() => 0), ...inner, ...around[1].map(() => 0)];
  });
  return { found, shape: result, strides: sortedStrides(result, [[...around[0], ...wide, ...around[1]], ...read]) };
}

/**
 * @param {Tensor} index
 * @param {number} axis
 */
const contiguousStride = (index, axis) => index.strides[axis];

// Comes with the second script.
/** @param {Tensor[]} indices */
function broadcastIndices(indices) {
  const shapes = indices.map((one) => one.shape);
  try {
    return broadcast(shapes);
  } catch {
    const all = shapes.map(listed).join(", ");
    return raise("IndexError", `shape mismatch: indexing tensors could not be broadcast together with shapes ${all}`);
  }
}

/**
 * @param {Tensor} tensor
 * @param {Value} index
 */
export function getItem(tensor, index) {
  const given = indexed(tensor, index);
  if (!given.indices.some(Boolean)) return given.x === tensor ? alias(tensor) : given.x;
  const { found, shape, strides } = gathered(given);
  const result = empty(shape, tensor.dtype, strides);
  const to = places(result);
  for (let n = 0; n < found.length; n++) result.storage.data[to[n]] = tensor.storage.data[found[n]];
  return result;
}

// Comes with the second script.
/**
 * @param {Tensor} tensor
 * @param {Value} index
 * @param {Value} value a tensor or a number
 */
export function setItem(tensor, index, value) {
  const source =
    value instanceof Tensor
      ? value
      : isNumber(value)
        ? scalarTensor(storable(toNumber(value), tensor.dtype), tensor.dtype)
        : notAssignable(tensor, value);
  const given = indexed(tensor, index);
  if (!given.indices.some(Boolean)) {
    writeInto(given.x, expand(withoutLeadingOnes(source, given.x.ndim), given.x.shape));
    return;
  }
  if (source.dtype !== tensor.dtype && source.ndim) {
    const types = `Got ${tensor.dtype.word} for the destination and ${source.dtype.word} for the source.`;
    raise("RuntimeError", `Index put requires the source and destination dtypes match, got ${types.slice(4)}`);
  }
  const { found, shape } = gathered(given);
  const numbers = numbersOf(expand(matching(source, shape), shape));
  const { round } = tensor.dtype;
  const { data } = tensor.storage;
  for (let n = 0; n < found.length; n++) data[found[n]] = round ? round(numbers[n]) : numbers[n];
}

// Comes with the second script.
/**
 * @param {Tensor} source
 * @param {number[]} shape
 */
function matching(source, shape) {
  const slim = withoutLeadingOnes(source, shape.length);
  const missing = shape.length - slim.ndim;
  const fits = missing >= 0 && slim.shape.every((size, axis) => size === 1 || size === shape[axis + missing]);
  if (fits) return slim;
  const both = `value tensor of shape ${listed(source.shape)} cannot be broadcast to indexing result of shape ${listed(shape)}`;
  return raise("RuntimeError", `shape mismatch: ${both}`);
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {number} ndim
 */
function withoutLeadingOnes(x, ndim) {
  const extra = x.ndim - ndim;
  if (extra <= 0 || !x.shape.slice(0, extra).every((size) => size === 1)) return x;
  return view(contiguous(x), x.shape.slice(extra));
}

// Comes with the second script.
/**
 * @param {Tensor} tensor
 * @param {Value} value
 * @returns {never}
 */
function notAssignable(tensor, value) {
  if (value instanceof Foreign) throw new NotHere(`assigning a ${value.typeName}`);
  return raise("TypeError", `can't assign a ${kindOf(value)} to a ${tensor.dtype.tensorName}`);
}

// Comes with the second script.
/**
 * Rows of x along an axis, by their indices.
 *
 * @param {Tensor} x
 * @param {number} dim
 * @param {ArrayLike<number>} index
 */
export function indexSelect(x, dim, index) {
  const axis = axisOf(dim, x.ndim);
  const result = empty(x.ndim ? x.shape.with(axis, index.length) : [], x.dtype);
  for (let to = 0; to < index.length; to++) {
    const from = index[to];
    if (from < 0 || from >= (x.shape[axis] ?? 1)) outOfBounds(x, axis, from);
    if (!x.ndim) writeInto(result, x);
    else writeInto(part(result, axis, to, 1), part(x, axis, from, 1));
  }
  return result;
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {number} axis
 * @param {number} index
 */
function outOfBounds(x, axis, index) {
  if (isContiguous(x) && x.count) raise("IndexError", "index out of range in self");
  if (!x.shape[axis]) raise("RuntimeError", "index_select(): self indexing axis dim should be positive");
  raise("RuntimeError", `INDICES element is out of DATA bounds, id=${index} axis_dim=${x.shape[axis]}`);
}
