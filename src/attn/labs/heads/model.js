// What HeadsLab computes: the heads of one layer, merged and projected; what each head adds to y, what is read from y, and the costs.

import { computeLayer, parameters } from "../kit/layer.js";
import { divisors } from "../kit/math.js";
import { isTrained, recorded, recordedSource } from "../kit/reader.js";

/**
 * The settings of HeadsLab; their meaning is in the docstring of the class in lab.py.
 *
 * @typedef {object} State
 * @property {number} E
 * @property {number} H
 * @property {number} L
 * @property {number[]} off
 * @property {boolean} project
 * @property {"right" | "wrong"} merge
 * @property {number} seed
 * @property {string[]} _texts
 */

/**
 * @typedef {object} Results
 * @property {boolean} trained
 * @property {Float32Array} heads (H, L, D)
 * @property {Float32Array} concat (L, E)
 * @property {Float32Array} from_head (L, E) the head that each number of concat comes from
 * @property {Float32Array} from_word (L, E) the word that each number of concat comes from
 * @property {Float32Array} W_O (E, E), as y = concat @ W_O uses it
 * @property {Float32Array} whole (H, L, E) what each part of concat adds to y while all heads are on
 * @property {Float32Array} parts (H, L, E) what each part of concat adds to y
 * @property {Float32Array} y (L, E)
 * @property {Float32Array} norms (H, L) the length of each part
 * @property {Float32Array} shares (H, L) the share of each part in y
 * @property {Float32Array | null} logits (L, 20) the answers that are read from y; null if the numbers are random
 * @property {number} parameters
 * @property {number} flops
 * @property {number} stored scores
 */

export const WIDTHS = [12, 16]; // the same as in lab.py

/**
 * Why settings are invalid, or "".
 *
 * @param {Pick<State, "E" | "H" | "off">} state
 * @returns {string}
 */
export function problem({ E, H, off }) {
  if (!WIDTHS.includes(E)) return `E = ${E}: this lab takes E = ${WIDTHS.join(" or ")}.`;
  if (E % H) return `E = ${E} is not a multiple of H = ${H}. Heads have equal width, so H can be [${divisors(E).join(", ")}].`;
  const missing = off.find((h) => !Number.isInteger(h) || h < 0 || h >= H);
  if (missing === undefined) return "";
  return `off = [${off.join(", ")}]: there is no head ${missing}; H = ${H} heads are numbered 0 to ${H - 1}.`;
}

/**
 * Where number e of word i's row of concat comes from.
 *
 * @param {Pick<State, "E" | "H" | "L" | "merge">} state
 * @param {number} i
 * @param {number} e
 * @returns {[head: number, word: number, d: number]}
 */
export function sourceOf({ E, H, L, merge }, i, e) {
  const D = E / H;
  const piece = i * H + Math.floor(e / D); // concat is L * H pieces of D numbers
  return merge === "right" ? [piece % H, i, e % D] : [Math.floor(piece / L), piece % L, e % D];
}

/**
 * @param {State} state
 * @returns {Results}
 */
export function compute(state) {
  const message = problem(state);
  if (message) throw new Error(message);
  const { E, H, L, off, project, seed, _texts } = state;
  const D = E / H;
  const layerState = { B: 1, H, L, S: null, D, G: null, scale: true, causal: false, seed, _texts };
  const trained = isTrained(layerState);
  const layer = trained ? computeLayer(layerState, recordedSource(layerState)) : computeLayer(layerState);
  /** @type {Float32Array} */
  const heads = layer.heads.slice();
  for (const h of off) heads.fill(0, h * L * D, (h + 1) * L * D);
  const merged = mergeWithSources(heads, state);
  const W_O = outputMatrix(state, trained);
  const { parts: whole } = partsOfOutput(mergeWithSources(layer.heads, state).concat, W_O, state);
  const { parts, y } = partsOfOutput(merged.concat, W_O, state);
  const count = (project ? 4 : 3) * E * E;
  const costs = { parameters: count, flops: 2 * L * count + 4 * L * L * E, stored: H * L * L };
  const logits = trained ? logitsOf(y, L) : null;
  return { trained, heads, ...merged, W_O, whole, parts, y, ...lengthsAndShares(parts, y, state), logits, ...costs };
}

/**
 * The logits of all answers to who, what and when, for rows of y: (rows, 20).
 *
 * @param {ArrayLike<number>} y (rows, E)
 * @param {number} rows
 */
export function logitsOf(y, rows) {
  const stored = recorded("W_answers"); // (20, E)
  const E = y.length / rows;
  const count = stored.length / E;
  return Float32Array.from({ length: rows * count }, (_, at) => {
    const [i, n] = [Math.floor(at / count), at % count];
    let sum = 0;
    for (let e = 0; e < E; e++) sum += y[i * E + e] * stored[n * E + e];
    return sum;
  });
}

/**
 * concat (L, E), and the head and the word of each of its numbers.
 *
 * @param {Float32Array} heads
 * @param {State} state
 */
function mergeWithSources(heads, state) {
  const { E, H, L } = state;
  const [concat, from_head, from_word] = [0, 1, 2].map(() => new Float32Array(L * E));
  for (let at = 0; at < L * E; at++) {
    const [h, i, d] = sourceOf(state, Math.floor(at / E), at % E);
    concat[at] = heads[((h * L + i) * E) / H + d];
    from_head[at] = h;
    from_word[at] = i;
  }
  return { concat, from_head, from_word };
}

/**
 * W_O (E, E) as (in, out), or the identity.
 *
 * @param {State} state
 * @param {boolean} trained
 */
function outputMatrix({ E, project, seed }, trained) {
  const known = recorded("W_O");
  const stored = trained ? (/** @type {number} */ e, /** @type {number} */ n) => known[e * E + n] : parameters(seed, "W_O", E);
  return Float32Array.from({ length: E * E }, (_, at) => {
    const [n, e] = [Math.floor(at / E), at % E];
    return project ? stored(e, n) : Number(n === e); // stored as nn.Linear does, (out, in)
  });
}

/**
 * What D numbers of concat at a time add to y through their rows of W_O, (H, L, E), and the sum y (L, E).
 *
 * @param {Float32Array} concat
 * @param {Float32Array} W_O
 * @param {State} state
 */
function partsOfOutput(concat, W_O, { E, H, L }) {
  const D = E / H;
  const parts = new Float32Array(H * L * E);
  const y = new Float32Array(L * E);
  for (let h = 0; h < H; h++)
    for (let i = 0; i < L; i++)
      for (let e = 0; e < E; e++) {
        let sum = 0;
        for (let n = h * D; n < h * D + D; n++) sum += concat[i * E + n] * W_O[n * E + e];
        parts[(h * L + i) * E + e] = sum;
        y[i * E + e] += sum;
      }
  return { parts, y };
}

/**
 * @param {Float32Array} parts
 * @param {Float32Array} y
 * @param {State} state
 */
function lengthsAndShares(parts, y, { E, H, L }) {
  /** @type {(a: Float32Array, aStart: number, b: Float32Array, bStart: number) => number} */
  const dot = (a, aStart, b, bStart) => {
    let sum = 0;
    for (let e = 0; e < E; e++) sum += a[aStart + e] * b[bStart + e];
    return sum;
  };
  const [norms, shares] = [new Float32Array(H * L), new Float32Array(H * L)];
  for (let n = 0; n < H * L; n++) {
    const row = (n % L) * E;
    norms[n] = Math.sqrt(dot(parts, n * E, parts, n * E));
    shares[n] = dot(parts, n * E, y, row) / (dot(y, row, y, row) || 1);
  }
  return { norms, shares };
}
