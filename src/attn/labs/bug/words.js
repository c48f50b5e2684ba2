// What BugLab says.

import { HEADS, SIZES } from "../kit/reader.js";
import { FAR, isOfY, isRandom, paddingOf, partsOf } from "./model.js";
import { breaks, brokenBy, leaks, sumOf } from "./rules.js";

/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Given} Given */
/** @typedef {"unknown" | "wrong"} Shown whether the reader knows the wrong line of code */
/** @typedef {import("./model.js").Parts} Parts */
/** @typedef {Record<string, string>} Evidence by probe: what it found */

/** @type {Record<Given, string>} */
export const NAMES = {
  self: "a sentence without a mask",
  causal: "a prompt with a causal mask",
  prompt: "a prompt with padding",
  new: "the next word and a cache",
  other: "another sentence’s keys",
  train: "dropout in training",
  grouped: "random grouped heads",
  half: "random float16 numbers",
};

/** What else the reader must know of the numbers. @type {Partial<Record<Given, string>>} */
const NOTES = {
  train: "Dropout comes after these weights: about half do not reach y.",
  grouped: "A random layer: heads 0 and 1 share keys and values, 2 and 3 too.",
  half: "A random layer in float16, which ends at 65,504.",
};
const SILENT = "No number here gives it away.";

/** @param {readonly number[]} shape */
export const shaped = (shape) => `(${shape.join(", ")})`;
/** @param {readonly string[]} parts */
const listed = (parts) => parts.join(", ").replace(/, ([^,]*)$/, " or $1");

/**
 * The words of the queries and of the keys; all: also those before the queries, whose keys and values are in a cache.
 *
 * @param {State} state
 */
export function wordsOf(state) {
  const { given, L, _words, _context } = state;
  const all = _words.slice(0, L).map((word, n) => (n < paddingOf(state) ? "pad" : word));
  return { queries: given === "new" ? all.slice(-1) : all, keys: given === "other" ? _context : all, all };
}

/**
 * What stands beside the name of a table of the wrong line of code, and the kind of verdict that it is.
 *
 * @param {State} state
 * @param {Results} results
 * @param {number} table the last is y
 * @returns {{ text: string, kind: "good" | "bad" | "luck" }}
 */
export function captionOf(state, results, table) {
  const isY = isOfY(state, table);
  const name = isY ? "y" : "weights";
  const shape = results.shapes[name];
  if (!shape) return { text: "⚠", kind: "luck" };
  const { queries, keys } = wordsOf(state);
  const wanted = [queries.length, isY ? SIZES.E : keys.length];
  if (String(shape.slice(-2)) !== String(wanted)) return { text: shaped(shape.slice(-2)), kind: "bad" };
  const all = wanted[0] * wanted[1];
  const [mine, right] = [results[name], results[`right_${name}`]];
  const from = isY ? 0 : table * all;
  for (let n = from; n < from + all; n++) if (!(Math.abs((mine?.[n] ?? 0) - right[n]) <= FAR)) return { text: "✗", kind: "bad" };
  return { text: "✓", kind: "good" };
}

/**
 * What the reader is asked to do while the line of code is hidden, after a verdict if it need not be looked for. That no number gives the
 * line away is said after a try alone.
 *
 * @param {State} state
 * @param {Results} results
 * @param {number} table the last is y
 * @param {boolean} [isTried] whether the reader has just pressed something here
 */
export function askOf(state, results, table, isTried) {
  const { moved, message } = results;
  const line = "the wrong line of code.";
  const other = `${results.elsewhere.new === "shows" ? "Try the next word" : "Choose another input"}, or press ${line}`;
  if (message) return { verdict: "⚠ It stops with an error.", text: other };
  const isSilent = moved.weights === 0 && moved.y === 0;
  const choose = `Choose another table, or press ${line}`;
  if (isSilent || captionOf(state, results, table).kind === "good")
    return isTried
      ? { verdict: SILENT, text: isSilent ? other : choose }
      : { verdict: "", text: `Does a number here give it away? Press it, or ${line}` };
  if (isOfY(state, table) && breaks(state, results)) return { verdict: "", text: choose };
  const rows = brokenBy(state, results) === "sum" ? "of rows " : "";
  const what = rows || partsOf(state) || breaks(state, results) ? `${rows}that break the rule` : "that look wrong";
  return { verdict: "", text: `Press two cells ${what}, or ${line}` };
}

/**
 * The verdict, and what happened.
 *
 * @param {State} state
 * @param {Results} results
 * @returns {{ kind: "good" | "bad" | "luck", verdict: string, text: string }}
 */
