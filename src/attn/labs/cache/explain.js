// The sentences of CacheLab: about the last call, about what was overwritten, and about the cell that is pointed at.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { firstNewRow, visibleCount, wordsSoFar } from "./run.js";

/** @typedef {import("./run.js").State} State */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {"q" | "k" | "v" | "weights" | "heads"} TensorName */

export const TOLERANCE = 1e-4; // a smaller difference is rounding
const NAMES = { nothing: "", q: "query", k: "key", v: "value" };

const quotedWord = (state, i) => `“${wordsSoFar(state)[i]}”`;
const rowsThatDiffer = (differences) => range(differences.length).filter((i) => differences[i] > TOLERANCE);

/**
 * Row numbers in words: [2, 3, 4, 5] as "rows 2 to 5", [0, 4, 5] as "rows 0, 4, 5".
 *
 * @param {number[]} numbers in ascending order
 */
export function rowList(numbers) {
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  if (numbers.length === 1) return `row ${first}`;
  return `rows ${last - first === numbers.length - 1 ? `${first} to ${last}` : numbers.join(", ")}`;
}

/**
 * A difference with two digits; rounding errors of float32 count as 0.
 *
 * @param {number} value
 */
export function differenceText(value) {
  return value < TOLERANCE ? "0.00" : number(Math.max(value, 0.01), 2);
}

/**
 * Whether the run with a cache equals a full pass, leaving out what was overwritten.
 *
 * @param {State} state
 * @param {Pick<Results, "gap" | "stale">} results
 * @returns {{ kind: "equal" | "new row only" | "different", text: string }}
 */
export function comparison(state, results) {
  const { kind, text } = compareWithFullPass(state, results);
  return { kind, text: state.overwrite === "nothing" ? text : `Without the overwriting, ${text[0].toLowerCase()}${text.slice(1)}` };
}

/** @returns {{ kind: "equal" | "new row only" | "different", text: string }} */
function compareWithFullPass(state, { gap, stale }) {
  const start = firstNewRow(state);
  const different = rowsThatDiffer(gap);
  if (!different.length) {
    const now = state.S === state.P ? `the ${state.P} rows of the prompt are` : "the new row is";
    const older = start ? ` and the ${start} older rows still hold` : "";
    return { kind: "equal", text: `Cached = full pass: ${now} the same${older}.` };
  }
  const older = different.filter((i) => i < start);
  const changed = `A full pass gives other outputs for ${older.length} of ${start} older words`;
  if (different.length === older.length) {
    const text = `The new row is that of the full pass. ${changed}: without a mask they would look at the new one too.`;
    return { kind: "new row only", text };
  }
  const distance = differenceText(Math.max(...gap.subarray(start)));
  const staleWords = `The kept keys and values of ${rowsThatDiffer(stale).length} words are stale`;
  return { kind: "different", text: `Cached ≠ full pass: the new row is off by ${distance}. ${staleWords}. ${changed}.` };
}

/**
 * What overwriting one position changed.
 *
 * @param {State} state
 * @param {Pick<Results, "moved" | "stale_q">} results
 * @returns {string}
 */
export function overwriteEffect(state, { moved, stale_q }) {
  const { overwrite, at, S, P, causal } = state;
  if (overwrite === "nothing") return "Nothing is overwritten. Click a row of q, k or v to overwrite it.";
  const what = `The ${NAMES[overwrite]} of ${quotedWord(state, at)} is overwritten:`;
  const start = firstNewRow(state);
  const all = rowsThatDiffer(moved);
  const now = all.filter((i) => i >= start);
  if (S === P) {
    if (!now.length) return `${what} no row moves.`;
    return `${what} in a prefill ${rowList(now)} ${now.length === 1 ? "moves" : "move"}.`;
  }
  const recomputed = all.length ? ` If all rows were computed again, ${rowList(all)} would move.` : "";
  if (now.length) {
    const distance = differenceText(Math.max(...moved.subarray(start)));
    return `${what} the new row moves by up to ${distance}${at < start ? ", and so will the rows after it" : ""}.${recomputed}`;
  }
  const still = `${what} the new row does not move.`;
  if (overwrite !== "q") return `${still}${recomputed}`;
  if (causal) return `${still} Nobody reads that query again.${recomputed}`;
  const queries = rowsThatDiffer(stale_q).length
    ? "and here their queries do too: nothing that is old can be used."
    : "and need their queries again.";
  return `${still}${recomputed} But without a mask older rows change with each word, ${queries}`;
}

/**
 * Whether a cache of queries would be of use. It is only where old rows change with each word and the old queries still hold.
 *
 * @param {Pick<State, "causal" | "layer" | "S" | "P">} state
 * @param {string} bytes the size of that cache
 */
export function queryCacheUse({ causal, layer, S, P }, bytes) {
  const size = `A cache of queries would take ${bytes}`;
  if (causal) return `${size}, and no step would read it.`;
  if (layer === 1) return `${size}; to bring the older rows up to date a step would read it.`;
  return S === P ? `${size}; after the next word they would be stale.` : `${size}; they would be stale too.`;
}

/**
 * Whether a full pass gives row i of a tensor other numbers, leaving out what was overwritten.
 *
 * @param {TensorName} tensor
 * @param {number} i
 * @param {Results} results
 */
export function isStale(tensor, i, { gap, stale, stale_q, stale_weights }) {
  return { q: stale_q, k: stale, v: stale, weights: stale_weights, heads: gap }[tensor][i] > TOLERANCE;
}

/**
 * When a cell was computed, and who reads it.
 *
 * @param {TensorName} tensor
 * @param {number} i row
 * @param {number} j column
 * @param {State} state
 * @param {Results} results
 * @param {number} value
 * @returns {string}
 */
export function cellText(tensor, i, j, state, results, value) {
  const word = quotedWord(state, i);
  const isNew = i >= firstNewRow(state);
  const when = isNew ? "now" : i < state.P ? "in the prefill" : `when ${word} was new`;
  const stale = isStale(tensor, i, results) ? " Stale: a full pass has other numbers in this row." : "";
  if (tensor === "heads") return `Row ${i} of this head's output: computed ${when}, and only then.${stale}`;
  if (tensor === "weights") {
    const key = quotedWord(state, j);
    if (j >= visibleCount(i, state))
      return `${word} did not see ${key}: it ${state.causal ? "is later" : "was not there yet"}.${stale}`;
    return `${word} looks at ${key} with weight ${number(value, 2)}: computed ${when}, used for row ${i}, not kept.${stale}`;
  }
  const name = `${tensor} of ${word}, number ${j}: ${number(value, 2)}. Computed ${when}`;
  if (tensor === "q") return `${name}, used for row ${i}, not kept. No later row reads it.${stale}`;
  return `${name}, ${isNew ? "and written into the cache" : "read from the cache at every step since"}.${stale}`;
}
