// The dtypes: how a storage keeps its numbers, and which dtype two of them have together.

import { Foreign, NotHere, PyClass } from "../python/values.js";

/** @typedef {Uint8Array | Int8Array | Int16Array | Int32Array | Float32Array | Float64Array} Numbers */

export const dtypeClass = new PyClass("dtype");

export class DType extends Foreign {
  /**
   * @param {string} name
   * @param {string} word as in messages: "Float", "Long"
   * @param {string} cpp its name in C++, as in other messages
   * @param {number} bytes
   * @param {number} kind 0 bool, 1 whole numbers, 2 floats
   * @param {new (given: any) => Numbers} Store
   * @param {((value: number) => number) | null} [round] what else a number loses when it is stored
   */
  constructor(name, word, cpp, bytes, kind, Store, round = null) {
    super();
    this.name = name;
    this.word = word;
    this.cpp = cpp;
    this.bytes = bytes;
    this.kind = kind;
    this.Store = Store;
    this.round = round;
    this.isFloat = kind === 2;
    this.tensorName = `torch.${word}Tensor`;
    /** what C++ calls a tensor of it */
    this.cppTensor = name === "bool" || name === "bfloat16" ? `CPU${word}Type` : this.tensorName;
  }

  get typeName() {
    return "torch.dtype";
  }

  get type() {
    return dtypeClass;
  }

  repr() {
    return `torch.${this.name}`;
  }

  // Comes with the second script.
  /** @param {string} name */
  attribute(name) {
    if (name === "is_floating_point") return this.isFloat;
    if (name === "is_complex") return false;
    if (name === "is_signed") return this !== bool && this !== uint8;
    if (name === "itemsize") return this.bytes;
    if (["to_real", "to_complex"].includes(name)) throw new NotHere(`torch.dtype.${name}`);
    return Foreign.prototype.attribute.call(this, name);
  }
}

/**
 * Rounds to the nearest float of fewer bits, halves to even.
 *
 * @param {number} mantissa bits after the point
 * @param {number} least the smallest exponent
 * @param {number} limit the first number that is infinite
 */
function rounding(mantissa, least, limit) {
  return (/** @type {number} */ value) => {
    const single = Math.fround(value);
    if (!Number.isFinite(single) || single === 0) return single;
    const step = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(single))), least) - mantissa);
    const count = single / step;
    const below = Math.floor(count);
    const rest = count - below;
    const rounded = (rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below) * step;
    return Math.abs(rounded) >= limit ? Math.sign(rounded) * Infinity : rounded || (single < 0 ? -0 : 0);
  };
}

export const bool = new DType("bool", "Bool", "bool", 1, 0, Uint8Array);
export const uint8 = new DType("uint8", "Byte", "unsigned char", 1, 1, Uint8Array);
export const int8 = new DType("int8", "Char", "signed char", 1, 1, Int8Array);
export const int16 = new DType("int16", "Short", "short", 2, 1, Int16Array);
export const int32 = new DType("int32", "Int", "int", 4, 1, Int32Array);
export const int64 = new DType("int64", "Long", "long int", 8, 1, Float64Array);
export const float16 = new DType("float16", "Half", "c10::Half", 2, 2, Float32Array, rounding(10, -14, 65520));
export const bfloat16 = new DType("bfloat16", "BFloat16", "c10::BFloat16", 2, 2, Float32Array, rounding(7, -126, 2 ** 128));
export const float32 = new DType("float32", "Float", "float", 4, 2, Float32Array);
export const float64 = new DType("float64", "Double", "double", 8, 2, Float64Array);

export const dtypes = [bool, uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64];

/** Other names of the same dtypes, in torch and as methods of tensors. */
export const shortNames = { float: float32, double: float64, half: float16, long: int64, int: int32, short: int16 };

/**
 * @param {DType} a
 * @param {DType} b
 */
export function promote(a, b) {
  if (a === b) return a;
  if (a.kind === 2 && b.kind === 2 && a.bytes === b.bytes) return float32; // float16 with bfloat16
  const unsigned = a === uint8 ? b : b === uint8 ? a : null;
  if (unsigned?.kind === 1 && unsigned.bytes === 1) return int16;
  return dtypes.indexOf(a) > dtypes.indexOf(b) ? a : b;
}
