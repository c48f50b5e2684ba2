// The rules that a right layer keeps, and the one that a wrong line of code breaks: which keys get weight, and what a row sums to.

import { FAR, isMasked, isOfY, paddingOf, partsOf, sizesOf } from "./model.js";

/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Given} Given */
/** @typedef {"hidden" | "later" | "miss"} Breach a weight on padding, or on a later key, or none on a key that the rule shows */

/** @type {Breach[]} What is seen first of a bug is the first here. */
const BREACHES = ["hidden", "later", "miss"];

/** Which keys a right layer lets a query use, where they are not all. @type {Partial<Record<Given, string>>} */
const KEYS = {
  causal: "Words attend to no later word.",
  prompt: "Words attend to no later word or padding.",
  new: "The new word attends to all words so far.",
  other: "Words attend to the whole other sentence.",
  half: "Words attend to no later word.",
};

/**
 * Whether the rule of an input lets a query attend to a key.
 *
 * @param {State} state
 * @param {number} i of the query
 * @param {number} j of the key
 */
export const allows = (state, i, j) => !isMasked(state.given) || state.given === "new" || (j <= i && j >= paddingOf(state));

/**
 * How a weight breaks the rule. In float16 one that it shows may be 0, too.
 *
 * @param {State} state
 * @param {number} i of the query
 * @param {number} j of the key
 * @param {number} weight
 * @param {number} right
 * @returns {Breach | undefined}
 */
export function breachOf(state, i, j, weight, right) {
  if (!allows(state, i, j)) return weight > FAR ? (j > i ? "later" : "hidden") : undefined;
  return weight === 0 && right > FAR && state.given !== "half" ? "miss" : undefined;
}

/** How each weight does; none does if their shape is another. @param {State} state @param {Results} results */
function breachesOf(state, { weights, right_weights: right, moved, shapes }) {
  if (!weights || !moved.weights) return [];
  const [, L, S] = /** @type {number[]} */ (shapes.weights);
  return [...weights].map((weight, n) => breachOf(state, Math.floor(n / S) % L, n % S, weight, right[n]));
}

/**
 * What the wrong weights break; "" if every rule still holds.
 *
 * @param {State} state
 * @param {Results} results
 * @returns {Breach | "shape" | "sum" | ""}
 */
export function brokenBy(state, results) {
  if (results.weights && results.moved.weights === null) return "shape";
  const all = breachesOf(state, results);
  return BREACHES.find((one) => all.includes(one)) ?? (results.sums === false ? "sum" : "");
}

/** Whether single cells break a rule. @param {State} state @param {Results} results */
export const breaks = (state, results) => breachesOf(state, results).some(Boolean);

/** Whether weights of a head are on keys that the rule hides. @param {State} state @param {Results} results @param {number} table */
export const leaks = (state, results, table) =>
  breachesOf(state, results).some(
    (one, n, { length }) => one && one !== "miss" && Math.floor((n * sizesOf(state.given).H) / length) === table,
  );

/** What the weights of a row sum to. @param {State} state */
export const sumOf = ({ given }) => (given === "prompt" ? "1, or to 0 for padding" : "1");

/**
 * What a right layer does: the rule that the wrong line of code breaks, if it breaks one.
 *
 * @param {State} state
 * @param {Results} results
 * @param {number} table the last is y
 */
export function ruleOf(state, results, table) {
  const { given } = state;
  if (isOfY(state, table))
    return partsOf(state) ? "A row has its colour, a column its head." : "None for y: only a right layer tells.";
  const broken = brokenBy(state, results);
  if (broken === "shape") return "Each head has L × S weights.";
  if (broken === "sum") return `Each row sums to ${sumOf(state)}.`;
  if (broken === "miss" && isMasked(given) && given !== "new")
    return `Words attend to all words so far${given === "prompt" ? " but padding" : ""}.`;
  if (!broken && results.moved.weights) return "None is broken: only a right layer tells.";
  return KEYS[given] ?? "Words attend to all words.";
}
