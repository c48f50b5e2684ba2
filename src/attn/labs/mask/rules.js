// The mask that the reader means: rules about positions, and painted exceptions to them.

import { wordsOf } from "../kit/inputs.js";
import { range } from "../kit/math.js";

export const PADDING = "·"; // the same as in attn/lessons/text.py

/**
 * The settings of MaskLab; their meaning is in the docstring of the class in lab.py.
 *
 * @typedef {object} State
 * @property {number} L
 * @property {number} H
 * @property {boolean} causal
 * @property {number | null} window
 * @property {boolean} padding
 * @property {"behind" | "in front"} pads
 * @property {"bottom right" | "top left"} corner
 * @property {number[][]} painted [sentence, position of the query, key, 0 or 1]
 * @property {string} stored
 * @property {boolean} late the mask is multiplied with the weights after softmax
 * @property {string} fill
 * @property {"float32" | "float16"} dtype
 * @property {string[]} _texts the sentences
 * @property {number[]} pin
 * @property {"none" | "spellings" | "broadcast"} detail
 */
/** @typedef {"causal" | "window" | "padding"} Rule */

/**
 * The sentences as words, their lengths, their number B, and S, the length to which they are padded.
 *
 * @param {Pick<State, "_texts">} state
 */
export function batchOf({ _texts }) {
  const { words } = wordsOf(_texts);
  const lengths = words.map((sentence) => sentence.length);
  return { words, lengths, B: words.length, S: Math.max(...lengths) };
}

/**
 * Rows padded to S items, in front or behind.
 *
 * @template Item
 * @param {Item[][]} rows
 * @param {Item} padding
 * @param {Pick<State, "pads">} state
 * @param {number} S
 */
export function pad(rows, padding, { pads }, S) {
  return rows.map((row) => {
    const filling = range(S - row.length).map(() => padding);
    return pads === "in front" ? [...filling, ...row] : [...row, ...filling];
  });
}

/** @param {Pick<State, "_texts" | "pads">} state */
export function paddedWords(state) {
  const { words, S } = batchOf(state);
  return pad(words, PADDING, state, S);
}

/**
 * The position of query i: the L queries are the last of the S positions.
 *
 * @param {number} i
 * @param {Pick<State, "L">} state
 * @param {number} S
 */
export function positionOf(i, { L }, S) {
  return S - L + i;
}

/**
 * The rules that forbid query i of sentence b to look at key j. With the top left corner they take query i for position i.
 *
 * @param {State} state
 * @param {number} b
 * @param {number} i
 * @param {number} j
 * @returns {Rule[]}
 */
export function brokenRules(state, b, i, j) {
  const { S, lengths } = batchOf(state);
  const query = state.corner === "top left" ? i : positionOf(i, state, S);
  const isWord = state.pads === "in front" ? j >= S - lengths[b] : j < lengths[b];
  /** @type {Rule[]} */
  const broken = [];
  if (state.causal && j > query) broken.push("causal");
  if (state.window !== null && Math.abs(query - j) >= state.window) broken.push("window");
  if (state.padding && !isWord) broken.push("padding");
  return broken;
}

/**
 * The intended mask: 1 where query i of sentence b may attend to key j, else 0.
 *
 * @param {State} state
 * @returns {Float32Array} (B, L, S)
 */
export function intendedMask(state) {
  const { B, S } = batchOf(state);
  const { L } = state;
  const keep = new Float32Array(B * L * S);
  for (let b = 0; b < B; b++)
    for (let i = 0; i < L; i++) for (let j = 0; j < S; j++) keep[(b * L + i) * S + j] = Number(!brokenRules(state, b, i, j).length);
  for (const [b, query, key, may] of validExceptions(state, B, S)) keep[(b * L + query - (S - L)) * S + key] = may;
  return keep;
}

/**
 * The painted exceptions that lie in this batch: a link may carry others.
 *
 * @param {Pick<State, "painted" | "L">} state
 * @param {number} B
 * @param {number} S
 */
export function validExceptions({ painted, L }, B, S) {
  const isQuadruple = (entry) => Array.isArray(entry) && entry.length === 4 && entry.every((at) => Number.isInteger(at) && at >= 0);
  /** @param {number[]} entry */
  const isInside = ([b, query, key, may]) => b < B && query < S && query >= S - L && key < S && may < 2;
  return painted.filter((entry) => isQuadruple(entry) && isInside(entry));
}

/**
 * The exceptions after cell (i, j) of sentence b is painted. A cell that agrees with the rules is not an exception.
 *
 * @param {State} state
 * @param {number} b
 * @param {number} i
 * @param {number} j
 * @param {number} may 1 may attend, 0 may not
 * @returns {number[][]}
 */
export function paintCell(state, b, i, j, may) {
  const query = positionOf(i, state, batchOf(state).S);
  const others = state.painted.filter(([sentence, position, key]) => sentence !== b || position !== query || key !== j);
  const ruled = Number(!brokenRules(state, b, i, j).length);
  return may === ruled ? others : [...others, [b, query, j, may]];
}
