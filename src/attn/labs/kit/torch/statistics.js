// Reductions and products that few programs need: medians, norms, running sums, differences.

import { isInt, NamedTuple, NotHere, raise, toNumber } from "../python/values.js";
import { bool, int64 } from "./dtype.js";
import { binary } from "./kernels.js";
import { define } from "./operation.js";
import { arithmetic, floating } from "./pointwise.js";
import { addmm, baddbmm, tensordot } from "./products.js";
import { along, chosen, cumulative, logsumexp, max, min, normFold, reduce, sum, withIndices } from "./reduce.js";
import { cast, summed } from "./reducing.js";
import { axisOf } from "./tensor.js";
import { part, unsqueeze } from "./views.js";
import { diagonal } from "./windows.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("./dtype.js").DType} DType */
/** @typedef {any} Value */

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

define(
  "t",
  "cdist(x1 T, x2 T, p any=2.0, compute_mode any=None)",
  ({ x1, x2, p }) => norm(arithmetic("sub", unsqueeze(x1, -2), unsqueeze(x2, -3)), p, [-1], false, null),
  { python: true },
);

define("tm", "trace(input T)", ({ input }) => {
  if (input.ndim !== 2) raise("RuntimeError", `trace: expected a matrix, but got tensor with dim ${input.ndim}`);
  return reduce(diagonal(input, 0, 0, 1), null, false, summed(input), sum);
});

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
    if (!isInt(dims) && !(Array.isArray(dims) && dims.length === 2)) {
      const wanted = "int or tuple[list[int], list[int]] or list[list[int]] containing two lists";
      raise("RuntimeError", `tensordot expects dims to be ${wanted}, but got dims=${dims === null ? "None" : String(dims)}`);
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
