// Reductions, products and softmax as functions and methods.

import { isInt, NamedTuple, NotHere, raise, toNumber, tuple } from "../python/values.js";
import { softmax } from "./attention.js";
import { bool, int64 } from "./dtype.js";
import { copyOf, elementwise, resultType } from "./iterator.js";
import { binary } from "./kernels.js";
import { define } from "./operation.js";
import { arithmetic, floating } from "./pointwise.js";
import { addmm, baddbmm, bmm, dot, matmul, mm, mv, tensordot } from "./products.js";
import {
  allOf,
  along,
  any,
  argmax,
  argmin,
  chosen,
  cumulative,
  logsumexp,
  max,
  mean,
  min,
  normFold,
  prod,
  reduce,
  sum,
  variance,
  withIndices,
} from "./reduce.js";
import { axisOf, listed } from "./tensor.js";
import { diagonal, part, unsqueeze } from "./views.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("./dtype.js").DType} DType */
/** @typedef {any} Value */

/** Sums of whole numbers are int64. @param {Tensor} x @param {DType | null} [dtype] */
const summed = (x, dtype) => dtype ?? (x.dtype.isFloat ? x.dtype : int64);

/** @param {Tensor} x @param {DType | null} dtype */
const cast = (x, dtype) => (dtype && dtype !== x.dtype ? copyOf(x, undefined, dtype) : x);

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
define("tm", "aminmax(input T, *, dim int?=None, keepdim bool=False)", ({ input, dim, keepdim }) => {
  const dims = dim === null ? null : [dim];
  if (!input.count && dim === null) {
    raise("RuntimeError", "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
  }
  const found = [min, max].map((fold) => reduce(input, dims, keepdim, input.dtype, fold));
  return NamedTuple.named("torch.return_types.aminmax", ["min", "max"], found);
});
define("tm", "median(input T) | median(input T, dim int, keepdim bool=False)", (given) => {
  const { input, dim, keepdim = false } = given;
  if (input.dtype === bool) {
    raise("NotImplementedError", `"${dim === undefined ? "median_cpu" : "median_out"}" not implemented for 'Bool'`);
  }
  const choose = (/** @type {Float64Array} */ row) => {
    const nan = row.findIndex(Number.isNaN);
    if (nan >= 0) return nan;
    const order = Array.from(row, (_, k) => k).sort((a, b) => row[a] - row[b]);
    return order[Math.floor((row.length - 1) / 2)];
  };
  if (dim !== undefined) return chosen("median", input, dim, keepdim, choose);
  return reduce(input, null, false, input.dtype, (row) => row[choose(row)]);
});

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
define("tm", "count_nonzero(input T, dim int?=None) | count_nonzero(input T, dim ints)", ({ input, dim }) => {
  const dims = dim === null || Array.isArray(dim) ? dim : [dim];
  return reduce(input, dims, false, int64, (row) => row.reduce((count, one) => count + Number(one !== 0), 0));
});
define("tm", "logsumexp(input T, dim ints1, keepdim bool=False)", ({ input, dim, keepdim }) =>
  reduce(input, dim, keepdim, floating(input.dtype), logsumexp),
);

/** @param {Value} p the order of a norm */
function order(p) {
  if (p === null || p === "fro") return 2;
  if (p === "nuc" || typeof p === "string") throw new NotHere(`norm(p=${p})`);
  return toNumber(p);
}

/**
 * @param {Tensor} x
 * @param {Value} p
 * @param {Value} dim
 * @param {boolean} keepdim
 * @param {DType | null} dtype
 */
export function norm(x, p, dim, keepdim, dtype) {
  const dims = dim === null || Array.isArray(dim) ? dim : [dim];
  const type = dtype ?? x.dtype;
  if (!type.isFloat) {
    raise("RuntimeError", `linalg.vector_norm: Expected a floating point or complex tensor as input. Got ${type.word}`);
  }
  if (!x.count && order(p) === Infinity && dims === null) {
    const what = "cannot compute the inf norm on an empty tensor because the operation does not have an identity";
    raise("RuntimeError", `linalg.vector_norm ${what}`);
  }
  return reduce(cast(x, dtype), dims && [...dims], keepdim, type, normFold(order(p)));
}
define(
  "tm",
  "norm(input T, p any='fro', dim any=None, keepdim bool=False, dtype dtype?=None)",
  (given) => norm(given.input, given.p, given.dim, given.keepdim, given.dtype),
  { python: true },
);

for (const [name, step] of /** @type {const} */ ([
  ["cumsum", binary.add],
  ["cumprod", binary.mul],
])) {
  define("tm", `${name}(input T, dim int, *, dtype dtype?=None)`, ({ input, dim, dtype }) =>
    along(cast(input, dtype), dim, summed(input, dtype), cumulative(step)),
  );
}
for (const name of ["cummax", "cummin"]) {
  define("tm", `${name}(input T, dim int)`, ({ input, dim }) => {
    const better = (/** @type {number} */ a, /** @type {number} */ b) => (name === "cummax" ? b >= a : b <= a);
    const value = along(
      input,
      dim,
      input.dtype,
      cumulative((a, b) => (better(a, b) ? b : a)),
    );
    const index = along(input, dim, int64, (row, out) => {
      for (let k = 0; k < row.length; k++) out[k] = k && !better(row[out[k - 1]], row[k]) ? out[k - 1] : k;
    });
    return withIndices(name, value, index);
  });
}
define("tm", "diff(input T, n int=1, dim int=-1, prepend T?=None, append T?=None)", ({ input, n, dim, prepend, append }) => {
  if (prepend || append) throw new NotHere("diff(prepend=...)");
  if (!input.ndim) raise("RuntimeError", "diff expects input to be at least one-dimensional");
  let result = input;
  const axis = axisOf(dim, input.ndim);
  for (let k = 0; k < n; k++) {
    const length = Math.max(0, result.shape[axis] - 1);
    const [after, before] = [part(result, axis, Math.min(1, result.shape[axis]), length), part(result, axis, 0, length)];
    result = arithmetic(input.dtype === bool ? "logical_xor" : "sub", after, before);
  }
  return result;
});

for (const name of /** @type {const} */ (["softmax", "log_softmax"])) {
  define("tm", `${name}(input T, dim int, dtype dtype?=None)`, ({ input, dim, dtype = null }) => softmax(name, input, dim, dtype));
}

define("tm", "trace(input T)", ({ input }) => {
  if (input.ndim !== 2) raise("RuntimeError", `trace: expected a matrix, but got tensor with dim ${input.ndim}`);
  return reduce(diagonal(input, 0, 0, 1), null, false, summed(input), sum);
});
define("tm", "matmul(input T, other T)", ({ input, other }) => matmul(input, other));
define("tm", "mm(input T, mat2 T) | mm(input T, mat2 T, out_dtype dtype)", ({ input, mat2 }) => mm(input, mat2));
define("tm", "bmm(input T, mat2 T) | bmm(input T, mat2 T, out_dtype dtype)", ({ input, mat2 }) => bmm(input, mat2));
define("tm", "mv(input T, vec T)", ({ input, vec }) => mv(input, vec));
define("tm", "dot(input T, tensor T)", (given) => dot(given.input, given.tensor));
define("tm", "inner(input T, other T)", ({ input, other }) => {
  if (!input.ndim || !other.ndim) return arithmetic("mul", input, other);
  const last = [input.ndim - 1, other.ndim - 1];
  if (input.shape[last[0]] !== other.shape[last[1]]) {
    const both = `but got sizes ${listed(input.shape)} and ${listed(other.shape)}`;
    raise("RuntimeError", `inner() the last dimension must match on both input tensors ${both}`);
  }
  return tensordot(input, other, [last[0]], [last[1]]);
});
for (const name of ["outer", "ger"]) {
  define("tm", `${name}(input T, vec2 T)`, ({ input, vec2 }) => {
    if (input.ndim !== 1) raise("RuntimeError", `outer: Expected 1-D argument self, but got ${input.ndim}-D`);
    if (vec2.ndim !== 1) raise("RuntimeError", `outer: Expected 1-D argument vec2, but got ${vec2.ndim}-D`);
    return elementwise(binary.mul, [unsqueeze(input, 1), vec2], resultType([input, vec2]));
  });
}
const weighted = "*, beta num=1, alpha num=1";
define(
  "tm",
  `addmm(input T, mat1 T, mat2 T, ${weighted}) | addmm(input T, mat1 T, mat2 T, out_dtype dtype, ${weighted})`,
  (given) => addmm(given.input, given.mat1, given.mat2, given.beta, given.alpha),
);
define(
  "tm",
  `baddbmm(input T, batch1 T, batch2 T, ${weighted}) | baddbmm(input T, batch1 T, batch2 T, out_dtype dtype, ${weighted})`,
  (given) => baddbmm(given.input, given.batch1, given.batch2, given.beta, given.alpha),
);
define(
  "t",
  "tensordot(a T, b T, dims any=2)",
  ({ a, b, dims }) => {
    if (isInt(dims)) {
      if (Number(dims) < 0) raise("RuntimeError", `tensordot expects dims >= 0, but got dims=${dims}`);
      const most = Math.min(a.ndim, b.ndim);
      if (Number(dims) > most) raise("RuntimeError", `tensordot expects dims < ndim_a or ndim_b, but got dims=${dims}`);
    }
    const count = Number(dims);
    const [left, right] = isInt(dims)
      ? [Array.from({ length: count }, (_, n) => a.ndim - count + n), Array.from({ length: count }, (_, n) => n)]
      : [...dims].map((one) => [...(Array.isArray(one) ? one : [one])].map(Number));
    return tensordot(
      a,
      b,
      left.map((/** @type {number} */ one) => axisOf(one, a.ndim)),
      right.map((/** @type {number} */ one) => axisOf(one, b.ndim)),
    );
  },
  { python: true },
);