export function sentenceOf(state, results) {
  const { shapes, moved, message } = results;
  if (state.bug === "none") return { kind: "good", verdict: "✓ Right.", text: "No line of code is wrong. Choose a wrong one." };
  if (message) {
    const { runs_at: runs } = results;
    const then = runs.length ? ` With ${listed(runs.map(String))} words it runs.` : "";
    return { kind: "luck", verdict: "⚠ An error.", text: `PyTorch says: ${message}.${then}`.replace("..", ".") };
  }
  if (moved.weights === 0 && moved.y === 0) {
    const where = /** @type {Given[]} */ (Object.keys(NAMES)).filter((given) => results.elsewhere[given] !== "hidden");
    const told = where.length > 3 ? `${where.length} of the other inputs` : listed(where.map((given) => NAMES[given]));
    return { kind: "luck", verdict: SILENT, text: where.length ? `The bug shows with ${told}.` : "All are right." };
  }
  const isOther = moved.y === null || moved.weights === null;
  const isBoth = Boolean(moved.weights && moved.y);
  const parts = /** @type {const} */ (["weights", "y"]).map((name) => {
    const count = moved[name];
    const all = shapes[name]?.reduce((a, b) => a * b, 1) ?? 0;
    const what = name === "y" ? "numbers of y" : "weights";
    if (count === null) return `${name === "y" ? "y is" : "the weights are"} ${shaped(shapes[name] ?? [])}`;
    return count === 0
      ? `all ${all} ${what} are right`
      : `${count} of ${all} ${what}${isBoth && name === "weights" ? "" : " change"}`;
  });
  const counts = parts.join(isBoth ? " and " : "; ");
  return {
    kind: "bad",
    verdict: `✗ ${seenIn(state, results)}.`,
    text: `No error${isOther ? "" : ", and every shape stays"}. ${counts[0].toUpperCase()}${counts.slice(1)}.`,
  };
}

/** The verdict for a reader who has found the line. @param {string} verdict */
export const foundAs = (verdict) => verdict.replace(/^(\W )?./, (start) => `✓ Right: ${start.slice(-1).toLowerCase()}`);

/** What a head of the recorded layer answers; the number of a random one. @param {Pick<State, "given">} state @param {number} head */
export const headOf = ({ given }, head) => (isRandom(given) ? `${head}` : HEADS[head]);

/** What one sees of a bug that changes numbers. @param {State} state @param {Results} results */
function seenIn(state, results) {
  const { moved, weights } = results;
  const parts = partsOf(state);
  if (parts) return `Rows of y ${mixesWords(parts, state.L) ? "mix words" : "have their heads in another order"}`;
  if (moved.weights === 0) return moved.y === null ? "y has another shape" : "Only y gives it away";
  const broken = brokenBy(state, results);
  if (broken === "shape") return "The weights have another shape";
  if (broken === "sum") return weights?.some(Number.isNaN) ? "Some weights are NaN (×)" : "Rows of weights no longer sum to 1";
  if (broken === "miss") return `${state.given === "new" ? "The query misses" : "Queries miss"} allowed keys`;
  return broken ? `Queries give weight to ${broken} keys` : `Weights are wrong, though each row sums to ${sumOf(state)}`;
}

/** Whether a row has parts of other words. @param {Parts} parts @param {number} L */
function mixesWords({ right, wrong }, L) {
  return wrong.some((part, n) => part % L !== right[n] % L);
}

/**
 * What stands below a table: what its axes count or what else one must know of it, what is framed, and what is pale.
 *
 * @param {State} state
 * @param {Results} results
 * @param {number} table the last is y
 * @param {{ isFramed?: boolean, masks?: { isSame: boolean } | null }} [drawn]
 */
export function noteOf(state, results, table, { isFramed = false, masks = null } = {}) {
  const { given } = state;
  const isY = isOfY(state, table);
  const parts = isY && partsOf(state);
  const isOther = isY && given !== "new"; // its columns are no keys
  const counted = isOther || (isFramed && !masks) ? "" : sizesText(state, masks);
  const note = parts ? "Colour: the cell’s word. W_O turns each row into y." : (NOTES[given] ?? counted);
  const isPlain = parts && mixesWords(parts, state.L); // its colours tell
  const framed = parts ? "another head" : leaks(state, results, table) ? "breaks the rule" : "wrong numbers";
  return [note, isFramed && !isPlain && `Red frame: ${framed}.`, given === "new" && "Pale: the prompt."].filter(Boolean).join(" ");
}

/**
 * What L and S count in the picture, or how their difference moves the causal masks of both lines.
 *
 * @param {State} state
 * @param {{ isSame: boolean } | null} masks
 */
function sizesText(state, masks) {
  const [L, S] = [wordsOf(state).queries.length, wordsOf(state).keys.length];
  const queries = `${L} quer${L > 1 ? "ies" : "y"}`;
  if (masks) return `S - L = ${S} keys - ${queries} = ${S - L}: the masks ${masks.isSame ? "agree" : "differ"}.`;
  const [rows, columns] = state.given === "new" ? ["last row", `${S - 1} cached`] : ["rows", "columns"];
  return `L = ${queries} (${rows}), S = ${S} keys (${columns}).`;
}

/**
 * What a probe found.
 *
 * @param {string} probe
 * @param {Evidence} found
 */
export const evidenceOf = (probe, found) => found[probe] ?? "finds nothing";
