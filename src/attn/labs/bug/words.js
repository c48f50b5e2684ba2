// What BugLab says.

import { number, spelled } from "../kit/format.js";
import { HEADS, SIZES } from "../kit/reader.js";
import { FAR, PADDING } from "./model.js";

/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Given} Given */
/** @typedef {Record<string, string>} Evidence by probe: what it found */

/** @type {Record<Given, string>} */
export const NAMES = {
  self: "a sentence, no mask",
  prompt: "causal mask, padding",
  new: "one new word, a cache",
  other: "another sentence’s keys",
};

/** @type {Record<Given, string>} */
const WITH = {
  self: "without a mask",
  prompt: "with a causal mask and padding",
  new: "with one new word after a cached prompt",
  other: "with keys of another sentence",
};

/** @param {readonly number[]} shape */
const shaped = (shape) => `(${shape.join(", ")})`;
/** @param {readonly string[]} parts */
const listed = (parts) => parts.join(", ").replace(/, ([^,]*)$/, " or $1");

/**
 * The words of the queries and of the keys.
 *
 * @param {State} state
 */
export function wordsOf({ given, L, _words, _context }) {
  const all = _words.slice(0, L).map((word, n) => (given === "prompt" && n < Math.min(PADDING, L - 1) ? "pad" : word));
  return { queries: given === "new" ? all.slice(-1) : all, keys: given === "other" ? _context : all };
}

/**
 * The sizes of the tables with the right line, and with the wrong one where it makes some: rows, and columns of the weights.
 *
 * @param {State} state
 * @param {Results} results
 */
export function sizesOf(state, { shapes }) {
  const { queries, keys } = wordsOf(state);
  const right = [queries.length, keys.length];
  return shapes.weights ? [right, shapes.weights.slice(1)] : [right];
}

/**
 * The verdict, and what happened.
 *
 * @param {State} state
 * @param {Results} results
 * @param {Evidence} found
 * @param {number} probes how many there are
 * @returns {{ kind: "good" | "bad" | "luck", verdict: string, text: string }}
 */
export function sentenceOf(state, results, found, probes) {
  const { shapes, moved, sums, message } = results;
  const seen = `${Object.keys(found).length} of ${probes} probes find the bug.`;
  if (state.bug === "none")
    return {
      kind: "good",
      verdict: "✓ right line.",
      text: `Choose a wrong line. In the right ones none of ${probes} probes finds anything.`,
    };
  if (message) {
    const { runs_at: runs } = results;
    const then = runs.length ? ` With ${listed(runs.map(String))} word${runs.at(-1) === 1 ? "" : "s"} it runs.` : "";
    return { kind: "luck", verdict: "⚠ an error.", text: `PyTorch says: ${message}.${then} ${seen}`.replace("..", ".") };
  }
  if (moved.weights === 0 && moved.y === 0) {
    const where = /** @type {Given[]} */ (Object.keys(WITH)).filter((given) => results.elsewhere[given] !== "hidden");
    const shows = where.length ? ` The bug shows ${listed(where.map((given) => WITH[given]))}.` : "";
    return { kind: "luck", verdict: "Nothing moves.", text: `All numbers are those of the right line.${shows} ${seen}` };
  }
  const shape = moved.y === null || moved.weights === null ? "a shape is another" : "every shape stays";
  const rows = sums === null ? "" : sums ? (moved.weights ? ", row sums stay" : "") : ", rows of weights sum to something else";
  const parts = /** @type {const} */ (["weights", "y"]).map((name) => {
    const count = moved[name];
    const all = shapes[name]?.reduce((a, b) => a * b, 1) ?? 0;
    const what = name === "y" ? "numbers of y" : "weights";
    if (count === null) return `${name === "y" ? "y is" : "the weights are"} ${shaped(shapes[name] ?? [])}`;
    return count === 0 ? `all ${all} ${what} are right` : `${count} of ${all} ${what} change`;
  });
  return { kind: "bad", verdict: "✗ wrong, no error:", text: `${shape}${rows}; ${parts.join(", ")}. ${seen}` };
}

/**
 * What stays and what does not: short facts, each with its verdict.
 *
 * @param {State} state
 * @param {Results} results
 * @returns {[text: string, isRight: boolean][]}
 */
export function factsOf(state, results) {
  const { shapes, moved, sums, message } = results;
  if (message || !shapes.weights || !shapes.y) return [["no result", false]];
  const { queries, keys } = wordsOf(state);
  const right = [SIZES.H, queries.length, keys.length];
  return [
    [`weights ${shaped(shapes.weights)}`, String(right) === String(shapes.weights)],
    [`y ${shaped(shapes.y)}`, moved.y !== null],
    ["row sums", sums === true],
    [`weights ${moved.weights === 0 ? "right" : "wrong"}`, moved.weights === 0],
    [`y ${moved.y === 0 ? "right" : "wrong"}`, moved.y === 0],
  ];
}

/**
 * The two numbers of a cell.
 *
 * @param {State} state
 * @param {Results} results
 * @param {import("./layout.js").Place} place
 */
export function cellText(state, results, [block, table, i, j]) {
  const { queries, keys } = wordsOf(state);
  const isY = table === SIZES.H;
  const [right, wrong] = [isY ? results.right_y : results.right_weights, isY ? results.y : results.weights];
  const C = isY ? SIZES.E : keys.length;
  const at = (isY ? 0 : table * queries.length * C) + i * C + j;
  const what = isY ? `y of “${queries[i]}”, component ${j}` : `weight in head “${HEADS[table]}”, “${queries[i]}” → “${keys[j]}”`;
  const isOther = !isY && results.shapes.weights && String(results.shapes.weights.slice(1)) !== String([queries.length, C]);
  if (isOther && block)
    return `There is no such weight with the right line: its weights are ${shaped([SIZES.H, queries.length, C])}.`;
  const value = right[at];
  const there = wrong === null || isOther ? "nothing to compare" : said(wrong[at], value);
  return `${what}: ${spelled(value)} with the right line, ${there}.`;
}

/** @param {number} value @param {number} right */
function said(value, right) {
  if (Math.abs(value - right) <= FAR) return "and the same with the wrong one";
  return `${number(value, 2)} with the wrong one`;
}

/**
 * What a probe found.
 *
 * @param {string} probe
 * @param {Evidence} found
 */
export const evidenceOf = (probe, found) => found[probe] ?? "finds nothing";
