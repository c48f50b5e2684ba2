// What BugLab says of a cell, and of a guess that it is wrong.

import { spelled } from "../kit/format.js";
import { SIZES } from "../kit/reader.js";
import { FAR, isOfY, sizesOf } from "./model.js";
import { allows, breachOf, breaks, brokenBy } from "./rules.js";
import { headOf, shaped, wordsOf } from "./words.js";

/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Parts} Parts */
/** @typedef {import("./words.js").Shown} Shown */

/**
 * The two numbers of a cell; of one in which a reader looks for a wrong number, the only one, or a verdict on it: ✓ it is wrong, ✗ it is not.
 *
 * @param {State} state
 * @param {Results} results
 * @param {import("./layout.js").Place} place its row is one of all words
 * @param {Shown} line
 * @param {boolean} [isGuess] whether the reader takes the number for wrong
 */
export function cellText(state, results, [, table, row, j], line, isGuess) {
  const { queries, keys, all } = wordsOf(state);
  const isY = isOfY(state, table);
  const i = row - (all.length - queries.length);
  const [right, wrong] = [isY ? results.right_y : results.right_weights, isY ? results.y : results.weights];
  const C = isY ? SIZES.E : keys.length;
  const what = isY
    ? `y of “${all[row]}”, component ${j}`
    : `weight in head “${headOf(state, table)}”, “${all[row]}” → “${keys[j]}”`;
  const shape = results.shapes[isY ? "y" : "weights"];
  const isOther = shape && String(shape.slice(-2)) !== String([queries.length, C]);
  if (isOther && line === "unknown") return `${isGuess ? "✓ " : ""}This tensor is ${shaped(shape)}.`;
  if (isOther) {
    const wanted = isY ? [queries.length, C] : [sizesOf(state.given).H, queries.length, C];
    return `The right line has no such number: ${isY ? "y is" : "its weights are"} ${shaped(wanted)}.`;
  }
  if (i < 0) return `“${all[row]}” is no query: its key and its value are in the cache.`;
  const at = (isY ? 0 : table * queries.length * C) + i * C + j;
  const value = right[at];
  if (isGuess && wrong) {
    const of = `“${all[row]}”`;
    const hides = isY || allows(state, i, j) ? "" : `: ${of} must not attend to “${keys[j]}”`;
    const is = spelled(wrong[at], 3);
    if (Math.abs(wrong[at] - value) <= FAR) return `✗ ${is} is right${hides}.`;
    const should = `${is} should be ${spelled(value, 3)}`;
    if (!breaks(state, results)) return `✓ ${should}${hides}.`;
    if (isY || !breachOf(state, i, j, wrong[at], value)) return `✗ ${should}, but it breaks no rule.`;
    return `✓ ${should}${hides || `: ${of} attends to “${keys[j]}”`}.`;
  }
  const isSum = !isY && wrong && brokenBy(state, results) === "sum";
  const sum = isSum ? ` Its row sums to ${spelled(wrong.slice(at - j, at - j + C).reduce((a, b) => a + b))}.` : "";
  if (line === "unknown") return wrong ? `${what}: ${spelled(wrong[at], 3)}.${sum}` : "There are no numbers.";
  const there = wrong === null ? "nothing to compare" : said(wrong[at], value);
  return `${what}: right ${spelled(value, 3)}, ${there}.${sum}`;
}

/**
 * The part that stands in a cell of y, and the one that should; of one in which a reader looks for a wrong part, as in `cellText`.
 *
 * @param {State} state
 * @param {Parts} parts
 * @param {import("./layout.js").Place} place
 * @param {Shown} [line]
 * @param {boolean} [isGuess]
 */
export function partText(state, { right, wrong }, [, , i, j], line, isGuess) {
  const { all } = wordsOf(state);
  const [mine, other] = [right, wrong].map((one) => one[i * sizesOf(state.given).H + j]);
  const named = (/** @type {number} */ part) =>
    `head ${headOf(state, Math.floor(part / all.length))} of “${all[part % all.length]}”`;
  if (isGuess) return mine === other ? `✗ ${named(mine)} is right here.` : `✓ ${named(other)} is in the place of ${named(mine)}.`;
  const row = `In the row of “${all[i]}”: `;
  if (line === "unknown") return `${row}${named(other)}.`;
  return `${row}right, ${named(mine)}; wrong, ${mine === other ? "the same" : named(other)}.`;
}

/** @param {number} value @param {number} right */
function said(value, right) {
  if (Math.abs(value - right) <= FAR) return "wrong the same";
  return `wrong ${spelled(value, 3)}`;
}
