// What MaskLab says: of one cell, of the whole mask, of how it is spelled and handed over.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { batchOf, FILLS, forbidding, PAD, placesOf, positionOf } from "./model.js";

export const FILL_NAMES = { zero: "−∞, then 0", "-inf": "−∞", "-1e9": "−1e9", "finfo.min": "finfo.min", "-1e4": "−1e4" };
export const HANDED = { "L, S": "mask[0]", "B, 1, 1, S": "mask[:, None, -1:]", "B, 1, L, S": "mask[:, None]", "B, L, S": "mask" };
const WHY = { causal: "it comes later", window: "it is too far away", padding: "it is padding" };

// name, what it means, who writes it so, and what stands in a cell
export const SPELLINGS = [
  ["keep", "True: may look", "attn, F.scaled_dot_\u200bproduct_attention", (may) => (may ? "T" : "F")],
  ["drop", "True: is blocked", "nn.MultiheadAttention", (may) => (may ? "F" : "T")],
  ["additive", "added to the scores", "F.scaled_dot_\u200bproduct_attention, nn.MultiheadAttention", (may) => (may ? "0" : "−∞")],
  ["0 and 1", "1: may look", "tokenizers", (may) => (may ? "1" : "0")],
];

// A weight of exactly 0 is not a small one.
export const weightText = (weight) => (weight === 0 ? "0" : number(weight, 2));

// Where (b, h, i, j) lies in (B, H, L, S).
export const placeOf = ({ H, L }, S, [b, h, i, j]) => ((b * H + h) * L + i) * S + j;

// The sentence about one cell: may the query look, why, and what comes of it.
export function story(state, results, [b, h, i, j]) {
  const { S } = batchOf(state);
  const words = placesOf(state)[b];
  const query = positionOf(i, state, S);
  const may = results.keep[(b * state.L + i) * S + j];
  const broken = forbidding(state, b, i, j);
  const painted = Boolean(may) !== !broken.length;
  const ruled = broken.length ? broken.map((rule) => WHY[rule]).join(", ") : "no rule forbids it";
  const from = state.corner === "top left" && state.L < S ? `, for the rules see this query at position ${i}` : "";
  const why = painted ? "you painted it so" : `${ruled}${from}`;
  const asks = `“${words[query]}” (position ${query}) ${may ? "may" : "may not"} look at “${words[j]}” (${j}): ${why}.`;
  if (!results.weights) return asks;
  const at = placeOf(state, S, [b, h, i, j]);
  const other = isWrong(state, S, results, at) ? ` But the mask that reaches head ${h} says ${may ? "False" : "True"}.` : "";
  return `${asks}${other} Scaled score ${number(results.scaled[at], 2)}, weight ${weightText(results.weights[at])}.`;
}

// The queries of one sentence and head that may see nothing.
export function emptyRows(state, results, b, h) {
  const { S } = batchOf(state);
  const from = placeOf(state, S, [b, h, 0, 0]);
  return range(state.L).filter((i) => !results.stretched.subarray(from + i * S, from + i * S + S).includes(1));
}

// The queries of a sentence, words all, that the wrong corner keeps from seeing themselves: they are taken for earlier ones.
export function strangers(state, keep, b) {
  const { S } = batchOf(state);
  if (state.corner !== "top left") return [];
  const blind = (i) => !keep[(b * state.L + i) * S + positionOf(i, state, S)];
  return range(state.L).filter((i) => placesOf(state)[b][positionOf(i, state, S)] !== PAD && blind(i));
}

// Whether entry `at` of the stretched mask is another than is meant.
export function isWrong({ H, L }, S, { keep, stretched }, at) {
  const table = L * S;
  return stretched[at] !== keep[Math.floor(at / (H * table)) * table + (at % table)];
}

// What is worth knowing about this mask, the worst first.
export function findings(state, results, b, h) {
  if (results.error) return [`RuntimeError: ${results.error}.`];
  const { S } = batchOf(state);
  const notes = [];
  const wrong = range(results.stretched.length).filter((at) => isWrong(state, S, results, at)).length;
  if (wrong) notes.push(`⚠ ${wrong} of ${results.stretched.length} entries of the stretched mask are not those that are meant.`);
  const empty = emptyRows(state, results, b, h).map((i) => positionOf(i, state, S));
  if (empty.length === 1) notes.push(`⚠ The query at position ${empty[0]} may see nothing.`);
  if (empty.length > 1) notes.push(`⚠ The queries at positions ${empty.join(", ")} may see nothing.`);
  const lost = strangers(state, results.keep, b).map((i) => positionOf(i, state, S));
  const names = lost.map((at) => `“${placesOf(state)[b][at]}” (position ${at})`).join(", ");
  if (lost.length) notes.push(`⚠ ${names} ${lost.length === 1 ? "does not see itself" : "do not see themselves"}.`);
  return notes;
}

// What a fill made of a row of which `may` says what may be seen.
export function outcome(row, may) {
  if (row.some(Number.isNaN)) return "NaN";
  const hidden = row.filter((_, j) => !may[j]);
  if (hidden.every((weight) => weight === 0)) return may.some(Boolean) ? "right" : "all zeros";
  return Math.max(...row) - Math.min(...row) < 1e-6 ? "an average over forbidden keys" : "the weights without a mask";
}

// The row at `at` of (B, H, L, S) under each fill.
export function fillsOf(results, S, at) {
  const size = results.by_fill.length / FILLS.length;
  return FILLS.map((_, n) => results.by_fill.subarray(n * size + at, n * size + at + S));
}
