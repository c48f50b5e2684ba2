// The right steps of a layer, as lessons/bugs/layer.py has them for one sentence, and the wrong ones that take their place.

import { normal } from "../kit/inputs.js";
import { LONGEST } from "../kit/language.js";
import { range } from "../kit/math.js";
import {
  build,
  combined,
  filling,
  linear,
  mapped,
  matmul,
  permute,
  rowwise,
  softmaxAlong,
  turned,
  unlike,
  unlikeBatch,
  view,
  weightsOf,
} from "./arrays.js";

/** @typedef {import("./arrays.js").Tensor} Tensor */

export const DROPPED = 0.5; // the share of the weights that dropout drops

/** Tables of 1 and 0. @param {number} L @param {number} S @param {(i: number, j: number) => boolean} may @returns {Tensor} */
const table = (L, S, may) => ({ shape: [L, S], data: build([1, L, S], (_, i, j) => Number(may(i, j))).data });

/** @type {(value: number, may: number) => number} */
const hidden = (value, may) => (may ? value : -Infinity);

/**
 * What dropout leaves of the weights. Which it drops does not depend on the bug, and is the same in the kernel.
 *
 * @param {Tensor} weights
 * @param {number} share
 * @param {number} [factor]
 */
function dropped(weights, share, factor = 1 / (1 - share)) {
  if (!share) return weights;
  const [H, R, C] = weights.shape;
  const rows = range(H * R).map((n) => Math.floor(n / R) * LONGEST + (n % R));
  const drawn = normal(0, "dropout", rows, C);
  return mapped(weights, (weight, n) => weight * (drawn[n] > 0 ? factor : 0));
}

export const RIGHT = {
  /** @param {Tensor} x (L, H·D) @param {number} H @returns {Tensor} (H, L, D) */
  split: (x, H) => permute(view(x, [x.shape[0], H, x.shape[1] / H]), [1, 0, 2]),
  /** What keys are made from. @param {Tensor} _x @param {Tensor} context */
  source: (_x, context) => context,
  /** What the values are made of, before heads are split. @param {Tensor} context @param {Float32Array} weight */
  project: (context, weight) => linear(context, weight),
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
  /** The share that dropout drops. @param {boolean} isTraining */
  dropout: (isTraining) => (isTraining ? DROPPED : 0),
  /** What the function of attention gets as q and k. @param {Tensor} q @param {Tensor} k */
  given: (q, k) => [q, k],
  /** What it gets as a mask. @param {Tensor} keep @param {Tensor} _all @returns {Tensor} */
  mask: (keep, _all) => keep,
  /**
   * What each head returns, and its weights.
   *
   * @param {Tensor} q @param {Tensor} k @param {Tensor} v
   * @param {Tensor} keep
   * @param {number} share that dropout drops
   * @param {any} steps
   * @returns {Tensor[]}
   */
  attend(q, k, v, keep, share, steps) {
    const [H, , D] = q.shape;
    const [keys, values] = [k, v].map((one) => steps.repeat(one, H / v.shape[0]));
    const scaled = mapped(steps.scores(q, keys), (score) => score * steps.factor(D, H));
    const weights = steps.empty(steps.softmax(steps.fill(scaled, keep), scaled, keep, D), keep);
    return [steps.mix(weights, values, scaled, share), weights];
  },
  /** Each head several times, one after the other. @param {Tensor} heads @param {number} times @returns {Tensor} */
  repeat: ({ shape: [G, S, D], data }, times) =>
    build([G * times, S, D], (h, i, j) => data[(Math.floor(h / times) * S + i) * D + j]),
  /** @param {Tensor} q @param {Tensor} k */
  scores: (q, k) => matmul(q, turned(k)),
  /** @param {number} D @param {number} _H */
  factor: (D, _H) => D ** -0.5,
  /** @param {Tensor} scaled @param {Tensor} keep */
  fill: (scaled, keep) => combined(scaled, keep, hidden, true),
  /** @param {Tensor} masked @param {Tensor} _scaled @param {Tensor} _keep @param {number} _D */
  softmax: (masked, _scaled, _keep, _D) => weightsOf(masked, highest),
  /** A query that may see no key gets zeros. @param {Tensor} weights @param {Tensor} keep */
  empty(weights, keep) {
    const [L, S] = keep.shape;
    const any = table(L, 1, (i) => range(S).some((j) => keep.data[i * S + j]));
    return combined(weights, any, (weight, some) => (some ? weight : 0), true);
  },
  /** @param {Tensor} weights @param {Tensor} v @param {Tensor} _scaled @param {number} share that is dropped */
  mix: (weights, v, _scaled, share) => matmul(dropped(weights, share), v),
  /** @param {Tensor} heads (H, L, D) @returns {Tensor} (L, H·D) */
  merge: (heads) => flat(permute(heads, [1, 0, 2])),
  /** @param {Tensor} concat @param {Float32Array} weight @param {Tensor} x @param {number} _H */
  output(concat, weight, x, _H) {
    const [[L, width], E] = [concat.shape, x.shape[1]];
    if (width !== E) throw new Error(`mat1 and mat2 shapes cannot be multiplied (${L}x${width} and ${E}x${E})`);
    return linear(concat, weight);
  },
};

