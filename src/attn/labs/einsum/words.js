// The sentences of EinsumLab: about a formula, a moment of its loops, a number that is explained, and sizes that hide something.

import { integer, spelled } from "../kit/format.js";
import { product } from "../kit/math.js";
import { counted, listed } from "../kit/phrases.js";
import { isOfKeys, isOfWeights, lettersOf, roleOf, shapeOf, summedLetters } from "./formula.js";
import { indexOf, OPERANDS, TENSORS } from "./model.js";
import { axesOf, termsOf } from "./pin.js";

/** @typedef {import("./formula.js").Formula} Formula */
/** @typedef {import("./formula.js").Sizes} Sizes */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {readonly [left: string, right: string, result: string]} Names */

const SHOWN_TERMS = 12;
const asFactor = (/** @type {number} */ value) => (value < 0 ? `(${spelled(value)})` : spelled(value));
export const PLURALS = {
  B: "sentences",
  H: "heads",
  L: "queries",
  S: "keys",
  D: "numbers per head",
  E: "numbers per token",
  G: "key/value heads",
};

/** @type {Record<import("./formula.js").Role, string>} */
const ROLES = { matched: "kept", free: "kept", summed: "added up", alone: "added up" };

/** What becomes of an axis, in a word or two. @param {import("./formula.js").Role} role */
export const roleText = (role) => ROLES[role];

/**
 * What a formula is meant to compute, if its tensors are q and k or the weights and v.
 *
 * @param {Formula} formula
 * @returns {{ names: Names, meant: string } | null}
 */
function meaningOf(formula) {
  if (isOfKeys(formula) && formula.tensors[0] === "bhld") return { names: ["q", "k", "scores"], meant: "bhls" };
  if (isOfWeights(formula)) return { names: ["weights", "v", "output"], meant: "bhld" };
  return null;
}

/**
 * The names of left, right and the result.
 *
 * @param {Formula} formula
 * @returns {Names}
 */
export function namesOf(formula) {
  const meaning = meaningOf(formula);
  if (!meaning) return ["left", "right", "result"];
  const [left, right, result] = meaning.names;
  return [left, right, formula.result === meaning.meant ? result : "result"];
}

/**
 * Whether a formula of q and k, or of weights and v, computes what it is meant to; null for other formulas.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @returns {{ kind: "good" | "luck" | "bad", text: string } | null}
 */
export function verdictOf(formula, sizes) {
  const meaning = meaningOf(formula);
  if (!meaning) return null;
  const { meant, names } = meaning;
  const [left, right] = formula.tensors;
  const missing = [...meant].filter((letter) => !formula.result.includes(letter));
  const extra = [...formula.result].filter((letter) => !meant.includes(letter));
  if (extra.length) return null;
  if (missing.length) {
    const lost = missing.map((letter) => PLURALS[letter.toUpperCase()]);
    const isOne = missing.every((letter) => sizes[letter.toUpperCase()] === 1);
    if (isOne) return { kind: "luck", text: `⚠ ${listed(missing)} is missing, and it counts to 1: only the shape shows it.` };
    return { kind: "bad", text: `✗ No error, and not the ${names[2]}: the ${listed(lost)} are added up.` };
  }
  if (right.includes("g")) {
    if (sizes.G === 1) return { kind: "luck", text: "⚠ With one key/value head, G = 1, this is right. With more it is not." };
    return {
      kind: "bad",
      text: `✗ The right shape, wrong numbers: every head of ${names[0]} meets all ${sizes.G} heads of ${names[1]}.`,
    };
  }
  if (formula.result !== meant) return { kind: "luck", text: `⚠ The ${names[2]}, with axes in another order.` };
  if (right !== "bhsd" || left.length < 4) return null;
  return { kind: "good", text: `✓ The ${names[2]}.` };
}

/**
 * How many results and terms the loops have, without a full stop.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {string} [noun] of what is computed
 */
