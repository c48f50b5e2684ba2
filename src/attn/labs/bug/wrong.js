// The right steps of a layer, as lessons/bugs/layer.py has them for one sentence, and the wrong ones that take their place.

import { range } from "../kit/math.js";
import { build, combined, linear, mapped, matmul, permute, softmaxAlong, turned, view } from "./arrays.js";

/** @typedef {import("./arrays.js").Tensor} Tensor */
/** @typedef {{ Q: Float32Array, K: Float32Array, V: Float32Array, O: Float32Array }} Weights each (out, in) */

/** Tables of 1 and 0. @param {number} L @param {number} S @param {(i: number, j: number) => boolean} may @returns {Tensor} */
const table = (L, S, may) => ({ shape: [L, S], data: build([1, L, S], (_, i, j) => Number(may(i, j))).data });

/** @type {(value: number, may: number) => number} */
const hidden = (value, may) => (may ? value : -Infinity);

export const RIGHT = {
  /** @param {Tensor} x (L, H·D) @param {number} H @returns {Tensor} (H, L, D) */
  split: (x, H) => permute(view(x, [x.shape[0], H, x.shape[1] / H]), [1, 0, 2]),
  /** What keys are made from. @param {Tensor} _x @param {Tensor} context */
  source: (_x, context) => context,
  /** @param {Tensor} v @param {Tensor} _k */
  values: (v, _k) => v,
  /** What the cache returns as values. @param {Tensor} v @param {Tensor} _k */
  cached: (v, _k) => v,
  /** The position of the first new word. @param {number} start */
  first: (start) => start,
  /** Where words may attend, before the padding is hidden. @param {number} L @param {number} S */
  causal: (L, S) => table(L, S, (i, j) => j <= i + S - L),
  /** Both rules. @param {Tensor} causal (L, S) @param {number[]} real (S) */
  both: (causal, real) => ({ shape: causal.shape, data: causal.data.map((may, n) => may * real[n % real.length]) }),
  /** @param {Tensor} q @param {Tensor} k */
  scores: (q, k) => matmul(q, turned(k)),
  /** @param {{ D: number, H: number }} sizes */
  factor: ({ D }) => D ** -0.5,
  /** @param {Tensor} scaled @param {Tensor} keep */
  fill: (scaled, keep) => combined(scaled, keep, hidden, true),
  /** @param {Tensor} masked @param {Tensor} _scaled @param {Tensor} _keep */
  softmax: (masked, _scaled, _keep) => softmaxAlong(masked, 2),
  /** A query that may see no key gets zeros. @param {Tensor} weights @param {Tensor} keep */
  empty(weights, keep) {
    const [L, S] = keep.shape;
    const any = table(L, 1, (i) => range(S).some((j) => keep.data[i * S + j]));
    return combined(weights, any, (weight, some) => (some ? weight : 0), true);
  },
  /** @param {Tensor} weights @param {Tensor} v @param {Tensor} _scaled */
  mix: (weights, v, _scaled) => matmul(weights, v),
  /** @param {Tensor} heads (H, L, D) @returns {Tensor} (L, H·D) */
  merge: (heads) => flat(permute(heads, [1, 0, 2])),
  /** @param {Tensor} concat @param {Float32Array} weight */
  output: (concat, weight) => linear(concat, weight),
};

/** Tables side by side in rows. @param {Tensor} tensor @returns {Tensor} */
const flat = (tensor) => view(tensor, [tensor.shape[0], tensor.shape[1] * tensor.shape[2]]);

/** A matrix with rows and columns exchanged. @param {Float32Array} weight @param {number} width */
const transposed = (weight, width) => weight.map((_, n) => weight[(n % width) * width + Math.floor(n / width)]);

/** @type {Record<string, Partial<typeof RIGHT>>} by the names of the bugs */
export const WRONG = {
  "split by view only": { split: (x, H) => view(x, [H, x.shape[0], x.shape[1] / H]) },
  "interleaved split": { split: (x, H) => permute(view(x, [x.shape[0], x.shape[1] / H, H]), [2, 0, 1]) },
  "keys from x": { source: (x) => x },
  "values are the keys": { values: (_, k) => k },
  "keys not transposed": { scores: (q, k) => matmul(q, k) },
  "K reshaped instead of transposed": { scores: (q, k) => matmul(q, view(k, [k.shape[0], k.shape[2], k.shape[1]])) },
  "K times Q": { scores: (q, k) => matmul(k, turned(q)) },
  "no scale": { factor: () => 1 },
  "scale by the root of E": { factor: ({ D, H }) => (H * D) ** -0.5 },
  "top-left causal mask": { causal: (L, S) => table(L, S, (i, j) => j <= i) },
  "padding ignored": { both: (causal) => causal },
  "later keys visible": { both: (causal, real) => ({ ...causal, data: causal.data.map((_, n) => real[n % real.length]) }) },
  "inverted mask": { fill: (scaled, keep) => combined(scaled, keep, (value, may) => hidden(value, 1 - may), true) },
  "scores times mask": { fill: (scaled, keep) => combined(scaled, keep, (value, may) => value * may) },
  "mask after softmax": {
    softmax: (_, scaled, keep) => combined(softmaxAlong(scaled, 2), keep, (weight, may) => weight * may),
  },
  "an empty mask row not zeroed": { empty: (weights) => weights },
  "softmax over queries": { softmax: (masked) => softmaxAlong(masked, 1) },
  "softmax over heads": { softmax: (masked) => softmaxAlong(masked, 0) },
  "weights transposed": { mix: (weights, v) => matmul(turned(weights), v) },
  "scores used as weights": { mix: (_, v, scaled) => matmul(scaled, v) },
  "mean instead of sum": { mix: (weights, v) => mapped(matmul(weights, v), (value) => value / v.shape[1]) },
  "merge without the transpose": { merge: (heads) => view(heads, [heads.shape[1], heads.shape[0] * heads.shape[2]]) },
  "heads in reverse order": {
    merge(heads) {
      const [H, L, D] = heads.shape;
      const reversed = build(heads.shape, (h, i, j) => heads.data[((H - 1 - h) * L + i) * D + j]);
      return flat(permute(reversed, [1, 0, 2]));
    },
  },
  "weight not transposed": { output: (concat, weight) => linear(concat, transposed(weight, concat.shape[1])) },
  "no W_O": { output: (concat) => concat },
  "cached keys returned as values": { cached: (_, k) => k },
  "positions start at 0 again": { first: () => 0 },
};

export const NAMES = Object.keys(WRONG);