/** Tables side by side in rows. @param {Tensor} tensor @returns {Tensor} */
const flat = (tensor) => view(tensor, [tensor.shape[0], tensor.shape[1] * tensor.shape[2]]);

/** A matrix with rows and columns exchanged. @param {Float32Array} weight @param {number} width */
const transposed = (weight, width) => weight.map((_, n) => weight[(n % width) * width + Math.floor(n / width)]);

/** @param {number[]} row */
function ofLength1(row) {
  const length = Math.max(Math.hypot(...row), 1e-12);
  return row.map((value) => value / length);
}

/** What LayerNorm does before it learns. @param {number[]} row */
function normalised(row) {
  const mean = row.reduce((a, b) => a + b, 0) / row.length;
  const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
  return row.map((value) => (value - mean) / Math.sqrt(variance + 1e-5));
}

/** @param {number[]} row */
function onlyHighest(row) {
  const best = row.indexOf(Math.max(...row));
  return row.map((_, n) => Number(n === best));
}

/** @param {Tensor} one @param {Tensor} other @returns {Tensor} */
const sum = (one, other) => mapped(one, (value, n) => value + other.data[n]);

/** @param {number[]} row */
const highest = (row) => Math.max(...row);

/** All heads again and again. @type {typeof RIGHT.repeat} */
const tiled = ({ shape: [G, S, D], data }, times) => ({ shape: [G * times, S, D], data: range(times).flatMap(() => data) });

