// What BugLab says.

import { HEADS, SIZES } from "../kit/reader.js";
import { FAR, isMasked, isRandom, paddingOf, partsOf, sizesOf } from "./model.js";

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

/** Which keys a right layer lets a query use. @param {Given} given */
export const ruleOf = (given) => RULES[given] ?? "Words attend to all words.";

/** Where they are not all. @type {Partial<Record<Given, string>>} */
const RULES = {
  causal: "Words attend to no later word.",
  prompt: "Words attend to no later word or padding.",
  new: "The new word attends to all words so far.",
  other: "Words attend to the whole other sentence.",
  half: "Words attend to no later word.",
};

/** No number of y breaks one. */
export const OF_Y = "None for y: only a right layer tells.";
/** And what its merge does. */
export const PARTS = "A row has its colour, a column its head.";
/** What a cell of merged heads is. */
export const CELLS = "Colour: the cell’s word. W_O turns each row into y.";

/** What else the reader must know of the numbers. @type {Partial<Record<Given, string>>} */
export const NOTES = {
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
 * What the reader is asked to do while the line of code is hidden, after a verdict if it need not be looked for.
 *
 * @param {State} state
 * @param {Results} results
 * @param {number} table the last is y
 */
export function askOf(state, results, table) {
  const { moved, message } = results;
  const line = "or press the wrong line of code.";
  const other = `${results.elsewhere.new === "shows" ? "Try the next word" : "Choose another input"}, ${line}`;
  if (message) return { verdict: "⚠ It stops with an error.", text: other };
  if (moved.weights === 0 && moved.y === 0) return { verdict: SILENT, text: other };
  const choose = `Choose another table, ${line}`;
  if (captionOf(state, results, table).kind === "good") return { verdict: SILENT, text: choose };
  if (isOfY(state, table) && breaks(state, results)) return { verdict: "", text: choose };
  const what = partsOf(state) || breaks(state, results) ? "that break the rule" : "that look wrong";
  return { verdict: "", text: `Press two cells ${what}, or the wrong line of code.` };
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
    const then = runs.length ? ` With ${listed(runs.map(String))} word${runs.at(-1) === 1 ? "" : "s"} it runs.` : "";
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

/** Whether a table is y, the last one. @param {State} state @param {number} table */
export const isOfY = ({ given }, table) => table === sizesOf(given).H;

/** What a head of the recorded layer answers; the number of a random one. @param {Pick<State, "given">} state @param {number} head */
export const headOf = ({ given }, head) => (isRandom(given) ? `${head}` : HEADS[head]);

/** What one sees of a bug that changes numbers. @param {State} state @param {Results} results */
function seenIn(state, results) {
  const { moved, sums, weights } = results;
  const parts = partsOf(state);
  if (parts) return `Rows of y ${mixesWords(parts, state.L) ? "mix words" : "have their heads in another order"}`;
  if (moved.weights === null) return "The weights have another shape";
  if (moved.weights === 0) return moved.y === null ? "y has another shape" : "Only y gives it away";
  if (weights?.some(Number.isNaN)) return "Some weights are NaN (×)";
  const attention = attended(results);
  if (attention) return attention;
  if (sums === false) return "Rows of weights no longer sum to 1";
  return `Weights are wrong, though each row sums to ${state.given === "prompt" && state.L > 1 ? "1, or to 0 for padding" : "1"}`;
}

/** Whether a row has parts of other words. @param {Parts} parts @param {number} L */
function mixesWords({ right, wrong }, L) {
  return wrong.some((part, n) => part % L !== right[n] % L);
}

/**
 * Whether a weight of the wrong line of code is on a key that the right one hides: 0 there.
 *
 * @param {number} weight
 * @param {number} right
 */
export const isLeak = (weight, right) => right === 0 && weight > FAR;

/** Whether a weight is on a key that the rule hides, or 0 on one that it shows. @param {number} weight @param {number} right */
export const isBreak = (weight, right) => isLeak(weight, right) || (weight === 0 && right > FAR);

/** Whether there is such a weight. In float16 a weight is 0 without a mask, too. @param {State} state @param {Results} results */
export const breaks = ({ given }, { weights, right_weights: right, moved }) =>
  given !== "half" && moved.weights !== null && Boolean(weights?.some((weight, n) => isBreak(weight, right[n])));

/**
 * What the line in the table of the wrong line of code is around: what breaks the rule, or all that is wrong.
 *
 * @param {State} state
 * @param {Results} results
 * @param {number} table the last is y
 * @param {Parts | null} [parts] drawn as y
 */
export function framedText(state, results, table, parts = null) {
  if (parts && isOfY(state, table)) return mixesWords(parts, state.L) ? "" : "Red frame: another head.";
  return `Red frame: ${leaks(state, results, table) ? "breaks the rule" : "wrong numbers"}.`;
}

/** Whether weights of a head are on keys that the rule hides. @param {State} state @param {Results} results @param {number} table */
export const leaks = (state, results, table) =>
  breaks(state, results) &&
  results.right_weights.some((right, n, { length }) => {
    return Math.floor((n * sizesOf(state.given).H) / length) === table && isLeak(results.weights?.[n] ?? 0, right);
  });

/**
 * What L and S count in the picture, or how their difference moves the causal masks of both lines.
 *
 * @param {State} state
 * @param {{ isSame: boolean } | null} [masks]
 */
export function sizesText(state, masks) {
  const [L, S] = [wordsOf(state).queries.length, wordsOf(state).keys.length];
  const [queries, keys] = [`${L} quer${L > 1 ? "ies" : "y"}`, `${S} key${S > 1 ? "s" : ""}`];
  if (masks) return `S - L = ${keys} - ${queries} = ${S - L}: the masks ${masks.isSame ? "agree" : "differ"}.`;
  const [rows, columns] = state.given === "new" ? ["last row", `${S - 1} cached`] : ["rows", "columns"];
  return `L = ${queries} (${rows}), S = ${keys} (${columns}).`;
}

/**
 * Whether the rule of an input lets a query attend to a key.
 *
 * @param {State} state
 * @param {number} i of the query
 * @param {number} j of the key
 */
export const allows = (state, i, j) => !isMasked(state.given) || state.given === "new" || (j <= i && j >= paddingOf(state));

/** Whether queries use keys that the right line of code hides from them, or miss some that it shows. @param {Results} results */
function attended({ weights, right_weights: right, moved, shapes }) {
  if (!weights || moved.weights === null) return "";
  const [, L, S] = /** @type {number[]} */ (shapes.weights);
  const used = [...weights.keys()].filter((n) => isLeak(weights[n], right[n]));
  if (!used.length)
    return [...weights.keys()].some((n) => weights[n] === 0 && right[n] > 0.01)
      ? `${L > 1 ? "Queries miss" : "The query misses"} allowed keys`
      : "";
  const isLater = used.every((n) => n % S > (Math.floor(n / S) % L) + S - L);
  return `Queries give weight to ${isLater ? "later" : "hidden"} keys`;
}

/**
 * What a probe found.
 *
 * @param {string} probe
 * @param {Evidence} found
 */
export const evidenceOf = (probe, found) => found[probe] ?? "finds nothing";
