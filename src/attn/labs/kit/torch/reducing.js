// Reductions, products and softmax as functions and methods.

import { raise, toNumber, tuple } from "../python/values.js";
import { bool, int64 } from "./dtype.js";
import { copyOf } from "./iterator.js";
import { softmax } from "./normalise.js";
import { define } from "./operation.js";
import { arithmetic } from "./pointwise.js";
import { bmm, dot, matmul, mm } from "./products.js";
import { allOf, any, argmax, argmin, chosen, max, mean, min, prod, reduce, sum, variance } from "./reduce.js";
import { axisOf } from "./tensor.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("./dtype.js").DType} DType */
/** @typedef {any} Value */

/** Sums of whole numbers are int64. @param {Tensor} x @param {DType | null} [dtype] */
export const summed = (x, dtype) => dtype ?? (x.dtype.isFloat ? x.dtype : int64);

/** @param {Tensor} x @param {DType | null} dtype */
export const cast = (x, dtype) => (dtype && dtype !== x.dtype ? copyOf(x, undefined, dtype) : x);

/**
 * @param {string} name
 * @param {Tensor} x
 * @param {DType | null} dtype
 */
function floatOnly(name, x, dtype = null) {
  const type = dtype ?? x.dtype;
  if (type.isFloat) return type;
  const input = dtype ? "Optional" : "Input";
  const rule = `${input} dtype must be either a floating point or complex dtype. Got: ${type.word}`;
  return raise("RuntimeError", `${name}(): could not infer output dtype. ${rule}`);
}

const byDims = (/** @type {string} */ name) =>
  `${name}(input T, *, dtype dtype?=None) | ${name}(input T, dim ints1?, keepdim bool=False, *, dtype dtype?=None)`;

for (const name of ["sum", "nansum"]) {
  define("tm", byDims(name), ({ input, dim = null, keepdim = false, dtype }) => {
    const fold = name === "sum" ? sum : (/** @type {Float64Array} */ row) => sum(row.filter((one) => !Number.isNaN(one)));
    return reduce(cast(input, dtype), dim, keepdim, summed(input, dtype), fold);
  });
}
define("tm", byDims("mean"), ({ input, dim = null, keepdim = false, dtype }) => {
  return reduce(input, dim, keepdim, floatOnly("mean", input, dtype), mean);
});
define(
  "tm",
  "prod(input T, *, dtype dtype?=None) | prod(input T, dim int, keepdim bool=False, *, dtype dtype?=None)",
  ({ input, dim, keepdim = false, dtype }) => reduce(input, dim === undefined ? null : [dim], keepdim, summed(input, dtype), prod),
);

/** @param {string} name @param {Tensor} x @param {number[] | null} dims */
function mustNotBeEmpty(name, x, dims) {
  if (dims === null || dims.length === 0) {
    if (x.count === 0) {
      raise(
        name.startsWith("arg") ? "IndexError" : "RuntimeError",
        `${name}(): Expected reduction dim to be specified for input.numel() == 0.${name.startsWith("arg") ? "" : " Specify the reduction dim with the 'dim' argument."}`,
      );
    }
    return;
  }
  for (const dim of dims) {
    const axis = axisOf(dim, x.ndim);
    if (x.shape[axis] === 0) raise("IndexError", `${name}(): Expected reduction dim ${dim} to have non-zero size.`);
  }
}

for (const [name, fold] of /** @type {const} */ ([
  ["amax", max],
  ["amin", min],
])) {
  define("tm", `${name}(input T, dim ints1=(), keepdim bool=False)`, ({ input, dim, keepdim }) => {
    mustNotBeEmpty(name, input, dim);
    return reduce(input, dim, keepdim, input.dtype, fold);
  });
}
for (const [name, fold] of /** @type {const} */ ([
  ["argmax", argmax],
  ["argmin", argmin],
])) {
  define("tm", `${name}(input T, dim int?=None, keepdim bool=False)`, ({ input, dim, keepdim }) => {
    if (input.dtype === bool) raise("RuntimeError", `${name}(): does not support bool input`);
    mustNotBeEmpty(name, input, dim === null ? null : [dim]);
    return reduce(input, dim === null ? null : [dim], keepdim, int64, fold);
  });
}
for (const [name, choose] of /** @type {const} */ ([
  ["max", argmax],
  ["min", argmin],
])) {
  const text = `${name}(input T) | ${name}(input T, dim int, keepdim bool=False) | ${name}(input T, other T)`;
  define("tm", text, ({ input, dim, keepdim = false, other }) => {
    if (other) return arithmetic(`${name}imum`, input, other);
    mustNotBeEmpty(name, input, dim === undefined ? null : [dim]);
    if (dim !== undefined) return chosen(name, input, dim, keepdim, choose);
    return reduce(input, null, false, input.dtype, name === "max" ? max : min);
  });
}
const spread = (/** @type {string} */ name) =>
  `${name}(input T, dim ints1?, unbiased bool=True, keepdim bool=False) | ${name}(input T, dim ints1?=None, *, correction num?=None, keepdim bool=False) | ` +
  `${name}(input T, unbiased bool=True)`;
for (const name of ["var", "std", "var_mean", "std_mean"]) {
  define("tm", spread(name), ({ input, dim = null, unbiased = true, keepdim = false, correction = null }) => {
    if (!input.dtype.isFloat) {
      const what = name.endsWith("mean") ? name : "std and var";
      raise("RuntimeError", `${what} only support floating point and complex dtypes`);
    }
    const taken = correction === null ? Number(unbiased) : toNumber(correction);
    const fold = variance(taken);
    const root = name.startsWith("std") ? (/** @type {Float64Array} */ row) => Math.sqrt(fold(row)) : fold;
    const result = reduce(input, dim, keepdim, input.dtype, root);
    const middle = (/** @type {Float64Array} */ row) => (row.every(Number.isFinite) ? mean(row) : Number.NaN);
    return name.endsWith("mean") ? tuple([result, reduce(input, dim, keepdim, input.dtype, middle)]) : result;
  });
}
for (const [name, fold] of /** @type {const} */ ([
  ["all", allOf],
  ["any", any],
])) {
  const text = `${name}(input T) | ${name}(input T, dim ints?=None, keepdim bool=False) | ${name}(input T, dim int, keepdim bool=False)`;
  define("tm", text, ({ input, dim = null, keepdim = false }) => {
    const dims = dim === null || Array.isArray(dim) ? dim : [dim];
    return reduce(input, dims, keepdim, input.dtype.name === "uint8" ? input.dtype : bool, fold);
  });
}
for (const name of /** @type {const} */ (["softmax", "log_softmax"])) {
  define("tm", `${name}(input T, dim int, dtype dtype?=None)`, ({ input, dim, dtype = null }) => softmax(name, input, dim, dtype));
}

define("tm", "matmul(input T, other T)", ({ input, other }) => matmul(input, other));
define("tm", "mm(input T, mat2 T) | mm(input T, mat2 T, out_dtype dtype)", ({ input, mat2 }) => mm(input, mat2));
define("tm", "bmm(input T, mat2 T) | bmm(input T, mat2 T, out_dtype dtype)", ({ input, mat2 }) => bmm(input, mat2));
define("tm", "dot(input T, tensor T)", (given) => dot(given.input, given.tensor));
