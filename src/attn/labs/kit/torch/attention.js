// scaled_dot_product_attention.

import { NotHere, raise, toNumber } from "../python/values.js";
import { bool, float32 } from "./dtype.js";
import { builtin } from "./functional.js";
import { broadcast, copyOf, elementwise, keptStrides, mustHold } from "./iterator.js";
import { matmul } from "./products.js";
import { along, softmaxRow } from "./reduce.js";
import { expand, narrow, reshape, transpose, unsqueeze } from "./views.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */

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
function attention(given) {
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

builtin(
  "scaled_dot_product_attention(query T, key T, value T, attn_mask T?=None, dropout_p float=0.0, is_causal bool=False, *, " +
    "scale float?=None, enable_gqa bool=False)",
  (given) => attention(/** @type {any} */ (given)),
);
