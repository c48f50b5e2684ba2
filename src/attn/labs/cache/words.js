// The sentences of CacheLab: about the last call, about what was overwritten, and about the row that is pointed at.

import { byteCount, integer, number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { counted, quoted } from "../kit/phrases.js";
import { firstNewRow, visibleCount, wordsSoFar } from "./run.js";

/** @typedef {import("./run.js").State} State */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {"q" | "k" | "v" | "weights" | "heads"} TensorName */
/** @typedef {{ kind: "good" | "luck" | "bad", text: string }} Verdict */

export const TOLERANCE = 1e-4; // a smaller difference is rounding
export const NAMES = { nothing: "", q: "query", k: "key", v: "value" };

const quotedWord = (state, i) => quoted(wordsSoFar(state)[i]);

/** @param {ArrayLike<number>} differences */
export const rowsThatDiffer = (differences) => range(differences.length).filter((i) => differences[i] > TOLERANCE);

/**
 * Numbers in words: [5, 6] as "rows 5 and 6", [2, 3, 4, 5] as "rows 2 to 5", [0, 4, 5] as "rows 0, 4, 5".
 *
 * @param {number[]} numbers in ascending order
 * @param {string} [noun]
 */
export function rowList(numbers, noun = "row") {
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  if (numbers.length === 1) return `${noun} ${first}`;
  if (numbers.length === 2) return `${noun}s ${first} and ${last}`;
  return `${noun}s ${last - first === numbers.length - 1 ? `${first} to ${last}` : numbers.join(", ")}`;
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
 * What the last call did, who will read again what it made, and what sharing changes: a result in bold, and the rest.
 *
 * @param {State} state
 * @param {Pick<Results, "costs" | "shared">} results
 * @param {number} [head] that is drawn
 * @returns {[string, string]}
 */
export function callSentence(state, { costs, shared: differences }, head = -1) {
  const { S, P, H, G } = state;
  const heads = `${H} query heads share ${counted(G, "key/value head")}`;
  const others = rowsThatDiffer(differences);
  const price = others.length
    ? ` The price: ${rowList(others, "head")} ${others.length > 1 ? "give" : "gives"} other numbers${others.includes(head) ? ` (head ${head} is drawn)` : ""}.`
    : "";
  if (G < H) return [`${heads}: ${byteCount(costs.kept)}, not ${byteCount((costs.kept * H) / G)}.`, price];
  if (S === P) {
    const words = P === 1 ? "The prompt, 1 word, is" : `The ${P} words of the prompt are`;
    return ["", `${words} computed at once. Their keys and values are kept, their queries are not.`];
  }
  const query = `The query of ${quotedWord(state, S - 1)} met ${S} keys`;
  const gone = state.causal ? `${query}; no later word reads it.` : `${query} and is not kept.`;
  return ["", `${gone} Its key and value stay: ${byteCount(costs.kept / S)} more.`];
}

/**
 * What shows why keys are kept and queries are not.
 *
 * @param {State} state
 */
export const pointer = ({ G, H, causal }) => (G === H && causal ? " Why? Change a query, then a key." : "");

/**
 * What is seen while something moves.
 *
 * @param {import("./scene.js").Kind} kind
 * @param {State} state
 * @param {number} [since] the first word that comes with an experiment
 */
export function movingSentence(kind, state, since = state.S) {
  const { S, H, G, overwrite, at } = state;
  if (kind === "arrive") return `The key and value of ${quotedWord(state, S - 1)} join the cache; its query meets every key, once.`;
  if (kind === "overwrite" && overwrite !== "nothing")
    return `${since < S ? `First the other words come: ${S} are there. ` : ""}${quotedWord(state, at)} gets a random ${NAMES[overwrite]}. All ${S} rows are computed again: which of them read it?`;
  return kind === "share" ? `${H} query heads now read ${counted(G, "key/value head")}.` : "";
}

/**
 * Whether the run with a cache equals a full pass, leaving out what was overwritten.
 *
 * @param {State} state
 * @param {Pick<Results, "gap" | "stale" | "costs">} results
 * @returns {Verdict} a layer that shares keys and values is compared with one that shares them, too
 */
export function comparison(state, { gap, stale, costs }) {
  const start = firstNewRow(state);
  const different = rowsThatDiffer(gap);
  const [cached, full] = costs.step.map(integer);
  if (!different.length) {
    if (state.G < state.H || !start) return { kind: "good", text: "" }; // what is said is the price of sharing; a prefill is a full pass
    return { kind: "good", text: `✓ Same output as without a cache: this step takes ${cached} multiplications, not ${full}.` };
  }
  const older = different.filter((i) => i < start);
  const changed = `A full pass gives other outputs for ${older.length} of ${counted(start, "older word")}`;
  if (different.length === older.length)
    return { kind: "luck", text: `⚠ The new row is right, but without a mask the older words would attend to it too. ${changed}.` };
  const distance = differenceText(Math.max(...gap.subarray(start)));
  const staleWords = `The kept keys and values of ${counted(rowsThatDiffer(stale).length, "word")} are stale`;
  return { kind: "bad", text: `✗ The new row is off by ${distance}. ${staleWords} (red frames). ${changed}.` };
}

/**
 * Who reads what is overwritten, in two lines, once all lines of the picture are there: for each row and key that it reads there is one
 * that ends at the row.
 *
 * @param {string} overwrite
 * @param {{ n: number, end?: string }[]} lines
 */
export function readersOf(overwrite, lines) {
  if (lines.some(({ n }) => n < 1)) return overwrite === "q" ? ["what does", "it read?"] : ["who", "reads it?"];
  const count = lines.filter(({ end }) => end === "arrow").length;
  if (overwrite === "q") return ["it reads", counted(count, "key")];
  return count === 1 ? ["1 query", "reads it"] : [`${count} queries`, "read it"];
}

/**
 * What overwriting one position changes if all rows are computed again, and what that means for the next words.
 *
 * @param {State} state
 * @param {Pick<Results, "moved" | "stale_q">} results
 * @returns {[string, string]} what changes, and why
 */
export function overwriteEffect(state, { moved, stale_q }) {
  const { overwrite, at, S, P, causal } = state;
  const all = rowsThatDiffer(moved);
  const rows = `${all.length} of ${counted(S, "row")} ${all.length === 1 ? "changes" : "change"}`;
  const count = `With another ${NAMES[overwrite]} of ${quotedWord(state, at)}, ${rows}${all.length ? `: ${rowList(all)}` : ""}.`;
  if (overwrite !== "q")
    return [
      count,
      causal
        ? " Its own row and every later row read it, and every later word will: so it is kept."
        : " There is no mask: all rows read it.",
    ];
  if (causal && at === 0) return [count, " Row 0 has one key, whose weight is 1 for any query."];
  if (at >= firstNewRow(state) && S > P) return [count, " It is the one query that this step reads."];
  if (causal) return [count, " No other row reads it, and no later word will: so it is not kept."];
  if (S === P) return [count, " No other row reads it."];
  const queries = rowsThatDiffer(stale_q).length
    ? "and here their queries do too: nothing that is old can be used."
    : "and need their queries again.";
  return [count, ` But without a mask older rows change with each word, ${queries}`];
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
 * @param {Pick<Results, "gap" | "stale" | "stale_q" | "stale_weights">} results
 */
export function isStale(tensor, i, { gap, stale, stale_q, stale_weights }) {
  return { q: stale_q, k: stale, v: stale, weights: stale_weights, heads: gap }[tensor][i] > TOLERANCE;
}

/**
 * When a row of q, k or v was computed, and who reads it.
 *
 * @param {"q" | "k" | "v"} tensor
 * @param {number} i row
 * @param {State} state
 * @param {Results} results
 * @returns {string}
 */
export function rowText(tensor, i, state, results) {
  const word = quotedWord(state, i);
  const isNew = i >= firstNewRow(state);
  const when = isNew ? "now" : i < state.P ? "in the prefill" : `when ${word} was new`;
  const stale = isStale(tensor, i, results) ? " Stale: a full pass has other numbers in this row." : "";
  const name = `The ${NAMES[tensor]} of ${word}: computed ${when}`;
  const seen = visibleCount(i, state);
  if (tensor === "q") return `${name}, met ${counted(seen, "key")}, not kept. No later row of this layer reads it.${stale}`;
  return `${name}, ${isNew ? "and written into the cache" : "read from the cache at every step since"}.${stale}`;
}