/** @type {Record<string, Partial<typeof RIGHT>>} by the names of the bugs */
export const WRONG = {
  "split by view only": { split: (x, H) => view(x, [H, x.shape[0], x.shape[1] / H]) },
  "interleaved split": { split: (x, H) => permute(view(x, [x.shape[0], x.shape[1] / H, H]), [2, 0, 1]) },
  "split and merge by view": {
    split: (x, H) => view(x, [H, x.shape[0], x.shape[1] / H]),
    merge: (heads) => view(heads, [heads.shape[1], heads.shape[0] * heads.shape[2]]),
  },
  "keys from x": { source: (x) => x },
  "W_V unused": { project: (context) => context },
  "values are the keys": { values: (_, k) => k },
  "queries and keys swapped": { given: (q, k) => [k, q] },
  // A batch of one: each word attends to itself alone.
  "batch and length swapped": {
    attend(q, _k, v, _keep, _share, steps) {
      const [[H, L], [G, S]] = [q.shape, v.shape];
      if (L !== S && L !== 1) throw unlike(L, S, 0);
      return [steps.repeat(v, H / G), build([H, S, 1], () => 1)];
    },
  },
  "grouped heads tiled": { repeat: tiled },
  "keys not transposed": { scores: (q, k) => matmul(q, k) },
  ".T on four axes": {
    scores({ shape: [H, , D] }, { shape: [, S] }) {
      throw S === H || S === 1 ? unlikeBatch([D * H, D], [D * H, H]) : unlike(H, S, 1);
    },
  },
  "K reshaped instead of transposed": { scores: (q, k) => matmul(q, view(k, [k.shape[0], k.shape[2], k.shape[1]])) },
  "K times Q": { scores: (q, k) => matmul(k, turned(q)) },
  "cosine, not the product": { scores: (q, k) => matmul(rowwise(q, ofLength1), turned(rowwise(k, ofLength1))) },
  "no scale": { factor: () => 1 },
  "scale by the root of E": { factor: (D, H) => (H * D) ** -0.5 },
  "scale by D": { factor: (D) => 1 / D },
  "scale after softmax": {
    softmax: (masked, _scaled, _keep, D) => {
      const scores = mapped(masked, (score) => score * D ** 0.5);
      return mapped(RIGHT.softmax(scores, scores, scores, D), (weight) => weight * D ** -0.5);
    },
  },
  "top-left causal mask": { causal: (L, S) => table(L, S, (i, j) => j <= i) },
  "diagonal hidden": { causal: (L, S) => table(L, S, (i, j) => j < i + S - L) },
  "triangle upside down": { causal: (L, S) => table(L, S, (i, j) => j >= i + S - L) },
  "padding ignored": { both: (causal) => causal },
  "later keys visible": { both: (causal, real) => ({ ...causal, data: causal.data.map((_, n) => real[n % real.length]) }) },
  "padding on the query axis": {
    both: ({ shape: [L, S], data }, real) => ({
      shape: [L, S],
      data: data.map((may, n) => may * real[S - L + Math.floor(n / S)]),
    }),
  },
  "inverted mask": { fill: (scaled, keep) => combined(scaled, keep, (value, may) => hidden(value, 1 - may), true) },
  "a finite number for −∞": {
    fill(scaled, keep) {
      const low = filling(-1e9);
      return combined(scaled, keep, (value, may) => (may ? value : low), true);
    },
  },
  "scores times mask": { fill: (scaled, keep) => combined(scaled, keep, (value, may) => value * may) },
  "mask of 1 and 0 added": { fill: (scaled, keep) => combined(scaled, keep, (value, may) => value + may) },
  "mask ignored": { mask: (_, all) => all },
  "mask after softmax": {
    softmax: (_, scaled, keep) => combined(weightsOf(scaled, highest), keep, (weight, may) => weight * may),
  },
  "an empty mask row not zeroed": { empty: (weights) => weights },
  "softmax over queries": { softmax: (masked) => softmaxAlong(masked, 1) },
  "softmax over heads": { softmax: (masked) => softmaxAlong(masked, 0) },
  "hard attention": { softmax: (masked) => rowwise(masked, onlyHighest) },
  "no maximum subtracted": { softmax: (masked) => weightsOf(masked, () => 0) },
  "one maximum for all rows": { softmax: (masked) => weightsOf(masked, () => highest(masked.data)) },
  "weights transposed": { mix: (weights, v) => matmul(turned(weights), v) },
  "the first head's weights for all": {
    mix: ({ shape: [H, L, S], data }, v, _, share) =>
      matmul(tiled(dropped({ shape: [1, L, S], data: data.slice(0, L * S) }, share), H), v),
  },
  "dropout never on": { mix: (weights, v) => matmul(weights, v) },
  "dropout not rescaled": { mix: (weights, v, _, share) => matmul(dropped(weights, share, 1), v) },
  "scores used as weights": { mix: (_, v, scaled) => matmul(scaled, v) },
  "mean instead of sum": { mix: (weights, v) => mapped(matmul(weights, v), (value) => value / v.shape[1]) },
  "dropout always on": { dropout: () => DROPPED },
  "merge without the transpose": { merge: (heads) => view(heads, [heads.shape[1], heads.shape[0] * heads.shape[2]]) },
  "heads in reverse order": {
    merge(heads) {
      const [H, L, D] = heads.shape;
      const reversed = build(heads.shape, (h, i, j) => heads.data[((H - 1 - h) * L + i) * D + j]);
      return flat(permute(reversed, [1, 0, 2]));
    },
  },
  "weight not transposed": { output: (concat, weight) => linear(concat, transposed(weight, concat.shape[1])) },
  "heads averaged": { output: (concat, weight, _, H) => mapped(linear(concat, weight), (value) => value / H) },
  "no W_O": { output: (concat) => concat },
  "residual inside": { output: (concat, weight, x) => sum(linear(concat, weight), x) },
  "residual and LayerNorm inside": { output: (concat, weight, x) => rowwise(sum(linear(concat, weight), x), normalised) },
  "cached keys returned as values": { cached: (_, k) => k },
  "positions start at 0 again": { first: () => 0 },
};

export const NAMES = Object.keys(WRONG);
