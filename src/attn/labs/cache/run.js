// Words passing through two attention layers with caches: the prompt at once, then one word at a time.

import { normal, wordsOf } from "../kit/inputs.js";
import { range } from "../kit/math.js";
import { recorded, recordedVectors, SIZES } from "../kit/reader.js";
import { attentionScores, linear, maskFuture, mergeHeads, multiply, softmax, splitHeads, weightedSum } from "../kit/tensor.js";

/**
 * The settings of CacheLab; their meaning is in the docstring of the class in lab.py.
 *
 * @typedef {object} State
 * @property {number} S
 * @property {number} P
 * @property {number} H
 * @property {number} G
 * @property {number} D
 * @property {boolean} causal
 * @property {number} layer 1 or 2
 * @property {"nothing" | "q" | "k" | "v"} overwrite
 * @property {number} at
 * @property {string[]} _texts one text, with as many words as S can be
 */

/**
 * What a run leaves behind in one layer, for all positions.
 *
 * @typedef {object} LayerRun
 * @property {Float32Array} q (S, H*D)
 * @property {Float32Array} k (S, G*D), as the cache keeps it
 * @property {Float32Array} v (S, G*D), as the cache keeps it
 * @property {Float32Array} weights (H, S, S), 0 for words that had not arrived yet
 * @property {Float32Array} concat (S, E)
 * @property {Float32Array} y (S, E)
 */

/**
 * The number of words after each call: the prompt at once, then one word at a time.
 *
 * @param {number} P
 * @param {number} S
 * @returns {number[]}
 */
export function callEnds(P, S) {
  return range(S - P + 1).map((n) => P + n);
}

/**
 * The first row that the last call computes: 0 for the prompt, otherwise the newest row.
 *
 * @param {{ S: number, P: number }} state
 */
export function firstNewRow({ P, S }) {
  return S === P ? 0 : S - 1;
}

/**
 * How many positions row i attended to when it was computed.
 *
 * @param {number} i
 * @param {{ P: number, causal: boolean }} state
 */
export function visibleCount(i, { P, causal }) {
  return causal ? i + 1 : Math.max(P, i + 1);
}

/**
 * Which row of the output reads which key and value, where what is overwritten takes part: pairs [row, key].
 *
 * @param {{ S: number, overwrite: string, at: number, causal: boolean }} state
 */
export function readings({ S, overwrite, at, causal }) {
  const all = range(S).flatMap((i) => range(causal ? i + 1 : S).map((j) => [i, j]));
  return overwrite === "nothing" ? [] : all.filter(([i, j]) => (overwrite === "q" ? i : j) === at);
}

/**
 * @param {State} state
 * @returns {string[]}
 */
export function wordsSoFar({ _texts, S }) {
  return wordsOf(_texts).words[0].slice(0, S);
}

/**
 * Whether both layers are the recorded one.
 *
 * @param {{ H: number, D: number }} state
 */
export const isTrained = ({ H, D }) => H === SIZES.H && D === SIZES.D;

/**
 * The inputs x (S, E) of the first layer: word vectors plus position vectors.
 *
 * @param {State} state
 */
export function inputs(state) {
  const { S, H, D, _texts } = state;
  if (isTrained(state)) return recordedVectors(wordsSoFar(state));
  const E = H * D;
  const positions = normal(0, "position", range(S), E);
  const words = normal(0, "word", wordsOf(_texts).numbers[0].slice(0, S), E);
  return words.map((value, n) => (value + positions[n]) * Math.SQRT1_2);
}

const MATRICES = /** @type {const} */ (["W_Q", "W_K", "W_V", "W_O"]);
const parameterCache = new Map();

// W_Q, W_K, W_V and W_O of one layer, each (rows, E) as nn.Linear stores it; of recorded ones `linear` reads the first rows.
function parameters(layer, { H, G, D }) {
  if (isTrained({ H, D })) return Object.fromEntries(MATRICES.map((name) => [name, recorded(name)]));
  const key = `${layer} ${H} ${G} ${D}`;
  if (parameterCache.size > 64) parameterCache.clear();
  if (!parameterCache.has(key)) {
    const rows = { W_Q: H * D, W_K: G * D, W_V: G * D, W_O: H * D };
    const weights = Object.entries(rows).map(([name, count]) => [name, normal(0, `${name}${layer}`, range(count), H * D)]);
    parameterCache.set(key, Object.fromEntries(weights));
  }
  return parameterCache.get(key);
}

/**
 * Attention of the last L of S positions.
 *
 * @param {Float32Array} q (H, L, D)
 * @param {Float32Array} k (G, S, D)
 * @param {Float32Array} v (G, S, D)
 * @param {{ H: number, G: number, D: number, causal: boolean }} state
 * @param {number} L
 * @param {number} S
 * @returns {{ weights: Float32Array, heads: Float32Array }} (H, L, S) and (H, L, D)
 */
export function attend(q, k, v, { H, G, D, causal }, L, S) {
  const scaled = multiply(attentionScores(q, k, 1, H, G, L, S, D), 1 / Math.sqrt(D));
  const weights = softmax(causal ? maskFuture(scaled, L, S) : scaled, S);
  return { weights, heads: weightedSum(weights, v, 1, H, G, L, S, D) };
}

/**
 * Let words arrive call by call, with a cache in every layer.
 *
 * @param {Float32Array} x (S, E)
 * @param {number[]} ends the number of words after each call; [S] is one full pass
 * @param {State} state
 * @returns {LayerRun} the tensors of layer `state.layer`
 */
export function runLayers(x, ends, state) {
  const { H, G, D } = state;
  const [E, S] = [H * D, ends[ends.length - 1]];
  const zeros = (count) => new Float32Array(count);
  const factor = isTrained(state) ? 1 : 1 / Math.sqrt(E);
  const layers = range(state.layer).map(() => ({
    ...{ q: zeros(S * E), k: zeros(S * G * D), v: zeros(S * G * D) },
    ...{ weights: zeros(H * S * S), concat: zeros(S * E), y: zeros(S * E) },
  }));
  let start = 0;
  for (const end of ends) {
    const L = end - start;
    let input = x.slice(start * E, end * E);
    layers.forEach((kept, n) => {
      const { W_Q, W_K, W_V, W_O } = parameters(n + 1, state);
      const project = (weight, rows) => linear(input, weight, L, E, rows, E, factor);
      kept.q.set(project(W_Q, E), start * E);
      kept.k.set(project(W_K, G * D), start * G * D);
      kept.v.set(project(W_V, G * D), start * G * D);
      const q = splitHeads(kept.q.subarray(start * E, end * E), 1, L, H, D);
      const [k, v] = [kept.k, kept.v].map((rows) => splitHeads(rows.subarray(0, end * G * D), 1, end, G, D));
      const { weights, heads } = attend(q, k, v, state, L, end);
      copyRows(weights, kept.weights, { H, L, start, end, S });
      const concat = mergeHeads(heads, 1, H, L, D);
      const y = linear(concat, W_O, L, E, E, E, factor);
      kept.concat.set(concat, start * E);
      kept.y.set(y, start * E);
      input = input.map((value, at) => value + y[at]); // the residual connection of a transformer
    });
    start = end;
  }
  return layers[layers.length - 1];
}

// Copy the rows (H, L, end) into rows start to start + L of each head of `all` (H, S, S).
function copyRows(rows, all, { H, L, start, end, S }) {
  for (let h = 0; h < H; h++)
    for (let i = 0; i < L; i++) all.set(rows.subarray((h * L + i) * end, (h * L + i + 1) * end), (h * S + start + i) * S);
}
