// A tensor: a storage of numbers, and a shape, strides and an offset that say how to walk through it. Views share the storage.

import { Foreign, Limit, PyClass, raise } from "../python/values.js";
import { float32 } from "./dtype.js";
import { contiguousStrides, countOf, isContiguous } from "./layout.js";

/** @typedef {import("./dtype.js").DType} DType */
/** @typedef {import("./dtype.js").Numbers} Numbers */
/** @typedef {{ data: Numbers, id: number, bytes: number }} Storage */

/** What one program may use: more elements or more work is for Jupyter. */
export const limits = { elements: 3e6, work: 1.4e8 };

/** What the program has used so far, and the time of how many programs it has. */
export const used = { work: 0, elements: 0, runs: 1 };

/** @param {number} amount in products of a matrix product: about half a nanosecond each */
export function spend(amount) {
  used.work += amount;
  if (used.work > used.runs * limits.work)
    throw new Limit("this is more arithmetic than the page does at a time: choose smaller sizes");
}

/**
 * A view needs no memory of its own, but whatever walks over it does.
 *
 * @param {number} count elements of a tensor, a view or a list
 */
export function mustFit(count) {
  if (count > used.runs * limits.elements) {
    throw new Limit(`${count} elements are too many for the page: choose smaller sizes`);
  }
}

let storages = 0;

/**
 * @param {number} count
 * @param {DType} dtype
 * @returns {Storage}
 */
function newStorage(count, dtype) {
  mustFit(used.elements + count);
  used.elements += count;
  spend(8000 + (dtype.round ? 100 : 10) * count); // however small it is
  return { data: new dtype.Store(count), id: ++storages, bytes: count * dtype.bytes };
}

export const tensorClass = new PyClass("Tensor");
export const parameterClass = new PyClass("Parameter", [tensorClass]);

/** What Python sees of a tensor: filled in by attributes.js, so that the modules that compute need not know it. */
export const behaviour = /** @type {Record<string, any>} */ ({});

export class Tensor extends Foreign {
  /**
   * @param {Storage} storage
   * @param {number[]} shape
   * @param {number[]} strides
   * @param {number} offset
   * @param {DType} dtype
   */
  constructor(storage, shape, strides, offset, dtype) {
    super();
    this.storage = storage;
    this.shape = shape;
    this.strides = strides;
    this.offset = offset;
    this.dtype = dtype;
    this.requiresGrad = false;
    /** @type {string | null} the name of its grad_fn, as torch prints it; null for a tensor that no operation made */
    this.madeBy = null;
    this.isParameter = false;
    /** does it share the memory of a leaf that requires a gradient, so that nothing may be written to it? */
    this.viewsLeaf = false;
    /** @type {Map<string, any> | null} attributes that the program set */
    this.extra = null;
  }

  get ndim() {
    return this.shape.length;
  }

  get count() {
    return countOf(this.shape);
  }

  get typeName() {
    return this.isParameter ? "Parameter" : "Tensor";
  }

  get type() {
    return this.isParameter ? parameterClass : tensorClass;
  }

  repr() {
    return behaviour.repr(this);
  }

  truth() {
    return behaviour.truth(this);
  }

  /** @param {string} name */
  attribute(name) {
    return behaviour.attribute(this, name);
  }

  /**
   * @param {string} name
   * @param {any} value
   */
  setAttribute(name, value) {
    behaviour.setAttribute(this, name, value);
  }

  length() {
    return this.ndim ? this.shape[0] : raise("TypeError", "len() of a 0-d tensor");
  }

  items() {
    return behaviour.items(this);
  }

  /** @param {any} index */
  getItem(index) {
    return behaviour.getItem(this, index);
  }

  /**
   * @param {any} index
   * @param {any} value
   */
  setItem(index, value) {
    behaviour.setItem(this, index, value);
  }

  /**
   * @param {string} operator
   * @param {any} other
   * @param {boolean} reflected
   */
  binary(operator, other, reflected) {
    return behaviour.binary(this, operator, other, reflected);
  }

