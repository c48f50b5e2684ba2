// What MaskLab knows about one cell, about the rows of a sentence, and about a row under each fill.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { FILLS } from "./model.js";
import { batchOf, brokenRules, PADDING, paddedWords, positionOf } from "./rules.js";

/** @typedef {import("./rules.js").State} State */
/** @typedef {import("./model.js").Results} Results */

export const FILL_NAMES = { zero: "−∞, empty rows → 0", "-inf": "−∞", "-1e9": "−1e9", "finfo.min": "finfo.min", "-1e4": "−1e4" };
const REASONS = { causal: "it comes later", window: "it is too far away", padding: "it is padding" };

/** A word as it is shown. @param {string} word */
export const nameOf = (word) => (word === PADDING ? "pad" : word);

/**
 * A weight with two digits; exactly 0 is "0", unlike a small weight.
 *
 * @param {number} weight
 * @param {boolean} [isFine] whether it has a third digit
 */
export function weightText(weight, isFine = false) {
  return weight === 0 ? "0" : number(weight, isFine ? 3 : 2);
}

/**
 * The place of (b, h, i, j) in a tensor (B, H, L, S).
 *
 * @param {Pick<State, "H" | "L">} state
 * @param {number} S
 * @param {number[]} index
 */
export function placeOf({ H, L }, S, [b, h, i, j]) {
  return ((b * H + h) * L + i) * S + j;
}

/**
 * Whether place `at` of the expanded mask differs from the intended mask.
 *
 * @param {Pick<State, "H" | "L">} state
 * @param {number} S
 * @param {Pick<Results, "keep" | "expanded">} results
 * @param {number} at
 */
export function isWrong({ H, L }, S, { keep, expanded }, at) {
  const table = L * S;
  return expanded?.[at] !== keep[Math.floor(at / (H * table)) * table + (at % table)];
}

/**
 * One cell: whether the query may attend to the key, why, and the weight.
 *
 * @param {State} state
 * @param {Results} results
 * @param {number[]} index [b, h, i, j]
 * @returns {string}
 */
export function cellText(state, results, [b, h, i, j]) {
  const { S } = batchOf(state);
  const words = paddedWords(state)[b];
  const query = positionOf(i, state, S);
  const may = results.keep[(b * state.L + i) * S + j] === 1;
  const look = `“${nameOf(words[query])}” (position ${query}) ${may ? "may" : "may not"} attend to “${nameOf(words[j])}” (${j})`;
  const decision = `${look}: ${reason(state, b, i, j, may)}.`;
  if (!results.weights) return decision;
  const at = placeOf(state, S, [b, h, i, j]);
  const wrong = isWrong(state, S, results, at) ? ` But the mask that reaches head ${h} says ${may ? "False" : "True"}.` : "";
  return `${decision}${wrong} Scaled score ${number(results.scaled[at], 2)}, weight ${weightText(results.weights[at])}.`;
}

function reason(state, b, i, j, may) {
  const broken = brokenRules(state, b, i, j);
  if (may === broken.length > 0) return "you painted it so";
  const rules = broken.length ? broken.map((rule) => REASONS[rule]).join(", ") : "no rule forbids it";
  const isShifted = state.corner === "top left" && state.L < batchOf(state).S;
  return isShifted ? `${rules}, because the rules see this query at position ${i}` : rules;
}

/**
 * The queries of one sentence and head that may see nothing.
 *
 * @param {State} state
 * @param {Pick<Results, "expanded">} results
 * @param {number} b
 * @param {number} h
 * @returns {number[]}
 */
export function emptyRows(state, { expanded }, b, h) {
  const { S } = batchOf(state);
  const start = placeOf(state, S, [b, h, 0, 0]);
  return range(state.L).filter((i) => !expanded?.subarray(start + i * S, start + (i + 1) * S).includes(1));
}

/**
 * The queries of sentence b, without padding, that the top left corner keeps from seeing themselves.
 *
 * @param {State} state
 * @param {Float32Array} keep (B, L, S)
 * @param {number} b
 * @returns {number[]}
 */
export function selfBlindQueries(state, keep, b) {
  if (state.corner !== "top left") return [];
  const { S } = batchOf(state);
  const words = paddedWords(state)[b];
  return range(state.L).filter((i) => {
    const position = positionOf(i, state, S);
    return words[position] !== PADDING && !keep[(b * state.L + i) * S + position];
  });
}

/**
 * What a fill did to a row of weights.
 *
 * @param {number[]} row
 * @param {number[]} may 1 where the query may attend
 */
export function rowOutcome(row, may) {
  if (row.some(Number.isNaN)) return "NaN";
  const forbidden = row.filter((_, j) => !may[j]);
  if (forbidden.every((weight) => weight === 0)) return may.some(Boolean) ? "right" : "all zeros";
  return Math.max(...row) - Math.min(...row) < 1e-6 ? "an average over forbidden keys" : "the weights without a mask";
}

/**
 * The row that starts at place `at` of (B, H, L, S), under each fill.
 *
 * @param {Float32Array} weightsByFill
 * @param {number} S
 * @param {number} at
 * @returns {Float32Array[]}
 */
export function rowUnderFills(weightsByFill, S, at) {
  const size = weightsByFill.length / FILLS.length;
  return FILLS.map((_, n) => weightsByFill.subarray(n * size + at, n * size + at + S));
}
