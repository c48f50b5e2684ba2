// softmax and scaled_dot_product_attention.

import { NotHere, raise, toNumber } from "../python/values.js";
import { bool, float32 } from "./dtype.js";
import { broadcast, copyOf, elementwise, keptStrides, mustHold } from "./iterator.js";
import { binary } from "./kernels.js";
import { matmul } from "./products.js";
import { along, logSoftmaxRow, softmaxRow } from "./reduce.js";
import { axisOf, listed } from "./tensor.js";
import { expand, narrow, reshape, transpose, unsqueeze } from "./views.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("./dtype.js").DType} DType */

/**
 * @param {"softmax" | "log_softmax"} name
 * @param {Tensor} input
 * @param {number} dim
 * @param {DType | null} dtype
 */
export function softmax(name, input, dim, dtype) {
  const x = dtype && dtype !== input.dtype ? copyOf(input, undefined, dtype) : input;
  const axis = axisOf(dim, x.ndim);
  if (!x.dtype.isFloat) {
    const kernel = `${name}${axis === x.ndim - 1 || !x.ndim ? "_lastdim" : ""}_kernel_impl`;
    raise("NotImplementedError", `"${kernel}" not implemented for '${x.dtype.word}'`);
  }
  return along(x, dim, x.dtype, name === "softmax" ? softmaxRow : logSoftmaxRow);
}

/**
 * A softmax in which a row that sees nothing becomes zero.
 *
 * @param {Float64Array} row
 * @param {Float64Array} result
 */
function safeSoftmaxRow(row, result) {
  if (row.every((score) => score === -Infinity)) result.fill(0);
  else softmaxRow(row, result);
}

/**
 * @typedef {object} Attention
 * @property {Tensor} query
 * @property {Tensor} key
 * @property {Tensor} value
 * @property {Tensor | null} attn_mask
 * @property {any} dropout_p
 * @property {boolean} is_causal
 * @property {any} scale
 * @property {boolean} enable_gqa
 */