export function countText(formula, sizes, noun = "result") {
  const count = product(shapeOf(formula.result, sizes));
  const terms = product(shapeOf(summedLetters(formula), sizes));
  return `${counted(count, noun)} of ${counted(terms, "term")}${count === 1 ? "" : " each"}`;
}

/**
 * How many results, terms and multiplications the loops have. Torch first adds up a letter that has no partner, before anything is
 * multiplied: that saves its factor.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {string} [noun] of what is computed
 * @returns {string}
 */
export function workText(formula, sizes, noun = "result") {
  const letters = lettersOf(formula);
  const alone = [...letters].filter((letter) => roleOf(formula, letter) === "alone");
  const steps = product(shapeOf(letters, sizes));
  const results = countText(formula, sizes, noun);
  if (formula.tensors.length < 2) return `${results}; nothing is multiplied.`;
  const multiplied = `${results}, ${counted(steps, "multiplication")}`;
  if (!alone.length) return `${multiplied}.`;
  const fewer = integer(steps / product(shapeOf(alone, sizes)));
  return `${multiplied}; torch adds up ${listed(alone)} first: ${fewer}.`;
}

/**
 * What a result is called if there are several of it.
 *
 * @param {Names} names
 */
export const nounOf = ([, , result]) => (result === "scores" ? "score" : result === "output" ? "output" : "result");

/**
 * What falls into a result at a moment.
 *
 * @param {Formula} formula
 * @param {Results} results
 * @param {import("./scene.js").Scene} scene
 * @param {Names} names
 * @returns {string}
 */
export function momentText(formula, results, { moment, pair, sum }, names) {
  if (moment.part === 0) return `Nothing has run yet: every ${nounOf(names)} is 0.`;
  const factors = pair.map((at, side) => results[side ? "right" : "left"]?.[at] ?? 0);
  const added = product(factors);
  const index = [...formula.result].map((letter) => moment.indices[letter]).join(", ");
  const goal = index ? `${names[2]}[${index}]` : `the ${names[2]}`;
  if (moment.part >= 1 && moment.terms > 1 && moment.term + 1 === moment.terms)
    return `${goal} is complete: its ${moment.terms} ${factors.length > 1 ? "products" : "numbers"} sum to ${spelled(sum)}.`;
  const what = factors.length > 1 ? `${spelled(factors[0])} · ${asFactor(factors[1])} = ${spelled(added)}` : spelled(added);
  const run = `Run ${integer(moment.n + 1)} of ${integer(moment.steps)}: ${what} falls into ${goal}`;
  return moment.terms === 1
    ? `${run}.`
    : `${run}; ${moment.term + 1} of its ${counted(moment.terms, "term")}, sum ${spelled(sum)}.`;
}

/**
 * What a film of the loops shows in one of its parts.
 *
 * @param {import("./moments.js").Part} part
 * @param {import("./moments.js").Moment} moment
 * @param {Names} names
 */
export function partText({ name, runs, first }, { terms }, names) {
  const letters = listed([...runs].map((letter) => letter.toUpperCase()));
  const loops = `The loop${runs.length > 1 ? "s" : ""} over ${letters} run${runs.length > 1 ? "" : "s"}`;
  if (first === 0) return runs ? `${loops}: ${counted(terms, "term")} become one ${nounOf(names)}.` : `One ${nounOf(names)}.`;
  return `${loops} too: ${name}.`;
}

/** A number of a tensor, as in code. @param {Formula} formula @param {Sizes} sizes @param {readonly number[]} pin */
export function nameOf(formula, sizes, [side, n]) {
  const index = indexOf(n, shapeOf(axesOf(formula)[side] ?? "", sizes));
  return `${namesOf(formula)[side]}[${index.join(", ")}]`;
}

/**
 * What is said while what follows from a nudged number is on its way.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {Results} results
 * @param {import("./pin.js").Trace} trace
 */
export function growsText(formula, sizes, results, { side, n }) {
  const names = namesOf(formula);
  const value = results[OPERANDS[side]][n];
  return `${nameOf(formula, sizes, [side, n])} grows from ${spelled(value - 1)} to ${spelled(value)}. How many ${nounOf(names)}s change?`;
}

