// Tensors out of Python's lists and numbers, and filled with one number.

import { Float, isNumber, PySet, Range, raise, toNumber } from "../python/values.js";
import { bool, float32, int64, uint8 } from "./dtype.js";
import { copyOf, resultType } from "./iterator.js";
import { kindOf } from "./signature.js";
import { empty, fromNumbers, Tensor } from "./tensor.js";

/** @typedef {import("./dtype.js").DType} DType */

/** @param {any} value */
const isSequence = (value) => Array.isArray(value) || value instanceof Range;

/**
 * @param {Tensor} x
 * @returns {any} a number, bool or Float
 */
export function itemOf(x) {
  if (x.count !== 1) raise("RuntimeError", `a Tensor with ${x.count} elements cannot be converted to Scalar`);
  const value = x.storage.data[x.offset];
  if (x.dtype === bool) return value !== 0;
  return x.dtype.isFloat ? new Float(value) : value;
}

/**
 * torch.tensor(data)
 *
 * @param {any} data
 * @param {DType | null} dtype
 */
export function tensorFrom(data, dtype) {
  if (data instanceof Tensor) return copyOf(data, undefined, dtype ?? data.dtype);
  /** @type {number[]} */
  const shape = [];
  for (let inner = data; isSequence(inner); inner = [...inner][0]) {
    shape.push(inner.length);
    if (shape.at(-1) === 0) break;
    if (shape.length > 128) raise("ValueError", "too many dimensions 'list'");
  }
  /** @type {any[]} */
  const found = [];
  collect(data, shape, 0, found);
  const type = dtype ?? inferredType(found);
  const numbers = found.map((one) => (one instanceof Tensor ? toNumber(itemOf(one)) : toNumber(one)));
  if (type === bool)
    return fromNumbers(
      numbers.map((one) => (one !== 0 ? 1 : 0)),
      shape,
      type,
    );
  if (!type.isFloat && numbers.some(Number.isNaN)) raise("ValueError", "cannot convert float NaN to integer");
  if (!type.isFloat && numbers.some((one) => !Number.isFinite(one)))
    raise("OverflowError", "cannot convert float infinity to integer");
  return fromNumbers(type.isFloat ? numbers : numbers.map(Math.trunc), shape, type);
}

/**
 * @param {any} value
 * @param {number[]} shape
 * @param {number} depth
 * @param {any[]} found
 */
function collect(value, shape, depth, found) {
  if (depth < shape.length) {
    const items = isSequence(value) ? [...value] : null;
    if (!items) raise("TypeError", "not a sequence");
    if (items.length !== shape[depth]) {
      raise("ValueError", `expected sequence of length ${shape[depth]} at dim ${depth} (got ${items.length})`);
    }
    for (const item of items) collect(item, shape, depth + 1, found);
  } else if (value instanceof Tensor) {
    if (value.count !== 1) raise("ValueError", "only one element tensors can be converted to Python scalars");
    found.push(value);
  } else if (isNumber(value)) found.push(value);
  else if (isSequence(value)) raise("TypeError", `not a sequence`);
  else if (typeof value === "string") {
    raise("TypeError", "new(): invalid data type 'str'");
  } else raise("RuntimeError", `Could not infer dtype of ${value instanceof PySet ? "set" : kindOf(value)}`);
}

/** @param {any[]} found */
function inferredType(found) {
  if (!found.length) return float32;
  const tensors = found.filter((one) => one instanceof Tensor);
  if (found.some((one) => one instanceof Float)) return tensors.length ? resultType([...tensors, empty([], float32)]) : float32;
  if (tensors.length) return resultType(tensors);
  return found.every((one) => typeof one === "boolean") ? bool : int64;
}

/** The largest numbers of a dtype, where they are not those of a whole number of its size. @type {Record<string, number>} */
const largest = { float16: 65504, bfloat16: 2 ** 127 * (2 - 2 ** -7), float32: 2 ** 127 * (2 - 2 ** -23), float64: Infinity };

/**
 * A number as a tensor of this dtype holds it, or torch's error if it cannot.
 *
 * @param {number} value
 * @param {DType} dtype
 */
export function storable(value, dtype) {
  if (dtype === bool) return Number(value !== 0);
  const limit = largest[dtype.name] ?? (dtype === uint8 ? 255 : 2 ** (8 * dtype.bytes - 1) - 1);
  const fits = dtype.isFloat ? Math.abs(value) <= limit || !Number.isFinite(value) : value <= limit && value >= -limit - 1;
  if (fits) return dtype.isFloat ? (dtype.round?.(value) ?? value) : Math.trunc(value);
  const whole = { int64: "int64_t", uint8: "uint8_t", int8: "int8_t", int16: "int16_t" };
  const cpp = /** @type {Record<string, string>} */ (whole)[dtype.name] ?? dtype.cpp;
  return raise("RuntimeError", `value cannot be converted to type ${cpp} without overflow`);
}

/**
 * @param {number[]} shape
 * @param {number} value
 * @param {DType} dtype
 */
export function filledTensor(shape, value, dtype) {
  const made = empty(shape, dtype);
  const stored = storable(value, dtype);
  if (stored !== 0) made.storage.data.fill(stored);
  return made;
}