/** @param {Attention} given */
export function attention(given) {
  const { query, key, value, attn_mask: mask, is_causal: causal, scale, enable_gqa: grouped } = given;
  check(given);
  const fused = isFused(given);
  if (!fused && mask && causal) {
    raise("RuntimeError", "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  }
  const factor = scale === null ? 1 / Math.sqrt(query.shape[query.ndim - 1]) : toNumber(scale);
  const [k, v] = grouped ? repeatHeads(query, key, value) : [key, value];
  const root = Math.sqrt(Math.abs(factor));
  // Half of the factor on each side, as PyTorch does: in float16 the rounding depends on it.
  const dtype = query.dtype.isFloat ? query.dtype : float32;
  const scaled = (/** @type {Tensor} */ x, /** @type {number} */ by) => elementwise((one) => one * by, [x], dtype);
  const [left, right] =
    (query.dtype.round || !query.dtype.isFloat) && !fused
      ? [scaled(query, factor < 0 ? -root : root), scaled(k, root)]
      : [query, k];
  const rest = left === query ? factor : 1;
  const scores = matmul(left, transpose(right, -2, -1));
  const [L, S] = [query.shape[query.ndim - 2], key.shape[key.ndim - 2]];
  if (mask) mustHold(scores, broadcast([scores.shape, mask.shape]));
  const hides = mask?.dtype === bool;
  const { data } = scores.storage;
  const bias = mask ? expand(mask, scores.shape) : null;
  const added = bias && copyOf(bias).storage.data;
  for (let n = 0; n < data.length; n++) {
    let score = data[n] * rest;
    if (causal && n % S > Math.floor(n / S) % L) score = -Infinity;
    if (added) score = hides ? (added[n] ? score : -Infinity) : score + added[n];
    data[n] = score;
  }
  const weights = along(scores, -1, dtype, safeSoftmaxRow);
  if (fused && v.shape[2] < S) throw new NotHere("attention that reads beyond its values");
  const result = matmul(weights, fused && v.shape[2] > S ? narrow(v, 2, 0, S) : v);
  return fused ? copyOf(result, keptStrides(query)) : result;
}

/** @param {Attention} given */
function check({ query, key, value, attn_mask: mask }) {
  const all = [query, key, value];
  if (all.some((x) => x.dtype !== query.dtype)) {
    const [q, k, v] = all.map((x) => x.dtype.cpp);
    const got = `query.dtype: ${q} key.dtype: ${k} and value.dtype: ${v} instead.`;
    raise("RuntimeError", `Expected query, key, and value to have the same dtype, but got ${got}`);
  }
  if (all.some((x) => x.ndim < 2)) {
    const got = `query.dim: ${query.ndim} key.dim: ${key.ndim} and value.dim: ${value.ndim} instead.`;
    raise("RuntimeError", `Expected query, key, and value to all be  at least 2 dimensional, but got ${got}`);
  }
  if (!mask) return;
  if (mask.dtype !== bool && mask.dtype !== query.dtype && mask.dtype !== float32) {
    const got = `but got attn_mask.dtype: ${mask.dtype.cpp} and  query.dtype: ${query.dtype.cpp} instead.`;
    raise("RuntimeError", `Expected attn_mask dtype to be bool or float or to match query dtype, ${got}`);
  }
}

/**
 * Does PyTorch take its fused kernel for the CPU? Its result is laid out as the query is.
 *
 * @param {Attention} given
 */
function isFused({ query, key, value, attn_mask: mask, enable_gqa: grouped }) {
  const all = [query, key, value];
  if (!query.dtype.isFloat) return false;
  if (all.some((x) => x.ndim !== 4 || x.strides[3] !== 1 || x.shape[3] !== query.shape[3] || x.shape[0] !== query.shape[0])) {
    return false;
  }
  if (all.some((x) => x.shape[2] === 0)) return false;
  if (key.shape[1] !== value.shape[1]) return false;
  if (query.shape[1] !== key.shape[1] && !(grouped && query.shape[1] % key.shape[1] === 0)) return false;
  return !mask?.requiresGrad;
}

/**
 * Each head of the keys and values once for every query head of its group.
 *
 * @param {Tensor} query
 * @param {Tensor} key
 * @param {Tensor} value
 */
function repeatHeads(query, key, value) {
  if (query.ndim < 3) throw new NotHere("enable_gqa with matrices");
  const heads = (/** @type {Tensor} */ x) => x.shape[x.ndim - 3];
  const [H, G, Gv] = [query, key, value].map(heads);
  if (H % G || H % Gv) {
    const rule = "Number of heads in key and value must divide the number of heads in ";
    raise("RuntimeError", rule);
  }
  return [key, value].map((x) => {
    const times = H / heads(x);
    if (times === 1) return x;
    const wide = unsqueeze(x, x.ndim - 2);
    const shape = wide.shape.with(wide.ndim - 3, times);
    return reshape(expand(wide, shape), x.shape.with(x.ndim - 3, H));
  });
}

/**
 * @param {Tensor} x
 * @param {number[]} shape
 * @param {Tensor | null} weight
 * @param {Tensor | null} bias
 * @param {number} eps
 */
export function layerNorm(x, shape, weight, bias, eps) {
  const mixed = [weight, bias].some((one) => one && one.dtype !== x.dtype && !(x.dtype.bytes === 2 && one.dtype === float32));
  if (mixed && x.count) raise("RuntimeError", "mixed dtype (CPU): all inputs must share same datatype.");
  checkNormalized(x, shape);
  if (!x.dtype.isFloat) raise("NotImplementedError", `"LayerNormKernelImpl" not implemented for '${x.dtype.word}'`);
  return normalized(x, shape, weight, bias, (row) => {
    let [total, squares] = [0, 0];
    for (let k = 0; k < row.length; k++) total += row[k];
    const middle = total / row.length;
    for (let k = 0; k < row.length; k++) squares += (row[k] - middle) ** 2;
    return { middle, factor: 1 / Math.sqrt(squares / row.length + eps) };
  });
}

/**
 * @param {Tensor} x
 * @param {number[]} shape
 * @param {Tensor | null} weight
 * @param {number | null} eps
 */
export function rmsNorm(x, shape, weight, eps) {
  if (x.ndim < shape.length) raise("ValueError", `Input tensor must have at least ${shape.length} dimensions, but got ${x.ndim}`);
  checkNormalized(x, shape, "");
  if (!x.dtype.isFloat) raise("NotImplementedError", `"rms_norm" not implemented for '${x.dtype.word}'`);
  const least = eps ?? (x.dtype.bytes === 8 ? 2 ** -52 : 2 ** -23);
  return normalized(x, shape, weight, null, (row) => {
    let squares = 0;
    for (let k = 0; k < row.length; k++) squares += row[k] ** 2;
    return { middle: 0, factor: 1 / Math.sqrt(squares / row.length + least) };
  });
}

/**
 * @param {Tensor} x
 * @param {number[]} shape
 * @param {string} [comma] rms_norm forgets it in its message
 */
function checkNormalized(x, shape, comma = ", ") {
  if (!shape.length) {
    raise(
      "RuntimeError",
      "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []",
    );
  }
  const fits = x.ndim >= shape.length && shape.every((size, n) => size === x.shape[x.ndim - shape.length + n]);
  if (fits) return;
  const expected = `expected input with shape [*${comma}${shape.join(", ")}], but got input of size${listed(x.shape)}`;
  raise("RuntimeError", `Given normalized_shape=${listed(shape)}, ${expected}`);
}

/**
 * @param {Tensor} x
 * @param {number[]} shape
 * @param {Tensor | null} weight
 * @param {Tensor | null} bias
 * @param {(row: Float64Array) => { middle: number, factor: number }} measure
 */
function normalized(x, shape, weight, bias, measure) {
  const size = shape.reduce((product, one) => product * one, 1);
  const rows = reshape(x, [x.count / (size || 1), size]);
  const result = along(rows, 1, x.dtype, (row, out) => {
    const { middle, factor } = measure(row);
    for (let k = 0; k < row.length; k++) out[k] = (row[k] - middle) * factor;
  });
  let scaled = reshape(result, x.shape);
  if (weight) scaled = elementwise(binary.mul, [scaled, weight], x.dtype);
  if (bias) scaled = elementwise(binary.add, [scaled, bias], x.dtype);
  return scaled;
}
