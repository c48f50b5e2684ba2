// How one number of ShapeLab came about: in full for scores and weights, in a sentence for the others.

import { number } from "../kit/format.js";
import { sizesOf, wordsAlong } from "../kit/layer.js";
import { PAIRED } from "./model.js";
import { sheetsOf, valueAt } from "./stages.js";

/** @typedef {import("../kit/facets.js").Place} Place a cell as [sentence, head, row, column]; head 0 where there are no heads */
/** @typedef {import("../kit/layer.js").LayerState} LayerState */

/**
 * The exact numbers that explain a cell: of scores and weights the rows of q and k, and the weight; of other tensors the value.
 *
 * @typedef {{ query: ArrayLike<number>, key: ArrayLike<number>, weight: number, value?: number }} Numbers
 */

/**
 * The numbers at a place of the tensor `name`, read from the results. The same as ShapeLab.exact in Python, which sends them when the
 * kernel computes.
 *
 * @param {LayerState} state
 * @param {Record<string, Float32Array>} results
 * @param {string} name
 * @param {Place} place
 * @returns {Numbers}
 */
export function numbersAt(state, results, name, place) {
  const { H, L, S, D, G } = sizesOf(state);
  const [b, h, i, j] = place;
  if (!PAIRED.has(name)) {
    const sheets = sheetsOf(name, state);
    return { query: [], key: [], weight: 0, value: valueAt(sheets, results[sheets.data], place) };
  }
  const row = (b * H + h) * L + i;
  const from = ((b * G + groupOf(h, H, G)) * S + j) * D;
  return {
    query: results.q.subarray(row * D, row * D + D),
    key: results.k.subarray(from, from + D),
    weight: results.weights[row * S + j],
  };
}

/**
 * The key/value head that query head h reads.
 *
 * @param {number} h
 * @param {number} H
 * @param {number} G
 */
export const groupOf = (h, H, G) => Math.floor((h * G) / H);

/**
 * Whether query i may attend to key j. The last query is the one at the end of the keys.
 *
 * @param {LayerState} state
 * @param {number} i
 * @param {number} j
 */
export function seesKey(state, i, j) {
  const { L, S } = sizesOf(state);
  return !state.causal || j <= S - L + i;
}

/**
 * The steps that make a weight: products, their sum, scaled, masked.
 *
 * @param {LayerState} state
 * @param {Numbers} numbers
 * @param {Place} place
 */
export function partsOf(state, { query, key, weight }, [, h, i, j]) {
  const { H, D, G } = sizesOf(state);
  const products = Float32Array.from(query, (value, d) => value * key[d]);
  const score = products.reduce((sum, product) => sum + product, 0);
  const scaled = state.scale ? score / Math.sqrt(D) : score;
  const masked = seesKey(state, i, j) ? scaled : -Infinity;
  return { query, key, products, group: groupOf(h, H, G), score, scaled, masked, weight };
}

/**
 * The score and the weight at a place in words, for a screen reader.
 *
 * @param {LayerState} state
 * @param {Numbers} numbers
 * @param {Place} place
 */
export function spoken(state, numbers, place) {
  const [b, h, i, j] = place;
  const { score, weight } = partsOf(state, numbers, place);
  const looks = `sentence ${b}, head ${h}: ${wordsAlong(state, "L")[b][i]} for ${wordsAlong(state, "S")[b][j]}`;
  return `${looks}, score ${number(score, 2)}, weight ${number(weight, 2)}`;
}

/** @param {string} word */
export const quoted = (word) => `“${word}”`;

/**
 * @typedef {object} Spot what a sentence may name
 * @property {number} b
 * @property {number} h
 * @property {number} i
 * @property {number} j
 * @property {number} D
 * @property {number} E
 * @property {number} S
 * @property {string} source the tensor that keys and values come from
 * @property {string} query
 * @property {string} key
 * @property {number} group
 */

/** @type {Record<string, (spot: Spot) => string>} */
const SENTENCES = {
  x: ({ query, j }) => `number ${j} of the vector that stands for ${query}.`,
  context: ({ key, j }) => `number ${j} of the vector that stands for ${key}.`,
  q_flat: ({ b, i, j, E }) => `the ${E} numbers x[${b}, ${i}] times row ${j} of W_Q, added up.`,
  k_flat: ({ b, i, j, E, source }) => `the ${E} numbers ${source}[${b}, ${i}] times row ${j} of W_K, added up.`,
  v_flat: ({ b, i, j, E, source }) => `the ${E} numbers ${source}[${b}, ${i}] times row ${j} of W_V, added up.`,
  q: (spot) => splitFrom("q", spot),
  k: (spot) => splitFrom("k", spot),
  v: (spot) => splitFrom("v", spot),
  kT: ({ b, h, i, j }) => `k[${b}, ${h}, ${j}, ${i}]: row ${j} of k has become column ${j}.`,
  heads: ({ b, h, i, j, S, group }) =>
    `the ${S} weights[${b}, ${h}, ${i}] times the ${S} numbers v[${b}, ${group}, :, ${j}], added up.`,
  concat: ({ b, i, j, D }) => {
    const [head, d] = [Math.floor(j / D), j % D];
    const place = `heads[${b}, ${head}, ${i}, ${d}]`;
    return `${place}: the heads of a word lie side by side, ${D} numbers each, and ${j} = ${head} · ${D} + ${d}.`;
  },
  y: ({ b, i, j, E }) => `the ${E} numbers concat[${b}, ${i}], from all heads, times row ${j} of W_O, added up.`,
};

/**
 * @param {string} name
 * @param {Spot} spot
 */
function splitFrom(name, { b, h, i, j, D }) {
  const owns = `head ${h} owns the numbers ${h * D} to ${h * D + D - 1} of every word`;
  return `${name}_flat[${b}, ${i}, ${h * D + j}], not moved in memory: ${owns}.`;
}

/**
 * The index at a place as the tensor has it, and a sentence that says where its number comes from.
 *
 * @param {string} name
 * @param {LayerState} state
 * @param {Place} place
 * @param {string} axes
 */
export function sentenceFor(name, state, place, axes) {
  const [b, h, i, j] = place;
  const { D, E, S, H, G } = sizesOf(state);
  const [query, key] = [wordsAlong(state, "L")[b][i], wordsAlong(state, "S")[b][i]].map((word) => word && quoted(word));
  const source = state.S === null ? "x" : "context";
  const index = axes.split(" ").length === 4 ? [b, h, i, j] : [b, i, j];
  return { index, text: SENTENCES[name]({ b, h, i, j, D, E, S, source, query, key, group: groupOf(h, H, G) }) };
}