/**
 * Which results a nudged number changes, counted in the results.
 *
 * @param {Formula} formula
 * @param {Results} results
 * @param {import("./pin.js").Trace} trace
 * @param {Names} names
 */
export function nudgeText(formula, results, { side, fixed, cells }, names) {
  const own = axesOf(formula)[side] ?? "";
  const count = Array.from(results.changed ?? []).filter(Boolean).length;
  const known = [...formula.result].filter((letter) => letter in fixed).map((letter) => `${letter}\u00a0=\u00a0${fixed[letter]}`);
  const free = [...formula.result].filter((letter) => !own.includes(letter));
  const lacks = free.length > 2 ? "none of them" : free.length > 1 ? "neither" : `no ${free}`;
  const those = known.length ? [`those with ${listed(known)}`] : [];
  const all = free.length ? [`for every ${listed(free)}, because ${names[side]} has ${lacks}`] : [];
  const where = count ? `: ${[...those, ...all].join(", ")}` : "";
  const others = count < (cells[2]?.length ?? 0) ? " (unless it adds 0)" : "";
  return `${integer(count)} of ${counted(results.result.length, nounOf(names))} change${where}${others}.`;
}

/**
 * What a reader can do with the numbers of an operand.
 *
 * @param {Formula} formula
 * @param {Results} results
 * @param {boolean} isOffered whether a number has the label +1
 */
export function offerOf(formula, { result }, isOffered) {
  const names = namesOf(formula);
  const operand = names[formula.tensors.length - 1];
  return `How many of ${counted(result.length, nounOf(names))} will change? Guess, then tap ${isOffered ? "+1, or " : ""}any number of ${operand}.`;
}

/**
 * What a pinned result is made of, or where a pinned number of an operand goes.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @param {Results} results
 * @param {import("./pin.js").Trace} trace
 * @param {Names} [names]
 * @returns {string}
 */
export function pinText(formula, sizes, results, { side, n, cells, used }, names = ["left", "right", "result"]) {
  const axes = axesOf(formula)[side] ?? "";
  const place = nameOf(formula, sizes, [side, n]);
  const value = spelled(results[TENSORS[side]][n]);
  if (side === 2) {
    const { count, terms } = termsOf(formula, sizes, n, SHOWN_TERMS);
    const written = terms.map((term) => term.map((at, operand) => asFactor(results[OPERANDS[operand]][at])).join("·"));
    const more = count > terms.length ? ` + … (${count - terms.length} more)` : "";
    return `${place} = ${written.join(" + ")}${more} = ${value}`;
  }
  if (!used) return `${place} = ${value} is used nowhere: it is not on the diagonal.`;
  const missing = [...formula.result].filter((letter) => !axes.includes(letter));
  const along = missing.length
    ? `, one for every ${listed(missing)}, because ${names[side]} has no ${missing.join(" and no ")}`
    : "";
  return `${place} = ${value} goes into ${cells[2]?.length} of ${counted(results.result.length, nounOf(names))}${along}.`;
}

/**
 * Sizes of this formula that hide something, a sentence for each.
 *
 * @param {Formula} formula
 * @param {Sizes} sizes
 * @returns {string[]}
 */
export function coincidences(formula, sizes) {
  const letters = [...lettersOf(formula)].map((letter) => letter.toUpperCase());
  const distinct = [...new Set(letters.map((letter) => sizes[letter]))].filter((size) => size > 1);
  const equal = distinct.map((size) => letters.filter((letter) => sizes[letter] === size)).filter((same) => same.length > 1);
  const single = letters.filter((letter) => sizes[letter] === 1 && roleOf(formula, letter.toLowerCase()) === "alone");
  return [
    ...single.map((letter) => `${letter} = 1: a sum over one number changes nothing, so this mistake cannot be seen.`),
    ...equal.map((same) => `${same.join(" = ")} = ${sizes[same[0]]}: if one is written for the other, the shape does not show it.`),
  ];
}
