// Reads the numbers of the film by name and index, and says how they are printed.

import { HEADS, recorded } from "../kit/reader.js";
import { magnitude } from "../kit/scale.js";
import { chainOfProduct, chainOfRow } from "./print.js";

/** @typedef {ReturnType<typeof numbersOf>} Numbers */
const VERB = "found"; // the word that is followed
const ROLE = "what"; // in the head that answers this
const MIXED = "kings"; // whose weights in this head are all small

/**
 * The axes of each tensor of the results.
 *
 * @type {Record<string, string>}
 */
const AXES = {
  ...{ x: "BLE", q_flat: "BLE", k_flat: "BLE", v_flat: "BLE", concat: "BLE", y: "BLE" },
  ...{ q: "BHLD", k: "BHSD", v: "BHSD", heads: "BHLD", scores: "BHLS", scaled: "BHLS", weights: "BHLS" },
};

/**
 * @param {Record<string, any>} results of compute
 * @param {string[]} words
 */
export function numbersOf(results, words) {
  const [H, L, E] = [HEADS.length, words.length, results.x.length / words.length];
  /** @type {Record<string, number>} */
  const sizes = { B: 1, H, L, S: L, D: E / H, E };

  /** @type {(name: string, ...index: number[]) => number} */
  const stored = (name, ...index) => results[name][index.reduce((at, i, n) => at * sizes[AXES[name][n]] + i, 0)];
  /**
   * What is made from the tensors when it is read: a transposed matrix, the D products of a score, the powers of softmax.
   *
   * @type {Record<string, (...index: number[]) => number>}
   */
  const made = {
    kᵀ: (b, h, d, s) => stored("k", b, h, s, d),
    "q · k": (b, h, l, s, d) => stored("q", b, h, l, d) * stored("k", b, h, s, d),
    "exp(scaled)": (...index) => Math.exp(stored("scaled", ...index)),
    "weights @ v": (...index) => stored("heads", ...index),
  };
  const matrices = /** @type {const} */ (["W_Q", "W_K", "W_V", "W_O"]);
  for (const name of matrices) made[name] = (i, o) => recorded(name)[o * E + i];

  /**
   * The number of a tensor at an index, with the batch first where the tensor has one. Matrices are (in, out), as in x @ W.
   *
   * @param {string} name
   * @param {...number} index
   */
  const value = (name, ...index) => (made[name] ?? ((...at) => stored(name, ...at)))(...index);

  const l = Math.max(0, words.indexOf(VERB));
  const h = Math.max(0, HEADS.indexOf(ROLE));
  const keys = words.map((_, s) => s);
  /** The key to which a head gives the largest weight of the row. @param {number} head */
  const chosen = (head) =>
    keys.reduce((best, one) => (value("weights", 0, head, l, one) > value("weights", 0, head, l, best) ? one : best));
  const s = chosen(h);
  const hero = { h, l, s };
  const other = Math.max(0, words.indexOf(MIXED));
  const row = (/** @type {string} */ name) => keys.map((one) => value(name, 0, h, l, one));
  const pairs = Array.from({ length: sizes.D }, (_, d) => [value("q", 0, h, l, d), value("k", 0, h, s, d)]);
  const sums = Array.from({ length: H * sizes.L }, (_, n) =>
    keys.reduce((sum, one) => sum + value("exp(scaled)", 0, Math.floor(n / sizes.L), n % sizes.L, one), 0),
  );
  // Where each scale of colours ends. Scores keep theirs when they are divided, so that the division is seen; so do the rows of v when
  // they are added up.
  const W = Math.max(...matrices.map((name) => magnitude(recorded(name))));
  const [scores, v, q, k] = ["scores", "v", "q", "k"].map((name) => magnitude(results[name]));
  /** @type {Record<string, number>} */
  const most = {
    ...{ W_Q: W, W_K: W, W_V: W, W_O: W, x: magnitude(results.x), y: magnitude(results.y) },
    ...{ q, k, v, q_flat: q, k_flat: k, v_flat: v, kᵀ: k, heads: v, "weights @ v": v, concat: v },
    ...{ scores, scaled: scores, "q · k": scores },
  };
  return {
    ...{ value, sizes, hero, other, most, words, chosen },
    product: chainOfProduct(pairs, value("scores", 0, h, l, s)),
    row: chainOfRow(row("scores"), Math.sqrt(sizes.D)),
    /** @type {(h: number, l: number) => number} the sum of the powers of a row */
    sum: (head, query) => sums[head * sizes.L + query],
    largestSum: Math.max(...sums),
    role: HEADS[h],
    gathered: [...new Set(HEADS.map((_, head) => words[chosen(head)]))],
    /** @type {(h: number) => string} */
    question: (n) => HEADS[n],
    /** @type {(h: number) => string} */
    head: (n) => `head ${n} · ${HEADS[n]}`,
  };
}