  /**
   * @param {string} operator
   * @param {any} other
   */
  augmented(operator, other) {
    return behaviour.augmented(this, operator, other);
  }

  /** @param {string} operator */
  unary(operator) {
    return behaviour.unary(this, operator);
  }

  scalar() {
    return behaviour.scalar(this);
  }

  index() {
    return behaviour.index(this);
  }

  formatted() {
    return behaviour.formatted(this);
  }
}

/**
 * A new tensor of zeros.
 *
 * @param {number[]} shape
 * @param {DType} [dtype]
 * @param {number[]} [strides]
 */
export function empty(shape, dtype = float32, strides = contiguousStrides(shape)) {
  return new Tensor(newStorage(countOf(shape), dtype), [...shape], strides, 0, dtype);
}

/**
 * @param {ArrayLike<number>} numbers
 * @param {number[]} shape
 * @param {DType} [dtype]
 */
export function fromNumbers(numbers, shape, dtype = float32) {
  const made = empty(shape, dtype);
  made.storage.data.set(numbers);
  return rounded(made);
}

/**
 * @param {number} value
 * @param {DType} dtype
 */
export const scalarTensor = (value, dtype) => fromNumbers([value], [], dtype);

/**
 * Rounds a whole new tensor to what its dtype can hold. (Typed arrays do it for the others.)
 *
 * @param {Tensor} tensor
 */
export function rounded(tensor) {
  const { round } = tensor.dtype;
  const { data } = tensor.storage;
  if (round) for (let n = 0; n < data.length; n++) data[n] = round(data[n]);
  return tensor;
}

/**
 * The same storage, seen otherwise.
 *
 * @param {Tensor} tensor
 * @param {number[]} shape
 * @param {number[]} strides
 * @param {number} [offset]
 */
export function viewOf(tensor, shape, strides, offset = tensor.offset) {
  mustFit(countOf(shape));
  spend(1000);
  return new Tensor(tensor.storage, shape, strides, offset, tensor.dtype);
}

/**
 * Where in the storage the numbers are, in the order of `shape`, to which the tensor is broadcast.
 *
 * @param {Tensor} tensor
 * @param {number[]} [shape]
 */
export function places(tensor, shape = tensor.shape) {
  const found = new Int32Array(countOf(shape));
  if (!found.length) return found;
  const missing = shape.length - tensor.shape.length;
  let filled = 1;
  found[0] = tensor.offset;
  // From the last axis outwards: what is there already, once more for each index of this axis.
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const own = axis - missing;
    const step = own < 0 || tensor.shape[own] === 1 ? 0 : tensor.strides[own];
    for (let index = 1, to = filled; index < shape[axis]; index++) {
      const further = index * step;
      for (let k = 0; k < filled; k++) found[to++] = found[k] + further;
    }
    filled *= shape[axis];
  }
  return found;
}

/**
 * The numbers in the order of the shape: a part of the storage where it has that order already, so they are not to be changed.
 *
 * @param {Tensor} tensor
 * @returns {Numbers}
 */
export function numbersOf(tensor) {
  const { data } = tensor.storage;
  if (isContiguous(tensor)) return data.subarray(tensor.offset, tensor.offset + tensor.count);
  const from = places(tensor);
  const numbers = new tensor.dtype.Store(from.length);
  for (let k = 0; k < from.length; k++) numbers[k] = data[from[k]];
  return numbers;
}

/**
 * An axis counted from the front, from an index that may be negative.
 *
 * @param {number} dim
 * @param {number} ndim
 */
export function axisOf(dim, ndim) {
  const range = Math.max(ndim, 1);
  if (dim >= -range && dim < range) return dim < 0 ? dim + range : dim;
  const expected = `expected to be in range of [${-range}, ${range - 1}], but got ${dim}`;
  return raise("IndexError", `Dimension out of range (${expected})`);
}

/** @param {readonly number[]} sizes */
export const listed = (sizes) => `[${sizes.join(", ")}]`;
